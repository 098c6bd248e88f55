/* SPDX-License-Identifier: Apache-2.0 */
/* What is read, when, with which bytes, and when reading stops: start-up, holds, stops, the list.
 */
#include "app_rig.h"

static const struct model_settings plain_set = {.demo = true};

static int init(void **state)
{
    bool locked;
    (void)state;
    return secret_init(&locked) == ERR_OK ? 0 : -1;
}

static void start_reads_account_and_list_only(void **state)
{
    (void)state;
    struct rig *r = rig_open(plain_set);
    assert_int_equal(app_wake_mono(&r->m, false), INT64_MAX);
    rig_say(r, MSG_START);
    assert_int_equal(r->count, 2);
    assert_non_null(rig_open_call(r, CONTRACT_TOOL_GET_ACCOUNT, NULL));
    struct seen *list = rig_open_call(r, CONTRACT_TOOL_LIST_PURCHASES, NULL);
    assert_string_equal(list->body, "{\"limit\":20}");
    rig_pass(r, 20000); /* nothing is asked twice while it is on its way */
    assert_int_equal(r->count, 2);
    char words[200];
    model_link_words(&r->m, words, sizeof words);
    assert_string_equal(words, "connecting…"); /* P5: not live before a good read */
    rig_close(r);
}

static void start_reads_each_open_one_once(void **state)
{
    (void)state;
    struct rig *r = rig_open(plain_set);
    struct deal deals[] = {
        deal_new(1, "waiting_for_user"), deal_new(2, "ready"),     deal_new(3, "processing"),
        deal_new(4, "needs_answer"),     deal_new(5, "verifying"), deal_new(6, "completed"),
        deal_new(7, "failed"),           deal_new(8, "frozen"),
    };
    rig_begin(r, deals, 8);
    static const int at_once[] = {0, 2, 3, 4};
    for (size_t i = 0; i < 4; i++) {
        struct seen *s = rig_read_of(r, deals[at_once[i]].id);
        char body[128];
        assert_non_null(s);
        snprintf(body, sizeof body, "{\"purchase\":\"%s\"}", deals[at_once[i]].id);
        assert_string_equal(s->body, body); /* plain: no revision, no hold */
        assert_int_equal(s->timeout_ms, 60000);
    }
    assert_int_equal(rig_reads_open(r, NULL), 4);
    assert_int_equal(rig_purchase(r, &deals[1])->stop, FOLLOW_READY);
    struct deal answer = deal_new(4, "needs_answer");
    rig_answer_read(r, &answer);
    rig_run(r, 10000);
    assert_non_null(rig_read_of(r, deals[5].id));
    assert_non_null(rig_read_of(r, deals[6].id));
    assert_true(rig_read_of(r, deals[6].id)->at_mono - rig_read_of(r, deals[5].id)->at_mono >= 400);
    assert_null(rig_read_of(r, deals[1].id)); /* ready: only on a key press */
    assert_null(rig_read_of(r, deals[7].id)); /* a state this version does not know: no guess */
    for (size_t i = 0; i < r->count; i++)
        if (r->seen[i].tool == CONTRACT_TOOL_GET_PURCHASE_STATUS)
            assert_non_null(strstr(r->seen[i].body, "\"purchase\":\"pur_"));
    rig_close(r);
}

static void five_reads_at_most_and_none_is_forgotten(void **state)
{
    (void)state;
    struct rig *r = rig_open(plain_set);
    struct deal deals[8];
    for (int i = 0; i < 8; i++)
        deals[i] = deal_new(i + 1, "processing");
    rig_begin(r, deals, 8);
    assert_int_equal(rig_reads_open(r, NULL), 5);
    for (int round = 0; round < 40; round++) {
        for (int i = 0; i < 8; i++) {
            struct seen *s = rig_read_of(r, deals[i].id);
            if (!s || s->at_mono == r->now)
                continue;
            deals[i].revision++;
            rig_answer_read(r, &deals[i]);
        }
        rig_pass(r, 3100); /* so that the call budget is not what limits */
    }
    assert_int_equal(r->most_reads, 5);
    for (int i = 0; i < 8; i++)
        assert_true(deals[i].revision > 15);
    rig_close(r);
}

