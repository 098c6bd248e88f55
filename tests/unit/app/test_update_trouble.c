/* SPDX-License-Identifier: Apache-2.0 */
/* What refusals and a bad network do: waits, back-off, words, staleness, and when update wakes. */
#include "app_rig.h"
#include "core/ident.h"

static const struct model_settings plain_set = {.demo = true};

static int init(void **state)
{
    bool locked;
    (void)state;
    return secret_init(&locked) == ERR_OK ? 0 : -1;
}

/* A lost sign-in stops all, whatever comes in late, and r goes on. */
static void unauthenticated_stops_everything(void **state)
{
    (void)state;
    struct rig *r = rig_open(plain_set);
    struct deal d[3] = {deal_new(1, "processing"), deal_new(2, "waiting_for_user"),
                        deal_new(3, "processing")};
    rig_begin(r, d, 3);
    rig_answer(
        r, rig_read_of(r, d[0].id),
        rig_refusal(r, "get_purchase_status", "UNAUTHENTICATED", NULL, RIG_RECONNECT, false));
    assert_int_equal(r->m.link, MODEL_LINK_SIGNED_OUT);
    rig_lose(r, rig_read_of(r, d[1].id), ENVOY_TIMEOUT, true); /* late, and about the old token */
    rig_answer_read(r, &d[2]);
    assert_int_equal(r->m.link, MODEL_LINK_SIGNED_OUT);
    size_t before = rig_calls(r);
    rig_run(r, 7200000);
    assert_int_equal(rig_calls(r), before);
    rig_key(r, "g"); /* neither by hand */
    rig_key(r, "x");
    assert_int_equal(rig_calls(r), before);
    assert_true(rig_news_has(r, "Sign in first."));
    assert_int_equal(model_dialog(&r->m), MODEL_DIALOG_NONE);
    rig_key(r, "r");
    assert_int_equal(rig_calls(r), before + 2);
    rig_answer(r, rig_open_call(r, CONTRACT_TOOL_GET_ACCOUNT, NULL), rig_account(r));
    rig_answer(r, rig_open_call(r, CONTRACT_TOOL_LIST_PURCHASES, NULL), rig_list(r, d, 3));
    assert_int_equal(r->m.link, MODEL_LINK_LIVE);
    for (int i = 0; i < 3; i++) /* all three are followed again */
        assert_int_equal(rig_reads_open(r, d[i].id), 1);
    rig_close(r);
}

static void update_required_stands(void **state)
{
    (void)state;
    struct deal d = deal_new(1, "processing");
    struct rig *r = rig_with(&d, plain_set);
    rig_answer(r, rig_read_of(r, d.id),
               rig_refusal(r, "get_purchase_status", "CLIENT_UPDATE_REQUIRED", NULL,
                           "{\"action\":\"update_client\",\"tool\":null,\"args\":null,"
                           "\"instruction\":\"\",\"after_seconds\":null,\"by\":null}",
                           false));
    size_t before = rig_calls(r);
    rig_run(r, 3600000);
    assert_int_equal(rig_calls(r), before);
    char words[200];
    model_link_words(&r->m, words, sizeof words);
    assert_string_equal(words, "update needed");
    rig_close(r);
}

/* N4: nothing at all goes out before the time, manual refresh included; the next good reply of an
 * earlier call does not hide the wait. */
