/* SPDX-License-Identifier: Apache-2.0 */
/* The file: who may read it, what is done when it is damaged, newer, older, a link or somebody
 * else's, two consoles on it, a full disk and a read-only one (cases J1 and J2), and that nothing
 * of an answer is in it. */
#include "rig.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <sys/wait.h>

static int locks_refused_with; /* 0: locks work */

/* Stands in for a file system without locks, for SQLite and for the journal alike. */
static int lock_call(int fd, int cmd, void *arg)
{
    bool lock = cmd == F_SETLK || cmd == F_SETLKW || cmd == F_OFD_SETLK || cmd == F_OFD_SETLKW;
    if (lock && locks_refused_with) {
        errno = locks_refused_with;
        return -1;
    }
    return (int)syscall(SYS_fcntl, fd, cmd, arg);
}

int fcntl(int fd, int cmd, ...)
{
    va_list ap;
    va_start(ap, cmd);
    void *arg = va_arg(ap, void *);
    va_end(ap);
    return lock_call(fd, cmd, arg);
}

int fcntl64(int fd, int cmd, ...);
int fcntl64(int fd, int cmd, ...)
{
    va_list ap;
    va_start(ap, cmd);
    void *arg = va_arg(ap, void *);
    va_end(ap);
    return lock_call(fd, cmd, arg);
}

static mode_t mode_of(const char *path)
{
    struct stat st;
    return lstat(path, &st) == 0 ? st.st_mode & 07777 : 0;
}

static void beside(const struct rig *r, const char *suffix, char out[160])
{
    snprintf(out, 160, "%s%s", r->path, suffix);
}

static void put(const char *path, const void *bytes, size_t len)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, len, f), len);
    fclose(f);
}

/* A journal with one unresolved start, closed. */
static void fill(const struct rig *r)
{
    struct journal *j = rig_open_well(r->path);
    struct journal_intent start = rig_start();
    (void)rig_keep(j, &start);
    journal_close(j);
}

