/* SPDX-License-Identifier: Apache-2.0 */
/* Cutting a handout out of a reply: every shape, what is refused, and that neither the body nor any
 * other memory keeps a byte of it. Numbers are synthetic. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "core/alloc.h"
#include "core/clock.h"
#include "core/jsonscan.h"
#include "core/scrub.h"
#include "secret/handout.h"
#include "support/memscan.c"

#define PAN     "6070123456784242"
#define CVV     "731"
#define LIMIT   "\"amount_limit\":{\"minor\":254900,\"currency\":\"INR\",\"display\":\"₹2,549.00\"}"
#define NUMBERS "\"number\":\"" PAN "\",\"expiry_month\":\"09\",\"expiry_year\":\"2031\","
#define CARD    "\"card\":{" NUMBERS "\"cvv\":\"" CVV "\",\"network\":\"rupay\"}"
#define VALUE   "\"value\":{\"minor\":100000,\"currency\":\"INR\",\"display\":\"₹1,000.00\"}"
#define V_CODE  "GC-9f31-7742-XYZQ"
#define V_REST  "\"redemption_instructions\":\"Enter it\",\"valid_until\":null"
#define VOUCHER                                                                                    \
    "\"voucher\":{\"brand\":\"Shop\",\"code\":\"" V_CODE "\",\"pin\":\"884211\"," VALUE "," V_REST \
    "}"
#define IS_CARD     "\"kind\":\"card\","
#define IS_VOUCHER  "\"kind\":\"gift_card\","
#define FULL_CARD   "{" IS_CARD CARD "," LIMIT "}"
#define BODY(value) "{\"ok\":true,\"data\":{\"payment_details\":" value "},\"next\":{\"x\":[1]}}"

static const char *const details_path[] = {"data", "payment_details", NULL};

static struct secret *body_of(const char *text)
{
    struct secret *body = secret_new(strlen(text) + 1);

    assert_non_null(body);
    assert_int_equal(secret_append(body, text, strlen(text)), ERR_OK);
    return body;
}

static bool body_has(struct secret *body, const char *piece)
{
    const char *text = (const char *)secret_open(body);
    bool found = memmem(text, secret_len(body), piece, strlen(piece));

    secret_close(body);
    return found;
}

static enum err extract(const char *text, struct handout **h)
{
    struct secret *body = body_of(text);
    enum err e = handout_extract(body, h);

    secret_free(body);
    return e;
}

struct expected {
    const char *text;
    unsigned calls;
};

static void compare(void *ctx, const unsigned char *bytes, size_t len)
{
    struct expected *want = ctx;

    want->calls++;
    assert_int_equal(len, strlen(want->text));
    assert_memory_equal(bytes, want->text, len);
}

static void assert_field(struct handout *h, enum handout_field field, const char *text)
{
    struct expected want = {text, 0};

    if (!text) {
        assert_false(handout_has(h, field));
        assert_int_equal(handout_use(h, field, compare, &want), ERR_USER);
        assert_int_equal(want.calls, 0);
        return;
    }
    assert_true(handout_has(h, field));
    assert_int_equal(handout_field_len(h, field), strlen(text));
    assert_int_equal(handout_use(h, field, compare, &want), ERR_OK);
    assert_int_equal(want.calls, 1);
}

static void card_in_full(void **state)
{
    (void)state;
    struct handout *h = NULL;

    assert_int_equal(extract(BODY("{" IS_CARD CARD "," LIMIT
                                  ",\"checkout_code\":\"409182\",\"checkout_code_expires_at\":"
                                  "\"2026-09-29T12:05:00Z\",\"checkout_attempt_id\":"
                                  "\"0b5f0c1e-6a55-4a8e-9f0e-2f6f3f4f5f6f\",\"expires_at\":"
                                  "\"2026-09-29T12:15:00+05:30\",\"new_field\":[{}]}"),
                             &h),
                     ERR_OK);
    const struct handout_facts *facts = handout_facts_view(h);
    assert_int_equal(facts->kind, HANDOUT_CARD);
    assert_string_equal(facts->network, "rupay");
    assert_string_equal(facts->last4, "4242");
    assert_string_equal(facts->checkout_attempt_id, "0b5f0c1e-6a55-4a8e-9f0e-2f6f3f4f5f6f");
    assert_int_equal(facts->amount_limit_minor, 254900);
    assert_string_equal(facts->amount_limit_display, "₹2,549.00");
    assert_int_equal(facts->code_expires_at_ms - facts->expires_at_ms,
                     (int64_t)(5 * 60 + 5 * 3600 + 15 * 60) * 1000);
    assert_int_equal(facts->valid_until_ms, CLOCK_NONE);
    assert_field(h, HANDOUT_NUMBER, PAN);
    assert_field(h, HANDOUT_EXPIRY, "09/31");
    assert_field(h, HANDOUT_CVV, CVV);
    assert_field(h, HANDOUT_CODE, "409182");
    assert_field(h, HANDOUT_VOUCHER_CODE, NULL);
    assert_field(h, HANDOUT_VOUCHER_PIN, NULL);
    handout_free(h);
}

static void card_with_the_least(void **state)
{
    (void)state;
    struct handout *h = NULL;

    assert_int_equal(extract(BODY("{" IS_CARD "\"checkout_code\":null,\"expires_at\":null,"
                                  "\"voucher\":null," CARD "," LIMIT "}"),
                             &h),
                     ERR_OK);
    assert_string_equal(handout_facts_view(h)->checkout_attempt_id, "");
    assert_int_equal(handout_facts_view(h)->expires_at_ms, CLOCK_NONE);
    assert_int_equal(handout_facts_view(h)->code_expires_at_ms, CLOCK_NONE);
    assert_field(h, HANDOUT_CODE, NULL);
    handout_free(h);
}

static void voucher_in_full(void **state)
{
    (void)state;
    struct handout *h = NULL;

    assert_int_equal(
        extract(BODY("{" IS_VOUCHER LIMIT
                     ",\"voucher\":{\"brand\":\"Sh\\u202eop\",\"code\":\"A B-1\","
                     "\"pin\":\"\\u0030042\"," VALUE ",\"redemption_url\":\"https://x.test/r?a=1\","
                     "\"redemption_instructions\":\"One\\nTwo\",\"valid_until\":"
                     "\"2027-01-01T00:00:00Z\"}}"),
                &h),
        ERR_OK);
    const struct handout_facts *facts = handout_facts_view(h);
    assert_int_equal(facts->kind, HANDOUT_VOUCHER);
    assert_string_equal(facts->brand, "Sh<U+202E>op");
    assert_string_equal(facts->last4, "");
    assert_int_equal(facts->value_minor, 100000);
    assert_string_equal(facts->value_display, "₹1,000.00");
    assert_string_equal(facts->redemption_url, "https://x.test/r?a=1");
    assert_null(strchr(facts->redemption, '\n'));
    assert_int_not_equal(facts->valid_until_ms, CLOCK_NONE);
    assert_field(h, HANDOUT_VOUCHER_CODE, "A B-1");
    assert_field(h, HANDOUT_VOUCHER_PIN, "0042");
    assert_field(h, HANDOUT_NUMBER, NULL);
    handout_free(h);
}

static void odd_voucher_links_are_dropped(void **state)
{
    (void)state;
    static const char *const links[] = {"\"http://x.test\"", "\"https://x.test/a b\"",
                                        "\"https://x.test/\\u202e\"", "\"javascript:1\"", "7"};
    for (size_t i = 0; i < sizeof links / sizeof links[0]; i++) {
        struct handout *h = NULL;
        char text[1024];
        snprintf(text, sizeof text,
                 BODY("{" IS_VOUCHER LIMIT ",\"voucher\":{\"brand\":\"S\",\"code\":\"c\"," VALUE
                      ",\"redemption_url\":%s," V_REST "}}"),
                 links[i]);
        assert_int_equal(extract(text, &h), ERR_OK);
        assert_string_equal(handout_facts_view(h)->redemption_url, "");
        handout_free(h);
    }
}

static void limits_on_both_sides(void **state)
{
    (void)state;
    static const struct {
        const char *number, *month, *year, *cvv, *expiry; /* expiry NULL: refused */
    } rows[] = {
        {"607012345678", "1", "31", "123", "01/31"},
        {"6070123456784242424", "12", "2031", "1234", "12/31"},
        {"\\u0036070123456784242", "1\\u0032", "\\u00331", "\\u003723", "12/31"},
        {"60701234567", "1", "31", "123", NULL},
        {"60701234567842424242", "1", "31", "123", NULL},
        {"6070 1234 5678 4242", "1", "31", "123", NULL},
        {"6070123456784242 ", "1", "31", "123", NULL},
        {"6070123456784242\\n", "1", "31", "123", NULL},
        {"607012345678424x", "1", "31", "123", NULL},
        {"607012345678٤٢٤٢", "1", "31", "123", NULL},
        {PAN, "0", "31", "123", NULL},
        {PAN, "00", "31", "123", NULL},
        {PAN, "13", "31", "123", NULL},
        {PAN, "20", "31", "123", NULL},
        {PAN, "", "31", "123", NULL},
        {PAN, "001", "31", "123", NULL},
        {PAN, " 1", "31", "123", NULL},
        {PAN, "1", "", "123", NULL},
        {PAN, "1", "1", "123", NULL},
        {PAN, "1", "031", "123", NULL},
        {PAN, "1", "20310", "123", NULL},
        {PAN, "1", "3x", "123", NULL},
        {PAN, "1", "31", "12", NULL},
        {PAN, "1", "31", "12345", NULL},
        {PAN, "1", "31", "1 3", NULL},
        {PAN, "1", "31", "", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct handout *h = NULL;
        char text[1024];
        snprintf(text, sizeof text,
                 BODY("{" IS_CARD LIMIT ",\"card\":{\"number\":\"%s\",\"expiry_month\":\"%s\","
                      "\"expiry_year\":\"%s\",\"cvv\":\"%s\",\"network\":\"rupay\"}}"),
                 rows[i].number, rows[i].month, rows[i].year, rows[i].cvv);
        assert_int_equal(extract(text, &h), rows[i].expiry ? ERR_OK : ERR_FORMAT);
        if (rows[i].expiry)
            assert_field(h, HANDOUT_EXPIRY, rows[i].expiry);
        else
            assert_null(h);
        handout_free(h);
    }
}

