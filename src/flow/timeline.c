/* SPDX-License-Identifier: Apache-2.0 */
/* What changed between two snapshots, in rows and words. Must not know clocks or screens.
 * Invariants: no change gives no row, a snapshot that is older than the last one gives none, one
 * change gives one row, and money is never worded as paid to the merchant (page gift vouchers). */
#include <stdio.h>
#include <string.h>
#include "core/str.h"
#include "flow/timeline.h"

#define WORDS_MAX 128

struct diff {
    const struct contract_purchase *before; /* NULL at first sight */
    const struct contract_purchase *after;
    struct timeline_row *rows;
    size_t count;
    int64_t at_ms;
};

static bool same_enum(const struct contract_enum *a, const struct contract_enum *b)
{
    return a->value == b->value && strcmp(a->raw, b->raw) == 0;
}

static bool same_text(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "") == 0;
}

static bool same_amount(const struct contract_amount *a, const struct contract_amount *b)
{
    return a->known == b->known && (!a->known || a->minor == b->minor);
}

/* Money that was not told is unknown money (contract README, point 3). */
static struct contract_enum money_of(const struct contract_purchase *p)
{
    struct contract_enum money = p->money;
    if (money.value == CONTRACT_ABSENT)
        money.value = CONTRACT_MONEY_UNKNOWN;
    return money;
}

/* Adds s, cut at a character when the row is full. */
static void append(char *text, size_t size, const char *s)
{
    size_t len = strlen(text);
    (void)str_copy(text + len, size - len, s);
}

static char *add_row(struct diff *d, enum timeline_kind kind)
{
    struct timeline_row *row = &d->rows[d->count++];
    *row = (struct timeline_row){.at_ms = d->at_ms,
                                 .kind = kind,
                                 .state = d->after->state,
                                 .money = {.value = CONTRACT_ABSENT}};
    if (kind == TIMELINE_STATE || kind == TIMELINE_MONEY)
        row->money = money_of(d->after);
    return row->text;
}

static void state_text(const struct contract_purchase *p, char text[TIMELINE_TEXT_MAX])
{
    char words[WORDS_MAX];
    const char *status = p->status_text;
    if (!status || !status[0])
        status = p->user_task.value != CONTRACT_ABSENT
                     ? contract_words(CONTRACT_KIND_TASK, &p->user_task, words, sizeof words, "")
                     : contract_words(CONTRACT_KIND_STATE, &p->state, words, sizeof words,
                                      "state not told");
    (void)str_copy(text, TIMELINE_TEXT_MAX, status);
    if (p->reason.value == CONTRACT_ABSENT)
        return;
    char reason[WORDS_MAX];
    const char *why = contract_words(CONTRACT_KIND_REASON, &p->reason, reason, sizeof reason, "");
    if (str_contains_nocase(text, why))
        return;
    append(text, TIMELINE_TEXT_MAX, " (");
    append(text, TIMELINE_TEXT_MAX, why);
    append(text, TIMELINE_TEXT_MAX, ")");
}

static void compare_state(struct diff *d)
{
    const struct contract_purchase *a = d->before;
    const struct contract_purchase *b = d->after;
    bool told = !a || !same_enum(&a->state, &b->state) ||
                !same_text(a->status_text, b->status_text) ||
                !same_enum(&a->user_task, &b->user_task) || !same_enum(&a->reason, &b->reason);
    if (told) {
        state_text(b, add_row(d, TIMELINE_STATE));
        return;
    }
    if (!same_enum(&a->approval_state, &b->approval_state)) {
        char words[WORDS_MAX];
        (void)str_copy(add_row(d, TIMELINE_STATE), TIMELINE_TEXT_MAX,
                       contract_words(CONTRACT_KIND_APPROVAL, &b->approval_state, words,
                                      sizeof words, "approval not told"));
        return;
    }
    struct contract_enum was = money_of(a);
    struct contract_enum is = money_of(b);
    if (same_enum(&was, &is) && same_amount(&a->money_paid, &b->money_paid))
        return;
    char *text = add_row(d, TIMELINE_MONEY);
    timeline_money_words(&is, &b->state, text, TIMELINE_TEXT_MAX);
    if (!b->money_paid.known)
        return;
    append(text, TIMELINE_TEXT_MAX, ", ");
    append(text, TIMELINE_TEXT_MAX, b->money_paid.display);
}

