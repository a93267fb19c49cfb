// SPDX-License-Identifier: GPL-3.0-or-later
// The float network: forward, backward, AdamW, quantising. Loops are written so that compilers turn them into
// vectors; sums that cross lanes have a fixed order, so that the same seed gives the same network to the bit.
#include "train/model.h"

#include <math.h>

#include "base/checksum.h"

enum {
    LANES = 8,
    TILE = NET_HIDDEN % 64 == 0 ? 64 : 32, // hidden units summed in registers at a time
    TILE_LANES = TILE / LANES,
};
typedef float Lane __attribute__((vector_size(LANES * sizeof(float)), may_alias));

// What keeps the integers in range: 127 is the largest output weight; as many features as can be active at
// once, and the bias, fit 16 bits together.
static const float OUTPUT_LIMIT = 127.0f / NET_QB;
static const float FEATURE_LIMIT = 2.0f * NET_QA * (FEATURE_ACTIVE_MAX + 1) <= INT16_MAX
                                       ? 1.98f
                                       : (float)(INT16_MAX / (FEATURE_ACTIVE_MAX + 1)) / NET_QA;

// ---- life ---------------------------------------------------------------------------------------

bool model_new(Model *model, Message *message)
{
    *model = (Model){.params = os_alloc_big(sizeof(Weights)),
                     .moment1 = os_alloc_big(sizeof(Weights)),
                     .moment2 = os_alloc_big(sizeof(Weights)),
                     .average = os_alloc_big(sizeof(Weights))};
    if (MODEL_FACTORED)
        model->rows = os_alloc_big(sizeof model->params->feature_weight);
    else if (model->params)
        model->rows = model->params->feature_weight;
    if (model->params && model->moment1 && model->moment2 && model->average && model->rows)
        return true;
    model_free(model);
    return message_set(message, "no memory for a model of %zu bytes", 4 * sizeof(Weights));
}

void model_free(Model *model)
{
    if (MODEL_FACTORED && model->rows)
        os_free_big(model->rows, sizeof model->params->feature_weight);
    Weights *const parts[] = {model->params, model->moment1, model->moment2, model->average};
    for (int i = 0; i < 4; i++)
        if (parts[i])
            os_free_big(parts[i], sizeof(Weights));
    *model = (Model){0};
}

static float random_within(Rng *rng, double limit) { return (float)((2 * rng_unit(rng) - 1) * limit); }

// The first layer is drawn as narrowly as if every feature could be there at once. Five times as wide, as
// many as can be there, chess on 5.7 M positions ended its fifth epoch with a validation loss of 0.004219
// instead of 0.004121.
void model_init(Model *model, u64 seed)
{
    Rng rng = {hash_mix(seed ^ 0x6D6F64656CULL)};
    Weights *params = model->params;
    memset(params, 0, sizeof *params);
    memset(model->moment1, 0, sizeof *params);
    memset(model->moment2, 0, sizeof *params);
    memset(model->average, 0, sizeof *params);
    model->step = model->averaged = 0;
    double inner = 1 / sqrt(FEATURE_NB), outer = 1 / sqrt(2.0 * NET_HIDDEN);
    float(*first)[NET_HIDDEN] = MODEL_FACTORED ? params->factor_weight : params->feature_weight;
    for (int f = 0; f < FEATURE_NB; f++)
        for (int i = 0; i < NET_HIDDEN; i++)
            first[f][i] = random_within(&rng, inner);
    for (int b = 0; b < BUCKET_NB; b++)
        for (int s = 0; s < SIDE_NB; s++)
            for (int i = 0; i < NET_HIDDEN; i++)
                params->output_weight[b][s][i] =
                    b == 0 ? random_within(&rng, outer) : params->output_weight[0][s][i];
    for (int i = 0; i < NET_HIDDEN; i++)
        params->feature_bias[i] = random_within(&rng, inner);
    model_sync(model);
}

// A unit with no weight to any output.
static bool is_unused(const Net *net, int unit)
{
    for (int b = 0; b < BUCKET_NB; b++)
        if (net->output_weight[b][0][unit] || net->output_weight[b][1][unit])
            return false;
    return true;
}

// The weights of one unit: what its king buckets have in common, the mean, becomes the factor.
static void take_unit(Weights *params, const Net *net, int unit)
{
    for (int f = 0; f < FEATURE_NB; f++) {
        float mean = 0;
        for (int row = f; MODEL_FACTORED && row < NET_ROWS; row += FEATURE_NB)
            mean += (float)net->feature_weight[row][unit] / (NET_QA * PERSPECTIVE_BUCKET_NB);
        if (MODEL_FACTORED)
            params->factor_weight[f][unit] = mean;
        for (int row = f; row < NET_ROWS; row += FEATURE_NB)
            params->feature_weight[row][unit] = (float)net->feature_weight[row][unit] / NET_QA - mean;
    }
}

