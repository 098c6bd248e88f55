/* SPDX-License-Identifier: Apache-2.0 */
/* The input schemas as a table: values on both sides of each bound, pattern and list for every
 * field of every tool, unknown and missing fields, and the rules that pages state in words. */
#include "unit/contract/fixtures.h"
#include "core/buf.h"

#define START   CONTRACT_TOOL_START_PURCHASE
#define ANSWER  CONTRACT_TOOL_ANSWER_PURCHASE_QUESTION
#define REPORT  CONTRACT_TOOL_REPORT_CHECKOUT_RESULT
#define STEP    CONTRACT_TOOL_REPORT_CHECKOUT_STEP
#define STATUS  CONTRACT_TOOL_GET_PURCHASE_STATUS
#define CANCEL  CONTRACT_TOOL_CANCEL_PURCHASE
#define ACCOUNT CONTRACT_TOOL_GET_ACCOUNT
#define LISTED  CONTRACT_TOOL_LIST_PURCHASES
#define HISTORY CONTRACT_TOOL_LIST_TRANSACTIONS
#define SEARCH  CONTRACT_TOOL_SEARCH_PRODUCTS

/* The published request of every tool. */
static const char *const requests[CONTRACT_TOOL_COUNT] = {
    [ACCOUNT] = "{}",
    [HISTORY] = "{\"limit\":10}",
    [LISTED] = "{\"limit\":5}",
    [START] = "{\"idempotency_key\":\"" FX_KEY "\",\"merchant_url\":\"https://shop.example.test\","
              "\"merchant_logo\":\"https://shop.example.test/logo.png\",\"total\":\"2499.00\","
              "\"items\":[{\"name\":\"Headphones\",\"image\":"
              "\"https://shop.example.test/headphones.jpg\"}],\"user_request\":\"Buy the "
              "headphones\"}",
    [STATUS] = "{\"purchase\":\"" FX_KEY "\"}",
    [ANSWER] = "{\"type\":\"answer\",\"purchase\":\"" FX_KEY "\",\"question\":"
               "\"synthetic-question-0001\",\"answer\":\"Buy the in-stock model instead.\","
               "\"idempotency_key\":\"synthetic-answer-0001\"}",
    [CONTRACT_TOOL_SUBMIT_ANSWER] =
        "{\"type\":\"answer\",\"purchase\":\"" FX_KEY "\",\"question\":\"synthetic-question-0001\","
        "\"answer\":\"Buy it.\",\"idempotency_key\":\"synthetic-answer-0001\"}",
    [REPORT] = "{\"purchase\":\"" FX_KEY "\",\"outcome\":\"failed\",\"failure_reason\":\"other\"}",
    [STEP] = "{\"purchase\":\"" FX_KEY "\",\"step\":\"payment_page_reached\"}",
    [CANCEL] = "{\"purchase\":\"" FX_KEY "\"}",
    [CONTRACT_TOOL_LIST_GIFT_CARD_MERCHANTS] = "{}",
    [CONTRACT_TOOL_GET_MERCHANTS] = "{}",
    [SEARCH] = "{\"query\":\"whey protein 1kg\",\"quantity\":2}",
};

static enum err check(enum contract_tool tool, const char *json, struct contract_problems *p)
{
    enum err e = contract_check_input(tool, json, strlen(json), p);
    assert_true(e == ERR_OK ? p->count == 0 : e == ERR_USER && p->count > 0);
    return e;
}

static enum err check_with(enum contract_tool tool, const char *path, const char *value,
                           struct contract_problems *p)
{
    char *changed = fx_set(requests[tool], path, value);
    enum err e = check(tool, changed, p);
    alloc_free(changed);
    return e;
}

static void every_published_request_passes(void **state)
{
    (void)state;
    struct contract_problems p;
    for (int i = 0; i < CONTRACT_TOOL_COUNT; i++)
        assert_int_equal(check((enum contract_tool)i, requests[i], &p), ERR_OK);
}

