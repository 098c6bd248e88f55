/* SPDX-License-Identifier: Apache-2.0 */
/* Hostile text made visible: nothing that drives a terminal, hides or reorders gets through, and
 * ordinary text of many scripts is left alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include "core/alloc.h"
#include "core/str.h"

#define ACUTE  "\xCC\x81"
#define ZWJ    "\xE2\x80\x8D"
#define VS16   "\xEF\xB8\x8F"
#define FAMILY "\xF0\x9F\x91\xA8" ZWJ "\xF0\x9F\x91\xA9" ZWJ "\xF0\x9F\x91\xA7"
#define HEART  "\xE2\x9D\xA4" VS16

static void hostile_text_becomes_marks(void **state)
{
    (void)state;
    static const struct {
        const char *in, *out;
    } rows[] = {
        {"\x1B]52;c;aGk=\a", "<1B>]52;c;aGk=<07>"},
        {"\x1B]0;title\x1B\\", "<1B>]0;title<1B>\\"},
        {"\x1B[2J\x1B[10A\x1B"
         "c",
         "<1B>[2J<1B>[10A<1B>c"},
        {"a\rb\tc\vd\fe\bf", "a<0D>b<09>c<0B>d<0C>e<08>f"},
        {"line\nline", "line<0A>line"},
        {"\x7F", "<7F>"},
        {"\xC2\x9B"
         "31m",
         "<U+009B>31m"},
        {"\xC2\x85", "<U+0085>"},
        {"\x9B"
         "31m",
         "<9B>31m"},
        {"\xFF\xC0\x80\xED\xA0\x80", "<FF><C0><80><ED><A0><80>"},
        {"cut \xE2\x82", "cut <E2><82>"},
        {"Paypal\xE2\x80\xAE"
         "moc",
         "Paypal<U+202E>moc"},
        {"\xE2\x80\xAA\xE2\x80\xAB\xE2\x80\xAC\xE2\x80\xAD", "<U+202A><U+202B><U+202C><U+202D>"},
        {"\xE2\x81\xA6\xE2\x81\xA7\xE2\x81\xA8\xE2\x81\xA9", "<U+2066><U+2067><U+2068><U+2069>"},
        {"\xE2\x80\x8E\xE2\x80\x8F\xD8\x9C", "<U+200E><U+200F><U+061C>"},
        {"Ama\xE2\x80\x8Bzon", "Ama<U+200B>zon"},
        {"Ama" ZWJ "zon", "Ama<U+200D>zon"},
        {"Ama\xE2\x80\x8Czon", "Ama<U+200C>zon"},
        {"\xEF\xBB\xBFx", "<U+FEFF>x"},
        {"soft\xC2\xADhyphen", "soft<U+00AD>hyphen"},
        {"a\xE2\x81\xA0z", "a<U+2060>z"},
        {"a\xE2\x80\xA8z\xE2\x80\xA9", "a<U+2028>z<U+2029>"},
        {"a\xCD\x8Fz", "a<U+034F>z"},
        {"a" VS16 "z", "a<U+FE0F>z"},
        {"x\xF3\xA0\x81\xA1y", "x<U+E0061>y"},            /* a tag letter */
        {"x\xF3\xA0\x84\x80y", "x<U+E0100>y"},            /* variation selector 17 */
        {"\xE3\x85\xA4\xEF\xBE\xA0", "<U+3164><U+FFA0>"}, /* Hangul fillers */
        {"a\xE2\xA0\x80z", "a<U+2800>z"},                 /* a blank braille cell */
        {"\xEE\x80\x80", "<U+E000>"},
        {"\xEF\xBF\xBF", "<U+FFFF>"},
        {"\xEF\xBF\xBE\xCD\xB8", "<U+FFFE><U+0378>"},
        {ACUTE "base missing", "<U+0301>base missing"},
        {"a\n" ACUTE, "a<0A><U+0301>"},
        {HEART ZWJ "x", HEART "<U+200D>x"},
        {"<1B>", "<1B>"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct buf out;
        buf_init(&out, 1000);
        assert_int_equal(str_visible(&out, rows[i].in, strlen(rows[i].in), false), ERR_OK);
        assert_string_equal(buf_view(&out), rows[i].out);
        buf_fini(&out);
        char *text = str_visible_text(rows[i].in);
        assert_string_equal(text, rows[i].out);
        alloc_free(text);
        char fixed[128];
        assert_true(str_visible_copy(fixed, sizeof fixed, rows[i].in));
        assert_string_equal(fixed, rows[i].out);
    }
    struct buf out;
    buf_init(&out, 100);
    assert_int_equal(str_visible(&out, "a\0b", 3, false), ERR_OK);
    assert_string_equal(buf_view(&out), "a<00>b");
    buf_fini(&out);
}

