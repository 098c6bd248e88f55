/* SPDX-License-Identifier: Apache-2.0 */
/* Golden screens of the dialogs. What counts: a dialog names what it is about, says what will
 * happen, and no choice that does something is made beforehand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include "core/str.h"
#include "support/fixture.h"
#include "support/scene.h"

#define MOST_SIZES (SCENE_USUAL | SCENE_60)

static void open_dialog(struct model *m, enum model_dialog dialog)
{
    const struct model_purchase *p = model_selected(m);

    m->dialogs[m->dialog_count++] = dialog;
    m->form.opened_mono = m->now_mono - 2000;
    str_copy(m->form.purchase, sizeof m->form.purchase, m->selected);
    if (p && p->snap && p->snap->question.open)
        str_copy(m->form.question, sizeof m->form.question, p->snap->question.id);
}

static void set_field(struct model *m, int index, const char *text)
{
    edit_init(&m->form.field[index], 128, true);
    assert_int_equal(edit_set(&m->form.field[index], text), ERR_OK);
    if (m->form.field_count <= index)
        m->form.field_count = index + 1;
}

static void review(struct model *m)
{
    fixture_day(m);
    fixture_draft(model_find(m, m->selected), "Take the blue one");
    open_dialog(m, MODEL_DIALOG_REVIEW);
}

static void review_long(struct model *m)
{
    char text[801];

    fixture_day(m);
    for (size_t i = 0; i < sizeof text - 1; i++)
        text[i] = i % 8 == 7 ? ' ' : (char)('a' + i / 8 % 26);
    text[sizeof text - 1] = '\0';
    fixture_draft(model_find(m, m->selected), text);
    open_dialog(m, MODEL_DIALOG_REVIEW);
    m->form.choice = 2;
}

static void review_problem(struct model *m)
{
    review(m);
    str_copy(m->form.problem, sizeof m->form.problem,
             "This looks like a card number. It is not sent.");
}

static void review_code(struct model *m)
{
    fixture_day(m);
    fixture_question(model_find(m, m->selected), CONTRACT_QUESTION_OTP,
                     "Enter the sign-in code that Example Store sent to your phone.",
                     fixture_at(14, 1, 53));
    model_find(m, m->selected)->secret_chars = 6;
    open_dialog(m, MODEL_DIALOG_REVIEW);
}

static void review_gone(struct model *m)
{
    review(m);
    model_find(m, m->selected)->snap->question.open = false;
}

static void help(struct model *m)
{
    fixture_day(m);
    open_dialog(m, MODEL_DIALOG_HELP);
}

static void help_scrolled(struct model *m)
{
    help(m);
    m->help_top = 12;
}

static void palette(struct model *m)
{
    fixture_day(m);
    open_dialog(m, MODEL_DIALOG_PALETTE);
    edit_init(&m->palette, 60, true);
    assert_int_equal(edit_set(&m->palette, "re"), ERR_OK);
    m->palette_choice = 1;
}

static void palette_nothing(struct model *m)
{
    palette(m);
    assert_int_equal(edit_set(&m->palette, "no such thing"), ERR_OK);
}

static void cancel(struct model *m)
{
    fixture_day(m);
    open_dialog(m, MODEL_DIALOG_CANCEL);
}

static void with_card(struct model *m)
{
    struct model_purchase *p;

    fixture_day(m);
    p = fixture_purchase(m, "Cable Corner", "USB cable", 249900, CONTRACT_STATE_READY);
    fixture_row(p, fixture_at(14, 1, 2), TIMELINE_STATE, CONTRACT_STATE_READY,
                CONTRACT_MONEY_DEBITED, "Your card is ready.");
    fixture_card(m, p, fixture_at(14, 33, 0), fixture_ago(-105));
    fixture_select(m, "Cable Corner", MODEL_PANE_NEED);
}

static void paid(struct model *m)
{
    with_card(m);
    open_dialog(m, MODEL_DIALOG_PAID);
    set_field(m, 0, "CC-4711");
    set_field(m, 1, "2499.00x");
    m->form.focus = 1;
    str_copy(m->form.problem, sizeof m->form.problem, "Amount paid: not an amount in rupees.");
}

static void failed(struct model *m)
{
    with_card(m);
    open_dialog(m, MODEL_DIALOG_FAILED);
    m->form.choice = CONTRACT_FAILURE_OTHER;
}

static void steps(struct model *m)
{
    with_card(m);
    model_find(m, m->selected)->steps_done = 1u << CONTRACT_STEP_MERCHANT_OPENED;
    open_dialog(m, MODEL_DIALOG_STEPS);
    m->form.choice = 1;
}

static void quit(struct model *m)
{
    fixture_day(m);
    fixture_draft(model_find(m, m->selected), "Take the blue one");
    fixture_write(model_find(m, m->selected), MODEL_WRITE_CANCEL, MODEL_WRITE_SENT, "");
    open_dialog(m, MODEL_DIALOG_QUIT);
    m->form.choice = 1;
}

static void filter(struct model *m)
{
    fixture_day(m);
    open_dialog(m, MODEL_DIALOG_FILTER);
    set_field(m, 0, "grocer");
}

static void dates(struct model *m)
{
    fixture_day(m);
    fixture_lines(m, 20);
    m->view = MODEL_VIEW_TRANSACTIONS;
    open_dialog(m, MODEL_DIALOG_DATES);
    set_field(m, 0, "2026-11-01");
    set_field(m, 1, "2026-10-01");
    set_field(m, 2, "20");
    m->form.focus = 1;
    str_copy(m->form.problem, sizeof m->form.problem, "To: is before From.");
}

static void line(struct model *m)
{
    fixture_day(m);
    fixture_lines(m, 20);
    m->view = MODEL_VIEW_TRANSACTIONS;
    open_dialog(m, MODEL_DIALOG_LINE);
}

static void export_lines(struct model *m)
{
    fixture_day(m);
    fixture_lines(m, 20);
    m->view = MODEL_VIEW_TRANSACTIONS;
    open_dialog(m, MODEL_DIALOG_EXPORT);
    set_field(m, 0, "transactions-2026-12-01.csv");
}

static void qr(struct model *m)
{
    fixture_day(m);
    fixture_select(m, "Fresh Grocer", MODEL_PANE_NEED);
    open_dialog(m, MODEL_DIALOG_QR);
}

static void call(struct model *m)
{
    fixture_day(m);
    fixture_activity(m);
    m->view = MODEL_VIEW_ACTIVITY;
    open_dialog(m, MODEL_DIALOG_CALL);
}

static void test_review(void **state)
{
    (void)state;
    scene_check("dialog_review", review, MOST_SIZES | SCENE_40 | SCENE_ASCII);
    scene_check("dialog_review_long", review_long, MOST_SIZES);
    scene_check("dialog_review_problem", review_problem, SCENE_80);
    scene_check("dialog_review_code", review_code, SCENE_80);
    scene_check("dialog_review_gone", review_gone, SCENE_80);
}

static void test_commands(void **state)
{
    (void)state;
    scene_check("dialog_help", help, MOST_SIZES);
    scene_check("dialog_help_scrolled", help_scrolled, SCENE_80);
    scene_check("dialog_palette", palette, MOST_SIZES);
    scene_check("dialog_palette_nothing", palette_nothing, SCENE_80);
}

static void test_reports(void **state)
{
    (void)state;
    scene_check("dialog_cancel", cancel, MOST_SIZES);
    scene_check("dialog_paid", paid, MOST_SIZES);
    scene_check("dialog_failed", failed, MOST_SIZES);
    scene_check("dialog_steps", steps, MOST_SIZES);
    scene_check("dialog_quit", quit, MOST_SIZES);
}

static void test_lists(void **state)
{
    (void)state;
    scene_check("dialog_filter", filter, MOST_SIZES);
    scene_check("dialog_dates", dates, MOST_SIZES);
    scene_check("dialog_line", line, MOST_SIZES);
    scene_check("dialog_export", export_lines, MOST_SIZES);
    scene_check("dialog_qr", qr, MOST_SIZES | SCENE_ASCII);
    scene_check("dialog_call", call, MOST_SIZES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_review),
        cmocka_unit_test(test_commands),
        cmocka_unit_test(test_reports),
        cmocka_unit_test(test_lists),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
