// SPDX-License-Identifier: GPL-3.0-or-later
// Variations of KIF (変化): read, written and read again as the same tree; and what no variation may do to
// the game it stands in.
#include <stdlib.h>

#include "record_helpers.h"

static const char HEAD[] = "手合割：平手\n手数----指手---------消費時間--\n";
static const char GAME[] = "   1 ７六歩(77)   ( 0:01/00:00:01)\n*本譜\n   2 ３四歩(33)   ( 0:02/00:00:02)\n"
                           "   3 ２六歩(27)   ( 0:00/00:00:01)\n   4 投了         ( 0:00/00:00:02)\n"
                           "まで3手で先手の勝ち\n";

static const char *joined(const char *variations)
{
    static Text text;
    text_clear(&text);
    text_add(&text, "%s%s%s", HEAD, GAME, variations);
    return text.ptr;
}

// The tree in a line, as USI: each line with its parent and place.
static void print_tree(const Record *record, Text *out)
{
    for (int line = RECORD_MAIN; line < record->line_nb; line++) {
        int nb;
        const RecordMove *moves = record_line_moves(record, line, &nb);
        Position pos = record_line_position(record, line, 0);
        if (line != RECORD_MAIN)
            text_add(out, " [%d.%d", record->line[line].parent, record->line[line].ply);
        for (int i = 0; i < nb; i++) {
            text_add(out, " %s", move_text(&pos, moves[i].move));
            text_add(out, "%s%s%s", moves[i].comment ? "{" : "", moves[i].comment ? moves[i].comment : "",
                     moves[i].comment ? "}" : "");
            pos = pos_after(&pos, moves[i].move);
        }
        if (line != RECORD_MAIN)
            text_add(out, "%s%s]", record->line[line].ending ? " " : "",
                     record->line[line].ending ? record->line[line].ending : "");
    }
}

static void check_tree(const char *variations, const char *expected)
{
    Text tree = {0}, again = {0}, file = {0};
    CHECK(open_text(joined(variations), 1));
    print_tree(&opened.record, &tree);
    CHECK_TEXT(tree.ptr, expected);
    CHECK(record_write(&opened.record, "kif", &file));
    CHECK(open_text(file.ptr, 1));
    CHECK_INT(opened.warning_nb, 0);
    print_tree(&opened.record, &again);
    CHECK_TEXT(again.ptr, expected);
    text_free(&tree);
    text_free(&again);
    text_free(&file);
}

void test_kif_tree(void)
{
    CASE("変化 are lines in the place of a move, of the game or of one another");
    check_tree("\n変化：3手\n   3 ６六歩(67)\n*変化の一\n   4 ８四歩(83)\n",
               " 7g7f{本譜} 3c3d 2g2f [-1.2 6g6f{変化の一} 8c8d]");
    check_tree("\n変化：3手\n   3 ６六歩(67)\n   4 ８四歩(83)\n\n変化：4手\n   4 ３二銀(31)\n\n変化：2手\n"
               "   2 ８四歩(83)\n   3 投了\n",
               " 7g7f{本譜} 3c3d 2g2f [-1.2 6g6f 8c8d] [0.1 3a3b] [-1.1 8c8d 投了]");
    check_tree("\n変化：2手\n   2 ８四歩(83)\n\n変化：2手\n   2 ５四歩(53)\n",
               " 7g7f{本譜} 3c3d 2g2f [-1.1 8c8d] [-1.1 5c5d]");

    CASE("同 in a variation is the square of the move it follows");
    check_tree("\n変化：3手\n   3 ２二角成(88)\n   4 同　銀(31)\n\n変化：4手\n   4 同　飛(82)\n",
               " 7g7f{本譜} 3c3d 2g2f [-1.2 8h2b+ 3a2b] [0.1 8b2b]");

    CASE("a variation in the place of the resignation goes on where the game ends");
    check_tree("\n変化：4手\n   4 ８四歩(83)\n", " 7g7f{本譜} 3c3d 2g2f [-1.3 8c8d]");

    CASE("what cannot be read of a variation is a comment, and told; the game stays whole");
    CHECK(open_text(joined("\n変化：2手\n   2 ８四歩(83)\n   3 ９九玉(11)\n   4 ３四歩(33)\n"), 1));
    CHECK_INT(opened.record.move_nb, 3);
    CHECK_INT(opened.record.error.text[0], 0);
    CHECK_INT(opened.record.line[0].move_nb, 1);
    check_has(opened.record.line[0].move[0].comment, "３四歩(33)");
    CHECK_INT(opened.warning_nb, 1);
    check_has(opened.warning[0].text, "of a variation, move 3: '９九玉(11)'");
    CHECK(open_text(joined("\n変化：9手\n   9 ８四歩(83)\n"), 1));
    CHECK_INT(opened.record.line_nb, 0);
    check_has(opened.record.move[2].comment, "８四歩(83)");
    check_has(opened.warning[0].text, "leaves no line that has this move");
    record_close(&opened);
}
