/* SPDX-License-Identifier: Apache-2.0 */
/* Allocation hooks for libraries through whose hands a secret passes. No state: a resolver thread
 * may call them at any time, which is why core/alloc with its test hook does not serve. Invariant:
 * no block goes back to the heap with its old content. */
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include "core/scrub.h"
#include "secret/secret.h"

void *secret_hook_malloc(size_t size)
{
    return malloc(size);
}

void *secret_hook_calloc(size_t n, size_t size)
{
    return calloc(n, size);
}

void secret_hook_free(void *p)
{
    if (!p)
        return;
    scrub_bytes(p, malloc_usable_size(p));
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
