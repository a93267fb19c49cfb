// SPDX-License-Identifier: GPL-3.0-or-later
// See opponent.h.
#include "session/opponent.h"

#include <math.h>

#include "games/notation.h"

void opponent_begin(Session *session)
{
    if (session->settings.seed)
        session->rng = (Rng){hash_mix((u64)session->settings.seed)};
    session->game_seed = rng_next(&session->rng);
}

void opponent_draw(Session *session, Limits *limits)
{
    const Game *game = &session->game;
    // Not every program says that a game begins; its first moves do.
    if (!session->settings.seed && game->move_nb < SIDE_NB)
        opponent_begin(session);
    limits->game_seed = session->game_seed;
    limits->move_seed = session->settings.seed
                            ? session->game_seed ^ hash_mix(pos_key(&game->pos) + (u64)game->move_nb)
                            : rng_next(&session->rng);
}

bool opponent_opening(const Session *session, const Limits *limits, Move *move)
{
    enum { FIRST_ELO = 400, ELO_A_PLY = 100, SPREAD = 3 };
    const double POPULARITY = 1.3; // what many lines go on with is played the more
    const Position *pos = &session->game.pos;
    const int known = (session->settings.elo - FIRST_ELO) / ELO_A_PLY + (int)(limits->game_seed % SPREAD);
    if (session->settings.elo >= skill_range().max_elo || session->game.move_nb >= known)
        return false;
    OpeningMove moves[MAX_MOVES];
    const int nb = opening_moves(pos, moves);
    double sum = 0;
    for (int i = 0; i < nb; i++)
        sum += pow(moves[i].line_nb, POPULARITY);
    Rng rng = {limits->move_seed};
    double at = rng_unit(&rng) * sum;
    for (int i = 0; i < nb; i++) {
        *move = moves[i].move;
        if ((at -= pow(moves[i].line_nb, POPULARITY)) < 0)
            break;
    }
    return nb > 0;
}
