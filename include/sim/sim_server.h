/* SPDX-License-Identifier: Apache-2.0 */
/* The simulator as a whole without its network: world, clock, faults, record of calls, call budget,
 * and the control calls under /sim/. */
#ifndef SIM_SERVER_H
#define SIM_SERVER_H

#include "core/err.h"
#include "sim/sim_calls.h"
#include "sim/sim_clock.h"
#include "sim/sim_fault.h"
#include "sim/sim_world.h"

#define SIM_RATE_CALLS     120
#define SIM_RATE_WINDOW_MS INT64_C(60000)

struct sim_server {
    struct sim_world *world; /* owned; replaced by a reset */
    struct sim_clock clock;
    struct sim_faults faults;
    struct sim_calls calls;
    bool is_auto;
    bool tells_rest; /* says on standard output when the world comes to rest, and when it leaves it
                      */
    bool told_rest;  /* what was said last */
    char token[64];
    int64_t window_ms; /* start of the present minute of the call budget */
    int window_calls;
    sim_release_fn *release;
    void (*forget)(void *ctx); /* a reset is near: every held read must be let go */
    void *ctx;
};

/* Loads the first world. seed 0 takes the scenario's own. */
enum err sim_server_init(struct sim_server *s, const char *scenario, uint64_t seed, char *why,
                         size_t why_size) WARN_UNUSED;
void sim_server_fini(struct sim_server *s);
/* Brings the world to the present moment, and tells of rest if it is to. */
void sim_server_tick(struct sim_server *s);
/* Counts a call. Returns 0, or the seconds until the minute ends when the budget is used up. */
int sim_server_budget(struct sim_server *s);

/* Answers a control call. path starts with /sim/; body may be NULL. Returns the HTTP status; *out
 * is always set, caller deletes it. */
int sim_control_call(struct sim_server *s, const char *method, const char *path, const cJSON *body,
                     cJSON **out);
cJSON *sim_state_render(struct sim_server *s);

#endif
