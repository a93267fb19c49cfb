// SPDX-License-Identifier: GPL-3.0-or-later
// From floats to integers: the weights are rounded, and both networks are asked about real positions. What
// rounding moves all scores of an output bucket by is taken back in that bucket's bias.
#include "train/quantise.h"

#include <math.h>

enum { ROUNDING_POSITIONS = 20000 };

Rounding rounding_of(const Model *model, const Dataset *data, const Net *net)
{
    const GameList *list = data->valid.samples > 0 ? &data->valid : &data->train;
    Rounding rounding = {0};
    i64 bucket_nb[BUCKET_NB] = {0};
    for (i64 g = 0; g < list->nb && rounding.nb < ROUNDING_POSITIONS; g++) {
        Replay replay;
        if (!replay_start(&replay, list->ref[g].game))
            continue;
        for (; replay.index < replay.game.move_nb; replay_step(&replay)) {
            Sample sample;
            if (replay_skip(&replay, &data->filter) != 0)
                continue;
            sample_from_position(&sample, &replay.pos, 0);
            double difference =
                (double)model_output(model, &sample) * NET_SCALE - nnue_evaluate_scalar(net, &replay.pos);
            rounding.apart += fabs(difference);
            rounding.worst = fmax(rounding.worst, fabs(difference));
            rounding.offset[sample.bucket] += difference;
            bucket_nb[sample.bucket]++;
            rounding.nb++;
        }
    }
    rounding.apart /= (double)max_i64(rounding.nb, 1);
    for (int b = 0; b < BUCKET_NB; b++)
        rounding.offset[b] /= (double)max_i64(bucket_nb[b], 1);
    return rounding;
}

// Activations are never negative, so rounded output weights shift all scores of a bucket alike; the bias
// takes it back.
void quantise(const Model *model, const Dataset *data, Net *net)
{
    model_quantise(model, net);
    Rounding rounding = rounding_of(model, data, net);
    for (int b = 0; b < BUCKET_NB; b++)
        net->output_bias[b] += (i32)lrint(rounding.offset[b] * (NET_QA * NET_QB) / NET_SCALE);
}