static void held_read_has_the_bytes_of_next(void **state)
{
    (void)state;
    struct rig *r = rig_open(plain_set);
    struct deal d = deal_new(1, "processing");
    d.revision = 7;
    rig_begin(r, &d, 1);
    rig_answer_read(r, &d);
    struct seen *s = rig_read_of(r, d.id);
    char body[160];
    snprintf(body, sizeof body,
             "{ \"purchase\" : \"%s\",\"after_revision\":7,  \"wait_seconds\":45}", d.id);
    assert_non_null(s);
    assert_string_equal(s->body, body);
    assert_int_equal(s->timeout_ms, 60000); /* 45 s and 15 s */
    assert_int_equal(model_count_held(&r->m), 1);
    d.wait_seconds = 120;
    d.revision = 8;
    d.after_seconds = 4;
    rig_answer_read(r, &d);
    assert_null(rig_read_of(r, d.id));
    rig_pass(r, 3999);
    assert_null(rig_read_of(r, d.id)); /* after_seconds is waited for */
    rig_pass(r, 1);
    assert_non_null(rig_read_of(r, d.id));
    assert_int_equal(rig_read_of(r, d.id)->timeout_ms, 135000);
    rig_close(r);
}

/* N2: an unchanged end of a hold is no error, and the next goes out at once. */
static void n2_unchanged_hold_goes_on_at_once(void **state)
{
    (void)state;
    struct deal d = deal_new(1, "processing");
    struct rig *r = rig_with(&d, plain_set);
    for (int i = 0; i < 3; i++) {
        int64_t held = (int64_t[]){3000, 30000, 45000}[i];
        rig_pass(r, held);
        size_t before = r->count;
        rig_answer_read(r, &d);
        assert_int_equal(r->count, before + 1);
        assert_int_equal(rig_read_of(r, d.id)->at_mono, r->now);
        assert_string_equal(rig_purchase(r, &d)->trouble, "");
        assert_int_equal(rig_purchase(r, &d)->memory.unchanged, i + 1);
    }
    rig_close(r);
}

/* P2: waiting ends while the outcome is open: never done, never failed. */
static void p2_four_unchanged_holds_stop(void **state)
{
    (void)state;
    struct deal d = deal_new(1, "processing");
    struct rig *r = rig_with(&d, plain_set);
    for (int i = 0; i < 4; i++) {
        rig_pass(r, 45000);
        rig_answer_read(r, &d);
    }
    const struct model_purchase *p = rig_purchase(r, &d);
    char words[200];
    assert_int_equal(p->stop, FOLLOW_UNCHANGED);
    assert_null(rig_read_of(r, d.id));
    model_state_words(&r->m, p, words, sizeof words);
    assert_non_null(strstr(words, "not confirmed yet"));
    model_live_words(&r->m, p, words, sizeof words);
    assert_non_null(strstr(words, "last read "));
    assert_non_null(strstr(words, "g looks again"));
    enum contract_glyph glyph = model_glyph(&r->m, p);
    assert_true(glyph != CONTRACT_GLYPH_WELL && glyph != CONTRACT_GLYPH_ILL);
    assert_true(rig_rows_have(p, "not confirmed yet"));
    size_t before = rig_calls(r);
    rig_run(r, 3600000);
    for (size_t i = before; i < r->count; i++) /* lists only */
        assert_int_not_equal(r->seen[i].tool, CONTRACT_TOOL_GET_PURCHASE_STATUS);
    rig_key(r, "g");
    struct seen *s = rig_read_of(r, d.id);
    assert_non_null(s); /* and g reads again, plainly */
    assert_null(strstr(s->body, "after_revision"));
    rig_close(r);
}

static void p2_by_passes_while_waiting(void **state)
{
    (void)state;
    struct deal d = deal_new(1, "waiting_for_user");
    d.task_json = "\"approve\"";
    d.by_json = "\"2026-12-01T00:01:00Z\"";
    d.after_seconds = 30;
    struct rig *r = rig_with(&d, plain_set);
    rig_pass(r, 25000);
    assert_non_null(rig_read_of(r, d.id)); /* at 30 s */
    rig_answer_read(r, &d);
    rig_pass(r, 40000); /* the next would be at 60 s: too late */
    const struct model_purchase *p = rig_purchase(r, &d);
    char words[200];
    assert_int_equal(p->stop, FOLLOW_BY_PASSED);
    assert_null(rig_read_of(r, d.id));
    model_state_words(&r->m, p, words, sizeof words);
    assert_non_null(strstr(words, "not confirmed yet"));
    assert_true(model_glyph(&r->m, p) != CONTRACT_GLYPH_WELL &&
                model_glyph(&r->m, p) != CONTRACT_GLYPH_ILL);
    rig_close(r);
}

