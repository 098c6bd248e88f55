/* SPDX-License-Identifier: Apache-2.0 */
/* The command call: which input goes out, in which words another is refused, and what is printed of
 * a handout. Sending is tested by scripts against the simulator. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>
#include "core/jsonscan.h"
#include "plain/call.h"
#include "support/fixture.c"

#define PURCHASE "pur_5b1e9c7a3f2d5a8e9c0b1d2e3f4a5b01"

/* Reads input (or the pipe's text when input is NULL); words: what was said. */
static enum err take(enum contract_tool tool, const char *input, const char *piped, bool read_only,
                     struct secret **body, char **words)
{
    size_t size = 0;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    if (piped)
        assert_int_equal(write(ends[1], piped, strlen(piped)), (ssize_t)strlen(piped));
    close(ends[1]);
    *words = NULL;
    FILE *err = open_memstream(words, &size);
    assert_non_null(err);
    struct plain_call_options o = {.tool = tool,
                                   .input = input,
                                   .input_fd = ends[0],
                                   .read_only = read_only,
                                   .out = stdout,
                                   .err = err};
    enum err e = plain_call_read(&o, body);
    fclose(err);
    close(ends[0]);
    return e;
}

static void expect_body(struct secret *body, const char *want)
{
    const unsigned char *bytes = secret_open(body);
    assert_int_equal(secret_len(body), strlen(want));
    assert_memory_equal(bytes, want, strlen(want));
    secret_close(body);
    secret_free(body);
}

static void a_right_input_is_taken_byte_for_byte(void **state)
{
    static const char json[] = "{ \"limit\" : 5 }";
    struct secret *body = NULL;
    char *words;
    (void)state;
    assert_int_equal(take(CONTRACT_TOOL_LIST_PURCHASES, json, NULL, false, &body, &words), ERR_OK);
    expect_body(body, json);
    assert_string_equal(words, "");
    free(words);
    assert_int_equal(take(CONTRACT_TOOL_LIST_PURCHASES, NULL, json, true, &body, &words), ERR_OK);
    expect_body(body, json);
    free(words);
    /* nothing at all is an empty object */
    assert_int_equal(take(CONTRACT_TOOL_GET_ACCOUNT, NULL, NULL, false, &body, &words), ERR_OK);
    expect_body(body, "{}");
    free(words);
}

static void a_wrong_input_is_told_by_path(void **state)
{
    static const struct {
        enum contract_tool tool;
        const char *json, *words;
    } cases[] = {
        {CONTRACT_TOOL_LIST_PURCHASES, "{\"limit\":99}", "/limit: "},
        {CONTRACT_TOOL_LIST_PURCHASES, "{\"limit\":99}", ", expected "},
        {CONTRACT_TOOL_LIST_PURCHASES, "{\"odd\":1}", "/odd: "},
        {CONTRACT_TOOL_LIST_PURCHASES, "[1]", "nothing was sent"},
        {CONTRACT_TOOL_LIST_PURCHASES, "{\"limit\":5", "nothing was sent"},
        {CONTRACT_TOOL_START_PURCHASE, "{}", "/merchant_url: "},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct secret *body = NULL;
        char *words;
        assert_int_equal(take(cases[i].tool, cases[i].json, NULL, false, &body, &words), ERR_USER);
        assert_null(body);
        if (!strstr(words, cases[i].words))
            fail_msg("%s: %s", cases[i].json, words);
        free(words);
    }
}

static void read_only_refuses_every_write(void **state)
{
    (void)state;
    for (int tool = 0; tool < CONTRACT_TOOL_COUNT; tool++) {
        struct secret *body = NULL;
        char *words;
        bool is_write = contract_is_write((enum contract_tool)tool);
        take((enum contract_tool)tool, NULL, "{}", true, &body, &words);
        assert_int_equal(strstr(words, "--read-only") != NULL, is_write);
        if (is_write)
            assert_null(body);
        secret_free(body);
        free(words);
    }
}

/* Case S6: an answer may be a code, and arguments are seen by all. */
static void S6_answers_come_from_standard_input_alone(void **state)
{
    static const char answer[] =
        "{\"type\":\"answer\",\"purchase\":\"" PURCHASE "\",\"question\":\"q-1\",\"answer\":\"%s\","
        "\"idempotency_key\":\"an-answer-key-0001\"}";
    static const enum contract_tool tools[] = {CONTRACT_TOOL_ANSWER_PURCHASE_QUESTION,
                                               CONTRACT_TOOL_SUBMIT_ANSWER};
    char json[512];
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct secret *body = NULL;
        char *words;
        snprintf(json, sizeof(json), answer, "the blue one");
        assert_int_equal(take(tools[i], json, NULL, false, &body, &words), ERR_USER);
        assert_null(body);
        assert_non_null(strstr(words, "standard input"));
        free(words);
        assert_int_equal(take(tools[i], NULL, json, false, &body, &words), ERR_OK);
        expect_body(body, json);
        free(words);
        /* a card number goes nowhere, and is not repeated */
        snprintf(json, sizeof(json), answer, "6521 5500 0000 0001");
        enum err e = take(tools[i], NULL, json, false, &body, &words);
        assert_int_equal(contract_answer_suspicion("6521 5500 0000 0001"), CONTRACT_CARD_NUMBER);
        assert_int_equal(e, ERR_USER);
        assert_non_null(strstr(words, "looks like a card number"));
        assert_null(strstr(words, "6521"));
        free(words);
    }
}

