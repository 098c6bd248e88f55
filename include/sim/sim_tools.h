/* SPDX-License-Identifier: Apache-2.0 */
/* The thirteen tools: one row and one function each. Knows nothing of HTTP. */
#ifndef SIM_TOOLS_H
#define SIM_TOOLS_H

#include "sim/sim_reply.h"
#include "sim/sim_world.h"

struct sim_call {
    const char *tool; /* as called; static */
    cJSON *input;     /* owned; normalised by sim_tools_run */
    struct sim_reply reply;
    bool is_held;      /* no reply yet: the read waits */
    bool is_abandoned; /* the reader has gone; its hold counts for nothing */
    struct sim_purchase *held;
    int64_t held_until_ms;
    char request_id[32];
    char trace_id[33];
};

/* input NULL means that the body was no JSON object. Takes input. */
void sim_tools_begin(struct sim_world *w, struct sim_call *call, const char *tool, cJSON *input);
/* Checks the input and runs the tool. When is_held is set afterwards, the caller puts the call on
 * hold and comes back through sim_tools_release. */
void sim_tools_run(struct sim_world *w, struct sim_call *call);
void sim_tools_release(struct sim_world *w, struct sim_call *call, bool is_unchanged);
/* The checked envelope; NULL when it breaks the contract (said on stderr and counted). */
cJSON *sim_tools_envelope(struct sim_world *w, const struct sim_call *call);
void sim_tools_end(struct sim_call *call);
/* The static name of a tool, NULL for none. */
const char *sim_tools_name(const char *name);

#endif
