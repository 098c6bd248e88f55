/* SPDX-License-Identifier: Apache-2.0 */
/* The contract envoy@2026-10 as const data: every input, the envelope and every payload, one row a
 * field, in the published order. Knows nothing of checking or rendering. A value that the contract
 * gains is one more word here. */
#include <string.h>
#include "sim_schema_table.h"

#define REQ SIM_REQUIRED
#define NUL SIM_NULLABLE
#define FIELD(n, k, f, ...)                                                                        \
    {                                                                                              \
        .name = (n), .kind = (k), .flags = (f), ##__VA_ARGS__                                      \
    }
#define STR(n, f, ...)       FIELD(n, SIM_STRING, f, ##__VA_ARGS__)
#define INT(n, f, ...)       FIELD(n, SIM_INTEGER, f, ##__VA_ARGS__)
#define BOOL(n, f)           FIELD(n, SIM_BOOLEAN, f)
#define OBJ(n, f, fields)    FIELD(n, SIM_OBJECT, f, .of = (fields))
#define ARR(n, f, item, ...) FIELD(n, SIM_ARRAY, f, .of = (item), ##__VA_ARGS__)
#define MONEY(n, f)          FIELD(n, SIM_OBJECT, (f) | SIM_MONEY, .of = money_fields)
#define ONE_OF(words)        .choices = (words)
#define MIN(a)               .has_lo = true, .lo = (a)
#define MAX(b)               .has_hi = true, .hi = (b)
#define SPAN(a, b)           MIN(a), MAX(b)
#define LIKE(p)              .pattern = SIM_PATTERN_##p
#define TIME                 .format = SIM_FORMAT_DATE_TIME
#define LINK                 .format = SIM_FORMAT_URI, LIKE(HTTPS)
#define WORDS(name, ...)     static const char *const name[] = {__VA_ARGS__, NULL}
#define END                                                                                        \
    {                                                                                              \
        .name = NULL                                                                               \
    }

WORDS(w_contract, "envoy@2026-10");
WORDS(w_origin, "client");
WORDS(w_service, "purchase");
WORDS(w_inr, "INR");
WORDS(w_state, "needs_details", "needs_answer", "waiting_for_user", "processing", "ready",
      "verifying", "completed", "failed", "cancelled", "superseded");
WORDS(w_user_task, "approve", "enter_otp", "add_money", "pay_link");
WORDS(w_action_task, "approve", "enter_otp", "add_money", "resolve_active_purchase", "pay_link");
WORDS(w_rail, "otu_card", "operated_checkout", "elixir_marketplace", "gift_card");
WORDS(w_checkout_by, "agent", "envoy");
WORDS(w_question_kind, "address", "user_request", "text", "password", "otp");
WORDS(w_follow_up_kind, "feedback");
WORDS(w_approval_state, "pending", "approved", "denied", "expired");
WORDS(w_approval_method, "passkey", "otp");
WORDS(w_handout_kind, "card", "gift_card");
WORDS(w_money_status, "not_started", "unknown", "debited", "refund_pending", "refunded",
      "merchant_collects");
WORDS(w_network, "rupay");
WORDS(w_verification, "cimd", "origin", "unverified");
WORDS(w_action, "call_tool", "checkout", "fix_input", "retry", "continue", "done", "stop",
      "reconnect", "update_client");
WORDS(w_tool, "get_account", "list_transactions", "list_purchases", "start_purchase",
      "get_purchase_status", "answer_purchase_question", "submit_answer", "report_checkout_result",
      "report_checkout_step", "cancel_purchase", "give_back_gift_card", "list_gift_card_merchants",
      "get_merchants", "search_products");
WORDS(w_error, "INVALID_INPUT", "UNAUTHENTICATED", "NOT_ALLOWED", "SERVICE_NOT_ENABLED",
      "NOT_FOUND", "IDEMPOTENCY_CONFLICT", "ACTIVE_PURCHASE_EXISTS", "STATE_CONFLICT", "NO_RAIL",
      "RATE_LIMITED", "UNAVAILABLE", "CLIENT_UPDATE_REQUIRED");
