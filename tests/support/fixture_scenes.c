/* SPDX-License-Identifier: Apache-2.0 */
/* Whole afternoons made of the builders of fixture.c: what several golden screens share. */
#include "support/fixture.h"

#include <string.h>
#include "core/str.h"

static void headphones(struct model *m)
{
    struct model_purchase *p = fixture_purchase(m, "Example Store", "Headphones, black", 249900,
                                                CONTRACT_STATE_NEEDS_ANSWER);

    fixture_row(p, fixture_at(14, 0, 0), TIMELINE_STATE, CONTRACT_STATE_WAITING_FOR_USER,
                CONTRACT_MONEY_NOT_STARTED, "Approve this purchase in the Envoy app.");
    fixture_row(p, fixture_at(14, 0, 48), TIMELINE_STATE, CONTRACT_STATE_PROCESSING,
                CONTRACT_MONEY_DEBITED, "Envoy is preparing the payment.");
    fixture_row(p, fixture_at(14, 1, 53), TIMELINE_STATE, CONTRACT_STATE_NEEDS_ANSWER,
                CONTRACT_ABSENT, "The merchant has a question.");
    fixture_question(
        p, CONTRACT_QUESTION_TEXT,
        "The black model is out of stock. Take the blue one at the same price, or stop?",
        fixture_at(14, 1, 53));
}

static void books(struct model *m)
{
    struct model_purchase *p =
        fixture_purchase(m, "Corner Books", "Two paperbacks", 89900, CONTRACT_STATE_PROCESSING);

    fixture_row(p, fixture_at(14, 0, 30), TIMELINE_STATE, CONTRACT_STATE_WAITING_FOR_USER,
                CONTRACT_MONEY_NOT_STARTED, "Approve this purchase in the Envoy app.");
    fixture_row(p, fixture_at(14, 1, 25), TIMELINE_STATE, CONTRACT_STATE_PROCESSING,
                CONTRACT_MONEY_DEBITED, "Envoy is checking out at the merchant.");
    fixture_enum(&p->checkout_by, CONTRACT_CHECKOUT_BY_ENVOY);
    fixture_enum(&p->snap->checkout_by, CONTRACT_CHECKOUT_BY_ENVOY);
    fixture_enum(&p->snap->rail, CONTRACT_RAIL_OPERATED_CHECKOUT);
    fixture_enum(&p->snap->rail_reason, CONTRACT_REASON_RAIL_MERCHANT_GATEWAY);
    fixture_held(m, p, 23, 1, fixture_at(14, 17, 0));
}

static void grocer(struct model *m)
{
    struct model_purchase *p = fixture_purchase(m, "Fresh Grocer", "Gift card for the week", 120000,
                                                CONTRACT_STATE_WAITING_FOR_USER);

    fixture_row(p, fixture_at(14, 1, 30), TIMELINE_STATE, CONTRACT_STATE_PROCESSING,
                CONTRACT_MONEY_NOT_STARTED, "Envoy is preparing the gift card.");
    fixture_row(p, fixture_at(14, 1, 52), TIMELINE_STATE, CONTRACT_STATE_WAITING_FOR_USER,
                CONTRACT_ABSENT, "Pay for the gift card with the link.");
    fixture_pay_link(p, 114000, fixture_at(14, 20, 0));
    fixture_held(m, p, 8, 0, fixture_at(14, 20, 0));
}

static void tickets(struct model *m)
{
    struct model_purchase *p =
        fixture_purchase(m, "Metro Tickets", "Day pass", 45000, CONTRACT_STATE_COMPLETED);
    struct contract_receipt *r = &p->snap->receipt;

    fixture_row(p, fixture_at(12, 56, 4), TIMELINE_STATE, CONTRACT_STATE_READY,
                CONTRACT_MONEY_DEBITED, "Your card is ready.");
    fixture_row(p, fixture_at(12, 58, 40), TIMELINE_LOCAL, CONTRACT_STATE_READY, CONTRACT_ABSENT,
                "You confirmed the report: paid.");
    fixture_row(p, fixture_at(13, 1, 59), TIMELINE_STATE, CONTRACT_STATE_COMPLETED,
                CONTRACT_MONEY_DEBITED, "This purchase is complete.");
    p->created_at_ms = p->snap->created_at_ms = fixture_at(12, 54, 0);
    fixture_amount(&p->snap->money_paid, 45000);
    fixture_text(&p->snap->money_order_ref, "MT-2026-120117");
    r->present = true;
    fixture_text(&r->merchant_order_ref, "MT-2026-120117");
    fixture_amount(&r->paid, 45000);
    str_copy(r->card_last4, sizeof r->card_last4, "4242");
    r->completed_at_ms = fixture_at(13, 1, 59);
}

