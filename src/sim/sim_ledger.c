/* SPDX-License-Identifier: Apache-2.0 */
/* Holds, debits and returns. Invariant: a purchase holds money or has paid it, never both. */
#include "sim/sim_ledger.h"

static void begin(struct sim_world *w, struct sim_purchase *p)
{
    p->money = SIM_MONEY_DEBITED;
    p->funded_ms = w->now_ms;
}

void sim_ledger_hold(struct sim_world *w, struct sim_purchase *p, int64_t amount_minor)
{
    p->held_minor = amount_minor;
    begin(w, p);
    sim_world_move(w, "hold", p, amount_minor);
}

void sim_ledger_external(struct sim_world *w, struct sim_purchase *p, int64_t amount_minor)
{
    p->paid_minor = amount_minor;
    p->counts.debits++;
    begin(w, p);
    sim_world_move(w, "external", p, amount_minor);
}

void sim_ledger_debit(struct sim_world *w, struct sim_purchase *p, int64_t paid_minor)
{
    if (p->held_minor > 0) {
        sim_world_move(w, "release", p, p->held_minor);
        p->held_minor = 0;
        w->account.balance_minor -= paid_minor;
        p->paid_minor = paid_minor;
        p->counts.debits++;
        sim_world_move(w, "debit", p, paid_minor);
    }
    p->money = SIM_MONEY_DEBITED;
}

void sim_ledger_return(struct sim_world *w, struct sim_purchase *p)
{
    bool has_moved = p->held_minor > 0 || p->paid_minor > 0;

    if (p->held_minor > 0) {
        sim_world_move(w, "release", p, p->held_minor);
    }
    if (p->paid_minor > 0) {
        sim_world_move(w, "refund", p, p->paid_minor);
        if (p->gift == NULL || p->gift->funding == SIM_FUNDING_BALANCE) {
            w->account.balance_minor += p->paid_minor;
        }
    }
    p->held_minor = 0;
    p->paid_minor = 0;
    if (has_moved) {
        p->counts.refunds++;
    }
    p->money = has_moved ? SIM_MONEY_REFUNDED : SIM_MONEY_NOT_STARTED;
}

void sim_ledger_load(struct sim_world *w, const struct sim_purchase *p, int64_t amount_minor)
{
    w->account.balance_minor += amount_minor;
    sim_world_move(w, "load", p, amount_minor);
}
