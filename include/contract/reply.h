/* SPDX-License-Identifier: Apache-2.0 */
/* A reply of the service as C. Decoding is tolerant as the contract asks (unknown fields ignored,
 * unknown enum values kept as text, null where an object was expected is "unknown") and strict in
 * what the console relies on. All text meant for people is already visible and safe to draw; ids,
 * keys, cursors, urls to be sent back and args are the exact bytes received. Pages: schemas
 * (envelope, purchase, next, user action, error), results. Secrets never pass through here:
 * data.payment_details is cut out before (secret/handout) and is not read.
 *
 * Relied upon, so that without it the whole reply is refused (ERR_FORMAT):
 * - ok, tool (the one called, under either name), request_id, server_time, next with its action; an
 *   error with its code exactly when ok is false;
 * - of a purchase: purchase_id, idempotency_key, revision, state, terminal; of an open question its
 *   id, kind and prompt; of a follow-up its id;
 * - of rows: purchase_id and state (purchases), purchase_id (held), id (transactions), product_id;
 * - a known field that is there has its type, a number is whole and not negative, an id is well
 *   formed. A list longer than its bound is ERR_LIMIT.
 * Everything else may be absent or null, which is the same and means unknown: enums CONTRACT_ABSENT,
 * amounts not known, times CLOCK_NONE (also for a time that is none), text "" or, where the comment
 * says so, NULL. Text is at most 2,000 bytes and ends in an ellipsis where it was cut. */
#ifndef CONTRACT_REPLY_H
#define CONTRACT_REPLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "contract/enums.h"
#include "core/clock.h"
#include "core/err.h"

#define CONTRACT_ID_MAX 65       /* purchase ids and idempotency keys, with NUL */
#define CONTRACT_QUESTION_ID_MAX 513 /* 128 characters of up to four bytes, with NUL */
#define CONTRACT_UUID_MAX 37
#define CONTRACT_FIELDS_MAX 10

struct contract_amount {
    bool known;      /* false for another currency than INR as well */
    bool disagrees;  /* display says something else than minor: show both, warn (README point 11) */
    int64_t minor;   /* paise */
    char *display;   /* visible text; never NULL while known, made from minor when not given */
};

struct contract_question {
    bool open;
    char id[CONTRACT_QUESTION_ID_MAX];
    struct contract_enum kind;
    char *prompt; /* word for word, visible; newlines as marks */
    int64_t asked_at_ms;
};

struct contract_follow_up {
    bool open;
    char id[CONTRACT_QUESTION_ID_MAX];
    struct contract_enum kind;
    char *prompt;
};

struct contract_funding {
    bool present;
    char *url;         /* exact; https only, no control or space bytes, else decoding drops it */
    struct contract_amount amount;
    int64_t expires_at_ms;
};

struct contract_receipt {
    bool present;
    char *merchant_order_ref; /* NULL when not given */
    struct contract_amount paid;
    char card_last4[5];       /* "" when not given */
    int64_t completed_at_ms;
};

struct contract_agent {
    char *agent_id;
    char *display_name;
    struct contract_enum verification;
};

/* One snapshot of a purchase. Heap object, owned by who holds it; free with contract_purchase_free. */
struct contract_purchase {
    char purchase_id[CONTRACT_ID_MAX];
    char idempotency_key[CONTRACT_ID_MAX];
    int64_t revision;
    bool terminal; /* the reply says so and the state is known to be final */
    struct contract_enum state;
    struct contract_enum user_task;
    struct contract_enum reason;
    char *status_text;
    struct contract_enum rail;
    struct contract_enum rail_reason;
    struct contract_enum checkout_by;
    char *merchant_name;
    char *merchant_url;  /* visible */
    struct contract_amount amount;
    char *description;   /* NULL when not given */
    bool details_complete;
    char *details_missing; /* comma separated, "" when none */
    struct contract_question question;
    struct contract_follow_up follow_up;
    struct contract_enum approval_state;
    struct contract_enum approval_method;
    int64_t approval_decide_by_ms; /* CLOCK_NONE when not given */
    bool payment_available;
    struct contract_enum payment_kind;
    int64_t payment_expires_at_ms;
    bool payment_closed;
    struct contract_enum money; /* CONTRACT_ABSENT counts as unknown */
    struct contract_amount money_paid;
    char *money_order_ref; /* NULL when not given */
    struct contract_receipt receipt;
    char supersedes[CONTRACT_ID_MAX];    /* "" when none */
    char superseded_by[CONTRACT_ID_MAX]; /* "" when none */
    struct contract_agent agent;
    int64_t created_at_ms;
    int64_t updated_at_ms;
    struct contract_funding funding;
};

