/* SPDX-License-Identifier: Apache-2.0 */
/* The one way into jansson: bounded depth, 64-bit integers, core's allocator. Private to the
 * contract layer. */
#ifndef CONTRACT_JSON_H
#define CONTRACT_JSON_H

#include <jansson.h>
#include <stddef.h>
#include "core/err.h"

#define JSON_WHY_MAX 200 /* bytes of a reason, with NUL */

/* Parses an object or array; *out is owned (json_decref). When a key stands twice the last one
 * counts, as in core/jsonscan. ERR_FORMAT, ERR_MEMORY, ERR_LIMIT (deeper than jsonscan reads, or
 * longer than max). why gets plain words without values. */
enum err json_read(const char *text, size_t len, size_t max, json_t **out,
                   char why[JSON_WHY_MAX]) WARN_UNUSED;

#endif
