/* SPDX-License-Identifier: Apache-2.0 */
/* The simulator's schemas: every limit and pattern on both sides, inputs in their lenient forms,
 * the rules across fields, and the documents for discovery. Replies have a test of their own. */
#include "unit/sim/schema_json.h"

/* ---- limits ---- */

struct limit {
    const char *owner; /* tool, then "in" or "data"; or "envelope" */
    const char *path;  /* names through the nodes; "[]" is the entry of an array */
    int lo;            /* -1: no lower limit */
    int hi;
};

#define NO (-1)
static const struct limit limits[] = {
    {"envelope", "purchase.idempotency_key", 16, 64},
    {"envelope", "purchase.revision", 0, NO},
    {"envelope", "purchase.status_text", 1, 300},
    {"envelope", "purchase.amount.minor", 0, NO},
    {"envelope", "purchase.question.id", 1, 128},
    {"envelope", "purchase.question.prompt", 1, 300},
    {"envelope", "purchase.follow_up.id", 1, 128},
    {"envelope", "purchase.follow_up.prompt", 1, 300},
    {"envelope", "next.instruction", 1, 600},
    {"envelope", "next.after_seconds", 0, NO},
    {"envelope", "user_action.message", 1, 300},
    {"envelope", "error.fields", NO, 10},
    {"envelope", "error.fields.[].path", NO, 128},
    {"envelope", "error.fields.[].problem", NO, 200},
    {"envelope", "error.fields.[].expected", NO, 200},
    {"envelope", "error.retry_after_seconds", 0, NO},
    {"list_transactions in", "limit", 1, 50},
    {"list_transactions in", "cursor", 1, 2048},
    {"list_purchases in", "limit", 1, 20},
    {"start_purchase in", "idempotency_key", 16, 64},
    {"start_purchase in", "total", NO, 20},
    {"start_purchase in", "items", 1, 20},
    {"start_purchase in", "items.[].name", 1, 200},
    {"start_purchase in", "items.[].quantity", 1, 99},
    {"start_purchase in", "user_request", 1, 300},
    {"start_purchase in", "address_id", 1, 64},
    {"start_purchase in", "address", 1, 500},
    {"start_purchase in", "max_total", NO, 20},
    {"start_purchase in", "retry_of", 16, 64},
    {"get_purchase_status in", "purchase", 16, 64},
    {"get_purchase_status in", "after_revision", 0, NO},
    {"get_purchase_status in", "wait_seconds", 0, 45},
    {"submit_answer in", "answer", 1, 800},
    {"submit_answer in", "purchase", 16, 64},
    {"submit_answer in", "question", 1, 128},
    {"submit_answer in", "rating", 1, 5},
    {"submit_answer in", "idempotency_key", 16, 64},
    {"report_checkout_result in", "purchase", 16, 64},
    {"report_checkout_result in", "merchant_order_ref", 1, 128},
    {"report_checkout_result in", "amount_paid", NO, 20},
    {"report_checkout_step in", "purchase", 16, 64},
    {"cancel_purchase in", "purchase", 16, 64},
    {"search_products in", "query", 1, 200},
    {"search_products in", "quantity", 1, 99},
    {"search_products in", "address_id", 1, 64},
    {"list_transactions data", "transactions.[].id", 1, 128},
    {"list_transactions data", "transactions.[].title", 1, 200},
    {"list_transactions data", "transactions.[].subtitle", NO, 200},
    {"list_purchases data", "purchases", NO, 20},
    {"get_merchants data", "merchants", NO, 1000},
    {"get_merchants data", "merchants.[].name", 1, 253},
    {"get_merchants data", "merchants.[].domain", 1, 253},
    {"get_merchants data", "merchants.[].amounts", NO, 1000},
    {"get_merchants data", "merchants.[].discount_percent", 0, 100},
    {"search_products data", "products", NO, 5},
    {"search_products data", "products.[].name", 1, 200},
    {"search_products data", "products.[].brand", 1, 500},
    {"search_products data", "products.[].quantity", 1, 999},
};

