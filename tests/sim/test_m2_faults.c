/* SPDX-License-Identifier: Apache-2.0 */
/* Case M2, trouble on demand: each kind of fault does on the wire what it says, before or after the
 * call takes effect, for as many calls as asked, and stands in the record of calls. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>
#include <curl/curl.h>
#include "support/simdeal.h"

#define START                                                                                      \
    "{\"idempotency_key\":\"%s\",\"merchant_url\":\"https://f%d.example.test\",\"total\":\"100\"," \
    "\"items\":[{\"name\":\"x\"}],\"user_request\":\"x\"}"

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

static void fault(struct simproc *s, const char *spec)
{
    simproc_post(s, "/sim/fault", "%s", spec);
    assert_int_equal(simproc_status(s), 200);
}

static bool exists(struct simproc *s, const char *key)
{
    simproc_call(s, "get_purchase_status", "{'purchase':'%s'}", key);
    return simproc_status(s) == 200;
}

static bool is_reset(int code)
{
    return code == CURLE_RECV_ERROR || code == CURLE_GOT_NOTHING;
}

static bool is_cut(int code)
{
    return code == CURLE_PARTIAL_FILE || code == CURLE_RECV_ERROR;
}

static bool is_clean(int code)
{
    return code == CURLE_OK;
}

static bool is_any(int code)
{
    return code >= 0;
}

/* How each kind looks to a client. */
static const struct {
    const char *kind;
    const char *more;
    bool (*code)(int code);
    long status;      /* 0: no status line was needed */
    const char *body; /* part of the body, NULL for any */
    bool runs_before; /* at before the call still happens */
} rows[] = {
    {"delay", "\"seconds\":0.05", is_clean, 200, "\"ok\":true", true},
    {"drip", "\"seconds\":0.05", is_clean, 200, "\"ok\":true", true},
    {"reset", "\"seconds\":0", is_reset, 0, NULL, false},
    {"blackhole", "\"seconds\":0.05", is_reset, 0, NULL, false},
    {"status", "\"status\":502", is_clean, 502, "{}", false},
    {"html504", "\"seconds\":0", is_clean, 504, "<html>", false},
    {"truncate", "\"seconds\":0", is_cut, 0, "\"contract\"", false},
    {"wrong_length", "\"seconds\":0", is_any, 0, "\"contract\"", false},
    {"garbage", "\"seconds\":0", is_clean, 0, NULL, false},
    {"ratelimit", "\"header\":\"17\"", is_clean, 429, "RATE_LIMITED", false},
    {"unauthenticated", "\"seconds\":0", is_clean, 401, "UNAUTHENTICATED", false},
    {"unavailable", "\"seconds\":2", is_clean, 503, "UNAVAILABLE", false},
};

static void try_row(struct simproc *s, size_t i, bool is_after)
{
    char spec[200], key[40], body[400];
    const char *text;
    snprintf(spec, sizeof spec, "{\"tool\":\"start_purchase\",\"at\":\"%s\",\"kind\":\"%s\",%s}",
             is_after ? "after" : "before", rows[i].kind, rows[i].more);
    snprintf(key, sizeof key, "key-fault-%s-%04zu", is_after ? "after" : "front", i);
    snprintf(body, sizeof body, START, key, (int)i);
    fault(s, spec);
    int code = simproc_try(s, "start_purchase", body, &text);
    if (!rows[i].code(code))
        fail_msg("%s: libcurl said %d", spec, code);
    if (rows[i].status && simproc_status(s) != rows[i].status)
        fail_msg("%s: status %ld", spec, simproc_status(s));
    if (rows[i].body && !strstr(text, rows[i].body))
        fail_msg("%s: body %.200s", spec, text);
    if (code == CURLE_OK && strcmp(rows[i].kind, "garbage") == 0)
        assert_null(cJSON_Parse(text));
    if (strcmp(rows[i].kind, "ratelimit") == 0)
        assert_string_equal(simproc_header(s, "Retry-After"), "17");
    bool happened = is_after || rows[i].runs_before;
    if (exists(s, key) != happened)
        fail_msg("%s: the purchase is %s", spec, happened ? "missing" : "there");
    /* The fault is used up: the same call goes through, and never twice. */
    const cJSON *reply = simproc_send(s, "/tools/start_purchase", NULL, body);
    simdeal_expect_state(s, reply, "waiting_for_user");
    assert_int_equal(cJSON_IsTrue(simproc_at(reply, "replayed")), happened);
    simproc_call(s, "cancel_purchase", "{'purchase':'%s'}", key);
}

static void m2_each_kind_does_what_it_says(void **state)
{
    struct simproc *s = *state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        try_row(s, i, false);
        try_row(s, i, true);
        simproc_advance(s, 30);
    }
    const cJSON *counts = simproc_at(simproc_get(s, "/sim/state"), "counts");
    assert_int_equal(simproc_number(counts, "starts"), 2 * (long)(sizeof rows / sizeof rows[0]));
}

