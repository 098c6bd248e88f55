/* SPDX-License-Identifier: Apache-2.0 */
/* Two snapshots of a purchase -> the rows to add to its timeline. Pure. Rows are facts that a read
 * brought; local facts (answered, reported, read stopped) are made by app with the same struct. */
#ifndef FLOW_TIMELINE_H
#define FLOW_TIMELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "contract/reply.h"
#include "core/err.h"

enum timeline_kind {
    TIMELINE_STATE,       /* state, status text or task changed */
    TIMELINE_MONEY,       /* money changed while the state stayed */
    TIMELINE_ROUTE,       /* who checks out, rail or its reason became known or changed */
    TIMELINE_QUESTION,    /* another question than before */
    TIMELINE_ORDER,       /* merchant order reference or receipt */
    TIMELINE_ACCESS,      /* spending access opened or closed, or its deadline changed */
    TIMELINE_REPLACED,    /* superseded by another purchase */
    TIMELINE_LOCAL,       /* something done or noticed here */
    TIMELINE_WARNING,     /* noticed here and worth a warning glyph */
};

#define TIMELINE_TEXT_MAX 320
#define TIMELINE_ROWS_MAX 6 /* rows one comparison can give */

struct timeline_row {
    int64_t at_ms;             /* server time of the change */
    enum timeline_kind kind;
    struct contract_enum state; /* snapshot's state at that time; ABSENT for local rows without one */
    struct contract_enum money; /* ABSENT when this row says nothing about money */
    char text[TIMELINE_TEXT_MAX]; /* visible text for people */
};

/* before may be NULL (first sight). seen_ms: server time of the reply; rows use after->updated_at_ms
 * when it is given and not later than seen_ms. An older revision than before gives no rows; an equal
 * one with equal contents gives none. *count <= TIMELINE_ROWS_MAX. A debit is worded "money set
 * aside" until completed, then "charged"; never "paid to the merchant". */
void timeline_compare(const struct contract_purchase *before, const struct contract_purchase *after,
                      int64_t seen_ms, struct timeline_row rows[TIMELINE_ROWS_MAX], size_t *count);
/* Words for a money status in the light of the state ("not charged", "money set aside", "charged",
 * "refund on its way", "refunded", "pay on delivery", "money unknown", "unrecognised: X"). */
void timeline_money_words(const struct contract_enum *money, const struct contract_enum *state,
                          char *out, size_t size);
/* "You check out, with a one-time card. Nothing is charged yet." and its kin: one or two sentences
 * about who acts and what happened to the money; for unknown money says so. */
void timeline_summary(const struct contract_purchase *p, char *out, size_t size);

/* The progress track: five steps and where the purchase stands or how it ended. */
enum timeline_mark { TIMELINE_TODO, TIMELINE_NOW, TIMELINE_DONE, TIMELINE_BAD, TIMELINE_UNSURE };
struct timeline_step {
    const char *words; /* "approved", "prepared", "question", "ready", "confirmed", "done" ... */
    enum timeline_mark mark;
    enum contract_glyph glyph;
};
#define TIMELINE_STEPS_MAX 7
size_t timeline_track(const struct contract_purchase *p, struct timeline_step steps[TIMELINE_STEPS_MAX]);

#endif
