/* SPDX-License-Identifier: Apache-2.0 */
/* Replies that are new, wrong or hostile: exact amounts (P1), unknown values (P3), control
 * characters (U3, U4), bounds of text (U7), twins of a key, cut and deep texts, no memory. */
#include "unit/contract/fixtures.h"
#include "core/buf.h"
#include "core/str.h"

#define STATUS CONTRACT_TOOL_GET_PURCHASE_STATUS
#define START  CONTRACT_TOOL_START_PURCHASE

static struct contract_reply *with(const char *path, const char *value)
{
    return fx_good_with(STATUS, fx_rich_text(STATUS), path, value);
}

/* text with the first `from` replaced by `to`, on the heap. */
static char *swapped(const char *text, const char *from, const char *to)
{
    struct buf b;
    const char *at = strstr(text, from);
    assert_non_null(at);
    buf_init(&b, 2u << 20);
    assert_int_equal(buf_append(&b, text, (size_t)(at - text)), ERR_OK);
    assert_int_equal(buf_append_str(&b, to), ERR_OK);
    assert_int_equal(buf_append_str(&b, at + strlen(from)), ERR_OK);
    return buf_take(&b);
}

static void p1_amounts_are_exact(void **state)
{
    (void)state;
    static const struct {
        const char *value;
        int64_t minor;
        bool disagrees;
        const char *display;
    } cases[] = {
        {FX_AMOUNT("5", "₹0.05"), 5, false, "₹0.05"},
        {FX_AMOUNT("10000000", "₹1,00,000.00"), 10000000, false, "₹1,00,000.00"},
        {FX_AMOUNT("9007199254740993", "₹9,00,71,99,25,47,409.93"), INT64_C(9007199254740993),
         false, "₹9,00,71,99,25,47,409.93"},
        {FX_AMOUNT("9223372036854775807", ""), INT64_MAX, false, "₹9,22,33,72,03,68,54,775.07"},
        {FX_AMOUNT("249900", "₹24.99"), 249900, true, "₹24.99"},
        {FX_AMOUNT("249900", "free"), 249900, true, "free"},
        {"{\"minor\":100,\"currency\":\"INR\"}", 100, false, "₹1.00"},
    };
    for (size_t i = 0; i < FX_COUNT(cases); i++) {
        struct contract_reply *r = with("purchase.amount", cases[i].value);
        assert_true(r->purchase->amount.known);
        assert_true(r->purchase->amount.minor == cases[i].minor);
        assert_int_equal(r->purchase->amount.disagrees, cases[i].disagrees);
        if (cases[i].minor != INT64_MAX)
            assert_string_equal(r->purchase->amount.display, cases[i].display);
        contract_reply_free(r);
    }
}

static void p1_other_money_is_not_rupees(void **state)
{
    (void)state;
    static const char *const cases[] = {
        "{\"minor\":100,\"currency\":\"USD\",\"display\":\"$1.00\"}",
        "{\"minor\":null,\"currency\":\"INR\",\"display\":\"₹1.00\"}",
        "{}",
    };
    for (size_t i = 0; i < FX_COUNT(cases); i++) {
        struct contract_reply *r = with("purchase.amount", cases[i]);
        assert_false(r->purchase->amount.known);
        assert_null(r->purchase->amount.display);
        contract_reply_free(r);
    }
    char *text =
        swapped(fx_rich_text(STATUS), "\"revision\":7", "\"revision\":9223372036854775808");
    struct contract_reply *r;
    char why[200];
    assert_int_equal(fx_decode(STATUS, text, &r, why), ERR_FORMAT);
    assert_string_equal(why, "a number is too large");
    alloc_free(text);
}

static void p3_new_values_are_shown_and_never_final(void **state)
{
    (void)state;
    struct contract_reply *r = with("purchase.state", "\"resting\"");
    char out[100];
    assert_int_equal(r->purchase->state.value, CONTRACT_UNRECOGNISED);
    assert_string_equal(
        contract_words(CONTRACT_KIND_STATE, &r->purchase->state, out, sizeof out, "-"),
        "unrecognised: resting");
    assert_string_equal(r->purchase->status_text, "Envoy asks.");
    contract_reply_free(r);
    char *text = fx_set(fx_rich_text(STATUS), "purchase.state", "\"resting\"");
    r = fx_good_with(STATUS, text, "purchase.terminal", "true");
    assert_false(r->purchase->terminal);
    contract_reply_free(r);
    alloc_free(text);
    r = with("purchase.terminal", "true"); /* a known state that is not final */
    assert_false(r->purchase->terminal);
    contract_reply_free(r);
    r = with("next.tool", "\"give_back_gift_card\"");
    assert_int_equal(r->next.tool.value, CONTRACT_UNRECOGNISED);
    assert_string_equal(r->next.tool.raw, "give_back_gift_card");
    contract_reply_free(r);
    r = with("contract", "\"envoy@2027-01\"");
    assert_true(r->contract_differs);
    contract_reply_free(r);
}

