/* SPDX-License-Identifier: Apache-2.0 */
/* Which question an answer belongs to, the vault save in all its ways, and what a repeated start,
 * report or cancel is told. */
#include "sim_bench_world.h"

static struct sim_world w;
static struct sim_plan plan;

static int set_up(void **state)
{
    (void)state;
    bench_world(&w, 5);
    plan = w.default_plan;
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    sim_world_fini(&w);
    return 0;
}

static struct sim_purchase *ready_card(const char *key, const char *host, enum sim_vault_mode vault)
{
    struct sim_purchase *p = bench_start(&w, key, host, "500", "", NULL);

    plan.vault_mode = vault;
    p->plan = &plan;
    assert_int_equal(sim_flow_approve(&w, p), ERR_OK);
    bench_after(&w, 4);
    assert_int_equal(p->state, SIM_READY);
    return p;
}

static const char *say(const char *json, struct sim_call *call)
{
    bench_call(&w, call, "submit_answer", bench_json("%s", json));
    return call->reply.code != NULL ? call->reply.code : "";
}

static void an_answer_without_a_question_finds_the_only_one(void **state)
{
    struct sim_purchase *a = bench_start(&w, "ans-key-000000001", "a.test", "500", "", NULL);
    struct sim_purchase *b = bench_start(&w, "ans-key-000000002", "b.test", "500", "", NULL);
    struct sim_call call;

    (void)state;
    assert_int_equal(sim_flow_ask(&w, a, SIM_ASK_TEXT, "Blue?"), ERR_OK);
    assert_int_equal(sim_flow_ask(&w, b, SIM_ASK_TEXT, "Green?"), ERR_OK);
    assert_string_equal(say("{\"type\":\"answer\",\"answer\":\"Yes\","
                            "\"idempotency_key\":\"say-key-0000000001\"}",
                            &call),
                        "INVALID_INPUT");
    assert_string_equal(call.reply.fields[0].path, "/question");
    assert_string_equal(call.reply.fields[0].expected, b->question.id);
    sim_tools_end(&call);
    sim_flow_answer(&w, b);
    assert_string_equal(say("{\"type\":\"answer\",\"answer\":\"Yes\","
                            "\"idempotency_key\":\"say-key-0000000002\"}",
                            &call),
                        "");
    assert_ptr_equal(call.reply.purchase, a);
    sim_tools_end(&call);
    assert_string_equal(say("{\"type\":\"details\",\"answer\":\"Yes\","
                            "\"idempotency_key\":\"say-key-0000000003\"}",
                            &call),
                        "STATE_CONFLICT");
    sim_tools_end(&call);
}

static void feedback_has_its_time(void **state)
{
    struct sim_purchase *p = bench_start(&w, "ans-key-000000001", "a.test", "500", "", NULL);
    struct sim_call call;

    (void)state;
    assert_string_equal(say("{\"type\":\"feedback\",\"answer\":\"Fine\",\"purchase\":"
                            "\"ans-key-000000001\",\"idempotency_key\":\"say-key-0000000001\"}",
                            &call),
                        "STATE_CONFLICT");
    sim_tools_end(&call);
    assert_string_equal(say("{\"type\":\"feedback\",\"answer\":\"Fine\",\"rating\":4,"
                            "\"idempotency_key\":\"say-key-0000000002\"}",
                            &call),
                        "");
    assert_null(call.reply.purchase);
    assert_non_null(cJSON_GetObjectItem(call.reply.data, "receipt"));
    sim_tools_end(&call);
    assert_int_equal(sim_flow_decline(&w, p), ERR_OK);
    assert_string_equal(say("{\"type\":\"feedback\",\"answer\":\"Fine\",\"purchase\":"
                            "\"ans-key-000000001\",\"idempotency_key\":\"say-key-0000000003\"}",
                            &call),
                        "");
    sim_tools_end(&call);
    assert_string_equal(say("{\"type\":\"feedback\",\"answer\":\"Not there\",\"purchase\":"
                            "\"ans-key-000000009\",\"idempotency_key\":\"say-key-0000000004\"}",
                            &call),
                        "NOT_FOUND");
    sim_tools_end(&call);
}

#define SAVE(key, word)                                                                            \
    "{\"type\":\"answer\",\"question\":\"vault_save\",\"answer\":\"" word                          \
    "\",\"purchase\":\"ans-key-000000001\",\"idempotency_key\":\"" key "\"}"

static void a_vault_save_runs_once_and_names_its_entry(void **state)
{
    struct sim_purchase *p = ready_card("ans-key-000000001", "a.test", SIM_VAULT_MODE_SAVES);
    struct sim_call call;

    (void)state;
    assert_string_equal(say(SAVE("say-key-0000000001", "keep"), &call), "INVALID_INPUT");
    sim_tools_end(&call);
    assert_string_equal(say(SAVE("say-key-0000000002", "save"), &call), "");
    sim_tools_end(&call);
    assert_int_equal(p->state, SIM_PROCESSING);
    assert_string_equal(say(SAVE("say-key-0000000003", "save"), &call), "");
    assert_true(call.reply.is_replayed);
    sim_tools_end(&call);
    bench_after(&w, 4);
    assert_int_equal(p->state, SIM_READY);
    assert_non_null(strstr(p->status_text, "envoy-2026-11-30-"));
    assert_false(sim_flow_offers_vault(p));
    assert_non_null(sim_flow_hand_out(&w, p));
}

