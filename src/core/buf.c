/* SPDX-License-Identifier: Apache-2.0 */
/* The growing byte buffer. Must not know what the bytes mean. Invariants: len < cap once there is
 * data, data[len] is NUL, len never exceeds limit, and a failed append changes nothing. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include "core/alloc.h"
#include "core/buf.h"

#define BUF_FIRST_CAP 64

void buf_init(struct buf *b, size_t limit)
{
    *b = (struct buf){.limit = limit};
}

void buf_fini(struct buf *b)
{
    alloc_free(b->data);
    *b = (struct buf){.limit = b->limit};
}

void buf_clear(struct buf *b)
{
    b->len = 0;
    if (b->data)
        b->data[0] = '\0';
}

static enum err reserve(struct buf *b, size_t extra)
{
    if (extra > b->limit || b->len > b->limit - extra || b->len + extra == SIZE_MAX)
        return ERR_LIMIT;
    size_t need = b->len + extra + 1;
    if (need <= b->cap)
        return ERR_OK;
    size_t cap = b->cap > 0 ? b->cap : BUF_FIRST_CAP;
    while (cap < need)
        cap = cap > SIZE_MAX / 2 ? need : cap * 2;
    char *data = alloc_grow(b->data, cap);
    if (!data)
        return ERR_MEMORY;
    data[b->len] = '\0';
    b->data = data;
    b->cap = cap;
    return ERR_OK;
}

enum err buf_append(struct buf *b, const void *bytes, size_t len)
{
    if (len == 0)
        return ERR_OK;
    enum err e = reserve(b, len);
    if (e != ERR_OK)
        return e;
    memcpy(b->data + b->len, bytes, len);
    b->len += len;
    b->data[b->len] = '\0';
    return ERR_OK;
}

enum err buf_append_str(struct buf *b, const char *s)
{
    return s ? buf_append(b, s, strlen(s)) : ERR_OK;
}

enum err buf_append_char(struct buf *b, char c)
{
    return buf_append(b, &c, 1);
}

enum err buf_printf(struct buf *b, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    enum err e = buf_vprintf(b, fmt, ap);
    va_end(ap);
    return e;
}

enum err buf_vprintf(struct buf *b, const char *fmt, va_list ap)
{
    va_list measure;
    va_copy(measure, ap);
    int need = vsnprintf(NULL, 0, fmt, measure);
    va_end(measure);
    if (need < 0)
        return ERR_FORMAT;
    if (need == 0)
        return ERR_OK;
    enum err e = reserve(b, (size_t)need);
    if (e != ERR_OK)
        return e;
    vsnprintf(b->data + b->len, (size_t)need + 1, fmt, ap);
    b->len += (size_t)need;
    return ERR_OK;
}

const char *buf_view(const struct buf *b)
{
    return b->data ? b->data : "";
}

char *buf_take(struct buf *b)
{
    if (b->len == 0) {
        buf_fini(b);
        return NULL;
    }
    char *data = b->data;
    *b = (struct buf){.limit = b->limit};
    return data;
}
