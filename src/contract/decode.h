/* SPDX-License-Identifier: Apache-2.0 */
/* Reading typed fields out of a JSON tree. A struct decode remembers the first trouble with its
 * path; after it every call does nothing, so that callers read straight on and ask once at the end.
 * Absent and null are the same: "unknown". A known field of another JSON type is ERR_FORMAT.
 * Private to the contract layer. */
#ifndef CONTRACT_DECODE_H
#define CONTRACT_DECODE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "contract/enums.h"
#include "contract/reply.h"
#include "core/err.h"

#define DECODE_PATH_MAX 100
#define DECODE_TEXT_MAX 2000 /* bytes of a text for people; longer ones end in "…" */
#define DECODE_URL_MAX  2048

struct decode {
    enum err err;
    char path[DECODE_PATH_MAX];
    size_t path_len;
    char why[200];
};

void decode_fail(struct decode *d, const char *key, enum err e, const char *problem);
/* Path of what is read now; leave with the mark that enter gave. */
size_t decode_enter(struct decode *d, const char *key);
size_t decode_enter_index(struct decode *d, const char *key, size_t index);
void decode_leave(struct decode *d, size_t mark);

bool decode_has(const json_t *parent, const char *key);     /* there and not null */
bool decode_has_key(const json_t *parent, const char *key); /* there, null or not */
/* NULL when absent, null or failed. The array has at most max elements (else ERR_LIMIT). */
const json_t *decode_object(struct decode *d, const json_t *parent, const char *key);
const json_t *decode_array(struct decode *d, const json_t *parent, const char *key, size_t max);
/* The element at index, which must be an object. */
const json_t *decode_element(struct decode *d, const json_t *array, const char *key, size_t index);

/* Visible, bounded text on the heap; NULL when absent. The _due form gives "" then. */
char *decode_text(struct decode *d, const json_t *parent, const char *key);
char *decode_text_due(struct decode *d, const json_t *parent, const char *key);
/* Visible text cut to a fixed buffer; "" when absent. */
void decode_text_into(struct decode *d, const json_t *parent, const char *key, char *out,
                      size_t size);
char *decode_string_text(struct decode *d, const json_t *string);
/* Exact bytes. */
char *decode_exact(struct decode *d, const json_t *parent, const char *key, size_t max);
/* An id that must be well formed when it is there; "" when absent and not required. */
typedef bool decode_is_fn(const char *s);
void decode_id(struct decode *d, const json_t *parent, const char *key, char *out, size_t size,
               decode_is_fn *is, bool required);
/* An https address as it came, else NULL: one that is not clean is left out. */
char *decode_url(struct decode *d, const json_t *parent, const char *key);

bool decode_bool(struct decode *d, const json_t *parent, const char *key, bool absent);
bool decode_bool_required(struct decode *d, const json_t *parent, const char *key);
/* A whole number of at least 0; absent when it is not there. */
int64_t decode_count(struct decode *d, const json_t *parent, const char *key, int64_t absent);
/* CLOCK_NONE when absent or no time. */
int64_t decode_time(const json_t *parent, const char *key);
struct contract_enum decode_enum(struct decode *d, const json_t *parent, const char *key,
                                 enum contract_kind kind);
struct contract_enum decode_enum_required(struct decode *d, const json_t *parent, const char *key,
                                          enum contract_kind kind);
struct contract_amount decode_amount_value(struct decode *d, const json_t *amount);
struct contract_amount decode_amount(struct decode *d, const json_t *parent, const char *key);
struct contract_agent decode_agent(struct decode *d, const json_t *agent);
/* count zeroed elements, or NULL with ERR_MEMORY noted; NULL for 0 as well. */
void *decode_rows(struct decode *d, size_t count, size_t size);

/* The parts of a reply. Each returns a heap object, or NULL after a failure. */
struct contract_purchase *decode_purchase(struct decode *d, const json_t *purchase);
struct contract_account *decode_account(struct decode *d, const json_t *account);
void decode_data(struct decode *d, const json_t *data, struct contract_reply *reply);

#endif
