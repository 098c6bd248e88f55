/* SPDX-License-Identifier: Apache-2.0 */
/* The tools from the inside: holds in order of time, repeated calls, answers, cursors, the record.
 */
#include "sim_bench_world.h"

#include "sim/sim_calls.h"
#include "sim/sim_fault.h"
#include "sim/sim_history.h"

static struct sim_world w;

/* What the holds of a test ended with, in order. */
static struct {
    const struct sim_call *call;
    int64_t at_ms;
    bool is_unchanged;
} released[16];
static size_t released_count;

static void on_release(void *ctx, void *owner, bool is_unchanged)
{
    struct sim_call *call = owner;
    cJSON *envelope = NULL;

    sim_tools_release(ctx, call, is_unchanged);
    envelope = sim_tools_envelope(ctx, call);
    assert_non_null(envelope);
    cJSON_Delete(envelope);
    assert_true(released_count < 16);
    released[released_count].call = call;
    released[released_count].at_ms = w.now_ms - SIM_CLOCK_FIXED_START_MS;
    released[released_count].is_unchanged = is_unchanged;
    released_count++;
}

static int set_up(void **state)
{
    (void)state;
    bench_world(&w, 5);
    w.release = on_release;
    w.release_ctx = &w;
    released_count = 0;
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    sim_world_fini(&w);
    return 0;
}

static void hold(struct sim_call *call, const struct sim_purchase *p, int wait)
{
    bench_call(&w, call, "get_purchase_status",
               bench_json("{\"purchase\":\"%s\",\"after_revision\":%d,\"wait_seconds\":%d}", p->id,
                          (int)p->revision, wait));
    if (call->is_held) {
        sim_engine_hold(&w, call->held, call->held_until_ms, call);
    }
}

static void one_leap_ends_holds_and_deadlines_in_order(void **state)
{
    struct sim_purchase *p = bench_start(&w, "tool-key-00000001", "a.test", "500", "", NULL);
    struct sim_call shorter, longer, late;

    (void)state;
    hold(&longer, p, 45);
    hold(&shorter, p, 20);
    bench_after(&w, 880);
    assert_int_equal(released_count, 2);
    assert_ptr_equal(released[0].call, &shorter);
    assert_int_equal(released[0].at_ms, 20000);
    assert_int_equal(released[1].at_ms, 45000);
    assert_true(released[1].is_unchanged);
    hold(&late, p, 45); /* until 925 s, but the approval runs out at 900 s */
    bench_after(&w, 86400);
    assert_int_equal(released_count, 3);
    assert_int_equal(released[2].at_ms, 900000);
    assert_false(released[2].is_unchanged);
    assert_int_equal(late.reply.purchase->state, SIM_FAILED);
    sim_tools_end(&shorter);
    sim_tools_end(&longer);
    sim_tools_end(&late);
}

static void the_fourth_unchanged_hold_says_stop_and_a_plain_read_counts_anew(void **state)
{
    struct sim_purchase *p = bench_start(&w, "tool-key-00000001", "a.test", "500", "", NULL);
    struct sim_call call;

    (void)state;
    for (int i = 1; i <= 9; i++) {
        hold(&call, p, 10);
        assert_true(call.is_held);
        bench_after(&w, 10);
        assert_int_equal(call.reply.is_stopped, i == 4 || i == 8 || i == 9);
        sim_tools_end(&call);
        if (i == 4) {
            bench_call(&w, &call, "get_purchase_status",
                       bench_json("{\"purchase\":\"%s\"}", p->id));
            assert_false(call.reply.is_stopped);
            sim_tools_end(&call);
        }
    }
    assert_int_equal(sim_flow_approve(&w, p), ERR_OK);
    assert_int_equal(p->unchanged_holds, 0);
}

