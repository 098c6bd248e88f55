/* SPDX-License-Identifier: Apache-2.0 */
/* A decoded reply as JSON again, in the service's own shape, for --json output and tests. Must not
 * know where it is printed. Invariants: decoding the result gives an equal reply; what was unknown
 * is null, never a default; there is nothing secret to write. */
#include "contract/writer.h"

#define REPLY_TEXT_MAX (8 * 1024 * 1024) /* escapes can make the text longer than what came in */

static void write_next(struct writer *w, const struct contract_next *next)
{
    writer_open(w, "next", '{');
    writer_enum(w, "action", CONTRACT_KIND_ACTION, &next->action);
    writer_enum(w, "tool", CONTRACT_KIND_TOOL, &next->tool);
    writer_raw(w, "args", next->args ? next->args : "null");
    writer_text(w, "instruction", next->instruction);
    writer_count(w, "after_seconds", next->after_seconds);
    writer_time(w, "by", next->by_ms);
    writer_close(w, '}');
}

static void write_user_action(struct writer *w, const struct contract_user_action *u)
{
    if (!u->present) {
        writer_null(w, "user_action");
        return;
    }
    writer_open(w, "user_action", '{');
    writer_enum(w, "task", CONTRACT_KIND_TASK, &u->task);
    writer_text(w, "url", u->url);
    writer_time(w, "by", u->by_ms);
    writer_text(w, "message", u->message);
    writer_close(w, '}');
}

static void write_follow_ups(struct writer *w, const struct contract_reply *r)
{
    writer_open(w, "follow_ups", '[');
    for (size_t i = 0; i < r->follow_up_count; i++) {
        const struct contract_follow_up_call *f = &r->follow_ups[i];
        writer_open(w, NULL, '{');
        writer_enum(w, "tool", CONTRACT_KIND_TOOL, &f->tool);
        writer_raw(w, "args", f->args);
        writer_text(w, "why", f->why);
        writer_close(w, '}');
    }
    writer_close(w, ']');
}

static void write_error(struct writer *w, const struct contract_error *e)
{
    if (!e->present) {
        writer_null(w, "error");
        return;
    }
    writer_open(w, "error", '{');
    writer_enum(w, "code", CONTRACT_KIND_CODE, &e->code);
    writer_text(w, "message", e->message);
    writer_open(w, "fields", '[');
    for (size_t i = 0; i < e->field_count; i++) {
        writer_open(w, NULL, '{');
        writer_text(w, "path", e->fields[i].path);
        writer_text(w, "problem", e->fields[i].problem);
        writer_id(w, "expected", e->fields[i].expected);
        writer_close(w, '}');
    }
    writer_close(w, ']');
    writer_enum(w, "reason_code", CONTRACT_KIND_REASON, &e->reason);
    writer_bool(w, "retryable", e->retryable);
    writer_count(w, "retry_after_seconds", e->retry_after_seconds);
    writer_close(w, '}');
}

static void write_merchant_of(struct writer *w, const char *name, const char *url)
{
    writer_open(w, "merchant", '{');
    writer_text(w, "name", name);
    writer_text(w, "url", url);
    writer_close(w, '}');
}

static void write_purchases(struct writer *w, const struct contract_reply *r)
{
    writer_open(w, "purchases", '[');
    for (size_t i = 0; i < r->listed_count; i++) {
        const struct contract_listed *row = &r->listed[i];
        writer_open(w, NULL, '{');
        writer_text(w, "purchase_id", row->purchase_id);
        writer_enum(w, "state", CONTRACT_KIND_STATE, &row->state);
        write_merchant_of(w, row->merchant_name, row->merchant_url);
        writer_amount(w, "amount", &row->amount);
        writer_enum(w, "checkout_by", CONTRACT_KIND_CHECKOUT_BY, &row->checkout_by);
        writer_time(w, "created_at", row->created_at_ms);
        writer_close(w, '}');
    }
    writer_close(w, ']');
    writer_bool(w, "truncated", r->listed_truncated);
}

static void write_transactions(struct writer *w, const struct contract_reply *r)
{
    writer_open(w, "transactions", '[');
    for (size_t i = 0; i < r->line_count; i++) {
        const struct contract_line *row = &r->lines[i];
        writer_open(w, NULL, '{');
        writer_text(w, "id", row->id);
        writer_time(w, "occurred_at", row->occurred_at_ms);
        writer_amount(w, "amount", &row->amount);
        writer_enum(w, "direction", CONTRACT_KIND_DIRECTION, &row->direction);
        writer_text(w, "title", row->title);
        writer_text(w, "subtitle", row->subtitle);
        writer_bool(w, "by_agent", row->by_agent);
        writer_enum(w, "kind", CONTRACT_KIND_LINE_KIND, &row->kind);
        writer_enum(w, "status", CONTRACT_KIND_LINE_STATUS, &row->status);
        writer_enum(w, "card", CONTRACT_KIND_LINE_CARD, &row->card);
        writer_close(w, '}');
    }
    writer_close(w, ']');
    writer_text(w, "next_cursor", r->next_cursor);
}

