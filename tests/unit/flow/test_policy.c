/* SPDX-License-Identifier: Apache-2.0 */
/* What is allowed: single facts with their reasons, then the properties over the whole product of
 * state, money, checkout owner, freshness, question, report and local facts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include "flow/policy.h"

struct scene {
    struct contract_purchase purchase;
    struct policy_facts facts;
};

/* A ready card purchase of this console: handout held, nothing reported. */
static void scene_ready(struct scene *s)
{
    memset(s, 0, sizeof *s);
    struct contract_purchase *p = &s->purchase;
    p->state.value = CONTRACT_STATE_READY;
    p->money.value = CONTRACT_MONEY_DEBITED;
    p->checkout_by.value = CONTRACT_CHECKOUT_BY_AGENT;
    p->reason.value = CONTRACT_ABSENT;
    p->payment_available = true;
    s->facts = (struct policy_facts){.purchase = p,
                                     .freshness = POLICY_FRESH,
                                     .signed_in = true,
                                     .handout_held = true,
                                     .started_here = true,
                                     .report_failure = CONTRACT_ABSENT};
}

static void scene_state(struct scene *s, int state, int money)
{
    scene_ready(s);
    s->purchase.state.value = state;
    s->purchase.money.value = money;
}

static void ask(struct scene *s, int kind, const char *on_screen)
{
    s->purchase.question.open = true;
    s->purchase.question.kind.value = kind;
    snprintf(s->purchase.question.id, sizeof s->purchase.question.id, "q-1");
    s->facts.question_on_screen = on_screen;
}

#define EXPECT(scene, action, reason) assert_int_equal(policy_check(action, &(scene).facts), reason)

static void a_ready_card_allows_its_use(void **state)
{
    (void)state;
    static const enum policy_reason expected[POLICY_ACTION_COUNT] = {
        [POLICY_ANSWER] = POLICY_NO_QUESTION,     [POLICY_FEEDBACK] = POLICY_NO_STILL_OPEN,
        [POLICY_VAULT_SAVE] = POLICY_NO_OFFER,    [POLICY_REPORT_PAID] = POLICY_ALLOWED,
        [POLICY_REPORT_FAILED] = POLICY_ALLOWED,  [POLICY_STEP] = POLICY_ALLOWED,
        [POLICY_CANCEL] = POLICY_ALLOWED,         [POLICY_READ] = POLICY_NO_READY_READ,
        [POLICY_READ_HANDOUT] = POLICY_ALLOWED,   [POLICY_REVEAL] = POLICY_ALLOWED,
        [POLICY_RETRY_OF] = POLICY_NO_STILL_OPEN, [POLICY_START_SAME] = POLICY_NO_STILL_OPEN,
    };
    for (int freshness = POLICY_FRESH; freshness <= POLICY_STOPPED; freshness++) {
        struct scene s;
        scene_ready(&s);
        s.facts.freshness = (enum policy_freshness)freshness;
        for (int a = 0; a < POLICY_ACTION_COUNT; a++)
            EXPECT(s, (enum policy_action)a, expected[a]);
        s.facts.vault_offer = true;
        EXPECT(s, POLICY_VAULT_SAVE, POLICY_ALLOWED);
    }
}

