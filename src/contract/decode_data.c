/* SPDX-License-Identifier: Apache-2.0 */
/* The data of the list tools, of the search and of a feedback receipt. Must not know the envelope.
 * Invariants: rows come out in the order received; a list that was not there is not an empty list
 * (has_data); payment_details is never looked at. */
#include <string.h>
#include "contract/decode.h"
#include "core/ident.h"

#define LISTED_MAX    100
#define LINES_MAX     200
#define MERCHANTS_MAX 1000
#define AMOUNTS_MAX   1000 /* of one merchant; their sum is bounded by the size of a reply */
#define PRODUCTS_MAX  50
#define QUANTITY_MAX  999
#define CURSOR_MAX    2048
#define LINE_ID_MAX   128

static void read_listed(struct decode *d, const json_t *row, struct contract_listed *out)
{
    decode_id(d, row, "purchase_id", out->purchase_id, sizeof out->purchase_id,
              ident_is_purchase_id, true);
    out->state = decode_enum_required(d, row, "state", CONTRACT_KIND_STATE);
    const json_t *merchant = decode_object(d, row, "merchant");
    size_t mark = decode_enter(d, "merchant");
    out->merchant_name = decode_text_due(d, merchant, "name");
    out->merchant_url = decode_text_due(d, merchant, "url");
    decode_leave(d, mark);
    out->amount = decode_amount(d, row, "amount");
    out->checkout_by = decode_enum(d, row, "checkout_by", CONTRACT_KIND_CHECKOUT_BY);
    out->created_at_ms = decode_time(row, "created_at");
}

static void read_purchases(struct decode *d, const json_t *data, struct contract_reply *reply)
{
    const json_t *list = decode_array(d, data, "purchases", LISTED_MAX);
    reply->has_data = list != NULL;
    reply->listed = decode_rows(d, json_array_size(list), sizeof *reply->listed);
    for (size_t i = 0; reply->listed && i < json_array_size(list); i++) {
        size_t mark = decode_enter_index(d, "purchases", i);
        reply->listed_count = i + 1;
        read_listed(d, decode_element(d, list, "", i), &reply->listed[i]);
        decode_leave(d, mark);
    }
    reply->listed_truncated = decode_bool(d, data, "truncated", false);
}

static bool is_line_id(const char *s)
{
    return s[0] != '\0' && strlen(s) <= LINE_ID_MAX;
}

static void read_line(struct decode *d, const json_t *row, struct contract_line *out)
{
    decode_id(d, row, "id", out->id, sizeof out->id, is_line_id, true);
    out->occurred_at_ms = decode_time(row, "occurred_at");
    out->amount = decode_amount(d, row, "amount");
    out->direction = decode_enum(d, row, "direction", CONTRACT_KIND_DIRECTION);
    out->title = decode_text_due(d, row, "title");
    out->subtitle = decode_text(d, row, "subtitle");
    out->by_agent = decode_bool(d, row, "by_agent", false);
    out->kind = decode_enum(d, row, "kind", CONTRACT_KIND_LINE_KIND);
    out->status = decode_enum(d, row, "status", CONTRACT_KIND_LINE_STATUS);
    out->card = decode_enum(d, row, "card", CONTRACT_KIND_LINE_CARD);
}

static void read_transactions(struct decode *d, const json_t *data, struct contract_reply *reply)
{
    const json_t *list = decode_array(d, data, "transactions", LINES_MAX);
    reply->has_data = list != NULL;
    reply->lines = decode_rows(d, json_array_size(list), sizeof *reply->lines);
    for (size_t i = 0; reply->lines && i < json_array_size(list); i++) {
        size_t mark = decode_enter_index(d, "transactions", i);
        reply->line_count = i + 1;
        read_line(d, decode_element(d, list, "", i), &reply->lines[i]);
        decode_leave(d, mark);
    }
    reply->next_cursor = decode_exact(d, data, "next_cursor", CURSOR_MAX);
}

/* Tenths of a percent, rounded down: "up to" must not promise more than was said. */
static int read_permille(struct decode *d, const json_t *row, const char *key)
{
    const json_t *value = json_object_get(row, key);
    if (d->err != ERR_OK || !value || json_is_null(value))
        return -1;
    if (!json_is_number(value)) {
        decode_fail(d, key, ERR_FORMAT, "is not a number");
        return -1;
    }
    bool in_range = json_number_value(value) >= 0 && json_number_value(value) <= 100;
    return in_range ? (int)(json_number_value(value) * 10 + 1e-6) : -1;
}

