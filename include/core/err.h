/* SPDX-License-Identifier: Apache-2.0 */
/* The error classes of the whole program. A function that can fail returns one of these and writes
 * its out-parameters only on ERR_OK. UNKNOWN_OUTCOME is special: the write may have happened, so it
 * is resolved by reading and never repeated under a new key. */
#ifndef CORE_ERR_H
#define CORE_ERR_H

#include <stddef.h>

#define WARN_UNUSED __attribute__((warn_unused_result))
#define PRINTF_LIKE(fmt, args) __attribute__((format(printf, fmt, args)))

enum err {
    ERR_OK = 0,
    ERR_USER,            /* what the person gave cannot be used */
    ERR_AUTH,            /* sign in needed */
    ERR_REFUSED,         /* Envoy answered no */
    ERR_NETWORK,         /* no usable answer, and nothing was changed */
    ERR_UNKNOWN_OUTCOME, /* no usable answer, and a write may have happened */
    ERR_STORE,           /* journal or file trouble */
    ERR_CONFIG,          /* settings, theme, environment */
    ERR_MEMORY,          /* allocation failed */
    ERR_LIMIT,           /* more than the stated bound */
    ERR_FORMAT,          /* bytes are not what they should be */
    ERR_BUG,             /* must not happen */
};

/* A fixed lower-case word for logs ("network"). Never NULL. */
const char *err_name(enum err e);
/* Writes a sentence for people to why (size bytes, cut to fit) and returns e. */
enum err err_explain(enum err e, char *why, size_t size, const char *fmt, ...) PRINTF_LIKE(4, 5);

#endif
