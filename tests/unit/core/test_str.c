/* SPDX-License-Identifier: Apache-2.0 */
/* Text in cells: decoding, clusters, widths, cutting and wrapping, on friendly and hostile bytes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include "core/str.h"

#define ACUTE  "\xCC\x81"
#define ZWJ    "\xE2\x80\x8D"
#define VS15   "\xEF\xB8\x8E"
#define VS16   "\xEF\xB8\x8F"
#define FAMILY "\xF0\x9F\x91\xA8" ZWJ "\xF0\x9F\x91\xA9" ZWJ "\xF0\x9F\x91\xA7"
#define FLAG   "\xF0\x9F\x87\xAE\xF0\x9F\x87\xB3"
#define COFFEE "\xE2\x98\x95"

static void code_points_are_decoded_strictly(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        int32_t cp; /* -1: invalid, one byte used */
        size_t used;
    } rows[] = {
        {"A", 'A', 1},
        {"\x7F", 0x7F, 1},
        {"\xC2\x80", 0x80, 2},
        {"\xDF\xBF", 0x7FF, 2},
        {"\xE0\xA0\x80", 0x800, 3},
        {"\xED\x9F\xBF", 0xD7FF, 3},
        {"\xEE\x80\x80", 0xE000, 3},
        {"\xEF\xBF\xBF", 0xFFFF, 3},
        {"\xF0\x90\x80\x80", 0x10000, 4},
        {"\xF4\x8F\xBF\xBF", 0x10FFFF, 4},
        {"\x80", -1, 1},
        {"\xBF", -1, 1},
        {"\xC0\x80", -1, 1},
        {"\xC1\xBF", -1, 1},
        {"\xC2", -1, 1},
        {"\xC2\x41", -1, 1},
        {"\xE0\x9F\xBF", -1, 1},
        {"\xE2\x82", -1, 1},
        {"\xED\xA0\x80", -1, 1},
        {"\xED\xBF\xBF", -1, 1},
        {"\xF0\x8F\xBF\xBF", -1, 1},
        {"\xF0\x9F\x91", -1, 1},
        {"\xF4\x90\x80\x80", -1, 1},
        {"\xF5\x80\x80\x80", -1, 1},
        {"\xF8\x88\x80\x80\x80", -1, 1},
        {"\xFE", -1, 1},
        {"\xFF", -1, 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int32_t cp = 0;
        size_t len = strlen(rows[i].bytes);
        assert_int_equal(str_decode(rows[i].bytes, len, &cp), rows[i].used);
        assert_int_equal(cp, rows[i].cp);
        assert_int_equal(str_is_utf8(rows[i].bytes, len), rows[i].cp >= 0);
    }
    int32_t cp = 5;
    assert_int_equal(str_decode("x", 0, &cp), 0);
    assert_int_equal(str_decode("\0", 1, &cp), 1);
    assert_int_equal(cp, 0);
    assert_true(str_is_utf8("", 0));
}

static void every_scalar_value_survives(void **state)
{
    (void)state;
    char out[4];
    for (int32_t cp = 0; cp <= 0x10FFFF; cp++) {
        size_t n = str_encode(cp, out);
        if (cp >= 0xD800 && cp <= 0xDFFF) {
            assert_int_equal(n, 0);
            continue;
        }
        int32_t back = -2;
        if (n == 0 || str_decode(out, n, &back) != n || back != cp)
            fail_msg("U+%04X", (unsigned)cp);
    }
    assert_int_equal(str_encode(-1, out), 0);
    assert_int_equal(str_encode(0x110000, out), 0);
}

