/* SPDX-License-Identifier: Apache-2.0 */
/* The purchase and its parts as the contract spells them. Only reads the world. */
#include "sim/sim_reply.h"

#include <stdio.h>

#include "core/clock.h"
#include "core/money.h"
#include "sim_flow_private.h"
#include "sim_render_private.h"

cJSON *sim_render_amount(int64_t amount_minor)
{
    cJSON *o = cJSON_CreateObject();
    char display[MONEY_TEXT_MAX];

    money_format(display, amount_minor, false);
    cJSON_AddNumberToObject(o, "minor", (double)amount_minor);
    cJSON_AddStringToObject(o, "currency", "INR");
    cJSON_AddStringToObject(o, "display", display);
    return o;
}

void sim_render_time(cJSON *object, const char *name, int64_t ms)
{
    char text[CLOCK_TEXT_MAX];

    if (ms == SIM_NEVER) {
        cJSON_AddNullToObject(object, name);
        return;
    }
    /* whole seconds, so that times also sort as text */
    clock_rfc3339(text, ms - ms % 1000);
    cJSON_AddStringToObject(object, name, text);
}

void sim_render_text(cJSON *object, const char *name, const char *text)
{
    if (text == NULL) {
        cJSON_AddNullToObject(object, name);
    } else {
        cJSON_AddStringToObject(object, name, text);
    }
}

static void add_question(cJSON *o, const struct sim_purchase *p)
{
    cJSON *q = NULL;

    if (p->question.kind == SIM_ASK_NONE) {
        cJSON_AddNullToObject(o, "question");
        return;
    }
    q = cJSON_AddObjectToObject(o, "question");
    cJSON_AddStringToObject(q, "id", p->question.id);
    cJSON_AddStringToObject(q, "kind", sim_ask_name(p->question.kind));
    cJSON_AddStringToObject(q, "prompt", p->question.prompt);
    sim_render_time(q, "asked_at", p->question.asked_ms);
}

static void add_follow_up(cJSON *o, const struct sim_purchase *p)
{
    char id[64];
    cJSON *f = NULL;

    if (!p->wants_feedback || p->state != SIM_COMPLETED) {
        cJSON_AddNullToObject(o, "follow_up");
        return;
    }
    f = cJSON_AddObjectToObject(o, "follow_up");
    snprintf(id, sizeof(id), "feedback-%s", p->id);
    cJSON_AddStringToObject(f, "id", id);
    cJSON_AddStringToObject(f, "kind", "feedback");
    cJSON_AddStringToObject(f, "prompt",
                            "How was this purchase? A few words, and 1 to 5 if you like.");
}

static void add_details(cJSON *o, const struct sim_purchase *p)
{
    cJSON *d = cJSON_AddObjectToObject(o, "details");
    bool is_complete = p->state != SIM_NEEDS_DETAILS;
    cJSON *missing = NULL;

    cJSON_AddBoolToObject(d, "complete", is_complete);
    missing = cJSON_AddArrayToObject(d, "missing");
    if (!is_complete) {
        cJSON_AddItemToArray(missing, cJSON_CreateString(sim_ask_name(p->question.kind)));
    }
}

static void add_approval(cJSON *o, const struct sim_purchase *p)
{
    static const char *const names[] = {NULL, "pending", "approved", "denied", "expired"};
    cJSON *a = cJSON_AddObjectToObject(o, "approval");

    sim_render_text(a, "state", names[p->approval]);
    sim_render_text(a, "method", p->approval != SIM_APPROVAL_NONE ? "passkey" : NULL);
    sim_render_time(a, "decide_by",
                    p->approval != SIM_APPROVAL_NONE || p->state == SIM_WAITING ? p->decide_by_ms
                                                                                : SIM_NEVER);
    cJSON_AddNullToObject(a, "approval_url");
}

static void add_payment_ready(cJSON *o, const struct sim_purchase *p)
{
    cJSON *ready = cJSON_AddObjectToObject(o, "payment_ready");
    bool is_ready = p->state == SIM_READY;

    cJSON_AddBoolToObject(ready, "available", is_ready);
    sim_render_text(ready, "kind",
                    p->checkout_by != SIM_BY_AGENT ? NULL
                    : p->rail == SIM_RAIL_CARD     ? "card"
                    : p->rail == SIM_RAIL_GIFT     ? "gift_card"
                                                   : NULL);
    sim_render_time(ready, "expires_at", is_ready ? p->card_expires_ms : SIM_NEVER);
    if (p->epoch > 0 && !is_ready && p->is_closed) {
        cJSON_AddBoolToObject(ready, "closed", true);
    }
}

/* What the purchase cost: once it is complete, or as long as a refund is awaited. */
static int64_t paid_minor(const struct sim_purchase *p)
{
    if (p->money == SIM_MONEY_COLLECTS) {
        return p->total_minor;
    }
    if (p->state == SIM_COMPLETED) {
        return p->paid_minor > 0 ? p->paid_minor : p->total_minor;
    }
    return 0;
}

