/* SPDX-License-Identifier: Apache-2.0 */
/* The state machine of a purchase: entering states, what happens by itself, and deadlines.
 * Invariant: state, task, phase, question and deadline change together, in sim_flow_enter only. */
#include "sim/sim_flow.h"

#include <stdio.h>
#include <string.h>

#include "core/clock.h"
#include "core/str.h"
#include "sim/sim_ledger.h"
#include "sim/sim_script.h"
#include "sim_flow_private.h"

int64_t sim_flow_pace(const struct sim_world *w, const struct sim_purchase *p, enum sim_pace pace)
{
    int32_t s = p->plan->pace_s[pace];

    return s < 0 ? SIM_NEVER : w->now_ms + (int64_t)s * 1000;
}

void sim_flow_touch(struct sim_world *w, struct sim_purchase *p)
{
    p->revision++;
    p->updated_ms = w->now_ms;
    p->unchanged_holds = 0;
}

static enum sim_pace pace_of(enum sim_phase phase)
{
    switch (phase) {
    case SIM_PHASE_QUOTE:
        return SIM_PACE_QUOTE;
    case SIM_PHASE_FUND:
        return SIM_PACE_FUND;
    case SIM_PHASE_PREPARE:
        return SIM_PACE_PREPARE;
    case SIM_PHASE_PLACE:
        return SIM_PACE_PLACE;
    case SIM_PHASE_ISSUE:
        return SIM_PACE_ISSUE;
    case SIM_PHASE_SAVE:
        return SIM_PACE_SAVE;
    default:
        return SIM_PACE_SETTLE;
    }
}

void sim_flow_plan(struct sim_world *w, struct sim_purchase *p)
{
    bool is_idle = p->phase == SIM_PHASE_NONE || p->phase == SIM_PHASE_AWAIT ||
                   p->state == SIM_WAITING || (p->state == SIM_VERIFYING && p->reason != NULL);

    p->step_due_ms =
        is_idle || sim_script_replaces(w, p) ? SIM_NEVER : sim_flow_pace(w, p, pace_of(p->phase));
}

void sim_flow_enter(struct sim_world *w, struct sim_purchase *p, enum sim_state state,
                    enum sim_phase phase, const char *text)
{
    p->state = state;
    p->phase = phase;
    if (state != SIM_WAITING) {
        p->task = SIM_TASK_NONE;
    }
    if (state != SIM_NEEDS_ANSWER && state != SIM_NEEDS_DETAILS) {
        p->question.kind = SIM_ASK_NONE;
    }
    p->state_since_ms = w->now_ms;
    p->wait_from_ms = w->now_ms;
    if (text != NULL) {
        str_copy(p->status_text, sizeof(p->status_text), text);
    } else {
        sim_flow_text(p, p->status_text, sizeof(p->status_text));
    }
    sim_flow_touch(w, p);
    sim_flow_plan(w, p);
}

void sim_flow_wait(struct sim_world *w, struct sim_purchase *p, enum sim_task task,
                   enum sim_phase phase)
{
    enum sim_pace pace = task == SIM_TASK_PAY_LINK    ? SIM_PACE_PAY_BY
                         : task == SIM_TASK_ENTER_OTP ? SIM_PACE_OTP_BY
                                                      : SIM_PACE_APPROVE_BY;

    p->task = task;
    p->decide_by_ms = sim_flow_pace(w, p, pace);
    if (task == SIM_TASK_APPROVE || task == SIM_TASK_PAY_LINK) {
        p->approval = SIM_APPROVAL_PENDING;
    }
    sim_flow_enter(w, p, SIM_WAITING, phase, NULL);
}

void sim_flow_open(struct sim_world *w, struct sim_purchase *p)
{
    if (p->checkout_by == SIM_BY_ENVOY && !p->has_address) {
        sim_flow_question(w, p, SIM_ASK_ADDRESS,
                          "Where should this order go? Name, phone, address and PIN code.",
                          SIM_WAITING, SIM_PHASE_NONE);
        return;
    }
    if (p->rail == SIM_RAIL_GIFT && p->gift->funding == SIM_FUNDING_LINK) {
        sim_flow_enter(w, p, SIM_PROCESSING, SIM_PHASE_QUOTE, NULL);
        return;
    }
    sim_flow_wait(w, p, SIM_TASK_APPROVE, SIM_PHASE_NONE);
}

void sim_flow_go(struct sim_world *w, struct sim_purchase *p)
{
    const struct sim_purchase *old =
        p->supersedes[0] != '\0' ? sim_world_find(w, p->supersedes, false) : NULL;

    if (p->rail == SIM_RAIL_CARD) {
        sim_flow_enter(w, p, SIM_PROCESSING, SIM_PHASE_FUND, NULL);
    } else if (p->rail == SIM_RAIL_GIFT) {
        if (p->gift->funding == SIM_FUNDING_BALANCE) {
            sim_ledger_hold(w, p, p->funding_minor);
            sim_ledger_debit(w, p, p->funding_minor);
        } else {
            sim_ledger_external(w, p, p->funding_minor);
        }
        sim_flow_enter(w, p, SIM_PROCESSING, SIM_PHASE_ISSUE, NULL);
    } else if (old != NULL && (old->held_minor > 0 || old->paid_minor > 0)) {
        sim_flow_enter(w, p, SIM_PROCESSING, SIM_PHASE_AWAIT, NULL);
    } else {
        sim_flow_enter(w, p, SIM_PROCESSING, SIM_PHASE_PLACE, NULL);
    }
}