static void clusters_have_their_bytes_and_cells(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t bytes;
        int cells;
    } rows[] = {
        {"", 0, 0},
        {"a", 1, 1},
        {"ab", 1, 1},
        {" ", 1, 1},
        {"e" ACUTE "x", 3, 1},
        {"e" ACUTE ACUTE ACUTE, 7, 1},
        {ACUTE, 2, 0},
        {"₹", 3, 1},
        {"…", 3, 1},
        {"世", 3, 2},
        {"蓮x", 3, 2},
        {"\xEF\xBC\xA1", 3, 2}, /* full-width A */
        {"\xEF\xBD\xB1", 3, 1}, /* half-width kana */
        {"한", 3, 2},
        {"\xE1\x84\x92\xE1\x85\xA1\xE1\x86\xAB", 9, 2}, /* the same from its letters */
        {COFFEE, 3, 2},
        {FLAG "\xF0\x9F\x87\xAF\xF0\x9F\x87\xB5", 8, 2}, /* two flags in a row */
        {"\xF0\x9F\x87\xAE", 4, 1},                      /* half a flag */
        {FAMILY, 18, 2},
        {"\xF0\x9F\x91\x8D\xF0\x9F\x8F\xBD", 8, 2}, /* thumb with a skin tone */
        {"\xE2\x9D\xA4", 3, 1},                     /* heart as text */
        {"\xE2\x9D\xA4" VS16, 6, 2},
        {"\xE2\x8C\x9B", 3, 2}, /* hourglass */
        {"\xE2\x8C\x9B" VS15, 6, 2},
        {"\xE2\x9D\xA4" VS15, 6, 1},
        {"1" VS16 "\xE2\x83\xA3", 7, 2}, /* keycap */
        {"a" VS16, 4, 1},
        {"\xE0\xA4\x95", 3, 1},             /* ka */
        {"\xE0\xA4\x95\xE0\xA4\xBE", 6, 2}, /* ka with a spacing vowel */
        {"\xE0\xA4\x95\xE0\xA5\x81", 6, 1}, /* ka with a vowel below */
        {"\xE0\xAE\xA8\xE0\xAE\xBF", 6, 2}, /* Tamil ni */
        {"\r\n", 2, 0},
        {"\xFF"
         "a",
         1, 1},
        {"a\xFF", 1, 1},
        {"\xE2\x82", 1, 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *s = rows[i].text;
        size_t bytes = str_cluster(s, strlen(s));
        int cells = str_cluster_cells(s, strlen(s));
        if (bytes != rows[i].bytes || cells != rows[i].cells)
            fail_msg("row %zu: %zu bytes, %d cells", i, bytes, cells);
    }
}

static void walking_back_undoes_walking_forth(void **state)
{
    (void)state;
    static const char text[] =
        "e" ACUTE FAMILY FLAG FLAG "a\xE2\x8C\x9B" VS15 "\xFF\xE0\xA4\x95\xE0\xA4\xBE世";
    size_t starts[32];
    size_t count = 0;
    for (size_t at = 0; at < sizeof text - 1; at += str_cluster(text + at, sizeof text - 1 - at))
        starts[count++] = at;
    assert_int_equal(count, 9);
    size_t at = sizeof text - 1;
    while (count > 0) {
        at = str_cluster_before(text, at);
        assert_int_equal(at, starts[--count]);
    }
    assert_int_equal(str_cluster_before(text, 0), 0);
    assert_int_equal(str_cluster_before("", 5), 0);
    assert_int_equal(str_cluster_before("abc", 99), 2);
}

static void characters_are_counted_as_the_contract_does(void **state)
{
    (void)state;
    assert_int_equal(str_code_points(""), 0);
    assert_int_equal(str_code_points("abc"), 3);
    assert_int_equal(str_code_points("₹₹"), 2);
    assert_int_equal(str_code_points("e" ACUTE), 2);
    assert_int_equal(str_code_points(FAMILY), 5);
    assert_int_equal(str_code_points("\xFF\xFE"), 2);
    char many[800 * 4 + 1];
    for (size_t i = 0; i < 800; i++)
        memcpy(many + i * 4, "\xF0\x9F\x98\x80", 4);
    many[3200] = '\0';
    assert_int_equal(str_code_points(many), 800);
    assert_int_equal(str_width_cells(many), 1600);
}

