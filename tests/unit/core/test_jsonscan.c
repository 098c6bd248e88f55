/* SPDX-License-Identifier: Apache-2.0 */
/* The JSON scanner: paths, twins, hidden copies, the grammar on both sides, strings without heap.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include "core/jsonscan.h"

#define PATH(...)                                                                                  \
    (const char *const[])                                                                          \
    {                                                                                              \
        __VA_ARGS__, NULL                                                                          \
    }

static void values_are_found_by_path(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *path[4];
        const char *value; /* NULL: absent */
    } rows[] = {
        {"{\"a\":1}", {"a"}, "1"},
        {" { \"a\" : [1, 2] , \"b\":2 } ", {"a"}, "[1, 2]"},
        {"{\"data\":{\"card\":{\"n\":\"4\"}}}", {"data", "card"}, "{\"n\":\"4\"}"},
        {"{\"data\":{\"card\":{\"n\":\"4\"}}}", {"data", "card", "n"}, "\"4\""},
        {"{\"data\":null}", {"data"}, "null"},
        {"{\"data\":null}", {"data", "x"}, NULL},
        {"{\"data\":[{\"x\":1}]}", {"data", "x"}, NULL},
        {"{\"data\":{\"y\":{\"x\":1}}}", {"data", "x"}, NULL},
        {"{\"x\":{\"data\":1}}", {"data"}, NULL},
        {"{}", {"a"}, NULL},
        {"[]", {"a"}, NULL},
        {"7", {"a"}, NULL},
        {"{\"a\":1,\"a\":2}", {"a"}, "2"},
        {"{\"d\":{\"a\":1},\"d\":{\"a\":2}}", {"d", "a"}, "2"},
        {"{\"d\":{\"a\":1},\"d\":{}}", {"d", "a"}, NULL},
        {"{\"d\":{\"a\":1},\"d\":5}", {"d", "a"}, NULL},
        {"{\"d\":{\"a\":1,\"a\":{}},\"e\":0}", {"d", "a"}, "{}"},
        {"{\"\\u0061\":1}", {"a"}, "1"},
        {"{\"\\u0061b\\u0063\":1}", {"abc"}, "1"},
        {"{\"a\\\"b\":1}", {"a\"b"}, "1"},
        {"{\"a\\/b\":1}", {"a/b"}, "1"},
        {"{\"\\ud83d\\ude00\":1}", {"\xF0\x9F\x98\x80"}, "1"},
        {"{\"\\ud83d\":1}", {"\xED\xA0\xBD"}, NULL},
        {"{\"a\":1}", {"ab"}, NULL},
        {"{\"ab\":1}", {"a"}, NULL},
        {"{\"\":1}", {""}, "1"},
        {"{\"a\\u0000b\":1}", {"a"}, NULL},
        {"{\"l\":[{\"t\":1},{\"t\":2},{\"u\":3}]}", {"l", "[]", "t"}, "2"},
        {"{\"l\":{\"[]\":4}}", {"l", "[]"}, "4"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct jsonscan_span span = {77, 77};
        size_t len = strlen(rows[i].text);
        enum err e = jsonscan_find(rows[i].text, len, rows[i].path, &span);
        if (!rows[i].value) {
            if (e != ERR_USER)
                fail_msg("found in %s", rows[i].text);
            assert_int_equal(span.start, 77);
            continue;
        }
        if (e != ERR_OK || span.len != strlen(rows[i].value) ||
            memcmp(rows[i].text + span.start, rows[i].value, span.len) != 0)
            fail_msg("wrong in %s", rows[i].text);
    }
    static const char whole[] = " [1] ";
    struct jsonscan_span span;
    static const char *const root[] = {NULL};
    assert_int_equal(jsonscan_find(whole, strlen(whole), root, &span), ERR_OK);
    assert_int_equal(span.start, 1);
    assert_int_equal(span.len, 3);
}

static void the_grammar_is_strict(void **state)
{
    (void)state;
    static const char *const good[] = {
        "0",         "-0",     "10",         "-1.5",     "1e5",
        "1E+5",      "0.1e-5", "true",       "false",    "null",
        "\"\"",      "[]",     "{}",         "[[],{}]",  "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00aF\"",
        "\t\r\n 1 ", "[1,2]",  "{\"a\":{}}", "\"\x7F\"",
    };
    static const char *const bad[] = {
        "",
        " ",
        "01",
        "-",
        "+1",
        ".5",
        "1.",
        "1.e5",
        "1e",
        "1e+",
        "0x1",
        "Infinity",
        "NaN",
        "tru",
        "True",
        "nul",
        "'a'",
        "\"",
        "\"\\\"",
        "\"\\x\"",
        "\"\\u12g4\"",
        "\"\\u12\"",
        "\"a\nb\"",
        "\"\t\"",
        "[",
        "]",
        "[1",
        "[1,",
        "[1,]",
        "[,1]",
        "[1 2]",
        "{",
        "{\"a\"",
        "{\"a\":",
        "{\"a\":1",
        "{\"a\":1,",
        "{\"a\":1,}",
        "{,}",
        "{a:1}",
        "{1:1}",
        "{\"a\" 1}",
        "{\"a\":1 \"b\":2}",
        "1 2",
        "{} x",
        "// c\n1",
        "[1]]",
        "\xEF\xBB\xBF"
        "1",
        "\"\\",
    };
    static const char *const path[] = {NULL};
    struct jsonscan_span span;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        if (jsonscan_find(good[i], strlen(good[i]), path, &span) != ERR_OK)
            fail_msg("refused: %s", good[i]);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        if (jsonscan_find(bad[i], strlen(bad[i]), path, &span) != ERR_FORMAT)
            fail_msg("taken: %s", bad[i]);
    }
    assert_int_equal(jsonscan_find("1\0", 2, path, &span), ERR_FORMAT);
    assert_int_equal(jsonscan_find("\"a\0b\"", 5, path, &span), ERR_FORMAT);
}

