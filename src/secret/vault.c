/* SPDX-License-Identifier: Apache-2.0 */
/* File format 1: a header of 72 bytes (magic, version, kind of key, Argon2id's parameters, salt,
 * nonce, generation, length), then the sealed body: entries of name length, name, value length,
 * value. Numbers are little-endian. Must not interpret a value. Invariant: names and values lie in
 * the guarded body alone; what is written is sealed before it leaves it. */
#include "secret/vault.h"

#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/alloc.h"
#include "core/str.h"

#define BODY_MAX    (64 * 1024)
#define PATH_BYTES  1024
#define SEAL_BYTES  crypto_aead_xchacha20poly1305_ietf_ABYTES
#define OPS_MAX     16
#define MEM_KIB_MAX (1024 * 1024)

enum {
    AT_VERSION = 8,
    AT_KIND = 9,
    AT_OPS = 12,
    AT_MEM_KIB = 16,
    AT_SALT = 20,
    AT_NONCE = 36,
    AT_GENERATION = 60,
    AT_LENGTH = 68,
    HEADER_BYTES = 72,
    FORMAT = 1
};
static const char magic[8] = {'E', 'N', 'V', 'Y', 'V', 'L', 'T', '\n'};

struct vault {
    char path[PATH_BYTES], dir[PATH_BYTES];
    int lock_fd;
    unsigned char header[HEADER_BYTES];
    struct secret *key;  /* VAULT_KEY_BYTES */
    struct secret *body; /* entries, not sealed */
};

static void put_number(unsigned char *at, uint64_t n, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        at[i] = (unsigned char)(n >> (8 * i));
}

static uint64_t get_number(const unsigned char *at, size_t bytes)
{
    uint64_t n = 0;
    for (size_t i = 0; i < bytes; i++)
        n |= (uint64_t)at[i] << (8 * i);
    return n;
}

/* Place and lock */

static bool take_paths(struct vault *v, const char *path)
{
    const char *slash = strrchr(path, '/');
    size_t len = slash ? (size_t)(slash - path) : 1;
    if (strlen(path) + 16 > PATH_BYTES || !str_copy(v->path, sizeof(v->path), path))
        return false;
    if (slash == path)
        len = 1;
    memcpy(v->dir, slash ? path : ".", len);
    v->dir[len] = '\0';
    return true;
}

static enum err check_dir(const struct vault *v, char *why, size_t size)
{
    struct stat st;
    if (lstat(v->dir, &st) != 0 || !S_ISDIR(st.st_mode))
        return err_explain(
            ERR_CONFIG, why, size,
            "The token store's folder is not there or is no plain folder: make it with "
            "mkdir -m 700.");
    if (st.st_uid != geteuid() || (st.st_mode & (S_IRWXG | S_IRWXO)) != 0)
        return err_explain(
            ERR_CONFIG, why, size,
            "The token store's folder is open to other users: close it with chmod 700.");
    return ERR_OK;
}

static enum err take_lock(struct vault *v, char *why, size_t size)
{
    char name[PATH_BYTES + 8];
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    snprintf(name, sizeof(name), "%s.lock", v->path);
    v->lock_fd = open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR);
    if (v->lock_fd < 0)
        return err_explain(ERR_STORE, why, size, "The token store cannot be locked: %s.",
                           strerror(errno));
    if (fcntl(v->lock_fd, F_OFD_SETLK, &whole) != 0)
        return err_explain(
            ERR_STORE, why, size,
            "Another envoy-console has the token store open: try again when it is done.");
    return ERR_OK;
}

/* Generation */

