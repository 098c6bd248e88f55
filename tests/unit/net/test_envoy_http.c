/* SPDX-License-Identifier: Apache-2.0 */
/* Tool calls over plain HTTP against a server that misbehaves: each failure has its own outcome,
 * and says truly whether the request may have arrived. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <cmocka.h>
#include "core/alloc.h"
#include "core/clock.h"
#include "support/badserver.c"
#include "support/netrig.c"

#define ASK                CONTRACT_TOOL_LIST_PURCHASES
#define WRITE              CONTRACT_TOOL_CANCEL_PURCHASE
#define STATUS             CONTRACT_TOOL_GET_PURCHASE_STATUS
#define OK_ASK             NETRIG_ENVELOPE("list_purchases", "UNAUTHENTICATED")
#define LONG               10000
#define SHORT              300
#define HEAD(status, more) "HTTP/1.1 " status "\r\nContent-Type: application/json\r\n" more

/* One server step, one list_purchases call. */
static struct envoy_result ask_once(struct badserver_step step, int64_t timeout_ms)
{
    const struct badserver_options options = {.steps = &step, .count = 1};
    struct netrig rig;
    struct envoy_result r;

    netrig_start(&rig, &options, NULL, NULL);
    r = netrig_ask(&rig, ASK, timeout_ms);
    assert_int_equal(r.tool, ASK);
    assert_true(r.ended_mono_ms >= r.started_mono_ms);
    netrig_stop(&rig);
    return r;
}

static void a_call_is_what_the_service_expects(void **state)
{
    (void)state;
    static const struct badserver_step steps[] = {
        {.path = "/tools/list_purchases", .body = OK_ASK}};
    const struct badserver_options options = {.steps = steps, .count = 1, .keep_requests = true};
    struct netrig rig;

    netrig_start(&rig, &options, NULL, NULL);
    struct envoy_result r = netrig_result(&rig, netrig_call(&rig, ASK, "{\"limit\":5}", LONG));
    assert_int_equal(r.outcome, ENVOY_REPLY);
    assert_int_equal(r.http_status, 200);
    assert_int_equal(r.retry_after_ms, -1);
    assert_string_equal(r.request_id, "req_body");
    assert_string_equal(r.why, "");
    assert_true(r.may_have_arrived);
    assert_non_null(r.reply);
    assert_null(r.handout);
    envoy_result_fini(&r);
    const char *request = rig.server.seen->request[0];
    assert_ptr_equal(strstr(request, "POST /tools/list_purchases HTTP/1.1\r\n"), request);
    assert_non_null(strstr(request, "\r\nContent-Type: application/json\r\n"));
    assert_non_null(strstr(request, "\r\nAuthorization: Bearer " NETRIG_TOKEN "\r\n"));
    assert_non_null(strstr(request, "\r\nUser-Agent: " NETRIG_AGENT "\r\n"));
    assert_non_null(strstr(request, "\r\nAccept-Encoding: gzip\r\n"));
    assert_null(strstr(request, "Expect"));
    assert_non_null(strstr(request, "\r\n\r\n{\"limit\":5}"));
    netrig_stop(&rig);
}

static void framings_make_no_difference(void **state)
{
    (void)state;
    static const enum badserver_framing framings[] = {BADSERVER_LENGTH, BADSERVER_CHUNKED,
                                                      BADSERVER_GZIP, BADSERVER_UNTIL_CLOSE};
    for (size_t i = 0; i < sizeof framings / sizeof framings[0]; i++) {
        struct envoy_result r =
            ask_once((struct badserver_step){.framing = framings[i],
                                             .act = framings[i] == BADSERVER_UNTIL_CLOSE
                                                        ? BADSERVER_REPLY_CLOSE
                                                        : BADSERVER_REPLY,
                                             .body = OK_ASK},
                     LONG);
        assert_int_equal(r.outcome, ENVOY_REPLY);
        envoy_result_fini(&r);
    }
}

