/* SPDX-License-Identifier: Apache-2.0 */
/* A purchase snapshot: decoding, copying, freeing. Must not know which call brought it. Invariant:
 * a snapshot that leaves here has a well-formed id and key, a revision and a state; everything else
 * in it may be unknown, and unknown is never zero, never "none" and never final. */
#include <stddef.h>
#include <string.h>
#include "contract/decode.h"
#include "core/alloc.h"
#include "core/ident.h"
#include "core/str.h"

#define MISSING_MAX     20  /* entries of details.missing */
#define QUESTION_ID_MAX 128 /* characters */

/* Every text that a snapshot owns; copying and freeing walk this list. */
#define TEXT(member) offsetof(struct contract_purchase, member)
static const size_t text_at[] = {
    TEXT(status_text),
    TEXT(merchant_name),
    TEXT(merchant_url),
    TEXT(amount.display),
    TEXT(description),
    TEXT(details_missing),
    TEXT(question.prompt),
    TEXT(follow_up.prompt),
    TEXT(money_paid.display),
    TEXT(money_order_ref),
    TEXT(receipt.merchant_order_ref),
    TEXT(receipt.paid.display),
    TEXT(agent.agent_id),
    TEXT(agent.display_name),
    TEXT(funding.url),
    TEXT(funding.amount.display),
};
#undef TEXT
#define TEXT_COUNT (sizeof text_at / sizeof text_at[0])

static char **text_of(struct contract_purchase *p, size_t i)
{
    return (char **)(void *)((char *)p + text_at[i]);
}

void contract_purchase_free(struct contract_purchase *purchase)
{
    if (!purchase)
        return;
    for (size_t i = 0; i < TEXT_COUNT; i++)
        alloc_free(*text_of(purchase, i));
    alloc_free(purchase);
}

enum err contract_purchase_copy(const struct contract_purchase *from,
                                struct contract_purchase **out)
{
    struct contract_purchase *copy = alloc_zero(1, sizeof *copy);
    if (!copy)
        return ERR_MEMORY;
    *copy = *from;
    bool whole = true;
    for (size_t i = 0; i < TEXT_COUNT; i++) {
        char **text = text_of(copy, i);
        const char *source = *text;
        *text = alloc_text(source);
        whole = whole && (*text || !source);
    }
    if (!whole) {
        contract_purchase_free(copy);
        return ERR_MEMORY;
    }
    *out = copy;
    return ERR_OK;
}

static bool is_question_id(const char *s)
{
    return s[0] != '\0' && str_code_points(s) <= QUESTION_ID_MAX;
}

static void read_question(struct decode *d, const json_t *p, struct contract_question *q)
{
    const json_t *question = decode_object(d, p, "question");
    q->asked_at_ms = CLOCK_NONE;
    q->kind.value = CONTRACT_ABSENT;
    if (!question)
        return;
    size_t mark = decode_enter(d, "question");
    q->open = true;
    decode_id(d, question, "id", q->id, sizeof q->id, is_question_id, true);
    q->kind = decode_enum_required(d, question, "kind", CONTRACT_KIND_QUESTION);
    q->prompt = decode_text(d, question, "prompt");
    if (!q->prompt)
        decode_fail(d, "prompt", ERR_FORMAT, "is missing");
    q->asked_at_ms = decode_time(question, "asked_at");
    decode_leave(d, mark);
}

static void read_follow_up(struct decode *d, const json_t *p, struct contract_follow_up *f)
{
    const json_t *follow_up = decode_object(d, p, "follow_up");
    f->kind.value = CONTRACT_ABSENT;
    if (!follow_up)
        return;
    size_t mark = decode_enter(d, "follow_up");
    f->open = true;
    decode_id(d, follow_up, "id", f->id, sizeof f->id, is_question_id, true);
    f->kind = decode_enum(d, follow_up, "kind", CONTRACT_KIND_FOLLOW_UP);
    f->prompt = decode_text_due(d, follow_up, "prompt");
    decode_leave(d, mark);
}

