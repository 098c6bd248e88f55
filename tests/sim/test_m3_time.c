/* SPDX-License-Identifier: Apache-2.0 */
/* Case M3, control of time: nothing happens until told, due events fire in order inside one leap, a
 * reset starts over, the same seed gives the same ids, and only this machine can connect. */
#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <netinet/in.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <cmocka.h>
#include "support/simdeal.h"

#define PLAIN "tests/sim/worlds/plain.json"
#define SHOP  "shop.example.test"

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

static const char *now(struct simproc *s)
{
    return simproc_text(simproc_get(s, "/sim/state"), "clock.now");
}

static void a_manual_clock_stands(void **state)
{
    struct simproc *s = *state;
    const char *before = now(s);
    const char *id = simdeal_buy(s, "key-time-0000001", SHOP, "100", "");
    simproc_phone(s, id, "approve");
    for (int i = 0; i < 30; i++)
        simdeal_expect_state(s, simdeal_read(s, id), "processing");
    assert_string_equal(now(s), before);
    assert_true(cJSON_IsTrue(simproc_at(simproc_get(s, "/sim/state"), "clock.frozen")));
}

static void a_leap_of_a_day_fires_what_is_due_in_order(void **state)
{
    struct simproc *s = *state;
    const char *waits = simdeal_buy(s, "key-time-0000002", "a.example.test", "100", "");
    const char *unused = simdeal_buy(s, "key-time-0000003", "b.example.test", "100", "");
    const char *envoy = simdeal_buy(s, "key-time-0000004", "envoyonly.example.test", "100",
                                    "'address_id':'addr_home'");
    simproc_phone(s, unused, "approve");
    simproc_phone(s, envoy, "approve");
    struct simproc_held *held = simproc_begin(
        s, "get_purchase_status", "{'purchase':'%s','after_revision':1,'wait_seconds':45}", waits);
    simproc_advance(s, 24 * 3600);
    /* The hold ended inside the leap, with the state of its moment. */
    const cJSON *reply = simproc_finish(held, NULL);
    assert_string_equal(simproc_text(reply, "purchase.state"), "waiting_for_user");

    const cJSON *a = simdeal_read(s, waits);
    const cJSON *b = simdeal_read(s, unused);
    const cJSON *c = simdeal_read(s, envoy);
    simdeal_expect_state(s, c, "completed");
    assert_string_equal(simproc_text(a, "purchase.reason_code"), "USER_APPROVAL_EXPIRED");
    assert_string_equal(simproc_text(b, "purchase.reason_code"), "ORDER_CARD_EXPIRED_UNUSED");
    assert_string_equal(simproc_text(a, "purchase.updated_at"),
                        simproc_text(a, "purchase.approval.decide_by"));
    assert_true(
        strcmp(simproc_text(c, "purchase.updated_at"), simproc_text(a, "purchase.updated_at")) < 0);
    assert_true(
        strcmp(simproc_text(a, "purchase.updated_at"), simproc_text(b, "purchase.updated_at")) < 0);
    const char *last = "";
    const cJSON *row;
    cJSON_ArrayForEach(row, simproc_at(simproc_get(s, "/sim/state"), "ledger"))
    {
        assert_true(strcmp(last, simproc_text(row, "at")) <= 0);
        last = simproc_text(row, "at");
    }
}

static void time_is_set_forward_only(void **state)
{
    struct simproc *s = *state;
    simproc_post(s, "/sim/clock", "{'set':'2030-01-02T03:04:05Z'}");
    assert_int_equal(simproc_status(s), 200);
    assert_string_equal(now(s), "2030-01-02T03:04:05Z");
    static const char *const bad[] = {
        "{\"set\":\"2029-01-01T00:00:00Z\"}", "{\"set\":\"soon\"}",
        "{\"advance_seconds\":-1}",           "{}",
        "{\"advance_seconds\":\"1\"}",        "{\"advance_seconds\":1,\"freeze\":true}"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        simproc_send(s, "/sim/clock", NULL, bad[i]);
        if (simproc_status(s) < 400 || simproc_status(s) > 409)
            fail_msg("%s answered %ld", bad[i], simproc_status(s));
    }
    assert_string_equal(now(s), "2030-01-02T03:04:05Z");
}

static void a_running_clock_can_be_frozen(void **state)
{
    const char *args[] = {"--scenario", PLAIN, "--clock", "x1000", NULL};
    struct simproc *s = simproc_start(args);
    (void)state;
    char before[64];
    snprintf(before, sizeof before, "%s", now(s));
    while (strcmp(now(s), before) == 0)
        continue;
    simproc_post(s, "/sim/clock", "{'freeze':true}");
    assert_int_equal(simproc_status(s), 200);
    snprintf(before, sizeof before, "%s", now(s));
    for (int i = 0; i < 50; i++)
        assert_string_equal(now(s), before);
    simproc_post(s, "/sim/clock", "{'freeze':false}");
    while (strcmp(now(s), before) == 0)
        continue;
    simproc_stop(s);
}

