/* SPDX-License-Identifier: Apache-2.0 */
/* What people do to a purchase: the owner in the app, the merchant, Envoy's staff. Each function
 * refuses what the present state does not allow and has then changed nothing. */
#include "sim/sim_flow.h"

#include <stdio.h>
#include <string.h>

#include "core/str.h"
#include "sim/sim_ledger.h"
#include "sim/sim_mem.h"
#include "sim_flow_private.h"

static int64_t needed(const struct sim_purchase *p)
{
    if (p->rail == SIM_RAIL_GIFT) {
        return p->gift->funding == SIM_FUNDING_BALANCE ? p->funding_minor : 0;
    }
    return p->rail == SIM_RAIL_CARD ? p->limit_minor : p->total_minor;
}

enum err sim_flow_approve(struct sim_world *w, struct sim_purchase *p)
{
    if (p->task != SIM_TASK_APPROVE) {
        return ERR_REFUSED;
    }
    p->approval = SIM_APPROVAL_APPROVED;
    if (needed(p) > sim_world_spendable(w)) {
        sim_flow_wait(w, p, SIM_TASK_ADD_MONEY, SIM_PHASE_NONE);
        return ERR_OK;
    }
    sim_flow_go(w, p);
    return ERR_OK;
}

enum err sim_flow_decline(struct sim_world *w, struct sim_purchase *p)
{
    if (p->task != SIM_TASK_APPROVE) {
        return ERR_REFUSED;
    }
    p->approval = SIM_APPROVAL_DENIED;
    sim_flow_fail(w, p, "USER_DECLINED");
    return ERR_OK;
}

enum err sim_flow_pay(struct sim_world *w, struct sim_purchase *p)
{
    if (p->task == SIM_TASK_APPROVE && p->rail == SIM_RAIL_GIFT &&
        p->gift->funding == SIM_FUNDING_APP) {
        return sim_flow_approve(w, p);
    }
    if (p->task != SIM_TASK_PAY_LINK) {
        return ERR_REFUSED;
    }
    p->approval = SIM_APPROVAL_APPROVED;
    sim_flow_go(w, p);
    return ERR_OK;
}

enum err sim_flow_enter_otp(struct sim_world *w, struct sim_purchase *p)
{
    if (p->task != SIM_TASK_ENTER_OTP) {
        return ERR_REFUSED;
    }
    sim_flow_enter(w, p, SIM_PROCESSING, p->phase, NULL);
    return ERR_OK;
}

enum err sim_flow_add_money(struct sim_world *w, struct sim_purchase *p, int64_t amount_minor)
{
    int64_t lacking = needed(p) - sim_world_spendable(w);

    if (p->task != SIM_TASK_ADD_MONEY) {
        return ERR_REFUSED;
    }
    if (amount_minor == 0) {
        /* people add round sums */
        amount_minor = (lacking + 500 * SIM_RUPEE - 1) / (500 * SIM_RUPEE) * 500 * SIM_RUPEE;
    }
    sim_ledger_load(w, p, amount_minor);
    if (needed(p) <= sim_world_spendable(w)) {
        sim_flow_go(w, p);
    }
    return ERR_OK;
}

void sim_flow_question(struct sim_world *w, struct sim_purchase *p, enum sim_ask kind,
                       const char *prompt, enum sim_state resume_state, enum sim_phase resume_phase)
{
    bool is_detail = kind == SIM_ASK_ADDRESS || kind == SIM_ASK_USER_REQUEST;
    struct sim_question *q = &p->question;

    q->kind = kind;
    snprintf(q->id, sizeof(q->id), "q%u-%.16s", ++p->question_count, p->id + 4);
    str_copy(q->prompt, sizeof(q->prompt), prompt);
    q->asked_ms = w->now_ms;
    q->resume_state = resume_state;
    q->resume_phase = resume_phase;
    sim_flow_enter(w, p, is_detail ? SIM_NEEDS_DETAILS : SIM_NEEDS_ANSWER, SIM_PHASE_NONE, NULL);
}