static void code_of_length(char *text, size_t size, const char *field, size_t len)
{
    char code[200];

    memset(code, 'k', len);
    code[len] = '\0';
    if (strcmp(field, "checkout_code") == 0)
        snprintf(text, size, BODY("{" IS_CARD CARD "," LIMIT ",\"checkout_code\":\"%s\"}"), code);
    else
        snprintf(text, size,
                 BODY("{" IS_VOUCHER LIMIT ",\"voucher\":{\"brand\":\"S\",\"code\":\"%s\","
                      "\"pin\":\"%s\"," VALUE "," V_REST "}}"),
                 code, code);
}

static void codes_are_bounded(void **state)
{
    (void)state;
    static const struct {
        const char *field;
        size_t len;
        enum err e;
    } rows[] = {{"checkout_code", 0, ERR_FORMAT}, {"checkout_code", 1, ERR_OK},
                {"checkout_code", 64, ERR_OK},    {"checkout_code", 65, ERR_FORMAT},
                {"voucher", 0, ERR_FORMAT},       {"voucher", 1, ERR_OK},
                {"voucher", 128, ERR_OK},         {"voucher", 129, ERR_FORMAT}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct handout *h = NULL;
        char text[1024];
        code_of_length(text, sizeof text, rows[i].field, rows[i].len);
        assert_int_equal(extract(text, &h), rows[i].e);
        handout_free(h);
    }
}

