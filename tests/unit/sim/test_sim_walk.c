/* SPDX-License-Identifier: Apache-2.0 */
/* Thousands of random walks through the engine: people, merchant, agent and time do anything in any
 * order. After each step the money must add up, revisions only rise, ends stay ends, a purchase is
 * charged at most once, and every reply must obey the contract. */
#include "sim_bench_world.h"

#define WALKS 1500
#define STEPS 40

struct walk {
    struct sim_world w;
    uint64_t seed;
    uint64_t n;
    int64_t revision[64];
    bool has_ended[64];
};

static unsigned roll(struct walk *k, unsigned sides)
{
    return (unsigned)(sim_ident_number(k->seed, "walk", k->n++, 0) % sides);
}

static void start_something(struct walk *k)
{
    static const struct {
        const char *host, *total, *more;
    } offers[] = {
        {"card.example.test", "499.00", ""},
        {"card.example.test", "250.50", ",\"max_total\":\"300\""},
        {"big.example.test", "12000", ",\"address_id\":\"home\""},
        {"ask.example.test", "900", ",\"rail\":\"operated_checkout\""},
        {"link.example.test", "1200", ",\"rail\":\"gift_card\""},
        {"app.example.test", "700", ",\"rail\":\"gift_card\""},
        {"balance.example.test", "800", ",\"rail\":\"gift_card\""},
        {"envoy.example.test", "900", ",\"rail\":\"gift_card\",\"address_id\":\"home\""},
    };
    unsigned i = roll(k, sizeof(offers) / sizeof(offers[0]));
    char key[40];

    if (k->w.purchase_count < 50) {
        snprintf(key, sizeof(key), "walk-%08llu-%04llu", (unsigned long long)k->seed,
                 (unsigned long long)k->n);
        bench_start(&k->w, key, offers[i].host, offers[i].total, offers[i].more, NULL);
    }
}

static void do_anything(struct walk *k, struct sim_purchase *p)
{
    static const char *const phone[] = {"approve",   "decline",   "pay",
                                        "enter_otp", "add_money", "cancel"};
    static const char *const merchant[] = {"otp",     "fund",         "prepare",  "place", "settle",
                                           "refund",  "collects",     "fail",     "block", "reopen",
                                           "unknown", "out_of_stock", "supersede"};
    static const char *const agent[] = {"answer", "look",     "report", "step",
                                        "cancel", "feedback", "retry"};
    static const char *const outcomes[] = {
        "{\"outcome\":\"paid\",\"amount_paid\":\"200\",\"order_ref\":\"A-1\"}",
        "{\"outcome\":\"failed\",\"failure_reason\":\"card_declined\"}",
        "{\"outcome\":\"failed\",\"failure_reason\":\"price_changed\"}",
        "{\"kind\":\"text\",\"prompt\":\"Which colour?\"}",
        "{\"kind\":\"otp\",\"prompt\":\"Which code?\"}",
        "{\"kind\":\"user_request\",\"prompt\":\"Which one?\"}",
        "{\"kind\":\"password\",\"prompt\":\"Which password?\"}",
    };
    cJSON *args = cJSON_Parse(outcomes[roll(k, sizeof(outcomes) / sizeof(outcomes[0]))]);
    const char *why = NULL;
    enum err e = ERR_OK;

    switch (roll(k, 4)) {
    case 0:
        e = sim_phone_do(&k->w, p, phone[roll(k, 6)], NULL, &why);
        break;
    case 1:
        e = sim_merchant_do(&k->w, p, roll(k, 3) == 0 ? "ask" : merchant[roll(k, 13)], args, &why);
        break;
    case 2:
        e = sim_agent_do(&k->w, p, agent[roll(k, 7)], args, &why);
        break;
    default:
        bench_after(&k->w, roll(k, 40) == 0 ? 4000 : roll(k, 12));
        break;
    }
    assert_true(e == ERR_OK || why != NULL);
    cJSON_Delete(args);
}

