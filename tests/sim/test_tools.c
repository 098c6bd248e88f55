/* SPDX-License-Identifier: Apache-2.0 */
/* The door of the simulator and the tools that only read: discovery, bearer, strict inputs, sizes,
 * the call budget, account sections, pages of history, merchants and products. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "support/simdeal.h"

#define PLAIN      "tests/sim/worlds/plain.json"
#define BODY_LIMIT ((size_t)64 * 1024)

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

static void the_ready_line_says_where_it_is(void **state)
{
    struct simproc *s = *state;
    const cJSON *ready = simproc_ready(s);
    assert_int_equal(strncmp(simproc_text(ready, "url"), "http://127.0.0.1:", 17), 0);
    assert_true(strlen(simproc_text(ready, "token")) >= 16);
    assert_string_equal(simproc_text(ready, "scenario"), PLAIN);
    assert_true(simproc_number(ready, "pid") > 1);
}

static void every_tool_answers(void **state)
{
    struct simproc *s = *state;
    const char *card = simdeal_buy(s, "key-tools-card-01", "shop.example.test", "100", "");
    static const struct {
        const char *tool;
        const char *input;
        const char *there; /* what the reply must hold */
    } rows[] = {
        {"get_account", "{}", "data.account.balance.minor"},
        {"list_transactions", "{}", "data.transactions.0.id"},
        {"list_purchases", "{}", "data.purchases.0.purchase_id"},
        {"get_purchase_status", "{}", "purchase.revision"},
        {"get_purchase_status", "{\"purchase\":\"key-tools-card-01\"}", "purchase.revision"},
        {"list_gift_card_merchants", "{}", "data.merchants.0.domain"},
        {"get_merchants", "{}", "data.merchants.0.domain"},
        {"search_products", "{\"query\":\"whey\"}", "data.products.0.product_id"},
        {"cancel_purchase", "{\"purchase\":\"key-tools-card-01\"}", "purchase.purchase_id"},
        {"submit_answer",
         "{\"type\":\"feedback\",\"answer\":\"Fine.\",\"idempotency_key\":\"feedback-00000001\"}",
         "data.receipt.feedback_id"},
        {"answer_purchase_question",
         "{\"type\":\"feedback\",\"answer\":\"Fine.\",\"idempotency_key\":\"feedback-00000002\"}",
         "data.receipt.recorded_at"},
    };
    assert_non_null(card);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const cJSON *reply = simproc_call(s, rows[i].tool, "%s", rows[i].input);
        assert_int_equal(simproc_status(s), 200);
        assert_true(cJSON_IsTrue(simproc_at(reply, "ok")));
        assert_string_equal(simproc_text(reply, "tool"), rows[i].tool);
        if (!simproc_at(reply, rows[i].there))
            fail_msg("%s holds no %s", rows[i].tool, rows[i].there);
    }
}

static void discovery_needs_no_token(void **state)
{
    struct simproc *s = *state;
    const cJSON *tools = simproc_send(s, "/tools", "", NULL);
    assert_int_equal(simproc_status(s), 200);
    assert_int_equal(cJSON_GetArraySize(simproc_at(tools, "tools")), 13);
    const cJSON *openapi = simproc_send(s, "/openapi.json", "", NULL);
    assert_int_equal(simproc_status(s), 200);
    assert_int_equal(strncmp(simproc_text(openapi, "openapi"), "3.", 2), 0);
    simproc_send(s, "/health", "", NULL);
    assert_int_equal(simproc_status(s), 200);
}

static void without_the_bearer_nothing_is_told(void **state)
{
    struct simproc *s = *state;
    static const char *const tokens[] = {"", "wrong-token"};
    for (size_t i = 0; i < 2; i++) {
        const cJSON *reply = simproc_send(s, "/tools/get_account", tokens[i], "{}");
        simdeal_expect_error(s, reply, 401, "UNAUTHENTICATED");
        assert_string_equal(simproc_text(reply, "next.action"), "reconnect");
        assert_non_null(strstr(simproc_header(s, "WWW-Authenticate"), "Bearer"));
    }
}

