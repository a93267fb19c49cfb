// SPDX-License-Identifier: GPL-3.0-or-later
// The mate solver: depth-first proof-number search (df-pn) over the tree of checks and replies, every legal
// one of both. The attacker is the side to move at the root. What is known about a board is kept with the
// attacker's hand:
//   a mate holds for every hand that contains the least hand it needs (PROVEN),
//   a refutation holds for every hand contained in the greatest hand it covers (REFUTED),
// and with a length: a mate within so many plies, no mate within so many plies (LEN_INF: none at all).
// A position that comes back on the path with no more in the attacker's hand is no progress, so it refutes.
// Such a refutation holds on that path only: it is kept under a key of the path, until the position that is
// repeated is refuted itself, which then holds everywhere. Searches bounded by length need no such rule, each
// ply making them smaller. A proof is shortened by bounded searches; the line is then played out, the defence
// always as long as it gets.
#include <stdlib.h>

#include "games/knowledge.h"

enum {
    PN_INF = 1 << 30, // of what is resolved; numbers of what is open stay below, however they add up
    PN_MAX = PN_INF - 1,
    LEN_INF = 0x7FFF,
    NO_LOOP = 0x7FFF, // holds on every path
    TOO_DEEP = -1,    // a "refutation" that is only a lack of room
    WINDOW = 16,      // entries looked at for a board
    CHILDREN_MAX = 1 << 16,
    FILTER_NB = 4096,
    DEFAULT_MEMORY_MB = 64,
    TABLE_BYTES_MIN = 1 << 16,
    CLOCK_NODES = 64, // a look at the clock after so many nodes
};

typedef enum Status { OPEN, PROVEN, REFUTED } Status;

typedef struct Value {
    u32 pn, dn;
    Hand hand; // least (PROVEN), greatest (REFUTED)
    i16 len;
    i16 loop; // REFUTED: the depth of the highest position on the path that is repeated
    u8 status;
    bool is_known; // OPEN: it has been searched before
    bool is_old;   // OPEN: and from a shallower place too, so a loop may run through it
} Value;

typedef struct Child {
    Value value;
    Move move;
    i16 after; // not looked at before that child has failed its mover; -1: at once
} Child;

typedef struct Entry {
    u64 key;
    Hand hand;
    u32 pn, dn;
    u32 effort; // nodes it took
    i16 len;
    u16 depth; // least depth it was met at
    u8 status;
    bool is_used;
} Entry;
_Static_assert(sizeof(Entry) == 32, "two entries in a cache line");

typedef struct PathNode {
    u64 key;
    Hand hand;
    u64 path_key; // of all positions down to here
} PathNode;

typedef struct Solver {
    Position pos;
    int attacker;
    bool is_bounded; // by length: repetitions need no care
    bool is_stopped;
    u64 nodes, node_limit;
    i64 until_us;
    const MateLimits *limits;
    bool is_late; // the answer is known and only its line is wanted: a stop no longer binds
    Entry *table;
    size_t entry_nb;
    Child *children; // of the nodes on the path, one after the other
    int child_nb;
    PathNode path[MATE_LINE_MAX + 1];
    u16 filter[FILTER_NB]; // how many positions of the path have a key that ends so
    PathNode *banned;      // positions of the game that have been there three times
    int banned_nb;
} Solver;

// ---- hands --------------------------------------------------------------------------------------
static Hand hand_least(Hand a, Hand b)
{
    Hand hand = 0;
    for (int kind = PAWN; kind <= GOLD; kind++)
        hand += (Hand)min_int(hand_count(a, kind), hand_count(b, kind)) << hand_shift(kind);
    return hand;
}

static Hand hand_most(Hand a, Hand b)
{
    Hand hand = 0;
    for (int kind = PAWN; kind <= GOLD; kind++)
        hand += (Hand)max_int(hand_count(a, kind), hand_count(b, kind)) << hand_shift(kind);
    return hand;
}

// The fields of `hand` for the kinds that `other` has none of (present false) or some of (true).
static Hand hand_where(Hand hand, Hand other, bool present)
{
    Hand out = 0;
    for (int kind = PAWN; kind <= GOLD; kind++)
        if ((hand_count(other, kind) > 0) == present)
            out += (Hand)hand_count(hand, kind) << hand_shift(kind);
    return out;
}