static void p3_a_long_new_value_is_cut(void **state)
{
    (void)state;
    struct contract_reply *r =
        with("purchase.reason_code", "\"ORDER_0123456789012345678901234567890123456789012345678901"
                                     "234567890123456789\\u001b[2J\"");
    const struct contract_enum *e = &r->purchase->reason;
    assert_int_equal(e->value, CONTRACT_UNRECOGNISED);
    assert_true(strlen(e->raw) < sizeof e->raw && strstr(e->raw, "…"));
    contract_reply_free(r);
}

static void p3_unknown_fields_are_ignored(void **state)
{
    (void)state;
    char *text = swapped(fx_rich_text(STATUS), "{\"ok\":true",
                         "{\"new\":{\"ok\":false,\"a\":[1,2.5,null]},\"ok\":true");
    struct contract_reply *r = fx_good(STATUS, text);
    assert_true(r->ok);
    contract_reply_free(r);
    alloc_free(text);
}

static void p3_null_is_unknown_never_zero(void **state)
{
    (void)state;
    struct contract_reply *r = with("purchase.money", "null");
    assert_int_equal(r->purchase->money.value, CONTRACT_ABSENT);
    assert_false(r->purchase->money_paid.known);
    contract_reply_free(r);
    const enum contract_tool account = CONTRACT_TOOL_GET_ACCOUNT;
    r = fx_good_with(account, fx_rich_account, "data.account.unavailable",
                     "[\"balance\",\"active_purchase\",\"addresses\",\"limits\",\"new\"]");
    assert_true(r->account->has_balance_section);
    assert_false(r->account->balance.known);
    assert_false(r->account->has_addresses || r->account->has_limits);
    assert_true(r->account->has_active_purchase); /* it was sent after all */
    contract_reply_free(r);
    char *text = fx_set(fx_account, "data.account.unavailable", "[\"active_purchase\"]");
    r = fx_good(account, text);
    assert_false(r->account->has_active_purchase); /* null, but the reply could not tell */
    contract_reply_free(r);
    alloc_free(text);
    r = fx_good_with(account, fx_rich_account, "data.account.held_purchases", "null");
    assert_true(r->account->has_held_purchases && !r->account->held_purchases_available);
    assert_false(r->account->held_total.known);
    contract_reply_free(r);
    r = fx_good_with(account, fx_rich_account, "data.account.held_purchases.available", "false");
    assert_false(r->account->held_total.known);
    contract_reply_free(r);
    r = fx_good_with(CONTRACT_TOOL_LIST_PURCHASES, fx_rich_purchases, "data", "null");
    assert_true(!r->has_data && r->listed_count == 0);
    contract_reply_free(r);
}

/* Every text that a person will see, in one reply. */
static void collect_texts(const struct contract_reply *r, const char *texts[], size_t *count)
{
    const struct contract_purchase *p = r->purchase;
    const char *const all[] = {
        p->merchant_name,    p->merchant_url,       p->status_text,     p->description,
        p->question.prompt,  p->follow_up.prompt,   p->details_missing, p->amount.display,
        p->money_order_ref,  p->agent.display_name, p->agent.agent_id,  r->user_action.message,
        r->next.instruction, r->follow_ups[0].why,  r->request_id,      r->trace_id,
        p->user_task.raw,
    };
    memcpy(texts, all, sizeof all);
    *count = FX_COUNT(all);
}

