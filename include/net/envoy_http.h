/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of the service over HTTP, many at once, in the program's one loop. Knows transport only: it
 * retries nothing and decides nothing (flow does). Bodies in and out are bounded; replies are read
 * into guarded memory, the handout is cut out, the rest is decoded. Pages: requests, tools, errors.
 */
#ifndef NET_ENVOY_HTTP_H
#define NET_ENVOY_HTTP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "contract/enums.h"
#include "contract/reply.h"
#include "core/err.h"
#include "secret/handout.h"
#include "secret/secret.h"

#define ENVOY_HTTP_IN_MAX  (1024 * 1024)
#define ENVOY_HTTP_OUT_MAX (64 * 1024)

struct envoy_http;

struct envoy_http_settings {
    const char *base_url;   /* https://host[:port], or http:// on a loopback address only */
    const char *user_agent; /* "envoy-console/0.1 (...)" */
    const char *ca_file;    /* NULL: the system's (SSL_CERT_FILE is honoured) */
};

/* How a call came back. Every value but REPLY means that no envelope could be read. */
enum envoy_outcome {
    ENVOY_REPLY,        /* an envelope, ok or not: see reply */
    ENVOY_NOT_SENT,     /* refused by us before a byte left (too large, no memory) */
    ENVOY_DNS,          /* name not found */
    ENVOY_REFUSED,      /* connection refused */
    ENVOY_UNREACHABLE,  /* no route, connect time-out */
    ENVOY_TLS,          /* certificate or TLS failure */
    ENVOY_RESET,        /* connection lost */
    ENVOY_TIMEOUT,      /* no reply in time */
    ENVOY_CUT,          /* reply shorter than announced */
    ENVOY_TOO_LARGE,    /* over 1 MiB */
    ENVOY_REDIRECT,     /* a redirect, which is never followed */
    ENVOY_NOT_JSON,     /* HTML or other text (a proxy's page) */
    ENVOY_BAD_JSON,     /* JSON that is cut or invalid */
    ENVOY_BAD_ENVELOPE, /* JSON, but not an envelope to rely on; why says where */
    ENVOY_UNKNOWN_TOOL, /* 404 {"error":"NOT_FOUND"} */
    ENVOY_ABORTED,      /* cancelled here */
    ENVOY_OUTCOME_COUNT,
};

/* Word for logs, and a sentence for people: what happened. Never NULL. */
const char *envoy_outcome_name(enum envoy_outcome o);
const char *envoy_outcome_words(enum envoy_outcome o);

struct envoy_result;
/* The same with the HTTP status in sight: a 401, 429, 503 or a proxy's page without an envelope is
 * told as what it is. Constant text, never NULL. */
const char *envoy_result_words(const struct envoy_result *r);

struct envoy_result {
    uint64_t id; /* as given by envoy_http_call */
    enum contract_tool tool;
    enum envoy_outcome outcome;
    bool may_have_arrived;  /* some byte of the request may have reached the server */
    int http_status;        /* 0 when there was none */
    int64_t retry_after_ms; /* Retry-After header as a delay, -1 when none or rubbish */
    int64_t started_mono_ms, ended_mono_ms;
    struct contract_reply *reply; /* owned by the result; NULL unless ENVOY_REPLY */
    struct handout *handout;      /* owned by the result; NULL when none */
    bool handout_malformed;       /* details were there but not usable (and were wiped) */
    char request_id[129];         /* from the body or X-Request-Id; "" when none */
    char why[200];                /* plain words without values; "" when nothing to add */
};

/* Starts libcurl with zero-on-free memory, so it comes before anything else that might use libcurl.
 * ERR_CONFIG for a base url that is neither https nor http on a loopback address. Proxy variables
 * of the environment count for https; plain http on loopback never goes through a proxy. */
enum err envoy_http_new(const struct envoy_http_settings *settings,
                        struct envoy_http **out) WARN_UNUSED;
void envoy_http_free(struct envoy_http *c); /* aborts what runs */
/* The bearer, copied into guarded memory; NULL signs out. Calls that run keep the one they began
 * with. ERR_FORMAT for a token that cannot stand in a header. */
enum err envoy_http_set_token(struct envoy_http *c, struct secret *token) WARN_UNUSED;

/* Starts POST /tools/{tool} with body (copied at once). timeout_ms is the whole call's limit. Reads
 * share kept-alive connections, a write gets a new one; nothing is ever sent twice. *id is never 0.
 * A call that cannot go out (body too large) still has an id, and a result at once: NOT_SENT. */
enum err envoy_http_call(struct envoy_http *c, enum contract_tool tool, const char *body,
                         size_t len, int64_t timeout_ms, uint64_t *id) WARN_UNUSED;
/* The same with a body that holds a secret; the copy is guarded and wiped when sent. */
enum err envoy_http_call_secret(struct envoy_http *c, enum contract_tool tool, struct secret *body,
                                int64_t timeout_ms, uint64_t *id) WARN_UNUSED;
void envoy_http_abort(struct envoy_http *c, uint64_t id); /* its result will be ENVOY_ABORTED */
size_t envoy_http_running(const struct envoy_http *c);

/* Loop integration: poll waits until extra_fds are readable, a transfer needs work, or timeout_ms
 * passed (-1: for ever); it is the program's only blocking call. Then run the transfers, and take
 * finished results one by one (true: *out filled, caller finishes it with envoy_result_fini). */
enum err envoy_http_poll(struct envoy_http *c, const int *extra_fds, size_t count,
                         int64_t timeout_ms) WARN_UNUSED;
void envoy_http_run(struct envoy_http *c);
bool envoy_http_next(struct envoy_http *c, struct envoy_result *out);
void envoy_result_fini(struct envoy_result *r);

/* Plain GET (body NULL) or POST to the simulator's control interface (demo mode; ERR_CONFIG unless
 * the base url is loopback). Without bearer. Same id space; the reply is text for alloc_free, NULL
 * with status 0 when none came. */
enum err envoy_http_control(struct envoy_http *c, const char *path, const char *body,
                            uint64_t *id) WARN_UNUSED;
bool envoy_http_next_control(struct envoy_http *c, uint64_t *id, int *http_status, char **text);

#endif
