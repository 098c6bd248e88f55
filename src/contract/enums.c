/* SPDX-License-Identifier: Apache-2.0 */
/* The tables behind enums.def: wire name, words and glyph of every value of every list. Must not
 * know where a value came from. Invariant: a row's index is its enum value, because rows and enums
 * are generated from the same lines. */
#include <stdio.h>
#include <string.h>
#include "contract/enums.h"

#define X(NAME, wire, words, glyph) {wire, words, CONTRACT_GLYPH_##glyph},
#define Y(KIND, ROWS)               static const struct contract_row rows_##KIND[] = {ROWS(X)};
CONTRACT_KINDS(Y)
#undef Y
#undef X

struct kind_table {
    const struct contract_row *rows;
    int count;
};

#define Y(KIND, ROWS)                                                                              \
    [CONTRACT_KIND_##KIND] = {rows_##KIND, (int)(sizeof rows_##KIND / sizeof rows_##KIND[0])},
static const struct kind_table kinds[CONTRACT_KIND_COUNT] = {CONTRACT_KINDS(Y)};
#undef Y

static const struct kind_table *kind_view(enum contract_kind kind)
{
    return (unsigned)kind < CONTRACT_KIND_COUNT ? &kinds[kind] : NULL;
}

const struct contract_row *contract_row(enum contract_kind kind, int value)
{
    const struct kind_table *table = kind_view(kind);
    return table && value >= 0 && value < table->count ? &table->rows[value] : NULL;
}

int contract_count(enum contract_kind kind)
{
    const struct kind_table *table = kind_view(kind);
    return table ? table->count : 0;
}

int contract_find(enum contract_kind kind, const char *wire)
{
    const struct kind_table *table = kind_view(kind);
    for (int i = 0; table && wire && i < table->count; i++) {
        if (strcmp(table->rows[i].wire, wire) == 0)
            return i;
    }
    return CONTRACT_UNRECOGNISED;
}

const char *contract_wire(enum contract_kind kind, int value)
{
    const struct contract_row *row = contract_row(kind, value);
    return row ? row->wire : "";
}

const char *contract_words(enum contract_kind kind, const struct contract_enum *e, char *out,
                           unsigned long size, const char *absent_words)
{
    const struct contract_row *row = contract_row(kind, e->value);
    if (row || e->value == CONTRACT_ABSENT) {
        const char *words = row ? row->words : absent_words;
        snprintf(out, size, "%s", words ? words : "");
        return words;
    }
    snprintf(out, size, "unrecognised: %s", e->raw[0] ? e->raw : "(empty)");
    return out;
}

bool contract_is_write(enum contract_tool tool)
{
    switch (tool) {
    case CONTRACT_TOOL_START_PURCHASE:
    case CONTRACT_TOOL_ANSWER_PURCHASE_QUESTION:
    case CONTRACT_TOOL_SUBMIT_ANSWER:
    case CONTRACT_TOOL_REPORT_CHECKOUT_RESULT:
    case CONTRACT_TOOL_REPORT_CHECKOUT_STEP:
    case CONTRACT_TOOL_CANCEL_PURCHASE:
        return true;
    default:
        return false;
    }
}

bool contract_state_is_terminal(int state)
{
    return state == CONTRACT_STATE_COMPLETED || state == CONTRACT_STATE_FAILED ||
           state == CONTRACT_STATE_CANCELLED || state == CONTRACT_STATE_SUPERSEDED;
}

bool contract_state_is_held(int state)
{
    return state == CONTRACT_STATE_WAITING_FOR_USER || state == CONTRACT_STATE_PROCESSING ||
           state == CONTRACT_STATE_VERIFYING;
}

bool contract_tool_is_same(enum contract_tool a, enum contract_tool b)
{
    static const enum contract_tool twins[][2] = {
        {CONTRACT_TOOL_ANSWER_PURCHASE_QUESTION, CONTRACT_TOOL_SUBMIT_ANSWER},
        {CONTRACT_TOOL_LIST_GIFT_CARD_MERCHANTS, CONTRACT_TOOL_GET_MERCHANTS},
    };
    for (size_t i = 0; i < sizeof twins / sizeof twins[0]; i++) {
        if (a == twins[i][1])
            a = twins[i][0];
        if (b == twins[i][1])
            b = twins[i][0];
    }
    return a == b;
}