static Hand attacker_hand(const Solver *s) { return s->pos.hand[s->attacker]; }

static Hand defender_hand(const Solver *s) { return s->pos.hand[!s->attacker]; }

// All that is in the two hands.
static Hand whole_hand(const Solver *s) { return s->pos.hand[BLACK] + s->pos.hand[WHITE]; }

// The attacker's hand before its move, from a bound on it after the move.
static Hand hand_before(const Position *pos, Move move, Hand after)
{
    if (move_is_drop(move))
        return after + hand_one(move_drop_kind(move));
    int captured = kind_raw(piece_kind(pos->board[move_to(move)]));
    if (captured == NO_KIND || captured == KING || hand_count(after, captured) == 0)
        return after;
    return after - hand_one(captured);
}

// ---- values -------------------------------------------------------------------------------------
static Value value_open(u32 pn, u32 dn) { return (Value){.pn = pn, .dn = dn, .loop = NO_LOOP}; }

static Value value_proven(Hand hand, int len)
{
    return (Value){.dn = PN_INF, .hand = hand, .len = (i16)len, .loop = NO_LOOP, .status = PROVEN};
}

static Value value_refuted(Hand hand, int len, int loop)
{
    return (Value){.pn = PN_INF, .hand = hand, .len = (i16)len, .loop = (i16)loop, .status = REFUTED};
}

static int len_longer(int len) { return len >= LEN_INF - 1 ? LEN_INF : len + 1; }

// Open numbers from the mover's view: what it has to bring to zero, and what the other side has to.
static u32 value_goal(const Value *v, bool is_or) { return is_or ? v->pn : v->dn; }
static u32 value_cost(const Value *v, bool is_or) { return is_or ? v->dn : v->pn; }

// ---- the table ----------------------------------------------------------------------------------
static Entry *table_window(const Solver *s, u64 key)
{
    return s->table + (size_t)product_high(key, s->entry_nb - WINDOW);
}

// What is known of a board with this hand, within this length.
static Value table_probe(const Solver *s, u64 key, Hand hand, int len, int depth)
{
    const Entry *e = table_window(s, key), *end = e + WINDOW;
    Value found = value_open(1, 1);
    for (; e < end; e++) {
        if (!e->is_used || e->key != key)
            continue;
        bool is_less = hand_contains(hand, e->hand), is_more = hand_contains(e->hand, hand);
        if (e->status == PROVEN && is_less && e->len <= len)
            return value_proven(e->hand, e->len);
        if (e->status == REFUTED && is_more && e->len >= len)
            return value_refuted(e->hand, e->len, NO_LOOP);
        if (e->status != OPEN)
            continue;
        // More in hand is no harder to prove and no easier to refute.
        if (is_more)
            found.pn = e->pn > found.pn ? e->pn : found.pn;
        if (is_less)
            found.dn = e->dn > found.dn ? e->dn : found.dn;
        found.is_known |= is_more && is_less;
        found.is_old |= is_more && is_less && e->depth < depth;
    }
    return found;
}

// Is the entry told by the new one?
static bool is_covered(const Entry *e, const Value *v)
{
    bool by_proof = v->status == PROVEN && hand_contains(e->hand, v->hand);
    bool by_refutation = v->status == REFUTED && hand_contains(v->hand, e->hand);
    if (e->status == OPEN)
        return by_proof || by_refutation;
    return e->status == v->status && ((by_proof && e->len >= v->len) || (by_refutation && e->len <= v->len));
}

