// SPDX-License-Identifier: GPL-3.0-or-later
// The games of one thread: it keeps both programs running from game to game, finds the opening, plays, and
// packs the result as bytes for the thread that counts. Options and openings are shared with other threads
// and only read.
#include "arena/match_slot.h"

#include <stdlib.h>
#include <time.h>

enum { JUDGE_HASH_MB = 1 };

struct MatchSlot {
    const MatchOptions *options;
    const Openings *openings;
    SeatProcess *seat[2]; // of the pairing's engines
    int pairing, engine[2];
    Engine *judge; // of random openings; made when first needed
    Game game;
    Text log;
    atomic_bool abandon;
};

MatchSlot *match_slot_new(const MatchOptions *options, const Openings *openings)
{
    MatchSlot *slot = calloc(1, sizeof *slot);
    if (slot) {
        slot->options = options;
        slot->openings = openings;
    }
    return slot;
}

void match_slot_free(MatchSlot *slot)
{
    seat_process_free(slot->seat[0]);
    seat_process_free(slot->seat[1]);
    engine_free(slot->judge);
    game_free(&slot->game);
    text_free(&slot->log);
    free(slot);
}

void match_slot_cancel(MatchSlot *slot) { atomic_store(&slot->abandon, true); }

// ---- before a game ------------------------------------------------------------------------------
static bool fill_seats(MatchSlot *slot, int pairing)
{
    const MatchOptions *options = slot->options;
    int engine[2];
    match_pairing(options, pairing, &engine[0], &engine[1]);
    slot->pairing = pairing;
    text_clear(&slot->log);
    for (int i = 0; i < 2; i++) {
        if (!slot->seat[i] || slot->engine[i] != engine[i]) { // another sits there now
            seat_process_free(slot->seat[i]);
            slot->seat[i] = seat_process_new(&options->engine[engine[i]], &options->common, &slot->abandon);
            slot->engine[i] = engine[i];
        }
        if (!slot->seat[i])
            return false;
        slot->seat[i]->log = options->log_file ? &slot->log : NULL;
        slot->seat[i]->log_start_us = os_now_us();
        if (options->restart)
            seat_process_end(slot->seat[i]);
    }
    return true;
}

static bool find_opening(MatchSlot *slot, i64 pair, Message *message)
{
    bool is_judged = !slot->openings->count && slot->options->openings.even_cp;
    if (is_judged && !slot->judge && !(slot->judge = engine_new(JUDGE_HASH_MB)))
        return message_set(message, "out of memory");
    return openings_get(slot->openings, pair, slot->judge, &slot->game, message);
}

// ---- after it -----------------------------------------------------------------------------------
static const char *termination(const GameEnd *end)
{
    switch (end->kind) {
    case END_WIN_SCORE:
    case END_DRAW_SCORE:
    case END_LENGTH: return "adjudication";
    case END_FAULT: return end->fault == FAULT_TIME ? "time forfeit" : "rules infraction";
    case END_ABANDONED: return "abandoned";
    default: return "normal";
    }
}

static void tag_record(const MatchSlot *slot, i64 game, GameReport *report)
{
    static const char *const SIDES[SIDE_NB] = SIDE_NAMES;
    const MatchOptions *options = slot->options;
    Record *record = &report->record;
    int first_side = (int)(game & 1);
    char text[128];
    time_t now = time(NULL);
    struct tm local;
    record_set_tag(record, "Event", options->event);
    if (localtime_r(&now, &local) && strftime(text, sizeof text, "%Y.%m.%d", &local))
        record_set_tag(record, "Date", text);
    snprintf(text, sizeof text, "%lld.%d", (long long)(game / 2 + 1), first_side + 1);
    record_set_tag(record, "Round", text);
    for (int s = 0; s < SIDE_NB; s++) {
        const SeatSpec *spec = &options->engine[slot->engine[s != first_side]];
        char name[32];
        record_set_tag(record, SIDES[s], spec->name);
        snprintf(name, sizeof name, "%sTimeControl", SIDES[s]);
        time_control_print(&spec->control, text, sizeof text);
        record_set_tag(record, name, text);
    }
    record_set_tag(record, "Termination", termination(&report->end));
    record_set_tag(record, "EndReason", report->reason);
}