static void malformed_details_are_wiped_all_the_same(void **state)
{
    (void)state;
    static const char *const bodies[] = {
        BODY("{" CARD "," LIMIT "}"),
        BODY("{\"kind\":\"token\"," CARD "," LIMIT "}"),
        BODY("{\"kind\":7," CARD "," LIMIT "}"),
        BODY("{" IS_VOUCHER CARD "," LIMIT "}"),
        BODY("{" IS_CARD VOUCHER "," LIMIT "}"),
        BODY("{" IS_CARD CARD "," VOUCHER "," LIMIT "}"),
        BODY("{" IS_VOUCHER CARD "," VOUCHER "," LIMIT "}"),
        BODY("{" IS_CARD CARD "}"),
        BODY("{" IS_CARD CARD ",\"amount_limit\":null}"),
        BODY("{" IS_CARD CARD
             ",\"amount_limit\":{\"minor\":-1,\"currency\":\"INR\",\"display\":\"x\"}}"),
        BODY("{" IS_CARD CARD
             ",\"amount_limit\":{\"minor\":1.5,\"currency\":\"INR\",\"display\":\"x\"}}"),
        BODY("{" IS_CARD CARD ",\"amount_limit\":{\"minor\":1234567890123456,\"currency\":\"INR\","
                              "\"display\":\"x\"}}"),
        BODY("{" IS_CARD CARD
             ",\"amount_limit\":{\"minor\":1,\"currency\":\"USD\",\"display\":\"x\"}}"),
        BODY("{" IS_CARD CARD
             ",\"amount_limit\":{\"minor\":1,\"currency\":\"INRX\",\"display\":\"x\"}}"),
        BODY("{" IS_CARD CARD "," LIMIT ",\"checkout_attempt_id\":\"7\"}"),
        BODY("{" IS_CARD CARD "," LIMIT ",\"expires_at\":\"soon\"}"),
        BODY("{" IS_CARD CARD "," LIMIT ",\"checkout_code\":409182}"),
        BODY("{" IS_CARD CARD "," LIMIT ",\"checkout_code\":\"4091 82\"}"),
        BODY("{" IS_CARD CARD "," LIMIT ",\"checkout_code\":\"\\u001b[2J\"}"),
        BODY("{" IS_CARD "\"card\":{" NUMBERS "\"network\":\"rupay\"}," LIMIT "}"),
        BODY("{" IS_CARD "\"card\":{" NUMBERS "\"cvv\":\"731\"}," LIMIT "}"),
        BODY("{" IS_CARD "\"card\":\"" PAN "\"," LIMIT "}"),
        BODY("{" IS_CARD "\"card\":[" PAN "]," LIMIT "}"),
        BODY("\"" PAN "\""),
        BODY(PAN),
        BODY("[" FULL_CARD "]"),
        BODY("true"),
        BODY("{}"),
        BODY("731"),
    };
    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
        struct handout *h = NULL;
        struct jsonscan_span span;
        struct secret *body = body_of(bodies[i]);

        assert_int_equal(handout_extract(body, &h), ERR_FORMAT);
        assert_null(h);
        assert_false(body_has(body, "6070"));
        assert_false(body_has(body, CVV));
        assert_false(body_has(body, V_CODE));
        assert_true(body_has(body, "\"next\":{\"x\":[1]}}"));
        assert_int_equal(secret_len(body), strlen(bodies[i]));
        assert_int_equal(
            jsonscan_find((const char *)secret_open(body), secret_len(body), details_path, &span),
            ERR_OK);
        secret_close(body);
        secret_free(body);
    }
}

