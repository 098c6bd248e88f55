/* SPDX-License-Identifier: Apache-2.0 */
/* Allocation: sizes, overflow, the failing hook, wiping of freed and of grown blocks. */
#include <malloc.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include "core/alloc.h"
#include "core/err.h"
#include "core/scrub.h"

#ifndef __SANITIZE_ADDRESS__
/* Stands before the C library's free, to look at a block at the moment it is given back. */
void __libc_free(void *p);
static const void *watched;
static size_t watched_len;
static size_t left_bytes;

void free(void *p)
{
    if (p && p == watched) {
        const unsigned char *bytes = p;
        left_bytes = 0;
        for (size_t i = 0; i < watched_len; i++)
            left_bytes += bytes[i] != 0;
        watched = NULL;
    }
    __libc_free(p);
}

static void freed_blocks_are_wiped_whole(void **state)
{
    (void)state;
    for (size_t size = 1; size < 5000; size = size * 3 + 1) {
        char *p = alloc_bytes(size);
        watched_len = malloc_usable_size(p);
        memset(p, 'S', watched_len);
        watched = p;
        left_bytes = 1;
        alloc_free(p);
        assert_null(watched);
        assert_int_equal(left_bytes, 0);
    }
}

static void the_old_block_is_wiped_when_growing(void **state)
{
    (void)state;
    char *p = alloc_bytes(100);
    watched_len = malloc_usable_size(p);
    memset(p, 'S', watched_len);
    watched = p;
    left_bytes = 1;
    p = alloc_grow(p, 10000);
    assert_null(watched);
    assert_int_equal(left_bytes, 0);
    assert_int_equal(p[99], 'S');
    alloc_free(p);
}
#endif

static void blocks_are_usable_and_distinct(void **state)
{
    (void)state;
    void *zero = alloc_bytes(0);
    char *one = alloc_bytes(1);
    unsigned char *many = alloc_zero(100, 10);
    assert_non_null(zero);
    assert_non_null(one);
    assert_non_null(many);
    assert_ptr_not_equal(zero, one);
    for (size_t i = 0; i < 1000; i++)
        assert_int_equal(many[i], 0);
    alloc_free(zero);
    alloc_free(one);
    alloc_free(many);
    alloc_free(NULL);
}

static void impossible_sizes_fail(void **state)
{
    (void)state;
    assert_null(alloc_zero(SIZE_MAX, 2));
    assert_null(alloc_zero(SIZE_MAX / 2 + 1, 2));
    assert_null(alloc_text_n("x", SIZE_MAX));
    assert_null(alloc_text(NULL));
    assert_null(alloc_text_n(NULL, 3));
}

static void text_is_copied_and_ended(void **state)
{
    (void)state;
    char *whole = alloc_text("purchase");
    char *part = alloc_text_n("purchase", 4);
    char *empty = alloc_text("");
    assert_string_equal(whole, "purchase");
    assert_string_equal(part, "purc");
    assert_string_equal(empty, "");
    alloc_free(whole);
    alloc_free(part);
    alloc_free(empty);
}

static void growing_keeps_the_content(void **state)
{
    (void)state;
    char *p = alloc_grow(NULL, 8);
    assert_non_null(p);
    memcpy(p, "1234567", 8);
    p = alloc_grow(p, 4096);
    assert_string_equal(p, "1234567");
    p = alloc_grow(p, 4);
    assert_memory_equal(p, "1234", 4);
    alloc_free(p);
}

static void a_failed_grow_leaves_the_block(void **state)
{
    (void)state;
    char *p = alloc_text("still here");
    alloc_fail_nth(1);
    assert_null(alloc_grow(p, 100));
    assert_string_equal(p, "still here");
    alloc_free(p);
}

static void only_the_nth_allocation_fails(void **state)
{
    (void)state;
    for (unsigned long n = 1; n <= 5; n++) {
        alloc_fail_nth(n);
        for (unsigned long i = 1; i <= 6; i++) {
            void *p = alloc_bytes(16);
            if (i == n)
                assert_null(p);
            else
                assert_non_null(p);
            alloc_free(p);
        }
    }
    alloc_fail_nth(1);
    alloc_fail_nth(0);
    void *p = alloc_zero(1, 1);
    assert_non_null(p);
    alloc_free(p);
}

static void scrubbing_wipes_exactly_the_range(void **state)
{
    (void)state;
    char text[] = "4111111111111111";
    scrub_bytes(text + 4, 8);
    assert_memory_equal(text,
                        "4111\0\0\0\0\0\0\0\0"
                        "1111",
                        16);
    scrub_bytes(NULL, 10);
    scrub_bytes(text, 0);
    assert_int_equal(text[0], '4');
}

#ifndef __SANITIZE_ADDRESS__
/* Leaves a pattern in its dead frame. */
static __attribute__((noinline)) uintptr_t leave_pattern(void)
{
    volatile char secret[256];
    for (size_t i = 0; i < sizeof secret; i++)
        secret[i] = 'S';
    return (uintptr_t)secret;
}

static void dead_stack_is_wiped(void **state)
{
    (void)state;
    volatile const char *dead = (volatile const char *)leave_pattern();
    scrub_stack();
    size_t left = 0;
    for (size_t i = 0; i < 256; i++)
        left += dead[i] == 'S';
    assert_int_equal(left, 0);
}
#endif

static void every_error_has_its_own_name(void **state)
{
    (void)state;
    for (int a = ERR_OK; a <= ERR_BUG; a++) {
        assert_true(strlen(err_name((enum err)a)) > 0);
        assert_string_not_equal(err_name((enum err)a), "unlisted");
        for (int b = a + 1; b <= ERR_BUG; b++)
            assert_string_not_equal(err_name((enum err)a), err_name((enum err)b));
    }
    assert_string_equal(err_name((enum err)99), "unlisted");
    assert_string_equal(err_name(ERR_UNKNOWN_OUTCOME), "unknown-outcome");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#ifndef __SANITIZE_ADDRESS__
        cmocka_unit_test(freed_blocks_are_wiped_whole),
        cmocka_unit_test(the_old_block_is_wiped_when_growing),
        cmocka_unit_test(dead_stack_is_wiped),
#endif
        cmocka_unit_test(blocks_are_usable_and_distinct),
        cmocka_unit_test(impossible_sizes_fail),
        cmocka_unit_test(text_is_copied_and_ended),
        cmocka_unit_test(growing_keeps_the_content),
        cmocka_unit_test(a_failed_grow_leaves_the_block),
        cmocka_unit_test(only_the_nth_allocation_fails),
        cmocka_unit_test(scrubbing_wipes_exactly_the_range),
        cmocka_unit_test(every_error_has_its_own_name),
    };
    return cmocka_run_group_tests_name("core/alloc", tests, NULL, NULL);
}