static void add_money(cJSON *o, const struct sim_purchase *p)
{
    cJSON *m = cJSON_AddObjectToObject(o, "money");
    int64_t paid = paid_minor(p);

    cJSON_AddStringToObject(m, "status", sim_money_name(p->money));
    cJSON_AddItemToObject(m, "paid", paid > 0 ? sim_render_amount(paid) : cJSON_CreateNull());
    sim_render_text(m, "merchant_order_ref", p->order_ref[0] != '\0' ? p->order_ref : NULL);
}

static void add_receipt(cJSON *o, const struct sim_purchase *p)
{
    cJSON *r = NULL;

    if (p->state != SIM_COMPLETED) {
        cJSON_AddNullToObject(o, "receipt");
        return;
    }
    r = cJSON_AddObjectToObject(o, "receipt");
    sim_render_text(r, "merchant_order_ref", p->order_ref[0] != '\0' ? p->order_ref : NULL);
    cJSON_AddItemToObject(r, "paid", sim_render_amount(paid_minor(p)));
    cJSON_AddNullToObject(r, "card");
    sim_render_time(r, "completed_at", p->completed_ms);
}

static void add_links(cJSON *o, const struct sim_world *w, const struct sim_purchase *p)
{
    cJSON *chain = cJSON_AddObjectToObject(o, "chain");
    cJSON *agent = NULL;

    sim_render_text(chain, "supersedes", p->supersedes[0] != '\0' ? p->supersedes : NULL);
    sim_render_text(chain, "superseded_by", p->superseded_by[0] != '\0' ? p->superseded_by : NULL);
    agent = cJSON_AddObjectToObject(o, "agent");
    cJSON_AddStringToObject(agent, "agent_id", w->account.agent_id);
    cJSON_AddStringToObject(agent, "display_name", w->account.agent_name);
    cJSON_AddStringToObject(agent, "verification", w->account.agent_verification);
}

void sim_render_pay_url(const struct sim_world *w, const struct sim_purchase *p, char *out,
                        size_t size)
{
    char code[13];

    sim_ident_hex(w->seed, "link", p->ordinal, 0, code, 12);
    snprintf(out, size, "https://pay.envoy.example.test/l/%s", code);
}

static void add_funding(cJSON *o, const struct sim_world *w, const struct sim_purchase *p)
{
    char url[80];
    cJSON *f = NULL;

    if (p->task != SIM_TASK_PAY_LINK) {
        return;
    }
    f = cJSON_AddObjectToObject(o, "funding");
    sim_render_pay_url(w, p, url, sizeof(url));
    cJSON_AddStringToObject(f, "url", url);
    cJSON_AddItemToObject(f, "amount", sim_render_amount(p->funding_minor));
    sim_render_time(f, "expires_at", p->decide_by_ms);
}

/* While the money of a failed report is settled, the reason is what was reported. */
static const char *reason_of(const struct sim_purchase *p)
{
    bool is_open_failure = p->state == SIM_VERIFYING && p->has_report && !p->is_report_paid;

    return p->reason == NULL && is_open_failure && p->failure_reason[0] != '\0'
               ? sim_flow_report_reason(p)
               : p->reason;
}

cJSON *sim_render_purchase(const struct sim_world *w, const struct sim_purchase *p)
{
    static const char *const by[] = {NULL, "agent", "envoy"};
    cJSON *o = cJSON_CreateObject();
    cJSON *merchant = NULL;

    cJSON_AddStringToObject(o, "purchase_id", p->id);
    cJSON_AddStringToObject(o, "service", "purchase");
    cJSON_AddStringToObject(o, "idempotency_key", p->key);
    cJSON_AddNumberToObject(o, "revision", (double)p->revision);
    cJSON_AddBoolToObject(o, "terminal", sim_state_is_terminal(p->state));
    cJSON_AddStringToObject(o, "state", sim_state_name(p->state));
    sim_render_text(o, "user_task", sim_task_name(p->task));
    sim_render_text(o, "reason_code", reason_of(p));
    cJSON_AddStringToObject(o, "status_text", p->status_text);
    sim_render_text(o, "rail", sim_rail_name(p->rail));
    sim_render_text(o, "rail_reason", p->rail_reason);
    sim_render_text(o, "checkout_by", by[p->checkout_by]);
    merchant = cJSON_AddObjectToObject(o, "merchant");
    cJSON_AddStringToObject(merchant, "name", p->merchant_name);
    cJSON_AddStringToObject(merchant, "url", p->merchant_url);
    cJSON_AddItemToObject(o, "amount", sim_render_amount(p->total_minor));
    sim_render_text(o, "description", p->description);
    add_details(o, p);
    add_question(o, p);
    add_follow_up(o, p);
    add_approval(o, p);
    add_payment_ready(o, p);
    add_money(o, p);
    add_receipt(o, p);
    add_links(o, w, p);
    sim_render_time(o, "created_at", p->created_ms);
    sim_render_time(o, "updated_at", p->updated_ms);
    add_funding(o, w, p);
    return o;
}