static void n4_limit_holds_everything_back(void **state)
{
    (void)state;
    static const struct {
        int64_t header_ms;
        const char *next;
        bool html;
        int64_t least_ms;
    } rows[] = {
        {7000, RIG_RETRY("60"), false, 7000},
        {-1, RIG_RETRY("9"), false, 9000},
        {-1, RIG_RETRY("null"), false, 60000},
        {-1, NULL, true, 60000}, /* a proxy's page */
        {12000, NULL, true, 12000},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct rig *r = rig_open(plain_set);
        struct deal d[2] = {deal_new(1, "processing"), deal_new(2, "processing")};
        rig_begin(r, d, 2);
        rig_answer_read(r, &d[0]);
        rig_pass(r, 5000);
        struct seen *s = rig_read_of(r, d[0].id);
        int64_t from = r->now;
        if (rows[i].html) {
            struct envoy_result result = {.outcome = ENVOY_NOT_JSON,
                                          .http_status = 429,
                                          .may_have_arrived = true,
                                          .retry_after_ms = rows[i].header_ms};
            rig_result(r, s, &result);
        } else {
            rig_answer_as(
                r, s,
                rig_refusal(r, "get_purchase_status", "RATE_LIMITED", NULL, rows[i].next, true),
                429, rows[i].header_ms);
        }
        char words[200];
        assert_int_equal(r->m.link, MODEL_LINK_LIMITED);
        rig_answer_read(r, &d[1]); /* was on its way: good, and says nothing about the wait */
        assert_int_equal(r->m.link, MODEL_LINK_LIMITED);
        model_link_words(&r->m, words, sizeof words);
        assert_non_null(strstr(words, "too many calls"));
        size_t before = rig_calls(r);
        rig_pass(r, rows[i].least_ms - 1000);
        rig_key(r, "g");
        assert_true(rig_news_has(r, "nothing was sent"));
        rig_key(r, "r");
        rig_key(r, "3");
        assert_string_not_equal(r->m.lines.trouble, "");
        rig_key(r, "1");
        rig_key(r, "x");
        rig_pass(r, 600);
        rig_key(r, "y");
        assert_int_equal(rig_calls(r), before);
        assert_true(rig_news_has(r, "Nothing was sent"));
        assert_int_equal(rig_purchase(r, &d[0])->writes[MODEL_WRITE_CANCEL].state,
                         MODEL_WRITE_NONE);
        rig_key(r, "Esc");
        rig_run(r, rows[i].least_ms / 4 + 2000);
        assert_true(rig_calls(r) > before); /* and then it goes on by itself */
        for (size_t k = 0; k < r->count; k++)
            assert_true(r->seen[k].at_mono <= from ||
                        r->seen[k].at_mono >= from + rows[i].least_ms);
        assert_non_null(rig_read_of(r, d[0].id));
        rig_close(r);
    }
}

static void n4_second_limit_doubles(void **state)
{
    (void)state;
    struct deal d = deal_new(1, "processing");
    struct rig *r = rig_with(&d, plain_set);
    int64_t least = 10000;
    for (int i = 0; i < 4; i++) {
        struct seen *s = rig_read_of(r, d.id);
        assert_non_null(s);
        int64_t from = r->now;
        rig_answer_as(
            r, s,
            rig_refusal(r, "get_purchase_status", "RATE_LIMITED", NULL, RIG_RETRY("10"), true), 429,
            -1);
        rig_run(r, least + least / 4 + 10);
        assert_non_null(rig_read_of(r, d.id));
        assert_true(rig_read_of(r, d.id)->at_mono >= from + least);
        least *= 2;
    }
    rig_close(r);
}

static void account_and_list_survive_a_limit(void **state)
{
    (void)state;
    struct rig *r = rig_open(plain_set);
    rig_say(r, MSG_START);
    rig_answer_as(r, rig_open_call(r, CONTRACT_TOOL_GET_ACCOUNT, NULL),
                  rig_refusal(r, "get_account", "RATE_LIMITED", NULL, RIG_RETRY("5"), false), 429,
                  -1);
    rig_answer_as(r, rig_open_call(r, CONTRACT_TOOL_LIST_PURCHASES, NULL),
                  rig_refusal(r, "list_purchases", "RATE_LIMITED", NULL, RIG_RETRY("5"), false),
                  429, -1);
    rig_run(r, 7000);
    assert_non_null(rig_open_call(r, CONTRACT_TOOL_GET_ACCOUNT, NULL));
    assert_non_null(rig_open_call(r, CONTRACT_TOOL_LIST_PURCHASES, NULL));
    rig_close(r);
}

