/* SPDX-License-Identifier: Apache-2.0 */
/* A program on pipes: no terminal, stdin from a string or empty, stdout and stderr kept apart. For
 * the console's line mode, one-shot commands and the simulator. Ends with its test. */
#ifndef SUPPORT_LINEPROC_H
#define SUPPORT_LINEPROC_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct lineproc;

/* input NULL = stdin is /dev/null. Never NULL: aborts when it cannot start. */
struct lineproc *lineproc_start(char *const argv[], char *const env[], const char *input);
void lineproc_stop(struct lineproc *p); /* kills what still runs, frees; NULL is allowed */

pid_t lineproc_pid(const struct lineproc *p);
const char *lineproc_out(const struct lineproc *p); /* all of stdout so far; borrowed */
const char *lineproc_err(const struct lineproc *p);

/* Waits until stdout holds text at or behind offset *from and moves *from behind the line in which
 * it is; false when the time is up or the program ended without it. */
bool lineproc_wait_text(struct lineproc *p, const char *text, size_t *from, int timeout_ms);
/* Waits for the end. *code is the exit status, or 128 + the signal. */
bool lineproc_wait_exit(struct lineproc *p, int *code, int timeout_ms);

#endif