static void u3_u4_no_hidden_character_gets_through(void **state)
{
    (void)state;
    static const char *const paths[] = {
        "purchase.merchant.name",
        "purchase.merchant.url",
        "purchase.status_text",
        "purchase.description",
        "purchase.question.prompt",
        "purchase.follow_up.prompt",
        "purchase.details.missing.0",
        "purchase.amount.display",
        "purchase.money.merchant_order_ref",
        "purchase.agent.display_name",
        "purchase.agent.agent_id",
        "user_action.message",
        "next.instruction",
        "follow_ups.0.why",
        "request_id",
        "trace_id",
        "purchase.user_task",
    };
    static const char hostile[] =
        "\"a\\u001b]52;c;eA==\\u0007\\u001b[2J\\u009b1m\\r\\n\\t\\u0000\\u202e\\u2066\\u200b"
        "\\ufeffz\"";
    char *text = alloc_text(fx_rich_text(STATUS));
    for (size_t i = 0; i < FX_COUNT(paths); i++) {
        char *changed = fx_set(text, paths[i], hostile);
        alloc_free(text);
        text = changed;
    }
    struct contract_reply *r = fx_good(STATUS, text);
    const char *texts[32];
    size_t count;
    collect_texts(r, texts, &count);
    assert_int_equal(count, FX_COUNT(paths));
    for (size_t i = 0; i < count; i++) {
        assert_true(strncmp(texts[i], "a<1B>]52;", 9) == 0);
        assert_false(str_has_hidden(texts[i], strlen(texts[i])));
        assert_null(strpbrk(texts[i], "\n\r\t\x1b\x07"));
    }
    assert_non_null(strstr(texts[0], "<00><U+202E>"));
    contract_reply_free(r);
    alloc_free(text);
}

/* A JSON string of count times unit. */
static char *long_string(const char *unit, size_t count)
{
    struct buf b;
    buf_init(&b, 2u << 20);
    assert_int_equal(buf_append_char(&b, '"'), ERR_OK);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(buf_append_str(&b, unit), ERR_OK);
    assert_int_equal(buf_append_char(&b, '"'), ERR_OK);
    return buf_take(&b);
}

static void u7_long_text_is_cut_between_characters(void **state)
{
    (void)state;
    static const struct {
        const char *unit;
        size_t count;
        bool cut;
    } cases[] = {
        {"a", 2000, false}, {"a", 2001, true},       {"₹", 666, false},
        {"₹", 667, true},   {"\\u202e", 250, false}, {"\\u202e", 251, true},
    };
    for (size_t i = 0; i < FX_COUNT(cases); i++) {
        char *value = long_string(cases[i].unit, cases[i].count);
        struct contract_reply *r = with("purchase.status_text", value);
        const char *s = r->purchase->status_text;
        size_t len = strlen(s);
        assert_true(len <= 2000);
        assert_true(str_is_utf8(s, len));
        assert_int_equal(strcmp(s + len - 3, "…") == 0, cases[i].cut);
        contract_reply_free(r);
        alloc_free(value);
    }
}

static void u7_ids_count_characters(void **state)
{
    (void)state;
    char *most = long_string("😀", 128);
    char *more = long_string("😀", 129);
    struct contract_reply *r = with("purchase.question.id", most);
    assert_int_equal(strlen(r->purchase->question.id), 512);
    contract_reply_free(r);
    fx_bad_with(STATUS, fx_rich_text(STATUS), "purchase.question.id", more, ERR_FORMAT);
    alloc_free(most);
    alloc_free(more);
}

static void addresses_that_are_not_clean_are_left_out(void **state)
{
    (void)state;
    static const struct {
        const char *value;
        bool kept;
    } cases[] = {
        {"\"https://pay.example.test/l/1?a=b&c=%20d\"", true},
        {"\"https://पे.example.test/\"", true},
        {"\"http://pay.example.test\"", false},
        {"\"HTTPS://pay.example.test\"", false},
        {"\"javascript:alert(1)\"", false},
        {"\"https://\"", false},
        {"\"https:///x\"", false},
        {"\"https://a.test/ x\"", false},
        {"\"https://a.test/\\n\"", false},
        {"\"https://a.test/\\u001b\"", false},
        {"\"https://a.test/\\u0000\"", false},
        {"\"https://a.test/\\u00a0\"", false},
        {"\"https://a.test/\\u202etxt\"", false},
        {"\" https://a.test/\"", false},
    };
    for (size_t i = 0; i < FX_COUNT(cases); i++) {
        struct contract_reply *r = with("user_action.url", cases[i].value);
        assert_int_equal(r->user_action.url != NULL, cases[i].kept);
        contract_reply_free(r);
    }
    char *longest = long_string("a", 2048 - 8);
    memcpy(longest, "\"", 1);
    char *url = swapped(longest, "\"a", "\"https://a");
    struct contract_reply *r = with("purchase.funding.url", url);
    assert_non_null(r->purchase->funding.url);
    contract_reply_free(r);
    char *over = swapped(url, "\"https://a", "\"https://aa");
    r = with("purchase.funding.url", over);
    assert_true(r->purchase->funding.present && !r->purchase->funding.url);
    contract_reply_free(r);
    alloc_free(longest);
    alloc_free(url);
    alloc_free(over);
}

