/* SPDX-License-Identifier: Apache-2.0 */
/* Opens the file in an order that cannot harm it: lock, look at it with a connection that cannot
 * write, and only then open it for writing. Knows nothing of the tables. Invariants: a file that is
 * damaged, foreign or newer is never opened for writing; a new file appears whole under its name or
 * not at all; the mode is DB_READ_WRITE only with the lock held, a write-ahead log and full syncs.
 */
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/alloc.h"
#include "core/str.h"
#include "db_private.h"

#define BUSY_MS   1500
#define URI_MAX   (PATH_MAX * 3 + 32)
#define OPEN_MASK (SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_NOMUTEX)

struct db {
    char asked[PATH_MAX];
    char path[PATH_MAX]; /* without links; "" in memory */
    bool make_dir, read_only;
    const struct db_schema *schema;
    sqlite3 *handle;
    enum db_mode mode;
    enum db_fault fault;
    int version;
    int lock_fd;
    long holder;
    bool has_log;
    bool out_of_memory;
    char detail[160];
};

static bool is_about_locks(int code)
{
    switch (code) {
    case SQLITE_IOERR_LOCK:
    case SQLITE_IOERR_RDLOCK:
    case SQLITE_IOERR_UNLOCK:
    case SQLITE_IOERR_CHECKRESERVEDLOCK:
    case SQLITE_IOERR_SHMOPEN:
    case SQLITE_IOERR_SHMLOCK:
    case SQLITE_IOERR_SHMMAP:
        return true;
    default:
        return false;
    }
}

static enum db_fault io_fault(sqlite3 *handle, int code)
{
    int error = handle ? sqlite3_system_errno(handle) : 0;
    enum db_fault fault = error ? db_file_fault(error) : DB_FINE;
    if (code == SQLITE_IOERR_SHMSIZE)
        return DB_FULL;
    if (code == SQLITE_CANTOPEN_SYMLINK)
        return DB_UNSAFE;
    if (fault == DB_FULL || fault == DB_SEALED || fault == DB_IO)
        return fault;
    return is_about_locks(code) ? DB_NO_LOCKS : DB_IO;
}

static enum db_fault classify(sqlite3 *handle, int code)
{
    switch (code & 0xff) {
    case SQLITE_FULL:
        return DB_FULL;
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_AUTH:
        return DB_SEALED;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
        return DB_DAMAGED;
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_PROTOCOL:
        return DB_BUSY;
    case SQLITE_IOERR:
    case SQLITE_CANTOPEN:
        return io_fault(handle, code);
    default:
        return DB_IO;
    }
}

static enum db_fault fault_of(struct db *db, sqlite3 *handle, int code)
{
    if ((code & 0xff) == SQLITE_NOMEM)
        db->out_of_memory = true;
    (void)str_copy(db->detail, sizeof db->detail, sqlite3_errstr(code));
    return classify(handle, code);
}