static void shoes(struct model *m)
{
    struct model_purchase *p =
        fixture_purchase(m, "Shoe Barn", "Running shoes, 42", 399900, CONTRACT_STATE_FAILED);

    fixture_row(p, fixture_at(11, 40, 12), TIMELINE_STATE, CONTRACT_STATE_WAITING_FOR_USER,
                CONTRACT_MONEY_NOT_STARTED, "Approve this purchase in the Envoy app.");
    fixture_row(p, fixture_at(11, 52, 31), TIMELINE_STATE, CONTRACT_STATE_FAILED, CONTRACT_ABSENT,
                "You declined this purchase.");
    p->created_at_ms = p->snap->created_at_ms = fixture_at(11, 40, 0);
    fixture_enum(&p->snap->approval_state, CONTRACT_APPROVAL_DENIED);
    fixture_enum(&p->snap->reason, CONTRACT_REASON_USER_DECLINED);
}

void fixture_day(struct model *m)
{
    headphones(m);
    books(m);
    grocer(m);
    tickets(m);
    shoes(m);
    fixture_account(m);
    fixture_select(m, "Example Store", MODEL_PANE_NEED);
}

/* A second question, names that are wide, long or hostile, and values that nobody knows yet. */
static void odd_ones(struct model *m)
{
    struct model_purchase *p;

    p = fixture_purchase(m, "世界書店 本とコーヒー", "文庫本", 123400,
                         CONTRACT_STATE_NEEDS_DETAILS);
    fixture_row(p, fixture_at(13, 58, 0), TIMELINE_STATE, CONTRACT_STATE_NEEDS_DETAILS,
                CONTRACT_MONEY_NOT_STARTED, "Envoy needs the delivery address.");
    fixture_question(p, CONTRACT_QUESTION_ADDRESS, "Where should this be delivered?",
                     fixture_at(13, 58, 0));
    p = fixture_purchase(m, "☕ Café மதுரை काफ़ी घर", "Coffee beans", 10000000,
                         CONTRACT_STATE_PROCESSING);
    fixture_row(p, fixture_at(13, 59, 0), TIMELINE_STATE, CONTRACT_STATE_PROCESSING,
                CONTRACT_MONEY_UNKNOWN, "Envoy is checking out at the merchant.");
    p->missed = 2;
    p->last_good_mono = FIXTURE_MONO_MS - 130000;
    p->due_mono = FIXTURE_MONO_MS + 4000;
    str_copy(p->trouble, sizeof p->trouble, "no reply in time");
    p = fixture_purchase(m,
                         "The Extremely Long And Winding Name Of A Merchant That Sells Everything "
                         "From Anchors To Zippers And Will Not Be Shortened By Anybody",
                         "Anchors", 99999900, CONTRACT_STATE_VERIFYING);
    fixture_row(p, fixture_at(13, 30, 0), TIMELINE_STATE, CONTRACT_STATE_VERIFYING,
                CONTRACT_MONEY_UNKNOWN, "Envoy is checking the payment.");
    p->stop = FOLLOW_UNCHANGED;
    p = fixture_purchase(m, "Bazaar <U+202E>Direct", "Lamp", 249900, CONTRACT_STATE_PROCESSING);
    fixture_unrecognised(&p->state, "requires_action");
    p->snap->state = p->state;
    fixture_row(p, fixture_at(13, 45, 0), TIMELINE_STATE, CONTRACT_STATE_PROCESSING,
                CONTRACT_ABSENT, "Something new is needed.");
    p->rows[0].state = p->state;
    p->stop = FOLLOW_UNKNOWN_STATE;
    fixture_amount(&p->snap->amount, 249901);
    fixture_text(&p->snap->amount.display, "₹2,499.00");
    p->snap->amount.disagrees = true;
}

static void ended_ones(struct model *m)
{
    struct model_purchase *p;

    p = fixture_purchase(m, "Tool Shed", "Drill", 31000, CONTRACT_STATE_CANCELLED);
    fixture_row(p, fixture_at(11, 0, 0), TIMELINE_STATE, CONTRACT_STATE_CANCELLED,
                CONTRACT_MONEY_REFUND_PENDING, "This purchase was cancelled.");
    fixture_enum(&p->snap->reason, CONTRACT_REASON_ORDER_CANCELLED_BY_AGENT);
    p = fixture_purchase(m, "Lamp House", "Desk lamp", 150000, CONTRACT_STATE_FAILED);
    fixture_row(p, fixture_at(10, 0, 0), TIMELINE_STATE, CONTRACT_STATE_FAILED,
                CONTRACT_MONEY_UNKNOWN, "Envoy could not confirm this purchase.");
    fixture_enum(&p->snap->reason, CONTRACT_REASON_ORDER_OUTCOME_UNKNOWN);
    p->stop = FOLLOW_NEEDS_SUPPORT;
    p = fixture_purchase(m, "Old Press", "Print", 50000, CONTRACT_STATE_SUPERSEDED);
    fixture_row(p, fixture_at(9, 0, 0), TIMELINE_REPLACED, CONTRACT_STATE_SUPERSEDED,
                CONTRACT_MONEY_REFUNDED, "Replaced by another purchase.");
    str_copy(p->snap->superseded_by, sizeof p->snap->superseded_by, m->purchases[0].id);
}

void fixture_busy(struct model *m)
{
    fixture_day(m);
    odd_ones(m);
    ended_ones(m);
    fixture_select(m, "Example Store", MODEL_PANE_LIST);
}
