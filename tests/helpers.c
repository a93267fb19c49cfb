// SPDX-License-Identifier: GPL-3.0-or-later
// The helpers of the suites; see helpers.h for what each promises.
#include "helpers.h"

#include <fcntl.h>
#include <unistd.h>
#ifdef _WIN32
#include <io.h>
#else
#include <sys/wait.h>
#endif

// ---- positions and moves ------------------------------------------------------------------------
Position position_under(const char *text, const Rules *rules)
{
    Position pos;
    Message message = {""};
    CHECK(pos_set(&pos, span_of(GAME_START), rules, &message) == SET_OK);
    CHECK_THAT(pos_set(&pos, span_of(text), rules, &message) != SET_REJECTED, "%s: %s", text, message.text);
    return pos;
}

Position position_of(const char *text)
{
    const Rules rules = rules_default();
    return position_under(text, &rules);
}

const char *text_of(const Position *pos)
{
    static char text[TEXT_MAX];
    pos_print(pos, text);
    return text;
}

Move move_of(const Position *pos, const char *text)
{
    Move move = move_parse(pos, span_of(text));
    CHECK_THAT(move != MOVE_NONE, "%s is no legal move in %s", text, text_of(pos));
    return move;
}

const char *move_text(const Position *pos, Move move)
{
    static char text[MOVE_TEXT_MAX];
    move_print(pos, move, text);
    return text;
}

void play_move(Position *pos, Move move)
{
    Undo undo;
    pos_make(pos, move, &undo, NULL);
}

Game game_from(const char *text, const Rules *rules)
{
    Game game = {0};
    const Position start = rules ? position_under(text, rules) : position_of(text);
    game_start(&game, &start);
    return game;
}

void play_text(Game *game, const char *moves)
{
    Message message = {""};
    CHECK_THAT(game_play_text(game, span_of(moves), &message) == PLAY_DONE, "%s", message.text);
}

bool is_listed(const Position *pos, Move move)
{
    Move list[MAX_MOVES], *end = gen_all(pos, list);
    for (const Move *m = list; m < end; m++)
        if (*m == move)
            return true;
    return false;
}

Move random_move(const Position *pos, Rng *rng)
{
    Move list[MAX_MOVES], *end = gen_all(pos, list);
    return end == list ? MOVE_NONE : list[rng_below(rng, (u32)(end - list))];
}

bool play_random(Position *pos, Rng *rng)
{
    Move move = random_move(pos, rng);
    if (move != MOVE_NONE)
        play_move(pos, move);
    return move != MOVE_NONE;
}

bool random_position(Rng *rng, int plies, Position *pos)
{
    *pos = position_of(GAME_START);
    for (int i = 0; i < plies; i++)
        if (!play_random(pos, rng))
            return false;
    return gen_count(pos) > 0;
}

// ---- searches -----------------------------------------------------------------------------------
SearchResult search_of(Engine *engine, const Position *pos, Limits limits, const SearchEvents *listener)
{
    Game game = {0};
    SearchResult result = {0};
    Message message = {""};
    game_start(&game, pos);
    CHECK_THAT(search_to_limits(engine, &game, &limits, listener, &result, &message), "%s", message.text);
    game_free(&game);
    return result;
}

Tablebase *open_tables(const char *folder)
{
    Message message = {""};
    Tablebase *tables = tb_open(folder, &message);
    CHECK_THAT(tables && !message.text[0], "%s: %s", folder, message.text);
    return tables;
}

// ---- files --------------------------------------------------------------------------------------
void scratch_path(const char *name, char path[PATH_BYTES])
{
    CHECK(span_copy(span_of(test_scratch(name)), path, PATH_BYTES));
}

void write_text(const char *path, const char *text)
{
    Message message = {""};
    CHECK_THAT(os_write_file(path, text, strlen(text), &message), "%s", message.text);
}

Text read_whole(const char *path)
{
    Text text = {0};
    Message message = {""};
    CHECK_THAT(text_read_file(&text, path, 1 << 28, &message), "%s", message.text);
    return text;
}

bool file_says(const char *path, const char *words)
{
    Text text = {0};
    Message message;
    bool says = text_read_file(&text, path, 1 << 24, &message) && text.ptr && strstr(text.ptr, words);
    text_free(&text);
    return says;
}

int each_line(const char *name, void (*check)(Span line))
{
    Text file = read_whole(test_data(name));
    Span rest = text_span(&file), line;
    int nb = 0;
    while (span_line(&rest, &line)) {
        line = span_trim(line);
        if (line.len == 0 || line.ptr[0] == '#')
            continue;
        check(line);
        nb++;
    }
    text_free(&file);
    return nb;
}

Span take_field(Span *line, char separator)
{
    const char *end = memchr(line->ptr, separator, line->len);
    size_t len = end ? (size_t)(end - line->ptr) : line->len;
    Span field = {line->ptr, len};
    line->ptr += len + (end != NULL);
    line->len -= len + (end != NULL);
    return span_trim(field);
}

int count_of(const char *text, const char *part)
{
    int nb = 0;
    for (; (text = strstr(text, part)) != NULL; text++)
        nb++;
    return nb;
}

void check_has(const char *text, const char *part)
{
    CHECK_THAT(strstr(text, part) != NULL, "no '%s' in:\n%s", part, text);
}

// ---- commands -----------------------------------------------------------------------------------
int run_command(int (*command)(int argc, char **argv), char **argv)
{
    int argc = 0, status = 0;
    while (argv[argc])
        argc++;
    fflush(stdout);
#ifdef _WIN32 // there is no fork: it runs in this process, as nothing it leaves behind matters
    int null = open("NUL", O_WRONLY), out = dup(1), err = dup(2);
    dup2(null, 1), dup2(null, 2);
    status = command(argc, argv);
    fflush(stdout);
    dup2(out, 1), dup2(err, 2);
    close(null), close(out), close(err);
    return status;
#else
    pid_t pid = fork();
    if (pid == 0) {
        int null = open("/dev/null", O_WRONLY);
        _exit(null < 0 || dup2(null, 1) < 0 || dup2(null, 2) < 0 ? 99 : command(argc, argv));
    }
    while (waitpid(pid, &status, 0) < 0)
        ;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
#endif
}