/* A face value that is not a known amount cannot be bought and is left out. */
static void read_face_values(struct decode *d, const json_t *row, struct contract_merchant *out)
{
    const json_t *list = decode_array(d, row, "amounts", AMOUNTS_MAX);
    out->amounts = decode_rows(d, json_array_size(list), sizeof *out->amounts);
    for (size_t i = 0; out->amounts && i < json_array_size(list) && d->err == ERR_OK; i++) {
        if (json_is_null(json_array_get(list, i)))
            continue;
        size_t mark = decode_enter_index(d, "amounts", i);
        struct contract_amount a = decode_amount_value(d, decode_element(d, list, "", i));
        if (a.known)
            out->amounts[out->amount_count++] = a;
        decode_leave(d, mark);
    }
}

static void read_merchant(struct decode *d, const json_t *row, struct contract_merchant *out)
{
    out->name = decode_text_due(d, row, "name");
    out->domain = decode_text_due(d, row, "domain");
    read_face_values(d, row, out);
    const json_t *range = decode_object(d, row, "amount_range");
    size_t mark = decode_enter(d, "amount_range");
    out->min = decode_amount(d, range, "min");
    out->max = decode_amount(d, range, "max");
    decode_leave(d, mark);
    out->has_range = out->min.known && out->max.known;
    out->discount_permille = read_permille(d, row, "discount_percent");
    out->redeem_at = decode_enum(d, row, "redeem_at", CONTRACT_KIND_REDEEM);
}

static void read_merchants(struct decode *d, const json_t *data, struct contract_reply *reply)
{
    const json_t *list = decode_array(d, data, "merchants", MERCHANTS_MAX);
    reply->has_data = list != NULL;
    reply->merchants = decode_rows(d, json_array_size(list), sizeof *reply->merchants);
    for (size_t i = 0; reply->merchants && i < json_array_size(list); i++) {
        size_t mark = decode_enter_index(d, "merchants", i);
        reply->merchant_count = i + 1;
        read_merchant(d, decode_element(d, list, "", i), &reply->merchants[i]);
        decode_leave(d, mark);
    }
}

static void read_product(struct decode *d, const json_t *row, struct contract_product *out)
{
    decode_id(d, row, "product_id", out->product_id, sizeof out->product_id, ident_is_offer_id,
              true);
    out->name = decode_text_due(d, row, "name");
    out->brand = decode_text(d, row, "brand");
    out->price = decode_amount(d, row, "price");
    out->quantity = decode_count(d, row, "quantity", 0);
    if (out->quantity > QUANTITY_MAX)
        decode_fail(d, "quantity", ERR_FORMAT, "is out of range");
    out->total = decode_amount(d, row, "total");
    out->valid_until_ms = decode_time(row, "valid_until");
    out->merchant_url = decode_url(d, row, "merchant_url");
}

static void read_products(struct decode *d, const json_t *data, struct contract_reply *reply)
{
    const json_t *list = decode_array(d, data, "products", PRODUCTS_MAX);
    reply->has_data = list != NULL;
    reply->products = decode_rows(d, json_array_size(list), sizeof *reply->products);
    for (size_t i = 0; reply->products && i < json_array_size(list); i++) {
        size_t mark = decode_enter_index(d, "products", i);
        reply->product_count = i + 1;
        read_product(d, decode_element(d, list, "", i), &reply->products[i]);
        decode_leave(d, mark);
    }
}

static void read_feedback(struct decode *d, const json_t *data, struct contract_reply *reply)
{
    const json_t *receipt = decode_object(d, data, "receipt");
    size_t mark = decode_enter(d, "receipt");
    reply->has_data = receipt != NULL;
    reply->feedback_id = decode_text(d, receipt, "feedback_id");
    reply->feedback_recorded_at_ms = decode_time(receipt, "recorded_at");
    decode_leave(d, mark);
}

static void read_account(struct decode *d, const json_t *data, struct contract_reply *reply)
{
    const json_t *account = decode_object(d, data, "account");
    size_t mark = decode_enter(d, "account");
    if (account)
        reply->account = decode_account(d, account);
    reply->has_data = reply->account != NULL;
    decode_leave(d, mark);
}

void decode_data(struct decode *d, const json_t *data, struct contract_reply *reply)
{
    switch (reply->tool) {
    case CONTRACT_TOOL_GET_ACCOUNT:
        read_account(d, data, reply);
        break;
    case CONTRACT_TOOL_LIST_TRANSACTIONS:
        read_transactions(d, data, reply);
        break;
    case CONTRACT_TOOL_LIST_PURCHASES:
        read_purchases(d, data, reply);
        break;
    case CONTRACT_TOOL_ANSWER_PURCHASE_QUESTION:
    case CONTRACT_TOOL_SUBMIT_ANSWER:
        read_feedback(d, data, reply);
        break;
    case CONTRACT_TOOL_LIST_GIFT_CARD_MERCHANTS:
    case CONTRACT_TOOL_GET_MERCHANTS:
        read_merchants(d, data, reply);
        break;
    case CONTRACT_TOOL_SEARCH_PRODUCTS:
        read_products(d, data, reply);
        break;
    default:
        break; /* no data of its own, or a handout that was taken out before */
    }
}
