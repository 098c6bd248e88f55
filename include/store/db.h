/* SPDX-License-Identifier: Apache-2.0 */
/* One SQLite file that belongs to one process at a time: found, made private, locked, checked and
 * brought up to its newest schema. Knows nothing of what the tables mean. Whatever is wrong with
 * the file is a value (enum db_fault), not a failure: a file that cannot be trusted is left exactly
 * as it was found. */
#ifndef STORE_DB_H
#define STORE_DB_H

#include <stdbool.h>
#include <stddef.h>
#include "core/err.h"

struct sqlite3;
struct sqlite3_stmt;
struct db;

enum db_mode { DB_OFF, DB_READ_ONLY, DB_READ_WRITE };

enum db_fault {
    DB_FINE,
    DB_CHOSEN,   /* opened for reading because the caller asked for that */
    DB_HELD,     /* another process has it: db_holder says which */
    DB_NO_LOCKS, /* the file system has no locks, or no shared memory for the log of writes */
    DB_SEALED,   /* read-only file system, or no permission to write */
    DB_FULL,     /* no space left */
    DB_MISSING,  /* is not there and could not be made, or only looked for */
    DB_DAMAGED,
    DB_FOREIGN, /* a database of something else */
    DB_NEWER,   /* a schema that this version does not know */
    DB_OLDER, /* an older schema that cannot be brought up to date because nothing can be written */
    DB_UNSAFE, /* a symbolic link, a second name, or someone else's file */
    DB_BUSY,   /* something else keeps a lock inside the file */
    DB_IO,     /* any other failure to read or write */
};

/* steps[n] brings schema n to n + 1, starting from an empty file. */
struct db_schema {
    int application_id;
    const char *const *steps;
    int step_count;
};

struct db_options {
    const char *path; /* NULL: in memory, gone at the end */
    bool make_dir;    /* make the directory (and what leads to it) and keep it at 0700 */
    bool read_only;   /* take no lock, change nothing */
    const struct db_schema *schema; /* borrowed for as long as the db lives */
};

/* ERR_MEMORY only; everything else is a mode and a fault. */
enum err db_open(const struct db_options *options, struct db **out) WARN_UNUSED;
/* Closes the file, not the lock, and opens it again: after a full disk, a read-only remount, or
 * when the process that held it has ended. false: left as it was, because another process still
 * has it (db_holder says which), or it is in memory. */
bool db_reopen(struct db *db);
void db_close(struct db *db); /* NULL allowed */

enum db_mode db_mode(const struct db *db);
enum db_fault db_fault(const struct db *db);
long db_holder(const struct db *db);        /* PID in the lock file; 0 when not known */
const char *db_path(const struct db *db);   /* "" in memory */
int db_version(const struct db *db);        /* schema found in the file */
const char *db_detail(const struct db *db); /* the system's word for the fault, or "" */

/* For the modules of store/. handle is NULL while the mode is DB_OFF. */
struct sqlite3 *db_handle(struct db *db);
/* Remembers why a statement failed; returns ERR_MEMORY or ERR_STORE. After damage was met nothing
 * is written any more. */
enum err db_failed(struct db *db, int sqlite_code);
enum err db_exec(struct db *db, const char *sql) WARN_UNUSED;
enum err db_prepare(struct db *db, const char *sql, struct sqlite3_stmt **out) WARN_UNUSED;
/* Runs a statement that gives no rows, and finalizes it. */
enum err db_finish(struct db *db, struct sqlite3_stmt *stmt) WARN_UNUSED;
/* durable: the commit is on the disk when db_end returns ERR_OK. Otherwise it may be lost with the
 * power, never torn. */
enum err db_begin(struct db *db, bool durable) WARN_UNUSED;
enum err db_end(struct db *db, enum err so_far) WARN_UNUSED; /* commits ERR_OK, else rolls back */

#endif
