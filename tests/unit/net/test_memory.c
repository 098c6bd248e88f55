/* SPDX-License-Identifier: Apache-2.0 */
/* What a call leaves in memory: the card of a reply, the bearer and the body of a request. The
 * server is another process, and what is looked for stands in read-only memory only, so a hit is a
 * copy that the client made. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>
#include "core/clock.h"
#include "core/scrub.h"
#include "support/badserver.c"
#include "support/memscan.c"
#include "support/netrig.c"

#define STATUS CONTRACT_TOOL_GET_PURCHASE_STATUS
#define WRITE  CONTRACT_TOOL_ANSWER_PURCHASE_QUESTION
#define LONG   10000
#define RUNS   5
#define ANSWER "one-time-answer-440917"

/* Whole secrets, and eight digits from the middle of the number. */
static const char *const needles[] = {NETRIG_PAN, "BANKCODE-20417795", "09876123"};

static void assert_no_copy(const char *when)
{
    for (size_t i = 0; i < sizeof needles / sizeof needles[0]; i++) {
        struct memscan_needle needle;
        memscan_set(&needle, needles[i]);
        size_t hits = memscan_count(&needle);
        if (hits != 0)
            fail_msg("%s: %zu copies of needle %zu", when, hits, i);
    }
}

static size_t open_copies(const char *text)
{
    struct memscan_needle needle;

    memscan_set(&needle, text);
    return memscan_count_open(&needle);
}

static void count_while_open(void *ctx, const unsigned char *bytes, size_t len)
{
    struct memscan_needle needle;

    (void)bytes;
    (void)len;
    memscan_set(&needle, NETRIG_PAN);
    *(size_t *)ctx = memscan_count(&needle);
}

static void one_handout(struct netrig *rig, const char *mode)
{
    struct envoy_result r = netrig_ask(rig, STATUS, LONG);
    size_t hits = 0;

    if (r.outcome != ENVOY_REPLY || !r.handout)
        fail_msg("%s: %s %s", mode, envoy_outcome_name(r.outcome), r.why);
    assert_int_equal(open_copies(NETRIG_PAN), 0);
    assert_int_equal(open_copies("BANKCODE-20417795"), 0);
    assert_int_equal(handout_use(r.handout, HANDOUT_NUMBER, count_while_open, &hits), ERR_OK);
    assert_int_equal(hits, 1); /* the control: the scan does find the one guarded copy */
    envoy_result_fini(&r);
    assert_no_copy(mode);
}

static void a_handout_leaves_nothing(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        enum badserver_framing framing;
    } modes[] = {
        {"whole", BADSERVER_LENGTH}, {"chunked", BADSERVER_CHUNKED}, {"gzip", BADSERVER_GZIP}};
    char cert[] = "/tmp/envoy-cert-XXXXXX";

    close(mkstemp(cert));
    assert_no_copy("before");
    for (size_t i = 0; i < 6; i++) {
        const struct badserver_step step = {.framing = modes[i / 2].framing,
                                            .body = NETRIG_READY(NETRIG_CARD)};
        const struct badserver_options options = {
            .steps = &step, .count = 1, .tls = i % 2, .cert_file = cert};
        struct netrig rig;
        netrig_start(&rig, &options, NULL, i % 2 ? cert : NULL);
        for (int run = 0; run < RUNS; run++)
            one_handout(&rig, modes[i / 2].name);
        assert_int_equal(atomic_load(&rig.server.seen->connections), 1); /* kept all the time */
        netrig_stop(&rig);
    }
    unlink(cert);
}

static void a_reply_that_fails_leaves_nothing(void **state)
{
    (void)state;
    static const struct badserver_step steps[] = {
        {.times = 1, .body = NETRIG_READY("{\"kind\":\"gift_card\",\"card\":" NETRIG_CARD "}")},
        {.times = 1, .body = "{\"data\":{\"payment_details\":" NETRIG_CARD},
        {.times = 1, .body = "{\"data\":{\"payment_details\":" NETRIG_CARD "}}"},
        {.times = 1, .head = "HTTP/1.1 200 OK\r\n", .body = "<p>" NETRIG_CARD},
        {.times = 1, .head = "HTTP/1.1 302 Found\r\n", .body = NETRIG_READY(NETRIG_CARD)},
        {.times = 1,
         .framing = BADSERVER_SHORT,
         .act = BADSERVER_REPLY_CLOSE,
         .body = NETRIG_READY(NETRIG_CARD)},
        {.times = 1, .body = NETRIG_CARD, .repeat = 10000},
    };
    static const enum envoy_outcome expected[] = {
        ENVOY_REPLY,    ENVOY_BAD_JSON, ENVOY_BAD_ENVELOPE, ENVOY_NOT_JSON,
        ENVOY_REDIRECT, ENVOY_CUT,      ENVOY_TOO_LARGE};
    const struct badserver_options options = {.steps = steps, .count = 7};
    struct netrig rig;

    netrig_start(&rig, &options, NULL, NULL);
    for (size_t i = 0; i < options.count; i++) {
        struct envoy_result r = netrig_ask(&rig, STATUS, LONG);
        assert_int_equal(r.outcome, expected[i]);
        assert_null(r.handout);
        envoy_result_fini(&r);
        assert_no_copy(envoy_outcome_name(expected[i]));
    }
    netrig_stop(&rig);
}