static void stop_told_by_envoy(void **state)
{
    (void)state;
    struct deal d = deal_new(1, "verifying");
    d.next_json = "{\"action\":\"stop\",\"tool\":null,\"args\":null,\"instruction\":\"\","
                  "\"after_seconds\":null,\"by\":null}";
    struct rig *r = rig_with(&d, plain_set);
    assert_int_equal(rig_purchase(r, &d)->stop, FOLLOW_TOLD);
    d.reason_json = "\"ORDER_OUTCOME_UNKNOWN\"";
    d.revision = 2;
    rig_key(r, "g");
    rig_answer_read(r, &d);
    const struct model_purchase *p = rig_purchase(r, &d);
    char words[200];
    assert_int_equal(p->stop, FOLLOW_NEEDS_SUPPORT);
    assert_int_equal(model_glyph(&r->m, p), CONTRACT_GLYPH_UNKNOWN);
    model_state_words(&r->m, p, words, sizeof words);
    assert_string_equal(words, "not known: needs support");
    rig_close(r);
}

static void ready_is_read_on_one_press_only(void **state)
{
    (void)state;
    struct deal d = deal_new(1, "ready");
    d.details_json = rig_card(RIG_ATTEMPT_A);
    struct rig *r = rig_with(&d, plain_set);
    struct model_purchase *p = rig_purchase(r, &d);
    assert_non_null(p->handout); /* the read that turned ready brought it */
    assert_int_equal(p->stop, FOLLOW_READY);
    size_t before = rig_reads_open(r, d.id);
    rig_run(r, 600000);
    assert_int_equal(rig_reads_open(r, d.id), before);
    rig_key(r, "g"); /* refused: it would hand the details out again */
    assert_null(rig_read_of(r, d.id));
    assert_true(rig_news_has(r, "(v)"));
    rig_key(r, "v");
    rig_key(r, "v");
    assert_int_equal(rig_reads_open(r, d.id), 1);
    rig_lose(r, rig_read_of(r, d.id), ENVOY_TIMEOUT, true); /* lost: not repeated by itself */
    rig_run(r, 600000);
    assert_null(rig_read_of(r, d.id));
    rig_close(r);
}

