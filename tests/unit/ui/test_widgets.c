/* SPDX-License-Identifier: Apache-2.0 */
/* Widgets: what they show when room is short, and that nothing ever leaves its place. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "ui/qr.h"
#include "ui/widget_editor.h"
#include "ui/widget_keys.h"
#include "ui/widget_list.h"
#include "ui/widget_secret.h"
#include "ui/widget_table.h"
#include "ui/widget_text.h"
#include "ui/widget_track.h"

static void expect(const struct canvas *c, const char *text)
{
    struct buf out;
    buf_init(&out, 1 << 20);
    assert_int_equal(canvas_dump_text(c, &out), ERR_OK);
    assert_string_equal(buf_view(&out), text);
    buf_fini(&out);
}

static void the_selected_item_is_visible(void **state)
{
    (void)state;
    for (int count = 0; count < 12; count++) {
        for (int page = 1; page < 12; page++) {
            for (int top = -2; top < 14; top++) {
                for (int selected = -1; selected < count; selected++) {
                    int t = widget_list_top(top, selected, count, page);
                    assert_true(t >= 0);
                    assert_true(selected < 0 || (selected >= t && selected < t + page));
                    assert_true(count < page ? t == 0 : t <= count - page);
                    bool was_fine = top >= 0 && top <= (count > page ? count - page : 0) &&
                                    (selected < 0 || (selected >= top && selected < top + page));
                    assert_true(!was_fine || t == top);
                }
            }
        }
    }
}

static void draw_number(void *ctx, struct canvas *c, struct canvas_rect area, int index,
                        bool selected)
{
    (void)ctx;
    char text[16];
    snprintf(text, sizeof(text), "%s%d", selected ? "*" : "", index);
    canvas_put(c, area.x, area.y, THEME_DEFAULT, text);
    canvas_put(c, area.x, area.y + 1, THEME_DEFAULT, "more than fits here");
}

static void a_list_marks_its_selection(void **state)
{
    (void)state;
    struct canvas *c = canvas_new(12, 6, false);
    struct widget_list list = {
        .count = 5, .item_rows = 2, .selected = 2, .top = 0, .focused = true, .row = draw_number};
    assert_int_equal(widget_list_draw(c, (struct canvas_rect){1, 0, 10, 5}, &list), 1);
    expect(c, "  1\n  more than\n ▌*2\n ▌more than\n   2 more\n\n");
    assert_int_equal(canvas_cursor_view(c).y, 2);
    assert_false(canvas_cursor_view(c).insertion);
    canvas_clear(c);
    assert_int_equal(widget_list_draw(c, (struct canvas_rect){1, 0, 10, 1}, &list), 0);
    expect(c, "\n\n\n\n\n\n");
    canvas_free(c);
}

static void the_editor_keeps_its_cursor_in_view(void **state)
{
    (void)state;
    struct canvas *c = canvas_new(12, 4, false);
    struct canvas_rect area = {1, 1, 10, 2};
    struct edit e;
    char count[48];
    edit_init(&e, 30, false);
    assert_int_equal(widget_editor_draw(c, area, &e, true, "write"), 1);
    expect(c, "\n  write\n\n\n");
    assert_int_equal(canvas_cursor_view(c).x, 1);
    assert_true(canvas_cursor_view(c).insertion);
    assert_int_equal(edit_insert(&e, "one two three four five", 23), ERR_OK);
    canvas_clear(c);
    assert_int_equal(widget_editor_draw(c, area, &e, true, "write"), 3);
    expect(c, "\n three\n four five\n\n");
    assert_int_equal(canvas_cursor_view(c).x, 10);
    assert_int_equal(canvas_cursor_view(c).y, 2);
    assert_int_equal(edit_insert(&e, "more than thirty", 16), ERR_LIMIT);
    widget_editor_count(&e, count, sizeof(count));
    assert_string_equal(count, "23 of 30, more does not fit");
    edit_fini(&e);
    canvas_free(c);
}

/* Case U2: the cell of the cursor is where the next character comes. */
static void the_cursor_follows_cells(void **state)
{
    (void)state;
    struct canvas *c = canvas_new(30, 2, false);
    struct edit e;
    edit_init(&e, 100, false);
    const char *text = "e\xCC\x81👨‍👩‍👧🇮🇳\xE2\x80\xAE"
                       "a";
    assert_int_equal(edit_insert(&e, text, strlen(text)), ERR_OK);
    widget_editor_draw(c, (struct canvas_rect){0, 0, 30, 2}, &e, true, NULL);
    assert_int_equal(canvas_cursor_view(c).x, 1 + 2 + 2 + 1 + 1);
    assert_memory_equal(canvas_cell_view(c, 6, 0)->bytes, "a", 1);
    assert_memory_equal(canvas_cell_view(c, 5, 0)->bytes, "\xEF\xBF\xBD", 3);
    edit_fini(&e);
    canvas_free(c);
}

