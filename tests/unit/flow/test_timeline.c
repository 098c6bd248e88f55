/* SPDX-License-Identifier: Apache-2.0 */
/* The timeline: every single change gives exactly its row, no change and old snapshots give none,
 * and money is worded for what it is. The track: every state, and no end that claims too much. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>
#include "core/str.h"
#include "flow/timeline.h"

#define SEEN      INT64_C(1790683200000)
#define TASK_NONE CONTRACT_ABSENT

/* A purchase in the making about which everything is known but nothing has happened. */
static struct contract_purchase plain(void)
{
    struct contract_purchase p;
    memset(&p, 0, sizeof p);
    p.revision = 4;
    p.state.value = CONTRACT_STATE_PROCESSING;
    p.user_task.value = TASK_NONE;
    p.reason.value = CONTRACT_ABSENT;
    p.status_text = "Envoy is preparing the payment.";
    p.rail.value = CONTRACT_RAIL_OTU_CARD;
    p.rail_reason.value = CONTRACT_ABSENT;
    p.checkout_by.value = CONTRACT_CHECKOUT_BY_AGENT;
    p.approval_state.value = CONTRACT_APPROVAL_APPROVED;
    p.payment_kind.value = CONTRACT_ABSENT;
    p.payment_expires_at_ms = CLOCK_NONE;
    p.money.value = CONTRACT_MONEY_NOT_STARTED;
    p.updated_at_ms = SEEN - 1000;
    return p;
}

typedef void change_fn(struct contract_purchase *p);

static void change_state(struct contract_purchase *p)
{
    p->state.value = CONTRACT_STATE_READY;
}

static void change_unknown_state(struct contract_purchase *p)
{
    p->state.value = CONTRACT_UNRECOGNISED;
    snprintf(p->state.raw, sizeof p->state.raw, "paused");
}

static void change_status(struct contract_purchase *p)
{
    p->status_text = "Your card is ready.";
}

static void change_task(struct contract_purchase *p)
{
    p->user_task.value = CONTRACT_TASK_ENTER_OTP;
}

static void change_reason(struct contract_purchase *p)
{
    p->reason.value = CONTRACT_REASON_ORDER_OUTCOME_UNKNOWN;
}

static void change_approval(struct contract_purchase *p)
{
    p->approval_state.value = CONTRACT_APPROVAL_EXPIRED;
}

static void change_money(struct contract_purchase *p)
{
    p->money.value = CONTRACT_MONEY_DEBITED;
}

static void change_paid(struct contract_purchase *p)
{
    p->money_paid =
        (struct contract_amount){.known = true, .minor = 249900, .display = "₹2,499.00"};
}

static void change_owner(struct contract_purchase *p)
{
    p->checkout_by.value = CONTRACT_CHECKOUT_BY_ENVOY;
}

static void change_rail(struct contract_purchase *p)
{
    p->rail.value = CONTRACT_RAIL_GIFT_CARD;
}

static void change_rail_reason(struct contract_purchase *p)
{
    p->rail_reason.value = CONTRACT_REASON_RAIL_OTU_PREFERRED;
}

static void change_question(struct contract_purchase *p)
{
    p->question.open = true;
    p->question.prompt = "Blue or black?";
    snprintf(p->question.id, sizeof p->question.id, "q-2");
}

static void change_order(struct contract_purchase *p)
{
    p->money_order_ref = "ORDER-1";
}

static void change_receipt(struct contract_purchase *p)
{
    p->receipt.present = true;
    p->receipt.merchant_order_ref = "ORDER-2";
    p->receipt.paid = (struct contract_amount){.known = true, .minor = 45000, .display = "₹450.00"};
}

static void change_available(struct contract_purchase *p)
{
    p->payment_available = true;
    p->payment_kind.value = CONTRACT_PAYMENT_KIND_CARD;
}

static void change_closed(struct contract_purchase *p)
{
    p->payment_closed = true;
}

static void change_expiry(struct contract_purchase *p)
{
    p->payment_expires_at_ms = SEEN + 1800000;
}

