/* SPDX-License-Identifier: Apache-2.0 */
/* Golden screens of the Purchases view: the list in all its states, and each pane that a purchase
 * can need. What counts: amounts are whole, columns stand, every state has its word or glyph. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include "core/str.h"
#include "support/fixture.h"
#include "support/scene.h"

#define ALL_SIZES (SCENE_USUAL | SCENE_40 | SCENE_60 | SCENE_160 | SCENE_ASCII)

static struct model_purchase *selected(struct model *m)
{
    return model_find(m, m->selected);
}

/* ---- the list */

static void the_day(struct model *m)
{
    fixture_day(m);
    m->pane = MODEL_PANE_LIST;
}

static void busy(struct model *m)
{
    fixture_busy(m);
}

static void busy_wide_name(struct model *m)
{
    fixture_busy(m);
    fixture_select(m, "☕ Café மதுரை काफ़ी घर", MODEL_PANE_TIMELINE);
}

static void busy_unknown_state(struct model *m)
{
    fixture_busy(m);
    fixture_select(m, "Bazaar <U+202E>Direct", MODEL_PANE_TIMELINE);
}

static void busy_support(struct model *m)
{
    fixture_busy(m);
    fixture_select(m, "Lamp House", MODEL_PANE_LIST);
}

static void busy_stopped(struct model *m)
{
    fixture_busy(m);
    m->selected[0] = '\0';
    str_copy(m->selected, sizeof m->selected, m->purchases[7].id);
    m->pane = MODEL_PANE_TIMELINE;
}

static void nothing_yet(struct model *m)
{
    (void)m;
}

static void still_reading(struct model *m)
{
    m->list_read = false;
    m->link = MODEL_LINK_CONNECTING;
    m->last_good_mono = INT64_MIN;
}

static void list_in_trouble(struct model *m)
{
    fixture_day(m);
    str_copy(m->list_trouble, sizeof m->list_trouble,
             "Envoy is not available (503), next try in 12 s");
    m->list_truncated = true;
    m->pane = MODEL_PANE_LIST;
}

static void filtered(struct model *m)
{
    fixture_busy(m);
    str_copy(m->filter, sizeof m->filter, "book");
    fixture_select(m, "Corner Books", MODEL_PANE_LIST);
}

static void filtered_out(struct model *m)
{
    fixture_day(m);
    str_copy(m->filter, sizeof m->filter, "nobody has this");
    m->pane = MODEL_PANE_LIST;
}

static void listed_only(struct model *m)
{
    struct model_purchase *p;

    fixture_day(m);
    p = fixture_purchase(m, "Far Shop", "Tea", 25000, CONTRACT_STATE_READY);
    contract_purchase_free(p->snap);
    p->snap = NULL;
    p->stop = FOLLOW_READY;
    fixture_select(m, "Far Shop", MODEL_PANE_NEED);
}

/* ---- panes */

static void question(struct model *m)
{
    fixture_day(m);
}

static void question_editing(struct model *m)
{
    fixture_day(m);
    fixture_draft(selected(m), "Take the blue one");
    m->editing = true;
}

static void question_long(struct model *m)
{
    char text[700];

    fixture_day(m);
    memset(text, 0, sizeof text);
    for (int i = 0; i < 42; i++)
        memcpy(text + i * 16, "sixteen letters ", 16);
    fixture_draft(selected(m), text);
    m->editing = true;
}

static void question_refused(struct model *m)
{
    fixture_day(m);
    fixture_draft(selected(m), "Take the blue one");
    fixture_write(selected(m), MODEL_WRITE_ANSWER, MODEL_WRITE_REFUSED,
                  "The purchase has moved on: already answered or closed.");
}

static void question_kept(struct model *m)
{
    struct model_purchase *p;

    fixture_day(m);
    p = selected(m);
    fixture_draft(p, "Take the blue one");
    p->drafts[0].closed = true;
    str_copy(p->drafts[0].question, sizeof p->drafts[0].question, "q-older");
}

static void question_password(struct model *m)
{
    fixture_day(m);
    fixture_question(selected(m), CONTRACT_QUESTION_PASSWORD,
                     "The merchant asks for the password of your account.", fixture_at(14, 1, 53));
}

static void question_otp(struct model *m)
{
    fixture_day(m);
    fixture_question(selected(m), CONTRACT_QUESTION_OTP,
                     "Enter the sign-in code that Example Store sent to your phone.",
                     fixture_at(14, 1, 53));
    selected(m)->secret_chars = 4;
    m->editing = true;
}

static void question_read_only(struct model *m)
{
    fixture_day(m);
    m->set.read_only = true;
    m->set.demo = false;
    m->set.sim_control = false;
}

static void task_link(struct model *m)
{
    fixture_day(m);
    fixture_select(m, "Fresh Grocer", MODEL_PANE_NEED);
}

