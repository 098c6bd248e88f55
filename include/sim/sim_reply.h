/* SPDX-License-Identifier: Apache-2.0 */
/* A reply before it is JSON: what a tool decided. A fresh one (zeroed) is a success without a
 * purchase. Refusals fill code and message; the envelope is made in sim_render. */
#ifndef SIM_REPLY_H
#define SIM_REPLY_H

#include <stdbool.h>
#include "core/err.h"
#include "sim/sim_schema.h"
#include "sim/sim_world.h"

struct sim_reply {
    const char *code; /* static; NULL for a success */
    const char *reason_code;
    char message[401];
    struct sim_schema_field fields[SIM_SCHEMA_FIELDS_MAX];
    size_t field_count;
    bool is_retryable;
    int retry_after_s; /* 0 for none */
    bool must_read;    /* the write may have happened: next reads the purchase */

    struct sim_purchase *purchase;
    bool is_replayed;
    bool is_status;  /* from get_purchase_status */
    bool is_stopped; /* the reader must stop waiting */
    bool is_active_conflict;
    const struct sim_attempt *handout; /* goes into data.payment_details */
    cJSON *data;                       /* owned, NULL for null */
    const char *next_tool;             /* with next_args: the page after this one */
    cJSON *next_args;                  /* owned */
    const char *instruction;           /* for next continue; NULL takes the usual one */
};

void sim_reply_fini(struct sim_reply *r);
/* message NULL takes the usual sentence of that code. */
void sim_reply_refuse(struct sim_reply *r, const char *code, const char *message);
/* Refuses with INVALID_INPUT and one more field. expected "" for none. */
void sim_reply_field(struct sim_reply *r, const char *path, const char *problem,
                     const char *expected);
int sim_reply_status(const struct sim_reply *r); /* HTTP */

/* The whole envelope. Caller deletes it. */
cJSON *sim_render_envelope(struct sim_world *w, const char *tool, const struct sim_reply *r,
                           const char *request_id, const char *trace_id);
cJSON *sim_render_purchase(const struct sim_world *w, const struct sim_purchase *p);
cJSON *sim_render_amount(int64_t amount_minor);
void sim_render_time(cJSON *object, const char *name, int64_t ms);       /* null for SIM_NEVER */
void sim_render_text(cJSON *object, const char *name, const char *text); /* null for NULL */

#endif
