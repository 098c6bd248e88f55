/* SPDX-License-Identifier: Apache-2.0 */
/* The agent's own checkout: who gets a handout and when, what a report does, how a purchase ends,
 * and when it may still be cancelled. Money is checked against the simulator's ledger. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include "support/simdeal.h"

#define SHOP "shop.example.test"

static int open_plain(void **state)
{
    *state = simproc_open("tests/sim/worlds/plain.json", false);
    return 0;
}

static int stop(void **state)
{
    simproc_stop(*state);
    return 0;
}

static long spendable(struct simproc *s)
{
    const cJSON *reply = simproc_call(s, "get_account", "{'include':['balance']}");
    return simproc_number(reply, "data.account.spendable.minor");
}

static void only_a_status_read_hands_out(void **state)
{
    struct simproc *s = *state;
    const char *id = simdeal_buy(s, "key-hand-0000001", SHOP, "100", "");
    const cJSON *early = simdeal_read(s, id);
    assert_true(simproc_is_null(early, "data"));
    const cJSON *ready = simdeal_ready(s, id);
    assert_string_equal(simproc_text(ready, "data.payment_details.kind"), "card");
    assert_int_equal(strlen(simproc_text(ready, "data.payment_details.card.number")), 16);
    assert_string_equal(simproc_text(ready, "data.payment_details.card.network"), "rupay");
    assert_int_equal(simproc_number(ready, "data.payment_details.amount_limit.minor"), 10000);
    assert_string_equal(simproc_text(ready, "data.payment_details.expires_at"),
                        simproc_text(ready, "purchase.payment_ready.expires_at"));
    static const struct {
        const char *tool, *input;
    } others[] = {
        {"start_purchase", NULL},
        {"report_checkout_step",
         "{\"purchase\":\"key-hand-0000001\",\"step\":\"merchant_opened\"}"},
        {"get_account", "{\"include\":[\"active_purchase\"]}"},
        {"list_purchases", "{}"},
    };
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        const cJSON *reply = others[i].input
                                 ? simproc_call(s, others[i].tool, "%s", others[i].input)
                                 : simdeal_start(s, "key-hand-0000001", SHOP, "100", "");
        assert_int_equal(simproc_status(s), 200);
        assert_null(simproc_at(reply, "data.payment_details"));
    }
}

static void each_handout_is_a_new_attempt(void **state)
{
    struct simproc *s = *state;
    const char *id = simdeal_buy(s, "key-hand-0000002", SHOP, "100", "");
    const cJSON *first = simdeal_ready(s, id);
    const cJSON *second = simdeal_read(s, id);
    assert_string_not_equal(simproc_text(first, "data.payment_details.checkout_attempt_id"),
                            simproc_text(second, "data.payment_details.checkout_attempt_id"));
    assert_string_equal(simproc_text(first, "data.payment_details.card.number"),
                        simproc_text(second, "data.payment_details.card.number"));
    assert_string_equal(simproc_text(second, "next.args.checkout_attempt_id"),
                        simproc_text(second, "data.payment_details.checkout_attempt_id"));
    /* The earlier attempt was the one that paid; its report counts. */
    const cJSON *reply = simdeal_report(s, first, "paid", "'merchant_order_ref':'A-1'");
    simdeal_expect_state(s, reply, "verifying");
    reply = simdeal_report(s, second, "failed", "'failure_reason':'other'");
    simdeal_expect_state(s, reply, "verifying");
    simproc_advance(s, 20);
    reply = simdeal_read(s, id);
    simdeal_expect_state(s, reply, "completed");
    assert_string_equal(simproc_text(reply, "purchase.receipt.merchant_order_ref"), "A-1");
    assert_true(simproc_is_null(reply, "data"));
}

