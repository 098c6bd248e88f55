/* SPDX-License-Identifier: Apache-2.0 */
/* Every change of the disk fails once and for good, and the process is killed at every one: what
 * was said to be kept is kept, nothing is lost that was there, and no byte is sent before its
 * intent is on the disk (cases P4, J1, S2). */
#include "rig.h"
#include "rig_vfs.h"

#include <sys/wait.h>

static int setup(void **state)
{
    vfs_arm(VFS_NONE, 0, false);
    return rig_setup(state);
}

static int teardown(void **state)
{
    vfs_arm(VFS_NONE, 0, false);
    return rig_teardown(state);
}

static void make_answer(int n, char key[40], struct journal_intent *out)
{
    rig_key(key, n);
    *out = rig_answer(key, key);
}

static const struct journal_write *find(const struct rig_writes *all, const char *key)
{
    for (size_t i = 0; i < all->count; i++)
        if (strcmp(all->at[i].key, key) == 0)
            return &all->at[i];
    return NULL;
}

/* Failing disks */

static const char *const plain_words[] = {"disk is full", "cannot be written", "failed",
                                          "something else"};

static void expect_plain_words(const char *words)
{
    bool found = false;
    for (size_t i = 0; i < sizeof plain_words / sizeof plain_words[0]; i++)
        found = found || strstr(words, plain_words[i]);
    if (!found || strchr(words, '\n'))
        fail_msg("no plain words: \"%s\"", words);
}

/* A whole write and a timeline row, each step failing or not as it comes. Returns whether the
 * intent was kept; *known whether its outcome was. */
static bool one_write(struct journal *j, int n, bool *known)
{
    char key[40], why[JOURNAL_WORDS_MAX] = "";
    struct journal_intent answer;
    struct journal_row row = {.at_ms = NOON_MS + n, .kind = "state", .text = "row"};
    struct journal_outcome done = {
        .state = JOURNAL_DONE, .code = CONTRACT_ABSENT, .at_ms = NOON_MS};
    int64_t id = 0;
    *known = false;
    make_answer(n, key, &answer);
    if (journal_intent(j, &answer, &id, why) != ERR_OK) {
        expect_plain_words(why);
        assert_int_equal(id, 0);
        return false;
    }
    assert_int_equal(vfs.unsynced, 0); /* here the first byte would leave */
    if (journal_sent(j, id, NOON_MS) != ERR_OK)
        expect_plain_words(journal_status_view(j)->words);
    if (journal_add_rows(j, OWNER, PURCHASE, &row, 1) != ERR_OK)
        expect_plain_words(journal_status_view(j)->words);
    *known = journal_outcome(j, id, &done) == ERR_OK;
    return true;
}

static void expect_write(const char *path, int n, bool kept, bool known)
{
    struct journal *j = rig_open_well(path);
    struct rig_writes all;
    char key[40];
    rig_key(key, n);
    rig_list(j, false, &all);
    const struct journal_write *w = find(&all, key);
    if (kept)
        assert_non_null(w);
    if (known)
        assert_int_equal(w->state, JOURNAL_DONE);
    rig_key(key, 0);
    w = find(&all, key);
    assert_non_null(w);
    assert_int_equal(w->state, JOURNAL_DONE);
    journal_close(j);
}

/* Fails the n-th change while a write is under way. False when there was no n-th. */
static bool fail_change(const char *path, enum vfs_mischief mischief, bool once, long at)
{
    bool known = false, again = false;
    struct journal *j = rig_open_well(path);
    assert_true(one_write(j, 0, &known));
    assert_true(known);
    vfs_arm(mischief, at, once);
    bool kept = one_write(j, 1, &known);
    bool reached = vfs.count >= at;
    vfs_arm(VFS_NONE, 0, false);
    assert_true(one_write(j, 2, &again)); /* room again: it goes on by itself */
    assert_true(again);
    assert_string_equal(journal_status_view(j)->words, "");
    journal_close(j);
    expect_write(path, 1, kept, known);
    expect_write(path, 2, true, true);
    return reached;
}

static const enum vfs_mischief disks[] = {VFS_FULL, VFS_SEALED, VFS_SYNC, VFS_BROKEN};

static void a_failing_disk_loses_nothing(void **state)
{
    struct rig *r = *state;
    for (size_t i = 0; i < 4; i++) {
        for (int once = 0; once < 2; once++) {
            long at = 1;
            char path[160];
            do
                snprintf(path, sizeof path, "%s/%zu-%d-%ld/j.db", r->dir, i, once, at);
            while (fail_change(path, disks[i], once, at) && ++at < 100);
            assert_in_range(at, 8, 99); /* four commits: a write and a sync each, at least */
        }
    }
}

/* The same while it is opened for the first time, and again after a console was killed. */
static bool fail_opening(const char *path, enum vfs_mischief mischief, long at)
{
    bool known = false;
    vfs_arm(mischief, at, false);
    struct journal *j = rig_open(path);
    bool reached = vfs.count >= at;
    const struct journal_status *s = journal_status_view(j);
    if (s->mode != JOURNAL_READ_WRITE)
        expect_plain_words(s->words);
    vfs_arm(VFS_NONE, 0, false);
    assert_true(one_write(j, 0, &known));
    assert_true(known);
    assert_string_equal(s->words, "");
    journal_close(j);
    expect_write(path, 0, true, true);
    return reached;
}

