/* SPDX-License-Identifier: Apache-2.0 */
/* The script language says no where it must: each script here is wrong in one way and fails with a
 * reason that names it, the line and the screen. That right ones pass, tests/script shows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>
#include "support/script.h"

#define PROBE "run @BUILD/tests/pty/probe\nwait \"typed [\"\n"

static const struct {
    const char *text;
    const char *reason;
} wrong[] = {
    {"jump over\n", ":1: jump over\n  no such step: jump"},
    {"size 80\n", "size takes 2 to 2 words, not 1"},
    {"type \"open\n", "a quote is not closed"},
    {"wait words\n", "no full-screen program was started"},
    {"lines words\n", "no program was started on pipes"},
    {"sim clock advance 5\n", "no simulator was started"},
    {PROBE "wait \"never there\" 1\n", ":3: wait \"never there\" 1\n  not on the screen"},
    {PROBE "wait \"never there\" 1\n", "  1 |Title in red"},
    {PROBE "waitnot Title 1\n", "still on the screen"},
    {PROBE "waitre ^itle 1\n", "no row matches"},
    {PROBE "expect Title never\n", "not on the screen: never"},
    {PROBE "reject Title\n", "on the screen: Title"},
    {PROBE "row 2 Title 1\n", "not in that row"},
    {PROBE "keys NoKey\n", "no such key: NoKey"},
    {PROBE "bytes \"\\e]52;\"\n", "these bytes were never written"},
    {PROBE "nobytes \"\\e[?1049h\"\n", "these bytes were written"},
    {PROBE "restored\n", "differ from before the start"},
    {PROBE "quit\nexit 0\n", "exit status 3"},
    {PROBE "quit\nexit 3\nwait Title 1\n", "not on the screen"},
    {"runlines false\nexit 0\n", "exit status 1"},
    {"runlines echo one\nlines one\nlines one\n", "no further line has it"},
    {"runlines echo one\nlines one\nnolines one\n", "its output has it"},
    {"run /no/such/program\nexit 0\n", "cannot run /no/such/program"},
};

static void run_text(const char *text, bool *good, char **why)
{
    char path[] = "/tmp/script-test-XXXXXX";
    const char *build = getenv("ENVOY_BUILD");
    struct script_options options = {.build = build ? build : "build"};
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    close(fd);
    *why = NULL;
    *good = script_run(path, &options, why);
    unlink(path);
}

static void test_wrong_scripts_fail_with_their_reason(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        bool good;
        char *why;
        run_text(wrong[i].text, &good, &why);
        if (good || !why || !strstr(why, wrong[i].reason))
            fail_msg("script %zu (%s) said: %s", i, wrong[i].text, why ? why : "good");
        free(why);
    }
}

static void keep_name(void *user, const char *name, const struct term *screen)
{
    char *row = term_row_text(screen, 0);
    snprintf(user, 64, "%s:%s", name, row);
    free(row);
}

static void test_snapshots_are_handed_over(void **state)
{
    char path[] = "/tmp/script-test-XXXXXX", seen[64] = "";
    static const char text[] = PROBE "snapshot first\n";
    const char *build = getenv("ENVOY_BUILD");
    struct script_options options = {
        .build = build ? build : "build", .snapshot = keep_name, .user = seen};
    char *why = NULL;
    (void)state;
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    close(fd);
    assert_true(script_run(path, &options, &why));
    unlink(path);
    assert_string_equal(seen, "first:Title in red");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wrong_scripts_fail_with_their_reason),
        cmocka_unit_test(test_snapshots_are_handed_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
