/* SPDX-License-Identifier: Apache-2.0 */
/* Settings text: sections, quotes, comments, bounds, and the line that is to blame. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include "core/ini.h"

struct seen {
    char text[4096];
    size_t len;
};

static enum err note(void *ctx, const char *section, const char *key, const char *value, int line)
{
    struct seen *s = ctx;
    if (strcmp(key, "refuse") == 0)
        return ERR_CONFIG;
    s->len += (size_t)snprintf(s->text + s->len, sizeof s->text - s->len, "%d:%s.%s=%s;", line,
                               section, key, value);
    return ERR_OK;
}

static void good_text_is_read(void **state)
{
    (void)state;
    static const struct {
        const char *text, *seen;
    } rows[] = {
        {"", ""},
        {"\n\n", ""},
        {"a=b", "1:.a=b;"},
        {"a = b\n", "1:.a=b;"},
        {"  a\t=\t b c  \n", "1:.a=b c;"},
        {"a =\n", "1:.a=;"},
        {"a = x = y\n", "1:.a=x = y;"},
        {"# note\n; note\n   # note\na=1\n", "4:.a=1;"},
        {"a = #ff00ff ; kept\n", "1:.a=#ff00ff ; kept;"},
        {"[one]\na=1\n[ two ]\nb=2\n", "2:one.a=1;4:two.b=2;"},
        {"a=1\r\n[s]\r\nb=2\r\n", "1:.a=1;3:s.b=2;"},
        {"a = \"  spaced  \"\n", "1:.a=  spaced  ;"},
        {"a = \"\"\n", "1:.a=;"},
        {"a = it\"s\n", "1:.a=it\"s;"},
        {"\xEF\xBB\xBF"
         "a=1\n",
         "1:.a=1;"},
        {"naïve=₹\n", "1:.naïve=₹;"},
        {"a=1\na=2\n", "1:.a=1;2:.a=2;"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct seen s = {.len = 0};
        int bad = -1;
        assert_int_equal(ini_read(rows[i].text, strlen(rows[i].text), note, &s, &bad), ERR_OK);
        assert_string_equal(s.text, rows[i].seen);
        assert_int_equal(bad, -1);
    }
}

static void bad_lines_are_named(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum err e;
        int line;
    } rows[] = {
        {"word\n", ERR_FORMAT, 1},
        {"a=1\nword", ERR_FORMAT, 2},
        {"= value\n", ERR_FORMAT, 1},
        {"\n[open\n", ERR_FORMAT, 2},
        {"[]\n", ERR_FORMAT, 1},
        {"[ ]\n", ERR_FORMAT, 1},
        {"[\n", ERR_FORMAT, 1},
        {"[a]b]\n", ERR_FORMAT, 1},
        {"[a] x\n", ERR_FORMAT, 1},
        {"a = \"open\n", ERR_FORMAT, 1},
        {"a = \"\n", ERR_FORMAT, 1},
        {"a = \"x\" y\n", ERR_FORMAT, 1},
        {"a = \"x\"y\"\n", ERR_FORMAT, 1},
        {"a=\x1B[2J\n", ERR_FORMAT, 1},
        {"a=1\n# \x01\n", ERR_FORMAT, 2},
        {"a=\xFF\n", ERR_FORMAT, 1},
        {"a=1\nrefuse=1\nb=1\n", ERR_CONFIG, 2},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct seen s = {.len = 0};
        int bad = -1;
        assert_int_equal(ini_read(rows[i].text, strlen(rows[i].text), note, &s, &bad), rows[i].e);
        assert_int_equal(bad, rows[i].line);
        assert_int_equal(ini_read(rows[i].text, strlen(rows[i].text), note, &s, NULL), rows[i].e);
    }
    struct seen s = {.len = 0};
    int bad = -1;
    assert_int_equal(ini_read("a=1\nb=\0x\n", 9, note, &s, &bad), ERR_FORMAT);
    assert_int_equal(bad, 2);
}

static enum err read_sized(size_t key_len, size_t value_len, size_t section_len)
{
    char text[4096];
    size_t at = 0;
    text[at++] = '[';
    memset(text + at, 's', section_len);
    at += section_len;
    memcpy(text + at, "]\n", 2);
    at += 2;
    memset(text + at, 'k', key_len);
    at += key_len;
    text[at++] = '=';
    memset(text + at, 'v', value_len);
    at += value_len;
    struct seen s = {.len = 0};
    return ini_read(text, at, note, &s, NULL);
}

static void pieces_are_bounded(void **state)
{
    (void)state;
    assert_int_equal(read_sized(63, 1023, 63), ERR_OK);
    assert_int_equal(read_sized(64, 1, 1), ERR_LIMIT);
    assert_int_equal(read_sized(1, 1024, 1), ERR_LIMIT);
    assert_int_equal(read_sized(1, 1, 64), ERR_LIMIT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_text_is_read),
        cmocka_unit_test(bad_lines_are_named),
        cmocka_unit_test(pieces_are_bounded),
    };
    return cmocka_run_group_tests_name("core/ini", tests, NULL, NULL);
}
