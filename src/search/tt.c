// SPDX-License-Identifier: GPL-3.0-or-later
// See tt.h. Replacement: the same position first; else the entry least worth keeping, which is shallow and
// old.
#include "search/tt.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "base/checksum.h"
#include "base/parallel.h"

enum { CLUSTER_ENTRIES = 5, AGE_CYCLE = 32, DEPTH_OFFSET = 3, DEPTH_MAX = 250 };

typedef struct Cluster {
    _Atomic u64 data[CLUSTER_ENTRIES];
    _Atomic u32 check[CLUSTER_ENTRIES];
    _Atomic u32 taken; // mark_of the last entry that came from another machine; 0: none has
} Cluster;
_Static_assert(sizeof(Cluster) == 64, "a cluster is a cache line");

struct Tt {
    Cluster *cluster;
    u64 cluster_nb;
    int mb;
    int age;
    const Params *params;
};

// data, from the low bits: move 16, score 16, eval 16, depth 8, bound 2, pv 1, age 5
typedef struct Fields {
    Move move;
    i16 score, eval;
    u8 depth, bound, pv, age;
} Fields;

static u64 pack(Fields f)
{
    return (u64)f.move | (u64)(u16)f.score << 16 | (u64)(u16)f.eval << 32 | (u64)f.depth << 48 |
           (u64)f.bound << 56 | (u64)f.pv << 58 | (u64)f.age << 59;
}

static Fields unpack(u64 data)
{
    return (Fields){.move = (Move)data,
                    .score = (i16)(data >> 16),
                    .eval = (i16)(data >> 32),
                    .depth = (u8)(data >> 48),
                    .bound = data >> 56 & 3,
                    .pv = data >> 58 & 1,
                    .age = data >> 59 & 31};
}

static u32 check_of(u64 key, u64 data) { return (u32)key ^ (u32)data ^ (u32)(data >> 32); }

static Cluster *cluster_of(const Tt *tt, u64 key) { return &tt->cluster[product_high(key, tt->cluster_nb)]; }

Tt *tt_new(int mb, const Params *params)
{
    Tt *tt = calloc(1, sizeof *tt);
    if (!tt)
        return NULL;
    tt->mb = mb;
    tt->params = params;
    tt->cluster_nb = ((u64)mb << 20) / sizeof(Cluster);
    tt->cluster = os_alloc_big(tt->cluster_nb * sizeof(Cluster));
    if (!tt->cluster) {
        free(tt);
        return NULL;
    }
    return tt;
}

void tt_free(Tt *tt)
{
    if (!tt)
        return;
    os_free_big(tt->cluster, tt->cluster_nb * sizeof(Cluster));
    free(tt);
}

static void clear_part(void *context, int part, int part_nb)
{
    const Tt *tt = context;
    u64 first = tt->cluster_nb * (u64)part / (u64)part_nb,
        end = tt->cluster_nb * (u64)(part + 1) / (u64)part_nb;
    memset((void *)(tt->cluster + first), 0, (end - first) * sizeof(Cluster));
}

void tt_clear(Tt *tt, int threads)
{
    enum { MAX_PARTS = 64 };
    size_t bytes = tt->cluster_nb * sizeof(Cluster);
    parallel_once(bytes < (64u << 20) ? 1 : clamp_int(threads, 1, MAX_PARTS), clear_part, tt);
    tt->age = 0;
}

void tt_age(Tt *tt) { tt->age = (tt->age + 1) % AGE_CYCLE; }

void tt_prefetch(const Tt *tt, u64 key) { __builtin_prefetch(cluster_of(tt, key)); }

// Mates are stored as distances from the node, so that they are right wherever the position is met again.
static int score_to_tt(int score, int ply)
{
    return score == SCORE_NONE      ? score
           : score >= SCORE_TB_MIN  ? score + ply
           : score <= -SCORE_TB_MIN ? score - ply
                                    : score;
}

static int score_from_tt(int score, int ply)
{
    return score == SCORE_NONE      ? score
           : score >= SCORE_TB_MIN  ? score - ply
           : score <= -SCORE_TB_MIN ? score + ply
                                    : score;
}

TtEntry tt_probe(const Tt *tt, u64 key, int ply)
{
    Cluster *cluster = cluster_of(tt, key);
    for (int i = 0; i < CLUSTER_ENTRIES; i++) {
        u64 data = atomic_load_explicit(&cluster->data[i], memory_order_relaxed);
        u32 check = atomic_load_explicit(&cluster->check[i], memory_order_relaxed);
        if (check != check_of(key, data) || data == 0)
            continue;
        Fields f = unpack(data);
        return (TtEntry){.move = f.move,
                         .score = (i16)score_from_tt(f.score, ply),
                         .eval = f.eval,
                         .depth = (i16)(f.depth - DEPTH_OFFSET),
                         .bound = f.bound,
                         .was_pv = f.pv,
                         .hit = true};
    }
    return (TtEntry){.score = SCORE_NONE, .eval = SCORE_NONE, .depth = TT_DEPTH_EVAL};
}

