/* SPDX-License-Identifier: Apache-2.0 */
/* start_purchase: which rail at which amount, what may be open at once, and what a key means. Each
 * limit is tried on both sides. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include "support/simdeal.h"

#define PLAIN "tests/sim/worlds/plain.json"
#define HOME  "'address_id':'addr_home'"

static int open_plain(void **state)
{
    *state = simproc_open(PLAIN, false);
    return 0;
}

static int stop(void **state)
{
    simproc_stop(*state);
    return 0;
}

static void cancel(struct simproc *s, const char *purchase)
{
    simproc_call(s, "cancel_purchase", "{'purchase':'%s'}", purchase);
    assert_int_equal(simproc_status(s), 200);
}

static void the_amount_chooses_the_rail(void **state)
{
    struct simproc *s = *state;
    static const struct {
        const char *total;
        const char *more;
        const char *rail; /* or the error code */
        const char *reason;
    } rows[] = {
        {"9.99", HOME, "NO_RAIL", "RAIL_AMOUNT_OUTSIDE_CARD_LIMITS"},
        {"9", HOME, "NO_RAIL", "RAIL_AMOUNT_OUTSIDE_CARD_LIMITS"},
        {"10", HOME, "otu_card", "RAIL_OTU_PREFERRED"},
        {"10.50", HOME, "NO_RAIL", "RAIL_AMOUNT_OUTSIDE_CARD_LIMITS"},
        {"10000", HOME, "otu_card", "RAIL_OTU_PREFERRED"},
        {"10000.01", HOME, "operated_checkout", "RAIL_AMOUNT_ABOVE_OTU_LIMIT"},
        {"10001", HOME, "operated_checkout", "RAIL_AMOUNT_ABOVE_OTU_LIMIT"},
        {"100000.00", HOME, "operated_checkout", "RAIL_AMOUNT_ABOVE_OTU_LIMIT"},
        {"100000.01", HOME, "INVALID_INPUT", NULL},
        {"9500", HOME ",'max_total':'10000'", "otu_card", "RAIL_OTU_PREFERRED"},
        {"9500", HOME ",'max_total':'10450'", "operated_checkout", "RAIL_AMOUNT_ABOVE_OTU_LIMIT"},
        {"9500", HOME ",'max_total':'10450.01'", "INVALID_INPUT", NULL},
        {"500", HOME ",'max_total':'600'", "otu_card", "RAIL_OTU_PREFERRED"},
        {"500", HOME ",'max_total':'600.01'", "INVALID_INPUT", NULL},
        {"5", HOME ",'rail':'operated_checkout'", "operated_checkout", NULL},
        {"500", HOME ",'rail':'gift_card'", "NO_RAIL", "RAIL_CARD_REQUIRED"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char key[32];
        snprintf(key, sizeof key, "key-rail-row-%04zu", i);
        const cJSON *reply =
            simdeal_start(s, key, "shop.example.test", rows[i].total, rows[i].more);
        if (strcmp(rows[i].rail, "NO_RAIL") == 0) {
            simdeal_expect_error(s, reply, 422, "NO_RAIL");
            assert_string_equal(simproc_text(reply, "error.reason_code"), rows[i].reason);
            assert_true(simproc_is_null(reply, "purchase"));
        } else if (strcmp(rows[i].rail, "INVALID_INPUT") == 0) {
            simdeal_expect_error(s, reply, 400, "INVALID_INPUT");
        } else {
            simdeal_expect_state(s, reply, "waiting_for_user");
            assert_string_equal(simproc_text(reply, "purchase.rail"), rows[i].rail);
            if (rows[i].reason)
                assert_string_equal(simproc_text(reply, "purchase.rail_reason"), rows[i].reason);
            cancel(s, key);
        }
    }
}

static void merchants_have_their_own_way(void **state)
{
    struct simproc *s = *state;
    const cJSON *reply = simdeal_start(s, "key-merchant-0001", "far.example.test", "100", "");
    simdeal_expect_error(s, reply, 422, "NO_RAIL");
    reply = simdeal_start(s, "key-merchant-0002", "envoyonly.example.test", "100", HOME);
    simdeal_expect_state(s, reply, "waiting_for_user");
    assert_string_equal(simproc_text(reply, "purchase.checkout_by"), "envoy");
    assert_string_equal(simproc_text(reply, "purchase.merchant.name"), "Envoy Only");
    cancel(s, "key-merchant-0002");
    reply = simdeal_start(s, "key-merchant-0003", "envoyonly.example.test", "100", "");
    simdeal_expect_state(s, reply, "needs_details");
    assert_string_equal(simproc_text(reply, "purchase.question.kind"), "address");
    cancel(s, "key-merchant-0003");
    reply = simdeal_start(s, "key-merchant-0004", "shop.example.test", "100",
                          "'address_id':'addr_moon'");
    simdeal_expect_field(s, reply, "/address_id");
}

