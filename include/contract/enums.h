/* SPDX-License-Identifier: Apache-2.0 */
/* The contract's closed lists as C enums, generated from enums.def: CONTRACT_STATE_READY,
 * CONTRACT_KIND_STATE and so on. Values that this version does not know are kept as text and are
 * never taken for a known one (contract README, point 3). */
#ifndef CONTRACT_ENUMS_H
#define CONTRACT_ENUMS_H

#include <stdbool.h>
#include "contract/enums.def"

#define CONTRACT_REVISION "envoy@2026-10"

enum contract_glyph {
    CONTRACT_GLYPH_NONE,
    CONTRACT_GLYPH_ANSWER,  /* needs an answer */
    CONTRACT_GLYPH_OWNER,   /* needs the owner */
    CONTRACT_GLYPH_MOTION,  /* in motion */
    CONTRACT_GLYPH_WELL,    /* ended well */
    CONTRACT_GLYPH_ILL,     /* ended without a purchase */
    CONTRACT_GLYPH_UNKNOWN, /* unknown, or needs support */
    CONTRACT_GLYPH_STALE,
};

#define CONTRACT_ENUM_VALUE(KIND, NAME) CONTRACT_##KIND##_##NAME
/* One enum a list. The tool enum is "enum contract_tool", the state enum "enum contract_state"... */
#define X(NAME, wire, words, glyph) CONTRACT_TOOL_##NAME,
enum contract_tool { CONTRACT_TOOL_ROWS(X) CONTRACT_TOOL_COUNT };
#undef X
#define X(NAME, wire, words, glyph) CONTRACT_STATE_##NAME,
enum contract_state { CONTRACT_STATE_ROWS(X) CONTRACT_STATE_COUNT };
#undef X
#define X(NAME, wire, words, glyph) CONTRACT_TASK_##NAME,
enum contract_task { CONTRACT_TASK_ROWS(X) CONTRACT_TASK_COUNT };
#undef X
#define X(NAME, wire, words, glyph) CONTRACT_MONEY_##NAME,
enum contract_money { CONTRACT_MONEY_ROWS(X) CONTRACT_MONEY_COUNT };
#undef X
#define X(NAME, wire, words, glyph) CONTRACT_RAIL_##NAME,
enum contract_rail { CONTRACT_RAIL_ROWS(X) CONTRACT_RAIL_COUNT };
#undef X
#define X(NAME, wire, words, glyph) CONTRACT_CHECKOUT_BY_##NAME,
enum contract_checkout_by { CONTRACT_CHECKOUT_BY_ROWS(X) CONTRACT_CHECKOUT_BY_COUNT };
#undef X
#define X(NAME, wire, words, glyph) CONTRACT_QUESTION_##NAME,
enum contract_question_kind { CONTRACT_QUESTION_ROWS(X) CONTRACT_QUESTION_COUNT };
#undef X
#define X(NAME, wire, words, glyph) CONTRACT_FOLLOW_UP_##NAME,
enum contract_follow_up_kind { CONTRACT_FOLLOW_UP_ROWS(X) CONTRACT_FOLLOW_UP_COUNT };
#undef X
#define X(NAME, wire, words, glyph) CONTRACT_ANSWER_TYPE_##NAME,
enum contract_answer_type { CONTRACT_ANSWER_TYPE_ROWS(X) CONTRACT_ANSWER_TYPE_COUNT };
#undef X
#define X(NAME, wire, words, glyph) CONTRACT_APPROVAL_##NAME,
enum contract_approval_state { CONTRACT_APPROVAL_ROWS(X) CONTRACT_APPROVAL_COUNT };
#undef X
#define X(NAME, wire, words, glyph) CONTRACT_APPROVAL_METHOD_##NAME,
enum contract_approval_method { CONTRACT_APPROVAL_METHOD_ROWS(X) CONTRACT_APPROVAL_METHOD_COUNT };
#undef X
#define X(NAME, wire, words, glyph) CONTRACT_PAYMENT_KIND_##NAME,
enum contract_payment_kind { CONTRACT_PAYMENT_KIND_ROWS(X) CONTRACT_PAYMENT_KIND_COUNT };
#undef X
#define X(NAME, wire, words, glyph) CONTRACT_ACTION_##NAME,
enum contract_action { CONTRACT_ACTION_ROWS(X) CONTRACT_ACTION_COUNT };
#undef X
#define X(NAME, wire, words, glyph) CONTRACT_CODE_##NAME,
enum contract_code { CONTRACT_CODE_ROWS(X) CONTRACT_CODE_COUNT };
#undef X
#define X(NAME, wire, words, glyph) CONTRACT_REASON_##NAME,
enum contract_reason { CONTRACT_REASON_ROWS(X) CONTRACT_REASON_COUNT };
#undef X
#define X(NAME, wire, words, glyph) CONTRACT_OUTCOME_##NAME,
enum contract_outcome { CONTRACT_OUTCOME_ROWS(X) CONTRACT_OUTCOME_COUNT };
#undef X
#define X(NAME, wire, words, glyph) CONTRACT_FAILURE_##NAME,
enum contract_failure { CONTRACT_FAILURE_ROWS(X) CONTRACT_FAILURE_COUNT };
#undef X
#define X(NAME, wire, words, glyph) CONTRACT_STEP_##NAME,
enum contract_step { CONTRACT_STEP_ROWS(X) CONTRACT_STEP_COUNT };
#undef X
#define X(NAME, wire, words, glyph) CONTRACT_RAIL_CHOICE_##NAME,
enum contract_rail_choice { CONTRACT_RAIL_CHOICE_ROWS(X) CONTRACT_RAIL_CHOICE_COUNT };
#undef X
#define X(NAME, wire, words, glyph) CONTRACT_VERIFICATION_##NAME,
enum contract_verification { CONTRACT_VERIFICATION_ROWS(X) CONTRACT_VERIFICATION_COUNT };
#undef X
#define X(NAME, wire, words, glyph) CONTRACT_HELD_STATE_##NAME,
enum contract_held_state { CONTRACT_HELD_STATE_ROWS(X) CONTRACT_HELD_STATE_COUNT };
#undef X
#define X(NAME, wire, words, glyph) CONTRACT_SECTION_##NAME,
enum contract_section { CONTRACT_SECTION_ROWS(X) CONTRACT_SECTION_COUNT };
#undef X
#define X(NAME, wire, words, glyph) CONTRACT_UNAVAILABLE_##NAME,
enum contract_unavailable { CONTRACT_UNAVAILABLE_ROWS(X) CONTRACT_UNAVAILABLE_COUNT };
#undef X
#define X(NAME, wire, words, glyph) CONTRACT_PERIOD_##NAME,
enum contract_period { CONTRACT_PERIOD_ROWS(X) CONTRACT_PERIOD_COUNT };
#undef X
#define X(NAME, wire, words, glyph) CONTRACT_SERVICE_##NAME,
enum contract_service { CONTRACT_SERVICE_ROWS(X) CONTRACT_SERVICE_COUNT };
#undef X
#define X(NAME, wire, words, glyph) CONTRACT_DIRECTION_##NAME,
enum contract_direction { CONTRACT_DIRECTION_ROWS(X) CONTRACT_DIRECTION_COUNT };
#undef X
#define X(NAME, wire, words, glyph) CONTRACT_LINE_KIND_##NAME,
enum contract_line_kind { CONTRACT_LINE_KIND_ROWS(X) CONTRACT_LINE_KIND_COUNT };
#undef X
#define X(NAME, wire, words, glyph) CONTRACT_LINE_STATUS_##NAME,
enum contract_line_status { CONTRACT_LINE_STATUS_ROWS(X) CONTRACT_LINE_STATUS_COUNT };
#undef X
#define X(NAME, wire, words, glyph) CONTRACT_LINE_CARD_##NAME,
enum contract_line_card { CONTRACT_LINE_CARD_ROWS(X) CONTRACT_LINE_CARD_COUNT };
#undef X
#define X(NAME, wire, words, glyph) CONTRACT_REDEEM_##NAME,
enum contract_redeem { CONTRACT_REDEEM_ROWS(X) CONTRACT_REDEEM_COUNT };
#undef X

