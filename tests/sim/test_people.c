/* SPDX-License-Identifier: Apache-2.0 */
/* What people do in a purchase: questions and their answers, feedback, the vault, gift cards paid
 * by link, in the app and from the balance, and the outcomes that only the merchant or Envoy knows.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include "support/simdeal.h"

#define SHOP "shop.example.test"
#define HOME "'address_id':'addr_home'"
#define GIFT "'rail':'gift_card'"

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

/* A purchase that Envoy is placing at the merchant. */
static const char *placing(struct simproc *s, const char *key)
{
    const char *id = simdeal_buy(s, key, "envoyonly.example.test", "100", HOME);
    simproc_phone(s, id, "approve");
    simdeal_expect_state(s, simdeal_read(s, id), "processing");
    return id;
}

static cJSON *answer(struct simproc *s, const char *purchase, const char *question, const char *key,
                     const char *text)
{
    return simproc_call(s, "submit_answer",
                        "{'type':'answer','purchase':'%s','question':'%s','idempotency_key':'%s',"
                        "'answer':'%s'}",
                        purchase, question, key, text);
}

static void m1_an_answer_goes_to_its_question_once(void **state)
{
    struct simproc *s = *state;
    const char *id = placing(s, "key-asks-0000001");
    simproc_merchant(s, id, "ask", "'kind':'text','prompt':'Blue or black?'");
    const cJSON *reply = simdeal_read(s, id);
    simdeal_expect_state(s, reply, "needs_answer");
    assert_string_equal(simproc_text(reply, "purchase.question.prompt"), "Blue or black?");
    assert_string_equal(simproc_text(reply, "next.tool"), "submit_answer");
    assert_string_equal(simproc_text(reply, "next.args.type"), "answer");
    const char *question = simproc_text(reply, "purchase.question.id");
    assert_string_equal(simproc_text(reply, "next.args.question"), question);

    simproc_merchant(s, id, "ask", "'kind':'text','prompt':'Blue, or stop?'");
    reply = answer(s, id, question, "answer-key-000001", "black");
    simdeal_expect_error(s, reply, 409, "STATE_CONFLICT");
    assert_string_equal(simproc_text(reply, "next.tool"), "get_purchase_status");
    const char *newer = simproc_text(reply, "purchase.question.id");
    assert_string_not_equal(newer, question);
    reply = answer(s, id, newer, "answer-key-000001", "Blue.");
    simdeal_expect_state(s, reply, "processing");
    assert_true(cJSON_IsFalse(simproc_at(reply, "replayed")));
    reply = answer(s, id, newer, "answer-key-000001", "Blue.");
    assert_true(cJSON_IsTrue(simproc_at(reply, "replayed")));
    reply = answer(s, id, newer, "answer-key-000001", "Black.");
    simdeal_expect_error(s, reply, 409, "IDEMPOTENCY_CONFLICT");
    reply = answer(s, id, newer, "answer-key-000002", "Blue.");
    simdeal_expect_error(s, reply, 409, "STATE_CONFLICT");
    assert_int_equal(simproc_number(simproc_get(s, "/sim/state"), "counts.answers"), 1);
}

static void secrets_are_not_taken_as_answers(void **state)
{
    struct simproc *s = *state;
    const char *id = placing(s, "key-asks-0000002");
    simproc_merchant(s, id, "ask", "'kind':'text','prompt':'Which colour?'");
    const char *question = simproc_text(simdeal_read(s, id), "purchase.question.id");
    static const char *const secrets[] = {"482913", "4111 1111 1111 1111", "5500-0055-5555-5559",
                                          "my otp is 482913", "cvv 123"};
    for (size_t i = 0; i < sizeof secrets / sizeof secrets[0]; i++) {
        const cJSON *reply = answer(s, id, question, "answer-key-000003", secrets[i]);
        simdeal_expect_field(s, reply, "/answer");
        char *text = cJSON_PrintUnformatted(reply);
        assert_null(strstr(text, secrets[i]));
        cJSON_free(text);
    }
    simdeal_expect_state(s, answer(s, id, question, "answer-key-000003", "Number 5, at 10:30."),
                         "processing");
}

