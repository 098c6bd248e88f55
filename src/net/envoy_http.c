/* SPDX-License-Identifier: Apache-2.0 */
/* Tool calls over HTTP: what goes out, and what a reply amounts to. Owns the calls that run and the
 * results that wait. Must not know curl, nor decide what happens next. Invariants: a started call
 * gives exactly one result; no parser sees a body before the handout was cut out of it. */
#include <stdio.h>
#include <string.h>
#include "core/alloc.h"
#include "core/clock.h"
#include "core/jsonscan.h"
#include "core/scrub.h"
#include "core/str.h"
#include "net/envoy_http.h"
#include "net/http.h"

#define URL_MAX            512
#define TOKEN_MAX          (8 * 1024)
#define CONTROL_TIMEOUT_MS 10000
#define TYPE_JSON          "Content-Type: application/json"

struct call {
    struct call *next;
    uint64_t id;
    uint64_t http_id; /* 0: never started */
    bool is_control;
    int control_status;
    char *control_text;
    struct envoy_result result;
};

struct envoy_http {
    struct http *http;
    char *base; /* without a slash at the end */
    bool is_loopback;
    struct secret *token;
    uint64_t last_id;
    struct call *running;
    struct call *results;  /* oldest first */
    struct call *controls; /* oldest first */
};

static const struct outcome_row {
    const char *name;
    const char *words;
} outcomes[ENVOY_OUTCOME_COUNT] = {
    [ENVOY_REPLY] = {"reply", "Envoy answered"},
    [ENVOY_NOT_SENT] = {"not-sent", "Not sent: nothing left this machine"},
    [ENVOY_DNS] = {"dns", "The name of the service was not found"},
    [ENVOY_REFUSED] = {"refused", "The service refused the connection"},
    [ENVOY_UNREACHABLE] = {"unreachable", "The service cannot be reached"},
    [ENVOY_TLS] = {"tls", "No secure connection to the service"},
    [ENVOY_RESET] = {"reset", "The connection was lost before the reply"},
    [ENVOY_TIMEOUT] = {"timeout", "No reply in time"},
    [ENVOY_CUT] = {"cut", "The reply was cut off"},
    [ENVOY_TOO_LARGE] = {"too-large", "The reply is larger than it may be"},
    [ENVOY_REDIRECT] = {"redirect", "The service pointed elsewhere, which is not followed"},
    [ENVOY_NOT_JSON] = {"not-json", "Something else answered in place of the service"},
    [ENVOY_BAD_JSON] = {"bad-json", "The reply is damaged"},
    [ENVOY_BAD_ENVELOPE] = {"bad-envelope", "The reply is not one this program can rely on"},
    [ENVOY_UNKNOWN_TOOL] = {"unknown-tool", "The service does not offer this call"},
    [ENVOY_ABORTED] = {"aborted", "Stopped here before the reply"},
};

static const enum envoy_outcome outcome_of[] = {
    [HTTP_OK] = ENVOY_REPLY,
    [HTTP_DNS] = ENVOY_DNS,
    [HTTP_REFUSED] = ENVOY_REFUSED,
    [HTTP_UNREACHABLE] = ENVOY_UNREACHABLE,
    [HTTP_TLS] = ENVOY_TLS,
    [HTTP_RESET] = ENVOY_RESET,
    [HTTP_TIMEOUT] = ENVOY_TIMEOUT,
    [HTTP_CUT] = ENVOY_CUT,
    [HTTP_TOO_LARGE] = ENVOY_TOO_LARGE,
    [HTTP_GARBAGE] = ENVOY_NOT_JSON,
    [HTTP_MEMORY] = ENVOY_BAD_JSON,
    [HTTP_ABORTED] = ENVOY_ABORTED,
};

static bool is_outcome(enum envoy_outcome o)
{
    return (unsigned)o < ENVOY_OUTCOME_COUNT;
}

const char *envoy_outcome_name(enum envoy_outcome o)
{
    return is_outcome(o) ? outcomes[o].name : "unknown";
}

const char *envoy_outcome_words(enum envoy_outcome o)
{
    return is_outcome(o) ? outcomes[o].words : "Unknown";
}

