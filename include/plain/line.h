/* SPDX-License-Identifier: Apache-2.0 */
/* One fact as one line: words for people, or one JSON object. Lines hold no control byte and no
 * secret, and say everything in words, so that a pipe, a log and a screen reader get the same.
 * Invariant: a line is written whole and at once. */
#ifndef PLAIN_LINE_H
#define PLAIN_LINE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include "app/model.h"
#include "core/err.h"

struct plain_line {
    FILE *out;
    bool json;
    bool ascii; /* no byte beyond ASCII */
};

/* About the whole connection: kind is "account", "link" or "note". at_ms may be CLOCK_NONE. */
void plain_line_note(const struct plain_line *l, const char *kind, int64_t at_ms, const char *text);
/* About a purchase; kind is "event", "task", "question" or "end". state and money are contract
 * enums, CONTRACT_ABSENT where the line says nothing of them. end: "done", "failed",
 * "not_confirmed", or NULL. */
struct plain_fact {
    const char *kind;
    int64_t at_ms;
    struct contract_enum state, money;
    const char *text; /* what the service or the console said */
    /* Of a question or task: its kind as the contract calls it, its id, where to go and until when.
     */
    const char *what, *id, *url;
    int64_t by_ms;    /* CLOCK_NONE: none */
    const char *more; /* for people only, behind the text; NULL */
    const char *end;
    bool known; /* with end: it has ended, and how is known */
};
void plain_line_fact(const struct plain_line *l, const struct model *m,
                     const struct model_purchase *p, const struct plain_fact *fact);

#endif