static void required_fields_are_missed(void **state)
{
    (void)state;
    static const struct {
        enum contract_tool tool;
        const char *field;
    } facts[] = {
        {START, "idempotency_key"}, {START, "merchant_url"}, {START, "total"},
        {START, "items"},           {START, "user_request"}, {START, "items.0.name"},
        {ANSWER, "type"},           {ANSWER, "answer"},      {ANSWER, "idempotency_key"},
        {REPORT, "purchase"},       {REPORT, "outcome"},     {REPORT, "failure_reason"},
        {STEP, "purchase"},         {STEP, "step"},          {CANCEL, "purchase"},
        {SEARCH, "query"},
    };
    for (size_t i = 0; i < FX_COUNT(facts); i++) {
        struct contract_problems p;
        char pointer[64] = "/";
        assert_int_equal(check_with(facts[i].tool, facts[i].field, NULL, &p), ERR_USER);
        assert_int_equal(p.count, 1);
        snprintf(pointer + 1, sizeof pointer - 1, "%s", facts[i].field);
        for (char *s = pointer; *s; s++)
            *s = *s == '.' ? '/' : *s;
        assert_string_equal(p.fields[0].path, pointer);
        assert_string_equal(p.fields[0].problem, "is missing");
        assert_true(p.fields[0].expected[0] != '\0');
    }
}

#define TEN          "abcdefghij"
#define FIFTY        TEN TEN TEN TEN TEN
#define A200         FIFTY FIFTY FIFTY FIFTY
#define A64          FIFTY TEN "abcd"
#define A128         A64 A64
#define A300         A200 FIFTY FIFTY
#define A500         A200 A300
#define A800         A500 A300
#define A2000        A500 A500 A500 A500
#define HEX31        "0123456789abcdef0123456789abcde"
#define NAMED(extra) "[{\"name\":\"Headphones\"," extra "}]"
#define PIN_ADDRESS  "Asha, 98765 43210, 12 MG Road, Bengaluru 560001"

struct bound {
    enum contract_tool tool;
    const char *path;
    const char *value;
    bool good;
};

