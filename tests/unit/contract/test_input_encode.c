/* SPDX-License-Identifier: Apache-2.0 */
/* Bodies built from structs: exact bytes, refusals before a byte is appended, the frame around a
 * secret answer, and arguments that go back unchanged. */
#include "unit/contract/fixtures.h"
#include "core/buf.h"

static struct buf out;
static struct contract_problems problems;

static int begin(void **state)
{
    (void)state;
    buf_init(&out, CONTRACT_BODY_MAX);
    return 0;
}

static int end(void **state)
{
    (void)state;
    buf_fini(&out);
    return 0;
}

static struct contract_start_input start_input(void)
{
    struct contract_start_input in = {
        .idempotency_key = FX_KEY,
        .merchant_url = "https://shop.example.test",
        .total = "₹2,499",
        .items = {{.name = "Headphones \"X\"\n"}},
        .item_count = 1,
        .user_request = "Buy the headphones",
        .rail = CONTRACT_ABSENT,
    };
    return in;
}

static void a_start_is_written_as_the_schema_wants(void **state)
{
    (void)state;
    struct contract_start_input in = start_input();
    assert_int_equal(contract_encode_start(&in, &out, &problems), ERR_OK);
    assert_string_equal(buf_view(&out),
                        "{\"idempotency_key\":\"" FX_KEY "\",\"merchant_url\":"
                        "\"https://shop.example.test\",\"total\":\"2499.00\",\"items\":[{\"name\":"
                        "\"Headphones \\\"X\\\"\\n\"}],\"user_request\":\"Buy the headphones\"}");
}

static void a_start_with_everything_passes(void **state)
{
    (void)state;
    struct contract_start_input in = start_input();
    in.merchant_logo = "shop.example.test/logo.png";
    in.items[0] = (struct contract_item){.name = "Headphones",
                                         .quantity = 99,
                                         .url = "shop.example.test/h",
                                         .image = "shop.example.test/h.jpg",
                                         .price = "2499"};
    in.address = "Asha, 98765 43210, 12 MG Road, Bengaluru 560001";
    in.max_total = "2600.5";
    in.rail = CONTRACT_RAIL_CHOICE_OPERATED_CHECKOUT;
    in.order_title = "Order";
    in.price_lines[0] = (struct contract_pair){"item_total", "2400.00"};
    in.price_lines[1] = (struct contract_pair){"delivery", "99.00"};
    in.price_line_count = 2;
    in.facts[0] = (struct contract_pair){"arrives", "Friday"};
    in.fact_count = 1;
    assert_int_equal(contract_encode_start(&in, &out, &problems), ERR_OK);
    assert_non_null(strstr(buf_view(&out), "\"quantity\":99,"));
    assert_non_null(strstr(buf_view(&out), "\"max_total\":\"2600.50\",\"rail\":"
                                           "\"operated_checkout\",\"order_title\":\"Order\","
                                           "\"price_lines\":[{\"code\":\"item_total\",\"amount\":"
                                           "\"2400.00\"},{\"code\":\"delivery\",\"amount\":"
                                           "\"99.00\"}],\"facts\":[{\"code\":\"arrives\","
                                           "\"value\":\"Friday\"}]}"));
}

static void a_refused_start_leaves_the_buffer_alone(void **state)
{
    (void)state;
    struct contract_start_input in = start_input();
    assert_int_equal(buf_append_str(&out, "before"), ERR_OK);
    in.total = "a lot";
    in.user_request = NULL;
    in.rail = 77;
    in.items[0].name = NULL;
    assert_int_equal(contract_encode_start(&in, &out, &problems), ERR_USER);
    assert_int_equal(problems.count, 4);
    assert_string_equal(problems.fields[0].path, "/total");
    assert_string_equal(problems.fields[1].path, "/items/0/name");
    assert_string_equal(problems.fields[2].path, "/user_request");
    assert_string_equal(problems.fields[3].path, "/rail");
    in = start_input();
    in.item_count = 21;
    for (size_t i = 0; i < 21; i++)
        in.items[i].name = "n";
    assert_int_equal(contract_encode_start(&in, &out, &problems), ERR_USER);
    assert_string_equal(problems.fields[0].path, "/items");
    in = start_input();
    in.items[0].name = "bad \xff";
    assert_int_equal(contract_encode_start(&in, &out, &problems), ERR_USER);
    assert_string_equal(problems.fields[0].problem, "is not valid UTF-8 text");
    in = start_input();
    in.fact_count = CONTRACT_PAIRS_MAX + 1;
    assert_int_equal(contract_encode_start(&in, &out, &problems), ERR_BUG);
    assert_string_equal(buf_view(&out), "before");
}