static void an_envelope_counts_whatever_the_status(void **state)
{
    (void)state;
    static const struct {
        const char *head;
        int status;
    } rows[] = {{HEAD("401 Unauthorized", ""), 401},
                {HEAD("429 Too Many Requests", ""), 429},
                {HEAD("500 Oops", ""), 500},
                {HEAD("503 Unavailable", ""), 503},
                {HEAD("404 Not Found", ""), 404}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct envoy_result r =
            ask_once((struct badserver_step){.head = rows[i].head, .body = OK_ASK}, LONG);
        assert_int_equal(r.outcome, ENVOY_REPLY);
        assert_int_equal(r.http_status, rows[i].status);
        envoy_result_fini(&r);
    }
}

struct failure {
    const char *name;
    struct badserver_step step;
    enum envoy_outcome outcome;
    int status;
    const char *why;
};

static const struct failure failures[] = {
    {"reset", {.act = BADSERVER_RESET}, ENVOY_RESET, 0, NULL},
    {"closed", {.act = BADSERVER_CLOSE}, ENVOY_RESET, 0, NULL},
    {"silent", {.act = BADSERVER_SILENT}, ENVOY_TIMEOUT, 0, NULL},
    {"drip", {.act = BADSERVER_DRIP, .body = OK_ASK}, ENVOY_TIMEOUT, 0, NULL},
    {"short",
     {.act = BADSERVER_REPLY_CLOSE, .framing = BADSERVER_SHORT, .body = OK_ASK},
     ENVOY_CUT,
     200,
     NULL},
    {"chunks end",
     {.act = BADSERVER_REPLY_CLOSE,
      .framing = BADSERVER_RAW,
      .body = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{\"ok\""},
     ENVOY_CUT,
     200,
     NULL},
    {"garbage",
     {.act = BADSERVER_REPLY_CLOSE, .framing = BADSERVER_RAW, .body = "SSH-2.0-x\r\n"},
     ENVOY_NOT_JSON,
     0,
     "the answer is not HTTP"},
    {"html 504",
     {.head = "HTTP/1.1 504 Gateway Timeout\r\nContent-Type: text/html\r\n",
      .body = "<html><body>upstream timed out</body></html>"},
     ENVOY_NOT_JSON,
     504,
     "the reply is not JSON"},
    {"text",
     {.head = "HTTP/1.1 502 Bad Gateway\r\n", .body = "bad gateway"},
     ENVOY_NOT_JSON,
     502,
     "the reply is not JSON"},
    {"empty", {.head = HEAD("200 OK", "")}, ENVOY_NOT_JSON, 200, "the reply was empty"},
    {"no content",
     {.framing = BADSERVER_RAW, .body = "HTTP/1.1 204 None\r\n\r\n"},
     ENVOY_NOT_JSON,
     204,
     "the reply was empty"},
    {"redirect",
     {.head = "HTTP/1.1 302 Found\r\nLocation: https://elsewhere.test/\r\n", .body = "<a>"},
     ENVOY_REDIRECT,
     302,
     NULL},
    {"permanent",
     {.head = "HTTP/1.1 308 Moved\r\nLocation: /tools/x\r\n", .body = OK_ASK},
     ENVOY_REDIRECT,
     308,
     NULL},
    {"cut json",
     {.body = "{\"ok\":true,\"data\":{\"payment_details\":{\"card\":{\"number\":\"6070"},
     ENVOY_BAD_JSON,
     200,
     ""},
    {"html said to be json", {.body = "<html></html>"}, ENVOY_BAD_JSON, 200, ""},
    {"two values", {.body = OK_ASK OK_ASK}, ENVOY_BAD_JSON, 200, ""},
    {"array", {.body = "[1]"}, ENVOY_BAD_ENVELOPE, 200, NULL},
    {"object", {.body = "{\"error\":\"AUTH_REQUIRED\"}"}, ENVOY_BAD_ENVELOPE, 200, NULL},
    {"404 object",
     {.head = HEAD("404 Not Found", ""), .body = "{\"error\":\"GONE\"}"},
     ENVOY_BAD_ENVELOPE,
     404,
     NULL},
    {"another tool",
     {.body = NETRIG_ENVELOPE("get_account", "NOT_FOUND")},
     ENVOY_BAD_ENVELOPE,
     200,
     NULL},
    {"unknown tool",
     {.head = HEAD("404 Not Found", ""), .body = "{\"error\":\"NOT_FOUND\"}"},
     ENVOY_UNKNOWN_TOOL,
     404,
     NULL},
    {"200 not found", {.body = "{\"error\":\"NOT_FOUND\"}"}, ENVOY_BAD_ENVELOPE, 200, NULL},
    {"bad gzip",
     {.framing = BADSERVER_GZIP_BAD, .body = OK_ASK},
     ENVOY_NOT_JSON,
     200,
     "the compression of the reply is damaged"},
    {"too large", {.body = "0123456789abcdef", .repeat = 65537}, ENVOY_TOO_LARGE, 200, NULL},
    {"too large once unpacked",
     {.framing = BADSERVER_GZIP, .body = "0123456789abcdef", .repeat = 65537},
     ENVOY_TOO_LARGE,
     200,
     NULL},
};

static void failures_are_told_apart(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof failures / sizeof failures[0]; i++) {
        const struct failure *f = &failures[i];
        bool waits = f->step.act == BADSERVER_SILENT || f->step.act == BADSERVER_DRIP;
        struct envoy_result r = ask_once(f->step, waits ? SHORT : LONG);

        if (r.outcome != f->outcome ||
            (f->step.act != BADSERVER_DRIP && r.http_status != f->status))
            fail_msg("%s: %s with status %d (%s)", f->name, envoy_outcome_name(r.outcome),
                     r.http_status, r.why);
        if (f->why)
            assert_string_equal(r.why, f->why);
        assert_true(r.may_have_arrived);
        assert_null(r.reply);
        assert_null(r.handout);
        envoy_result_fini(&r);
    }
}