#define PURCHASE_REASONS                                                                           \
    "POLICY_DENIED", "POLICY_AMOUNT_LIMIT", "POLICY_ADMISSION_UNAVAILABLE", "USER_DECLINED",       \
        "USER_APPROVAL_EXPIRED", "USER_OTP_EXPIRED", "USER_CANCELLED", "USER_FUNDS_NOT_ADDED",     \
        "ORDER_CANCELLED_BY_AGENT", "ORDER_CARD_NOT_ACCEPTED", "ORDER_CARD_DECLINED",              \
        "ORDER_OTP_FAILED", "ORDER_PRICE_CHANGED", "ORDER_OUT_OF_STOCK", "ORDER_CHECKOUT_FAILED",  \
        "ORDER_CHECKOUT_BLOCKED", "ORDER_CARD_EXPIRED_UNUSED", "ORDER_ISSUER_UNAVAILABLE",         \
        "ORDER_CARD_REQUIRED", "ORDER_INTEGRATION_ERROR", "ORDER_OUTCOME_UNKNOWN",                 \
        "ORDER_CONNECTION_REVOKED", "POLICY_FRAUD_DECLINED", "POLICY_AGENT_LIMIT",                 \
        "POLICY_ACTIVE_PURCHASE_EXISTS"
#define RAIL_REASONS                                                                               \
    "RAIL_OTU_PREFERRED", "RAIL_AMOUNT_ABOVE_OTU_LIMIT", "RAIL_MERCHANT_REJECTS_RUPAY",            \
        "RAIL_ISSUER_UNAVAILABLE", "RAIL_FALLBACK_CARD_NOT_ACCEPTED",                              \
        "RAIL_FALLBACK_ISSUER_UNAVAILABLE", "RAIL_FALLBACK_SITE_BLOCKED",                          \
        "RAIL_OPERATED_UNAVAILABLE", "RAIL_OPERATED_CART_UNSUPPORTED",                             \
        "RAIL_AMOUNT_OUTSIDE_CARD_LIMITS", "RAIL_CARD_UNAVAILABLE", "RAIL_INSUFFICIENT_BALANCE",   \
        "RAIL_HOST_OPERATED_ONLY", "RAIL_ELIXIR_INVENTORY", "RAIL_MERCHANT_GATEWAY",               \
        "RAIL_GIFT_CARD_CARDLESS", "RAIL_CARD_REQUIRED"
WORDS(w_purchase_reason, PURCHASE_REASONS);
WORDS(w_rail_reason, RAIL_REASONS);
WORDS(w_any_reason, PURCHASE_REASONS, RAIL_REASONS);
WORDS(w_include, "balance", "limits", "services", "active_purchase", "agent", "profile",
      "addresses", "held_purchases");
WORDS(w_unavailable, "balance", "holds", "spendable", "currency", "limits", "profile", "addresses",
      "active_purchase");
WORDS(w_not_reserved, "not_reserved");
WORDS(w_held_state, "held", "returning", "unknown");
WORDS(w_held_reason, "upstream_unavailable");
WORDS(w_period, "day", "transaction");
WORDS(w_direction, "debit", "credit", "none");
WORDS(w_line_kind, "purchase", "reversal", "refund", "load", "withdraw", "fee", "decline",
      "card_issued", "card_funded", "card_closed", "adjustment", "other");
WORDS(w_line_status, "completed", "pending", "failed", "unknown");
WORDS(w_line_card, "envoy", "elixir_card", "unknown");
WORDS(w_redeem_at, "account", "checkout");
WORDS(w_answer_type, "details", "answer", "feedback");
WORDS(w_outcome, "paid", "failed");
WORDS(w_failure, "card_not_accepted", "card_declined", "otp_failed", "price_changed",
      "out_of_stock", "site_error", "site_blocked", "other");
