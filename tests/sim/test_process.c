/* SPDX-License-Identifier: Apache-2.0 */
/* envoy-sim as a program: options, the ready line, how it ends, the log, and held reads that are in
 * its hands when it resets or stops. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>
#include "support/simproc.h"

/* Runs it to its end with the given input; returns the exit code and what it printed first. */
static int run(const char *const *args, int *input, char *printed, size_t size)
{
    char program[512];
    const char *argv[12] = {program};
    int in[2], out[2];
    int status = 0;
    size_t n = 0;
    ssize_t got = 0;

    snprintf(program, sizeof(program), "%s/envoy-sim", getenv("ENVOY_BUILD"));
    for (n = 0; args[n] != NULL && n < 10; n++)
        argv[n + 1] = args[n];
    assert_int_equal(pipe(in) | pipe(out), 0);
    pid_t pid = fork();
    if (pid == 0) {
        dup2(in[0], 0);
        dup2(out[1], 1);
        dup2(out[1], 2);
        close(in[0]), close(in[1]), close(out[0]), close(out[1]);
        execv(program, (char *const *)argv);
        _exit(127);
    }
    close(in[0]), close(out[1]);
    n = 0;
    while (n + 1 < size && (got = read(out[0], printed + n, size - 1 - n)) > 0) {
        n += (size_t)got;
        printed[n] = '\0';
        if (input != NULL && strchr(printed, '\n') != NULL) {
            close(in[1]); /* it is ready: let its input end */
            input = NULL;
            in[1] = -1;
        }
    }
    printed[n] = '\0';
    if (in[1] >= 0)
        close(in[1]);
    close(out[0]);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void options_that_cannot_be_are_refused(void **state)
{
    static const char *const rows[][4] = {
        {"--port", "99999"}, {"--port", "x"}, {"--clock", "x0"},         {"--seed", "-1"},
        {"--nothing"},       {"more"},        {"--scenario", "nothing"}, {"--log", "/nowhere/x"},
    };
    char printed[2048];

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(run(rows[i], NULL, printed, sizeof printed), 2);
        assert_true(printed[0] != '\0' && printed[0] != '{');
    }
}

static void help_and_version_are_printed(void **state)
{
    static const char *const help[] = {"--help", NULL};
    static const char *const version[] = {"--version", NULL};
    char printed[4096];

    (void)state;
    assert_int_equal(run(help, NULL, printed, sizeof printed), 0);
    assert_non_null(strstr(printed, "--exit-with-stdin"));
    assert_non_null(strstr(printed, "  day\n"));
    assert_int_equal(run(version, NULL, printed, sizeof printed), 0);
    assert_memory_equal(printed, "envoy-sim ", 10);
}

static void it_ends_when_its_input_ends(void **state)
{
    static const char *const args[] = {"--exit-with-stdin", "--scenario", "card", NULL};
    char printed[2048];
    int input = 1;

    (void)state;
    assert_int_equal(run(args, &input, printed, sizeof printed), 0);
    cJSON *ready = cJSON_Parse(printed);
    assert_non_null(ready);
    assert_memory_equal(simproc_text(ready, "url"), "http://127.0.0.1:", 17);
    assert_string_equal(simproc_text(ready, "scenario"), "card");
    assert_true(simproc_number(ready, "pid") > 0);
    assert_true(strlen(simproc_text(ready, "token")) > 20);
    cJSON_Delete(ready);
}

/* A held read on a bare socket, in the simulator's hands when this returns. */
static int hold(struct simproc *s)
{
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const char *body = "{\"after_revision\":1}";
    char request[512];
    int fd = socket(AF_INET, SOCK_STREAM, 0);

    to.sin_port = htons((uint16_t)atoi(strrchr(simproc_url(s), ':') + 1));
    assert_int_equal(connect(fd, (struct sockaddr *)&to, sizeof to), 0);
    int n = snprintf(request, sizeof request,
                     "POST /tools/get_purchase_status HTTP/1.1\r\nHost: sim\r\n"
                     "Authorization: Bearer %s\r\nContent-Length: %zu\r\n\r\n%s",
                     simproc_token(s), strlen(body), body);
    assert_int_equal(write(fd, request, (size_t)n), n);
    while (simproc_number(simproc_get(s, "/sim/state"), "holds") == 0)
        ;
    return fd;
}

static void a_reset_lets_held_reads_go(void **state)
{
    struct simproc *s = simproc_open("card", false);
    int fd = hold(s);
    char byte;

    (void)state;
    simproc_post(s, "/sim/reset", "{'scenario':'day'}");
    assert_int_equal(simproc_status(s), 200);
    assert_true(read(fd, &byte, 1) <= 0);
    assert_string_equal(simproc_text(simproc_get(s, "/sim/state"), "scenario"), "day");
    assert_int_equal(simproc_number(simproc_get(s, "/sim/state"), "holds"), 0);
    close(fd);
    simproc_stop(s);
}

static void a_stop_does_not_wait_for_held_reads(void **state)
{
    struct simproc *s = simproc_open("card", false);
    int fd = hold(s);
    char byte;

    (void)state;
    simproc_stop(s); /* checks that it ends with 0 */
    assert_true(read(fd, &byte, 1) <= 0);
    close(fd);
}

static void the_log_has_a_line_for_each_call(void **state)
{
    char path[] = "/tmp/sim-process-XXXXXX";
    int fd = mkstemp(path);
    const char *const args[] = {"--scenario", "card", "--clock", "manual", "--log", path, NULL};
    struct simproc *s = simproc_start(args);
    char line[4096];
    size_t lines = 0;

    (void)state;
    assert_true(fd >= 0);
    simproc_call(s, "get_account", "{}");
    simproc_call(s, "submit_answer",
                 "{'type':'feedback','answer':'CANARY','idempotency_key':'key-process-0001'}");
    simproc_post(s, "/tools/nothing", "{}");
    simproc_stop(s);
    FILE *log = fdopen(fd, "r");
    while (fgets(line, sizeof line, log) != NULL) {
        cJSON *row = cJSON_Parse(line);

        assert_non_null(row);
        assert_int_equal(simproc_number(row, "n"), ++lines);
        assert_null(strstr(line, "CANARY"));
        cJSON_Delete(row);
    }
    assert_int_equal(lines, 3);
    fclose(log);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_that_cannot_be_are_refused),
        cmocka_unit_test(help_and_version_are_printed),
        cmocka_unit_test(it_ends_when_its_input_ends),
        cmocka_unit_test(a_reset_lets_held_reads_go),
        cmocka_unit_test(a_stop_does_not_wait_for_held_reads),
        cmocka_unit_test(the_log_has_a_line_for_each_call),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
