/* SPDX-License-Identifier: Apache-2.0 */
/* The shop: gift-card merchants, marketplace search, and how an offer becomes a start form. Reads
 * only; nothing is chosen for the person. */
#include <stdio.h>
#include <string.h>

#include "app/start_internal.h"
#include "core/alloc.h"
#include "core/clock.h"
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
    s->merchants_loading =
        send(m, fx, MODEL_CALL_MERCHANTS, CONTRACT_TOOL_LIST_GIFT_CARD_MERCHANTS, "{}") != 0;
    (void)str_copy(s->merchants_trouble, sizeof s->merchants_trouble,
                   s->merchants_loading ? "" : "Waiting before the next call; r tries again.");
}

void shop_search(struct model *m, struct effects *fx)
{
    struct shop *s = &m->shop;
    struct contract_problems problems = {0};
    struct buf body;
    if (s->products_loading)
        return; /* its reply comes first */
    buf_init(&body, CONTRACT_BODY_MAX);
    if (contract_encode_search(edit_text(&s->query), 0, NULL, &body, &problems) == ERR_OK) {
        s->products_loading =
            send(m, fx, MODEL_CALL_PRODUCTS, CONTRACT_TOOL_SEARCH_PRODUCTS, buf_view(&body)) != 0;
        (void)str_copy(s->products_trouble, sizeof s->products_trouble,
                       s->products_loading ? ""
                                           : "Waiting before the next call; s, then Enter tries "
                                             "again.");
        s->searching = false;
    } else {
        snprintf(s->products_trouble, sizeof s->products_trouble,
                 edit_is_empty(&s->query) ? "Write what you look for, then press Enter."
                                          : "The search %.160s.",
                 problems.fields[0].problem);
    }
    buf_fini(&body);
}

void shop_read_again(struct model *m, struct effects *fx)
{
    if (m->shop.part == SHOP_MERCHANTS)
        shop_read_merchants(m, fx);
    else
        shop_search(m, fx);
}

static const char *trouble_of(const struct envoy_result *r)
{
    return r->reply && r->reply->error.present ? r->reply->error.message
                                               : envoy_result_words(r);
}

void shop_apply(struct model *m, const struct model_call *call, struct envoy_result *r)
{
    struct shop *s = &m->shop;
    bool good = r->outcome == ENVOY_REPLY && r->reply->ok && r->reply->has_data;
    m->dirty = true;
    if (call->purpose == MODEL_CALL_MERCHANTS) {
        s->merchants_loading = false;
        (void)str_copy(s->merchants_trouble, sizeof s->merchants_trouble,
                       good ? "" : trouble_of(r));
        if (!good)
            return;
        drop_merchants(s);
        s->merchants = r->reply->merchants;
        s->merchant_count = r->reply->merchant_count;
        r->reply->merchants = NULL;
        r->reply->merchant_count = 0;
        s->merchants_read = true;
        s->merchant_selected = 0;
        s->merchant_top = 0;
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

static bool is_marked(const struct shop *s, size_t i)
{
    return i < SHOP_CART_MAX && s->chosen[i];
}

/* Part of the cart: marked, or the selected one when none is marked. */
static bool in_cart(const struct shop *s, size_t i)
{
    for (size_t k = 0; k < s->product_count; k++)
        if (is_marked(s, k))
            return is_marked(s, i);
    return i == s->product_selected;
}

/* Why the cart cannot be bought as it is; NULL when it can. */
static const char *refuse_cart(const struct model *m)
{
    const struct shop *s = &m->shop;
    const char *url = NULL;
    for (size_t i = 0; i < s->product_count; i++) {
        const struct contract_product *p = &s->products[i];
        if (!in_cart(s, i))
            continue;
        if (!p->merchant_url || !p->product_id[0])
            return "This offer cannot be bought here. Search again (s).";
        if (p->valid_until_ms != CLOCK_NONE && p->valid_until_ms <= model_now_ms(m))
            return "This price has expired. Search again (s).";
        if (!p->total.known || p->total.disagrees)
            return "What this offer costs in all is not known for certain. Search again (s).";
        if (url && strcmp(url, p->merchant_url) != 0)
            return "The marked products are of two merchants. Start one purchase for each.";
        url = p->merchant_url;
    }
    return NULL;
}

const char *shop_refuses_start(const struct model *m)
{
    const struct shop *s = &m->shop;
    if (s->part == SHOP_MERCHANTS)
        return s->merchant_count > 0 ? NULL : "Nothing is listed here to start from.";
    return s->product_count > 0 ? refuse_cart(m) : "Nothing is listed here to start from.";
}

/* Which face values there are, as far as they fit. */
static void face_values(const struct model *m, const struct contract_merchant *merchant, char *out,
                        size_t size)
{
    char one[64], most[64];
    if (merchant->has_range) {
        model_amount(m, &merchant->min, one, sizeof one);
        model_amount(m, &merchant->max, most, sizeof most);
        snprintf(out, size, "gift cards of whole rupees from %s to %s", one, most);
        return;
    }
    for (size_t i = 0; i < merchant->amount_count; i++) {
        size_t used = strlen(out);
        model_amount(m, &merchant->amounts[i], one, sizeof one);
        if (used + strlen(one) + 8 > size) {
            (void)str_copy(out + used, size - used, "…");
            return;
        }
        snprintf(out + used, size - used, "%s%s", used > 0 ? ", " : "gift cards of ", one);
    }
}

/* A form with the merchant and the gift-card rail filled in; amounts are for the person to say. */
static void from_merchant(struct model *m, const struct contract_merchant *merchant)
{
    char url[300];
    snprintf(url, sizeof url, "https://%s", merchant->domain);
    start_set(&m->start, START_FIELD_MERCHANT_URL, 0, url);
    face_values(m, merchant, m->start.total_hint, sizeof m->start.total_hint);
    struct start_row *rail = start_find_row(&m->start, START_FIELD_RAIL, 0);
    if (rail)
        rail->choice = 1 + CONTRACT_RAIL_CHOICE_GIFT_CARD;
}

/* The cart as Envoy wants it: every item with its offer, the total the sum of the offers' totals.
 */
static void from_products(struct model *m)
{
    struct shop *s = &m->shop;
    struct start_form *f = &m->start;
    int64_t total = 0;
    int group = 0;
    for (size_t i = 0; i < s->product_count; i++) {
        const struct contract_product *p = &s->products[i];
        char quantity[24];
        if (!in_cart(s, i))
            continue;
        if (group > 0 && !start_add_group(f, START_FIELD_ITEM_NAME))
            break;
        snprintf(quantity, sizeof quantity, "%lld", (long long)p->quantity);
        start_set(f, START_FIELD_ITEM_NAME, group, p->name);
        start_set(f, START_FIELD_ITEM_QUANTITY, group, quantity);
        start_set(f, START_FIELD_MERCHANT_URL, 0, p->merchant_url);
        (void)str_copy(f->product_ids[group], sizeof f->product_ids[0], p->product_id);
        total += p->total.minor;
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
        model_say(m, true, "Another start has no known outcome yet. It comes first.");
        start_open(m);
        return;
    }
    const char *no = shop_refuses_start(m);
    if (no) {
        model_say(m, true, "%s", no);
        return;
    }
    start_empty(f);
    if (s->part == SHOP_MERCHANTS)
        from_merchant(m, &s->merchants[s->merchant_selected]);
    else
        from_products(m);
    start_open(m);
    start_focus_missing(&m->start);
}