WORDS(w_step, "merchant_opened", "cart_built", "payment_page_reached", "payment_applied",
      "otp_requested", "otp_submitted", "order_submitted", "blocked");
WORDS(w_start_rail, "gift_card", "operated_checkout");

static const struct sim_node money_fields[] = {
    INT("minor", REQ, MIN(0)),
    STR("currency", REQ, ONE_OF(w_inr)),
    STR("display", REQ),
    END,
};
static const struct sim_node money_item = MONEY("", 0);
static const struct sim_node text_item = STR("", 0);

/* ---- the purchase snapshot ---- */

static const struct sim_node merchant_fields[] = {
    STR("name", REQ),
    STR("url", REQ, LINK),
    END,
};
static const struct sim_node details_fields[] = {
    BOOL("complete", REQ),
    ARR("missing", REQ, &text_item),
    END,
};
static const struct sim_node question_fields[] = {
    STR("id", REQ, SPAN(1, 128)),
    STR("kind", REQ, ONE_OF(w_question_kind)),
    STR("prompt", REQ, SPAN(1, 300)),
    STR("asked_at", REQ, TIME),
    END,
};
static const struct sim_node follow_up_fields[] = {
    STR("id", REQ, SPAN(1, 128)),
    STR("kind", REQ, ONE_OF(w_follow_up_kind)),
    STR("prompt", REQ, SPAN(1, 300)),
    END,
};
static const struct sim_node approval_fields[] = {
    STR("state", REQ | NUL, ONE_OF(w_approval_state)),
    STR("method", REQ | NUL, ONE_OF(w_approval_method)),
    STR("decide_by", REQ | NUL, TIME),
    STR("approval_url", REQ | NUL, LINK),
    END,
};
static const struct sim_node payment_ready_fields[] = {
    BOOL("available", REQ),
    STR("kind", REQ | NUL, ONE_OF(w_handout_kind)),
    STR("expires_at", REQ | NUL, TIME),
    BOOL("closed", 0),
    END,
};
static const struct sim_node purchase_money_fields[] = {
    STR("status", REQ, ONE_OF(w_money_status)),
    MONEY("paid", REQ | NUL),
    STR("merchant_order_ref", REQ | NUL),
    END,
};
static const struct sim_node receipt_card_fields[] = {
    STR("network", REQ, ONE_OF(w_network)),
    STR("last4", REQ, LIKE(LAST4)),
    END,
};
static const struct sim_node receipt_fields[] = {
    STR("merchant_order_ref", REQ | NUL),
    MONEY("paid", REQ),
    OBJ("card", REQ | NUL, receipt_card_fields),
    STR("completed_at", REQ, TIME),
    END,
};
static const struct sim_node chain_fields[] = {
    STR("supersedes", REQ | NUL, LIKE(PURCHASE_ID)),
    STR("superseded_by", REQ | NUL, LIKE(PURCHASE_ID)),
    END,
};
static const struct sim_node agent_fields[] = {
    STR("agent_id", REQ),
    STR("display_name", REQ),
    STR("verification", REQ, ONE_OF(w_verification)),
    END,
};
static const struct sim_node funding_fields[] = {
    STR("url", REQ, LINK),
    MONEY("amount", REQ),
    STR("expires_at", REQ, TIME),
    END,
};
static const struct sim_node purchase_fields[] = {
    STR("purchase_id", REQ, LIKE(PURCHASE_ID)),
    STR("service", REQ, ONE_OF(w_service)),
    STR("idempotency_key", REQ, SPAN(16, 64), LIKE(KEY)),
    INT("revision", REQ, MIN(0)),
    BOOL("terminal", REQ),
    STR("state", REQ, ONE_OF(w_state)),
    STR("user_task", REQ | NUL, ONE_OF(w_user_task)),
    STR("reason_code", REQ | NUL, ONE_OF(w_purchase_reason)),
    STR("status_text", REQ, SPAN(1, 300)),
    STR("rail", REQ | NUL, ONE_OF(w_rail)),
    STR("rail_reason", REQ | NUL, ONE_OF(w_rail_reason)),
    STR("checkout_by", REQ | NUL, ONE_OF(w_checkout_by)),
    OBJ("merchant", REQ, merchant_fields),
    MONEY("amount", REQ),
    STR("description", REQ | NUL),
    OBJ("details", REQ, details_fields),
    OBJ("question", REQ | NUL, question_fields),
    OBJ("follow_up", REQ | NUL, follow_up_fields),
    OBJ("approval", REQ, approval_fields),
    OBJ("payment_ready", REQ, payment_ready_fields),
    OBJ("money", REQ, purchase_money_fields),
    OBJ("receipt", REQ | NUL, receipt_fields),
    OBJ("chain", REQ, chain_fields),
    OBJ("agent", REQ, agent_fields),
    STR("created_at", REQ, TIME),
    STR("updated_at", REQ, TIME),
    OBJ("funding", 0, funding_fields),
    END,
};

