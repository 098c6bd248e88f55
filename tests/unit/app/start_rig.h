/* SPDX-License-Identifier: Apache-2.0 */
/* A model without network or terminal that is driven as the loop does: keys in, replies in, calls
 * out. Shared by the tests of the start form and of the shop. Every call that goes out is kept. */
#ifndef START_RIG_H
#define START_RIG_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include "app/internal.h"
#include "app/start_internal.h"
#include "core/alloc.h"
#include "core/str.h"

#define RIG_CALLS_MAX 64
#define RIG_PURCHASE  "pur_5b1e9c7a3f2d5a8e9c0b1d2e3f4a5b6c"

struct rig_call {
    uint64_t id;
    enum contract_tool tool;
    bool intended; /* goes out only after its intent is kept */
    char body[4096];
};

struct rig {
    struct model *m;
    int64_t now;
    struct rig_call calls[RIG_CALLS_MAX];
    int count;
    struct model_outcome noted; /* newest note for the journal, and of which call */
    uint64_t noted_call;
};

static struct rig rig;

static inline void rig_collect(struct effects *fx)
{
    for (size_t i = 0; i < fx->count; i++) {
        struct effect *e = &fx->items[i];
        if (e->kind == EFFECT_OUTCOME) {
            rig.noted = e->outcome;
            rig.noted_call = e->call;
        }
        if (e->kind != EFFECT_CALL)
            continue;
        assert_true(rig.count < RIG_CALLS_MAX);
        struct rig_call *c = &rig.calls[rig.count++];
        c->id = e->call;
        c->tool = e->tool;
        c->intended = e->intent.wanted;
        (void)str_copy(c->body, sizeof c->body, buf_view(&e->body));
    }
    effects_fini(fx);
}

static inline void rig_message(struct msg *msg)
{
    struct effects fx;
    effects_init(&fx);
    msg->now_mono = rig.now;
    app_update(rig.m, msg, &fx);
    rig_collect(&fx);
}

static inline int rig_open(void **state)
{
    struct model_settings set = {.demo = true};
    (void)state;
    memset(&rig, 0, sizeof rig);
    rig.now = 1000000;
    rig.m = alloc_zero(1, sizeof *rig.m);
    if (!rig.m || model_init(rig.m, &set) != ERR_OK)
        return -1;
    struct model *m = rig.m;
    m->width_cells = 120;
    m->height_cells = 40;
    m->now_mono = rig.now;
    m->server_time_known = true;
    m->server_offset_ms = 1796113925000 - rig.now;
    m->link = MODEL_LINK_LIVE;
    m->account = alloc_zero(1, sizeof *m->account);
    if (!m->account)
        return -1;
    m->account->has_active_purchase = true;
    m->account->has_services = true;
    m->account->service_purchase = true;
    (void)str_copy(m->account_id, sizeof m->account_id, "acct-test");
    return 0;
}

static inline int rig_close(void **state)
{
    (void)state;
    model_fini(rig.m);
    alloc_free(rig.m);
    return 0;
}

static inline void rig_key(const char *name)
{
    struct input_event e;
    struct msg msg = {.kind = MSG_INPUT, .input = &e};
    assert_true(input_event_parse(name, &e));
    rig_message(&msg);
    input_event_fini(&e);
}

/* Text as typed, one character after another. */
static inline void rig_type(const char *text)
{
    for (; *text; text++) {
        struct input_event e = {.kind = INPUT_TEXT};
        struct msg msg = {.kind = MSG_INPUT, .input = &e};
        e.text[0] = *text;
        rig_message(&msg);
    }
}

static inline void rig_pass(int64_t ms)
{
    struct msg msg = {.kind = MSG_TICK};
    rig.now += ms;
    rig_message(&msg);
}

static inline int rig_sent(enum contract_tool tool)
{
    int n = 0;
    for (int i = 0; i < rig.count; i++)
        n += rig.calls[i].tool == tool ? 1 : 0;
    return n;
}

/* The newest call of the tool. */
static inline struct rig_call *rig_last(enum contract_tool tool)
{
    for (int i = rig.count - 1; i >= 0; i--)
        if (rig.calls[i].tool == tool)
            return &rig.calls[i];
    fail_msg("no call of that tool went out");
    return NULL;
}

static inline void rig_result(struct envoy_result *r)
{
    struct msg msg = {.kind = MSG_RESULT, .result = r};
    rig_message(&msg);
    envoy_result_fini(r);
}

/* The call ends with this envelope's rest: what stands behind "server_time". */
static inline void rig_reply(const struct rig_call *call, const char *rest)
{
    char text[8192], why[200] = "";
    const struct contract_row *row = contract_row(CONTRACT_KIND_TOOL, (int)call->tool);
    struct envoy_result r = {.id = call->id,
                             .tool = call->tool,
                             .outcome = ENVOY_REPLY,
                             .may_have_arrived = true,
                             .http_status = 200,
                             .retry_after_ms = -1};
    snprintf(text, sizeof text,
             "{\"contract\":\"envoy@2026-10\",\"tool\":\"%s\",\"request_id\":\"req_test\","
             "\"trace_id\":\"4bf92f3577b34da6a3ce929d0e0e4736\","
             "\"server_time\":\"2026-12-01T08:32:05Z\",%s}",
             row->wire, rest);
    if (contract_reply_decode(call->tool, text, strlen(text), &r.reply, why) != ERR_OK)
        fail_msg("the test's own reply is refused: %s\n%s", why, text);
    rig_result(&r);
}

