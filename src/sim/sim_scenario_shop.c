/* SPDX-License-Identifier: Apache-2.0 */
/* Merchants, gift cards and products of a scenario. */
#include <string.h>

#include "core/money.h"
#include "core/str.h"
#include "sim/sim_mem.h"
#include "sim_scenario_private.h"

static void read_merchant(struct sim_reader *r, const cJSON *o, struct sim_merchant *m)
{
    const char *host = sim_reader_text(r, o, "host");
    const char *name = sim_reader_text(r, o, "name");
    const char *rail = sim_reader_text(r, o, "rail");
    const char *reason = sim_reader_text(r, o, "rail_reason");

    if (!sim_reader_keys(r, o, "merchant", "host name rail rail_reason")) {
        return;
    }
    m->is_refused = rail != NULL && strcmp(rail, "none") == 0;
    m->rail = sim_rail_find(rail);
    m->rail_reason = sim_reason_find(reason);
    if (host == NULL || name == NULL ||
        (rail != NULL && !m->is_refused && m->rail == SIM_RAIL_NONE) ||
        (reason != NULL && m->rail_reason == NULL)) {
        sim_reader_fail(r, "merchant", "needs host and name; rail and rail_reason are known words");
        return;
    }
    str_copy(m->host, sizeof(m->host), host);
    str_copy(m->name, sizeof(m->name), name);
}

static void read_amounts(struct sim_reader *r, const cJSON *o, struct sim_gift *g)
{
    const cJSON *amounts = cJSON_GetObjectItemCaseSensitive(o, "amounts");
    const cJSON *range = cJSON_GetObjectItemCaseSensitive(o, "range");
    const cJSON *one = NULL;

    if (cJSON_GetArraySize(range) == 2) {
        const cJSON *low = cJSON_GetArrayItem(range, 0);
        const cJSON *high = cJSON_GetArrayItem(range, 1);

        if (!cJSON_IsString(low) || !cJSON_IsString(high) ||
            money_parse(low->valuestring, &g->min_minor) != ERR_OK ||
            money_parse(high->valuestring, &g->max_minor) != ERR_OK) {
            sim_reader_fail(r, "gift card", "has a range that is none");
        }
        return;
    }
    g->amounts = sim_mem_zero((size_t)cJSON_GetArraySize(amounts), sizeof(*g->amounts));
    cJSON_ArrayForEach(one, amounts)
    {
        if (!cJSON_IsString(one) ||
            money_parse(one->valuestring, &g->amounts[g->amount_count]) != ERR_OK) {
            sim_reader_fail(r, "gift card", "has an amount that is none");
            return;
        }
        g->amount_count++;
    }
    if (g->amount_count == 0) {
        sim_reader_fail(r, "gift card", "needs amounts or a range");
    }
}

static void read_gift(struct sim_reader *r, const cJSON *o, struct sim_gift *g)
{
    static const char *const places[] = {NULL, "account", "checkout"};
    static const char *const fundings[] = {"pay_link", "app", "balance"};
    static const char *const by[] = {NULL, "agent", "envoy"};
    const char *domain = sim_reader_text(r, o, "domain");
    const char *name = sim_reader_text(r, o, "name");
    const char *instructions = sim_reader_text(r, o, "instructions");

    if (!sim_reader_keys(r, o, "gift card",
                         "domain name amounts range discount_percent redeem_at funding "
                         "checkout_by pin valid_days redemption_url instructions")) {
        return;
    }
    if (domain == NULL) {
        sim_reader_fail(r, "gift card", "needs a domain");
        return;
    }
    str_copy(g->domain, sizeof(g->domain), domain);
    str_copy(g->name, sizeof(g->name), name != NULL ? name : domain);
    read_amounts(r, o, g);
    g->discount_percent = sim_reader_number(r, o, "discount_percent", -1);
    g->redeem_at = places[sim_reader_word(r, o, "redeem_at", places, 3, 0)];
    g->funding = (enum sim_funding)sim_reader_word(r, o, "funding", fundings, 3, 0);
    g->checkout_by = (enum sim_by)sim_reader_word(r, o, "checkout_by", by, 3, SIM_BY_AGENT);
    g->has_pin = sim_reader_bool(r, o, "pin", true);
    g->valid_days = (int)sim_reader_number(r, o, "valid_days", 0);
    g->redemption_url = sim_mem_text(sim_reader_text(r, o, "redemption_url"));
    g->instructions = sim_mem_text(
        instructions != NULL ? instructions : "Enter the code at the merchant's payment step.");
}

/* An offer that always stands, so that a scripted start can name it. */
static void read_offer(struct sim_reader *r, const cJSON *o, const struct sim_product *p)
{
    struct sim_world *w = r->world;
    const char *id = sim_reader_text(r, o, "offer");
    struct sim_offer *offer = NULL;

    if (id == NULL) {
        return;
    }
    if (strlen(id) != sizeof(offer->id) - 1 || strncmp(id, "ofr_", 4) != 0) {
        sim_reader_fail(r, "offer", "is ofr_ and 32 hex digits");
        return;
    }
    w->offers = sim_mem_grow(w->offers, w->offer_count + 1, sizeof(*w->offers));
    offer = &w->offers[w->offer_count++];
    memset(offer, 0, sizeof(*offer));
    str_copy(offer->id, sizeof(offer->id), id);
    offer->product = (size_t)(p - w->products);
    offer->quantity = 1;
    offer->valid_until_ms = SIM_NEVER;
}

static void read_product(struct sim_reader *r, const cJSON *o, struct sim_product *p)
{
    const char *name = sim_reader_text(r, o, "name");
    const char *brand = sim_reader_text(r, o, "brand");
    const char *words = sim_reader_text(r, o, "words");

    if (!sim_reader_keys(r, o, "product", "name brand price image fee words offer")) {
        return;
    }
    p->price_minor = sim_reader_amount(r, o, "price", 0);
    p->fee_minor = sim_reader_amount(r, o, "fee", 0);
    p->image = sim_mem_text(sim_reader_text(r, o, "image"));
    p->words = sim_mem_text(words != NULL ? words : "");
    if (name == NULL || p->price_minor <= 0) {
        sim_reader_fail(r, "product", "needs name and price");
        return;
    }
    str_copy(p->name, sizeof(p->name), name);
    str_copy(p->brand, sizeof(p->brand), brand != NULL ? brand : "");
    read_offer(r, o, p);
}

void sim_reader_shops(struct sim_reader *r, const cJSON *doc)
{
    struct sim_world *w = r->world;
    const cJSON *merchants = cJSON_GetObjectItemCaseSensitive(doc, "merchants");
    const cJSON *gifts = cJSON_GetObjectItemCaseSensitive(doc, "gift_cards");
    const cJSON *products = cJSON_GetObjectItemCaseSensitive(doc, "products");
    const cJSON *o = NULL;

    w->merchants = sim_mem_zero((size_t)cJSON_GetArraySize(merchants), sizeof(*w->merchants));
    w->gifts = sim_mem_zero((size_t)cJSON_GetArraySize(gifts), sizeof(*w->gifts));
    w->products = sim_mem_zero((size_t)cJSON_GetArraySize(products), sizeof(*w->products));
    cJSON_ArrayForEach(o, merchants)
    {
        read_merchant(r, o, &w->merchants[w->merchant_count++]);
    }
    cJSON_ArrayForEach(o, gifts)
    {
        read_gift(r, o, &w->gifts[w->gift_count++]);
    }
    cJSON_ArrayForEach(o, products)
    {
        read_product(r, o, &w->products[w->product_count++]);
    }
}
