/* SPDX-License-Identifier: Apache-2.0 */
/* What can happen to the model, and what the loop must do afterwards. update() is the only place
 * where a message changes the model; it performs nothing itself: effects are carried out by the
 * loop in the order in which they were added. */
#ifndef APP_MSG_H
#define APP_MSG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "app/input_event.h"
#include "app/model.h"
#include "net/envoy_http.h"
#include "store/journal.h"

enum msg_kind {
    MSG_START,   /* once, first */
    MSG_INPUT,   /* a key, text, paste, focus or size change */
    MSG_RESULT,  /* a call ended; result is moved out of the message */
    MSG_CONTROL, /* a call to the simulator's control interface ended */
    MSG_NOT_SENT, /* a call could not be started */
    MSG_TICK,    /* some time that update asked for has come */
    MSG_SUSPEND, /* about to be stopped: mask and wipe */
    MSG_RESUME,
    MSG_NOTE,    /* something the loop did ended: text for the news line, exit_code 0 = well */
    MSG_CLOSE,   /* terminal gone or a signal to end: wipe, quit without asking */
};

struct msg {
    enum msg_kind kind;
    int64_t now_mono;
    const struct input_event *input;
    struct envoy_result *result; /* result->id is the model's call id */
    uint64_t call;
    int http_status;
    const char *text; /* control reply, note, why not sent */
    int exit_code;
};

/* What is committed to the journal before a write goes out. Never an answer's words. */
struct effect_intent {
    bool wanted;
    char account[JOURNAL_ACCOUNT_MAX];
    char key[CONTRACT_ID_MAX];
    char purchase[CONTRACT_ID_MAX];
    char question[CONTRACT_QUESTION_ID_MAX];
    char attempt[CONTRACT_UUID_MAX];
    int outcome, failure, step; /* contract enums, CONTRACT_ABSENT when not meant */
    int64_t at_ms;
    char merchant[256];         /* of a start */
    int64_t amount_minor;       /* of a start; -1: none */
};

enum effect_kind {
    EFFECT_CALL,    /* POST /tools/{tool}; with an intent only after that is on the disk */
    EFFECT_OUTCOME, /* note what came of an earlier call */
    EFFECT_ABORT,
    EFFECT_CONTROL, /* simulator control: path, body */
    EFFECT_COPY,    /* to the terminal's clipboard (OSC 52); never a secret */
    EFFECT_OPEN,    /* hand an https link to the desktop's browser */
    EFFECT_WRITE_FILE, /* export: path, body; never overwrites */
    EFFECT_REDRAW,  /* repaint everything */
    EFFECT_SUSPEND, /* stop this process (job control) */
};

struct effect {
    enum effect_kind kind;
    uint64_t call; /* the model's id of the call */
    enum contract_tool tool;
    struct buf body;        /* owned; also text to copy, file contents */
    struct secret *secret;  /* owned; body with a secret instead of body */
    int64_t timeout_ms;
    char path[512];
    struct effect_intent intent;
    struct model_outcome outcome;
};

#define EFFECTS_MAX 32
struct effects {
    struct effect items[EFFECTS_MAX];
    size_t count;
};

void effects_init(struct effects *fx);
void effects_fini(struct effects *fx); /* frees what was not taken */
/* NULL when full: the caller then tries again at the next tick. */
struct effect *effects_add(struct effects *fx, enum effect_kind kind);

/* Applies one message. Adds effects. Sets m->dirty when the screen changes. */
void app_update(struct model *m, const struct msg *msg, struct effects *fx);
/* Monotonic time at which update wants a MSG_TICK: due reads, ends of waits, and the next change of
 * something that counts on screen; INT64_MAX when nothing does. on_screen false (line mode) leaves
 * the counting out. */
int64_t app_wake_mono(const struct model *m, bool on_screen);

/* The journal's side. A write from an earlier run without a known outcome: it stands as UNKNOWN and is
 * read. Returns the call id it is known by from now on, 0 when it is not taken (it is then said). */
uint64_t app_recover(struct model *m, const struct journal_write *w);
void app_recover_done(struct model *m, size_t other_account);
/* Rows kept from earlier runs, oldest first, before those of this run. */
void app_add_history(struct model *m, struct model_purchase *p, const struct timeline_row *rows,
                     size_t count);
/* The journal's state has changed; words is "" when all is well. */
void app_journal_state(struct model *m, enum journal_mode mode, const char *words);

#endif
