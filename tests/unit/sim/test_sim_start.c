/* SPDX-License-Identifier: Apache-2.0 */
/* Who may start what: rails and limits on both sides, one thing at a time, one key one purchase. */
#include "sim_bench_world.h"

static struct sim_world w;

static int set_up(void **state)
{
    (void)state;
    bench_world(&w, 3);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    sim_world_fini(&w);
    return 0;
}

static void rails_follow_amount_and_wish(void **state)
{
    static const struct {
        const char *host, *total, *more, *rail, *reason, *code;
    } rows[] = {
        {"a.test", "9.99", "", NULL, "RAIL_AMOUNT_OUTSIDE_CARD_LIMITS", "NO_RAIL"},
        {"a.test", "10", "", "otu_card", "RAIL_OTU_PREFERRED", NULL},
        {"a.test", "10.50", "", NULL, "RAIL_AMOUNT_OUTSIDE_CARD_LIMITS", "NO_RAIL"},
        {"a.test", "10.50", ",\"max_total\":\"11\"", "otu_card", "RAIL_OTU_PREFERRED", NULL},
        {"a.test", "10000", "", "otu_card", "RAIL_OTU_PREFERRED", NULL},
        {"a.test", "10001", "", "operated_checkout", "RAIL_AMOUNT_ABOVE_OTU_LIMIT", NULL},
        {"a.test", "9990", ",\"max_total\":\"10001\"", "operated_checkout",
         "RAIL_AMOUNT_ABOVE_OTU_LIMIT", NULL},
        {"a.test", "100000", "", "operated_checkout", "RAIL_AMOUNT_ABOVE_OTU_LIMIT", NULL},
        {"a.test", "100000.01", "", NULL, NULL, "INVALID_INPUT"},
        {"a.test", "1000", ",\"max_total\":\"1100\"", "otu_card", "RAIL_OTU_PREFERRED", NULL},
        {"a.test", "1000", ",\"max_total\":\"1101\"", NULL, NULL, "INVALID_INPUT"},
        {"a.test", "2000", ",\"max_total\":\"2200\"", "otu_card", "RAIL_OTU_PREFERRED", NULL},
        {"a.test", "2000", ",\"max_total\":\"1999\"", NULL, NULL, "INVALID_INPUT"},
        {"a.test", "9.50", ",\"rail\":\"operated_checkout\"", "operated_checkout", NULL, NULL},
        {"a.test", "500", ",\"rail\":\"gift_card\"", NULL, "RAIL_CARD_REQUIRED", "NO_RAIL"},
        {"link.example.test", "500", ",\"rail\":\"gift_card\"", "gift_card", NULL, NULL},
        {"shop.link.example.test", "500", ",\"rail\":\"gift_card\"", "gift_card", NULL, NULL},
        {"notlink.example.test", "500", ",\"rail\":\"gift_card\"", NULL, "RAIL_CARD_REQUIRED",
         "NO_RAIL"},
        {"link.example.test", "99", ",\"rail\":\"gift_card\"", NULL, NULL, "INVALID_INPUT"},
        {"link.example.test", "100.50", ",\"rail\":\"gift_card\"", NULL, NULL, "INVALID_INPUT"},
        {"a.test", "500", ",\"address_id\":\"home\"", "otu_card", "RAIL_OTU_PREFERRED", NULL},
        {"a.test", "500", ",\"address_id\":\"nowhere\"", NULL, NULL, "INVALID_INPUT"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const char *code = NULL;
        struct sim_purchase *p =
            bench_start(&w, "start-key-0000001", rows[i].host, rows[i].total, rows[i].more, &code);

        if (rows[i].code != NULL) {
            assert_null(p);
            assert_string_equal(code, rows[i].code);
            assert_int_equal(w.purchase_count, 0);
        } else {
            assert_non_null(p);
            assert_string_equal(sim_rail_name(p->rail), rows[i].rail);
            if (rows[i].reason == NULL) {
                assert_null(p->rail_reason);
            } else {
                assert_string_equal(p->rail_reason, rows[i].reason);
            }
        }
        sim_world_fini(&w);
        bench_world(&w, 3);
    }
}

static void what_the_account_lacks_closes_rails(void **state)
{
    const char *code = NULL;
    struct sim_purchase *p = NULL;

    (void)state;
    w.account.has_operated = false;
    assert_null(bench_start(&w, "start-key-0000001", "a.test", "20000", "", &code));
    assert_string_equal(code, "NO_RAIL");
    w.account.has_card = false;
    assert_null(bench_start(&w, "start-key-0000001", "a.test", "200", "", &code));
    assert_string_equal(code, "NO_RAIL");
    p = bench_start(&w, "start-key-0000001", "link.example.test", "200", "", &code);
    assert_string_equal(p->rail_reason, "RAIL_GIFT_CARD_CARDLESS");
    w.account.has_service = false;
    assert_null(bench_start(&w, "start-key-0000002", "b.test", "200", "", &code));
    assert_string_equal(code, "SERVICE_NOT_ENABLED");
}

static void a_spending_limit_makes_a_failed_purchase(void **state)
{
    struct sim_purchase *p = NULL;

    (void)state;
    w.account.spending_limit_minor = 50000;
    p = bench_start(&w, "start-key-0000001", "a.test", "501", "", NULL);
    assert_int_equal(p->state, SIM_FAILED);
    assert_string_equal(p->reason, "POLICY_AMOUNT_LIMIT");
    p = bench_start(&w, "start-key-0000002", "a.test", "500", "", NULL);
    assert_int_equal(p->state, SIM_WAITING);
}

static void one_key_is_one_purchase(void **state)
{
    const char *code = NULL;
    struct sim_purchase *p = bench_start(&w, "start-key-0000001", "a.test", "500", "", NULL);

    (void)state;
    assert_ptr_equal(bench_start(&w, "start-key-0000001", "a.test", "500.00", "", NULL), p);
    assert_null(bench_start(&w, "start-key-0000001", "a.test", "501", "", &code));
    assert_string_equal(code, "IDEMPOTENCY_CONFLICT");
    assert_null(bench_start(&w, "start-key-0000001", "b.test", "500", "", &code));
    assert_string_equal(code, "IDEMPOTENCY_CONFLICT");
    assert_int_equal(w.purchase_count, 1);
    assert_int_equal(p->counts.starts, 1);
    assert_int_equal(w.effects[0].calls, 4);
    assert_int_equal(w.effects[0].effects, 1);
}

static void a_second_of_the_same_is_refused_while_one_is_open(void **state)
{
    const char *code = NULL;
    struct sim_purchase *p = bench_start(&w, "start-key-0000001", "a.test", "500", "", NULL);

    (void)state;
    assert_null(bench_start(&w, "start-key-0000002", "www.a.test", "500", "", &code));
    assert_string_equal(code, "ACTIVE_PURCHASE_EXISTS");
    assert_non_null(bench_start(&w, "start-key-0000003", "a.test", "501", "", &code));
    assert_null(bench_start(&w, "start-key-0000004", "a.test", "20000", "", &code));
    assert_string_equal(code, "ACTIVE_PURCHASE_EXISTS");
    assert_int_equal(sim_flow_cancel(&w, p, false), ERR_OK);
    assert_non_null(bench_start(&w, "start-key-0000005", "a.test", "500", "", &code));
}

static void three_may_wait_and_five_may_be_open(void **state)
{
    const char *code = NULL;
    char host[20];
    char key[24];

    (void)state;
    for (int i = 0; i < 6; i++) {
        struct sim_purchase *p = NULL;

        snprintf(host, sizeof(host), "h%d.test", i);
        snprintf(key, sizeof(key), "start-key-%07d", i);
        p = bench_start(&w, key, host, "500", "", &code);
        if (i < 5) {
            assert_non_null(p);
            assert_int_equal(sim_flow_approve(&w, p), ERR_OK);
        } else {
            assert_string_equal(code, "ACTIVE_PURCHASE_EXISTS");
        }
    }
    sim_world_fini(&w);
    bench_world(&w, 3);
    for (int i = 0; i < 4; i++) {
        snprintf(host, sizeof(host), "h%d.test", i);
        snprintf(key, sizeof(key), "start-key-%07d", i);
        assert_int_equal(bench_start(&w, key, host, "500", "", &code) != NULL, i < 3);
    }
    assert_string_equal(code, "ACTIVE_PURCHASE_EXISTS");
}

static void a_site_that_refused_the_card_is_not_tried_with_it_again(void **state)
{
    struct sim_purchase *p = bench_start(&w, "start-key-0000001", "a.test", "500", "", NULL);
    const char *code = NULL;

    (void)state;
    assert_int_equal(sim_flow_break(&w, p, "ORDER_CARD_NOT_ACCEPTED"), ERR_OK);
    p = bench_start(&w, "start-key-0000002", "a.test", "500", "", NULL);
    assert_string_equal(p->rail_reason, "RAIL_FALLBACK_CARD_NOT_ACCEPTED");
    assert_int_equal(p->rail, SIM_RAIL_OPERATED);
    assert_int_equal(sim_flow_cancel(&w, p, false), ERR_OK);
    w.account.has_operated = false;
    assert_null(bench_start(&w, "start-key-0000003", "a.test", "500", "", &code));
    assert_string_equal(code, "NO_RAIL");
}

static const char *search(char id[SIM_IDENT_PURCHASE_SIZE])
{
    struct sim_call call;
    const cJSON *row = NULL;

    bench_call(&w, &call, "search_products", bench_json("{\"query\":\"some protein\"}"));
    row = cJSON_GetArrayItem(cJSON_GetObjectItem(call.reply.data, "products"), 0);
    str_copy(id, SIM_IDENT_PURCHASE_SIZE,
             cJSON_GetStringValue(cJSON_GetObjectItem(row, "product_id")));
    sim_tools_end(&call);
    return id;
}

static void an_offer_is_bought_at_its_true_total(void **state)
{
    char id[SIM_IDENT_PURCHASE_SIZE];
    char input[600];
    struct sim_call call;

    (void)state;
    search(id);
    for (int i = 0; i < 2; i++) {
        snprintf(
            input, sizeof(input),
            "{\"idempotency_key\":\"start-key-%07d\",\"merchant_url\":\"https://elixir.cards\","
            "\"total\":\"%s\",\"items\":[{\"name\":\"Whey\",\"product_id\":\"%s\"}],"
            "\"user_request\":\"Whey\",\"address_id\":\"home\"}",
            i, i == 0 ? "499" : "519", id);
        bench_call(&w, &call, "start_purchase", cJSON_Parse(input));
        if (i == 0) {
            assert_string_equal(call.reply.code, "INVALID_INPUT");
            assert_string_equal(call.reply.fields[0].path, "/total");
            assert_string_equal(call.reply.fields[0].expected, "519.00");
        } else {
            assert_null(call.reply.code);
            assert_int_equal(call.reply.purchase->rail, SIM_RAIL_MARKET);
        }
        sim_tools_end(&call);
    }
    bench_after(&w, 1800);
    bench_call(&w, &call, "start_purchase", cJSON_Parse(input));
    assert_null(call.reply.code); /* the same key: offers run out, purchases do not */
    assert_true(call.reply.is_replayed);
    sim_tools_end(&call);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(rails_follow_amount_and_wish),
        TEST(what_the_account_lacks_closes_rails),
        TEST(a_spending_limit_makes_a_failed_purchase),
        TEST(one_key_is_one_purchase),
        TEST(a_second_of_the_same_is_refused_while_one_is_open),
        TEST(three_may_wait_and_five_may_be_open),
        TEST(a_site_that_refused_the_card_is_not_tried_with_it_again),
        TEST(an_offer_is_bought_at_its_true_total),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