static const struct sim_node *child_of(const struct sim_node *node, const char *name, size_t len)
{
    if (len == 2 && strncmp(name, "[]", 2) == 0)
        return node->of;
    for (const struct sim_node *field = node->of; field->name; field++) {
        if (strlen(field->name) == len && strncmp(field->name, name, len) == 0)
            return field;
    }
    fail_msg("no such field: %s", name);
    return NULL;
}

static const struct sim_node *node_of(const struct limit *limit)
{
    static struct sim_node root;
    root = (struct sim_node){.name = "", .kind = SIM_OBJECT, .of = sim_table_envelope()};
    const struct sim_node *node = &root;
    const char *space = strchr(limit->owner, ' ');
    if (space) {
        char name[64] = "";
        memcpy(name, limit->owner, (size_t)(space - limit->owner));
        const struct sim_tool *tool = sim_table_tool(name);
        node = strcmp(space + 1, "in") == 0 ? tool->input : tool->data;
    }
    for (const char *p = limit->path; *p;) {
        size_t len = strcspn(p, ".");
        node = child_of(node, p, len);
        p += len + (p[len] == '.');
    }
    return node;
}

/* A valid value of exactly this size; sizes below zero are numbers only. */
static cJSON *value_of_size(const struct sim_node *node, int size)
{
    if (node->kind == SIM_INTEGER || node->kind == SIM_NUMBER)
        return cJSON_CreateNumber(size);
    if (node->kind == SIM_ARRAY) {
        cJSON *list = cJSON_CreateArray();
        static const char *const samples[] = {
            "{\"name\":\"x\"}",
            "{\"path\":\"\",\"problem\":\"\",\"expected\":null}",
            "{\"purchase_id\":\"" PUR "\",\"state\":\"ready\",\"merchant\":{\"name\":\"S\",\"url\":"
            "\"https://s.test\"},\"amount\":" PAID ",\"checkout_by\":null,\"created_at\":"
            "\"2026-11-30T11:00:00Z\"}",
            "{\"name\":\"s\",\"domain\":\"s\",\"amounts\":[],\"amount_range\":null,"
            "\"discount_percent\":null,\"redeem_at\":null}",
            PAID,
            "{\"product_id\":\"" OFR
            "\",\"name\":\"W\",\"brand\":null,\"image\":null,\"price\":" PAID
            ",\"quantity\":1,\"total\":" PAID ",\"valid_until\":\"2026-11-30T13:30:00Z\","
            "\"merchant_url\":\"https://e.test\"}",
        };
        for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
            struct sim_schema_field field;
            struct sim_findings found = {&field, 1, 0};
            cJSON *entry = parse(samples[i]);
            sim_node_check(node->of, entry, "", &found);
            for (int k = 0; found.count == 0 && k < size; k++)
                cJSON_AddItemToArray(list, cJSON_Duplicate(entry, true));
            cJSON_Delete(entry);
        }
        assert_int_equal(cJSON_GetArraySize(list), size);
        return list;
    }
    /* Characters are counted, not bytes: free text is made of three-byte ones. */
    bool plain = node->pattern != SIM_PATTERN_NONE && node->pattern != SIM_PATTERN_PRINTABLE;
    const char *unit = node->pattern == SIM_PATTERN_RUPEES ? "7" : plain ? "k" : "₹";
    size_t step = strlen(unit);
    char *text = calloc((size_t)size + 1, step);
    for (int i = 0; i < size; i++)
        memcpy(text + (size_t)i * step, unit, step);
    cJSON *value = cJSON_CreateString(text);
    free(text);
    return value;
}

static size_t findings_at_size(const struct sim_node *node, int size)
{
    struct sim_schema_field field;
    struct sim_findings found = {&field, 1, 0};
    cJSON *value = value_of_size(node, size);
    sim_node_check(node, value, "", &found);
    cJSON_Delete(value);
    return found.count;
}

