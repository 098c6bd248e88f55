/* SPDX-License-Identifier: Apache-2.0 */
/* Writing compact JSON. A struct writer remembers the first trouble and does nothing after it. A
 * NULL key writes an element of a list. Private to the contract layer. */
#ifndef CONTRACT_WRITER_H
#define CONTRACT_WRITER_H

#include <stdbool.h>
#include <stdint.h>
#include "contract/enums.h"
#include "contract/reply.h"
#include "core/buf.h"
#include "core/err.h"

struct writer {
    struct buf *out;
    enum err err;
};

void writer_open(struct writer *w, const char *key, char bracket); /* '{' or '[' */
void writer_close(struct writer *w, char bracket);                 /* '}' or ']' */
void writer_raw(struct writer *w, const char *key, const char *json);
void writer_null(struct writer *w, const char *key);
void writer_bool(struct writer *w, const char *key, bool value);
void writer_int(struct writer *w, const char *key, int64_t value);
void writer_text(struct writer *w, const char *key, const char *s);          /* null for NULL */
void writer_text_optional(struct writer *w, const char *key, const char *s); /* nothing for NULL */
void writer_id(struct writer *w, const char *key, const char *id);           /* null for "" */
void writer_count(struct writer *w, const char *key, int64_t value);         /* null below 0 */
void writer_time(struct writer *w, const char *key, int64_t ms); /* null for CLOCK_NONE */
void writer_enum(struct writer *w, const char *key, enum contract_kind kind,
                 const struct contract_enum *e);
void writer_amount(struct writer *w, const char *key, const struct contract_amount *a);

/* A purchase snapshot as an object. */
void writer_purchase(struct writer *w, const char *key, const struct contract_purchase *p);
void writer_agent(struct writer *w, const char *key, const struct contract_agent *a);
void writer_account(struct writer *w, const char *key, const struct contract_account *a);

#endif
