/* SPDX-License-Identifier: Apache-2.0 */
/* A one-time card or voucher, in guarded memory from the moment the reply is read. What is not
 * secret (network, last four, limit, deadlines, brand, instructions) is plain; the rest is only
 * reachable field by field for the moment of use. Page: get_purchase_status, payment_details. */
#ifndef SECRET_HANDOUT_H
#define SECRET_HANDOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "core/err.h"
#include "secret/secret.h"

enum handout_kind { HANDOUT_CARD, HANDOUT_VOUCHER };

/* Fields that are wholly masked until revealed. */
enum handout_field {
    HANDOUT_NUMBER,
    HANDOUT_EXPIRY, /* "MM/YY" */
    HANDOUT_CVV,
    HANDOUT_CODE, /* checkout_code: this card's bank code */
    HANDOUT_VOUCHER_CODE,
    HANDOUT_VOUCHER_PIN,
    HANDOUT_FIELD_COUNT,
};

struct handout_facts { /* not secret; visible text */
    enum handout_kind kind;
    char network[16];             /* "rupay" */
    char last4[5];                /* card only */
    char checkout_attempt_id[37]; /* "" for a legacy handout */
    int64_t amount_limit_minor;
    char amount_limit_display[48];
    int64_t expires_at_ms;      /* CLOCK_NONE when not given */
    int64_t code_expires_at_ms; /* CLOCK_NONE when not given */
    char brand[128];
    int64_t value_minor;
    char value_display[48];
    int64_t valid_until_ms;
    char redemption_url[512]; /* "" when not given */
    char redemption[1024];    /* visible text */
};

struct handout; /* opaque, owned by the model */

/* Looks into a reply body in guarded memory for data.payment_details. When it is there, copies the
 * fields into a new handout and overwrites the value in place with null and blanks (every twin too,
 * the last one counts), so that the rest can be parsed by anyone. Absent or null: ERR_OK and *out =
 * NULL. Details that cannot be relied on (kind and contents disagree, a field missing, too long or
 * with odd bytes): still overwritten, ERR_FORMAT. Body that is not JSON to its end: ERR_NETWORK,
 * and then nothing may be parsed of it, because a cut secret may stand in it. No heap copy, no
 * formatting function touches a secret. Bounds: number 12 to 19 digits, cvv 3 or 4 digits, month 1
 * to 12, year of 2 or 4 digits, checkout code 64 bytes without blanks, voucher code and pin 128
 * bytes; all of them printable ASCII. */
enum err handout_extract(struct secret *body, struct handout **out) WARN_UNUSED;
void handout_free(struct handout *h); /* wipes; NULL allowed */

const struct handout_facts *handout_facts_view(const struct handout *h);
bool handout_has(const struct handout *h, enum handout_field field);
size_t handout_field_len(const struct handout *h, enum handout_field field); /* bytes */
/* Calls use with the field's bytes while the memory is open; they are borrowed for the call only.
 * ERR_USER when the handout has no such field. */
typedef void handout_use_fn(void *ctx, const unsigned char *bytes, size_t len);
enum err handout_use(struct handout *h, enum handout_field field, handout_use_fn *use,
                     void *ctx) WARN_UNUSED;
/* The fixed mask of a field, never depending on its length: "•••• •••• •••• 4242", "••/••", "•••",
 * "••••••", "••••••••"; "" for a field that is not there. ascii uses '*'. */
void handout_mask(const struct handout *h, enum handout_field field, bool ascii, char *out,
                  size_t size);

#endif
