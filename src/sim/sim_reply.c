/* SPDX-License-Identifier: Apache-2.0 */
/* Refusals: code, HTTP status and the usual sentences. */
#include "sim/sim_reply.h"

#include <string.h>

#include "core/str.h"

static const struct {
    const char *code;
    int status;
    const char *message;
} codes[] = {
    {"INVALID_INPUT", 400, "Some of this input cannot be used."},
    {"UNAUTHENTICATED", 401, "Reconnect to Envoy."},
    {"NOT_ALLOWED", 403, "This connection may not do that."},
    {"SERVICE_NOT_ENABLED", 403, "Purchases are not enabled for this account here."},
    {"NOT_FOUND", 404, "No purchase of this account has that reference."},
    {"IDEMPOTENCY_CONFLICT", 409, "This key was used before with other input."},
    {"ACTIVE_PURCHASE_EXISTS", 409, "Another purchase is in progress."},
    {"STATE_CONFLICT", 409, "This does not fit where the purchase is now."},
    {"NO_RAIL", 422, "Envoy cannot pay this purchase."},
    {"CLIENT_UPDATE_REQUIRED", 426, "This client is too old for Envoy."},
    {"RATE_LIMITED", 429, "Too many calls in one minute."},
    {"UNAVAILABLE", 503, "Envoy is not available right now."},
};

void sim_reply_fini(struct sim_reply *r)
{
    cJSON_Delete(r->data);
    cJSON_Delete(r->next_args);
    r->data = NULL;
    r->next_args = NULL;
}

void sim_reply_refuse(struct sim_reply *r, const char *code, const char *message)
{
    r->code = code;
    for (size_t i = 0; message == NULL && i < sizeof(codes) / sizeof(codes[0]); i++) {
        if (strcmp(codes[i].code, code) == 0) {
            message = codes[i].message;
        }
    }
    str_copy(r->message, sizeof(r->message), message != NULL ? message : "");
}

void sim_reply_field(struct sim_reply *r, const char *path, const char *problem,
                     const char *expected)
{
    struct sim_schema_field *f = NULL;

    if (r->code == NULL) {
        sim_reply_refuse(r, "INVALID_INPUT", NULL);
    }
    if (r->field_count == SIM_SCHEMA_FIELDS_MAX) {
        return;
    }
    f = &r->fields[r->field_count++];
    str_copy(f->path, sizeof(f->path), path);
    str_copy(f->problem, sizeof(f->problem), problem);
    str_copy(f->expected, sizeof(f->expected), expected);
}

int sim_reply_status(const struct sim_reply *r)
{
    for (size_t i = 0; r->code != NULL && i < sizeof(codes) / sizeof(codes[0]); i++) {
        if (strcmp(codes[i].code, r->code) == 0) {
            return codes[i].status;
        }
    }
    return 200;
}