static uint64_t seen_generation(const struct vault *v)
{
    char name[PATH_BYTES + 8], text[24] = "";
    snprintf(name, sizeof(name), "%s.seen", v->path);
    int fd = open(name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    ssize_t n = fd < 0 ? 0 : read(fd, text, sizeof(text) - 1);
    if (fd >= 0)
        close(fd);
    return n > 0 ? strtoull(text, NULL, 16) : 0;
}

/* The old file or the new one, whatever happens in between. */
static enum err replace_file(const struct vault *v, const char *suffix, const void *bytes,
                             size_t len)
{
    char name[PATH_BYTES + 8], fresh[PATH_BYTES + 16];
    snprintf(name, sizeof(name), "%s%s", v->path, suffix);
    snprintf(fresh, sizeof(fresh), "%s.new", name);
    if (unlink(fresh) != 0 && errno != ENOENT) /* left by a run that was killed; we have the lock */
        return ERR_STORE;
    int fd = open(fresh, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR);
    int dir = open(v->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool good = fd >= 0 && dir >= 0 && fchmod(fd, S_IRUSR | S_IWUSR) == 0 &&
                write(fd, bytes, len) == (ssize_t)len && fsync(fd) == 0 &&
                rename(fresh, name) == 0 && fsync(dir) == 0;
    if (!good)
        (void)unlink(fresh);
    if (fd >= 0)
        close(fd);
    if (dir >= 0)
        close(dir);
    return good ? ERR_OK : ERR_STORE;
}

/* Key */

static enum err derive_key(struct vault *v, struct secret *from)
{
    bool phrase = v->header[AT_KIND] == VAULT_PASSPHRASE;
    const unsigned char *in = secret_open(from);
    enum err e = ERR_OK;
    if (!in)
        return ERR_MEMORY;
    if (!phrase) {
        e = secret_len(from) == VAULT_KEY_BYTES ? secret_append(v->key, in, VAULT_KEY_BYTES)
                                                : ERR_AUTH;
    } else {
        unsigned char zero[VAULT_KEY_BYTES] = {0};
        e = secret_append(v->key, zero, sizeof(zero)); /* room to write into */
        unsigned char *out = e == ERR_OK ? secret_open_rw(v->key) : NULL;
        size_t mem = (size_t)get_number(v->header + AT_MEM_KIB, 4) * 1024;
        if (!out || crypto_pwhash(out, VAULT_KEY_BYTES, (const char *)in, secret_len(from),
                                  v->header + AT_SALT, get_number(v->header + AT_OPS, 4), mem,
                                  crypto_pwhash_ALG_ARGON2ID13) != 0)
            e = ERR_MEMORY;
        if (out)
            secret_close(v->key);
    }
    secret_close(from);
    return e;
}

/* Reading */

static enum err check_header(const struct vault *v, size_t len, enum vault_key kind, char *why,
                             size_t size)
{
    const unsigned char *h = v->header;
    if (len < HEADER_BYTES || memcmp(h, magic, sizeof(magic)) != 0)
        return err_explain(
            ERR_FORMAT, why, size,
            "This is no token store, or it was cut: put a copy back, or remove it and "
            "store the token again.");
    if (h[AT_VERSION] != FORMAT)
        return err_explain(
            ERR_FORMAT, why, size,
            "The token store was written by a newer version: use that one, or remove "
            "the file and store the token again.");
    if (h[AT_KIND] != kind)
        return err_explain(ERR_AUTH, why, size,
                           "The token store is opened in the other way: with a %s.",
                           h[AT_KIND] == VAULT_PASSPHRASE ? "passphrase" : "key file");
    uint64_t ops = get_number(h + AT_OPS, 4), mem = get_number(h + AT_MEM_KIB, 4);
    bool bounded =
        kind == VAULT_KEY_FILE || (ops >= 1 && ops <= OPS_MAX && mem >= 8 && mem <= MEM_KIB_MAX);
    if (!bounded || get_number(h + AT_LENGTH, 4) > BODY_MAX ||
        len != HEADER_BYTES + get_number(h + AT_LENGTH, 4) + SEAL_BYTES)
        return err_explain(ERR_FORMAT, why, size,
                           "The token store was cut or changed: put a copy back, or remove it and "
                           "store the token again.");
    return ERR_OK;
}

static enum err unseal(struct vault *v, const unsigned char *sealed, size_t len)
{
    static const unsigned char zero[1024];
    size_t want = len - SEAL_BYTES;
    enum err e = ERR_OK;
    for (size_t at = 0; at < want && e == ERR_OK; at += sizeof(zero))
        e = secret_append(v->body, zero, want - at < sizeof(zero) ? want - at : sizeof(zero));
    unsigned char *out = e == ERR_OK ? secret_open_rw(v->body) : NULL;
    const unsigned char *key = secret_open(v->key);
    if (!out || !key)
        e = ERR_MEMORY;
    else if (crypto_aead_xchacha20poly1305_ietf_decrypt(out, NULL, NULL, sealed, len, v->header,
                                                        HEADER_BYTES, v->header + AT_NONCE,
                                                        key) != 0)
        e = ERR_AUTH;
    if (key)
        secret_close(v->key);
    if (out)
        secret_close(v->body);
    return e;
}

static enum err check_file(int fd, char *why, size_t size)
{
    struct stat st;
    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) || st.st_uid != geteuid())
        return err_explain(ERR_CONFIG, why, size,
                           "The token store is not a plain file of yours: move it away.");
    if ((st.st_mode & (S_IRWXG | S_IRWXO)) != 0)
        return err_explain(
            ERR_CONFIG, why, size,
            "The token store is open to other users (mode %04o): close it with chmod "
            "600, and take a new token if it may have been read.",
            (unsigned)(st.st_mode & 07777));
    return ERR_OK;
}

