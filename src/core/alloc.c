/* SPDX-License-Identifier: Apache-2.0 */
/* The one door to the heap. Owns the test hook that fails a chosen allocation. Invariant: no block
 * goes back to the heap with its old content, so growing copies by hand (realloc would leave the
 * old bytes behind when it moves). */
#include <malloc.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "core/alloc.h"
#include "core/scrub.h"

static unsigned long fail_countdown;
static unsigned long failures;

static void *take_block(size_t size, bool zeroed)
{
    void *p = NULL;
    if (size == 0)
        size = 1; /* so that NULL always means failure */
    if (fail_countdown == 0 || --fail_countdown > 0)
        p = zeroed ? calloc(1, size) : malloc(size);
    failures += !p;
    return p;
}

void *alloc_bytes(size_t size)
{
    return take_block(size, false);
}

void *alloc_zero(size_t count, size_t size)
{
    size_t total;
    if (__builtin_mul_overflow(count, size, &total))
        return NULL;
    return take_block(total, true);
}

void *alloc_grow(void *p, size_t size)
{
    void *fresh = take_block(size, false);
    if (!fresh || !p)
        return fresh;
    size_t old = malloc_usable_size(p);
    memcpy(fresh, p, old < size ? old : size);
    alloc_free(p);
    return fresh;
}

char *alloc_text(const char *s)
{
    return s ? alloc_text_n(s, strlen(s)) : NULL;
}

char *alloc_text_n(const char *s, size_t len)
{
    if (!s || len == SIZE_MAX)
        return NULL;
    char *copy = take_block(len + 1, false);
    if (!copy)
        return NULL;
    memcpy(copy, s, len);
    copy[len] = '\0';
    return copy;
}

void alloc_free(void *p)
{
    if (!p)
        return;
    scrub_bytes(p, malloc_usable_size(p));
    free(p);
}

void alloc_fail_nth(unsigned long n)
{
    fail_countdown = n;
}

unsigned long alloc_failures(void)
{
    return failures;
}
