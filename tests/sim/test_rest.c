/* SPDX-License-Identifier: Apache-2.0 */
/* --tell-rest: said once nothing more will happen by itself, and taken back when something does. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "support/control.h"
#include "support/lineproc.h"
#include "support/pty.h"
#include "support/world.h"

struct rest {
    struct world world;
    struct lineproc *sim;
    struct control control;
    size_t from;
};

static void open_sim(struct rest *r, const char *option)
{
    const char *build = getenv("ENVOY_BUILD");
    char program[512];
    char *argv[9] = {program};
    static const char *const words[] = {"--scenario", "declined", "--clock", "manual",
                                        "--seed",     "7",        "--auto"};

    memset(r, 0, sizeof(*r));
    assert_true(world_open(&r->world));
    snprintf(program, sizeof(program), "%s/envoy-sim", build ? build : "build");
    for (size_t i = 0; i < 7; i++)
        argv[i + 1] = (char *)(uintptr_t)words[i];
    char *full[10];
    memcpy(full, argv, sizeof(char *) * 8);
    full[8] = (char *)(uintptr_t)option;
    full[9] = NULL;
    r->sim = lineproc_start(full, r->world.env, NULL);
    assert_true(lineproc_wait_text(r->sim, "\"url\"", &r->from, PTY_WAIT_MS));
    assert_true(control_parse_ready(lineproc_out(r->sim), &r->control));
}

static void close_sim(struct rest *r)
{
    lineproc_stop(r->sim);
    world_close(&r->world);
}

static void control(struct rest *r, const char *path, const char *json)
{
    char why[256];
    cJSON *body = cJSON_Parse(json);
    cJSON *reply = control_call(&r->control, path, body, why, sizeof(why));
    if (!reply)
        fail_msg("%s", why);
    cJSON_Delete(reply);
    cJSON_Delete(body);
}

static void rest_is_told_when_all_have_ended_and_taken_back_at_a_start(void **state)
{
    struct rest r;
    (void)state;
    open_sim(&r, "--tell-rest");
    control(&r, "/sim/clock", "{\"advance_seconds\":1}");
    assert_null(strstr(lineproc_out(r.sim), "rest"));
    control(&r, "/sim/clock", "{\"advance_seconds\":3600}");
    assert_true(lineproc_wait_text(r.sim, "{\"rest\":true,\"purchases\":2}", &r.from, PTY_WAIT_MS));
    control(&r, "/sim/reset", "{\"scenario\":\"card\",\"seed\":7}");
    assert_true(
        lineproc_wait_text(r.sim, "{\"rest\":false,\"purchases\":1}", &r.from, PTY_WAIT_MS));
    control(&r, "/sim/clock", "{\"advance_seconds\":3600}");
    assert_true(lineproc_wait_text(r.sim, "{\"rest\":true,\"purchases\":1}", &r.from, PTY_WAIT_MS));
    close_sim(&r);
}

static void without_the_option_one_line_is_all(void **state)
{
    struct rest r;
    (void)state;
    open_sim(&r, NULL);
    control(&r, "/sim/clock", "{\"advance_seconds\":3600}");
    control(&r, "/sim/clock", "{\"advance_seconds\":1}");
    assert_null(strstr(lineproc_out(r.sim), "rest"));
    close_sim(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rest_is_told_when_all_have_ended_and_taken_back_at_a_start),
        cmocka_unit_test(without_the_option_one_line_is_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