static void change_chain(struct contract_purchase *p)
{
    snprintf(p->superseded_by, sizeof p->superseded_by, "pur_0123456789abcdef0123456789abcdef");
}

static const struct {
    change_fn *change;
    enum timeline_kind kind;
    const char *text;
} changes[] = {
    {change_state, TIMELINE_STATE, "Envoy is preparing the payment."},
    {change_unknown_state, TIMELINE_STATE, "Envoy is preparing the payment."},
    {change_status, TIMELINE_STATE, "Your card is ready."},
    {change_task, TIMELINE_STATE, "Envoy is preparing the payment."},
    {change_reason, TIMELINE_STATE, "Envoy is preparing the payment. (result not known)"},
    {change_approval, TIMELINE_STATE, "approval expired"},
    {change_money, TIMELINE_MONEY, "money set aside"},
    {change_paid, TIMELINE_MONEY, "not charged, ₹2,499.00"},
    {change_owner, TIMELINE_ROUTE, "Envoy checks out (one-time card)"},
    {change_rail, TIMELINE_ROUTE, "You check out, with a gift card"},
    {change_rail_reason, TIMELINE_ROUTE,
     "You check out, with a one-time card: suits this amount"},
    {change_question, TIMELINE_QUESTION, "A question: Blue or black?"},
    {change_order, TIMELINE_ORDER, "Order, merchant's reference ORDER-1"},
    {change_receipt, TIMELINE_ORDER, "Receipt for ₹450.00, merchant's reference ORDER-2"},
    {change_available, TIMELINE_ACCESS,
     "Payment details are available: one-time card, no deadline given"},
    {change_closed, TIMELINE_ACCESS, "Spending access is closed"},
    {change_expiry, TIMELINE_ACCESS, "No payment details at the moment"},
    {change_chain, TIMELINE_REPLACED, NULL},
};
#define CHANGES (sizeof changes / sizeof changes[0])

static size_t compare(const struct contract_purchase *a, const struct contract_purchase *b,
                      struct timeline_row rows[TIMELINE_ROWS_MAX])
{
    size_t count = 99;
    timeline_compare(a, b, SEEN, rows, &count);
    assert_true(count <= TIMELINE_ROWS_MAX);
    return count;
}

static void one_change_gives_its_one_row(void **state)
{
    (void)state;
    for (size_t i = 0; i < CHANGES; i++) {
        struct timeline_row rows[TIMELINE_ROWS_MAX];
        struct contract_purchase a = plain();
        struct contract_purchase b = plain();
        b.revision++;
        changes[i].change(&b);
        if (compare(&a, &b, rows) != 1 || rows[0].kind != changes[i].kind)
            fail_msg("change %zu", i);
        if (changes[i].text)
            assert_string_equal(rows[0].text, changes[i].text);
        assert_int_equal(rows[0].state.value, b.state.value);
        bool tells_money = rows[0].kind == TIMELINE_STATE || rows[0].kind == TIMELINE_MONEY;
        assert_int_equal(rows[0].money.value, tells_money ? b.money.value : CONTRACT_ABSENT);
        assert_true(rows[0].at_ms == SEEN - 1000);
        /* The same snapshot once more is no news, whichever it is. */
        assert_int_equal(compare(&b, &b, rows), 0);
    }
}

static void no_change_gives_no_row(void **state)
{
    (void)state;
    struct timeline_row rows[TIMELINE_ROWS_MAX];
    struct contract_purchase a = plain();
    struct contract_purchase b = plain();
    b.revision = a.revision + 3;
    b.updated_at_ms = SEEN;
    assert_int_equal(compare(&a, &b, rows), 0);
    assert_int_equal(compare(&a, &a, rows), 0);
    /* Money that was not told and money told to be unknown are the same fact. */
    a.money.value = CONTRACT_ABSENT;
    b.money.value = CONTRACT_MONEY_UNKNOWN;
    assert_int_equal(compare(&a, &b, rows), 0);
}

