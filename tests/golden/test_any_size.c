/* SPDX-License-Identifier: Apache-2.0 */
/* What holds at every size (cases R1, R2, U1, U8, P1, S6): nothing is drawn outside, the cursor
 * stands inside, an amount is whole or absent, and no cell ever holds a part of a secret. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "core/str.h"
#include "support/fixture.h"
#include "ui/layout.h"
#include "ui/screen.h"

static void card(struct model *m)
{
    struct model_purchase *p;

    fixture_busy(m);
    p = fixture_purchase(m, "Cable Corner", "USB cable", 249900, CONTRACT_STATE_READY);
    fixture_row(p, fixture_at(14, 1, 2), TIMELINE_STATE, CONTRACT_STATE_READY,
                CONTRACT_MONEY_DEBITED, "Your card is ready.");
    fixture_card(m, p, fixture_at(14, 33, 0), fixture_ago(-105));
    fixture_select(m, "Cable Corner", MODEL_PANE_NEED);
    m->reveal.on = true;
    m->reveal.field = HANDOUT_NUMBER;
    m->reveal.until_mono = m->now_mono + 7000;
    str_copy(m->reveal.purchase, sizeof m->reveal.purchase, p->id);
}

static void voucher(struct model *m)
{
    card(m);
    handout_free(fixture_find(m, "Cable Corner")->handout);
    fixture_voucher(m, fixture_find(m, "Cable Corner"));
}

static void link_task(struct model *m)
{
    fixture_busy(m);
    fixture_select(m, "Fresh Grocer", MODEL_PANE_NEED);
}

static void disagreeing(struct model *m)
{
    fixture_busy(m);
    fixture_select(m, "Bazaar <U+202E>Direct", MODEL_PANE_TIMELINE);
}

static void account(struct model *m)
{
    fixture_busy(m);
    m->view = MODEL_VIEW_ACCOUNT;
}

static void transactions(struct model *m)
{
    fixture_busy(m);
    fixture_lines(m, 60);
    m->view = MODEL_VIEW_TRANSACTIONS;
}

static void questions(struct model *m)
{
    fixture_busy(m);
    m->view = MODEL_VIEW_QUESTIONS;
}

static void activity(struct model *m)
{
    fixture_busy(m);
    fixture_activity(m);
    m->view = MODEL_VIEW_ACTIVITY;
}

static void (*const scenes[])(struct model *) = {fixture_busy, card,        voucher,
                                                 link_task,    disagreeing, account,
                                                 transactions, questions,   activity};
#define SCENES (sizeof scenes / sizeof scenes[0])

/* "₹" is followed by digits and commas, a point and two digits. */
static void check_amounts(const char *screen)
{
    for (const char *at = strstr(screen, "₹"); at; at = strstr(at, "₹")) {
        at += strlen("₹");
        size_t whole = strspn(at, "0123456789,");

        if (whole == 0 || at[whole] != '.' || strspn(at + whole + 1, "0123456789") != 2)
            fail_msg("an amount is cut: %.24s", at);
    }
}

/* Parts of the synthetic card, its codes and the voucher, with and without their grouping. */
static void check_secrets(const char *screen)
{
    static const char *const parts[] = {"6521", "5500",   "0000 4242", "737",  "11/29",
                                        "2029", "481516", "FG-SYNTH",  "9913", "271828"};

    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        assert_null(strstr(screen, parts[i]));
}

static void check_frame(struct model *m, struct canvas *c, const struct theme *theme)
{
    struct buf text;
    struct canvas_cursor_at at;

    screen_draw(m, c, theme);
    at = canvas_cursor_view(c);
    assert_true(at.placed);
    assert_true(at.x >= 0 && at.x < canvas_width(c));
    assert_true(at.y >= 0 && at.y < canvas_height(c));
    buf_init(&text, 1u << 20);
    assert_int_equal(canvas_dump_text(c, &text), ERR_OK);
    check_amounts(buf_view(&text));
    check_secrets(buf_view(&text));
    if (canvas_width(c) < LAYOUT_MIN_WIDTH || canvas_height(c) < LAYOUT_MIN_HEIGHT)
        assert_null(strstr(buf_view(&text), "₹"));
    else
        assert_non_null(strstr(buf_view(&text), " DEMO "));
    buf_fini(&text);
}

