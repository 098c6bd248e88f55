/* SPDX-License-Identifier: Apache-2.0 */
/* Waits and the call budget: the header rules, jitter on both ends, doubling, the cap, and herds
 * (cases N3 and N4). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include "flow/retry.h"

#define T0 INT64_C(5000000)

static uint32_t seed = 20261130;

static uint32_t any_random(void)
{
    /* xorshift32: all 32 bits are used by the code under test. */
    seed ^= seed << 13;
    seed ^= seed >> 17;
    seed ^= seed << 5;
    return seed;
}

static void the_asked_wait_is_the_least(void **state)
{
    (void)state;
    static const struct {
        int64_t header_ms, after_s, least_ms;
    } rows[] = {
        {7000, 60, 7000},
        {60000, 60, 60000},
        {-1, 60, 60000},
        {-1, 30, 30000},
        {-1, -1, 60000},
        {0, 60, 1000},
        {-1, 0, 1000},
        {500, -1, 1000},
        {300000, 60, 300000},
        {INT64_MAX, -1, 86400000},
        {-1, INT64_MAX, 86400000},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        static const uint32_t randoms[] = {0, 1, UINT32_MAX / 2, UINT32_MAX};
        for (size_t r = 0; r < 4; r++) {
            struct retry_gate g;
            retry_gate_init(&g);
            int64_t wait =
                retry_gate_limited(&g, T0, rows[i].header_ms, rows[i].after_s, randoms[r]);
            int64_t least = rows[i].least_ms;
            assert_true(wait >= least && wait <= least + least / 4);
            if (randoms[r] == 0)
                assert_true(wait == least);
            if (randoms[r] == UINT32_MAX)
                assert_true(wait == least + least / 4);
            int64_t when = 0;
            assert_false(retry_gate_open(&g, T0 + wait - 1, true, &when));
            assert_true(when == T0 + wait);
            assert_false(retry_gate_open(&g, T0 + wait - 1, false, &when));
            assert_true(retry_gate_open(&g, T0 + wait, true, &when));
        }
    }
}

static void each_one_in_a_row_doubles_to_the_cap(void **state)
{
    (void)state;
    static const int64_t expected[] = {60000, 120000, 240000, 240000, 240000};
    struct retry_gate g;
    int64_t now = T0;
    retry_gate_init(&g);
    for (size_t i = 0; i < 5; i++) {
        int64_t wait = retry_gate_limited(&g, now, -1, 60, 0);
        assert_true(wait == expected[i]);
        now += wait;
    }
    /* Jitter is added at the cap as well, and a good reply starts over. */
    assert_true(retry_gate_limited(&g, now, -1, 60, UINT32_MAX) == 300000);
    now += 300000;
    retry_gate_good(&g);
    assert_true(retry_gate_limited(&g, now, 7000, 60, 0) == 7000);
    now += 7000;
    assert_true(retry_gate_limited(&g, now, 7000, 60, 0) == 14000);
    /* A header beyond the cap is obeyed. */
    now += 14000;
    assert_true(retry_gate_limited(&g, now, 1000000, 60, 0) == 1000000);
    for (int i = 0; i < 100; i++) {
        now += 1000000;
        assert_true(retry_gate_limited(&g, now, -1, 60, 0) == 240000);
    }
}

static void replies_to_earlier_calls_are_one_event(void **state)
{
    (void)state;
    struct retry_gate g;
    retry_gate_init(&g);
    assert_true(retry_gate_limited(&g, T0, 10000, 60, UINT32_MAX) == 12500);
    for (int i = 1; i <= 5; i++) {
        int64_t wait = retry_gate_limited(&g, T0 + i, 10000, 60, 0);
        assert_true(T0 + i + wait == T0 + 12500); /* never shorter than what stands */
    }
    assert_int_equal(g.limited_in_a_row, 1);
    assert_true(retry_gate_limited(&g, T0 + 10, 30000, 60, 0) == 30000);
    int64_t when = 0;
    assert_false(retry_gate_open(&g, T0 + 30009, true, &when));
    /* A good reply to an earlier call opens nothing. */
    retry_gate_good(&g);
    assert_false(retry_gate_open(&g, T0 + 30009, true, &when));
    assert_true(retry_gate_open(&g, T0 + 30010, true, &when));
    assert_true(retry_gate_limited(&g, T0 + 30010, 10000, 60, 0) == 10000);
}

