/* SPDX-License-Identifier: Apache-2.0 */
/* See launch.h. The child's standard input is one end of a socket pair: when we die it ends, and
 * when the child dies our end does, so neither can outlive the other unnoticed. */
#include "launch.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/jsonscan.h"
#include "core/scrub.h"
#include "core/str.h"

#define READY_MAX      1024 /* bytes of the ready line */
#define READY_LIMIT_MS 15000
#define END_LIMIT_MS   5000 /* for the child to end by itself, and again after a signal */
#define LINE_MAX_BYTES 512
#define PATH_BYTES     1024
#define TOKEN_BYTES    256

extern char **environ;

/* The one beside us belongs to us; without one the PATH decides. */
static void find_program(char out[PATH_BYTES])
{
    static const char name[] = "envoy-sim";
    char self[PATH_BYTES];
    ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);

    if (n > 0) {
        self[n] = '\0';
        char *slash = strrchr(self, '/');
        if (slash) {
            *slash = '\0';
            int len = snprintf(out, PATH_BYTES, "%s/%s", self, name);
            if (len > 0 && len < PATH_BYTES && access(out, X_OK) == 0)
                return;
        }
    }
    (void)str_copy(out, PATH_BYTES, name);
}

/* Of our environment the child gets what a program needs to start, and nothing that may be secret.
 */
#define ENV_MAX 32
static void choose_env(char *out[ENV_MAX + 1])
{
    static const char *const names[] = {
        "PATH=",         "HOME=",          "TZ=",          "LANG=", "LC_", "TMPDIR=",
        "ASAN_OPTIONS=", "UBSAN_OPTIONS=", "LSAN_OPTIONS="};
    size_t count = 0;
    for (char **e = environ; *e && count < ENV_MAX; e++)
        for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
            if (str_starts(*e, names[i])) {
                out[count++] = *e;
                break;
            }
    out[count] = NULL;
}

#define ARGS_MAX 16
static void add_arg(char *argv[ARGS_MAX], size_t *count, const char *text)
{
    argv[(*count)++] = (char *)(uintptr_t)text; /* posix_spawn takes it so and leaves it alone */
    argv[*count] = NULL;
}

static void build_args(char *argv[ARGS_MAX], const struct launch_options *o)
{
    size_t n = 0;
    add_arg(argv, &n, "envoy-sim");
    add_arg(argv, &n, "--exit-with-stdin");
    add_arg(argv, &n, "--tell-rest");
    add_arg(argv, &n, "--scenario");
    add_arg(argv, &n, o->scenario);
    add_arg(argv, &n, "--clock");
    add_arg(argv, &n, o->clock);
    if (o->seed && o->seed[0]) {
        add_arg(argv, &n, "--seed");
        add_arg(argv, &n, o->seed);
    }
    if (o->is_auto)
        add_arg(argv, &n, "--auto");
}

/* A group of its own: Ctrl-C at the terminal is for us, and we end the child in order. */
static bool prepare_attr(posix_spawnattr_t *attr)
{
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    return posix_spawnattr_setpgroup(attr, 0) == 0 &&
           posix_spawnattr_setsigmask(attr, &none) == 0 &&
           posix_spawnattr_setsigdefault(attr, &all) == 0 &&
           posix_spawnattr_setflags(attr, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
                                              POSIX_SPAWN_SETSIGDEF) == 0;
}

static bool prepare_files(posix_spawn_file_actions_t *actions, int in_fd, int out_fd,
                          const char *log)
{
    int flags = log ? O_WRONLY | O_APPEND | O_CREAT : O_WRONLY;
    return posix_spawn_file_actions_adddup2(actions, in_fd, STDIN_FILENO) == 0 &&
           posix_spawn_file_actions_adddup2(actions, out_fd, STDOUT_FILENO) == 0 &&
           posix_spawn_file_actions_addopen(actions, STDERR_FILENO, log ? log : "/dev/null", flags,
                                            S_IRUSR | S_IWUSR) == 0;
}