static void codes_and_passwords_have_their_own_rules(void **state)
{
    struct simproc *s = *state;
    const char *id = placing(s, "key-asks-0000003");
    simproc_merchant(s, id, "ask", "'kind':'otp','prompt':'The code the shop sent you?'");
    const cJSON *reply = simdeal_read(s, id);
    assert_string_equal(simproc_text(reply, "purchase.question.kind"), "otp");
    reply =
        answer(s, id, simproc_text(reply, "purchase.question.id"), "answer-key-000004", "482913");
    simdeal_expect_state(s, reply, "processing");
    simproc_merchant(s, id, "otp", "");
    reply = simdeal_read(s, id);
    assert_string_equal(simproc_text(reply, "purchase.user_task"), "enter_otp");
    simproc_phone(s, id, "enter_otp");
    simproc_merchant(s, id, "ask", "'kind':'password','prompt':'Your password?'");
    reply = simdeal_read(s, id);
    simdeal_expect_state(s, reply, "needs_answer");
    assert_string_equal(simproc_text(reply, "next.action"), "stop");
    reply =
        answer(s, id, simproc_text(reply, "purchase.question.id"), "answer-key-000005", "hunter");
    simdeal_expect_field(s, reply, "/answer");
    reply = simproc_call(s, "cancel_purchase", "{'purchase':'%s'}", id);
    simdeal_expect_state(s, reply, "cancelled");
}

static void missing_details_are_asked_for(void **state)
{
    struct simproc *s = *state;
    const char *id = simdeal_buy(s, "key-asks-0000004", "envoyonly.example.test", "100", "");
    const cJSON *reply = simdeal_read(s, id);
    simdeal_expect_state(s, reply, "needs_details");
    assert_string_equal(simproc_text(reply, "purchase.details.missing.0"), "address");
    assert_string_equal(simproc_text(reply, "next.args.type"), "details");
    reply = simproc_call(s, "answer_purchase_question",
                         "{'type':'details','purchase':'%s','idempotency_key':'answer-key-000006',"
                         "'answer':'Asha Rao, 14 Lake View Road, Bengaluru 560038'}",
                         id);
    simdeal_expect_state(s, reply, "waiting_for_user");
    assert_true(cJSON_IsTrue(simproc_at(reply, "purchase.details.complete")));
    reply = simproc_call(s, "answer_purchase_question",
                         "{'type':'details','purchase':'%s','idempotency_key':'answer-key-000007',"
                         "'answer':'More details'}",
                         id);
    simdeal_expect_error(s, reply, 409, "STATE_CONFLICT");
}

static cJSON *say_fine(struct simproc *s, const char *purchase)
{
    return simproc_call(s, "submit_answer",
                        "{'type':'feedback','purchase':'%s','answer':'Fine','rating':4,"
                        "'idempotency_key':'feedback-key-0001'}",
                        purchase);
}

static void feedback_comes_when_it_is_over(void **state)
{
    struct simproc *s = *state;
    const char *id = simdeal_buy(s, "key-feed-0000001", SHOP, "100", "");
    const cJSON *reply = say_fine(s, id);
    simdeal_expect_error(s, reply, 409, "STATE_CONFLICT");
    simdeal_report(s, simdeal_ready(s, id), "paid", "");
    simproc_advance(s, 20);
    reply = simdeal_read(s, id);
    assert_string_equal(simproc_text(reply, "purchase.follow_up.id"),
                        simproc_text(reply, "follow_ups.0.args.question"));
    reply = say_fine(s, id);
    simdeal_expect_state(s, reply, "completed");
    const char *receipt = simproc_text(reply, "data.receipt.feedback_id");
    reply = say_fine(s, id);
    assert_string_equal(simproc_text(reply, "data.receipt.feedback_id"), receipt);
    reply = simproc_call(s, "submit_answer",
                         "{'type':'feedback','answer':'x','rating':6,"
                         "'idempotency_key':'feedback-key-0002'}");
    simdeal_expect_field(s, reply, "/rating");
    reply = simdeal_read(s, id);
    assert_true(simproc_is_null(reply, "purchase.follow_up"));
}

