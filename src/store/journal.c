/* SPDX-License-Identifier: Apache-2.0 */
/* The journal as a whole: where it lies, its tables, what is wrong with it in words, and what is
 * let go. Invariants: a released schema step never changes, a new version adds one; what is
 * unresolved is never let go; nothing is deleted while the file is in doubt. */
#include <stdio.h>
#include <string.h>

#include "core/alloc.h"
#include "core/clock.h"
#include "core/str.h"
#include "journal_private.h"

#define APPLICATION_ID 0x456e4a31 /* "EnJ1" */
#define DAY_MS         (24 * 3600 * INT64_C(1000))
#define PATH_SHOWN     160 /* bytes; a longer path is cut */

/* Lengths are checked in the file too: a row that breaks them is damage (quick_check sees it). */
static const char *const steps[] = {
    "CREATE TABLE writes("
    " id INTEGER PRIMARY KEY AUTOINCREMENT,"
    " account TEXT NOT NULL CHECK(length(account) BETWEEN 1 AND 128),"
    " tool TEXT NOT NULL CHECK(length(tool) <= 64),"
    " idem TEXT CHECK(length(idem) BETWEEN 16 AND 64),"
    " purchase TEXT CHECK(length(purchase) BETWEEN 1 AND 64),"
    " question TEXT CHECK(length(question) BETWEEN 1 AND 512),"
    " attempt TEXT CHECK(length(attempt) = 36),"
    " outcome TEXT CHECK(length(outcome) <= 64),"
    " failure TEXT CHECK(length(failure) <= 64),"
    " step TEXT CHECK(length(step) <= 64),"
    " merchant TEXT CHECK(length(merchant) <= 512),"
    " amount_minor INTEGER,"
    " input BLOB CHECK(length(input) <= 65536),"
    " state TEXT NOT NULL CHECK(state IN ('intent', 'sent', 'unknown', 'done', 'replayed',"
    "  'refused', 'not_sent', 'settled')),"
    " at_ms INTEGER NOT NULL, sent_ms INTEGER, ended_ms INTEGER,"
    " code TEXT CHECK(length(code) <= 64),"
    " http_status INTEGER,"
    " request_id TEXT CHECK(length(request_id) <= 128)) STRICT;"
    "CREATE UNIQUE INDEX writes_idem ON writes(idem) WHERE idem IS NOT NULL;"
    "CREATE INDEX writes_open ON writes(state) WHERE state IN ('intent', 'sent', 'unknown');",

    "ALTER TABLE writes ADD COLUMN attempts INTEGER NOT NULL DEFAULT 1;"
    "CREATE TABLE timeline("
    " id INTEGER PRIMARY KEY AUTOINCREMENT,"
    " account TEXT NOT NULL CHECK(length(account) BETWEEN 1 AND 128),"
    " purchase TEXT NOT NULL CHECK(length(purchase) BETWEEN 1 AND 64),"
    " at_ms INTEGER NOT NULL,"
    " kind TEXT NOT NULL CHECK(length(kind) <= 23),"
    " state TEXT CHECK(length(state) <= 64),"
    " money TEXT CHECK(length(money) <= 64),"
    " text TEXT NOT NULL CHECK(length(text) <= 320),"
    " UNIQUE(account, purchase, at_ms, kind, text)) STRICT;",
};
static const struct db_schema schema = {APPLICATION_ID, steps, sizeof steps / sizeof steps[0]};

bool journal_default_path(const char *xdg_state_home, const char *home, char *out, size_t size)
{
    bool xdg = xdg_state_home && xdg_state_home[0] == '/';
    if (!xdg && (!home || home[0] != '/'))
        return false;
    int n = snprintf(out, size, "%s%s/envoy-console/journal.db", xdg ? xdg_state_home : home,
                     xdg ? "" : "/.local/state");
    return n > 0 && (size_t)n < size;
}

