/* SPDX-License-Identifier: Apache-2.0 */
/* Guarded bytes: locked, between guard pages, not in core dumps, readable only around a use. A
 * secret exists only as struct secret; there is no char* API that keeps it. Measures and reasons:
 * docs/threat-model.md. */
#ifndef SECRET_SECRET_H
#define SECRET_SECRET_H

#include <stdbool.h>
#include <stddef.h>
#include "core/err.h"

struct secret; /* opaque */

/* Once, first thing in main, before any thread or library: no core, not dumpable, umask 077,
 * sodium, lock limit checked. *mlock_ok tells whether memory can be locked (warn, never abort). */
enum err secret_init(bool *mlock_ok) WARN_UNUSED;
/* allow_inspect: documented test switch only; leaves the process dumpable for memory tests. */
void secret_random(void *bytes, size_t len); /* the random source for core/ident */

/* capacity bytes, at most 64 KiB; empty. NULL without memory. Starts closed (no access). */
struct secret *secret_new(size_t capacity);
void secret_free(struct secret *s); /* wipes; NULL allowed */
size_t secret_len(const struct secret *s);
size_t secret_capacity(const struct secret *s);
enum err secret_append(struct secret *s, const void *bytes, size_t len) WARN_UNUSED; /* ERR_LIMIT */
void secret_truncate(struct secret *s, size_t len); /* wipes what is behind len */
void secret_clear(struct secret *s);                /* wipes, keeps the object */

/* Opens for reading (and writing) around a use. Nested opens are counted. The pointer is borrowed
 * until secret_close. */
const unsigned char *secret_open(struct secret *s);
unsigned char *secret_open_rw(struct secret *s);
void secret_close(struct secret *s);

/* Zero-on-free allocation for libraries (libcurl, jansson): same contracts as libc's. */
void *secret_hook_malloc(size_t size);
void *secret_hook_calloc(size_t n, size_t size);
void *secret_hook_realloc(void *p, size_t size);
char *secret_hook_strdup(const char *s);
void secret_hook_free(void *p);

#endif