/* ---- the envelope ---- */

static const struct sim_node next_fields[] = {
    STR("action", REQ, ONE_OF(w_action)),
    STR("tool", REQ | NUL, ONE_OF(w_tool)),
    OBJ("args", REQ | NUL | SIM_OPEN, NULL),
    STR("instruction", REQ, SPAN(1, 600)),
    INT("after_seconds", REQ | NUL, MIN(0)),
    STR("by", REQ | NUL, TIME),
    END,
};
static const struct sim_node user_action_fields[] = {
    STR("task", REQ, ONE_OF(w_action_task)),
    STR("url", REQ | NUL, LINK),
    STR("by", REQ | NUL, TIME),
    STR("message", REQ, SPAN(1, 300)),
    END,
};
static const struct sim_node follow_up_call_fields[] = {
    STR("tool", REQ, ONE_OF(w_tool)),
    OBJ("args", REQ | SIM_OPEN, NULL),
    STR("why", REQ),
    END,
};
static const struct sim_node follow_up_call = OBJ("", 0, follow_up_call_fields);
static const struct sim_node error_field_fields[] = {
    STR("path", REQ, MAX(128)),
    STR("problem", REQ, MAX(200)),
    STR("expected", REQ | NUL, MAX(200)),
    END,
};
static const struct sim_node error_field = OBJ("", 0, error_field_fields);
static const struct sim_node error_fields[] = {
    STR("code", REQ, ONE_OF(w_error)),
    STR("message", REQ),
    ARR("fields", REQ, &error_field, MAX(10)),
    STR("reason_code", REQ | NUL, ONE_OF(w_any_reason)),
    BOOL("retryable", REQ),
    INT("retry_after_seconds", REQ | NUL, MIN(0)),
    END,
};
static const struct sim_node envelope_fields[] = {
    BOOL("ok", REQ),
    STR("contract", REQ, ONE_OF(w_contract)),
    STR("tool", REQ),
    STR("request_id", REQ),
    STR("trace_id", REQ),
    STR("server_time", REQ, TIME),
    BOOL("replayed", REQ),
    OBJ("purchase", REQ | NUL | SIM_PURCHASE, purchase_fields),
    OBJ("next", REQ, next_fields),
    OBJ("user_action", REQ | NUL, user_action_fields),
    STR("origin", 0, ONE_OF(w_origin)),
    ARR("follow_ups", 0, &follow_up_call),
    OBJ("error", REQ | NUL, error_fields),
    END,
};

/* ---- inputs ---- */

#define REFERENCE(f) STR("purchase", f, SPAN(16, 64), LIKE(REFERENCE))
#define KEY          STR("idempotency_key", REQ, SPAN(16, 64), LIKE(KEY))
#define RUPEES(n, f) STR(n, f, MAX(20), LIKE(RUPEES))

static const struct sim_node none_fields[] = {END};
static const struct sim_node none = OBJ("", 0, none_fields);

