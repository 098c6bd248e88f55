/* SPDX-License-Identifier: Apache-2.0 */
/* The envelope: what every reply has, and the exact bytes of arguments to be sent back. Must not
 * know how the reply came. Invariants: an envelope that contradicts itself (ok with an error, a
 * failure without one, another tool's reply) is refused; next.args and follow_ups[].args are the
 * bytes received, never a re-encoding. Pages: schemas, requests, results. */
#include <stdio.h>
#include <string.h>
#include "contract/decode.h"
#include "contract/json.h"
#include "core/alloc.h"
#include "core/ident.h"
#include "core/jsonscan.h"

#define REPLY_MAX       (1024 * 1024)
#define FOLLOW_UPS_MAX  20
#define FIELDS_READ_MAX 100 /* more than CONTRACT_FIELDS_MAX are dropped, this many is no list */
#define ARGS_MAX        (32 * 1024)
#define SECONDS_MAX     (366 * 24 * 3600) /* a wait that is longer is cut to this */

/* The text beside its tree. */
struct source {
    const char *text;
    size_t len;
};

static int64_t read_seconds(struct decode *d, const json_t *parent, const char *key)
{
    int64_t seconds = decode_count(d, parent, key, -1);
    return seconds > SECONDS_MAX ? SECONDS_MAX : seconds;
}

/* A member of args that may be anything: -1 unless it is a whole number of at least 0. */
static int64_t peek_count(const json_t *args, const char *key)
{
    const json_t *value = json_object_get(args, key);
    return json_is_integer(value) && json_integer_value(value) >= 0
               ? (int64_t)json_integer_value(value)
               : -1;
}

/* A text member of args that fits and holds no zero byte; "" otherwise. */
static void peek_text(const json_t *args, const char *key, char *out, size_t size)
{
    const json_t *value = json_object_get(args, key);
    out[0] = '\0';
    if (!json_is_string(value))
        return;
    size_t len = json_string_length(value);
    if (len < size && strlen(json_string_value(value)) == len)
        memcpy(out, json_string_value(value), len + 1);
}

/* Copies the bytes of the member at path. */
static char *copy_span(struct decode *d, struct source at, const char *const *path)
{
    struct jsonscan_span span;
    if (jsonscan_find(at.text, at.len, path, &span) != ERR_OK) {
        decode_fail(d, "args", ERR_FORMAT, "could not be found in the text");
        return NULL;
    }
    if (span.len > ARGS_MAX) {
        decode_fail(d, "args", ERR_LIMIT, "is too long");
        return NULL;
    }
    char *copy = alloc_text_n(at.text + span.start, span.len);
    if (!copy)
        decode_fail(d, "args", ERR_MEMORY, "does not fit in memory");
    return copy;
}

/* The last member of that name, so that a twin which was overruled cannot lend its args. */
static bool narrow(struct source *at, const char *key)
{
    const char *const path[] = {key, NULL};
    struct jsonscan_span span;
    if (jsonscan_find(at->text, at->len, path, &span) != ERR_OK)
        return false;
    at->text += span.start;
    at->len = span.len;
    return true;
}

static void read_next(struct decode *d, struct source at, const json_t *root,
                      struct contract_next *next)
{
    static const char *const args_path[] = {"args", NULL};
    const json_t *object = decode_object(d, root, "next");
    if (!object)
        decode_fail(d, "next", ERR_FORMAT, "is missing");
    size_t mark = decode_enter(d, "next");
    next->action = decode_enum_required(d, object, "action", CONTRACT_KIND_ACTION);
    next->tool = decode_enum(d, object, "tool", CONTRACT_KIND_TOOL);
    next->instruction = decode_text_due(d, object, "instruction");
    next->after_seconds = read_seconds(d, object, "after_seconds");
    next->by_ms = decode_time(object, "by");
    const json_t *args = decode_object(d, object, "args");
    if (args && narrow(&at, "next"))
        next->args = copy_span(d, at, args_path);
    next->wait_seconds = peek_count(args, "wait_seconds");
    if (next->wait_seconds > SECONDS_MAX)
        next->wait_seconds = SECONDS_MAX;
    next->after_revision = peek_count(args, "after_revision");
    peek_text(args, "purchase", next->purchase, sizeof next->purchase);
    if (!ident_is_purchase_ref(next->purchase))
        next->purchase[0] = '\0';
    decode_leave(d, mark);
}