static bool spawn(struct launch *l, const struct launch_options *o, int in_fd, int out_fd)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attr;
    char program[PATH_BYTES];
    char *argv[ARGS_MAX];
    char *env[ENV_MAX + 1];
    int rc = -1;

    find_program(program);
    build_args(argv, o);
    choose_env(env);
    if (posix_spawn_file_actions_init(&actions) != 0)
        return false;
    if (posix_spawnattr_init(&attr) == 0) {
        if (prepare_attr(&attr) && prepare_files(&actions, in_fd, out_fd, o->log))
            rc = posix_spawnp(&l->pid, program, &actions, &attr, argv, env);
        posix_spawnattr_destroy(&attr);
    }
    posix_spawn_file_actions_destroy(&actions);
    return rc == 0;
}

/* Bytes of the ready line, one at a time: what follows it is for launch_resting. */
static enum err read_ready(int fd, struct secret *line)
{
    int64_t until = clock_mono_ms() + READY_LIMIT_MS;
    enum err e = ERR_OK;
    char byte = 0;

    while (e == ERR_OK) {
        struct pollfd p = {.fd = fd, .events = POLLIN};
        int64_t left = until - clock_mono_ms();
        int ready = poll(&p, 1, left > 0 ? (int)left : 0);
        if (ready < 0 && errno == EINTR)
            continue;
        ssize_t n = ready > 0 ? read(fd, &byte, 1) : 0;
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0) {
            e = ready > 0 ? ERR_FORMAT : ERR_NETWORK;
            break;
        }
        if (byte == '\n')
            break;
        e = secret_append(line, &byte, 1);
    }
    byte = 0;
    return e;
}

static enum err take_text(const char *json, size_t len, const char *name, char *out, size_t size)
{
    const char *const path[] = {name, NULL};
    struct jsonscan_span span;
    size_t used = 0;
    enum err e = jsonscan_find(json, len, path, &span);
    return e == ERR_OK ? jsonscan_string(json, span, out, size, &used) : e;
}

static enum err parse_ready(struct launch *l, struct secret *line)
{
    char token[TOKEN_BYTES];
    const char *json = (const char *)secret_open(line);
    if (!json)
        return ERR_MEMORY;
    size_t len = secret_len(line);
    enum err e = take_text(json, len, "url", l->url, sizeof(l->url));
    if (e == ERR_OK)
        e = take_text(json, len, "scenario", l->scenario, sizeof(l->scenario));
    if (e == ERR_LIMIT) { /* a long path: the name alone is only shown */
        (void)str_copy(l->scenario, sizeof(l->scenario), "file");
        e = ERR_OK;
    }
    if (e == ERR_OK)
        e = take_text(json, len, "token", token, sizeof(token));
    if (e == ERR_OK) {
        l->token = secret_new(TOKEN_BYTES);
        e = l->token ? secret_append(l->token, token, strlen(token)) : ERR_MEMORY;
    }
    scrub_bytes(token, sizeof(token));
    secret_close(line);
    return e;
}

/* Whole or not at all: who waits for the file must not find a part of it. */
static enum err publish_ready(const char *path, struct secret *line)
{
    char fresh[PATH_BYTES];
    int n = snprintf(fresh, sizeof(fresh), "%s.%ld", path, (long)getpid());
    if (n < 0 || (size_t)n >= sizeof(fresh))
        return ERR_LIMIT;
    int fd = open(fresh, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR);
    if (fd < 0)
        return ERR_STORE;
    const unsigned char *bytes = secret_open(line);
    size_t len = secret_len(line);
    bool good = bytes && write(fd, bytes, len) == (ssize_t)len && write(fd, "\n", 1) == 1;
    if (bytes)
        secret_close(line);
    close(fd);
    if (good && rename(fresh, path) == 0)
        return ERR_OK;
    unlink(fresh);
    return ERR_STORE;
}