void tt_store(Tt *tt, u64 key, int ply, Move move, int score, int eval, int depth, Bound bound, bool pv)
{
    assert(depth >= TT_DEPTH_EVAL && depth <= MAX_PLY);
    assert(score == SCORE_NONE || (score > -SCORE_INFINITE && score < SCORE_INFINITE));
    Cluster *cluster = cluster_of(tt, key);
    int victim = 0, victim_worth = 1 << 20;
    for (int i = 0; i < CLUSTER_ENTRIES; i++) {
        u64 data = atomic_load_explicit(&cluster->data[i], memory_order_relaxed);
        u32 check = atomic_load_explicit(&cluster->check[i], memory_order_relaxed);
        Fields f = unpack(data);
        if (data != 0 && check == check_of(key, data)) {
            // Our own entry: keep its move if we have none, and all of it if it knows clearly more.
            if (move == MOVE_NONE)
                move = f.move;
            bool fresh = f.age == tt->age;
            if (bound != BOUND_EXACT && fresh &&
                depth + P(tt, TtKeepDepth) + P(tt, TtKeepPv) * pv < f.depth - DEPTH_OFFSET)
                return;
            victim = i;
            break;
        }
        int worth = data == 0 ? -1
                              : f.depth + P(tt, TtAgeWeight) *
                                              (AGE_CYCLE - 1 - (tt->age - f.age + AGE_CYCLE) % AGE_CYCLE);
        if (worth < victim_worth)
            victim = i, victim_worth = worth;
    }
    u64 data = pack((Fields){.move = move,
                             .score = (i16)score_to_tt(score, ply),
                             .eval = (i16)eval,
                             .depth = (u8)(min_int(depth, DEPTH_MAX) + DEPTH_OFFSET),
                             .bound = (u8)bound,
                             .pv = pv,
                             .age = (u8)tt->age});
    atomic_store_explicit(&cluster->data[victim], data, memory_order_relaxed);
    atomic_store_explicit(&cluster->check[victim], check_of(key, data), memory_order_relaxed);
}

// ---- entries of other machines ------------------------------------------------------------------
// Whatever wrote it, what a search would take for a score must be one.
static bool is_sound(u64 data)
{
    Fields f = unpack(data);
    const bool has_score = f.score != SCORE_NONE, has_eval = f.eval != SCORE_NONE;
    return (!has_score || abs(f.score) <= SCORE_MATE) && (!has_eval || abs(f.eval) <= SCORE_EVAL_MAX) &&
           f.depth <= DEPTH_MAX + DEPTH_OFFSET;
}

// The data of the key's entry; 0: there is none.
static u64 data_of(const Tt *tt, u64 key)
{
    Cluster *cluster = cluster_of(tt, key);
    for (int i = 0; i < CLUSTER_ENTRIES; i++) {
        u64 data = atomic_load_explicit(&cluster->data[i], memory_order_relaxed);
        if (data && atomic_load_explicit(&cluster->check[i], memory_order_relaxed) == check_of(key, data))
            return data;
    }
    return 0;
}

u64 tt_word(const Tt *tt, u64 key)
{
    const u64 data = data_of(tt, key);
    const Fields f = unpack(data);
    return data && f.score != SCORE_NONE && f.bound != BOUND_NONE ? data : 0;
}

// Tells one entry of a cluster from the others, and from what is stored in its place later.
static u32 mark_of(u64 data) { return (u32)(hash_mix(data) | 1); }

bool tt_take(Tt *tt, u64 key, u64 word)
{
    const Fields f = unpack(word);
    const TtEntry own = tt_probe(tt, key, 0);
    const int depth = f.depth - DEPTH_OFFSET;
    if (!is_sound(word) || f.score == SCORE_NONE || f.bound == BOUND_NONE || depth < 1 || depth > MAX_PLY ||
        (own.hit && own.depth >= depth && (own.bound == f.bound || own.bound == BOUND_EXACT)))
        return false;
    // At ply 0 mates are stored as they come: as distances from the node.
    tt_store(tt, key, 0, f.move, f.score, f.eval, depth, (Bound)f.bound, f.pv);
    atomic_store_explicit(&cluster_of(tt, key)->taken, mark_of(data_of(tt, key)), memory_order_relaxed);
    return true;
}

