// SPDX-License-Identifier: GPL-3.0-or-later
// The train command: its options as a table, the mistakes that the table can't see (a file that is read must
// not be written), and the exit code.
#include "base/cli.h"
#include "train/train.h"
#include "train/trainer.h"

enum { EPOCHS_MAX = 10000 };

typedef struct TrainLine {
    TrainJob job;
    bool keep_checks, keep_noisy;
} TrainLine;

static const CliOption OPTIONS[] = {
    {"data", 0, CLI_FILES, offsetof(TrainLine, job.data), 0, 0, NULL, "files of packed games", NULL},
    {"out", 0, CLI_TEXT, offsetof(TrainLine, job.out), 0, 0, "FILE", "network file to write", NULL},
    {"checkpoint", 0, CLI_TEXT, offsetof(TrainLine, job.checkpoint), 0, 0, "FOLDER",
     "folder for the state after each epoch (the same command continues), the loss curve and pictures", NULL},
    {"from", 0, CLI_TEXT, offsetof(TrainLine, job.from), 0, 0, "FILE",
     "network to start from instead of random weights; a smaller one, by hidden units or king buckets, grows",
     NULL},
    {"name", 0, CLI_TEXT, offsetof(TrainLine, job.name), 0, 0, "TEXT", "name to write into the network",
     NULL},
    {"epochs", 0, CLI_I64, offsetof(TrainLine, job.epochs), 1, EPOCHS_MAX, "N", "passes over the data", NULL},
    {"stop-after", 0, CLI_I64, offsetof(TrainLine, job.stop_after), 0, EPOCHS_MAX, "N",
     "end after this many of them, to be continued; 0: all", NULL},
    {"wdl", 0, CLI_REAL, offsetof(TrainLine, job.wdl_share), 0, 1, "X",
     "share of the game's result in the target; the rest is the score", NULL},
    {"lambda", 0, CLI_REAL, offsetof(TrainLine, job.wdl_share), 0, 1, "X", "the same as --wdl", NULL},
    {"scale", 0, CLI_REAL, offsetof(TrainLine, job.score_k), 1, 10000, "X",
     "centipawns of one unit of the sigmoid", NULL},
    {"lr", 0, CLI_REAL, offsetof(TrainLine, job.rate), 1e-9, 10, "X", "highest learning rate", NULL},
    {"lr-end", 0, CLI_REAL, offsetof(TrainLine, job.rate_end), 0, 10, "X",
     "learning rate at the end of the cosine", NULL},
    {"decay", 0, CLI_REAL, offsetof(TrainLine, job.decay), 0, 10, "X", "decoupled weight decay", NULL},
    {"decay-own", 0, CLI_REAL, offsetof(TrainLine, job.decay_own), 0, 1000, "X",
     "the same for what a king bucket has of its own", NULL},
    {"average", 0, CLI_REAL, offsetof(TrainLine, job.average), 0, 1, "X",
     "share of the last updates whose weights are averaged; 0: the last weights", NULL},
    {"blend", 0, CLI_REAL, offsetof(TrainLine, job.blend), 0, 0.99, "X",
     "share of a target that comes from the target of the next position", NULL},
    {"batch", 0, CLI_I64, offsetof(TrainLine, job.batch), 1, 1 << 24, "N", "positions an update", NULL},
    {"buffer", 0, CLI_I64, offsetof(TrainLine, job.buffer), 1, 1 << 28, "N", "positions shuffled together",
     NULL},
    {"validation", 0, CLI_REAL, offsetof(TrainLine, job.valid_share), 0, 0.9, "X",
     "share of the games kept for validation", NULL},
    {"validate-on", 0, CLI_FILES, offsetof(TrainLine, job.validation), 0, 0, NULL,
     "files of games to validate on, instead of a share of the data; copies of them in it are left out",
     NULL},
    {"threads", 0, CLI_I64, offsetof(TrainLine, job.threads), 1, 256, "N", "threads", NULL},
    {"seed", 0, CLI_I64, offsetof(TrainLine, job.seed), 0, 9e15, "N",
     "the same seed gives the same network to the bit, however many threads and ranks there are", NULL},
    {"max-score", 0, CLI_INT, offsetof(TrainLine, job.filter.max_score), 0, 32767, "N",
     "leave out positions with a larger score", NULL},
    {"min-ply", 0, CLI_INT, offsetof(TrainLine, job.filter.min_ply), 0, 10000, "N",
     "leave out the first plies of each game", NULL},
    {"keep-checks", 0, CLI_SWITCH, offsetof(TrainLine, keep_checks), 0, 0, NULL,
     "train on positions in check too", NULL},
    {"keep-noisy", 0, CLI_SWITCH, offsetof(TrainLine, keep_noisy), 0, 0, NULL,
     "train on positions with a noisy best move too", NULL},
};
static const CliCommand COMMAND = {
    .name = "twofold-" GAME_NAME " train",
    .about = "Usage: twofold-" GAME_NAME " train --data FILE.. --out FILE [OPTIONS]\n"
             "Learns a network from packed games.",
    .table = &(const CliTable){OPTIONS, sizeof OPTIONS / sizeof OPTIONS[0]},
    .table_nb = 1,
    .speaks = true,
};

int train_train_main(int argc, char **argv)
{
    TrainLine line = {.job = train_job_default()};
    TrainJob *job = &line.job;
    Message message = {""};
    int code;
    if (!cli_read(&COMMAND, argc, argv, &line, NULL, &code))
        return code;
    if (job->data.nb == 0 || !job->out)
        return cli_misused(&COMMAND, "--data FILE.. and --out FILE are needed");
    for (int i = 0; i < job->data.nb; i++)
        if (os_same_file(job->out, job->data.path[i])) {
            message_set(&message, "'%s' is read: --out must be another file", job->out);
            return cli_misused(&COMMAND, message.text);
        }
    // A checkpoint is continued only from the same network: what it wrote must not take that one's place.
    if (job->from && os_same_file(job->out, job->from)) {
        message_set(&message, "'%s' is what it starts from: --out must be another file", job->out);
        return cli_misused(&COMMAND, message.text);
    }
    job->filter.skips &= ~((line.keep_checks ? SKIP_CHECK : 0u) | (line.keep_noisy ? SKIP_NOISY : 0u));
    os_catch_interrupts();
    job->transport = transport_of_run();
    if (job->transport->rank == 0)
        transport_tell_all(job->transport, TRANSPORT_START, NULL, 0);
    if (train_run(job, &message))
        return EXIT_DONE;
    if (job->transport->rank == 0) // which has heard it from whoever failed
        cli_failed(&COMMAND, message.text);
    return os_interrupted() ? 128 + os_interrupted() : EXIT_FAILED;
}