static const struct bound bounds[] = {
    {START, "idempotency_key", "\"abcdefghij-_3456\"", true},
    {START, "idempotency_key", "\"abcdefghij-_345\"", false},
    {START, "idempotency_key", "\"" A64 "\"", true},
    {START, "idempotency_key", "\"" A64 "a\"", false},
    {START, "idempotency_key", "\"pur_" HEX31 "0\"", false},
    {START, "idempotency_key", "\"pur_abcdefghijklm\"", false},
    {START, "idempotency_key", "\"purabcdefghijklmn\"", true},
    {START, "idempotency_key", "\"abcdefghij.123456\"", false},
    {START, "idempotency_key", "1234567890123456", false},
    {START, "idempotency_key", "null", false},
    {START, "merchant_url", "\"shop.example.test\"", true},
    {START, "merchant_url", "\"http://shop.example.test/a?b#c\"", true},
    {START, "merchant_url", "\"HTTPS://shop.example.test\"", true},
    {START, "merchant_url", "\"a.b\"", true},
    {START, "merchant_url", "\"ab\"", false},
    {START, "merchant_url", "\".b\"", false},
    {START, "merchant_url", "\"a.\"", false},
    {START, "merchant_url", "\"https://shop\"", false},
    {START, "merchant_url", "\"https://shop/a.b\"", false},
    {START, "merchant_url", "\"https://shop.example.test:8443/\"", false},
    {START, "merchant_url", "\"https://user@shop.example.test\"", false},
    {START, "merchant_url", "\"https://shop.example.test/a b\"", false},
    {START, "merchant_url", "\"https://shop.example.test/a\\u00a0b\"", false},
    {START, "merchant_url", "\"https://shop.example.test/\\n\"", false},
    {START, "merchant_url", "\"https://shop.example.test/a@b:c\"", true},
    {START, "merchant_url", "\"ftp://shop.example.test\"", false},
    {START, "merchant_url", "\"\"", false},
    {START, "merchant_logo", "\"shop\"", false},
    {START, "total", "\"1\"", true},
    {START, "total", "\"1.5\"", true},
    {START, "total", "\"1.55\"", true},
    {START, "total", "\"1.555\"", false},
    {START, "total", "\"1.\"", false},
    {START, "total", "\".5\"", false},
    {START, "total", "\"-1\"", false},
    {START, "total", "\"1e3\"", false},
    {START, "total", "\"\"", false},
    {START, "total", "\" 1\"", false},
    {START, "total", "\"₹2,499.00\"", true},
    {START, "total", "\"24,99\"", false},
    {START, "total", "2499", true},
    {START, "total", "2499.5", true},
    {START, "total", "-1", false},
    {START, "total", "true", false},
    {START, "total", "\"12345678901234567890\"", true},
    {START, "total", "\"123456789012345678901\"", false},
    {START, "max_total", "\"2499.00\"", true},
    {START, "max_total", "\"2498.99\"", false},
    {START, "max_total", "\"much\"", false},
    {START, "items", "[]", false},
    {START, "items", "{}", false},
    {START, "items", "[5]", false},
    {START, "items.0.name", "\"\"", false},
    {START, "items.0.name", "\"a\"", true},
    {START, "items.0.name", "\"" A200 "\"", true},
    {START, "items.0.name", "\"" A200 "a\"", false},
    {START, "items", NAMED("\"quantity\":1"), true},
    {START, "items", NAMED("\"quantity\":0"), false},
    {START, "items", NAMED("\"quantity\":99"), true},
    {START, "items", NAMED("\"quantity\":100"), false},
    {START, "items", NAMED("\"quantity\":\"99\""), true},
    {START, "items", NAMED("\"quantity\":\"100\""), false},
    {START, "items", NAMED("\"quantity\":\"two\""), false},
    {START, "items", NAMED("\"quantity\":1.5"), false},
    {START, "items", NAMED("\"url\":\"shop.example.test/p\""), true},
    {START, "items", NAMED("\"url\":\"shop\""), false},
    {START, "items", NAMED("\"image\":\"shop\""), false},
    {START, "items", NAMED("\"product_id\":\"" FX_OFFER "\""), true},
    {START, "items", NAMED("\"product_id\":\"ofr_" HEX31 "\""), false},
    {START, "items", NAMED("\"product_id\":\"ofr_" HEX31 "F\""), false},
    {START, "items", NAMED("\"price\":\"about 5\""), true},
    {START, "items", NAMED("\"price\":5"), false},
    {START, "items", NAMED("\"price\":\"0.00\""), false},
    {START, "items", NAMED("\"price\":\"0.01\""), true},
    {START, "items", NAMED("\"colour\":\"red\""), false},
    {START, "items", "[{\"name\":\"a\",\"product_id\":\"" FX_OFFER "\"},{\"name\":\"b\"}]", false},
    {START, "items",
     "[{\"name\":\"a\",\"product_id\":\"" FX_OFFER "\"},{\"name\":\"b\",\"product_id\":\"" FX_OFFER
     "\"}]",
     true},
    {START, "user_request", "\"\"", false},
    {START, "user_request", "\"" A300 "\"", true},
    {START, "user_request", "\"" A300 "a\"", false},
    {START, "user_request", "\"a\\u0000b\"", false},
    {START, "address_id", "\"\"", false},
    {START, "address_id", "\"a\"", true},
    {START, "address_id", "\"" A64 "\"", true},
    {START, "address_id", "\"" A64 "a\"", false},
    {START, "address", "\"" PIN_ADDRESS "\"", true},
    {START, "address", "\"Asha, 12 MG Road, 560 001\"", true},
    {START, "address", "\"Asha, 12 MG Road\"", false},
    {START, "address", "\"Asha, 12 MG Road, 060001\"", false},
    {START, "address", "\"Asha, 9876543210, 12 MG Road\"", false},
    {START, "address", "\"Asha,\\n12 MG Road 560001\"", false},
    {START, "address", "\"\"", false},
    {START, "address", "\"560001 " A300 A128 A64 "a\"", true}, /* 500 */
    {START, "address", "\"560001 " A300 A128 A64 "ab\"", false},
    {START, "product_id", "\"" FX_OFFER "\"", true},
    {START, "product_id", "\"pur_" HEX31 "0\"", false},
    {START, "rail", "\"gift_card\"", true},
    {START, "rail", "\"operated_checkout\"", true},
    {START, "rail", "\"otu_card\"", false},
    {START, "order_title", "\"\"", true},
    {START, "order_title", "7", false},
    {START, "price_lines", "[]", true},
    {START, "price_lines", "[{\"code\":\"item_total\",\"amount\":\"2499\"}]", true},
    {START, "price_lines", "[{\"code\":\"item_total\",\"amount\":\"2498\"}]", false},
    {START, "price_lines",
     "[{\"code\":\"item_total\",\"amount\":\"2500\"},{\"code\":\"discount\",\"amount\":\"1\"}]",
     true},
    {START, "price_lines", "[{\"code\":\"tip\",\"amount\":\"2499\"}]", false},
    {START, "price_lines", "[{\"code\":\"item_total\",\"amount\":\"0\"}]", false},
    {START, "price_lines", "[{\"code\":\"item_total\"}]", false},
    {START, "price_lines", "[{\"code\":\"item_total\",\"amount\":\"2499\",\"x\":1}]", false},
    {START, "price_lines", "[1]", false},
    {START, "facts", "[{\"code\":\"arrives\",\"value\":\"Friday\"}]", true},
    {START, "facts", "[{\"code\":\"colour\",\"value\":\"red\"}]", false},
    {START, "retry_of", "\"pur_" HEX31 "0\"", true},
    {START, "retry_of", "\"another-intent-0001\"", true},
    {START, "retry_of", "\"" FX_KEY "\"", false}, /* the new key must be new */
    {START, "retry_of", "\"pur_" HEX31 "\"", false},
    {START, "colour", "1", false},
    {ANSWER, "type", "\"details\"", true},
    {ANSWER, "type", "\"Answer\"", false},
    {ANSWER, "type", "\"answer\\u0000\"", false},
    {ANSWER, "answer", "\"\"", false},
    {ANSWER, "answer", "\"a\"", true},
    {ANSWER, "answer", "\"" A800 "\"", true},
    {ANSWER, "answer", "\"" A800 "a\"", false},
    {ANSWER, "answer", "\"4111 1111 1111 1111\"", false},
    {ANSWER, "answer", "\"4111 1111 1111 1112\"", true},
    {ANSWER, "answer", "\"123456\"", true}, /* an otp question may ask for it */
    {ANSWER, "purchase", "\"pur_" HEX31 "0\"", true},
    {ANSWER, "purchase", "\"pur_" HEX31 "\"", false},
    {ANSWER, "question", "\"\"", false},
    {ANSWER, "question", "\"" A128 "\"", true},
    {ANSWER, "question", "\"" A128 "a\"", false},
    {ANSWER, "rating", "5", false}, /* only with feedback */
    {ANSWER, "idempotency_key", "\"short\"", false},
    {REPORT, "purchase", "\"pur_" HEX31 "0\"", true},
    {REPORT, "purchase", "\"fifteen-chars-x\"", false},
    {REPORT, "outcome", "\"paid\"", true},
    {REPORT, "outcome", "\"unknown\"", false},
    {REPORT, "failure_reason", "\"site_blocked\"", true},
    {REPORT, "failure_reason", "\"bored\"", false},
    {REPORT, "checkout_attempt_id", "\"" FX_UUID "\"", true},
    {REPORT, "checkout_attempt_id", "\"0F8FAD5B-D9CB-469F-A165-70867728950E\"", false},
    {REPORT, "checkout_attempt_id", "\"0f8fad5bd9cb469fa16570867728950e\"", false},
    {REPORT, "checkout_attempt_id", "\"" FX_UUID "0\"", false},
    {REPORT, "merchant_order_ref", "\"\"", false},
    {REPORT, "merchant_order_ref", "\"" A128 "\"", true},
    {REPORT, "merchant_order_ref", "\"" A128 "a\"", false},
    {REPORT, "merchant_order_ref", "\"a\\tb\"", false},
    {REPORT, "merchant_order_ref", "\"a\\u007f\"", false},
    {REPORT, "merchant_order_ref", "\"a\\u009f\"", false},
    {REPORT, "merchant_order_ref", "\"a\\u00a0\"", true},
    {REPORT, "amount_paid", "\"2499.50\"", true},
    {REPORT, "amount_paid", "2499.5", true},
    {REPORT, "amount_paid", "\"2499.505\"", false},
    {STEP, "step", "\"blocked\"", true},
    {STEP, "step", "\"rested\"", false},
    {STEP, "checkout_attempt_id", "\"" FX_UUID "\"", true},
    {STEP, "checkout_attempt_id", "\"x\"", false},
    {STATUS, "after_revision", "0", true},
    {STATUS, "after_revision", "-1", false},
    {STATUS, "after_revision", "9223372036854775807", true},
    {STATUS, "after_revision", "\"1\"", false},
    {STATUS, "wait_seconds", "0", true},
    {STATUS, "wait_seconds", "45", true},
    {STATUS, "wait_seconds", "46", false},
    {STATUS, "wait_seconds", "-1", false},
    {STATUS, "purchase", NULL, true},
    {CANCEL, "reason", "\"\"", true},
    {CANCEL, "reason", "5", false},
    {ACCOUNT, "include", "[]", true},
    {ACCOUNT, "include", "\"balance\"", true},
    {ACCOUNT, "include", "[\"balance\",\"held_purchases\"]", true},
    {ACCOUNT, "include", "[\"balance\",\"balance\"]", false},
    {ACCOUNT, "include", "[\"cards\"]", false},
    {ACCOUNT, "include", "\"cards\"", false},
    {ACCOUNT, "include", "[7]", false},
    {LISTED, "limit", "1", true},
    {LISTED, "limit", "0", false},
    {LISTED, "limit", "20", true},
    {LISTED, "limit", "21", false},
    {HISTORY, "limit", "1", true},
    {HISTORY, "limit", "0", false},
    {HISTORY, "limit", "50", true},
    {HISTORY, "limit", "51", false},
    {HISTORY, "limit", "10.0", false},
    {HISTORY, "from", "\"2026-02-28\"", true},
    {HISTORY, "from", "\"2026-02-29\"", false},
    {HISTORY, "from", "\"2026-2-1\"", false},
    {HISTORY, "to", "\"2026-09-30T00:00:00Z\"", false},
    {HISTORY, "cursor", "\"\"", false},
    {HISTORY, "cursor", "\"" A2000 "12345678901234567890123456789012345678901234567a\"", true},
    {HISTORY, "cursor", "\"" A2000 "12345678901234567890123456789012345678901234567ab\"", false},
    {SEARCH, "query", "\"\"", false},
    {SEARCH, "query", "\"" A200 "\"", true},
    {SEARCH, "query", "\"" A200 "a\"", false},
    {SEARCH, "quantity", "1", true},
    {SEARCH, "quantity", "0", false},
    {SEARCH, "quantity", "99", true},
    {SEARCH, "quantity", "100", false},
    {SEARCH, "quantity", "\"2\"", false},
    {SEARCH, "address_id", "\"" A64 "\"", true},
    {SEARCH, "address_id", "\"" A64 "a\"", false},
    {CONTRACT_TOOL_GET_MERCHANTS, "limit", "1", false},
    {CONTRACT_TOOL_LIST_GIFT_CARD_MERCHANTS, "limit", "1", false},
};