static void what_is_not_served_is_not_found(void **state)
{
    struct simproc *s = *state;
    const cJSON *reply = simproc_post(s, "/tools/give_back_gift_card", "{}");
    assert_int_equal(simproc_status(s), 404);
    assert_string_equal(simproc_text(reply, "error"), "NOT_FOUND");
    static const char *const paths[] = {"/v1/tools/get_account", "/tools/get_account/",
                                        "/Tools/get_account", "/nothing", "/tools/"};
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        simproc_post(s, paths[i], "{}");
        if (simproc_status(s) != 404)
            fail_msg("%s answered %ld", paths[i], simproc_status(s));
    }
    simproc_get(s, "/tools/get_account");
    assert_in_range(simproc_status(s), 404, 405);
}

static void inputs_are_strict(void **state)
{
    struct simproc *s = *state;
    cJSON *reply = simproc_call(s, "get_account", "{'extra':1}");
    simdeal_expect_field(s, reply, "/extra");
    assert_string_equal(simproc_text(reply, "next.action"), "fix_input");
    static const char *const bodies[] = {"",
                                         "[]",
                                         "nonsense",
                                         "{\"limit\":5",
                                         "null",
                                         "7",
                                         "{\"limit\":5,\"\xFF\":1}",
                                         "{\"a\":\"\\ud800\"}"};
    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
        reply = simproc_send(s, "/tools/list_purchases", NULL, bodies[i]);
        simdeal_expect_error(s, reply, 400, "INVALID_INPUT");
    }
    reply = simproc_call(s, "list_purchases",
                         "{'a':1,'b':1,'c':1,'d':1,'e':1,'f':1,'g':1,'h':1,"
                         "'i':1,'j':1,'k':1,'l':1}");
    simdeal_expect_error(s, reply, 400, "INVALID_INPUT");
    assert_int_equal(cJSON_GetArraySize(simproc_at(reply, "error.fields")), 10);
    reply = simdeal_start(s, "short", "shop.example.test", "100000.01", "'color':'red'");
    simdeal_expect_error(s, reply, 400, "INVALID_INPUT");
    assert_int_equal(cJSON_GetArraySize(simproc_at(reply, "error.fields")), 2);
    reply = simdeal_start(s, "key-tools-strict-1", "shop.example.test", "100000.01", "");
    simdeal_expect_field(s, reply, "/total");
}

static void a_body_has_64_kilobytes_at_most(void **state)
{
    struct simproc *s = *state;
    char *body = malloc(BODY_LIMIT + 2);
    assert_non_null(body);
    memset(body, ' ', BODY_LIMIT + 1);
    body[0] = '{';
    body[1] = '}';
    body[BODY_LIMIT] = '\0';
    simproc_send(s, "/tools/get_account", NULL, body);
    assert_int_equal(simproc_status(s), 200);
    body[BODY_LIMIT] = ' ';
    body[BODY_LIMIT + 1] = '\0';
    const cJSON *reply = simproc_send(s, "/tools/get_account", NULL, body);
    simdeal_expect_error(s, reply, 413, "INVALID_INPUT");
    free(body);
}

static void a_minute_has_120_calls(void **state)
{
    struct simproc *s = *state;
    simproc_advance(s, 120);
    for (int i = 0; i < 120; i++) {
        simproc_call(s, "list_purchases", "{}");
        if (simproc_status(s) != 200)
            fail_msg("call %d answered %ld", i + 1, simproc_status(s));
    }
    simproc_advance(s, 20);
    const cJSON *reply = simdeal_start(s, "key-tools-limit-01", "shop.example.test", "75", "");
    simdeal_expect_error(s, reply, 429, "RATE_LIMITED");
    assert_int_equal(simproc_number(reply, "next.after_seconds"), 60);
    assert_int_equal(simproc_number(reply, "error.retry_after_seconds"), 60);
    assert_true(cJSON_IsTrue(simproc_at(reply, "error.retryable")));
    assert_in_range(atoi(simproc_header(s, "Retry-After")), 1, 60);
    simproc_advance(s, 60);
    reply = simproc_call(s, "get_purchase_status", "{'purchase':'key-tools-limit-01'}");
    simdeal_expect_error(s, reply, 404, "NOT_FOUND");
}