static void read_user_action(struct decode *d, const json_t *root, struct contract_user_action *u)
{
    const json_t *object = decode_object(d, root, "user_action");
    u->by_ms = CLOCK_NONE;
    u->task.value = CONTRACT_ABSENT;
    if (!object)
        return;
    size_t mark = decode_enter(d, "user_action");
    u->present = true;
    u->task = decode_enum(d, object, "task", CONTRACT_KIND_TASK);
    u->url = decode_url(d, object, "url");
    u->by_ms = decode_time(object, "by");
    u->message = decode_text_due(d, object, "message");
    decode_leave(d, mark);
}

static void read_follow_up_call(struct decode *d, struct source at, const json_t *item,
                                struct contract_follow_up_call *out)
{
    static const char *const args_path[] = {"args", NULL};
    const json_t *args = json_object_get(item, "args");
    out->tool = decode_enum(d, item, "tool", CONTRACT_KIND_TOOL);
    out->why = decode_text_due(d, item, "why");
    out->args = copy_span(d, at, args_path);
    out->type = (struct contract_enum){.value = CONTRACT_ABSENT};
    peek_text(args, "question", out->question, sizeof out->question);
    if (json_is_string(json_object_get(args, "type")))
        out->type = decode_enum(d, args, "type", CONTRACT_KIND_ANSWER_TYPE);
}

/* Follow-ups are offers: one without a tool or arguments cannot be called and is left out. */
static bool is_offer(const json_t *item)
{
    return json_is_object(item) && json_is_string(json_object_get(item, "tool")) &&
           json_is_object(json_object_get(item, "args"));
}

static void read_follow_ups(struct decode *d, struct source at, const json_t *root,
                            struct contract_reply *reply)
{
    const json_t *list = decode_array(d, root, "follow_ups", FOLLOW_UPS_MAX);
    size_t count = json_array_size(list);
    reply->follow_ups = decode_rows(d, count, sizeof *reply->follow_ups);
    if (!reply->follow_ups || !narrow(&at, "follow_ups"))
        return;
    struct jsonscan_span whole = {.start = 0, .len = at.len};
    for (size_t i = 0; i < count && d->err == ERR_OK; i++) {
        const json_t *item = json_array_get(list, i);
        struct jsonscan_span span;
        if (!is_offer(item) || jsonscan_item(at.text, whole, i, &span) != ERR_OK)
            continue;
        size_t mark = decode_enter_index(d, "follow_ups", i);
        struct source inner = {.text = at.text + span.start, .len = span.len};
        read_follow_up_call(d, inner, item, &reply->follow_ups[reply->follow_up_count++]);
        decode_leave(d, mark);
    }
}

static void read_fields(struct decode *d, const json_t *error, struct contract_error *out)
{
    const json_t *list = decode_array(d, error, "fields", FIELDS_READ_MAX);
    size_t count = json_array_size(list);
    for (size_t i = 0; i < count && i < CONTRACT_FIELDS_MAX && d->err == ERR_OK; i++) {
        size_t mark = decode_enter_index(d, "fields", i);
        const json_t *item = decode_element(d, list, "", i);
        struct contract_field *field = &out->fields[out->field_count++];
        decode_text_into(d, item, "path", field->path, sizeof field->path);
        decode_text_into(d, item, "problem", field->problem, sizeof field->problem);
        decode_text_into(d, item, "expected", field->expected, sizeof field->expected);
        decode_leave(d, mark);
    }
}

static void read_error(struct decode *d, const json_t *root, struct contract_error *out)
{
    const json_t *error = decode_object(d, root, "error");
    out->code.value = CONTRACT_ABSENT;
    out->reason.value = CONTRACT_ABSENT;
    out->retry_after_seconds = -1;
    if (!error)
        return;
    size_t mark = decode_enter(d, "error");
    out->present = true;
    out->code = decode_enum_required(d, error, "code", CONTRACT_KIND_CODE);
    out->message = decode_text_due(d, error, "message");
    read_fields(d, error, out);
    out->reason = decode_enum(d, error, "reason_code", CONTRACT_KIND_REASON);
    out->retryable = decode_bool(d, error, "retryable", false);
    out->retry_after_seconds = read_seconds(d, error, "retry_after_seconds");
    decode_leave(d, mark);
}

