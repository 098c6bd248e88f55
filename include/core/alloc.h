/* SPDX-License-Identifier: Apache-2.0 */
/* Allocation with one hook, so that tests can fail the n-th allocation. Freed memory is zeroed.
 * All functions return NULL on failure; alloc_free(NULL) is allowed. */
#ifndef CORE_ALLOC_H
#define CORE_ALLOC_H

#include <stdbool.h>
#include <stddef.h>

void *alloc_bytes(size_t size);                 /* uninitialised */
void *alloc_zero(size_t count, size_t size);    /* zeroed, overflow checked */
void *alloc_grow(void *p, size_t size);         /* like realloc; the old block is zeroed when it moves */
char *alloc_text(const char *s);                /* copy of s; NULL for NULL */
char *alloc_text_n(const char *s, size_t len);  /* copy of len bytes, terminated */
void alloc_free(void *p);

/* Test hook: the n-th allocation from now on (1 = next) and none after it fails; 0 turns it off. */
void alloc_fail_nth(unsigned long n);

/* A pool for a library that takes an allocator and does not survive a failed allocation: everything
 * taken during one run comes from the pool and goes with it. Zero-initialise the struct. */
struct alloc_pool {
    struct alloc_chunk *chunks; /* private, newest first */
};
/* Calls fn(ctx). When memory runs out inside, fn is left at once without returning and the result is
 * false: so fn may hold nothing but what the pool holds. Runs do not nest. */
bool alloc_pool_run(struct alloc_pool *pool, void (*fn)(void *ctx), void *ctx);
void alloc_pool_free(struct alloc_pool *pool); /* zeroes and frees all of it */
/* The pair for the library. Outside a run they are alloc_bytes and alloc_free. */
void *alloc_pool_take(size_t size);
void alloc_pool_drop(void *p);

#endif
