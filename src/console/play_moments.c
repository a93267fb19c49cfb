// SPDX-License-Identifier: GPL-3.0-or-later
// See play_moments.h. A moment is judged by the share of a win that a person would lose with it, the search
// being at full strength whatever the level of the game was. What looks like one is searched again with eight
// times the nodes before it is told.
#include "console/play_moments.h"

#include <stdlib.h>

#include "console/play_input.h"
#include "session/phrases.h"

enum { MOMENTS = 3, CANDIDATES = 8, DEEP_FACTOR = 8, LEAST_LOSS = 50, LEAST_DOUBT = 30, MOMENT_LINE = 6 };

// Of a position: what it is worth to the side to move, and how it should go on.
typedef struct Seen {
    int score;
    Move line[MOMENT_LINE];
    int line_nb;
} Seen;

typedef struct Moment {
    int ply, loss; // in permille of a win
} Moment;

typedef struct LookBack {
    Play *play;
    Game game; // as far as it is looked at
    Seen *seen;
    int ply; // of the position that is searched
} LookBack;

static bool on_poll(void *context)
{
    const LookBack *back = context;
    Text text = {0};
    if (back->play->editor && os_now_us() - back->play->status_us > 200000) {
        text_add(&text, said("Looking back: %d of %d (Ctrl-C skips it)"), back->ply,
                 back->play->session.game.move_nb);
        play_status(back->play, text_span(&text));
        text_free(&text);
    }
    return os_interrupted() != 0;
}

// Searches the position before move `ply`, unless the rules have decided it. False when that was cut short.
static bool look(LookBack *back, int ply, u64 nodes)
{
    Play *play = back->play;
    Seen *seen = &back->seen[ply];
    Message message;
    SearchResult result;
    const Limits limits = {.nodes = nodes};
    const SearchEvents events = {.context = back, .poll = on_poll};
    back->ply = ply;
    if (back->game.move_nb > ply)
        game_undo(&back->game, back->game.move_nb - ply);
    while (back->game.move_nb < ply)
        if (!game_play(&back->game, play->session.game.move[back->game.move_nb]))
            return false;
    *seen = (Seen){0};
    const Verdict verdict = game_verdict(&back->game);
    if (verdict.outcome != OUTCOME_NONE) {
        seen->score = verdict.outcome == OUTCOME_DRAW  ? SCORE_DRAW
                      : verdict.outcome == OUTCOME_WIN ? SCORE_MATE
                                                       : -SCORE_MATE;
        return true;
    }
    engine_new_game(play->adviser);
    if (!search_to_limits(play->adviser, &back->game, &limits, &events, &result, &message) ||
        os_interrupted())
        return false;
    seen->score = result.score;
    seen->line_nb = min_int(result.pv_nb, MOMENT_LINE);
    memcpy(seen->line, result.pv, (size_t)seen->line_nb * sizeof *result.pv);
    return true;
}

// What the move gave away; 0 where it was the best.
static int loss_of(const LookBack *back, const Position *pos, int ply)
{
    const Seen *now = &back->seen[ply], *next = &back->seen[ply + 1];
    const Move move = back->play->session.game.move[ply];
    if (now->line_nb == 0 || now->line[0] == move)
        return 0;
    const Position after = pos_after(pos, move);
    return max_int(score_people(now->score, pos) - (1000 - score_people(next->score, &after)), 0);
}

// Keeps the worst, worst first.
static void offer(Moment *moments, int *nb, Moment moment)
{
    int at = *nb < CANDIDATES ? (*nb)++ : CANDIDATES;
    while (at > 0 && moments[at - 1].loss < moment.loss) {
        if (at < CANDIDATES)
            moments[at] = moments[at - 1];
        at--;
    }
    if (at < CANDIDATES)
        moments[at] = moment;
}

// The moves of people that lose at least so much, of a list of plies or of all (NULL).
static int find_worst(const LookBack *back, const Moment *among, int among_nb, int least, Moment *out)
{
    const Game *game = &back->play->session.game;
    Position pos = game->start;
    int nb = 0;
    for (int ply = 0; ply < game->move_nb; ply++) {
        bool is_meant = back->play->human[pos_side(&pos)] && !among;
        for (int i = 0; i < among_nb; i++)
            is_meant = is_meant || among[i].ply == ply;
        const int loss = is_meant ? loss_of(back, &pos, ply) : 0;
        if (loss >= least)
            offer(out, &nb, (Moment){ply, loss});
        pos = pos_after(&pos, game->move[ply]);
    }
    return nb;
}

static void tell_moment(LookBack *back, Moment moment)
{
    Play *play = back->play;
    const Game *game = &play->session.game;
    const Seen *seen = &back->seen[moment.ply];
    const Move last = moment.ply ? game->move[moment.ply - 1] : MOVE_NONE;
    const LineStyle style = {.is_spoken = true, .is_numbered = true, .last = last};
    Position pos = game->start;
    Text played = {0}, better = {0};
    char score[PHRASE_MAX];
    for (int ply = 0; ply < moment.ply; ply++)
        pos = pos_after(&pos, game->move[ply]);
    line_print_from(&pos, &game->move[moment.ply], 1, style, &played);
    line_print_from(&pos, seen->line, seen->line_nb, style, &better);
    phrase_score_words(seen->score, &pos, score);
    play_say(play, "  %s gave away %d%% of a win. Better was %s (%s).", played.len ? played.ptr : "",
             (moment.loss + 5) / 10, better.len ? better.ptr : "", score);
    text_free(&played);
    text_free(&better);
}

static int by_ply(const void *a, const void *b)
{
    return ((const Moment *)a)->ply - ((const Moment *)b)->ply;
}

static void tell(LookBack *back)
{
    const Play *play = back->play;
    Moment candidate[CANDIDATES], worst[CANDIDATES];
    const int candidate_nb = find_worst(back, NULL, 0, LEAST_DOUBT, candidate);
    for (int i = 0; i < candidate_nb; i++)
        for (int ply = candidate[i].ply; ply <= candidate[i].ply + 1; ply++)
            if (!look(back, ply, play->options->moment_nodes * DEEP_FACTOR))
                return;
    play_status_end(back->play);
    const int nb = min_int(find_worst(back, candidate, candidate_nb, LEAST_LOSS, worst), MOMENTS);
    qsort(worst, (size_t)nb, sizeof *worst, by_ply);
    if (nb == 0)
        play_say(back->play, "Looking back: no move gave away much.");
    else
        play_say(back->play, nb == MOMENTS                      ? "Your three moments:"
                             : play->human[0] != play->human[1] ? "Your moments:"
                                                                : "The moments of this game:");
    for (int i = 0; i < nb; i++)
        tell_moment(back, worst[i]);
}

void play_moments(Play *play, Span argument)
{
    (void)argument;
    LookBack back = {.play = play};
    const int move_nb = play->session.game.move_nb;
    bool has_moved = false;
    for (int ply = 0; ply < move_nb && ply < SIDE_NB; ply++)
        has_moved = has_moved || play->human[(pos_side(&play->session.game.start) + ply) % SIDE_NB];
    if (!has_moved || !play->options->moment_nodes || !play_adviser(play))
        return;
    game_start(&back.game, &play->session.game.start);
    back.seen = calloc((size_t)move_nb + 1, sizeof *back.seen);
    bool ok = back.seen != NULL;
    for (int ply = 0; ply <= move_nb && ok; ply++)
        ok = look(&back, ply, play->options->moment_nodes);
    if (ok)
        tell(&back);
    play_status_end(play);
    free(back.seen);
    game_free(&back.game);
}