const char *envoy_result_words(const struct envoy_result *r)
{
    bool no_envelope = r->outcome == ENVOY_NOT_JSON || r->outcome == ENVOY_BAD_JSON ||
                       r->outcome == ENVOY_BAD_ENVELOPE;

    if (!no_envelope)
        return envoy_outcome_words(r->outcome);
    switch (r->http_status) {
    case 401:
        return "Sign in is needed (HTTP 401, without a reply of Envoy's)";
    case 403:
        return "Access was refused on the way (HTTP 403)";
    case 407:
        return "The proxy wants a sign-in of its own (HTTP 407)";
    case 413:
        return "The request was too large for a server on the way (HTTP 413)";
    case 429:
        return "Too many calls (HTTP 429)";
    case 500:
        return "The service failed (HTTP 500)";
    case 502:
        return "A proxy got no good answer from the service (HTTP 502)";
    case 503:
        return "The service is not available (HTTP 503)";
    case 504:
        return "A proxy got no answer from the service in time (HTTP 504)";
    default:
        break;
    }
    if (r->http_status >= 500)
        return "The service or a proxy failed (HTTP 5xx)";
    if (r->http_status >= 400)
        return "The request was refused on the way (HTTP 4xx)";
    return envoy_outcome_words(r->outcome);
}

enum err envoy_http_new(const struct envoy_http_settings *settings, struct envoy_http **out)
{
    const struct http_settings transport = {.user_agent = settings->user_agent,
                                            .ca_file = settings->ca_file,
                                            .reply_max = ENVOY_HTTP_IN_MAX};
    size_t len = strlen(settings->base_url);
    struct envoy_http *c = alloc_zero(1, sizeof *c);
    enum err e = ERR_MEMORY;

    if (!c)
        return e;
    e = http_new(&transport, &c->http); /* first, since checking the url uses libcurl too */
    if (e == ERR_OK)
        e = http_check_url(settings->base_url, true, &c->is_loopback);
    if (e == ERR_OK) {
        c->base =
            alloc_text_n(settings->base_url, settings->base_url[len - 1] == '/' ? len - 1 : len);
        e = c->base ? ERR_OK : ERR_MEMORY;
    }
    if (e != ERR_OK)
        envoy_http_free(c);
    else
        *out = c;
    return e;
}

static void call_free(struct call *call)
{
    envoy_result_fini(&call->result);
    alloc_free(call->control_text);
    alloc_free(call);
}

static void call_free_all(struct call *list)
{
    while (list) {
        struct call *call = list;
        list = call->next;
        call_free(call);
    }
}

void envoy_http_free(struct envoy_http *c)
{
    if (!c)
        return;
    http_free(c->http);
    call_free_all(c->running);
    call_free_all(c->results);
    call_free_all(c->controls);
    secret_free(c->token);
    alloc_free(c->base);
    alloc_free(c);
}

void envoy_result_fini(struct envoy_result *r)
{
    contract_reply_free(r->reply);
    handout_free(r->handout);
    r->reply = NULL;
    r->handout = NULL;
}

static bool is_token(const unsigned char *bytes, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (bytes[i] <= ' ' || bytes[i] > '~')
            return false;
    return len > 0 && len <= TOKEN_MAX;
}

enum err envoy_http_set_token(struct envoy_http *c, struct secret *token)
{
    struct secret *copy = NULL;

    if (token) {
        const unsigned char *bytes = secret_open(token);
        bool good;
        if (!bytes)
            return ERR_MEMORY;
        good = is_token(bytes, secret_len(token));
        secret_close(token);
        if (!good)
            return ERR_FORMAT;
        copy = secret_copy(token, secret_len(token));
        if (!copy)
            return ERR_MEMORY;
    }
    secret_free(c->token);
    c->token = copy;
    return ERR_OK;
}

static void append_call(struct call **list, struct call *call)
{
    while (*list)
        list = &(*list)->next;
    call->next = NULL;
    *list = call;
}

static struct call *call_new(struct envoy_http *c)
{
    struct call *call = alloc_zero(1, sizeof *call);

    if (!call)
        return NULL;
    call->id = ++c->last_id;
    call->result.id = call->id;
    call->result.retry_after_ms = -1;
    call->result.started_mono_ms = clock_mono_ms();
    call->result.ended_mono_ms = call->result.started_mono_ms;
    return call;
}

static void refuse(struct envoy_http *c, struct call *call, const char *why)
{
    call->result.outcome = ENVOY_NOT_SENT;
    (void)str_copy(call->result.why, sizeof call->result.why, why);
    append_call(&c->results, call);
}

/* Takes call and body over in any case. */
static enum err send_call(struct envoy_http *c, struct call *call, const char *path,
                          struct http_request *request, uint64_t *id)
{
    char url[URL_MAX];
    int n = snprintf(url, sizeof url, "%s%s", c->base, path);
    enum err e = ERR_LIMIT;

    request->url = url;
    if (n > 0 && (size_t)n < sizeof url)
        e = http_start(c->http, request, &call->http_id);
    if (e != ERR_OK) {
        secret_free(request->body);
        call_free(call);
        return e;
    }
    *id = call->id;
    append_call(&c->running, call);
    return ERR_OK;
}

