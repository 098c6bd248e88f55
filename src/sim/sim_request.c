/* SPDX-License-Identifier: Apache-2.0 */
/* From a complete request to its reply: routes, token, budget, faults, the hold. */
#include "sim_http_private.h"

#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "core/alloc.h"
#include "core/clock.h"
#include "core/str.h"
#include "sim/sim_engine.h"
#include "sim/sim_mem.h"
#include "sim/sim_schema.h"

#define HTML504                                                                                    \
    "<html>\r\n<head><title>504 Gateway Time-out</title></head>\r\n<body>\r\n"                     \
    "<center><h1>504 Gateway Time-out</h1></center>\r\n</body>\r\n</html>\r\n"

void sim_request_json(struct sim_request *q, int status, cJSON *o)
{
    alloc_free(q->reply);
    q->reply = cJSON_PrintUnformatted(o);
    q->reply_size = strlen(q->reply);
    q->status = status;
    q->content_type = "application/json";
    q->stage = SIM_STAGE_READY;
    cJSON_Delete(o);
}

static void not_found(struct sim_request *q)
{
    cJSON *o = cJSON_CreateObject();

    cJSON_AddStringToObject(o, "error", "NOT_FOUND");
    sim_request_json(q, 404, o);
}

static void text_reply(struct sim_request *q, int status, const char *type, const char *text,
                       size_t size)
{
    alloc_free(q->reply);
    q->reply = sim_mem_zero(1, size + 1);
    memcpy(q->reply, text, size);
    q->reply_size = size;
    q->status = status;
    q->content_type = type;
    q->stage = SIM_STAGE_READY;
}

static void sleep_until(struct sim_request *q, double seconds, enum sim_stage after)
{
    q->stage = SIM_STAGE_SLEEP;
    q->after = after;
    q->due_mono_ms = clock_mono_ms() + (int64_t)(seconds * 1000);
}

/* The reply of the call as it stands, and its row in the record. */
static void make_reply(struct sim_request *q, int status)
{
    struct sim_world *w = q->http->server->world;
    cJSON *envelope = sim_tools_envelope(w, &q->call);

    if (envelope == NULL) {
        envelope = cJSON_CreateObject();
        cJSON_AddStringToObject(envelope, "error", "SCHEMA_BREACH");
        status = 500;
    }
    sim_request_json(q, status, envelope);
}

static void record_end(struct sim_request *q, int status)
{
    struct sim_server *s = q->http->server;

    sim_calls_end(&s->calls, q->call_number, status, q->call.reply.code,
                  q->fault.kind != SIM_FAULT_NONE ? sim_fault_name(q->fault.kind) : NULL,
                  s->world->now_ms);
    q->call_number = 0;
}

static void refuse(struct sim_request *q, const char *code)
{
    struct sim_reply *r = &q->call.reply;

    sim_reply_fini(r);
    memset(r, 0, sizeof(*r));
    sim_reply_refuse(r, code, NULL);
}

static void refuse_budget(struct sim_request *q, const char *retry_after)
{
    refuse(q, "RATE_LIMITED");
    q->call.reply.is_retryable = true;
    q->call.reply.retry_after_s = 60;
    str_copy(q->retry_after, sizeof(q->retry_after), retry_after);
}

/* An upstream that fails before the call lets it be repeated; after it, the purchase must be read,
 * where the call named or made one. */
static void refuse_unavailable(struct sim_request *q)
{
    struct sim_purchase *p = q->call.reply.purchase;
    bool must_read = q->fault.is_after && p != NULL && !sim_schema_tool_read_only(q->call.tool);

    refuse(q, "UNAVAILABLE");
    if (must_read) {
        q->call.reply.purchase = p;
    } else {
        q->call.reply.is_retryable = true;
        q->call.reply.retry_after_s = q->fault.seconds >= 1 ? (int)q->fault.seconds : 1;
    }
}

static void garble(struct sim_request *q)
{
    for (size_t i = 0; i < q->reply_size; i++) {
        q->reply[i] = (char)sim_ident_number(q->http->server->world->seed, "garbage", i, 0);
    }
}

/* Makes the reply what the fault says. The fault is in place of the call's own reply. */
static void apply_fault(struct sim_request *q)
{
    bool is_damage = q->fault.kind == SIM_FAULT_TRUNCATE ||
                     q->fault.kind == SIM_FAULT_WRONG_LENGTH || q->fault.kind == SIM_FAULT_GARBAGE;

    if (is_damage && !q->fault.is_after) {
        refuse_unavailable(q); /* nothing happened; this is what the reply would have said */
    }
    switch (q->fault.kind) {
    case SIM_FAULT_RESET:
        q->stage = SIM_STAGE_ABORT;
        break;
    case SIM_FAULT_REFUSE:
        sim_http_refuse(q->http, q->fault.seconds);
        q->stage = SIM_STAGE_ABORT;
        break;
    case SIM_FAULT_BLACKHOLE:
        sleep_until(q, q->fault.seconds, SIM_STAGE_ABORT);
        break;
    case SIM_FAULT_STATUS:
        text_reply(q, q->fault.status, "application/json", "{}", 2);
        break;
    case SIM_FAULT_HTML504:
        text_reply(q, 504, "text/html", HTML504, strlen(HTML504));
        break;
    case SIM_FAULT_GARBAGE:
        make_reply(q, sim_reply_status(&q->call.reply));
        garble(q);
        break;
    case SIM_FAULT_RATELIMIT:
        refuse_budget(q, q->fault.header);
        make_reply(q, 429);
        break;
    case SIM_FAULT_UNAUTHENTICATED:
        refuse(q, "UNAUTHENTICATED");
        q->asks_to_sign_in = true;
        make_reply(q, 401);
        break;
    case SIM_FAULT_UNAVAILABLE:
        refuse_unavailable(q);
        make_reply(q, 503);
        break;
    default: /* delay, drip, truncate, wrong_length: a whole reply, later or damaged on its way */
        make_reply(q, sim_reply_status(&q->call.reply));
        if (q->fault.kind == SIM_FAULT_DELAY && q->fault.is_after) {
            sleep_until(q, q->fault.seconds, SIM_STAGE_READY);
        }
        break;
    }
}