/* Case N5. */
static void an_older_snapshot_gives_no_row(void **state)
{
    (void)state;
    for (size_t i = 0; i < CHANGES; i++) {
        struct timeline_row rows[TIMELINE_ROWS_MAX];
        struct contract_purchase a = plain();
        struct contract_purchase b = plain();
        b.revision = a.revision - 1;
        changes[i].change(&b);
        assert_int_equal(compare(&a, &b, rows), 0);
    }
}

static void every_pair_of_changes_gives_each_kind_once(void **state)
{
    (void)state;
    for (size_t i = 0; i < CHANGES; i++) {
        for (size_t j = 0; j < CHANGES; j++) {
            struct timeline_row rows[TIMELINE_ROWS_MAX];
            struct contract_purchase a = plain();
            struct contract_purchase b = plain();
            b.revision++;
            changes[i].change(&b);
            changes[j].change(&b);
            size_t count = compare(&a, &b, rows);
            bool found_i = false;
            for (size_t r = 0; r < count; r++) {
                found_i = found_i || rows[r].kind == changes[i].kind;
                for (size_t q = r + 1; q < count; q++)
                    assert_int_not_equal(rows[r].kind, rows[q].kind);
            }
            /* A state row tells the money too, and a question that came with its state. */
            bool in_state_row =
                count > 0 && rows[0].kind == TIMELINE_STATE &&
                (changes[i].kind == TIMELINE_MONEY || changes[i].kind == TIMELINE_QUESTION);
            assert_true(found_i || in_state_row);
        }
    }
}

static void first_sight_tells_what_there_is(void **state)
{
    (void)state;
    struct timeline_row rows[TIMELINE_ROWS_MAX];
    struct contract_purchase p = plain();
    assert_int_equal(compare(NULL, &p, rows), 2);
    assert_int_equal(rows[0].kind, TIMELINE_STATE);
    assert_int_equal(rows[0].money.value, CONTRACT_MONEY_NOT_STARTED);
    assert_int_equal(rows[1].kind, TIMELINE_ROUTE);
    p.checkout_by.value = CONTRACT_ABSENT;
    p.rail.value = CONTRACT_ABSENT;
    assert_int_equal(compare(NULL, &p, rows), 1);
    p = plain();
    change_question(&p);
    change_receipt(&p);
    change_available(&p);
    change_chain(&p);
    assert_int_equal(compare(NULL, &p, rows), 5);
}

