/* SPDX-License-Identifier: Apache-2.0 */
/* Trouble on demand. Each fault waits for the next calls of a tool (or of any) and says what goes
 * wrong; how it goes wrong on the wire is the business of sim_http. Seconds here are real seconds.
 */
#ifndef SIM_FAULT_H
#define SIM_FAULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cjson/cJSON.h>
#include "core/err.h"

enum sim_fault_kind {
    SIM_FAULT_NONE,
    SIM_FAULT_DELAY,           /* the reply comes seconds later */
    SIM_FAULT_DRIP,            /* the reply comes byte by byte, in seconds altogether */
    SIM_FAULT_RESET,           /* the connection is reset */
    SIM_FAULT_BLACKHOLE,       /* silence for seconds, then a reset */
    SIM_FAULT_REFUSE,          /* a reset, and no connection is accepted for seconds */
    SIM_FAULT_STATUS,          /* status with an empty JSON object */
    SIM_FAULT_HTML504,         /* a gateway's HTML page */
    SIM_FAULT_TRUNCATE,        /* the body ends in the middle */
    SIM_FAULT_WRONG_LENGTH,    /* Content-Length is too small */
    SIM_FAULT_GARBAGE,         /* bytes that are no JSON */
    SIM_FAULT_RATELIMIT,       /* 429; header is Retry-After, "" for none */
    SIM_FAULT_UNAUTHENTICATED, /* 401 */
    SIM_FAULT_UNAVAILABLE,     /* 503; at after it tells to read first */
};

struct sim_fault {
    enum sim_fault_kind kind;
    char tool[32]; /* "" for any */
    bool is_after; /* the call takes effect first */
    int count;
    double seconds;
    int status;
    char header[64];
    int64_t at_ms; /* server time from which it counts */
};

struct sim_faults {
    struct sim_fault *rows;
    size_t count;
};

/* Adds one from its JSON form; at_seconds is counted from base_ms. why says what is wrong. */
enum err sim_fault_add(struct sim_faults *f, const cJSON *spec, int64_t base_ms,
                       const char **why) WARN_UNUSED;
/* The fault for this call, taken out of the table; kind NONE when there is none. */
struct sim_fault sim_fault_take(struct sim_faults *f, const char *tool, int64_t now_ms);
void sim_fault_clear(struct sim_faults *f);
const char *sim_fault_name(enum sim_fault_kind kind);
cJSON *sim_fault_render(const struct sim_faults *f);

#endif