static void bounds_hold_on_both_sides(void **state)
{
    (void)state;
    for (size_t i = 0; i < FX_COUNT(bounds); i++) {
        const struct bound *b = &bounds[i];
        struct contract_problems p;
        enum err e = check_with(b->tool, b->path, b->value, &p);
        if ((e == ERR_OK) != b->good)
            fail_msg("row %zu: %s = %.80s gave %s (%s)", i, b->path, b->value, err_name(e),
                     p.count ? p.fields[0].problem : "no problem");
    }
}

static void the_problem_names_field_rule_and_no_value(void **state)
{
    (void)state;
    static const struct {
        enum contract_tool tool;
        const char *path, *value;
        struct contract_field expected;
    } cases[] = {
        {START,
         "items.0.name",
         "\"\"",
         {"/items/0/name", "is empty", "a text of 1 to 200 characters"}},
        {STATUS,
         "wait_seconds",
         "46",
         {"/wait_seconds", "is out of range", "a whole number from 0 to 45"}},
        {STATUS,
         "after_revision",
         "-1",
         {"/after_revision", "is out of range", "a whole number of at least 0"}},
        {REPORT,
         "outcome",
         "\"canary\"",
         {"/outcome", "is not one of the values", "one of paid, failed"}},
        {ACCOUNT,
         "include",
         "[\"balance\",\"balance\"]",
         {"/include/1", "is there twice",
          "one of balance, limits, services, active_purchase, agent, profile, addresses, "
          "held_purchases"}},
        {START, "items", "[]", {"/items", "is empty", "a list of 1 to 20 objects"}},
        {CANCEL,
         "a/b~c\\u202e",
         "1",
         {"/a~1b~0c\\u202e", "is not a field of this tool", "no such field"}},
        {ANSWER,
         "answer",
         "\"4111-1111-1111-1111\"",
         {"/answer", "looks like a card number", "an answer without card details"}},
    };
    for (size_t i = 0; i < FX_COUNT(cases); i++) {
        struct contract_problems p;
        assert_int_equal(check_with(cases[i].tool, cases[i].path, cases[i].value, &p), ERR_USER);
        assert_int_equal(p.count, 1);
        assert_string_equal(p.fields[0].path, cases[i].expected.path);
        assert_string_equal(p.fields[0].problem, cases[i].expected.problem);
        assert_string_equal(p.fields[0].expected, cases[i].expected.expected);
    }
}

