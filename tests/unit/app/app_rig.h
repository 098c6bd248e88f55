/* SPDX-License-Identifier: Apache-2.0 */
/* Drives app_update as the loop does, without loop, terminal and network: messages in, effects out,
 * and a clock that only the test moves. Every call that update asks for is kept until the test
 * answers it. Invariant: a call is answered at most once. */
#ifndef TESTS_APP_RIG_H
#define TESTS_APP_RIG_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "app/command.h"
#include "app/model.h"
#include "app/msg.h"
#include "core/alloc.h"
#include "core/clock.h"
#include "core/str.h"

#define RIG_SEEN_MAX  2048
#define RIG_START_MS  INT64_C(1796083200000) /* server time at the start: 2026-12-01 00:00 UTC */
#define RIG_MONO      INT64_C(5000000)
#define RIG_PAN       "6070123456784242"
#define RIG_ATTEMPT_A "11111111-2222-4333-8444-555555555555"
#define RIG_ATTEMPT_B "99999999-2222-4333-8444-555555555555"

struct seen {
    enum effect_kind kind;
    uint64_t call;
    enum contract_tool tool;
    char *body;
    size_t secret_len; /* 0: no secret body */
    char *secret;      /* the test's own copy of a synthetic code's body */
    int64_t timeout_ms;
    int64_t at_mono;
    char path[512];
    bool answered;
};

struct rig {
    struct model m;
    int64_t now;
    struct seen seen[RIG_SEEN_MAX];
    size_t count;
    size_t most_reads; /* most status reads that were in flight at once */
};

/* A purchase as a reply shows it; text fields are JSON where the name says so. */
struct deal {
    char id[40];
    int revision;
    const char *state, *money, *by, *merchant;
    const char *task_json, *reason_json, *question_json, *follow_up_json, *funding_json;
    const char *closed_json;      /* payment_ready.closed */
    const char *access_ends_json; /* payment_ready.expires_at */
    const char *superseded_by_json;
    const char *next_json; /* NULL: what fits the state */
    const char *action_json, *follow_ups_json, *error_json, *details_json;
    int wait_seconds, after_seconds; /* of the next that fits the state */
    const char *by_json;
    bool refused, replayed;
};

static inline struct rig *rig_open(struct model_settings set)
{
    struct rig *r = calloc(1, sizeof *r);
    assert_non_null(r);
    assert_int_equal(model_init(&r->m, &set), ERR_OK);
    r->now = RIG_MONO;
    r->m.now_mono = r->now;
    return r;
}

static inline void rig_close(struct rig *r)
{
    for (size_t i = 0; i < r->count; i++) {
        free(r->seen[i].body);
        free(r->seen[i].secret);
    }
    model_fini(&r->m);
    free(r);
}

static inline size_t rig_reads_open(const struct rig *r, const char *id)
{
    size_t n = 0;
    for (size_t i = 0; i < r->count; i++) {
        const struct seen *s = &r->seen[i];
        n += s->kind == EFFECT_CALL && s->tool == CONTRACT_TOOL_GET_PURCHASE_STATUS &&
             !s->answered && (!id || (s->body && strstr(s->body, id)));
    }
    return n;
}

/* No write goes out without its entry in the model and its intent for the journal. */
static inline void rig_check_write(const struct rig *r, const struct effect *e)
{
    bool known = r->m.start.call == e->call;
    for (size_t i = 0; i < r->m.purchase_count; i++)
        for (size_t k = 0; k < MODEL_WRITE_KIND_COUNT; k++) {
            const struct model_write *w = &r->m.purchases[i].writes[k];
            known = known || (w->state == MODEL_WRITE_SENT && w->call == e->call &&
                              strcmp(w->key, e->intent.key) == 0 &&
                              strcmp(r->m.purchases[i].id, e->intent.purchase) == 0);
        }
    assert_true(known);
    assert_true(e->intent.wanted);
    assert_true(!e->secret != !e->body.len); /* words or a guarded code, never both */
}

