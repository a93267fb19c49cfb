// SPDX-License-Identifier: GPL-3.0-or-later
// The commands save and load of the game in the terminal. A loaded game keeps its tags and comments: saved
// again unchanged it is the same game, and what is played on is added to it.
#include "console/play_file.h"

#include <stdlib.h>
#include <time.h>

#include "session/levels.h"
#include "session/phrases.h"

enum { GAME_FILE_MAX = 16 << 20 };

// ---- the game as a record -----------------------------------------------------------------------
// How many moves the game has in common with the loaded one.
static int loaded_moves(const Play *play)
{
    int nb = 0, limit = play->has_loaded ? min_int(play->loaded.move_nb, play->session.game.move_nb) : 0;
    while (nb < limit && play->loaded.move[nb].move == play->session.game.move[nb])
        nb++;
    return nb;
}

// The game on the board is the loaded one, with nothing added, taken back or decided since.
static bool is_as_loaded(const Play *play)
{
    int nb = loaded_moves(play);
    GameResult result = play->over ? play->result : RESULT_NONE;
    return play->has_loaded && nb == play->loaded.move_nb && nb == play->session.game.move_nb &&
           result == play->loaded.result;
}

// Tags about the end of a game: not true any more when the game has gone on.
static bool is_about_end(const char *tag)
{
    static const char *const NAMES[] = {"Result", "Termination", "EndReason", "EndDate", "PlyCount"};
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++)
        if (strcmp(tag, NAMES[i]) == 0)
            return true;
    return false;
}

// Adds a move of the loaded game to a line, with all that belongs to it but its variations.
static bool add_copy(Record *record, int line, const RecordMove *move)
{
    if (!record_add_line_move(record, line, move->move, move->comment))
        return false;
    RecordMove *copy = record_last_move(record, line);
    copy->mark = move->mark;
    memcpy(copy->glyph, move->glyph, sizeof copy->glyph);
    copy->time_ms = move->time_ms;
    copy->clock_ms = move->clock_ms;
    copy->bookmark = move->bookmark ? strdup(move->bookmark) : NULL;
    return copy->bookmark || !move->bookmark;
}

// The variations of the loaded game, to a record that has its first `nb` moves and what was played from
// there. The moves that were played otherwise become a variation themselves.
static bool copy_variations(const Play *play, Record *record, int nb)
{
    const Record *loaded = &play->loaded;
    int rest = RECORD_MAIN, *index = calloc((size_t)loaded->line_nb + 1, sizeof *index);
    bool ok = index != NULL;
    if (ok && nb < loaded->move_nb && nb < record->move_nb) {
        rest = record_add_line(record, RECORD_MAIN, nb);
        ok = rest >= 0;
        for (int i = nb; i < loaded->move_nb && ok; i++)
            ok = add_copy(record, rest, &loaded->move[i]);
    }
    for (int i = 0; i < loaded->line_nb && ok; i++) {
        const RecordLine *line = &loaded->line[i];
        const bool is_behind = line->parent == RECORD_MAIN && line->ply > nb;
        const int parent = is_behind ? rest : line->parent == RECORD_MAIN ? RECORD_MAIN : index[line->parent];
        // -2: it left what was taken back.
        const bool is_lost = parent == -2 || (is_behind && rest == RECORD_MAIN);
        index[i] = is_lost ? -2 : record_add_line(record, parent, is_behind ? line->ply - nb : line->ply);
        ok = is_lost || index[i] >= 0;
        RecordLine *copy = ok && !is_lost ? &record->line[index[i]] : NULL;
        if (copy && line->comment)
            ok = (copy->comment = strdup(line->comment)) != NULL;
        if (copy && line->ending)
            ok = ok && (copy->ending = strdup(line->ending)) != NULL;
        for (int k = 0; k < line->move_nb && ok && !is_lost; k++)
            ok = add_copy(record, index[i], &line->move[k]);
    }
    free(index);
    return ok;
}

static bool copy_loaded(const Play *play, Record *record)
{
    const Record *loaded = &play->loaded;
    record->comment = loaded->comment ? strdup(loaded->comment) : NULL;
    record->bookmark = loaded->bookmark ? strdup(loaded->bookmark) : NULL;
    bool ok = (record->comment || !loaded->comment) && (record->bookmark || !loaded->bookmark);
    for (int i = 0; i < loaded->tag_nb; i++)
        if (!is_about_end(loaded->tag[i].name))
            ok = ok && record_add_tag(record, loaded->tag[i].name, loaded->tag[i].value);
    for (int i = 0; i < loaded_moves(play); i++)
        ok = ok && add_copy(record, RECORD_MAIN, &loaded->move[i]);
    return ok;
}