static void sql(const char *path, const char *text)
{
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, text, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

static void only_the_owner_can_read_it(void **state)
{
    static const char *const suffix[] = {"", "-wal", "-shm", ".lock"};
    struct rig *r = *state;
    char name[160], dir[160];
    snprintf(dir, sizeof dir, "%s/state/envoy-console", r->dir);
    mode_t before = umask(0);
    for (int round = 0; round < 2; round++) {
        struct journal *j = rig_open_well(r->path);
        struct journal_intent start = rig_start();
        (void)rig_keep(j, &start);
        assert_int_equal(mode_of(dir), 0700);
        for (size_t i = 0; i < 4; i++) {
            beside(r, suffix[i], name);
            if (mode_of(name) != 0600)
                fail_msg("%s has mode %o", name, (unsigned)mode_of(name));
        }
        journal_close(j);
        assert_int_equal(chmod(dir, 0755), 0); /* and what became open is closed again */
        assert_int_equal(chmod(r->path, 0644), 0);
    }
    umask(before);
    /* A place that was chosen keeps its own mode. */
    struct journal_options o = {.path = r->path};
    struct journal *j = NULL;
    assert_int_equal(journal_open(&o, &j), ERR_OK);
    assert_int_equal(journal_status_view(j)->mode, JOURNAL_READ_WRITE);
    assert_int_equal(mode_of(dir), 0755);
    assert_int_equal(mode_of(r->path), 0600);
    journal_close(j);
}

static void expect_off(const char *path, const char *words)
{
    struct journal_intent start = rig_start();
    char why[JOURNAL_WORDS_MAX] = "";
    int64_t id = 0;
    struct journal *j = rig_open(path);
    const struct journal_status *s = journal_status_view(j);
    if (s->mode != JOURNAL_OFF)
        fail_msg("opened where \"%s\" was to be said", words);
    if (!strstr(s->words, words) || strchr(s->words, '\n'))
        fail_msg("\"%s\" does not say \"%s\"", s->words, words);
    assert_int_equal(journal_intent(j, &start, &id, why), ERR_STORE);
    assert_string_equal(why, s->words);
    assert_int_equal(id, 0);
    journal_reopen(j);
    assert_int_equal(journal_status_view(j)->mode, JOURNAL_OFF);
    journal_close(j);
}

/* Off, in words, with every byte left where it was. */
static void expect_untouched(const struct rig *r, const char *words)
{
    size_t before_len = 0, after_len = 0;
    char *before = rig_bytes(r->path, &before_len);
    expect_off(r->path, words);
    char *after = rig_bytes(r->path, &after_len);
    assert_int_equal(before_len, after_len);
    assert_memory_equal(before, after, before_len);
    free(before);
    free(after);
}

static void a_damaged_file_is_left_as_it_is(void **state)
{
    struct rig *r = *state;
    fill(r);
    size_t len = 0;
    char *good = rig_bytes(r->path, &len);
    char *bad = malloc(len);
    assert_true(bad && len > 3 * 4096);
    memcpy(bad, good, len);
    memset(bad, 0, 4096);
    put(r->path, bad, len);
    expect_untouched(r, "is damaged");
    put(r->path, "", 0);
    expect_untouched(r, "is damaged");
    for (size_t cut = 4096; cut < len; cut += 4096) { /* at pages */
        put(r->path, good, cut);
        expect_untouched(r, "is damaged");
    }
    for (size_t cut = 100; cut < len; cut += 1777) {
        put(r->path, good, cut);
        expect_untouched(r, "is damaged");
    }
    put(r->path, "just a text file, not a database at all, but long enough to be one. ....", 72);
    expect_untouched(r, "is damaged");
    for (size_t page = 1; page < len / 4096; page++) {
        memcpy(bad, good, len);
        memset(bad + page * 4096, 0x5a, 4096);
        put(r->path, bad, len);
        expect_untouched(r, "is damaged");
    }
    put(r->path, good, len); /* repaired: it goes on where it was */
    struct journal *j = rig_open_well(r->path);
    struct rig_writes all;
    rig_list(j, true, &all);
    assert_int_equal(all.count, 1);
    journal_close(j);
    free(good);
    free(bad);
}

static void a_row_out_of_bounds_is_damage(void **state)
{
    struct rig *r = *state;
    fill(r);
    sql(r->path, "PRAGMA ignore_check_constraints=ON;"
                 "UPDATE writes SET purchase = hex(randomblob(4000))");
    expect_untouched(r, "is damaged");
}

static void a_newer_or_foreign_file_is_left_as_it_is(void **state)
{
    struct rig *r = *state;
    fill(r);
    sql(r->path, "PRAGMA user_version=3");
    expect_untouched(r, "newer envoy-console");
    sql(r->path, "PRAGMA user_version=2; PRAGMA application_id=7");
    expect_untouched(r, "another program");
    sql(r->path, "PRAGMA application_id=0x456e4a31");
    journal_close(rig_open_well(r->path));
}

/* The first schema, as its version wrote it. */
static const char first_schema[] =
    "PRAGMA application_id=0x456e4a31; PRAGMA user_version=1;"
    "CREATE TABLE writes(id INTEGER PRIMARY KEY AUTOINCREMENT,"
    " account TEXT NOT NULL CHECK(length(account) BETWEEN 1 AND 128),"
    " tool TEXT NOT NULL CHECK(length(tool) <= 64),"
    " idem TEXT CHECK(length(idem) BETWEEN 16 AND 64),"
    " purchase TEXT CHECK(length(purchase) BETWEEN 1 AND 64),"
    " question TEXT CHECK(length(question) BETWEEN 1 AND 512),"
    " attempt TEXT CHECK(length(attempt) = 36),"
    " outcome TEXT CHECK(length(outcome) <= 64), failure TEXT CHECK(length(failure) <= 64),"
    " step TEXT CHECK(length(step) <= 64), merchant TEXT CHECK(length(merchant) <= 512),"
    " amount_minor INTEGER, input BLOB CHECK(length(input) <= 65536),"
    " state TEXT NOT NULL CHECK(state IN ('intent', 'sent', 'unknown', 'done', 'replayed',"
    "  'refused', 'not_sent', 'settled')),"
    " at_ms INTEGER NOT NULL, sent_ms INTEGER, ended_ms INTEGER,"
    " code TEXT CHECK(length(code) <= 64), http_status INTEGER,"
    " request_id TEXT CHECK(length(request_id) <= 128)) STRICT;"
    "CREATE UNIQUE INDEX writes_idem ON writes(idem) WHERE idem IS NOT NULL;"
    "CREATE INDEX writes_open ON writes(state) WHERE state IN ('intent', 'sent', 'unknown');"
    "INSERT INTO writes(account, tool, idem, state, at_ms, input)"
    " VALUES('" OWNER "', 'start_purchase', '" START_KEY "', 'sent', 5, CAST('{}' AS BLOB));"
    "INSERT INTO writes(account, tool, state, at_ms)"
    " VALUES('" OWNER "', 'a_tool_of_later', 'unknown', 6)";

static void an_older_file_is_brought_up_to_date(void **state)
{
    struct rig *r = *state;
    struct rig_writes all;
    struct journal_row row = {.at_ms = NOON_MS, .kind = "state", .text = "x"};
    journal_close(rig_open_well(r->path)); /* for the directory */
    assert_int_equal(unlink(r->path), 0);
    sql(r->path, first_schema);
    struct journal_options only_read = {.path = r->path, .read_only = true};
    struct journal *j = NULL;
    assert_int_equal(journal_open(&only_read, &j), ERR_OK);
    assert_int_equal(journal_status_view(j)->mode, JOURNAL_OFF);
    assert_non_null(strstr(journal_status_view(j)->words, "older form"));
    journal_close(j);

    j = rig_open_well(r->path);
    rig_list(j, true, &all);
    assert_int_equal(all.count, 2);
    assert_string_equal(all.at[0].key, START_KEY);
    assert_int_equal(all.at[0].attempts, 1);
    assert_true(all.at[0].input_kept);
    assert_int_equal(all.at[1].tool, CONTRACT_TOOL_COUNT);
    assert_int_equal(journal_add_rows(j, OWNER, PURCHASE, &row, 1), ERR_OK);
    journal_close(j);
    journal_close(rig_open_well(r->path));
}

static void links_and_strange_files_are_refused(void **state)
{
    static const char *const suffix[] = {"", "-wal", "-shm", "-journal", ".lock"};
    struct rig *r = *state;
    char name[160], elsewhere[160], dir[160];
    snprintf(elsewhere, sizeof elsewhere, "%s/elsewhere", r->dir);
    snprintf(dir, sizeof dir, "%s/state/envoy-console", r->dir);
    for (size_t i = 0; i < 5; i++) {
        fill(r);
        beside(r, suffix[i], name);
        put(elsewhere, "precious", 8);
        unlink(name);
        assert_int_equal(symlink(elsewhere, name), 0);
        expect_off(r->path, "a link or belongs to someone else");
        size_t len = 0;
        char *bytes = rig_bytes(elsewhere, &len);
        assert_int_equal(len, 8);
        free(bytes);
        assert_int_equal(unlink(name), 0);
        assert_int_equal(link(elsewhere, name), 0); /* a second name of a file */
        expect_off(r->path, "a link or belongs to someone else");
        assert_int_equal(unlink(name), 0);
        rig_remove(dir);
    }
    assert_int_equal(symlink("/tmp", dir), 0);
    expect_off(r->path, "a link or belongs to someone else");
    assert_int_equal(unlink(dir), 0);
    assert_int_equal(mkdir(dir, 0700), 0);
    assert_int_equal(mkfifo(r->path, 0600), 0);
    expect_off(r->path, "a link or belongs to someone else");
}

/* Two processes */

static void await(int fd)
{
    char byte;
    ssize_t n;
    do
        n = read(fd, &byte, 1);
    while (n < 0 && errno == EINTR);
    assert_int_equal(n, 1);
}

/* Another console: holds the journal until it is killed. */
static pid_t other_console(const char *path, int *said)
{
    int pipe_fd[2];
    assert_int_equal(pipe(pipe_fd), 0);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        struct journal_options o = {.path = path, .make_dir = true};
        struct journal_intent start = rig_start();
        char why[JOURNAL_WORDS_MAX];
        struct journal *j = NULL;
        int64_t id = 0;
        close(pipe_fd[0]);
        bool good = journal_open(&o, &j) == ERR_OK && journal_intent(j, &start, &id, why) == ERR_OK;
        if (!good || write(pipe_fd[1], "!", 1) != 1)
            _exit(1);
        for (;;)
            pause();
    }
    close(pipe_fd[1]);
    *said = pipe_fd[0];
    await(*said);
    return pid;
}

