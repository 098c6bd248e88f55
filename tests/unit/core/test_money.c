/* SPDX-License-Identifier: Apache-2.0 */
/* Money: grouping, exactness at the ends of the range, and text that must be refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include "core/money.h"

static void amounts_are_grouped_the_indian_way(void **state)
{
    (void)state;
    static const struct {
        int64_t minor;
        const char *text, *ascii, *wire;
    } rows[] = {
        {0, "₹0.00", "INR 0.00", "0.00"},
        {5, "₹0.05", "INR 0.05", "0.05"},
        {100, "₹1.00", "INR 1.00", "1.00"},
        {99999, "₹999.99", "INR 999.99", "999.99"},
        {100000, "₹1,000.00", "INR 1,000.00", "1000.00"},
        {249900, "₹2,499.00", "INR 2,499.00", "2499.00"},
        {1000000, "₹10,000.00", "INR 10,000.00", "10000.00"},
        {10000000, "₹1,00,000.00", "INR 1,00,000.00", "100000.00"},
        {123456789012, "₹1,23,45,67,890.12", "INR 1,23,45,67,890.12", "1234567890.12"},
        {INT64_C(9007199254740993), "₹9,00,71,99,25,47,409.93", "INR 9,00,71,99,25,47,409.93",
         "90071992547409.93"},
        {-5, "-₹0.05", "-INR 0.05", "-0.05"},
        {-249900, "-₹2,499.00", "-INR 2,499.00", "-2499.00"},
        {INT64_MAX, "₹92,23,37,20,36,85,47,758.07", "INR 92,23,37,20,36,85,47,758.07",
         "92233720368547758.07"},
        {INT64_MIN, "-₹92,23,37,20,36,85,47,758.08", "-INR 92,23,37,20,36,85,47,758.08",
         "-92233720368547758.08"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char out[MONEY_TEXT_MAX];
        money_wire(out, rows[i].minor);
        assert_string_equal(out, rows[i].wire);
        money_format(out, rows[i].minor, false);
        assert_string_equal(out, rows[i].text);
        money_format(out, rows[i].minor, true);
        assert_string_equal(out, rows[i].ascii);
    }
}

static void text_is_read_exactly_or_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t minor; /* -1: refused */
    } rows[] = {
        {"0", 0},
        {"5", 500},
        {"0.05", 5},
        {"1299.5", 129950},
        {"2499", 249900},
        {"2499.00", 249900},
        {"₹1,299.00", 129900},
        {"₹2499", 249900},
        {"1,00,000", 10000000},
        {"10,00,000.50", 100000050},
        {"100,000", 10000000},
        {"007", 700},
        {"90071992547409.93", INT64_C(9007199254740993)},
        {"92233720368547758.07", INT64_MAX},
        {"92233720368547758.08", -1},
        {"99999999999999999999", -1},
        {"12345678901234567890", -1},
        {"000000000000000000001", -1}, /* 21 characters */
        {"00000000000000000001", 100}, /* 20 characters */
        {"", -1},
        {"₹", -1},
        {".", -1},
        {".5", -1},
        {"5.", -1},
        {"1.234", -1},
        {"1.2.3", -1},
        {"1 299.5", -1},
        {" 5", -1},
        {"5 ", -1},
        {"₹ 5", -1},
        {"₹₹5", -1},
        {"5₹", -1},
        {"-5", -1},
        {"+5", -1},
        {"1e3", -1},
        {"0x10", -1},
        {"12,50", -1},
        {",5", -1},
        {"5,", -1},
        {"1,,000", -1},
        {"1,0,000", -1},
        {"1000,000", -1},
        {"1,0000", -1},
        {"1,000.0,0", -1},
        {"INR 5", -1},
        {"\xE2\x82", -1},
        {"٥", -1}, /* another script's digit */
        {"nan", -1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int64_t minor = -77;
        enum err e = money_parse(rows[i].text, &minor);
        if (rows[i].minor < 0) {
            if (e != ERR_FORMAT)
                fail_msg("taken: \"%s\"", rows[i].text);
            assert_int_equal(minor, -77);
        } else {
            if (e != ERR_OK || minor != rows[i].minor)
                fail_msg("\"%s\" read as %lld", rows[i].text, (long long)minor);
        }
    }
    int64_t untouched = 3;
    assert_int_equal(money_parse(NULL, &untouched), ERR_FORMAT);
    assert_int_equal(untouched, 3);
}

static void what_is_written_reads_back(void **state)
{
    (void)state;
    static const int64_t amounts[] = {0, 1, 99, 100, 101, 99999, 100000, 1234567, 99999999};
    for (size_t i = 0; i < sizeof amounts / sizeof amounts[0]; i++) {
        char out[MONEY_TEXT_MAX];
        int64_t back = -1;
        money_wire(out, amounts[i]);
        assert_int_equal(money_parse(out, &back), ERR_OK);
        assert_int_equal(back, amounts[i]);
        money_format(out, amounts[i], false);
        assert_int_equal(money_parse(out, &back), ERR_OK);
        assert_int_equal(back, amounts[i]);
        assert_true(money_display_agrees(out, amounts[i]));
        assert_false(money_display_agrees(out, amounts[i] + 1));
        money_format(out, -amounts[i] - 1, true);
        assert_true(money_display_agrees(out, -amounts[i] - 1));
    }
}

static void displays_are_compared_by_value(void **state)
{
    (void)state;
    static const struct {
        const char *display;
        int64_t minor;
        bool agrees;
    } rows[] = {
        {"₹2,499.00", 249900, true},
        {"₹2,499", 249900, true},
        {"INR 2,499.00", 249900, true},
        {"Rs. 2499", 249900, true},
        {"₹\xC2\xA0"
         "1,00,000.00",
         10000000, true},
        {"-₹5.00", -500, true},
        {"₹-5.00", -500, true},
        {"\xE2\x88\x92₹5.00", -500, true},
        {"+₹5.00", 500, true},
        {"₹249,900", 249900, false}, /* paise shown as rupees */
        {"₹24.99", 249900, false},
        {"₹5.00", -500, false},
        {"$2,499.00", 249900, false},
        {"about ₹2,499", 249900, false},
        {"₹2,499.000", 249900, false},
        {"", 0, false},
        {"₹", 0, false},
        {"--5", 500, false},
        {"₹99999999999999999999999999999999999999999999999999999999", 1, false},
        {"₹92233720368547758.08", INT64_MIN, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (money_display_agrees(rows[i].display, rows[i].minor) != rows[i].agrees)
            fail_msg("\"%s\" against %lld", rows[i].display, (long long)rows[i].minor);
    }
    assert_false(money_display_agrees(NULL, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(amounts_are_grouped_the_indian_way),
        cmocka_unit_test(text_is_read_exactly_or_refused),
        cmocka_unit_test(what_is_written_reads_back),
        cmocka_unit_test(displays_are_compared_by_value),
    };
    return cmocka_run_group_tests_name("core/money", tests, NULL, NULL);
}
