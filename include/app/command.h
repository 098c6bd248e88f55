/* SPDX-License-Identifier: Apache-2.0 */
/* Every command as one row of one table: it feeds dispatch, the key line, the palette and the help.
 * A row says where it works, whether it is allowed now and why not, and how dangerous it is. */
#ifndef APP_COMMAND_H
#define APP_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include "app/input_event.h"
#include "app/model.h"
#include "app/msg.h"

enum command_danger { COMMAND_SAFE, COMMAND_SENDS, COMMAND_IRREVERSIBLE };

/* Where a key works; a bit set. */
enum command_context {
    COMMAND_IN_ANY = 1u << 0,       /* everywhere outside text fields and dialogs */
    COMMAND_IN_LIST = 1u << 1,      /* Purchases: list */
    COMMAND_IN_DETAIL = 1u << 2,    /* Purchases: timeline and the pane below */
    COMMAND_IN_QUESTION = 1u << 3,  /* selected purchase has an open question */
    COMMAND_IN_TASK = 1u << 4,
    COMMAND_IN_HANDOUT = 1u << 5,
    COMMAND_IN_FEEDBACK = 1u << 6,
    COMMAND_IN_EDITOR = 1u << 7,    /* a text field has the keys */
    COMMAND_IN_ACCOUNT = 1u << 8,
    COMMAND_IN_TRANSACTIONS = 1u << 9,
    COMMAND_IN_ACTIVITY = 1u << 10,
    COMMAND_IN_QUESTIONS = 1u << 11,
    COMMAND_IN_DIALOG = 1u << 12,
    COMMAND_IN_DEMO = 1u << 13,     /* simulator control is there */
    COMMAND_IN_PURCHASE = 1u << 14, /* a purchase is selected, whichever pane has the focus */
    COMMAND_IN_SHOP = 1u << 16,
    COMMAND_IN_READY = 1u << 15,    /* the selected purchase is ready */
};

struct command {
    const char *name;     /* palette name, e.g. "report-paid" */
    const char *key_text; /* as shown: "p", "Ctrl-S", "Up Down"; "" for palette only */
    const char *keys;     /* names of the keys that run it, separated by blanks; NULL: key_text */
    const char *label;    /* key line: "paid" */
    const char *help;     /* one sentence */
    unsigned contexts;
    int rank;             /* lower is more wanted in the key line */
    enum command_danger danger;
    /* NULL: always allowed. Otherwise NULL result = allowed, else a sentence why not. */
    const char *(*refused)(const struct model *m);
    void (*run)(struct model *m, struct effects *fx);
};

size_t command_count(void);
const struct command *command_at(size_t index);
const struct command *command_find(const char *name);
/* Commands whose keys work right now, most wanted first, refused ones left out. */
size_t command_hints(const struct model *m, const struct command **out, size_t max);
/* The row for a key in the present context, NULL when the key means nothing here. */
const struct command *command_for_key(const struct model *m, const struct input_event *event);
/* Runs it if allowed, else puts the reason into the news line. */
void command_run(struct model *m, const struct command *c, struct effects *fx);
/* Palette: commands whose name, label or help contains text, allowed ones first. */
size_t command_match(const struct model *m, const char *text, const struct command **out, size_t max);

#endif
