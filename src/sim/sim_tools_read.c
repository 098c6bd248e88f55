/* SPDX-License-Identifier: Apache-2.0 */
/* The tools that only read: account, transactions, purchases, gift-card merchants, products. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "core/clock.h"
#include "core/money.h"
#include "core/str.h"
#include "sim/sim_history.h"
#include "sim/sim_mem.h"
#include "sim_tools_private.h"

#define PAGE_DEFAULT     20
#define PURCHASE_DEFAULT 10
#define PRODUCTS_MAX     5
#define OFFER_MS         (INT64_C(30) * 60 * 1000)
#define DAY_MS           INT64_C(86400000)

static bool range_of(struct sim_call *call, struct sim_range *range)
{
    const char *from = sim_tool_text(call->input, "from");
    const char *to = sim_tool_text(call->input, "to");
    char text[48];

    range->from_ms = 0;
    range->until_ms = SIM_NEVER;
    range->limit = sim_tool_number(call->input, "limit", PAGE_DEFAULT);
    /* days are days in India, as in the app */
    snprintf(text, sizeof(text), "%.10sT00:00:00+05:30", from != NULL ? from : "");
    if (from != NULL && clock_parse(text, &range->from_ms) != ERR_OK) {
        return false;
    }
    snprintf(text, sizeof(text), "%.10sT00:00:00+05:30", to != NULL ? to : "");
    if (to != NULL) {
        if (clock_parse(text, &range->until_ms) != ERR_OK) {
            return false;
        }
        range->until_ms += DAY_MS;
    }
    return true;
}

void sim_tool_transactions(struct sim_world *w, struct sim_call *call)
{
    struct sim_range range;
    char next[SIM_CURSOR_SIZE];
    cJSON *page = NULL;

    if (!range_of(call, &range)) {
        sim_reply_field(&call->reply, "/from", "This is no day.", "YYYY-MM-DD");
        return;
    }
    page = sim_history_page(w, &range, sim_tool_text(call->input, "cursor"), next);
    if (page == NULL) {
        sim_reply_field(&call->reply, "/cursor",
                        "This cursor is not of this connection, range and page size.",
                        "next_cursor of the page before, or none");
        return;
    }
    call->reply.data = cJSON_CreateObject();
    cJSON_AddItemToObject(call->reply.data, "transactions", page);
    sim_render_text(call->reply.data, "next_cursor", next[0] != '\0' ? next : NULL);
    if (next[0] != '\0') {
        call->reply.next_tool = "list_transactions";
        call->reply.next_args = cJSON_Duplicate(call->input, true);
        cJSON_DeleteItemFromObjectCaseSensitive(call->reply.next_args, "cursor");
        cJSON_AddStringToObject(call->reply.next_args, "cursor", next);
    }
}

void sim_tool_purchases(struct sim_world *w, struct sim_call *call)
{
    static const char *const by[] = {NULL, "agent", "envoy"};
    size_t limit = (size_t)sim_tool_number(call->input, "limit", PURCHASE_DEFAULT);
    cJSON *list = NULL;

    call->reply.data = cJSON_CreateObject();
    list = cJSON_AddArrayToObject(call->reply.data, "purchases");
    for (size_t i = 0; i < w->purchase_count && i < limit; i++) {
        const struct sim_purchase *p = w->purchases[w->purchase_count - 1 - i];
        cJSON *row = cJSON_CreateObject();
        cJSON *merchant = NULL;

        cJSON_AddStringToObject(row, "purchase_id", p->id);
        cJSON_AddStringToObject(row, "state", sim_state_name(p->state));
        merchant = cJSON_AddObjectToObject(row, "merchant");
        cJSON_AddStringToObject(merchant, "name", p->merchant_name);
        cJSON_AddStringToObject(merchant, "url", p->merchant_url);
        cJSON_AddItemToObject(row, "amount", sim_render_amount(p->total_minor));
        sim_render_text(row, "checkout_by", by[p->checkout_by]);
        sim_render_time(row, "created_at", p->created_ms);
        cJSON_AddItemToArray(list, row);
    }
    cJSON_AddBoolToObject(call->reply.data, "truncated", w->purchase_count > limit);
}

