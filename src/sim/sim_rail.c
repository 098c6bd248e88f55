/* SPDX-License-Identifier: Apache-2.0 */
/* Which way a purchase is paid: one-time card, Envoy's own checkout, gift card, marketplace offer.
 * Pure: reads the world, changes only the draft and the refusal. */
#include <stdio.h>
#include <string.h>

#include "core/money.h"
#include "sim_start_private.h"

#define CARD_MIN_MINOR (INT64_C(10) * SIM_RUPEE)
#define CARD_MAX_MINOR (INT64_C(10000) * SIM_RUPEE)

const struct sim_merchant *sim_start_merchant(const struct sim_world *w, const char *site)
{
    for (size_t i = 0; i < w->merchant_count; i++) {
        if (strcmp(w->merchants[i].host, site) == 0) {
            return &w->merchants[i];
        }
    }
    return NULL;
}

static const struct sim_gift *find_gift(const struct sim_world *w, const char *site)
{
    for (size_t i = 0; w->account.has_gift_cards && i < w->gift_count; i++) {
        size_t own = strlen(w->gifts[i].domain);
        size_t all = strlen(site);

        if (all >= own && strcmp(site + all - own, w->gifts[i].domain) == 0 &&
            (all == own || site[all - own - 1] == '.')) {
            return &w->gifts[i];
        }
    }
    return NULL;
}

static void refuse(struct sim_reply *r, const char *reason)
{
    sim_reply_refuse(r, "NO_RAIL", sim_reason_text(reason));
    r->reason_code = reason;
}

static void take_gift(struct sim_draft *d, const struct sim_gift *gift, const char *reason,
                      struct sim_reply *r)
{
    bool is_sold = gift->max_minor > 0 && d->total_minor >= gift->min_minor &&
                   d->total_minor <= gift->max_minor && d->total_minor % SIM_RUPEE == 0;
    char low[MONEY_TEXT_MAX];
    char high[MONEY_TEXT_MAX];
    char expected[200] = "an amount from list_gift_card_merchants";

    for (size_t i = 0; i < gift->amount_count; i++) {
        is_sold = is_sold || gift->amounts[i] == d->total_minor;
    }
    if (!is_sold) {
        if (gift->max_minor > 0) {
            money_wire(low, gift->min_minor);
            money_wire(high, gift->max_minor);
            snprintf(expected, sizeof(expected), "whole rupees from %s to %s", low, high);
        }
        sim_reply_field(r, "/total", "No gift card of this amount is sold.", expected);
        return;
    }
    d->gift = gift;
    d->rail_kind = SIM_RAIL_GIFT;
    d->rail_reason = reason;
    d->checkout_by = gift->checkout_by;
}

static void take_operated(const struct sim_world *w, struct sim_draft *d, const char *reason,
                          struct sim_reply *r)
{
    if (!w->account.has_operated) {
        refuse(r, "RAIL_OPERATED_UNAVAILABLE");
        return;
    }
    d->rail_kind = SIM_RAIL_OPERATED;
    d->rail_reason = reason;
    d->checkout_by = SIM_BY_ENVOY;
}

/* A card that this merchant refused or blocked before is not tried there again. */
static const char *card_history(const struct sim_world *w, const char *site)
{
    for (size_t i = w->purchase_count; i-- > 0;) {
        const struct sim_purchase *p = w->purchases[i];

        if (strcmp(p->site, site) != 0 || p->state != SIM_FAILED || p->reason == NULL) {
            continue;
        }
        if (strcmp(p->reason, "ORDER_CARD_NOT_ACCEPTED") == 0) {
            return "RAIL_FALLBACK_CARD_NOT_ACCEPTED";
        }
        if (strcmp(p->reason, "ORDER_CHECKOUT_BLOCKED") == 0 && p->rail == SIM_RAIL_CARD) {
            return "RAIL_FALLBACK_SITE_BLOCKED";
        }
    }
    return NULL;
}

static void take_card(const struct sim_world *w, struct sim_draft *d, struct sim_reply *r)
{
    const char *before = card_history(w, d->site);

    if (before != NULL) {
        if (w->account.has_operated) {
            take_operated(w, d, before, r);
        } else {
            refuse(r, before);
        }
        return;
    }
    if (d->limit_minor > CARD_MAX_MINOR) {
        take_operated(w, d, "RAIL_AMOUNT_ABOVE_OTU_LIMIT", r);
        return;
    }
    if (d->limit_minor < CARD_MIN_MINOR || d->limit_minor % SIM_RUPEE != 0) {
        refuse(r, "RAIL_AMOUNT_OUTSIDE_CARD_LIMITS");
        return;
    }
    d->rail_kind = SIM_RAIL_CARD;
    d->rail_reason = "RAIL_OTU_PREFERRED";
    d->checkout_by = SIM_BY_AGENT;
}

