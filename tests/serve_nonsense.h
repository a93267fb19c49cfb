// SPDX-License-Identifier: GPL-3.0-or-later
// Every kind of nonsense for `serve`, at random and the same for the same seed: heads, hosts, tokens, lengths
// and bodies that are wrong in one way or another, each with the status it must get, and lines for a session
// that must be answered by errors. The suite asks a server of its own, the driver the program.
#ifndef TWOFOLD_TEST_SERVE_NONSENSE_H
#define TWOFOLD_TEST_SERVE_NONSENSE_H

#include "http_client.h"

typedef struct Nonsense {
    const Address *to;
    const char *session; // one that is open, for lines; NULL: none
    int line_nb;         // lines sent to it, each of which has one answer
} Nonsense;
// Sends one request on a connection of its own; false, and what was wrong, when the answer is not the right
// one.
bool nonsense_ask(Nonsense *nonsense, Rng *rng, Message *wrong);

#endif