void sim_tool_merchants(struct sim_world *w, struct sim_call *call)
{
    cJSON *list = NULL;

    call->reply.data = cJSON_CreateObject();
    list = cJSON_AddArrayToObject(call->reply.data, "merchants");
    for (size_t i = 0; w->account.has_gift_cards && i < w->gift_count; i++) {
        const struct sim_gift *g = &w->gifts[i];
        cJSON *row = cJSON_CreateObject();
        cJSON *amounts = NULL;
        cJSON *range = NULL;

        cJSON_AddStringToObject(row, "name", g->name);
        cJSON_AddStringToObject(row, "domain", g->domain);
        amounts = cJSON_AddArrayToObject(row, "amounts");
        for (size_t a = 0; a < g->amount_count; a++) {
            cJSON_AddItemToArray(amounts, sim_render_amount(g->amounts[a]));
        }
        if (g->max_minor > 0) {
            range = cJSON_AddObjectToObject(row, "amount_range");
            cJSON_AddItemToObject(range, "min", sim_render_amount(g->min_minor));
            cJSON_AddItemToObject(range, "max", sim_render_amount(g->max_minor));
        } else {
            cJSON_AddNullToObject(row, "amount_range");
        }
        if (g->discount_percent >= 0) {
            cJSON_AddNumberToObject(row, "discount_percent", g->discount_percent);
        } else {
            cJSON_AddNullToObject(row, "discount_percent");
        }
        sim_render_text(row, "redeem_at", g->redeem_at);
        cJSON_AddItemToArray(list, row);
    }
}

/* True when a word of the query stands in the product's words. */
static bool is_match(const struct sim_product *product, const char *query)
{
    char word[64];
    size_t n = 0;

    for (const char *c = query;; c++) {
        if (isalnum((unsigned char)*c) && n + 1 < sizeof(word)) {
            word[n++] = *c;
            continue;
        }
        word[n] = '\0';
        if (n > 2 && (str_contains_nocase(product->name, word) ||
                      str_contains_nocase(product->words, word) ||
                      str_contains_nocase(product->brand, word))) {
            return true;
        }
        n = 0;
        if (*c == '\0') {
            return false;
        }
    }
}

static cJSON *offer(struct sim_world *w, size_t index, int quantity)
{
    const struct sim_product *product = &w->products[index];
    struct sim_offer *o = NULL;
    cJSON *row = cJSON_CreateObject();

    w->offers = sim_mem_grow(w->offers, w->offer_count + 1, sizeof(*w->offers));
    o = &w->offers[w->offer_count++];
    sim_ident_offer(w->seed, w->offer_count, o->id);
    o->product = index;
    o->quantity = quantity;
    o->valid_until_ms = w->now_ms + OFFER_MS;
    cJSON_AddStringToObject(row, "product_id", o->id);
    cJSON_AddStringToObject(row, "name", product->name);
    sim_render_text(row, "brand", product->brand[0] != '\0' ? product->brand : NULL);
    sim_render_text(row, "image", product->image);
    cJSON_AddItemToObject(row, "price", sim_render_amount(product->price_minor));
    cJSON_AddNumberToObject(row, "quantity", quantity);
    cJSON_AddItemToObject(row, "total", sim_render_amount(product->price_minor * quantity));
    sim_render_time(row, "valid_until", o->valid_until_ms);
    cJSON_AddStringToObject(row, "merchant_url", "https://elixir.cards");
    return row;
}

void sim_tool_products(struct sim_world *w, struct sim_call *call)
{
    const char *query = sim_tool_text(call->input, "query");
    int quantity = sim_tool_number(call->input, "quantity", 1);
    cJSON *list = NULL;
    int given = 0;

    call->reply.data = cJSON_CreateObject();
    list = cJSON_AddArrayToObject(call->reply.data, "products");
    for (size_t i = 0; i < w->product_count && given < PRODUCTS_MAX; i++) {
        if (is_match(&w->products[i], query)) {
            cJSON_AddItemToArray(list, offer(w, i, quantity));
            given++;
        }
    }
    call->reply.instruction =
        given == 0 ? "Nothing is on offer for this. Say so; do not invent an offer."
                   : "Show each product with price and total. For what the user picks call "
                     "start_purchase once: items with name, quantity and product_id, the sum of "
                     "the totals, and merchant_url.";
}
