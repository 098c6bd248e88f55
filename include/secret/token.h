/* SPDX-License-Identifier: Apache-2.0 */
/* Where an access token comes from when the console does not sign in itself: a file that only its
 * owner may read, or a command in the manner of git's credential helpers. Knows nothing of what a
 * token is for. Invariant: the token is in guarded memory or wiped, and in no sentence. */
#ifndef SECRET_TOKEN_H
#define SECRET_TOKEN_H

#include <stddef.h>
#include "core/err.h"
#include "secret/secret.h"

#define TOKEN_MAX              8192   /* bytes; a longer first line is refused */
#define TOKEN_COMMAND_LIMIT_MS 120000 /* a person may have to type a passphrase */

/* The first line of a plain file that is ours and closed to group and others. ERR_CONFIG: *why
 * (size bytes) says in one sentence what is wrong and what helps. *out belongs to the caller. */
enum err token_read_file(const char *path, struct secret **out, char *why, size_t size) WARN_UNUSED;
/* Runs command with /bin/sh and takes its first line. Its messages go where ours go; it may ask at
 * the terminal, but reads nothing from a pipe that is ours. Ends it after limit_ms. */
enum err token_run_command(const char *command, int limit_ms, struct secret **out, char *why,
                           size_t size) WARN_UNUSED;

#endif