static void account_gives_what_is_asked(void **state)
{
    struct simproc *s = *state;
    static const char *const parts[] = {"balance", "limits",  "services",  "active_purchase",
                                        "agent",   "profile", "addresses", "held_purchases"};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        const cJSON *reply = simproc_call(s, "get_account", "{'include':'%s'}", parts[i]);
        const cJSON *account = simproc_at(reply, "data.account");
        for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++) {
            bool there = simproc_at(account, parts[k]) != NULL;
            if (there != (i == k))
                fail_msg("asked for %s: %s is %s", parts[i], parts[k], there ? "there" : "missing");
        }
    }
    const cJSON *reply = simproc_call(s, "get_account", "{}");
    static const char *const usual[] = {"balance", "services", "active_purchase", "held_purchases"};
    static const char *const extra[] = {"limits", "agent", "profile", "addresses"};
    for (size_t i = 0; i < 4; i++) {
        assert_non_null(simproc_at(simproc_at(reply, "data.account"), usual[i]));
        assert_null(simproc_at(simproc_at(reply, "data.account"), extra[i]));
    }
    reply = simproc_call(s, "get_account", "{'include':['addresses']}");
    assert_true(cJSON_IsTrue(simproc_at(reply, "data.account.addresses.0.is_default")));
    assert_string_equal(simproc_text(reply, "data.account.addresses.1.id"), "addr_work");
}

static void history_pages_by_cursor(void **state)
{
    struct simproc *s = *state;
    char seen[64][64];
    size_t count = 0;
    char last[64] = "9999";
    const cJSON *reply = simproc_call(s, "list_transactions", "{'limit':10}");
    for (int page = 0; page < 10; page++) {
        const cJSON *line;
        cJSON_ArrayForEach(line, simproc_at(reply, "data.transactions"))
        {
            const char *id = simproc_text(line, "id");
            const char *at = simproc_text(line, "occurred_at");
            for (size_t i = 0; i < count; i++)
                assert_string_not_equal(seen[i], id);
            assert_true(strcmp(at, last) <= 0);
            snprintf(seen[count++], sizeof seen[0], "%s", id);
            snprintf(last, sizeof last, "%s", at);
        }
        if (simproc_is_null(reply, "data.next_cursor"))
            break;
        assert_string_equal(simproc_text(reply, "next.action"), "call_tool");
        assert_string_equal(simproc_text(reply, "next.args.cursor"),
                            simproc_text(reply, "data.next_cursor"));
        char *args = cJSON_PrintUnformatted(simproc_at(reply, "next.args"));
        reply = simproc_send(s, "/tools/list_transactions", NULL, args);
        cJSON_free(args);
    }
    assert_true(count >= 45);
    assert_string_equal(simproc_text(reply, "next.action"), "continue");
}

static void a_cursor_belongs_to_its_range_and_size(void **state)
{
    struct simproc *s = *state;
    const cJSON *reply = simproc_call(s, "list_transactions", "{'limit':10}");
    const char *cursor = simproc_text(reply, "data.next_cursor");
    reply = simproc_call(s, "list_transactions", "{'limit':11,'cursor':'%s'}", cursor);
    simdeal_expect_field(s, reply, "/cursor");
    reply = simproc_call(s, "list_transactions", "{'limit':10,'from':'2020-01-01','cursor':'%s'}",
                         cursor);
    simdeal_expect_field(s, reply, "/cursor");
    reply = simproc_call(s, "list_transactions", "{'limit':10,'cursor':'made-up'}");
    simdeal_expect_field(s, reply, "/cursor");
    reply = simproc_call(s, "list_transactions", "{'limit':10,'cursor':'%s'}", cursor);
    assert_int_equal(simproc_status(s), 200);
}

static void days_bound_the_history(void **state)
{
    struct simproc *s = *state;
    const cJSON *all = simproc_call(s, "list_transactions", "{'limit':50}");
    char day[11];
    snprintf(day, sizeof day, "%.10s", simproc_text(all, "data.transactions.20.occurred_at"));
    const cJSON *reply =
        simproc_call(s, "list_transactions", "{'limit':50,'from':'%s','to':'%s'}", day, day);
    assert_in_range(cJSON_GetArraySize(simproc_at(reply, "data.transactions")), 1, 44);
    reply = simproc_call(s, "list_transactions", "{'from':'2001-01-01','to':'2001-12-31'}");
    assert_int_equal(cJSON_GetArraySize(simproc_at(reply, "data.transactions")), 0);
    assert_true(simproc_is_null(reply, "data.next_cursor"));
    reply = simproc_call(s, "list_transactions", "{'from':'2001-01-02','to':'2001-01-01'}");
    simdeal_expect_field(s, reply, "/from");
}

