/* SPDX-License-Identifier: Apache-2.0 */
/* The pool for libraries: separate aligned blocks, a run that ends at a failed allocation, and
 * plain allocation outside a run. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include "core/alloc.h"

struct work {
    size_t size;
    size_t count;
    size_t done;
    unsigned char *blocks[2000];
};

static void take_blocks(void *ctx)
{
    struct work *w = ctx;
    for (; w->done < w->count; w->done++) {
        unsigned char *p = alloc_pool_take(w->size);
        memset(p, (int)(w->done % 251), w->size);
        w->blocks[w->done] = p;
        alloc_pool_drop(p); /* belongs to the pool until the end */
    }
}

static void blocks_are_apart_and_aligned(void **state)
{
    (void)state;
    static const size_t sizes[] = {0, 1, 15, 16, 17, 4096, 300000};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        struct alloc_pool pool = {0};
        struct work w = {.size = sizes[i], .count = sizes[i] > 5000 ? 5 : 2000};
        assert_true(alloc_pool_run(&pool, take_blocks, &w));
        assert_int_equal(w.done, w.count);
        for (size_t b = 0; b < w.count; b++) {
            assert_true((uintptr_t)w.blocks[b] % 16 == 0);
            for (size_t at = 0; at < w.size; at++)
                assert_int_equal(w.blocks[b][at], (int)(b % 251));
        }
        alloc_pool_free(&pool);
        assert_null(pool.chunks);
        alloc_pool_free(&pool);
    }
}

static void a_failed_allocation_ends_the_run(void **state)
{
    (void)state;
    bool whole = false;
    size_t before = 0;
    for (unsigned long n = 1; !whole; n++) {
        struct alloc_pool pool = {0};
        struct work w = {.size = 1000, .count = 2000};
        alloc_fail_nth(n);
        whole = alloc_pool_run(&pool, take_blocks, &w);
        alloc_fail_nth(0);
        assert_true(whole == (w.done == w.count));
        assert_true(n == 1 ? w.done == 0 : w.done > before);
        before = w.done;
        alloc_pool_free(&pool);
    }
}

static void an_impossible_size_ends_the_run(void **state)
{
    (void)state;
    struct alloc_pool pool = {0};
    struct work w = {.size = SIZE_MAX, .count = 1};
    assert_false(alloc_pool_run(&pool, take_blocks, &w));
    w.size = SIZE_MAX - 64;
    assert_false(alloc_pool_run(&pool, take_blocks, &w));
    alloc_pool_free(&pool);
}

static void outside_a_run_it_is_the_heap(void **state)
{
    (void)state;
    char *p = alloc_pool_take(10);
    assert_non_null(p);
    memset(p, 'x', 10);
    alloc_pool_drop(p);
    alloc_pool_drop(NULL);
    alloc_fail_nth(1);
    assert_null(alloc_pool_take(10));
    alloc_fail_nth(0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_are_apart_and_aligned),
        cmocka_unit_test(a_failed_allocation_ends_the_run),
        cmocka_unit_test(an_impossible_size_ends_the_run),
        cmocka_unit_test(outside_a_run_it_is_the_heap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
