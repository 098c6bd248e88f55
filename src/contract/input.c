/* SPDX-License-Identifier: Apache-2.0 */
/* Builds the input of each tool and has it checked as the service would see it. Must not know where
 * the values were typed. Invariants: nothing is appended to the caller's buffer unless the whole
 * body passed every rule; the same values give the same bytes; a buffer that held an answer is
 * wiped. */
#include <string.h>
#include "contract/input.h"
#include "contract/json.h"
#include "contract/problem.h"
#include "contract/writer.h"
#include "core/buf.h"
#include "core/money.h"

/* A body in the making. */
struct body {
    struct buf text;
    struct writer w;
};

static void body_begin(struct body *b)
{
    buf_init(&b->text, CONTRACT_BODY_MAX);
    b->w = (struct writer){.out = &b->text};
    writer_open(&b->w, NULL, '{');
}

static enum err not_text(struct contract_problems *problems)
{
    *problems = (struct contract_problems){.count = 0};
    problem_add(problems, "", "is not valid UTF-8 text", "plain text in every field");
    return ERR_USER;
}

static enum err too_large(struct contract_problems *problems)
{
    *problems = (struct contract_problems){.count = 0};
    problem_add(problems, "", "is too large", "at most 64 KB in all");
    return ERR_USER;
}

/* Closes the body and checks it. */
static enum err body_check(struct body *b, enum contract_tool tool,
                           struct contract_problems *problems)
{
    writer_close(&b->w, '}');
    if (b->w.err == ERR_FORMAT)
        return not_text(problems);
    if (b->w.err == ERR_LIMIT)
        return too_large(problems);
    if (b->w.err != ERR_OK)
        return b->w.err;
    return contract_check_input(tool, buf_view(&b->text), b->text.len, problems);
}

static enum err body_end(struct body *b, enum contract_tool tool, struct buf *out,
                         struct contract_problems *problems)
{
    enum err e = body_check(b, tool, problems);
    if (e == ERR_OK)
        e = buf_append(out, buf_view(&b->text), b->text.len);
    if (e == ERR_LIMIT)
        e = too_large(problems);
    buf_fini(&b->text);
    return e;
}

/* An amount as the schema wants it; text that is none goes out as it is, to be refused. */
static void put_rupees(struct writer *w, const char *key, const char *amount)
{
    char wire[MONEY_TEXT_MAX];
    int64_t minor;
    if (!amount)
        return;
    if (money_parse(amount, &minor) == ERR_OK) {
        money_wire(wire, minor);
        amount = wire;
    }
    writer_text(w, key, amount);
}

/* A value outside the list cannot be named; the check then tells that the field is wrong. */
static void put_choice(struct writer *w, const char *key, enum contract_kind kind, int value)
{
    if (value != CONTRACT_ABSENT)
        writer_text(w, key, contract_wire(kind, value));
}

static void put_items(struct writer *w, const struct contract_start_input *in)
{
    size_t count = in->item_count <= CONTRACT_ITEMS_MAX ? in->item_count : CONTRACT_ITEMS_MAX + 1;
    writer_open(w, "items", '[');
    for (size_t i = 0; i < count; i++) {
        const struct contract_item *item = &in->items[i];
        writer_open(w, NULL, '{');
        writer_text_optional(w, "name", item->name);
        if (item->quantity != 0)
            writer_int(w, "quantity", item->quantity);
        writer_text_optional(w, "url", item->url);
        writer_text_optional(w, "image", item->image);
        writer_text_optional(w, "product_id", item->product_id);
        writer_text_optional(w, "price", item->price);
        writer_close(w, '}');
    }
    writer_close(w, ']');
}

static void put_pairs(struct writer *w, const char *key, const char *value_key,
                      const struct contract_pair *pairs, size_t count)
{
    if (count == 0)
        return;
    writer_open(w, key, '[');
    for (size_t i = 0; i < count; i++) {
        writer_open(w, NULL, '{');
        writer_text_optional(w, "code", pairs[i].code);
        writer_text_optional(w, value_key, pairs[i].value);
        writer_close(w, '}');
    }
    writer_close(w, ']');
}