static void waits_are_cut_to_a_year(void **state)
{
    (void)state;
    struct contract_reply *r = with("next.after_seconds", "9223372036854775807");
    assert_true(r->next.after_seconds == INT64_C(366) * 24 * 3600);
    contract_reply_free(r);
    r = with("next.args", "{\"wait_seconds\":9223372036854775807,\"after_revision\":\"7\","
                          "\"purchase\":\"pur_short\"}");
    assert_true(r->next.wait_seconds == INT64_C(366) * 24 * 3600);
    assert_true(r->next.after_revision == -1);
    assert_string_equal(r->next.purchase, "");
    contract_reply_free(r);
}

static void arguments_come_back_byte_for_byte(void **state)
{
    (void)state;
    static const char odd[] =
        "{ \"purchase\"\n:\t\"" FX_ID "\" , \"n\":1.50e1,\"u\":\"\\u0041\\/\","
        "\"deep\":{\"next\":{\"args\":1}} }";
    struct buf args;
    buf_init(&args, 4096);
    assert_int_equal(buf_printf(&args, "\"args\":%s", odd), ERR_OK);
    char *text = swapped(fx_rich_text(STATUS), "\"args\":" FX_STATUS_ARGS("7"), buf_view(&args));
    struct contract_reply *r = fx_good(STATUS, text);
    assert_string_equal(r->next.args, odd);
    assert_string_equal(r->next.purchase, FX_ID);
    contract_reply_free(r);
    alloc_free(text);
    buf_fini(&args);
}

static void of_twins_the_last_one_counts(void **state)
{
    (void)state;
    char *text = swapped(fx_rich_text(STATUS), "\"args\":" FX_STATUS_ARGS("7"),
                         "\"args\":{\"purchase\":\"first-key-0123456789\"},\"ar\\u0067s\":"
                         "{\"purchase\":\"second-key-0123456789\"}");
    struct contract_reply *r = fx_good(STATUS, text);
    assert_string_equal(r->next.args, "{\"purchase\":\"second-key-0123456789\"}");
    assert_string_equal(r->next.purchase, "second-key-0123456789");
    contract_reply_free(r);
    alloc_free(text);
    /* A second next without args must not fall back on those of the first. */
    text = swapped(fx_rich_text(STATUS), "\"user_action\":{",
                   "\"next\":{\"action\":\"stop\"},\"user_action\":{");
    r = fx_good(STATUS, text);
    assert_int_equal(r->next.action.value, CONTRACT_ACTION_STOP);
    assert_null(r->next.args);
    contract_reply_free(r);
    alloc_free(text);
    text = swapped(fx_rich_text(STATUS), "\"revision\":7", "\"revision\":1,\"revision\":7");
    r = fx_good(STATUS, text);
    assert_true(r->purchase->revision == 7);
    contract_reply_free(r);
    alloc_free(text);
}

static void offers_that_cannot_be_called_are_left_out(void **state)
{
    (void)state;
    struct contract_reply *r =
        with("follow_ups", "[null,{\"tool\":\"get_account\"},{\"tool\":5,\"args\":{}},"
                           "{\"tool\":\"brand_new\",\"args\":{\"type\":\"answer\",\"question\":"
                           "\"vault_save\"}},\"x\",{\"args\":{}}]");
    assert_int_equal(r->follow_up_count, 1);
    assert_int_equal(r->follow_ups[0].tool.value, CONTRACT_UNRECOGNISED);
    assert_string_equal(r->follow_ups[0].question, "vault_save");
    assert_int_equal(r->follow_ups[0].type.value, CONTRACT_ANSWER_TYPE_ANSWER);
    contract_reply_free(r);
}

static void fields_beyond_ten_are_dropped(void **state)
{
    (void)state;
    struct buf b;
    buf_init(&b, 65536);
    assert_int_equal(buf_append_char(&b, '['), ERR_OK);
    for (int i = 0; i < 12; i++)
        assert_int_equal(buf_printf(&b, "%s{\"path\":\"/items/%d\"}", i ? "," : "", i), ERR_OK);
    assert_int_equal(buf_append_char(&b, ']'), ERR_OK);
    struct contract_reply *r = fx_good_with(START, fx_refused, "error.fields", buf_view(&b));
    assert_int_equal(r->error.field_count, CONTRACT_FIELDS_MAX);
    assert_string_equal(r->error.fields[9].path, "/items/9");
    contract_reply_free(r);
    buf_fini(&b);
}

