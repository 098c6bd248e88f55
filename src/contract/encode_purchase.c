/* SPDX-License-Identifier: Apache-2.0 */
/* A purchase snapshot and the account as JSON. Must not know the envelope around them. Invariant:
 * each member is written from the field that decoding fills from the same member. */
#include "contract/writer.h"

static void write_question(struct writer *w, const struct contract_question *q)
{
    if (!q->open) {
        writer_null(w, "question");
        return;
    }
    writer_open(w, "question", '{');
    writer_text(w, "id", q->id);
    writer_enum(w, "kind", CONTRACT_KIND_QUESTION, &q->kind);
    writer_text(w, "prompt", q->prompt);
    writer_time(w, "asked_at", q->asked_at_ms);
    writer_close(w, '}');
}

static void write_follow_up(struct writer *w, const struct contract_follow_up *f)
{
    if (!f->open) {
        writer_null(w, "follow_up");
        return;
    }
    writer_open(w, "follow_up", '{');
    writer_text(w, "id", f->id);
    writer_enum(w, "kind", CONTRACT_KIND_FOLLOW_UP, &f->kind);
    writer_text(w, "prompt", f->prompt);
    writer_close(w, '}');
}

static void write_approval(struct writer *w, const struct contract_purchase *p)
{
    writer_open(w, "approval", '{');
    writer_enum(w, "state", CONTRACT_KIND_APPROVAL, &p->approval_state);
    writer_enum(w, "method", CONTRACT_KIND_APPROVAL_METHOD, &p->approval_method);
    writer_time(w, "decide_by", p->approval_decide_by_ms);
    writer_null(w, "approval_url");
    writer_close(w, '}');
    writer_open(w, "payment_ready", '{');
    writer_bool(w, "available", p->payment_available);
    writer_enum(w, "kind", CONTRACT_KIND_PAYMENT_KIND, &p->payment_kind);
    writer_time(w, "expires_at", p->payment_expires_at_ms);
    writer_bool(w, "closed", p->payment_closed);
    writer_close(w, '}');
}

static void write_money(struct writer *w, const struct contract_purchase *p)
{
    writer_open(w, "money", '{');
    writer_enum(w, "status", CONTRACT_KIND_MONEY, &p->money);
    writer_amount(w, "paid", &p->money_paid);
    writer_text(w, "merchant_order_ref", p->money_order_ref);
    writer_close(w, '}');
}

static void write_receipt(struct writer *w, const struct contract_receipt *r)
{
    if (!r->present) {
        writer_null(w, "receipt");
        return;
    }
    writer_open(w, "receipt", '{');
    writer_text(w, "merchant_order_ref", r->merchant_order_ref);
    writer_amount(w, "paid", &r->paid);
    if (r->card_last4[0]) {
        writer_open(w, "card", '{');
        writer_text(w, "network", "rupay");
        writer_text(w, "last4", r->card_last4);
        writer_close(w, '}');
    } else {
        writer_null(w, "card");
    }
    writer_time(w, "completed_at", r->completed_at_ms);
    writer_close(w, '}');
}

static void write_funding(struct writer *w, const struct contract_funding *f)
{
    if (!f->present)
        return;
    writer_open(w, "funding", '{');
    writer_text(w, "url", f->url);
    writer_amount(w, "amount", &f->amount);
    writer_time(w, "expires_at", f->expires_at_ms);
    writer_close(w, '}');
}

void writer_agent(struct writer *w, const char *key, const struct contract_agent *a)
{
    writer_open(w, key, '{');
    writer_text(w, "agent_id", a->agent_id);
    writer_text(w, "display_name", a->display_name);
    writer_enum(w, "verification", CONTRACT_KIND_VERIFICATION, &a->verification);
    writer_close(w, '}');
}

static void write_head(struct writer *w, const struct contract_purchase *p)
{
    writer_text(w, "purchase_id", p->purchase_id);
    writer_text(w, "service", "purchase");
    writer_text(w, "idempotency_key", p->idempotency_key);
    writer_int(w, "revision", p->revision);
    writer_bool(w, "terminal", p->terminal);
    writer_enum(w, "state", CONTRACT_KIND_STATE, &p->state);
    writer_enum(w, "user_task", CONTRACT_KIND_TASK, &p->user_task);
    writer_enum(w, "reason_code", CONTRACT_KIND_REASON, &p->reason);
    writer_text(w, "status_text", p->status_text);
    writer_enum(w, "rail", CONTRACT_KIND_RAIL, &p->rail);
    writer_enum(w, "rail_reason", CONTRACT_KIND_REASON, &p->rail_reason);
    writer_enum(w, "checkout_by", CONTRACT_KIND_CHECKOUT_BY, &p->checkout_by);
    writer_open(w, "merchant", '{');
    writer_text(w, "name", p->merchant_name);
    writer_text(w, "url", p->merchant_url);
    writer_close(w, '}');
    writer_amount(w, "amount", &p->amount);
    writer_text(w, "description", p->description);
}

