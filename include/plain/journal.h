/* SPDX-License-Identifier: Apache-2.0 */
/* The command "journal": what was written down, as lines. Looks only: it takes no lock and changes
 * nothing. Invariant: standard output holds rows alone, everything else is said on standard error.
 */
#ifndef PLAIN_JOURNAL_H
#define PLAIN_JOURNAL_H

#include <stdbool.h>
#include <stdio.h>

struct plain_journal_options {
    const char *path;
    const char *purchase; /* id or idempotency key; NULL: all */
    bool json;
    bool timelines;  /* the kept timelines behind the writes */
    bool unresolved; /* only writes without a known outcome */
    FILE *out, *err;
};

/* Returns the exit code: 0 also when nothing is written down yet, 1 when the file cannot be read.
 */
int plain_journal_list(const struct plain_journal_options *o);

#endif
