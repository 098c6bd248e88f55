/* SPDX-License-Identifier: Apache-2.0 */
/* Identifiers from a random source that main injects (libsodium in the programs, a seeded one in
 * tests). Idempotency keys follow the contract: 16 to 64 of [A-Za-z0-9_-], never "pur_" first. */
#ifndef CORE_IDENT_H
#define CORE_IDENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define IDENT_KEY_MAX 65

typedef void ident_random_fn(void *bytes, size_t len);
void ident_set_random(ident_random_fn *fn); /* default: getrandom(2) */
void ident_random(void *bytes, size_t len);
uint32_t ident_random32(void); /* all 32 bits */
uint32_t ident_uniform(uint32_t upper); /* 0 <= result < upper; 0 for upper 0 */
/* "ec-start-" + 26 random characters, for instance; kind is a short word of [a-z]. */
void ident_key(char out[IDENT_KEY_MAX], const char *kind);
bool ident_is_key(const char *s);         /* contract: idempotency_key */
bool ident_is_purchase_id(const char *s); /* ^pur_[a-f0-9]{32}$ */
bool ident_is_purchase_ref(const char *s); /* either of the two */
bool ident_is_offer_id(const char *s);    /* ^ofr_[a-f0-9]{32}$ */
bool ident_is_uuid(const char *s);        /* checkout_attempt_id */

#endif