static enum err meet(struct launch *l, char *why, size_t size)
{
    const char *publish = getenv(LAUNCH_READY_ENV);
    struct secret *line = secret_new(READY_MAX);
    if (!line)
        return err_explain(ERR_CONFIG, why, size, "There is no memory for the simulator's token.");
    enum err e = read_ready(l->said_fd, line);
    if (e == ERR_NETWORK)
        err_explain(ERR_CONFIG, why, size, "The simulator was not ready in %d seconds.",
                    READY_LIMIT_MS / 1000);
    else if (e != ERR_OK || parse_ready(l, line) != ERR_OK)
        e = err_explain(
            ERR_CONFIG, why, size, "%s",
            "The simulator did not start; envoy-sim --help lists its scenarios, and --log "
            "FILE keeps what it says.");
    if (e == ERR_OK && publish && publish[0] && publish_ready(publish, line) != ERR_OK)
        e = err_explain(ERR_CONFIG, why, size, "The file that %s names cannot be written.",
                        LAUNCH_READY_ENV);
    secret_free(line);
    return e == ERR_OK ? ERR_OK : ERR_CONFIG;
}

enum err launch_start(struct launch *l, const struct launch_options *options, char *why,
                      size_t size)
{
    int link[2] = {-1, -1}, said[2] = {-1, -1};
    enum err e = ERR_CONFIG;

    *l = (struct launch){.pid = -1, .link_fd = -1, .said_fd = -1, .resting = -1};
    buf_init(&l->said, LINE_MAX_BYTES);
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, link) != 0 ||
        pipe2(said, O_CLOEXEC) != 0) {
        err_explain(ERR_CONFIG, why, size, "The simulator cannot be started: %s.", strerror(errno));
        goto out;
    }
    l->link_fd = link[0];
    l->said_fd = said[0];
    if (!spawn(l, options, link[1], said[1])) {
        err_explain(ERR_CONFIG, why, size,
                    "envoy-sim, the simulator, was found neither beside this program nor in "
                    "PATH.");
        goto out;
    }
    close(link[1]);
    close(said[1]);
    link[1] = said[1] = -1;
    e = meet(l, why, size);
    if (e == ERR_OK)
        (void)fcntl(l->said_fd, F_SETFL, O_NONBLOCK);
out:
    if (link[1] >= 0)
        close(link[1]);
    if (said[1] >= 0)
        close(said[1]);
    if (e != ERR_OK)
        launch_stop(l);
    return e;
}

/* {"rest":true,"purchases":8} */
static void take_line(struct launch *l)
{
    static const char *const rest[] = {"rest", NULL};
    static const char *const purchases[] = {"purchases", NULL};
    struct jsonscan_span told, count;
    const char *text = buf_view(&l->said);
    if (jsonscan_find(text, l->said.len, rest, &told) == ERR_OK &&
        jsonscan_find(text, l->said.len, purchases, &count) == ERR_OK)
        l->resting = text[told.start] == 't' ? strtol(text + count.start, NULL, 10) : -1;
    buf_clear(&l->said);
}

long launch_resting(struct launch *l)
{
    char bytes[LINE_MAX_BYTES];
    ssize_t n;
    while (l->said_fd >= 0 && (n = read(l->said_fd, bytes, sizeof(bytes))) > 0) {
        for (ssize_t i = 0; i < n; i++) {
            if (bytes[i] == '\n')
                take_line(l);
            else if (buf_append_char(&l->said, bytes[i]) != ERR_OK)
                buf_clear(&l->said);
        }
    }
    return l->resting;
}

static bool has_hung_up(int fd, int wait_ms)
{
    struct pollfd p = {.fd = fd, .events = POLLIN};
    return fd < 0 || (poll(&p, 1, wait_ms) > 0 && p.revents != 0);
}

bool launch_has_ended(const struct launch *l)
{
    return has_hung_up(l->link_fd, 0);
}

void launch_stop(struct launch *l)
{
    if (l->pid > 0) {
        (void)shutdown(l->link_fd, SHUT_WR);
        if (!has_hung_up(l->link_fd, END_LIMIT_MS)) {
            kill(l->pid, SIGTERM);
            if (!has_hung_up(l->link_fd, END_LIMIT_MS))
                kill(l->pid, SIGKILL);
        }
        while (waitpid(l->pid, NULL, 0) < 0 && errno == EINTR)
            continue;
    }
    if (l->link_fd >= 0)
        close(l->link_fd);
    if (l->said_fd >= 0)
        close(l->said_fd);
    secret_free(l->token);
    buf_fini(&l->said);
    *l = (struct launch){.pid = -1, .link_fd = -1, .said_fd = -1, .resting = -1};
}
