/* SPDX-License-Identifier: Apache-2.0 */
/* The script that installs packages, with stand-ins for dpkg-query, apt-get, id and sudo that write
 * down how they were called: no work when all is there, only what is missing, sudo when not root,
 * and on another system names and a stop. Nothing is installed by these tests. */
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
#include "support/lineproc.h"
#include "support/pty.h"
#include "support/world.h"

struct stage {
    struct world world;
    char bin[96];
    struct lineproc *run;
    int code;
    char called[4096]; /* what the stand-ins wrote down */
};

static void stage_add(struct stage *s, const char *name, const char *script)
{
    char path[256];
    snprintf(path, sizeof(path), "%s/%s", s->bin, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fprintf(f, "#!/bin/sh\n%s\n", script);
    fclose(f);
    assert_int_equal(chmod(path, 0755), 0);
}

static void stage_link(struct stage *s, const char *program)
{
    char from[128], to[256];
    snprintf(to, sizeof(to), "%s/%s", s->bin, program);
    snprintf(from, sizeof(from), "/usr/bin/%s", program);
    if (access(from, X_OK) != 0)
        snprintf(from, sizeof(from), "/bin/%s", program);
    assert_int_equal(symlink(from, to), 0);
}

static void stage_open(struct stage *s)
{
    char path[128], log[128];
    memset(s, 0, sizeof(*s));
    assert_true(world_open(&s->world));
    snprintf(s->bin, sizeof(s->bin), "%s/bin", s->world.dir);
    assert_int_equal(mkdir(s->bin, 0755), 0);
    snprintf(path, sizeof(path), "PATH=%s", s->bin);
    snprintf(log, sizeof(log), "CALLS=%s/calls", s->world.dir);
    world_set(&s->world, path);
    world_set(&s->world, log);
    stage_link(s, "sed");
    stage_link(s, "env");
}

/* On Debian: every package but the one named is there. */
static void stage_debian(struct stage *s, const char *lacks, int user)
{
    char text[256];
    snprintf(text, sizeof(text), "for p; do :; done\n[ \"$p\" = '%s' ] || echo installed", lacks);
    stage_add(s, "dpkg-query", text);
    stage_add(s, "apt-get", "echo apt-get $DEBIAN_FRONTEND \"$@\" >>$CALLS");
    snprintf(text, sizeof(text), "echo %d", user);
    stage_add(s, "id", text);
}

static void stage_run(struct stage *s)
{
    char path[128];
    char *argv[] = {(char *)"/bin/sh", (char *)"tests/install-packages.sh", NULL};
    s->run = lineproc_start(argv, s->world.env, NULL);
    assert_true(lineproc_wait_exit(s->run, &s->code, PTY_WAIT_MS));
    snprintf(path, sizeof(path), "%s/calls", s->world.dir);
    FILE *f = fopen(path, "r");
    if (f) {
        s->called[fread(s->called, 1, sizeof(s->called) - 1, f)] = '\0';
        fclose(f);
    }
}

static void stage_close(struct stage *s)
{
    lineproc_stop(s->run);
    world_close(&s->world);
}

static void test_nothing_to_do(void **state)
{
    struct stage s;
    (void)state;
    stage_open(&s);
    stage_debian(&s, "no-package", 0);
    stage_run(&s);
    assert_int_equal(s.code, 0);
    assert_string_equal(s.called, "");
    assert_string_equal(lineproc_err(s.run), "");
    stage_close(&s);
}

static void test_only_what_is_missing(void **state)
{
    struct stage s;
    (void)state;
    stage_open(&s);
    stage_debian(&s, "libvterm-dev", 0);
    stage_run(&s);
    assert_int_equal(s.code, 0);
    const char *update = strstr(s.called, "apt-get noninteractive");
    const char *install = strstr(s.called, "install --no-install-recommends libvterm-dev\n");
    assert_non_null(update);
    assert_non_null(strstr(update, "update\n"));
    assert_non_null(install);
    assert_true(update < install);
    assert_null(strstr(s.called, "libsodium-dev"));
    stage_close(&s);
}

static void test_sudo_when_not_root(void **state)
{
    struct stage s;
    (void)state;
    stage_open(&s);
    stage_debian(&s, "libvterm-dev", 1000);
    stage_add(&s, "sudo", "echo sudo >>$CALLS; exec \"$@\"");
    stage_run(&s);
    assert_int_equal(s.code, 0);
    assert_int_equal(strncmp(s.called, "sudo\napt-get noninteractive", 26), 0);
    stage_close(&s);
}

static void test_neither_root_nor_sudo(void **state)
{
    struct stage s;
    (void)state;
    stage_open(&s);
    stage_debian(&s, "libvterm-dev", 1000);
    stage_run(&s);
    assert_int_equal(s.code, 1);
    assert_string_equal(s.called, "");
    assert_non_null(
        strstr(lineproc_err(s.run), "apt-get install --no-install-recommends libvterm-dev"));
    stage_close(&s);
}

static void test_another_system(void **state)
{
    struct stage s;
    (void)state;
    stage_open(&s);
    stage_add(&s, "make", "");
    stage_add(&s, "pkg-config", "[ \"$2\" != libsodium ]");
    stage_run(&s);
    assert_int_equal(s.code, 1);
    assert_non_null(strstr(lineproc_err(s.run), "cc (program)"));
    assert_non_null(strstr(lineproc_err(s.run), "libsodium (library with headers)"));
    assert_null(strstr(lineproc_err(s.run), "make (program)"));
    assert_null(strstr(lineproc_err(s.run), "jansson"));
    stage_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_to_do),      cmocka_unit_test(test_only_what_is_missing),
        cmocka_unit_test(test_sudo_when_not_root), cmocka_unit_test(test_neither_root_nor_sudo),
        cmocka_unit_test(test_another_system),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