static enum err start_tool(struct envoy_http *c, enum contract_tool tool, struct secret *body,
                           int64_t timeout_ms, uint64_t *id)
{
    struct http_request request = {.content_type = TYPE_JSON,
                                   .bearer = c->token,
                                   .body = body,
                                   .timeout_ms = timeout_ms > 0 ? timeout_ms : 1,
                                   .once = contract_is_write(tool)};
    char path[URL_MAX];
    struct call *call = call_new(c);

    if (!call) {
        secret_free(body);
        return ERR_MEMORY;
    }
    call->result.tool = tool;
    if (!body) {
        *id = call->id;
        refuse(c, call, "the request is larger than 64 KB");
        return ERR_OK;
    }
    snprintf(path, sizeof path, "/tools/%s", contract_wire(CONTRACT_KIND_TOOL, (int)tool));
    return send_call(c, call, path, &request, id);
}

enum err envoy_http_call(struct envoy_http *c, enum contract_tool tool, const char *body,
                         size_t len, int64_t timeout_ms, uint64_t *id)
{
    struct secret *copy = NULL;

    if (len <= ENVOY_HTTP_OUT_MAX) {
        copy = secret_new(len > 0 ? len : 1);
        if (!copy || secret_append(copy, body, len) != ERR_OK) {
            secret_free(copy);
            return ERR_MEMORY;
        }
    }
    return start_tool(c, tool, copy, timeout_ms, id);
}

enum err envoy_http_call_secret(struct envoy_http *c, enum contract_tool tool, struct secret *body,
                                int64_t timeout_ms, uint64_t *id)
{
    size_t len = secret_len(body);
    struct secret *copy = NULL;

    if (len <= ENVOY_HTTP_OUT_MAX) {
        copy = secret_copy(body, len > 0 ? len : 1);
        if (!copy)
            return ERR_MEMORY;
    }
    return start_tool(c, tool, copy, timeout_ms, id);
}

enum err envoy_http_control(struct envoy_http *c, const char *path, const char *body, uint64_t *id)
{
    struct http_request request = {.timeout_ms = CONTROL_TIMEOUT_MS, .once = body};
    size_t len = body ? strlen(body) : 0;
    struct call *call;

    if (!c->is_loopback)
        return ERR_CONFIG;
    if (len > ENVOY_HTTP_OUT_MAX)
        return ERR_LIMIT;
    if (body) {
        request.content_type = TYPE_JSON;
        request.body = secret_new(len > 0 ? len : 1);
        if (!request.body || secret_append(request.body, body, len) != ERR_OK) {
            secret_free(request.body);
            return ERR_MEMORY;
        }
    }
    call = call_new(c);
    if (!call) {
        secret_free(request.body);
        return ERR_MEMORY;
    }
    call->is_control = true;
    return send_call(c, call, path, &request, id);
}

size_t envoy_http_running(const struct envoy_http *c)
{
    return http_running(c->http);
}

static void settle(struct envoy_result *r, enum envoy_outcome outcome, const char *why)
{
    r->outcome = outcome;
    (void)str_copy(r->why, sizeof r->why, why);
}

/* A proxy's page is told by its first byte: the service only ever sends an object. */
static bool looks_like_json(const char *text, size_t len, bool says_json)
{
    size_t at = 0;

    while (at < len && memchr(" \t\r\n", text[at], 4))
        at++;
    return says_json || (at < len && (text[at] == '{' || text[at] == '['));
}

static bool is_unknown_tool(const char *text, size_t len)
{
    const char *const path[] = {"error", NULL};
    struct jsonscan_span span;
    char code[16];
    size_t code_len;

    return jsonscan_find(text, len, path, &span) == ERR_OK &&
           jsonscan_string(text, span, code, sizeof code, &code_len) == ERR_OK &&
           strcmp(code, "NOT_FOUND") == 0;
}

static void decode(struct envoy_result *r, const char *text, size_t len)
{
    char why[200] = "";

    if (r->http_status == 404 && is_unknown_tool(text, len)) {
        settle(r, ENVOY_UNKNOWN_TOOL, "");
        return;
    }
    switch (contract_reply_decode(r->tool, text, len, &r->reply, why)) {
    case ERR_OK:
        settle(r, ENVOY_REPLY, "");
        if (r->reply->request_id[0])
            (void)str_copy(r->request_id, sizeof r->request_id, r->reply->request_id);
        break;
    case ERR_MEMORY:
        settle(r, ENVOY_BAD_ENVELOPE, "not enough memory to read the reply");
        break;
    default:
        settle(r, ENVOY_BAD_ENVELOPE, why);
    }
}