static void a_vault_save_may_need_a_code_or_fail(void **state)
{
    struct sim_purchase *p = ready_card("ans-key-000000001", "a.test", SIM_VAULT_MODE_ASKS_OTP);

    (void)state;
    sim_flow_save(&w, p);
    assert_null(sim_flow_hand_out(&w, p));
    bench_after(&w, 4);
    assert_int_equal(p->question.kind, SIM_ASK_OTP);
    sim_flow_answer(&w, p);
    bench_after(&w, 4);
    assert_int_equal(p->vault, SIM_VAULT_SAVED);

    p = ready_card("ans-key-000000002", "b.test", SIM_VAULT_MODE_APP_OTP);
    sim_flow_save(&w, p);
    bench_after(&w, 4);
    assert_int_equal(p->task, SIM_TASK_ENTER_OTP);
    bench_after(&w, 300); /* nobody enters it */
    assert_int_equal(p->state, SIM_READY);
    assert_int_equal(p->vault, SIM_VAULT_FAILED);
    assert_true(sim_flow_offers_vault(p));

    p = ready_card("ans-key-000000003", "c.test", SIM_VAULT_MODE_FAILS);
    sim_flow_save(&w, p);
    bench_after(&w, 4);
    assert_int_equal(p->vault, SIM_VAULT_FAILED);
    sim_flow_save(&w, p);
    bench_after(&w, 4);
    assert_int_equal(p->vault, SIM_VAULT_SAVED);
}

static void a_vault_save_that_is_not_offered_is_refused(void **state)
{
    struct sim_purchase *p = ready_card("ans-key-000000001", "a.test", SIM_VAULT_MODE_NONE);
    struct sim_call call;

    (void)state;
    assert_string_equal(say(SAVE("say-key-0000000001", "save"), &call), "NOT_ALLOWED");
    sim_tools_end(&call);
    plan.vault_mode = SIM_VAULT_MODE_SAVES;
    assert_int_equal(sim_flow_cancel(&w, p, false), ERR_OK);
    assert_string_equal(say(SAVE("say-key-0000000002", "save"), &call), "STATE_CONFLICT");
    sim_tools_end(&call);
}

static const char *call_tool(const char *tool, const char *json, bool *is_replayed)
{
    struct sim_call call;
    const char *code = NULL;

    bench_call(&w, &call, tool, bench_json("%s", json));
    code = call.reply.code;
    *is_replayed = call.reply.is_replayed;
    sim_tools_end(&call);
    return code != NULL ? code : "";
}

static void the_first_report_wins(void **state)
{
    struct sim_purchase *p = bench_start(&w, "ans-key-000000001", "a.test", "500", "", NULL);
    static const char paid[] = "{\"purchase\":\"ans-key-000000001\",\"outcome\":\"paid\"}";
    static const char other[] = "{\"purchase\":\"ans-key-000000001\",\"outcome\":\"failed\","
                                "\"failure_reason\":\"other\"}";
    static const char guess[] = "{\"purchase\":\"ans-key-000000001\",\"outcome\":\"paid\","
                                "\"checkout_attempt_id\":\"11111111-2222-4333-8444-555555555555\"}";
    bool is_replayed = false;

    (void)state;
    assert_string_equal(call_tool("report_checkout_result", paid, &is_replayed), "STATE_CONFLICT");
    assert_int_equal(sim_flow_approve(&w, p), ERR_OK);
    bench_after(&w, 4);
    assert_string_equal(call_tool("report_checkout_result", guess, &is_replayed), "INVALID_INPUT");
    assert_string_equal(call_tool("report_checkout_result", paid, &is_replayed), "");
    assert_false(is_replayed);
    assert_string_equal(call_tool("report_checkout_result", other, &is_replayed), "");
    assert_true(is_replayed);
    assert_true(p->is_report_paid);
    assert_string_equal(
        call_tool("cancel_purchase", "{\"purchase\":\"ans-key-000000001\"}", &is_replayed),
        "STATE_CONFLICT");
    bench_after(&w, 6);
    assert_int_equal(p->state, SIM_COMPLETED);
    assert_string_equal(call_tool("report_checkout_result", other, &is_replayed), "");
    assert_true(is_replayed);
    assert_int_equal(p->counts.reports, 1);
}

static void reports_of_envoys_own_checkout_are_refused(void **state)
{
    bool is_replayed = false;

    (void)state;
    bench_start(&w, "ans-key-000000001", "a.test", "20000", ",\"address_id\":\"home\"", NULL);
    assert_string_equal(call_tool("report_checkout_result",
                                  "{\"purchase\":\"ans-key-000000001\",\"outcome\":\"paid\"}",
                                  &is_replayed),
                        "STATE_CONFLICT");
    assert_string_equal(call_tool("report_checkout_step",
                                  "{\"purchase\":\"ans-key-000000001\",\"step\":\"cart_built\"}",
                                  &is_replayed),
                        "STATE_CONFLICT");
}