static void a_body_that_does_not_fit_is_refused(void **state)
{
    (void)state;
    struct contract_start_input in = start_input();
    char *title = alloc_zero(1, CONTRACT_BODY_MAX + 1);
    assert_non_null(title);
    memset(title, 'a', CONTRACT_BODY_MAX);
    in.order_title = title;
    assert_int_equal(contract_encode_start(&in, &out, &problems), ERR_USER);
    assert_string_equal(problems.fields[0].problem, "is too large");
    alloc_free(title);
    struct buf small;
    buf_init(&small, 10);
    in.order_title = NULL;
    assert_int_equal(contract_encode_start(&in, &small, &problems), ERR_USER);
    assert_int_equal(small.len, 0);
    buf_fini(&small);
}

static const struct contract_answer_input feedback = {
    .tool = CONTRACT_TOOL_SUBMIT_ANSWER,
    .type = CONTRACT_ANSWER_TYPE_FEEDBACK,
    .purchase = FX_ID,
    .question = "f-1",
    .idempotency_key = "synthetic-answer-0001",
    .answer = "Fine",
    .rating = 5,
};

static void the_other_tools_write_their_fields(void **state)
{
    (void)state;
    const struct contract_report_input report = {.purchase = FX_ID,
                                                 .checkout_attempt_id = FX_UUID,
                                                 .outcome = CONTRACT_OUTCOME_PAID,
                                                 .failure_reason = CONTRACT_ABSENT,
                                                 .merchant_order_ref = "O-1",
                                                 .amount_paid = "2499"};
    const struct contract_step_input step = {.purchase = FX_ID, .step = CONTRACT_STEP_BLOCKED};
    const struct contract_status_input held = {
        .purchase = FX_ID, .after_revision = 7, .wait_seconds = 45};
    const struct contract_status_input plain = {
        .purchase = FX_ID, .after_revision = -1, .wait_seconds = -1};
    const struct contract_transactions_input history = {
        .from = "2026-09-01", .to = "2026-09-30", .cursor = "c", .limit = 20};
    enum err e[12] = {ERR_OK};
    size_t n = 0;
    e[n++] = contract_encode_answer(&feedback, &out, &problems);
    e[n++] = contract_encode_report(&report, &out, &problems);
    e[n++] = contract_encode_step(&step, &out, &problems);
    e[n++] = contract_encode_status(&held, &out, &problems);
    e[n++] = contract_encode_status(&plain, &out, &problems);
    e[n++] = contract_encode_cancel(FX_ID, NULL, &out, &problems);
    e[n++] = contract_encode_account(0, &out, &problems);
    e[n++] = contract_encode_account(1u << CONTRACT_SECTION_BALANCE | 1u << CONTRACT_SECTION_AGENT,
                                     &out, &problems);
    e[n++] = contract_encode_purchases(20, &out, &problems);
    e[n++] = contract_encode_transactions(&history, &out, &problems);
    e[n++] = contract_encode_search("whey", 2, "addr_1", &out, &problems);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(e[i], ERR_OK);
    assert_string_equal(
        buf_view(&out),
        "{\"type\":\"feedback\",\"purchase\":\"" FX_ID "\",\"question\":\"f-1\",\"rating\":5,"
        "\"idempotency_key\":\"synthetic-answer-0001\",\"answer\":\"Fine\"}"
        "{\"purchase\":\"" FX_ID "\",\"checkout_attempt_id\":\"" FX_UUID
        "\",\"outcome\":\"paid\",\"merchant_order_ref\":\"O-1\",\"amount_paid\":\"2499.00\"}"
        "{\"purchase\":\"" FX_ID "\",\"step\":\"blocked\"}"
        "{\"purchase\":\"" FX_ID "\",\"after_revision\":7,\"wait_seconds\":45}"
        "{\"purchase\":\"" FX_ID "\"}"
        "{\"purchase\":\"" FX_ID "\"}"
        "{}"
        "{\"include\":[\"balance\",\"agent\"]}"
        "{\"limit\":20}"
        "{\"from\":\"2026-09-01\",\"to\":\"2026-09-30\",\"limit\":20,\"cursor\":\"c\"}"
        "{\"query\":\"whey\",\"quantity\":2,\"address_id\":\"addr_1\"}");
}

static void the_other_tools_refuse(void **state)
{
    (void)state;
    const struct contract_report_input report = {
        .purchase = FX_ID, .outcome = CONTRACT_OUTCOME_FAILED, .failure_reason = CONTRACT_ABSENT};
    const struct contract_step_input step = {.purchase = "short", .step = 99};
    const struct contract_status_input held = {
        .purchase = FX_ID, .after_revision = 7, .wait_seconds = 46};
    const struct contract_transactions_input history = {.from = "2026-10-01", .to = "2026-09-30"};
    struct contract_answer_input answer = feedback;
    answer.answer = NULL;
    assert_int_equal(contract_encode_answer(&answer, &out, &problems), ERR_USER);
    assert_string_equal(problems.fields[0].path, "/answer");
    answer.tool = CONTRACT_TOOL_GET_ACCOUNT;
    assert_int_equal(contract_encode_answer(&answer, &out, &problems), ERR_BUG);
    assert_int_equal(contract_encode_report(&report, &out, &problems), ERR_USER);
    assert_string_equal(problems.fields[0].path, "/failure_reason");
    assert_int_equal(contract_encode_step(&step, &out, &problems), ERR_USER);
    assert_int_equal(problems.count, 2);
    assert_int_equal(contract_encode_status(&held, &out, &problems), ERR_USER);
    assert_int_equal(contract_encode_cancel(NULL, "x", &out, &problems), ERR_USER);
    assert_int_equal(contract_encode_purchases(21, &out, &problems), ERR_USER);
    assert_int_equal(contract_encode_transactions(&history, &out, &problems), ERR_USER);
    assert_int_equal(contract_encode_search(NULL, 1, NULL, &out, &problems), ERR_USER);
    assert_int_equal(out.len, 0);
}