void sim_flow_returned(struct sim_world *w, struct sim_purchase *p)
{
    struct sim_purchase *next =
        p->superseded_by[0] != '\0' ? sim_world_find(w, p->superseded_by, false) : NULL;

    sim_ledger_return(w, p);
    if (next != NULL && next->phase == SIM_PHASE_AWAIT) {
        sim_flow_enter(w, next, SIM_PROCESSING, SIM_PHASE_PLACE, NULL);
    }
}

void sim_flow_fail(struct sim_world *w, struct sim_purchase *p, const char *reason)
{
    p->reason = reason;
    p->is_closed = true;
    if (p->rail == SIM_RAIL_GIFT && p->paid_minor > 0) {
        /* a bought gift card is given back by its seller, which takes its time */
        p->money = SIM_MONEY_REFUND_PENDING;
        sim_flow_enter(w, p, SIM_FAILED, SIM_PHASE_RETURN, NULL);
        return;
    }
    sim_flow_returned(w, p);
    sim_flow_enter(w, p, SIM_FAILED, SIM_PHASE_NONE, NULL);
}

void sim_flow_complete(struct sim_world *w, struct sim_purchase *p, int64_t paid_minor)
{
    if (p->held_minor > 0) {
        sim_ledger_debit(w, p, paid_minor);
    }
    p->money = SIM_MONEY_DEBITED;
    p->reason = NULL;
    p->is_closed = true;
    p->completed_ms = w->now_ms;
    p->wants_feedback = true;
    sim_flow_enter(w, p, SIM_COMPLETED, SIM_PHASE_NONE, NULL);
}

const char *sim_flow_report_reason(const struct sim_purchase *p)
{
    static const char *const map[][2] = {
        {"card_not_accepted", "ORDER_CARD_NOT_ACCEPTED"},
        {"card_declined", "ORDER_CARD_DECLINED"},
        {"otp_failed", "ORDER_OTP_FAILED"},
        {"price_changed", "ORDER_PRICE_CHANGED"},
        {"out_of_stock", "ORDER_OUT_OF_STOCK"},
        {"site_blocked", "ORDER_CHECKOUT_BLOCKED"},
    };

    for (size_t i = 0; i < sizeof(map) / sizeof(map[0]); i++) {
        if (strcmp(p->failure_reason, map[i][0]) == 0) {
            return map[i][1];
        }
    }
    return "ORDER_CHECKOUT_FAILED";
}

static void settle_by_itself(struct sim_world *w, struct sim_purchase *p)
{
    if (p->is_cancelling) {
        p->is_cancelling = false;
        p->reason = p->is_cancelled_by_owner ? "USER_CANCELLED" : "ORDER_CANCELLED_BY_AGENT";
        sim_flow_returned(w, p);
        sim_flow_enter(w, p, SIM_CANCELLED, SIM_PHASE_NONE, NULL);
    } else if (p->has_report && !p->is_report_paid) {
        sim_flow_fail(w, p, sim_flow_report_reason(p));
    } else if (p->rail == SIM_RAIL_GIFT && p->funded_ms == SIM_NEVER) {
        sim_flow_fail(w, p, "USER_FUNDS_NOT_ADDED");
    } else {
        sim_flow_complete(w, p, p->reported_minor > 0 ? p->reported_minor : p->total_minor);
    }
}

static void ready(struct sim_world *w, struct sim_purchase *p)
{
    if (p->epoch == 0) {
        p->epoch = 1;
    }
    if (p->rail == SIM_RAIL_CARD && p->card_expires_ms == SIM_NEVER) {
        p->card_expires_ms = sim_flow_pace(w, p, SIM_PACE_CARD_OPEN);
    }
    p->is_closed = false;
    sim_flow_enter(w, p, SIM_READY, SIM_PHASE_NONE, NULL);
}

