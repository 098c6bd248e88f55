/* SPDX-License-Identifier: Apache-2.0 */
/* The one way into jansson: bounded depth, 64-bit integers, core's allocator. Private to the
 * contract layer. */
#ifndef CONTRACT_JSON_H
#define CONTRACT_JSON_H

#include <jansson.h>
#include <stddef.h>
#include "core/alloc.h"
#include "core/err.h"

#define JSON_WHY_MAX 200 /* bytes of a reason, with NUL */

/* A parsed text. It lives in a pool, is only read, and is never given to json_decref. */
struct json_doc {
    struct alloc_pool pool;
    const json_t *root;
};

/* Parses an object or array; *doc is to be closed. When a key stands twice the last one counts, as
 * in core/jsonscan. ERR_FORMAT, ERR_MEMORY, ERR_LIMIT (deeper than jsonscan reads, or longer than
 * max); then doc is empty. why gets plain words without values. */
enum err json_open(const char *text, size_t len, size_t max, struct json_doc *doc,
                   char why[JSON_WHY_MAX]) WARN_UNUSED;
void json_close(struct json_doc *doc);

#endif