static void kill_9(pid_t pid)
{
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
}

static void the_second_console_reads_and_says_who_has_it(void **state)
{
    struct rig *r = *state;
    struct journal_intent answer = rig_answer("ec-answer-000000000000000000000000a1", "q_1");
    struct journal_row row = {.at_ms = NOON_MS, .kind = "state", .text = "x"};
    struct rig_writes all;
    char why[JOURNAL_WORDS_MAX] = "", pid_words[32];
    int64_t id = 0;
    int said = -1;
    pid_t first = other_console(r->path, &said);
    struct journal *j = rig_open(r->path);
    const struct journal_status *s = journal_status_view(j);
    unsigned opened = s->opened;
    assert_int_equal(s->mode, JOURNAL_READ_ONLY);
    assert_int_equal(s->holder_pid, first);
    snprintf(pid_words, sizeof pid_words, "PID %ld has it open", (long)first);
    assert_non_null(strstr(s->words, pid_words));
    rig_list(j, true, &all); /* what the other is doing can be read */
    assert_int_equal(all.count, 1);
    assert_int_equal(journal_intent(j, &answer, &id, why), ERR_STORE);
    assert_string_equal(why, s->words);
    assert_int_equal(
        journal_outcome(j, all.at[0].id,
                        &(struct journal_outcome){.state = JOURNAL_DONE, .code = CONTRACT_ABSENT}),
        ERR_STORE);
    assert_int_equal(journal_add_rows(j, OWNER, PURCHASE, &row, 1), ERR_STORE);
    journal_reopen(j); /* still held: nothing is opened again, nothing has to be loaded again */
    assert_int_equal(s->opened, opened);
    assert_int_equal(s->mode, JOURNAL_READ_ONLY);
    assert_int_equal(s->holder_pid, first);
    kill_9(first);
    close(said);
    /* It does not take over by itself: what the first left behind has to be loaded before. */
    assert_int_equal(journal_intent(j, &answer, &id, why), ERR_STORE);
    journal_reopen(j);
    assert_int_equal(s->mode, JOURNAL_READ_WRITE);
    assert_int_equal(s->holder_pid, 0);
    assert_string_equal(s->words, "");
    assert_int_not_equal(s->opened, opened);
    rig_list(j, true, &all);
    assert_int_equal(all.count, 1);
    assert_int_equal(all.at[0].state, JOURNAL_INTENT);
    assert_int_equal(journal_intent(j, &answer, &id, why), ERR_OK);
    journal_close(j);
}

