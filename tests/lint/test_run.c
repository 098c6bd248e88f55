/* SPDX-License-Identifier: Apache-2.0 */
/* The runner's totals are true: this program runs itself as the victim, once in each way in which a
 * test program can end. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>
#include "support/lineproc.h"
#include "support/pty.h"
#include "support/world.h"

static void good(void **state)
{
    (void)state;
}

static void bad(void **state)
{
    (void)state;
    assert_int_equal(getpid(), 0);
}

static void skipped(void **state)
{
    (void)state;
    skip();
}

static void leaves(void **state)
{
    (void)state;
    fflush(NULL);
    _exit(0);
}

static void killed(void **state)
{
    (void)state;
    fflush(NULL);
    kill(getpid(), SIGKILL);
}

static void hangs(void **state)
{
    (void)state;
    fflush(NULL);
    pause();
}

static int victim(const char *how)
{
    const struct CMUnitTest fine[] = {cmocka_unit_test(good), cmocka_unit_test(skipped),
                                      cmocka_unit_test(good)};
    const struct CMUnitTest fails[] = {cmocka_unit_test(good), cmocka_unit_test(bad)};
    const struct CMUnitTest exits[] = {cmocka_unit_test(good), cmocka_unit_test(leaves),
                                       cmocka_unit_test(good)};
    const struct CMUnitTest dies[] = {cmocka_unit_test(good), cmocka_unit_test(killed)};
    const struct CMUnitTest stuck[] = {cmocka_unit_test(good), cmocka_unit_test(hangs)};
    if (strcmp(how, "fine") == 0)
        return cmocka_run_group_tests(fine, NULL, NULL);
    if (strcmp(how, "fails") == 0)
        return cmocka_run_group_tests(fails, NULL, NULL);
    if (strcmp(how, "exits") == 0)
        return cmocka_run_group_tests(exits, NULL, NULL);
    if (strcmp(how, "dies") == 0)
        return cmocka_run_group_tests(dies, NULL, NULL);
    if (strcmp(how, "stuck") == 0)
        return cmocka_run_group_tests(stuck, NULL, NULL);
    if (strcmp(how, "lies") == 0) {
        (void)cmocka_run_group_tests(fine, NULL, NULL);
        return 3;
    }
    return 0; /* "empty" */
}

struct run_case {
    const char *first, *second; /* ways of the victims; NULL = none */
    const char *last_line;
    int code;
};

static const struct run_case cases[] = {
    {"fine", NULL, "\n2 passed, 0 failed\n", 0},   {"fails", NULL, "\n1 passed, 1 failed\n", 1},
    {"exits", NULL, "\n1 passed, 2 failed\n", 1},  {"dies", NULL, "\n1 passed, 1 failed\n", 1},
    {"stuck", NULL, "\n1 passed, 1 failed\n", 1},  {"empty", NULL, "\n0 passed, 1 failed\n", 1},
    {"lies", NULL, "\n2 passed, 1 failed\n", 1},   {"fine", "fine", "\n4 passed, 0 failed\n", 0},
    {"fine", "dies", "\n3 passed, 1 failed\n", 1}, {NULL, NULL, "0 passed, 0 failed\n", 1},
};

static void test_totals(void **state)
{
    const char *self = *state;
    const char *build = getenv("ENVOY_BUILD");
    char program[512], first[600], second[600];
    snprintf(program, sizeof(program), "%s/tests/run", build ? build : "build");
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct run_case *c = &cases[i];
        struct world w;
        int code = -1;
        assert_true(world_open(&w));
        snprintf(first, sizeof(first), "%s %s", self, c->first ? c->first : "");
        snprintf(second, sizeof(second), "%s %s", self, c->second ? c->second : "");
        char *argv[] = {program,
                        (char *)"-t",
                        (char *)"1",
                        (char *)"-o",
                        w.dir,
                        c->first ? first : NULL,
                        c->second ? second : NULL,
                        NULL};
        struct lineproc *p = lineproc_start(argv, w.env, NULL);
        assert_true(lineproc_wait_exit(p, &code, PTY_WAIT_MS));
        const char *out = lineproc_out(p);
        size_t len = strlen(out), want = strlen(c->last_line);
        if (code != c->code || len < want || strcmp(out + len - want, c->last_line) != 0)
            fail_msg("case %zu: exit %d, said: %s", i, code, out);
        lineproc_stop(p);
        world_close(&w);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test_prestate(test_totals, argv[0])};
    if (argc > 1)
        return victim(argv[1]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