static void task_link_late(struct model *m)
{
    struct model_purchase *p;

    fixture_day(m);
    fixture_select(m, "Fresh Grocer", MODEL_PANE_NEED);
    p = selected(m);
    fixture_pay_link(p, 114000, fixture_ago(3));
    p->by_ms = fixture_ago(3);
}

static void task_approve(struct model *m)
{
    struct model_purchase *p;

    fixture_day(m);
    p = fixture_purchase(m, "Lamp House", "Desk lamp", 150000, CONTRACT_STATE_WAITING_FOR_USER);
    fixture_row(p, fixture_at(14, 1, 30), TIMELINE_STATE, CONTRACT_STATE_WAITING_FOR_USER,
                CONTRACT_MONEY_NOT_STARTED, "Approve this purchase in the Envoy app.");
    fixture_task(p, CONTRACT_TASK_APPROVE,
                 "Approve Desk lamp from Lamp House for ₹1,500.00 in the Envoy app.",
                 fixture_at(14, 16, 30));
    fixture_held(m, p, 31, 2, fixture_at(14, 16, 30));
    p->missed = 2;
    fixture_select(m, "Lamp House", MODEL_PANE_NEED);
}

static void task_unknown(struct model *m)
{
    task_approve(m);
    fixture_unrecognised(&selected(m)->snap->user_task, "sign_form");
    selected(m)->snap->approval_decide_by_ms = CLOCK_NONE;
    selected(m)->action.by_ms = CLOCK_NONE;
    selected(m)->missed = 0;
}

static struct model_purchase *ready_one(struct model *m)
{
    struct model_purchase *p;

    fixture_day(m);
    p = fixture_purchase(m, "Cable Corner", "USB cable", 249900, CONTRACT_STATE_READY);
    fixture_row(p, fixture_at(14, 0, 0), TIMELINE_STATE, CONTRACT_STATE_WAITING_FOR_USER,
                CONTRACT_MONEY_NOT_STARTED, "Approve this purchase in the Envoy app.");
    fixture_row(p, fixture_at(14, 0, 48), TIMELINE_STATE, CONTRACT_STATE_PROCESSING,
                CONTRACT_MONEY_DEBITED, "Envoy is preparing the payment.");
    fixture_row(p, fixture_at(14, 1, 2), TIMELINE_STATE, CONTRACT_STATE_READY,
                CONTRACT_MONEY_DEBITED, "Your card is ready.");
    fixture_enum(&p->snap->money, CONTRACT_MONEY_DEBITED);
    p->stop = FOLLOW_READY;
    fixture_select(m, "Cable Corner", MODEL_PANE_NEED);
    return p;
}

static void card(struct model *m)
{
    fixture_card(m, ready_one(m), fixture_at(14, 33, 0), fixture_ago(-105));
}

static void card_revealed(struct model *m)
{
    card(m);
    m->reveal.on = true;
    m->reveal.field = HANDOUT_NUMBER;
    m->reveal.until_mono = m->now_mono + 7000;
    str_copy(m->reveal.purchase, sizeof m->reveal.purchase, m->selected);
}

static void card_late(struct model *m)
{
    struct model_purchase *p = ready_one(m);

    fixture_card(m, p, fixture_ago(1), fixture_ago(30));
    p->steps_done = 1u << CONTRACT_STEP_MERCHANT_OPENED | 1u << CONTRACT_STEP_CART_BUILT;
    p->vault_offer.args = NULL;
    fixture_text(&p->vault_offer.args, "{}");
    fixture_text(&p->vault_offer.why, "Save this card for the next purchase in the vault.");
}

static void card_elsewhere(struct model *m)
{
    ready_one(m);
}

static void card_wiped(struct model *m)
{
    ready_one(m)->handout_seen = true;
}

static void voucher(struct model *m)
{
    fixture_voucher(m, ready_one(m));
}

static void feedback(struct model *m)
{
    struct model_purchase *p;

    fixture_day(m);
    fixture_select(m, "Metro Tickets", MODEL_PANE_NEED);
    p = selected(m);
    p->snap->follow_up.open = true;
    str_copy(p->snap->follow_up.id, sizeof p->snap->follow_up.id, "feedback-1");
    fixture_enum(&p->snap->follow_up.kind, CONTRACT_FOLLOW_UP_FEEDBACK);
    fixture_text(&p->snap->follow_up.prompt,
                 "How did this purchase go? Rate it from 1 to 5 and add a few words.");
    fixture_text(&p->feedback_offer.args, "{}");
    fixture_draft(p, "Quick and easy.");
    p->drafts[0].rating = 4;
}

static void lost_report(struct model *m)
{
    struct model_purchase *p = ready_one(m);
    struct model_write *w;

    fixture_write(p, MODEL_WRITE_REPORT, MODEL_WRITE_UNKNOWN, "no reply in time");
    w = &p->writes[MODEL_WRITE_REPORT];
    w->outcome = CONTRACT_OUTCOME_FAILED;
    w->failure = CONTRACT_FAILURE_OTHER;
    p->stop = FOLLOW_GOING;
    p->due_mono = m->now_mono + 4000;
}