static void table_store(Solver *s, u64 key, Hand hand, int depth, const Value *v, u64 effort)
{
    Entry *e = table_window(s, key), *end = e + WINDOW, *place = NULL;
    u64 least = ~0ull;
    hand = v->status == OPEN ? hand : v->hand;
    for (; e < end; e++) {
        bool is_same = e->is_used && e->key == key;
        if (is_same && v->status != OPEN && is_covered(e, v)) {
            effort += e->effort;
            e->is_used = false;
        }
        if (is_same && v->status == OPEN && e->status == OPEN && e->hand == hand) {
            depth = min_int(depth, e->depth);
            effort += e->effort;
            place = e;
            break;
        }
        u64 worth = !e->is_used ? 0 : e->effort + (e->status != OPEN ? e->effort : 0) + 1;
        if (worth < least)
            least = worth, place = e;
    }
    *place = (Entry){.key = key,
                     .hand = hand,
                     .pn = v->pn,
                     .dn = v->dn,
                     .len = v->len,
                     .depth = (u16)depth,
                     .status = v->status,
                     .is_used = true,
                     .effort = (u32)(effort < UINT32_MAX / 4 ? effort : UINT32_MAX / 4)};
}

// What was refuted on one path alone: kept under the key of the path, with the depth of the loop in place of
// its own.
static void table_store_path(Solver *s, u64 path_key, Hand hand, const Value *v, u64 effort)
{
    Value kept = *v;
    kept.hand = hand;
    if (v->loop != TOO_DEEP)
        table_store(s, path_key, hand, v->loop, &kept, effort);
}

static Value table_probe_path(const Solver *s, u64 path_key, Hand hand, int len)
{
    const Entry *e = table_window(s, path_key), *end = e + WINDOW;
    for (; e < end; e++)
        if (e->is_used && e->key == path_key && e->status == REFUTED && e->hand == hand && e->len >= len)
            return value_refuted(hand, e->len, e->depth);
    return value_open(1, 1);
}

// ---- the path -----------------------------------------------------------------------------------
static void path_push(Solver *s, int depth)
{
    u64 key = s->pos.state.board_key;
    u64 above = depth > 0 ? s->path[depth - 1].path_key : 0;
    s->path[depth] = (PathNode){key, attacker_hand(s), hash_mix(above ^ key)};
    s->filter[key % FILTER_NB]++;
}

static void path_pop(Solver *s, int depth) { s->filter[s->path[depth].key % FILTER_NB]--; }

// The depth of a position above with the same board and at least as much in the attacker's hand; NO_LOOP when
// there is none.
static int path_repeats(const Solver *s, int depth)
{
    u64 key = s->pos.state.board_key;
    for (int i = 0; i < s->banned_nb; i++)
        if (s->banned[i].key == key && s->banned[i].hand == s->pos.hand[s->pos.side])
            return 0;
    if (s->is_bounded || s->filter[key % FILTER_NB] == 0)
        return NO_LOOP;
    for (int i = depth - 2; i >= 0; i -= 2)
        if (s->path[i].key == key && hand_contains(s->path[i].hand, attacker_hand(s)))
            return i;
    return NO_LOOP;
}

static bool is_out_of_time(Solver *s)
{
    if (s->nodes >= s->node_limit)
        return true;
    if (s->nodes % CLOCK_NODES)
        return false;
    return (s->until_us && os_now_us() >= s->until_us) ||
           (!s->is_late && s->limits->stop && s->limits->stop(s->limits->context));
}

// ---- leaves -------------------------------------------------------------------------------------
// Can something be put between king and checker?
static bool can_interpose(const Position *pos)
{
    int king = pos->king[pos->side], checker_nb = 0, checker = 0;
    for (int word = 0; word < 2; word++)
        for (u64 bits = pos->state.checkers[word]; bits; checker_nb++)
            checker = bits_pop(&bits) + 63 * word;
    int files = abs(king / 9 - checker / 9), ranks = abs(king % 9 - checker % 9);
    return checker_nb == 1 && (files == 0 || ranks == 0 || files == ranks) && max_int(files, ranks) > 1;
}

// What the attacker has to keep so that the defender gets no new kind to put between.
static Hand hand_withheld(const Solver *s)
{
    return can_interpose(&s->pos) ? hand_where(attacker_hand(s), defender_hand(s), false) : 0;
}

// A position after a check, seen for the first time: mated, or so many replies.
static Value leaf_of_check(const Solver *s, int len)
{
    Move list[MAX_MOVES];
    const Move *end = gen_all(&s->pos, list);
    if (end == list)
        return value_proven(hand_withheld(s), 0);
    if (len > 0)
        return value_open((u32)(end - list), 1);
    // Any reply refutes. A drop does so only for a defender who has the piece.
    Hand hand = whole_hand(s);
    for (const Move *m = list; m < end; m++)
        if (!move_is_drop(*m))
            return value_refuted(hand, 1, NO_LOOP);
    return value_refuted(hand - hand_one(move_drop_kind(list[0])), 1, NO_LOOP);
}

