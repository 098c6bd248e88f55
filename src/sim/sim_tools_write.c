/* SPDX-License-Identifier: Apache-2.0 */
/* The tools that change a purchase: start, report, step, cancel. Each counts its effects, which is
 * what money-safety tests assert on. Pages: complete-checkout, recovery, gift-vouchers. */
#include <stdio.h>
#include <string.h>

#include "core/money.h"
#include "sim/sim_engine.h"
#include "sim/sim_flow.h"
#include "sim/sim_start.h"
#include "sim_tools_private.h"

static void refuse_state(struct sim_call *call, struct sim_purchase *p, const char *message)
{
    sim_reply_refuse(&call->reply, "STATE_CONFLICT", message);
    call->reply.purchase = p;
}

static void count(struct sim_world *w, const char *tool, const char *key,
                  const struct sim_purchase *p, bool has_effect)
{
    struct sim_effect *e = sim_world_effect(w, tool, key, p->id);

    e->calls++;
    e->effects += has_effect;
}

void sim_tool_start(struct sim_world *w, struct sim_call *call)
{
    sim_start(w, call->input, NULL, &call->reply);
}

static struct sim_attempt *find_attempt(struct sim_purchase *p, const char *id)
{
    for (size_t i = 0; id != NULL && i < p->attempt_count; i++) {
        if (strcmp(p->attempts[i].id, id) == 0) {
            return &p->attempts[i];
        }
    }
    return NULL;
}

void sim_tool_report(struct sim_world *w, struct sim_call *call)
{
    struct sim_purchase *p = sim_tool_purchase(w, call);
    const char *id = sim_tool_text(call->input, "checkout_attempt_id");
    const char *amount = sim_tool_text(call->input, "amount_paid");
    const char *outcome = sim_tool_text(call->input, "outcome");
    struct sim_attempt *a = NULL;
    char key[SIM_KEY_SIZE + 40];
    int64_t paid = 0;

    if (p == NULL) {
        return;
    }
    a = find_attempt(p, id);
    snprintf(key, sizeof(key), "%s %s", p->id, id != NULL ? id : "no attempt");
    if (p->checkout_by == SIM_BY_ENVOY) {
        refuse_state(call, p, "Envoy checks out this purchase itself; there is nothing to report.");
    } else if (id != NULL && a == NULL) {
        sim_reply_field(&call->reply, "/checkout_attempt_id", "No handout carried this attempt.",
                        "the id of the handout that was used");
    } else if (amount != NULL && money_parse(amount, &paid) != ERR_OK) {
        sim_reply_field(&call->reply, "/amount_paid", "This is not an amount.", "rupees");
    } else if (p->state == SIM_READY && (a == NULL || a->epoch == p->epoch)) {
        sim_flow_report(w, p, a, strcmp(outcome, "paid") == 0,
                        sim_tool_text(call->input, "failure_reason"),
                        sim_tool_text(call->input, "merchant_order_ref"), paid);
        call->reply.purchase = p;
        count(w, "report_checkout_result", key, p, true);
    } else if (p->counts.reports > 0) {
        /* the first report of an attempt has won; this one only reads where things stand */
        call->reply.purchase = p;
        call->reply.is_replayed = true;
        count(w, "report_checkout_result", key, p, false);
    } else {
        refuse_state(call, p, "There is nothing to report yet, or no longer.");
    }
}

void sim_tool_step(struct sim_world *w, struct sim_call *call)
{
    struct sim_purchase *p = sim_tool_purchase(w, call);
    const char *id = sim_tool_text(call->input, "checkout_attempt_id");

    if (p == NULL) {
        return;
    }
    if (p->checkout_by != SIM_BY_AGENT || p->state != SIM_READY) {
        refuse_state(call, p, "Steps are told while the agent checks out.");
    } else if (id != NULL && find_attempt(p, id) == NULL) {
        sim_reply_field(&call->reply, "/checkout_attempt_id", "No handout carried this attempt.",
                        "the id of the handout that is used");
    } else {
        p->counts.steps++;
        call->reply.purchase = p;
    }
}

void sim_tool_cancel(struct sim_world *w, struct sim_call *call)
{
    struct sim_purchase *p = sim_tool_purchase(w, call);

    if (p == NULL) {
        return;
    }
    if (p->state == SIM_CANCELLED || p->is_cancelling) {
        call->reply.purchase = p;
        call->reply.is_replayed = true;
        count(w, "cancel_purchase", p->id, p, false);
    } else if (sim_flow_cancel(w, p, false) == ERR_OK) {
        call->reply.purchase = p;
        count(w, "cancel_purchase", p->id, p, true);
    } else if (p->has_report && p->state == SIM_VERIFYING) {
        refuse_state(call, p, "The checkout is reported, so Envoy settles the money first.");
    } else if (p->rail == SIM_RAIL_GIFT && !sim_state_is_terminal(p->state)) {
        refuse_state(call, p, "The gift card is already on its way and cannot be stopped.");
    } else {
        refuse_state(call, p, "This purchase cannot be cancelled any more.");
    }
}