/* Money: what the account has is what it had, plus loads, less what was spent from it. */
static void check_money(const struct walk *k)
{
    const struct sim_world *w = &k->w;
    int64_t sum = BENCH_BALANCE;
    int64_t held = 0;

    for (size_t i = 0; i < w->movement_count; i++) {
        const struct sim_movement *m = &w->movements[i];

        sum += strcmp(m->kind, "load") == 0 ? m->amount_minor : 0;
    }
    for (size_t i = 0; i < w->purchase_count; i++) {
        const struct sim_purchase *p = w->purchases[i];
        bool is_outside = p->gift != NULL && p->gift->funding != SIM_FUNDING_BALANCE;

        assert_true(p->held_minor == 0 || p->paid_minor == 0);
        assert_true(p->held_minor >= 0 && p->paid_minor >= 0);
        assert_true(p->counts.debits <= 1);
        assert_true(p->counts.refunds <= 1);
        sum -= is_outside ? 0 : p->paid_minor;
        held += p->held_minor;
        if (p->money == SIM_MONEY_NOT_STARTED || p->money == SIM_MONEY_REFUNDED) {
            assert_int_equal(p->held_minor + p->paid_minor, 0);
        }
        if (p->state == SIM_CANCELLED || p->state == SIM_COMPLETED) {
            assert_int_equal(p->held_minor, 0);
        }
    }
    assert_int_equal(w->account.balance_minor, sum);
    assert_int_equal(sim_world_held(w), held);
}

static void check_purchase(struct walk *k, struct sim_purchase *p)
{
    size_t i = (size_t)p->ordinal - 1;
    struct sim_call call;

    assert_true(p->revision >= k->revision[i]);
    assert_true(!k->has_ended[i] || sim_state_is_terminal(p->state) || p->state == SIM_SUPERSEDED);
    k->revision[i] = p->revision;
    k->has_ended[i] = sim_state_is_terminal(p->state);
    assert_true(p->counts.reports <= p->epoch);
    bench_call(&k->w, &call, "get_purchase_status", bench_json("{\"purchase\":\"%s\"}", p->id));
    assert_null(call.reply.code);
    assert_true((call.reply.handout != NULL) == (p->state == SIM_READY));
    assert_int_equal(p->revision, k->revision[i]); /* a read changes nothing that shows */
    sim_tools_end(&call);
}

static void walks_keep_every_promise(void **state)
{
    static struct walk k;
    struct sim_call call;

    (void)state;
    for (uint64_t seed = 1; seed <= WALKS; seed++) {
        memset(&k, 0, sizeof(k));
        k.seed = seed;
        bench_world(&k.w, seed);
        for (int step = 0; step < STEPS; step++) {
            if (k.w.purchase_count == 0 || roll(&k, 12) == 0) {
                start_something(&k);
            }
            if (k.w.purchase_count > 0) {
                do_anything(&k, k.w.purchases[roll(&k, (unsigned)k.w.purchase_count)]);
            }
            for (size_t i = 0; i < k.w.purchase_count; i++) {
                check_purchase(&k, k.w.purchases[i]);
            }
            check_money(&k);
        }
        bench_call(&k.w, &call, "get_account", cJSON_CreateObject());
        sim_tools_end(&call);
        bench_call(&k.w, &call, "list_transactions", bench_json("{\"limit\":50}"));
        sim_tools_end(&call);
        bench_call(&k.w, &call, "list_purchases", cJSON_CreateObject());
        sim_tools_end(&call);
        assert_int_equal(k.w.schema_breaches, 0);
        sim_world_fini(&k.w);
    }
}

/* Left alone, everything comes to an end: no purchase hangs for ever but one that waits for words.
 */
static void time_alone_ends_what_waits_for_nobody(void **state)
{
    static struct walk k;

    (void)state;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        memset(&k, 0, sizeof(k));
        k.seed = seed;
        bench_world(&k.w, seed);
        for (int step = 0; step < STEPS; step++) {
            start_something(&k);
            do_anything(&k, k.w.purchases[roll(&k, (unsigned)k.w.purchase_count)]);
        }
        bench_after(&k.w, 7 * 86400);
        for (size_t i = 0; i < k.w.purchase_count; i++) {
            const struct sim_purchase *p = k.w.purchases[i];
            bool is_voucher = p->state == SIM_READY && p->rail == SIM_RAIL_GIFT;
            bool is_unknown = p->state == SIM_VERIFYING && p->money == SIM_MONEY_UNKNOWN;

            assert_true(sim_state_is_terminal(p->state) || p->question.kind != SIM_ASK_NONE ||
                        is_voucher || is_unknown);
        }
        assert_int_equal(sim_engine_due(&k.w), SIM_NEVER);
        sim_world_fini(&k.w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walks_keep_every_promise),
        cmocka_unit_test(time_alone_ends_what_waits_for_nobody),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
