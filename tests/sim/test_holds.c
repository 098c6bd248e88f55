/* SPDX-License-Identifier: Apache-2.0 */
/* Held reads: they end early on a change, four unchanged ones stop, deadlines end them, and the
 * revision rises only when something changed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include "support/simdeal.h"

#define PLAIN "tests/sim/worlds/plain.json"

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

/* Follows next.args byte for byte. */
static struct simproc_held *follow(struct simproc *s, const cJSON *reply)
{
    assert_string_equal(simproc_text(reply, "next.tool"), "get_purchase_status");
    char *args = cJSON_PrintUnformatted(simproc_at(reply, "next.args"));
    struct simproc_held *held = simproc_begin(s, "get_purchase_status", "%s", args);
    cJSON_free(args);
    return held;
}

static void a_change_ends_the_hold(void **state)
{
    struct simproc *s = *state;
    const cJSON *reply = simdeal_start(s, "key-hold-0000001", "shop.example.test", "100", "");
    assert_int_equal(simproc_number(reply, "next.args.wait_seconds"), 45);
    assert_int_equal(simproc_number(reply, "next.args.after_revision"),
                     simproc_number(reply, "purchase.revision"));
    assert_string_equal(simproc_text(reply, "next.by"),
                        simproc_text(reply, "purchase.approval.decide_by"));
    struct simproc_held *held = follow(s, reply);
    simproc_phone(s, "key-hold-0000001", "approve");
    reply = simproc_finish(held, NULL);
    assert_string_equal(simproc_text(reply, "purchase.state"), "processing");
    assert_int_equal(simproc_number(reply, "purchase.revision"), 2);
    assert_true(simproc_is_null(reply, "user_action"));
}

static void the_hold_that_turns_ready_hands_out(void **state)
{
    struct simproc *s = *state;
    const cJSON *reply = simdeal_start(s, "key-hold-0000002", "shop.example.test", "100", "");
    simproc_phone(s, "key-hold-0000002", "approve");
    reply = simdeal_read(s, "key-hold-0000002");
    for (int i = 0; i < 4 && strcmp(simproc_text(reply, "purchase.state"), "ready") != 0; i++) {
        struct simproc_held *held = follow(s, reply);
        simproc_advance(s, 3);
        reply = simproc_finish(held, NULL);
    }
    assert_string_equal(simproc_text(reply, "purchase.state"), "ready");
    assert_string_equal(simproc_text(reply, "next.action"), "checkout");
    assert_string_equal(simproc_text(reply, "data.payment_details.kind"), "card");
}

static void four_unchanged_holds_stop(void **state)
{
    struct simproc *s = *state;
    const cJSON *reply = simdeal_start(s, "key-hold-0000003", "shop.example.test", "100", "");
    for (int i = 1; i <= 4; i++) {
        struct simproc_held *held = follow(s, reply);
        simproc_advance(s, 45);
        reply = simproc_finish(held, NULL);
        assert_int_equal(simproc_number(reply, "purchase.revision"), 1);
        assert_string_equal(simproc_text(reply, "next.action"), i < 4 ? "call_tool" : "stop");
    }
    assert_true(simproc_is_null(reply, "next.tool"));
    assert_string_equal(simproc_text(reply, "user_action.task"), "approve");
    /* A plain read later goes on. */
    reply = simdeal_read(s, "key-hold-0000003");
    assert_string_equal(simproc_text(reply, "next.action"), "call_tool");
}

static void a_change_starts_the_count_anew(void **state)
{
    struct simproc *s = *state;
    const cJSON *reply = simdeal_start(s, "key-hold-0000004", "envoyonly.example.test", "100",
                                       "'address_id':'addr_home'");
    for (int i = 0; i < 3; i++) {
        struct simproc_held *held = follow(s, reply);
        simproc_advance(s, 45);
        reply = simproc_finish(held, NULL);
    }
    struct simproc_held *held = follow(s, reply);
    simproc_phone(s, "key-hold-0000004", "approve");
    reply = simproc_finish(held, NULL);
    simproc_merchant(s, "key-hold-0000004", "otp", "");
    reply = simdeal_read(s, "key-hold-0000004");
    assert_string_equal(simproc_text(reply, "user_action.task"), "enter_otp");
    for (int i = 1; i <= 4; i++) {
        held = follow(s, reply);
        simproc_advance(s, 45);
        reply = simproc_finish(held, NULL);
        assert_string_equal(simproc_text(reply, "next.action"), i < 4 ? "call_tool" : "stop");
    }
}