/* The body comes up to the card and then stops: with an abort, and with a time-out. */
static void an_aborted_transfer_leaves_nothing(void **state)
{
    (void)state;
    static const char part[] =
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
        "Content-Length: 9000\r\n\r\n{\"data\":{\"payment_details\":" NETRIG_CARD;
    static const struct badserver_step steps[] = {{.framing = BADSERVER_RAW, .body = part}};
    const struct badserver_options options = {.steps = steps, .count = 1};
    struct memscan_needle pan;
    struct netrig rig;

    memscan_set(&pan, NETRIG_PAN);
    netrig_start(&rig, &options, NULL, NULL);
    uint64_t id = netrig_call(&rig, STATUS, "{}", LONG);
    int64_t end_ms = clock_mono_ms() + LONG;
    while (memscan_count(&pan) == 0) /* until it is in the guarded buffer */
        turn(&rig, end_ms);
    envoy_http_abort(rig.client, id);
    struct envoy_result r = netrig_result(&rig, id);
    assert_int_equal(r.outcome, ENVOY_ABORTED);
    envoy_result_fini(&r);
    assert_no_copy("aborted");
    r = netrig_ask(&rig, STATUS, 300);
    assert_int_equal(r.outcome, ENVOY_TIMEOUT);
    envoy_result_fini(&r);
    assert_no_copy("timed out");
    netrig_stop(&rig);
}

/* While a read is held its bearer lies in guarded memory alone. */
static void bearer_of_a_held_read(bool tls)
{
    static const struct badserver_step steps[] = {{.act = BADSERVER_SILENT}};
    char cert[] = "/tmp/envoy-cert-XXXXXX";
    const struct badserver_options options = {
        .steps = steps, .count = 1, .tls = tls, .cert_file = cert};
    struct memscan_needle token;
    struct netrig rig;

    close(mkstemp(cert));
    memscan_set(&token, NETRIG_TOKEN);
    netrig_start(&rig, &options, NULL, tls ? cert : NULL);
    for (unsigned i = 1; i <= 3; i++) {
        netrig_call(&rig, STATUS, "{}", LONG);
        netrig_until(&rig, &rig.server.seen->requests, i);
        envoy_http_run(rig.client);
        scrub_stack();
        assert_int_equal(memscan_count_open(&token), 0);
    }
    envoy_http_free(rig.client);
    assert_int_equal(memscan_count(&token), 0);
    badserver_stop(&rig.server);
    unlink(cert);
}

static void the_bearer_is_in_no_open_memory(void **state)
{
    (void)state;
    bearer_of_a_held_read(false);
    bearer_of_a_held_read(true);
}

/* A one-time answer is gone as soon as it is sent, long before the reply. */
static void answer_on_its_way(bool tls)
{
    static const char text[] = "{\"answer\":\"" ANSWER "\"}";
    static const struct badserver_step steps[] = {{.act = BADSERVER_SILENT}};
    char cert[] = "/tmp/envoy-cert-XXXXXX";
    const struct badserver_options options = {
        .steps = steps, .count = 1, .tls = tls, .cert_file = cert};
    struct secret *body = secret_new(sizeof text);
    struct memscan_needle answer;
    struct netrig rig;
    uint64_t id;

    close(mkstemp(cert));
    memscan_set(&answer, ANSWER);
    assert_int_equal(secret_append(body, text, sizeof text - 1), ERR_OK);
    netrig_start(&rig, &options, NULL, tls ? cert : NULL);
    assert_int_equal(envoy_http_call_secret(rig.client, WRITE, body, LONG, &id), ERR_OK);
    secret_free(body);
    netrig_until(&rig, &rig.server.seen->requests, 1);
    envoy_http_run(rig.client);
    scrub_stack();
    assert_int_equal(memscan_count(&answer), 0);
    assert_int_equal(envoy_http_running(rig.client), 1);
    netrig_stop(&rig);
    unlink(cert);
}

static void a_sent_answer_is_wiped_before_the_reply(void **state)
{
    (void)state;
    answer_on_its_way(false);
    answer_on_its_way(true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_handout_leaves_nothing),
        cmocka_unit_test(a_reply_that_fails_leaves_nothing),
        cmocka_unit_test(an_aborted_transfer_leaves_nothing),
        cmocka_unit_test(the_bearer_is_in_no_open_memory),
        cmocka_unit_test(a_sent_answer_is_wiped_before_the_reply),
    };
    return cmocka_run_group_tests(tests, netrig_prepare, NULL);
}