static void ready_facts_have_their_reasons(void **state)
{
    (void)state;
    struct scene s;
    scene_ready(&s);
    s.facts.handout_held = false;
    EXPECT(s, POLICY_REVEAL, POLICY_NO_HANDOUT);
    EXPECT(s, POLICY_REPORT_PAID, POLICY_ALLOWED);
    scene_ready(&s);
    s.purchase.payment_closed = true;
    EXPECT(s, POLICY_REVEAL, POLICY_NO_CLOSED);
    EXPECT(s, POLICY_READ_HANDOUT, POLICY_NO_CLOSED);
    EXPECT(s, POLICY_REPORT_PAID, POLICY_ALLOWED);
    scene_ready(&s);
    s.facts.report_sent = true;
    EXPECT(s, POLICY_REVEAL, POLICY_NO_REPORTED);
    EXPECT(s, POLICY_REPORT_PAID, POLICY_NO_REPORTED);
    EXPECT(s, POLICY_REPORT_FAILED, POLICY_NO_REPORTED);
    EXPECT(s, POLICY_STEP, POLICY_NO_REPORTED);
    EXPECT(s, POLICY_CANCEL, POLICY_NO_REPORTED);
    EXPECT(s, POLICY_READ, POLICY_ALLOWED); /* the report's effect has to be found out */
    scene_ready(&s);
    s.purchase.money.value = CONTRACT_MONEY_UNKNOWN;
    EXPECT(s, POLICY_REVEAL, POLICY_NO_MONEY_UNKNOWN);
    EXPECT(s, POLICY_READ_HANDOUT, POLICY_NO_MONEY_UNKNOWN);
    EXPECT(s, POLICY_REPORT_FAILED, POLICY_ALLOWED);
    scene_ready(&s);
    s.purchase.checkout_by.value = CONTRACT_CHECKOUT_BY_ENVOY;
    EXPECT(s, POLICY_REPORT_PAID, POLICY_NO_ENVOY_CHECKOUT);
    EXPECT(s, POLICY_STEP, POLICY_NO_ENVOY_CHECKOUT);
    EXPECT(s, POLICY_REVEAL, POLICY_NO_ENVOY_CHECKOUT);
    EXPECT(s, POLICY_CANCEL, POLICY_ALLOWED);
    s.purchase.checkout_by.value = CONTRACT_ABSENT;
    EXPECT(s, POLICY_REPORT_PAID, POLICY_NO_NOT_READY);
    s.purchase.checkout_by.value = CONTRACT_UNRECOGNISED;
    EXPECT(s, POLICY_REPORT_PAID, POLICY_NO_STATE_UNKNOWN);
    scene_ready(&s);
    s.facts.write_in_flight = true;
    EXPECT(s, POLICY_REVEAL, POLICY_ALLOWED);
    EXPECT(s, POLICY_REPORT_PAID, POLICY_NO_IN_FLIGHT);
    scene_ready(&s);
    s.facts.outcome_unknown = true;
    EXPECT(s, POLICY_REVEAL, POLICY_NO_OUTCOME_UNKNOWN);
    EXPECT(s, POLICY_CANCEL, POLICY_NO_OUTCOME_UNKNOWN);
    EXPECT(s, POLICY_READ, POLICY_ALLOWED);
}

static void answers_go_to_the_question_on_screen(void **state)
{
    (void)state;
    struct scene s;
    for (int kind = CONTRACT_ABSENT; kind < CONTRACT_QUESTION_COUNT; kind++) {
        scene_state(&s, CONTRACT_STATE_NEEDS_ANSWER, CONTRACT_MONEY_DEBITED);
        ask(&s, kind, "q-1");
        EXPECT(s, POLICY_ANSWER,
               kind == CONTRACT_QUESTION_PASSWORD ? POLICY_NO_PASSWORD
               : kind < 0                         ? POLICY_NO_STATE_UNKNOWN
                                                  : POLICY_ALLOWED);
    }
    scene_state(&s, CONTRACT_STATE_NEEDS_ANSWER, CONTRACT_MONEY_DEBITED);
    ask(&s, CONTRACT_QUESTION_TEXT, "q-0");
    EXPECT(s, POLICY_ANSWER, POLICY_NO_OTHER_QUESTION);
    s.facts.question_on_screen = NULL;
    EXPECT(s, POLICY_ANSWER, POLICY_NO_OTHER_QUESTION);
    s.facts.question_on_screen = "q-1";
    s.facts.freshness = POLICY_STALE;
    EXPECT(s, POLICY_ANSWER, POLICY_NO_STALE);
    s.facts.freshness = POLICY_STOPPED;
    EXPECT(s, POLICY_ANSWER, POLICY_NO_STALE);
    s.facts.freshness = POLICY_FRESH;
    s.purchase.question.open = false;
    EXPECT(s, POLICY_ANSWER, POLICY_NO_QUESTION);
    scene_state(&s, CONTRACT_STATE_FAILED, CONTRACT_MONEY_REFUNDED);
    ask(&s, CONTRACT_QUESTION_TEXT, "q-1");
    EXPECT(s, POLICY_ANSWER, POLICY_NO_TERMINAL);
}

