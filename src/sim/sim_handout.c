/* SPDX-License-Identifier: Apache-2.0 */
/* What a ready purchase is paid with. The only file that makes card numbers, codes and PINs;
 * nothing that logs or shows state calls it. All of it is made from the seed and pays nowhere. */
#include <stdio.h>

#include "sim_render_private.h"

static cJSON *card_of(const struct sim_world *w, const struct sim_purchase *p)
{
    cJSON *card = cJSON_CreateObject();
    char number[17];
    char cvv[4];

    sim_ident_card(w->seed, p->ordinal, number);
    sim_ident_digits(w->seed, "cvv", p->ordinal, 0, cvv, 3);
    cJSON_AddStringToObject(card, "number", number);
    cJSON_AddStringToObject(card, "expiry_month", "11");
    cJSON_AddStringToObject(card, "expiry_year", "2031");
    cJSON_AddStringToObject(card, "cvv", cvv);
    cJSON_AddStringToObject(card, "network", "rupay");
    return card;
}

static cJSON *voucher_of(const struct sim_world *w, const struct sim_purchase *p)
{
    const struct sim_gift *g = p->gift;
    cJSON *v = cJSON_CreateObject();
    char digits[17];
    char code[24];
    char pin[7];

    sim_ident_digits(w->seed, "voucher", p->ordinal, 0, digits, 16);
    snprintf(code, sizeof(code), "%.4s-%.4s-%.4s-%.4s", digits, digits + 4, digits + 8,
             digits + 12);
    sim_ident_digits(w->seed, "pin", p->ordinal, 0, pin, 6);
    cJSON_AddStringToObject(v, "brand", g->name);
    cJSON_AddStringToObject(v, "code", code);
    if (g->has_pin) {
        cJSON_AddStringToObject(v, "pin", pin);
    }
    cJSON_AddItemToObject(v, "value", sim_render_amount(p->total_minor));
    if (g->redemption_url != NULL) {
        cJSON_AddStringToObject(v, "redemption_url", g->redemption_url);
    }
    cJSON_AddStringToObject(v, "redemption_instructions", g->instructions);
    sim_render_time(v, "valid_until",
                    g->valid_days > 0 ? p->funded_ms + (int64_t)g->valid_days * 86400000
                                      : SIM_NEVER);
    return v;
}

cJSON *sim_render_handout(const struct sim_world *w, const struct sim_purchase *p,
                          const struct sim_attempt *a)
{
    cJSON *d = cJSON_CreateObject();
    bool is_card = p->rail == SIM_RAIL_CARD;
    char code[7];

    cJSON_AddStringToObject(d, "kind", is_card ? "card" : "gift_card");
    if (is_card) {
        sim_ident_digits(w->seed, "code", p->ordinal, (uint64_t)(a - p->attempts) + 1, code, 6);
        cJSON_AddItemToObject(d, "card", card_of(w, p));
        cJSON_AddStringToObject(d, "checkout_code", code);
        if (a->code_expires_ms != SIM_NEVER) {
            sim_render_time(d, "checkout_code_expires_at", a->code_expires_ms);
        }
    } else {
        cJSON_AddItemToObject(d, "voucher", voucher_of(w, p));
    }
    cJSON_AddItemToObject(d, "amount_limit",
                          sim_render_amount(is_card ? p->limit_minor : p->total_minor));
    cJSON_AddStringToObject(d, "checkout_attempt_id", a->id);
    if (p->card_expires_ms != SIM_NEVER) {
        sim_render_time(d, "expires_at", p->card_expires_ms);
    }
    return d;
}
