/* SPDX-License-Identifier: Apache-2.0 */
/* The canvas: whole wide characters, clips, cuts, amounts, lines and their junctions, marks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "core/alloc.h"
#include "ui/canvas.h"

static void expect(const struct canvas *c, const char *text)
{
    struct buf out;
    buf_init(&out, 1 << 20);
    assert_int_equal(canvas_dump_text(c, &out), ERR_OK);
    assert_string_equal(buf_view(&out), text);
    buf_fini(&out);
}

static void expect_roles(const struct canvas *c, const char *text)
{
    struct buf out;
    buf_init(&out, 1 << 20);
    assert_int_equal(canvas_dump_roles(c, &out), ERR_OK);
    assert_string_equal(buf_view(&out), text);
    buf_fini(&out);
}

static void text_says_how_many_cells_it_takes(void **state)
{
    (void)state;
    struct canvas *c = canvas_new(10, 2, false);
    assert_int_equal(canvas_put(c, 1, 0, THEME_DEFAULT, "a世b"), 4);
    assert_int_equal(canvas_put(c, 8, 1, THEME_DIM, "long"), 4);
    expect(c, " a世b\n        lo\n");
    expect_roles(c, ".....\n........dd\n");
    canvas_free(c);
}

/* Case U1: a wide character is whole or absent, at the edge, in a clip, and when it is overdrawn.
 */
static void wide_characters_are_never_split(void **state)
{
    (void)state;
    struct canvas *c = canvas_new(6, 1, false);
    canvas_put(c, 1, 0, THEME_DEFAULT, "世世世");
    expect(c, " 世世\n");
    canvas_put(c, 2, 0, THEME_DEFAULT, "x");
    expect(c, "  x世\n");
    canvas_put(c, 3, 0, THEME_DEFAULT, "y");
    expect(c, "  xy\n");
    canvas_clear(c);
    struct canvas_rect old = canvas_clip(c, (struct canvas_rect){2, 0, 3, 1});
    canvas_put(c, 1, 0, THEME_DEFAULT, "世世世");
    canvas_unclip(c, old);
    expect(c, "   世\n");
    for (int x = 0; x < 6; x++)
        assert_int_equal(canvas_cell_view(c, x, 0)->cells, x == 3 ? 2 : x == 4 ? 0 : 1);
    canvas_free(c);
}

static void clusters_stay_together(void **state)
{
    (void)state;
    struct canvas *c = canvas_new(8, 1, false);
    canvas_put(c, 0, 0, THEME_DEFAULT,
               "e\xCC\x81"
               "👨‍👩‍👧‍👦"
               "x");
    assert_int_equal(canvas_cell_view(c, 0, 0)->len, 3);
    assert_int_equal(canvas_cell_view(c, 1, 0)->cells, 2);
    assert_int_equal(canvas_cell_view(c, 1, 0)->len, 25);
    assert_memory_equal(canvas_cell_view(c, 3, 0)->bytes, "x", 1);
    /* More marks than a cell can keep. */
    char zalgo[82] = "a";
    for (size_t i = 1; i < 81; i += 2)
        memcpy(zalgo + i, "\xCC\x81", 2);
    canvas_put(c, 4, 0, THEME_DEFAULT, zalgo);
    assert_in_range(canvas_cell_view(c, 4, 0)->len, 3, CANVAS_CELL_BYTES);
    canvas_free(c);
}

/* Case U3, U4: nothing that drives a terminal stays in a cell, even if it came past the door. */
static void control_and_hidden_characters_are_marks(void **state)
{
    (void)state;
    static const char *const bad[] = {"\x1b[2J",
                                      "\a",
                                      "\r\n",
                                      "\t",
                                      "\x7f",
                                      "\xC2\x9B"
                                      "m",
                                      "\xE2\x80\xAE",
                                      "\xE2\x80\x8B",
                                      "\xEF\xBB\xBF",
                                      "\xFF",
                                      "\xE2\x80\x8D",
                                      "\xCC\x81"};
    struct canvas *c = canvas_new(20, 1, false);
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        struct buf out;
        canvas_clear(c);
        canvas_put(c, 0, 0, THEME_DEFAULT, bad[i]);
        buf_init(&out, 4096);
        assert_int_equal(canvas_dump_text(c, &out), ERR_OK);
        assert_memory_equal(buf_view(&out), "\xEF\xBF\xBD", 3);
        for (size_t k = 0; k + 1 < out.len; k++) {
            unsigned char byte = (unsigned char)out.data[k];
            assert_true(byte >= 0x20 && byte != 0x7F);
        }
        buf_fini(&out);
    }
    canvas_free(c);
}