static void another_connection_reads_without_the_card(void **state)
{
    struct simproc *s = simproc_open("tests/sim/worlds/other.json", false);
    (void)state;
    simproc_phone(s, "elsewhere", "approve");
    simproc_advance(s, 10);
    const cJSON *list = simproc_call(s, "list_purchases", "{}");
    const char *id = simproc_text(list, "data.purchases.0.purchase_id");
    const cJSON *reply = simdeal_read(s, id);
    simdeal_expect_state(s, reply, "ready");
    assert_true(simproc_is_null(reply, "data"));
    reply = simproc_call(s, "report_checkout_result", "{'purchase':'%s','outcome':'paid'}", id);
    simdeal_expect_state(s, reply, "verifying");
    simproc_stop(s);
}

static void a_paid_report_completes_with_its_money(void **state)
{
    struct simproc *s = *state;
    long before = spendable(s);
    const char *id = simdeal_buy(s, "key-paid-0000001", SHOP, "2499", "'max_total':'2700'");
    const cJSON *ready = simdeal_ready(s, id);
    assert_int_equal(spendable(s), before - 270000);
    assert_int_equal(simproc_number(ready, "data.payment_details.amount_limit.minor"), 270000);
    const cJSON *reply =
        simdeal_report(s, ready, "paid", "'merchant_order_ref':'ORD-7','amount_paid':'₹2,600.00'");
    simdeal_expect_state(s, reply, "verifying");
    assert_true(simproc_is_null(reply, "purchase.reason_code"));
    simproc_advance(s, 20);
    reply = simdeal_read(s, id);
    simdeal_expect_state(s, reply, "completed");
    assert_int_equal(simproc_number(reply, "purchase.receipt.paid.minor"), 260000);
    assert_string_equal(simproc_text(reply, "purchase.money.status"), "debited");
    assert_string_equal(simproc_text(reply, "next.action"), "done");
    assert_string_equal(simproc_text(reply, "follow_ups.0.args.type"), "feedback");
    assert_int_equal(spendable(s), before - 260000);
    const cJSON *lines = simproc_call(s, "list_transactions", "{'limit':1}");
    assert_string_equal(simproc_text(lines, "data.transactions.0.title"), "Example Store");
    assert_int_equal(simproc_number(lines, "data.transactions.0.amount.minor"), 260000);
}

static void a_failed_report_ends_with_its_reason(void **state)
{
    struct simproc *s = *state;
    static const char *const rows[][2] = {
        {"card_declined", "ORDER_CARD_DECLINED"},
        {"otp_failed", "ORDER_OTP_FAILED"},
        {"price_changed", "ORDER_PRICE_CHANGED"},
        {"out_of_stock", "ORDER_OUT_OF_STOCK"},
        {"site_error", "ORDER_CHECKOUT_FAILED"},
        {"other", "ORDER_CHECKOUT_FAILED"},
        {"site_blocked", "ORDER_CHECKOUT_BLOCKED"},
        {"card_not_accepted", "ORDER_CARD_NOT_ACCEPTED"},
    };
    long before = spendable(s);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char key[32], host[32], more[64];
        snprintf(key, sizeof key, "key-fail-%08zu", i);
        snprintf(host, sizeof host, "fail%zu.example.test", i);
        snprintf(more, sizeof more, "'failure_reason':'%s'", rows[i][0]);
        const char *id = simdeal_buy(s, key, host, "100", "");
        const cJSON *reply = simdeal_report(s, simdeal_ready(s, id), "failed", more);
        simdeal_expect_state(s, reply, "verifying");
        assert_string_equal(simproc_text(reply, "purchase.reason_code"), rows[i][1]);
        simproc_advance(s, 20);
        reply = simdeal_read(s, id);
        simdeal_expect_state(s, reply, "failed");
        assert_string_equal(simproc_text(reply, "purchase.reason_code"), rows[i][1]);
        assert_string_equal(simproc_text(reply, "purchase.money.status"), "refunded");
    }
    assert_int_equal(spendable(s), before);
    /* Where the card was refused, Envoy's own checkout is the way now. */
    const cJSON *reply = simdeal_start(s, "key-fail-again-01", "fail7.example.test", "100",
                                       "'address_id':'addr_home'");
    simdeal_expect_state(s, reply, "waiting_for_user");
    assert_string_equal(simproc_text(reply, "purchase.rail_reason"),
                        "RAIL_FALLBACK_CARD_NOT_ACCEPTED");
}

