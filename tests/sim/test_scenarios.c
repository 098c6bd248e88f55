/* SPDX-License-Identifier: Apache-2.0 */
/* Every built-in scenario, played to its end by itself: each purchase reaches the end that is
 * stated here, the ledger adds up, nobody pays twice, and every reply on the way obeys the
 * contract. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "support/simdeal.h"

#define STEP_SECONDS 5
#define END_SECONDS  600 /* nothing moves any more in any scenario */

/* "name:state:money" for each purchase, in the order in which they are made. */
static const struct {
    const char *scenario;
    const char *ends;
} scenarios[] = {
    {"day", "pharmacy:completed:debited planter:failed:refunded shoes:failed:not_started "
            "metro:completed:debited headphones:completed:debited books:completed:debited "
            "grocer:completed:debited tea:completed:debited"},
    {"card", "headphones:completed:debited"},
    {"envoy-checkout", "laptop:completed:debited"},
    {"question", "headphones:completed:debited"},
    {"otp", "lamps:completed:debited flour:cancelled:not_started"},
    {"details", "chair:completed:debited flowers:completed:debited"},
    {"gift-card", "groceries:completed:debited novel:completed:debited tickets:failed:not_started"},
    {"voucher", "tea:completed:debited"},
    {"unknown", "speaker:completed:debited drill:failed:refunded"},
    {"reopened", "keyboard:completed:debited"},
    {"retry-of", "boots:superseded:refunded boots-again:completed:debited"},
    {"declined", "shoes:failed:not_started watch:cancelled:not_started"},
    {"expired", "camera:failed:not_started frames:failed:refunded"},
    {"collect", "mangoes:completed:merchant_collects"},
    {"busy", "metro:completed:debited books:completed:debited shoes:completed:debited "
             "grocer:completed:debited headphones:completed:debited"},
    {"vault", "monitor:completed:debited cables:completed:debited snacks:completed:debited"},
    {"marketplace", "whey:completed:debited"},
    {"storm", "headphones:completed:debited tent:completed:debited drill:cancelled:not_started"},
    {"history", "metro:completed:debited"},
};

static long sum_of(const cJSON *state, const char *kind, const char *purchase)
{
    long sum = 0;
    const cJSON *row;
    cJSON_ArrayForEach(row, simproc_at(state, "ledger"))
    {
        if (strcmp(simproc_text(row, "kind"), kind) == 0 &&
            (!purchase || strcmp(simproc_text(row, "purchase_id"), purchase) == 0))
            sum += simproc_number(row, "amount_minor");
    }
    return sum;
}

/* Money that was ever there: what moved out and back leaves it the same. */
static long money_ever(const cJSON *state)
{
    return simproc_number(state, "account.balance_minor") + sum_of(state, "debit", NULL) -
           sum_of(state, "refund", NULL) - sum_of(state, "load", NULL);
}

static void check_ledger(const cJSON *state, const char *scenario)
{
    const cJSON *p;
    long held = sum_of(state, "hold", NULL) - sum_of(state, "release", NULL);
    assert_int_equal(held, simproc_number(state, "account.held_minor"));
    cJSON_ArrayForEach(p, simproc_at(state, "purchases"))
    {
        const char *id = simproc_text(p, "purchase_id");
        long out = sum_of(state, "debit", id) + sum_of(state, "external", id) -
                   sum_of(state, "refund", id);
        long debits = simproc_number(p, "counts.debits");
        bool charged = strcmp(simproc_text(p, "money"), "debited") == 0 &&
                       simproc_number(p, "held_minor") == 0;
        if (debits > 1 || (charged && out <= 0) || out > simproc_number(p, "limit_minor"))
            fail_msg("%s: %s was charged %ld times, %ld in all", scenario, simproc_text(p, "name"),
                     debits, out);
    }
}

/* Reads everything a client may read, so that each reply is checked on its way out. A ready
 * purchase is left alone: reading it hands out another attempt. */
static void read_all(struct simproc *s, bool with_ended)
{
    const cJSON *list = simproc_call(s, "list_purchases", "{'limit':20}");
    const cJSON *row;
    assert_int_equal(simproc_status(s), 200);
    cJSON_ArrayForEach(row, simproc_at(list, "data.purchases"))
    {
        const char *state = simproc_text(row, "state");
        bool ended = strcmp(state, "completed") == 0 || strcmp(state, "failed") == 0 ||
                     strcmp(state, "cancelled") == 0 || strcmp(state, "superseded") == 0;
        if (strcmp(state, "ready") == 0 || (ended && !with_ended))
            continue;
        simdeal_read(s, simproc_text(row, "purchase_id"));
        assert_int_equal(simproc_status(s), 200);
    }
    simproc_call(s, "get_account", "{}");
    simproc_call(s, "list_transactions", "{'limit':50}");
    assert_int_equal(simproc_status(s), 200);
}

