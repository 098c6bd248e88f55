/* SPDX-License-Identifier: Apache-2.0 */
/* Scripted runs: a text file, one step a line, that starts the console (and the simulator) and says
 * which keys are pressed and what must be seen. The language is described in docs/testing.md; the
 * table in script_steps.c is the truth. A script knows no time but patience: it waits for
 * conditions. */
#ifndef SUPPORT_SCRIPT_H
#define SUPPORT_SCRIPT_H

#include <stdbool.h>
#include <stddef.h>
#include "support/term.h"

struct script_options {
    const char *build; /* directory of envoy-console and envoy-sim */
    /* Called for each "snapshot NAME"; NULL = snapshots only prove that the screen came to rest. */
    void (*snapshot)(void *user, const char *name, const struct term *screen);
    void *user;
};

/* Runs one file. On failure returns false and *why is a text for people: file, line, step, reason
 * and the whole screen (caller frees). */
bool script_run(const char *path, const struct script_options *options, char **why);

#endif