static void reports_that_do_not_fit_are_refused(void **state)
{
    struct simproc *s = *state;
    const char *id = simdeal_buy(s, "key-odd-00000001", SHOP, "100", "");
    const cJSON *reply =
        simproc_call(s, "report_checkout_result", "{'purchase':'%s','outcome':'paid'}", id);
    simdeal_expect_error(s, reply, 409, "STATE_CONFLICT");
    assert_string_equal(simproc_text(reply, "next.tool"), "get_purchase_status");
    reply = simproc_call(s, "report_checkout_step", "{'purchase':'%s','step':'cart_built'}", id);
    simdeal_expect_error(s, reply, 409, "STATE_CONFLICT");
    simdeal_ready(s, id);
    reply = simproc_call(s, "report_checkout_result",
                         "{'purchase':'%s','outcome':'paid','checkout_attempt_id':"
                         "'00000000-0000-4000-8000-000000000000'}",
                         id);
    simdeal_expect_field(s, reply, "/checkout_attempt_id");
    simdeal_expect_state(s, simdeal_read(s, id), "ready");
    const char *envoy = simdeal_buy(s, "key-odd-00000002", "envoyonly.example.test", "100",
                                    "'address_id':'addr_home'");
    reply = simproc_call(s, "report_checkout_result", "{'purchase':'%s','outcome':'paid'}", envoy);
    simdeal_expect_error(s, reply, 409, "STATE_CONFLICT");
    reply = simproc_call(s, "report_checkout_result",
                         "{'purchase':'no-such-key-00001','outcome':'paid'}");
    simdeal_expect_error(s, reply, 404, "NOT_FOUND");
}

static void steps_move_nothing(void **state)
{
    struct simproc *s = *state;
    static const char *const steps[] = {"merchant_opened", "cart_built",    "payment_page_reached",
                                        "payment_applied", "otp_requested", "otp_submitted",
                                        "order_submitted", "blocked",       "blocked"};
    const char *id = simdeal_buy(s, "key-steps-000001", SHOP, "100", "");
    const cJSON *ready = simdeal_ready(s, id);
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        const cJSON *reply = simproc_call(
            s, "report_checkout_step", "{'purchase':'%s','step':'%s','checkout_attempt_id':'%s'}",
            id, steps[i], simproc_text(ready, "data.payment_details.checkout_attempt_id"));
        simdeal_expect_state(s, reply, "ready");
        assert_true(simproc_is_null(reply, "data"));
        assert_int_equal(simproc_number(reply, "purchase.revision"),
                         simproc_number(ready, "purchase.revision"));
    }
    const cJSON *reply =
        simproc_call(s, "report_checkout_step", "{'purchase':'%s','step':'danced'}", id);
    simdeal_expect_field(s, reply, "/step");
}

static void a_reopened_card_is_a_new_handout(void **state)
{
    struct simproc *s = *state;
    const char *id = simdeal_buy(s, "key-open-0000001", SHOP, "100", "");
    const cJSON *first = simdeal_ready(s, id);
    simdeal_report(s, first, "failed", "'failure_reason':'site_error'");
    const cJSON *reply = simproc_call(s, "cancel_purchase", "{'purchase':'%s'}", id);
    simdeal_expect_error(s, reply, 409, "STATE_CONFLICT");
    simproc_merchant(s, id, "reopen", "");
    const cJSON *second = simdeal_read(s, id);
    simdeal_expect_state(s, second, "ready");
    assert_string_not_equal(simproc_text(first, "data.payment_details.checkout_code"),
                            simproc_text(second, "data.payment_details.checkout_code"));
    /* The old attempt was reported already, so this changes nothing. */
    reply = simdeal_report(s, first, "paid", "");
    simdeal_expect_state(s, reply, "ready");
    assert_true(cJSON_IsTrue(simproc_at(reply, "replayed")));
    reply = simdeal_report(s, second, "paid", "");
    simdeal_expect_state(s, reply, "verifying");
    simproc_advance(s, 20);
    simdeal_expect_state(s, simdeal_read(s, id), "completed");

    const char *other = simdeal_buy(s, "key-open-0000002", SHOP, "200", "");
    simdeal_report(s, simdeal_ready(s, other), "failed", "'failure_reason':'site_error'");
    simproc_merchant(s, other, "reopen", "");
    reply = simproc_call(s, "cancel_purchase", "{'purchase':'%s'}", other);
    simdeal_expect_state(s, reply, "verifying");
}