static void unavailable_waits_as_asked(void **state)
{
    (void)state;
    struct deal d = deal_new(1, "processing");
    struct rig *r = rig_with(&d, plain_set);
    rig_answer_as(r, rig_read_of(r, d.id),
                  rig_refusal(r, "get_purchase_status", "UNAVAILABLE", NULL, RIG_RETRY("12"), true),
                  503, -1);
    assert_int_equal(r->m.link, MODEL_LINK_TROUBLE);
    rig_pass(r, 11999);
    assert_null(rig_read_of(r, d.id));
    rig_run(r, 3100);
    struct seen *s = rig_read_of(r, d.id);
    assert_non_null(s);
    assert_non_null(strstr(s->body, "after_revision")); /* the same call, unchanged */
    rig_close(r);
}

static void every_trouble_has_its_words(void **state)
{
    (void)state;
    static const enum envoy_outcome all[] = {
        ENVOY_NOT_SENT, ENVOY_DNS,      ENVOY_REFUSED,      ENVOY_UNREACHABLE,  ENVOY_TLS,
        ENVOY_RESET,    ENVOY_TIMEOUT,  ENVOY_CUT,          ENVOY_TOO_LARGE,    ENVOY_REDIRECT,
        ENVOY_NOT_JSON, ENVOY_BAD_JSON, ENVOY_BAD_ENVELOPE, ENVOY_UNKNOWN_TOOL,
    };
    char before[200] = "";
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        struct deal d = deal_new(1, "processing");
        struct rig *r = rig_with(&d, plain_set);
        rig_lose(r, rig_read_of(r, d.id), all[i], true);
        const struct model_purchase *p = rig_purchase(r, &d);
        char words[256], live[512];
        assert_string_equal(p->trouble, envoy_outcome_words(all[i]));
        assert_string_not_equal(p->trouble, before);
        (void)str_copy(before, sizeof before, p->trouble);
        model_link_words(&r->m, words, sizeof words);
        assert_non_null(strstr(words, envoy_outcome_words(all[i])));
        assert_non_null(strstr(words, "next try in "));
        assert_non_null(strstr(words, ", last read "));
        model_live_words(&r->m, p, live, sizeof live);
        assert_non_null(strstr(live, "next try in "));
        assert_true(p->due_mono > r->now && p->due_mono <= r->now + RETRY_BACKOFF_FIRST_MS);
        assert_int_equal(r->m.activity[r->m.activity_count - 1].outcome, all[i]);
        rig_close(r);
    }
}

static void full_random(void *bytes, size_t len)
{
    memset(bytes, 0xFF, len);
}

/* N3, N6: the ceiling doubles up to a minute and only a good reply takes it back. */
static void n6_back_off_doubles_and_resets(void **state)
{
    (void)state;
    struct deal d = deal_new(1, "processing");
    struct rig *r = rig_with(&d, plain_set);
    ident_set_random(full_random);
    static const int64_t ceilings[] = {20000, 40000, 60000, 60000, 60000};
    for (size_t i = 0; i < sizeof ceilings / sizeof ceilings[0]; i++) {
        rig_lose(r, rig_read_of(r, d.id), ENVOY_REFUSED, false);
        assert_int_equal(rig_purchase(r, &d)->due_mono, r->now + ceilings[i]);
        rig_run(r, ceilings[i]);
    }
    rig_answer_read(r, &d);
    rig_lose(r, rig_read_of(r, d.id), ENVOY_REFUSED, false);
    assert_int_equal(rig_purchase(r, &d)->due_mono, r->now + 20000);
    ident_set_random(NULL);
    rig_close(r);
}