/* The names of what is missing, joined for people. */
static char *read_missing(struct decode *d, const json_t *details)
{
    const json_t *list = decode_array(d, details, "missing", MISSING_MAX);
    struct buf joined;
    buf_init(&joined, DECODE_TEXT_MAX);
    for (size_t i = 0; i < json_array_size(list) && d->err == ERR_OK; i++) {
        const json_t *name = json_array_get(list, i);
        if (!json_is_string(name)) {
            decode_fail(d, "missing", ERR_FORMAT, "has an entry that is not text");
            break;
        }
        char *text = decode_string_text(d, name);
        enum err e = ERR_OK;
        if (text && joined.len + strlen(text) + 2 <= DECODE_TEXT_MAX)
            e = buf_printf(&joined, "%s%s", joined.len ? ", " : "", text);
        if (e != ERR_OK)
            decode_fail(d, "missing", e, "does not fit in memory");
        alloc_free(text);
    }
    char *text = joined.len == 0 ? alloc_text("") : buf_take(&joined);
    buf_fini(&joined);
    if (!text)
        decode_fail(d, "missing", ERR_MEMORY, "does not fit in memory");
    return text;
}

static void read_details(struct decode *d, const json_t *p, struct contract_purchase *out)
{
    const json_t *details = decode_object(d, p, "details");
    size_t mark = decode_enter(d, "details");
    out->details_complete = decode_bool(d, details, "complete", false);
    out->details_missing = read_missing(d, details);
    decode_leave(d, mark);
}

static void read_approval(struct decode *d, const json_t *p, struct contract_purchase *out)
{
    const json_t *approval = decode_object(d, p, "approval");
    size_t mark = decode_enter(d, "approval");
    out->approval_state = decode_enum(d, approval, "state", CONTRACT_KIND_APPROVAL);
    out->approval_method = decode_enum(d, approval, "method", CONTRACT_KIND_APPROVAL_METHOD);
    out->approval_decide_by_ms = decode_time(approval, "decide_by");
    decode_leave(d, mark);
}

static void read_payment_ready(struct decode *d, const json_t *p, struct contract_purchase *out)
{
    const json_t *ready = decode_object(d, p, "payment_ready");
    size_t mark = decode_enter(d, "payment_ready");
    out->payment_available = decode_bool(d, ready, "available", false);
    out->payment_kind = decode_enum(d, ready, "kind", CONTRACT_KIND_PAYMENT_KIND);
    out->payment_expires_at_ms = decode_time(ready, "expires_at");
    out->payment_closed = decode_bool(d, ready, "closed", false);
    decode_leave(d, mark);
}

static void read_money(struct decode *d, const json_t *p, struct contract_purchase *out)
{
    const json_t *money = decode_object(d, p, "money");
    size_t mark = decode_enter(d, "money");
    out->money = decode_enum(d, money, "status", CONTRACT_KIND_MONEY);
    out->money_paid = decode_amount(d, money, "paid");
    out->money_order_ref = decode_text(d, money, "merchant_order_ref");
    decode_leave(d, mark);
}

static void read_receipt(struct decode *d, const json_t *p, struct contract_receipt *r)
{
    const json_t *receipt = decode_object(d, p, "receipt");
    r->completed_at_ms = CLOCK_NONE;
    if (!receipt)
        return;
    size_t mark = decode_enter(d, "receipt");
    r->present = true;
    r->merchant_order_ref = decode_text(d, receipt, "merchant_order_ref");
    r->paid = decode_amount(d, receipt, "paid");
    r->completed_at_ms = decode_time(receipt, "completed_at");
    const json_t *card = decode_object(d, receipt, "card");
    const json_t *last4 = json_object_get(card, "last4");
    if (json_is_string(last4) && json_string_length(last4) == 4 &&
        strspn(json_string_value(last4), "0123456789") == 4)
        memcpy(r->card_last4, json_string_value(last4), 5);
    decode_leave(d, mark);
}