/* Every way in which one press for a handout may fail: none is repeated without another press. */
static void refused_look_at_ready_is_not_repeated(void **state)
{
    (void)state;
    static const struct {
        enum envoy_outcome outcome;
        const char *code;
        const char *next;
        int status;
    } rows[] = {
        {ENVOY_REPLY, "RATE_LIMITED", RIG_RETRY("5"), 429},
        {ENVOY_REPLY, "RATE_LIMITED", RIG_RETRY("5"), 200},
        {ENVOY_REPLY, "UNAVAILABLE", RIG_RETRY("5"), 503},
        {ENVOY_REPLY, "NOT_ALLOWED", NULL, 403},
        {ENVOY_ABORTED, NULL, NULL, 0},
        {ENVOY_NOT_JSON, NULL, NULL, 504},
        {ENVOY_NOT_SENT, NULL, NULL, 0},
        {ENVOY_RESET, NULL, NULL, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct deal d = deal_new(1, "ready");
        struct rig *r = rig_with(&d, plain_set);
        rig_key(r, "v");
        struct seen *s = rig_read_of(r, d.id);
        assert_non_null(s);
        if (rows[i].code)
            rig_answer_as(
                r, s, rig_refusal(r, "get_purchase_status", rows[i].code, NULL, rows[i].next, true),
                rows[i].status, -1);
        else
            rig_lose(r, s, rows[i].outcome, true);
        rig_run(r, 900000);
        assert_null(rig_read_of(r, d.id));
        rig_close(r);
    }
}

static void listed_ready_is_read_with_v(void **state)
{
    (void)state;
    struct rig *r = rig_open(plain_set);
    struct deal d = deal_new(1, "ready");
    rig_begin(r, &d, 1);
    rig_run(r, 30000);
    assert_null(rig_read_of(r, d.id));
    rig_key(r, "g");
    assert_null(rig_read_of(r, d.id));
    rig_key(r, "v");
    assert_non_null(rig_read_of(r, d.id));
    d.details_json = rig_card(RIG_ATTEMPT_A);
    rig_answer_read(r, &d);
    assert_non_null(rig_purchase(r, &d)->handout);
    rig_close(r);
}

/* The list may know of ready before a planned read does: then the person decides about the read. */
static void list_that_says_ready_ends_the_plan(void **state)
{
    (void)state;
    struct deal d = deal_new(1, "processing");
    struct rig *r = rig_with(&d, plain_set);
    rig_lose(r, rig_read_of(r, d.id), ENVOY_REFUSED, false);
    rig_purchase(r, &d)->due_mono = r->now + 3600000; /* a long back-off */
    rig_run(r, 61000);
    struct deal listed = d;
    listed.state = "ready";
    rig_answer(r, rig_open_call(r, CONTRACT_TOOL_LIST_PURCHASES, NULL), rig_list(r, &listed, 1));
    assert_int_equal(rig_purchase(r, &d)->stop, FOLLOW_READY);
    assert_int_equal(rig_purchase(r, &d)->due_mono, INT64_MAX);
    rig_key(r, "g");
    assert_null(rig_read_of(r, d.id));
    rig_key(r, "v");
    assert_non_null(rig_read_of(r, d.id));
    rig_close(r);
}

/* N5: a list that was asked for before the last read does not roll the purchase back. */
static void n5_older_list_changes_nothing(void **state)
{
    (void)state;
    struct rig *r = rig_open(plain_set);
    struct deal d = deal_new(1, "processing");
    rig_begin(r, &d, 1);
    rig_answer_read(r, &d);
    rig_pass(r, 61000);
    struct seen *list = rig_open_call(r, CONTRACT_TOOL_LIST_PURCHASES, NULL);
    assert_non_null(list);
    struct deal later = d;
    later.state = "needs_answer";
    later.revision = 9;
    rig_pass(r, 100);
    rig_answer_read(r, &later);
    struct deal old = d;
    old.state = "ready";
    rig_answer(r, list, rig_list(r, &old, 1));
    assert_int_equal(rig_purchase(r, &d)->state.value, CONTRACT_STATE_NEEDS_ANSWER);
    assert_int_equal(rig_purchase(r, &d)->stop, FOLLOW_QUESTION);
    rig_close(r);
}

/* N5: a late reply does not roll the screen back, a duplicate adds nothing. */
static void n5_older_revision_is_ignored(void **state)
{
    (void)state;
    struct deal d = deal_new(1, "processing");
    d.revision = 9;
    struct rig *r = rig_with(&d, plain_set);
    struct model_purchase *p = rig_purchase(r, &d);
    size_t rows = p->row_count;
    r->m.bell = false;
    struct deal old = deal_new(1, "needs_answer");
    old.revision = 7;
    rig_answer_read(r, &old);
    p = rig_purchase(r, &d);
    assert_int_equal(p->snap->revision, 9);
    assert_int_equal(p->state.value, CONTRACT_STATE_PROCESSING);
    assert_int_equal(p->row_count, rows);
    assert_false(r->m.bell);
    rig_run(r, 2000);
    assert_non_null(rig_read_of(r, d.id)); /* and is followed on */
    d.state = "needs_answer";
    d.revision = 10;
    rig_answer_read(r, &d);
    assert_true(r->m.bell);
    r->m.bell = false;
    rows = rig_purchase(r, &d)->row_count;
    rig_key(r, "g");
    rig_answer_read(r, &d);
    assert_false(r->m.bell);
    assert_int_equal(rig_purchase(r, &d)->row_count, rows);
    rig_close(r);
}

static void superseded_brings_the_replacement(void **state)
{
    (void)state;
    struct deal d[2] = {deal_new(2, "waiting_for_user"), deal_new(1, "processing")};
    struct rig *r = rig_with(&d[1], plain_set);
    struct deal gone = d[1];
    char by[64], next[512];
    snprintf(by, sizeof by, "\"%s\"", d[0].id);
    snprintf(next, sizeof next,
             "{\"action\":\"call_tool\",\"tool\":\"get_purchase_status\",\"args\":{\"purchase\":"
             "\"%s\"},\"instruction\":\"\",\"after_seconds\":0,\"by\":null}",
             d[0].id);
    gone.state = "superseded";
    gone.revision = 5;
    gone.superseded_by_json = by;
    gone.next_json = next;
    rig_answer_read(r, &gone);
    assert_int_equal(rig_purchase(r, &gone)->stop, FOLLOW_REPLACED);
    struct seen *list = rig_open_call(r, CONTRACT_TOOL_LIST_PURCHASES, NULL);
    assert_non_null(list);                /* asked for at once */
    assert_null(rig_read_of(r, d[0].id)); /* its own state is judged first */
    struct deal listed[2] = {d[0], gone};
    rig_answer(r, list, rig_list(r, listed, 2));
    assert_non_null(rig_read_of(r, d[0].id));
    rig_close(r);
}

/* P3 */
static void p3_unknown_tool_and_unknown_state(void **state)
{
    (void)state;
    struct deal d = deal_new(1, "processing");
    struct rig *r = rig_with(&d, plain_set);
    d.revision = 2;
    d.next_json =
        "{\"action\":\"call_tool\",\"tool\":\"give_back_gift_card\",\"args\":{\"purchase\":"
        "\"pur_00000000000000000000000000000001\"},\"instruction\":\"\",\"after_seconds\":0,"
        "\"by\":null}";
    rig_answer_read(r, &d);
    assert_int_equal(rig_purchase(r, &d)->stop, FOLLOW_UNKNOWN_TOOL);
    rig_run(r, 30000);
    assert_null(rig_read_of(r, d.id));
    d.state = "quantum";
    d.next_json = NULL;
    d.revision = 3;
    rig_key(r, "g");
    rig_answer_read(r, &d);
    const struct model_purchase *p = rig_purchase(r, &d);
    char words[200];
    assert_int_equal(p->stop, FOLLOW_UNKNOWN_STATE);
    model_state_words(&r->m, p, words, sizeof words);
    assert_non_null(strstr(words, "unrecognised: quantum"));
    assert_int_equal(model_glyph(&r->m, p), CONTRACT_GLYPH_UNKNOWN);
    for (const char *key = "pfsxvV"; *key; key++) { /* neither payable nor endable */
        rig_key(r, (char[]){*key, '\0'});
        assert_int_equal(model_dialog(&r->m), MODEL_DIALOG_NONE);
    }
    assert_int_equal(rig_writes(r), 0);
    rig_close(r);
}

/* A write's reply comes while a read is held: still one read of the purchase in flight. */
static void one_read_of_a_purchase_in_flight(void **state)
{
    (void)state;
    struct deal d = deal_new(1, "processing");
    struct rig *r = rig_with(&d, plain_set);
    assert_int_equal(rig_reads_open(r, d.id), 1);
    rig_key(r, "x");
    rig_pass(r, 600);
    rig_key(r, "y");
    assert_int_equal(rig_writes(r), 1);
    d.revision = 2;
    rig_answer(r, rig_write(r), deal_reply(r, "cancel_purchase", &d));
    assert_int_equal(rig_reads_open(r, d.id), 1);
    assert_true(app_wake_mono(&r->m, false) > r->now); /* and nothing spins for it */
    rig_key(r, "g");
    assert_int_equal(rig_reads_open(r, d.id), 1);
    assert_true(rig_news_has(r, "under way"));
    rig_answer_read(r, &d);
    assert_int_equal(rig_reads_open(r, d.id), 1);
    assert_non_null(strstr(rig_read_of(r, d.id)->body, "\"after_revision\":2"));
    assert_true(rig_purchase(r, &d)->held);
    rig_close(r);
}

static void resume_reads_again_once(void **state)
{
    (void)state;
    struct deal d = deal_new(1, "processing");
    struct rig *r = rig_with(&d, plain_set);
    struct seen *before = rig_read_of(r, d.id);
    rig_say(r, MSG_SUSPEND);
    r->now += 300000;
    rig_say(r, MSG_RESUME);
    assert_int_equal(rig_last(r, EFFECT_ABORT)->call, before->call);
    rig_pass(r, 10);
    size_t aborts = 0;
    for (size_t i = 0; i < r->count; i++)
        aborts += r->seen[i].kind == EFFECT_ABORT;
    assert_int_equal(aborts, 1);
    rig_lose(r, before, ENVOY_ABORTED, true);
    assert_int_equal(rig_reads_open(r, d.id), 1);
    rig_close(r);
}

/* N1: a transfer that outlives its limit is given up and made again, once. */
static void n1_silent_read_is_given_up(void **state)
{
    (void)state;
    struct deal d = deal_new(1, "processing");
    struct rig *r = rig_with(&d, plain_set);
    struct seen *s = rig_read_of(r, d.id);
    rig_pass(r, 600000); /* stopped for ten minutes */
    rig_pass(r, 1);
    rig_pass(r, 1);
    size_t aborts = 0;
    for (size_t i = 0; i < r->count; i++)
        aborts += r->seen[i].kind == EFFECT_ABORT && r->seen[i].call == s->call;
    assert_int_equal(aborts, 1);
    assert_true(app_wake_mono(&r->m, false) > r->now);
    rig_lose(r, s, ENVOY_ABORTED, true);
    assert_int_equal(rig_reads_open(r, d.id), 1);
    rig_close(r);
}

static void nothing_ended_is_read_twice(void **state)
{
    (void)state;
    struct rig *r = rig_open(plain_set);
    struct deal deals[] = {deal_new(1, "completed"), deal_new(2, "cancelled")};
    deals[0].money = "debited";
    rig_begin(r, deals, 2);
    rig_run(r, 5000);
    rig_answer_read(r, &deals[0]);
    rig_answer_read(r, &deals[1]);
    size_t before = rig_calls(r);
    rig_run(r, 120000);
    assert_int_equal(rig_calls(r), before); /* the account neither: nothing has changed */
    rig_run(r, 200000);
    struct seen *list = rig_open_call(r, CONTRACT_TOOL_LIST_PURCHASES, NULL);
    assert_non_null(list); /* every five minutes when all is over */
    rig_answer(r, list, rig_list(r, deals, 2));
    assert_int_equal(rig_reads_open(r, NULL), 0);
    rig_close(r);
}

static void list_without_contents_is_unknown(void **state)
{
    (void)state;
    struct rig *r = rig_open(plain_set);
    char json[2048], head[512];
    rig_say(r, MSG_START);
    rig_head(r, head, sizeof head, "list_purchases", NULL);
    snprintf(json, sizeof json, "%s\"purchase\":null,\"data\":null," RIG_CONTINUE, head);
    rig_answer(r, rig_open_call(r, CONTRACT_TOOL_LIST_PURCHASES, NULL), json);
    assert_false(r->m.list_read); /* unknown, not "no purchases" */
    assert_string_not_equal(r->m.list_trouble, "");
    assert_true(r->m.list_due_mono < INT64_MAX);
    rig_close(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(start_reads_account_and_list_only),
        cmocka_unit_test(start_reads_each_open_one_once),
        cmocka_unit_test(five_reads_at_most_and_none_is_forgotten),
        cmocka_unit_test(held_read_has_the_bytes_of_next),
        cmocka_unit_test(n2_unchanged_hold_goes_on_at_once),
        cmocka_unit_test(p2_four_unchanged_holds_stop),
        cmocka_unit_test(p2_by_passes_while_waiting),
        cmocka_unit_test(stop_told_by_envoy),
        cmocka_unit_test(ready_is_read_on_one_press_only),
        cmocka_unit_test(refused_look_at_ready_is_not_repeated),
        cmocka_unit_test(listed_ready_is_read_with_v),
        cmocka_unit_test(list_that_says_ready_ends_the_plan),
        cmocka_unit_test(n5_older_list_changes_nothing),
        cmocka_unit_test(n5_older_revision_is_ignored),
        cmocka_unit_test(superseded_brings_the_replacement),
        cmocka_unit_test(p3_unknown_tool_and_unknown_state),
        cmocka_unit_test(one_read_of_a_purchase_in_flight),
        cmocka_unit_test(resume_reads_again_once),
        cmocka_unit_test(n1_silent_read_is_given_up),
        cmocka_unit_test(nothing_ended_is_read_twice),
        cmocka_unit_test(list_without_contents_is_unknown),
    };
    return cmocka_run_group_tests(tests, init, NULL);
}
