/* SPDX-License-Identifier: Apache-2.0 */
/* Names of the error classes. Knows nothing of messages for people: those belong to the layers that
 * know what was attempted. Invariant: every value has one fixed name. */
#include "core/err.h"

#include <stdarg.h>
#include <stdio.h>

const char *err_name(enum err e)
{
    switch (e) {
    case ERR_OK:
        return "ok";
    case ERR_USER:
        return "user";
    case ERR_AUTH:
        return "auth";
    case ERR_REFUSED:
        return "refused";
    case ERR_NETWORK:
        return "network";
    case ERR_UNKNOWN_OUTCOME:
        return "unknown-outcome";
    case ERR_STORE:
        return "store";
    case ERR_CONFIG:
        return "config";
    case ERR_MEMORY:
        return "memory";
    case ERR_LIMIT:
        return "limit";
    case ERR_FORMAT:
        return "format";
    case ERR_BUG:
        return "bug";
    }
    return "unlisted";
}

enum err err_explain(enum err e, char *why, size_t size, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(why, size, fmt, ap);
    va_end(ap);
    return e;
}
