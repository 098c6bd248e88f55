/* SPDX-License-Identifier: Apache-2.0 */
/* The console on a pseudo-terminal, on a simulator of its own with a manual clock: what the tests
 * in tests/pty start from. Fails the running cmocka test, with the screen, when something is
 * missing. */
#ifndef SUPPORT_RIG_H
#define SUPPORT_RIG_H

#include <stdbool.h>
#include "support/pty.h"
#include "support/simproc.h"
#include "support/world.h"

struct rig {
    struct world world; /* set variables between rig_prepare and rig_start */
    struct simproc *sim;
    struct pty *pty;
    int rows, cols;
    bool ignore_hup;
    bool stdin_null; /* output on the terminal, input from /dev/null */
};

void rig_prepare(struct rig *r, const char *scenario);
/* args: further options of the console, NULL at the end, or NULL. */
void rig_start(struct rig *r, const char *const *args);
/* Both, at 120x30, and waits for the first live screen. */
void rig_open(struct rig *r, const char *scenario);
/* A question is open and the answer field has the keys; "blue one" is typed into it. */
void rig_open_answer(struct rig *r);
/* A card is ready and its number is revealed: number gets its four groups of
 * four digits as they stand on the screen. */
void rig_open_revealed(struct rig *r, char number[20]);
void rig_close(struct rig *r); /* the simulator must not have breached its schemas */

/* Waits, or fails the test with the screen. */
void rig_want(struct rig *r, const char *text);
void rig_want_gone(struct rig *r, const char *text);
void rig_keys(struct rig *r, const char *names); /* key names, parted by blanks */
/* Calls of a tool so far ("*" = any). rig_writes: all calls that change something. */
int rig_calls(struct rig *r, const char *tool);
int rig_writes(struct rig *r);
/* Fails the test with words and the screen. */
void rig_fail(struct rig *r, const char *what) __attribute__((noreturn));
/* The terminal is as it was before the start, and the program has let go of it. */
void rig_want_restored(struct rig *r);

#endif