static void read_funding(struct decode *d, const json_t *p, struct contract_funding *f)
{
    const json_t *funding = decode_object(d, p, "funding");
    f->expires_at_ms = CLOCK_NONE;
    if (!funding)
        return;
    size_t mark = decode_enter(d, "funding");
    f->present = true;
    f->url = decode_url(d, funding, "url");
    f->amount = decode_amount(d, funding, "amount");
    f->expires_at_ms = decode_time(funding, "expires_at");
    decode_leave(d, mark);
}

static void read_parties(struct decode *d, const json_t *p, struct contract_purchase *out)
{
    const json_t *merchant = decode_object(d, p, "merchant");
    size_t mark = decode_enter(d, "merchant");
    out->merchant_name = decode_text_due(d, merchant, "name");
    out->merchant_url = decode_text_due(d, merchant, "url");
    decode_leave(d, mark);
    const json_t *agent = decode_object(d, p, "agent");
    mark = decode_enter(d, "agent");
    out->agent = decode_agent(d, agent);
    decode_leave(d, mark);
    const json_t *chain = decode_object(d, p, "chain");
    mark = decode_enter(d, "chain");
    decode_id(d, chain, "supersedes", out->supersedes, sizeof out->supersedes, ident_is_purchase_id,
              false);
    decode_id(d, chain, "superseded_by", out->superseded_by, sizeof out->superseded_by,
              ident_is_purchase_id, false);
    decode_leave(d, mark);
}

/* What the console relies on; without it there is no snapshot. */
static void read_core(struct decode *d, const json_t *p, struct contract_purchase *out)
{
    decode_id(d, p, "purchase_id", out->purchase_id, sizeof out->purchase_id, ident_is_purchase_id,
              true);
    decode_id(d, p, "idempotency_key", out->idempotency_key, sizeof out->idempotency_key,
              ident_is_key, true);
    out->revision = decode_count(d, p, "revision", -1);
    if (out->revision < 0)
        decode_fail(d, "revision", ERR_FORMAT, "is missing");
    out->state = decode_enum_required(d, p, "state", CONTRACT_KIND_STATE);
    out->terminal = decode_bool_required(d, p, "terminal");
    /* Both have to say so: a state that is not known to be final is followed. */
    out->terminal = out->terminal && contract_state_is_terminal(out->state.value);
}

struct contract_purchase *decode_purchase(struct decode *d, const json_t *purchase)
{
    struct contract_purchase *out = decode_rows(d, 1, sizeof *out);
    if (!out)
        return NULL;
    read_core(d, purchase, out);
    out->user_task = decode_enum(d, purchase, "user_task", CONTRACT_KIND_TASK);
    out->reason = decode_enum(d, purchase, "reason_code", CONTRACT_KIND_REASON);
    out->status_text = decode_text_due(d, purchase, "status_text");
    out->rail = decode_enum(d, purchase, "rail", CONTRACT_KIND_RAIL);
    out->rail_reason = decode_enum(d, purchase, "rail_reason", CONTRACT_KIND_REASON);
    out->checkout_by = decode_enum(d, purchase, "checkout_by", CONTRACT_KIND_CHECKOUT_BY);
    out->amount = decode_amount(d, purchase, "amount");
    out->description = decode_text(d, purchase, "description");
    out->created_at_ms = decode_time(purchase, "created_at");
    out->updated_at_ms = decode_time(purchase, "updated_at");
    read_parties(d, purchase, out);
    read_details(d, purchase, out);
    read_question(d, purchase, &out->question);
    read_follow_up(d, purchase, &out->follow_up);
    read_approval(d, purchase, out);
    read_payment_ready(d, purchase, out);
    read_money(d, purchase, out);
    read_receipt(d, purchase, &out->receipt);
    read_funding(d, purchase, &out->funding);
    if (d->err == ERR_OK)
        return out;
    contract_purchase_free(out);
    return NULL;
}