static bool add_missing_tag(Record *record, const char *name, const char *value)
{
    return record_tag(record, name) || record_add_tag(record, name, value);
}

// "300+3", as PGN has it.
static bool add_time_control(const Play *play, Record *record)
{
    char text[64];
    snprintf(text, sizeof text, "%lld+%g", (long long)(play->control.base_ms / 1000),
             (double)play->control.inc_ms / 1000);
    return !play->control.has_clock || play->control.byoyomi_ms ||
           add_missing_tag(record, "TimeControl", text);
}

// A move that was made here, with what the clocks said.
static bool add_move(const Play *play, Record *record, int ply)
{
    if (!record_add_move(record, play->session.game.move[ply], NULL))
        return false;
    const PlayedMove *played = &play->played[ply];
    const int side = (pos_side(&play->session.game.start) + ply) % SIDE_NB;
    if (play->control.has_clock) {
        record->move[ply].clock_ms = (i32)min_i64(played->clock[side].left_us / 1000, INT32_MAX);
        record->move[ply].time_ms = (i32)min_i64(played->spent_ms, INT32_MAX);
    }
    return true;
}

// The names of the tags are those of the sides; a loaded game keeps its own.
bool play_make_record(const Play *play, Record *record)
{
    char level[64], name[96], date[16] = "????.??.??";
    time_t now = time(NULL);
    struct tm parts;
    if (localtime_r(&now, &parts))
        strftime(date, sizeof date, "%Y.%m.%d", &parts);
    levels_print(session_level(&play->session), level, sizeof level);
    snprintf(name, sizeof name, "Twofold, %s", level);
    record->start = play->session.game.start;
    bool ok = copy_loaded(play, record);
    ok = ok && add_missing_tag(record, "Event", "A game in the terminal") &&
         add_missing_tag(record, "Date", date);
    for (int side = 0; side < SIDE_NB; side++)
        ok = ok && add_missing_tag(record, phrase_side(side), play->human[side] ? "Player" : name);
    ok = ok && add_time_control(play, record);
    for (int i = record->move_nb; i < play->session.game.move_nb; i++)
        ok = ok && add_move(play, record, i);
    if (play->has_loaded)
        ok = ok && copy_variations(play, record, loaded_moves(play));
    if (play->over) {
        record->result = play->result;
        record->reason = play->reason;
    }
    return ok;
}

// ---- saving -------------------------------------------------------------------------------------
static const char *extension_of(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && !strchr(dot, '/') ? dot + 1 : "";
}

// Files of this ending have no moves.
static bool is_position(const char *extension)
{
    return span_is_nocase(span_of(extension), "fen") || span_is_nocase(span_of(extension), "sfen");
}

static void save(Play *play, const char *path)
{
    Message message = {0};
    Record made = {0};
    const Record *record = is_as_loaded(play) ? &play->loaded : &made;
    Text text = {0};
    Message lost = {0};
    RecordStyle style = record_style_of(path);
    bool ready = record == &play->loaded || play_make_record(play, &made);
    bool is_named = ready && style.format && record_write(record, style.format, &text);
    bool written = is_named || (ready && (text_clear(&text), record_write(record, NULL, &text)));
    written = written && record_encode(&text, style.encoding ? style.encoding : record->encoding, &lost);
    if (!written || text.failed)
        play_say(play, "There is not enough memory to write the game.");
    else if (!os_write_file(path, text.ptr, text.len, &message))
        play_say(play, "Not saved: %s.", message.text);
    else if (span_copy(span_of(path), play->saved, sizeof play->saved))
        play_say(play, "Saved in %s%s.", path,
                 is_position(extension_of(path))    ? said(", the position alone")
                 : is_named || !*extension_of(path) ? ""
                                                    : said(", in this game's usual format"));
    if (lost.text[0])
        play_say(play, "Note: %s.", lost.text);
    text_free(&text);
    record_free(&made);
}

void play_save_over(Play *play, Span argument)
{
    char path[PLAY_PATH_SIZE];
    if (argument.len && span_copy(argument, path, sizeof path))
        save(play, path);
    else
        play_say(play, "save needs the name of a file.");
}