static void waiting_has_an_end_where_no_deadline_is(void **state)
{
    struct sim_purchase *p = bench_start(&w, "tool-key-00000001", "a.test", "500", "", NULL);
    struct sim_call call;

    (void)state;
    assert_int_equal(sim_flow_approve(&w, p), ERR_OK);
    bench_after(&w, 4);
    sim_flow_report(&w, p, NULL, true, NULL, NULL, 0);
    assert_int_equal(sim_flow_lose(&w, p), ERR_OK);
    bench_after(&w, 890);
    hold(&call, p, 45);
    bench_after(&w, 45);
    assert_true(call.reply.is_stopped);
    assert_int_equal(released[0].at_ms, (4 + 900) * 1000);
    sim_tools_end(&call);
    hold(&call, p, 45);
    assert_false(call.is_held); /* the time is over: answered at once */
    assert_true(call.reply.is_stopped);
    sim_tools_end(&call);
    bench_call(&w, &call, "get_purchase_status", bench_json("{\"purchase\":\"%s\"}", p->id));
    assert_false(call.reply.is_stopped);
    sim_tools_end(&call);
    hold(&call, p, 45);
    assert_true(call.is_held);
    sim_engine_drop(&w, &call);
    sim_tools_end(&call);
}

static void only_waiting_states_hold(void **state)
{
    struct sim_purchase *p = bench_start(&w, "tool-key-00000001", "a.test", "500", "", NULL);
    struct sim_call call;

    (void)state;
    assert_int_equal(sim_flow_ask(&w, p, SIM_ASK_TEXT, "Blue?"), ERR_OK);
    hold(&call, p, 45);
    assert_false(call.is_held);
    sim_tools_end(&call);
    bench_call(&w, &call, "get_purchase_status",
               bench_json("{\"purchase\":\"%s\",\"after_revision\":1,\"wait_seconds\":45}", p->id));
    assert_false(call.is_held); /* changed since */
    sim_tools_end(&call);
}

static const char *answer(struct sim_purchase *p, const char *question, const char *text,
                          const char *key, bool *is_replayed)
{
    struct sim_call call;
    const char *code = NULL;
    cJSON *input = cJSON_CreateObject();

    cJSON_AddStringToObject(input, "type", "answer");
    cJSON_AddStringToObject(input, "purchase", p->id);
    cJSON_AddStringToObject(input, "question", question);
    cJSON_AddStringToObject(input, "answer", text);
    cJSON_AddStringToObject(input, "idempotency_key", key);
    bench_call(&w, &call, "submit_answer", input);
    code = call.reply.code;
    if (is_replayed != NULL) {
        *is_replayed = call.reply.is_replayed;
    }
    for (size_t i = 0; i < call.reply.field_count; i++) {
        assert_null(strstr(call.reply.fields[i].problem, text)); /* never echoed */
    }
    sim_tools_end(&call);
    return code != NULL ? code : "";
}

static void answers_are_taken_once(void **state)
{
    struct sim_purchase *p = bench_start(&w, "tool-key-00000001", "a.test", "500", "", NULL);
    bool is_replayed = false;
    char first[129];

    (void)state;
    assert_int_equal(sim_flow_approve(&w, p), ERR_OK);
    assert_int_equal(sim_flow_ask(&w, p, SIM_ASK_TEXT, "Blue?"), ERR_OK);
    str_copy(first, sizeof(first), p->question.id);
    assert_string_equal(answer(p, first, "Yes", "answer-key-000001", NULL), "");
    assert_int_equal(p->state, SIM_PROCESSING);
    assert_string_equal(answer(p, first, "Yes", "answer-key-000001", &is_replayed), "");
    assert_true(is_replayed);
    assert_string_equal(answer(p, first, "No", "answer-key-000001", NULL), "IDEMPOTENCY_CONFLICT");
    assert_string_equal(answer(p, first, "Yes", "answer-key-000002", NULL), "STATE_CONFLICT");
    assert_int_equal(sim_flow_ask(&w, p, SIM_ASK_TEXT, "Green?"), ERR_OK);
    assert_string_not_equal(p->question.id, first);
    assert_string_equal(answer(p, first, "Yes", "answer-key-000003", NULL), "STATE_CONFLICT");
    assert_int_equal(p->counts.answers, 1);
}

