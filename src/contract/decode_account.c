/* SPDX-License-Identifier: Apache-2.0 */
/* The account sections of get_account (page account). Must not know who asked for which section.
 * Invariant: a section that the reply marks as unavailable, or that is null, is unknown; a zero is
 * only ever a zero that the service sent. */
#include <string.h>
#include "contract/decode.h"
#include "contract/free.h"
#include "core/alloc.h"
#include "core/ident.h"
#include "core/str.h"

#define HELD_MAX       200
#define LIMITS_MAX     50
#define ADDRESSES_MAX  200
#define NAMES_MAX      50 /* entries of services and unavailable */
#define ADDRESS_ID_MAX 64

static bool list_has(struct decode *d, const json_t *list, const char *key, const char *word)
{
    bool found = false;
    for (size_t i = 0; i < json_array_size(list) && d->err == ERR_OK; i++) {
        const json_t *entry = json_array_get(list, i);
        if (!json_is_string(entry))
            decode_fail(d, key, ERR_FORMAT, "has an entry that is not text");
        else if (strcmp(json_string_value(entry), word) == 0)
            found = true;
    }
    return found;
}

static void read_unavailable(struct decode *d, const json_t *account, struct contract_account *out)
{
    const json_t *list = decode_array(d, account, "unavailable", NAMES_MAX);
    for (int i = 0; i < CONTRACT_UNAVAILABLE_COUNT; i++)
        out->unavailable[i] =
            list_has(d, list, "unavailable", contract_wire(CONTRACT_KIND_UNAVAILABLE, i));
}

static struct contract_amount read_balance(struct decode *d, const json_t *account, const char *key,
                                           bool unavailable)
{
    struct contract_amount a = {0};
    return unavailable ? a : decode_amount(d, account, key);
}

static void read_balances(struct decode *d, const json_t *account, struct contract_account *out)
{
    const bool *gone = out->unavailable;
    bool no_currency = gone[CONTRACT_UNAVAILABLE_CURRENCY];
    out->has_balance_section = decode_has_key(account, "balance") ||
                               decode_has_key(account, "held") ||
                               decode_has_key(account, "spendable");
    out->balance =
        read_balance(d, account, "balance", no_currency || gone[CONTRACT_UNAVAILABLE_BALANCE]);
    out->held = read_balance(d, account, "held", no_currency || gone[CONTRACT_UNAVAILABLE_HOLDS]);
    out->spendable =
        read_balance(d, account, "spendable", no_currency || gone[CONTRACT_UNAVAILABLE_SPENDABLE]);
}

static void read_held_item(struct decode *d, const json_t *item, struct contract_held *out)
{
    decode_id(d, item, "purchase_id", out->purchase_id, sizeof out->purchase_id,
              ident_is_purchase_id, true);
    out->merchant = decode_text(d, item, "merchant");
    out->amount = decode_amount(d, item, "amount");
    out->exact = decode_bool(d, item, "exact", false);
    out->state = decode_enum(d, item, "state", CONTRACT_KIND_HELD_STATE);
    out->since_ms = decode_time(item, "since");
}

static void read_held(struct decode *d, const json_t *account, struct contract_account *out)
{
    out->has_held_purchases = decode_has_key(account, "held_purchases");
    const json_t *section = decode_object(d, account, "held_purchases");
    if (!section)
        return;
    size_t mark = decode_enter(d, "held_purchases");
    out->held_purchases_available = decode_bool(d, section, "available", false);
    out->held_truncated_known = decode_has(section, "truncated");
    out->held_truncated = decode_bool(d, section, "truncated", false);
    if (out->held_purchases_available)
        out->held_total = decode_amount(d, section, "total");
    const json_t *items = decode_array(d, section, "items", HELD_MAX);
    out->held_items = decode_rows(d, json_array_size(items), sizeof *out->held_items);
    for (size_t i = 0; out->held_items && i < json_array_size(items); i++) {
        size_t inner = decode_enter_index(d, "items", i);
        out->held_count = i + 1;
        read_held_item(d, decode_element(d, items, "", i), &out->held_items[i]);
        decode_leave(d, inner);
    }
    decode_leave(d, mark);
}

