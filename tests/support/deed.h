/* SPDX-License-Identifier: Apache-2.0 */
/* What a person can change at Envoy from the real console, as keys, and the three-way agreement
 * that must hold afterwards: the simulator's ledger, the console's journal, and the screen. Shared
 * by the tests in tests/fault. Invariant: a check never trusts one of the three for another. */
#ifndef SUPPORT_DEED_H
#define SUPPORT_DEED_H

#include <stdbool.h>
#include <stddef.h>
#include "support/rig.h"

/* Steps, one a line: "approve NAME" on the owner's phone, "advance SECONDS", "ask NAME" by the
 * merchant, "wait TEXT", "keys NAMES", "type TEXT", "pause" (a dialog takes no key sooner). */
struct deed {
    const char *name;     /* of the row, for messages and as the argument of a test */
    const char *scenario; /* of the simulator */
    const char *tool;     /* as calls and the journal name it */
    const char *ledger;   /* the counter in the simulator's counts; NULL: by key alone */
    const char *prepare;  /* up to the dialog before the last */
    const char *confirm;  /* the keys that send */
    const char *unknown;  /* regular expression: on the screen while the outcome is unknown */
    const char *done;     /* on the screen only when Envoy has it */
    const char *undone;   /* on the screen once it is known that nothing came of it */
    const char *only;     /* the one kind of fault it is tried with so far; NULL: every kind */
    bool is_light;        /* nothing hangs on it: it is not read for, and may stay unknown */
};

extern const struct deed deeds[];
extern const size_t deed_count;

const struct deed *deed_find(const char *name); /* NULL when there is none */

/* The simulator starts this scenario over, and the console a fresh world. */
void deed_reset(struct rig *r, const char *scenario, unsigned seed);
void deed_steps(struct rig *r, const char *steps);

struct deed_truth {
    int rows;        /* of the tool in the journal */
    int open;        /* of these, without a known outcome */
    int done;        /* claimed as recorded by Envoy */
    int refused;     /* claimed as refused or never sent */
    int effects;     /* of the tool in the simulator's counts */
    int most;        /* the most effects that one key had */
    char words[256]; /* the rows' states, for messages */
};
/* Reads journal (through the console's own list) and simulator, and matches them key by key: fails
 * the test when a row says recorded and nothing was, or refused and something was. lies: the
 * simulator refuses what it has recorded, so a refusal may be wrong. */
void deed_truth(struct rig *r, const struct deed *d, bool lies, struct deed_truth *out);

#endif