static inline void rig_take(struct rig *r, struct effects *fx)
{
    for (size_t i = 0; i < fx->count; i++) {
        struct effect *e = &fx->items[i];
        if (e->kind == EFFECT_OUTCOME)
            continue; /* for the journal */
        if (e->kind == EFFECT_CALL && contract_is_write(e->tool))
            rig_check_write(r, e);
        assert_true(r->count < RIG_SEEN_MAX);
        struct seen *s = &r->seen[r->count++];
        s->kind = e->kind;
        s->call = e->call;
        s->tool = e->tool;
        s->timeout_ms = e->timeout_ms;
        s->at_mono = r->now;
        memcpy(s->path, e->path, sizeof s->path);
        s->body = strdup(buf_view(&e->body));
        if (e->secret) {
            s->secret_len = secret_len(e->secret);
            s->secret = calloc(1, s->secret_len + 1);
            memcpy(s->secret, secret_open(e->secret), s->secret_len);
            secret_close(e->secret);
            assert_string_equal(s->body, "");
        }
    }
    effects_fini(fx);
    size_t reads = rig_reads_open(r, NULL);
    if (reads > r->most_reads)
        r->most_reads = reads;
}

static inline void rig_send(struct rig *r, struct msg msg)
{
    struct effects fx;
    effects_init(&fx);
    msg.now_mono = r->now;
    app_update(&r->m, &msg, &fx);
    rig_take(r, &fx);
}

static inline void rig_say(struct rig *r, enum msg_kind kind)
{
    rig_send(r, (struct msg){.kind = kind});
}

/* Moves the clock in one step, then one tick. */
static inline void rig_pass(struct rig *r, int64_t ms)
{
    r->now += ms;
    rig_say(r, MSG_TICK);
    if (!r->m.quit) /* a tick leaves nothing to do at once: else the loop would spin */
        assert_true(app_wake_mono(&r->m, true) > r->now);
}

/* Moves the clock from wake to wake, as the loop does without a screen. */
static inline void rig_run(struct rig *r, int64_t ms)
{
    int64_t end = r->now + ms;
    for (int i = 0; i < 10000; i++) {
        int64_t wake = app_wake_mono(&r->m, false);
        if (wake > end)
            break;
        assert_true(wake > r->now || i == 0); /* never a wake that changes nothing */
        r->now = wake > r->now ? wake : r->now;
        rig_say(r, MSG_TICK);
    }
    r->now = end;
    rig_say(r, MSG_TICK);
}

static inline void rig_event(struct rig *r, struct input_event *e)
{
    rig_send(r, (struct msg){.kind = MSG_INPUT, .input = e});
    input_event_fini(e);
}

static inline void rig_key(struct rig *r, const char *name)
{
    struct input_event e;
    assert_true(input_event_parse(name, &e));
    rig_event(r, &e);
}

/* Each character as its own key. */
static inline void rig_type(struct rig *r, const char *text)
{
    for (size_t at = 0, n; text[at]; at += n) {
        struct input_event e = {.kind = INPUT_TEXT};
        int32_t cp;
        n = str_decode(text + at, strlen(text + at), &cp);
        memcpy(e.text, text + at, n);
        rig_event(r, &e);
    }
}

static inline void rig_burst(struct rig *r, const char *text)
{
    for (; *text; text++) {
        struct input_event e = {.kind = INPUT_TEXT, .burst = true};
        e.text[0] = *text;
        rig_event(r, &e);
    }
}

static inline void rig_paste(struct rig *r, const char *text)
{
    struct input_event e = {.kind = INPUT_PASTE};
    e.paste = alloc_text(text);
    e.paste_len = strlen(text);
    rig_event(r, &e);
}

static inline void rig_resize(struct rig *r, int w, int h)
{
    struct input_event e = {.kind = INPUT_RESIZE, .width_cells = w, .height_cells = h};
    rig_event(r, &e);
}

static inline bool rig_is_write(const struct seen *s)
{
    return s->kind == EFFECT_CALL && contract_is_write(s->tool);
}

static inline size_t rig_writes(const struct rig *r)
{
    size_t n = 0;
    for (size_t i = 0; i < r->count; i++)
        n += rig_is_write(&r->seen[i]);
    return n;
}

static inline size_t rig_calls(const struct rig *r)
{
    size_t n = 0;
    for (size_t i = 0; i < r->count; i++)
        n += r->seen[i].kind == EFFECT_CALL;
    return n;
}

