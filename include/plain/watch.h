/* SPDX-License-Identifier: Apache-2.0 */
/* Line mode: what the model brings, a line for each event, until everything that is watched has
 * ended or cannot be confirmed. Changes nothing and asks nothing; the loop runs it as its front.
 * Invariants: a row is written once, in order of time; an end that is not known is never written as
 * done or failed (case P2). */
#ifndef PLAIN_WATCH_H
#define PLAIN_WATCH_H

#include <stdbool.h>
#include "app/model.h"
#include "plain/line.h"

struct plain_watch_options {
    struct plain_line line;
    const char *purchase; /* id or idempotency key; "" for all that are or come open */
    /* Demo: everything of the scenario is watched, also what had ended before. resting says how
     * many purchases there are once nothing more will happen by itself, -1 before that. */
    long (*resting)(void *ctx); /* NULL: no demo */
    bool (*service_gone)(void *ctx);
    void *ctx;
};

struct plain_watch;

/* NULL without memory. The options' strings and ctx are borrowed for its life. */
struct plain_watch *plain_watch_new(const struct plain_watch_options *options);
void plain_watch_free(struct plain_watch *w);

/* For struct loop_front; ctx is the struct plain_watch. */
void plain_watch_show(void *ctx, const struct model *m);
bool plain_watch_finished(void *ctx, const struct model *m, int *exit_code);
/* The closing lines: how each purchase ended, or that it is not confirmed yet. Returns the exit
 * code: loop_code unless that is 0 or 1, else what the ends give (0, 1, 4 or 5). */
int plain_watch_end(struct plain_watch *w, const struct model *m, int loop_code);

#endif