#define Y(KIND, ROWS) CONTRACT_KIND_##KIND,
enum contract_kind { CONTRACT_KINDS(Y) CONTRACT_KIND_COUNT };
#undef Y

/* Special values of struct contract_enum. */
#define CONTRACT_ABSENT (-2)       /* null or not there */
#define CONTRACT_UNRECOGNISED (-1) /* a value that this version does not know; raw holds it */

struct contract_enum {
    int value;    /* one of the list, CONTRACT_ABSENT or CONTRACT_UNRECOGNISED */
    char raw[64]; /* the unrecognised text, made visible and cut; "" otherwise */
};

struct contract_row {
    const char *wire;
    const char *words;
    enum contract_glyph glyph;
};

/* NULL for a value outside the list. */
const struct contract_row *contract_row(enum contract_kind kind, int value);
int contract_count(enum contract_kind kind);
int contract_find(enum contract_kind kind, const char *wire); /* CONTRACT_UNRECOGNISED when not there */
const char *contract_wire(enum contract_kind kind, int value);  /* "" outside the list */
/* Words for people: the row's words, "unrecognised: X", or absent_words; always written to out as
 * well. The result is constant text, absent_words or out. */
const char *contract_words(enum contract_kind kind, const struct contract_enum *e, char *out,
                           unsigned long size, const char *absent_words);
bool contract_is_write(enum contract_tool tool); /* start, answers, reports, steps, cancel */
bool contract_state_is_terminal(int state);      /* unrecognised is not terminal */
bool contract_state_is_held(int state);          /* a read with after_revision may hold */
/* True for one tool under its two names (answer_purchase_question, list_gift_card_merchants). */
bool contract_tool_is_same(enum contract_tool a, enum contract_tool b);

#endif