// The value of the position just reached, before it is searched.
static Value first_value(const Solver *s, int depth, int len)
{
    bool is_or = s->pos.side == s->attacker;
    int loop = path_repeats(s, depth);
    if (loop != NO_LOOP)
        return value_refuted(attacker_hand(s), LEN_INF, loop);
    if (is_or && len <= 0)
        return value_refuted(whole_hand(s), 0, NO_LOOP);
    Value known = table_probe(s, s->pos.state.board_key, attacker_hand(s), len, depth);
    return is_or || known.status != OPEN || known.is_known ? known : leaf_of_check(s, len);
}

// ---- one node -----------------------------------------------------------------------------------
// Moves that are near copies wait for the first of their group to fail: the same step without promotion, the
// next piece dropped on the same square in between. Their numbers would only be counted twice.
static void link_copies(Child *list, int count, bool is_or)
{
    for (int i = 0; i < count; i++) {
        list[i].after = -1;
        for (int j = i - 1; j >= 0 && list[i].after < 0; j--) {
            Move a = list[i].move, b = list[j].move;
            bool is_copy = is_or ? !move_is_drop(a) && (a | MOVE_PROMOTE) == (b | MOVE_PROMOTE)
                                 : move_is_drop(a) && move_is_drop(b) && move_to(a) == move_to(b);
            if (is_copy)
                list[i].after = (i16)j;
        }
    }
}

static int expand(Solver *s, int depth, int len, Child *list)
{
    Move moves[MAX_MOVES];
    bool is_or = s->pos.side == s->attacker;
    const Move *end = is_or ? gen_all_checks(&s->pos, moves) : gen_all(&s->pos, moves);
    int count = 0;
    for (const Move *m = moves; m < end; m++) {
        Undo undo;
        Child *child = &list[count++];
        child->move = *m;
        pos_make(&s->pos, *m, &undo, NULL);
        child->value = first_value(s, depth + 1, len - 1);
        pos_unmake(&s->pos, *m, &undo);
        // One success is enough.
        if (child->value.status == (is_or ? PROVEN : REFUTED) && child->value.loop == NO_LOOP) {
            list[0] = *child;
            list[0].after = -1;
            return 1;
        }
    }
    link_copies(list, count, is_or);
    return count;
}

typedef struct NodeSummary {
    u32 goal, cost, second;
    int best;    // the open child to search; -1: none
    int success; // a child that settles the node for its mover; -1: none
} NodeSummary;

static NodeSummary summarise(const Child *list, int count, bool is_or)
{
    NodeSummary sum = {.goal = PN_INF, .second = PN_INF, .best = -1, .success = -1};
    u64 cost = 0;
    Status good = is_or ? PROVEN : REFUTED;
    for (int i = 0; i < count; i++) {
        const Value *v = &list[i].value;
        // Of two successes the one that holds on every path is worth more.
        if (v->status == good && (sum.success < 0 || v->loop > list[sum.success].value.loop))
            sum.success = i;
        if (v->status != OPEN || (list[i].after >= 0 && list[list[i].after].value.status == OPEN))
            continue;
        u32 goal = value_goal(v, is_or);
        cost += value_cost(v, is_or);
        if (goal < sum.goal ||
            (goal == sum.goal && value_cost(v, is_or) < value_cost(&list[sum.best].value, is_or)))
            sum.second = sum.goal, sum.goal = goal, sum.best = i;
        else if (goal < sum.second)
            sum.second = goal;
    }
    sum.cost = cost < PN_MAX ? (u32)cost : PN_MAX;
    return sum;
}

