/* SPDX-License-Identifier: Apache-2.0 */
/* The start form's rows and what they make: the input of start_purchase, its problems, and the
 * guard against starting the same thing twice. Sends nothing. */
#include "app/start.h"

#include <stdio.h>
#include <string.h>

#include "app/internal.h"
#include "app/start_internal.h"
#include "core/alloc.h"
#include "core/money.h"
#include "core/str.h"

static const char *const price_codes[START_PRICE_LINES_MAX] = {
    "item_total", "delivery", "taxes_fees", "packaging", "discount"};
static const char *const fact_codes[START_FACTS_MAX] = {"deliver_to",   "arrives",   "sold_by",
                                                        "restaurant",   "check_in",  "check_out",
                                                        "cancellation", "booked_for"};

static const struct {
    const char *label;
    size_t limit;
    const char *hint;
} fields[START_FIELD_COUNT] = {
#define X(NAME, label, limit, hint) [START_FIELD_##NAME] = {label, limit, hint},
    START_FIELD_ROWS(X)
#undef X
};

const char *start_code(const struct start_row *row)
{
    return row->field == START_FIELD_PRICE_CODE ? price_codes[row->choice]
                                                : fact_codes[row->choice];
}

const char *start_field_label(enum start_field field)
{
    return fields[field].label;
}

const char *start_field_hint(enum start_field field)
{
    return fields[field].hint;
}

bool start_field_is_choice(enum start_field field)
{
    return fields[field].limit == 0;
}

void start_row_path(const struct start_row *row, char *out, size_t size)
{
    static const char *const single[START_FIELD_COUNT] = {
        [START_FIELD_MERCHANT_URL] = "/merchant_url",
        [START_FIELD_TOTAL] = "/total",
        [START_FIELD_USER_REQUEST] = "/user_request",
        [START_FIELD_ADDRESS_ID] = "/address_id",
        [START_FIELD_ADDRESS] = "/address",
        [START_FIELD_MAX_TOTAL] = "/max_total",
        [START_FIELD_RAIL] = "/rail",
        [START_FIELD_ORDER_TITLE] = "/order_title",
    };
    static const char *const grouped[START_FIELD_COUNT] = {
        [START_FIELD_ITEM_NAME] = "/items/%d/name",
        [START_FIELD_ITEM_QUANTITY] = "/items/%d/quantity",
        [START_FIELD_ITEM_PRICE] = "/items/%d/price",
        [START_FIELD_ITEM_URL] = "/items/%d/url",
        [START_FIELD_PRICE_CODE] = "/price_lines/%d/code",
        [START_FIELD_PRICE_AMOUNT] = "/price_lines/%d/amount",
        [START_FIELD_FACT_CODE] = "/facts/%d/code",
        [START_FIELD_FACT_VALUE] = "/facts/%d/value",
    };
    if (single[row->field]) {
        (void)str_copy(out, size, single[row->field]);
        return;
    }
    const char *form = grouped[row->field];
    const char *mark = strstr(form, "%d");
    snprintf(out, size, "%.*s%d%s", (int)(mark - form), form, row->group, mark + 2);
}

static const char *address_label(const struct contract_address *a)
{
    return a->label && a->label[0] ? a->label : "saved address";
}

/* Place of the chosen address among those that are shown now, counted from 1; 0 when it is none. */
static int start_address_index(const struct model *m)
{
    const struct start_form *f = &m->start;
    size_t count = m->personal && m->personal->has_addresses ? m->personal->address_count : 0;
    for (size_t i = 0; f->address_id[0] && i < count; i++)
        if (strcmp(m->personal->addresses[i].id, f->address_id) == 0)
            return (int)i + 1;
    return 0;
}

static void choose_address(struct model *m, struct start_row *row, int by)
{
    struct start_form *f = &m->start;
    int count = start_choice_count(m, row);
    int at = start_address_index(m);
    if (count == 1 && f->address_id[0])
        return; /* hidden again: the choice stays */
    do
        at = (at + by + count) % count;
    while (at > 0 && !m->personal->addresses[at - 1].id[0]); /* one that cannot be named to Envoy */
    row->choice = at;
    f->address_id[0] = f->address_label[0] = '\0';
    if (at == 0)
        return;
    (void)str_copy(f->address_id, sizeof f->address_id, m->personal->addresses[at - 1].id);
    (void)str_copy(f->address_label, sizeof f->address_label,
                   address_label(&m->personal->addresses[at - 1]));
}