static void the_budget_is_kept_and_leaves_room_for_people(void **state)
{
    (void)state;
    struct retry_gate g;
    int64_t when = 0;
    retry_gate_init(&g);
    for (int i = 0; i < RETRY_BUDGET_CALLS; i++) {
        int64_t now = T0 + i * 10;
        assert_int_equal(retry_gate_used(&g, now), i);
        assert_int_equal(retry_gate_open(&g, now, false, &when), i < RETRY_BUDGET_CALLS - 20);
        assert_true(retry_gate_open(&g, now, true, &when));
        retry_gate_sent(&g, now);
    }
    int64_t now = T0 + 1200;
    assert_int_equal(retry_gate_used(&g, now), RETRY_BUDGET_CALLS);
    assert_false(retry_gate_open(&g, now, true, &when));
    assert_true(when == T0 + RETRY_BUDGET_WINDOW_MS);
    assert_false(retry_gate_open(&g, when - 1, true, &when));
    assert_true(retry_gate_open(&g, T0 + RETRY_BUDGET_WINDOW_MS, true, &when));
    /* Background reads wait until 21 of the calls have left the window. */
    assert_false(retry_gate_open(&g, now, false, &when));
    assert_true(when == T0 + 20 * 10 + RETRY_BUDGET_WINDOW_MS);
    assert_true(retry_gate_open(&g, when, false, &when));
    assert_int_equal(retry_gate_used(&g, T0 + RETRY_BUDGET_WINDOW_MS - 1), RETRY_BUDGET_CALLS);
    assert_int_equal(retry_gate_used(&g, T0 + RETRY_BUDGET_WINDOW_MS), RETRY_BUDGET_CALLS - 1);
    assert_int_equal(retry_gate_used(&g, T0 + 10 * RETRY_BUDGET_WINDOW_MS), 0);
}

/* However eager the caller, no minute holds more than the budget. */
static void no_minute_ever_exceeds_the_budget(void **state)
{
    (void)state;
    static int64_t sent[4000];
    size_t count = 0;
    struct retry_gate g;
    retry_gate_init(&g);
    for (int64_t now = T0; now < T0 + 600000; now += 1 + any_random() % 400) {
        int64_t when = 0;
        bool interactive = any_random() % 3 == 0;
        if (any_random() % 500 == 0)
            retry_gate_limited(&g, now, (int64_t)(any_random() % 20000), 60, any_random());
        if (!retry_gate_open(&g, now, interactive, &when)) {
            assert_true(when > now);
            continue;
        }
        assert_true(now >= g.not_before_ms);
        retry_gate_sent(&g, now);
        sent[count++] = now;
    }
    assert_true(count > 500);
    for (size_t i = RETRY_BUDGET_CALLS; i < count; i++)
        assert_true(sent[i] - sent[i - RETRY_BUDGET_CALLS] >= RETRY_BUDGET_WINDOW_MS);
}

static void a_closed_gate_and_a_spent_budget_add_up(void **state)
{
    (void)state;
    struct retry_gate g;
    int64_t when = 0;
    retry_gate_init(&g);
    for (int i = 0; i < RETRY_BUDGET_CALLS; i++)
        retry_gate_sent(&g, T0);
    retry_gate_limited(&g, T0, 5000, -1, 0);
    assert_false(retry_gate_open(&g, T0, true, &when));
    assert_true(when == T0 + RETRY_BUDGET_WINDOW_MS);
    retry_gate_limited(&g, T0, 90000, -1, 0);
    assert_false(retry_gate_open(&g, T0, true, &when));
    assert_true(when == T0 + 90000);
}