static void the_rest_stays_json_of_the_same_length(void **state)
{
    (void)state;
    static const char before[] = BODY(FULL_CARD);
    struct secret *body = body_of(before);
    struct handout *h = NULL;
    struct jsonscan_span span;

    assert_int_equal(handout_extract(body, &h), ERR_OK);
    assert_non_null(h);
    assert_int_equal(secret_len(body), sizeof before - 1);
    const char *text = (const char *)secret_open(body);
    assert_int_equal(jsonscan_find(text, secret_len(body), details_path, &span), ERR_OK);
    assert_int_equal(span.len, 4);
    assert_memory_equal(text + span.start, "null", 4);
    for (size_t i = span.start + 4; i < span.start + sizeof FULL_CARD - 1; i++)
        assert_int_equal(text[i], ' ');
    secret_close(body);
    handout_free(h);
    /* A second look finds nothing. */
    h = NULL;
    assert_int_equal(handout_extract(body, &h), ERR_OK);
    assert_null(h);
    secret_free(body);
}

static void no_details_no_handout(void **state)
{
    (void)state;
    static const char *const bodies[] = {
        "{}",
        "[]",
        "7",
        "{\"data\":null}",
        "{\"data\":{}}",
        "{\"data\":[]}",
        BODY("null"),
        "{\"payment_details\":{\"kind\":\"card\"}}",
    };
    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
        struct handout *h = NULL;
        struct secret *body = body_of(bodies[i]);
        assert_int_equal(handout_extract(body, &h), ERR_OK);
        assert_null(h);
        assert_true(body_has(body, bodies[i]));
        secret_free(body);
    }
}