enum err sim_flow_ask(struct sim_world *w, struct sim_purchase *p, enum sim_ask kind,
                      const char *prompt)
{
    bool is_asking = p->state == SIM_NEEDS_ANSWER || p->state == SIM_NEEDS_DETAILS;

    if (p->state == SIM_PROCESSING) {
        sim_flow_question(w, p, kind, prompt, SIM_PROCESSING, p->phase);
    } else if (p->task == SIM_TASK_APPROVE) {
        sim_flow_question(w, p, kind, prompt, SIM_WAITING, SIM_PHASE_NONE);
    } else if (is_asking) {
        /* a newer question takes the place of the open one */
        sim_flow_question(w, p, kind, prompt, p->question.resume_state, p->question.resume_phase);
    } else {
        return ERR_REFUSED;
    }
    return ERR_OK;
}

void sim_flow_answer(struct sim_world *w, struct sim_purchase *p)
{
    p->answered_count++;
    p->counts.answers++;
    if (p->question.kind == SIM_ASK_ADDRESS) {
        p->has_address = true;
    }
    if (p->question.resume_state == SIM_WAITING) {
        sim_flow_wait(w, p, SIM_TASK_APPROVE, SIM_PHASE_NONE);
    } else {
        sim_flow_enter(w, p, SIM_PROCESSING, p->question.resume_phase, NULL);
    }
}

enum err sim_flow_ask_bank(struct sim_world *w, struct sim_purchase *p)
{
    if (p->state != SIM_PROCESSING || p->checkout_by != SIM_BY_ENVOY) {
        return ERR_REFUSED;
    }
    sim_flow_wait(w, p, SIM_TASK_ENTER_OTP, p->phase);
    return ERR_OK;
}

enum err sim_flow_settle(struct sim_world *w, struct sim_purchase *p, const char *order_ref,
                         int64_t paid_minor)
{
    bool is_placing = p->state == SIM_PROCESSING && p->checkout_by == SIM_BY_ENVOY;

    if (p->state != SIM_VERIFYING && !is_placing) {
        return ERR_REFUSED;
    }
    if (is_placing) {
        if (p->phase != SIM_PHASE_PLACE) {
            return ERR_REFUSED;
        }
        if (p->held_minor == 0 && p->paid_minor == 0) {
            sim_ledger_hold(w, p, p->total_minor);
        }
    }
    if (order_ref != NULL) {
        str_copy(p->order_ref, sizeof(p->order_ref), order_ref);
    }
    if (paid_minor == 0) {
        paid_minor = p->reported_minor > 0 ? p->reported_minor : p->total_minor;
    }
    p->is_cancelling = false;
    sim_flow_complete(w, p, paid_minor);
    return ERR_OK;
}

enum err sim_flow_refund(struct sim_world *w, struct sim_purchase *p)
{
    if (p->held_minor == 0 && p->paid_minor == 0) {
        return ERR_REFUSED;
    }
    if (p->state != SIM_VERIFYING && !sim_state_is_terminal(p->state)) {
        return ERR_REFUSED;
    }
    if (p->money == SIM_MONEY_REFUND_PENDING) {
        sim_flow_returned(w, p);
        p->phase = SIM_PHASE_NONE;
        if (p->state == SIM_VERIFYING) {
            sim_flow_fail(w, p,
                          p->has_report ? sim_flow_report_reason(p) : "ORDER_CHECKOUT_FAILED");
            p->money = SIM_MONEY_REFUNDED;
            return ERR_OK;
        }
        sim_flow_touch(w, p);
        return ERR_OK;
    }
    p->money = SIM_MONEY_REFUND_PENDING;
    if (p->state == SIM_VERIFYING) {
        p->has_report = true;
        p->is_report_paid = false;
        p->reason = NULL;
        sim_flow_enter(w, p, SIM_VERIFYING, SIM_PHASE_SETTLE,
                       "The money is on its way back. Envoy is confirming it.");
        return ERR_OK;
    }
    p->phase = SIM_PHASE_RETURN;
    sim_flow_touch(w, p);
    sim_flow_plan(w, p);
    return ERR_OK;
}

enum err sim_flow_collect(struct sim_world *w, struct sim_purchase *p, const char *order_ref)
{
    if (p->state != SIM_VERIFYING && p->state != SIM_PROCESSING) {
        return ERR_REFUSED;
    }
    if (order_ref != NULL) {
        str_copy(p->order_ref, sizeof(p->order_ref), order_ref);
    }
    sim_ledger_return(w, p);
    p->reason = NULL;
    p->is_closed = true;
    p->money = SIM_MONEY_COLLECTS;
    p->completed_ms = w->now_ms;
    p->wants_feedback = true;
    sim_flow_enter(w, p, SIM_COMPLETED, SIM_PHASE_NONE, NULL);
    return ERR_OK;
}