void model_from_net(Model *model, const Net *net, u64 seed)
{
    Weights *params = model->params;
    model_init(model, seed);
    for (int i = 0; i < NET_HIDDEN; i++) {
        if (is_unused(net, i))
            continue;
        take_unit(params, net, i);
        params->feature_bias[i] = (float)net->feature_bias[i] / NET_QA;
    }
    for (int b = 0; b < BUCKET_NB; b++) {
        for (int s = 0; s < SIDE_NB; s++)
            for (int i = 0; i < NET_HIDDEN; i++)
                params->output_weight[b][s][i] = (float)net->output_weight[b][s][i] / NET_QB;
        params->output_bias[b] = (float)net->output_bias[b] / (NET_QA * NET_QB);
    }
    model_sync(model);
}

static float clip(float v)
{
    return v < -FEATURE_LIMIT ? -FEATURE_LIMIT : v > FEATURE_LIMIT ? FEATURE_LIMIT : v;
}

static void sync_row(Model *model, int row)
{
    const float *own = model->params->feature_weight[row],
                *factor = model->params->factor_weight[MODEL_FACTORED ? row % FEATURE_NB : 0];
    float *to = model->rows[row];
    for (int i = 0; MODEL_FACTORED && i < NET_HIDDEN; i++)
        to[i] = clip(own[i] + factor[i]);
}

void model_sync(Model *model)
{
    for (int row = 0; row < NET_ROWS; row++)
        sync_row(model, row);
}

// ---- samples ------------------------------------------------------------------------------------

void sample_from_position(Sample *sample, const Position *pos, float target)
{
    int own = pos_side(pos);
    for (int i = 0; i < SIDE_NB; i++) {
        int side = own ^ i, perspective = features_perspective(pos, side),
            base = features_perspective_bucket(perspective) * FEATURE_NB;
        int nb = features_active(pos, side, perspective, sample->row[i]);
        assert(nb <= FEATURE_ACTIVE_MAX);
        for (int f = 0; base && f < nb; f++)
            sample->row[i][f] = (u16)(sample->row[i][f] + base);
        sample->row_nb[i] = (u8)nb;
    }
    sample->bucket = (u8)features_bucket(pos);
    sample->target = target;
}

// ---- forward and back ---------------------------------------------------------------------------

typedef struct Layers {
    _Alignas(64) float hidden[SIDE_NB][NET_HIDDEN]; // clamped to 0..1 after the sum
    _Alignas(64) float inside[SIDE_NB][NET_HIDDEN]; // 1 where the clamp did not bind, else 0
} Layers;

static void sum_rows(const Model *model, const u16 *row, int row_nb, float *hidden)
{
    for (int t = 0; t < NET_HIDDEN; t += TILE) {
        Lane sum[TILE_LANES];
        const Lane *bias = (const Lane *)(model->params->feature_bias + t);
        for (int l = 0; l < TILE_LANES; l++)
            sum[l] = bias[l];
        for (int r = 0; r < row_nb; r++) {
            const Lane *weight = (const Lane *)(model->rows[row[r]] + t);
            for (int l = 0; l < TILE_LANES; l++)
                sum[l] += weight[l];
        }
        for (int l = 0; l < TILE_LANES; l++)
            ((Lane *)(hidden + t))[l] = sum[l];
    }
}

static float forward(const Model *model, const Sample *sample, Layers *layers)
{
    Lane total = {0};
    for (int s = 0; s < SIDE_NB; s++) {
        float *hidden = layers->hidden[s], *inside = layers->inside[s];
        sum_rows(model, sample->row[s], sample->row_nb[s], hidden);
        for (int i = 0; i < NET_HIDDEN; i++) {
            float v = hidden[i];
            inside[i] = v > 0 && v < 1 ? 1.0f : 0.0f;
            v = v > 0 ? v : 0;
            hidden[i] = v < 1 ? v : 1;
        }
        const Lane *v = (const Lane *)hidden,
                   *weight = (const Lane *)model->params->output_weight[sample->bucket][s];
        for (int i = 0; i < NET_HIDDEN / LANES; i++)
            total += v[i] * v[i] * weight[i];
    }
    float sum = model->params->output_bias[sample->bucket];
    for (int l = 0; l < LANES; l++)
        sum += total[l];
    return sum;
}