// The record as it follows another one, and how many of its bytes only part it from that.
static bool print_record(const MatchOptions *options, Record *record, Text *out, size_t *separator,
                         Message *message)
{
    Text first = {0};
    text_add(out, "\n"); // stands for the games before this one, so that a format that parts games does so
    bool ok = (record_write(record, options->format, &first) && record_write(record, options->format, out)) ||
              message_set(message, "the games cannot be written in that format");
    *separator = out->len - 1 - first.len;
    ok = ok && ((!first.failed && !out->failed) || message_set(message, "out of memory"));
    text_free(&first);
    return ok;
}

static GameEntry entry_of(const MatchSlot *slot, i64 game, const GameReport *report)
{
    int first_side = (int)(game & 1), blamed = report->end.fault_side;
    GameEntry entry = {.pairing = slot->pairing,
                       .game = game,
                       .points = result_points(report->end.result, first_side),
                       .fault = report->end.fault,
                       .fault_engine = blamed < 0 ? -1 : slot->engine[blamed != first_side]};
    for (int i = 0; i < 2; i++)
        entry.side[i] = report->side[i ? !first_side : first_side];
    memcpy(entry.word, report->word, sizeof entry.word);
    memcpy(entry.reason, report->reason, sizeof entry.reason);
    return entry;
}

static SeatNews news_of(const SeatProcess *seat)
{
    SeatNews news = {.failed_start = seat->fault != FAULT_NONE && seat->is_starting,
                     .cannot_start = seat->cannot_start,
                     .about = seat->spoken};
    memcpy(news.id, seat->id, sizeof news.id);
    memcpy(news.unknown, seat->unknown, sizeof news.unknown);
    return news;
}

// ---- the result ---------------------------------------------------------------------------------
// The structure, then the bytes of the record and of the log, on which its spans lie when it is read.
static bool hand_over(const MatchSlot *slot, i64 game, GameReport *report, Text *result, Message *message)
{
    PlayedGame played = {.entry = entry_of(slot, game, report)};
    Text record = {0};
    bool ok = true;
    for (int i = 0; i < 2; i++)
        played.seat[i] = news_of(slot->seat[i]);
    if (slot->options->record_file) {
        tag_record(slot, game, report);
        ok = print_record(slot->options, &report->record, &record, &played.separator, message);
        played.record.len = ok ? record.len - 1 : 0;
    }
    if (report->end.kind == END_FAULT)
        played.log.len = slot->log.len;
    text_add_bytes(result, (const char *)&played, sizeof played);
    if (played.record.len)
        text_add_bytes(result, record.ptr + 1, played.record.len);
    if (played.log.len)
        text_add_bytes(result, slot->log.ptr, played.log.len);
    text_free(&record);
    return ok;
}

void match_slot_read(Span result, PlayedGame *played)
{
    assert(result.len >= sizeof *played);
    memcpy(played, result.ptr, sizeof *played);
    played->record.ptr = result.ptr + sizeof *played;
    played->log.ptr = played->record.ptr + played->record.len;
    assert(result.len == sizeof *played + played->record.len + played->log.len);
}

bool match_slot_play(MatchSlot *slot, int pairing, i64 game, Text *result, Message *message)
{
    GameReport report;
    SeatProcess *by_side[SIDE_NB];
    int first_side = (int)(game & 1);
    if (!fill_seats(slot, pairing))
        return message_set(message, "out of memory");
    if (!find_opening(slot, game / 2, message))
        return false;
    by_side[first_side] = slot->seat[0];
    by_side[!first_side] = slot->seat[1];
    bool ok = match_game_play(by_side, &slot->game, &slot->options->adjudication, &report, message) &&
              report.end.kind != END_ABANDONED && hand_over(slot, game, &report, result, message);
    record_free(&report.record);
    return ok;
}