static void n6_two_hours_without_a_network(void **state)
{
    (void)state;
    struct deal d = deal_new(1, "processing");
    struct rig *r = rig_with(&d, plain_set);
    int64_t end = r->now + 7200000;
    while (r->now < end) {
        struct seen *s;
        while ((s = rig_read_of(r, d.id)) ||
               (s = rig_open_call(r, CONTRACT_TOOL_LIST_PURCHASES, NULL)))
            rig_lose(r, s, ENVOY_REFUSED, false);
        rig_run(r, 10000);
    }
    assert_true(rig_purchase(r, &d)->row_count < 10); /* no flood of rows */
    assert_true(r->m.activity_count <= MODEL_ACTIVITY_MAX);
    rig_run(r, 60000);
    d.state = "needs_answer";
    d.revision = 2;
    rig_answer_read(r, &d); /* recovers with no key pressed */
    assert_int_equal(rig_purchase(r, &d)->state.value, CONTRACT_STATE_NEEDS_ANSWER);
    assert_int_equal(rig_purchase(r, &d)->missed, 0);
    rig_close(r);
}

/* N7: one purchase no longer moves: after two misses its row says so, and acting needs a read. */
static void n7_stale_after_two_misses(void **state)
{
    (void)state;
    struct rig *r = rig_open(plain_set);
    struct deal d[2] = {deal_new(1, "processing"), deal_new(2, "processing")};
    rig_begin(r, d, 2);
    rig_answer_read(r, &d[0]);
    rig_answer_read(r, &d[1]);
    rig_lose(r, rig_read_of(r, d[0].id), ENVOY_TIMEOUT, true);
    char words[200];
    assert_false(model_is_stale(&r->m, rig_purchase(r, &d[0])));
    rig_run(r, 21000);
    rig_lose(r, rig_read_of(r, d[0].id), ENVOY_TIMEOUT, true);
    const struct model_purchase *p = rig_purchase(r, &d[0]);
    assert_true(model_is_stale(&r->m, p));
    assert_false(model_is_stale(&r->m, rig_purchase(r, &d[1])));
    model_since_words(&r->m, p, words, sizeof words);
    assert_string_equal(words, "STALE 21 s");
    assert_int_equal(model_glyph(&r->m, p), CONTRACT_GLYPH_STALE);
    assert_string_equal(r->m.selected, d[0].id);
    rig_key(r, "x");
    assert_int_equal(model_dialog(&r->m), MODEL_DIALOG_NONE);
    assert_true(rig_news_has(r, "Look again first"));
    rig_key(r, "g");
    rig_answer_read(r, &d[0]);
    assert_false(model_is_stale(&r->m, rig_purchase(r, &d[0])));
    rig_key(r, "x");
    assert_int_equal(model_dialog(&r->m), MODEL_DIALOG_CANCEL);
    rig_close(r);
}

/* D1: time left follows server time and the clock that counts suspend; zero is neither negative nor
 * failed. */
static void d1_deadline_through_a_suspend(void **state)
{
    (void)state;
    struct deal d = deal_new(1, "waiting_for_user");
    d.task_json = "\"approve\"";
    d.action_json =
        "{\"task\":\"approve\",\"url\":null,\"by\":\"2026-12-01T00:10:05Z\",\"message\":"
        "\"Approve.\"}";
    struct rig *r = rig_with(&d, plain_set);
    char words[200];
    clock_left(words, model_deadline(rig_purchase(r, &d)), model_now_ms(&r->m));
    assert_string_equal(words, "10 min");
    rig_say(r, MSG_SUSPEND);
    r->now += 300000;
    rig_say(r, MSG_RESUME);
    clock_left(words, model_deadline(rig_purchase(r, &d)), model_now_ms(&r->m));
    assert_string_equal(words, "5:00");
    rig_pass(r, 300000);
    model_since_words(&r->m, rig_purchase(r, &d), words, sizeof words);
    assert_string_equal(words, "time is up");
    model_state_words(&r->m, rig_purchase(r, &d), words, sizeof words);
    assert_null(strstr(words, "fail"));
    rig_close(r);
}