static void a_gift_card_is_paid_by_link_and_redeemed(void **state)
{
    struct simproc *s = *state;
    const char *id = simdeal_buy(s, "key-gift-0000001", "link.example.test", "1200", GIFT);
    simdeal_expect_state(s, simdeal_read(s, id), "processing");
    simproc_advance(s, 2);
    const cJSON *reply = simdeal_read(s, id);
    simdeal_expect_state(s, reply, "waiting_for_user");
    assert_string_equal(simproc_text(reply, "purchase.user_task"), "pay_link");
    assert_string_equal(simproc_text(reply, "user_action.url"),
                        simproc_text(reply, "purchase.funding.url"));
    assert_int_equal(simproc_number(reply, "purchase.funding.amount.minor"), 114000);
    simproc_phone(s, id, "pay");
    reply = simproc_call(s, "cancel_purchase", "{'purchase':'%s'}", id);
    simdeal_expect_error(s, reply, 409, "STATE_CONFLICT");
    simproc_advance(s, 5);
    reply = simdeal_read(s, id);
    simdeal_expect_state(s, reply, "ready");
    assert_string_equal(simproc_text(reply, "data.payment_details.kind"), "gift_card");
    assert_int_equal(simproc_number(reply, "data.payment_details.voucher.value.minor"), 120000);
    assert_non_null(simproc_at(reply, "data.payment_details.voucher.pin"));
    assert_null(simproc_at(reply, "data.payment_details.card"));
    reply = simdeal_report(s, reply, "paid", "'merchant_order_ref':'G-1'");
    simdeal_expect_state(s, reply, "verifying");
    simproc_advance(s, 20);
    simdeal_expect_state(s, simdeal_read(s, id), "completed");
}

static void gift_cards_have_their_amounts_and_ways(void **state)
{
    struct simproc *s = *state;
    const cJSON *reply = simdeal_start(s, "key-gift-0000002", "link.example.test", "99", GIFT);
    simdeal_expect_field(s, reply, "/total");
    reply = simdeal_start(s, "key-gift-0000002", "link.example.test", "5001", GIFT);
    simdeal_expect_field(s, reply, "/total");
    reply = simdeal_start(s, "key-gift-0000002", "link.example.test", "100.50", GIFT);
    simdeal_expect_field(s, reply, "/total");
    reply = simdeal_start(s, "key-gift-0000002", "app.example.test", "600", GIFT ", " HOME);
    simdeal_expect_field(s, reply, "/total");

    const char *app = simdeal_buy(s, "key-gift-0000003", "app.example.test", "500", GIFT ", " HOME);
    reply = simdeal_read(s, app);
    assert_string_equal(simproc_text(reply, "purchase.user_task"), "approve");
    assert_null(simproc_at(reply, "purchase.funding"));
    assert_string_equal(simproc_text(reply, "purchase.checkout_by"), "envoy");
    simproc_phone(s, app, "pay");
    simproc_advance(s, 60);
    simdeal_expect_state(s, simdeal_read(s, app), "completed");

    const cJSON *before = simproc_call(s, "get_account", "{}");
    const char *balance = simdeal_buy(s, "key-gift-0000004", "balance.example.test", "1000", GIFT);
    simproc_phone(s, balance, "approve");
    simproc_advance(s, 5);
    reply = simdeal_read(s, balance);
    simdeal_expect_state(s, reply, "ready");
    assert_null(simproc_at(reply, "data.payment_details.voucher.pin"));
    const cJSON *after = simproc_call(s, "get_account", "{}");
    assert_int_equal(simproc_number(before, "data.account.spendable.minor") - 97500,
                     simproc_number(after, "data.account.spendable.minor"));

    const char *late = simdeal_buy(s, "key-gift-0000005", "link.example.test", "700", GIFT);
    simproc_advance(s, 1300);
    reply = simdeal_read(s, late);
    simdeal_expect_state(s, reply, "failed");
    assert_string_equal(simproc_text(reply, "purchase.reason_code"), "USER_FUNDS_NOT_ADDED");
}

static void without_a_card_the_gift_card_is_the_rail(void **state)
{
    (void)state;
    struct simproc *s = simproc_open("gift-card", false);
    const cJSON *reply = simproc_call(s, "list_purchases", "{}");
    assert_int_equal(cJSON_GetArraySize(simproc_at(reply, "data.purchases")), 3);
    reply = simdeal_read(s, simproc_text(reply, "data.purchases.2.purchase_id"));
    assert_string_equal(simproc_text(reply, "purchase.rail_reason"), "RAIL_GIFT_CARD_CARDLESS");
    reply = simdeal_start(s, "key-none-0000001", SHOP, "100", "");
    simdeal_expect_error(s, reply, 422, "NO_RAIL");
    assert_string_equal(simproc_text(reply, "error.reason_code"), "RAIL_CARD_REQUIRED");
    simproc_stop(s);
}