void start_choose(struct model *m, struct start_row *row, int by)
{
    int count = start_choice_count(m, row);
    if (row->field == START_FIELD_ADDRESS_ID)
        choose_address(m, row, by);
    else
        row->choice = (row->choice + by + count) % count;
}

int start_choice_count(const struct model *m, const struct start_row *row)
{
    switch (row->field) {
    case START_FIELD_RAIL:
        return 1 + CONTRACT_RAIL_CHOICE_COUNT;
    case START_FIELD_ADDRESS_ID:
        return 1 +
               (m->personal && m->personal->has_addresses ? (int)m->personal->address_count : 0);
    case START_FIELD_PRICE_CODE:
        return START_PRICE_LINES_MAX;
    case START_FIELD_FACT_CODE:
        return START_FACTS_MAX;
    default:
        return 1;
    }
}

void start_choice_words(const struct model *m, const struct start_row *row, char *out, size_t size)
{
    out[0] = '\0';
    if (row->field == START_FIELD_RAIL) {
        const struct contract_row *r = contract_row(CONTRACT_KIND_RAIL_CHOICE, row->choice - 1);
        const char *left = m->start.product_ids[0][0]
                               ? "what Envoy chooses (it places marketplace orders itself)"
                               : "what Envoy chooses (usually a one-time card)";
        (void)str_copy(out, size, r ? r->words : left);
    } else if (row->field == START_FIELD_ADDRESS_ID) {
        int at = start_address_index(m);
        if (at > 0)
            snprintf(out, size, "%s: %s", address_label(&m->personal->addresses[at - 1]),
                     m->personal->addresses[at - 1].line ? m->personal->addresses[at - 1].line
                                                         : "");
        else if (m->start.address_id[0])
            snprintf(out, size, "%s (chosen; the address is hidden again)", m->start.address_label);
        else
            (void)str_copy(out, size, m->personal ? "none" : "none (Ctrl-R reads your addresses)");
    } else if (row->field == START_FIELD_PRICE_CODE) {
        (void)str_copy(out, size, start_code(row));
    } else if (row->field == START_FIELD_FACT_CODE) {
        (void)str_copy(out, size, start_code(row));
    }
}

struct start_row *start_add_row(struct start_form *f, size_t at, enum start_field field, int group)
{
    if (f->row_count == START_ROWS_MAX || at > f->row_count)
        return NULL;
    memmove(&f->rows[at + 1], &f->rows[at], (f->row_count - at) * sizeof f->rows[0]);
    f->row_count++;
    struct start_row *row = &f->rows[at];
    memset(row, 0, sizeof *row);
    row->field = field;
    row->group = group;
    edit_init(&row->edit, fields[field].limit ? fields[field].limit : 1, true);
    if (field == START_FIELD_ITEM_QUANTITY && edit_set(&row->edit, "1") != ERR_OK)
        edit_clear(&row->edit); /* empty means the same */
    return row;
}

/* Rows of a kind of group, and where the last of them ends. */
static int groups_of(const struct start_form *f, enum start_field first, size_t *end)
{
    int count = 0;
    for (size_t i = 0; i < f->row_count; i++) {
        if (f->rows[i].field == first)
            count++;
        if (f->rows[i].field >= first &&
            f->rows[i].field < first + (first == START_FIELD_ITEM_NAME ? 4 : 2))
            *end = i + 1;
    }
    return count;
}

/* The first code that no other row of the kind has. The new row itself is not counted. */
static int unused_choice(const struct start_form *f, enum start_field first, int most)
{
    for (int choice = 0; choice < most; choice++) {
        int uses = choice == 0 ? -1 : 0; /* the new row stands at the first one */
        for (size_t i = 0; i < f->row_count; i++)
            uses += f->rows[i].field == first && f->rows[i].choice == choice ? 1 : 0;
        if (uses == 0)
            return choice;
    }
    return 0;
}

bool start_add_group(struct start_form *f, enum start_field first)
{
    size_t end = f->row_count;
    int count = groups_of(f, first, &end);
    int most = first == START_FIELD_ITEM_NAME    ? CONTRACT_ITEMS_MAX
               : first == START_FIELD_PRICE_CODE ? START_PRICE_LINES_MAX
                                                 : START_FACTS_MAX;
    size_t wide = first == START_FIELD_ITEM_NAME ? 4 : 2;
    if (count >= most || f->row_count + wide > START_ROWS_MAX)
        return false;
    for (size_t i = 0; i < wide; i++) {
        struct start_row *row = start_add_row(f, end + i, (enum start_field)(first + i), count);
        if (row && i == 0 && first != START_FIELD_ITEM_NAME)
            row->choice = unused_choice(f, first, most);
    }
    f->focus = end;
    return true;
}