static void every_cut_of_a_reply_is_refused(void **state)
{
    (void)state;
    static const char text[] = "{\"data\":{\"p\":[1.5e3,\"x\\u00e9\\n\",true,null,{}]},\"n\":-0}";
    static const char *const path[] = {"data", "p", NULL};
    struct jsonscan_span span;
    assert_int_equal(jsonscan_find(text, sizeof text - 1, path, &span), ERR_OK);
    for (size_t len = 0; len < sizeof text - 1; len++)
        assert_int_equal(jsonscan_find(text, len, path, &span), ERR_FORMAT);
}

static void depth_is_bounded(void **state)
{
    (void)state;
    static const char *const path[] = {NULL};
    struct jsonscan_span span;
    char text[200];
    memset(text, '[', 64);
    memset(text + 64, ']', 64);
    assert_int_equal(jsonscan_find(text, 128, path, &span), ERR_OK);
    memset(text, '[', 65);
    memset(text + 65, ']', 65);
    assert_int_equal(jsonscan_find(text, 130, path, &span), ERR_LIMIT);
    memset(text, '[', sizeof text);
    assert_int_equal(jsonscan_find(text, sizeof text, path, &span), ERR_LIMIT);
}

struct wipe {
    char *text;
    int calls;
};

static void wipe_span(void *ctx, struct jsonscan_span span)
{
    struct wipe *w = ctx;
    w->calls++;
    memset(w->text + span.start, ' ', span.len);
    memcpy(w->text + span.start, "0", 1);
}

static void every_copy_is_reached(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int calls;
    } rows[] = {
        {"{\"data\":{\"card\":\"SECRET\"}}", 1},
        {"{\"data\":{\"card\":\"SECRET\",\"card\":\"SECRET\"}}", 2},
        {"{\"data\":{\"card\":{\"n\":\"SECRET\"}},\"data\":{\"\\u0063ard\":[\"SECRET\"]}}", 2},
        {"{\"data\":{\"card\":\"SECRET\"},\"data\":null}", 1},
        {"{\"data\":{\"other\":1}}", 0},
    };
    static const char *const path[] = {"data", "card", NULL};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[200];
        struct wipe w = {.text = text};
        snprintf(text, sizeof text, "%s", rows[i].text);
        assert_int_equal(jsonscan_each(text, strlen(text), path, wipe_span, &w), ERR_OK);
        assert_int_equal(w.calls, rows[i].calls);
        assert_null(strstr(text, "SECRET"));
        static const char *const root[] = {NULL};
        struct jsonscan_span span;
        assert_int_equal(jsonscan_find(text, strlen(text), root, &span), ERR_OK);
    }
    char list[] = "{\"content\":[{\"text\":\"SECRET\"},{\"text\":\"SECRET\"},7]}";
    struct wipe w = {.text = list};
    assert_int_equal(
        jsonscan_each(list, strlen(list), PATH("content", "[]", "text"), wipe_span, &w), ERR_OK);
    assert_int_equal(w.calls, 2);
    assert_null(strstr(list, "SECRET"));
    char cut[] = "{\"data\":{\"card\":\"SECRET\"},";
    w = (struct wipe){.text = cut};
    assert_int_equal(jsonscan_each(cut, strlen(cut), path, wipe_span, &w), ERR_FORMAT);
}

static void elements_are_found_by_number(void **state)
{
    (void)state;
    static const char text[] = "{\"l\": [ 1 , \"two\" ,[3,[4]] , {\"f\":[]}],\"e\":[ ],\"o\":{}}";
    static const char *const values[] = {"1", "\"two\"", "[3,[4]]", "{\"f\":[]}"};
    struct jsonscan_span list;
    struct jsonscan_span item;
    assert_int_equal(jsonscan_find(text, sizeof text - 1, PATH("l"), &list), ERR_OK);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(jsonscan_item(text, list, i, &item), ERR_OK);
        assert_int_equal(item.len, strlen(values[i]));
        assert_memory_equal(text + item.start, values[i], item.len);
    }
    assert_int_equal(jsonscan_item(text, list, 4, &item), ERR_USER);
    assert_int_equal(jsonscan_find(text, sizeof text - 1, PATH("e"), &list), ERR_OK);
    assert_int_equal(jsonscan_item(text, list, 0, &item), ERR_USER);
    assert_int_equal(jsonscan_find(text, sizeof text - 1, PATH("o"), &list), ERR_OK);
    assert_int_equal(jsonscan_item(text, list, 0, &item), ERR_FORMAT);
    struct jsonscan_span cut = {0, 2};
    assert_int_equal(jsonscan_item("[1 2]", cut, 1, &item), ERR_FORMAT);
}

