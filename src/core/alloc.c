/* SPDX-License-Identifier: Apache-2.0 */
/* The one door to the heap. Owns the test hook that fails a chosen allocation. Invariant: no block
 * goes back to the heap with its old content, so growing copies by hand (realloc would leave the
 * old bytes behind when it moves). */
#include <malloc.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "core/alloc.h"
#include "core/scrub.h"

static unsigned long fail_countdown;

static void *take_block(size_t size, bool zeroed)
{
    if (fail_countdown > 0 && --fail_countdown == 0)
        return NULL;
    if (size == 0)
        size = 1; /* so that NULL always means failure */
    return zeroed ? calloc(1, size) : malloc(size);
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

#define POOL_ALIGN       16
#define POOL_CHUNK_FIRST ((size_t)4 * 1024)
#define POOL_CHUNK_MOST  ((size_t)256 * 1024)
#define POOL_BLOCK_MOST  ((size_t)1 << 30) /* a larger wish is a fault of the asker */

struct alloc_chunk {
    struct alloc_chunk *next;
    size_t size; /* of bytes */
    size_t used;
    _Alignas(POOL_ALIGN) unsigned char bytes[];
};

static struct alloc_pool *pool_now; /* set during a run only */
static jmp_buf pool_exit;

bool alloc_pool_run(struct alloc_pool *pool, void (*fn)(void *ctx), void *ctx)
{
    if (setjmp(pool_exit) != 0) {
        pool_now = NULL;
        return false;
    }
    pool_now = pool;
    fn(ctx);
    pool_now = NULL;
    return true;
}

static struct alloc_chunk *pool_grow(struct alloc_pool *pool, size_t need)
{
    size_t size = pool->chunks ? pool->chunks->size * 2 : POOL_CHUNK_FIRST;
    if (size > POOL_CHUNK_MOST)
        size = POOL_CHUNK_MOST;
    if (size < need)
        size = need;
    struct alloc_chunk *chunk = take_block(sizeof *chunk + size, false);
    if (!chunk)
        return NULL;
    *chunk = (struct alloc_chunk){.next = pool->chunks, .size = size};
    pool->chunks = chunk;
    return chunk;
}

void *alloc_pool_take(size_t size)
{
    if (!pool_now)
        return alloc_bytes(size);
    struct alloc_chunk *chunk = pool_now->chunks;
    size_t need = (size + POOL_ALIGN - 1) / POOL_ALIGN * POOL_ALIGN;
    bool possible = size <= POOL_BLOCK_MOST;
    if (possible && (!chunk || chunk->size - chunk->used < need))
        chunk = pool_grow(pool_now, need);
    if (!possible || !chunk)
        longjmp(pool_exit, 1);
    chunk->used += need;
    return chunk->bytes + chunk->used - need;
}

void alloc_pool_drop(void *p)
{
    if (!pool_now)
        alloc_free(p);
}

void alloc_pool_free(struct alloc_pool *pool)
{
    while (pool->chunks) {
        struct alloc_chunk *next = pool->chunks->next;
        alloc_free(pool->chunks);
        pool->chunks = next;
    }
}