void play_save(Play *play, Span argument)
{
    char path[PLAY_PATH_SIZE];
    bool is_other = span_copy(argument, path, sizeof path) && strcmp(path, play->saved) != 0;
    if (is_other && os_has_file(path))
        play_say(play, "Not saved: %s is there already. Type save! %s to replace it.", path, path);
    else
        play_save_over(play, argument);
}

// ---- loading ------------------------------------------------------------------------------------
// Goes to the end of the loaded game. The record belongs to the Play from here on.
static void take_loaded(Play *play, Record *record)
{
    game_start(&play->session.game, &record->start);
    play_restart(play);
    for (int i = 0; i < record->move_nb && play_make_move(play, record->move[i].move); i++)
        ;
    play->loaded = *record;
    play->has_loaded = true;
    *record = (Record){0};
}

// A game that is finished by its file is over here too.
static void end_loaded(Play *play)
{
    GameResult result = play->loaded.result;
    bool ends_by_rules = game_verdict(&play->session.game).outcome != OUTCOME_NONE;
    if (result == RESULT_NONE || ends_by_rules)
        return;
    play_end(play, result, play->loaded.reason);
    if (result == RESULT_DRAW)
        play_say(play, "This game is over: it was drawn. Type undo to play on from here.");
    else
        play_say(play, "This game is over: %s won. Type undo to play on from here.",
                 side_words(&play->session.game.pos, result_winner(result)));
}

// Reads game `number` of a text; how many games there are, without memory for it 0.
static int read_game(Span text, i64 number, const Rules *rules, Record *record)
{
    Record other = {0};
    int nb = 0;
    while (record_read(&text, rules, nb + 1 == number ? record : &other))
        nb++;
    record_free(&other);
    return nb;
}

// The record belongs to the Play from here on.
static void go_on(Play *play, Record *record, const char *path, i64 number, int game_nb)
{
    play_say(play, "Loaded %d move%s from %s.", record->move_nb, record->move_nb == 1 ? "" : "s", path);
    if (game_nb > 1 && number == 1)
        play_say(play, "The file has %d games: this is the first.", game_nb);
    else if (game_nb > 1)
        play_say(play, "The file has %d games: this is number %d.", game_nb, (int)number);
    if (record->error.text[0]) { // the moves that decided the game are missing
        play_say(play, "Note: %s.", record->error.text);
        record->result = RESULT_NONE;
        record->reason = REASON_NONE;
        record->result_word[0] = '\0';
    }
    take_loaded(play, record);
}

void play_show_loaded(Play *play)
{
    play_show_board(play);
    end_loaded(play);
    play->is_changed = false; // it is in a file already
    play->is_looked_back = play->over;
}

bool play_load_file(Play *play, const char *path, i64 number)
{
    Message message = {0};
    Record record = {0};
    Text text = {0};
    const Rules rules = play->session.rules;
    bool ok = false;
    if (!text_read_file(&text, path, GAME_FILE_MAX, &message)) {
        play_say(play, "Not loaded: %s.", message.text);
    } else {
        const int game_nb = read_game(text_span(&text), number, &rules, &record);
        text_disarm(record.error.text, strlen(record.error.text), ' ');
        if (game_nb == 0)
            play_say(play, "Not loaded: there is no game in %s.", path);
        else if (number > game_nb)
            play_say(play, "Not loaded: there is no game %d in %s, which has %d.", (int)number, path,
                     game_nb);
        else if (record.move_nb == 0 && record.error.text[0])
            play_say(play, "Not loaded: %s.", record.error.text);
        else
            ok = true;
        if (ok)
            go_on(play, &record, path, number, game_nb);
    }
    record_free(&record);
    text_free(&text);
    return ok;
}

void play_load(Play *play, Span argument)
{
    char path[PLAY_PATH_SIZE];
    i64 number = 1;
    size_t name_len = argument.len;
    if (argument.len == 0 || !span_copy(argument, path, sizeof path)) {
        play_say(play, "load needs the name of a file.");
        return;
    }
    while (name_len && argument.ptr[name_len - 1] != ' ')
        name_len--;
    const Span last = {argument.ptr + name_len, argument.len - name_len};
    // A name may have blanks and numbers of its own.
    if (name_len && !os_exists(path) && span_int(last, 1, 1000000000, &number))
        span_copy(span_trim((Span){argument.ptr, name_len}), path, sizeof path);
    if (play_load_file(play, path, number))
        play_show_loaded(play);
}