enum err contract_encode_start(const struct contract_start_input *in, struct buf *out,
                               struct contract_problems *problems)
{
    struct body b;
    struct writer *w = &b.w;
    if (in->price_line_count > CONTRACT_PAIRS_MAX || in->fact_count > CONTRACT_PAIRS_MAX)
        return ERR_BUG;
    body_begin(&b);
    writer_text_optional(w, "idempotency_key", in->idempotency_key);
    writer_text_optional(w, "merchant_url", in->merchant_url);
    writer_text_optional(w, "merchant_logo", in->merchant_logo);
    put_rupees(w, "total", in->total);
    put_items(w, in);
    writer_text_optional(w, "user_request", in->user_request);
    writer_text_optional(w, "address_id", in->address_id);
    writer_text_optional(w, "address", in->address);
    put_rupees(w, "max_total", in->max_total);
    writer_text_optional(w, "product_id", in->product_id);
    put_choice(w, "rail", CONTRACT_KIND_RAIL_CHOICE, in->rail);
    writer_text_optional(w, "order_title", in->order_title);
    put_pairs(w, "price_lines", "amount", in->price_lines, in->price_line_count);
    put_pairs(w, "facts", "value", in->facts, in->fact_count);
    writer_text_optional(w, "retry_of", in->retry_of);
    return body_end(&b, CONTRACT_TOOL_START_PURCHASE, out, problems);
}

static void put_answer_fields(struct writer *w, const struct contract_answer_input *in)
{
    put_choice(w, "type", CONTRACT_KIND_ANSWER_TYPE, in->type);
    writer_text_optional(w, "purchase", in->purchase);
    writer_text_optional(w, "question", in->question);
    if (in->rating != 0)
        writer_int(w, "rating", in->rating);
    writer_text_optional(w, "idempotency_key", in->idempotency_key);
}

static bool is_answer_tool(enum contract_tool tool)
{
    return contract_tool_is_same(tool, CONTRACT_TOOL_ANSWER_PURCHASE_QUESTION);
}

enum err contract_encode_answer(const struct contract_answer_input *in, struct buf *out,
                                struct contract_problems *problems)
{
    struct body b;
    if (!is_answer_tool(in->tool))
        return ERR_BUG;
    body_begin(&b);
    put_answer_fields(&b.w, in);
    writer_text_optional(&b.w, "answer", in->answer);
    return body_end(&b, in->tool, out, problems);
}

enum err contract_answer_frame(const struct contract_answer_input *in, struct buf *head,
                               struct buf *tail, struct contract_problems *problems)
{
    struct body b;
    if (!is_answer_tool(in->tool) || in->answer)
        return ERR_BUG;
    body_begin(&b);
    put_answer_fields(&b.w, in);
    size_t fields = b.text.len;
    writer_text(&b.w, "answer", "x"); /* stands in for the secret while the rest is checked */
    enum err e = body_check(&b, in->tool, problems);
    size_t had = head->len;
    if (e == ERR_OK)
        e = buf_append(head, buf_view(&b.text), fields);
    if (e == ERR_OK)
        e = buf_append_str(head, ",\"answer\":");
    if (e == ERR_OK)
        e = buf_append_char(tail, '}');
    if (e != ERR_OK && head->len > had) {
        head->len = had;
        head->data[had] = '\0';
    }
    buf_fini(&b.text);
    return e;
}

enum err contract_encode_report(const struct contract_report_input *in, struct buf *out,
                                struct contract_problems *problems)
{
    struct body b;
    body_begin(&b);
    writer_text_optional(&b.w, "purchase", in->purchase);
    writer_text_optional(&b.w, "checkout_attempt_id", in->checkout_attempt_id);
    put_choice(&b.w, "outcome", CONTRACT_KIND_OUTCOME, in->outcome);
    put_choice(&b.w, "failure_reason", CONTRACT_KIND_FAILURE, in->failure_reason);
    writer_text_optional(&b.w, "merchant_order_ref", in->merchant_order_ref);
    put_rupees(&b.w, "amount_paid", in->amount_paid);
    return body_end(&b, CONTRACT_TOOL_REPORT_CHECKOUT_RESULT, out, problems);
}

enum err contract_encode_step(const struct contract_step_input *in, struct buf *out,
                              struct contract_problems *problems)
{
    struct body b;
    body_begin(&b);
    writer_text_optional(&b.w, "purchase", in->purchase);
    put_choice(&b.w, "step", CONTRACT_KIND_STEP, in->step);
    writer_text_optional(&b.w, "checkout_attempt_id", in->checkout_attempt_id);
    return body_end(&b, CONTRACT_TOOL_REPORT_CHECKOUT_STEP, out, problems);
}

