/* SPDX-License-Identifier: Apache-2.0 */
/* A growing byte buffer with a hard limit. data is always NUL-terminated once something was
 * appended; len does not count the NUL. On any error the buffer keeps what it had. */
#ifndef CORE_BUF_H
#define CORE_BUF_H

#include <stdarg.h>
#include <stddef.h>
#include "core/err.h"

struct buf {
    char *data; /* owned; NULL while empty */
    size_t len;
    size_t cap;
    size_t limit; /* bytes; an append beyond it fails with ERR_LIMIT */
};

void buf_init(struct buf *b, size_t limit);
void buf_fini(struct buf *b); /* zeroes and frees */
void buf_clear(struct buf *b);
enum err buf_append(struct buf *b, const void *bytes, size_t len) WARN_UNUSED;
enum err buf_append_str(struct buf *b, const char *s) WARN_UNUSED;
enum err buf_append_char(struct buf *b, char c) WARN_UNUSED;
enum err buf_printf(struct buf *b, const char *fmt, ...) WARN_UNUSED PRINTF_LIKE(2, 3);
enum err buf_vprintf(struct buf *b, const char *fmt, va_list ap) WARN_UNUSED;
const char *buf_view(const struct buf *b); /* "" when empty; borrowed */
char *buf_take(struct buf *b);             /* caller frees with alloc_free; buffer is empty after; never "": NULL when empty */

#endif
