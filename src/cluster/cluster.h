// SPDX-License-Identifier: GPL-3.0-or-later
// Several processes as one run: which there are, how they talk, how they begin and end. main opens it first
// and closes it last; between the two every folder sees only a Transport.
#ifndef TWOFOLD_CLUSTER_H
#define TWOFOLD_CLUSTER_H

#include "base/base.h"
#include "base/transport.h"
#include "search/peers.h"

// What a way to carry messages has besides the Transport.
typedef struct ClusterRun {
    const Transport *transport;
    // This rank needs nothing more: messages that were sent still arrive. `code` is what the program ends
    // with.
    void (*close)(void *self, int code);
    struct Inbox *inbox; // what comes to this rank
} ClusterRun;

// Joins the run this process is a part of: started by mpirun or srun (in a build with MPI=1), by `--ranks N`
// as the first words, which are taken away, or alone. False with a message when that can't be.
bool cluster_open(ClusterRun *cluster, int *argc, char **argv, Message *message);
// A rank above 0 waits until there is work; false when there will be none. Rank 0 always has.
bool cluster_wait(ClusterRun *cluster);
void cluster_close(ClusterRun *cluster, int code);

// ---- one position over all ranks ----------------------------------------------------------------
// Rank 0 speaks the protocol, keeps time and decides; each other rank has a session of its own that does what
// rank 0's is told, and searches when rank 0 does.

// Rank 0: the other ranks begin their part. NULL with a message when there is no memory.
Peers *peers_open(const Transport *transport, Message *message);
void peers_close(Peers *peers);
// The others: until rank 0 has ended. Returns the exit code.
int peers_serve(const Transport *transport);

// ---- ways to carry messages, private to cluster/ ------------------------------------------------
// Was this process started by MPI? Then it joins the others; false with a message when it can't.
bool mpi_is_wanted(void);
bool mpi_open(ClusterRun *cluster, Message *message);
// Starts size - 1 processes with the same command line, of which this is rank 0.
bool pipes_open(ClusterRun *cluster, int size, int argc, char **argv, Message *message);
// The same for one of those processes.
bool pipes_join(ClusterRun *cluster, int rank, int size, Message *message);

#endif