enum err contract_encode_status(const struct contract_status_input *in, struct buf *out,
                                struct contract_problems *problems)
{
    struct body b;
    body_begin(&b);
    writer_text_optional(&b.w, "purchase", in->purchase);
    if (in->after_revision != -1)
        writer_int(&b.w, "after_revision", in->after_revision);
    if (in->wait_seconds != -1)
        writer_int(&b.w, "wait_seconds", in->wait_seconds);
    return body_end(&b, CONTRACT_TOOL_GET_PURCHASE_STATUS, out, problems);
}

enum err contract_encode_cancel(const char *purchase, const char *reason, struct buf *out,
                                struct contract_problems *problems)
{
    struct body b;
    body_begin(&b);
    writer_text_optional(&b.w, "purchase", purchase);
    writer_text_optional(&b.w, "reason", reason);
    return body_end(&b, CONTRACT_TOOL_CANCEL_PURCHASE, out, problems);
}

enum err contract_encode_account(unsigned sections, struct buf *out,
                                 struct contract_problems *problems)
{
    struct body b;
    body_begin(&b);
    if (sections != 0)
        writer_open(&b.w, "include", '[');
    for (int i = 0; i < CONTRACT_SECTION_COUNT; i++) {
        if (sections & 1u << i)
            writer_text(&b.w, NULL, contract_wire(CONTRACT_KIND_SECTION, i));
    }
    if (sections != 0)
        writer_close(&b.w, ']');
    return body_end(&b, CONTRACT_TOOL_GET_ACCOUNT, out, problems);
}

enum err contract_encode_purchases(int64_t limit, struct buf *out,
                                   struct contract_problems *problems)
{
    struct body b;
    body_begin(&b);
    if (limit != 0)
        writer_int(&b.w, "limit", limit);
    return body_end(&b, CONTRACT_TOOL_LIST_PURCHASES, out, problems);
}

enum err contract_encode_transactions(const struct contract_transactions_input *in, struct buf *out,
                                      struct contract_problems *problems)
{
    struct body b;
    body_begin(&b);
    writer_text_optional(&b.w, "from", in->from);
    writer_text_optional(&b.w, "to", in->to);
    if (in->limit != 0)
        writer_int(&b.w, "limit", in->limit);
    writer_text_optional(&b.w, "cursor", in->cursor);
    return body_end(&b, CONTRACT_TOOL_LIST_TRANSACTIONS, out, problems);
}

enum err contract_encode_search(const char *query, int64_t quantity, const char *address_id,
                                struct buf *out, struct contract_problems *problems)
{
    struct body b;
    body_begin(&b);
    writer_text_optional(&b.w, "query", query);
    if (quantity != 0)
        writer_int(&b.w, "quantity", quantity);
    writer_text_optional(&b.w, "address_id", address_id);
    return body_end(&b, CONTRACT_TOOL_SEARCH_PRODUCTS, out, problems);
}

/* Length of args up to its closing brace, and whether anything stands before it. */
static enum err measure_args(const char *args, size_t *inside, bool *empty)
{
    char why[JSON_WHY_MAX];
    struct json_doc doc;
    enum err e = json_open(args, strlen(args), CONTRACT_BODY_MAX, &doc, why);
    if (e != ERR_OK)
        return e == ERR_LIMIT ? ERR_FORMAT : e;
    bool object = json_is_object(doc.root);
    *empty = json_object_size(doc.root) == 0;
    json_close(&doc);
    if (!object)
        return ERR_FORMAT;
    *inside = (size_t)(strrchr(args, '}') - args);
    return ERR_OK;
}

enum err contract_args_extend(const char *args, const char *extra, struct buf *out)
{
    size_t inside;
    bool empty;
    size_t had = out->len;
    enum err e = measure_args(args, &inside, &empty);
    if (e == ERR_OK)
        e = buf_append(out, args, inside);
    if (e == ERR_OK && !empty && extra[0] != '\0')
        e = buf_append_char(out, ',');
    if (e == ERR_OK)
        e = buf_append_str(out, extra);
    if (e == ERR_OK)
        e = buf_append_str(out, args + inside);
    if (e != ERR_OK && out->len > had) {
        out->len = had;
        out->data[had] = '\0';
    }
    return e;
}