/* The newest write; there must be one. */
static inline struct seen *rig_write(struct rig *r)
{
    for (size_t i = r->count; i > 0; i--)
        if (rig_is_write(&r->seen[i - 1]))
            return &r->seen[i - 1];
    fail_msg("no write was sent");
    return NULL;
}

/* The newest effect of the kind; NULL when there is none. */
static inline struct seen *rig_last(struct rig *r, enum effect_kind kind)
{
    for (size_t i = r->count; i > 0; i--)
        if (r->seen[i - 1].kind == kind)
            return &r->seen[i - 1];
    return NULL;
}

/* The unanswered call of a tool, about id when it is given; NULL when there is none. */
static inline struct seen *rig_open_call(struct rig *r, enum contract_tool tool, const char *id)
{
    for (size_t i = 0; i < r->count; i++) {
        struct seen *s = &r->seen[i];
        if (s->kind == EFFECT_CALL && s->tool == tool && !s->answered &&
            (!id || strstr(s->body, id) || (s->secret && strstr(s->secret, id))))
            return s;
    }
    return NULL;
}

static inline struct seen *rig_read_of(struct rig *r, const char *id)
{
    return rig_open_call(r, CONTRACT_TOOL_GET_PURCHASE_STATUS, id);
}

static inline void rig_result(struct rig *r, struct seen *s, struct envoy_result *result)
{
    assert_non_null(s);
    assert_false(s->answered);
    s->answered = true;
    result->id = s->call;
    result->tool = s->tool;
    rig_send(r, (struct msg){.kind = MSG_RESULT, .result = result});
    envoy_result_fini(result);
}

/* Answers with an envelope; a handout in it goes the way it goes in the program. */
static inline void rig_answer_as(struct rig *r, struct seen *s, const char *json, int status,
                                 int64_t retry_after_ms)
{
    assert_non_null(s);
    struct envoy_result result = {
        .outcome = ENVOY_REPLY, .http_status = status, .retry_after_ms = retry_after_ms};
    char why[200] = "";
    struct secret *body = secret_new(strlen(json) + 1);
    assert_non_null(body);
    assert_int_equal(secret_append(body, json, strlen(json)), ERR_OK);
    result.handout_malformed = handout_extract(body, &result.handout) != ERR_OK;
    const char *text = (const char *)secret_open(body);
    enum err e = contract_reply_decode(s->tool, text, secret_len(body), &result.reply, why);
    secret_close(body);
    secret_free(body);
    if (e != ERR_OK)
        fail_msg("the test's reply is none: %s", why);
    (void)str_copy(result.request_id, sizeof result.request_id, result.reply->request_id);
    rig_result(r, s, &result);
}

static inline void rig_answer(struct rig *r, struct seen *s, const char *json)
{
    rig_answer_as(r, s, json, 200, -1);
}

static inline void rig_lose(struct rig *r, struct seen *s, enum envoy_outcome outcome,
                            bool may_have_arrived)
{
    struct envoy_result result = {
        .outcome = outcome, .may_have_arrived = may_have_arrived, .retry_after_ms = -1};
    rig_result(r, s, &result);
}

static inline void rig_time(const struct rig *r, int64_t after_ms, char out[CLOCK_TEXT_MAX])
{
    clock_rfc3339(out, RIG_START_MS + (r->now - RIG_MONO) + after_ms);
}

static inline void rig_head(const struct rig *r, char *out, size_t size, const char *tool,
                            const struct deal *d)
{
    char now[CLOCK_TEXT_MAX];
    rig_time(r, 0, now);
    snprintf(out, size,
             "{\"ok\":%s,\"contract\":\"envoy@2026-10\",\"tool\":\"%s\",\"request_id\":"
             "\"req_%zu\",\"trace_id\":\"4bf92f3577b34da6a3ce929d0e0e4736\",\"server_time\":\"%s\","
             "\"replayed\":%s,",
             d && d->refused ? "false" : "true", tool, r->count, now,
             d && d->replayed ? "true" : "false");
}

