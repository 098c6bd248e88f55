/* SPDX-License-Identifier: Apache-2.0 */
/* The software agent of a scenario, on this connection: one row a verb. It does what a client could
 * do through the tools, without a request of its own. */
#include <string.h>

#include "core/money.h"
#include "sim/sim_flow.h"
#include "sim/sim_script.h"
#include "sim/sim_start.h"

typedef enum err agent_fn(struct sim_world *w, struct sim_purchase *p, const cJSON *args,
                          const char **why);

static const char *text_of(const cJSON *args, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(args, name);

    return cJSON_IsString(item) ? item->valuestring : NULL;
}

static enum err do_answer(struct sim_world *w, struct sim_purchase *p, const cJSON *args,
                          const char **why)
{
    (void)args;
    (void)why;
    if (p->question.kind == SIM_ASK_NONE || p->question.kind == SIM_ASK_PASSWORD) {
        return ERR_REFUSED;
    }
    sim_flow_answer(w, p);
    return ERR_OK;
}

static enum err do_look(struct sim_world *w, struct sim_purchase *p, const cJSON *args,
                        const char **why)
{
    (void)args;
    (void)why;
    return sim_flow_hand_out(w, p) != NULL ? ERR_OK : ERR_REFUSED;
}

static enum err do_report(struct sim_world *w, struct sim_purchase *p, const cJSON *args,
                          const char **why)
{
    const char *outcome = text_of(args, "outcome");
    const char *amount = text_of(args, "amount_paid");
    int64_t paid = 0;
    struct sim_attempt *a = NULL;

    if (amount != NULL && money_parse(amount, &paid) != ERR_OK) {
        *why = "amount_paid is a sum of rupees";
        return ERR_USER;
    }
    if (p->state != SIM_READY) {
        return ERR_REFUSED;
    }
    if (p->attempt_count == 0 || p->attempts[p->attempt_count - 1].epoch != p->epoch) {
        sim_flow_hand_out(w, p);
    }
    a = p->attempt_count > 0 ? &p->attempts[p->attempt_count - 1] : NULL;
    sim_flow_report(w, p, a, outcome == NULL || strcmp(outcome, "paid") == 0,
                    text_of(args, "failure_reason"), text_of(args, "order_ref"), paid);
    return ERR_OK;
}

static enum err do_step(struct sim_world *w, struct sim_purchase *p, const cJSON *args,
                        const char **why)
{
    (void)w;
    (void)args;
    (void)why;
    if (p->state != SIM_READY) {
        return ERR_REFUSED;
    }
    p->counts.steps++;
    return ERR_OK;
}

static enum err do_cancel(struct sim_world *w, struct sim_purchase *p, const cJSON *args,
                          const char **why)
{
    (void)args;
    (void)why;
    return sim_flow_cancel(w, p, false);
}

static enum err do_feedback(struct sim_world *w, struct sim_purchase *p, const cJSON *args,
                            const char **why)
{
    (void)args;
    (void)why;
    if (!p->wants_feedback) {
        return ERR_REFUSED;
    }
    p->wants_feedback = false;
    p->counts.feedbacks++;
    sim_flow_touch(w, p);
    return ERR_OK;
}

static enum err do_save(struct sim_world *w, struct sim_purchase *p, const cJSON *args,
                        const char **why)
{
    (void)args;
    (void)why;
    if (!sim_flow_offers_vault(p)) {
        return ERR_REFUSED;
    }
    sim_flow_save(w, p);
    return ERR_OK;
}

static enum err do_retry(struct sim_world *w, struct sim_purchase *p, const cJSON *args,
                         const char **why)
{
    char key[SIM_KEY_SIZE] = "sim-retry-";
    cJSON *input = cJSON_Duplicate(p->input, true);
    struct sim_reply r = {0};
    enum err e = ERR_OK;

    (void)args;
    (void)why;
    sim_ident_hex(w->seed, "retry", p->ordinal, 0, key + strlen(key), 24);
    cJSON_DeleteItemFromObjectCaseSensitive(input, "idempotency_key");
    cJSON_DeleteItemFromObjectCaseSensitive(input, "max_total");
    cJSON_AddStringToObject(input, "idempotency_key", key);
    cJSON_AddStringToObject(input, "retry_of", p->id);
    sim_start(w, input, NULL, &r);
    e = r.code == NULL ? ERR_OK : ERR_REFUSED;
    sim_reply_fini(&r);
    cJSON_Delete(input);
    return e;
}

static const struct {
    const char *verb;
    agent_fn *fn;
} verbs[] = {
    {"answer", do_answer}, {"look", do_look},         {"report", do_report}, {"step", do_step},
    {"cancel", do_cancel}, {"feedback", do_feedback}, {"save", do_save},     {"retry", do_retry},
};

enum err sim_agent_do(struct sim_world *w, struct sim_purchase *p, const char *verb,
                      const cJSON *args, const char **why)
{
    for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++) {
        if (strcmp(verbs[i].verb, verb) == 0) {
            enum err e = verbs[i].fn(w, p, args, why);

            if (e == ERR_REFUSED) {
                *why = "the agent cannot do that in this state";
            }
            return e;
        }
    }
    *why = "the agent has answer, look, report, step, cancel, feedback, save and retry";
    return ERR_USER;
}