static void wakes_for_what_counts_only(void **state)
{
    (void)state;
    struct deal d = deal_new(1, "ready");
    struct rig *r = rig_with(&d, plain_set);
    d.revision = 2; /* nothing read for a while, nothing counting on screen */
    rig_run(r, 30000);
    for (size_t i = 0; i < r->count; i++)
        if (!r->seen[i].answered && r->seen[i].tool == CONTRACT_TOOL_LIST_PURCHASES)
            rig_answer(r, &r->seen[i], rig_list(r, &d, 1));
    rig_run(r, 59000);
    r->m.list_due_mono = INT64_MAX;
    rig_pass(r, 60000);
    r->m.list_due_mono = INT64_MAX;
    int64_t minute = 60000 - model_now_ms(&r->m) % 60000;
    assert_int_equal(app_wake_mono(&r->m, true), r->now + minute);
    assert_int_equal(app_wake_mono(&r->m, false), INT64_MAX);
    r->m.news.text[0] = '\0';
    rig_key(r, "g"); /* refused: its words stand for five seconds */
    assert_true(app_wake_mono(&r->m, true) <= r->now + MODEL_NEWS_MS);
    assert_int_equal(app_wake_mono(&r->m, false), INT64_MAX);
    rig_close(r);
}

static void no_wake_while_five_are_held(void **state)
{
    (void)state;
    struct rig *r = rig_open(plain_set);
    struct deal deals[7];
    for (int i = 0; i < 7; i++)
        deals[i] = deal_new(i + 1, "processing");
    rig_begin(r, deals, 7);
    for (int i = 0; i < 7; i++)
        if (rig_read_of(r, deals[i].id))
            rig_answer_read(r, &deals[i]);
    assert_int_equal(rig_reads_open(r, NULL), 5);
    assert_true(app_wake_mono(&r->m, false) >= r->now + 59000); /* the list, in a minute */
    rig_key(r, "r"); /* account and list are on their way: asking again plans, and does not spin */
    rig_key(r, "r");
    assert_true(app_wake_mono(&r->m, false) > r->now);
    rig_close(r);
}

static void budget_is_never_passed(void **state)
{
    (void)state;
    struct rig *r = rig_open(plain_set);
    struct deal deals[5];
    for (int i = 0; i < 5; i++)
        deals[i] = deal_new(i + 1, "processing");
    rig_begin(r, deals, 5);
    for (int step = 0; step < 1500; step++) { /* a service that changes all the time */
        for (int i = 0; i < 5; i++) {
            struct seen *s = rig_read_of(r, deals[i].id);
            if (!s || s->at_mono == r->now)
                continue;
            deals[i].revision++;
            rig_answer_read(r, &deals[i]);
        }
        rig_pass(r, 100);
    }
    for (size_t i = 0; i < r->count; i++) {
        size_t within = 0;
        for (size_t k = i; k < r->count && r->seen[k].at_mono < r->seen[i].at_mono + 60000; k++)
            within += r->seen[k].kind == EFFECT_CALL;
        assert_true(within <= RETRY_BUDGET_CALLS - 20); /* the rest is for people */
    }
    size_t before = rig_calls(r);
    rig_key(r, "3");
    assert_int_equal(rig_calls(r), before + 1);
    rig_close(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unauthenticated_stops_everything),
        cmocka_unit_test(update_required_stands),
        cmocka_unit_test(n4_limit_holds_everything_back),
        cmocka_unit_test(n4_second_limit_doubles),
        cmocka_unit_test(account_and_list_survive_a_limit),
        cmocka_unit_test(unavailable_waits_as_asked),
        cmocka_unit_test(every_trouble_has_its_words),
        cmocka_unit_test(n6_back_off_doubles_and_resets),
        cmocka_unit_test(n6_two_hours_without_a_network),
        cmocka_unit_test(n7_stale_after_two_misses),
        cmocka_unit_test(d1_deadline_through_a_suspend),
        cmocka_unit_test(wakes_for_what_counts_only),
        cmocka_unit_test(no_wake_while_five_are_held),
        cmocka_unit_test(budget_is_never_passed),
    };
    return cmocka_run_group_tests(tests, init, NULL);
}