static void every_limit_holds_on_both_sides(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        const struct limit *l = &limits[i];
        const struct sim_node *node = node_of(l);
        bool number = node->kind == SIM_INTEGER || node->kind == SIM_NUMBER;
        if (l->lo != NO) {
            if (findings_at_size(node, l->lo) != 0)
                fail_msg("%s %s refuses its lower limit", l->owner, l->path);
            if ((l->lo > 0 || number) && findings_at_size(node, l->lo - 1) == 0)
                fail_msg("%s %s takes less than its lower limit", l->owner, l->path);
        }
        if (l->hi != NO) {
            if (findings_at_size(node, l->hi) != 0)
                fail_msg("%s %s refuses its upper limit", l->owner, l->path);
            if (findings_at_size(node, l->hi + 1) == 0)
                fail_msg("%s %s takes more than its upper limit", l->owner, l->path);
        }
        assert_int_equal(node->has_lo, l->lo != NO);
        assert_int_equal(node->has_hi, l->hi != NO);
    }
}

/* Counts nodes with a limit, each table of fields once however often it is used. */
static void collect_limited(const struct sim_node *node, const struct sim_node **seen,
                            size_t *count)
{
    if (node->has_lo || node->has_hi) {
        for (size_t i = 0; i < *count; i++) {
            if (seen[i] == node)
                return;
        }
        assert_true(*count < 200);
        seen[(*count)++] = node;
    }
    if (node->kind == SIM_ARRAY)
        collect_limited(node->of, seen, count);
    for (const struct sim_node *f = node->kind == SIM_OBJECT ? node->of : NULL; f && f->name; f++)
        collect_limited(f, seen, count);
}

static void no_limit_goes_untested(void **state)
{
    (void)state;
    const struct sim_node *in_tables[200];
    size_t in_tables_count = 0;
    struct sim_node root = {.name = "", .kind = SIM_OBJECT, .of = sim_table_envelope()};
    collect_limited(&root, in_tables, &in_tables_count);
    for (size_t i = 0; sim_table_tool_at(i); i++) {
        collect_limited(sim_table_tool_at(i)->input, in_tables, &in_tables_count);
        collect_limited(sim_table_tool_at(i)->data, in_tables, &in_tables_count);
    }
    for (size_t k = 0; k < in_tables_count; k++) {
        bool tested = false;
        for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++)
            tested = tested || node_of(&limits[i]) == in_tables[k];
        if (!tested)
            fail_msg("no row for the limit of %s", in_tables[k]->name);
    }
}