static void vault_saved(struct sim_world *w, struct sim_purchase *p)
{
    char day[CLOCK_TEXT_MAX];

    /* asks once, then the code opens the vault */
    if (p->vault == SIM_VAULT_SAVING && p->plan->vault_mode == SIM_VAULT_MODE_ASKS_OTP) {
        p->vault = SIM_VAULT_ASKED;
        sim_flow_question(w, p, SIM_ASK_OTP,
                          "Instinct sent you a sign-in code for your vault. What is the code?",
                          SIM_PROCESSING, SIM_PHASE_SAVE);
        return;
    }
    if (p->vault == SIM_VAULT_SAVING && p->plan->vault_mode == SIM_VAULT_MODE_APP_OTP) {
        p->vault = SIM_VAULT_ASKED;
        sim_flow_wait(w, p, SIM_TASK_ENTER_OTP, SIM_PHASE_SAVE);
        return;
    }
    if (p->plan->vault_mode == SIM_VAULT_MODE_FAILS && p->vault_entry[0] == '\0') {
        p->vault = SIM_VAULT_FAILED;
        str_copy(p->vault_entry, sizeof(p->vault_entry), "-");
        ready(w, p);
        return;
    }
    clock_rfc3339(day, w->now_ms);
    snprintf(p->vault_entry, sizeof(p->vault_entry), "envoy-%.10s-%.8s", day, p->id + 4);
    p->vault = SIM_VAULT_SAVED;
    ready(w, p);
}

static void place(struct sim_world *w, struct sim_purchase *p)
{
    char digits[8];

    if (p->rail != SIM_RAIL_GIFT) {
        sim_ledger_hold(w, p, p->total_minor);
    }
    if (p->order_ref[0] == '\0') {
        sim_ident_digits(w->seed, "order", p->ordinal, 0, digits, 6);
        snprintf(p->order_ref, sizeof(p->order_ref), "SIM-%s", digits);
    }
    sim_flow_enter(w, p, SIM_VERIFYING, SIM_PHASE_SETTLE, NULL);
}

static void step(struct sim_world *w, struct sim_purchase *p)
{
    switch (p->phase) {
    case SIM_PHASE_QUOTE:
        sim_flow_wait(w, p, SIM_TASK_PAY_LINK, SIM_PHASE_NONE);
        break;
    case SIM_PHASE_FUND:
        sim_ledger_hold(w, p, p->limit_minor);
        p->phase = SIM_PHASE_PREPARE;
        sim_flow_text(p, p->status_text, sizeof(p->status_text));
        sim_flow_touch(w, p);
        sim_flow_plan(w, p);
        break;
    case SIM_PHASE_PREPARE:
        ready(w, p);
        break;
    case SIM_PHASE_PLACE:
        place(w, p);
        break;
    case SIM_PHASE_ISSUE:
        if (p->checkout_by == SIM_BY_ENVOY) {
            sim_flow_enter(w, p, SIM_PROCESSING, SIM_PHASE_PLACE, NULL);
        } else {
            ready(w, p);
        }
        break;
    case SIM_PHASE_SAVE:
        vault_saved(w, p);
        break;
    case SIM_PHASE_RETURN:
        sim_flow_returned(w, p);
        p->phase = SIM_PHASE_NONE;
        sim_flow_touch(w, p);
        break;
    default:
        settle_by_itself(w, p);
        break;
    }
}

static void expire(struct sim_world *w, struct sim_purchase *p)
{
    if (p->state == SIM_READY) {
        sim_flow_fail(w, p, "ORDER_CARD_EXPIRED_UNUSED");
    } else if (p->task == SIM_TASK_PAY_LINK) {
        p->approval = SIM_APPROVAL_EXPIRED;
        p->money = SIM_MONEY_UNKNOWN;
        sim_flow_enter(w, p, SIM_VERIFYING, SIM_PHASE_SETTLE, NULL);
    } else if (p->task == SIM_TASK_ENTER_OTP && p->phase == SIM_PHASE_SAVE) {
        p->vault = SIM_VAULT_FAILED;
        ready(w, p);
    } else if (p->task == SIM_TASK_ENTER_OTP) {
        sim_flow_fail(w, p, "ORDER_CHECKOUT_FAILED");
    } else {
        p->approval = SIM_APPROVAL_EXPIRED;
        sim_flow_fail(w, p, "USER_APPROVAL_EXPIRED");
    }
}

static int64_t deadline(const struct sim_purchase *p)
{
    return p->state == SIM_WAITING ? p->decide_by_ms
           : p->state == SIM_READY ? p->card_expires_ms
                                   : SIM_NEVER;
}

int64_t sim_flow_due(const struct sim_purchase *p)
{
    int64_t end = deadline(p);

    return end < p->step_due_ms ? end : p->step_due_ms;
}

void sim_flow_fire(struct sim_world *w, struct sim_purchase *p)
{
    if (deadline(p) <= w->now_ms) {
        expire(w, p);
        return;
    }
    p->step_due_ms = SIM_NEVER;
    step(w, p);
}

enum err sim_flow_advance(struct sim_world *w, struct sim_purchase *p, enum sim_phase phase)
{
    if (p->state != SIM_PROCESSING) {
        return ERR_REFUSED;
    }
    if (phase == SIM_PHASE_PREPARE && p->phase == SIM_PHASE_FUND) {
        step(w, p);
    }
    if (p->phase != phase && !(phase == SIM_PHASE_PREPARE && p->phase == SIM_PHASE_ISSUE)) {
        return ERR_REFUSED;
    }
    step(w, p);
    return ERR_OK;
}
