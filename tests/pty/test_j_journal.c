/* SPDX-License-Identifier: Apache-2.0 */
/* Cases J1 and J2 on the real console: a journal that cannot be used, or that another console has,
 * is one clear line; purchases are followed all the same, nothing is sent, the reason is told, and
 * all is well again as soon as the trouble is gone. */
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>
#include "support/rig.h"

#define NO_PLACE          "Journal: no place for it (HOME is not set), so nothing is sent from here."
#define CANCEL_CONFIRM_MS 700 /* a dialog takes no confirmation sooner */

static void journal_dir(const struct rig *r, char *out, size_t size)
{
    snprintf(out, size, "%s/state/envoy-console", r->world.dir);
}

/* A world with an empty state directory of the console in it. */
static void prepare_dir(struct rig *r, char *dir, size_t size)
{
    char state[96];
    rig_prepare(r, "card");
    snprintf(state, sizeof state, "%s/state", r->world.dir);
    journal_dir(r, dir, size);
    assert_int_equal(mkdir(state, 0700), 0);
    assert_int_equal(mkdir(dir, 0700), 0);
}

static void write_file(const char *dir, const char *name, const char *bytes, size_t len)
{
    char path[160];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, bytes, len), (ssize_t)len);
    close(fd);
}

/* Reads go on: what the owner does is seen. */
static void want_monitoring(struct rig *r)
{
    simproc_phone(r->sim, "latest", "approve");
    simproc_advance(r->sim, 2);
    rig_want_gone(r, "FOR YOU");
    rig_want(r, "approved");
}

static void cancel(struct rig *r)
{
    rig_keys(r, "x");
    rig_want(r, "Cancel this purchase");
    pty_let_pass(r->pty, CANCEL_CONFIRM_MS);
    rig_keys(r, "y");
}

/* The line goes after a while; pressed then, the key brings it back and nothing else. */
static void want_refused(struct rig *r, const char *words)
{
    rig_want_gone(r, words);
    rig_keys(r, "x");
    rig_want(r, words);
    assert_false(term_find(pty_term(r->pty), "Cancel this purchase", NULL, NULL));
}

static void J1_no_place_for_it(void **state)
{
    struct rig r;
    (void)state;
    rig_prepare(&r, "card");
    world_set(&r.world, "HOME");
    world_set(&r.world, "XDG_STATE_HOME");
    rig_start(&r, NULL);
    rig_want(&r, "NO JOURNAL");
    rig_want(&r, NO_PLACE);
    want_monitoring(&r);
    want_refused(&r, NO_PLACE);
    assert_int_equal(rig_writes(&r), 0);
    rig_close(&r);
}

static void J1_damaged(void **state)
{
    char dir[128], text[4096];
    struct rig r;
    (void)state;
    prepare_dir(&r, dir, sizeof dir);
    memset(text, 'x', sizeof text);
    write_file(dir, "journal.db", text, sizeof text);
    rig_start(&r, NULL);
    rig_want(&r, "NO JOURNAL");
    rig_want(&r, "Journal:");
    want_monitoring(&r);
    want_refused(&r, "Journal:");
    assert_int_equal(rig_writes(&r), 0);
    rig_close(&r);
}

/* What is not a directory where the directory belongs. */
static void J1_no_directory(void **state)
{
    char state_dir[96];
    struct rig r;
    (void)state;
    rig_prepare(&r, "card");
    snprintf(state_dir, sizeof state_dir, "%s/state", r.world.dir);
    assert_int_equal(mkdir(state_dir, 0700), 0);
    write_file(state_dir, "envoy-console", "", 0);
    rig_start(&r, NULL);
    rig_want(&r, "NO JOURNAL");
    rig_want(&r, "Journal:");
    want_monitoring(&r);
    want_refused(&r, "Journal:");
    assert_int_equal(rig_writes(&r), 0);
    rig_close(&r);
}

static void open_second(struct rig *first, struct rig *second)
{
    char words[64];
    *second = *first;
    second->pty = NULL;
    rig_start(second, NULL);
    snprintf(words, sizeof words, "the console with PID %ld has it open",
             (long)pty_pid(first->pty));
    rig_want(second, words);
    rig_want(second, "READ-ONLY");
    want_monitoring(second);
    want_refused(second, words);
    assert_int_equal(rig_writes(second), 0);
}

/* A key is what wakes it; the lock is looked at about once a second. */
static void want_taken_over(struct rig *second)
{
    for (int i = 0; i < 50 && term_find(pty_term(second->pty), "READ-ONLY", NULL, NULL); i++) {
        rig_keys(second, "Tab");
        (void)pty_wait_no_text(second->pty, "READ-ONLY", 200);
    }
    rig_want_gone(second, "READ-ONLY");
    cancel(second);
    rig_want(second, "Envoy recorded the cancel");
    assert_int_equal(rig_calls(second, "cancel_purchase"), 1);
}

static void J2_the_second_says_which_has_it_and_takes_over(void **state)
{
    struct pty_exit end;
    struct rig first, second;
    (void)state;
    rig_open(&first, "card");
    open_second(&first, &second);
    rig_keys(&first, "q");
    assert_true(pty_wait_exit(first.pty, &end, PTY_WAIT_MS));
    assert_int_equal(end.code, 0);
    want_taken_over(&second);
    pty_close(second.pty);
    rig_close(&first);
}

static void J2_a_killed_console_holds_nothing(void **state)
{
    struct pty_exit end;
    struct rig first, second;
    (void)state;
    rig_open(&first, "card");
    open_second(&first, &second);
    pty_signal(first.pty, SIGKILL);
    assert_true(pty_wait_exit(first.pty, &end, PTY_WAIT_MS));
    want_taken_over(&second);
    pty_close(second.pty);
    rig_close(&first);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(J1_no_place_for_it),
        cmocka_unit_test(J1_damaged),
        cmocka_unit_test(J1_no_directory),
        cmocka_unit_test(J2_the_second_says_which_has_it_and_takes_over),
        cmocka_unit_test(J2_a_killed_console_holds_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