static void endless_headers_are_cut_off(void **state)
{
    (void)state;
    struct envoy_result r = ask_once(
        (struct badserver_step){.framing = BADSERVER_RAW,
                                .act = BADSERVER_REPLY_CLOSE,
                                .body = "HTTP/1.1 103 Early Hints\r\nX-A: 0123456789abcdef\r\n\r\n",
                                .repeat = 100000},
        LONG);
    assert_int_equal(r.outcome, ENVOY_TOO_LARGE);
    envoy_result_fini(&r);
}

static void the_largest_reply_is_read_whole(void **state)
{
    (void)state;
    /* Blanks around a small envelope, so that exactly 1 MiB comes. */
    const struct badserver_step step = {.body = " ", .repeat = ENVOY_HTTP_IN_MAX};
    struct envoy_result r = ask_once(step, LONG);
    assert_int_equal(r.outcome, ENVOY_BAD_JSON);
    envoy_result_fini(&r);
}

/* A port that nothing listens on, or one whose queue is full so that it answers nobody. */
static int closed_or_full_port(int *listener, int fill[8])
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t size = sizeof address;

    *listener = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(bind(*listener, (struct sockaddr *)&address, size), 0);
    assert_int_equal(getsockname(*listener, (struct sockaddr *)&address, &size), 0);
    if (fill) {
        assert_int_equal(listen(*listener, 0), 0);
        for (int i = 0; i < 8; i++) {
            fill[i] = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
            (void)connect(fill[i], (struct sockaddr *)&address, size);
        }
    }
    return ntohs(address.sin_port);
}

static void nothing_arrives_without_a_connection(void **state)
{
    (void)state;
    char base[64];
    struct netrig rig;
    struct envoy_result r;
    int listener, fill[8];

    snprintf(base, sizeof base, "http://127.0.0.1:%d/", closed_or_full_port(&listener, NULL));
    netrig_client(&rig, base, NULL);
    r = netrig_ask(&rig, WRITE, LONG);
    assert_int_equal(r.outcome, ENVOY_REFUSED);
    assert_false(r.may_have_arrived);
    assert_int_equal(r.http_status, 0);
    envoy_result_fini(&r);
    envoy_http_free(rig.client);
    close(listener);

    snprintf(base, sizeof base, "http://localhost:%d", closed_or_full_port(&listener, fill));
    netrig_client(&rig, base, NULL);
    r = netrig_ask(&rig, WRITE, SHORT);
    assert_int_equal(r.outcome, ENVOY_UNREACHABLE);
    assert_string_equal(r.why, "no connection in time");
    assert_false(r.may_have_arrived);
    envoy_result_fini(&r);
    envoy_http_free(rig.client);
    close(listener);
    for (int i = 0; i < 8; i++)
        close(fill[i]);
}