static void words_that_must_not_be_sent_are_refused(void **state)
{
    static const struct {
        enum sim_ask kind;
        const char *text;
        bool is_fit;
    } rows[] = {
        {SIM_ASK_TEXT, "The blue one", true},
        {SIM_ASK_TEXT, "482913", false},
        {SIM_ASK_TEXT, " 4829 13 ", false},
        {SIM_ASK_TEXT, "my otp is 482913", false},
        {SIM_ASK_TEXT, "CVV 123", false},
        {SIM_ASK_TEXT, "size 42", true},
        {SIM_ASK_TEXT, "123", true},
        {SIM_ASK_TEXT, "123456789", true},
        {SIM_ASK_TEXT, "6080 3200 0000 0002", false},
        {SIM_ASK_TEXT, "order 6080320000000001", true}, /* wrong check digit */
        {SIM_ASK_OTP, "482913", true},
        {SIM_ASK_OTP, "6080-3200-0000-0002", false},
        {SIM_ASK_ADDRESS, "Asha, 98450 00011, 14 Lake View Road, Bengaluru 560038", true},
        {SIM_ASK_PASSWORD, "hunter", false},
    };
    char key[32];

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct sim_purchase *p = bench_start(&w, "tool-key-00000001", "a.test", "500", "", NULL);

        assert_int_equal(sim_flow_ask(&w, p, rows[i].kind, "What?"), ERR_OK);
        snprintf(key, sizeof(key), "answer-key-%06zu", i);
        assert_string_equal(answer(p, p->question.id, rows[i].text, key, NULL),
                            rows[i].is_fit ? "" : "INVALID_INPUT");
        assert_int_equal(p->counts.answers, rows[i].is_fit);
        sim_world_fini(&w);
        bench_world(&w, 5);
    }
}

static size_t read_pages(int limit, char ids[][32], size_t max)
{
    struct sim_range range = {0, SIM_NEVER, limit};
    char cursor[SIM_CURSOR_SIZE] = "";
    size_t n = 0;

    do {
        char next[SIM_CURSOR_SIZE];
        cJSON *page = sim_history_page(&w, &range, cursor[0] != '\0' ? cursor : NULL, next);
        const cJSON *row = NULL;

        assert_non_null(page);
        assert_true(cJSON_GetArraySize(page) <= limit);
        cJSON_ArrayForEach(row, page)
        {
            assert_true(n < max);
            str_copy(ids[n++], 32, cJSON_GetStringValue(cJSON_GetObjectItem(row, "id")));
        }
        cJSON_Delete(page);
        str_copy(cursor, sizeof(cursor), next);
    } while (cursor[0] != '\0');
    return n;
}

static void pages_give_every_line_once(void **state)
{
    static char a[1100][32];
    static char b[1100][32];

    (void)state;
    sim_history_make(&w, 1000, 90);
    bench_start(&w, "tool-key-00000001", "a.test", "500", "", NULL);
    assert_int_equal(sim_flow_approve(&w, w.purchases[0]), ERR_OK);
    bench_after(&w, 2);
    assert_int_equal(read_pages(50, a, 1100), 1001);
    assert_int_equal(read_pages(7, b, 1100), 1001);
    for (size_t i = 0; i < 1001; i++) {
        assert_string_equal(a[i], b[i]);
        for (size_t j = 0; j < i; j++) {
            assert_string_not_equal(a[i], a[j]);
        }
    }
}

static void a_cursor_is_bound_and_new_lines_move_nothing(void **state)
{
    struct sim_range range = {0, SIM_NEVER, 5};
    struct sim_range other = {0, SIM_NEVER, 6};
    struct sim_range dated = {w.now_ms - INT64_C(86400000) * 20, SIM_NEVER, 5};
    char next[SIM_CURSOR_SIZE];
    char unused[SIM_CURSOR_SIZE];
    cJSON *before = NULL;
    cJSON *after = NULL;

    (void)state;
    sim_history_make(&w, 40, 30);
    cJSON_Delete(sim_history_page(&w, &range, NULL, next));
    assert_null(sim_history_page(&w, &other, next, unused));
    assert_null(sim_history_page(&w, &dated, next, unused));
    assert_null(sim_history_page(&w, &range, "cur_", unused));
    before = sim_history_page(&w, &range, next, unused);
    bench_start(&w, "tool-key-00000001", "a.test", "500", "", NULL);
    assert_int_equal(sim_flow_approve(&w, w.purchases[0]), ERR_OK);
    bench_after(&w, 2);
    after = sim_history_page(&w, &range, next, unused);
    assert_true(cJSON_Compare(before, after, true));
    next[10] = next[10] == '0' ? '1' : '0';
    assert_null(sim_history_page(&w, &range, next, unused));
    cJSON_Delete(before);
    cJSON_Delete(after);
}