static void read_json(struct envoy_result *r, struct secret *body)
{
    enum err e = handout_extract(body, &r->handout);
    const char *text;

    if (e == ERR_NETWORK || e == ERR_MEMORY) {
        settle(r, ENVOY_BAD_JSON, e == ERR_MEMORY ? "not enough memory to read the reply" : "");
        return;
    }
    r->handout_malformed = e == ERR_FORMAT;
    text = (const char *)secret_open(body);
    if (!text) {
        settle(r, ENVOY_BAD_JSON, "not enough memory to read the reply");
        return;
    }
    decode(r, text, secret_len(body));
    secret_close(body);
    /* Only a status read gives a handout, and only in a reply that says which purchase it is for.
     */
    if (r->outcome != ENVOY_REPLY || r->tool != CONTRACT_TOOL_GET_PURCHASE_STATUS) {
        handout_free(r->handout);
        r->handout = NULL;
    }
}

static void read_body(struct envoy_result *r, struct http_reply *http)
{
    const char *text = http->body ? (const char *)secret_open(http->body) : NULL;
    bool json;

    if (!text) {
        settle(r, ENVOY_NOT_JSON, "the reply was empty");
        return;
    }
    json = looks_like_json(text, secret_len(http->body), http->is_json);
    secret_close(http->body);
    if (json)
        read_json(r, http->body);
    else
        settle(r, ENVOY_NOT_JSON, "the reply is not JSON");
}

static void judge(struct envoy_result *r, struct http_reply *http)
{
    r->may_have_arrived = http->may_have_arrived;
    r->http_status = http->status;
    r->retry_after_ms = http->retry_after_ms;
    r->started_mono_ms = http->started_mono_ms;
    r->ended_mono_ms = http->ended_mono_ms;
    (void)str_copy(r->request_id, sizeof r->request_id, http->request_id);
    if (http->error == HTTP_MEMORY)
        settle(r, http->may_have_arrived ? ENVOY_BAD_JSON : ENVOY_NOT_SENT, "not enough memory");
    else if (http->error != HTTP_OK)
        settle(r, outcome_of[http->error], http->why);
    else if (http->status >= 300 && http->status < 400)
        settle(r, ENVOY_REDIRECT, "");
    else
        read_body(r, http);
}

static void keep_control(struct call *call, struct http_reply *http)
{
    const unsigned char *text = http->body ? secret_open(http->body) : NULL;

    call->control_status = http->error == HTTP_OK ? http->status : 0;
    if (http->error == HTTP_OK)
        call->control_text =
            alloc_text_n(text ? (const char *)text : "", text ? secret_len(http->body) : 0);
    if (text)
        secret_close(http->body);
}

static struct call *take_running(struct envoy_http *c, uint64_t http_id)
{
    struct call **at = &c->running;

    while (*at && (*at)->http_id != http_id)
        at = &(*at)->next;
    struct call *call = *at;
    if (call)
        *at = call->next;
    return call;
}

static void collect(struct envoy_http *c)
{
    struct http_reply http;
    bool any = false;

    while (http_next(c->http, &http)) {
        struct call *call = take_running(c, http.id);
        if (call && call->is_control) {
            keep_control(call, &http);
            append_call(&c->controls, call);
        } else if (call) {
            judge(&call->result, &http);
            append_call(&c->results, call);
        }
        http_reply_fini(&http);
        any = true;
    }
    if (any) /* what the readers of a body with a secret left below us */
        scrub_stack();
}

void envoy_http_abort(struct envoy_http *c, uint64_t id)
{
    for (struct call *call = c->running; call; call = call->next) {
        if (call->id == id) {
            http_abort(c->http, call->http_id);
            collect(c);
            return;
        }
    }
}

enum err envoy_http_poll(struct envoy_http *c, const int *extra_fds, size_t count,
                         int64_t timeout_ms)
{
    bool waiting = c->results || c->controls;

    return http_poll(c->http, extra_fds, count, waiting ? 0 : timeout_ms);
}

void envoy_http_run(struct envoy_http *c)
{
    http_run(c->http);
    collect(c);
}

bool envoy_http_next(struct envoy_http *c, struct envoy_result *out)
{
    struct call *call = c->results;

    if (!call)
        return false;
    c->results = call->next;
    *out = call->result;
    alloc_free(call);
    return true;
}

bool envoy_http_next_control(struct envoy_http *c, uint64_t *id, int *http_status, char **text)
{
    struct call *call = c->controls;

    if (!call)
        return false;
    c->controls = call->next;
    *id = call->id;
    *http_status = call->control_status;
    *text = call->control_text;
    alloc_free(call);
    return true;
}
