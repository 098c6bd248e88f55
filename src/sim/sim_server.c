/* SPDX-License-Identifier: Apache-2.0 */
/* Loading and replacing worlds, time and the call budget. A world that cannot be loaded leaves the
 * present one as it is. */
#include "sim/sim_server.h"

#include <stdio.h>
#include <string.h>

#include "core/alloc.h"
#include "sim/sim_engine.h"
#include "sim/sim_mem.h"
#include "sim/sim_scenario.h"
#include "sim_server_private.h"

static enum err load_faults(struct sim_faults *faults, const struct sim_world *w, const char **why)
{
    const cJSON *row = NULL;
    enum err e = ERR_OK;

    cJSON_ArrayForEach(row, cJSON_GetObjectItemCaseSensitive(w->doc, "faults"))
    {
        e = e == ERR_OK ? sim_fault_add(faults, row, w->opened_ms, why) : e;
    }
    return e;
}

enum err sim_server_load(struct sim_server *s, const char *scenario, uint64_t seed, char *why,
                         size_t why_size)
{
    struct sim_world *w = sim_mem_zero(1, sizeof(*w));
    struct sim_clock clock = s->clock;
    struct sim_faults faults = {0};
    const char *problem = NULL;
    enum err e = ERR_OK;

    sim_clock_start(&clock);
    sim_world_init(w, seed, sim_clock_now(&clock));
    w->is_auto = s->is_auto;
    e = sim_scenario_load(w, scenario, why, why_size);
    if (e == ERR_OK) {
        e = load_faults(&faults, w, &problem);
        if (e != ERR_OK) {
            snprintf(why, why_size, "faults: %s", problem);
        }
    }
    if (e != ERR_OK) {
        sim_fault_clear(&faults);
        sim_world_fini(w);
        alloc_free(w);
        return e;
    }
    w->release = s->release;
    w->release_ctx = s->ctx;
    if (s->world != NULL) {
        s->forget(s->ctx);
        sim_world_fini(s->world);
        alloc_free(s->world);
    }
    sim_fault_clear(&s->faults);
    s->faults = faults;
    s->world = w;
    s->clock = clock;
    s->window_ms = w->now_ms;
    s->window_calls = 0;
    return ERR_OK;
}

enum err sim_server_init(struct sim_server *s, const char *scenario, uint64_t seed, char *why,
                         size_t why_size)
{
    enum err e = sim_server_load(s, scenario, seed, why, why_size);

    if (e == ERR_OK) {
        memcpy(s->token, "sim_", 4);
        sim_ident_hex(s->world->seed, "token", 0, 0, s->token + 4, 40);
    }
    return e;
}

void sim_server_fini(struct sim_server *s)
{
    if (s->world != NULL) {
        sim_world_fini(s->world);
        alloc_free(s->world);
    }
    sim_fault_clear(&s->faults);
    sim_calls_fini(&s->calls);
    memset(s, 0, sizeof(*s));
}

/* One JSON line for each change. Whoever started this program may be gone: that is no error. */
static void tell_rest(struct sim_server *s)
{
    bool is_resting = sim_engine_is_resting(s->world);

    if (!s->tells_rest || is_resting == s->told_rest) {
        return;
    }
    s->told_rest = is_resting;
    printf("{\"rest\":%s,\"purchases\":%zu}\n", is_resting ? "true" : "false",
           s->world->purchase_count);
    fflush(stdout);
}

void sim_server_tick(struct sim_server *s)
{
    sim_engine_run(s->world, sim_clock_now(&s->clock));
    tell_rest(s);
}

int sim_server_budget(struct sim_server *s)
{
    int64_t now = s->world->now_ms;

    if (now - s->window_ms >= SIM_RATE_WINDOW_MS) {
        s->window_ms = now;
        s->window_calls = 0;
    }
    if (s->window_calls >= SIM_RATE_CALLS) {
        return (int)((s->window_ms + SIM_RATE_WINDOW_MS - now + 999) / 1000);
    }
    s->window_calls++;
    return 0;
}
