/* SPDX-License-Identifier: Apache-2.0 */
/* Guarded bytes: locked, between guard pages, not in core dumps, readable only around a use. A
 * secret exists only as struct secret; there is no char* API that keeps it. Measures and reasons:
 * docs/architecture.md. */
#ifndef SECRET_SECRET_H
#define SECRET_SECRET_H

#include <stdbool.h>
#include <stddef.h>
#include "core/err.h"

#define SECRET_CAPACITY_MAX (1024 * 1024)

struct secret; /* opaque */

/* Once, first thing in main, before any thread or library: hardens the process (harden.h), starts
 * the crypto library and tries whether memory can be locked. *mlock_ok tells (warn, never abort).
 */
enum err secret_init(bool *mlock_ok) WARN_UNUSED;
void secret_random(void *bytes, size_t len); /* the random source for core/ident */

/* capacity bytes, 1 to SECRET_CAPACITY_MAX; empty. NULL without memory. Starts closed (no access).
 */
struct secret *secret_new(size_t capacity);
/* A new secret with the bytes of from and room for capacity (at least its length). */
struct secret *secret_copy(struct secret *from, size_t capacity);
void secret_free(struct secret *s); /* wipes, however often it is open; NULL allowed */
size_t secret_len(const struct secret *s);
size_t secret_capacity(const struct secret *s);
bool secret_is_locked(const struct secret *s); /* false: could be written to swap */
/* ERR_LIMIT beyond the capacity, and then nothing was appended. */
enum err secret_append(struct secret *s, const void *bytes, size_t len) WARN_UNUSED;
void secret_truncate(struct secret *s, size_t len); /* wipes what is behind len */
void secret_clear(struct secret *s);                /* wipes, keeps the object */

/* Opens for reading (and writing) around a use. Opens nest and are counted; the memory is closed
 * again by the last secret_close, until which the pointer is borrowed. NULL when the system refuses
 * to change the protection, and then nothing is to be closed. Writing never changes the length. */
const unsigned char *secret_open(struct secret *s);
unsigned char *secret_open_rw(struct secret *s);
void secret_close(struct secret *s);

/* Zero-on-free allocation for libraries that hold secrets for a moment (libcurl): same contracts as
 * libc's, safe from any thread. */
void *secret_hook_malloc(size_t size);
void *secret_hook_calloc(size_t n, size_t size);
void *secret_hook_realloc(void *p, size_t size); /* grows by copy; the old block is wiped */
char *secret_hook_strdup(const char *s);
void secret_hook_free(void *p);
/* libcurl keeps what it sent over TLS, headers and body, in its upload buffer until the reply is
 * there. Given this size, blocks that nothing else asks for, it can be wiped before: by whoever
 * knows that nothing is being sent. */
#define SECRET_HOOK_WATCHED_BYTES (32 * 1024 + 24)
void secret_hook_wipe_watched(void);

#endif