static void a_line_field_scrolls_sideways(void **state)
{
    (void)state;
    struct canvas *c = canvas_new(20, 1, false);
    struct edit e;
    edit_init(&e, 100, true);
    assert_int_equal(edit_insert(&e, "order-1234567890", 16), ERR_OK);
    widget_editor_draw_line(c, (struct canvas_rect){0, 0, 18, 1}, "Reference", 10, &e, true);
    expect(c, "Reference 4567890\n");
    assert_int_equal(canvas_cursor_view(c).x, 17);
    edit_text_start(&e);
    widget_editor_draw_line(c, (struct canvas_rect){0, 0, 18, 1}, "Reference", 10, &e, true);
    expect(c, "Reference order-12\n");
    assert_int_equal(canvas_cursor_view(c).x, 10);
    edit_fini(&e);
    canvas_free(c);
}

static void a_code_being_typed_is_only_counted(void **state)
{
    (void)state;
    struct canvas *c = canvas_new(10, 1, false);
    widget_secret_draw_input(c, (struct canvas_rect){0, 0, 8, 1}, 6, true);
    expect(c, "••••••\n");
    assert_int_equal(canvas_cursor_view(c).x, 6);
    widget_secret_draw_input(c, (struct canvas_rect){0, 0, 8, 1}, 600, true);
    expect(c, "•••••••\n");
    canvas_free(c);
}

static void a_track_keeps_where_it_stands(void **state)
{
    (void)state;
    static const struct widget_track_step steps[] = {
        {"approved", CANVAS_GLYPH_WELL},   {"prepared", CANVAS_GLYPH_WELL},
        {"question", CANVAS_GLYPH_ANSWER}, {"ready", CANVAS_GLYPH_AHEAD},
        {"done", CANVAS_GLYPH_AHEAD},
    };
    struct canvas *c = canvas_new(80, 1, false);
    static const struct {
        int width;
        const char *text;
    } fits[] = {
        {80, "✓ approved ── ✓ prepared ── ? question ── ○ ready ── ○ done\n"},
        {56, "✓ approved ─ ✓ prepared ─ ? question ─ ○ ready ─ ○ done\n"},
        {50, "✓ approved ─ ✓ prepared ─ ? question ─ ○ done\n"},
        {32, "✓ prepared ─ ? question ─ ○ done\n"},
        {20, "? question ─ ○ done\n"},
        {12, "? question\n"},
        {6, "? que…\n"},
        {0, "\n"},
    };
    for (size_t i = 0; i < sizeof(fits) / sizeof(fits[0]); i++) {
        canvas_clear(c);
        assert_true(widget_track_draw(c, 0, 0, fits[i].width, steps, 5) <= fits[i].width);
        expect(c, fits[i].text);
    }
    canvas_free(c);
}

static int table_width(const struct widget_table *t)
{
    int used = 0;
    for (int i = 0; i < t->count; i++)
        used += t->widths[i] ? t->widths[i] + (used ? t->gap : 0) : 0;
    return used;
}