static void too_much_is_refused(void **state)
{
    char *json = malloc(70000);
    struct secret *body = NULL;
    char *words;
    (void)state;
    memset(json, ' ', 69999);
    json[69999] = '\0';
    assert_int_equal(take(CONTRACT_TOOL_GET_ACCOUNT, json, NULL, false, &body, &words), ERR_USER);
    assert_non_null(strstr(words, "64 KiB"));
    free(words);
    free(json);
}

static void expect_text(const char *json, const char *const *path, const char *want)
{
    struct jsonscan_span span;
    char text[128];
    size_t len;
    if (jsonscan_find(json, strlen(json), path, &span) != ERR_OK)
        fail_msg("no %s in %s", path[2], json);
    assert_int_equal(jsonscan_string(json, span, text, sizeof(text), &len), ERR_OK);
    assert_string_equal(text, want);
}

static char *with_handout(const char *reply, const struct model_purchase *p)
{
    static const char *const whole[] = {"ok", NULL};
    struct jsonscan_span span;
    struct buf out;
    buf_init(&out, 65536);
    assert_int_equal(plain_call_add_handout(reply, p->handout, &out), ERR_OK);
    assert_int_equal(jsonscan_find(out.data, out.len, whole, &span), ERR_OK); /* still JSON */
    return buf_take(&out);
}

static void S6_a_card_is_printed_masked(void **state)
{
    static const char *const replies[] = {"{\"ok\":true,\"data\":null,\"next\":{}}",
                                          "{\"ok\":true,\"data\":{},\"next\":{}}",
                                          "{\"ok\":true,\"data\":{\"more\":1},\"next\":{}}"};
    struct model m;
    (void)state;
    fixture_open(&m, 80, 24);
    struct model_purchase *p =
        fixture_purchase(&m, "Example Store", "x", 249900, CONTRACT_STATE_READY);
    fixture_card(&m, p, fixture_at(14, 30, 0), fixture_at(14, 10, 0));
    for (size_t i = 0; i < 3; i++) {
#define IN(...) ((const char *const[]){"data", "payment_details", __VA_ARGS__, NULL})
        char *json = with_handout(replies[i], p);
        expect_text(json, IN("kind"), "card");
        expect_text(json, IN("card", "number"), "•••• •••• •••• 4242");
        expect_text(json, IN("card", "expiry"), "••/••");
        expect_text(json, IN("card", "cvv"), "•••");
        expect_text(json, IN("checkout_code"), "••••••");
        expect_text(json, IN("checkout_attempt_id"), "11111111-2222-4333-8444-555555555555");
        assert_null(strstr(json, "652155"));
        assert_null(strstr(json, "737"));
        assert_null(strstr(json, "481516"));
        assert_null(strstr(json, "2029"));
        assert_non_null(strstr(json, "\"next\":{}}"));
        assert_int_equal(strstr(json, "\"more\":1") != NULL, i == 2);
        alloc_free(json);
    }
    fixture_close(&m);
}

static void S6_a_voucher_is_printed_masked(void **state)
{
    struct model m;
    (void)state;
    fixture_open(&m, 80, 24);
    struct model_purchase *p =
        fixture_purchase(&m, "Fresh Grocer", "x", 120000, CONTRACT_STATE_READY);
    fixture_voucher(&m, p);
    char *json = with_handout("{\"ok\":true,\"data\":null}", p);
    expect_text(json, IN("kind"), "gift_card");
    expect_text(json, IN("voucher", "brand"), "Fresh Grocer");
    expect_text(json, IN("voucher", "code"), "••••••••");
    assert_null(strstr(json, "SYNTH"));
    assert_null(strstr(json, "9913")); /* of a voucher not even the last four */
    assert_null(strstr(json, "271828"));
    alloc_free(json);
    fixture_close(&m);
}

static int open_guard(void **state)
{
    bool locked;
    (void)state;
    return secret_init(&locked) == ERR_OK ? 0 : -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_right_input_is_taken_byte_for_byte),
        cmocka_unit_test(a_wrong_input_is_told_by_path),
        cmocka_unit_test(read_only_refuses_every_write),
        cmocka_unit_test(S6_answers_come_from_standard_input_alone),
        cmocka_unit_test(too_much_is_refused),
        cmocka_unit_test(S6_a_card_is_printed_masked),
        cmocka_unit_test(S6_a_voucher_is_printed_masked),
    };
    return cmocka_run_group_tests(tests, open_guard, NULL);
}
