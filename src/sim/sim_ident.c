/* SPDX-License-Identifier: Apache-2.0 */
/* Seeded identifiers: a splitmix64 walk from a hash of seed, kind and the two ordinals. */
#include "sim/sim_ident.h"

#include <stdio.h>
#include <string.h>

static uint64_t mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15U;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31);
}

uint64_t sim_ident_number(uint64_t seed, const char *kind, uint64_t a, uint64_t b)
{
    uint64_t h = mix(seed);

    for (const char *c = kind; *c != '\0'; c++) {
        h = mix(h ^ (uint64_t)(unsigned char)*c);
    }
    return mix(mix(h ^ a) ^ (b * 0x2545f4914f6cdd1dU));
}

static void spell(uint64_t at, const char *alphabet, uint64_t base, char *out, size_t count)
{
    uint64_t pool = 0;

    for (size_t i = 0; i < count; i++) {
        if (i % 12 == 0) {
            at = mix(at);
            pool = at;
        }
        out[i] = alphabet[pool % base];
        pool /= base;
    }
    out[count] = '\0';
}

void sim_ident_hex(uint64_t seed, const char *kind, uint64_t a, uint64_t b, char *out,
                   size_t digits)
{
    spell(sim_ident_number(seed, kind, a, b), "0123456789abcdef", 16, out, digits);
}

void sim_ident_digits(uint64_t seed, const char *kind, uint64_t a, uint64_t b, char *out,
                      size_t digits)
{
    spell(sim_ident_number(seed, kind, a, b), "0123456789", 10, out, digits);
}

void sim_ident_purchase(uint64_t seed, uint64_t ordinal, char out[SIM_IDENT_PURCHASE_SIZE])
{
    memcpy(out, "pur_", 4);
    sim_ident_hex(seed, "purchase", ordinal, 0, out + 4, 32);
}

void sim_ident_offer(uint64_t seed, uint64_t ordinal, char out[SIM_IDENT_PURCHASE_SIZE])
{
    memcpy(out, "ofr_", 4);
    sim_ident_hex(seed, "offer", ordinal, 0, out + 4, 32);
}

void sim_ident_uuid(uint64_t seed, uint64_t a, uint64_t b, char out[SIM_IDENT_UUID_SIZE])
{
    char hex[33];

    sim_ident_hex(seed, "attempt", a, b, hex, 32);
    hex[12] = '4';
    hex[16] = "89ab"[(hex[16] % 4)];
    snprintf(out, SIM_IDENT_UUID_SIZE, "%.8s-%.4s-%.4s-%.4s-%.12s", hex, hex + 8, hex + 12,
             hex + 16, hex + 20);
}

void sim_ident_card(uint64_t seed, uint64_t ordinal, char out[17])
{
    unsigned sum = 0;

    memcpy(out, "608032", 6);
    sim_ident_digits(seed, "card", ordinal, 0, out + 6, 9);
    for (size_t i = 0; i < 15; i++) {
        unsigned d = (unsigned)(out[i] - '0');

        /* counted from the check digit, every second digit is doubled */
        if (i % 2 == 0) {
            d = d * 2 > 9 ? d * 2 - 9 : d * 2;
        }
        sum += d;
    }
    out[15] = (char)('0' + (10 - sum % 10) % 10);
    out[16] = '\0';
}