/* Slowness before a call only delays it; everything else before a call keeps it from happening. */
static bool is_executed(const struct sim_fault *f)
{
    return f->kind == SIM_FAULT_NONE || f->kind == SIM_FAULT_DELAY || f->kind == SIM_FAULT_DRIP ||
           f->is_after;
}

static void finish(struct sim_request *q)
{
    int status = 0;

    if (q->fault.kind == SIM_FAULT_NONE) {
        make_reply(q, sim_reply_status(&q->call.reply));
    } else {
        apply_fault(q);
    }
    status = q->stage == SIM_STAGE_READY || q->after == SIM_STAGE_READY ? q->status : 0;
    record_end(q, q->stage == SIM_STAGE_ABORT ? 0 : status);
}

void sim_request_run(struct sim_request *q)
{
    struct sim_world *w = q->http->server->world;

    sim_tools_run(w, &q->call);
    if (q->call.is_held) {
        q->stage = SIM_STAGE_HELD;
        sim_calls_held(&q->http->server->calls, q->call_number);
        sim_engine_hold(w, q->call.held, q->call.held_until_ms, q);
        return;
    }
    finish(q);
    sim_engine_settle(w);
}

static bool is_gone(const struct sim_request *q)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(q->connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    char byte;

    return info == NULL || recv(info->connect_fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
}

void sim_request_release(void *ctx, void *owner, bool is_unchanged)
{
    struct sim_request *q = owner;

    (void)ctx;
    q->call.is_abandoned = is_gone(q);
    sim_tools_release(q->http->server->world, &q->call, is_unchanged);
    finish(q);
    if (q->stage != SIM_STAGE_SLEEP) {
        sim_http_resume(q);
    }
}

static bool is_signed_in(const struct sim_request *q)
{
    const char *header =
        MHD_lookup_connection_value(q->connection, MHD_HEADER_KIND, "Authorization");

    return header != NULL && strncasecmp(header, "Bearer ", 7) == 0 &&
           strcmp(header + 7, q->http->server->token) == 0;
}

static void route_tool(struct sim_request *q, const char *tool, cJSON *input)
{
    struct sim_server *s = q->http->server;
    char text[16];
    int wait = 0;

    sim_tools_begin(s->world, &q->call, tool, input);
    q->has_call = true;
    q->call_number = sim_calls_begin(&s->calls, tool, input, q->call.request_id, s->world->now_ms);
    if (!is_signed_in(q)) {
        refuse(q, "UNAUTHENTICATED");
        q->asks_to_sign_in = true;
        finish(q);
        return;
    }
    wait = sim_server_budget(s);
    if (wait > 0) {
        snprintf(text, sizeof(text), "%d", wait);
        refuse_budget(q, text);
        finish(q);
        return;
    }
    if (q->is_oversize) {
        sim_reply_field(&q->call.reply, "", "The body is larger than 64 KB.", "at most 64 KB");
        make_reply(q, 413);
        record_end(q, 413);
        return;
    }
    q->fault = sim_fault_take(&s->faults, tool, s->world->now_ms);
    if (q->fault.kind == SIM_FAULT_DELAY && !q->fault.is_after) {
        sleep_until(q, q->fault.seconds, SIM_STAGE_RUN);
    } else if (is_executed(&q->fault)) {
        sim_request_run(q);
    } else {
        finish(q);
    }
}

static void route_get(struct sim_request *q)
{
    cJSON *o = NULL;

    if (strcmp(q->path, "/tools") == 0) {
        sim_request_json(q, 200, sim_schema_tools_document());
    } else if (strcmp(q->path, "/openapi.json") == 0) {
        sim_request_json(q, 200, sim_schema_openapi_document());
    } else if (strcmp(q->path, "/health") == 0) {
        o = cJSON_CreateObject();
        cJSON_AddBoolToObject(o, "ok", true);
        cJSON_AddStringToObject(o, "contract", "envoy@2026-10");
        sim_request_json(q, 200, o);
    } else {
        not_found(q);
    }
}

void sim_request_route(struct sim_request *q)
{
    struct sim_server *s = q->http->server;
    const char *tool = NULL;
    cJSON *input = NULL;
    cJSON *out = NULL;

    sim_server_tick(s);
    if (!q->is_oversize && q->body.len > 0 && str_is_utf8(q->body.data, q->body.len)) {
        input = cJSON_ParseWithLength(q->body.data, q->body.len);
    }
    if (strncmp(q->path, "/sim/", 5) == 0) {
        int status = sim_control_call(s, q->method, q->path, input, &out);

        cJSON_Delete(input);
        sim_request_json(q, status, out);
        return;
    }
    if (strcmp(q->method, "POST") == 0 && strncmp(q->path, "/tools/", 7) == 0) {
        tool = sim_tools_name(q->path + 7);
    }
    if (tool != NULL) {
        route_tool(q, tool, input);
        return;
    }
    cJSON_Delete(input);
    if (strcmp(q->method, "GET") == 0) {
        route_get(q);
        return;
    }
    not_found(q);
    q->call_number = sim_calls_begin(&s->calls, q->path, NULL, NULL, s->world->now_ms);
    record_end(q, q->status);
}