#define RIG_CONTINUE                                                                               \
    "\"next\":{\"action\":\"continue\",\"tool\":null,\"args\":null,\"instruction\":\"\","          \
    "\"after_seconds\":null,\"by\":null},\"user_action\":null,\"follow_ups\":[],\"error\":null}"

static inline struct deal deal_new(int number, const char *state)
{
    struct deal d = {.revision = 1, .state = state, .money = "not_started", .by = "agent"};
    snprintf(d.id, sizeof d.id, "pur_%032x", (unsigned)number);
    d.merchant = "Example Store";
    d.wait_seconds = 45;
    return d;
}

static inline bool deal_ended(const struct deal *d)
{
    return strcmp(d->state, "completed") == 0 || strcmp(d->state, "failed") == 0 ||
           strcmp(d->state, "cancelled") == 0;
}

/* The next that Envoy gives for the state (page errors, States and next.action). */
static inline void deal_next(const struct deal *d, char *out, size_t size)
{
    const char *by = d->by_json ? d->by_json : "null";
    bool asks = strncmp(d->state, "needs_", 6) == 0;
    bool held = strcmp(d->state, "waiting_for_user") == 0 || strcmp(d->state, "processing") == 0 ||
                strcmp(d->state, "verifying") == 0;
    if (d->next_json)
        snprintf(out, size, "%s", d->next_json);
    else if (asks)
        snprintf(out, size,
                 "{\"action\":\"call_tool\",\"tool\":\"submit_answer\",\"args\":{ \"purchase\" : "
                 "\"%s\",\"question\":\"q-%d\", \"type\":\"%s\"},\"instruction\":\"\","
                 "\"after_seconds\":null,\"by\":null}",
                 d->id, d->revision, strcmp(d->state, "needs_details") == 0 ? "details" : "answer");
    else if (held)
        snprintf(out, size,
                 "{\"action\":\"call_tool\",\"tool\":\"get_purchase_status\",\"args\":{ "
                 "\"purchase\" : \"%s\",\"after_revision\":%d,  \"wait_seconds\":%d},"
                 "\"instruction\":\"\",\"after_seconds\":%d,\"by\":%s}",
                 d->id, d->revision, d->wait_seconds, d->after_seconds, by);
    else if (strcmp(d->state, "ready") == 0)
        snprintf(out, size,
                 "{\"action\":\"checkout\",\"tool\":\"report_checkout_result\",\"args\":{"
                 "\"purchase\":\"%s\"},\"instruction\":\"\",\"after_seconds\":null,\"by\":null}",
                 d->id);
    else
        snprintf(out, size,
                 "{\"action\":\"%s\",\"tool\":null,\"args\":null,\"instruction\":\"\","
                 "\"after_seconds\":null,\"by\":null}",
                 strcmp(d->state, "failed") == 0 ? "stop" : "done");
}

static inline const char *json_or_null(const char *json)
{
    return json ? json : "null";
}