static void a_stale_lock_does_not_hold(void **state)
{
    struct rig *r = *state;
    char name[160], text[64];
    int said = -1;
    kill_9(other_console(r->path, &said));
    close(said);
    beside(r, ".lock", name);
    snprintf(text, sizeof text, "%-11ld\n",
             (long)getppid()); /* the number lives again, elsewhere */
    put(name, text, strlen(text));
    struct journal *j = rig_open_well(r->path);
    journal_close(j);
    put(name, "garbage", 7);
    j = rig_open_well(r->path);
    size_t len = 0;
    char *bytes = rig_bytes(name, &len);
    assert_int_equal(len, 12);
    assert_int_equal(strtol(bytes, NULL, 10), getpid());
    free(bytes);
    /* The lock follows the path: another one is free, the same one by another name is not. */
    char link_dir[160], by_link[200], next[160];
    snprintf(next, sizeof next, "%s/state/envoy-console/next.db", r->dir);
    journal_close(rig_open_well(next));
    snprintf(link_dir, sizeof link_dir, "%s/link", r->dir);
    snprintf(by_link, sizeof by_link, "%s/envoy-console/journal.db", link_dir);
    snprintf(text, sizeof text, "state");
    assert_int_equal(symlink(text, link_dir), 0);
    struct journal *twin = rig_open(by_link);
    assert_int_equal(journal_status_view(twin)->mode, JOURNAL_READ_ONLY);
    assert_int_equal(journal_status_view(twin)->holder_pid, getpid());
    journal_close(twin);
    journal_close(j);
}