static void purchases_are_listed_newest_first(void **state)
{
    struct simproc *s = *state;
    simdeal_buy(s, "key-tools-list-01", "l1.example.test", "100", "");
    simdeal_buy(s, "key-tools-list-02", "l2.example.test", "100", "");
    const cJSON *reply = simproc_call(s, "list_purchases", "{'limit':1}");
    assert_int_equal(cJSON_GetArraySize(simproc_at(reply, "data.purchases")), 1);
    assert_string_equal(simproc_text(reply, "data.purchases.0.merchant.url"),
                        "https://l2.example.test/cart");
    assert_true(cJSON_IsTrue(simproc_at(reply, "data.truncated")));
    reply = simproc_call(s, "list_purchases", "{'limit':20}");
    assert_true(cJSON_IsFalse(simproc_at(reply, "data.truncated")));
    static const char *const bad[] = {"0", "21", "1.5", "\"5\""};
    for (size_t i = 0; i < 4; i++) {
        reply = simproc_call(s, "list_purchases", "{'limit':%s}", bad[i]);
        simdeal_expect_field(s, reply, "/limit");
    }
}

static void gift_cards_and_products_are_listed(void **state)
{
    struct simproc *s = *state;
    const cJSON *reply = simproc_call(s, "list_gift_card_merchants", "{}");
    assert_int_equal(cJSON_GetArraySize(simproc_at(reply, "data.merchants")), 3);
    assert_int_equal(simproc_number(reply, "data.merchants.0.amount_range.max.minor"), 500000);
    assert_true(simproc_is_null(reply, "data.merchants.1.amount_range"));
    assert_int_equal(simproc_number(reply, "data.merchants.1.amounts.1.minor"), 100000);
    assert_true(simproc_is_null(reply, "data.merchants.1.discount_percent"));
    reply = simproc_call(s, "search_products", "{'query':'whey protein','quantity':3}");
    assert_int_equal(cJSON_GetArraySize(simproc_at(reply, "data.products")), 1);
    assert_int_equal(simproc_number(reply, "data.products.0.total.minor"), 149700);
    assert_string_equal(simproc_text(reply, "next.action"), "continue");
    reply = simproc_call(s, "search_products", "{'query':'submarine'}");
    assert_int_equal(cJSON_GetArraySize(simproc_at(reply, "data.products")), 0);
}

static void what_cannot_be_read_is_not_zero(void **state)
{
    struct simproc *s = simproc_open("tests/sim/worlds/poor.json", false);
    (void)state;
    const cJSON *reply = simproc_call(
        s, "get_account", "{'include':['limits','profile','held_purchases','balance']}");
    const cJSON *account = simproc_at(reply, "data.account");
    char *unavailable = cJSON_PrintUnformatted(simproc_at(account, "unavailable"));
    assert_non_null(strstr(unavailable, "limits"));
    assert_non_null(strstr(unavailable, "profile"));
    cJSON_free(unavailable);
    assert_true(cJSON_IsFalse(simproc_at(account, "held_purchases.available")));
    assert_true(simproc_is_null(account, "held_purchases.total"));
    reply = simproc_call(s, "get_merchants", "{}");
    assert_int_equal(cJSON_GetArraySize(simproc_at(reply, "data.merchants")), 0);
    reply = simproc_call(s, "get_purchase_status", "{}");
    simdeal_expect_error(s, reply, 404, "NOT_FOUND");
    simproc_stop(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_ready_line_says_where_it_is),
        cmocka_unit_test(every_tool_answers),
        cmocka_unit_test(discovery_needs_no_token),
        cmocka_unit_test(without_the_bearer_nothing_is_told),
        cmocka_unit_test(what_is_not_served_is_not_found),
        cmocka_unit_test(inputs_are_strict),
        cmocka_unit_test(a_body_has_64_kilobytes_at_most),
        cmocka_unit_test(account_gives_what_is_asked),
        cmocka_unit_test(history_pages_by_cursor),
        cmocka_unit_test(a_cursor_belongs_to_its_range_and_size),
        cmocka_unit_test(days_bound_the_history),
        cmocka_unit_test(purchases_are_listed_newest_first),
        cmocka_unit_test(gift_cards_and_products_are_listed),
        cmocka_unit_test(a_minute_has_120_calls),
        cmocka_unit_test(what_cannot_be_read_is_not_zero),
    };
    return cmocka_run_group_tests(tests, open_plain, stop);
}
