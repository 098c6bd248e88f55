/* SPDX-License-Identifier: Apache-2.0 */
/* Following next: every state with every action, the two ways waiting ends, memory across replies,
 * and the properties that hold for all of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include "flow/follow.h"

#define OWN     "pur_00000000000000000000000000000001"
#define KEY     "ec-start-own-key-0001"
#define OTHER   "pur_00000000000000000000000000000002"
#define NOW     INT64_C(1790683200000)
#define NO_MORE (-3) /* no purchase in the reply */

static char args_held[] = "{\"wait_seconds\": 45,\"purchase\":\"" OWN "\",\"after_revision\":7}";

struct scene {
    struct contract_purchase purchase;
    struct contract_reply reply;
};

/* A waiting purchase at revision 7 whose reply offers a held read. */
static void scene_init(struct scene *s)
{
    memset(s, 0, sizeof *s);
    struct contract_purchase *p = &s->purchase;
    snprintf(p->purchase_id, sizeof p->purchase_id, "%s", OWN);
    snprintf(p->idempotency_key, sizeof p->idempotency_key, "%s", KEY);
    p->revision = 7;
    p->state.value = CONTRACT_STATE_WAITING_FOR_USER;
    p->reason.value = CONTRACT_ABSENT;
    p->money.value = CONTRACT_MONEY_NOT_STARTED;
    struct contract_reply *r = &s->reply;
    r->tool = CONTRACT_TOOL_GET_PURCHASE_STATUS;
    r->ok = true;
    r->purchase = p;
    r->error.code.value = CONTRACT_ABSENT;
    struct contract_next *n = &r->next;
    n->action.value = CONTRACT_ACTION_CALL_TOOL;
    n->tool.value = CONTRACT_TOOL_GET_PURCHASE_STATUS;
    n->args = args_held;
    n->after_seconds = -1;
    n->by_ms = CLOCK_NONE;
    n->wait_seconds = 45;
    n->after_revision = 7;
    snprintf(n->purchase, sizeof n->purchase, "%s", OWN);
}

static void scene_fail(struct scene *s, int code, int action)
{
    s->reply.ok = false;
    s->reply.error.present = true;
    s->reply.error.code.value = code;
    s->reply.next.action.value = action;
}

static void begin(struct follow_memory *m, int64_t revision, int unchanged, int state)
{
    follow_begin(m);
    m->revision = revision;
    m->unchanged = unchanged;
    m->state = state;
}

static enum follow_stop stop_of(struct scene *s)
{
    struct follow_memory m;
    struct follow_plan plan;
    follow_begin(&m);
    follow_reply(&m, &s->reply, false, NOW, &plan);
    return plan.stop;
}

static void a_fresh_memory_knows_nothing(void **state)
{
    (void)state;
    struct follow_memory m = {.revision = 5, .unchanged = 3, .state = 1};
    follow_begin(&m);
    assert_int_equal(m.revision, -1);
    assert_int_equal(m.unchanged, 0);
    assert_int_equal(m.state, CONTRACT_ABSENT);
}

static void a_held_read_is_planned_word_for_word(void **state)
{
    (void)state;
    struct scene s;
    struct follow_memory m;
    struct follow_plan plan;
    scene_init(&s);
    s.reply.next.after_seconds = 3;
    s.reply.next.by_ms = NOW + 60000;
    follow_begin(&m);
    follow_reply(&m, &s.reply, false, NOW, &plan);
    assert_int_equal(plan.stop, FOLLOW_GOING);
    assert_int_equal(plan.tool, CONTRACT_TOOL_GET_PURCHASE_STATUS);
    assert_ptr_equal(plan.args, args_held);
    assert_true(plan.held);
    assert_int_equal(plan.delay_ms, 3000);
    assert_int_equal(plan.timeout_ms, 60000);
    assert_true(plan.by_ms == NOW + 60000);
    assert_string_equal(plan.replacement, "");
    assert_false(plan.outdated);
    assert_int_equal(plan.memory.revision, 7);
    assert_int_equal(plan.memory.state, CONTRACT_STATE_WAITING_FOR_USER);
}