static void add_to_rows(Gradient *gradient, const u16 *row, int row_nb, const float *slope)
{
    for (int r = 0; r < row_nb; r++)
        gradient->touched[row[r]] = 1;
    for (int t = 0; t < NET_HIDDEN; t += TILE) {
        Lane add[TILE_LANES];
        for (int l = 0; l < TILE_LANES; l++)
            add[l] = ((const Lane *)(slope + t))[l];
        for (int r = 0; r < row_nb; r++) {
            Lane *to = (Lane *)(gradient->of.feature_weight[row[r]] + t);
            for (int l = 0; l < TILE_LANES; l++)
                to[l] += add[l];
        }
    }
}

static void backward(const Model *model, const Sample *sample, const Layers *layers, float slope,
                     Gradient *gradient)
{
    gradient->of.output_bias[sample->bucket] += slope;
    for (int s = 0; s < SIDE_NB; s++) {
        const float *hidden = layers->hidden[s], *inside = layers->inside[s];
        const float *weight = model->params->output_weight[sample->bucket][s];
        float *restrict weight_gradient = gradient->of.output_weight[sample->bucket][s];
        float *restrict bias_gradient = gradient->of.feature_bias;
        _Alignas(64) float hidden_slope[NET_HIDDEN];
        for (int i = 0; i < NET_HIDDEN; i++) {
            weight_gradient[i] += slope * (hidden[i] * hidden[i]);
            hidden_slope[i] = 2 * slope * (hidden[i] * weight[i]) * inside[i];
            bias_gradient[i] += hidden_slope[i];
        }
        add_to_rows(gradient, sample->row[s], sample->row_nb[s], hidden_slope);
    }
}

float model_output(const Model *model, const Sample *sample)
{
    Layers layers;
    return forward(model, sample, &layers);
}

double model_learn(const Model *model, const Sample *sample, float sharpness, Gradient *gradient)
{
    Layers layers;
    float output = forward(model, sample, &layers);
    float expected = 1 / (1 + expf(-output * sharpness)), error = expected - sample->target;
    if (gradient)
        backward(model, sample, &layers, 2 * error * expected * (1 - expected) * sharpness, gradient);
    return (double)error * error;
}

// ---- the optimiser ------------------------------------------------------------------------------

typedef struct Adam {
    float rate, decay, decay_own, scale;
    float correct1, correct2; // for the moments' start from zero
} Adam;

static const float ADAM_BETA1 = 0.9f, ADAM_BETA2 = 0.999f, ADAM_EPSILON = 1e-8f;

// One step for `nb` weights whose gradient lies in `gradient`, which is cleared. Weights are clipped to
// +-limit.
static void adam(const Adam *a, float *restrict weight, float *restrict moment1, float *restrict moment2,
                 float *restrict gradient, int nb, float decay, float limit)
{
    const float rate = a->rate, shrink = 1 - a->rate * decay, correct1 = a->correct1, correct2 = a->correct2,
                scale = a->scale;
    for (int i = 0; i < nb; i++) {
        float g = gradient[i] * scale;
        float m = ADAM_BETA1 * moment1[i] + (1 - ADAM_BETA1) * g;
        float v = ADAM_BETA2 * moment2[i] + (1 - ADAM_BETA2) * g * g;
        moment1[i] = m;
        moment2[i] = v;
        gradient[i] = 0;
        float w = weight[i] * shrink - rate * (m * correct1) / (sqrtf(v * correct2) + ADAM_EPSILON);
        w = w > limit ? limit : w;
        weight[i] = w < -limit ? -limit : w;
    }
}

static void take_over(float *restrict sum, float *restrict from, size_t nb)
{
    for (size_t i = 0; i < nb; i++) {
        sum[i] += from[i];
        from[i] = 0;
    }
}

void model_gather_rows(Weights *sum, Gradient *const *gradients, int gradient_nb, int first, int end)
{
    for (int row = first; row < end; row++)
        for (int g = 0; g < gradient_nb; g++) {
            if (!gradients[g]->touched[row])
                continue;
            take_over(sum->feature_weight[row], gradients[g]->of.feature_weight[row], NET_HIDDEN);
            gradients[g]->touched[row] = 0;
        }
}

void model_gather_rest(Weights *sum, Gradient *const *gradients, int gradient_nb)
{
    for (int g = 0; g < gradient_nb; g++) {
        Weights *from = &gradients[g]->of;
        take_over(sum->feature_bias, from->feature_bias, NET_HIDDEN);
        take_over(sum->output_weight[0][0], from->output_weight[0][0], BUCKET_NB * SIDE_NB * NET_HIDDEN);
        take_over(sum->output_bias, from->output_bias, BIAS_ROOM);
    }
}

