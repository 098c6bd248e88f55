/* SPDX-License-Identifier: Apache-2.0 */
/* One tool call: input checked here, sent once, the reply as JSON on standard output and everything
 * else in words on standard error. Invariants: a write goes out at most once and only when its
 * intent is in the journal; a secret is printed masked or not at all; an answer is never taken from
 * an argument. */
#ifndef PLAIN_CALL_H
#define PLAIN_CALL_H

#include <stdbool.h>
#include <stdio.h>
#include "app/msg.h"
#include "core/err.h"

struct plain_call_options {
    enum contract_tool tool;
    const char *input; /* JSON; NULL: the whole of input_fd */
    int input_fd;
    bool read_only;
    const char *host;        /* of the service, as it stands in the name of the account */
    struct journal *journal; /* borrowed; NULL: there is no place for one, and no write goes out */
    FILE *out, *err;
};

/* Takes the input in and judges it, before anything is connected to. ERR_USER: the problems were
 * printed. *body belongs to the caller. */
enum err plain_call_read(const struct plain_call_options *o, struct secret **body) WARN_UNUSED;
/* Sends body (taken over) and waits for the reply. Returns the exit code. */
int plain_call_send(const struct plain_call_options *o, struct envoy_http *http,
                    struct secret *body);

/* text, an encoded reply, with the masked handout put into its data; for tests too. */
enum err plain_call_add_handout(const char *text, const struct handout *h,
                                struct buf *out) WARN_UNUSED;

#endif