static void the_deadline_ends_the_hold(void **state)
{
    struct simproc *s = *state;
    const cJSON *reply = simdeal_start(s, "key-hold-0000005", "shop.example.test", "100", "");
    simproc_advance(s, 15 * 60 - 10);
    struct simproc_held *held = follow(s, reply);
    simproc_advance(s, 10);
    reply = simproc_finish(held, NULL);
    assert_string_equal(simproc_text(reply, "purchase.state"), "failed");
    assert_string_equal(simproc_text(reply, "purchase.reason_code"), "USER_APPROVAL_EXPIRED");
    assert_string_equal(simproc_text(reply, "purchase.approval.state"), "expired");
    assert_string_equal(simproc_text(reply, "next.action"), "stop");
}

static void what_need_not_wait_does_not(void **state)
{
    struct simproc *s = *state;
    const cJSON *reply = simdeal_start(s, "key-hold-0000006", "shop.example.test", "100", "");
    const char *id = simproc_text(reply, "purchase.purchase_id");
    static const char *const more[] = {"", ",\"wait_seconds\":45",
                                       ",\"after_revision\":0,\"wait_seconds\":45",
                                       ",\"after_revision\":1,\"wait_seconds\":0"};
    for (size_t i = 0; i < sizeof more / sizeof more[0]; i++) {
        reply = simproc_call(s, "get_purchase_status", "{'purchase':'%s'%s}", id, more[i]);
        simdeal_expect_state(s, reply, "waiting_for_user");
        assert_int_equal(simproc_number(reply, "purchase.revision"), 1);
    }
    reply = simproc_call(s, "get_purchase_status", "{'purchase':'%s','wait_seconds':46}", id);
    simdeal_expect_field(s, reply, "/wait_seconds");
    simproc_phone(s, id, "decline");
    reply = simproc_call(s, "get_purchase_status",
                         "{'purchase':'%s','after_revision':2,'wait_seconds':45}", id);
    simdeal_expect_state(s, reply, "failed");
}

static void five_reads_are_held_beside_each_other(void **state)
{
    struct simproc *s = *state;
    struct simproc_held *held[5];
    char key[32];
    char host[32];
    for (int i = 0; i < 5; i++) {
        snprintf(key, sizeof key, "key-five-%08d", i);
        snprintf(host, sizeof host, "f%d.example.test", i);
        simdeal_buy(s, key, host, "100", "");
        if (i < 3)
            simproc_phone(s, key, "approve");
        held[i] = follow(s, simdeal_read(s, key));
    }
    simproc_call(s, "get_account", "{}");
    assert_int_equal(simproc_status(s), 200);
    for (int i = 0; i < 5; i++) {
        snprintf(key, sizeof key, "key-five-%08d", i);
        simproc_phone(s, key, "cancel");
        const cJSON *reply = simproc_finish(held[i], NULL);
        assert_string_equal(simproc_text(reply, "purchase.state"), "cancelled");
        assert_string_equal(simproc_text(reply, "purchase.reason_code"), "USER_CANCELLED");
    }
}

/* Case M1: the revision tells whether anything happened. */
static void m1_only_a_change_raises_the_revision(void **state)
{
    struct simproc *s = *state;
    const char *id = simdeal_buy(s, "key-hold-0000008", "shop.example.test", "100", "");
    const cJSON *ready = simdeal_ready(s, id);
    long revision = simproc_number(ready, "purchase.revision");
    simproc_call(s, "report_checkout_step", "{'purchase':'%s','step':'cart_built'}", id);
    simproc_call(s, "get_account", "{}");
    simproc_call(s, "report_checkout_result", "{'purchase':'%s','outcome':'failed'}", id);
    assert_int_equal(simproc_status(s), 400);
    simproc_advance(s, 60);
    const cJSON *reply = simdeal_read(s, id);
    assert_int_equal(simproc_number(reply, "purchase.revision"), revision);
    assert_string_equal(simproc_text(reply, "purchase.updated_at"),
                        simproc_text(ready, "purchase.updated_at"));
    reply = simdeal_report(s, reply, "paid", "");
    assert_int_equal(simproc_number(reply, "purchase.revision"), revision + 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_change_ends_the_hold, open_plain, stop),
        cmocka_unit_test_setup_teardown(the_hold_that_turns_ready_hands_out, open_plain, stop),
        cmocka_unit_test_setup_teardown(four_unchanged_holds_stop, open_plain, stop),
        cmocka_unit_test_setup_teardown(a_change_starts_the_count_anew, open_plain, stop),
        cmocka_unit_test_setup_teardown(the_deadline_ends_the_hold, open_plain, stop),
        cmocka_unit_test_setup_teardown(what_need_not_wait_does_not, open_plain, stop),
        cmocka_unit_test_setup_teardown(five_reads_are_held_beside_each_other, open_plain, stop),
        cmocka_unit_test_setup_teardown(m1_only_a_change_raises_the_revision, open_plain, stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