static void cuts_end_with_a_mark(void **state)
{
    (void)state;
    struct canvas *c = canvas_new(12, 6, false);
    assert_int_equal(canvas_put_cut(c, 0, 0, 8, THEME_DEFAULT, "exactly8"), 8);
    assert_int_equal(canvas_put_cut(c, 0, 1, 8, THEME_DEFAULT, "nine long"), 8);
    assert_int_equal(canvas_put_cut(c, 0, 2, 6, THEME_DEFAULT, "five long"), 5);
    assert_int_equal(canvas_put_cut(c, 0, 3, 4, THEME_DEFAULT, "世世世"), 3);
    assert_int_equal(canvas_put_cut(c, 0, 4, 1, THEME_DEFAULT, "ab"), 1);
    assert_int_equal(canvas_put_cut(c, 0, 5, 0, THEME_DEFAULT, "ab"), 0);
    expect(c, "exactly8\nnine lo…\nfive…\n世…\n…\n\n");
    canvas_free(c);
}

/* Case U1, P1: an amount is whole or visibly absent. */
static void amounts_are_whole(void **state)
{
    (void)state;
    struct canvas *c = canvas_new(20, 4, false);
    canvas_put_pair(c, 0, 0, 20, THEME_DEFAULT, "A name that is too long", THEME_AMOUNT,
                    "₹1,00,000.00");
    canvas_put_pair(c, 0, 1, 20, THEME_DEFAULT, "short", THEME_AMOUNT, "₹99.00");
    canvas_put_pair(c, 0, 2, 8, THEME_DEFAULT, "name", THEME_AMOUNT, "₹1,00,000.00");
    canvas_put_pair(c, 0, 3, 12, THEME_DEFAULT, "name", THEME_AMOUNT, "₹1,00,000.00");
    expect(c, "A name… ₹1,00,000.00\nshort         ₹99.00\nname   …\n₹1,00,000.00\n");
    canvas_free(c);
}

static void lines_join_whatever_the_order(void **state)
{
    (void)state;
    struct canvas *c = canvas_new(7, 6, false);
    for (int order = 0; order < 2; order++) {
        canvas_clear(c);
        if (order == 0)
            canvas_vline(c, 3, 0, 6);
        canvas_hline(c, 0, 0, 7);
        canvas_hline(c, 4, 2, 3);
        canvas_hline(c, 0, 3, 3);
        canvas_hline(c, 0, 5, 7);
        if (order == 1)
            canvas_vline(c, 3, 0, 6);
        expect(c, "───┬───\n   │\n   ├───\n───┤\n   │\n───┴───\n");
    }
    canvas_clear(c);
    canvas_hline(c, 0, 1, 7);
    canvas_vline(c, 3, 0, 3);
    expect(c, "   │\n───┼───\n   │\n\n\n\n");
    /* A line that is drawn over is gone, and its neighbours know. */
    canvas_put(c, 4, 1, THEME_DEFAULT, " x ");
    expect(c, "   │\n───┤ x\n   │\n\n\n\n");
    canvas_clear(c);
    canvas_hline(c, 1, 1, 3);
    canvas_vline(c, 1, 1, 3);
    canvas_vline(c, 3, 1, 3);
    canvas_hline(c, 1, 3, 3);
    expect(c, "\n ┌─┐\n │ │\n └─┘\n\n\n");
    canvas_free(c);
}

static void rules_carry_titles(void **state)
{
    (void)state;
    struct canvas *c = canvas_new(32, 6, false);
    canvas_rule(c, 0, 0, 32, THEME_TITLE, "Title", THEME_DIM, "right");
    canvas_rule(c, 0, 1, 32, THEME_TITLE, "A title that is much too long", THEME_AMOUNT,
                "₹2,499.00");
    canvas_rule(c, 0, 2, 32, THEME_TITLE, NULL, THEME_DIM, NULL);
    canvas_rule(c, 0, 3, 12, THEME_TITLE, "Title", THEME_AMOUNT, "₹2,499.00");
    canvas_rule(c, 0, 4, 20, THEME_TITLE, NULL, THEME_DIM, "7 o");
    canvas_rule(c, 0, 5, 3, THEME_TITLE, "Title", THEME_DIM, "x");
    expect(c, "── Title ────────────── right ──\n"
              "── A title that… ── ₹2,499.00 ──\n"
              "────────────────────────────────\n"
              "── Title ───\n"
              "───────────── 7 o ──\n"
              "───\n");
    expect_roles(c, "---ttttt----------------ddddd---\n"
                    "---ttttttttttttt----aaaaaaaaa---\n"
                    "--------------------------------\n"
                    "---ttttt----\n"
                    "--------------ddd---\n"
                    "---\n");
    canvas_free(c);
}

/* Case U5: everything has an ASCII twin. */
static void ascii_has_twins(void **state)
{
    (void)state;
    struct canvas *c = canvas_new(24, 5, true);
    canvas_rule(c, 0, 0, 24, THEME_TITLE, "Title", THEME_AMOUNT, "₹99.00");
    canvas_vline(c, 3, 1, 1);
    for (int g = 0; g < CANVAS_GLYPH_COUNT; g++)
        canvas_put_glyph(c, 5 + g, 1, THEME_DEFAULT, (enum canvas_glyph)g);
    assert_int_equal(canvas_put(c, 0, 2, THEME_DEFAULT, "₹5 · a…世é"), 15);
    canvas_put_cut(c, 0, 3, 8, THEME_DEFAULT, "too long a text");
    assert_int_equal(canvas_put_wrapped(c, (struct canvas_rect){0, 4, 24, 1}, THEME_DEFAULT,
                                        "₹1,140.00 for a card worth ₹1,200.00", 0),
                     2);
    expect(c, "-- Title -- INR 99.00 --\n"
              "   |  ?o*+x!~.|-*:?\n"
              "INR 5 - a...???\n"
              "too lon~\n"
              "INR 1,140.00 for a card\n");
    canvas_free(c);
}

