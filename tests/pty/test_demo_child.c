/* SPDX-License-Identifier: Apache-2.0 */
/* The simulator as the console's child (case S6 among others): what it is given, and that neither
 * outlives the other. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>
#include <cjson/cJSON.h>
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include "support/control.h"
#include "support/lineproc.h"
#include "support/pty.h"
#include "support/world.h"

#define CANARY  "CANARY-3e07"
#define LOOK_MS 50

struct demo {
    struct world world;
    struct pty *pty;
    struct control control;
    pid_t child;
};

static char *read_whole(const char *path, size_t *len)
{
    char *text = calloc(1, 65536);
    int fd = open(path, O_RDONLY);
    ssize_t n, used = 0;

    assert_non_null(text);
    while (fd >= 0 && (n = read(fd, text + used, 65535 - (size_t)used)) > 0)
        used += n;
    if (fd >= 0)
        close(fd);
    *len = (size_t)used;
    return text;
}

static void open_demo(struct demo *d)
{
    const char *build = getenv("ENVOY_BUILD");
    char program[512], path[128], demo[] = "demo", clock[] = "--clock", manual[] = "manual";
    size_t len;

    memset(d, 0, sizeof(*d));
    assert_true(world_open(&d->world));
    world_set(&d->world, "ENVOY_SECRET=" CANARY);
    snprintf(program, sizeof(program), "%s/envoy-console", build ? build : "build");
    char *argv[] = {program, demo, clock, manual, NULL};
    struct pty_config config = {.argv = argv, .env = d->world.env, .rows = 30, .cols = 120};
    d->pty = pty_open(&config);
    if (!pty_wait_text(d->pty, "live", PTY_WAIT_MS))
        fail_msg("%s", term_text(pty_term(d->pty)));
    snprintf(path, sizeof(path), "%s/ready.json", d->world.dir);
    char *ready = read_whole(path, &len);
    assert_true(control_parse_ready(ready, &d->control));
    cJSON *json = cJSON_Parse(ready);
    d->child = (pid_t)cJSON_GetObjectItem(json, "pid")->valueint;
    cJSON_Delete(json);
    free(ready);
}

static void close_demo(struct demo *d)
{
    pty_close(d->pty);
    world_close(&d->world);
}

/* Not there any more, or dead and waiting for whoever became its parent. */
static bool has_ended(pid_t pid)
{
    char path[64], state = 'Z';
    size_t len;
    snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
    char *text = read_whole(path, &len);
    const char *after = strrchr(text, ')');
    if (after && after[1] == ' ')
        state = after[2];
    free(text);
    return state == 'Z' || state == 'X';
}

static void never_in(const char *path, const char *secret)
{
    size_t len;
    char *bytes = read_whole(path, &len);
    assert_true(len > 0);
    if (memmem(bytes, len, secret, strlen(secret)))
        fail_msg("%s holds %s", path, secret);
    free(bytes);
}

static void S6_arguments_and_environment_hold_no_secret(void **state)
{
    struct demo d;
    char path[64];
    (void)state;
    open_demo(&d);
    snprintf(path, sizeof(path), "/proc/%d/environ", (int)d.child);
    never_in(path, CANARY);
    never_in(path, d.control.token);
    snprintf(path, sizeof(path), "/proc/%d/cmdline", (int)d.child);
    never_in(path, d.control.token);
    snprintf(path, sizeof(path), "/proc/%d/cmdline", (int)pty_pid(d.pty));
    never_in(path, d.control.token);
    close_demo(&d);
}

static void the_ready_file_is_closed_to_others(void **state)
{
    struct demo d;
    struct stat st;
    char path[128];
    (void)state;
    open_demo(&d);
    snprintf(path, sizeof(path), "%s/ready.json", d.world.dir);
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
    close_demo(&d);
}