static void reading_only_takes_no_lock_and_writes_nothing(void **state)
{
    struct rig *r = *state;
    struct journal_options o = {.path = r->path, .read_only = true};
    struct journal_intent start = rig_start();
    struct journal *list = NULL;
    char why[JOURNAL_WORDS_MAX];
    int64_t id = 0;
    struct rig_writes all;
    assert_int_equal(journal_open(&o, &list), ERR_OK); /* nothing there */
    assert_int_equal(journal_status_view(list)->mode, JOURNAL_OFF);
    journal_close(list);
    assert_int_equal(mode_of(r->path), 0);
    fill(r);
    assert_int_equal(journal_open(&o, &list), ERR_OK);
    assert_int_equal(journal_status_view(list)->mode, JOURNAL_READ_ONLY);
    assert_int_equal(journal_intent(list, &start, &id, why), ERR_STORE);
    struct journal *j = rig_open_well(r->path); /* is not in the way of a console */
    rig_list(j, true, &all);
    rig_end(j, all.at[0].id, JOURNAL_SETTLED);
    rig_list(list, true, &all);
    assert_int_equal(all.count, 0);
    journal_close(j);
    journal_close(list);
}

static void a_file_system_without_locks_is_said(void **state)
{
    struct rig *r = *state;
    static const int errors[] = {ENOLCK, EOPNOTSUPP, EINVAL};
    fill(r);
    for (size_t i = 0; i < 3; i++) {
        locks_refused_with = errors[i];
        expect_off(r->path, "no file locks");
        locks_refused_with = 0;
    }
    journal_close(rig_open_well(r->path));
}

/* Real file systems: full, and read-only. In a child with mounts of its own. */

#define CHILD(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "line %d: %s\n", __LINE__, #condition);                                \
            _exit(1);                                                                              \
        }                                                                                          \
    } while (0)
#define CANNOT_MOUNT 77

static bool put_line(const char *path, const char *line)
{
    int fd = open(path, O_WRONLY);
    bool good = fd >= 0 && write(fd, line, strlen(line)) == (ssize_t)strlen(line);
    if (fd >= 0)
        close(fd);
    return good;
}

/* Somebody without rights gets a name space in which he has them, where the system allows that. */
static bool own_names(void)
{
    char uid[40], gid[40];
    snprintf(uid, sizeof uid, "0 %u 1", (unsigned)getuid());
    snprintf(gid, sizeof gid, "0 %u 1", (unsigned)getgid());
    return unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0 && put_line("/proc/self/setgroups", "deny") &&
           put_line("/proc/self/uid_map", uid) && put_line("/proc/self/gid_map", gid);
}

static bool own_tmpfs(const char *dir)
{
    if (unshare(CLONE_NEWNS) != 0 && !own_names())
        return false;
    return mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
           mount("none", dir, "tmpfs", 0, "size=512k,mode=0700") == 0;
}