/* All that a client can see of a small run. */
static char *story(struct simproc *s)
{
    const cJSON *ready;
    simdeal_buy(s, "key-seed-0000001", SHOP, "100", "");
    ready = simdeal_ready(s, "key-seed-0000001");
    simdeal_report(s, ready, "paid", "");
    cJSON *all = cJSON_CreateArray();
    cJSON_AddItemToArray(all, cJSON_Duplicate(ready, true));
    cJSON_AddItemToArray(all, cJSON_Duplicate(simproc_call(s, "list_transactions", "{}"), true));
    cJSON_AddItemToArray(all, cJSON_Duplicate(simproc_call(s, "list_purchases", "{}"), true));
    char *text = cJSON_PrintUnformatted(all);
    cJSON_Delete(all);
    return text;
}

static void the_same_seed_tells_the_same_story(void **state)
{
    struct simproc *s = *state;
    struct simproc *twin = simproc_open(PLAIN, false);
    const char *args[] = {"--scenario", PLAIN, "--clock", "manual", "--seed", "8", NULL};
    struct simproc *other = simproc_start(args);
    char *mine = story(s);
    char *same = story(twin);
    char *different = story(other);
    assert_string_equal(mine, same);
    assert_string_not_equal(mine, different);

    /* A reset with that seed starts it over; two runs do not see each other. */
    simproc_post(other, "/sim/reset", "{'seed':7}");
    assert_int_equal(simproc_status(other), 200);
    const cJSON *list = simproc_call(other, "list_purchases", "{}");
    assert_int_equal(cJSON_GetArraySize(simproc_at(list, "data.purchases")), 0);
    free(mine);
    free(same);
    free(different);
    simproc_stop(twin);
    simproc_stop(other);
}

static void a_reset_starts_over(void **state)
{
    struct simproc *s = *state;
    simdeal_buy(s, "key-reset-000001", SHOP, "100", "");
    simproc_advance(s, 100);
    simproc_post(s, "/sim/reset", "{}");
    char *first = story(s);
    simproc_post(s, "/sim/reset", "{}");
    char *second = story(s);
    assert_string_equal(first, second);
    free(first);
    free(second);
    const cJSON *reply = simproc_post(s, "/sim/reset", "{'scenario':'card','seed':3}");
    assert_int_equal(simproc_status(s), 200);
    reply = simproc_get(s, "/sim/state");
    assert_string_equal(simproc_text(reply, "scenario"), "card");
    assert_int_equal(simproc_number(reply, "seed"), 3);
    assert_int_equal(cJSON_GetArraySize(simproc_at(reply, "effects")), 1);
    simproc_post(s, "/sim/reset", "{'scenario':'no such scenario'}");
    assert_int_equal(simproc_status(s), 400);
    assert_string_equal(simproc_text(simproc_get(s, "/sim/state"), "scenario"), "card");
}

static void calls_are_recorded_in_order(void **state)
{
    struct simproc *s = *state;
    simproc_call(s, "get_account", "{}");
    simproc_call(s, "list_purchases", "{}");
    simproc_post(s, "/tools/no_such_tool", "{}");
    const cJSON *calls = simproc_at(simproc_get(s, "/sim/calls"), "calls");
    assert_int_equal(cJSON_GetArraySize(calls), 3);
    assert_string_equal(simproc_text(calls, "0.tool"), "get_account");
    assert_string_equal(simproc_text(calls, "1.tool"), "list_purchases");
    assert_int_equal(simproc_number(calls, "2.status"), 404);
}

static int try_connect(const struct sockaddr_in *address)
{
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    int result = connect(fd, (const struct sockaddr *)address, sizeof *address);
    int error = errno;
    close(fd);
    return result == 0 ? 0 : error;
}

static void only_this_machine_can_connect(void **state)
{
    struct simproc *s = *state;
    struct ifaddrs *all = NULL;
    struct sockaddr_in address = {.sin_family = AF_INET};
    address.sin_port = htons((uint16_t)atoi(strrchr(simproc_url(s), ':') + 1));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    assert_int_equal(try_connect(&address), 0);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK + 1);
    assert_int_equal(try_connect(&address), ECONNREFUSED);
    assert_int_equal(getifaddrs(&all), 0);
    for (struct ifaddrs *i = all; i; i = i->ifa_next) {
        if (!i->ifa_addr || i->ifa_addr->sa_family != AF_INET)
            continue;
        address.sin_addr = ((const struct sockaddr_in *)(const void *)i->ifa_addr)->sin_addr;
        if (ntohl(address.sin_addr.s_addr) >> 24 != 127)
            assert_int_not_equal(try_connect(&address), 0);
    }
    freeifaddrs(all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_manual_clock_stands, open_plain, stop),
        cmocka_unit_test_setup_teardown(a_leap_of_a_day_fires_what_is_due_in_order, open_plain,
                                        stop),
        cmocka_unit_test_setup_teardown(time_is_set_forward_only, open_plain, stop),
        cmocka_unit_test(a_running_clock_can_be_frozen),
        cmocka_unit_test_setup_teardown(the_same_seed_tells_the_same_story, open_plain, stop),
        cmocka_unit_test_setup_teardown(a_reset_starts_over, open_plain, stop),
        cmocka_unit_test_setup_teardown(calls_are_recorded_in_order, open_plain, stop),
        cmocka_unit_test_setup_teardown(only_this_machine_can_connect, open_plain, stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