static void feedback_comes_after_the_end(void **state)
{
    (void)state;
    struct scene s;
    scene_state(&s, CONTRACT_STATE_COMPLETED, CONTRACT_MONEY_DEBITED);
    EXPECT(s, POLICY_FEEDBACK, POLICY_NO_OFFER);
    s.facts.feedback_offer = true;
    EXPECT(s, POLICY_FEEDBACK, POLICY_NO_OFFER);
    s.purchase.follow_up.open = true;
    EXPECT(s, POLICY_FEEDBACK, POLICY_ALLOWED);
    s.purchase.state.value = CONTRACT_STATE_VERIFYING;
    EXPECT(s, POLICY_FEEDBACK, POLICY_NO_STILL_OPEN);
}

static void cancel_waits_for_no_report(void **state)
{
    (void)state;
    for (int st = 0; st < CONTRACT_STATE_COUNT; st++) {
        struct scene s;
        scene_state(&s, st, CONTRACT_MONEY_NOT_STARTED);
        EXPECT(s, POLICY_CANCEL,
               contract_state_is_terminal(st)   ? POLICY_NO_TERMINAL
               : st == CONTRACT_STATE_VERIFYING ? POLICY_NO_MONEY_UNKNOWN
                                                : POLICY_ALLOWED);
        s.facts.report_sent = true;
        EXPECT(s, POLICY_CANCEL,
               contract_state_is_terminal(st) ? POLICY_NO_TERMINAL : POLICY_NO_REPORTED);
    }
}

static void starting_again_needs_settled_money(void **state)
{
    (void)state;
    for (int st = 0; st < CONTRACT_STATE_COUNT; st++) {
        for (int money = CONTRACT_ABSENT; money < CONTRACT_MONEY_COUNT; money++) {
            struct scene s;
            scene_state(&s, st, money);
            bool back = money == CONTRACT_MONEY_NOT_STARTED || money == CONTRACT_MONEY_REFUNDED;
            bool bought =
                money == CONTRACT_MONEY_DEBITED || money == CONTRACT_MONEY_MERCHANT_COLLECTS;
            enum policy_reason expected = POLICY_NO_STILL_OPEN;
            if (st == CONTRACT_STATE_SUPERSEDED)
                expected = POLICY_NO_REPLACED;
            else if (st == CONTRACT_STATE_VERIFYING)
                expected = POLICY_NO_MONEY_UNKNOWN;
            else if (st == CONTRACT_STATE_COMPLETED)
                expected = back || bought ? POLICY_ALLOWED : POLICY_NO_MONEY_UNKNOWN;
            else if (contract_state_is_terminal(st))
                expected = back ? POLICY_ALLOWED : POLICY_NO_MONEY_UNKNOWN;
            EXPECT(s, POLICY_START_SAME, expected);
        }
    }
    struct scene s;
    scene_state(&s, CONTRACT_STATE_FAILED, CONTRACT_MONEY_NOT_STARTED);
    s.purchase.reason.value = CONTRACT_REASON_ORDER_OUTCOME_UNKNOWN;
    EXPECT(s, POLICY_START_SAME, POLICY_NO_MONEY_UNKNOWN);
    s.purchase.reason.value = CONTRACT_ABSENT;
    snprintf(s.purchase.superseded_by, sizeof s.purchase.superseded_by, "pur_x");
    EXPECT(s, POLICY_START_SAME, POLICY_NO_REPLACED);
    EXPECT(s, POLICY_RETRY_OF, POLICY_NO_REPLACED);
}