static void patterns_hold_on_both_sides(void **state)
{
    (void)state;
    static const struct {
        enum sim_pattern pattern;
        const char *good[5];
        const char *bad[9];
    } rows[] = {
        {SIM_PATTERN_PURCHASE_ID,
         {PUR},
         {"pur_", PUR "0", "pur_00112233445566778899aabbccddeef",
          "PUR_00112233445566778899aabbccddeeff", "pur_00112233445566778899AABBCCDDEEFF",
          "pur_0011223344556677_899aabbccddeeff"}},
        {SIM_PATTERN_KEY,
         {"purchase-000000001", "a", "pu-", "purr", "PUR_x"},
         {"", "p", "pu", "pur", "pur_", "pur_x", "a b", "ä", "a/b"}},
        {SIM_PATTERN_REFERENCE, {PUR, "intent-0001"}, {"pur_xyz", "pur_", "", "a.b", PUR "_"}},
        {SIM_PATTERN_UUID,
         {UUID},
         {"", "01234567-89AB-4cde-8f01-23456789abcd", "0123456789ab-4cde-8f01-23456789abcd00",
          UUID "0", "01234567-89ab-4cde-8f01-23456789abc"}},
        {SIM_PATTERN_OFFER, {OFR}, {PUR, "ofr_", OFR "f"}},
        {SIM_PATTERN_RUPEES,
         {"0", "2499", "2499.0", "2499.00", "007"},
         {"", ".5", "5.", "5.123", "-5", "5,000", "₹5", "5.0.0", "5 "}},
        {SIM_PATTERN_WEB,
         {"shop.example.test", "HTTP://a.b", "https://a.b/c?d#e:f@g", "a.b?x", "http.a/"},
         {"", "shop", "https://shop", ".a", "a.", "a.b:80", "u@a.b", "a b.c", "ftp://a.b"}},
        {SIM_PATTERN_HTTPS, {"https://", "https://x"}, {"http://x", "HTTPS://x", " https://x", ""}},
        {SIM_PATTERN_LAST4, {"0000", "1234"}, {"", "123", "12345", "12a4", "１２３４"}},
        {SIM_PATTERN_PRINTABLE,
         {"a", "Å₹", " "},
         {"", "a\nb", "\x7F", "\x1B", "\xC2\x80", "\xC2\x9F", "\xFF"}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(rows[i].pattern, i + 1);
        for (size_t k = 0; k < 5 && rows[i].good[k]; k++) {
            if (!sim_pattern_matches(rows[i].pattern, rows[i].good[k]))
                fail_msg("%s refuses %s", sim_pattern_text(rows[i].pattern), rows[i].good[k]);
        }
        for (size_t k = 0; k < 9 && rows[i].bad[k]; k++) {
            if (sim_pattern_matches(rows[i].pattern, rows[i].bad[k]))
                fail_msg("%s takes %s", sim_pattern_text(rows[i].pattern), rows[i].bad[k]);
        }
    }
    assert_int_equal(sizeof rows / sizeof rows[0], SIM_PATTERN_COUNT - 1);
    assert_true(sim_format_matches(SIM_FORMAT_DATE, "2028-02-29"));
    assert_false(sim_format_matches(SIM_FORMAT_DATE, "2026-02-29"));
    assert_false(sim_format_matches(SIM_FORMAT_DATE, "2026-11-30T00:00:00Z"));
    assert_true(sim_format_matches(SIM_FORMAT_DATE_TIME, "2026-11-30T13:00:00Z"));
    assert_false(sim_format_matches(SIM_FORMAT_DATE_TIME, "2026-11-30"));
    assert_false(sim_format_matches(SIM_FORMAT_DATE_TIME, "2026-11-30T25:00:00Z"));
    assert_true(sim_format_matches(SIM_FORMAT_URI, "https://a.b/c?d=%20"));
    assert_false(sim_format_matches(SIM_FORMAT_URI, "https://a b"));
    assert_false(sim_format_matches(SIM_FORMAT_URI, "no-scheme"));
}

/* ---- inputs ---- */

static const char good_start[] =
    "{\"idempotency_key\":\"intent-headphones-1\",\"merchant_url\":\"https://shop.example.test\","
    "\"total\":\"2499.00\",\"items\":[{\"name\":\"Headphones\"}],\"user_request\":\"Buy them\"}";

static const struct {
    const char *tool;
    const char *input;
} good_inputs[] = {
    {"get_account", "{}"},
    {"get_account", "{\"include\":[\"profile\",\"balance\"]}"},
    {"list_transactions",
     "{\"from\":\"2026-11-01\",\"to\":\"2026-11-01\",\"limit\":10,\"cursor\":\"c\"}"},
    {"list_purchases", "{\"limit\":5}"},
    {"start_purchase", good_start},
    {"get_purchase_status", "{\"purchase\":\"" PUR "\",\"after_revision\":3,\"wait_seconds\":45}"},
    {"answer_purchase_question",
     "{\"type\":\"answer\",\"answer\":\"yes\",\"idempotency_key\":"
     "\"answer-000000001\",\"purchase\":\"" PUR "\",\"question\":\"q1\"}"},
    {"submit_answer", "{\"type\":\"feedback\",\"answer\":\"fine\",\"rating\":5,\"idempotency_key\":"
                      "\"answer-000000001\"}"},
    {"report_checkout_result",
     "{\"purchase\":\"" PUR "\",\"outcome\":\"failed\",\"failure_reason\":"
     "\"other\",\"checkout_attempt_id\":\"" UUID "\"}"},
    {"report_checkout_step", "{\"purchase\":\"" PUR "\",\"step\":\"cart_built\"}"},
    {"cancel_purchase", "{\"purchase\":\"" PUR "\",\"reason\":\"\"}"},
    {"list_gift_card_merchants", "{}"},
    {"get_merchants", "{}"},
    {"search_products", "{\"query\":\"whey\",\"quantity\":2}"},
};

static size_t check(const char *tool, cJSON *input, struct sim_schema_field *fields)
{
    return sim_schema_check_input(tool, input, fields);
}

static void good_inputs_pass_and_mutated_ones_do_not(void **state)
{
    (void)state;
    struct sim_schema_field fields[SIM_SCHEMA_FIELDS_MAX];
    for (size_t i = 0; i < sizeof good_inputs / sizeof good_inputs[0]; i++) {
        const char *tool = good_inputs[i].tool;
        cJSON *input = parse(good_inputs[i].input);
        if (check(tool, input, fields) != 0)
            fail_msg("%s: %s %s", tool, fields[0].path, fields[0].problem);
        cJSON_AddNullToObject(input, "odd/~é");
        assert_int_equal(check(tool, input, fields), 1);
        assert_string_equal(fields[0].path, "/odd~1~0??");
        cJSON_DeleteItemFromObjectCaseSensitive(input, "odd/~é");
        for (const struct sim_node *f = sim_table_tool(tool)->input->of; f->name; f++) {
            cJSON *entry = cJSON_DetachItemFromObjectCaseSensitive(input, f->name);
            char path[64];
            snprintf(path, sizeof path, "/%s", f->name);
            if (f->flags & SIM_REQUIRED) {
                assert_int_equal(check(tool, input, fields), 1);
                assert_string_equal(fields[0].path, path);
                assert_string_equal(fields[0].problem, "is missing");
            }
            cJSON_AddNullToObject(input, f->name);
            if (strcmp(f->name, "merchant_logo") != 0) {
                assert_int_not_equal(check(tool, input, fields), 0);
                assert_string_equal(fields[0].path, path);
                assert_string_equal(fields[0].problem, "has the wrong type");
            }
            cJSON_DeleteItemFromObjectCaseSensitive(input, f->name);
            if (entry)
                cJSON_AddItemToObject(input, f->name, entry);
        }
        assert_int_equal(check(tool, input, fields), 0);
        cJSON_Delete(input);
    }
}

static void lenient_forms_become_the_strict_ones(void **state)
{
    (void)state;
    static const struct {
        const char *tool;
        const char *patch;
        const char *field; /* top-level field to compare */
        const char *want;  /* as JSON; NULL: the field is gone */
    } rows[] = {
        {"start_purchase", "{\"total\":2499}", "total", "\"2499\""},
        {"start_purchase", "{\"total\":2499.5}", "total", "\"2499.5\""},
        {"start_purchase", "{\"total\":\"₹1,00,000.00\"}", "total", "\"100000.00\""},
        {"start_purchase", "{\"max_total\":\"₹2,500\"}", "max_total", "\"2500\""},
        {"start_purchase", "{\"merchant_url\":\"shop.example.test/a?u=http://x\"}", "merchant_url",
         "\"https://shop.example.test/a?u=http://x\""},
        {"start_purchase", "{\"merchant_url\":\"HTTP://shop.example.test\"}", "merchant_url",
         "\"https://shop.example.test\""},
        {"start_purchase", "{\"merchant_logo\":\"not a picture\"}", "merchant_logo", NULL},
        {"start_purchase", "{\"merchant_logo\":7}", "merchant_logo", NULL},
        {"start_purchase", "{\"merchant_logo\":\"cdn.example.test/l.png\"}", "merchant_logo",
         "\"https://cdn.example.test/l.png\""},
        {"start_purchase",
         "{\"items\":[{\"name\":\"a\",\"quantity\":\"12\",\"image\":\"??\",\"url\":"
         "\"a.test\"}]}",
         "items", "[{\"name\":\"a\",\"quantity\":12,\"url\":\"https://a.test\"}]"},
        {"report_checkout_result",
         "{\"purchase\":\"" PUR "\",\"outcome\":\"paid\",\"amount_paid\":\"₹2,499.00\"}",
         "amount_paid", "\"2499.00\""},
        {"get_account", "{\"include\":\"profile\"}", "include", "[\"profile\"]"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct sim_schema_field fields[SIM_SCHEMA_FIELDS_MAX];
        cJSON *input = parse(strcmp(rows[i].tool, "start_purchase") == 0 ? good_start : "{}");
        overlay_text(input, rows[i].patch);
        if (check(rows[i].tool, input, fields) != 0)
            fail_msg("row %zu: %s %s", i, fields[0].path, fields[0].problem);
        const cJSON *got = cJSON_GetObjectItemCaseSensitive(input, rows[i].field);
        cJSON *want = rows[i].want ? parse(rows[i].want) : NULL;
        if (want ? !cJSON_Compare(got, want, true) : got != NULL)
            fail_msg("row %zu: %s is not normalised", i, rows[i].field);
        cJSON_Delete(want);
        cJSON_Delete(input);
    }
}

static void rules_across_fields_name_the_field(void **state)
{
    (void)state;
#define REPORT "{\"purchase\":\"" PUR "\",\"outcome\":"
#define SAY    "{\"answer\":\"x\",\"idempotency_key\":\"answer-000000001\",\"rating\":3,\"type\":"
    static const struct {
        const char *tool;
        const char *patch;
        const char *path; /* NULL: passes */
    } rows[] = {
        {"start_purchase", "{\"total\":\"100000.00\"}", NULL},
        {"start_purchase", "{\"total\":\"100000.01\"}", "/total"},
        {"start_purchase", "{\"total\":\"99999999999999999999\"}", "/total"},
        {"start_purchase", "{\"total\":2499.001}", "/total"},
        {"start_purchase", "{\"total\":-1}", "/total"},
        {"start_purchase", "{\"max_total\":\"2748.90\"}", NULL},
        {"start_purchase", "{\"max_total\":\"2748.91\"}", "/max_total"},
        {"start_purchase", "{\"max_total\":\"2499.00\"}", NULL},
        {"start_purchase", "{\"max_total\":\"2498.99\"}", "/max_total"},
        {"start_purchase", "{\"total\":\"500\",\"max_total\":\"600\"}", NULL},
        {"start_purchase", "{\"total\":\"500\",\"max_total\":\"600.01\"}", "/max_total"},
        {"start_purchase", "{\"address\":\"1 Road\",\"address_id\":\"a1\"}", "/address"},
        {"start_purchase", "{\"address_id\":\"a1\"}", NULL},
        {"start_purchase",
         "{\"items\":[{\"name\":\"a\",\"product_id\":\"" OFR "\"},{\"name\":\"b\"}]}",
         "/items/1/product_id"},
        {"start_purchase", "{\"items\":[{\"name\":\"a\",\"product_id\":\"" OFR "\"}]}", NULL},
        {"start_purchase", "{\"rail\":\"gift_card\",\"retry_of\":\"" PUR "\"}", "/rail"},
        {"start_purchase", "{\"rail\":\"gift_card\",\"product_id\":\"" OFR "\"}", "/rail"},
        {"start_purchase",
         "{\"rail\":\"operated_checkout\",\"items\":[{\"name\":\"a\",\"product_id\":"
         "\"" OFR "\"}]}",
         "/rail"},
        {"start_purchase", "{\"rail\":\"otu_card\"}", "/rail"},
        {"start_purchase", "{\"items\":[{\"name\":\"a\",\"quantity\":\"x\"}]}",
         "/items/0/quantity"},
        {"start_purchase", "{\"items\":[{\"name\":\"a\",\"quantity\":1.5}]}", "/items/0/quantity"},
        {"start_purchase", "{\"items\":[3]}", "/items/0"},
        {"report_checkout_result", REPORT "\"failed\"}", "/failure_reason"},
        {"report_checkout_result", REPORT "\"paid\"}", NULL},
        {"submit_answer", SAY "\"answer\"}", "/rating"},
        {"answer_purchase_question", SAY "\"details\"}", "/rating"},
        {"answer_purchase_question", SAY "\"feedback\"}", NULL},
        {"list_transactions", "{\"from\":\"2026-11-02\",\"to\":\"2026-11-01\"}", "/from"},
        {"list_transactions", "{\"from\":\"2026-11-02\"}", NULL},
        {"list_transactions", "{\"from\":\"2026-13-02\"}", "/from"},
        {"get_account", "{\"include\":[\"profile\",\"profile\"]}", "/include/1"},
        {"get_account", "{\"include\":\"secrets\"}", "/include/0"},
        {"start_purchase", "{\"user_request\":\"a\xFF\"}", "/user_request"},
        {"no_such_tool", "{}", ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct sim_schema_field fields[SIM_SCHEMA_FIELDS_MAX];
        cJSON *input = parse(strcmp(rows[i].tool, "start_purchase") == 0 ? good_start : "{}");
        overlay_text(input, rows[i].patch);
        size_t count = check(rows[i].tool, input, fields);
        if ((count == 0) != (rows[i].path == NULL))
            fail_msg("row %zu: %zu fields wrong in %s", i, count, rows[i].patch);
        if (rows[i].path)
            assert_string_equal(fields[0].path, rows[i].path);
        cJSON_Delete(input);
    }
}

static void values_are_never_echoed_and_ten_fields_are_enough(void **state)
{
    (void)state;
    struct sim_schema_field fields[SIM_SCHEMA_FIELDS_MAX];
    cJSON *input = parse("{\"type\":\"CANARY4242\",\"answer\":[\"CANARY4242\"],\"idempotency_key\":"
                         "\"CANARY 4242\",\"purchase\":\"CANARY 4242 CANARY\"}");
    size_t count = check("submit_answer", input, fields);
    assert_int_equal(count, 4);
    for (size_t i = 0; i < count; i++) {
        assert_null(strstr(fields[i].path, "CANARY"));
        assert_null(strstr(fields[i].problem, "CANARY"));
        assert_null(strstr(fields[i].expected, "CANARY"));
    }
    cJSON_Delete(input);

    input = parse("{}");
    for (int i = 0; i < 14; i++) {
        char name[200];
        snprintf(name, sizeof name, "%0150d", i);
        cJSON_AddTrueToObject(input, name);
    }
    assert_int_equal(check("get_account", input, fields), SIM_SCHEMA_FIELDS_MAX);
    assert_int_equal(strlen(fields[9].path), 127);
    cJSON_Delete(input);
}

/* ---- discovery ---- */

static void documents_name_every_tool_and_rule(void **state)
{
    (void)state;
    cJSON *tools = sim_schema_tools_document();
    cJSON *openapi = sim_schema_openapi_document();
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(tools, "tools");
    const cJSON *paths = cJSON_GetObjectItemCaseSensitive(openapi, "paths");
    assert_int_equal(cJSON_GetArraySize(list), 13);
    assert_int_equal(cJSON_GetArraySize(paths), 13);
    size_t read_only = 0;
    for (size_t i = 0; i < 13; i++) {
        const char *name = sim_schema_tool_name(i);
        const cJSON *tool = cJSON_GetArrayItem(list, (int)i);
        assert_string_equal(cJSON_GetObjectItem(tool, "name")->valuestring, name);
        char path[80];
        snprintf(path, sizeof path, "/tools/%s", name);
        assert_non_null(cJSON_GetObjectItemCaseSensitive(paths, path));
        read_only += sim_schema_tool_read_only(name);
    }
    assert_int_equal(read_only, 7);
    assert_null(sim_schema_tool_name(13));
    assert_string_equal(sim_schema_tool_main("submit_answer"), "answer_purchase_question");
    assert_string_equal(sim_schema_tool_main("get_merchants"), "list_gift_card_merchants");
    assert_null(sim_schema_tool_main("give_back_gift_card"));
    assert_false(sim_schema_tool_read_only("start_purchase"));

    const cJSON *start = cJSON_GetObjectItem(cJSON_GetArrayItem(list, 3), "inputSchema");
    const cJSON *total = cJSON_GetObjectItem(cJSON_GetObjectItem(start, "properties"), "total");
    char *printed = cJSON_PrintUnformatted(total);
    assert_string_equal(printed, "{\"type\":\"string\",\"maxLength\":20,\"pattern\":"
                                 "\"^[0-9]+(?:\\\\.[0-9]{1,2})?$\"}");
    cJSON_free(printed);
    assert_true(cJSON_IsFalse(cJSON_GetObjectItem(start, "additionalProperties")));
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(start, "required")), 5);
    cJSON_Delete(tools);
    cJSON_Delete(openapi);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_limit_holds_on_both_sides),
        cmocka_unit_test(no_limit_goes_untested),
        cmocka_unit_test(patterns_hold_on_both_sides),
        cmocka_unit_test(good_inputs_pass_and_mutated_ones_do_not),
        cmocka_unit_test(lenient_forms_become_the_strict_ones),
        cmocka_unit_test(rules_across_fields_name_the_field),
        cmocka_unit_test(values_are_never_echoed_and_ten_fields_are_enough),
        cmocka_unit_test(documents_name_every_tool_and_rule),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