static void write_discount(struct writer *w, int permille)
{
    struct buf number;
    if (permille < 0) {
        writer_null(w, "discount_percent");
        return;
    }
    buf_init(&number, 16);
    enum err e = buf_printf(&number, "%d.%d", permille / 10, permille % 10);
    if (e == ERR_OK)
        writer_raw(w, "discount_percent", buf_view(&number));
    else if (w->err == ERR_OK)
        w->err = e;
    buf_fini(&number);
}

static void write_range(struct writer *w, const struct contract_merchant *m)
{
    if (!m->has_range) {
        writer_null(w, "amount_range");
        return;
    }
    writer_open(w, "amount_range", '{');
    writer_amount(w, "min", &m->min);
    writer_amount(w, "max", &m->max);
    writer_close(w, '}');
}

static void write_merchants(struct writer *w, const struct contract_reply *r)
{
    writer_open(w, "merchants", '[');
    for (size_t i = 0; i < r->merchant_count; i++) {
        const struct contract_merchant *row = &r->merchants[i];
        writer_open(w, NULL, '{');
        writer_text(w, "name", row->name);
        writer_text(w, "domain", row->domain);
        writer_open(w, "amounts", '[');
        for (size_t j = 0; j < row->amount_count; j++)
            writer_amount(w, NULL, &row->amounts[j]);
        writer_close(w, ']');
        write_range(w, row);
        write_discount(w, row->discount_permille);
        writer_enum(w, "redeem_at", CONTRACT_KIND_REDEEM, &row->redeem_at);
        writer_close(w, '}');
    }
    writer_close(w, ']');
}

static void write_products(struct writer *w, const struct contract_reply *r)
{
    writer_open(w, "products", '[');
    for (size_t i = 0; i < r->product_count; i++) {
        const struct contract_product *row = &r->products[i];
        writer_open(w, NULL, '{');
        writer_text(w, "product_id", row->product_id);
        writer_text(w, "name", row->name);
        writer_text(w, "brand", row->brand);
        writer_amount(w, "price", &row->price);
        writer_int(w, "quantity", row->quantity);
        writer_amount(w, "total", &row->total);
        writer_time(w, "valid_until", row->valid_until_ms);
        writer_text(w, "merchant_url", row->merchant_url);
        writer_close(w, '}');
    }
    writer_close(w, ']');
}

static void write_feedback(struct writer *w, const struct contract_reply *r)
{
    writer_open(w, "receipt", '{');
    writer_text(w, "feedback_id", r->feedback_id);
    writer_time(w, "recorded_at", r->feedback_recorded_at_ms);
    writer_close(w, '}');
}

static void write_data(struct writer *w, const struct contract_reply *r)
{
    if (!r->has_data) {
        writer_null(w, "data");
        return;
    }
    writer_open(w, "data", '{');
    switch (r->tool) {
    case CONTRACT_TOOL_GET_ACCOUNT:
        writer_account(w, "account", r->account);
        break;
    case CONTRACT_TOOL_LIST_TRANSACTIONS:
        write_transactions(w, r);
        break;
    case CONTRACT_TOOL_LIST_PURCHASES:
        write_purchases(w, r);
        break;
    case CONTRACT_TOOL_LIST_GIFT_CARD_MERCHANTS:
    case CONTRACT_TOOL_GET_MERCHANTS:
        write_merchants(w, r);
        break;
    case CONTRACT_TOOL_SEARCH_PRODUCTS:
        write_products(w, r);
        break;
    default:
        write_feedback(w, r);
        break;
    }
    writer_close(w, '}');
}

enum err contract_reply_encode(const struct contract_reply *reply, struct buf *out)
{
    struct buf text;
    struct writer w = {.out = &text};
    buf_init(&text, REPLY_TEXT_MAX);
    writer_open(&w, NULL, '{');
    writer_bool(&w, "ok", reply->ok);
    writer_text(&w, "contract", reply->contract_differs ? "unrecognised" : CONTRACT_REVISION);
    writer_text(&w, "tool", contract_wire(CONTRACT_KIND_TOOL, (int)reply->tool));
    writer_text(&w, "request_id", reply->request_id);
    writer_text(&w, "trace_id", reply->trace_id);
    writer_time(&w, "server_time", reply->server_time_ms);
    writer_bool(&w, "replayed", reply->replayed);
    writer_purchase(&w, "purchase", reply->purchase);
    write_data(&w, reply);
    write_next(&w, &reply->next);
    write_user_action(&w, &reply->user_action);
    write_follow_ups(&w, reply);
    write_error(&w, &reply->error);
    writer_close(&w, '}');
    if (w.err == ERR_OK)
        w.err = buf_append(out, buf_view(&text), text.len);
    buf_fini(&text);
    return w.err;
}
