/* SPDX-License-Identifier: Apache-2.0 */
/* Tokens from files and commands: what is taken, what is refused in which words, and that no word
 * of a refusal holds the token. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>
#include "core/clock.h"
#include "secret/token.h"

#define CANARY "tok_CANARY-91f2"

static char dir[64];

static void write_file(const char *name, const char *text, mode_t mode, char path[128])
{
    snprintf(path, 128, "%s/%s", dir, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
    assert_int_equal(chmod(path, mode), 0);
}

static void expect_token(struct secret *token, const char *want)
{
    const unsigned char *bytes = secret_open(token);
    assert_non_null(bytes);
    assert_int_equal(secret_len(token), strlen(want));
    assert_memory_equal(bytes, want, strlen(want));
    secret_close(token);
    secret_free(token);
}

static void expect_refused(enum err e, const char *why, const char *words)
{
    assert_int_equal(e, ERR_CONFIG);
    assert_null(strstr(why, "CANARY"));
    if (!strstr(why, words))
        fail_msg("%s", why);
}

static void a_closed_file_gives_its_first_line(void **state)
{
    static const char *const texts[] = {CANARY, CANARY "\n", CANARY " \t\r\nsecond line\n"};
    char path[128], why[300];
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        struct secret *token = NULL;
        write_file("good", texts[i], 0600, path);
        assert_int_equal(token_read_file(path, &token, why, sizeof(why)), ERR_OK);
        expect_token(token, CANARY);
    }
}

/* Case O7: a token that others can read is not used. */
static void O7_an_open_file_is_refused(void **state)
{
    static const mode_t modes[] = {0644, 0640, 0604, 0620, 0610};
    char path[128], why[300];
    (void)state;
    for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
        struct secret *token = NULL;
        write_file("open", CANARY "\n", modes[i], path);
        expect_refused(token_read_file(path, &token, why, sizeof(why)), why, "chmod 600");
        assert_null(token);
    }
}

static void a_file_that_holds_no_token_is_refused(void **state)
{
    char path[128], why[300];
    struct secret *token = NULL;
    char *longer = malloc(TOKEN_MAX + 2);
    (void)state;
    write_file("empty", "", 0600, path);
    expect_refused(token_read_file(path, &token, why, sizeof(why)), why, "no token");
    write_file("blank", " \n" CANARY, 0600, path);
    expect_refused(token_read_file(path, &token, why, sizeof(why)), why, "no token");
    memset(longer, 'x', TOKEN_MAX + 1);
    longer[TOKEN_MAX + 1] = '\0';
    write_file("long", longer, 0600, path);
    expect_refused(token_read_file(path, &token, why, sizeof(why)), why, "too long");
    free(longer);
    snprintf(path, sizeof(path), "%s/none", dir);
    expect_refused(token_read_file(path, &token, why, sizeof(why)), why, "cannot be opened");
    expect_refused(token_read_file(dir, &token, why, sizeof(why)), why, "not a plain file");
    snprintf(path, sizeof(path), "%s/pipe", dir);
    assert_int_equal(mkfifo(path, 0600), 0);
    expect_refused(token_read_file(path, &token, why, sizeof(why)), why, "not a plain file");
}

static void a_command_gives_its_first_line(void **state)
{
    char why[300];
    struct secret *token = NULL;
    (void)state;
    assert_int_equal(
        token_run_command("echo " CANARY "; echo more", 10000, &token, why, sizeof(why)), ERR_OK);
    expect_token(token, CANARY);
    /* it reads nothing of ours */
    assert_int_equal(token_run_command("cat; printf " CANARY, 10000, &token, why, sizeof(why)),
                     ERR_OK);
    expect_token(token, CANARY);
}

static void a_command_that_gives_none_is_refused(void **state)
{
    char why[300];
    struct secret *token = NULL;
    (void)state;
    expect_refused(token_run_command("echo " CANARY "; exit 4", 10000, &token, why, sizeof(why)),
                   why, "status 4");
    expect_refused(token_run_command("kill -TERM $$", 10000, &token, why, sizeof(why)), why,
                   "status 143");
    expect_refused(token_run_command("true", 10000, &token, why, sizeof(why)), why, "no token");
    expect_refused(token_run_command("echo; echo " CANARY, 10000, &token, why, sizeof(why)), why,
                   "no token");
    expect_refused(
        token_run_command("while :; do echo " CANARY "; done", 10000, &token, why, sizeof(why)),
        why, "more than a token");
    expect_refused(
        token_run_command("no-such-program-here 2>/dev/null", 10000, &token, why, sizeof(why)), why,
        "status 127");
}

static void a_command_that_hangs_is_ended(void **state)
{
    char why[300];
    struct secret *token = NULL;
    int64_t begun = clock_mono_ms();
    (void)state;
    expect_refused(token_run_command("exec tail -f /dev/null", 300, &token, why, sizeof(why)), why,
                   "did not end");
    assert_true(clock_mono_ms() - begun < 5000);
}

static int open_world(void **state)
{
    bool locked;
    (void)state;
    snprintf(dir, sizeof(dir), "/tmp/envoy-token-XXXXXX");
    if (secret_init(&locked) != ERR_OK || !mkdtemp(dir))
        return -1;
    int null = open("/dev/null", 0);
    return null >= 0 && dup2(null, STDIN_FILENO) == STDIN_FILENO ? 0 : -1;
}

static int close_world(void **state)
{
    static const char *const names[] = {"good", "open", "empty", "blank", "long", "pipe"};
    char path[128];
    (void)state;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        snprintf(path, sizeof(path), "%s/%s", dir, names[i]);
        unlink(path);
    }
    return rmdir(dir);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_closed_file_gives_its_first_line),
        cmocka_unit_test(O7_an_open_file_is_refused),
        cmocka_unit_test(a_file_that_holds_no_token_is_refused),
        cmocka_unit_test(a_command_gives_its_first_line),
        cmocka_unit_test(a_command_that_gives_none_is_refused),
        cmocka_unit_test(a_command_that_hangs_is_ended),
    };
    return cmocka_run_group_tests(tests, open_world, close_world);
}
