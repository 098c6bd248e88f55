/* SPDX-License-Identifier: Apache-2.0 */
/* Case L4: a terminal that cannot serve, or none: one plain sentence with the remedy, exit 2, at
 * once; no escape byte, no call, and no key taken from a pipe. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "support/lineproc.h"
#include "support/rig.h"

#define SOON_MS 1000

/* One line that a person can act on, and not a byte that drives a terminal. */
static void one_plain_sentence(const char *text)
{
    size_t len = strlen(text);
    if (len < 20 || strchr(text, '\033') || !strchr(text, '\n') ||
        strchr(text, '\n') != text + len - 1)
        fail_msg("not one plain line: [%s]", text);
}

static void start_demo(struct rig *r)
{
    const char *build = getenv("ENVOY_BUILD");
    char program[512];
    char *argv[] = {program, (char *)"demo", NULL};
    snprintf(program, sizeof(program), "%s/envoy-console", build ? build : "build");
    struct pty_config config = {.argv = argv, .env = r->world.env, .rows = 24, .cols = 80};
    r->pty = pty_open(&config);
}

static void on_a_terminal(const char *term, bool demo)
{
    struct rig r;
    struct pty_exit end;

    rig_prepare(&r, "day");
    world_set(&r.world, term);
    if (demo)
        start_demo(&r);
    else
        rig_start(&r, NULL);
    if (!pty_wait_exit(r.pty, &end, SOON_MS))
        rig_fail(&r, "it did not end");
    assert_int_equal(end.code, 2);
    size_t len; /* the text ends with a NUL as well */
    const char *bytes = term_bytes(pty_term(r.pty), &len);
    char *copy = strdup(bytes);
    char *cr;
    while ((cr = strchr(copy, '\r'))) /* the terminal's own */
        memmove(cr, cr + 1, strlen(cr));
    one_plain_sentence(copy);
    free(copy);
    assert_int_equal(rig_calls(&r, "*"), 0);
    rig_close(&r);
}

static void L4_terminal_unknown_or_dumb(void **state)
{
    (void)state;
    for (int demo = 0; demo < 2;
         demo++) { /* a demo plays lines without a terminal, not on a bad one */
        on_a_terminal("TERM=no-such-term", demo);
        on_a_terminal("TERM=dumb", demo);
        on_a_terminal("TERM", demo); /* not set at all */
    }
}

static void on_pipes(const char *input)
{
    struct rig r;
    int code = -1;
    const char *build = getenv("ENVOY_BUILD");
    char program[512], token[128];

    rig_prepare(&r, "day");
    snprintf(program, sizeof(program), "%s/envoy-console", build ? build : "build");
    snprintf(token, sizeof(token), "%s/token", r.world.dir);
    FILE *f = fopen(token, "w");
    assert_non_null(f);
    fprintf(f, "%s\n", simproc_token(r.sim));
    fclose(f);
    char *argv[] = {program,
                    (char *)"--api",
                    (char *)(uintptr_t)simproc_url(r.sim),
                    (char *)"--token-file",
                    token,
                    NULL};
    struct lineproc *p = lineproc_start(argv, r.world.env, input);
    assert_true(lineproc_wait_exit(p, &code, SOON_MS));
    assert_int_equal(code, 2);
    assert_string_equal(lineproc_out(p), "");
    one_plain_sentence(lineproc_err(p));
    lineproc_stop(p);
    assert_int_equal(rig_calls(&r, "*"), 0);
    rig_close(&r);
}

static void L4_pipes(void **state)
{
    (void)state;
    on_pipes("y\ny\nx\n");
    on_pipes(NULL);
}

static void L4_stdin_is_no_terminal(void **state)
{
    struct pty_exit end;
    struct rig r;
    (void)state;
    rig_prepare(&r, "day");
    r.stdin_null = true;
    rig_start(&r, NULL);
    if (!pty_wait_exit(r.pty, &end, SOON_MS))
        rig_fail(&r, "it did not end");
    assert_int_equal(end.code, 2);
    assert_false(term_bytes_contain(pty_term(r.pty), "\033", 1, 0));
    assert_int_equal(rig_calls(&r, "*"), 0);
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(L4_terminal_unknown_or_dumb),
        cmocka_unit_test(L4_pipes),
        cmocka_unit_test(L4_stdin_is_no_terminal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