static void discounts_are_never_rounded_up(void **state)
{
    (void)state;
    static const struct {
        const char *value;
        int permille;
    } cases[] = {{"0", 0},      {"2.5", 25},  {"12.29", 122}, {"100", 1000},
                 {"100.1", -1}, {"-0.1", -1}, {"0.3", 3},     {"1e300", -1}};
    for (size_t i = 0; i < FX_COUNT(cases); i++) {
        struct contract_reply *r =
            fx_good_with(CONTRACT_TOOL_GET_MERCHANTS, fx_rich_text(CONTRACT_TOOL_GET_MERCHANTS),
                         "data.merchants.0.discount_percent", cases[i].value);
        assert_int_equal(r->merchants[0].discount_permille, cases[i].permille);
        contract_reply_free(r);
    }
}

static void an_address_id_that_cannot_go_back_is_empty(void **state)
{
    (void)state;
    char *id = long_string("a", 65);
    struct contract_reply *r =
        fx_good_with(CONTRACT_TOOL_GET_ACCOUNT, fx_rich_account, "data.account.addresses.0.id", id);
    assert_string_equal(r->account->addresses[0].id, "");
    contract_reply_free(r);
    alloc_free(id);
}

static void handouts_are_not_looked_at(void **state)
{
    (void)state;
    struct contract_reply *r =
        with("data", "{\"payment_details\":{\"kind\":\"card\",\"card\":{\"number\":\"canary\"}}}");
    struct buf out;
    buf_init(&out, 1u << 20);
    assert_int_equal(contract_reply_encode(r, &out), ERR_OK);
    assert_null(strstr(buf_view(&out), "canary"));
    assert_null(strstr(buf_view(&out), "payment_details"));
    buf_fini(&out);
    contract_reply_free(r);
}

static void a_text_that_is_cut_anywhere_is_refused(void **state)
{
    (void)state;
    const char *text = fx_rich_account;
    size_t len = strlen(text);
    for (size_t n = 0; n < len; n++) {
        /* A copy of the exact size, so that a read beyond it is noticed. */
        char *cut = malloc(n ? n : 1);
        assert_non_null(cut);
        memcpy(cut, text, n);
        struct contract_reply *r = NULL;
        char why[200] = "";
        assert_int_equal(contract_reply_decode(CONTRACT_TOOL_GET_ACCOUNT, cut, n, &r, why),
                         ERR_FORMAT);
        assert_null(r);
        assert_string_equal(why, "not valid JSON");
        free(cut);
    }
}

static void what_is_no_json_is_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",
        " ",
        "null",
        "true",
        "7",
        "\"x\"",
        "[1,2]",
        "{}",
        "{\"a\"",
        "<html>",
        "{\"a\":1}}",
        "{'a':1}",
        "{\"a\":1,}",
        "\xEF\xBB\xBF{}",
        "{\"a\":\"\xff\"}",
        "{\"a\":\"\\ud800\"}",
        "{\"a\":01}",
        "{\"a\\u0000b\":1}",
        "{\"a\":1e999}",
        "\xff\xfe",
    };
    for (size_t i = 0; i < FX_COUNT(texts); i++) {
        char why[200] = "";
        struct contract_reply *r;
        assert_int_equal(fx_decode(STATUS, texts[i], &r, why), ERR_FORMAT);
        assert_true(why[0] != '\0');
    }
}

static void depth_and_size_are_bounded(void **state)
{
    (void)state;
    struct buf b;
    struct contract_reply *r = NULL;
    char why[200];
    buf_init(&b, 4u << 20);
    for (int i = 0; i < 100000; i++)
        assert_int_equal(buf_append_char(&b, '['), ERR_OK);
    assert_int_equal(contract_reply_decode(STATUS, b.data, b.len, &r, why), ERR_LIMIT);
    assert_string_equal(why, "the JSON is nested too deeply");
    buf_clear(&b);
    assert_int_equal(buf_append_str(&b, fx_rich_text(STATUS)), ERR_OK);
    while (b.len < 1024 * 1024)
        assert_int_equal(buf_append_char(&b, ' '), ERR_OK);
    assert_int_equal(contract_reply_decode(STATUS, b.data, b.len, &r, why), ERR_OK);
    contract_reply_free(r);
    assert_int_equal(buf_append_char(&b, ' '), ERR_OK);
    assert_int_equal(contract_reply_decode(STATUS, b.data, b.len, &r, why), ERR_LIMIT);
    buf_fini(&b);
}

