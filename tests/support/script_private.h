/* SPDX-License-Identifier: Apache-2.0 */
/* What the reader of scripts (script.c) and the steps (script_steps.c) share. */
#ifndef SUPPORT_SCRIPT_PRIVATE_H
#define SUPPORT_SCRIPT_PRIVATE_H

#include <stdio.h>
#include <termios.h>
#include "support/control.h"
#include "support/lineproc.h"
#include "support/pty.h"
#include "support/script.h"
#include "support/world.h"

#define SCRIPT_WORDS_MAX 48

struct script {
    const struct script_options *options;
    struct world world;
    int rows, cols;
    struct pty *pty;        /* the full-screen program */
    struct lineproc *lines; /* the line-mode program */
    struct lineproc *sim;   /* a simulator that the script started itself */
    struct control control; /* url empty until known */
    size_t lines_from;      /* stdout up to here was matched */
    char *why;              /* the reason of a failure, for the report */
};

struct script_step {
    const char *name;
    int min, max; /* words behind the name; max -1 = any number */
    bool (*run)(struct script *s, int count, char **words);
};

const struct script_step *script_step_find(const char *name);

/* Sets the reason and returns false. */
bool script_fail(struct script *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