static void read_limits(struct decode *d, const json_t *account, struct contract_account *out)
{
    const json_t *list = decode_array(d, account, "limits", LIMITS_MAX);
    out->has_limits = list && !out->unavailable[CONTRACT_UNAVAILABLE_LIMITS];
    out->limits = decode_rows(d, out->has_limits ? json_array_size(list) : 0, sizeof *out->limits);
    for (size_t i = 0; out->limits && i < json_array_size(list); i++) {
        size_t mark = decode_enter_index(d, "limits", i);
        const json_t *limit = decode_element(d, list, "", i);
        out->limit_count = i + 1;
        out->limits[i].channel = decode_text_due(d, limit, "channel");
        out->limits[i].period = decode_enum(d, limit, "period", CONTRACT_KIND_PERIOD);
        out->limits[i].amount = decode_amount(d, limit, "amount");
        decode_leave(d, mark);
    }
}

/* An address whose id cannot be sent back is shown, but has no id. */
static void read_address_id(struct decode *d, const json_t *address, char *out, size_t size)
{
    const json_t *id = json_object_get(address, "id");
    out[0] = '\0';
    if (d->err != ERR_OK || !json_is_string(id))
        return;
    size_t len = json_string_length(id);
    if (len <= ADDRESS_ID_MAX && len < size && strlen(json_string_value(id)) == len)
        memcpy(out, json_string_value(id), len + 1);
}

static void read_addresses(struct decode *d, const json_t *account, struct contract_account *out)
{
    const json_t *list = decode_array(d, account, "addresses", ADDRESSES_MAX);
    out->has_addresses = list && !out->unavailable[CONTRACT_UNAVAILABLE_ADDRESSES];
    out->addresses =
        decode_rows(d, out->has_addresses ? json_array_size(list) : 0, sizeof *out->addresses);
    for (size_t i = 0; out->addresses && i < json_array_size(list); i++) {
        size_t mark = decode_enter_index(d, "addresses", i);
        const json_t *address = decode_element(d, list, "", i);
        struct contract_address *a = &out->addresses[i];
        out->address_count = i + 1;
        read_address_id(d, address, a->id, sizeof a->id);
        a->label = decode_text_due(d, address, "label");
        a->name = decode_text(d, address, "name");
        a->phone = decode_text(d, address, "phone");
        a->line = decode_text(d, address, "line");
        a->is_default = decode_bool(d, address, "is_default", false);
        decode_leave(d, mark);
    }
}

static void read_profile(struct decode *d, const json_t *account, struct contract_account *out)
{
    const json_t *profile = decode_object(d, account, "profile");
    out->has_profile = profile && !out->unavailable[CONTRACT_UNAVAILABLE_PROFILE];
    if (!out->has_profile)
        return;
    size_t mark = decode_enter(d, "profile");
    out->profile_name = decode_text(d, profile, "name");
    out->profile_mobile = decode_text(d, profile, "mobile");
    out->profile_email = decode_text(d, profile, "email");
    decode_leave(d, mark);
}

/* Null means that none is open, unless the reply says that it could not tell. */
static void read_active(struct decode *d, const json_t *account, struct contract_account *out)
{
    const json_t *purchase = decode_object(d, account, "active_purchase");
    if (purchase) {
        size_t mark = decode_enter(d, "active_purchase");
        out->active_purchase = decode_purchase(d, purchase);
        out->has_active_purchase = true;
        decode_leave(d, mark);
        return;
    }
    out->has_active_purchase = decode_has_key(account, "active_purchase") &&
                               !out->unavailable[CONTRACT_UNAVAILABLE_ACTIVE_PURCHASE];
}

struct contract_account *decode_account(struct decode *d, const json_t *account)
{
    struct contract_account *out = decode_rows(d, 1, sizeof *out);
    if (!out)
        return NULL;
    read_unavailable(d, account, out);
    read_balances(d, account, out);
    read_held(d, account, out);
    const json_t *services = decode_array(d, account, "services", NAMES_MAX);
    out->has_services = services != NULL;
    out->service_purchase = list_has(d, services, "services", "purchase");
    read_active(d, account, out);
    const json_t *agent = decode_object(d, account, "agent");
    out->has_agent = agent != NULL;
    if (agent)
        out->agent = decode_agent(d, agent);
    read_limits(d, account, out);
    read_profile(d, account, out);
    read_addresses(d, account, out);
    if (d->err == ERR_OK)
        return out;
    contract_account_free(out);
    return NULL;
}
