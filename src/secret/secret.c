/* SPDX-License-Identifier: Apache-2.0 */
/* Guarded bytes on top of libsodium's guarded heap. Owns the protection state of each block. Must
 * not know what the bytes mean. Invariant: a block is readable only while its open count is above
 * zero, and bytes behind the length are zero. */
#include <sodium.h>
#include <string.h>
#include "core/alloc.h"
#include "secret/harden.h"
#include "secret/secret.h"

#define TRIAL_LOCK_BYTES (64 * 1024)

struct secret {
    unsigned char *mem; /* sodium_malloc */
    size_t capacity;
    size_t len;
    unsigned opens;
    bool writable; /* only while open */
    bool locked;
};

enum err secret_init(bool *mlock_ok)
{
    struct secret *trial;
    enum err e = harden_process();

    if (e)
        return e;
    if (sodium_init() < 0)
        return ERR_CONFIG;
    trial = secret_new(TRIAL_LOCK_BYTES);
    if (!trial)
        return ERR_MEMORY;
    *mlock_ok = secret_is_locked(trial);
    secret_free(trial);
    return ERR_OK;
}

void secret_random(void *bytes, size_t len)
{
    randombytes_buf(bytes, len);
}

struct secret *secret_new(size_t capacity)
{
    struct secret *s;

    if (capacity == 0 || capacity > SECRET_CAPACITY_MAX || sodium_init() < 0)
        return NULL;
    s = alloc_zero(1, sizeof *s);
    if (!s)
        return NULL;
    s->mem = sodium_malloc(capacity);
    if (!s->mem) {
        alloc_free(s);
        return NULL;
    }
    s->capacity = capacity;
    /* sodium_malloc locks too, but says nothing when the system refuses. */
    s->locked = sodium_mlock(s->mem, capacity) == 0;
    sodium_memzero(s->mem, capacity);
    if (sodium_mprotect_noaccess(s->mem) != 0) {
        sodium_free(s->mem);
        alloc_free(s);
        return NULL;
    }
    return s;
}

struct secret *secret_copy(struct secret *from, size_t capacity)
{
    struct secret *copy = NULL;
    const unsigned char *bytes = secret_open(from);

    if (!bytes)
        return NULL;
    copy = secret_new(capacity);
    if (copy && secret_append(copy, bytes, from->len) != ERR_OK) {
        secret_free(copy);
        copy = NULL;
    }
    secret_close(from);
    return copy;
}

void secret_free(struct secret *s)
{
    if (!s)
        return;
    sodium_free(s->mem); /* opens, checks the canary, wipes */
    alloc_free(s);
}

size_t secret_len(const struct secret *s)
{
    return s->len;
}

size_t secret_capacity(const struct secret *s)
{
    return s->capacity;
}

bool secret_is_locked(const struct secret *s)
{
    return s->locked;
}

enum err secret_append(struct secret *s, const void *bytes, size_t len)
{
    unsigned char *mem;

    if (len > s->capacity - s->len)
        return ERR_LIMIT;
    if (len == 0)
        return ERR_OK;
    mem = secret_open_rw(s);
    if (!mem)
        return ERR_MEMORY;
    memcpy(mem + s->len, bytes, len);
    s->len += len;
    secret_close(s);
    return ERR_OK;
}

void secret_truncate(struct secret *s, size_t len)
{
    unsigned char *mem;

    if (len >= s->len)
        return;
    mem = secret_open_rw(s);
    if (mem) {
        sodium_memzero(mem + len, s->len - len);
        secret_close(s);
    }
    s->len = len;
}

void secret_clear(struct secret *s)
{
    secret_truncate(s, 0);
}

const unsigned char *secret_open(struct secret *s)
{
    if (s->opens == 0 && sodium_mprotect_readonly(s->mem) != 0)
        return NULL;
    s->opens++;
    return s->mem;
}

unsigned char *secret_open_rw(struct secret *s)
{
    if (!s->writable && sodium_mprotect_readwrite(s->mem) != 0)
        return NULL;
    s->writable = true;
    s->opens++;
    return s->mem;
}

void secret_close(struct secret *s)
{
    if (s->opens == 0 || --s->opens > 0)
        return;
    s->writable = false;
    /* Cannot fail where opening worked: the same pages, less access. */
    (void)sodium_mprotect_noaccess(s->mem);
}