static enum err unescape(const char *text, char *out, size_t size, size_t *len)
{
    struct jsonscan_span span = {.start = 0, .len = strlen(text)};
    return jsonscan_string(text, span, out, size, len);
}

static void strings_are_unescaped(void **state)
{
    (void)state;
    static const struct {
        const char *text, *value; /* NULL: ERR_FORMAT */
    } rows[] = {
        {"\"\"", ""},
        {"\"4111 1111\"", "4111 1111"},
        {"\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\/\b\f\n\r\t"},
        {"\"\\u0041\\u00e9\\u20B9\"", "Aé₹"},
        {"\"\\ud83d\\ude00\"", "\xF0\x9F\x98\x80"},
        {"\"é₹\"", "é₹"},
        {"\"\\ud83d\"", NULL},
        {"\"\\ude00\"", NULL},
        {"\"\\ud83dx\"", NULL},
        {"\"\\ud83d\\u0041\"", NULL},
        {"\"\\ud83d\\ud83d\"", NULL},
        {"\"a\" ", NULL},
        {"\"a", NULL},
        {"a", NULL},
        {"", NULL},
        {"1", NULL},
        {"\"a\"b\"", NULL},
        {"\"\\q\"", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char out[64];
        size_t len = 999;
        enum err e = unescape(rows[i].text, out, sizeof out, &len);
        if (!rows[i].value) {
            assert_int_equal(e, ERR_FORMAT);
            assert_int_equal(len, 999);
            continue;
        }
        assert_int_equal(e, ERR_OK);
        assert_string_equal(out, rows[i].value);
        assert_int_equal(len, strlen(rows[i].value));
    }
    char out[8];
    size_t len;
    assert_int_equal(unescape("\"a\\u0000b\"", out, sizeof out, &len), ERR_OK);
    assert_int_equal(len, 3);
    assert_memory_equal(out, "a\0b", 4);
}

static void a_small_buffer_is_left_wiped(void **state)
{
    (void)state;
    char out[8] = "xxxxxxx";
    size_t len = 5;
    assert_int_equal(unescape("\"1234567\"", out, sizeof out, &len), ERR_OK);
    assert_string_equal(out, "1234567");
    assert_int_equal(unescape("\"12345678\"", out, sizeof out, &len), ERR_LIMIT);
    assert_memory_equal(out, "\0\0\0\0\0\0\0\0", 8);
    assert_int_equal(unescape("\"12345\\ud83d\"", out, sizeof out, &len), ERR_FORMAT);
    assert_memory_equal(out, "\0\0\0\0\0\0\0\0", 8);
    assert_int_equal(unescape("\"\"", out, 0, &len), ERR_LIMIT);
    assert_int_equal(unescape("\"\"", out, 1, &len), ERR_OK);
    assert_int_equal(unescape("\"a\"", out, 1, &len), ERR_LIMIT);
}

static void random_edits_do_no_harm(void **state)
{
    (void)state;
    static const char base[] =
        "{\"data\":{\"card\":{\"n\":\"4\\u0031\"},\"l\":[1,-2.5e1,true,null]}}";
    static const char *const path[] = {"data", "card", NULL};
    uint32_t seed = 7;
    for (int round = 0; round < 20000; round++) {
        char text[sizeof base];
        memcpy(text, base, sizeof base);
        for (int i = 0; i < 1 + round % 3; i++) {
            seed = seed * 1664525 + 1013904223;
            text[(seed >> 8) % (sizeof base - 1)] = (char)(seed >> 24);
        }
        struct jsonscan_span span = {0, 0};
        enum err e = jsonscan_find(text, sizeof base - 1, path, &span);
        assert_true(e == ERR_OK || e == ERR_USER || e == ERR_FORMAT);
        assert_true(span.start + span.len <= sizeof base - 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_found_by_path),
        cmocka_unit_test(the_grammar_is_strict),
        cmocka_unit_test(every_cut_of_a_reply_is_refused),
        cmocka_unit_test(depth_is_bounded),
        cmocka_unit_test(every_copy_is_reached),
        cmocka_unit_test(elements_are_found_by_number),
        cmocka_unit_test(strings_are_unescaped),
        cmocka_unit_test(a_small_buffer_is_left_wiped),
        cmocka_unit_test(random_edits_do_no_harm),
    };
    return cmocka_run_group_tests_name("core/jsonscan", tests, NULL, NULL);
}
