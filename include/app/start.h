/* SPDX-License-Identifier: Apache-2.0 */
/* The start form: what the person writes, as rows; checked against every input rule while it is
 * written; and the one start that may be under way. Part of struct model. Its key is made once, at
 * the first send, and stays for every retry and for the read that settles a lost reply. */
#ifndef APP_START_H
#define APP_START_H

#include <stdbool.h>
#include <stddef.h>
#include "app/edit.h"
#include "contract/input.h"

#define START_ROWS_MAX 128
#define START_PRICE_LINES_MAX 5 /* one of each code */
#define START_FACTS_MAX 8

/* Fields in the order of the form: X(NAME, label, limit in characters, hint). */
#define START_FIELD_ROWS(X)                                                                        \
    X(MERCHANT_URL, "Merchant URL", 500, "https://shop.example.test/product")                      \
    X(TOTAL, "Total", 20, "rupees with delivery, tax and fees, such as 2499.00")                   \
    X(ITEM_NAME, "Item", 200, "name with size, colour or variant")                                 \
    X(ITEM_QUANTITY, "quantity", 3, "1 to 99; empty means 1")                                      \
    X(ITEM_PRICE, "price", 20, "rupees for the line; may stay empty")                              \
    X(ITEM_URL, "page", 500, "address of the item's page; may stay empty")                         \
    X(USER_REQUEST, "In your words", 300, "what you want, in your own words")                      \
    X(ADDRESS_ID, "Saved address", 0, "")                                                          \
    X(ADDRESS, "Address", 500, "one line: name, phone, street, city, 6-digit PIN code")            \
    X(MAX_TOTAL, "At most", 20, "highest total that is all right; empty means the total")          \
    X(RAIL, "Paid with", 0, "")                                                                    \
    X(ORDER_TITLE, "Order title", 120, "shown on the approval screen; may stay empty")             \
    X(PRICE_CODE, "Bill line", 0, "")                                                              \
    X(PRICE_AMOUNT, "amount", 20, "rupees")                                                        \
    X(FACT_CODE, "Fact", 0, "")                                                                    \
    X(FACT_VALUE, "value", 200, "as shown on the page")
enum start_field {
#define X(NAME, label, limit, hint) START_FIELD_##NAME,
    START_FIELD_ROWS(X)
#undef X
    START_FIELD_COUNT
};

struct start_row {
    enum start_field field;
    int group;        /* which item, bill line or fact; 0 for single fields */
    struct edit edit; /* fields that are written */
    int choice;       /* fields that are chosen: see start_choice_words */
};

enum start_state {
    START_CLOSED,
    START_WRITING,
    START_SENT,
    START_UNKNOWN, /* reply lost: read by its key; never a new key */
    START_REFUSED, /* Envoy said no, or it did not leave: text says which */
};

struct start_form {
    enum start_state state;
    struct start_row rows[START_ROWS_MAX];
    size_t row_count;
    size_t focus, top;
    bool reviewing;
    int64_t reviewing_since_mono; /* no send within 500 ms */
    char product_ids[CONTRACT_ITEMS_MAX][CONTRACT_ID_MAX]; /* of marketplace items, by group */
    char retry_of[CONTRACT_ID_MAX]; /* "" when it is no retry */
    char total_hint[200]; /* which totals can be bought, "" when any */
    char address_id[CONTRACT_ID_MAX]; /* chosen; stays when the addresses are hidden again */
    char address_label[64];
    struct contract_problems problems; /* of what stands in the form now, told ones included */
    struct contract_problems told; /* what Envoy refused of fields that were not changed since */
    char guard[320];  /* why it must not be started now although the input is right; "" */
    char key[CONTRACT_ID_MAX]; /* "" until the first send */
    struct buf sent;  /* the accepted body, byte for byte, for a retry */
    uint64_t call;
    uint64_t intent;  /* id it is known by in the journal; 0: none */
    bool recovered;   /* from an earlier run: its rows are not known, only its key */
    char text[320];   /* what came of it */
    char support[16];
    int64_t sent_at_ms;
};

const char *start_field_label(enum start_field field);
const char *start_field_hint(enum start_field field);
bool start_field_is_choice(enum start_field field);
/* JSON pointer of a row's field as problems name it ("/items/0/name"). */
void start_row_path(const struct start_row *row, char *out, size_t size);
/* Rows that are chosen: how many choices, and the words of the present one. */
struct model;
int start_choice_count(const struct model *m, const struct start_row *row);
void start_choice_words(const struct model *m, const struct start_row *row, char *out, size_t size);
/* The problem of this row, NULL when it has none. What is wrong with a whole list or with a part
 * that has no row of its own is a problem of the list's first row or of the item's name. */
const struct contract_field *start_row_problem(const struct start_form *f,
                                               const struct start_row *row);
/* Something would be lost sight of with the program: what was written, or a start under way. */
bool start_holds_work(const struct start_form *f);
/* The review: what a start asks for, as facts in plain words, in order. False behind the last. */
struct start_fact {
    char label[32];
    char value[560];
    bool warning;
};
bool start_review_fact(const struct model *m, size_t index, struct start_fact *out);

/* The host that a merchant's address names, in lower case and without www. */
void start_host(const char *url, char *out, size_t size);

#endif
