/* SPDX-License-Identifier: Apache-2.0 */
/* The sealed store: named secrets in one file (XChaCha20-Poly1305, the header is authenticated with
 * them), opened with a passphrase (Argon2id) or a 32-byte key. Knows nothing of what they are for.
 * Invariants: no secret outside guarded memory, the file is replaced as a whole or not at all, and
 * a file that is damaged, older than the last one seen, or open to others is refused. */
#ifndef SECRET_VAULT_H
#define SECRET_VAULT_H

#include <stdbool.h>
#include <stddef.h>
#include "core/err.h"
#include "secret/secret.h"

#define VAULT_NAME_MAX  64 /* bytes of a name, with NUL: letters, digits, '.', '_', '-' */
#define VAULT_KEY_BYTES 32

enum vault_key { VAULT_PASSPHRASE = 1, VAULT_KEY_FILE = 2 };

struct vault; /* opaque */

/* Opens path, or with create starts an empty one when there is no such file (nothing is written
 * before vault_save). Its folder must be ours and closed to others. Holds path.lock until
 * vault_close, so one process has it at a time; path.seen remembers the newest generation. Someone
 * who can put back both files can put back an older vault. key is borrowed for the call. On failure
 * *why (size bytes) says what is wrong and what helps: ERR_CONFIG place and modes, ERR_STORE busy
 * or unreadable, ERR_AUTH wrong key or changed bytes, ERR_FORMAT no vault, cut, newer, or older
 * copy. */
enum err vault_open(const char *path, enum vault_key kind, struct secret *key, bool create,
                    struct vault **out, char *why, size_t size) WARN_UNUSED;
void vault_close(struct vault *v); /* wipes; NULL allowed */

/* Entry at index in the order they were put; false behind the last. */
bool vault_name(struct vault *v, size_t index, char out[VAULT_NAME_MAX]);
/* ERR_USER when there is none of that name. *out belongs to the caller. */
enum err vault_get(struct vault *v, const char *name, struct secret **out) WARN_UNUSED;
/* Adds or replaces. ERR_USER: a name that is none; ERR_LIMIT: no room. */
enum err vault_put(struct vault *v, const char *name, struct secret *value) WARN_UNUSED;
enum err vault_delete(struct vault *v, const char *name) WARN_UNUSED;
/* On the disk when it returns ERR_OK; on ERR_STORE the file is the old one or the new one. */
enum err vault_save(struct vault *v) WARN_UNUSED;

#endif