static inline void rig_refuse(const struct rig_call *call, const char *code, const char *message,
                              const char *fields)
{
    char rest[2048];
    snprintf(rest, sizeof rest,
             "\"ok\":false,\"replayed\":false,\"purchase\":null,\"data\":null,"
             "\"next\":{\"action\":\"stop\",\"tool\":null,\"args\":null,\"instruction\":\"x\","
             "\"after_seconds\":null,\"by\":null},\"user_action\":null,\"follow_ups\":[],"
             "\"error\":{\"code\":\"%s\",\"message\":\"%s\",\"fields\":[%s],\"reason_code\":null,"
             "\"retryable\":false,\"retry_after_seconds\":null}",
             code, message, fields);
    rig_reply(call, rest);
}

/* A purchase that waits for its owner, as the reply to a start or to a read. */
static inline void rig_accept(const struct rig_call *call)
{
    rig_reply(call,
              "\"ok\":true,\"replayed\":false,\"purchase\":{\"purchase_id\":\"" RIG_PURCHASE "\","
              "\"idempotency_key\":\"synthetic-intent-0001\",\"revision\":1,\"terminal\":false,"
              "\"state\":\"waiting_for_user\",\"user_task\":\"approve\","
              "\"status_text\":\"Approve this purchase in the Envoy app.\","
              "\"merchant_name\":\"Example\",\"merchant_url\":\"https://shop.example.test\","
              "\"amount\":{\"minor\":249900,\"currency\":\"INR\",\"display\":\"₹2,499.00\"},"
              "\"money\":{\"status\":\"not_started\"}},\"data\":null,"
              "\"next\":{\"action\":\"call_tool\",\"tool\":\"get_purchase_status\",\"args\":"
              "{\"purchase\":\"" RIG_PURCHASE "\",\"after_revision\":1,\"wait_seconds\":45},"
              "\"instruction\":\"x\",\"after_seconds\":null,\"by\":null},\"user_action\":null,"
              "\"follow_ups\":[],\"error\":null");
}

static inline void rig_lose(const struct rig_call *call, enum envoy_outcome outcome, bool arrived)
{
    struct envoy_result r = {.id = call->id,
                             .tool = call->tool,
                             .outcome = outcome,
                             .may_have_arrived = arrived,
                             .retry_after_ms = -1};
    rig_result(&r);
}

/* The text of a member, "" when it is not there. Values of these tests have no escapes. */
static inline const char *rig_member(const char *body, const char *name, char out[200])
{
    char mark[80];
    snprintf(mark, sizeof mark, "\"%s\":\"", name);
    const char *at = strstr(body, mark);
    out[0] = '\0';
    if (at)
        snprintf(out, 200, "%.*s", (int)strcspn(at + strlen(mark), "\""), at + strlen(mark));
    return out;
}

/* A purchase of the same merchant and amount as the good form; a state of CONTRACT_ABSENT: listed
 * alone, never read. */
static inline struct model_purchase *rig_purchase(enum contract_state state,
                                                  enum contract_money money)
{
    struct model_purchase *p =
        model_add_purchase(rig.m, "pur_00000000000000000000000000000abc", 1796113900000);
    assert_non_null(p);
    p->state.value = (int)state;
    p->amount.known = true;
    p->amount.minor = 249900;
    p->snap = alloc_zero(1, sizeof *p->snap);
    assert_non_null(p->snap);
    (void)str_copy(p->snap->purchase_id, sizeof p->snap->purchase_id, p->id);
    p->snap->state.value = (int)state;
    p->snap->terminal = contract_state_is_terminal((int)state);
    p->snap->money.value = (int)money;
    p->snap->reason.value = CONTRACT_ABSENT;
    p->snap->checkout_by.value = CONTRACT_CHECKOUT_BY_AGENT;
    p->snap->amount.known = true;
    p->snap->amount.minor = 249900;
    p->snap->amount.display = alloc_text("₹2,499.00");
    p->snap->merchant_url = alloc_text("https://www.SHOP.example.test/cart?x=1");
    p->snap->description = alloc_text("Headphones, black");
    p->last_good_mono = rig.now;
    p->stop = FOLLOW_GOING;
    p->follow_started = true;
    return p;
}

static inline void rig_set(enum start_field field, int group, const char *text)
{
    start_set(&rig.m->start, field, group, text);
    start_check(rig.m);
}

/* The form on screen, filled in so that nothing is wrong with it. */
static inline void rig_good_form(void)
{
    rig_key("Ctrl-N");
    assert_int_equal(model_dialog(rig.m), MODEL_DIALOG_START);
    rig_set(START_FIELD_MERCHANT_URL, 0, "https://shop.example.test/headphones");
    rig_set(START_FIELD_TOTAL, 0, "₹2,499");
    rig_set(START_FIELD_ITEM_NAME, 0, "Headphones, black");
    rig_set(START_FIELD_USER_REQUEST, 0, "The black ones, please");
    assert_int_equal(rig.m->start.problems.count, 0);
}

static inline void rig_send(void)
{
    rig_key("Ctrl-S");
    assert_true(rig.m->start.reviewing);
    rig.now += CONFIRM_DELAY_MS;
    rig_key("Ctrl-S");
}

#endif
