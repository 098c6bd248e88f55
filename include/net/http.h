/* SPDX-License-Identifier: Apache-2.0 */
/* HTTP/1.1 requests, many at once, without blocking: the only place that knows libcurl. Knows
 * nothing of Envoy. TLS is always verified, nothing is redirected, plain http goes to a loopback
 * address only (also when a name is looked up), bodies are bounded, and bodies, bearer and reply
 * lie in guarded memory that is closed while nothing is transferred. Proxy variables of the
 * environment are honoured for https, and so are SSL_CERT_FILE and SSL_CERT_DIR. */
#ifndef NET_HTTP_H
#define NET_HTTP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "core/err.h"
#include "secret/secret.h"

struct http; /* the engine */

struct http_settings {
    const char *user_agent;
    const char *ca_file; /* NULL: SSL_CERT_FILE, else the system's */
    size_t reply_max; /* bytes of a reply's body after decompression; at most SECRET_CAPACITY_MAX */
};

/* Why no whole reply came; HTTP_OK says that one did, whatever its status. */
enum http_error {
    HTTP_OK,
    HTTP_DNS,
    HTTP_REFUSED,
    HTTP_UNREACHABLE, /* no route, connect time-out, or a proxy that refuses */
    HTTP_TLS,
    HTTP_RESET,
    HTTP_TIMEOUT,
    HTTP_CUT,
    HTTP_TOO_LARGE,
    HTTP_GARBAGE, /* not HTTP, or compression that does not unpack */
    HTTP_MEMORY,
    HTTP_ABORTED,
};

struct http_request {
    const char *url;          /* passed http_check_url; copied */
    const char *content_type; /* static text; NULL for a GET without a body */
    struct secret *bearer;    /* the token, copied into guarded memory; NULL: none */
    struct secret *body;      /* owned by the engine from a successful http_start on; NULL: GET */
    int64_t timeout_ms;       /* the whole request's limit, 1 or more */
    /* Once: goes out on a new connection, never on one that may just be closing, and its body is
     * wiped as soon as it is sent. For everything but reads. Nothing at all is sent twice. */
    bool once;
};

struct http_reply {
    uint64_t id;
    enum http_error error;
    bool may_have_arrived;  /* false only when surely no byte of the request reached a server */
    int status;             /* 0 when there was none */
    int64_t retry_after_ms; /* Retry-After as a delay, at most a day; -1 when none or rubbish */
    int64_t started_mono_ms, ended_mono_ms;
    struct secret *body;  /* what came, guarded; NULL when nothing did; owned by the reply */
    bool is_json;         /* content type application/json or +json */
    char request_id[129]; /* X-Request-Id; "" when none or not printable */
    char why[200];        /* plain words, no values from the other side; "" when nothing to add */
};

/* ERR_CONFIG unless url is https, or http on localhost, 127.0.0.0/8 or ::1, with no user, query or
 * fragment, and is_base allows no path either. *is_loopback may be NULL. */
enum err http_check_url(const char *url, bool is_base, bool *is_loopback) WARN_UNUSED;

/* Starts libcurl with zero-on-free memory; the first engine must come before anything else that
 * might start libcurl. */
enum err http_new(const struct http_settings *settings, struct http **out) WARN_UNUSED;
void http_free(struct http *h); /* aborts what runs; drops replies that nobody took */

/* *id is never 0. Ends with a reply in any case. On an error (ERR_CONFIG for the url, ERR_MEMORY)
 * nothing was started and body is still the caller's. */
enum err http_start(struct http *h, const struct http_request *request, uint64_t *id) WARN_UNUSED;
void http_abort(struct http *h, uint64_t id); /* unknown or finished ids are ignored */
size_t http_running(const struct http *h);

/* Waits until one of extra_fds is readable, a transfer needs work or timeout_ms passed (-1: for
 * ever). Signals end no wait by themselves: let a handler write to a pipe in extra_fds. */
enum err http_poll(struct http *h, const int *extra_fds, size_t count,
                   int64_t timeout_ms) WARN_UNUSED;
void http_run(struct http *h);                          /* never blocks */
bool http_next(struct http *h, struct http_reply *out); /* oldest first; caller finishes it */
void http_reply_fini(struct http_reply *reply);

#endif
