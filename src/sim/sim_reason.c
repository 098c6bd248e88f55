/* SPDX-License-Identifier: Apache-2.0 */
/* Reason codes that the simulator can send, with what they say to the owner. Codes that the
 * contract reserves are not here: the service does not send them today. */
#include "sim/sim_world.h"

#include <string.h>

static const struct {
    const char *code;
    const char *text;
} reasons[] = {
    {"POLICY_DENIED", "Your Envoy spending settings do not allow this purchase."},
    {"POLICY_AMOUNT_LIMIT", "This purchase is above your Envoy spending limit."},
    {"POLICY_ACTIVE_PURCHASE_EXISTS",
     "Another purchase is open or waiting for approval, so this one could not start."},
    {"USER_DECLINED", "You declined this purchase in the Envoy app."},
    {"USER_APPROVAL_EXPIRED", "The approval ran out before it was given. Nothing was charged."},
    {"USER_CANCELLED", "You cancelled this purchase in the Envoy app."},
    {"USER_FUNDS_NOT_ADDED", "The gift card was not paid in time."},
    {"ORDER_CANCELLED_BY_AGENT", "This purchase was cancelled for you."},
    {"ORDER_CARD_NOT_ACCEPTED", "The merchant did not accept the Envoy card."},
    {"ORDER_CARD_DECLINED", "The card payment was declined."},
    {"ORDER_OTP_FAILED", "The bank's code check failed, so the payment did not go through."},
    {"ORDER_PRICE_CHANGED", "The merchant's price changed. Nothing was charged."},
    {"ORDER_OUT_OF_STOCK", "The item is out of stock at the merchant."},
    {"ORDER_CHECKOUT_FAILED", "The checkout at the merchant did not go through."},
    {"ORDER_CHECKOUT_BLOCKED", "The merchant blocked this checkout."},
    {"ORDER_CARD_EXPIRED_UNUSED", "The one-time card ran out unused. Nothing was charged."},
    {"ORDER_ISSUER_UNAVAILABLE",
     "The card issuer was not available, so the purchase could not be paid."},
    {"ORDER_CARD_REQUIRED", "This merchant needs an Envoy card. Nothing was charged."},
    {"ORDER_INTEGRATION_ERROR", "Envoy hit an internal problem and is checking this purchase."},
    {"ORDER_OUTCOME_UNKNOWN",
     "The result of this purchase is not known yet. Do not pay again until it is."},
    {"RAIL_OTU_PREFERRED", "A one-time card fits this purchase."},
    {"RAIL_AMOUNT_ABOVE_OTU_LIMIT", "The amount is above what a one-time card can pay."},
    {"RAIL_FALLBACK_CARD_NOT_ACCEPTED", "This merchant did not take the card before."},
    {"RAIL_FALLBACK_ISSUER_UNAVAILABLE", "The card could not be issued before."},
    {"RAIL_FALLBACK_SITE_BLOCKED", "This merchant blocked a card checkout before."},
    {"RAIL_OPERATED_UNAVAILABLE", "Envoy cannot check out at this merchant itself right now."},
    {"RAIL_AMOUNT_OUTSIDE_CARD_LIMITS",
     "A one-time card pays whole rupees from ₹10 to ₹10,000. This amount is outside that."},
    {"RAIL_CARD_UNAVAILABLE", "No one-time card is available for this account."},
    {"RAIL_HOST_OPERATED_ONLY", "For this assistant Envoy always checks out itself."},
    {"RAIL_ELIXIR_INVENTORY", "Elixir sells this item itself."},
    {"RAIL_MERCHANT_GATEWAY", "Envoy pays this merchant directly."},
    {"RAIL_GIFT_CARD_CARDLESS", "The account has no Envoy card, so a gift card pays."},
    {"RAIL_CARD_REQUIRED", "This merchant needs an Envoy card, and this account has none."},
};

const char *sim_reason_find(const char *code)
{
    for (size_t i = 0; code != NULL && i < sizeof(reasons) / sizeof(reasons[0]); i++) {
        if (strcmp(reasons[i].code, code) == 0) {
            return reasons[i].code;
        }
    }
    return NULL;
}

const char *sim_reason_text(const char *code)
{
    for (size_t i = 0; code != NULL && i < sizeof(reasons) / sizeof(reasons[0]); i++) {
        if (strcmp(reasons[i].code, code) == 0) {
            return reasons[i].text;
        }
    }
    return "";
}