static void columns_share_any_width(void **state)
{
    (void)state;
    struct widget_table t = {
        .columns = {{"when", 12, 12, 0, false},
                    {"title", 10, 0, 0, false},
                    {"agent", 8, 20, 1, false},
                    {"kind", 8, 8, 2, false},
                    {"amount", 12, 12, 0, true}},
        .count = 5,
        .gap = 2,
    };
    for (int width = 0; width <= 300; width++) {
        widget_table_fit(&t, width);
        assert_true(table_width(&t) <= width);
        assert_true(width < 38 || t.widths[4] == 12);
        assert_true(width < 58 || table_width(&t) == width);
        assert_true(t.widths[2] <= 20);
        assert_true(t.widths[3] == 0 || t.widths[2] > 0);
    }
    struct canvas *c = canvas_new(40, 2, false);
    static const char *const cells[] = {"30 Nov 13:02", "Metro Tickets", NULL, NULL, "−₹450.00"};
    static const unsigned styles[5] = {0};
    widget_table_fit(&t, 40);
    widget_table_draw_titles(c, 0, 0, &t);
    widget_table_draw_row(c, 0, 1, &t, cells, styles);
    expect(c, "when          title               amount\n"
              "30 Nov 13:02  Metro Ticke…      −₹450.00\n");
    canvas_free(c);
}

static void the_key_line_shows_whole_keys(void **state)
{
    (void)state;
    static const struct widget_key keys[] = {
        {"Enter", "write"}, {"Ctrl-S", "review and send"}, {"x", "cancel"}, {"?", "help"}};
    struct canvas *c = canvas_new(60, 1, false);
    static const struct {
        int width, drawn;
        const char *text;
    } fits[] = {
        {60, 4, " Enter write  Ctrl-S review and send  x cancel  ? help\n"},
        {46, 3, " Enter write  Ctrl-S review and send  ? help\n"},
        {40, 2, " Enter write  ? help\n"},
        {10, 1, " ? help\n"},
    };
    for (size_t i = 0; i < sizeof(fits) / sizeof(fits[0]); i++) {
        canvas_clear(c);
        struct canvas_rect area = {0, 0, fits[i].width, 1};
        assert_int_equal(widget_keys_draw(c, area, keys, 4), fits[i].drawn);
        expect(c, fits[i].text);
    }
    canvas_free(c);
}

static void text_scrolls_within_its_rows(void **state)
{
    (void)state;
    struct canvas *c = canvas_new(12, 2, false);
    int top = 50;
    assert_int_equal(widget_text_draw(c, canvas_bounds(c), THEME_DEFAULT, "a\nb\nc\nd", &top), 4);
    assert_int_equal(top, 2);
    expect(c, "c          ⋮\nd\n");
    top = -3;
    canvas_clear(c);
    widget_text_draw(c, canvas_bounds(c), THEME_DEFAULT, "a\nb\nc\nd", &top);
    assert_int_equal(top, 0);
    expect(c, "a\nb          ⋮\n");
    canvas_clear(c);
    assert_int_equal(
        widget_text_draw_fact(c, canvas_bounds(c), 4, "To", THEME_DEFAULT, "Envoy, for a"), 2);
    expect(c, "To  Envoy,\n    for a\n");
    canvas_free(c);
}

static void a_dialog_has_a_frame_and_room(void **state)
{
    (void)state;
    struct canvas *c = canvas_new(20, 9, false);
    canvas_put(c, 0, 4, THEME_DEFAULT, "what lies below it all");
    struct canvas_rect inner = widget_text_dialog(c, (struct canvas_rect){2, 1, 16, 7}, "Review");
    canvas_put(c, inner.x, inner.y, THEME_DEFAULT, "x");
    assert_int_equal(inner.w, 12);
    assert_int_equal(inner.h, 3);
    expect(c, "\n  ── Review ──────\n\n    x\nw                  a\n\n\n  ────────────────\n\n");
    canvas_free(c);
}