bool tt_is_taken(const Tt *tt, u64 key)
{
    const u32 mark = atomic_load_explicit(&cluster_of(tt, key)->taken, memory_order_relaxed);
    return mark != 0 && mark == mark_of(data_of(tt, key));
}

int tt_permille(const Tt *tt)
{
    enum { SAMPLE = 200 };
    u64 sample = tt->cluster_nb < SAMPLE ? tt->cluster_nb : SAMPLE;
    int used = 0;
    for (u64 c = 0; c < sample; c++)
        for (int i = 0; i < CLUSTER_ENTRIES; i++) {
            u64 data = atomic_load_explicit(&tt->cluster[c].data[i], memory_order_relaxed);
            used += data != 0 && unpack(data).age == tt->age;
        }
    return (int)(used * 1000 / (sample * CLUSTER_ENTRIES));
}

// ---- files --------------------------------------------------------------------------------------
typedef struct HashHeader {
    char magic[8];
    char game[16];
    u64 cluster_nb;
    u64 network; // that the scores come from
    u32 version, age;
    u64 checksum;
} HashHeader;
enum { HASH_VERSION = 3 };
static const char HASH_MAGIC[8] = "2FHASH\n";

static u64 checksum_of(const void *clusters, u64 cluster_nb)
{
    return checksum_add(cluster_nb, clusters, cluster_nb * sizeof(Cluster));
}

bool tt_save(const Tt *tt, u64 network, const char *path, Message *message)
{
    HashHeader header = {.cluster_nb = tt->cluster_nb,
                         .network = network,
                         .version = HASH_VERSION,
                         .age = (u32)tt->age,
                         .checksum = checksum_of((const void *)tt->cluster, tt->cluster_nb)};
    memcpy(header.magic, HASH_MAGIC, sizeof header.magic);
    memcpy(header.game, GAME_NAME, sizeof GAME_NAME);
    return os_write_parts(path, (const void *[]){&header, tt->cluster},
                          (const size_t[]){sizeof header, tt->cluster_nb * sizeof(Cluster)}, 2, message);
}

// The entries of a file: are they all ones that tt_store could have made?
static bool are_sound(const u8 *clusters, u64 cluster_nb)
{
    for (u64 i = 0; i < cluster_nb; i++) {
        u64 data[CLUSTER_ENTRIES];
        memcpy(data, clusters + i * sizeof(Cluster) + offsetof(Cluster, data), sizeof data);
        for (int k = 0; k < CLUSTER_ENTRIES; k++)
            if (!is_sound(data[k]))
                return false;
    }
    return true;
}

bool tt_load(Tt *tt, u64 network, const char *path, Message *message)
{
    FileMap map = {0};
    if (!os_map_file(&map, path, message))
        return false;
    HashHeader header;
    size_t bytes = tt->cluster_nb * sizeof(Cluster);
    bool ok = false;
    memset(&header, 0, sizeof header);
    if (map.size >= sizeof header)
        memcpy(&header, map.data, sizeof header);
    if (memcmp(header.magic, HASH_MAGIC, sizeof header.magic) != 0)
        message_set(message, "'%s' is not a saved hash table", path);
    else if (memcmp(header.game, GAME_NAME, sizeof GAME_NAME) != 0)
        message_set(message, "'%s' belongs to another game (%.15s)", path, header.game);
    else if (header.version != HASH_VERSION)
        message_set(message, "'%s' was saved by another version of this program", path);
    else if (header.network != network)
        message_set(message, "'%s' was saved with another network: its scores mean nothing to this one",
                    path);
    else if (header.cluster_nb != tt->cluster_nb)
        message_set(message, "'%s' holds a table of %llu MB, but the hash size is %d MB", path,
                    (unsigned long long)(header.cluster_nb * sizeof(Cluster) >> 20), tt->mb);
    else if (map.size != sizeof header + bytes)
        message_set(message, "'%s' is cut short or has bytes too many", path);
    else if (checksum_of(map.data + sizeof header, tt->cluster_nb) != header.checksum)
        message_set(message, "'%s' is damaged (its checksum does not match)", path);
    else if (!are_sound(map.data + sizeof header, tt->cluster_nb))
        message_set(message, "'%s' is damaged (it holds scores out of range)", path);
    else {
        memcpy((void *)tt->cluster, map.data + sizeof header, bytes);
        tt->age = (int)(header.age % AGE_CYCLE);
        ok = true;
    }
    os_unmap_file(&map);
    return ok;
}
