/* SPDX-License-Identifier: Apache-2.0 */
/* Inputs of the thirteen tools: checked against every rule of the input schema and of the tool
 * pages before a call, with the field's path (JSON pointer), problem and expectation in the form of
 * error.fields, then encoded as JSON. Text is borrowed from the caller; NULL means "not sent". */
#ifndef CONTRACT_INPUT_H
#define CONTRACT_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "contract/enums.h"
#include "contract/reply.h"
#include "core/buf.h"
#include "core/err.h"

#define CONTRACT_ITEMS_MAX 20
#define CONTRACT_PAIRS_MAX 20
#define CONTRACT_ANSWER_MAX 800 /* characters (code points) */
#define CONTRACT_USER_REQUEST_MAX 300
#define CONTRACT_ADDRESS_MAX 500
#define CONTRACT_BODY_MAX (64 * 1024)

struct contract_item {
    const char *name;
    int64_t quantity; /* 0: not sent */
    const char *url, *image, *product_id, *price;
};

struct contract_pair {
    const char *code;
    const char *value; /* amount of a price line, value of a fact */
};

struct contract_start_input {
    const char *idempotency_key, *merchant_url, *merchant_logo, *total;
    struct contract_item items[CONTRACT_ITEMS_MAX + 1]; /* one more, so that 21 can be refused */
    size_t item_count;
    const char *user_request, *address_id, *address, *max_total, *product_id;
    int rail; /* enum contract_rail_choice, CONTRACT_ABSENT */
    const char *order_title;
    struct contract_pair price_lines[CONTRACT_PAIRS_MAX];
    size_t price_line_count;
    struct contract_pair facts[CONTRACT_PAIRS_MAX];
    size_t fact_count;
    const char *retry_of;
};

struct contract_answer_input {
    enum contract_tool tool; /* ANSWER_PURCHASE_QUESTION or SUBMIT_ANSWER: the name next gave */
    int type;                /* enum contract_answer_type */
    const char *purchase, *question, *idempotency_key;
    const char *answer; /* NULL when the answer is secret: see contract_answer_frame */
    int rating;         /* 1..5, 0: not sent */
};

struct contract_report_input {
    const char *purchase, *checkout_attempt_id;
    int outcome;        /* enum contract_outcome */
    int failure_reason; /* enum contract_failure, CONTRACT_ABSENT */
    const char *merchant_order_ref, *amount_paid;
};

struct contract_step_input {
    const char *purchase, *checkout_attempt_id;
    int step;
};

struct contract_status_input {
    const char *purchase;   /* NULL is never sent by the console itself (README point 5) */
    int64_t after_revision; /* -1: not sent */
    int64_t wait_seconds;   /* -1: not sent */
};

struct contract_transactions_input {
    const char *from, *to, *cursor;
    int64_t limit; /* 0: not sent */
};

struct contract_problems {
    struct contract_field fields[CONTRACT_FIELDS_MAX];
    size_t count; /* may exceed CONTRACT_FIELDS_MAX; only that many are described */
};

/* Each returns ERR_OK and appends the JSON body to out, or ERR_USER and fills problems (out is left
 * as it was). out's limit bounds the body. Amounts may be typed as the service takes them ("₹2,499")
 * and go out as "2499.00"; the same values always give the same bytes. Beyond the schemas, checked
 * from the tool pages: address or address_id, on one line with a PIN code; max_total not below total;
 * product ids on every item or none; no item for nothing; rail without retry_of or product_id; a new
 * key for a retry; price lines with known codes that add up to total; known facts; rating only with
 * feedback; a reason for a failed report; from not later than to; no card number in an answer.
 * ERR_BUG: a tool that takes no answer, or more than CONTRACT_PAIRS_MAX pairs. */
enum err contract_encode_start(const struct contract_start_input *in, struct buf *out,
                               struct contract_problems *problems) WARN_UNUSED;
enum err contract_encode_answer(const struct contract_answer_input *in, struct buf *out,
                                struct contract_problems *problems) WARN_UNUSED;
enum err contract_encode_report(const struct contract_report_input *in, struct buf *out,
                                struct contract_problems *problems) WARN_UNUSED;
enum err contract_encode_step(const struct contract_step_input *in, struct buf *out,
                              struct contract_problems *problems) WARN_UNUSED;
enum err contract_encode_status(const struct contract_status_input *in, struct buf *out,
                                struct contract_problems *problems) WARN_UNUSED;
enum err contract_encode_cancel(const char *purchase, const char *reason, struct buf *out,
                                struct contract_problems *problems) WARN_UNUSED;
/* sections: bit set of 1u << enum contract_section; 0 sends {} (the service's default). */
enum err contract_encode_account(unsigned sections, struct buf *out,
                                 struct contract_problems *problems) WARN_UNUSED;
enum err contract_encode_purchases(int64_t limit, struct buf *out,
                                   struct contract_problems *problems) WARN_UNUSED;
enum err contract_encode_transactions(const struct contract_transactions_input *in, struct buf *out,
                                      struct contract_problems *problems) WARN_UNUSED;
enum err contract_encode_search(const char *query, int64_t quantity, const char *address_id,
                                struct buf *out, struct contract_problems *problems) WARN_UNUSED;

/* For an answer that is secret (otp): head and tail of the body around the place where the answer's
 * JSON string, quotes included, belongs. The caller joins them in guarded memory. Checks all other
 * fields. in->answer must be NULL. */
enum err contract_answer_frame(const struct contract_answer_input *in, struct buf *head,
                               struct buf *tail, struct contract_problems *problems) WARN_UNUSED;
/* Args of next or of a follow-up (an exact JSON object) with further members added, so that what
 * the service gave goes back unchanged: appends args' bytes with the extra members before the
 * closing brace. extra is "\"a\":1,\"b\":\"x\"" without braces. ERR_FORMAT when args is no object. */
enum err contract_args_extend(const char *args, const char *extra, struct buf *out) WARN_UNUSED;
/* Appends s as a JSON string with quotes. */
enum err contract_json_string(struct buf *out, const char *s) WARN_UNUSED;

/* Checks any JSON text as the input of tool (for `call`): same rules, same problems form. Takes the
 * second forms that the service takes: numbers for amounts, digits as text for an item's quantity,
 * one name for the list of sections. */
enum err contract_check_input(enum contract_tool tool, const char *json, size_t len,
                              struct contract_problems *problems) WARN_UNUSED;
/* True when text looks like a card number (13 to 19 digits with a right check digit, grouped or
 * not) or a payment code; such an answer is stopped before it is sent (page answer tool). */
enum contract_suspicion { CONTRACT_CLEAN, CONTRACT_CARD_NUMBER, CONTRACT_CODE_LIKE };
enum contract_suspicion contract_answer_suspicion(const char *text);
/* The half of it that holds for a one-time code too; nothing of text is kept. */
bool contract_text_holds_card(const char *text, size_t len);

#endif
