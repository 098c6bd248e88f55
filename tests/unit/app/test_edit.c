/* SPDX-License-Identifier: Apache-2.0 */
/* Editing by visible characters: limits in code points, joined characters, wrapping, moves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "app/edit.h"
#include "core/alloc.h"
#include "core/str.h"

#define FAMILY    "\xF0\x9F\x91\xA8\xE2\x80\x8D\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x91\xA7"
#define FLAG      "\xF0\x9F\x87\xAE\xF0\x9F\x87\xB3"
#define E_ACUTE   "e\xCC\x81"
#define HOURGLASS "\xE2\x8C\x9B\xEF\xB8\x8E"

static void put(struct edit *e, const char *text)
{
    assert_int_equal(edit_insert(e, text, strlen(text)), ERR_OK);
}

static void a_fresh_text_is_empty(void **state)
{
    (void)state;
    struct edit e;
    struct edit_row row;
    edit_init(&e, 800, false);
    assert_string_equal(edit_text(&e), "");
    assert_true(edit_is_empty(&e));
    assert_int_equal(edit_rows(&e, 10, &row, 1), 1);
    assert_int_equal(row.shown, 0);
    edit_backspace(&e);
    edit_delete(&e);
    edit_left(&e);
    edit_right(&e);
    assert_false(edit_up(&e));
    assert_false(edit_down(&e));
    put(&e, " \n ");
    assert_true(edit_is_empty(&e));
    put(&e, "x");
    assert_false(edit_is_empty(&e));
    edit_fini(&e);
}

/* Case U2: Backspace takes one visible character, whatever it is made of. */
static void backspace_takes_whole_characters(void **state)
{
    (void)state;
    static const char *const parts[] = {E_ACUTE, FAMILY, FLAG, HOURGLASS, "a"};
    struct edit e;
    edit_init(&e, 800, false);
    for (size_t i = 0; i < 5; i++)
        put(&e, parts[i]);
    for (size_t left = 5; left > 0; left--) {
        char want[128] = "";
        for (size_t i = 0; i < left; i++) {
            size_t used = strlen(want);
            snprintf(want + used, sizeof(want) - used, "%s", parts[i]);
        }
        assert_string_equal(edit_text(&e), want);
        edit_backspace(&e);
    }
    assert_string_equal(edit_text(&e), "");
    edit_fini(&e);
}

static void a_mark_typed_after_its_letter_joins_it(void **state)
{
    (void)state;
    struct edit e;
    edit_init(&e, 800, false);
    put(&e, "e");
    put(&e, "\xCC\x81");
    put(&e, "f");
    edit_left(&e);
    edit_left(&e);
    assert_int_equal(e.at, 0);
    edit_right(&e);
    assert_int_equal(e.at, 3);
    edit_text_start(&e);
    put(&e, "a");
    assert_string_equal(edit_text(&e), "ae\xCC\x81"
                                       "f");
    assert_int_equal(e.at, 1);
    edit_fini(&e);
}

static bool at_boundary(const struct edit *e)
{
    size_t pos = 0;
    while (pos < e->at)
        pos += str_cluster(edit_text(e) + pos, edit_len(e) - pos);
    return pos == e->at;
}

/* Many random edits keep the text valid, the cursor between characters, and the place in its row.
 */
static void random_edits_keep_the_invariants(void **state)
{
    (void)state;
    static const char *const parts[] = {E_ACUTE, FAMILY,     FLAG,           HOURGLASS, "a", " ",
                                        "\n",    "\xCC\x81", "\xE2\x80\x8D", "word",    "世"};
    struct edit e;
    unsigned seed = 20261;
    edit_init(&e, 120, false);
    e.width_cells = 9;
    for (int i = 0; i < 5000; i++) {
        seed = seed * 1103515245u + 12345u;
        unsigned pick = seed >> 16;
        const char *part = parts[pick / 16 % 11];
        switch (pick % 10) {
        case 0:
            edit_backspace(&e);
            break;
        case 1:
            edit_left(&e);
            break;
        case 2:
            edit_right(&e);
            break;
        case 3:
            edit_up(&e);
            break;
        case 4:
            edit_down(&e);
            break;
        case 5:
            edit_delete(&e);
            break;
        case 6:
            edit_word_left(&e);
            break;
        default:
            if (edit_insert(&e, part, strlen(part)) == ERR_LIMIT && pick % 3 == 0)
                edit_kill_to_start(&e);
        }
        assert_true(str_is_utf8(edit_text(&e), edit_len(&e)));
        assert_true(edit_count(&e) <= 120);
        assert_true(at_boundary(&e));
        struct edit_row rows[256];
        size_t count = edit_rows(&e, 9, rows, 256);
        struct edit_place place = edit_place(&e, 9);
        assert_true((size_t)place.row < count);
        assert_true(e.at >= rows[place.row].start && e.at <= rows[place.row].end);
        assert_int_equal(rows[0].start, 0);
        for (size_t r = 1; r < count; r++)
            assert_int_equal(rows[r].start, rows[r - 1].end);
        assert_int_equal(rows[count - 1].end, edit_len(&e));
    }
    edit_fini(&e);
}