// The attacker's node is settled: by one check that mates, or by all that fail.
static Value settle_or(const Solver *s, const Child *list, int count, int success)
{
    if (success >= 0) {
        const Child *c = &list[success];
        return value_proven(hand_before(&s->pos, c->move, c->value.hand), len_longer(c->value.len));
    }
    // Of a kind the attacker does not have, one would give checks that were not looked at.
    Hand hand = hand_where(whole_hand(s), attacker_hand(s), true);
    int len = LEN_INF, loop = NO_LOOP;
    for (int i = 0; i < count; i++) {
        hand = hand_least(hand, hand_before(&s->pos, list[i].move, list[i].value.hand));
        len = min_int(len, len_longer(list[i].value.len));
        loop = min_int(loop, list[i].value.loop);
    }
    return value_refuted(hand, len, loop);
}

// The defender's node is settled: by one reply that escapes, or by all that do not.
static Value settle_and(const Solver *s, const Child *list, int count, int success)
{
    if (success >= 0) {
        const Value *v = &list[success].value;
        return value_refuted(hand_least(v->hand, whole_hand(s)), len_longer(v->len), v->loop);
    }
    Hand hand = hand_withheld(s);
    int len = 0;
    for (int i = 0; i < count; i++) {
        hand = hand_most(hand, list[i].value.hand);
        len = max_int(len, len_longer(list[i].value.len));
    }
    return value_proven(hand, len);
}

static u32 limit_less(u32 limit, u32 part)
{
    return limit >= PN_INF ? PN_INF : limit > part ? limit - part : 1;
}

// Searches the current position until it is settled or its numbers reach a limit. `push` sees to it that
// something new is searched even where stale numbers already reach the limits: without it two positions of a
// loop can wait for each other.
static Value search(Solver *s, int depth, int len, u32 pn_limit, u32 dn_limit, bool push)
{
    bool is_or = s->pos.side == s->attacker;
    u64 key = s->pos.state.board_key, nodes_before = s->nodes;
    Hand hand = attacker_hand(s);
    Child *list = s->children + s->child_nb;
    if (is_or && len <= 0)
        return value_refuted(whole_hand(s), 0, NO_LOOP);
    if (depth >= MATE_LINE_MAX || s->child_nb + MAX_MOVES > CHILDREN_MAX)
        return value_refuted(hand, len, TOO_DEEP);
    path_push(s, depth);
    u64 path_key = s->path[depth].path_key;
    Value value = s->is_bounded ? value_open(1, 1) : table_probe_path(s, path_key, hand, len);
    if (value.status != OPEN) {
        path_pop(s, depth);
        return value;
    }
    s->nodes++;
    s->is_stopped |= is_out_of_time(s);
    int count = expand(s, depth, len, list);
    s->child_nb += count;
    for (bool first = true;; first = false) {
        NodeSummary sum = summarise(list, count, is_or);
        if (sum.success >= 0 || sum.best < 0) {
            value = is_or ? settle_or(s, list, count, sum.success) : settle_and(s, list, count, sum.success);
            break;
        }
        value = is_or ? value_open(sum.goal, sum.cost) : value_open(sum.cost, sum.goal);
        if (first && push) {
            pn_limit = pn_limit > value.pn ? pn_limit : value.pn + 1;
            dn_limit = dn_limit > value.dn ? dn_limit : value.dn + 1;
        }
        if (s->is_stopped || value.pn >= pn_limit || value.dn >= dn_limit)
            break;
        Child *child = &list[sum.best];
        u32 goal_limit = is_or ? pn_limit : dn_limit, cost_limit = is_or ? dn_limit : pn_limit;
        u32 near = sum.second >= PN_MAX - sum.second / 4 ? PN_INF : sum.second + sum.second / 4 + 1;
        goal_limit = goal_limit < near ? goal_limit : near;
        cost_limit = limit_less(cost_limit, sum.cost - value_cost(&child->value, is_or));
        Undo undo;
        pos_make(&s->pos, child->move, &undo, NULL);
        child->value = search(s, depth + 1, len - 1, is_or ? goal_limit : cost_limit,
                              is_or ? cost_limit : goal_limit, push || child->value.is_old);
        pos_unmake(&s->pos, child->move, &undo);
    }
    s->child_nb -= count;
    path_pop(s, depth);
    // A loop that closes here, or below, refutes wherever this position is met.
    if (value.status == REFUTED && value.loop >= depth)
        value.loop = NO_LOOP;
    u64 effort = s->nodes - nodes_before;
    if (value.status == REFUTED && value.loop != NO_LOOP)
        table_store_path(s, path_key, hand, &value, effort);
    else
        table_store(s, key, hand, depth, &value, effort);
    return value;
}