/* What to say of each fault, behind "Journal: ". %s is the path, or the system's word for DB_IO. */
static const char *fault_words(enum db_fault fault)
{
    static const char *const words[] = {
        [DB_FINE] = "",
        [DB_CHOSEN] = "opened for reading only; nothing is sent.",
        [DB_HELD] = "another console has it open; nothing is sent from here.",
        [DB_NO_LOCKS] = "the file system has no file locks, so nothing is sent. Set XDG_STATE_HOME "
                        "to a directory on a local disk.",
        [DB_SEALED] = "it cannot be written here (read-only file system or no permission); nothing "
                      "is sent.",
        [DB_FULL] = "the disk is full; nothing is sent until there is space.",
        [DB_MISSING] = "there is none at %s.",
        [DB_DAMAGED] = "%s is damaged. It is left as it is, and nothing is sent; move it away to "
                       "begin a new one.",
        [DB_FOREIGN] = "%s is a database of another program. It is left as it is, and nothing is "
                       "sent.",
        [DB_NEWER] = "%s was written by a newer envoy-console. It is left as it is, and nothing is "
                     "sent.",
        [DB_OLDER] =
            "%s has an older form that cannot be brought up to date here; nothing is sent.",
        [DB_UNSAFE] =
            "%s or a file beside it is a link or belongs to someone else. It is not used, "
            "and nothing is sent.",
        [DB_BUSY] = "something else keeps the file locked; nothing is sent.",
        [DB_IO] = "reading or writing failed (%s); nothing is sent.",
    };
    return words[fault];
}

static void put_words(struct journal_status *s, const struct db *db)
{
    enum db_fault fault = db_fault(db);
    const char *words = fault_words(fault);
    const char *hole = strstr(words, "%s");
    char shown[PATH_SHOWN];
    s->words[0] = '\0';
    if (fault == DB_FINE)
        return;
    if (fault == DB_HELD && s->holder_pid > 0) {
        snprintf(s->words, sizeof s->words,
                 "Journal: the console with PID %ld has it open; nothing is sent from here.",
                 s->holder_pid);
        return;
    }
    if (!hole) {
        snprintf(s->words, sizeof s->words, "Journal: %s", words);
        return;
    }
    (void)str_visible_copy(shown, sizeof shown, fault == DB_IO ? db_detail(db) : db_path(db));
    snprintf(s->words, sizeof s->words, "Journal: %.*s%s%s", (int)(hole - words), words, shown,
             hole + 2);
}

enum err journal_note(struct journal *j, enum err e)
{
    static const enum journal_mode modes[] = {[DB_OFF] = JOURNAL_OFF,
                                              [DB_READ_ONLY] = JOURNAL_READ_ONLY,
                                              [DB_READ_WRITE] = JOURNAL_READ_WRITE};
    struct journal_status *s = &j->status;
    enum db_fault fault = db_fault(j->db);
    s->mode = modes[db_mode(j->db)];
    s->holder_pid = fault == DB_HELD ? db_holder(j->db) : 0;
    s->can_retry = fault != DB_FINE && fault != DB_CHOSEN;
    put_words(s, j->db);
    return e;
}

const struct journal_status *journal_status_view(struct journal *j)
{
    return &j->status;
}

static void opened(struct journal *j)
{
    j->status.opened++;
    if (db_mode(j->db) == DB_READ_WRITE)
        (void)!journal_prune(j); /* no room to let go is no reason not to open */
    (void)journal_note(j, ERR_OK);
}

enum err journal_open(const struct journal_options *options, struct journal **out)
{
    struct db_options o = {.path = options->path,
                           .make_dir = options->make_dir,
                           .read_only = options->read_only,
                           .schema = &schema};
    struct journal *j = alloc_zero(1, sizeof *j);
    if (!j)
        return ERR_MEMORY;
    enum err e = db_open(&o, &j->db);
    if (e != ERR_OK) {
        alloc_free(j);
        return e;
    }
    opened(j);
    *out = j;
    return ERR_OK;
}

void journal_close(struct journal *j)
{
    if (!j)
        return;
    db_close(j->db);
    alloc_free(j);
}

void journal_reopen(struct journal *j)
{
    if (!j->status.can_retry)
        return;
    if (db_reopen(j->db))
        opened(j);
    else
        (void)journal_note(j, ERR_OK);
}

