/* SPDX-License-Identifier: Apache-2.0 */
/* See pty.h. The supervisor is the session leader and never runs anything but the loop below; it
 * speaks to the test over two pipes, and kills the program when the test goes away. */
#include "support/pty.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define ESC_PAUSE_MS 200

enum event_kind { EVENT_STARTED, EVENT_STOPPED, EVENT_ENDED };

struct event {
    enum event_kind kind;
    pid_t pid;
    int status;
    struct rusage usage;
};

struct pty {
    int master;  /* -1 after hang-up */
    int events;  /* from the supervisor */
    int command; /* to the supervisor */
    pid_t supervisor;
    pid_t pid; /* 0 after the end */
    bool stopped;
    bool ended;
    struct pty_exit exit;
    struct term *term;
    struct termios before;
};

static void die(const char *what)
{
    fprintf(stderr, "pty: %s: %s\n", what, strerror(errno));
    abort();
}

int pty_scaled_ms(int ms)
{
    const char *scale = getenv("TEST_TIME_SCALE");
    int factor = scale ? atoi(scale) : 1;
    return factor > 1 ? ms * factor : ms;
}

static long now_ms(void)
{
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (long)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

/* ---- the supervisor's side ---- */

static void program_exec(const struct pty_config *config, const sigset_t *mask)
{
    setpgid(0, 0);
    signal(SIGTTOU, SIG_IGN);
    tcsetpgrp(STDIN_FILENO, getpid());
    signal(SIGTTOU, SIG_DFL);
    if (config->ignore_hup)
        signal(SIGHUP, SIG_IGN);
    sigprocmask(SIG_SETMASK, mask, NULL);
    if (config->stdin_pipe) {
        int fd = open("/dev/null", O_RDONLY);
        if (fd < 0 || dup2(fd, STDIN_FILENO) < 0)
            _exit(126);
        close(fd);
    }
    execvpe(config->argv[0], config->argv, config->env);
    dprintf(STDERR_FILENO, "cannot run %s: %s\n", config->argv[0], strerror(errno));
    _exit(127);
}

static void report(int fd, enum event_kind kind, pid_t pid, int status, const struct rusage *usage)
{
    struct event e;
    memset(&e, 0, sizeof(e));
    e.kind = kind;
    e.pid = pid;
    e.status = status;
    if (usage)
        e.usage = *usage;
    if (write(fd, &e, sizeof(e)) != (ssize_t)sizeof(e))
        _exit(125);
}

/* True when the program has ended. */
static bool supervise_child(pid_t pid, int events)
{
    struct rusage usage;
    int status;
    while (wait4(pid, &status, WUNTRACED | WNOHANG, &usage) == pid) {
        if (WIFSTOPPED(status)) {
            tcsetpgrp(STDIN_FILENO, getpgrp());
            report(events, EVENT_STOPPED, pid, status, NULL);
        } else {
            report(events, EVENT_ENDED, pid, status, &usage);
            return true;
        }
    }
    return false;
}

static void supervise(const struct pty_config *config, int events, int command)
{
    sigset_t mask, old;
    struct termios cooked;
    bool ended = false;

    sigemptyset(&old);
    sigfillset(&mask);
    sigprocmask(SIG_BLOCK, &mask, NULL);
    int signals = signalfd(-1, &mask, SFD_CLOEXEC);
    tcgetattr(STDIN_FILENO, &cooked);
    pid_t pid = fork();
    if (pid == 0)
        program_exec(config, &old);
    if (pid < 0 || signals < 0)
        _exit(125);
    setpgid(pid, pid);
    report(events, EVENT_STARTED, pid, 0, NULL);
    for (;;) {
        struct pollfd fds[] = {{.fd = signals, .events = POLLIN},
                               {.fd = command, .events = POLLIN}};
        poll(fds, 2, -1);
        if (fds[0].revents & POLLIN) {
            struct signalfd_siginfo info;
            if (read(signals, &info, sizeof(info)) != (ssize_t)sizeof(info))
                continue;
            if (info.ssi_signo == SIGHUP && !config->ignore_hup && !ended) {
                kill(-pid, SIGHUP);
                kill(-pid, SIGCONT);
            }
            ended = ended || supervise_child(pid, events);
        }
        if (fds[1].revents) {
            char c;
            if (read(command, &c, 1) != 1) {
                if (!ended)
                    kill(-pid, SIGKILL);
                _exit(0);
            }
            tcsetattr(STDIN_FILENO, TCSANOW, &cooked);
            tcsetpgrp(STDIN_FILENO, pid);
            kill(-pid, SIGCONT);
        }
    }
}

/* ---- the test's side ---- */

static bool take_event(struct pty *p, int timeout_ms)
{
    struct pollfd fd = {.fd = p->events, .events = POLLIN};
    struct event e;

    if (poll(&fd, 1, timeout_ms) <= 0)
        return false;
    if (read(p->events, &e, sizeof(e)) != (ssize_t)sizeof(e))
        return false;
    if (e.kind == EVENT_STARTED) {
        p->pid = e.pid;
    } else if (e.kind == EVENT_STOPPED) {
        p->stopped = true;
    } else {
        p->pid = 0;
        p->ended = true;
        p->exit.code = WIFEXITED(e.status) ? WEXITSTATUS(e.status) : -1;
        p->exit.signal = WIFSIGNALED(e.status) ? WTERMSIG(e.status) : 0;
        p->exit.usage = e.usage;
    }
    return true;
}

/* What a new terminal is set to here: a shell would hand the same to the program. */
static void modes_of_new_terminal(struct termios *out)
{
    int master, slave;
    if (openpty(&master, &slave, NULL, NULL, NULL) != 0 || tcgetattr(slave, out) != 0)
        die("openpty");
    close(master);
    close(slave);
}

struct pty *pty_open(const struct pty_config *config)
{
    struct winsize size = {.ws_row = (unsigned short)config->rows,
                           .ws_col = (unsigned short)config->cols};
    int events[2], command[2];
    struct pty *p = calloc(1, sizeof(*p));

    if (!p || pipe2(events, O_CLOEXEC) != 0 || pipe2(command, O_CLOEXEC) != 0)
        die("cannot start");
    modes_of_new_terminal(&p->before);
    p->supervisor = forkpty(&p->master, NULL, &p->before, &size);
    if (p->supervisor < 0)
        die("forkpty");
    if (p->supervisor == 0) {
        /* nothing else of the test may stay open here: another supervisor waits for its pipe's end
         */
        int to_test = fcntl(events[1], F_DUPFD_CLOEXEC, 100);
        int from_test = fcntl(command[0], F_DUPFD_CLOEXEC, 100);
        if (to_test < 0 || from_test < 0)
            _exit(125);
        close_range(3, 99, 0);
        for (int fd = 100; fd < 1024; fd++)
            if (fd != to_test && fd != from_test)
                close(fd);
        supervise(config, to_test, from_test);
        _exit(125);
    }
    close(events[1]);
    close(command[0]);
    p->events = events[0];
    p->command = command[1];
    p->term = term_new(config->rows, config->cols);
    fcntl(p->master, F_SETFD, FD_CLOEXEC);
    fcntl(p->master, F_SETFL, O_NONBLOCK);
    if (!take_event(p, pty_scaled_ms(PTY_WAIT_MS)))
        die("the program was not started");
    return p;
}

void pty_close(struct pty *p)
{
    if (!p)
        return;
    close(p->command); /* the supervisor kills what still runs */
    waitpid(p->supervisor, NULL, 0);
    close(p->events);
    if (p->master >= 0)
        close(p->master);
    term_free(p->term);
    free(p);
}

struct term *pty_term(struct pty *p)
{
    return p->term;
}

pid_t pty_pid(const struct pty *p)
{
    return p->pid;
}

bool pty_pump(struct pty *p, int timeout_ms)
{
    struct pollfd fds[] = {{.fd = p->master, .events = POLLIN},
                           {.fd = p->events, .events = POLLIN}};
    char bytes[16384];
    bool any = false;
    ssize_t n;

    if (p->ended)
        fds[1].fd = -1; /* its pipe says nothing more */
    if (poll(fds, 2, timeout_ms) <= 0)
        return false;
    if (fds[1].revents && !take_event(p, 0) && !p->ended)
        die("the supervisor is gone");
    if (p->master < 0)
        return false;
    while ((n = read(p->master, bytes, sizeof(bytes))) > 0) {
        term_feed(p->term, bytes, (size_t)n);
        any = true;
        n = (ssize_t)term_take_reply(p->term, bytes, sizeof(bytes));
        if (n > 0)
            pty_send(p, bytes, (size_t)n);
    }
    return any;
}

static bool has_text(struct pty *p, void *arg)
{
    return term_find(p->term, arg, NULL, NULL);
}

static bool lacks_text(struct pty *p, void *arg)
{
    return !term_find(p->term, arg, NULL, NULL);
}

static bool has_match(struct pty *p, void *arg)
{
    return term_find_regex(p->term, arg);
}

static bool has_ended(struct pty *p, void *arg)
{
    (void)arg;
    return p->ended;
}

static bool has_stopped(struct pty *p, void *arg)
{
    (void)arg;
    return p->stopped;
}

bool pty_wait(struct pty *p, pty_condition *holds, void *arg, int timeout_ms)
{
    long end = now_ms() + pty_scaled_ms(timeout_ms);
    for (;;) {
        while (pty_pump(p, 0))
            ;
        if (holds(p, arg))
            return true;
        long left = end - now_ms();
        if (left <= 0 || (p->ended && holds != has_ended && !pty_pump(p, 0)))
            return holds(p, arg); /* time is up, or nothing more can come */
        /* conditions that lie outside the terminal are looked at again every 50 ms */
        pty_pump(p, left < 50 ? (int)left : 50);
    }
}

bool pty_wait_text(struct pty *p, const char *text, int timeout_ms)
{
    return pty_wait(p, has_text, (void *)(uintptr_t)text, timeout_ms);
}

bool pty_wait_no_text(struct pty *p, const char *text, int timeout_ms)
{
    return pty_wait(p, lacks_text, (void *)(uintptr_t)text, timeout_ms);
}

bool pty_wait_regex(struct pty *p, const char *pattern, int timeout_ms)
{
    return pty_wait(p, has_match, (void *)(uintptr_t)pattern, timeout_ms);
}

bool pty_wait_quiet(struct pty *p, int quiet_ms, int timeout_ms)
{
    long end = now_ms() + pty_scaled_ms(timeout_ms);
    long last = now_ms();
    for (;;) {
        long t = now_ms();
        if (t - last >= quiet_ms || p->ended)
            return true;
        if (t >= end)
            return false;
        if (pty_pump(p, (int)(quiet_ms - (t - last))))
            last = now_ms();
    }
}

bool pty_wait_exit(struct pty *p, struct pty_exit *out, int timeout_ms)
{
    if (!pty_wait(p, has_ended, NULL, timeout_ms))
        return false;
    while (pty_pump(p, 0)) /* the last words */
        ;
    if (out)
        *out = p->exit;
    return true;
}

bool pty_wait_stop(struct pty *p, int timeout_ms)
{
    bool stopped = pty_wait(p, has_stopped, NULL, timeout_ms);
    while (pty_pump(p, 0))
        ;
    return stopped;
}

void pty_let_pass(struct pty *p, int ms)
{
    for (long end = now_ms() + ms, left = ms; left > 0; left = end - now_ms())
        pty_pump(p, (int)left);
}

void pty_send(struct pty *p, const char *bytes, size_t len)
{
    long end = now_ms() + pty_scaled_ms(PTY_WAIT_MS);
    while (len > 0 && p->master >= 0 && !p->ended) {
        ssize_t n = write(p->master, bytes, len);
        if (n > 0) {
            bytes += n;
            len -= (size_t)n;
        } else if (errno != EAGAIN && errno != EINTR) {
            return; /* hung up: whoever waits next finds out */
        } else if (now_ms() > end) {
            die("the program does not read its terminal");
        } else {
            pty_pump(p, 20);
        }
    }
}

struct key_row {
    const char *name;
    const char *bytes;
    const char *app_bytes; /* when the program asked for application cursor keys; NULL = the same */
};

static const struct key_row key_rows[] = {
    {"Enter", "\r", NULL},        {"Esc", "\033", NULL},        {"Tab", "\t", NULL},
    {"BTab", "\033[Z", NULL},     {"Space", " ", NULL},         {"Backspace", "\177", NULL},
    {"Delete", "\033[3~", NULL},  {"Insert", "\033[2~", NULL},  {"Home", "\033[H", "\033OH"},
    {"End", "\033[F", "\033OF"},  {"PgUp", "\033[5~", NULL},    {"PgDn", "\033[6~", NULL},
    {"Up", "\033[A", "\033OA"},   {"Down", "\033[B", "\033OB"}, {"Right", "\033[C", "\033OC"},
    {"Left", "\033[D", "\033OD"}, {"F1", "\033OP", NULL},       {"F2", "\033OQ", NULL},
    {"F3", "\033OR", NULL},       {"F4", "\033OS", NULL},       {"F5", "\033[15~", NULL},
    {"F6", "\033[17~", NULL},     {"F7", "\033[18~", NULL},     {"F8", "\033[19~", NULL},
    {"F9", "\033[20~", NULL},     {"F10", "\033[21~", NULL},    {"F11", "\033[23~", NULL},
    {"F12", "\033[24~", NULL},    {"C-Space", "", NULL},
};

bool pty_key(struct pty *p, const char *name)
{
    size_t len = strlen(name);
    for (size_t i = 0; i < sizeof(key_rows) / sizeof(key_rows[0]); i++) {
        const struct key_row *row = &key_rows[i];
        if (strcmp(row->name, name) != 0)
            continue;
        const char *bytes =
            row->app_bytes && term_app_cursor_keys(p->term) ? row->app_bytes : row->bytes;
        pty_send(p, bytes, *bytes ? strlen(bytes) : 1); /* C-Space is the NUL byte */
        if (strcmp(name, "Esc") == 0)
            pty_let_pass(p, ESC_PAUSE_MS);
        return true;
    }
    if (len == 3 && strncmp(name, "C-", 2) == 0) {
        char c = (char)(name[2] & 0x1f);
        pty_send(p, &c, 1);
        return true;
    }
    if (len == 3 && strncmp(name, "M-", 2) == 0) {
        char bytes[2] = {'\033', name[2]};
        pty_send(p, bytes, 2);
        return true;
    }
    /* one character: a lead byte and only continuation bytes behind it */
    for (size_t i = 1; i < len; i++)
        if (((unsigned char)name[i] & 0xc0) != 0x80)
            return false;
    if (len == 0)
        return false;
    pty_send(p, name, len);
    return true;
}

void pty_type(struct pty *p, const char *text)
{
    pty_send(p, text, strlen(text));
}

void pty_paste(struct pty *p, const char *text)
{
    size_t len = strlen(text);
    char *bytes = malloc(len + 1);
    bool bracketed = term_bracketed_paste(p->term);

    if (!bytes)
        die("paste");
    for (size_t i = 0; i < len; i++)
        bytes[i] = text[i] == '\n' ? '\r' : text[i]; /* what terminals send for a line end */
    if (bracketed)
        pty_type(p, "\033[200~");
    pty_send(p, bytes, len);
    if (bracketed)
        pty_type(p, "\033[201~");
    free(bytes);
}

void pty_resize(struct pty *p, int rows, int cols)
{
    struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)cols};
    while (pty_pump(p, 0)) /* what was drawn for the old size belongs to the old grid */
        ;
    term_resize(p->term, rows, cols);
    ioctl(p->master, TIOCSWINSZ, &size); /* the kernel sends SIGWINCH */
}

