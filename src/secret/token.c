/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a token line by line of bytes into guarded memory. Must not interpret it. Invariant: bytes
 * of it lie outside guarded memory only in a stack buffer that is wiped on every way out. */
#include "secret/token.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/scrub.h"
#include "core/str.h"

#define CHUNK      512
#define OUTPUT_MAX (64 * 1024) /* of a command, with what follows the first line */

extern char **environ;

/* Appends up to the line's end; *ended tells that it was there. */
static enum err take_line(struct secret *line, const unsigned char *bytes, size_t len, bool *ended)
{
    const unsigned char *end = memchr(bytes, '\n', len);
    *ended = end != NULL;
    return secret_append(line, bytes, end ? (size_t)(end - bytes) : len);
}

/* Blanks and a carriage return behind the token are the file's, not the token's. */
static void trim(struct secret *line)
{
    size_t len = secret_len(line);
    const unsigned char *bytes = secret_open(line);
    if (!bytes)
        return;
    while (len > 0 && (bytes[len - 1] == '\r' || bytes[len - 1] == ' ' || bytes[len - 1] == '\t'))
        len--;
    secret_close(line);
    secret_truncate(line, len);
}

static const char *shown(const char *path, char out[256])
{
    (void)str_visible_copy(out, 256, path);
    return out;
}

static enum err read_line(int fd, struct secret *line)
{
    unsigned char chunk[CHUNK];
    bool ended = false;
    enum err e = ERR_OK;

    while (!ended && e == ERR_OK) {
        ssize_t n = read(fd, chunk, sizeof(chunk));
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            e = ERR_STORE;
        if (n <= 0)
            break;
        e = take_line(line, chunk, (size_t)n, &ended);
    }
    scrub_bytes(chunk, sizeof(chunk));
    return e;
}

static enum err check_file(int fd, const char *path, char *why, size_t size)
{
    struct stat st;
    char name[256];

    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
        return err_explain(ERR_CONFIG, why, size, "The token file %s is not a plain file.",
                           shown(path, name));
    if (st.st_uid != geteuid() && st.st_uid != 0)
        return err_explain(ERR_CONFIG, why, size, "The token file %s belongs to another user.",
                           shown(path, name));
    if ((st.st_mode & (S_IRWXG | S_IRWXO)) != 0)
        return err_explain(
            ERR_CONFIG, why, size,
            "The token file %s is open to other users (mode %04o): close it with chmod "
            "600, and take a new token if it may have been read.",
            shown(path, name), (unsigned)(st.st_mode & 07777));
    return ERR_OK;
}

enum err token_read_file(const char *path, struct secret **out, char *why, size_t size)
{
    char name[256];
    struct secret *line = secret_new(TOKEN_MAX);
    /* not waiting, so that a named pipe cannot hold us up before it is refused */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    enum err e = ERR_OK;

    if (!line)
        e = err_explain(ERR_CONFIG, why, size, "There is no memory for the token.");
    else if (fd < 0)
        e = err_explain(ERR_CONFIG, why, size, "The token file %s cannot be opened: %s.",
                        shown(path, name), strerror(errno));
    if (e == ERR_OK)
        e = check_file(fd, path, why, size);
    if (e != ERR_OK)
        goto out;
    enum err got = read_line(fd, line);
    trim(line);
    if (got != ERR_OK || secret_len(line) == 0) {
        e = err_explain(ERR_CONFIG, why, size, "The token file %s %s.", shown(path, name),
                        got == ERR_OK      ? "has no token in its first line"
                        : got == ERR_LIMIT ? "has a first line that is too long for a token"
                                           : "cannot be read");
        goto out;
    }
    *out = line;
    line = NULL;
out:
    if (fd >= 0)
        close(fd);
    secret_free(line);
    return e;
}

