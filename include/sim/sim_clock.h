/* SPDX-License-Identifier: Apache-2.0 */
/* Server time of the simulator: real, N times as fast, or standing still until told. Instants are
 * milliseconds since 1970 UTC. Time never goes back, except by sim_clock_start. */
#ifndef SIM_CLOCK_H
#define SIM_CLOCK_H

#include <stdbool.h>
#include <stdint.h>
#include "core/err.h"

/* 2026-11-30T08:32:00Z, the opening moment of a manual clock. */
#define SIM_CLOCK_FIXED_START_MS INT64_C(1796027520000)

struct sim_clock {
    int64_t factor;  /* server milliseconds in a real millisecond; 0 = manual */
    bool is_frozen;  /* stands still although it would run */
    int64_t base_ms; /* server time at base_mono_ms */
    int64_t base_mono_ms;
};

/* "real", "manual" or "xN" with N from 1 to 1000. */
enum err sim_clock_parse(struct sim_clock *c, const char *text) WARN_UNUSED;
void sim_clock_start(struct sim_clock *c); /* to its opening moment */
int64_t sim_clock_now(const struct sim_clock *c);
void sim_clock_set(struct sim_clock *c, int64_t now_ms);
void sim_clock_freeze(struct sim_clock *c, bool is_frozen);
/* Real milliseconds until due_ms (rounded up), -1 when the clock stands still or due is never. */
int sim_clock_timeout_ms(const struct sim_clock *c, int64_t due_ms);

#endif
