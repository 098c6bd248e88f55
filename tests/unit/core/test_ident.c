/* SPDX-License-Identifier: Apache-2.0 */
/* Identifiers: the contract's forms on both sides of every bound, and keys made here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include "core/ident.h"

#define HEX32 "0123456789abcdef0123456789abcdef"
#define K64   "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

static void forms_are_told_apart(void **state)
{
    (void)state;
    static const struct {
        const char *s;
        bool key, purchase, offer, uuid;
    } rows[] = {
        {"", false, false, false, false},
        {"0123456789abcde", false, false, false, false},
        {"0123456789abcdef", true, false, false, false},
        {K64, true, false, false, false},
        {K64 "A", false, false, false, false},
        {"key-with_all-3456", true, false, false, false},
        {"key with blank 456", false, false, false, false},
        {"key.with.dots.456", false, false, false, false},
        {"k\xC3\xA9y-with-accent-1", false, false, false, false},
        {"key-with-newline\n", false, false, false, false},
        {"pur_abcdefghijklmnop", false, false, false, false},
        {"pur-abcdefghijklmnop", true, false, false, false},
        {"purAabcdefghijklmnop", true, false, false, false},
        {"Pur_abcdefghijklmnop", true, false, false, false},
        {"pupur_abcdefghijklm", true, false, false, false},
        {"pur_" HEX32, false, true, false, false},
        {"pur_" HEX32 "0", false, false, false, false},
        {"pur_0123456789abcdef0123456789abcde", false, false, false, false},
        {"pur_0123456789ABCDEF0123456789abcdef", false, false, false, false},
        {"pur_0123456789abcdeg0123456789abcdef", false, false, false, false},
        {"PUR_" HEX32, true, false, false, false},
        {"ofr_" HEX32, true, false, true, false},
        {"ofr_" HEX32 "0", true, false, false, false},
        {"01234567-89ab-cdef-0123-456789abcdef", true, false, false, true},
        {"01234567-89AB-cdef-0123-456789abcdef", true, false, false, false},
        {"01234567-89ab-cdef-0123-456789abcde", true, false, false, false},
        {"01234567-89ab-cdef-0123-456789abcdef0", true, false, false, false},
        {"0123456789ab-cdef-0123-4567-89abcdef", true, false, false, false},
        {"{1234567-89ab-cdef-0123-456789abcde}", false, false, false, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *s = rows[i].s;
        if (ident_is_key(s) != rows[i].key || ident_is_purchase_id(s) != rows[i].purchase ||
            ident_is_offer_id(s) != rows[i].offer || ident_is_uuid(s) != rows[i].uuid)
            fail_msg("wrong for \"%s\"", s);
        assert_int_equal(ident_is_purchase_ref(s), rows[i].key || rows[i].purchase);
    }
    assert_false(ident_is_key(NULL));
    assert_false(ident_is_purchase_id(NULL));
    assert_false(ident_is_purchase_ref(NULL));
    assert_false(ident_is_offer_id(NULL));
    assert_false(ident_is_uuid(NULL));
}

static void keys_made_here_are_valid_and_differ(void **state)
{
    (void)state;
    static const char *const kinds[] = {
        "start", "answer", "", "BAD", "x y", NULL, "averyveryverylongkindwordindeedlonger"};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        char a[IDENT_KEY_MAX];
        char b[IDENT_KEY_MAX];
        ident_key(a, kinds[i]);
        ident_key(b, kinds[i]);
        assert_true(ident_is_key(a));
        assert_true(ident_is_key(b));
        assert_string_not_equal(a, b);
        assert_int_equal(strncmp(a, "ec-", 3), 0);
    }
    char key[IDENT_KEY_MAX];
    ident_key(key, "start");
    assert_int_equal(strncmp(key, "ec-start-", 9), 0);
    assert_int_equal(strlen(key), 9 + 26);
}

static unsigned char fixed_byte;

static void fixed_random(void *bytes, size_t len)
{
    memset(bytes, fixed_byte, len);
}

static void the_source_can_be_replaced(void **state)
{
    (void)state;
    char key[IDENT_KEY_MAX];
    ident_set_random(fixed_random);
    fixed_byte = 0;
    ident_key(key, "start");
    assert_string_equal(key, "ec-start-aaaaaaaaaaaaaaaaaaaaaaaaaa");
    fixed_byte = 0xFF;
    ident_key(key, "start");
    assert_string_equal(key, "ec-start-77777777777777777777777777");
    /* A source that only ever gives biased values must end all the same. */
    fixed_byte = 0;
    assert_int_equal(ident_uniform(7), 0);
    ident_set_random(NULL);
    unsigned char noise[32] = {0};
    unsigned char none[32] = {0};
    ident_random(noise, sizeof noise);
    assert_memory_not_equal(noise, none, sizeof noise);
}

static void uniform_numbers_stay_below_and_reach_all(void **state)
{
    (void)state;
    assert_int_equal(ident_uniform(0), 0);
    assert_int_equal(ident_uniform(1), 0);
    unsigned seen = 0;
    for (int i = 0; i < 2000; i++) {
        uint32_t n = ident_uniform(10);
        assert_true(n < 10);
        seen |= 1U << n;
    }
    assert_int_equal(seen, 0x3FF);
    for (int i = 0; i < 100; i++)
        assert_true(ident_uniform(UINT32_MAX) < UINT32_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forms_are_told_apart),
        cmocka_unit_test(keys_made_here_are_valid_and_differ),
        cmocka_unit_test(the_source_can_be_replaced),
        cmocka_unit_test(uniform_numbers_stay_below_and_reach_all),
    };
    return cmocka_run_group_tests_name("core/ident", tests, NULL, NULL);
}