static const char *route_words(const struct contract_purchase *p, char *out, size_t size)
{
    char words[WORDS_MAX];
    const char *who = contract_words(CONTRACT_KIND_CHECKOUT_BY, &p->checkout_by, words,
                                     sizeof words, "Who checks out is not decided");
    bool plain = p->checkout_by.value == CONTRACT_CHECKOUT_BY_ENVOY &&
                 p->rail.value == CONTRACT_RAIL_OPERATED_CHECKOUT;
    if (p->rail.value == CONTRACT_ABSENT || plain) {
        snprintf(out, size, "%s", who);
        return out;
    }
    char rail[WORDS_MAX];
    const char *how = contract_words(CONTRACT_KIND_RAIL, &p->rail, rail, sizeof rail, "");
    bool owned =
        p->checkout_by.value == CONTRACT_CHECKOUT_BY_AGENT &&
        (p->rail.value == CONTRACT_RAIL_OTU_CARD || p->rail.value == CONTRACT_RAIL_GIFT_CARD);
    snprintf(out, size, owned ? "%s, with a %s" : "%s (%s)", who, how);
    return out;
}

static void compare_route(struct diff *d)
{
    const struct contract_purchase *a = d->before;
    const struct contract_purchase *b = d->after;
    bool known = b->checkout_by.value != CONTRACT_ABSENT || b->rail.value != CONTRACT_ABSENT;
    bool changed = a ? !same_enum(&a->checkout_by, &b->checkout_by) ||
                           !same_enum(&a->rail, &b->rail) ||
                           !same_enum(&a->rail_reason, &b->rail_reason)
                     : known;
    if (!changed)
        return;
    char *text = add_row(d, TIMELINE_ROUTE);
    route_words(b, text, TIMELINE_TEXT_MAX);
    if (b->rail_reason.value == CONTRACT_ABSENT)
        return;
    char words[WORDS_MAX];
    append(text, TIMELINE_TEXT_MAX, ": ");
    append(text, TIMELINE_TEXT_MAX,
           contract_words(CONTRACT_KIND_REASON, &b->rail_reason, words, sizeof words, ""));
}

/* The state row tells of a question that came with its state; this tells of the next one. */
static void compare_question(struct diff *d)
{
    const struct contract_purchase *a = d->before;
    const struct contract_question *q = &d->after->question;
    if (!a || !same_enum(&a->state, &d->after->state))
        return;
    if (a->question.open == q->open && (!q->open || strcmp(a->question.id, q->id) == 0))
        return;
    char *text = add_row(d, TIMELINE_QUESTION);
    if (!q->open) {
        append(text, TIMELINE_TEXT_MAX, "The question is closed");
        return;
    }
    append(text, TIMELINE_TEXT_MAX, a->question.open ? "Another question: " : "A question: ");
    append(text, TIMELINE_TEXT_MAX, q->prompt ? q->prompt : "");
}

static const char *order_ref(const struct contract_purchase *p)
{
    return p->receipt.present && p->receipt.merchant_order_ref ? p->receipt.merchant_order_ref
                                                               : p->money_order_ref;
}

static void compare_order(struct diff *d)
{
    const struct contract_purchase *a = d->before;
    const struct contract_purchase *b = d->after;
    static const struct contract_purchase none;
    if (!a)
        a = &none;
    if (same_text(order_ref(a), order_ref(b)) && a->receipt.present == b->receipt.present &&
        same_amount(&a->receipt.paid, &b->receipt.paid))
        return;
    char *text = add_row(d, TIMELINE_ORDER);
    const char *ref = order_ref(b);
    append(text, TIMELINE_TEXT_MAX, b->receipt.present ? "Receipt" : "Order");
    if (b->receipt.present && b->receipt.paid.known) {
        append(text, TIMELINE_TEXT_MAX, " for ");
        append(text, TIMELINE_TEXT_MAX, b->receipt.paid.display);
    }
    append(text, TIMELINE_TEXT_MAX, ref ? ", merchant's reference " : ", no reference given");
    append(text, TIMELINE_TEXT_MAX, ref ? ref : "");
}

static void compare_access(struct diff *d)
{
    const struct contract_purchase *a = d->before;
    const struct contract_purchase *b = d->after;
    bool changed = a ? a->payment_available != b->payment_available ||
                           a->payment_closed != b->payment_closed ||
                           !same_enum(&a->payment_kind, &b->payment_kind) ||
                           a->payment_expires_at_ms != b->payment_expires_at_ms
                     : b->payment_available || b->payment_closed;
    if (!changed)
        return;
    char *text = add_row(d, TIMELINE_ACCESS);
    if (b->payment_closed) {
        (void)str_copy(text, TIMELINE_TEXT_MAX, "Spending access is closed");
        return;
    }
    if (!b->payment_available) {
        (void)str_copy(text, TIMELINE_TEXT_MAX, "No payment details at the moment");
        return;
    }
    char words[WORDS_MAX];
    char until[CLOCK_TEXT_MAX];
    clock_local_hm(until, b->payment_expires_at_ms);
    snprintf(text, TIMELINE_TEXT_MAX, "Payment details are available: %s%s%s",
             contract_words(CONTRACT_KIND_PAYMENT_KIND, &b->payment_kind, words, sizeof words,
                            "kind not told"),
             until[0] ? ", until " : ", no deadline given", until);
}

