/* SPDX-License-Identifier: Apache-2.0 */
/* Freeing replies and their parts. Must not know how they were made. Invariant: counts are raised
 * before a row is filled, so a half-filled array is freed as far as it got; zeroed rows are empty.
 */
#include "contract/free.h"
#include "core/alloc.h"

void agent_fini(struct contract_agent *a)
{
    alloc_free(a->agent_id);
    alloc_free(a->display_name);
    *a = (struct contract_agent){0};
}

static void held_free(struct contract_held *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        alloc_free(rows[i].merchant);
        alloc_free(rows[i].amount.display);
    }
    alloc_free(rows);
}

static void limits_free(struct contract_limit *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        alloc_free(rows[i].channel);
        alloc_free(rows[i].amount.display);
    }
    alloc_free(rows);
}

static void addresses_free(struct contract_address *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        alloc_free(rows[i].label);
        alloc_free(rows[i].name);
        alloc_free(rows[i].phone);
        alloc_free(rows[i].line);
    }
    alloc_free(rows);
}

void contract_account_free(struct contract_account *a)
{
    if (!a)
        return;
    alloc_free(a->balance.display);
    alloc_free(a->held.display);
    alloc_free(a->spendable.display);
    alloc_free(a->held_total.display);
    held_free(a->held_items, a->held_count);
    contract_purchase_free(a->active_purchase);
    agent_fini(&a->agent);
    limits_free(a->limits, a->limit_count);
    alloc_free(a->profile_name);
    alloc_free(a->profile_mobile);
    alloc_free(a->profile_email);
    addresses_free(a->addresses, a->address_count);
    alloc_free(a);
}

static void listed_free(struct contract_listed *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        alloc_free(rows[i].merchant_name);
        alloc_free(rows[i].merchant_url);
        alloc_free(rows[i].amount.display);
    }
    alloc_free(rows);
}

static void lines_free(struct contract_line *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        alloc_free(rows[i].amount.display);
        alloc_free(rows[i].title);
        alloc_free(rows[i].subtitle);
    }
    alloc_free(rows);
}

static void merchants_free(struct contract_merchant *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < rows[i].amount_count; j++)
            alloc_free(rows[i].amounts[j].display);
        alloc_free(rows[i].amounts);
        alloc_free(rows[i].name);
        alloc_free(rows[i].domain);
        alloc_free(rows[i].min.display);
        alloc_free(rows[i].max.display);
    }
    alloc_free(rows);
}

static void products_free(struct contract_product *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        alloc_free(rows[i].name);
        alloc_free(rows[i].brand);
        alloc_free(rows[i].price.display);
        alloc_free(rows[i].total.display);
        alloc_free(rows[i].merchant_url);
    }
    alloc_free(rows);
}

static void follow_ups_free(struct contract_follow_up_call *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        alloc_free(rows[i].args);
        alloc_free(rows[i].why);
    }
    alloc_free(rows);
}

void contract_reply_free(struct contract_reply *reply)
{
    if (!reply)
        return;
    contract_purchase_free(reply->purchase);
    alloc_free(reply->next.args);
    alloc_free(reply->next.instruction);
    alloc_free(reply->user_action.url);
    alloc_free(reply->user_action.message);
    follow_ups_free(reply->follow_ups, reply->follow_up_count);
    alloc_free(reply->error.message);
    contract_account_free(reply->account);
    listed_free(reply->listed, reply->listed_count);
    lines_free(reply->lines, reply->line_count);
    alloc_free(reply->next_cursor);
    merchants_free(reply->merchants, reply->merchant_count);
    products_free(reply->products, reply->product_count);
    alloc_free(reply->feedback_id);
    alloc_free(reply);
}
