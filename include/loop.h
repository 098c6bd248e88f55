/* SPDX-License-Identifier: Apache-2.0 */
/* The program's one loop: drains input, runs transfers, feeds messages to app/update, carries out
 * effects, shows the model, and blocks in exactly one place. Used by the full-screen console and by
 * line mode alike; they differ only in how the model is shown. */
#ifndef LOOP_H
#define LOOP_H

#include <stdbool.h>
#include "app/model.h"
#include "core/err.h"
#include "net/envoy_http.h"
#include "store/journal.h"
#include "ui/theme.h"

struct loop_front { /* line mode; all NULL for the full-screen console */
    void *ctx;
    /* After each pass in which the model changed. May print; must not change the model. */
    void (*show)(void *ctx, const struct model *m);
    /* Asked after each pass: true ends the loop with *exit_code. */
    bool (*finished)(void *ctx, const struct model *m, int *exit_code);
};

struct loop_options {
    const struct theme *theme; /* full screen only */
    bool no_color;
    const struct loop_front
        *front;              /* NULL: full screen on the controlling terminal (already open) */
    struct journal *journal; /* borrowed; NULL: nothing that changes something can be sent */
    const char *sim_url;     /* base of the simulator's control interface; NULL: none */
    int child_fd;            /* readable or closed when the simulator child ended; -1: none */
};

/* Signals (INT, TERM, HUP, TSTP, CONT, WINCH, PIPE) are taken over for the time of the call.
 * Returns the process's exit code. The model's secrets are wiped when it returns. */
int loop_run(struct model *m, struct envoy_http *http, const struct loop_options *options);

#endif
