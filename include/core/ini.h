/* SPDX-License-Identifier: Apache-2.0 */
/* Reads "[section]" and "key = value" text (themes, settings). '#' and ';' start comments at the
 * start of a line. Keys and values are trimmed; a value may be quoted. */
#ifndef CORE_INI_H
#define CORE_INI_H

#include <stddef.h>
#include "core/err.h"

/* Called for each key; section is "" before the first. A result other than ERR_OK stops the read. */
typedef enum err ini_fn(void *ctx, const char *section, const char *key, const char *value, int line);
/* *bad_line is set (when not NULL) to the line of an error. ERR_FORMAT for a line that is none. */
enum err ini_read(const char *text, size_t len, ini_fn *fn, void *ctx, int *bad_line) WARN_UNUSED;

#endif