enum err journal_ready(struct journal *j)
{
    enum db_fault fault = db_fault(j->db);
    bool may_have_passed =
        fault == DB_FULL || fault == DB_SEALED || fault == DB_IO || fault == DB_BUSY;
    if (may_have_passed && (db_mode(j->db) != DB_READ_WRITE || fault == DB_IO))
        journal_reopen(j);
    return db_mode(j->db) == DB_READ_WRITE ? ERR_OK : ERR_STORE;
}

/* The age of a timeline row is judged by the earlier of two clocks, so that one that is wrong by
 * years takes nothing away. */
static enum err oldest_kept(struct journal *j, int64_t *ms)
{
    sqlite3_stmt *stmt = NULL;
    enum err e = db_prepare(j->db, "SELECT max(at_ms) FROM timeline", &stmt);
    if (e != ERR_OK)
        return e;
    int64_t now = clock_wall_ms();
    int code = sqlite3_step(stmt);
    int64_t newest = code == SQLITE_ROW ? sqlite3_column_int64(stmt, 0) : 0;
    sqlite3_finalize(stmt);
    if (code != SQLITE_ROW)
        return db_failed(j->db, code);
    *ms = (newest < now ? newest : now) - JOURNAL_ROWS_DAYS * DAY_MS;
    return ERR_OK;
}

enum err journal_prune(struct journal *j)
{
    char sql[640];
    int64_t oldest = 0;
    j->added = 0;
    enum err e = oldest_kept(j, &oldest);
    if (e != ERR_OK)
        return e;
    snprintf(sql, sizeof sql,
             "DELETE FROM timeline WHERE at_ms < %lld;"
             "DELETE FROM timeline WHERE id <="
             " (SELECT id FROM timeline ORDER BY id DESC LIMIT 1 OFFSET %d);"
             "DELETE FROM writes WHERE state NOT IN ('intent', 'sent', 'unknown') AND id <="
             " (SELECT id FROM writes WHERE state NOT IN ('intent', 'sent', 'unknown')"
             "  ORDER BY id DESC LIMIT 1 OFFSET %d);",
             (long long)oldest, JOURNAL_ROWS_ALL, JOURNAL_WRITES_ALL);
    e = db_begin(j->db, false);
    if (e == ERR_OK)
        e = db_end(j->db, db_exec(j->db, sql));
    return e;
}

void journal_bind_text(sqlite3_stmt *stmt, int at, const char *text)
{
    if (text && text[0])
        (void)sqlite3_bind_text(stmt, at, text, -1, SQLITE_STATIC);
    else
        (void)sqlite3_bind_null(stmt, at);
}

void journal_bind_ms(sqlite3_stmt *stmt, int at, int64_t ms)
{
    if (ms == CLOCK_NONE)
        (void)sqlite3_bind_null(stmt, at);
    else
        (void)sqlite3_bind_int64(stmt, at, ms);
}

void journal_bind_word(sqlite3_stmt *stmt, int at, enum contract_kind kind, int value,
                       const char *raw)
{
    if (value == CONTRACT_UNRECOGNISED)
        journal_bind_text(stmt, at, raw && raw[0] ? raw : "?");
    else
        journal_bind_text(stmt, at, contract_wire(kind, value));
}

void journal_take_text(sqlite3_stmt *stmt, int at, char *out, size_t size)
{
    const unsigned char *text = sqlite3_column_text(stmt, at);
    (void)str_copy(out, size, text ? (const char *)text : "");
}

int64_t journal_take_ms(sqlite3_stmt *stmt, int at)
{
    bool none = sqlite3_column_type(stmt, at) == SQLITE_NULL;
    return none ? CLOCK_NONE : sqlite3_column_int64(stmt, at);
}

int journal_take_word(sqlite3_stmt *stmt, int at, enum contract_kind kind)
{
    const unsigned char *text = sqlite3_column_text(stmt, at);
    return text ? contract_find(kind, (const char *)text) : CONTRACT_ABSENT;
}