static void a_secret_answer_goes_between_head_and_tail(void **state)
{
    (void)state;
    struct buf tail;
    struct contract_answer_input in = feedback;
    buf_init(&tail, 16);
    in.answer = NULL;
    in.type = CONTRACT_ANSWER_TYPE_ANSWER;
    assert_int_equal(contract_answer_frame(&in, &out, &tail, &problems), ERR_USER); /* rating */
    assert_true(out.len == 0 && tail.len == 0);
    in.rating = 0;
    assert_int_equal(contract_answer_frame(&in, &out, &tail, &problems), ERR_OK);
    assert_string_equal(buf_view(&out), "{\"type\":\"answer\",\"purchase\":\"" FX_ID
                                        "\",\"question\":\"f-1\",\"idempotency_key\":"
                                        "\"synthetic-answer-0001\",\"answer\":");
    assert_string_equal(buf_view(&tail), "}");
    in.answer = "123456";
    assert_int_equal(contract_answer_frame(&in, &out, &tail, &problems), ERR_BUG);
    buf_fini(&tail);
}

static void arguments_are_extended_byte_for_byte(void **state)
{
    (void)state;
    static const struct {
        const char *args, *extra, *expected;
    } cases[] = {
        {"{}", "\"a\":1", "{\"a\":1}"},
        {"{ }", "\"a\":1", "{ \"a\":1}"},
        {" {\"x\" : 1.50, \"y\":\"}\"\n} ", "\"a\":1", " {\"x\" : 1.50, \"y\":\"}\"\n,\"a\":1} "},
        {"{\"x\":{}}", "", "{\"x\":{}}"},
    };
    for (size_t i = 0; i < FX_COUNT(cases); i++) {
        buf_clear(&out);
        assert_int_equal(contract_args_extend(cases[i].args, cases[i].extra, &out), ERR_OK);
        assert_string_equal(buf_view(&out), cases[i].expected);
    }
    static const char *const bad[] = {"", "[]", "null", "{", "{}}", "{\"a\":1,}"};
    buf_clear(&out);
    for (size_t i = 0; i < FX_COUNT(bad); i++)
        assert_int_equal(contract_args_extend(bad[i], "\"a\":1", &out), ERR_FORMAT);
    assert_int_equal(out.len, 0);
    struct buf small;
    buf_init(&small, 6);
    assert_int_equal(contract_args_extend("{\"x\":1}", "\"a\":1", &small), ERR_LIMIT);
    assert_int_equal(small.len, 0);
    buf_fini(&small);
}

static void strings_are_escaped(void **state)
{
    (void)state;
    assert_int_equal(contract_json_string(&out, "a\"b\\c\n\t\x01\x7f/é😀"), ERR_OK);
    assert_string_equal(buf_view(&out), "\"a\\\"b\\\\c\\n\\t\\u0001\\u007f/é😀\"");
    assert_int_equal(contract_json_string(&out, "\xc0\x80"), ERR_FORMAT);
    assert_int_equal(contract_json_string(&out, "\xed\xa0\x80"), ERR_FORMAT);
}

static void no_memory_is_reported_and_nothing_is_appended(void **state)
{
    (void)state;
    struct contract_start_input in = start_input();
    enum err e = ERR_MEMORY;
    for (unsigned long n = 1; e == ERR_MEMORY; n++) {
        alloc_fail_nth(n);
        e = contract_encode_start(&in, &out, &problems);
        alloc_fail_nth(0);
        assert_true((e == ERR_OK) == (out.len > 0));
    }
    assert_int_equal(e, ERR_OK);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, begin, end)
    const struct CMUnitTest tests[] = {
        TEST(a_start_is_written_as_the_schema_wants),
        TEST(a_start_with_everything_passes),
        TEST(a_refused_start_leaves_the_buffer_alone),
        TEST(a_body_that_does_not_fit_is_refused),
        TEST(the_other_tools_write_their_fields),
        TEST(the_other_tools_refuse),
        TEST(a_secret_answer_goes_between_head_and_tail),
        TEST(arguments_are_extended_byte_for_byte),
        TEST(strings_are_escaped),
        TEST(no_memory_is_reported_and_nothing_is_appended),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
