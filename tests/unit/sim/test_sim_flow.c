/* SPDX-License-Identifier: Apache-2.0 */
/* The states of a purchase by table: which act fits which state, and where it leads. */
#include "sim_bench_world.h"

static struct sim_world w;
static unsigned keys;

static int set_up(void **state)
{
    (void)state;
    bench_world(&w, 7);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    sim_world_fini(&w);
    return 0;
}

static struct sim_purchase *card(void)
{
    char key[40];
    char host[40];
    struct sim_purchase *p = NULL;

    snprintf(key, sizeof(key), "flow-key-%08u", ++keys);
    snprintf(host, sizeof(host), "s%u.example.test", keys);
    p = bench_start(&w, key, host, "499", "", NULL);
    assert_non_null(p);
    return p;
}

static enum err act(struct sim_purchase *p, const char *verb)
{
    const char *why = NULL;

    return strchr(verb, ':') != NULL ? sim_phone_do(&w, p, strchr(verb, ':') + 1, NULL, &why)
                                     : sim_merchant_do(&w, p, verb, NULL, &why);
}

static void report(struct sim_purchase *p, bool is_paid, const char *reason)
{
    const struct sim_attempt *a = sim_flow_hand_out(&w, p);

    assert_non_null(a);
    sim_flow_report(&w, p, &p->attempts[p->attempt_count - 1], is_paid, reason, NULL, 0);
}

/* Brings a fresh card purchase into a state. */
static struct sim_purchase *card_in(enum sim_state state)
{
    struct sim_purchase *p = card();

    if (state == SIM_FAILED) {
        assert_int_equal(sim_flow_decline(&w, p), ERR_OK);
    } else if (state == SIM_CANCELLED) {
        assert_int_equal(sim_flow_cancel(&w, p, false), ERR_OK);
    } else if (state == SIM_NEEDS_ANSWER) {
        assert_int_equal(sim_flow_ask(&w, p, SIM_ASK_TEXT, "Blue?"), ERR_OK);
    } else if (state == SIM_NEEDS_DETAILS) {
        assert_int_equal(sim_flow_ask(&w, p, SIM_ASK_ADDRESS, "Where?"), ERR_OK);
    } else if (state != SIM_WAITING) {
        assert_int_equal(sim_flow_approve(&w, p), ERR_OK);
        if (state != SIM_PROCESSING) {
            bench_after(&w, 4);
        }
        if (state == SIM_VERIFYING || state == SIM_COMPLETED) {
            report(p, true, NULL);
        }
        if (state == SIM_COMPLETED) {
            bench_after(&w, 6);
        }
    }
    assert_int_equal(p->state, state);
    return p;
}

static void acts_fit_their_states_only(void **state)
{
    static const struct {
        const char *verb; /* phone verbs have a colon first */
        const char *fits; /* first letters of the states, in the order of the enum */
    } rows[] = {
        /* D details A answer W waiting P processing R ready V verifying C completed F failed X
           cancelled */
        {":approve", "W"},   {":decline", "W"},
        {":pay", ""},        {":enter_otp", ""},
        {":add_money", ""},  {":cancel", "DAWPR"},
        {"settle", "V"},     {"reopen", ""},
        {"unknown", "PV"},   {"collects", "PV"},
        {"block", "DAWPRV"}, {"out_of_stock", "DAWPRV"},
        {"fail", "DAWPRV"},  {"supersede", "DAWPRVF"},
        {"otp", ""},         {"place", ""},
        {"fund", "P"},       {"prepare", "P"},
        {"refund", "VC"},
    };
    static const char letters[] = "DAWPRVCFX";

    (void)state;
    for (size_t r = 0; r < sizeof(rows) / sizeof(rows[0]); r++) {
        for (int s = 0; s < SIM_SUPERSEDED; s++) {
            struct sim_purchase *p = card_in((enum sim_state)s);
            int64_t revision = p->revision;
            enum err e = act(p, rows[r].verb);
            bool fits = strchr(rows[r].fits, letters[s]) != NULL;

            if ((e == ERR_OK) != fits) {
                fail_msg("%s in %s: %d", rows[r].verb, sim_state_name((enum sim_state)s), (int)e);
            }
            assert_true(fits ? p->revision > revision : p->revision == revision);
            bench_after(&w, 200000); /* out of the way of the next */
            sim_world_fini(&w);
            bench_world(&w, 7);
        }
    }
}

static void a_card_goes_from_approval_to_receipt(void **state)
{
    struct sim_purchase *p = card();

    (void)state;
    assert_int_equal(p->revision, 1);
    assert_int_equal(sim_flow_approve(&w, p), ERR_OK);
    assert_int_equal(p->money, SIM_MONEY_NOT_STARTED);
    bench_after(&w, 1);
    assert_int_equal(p->state, SIM_PROCESSING);
    assert_int_equal(p->money, SIM_MONEY_DEBITED);
    assert_int_equal(sim_world_spendable(&w), BENCH_BALANCE - 49900);
    bench_after(&w, 3);
    assert_int_equal(p->state, SIM_READY);
    report(p, true, NULL);
    assert_int_equal(p->state, SIM_VERIFYING);
    assert_int_equal(w.account.balance_minor, BENCH_BALANCE);
    bench_after(&w, 6);
    assert_int_equal(p->state, SIM_COMPLETED);
    assert_int_equal(w.account.balance_minor, BENCH_BALANCE - 49900);
    assert_int_equal(p->counts.debits, 1);
}