/* Case U7: the limit counts code points, and what does not fit is refused whole. */
static void the_limit_is_in_code_points(void **state)
{
    (void)state;
    struct edit e;
    char *many = calloc(900, 4);
    edit_init(&e, 800, false);
    for (int i = 0; i < 900; i++)
        memcpy(many + 4 * i, "\xF0\x9F\x98\x80", 4);
    assert_int_equal(edit_insert(&e, many, 4 * 800), ERR_OK);
    assert_int_equal(edit_len(&e), 3200);
    assert_int_equal(edit_count(&e), 800);
    assert_int_equal(edit_insert(&e, "x", 1), ERR_LIMIT);
    assert_true(e.refused);
    edit_backspace(&e);
    assert_false(e.refused);
    put(&e, "x");
    edit_clear(&e);
    assert_int_equal(edit_insert(&e, many, 4 * 900), ERR_LIMIT);
    assert_string_equal(edit_text(&e), "");
    assert_true(e.refused);
    free(many);
    edit_fini(&e);
}

static void line_ends_and_control_bytes_are_made_plain(void **state)
{
    (void)state;
    struct edit e;
    edit_init(&e, 100, false);
    assert_int_equal(edit_insert(&e,
                                 "a\r\nb\rc\nd\te\x1b[2J\0\x7f\xC2\x9B\xFF"
                                 "f",
                                 21),
                     ERR_OK);
    assert_string_equal(edit_text(&e), "a\nb\nc\nd e[2Jf");
    edit_fini(&e);
    edit_init(&e, 100, true);
    put(&e, "a\r\nb\n");
    assert_string_equal(edit_text(&e), "a b ");
    edit_fini(&e);
}

static void text_wraps_at_blanks(void **state)
{
    (void)state;
    struct edit e;
    struct edit_row rows[8];
    edit_init(&e, 100, false);
    put(&e, "take the blue one\nabcdefghijkl");
    static const char *const want[] = {"take the", "blue one", "abcdefgh", "ijkl"};
    /* "take the " hangs its blank over the edge; the line end closes "blue one". */
    assert_int_equal(edit_rows(&e, 8, rows, 8), 4);
    size_t seen = 0;
    for (size_t i = 0; i < 4; i++) {
        size_t len = strlen(want[i]);
        assert_memory_equal(edit_text(&e) + rows[i].start, want[i], len);
        seen += rows[i].end - rows[i].start;
    }
    assert_int_equal(seen, edit_len(&e));
    edit_fini(&e);
}

static void moves_by_rows_keep_their_column(void **state)
{
    (void)state;
    struct edit e;
    edit_init(&e, 100, false);
    e.width_cells = 20;
    put(&e, "long first line\nab\nlong third line");
    edit_text_start(&e);
    for (int i = 0; i < 7; i++)
        edit_right(&e);
    assert_true(edit_down(&e));
    assert_int_equal(e.at, 18); /* at the end of "ab" */
    assert_true(edit_down(&e));
    assert_int_equal(edit_place(&e, 20).cells, 7);
    assert_false(edit_down(&e));
    assert_true(edit_up(&e));
    assert_true(edit_up(&e));
    assert_int_equal(e.at, 7);
    edit_home(&e);
    assert_int_equal(e.at, 0);
    edit_end(&e);
    assert_int_equal(e.at, 15);
    put(&e, "\n");
    assert_true(edit_up(&e));
    edit_text_end(&e);
    put(&e, "\n");
    assert_int_equal(edit_place(&e, 20).cells, 0);
    assert_true(edit_up(&e));
    edit_fini(&e);
}

static void words_and_lines_can_be_taken_away(void **state)
{
    (void)state;
    struct edit e;
    edit_init(&e, 100, false);
    put(&e, "one two  three");
    edit_backspace_word(&e);
    assert_string_equal(edit_text(&e), "one two  ");
    edit_backspace_word(&e);
    assert_string_equal(edit_text(&e), "one ");
    put(&e, "x\ny z");
    edit_word_left(&e);
    edit_kill_to_start(&e);
    assert_string_equal(edit_text(&e), "one x\nz");
    edit_text_start(&e);
    edit_word_right(&e);
    edit_kill_to_end(&e);
    assert_string_equal(edit_text(&e), "one\nz");
    edit_delete(&e);
    assert_string_equal(edit_text(&e), "onez");
    edit_fini(&e);
}

static void without_memory_nothing_changes(void **state)
{
    (void)state;
    for (unsigned long nth = 1; nth <= 2; nth++) {
        struct edit e;
        edit_init(&e, 100, false);
        put(&e, "abc");
        alloc_fail_nth(nth);
        enum err err = edit_insert(&e, "d", 1);
        alloc_fail_nth(0);
        assert_int_equal(err, ERR_MEMORY);
        assert_string_equal(edit_text(&e), "abc");
        assert_int_equal(edit_set(&e, "xyz"), ERR_OK);
        assert_string_equal(edit_text(&e), "xyz");
        edit_fini(&e);
    }
}

static void hidden_characters_count_one_cell(void **state)
{
    (void)state;
    bool hidden;
    assert_int_equal(edit_cluster_cells("\xE2\x80\xAE", 3, &hidden), 1);
    assert_true(hidden);
    assert_int_equal(edit_cluster_cells("世", 3, &hidden), 2);
    assert_false(hidden);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fresh_text_is_empty),
        cmocka_unit_test(backspace_takes_whole_characters),
        cmocka_unit_test(a_mark_typed_after_its_letter_joins_it),
        cmocka_unit_test(random_edits_keep_the_invariants),
        cmocka_unit_test(the_limit_is_in_code_points),
        cmocka_unit_test(line_ends_and_control_bytes_are_made_plain),
        cmocka_unit_test(text_wraps_at_blanks),
        cmocka_unit_test(moves_by_rows_keep_their_column),
        cmocka_unit_test(words_and_lines_can_be_taken_away),
        cmocka_unit_test(without_memory_nothing_changes),
        cmocka_unit_test(hidden_characters_count_one_cell),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
