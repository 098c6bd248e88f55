/* SPDX-License-Identifier: Apache-2.0 */
/* Control calls without a network: state without secrets, resets, time, the call budget, the log.
 */
#include "sim_bench_world.h"

#include <stdlib.h>
#include <unistd.h>

#include "sim/sim_reply.h"
#include "sim/sim_server.h"

static struct sim_server s;
static size_t forgotten;

static void on_release(void *ctx, void *owner, bool is_unchanged)
{
    (void)ctx;
    (void)owner;
    (void)is_unchanged;
}

static void on_forget(void *ctx)
{
    (void)ctx;
    forgotten++;
}

static int open_scenario(const char *name, FILE *log)
{
    char why[400] = "";

    memset(&s, 0, sizeof(s));
    forgotten = 0;
    s.release = on_release;
    s.forget = on_forget;
    sim_calls_init(&s.calls, log);
    assert_int_equal(sim_clock_parse(&s.clock, "manual"), ERR_OK);
    assert_int_equal(sim_server_init(&s, name, 7, why, sizeof(why)), ERR_OK);
    return 0;
}

static int set_up(void **state)
{
    (void)state;
    return open_scenario("card", NULL);
}

static int tear_down(void **state)
{
    (void)state;
    sim_server_fini(&s);
    return 0;
}

static int control(const char *method, const char *path, const char *body, cJSON **out)
{
    cJSON *json = body != NULL ? cJSON_Parse(body) : NULL;
    int status = sim_control_call(&s, method, path, json, out);

    cJSON_Delete(json);
    assert_non_null(*out);
    return status;
}

static void wrong_calls_are_told_what_is_wrong(void **state)
{
    static const struct {
        const char *method, *path, *body;
        int status;
    } rows[] = {
        {"GET", "/sim/nothing", NULL, 404},
        {"POST", "/sim/state", "{}", 404},
        {"GET", "/sim/phone", NULL, 404},
        {"POST", "/sim/phone", NULL, 400},
        {"POST", "/sim/phone", "[]", 400},
        {"POST", "/sim/phone", "{}", 400},
        {"POST", "/sim/phone", "{\"action\":\"dance\"}", 400},
        {"POST", "/sim/phone", "{\"action\":\"pay\"}", 409},
        {"POST", "/sim/phone", "{\"action\":\"approve\",\"purchase\":\"pur_0\"}", 404},
        {"POST", "/sim/merchant", "{\"action\":\"reopen\"}", 409},
        {"POST", "/sim/clock", "{}", 400},
        {"POST", "/sim/clock", "{\"advance_seconds\":-1}", 400},
        {"POST", "/sim/clock", "{\"advance_seconds\":1,\"freeze\":true}", 400},
        {"POST", "/sim/clock", "{\"set\":\"noon\"}", 400},
        {"POST", "/sim/clock", "{\"set\":\"2026-11-30T08:00:00Z\"}", 409},
        {"POST", "/sim/reset", "{\"scenario\":\"nothing\"}", 400},
        {"POST", "/sim/reset", "{\"seed\":\"x\"}", 400},
        {"POST", "/sim/fault", "{\"kind\":\"nothing\"}", 400},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        cJSON *out = NULL;
        int status = control(rows[i].method, rows[i].path, rows[i].body, &out);

        if (status != rows[i].status || cJSON_GetObjectItem(out, "error") == NULL) {
            fail_msg("%s %s: %d", rows[i].path, rows[i].body, status);
        }
        cJSON_Delete(out);
    }
    assert_int_equal(s.world->purchases[0]->revision, 1);
    assert_int_equal(forgotten, 0);
}

static void time_moves_only_when_told(void **state)
{
    cJSON *out = NULL;

    (void)state;
    sim_server_tick(&s);
    assert_int_equal(s.world->now_ms, SIM_CLOCK_FIXED_START_MS);
    assert_int_equal(control("POST", "/sim/clock", "{\"advance_seconds\":1.5}", &out), 200);
    cJSON_Delete(out);
    assert_int_equal(s.world->now_ms, SIM_CLOCK_FIXED_START_MS + 1500);
    assert_int_equal(control("POST", "/sim/clock", "{\"set\":\"2026-11-30T09:32:00Z\"}", &out),
                     200);
    cJSON_Delete(out);
    assert_int_equal(s.world->now_ms, SIM_CLOCK_FIXED_START_MS + 3600000);
    assert_string_equal(s.world->purchases[0]->reason, "USER_APPROVAL_EXPIRED");
    assert_int_equal(control("POST", "/sim/clock", "{\"freeze\":true}", &out), 200);
    cJSON_Delete(out);
}

