// SPDX-License-Identifier: GPL-3.0-or-later
// The network file: a header that says what it is (magic, version, game, architecture, checksum), then the
// weights as they lie in memory, little-endian. A file is used as it is (the built-in one is never copied),
// so everything that could be wrong with it is asked here, once, and the message names it. Invariant: a Net
// that came through here can't overflow a 16-bit accumulator, whatever the position.
#include <stdlib.h>

#include "nnue/embed.h"
#include "nnue/layers.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "files are read as they lie in memory");

enum { NET_VERSION = 1 };
static const char NET_MAGIC[8] = {'T', 'W', 'O', 'F', 'N', 'E', 'T', '\n'};

typedef struct NetHeader {
    char magic[8];
    u32 version;
    char game[20];
    u32 hidden, features, perspective_buckets, output_buckets;
    u32 qa, qb, scale;
    u32 reserved;
    u64 bytes;    // of the weights
    u64 checksum; // of the weights
    u64 reserved_too[6];
} NetHeader;
_Static_assert(sizeof(NetHeader) % 64 == 0, "the weights after it keep their alignment");

// FNV-1a over 64-bit words with a final mix: any changed byte changes it.
static u64 checksum_of(const u8 *bytes, size_t size)
{
    u64 sum = 0xCBF29CE484222325ULL ^ size;
    for (size_t i = 0; i < size; i += 8) {
        u64 word = 0;
        memcpy(&word, bytes + i, size - i < 8 ? size - i : 8);
        sum = (sum ^ word) * 0x100000001B3ULL;
        sum ^= sum >> 29;
    }
    return hash_mix(sum);
}

static NetHeader header_expected(void)
{
    NetHeader header = {.version = NET_VERSION,
                        .game = GAME_NAME,
                        .hidden = NET_HIDDEN,
                        .features = FEATURE_NB,
                        .perspective_buckets = PERSPECTIVE_BUCKET_NB,
                        .output_buckets = BUCKET_NB,
                        .qa = NET_QA,
                        .qb = NET_QB,
                        .scale = NET_SCALE,
                        .bytes = sizeof(Net)};
    memcpy(header.magic, NET_MAGIC, sizeof NET_MAGIC);
    return header;
}

// Everything but the checksum: is this a network for this program?
static bool header_check(const u8 *bytes, size_t size, Message *message)
{
    NetHeader header, want = header_expected();
    if (size < sizeof header || memcmp(bytes, NET_MAGIC, sizeof NET_MAGIC) != 0)
        return message_set(message, "this is not a network file");
    memcpy(&header, bytes, sizeof header);
    if (header.version != want.version)
        return message_set(message, "the network file has version %u, this program reads version %u",
                           header.version, want.version);
    if (memcmp(header.game, want.game, sizeof header.game) != 0)
        return message_set(message, "the network is for the game '%.20s', not for " GAME_NAME, header.game);
    if (header.hidden != want.hidden || header.features != want.features ||
        header.perspective_buckets != want.perspective_buckets ||
        header.output_buckets != want.output_buckets)
        return message_set(
            message,
            "the network has %u features in %u king buckets, %u hidden units and %u output buckets; this "
            "program is built for %u, %u, %u and %u",
            header.features, header.perspective_buckets, header.hidden, header.output_buckets, want.features,
            want.perspective_buckets, want.hidden, want.output_buckets);
    if (header.qa != want.qa || header.qb != want.qb || header.scale != want.scale)
        return message_set(message, "the network is quantised as %u/%u/%u, this program computes in %u/%u/%u",
                           header.qa, header.qb, header.scale, want.qa, want.qb, want.scale);
    if (header.bytes != want.bytes || size != sizeof header + want.bytes)
        return message_set(message, "the network file has %zu bytes where %zu are needed", size,
                           sizeof header + (size_t)want.bytes);
    return true;
}

// ---- range --------------------------------------------------------------------------------------