static void a_linked_retry_must_be_offered_and_settled(void **state)
{
    (void)state;
    struct scene s;
    scene_state(&s, CONTRACT_STATE_FAILED, CONTRACT_MONEY_REFUNDED);
    EXPECT(s, POLICY_RETRY_OF, POLICY_NO_OFFER);
    s.facts.retry_offered = true;
    EXPECT(s, POLICY_RETRY_OF, POLICY_ALLOWED);
    s.facts.report_sent = true;
    EXPECT(s, POLICY_RETRY_OF, POLICY_NO_REPORTED);
    s.facts.report_failed_known = true;
    for (int why = CONTRACT_ABSENT; why < CONTRACT_FAILURE_COUNT; why++) {
        s.facts.report_failure = why;
        bool barred = why == CONTRACT_FAILURE_PRICE_CHANGED || why == CONTRACT_FAILURE_OUT_OF_STOCK;
        EXPECT(s, POLICY_RETRY_OF, barred ? POLICY_NO_OFFER : POLICY_ALLOWED);
    }
    s.facts.report_failure = CONTRACT_FAILURE_OTHER;
    s.purchase.money.value = CONTRACT_MONEY_REFUND_PENDING;
    EXPECT(s, POLICY_RETRY_OF, POLICY_NO_MONEY_UNKNOWN);
    s.purchase.state.value = CONTRACT_STATE_VERIFYING;
    EXPECT(s, POLICY_RETRY_OF, POLICY_NO_MONEY_UNKNOWN);
    s.purchase.state.value = CONTRACT_STATE_CANCELLED;
    EXPECT(s, POLICY_RETRY_OF, POLICY_NO_OFFER);
    s.purchase.state.value = CONTRACT_STATE_PROCESSING;
    EXPECT(s, POLICY_RETRY_OF, POLICY_NO_STILL_OPEN);
}

static void reading_is_barred_only_while_ready(void **state)
{
    (void)state;
    struct scene s;
    for (int st = CONTRACT_ABSENT; st < CONTRACT_STATE_COUNT; st++) {
        for (int stale = POLICY_FRESH; stale <= POLICY_STOPPED; stale++) {
            scene_state(&s, st, CONTRACT_MONEY_UNKNOWN);
            s.facts.freshness = (enum policy_freshness)stale;
            s.facts.read_only = true;
            enum policy_reason expected =
                st == CONTRACT_STATE_READY ? POLICY_NO_READY_READ : POLICY_ALLOWED;
            EXPECT(s, POLICY_READ, expected);
            s.facts.purchase = NULL;
            EXPECT(s, POLICY_READ, POLICY_NO_SNAPSHOT);
            s.facts.listed_state = &s.purchase.state;
            EXPECT(s, POLICY_READ, expected);
        }
    }
    scene_ready(&s);
    s.facts.read_only = true;
    s.facts.outcome_unknown = true;
    EXPECT(s, POLICY_READ, POLICY_NO_READY_READ);
    scene_ready(&s);
    s.facts.signed_in = false;
    EXPECT(s, POLICY_READ, POLICY_NO_SIGNED_OUT);
    s.facts.signed_in = true;
    s.facts.freshness = POLICY_OTHER_ACCOUNT;
    EXPECT(s, POLICY_READ, POLICY_NO_OTHER_ACCOUNT);
}

static void general_reasons_come_first_and_in_order(void **state)
{
    (void)state;
    for (int a = 0; a < POLICY_ACTION_COUNT; a++) {
        if (a == POLICY_READ)
            continue;
        struct scene s;
        enum policy_action action = (enum policy_action)a;
        scene_state(&s, CONTRACT_UNRECOGNISED, CONTRACT_MONEY_UNKNOWN);
        s.facts.no_journal = true;
        s.facts.read_only = true;
        s.facts.signed_in = false;
        s.facts.freshness = POLICY_OTHER_ACCOUNT;
        s.facts.purchase = NULL;
        s.facts.write_in_flight = true;
        s.facts.outcome_unknown = true;
        EXPECT(s, action, POLICY_NO_JOURNAL);
        s.facts.no_journal = false;
        EXPECT(s, action, POLICY_NO_READ_ONLY);
        s.facts.read_only = false;
        EXPECT(s, action, POLICY_NO_SIGNED_OUT);
        s.facts.signed_in = true;
        EXPECT(s, action, POLICY_NO_OTHER_ACCOUNT);
        s.facts.freshness = POLICY_STALE;
        EXPECT(s, action, POLICY_NO_SNAPSHOT);
        s.facts.purchase = &s.purchase;
        EXPECT(s, action, POLICY_NO_STATE_UNKNOWN);
        s.purchase.state.value = CONTRACT_STATE_PROCESSING;
        EXPECT(s, action,
               action == POLICY_REVEAL ? POLICY_NO_OUTCOME_UNKNOWN : POLICY_NO_IN_FLIGHT);
        s.facts.write_in_flight = false;
        EXPECT(s, action, POLICY_NO_OUTCOME_UNKNOWN);
        s.facts.outcome_unknown = false;
        EXPECT(s, action, POLICY_NO_STALE);
    }
}

