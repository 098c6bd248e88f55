/* SPDX-License-Identifier: Apache-2.0 */
/* Allocation hooks for libraries through whose hands a secret passes. Owns the list of watched
 * blocks, the only state, since a hook gets no context; a resolver thread may call at any time,
 * hence atomics (and not core/alloc with its test hook). Invariant: no block goes back to the heap
 * with its old content. */
#include <malloc.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include "core/scrub.h"
#include "secret/secret.h"

#define WATCHED_MAX 64

/* A block that finds no room here is wiped when it is freed, like all others. */
static _Atomic(void *) watched[WATCHED_MAX];

static void watch(void *p)
{
    for (size_t i = 0; i < WATCHED_MAX; i++) {
        void *none = NULL;
        if (atomic_compare_exchange_strong(&watched[i], &none, p))
            return;
    }
}

static void unwatch(void *p)
{
    for (size_t i = 0; i < WATCHED_MAX; i++) {
        void *expected = p;
        if (atomic_compare_exchange_strong(&watched[i], &expected, NULL))
            return;
    }
}

void secret_hook_wipe_watched(void)
{
    for (size_t i = 0; i < WATCHED_MAX; i++)
        scrub_bytes(atomic_load(&watched[i]), SECRET_HOOK_WATCHED_BYTES);
}

void *secret_hook_malloc(size_t size)
{
    void *p = malloc(size);

    if (p && size == SECRET_HOOK_WATCHED_BYTES)
        watch(p);
    return p;
}

void *secret_hook_calloc(size_t n, size_t size)
{
    return calloc(n, size);
}

void secret_hook_free(void *p)
{
    size_t size;

    if (!p)
        return;
    size = malloc_usable_size(p);
    if (size >= SECRET_HOOK_WATCHED_BYTES)
        unwatch(p);
    scrub_bytes(p, size);
    free(p);
}

void *secret_hook_realloc(void *p, size_t size)
{
    /* libc's realloc may move the block and leave the old one as it was. */
    void *fresh = malloc(size > 0 ? size : 1);
    size_t old;

    if (!fresh || !p)
        return fresh;
    old = malloc_usable_size(p);
    memcpy(fresh, p, old < size ? old : size);
    secret_hook_free(p);
    return fresh;
}

char *secret_hook_strdup(const char *s)
{
    size_t size = strlen(s) + 1;
    char *copy = malloc(size);

    if (copy)
        memcpy(copy, s, size);
    return copy;
}