static void envoy_may_not_be_able_to_pay(void **state)
{
    struct simproc *s = simproc_open("tests/sim/worlds/poor.json", false);
    (void)state;
    const cJSON *reply = simdeal_start(s, "key-poor-0000001", "shop.example.test", "10001", HOME);
    simdeal_expect_error(s, reply, 422, "NO_RAIL");
    assert_string_equal(simproc_text(reply, "error.reason_code"), "RAIL_OPERATED_UNAVAILABLE");
    reply = simdeal_start(s, "key-poor-0000002", "shop.example.test", "9000", "");
    simdeal_expect_state(s, reply, "waiting_for_user");
    reply = simdeal_start(s, "key-poor-0000003", "b.example.test", "9001", "");
    simdeal_expect_state(s, reply, "failed");
    assert_string_equal(simproc_text(reply, "purchase.reason_code"), "POLICY_AMOUNT_LIMIT");
    simproc_stop(s);

    s = simproc_open("tests/sim/worlds/closed.json", false);
    reply = simdeal_start(s, "key-closed-000001", "shop.example.test", "100", "");
    simdeal_expect_error(s, reply, 403, "SERVICE_NOT_ENABLED");
    assert_string_equal(simproc_text(reply, "next.action"), "stop");
    simproc_stop(s);
}

static void too_little_money_asks_for_more(void **state)
{
    struct simproc *s = simproc_open("tests/sim/worlds/poor.json", false);
    (void)state;
    const char *id = simdeal_buy(s, "key-money-000001", "shop.example.test", "600", "");
    simproc_phone(s, id, "approve");
    const cJSON *reply = simdeal_read(s, id);
    simdeal_expect_state(s, reply, "waiting_for_user");
    assert_string_equal(simproc_text(reply, "user_action.task"), "add_money");
    assert_true(simproc_is_null(reply, "user_action.url"));
    simproc_phone(s, id, "add_money");
    simdeal_expect_state(s, simdeal_read(s, id), "processing");
    simproc_stop(s);
}

/* Case M1: the same key and input replays, other input conflicts, and two keys are two purchases.
 */
