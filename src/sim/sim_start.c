/* SPDX-License-Identifier: Apache-2.0 */
/* Starting a purchase: idempotency first, then who may start, then the rail. A refusal creates
 * nothing. Pages: start_purchase, walkthrough (card limits), account (active purchases). */
#include "sim/sim_start.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "core/money.h"
#include "core/str.h"
#include "sim/sim_flow.h"
#include "sim/sim_mem.h"
#include "sim_start_private.h"

#define START_MAX_MINOR (INT64_C(100000) * SIM_RUPEE)

static const char *text_of(const cJSON *input, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(input, name);

    return cJSON_IsString(item) ? item->valuestring : NULL;
}

void sim_start_site(const char *url, char out[SIM_NAME_SIZE])
{
    size_t n = 0;

    if (strncmp(url, "https://", 8) == 0) {
        url += 8;
    }
    if (strncasecmp(url, "www.", 4) == 0) {
        url += 4;
    }
    while (n + 1 < SIM_NAME_SIZE && url[n] != '\0' && strchr("/?#", url[n]) == NULL) {
        out[n] = (char)tolower((unsigned char)url[n]);
        n++;
    }
    out[n] = '\0';
}

int64_t sim_start_payable(const struct sim_gift *gift, int64_t face_minor)
{
    int64_t hundredths =
        gift->discount_percent > 0 ? (int64_t)(gift->discount_percent * 100 + 0.5) : 0;

    return face_minor - face_minor * hundredths / 10000;
}

static void check_address(const struct sim_world *w, struct sim_reply *r, const char *address_id)
{
    const cJSON *rows = cJSON_GetObjectItemCaseSensitive(w->account.owner, "addresses");
    const cJSON *row = NULL;

    cJSON_ArrayForEach(row, rows)
    {
        const char *id = text_of(row, "id");

        if (address_id == NULL || (id != NULL && strcmp(id, address_id) == 0)) {
            return;
        }
    }
    if (address_id != NULL) {
        sim_reply_field(r, "/address_id", "No saved address has this id.",
                        "an id from get_account with include addresses");
    }
}

/* One rule of three: five open, the same thing twice, a second Envoy checkout on a site. */
static bool has_conflict(const struct sim_world *w, const struct sim_draft *d,
                         const struct sim_purchase *except)
{
    size_t open = 0;
    size_t waiting = 0;

    for (size_t i = 0; i < w->purchase_count; i++) {
        const struct sim_purchase *p = w->purchases[i];

        if (sim_state_is_terminal(p->state) || p == except) {
            continue;
        }
        open++;
        waiting += p->state == SIM_WAITING && p->approval == SIM_APPROVAL_PENDING;
        if (strcmp(p->site, d->site) == 0 &&
            (p->total_minor == d->total_minor || d->checkout_by == SIM_BY_ENVOY)) {
            return true;
        }
    }
    return open >= SIM_OPEN_MAX || waiting >= SIM_WAITS_MAX;
}

static void describe(struct sim_purchase *p, const cJSON *input)
{
    const cJSON *items = cJSON_GetObjectItemCaseSensitive(input, "items");
    const char *title = text_of(input, "order_title");
    const char *first = text_of(cJSON_GetArrayItem(items, 0), "name");
    int others = cJSON_GetArraySize(items) - 1;
    char text[SIM_TEXT_SIZE];

    if (title != NULL && title[0] != '\0') {
        str_copy(p->description, sizeof(p->description), title);
    } else if (others > 0) {
        snprintf(text, sizeof(text), "%.1000s and %d more", first != NULL ? first : "", others);
        str_copy(p->description, sizeof(p->description), text);
    } else {
        str_copy(p->description, sizeof(p->description), first != NULL ? first : "");
    }
}

static struct sim_purchase *create(struct sim_world *w, const struct sim_draft *d,
                                   const struct sim_plan *plan)
{
    const struct sim_merchant *m = sim_start_merchant(w, d->site);
    struct sim_purchase *p = sim_world_add(w, plan, d->key);

    p->input = cJSON_Duplicate(d->input, true);
    p->merchant_url = sim_mem_text(d->url);
    str_copy(p->site, sizeof(p->site), d->site);
    str_copy(p->merchant_name, sizeof(p->merchant_name),
             m != NULL         ? m->name
             : d->gift != NULL ? d->gift->name
                               : d->site);
    describe(p, d->input);
    p->total_minor = d->total_minor;
    p->limit_minor = d->limit_minor;
    p->has_address = d->has_address;
    p->rail = d->rail_kind;
    p->rail_reason = d->rail_reason;
    p->checkout_by = d->checkout_by;
    p->gift = d->gift;
    p->funding_minor = d->gift != NULL ? sim_start_payable(d->gift, d->total_minor) : 0;
    p->counts.starts = 1;
    return p;
}