static void without_a_journal_only_what_sends_nothing_is_left(void **state)
{
    (void)state;
    struct scene s;
    scene_ready(&s);
    s.facts.handout_held = true;
    s.facts.no_journal = true;
    EXPECT(s, POLICY_REVEAL, POLICY_ALLOWED);
    EXPECT(s, POLICY_READ_HANDOUT, POLICY_NO_JOURNAL);
    EXPECT(s, POLICY_REPORT_PAID, POLICY_NO_JOURNAL);
    EXPECT(s, POLICY_CANCEL, POLICY_NO_JOURNAL);
    s.facts.outcome_unknown = true; /* noted before the journal was lost: it may be found out */
    EXPECT(s, POLICY_READ, POLICY_ALLOWED);
    s.facts.read_only = true; /* another console has it */
    EXPECT(s, POLICY_READ, POLICY_NO_READY_READ);
    EXPECT(s, POLICY_REVEAL, POLICY_NO_JOURNAL);
}

static size_t allowed[POLICY_ACTION_COUNT];
static size_t asked;

/* The rules of money, written down once more and from the other side. */
static void check_properties(const struct scene *s, bool read_is_for_outcome)
{
    const struct contract_purchase *p = &s->purchase;
    const struct policy_facts *f = &s->facts;
    int st = p->state.value;
    int money = p->money.value;
    bool money_unknown = money < 0 || money == CONTRACT_MONEY_UNKNOWN;
    for (int a = 0; a < POLICY_ACTION_COUNT; a++) {
        enum policy_reason why = policy_check((enum policy_action)a, f);
        asked++;
        assert_true(why >= 0 && why < POLICY_REASON_COUNT);
        if (why != POLICY_ALLOWED)
            continue;
        allowed[a]++;
        bool pays = a == POLICY_READ_HANDOUT || a == POLICY_REVEAL || a == POLICY_VAULT_SAVE;
        bool starts = a == POLICY_RETRY_OF || a == POLICY_START_SAME;
        bool reports = a == POLICY_REPORT_PAID || a == POLICY_REPORT_FAILED;
        assert_true(f->signed_in && f->freshness != POLICY_OTHER_ACCOUNT);
        if (a == POLICY_READ) {
            assert_true(st != CONTRACT_STATE_READY || read_is_for_outcome);
            continue;
        }
        assert_false(f->read_only);
        assert_false(f->no_journal && a != POLICY_REVEAL);
        assert_true(st >= 0);
        assert_false(f->outcome_unknown);
        assert_false(f->write_in_flight && a != POLICY_REVEAL);
        if (pays || starts)
            assert_false(money_unknown);
        if (pays || starts || reports || a == POLICY_CANCEL)
            assert_true(st != CONTRACT_STATE_VERIFYING);
        if (pays || reports || a == POLICY_STEP) {
            assert_int_equal(st, CONTRACT_STATE_READY);
            assert_int_equal(p->checkout_by.value, CONTRACT_CHECKOUT_BY_AGENT);
            assert_false(f->report_sent);
        }
        if (pays)
            assert_false(p->payment_closed);
        if (starts)
            assert_true(contract_state_is_terminal(st) && st != CONTRACT_STATE_SUPERSEDED);
        if (a == POLICY_RETRY_OF)
            assert_true(money == CONTRACT_MONEY_NOT_STARTED || money == CONTRACT_MONEY_REFUNDED);
        if (a == POLICY_CANCEL)
            assert_false(contract_state_is_terminal(st) || f->report_sent);
        if (a == POLICY_REVEAL)
            assert_true(f->handout_held);
        if (a == POLICY_ANSWER) {
            assert_true(p->question.open && f->question_on_screen);
            assert_string_equal(p->question.id, f->question_on_screen);
            assert_true(p->question.kind.value >= 0);
            assert_true(p->question.kind.value != CONTRACT_QUESTION_PASSWORD);
        }
        if (st != CONTRACT_STATE_READY && !contract_state_is_terminal(st))
            assert_int_equal(f->freshness, POLICY_FRESH);
    }
}