/* Removes the group that the focus is in; a single field is emptied. The first item stays. */
void start_remove_group(struct start_form *f)
{
    struct start_row *at = &f->rows[f->focus];
    int group = at->group;
    bool item = at->field >= START_FIELD_ITEM_NAME && at->field <= START_FIELD_ITEM_URL;
    bool paired = at->field >= START_FIELD_PRICE_CODE;
    enum start_field first = item                                 ? START_FIELD_ITEM_NAME
                             : at->field >= START_FIELD_FACT_CODE ? START_FIELD_FACT_CODE
                                                                  : START_FIELD_PRICE_CODE;
    enum start_field last = item ? START_FIELD_ITEM_URL : (enum start_field)(first + 1);
    size_t end = 0;
    if ((!item && !paired) || (item && groups_of(f, first, &end) == 1)) {
        edit_clear(&at->edit);
        at->choice = 0;
        if (at->field == START_FIELD_ADDRESS_ID)
            f->address_id[0] = f->address_label[0] = '\0';
        return;
    }
    size_t kept = 0;
    for (size_t i = 0; i < f->row_count; i++) {
        struct start_row *row = &f->rows[i];
        bool of_kind = row->field >= first && row->field <= last;
        if (of_kind && row->group == group) {
            edit_fini(&row->edit);
            continue;
        }
        if (of_kind && row->group > group)
            row->group--;
        f->rows[kept++] = *row;
    }
    f->row_count = kept;
    if (item) {
        memmove(&f->product_ids[group], &f->product_ids[group + 1],
                (size_t)(CONTRACT_ITEMS_MAX - 1 - group) * sizeof f->product_ids[0]);
        f->product_ids[CONTRACT_ITEMS_MAX - 1][0] = '\0';
    }
    if (f->focus >= f->row_count)
        f->focus = f->row_count - 1;
}

void start_clear(struct start_form *f)
{
    for (size_t i = 0; i < f->row_count; i++)
        edit_fini(&f->rows[i].edit);
    buf_fini(&f->sent);
    memset(f, 0, sizeof *f);
    buf_init(&f->sent, CONTRACT_BODY_MAX);
}

void start_empty(struct start_form *f)
{
    static const enum start_field order[] = {
        START_FIELD_MERCHANT_URL,  START_FIELD_TOTAL,      START_FIELD_ITEM_NAME,
        START_FIELD_ITEM_QUANTITY, START_FIELD_ITEM_PRICE, START_FIELD_ITEM_URL,
        START_FIELD_USER_REQUEST,  START_FIELD_ADDRESS_ID, START_FIELD_ADDRESS,
        START_FIELD_MAX_TOTAL,     START_FIELD_RAIL,       START_FIELD_ORDER_TITLE,
    };
    start_clear(f);
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++)
        (void)start_add_row(f, i, order[i], 0);
    f->state = START_WRITING;
}

bool start_holds_work(const struct start_form *f)
{
    bool written = false;
    for (size_t i = 0; i < f->row_count; i++)
        written = written || (f->rows[i].field != START_FIELD_ITEM_QUANTITY &&
                              !edit_is_empty(&f->rows[i].edit));
    return written || f->state == START_SENT || f->state == START_UNKNOWN;
}

struct start_row *start_find_row(struct start_form *f, enum start_field field, int group)
{
    for (size_t i = 0; i < f->row_count; i++)
        if (f->rows[i].field == field && f->rows[i].group == group)
            return &f->rows[i];
    return NULL;
}

void start_set(struct start_form *f, enum start_field field, int group, const char *text)
{
    struct start_row *row = start_find_row(f, field, group);
    if (row && edit_set(&row->edit, text ? text : "") != ERR_OK)
        edit_clear(&row->edit);
}

void start_describe(struct start_form *f, char *merchant, size_t size, int64_t *amount_minor)
{
    const struct start_row *url = start_find_row(f, START_FIELD_MERCHANT_URL, 0);
    const struct start_row *total = start_find_row(f, START_FIELD_TOTAL, 0);
    merchant[0] = '\0';
    if (url)
        start_host(edit_text(&url->edit), merchant, size);
    if (!total || money_parse(edit_text(&total->edit), amount_minor) != ERR_OK)
        *amount_minor = -1;
}
