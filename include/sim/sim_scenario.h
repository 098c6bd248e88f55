/* SPDX-License-Identifier: Apache-2.0 */
/* Scenarios: the starting world and the script, one JSON file each (src/sim/scenarios, built in).
 *
 * {
 *   "title": "one line for people",
 *   "seed": 7,                                       used when --seed is not given
 *   "owner": {"name", "mobile", "email",             each may be null
 *             "addresses": [{"id", "label", "is_default", "name", "phone", "line1", "line2",
 *                            "line3", "city", "state", "pin_code", "country"}]},
 *   "agent": {"id", "name", "verification"},         cimd | origin | unverified
 *   "account": {"balance": "7499.00",                all money, also what open purchases took
 *               "bank_held": "0.00",
 *               "services": ["purchase"],            without it start is SERVICE_NOT_ENABLED
 *               "card": true,                        false: no Envoy card, a gift card is the rail
 *               "operated": true,                    false: Envoy cannot check out by itself
 *               "gift_cards": true,                  false: the list of merchants is empty
 *               "limits": [{"channel", "period", "amount"}],
 *               "spending_limit": "50000.00",        above it: failed, POLICY_AMOUNT_LIMIT
 *               "unavailable": ["limits"],           sections that cannot be read
 *               "held_unavailable": false,           held_purchases has available false
 *               "held_truncated": false,
 *               "held": [{"merchant", "amount", "exact", "state", "hours_ago"}]  older positions
 *              },
 *   "history": {"count": 40, "days": 30},            lines made from the seed
 *   "merchants": [{"host": "shop.example.test", "name": "Example Store",
 *                  "rail": "otu_card|operated_checkout|none", "rail_reason": "RAIL_..."}],
 *   "gift_cards": [{"domain", "name", "amounts": ["500.00"] or "range": ["100", "5000"],
 *                   "discount_percent": 2.5 | null, "redeem_at": "account|checkout" | null,
 *                   "funding": "pay_link|app|balance", "checkout_by": "agent|envoy",
 *                   "pin": true, "valid_days": 365 | null, "redemption_url", "instructions"}],
 *   "products": [{"name", "brand", "price", "image", "fee": "20.00", "words": "whey protein",
 *                 "offer": "ofr_..."}],            an offer that always stands, for scripted starts
 *                  fee is not in the offer: the start is refused once with the new total
 *   "faults": [{"at_seconds": 12, ...}]              as POST /sim/fault takes them
 *   "purchases": [PURCHASE, ...]
 * }
 *
 * PURCHASE
 *   "name": "headphones"      unique in the file; control calls accept it as purchase
 *   "at": -3600               seconds from the opening moment. Zero or below is the past: it is
 *                             played to the end of the past when the world is made, whoever acts.
 *   "key": "..."              idempotency key; made from the seed when absent
 *   "connection": "this"      or "other": then no handout reaches this connection
 *   "start": {...}            input of start_purchase without idempotency_key
 *   "retry_of": "name"        instead of at and start: describes the replacement that a retry of
 *                             that purchase makes, whether a person or act "retry" starts it
 *   "pace": {"fund": 1, "prepare": 3, "place": 8, "settle": 6, "quote": 1, "issue": 3, "save": 4,
 *            "approve_by": 900, "card_open": 1800, "code_open": 120, "pay_by": 1200, "otp_by": 300}
 *                             seconds; the values shown are used where none is given; a negative
 *                             one for fund..save means "not by itself"
 *   "vault": "saves"          or "asks_otp" | "app_otp" | "fails": the vault save is offered
 *   "acts": [ACT, ...]
 *
 * ACT   {"when": "processing", "seconds": 3, "actor": "merchant", "do": "ask", ...}
 *   Acts of a purchase are played in order, each once the purchase has stood in `when` for
 * `seconds`. when: a state, a user task (approve, pay_link, enter_otp, add_money), or "start"
 * (seconds after the purchase was made, whatever its state). Default "start" 0. "if": "paid" |
 * "failed" passes the act over unless the last report said so; "answered" unless a question was
 * answered. A settle without "if" is passed over after a failed report or a cancel, unless the
 * money is unknown. While the next act of the merchant or of Envoy waits for the present state, it
 * replaces what would happen by itself (pace) in that state. Without --auto the acts of owner and
 * agent are left to the person and passed over. actor owner:     approve | decline | pay |
 * enter_otp | add_money | cancel actor merchant, envoy: ask {kind:
 * text|otp|password|address|user_request, prompt} otp                    the owner must enter the
 * bank's code in the app (enter_otp) fund | prepare | place | settle {order_ref, paid} | refund |
 * collects {order_ref} fail {reason: ORDER_..|POLICY_..} | block | out_of_stock | reopen | unknown
 * | supersede actor agent:     answer {text} | report {outcome, failure_reason, order_ref,
 * amount_paid} step {step} | cancel | feedback {text, rating} | save | look (reads, takes the
 * handout) retry
 *
 * Amounts are strings of rupees. Unknown keys are an error: a typing mistake must not pass. */
#ifndef SIM_SCENARIO_H
#define SIM_SCENARIO_H

#include <stddef.h>
#include "core/err.h"

struct sim_world;

/* Names of the built-in scenarios in order; NULL beyond the end. */
const char *sim_scenario_name(size_t index);
/* Fills an empty world from a built-in scenario or, when there is none of that name, from a file.
 * why says in one line what is wrong. ERR_USER for an unknown name, ERR_FORMAT for a bad file. */
enum err sim_scenario_load(struct sim_world *world, const char *name_or_path, char *why,
                           size_t why_size) WARN_UNUSED;

#endif