static void a_mebibyte_of_text_is_bounded(void **state)
{
    (void)state;
    char *huge = long_string("\\u001b", 160 * 1024);
    char *text = swapped(fx_rich_text(STATUS), "\"Envoy asks.\"", huge);
    struct contract_reply *r = fx_good(STATUS, text);
    assert_true(strlen(r->purchase->status_text) <= 2000);
    contract_reply_free(r);
    alloc_free(text);
    alloc_free(huge);
}

/* Runs once for every allocation that a decode makes, failing that one. */
static void every_failed_allocation_is_reported(void **state)
{
    (void)state;
    for (size_t i = 0; i < FX_COUNT(fx_rich); i++) {
        const char *text = fx_rich[i].text;
        enum err e = ERR_MEMORY;
        unsigned long n = 1;
        for (; e == ERR_MEMORY && n < 100000; n++) {
            struct contract_reply *r = NULL;
            alloc_fail_nth(n);
            e = contract_reply_decode(fx_rich[i].tool, text, strlen(text), &r, NULL);
            alloc_fail_nth(0);
            assert_true((e == ERR_OK) == (r != NULL));
            contract_reply_free(r);
        }
        assert_int_equal(e, ERR_OK);
        assert_true(n > 12);
    }
}

static void copies_and_encodings_survive_no_memory(void **state)
{
    (void)state;
    struct contract_reply *r = fx_good(CONTRACT_TOOL_GET_ACCOUNT, fx_rich_account);
    enum err e = ERR_MEMORY;
    for (unsigned long n = 1; e == ERR_MEMORY; n++) {
        struct contract_purchase *copy = NULL;
        alloc_fail_nth(n);
        e = contract_purchase_copy(r->purchase, &copy);
        alloc_fail_nth(0);
        assert_true((e == ERR_OK) == (copy != NULL));
        contract_purchase_free(copy);
    }
    assert_int_equal(e, ERR_OK);
    e = ERR_MEMORY;
    for (unsigned long n = 1; e == ERR_MEMORY; n++) {
        struct buf out;
        buf_init(&out, 1u << 20);
        alloc_fail_nth(n);
        e = contract_reply_encode(r, &out);
        alloc_fail_nth(0);
        assert_true((e == ERR_OK) == (out.len > 0));
        buf_fini(&out);
    }
    assert_int_equal(e, ERR_OK);
    contract_reply_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(p1_amounts_are_exact),
        cmocka_unit_test(p1_other_money_is_not_rupees),
        cmocka_unit_test(p3_new_values_are_shown_and_never_final),
        cmocka_unit_test(p3_a_long_new_value_is_cut),
        cmocka_unit_test(p3_unknown_fields_are_ignored),
        cmocka_unit_test(p3_null_is_unknown_never_zero),
        cmocka_unit_test(u3_u4_no_hidden_character_gets_through),
        cmocka_unit_test(u7_long_text_is_cut_between_characters),
        cmocka_unit_test(u7_ids_count_characters),
        cmocka_unit_test(addresses_that_are_not_clean_are_left_out),
        cmocka_unit_test(waits_are_cut_to_a_year),
        cmocka_unit_test(arguments_come_back_byte_for_byte),
        cmocka_unit_test(of_twins_the_last_one_counts),
        cmocka_unit_test(offers_that_cannot_be_called_are_left_out),
        cmocka_unit_test(fields_beyond_ten_are_dropped),
        cmocka_unit_test(discounts_are_never_rounded_up),
        cmocka_unit_test(an_address_id_that_cannot_go_back_is_empty),
        cmocka_unit_test(handouts_are_not_looked_at),
        cmocka_unit_test(a_text_that_is_cut_anywhere_is_refused),
        cmocka_unit_test(what_is_no_json_is_refused),
        cmocka_unit_test(depth_and_size_are_bounded),
        cmocka_unit_test(a_mebibyte_of_text_is_bounded),
        cmocka_unit_test(every_failed_allocation_is_reported),
        cmocka_unit_test(copies_and_encodings_survive_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