static void m1_a_key_is_one_intent(void **state)
{
    struct simproc *s = *state;
    const cJSON *first = simdeal_start(s, "key-intent-00001", "shop.example.test", "120", "");
    const char *id = simproc_text(first, "purchase.purchase_id");
    static const struct {
        const char *host, *total, *more;
        bool replays;
    } rows[] = {
        {"shop.example.test", "120", "", true},
        {"shop.example.test", "120.00", "", true},
        {"shop.example.test", "₹120", "", true},
        {"shop.example.test", "120", "'order_title':'Another title'", true},
        {"shop.example.test", "121", "", false},
        {"www.shop.example.test", "120", "", false},
        {"other.example.test", "120", "", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const cJSON *reply =
            simdeal_start(s, "key-intent-00001", rows[i].host, rows[i].total, rows[i].more);
        if (!rows[i].replays) {
            simdeal_expect_error(s, reply, 409, "IDEMPOTENCY_CONFLICT");
            continue;
        }
        simdeal_expect_state(s, reply, "waiting_for_user");
        assert_true(cJSON_IsTrue(simproc_at(reply, "replayed")));
        assert_string_equal(simproc_text(reply, "purchase.purchase_id"), id);
        assert_int_equal(simproc_number(reply, "purchase.revision"), 1);
    }
    const cJSON *read = simproc_call(s, "get_purchase_status", "{'purchase':'key-intent-00001'}");
    assert_string_equal(simproc_text(read, "purchase.purchase_id"), id);
    cancel(s, id);
    const cJSON *again = simdeal_start(s, "key-intent-00001", "shop.example.test", "120", "");
    simdeal_expect_state(s, again, "cancelled");
    assert_true(cJSON_IsTrue(simproc_at(again, "replayed")));
}

static void a_second_one_of_the_same_is_refused(void **state)
{
    struct simproc *s = *state;
    simdeal_buy(s, "key-second-00001", "shop.example.test", "200", "");
    const cJSON *reply = simdeal_start(s, "key-second-00002", "shop.example.test", "200", "");
    simdeal_expect_error(s, reply, 409, "ACTIVE_PURCHASE_EXISTS");
    assert_string_equal(simproc_text(reply, "user_action.task"), "resolve_active_purchase");
    assert_string_equal(simproc_text(reply, "next.action"), "stop");
    simdeal_buy(s, "key-second-00003", "shop.example.test", "201", "");
    reply = simdeal_start(s, "key-second-00004", "shop.example.test", "20000", HOME);
    simdeal_expect_error(s, reply, 409, "ACTIVE_PURCHASE_EXISTS");
    cancel(s, "key-second-00001");
    simdeal_buy(s, "key-second-00005", "shop.example.test", "200", "");
    cancel(s, "key-second-00003");
    cancel(s, "key-second-00005");
}

static void three_wait_for_approval_and_five_are_open(void **state)
{
    struct simproc *s = *state;
    char key[32];
    char host[32];
    for (int i = 1; i <= 3; i++) {
        snprintf(key, sizeof key, "key-many-%08d", i);
        snprintf(host, sizeof host, "m%d.example.test", i);
        simdeal_buy(s, key, host, "300", "");
    }
    const cJSON *reply = simdeal_start(s, "key-many-00000004", "m4.example.test", "300", "");
    simdeal_expect_error(s, reply, 409, "ACTIVE_PURCHASE_EXISTS");
    simproc_phone(s, "key-many-00000001", "approve");
    simproc_phone(s, "key-many-00000002", "approve");
    simdeal_buy(s, "key-many-00000004", "m4.example.test", "300", "");
    simdeal_buy(s, "key-many-00000005", "m5.example.test", "300", "");
    simproc_phone(s, "key-many-00000003", "approve");
    reply = simdeal_start(s, "key-many-00000006", "m6.example.test", "300", "");
    simdeal_expect_error(s, reply, 409, "ACTIVE_PURCHASE_EXISTS");
    simproc_phone(s, "key-many-00000005", "decline");
    simdeal_buy(s, "key-many-00000006", "m6.example.test", "300", "");
    reply = simproc_call(s, "get_account", "{}");
    assert_non_null(simproc_at(reply, "data.account.active_purchase.purchase_id"));
}

static cJSON *buy_vitamins(struct simproc *s, const char *key, const char *total, const char *offer)
{
    return simproc_call(
        s, "start_purchase",
        "{'idempotency_key':'%s','merchant_url':'https://elixir.cards','total':'%s',"
        "'items':[{'name':'Vitamin C','quantity':2,'product_id':'%s'}],"
        "'user_request':'Vitamins','address_id':'addr_home'}",
        key, total, offer);
}

static void offers_are_bought_at_their_price(void **state)
{
    struct simproc *s = simproc_open(PLAIN, false);
    (void)state;
    const cJSON *found = simproc_call(s, "search_products", "{'query':'vitamin','quantity':2}");
    const char *offer = simproc_text(found, "data.products.0.product_id");
    /* The handling fee comes on top, and the answer names the new total. */
    const cJSON *reply = buy_vitamins(s, "key-offer-000001", "360", offer);
    simdeal_expect_field(s, reply, "/total");
    assert_string_equal(simproc_text(reply, "error.fields.0.expected"), "375.00");
    reply = buy_vitamins(s, "key-offer-000001", "375", offer);
    simdeal_expect_state(s, reply, "waiting_for_user");
    assert_string_equal(simproc_text(reply, "purchase.rail"), "elixir_marketplace");
    assert_string_equal(simproc_text(reply, "purchase.checkout_by"), "envoy");
    simproc_advance(s, 31 * 60);
    reply = buy_vitamins(s, "key-offer-000002", "375", offer);
    simdeal_expect_field(s, reply, "/items/0/product_id");
    simproc_stop(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_amount_chooses_the_rail, open_plain, stop),
        cmocka_unit_test_setup_teardown(merchants_have_their_own_way, open_plain, stop),
        cmocka_unit_test(envoy_may_not_be_able_to_pay),
        cmocka_unit_test(too_little_money_asks_for_more),
        cmocka_unit_test_setup_teardown(m1_a_key_is_one_intent, open_plain, stop),
        cmocka_unit_test_setup_teardown(a_second_one_of_the_same_is_refused, open_plain, stop),
        cmocka_unit_test_setup_teardown(three_wait_for_approval_and_five_are_open, open_plain,
                                        stop),
        cmocka_unit_test(offers_are_bought_at_their_price),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