static void delays_and_time_outs_follow_the_reply(void **state)
{
    (void)state;
    static const struct {
        int64_t wait, after_revision, after, delay_ms, timeout_ms;
        bool held;
    } rows[] = {
        {45, 7, -1, 0, 60000, true},
        {0, 7, -1, 0, 60000, false},
        {-1, 7, -1, 0, 60000, true},
        {45, -1, -1, 0, 60000, false},
        {46, 7, 0, 0, 61000, true},
        {44, 7, 10, 10000, 60000, true},
        {100, 7, 1, 1000, 115000, true},
        {1, 0, -1, 0, 60000, true},
        {INT64_MAX, 7, INT64_MAX, INT64_C(86400000), 3615000, true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct scene s;
        struct follow_memory m;
        struct follow_plan plan;
        scene_init(&s);
        s.reply.next.wait_seconds = rows[i].wait;
        s.reply.next.after_revision = rows[i].after_revision;
        s.reply.next.after_seconds = rows[i].after;
        follow_begin(&m);
        follow_reply(&m, &s.reply, true, NOW, &plan);
        assert_int_equal(plan.stop, FOLLOW_GOING);
        assert_true(plan.held == rows[i].held);
        assert_true(plan.delay_ms == rows[i].delay_ms);
        assert_true(plan.timeout_ms == rows[i].timeout_ms);
    }
}

static void plain_reads_without_change_are_spaced(void **state)
{
    (void)state;
    static const struct {
        int64_t known, after, delay_ms;
        bool was_held;
        enum contract_tool tool;
    } rows[] = {
        {7, -1, FOLLOW_PLAIN_DELAY_MS, false, CONTRACT_TOOL_GET_PURCHASE_STATUS},
        {7, 1, FOLLOW_PLAIN_DELAY_MS, false, CONTRACT_TOOL_GET_PURCHASE_STATUS},
        {7, 9, 9000, false, CONTRACT_TOOL_GET_PURCHASE_STATUS},
        {6, -1, 0, false, CONTRACT_TOOL_GET_PURCHASE_STATUS},
        {7, -1, 0, true, CONTRACT_TOOL_GET_PURCHASE_STATUS},
        {7, -1, 0, false, CONTRACT_TOOL_START_PURCHASE},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct scene s;
        struct follow_memory m;
        struct follow_plan plan;
        scene_init(&s);
        s.reply.tool = rows[i].tool;
        s.reply.next.after_revision = -1;
        s.reply.next.after_seconds = rows[i].after;
        begin(&m, rows[i].known, 0, CONTRACT_STATE_WAITING_FOR_USER);
        follow_reply(&m, &s.reply, rows[i].was_held, NOW, &plan);
        assert_int_equal(plan.stop, FOLLOW_GOING);
        assert_false(plan.held);
        assert_true(plan.delay_ms == rows[i].delay_ms);
    }
}

/* What a good reply in this state with this action and tool must lead to. */
static enum follow_stop expected(int st, int action, int tool)
{
    bool call = action == CONTRACT_ACTION_CALL_TOOL;
    if (action == CONTRACT_ACTION_RECONNECT)
        return FOLLOW_SIGN_IN;
    if (action == CONTRACT_ACTION_UPDATE_CLIENT)
        return FOLLOW_UPDATE;
    if (action == CONTRACT_ACTION_RETRY)
        return st == CONTRACT_STATE_READY ? FOLLOW_READY : FOLLOW_LOST;
    if (st == CONTRACT_STATE_SUPERSEDED)
        return FOLLOW_REPLACED;
    if (call && tool == CONTRACT_UNRECOGNISED)
        return FOLLOW_UNKNOWN_TOOL;
    if (st == CONTRACT_STATE_READY)
        return FOLLOW_READY;
    if (st == CONTRACT_STATE_COMPLETED || st == CONTRACT_STATE_FAILED ||
        st == CONTRACT_STATE_CANCELLED)
        return FOLLOW_TERMINAL;
    if (call && tool == CONTRACT_TOOL_GET_PURCHASE_STATUS)
        return FOLLOW_GOING;
    if (st < 0)
        return FOLLOW_UNKNOWN_STATE;
    if (call &&
        (tool == CONTRACT_TOOL_SUBMIT_ANSWER || tool == CONTRACT_TOOL_ANSWER_PURCHASE_QUESTION))
        return FOLLOW_QUESTION;
    return FOLLOW_TOLD;
}

static void every_state_with_every_action_and_tool(void **state)
{
    (void)state;
    size_t cases = 0;
    for (int st = CONTRACT_ABSENT; st < CONTRACT_STATE_COUNT; st++) {
        for (int action = CONTRACT_ABSENT; action < CONTRACT_ACTION_COUNT; action++) {
            for (int tool = CONTRACT_ABSENT; tool < CONTRACT_TOOL_COUNT; tool++) {
                struct scene s;
                scene_init(&s);
                s.purchase.state.value = st;
                s.reply.next.action.value = action;
                s.reply.next.tool.value = tool;
                enum follow_stop got = stop_of(&s);
                if (got != expected(st, action, tool))
                    fail_msg("state %d action %d tool %d: %d", st, action, tool, got);
                cases++;
            }
        }
    }
    assert_int_equal(cases, (CONTRACT_STATE_COUNT + 2) * (CONTRACT_ACTION_COUNT + 2) *
                                (CONTRACT_TOOL_COUNT + 2));
}

static void a_question_for_a_password_is_no_unconfirmed_wait(void **state)
{
    (void)state;
    struct scene s;
    scene_init(&s);
    s.purchase.state.value = CONTRACT_STATE_NEEDS_ANSWER;
    s.reply.next.action.value = CONTRACT_ACTION_STOP;
    assert_int_equal(stop_of(&s), FOLLOW_TOLD);
    s.purchase.question.open = true;
    s.purchase.question.kind.value = CONTRACT_QUESTION_PASSWORD;
    assert_int_equal(stop_of(&s), FOLLOW_PASSWORD);
    assert_false(follow_stop_is_open(FOLLOW_PASSWORD));
    s.purchase.question.kind.value = CONTRACT_QUESTION_TEXT;
    assert_int_equal(stop_of(&s), FOLLOW_TOLD);
}

static void the_end_needs_settled_money(void **state)
{
    (void)state;
    static const struct {
        int money;
        bool failed_settled, completed_settled;
    } rows[] = {
        {CONTRACT_MONEY_NOT_STARTED, true, true},
        {CONTRACT_MONEY_REFUNDED, true, true},
        {CONTRACT_MONEY_DEBITED, false, true},
        {CONTRACT_MONEY_REFUND_PENDING, false, true},
        {CONTRACT_MONEY_MERCHANT_COLLECTS, false, true},
        {CONTRACT_MONEY_UNKNOWN, false, false},
        {CONTRACT_ABSENT, false, false},
        {CONTRACT_UNRECOGNISED, false, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct scene s;
        scene_init(&s);
        s.purchase.money.value = rows[i].money;
        s.purchase.state.value = CONTRACT_STATE_FAILED;
        assert_int_equal(stop_of(&s),
                         rows[i].failed_settled ? FOLLOW_TERMINAL : FOLLOW_NEEDS_SUPPORT);
        s.purchase.state.value = CONTRACT_STATE_CANCELLED;
        assert_int_equal(stop_of(&s),
                         rows[i].failed_settled ? FOLLOW_TERMINAL : FOLLOW_NEEDS_SUPPORT);
        s.purchase.state.value = CONTRACT_STATE_COMPLETED;
        assert_int_equal(stop_of(&s),
                         rows[i].completed_settled ? FOLLOW_TERMINAL : FOLLOW_NEEDS_SUPPORT);
    }
}

static void an_unknown_outcome_needs_support_only_when_told_to_stop(void **state)
{
    (void)state;
    struct scene s;
    scene_init(&s);
    s.purchase.state.value = CONTRACT_STATE_VERIFYING;
    s.purchase.reason.value = CONTRACT_REASON_ORDER_OUTCOME_UNKNOWN;
    assert_int_equal(stop_of(&s), FOLLOW_GOING);
    s.reply.next.action.value = CONTRACT_ACTION_STOP;
    assert_int_equal(stop_of(&s), FOLLOW_NEEDS_SUPPORT);
    s.purchase.reason.value = CONTRACT_ABSENT;
    assert_int_equal(stop_of(&s), FOLLOW_TOLD);
}

static void errors_stop_for_their_own_reason(void **state)
{
    (void)state;
    static const struct {
        int code, action;
        enum follow_stop stop;
    } rows[] = {
        {CONTRACT_CODE_UNAUTHENTICATED, CONTRACT_ACTION_RECONNECT, FOLLOW_SIGN_IN},
        {CONTRACT_CODE_UNAUTHENTICATED, CONTRACT_ACTION_STOP, FOLLOW_SIGN_IN},
        {CONTRACT_CODE_CLIENT_UPDATE_REQUIRED, CONTRACT_ACTION_STOP, FOLLOW_UPDATE},
        {CONTRACT_CODE_RATE_LIMITED, CONTRACT_ACTION_RETRY, FOLLOW_LOST},
        {CONTRACT_CODE_RATE_LIMITED, CONTRACT_ACTION_STOP, FOLLOW_LOST},
        {CONTRACT_CODE_UNAVAILABLE, CONTRACT_ACTION_RETRY, FOLLOW_LOST},
        {CONTRACT_CODE_UNAVAILABLE, CONTRACT_ACTION_STOP, FOLLOW_REFUSED},
        {CONTRACT_CODE_UNAVAILABLE, CONTRACT_ACTION_CALL_TOOL, FOLLOW_GOING},
        {CONTRACT_CODE_STATE_CONFLICT, CONTRACT_ACTION_CALL_TOOL, FOLLOW_GOING},
        {CONTRACT_CODE_STATE_CONFLICT, CONTRACT_ACTION_STOP, FOLLOW_REFUSED},
        {CONTRACT_CODE_NOT_FOUND, CONTRACT_ACTION_STOP, FOLLOW_NOT_FOUND},
        {CONTRACT_CODE_NOT_FOUND, CONTRACT_ACTION_CALL_TOOL, FOLLOW_NOT_FOUND},
        {CONTRACT_CODE_NOT_ALLOWED, CONTRACT_ACTION_STOP, FOLLOW_REFUSED},
        {CONTRACT_CODE_SERVICE_NOT_ENABLED, CONTRACT_ACTION_STOP, FOLLOW_REFUSED},
        {CONTRACT_CODE_INVALID_INPUT, CONTRACT_ACTION_FIX_INPUT, FOLLOW_REFUSED},
        {CONTRACT_CODE_IDEMPOTENCY_CONFLICT, CONTRACT_ACTION_FIX_INPUT, FOLLOW_REFUSED},
        {CONTRACT_CODE_ACTIVE_PURCHASE_EXISTS, CONTRACT_ACTION_STOP, FOLLOW_REFUSED},
        {CONTRACT_CODE_NO_RAIL, CONTRACT_ACTION_STOP, FOLLOW_REFUSED},
        {CONTRACT_UNRECOGNISED, CONTRACT_ACTION_STOP, FOLLOW_REFUSED},
        {CONTRACT_UNRECOGNISED, CONTRACT_UNRECOGNISED, FOLLOW_REFUSED},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (int with_purchase = 0; with_purchase < 2; with_purchase++) {
            struct scene s;
            scene_init(&s);
            scene_fail(&s, rows[i].code, rows[i].action);
            if (!with_purchase)
                s.reply.purchase = NULL;
            assert_int_equal(stop_of(&s), rows[i].stop);
        }
    }
    struct scene s;
    struct follow_memory m;
    struct follow_plan plan;
    scene_init(&s);
    scene_fail(&s, CONTRACT_CODE_UNAVAILABLE, CONTRACT_ACTION_RETRY);
    s.reply.next.after_seconds = 12;
    follow_begin(&m);
    follow_reply(&m, &s.reply, true, NOW, &plan);
    assert_int_equal(plan.delay_ms, 12000);
    assert_null(plan.args);
}

static void four_unchanged_holds_end_the_waiting(void **state)
{
    (void)state;
    struct scene s;
    struct follow_memory m;
    struct follow_plan plan;
    scene_init(&s);
    follow_begin(&m);
    follow_reply(&m, &s.reply, true, NOW, &plan);
    assert_int_equal(plan.memory.unchanged, 0);
    for (int held = 1; held < FOLLOW_UNCHANGED_MAX; held++) {
        m = plan.memory;
        follow_reply(&m, &s.reply, true, NOW, &plan);
        assert_int_equal(plan.stop, FOLLOW_GOING);
        assert_int_equal(plan.memory.unchanged, held);
    }
    m = plan.memory;
    struct follow_memory third = m;
    follow_reply(&m, &s.reply, true, NOW, &plan);
    assert_int_equal(plan.stop, FOLLOW_UNCHANGED);
    assert_null(plan.args);
    /* A change at the last moment starts the count again. */
    s.purchase.revision = 8;
    follow_reply(&third, &s.reply, true, NOW, &plan);
    assert_int_equal(plan.stop, FOLLOW_GOING);
    assert_int_equal(plan.memory.unchanged, 0);
}

static void only_good_held_status_reads_count(void **state)
{
    (void)state;
    struct scene s;
    struct follow_memory m;
    struct follow_plan plan;
    begin(&m, 7, 3, CONTRACT_STATE_WAITING_FOR_USER);
    scene_init(&s);
    follow_reply(&m, &s.reply, false, NOW, &plan);
    assert_int_equal(plan.memory.unchanged, 0);
    scene_init(&s);
    s.reply.tool = CONTRACT_TOOL_CANCEL_PURCHASE;
    follow_reply(&m, &s.reply, true, NOW, &plan);
    assert_int_equal(plan.memory.unchanged, 0);
    scene_init(&s);
    scene_fail(&s, CONTRACT_CODE_UNAVAILABLE, CONTRACT_ACTION_CALL_TOOL);
    follow_reply(&m, &s.reply, true, NOW, &plan);
    assert_int_equal(plan.memory.unchanged, 3);
    assert_int_equal(plan.stop, FOLLOW_GOING);
    scene_init(&s);
    s.reply.purchase = NULL;
    follow_reply(&m, &s.reply, true, NOW, &plan);
    assert_int_equal(plan.memory.unchanged, 3);
    assert_int_equal(plan.memory.revision, 7);
}

static void the_deadline_is_exact(void **state)
{
    (void)state;
    static const struct {
        int64_t by_ms;
        bool passed;
    } rows[] = {
        {CLOCK_NONE, false}, {NOW + 1, false}, {NOW, true}, {NOW - 1, true}, {INT64_MAX, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct scene s;
        scene_init(&s);
        s.reply.next.by_ms = rows[i].by_ms;
        assert_int_equal(follow_by_passed(rows[i].by_ms, NOW), rows[i].passed);
        assert_int_equal(stop_of(&s), rows[i].passed ? FOLLOW_BY_PASSED : FOLLOW_GOING);
    }
}

/* Case N5: an old reply that arrives late. */
static void an_old_reply_rolls_nothing_back(void **state)
{
    (void)state;
    struct scene s;
    struct follow_memory m;
    struct follow_plan plan;
    scene_init(&s);
    begin(&m, 9, 2, CONTRACT_STATE_VERIFYING);
    follow_reply(&m, &s.reply, true, NOW, &plan);
    assert_true(plan.outdated);
    assert_int_equal(plan.memory.revision, 9);
    assert_int_equal(plan.memory.unchanged, 2);
    assert_int_equal(plan.memory.state, CONTRACT_STATE_VERIFYING);
    s.purchase.revision = 9;
    follow_reply(&m, &s.reply, true, NOW, &plan);
    assert_false(plan.outdated);
    /* An old "processing" must not lead to a read of what is ready by now. */
    s.purchase.revision = 7;
    s.purchase.state.value = CONTRACT_STATE_PROCESSING;
    begin(&m, 9, 0, CONTRACT_STATE_READY);
    follow_reply(&m, &s.reply, true, NOW, &plan);
    assert_int_equal(plan.stop, FOLLOW_READY);
    assert_null(plan.args);
}

static void replacements_are_named_and_not_read_here(void **state)
{
    (void)state;
    struct scene s;
    struct follow_memory m;
    struct follow_plan plan;
    scene_init(&s);
    follow_begin(&m);
    s.purchase.state.value = CONTRACT_STATE_SUPERSEDED;
    snprintf(s.purchase.superseded_by, sizeof s.purchase.superseded_by, "%s", OTHER);
    follow_reply(&m, &s.reply, false, NOW, &plan);
    assert_int_equal(plan.stop, FOLLOW_REPLACED);
    assert_string_equal(plan.replacement, OTHER);
    assert_null(plan.args);
    s.purchase.superseded_by[0] = '\0';
    snprintf(s.reply.next.purchase, sizeof s.reply.next.purchase, "%s", OTHER);
    follow_reply(&m, &s.reply, false, NOW, &plan);
    assert_string_equal(plan.replacement, OTHER);
    s.reply.next.action.value = CONTRACT_ACTION_STOP;
    follow_reply(&m, &s.reply, false, NOW, &plan);
    assert_int_equal(plan.stop, FOLLOW_REPLACED);
    assert_string_equal(plan.replacement, "");
    /* An open purchase whose reply points elsewhere is not followed blindly either. */
    scene_init(&s);
    snprintf(s.reply.next.purchase, sizeof s.reply.next.purchase, "%s", OTHER);
    follow_reply(&m, &s.reply, false, NOW, &plan);
    assert_int_equal(plan.stop, FOLLOW_REPLACED);
    assert_string_equal(plan.replacement, OTHER);
    /* Its own key is as good as its id. */
    snprintf(s.reply.next.purchase, sizeof s.reply.next.purchase, "%s", KEY);
    follow_reply(&m, &s.reply, false, NOW, &plan);
    assert_int_equal(plan.stop, FOLLOW_GOING);
}

static void a_read_that_could_reach_anything_is_not_followed(void **state)
{
    (void)state;
    struct scene s;
    scene_init(&s);
    s.reply.next.purchase[0] = '\0';
    assert_int_equal(stop_of(&s), FOLLOW_TOLD);
    scene_init(&s);
    s.reply.next.args = NULL;
    assert_int_equal(stop_of(&s), FOLLOW_TOLD);
}

/* Over every combination: what is planned is a status read of a purchase that is not ready, with
 * the reply's own bytes; what is stopped plans nothing; nothing goes on after the limit. */
static void the_properties_hold_for_the_whole_product(void **state)
{
    (void)state;
    size_t seen[FOLLOW_STOP_COUNT] = {0};
    for (int st = NO_MORE; st < CONTRACT_STATE_COUNT; st++)
        for (int known = CONTRACT_ABSENT; known < CONTRACT_STATE_COUNT; known++)
            for (int action = CONTRACT_ABSENT; action < CONTRACT_ACTION_COUNT; action++)
                for (int code = CONTRACT_ABSENT; code < CONTRACT_CODE_COUNT; code++)
                    for (int bits = 0; bits < 64; bits++) {
                        struct scene s;
                        struct follow_memory m;
                        struct follow_plan plan;
                        scene_init(&s);
                        s.purchase.state.value = st;
                        if (st == NO_MORE)
                            s.reply.purchase = NULL;
                        if (code != CONTRACT_ABSENT)
                            scene_fail(&s, code, action);
                        s.reply.next.action.value = action;
                        s.reply.next.by_ms = bits & 1 ? NOW - 5 : NOW + 5;
                        s.purchase.revision = bits & 2 ? 6 : 7;
                        bool held = bits & 4;
                        if (bits & 8)
                            s.reply.next.tool.value = CONTRACT_UNRECOGNISED;
                        if (bits & 16)
                            s.purchase.reason.value = CONTRACT_REASON_ORDER_OUTCOME_UNKNOWN;
                        begin(&m, bits & 2 ? 7 : bits & 32 ? 7 : 6, 3, known);
                        follow_reply(&m, &s.reply, held, NOW, &plan);
                        seen[plan.stop]++;
                        if (plan.stop != FOLLOW_GOING) {
                            assert_null(plan.args);
                            continue;
                        }
                        assert_int_equal(plan.tool, CONTRACT_TOOL_GET_PURCHASE_STATUS);
                        assert_ptr_equal(plan.args, args_held);
                        assert_true(st != CONTRACT_STATE_READY);
                        assert_true(plan.memory.state != CONTRACT_STATE_READY);
                        assert_false(contract_state_is_terminal(st));
                        assert_false(follow_by_passed(s.reply.next.by_ms, NOW));
                        assert_true(plan.memory.unchanged < FOLLOW_UNCHANGED_MAX);
                        assert_int_equal(action, CONTRACT_ACTION_CALL_TOOL);
                        assert_true(plan.timeout_ms >= FOLLOW_TIMEOUT_MIN_MS);
                    }
    assert_true(seen[FOLLOW_GOING] > 0 && seen[FOLLOW_UNCHANGED] > 0 && seen[FOLLOW_BY_PASSED] > 0);
    assert_true(seen[FOLLOW_READY] > 0 && seen[FOLLOW_TERMINAL] > 0 && seen[FOLLOW_REPLACED] > 0);
    assert_true(seen[FOLLOW_LOST] > 0 && seen[FOLLOW_UNKNOWN_TOOL] > 0 && seen[FOLLOW_TOLD] > 0);
}

static void only_open_known_purchases_may_be_opened(void **state)
{
    (void)state;
    for (int st = CONTRACT_ABSENT; st < CONTRACT_STATE_COUNT; st++) {
        struct contract_enum e = {.value = st};
        bool may = st == CONTRACT_STATE_NEEDS_DETAILS || st == CONTRACT_STATE_NEEDS_ANSWER ||
                   st == CONTRACT_STATE_WAITING_FOR_USER || st == CONTRACT_STATE_PROCESSING ||
                   st == CONTRACT_STATE_VERIFYING;
        assert_int_equal(follow_may_open(&e), may);
    }
}

static void every_stop_has_words_of_its_own(void **state)
{
    (void)state;
    for (int a = 0; a < FOLLOW_STOP_COUNT; a++) {
        const char *words = follow_stop_words((enum follow_stop)a);
        assert_true(words[0] != '\0');
        for (int b = a + 1; b < FOLLOW_STOP_COUNT; b++)
            assert_string_not_equal(words, follow_stop_words((enum follow_stop)b));
        bool open = a == FOLLOW_TOLD || a == FOLLOW_BY_PASSED || a == FOLLOW_UNCHANGED ||
                    a == FOLLOW_NEEDS_SUPPORT || a == FOLLOW_UNKNOWN_TOOL ||
                    a == FOLLOW_UNKNOWN_STATE;
        assert_int_equal(follow_stop_is_open((enum follow_stop)a), open);
    }
    assert_non_null(strstr(follow_stop_words(FOLLOW_TOLD), "not confirmed yet"));
    assert_non_null(strstr(follow_stop_words(FOLLOW_BY_PASSED), "not confirmed yet"));
    assert_non_null(strstr(follow_stop_words(FOLLOW_UNCHANGED), "not confirmed yet"));
    assert_non_null(follow_stop_words((enum follow_stop)99));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fresh_memory_knows_nothing),
        cmocka_unit_test(a_held_read_is_planned_word_for_word),
        cmocka_unit_test(delays_and_time_outs_follow_the_reply),
        cmocka_unit_test(plain_reads_without_change_are_spaced),
        cmocka_unit_test(every_state_with_every_action_and_tool),
        cmocka_unit_test(a_question_for_a_password_is_no_unconfirmed_wait),
        cmocka_unit_test(the_end_needs_settled_money),
        cmocka_unit_test(an_unknown_outcome_needs_support_only_when_told_to_stop),
        cmocka_unit_test(errors_stop_for_their_own_reason),
        cmocka_unit_test(four_unchanged_holds_end_the_waiting),
        cmocka_unit_test(only_good_held_status_reads_count),
        cmocka_unit_test(the_deadline_is_exact),
        cmocka_unit_test(an_old_reply_rolls_nothing_back),
        cmocka_unit_test(replacements_are_named_and_not_read_here),
        cmocka_unit_test(a_read_that_could_reach_anything_is_not_followed),
        cmocka_unit_test(the_properties_hold_for_the_whole_product),
        cmocka_unit_test(only_open_known_purchases_may_be_opened),
        cmocka_unit_test(every_stop_has_words_of_its_own),
    };
    return cmocka_run_group_tests_name("flow/follow", tests, NULL, NULL);
}