/* Its own three are a socket, a pipe and the log; the terminal is not among what it has. */
static void the_child_has_no_descriptor_of_ours(void **state)
{
    struct demo d;
    char dir[64], path[320], to[256];
    struct dirent *e;
    (void)state;
    open_demo(&d);
    snprintf(dir, sizeof(dir), "/proc/%d/fd", (int)d.child);
    DIR *list = opendir(dir);
    assert_non_null(list);
    while ((e = readdir(list))) {
        snprintf(path, sizeof(path), "%s/%s", dir, e->d_name);
        ssize_t n = readlink(path, to, sizeof(to) - 1);
        if (n < 0)
            continue;
        to[n] = '\0';
        if (strncmp(to, "/dev/pts", 8) == 0 || strstr(to, "/dev/ptmx") ||
            strncmp(to, d.world.dir, strlen(d.world.dir)) == 0)
            fail_msg("descriptor %s is %s", e->d_name, to);
    }
    closedir(list);
    close_demo(&d);
}

static void quitting_ends_the_child(void **state)
{
    struct demo d;
    struct pty_exit end;
    (void)state;
    open_demo(&d);
    assert_true(pty_key(d.pty, "q"));
    assert_true(pty_wait_exit(d.pty, &end, PTY_WAIT_MS));
    assert_int_equal(end.code, 0);
    assert_int_equal(kill(d.child, 0), -1); /* ended, and taken note of */
    close_demo(&d);
}

static void the_child_does_not_outlive_a_killed_console(void **state)
{
    struct demo d;
    (void)state;
    open_demo(&d);
    pty_signal(d.pty, SIGKILL);
    for (int left = PTY_WAIT_MS; left > 0 && !has_ended(d.child); left -= LOOK_MS)
        pty_let_pass(d.pty, LOOK_MS);
    assert_true(has_ended(d.child));
    close_demo(&d);
}

static void an_ended_child_is_told_and_costs_nothing(void **state)
{
    struct demo d;
    struct pty_exit end;
    (void)state;
    open_demo(&d);
    assert_int_equal(kill(d.child, SIGKILL), 0);
    if (!pty_wait_text(d.pty, "The simulator has ended", PTY_WAIT_MS))
        fail_msg("%s", term_text(pty_term(d.pty)));
    pty_let_pass(d.pty, 1500);
    assert_true(pty_key(d.pty, "q"));
    assert_true(pty_wait_exit(d.pty, &end, PTY_WAIT_MS));
    assert_int_equal(end.code, 0);
    /* a loop that its end keeps awake would have taken all of that time */
    long used_ms = end.usage.ru_utime.tv_sec * 1000 + end.usage.ru_utime.tv_usec / 1000 +
                   end.usage.ru_stime.tv_sec * 1000 + end.usage.ru_stime.tv_usec / 1000;
    assert_true(used_ms < pty_scaled_ms(1000));
    close_demo(&d);
}

static void without_a_simulator_it_says_where_it_looked(void **state)
{
    struct world world;
    const char *build = getenv("ENVOY_BUILD");
    char from[512], program[128], word[] = "demo";
    int code = -1;
    (void)state;
    assert_true(world_open(&world));
    snprintf(from, sizeof(from), "%s/envoy-console", build ? build : "build");
    snprintf(program, sizeof(program), "%s/console", world.dir);
    char cp[] = "cp";
    char *copy[] = {cp, from, program, NULL};
    struct lineproc *p = lineproc_start(copy, world.env, NULL);
    assert_true(lineproc_wait_exit(p, &code, PTY_WAIT_MS));
    lineproc_stop(p);
    assert_int_equal(code, 0);
    world_set(&world, "PATH=/nowhere");
    char *argv[] = {program, word, NULL};
    p = lineproc_start(argv, world.env, NULL);
    assert_true(lineproc_wait_exit(p, &code, PTY_WAIT_MS));
    assert_int_equal(code, 1);
    assert_non_null(strstr(lineproc_err(p), "neither beside this program nor in PATH"));
    assert_string_equal(lineproc_out(p), "");
    lineproc_stop(p);
    world_close(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(S6_arguments_and_environment_hold_no_secret),
        cmocka_unit_test(the_ready_file_is_closed_to_others),
        cmocka_unit_test(the_child_has_no_descriptor_of_ours),
        cmocka_unit_test(quitting_ends_the_child),
        cmocka_unit_test(the_child_does_not_outlive_a_killed_console),
        cmocka_unit_test(an_ended_child_is_told_and_costs_nothing),
        cmocka_unit_test(without_a_simulator_it_says_where_it_looked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
