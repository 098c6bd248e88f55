/* SPDX-License-Identifier: Apache-2.0 */
/* Identifiers: making keys and telling the contract's forms apart. Must not know who uses them.
 * Invariant: a key made here always passes ident_is_key. The forms are those of the contract's
 * input schemas (idempotency_key, purchase_id, product_id, checkout_attempt_id). */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include "core/ident.h"

#define KEY_MIN_CHARS    16
#define KEY_MAX_CHARS    64
#define KEY_RANDOM_CHARS 26 /* of 32 symbols each: 130 bits */
#define KIND_MAX_CHARS   24
#define HEX_ID_CHARS     32
#define UNIFORM_TRIES    64

static void system_random(void *bytes, size_t len)
{
    unsigned char *at = bytes;
    while (len > 0) {
        ssize_t n = getrandom(at, len, 0);
        if (n < 0 && errno != EINTR)
            abort(); /* a guessable key is worse than no program */
        if (n > 0) {
            at += n;
            len -= (size_t)n;
        }
    }
}

static ident_random_fn *random_source = system_random;

void ident_set_random(ident_random_fn *fn)
{
    random_source = fn ? fn : system_random;
}

void ident_random(void *bytes, size_t len)
{
    random_source(bytes, len);
}

uint32_t ident_random32(void)
{
    uint32_t random;
    ident_random(&random, sizeof(random));
    return random;
}

uint32_t ident_uniform(uint32_t upper)
{
    if (upper == 0)
        return 0;
    uint32_t biased = (0 - upper) % upper; /* values below it would favour small results */
    uint32_t value = 0;
    /* Bounded, so that a constant test source cannot hang the program. */
    for (int i = 0; i < UNIFORM_TRIES; i++) {
        ident_random(&value, sizeof value);
        if (value >= biased)
            break;
    }
    return value % upper;
}

void ident_key(char out[IDENT_KEY_MAX], const char *kind)
{
    static const char symbols[] = "abcdefghijklmnopqrstuvwxyz234567";
    unsigned char noise[KEY_RANDOM_CHARS];
    size_t at = 3;
    memcpy(out, "ec-", at);
    for (size_t i = 0; kind && i < KIND_MAX_CHARS && kind[i] >= 'a' && kind[i] <= 'z'; i++)
        out[at++] = kind[i];
    out[at++] = '-';
    ident_random(noise, sizeof noise);
    for (size_t i = 0; i < KEY_RANDOM_CHARS; i++)
        out[at++] = symbols[noise[i] % 32];
    out[at] = '\0';
}

static bool is_key_char(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
}

bool ident_is_key(const char *s)
{
    if (!s || strncmp(s, "pur_", 4) == 0)
        return false;
    size_t len = strnlen(s, KEY_MAX_CHARS + 1);
    if (len < KEY_MIN_CHARS || len > KEY_MAX_CHARS)
        return false;
    for (size_t i = 0; i < len; i++) {
        if (!is_key_char(s[i]))
            return false;
    }
    return true;
}

static bool is_lower_hex(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

static bool is_prefixed_hex(const char *s, const char *prefix)
{
    size_t skip = strlen(prefix);
    if (!s || strncmp(s, prefix, skip) != 0)
        return false;
    for (size_t i = 0; i < HEX_ID_CHARS; i++) {
        if (!is_lower_hex(s[skip + i]))
            return false;
    }
    return s[skip + HEX_ID_CHARS] == '\0';
}

bool ident_is_purchase_id(const char *s)
{
    return is_prefixed_hex(s, "pur_");
}

bool ident_is_offer_id(const char *s)
{
    return is_prefixed_hex(s, "ofr_");
}

bool ident_is_purchase_ref(const char *s)
{
    return ident_is_purchase_id(s) || ident_is_key(s);
}

bool ident_is_uuid(const char *s)
{
    if (!s)
        return false;
    for (size_t i = 0; i < 36; i++) {
        bool dash = i == 8 || i == 13 || i == 18 || i == 23;
        if (dash ? s[i] != '-' : !is_lower_hex(s[i]))
            return false;
    }
    return s[36] == '\0';
}
