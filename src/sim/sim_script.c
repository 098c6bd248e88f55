/* SPDX-License-Identifier: Apache-2.0 */
/* Acts of a scenario: which is next, when it is due, and playing it. The cursor of a purchase only
 * moves forward, so every act is played at most once. */
#include "sim/sim_script.h"

#include <string.h>

#include "sim/sim_flow.h"

#define WILLING_OWNER_MS 4000

static bool is_playable(const struct sim_world *w, const struct sim_act *act)
{
    return w->is_auto || w->is_past || act->actor == SIM_ACTOR_MERCHANT ||
           act->actor == SIM_ACTOR_ENVOY;
}

static bool is_here(const struct sim_purchase *p, const struct sim_act *act)
{
    const char *task = sim_task_name(p->task);

    return strcmp(act->when, "start") == 0 || strcmp(act->when, sim_state_name(p->state)) == 0 ||
           (task != NULL && strcmp(act->when, task) == 0);
}

static bool is_true(const struct sim_purchase *p, const struct sim_act *act)
{
    switch (act->condition) {
    case SIM_IF_PAID:
        return p->has_report && p->is_report_paid;
    case SIM_IF_FAILED:
        return p->has_report && !p->is_report_paid;
    case SIM_IF_ANSWERED:
        return p->answered_count > 0;
    default:
        /* a script that was written for a payment must not complete one that was reported failed
         * or stopped by the person who plays */
        return strcmp(act->verb, "settle") != 0 || p->money == SIM_MONEY_UNKNOWN ||
               !((p->has_report && !p->is_report_paid) || p->is_cancelling);
    }
}

/* A condition is judged only where its act would be played: before that the fact may still come. */
static const struct sim_act *next_act(const struct sim_world *w, struct sim_purchase *p)
{
    while (p->act_next < p->plan->act_count) {
        const struct sim_act *act = &p->plan->acts[p->act_next];

        if (is_playable(w, act) && !(is_here(p, act) && !is_true(p, act))) {
            return act;
        }
        p->act_next++;
    }
    return NULL;
}

/* With --auto nobody is at the phone, so a purchase without a script of its own gets an owner who
 * does what is asked after a moment. */
static bool has_willing_owner(const struct sim_world *w, const struct sim_purchase *p)
{
    return w->is_auto && p->plan->act_count == 0 && p->state == SIM_WAITING;
}

int64_t sim_script_due(const struct sim_world *w, struct sim_purchase *p)
{
    const struct sim_act *act = next_act(w, p);

    if (has_willing_owner(w, p)) {
        return p->state_since_ms + WILLING_OWNER_MS;
    }
    if (act == NULL || !is_here(p, act)) {
        return SIM_NEVER;
    }
    return act->wait_ms + (strcmp(act->when, "start") == 0 ? p->created_ms : p->state_since_ms);
}

bool sim_script_replaces(const struct sim_world *w, struct sim_purchase *p)
{
    const struct sim_act *act = next_act(w, p);

    return act != NULL && strcmp(act->when, sim_state_name(p->state)) == 0 &&
           (act->actor == SIM_ACTOR_MERCHANT || act->actor == SIM_ACTOR_ENVOY);
}

void sim_script_play(struct sim_world *w, struct sim_purchase *p)
{
    const struct sim_act *act = next_act(w, p);
    const char *why = NULL;
    int64_t revision = p->revision;
    enum err e = ERR_OK;

    if (has_willing_owner(w, p)) {
        e = sim_phone_do(w, p, p->task == SIM_TASK_PAY_LINK ? "pay" : sim_task_name(p->task), NULL,
                         &why);
        return;
    }
    if (act == NULL) {
        return;
    }
    p->act_next++;
    switch (act->actor) {
    case SIM_ACTOR_OWNER:
        e = sim_phone_do(w, p, act->verb, act->args, &why);
        break;
    case SIM_ACTOR_AGENT:
        e = sim_agent_do(w, p, act->verb, act->args, &why);
        break;
    default:
        e = sim_merchant_do(w, p, act->verb, act->args, &why);
        break;
    }
    if (act->actor != SIM_ACTOR_AGENT && (e != ERR_OK || p->revision == revision)) {
        /* the act stood in the way of what happens by itself and changed nothing */
        sim_flow_plan(w, p);
    }
}
