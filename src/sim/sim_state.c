/* SPDX-License-Identifier: Apache-2.0 */
/* GET /sim/state: everything the simulator holds, without secrets. What tests of money safety
 * assert on: how often each key had an effect, and what moved. */
#include "sim/sim_reply.h"
#include "sim/sim_server.h"

static cJSON *counts_of(const struct sim_counts *c)
{
    cJSON *o = cJSON_CreateObject();

    cJSON_AddNumberToObject(o, "starts", c->starts);
    cJSON_AddNumberToObject(o, "answers", c->answers);
    cJSON_AddNumberToObject(o, "reports", c->reports);
    cJSON_AddNumberToObject(o, "cancels", c->cancels);
    cJSON_AddNumberToObject(o, "steps", c->steps);
    cJSON_AddNumberToObject(o, "handouts", c->handouts);
    cJSON_AddNumberToObject(o, "feedbacks", c->feedbacks);
    cJSON_AddNumberToObject(o, "debits", c->debits);
    cJSON_AddNumberToObject(o, "refunds", c->refunds);
    return o;
}

static cJSON *purchase_of(const struct sim_purchase *p)
{
    cJSON *o = cJSON_CreateObject();

    cJSON_AddStringToObject(o, "purchase_id", p->id);
    cJSON_AddStringToObject(o, "idempotency_key", p->key);
    cJSON_AddStringToObject(o, "name", p->plan->name);
    cJSON_AddStringToObject(o, "connection", p->is_ours ? "this" : "other");
    cJSON_AddStringToObject(o, "merchant", p->merchant_name);
    cJSON_AddStringToObject(o, "state", sim_state_name(p->state));
    sim_render_text(o, "user_task", sim_task_name(p->task));
    sim_render_text(o, "reason_code", p->reason);
    cJSON_AddNumberToObject(o, "revision", (double)p->revision);
    sim_render_text(o, "rail", sim_rail_name(p->rail));
    cJSON_AddNumberToObject(o, "total_minor", (double)p->total_minor);
    cJSON_AddNumberToObject(o, "limit_minor", (double)p->limit_minor);
    cJSON_AddStringToObject(o, "money", sim_money_name(p->money));
    cJSON_AddNumberToObject(o, "held_minor", (double)p->held_minor);
    cJSON_AddNumberToObject(o, "paid_minor", (double)p->paid_minor);
    sim_render_text(o, "question", p->question.kind != SIM_ASK_NONE ? p->question.id : NULL);
    cJSON_AddNumberToObject(o, "unchanged_holds", p->unchanged_holds);
    cJSON_AddItemToObject(o, "counts", counts_of(&p->counts));
    return o;
}

static cJSON *effects_of(const struct sim_world *w)
{
    cJSON *list = cJSON_CreateArray();

    for (size_t i = 0; i < w->effect_count; i++) {
        const struct sim_effect *e = &w->effects[i];
        cJSON *o = cJSON_CreateObject();

        cJSON_AddStringToObject(o, "tool", e->tool);
        cJSON_AddStringToObject(o, "key", e->key);
        cJSON_AddStringToObject(o, "purchase_id", e->purchase_id);
        cJSON_AddNumberToObject(o, "calls", e->calls);
        cJSON_AddNumberToObject(o, "effects", e->effects);
        cJSON_AddItemToArray(list, o);
    }
    return list;
}

static cJSON *ledger_of(const struct sim_world *w)
{
    cJSON *list = cJSON_CreateArray();

    for (size_t i = 0; i < w->movement_count; i++) {
        const struct sim_movement *m = &w->movements[i];
        cJSON *o = cJSON_CreateObject();

        sim_render_time(o, "at", m->at_ms);
        cJSON_AddStringToObject(o, "kind", m->kind);
        cJSON_AddStringToObject(o, "purchase_id", m->purchase_id);
        cJSON_AddNumberToObject(o, "amount_minor", (double)m->amount_minor);
        cJSON_AddItemToArray(list, o);
    }
    return list;
}

static void add_totals(cJSON *o, const struct sim_world *w)
{
    struct sim_counts sum = {0};

    for (size_t i = 0; i < w->purchase_count; i++) {
        const struct sim_counts *c = &w->purchases[i]->counts;

        sum.starts += c->starts;
        sum.answers += c->answers;
        sum.reports += c->reports;
        sum.cancels += c->cancels;
        sum.steps += c->steps;
        sum.handouts += c->handouts;
        sum.feedbacks += c->feedbacks;
        sum.debits += c->debits;
        sum.refunds += c->refunds;
    }
    cJSON_AddItemToObject(o, "counts", counts_of(&sum));
}

cJSON *sim_state_render(struct sim_server *s)
{
    const struct sim_world *w = s->world;
    cJSON *o = cJSON_CreateObject();
    cJSON *clock = NULL;
    cJSON *account = NULL;
    cJSON *list = NULL;

    cJSON_AddStringToObject(o, "scenario", w->scenario);
    cJSON_AddNumberToObject(o, "seed", (double)w->seed);
    cJSON_AddBoolToObject(o, "auto", w->is_auto);
    clock = cJSON_AddObjectToObject(o, "clock");
    sim_render_time(clock, "now", w->now_ms);
    sim_render_time(clock, "opened_at", w->opened_ms);
    cJSON_AddNumberToObject(clock, "factor", (double)s->clock.factor);
    cJSON_AddBoolToObject(clock, "frozen", s->clock.factor == 0 || s->clock.is_frozen);
    account = cJSON_AddObjectToObject(o, "account");
    cJSON_AddNumberToObject(account, "balance_minor", (double)w->account.balance_minor);
    cJSON_AddNumberToObject(account, "held_minor", (double)sim_world_held(w));
    cJSON_AddNumberToObject(account, "spendable_minor", (double)sim_world_spendable(w));
    add_totals(o, w);
    list = cJSON_AddArrayToObject(o, "purchases");
    for (size_t i = 0; i < w->purchase_count; i++) {
        cJSON_AddItemToArray(list, purchase_of(w->purchases[i]));
    }
    cJSON_AddItemToObject(o, "effects", effects_of(w));
    cJSON_AddItemToObject(o, "ledger", ledger_of(w));
    cJSON_AddItemToObject(o, "faults", sim_fault_render(&s->faults));
    cJSON_AddNumberToObject(o, "holds", (double)w->hold_count);
    cJSON_AddNumberToObject(o, "calls", (double)s->calls.count);
    cJSON_AddNumberToObject(o, "budget_used", s->window_calls);
    cJSON_AddNumberToObject(o, "schema_breaches", w->schema_breaches);
    return o;
}