static void a_cancel_depends_on_the_money(void **state)
{
    struct simproc *s = *state;
    long before = spendable(s);
    const char *id = simdeal_buy(s, "key-stop-0000001", SHOP, "100", "");
    const cJSON *reply =
        simproc_call(s, "cancel_purchase", "{'purchase':'%s','reason':'Changed my mind'}", id);
    simdeal_expect_state(s, reply, "cancelled");
    assert_string_equal(simproc_text(reply, "purchase.reason_code"), "ORDER_CANCELLED_BY_AGENT");
    reply = simproc_call(s, "cancel_purchase", "{'purchase':'%s'}", id);
    simdeal_expect_state(s, reply, "cancelled");

    id = simdeal_buy(s, "key-stop-0000002", SHOP, "100", "");
    simdeal_ready(s, id);
    assert_int_equal(spendable(s), before - 10000);
    reply = simproc_call(s, "cancel_purchase", "{'purchase':'%s'}", id);
    simdeal_expect_state(s, reply, "verifying");
    assert_true(simproc_is_null(simdeal_read(s, id), "data"));
    simproc_advance(s, 20);
    reply = simdeal_read(s, id);
    simdeal_expect_state(s, reply, "cancelled");
    assert_string_equal(simproc_text(reply, "purchase.money.status"), "refunded");
    assert_int_equal(spendable(s), before);

    id = simdeal_buy(s, "key-stop-0000003", SHOP, "100", "");
    simdeal_report(s, simdeal_ready(s, id), "paid", "");
    simproc_advance(s, 20);
    reply = simproc_call(s, "cancel_purchase", "{'purchase':'%s'}", id);
    simdeal_expect_error(s, reply, 409, "STATE_CONFLICT");
}

static void an_unused_card_runs_out(void **state)
{
    struct simproc *s = *state;
    const char *id = simdeal_buy(s, "key-late-0000001", SHOP, "100", "");
    const cJSON *ready = simdeal_ready(s, id);
    simproc_advance(s, 1810);
    const cJSON *reply = simdeal_read(s, id);
    simdeal_expect_state(s, reply, "failed");
    assert_string_equal(simproc_text(reply, "purchase.reason_code"), "ORDER_CARD_EXPIRED_UNUSED");
    reply = simdeal_report(s, ready, "paid", "");
    simdeal_expect_error(s, reply, 409, "STATE_CONFLICT");
}

static void a_retry_replaces_the_card(void **state)
{
    struct simproc *s = *state;
    const char *id = simdeal_buy(s, "key-retry-000001", SHOP, "100", "'address_id':'addr_home'");
    const cJSON *ready = simdeal_ready(s, id);
    const char *retry = "'address_id':'addr_home','retry_of':'key-retry-000001'";
    const cJSON *reply = simdeal_start(s, "key-retry-000002", SHOP, "100", retry);
    simdeal_expect_error(s, reply, 409, "STATE_CONFLICT");
    simdeal_report(s, ready, "failed", "'failure_reason':'card_not_accepted'");
    reply = simdeal_start(s, "key-retry-000002", SHOP, "101", retry);
    simdeal_expect_field(s, reply, "/total");
    reply = simdeal_start(s, "key-retry-000002", "other.example.test", "100", retry);
    simdeal_expect_field(s, reply, "/merchant_url");
    reply = simdeal_start(s, "key-retry-000002", SHOP, "100", retry);
    simdeal_expect_state(s, reply, "waiting_for_user");
    assert_string_equal(simproc_text(reply, "purchase.chain.supersedes"), id);
    assert_string_equal(simproc_text(reply, "purchase.checkout_by"), "envoy");
    const char *again = simproc_text(reply, "purchase.purchase_id");
    reply = simdeal_read(s, id);
    simdeal_expect_state(s, reply, "superseded");
    assert_string_equal(simproc_text(reply, "next.args.purchase"), again);
    simproc_phone(s, again, "approve");
    simproc_advance(s, 60);
    reply = simdeal_read(s, again);
    simdeal_expect_state(s, reply, "completed");
    assert_string_equal(simproc_text(simdeal_read(s, id), "purchase.money.status"), "refunded");

    id = simdeal_buy(s, "key-retry-000003", "second.example.test", "100", "");
    simdeal_report(s, simdeal_ready(s, id), "failed", "'failure_reason':'out_of_stock'");
    reply = simdeal_start(s, "key-retry-000004", "second.example.test", "100",
                          "'retry_of':'key-retry-000003'");
    simdeal_expect_error(s, reply, 409, "STATE_CONFLICT");
}