static enum err load(struct vault *v, int fd, enum vault_key kind, struct secret *key, char *why,
                     size_t size)
{
    unsigned char *bytes = alloc_zero(1, HEADER_BYTES + BODY_MAX + SEAL_BYTES + 1);
    enum err e = check_file(fd, why, size);
    if (!bytes)
        e = err_explain(ERR_MEMORY, why, size, "There is no memory for the token store.");
    ssize_t n = e == ERR_OK ? read(fd, bytes, HEADER_BYTES + BODY_MAX + SEAL_BYTES + 1) : 0;
    if (e == ERR_OK && n < 0)
        e = err_explain(ERR_STORE, why, size, "The token store cannot be read: %s.",
                        strerror(errno));
    if (e != ERR_OK)
        goto out;
    memcpy(v->header, bytes, HEADER_BYTES);
    e = check_header(v, (size_t)n, kind, why, size);
    if (e != ERR_OK)
        goto out;
    e = derive_key(v, key);
    if (e == ERR_OK)
        e = unseal(v, bytes + HEADER_BYTES, (size_t)n - HEADER_BYTES);
    if (e == ERR_AUTH)
        err_explain(
            e, why, size,
            "The token store does not open: the passphrase or key is another one, or the file "
            "was changed. Try again, or remove it and store the token again.");
    else if (e != ERR_OK)
        err_explain(e, why, size, "There is no memory to open the token store.");
    else if (get_number(v->header + AT_GENERATION, 8) < seen_generation(v))
        e = err_explain(
            ERR_FORMAT, why, size,
            "The token store is an older copy than the last one that was used here: put the "
            "newer one back, or remove it with its .seen file and store the token again.");
out:
    alloc_free(bytes);
    return e;
}

static enum err start_empty(struct vault *v, enum vault_key kind, struct secret *key)
{
    memcpy(v->header, magic, sizeof(magic));
    v->header[AT_VERSION] = FORMAT;
    v->header[AT_KIND] = (unsigned char)kind;
    if (kind == VAULT_PASSPHRASE) {
        put_number(v->header + AT_OPS, crypto_pwhash_OPSLIMIT_INTERACTIVE, 4);
        put_number(v->header + AT_MEM_KIB, crypto_pwhash_MEMLIMIT_INTERACTIVE / 1024, 4);
    }
    randombytes_buf(v->header + AT_SALT, crypto_pwhash_SALTBYTES);
    put_number(v->header + AT_GENERATION, seen_generation(v), 8);
    return derive_key(v, key);
}

enum err vault_open(const char *path, enum vault_key kind, struct secret *key, bool create,
                    struct vault **out, char *why, size_t size)
{
    struct vault *v = alloc_zero(1, sizeof(*v));
    int fd = -1;
    enum err e = ERR_OK;
    if (!v)
        return err_explain(ERR_MEMORY, why, size, "There is no memory for the token store.");
    v->lock_fd = -1;
    v->key = secret_new(VAULT_KEY_BYTES);
    v->body = secret_new(BODY_MAX);
    if (!v->key || !v->body)
        e = err_explain(ERR_MEMORY, why, size, "There is no memory for the token store.");
    else if (!take_paths(v, path))
        e = err_explain(ERR_CONFIG, why, size, "The token store's name is too long; use another.");
    if (e == ERR_OK)
        e = check_dir(v, why, size);
    if (e == ERR_OK)
        e = take_lock(v, why, size);
    if (e != ERR_OK)
        goto out;
    fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    if (fd >= 0)
        e = load(v, fd, kind, key, why, size);
    else if (errno == ELOOP)
        e = err_explain(
            ERR_CONFIG, why, size,
            "The token store is a symbolic link, which is not followed: name the file.");
    else if (errno != ENOENT || !create)
        e = err_explain(ERR_STORE, why, size, "The token store cannot be opened: %s.",
                        strerror(errno));
    else if (start_empty(v, kind, key) != ERR_OK)
        e = err_explain(ERR_AUTH, why, size, "A key has 32 bytes; this one cannot be used.");
out:
    if (fd >= 0)
        close(fd);
    if (e == ERR_OK)
        *out = v;
    else
        vault_close(v);
    return e;
}

void vault_close(struct vault *v)
{
    if (!v)
        return;
    secret_free(v->key);
    secret_free(v->body);
    if (v->lock_fd >= 0)
        close(v->lock_fd);
    alloc_free(v);
}

/* Entries: name length (1), name, value length (2), value. The body was authenticated. */

static size_t entry_bytes(const unsigned char *at)
{
    return 3u + at[0] + (size_t)get_number(at + 1 + at[0], 2);
}