static void times_are_those_of_the_change(void **state)
{
    (void)state;
    static const struct {
        int64_t updated, at;
    } rows[] = {
        {CLOCK_NONE, SEEN}, {SEEN, SEEN}, {SEEN - 1, SEEN - 1}, {SEEN + 1, SEEN}, {0, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct timeline_row out[TIMELINE_ROWS_MAX];
        struct contract_purchase p = plain();
        p.updated_at_ms = rows[i].updated;
        compare(NULL, &p, out);
        assert_true(out[0].at_ms == rows[i].at);
    }
}

static void questions_are_told_apart(void **state)
{
    (void)state;
    struct timeline_row rows[TIMELINE_ROWS_MAX];
    struct contract_purchase a = plain();
    change_question(&a);
    a.state.value = CONTRACT_STATE_NEEDS_ANSWER;
    struct contract_purchase b = a;
    b.question.prompt = "the same question, worded again";
    assert_int_equal(compare(&a, &b, rows), 0);
    snprintf(b.question.id, sizeof b.question.id, "q-3");
    assert_int_equal(compare(&a, &b, rows), 1);
    assert_string_equal(rows[0].text, "Another question: the same question, worded again");
    b.question.open = false;
    assert_int_equal(compare(&a, &b, rows), 1);
    assert_string_equal(rows[0].text, "The question is closed");
}

static void access_names_its_deadline(void **state)
{
    (void)state;
    setenv("TZ", "IST-5:30", 1);
    tzset();
    struct timeline_row rows[TIMELINE_ROWS_MAX];
    struct contract_purchase a = plain();
    struct contract_purchase b = plain();
    change_available(&b);
    change_expiry(&b);
    assert_int_equal(compare(&a, &b, rows), 1);
    char until[CLOCK_TEXT_MAX];
    clock_local_hm(until, b.payment_expires_at_ms);
    assert_non_null(strstr(rows[0].text, "one-time card, until "));
    assert_non_null(strstr(rows[0].text, until));
}

static void texts_are_cut_at_a_character(void **state)
{
    (void)state;
    static char big[2000];
    struct timeline_row rows[TIMELINE_ROWS_MAX];
    for (size_t i = 0; i + 3 < sizeof big; i += 3)
        memcpy(big + i, "世", 4);
    struct contract_purchase a = plain();
    struct contract_purchase b = plain();
    b.status_text = big;
    change_question(&b);
    b.question.prompt = big;
    b.money_order_ref = big;
    size_t count = compare(&a, &b, rows);
    assert_int_equal(count, 3);
    for (size_t i = 0; i < count; i++) {
        size_t len = strlen(rows[i].text);
        assert_in_range(len, TIMELINE_TEXT_MAX - 5, TIMELINE_TEXT_MAX - 1);
        assert_true(str_is_utf8(rows[i].text, len));
    }
}

static void missing_words_are_made_up_for(void **state)
{
    (void)state;
    struct timeline_row rows[TIMELINE_ROWS_MAX];
    struct contract_purchase p = plain();
    p.status_text = NULL;
    compare(NULL, &p, rows);
    assert_string_equal(rows[0].text, "processing");
    p.user_task.value = CONTRACT_TASK_PAY_LINK;
    compare(NULL, &p, rows);
    assert_string_equal(rows[0].text, "pay the link");
    p.user_task.value = CONTRACT_ABSENT;
    change_unknown_state(&p);
    compare(NULL, &p, rows);
    assert_string_equal(rows[0].text, "unrecognised: paused");
    /* A reason that the status already says is not said twice. */
    p.status_text = "The card was Declined.";
    p.reason.value = CONTRACT_REASON_USER_DECLINED;
    compare(NULL, &p, rows);
    assert_string_equal(rows[0].text, "The card was Declined.");
}

static void money_is_worded_in_the_light_of_the_state(void **state)
{
    (void)state;
    static const struct {
        int money, state;
        const char *words;
    } rows[] = {
        {CONTRACT_MONEY_NOT_STARTED, CONTRACT_STATE_PROCESSING, "not charged"},
        {CONTRACT_MONEY_DEBITED, CONTRACT_STATE_READY, "money set aside"},
        {CONTRACT_MONEY_DEBITED, CONTRACT_STATE_VERIFYING, "money set aside"},
        {CONTRACT_MONEY_DEBITED, CONTRACT_STATE_FAILED, "money set aside"},
        {CONTRACT_MONEY_DEBITED, CONTRACT_UNRECOGNISED, "money set aside"},
        {CONTRACT_MONEY_DEBITED, CONTRACT_STATE_COMPLETED, "charged"},
        {CONTRACT_MONEY_REFUND_PENDING, CONTRACT_STATE_CANCELLED, "refund on its way"},
        {CONTRACT_MONEY_REFUNDED, CONTRACT_STATE_FAILED, "refunded"},
        {CONTRACT_MONEY_MERCHANT_COLLECTS, CONTRACT_STATE_COMPLETED, "pay on delivery"},
        {CONTRACT_MONEY_UNKNOWN, CONTRACT_STATE_VERIFYING, "money unknown"},
        {CONTRACT_ABSENT, CONTRACT_STATE_COMPLETED, "money unknown"},
    };
    char out[64];
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct contract_enum money = {.value = rows[i].money};
        struct contract_enum st = {.value = rows[i].state};
        timeline_money_words(&money, &st, out, sizeof out);
        assert_string_equal(out, rows[i].words);
    }
    struct contract_enum odd = {.value = CONTRACT_UNRECOGNISED, .raw = "frozen"};
    struct contract_enum st = {.value = CONTRACT_STATE_COMPLETED};
    timeline_money_words(&odd, &st, out, sizeof out);
    assert_string_equal(out, "unrecognised: frozen");
}