// The largest distance from zero that one hidden unit can reach in one bucket: its bias and its heaviest
// features.
static int reach_of(const Net *net, int bucket, int unit)
{
    int heaviest[FEATURE_ACTIVE_MAX] = {0}, reach = abs(net->feature_bias[unit]); // the heaviest first
    for (int f = 0; f < FEATURE_NB; f++) {
        int weight = abs(net->feature_weight[bucket * FEATURE_NB + f][unit]), at = FEATURE_ACTIVE_MAX - 1;
        if (weight <= heaviest[at])
            continue;
        for (; at > 0 && heaviest[at - 1] < weight; at--)
            heaviest[at] = heaviest[at - 1];
        heaviest[at] = weight;
    }
    for (int i = 0; i < FEATURE_ACTIVE_MAX; i++)
        reach += heaviest[i];
    return reach;
}

static bool range_check(const Net *net, Message *message)
{
    for (int unit = 0; unit < NET_HIDDEN; unit++)
        for (int bucket = 0; bucket < PERSPECTIVE_BUCKET_NB; bucket++) {
            int reach = reach_of(net, bucket, unit);
            if (reach > INT16_MAX)
                return message_set(
                    message,
                    "hidden unit %d could reach %d in king bucket %d: a 16-bit accumulator would overflow",
                    unit, reach, bucket);
        }
    for (int bucket = 0; bucket < BUCKET_NB; bucket++)
        for (int side = 0; side < SIDE_NB; side++)
            for (int unit = 0; unit < NET_HIDDEN; unit++)
                if (abs(net->output_weight[bucket][side][unit]) > NET_OUTPUT_MAX)
                    return message_set(message, "output weight %d of bucket %d is %d, more than %d", unit,
                                       bucket, net->output_weight[bucket][side][unit], NET_OUTPUT_MAX);
    return true;
}

// ---- in and out ---------------------------------------------------------------------------------

// Everything but the range of the weights, which must lie aligned to be looked at.
static bool file_check(const u8 *bytes, size_t size, Message *message)
{
    NetHeader header;
    if (!header_check(bytes, size, message))
        return false;
    memcpy(&header, bytes, sizeof header);
    return checksum_of(bytes + sizeof header, sizeof(Net)) == header.checksum ||
           message_set(message, "the network file is damaged: its checksum does not match");
}

const Net *net_in_place(const u8 *bytes, size_t size, Message *message)
{
    const Net *net = (const Net *)(const void *)(bytes + sizeof(NetHeader));
    assert(((uintptr_t)bytes & 63) == 0);
    if (!file_check(bytes, size, message) || !range_check(net, message))
        return NULL;
    if (!memchr(net->name, '\0', sizeof net->name)) {
        message_set(message, "the network file is damaged: its name has no end");
        return NULL;
    }
    return net;
}

bool net_from_bytes(Net *net, const u8 *bytes, size_t size, Message *message)
{
    if (!file_check(bytes, size, message))
        return false;
    Net *copy = os_alloc_big(sizeof *copy);
    if (!copy)
        return message_set(message, "no memory for a network of %zu bytes", sizeof(Net));
    memcpy(copy, bytes + sizeof(NetHeader), sizeof *copy);
    copy->name[sizeof copy->name - 1] = '\0';
    text_disarm(copy->name, strlen(copy->name), '?');
    bool ok = range_check(copy, message);
    if (ok)
        memcpy(net, copy, sizeof *net);
    os_free_big(copy, sizeof *copy);
    return ok;
}

bool net_load(Net *net, const char *path, Message *message)
{
    size_t size;
    Message reason;
    u8 *bytes = disk_read_whole(path, &size, message);
    if (!bytes)
        return false;
    bool ok = net_from_bytes(net, bytes, size, &reason);
    free(bytes);
    return ok || message_set(message, "%s: %s", path, reason.text);
}

// The weights of a smaller network, as they lie in its file: fewer hidden units, and one king bucket where
// this program has several. Invariant: their layout is that of Net, each part padded to 64 bytes; a multiple
// of 32 units leaves nothing between them.
static void grow(Net *net, const u8 *at, u32 hidden, u32 buckets)
{
    const size_t bytes = hidden * sizeof(i16), rows = (size_t)FEATURE_NB * buckets;
    memset(net, 0, sizeof *net);
    for (size_t row = 0; row < NET_ROWS; row++)
        memcpy(net->feature_weight[row], at + row % rows * bytes, bytes);
    at += rows * bytes;
    memcpy(net->feature_bias, at, bytes);
    at += bytes;
    for (int b = 0; b < BUCKET_NB; b++)
        for (int s = 0; s < SIDE_NB; s++, at += bytes)
            memcpy(net->output_weight[b][s], at, bytes);
    memcpy(net->output_bias, at, sizeof net->output_bias);
    memcpy(net->name, at + sizeof net->output_bias, sizeof net->name - 1);
}

