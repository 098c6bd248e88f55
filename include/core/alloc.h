/* SPDX-License-Identifier: Apache-2.0 */
/* Allocation with one hook, so that tests can fail the n-th allocation. Freed memory is zeroed.
 * All functions return NULL on failure; alloc_free(NULL) is allowed. */
#ifndef CORE_ALLOC_H
#define CORE_ALLOC_H

#include <stddef.h>

void *alloc_bytes(size_t size);                 /* uninitialised */
void *alloc_zero(size_t count, size_t size);    /* zeroed, overflow checked */
void *alloc_grow(void *p, size_t size);         /* like realloc; the old block is zeroed when it moves */
char *alloc_text(const char *s);                /* copy of s; NULL for NULL */
char *alloc_text_n(const char *s, size_t len);  /* copy of len bytes, terminated */
void alloc_free(void *p);

/* Test hook: the n-th allocation from now on (1 = next) and none after it fails; 0 turns it off. */
void alloc_fail_nth(unsigned long n);
/* How many allocations have failed so far: for callers of libraries that do not say so. */
unsigned long alloc_failures(void);

#endif