static void retry(struct sim_world *w, const struct sim_draft *d, const struct sim_plan *plan,
                  struct sim_reply *r)
{
    struct sim_purchase *old = sim_world_find(w, d->retry_of, false);
    struct sim_purchase *made = NULL;
    const cJSON *items = cJSON_GetObjectItemCaseSensitive(d->input, "items");

    if (old == NULL) {
        sim_reply_refuse(r, "NOT_FOUND", NULL);
        return;
    }
    if (strcmp(old->site, d->site) != 0) {
        sim_reply_field(r, "/merchant_url", "A retry is for the same merchant.", old->merchant_url);
    }
    if (old->total_minor != d->total_minor) {
        sim_reply_field(r, "/total", "A retry is for the same total.", "the first total");
    }
    if (!cJSON_Compare(cJSON_GetObjectItemCaseSensitive(old->input, "items"), items, true)) {
        sim_reply_field(r, "/items", "A retry is for the same items.", "the first items");
    }
    if (r->code != NULL) {
        return;
    }
    for (size_t i = 0; plan == NULL && i < w->plan_count; i++) {
        if (old->plan->name[0] != '\0' && strcmp(w->plans[i].retry_of, old->plan->name) == 0) {
            plan = &w->plans[i];
        }
    }
    r->purchase = old;
    if (!sim_flow_may_retry(old) || !w->account.has_operated) {
        sim_reply_refuse(r, "STATE_CONFLICT", "This purchase cannot be tried again like that.");
        return;
    }
    if (sim_flow_supersede(w, old, d->key, plan != NULL ? plan : &w->default_plan, &made) !=
        ERR_OK) {
        sim_reply_refuse(r, "STATE_CONFLICT", NULL);
        return;
    }
    r->purchase = made;
}

static void choose_and_create(struct sim_world *w, struct sim_draft *d, const struct sim_plan *plan,
                              struct sim_reply *r)
{
    sim_start_choose_rail(w, d, r);
    if (r->code != NULL) {
        return;
    }
    if (has_conflict(w, d, NULL)) {
        sim_reply_refuse(r, "ACTIVE_PURCHASE_EXISTS", NULL);
        r->is_active_conflict = true;
        return;
    }
    r->purchase = create(w, d, plan != NULL ? plan : &w->default_plan);
    if (w->account.spending_limit_minor > 0 && d->total_minor > w->account.spending_limit_minor) {
        sim_flow_fail(w, r->purchase, "POLICY_AMOUNT_LIMIT");
        return;
    }
    sim_flow_open(w, r->purchase);
}

static void read_draft(const struct sim_world *w, const cJSON *input, struct sim_draft *d,
                       struct sim_reply *r)
{
    const char *total = text_of(input, "total");
    const char *most = text_of(input, "max_total");

    memset(d, 0, sizeof(*d));
    d->input = input;
    d->key = text_of(input, "idempotency_key");
    d->url = text_of(input, "merchant_url");
    d->rail = text_of(input, "rail");
    d->retry_of = text_of(input, "retry_of");
    d->has_address = text_of(input, "address") != NULL || text_of(input, "address_id") != NULL;
    if (money_parse(total, &d->total_minor) != ERR_OK || d->total_minor > START_MAX_MINOR) {
        sim_reply_field(r, "/total", "Envoy cannot pay this total.", "at most 100000.00");
        return;
    }
    d->limit_minor = d->total_minor;
    if (most != NULL && money_parse(most, &d->limit_minor) != ERR_OK) {
        sim_reply_field(r, "/max_total", "This is not an amount.", "rupees, up to two decimals");
        return;
    }
    sim_start_site(d->url, d->site);
    sim_start_read_offers(w, d, r);
    check_address(w, r, text_of(input, "address_id"));
}

void sim_start(struct sim_world *w, const cJSON *input, const struct sim_plan *plan,
               struct sim_reply *r)
{
    struct sim_draft d;
    struct sim_purchase *known = NULL;

    read_draft(w, input, &d, r);
    known = d.key != NULL ? sim_world_find(w, d.key, false) : NULL;
    if (known != NULL) {
        /* offers run out, but a repeated start is still the same purchase */
        memset(r, 0, sizeof(*r));
        if (strcmp(known->merchant_url, d.url) != 0 || known->total_minor != d.total_minor) {
            sim_reply_refuse(r, "IDEMPOTENCY_CONFLICT", NULL);
        } else {
            r->purchase = known;
            r->is_replayed = true;
        }
        sim_world_effect(w, "start_purchase", known->key, known->id)->calls++;
        return;
    }
    if (r->code != NULL) {
        return;
    }
    if (!w->account.has_service) {
        sim_reply_refuse(r, "SERVICE_NOT_ENABLED", NULL);
        return;
    }
    if (d.retry_of != NULL) {
        retry(w, &d, plan, r);
    } else {
        choose_and_create(w, &d, plan, r);
    }
    if (r->code == NULL) {
        struct sim_effect *e = sim_world_effect(w, "start_purchase", d.key, r->purchase->id);

        e->calls++;
        e->effects++;
    }
}