/* The request with two values set. */
static enum err check_two(enum contract_tool tool, const char *path, const char *value,
                          const char *path2, const char *value2, struct contract_problems *p)
{
    char *once = fx_set(requests[tool], path, value);
    char *twice = fx_set(once, path2, value2);
    enum err e = check(tool, twice, p);
    alloc_free(once);
    alloc_free(twice);
    return e;
}

static void rules_between_fields_hold(void **state)
{
    (void)state;
    static const struct {
        enum contract_tool tool;
        const char *path, *value, *path2, *value2;
        const char *where; /* NULL: good */
    } cases[] = {
        {START, "address_id", "\"addr_1\"", "address", "\"" PIN_ADDRESS "\"", "/address"},
        {START, "rail", "\"gift_card\"", "product_id", "\"" FX_OFFER "\"", "/rail"},
        {START, "rail", "\"gift_card\"", "retry_of", "\"another-intent-0001\"", "/rail"},
        {START, "rail", "\"gift_card\"", "items", NAMED("\"product_id\":\"" FX_OFFER "\""),
         "/rail"},
        {START, "total", "2499.5", "max_total", "\"2499.50\"", NULL},
        {START, "total", "\"2499.51\"", "max_total", "\"2499.50\"", "/max_total"},
        {START, "total", "\"x\"", "max_total", "\"1\"", "/total"},
        {ANSWER, "type", "\"feedback\"", "rating", "1", NULL},
        {ANSWER, "type", "\"feedback\"", "rating", "5", NULL},
        {ANSWER, "type", "\"feedback\"", "rating", "0", "/rating"},
        {ANSWER, "type", "\"feedback\"", "rating", "6", "/rating"},
        {ANSWER, "type", "\"details\"", "rating", "3", "/rating"},
        {REPORT, "outcome", "\"paid\"", "failure_reason", NULL, NULL},
        {REPORT, "outcome", "\"failed\"", "failure_reason", NULL, "/failure_reason"},
        {HISTORY, "from", "\"2026-09-30\"", "to", "\"2026-09-30\"", NULL},
        {HISTORY, "from", "\"2026-10-01\"", "to", "\"2026-09-30\"", "/from"},
    };
    for (size_t i = 0; i < FX_COUNT(cases); i++) {
        struct contract_problems p;
        enum err e = check_two(cases[i].tool, cases[i].path, cases[i].value, cases[i].path2,
                               cases[i].value2, &p);
        assert_int_equal(e == ERR_OK, cases[i].where == NULL);
        if (cases[i].where) {
            assert_int_equal(p.count, 1);
            assert_string_equal(p.fields[0].path, cases[i].where);
        }
    }
}