static const struct sim_node include_item = STR("", 0, ONE_OF(w_include));
static const struct sim_node account_in_fields[] = {
    ARR("include", SIM_UNIQUE, &include_item,
        .default_json = "[\"balance\",\"services\",\"active_purchase\",\"held_purchases\"]"),
    END,
};
static const struct sim_node account_in = OBJ("", 0, account_in_fields);

static const struct sim_node transactions_in_fields[] = {
    STR("from", 0, .format = SIM_FORMAT_DATE),
    STR("to", 0, .format = SIM_FORMAT_DATE),
    INT("limit", 0, SPAN(1, 50)),
    STR("cursor", 0, SPAN(1, 2048)),
    END,
};
static const struct sim_node transactions_in = OBJ("", 0, transactions_in_fields);

static const struct sim_node purchases_in_fields[] = {
    INT("limit", 0, SPAN(1, 20), .default_json = "10"),
    END,
};
static const struct sim_node purchases_in = OBJ("", 0, purchases_in_fields);

static const struct sim_node item_fields[] = {
    STR("name", REQ, SPAN(1, 200)),
    INT("quantity", 0, SPAN(1, 99), .default_json = "1"),
    STR("url", 0, LIKE(WEB)),
    STR("image", 0, LIKE(WEB)),
    STR("product_id", 0, LIKE(OFFER)),
    STR("price", 0),
    END,
};
static const struct sim_node item = OBJ("", 0, item_fields);
static const struct sim_node price_line_fields[] = {STR("code", 0), STR("amount", 0), END};
static const struct sim_node price_line = OBJ("", 0, price_line_fields);
static const struct sim_node fact_fields[] = {STR("code", 0), STR("value", 0), END};
static const struct sim_node fact = OBJ("", 0, fact_fields);
static const struct sim_node start_in_fields[] = {
    KEY,
    STR("merchant_url", REQ, LIKE(WEB)),
    STR("merchant_logo", 0, LIKE(WEB)),
    RUPEES("total", REQ),
    ARR("items", REQ, &item, SPAN(1, 20)),
    STR("user_request", REQ, SPAN(1, 300)),
    STR("address_id", 0, SPAN(1, 64)),
    STR("address", 0, SPAN(1, 500)),
    RUPEES("max_total", 0),
    STR("product_id", 0, LIKE(OFFER)),
    STR("rail", 0, ONE_OF(w_start_rail)),
    STR("order_title", 0),
    ARR("price_lines", 0, &price_line),
    ARR("facts", 0, &fact),
    STR("retry_of", 0, SPAN(16, 64), LIKE(REFERENCE)),
    END,
};
static const struct sim_node start_in = OBJ("", 0, start_in_fields);

static const struct sim_node status_in_fields[] = {
    REFERENCE(0),
    INT("after_revision", 0, MIN(0)),
    INT("wait_seconds", 0, SPAN(0, 45)),
    END,
};
static const struct sim_node status_in = OBJ("", 0, status_in_fields);

static const struct sim_node answer_in_fields[] = {
    STR("type", REQ, ONE_OF(w_answer_type)),
    STR("answer", REQ | SIM_SECRET, SPAN(1, 800)),
    REFERENCE(0),
    STR("question", 0, SPAN(1, 128)),
    INT("rating", 0, SPAN(1, 5)),
    KEY,
    END,
};
static const struct sim_node answer_in = OBJ("", 0, answer_in_fields);

static const struct sim_node report_in_fields[] = {
    REFERENCE(REQ),
    STR("checkout_attempt_id", 0, LIKE(UUID)),
    STR("outcome", REQ, ONE_OF(w_outcome)),
    STR("failure_reason", 0, ONE_OF(w_failure)),
    STR("merchant_order_ref", 0, SPAN(1, 128), LIKE(PRINTABLE)),
    RUPEES("amount_paid", 0),
    END,
};
static const struct sim_node report_in = OBJ("", 0, report_in_fields);

static const struct sim_node step_in_fields[] = {
    REFERENCE(REQ),
    STR("step", REQ, ONE_OF(w_step)),
    STR("checkout_attempt_id", 0, LIKE(UUID)),
    END,
};
static const struct sim_node step_in = OBJ("", 0, step_in_fields);

