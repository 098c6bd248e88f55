/* SPDX-License-Identifier: Apache-2.0 */
/* The transaction list: lines made from the seed, merged with those of this run's purchases. */
#ifndef SIM_HISTORY_H
#define SIM_HISTORY_H

#include "sim/sim_world.h"

#define SIM_CURSOR_SIZE 64

struct sim_range {
    int64_t from_ms;  /* first moment in the range */
    int64_t until_ms; /* first moment after it, SIM_NEVER for none */
    int limit;
};

/* Fills w->lines with count lines of the last days days before now, newest first. */
void sim_history_make(struct sim_world *w, size_t count, int days);
/* One page, newest first. cursor NULL for the first page. Returns an array, or NULL when the cursor
 * belongs to another range or page size or was changed. next is "" at the end. */
cJSON *sim_history_page(const struct sim_world *w, const struct sim_range *range,
                        const char *cursor, char next[SIM_CURSOR_SIZE]);

#endif
