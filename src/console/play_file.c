// SPDX-License-Identifier: GPL-3.0-or-later
// The commands save and load of the game in the terminal. A loaded game keeps its tags and comments: saved
// again unchanged it is the same game, and what is played on is added to it.
#include "console/play_file.h"

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

static bool copy_loaded(const Play *play, Record *record)
{
    const Record *loaded = &play->loaded;
    record->comment = loaded->comment ? strdup(loaded->comment) : NULL;
    bool ok = record->comment || !loaded->comment;
    for (int i = 0; i < loaded->tag_nb; i++)
        if (!is_about_end(loaded->tag[i].name))
            ok = ok && record_add_tag(record, loaded->tag[i].name, loaded->tag[i].value);
    for (int i = 0; i < loaded_moves(play); i++) {
        const RecordMove *move = &loaded->move[i];
        ok = ok && record_add_move(record, move->move, move->comment);
        if (ok) {
            record->move[i].mark = move->mark;
            record->move[i].time_ms = move->time_ms;
        }
    }
    return ok;
}

static bool add_missing_tag(Record *record, const char *name, const char *value)
{
    return record_tag(record, name) || record_add_tag(record, name, value);
}

// The game as a record, for saving. The names of the tags are those of the sides; a loaded game keeps its
// own.
static bool make_record(const Play *play, Record *record)
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
    for (int i = record->move_nb; i < play->session.game.move_nb; i++)
        ok = ok && record_add_move(record, play->session.game.move[i], NULL);
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
    bool ready = record == &play->loaded || make_record(play, &made);
    bool is_named = ready && record_write(record, extension_of(path), &text);
    bool written = is_named || (ready && (text_clear(&text), record_write(record, NULL, &text)));
    if (!written || text.failed)
        play_say(play, "There is not enough memory to write the game.");
    else if (!os_write_file(path, text.ptr, text.len, &message))
        play_say(play, "Not saved: %s.", message.text);
    else if (span_copy(span_of(path), play->saved, sizeof play->saved))
        play_say(play, "Saved in %s%s.", path,
                 is_position(extension_of(path))    ? ", the position alone"
                 : is_named || !*extension_of(path) ? ""
                                                    : ", in this game's usual format");
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
                 phrase_side(result_winner(result)));
}

// How many more games there are.
static int count_games(Span rest, const Rules *rules)
{
    Record record = {0};
    int nb = 0;
    while (record_read(&rest, rules, &record))
        nb++;
    record_free(&record);
    return nb;
}

void play_load(Play *play, Span argument)
{
    char path[PLAY_PATH_SIZE];
    Message message = {0};
    Record record = {0};
    Text text = {0};
    Rules rules = play->session.rules;
    if (argument.len == 0 || !span_copy(argument, path, sizeof path)) {
        play_say(play, "load needs the name of a file.");
        return;
    }
    if (!text_read_file(&text, path, GAME_FILE_MAX, &message)) {
        play_say(play, "Not loaded: %s.", message.text);
    } else {
        Span rest = text_span(&text);
        bool is_game = record_read(&rest, &rules, &record);
        text_disarm(record.error.text, strlen(record.error.text), ' ');
        if (!is_game) {
            play_say(play, "Not loaded: there is no game in %s.", path);
        } else if (record.move_nb == 0 && record.error.text[0]) {
            play_say(play, "Not loaded: %s.", record.error.text);
        } else {
            play_say(play, "Loaded %d move%s from %s.", record.move_nb, record.move_nb == 1 ? "" : "s", path);
            const int more = count_games(rest, &rules);
            if (more)
                play_say(play, "The file has %d games: this is the first.", more + 1);
            if (record.error.text[0]) { // the moves that decided the game are missing
                play_say(play, "Note: %s.", record.error.text);
                record.result = RESULT_NONE;
                record.reason = REASON_NONE;
                record.result_word[0] = '\0';
            }
            take_loaded(play, &record);
            play_show_board(play);
            end_loaded(play);
        }
    }
    record_free(&record);
    text_free(&text);
}