static void set_facts(struct scene *s, unsigned bits, int report, int question)
{
    static const char *const on_screen[] = {NULL, "q-1", "q-1", "q-1", "q-9", NULL};
    static const int kinds[] = {CONTRACT_QUESTION_TEXT,     CONTRACT_QUESTION_OTP,
                                CONTRACT_QUESTION_PASSWORD, CONTRACT_UNRECOGNISED,
                                CONTRACT_QUESTION_TEXT,     CONTRACT_QUESTION_TEXT};
    struct policy_facts *f = &s->facts;
    f->read_only = bits & 1;
    f->signed_in = bits & 2;
    f->handout_held = bits & 4;
    f->write_in_flight = bits & 8;
    f->outcome_unknown = bits & 16;
    f->vault_offer = f->feedback_offer = f->retry_offered = bits & 32;
    s->purchase.follow_up.open = bits & 32;
    s->purchase.payment_closed = bits & 64;
    f->no_journal = bits & 128;
    f->report_sent = report > 0;
    f->report_failed_known = report > 1;
    f->report_failure = report > 1 ? CONTRACT_FAILURE_OTHER : CONTRACT_ABSENT;
    s->purchase.question.open = question > 0;
    s->purchase.question.kind.value = kinds[question];
    f->question_on_screen = on_screen[question];
}

static void the_properties_hold_for_the_whole_product(void **state)
{
    (void)state;
    struct scene s;
    scene_ready(&s);
    snprintf(s.purchase.question.id, sizeof s.purchase.question.id, "q-1");
    for (int st = CONTRACT_ABSENT; st < CONTRACT_STATE_COUNT; st++)
        for (int money = CONTRACT_ABSENT; money < CONTRACT_MONEY_COUNT; money++)
            for (int by = CONTRACT_ABSENT; by < CONTRACT_CHECKOUT_BY_COUNT; by++)
                for (int fresh = POLICY_FRESH; fresh <= POLICY_OTHER_ACCOUNT; fresh++)
                    for (unsigned bits = 0; bits < 256; bits++)
                        for (int report = 0; report < 3; report++)
                            for (int question = 0; question < 6; question++) {
                                s.purchase.state.value = st;
                                s.purchase.money.value = money;
                                s.purchase.checkout_by.value = by;
                                s.facts.freshness = (enum policy_freshness)fresh;
                                set_facts(&s, bits, report, question);
                                check_properties(&s, (bits & 16) || report > 0);
                            }
    assert_int_equal(asked, (size_t)POLICY_ACTION_COUNT * (CONTRACT_STATE_COUNT + 2) *
                                (CONTRACT_MONEY_COUNT + 2) * (CONTRACT_CHECKOUT_BY_COUNT + 2) * 4 *
                                256 * 3 * 6);
    for (int a = 0; a < POLICY_ACTION_COUNT; a++)
        assert_true(allowed[a] > 0);
}

static void every_reason_has_words_of_its_own(void **state)
{
    (void)state;
    assert_string_equal(policy_words(POLICY_ALLOWED), "");
    for (int a = POLICY_ALLOWED + 1; a < POLICY_REASON_COUNT; a++) {
        assert_true(strlen(policy_words((enum policy_reason)a)) > 0);
        for (int b = a + 1; b < POLICY_REASON_COUNT; b++)
            assert_string_not_equal(policy_words((enum policy_reason)a),
                                    policy_words((enum policy_reason)b));
    }
    assert_true(strlen(policy_words((enum policy_reason)99)) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ready_card_allows_its_use),
        cmocka_unit_test(ready_facts_have_their_reasons),
        cmocka_unit_test(answers_go_to_the_question_on_screen),
        cmocka_unit_test(feedback_comes_after_the_end),
        cmocka_unit_test(cancel_waits_for_no_report),
        cmocka_unit_test(starting_again_needs_settled_money),
        cmocka_unit_test(a_linked_retry_must_be_offered_and_settled),
        cmocka_unit_test(reading_is_barred_only_while_ready),
        cmocka_unit_test(general_reasons_come_first_and_in_order),
        cmocka_unit_test(without_a_journal_only_what_sends_nothing_is_left),
        cmocka_unit_test(the_properties_hold_for_the_whole_product),
        cmocka_unit_test(every_reason_has_words_of_its_own),
    };
    return cmocka_run_group_tests_name("flow/policy", tests, NULL, NULL);
}