static void secrets_stay_in_the_handout(void **state)
{
    struct simproc *s = *state;
    const char *id = simdeal_buy(s, "key-hide-0000001", SHOP, "100", "");
    const cJSON *ready = simdeal_ready(s, id);
    static const char *const pages[] = {"/sim/state", "/sim/calls"};
    for (size_t i = 0; i < 2; i++) {
        char *text = cJSON_PrintUnformatted(simproc_get(s, pages[i]));
        assert_null(strstr(text, simproc_text(ready, "data.payment_details.card.number")));
        assert_null(strstr(text, simproc_text(ready, "data.payment_details.checkout_code")));
        assert_null(strstr(text, simproc_token(s)));
        cJSON_free(text);
    }
    assert_int_equal(strncmp(simproc_text(ready, "data.payment_details.card.number"), "608032", 6),
                     0);
}

/* What money safety stands on: a write that is repeated has one effect. */
static void effects_are_counted_by_key(void **state)
{
    struct simproc *s = *state;
    for (int i = 0; i < 3; i++)
        simdeal_start(s, "key-once-0000001", SHOP, "100", "");
    const cJSON *ready = simdeal_ready(s, "key-once-0000001");
    for (int i = 0; i < 3; i++)
        simdeal_report(s, ready, "paid", "");
    const cJSON *state_page = simproc_get(s, "/sim/state");
    assert_int_equal(simproc_number(state_page, "counts.starts"), 1);
    assert_int_equal(simproc_number(state_page, "counts.reports"), 1);
    const cJSON *effect;
    cJSON_ArrayForEach(effect, simproc_at(state_page, "effects"))
    {
        assert_int_equal(simproc_number(effect, "calls"), 3);
        assert_int_equal(simproc_number(effect, "effects"), 1);
    }
    assert_int_equal(cJSON_GetArraySize(simproc_at(state_page, "effects")), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(only_a_status_read_hands_out, open_plain, stop),
        cmocka_unit_test_setup_teardown(each_handout_is_a_new_attempt, open_plain, stop),
        cmocka_unit_test(another_connection_reads_without_the_card),
        cmocka_unit_test_setup_teardown(a_paid_report_completes_with_its_money, open_plain, stop),
        cmocka_unit_test_setup_teardown(a_failed_report_ends_with_its_reason, open_plain, stop),
        cmocka_unit_test_setup_teardown(reports_that_do_not_fit_are_refused, open_plain, stop),
        cmocka_unit_test_setup_teardown(steps_move_nothing, open_plain, stop),
        cmocka_unit_test_setup_teardown(a_reopened_card_is_a_new_handout, open_plain, stop),
        cmocka_unit_test_setup_teardown(a_cancel_depends_on_the_money, open_plain, stop),
        cmocka_unit_test_setup_teardown(an_unused_card_runs_out, open_plain, stop),
        cmocka_unit_test_setup_teardown(a_retry_replaces_the_card, open_plain, stop),
        cmocka_unit_test_setup_teardown(secrets_stay_in_the_handout, open_plain, stop),
        cmocka_unit_test_setup_teardown(effects_are_counted_by_key, open_plain, stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