// Of the weights of a network with so many units and king buckets.
static size_t bytes_of(u32 hidden, u32 buckets)
{
    const size_t rows = (size_t)FEATURE_NB * buckets, rest = 1 + BUCKET_NB * SIDE_NB;
    return sizeof(Net) - (NET_HIDDEN * (NET_ROWS + rest) - hidden * (rows + rest)) * sizeof(i16);
}

// A header that differs from this program's in these two numbers alone, and by less of them.
static bool is_smaller(const NetHeader *header, size_t size)
{
    const NetHeader want = header_expected();
    NetHeader other = *header;
    const u32 hidden = header->hidden, buckets = header->perspective_buckets;
    other.hidden = want.hidden;
    other.perspective_buckets = want.perspective_buckets;
    other.bytes = want.bytes;
    other.checksum = 0;
    return memcmp(&other, &want, sizeof other) == 0 && hidden >= 32 && hidden <= NET_HIDDEN &&
           hidden % 32 == 0 && (buckets == 1 || buckets == want.perspective_buckets) &&
           (hidden < want.hidden || buckets < want.perspective_buckets) &&
           header->bytes == bytes_of(hidden, buckets) && size == sizeof other + header->bytes;
}

bool net_load_grown(Net *net, const char *path, Message *message)
{
    size_t size;
    u8 *bytes = disk_read_whole(path, &size, message);
    NetHeader header = {0};
    if (!bytes)
        return false;
    if (size >= sizeof header)
        memcpy(&header, bytes, sizeof header);
    if (!is_smaller(&header, size)) {
        free(bytes);
        return net_load(net, path, message);
    }
    bool ok = checksum_of(bytes + sizeof header, header.bytes) == header.checksum;
    if (ok)
        grow(net, bytes + sizeof header, header.hidden, header.perspective_buckets);
    free(bytes);
    return ok ? range_check(net, message)
              : message_set(message, "%s: the network file is damaged: its checksum does not match", path);
}

bool net_save(const Net *net, const char *path, Message *message)
{
    if (!range_check(net, message))
        return false;
    NetHeader header = header_expected();
    size_t size = sizeof header + sizeof *net;
    u8 *bytes = calloc(1, size);
    if (!bytes)
        return message_set(message, "no memory for a network of %zu bytes", size);
    // Field by field, so that what lies between the fields is zero and equal networks give equal files.
    u8 *weights = bytes + sizeof header;
    memcpy(weights + offsetof(Net, feature_weight), net->feature_weight, sizeof net->feature_weight);
    memcpy(weights + offsetof(Net, feature_bias), net->feature_bias, sizeof net->feature_bias);
    memcpy(weights + offsetof(Net, output_weight), net->output_weight, sizeof net->output_weight);
    memcpy(weights + offsetof(Net, output_bias), net->output_bias, sizeof net->output_bias);
    memcpy(weights + offsetof(Net, name), net->name, strnlen(net->name, sizeof net->name - 1));
    header.checksum = checksum_of(weights, sizeof *net);
    memcpy(bytes, &header, sizeof header);
    bool ok = os_write_file(path, bytes, size, message);
    free(bytes);
    return ok;
}

u64 net_checksum(const Net *net) { return net ? checksum_of((const u8 *)net, sizeof *net) : 0; }

// ---- the network of the program -----------------------------------------------------------------
// Looked at once, by whoever asks first: nothing else is kept here.
static struct {
    pthread_once_t once;
    const Net *net;
    Message error;
} embedded = {.once = PTHREAD_ONCE_INIT};

static void look_at_embedded(void)
{
    size_t size;
    const u8 *file = embed_file(&size);
    if (file)
        embedded.net = net_in_place(file, size, &embedded.error);
}

const Net *net_embedded(void)
{
    pthread_once(&embedded.once, look_at_embedded);
    return embedded.net;
}

const char *net_embedded_error(void)
{
    pthread_once(&embedded.once, look_at_embedded);
    return embedded.error.text;
}