static void wrapping_shows_any_part(void **state)
{
    (void)state;
    struct canvas *c = canvas_new(10, 2, false);
    struct canvas_rect r = {1, 0, 8, 2};
    assert_int_equal(canvas_put_wrapped(c, r, THEME_DEFAULT, "take the blue one, or stop", 1), 4);
    expect(c, " blue\n one, or\n");
    assert_int_equal(canvas_wrapped_rows(c, "take the blue one, or stop", 8), 4);
    assert_int_equal(canvas_wrapped_rows(c, "", 8), 0);
    canvas_free(c);
}

static void slots_are_whole_or_absent(void **state)
{
    (void)state;
    struct canvas_rect area;
    struct canvas *c = canvas_new(20, 3, false);
    canvas_secret_slot(c, (struct canvas_rect){2, 1, 10, 1}, 3);
    canvas_secret_slot(c, (struct canvas_rect){15, 1, 10, 1}, 4);
    assert_true(canvas_secret_find(c, 3, &area));
    assert_int_equal(area.x, 2);
    assert_int_equal(area.w, 10);
    assert_false(canvas_secret_find(c, 4, &area));
    /* Covered by what is drawn later, be it a blank. */
    canvas_secret_slot(c, (struct canvas_rect){2, 2, 10, 1}, 5);
    canvas_put(c, 12, 1, THEME_DEFAULT, "beside");
    assert_true(canvas_secret_find(c, 3, &area));
    canvas_fill(c, (struct canvas_rect){11, 0, 9, 2}, THEME_DEFAULT);
    assert_false(canvas_secret_find(c, 3, &area));
    assert_true(canvas_secret_find(c, 5, &area));
    canvas_hline(c, 0, 2, 4);
    assert_false(canvas_secret_find(c, 5, &area));
    canvas_secret_slot(c, (struct canvas_rect){2, 1, 10, 1}, 3);
    canvas_clear(c);
    assert_false(canvas_secret_find(c, 3, &area));
    canvas_free(c);
}

static void the_cursor_stays_on_the_canvas(void **state)
{
    (void)state;
    struct canvas *c = canvas_new(20, 3, false);
    assert_false(canvas_cursor_view(c).placed);
    canvas_cursor(c, 50, -1, true);
    assert_int_equal(canvas_cursor_view(c).x, 19);
    assert_int_equal(canvas_cursor_view(c).y, 0);
    assert_true(canvas_cursor_view(c).insertion);
    canvas_free(c);
}

static void sizes_of_all_kinds_are_fine(void **state)
{
    (void)state;
    struct canvas *c = canvas_new(0, 0, false);
    static const int sizes[][2] = {{1, 1}, {300, 100}, {0, 5}, {-3, 4}, {5, 5000}, {2, 2}};
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        assert_int_equal(canvas_resize(c, sizes[i][0], sizes[i][1]), ERR_OK);
        canvas_rule(c, -2, 0, 400, THEME_TITLE, "世 Title", THEME_DIM, "right");
        canvas_vline(c, 0, -5, 300);
        canvas_put(c, -1, 0, THEME_DEFAULT, "世世世世");
        canvas_fill(c, (struct canvas_rect){-10, -10, 1000, 1000}, THEME_DIM);
        canvas_cursor(c, 3, 3, false);
        assert_null(canvas_cell_view(c, canvas_width(c), 0));
    }
    alloc_fail_nth(1);
    assert_int_equal(canvas_resize(c, 10, 10), ERR_MEMORY);
    alloc_fail_nth(2);
    assert_int_equal(canvas_resize(c, 10, 10), ERR_MEMORY);
    alloc_fail_nth(0);
    assert_int_equal(canvas_width(c), 2);
    canvas_free(c);
    for (unsigned long n = 1; n <= 3; n++) {
        alloc_fail_nth(n);
        assert_null(canvas_new(4, 4, false));
    }
    alloc_fail_nth(0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_says_how_many_cells_it_takes),
        cmocka_unit_test(wide_characters_are_never_split),
        cmocka_unit_test(clusters_stay_together),
        cmocka_unit_test(control_and_hidden_characters_are_marks),
        cmocka_unit_test(cuts_end_with_a_mark),
        cmocka_unit_test(amounts_are_whole),
        cmocka_unit_test(lines_join_whatever_the_order),
        cmocka_unit_test(rules_carry_titles),
        cmocka_unit_test(ascii_has_twins),
        cmocka_unit_test(wrapping_shows_any_part),
        cmocka_unit_test(slots_are_whole_or_absent),
        cmocka_unit_test(the_cursor_stays_on_the_canvas),
        cmocka_unit_test(sizes_of_all_kinds_are_fine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