static void u7_characters_are_counted_not_bytes(void **state)
{
    (void)state;
    struct contract_problems p;
    for (size_t n = 800; n <= 801; n++) {
        struct buf b;
        buf_init(&b, 8192);
        for (size_t i = 0; i < n; i++)
            assert_int_equal(buf_append_str(&b, "😀"), ERR_OK);
        struct buf json;
        buf_init(&json, 16384);
        assert_int_equal(contract_json_string(&json, buf_view(&b)), ERR_OK);
        assert_int_equal(check_with(ANSWER, "answer", buf_view(&json), &p),
                         n == 800 ? ERR_OK : ERR_USER);
        buf_fini(&b);
        buf_fini(&json);
    }
    assert_string_equal(p.fields[0].problem, "is too long");
}

static void twenty_items_and_no_more(void **state)
{
    (void)state;
    struct contract_problems p;
    struct buf b;
    buf_init(&b, 8192);
    for (int n = 0; n < 21; n++) {
        assert_int_equal(buf_printf(&b, "%s{\"name\":\"n\"}", n ? "," : "["), ERR_OK);
        char *list = alloc_zero(1, b.len + 2);
        assert_non_null(list);
        snprintf(list, b.len + 2, "%s]", buf_view(&b));
        assert_int_equal(check_with(START, "items", list, &p), n < 20 ? ERR_OK : ERR_USER);
        alloc_free(list);
    }
    assert_string_equal(p.fields[0].problem, "has too many entries");
    buf_fini(&b);
}

