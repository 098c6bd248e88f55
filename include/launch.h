/* SPDX-License-Identifier: Apache-2.0 */
/* The simulator as a child of the console: started for a demo on a free port, stopped at the end,
 * and ended by itself when the console dies. Knows nothing of what is shown. Invariants: the child
 * gets no descriptor but its own three and nothing secret in arguments or environment; its token
 * goes into guarded memory at once. */
#ifndef LAUNCH_H
#define LAUNCH_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include "core/buf.h"
#include "core/err.h"
#include "secret/secret.h"

/* When this variable names a file, the child's ready line is written there (mode 0600), so that a
 * test can reach the simulator's control calls. Its token is worth nothing anywhere else. */
#define LAUNCH_READY_ENV "ENVOY_DEMO_READY_FILE"

struct launch_options {
    const char *scenario; /* a name or a path */
    const char *clock;    /* "real", "manual" or "xN" */
    const char *seed;     /* digits; "" or NULL: the scenario's own */
    bool is_auto;         /* the owner's and the agent's part are played too */
    const char *log;      /* the child's messages are appended here; NULL: nowhere */
};

struct launch {
    pid_t pid;
    int link_fd; /* ends when the child does; closing our side ends the child */
    int said_fd; /* what the child says */
    char url[128];
    char scenario[64];
    struct secret *token; /* owned; may be taken out */
    struct buf said;      /* private: a line that is not complete yet */
    long resting;         /* private: see launch_resting */
};

/* Starts envoy-sim, from the directory of the running program or else from PATH, and waits for it
 * to be ready. ERR_CONFIG: *why (size bytes) says in one sentence what is wrong; nothing runs. */
enum err launch_start(struct launch *l, const struct launch_options *options, char *why,
                      size_t size) WARN_UNUSED;
/* How many purchases there are, once the simulator has said that none will start or move by itself
 * any more; -1 before that. */
long launch_resting(struct launch *l);
bool launch_has_ended(const struct launch *l);
/* Ends the child and waits for it; harmless when nothing runs. */
void launch_stop(struct launch *l);

#endif