/* The purchase of the scenario vault with this name, ready. */
static const cJSON *vault_ready(struct simproc *s, const char *name, int row)
{
    char path[64];
    snprintf(path, sizeof path, "purchases.%d.purchase_id", row);
    const char *id = simproc_text(simproc_get(s, "/sim/state"), path);
    simproc_phone(s, name, "approve");
    simproc_advance(s, 10);
    const cJSON *reply = simdeal_read(s, id);
    simdeal_expect_state(s, reply, "ready");
    return reply;
}

static cJSON *save(struct simproc *s, const cJSON *ready, const char *key)
{
    return simproc_call(s, "submit_answer",
                        "{'purchase':'%s','type':'answer','question':'vault_save','answer':'%s',"
                        "'idempotency_key':'%s'}",
                        simproc_text(ready, "purchase.purchase_id"),
                        simproc_text(ready, "follow_ups.0.args.answer"), key);
}

static void a_card_can_be_saved_to_the_vault(void **state)
{
    (void)state;
    struct simproc *s = simproc_open("vault", false);
    const cJSON *ready = vault_ready(s, "monitor", 0);
    const char *id = simproc_text(ready, "purchase.purchase_id");
    assert_string_equal(simproc_text(ready, "follow_ups.0.args.question"), "vault_save");
    const cJSON *reply = save(s, ready, "vault-key-0000001");
    simdeal_expect_state(s, reply, "processing");
    simproc_advance(s, 5);
    reply = simdeal_read(s, id);
    simdeal_expect_state(s, reply, "needs_answer");
    assert_string_equal(simproc_text(reply, "purchase.question.kind"), "otp");
    reply =
        answer(s, id, simproc_text(reply, "purchase.question.id"), "vault-key-0000002", "731942");
    simdeal_expect_state(s, reply, "processing");
    simproc_advance(s, 5);
    reply = simdeal_read(s, id);
    simdeal_expect_state(s, reply, "ready");
    assert_int_equal(cJSON_GetArraySize(simproc_at(reply, "follow_ups")), 0);

    ready = vault_ready(s, "cables", 1);
    save(s, ready, "vault-key-0000003");
    simproc_advance(s, 5);
    reply = simdeal_read(s, simproc_text(ready, "purchase.purchase_id"));
    assert_string_equal(simproc_text(reply, "user_action.task"), "enter_otp");

    ready = vault_ready(s, "snacks", 2);
    save(s, ready, "vault-key-0000004");
    simproc_advance(s, 5);
    reply = simdeal_read(s, simproc_text(ready, "purchase.purchase_id"));
    simdeal_expect_state(s, reply, "ready");
    assert_string_equal(simproc_text(reply, "follow_ups.0.args.question"), "vault_save");
    assert_string_not_equal(simproc_text(reply, "follow_ups.0.why"),
                            simproc_text(ready, "follow_ups.0.why"));
    simproc_stop(s);
}

static void no_vault_is_offered_elsewhere(void **state)
{
    struct simproc *s = *state;
    const char *id = simdeal_buy(s, "key-vault-000001", SHOP, "100", "");
    const cJSON *ready = simdeal_ready(s, id);
    assert_int_equal(cJSON_GetArraySize(simproc_at(ready, "follow_ups")), 0);
    const cJSON *reply = answer(s, id, "vault_save", "vault-key-0000005", "save");
    simdeal_expect_error(s, reply, 403, "NOT_ALLOWED");
}