struct contract_next {
    struct contract_enum action;
    struct contract_enum tool; /* unrecognised: a tool this version does not know */
    char *args;                /* the exact JSON bytes of an object, NULL when null */
    char *instruction;         /* for the agent; not shown */
    int64_t after_seconds;     /* -1 when not given; at most a year, as wait_seconds */
    int64_t by_ms;             /* CLOCK_NONE when not given */
    int64_t wait_seconds;      /* args.wait_seconds, -1 when not there */
    int64_t after_revision;    /* args.after_revision, -1 when not there */
    char purchase[CONTRACT_ID_MAX]; /* args.purchase, "" when not there */
};

struct contract_user_action {
    bool present;
    struct contract_enum task;
    char *url; /* exact; only https; NULL when not given */
    int64_t by_ms;
    char *message; /* word for word, visible */
};

/* An offer; one without a tool or arguments is left out. */
struct contract_follow_up_call {
    struct contract_enum tool;
    char *args; /* exact bytes */
    char *why;
    char question[CONTRACT_QUESTION_ID_MAX]; /* args.question, "" when not there */
    struct contract_enum type;               /* args.type */
};

struct contract_field {
    char path[129];
    char problem[201];
    char expected[201]; /* "" when null */
};

struct contract_error {
    bool present;
    struct contract_enum code;
    char *message;
    struct contract_field fields[CONTRACT_FIELDS_MAX];
    size_t field_count;
    struct contract_enum reason;
    bool retryable;
    int64_t retry_after_seconds; /* -1 when not given; at most a year */
};

struct contract_held {
    char purchase_id[CONTRACT_ID_MAX];
    char *merchant; /* NULL: unnamed merchant */
    struct contract_amount amount;
    bool exact;
    struct contract_enum state;
    int64_t since_ms;
};

struct contract_limit {
    char *channel;
    struct contract_enum period;
    struct contract_amount amount;
};

struct contract_address {
    char id[CONTRACT_ID_MAX]; /* exact, sent back as address_id; "" when it cannot be */
    char *label, *name, *phone, *line; /* line: one printable line; NULL when not given */
    bool is_default;
};

/* Each section says whether the reply carried it; absent is never zero (page account). A section or
 * amount that the reply lists as unavailable is unknown, whatever stands in its place. */
struct contract_account {
    bool has_balance_section;
    struct contract_amount balance, held, spendable;
    bool has_held_purchases; /* asked for; null when true and not available */
    bool held_purchases_available, held_truncated, held_truncated_known;
    struct contract_held *held_items;
    size_t held_count;
    struct contract_amount held_total;
    bool has_services;
    bool service_purchase;
    bool has_active_purchase;             /* false: not asked, or could not be read */
    struct contract_purchase *active_purchase; /* NULL with has_active_purchase: none is open */
    bool has_agent;
    struct contract_agent agent;
    bool has_limits;
    struct contract_limit *limits;
    size_t limit_count;
    bool has_profile;
    char *profile_name, *profile_mobile, *profile_email; /* NULL when not given */
    bool has_addresses;
    struct contract_address *addresses;
    size_t address_count;
    bool unavailable[CONTRACT_UNAVAILABLE_COUNT];
};