/* The first value of the first row, as a number or as text. */
static int ask(sqlite3 *handle, const char *sql, int *number, char *text, size_t size)
{
    sqlite3_stmt *stmt = NULL;
    int code = sqlite3_prepare_v2(handle, sql, -1, &stmt, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_step(stmt);
    if (code == SQLITE_ROW) {
        const unsigned char *found = sqlite3_column_text(stmt, 0);
        if (number)
            *number = sqlite3_column_int(stmt, 0);
        if (text)
            (void)str_copy(text, size, found ? (const char *)found : "");
        code = SQLITE_OK;
    }
    sqlite3_finalize(stmt);
    return code;
}

static void close_handle(struct db *db)
{
    if (db->handle)
        (void)sqlite3_close(db->handle);
    db->handle = NULL;
}

/* DEFENSIVE and trusted_schema=OFF: the file may have been made by something hostile. */
static int open_handle(struct db *db, const char *name, int flags, const char *pragmas)
{
    int code = sqlite3_open_v2(name, &db->handle, flags | OPEN_MASK, NULL);
    if (code != SQLITE_OK)
        return code;
    (void)sqlite3_busy_timeout(db->handle, BUSY_MS);
    (void)sqlite3_db_config(db->handle, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    return sqlite3_exec(db->handle, pragmas, NULL, NULL, NULL);
}

static const char reading_pragmas[] =
    "PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON; PRAGMA temp_store=MEMORY;"
    "PRAGMA query_only=ON;";
static const char writing_pragmas[] =
    "PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON; PRAGMA temp_store=MEMORY;"
    "PRAGMA secure_delete=ON; PRAGMA synchronous=FULL; PRAGMA journal_size_limit=1048576;";

static int open_reading(struct db *db)
{
    int code = open_handle(db, db->path, SQLITE_OPEN_READONLY, reading_pragmas);
    /* Looking must not move pages from the log into a file that is still in doubt. */
    if (code == SQLITE_OK)
        (void)sqlite3_db_config(db->handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
    return code;
}

/* Where nothing can be written there is no place for the log's index; then only a file without a
 * log can be read, as one that does not change. */
static int open_unchanging(struct db *db)
{
    char uri[URI_MAX] = "file:";
    size_t at = strlen(uri);
    for (const char *c = db->path; *c && at < sizeof uri - 24; c++) {
        bool plain = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') ||
                     (*c >= '0' && *c <= '9') || strchr("/-_.", *c);
        int n = plain ? snprintf(uri + at, 2, "%c", *c)
                      : snprintf(uri + at, 4, "%%%02X", (unsigned)(unsigned char)*c);
        at += (size_t)n;
    }
    snprintf(uri + at, sizeof uri - at, "?immutable=1");
    return open_handle(db, uri, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, reading_pragmas);
}

static enum db_fault quick_check(struct db *db)
{
    char text[128] = "";
    int code = ask(db->handle, "PRAGMA quick_check(1)", NULL, text, sizeof text);
    if (code != SQLITE_OK)
        return fault_of(db, db->handle, code);
    if (strcmp(text, "ok") == 0)
        return DB_FINE;
    (void)str_visible_copy(db->detail, sizeof db->detail, text);
    return DB_DAMAGED;
}

/* A cut last page reads as zeros, which can look like an empty one. With a log it may be mended. */
static bool is_cut(const struct db *db, int page_bytes)
{
    struct stat st;
    return !db->has_log && page_bytes > 0 && stat(db->path, &st) == 0 &&
           (st.st_size == 0 || st.st_size % page_bytes != 0);
}

static enum db_fault look(struct db *db)
{
    int application = 0, version = 0, page_bytes = 0;
    int code = ask(db->handle, "PRAGMA application_id", &application, NULL, 0);
    if (code == SQLITE_OK)
        code = ask(db->handle, "PRAGMA user_version", &version, NULL, 0);
    if (code == SQLITE_OK)
        code = ask(db->handle, "PRAGMA page_size", &page_bytes, NULL, 0);
    if (code != SQLITE_OK)
        return fault_of(db, db->handle, code);
    if (is_cut(db, page_bytes))
        return DB_DAMAGED;
    if (application != db->schema->application_id)
        return DB_FOREIGN;
    enum db_fault fault = quick_check(db);
    if (fault != DB_FINE)
        return fault;
    db->version = version;
    if (version < 1)
        return DB_DAMAGED;
    return version > db->schema->step_count ? DB_NEWER : DB_FINE;
}

/* Opens for reading and looks; the connection stays when the file is good. */
static enum db_fault inspect(struct db *db, enum db_fault write_fault)
{
    int code = open_reading(db);
    enum db_fault fault = code == SQLITE_OK ? look(db) : fault_of(db, db->handle, code);
    /* Only where nobody can write is it safe to read without the log. */
    bool sealed = write_fault == DB_SEALED || write_fault == DB_CHOSEN;
    if ((fault == DB_IO || fault == DB_SEALED) && sealed && !db->has_log) {
        close_handle(db);
        code = open_unchanging(db);
        fault = code == SQLITE_OK ? look(db) : fault_of(db, db->handle, code);
    }
    if (fault != DB_FINE)
        close_handle(db);
    return fault;
}

static int migrate(struct db *db, int from)
{
    int code = SQLITE_OK;
    for (int v = from; v < db->schema->step_count && code == SQLITE_OK; v++) {
        char mark[96];
        snprintf(mark, sizeof mark, "PRAGMA application_id=%d; PRAGMA user_version=%d; COMMIT;",
                 db->schema->application_id, v + 1);
        code = sqlite3_exec(db->handle, "BEGIN IMMEDIATE", NULL, NULL, NULL);
        if (code == SQLITE_OK)
            code = sqlite3_exec(db->handle, db->schema->steps[v], NULL, NULL, NULL);
        if (code == SQLITE_OK)
            code = sqlite3_exec(db->handle, mark, NULL, NULL, NULL);
        if (code == SQLITE_OK)
            db->version = v + 1;
        else if (!sqlite3_get_autocommit(db->handle))
            (void)sqlite3_exec(db->handle, "ROLLBACK", NULL, NULL, NULL);
    }
    return code;
}

static int use_log(struct db *db, bool *has_one)
{
    char mode[16] = "";
    int code = ask(db->handle, "PRAGMA journal_mode=WAL", NULL, mode, sizeof mode);
    *has_one = strcmp(mode, "wal") == 0;
    return code;
}

/* Built under another name, so that a file under the journal's name is always a whole one. */
static enum db_fault create(struct db *db)
{
    char fresh[PATH_MAX + 16], beside[PATH_MAX + 16];
    bool logs = false;
    snprintf(fresh, sizeof fresh, "%s.new", db->path);
    snprintf(beside, sizeof beside, "%s.new-journal", db->path);
    (void)unlink(beside); /* ours: the lock is held, and nothing under these names was finished */
    (void)unlink(fresh);
    enum db_fault fault = db_file_create(fresh);
    if (fault != DB_FINE)
        return fault;
    int code = open_handle(db, fresh, SQLITE_OPEN_READWRITE, writing_pragmas);
    if (code == SQLITE_OK)
        code = migrate(db, 0);
    if (code == SQLITE_OK)
        code = use_log(db, &logs);
    if (code != SQLITE_OK)
        fault = fault_of(db, db->handle, code);
    else if (!logs)
        fault = DB_NO_LOCKS;
    close_handle(db);
    if (fault == DB_FINE)
        fault = db_file_put(fresh, db->path);
    if (fault != DB_FINE) {
        (void)unlink(fresh);
        snprintf(beside, sizeof beside, "%s.new-wal", db->path);
        (void)unlink(beside);
        snprintf(beside, sizeof beside, "%s.new-shm", db->path);
        (void)unlink(beside);
    }
    return fault;
}

static enum db_fault open_writing(struct db *db)
{
    bool logs = false;
    enum db_fault fault = DB_FINE;
    close_handle(db);
    int code = open_handle(db, db->path, SQLITE_OPEN_READWRITE, writing_pragmas);
    if (code == SQLITE_OK && sqlite3_db_readonly(db->handle, "main") == 1)
        fault = DB_SEALED;
    if (code == SQLITE_OK && fault == DB_FINE) {
        /* Once more: a connection that cannot write leaves the rows' constraints out. */
        (void)sqlite3_db_config(db->handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
        fault = quick_check(db);
        (void)sqlite3_db_config(db->handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE,
                                fault == DB_FINE ? 0 : 1, NULL);
    }
    if (code == SQLITE_OK && fault == DB_FINE)
        code = use_log(db, &logs);
    if (code == SQLITE_OK && fault == DB_FINE && !logs)
        fault = DB_NO_LOCKS;
    if (code == SQLITE_OK && fault == DB_FINE)
        code = migrate(db, db->version);
    if (code != SQLITE_OK)
        fault = fault_of(db, db->handle, code);
    if (fault != DB_FINE)
        close_handle(db);
    return fault;
}

static enum db_fault open_file(struct db *db)
{
    bool there = false;
    enum db_fault fault = db_file_resolve(db->asked, db->make_dir && !db->read_only, db->path);
    if (fault == DB_FINE)
        fault = db_file_check(db->path, &there, &db->has_log);
    if (fault != DB_FINE)
        return fault;
    enum db_fault write_fault = db->read_only ? DB_CHOSEN : DB_FINE;
    if (!db->read_only && db->lock_fd < 0)
        write_fault = db_file_lock(db->path, &db->lock_fd, &db->holder);
    /* Without locks another writer cannot be noticed, so not even reading is safe. */
    if (write_fault == DB_NO_LOCKS || write_fault == DB_UNSAFE)
        return write_fault;
    if (!there && write_fault == DB_FINE) {
        write_fault = create(db);
        there = write_fault == DB_FINE;
    }
    if (!there)
        return write_fault == DB_CHOSEN ? DB_MISSING : write_fault;
    fault = inspect(db, write_fault);
    if (fault != DB_FINE)
        return fault == DB_IO && write_fault != DB_FINE && write_fault != DB_CHOSEN ? write_fault
                                                                                    : fault;
    if (write_fault == DB_FINE)
        write_fault = open_writing(db);
    if (write_fault == DB_DAMAGED)
        return DB_DAMAGED;
    if (write_fault == DB_FINE) {
        db->mode = DB_READ_WRITE;
        return DB_FINE;
    }
    if (db->version < db->schema->step_count) {
        close_handle(db);
        return write_fault == DB_FULL ? DB_FULL : DB_OLDER;
    }
    /* Could not be written after all; what is in it can still be shown. */
    if (!db->handle && open_reading(db) != SQLITE_OK)
        close_handle(db);
    db->mode = db->handle ? DB_READ_ONLY : DB_OFF;
    return write_fault;
}

static enum db_fault open_memory(struct db *db)
{
    int code =
        open_handle(db, ":memory:", SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY, writing_pragmas);
    if (code == SQLITE_OK)
        code = migrate(db, 0);
    if (code != SQLITE_OK)
        return fault_of(db, db->handle, code);
    db->mode = DB_READ_WRITE;
    return DB_FINE;
}

static void open_now(struct db *db)
{
    db->mode = DB_OFF;
    db->version = 0;
    db->holder = 0;
    db->detail[0] = '\0';
    db->has_log = false;
    db->fault = db->asked[0] ? open_file(db) : open_memory(db);
    if (db->mode == DB_OFF)
        close_handle(db);
}

enum err db_open(const struct db_options *options, struct db **out)
{
    struct db *db = alloc_zero(1, sizeof *db);
    if (!db)
        return ERR_MEMORY;
    db->lock_fd = -1;
    db->make_dir = options->make_dir;
    db->read_only = options->read_only;
    db->schema = options->schema;
    if (options->path && !str_copy(db->asked, sizeof db->asked, options->path))
        db->fault = DB_MISSING;
    else
        open_now(db);
    if (db->out_of_memory) {
        db_close(db);
        return ERR_MEMORY;
    }
    *out = db;
    return ERR_OK;
}

bool db_reopen(struct db *db)
{
    if (!db->asked[0])
        return false; /* what is in memory would be lost */
    bool still = db->fault == DB_HELD && db->mode == DB_READ_ONLY && db->lock_fd < 0;
    if (still && db_file_lock(db->path, &db->lock_fd, &db->holder) == DB_HELD)
        return false;
    close_handle(db);
    open_now(db);
    return true;
}

void db_close(struct db *db)
{
    if (!db)
        return;
    close_handle(db);
    if (db->lock_fd >= 0)
        close(db->lock_fd);
    alloc_free(db);
}

enum db_mode db_mode(const struct db *db)
{
    return db->mode;
}

enum db_fault db_fault(const struct db *db)
{
    return db->fault;
}

long db_holder(const struct db *db)
{
    return db->holder;
}

const char *db_path(const struct db *db)
{
    return db->path[0] ? db->path : db->asked;
}

int db_version(const struct db *db)
{
    return db->version;
}

const char *db_detail(const struct db *db)
{
    return db->detail;
}

struct sqlite3 *db_handle(struct db *db)
{
    return db->mode == DB_OFF ? NULL : db->handle;
}

enum err db_failed(struct db *db, int sqlite_code)
{
    if ((sqlite_code & 0xff) == SQLITE_NOMEM)
        return ERR_MEMORY;
    db->fault = fault_of(db, db->handle, sqlite_code);
    if (db->fault == DB_DAMAGED) { /* the handle stays: an open statement may still be finalized */
        db->mode = DB_OFF;
        (void)sqlite3_db_config(db->handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
    }
    return ERR_STORE;
}

enum err db_exec(struct db *db, const char *sql)
{
    if (db->mode == DB_OFF)
        return ERR_STORE;
    int code = sqlite3_exec(db->handle, sql, NULL, NULL, NULL);
    return code == SQLITE_OK ? ERR_OK : db_failed(db, code);
}

enum err db_prepare(struct db *db, const char *sql, struct sqlite3_stmt **out)
{
    if (db->mode == DB_OFF)
        return ERR_STORE;
    sqlite3_stmt *stmt = NULL;
    int code = sqlite3_prepare_v2(db->handle, sql, -1, &stmt, NULL);
    if (code != SQLITE_OK)
        return db_failed(db, code);
    *out = stmt;
    return ERR_OK;
}

enum err db_finish(struct db *db, struct sqlite3_stmt *stmt)
{
    int code = sqlite3_step(stmt);
    (void)sqlite3_finalize(stmt);
    return code == SQLITE_DONE || code == SQLITE_ROW ? ERR_OK : db_failed(db, code);
}

enum err db_begin(struct db *db, bool durable)
{
    if (db->mode != DB_READ_WRITE)
        return ERR_STORE;
    return db_exec(db, durable ? "PRAGMA synchronous=FULL; BEGIN IMMEDIATE"
                               : "PRAGMA synchronous=NORMAL; BEGIN IMMEDIATE");
}

enum err db_end(struct db *db, enum err so_far)
{
    enum err e = so_far;
    if (e == ERR_OK)
        e = db_exec(db, "COMMIT");
    if (e == ERR_OK) {
        db->fault = DB_FINE; /* whatever was in the way is gone */
        return ERR_OK;
    }
    if (db->handle && !sqlite3_get_autocommit(db->handle))
        (void)sqlite3_exec(db->handle, "ROLLBACK", NULL, NULL, NULL);
    return e;
}
