// SPDX-License-Identifier: GPL-3.0-or-later
// Games walked forward move by move and backward by replaying: going back is rare, and replaying needs no
// stack of undos.
#include "session/course.h"

#include <stdlib.h>

SetResult course_position(Position *start, Span text, const Rules *rules, Message *message)
{
    return pos_set(start, span_is(text, "startpos") ? span_of(GAME_START) : text, rules, message);
}

void course_start(Course *course, const Position *start)
{
    course->start = course->pos = *start;
    course->keys.count = 0;
    course->move_nb = 0;
}

static void advance(Course *course, Move move)
{
    Undo undo;
    keys_push(&course->keys, &course->pos);
    pos_make(&course->pos, move, &undo, NULL);
}

bool course_play(Course *course, Move move)
{
    if (course->move_nb == course->capacity) {
        int capacity = course->capacity ? 2 * course->capacity : 128;
        Move *grown = realloc(course->move, (size_t)capacity * sizeof *grown);
        if (!grown)
            return false;
        course->move = grown;
        course->capacity = capacity;
    }
    if (!keys_reserve(&course->keys, 1))
        return false;
    advance(course, move);
    course->move[course->move_nb++] = move;
    return true;
}

void course_back(Course *course, int plies)
{
    course->move_nb = max_int(course->move_nb - plies, 0);
    course->pos = course->start;
    course->keys.count = 0;
    for (int i = 0; i < course->move_nb; i++)
        advance(course, course->move[i]);
}

void course_free(Course *course)
{
    free(course->move);
    keys_free(&course->keys);
    *course = (Course){0};
}

int course_move_number(const Position *pos)
{
    // In a handicap game the second side begins: that is its move 1, and the first side goes on with move 2.
    return (pos_game_ply(pos) + (pos_side(pos) == 0)) / 2 + 1;
}

void course_number(const Position *pos, char *out, size_t size)
{
    snprintf(out, size, "%d%s ", course_move_number(pos), pos_side(pos) == 0 ? "." : "...");
}

Span course_without_number(Span text)
{
    size_t i = 0;
    while (i < text.len && text.ptr[i] >= '0' && text.ptr[i] <= '9')
        i++;
    size_t dots = i;
    while (dots < text.len && text.ptr[dots] == '.')
        dots++;
    return i && dots > i ? span_trim((Span){text.ptr + dots, text.len - dots}) : text;
}