static void check_ends(const cJSON *state, const char *scenario, const char *ends)
{
    char got[1024] = "";
    size_t len = 0;
    const cJSON *p;
    cJSON_ArrayForEach(p, simproc_at(state, "purchases"))
    {
        len += (size_t)snprintf(got + len, sizeof got - len, "%s%s:%s:%s", len ? " " : "",
                                simproc_text(p, "name"), simproc_text(p, "state"),
                                simproc_text(p, "money"));
        assert_true(len < sizeof got);
    }
    if (strcmp(got, ends) != 0)
        fail_msg("%s ended with\n  %s\nnot\n  %s", scenario, got, ends);
}

static void every_scenario_ends_as_it_should(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof scenarios / sizeof scenarios[0]; i++) {
        struct simproc *s = simproc_open(scenarios[i].scenario, true);
        /* What is read here is what the service holds; a storm on the way there is not about it. */
        simproc_post(s, "/sim/fault", "{'clear':true}");
        long before = money_ever(simproc_get(s, "/sim/state"));
        for (int t = 0; t < END_SECONDS; t += STEP_SECONDS) {
            read_all(s, false);
            check_ledger(simproc_get(s, "/sim/state"), scenarios[i].scenario);
            /* Most is over early; what is left is one long wait. */
            simproc_advance(s, t < 90 ? STEP_SECONDS : STEP_SECONDS * 12);
            t += t < 90 ? 0 : STEP_SECONDS * 11;
        }
        read_all(s, true);
        const cJSON *end = simproc_get(s, "/sim/state");
        check_ends(end, scenarios[i].scenario, scenarios[i].ends);
        check_ledger(end, scenarios[i].scenario);
        assert_int_equal(money_ever(end), before);
        assert_int_equal(simproc_number(end, "account.held_minor"), 0);
        simproc_stop(s);
    }
}

/* The default demo: what a person sees at once, and what comes without a hand on the phone. */
static void the_day_opens_in_the_middle_of_things(void **state)
{
    (void)state;
    const char *args[] = {"--clock", "manual", NULL};
    struct simproc *s = simproc_start(args);
    assert_string_equal(simproc_text(simproc_ready(s), "scenario"), "day");
    const cJSON *list = simproc_call(s, "list_purchases", "{'limit':20}");
    static const char *const rows[][2] = {
        {"Tea Junction", "waiting_for_user"},
        {"Fresh Grocer", "waiting_for_user"},
        {"Corner Books", "processing"},
        {"Example Store", "processing"},
        {"Metro Tickets", "completed"},
        {"Shoe Barn", "failed"},
        {"Garden Hut", "failed"},
        {"Lakeside Pharmacy", "completed"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const cJSON *row = cJSON_GetArrayItem(simproc_at(list, "data.purchases"), (int)i);
        assert_string_equal(simproc_text(row, "merchant.name"), rows[i][0]);
        assert_string_equal(simproc_text(row, "state"), rows[i][1]);
    }
    const cJSON *account = simproc_call(s, "get_account", "{}");
    assert_string_equal(simproc_text(account, "data.account.spendable.display"), "₹5,000.00");
    assert_string_equal(simproc_text(account, "data.account.held_purchases.total.display"),
                        "₹2,499.00");
    simproc_advance(s, 4);
    list = simproc_call(s, "list_purchases", "{}");
    assert_string_equal(simproc_text(list, "data.purchases.2.state"), "verifying");
    simproc_advance(s, 11);
    list = simproc_call(s, "list_purchases", "{}");
    assert_string_equal(simproc_text(list, "data.purchases.3.state"), "needs_answer");
    assert_string_equal(simproc_text(list, "data.purchases.2.state"), "completed");
    /* Without --auto nobody acts for the owner or the agent. */
    simproc_advance(s, 300);
    list = simproc_call(s, "list_purchases", "{}");
    assert_string_equal(simproc_text(list, "data.purchases.0.state"), "waiting_for_user");
    assert_string_equal(simproc_text(list, "data.purchases.3.state"), "needs_answer");
    simproc_stop(s);
}

static void history_has_ten_thousand_lines(void **state)
{
    (void)state;
    struct simproc *s = simproc_open("history", false);
    const cJSON *reply = simproc_call(s, "list_transactions", "{'limit':50}");
    size_t lines = 0;
    char last[64] = "";
    for (;;) {
        const cJSON *rows = simproc_at(reply, "data.transactions");
        assert_string_not_equal(simproc_text(rows, "0.id"), last);
        lines += (size_t)cJSON_GetArraySize(rows);
        if (simproc_is_null(reply, "data.next_cursor"))
            break;
        snprintf(last, sizeof last, "%s", simproc_text(rows, "49.id"));
        if (lines % 5000 == 0)
            simproc_advance(s, 61); /* a minute has 120 calls */
        reply = simproc_call(s, "list_transactions", "{'limit':50,'cursor':'%s'}",
                             simproc_text(reply, "data.next_cursor"));
        assert_int_equal(simproc_status(s), 200);
    }
    assert_int_equal(lines, 10000);
    simproc_stop(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_scenario_ends_as_it_should),
        cmocka_unit_test(the_day_opens_in_the_middle_of_things),
        cmocka_unit_test(history_has_ten_thousand_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
