/* SPDX-License-Identifier: Apache-2.0 */
/* What each state says to the owner. Plain sentences; the amounts and the merchant stand elsewhere.
 */
#include "sim_flow_private.h"

#include <stdio.h>

#include "core/str.h"

static const char *processing_text(const struct sim_purchase *p)
{
    switch (p->phase) {
    case SIM_PHASE_QUOTE:
        return "Envoy is asking for the price of this gift card.";
    case SIM_PHASE_ISSUE:
        return "Envoy is getting the gift card.";
    case SIM_PHASE_SAVE:
        return "Envoy is saving the card to your vault. The card is not used meanwhile.";
    case SIM_PHASE_AWAIT:
        return "Envoy waits until the money of the first card is back.";
    case SIM_PHASE_PLACE:
        return "Envoy is placing this order on the merchant's site.";
    default:
        return p->money == SIM_MONEY_DEBITED ? "The money is set aside. Envoy is making the card."
                                             : "Envoy is preparing the payment.";
    }
}

static const char *waiting_text(const struct sim_purchase *p)
{
    switch (p->task) {
    case SIM_TASK_ENTER_OTP:
        return "Enter the code in the Envoy app.";
    case SIM_TASK_ADD_MONEY:
        return "Add money in the Envoy app to go on with this purchase.";
    case SIM_TASK_PAY_LINK:
        return "Pay for this gift card with the payment link.";
    default:
        return "Approve this purchase in the Envoy app.";
    }
}

static const char *verifying_text(const struct sim_purchase *p)
{
    if (p->is_cancelling) {
        return "Envoy is stopping this purchase and checking where the money is.";
    }
    if (p->task == SIM_TASK_NONE && p->rail == SIM_RAIL_GIFT && p->funded_ms == SIM_NEVER) {
        return "Envoy is checking whether the payment for the gift card arrived.";
    }
    if (p->has_report && !p->is_report_paid) {
        return "The checkout was reported as failed. Envoy is checking the money.";
    }
    if (p->checkout_by == SIM_BY_ENVOY) {
        return "The order is placed. Envoy is confirming the payment.";
    }
    return "The payment is reported. Envoy is confirming it.";
}

static const char *ready_text(const struct sim_purchase *p)
{
    if (p->rail == SIM_RAIL_GIFT) {
        return "The gift card is ready to be used at the merchant.";
    }
    return p->epoch > 1 ? "The card was not charged and is open again."
                        : "The one-time card is ready to pay with.";
}

void sim_flow_text(const struct sim_purchase *p, char *out, size_t size)
{
    const char *text = "";

    switch (p->state) {
    case SIM_NEEDS_DETAILS:
        text = "Envoy needs one more detail from you.";
        break;
    case SIM_NEEDS_ANSWER:
        text = "There is a question that only you can answer.";
        break;
    case SIM_WAITING:
        text = waiting_text(p);
        break;
    case SIM_PROCESSING:
        text = processing_text(p);
        break;
    case SIM_READY:
        text = ready_text(p);
        break;
    case SIM_VERIFYING:
        text = p->reason != NULL ? sim_reason_text(p->reason) : verifying_text(p);
        break;
    case SIM_COMPLETED:
        text = p->money == SIM_MONEY_COLLECTS
                   ? "The order is placed. The merchant collects the money on delivery."
                   : "This purchase is complete.";
        break;
    case SIM_SUPERSEDED:
        text = "Another purchase takes the place of this one.";
        break;
    default:
        text = sim_reason_text(p->reason);
        break;
    }
    if (p->state == SIM_READY && p->vault == SIM_VAULT_SAVED) {
        snprintf(out, size, "The card is ready to pay with, in your vault as %s.", p->vault_entry);
        return;
    }
    str_copy(out, size, text);
}