static void an_unknown_outcome_waits_for_evidence(void **state)
{
    struct simproc *s = *state;
    const char *id = simdeal_buy(s, "key-lost-0000001", SHOP, "100", "");
    simdeal_report(s, simdeal_ready(s, id), "failed", "'failure_reason':'other'");
    simproc_merchant(s, id, "unknown", "");
    simproc_advance(s, 24 * 3600);
    const cJSON *reply = simdeal_read(s, id);
    simdeal_expect_state(s, reply, "verifying");
    assert_string_equal(simproc_text(reply, "purchase.reason_code"), "ORDER_OUTCOME_UNKNOWN");
    assert_string_equal(simproc_text(reply, "purchase.money.status"), "unknown");
    reply = simdeal_start(s, "key-lost-0000002", SHOP, "100", "'retry_of':'key-lost-0000001'");
    simdeal_expect_error(s, reply, 409, "STATE_CONFLICT");
    simproc_merchant(s, id, "settle", "'order_ref':'LATE-1'");
    reply = simdeal_read(s, id);
    simdeal_expect_state(s, reply, "completed");
    assert_string_equal(simproc_text(reply, "purchase.receipt.merchant_order_ref"), "LATE-1");
    simproc_merchant(s, id, "refund", "");
    reply = simdeal_read(s, id);
    assert_string_equal(simproc_text(reply, "purchase.money.status"), "refund_pending");
    simproc_advance(s, 20);
    reply = simdeal_read(s, id);
    assert_string_equal(simproc_text(reply, "purchase.money.status"), "refunded");
    assert_string_equal(simproc_text(reply, "purchase.state"), "completed");
}

static void the_merchant_ends_it_in_many_ways(void **state)
{
    struct simproc *s = *state;
    static const struct {
        const char *action, *more, *state, *money, *reason;
    } rows[] = {
        {"collects", "'order_ref':'COD-1'", "completed", "merchant_collects", NULL},
        {"settle", "'order_ref':'S-1'", "completed", "debited", NULL},
        {"fail", "", "failed", "not_started", "ORDER_CHECKOUT_FAILED"},
        {"fail", "'reason':'ORDER_ISSUER_UNAVAILABLE'", "failed", "not_started",
         "ORDER_ISSUER_UNAVAILABLE"},
        {"block", "", "failed", "not_started", "ORDER_CHECKOUT_BLOCKED"},
        {"out_of_stock", "", "failed", "not_started", "ORDER_OUT_OF_STOCK"},
        {"unknown", "", "verifying", "unknown", "ORDER_OUTCOME_UNKNOWN"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char key[32];
        snprintf(key, sizeof key, "key-end-%09zu", i);
        const char *id = placing(s, key);
        simproc_merchant(s, id, rows[i].action, rows[i].more);
        const cJSON *reply = simdeal_read(s, id);
        simdeal_expect_state(s, reply, rows[i].state);
        assert_string_equal(simproc_text(reply, "purchase.money.status"), rows[i].money);
        if (rows[i].reason)
            assert_string_equal(simproc_text(reply, "purchase.reason_code"), rows[i].reason);
    }
    simproc_post(s, "/sim/merchant",
                 "{'purchase':'key-end-000000000','action':'ask','kind':'text',"
                 "'prompt':'Too late?'}");
    assert_int_equal(simproc_status(s), 409);
    simproc_post(s, "/sim/merchant", "{'purchase':'nobody','action':'settle'}");
    assert_int_equal(simproc_status(s), 404);
    simproc_post(s, "/sim/phone", "{'purchase':'key-end-000000000','action':'dance'}");
    assert_int_equal(simproc_status(s), 400);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(m1_an_answer_goes_to_its_question_once, open_plain, stop),
        cmocka_unit_test_setup_teardown(secrets_are_not_taken_as_answers, open_plain, stop),
        cmocka_unit_test_setup_teardown(codes_and_passwords_have_their_own_rules, open_plain, stop),
        cmocka_unit_test_setup_teardown(missing_details_are_asked_for, open_plain, stop),
        cmocka_unit_test_setup_teardown(feedback_comes_when_it_is_over, open_plain, stop),
        cmocka_unit_test_setup_teardown(a_gift_card_is_paid_by_link_and_redeemed, open_plain, stop),
        cmocka_unit_test_setup_teardown(gift_cards_have_their_amounts_and_ways, open_plain, stop),
        cmocka_unit_test(without_a_card_the_gift_card_is_the_rail),
        cmocka_unit_test(a_card_can_be_saved_to_the_vault),
        cmocka_unit_test_setup_teardown(no_vault_is_offered_elsewhere, open_plain, stop),
        cmocka_unit_test_setup_teardown(an_unknown_outcome_waits_for_evidence, open_plain, stop),
        cmocka_unit_test_setup_teardown(the_merchant_ends_it_in_many_ways, open_plain, stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
