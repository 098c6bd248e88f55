/* SPDX-License-Identifier: Apache-2.0 */
/* Carries out what update asked for: calls, clipboard, browser, files. Private to the loop. */
#ifndef LOOP_EFFECT_H
#define LOOP_EFFECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "app/msg.h"
#include "loop_journal.h"
#include "net/envoy_http.h"

#define LOOP_TRANSFERS_MAX (MODEL_CALLS_MAX + 4)
#define LOOP_NOTES_MAX     8

struct loop_control { /* also used for notes */
    uint64_t call;    /* the model's id; 0 for a note */
    int http_status;  /* for a note: 0 = it went well */
    char *text;       /* owned */
};

struct loop_effects {
    struct envoy_http *http;
    struct loop_journal journal;
    bool on_screen;
    bool want_suspend;
    struct {
        uint64_t call, transfer;
    } map[LOOP_TRANSFERS_MAX];
    size_t map_count;
    struct loop_control notes[LOOP_NOTES_MAX];
    size_t note_count;
};

/* journal is borrowed; without one nothing that needs an intent goes out. */
void loop_effects_init(struct loop_effects *l, struct envoy_http *http, struct journal *journal,
                       bool on_screen);
void loop_effects_fini(struct loop_effects *l);
void loop_effects_run(struct loop_effects *l, struct effects *fx);
/* Finished calls, with the model's id in them; the caller finishes what it took. */
bool loop_effects_next(struct loop_effects *l, struct envoy_result *out);
bool loop_effects_next_control(struct loop_effects *l, struct loop_control *out);
bool loop_effects_next_note(struct loop_effects *l, struct loop_control *out);
bool loop_effects_waiting(const struct loop_effects *l); /* notes that nobody took yet */

#endif