void sim_start_choose_rail(const struct sim_world *w, struct sim_draft *d, struct sim_reply *r)
{
    const struct sim_merchant *m = sim_start_merchant(w, d->site);
    const struct sim_gift *gift = find_gift(w, d->site);

    if (d->offer_count > 0) {
        d->rail_kind = SIM_RAIL_MARKET;
        d->rail_reason = "RAIL_ELIXIR_INVENTORY";
        d->checkout_by = SIM_BY_ENVOY;
    } else if (d->rail != NULL && strcmp(d->rail, "gift_card") == 0) {
        if (gift == NULL) {
            refuse(r, "RAIL_CARD_REQUIRED");
        } else {
            take_gift(d, gift, w->account.has_card ? NULL : "RAIL_GIFT_CARD_CARDLESS", r);
        }
    } else if (d->rail != NULL) {
        take_operated(w, d, NULL, r);
    } else if (m != NULL && m->is_refused) {
        refuse(r, m->rail_reason != NULL ? m->rail_reason : "RAIL_OPERATED_UNAVAILABLE");
    } else if (m != NULL && m->rail == SIM_RAIL_OPERATED) {
        take_operated(w, d, m->rail_reason, r);
    } else if (w->account.has_card) {
        take_card(w, d, r);
    } else if (gift != NULL) {
        take_gift(d, gift, "RAIL_GIFT_CARD_CARDLESS", r);
    } else {
        refuse(r, "RAIL_CARD_REQUIRED");
    }
}

static const struct sim_offer *find_offer(const struct sim_world *w, const char *id)
{
    for (size_t i = 0; i < w->offer_count; i++) {
        if (strcmp(w->offers[i].id, id) == 0) {
            return &w->offers[i];
        }
    }
    return NULL;
}

static int64_t read_offer(const struct sim_world *w, const char *id, const char *path, int quantity,
                          struct sim_reply *r)
{
    const struct sim_offer *offer = find_offer(w, id);
    const struct sim_product *product = NULL;

    if (offer == NULL) {
        sim_reply_field(r, path, "No offer has this id.", "a product_id from search_products");
        return 0;
    }
    if (offer->valid_until_ms <= w->now_ms) {
        sim_reply_field(r, path, "This offer has run out.", "search again");
        return 0;
    }
    product = &w->products[offer->product];
    return product->price_minor * (quantity > 0 ? quantity : offer->quantity) + product->fee_minor;
}

void sim_start_read_offers(const struct sim_world *w, struct sim_draft *d, struct sim_reply *r)
{
    const cJSON *items = cJSON_GetObjectItemCaseSensitive(d->input, "items");
    const cJSON *single = cJSON_GetObjectItemCaseSensitive(d->input, "product_id");
    int count = cJSON_GetArraySize(items);
    int64_t sum = 0;
    char path[64];
    char expected[MONEY_TEXT_MAX];

    for (int i = 0; i < count; i++) {
        const cJSON *item = cJSON_GetArrayItem(items, i);
        const cJSON *id = cJSON_GetObjectItemCaseSensitive(item, "product_id");
        const cJSON *quantity = cJSON_GetObjectItemCaseSensitive(item, "quantity");

        if (id == NULL && single != NULL && count == 1) {
            id = single;
        }
        if (!cJSON_IsString(id)) {
            continue;
        }
        d->offer_count++;
        snprintf(path, sizeof(path), id == single ? "/product_id" : "/items/%d/product_id", i);
        sum += read_offer(w, id->valuestring, path,
                          cJSON_IsNumber(quantity) ? quantity->valueint
                          : id == single           ? 0
                                                   : 1,
                          r);
    }
    if (d->offer_count == 0) {
        return;
    }
    if (r->code != NULL) {
        return;
    }
    if (strcmp(d->site, "elixir.cards") != 0) {
        sim_reply_field(r, "/merchant_url", "These offers are sold elsewhere.",
                        "https://elixir.cards");
    }
    if (sum != d->total_minor) {
        money_wire(expected, sum);
        sim_reply_field(r, "/total", "The total of these offers has changed. Ask the user first.",
                        expected);
    }
}