static void only_safe_addresses_are_accepted(void **state)
{
    (void)state;
    static const struct {
        const char *url;
        enum err e;
    } rows[] = {
        {"https://api.envoy.money", ERR_OK},
        {"https://api.envoy.money/", ERR_OK},
        {"https://api.envoy.money:8443", ERR_OK},
        {"http://127.0.0.1:8080", ERR_OK},
        {"http://127.255.0.9", ERR_OK},
        {"http://[::1]:8080", ERR_OK},
        {"http://localhost", ERR_OK},
        {"http://LOCALHOST:1", ERR_OK},
        {"http://api.envoy.money", ERR_CONFIG},
        {"http://128.0.0.1", ERR_CONFIG},
        {"http://10.0.0.1", ERR_CONFIG},
        {"http://[::2]", ERR_CONFIG},
        {"http://localhost.example.test", ERR_CONFIG},
        {"http://127.0.0.1.example.test", ERR_CONFIG},
        {"http://localhost@example.test", ERR_CONFIG},
        {"https://user@example.test", ERR_CONFIG},
        {"https://user:word@example.test", ERR_CONFIG},
        {"https://example.test/path", ERR_CONFIG},
        {"https://example.test?x=1", ERR_CONFIG},
        {"https://example.test/#x", ERR_CONFIG},
        {"https://exa mple.test", ERR_CONFIG},
        {"ftp://127.0.0.1", ERR_CONFIG},
        {"file:///etc/passwd", ERR_CONFIG},
        {"127.0.0.1:80", ERR_CONFIG},
        {"https://", ERR_CONFIG},
        {"", ERR_CONFIG},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct envoy_http_settings settings = {.base_url = rows[i].url, .user_agent = "t"};
        struct envoy_http *c = NULL;
        enum err e = envoy_http_new(&settings, &c);
        if (e != rows[i].e)
            fail_msg("%s: %s", rows[i].url, err_name(e));
        assert_int_equal(c != NULL, e == ERR_OK);
        envoy_http_free(c);
    }
}

static void tokens_cannot_break_a_header(void **state)
{
    (void)state;
    static const struct {
        const char *token;
        enum err e;
    } rows[] = {{"abc.DEF-1~2+3/4==", ERR_OK},  {"", ERR_FORMAT},     {"a b", ERR_FORMAT},
                {"a\r\nX-Evil: 1", ERR_FORMAT}, {"a\tb", ERR_FORMAT}, {"a\xc3\xa9", ERR_FORMAT}};
    struct netrig rig;

    netrig_client(&rig, "http://127.0.0.1:9", NULL);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct secret *token = secret_new(64);
        assert_int_equal(secret_append(token, rows[i].token, strlen(rows[i].token)), ERR_OK);
        assert_int_equal(envoy_http_set_token(rig.client, token), rows[i].e);
        secret_free(token);
    }
    envoy_http_free(rig.client);
}

static void signed_out_sends_no_bearer(void **state)
{
    (void)state;
    static const struct badserver_step steps[] = {{.body = OK_ASK}};
    const struct badserver_options options = {.steps = steps, .count = 1, .keep_requests = true};
    struct netrig rig;

    netrig_start(&rig, &options, NULL, NULL);
    assert_int_equal(envoy_http_set_token(rig.client, NULL), ERR_OK);
    struct envoy_result r = netrig_ask(&rig, ASK, LONG);
    envoy_result_fini(&r);
    assert_null(strstr(rig.server.seen->request[0], "Authorization"));
    netrig_stop(&rig);
}