/* Offset of an entry, the body's length when there is none. */
static size_t find_entry(const struct vault *v, const unsigned char *body, const char *name)
{
    size_t at = 0, len = strlen(name), end = secret_len(v->body);
    while (at < end && !(body[at] == len && memcmp(body + at + 1, name, len) == 0))
        at += entry_bytes(body + at);
    return at;
}

bool vault_name(struct vault *v, size_t index, char out[VAULT_NAME_MAX])
{
    const unsigned char *body = secret_open(v->body);
    size_t at = 0, end = secret_len(v->body);
    if (!body)
        return false;
    for (; index > 0 && at < end; index--)
        at += entry_bytes(body + at);
    if (at < end) {
        memcpy(out, body + at + 1, body[at]);
        out[body[at]] = '\0';
    }
    secret_close(v->body);
    return at < end;
}

enum err vault_get(struct vault *v, const char *name, struct secret **out)
{
    const unsigned char *body = secret_open(v->body);
    if (!body)
        return ERR_MEMORY;
    size_t at = find_entry(v, body, name);
    enum err e = at < secret_len(v->body) ? ERR_OK : ERR_USER;
    if (e == ERR_OK) {
        size_t len = (size_t)get_number(body + at + 1 + body[at], 2);
        struct secret *value = secret_new(len);
        e = value ? secret_append(value, body + at + 3 + body[at], len) : ERR_MEMORY;
        if (e == ERR_OK)
            *out = value;
        else
            secret_free(value);
    }
    secret_close(v->body);
    return e;
}

enum err vault_delete(struct vault *v, const char *name)
{
    unsigned char *body = secret_open_rw(v->body);
    if (!body)
        return ERR_MEMORY;
    size_t at = find_entry(v, body, name), end = secret_len(v->body);
    if (at == end) {
        secret_close(v->body);
        return ERR_USER;
    }
    size_t gone = entry_bytes(body + at);
    memmove(body + at, body + at + gone, end - at - gone);
    secret_truncate(v->body, end - gone);
    secret_close(v->body);
    return ERR_OK;
}

static bool is_name(const char *name)
{
    static const char good[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
    size_t len = strlen(name);
    return len > 0 && len < VAULT_NAME_MAX && strspn(name, good) == len;
}

enum err vault_put(struct vault *v, const char *name, struct secret *value)
{
    unsigned char head[VAULT_NAME_MAX + 3];
    size_t len = secret_len(value), name_len = strlen(name);
    if (!is_name(name) || len == 0)
        return ERR_USER;
    /* counted with the old one still there, so that a refusal changes nothing */
    if (len > UINT16_MAX || 3 + name_len + len > BODY_MAX - secret_len(v->body))
        return ERR_LIMIT;
    const unsigned char *bytes = secret_open(value);
    if (!bytes)
        return ERR_MEMORY;
    enum err e = vault_delete(v, name);
    if (e == ERR_OK || e == ERR_USER) {
        head[0] = (unsigned char)name_len;
        memcpy(head + 1, name, name_len);
        put_number(head + 1 + name_len, len, 2);
        e = secret_append(v->body, head, 3 + name_len);
        if (e == ERR_OK)
            e = secret_append(v->body, bytes, len);
    }
    secret_close(value);
    return e;
}

enum err vault_save(struct vault *v)
{
    size_t len = secret_len(v->body);
    unsigned char *file = alloc_zero(1, HEADER_BYTES + len + SEAL_BYTES);
    const unsigned char *body = secret_open(v->body), *key = secret_open(v->key);
    uint64_t generation = get_number(v->header + AT_GENERATION, 8) + 1;
    enum err e = file && body && key ? ERR_OK : ERR_MEMORY;
    char text[24];
    if (e == ERR_OK) {
        put_number(v->header + AT_GENERATION, generation, 8);
        put_number(v->header + AT_LENGTH, len, 4);
        randombytes_buf(v->header + AT_NONCE, crypto_aead_xchacha20poly1305_ietf_NPUBBYTES);
        memcpy(file, v->header, HEADER_BYTES);
        crypto_aead_xchacha20poly1305_ietf_encrypt(file + HEADER_BYTES, NULL, body, len, v->header,
                                                   HEADER_BYTES, NULL, v->header + AT_NONCE, key);
        e = replace_file(v, "", file, HEADER_BYTES + len + SEAL_BYTES);
    }
    /* after the vault: killed in between, the vault is newer than what was seen, which is good */
    int n = snprintf(text, sizeof(text), "%016llx\n", (unsigned long long)generation);
    if (e == ERR_OK)
        e = replace_file(v, ".seen", text, (size_t)n);
    if (key)
        secret_close(v->key);
    if (body)
        secret_close(v->body);
    alloc_free(file);
    return e;
}