static void a_failed_report_ends_with_its_reason_and_the_money_back(void **state)
{
    static const char *const rows[][2] = {
        {"card_not_accepted", "ORDER_CARD_NOT_ACCEPTED"},
        {"card_declined", "ORDER_CARD_DECLINED"},
        {"otp_failed", "ORDER_OTP_FAILED"},
        {"price_changed", "ORDER_PRICE_CHANGED"},
        {"out_of_stock", "ORDER_OUT_OF_STOCK"},
        {"site_blocked", "ORDER_CHECKOUT_BLOCKED"},
        {"site_error", "ORDER_CHECKOUT_FAILED"},
        {"other", "ORDER_CHECKOUT_FAILED"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct sim_purchase *p = card_in(SIM_READY);
        bool is_final =
            strcmp(rows[i][0], "price_changed") == 0 || strcmp(rows[i][0], "out_of_stock") == 0;

        report(p, false, rows[i][0]);
        assert_int_equal(p->money, SIM_MONEY_DEBITED);
        assert_int_equal(sim_flow_may_retry(p), !is_final);
        bench_after(&w, 6);
        assert_int_equal(p->state, SIM_FAILED);
        assert_string_equal(p->reason, rows[i][1]);
        assert_int_equal(p->money, SIM_MONEY_REFUNDED);
        assert_int_equal(sim_world_spendable(&w), BENCH_BALANCE);
    }
}

static void a_reopened_card_has_new_attempts_and_may_be_cancelled(void **state)
{
    struct sim_purchase *p = card_in(SIM_READY);
    char first[SIM_IDENT_UUID_SIZE];

    (void)state;
    report(p, false, "otp_failed");
    str_copy(first, sizeof(first), p->attempts[0].id);
    assert_false(sim_flow_may_cancel(p));
    assert_int_equal(sim_flow_reopen(&w, p), ERR_OK);
    assert_int_equal(p->state, SIM_READY);
    assert_non_null(sim_flow_hand_out(&w, p));
    assert_string_not_equal(p->attempts[1].id, first);
    assert_int_not_equal(p->attempts[1].epoch, p->attempts[0].epoch);
    assert_true(sim_flow_may_cancel(p));
    assert_int_equal(sim_flow_cancel(&w, p, false), ERR_OK);
    assert_int_equal(p->state, SIM_VERIFYING);
    bench_after(&w, 6);
    assert_int_equal(p->state, SIM_CANCELLED);
    assert_int_equal(p->money, SIM_MONEY_REFUNDED);
}

static void deadlines_end_what_waits(void **state)
{
    struct sim_purchase *approval = card();
    struct sim_purchase *ready = card_in(SIM_READY);
    struct sim_purchase *link = bench_start(&w, "flow-link-0000001", "link.example.test", "1000",
                                            ",\"rail\":\"gift_card\"", NULL);

    (void)state;
    bench_after(&w, 1);
    assert_int_equal(link->task, SIM_TASK_PAY_LINK);
    assert_int_equal(link->funding_minor, 97500);
    bench_after(&w, 895);
    assert_string_equal(approval->reason, "USER_APPROVAL_EXPIRED");
    assert_int_equal(approval->approval, SIM_APPROVAL_EXPIRED);
    bench_after(&w, 305);
    assert_int_equal(link->state, SIM_VERIFYING); /* perhaps the payment is still coming */
    assert_int_equal(link->money, SIM_MONEY_UNKNOWN);
    bench_after(&w, 6);
    assert_string_equal(link->reason, "USER_FUNDS_NOT_ADDED");
    assert_int_equal(link->money, SIM_MONEY_NOT_STARTED);
    assert_int_equal(ready->state, SIM_READY);
    bench_after(&w, 600);
    assert_string_equal(ready->reason, "ORDER_CARD_EXPIRED_UNUSED");
    assert_int_equal(sim_world_spendable(&w), BENCH_BALANCE);
}

static void gift_cards_are_paid_in_three_ways(void **state)
{
    static const char more[] = ",\"rail\":\"gift_card\"";
    struct sim_purchase *app =
        bench_start(&w, "flow-app-00000001", "app.example.test", "1000", more, NULL);
    struct sim_purchase *own =
        bench_start(&w, "flow-own-00000001", "balance.example.test", "1000", more, NULL);
    struct sim_purchase *link =
        bench_start(&w, "flow-lnk-00000001", "link.example.test", "1000", more, NULL);

    (void)state;
    assert_int_equal(sim_flow_pay(&w, own), ERR_REFUSED);
    assert_int_equal(sim_flow_pay(&w, app), ERR_OK);
    assert_int_equal(w.account.balance_minor, BENCH_BALANCE);
    assert_int_equal(sim_flow_approve(&w, own), ERR_OK);
    assert_int_equal(w.account.balance_minor, BENCH_BALANCE - 97500);
    bench_after(&w, 1);
    assert_int_equal(sim_flow_approve(&w, link), ERR_REFUSED);
    assert_int_equal(sim_flow_pay(&w, link), ERR_OK);
    assert_int_equal(w.account.balance_minor, BENCH_BALANCE - 97500);
    assert_int_equal(sim_flow_cancel(&w, link, false), ERR_REFUSED); /* it is being issued */
    bench_after(&w, 3);
    assert_int_equal(link->state, SIM_READY);
    assert_int_equal(own->state, SIM_READY);
    report(own, false, "other");
    bench_after(&w, 6);
    assert_int_equal(own->state, SIM_FAILED);
    assert_int_equal(own->money, SIM_MONEY_REFUND_PENDING);
    bench_after(&w, 6);
    assert_int_equal(own->money, SIM_MONEY_REFUNDED);
    assert_int_equal(w.account.balance_minor, BENCH_BALANCE);
}

static void a_replacement_waits_for_the_money_of_the_first(void **state)
{
    struct sim_purchase *old = card_in(SIM_READY);
    struct sim_purchase *again = NULL;
    const char *why = NULL;

    (void)state;
    old->has_address = true;
    report(old, false, "site_error");
    assert_int_equal(sim_agent_do(&w, old, "retry", NULL, &why), ERR_OK);
    again = w.purchases[w.purchase_count - 1];
    assert_int_equal(old->state, SIM_SUPERSEDED);
    assert_string_equal(old->superseded_by, again->id);
    assert_string_equal(again->supersedes, old->id);
    assert_int_equal(sim_agent_do(&w, old, "retry", NULL, &why), ERR_OK); /* its own key again */
    assert_ptr_equal(w.purchases[w.purchase_count - 1], again);
    assert_false(sim_flow_may_retry(old));
    assert_int_equal(sim_flow_approve(&w, again), ERR_OK);
    assert_int_equal(again->phase, SIM_PHASE_AWAIT);
    bench_after(&w, 6);
    assert_int_equal(old->money, SIM_MONEY_REFUNDED);
    assert_int_equal(again->phase, SIM_PHASE_PLACE);
    bench_after(&w, 14);
    assert_int_equal(again->state, SIM_COMPLETED);
    assert_int_equal(w.account.balance_minor, BENCH_BALANCE - 49900);
}

static void unknown_money_stays_unknown_until_it_is_resolved(void **state)
{
    struct sim_purchase *p = card_in(SIM_READY);

    (void)state;
    report(p, true, NULL);
    assert_int_equal(sim_flow_lose(&w, p), ERR_OK);
    bench_after(&w, 30 * 86400);
    assert_int_equal(p->state, SIM_VERIFYING);
    assert_int_equal(p->money, SIM_MONEY_UNKNOWN);
    assert_string_equal(p->reason, "ORDER_OUTCOME_UNKNOWN");
    assert_false(sim_flow_may_retry(p));
    assert_int_equal(sim_flow_cancel(&w, p, false), ERR_REFUSED);
    assert_int_equal(sim_flow_settle(&w, p, "LATE-1", 0), ERR_OK);
    assert_int_equal(p->state, SIM_COMPLETED);
    assert_null(p->reason);
}

static void money_that_is_missing_is_asked_for(void **state)
{
    struct sim_purchase *p = bench_start(&w, "flow-big-00000001", "big.example.test", "30000",
                                         ",\"address_id\":\"home\"", NULL);

    (void)state;
    assert_int_equal(sim_flow_approve(&w, p), ERR_OK);
    assert_int_equal(p->task, SIM_TASK_ADD_MONEY);
    assert_int_equal(sim_flow_add_money(&w, p, 100), ERR_OK);
    assert_int_equal(p->task, SIM_TASK_ADD_MONEY);
    assert_int_equal(sim_flow_add_money(&w, p, 0), ERR_OK);
    assert_int_equal(p->state, SIM_PROCESSING);
    assert_true(sim_world_spendable(&w) >= 3000000);
}

static void another_connection_gets_no_handout(void **state)
{
    struct sim_purchase *p = card_in(SIM_READY);

    (void)state;
    p->is_ours = false;
    assert_null(sim_flow_hand_out(&w, p));
    p->is_ours = true;
    assert_non_null(sim_flow_hand_out(&w, p));
    p->is_closed = true;
    assert_null(sim_flow_hand_out(&w, p));
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(acts_fit_their_states_only),
        TEST(a_card_goes_from_approval_to_receipt),
        TEST(a_failed_report_ends_with_its_reason_and_the_money_back),
        TEST(a_reopened_card_has_new_attempts_and_may_be_cancelled),
        TEST(deadlines_end_what_waits),
        TEST(gift_cards_are_paid_in_three_ways),
        TEST(a_replacement_waits_for_the_money_of_the_first),
        TEST(unknown_money_stays_unknown_until_it_is_resolved),
        TEST(money_that_is_missing_is_asked_for),
        TEST(another_connection_gets_no_handout),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
