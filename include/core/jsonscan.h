/* SPDX-License-Identifier: Apache-2.0 */
/* Finds a value inside JSON text without building a tree and without copying: for taking secrets
 * out of a reply before a parser sees it, and for passing next.args on byte for byte. */
#ifndef CORE_JSONSCAN_H
#define CORE_JSONSCAN_H

#include <stdbool.h>
#include <stddef.h>
#include "core/err.h"

struct jsonscan_span {
    size_t start; /* first byte of the value */
    size_t len;
};

/* path is a list of object keys ended by NULL, e.g. {"data", "payment_details", NULL}. Keys with
 * escapes are compared after unescaping. When a key stands twice the LAST one counts.
 * ERR_OK and *out; ERR_USER when absent; ERR_FORMAT when the text is not JSON as far as it was
 * read; ERR_LIMIT beyond 64 levels. Reads the whole text. The path element "[]" stands for every
 * element of an array (jsonscan_find then gives the last one). */
enum err jsonscan_find(const char *text, size_t len, const char *const *path,
                       struct jsonscan_span *out) WARN_UNUSED;
/* Like jsonscan_find for every occurrence of the path, so that a second hidden copy cannot survive:
 * calls fn for each; fn may overwrite the span in place with bytes of the same length. On an error
 * fn may have been called already, and the rest of the text was not looked at: drop all of it. */
typedef void jsonscan_fn(void *ctx, struct jsonscan_span span);
enum err jsonscan_each(const char *text, size_t len, const char *const *path, jsonscan_fn *fn,
                       void *ctx) WARN_UNUSED;
/* The element number index (from 0) of the array at array. ERR_USER when there are not that many,
 * ERR_FORMAT when it is no array. */
enum err jsonscan_item(const char *text, struct jsonscan_span array, size_t index,
                       struct jsonscan_span *out) WARN_UNUSED;
/* Unescapes the JSON string at span (with its quotes) into out (size bytes, NUL added). *out_len
 * excludes the NUL. No heap. ERR_FORMAT for no string, ERR_LIMIT when too long; out is
 * wiped then. */
enum err jsonscan_string(const char *text, struct jsonscan_span span, char *out, size_t size,
                         size_t *out_len) WARN_UNUSED;

#endif
