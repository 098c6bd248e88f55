/* SPDX-License-Identifier: Apache-2.0 */
/* The order of events. At one moment: purchases of the scenario start, scripts act, purchases move
 * by themselves, and last the holds end, so that a hold that ends then reads the newest state. */
#include "sim/sim_engine.h"

#include <stdio.h>
#include <string.h>

#include "core/alloc.h"
#include "sim/sim_flow.h"
#include "sim/sim_mem.h"
#include "sim/sim_script.h"
#include "sim/sim_start.h"

struct event {
    int64_t at_ms;
    enum { EVENT_NONE, EVENT_PLAN, EVENT_ACT, EVENT_FLOW, EVENT_HOLD } kind;
    size_t index;
};

static void offer(struct event *best, int64_t at_ms, int kind, size_t index)
{
    if (at_ms < best->at_ms) {
        best->at_ms = at_ms;
        best->kind = kind;
        best->index = index;
    }
}

static struct event next_event(const struct sim_world *w)
{
    struct event best = {SIM_NEVER, EVENT_NONE, 0};

    for (size_t i = 0; i < w->plan_count; i++) {
        offer(&best, w->plans[i].at_ms, EVENT_PLAN, i);
    }
    for (size_t i = 0; i < w->purchase_count; i++) {
        offer(&best, sim_script_due(w, w->purchases[i]), EVENT_ACT, i);
    }
    for (size_t i = 0; i < w->purchase_count; i++) {
        offer(&best, sim_flow_due(w->purchases[i]), EVENT_FLOW, i);
    }
    for (size_t i = 0; i < w->hold_count; i++) {
        offer(&best, w->holds[i].deadline_ms, EVENT_HOLD, i);
    }
    return best;
}

int64_t sim_engine_due(const struct sim_world *w)
{
    return next_event(w).at_ms;
}

bool sim_engine_is_resting(const struct sim_world *w)
{
    for (size_t i = 0; i < w->plan_count; i++) {
        if (w->plans[i].at_ms != SIM_NEVER) {
            return false;
        }
    }
    for (size_t i = 0; i < w->purchase_count; i++) {
        struct sim_purchase *p = w->purchases[i];

        if (sim_flow_due(p) != SIM_NEVER ||
            (!sim_state_is_terminal(p->state) && sim_script_due(w, p) != SIM_NEVER)) {
            return false;
        }
    }
    return true;
}

static void release(struct sim_world *w, size_t index, bool is_unchanged)
{
    struct sim_hold hold = w->holds[index];

    memmove(&w->holds[index], &w->holds[index + 1],
            (w->hold_count - index - 1) * sizeof(*w->holds));
    w->hold_count--;
    w->release(w->release_ctx, hold.owner, is_unchanged);
}

static void start_plan(struct sim_world *w, struct sim_plan *plan)
{
    struct sim_reply r = {0};
    cJSON *input = cJSON_Duplicate(plan->start, true);

    plan->at_ms = SIM_NEVER;
    cJSON_AddStringToObject(input, "idempotency_key", plan->key);
    sim_start(w, input, plan, &r);
    if (r.code != NULL) {
        fprintf(stderr, "envoy-sim: purchase %s of the scenario is refused: %s\n", plan->name,
                r.code);
    }
    sim_reply_fini(&r);
    cJSON_Delete(input);
}

void sim_engine_settle(struct sim_world *w)
{
    size_t i = 0;

    while (i < w->hold_count) {
        if (w->holds[i].purchase->revision != w->holds[i].after_revision) {
            release(w, i, false);
        } else {
            i++;
        }
    }
}

static void fire(struct sim_world *w, const struct event *e)
{
    switch (e->kind) {
    case EVENT_PLAN:
        start_plan(w, &w->plans[e->index]);
        break;
    case EVENT_ACT:
        sim_script_play(w, w->purchases[e->index]);
        break;
    case EVENT_FLOW:
        sim_flow_fire(w, w->purchases[e->index]);
        break;
    case EVENT_HOLD:
        release(w, e->index, true);
        break;
    default:
        break;
    }
    sim_engine_settle(w);
}

void sim_engine_run(struct sim_world *w, int64_t until_ms)
{
    struct event e = next_event(w);

    while (e.kind != EVENT_NONE && e.at_ms <= until_ms) {
        if (e.at_ms > w->now_ms) {
            w->now_ms = e.at_ms;
        }
        fire(w, &e);
        e = next_event(w);
    }
    if (until_ms > w->now_ms) {
        w->now_ms = until_ms;
    }
}

void sim_engine_hold(struct sim_world *w, struct sim_purchase *p, int64_t deadline_ms, void *owner)
{
    struct sim_hold *h = NULL;

    w->holds = sim_mem_grow(w->holds, w->hold_count + 1, sizeof(*w->holds));
    h = &w->holds[w->hold_count++];
    h->purchase = p;
    h->after_revision = p->revision;
    h->deadline_ms = deadline_ms;
    h->owner = owner;
}

void sim_engine_drop(struct sim_world *w, const void *owner)
{
    for (size_t i = 0; i < w->hold_count; i++) {
        if (w->holds[i].owner == owner) {
            memmove(&w->holds[i], &w->holds[i + 1], (w->hold_count - i - 1) * sizeof(*w->holds));
            w->hold_count--;
            return;
        }
    }
}
