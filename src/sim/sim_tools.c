/* SPDX-License-Identifier: Apache-2.0 */
/* The table of tools, the door that every call passes, and the status read with its hold. */
#include "sim/sim_tools.h"

#include <stdio.h>
#include <string.h>

#include "sim/sim_flow.h"
#include "sim_render_private.h"
#include "sim_tools_private.h"

#define HOLD_SECONDS 45

static const struct {
    const char *name;
    sim_tool_fn *fn;
} tools[] = {
    {"get_account", sim_tool_account},
    {"list_transactions", sim_tool_transactions},
    {"list_purchases", sim_tool_purchases},
    {"start_purchase", sim_tool_start},
    {"get_purchase_status", sim_tool_status},
    {"answer_purchase_question", sim_tool_answer},
    {"submit_answer", sim_tool_answer},
    {"report_checkout_result", sim_tool_report},
    {"report_checkout_step", sim_tool_step},
    {"cancel_purchase", sim_tool_cancel},
    {"list_gift_card_merchants", sim_tool_merchants},
    {"get_merchants", sim_tool_merchants},
    {"search_products", sim_tool_products},
};

const char *sim_tool_text(const cJSON *input, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(input, name);

    return cJSON_IsString(item) ? item->valuestring : NULL;
}

int sim_tool_number(const cJSON *input, const char *name, int otherwise)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(input, name);

    return cJSON_IsNumber(item) ? item->valueint : otherwise;
}

struct sim_purchase *sim_tool_newest_open(const struct sim_world *w)
{
    for (size_t i = w->purchase_count; i-- > 0;) {
        if (!sim_state_is_terminal(w->purchases[i]->state)) {
            return w->purchases[i];
        }
    }
    return NULL;
}

struct sim_purchase *sim_tool_purchase(struct sim_world *w, struct sim_call *call)
{
    const char *ref = sim_tool_text(call->input, "purchase");
    struct sim_purchase *p = ref != NULL ? sim_world_find(w, ref, false) : sim_tool_newest_open(w);

    if (p == NULL && ref == NULL && w->purchase_count > 0) {
        p = w->purchases[w->purchase_count - 1];
    }
    if (p == NULL) {
        sim_reply_refuse(&call->reply, "NOT_FOUND", NULL);
    }
    return p;
}

const char *sim_tools_name(const char *name)
{
    for (size_t i = 0; i < sizeof(tools) / sizeof(tools[0]); i++) {
        if (strcmp(tools[i].name, name) == 0) {
            return tools[i].name;
        }
    }
    return NULL;
}

void sim_tools_begin(struct sim_world *w, struct sim_call *call, const char *tool, cJSON *input)
{
    memset(call, 0, sizeof(*call));
    call->tool = tool;
    call->input = input;
    memcpy(call->request_id, "req_", 4);
    w->request_count++;
    sim_ident_hex(w->seed, "request", w->request_count, 0, call->request_id + 4, 20);
    sim_ident_hex(w->seed, "trace", w->request_count, 0, call->trace_id, 32);
}

void sim_tools_run(struct sim_world *w, struct sim_call *call)
{
    struct sim_reply *r = &call->reply;

    if (!cJSON_IsObject(call->input)) {
        sim_reply_field(r, "", "The body is no JSON object.", "one JSON object");
        return;
    }
    r->field_count = sim_schema_check_input(call->tool, call->input, r->fields);
    if (r->field_count > 0) {
        sim_reply_refuse(r, "INVALID_INPUT", NULL);
        return;
    }
    for (size_t i = 0; i < sizeof(tools) / sizeof(tools[0]); i++) {
        if (strcmp(tools[i].name, call->tool) == 0) {
            tools[i].fn(w, call);
        }
    }
}

static void finish_status(struct sim_world *w, struct sim_call *call, struct sim_purchase *p)
{
    call->reply.purchase = p;
    call->reply.is_status = true;
    if (!call->is_abandoned) {
        call->reply.handout = sim_flow_hand_out(w, p);
    }
}

void sim_tool_status(struct sim_world *w, struct sim_call *call)
{
    struct sim_purchase *p = sim_tool_purchase(w, call);
    const cJSON *after = cJSON_GetObjectItemCaseSensitive(call->input, "after_revision");
    int wait = sim_tool_number(call->input, "wait_seconds", HOLD_SECONDS);
    int64_t by = SIM_NEVER;

    if (p == NULL) {
        return;
    }
    by = sim_render_by(p);
    if (after == NULL) {
        /* a plain read starts a new count of unchanged holds */
        p->unchanged_holds = 0;
        if (by <= w->now_ms) {
            p->wait_from_ms = w->now_ms;
        }
    } else if (sim_state_is_held(p->state) && wait > 0 &&
               (int64_t)after->valuedouble == p->revision) {
        if (by <= w->now_ms) {
            call->reply.is_stopped = true;
        } else {
            call->is_held = true;
            call->held = p;
            call->held_until_ms = w->now_ms + (int64_t)wait * 1000;
            if (call->held_until_ms > by) {
                call->held_until_ms = by;
            }
            return;
        }
    }
    finish_status(w, call, p);
}

void sim_tools_release(struct sim_world *w, struct sim_call *call, bool is_unchanged)
{
    struct sim_purchase *p = call->held;

    call->is_held = false;
    if (is_unchanged && !call->is_abandoned) {
        p->unchanged_holds++;
        call->reply.is_stopped =
            p->unchanged_holds >= SIM_HOLDS_MAX || sim_render_by(p) <= w->now_ms;
    }
    finish_status(w, call, p);
}

cJSON *sim_tools_envelope(struct sim_world *w, const struct sim_call *call)
{
    cJSON *envelope =
        sim_render_envelope(w, call->tool, &call->reply, call->request_id, call->trace_id);
    char why[400];

    if (!sim_schema_check_reply(call->tool, envelope, why, sizeof(why))) {
        w->schema_breaches++;
        fprintf(stderr, "envoy-sim: a reply of %s breaks the contract: %s\n", call->tool, why);
        cJSON_Delete(envelope);
        return NULL;
    }
    return envelope;
}

void sim_tools_end(struct sim_call *call)
{
    sim_reply_fini(&call->reply);
    cJSON_Delete(call->input);
    call->input = NULL;
}
