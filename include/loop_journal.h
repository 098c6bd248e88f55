/* SPDX-License-Identifier: Apache-2.0 */
/* Between the loop and the journal: an intent is committed before a write goes out, its outcome is
 * noted when update knows it, timelines are kept and shown again, and what is unresolved from
 * before is handed to the model. Private to the loop. */
#ifndef LOOP_JOURNAL_H
#define LOOP_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "app/msg.h"
#include "store/journal.h"

#define LOOP_JOURNAL_OPEN_MAX 128 /* writes without a known outcome at once */

struct loop_journal {
    struct journal *j; /* borrowed; NULL: no journal at all, and then nothing is ever written */
    struct {
        uint64_t call;
        int64_t row;
    } map[LOOP_JOURNAL_OPEN_MAX];
    size_t count;
    bool recovered;               /* what was unresolved has been handed over since it was opened */
    unsigned opened;              /* which opening that was */
    char told[JOURNAL_WORDS_MAX]; /* what was said about its state last */
    int64_t tried_mono;           /* when it was opened again last, or that was tried */
};

void loop_journal_init(struct loop_journal *l, struct journal *j);
/* May this call go out? False with the reason in why: then it must not. */
bool loop_journal_intent(struct loop_journal *l, const struct effect *e,
                         char why[JOURNAL_WORDS_MAX]);
void loop_journal_sent(struct loop_journal *l, const struct effect *e);
void loop_journal_outcome(struct loop_journal *l, const struct effect *e);
/* Before input is taken: opens the journal again when that may help and was not tried just now.
 * Wakes nothing by itself. */
void loop_journal_retry(struct loop_journal *l, struct model *m);
/* Once a pass: hands over what is unresolved as soon as the account is known, loads the timelines
 * of purchases that are new here, keeps the rows that are new, and says when the journal's state
 * changes. */
void loop_journal_sync(struct loop_journal *l, struct model *m);

#endif
