/* SPDX-License-Identifier: Apache-2.0 */
/* The purchases of a scenario and their acts. Every start is judged by the same schema as a call.
 */
#include <stdio.h>
#include <string.h>

#include "core/str.h"
#include "sim/sim_mem.h"
#include "sim/sim_schema.h"
#include "sim_scenario_private.h"

#define ACT_KEYS                                                                                   \
    "when seconds if actor do kind prompt order_ref paid reason text outcome failure_reason "      \
    "amount_paid step rating amount"

static const char *const actors[] = {"owner", "merchant", "envoy", "agent"};
static const char *const conditions[] = {NULL, "paid", "failed", "answered"};
static const char *const vaults[] = {NULL, "saves", "asks_otp", "app_otp", "fails"};
static const char *const verbs[] = {
    "approve", "decline", "pay",      "enter_otp", "add_money", "cancel",       "ask",
    "otp",     "fund",    "prepare",  "place",     "settle",    "refund",       "collects",
    "fail",    "block",   "reopen",   "unknown",   "supersede", "answer",       "look",
    "report",  "step",    "feedback", "save",      "retry",     "out_of_stock",
};

static bool is_moment(const char *word)
{
    if (strcmp(word, "start") == 0) {
        return true;
    }
    for (int i = 0; i < SIM_STATE_COUNT; i++) {
        if (strcmp(sim_state_name((enum sim_state)i), word) == 0) {
            return true;
        }
    }
    for (int i = 1; i < SIM_TASK_COUNT; i++) {
        if (strcmp(sim_task_name((enum sim_task)i), word) == 0) {
            return true;
        }
    }
    return false;
}

static void read_act(struct sim_reader *r, const cJSON *o, struct sim_act *act)
{
    const char *when = NULL;
    double seconds = 0;
    size_t verb = 0;

    if (!sim_reader_keys(r, o, "act", ACT_KEYS)) {
        return;
    }
    when = sim_reader_text(r, o, "when");
    seconds = sim_reader_number(r, o, "seconds", 0);
    verb = sim_reader_word(r, o, "do", verbs, sizeof(verbs) / sizeof(verbs[0]), SIZE_MAX);
    if (verb == SIZE_MAX || cJSON_GetObjectItemCaseSensitive(o, "actor") == NULL) {
        sim_reader_fail(r, "act", "needs actor and do");
        return;
    }
    if ((when != NULL && !is_moment(when)) || seconds < 0 || seconds > 1e7) {
        sim_reader_fail(r, "act", "has a when or seconds that cannot be");
        return;
    }
    act->actor = (enum sim_actor)sim_reader_word(r, o, "actor", actors, 4, 0);
    act->condition = (enum sim_condition)sim_reader_word(r, o, "if", conditions, 4, 0);
    act->wait_ms = (int64_t)(seconds * 1000);
    act->args = o;
    str_copy(act->verb, sizeof(act->verb), verbs[verb]);
    str_copy(act->when, sizeof(act->when), when != NULL ? when : "start");
}

static void read_acts(struct sim_reader *r, const cJSON *list, struct sim_plan *plan)
{
    const cJSON *o = NULL;
    int count = cJSON_GetArraySize(list);

    plan->acts = sim_mem_zero((size_t)count, sizeof(*plan->acts));
    cJSON_ArrayForEach(o, list)
    {
        read_act(r, o, &plan->acts[plan->act_count++]);
    }
}

static void read_pace(struct sim_reader *r, const cJSON *pace, struct sim_plan *plan)
{
    char keys[256] = "";
    size_t n = 0;

    for (int i = 0; i < SIM_PACE_COUNT; i++) {
        const char *name = sim_pace_name((enum sim_pace)i);

        n += (size_t)snprintf(keys + n, sizeof(keys) - n, "%s ", name);
        plan->pace_s[i] =
            (int32_t)sim_reader_number(r, pace, name, sim_pace_default((enum sim_pace)i));
    }
    if (pace != NULL) {
        sim_reader_keys(r, pace, "pace", keys);
    }
}

static void check_start(struct sim_reader *r, struct sim_plan *plan, cJSON *start)
{
    struct sim_schema_field fields[SIM_SCHEMA_FIELDS_MAX];
    cJSON *input = cJSON_Duplicate(start, true);
    char what[400];

    cJSON_AddStringToObject(input, "idempotency_key", plan->key);
    if (sim_schema_check_input("start_purchase", input, fields) > 0) {
        snprintf(what, sizeof(what), "start %s %s", fields[0].path, fields[0].problem);
        sim_reader_fail(r, plan->name, what);
    }
    /* the plan keeps the normalised form */
    cJSON_DeleteItemFromObjectCaseSensitive(input, "idempotency_key");
    plan->start = input;
}

static void read_purchase(struct sim_reader *r, cJSON *o, struct sim_plan *plan)
{
    struct sim_world *w = r->world;
    const char *text = NULL;
    cJSON *start = cJSON_GetObjectItemCaseSensitive(o, "start");
    double at = sim_reader_number(r, o, "at", 0);

    if (!sim_reader_keys(r, o, "purchase",
                         "name at key connection start retry_of pace vault acts")) {
        return;
    }
    text = sim_reader_text(r, o, "name");
    if (text == NULL) {
        sim_reader_fail(r, "purchase", "needs a name");
        return;
    }
    str_copy(plan->name, sizeof(plan->name), text);
    text = sim_reader_text(r, o, "retry_of");
    str_copy(plan->retry_of, sizeof(plan->retry_of), text != NULL ? text : "");
    text = sim_reader_text(r, o, "key");
    if (text != NULL) {
        str_copy(plan->key, sizeof(plan->key), text);
    } else {
        snprintf(plan->key, sizeof(plan->key), "sim-start-");
        sim_ident_hex(w->seed, "key", (uint64_t)(plan - w->plans), 0, plan->key + 10, 24);
    }
    text = sim_reader_text(r, o, "connection");
    plan->is_ours = text == NULL || strcmp(text, "other") != 0;
    plan->vault_mode = (enum sim_vault_mode)sim_reader_word(r, o, "vault", vaults, 5, 0);
    read_pace(r, cJSON_GetObjectItemCaseSensitive(o, "pace"), plan);
    read_acts(r, cJSON_GetObjectItemCaseSensitive(o, "acts"), plan);
    plan->at_ms = SIM_NEVER;
    if (plan->retry_of[0] == '\0') {
        if (!cJSON_IsObject(start)) {
            sim_reader_fail(r, plan->name, "needs start or retry_of");
            return;
        }
        check_start(r, plan, start);
        plan->at_ms = w->opened_ms + (int64_t)(at * 1000);
    }
}

void sim_reader_purchases(struct sim_reader *r, const cJSON *list)
{
    struct sim_world *w = r->world;
    int count = cJSON_GetArraySize(list);

    w->plans = sim_mem_zero((size_t)count, sizeof(*w->plans));
    for (int i = 0; i < count; i++) {
        /* counted first, so that what it holds is freed also after a mistake */
        w->plan_count++;
        w->plans[i].at_ms = SIM_NEVER;
        read_purchase(r, cJSON_GetArrayItem(list, i), &w->plans[i]);
    }
}
