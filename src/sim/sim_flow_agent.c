/* SPDX-License-Identifier: Apache-2.0 */
/* What the agent does to a purchase: takes the handout, reports, cancels, saves to a vault.
 * Invariant: a report counts once for each opening of the card, whatever attempt it names. */
#include "sim/sim_flow.h"

#include <string.h>

#include "core/str.h"
#include "sim/sim_mem.h"
#include "sim_flow_private.h"

const struct sim_attempt *sim_flow_hand_out(struct sim_world *w, struct sim_purchase *p)
{
    struct sim_attempt *a = NULL;

    if (p->state != SIM_READY || !p->is_ours || p->is_closed || p->checkout_by != SIM_BY_AGENT) {
        return NULL;
    }
    p->attempts = sim_mem_grow(p->attempts, p->attempt_count + 1, sizeof(*p->attempts));
    a = &p->attempts[p->attempt_count++];
    memset(a, 0, sizeof(*a));
    sim_ident_uuid(w->seed, p->ordinal, p->attempt_count, a->id);
    a->epoch = p->epoch;
    a->code_expires_ms = sim_flow_pace(w, p, SIM_PACE_CODE_OPEN);
    p->counts.handouts++;
    return a;
}

void sim_flow_report(struct sim_world *w, struct sim_purchase *p, struct sim_attempt *attempt,
                     bool is_paid, const char *failure_reason, const char *order_ref,
                     int64_t paid_minor)
{
    if (attempt != NULL) {
        attempt->is_reported = true;
    }
    p->has_report = true;
    p->is_report_paid = is_paid;
    str_copy(p->failure_reason, sizeof(p->failure_reason),
             failure_reason != NULL ? failure_reason : "");
    if (order_ref != NULL) {
        str_copy(p->order_ref, sizeof(p->order_ref), order_ref);
    }
    p->reported_minor = is_paid && paid_minor <= p->limit_minor ? paid_minor : 0;
    p->is_closed = true;
    p->counts.reports++;
    sim_flow_enter(w, p, SIM_VERIFYING, SIM_PHASE_SETTLE, NULL);
}

/* A gift card that is being issued, or was, cannot be stopped; neither can a reported checkout or
 * an order that Envoy has placed. */
bool sim_flow_may_cancel(const struct sim_purchase *p)
{
    if (sim_state_is_terminal(p->state) || p->state == SIM_VERIFYING) {
        return false;
    }
    return p->rail != SIM_RAIL_GIFT || p->funded_ms == SIM_NEVER;
}

enum err sim_flow_cancel(struct sim_world *w, struct sim_purchase *p, bool by_owner)
{
    if (!sim_flow_may_cancel(p)) {
        return ERR_REFUSED;
    }
    p->counts.cancels++;
    p->is_closed = true;
    p->is_cancelled_by_owner = by_owner;
    if (p->held_minor > 0) {
        p->is_cancelling = true;
        p->money = SIM_MONEY_REFUND_PENDING;
        sim_flow_enter(w, p, SIM_VERIFYING, SIM_PHASE_SETTLE, NULL);
        return ERR_OK;
    }
    if (p->approval == SIM_APPROVAL_PENDING) {
        p->approval = SIM_APPROVAL_NONE;
    }
    p->reason = by_owner ? "USER_CANCELLED" : "ORDER_CANCELLED_BY_AGENT";
    sim_flow_enter(w, p, SIM_CANCELLED, SIM_PHASE_NONE, NULL);
    return ERR_OK;
}

bool sim_flow_offers_vault(const struct sim_purchase *p)
{
    return p->state == SIM_READY && p->rail == SIM_RAIL_CARD && p->is_ours && !p->is_closed &&
           p->plan->vault_mode != SIM_VAULT_MODE_NONE &&
           (p->vault == SIM_VAULT_NONE || p->vault == SIM_VAULT_FAILED);
}

void sim_flow_save(struct sim_world *w, struct sim_purchase *p)
{
    p->vault = SIM_VAULT_SAVING;
    p->is_closed = true;
    sim_flow_enter(w, p, SIM_PROCESSING, SIM_PHASE_SAVE, NULL);
}

bool sim_flow_may_retry(const struct sim_purchase *p)
{
    if (p->rail != SIM_RAIL_CARD || !p->is_ours || p->superseded_by[0] != '\0') {
        return false;
    }
    if (p->state == SIM_FAILED && p->reason != NULL &&
        strcmp(p->reason, "ORDER_ISSUER_UNAVAILABLE") == 0) {
        return true;
    }
    if (!p->has_report || p->is_report_paid || p->money == SIM_MONEY_UNKNOWN) {
        return false;
    }
    return (p->state == SIM_VERIFYING || p->state == SIM_FAILED) &&
           strcmp(p->failure_reason, "price_changed") != 0 &&
           strcmp(p->failure_reason, "out_of_stock") != 0;
}
