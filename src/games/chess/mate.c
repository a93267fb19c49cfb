// SPDX-License-Identifier: GPL-3.0-or-later
// Mate search for chess: none of its own. The ordinary search finds chess mates as fast as a solver of checks
// would, and finds those with quiet moves too.
#include "games/knowledge.h"

MateAnswer mate_solve(const Position *pos, const KeyHistory *keys, const MateLimits *limits,
                      MateResult *result)
{
    (void)pos, (void)keys, (void)limits;
    *result = (MateResult){.answer = MATE_UNSUPPORTED};
    return result->answer;
}