void pty_signal(struct pty *p, int sig)
{
    if (p->pid > 0)
        kill(p->pid, sig);
}

void pty_continue(struct pty *p)
{
    p->stopped = false;
    if (write(p->command, "c", 1) != 1)
        die("continue");
}

void pty_hang_up(struct pty *p)
{
    if (p->master >= 0)
        close(p->master);
    p->master = -1;
}

bool pty_tty_modes(struct pty *p, struct termios *out)
{
    return p->master >= 0 && tcgetattr(p->master, out) == 0;
}

const struct termios *pty_modes_before(const struct pty *p)
{
    return &p->before;
}

bool pty_modes_equal(const struct termios *a, const struct termios *b)
{
    return a->c_iflag == b->c_iflag && a->c_oflag == b->c_oflag && a->c_cflag == b->c_cflag &&
           a->c_lflag == b->c_lflag && memcmp(a->c_cc, b->c_cc, sizeof(a->c_cc)) == 0;
}

long pty_cpu_ms(const struct pty *p)
{
    char path[64], line[1024];
    unsigned long user, system;

    if (p->pid <= 0)
        return -1;
    snprintf(path, sizeof(path), "/proc/%d/stat", (int)p->pid);
    FILE *f = fopen(path, "r");
    if (!f)
        return -1;
    size_t n = fread(line, 1, sizeof(line) - 1, f);
    fclose(f);
    line[n] = '\0';
    const char *after = strrchr(line, ')'); /* the name may hold blanks */
    if (!after || sscanf(after + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user,
                         &system) != 2)
        return -1;
    return (long)((user + system) * 1000 / (unsigned long)sysconf(_SC_CLK_TCK));
}
