/* SPDX-License-Identifier: Apache-2.0 */
/* Private to the command "call": what the journal is told of a write. */
#ifndef PLAIN_CALL_NOTE_H
#define PLAIN_CALL_NOTE_H

#include "plain/call.h"

struct call_note {
    int64_t row;      /* 0: nothing to note */
    int64_t began_ms; /* server time of the account's reply, and of this clock then */
    int64_t began_mono;
    char ref[CONTRACT_ID_MAX]; /* what a later read goes by: purchase, or the key of a start */
    enum journal_state state;
};

/* Commits the intent of body to the journal. ERR_OK: it may go out. Otherwise it must not, and why
 * says the reason. */
enum err call_note_intent(const struct plain_call_options *o, const char *account, int64_t at_ms,
                          struct secret *body, struct call_note *note,
                          char why[JOURNAL_WORDS_MAX]) WARN_UNUSED;
void call_note_sent(const struct plain_call_options *o, const struct call_note *note);
/* What came of it; sets note->state. */
void call_note_outcome(const struct plain_call_options *o, struct call_note *note,
                       const struct envoy_result *r);

#endif