// ---- the line -----------------------------------------------------------------------------------
// The value of the position after the move, searched if need be.
static Value value_after(Solver *s, Move move, int depth, int len, bool may_search)
{
    Undo undo;
    pos_make(&s->pos, move, &undo, NULL);
    Value value = first_value(s, depth + 1, len - 1);
    if (value.status == OPEN && may_search)
        value = search(s, depth + 1, len - 1, PN_INF, PN_INF, false);
    pos_unmake(&s->pos, move, &undo);
    return value;
}

// The check that mates fastest of those known to mate within len; MOVE_NONE when none can be had. *left:
// plies after it.
static Move line_attack(Solver *s, int depth, int len, int *left)
{
    Move list[MAX_MOVES], best = MOVE_NONE;
    const Move *end = gen_all_checks(&s->pos, list);
    for (int pass = 0; pass < 2 && best == MOVE_NONE; pass++) {
        for (const Move *m = list; m < end; m++) {
            Value v = value_after(s, *m, depth, len, pass > 0);
            if (v.status == PROVEN && (best == MOVE_NONE || v.len < *left)) {
                best = *m;
                *left = v.len;
            }
            if (best != MOVE_NONE && pass > 0)
                break;
        }
    }
    return best;
}

// The reply that holds out longest against a mate within len. Of a shortest mate the defence takes all of
// len, which is checked by searching for a mate in less. A move of a piece goes before a drop that only
// delays.
static Move line_defence(Solver *s, int depth, int len, bool is_shortest, int *left)
{
    Move list[MAX_MOVES], best = MOVE_NONE;
    const Move *end = gen_all(&s->pos, list);
    *left = -1;
    for (int drops = 0; drops < 2; drops++) {
        for (const Move *m = list; m < end; m++) {
            if (move_is_drop(*m) != drops)
                continue;
            Value v = value_after(s, *m, depth, len, true);
            if (v.status != PROVEN)
                return MOVE_NONE;
            if (v.len <= *left && !(is_shortest && v.len == *left))
                continue;
            best = *m;
            *left = v.len;
            if (is_shortest && v.len == len - 1 && value_after(s, *m, depth, len - 2, true).status == REFUTED)
                return best;
        }
    }
    return best;
}

// Plays out a mate of len plies from the root. Leaves the position at its end.
static void line_build(Solver *s, int len, bool is_shortest, MateResult *result)
{
    enum { LATE_NODES = 1 << 18, LATE_US = 100000, STRICT_FACTOR = 4 };
    const MateLimits *limits = s->limits;
    s->is_late = !limits->strict;
    s->is_stopped = false;
    s->is_bounded = is_shortest;
    s->node_limit = s->nodes + (limits->strict && limits->nodes ? limits->nodes * STRICT_FACTOR : LATE_NODES);
    s->until_us = limits->until_us;
    if (s->until_us && !limits->strict)
        s->until_us = max_i64(s->until_us, os_now_us() + LATE_US);
    for (int depth = 0; depth < MATE_LINE_MAX && len >= 0; depth++) {
        bool is_attack = s->pos.side == s->attacker;
        int left = 0;
        path_push(s, depth);
        Move move =
            is_attack ? line_attack(s, depth, len, &left) : line_defence(s, depth, len, is_shortest, &left);
        if (move == MOVE_NONE)
            break;
        Undo undo;
        pos_make(&s->pos, move, &undo, NULL);
        result->line[result->line_nb++] = move;
        len = left;
    }
}

