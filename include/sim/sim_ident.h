/* SPDX-License-Identifier: Apache-2.0 */
/* Identifiers made from the seed: each is a function of seed, kind and ordinal, never of the time
 * or of the order in which calls arrive, so the same seed gives the same ids. All of it is
 * synthetic. */
#ifndef SIM_IDENT_H
#define SIM_IDENT_H

#include <stddef.h>
#include <stdint.h>

#define SIM_IDENT_PURCHASE_SIZE 37
#define SIM_IDENT_UUID_SIZE     37

uint64_t sim_ident_number(uint64_t seed, const char *kind, uint64_t a, uint64_t b);
void sim_ident_hex(uint64_t seed, const char *kind, uint64_t a, uint64_t b, char *out,
                   size_t digits); /* digits + NUL */
void sim_ident_digits(uint64_t seed, const char *kind, uint64_t a, uint64_t b, char *out,
                      size_t digits); /* decimal, digits + NUL */
void sim_ident_purchase(uint64_t seed, uint64_t ordinal, char out[SIM_IDENT_PURCHASE_SIZE]);
void sim_ident_offer(uint64_t seed, uint64_t ordinal, char out[SIM_IDENT_PURCHASE_SIZE]);
void sim_ident_uuid(uint64_t seed, uint64_t a, uint64_t b, char out[SIM_IDENT_UUID_SIZE]);
/* 16 digits, always 608032 first (no issuer uses the range here), correct check digit. */
void sim_ident_card(uint64_t seed, uint64_t ordinal, char out[17]);

#endif
