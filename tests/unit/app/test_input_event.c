/* SPDX-License-Identifier: Apache-2.0 */
/* Key names: what is written can be read back, and names match the keys they stand for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "app/input_event.h"

static void every_key_name_comes_back(void **state)
{
    (void)state;
    for (int key = INPUT_KEY_CHAR + 1; key < INPUT_KEY_COUNT; key++) {
        for (unsigned mods = 0; mods < 8; mods++) {
            struct input_event e = {.kind = INPUT_KEY, .key = (enum input_key)key, .mods = mods};
            struct input_event back;
            char name[INPUT_NAME_MAX];
            input_event_name(&e, name);
            assert_true(input_event_parse(name, &back));
            assert_int_equal(back.kind, INPUT_KEY);
            assert_int_equal(back.key, key);
            assert_int_equal(back.mods, mods);
            assert_true(input_event_is(&e, name));
        }
    }
}

static void characters_have_names(void **state)
{
    (void)state;
    struct input_event e;
    char name[INPUT_NAME_MAX];
    assert_true(input_event_parse("Ctrl-S", &e));
    assert_int_equal(e.kind, INPUT_KEY);
    assert_int_equal(e.key, INPUT_KEY_CHAR);
    assert_string_equal(e.text, "s");
    input_event_name(&e, name);
    assert_string_equal(name, "Ctrl-S");
    assert_true(input_event_parse("?", &e));
    assert_int_equal(e.kind, INPUT_TEXT);
    assert_true(input_event_parse("Space", &e));
    assert_string_equal(e.text, " ");
    assert_true(input_event_parse("Alt-x", &e));
    assert_int_equal(e.mods, INPUT_ALT);
    assert_true(input_event_parse("ß", &e));
    assert_true(input_event_parse("-", &e));
    assert_false(input_event_parse("", &e));
    assert_false(input_event_parse("Ctrl-", &e));
    assert_false(input_event_parse("Enterr", &e));
    assert_false(input_event_parse("Shift-a", &e));
    assert_false(input_event_parse("\x1b", &e));
}

/* Case H4: a letter of a paste is not the key of that letter. */
static void a_burst_is_no_key(void **state)
{
    (void)state;
    struct input_event e;
    assert_true(input_event_parse("q", &e));
    assert_true(input_event_is(&e, "q"));
    assert_false(input_event_is(&e, "Q"));
    e.burst = true;
    assert_false(input_event_is(&e, "q"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_key_name_comes_back),
        cmocka_unit_test(characters_have_names),
        cmocka_unit_test(a_burst_is_no_key),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
