// SPDX-License-Identifier: GPL-3.0-or-later
// Weak levels win what is won in shogi too: against a bare king, with a rook and a bishop more, and in an
// attack that only has to be carried through.
#include "levels.h"

void test_levels(void)
{
    static const struct {
        const char *what, *sfen;
    } WON[] = {
        {"an attack with pieces in hand", "3gk4/4g4/3p1p3/9/9/9/PPPP1P1PP/2G1K1S2/LN5RL b RBGS 1"},
        {"a bare king", "4k4/9/9/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"},
        {"half an army more", "lnsgk4/1r7/p1ppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b BGSNL 1"},
    };
    static const int ELO[] = {600, 1000, 1500};
    const Sides sides = {engine_new(4), engine_new(4)};
    for (int i = 0; i < (test_is_light() ? 1 : 3); i++) {
        CASE("a weak level wins against %s", WON[i].what);
        CHECK_THAT(mates(&sides, WON[i].sfen, ELO[i]), "level %d does not mate in %s", ELO[i], WON[i].sfen);
    }
    engine_free(sides.attack);
    engine_free(sides.defence);
}
