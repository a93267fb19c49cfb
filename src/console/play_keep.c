// SPDX-License-Identifier: GPL-3.0-or-later
// See play_keep.h.
#include "console/play_keep.h"

#include <time.h>

#include "console/play_file.h"

enum { KEPT_FILE_MAX = 1 << 16, KEPT_GAMES_A_SECOND = 100 };

static bool last_path(const Play *play, char out[PLAY_PATH_SIZE])
{
    return play->options->folder &&
           snprintf(out, PLAY_PATH_SIZE, "%s/" GAME_NAME ".last", play->options->folder) < PLAY_PATH_SIZE;
}

// ---- keeping ------------------------------------------------------------------------------------
// Makes the folder and those it is in.
static bool make_folders(const char *path, Message *message)
{
    char part[PLAY_PATH_SIZE];
    for (const char *end = strchr(path + 1, '/'); end; end = strchr(end + 1, '/')) {
        span_copy((Span){path, (size_t)(end - path)}, part, sizeof part);
        if (!os_exists(part) && !os_make_folder(part, message))
            return false;
    }
    return os_make_folder(path, message);
}

// A name for the game that no other file has: games/chess-20261118-201530.pgn.
static bool name_file(Play *play, Message *message)
{
    char folder[PLAY_PATH_SIZE], when[32] = "undated", again[8] = "";
    const time_t now = time(NULL);
    struct tm parts;
    if (localtime_r(&now, &parts))
        strftime(when, sizeof when, "%Y%m%d-%H%M%S", &parts);
    if (snprintf(folder, sizeof folder, "%s/games", play->options->folder) >= (int)sizeof folder)
        return message_set(message, "the path '%.80s...' is too long", play->options->folder);
    if (!make_folders(folder, message))
        return false;
    for (int i = 1; i <= KEPT_GAMES_A_SECOND; i++) {
        if (i > 1)
            snprintf(again, sizeof again, "-%d", i);
        if (snprintf(play->kept, sizeof play->kept, "%s/" GAME_NAME "-%s%s.%s", folder, when, again,
                     record_format_at(0)->ending) >= (int)sizeof play->kept) {
            play->kept[0] = '\0';
            return message_set(message, "the path '%.80s...' is too long", folder);
        }
        // "x": it is made here and now, or is another game's.
        FILE *file = os_exists(play->kept) ? NULL : os_fopen(play->kept, "wbx");
        if (file) {
            fclose(file);
            return true;
        }
    }
    // The reason that writing it gives is a better one than that it could not be made.
    return true;
}

static bool write_game(Play *play, Message *message)
{
    Record record = {0};
    Text text = {0};
    const bool made = play_make_record(play, &record) && record_write(&record, NULL, &text) && !text.failed;
    const bool ok = made ? os_write_file(play->kept, text.ptr, text.len, message)
                         : message_set(message, "not enough memory for the game's history");
    record_free(&record);
    text_free(&text);
    return ok;
}

// What the game's file does not say.
static bool write_last(const Play *play, Message *message)
{
    char path[PLAY_PATH_SIZE];
    Text text = {0};
    text_add(&text, "game %s\nsides %d %d\nlevel %d\n", play->kept, play->human[0], play->human[1],
             session_level(&play->session));
    if (play->control.has_clock)
        text_add(&text, "clock %lld %lld %lld\nleft %lld %lld\n", (long long)play->control.base_ms,
                 (long long)play->control.inc_ms, (long long)play->control.byoyomi_ms,
                 (long long)play->clock[0].left_us / 1000, (long long)play->clock[1].left_us / 1000);
    const bool ok = !text.failed && last_path(play, path) && os_write_file(path, text.ptr, text.len, message);
    text_free(&text);
    return ok;
}

void play_keep(Play *play)
{
    Message message = {0};
    const bool is_due = play->options->folder && play->is_changed && play->session.game.move_nb;
    play->is_changed = false;
    if (!is_due || ((play->kept[0] || name_file(play, &message)) && write_game(play, &message) &&
                    write_last(play, &message)))
        return;
    if (!play->cannot_keep)
        play_say(play, "Note: this game is not kept: %s.", message.text);
    play->cannot_keep = true;
}

// ---- going on -----------------------------------------------------------------------------------
// So many numbers behind the word of a line; false when it has others.
static bool read_numbers(Span rest, i64 *numbers, int nb)
{
    for (int i = 0; i < nb; i++)
        if (!span_int(span_word(&rest), 0, 1000000000, &numbers[i]))
            return false;
    return span_word(&rest).len == 0;
}

static bool read_last(const Play *play, KeptGame *last)
{
    char path[PLAY_PATH_SIZE];
    Text text = {0};
    Span line;
    bool ok = last_path(play, path) && text_read_file(&text, path, KEPT_FILE_MAX, NULL);
    *last = (KeptGame){0};
    for (Span rest = text_span(&text); ok && span_line(&rest, &line);) {
        i64 number[3];
        Span words = line, word = span_word(&words);
        if (span_is(word, "game"))
            ok = span_copy(span_trim(words), last->path, sizeof last->path);
        else if (span_is(word, "sides") && (ok = read_numbers(words, number, SIDE_NB)))
            last->human[0] = number[0], last->human[1] = number[1];
        else if (span_is(word, "level") && (ok = read_numbers(words, number, 1)))
            last->elo = (int)number[0];
        else if (span_is(word, "clock") && (ok = read_numbers(words, number, 3)))
            last->control = (TimeControl){
                .has_clock = true, .base_ms = number[0], .inc_ms = number[1], .byoyomi_ms = number[2]};
        else if (span_is(word, "left") && (ok = read_numbers(words, number, SIDE_NB)))
            last->left_ms[0] = number[0], last->left_ms[1] = number[1];
    }
    text_free(&text);
    const bool is_level =
        last->elo == 0 || (last->elo >= skill_range().min_elo && last->elo <= skill_range().max_elo);
    return ok && last->path[0] && is_level;
}

void play_keep_open(Play *play)
{
    Text text = {0};
    Record record = {0};
    Rules rules = rules_default();
    KeptGame *last = &play->last;
    const bool is_there = read_last(play, last) && text_read_file(&text, last->path, KEPT_FILE_MAX, NULL);
    Span rest = text_span(&text);
    const bool is_open = is_there && record_read(&rest, &rules, &record) && record.move_nb &&
                         !record.error.text[0] && record.result == RESULT_NONE;
    if (!is_open)
        last->path[0] = '\0';
    else if (play->options->prompt)
        play_say(play, "Your last game, of %d half-moves, is not finished: type resume to go on with it.",
                 record.move_nb);
    record_free(&record);
    text_free(&text);
}

void play_resume(Play *play, Span argument)
{
    const KeptGame last = play->last;
    (void)argument;
    if (!last.path[0]) {
        play_say(play, "There is no game that was not finished.");
        return;
    }
    const TimeControl control = play->control;
    play->control = last.control;
    if (!play_load_file(play, last.path, 1)) {
        play->control = control;
        return;
    }
    session_set_level(&play->session, last.elo);
    for (int side = 0; side < SIDE_NB; side++) {
        play->human[side] = last.human[side];
        play->clock[side].left_us = last.left_ms[side] * 1000;
        play->played[play->session.game.move_nb - 1].clock[side] = play->clock[side];
    }
    memcpy(play->kept, last.path, sizeof play->kept);
    play->last.path[0] = '\0';
    play_show_loaded(play);
    play->turn_start_us = os_now_us();
}