static void summaries_say_who_acts_and_what_is_safe(void **state)
{
    (void)state;
    static const struct {
        int state, money, by, rail;
        const char *text;
    } rows[] = {
        {CONTRACT_STATE_PROCESSING, CONTRACT_MONEY_NOT_STARTED, CONTRACT_CHECKOUT_BY_AGENT,
         CONTRACT_RAIL_OTU_CARD, "You check out, with a one-time card. Nothing is charged yet."},
        {CONTRACT_STATE_READY, CONTRACT_MONEY_DEBITED, CONTRACT_CHECKOUT_BY_AGENT,
         CONTRACT_RAIL_GIFT_CARD, "You check out, with a gift card. Money is set aside for it."},
        {CONTRACT_STATE_PROCESSING, CONTRACT_MONEY_DEBITED, CONTRACT_CHECKOUT_BY_ENVOY,
         CONTRACT_RAIL_OPERATED_CHECKOUT, "Envoy checks out. Money is set aside for it."},
        {CONTRACT_STATE_WAITING_FOR_USER, CONTRACT_MONEY_NOT_STARTED, CONTRACT_ABSENT,
         CONTRACT_ABSENT, "Who checks out is not decided. Nothing is charged yet."},
        {CONTRACT_STATE_VERIFYING, CONTRACT_MONEY_NOT_STARTED, CONTRACT_CHECKOUT_BY_AGENT,
         CONTRACT_RAIL_OTU_CARD,
         "The payment is being confirmed. Do not pay again. No charge is reported yet."},
        {CONTRACT_STATE_COMPLETED, CONTRACT_MONEY_DEBITED, CONTRACT_CHECKOUT_BY_AGENT,
         CONTRACT_RAIL_OTU_CARD, "Complete. The money was charged."},
        {CONTRACT_STATE_COMPLETED, CONTRACT_MONEY_MERCHANT_COLLECTS, CONTRACT_CHECKOUT_BY_ENVOY,
         CONTRACT_RAIL_OPERATED_CHECKOUT,
         "Complete. The merchant collects on delivery; nothing was charged here."},
        {CONTRACT_STATE_FAILED, CONTRACT_MONEY_NOT_STARTED, CONTRACT_CHECKOUT_BY_AGENT,
         CONTRACT_RAIL_OTU_CARD, "Ended without a purchase. Nothing was charged."},
        {CONTRACT_STATE_CANCELLED, CONTRACT_MONEY_REFUND_PENDING, CONTRACT_CHECKOUT_BY_AGENT,
         CONTRACT_RAIL_OTU_CARD, "Cancelled. A refund is on its way and has not arrived."},
        {CONTRACT_STATE_FAILED, CONTRACT_MONEY_DEBITED, CONTRACT_CHECKOUT_BY_AGENT,
         CONTRACT_RAIL_OTU_CARD,
         "Ended without a purchase. Money was set aside and is not back: this needs Envoy "
         "support."},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char out[300];
        struct contract_purchase p = plain();
        p.state.value = rows[i].state;
        p.money.value = rows[i].money;
        p.checkout_by.value = rows[i].by;
        p.rail.value = rows[i].rail;
        timeline_summary(&p, out, sizeof out);
        assert_string_equal(out, rows[i].text);
        char small[20];
        timeline_summary(&p, small, sizeof small);
        assert_int_equal(strncmp(out, small, strlen(small)), 0);
        assert_null(strstr(out, "paid to"));
    }
    for (int st = CONTRACT_ABSENT; st < CONTRACT_STATE_COUNT; st++) {
        char out[300];
        struct contract_purchase p = plain();
        p.state.value = st;
        p.money.value = CONTRACT_ABSENT;
        timeline_summary(&p, out, sizeof out);
        assert_non_null(strstr(out, "not known: do not pay again"));
    }
}

/* "+approved *ready -done": + done, * now, - to come, x ended badly, ! not sure. */
static const char *track_text(const struct contract_purchase *p, char *out, size_t size)
{
    static const char marks[] = {[TIMELINE_TODO] = '-',
                                 [TIMELINE_NOW] = '*',
                                 [TIMELINE_DONE] = '+',
                                 [TIMELINE_BAD] = 'x',
                                 [TIMELINE_UNSURE] = '!'};
    struct timeline_step steps[TIMELINE_STEPS_MAX];
    size_t count = timeline_track(p, steps);
    size_t at = 0;
    out[0] = '\0';
    assert_in_range(count, 1, TIMELINE_STEPS_MAX);
    for (size_t i = 0; i < count; i++)
        at += (size_t)snprintf(out + at, size - at, "%s%c%s", i > 0 ? " " : "",
                               marks[steps[i].mark], steps[i].words);
    return out;
}

