/* SPDX-License-Identifier: Apache-2.0 */
/* The shop: gift-card merchants, marketplace search, and how an offer becomes a start form. Reads
 * only; nothing is chosen for the person. */
#include <stdio.h>
#include <string.h>

#include "app/start_internal.h"
#include "core/alloc.h"
#include "core/money.h"
#include "core/str.h"

#define SHOP_TIMEOUT_MS 30000

static uint64_t send(struct model *m, struct effects *fx, enum model_purpose purpose,
                     enum contract_tool tool, const char *body)
{
    int64_t when;
    struct call_spec spec = {.purpose = purpose,
                             .tool = tool,
                             .interactive = true,
                             .timeout_ms = SHOP_TIMEOUT_MS,
                             .body = body};
    return call_start(m, fx, &spec, &when);
}

/* Lists of a reply are freed as a reply's; this keeps the one place that knows how. */
static void drop_merchants(struct shop *s)
{
    struct contract_reply *shell = alloc_zero(1, sizeof *shell);
    if (!shell)
        return;
    shell->merchants = s->merchants;
    shell->merchant_count = s->merchant_count;
    contract_reply_free(shell);
    s->merchants = NULL;
    s->merchant_count = 0;
}

static void drop_products(struct shop *s)
{
    struct contract_reply *shell = alloc_zero(1, sizeof *shell);
    if (!shell)
        return;
    shell->products = s->products;
    shell->product_count = s->product_count;
    contract_reply_free(shell);
    s->products = NULL;
    s->product_count = 0;
}

void shop_fini(struct shop *s)
{
    drop_merchants(s);
    drop_products(s);
    edit_fini(&s->query);
}

void shop_read_merchants(struct model *m, struct effects *fx)
{
    struct shop *s = &m->shop;
    if (s->merchants_loading)
        return;
    s->merchants_loading = send(m, fx, MODEL_CALL_MERCHANTS, CONTRACT_TOOL_LIST_GIFT_CARD_MERCHANTS,
                                "{}") != 0;
    (void)str_copy(s->merchants_trouble, sizeof s->merchants_trouble,
                   s->merchants_loading ? "" : "Waiting before the next call; r tries again.");
}

void shop_search(struct model *m, struct effects *fx)
{
    struct shop *s = &m->shop;
    struct contract_problems problems = {0};
    struct buf body;
    buf_init(&body, CONTRACT_BODY_MAX);
    if (contract_encode_search(edit_text(&s->query), 0, NULL, &body, &problems) == ERR_OK) {
        s->products_loading = send(m, fx, MODEL_CALL_PRODUCTS, CONTRACT_TOOL_SEARCH_PRODUCTS,
                                   buf_view(&body)) != 0;
        s->products_trouble[0] = '\0';
        s->searching = false;
    } else {
        snprintf(s->products_trouble, sizeof s->products_trouble, "%.180s",
                 problems.fields[0].problem);
    }
    buf_fini(&body);
}

static const char *trouble_of(const struct envoy_result *r)
{
    return r->reply && r->reply->error.present ? r->reply->error.message
                                               : envoy_outcome_words(r->outcome);
}

void shop_apply(struct model *m, const struct model_call *call, struct envoy_result *r)
{
    struct shop *s = &m->shop;
    bool good = r->outcome == ENVOY_REPLY && r->reply->ok && r->reply->has_data;
    m->dirty = true;
    if (call->purpose == MODEL_CALL_MERCHANTS) {
        s->merchants_loading = false;
        (void)str_copy(s->merchants_trouble, sizeof s->merchants_trouble, good ? "" : trouble_of(r));
        if (!good)
            return;
        drop_merchants(s);
        s->merchants = r->reply->merchants;
        s->merchant_count = r->reply->merchant_count;
        r->reply->merchants = NULL;
        r->reply->merchant_count = 0;
        s->merchants_read = true;
        s->merchant_selected = 0;
        return;
    }
    s->products_loading = false;
    (void)str_copy(s->products_trouble, sizeof s->products_trouble, good ? "" : trouble_of(r));
    if (!good)
        return;
    drop_products(s);
    s->products = r->reply->products;
    s->product_count = r->reply->product_count;
    r->reply->products = NULL;
    r->reply->product_count = 0;
    s->products_read = true;
    s->product_selected = 0;
    memset(s->chosen, 0, sizeof s->chosen);
}

void shop_move(struct model *m, int rows, int to_end)
{
    struct shop *s = &m->shop;
    bool merchants = s->part == SHOP_MERCHANTS;
    size_t count = merchants ? s->merchant_count : s->product_count;
    size_t *at = merchants ? &s->merchant_selected : &s->product_selected;
    long long to = to_end < 0 ? 0 : to_end > 0 ? (long long)count - 1 : (long long)*at + rows;
    if (to > (long long)count - 1)
        to = (long long)count - 1;
    *at = to > 0 ? (size_t)to : 0;
}

bool shop_can_start(const struct model *m)
{
    const struct shop *s = &m->shop;
    return s->part == SHOP_MERCHANTS ? s->merchant_count > 0 : s->product_count > 0;
}

/* A form with the merchant and the gift-card rail filled in; amounts are for the person to say. */
static void from_merchant(struct model *m, const struct contract_merchant *merchant)
{
    char url[300];
    snprintf(url, sizeof url, "https://%s", merchant->domain);
    start_set(&m->start, START_FIELD_MERCHANT_URL, 0, url);
    struct start_row *rail = start_find_row(&m->start, START_FIELD_RAIL, 0);
    if (rail)
        rail->choice = 1 + CONTRACT_RAIL_CHOICE_GIFT_CARD;
}

/* The marked offers of one merchant, or the selected one. */
static void from_products(struct model *m)
{
    struct shop *s = &m->shop;
    struct start_form *f = &m->start;
    int64_t total = 0;
    int group = 0;
    bool any = false;
    for (size_t i = 0; i < s->product_count && i < SHOP_CART_MAX; i++)
        any = any || s->chosen[i];
    for (size_t i = 0; i < s->product_count && i < SHOP_CART_MAX; i++) {
        const struct contract_product *p = &s->products[i];
        char quantity[24];
        if (any ? !s->chosen[i] : i != s->product_selected)
            continue;
        if (group > 0 && !start_add_group(f, START_FIELD_ITEM_NAME))
            break;
        snprintf(quantity, sizeof quantity, "%lld", (long long)p->quantity);
        start_set(f, START_FIELD_ITEM_NAME, group, p->name);
        start_set(f, START_FIELD_ITEM_QUANTITY, group, quantity);
        start_set(f, START_FIELD_MERCHANT_URL, 0, p->merchant_url);
        (void)str_copy(f->product_ids[group], sizeof f->product_ids[0], p->product_id);
        total += p->total.known ? p->total.minor : 0;
        group++;
    }
    char wire[MONEY_TEXT_MAX];
    money_wire(wire, total);
    start_set(f, START_FIELD_TOTAL, 0, wire);
    f->focus = 0;
}

void shop_start(struct model *m)
{
    struct start_form *f = &m->start;
    struct shop *s = &m->shop;
    if (f->state == START_SENT || f->state == START_UNKNOWN) {
        model_say(m, true, "Another start has no known outcome yet. It is read first.");
        start_open(m);
        return;
    }
    start_empty(f);
    if (s->part == SHOP_MERCHANTS && s->merchant_count > 0)
        from_merchant(m, &s->merchants[s->merchant_selected]);
    else if (s->part == SHOP_PRODUCTS && s->product_count > 0)
        from_products(m);
    start_open(m);
}