static const struct sim_node cancel_in_fields[] = {REFERENCE(REQ), STR("reason", 0), END};
static const struct sim_node cancel_in = OBJ("", 0, cancel_in_fields);

static const struct sim_node search_in_fields[] = {
    STR("query", REQ, SPAN(1, 200)),
    INT("quantity", 0, SPAN(1, 99), .default_json = "1"),
    STR("address_id", 0, SPAN(1, 64)),
    END,
};
static const struct sim_node search_in = OBJ("", 0, search_in_fields);

/* ---- payloads ---- */

static const struct sim_node no_data = OBJ("data", REQ | NUL, none_fields);

static const struct sim_node held_item_fields[] = {
    STR("purchase_id", REQ, LIKE(PURCHASE_ID)),
    STR("merchant", REQ | NUL),
    MONEY("amount", REQ | NUL),
    BOOL("exact", REQ),
    STR("state", REQ, ONE_OF(w_held_state)),
    STR("since", REQ | NUL, TIME),
    END,
};
static const struct sim_node held_item = OBJ("", 0, held_item_fields);
static const struct sim_node held_fields[] = {
    BOOL("available", REQ),        STR("reason", REQ | NUL, ONE_OF(w_held_reason)),
    ARR("items", REQ, &held_item), MONEY("total", REQ | NUL),
    BOOL("truncated", REQ | NUL),  END,
};
static const struct sim_node profile_fields[] = {
    STR("name", REQ | NUL),
    STR("mobile", REQ | NUL),
    STR("email", REQ | NUL),
    END,
};
static const struct sim_node address_fields[] = {
    STR("id", REQ),          STR("label", REQ),
    BOOL("is_default", REQ), STR("name", REQ | NUL),
    STR("phone", REQ | NUL), STR("line1", REQ),
    STR("line2", REQ | NUL), STR("line3", REQ | NUL),
    STR("city", REQ),        STR("state", REQ),
    STR("pin_code", REQ),    STR("country", REQ | NUL),
    STR("line", REQ),        END,
};
static const struct sim_node address = OBJ("", 0, address_fields);
static const struct sim_node limit_fields[] = {
    STR("channel", REQ),
    STR("period", REQ, ONE_OF(w_period)),
    MONEY("amount", REQ),
    END,
};
static const struct sim_node limit = OBJ("", 0, limit_fields);
static const struct sim_node unavailable_item = STR("", 0, ONE_OF(w_unavailable));
static const struct sim_node service_item = STR("", 0, ONE_OF(w_service));
static const struct sim_node account_fields[] = {
    STR("currency", NUL),
    MONEY("balance", NUL),
    MONEY("held", NUL),
    MONEY("spendable", NUL),
    OBJ("held_purchases", NUL, held_fields),
    STR("limits_reserved", 0, ONE_OF(w_not_reserved)),
    ARR("unavailable", 0, &unavailable_item),
    OBJ("profile", SIM_SECRET, profile_fields),
    ARR("addresses", SIM_SECRET, &address),
    ARR("limits", 0, &limit),
    ARR("services", SIM_UNIQUE, &service_item),
    OBJ("active_purchase", NUL | SIM_PURCHASE, purchase_fields),
    OBJ("agent", 0, agent_fields),
    END,
};
static const struct sim_node account_data_fields[] = {OBJ("account", REQ, account_fields), END};
static const struct sim_node account_data = OBJ("data", REQ | NUL, account_data_fields);

static const struct sim_node line_fields[] = {
    STR("id", REQ, SPAN(1, 128)),
    STR("occurred_at", REQ, TIME),
    MONEY("amount", REQ),
    STR("direction", REQ, ONE_OF(w_direction)),
    STR("title", REQ, SPAN(1, 200)),
    STR("subtitle", REQ | NUL, MAX(200)),
    BOOL("by_agent", REQ),
    STR("kind", REQ, ONE_OF(w_line_kind)),
    STR("status", REQ, ONE_OF(w_line_status)),
    STR("card", REQ, ONE_OF(w_line_card)),
    END,
};
static const struct sim_node line = OBJ("", 0, line_fields);
static const struct sim_node transactions_data_fields[] = {
    ARR("transactions", REQ, &line),
    STR("next_cursor", REQ | NUL),
    END,
};
static const struct sim_node transactions_data = OBJ("data", REQ | NUL, transactions_data_fields);