static void fill_disk(const char *dir)
{
    char name[160], block[4096] = {1};
    snprintf(name, sizeof name, "%s/filler", dir);
    int fd = open(name, O_WRONLY | O_CREAT | O_APPEND, 0600);
    while (write(fd, block, sizeof block) > 0)
        ;
    close(fd);
}

static void be_on_a_full_disk(const struct rig *r)
{
    struct journal_options o = {.path = r->path, .make_dir = true};
    struct journal_intent start = rig_start(), answer;
    struct journal *j = NULL;
    char why[JOURNAL_WORDS_MAX] = "", key[40], filler[160];
    int64_t id = 0;
    int kept = 0;
    if (!own_tmpfs(r->dir))
        _exit(CANNOT_MOUNT);
    snprintf(filler, sizeof filler, "%s/filler", r->dir);
    fill_disk(r->dir); /* from the beginning */
    CHILD(journal_open(&o, &j) == ERR_OK);
    CHILD(journal_status_view(j)->mode == JOURNAL_OFF);
    CHILD(strstr(journal_status_view(j)->words, "disk is full"));
    CHILD(journal_intent(j, &start, &id, why) == ERR_STORE && strstr(why, "disk is full"));
    CHILD(unlink(filler) == 0);
    CHILD(journal_intent(j, &start, &id, why) == ERR_OK); /* by itself, once there is room */
    CHILD(journal_status_view(j)->words[0] == '\0');
    fill_disk(r->dir); /* while it is open */
    for (int n = 0; n < 200; n++) {
        rig_key(key, n);
        answer = rig_answer(key, key);
        if (journal_intent(j, &answer, &id, why) != ERR_OK)
            break;
        kept++;
    }
    CHILD(kept < 200);
    CHILD(strstr(why, "disk is full"));
    CHILD(journal_status_view(j)->mode == JOURNAL_READ_WRITE);
    struct rig_writes all = {.count = 0};
    struct journal_filter f = {.unresolved = true, .since_ms = CLOCK_NONE};
    CHILD(journal_each_write(j, &f, rig_take_write, &all) == ERR_OK);
    CHILD(all.count == (size_t)kept + 1); /* monitoring goes on */
    CHILD(unlink(filler) == 0);
    CHILD(journal_intent(j, &answer, &id, why) == ERR_OK);
    CHILD(journal_status_view(j)->words[0] == '\0');
    /* Closed, and read-only after that: what was kept can still be read, and nothing is sent. */
    journal_close(j);
    CHILD(mount(NULL, r->dir, NULL, MS_REMOUNT | MS_RDONLY, NULL) == 0);
    CHILD(journal_open(&o, &j) == ERR_OK);
    CHILD(journal_status_view(j)->mode == JOURNAL_READ_ONLY);
    CHILD(strstr(journal_status_view(j)->words, "cannot be written here"));
    all.count = 0;
    CHILD(journal_each_write(j, &f, rig_take_write, &all) == ERR_OK);
    CHILD(all.count == (size_t)kept + 2);
    CHILD(journal_intent(j, &answer, &id, why) == ERR_STORE);
    CHILD(mount(NULL, r->dir, NULL, MS_REMOUNT, NULL) == 0);
    CHILD(journal_intent(j, &answer, &id, why) == ERR_OK);
    journal_close(j);
    _exit(0);
}

/* A log that a killed console left, on a disk that became read-only. */
static void be_on_a_sealed_disk(const struct rig *r)
{
    struct journal_options o = {.path = r->path, .make_dir = true};
    struct journal *j = NULL;
    int said = -1;
    if (!own_tmpfs(r->dir))
        _exit(CANNOT_MOUNT);
    kill_9(other_console(r->path, &said));
    CHILD(mount(NULL, r->dir, NULL, MS_REMOUNT | MS_RDONLY, NULL) == 0);
    CHILD(journal_open(&o, &j) == ERR_OK);
    CHILD(journal_status_view(j)->mode == JOURNAL_READ_ONLY);
    struct rig_writes all = {.count = 0};
    struct journal_filter f = {.unresolved = true, .since_ms = CLOCK_NONE};
    CHILD(journal_each_write(j, &f, rig_take_write, &all) == ERR_OK);
    CHILD(all.count == 1 && strcmp(all.at[0].key, START_KEY) == 0);
    journal_close(j);
    _exit(0);
}