/* Reads the modules back from the cells and compares with what the other form draws. */
static bool is_dark_at(const struct canvas *c, int column, int row)
{
    if (canvas_is_ascii(c)) {
        const struct canvas_cell *cell = canvas_cell_view(c, 2 * column, row);
        return cell->style == THEME_QR_DARK;
    }
    const struct canvas_cell *cell = canvas_cell_view(c, column, row / 2);
    bool full = memcmp(cell->bytes, "█", 3) == 0;
    bool half = memcmp(cell->bytes, row % 2 ? "▄" : "▀", 3) == 0;
    return cell->len == 3 && (full || half);
}

static void a_qr_code_is_whole_in_both_forms(void **state)
{
    (void)state;
    const char *link = "https://pay.example.test/l/7Q2K9";
    int w;
    int h;
    int ascii_w;
    int ascii_h;
    assert_int_equal(qr_measure(link, false, &w, &h), ERR_OK);
    assert_int_equal(qr_measure(link, true, &ascii_w, &ascii_h), ERR_OK);
    assert_int_equal(ascii_w, 2 * w);
    assert_int_equal(h, (ascii_h + 1) / 2);
    struct canvas *utf8 = canvas_new(w, h, false);
    struct canvas *ascii = canvas_new(ascii_w, ascii_h, true);
    assert_int_equal(qr_draw(utf8, canvas_bounds(utf8), link), ERR_OK);
    assert_int_equal(qr_draw(ascii, canvas_bounds(ascii), link), ERR_OK);
    int dark = 0;
    for (int row = 0; row < w; row++) {
        for (int column = 0; column < w; column++) {
            bool is_border = row < 2 || column < 2 || row >= w - 2 || column >= w - 2;
            assert_int_equal(is_dark_at(utf8, column, row), is_dark_at(ascii, column, row));
            assert_false(is_border && is_dark_at(utf8, column, row));
            dark += is_dark_at(utf8, column, row);
        }
    }
    assert_in_range(dark, w * w / 4, w * w * 2 / 3);
    /* The corner of a finder pattern: seven dark modules in a row, then a light one. */
    for (int i = 2; i < 9; i++)
        assert_true(is_dark_at(utf8, i, 2));
    assert_false(is_dark_at(utf8, 9, 2));
    canvas_free(utf8);
    canvas_free(ascii);
}

static void a_qr_code_without_room_is_not_drawn(void **state)
{
    (void)state;
    char huge[QR_TEXT_MAX + 2];
    int w;
    int h;
    struct canvas *c = canvas_new(20, 10, false);
    assert_int_equal(qr_draw(c, canvas_bounds(c), "https://pay.example.test/l/7Q2K9"), ERR_LIMIT);
    expect(c, "\n\n\n\n\n\n\n\n\n\n");
    memset(huge, 'x', sizeof(huge) - 1);
    huge[sizeof(huge) - 1] = '\0';
    assert_int_equal(qr_measure(huge, false, &w, &h), ERR_LIMIT);
    assert_int_equal(qr_measure("", false, &w, &h), ERR_LIMIT);
    canvas_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_selected_item_is_visible),
        cmocka_unit_test(a_list_marks_its_selection),
        cmocka_unit_test(the_editor_keeps_its_cursor_in_view),
        cmocka_unit_test(the_cursor_follows_cells),
        cmocka_unit_test(a_line_field_scrolls_sideways),
        cmocka_unit_test(a_code_being_typed_is_only_counted),
        cmocka_unit_test(a_track_keeps_where_it_stands),
        cmocka_unit_test(columns_share_any_width),
        cmocka_unit_test(the_key_line_shows_whole_keys),
        cmocka_unit_test(text_scrolls_within_its_rows),
        cmocka_unit_test(a_dialog_has_a_frame_and_room),
        cmocka_unit_test(a_qr_code_is_whole_in_both_forms),
        cmocka_unit_test(a_qr_code_without_room_is_not_drawn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