static void read_head(struct decode *d, const json_t *root, struct contract_reply *reply)
{
    reply->ok = decode_bool_required(d, root, "ok");
    const json_t *contract = json_object_get(root, "contract");
    reply->contract_differs =
        !json_is_string(contract) || strcmp(json_string_value(contract), CONTRACT_REVISION) != 0;
    struct contract_enum tool = decode_enum_required(d, root, "tool", CONTRACT_KIND_TOOL);
    if (tool.value < 0 || !contract_tool_is_same((enum contract_tool)tool.value, reply->tool))
        decode_fail(d, "tool", ERR_FORMAT, "is not the tool that was called");
    decode_text_into(d, root, "request_id", reply->request_id, sizeof reply->request_id);
    if (!reply->request_id[0])
        decode_fail(d, "request_id", ERR_FORMAT, "is missing");
    decode_text_into(d, root, "trace_id", reply->trace_id, sizeof reply->trace_id);
    reply->server_time_ms = decode_time(root, "server_time");
    if (reply->server_time_ms == CLOCK_NONE)
        decode_fail(d, "server_time", ERR_FORMAT, "is missing or no time");
    reply->replayed = decode_bool(d, root, "replayed", false);
}

static void read_body(struct decode *d, const json_t *root, struct contract_reply *reply)
{
    const json_t *purchase = decode_object(d, root, "purchase");
    if (purchase) {
        size_t mark = decode_enter(d, "purchase");
        reply->purchase = decode_purchase(d, purchase);
        decode_leave(d, mark);
    }
    reply->feedback_recorded_at_ms = CLOCK_NONE;
    const json_t *data = decode_object(d, root, "data");
    if (data) {
        size_t mark = decode_enter(d, "data");
        decode_data(d, data, reply);
        decode_leave(d, mark);
    }
}

static void read_envelope(struct decode *d, struct source at, const json_t *root,
                          struct contract_reply *reply)
{
    if (!json_is_object(root))
        decode_fail(d, "", ERR_FORMAT, "the reply is not an object");
    read_head(d, root, reply);
    read_error(d, root, &reply->error);
    if (reply->ok && reply->error.present)
        decode_fail(d, "error", ERR_FORMAT, "is set although ok is true");
    if (!reply->ok && !reply->error.present)
        decode_fail(d, "error", ERR_FORMAT, "is missing although ok is false");
    read_next(d, at, root, &reply->next);
    read_user_action(d, root, &reply->user_action);
    read_follow_ups(d, at, root, reply);
    read_body(d, root, reply);
}

static enum err decode_tree(enum contract_tool tool, struct source at, const json_t *root,
                            struct contract_reply **out, char *why)
{
    struct decode d = {0};
    struct contract_reply *reply = decode_rows(&d, 1, sizeof *reply);
    if (reply) {
        reply->tool = tool;
        read_envelope(&d, at, root, reply);
    }
    if (d.err == ERR_OK) {
        *out = reply;
        return ERR_OK;
    }
    snprintf(why, JSON_WHY_MAX, "%s", d.why + (d.why[0] == ' '));
    contract_reply_free(reply);
    return d.err;
}

enum err contract_reply_decode(enum contract_tool tool, const char *text, size_t len,
                               struct contract_reply **out, char why[200])
{
    char unread[JSON_WHY_MAX];
    struct source at = {.text = text, .len = len};
    struct json_doc doc;
    if (!why)
        why = unread;
    enum err e = json_open(text, len, REPLY_MAX, &doc, why);
    if (e != ERR_OK)
        return e;
    e = decode_tree(tool, at, doc.root, out, why);
    json_close(&doc);
    return e;
}

struct contract_purchase *contract_reply_take_purchase(struct contract_reply *reply)
{
    struct contract_purchase *purchase = reply->purchase;
    reply->purchase = NULL;
    return purchase;
}

void contract_support_ref(char out[16], const char *id)
{
    size_t n = 0;
    for (; n < 12 && id[n] > ' ' && id[n] < 0x7F; n++)
        out[n] = id[n];
    out[n] = '\0';
}
