// SPDX-License-Identifier: GPL-3.0-or-later
// For tests/japanese.sh: the games of game_maker.h in every format, a line of JSON each, for a reader that
// knows nothing of this program.
//   tool_records NUMBER
#include "base/json.h"
#include "game_maker.h"

static void put_format(JsonWriter *writer, const Record *record, const char *format)
{
    Text text = {0};
    record_write(record, format, &text);
    json_put_string(writer, format, text_span(&text));
    text_free(&text);
}

int main(int argc, char **argv)
{
    i64 nb = 0;
    if (argc != 2 || !span_int(span_of(argv[1]), 1, 1000000, &nb))
        return 2;
    game_init();
    Record record = {0};
    for (int i = 0; i < (int)nb; i++) {
        Text line = {0};
        JsonWriter writer = {.out = &line};
        maker_make(i, &record);
        json_open_object(&writer, NULL);
        json_put_int(&writer, "lines", record.line_nb);
        put_format(&writer, &record, "kif");
        put_format(&writer, &record, "ki2");
        put_format(&writer, &record, "csa");
        put_format(&writer, &record, "usi");
        json_close_object(&writer);
        puts(line.ptr ? line.ptr : "");
        text_free(&line);
    }
    record_free(&record);
    return 0;
}