static const struct sim_node row_fields[] = {
    STR("purchase_id", REQ, LIKE(PURCHASE_ID)),
    STR("state", REQ, ONE_OF(w_state)),
    OBJ("merchant", REQ, merchant_fields),
    MONEY("amount", REQ),
    STR("checkout_by", REQ | NUL, ONE_OF(w_checkout_by)),
    STR("created_at", REQ, TIME),
    END,
};
static const struct sim_node row = OBJ("", 0, row_fields);
static const struct sim_node purchases_data_fields[] = {
    ARR("purchases", REQ, &row, MAX(20)),
    BOOL("truncated", REQ),
    END,
};
static const struct sim_node purchases_data = OBJ("data", REQ | NUL, purchases_data_fields);

static const struct sim_node card_fields[] = {
    STR("number", REQ),
    STR("expiry_month", REQ),
    STR("expiry_year", REQ),
    STR("cvv", REQ),
    STR("network", REQ, ONE_OF(w_network)),
    END,
};
static const struct sim_node voucher_fields[] = {
    STR("brand", REQ),
    STR("code", REQ),
    STR("pin", 0),
    MONEY("value", REQ),
    STR("redemption_url", 0, LINK),
    STR("redemption_instructions", REQ),
    STR("valid_until", REQ | NUL, TIME),
    END,
};
static const struct sim_node handout_fields[] = {
    STR("kind", REQ, ONE_OF(w_handout_kind)),
    OBJ("card", 0, card_fields),
    STR("checkout_code", 0),
    STR("checkout_code_expires_at", 0, TIME),
    MONEY("amount_limit", REQ),
    STR("checkout_attempt_id", 0, LIKE(UUID)),
    STR("expires_at", 0, TIME),
    OBJ("voucher", 0, voucher_fields),
    END,
};
static const struct sim_node status_data_fields[] = {
    OBJ("payment_details", REQ | SIM_SECRET, handout_fields),
    END,
};
static const struct sim_node status_data = OBJ("data", REQ | NUL, status_data_fields);

static const struct sim_node feedback_fields[] = {
    STR("feedback_id", REQ),
    STR("recorded_at", REQ, TIME),
    END,
};
static const struct sim_node answer_data_fields[] = {OBJ("receipt", REQ, feedback_fields), END};
static const struct sim_node answer_data = OBJ("data", REQ | NUL, answer_data_fields);

static const struct sim_node range_fields[] = {MONEY("min", REQ), MONEY("max", REQ), END};
static const struct sim_node gift_merchant_fields[] = {
    STR("name", REQ, SPAN(1, 253)),
    STR("domain", REQ, SPAN(1, 253)),
    ARR("amounts", REQ, &money_item, MAX(1000)),
    OBJ("amount_range", REQ | NUL, range_fields),
    FIELD("discount_percent", SIM_NUMBER, REQ | NUL, SPAN(0, 100)),
    STR("redeem_at", REQ | NUL, ONE_OF(w_redeem_at)),
    END,
};
static const struct sim_node gift_merchant = OBJ("", 0, gift_merchant_fields);
static const struct sim_node merchants_data_fields[] = {
    ARR("merchants", REQ, &gift_merchant, MAX(1000)),
    END,
};
static const struct sim_node merchants_data = OBJ("data", REQ | NUL, merchants_data_fields);

