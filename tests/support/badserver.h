/* SPDX-License-Identifier: Apache-2.0 */
/* A small scripted HTTP server, mostly for doing it wrong. It runs in a child process, so that
 * nothing of what it sends is in the memory of the test. Each request takes the first step that
 * fits its path and is not used up. */
#ifndef SUPPORT_BADSERVER_H
#define SUPPORT_BADSERVER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#define BADSERVER_STEPS_MAX   24
#define BADSERVER_REQUEST_MAX 2048

enum badserver_act {
    BADSERVER_REPLY, /* and keep the connection */
    BADSERVER_REPLY_CLOSE,
    BADSERVER_HOLD,   /* reply once badserver_release was called */
    BADSERVER_DRIP,   /* reply, a byte every 20 ms */
    BADSERVER_SILENT, /* never reply, never close */
    BADSERVER_CLOSE,  /* close without a reply */
    BADSERVER_RESET,  /* the same with RST */
};

enum badserver_framing {
    BADSERVER_LENGTH,
    BADSERVER_CHUNKED,  /* three bytes a chunk */
    BADSERVER_GZIP,     /* stored blocks: the text can be seen in it */
    BADSERVER_GZIP_BAD, /* with a wrong check sum in its head */
    BADSERVER_UNTIL_CLOSE,
    BADSERVER_SHORT, /* announces ten bytes more than come; use with REPLY_CLOSE */
    BADSERVER_RAW,   /* body is all that is sent */
};

struct badserver_step {
    const char *path; /* NULL: any */
    unsigned times;   /* 0: for ever */
    enum badserver_act act;
    enum badserver_framing framing;
    const char *head; /* status and headers, each ended by CR LF; NULL: 200, application/json */
    const char *body; /* NULL: "" */
    size_t repeat;    /* the body that many times; 0: once */
};

struct badserver_options {
    const struct badserver_step *steps;
    size_t count;
    bool tls;
    const char *cert_file; /* tls: where the certificate is written for the client to trust */
    const char *cert_host; /* tls: NULL: 127.0.0.1 */
    int proxy_status;      /* not 0: every connection starts with CONNECT, answered with this */
    bool reset_on_accept;
    bool silent_on_accept;
    bool keep_requests; /* requests[step] holds the last request of each step */
};

struct badserver_seen { /* in shared memory */
    atomic_uint connections;
    atomic_uint requests;
    atomic_uint steps[BADSERVER_STEPS_MAX]; /* requests that a step took */
    atomic_bool released;
    char request[BADSERVER_STEPS_MAX][BADSERVER_REQUEST_MAX];
    char connect[BADSERVER_REQUEST_MAX]; /* the last CONNECT */
};

struct badserver {
    pid_t pid;
    int port;
    struct badserver_seen *seen;
};

/* Fails the test when it cannot start. options and all it points to must outlive the fork only. */
struct badserver badserver_start(const struct badserver_options *options);
void badserver_release(struct badserver *server);
void badserver_stop(struct badserver *server);

#endif