static void compare_chain(struct diff *d)
{
    const char *was = d->before ? d->before->superseded_by : "";
    const char *is = d->after->superseded_by;
    if (!is[0] || strcmp(was, is) == 0)
        return;
    char ref[16];
    contract_support_ref(ref, is);
    snprintf(add_row(d, TIMELINE_REPLACED), TIMELINE_TEXT_MAX,
             "Replaced by %s, which needs its own approval", ref);
}

void timeline_compare(const struct contract_purchase *before, const struct contract_purchase *after,
                      int64_t seen_ms, struct timeline_row rows[TIMELINE_ROWS_MAX], size_t *count)
{
    struct diff d = {.before = before, .after = after, .rows = rows, .at_ms = seen_ms};
    *count = 0;
    if (before && after->revision < before->revision)
        return;
    if (after->updated_at_ms != CLOCK_NONE && after->updated_at_ms <= seen_ms)
        d.at_ms = after->updated_at_ms;
    compare_state(&d);
    compare_route(&d);
    compare_question(&d);
    compare_order(&d);
    compare_access(&d);
    compare_chain(&d);
    *count = d.count;
}

void timeline_money_words(const struct contract_enum *money, const struct contract_enum *state,
                          char *out, size_t size)
{
    char words[WORDS_MAX];
    if (money->value == CONTRACT_MONEY_DEBITED && state->value == CONTRACT_STATE_COMPLETED)
        (void)str_copy(out, size, "charged");
    else
        (void)str_copy(
            out, size,
            contract_words(CONTRACT_KIND_MONEY, money, words, sizeof words, "money unknown"));
}

static void who_sentence(const struct contract_purchase *p, char *out, size_t size)
{
    char words[WORDS_MAX];
    switch (p->state.value) {
    case CONTRACT_STATE_COMPLETED:
        (void)str_copy(out, size, "Complete.");
        return;
    case CONTRACT_STATE_FAILED:
        (void)str_copy(out, size, "Ended without a purchase.");
        return;
    case CONTRACT_STATE_CANCELLED:
        (void)str_copy(out, size, "Cancelled.");
        return;
    case CONTRACT_STATE_SUPERSEDED:
        (void)str_copy(out, size, "Replaced by another purchase, which needs its own approval.");
        return;
    case CONTRACT_STATE_VERIFYING:
        (void)str_copy(out, size, "The payment is being confirmed. Do not pay again.");
        return;
    default:
        break;
    }
    if (p->state.value < 0)
        snprintf(out, size, "State %s.",
                 contract_words(CONTRACT_KIND_STATE, &p->state, words, sizeof words, "not told"));
    else
        snprintf(out, size, "%s.", route_words(p, words, sizeof words));
}

static const char *money_sentence(const struct contract_purchase *p, int money)
{
    bool ended = contract_state_is_terminal(p->state.value);
    switch (money) {
    case CONTRACT_MONEY_NOT_STARTED:
        if (p->state.value == CONTRACT_STATE_VERIFYING)
            return "No charge is reported yet.";
        return ended ? "Nothing was charged." : "Nothing is charged yet.";
    case CONTRACT_MONEY_DEBITED:
        if (p->state.value == CONTRACT_STATE_COMPLETED)
            return "The money was charged.";
        return ended ? "Money was set aside and is not back: this needs Envoy support."
                     : "Money is set aside for it.";
    case CONTRACT_MONEY_REFUND_PENDING:
        return "A refund is on its way and has not arrived.";
    case CONTRACT_MONEY_REFUNDED:
        return "The money was refunded.";
    case CONTRACT_MONEY_MERCHANT_COLLECTS:
        return "The merchant collects on delivery; nothing was charged here.";
    default:
        return "What happened to the money is not known: do not pay again.";
    }
}

void timeline_summary(const struct contract_purchase *p, char *out, size_t size)
{
    if (size == 0)
        return;
    who_sentence(p, out, size);
    append(out, size, " ");
    append(out, size, money_sentence(p, money_of(p).value));
}
