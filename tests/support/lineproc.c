/* SPDX-License-Identifier: Apache-2.0 */
/* See lineproc.h. */
#include "support/lineproc.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "support/pty.h"

struct stream {
    int fd; /* -1 after its end */
    char *text;
    size_t len, cap;
};

struct lineproc {
    pid_t pid;
    bool ended;
    int code;
    struct stream out, err;
};

static void die(const char *what)
{
    fprintf(stderr, "lineproc: %s: %s\n", what, strerror(errno));
    abort();
}

static long now_ms(void)
{
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (long)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

static void child(char *const argv[], char *const env[], int in, int out, int err)
{
    sigset_t none;
    sigemptyset(&none);
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(err, 2) < 0)
        _exit(126);
    execvpe(argv[0], argv, env);
    dprintf(2, "cannot run %s: %s\n", argv[0], strerror(errno));
    _exit(127);
}

/* A file that is gone from its directory, with the input in it: no writer is needed. */
static int input_fd(const char *input)
{
    if (!input)
        return open("/dev/null", O_RDONLY | O_CLOEXEC);
    FILE *f = tmpfile();
    if (!f)
        return -1;
    fputs(input, f);
    fflush(f);
    rewind(f);
    int fd = fcntl(fileno(f), F_DUPFD_CLOEXEC, 3);
    fclose(f);
    return fd;
}

struct lineproc *lineproc_start(char *const argv[], char *const env[], const char *input)
{
    struct lineproc *p = calloc(1, sizeof(*p));
    int out[2], err[2], in = input_fd(input);

    if (!p || in < 0 || pipe2(out, O_CLOEXEC) != 0 || pipe2(err, O_CLOEXEC) != 0)
        die("cannot start");
    p->pid = fork();
    if (p->pid < 0)
        die("fork");
    if (p->pid == 0)
        child(argv, env, in, out[1], err[1]);
    setpgid(p->pid, p->pid);
    close(in);
    close(out[1]);
    close(err[1]);
    p->out.fd = out[0];
    p->err.fd = err[0];
    fcntl(out[0], F_SETFL, O_NONBLOCK);
    fcntl(err[0], F_SETFL, O_NONBLOCK);
    return p;
}

static void stream_read(struct stream *s)
{
    char bytes[8192];
    ssize_t n = 0;
    while (s->fd >= 0 && (n = read(s->fd, bytes, sizeof(bytes))) > 0) {
        if (s->len + (size_t)n + 1 > s->cap) {
            s->cap = (s->len + (size_t)n + 1) * 2;
            s->text = realloc(s->text, s->cap);
            if (!s->text)
                die("memory");
        }
        memcpy(s->text + s->len, bytes, (size_t)n);
        s->len += (size_t)n;
        s->text[s->len] = '\0';
    }
    if (s->fd >= 0 && n == 0) {
        close(s->fd);
        s->fd = -1;
    }
}

static void pump(struct lineproc *p, int timeout_ms)
{
    struct pollfd fds[] = {{.fd = p->out.fd, .events = POLLIN},
                           {.fd = p->err.fd, .events = POLLIN}};
    int status;

    poll(fds, 2, timeout_ms);
    stream_read(&p->out);
    stream_read(&p->err);
    if (!p->ended && waitpid(p->pid, &status, WNOHANG) == p->pid) {
        p->ended = true;
        p->code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        stream_read(&p->out); /* its last words */
        stream_read(&p->err);
    }
}

void lineproc_stop(struct lineproc *p)
{
    if (!p)
        return;
    kill(-p->pid, SIGKILL);
    if (!p->ended)
        waitpid(p->pid, NULL, 0);
    for (struct stream *s = &p->out;; s = &p->err) {
        if (s->fd >= 0)
            close(s->fd);
        free(s->text);
        if (s == &p->err)
            break;
    }
    free(p);
}

pid_t lineproc_pid(const struct lineproc *p)
{
    return p->pid;
}

const char *lineproc_out(const struct lineproc *p)
{
    return p->out.text ? p->out.text : "";
}

const char *lineproc_err(const struct lineproc *p)
{
    return p->err.text ? p->err.text : "";
}

static bool find_line(const struct lineproc *p, const char *text, size_t *from)
{
    const char *all = lineproc_out(p);
    const char *hit = *from <= p->out.len ? strstr(all + *from, text) : NULL;
    const char *end = hit ? strchr(hit, '\n') : NULL;
    if (hit && !end && p->ended)
        end = all + p->out.len - 1; /* the last line of a program that is gone is whole */
    if (end)
        *from = (size_t)(end - all) + 1;
    return end != NULL; /* only whole lines count */
}

bool lineproc_wait_text(struct lineproc *p, const char *text, size_t *from, int timeout_ms)
{
    long end = now_ms() + pty_scaled_ms(timeout_ms);
    for (;;) {
        bool over = p->ended; /* looked at before, so that its last words are searched once more */
        if (find_line(p, text, from))
            return true;
        if (over || now_ms() >= end)
            return false;
        pump(p, 20);
    }
}

bool lineproc_wait_exit(struct lineproc *p, int *code, int timeout_ms)
{
    long end = now_ms() + pty_scaled_ms(timeout_ms);
    while (!p->ended && now_ms() < end)
        pump(p, 20);
    if (p->ended)
        *code = p->code;
    return p->ended;
}
