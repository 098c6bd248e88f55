/* SPDX-License-Identifier: Apache-2.0 */
/* A bounded log ring, and a file when one was opened (0600). Never pass a secret, a body or an
 * answer; control bytes are made visible on the way in. Lines carry monotonic milliseconds. */
#ifndef CORE_LOG_H
#define CORE_LOG_H

#include <stddef.h>
#include "core/err.h"

enum log_level { LOG_ERROR, LOG_WARN, LOG_INFO, LOG_DEBUG };

enum err log_open(const char *path, enum log_level level) WARN_UNUSED; /* append, 0600 */
void log_close(void);
void log_line(enum log_level level, const char *fmt, ...) PRINTF_LIKE(2, 3);
size_t log_count(void);              /* lines in the ring, at most 512 */
const char *log_at(size_t index);    /* 0 = oldest; borrowed until the next log_line */

#endif
