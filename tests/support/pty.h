/* SPDX-License-Identifier: Apache-2.0 */
/* A program on a real pseudo-terminal, with a small supervisor between it and the test that does
 * what a shell does: own process group, foreground, stop and continue, hang-up. Every wait is for a
 * condition and pumps output meanwhile. Time-outs are milliseconds, stretched by the environment
 * variable TEST_TIME_SCALE (for sanitizer builds). Nothing here knows which program runs. */
#ifndef SUPPORT_PTY_H
#define SUPPORT_PTY_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <termios.h>
#include "support/term.h"

#define PTY_WAIT_MS 10000 /* the usual patience */

struct pty_config {
    char *const *argv; /* argv[0] is looked up in PATH of env unless it has a slash */
    char *const *env;  /* the whole environment, NAME=VALUE; NULL at the end */
    int rows, cols;
    bool ignore_hup; /* as under nohup: the program starts with SIGHUP ignored */
    bool stdin_pipe; /* stdin is /dev/null instead of the terminal */
};

struct pty_exit {
    int code;   /* exit status, or -1 when a signal ended it */
    int signal; /* 0 unless a signal ended it */
    struct rusage usage;
};

struct pty;

int pty_scaled_ms(int ms);

struct pty *pty_open(const struct pty_config *config); /* never NULL: aborts when it cannot */
void pty_close(struct pty *p);                         /* kills what still runs; NULL is allowed */

struct term *pty_term(struct pty *p); /* borrowed */
pid_t pty_pid(const struct pty *p);   /* of the program; 0 after it ended */

/* Takes in what the program wrote; waits at most timeout_ms (unscaled) for the first of it. */
bool pty_pump(struct pty *p, int timeout_ms);

typedef bool pty_condition(struct pty *p, void *arg);
bool pty_wait(struct pty *p, pty_condition *holds, void *arg, int timeout_ms);
bool pty_wait_text(struct pty *p, const char *text, int timeout_ms);
bool pty_wait_no_text(struct pty *p, const char *text, int timeout_ms);
bool pty_wait_regex(struct pty *p, const char *pattern, int timeout_ms);
/* Until the program has written nothing for quiet_ms. */
bool pty_wait_quiet(struct pty *p, int quiet_ms, int timeout_ms);
bool pty_wait_exit(struct pty *p, struct pty_exit *out, int timeout_ms);
bool pty_wait_stop(struct pty *p, int timeout_ms);

/* Lets the time itself pass, where that is what the test is about; output is taken in meanwhile. */
void pty_let_pass(struct pty *p, int ms);

void pty_send(struct pty *p, const char *bytes, size_t len);
/* A named key: Enter Esc Tab BTab Space Backspace Delete Insert Home End PgUp PgDn Up Down Left
 * Right F1..F12, C-x, M-x, or one character. False when the name means nothing. After Esc a
 * hand's pause follows: what comes at once behind it would be Alt with that key. */
bool pty_key(struct pty *p, const char *name);
void pty_type(struct pty *p, const char *text);
void pty_paste(struct pty *p, const char *text); /* bracketed when the program asked for that */

void pty_resize(struct pty *p, int rows, int cols);
void pty_signal(struct pty *p, int sig);
void pty_continue(struct pty *p); /* what the shell's fg does */
void pty_hang_up(struct pty *p);  /* the terminal goes away */
bool pty_tty_modes(struct pty *p, struct termios *out);
const struct termios *pty_modes_before(const struct pty *p); /* as they were before the start */
bool pty_modes_equal(const struct termios *a, const struct termios *b);
long pty_cpu_ms(const struct pty *p); /* used so far; -1 when it is gone */

#endif
