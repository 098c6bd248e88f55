/* SPDX-License-Identifier: Apache-2.0 */
/* Private seams between the files of the journal. */
#ifndef STORE_JOURNAL_PRIVATE_H
#define STORE_JOURNAL_PRIVATE_H

#include <sqlite3.h>
#include <stddef.h>
#include "core/err.h"
#include "store/db.h"
#include "store/journal.h"

struct journal {
    struct db *db;
    struct journal_status status;
    size_t added; /* timeline rows since old ones were last let go */
};

/* Brings the status up to what the db says, and hands e back. */
enum err journal_note(struct journal *j, enum err e);
/* Tries to be open for writing, once, when trouble that may have passed stood in the way. */
enum err journal_ready(struct journal *j) WARN_UNUSED;
enum err journal_prune(struct journal *j) WARN_UNUSED;

/* NULL and "" are stored as NULL. The text must live until the statement has run. */
void journal_bind_text(sqlite3_stmt *stmt, int at, const char *text);
void journal_bind_ms(sqlite3_stmt *stmt, int at, int64_t ms); /* CLOCK_NONE: NULL */
/* The stored word of a contract value; CONTRACT_ABSENT: NULL, CONTRACT_UNRECOGNISED: raw or "?". */
void journal_bind_word(sqlite3_stmt *stmt, int at, enum contract_kind kind, int value,
                       const char *raw);
void journal_take_text(sqlite3_stmt *stmt, int at, char *out, size_t size); /* exact, cut to size */
int64_t journal_take_ms(sqlite3_stmt *stmt, int at);
int journal_take_word(sqlite3_stmt *stmt, int at, enum contract_kind kind);

#endif