static void twins_are_all_wiped_and_the_last_one_counts(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum err e;
        bool found;
    } rows[] = {
        {"{\"data\":{\"payment_details\":{\"number\":\"" PAN "\"},\"payment_details\":" FULL_CARD
         "}}",
         ERR_OK, true},
        {"{\"data\":{\"payment_details\":" FULL_CARD ",\"p\\u0061yment_details\":\"" PAN "\"}}",
         ERR_FORMAT, false},
        {"{\"data\":{\"payment_details\":" FULL_CARD "},\"data\":{\"payment_details\":null}}",
         ERR_OK, false},
        {"{\"data\":{\"payment_details\":" FULL_CARD
         "},\"d\\u0061ta\":{\"payment_details\":" FULL_CARD "}}",
         ERR_OK, true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct handout *h = NULL;
        struct secret *body = body_of(rows[i].text);
        assert_int_equal(handout_extract(body, &h), rows[i].e);
        assert_int_equal(h != NULL, rows[i].found);
        assert_false(body_has(body, "6070"));
        handout_free(h);
        secret_free(body);
    }
}

/* A body that is cut anywhere gives no handout, and says that nothing may be parsed. */
static void a_cut_body_is_no_json(void **state)
{
    (void)state;
    static const char whole[] = BODY(FULL_CARD);

    for (size_t len = 0; len < sizeof whole - 1; len++) {
        struct secret *body = secret_new(sizeof whole);
        struct handout *h = NULL;
        assert_int_equal(secret_append(body, whole, len), ERR_OK);
        assert_int_equal(handout_extract(body, &h), ERR_NETWORK);
        assert_null(h);
        secret_free(body);
    }
    struct handout *h = NULL;
    assert_int_equal(extract(BODY(FULL_CARD) "x", &h), ERR_NETWORK);
    assert_int_equal(extract("<html>" PAN "</html>", &h), ERR_NETWORK);
    assert_null(h);
}