static void back_off_grows_and_only_a_good_reply_resets_it(void **state)
{
    (void)state;
    static const int64_t ceilings[] = {20000, 40000, 60000, 60000, 60000};
    struct retry_backoff high = {0};
    struct retry_backoff low = {0};
    for (size_t i = 0; i < 5; i++) {
        assert_true(retry_backoff_next(&high, UINT32_MAX) == ceilings[i]);
        assert_true(retry_backoff_next(&low, 0) == 250);
    }
    for (int i = 0; i < 100; i++)
        assert_true(retry_backoff_next(&high, UINT32_MAX) == RETRY_BACKOFF_CAP_MS);
    retry_backoff_good(&high);
    assert_true(retry_backoff_next(&high, UINT32_MAX) == RETRY_BACKOFF_FIRST_MS);
    struct retry_backoff quick = {.first_ms = 100};
    assert_true(retry_backoff_next(&quick, UINT32_MAX) == 100);
    assert_true(retry_backoff_next(&quick, UINT32_MAX) == 200);
    assert_true(retry_backoff_next(&quick, 0) == 250);
    struct retry_backoff slow = {.first_ms = 500000};
    assert_true(retry_backoff_next(&slow, UINT32_MAX) == RETRY_BACKOFF_CAP_MS);
}

static void unavailable_waits_as_told_or_backs_off(void **state)
{
    (void)state;
    struct retry_backoff b = {0};
    assert_true(retry_unavailable(&b, 10, 0) == 10000);
    assert_true(retry_unavailable(&b, 10, UINT32_MAX) == 12500);
    assert_true(retry_unavailable(&b, INT64_MAX, 0) == 86400000);
    assert_int_equal(b.failures, 3);
    retry_backoff_good(&b);
    assert_true(retry_unavailable(&b, -1, UINT32_MAX) == RETRY_BACKOFF_FIRST_MS);
    assert_true(retry_unavailable(&b, 0, UINT32_MAX) == 2 * RETRY_BACKOFF_FIRST_MS);
}

/* The fullest second of 200 first (or capped) retries, in retries. */
static int fullest_second(int failures)
{
    int seconds[80] = {0};
    int most = 0;
    for (int i = 0; i < 200; i++) {
        struct retry_backoff b = {.failures = failures};
        int64_t delay = retry_backoff_next(&b, any_random());
        assert_in_range(delay, 250, RETRY_BACKOFF_CAP_MS);
        int n = ++seconds[delay / 1000];
        most = n > most ? n : most;
    }
    return most;
}

/* Case N3: 200 consoles after a restart of the server. */
static void a_restart_brings_no_herd(void **state)
{
    (void)state;
    int crowded_first = 0;
    int crowded_capped = 0;
    for (int round = 0; round < 500; round++) {
        crowded_first += fullest_second(0) > 20;
        crowded_capped += fullest_second(10) > 20;
    }
    assert_in_range(crowded_first, 0, 25); /* a tenth is passed by chance alone, at most rarely */
    assert_int_equal(crowded_capped, 0);
    seed = 20261130;
    assert_in_range(fullest_second(0), 1, 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_asked_wait_is_the_least),
        cmocka_unit_test(each_one_in_a_row_doubles_to_the_cap),
        cmocka_unit_test(replies_to_earlier_calls_are_one_event),
        cmocka_unit_test(the_budget_is_kept_and_leaves_room_for_people),
        cmocka_unit_test(no_minute_ever_exceeds_the_budget),
        cmocka_unit_test(a_closed_gate_and_a_spent_budget_add_up),
        cmocka_unit_test(back_off_grows_and_only_a_good_reply_resets_it),
        cmocka_unit_test(unavailable_waits_as_told_or_backs_off),
        cmocka_unit_test(a_restart_brings_no_herd),
    };
    return cmocka_run_group_tests_name("flow/retry", tests, NULL, NULL);
}