/* The reply of tool about d; the text is good until the second call after this one. */
static inline const char *deal_reply(const struct rig *r, const char *tool, const struct deal *d)
{
    static char texts[2][16384];
    static int turn;
    char *out = texts[turn = 1 - turn];
    char head[512], next[2048], question[1024];
    rig_head(r, head, sizeof head, tool, d);
    deal_next(d, next, sizeof next);
    bool asks = strncmp(d->state, "needs_", 6) == 0;
    if (d->question_json || !asks)
        snprintf(question, sizeof question, "%s", json_or_null(d->question_json));
    else
        snprintf(question, sizeof question,
                 "{\"id\":\"q-%d\",\"kind\":\"text\",\"prompt\":\"Blue or black?\",\"asked_at\":"
                 "\"2026-12-01T00:00:00Z\"}",
                 d->revision);
    snprintf(
        out, sizeof texts[0],
        "%s\"purchase\":{\"purchase_id\":\"%s\",\"service\":\"purchase\",\"idempotency_key\":"
        "\"key-of-%s\",\"revision\":%d,\"terminal\":%s,\"state\":\"%s\",\"user_task\":%s,"
        "\"reason_code\":%s,\"status_text\":\"Text of %s.\",\"rail\":\"otu_card\",\"rail_reason\":"
        "\"RAIL_OTU_PREFERRED\",\"checkout_by\":\"%s\",\"merchant\":{\"name\":\"%s\",\"url\":"
        "\"https://shop.example.test\"},\"amount\":{\"minor\":249900,\"currency\":\"INR\","
        "\"display\":\"₹2,499.00\"},\"description\":\"Headphones\",\"details\":{\"complete\":true,"
        "\"missing\":[]},\"question\":%s,\"follow_up\":%s,\"approval\":{\"state\":null,\"method\":"
        "null,\"decide_by\":null,\"approval_url\":null},\"payment_ready\":{\"available\":%s,"
        "\"kind\":\"card\",\"expires_at\":%s%s%s},\"money\":{\"status\":\"%s\",\"paid\":null,"
        "\"merchant_order_ref\":null},\"receipt\":null,\"chain\":{\"supersedes\":null,"
        "\"superseded_by\":%s},\"agent\":{\"agent_id\":\"a-1\",\"display_name\":\"Agent\","
        "\"verification\":\"origin\"},\"created_at\":\"2026-11-30T23:00:00Z\",\"updated_at\":"
        "\"2026-11-30T23:30:00Z\",\"funding\":%s},\"data\":%s%s%s,\"next\":%s,\"user_action\":%s,"
        "\"follow_ups\":%s,\"error\":%s}",
        head, d->id, d->id + 20, d->revision, deal_ended(d) ? "true" : "false", d->state,
        json_or_null(d->task_json), json_or_null(d->reason_json), d->state, d->by, d->merchant,
        question, json_or_null(d->follow_up_json),
        strcmp(d->state, "ready") == 0 ? "true" : "false", json_or_null(d->access_ends_json),
        d->closed_json ? ",\"closed\":" : "", d->closed_json ? d->closed_json : "", d->money,
        json_or_null(d->superseded_by_json), json_or_null(d->funding_json),
        d->details_json ? "{\"payment_details\":" : "", json_or_null(d->details_json),
        d->details_json ? "}" : "", next, json_or_null(d->action_json),
        d->follow_ups_json ? d->follow_ups_json : "[]", json_or_null(d->error_json));
    return out;
}

static inline const char *deal_status(const struct rig *r, const struct deal *d)
{
    return deal_reply(r, "get_purchase_status", d);
}

/* A refusal without a purchase. next_json NULL: stop. */
static inline const char *rig_refusal(const struct rig *r, const char *tool, const char *code,
                                      const char *fields_json, const char *next_json,
                                      bool retryable)
{
    static char out[4096];
    char head[512];
    struct deal d = {.refused = true};
    rig_head(r, head, sizeof head, tool, &d);
    snprintf(out, sizeof out,
             "%s\"purchase\":null,\"data\":null,\"next\":%s,\"user_action\":null,\"follow_ups\":[],"
             "\"error\":{\"code\":\"%s\",\"message\":\"Words for %s.\",\"fields\":%s,"
             "\"reason_code\":null,\"retryable\":%s,\"retry_after_seconds\":null}}",
             head,
             next_json ? next_json
                       : "{\"action\":\"stop\",\"tool\":null,\"args\":null,\"instruction\":\"\","
                         "\"after_seconds\":null,\"by\":null}",
             code, code, fields_json ? fields_json : "[]", retryable ? "true" : "false");
    return out;
}

#define RIG_RETRY(after)                                                                           \
    "{\"action\":\"retry\",\"tool\":null,\"args\":null,\"instruction\":\"\",\"after_"              \
    "seconds\":" after ",\"by\":null}"
#define RIG_RECONNECT                                                                              \
    "{\"action\":\"reconnect\",\"tool\":null,\"args\":null,\"instruction\":\"\",\"after_"          \
    "seconds\":"                                                                                   \
    "null,\"by\":null}"