static void facts_done(struct model *m)
{
    fixture_day(m);
    fixture_select(m, "Metro Tickets", MODEL_PANE_NEED);
}

static void facts_declined(struct model *m)
{
    fixture_day(m);
    fixture_select(m, "Shoe Barn", MODEL_PANE_TIMELINE);
}

static void facts_replaced(struct model *m)
{
    fixture_busy(m);
    fixture_select(m, "Old Press", MODEL_PANE_NEED);
}

static void timeline_scrolled(struct model *m)
{
    struct model_purchase *p;

    fixture_day(m);
    fixture_select(m, "Corner Books", MODEL_PANE_TIMELINE);
    p = selected(m);
    for (int i = 0; i < 30; i++)
        fixture_row(p, fixture_at(14, 1, 26 + i), i % 5 ? TIMELINE_LOCAL : TIMELINE_WARNING,
                    CONTRACT_STATE_PROCESSING, CONTRACT_ABSENT,
                    i % 5 ? "Read again." : "No reply in time, trying again in 2 s.");
    m->timeline_back = 4;
}

/* Home: the first row is on top, however many lines the rows take. */
static void timeline_first(struct model *m)
{
    timeline_scrolled(m);
    m->timeline_back = selected(m)->row_count;
}

static void test_list(void **state)
{
    (void)state;
    scene_check("purchases_day", the_day, ALL_SIZES);
    scene_check("purchases_busy", busy, ALL_SIZES);
    scene_check("purchases_wide_name", busy_wide_name, SCENE_USUAL | SCENE_60);
    scene_check("purchases_unknown_state", busy_unknown_state, SCENE_USUAL | SCENE_60 | SCENE_160);
    scene_check("purchases_support", busy_support, SCENE_USUAL);
    scene_check("purchases_stopped", busy_stopped, SCENE_USUAL | SCENE_60);
    scene_check("purchases_none", nothing_yet, SCENE_USUAL | SCENE_60);
    scene_check("purchases_reading", still_reading, SCENE_USUAL | SCENE_60);
    scene_check("purchases_trouble", list_in_trouble, SCENE_USUAL);
    scene_check("purchases_filtered", filtered, SCENE_USUAL);
    scene_check("purchases_filtered_out", filtered_out, SCENE_80);
    scene_check("purchases_listed_only", listed_only, SCENE_USUAL | SCENE_60);
}

static void test_question(void **state)
{
    (void)state;
    scene_check("question", question, ALL_SIZES);
    scene_check("question_editing", question_editing, SCENE_USUAL | SCENE_60 | SCENE_40);
    scene_check("question_long", question_long, SCENE_80 | SCENE_60);
    scene_check("question_refused", question_refused, SCENE_USUAL);
    scene_check("question_kept", question_kept, SCENE_80);
    scene_check("question_password", question_password, SCENE_USUAL);
    scene_check("question_otp", question_otp, SCENE_USUAL | SCENE_60 | SCENE_ASCII);
    scene_check("question_read_only", question_read_only, SCENE_USUAL | SCENE_60);
}

static void test_task(void **state)
{
    (void)state;
    scene_check("task_link", task_link, ALL_SIZES & ~(unsigned)SCENE_40);
    scene_check("task_link_late", task_link_late, SCENE_USUAL | SCENE_60);
    scene_check("task_approve_stale", task_approve, SCENE_USUAL | SCENE_60);
    scene_check("task_unknown", task_unknown, SCENE_80);
}

static void test_handout(void **state)
{
    (void)state;
    scene_check("handout_card", card, ALL_SIZES);
    scene_check("handout_revealed", card_revealed, SCENE_80 | SCENE_40);
    scene_check("handout_late", card_late, SCENE_USUAL | SCENE_60);
    scene_check("handout_elsewhere", card_elsewhere, SCENE_USUAL | SCENE_60);
    scene_check("handout_wiped", card_wiped, SCENE_80);
    scene_check("handout_voucher", voucher, SCENE_USUAL | SCENE_60);
}

static void test_other_panes(void **state)
{
    (void)state;
    scene_check("feedback", feedback, SCENE_USUAL | SCENE_60);
    scene_check("lost_report", lost_report, SCENE_USUAL | SCENE_60);
    scene_check("facts_done", facts_done, SCENE_USUAL | SCENE_60 | SCENE_160);
    scene_check("facts_declined", facts_declined, SCENE_USUAL | SCENE_60);
    scene_check("facts_replaced", facts_replaced, SCENE_USUAL);
    scene_check("timeline_scrolled", timeline_scrolled, SCENE_USUAL | SCENE_60);
    scene_check("timeline_first", timeline_first, SCENE_USUAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_list),        cmocka_unit_test(test_question),
        cmocka_unit_test(test_task),        cmocka_unit_test(test_handout),
        cmocka_unit_test(test_other_panes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
