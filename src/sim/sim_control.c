/* SPDX-License-Identifier: Apache-2.0 */
/* Control calls: one row and one function each. They need no token, since the simulator listens on
 * this machine only and everything in it is made up. */
#include <stdio.h>
#include <string.h>

#include "core/clock.h"
#include "sim/sim_engine.h"
#include "sim/sim_reply.h"
#include "sim/sim_script.h"
#include "sim_server_private.h"

#define ADVANCE_MAX_SECONDS 3.2e7

typedef int control_fn(struct sim_server *s, const cJSON *body, cJSON **out);
typedef enum err actor_fn(struct sim_world *w, struct sim_purchase *p, const char *verb,
                          const cJSON *args, const char **why);

static const char *text_of(const cJSON *o, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(o, name);

    return cJSON_IsString(item) ? item->valuestring : NULL;
}

static int answer(cJSON **out, int status, const char *error)
{
    *out = cJSON_CreateObject();
    cJSON_AddStringToObject(*out, "error", error);
    return status;
}

static int do_state(struct sim_server *s, const cJSON *body, cJSON **out)
{
    (void)body;
    *out = sim_state_render(s);
    return 200;
}

static int do_calls(struct sim_server *s, const cJSON *body, cJSON **out)
{
    (void)body;
    *out = cJSON_CreateObject();
    cJSON_AddNumberToObject(*out, "dropped", (double)s->calls.dropped);
    cJSON_AddItemToObject(*out, "calls", cJSON_Duplicate(s->calls.rows, true));
    return 200;
}

static int do_reset(struct sim_server *s, const cJSON *body, cJSON **out)
{
    const char *scenario = text_of(body, "scenario");
    const cJSON *seed = cJSON_GetObjectItemCaseSensitive(body, "seed");
    char name[256];
    char why[400];
    FILE *log = s->calls.log;

    if (seed != NULL && (!cJSON_IsNumber(seed) || seed->valuedouble < 0)) {
        return answer(out, 400, "seed is a number from 0; 0 takes the scenario's own");
    }
    snprintf(name, sizeof(name), "%s", scenario != NULL ? scenario : s->world->scenario);
    if (sim_server_load(s, name, seed != NULL ? (uint64_t)seed->valuedouble : 0, why,
                        sizeof(why)) != ERR_OK) {
        return answer(out, 400, why);
    }
    sim_calls_fini(&s->calls);
    sim_calls_init(&s->calls, log);
    *out = sim_state_render(s);
    return 200;
}

static void leap(struct sim_server *s, int64_t to_ms)
{
    sim_engine_run(s->world, to_ms);
    sim_clock_set(&s->clock, to_ms);
}

static int do_clock(struct sim_server *s, const cJSON *body, cJSON **out)
{
    const cJSON *advance = cJSON_GetObjectItemCaseSensitive(body, "advance_seconds");
    const cJSON *freeze = cJSON_GetObjectItemCaseSensitive(body, "freeze");
    const char *set = text_of(body, "set");
    int64_t to_ms = 0;

    if (cJSON_GetArraySize(body) != 1) {
        return answer(out, 400, "one of advance_seconds, freeze and set");
    }
    if (cJSON_IsNumber(advance)) {
        if (advance->valuedouble < 0 || advance->valuedouble > ADVANCE_MAX_SECONDS) {
            return answer(out, 400, "advance_seconds is out of bounds");
        }
        leap(s, s->world->now_ms + (int64_t)(advance->valuedouble * 1000));
    } else if (cJSON_IsBool(freeze)) {
        sim_clock_freeze(&s->clock, cJSON_IsTrue(freeze));
    } else if (set != NULL && clock_parse(set, &to_ms) == ERR_OK) {
        if (to_ms < s->world->now_ms) {
            return answer(out, 409, "time does not go back; reset starts over");
        }
        leap(s, to_ms);
    } else {
        return answer(out, 400, "one of advance_seconds, freeze and set");
    }
    *out = cJSON_CreateObject();
    sim_render_time(*out, "now", s->world->now_ms);
    cJSON_AddBoolToObject(*out, "frozen", s->clock.factor == 0 || s->clock.is_frozen);
    return 200;
}

static int act(struct sim_server *s, const cJSON *body, actor_fn *fn, cJSON **out)
{
    const char *ref = text_of(body, "purchase");
    const char *action = text_of(body, "action");
    const char *why = "";
    struct sim_purchase *p = NULL;
    enum err e = ERR_OK;

    if (action == NULL) {
        return answer(out, 400, "purchase and action are needed");
    }
    p = sim_world_find(s->world, ref != NULL ? ref : "latest", true);
    if (p == NULL) {
        return answer(out, 404, "there is no such purchase");
    }
    e = fn(s->world, p, action, body, &why);
    if (e != ERR_OK) {
        return answer(out, e == ERR_USER ? 400 : 409, why);
    }
    sim_engine_settle(s->world);
    *out = cJSON_CreateObject();
    cJSON_AddStringToObject(*out, "purchase", p->id);
    cJSON_AddStringToObject(*out, "state", sim_state_name(p->state));
    cJSON_AddNumberToObject(*out, "revision", (double)p->revision);
    return 200;
}

static int do_phone(struct sim_server *s, const cJSON *body, cJSON **out)
{
    return act(s, body, sim_phone_do, out);
}

static int do_merchant(struct sim_server *s, const cJSON *body, cJSON **out)
{
    return act(s, body, sim_merchant_do, out);
}

static int do_fault(struct sim_server *s, const cJSON *body, cJSON **out)
{
    const char *why = "";

    if (cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(body, "clear"))) {
        sim_fault_clear(&s->faults);
    } else if (sim_fault_add(&s->faults, body, s->world->now_ms, &why) != ERR_OK) {
        return answer(out, 400, why);
    }
    *out = cJSON_CreateObject();
    cJSON_AddItemToObject(*out, "faults", sim_fault_render(&s->faults));
    return 200;
}

static const struct {
    const char *method;
    const char *path;
    control_fn *fn;
} rows[] = {
    {"GET", "/sim/state", do_state},  {"GET", "/sim/calls", do_calls},
    {"POST", "/sim/reset", do_reset}, {"POST", "/sim/clock", do_clock},
    {"POST", "/sim/phone", do_phone}, {"POST", "/sim/merchant", do_merchant},
    {"POST", "/sim/fault", do_fault},
};

int sim_control_call(struct sim_server *s, const char *method, const char *path, const cJSON *body,
                     cJSON **out)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (strcmp(rows[i].path, path) == 0 && strcmp(rows[i].method, method) == 0) {
            if (strcmp(method, "POST") == 0 && !cJSON_IsObject(body)) {
                return answer(out, 400, "the body is one JSON object");
            }
            return rows[i].fn(s, body, out);
        }
    }
    return answer(out, 404, "NOT_FOUND");
}