static void ordinary_text_is_left_alone(void **state)
{
    (void)state;
    static const char *const rows[] = {
        "",
        "Blue Tokai Coffee (Delhi) - ₹2,499.00",
        "Café, Cafe" ACUTE,
        "世蓮 한국 ｱ",
        "שלום עולם",
        "مرحبا بالعالم",
        "क्षत्रिय दुकान",
        "தமிழ் நாடு",
        "\xE0\xA4\x95\xE0\xA5\x8D" ZWJ "\xE0\xA4\xB7", /* a joiner after a virama */
        "\xE0\xA4\x95\xE0\xA5\x8D\xE2\x80\x8C\xE0\xA4\xB7",
        FAMILY " " HEART " ☕ 1" VS16 "\xE2\x83\xA3",
        HEART ZWJ "\xF0\x9F\x94\xA5",
        "\xF0\x9F\x91\xA9\xF0\x9F\x8F\xBD" ZWJ "\xF0\x9F\x92\xBB", /* skin tone, then a joiner */
        "\xF0\x9F\x87\xAE\xF0\x9F\x87\xB3",
        "no\xC2\xA0"
        "break, \xE3\x80\x80wide blank",
        "ข้าวผัด น้ำ",
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char *text = str_visible_text(rows[i]);
        assert_string_equal(text, rows[i]);
        assert_false(str_has_hidden(rows[i], strlen(rows[i])));
        alloc_free(text);
    }
}

static void line_feeds_stay_where_they_are_wanted(void **state)
{
    (void)state;
    struct buf out;
    buf_init(&out, 100);
    assert_int_equal(str_visible(&out, "a\nb\r\n", 5, true), ERR_OK);
    assert_string_equal(buf_view(&out), "a\nb<0D>\n");
    buf_fini(&out);
    assert_false(str_has_hidden("a\nb", 3));
    assert_true(str_has_hidden("a\rb", 3));
    assert_true(str_has_hidden("a\xE2\x80\xAE", 4));
}

static void clusters_stay_small(void **state)
{
    (void)state;
    char zalgo[2 + 200 * 2] = "Z";
    for (size_t i = 0; i < 200; i++)
        memcpy(zalgo + 1 + i * 2, ACUTE, 3);
    char *text = str_visible_text(zalgo);
    for (const char *at = text; *at;) {
        char one[256];
        size_t n = str_cluster(at, strlen(at));
        assert_true(n < sizeof one);
        memcpy(one, at, n);
        one[n] = '\0';
        assert_true(str_code_points(one) <= 16);
        at += n;
    }
    assert_non_null(strstr(text, "<U+0301>"));
    alloc_free(text);
}

static void nothing_harmful_survives_any_bytes(void **state)
{
    (void)state;
    uint32_t seed = 99;
    for (int round = 0; round < 5000; round++) {
        char in[48];
        for (size_t i = 0; i < sizeof in; i++) {
            seed = seed * 1664525 + 1013904223;
            in[i] = (char)(seed >> 24);
        }
        /* Every other round puts a whole code point in front, so that all planes are seen. */
        if (round % 2)
            str_encode((int32_t)(seed % 0x110000), in);
        struct buf out;
        buf_init(&out, 4096);
        assert_int_equal(str_visible(&out, in, sizeof in, false), ERR_OK);
        assert_true(str_is_utf8(out.data, out.len));
        for (size_t at = 0; at < out.len;) {
            int32_t cp;
            at += str_decode(out.data + at, out.len - at, &cp);
            assert_true(cp >= 0x20 && cp != 0x7F && !(cp >= 0x80 && cp < 0xA0));
            assert_true(!(cp >= 0x202A && cp <= 0x202E) && !(cp >= 0x2066 && cp <= 0x2069));
            assert_true(cp != 0x200B && cp != 0xFEFF);
        }
        assert_false(str_has_hidden(out.data, out.len));
        buf_fini(&out);
    }
}