static void each_scene_at_each_size(void **state)
{
    static const int widths[] = {1,  2,  7,  20,  40,  59,  60,  61,  70,  79,  80,
                                 81, 95, 99, 110, 119, 120, 139, 159, 160, 200, 300};
    static const int heights[] = {1, 2, 5, 12, 15, 16, 17, 20, 23, 24, 25, 31, 40, 45, 100};
    struct theme theme;

    (void)state;
    assert_true(theme_builtin(&theme, "mono"));
    for (size_t s = 0; s < SCENES; s++) {
        struct model *m = calloc(1, sizeof *m);
        struct canvas *c = canvas_new(1, 1, false);

        assert_non_null(m);
        assert_non_null(c);
        fixture_open(m, 80, 24);
        scenes[s](m);
        for (size_t w = 0; w < sizeof widths / sizeof widths[0]; w++) {
            for (size_t h = 0; h < sizeof heights / sizeof heights[0]; h++) {
                assert_int_equal(canvas_resize(c, widths[w], heights[h]), ERR_OK);
                m->width_cells = widths[w];
                m->height_cells = heights[h];
                for (int pane = 0; pane < MODEL_PANE_COUNT; pane++) {
                    m->pane = (enum model_pane)pane;
                    check_frame(m, c, &theme);
                }
            }
        }
        canvas_free(c);
        fixture_close(m);
        free(m);
    }
}

static void each_dialog_at_each_size(void **state)
{
    static const int sizes[][2] = {{60, 16}, {61, 17}, {80, 24}, {100, 20}, {120, 40}, {200, 60}};
    struct theme theme;
    struct model *m = calloc(1, sizeof *m);
    struct canvas *c = canvas_new(1, 1, false);

    (void)state;
    assert_non_null(m);
    assert_non_null(c);
    assert_true(theme_builtin(&theme, "mono"));
    fixture_open(m, 80, 24);
    fixture_activity(m);
    fixture_lines(m, 3);
    card(m);
    for (int d = MODEL_DIALOG_HELP; d <= MODEL_DIALOG_CALL; d++) {
        for (int about = 0; about < 3; about++) {
            m->dialogs[0] = (enum model_dialog)d;
            m->dialog_count = 1;
            str_copy(m->form.purchase, sizeof m->form.purchase,
                     about == 0   ? m->selected
                     : about == 1 ? fixture_find(m, "Fresh Grocer")->id
                                  : "pur_gone");
            for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
                assert_int_equal(canvas_resize(c, sizes[i][0], sizes[i][1]), ERR_OK);
                m->width_cells = sizes[i][0];
                m->height_cells = sizes[i][1];
                check_frame(m, c, &theme);
            }
        }
    }
    canvas_free(c);
    fixture_close(m);
    free(m);
}

/* The place of a reveal exists wherever the mask of the field is drawn whole. */
static void a_slot_lies_where_the_mask_is(void **state)
{
    struct theme theme;
    struct model *m = calloc(1, sizeof *m);
    struct canvas *c = canvas_new(80, 24, false);
    struct canvas_rect area;

    (void)state;
    assert_non_null(m);
    assert_non_null(c);
    assert_true(theme_builtin(&theme, "mono"));
    fixture_open(m, 80, 24);
    card(m);
    screen_draw(m, c, &theme);
    assert_true(canvas_secret_find(c, HANDOUT_NUMBER, &area));
    assert_int_equal(area.w, 19);
    assert_memory_equal(canvas_cell_view(c, area.x, area.y)->bytes, "•", strlen("•"));
    assert_true(canvas_secret_find(c, HANDOUT_CVV, &area));
    assert_true(canvas_secret_find(c, HANDOUT_CODE, &area));
    m->dialogs[0] = MODEL_DIALOG_HELP;
    m->dialog_count = 1;
    screen_draw(m, c, &theme);
    assert_false(canvas_secret_find(c, HANDOUT_NUMBER, &area));
    m->dialog_count = 0;
    m->view = MODEL_VIEW_ACCOUNT;
    screen_draw(m, c, &theme);
    assert_false(canvas_secret_find(c, HANDOUT_NUMBER, &area));
    canvas_free(c);
    fixture_close(m);
    free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_scene_at_each_size),
        cmocka_unit_test(each_dialog_at_each_size),
        cmocka_unit_test(a_slot_lies_where_the_mask_is),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