static void prefixes_fit_whole_clusters(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int width;
        size_t bytes;
    } rows[] = {
        {"hello", -1, 0},    {"hello", 0, 0},       {"hello", 3, 3},  {"hello", 5, 5},
        {"hello", 9, 5},     {"世界", 1, 0},        {"世界", 2, 3},   {"世界", 3, 3},
        {"世界", 4, 6},      {"a世", 2, 1},         {FLAG "x", 1, 0}, {FLAG "x", 2, 8},
        {FAMILY "x", 3, 19}, {"e" ACUTE "x", 1, 3}, {"", 4, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_int_equal(str_fit_bytes(rows[i].text, rows[i].width), rows[i].bytes);
}

static void cut_texts_fit_and_say_so(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int width;
        size_t size;
        const char *plain, *ascii;
    } rows[] = {
        {"hello", 5, 64, "hello", "hello"},
        {"hello", 9, 64, "hello", "hello"},
        {"hello", 4, 64, "hel…", "hel~"},
        {"hello", 1, 64, "…", "~"},
        {"hello", 0, 64, "", ""},
        {"hello", -3, 64, "", ""},
        {"", 0, 64, "", ""},
        {"", 5, 64, "", ""},
        {"Blue Tokai", 6, 64, "Blue…", "Blue~"},
        {"世界平和", 8, 64, "世界平和", "世界平和"},
        {"世界平和", 7, 64, "世界平…", "世界平~"},
        {"世界平和", 6, 64, "世界…", "世界~"},
        {"世界平和", 2, 64, "…", "~"},
        {FAMILY "abc", 4, 64, FAMILY "a…", FAMILY "a~"},
        {FAMILY "abc", 2, 64, "…", "~"},
        {"hello", 5, 6, "hello", "hello"},
        {"hello", 5, 5, "h…", "hel~"},
        {"世界", 4, 6, "…", "世~"},
        {"hello", 5, 4, "…", "he~"},
        {"hello", 5, 3, "", "h~"},
        {"hello", 5, 1, "", ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char out[64];
        str_cut(out, rows[i].size, rows[i].text, rows[i].width, false);
        assert_string_equal(out, rows[i].plain);
        str_cut(out, rows[i].size, rows[i].text, rows[i].width, true);
        assert_string_equal(out, rows[i].ascii);
    }
    char untouched = 'x';
    str_cut(&untouched, 0, "hello", 3, false);
    assert_int_equal(untouched, 'x');
}

/* Joins wrapped lines with '|' for comparison. */
static const char *wrapped(const char *text, int width, char *out, size_t size)
{
    struct str_line lines[64];
    size_t count = str_wrap(text, width, lines, 64);
    size_t at = 0;
    assert_true(count <= 64);
    for (size_t i = 0; i < count; i++)
        at += (size_t)snprintf(out + at, size - at, "%s%.*s", i > 0 ? "|" : "", (int)lines[i].len,
                               text + lines[i].start);
    out[at] = '\0';
    return out;
}

static void text_is_wrapped_at_blanks(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int width;
        const char *lines;
    } rows[] = {
        {"", 10, ""},
        {"one", 10, "one"},
        {"one two", 7, "one two"},
        {"one two", 6, "one|two"},
        {"one two", 3, "one|two"},
        {"one two", 4, "one|two"},
        {"one   two", 4, "one|two"},
        {"one two three", 8, "one two|three"},
        {"abcdefgh", 3, "abc|def|gh"},
        {"ab cdefgh", 3, "ab|cde|fgh"},
        {"  indented text", 10, "  indented|text"},
        {"a\nb", 10, "a|b"},
        {"a\n\nb", 10, "a||b"},
        {"a\n", 10, "a|"},
        {"\n", 10, "|"},
        {"one two\nthree four", 5, "one|two|three|four"},
        {"世界平和", 5, "世界|平和"},
        {"世界", 1, "世|界"},
        {"x世", 1, "x|世"},
        {FAMILY FLAG, 3, FAMILY "|" FLAG},
        {"ab", 0, "a|b"},
        {"ab", -5, "a|b"},
        {"one two   ", 7, "one two"},
        {"a b c d e", 1, "a|b|c|d|e"},
        {"     ", 2, ""},
        {"tab\there", 4, "tab|here"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char out[256];
        assert_string_equal(wrapped(rows[i].text, rows[i].width, out, sizeof out), rows[i].lines);
    }
    struct str_line two[2] = {{7, 7}, {7, 7}};
    assert_int_equal(str_wrap("a b c d", 1, two, 2), 4);
    assert_int_equal(two[1].start, 2);
    assert_int_equal(str_wrap("a b c d", 1, NULL, 0), 4);
}

static void wrapped_lines_never_exceed_the_width(void **state)
{
    (void)state;
    static const char text[] = "The courier asks: flat no. 12-B, 世界 Towers, " FAMILY " gate " FLAG
                               " or \xE0\xA4\x95\xE0\xA4\xBE? averylongwordwithoutanyblankinside";
    for (int width = 2; width < 60; width++) {
        struct str_line lines[64];
        size_t count = str_wrap(text, width, lines, 64);
        size_t at = 0;
        for (size_t i = 0; i < count; i++) {
            char line[256];
            snprintf(line, sizeof line, "%.*s", (int)lines[i].len, text + lines[i].start);
            assert_true(str_width_cells(line) <= width);
            for (; at < lines[i].start; at++)
                assert_int_equal(text[at], ' ');
            at = lines[i].start + lines[i].len;
        }
        assert_int_equal(at, sizeof text - 1);
    }
}

static void random_bytes_do_no_harm(void **state)
{
    (void)state;
    uint32_t seed = 12345;
    for (int round = 0; round < 3000; round++) {
        char text[64];
        size_t len = 0;
        while (len < 40) {
            seed = seed * 1664525 + 1013904223;
            char c = (char)(seed >> 24);
            text[len++] = c ? c : 'x';
        }
        text[len] = '\0';
        char out[32];
        struct str_line lines[8];
        str_cut(out, sizeof out, text, (int)(seed % 40), round % 2 == 0);
        assert_true(strlen(out) < sizeof out);
        assert_true(str_width_cells(out) <= (int)(seed % 40));
        assert_true(str_wrap(text, 1 + (int)(seed % 9), lines, 8) > 0);
        size_t at = 0;
        while (at < len) {
            size_t n = str_cluster(text + at, len - at);
            assert_true(n > 0 && at + n <= len);
            assert_in_range(str_cluster_cells(text + at, n), 0, 2);
            at += n;
        }
    }
}

static void small_helpers(void **state)
{
    (void)state;
    char out[6];
    assert_true(str_starts("purchase", "pur"));
    assert_true(str_starts("x", ""));
    assert_false(str_starts("pu", "pur"));
    assert_true(str_contains_nocase("Blue TOKAI", "tokai"));
    assert_true(str_contains_nocase("", ""));
    assert_true(str_contains_nocase("x", ""));
    assert_false(str_contains_nocase("", "x"));
    assert_false(str_contains_nocase("Toka", "tokai"));
    assert_true(str_contains_nocase("aaab", "AAB"));
    assert_true(str_copy(out, sizeof out, "12345"));
    assert_string_equal(out, "12345");
    assert_false(str_copy(out, sizeof out, "123456"));
    assert_string_equal(out, "12345");
    assert_false(str_copy(out, sizeof out, "123₹"));
    assert_string_equal(out, "123");
    assert_true(str_copy(out, sizeof out, "12₹"));
    assert_false(str_copy(out, 1, "x"));
    assert_string_equal(out, "");
    assert_true(str_copy(out, 1, ""));
    assert_false(str_copy(out, 0, ""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(code_points_are_decoded_strictly),
        cmocka_unit_test(every_scalar_value_survives),
        cmocka_unit_test(clusters_have_their_bytes_and_cells),
        cmocka_unit_test(walking_back_undoes_walking_forth),
        cmocka_unit_test(characters_are_counted_as_the_contract_does),
        cmocka_unit_test(prefixes_fit_whole_clusters),
        cmocka_unit_test(cut_texts_fit_and_say_so),
        cmocka_unit_test(text_is_wrapped_at_blanks),
        cmocka_unit_test(wrapped_lines_never_exceed_the_width),
        cmocka_unit_test(random_bytes_do_no_harm),
        cmocka_unit_test(small_helpers),
    };
    return cmocka_run_group_tests_name("core/str", tests, NULL, NULL);
}