static inline const char *rig_account(const struct rig *r)
{
    static char out[4096];
    char head[512];
    rig_head(r, head, sizeof head, "get_account", NULL);
    snprintf(
        out, sizeof out,
        "%s\"purchase\":null,\"data\":{\"account\":{\"currency\":\"INR\",\"balance\":{"
        "\"minor\":749900,\"currency\":\"INR\",\"display\":\"₹7,499.00\"},\"held\":{\"minor\":"
        "0,\"currency\":\"INR\",\"display\":\"₹0.00\"},\"spendable\":{\"minor\":500000,"
        "\"currency\":\"INR\",\"display\":\"₹5,000.00\"},\"services\":[\"purchase\"],"
        "\"active_purchase\":null,\"profile\":{\"name\":\"Asha Rao\",\"mobile\":"
        "\"+91 98765 43210\",\"email\":\"asha@example.test\"},\"unavailable\":[]}}," RIG_CONTINUE,
        head);
    return out;
}

static inline const char *rig_list(const struct rig *r, const struct deal *deals, size_t count)
{
    static char out[32768];
    char head[512];
    rig_head(r, head, sizeof head, "list_purchases", NULL);
    size_t at =
        (size_t)snprintf(out, sizeof out, "%s\"purchase\":null,\"data\":{\"purchases\":[", head);
    for (size_t i = 0; i < count; i++)
        at += (size_t)snprintf(
            out + at, sizeof out - at,
            "%s{\"purchase_id\":\"%s\",\"state\":\"%s\",\"merchant\":{\"name\":\"%s\",\"url\":"
            "\"https://shop.example.test\"},\"amount\":{\"minor\":249900,\"currency\":\"INR\","
            "\"display\":\"₹2,499.00\"},\"checkout_by\":\"agent\",\"created_at\":"
            "\"2026-11-30T%02zu:00:00Z\"}",
            i ? "," : "", deals[i].id, deals[i].state, deals[i].merchant, 23 - i % 23);
    snprintf(out + at, sizeof out - at, "],\"truncated\":false}," RIG_CONTINUE);
    return out;
}

/* Starts, and answers account and list. */
static inline void rig_begin(struct rig *r, const struct deal *deals, size_t count)
{
    rig_say(r, MSG_START);
    rig_answer(r, rig_open_call(r, CONTRACT_TOOL_GET_ACCOUNT, NULL), rig_account(r));
    rig_answer(r, rig_open_call(r, CONTRACT_TOOL_LIST_PURCHASES, NULL), rig_list(r, deals, count));
}

static inline void rig_answer_read(struct rig *r, const struct deal *d)
{
    rig_answer(r, rig_read_of(r, d->id), deal_status(r, d));
}

static inline struct model_purchase *rig_purchase(struct rig *r, const struct deal *d)
{
    for (size_t i = 0; i < r->m.purchase_count; i++)
        if (strcmp(r->m.purchases[i].id, d->id) == 0)
            return &r->m.purchases[i];
    fail_msg("no such purchase");
    return NULL;
}

/* One purchase, read once, with the pane below the timeline in focus. */
static inline struct rig *rig_with(struct deal *d, struct model_settings set)
{
    struct rig *r = rig_open(set);
    struct deal listed = *d;
    if (strcmp(d->state, "ready") == 0 || deal_ended(d)) /* it became so just now */
        listed.state = "processing";
    rig_begin(r, &listed, 1);
    rig_answer_read(r, d);
    r->m.pane = MODEL_PANE_NEED;
    rig_pass(r, 5000); /* past news and what has just opened */
    return r;
}

static inline const char *rig_card(const char *attempt)
{
    static char out[1024];
    snprintf(
        out, sizeof out,
        "{\"kind\":\"card\",\"card\":{\"number\":\"" RIG_PAN "\",\"expiry_month\":\"07\","
        "\"expiry_year\":\"2028\",\"cvv\":\"836\",\"network\":\"rupay\"},\"amount_limit\":{"
        "\"minor\":249900,"
        "\"currency\":\"INR\",\"display\":\"₹2,499.00\"},\"checkout_code\":\"409182\","
        "\"checkout_code_expires_at\":null,\"checkout_attempt_id\":\"%s\",\"expires_at\":null}",
        attempt);
    return out;
}

static inline bool rig_news_has(const struct rig *r, const char *words)
{
    return strstr(r->m.news.text, words) != NULL;
}

static inline bool rig_rows_have(const struct model_purchase *p, const char *words)
{
    for (size_t i = 0; i < p->row_count; i++)
        if (strstr(p->rows[i].text, words))
            return true;
    return false;
}

#endif