static void requests_are_bounded(void **state)
{
    (void)state;
    static const struct badserver_step steps[] = {{.body = OK_ASK}};
    const struct badserver_options options = {.steps = steps, .count = 1};
    char *body = malloc(ENVOY_HTTP_OUT_MAX + 2);
    struct netrig rig;

    assert_non_null(body);
    memset(body, ' ', ENVOY_HTTP_OUT_MAX + 1);
    body[ENVOY_HTTP_OUT_MAX + 1] = '\0';
    netrig_start(&rig, &options, NULL, NULL);
    struct envoy_result r = netrig_result(&rig, netrig_call(&rig, ASK, body, LONG));
    assert_int_equal(r.outcome, ENVOY_NOT_SENT);
    assert_false(r.may_have_arrived);
    assert_int_equal(atomic_load(&rig.server.seen->connections), 0);
    envoy_result_fini(&r);
    r = netrig_result(&rig, netrig_call(&rig, ASK, body + 1, LONG));
    assert_int_equal(r.outcome, ENVOY_REPLY);
    envoy_result_fini(&r);
    netrig_stop(&rig);
    free(body);
}

static void retry_after_is_a_delay(void **state)
{
    (void)state;
    static const struct {
        const char *headers;
        int64_t ms;
    } rows[] = {
        {"Retry-After: 0\r\n", 0},
        {"Retry-After: 17\r\n", 17000},
        {"Retry-After: 86400\r\n", 86400000},
        {"Retry-After: 99999999999999999999\r\n", 86400000},
        {"Date: Tue, 29 Sep 2026 12:00:00 GMT\r\nRetry-After: Tue, 29 Sep 2026 12:01:30 GMT\r\n",
         90000},
        {"Date: Tue, 29 Sep 2026 12:00:00 GMT\r\nRetry-After: Tue, 29 Sep 2026 11:00:00 GMT\r\n",
         0},
        {"Retry-After: Tue, 29 Sep 1998 11:00:00 GMT\r\n", 0},
        {"Retry-After: soon\r\n", -1},
        {"Retry-After: -5\r\n", -1},
        {"Retry-After: 1.5\r\n", -1},
        {"Retry-After:\r\n", -1},
        {"", -1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char head[512];
        snprintf(head, sizeof head, HEAD("429 Too Many Requests", "%s"), rows[i].headers);
        struct envoy_result r =
            ask_once((struct badserver_step){.head = head, .body = OK_ASK}, LONG);
        if (r.retry_after_ms != rows[i].ms)
            fail_msg("%s-> %lld", rows[i].headers, (long long)r.retry_after_ms);
        assert_int_equal(r.http_status, 429);
        envoy_result_fini(&r);
    }
}

static void the_request_id_comes_from_the_header_too(void **state)
{
    (void)state;
    struct envoy_result r = ask_once(
        (struct badserver_step){.head = HEAD("502 Bad", "X-Request-Id: req-77\r\n"), .body = "{}"},
        LONG);
    assert_int_equal(r.outcome, ENVOY_BAD_ENVELOPE);
    assert_string_equal(r.request_id, "req-77");
    envoy_result_fini(&r);
    r = ask_once((struct badserver_step){.head = HEAD("502 Bad", "X-Request-Id: a\x1b[2J\r\n"),
                                         .body = "{}"},
                 LONG);
    assert_string_equal(r.request_id, "");
    envoy_result_fini(&r);
}

static void reads_share_a_connection_and_writes_do_not(void **state)
{
    (void)state;
    static const struct badserver_step steps[] = {
        {.path = "/tools/list_purchases", .body = OK_ASK},
        {.path = "/tools/cancel_purchase",
         .body = NETRIG_ENVELOPE("cancel_purchase", "NOT_FOUND")}};
    const struct badserver_options options = {.steps = steps, .count = 2};
    struct netrig rig;

    netrig_start(&rig, &options, NULL, NULL);
    for (int i = 0; i < 5; i++) {
        struct envoy_result r = netrig_ask(&rig, ASK, LONG);
        assert_int_equal(r.outcome, ENVOY_REPLY);
        envoy_result_fini(&r);
    }
    assert_int_equal(atomic_load(&rig.server.seen->connections), 1);
    assert_int_equal(atomic_load(&rig.server.seen->requests), 5);
    for (unsigned i = 0; i < 2; i++) {
        struct envoy_result r = netrig_ask(&rig, WRITE, LONG);
        assert_int_equal(r.outcome, ENVOY_REPLY);
        envoy_result_fini(&r);
        assert_int_equal(atomic_load(&rig.server.seen->connections), 2 + i);
    }
    netrig_stop(&rig);
}

/* The server takes a second request on a kept connection and hangs up: the request must not come to
 * it a third time. */
static void nothing_is_sent_twice(void **state)
{
    (void)state;
    static const struct badserver_step steps[] = {
        {.times = 1, .body = OK_ASK}, {.times = 1, .act = BADSERVER_CLOSE}, {.body = OK_ASK}};
    const struct badserver_options options = {.steps = steps, .count = 3};
    struct netrig rig;

    netrig_start(&rig, &options, NULL, NULL);
    struct envoy_result r = netrig_ask(&rig, ASK, LONG);
    assert_int_equal(r.outcome, ENVOY_REPLY);
    envoy_result_fini(&r);
    r = netrig_ask(&rig, ASK, LONG);
    assert_int_equal(r.outcome, ENVOY_RESET);
    assert_true(r.may_have_arrived);
    assert_int_equal(atomic_load(&rig.server.seen->requests), 2);
    envoy_result_fini(&r);
    r = netrig_ask(&rig, ASK, LONG);
    assert_int_equal(r.outcome, ENVOY_REPLY);
    assert_int_equal(atomic_load(&rig.server.seen->requests), 3);
    envoy_result_fini(&r);
    netrig_stop(&rig);
}

static void held_reads_keep_nobody_waiting(void **state)
{
    (void)state;
    static const struct badserver_step steps[] = {
        {.path = "/tools/get_purchase_status",
         .act = BADSERVER_HOLD,
         .body = NETRIG_ENVELOPE("get_purchase_status", "NOT_FOUND")},
        {.path = "/tools/list_purchases", .body = OK_ASK}};
    const struct badserver_options options = {.steps = steps, .count = 2};
    struct netrig rig;
    bool back[6] = {false};

    netrig_start(&rig, &options, NULL, NULL);
    for (int i = 0; i < 5; i++)
        netrig_call(&rig, STATUS, "{}", LONG);
    netrig_until(&rig, &rig.server.seen->steps[0], 5);
    assert_int_equal(envoy_http_running(rig.client), 5);
    struct envoy_result r = netrig_ask(&rig, ASK, LONG);
    assert_int_equal(r.outcome, ENVOY_REPLY);
    assert_int_equal(r.tool, ASK);
    envoy_result_fini(&r);
    assert_int_equal(envoy_http_running(rig.client), 5);
    badserver_release(&rig.server);
    for (int i = 0; i < 5; i++) {
        r = netrig_result(&rig, 0);
        assert_int_equal(r.outcome, ENVOY_REPLY);
        assert_true(r.id >= 1 && r.id <= 5 && !back[r.id]);
        back[r.id] = true;
        envoy_result_fini(&r);
    }
    assert_int_equal(envoy_http_running(rig.client), 0);
    netrig_stop(&rig);
}

static void aborting_ends_one_call_only(void **state)
{
    (void)state;
    static const struct badserver_step steps[] = {
        {.act = BADSERVER_HOLD, .body = NETRIG_ENVELOPE("get_purchase_status", "NOT_FOUND")}};
    const struct badserver_options options = {.steps = steps, .count = 1};
    struct netrig rig;

    netrig_start(&rig, &options, NULL, NULL);
    uint64_t gone = netrig_call(&rig, STATUS, "{}", LONG);
    uint64_t kept = netrig_call(&rig, STATUS, "{}", LONG);
    netrig_until(&rig, &rig.server.seen->steps[0], 2);
    envoy_http_abort(rig.client, gone);
    envoy_http_abort(rig.client, gone);
    envoy_http_abort(rig.client, 4711);
    assert_int_equal(envoy_http_running(rig.client), 1);
    struct envoy_result r = netrig_result(&rig, gone);
    assert_int_equal(r.outcome, ENVOY_ABORTED);
    assert_true(r.may_have_arrived);
    envoy_result_fini(&r);
    uint64_t unsent = netrig_call(&rig, STATUS, "{}", LONG);
    envoy_http_abort(rig.client, unsent);
    r = netrig_result(&rig, unsent);
    assert_int_equal(r.outcome, ENVOY_ABORTED);
    assert_false(r.may_have_arrived);
    envoy_result_fini(&r);
    badserver_release(&rig.server);
    r = netrig_result(&rig, kept);
    assert_int_equal(r.outcome, ENVOY_REPLY);
    envoy_result_fini(&r);
    netrig_call(&rig, STATUS, "{}", LONG); /* still running when all is freed */
    netrig_stop(&rig);
}

static void polling_wakes_for_a_descriptor(void **state)
{
    (void)state;
    struct netrig rig;
    int ends[2];
    int64_t before;

    netrig_client(&rig, "http://127.0.0.1:9", NULL);
    assert_int_equal(pipe(ends), 0);
    before = clock_mono_ms();
    assert_int_equal(envoy_http_poll(rig.client, ends, 1, 60), ERR_OK);
    assert_true(clock_mono_ms() - before >= 50);
    assert_int_equal(write(ends[1], "x", 1), 1);
    assert_int_equal(envoy_http_poll(rig.client, ends, 1, -1), ERR_OK);
    close(ends[0]);
    close(ends[1]);
    envoy_http_free(rig.client);
}

static void handouts_come_with_their_purchase(void **state)
{
    (void)state;
    static const struct badserver_step steps[] = {
        {.times = 1, .body = NETRIG_READY(NETRIG_CARD)},
        {.times = 1, .body = NETRIG_READY("{\"kind\":\"card\",\"number\":\"" NETRIG_PAN "\"}")},
        {.times = 1, .body = NETRIG_READY("null")}};
    const struct badserver_options options = {.steps = steps, .count = 3};
    struct netrig rig;

    netrig_start(&rig, &options, NULL, NULL);
    struct envoy_result r = netrig_ask(&rig, STATUS, LONG);
    if (r.outcome != ENVOY_REPLY)
        fail_msg("%s: %s", envoy_outcome_name(r.outcome), r.why);
    assert_non_null(r.reply->purchase);
    assert_non_null(r.handout);
    assert_false(r.handout_malformed);
    assert_string_equal(handout_facts_view(r.handout)->last4, "4242");
    envoy_result_fini(&r);
    r = netrig_ask(&rig, STATUS, LONG);
    assert_int_equal(r.outcome, ENVOY_REPLY);
    assert_null(r.handout);
    assert_true(r.handout_malformed);
    envoy_result_fini(&r);
    r = netrig_ask(&rig, STATUS, LONG);
    assert_int_equal(r.outcome, ENVOY_REPLY);
    assert_null(r.handout);
    assert_false(r.handout_malformed);
    envoy_result_fini(&r);
    netrig_stop(&rig);
}

static void control_calls_have_no_bearer(void **state)
{
    (void)state;
    static const struct badserver_step steps[] = {
        {.path = "/sim/phone", .body = "{\"done\":true}"},
        {.path = "/sim/state", .head = HEAD("418 Teapot", ""), .body = "plain"},
        {.path = "/sim/empty"}};
    static const struct {
        const char *path, *body;
        int status;
        const char *text;
    } rows[] = {{"/sim/phone", "{\"approve\":1}", 200, "{\"done\":true}"},
                {"/sim/state", NULL, 418, "plain"},
                {"/sim/empty", NULL, 200, ""},
                {"/sim/none", NULL, 0, NULL}};
    const struct badserver_options options = {.steps = steps, .count = 3, .keep_requests = true};
    struct netrig rig;
    struct envoy_result none;

    netrig_start(&rig, &options, NULL, NULL);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint64_t id = 0, got = 0;
        int status = -1;
        char *text = NULL;
        assert_int_equal(envoy_http_control(rig.client, rows[i].path, rows[i].body, &id), ERR_OK);
        int64_t end_ms = clock_mono_ms() + LONG;
        while (!envoy_http_next_control(rig.client, &got, &status, &text))
            turn(&rig, end_ms);
        assert_int_equal(got, id);
        assert_int_equal(status, rows[i].status);
        if (rows[i].text)
            assert_string_equal(text, rows[i].text);
        else
            assert_null(text);
        alloc_free(text);
        assert_false(envoy_http_next(rig.client, &none));
    }
    assert_null(strstr(rig.server.seen->request[0], "Authorization"));
    assert_non_null(strstr(rig.server.seen->request[0], "\r\n\r\n{\"approve\":1}"));
    assert_int_equal(strncmp(rig.server.seen->request[1], "GET /sim/state ", 15), 0);
    netrig_stop(&rig);
    uint64_t id;
    netrig_client(&rig, "https://api.envoy.money", NULL);
    assert_int_equal(envoy_http_control(rig.client, "/sim/state", NULL, &id), ERR_CONFIG);
    envoy_http_free(rig.client);
}