static void masks_never_tell_lengths(void **state)
{
    (void)state;
    static const struct {
        const char *body;
        enum handout_field field;
        const char *mask, *ascii;
    } rows[] = {
        {BODY(FULL_CARD), HANDOUT_NUMBER, "•••• •••• •••• 4242", "**** **** **** 4242"},
        {BODY("{" IS_CARD LIMIT ",\"card\":{\"number\":\"607012344242\",\"expiry_month\":\"1\","
              "\"expiry_year\":\"31\",\"cvv\":\"1234\",\"network\":\"rupay\"}}"),
         HANDOUT_NUMBER, "•••• •••• •••• 4242", "**** **** **** 4242"},
        {BODY(FULL_CARD), HANDOUT_EXPIRY, "••/••", "**/**"},
        {BODY(FULL_CARD), HANDOUT_CVV, "•••", "***"},
        {BODY(FULL_CARD), HANDOUT_CODE, "", ""},
        {BODY("{" IS_CARD CARD "," LIMIT ",\"checkout_code\":\"1\"}"), HANDOUT_CODE, "••••••",
         "******"},
        {BODY("{" IS_VOUCHER VOUCHER "," LIMIT "}"), HANDOUT_VOUCHER_CODE, "••••••••", "********"},
        {BODY("{" IS_VOUCHER VOUCHER "," LIMIT "}"), HANDOUT_VOUCHER_PIN, "••••••••", "********"},
        {BODY("{" IS_VOUCHER VOUCHER "," LIMIT "}"), HANDOUT_NUMBER, "", ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct handout *h = NULL;
        char mask[64] = "x";
        assert_int_equal(extract(rows[i].body, &h), ERR_OK);
        handout_mask(h, rows[i].field, false, mask, sizeof mask);
        assert_string_equal(mask, rows[i].mask);
        handout_mask(h, rows[i].field, true, mask, sizeof mask);
        assert_string_equal(mask, rows[i].ascii);
        handout_mask(h, rows[i].field, true, mask, 3);
        assert_true(strlen(mask) <= 2);
        handout_free(h);
    }
}

static void count_while_open(void *ctx, const unsigned char *bytes, size_t len)
{
    struct memscan_needle needle;
    size_t *hits = ctx;

    (void)bytes;
    (void)len;
    memscan_set(&needle, PAN);
    *hits = memscan_count(&needle);
}

static void memory_holds_one_guarded_copy_and_then_none(void **state)
{
    (void)state;
    struct memscan_needle pan, code, window;
    struct handout *h = NULL;
    size_t hits = 0;

    memscan_set(&pan, PAN);
    memscan_set(&code, V_CODE);
    memscan_set(&window, "12345678"); /* eight digits from the middle of the number */
    scrub_stack();
    assert_int_equal(memscan_count(&pan), 0);
    assert_int_equal(extract(BODY(FULL_CARD), &h), ERR_OK);
    scrub_stack();
    assert_int_equal(handout_use(h, HANDOUT_NUMBER, count_while_open, &hits), ERR_OK);
    assert_int_equal(hits, 1);
    handout_free(h);
    assert_int_equal(memscan_count(&pan), 0);
    assert_int_equal(memscan_count(&window), 0);

    h = NULL;
    assert_int_equal(extract(BODY("{" IS_VOUCHER VOUCHER "," LIMIT "}"), &h), ERR_OK);
    handout_free(h);
    h = NULL;
    assert_int_equal(extract(BODY("{" IS_CARD VOUCHER "," LIMIT "," CARD "}"), &h), ERR_FORMAT);
    assert_int_equal(extract("{\"data\":{\"payment_details\":" FULL_CARD, &h), ERR_NETWORK);
    scrub_stack();
    assert_int_equal(memscan_count(&pan), 0);
    assert_int_equal(memscan_count(&code), 0);
    assert_int_equal(memscan_count(&window), 0);

    /* The control: a careless copy is found. */
    char *careless = malloc(64);
    assert_non_null(careless);
    memcpy(careless + 24, PAN, sizeof PAN);
    assert_int_equal(memscan_count(&pan), 1);
    explicit_bzero(careless, 64);
    free(careless);
}

static void a_failed_allocation_wipes_too(void **state)
{
    (void)state;
    enum err e = ERR_MEMORY;

    for (unsigned long nth = 1; e == ERR_MEMORY && nth < 100; nth++) {
        struct secret *body = body_of(BODY(FULL_CARD));
        struct handout *h = NULL;
        alloc_fail_nth(nth);
        e = handout_extract(body, &h);
        alloc_fail_nth(0);
        assert_int_equal(h != NULL, e == ERR_OK);
        assert_false(body_has(body, "6070"));
        handout_free(h);
        secret_free(body);
        assert_true(nth > 1 || e == ERR_MEMORY);
    }
    assert_int_equal(e, ERR_OK);
}

static int prepare(void **state)
{
    bool mlock_ok;

    (void)state;
    setenv("ENVOY_CONSOLE_ALLOW_INSPECT", "1", 1);
    return secret_init(&mlock_ok) == ERR_OK ? 0 : -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_holds_one_guarded_copy_and_then_none),
        cmocka_unit_test(card_in_full),
        cmocka_unit_test(card_with_the_least),
        cmocka_unit_test(voucher_in_full),
        cmocka_unit_test(odd_voucher_links_are_dropped),
        cmocka_unit_test(limits_on_both_sides),
        cmocka_unit_test(codes_are_bounded),
        cmocka_unit_test(malformed_details_are_wiped_all_the_same),
        cmocka_unit_test(the_rest_stays_json_of_the_same_length),
        cmocka_unit_test(no_details_no_handout),
        cmocka_unit_test(twins_are_all_wiped_and_the_last_one_counts),
        cmocka_unit_test(a_cut_body_is_no_json),
        cmocka_unit_test(masks_never_tell_lengths),
        cmocka_unit_test(a_failed_allocation_wipes_too),
    };
    return cmocka_run_group_tests(tests, prepare, NULL);
}
