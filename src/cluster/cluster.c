// SPDX-License-Identifier: GPL-3.0-or-later
// The life of a run of several processes. Above rank 0 a process waits for the word to begin, so that what is
// wrong with a command is found by rank 0 alone and costs nobody else anything; and it ends when rank 0 says
// so, or is gone.
#include "cluster/cluster.h"

#include "cluster/inbox.h"

enum { WAIT_MS = 1000, LOOK_MS = 5, RANKS_MAX = 1024 };

// "2/4": of four ranks the one with number 2.
static bool read_rank(const char *word, i64 *rank, i64 *size)
{
    const char *slash = word ? strchr(word, '/') : NULL;
    return slash && span_int(span_of(slash + 1), 2, RANKS_MAX, size) &&
           span_int((Span){word, (size_t)(slash - word)}, 1, *size - 1, rank);
}

static void drop_words(int *argc, char **argv, int nb)
{
    for (int i = 1; i + nb <= *argc; i++)
        argv[i] = argv[i + nb];
    *argc -= nb;
}

bool cluster_open(ClusterRun *cluster, int *argc, char **argv, Message *message)
{
    i64 rank, size;
    *cluster = (ClusterRun){.transport = transport_local()};
    if (*argc > 1 && strcmp(argv[1], "--rank") == 0) {
        if (!read_rank(*argc > 2 ? argv[2] : NULL, &rank, &size))
            return message_set(message, "--rank is for the processes that --ranks starts");
        drop_words(argc, argv, 2);
        return pipes_join(cluster, (int)rank, (int)size, message);
    }
    if (*argc > 1 && strcmp(argv[1], "--ranks") == 0) {
        if (*argc < 3 || !span_int(span_of(argv[2]), 1, RANKS_MAX, &size))
            return message_set(message, "--ranks needs a number from 1 to %d", RANKS_MAX);
        drop_words(argc, argv, 2);
        return size == 1 || pipes_open(cluster, (int)size, *argc, argv, message);
    }
    return !mpi_is_wanted() || mpi_open(cluster, message);
}

bool cluster_wait(ClusterRun *cluster)
{
    const Transport *transport = cluster->transport;
    Text bytes = {0};
    int from, tag = TRANSPORT_LOST;
    bool is_ended = false;
    if (transport->rank == 0)
        return true;
    while (tag != TRANSPORT_START && !is_ended) {
        if (transport->receive(transport->self, &from, &tag, &bytes, WAIT_MS))
            is_ended = tag == TRANSPORT_END || (tag == TRANSPORT_LOST && from == 0);
    }
    text_free(&bytes);
    return !is_ended;
}

// Above rank 0 it waits for the word of rank 0, which hears first that somebody has left before it.
void cluster_close(ClusterRun *cluster, int code)
{
    const Transport *transport = cluster->transport;
    if (!cluster->close)
        return;
    if (transport->rank == 0)
        transport_tell_all(transport, TRANSPORT_END, NULL, 0);
    else if (!inbox_is_ended(cluster->inbox))
        transport->send(transport->self, 0, TRANSPORT_LOST, NULL, 0);
    while (transport->rank > 0 && !inbox_is_ended(cluster->inbox))
        os_sleep_ms(LOOK_MS);
    cluster->close(transport->self, code);
}