static void update_stretch(Model *model, const Adam *a, Weights *sum, size_t offset, int nb, float decay,
                           float limit)
{
    adam(a, (float *)((char *)model->params + offset), (float *)((char *)model->moment1 + offset),
         (float *)((char *)model->moment2 + offset), (float *)((char *)sum + offset), nb, decay, limit);
}

// One feature in all its king buckets: the factor's gradient is the sum of theirs. What a bucket has of its
// own is drawn to zero by a decay of its own: it has to be worth it.
static void update_feature(Model *model, const Adam *a, Weights *sum, int feature)
{
    float *factor = sum->factor_weight[MODEL_FACTORED ? feature : 0];
    for (int row = feature; row < NET_ROWS; row += FEATURE_NB) {
        size_t offset = offsetof(Weights, feature_weight) + (size_t)row * sizeof sum->feature_weight[0];
        for (int i = 0; MODEL_FACTORED && i < NET_HIDDEN; i++)
            factor[i] += sum->feature_weight[row][i];
        update_stretch(model, a, sum, offset, NET_HIDDEN, MODEL_FACTORED ? a->decay_own : a->decay,
                       FEATURE_LIMIT);
    }
    if (!MODEL_FACTORED)
        return;
    adam(a, model->params->factor_weight[feature], model->moment1->factor_weight[feature],
         model->moment2->factor_weight[feature], factor, NET_HIDDEN, a->decay, FEATURE_LIMIT);
    for (int row = feature; row < NET_ROWS; row += FEATURE_NB)
        sync_row(model, row);
}

void model_update_part(Model *model, const Update *update, Weights *sum, Gradient *const *gradients,
                       int gradient_nb, int part, int part_nb)
{
    double steps = (double)(model->step + 1);
    Adam a = {.rate = update->rate,
              .decay = update->decay,
              .decay_own = update->decay_own,
              .scale = update->gradient_scale,
              .correct1 = (float)(1 / (1 - pow(ADAM_BETA1, steps))),
              .correct2 = (float)(1 / (1 - pow(ADAM_BETA2, steps)))};
    for (int f = part; f < FEATURE_NB; f += part_nb) {
        for (int row = f; row < NET_ROWS; row += FEATURE_NB)
            model_gather_rows(sum, gradients, gradient_nb, row, row + 1);
        update_feature(model, &a, sum, f);
    }
    if (part != 0)
        return;
    model_gather_rest(sum, gradients, gradient_nb);
    update_stretch(model, &a, sum, offsetof(Weights, feature_bias), NET_HIDDEN, 0, FEATURE_LIMIT);
    update_stretch(model, &a, sum, offsetof(Weights, output_weight), BUCKET_NB * SIDE_NB * NET_HIDDEN,
                   a.decay, OUTPUT_LIMIT);
    update_stretch(model, &a, sum, offsetof(Weights, output_bias), BIAS_ROOM, 0, 1000);
}

void model_average_part(Model *model, int part, int part_nb)
{
    size_t nb = sizeof(Weights) / sizeof(float), from = nb * (size_t)part / (size_t)part_nb,
           to = nb * ((size_t)part + 1) / (size_t)part_nb;
    const float share = 1 / (float)(model->averaged + 1), *restrict weight = (const float *)model->params;
    float *restrict average = (float *)model->average;
    for (size_t i = from; i < to; i++)
        average[i] += (weight[i] - average[i]) * share;
}

void model_step_done(Model *model, const Update *update)
{
    model->step++;
    model->averaged += update->averages;
}

void model_take_average(Model *model)
{
    if (model->averaged == 0)
        return;
    memcpy(model->params, model->average, sizeof *model->params);
    model_sync(model);
}

u64 model_checksum(const Model *model) { return checksum_add(0, model->params, sizeof *model->params); }

// ---- integers -----------------------------------------------------------------------------------

void model_quantise(const Model *model, Net *net)
{
    const Weights *params = model->params;
    memset(net, 0, sizeof *net);
    for (int row = 0; row < NET_ROWS; row++)
        for (int i = 0; i < NET_HIDDEN; i++)
            net->feature_weight[row][i] = (i16)lrintf(model->rows[row][i] * NET_QA);
    for (int i = 0; i < NET_HIDDEN; i++)
        net->feature_bias[i] = (i16)lrintf(params->feature_bias[i] * NET_QA);
    for (int b = 0; b < BUCKET_NB; b++) {
        for (int s = 0; s < SIDE_NB; s++)
            for (int i = 0; i < NET_HIDDEN; i++)
                net->output_weight[b][s][i] = (i16)lrintf(params->output_weight[b][s][i] * NET_QB);
        net->output_bias[b] = (i32)lrintf(params->output_bias[b] * NET_QA * NET_QB);
    }
}