enum err sim_flow_break(struct sim_world *w, struct sim_purchase *p, const char *reason)
{
    if (sim_state_is_terminal(p->state)) {
        return ERR_REFUSED;
    }
    p->is_cancelling = false;
    sim_flow_fail(w, p, reason);
    return ERR_OK;
}

enum err sim_flow_reopen(struct sim_world *w, struct sim_purchase *p)
{
    if (p->state != SIM_VERIFYING || p->rail != SIM_RAIL_CARD || !p->has_report ||
        p->is_report_paid || p->held_minor == 0) {
        return ERR_REFUSED;
    }
    p->has_report = false;
    p->failure_reason[0] = '\0';
    p->reason = NULL;
    p->money = SIM_MONEY_DEBITED;
    p->order_ref[0] = '\0';
    p->reported_minor = 0;
    p->is_closed = false;
    p->epoch++;
    p->card_expires_ms = sim_flow_pace(w, p, SIM_PACE_CARD_OPEN);
    sim_flow_enter(w, p, SIM_READY, SIM_PHASE_NONE, NULL);
    return ERR_OK;
}

enum err sim_flow_lose(struct sim_world *w, struct sim_purchase *p)
{
    if (p->state != SIM_VERIFYING && p->state != SIM_PROCESSING) {
        return ERR_REFUSED;
    }
    p->reason = "ORDER_OUTCOME_UNKNOWN";
    p->money = SIM_MONEY_UNKNOWN;
    p->is_closed = true;
    sim_flow_enter(w, p, SIM_VERIFYING, SIM_PHASE_SETTLE, NULL);
    return ERR_OK;
}

static const char *fallback_reason(const struct sim_purchase *old)
{
    const char *reason = old->reason != NULL ? old->reason : sim_flow_report_reason(old);

    if (strcmp(reason, "ORDER_CHECKOUT_BLOCKED") == 0) {
        return "RAIL_FALLBACK_SITE_BLOCKED";
    }
    if (strcmp(reason, "ORDER_ISSUER_UNAVAILABLE") == 0) {
        return "RAIL_FALLBACK_ISSUER_UNAVAILABLE";
    }
    return "RAIL_FALLBACK_CARD_NOT_ACCEPTED";
}

enum err sim_flow_supersede(struct sim_world *w, struct sim_purchase *old, const char *key,
                            const struct sim_plan *plan, struct sim_purchase **out)
{
    struct sim_purchase *p = NULL;

    if (old->superseded_by[0] != '\0' || old->state == SIM_COMPLETED ||
        old->state == SIM_CANCELLED || old->rail != SIM_RAIL_CARD) {
        return ERR_REFUSED;
    }
    p = sim_world_add(w, plan, key);
    p->is_ours = old->is_ours;
    p->input = cJSON_Duplicate(old->input, true);
    str_copy(p->merchant_name, sizeof(p->merchant_name), old->merchant_name);
    p->merchant_url = sim_mem_text(old->merchant_url);
    str_copy(p->site, sizeof(p->site), old->site);
    str_copy(p->description, sizeof(p->description), old->description);
    p->total_minor = old->total_minor;
    p->limit_minor = old->total_minor;
    p->has_address = old->has_address;
    p->rail = SIM_RAIL_OPERATED;
    p->rail_reason = fallback_reason(old);
    p->checkout_by = SIM_BY_ENVOY;
    p->counts.starts = 1;
    str_copy(p->supersedes, sizeof(p->supersedes), old->id);
    str_copy(old->superseded_by, sizeof(old->superseded_by), p->id);
    old->is_closed = true;
    old->reason = NULL;
    if (old->held_minor > 0) {
        old->money = SIM_MONEY_REFUND_PENDING;
        sim_flow_enter(w, old, SIM_SUPERSEDED, SIM_PHASE_RETURN, NULL);
    } else {
        sim_flow_enter(w, old, SIM_SUPERSEDED, SIM_PHASE_NONE, NULL);
    }
    sim_flow_open(w, p);
    *out = p;
    return ERR_OK;
}