static void a_reset_starts_over_with_the_same_ids(void **state)
{
    char id[SIM_IDENT_PURCHASE_SIZE];
    char token[64];
    cJSON *out = NULL;

    (void)state;
    str_copy(id, sizeof(id), s.world->purchases[0]->id);
    str_copy(token, sizeof(token), s.token);
    assert_int_equal(control("POST", "/sim/phone", "{\"action\":\"approve\"}", &out), 200);
    cJSON_Delete(out);
    assert_int_equal(control("POST", "/sim/fault", "{\"kind\":\"reset\",\"tool\":\"*\"}", &out),
                     200);
    cJSON_Delete(out);
    assert_int_equal(control("POST", "/sim/clock", "{\"advance_seconds\":60}", &out), 200);
    cJSON_Delete(out);
    assert_int_equal(control("POST", "/sim/reset", "{\"seed\":7}", &out), 200);
    cJSON_Delete(out);
    assert_int_equal(forgotten, 1);
    assert_int_equal(s.faults.count, 0);
    assert_int_equal(s.world->now_ms, SIM_CLOCK_FIXED_START_MS);
    assert_string_equal(s.world->purchases[0]->id, id);
    assert_int_equal(s.world->purchases[0]->state, SIM_WAITING);
    assert_string_equal(s.token, token);
    assert_int_equal(control("POST", "/sim/reset", "{\"seed\":8,\"scenario\":\"day\"}", &out), 200);
    cJSON_Delete(out);
    assert_string_not_equal(s.world->purchases[0]->id, id);
    assert_string_equal(s.token, token);
}

static void the_budget_is_a_minute_of_calls(void **state)
{
    (void)state;
    for (int i = 0; i < SIM_RATE_CALLS; i++) {
        assert_int_equal(sim_server_budget(&s), 0);
    }
    assert_int_equal(sim_server_budget(&s), 60);
    s.world->now_ms += 59999;
    assert_int_equal(sim_server_budget(&s), 1);
    s.world->now_ms += 1;
    assert_int_equal(sim_server_budget(&s), 0);
    assert_int_equal(s.window_calls, 1);
}

/* Everything in the reply that is secret, as text. */
static size_t collect_secrets(const cJSON *o, const char *out[16], size_t n)
{
    static const char *const names[] = {"number", "cvv", "checkout_code", "code", "pin"};
    const cJSON *item = NULL;

    cJSON_ArrayForEach(item, o)
    {
        for (size_t i = 0; item->string != NULL && i < 5; i++) {
            if (strcmp(names[i], item->string) == 0 && cJSON_IsString(item) && n < 16) {
                out[n++] = item->valuestring;
            }
        }
        n = collect_secrets(item, out, n);
    }
    return n;
}

static void nothing_that_shows_holds_a_secret(void **state)
{
    static const char *const scenarios[] = {"card", "voucher"};
    char path[] = "/tmp/sim-log-XXXXXX";
    FILE *log = fdopen(mkstemp(path), "w+");

    (void)state;
    for (int i = 0; i < 2; i++) {
        const char *secrets[16];
        struct sim_call call;
        cJSON *envelope = NULL;
        cJSON *out = NULL;
        char *text = NULL;
        char logged[4096] = "";
        uint64_t row = 0;
        size_t n = 0;

        sim_server_fini(&s);
        open_scenario(scenarios[i], log);
        assert_int_equal(sim_flow_approve(s.world, s.world->purchases[0]), ERR_OK);
        bench_after(s.world, 10);
        bench_call(s.world, &call, "get_purchase_status", cJSON_CreateObject());
        envelope = sim_tools_envelope(s.world, &call);
        n = collect_secrets(cJSON_GetObjectItem(envelope, "data"), secrets, 0);
        assert_true(n >= 2);
        row = sim_calls_begin(&s.calls, call.tool, call.input, call.request_id, s.world->now_ms);
        sim_calls_end(&s.calls, row, 200, NULL, NULL, s.world->now_ms);
        rewind(log);
        assert_true(fread(logged, 1, sizeof(logged) - 1, log) > 0);
        for (int view = 0; view < 2; view++) {
            control("GET", view == 0 ? "/sim/state" : "/sim/calls", NULL, &out);
            text = cJSON_PrintUnformatted(out);
            for (size_t k = 0; k < n; k++) {
                char quoted[64];

                snprintf(quoted, sizeof(quoted), "\"%s\"", secrets[k]);
                assert_null(strstr(text, quoted));
                assert_null(strstr(logged, quoted));
            }
            cJSON_free(text);
            cJSON_Delete(out);
        }
        cJSON_Delete(envelope);
        sim_tools_end(&call);
    }
    fclose(log);
    unlink(path);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(wrong_calls_are_told_what_is_wrong),    TEST(time_moves_only_when_told),
        TEST(a_reset_starts_over_with_the_same_ids), TEST(the_budget_is_a_minute_of_calls),
        TEST(nothing_that_shows_holds_a_secret),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
