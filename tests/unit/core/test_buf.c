/* SPDX-License-Identifier: Apache-2.0 */
/* The bounded buffer: limits on both sides, failed appends, taking the content out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include "core/alloc.h"
#include "core/buf.h"

static void an_empty_buffer_is_an_empty_text(void **state)
{
    (void)state;
    struct buf b;
    buf_init(&b, 10);
    assert_string_equal(buf_view(&b), "");
    assert_null(buf_take(&b));
    assert_int_equal(buf_append(&b, "", 0), ERR_OK);
    assert_int_equal(buf_append_str(&b, NULL), ERR_OK);
    assert_int_equal(buf_printf(&b, "%s", ""), ERR_OK);
    assert_null(b.data);
    buf_fini(&b);
    buf_fini(&b);
}

static void appends_join(void **state)
{
    (void)state;
    struct buf b;
    buf_init(&b, 1000);
    assert_int_equal(buf_append_str(&b, "a"), ERR_OK);
    assert_int_equal(buf_append_char(&b, 'b'), ERR_OK);
    assert_int_equal(buf_append(&b, "c\0d", 3), ERR_OK);
    assert_int_equal(buf_printf(&b, "%d-%s", 42, "x"), ERR_OK);
    assert_int_equal(b.len, 9);
    assert_memory_equal(b.data, "abc\0d42-x", 10);
    buf_clear(&b);
    assert_int_equal(b.len, 0);
    assert_string_equal(buf_view(&b), "");
    assert_int_equal(buf_append_str(&b, "again"), ERR_OK);
    assert_string_equal(buf_view(&b), "again");
    buf_fini(&b);
    assert_int_equal(b.limit, 1000);
}

static void the_limit_is_exact(void **state)
{
    (void)state;
    static const size_t limits[] = {0, 1, 2, 63, 64, 65, 127, 128, 1000};
    char bytes[1001];
    memset(bytes, 'x', sizeof bytes);
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        size_t limit = limits[i];
        struct buf b;
        buf_init(&b, limit);
        assert_int_equal(buf_append(&b, bytes, limit + 1), ERR_LIMIT);
        assert_int_equal(b.len, 0);
        assert_int_equal(buf_append(&b, bytes, limit), ERR_OK);
        assert_int_equal(b.len, limit);
        assert_int_equal(buf_append_char(&b, 'y'), ERR_LIMIT);
        assert_int_equal(buf_printf(&b, "%d", 7), ERR_LIMIT);
        assert_int_equal(b.len, limit);
        assert_int_equal(strlen(buf_view(&b)), limit);
        buf_fini(&b);
    }
    struct buf huge;
    buf_init(&huge, SIZE_MAX);
    assert_int_equal(buf_append_char(&huge, 'x'), ERR_OK);
    assert_int_equal(buf_append(&huge, bytes, SIZE_MAX - 1), ERR_LIMIT);
    assert_string_equal(buf_view(&huge), "x");
    buf_fini(&huge);
}

static void many_small_appends_grow_it(void **state)
{
    (void)state;
    struct buf b;
    buf_init(&b, 100000);
    for (int i = 0; i < 10000; i++)
        assert_int_equal(buf_printf(&b, "%d,", i % 10), ERR_OK);
    assert_int_equal(b.len, 20000);
    assert_int_equal(b.data[19998], '9');
    buf_fini(&b);
}

static void without_memory_the_content_stays(void **state)
{
    (void)state;
    struct buf b;
    buf_init(&b, 100000);
    alloc_fail_nth(1);
    assert_int_equal(buf_append_str(&b, "x"), ERR_MEMORY);
    assert_string_equal(buf_view(&b), "");
    assert_int_equal(buf_append_str(&b, "kept"), ERR_OK);
    char filler[500];
    memset(filler, 'f', sizeof filler);
    alloc_fail_nth(1);
    assert_int_equal(buf_append(&b, filler, sizeof filler), ERR_MEMORY);
    alloc_fail_nth(1);
    assert_int_equal(buf_printf(&b, "%500d", 1), ERR_MEMORY);
    assert_string_equal(buf_view(&b), "kept");
    assert_int_equal(b.len, 4);
    alloc_fail_nth(0);
    buf_fini(&b);
}

static void taking_empties_the_buffer(void **state)
{
    (void)state;
    struct buf b;
    buf_init(&b, 100);
    assert_int_equal(buf_append_str(&b, "mine"), ERR_OK);
    char *text = buf_take(&b);
    assert_string_equal(text, "mine");
    assert_int_equal(b.len, 0);
    assert_null(b.data);
    assert_int_equal(buf_append_str(&b, "next"), ERR_OK);
    assert_string_equal(text, "mine");
    alloc_free(text);
    buf_clear(&b);
    assert_null(buf_take(&b));
    buf_fini(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_buffer_is_an_empty_text),
        cmocka_unit_test(appends_join),
        cmocka_unit_test(the_limit_is_exact),
        cmocka_unit_test(many_small_appends_grow_it),
        cmocka_unit_test(without_memory_the_content_stays),
        cmocka_unit_test(taking_empties_the_buffer),
    };
    return cmocka_run_group_tests_name("core/buf", tests, NULL, NULL);
}