static void every_outcome_has_words(void **state)
{
    (void)state;
    for (int i = 0; i < ENVOY_OUTCOME_COUNT; i++) {
        assert_true(strlen(envoy_outcome_name((enum envoy_outcome)i)) > 2);
        assert_true(strlen(envoy_outcome_words((enum envoy_outcome)i)) > 10);
        for (int j = 0; j < i; j++) {
            assert_string_not_equal(envoy_outcome_name((enum envoy_outcome)i),
                                    envoy_outcome_name((enum envoy_outcome)j));
            assert_string_not_equal(envoy_outcome_words((enum envoy_outcome)i),
                                    envoy_outcome_words((enum envoy_outcome)j));
        }
    }
    assert_non_null(envoy_outcome_words(ENVOY_OUTCOME_COUNT));
}

/* Without an envelope the status is all there is to tell by; with one it changes nothing. */
static void statuses_without_an_envelope_have_their_own_words(void **state)
{
    static const int statuses[] = {200, 401, 403, 404, 407, 413, 429, 500, 502, 503, 504, 599};
    static const enum envoy_outcome bare[] = {ENVOY_NOT_JSON, ENVOY_BAD_JSON, ENVOY_BAD_ENVELOPE};
    size_t count = sizeof statuses / sizeof statuses[0];
    (void)state;
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < i; j++) {
            struct envoy_result a = {.outcome = ENVOY_NOT_JSON, .http_status = statuses[i]};
            struct envoy_result b = {.outcome = ENVOY_NOT_JSON, .http_status = statuses[j]};
            assert_string_not_equal(envoy_result_words(&a), envoy_result_words(&b));
        }
        for (size_t k = 0; i > 0 && k < sizeof bare / sizeof bare[0]; k++) {
            struct envoy_result r = {.outcome = bare[k], .http_status = statuses[i]};
            assert_non_null(strstr(envoy_result_words(&r), "(HTTP "));
        }
        struct envoy_result lost = {.outcome = ENVOY_CUT, .http_status = statuses[i]};
        assert_string_equal(envoy_result_words(&lost), envoy_outcome_words(ENVOY_CUT));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_call_is_what_the_service_expects),
        cmocka_unit_test(framings_make_no_difference),
        cmocka_unit_test(an_envelope_counts_whatever_the_status),
        cmocka_unit_test(failures_are_told_apart),
        cmocka_unit_test(endless_headers_are_cut_off),
        cmocka_unit_test(the_largest_reply_is_read_whole),
        cmocka_unit_test(nothing_arrives_without_a_connection),
        cmocka_unit_test(only_safe_addresses_are_accepted),
        cmocka_unit_test(tokens_cannot_break_a_header),
        cmocka_unit_test(signed_out_sends_no_bearer),
        cmocka_unit_test(requests_are_bounded),
        cmocka_unit_test(retry_after_is_a_delay),
        cmocka_unit_test(the_request_id_comes_from_the_header_too),
        cmocka_unit_test(reads_share_a_connection_and_writes_do_not),
        cmocka_unit_test(nothing_is_sent_twice),
        cmocka_unit_test(held_reads_keep_nobody_waiting),
        cmocka_unit_test(aborting_ends_one_call_only),
        cmocka_unit_test(polling_wakes_for_a_descriptor),
        cmocka_unit_test(handouts_come_with_their_purchase),
        cmocka_unit_test(control_calls_have_no_bearer),
        cmocka_unit_test(every_outcome_has_words),
        cmocka_unit_test(statuses_without_an_envelope_have_their_own_words),
    };
    return cmocka_run_group_tests(tests, netrig_prepare, NULL);
}