static void tracks_show_where_it_stands(void **state)
{
    (void)state;
    static const struct {
        int state, task, approval, by, money, reason;
        const char *track;
    } rows[] = {
#define ROW(st, task, appr, by, money, reason, text)                                               \
    {CONTRACT_STATE_##st,    task,   appr, CONTRACT_CHECKOUT_BY_##by,                              \
     CONTRACT_MONEY_##money, reason, text}
#define APPROVED CONTRACT_APPROVAL_APPROVED
#define PENDING  CONTRACT_APPROVAL_PENDING
#define NONE     CONTRACT_ABSENT
        ROW(NEEDS_DETAILS, NONE, NONE, AGENT, NOT_STARTED, NONE,
            "*details -approved -prepared -ready -confirmed -done"),
        ROW(NEEDS_ANSWER, NONE, PENDING, AGENT, NOT_STARTED, NONE,
            "*question -approved -prepared -ready -confirmed -done"),
        ROW(NEEDS_ANSWER, NONE, APPROVED, AGENT, NOT_STARTED, NONE,
            "+approved +prepared *question -ready -confirmed -done"),
        ROW(NEEDS_ANSWER, NONE, APPROVED, ENVOY, DEBITED, NONE,
            "+approved *question -ordered -confirmed -done"),
        ROW(WAITING_FOR_USER, CONTRACT_TASK_APPROVE, PENDING, AGENT, NOT_STARTED, NONE,
            "*approve -prepared -ready -confirmed -done"),
        ROW(WAITING_FOR_USER, CONTRACT_TASK_PAY_LINK, NONE, AGENT, NOT_STARTED, NONE,
            "*pay the link -prepared -ready -confirmed -done"),
        ROW(WAITING_FOR_USER, CONTRACT_TASK_ADD_MONEY, NONE, AGENT, NOT_STARTED, NONE,
            "*add money -prepared -ready -confirmed -done"),
        ROW(WAITING_FOR_USER, CONTRACT_TASK_ENTER_OTP, APPROVED, ENVOY, DEBITED, NONE,
            "+approved *enter the code -confirmed -done"),
        ROW(PROCESSING, NONE, APPROVED, AGENT, NOT_STARTED, NONE,
            "+approved *prepared -ready -confirmed -done"),
        ROW(PROCESSING, NONE, PENDING, AGENT, NOT_STARTED, NONE,
            "-approved *prepared -ready -confirmed -done"),
        ROW(PROCESSING, NONE, APPROVED, ENVOY, DEBITED, NONE,
            "+approved *ordered -confirmed -done"),
        ROW(READY, NONE, APPROVED, AGENT, DEBITED, NONE,
            "+approved +prepared *ready -confirmed -done"),
        ROW(VERIFYING, NONE, APPROVED, AGENT, DEBITED, NONE,
            "+approved +prepared +ready *confirmed -done"),
        ROW(VERIFYING, NONE, APPROVED, AGENT, UNKNOWN, CONTRACT_REASON_ORDER_OUTCOME_UNKNOWN,
            "+approved +prepared +ready !confirmed -done"),
        ROW(COMPLETED, NONE, APPROVED, AGENT, DEBITED, NONE,
            "+approved +prepared +ready +confirmed +done"),
        ROW(COMPLETED, NONE, APPROVED, ENVOY, MERCHANT_COLLECTS, NONE,
            "+approved +ordered +confirmed +done"),
        ROW(COMPLETED, NONE, APPROVED, AGENT, UNKNOWN, NONE,
            "+approved +prepared +ready +confirmed !money not known"),
        ROW(FAILED, NONE, CONTRACT_APPROVAL_DENIED, AGENT, NOT_STARTED, NONE, "xdeclined xfailed"),
        ROW(FAILED, NONE, CONTRACT_APPROVAL_EXPIRED, AGENT, NOT_STARTED, NONE,
            "xapproval expired xfailed"),
        ROW(FAILED, NONE, APPROVED, AGENT, REFUNDED, NONE, "+approved xfailed"),
        ROW(FAILED, NONE, APPROVED, AGENT, DEBITED, NONE, "+approved xfailed !money not settled"),
        ROW(FAILED, NONE, NONE, AGENT, NOT_STARTED, NONE, "xfailed"),
        ROW(CANCELLED, NONE, PENDING, AGENT, NOT_STARTED, NONE, "xcancelled"),
        ROW(CANCELLED, NONE, APPROVED, AGENT, REFUND_PENDING, NONE,
            "+approved xcancelled !money not settled"),
        ROW(SUPERSEDED, NONE, APPROVED, AGENT, UNKNOWN, NONE, "+approved xreplaced"),
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char out[256];
        struct contract_purchase p = plain();
        p.state.value = rows[i].state;
        p.user_task.value = rows[i].task;
        p.approval_state.value = rows[i].approval;
        p.checkout_by.value = rows[i].by;
        p.money.value = rows[i].money;
        p.reason.value = rows[i].reason;
        assert_string_equal(track_text(&p, out, sizeof out), rows[i].track);
    }
}

static void tracks_never_claim_too_much(void **state)
{
    (void)state;
    for (int st = CONTRACT_ABSENT; st < CONTRACT_STATE_COUNT; st++)
        for (int money = CONTRACT_ABSENT; money < CONTRACT_MONEY_COUNT; money++)
            for (int by = CONTRACT_ABSENT; by < CONTRACT_CHECKOUT_BY_COUNT; by++)
                for (int approval = CONTRACT_ABSENT; approval < CONTRACT_APPROVAL_COUNT; approval++)
                    for (int task = CONTRACT_ABSENT; task < CONTRACT_TASK_COUNT; task++) {
                        struct contract_purchase p = plain();
                        struct timeline_step steps[TIMELINE_STEPS_MAX];
                        p.state.value = st;
                        p.money.value = money;
                        p.checkout_by.value = by;
                        p.approval_state.value = approval;
                        p.user_task.value = task;
                        size_t count = timeline_track(&p, steps);
                        assert_in_range(count, 1, TIMELINE_STEPS_MAX);
                        const struct timeline_step *end = &steps[count - 1];
                        bool certain = st == CONTRACT_STATE_COMPLETED && money >= 0 &&
                                       money != CONTRACT_MONEY_UNKNOWN;
                        assert_int_equal(end->mark == TIMELINE_DONE, certain);
                        size_t now = 0;
                        for (size_t i = 0; i < count; i++) {
                            assert_true(steps[i].words && steps[i].words[0]);
                            now += steps[i].mark == TIMELINE_NOW;
                        }
                        assert_true(now <= 1);
                        if (st < 0)
                            assert_int_equal(end->mark, TIMELINE_UNSURE);
                    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_change_gives_its_one_row),
        cmocka_unit_test(no_change_gives_no_row),
        cmocka_unit_test(an_older_snapshot_gives_no_row),
        cmocka_unit_test(every_pair_of_changes_gives_each_kind_once),
        cmocka_unit_test(first_sight_tells_what_there_is),
        cmocka_unit_test(times_are_those_of_the_change),
        cmocka_unit_test(questions_are_told_apart),
        cmocka_unit_test(access_names_its_deadline),
        cmocka_unit_test(texts_are_cut_at_a_character),
        cmocka_unit_test(missing_words_are_made_up_for),
        cmocka_unit_test(money_is_worded_in_the_light_of_the_state),
        cmocka_unit_test(summaries_say_who_acts_and_what_is_safe),
        cmocka_unit_test(tracks_show_where_it_stands),
        cmocka_unit_test(tracks_never_claim_too_much),
    };
    return cmocka_run_group_tests_name("flow/timeline", tests, NULL, NULL);
}