static void what_is_no_object_is_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {"", "[]", "7", "{\"a\":", "{\"a\":\"\xff\"}", "null"};
    struct contract_problems p;
    for (size_t i = 0; i < FX_COUNT(texts); i++) {
        assert_int_equal(check(ACCOUNT, texts[i], &p), ERR_USER);
        assert_string_equal(p.fields[0].path, "");
    }
    struct buf b;
    buf_init(&b, 1u << 20);
    assert_int_equal(buf_append_str(&b, "{}"), ERR_OK);
    while (b.len < CONTRACT_BODY_MAX)
        assert_int_equal(buf_append_char(&b, ' '), ERR_OK);
    assert_int_equal(check(ACCOUNT, buf_view(&b), &p), ERR_OK);
    assert_int_equal(buf_append_char(&b, ' '), ERR_OK);
    assert_int_equal(check(ACCOUNT, buf_view(&b), &p), ERR_USER);
    buf_fini(&b);
}

static void more_than_ten_problems_are_counted(void **state)
{
    (void)state;
    struct contract_problems p;
    assert_int_equal(check(ACCOUNT,
                           "{\"a\":1,\"b\":1,\"c\":1,\"d\":1,\"e\":1,\"f\":1,\"g\":1,\"h\":1,"
                           "\"i\":1,\"j\":1,\"k\":1,\"l\":1}",
                           &p),
                     ERR_USER);
    assert_int_equal(p.count, 12);
    assert_string_equal(p.fields[9].path, "/j");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_published_request_passes),
        cmocka_unit_test(required_fields_are_missed),
        cmocka_unit_test(bounds_hold_on_both_sides),
        cmocka_unit_test(the_problem_names_field_rule_and_no_value),
        cmocka_unit_test(rules_between_fields_hold),
        cmocka_unit_test(u7_characters_are_counted_not_bytes),
        cmocka_unit_test(twenty_items_and_no_more),
        cmocka_unit_test(what_is_no_object_is_refused),
        cmocka_unit_test(more_than_ten_problems_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