static void the_record_keeps_no_answer(void **state)
{
    struct sim_calls calls;
    cJSON *input = bench_json("{\"type\":\"answer\",\"answer\":\"CANARY-4711\"}");
    uint64_t n = 0;
    char *text = NULL;

    (void)state;
    sim_calls_init(&calls, NULL);
    n = sim_calls_begin(&calls, "submit_answer", input, "req_1", w.now_ms);
    sim_calls_end(&calls, n, 200, NULL, NULL, w.now_ms);
    text = cJSON_PrintUnformatted(calls.rows);
    assert_null(strstr(text, "CANARY"));
    assert_non_null(strstr(text, "\"answer_length\":11"));
    cJSON_free(text);
    for (int i = 0; i < SIM_CALLS_MAX + 5; i++) {
        sim_calls_begin(&calls, "get_account", NULL, "req_2", w.now_ms);
    }
    assert_int_equal(cJSON_GetArraySize(calls.rows), SIM_CALLS_MAX);
    assert_int_equal(calls.dropped, 6);
    sim_calls_end(&calls, n, 200, NULL, NULL, w.now_ms); /* long gone */
    sim_calls_fini(&calls);
    cJSON_Delete(input);
}

static void faults_are_used_in_order_and_counted(void **state)
{
    struct sim_faults f = {0};
    const char *why = NULL;
    static const char *const specs[] = {
        "{\"kind\":\"reset\",\"tool\":\"submit_answer\",\"at\":\"after\",\"count\":2}",
        "{\"kind\":\"html504\"}",
        "{\"kind\":\"delay\",\"at_seconds\":60}",
    };
    static const char *const bad[] = {
        "{}",
        "{\"kind\":\"slow\"}",
        "{\"kind\":\"reset\",\"tool\":\"nothing\"}",
        "{\"kind\":\"reset\",\"at\":\"during\"}",
        "{\"kind\":\"reset\",\"count\":0}",
        "{\"kind\":\"status\",\"status\":99}",
    };

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        cJSON *spec = cJSON_Parse(specs[i]);

        assert_int_equal(sim_fault_add(&f, spec, w.now_ms, &why), ERR_OK);
        cJSON_Delete(spec);
    }
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        cJSON *spec = cJSON_Parse(bad[i]);

        assert_int_equal(sim_fault_add(&f, spec, w.now_ms, &why), ERR_USER);
        cJSON_Delete(spec);
    }
    assert_int_equal(sim_fault_take(&f, "answer_purchase_question", w.now_ms).kind,
                     SIM_FAULT_RESET);
    assert_int_equal(sim_fault_take(&f, "get_account", w.now_ms).kind, SIM_FAULT_HTML504);
    assert_int_equal(sim_fault_take(&f, "get_account", w.now_ms).kind, SIM_FAULT_NONE);
    assert_true(sim_fault_take(&f, "submit_answer", w.now_ms).is_after);
    assert_int_equal(sim_fault_take(&f, "submit_answer", w.now_ms).kind, SIM_FAULT_NONE);
    assert_int_equal(sim_fault_take(&f, "get_account", w.now_ms + 60000).kind, SIM_FAULT_DELAY);
    assert_int_equal(f.count, 0);
    sim_fault_clear(&f);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(one_leap_ends_holds_and_deadlines_in_order),
        TEST(the_fourth_unchanged_hold_says_stop_and_a_plain_read_counts_anew),
        TEST(waiting_has_an_end_where_no_deadline_is),
        TEST(only_waiting_states_hold),
        TEST(answers_are_taken_once),
        TEST(words_that_must_not_be_sent_are_refused),
        TEST(pages_give_every_line_once),
        TEST(a_cursor_is_bound_and_new_lines_move_nothing),
        TEST(the_record_keeps_no_answer),
        TEST(faults_are_used_in_order_and_counted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