static const struct sim_node product_fields[] = {
    STR("product_id", REQ, LIKE(OFFER)),
    STR("name", REQ, SPAN(1, 200)),
    STR("brand", REQ | NUL, SPAN(1, 500)),
    STR("image", REQ | NUL, LINK),
    MONEY("price", REQ),
    INT("quantity", REQ, SPAN(1, 999)),
    MONEY("total", REQ),
    STR("valid_until", REQ, TIME),
    STR("merchant_url", REQ, LINK),
    END,
};
static const struct sim_node product = OBJ("", 0, product_fields);
static const struct sim_node products_data_fields[] = {ARR("products", REQ, &product, MAX(5)), END};
static const struct sim_node products_data = OBJ("data", REQ | NUL, products_data_fields);

/* ---- the catalog ---- */

#define ANSWER(n, t)                                                                               \
    {                                                                                              \
        n, "answer_purchase_question", t, "Passes on what the user said to an open question.",     \
            "shared", false, false, false, &answer_in, &answer_data                                \
    }
#define MERCHANTS(n, t)                                                                            \
    {                                                                                              \
        n, "list_gift_card_merchants", t, "Names the merchants whose gift cards can be bought.",   \
            "shared", true, false, false, &none, &merchants_data                                   \
    }

static const struct sim_tool tools[] = {
    {"get_account", "get_account", "Read account", "Reads the asked sections of the account.",
     "shared", true, false, false, &account_in, &account_data},
    {"list_transactions", "list_transactions", "List transactions",
     "Pages through the account's history, newest first.", "shared", true, false, false,
     &transactions_in, &transactions_data},
    {"list_purchases", "list_purchases", "List purchases",
     "Lists this agent's purchases, newest first.", "purchase", true, false, false, &purchases_in,
     &purchases_data},
    {"start_purchase", "start_purchase", "Start a purchase",
     "Asks the account owner to spend: starts one purchase for one intent.", "purchase", false,
     true, true, &start_in, &no_data},
    {"get_purchase_status", "get_purchase_status", "Check purchase status",
     "Reads one purchase, held until it changes when after_revision is given.", "shared", true,
     false, false, &status_in, &status_data},
    ANSWER("answer_purchase_question", "Answer a purchase question"),
    ANSWER("submit_answer", "Answer Envoy (old name)"),
    {"report_checkout_result", "report_checkout_result", "Report checkout result",
     "Records how the agent's own checkout ended.", "purchase", false, true, false, &report_in,
     &no_data},
    {"report_checkout_step", "report_checkout_step", "Report a checkout step",
     "Shows the owner how far the agent's own checkout is.", "purchase", false, false, false,
     &step_in, &no_data},
    {"cancel_purchase", "cancel_purchase", "Cancel a purchase",
     "Asks to stop a purchase before any checkout report.", "shared", false, true, false,
     &cancel_in, &no_data},
    MERCHANTS("list_gift_card_merchants", "List gift-card merchants"),
    MERCHANTS("get_merchants", "List gift-card merchants (old name)"),
    {"search_products", "search_products", "Search Elixir marketplace",
     "Finds marketplace products with their current prices.", "purchase", true, false, false,
     &search_in, &products_data},
};

const struct sim_tool *sim_table_tool_at(size_t index)
{
    return index < sizeof tools / sizeof tools[0] ? &tools[index] : NULL;
}

const struct sim_tool *sim_table_tool(const char *name)
{
    for (size_t i = 0; i < sizeof tools / sizeof tools[0]; i++) {
        if (strcmp(tools[i].name, name) == 0)
            return &tools[i];
    }
    return NULL;
}

const struct sim_node *sim_table_envelope(void)
{
    return envelope_fields;
}

const char *sim_schema_tool_name(size_t index)
{
    const struct sim_tool *tool = sim_table_tool_at(index);
    return tool ? tool->name : NULL;
}

const char *sim_schema_tool_main(const char *name)
{
    const struct sim_tool *tool = sim_table_tool(name);
    return tool ? tool->main_name : NULL;
}

bool sim_schema_tool_read_only(const char *name)
{
    const struct sim_tool *tool = sim_table_tool(name);
    return tool && tool->read_only;
}