static void the_limit_is_kept_whole(void **state)
{
    (void)state;
    struct buf out;
    buf_init(&out, 6);
    assert_int_equal(buf_append_str(&out, "ab"), ERR_OK);
    assert_int_equal(str_visible(&out, "x\x1B", 2, false), ERR_LIMIT);
    assert_string_equal(buf_view(&out), "ab");
    assert_int_equal(str_visible(&out, "\x1B", 1, false), ERR_OK);
    assert_string_equal(buf_view(&out), "ab<1B>");
    buf_fini(&out);
    char small[6];
    assert_false(str_visible_copy(small, sizeof small, "ab\x1B"));
    assert_string_equal(small, "ab");
    assert_true(str_visible_copy(small, sizeof small, "a\x1B"));
    assert_string_equal(small, "a<1B>");
    assert_true(str_visible_copy(small, 1, ""));
    assert_false(str_visible_copy(small, 0, ""));
    assert_null(str_visible_text(NULL));
}

static void memory_trouble_is_reported(void **state)
{
    (void)state;
    for (unsigned long n = 1; n <= 2; n++) {
        struct buf out;
        char big[200];
        memset(big, 'x', sizeof big);
        buf_init(&out, 1000);
        alloc_fail_nth(n);
        assert_int_equal(str_visible(&out, big, sizeof big, false), ERR_MEMORY);
        assert_string_equal(buf_view(&out), "");
        alloc_fail_nth(0);
        buf_fini(&out);
    }
    alloc_fail_nth(1);
    assert_null(str_visible_text("x"));
    alloc_fail_nth(1);
    assert_null(str_visible_text(""));
    alloc_fail_nth(0);
}

static void hosts_show_what_they_are(void **state)
{
    (void)state;
    static const struct {
        const char *host, *shown;
        bool suspicious;
    } rows[] = {
        {"", "", false},
        {"shop.example", "shop.example", false},
        {"Shop-1.example:8443", "Shop-1.example:8443", false},
        {"[::1]:80", "[::1]:80", false},
        {"p\xD0\xB0ypal.com", "(!)xn--pypal-4ve.com", true}, /* Cyrillic a */
        {"\xD0\xB0pple.com", "(!)xn--pple-43d.com", true},
        {"b\xC3\xBC"
         "cher.example",
         "(!)xn--bcher-kva.example", true},
        {"m\xC3\xBCnchen.B\xC3\x9C"
         "CHER.de",
         "(!)xn--mnchen-3ya.(!)xn--bcher-kva.de", true},
        {"\xE4\xBE\x8B\xE3\x81\x88.jp", "(!)xn--r8jz45g.jp", true},
        {"\xD0\xBF\xD1\x80\xD0\xB8\xD0\xBC\xD0\xB5\xD1\x80.xx", "(!)xn--e1afmkfd.xx", true},
        {"xn--pypal-4ve.com", "(!)xn--pypal-4ve.com", true},
        {"XN--pypal-4ve.com", "(!)XN--pypal-4ve.com", true},
        {"bank.com@evil.com", "bank.(!)com@evil.com", true},
        {"a b.com", "(!)a b.com", true},
        {"a\x1B.com", "(!)a<1B>.com", true},
        {"a\xFF.com", "(!)a<FF>.com", true},
        {"a..b", "a..b", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct buf out;
        bool suspicious = !rows[i].suspicious;
        buf_init(&out, 500);
        assert_int_equal(str_host_visible(&out, rows[i].host, &suspicious), ERR_OK);
        assert_string_equal(buf_view(&out), rows[i].shown);
        assert_int_equal(suspicious, rows[i].suspicious);
        buf_fini(&out);
    }
    /* A label beyond what punycode may hold is still shown safely. */
    char label[64 * 2 + 1] = "";
    for (size_t i = 0; i < 64; i++)
        memcpy(label + i * 2, "\xD0\xB0", 3);
    struct buf out;
    bool suspicious = false;
    buf_init(&out, 500);
    assert_int_equal(str_host_visible(&out, label, &suspicious), ERR_OK);
    assert_true(suspicious);
    assert_int_equal(strncmp(buf_view(&out), "(!)\xD0\xB0", 5), 0);
    buf_fini(&out);
    buf_init(&out, 4);
    suspicious = false;
    assert_int_equal(str_host_visible(&out, "\xD0\xB0pple.com", &suspicious), ERR_LIMIT);
    assert_false(suspicious);
    buf_fini(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hostile_text_becomes_marks),
        cmocka_unit_test(ordinary_text_is_left_alone),
        cmocka_unit_test(line_feeds_stay_where_they_are_wanted),
        cmocka_unit_test(clusters_stay_small),
        cmocka_unit_test(nothing_harmful_survives_any_bytes),
        cmocka_unit_test(the_limit_is_kept_whole),
        cmocka_unit_test(memory_trouble_is_reported),
        cmocka_unit_test(hosts_show_what_they_are),
    };
    return cmocka_run_group_tests_name("core/visible", tests, NULL, NULL);
}