static void a_retry_is_for_the_same_thing_only(void **state)
{
    struct sim_purchase *p = bench_start(&w, "ans-key-000000001", "a.test", "500", "", NULL);
    static const char *const more = ",\"retry_of\":\"ans-key-000000001\"";
    const char *code = NULL;

    (void)state;
    assert_null(bench_start(&w, "ans-key-000000002", "a.test", "500", more, &code));
    assert_string_equal(code, "STATE_CONFLICT");
    assert_int_equal(sim_flow_approve(&w, p), ERR_OK);
    bench_after(&w, 4);
    sim_flow_report(&w, p, NULL, false, "site_error", NULL, 0);
    assert_null(bench_start(&w, "ans-key-000000002", "a.test", "501", more, &code));
    assert_string_equal(code, "INVALID_INPUT");
    assert_null(bench_start(&w, "ans-key-000000002", "b.test", "500", more, &code));
    assert_string_equal(code, "INVALID_INPUT");
    assert_null(bench_start(&w, "ans-key-000000002", "a.test", "500",
                            ",\"retry_of\":\"ans-key-000000009\"", &code));
    assert_string_equal(code, "NOT_FOUND");
    p->is_ours = false;
    assert_null(bench_start(&w, "ans-key-000000002", "a.test", "500", more, &code));
    assert_string_equal(code, "STATE_CONFLICT");
    p->is_ours = true;
    assert_int_equal(p->state, SIM_VERIFYING);
    p = bench_start(&w, "ans-key-000000002", "a.test", "500", more, &code);
    assert_non_null(p);
    assert_int_equal(p->state, SIM_NEEDS_DETAILS); /* Envoy delivers, so it needs an address */
}

static void verbs_judge_what_they_are_given(void **state)
{
    static const struct {
        const char *verb, *args;
    } rows[] = {
        {"ask", "{}"},
        {"ask", "{\"kind\":\"riddle\",\"prompt\":\"x\"}"},
        {"ask", "{\"prompt\":\"\"}"},
        {"settle", "{\"paid\":\"501\"}"},
        {"settle", "{\"paid\":\"much\"}"},
        {"fail", "{\"reason\":\"RAIL_OTU_PREFERRED\"}"},
        {"fail", "{\"reason\":\"USER_OTP_EXPIRED\"}"},
        {"dance", "{}"},
    };
    struct sim_purchase *p = bench_start(&w, "ans-key-000000001", "a.test", "500", "", NULL);
    const char *why = NULL;

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        cJSON *args = cJSON_Parse(rows[i].args);

        why = NULL;
        assert_int_equal(sim_merchant_do(&w, p, rows[i].verb, args, &why), ERR_USER);
        assert_non_null(why);
        cJSON_Delete(args);
    }
    assert_int_equal(sim_phone_do(&w, p, "dance", NULL, &why), ERR_USER);
    assert_int_equal(sim_agent_do(&w, p, "dance", NULL, &why), ERR_USER);
    assert_int_equal(p->revision, 1);
}

static void offers_are_of_one_shop_and_known(void **state)
{
    struct sim_call call;
    char id[SIM_IDENT_PURCHASE_SIZE];
    char unknown[SIM_IDENT_PURCHASE_SIZE];

    (void)state;
    bench_call(&w, &call, "search_products", bench_json("{\"query\":\"whey\",\"quantity\":2}"));
    str_copy(id, sizeof(id),
             cJSON_GetStringValue(cJSON_GetObjectItem(
                 cJSON_GetArrayItem(cJSON_GetObjectItem(call.reply.data, "products"), 0),
                 "product_id")));
    sim_tools_end(&call);
    sim_ident_offer(99, 1, unknown);
    for (int i = 0; i < 3; i++) {
        bench_call(&w, &call, "start_purchase",
                   bench_json("{\"idempotency_key\":\"ans-key-00000000%d\",\"merchant_url\":"
                              "\"https://%s\",\"total\":\"1018\",\"items\":[{\"name\":\"Whey\"}],"
                              "\"user_request\":\"Whey\",\"address_id\":\"home\","
                              "\"product_id\":\"%s\"}",
                              i, i == 0 ? "a.test" : "elixir.cards", i == 1 ? unknown : id));
        if (i == 2) {
            assert_null(call.reply.code); /* one offer of two, with its fee */
        } else {
            assert_string_equal(call.reply.fields[0].path,
                                i == 0 ? "/merchant_url" : "/product_id");
        }
        sim_tools_end(&call);
    }
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(an_answer_without_a_question_finds_the_only_one),
        TEST(feedback_has_its_time),
        TEST(a_vault_save_runs_once_and_names_its_entry),
        TEST(a_vault_save_may_need_a_code_or_fail),
        TEST(a_vault_save_that_is_not_offered_is_refused),
        TEST(the_first_report_wins),
        TEST(reports_of_envoys_own_checkout_are_refused),
        TEST(a_retry_is_for_the_same_thing_only),
        TEST(verbs_judge_what_they_are_given),
        TEST(offers_are_of_one_shop_and_known),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