static void opening_on_a_failing_disk_harms_nothing(void **state)
{
    struct rig *r = *state;
    for (size_t i = 0; i < 4; i++) {
        long at = 1;
        char path[160];
        do
            snprintf(path, sizeof path, "%s/new-%zu-%ld/j.db", r->dir, i, at);
        while (fail_opening(path, disks[i], at) && ++at < 200);
        assert_in_range(at, 5, 199);
    }
}

/* Killed at every change of the disk, every lock, and every byte sent */

#define WRITES 8

static void tell(int network, char what, int n)
{
    char line[2] = {what, (char)('0' + n)};
    (void)vfs_change(false); /* a moment to be killed at as well */
    if (write(network, line, 2) != 2)
        _exit(2);
}

/* A console's life. network stands for the wire: S when a byte leaves, K when an outcome was kept.
 */
static void live(const char *path, int network)
{
    struct journal_options o = {.path = path, .make_dir = true};
    struct journal_row row = {.at_ms = NOON_MS, .kind = "state", .text = "row"};
    struct journal *j = NULL;
    char why[JOURNAL_WORDS_MAX], key[40];
    if (journal_open(&o, &j) != ERR_OK)
        _exit(3);
    for (int n = 0; n < WRITES; n++) {
        struct journal_intent answer;
        struct journal_outcome done = {
            .state = JOURNAL_DONE, .code = CONTRACT_ABSENT, .at_ms = NOON_MS};
        int64_t id = 0;
        make_answer(n, key, &answer);
        if (journal_intent(j, &answer, &id, why) != ERR_OK) {
            /* what an earlier life has recorded is not sent again */
            if (strcmp(why, "This was recorded by Envoy already; it is not sent again.") != 0)
                _exit(4);
            continue;
        }
        if (vfs.unsynced != 0)
            _exit(5);
        tell(network, 'S', n);
        if (journal_sent(j, id, NOON_MS) != ERR_OK)
            _exit(6);
        row.at_ms++;
        if (journal_add_rows(j, OWNER, PURCHASE, &row, 1) != ERR_OK)
            _exit(7);
        if (n % 3 == 2 && journal_unknown(j, id, NOON_MS) != ERR_OK)
            _exit(8);
        if (n % 3 != 2 && journal_outcome(j, id, &done) != ERR_OK)
            _exit(9);
        if (n % 3 != 2)
            tell(network, 'K', n);
    }
    journal_close(j);
    _exit(0);
}

struct wire {
    bool sent[WRITES], known[WRITES];
};

/* Runs one life to its end. True when it was killed. */
static bool one_life(const char *path, long kill_at, struct wire *w)
{
    int fd[2], status = 0;
    char line[2];
    assert_int_equal(pipe(fd), 0);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        close(fd[0]);
        vfs_arm(VFS_KILL, kill_at, true);
        live(path, fd[1]);
    }
    close(fd[1]);
    while (read(fd[0], line, 2) == 2)
        (line[0] == 'S' ? w->sent : w->known)[line[1] - '0'] = true;
    close(fd[0]);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    if (WIFEXITED(status))
        assert_int_equal(WEXITSTATUS(status), 0);
    else
        assert_int_equal(WTERMSIG(status), SIGKILL);
    return WIFSIGNALED(status);
}

/* What the journal says must be what the wire saw, or less sure than that. */
static void expect_agreement(const char *path, const struct wire *w)
{
    struct journal *j = rig_open_well(path);
    struct rig_writes all;
    rig_list(j, false, &all);
    size_t not_seen = 0;
    for (int n = 0; n < WRITES; n++) {
        char key[40];
        rig_key(key, n);
        const struct journal_write *row = find(&all, key);
        if (w->sent[n])
            assert_non_null(row);
        if (w->known[n])
            assert_int_equal(row->state, JOURNAL_DONE);
        if (row && row->state != JOURNAL_INTENT && !w->sent[n])
            fail_msg("row %d is %s, but nothing was sent", n, journal_state_words(row->state));
        not_seen += row && !w->sent[n];
    }
    assert_in_range(not_seen, 0, 1); /* the one that was about to be sent */
    journal_close(j);
}

static void a_console_killed_anywhere_leaves_a_true_journal(void **state)
{
    struct rig *r = *state;
    long at = 1;
    bool killed = true;
    for (; killed && at < 1000; at++) {
        struct wire w = {0};
        char path[160];
        snprintf(path, sizeof path, "%s/k%ld/j.db", r->dir, at);
        killed = one_life(path, at, &w);
        if (killed && at % 3 == 0) /* and once more while it comes back */
            (void)one_life(path, 1 + at % 23, &w);
        if (killed || at == 1)
            expect_agreement(path, &w);
        snprintf(path, sizeof path, "%s/k%ld", r->dir, at);
        rig_remove(path);
    }
    assert_in_range(at, 200, 999);
    print_message("killed at %ld points\n", at - 2);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        T(a_failing_disk_loses_nothing),
        T(opening_on_a_failing_disk_harms_nothing),
        T(a_console_killed_anywhere_leaves_a_true_journal),
    };
    vfs_install();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