// ---- the whole ----------------------------------------------------------------------------------
// Positions that stood on the board three times: there the next time ends the game without a mate.
static bool find_banned(Solver *s, const KeyHistory *keys)
{
    enum { TIMES = 3, FILTER_BITS = 16 };
    int count = keys ? keys->count : 0;
    s->banned = count >= TIMES ? malloc((size_t)count * sizeof *s->banned) : NULL;
    if (count >= TIMES && !s->banned)
        return false;
    // Most positions stood there once, and a bit each tells; the others are counted.
    u64 filter[(1 << FILTER_BITS) / 64] = {0};
    for (int i = 0; i < count; i++) {
        const KeyEntry *entry = &keys->entry[i];
        u64 *word = &filter[entry->board_key >> (70 - FILTER_BITS)],
            bit = 1ULL << (entry->board_key >> (64 - FILTER_BITS) & 63);
        int times = 1;
        for (int j = 0; j < i && (*word & bit); j++)
            times += keys->entry[j].board_key == entry->board_key && keys->entry[j].hand == entry->hand;
        *word |= bit;
        if (times == TIMES)
            s->banned[s->banned_nb++] = (PathNode){.key = entry->board_key, .hand = entry->hand};
    }
    return true;
}

static Value run(Solver *s, int len, bool is_bounded)
{
    s->is_stopped = false;
    s->is_bounded = is_bounded;
    return search(s, 0, len, PN_INF, PN_INF, false);
}

// The length of the shortest mate, given one of len plies; *is_shortest tells whether the limits sufficed.
static int shorten(Solver *s, int len, bool *is_shortest)
{
    enum { SHORTEN_NODES = 4 << 20 };
    u64 budget = s->nodes * 4 > SHORTEN_NODES ? s->nodes * 4 : SHORTEN_NODES;
    s->node_limit = s->node_limit - s->nodes > budget ? s->nodes + budget : s->node_limit;
    // A part of the time is for the line.
    if (s->until_us)
        s->until_us -= max_i64(s->until_us - os_now_us(), 0) / 8;
    for (int tried = 1; tried < len; tried += 2) {
        Value value = run(s, tried, true);
        if (value.status == PROVEN)
            len = value.len;
        if (value.status == OPEN)
            return *is_shortest = false, len;
    }
    return *is_shortest = true, len;
}

static void solve(Solver *s, MateResult *result)
{
    int max_moves = s->pos.rules.max_moves_to_draw, len = MATE_LINE_MAX - 1;
    if (max_moves > 0)
        len = clamp_int(max_moves - s->pos.game_ply, 0, len);
    Value value = run(s, len, false);
    bool is_cut = value.loop == TOO_DEEP || (value.len < LEN_INF && len == MATE_LINE_MAX - 1);
    result->answer = value.status == PROVEN               ? MATE_FOUND
                     : value.status == REFUTED && !is_cut ? MATE_NONE
                                                          : MATE_UNKNOWN;
    if (result->answer != MATE_FOUND)
        return;
    int shortest = value.len;
    if (!s->limits->any_length)
        shortest = shorten(s, shortest, &result->is_shortest);
    line_build(s, shortest, result->is_shortest, result);
}

MateAnswer mate_solve(const Position *pos, const KeyHistory *keys, const MateLimits *limits,
                      MateResult *result)
{
    result->answer = MATE_UNKNOWN;
    result->is_shortest = false;
    result->line_nb = 0;
    result->nodes = 0;
    if (pos->king[!pos->side] == SQUARE_NB)
        return result->answer = MATE_NONE;
    size_t bytes = (size_t)(limits->memory_mb > 0 ? limits->memory_mb : DEFAULT_MEMORY_MB) << 20;
    // A node stores once: a small search needs little, and every page it touches has to be cleared first.
    if (limits->nodes && limits->nodes < bytes / (2 * sizeof(Entry)))
        bytes = (size_t)max_i64((i64)(limits->nodes * 2 * sizeof(Entry)), TABLE_BYTES_MIN);
    Solver *s = calloc(1, sizeof *s);
    if (!s)
        return result->answer;
    s->pos = *pos;
    s->attacker = pos->side;
    s->limits = limits;
    s->until_us = limits->until_us;
    s->node_limit = limits->nodes ? limits->nodes : UINT64_MAX;
    s->entry_nb = bytes / sizeof *s->table;
    s->table = os_alloc_big(bytes);
    s->children = malloc(CHILDREN_MAX * sizeof *s->children);
    if (s->table && s->children && find_banned(s, keys))
        solve(s, result);
    result->nodes = s->nodes;
    free(s->banned);
    free(s->children);
    os_free_big(s->table, bytes);
    free(s);
    return result->answer;
}