static enum err spawn_shell(const char *command, int out_fd, pid_t *pid)
{
    char shell[] = "sh", option[] = "-c";
    char *text = (char *)(uintptr_t)command; /* posix_spawn takes it so and leaves it alone */
    char *argv[] = {shell, option, text, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attr;
    sigset_t none, all;
    int rc = -1;

    if (posix_spawn_file_actions_init(&actions) != 0)
        return ERR_MEMORY;
    if (posix_spawnattr_init(&attr) != 0) {
        posix_spawn_file_actions_destroy(&actions);
        return ERR_MEMORY;
    }
    sigemptyset(&none);
    sigfillset(&all);
    bool ready =
        posix_spawn_file_actions_adddup2(&actions, out_fd, STDOUT_FILENO) == 0 &&
        posix_spawnattr_setsigmask(&attr, &none) == 0 &&
        posix_spawnattr_setsigdefault(&attr, &all) == 0 &&
        posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF) == 0;
    if (ready && !isatty(STDIN_FILENO))
        ready =
            posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0) == 0;
    if (ready)
        rc = posix_spawn(pid, "/bin/sh", &actions, &attr, argv, environ);
    posix_spawnattr_destroy(&attr);
    posix_spawn_file_actions_destroy(&actions);
    return rc == 0 ? ERR_OK : ERR_CONFIG;
}

/* Reads to the end, so that the command is not cut off; only the first line is kept. */
static enum err read_output(int fd, int limit_ms, struct secret *line)
{
    int64_t until = clock_mono_ms() + limit_ms;
    unsigned char chunk[CHUNK];
    size_t total = 0;
    bool ended = false;
    enum err e = ERR_OK;

    while (e == ERR_OK) {
        struct pollfd p = {.fd = fd, .events = POLLIN};
        int64_t left = until - clock_mono_ms();
        int ready = poll(&p, 1, left > 0 ? (int)left : 0);
        if (ready < 0 && errno == EINTR)
            continue;
        if (ready <= 0) {
            e = ERR_NETWORK; /* out of time */
            break;
        }
        ssize_t n = read(fd, chunk, sizeof(chunk));
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            break;
        total += (size_t)n;
        if (total > OUTPUT_MAX)
            e = ERR_LIMIT;
        else if (!ended)
            e = take_line(line, chunk, (size_t)n, &ended);
    }
    scrub_bytes(chunk, sizeof(chunk));
    return e;
}

enum err token_run_command(const char *command, int limit_ms, struct secret **out, char *why,
                           size_t size)
{
    struct secret *line = secret_new(TOKEN_MAX);
    int ends[2] = {-1, -1};
    int status = 0;
    pid_t pid = -1;
    enum err e = ERR_OK;

    if (!line || pipe2(ends, O_CLOEXEC) != 0 || spawn_shell(command, ends[1], &pid) != ERR_OK) {
        e = err_explain(ERR_CONFIG, why, size, "The token command cannot be started.");
        goto out;
    }
    close(ends[1]);
    ends[1] = -1;
    enum err got = read_output(ends[0], limit_ms, line);
    if (got != ERR_OK)
        kill(pid, SIGKILL);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    trim(line);
    if (got == ERR_NETWORK)
        e = err_explain(ERR_CONFIG, why, size,
                        "The token command did not end within %d seconds and was stopped.",
                        limit_ms / 1000);
    else if (got != ERR_OK)
        e = err_explain(ERR_CONFIG, why, size, "The token command wrote more than a token.");
    else if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        e = err_explain(ERR_CONFIG, why, size,
                        "The token command failed (status %d): run it by hand to see why.",
                        WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
    else if (secret_len(line) == 0)
        e = err_explain(ERR_CONFIG, why, size,
                        "The token command wrote no token in its first line.");
    if (e == ERR_OK) {
        *out = line;
        line = NULL;
    }
out:
    for (int i = 0; i < 2; i++)
        if (ends[i] >= 0)
            close(ends[i]);
    secret_free(line);
    return e;
}