/* The names were joined when they came in; they go out as one. */
static void write_details(struct writer *w, const struct contract_purchase *p)
{
    writer_open(w, "details", '{');
    writer_bool(w, "complete", p->details_complete);
    writer_open(w, "missing", '[');
    if (p->details_missing[0])
        writer_text(w, NULL, p->details_missing);
    writer_close(w, ']');
    writer_close(w, '}');
}

void writer_purchase(struct writer *w, const char *key, const struct contract_purchase *p)
{
    if (!p) {
        writer_null(w, key);
        return;
    }
    writer_open(w, key, '{');
    write_head(w, p);
    write_details(w, p);
    write_question(w, &p->question);
    write_follow_up(w, &p->follow_up);
    write_approval(w, p);
    write_money(w, p);
    write_receipt(w, &p->receipt);
    writer_open(w, "chain", '{');
    writer_id(w, "supersedes", p->supersedes);
    writer_id(w, "superseded_by", p->superseded_by);
    writer_close(w, '}');
    writer_agent(w, "agent", &p->agent);
    writer_time(w, "created_at", p->created_at_ms);
    writer_time(w, "updated_at", p->updated_at_ms);
    write_funding(w, &p->funding);
    writer_close(w, '}');
}

static void write_held(struct writer *w, const struct contract_account *a)
{
    writer_open(w, "held_purchases", '{');
    writer_bool(w, "available", a->held_purchases_available);
    writer_null(w, "reason");
    writer_open(w, "items", '[');
    for (size_t i = 0; i < a->held_count; i++) {
        const struct contract_held *row = &a->held_items[i];
        writer_open(w, NULL, '{');
        writer_text(w, "purchase_id", row->purchase_id);
        writer_text(w, "merchant", row->merchant);
        writer_amount(w, "amount", &row->amount);
        writer_bool(w, "exact", row->exact);
        writer_enum(w, "state", CONTRACT_KIND_HELD_STATE, &row->state);
        writer_time(w, "since", row->since_ms);
        writer_close(w, '}');
    }
    writer_close(w, ']');
    writer_amount(w, "total", &a->held_total);
    if (a->held_truncated_known)
        writer_bool(w, "truncated", a->held_truncated);
    else
        writer_null(w, "truncated");
    writer_close(w, '}');
}

static void write_limits(struct writer *w, const struct contract_account *a)
{
    writer_open(w, "limits", '[');
    for (size_t i = 0; i < a->limit_count; i++) {
        writer_open(w, NULL, '{');
        writer_text(w, "channel", a->limits[i].channel);
        writer_enum(w, "period", CONTRACT_KIND_PERIOD, &a->limits[i].period);
        writer_amount(w, "amount", &a->limits[i].amount);
        writer_close(w, '}');
    }
    writer_close(w, ']');
}

static void write_addresses(struct writer *w, const struct contract_account *a)
{
    writer_open(w, "addresses", '[');
    for (size_t i = 0; i < a->address_count; i++) {
        const struct contract_address *row = &a->addresses[i];
        writer_open(w, NULL, '{');
        writer_id(w, "id", row->id);
        writer_text(w, "label", row->label);
        writer_bool(w, "is_default", row->is_default);
        writer_text(w, "name", row->name);
        writer_text(w, "phone", row->phone);
        writer_text(w, "line", row->line);
        writer_close(w, '}');
    }
    writer_close(w, ']');
}

static void write_services(struct writer *w, const struct contract_account *a)
{
    writer_open(w, "services", '[');
    if (a->service_purchase)
        writer_text(w, NULL, "purchase");
    writer_close(w, ']');
}

static void write_profile(struct writer *w, const struct contract_account *a)
{
    writer_open(w, "profile", '{');
    writer_text(w, "name", a->profile_name);
    writer_text(w, "mobile", a->profile_mobile);
    writer_text(w, "email", a->profile_email);
    writer_close(w, '}');
}

static void write_unavailable(struct writer *w, const struct contract_account *a)
{
    writer_open(w, "unavailable", '[');
    for (int i = 0; i < CONTRACT_UNAVAILABLE_COUNT; i++) {
        if (a->unavailable[i])
            writer_text(w, NULL, contract_wire(CONTRACT_KIND_UNAVAILABLE, i));
    }
    writer_close(w, ']');
}

void writer_account(struct writer *w, const char *key, const struct contract_account *a)
{
    writer_open(w, key, '{');
    if (a->has_balance_section) {
        writer_amount(w, "balance", &a->balance);
        writer_amount(w, "held", &a->held);
        writer_amount(w, "spendable", &a->spendable);
    }
    if (a->has_held_purchases)
        write_held(w, a);
    if (a->has_services)
        write_services(w, a);
    if (a->has_active_purchase)
        writer_purchase(w, "active_purchase", a->active_purchase);
    if (a->has_agent)
        writer_agent(w, "agent", &a->agent);
    if (a->has_limits)
        write_limits(w, a);
    if (a->has_profile)
        write_profile(w, a);
    if (a->has_addresses)
        write_addresses(w, a);
    write_unavailable(w, a);
    writer_close(w, '}');
}