static void m2_faults_come_in_order_and_number(void **state)
{
    struct simproc *s = *state;
    const char *text;
    fault(s, "{\"tool\":\"list_purchases\",\"kind\":\"status\",\"status\":500,\"count\":2}");
    fault(s, "{\"tool\":\"*\",\"kind\":\"html504\"}");
    static const long statuses[] = {500, 500, 504, 200};
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(simproc_try(s, "list_purchases", "{}", &text), CURLE_OK);
        if (simproc_status(s) != statuses[i])
            fail_msg("call %zu answered %ld", i + 1, simproc_status(s));
    }
    fault(s, "{\"kind\":\"reset\",\"count\":9}");
    fault(s, "{\"clear\":true}");
    simproc_call(s, "list_purchases", "{}");
    assert_int_equal(simproc_status(s), 200);
}

static void m2_faults_stand_in_the_record(void **state)
{
    struct simproc *s = *state;
    const char *text;
    fault(s, "{\"tool\":\"get_account\",\"kind\":\"reset\"}");
    assert_true(is_reset(simproc_try(s, "get_account", "{}", &text)));
    simproc_call(s, "get_account", "{}");
    const cJSON *calls = simproc_at(simproc_get(s, "/sim/calls"), "calls");
    assert_string_equal(simproc_text(calls, "0.fault"), "reset");
    assert_true(simproc_at(calls, "1.fault") == NULL || simproc_is_null(calls, "1.fault"));
    assert_int_equal(simproc_number(calls, "1.status"), 200);
}

static void m2_a_refusing_server_comes_back(void **state)
{
    struct simproc *s = *state;
    const char *text;
    int code;
    fault(s, "{\"tool\":\"get_account\",\"kind\":\"refuse\",\"seconds\":0.2}");
    assert_true(is_reset(simproc_try(s, "get_account", "{}", &text)));
    assert_int_equal(simproc_try(s, "get_account", "{}", &text), CURLE_COULDNT_CONNECT);
    do {
        code = simproc_try(s, "get_account", "{}", &text);
    } while (code == CURLE_COULDNT_CONNECT);
    assert_int_equal(code, CURLE_OK);
    assert_int_equal(simproc_status(s), 200);
}

static void m2_after_a_lost_write_the_purchase_is_read(void **state)
{
    struct simproc *s = *state;
    fault(s, "{\"tool\":\"start_purchase\",\"at\":\"after\",\"kind\":\"unavailable\"}");
    const cJSON *reply = simdeal_start(s, "key-fault-read-01", "shop.example.test", "100", "");
    simdeal_expect_error(s, reply, 503, "UNAVAILABLE");
    assert_true(cJSON_IsFalse(simproc_at(reply, "error.retryable")));
    assert_string_equal(simproc_text(reply, "next.tool"), "get_purchase_status");
    fault(s,
          "{\"tool\":\"start_purchase\",\"at\":\"before\",\"kind\":\"unavailable\",\"seconds\":3}");
    reply = simdeal_start(s, "key-fault-read-02", "b.example.test", "100", "");
    simdeal_expect_error(s, reply, 503, "UNAVAILABLE");
    assert_string_equal(simproc_text(reply, "next.action"), "retry");
    assert_int_equal(simproc_number(reply, "next.after_seconds"), 3);
}

static void m2_faults_that_make_no_sense_are_refused(void **state)
{
    struct simproc *s = *state;
    static const char *const bad[] = {"{\"kind\":\"earthquake\"}",
                                      "{}",
                                      "{\"kind\":\"reset\",\"tool\":\"no_tool\"}",
                                      "{\"kind\":\"reset\",\"at\":\"during\"}",
                                      "{\"kind\":\"reset\",\"count\":0}",
                                      "{\"kind\":\"status\",\"status\":99}",
                                      "{\"kind\":\"delay\",\"seconds\":-1}"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        simproc_send(s, "/sim/fault", NULL, bad[i]);
        if (simproc_status(s) != 400)
            fail_msg("%s answered %ld", bad[i], simproc_status(s));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(m2_each_kind_does_what_it_says, open_plain, stop),
        cmocka_unit_test_setup_teardown(m2_faults_come_in_order_and_number, open_plain, stop),
        cmocka_unit_test_setup_teardown(m2_faults_stand_in_the_record, open_plain, stop),
        cmocka_unit_test_setup_teardown(m2_a_refusing_server_comes_back, open_plain, stop),
        cmocka_unit_test_setup_teardown(m2_after_a_lost_write_the_purchase_is_read, open_plain,
                                        stop),
        cmocka_unit_test_setup_teardown(m2_faults_that_make_no_sense_are_refused, open_plain, stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