struct contract_listed { /* a row of list_purchases */
    char purchase_id[CONTRACT_ID_MAX];
    struct contract_enum state;
    char *merchant_name;
    char *merchant_url;
    struct contract_amount amount;
    struct contract_enum checkout_by;
    int64_t created_at_ms;
};

struct contract_line { /* a row of list_transactions */
    char id[129];
    int64_t occurred_at_ms;
    struct contract_amount amount;
    struct contract_enum direction;
    char *title;
    char *subtitle; /* NULL when not given */
    bool by_agent;
    struct contract_enum kind, status, card;
};

struct contract_merchant { /* a row of list_gift_card_merchants */
    char *name, *domain;
    struct contract_amount *amounts; /* known ones only */
    size_t amount_count;
    bool has_range; /* both ends are known */
    struct contract_amount min, max;
    int discount_permille; /* 25 for 2.5 %, rounded down; -1 when none reported */
    struct contract_enum redeem_at;
};

struct contract_product { /* a row of search_products */
    char product_id[CONTRACT_ID_MAX];
    char *name, *brand; /* brand NULL when not given */
    struct contract_amount price, total;
    int64_t quantity;
    int64_t valid_until_ms;
    char *merchant_url; /* exact, sent back; NULL when it is not clean https */
};

/* The whole envelope. purchase may be taken out by its owner with contract_reply_take_purchase. */
struct contract_reply {
    enum contract_tool tool; /* as called */
    bool ok;
    bool contract_differs;   /* contract is not envoy@2026-10: shown, never branched on */
    char request_id[129];
    char trace_id[129];
    int64_t server_time_ms;
    bool replayed;
    struct contract_purchase *purchase; /* NULL when null */
    struct contract_next next;
    struct contract_user_action user_action;
    struct contract_follow_up_call *follow_ups;
    size_t follow_up_count;
    struct contract_error error;
    /* data, by tool; without has_data a list of 0 rows is unknown, not empty */
    bool has_data;
    struct contract_account *account;
    struct contract_listed *listed;
    size_t listed_count;
    bool listed_truncated;
    struct contract_line *lines;
    size_t line_count;
    char *next_cursor; /* exact; NULL at the end */
    struct contract_merchant *merchants;
    size_t merchant_count;
    struct contract_product *products;
    size_t product_count;
    char *feedback_id; /* visible; NULL when no receipt */
    int64_t feedback_recorded_at_ms;
};

/* Decodes an envelope for a call of tool. On success *out is owned by the caller. ERR_FORMAT: not
 * JSON, or not an envelope this program can rely on; why (may be NULL) then names the path and the
 * problem in plain words without echoing values; ERR_MEMORY, ERR_LIMIT (over 1 MiB, too deep, too
 * many rows). text need not be terminated. */
enum err contract_reply_decode(enum contract_tool tool, const char *text, size_t len,
                               struct contract_reply **out, char why[200]) WARN_UNUSED;
void contract_reply_free(struct contract_reply *reply);
struct contract_purchase *contract_reply_take_purchase(struct contract_reply *reply);

void contract_purchase_free(struct contract_purchase *purchase);
void contract_account_free(struct contract_account *account); /* taken out of a reply; NULL allowed */
enum err contract_purchase_copy(const struct contract_purchase *from,
                                struct contract_purchase **out) WARN_UNUSED;
/* A short reference for people: the first twelve characters of a purchase or request id, enough for
 * support to find it. Envoy's own "EV-XXXXXX" comes only with MCP results (page results) and cannot
 * be derived from an id, so none is made up here. */
void contract_support_ref(char out[16], const char *id);

/* Encodes a reply as JSON (tests, --json output). Nothing secret is in it by construction. The
 * result decodes to an equal reply. */
struct buf;
enum err contract_reply_encode(const struct contract_reply *reply, struct buf *out) WARN_UNUSED;

#endif