static void run_apart(struct rig *r, void (*child)(const struct rig *))
{
    int status = 0;
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0)
        child(r);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    if (WIFEXITED(status) && WEXITSTATUS(status) == CANNOT_MOUNT)
        skip(); /* no mounts here; test_journal_fault fails the same calls one by one */
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

static void a_full_disk_refuses_writes_and_recovers(void **state)
{
    run_apart(*state, be_on_a_full_disk);
}

static void a_read_only_disk_is_still_read(void **state)
{
    run_apart(*state, be_on_a_sealed_disk);
}

/* No answer, code or handout: the interface has no place for them; a start's input goes with its
 * outcome. Looked for in everything that lies in the directory, free pages included. */

#define CANARY "CANARY-b7d1"

static bool dir_holds(const char *dir, const char *needle)
{
    DIR *d = opendir(dir);
    struct dirent *e;
    bool found = false;
    assert_non_null(d);
    while ((e = readdir(d))) {
        char name[512];
        size_t len = 0;
        snprintf(name, sizeof name, "%s/%s", dir, e->d_name);
        if (e->d_name[0] == '.')
            continue;
        char *bytes = rig_bytes(name, &len);
        found = found || memmem(bytes, len, needle, strlen(needle)) != NULL;
        free(bytes);
    }
    closedir(d);
    return found;
}

static void nothing_secret_stays_in_the_files(void **state)
{
    struct rig *r = *state;
    char dir[160], why[JOURNAL_WORDS_MAX];
    int64_t id = 0;
    snprintf(dir, sizeof dir, "%s/state/envoy-console", r->dir);
    struct journal *j = rig_open_well(r->path);
    struct journal_intent answer = rig_answer("ec-answer-000000000000000000000000a1", "q_1");
    answer.input = "{\"answer\":\"" CANARY "\"}";
    answer.input_len = strlen(answer.input);
    assert_int_equal(journal_intent(j, &answer, &id, why), ERR_USER);
    answer.input = NULL;
    answer.input_len = 0;
    id = rig_keep(j, &answer);
    struct journal_outcome o = {.state = JOURNAL_REFUSED,
                                .code = CONTRACT_UNRECOGNISED,
                                .request_id = "echo " CANARY,
                                .at_ms = NOON_MS};
    assert_int_equal(journal_outcome(j, id, &o), ERR_OK);
    assert_false(dir_holds(dir, CANARY));
    assert_true(dir_holds(dir, "ec-answer-000000000000000000000000a1")); /* the look can see */

    struct journal_intent start = rig_start();
    char input[3000];
    memset(input, 'x', sizeof input);
    memcpy(input + 2000, CANARY, strlen(CANARY));
    start.input = input;
    start.input_len = sizeof input;
    id = rig_keep(j, &start);
    assert_true(dir_holds(dir, CANARY)); /* needed while the outcome is not known */
    rig_end(j, id, JOURNAL_DONE);
    journal_close(j);
    assert_false(dir_holds(dir, CANARY));
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, rig_setup, rig_teardown)
    const struct CMUnitTest tests[] = {
        T(only_the_owner_can_read_it),
        T(a_damaged_file_is_left_as_it_is),
        T(a_row_out_of_bounds_is_damage),
        T(a_newer_or_foreign_file_is_left_as_it_is),
        T(an_older_file_is_brought_up_to_date),
        T(links_and_strange_files_are_refused),
        T(the_second_console_reads_and_says_who_has_it),
        T(a_stale_lock_does_not_hold),
        T(reading_only_takes_no_lock_and_writes_nothing),
        T(a_file_system_without_locks_is_said),
        T(a_full_disk_refuses_writes_and_recovers),
        T(a_read_only_disk_is_still_read),
        T(nothing_secret_stays_in_the_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
