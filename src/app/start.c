/* SPDX-License-Identifier: Apache-2.0 */
/* The start form's rows and what they make: the input of start_purchase, its problems, and the guard
 * against starting the same thing twice. Sends nothing. */
#include "app/start.h"

#include <stdio.h>
#include <string.h>

#include "app/internal.h"
#include "app/start_internal.h"
#include "core/alloc.h"
#include "core/money.h"
#include "core/str.h"

static const char *const price_codes[START_PRICE_LINES_MAX] = {"item_total", "delivery",
                                                               "taxes_fees", "packaging",
                                                               "discount"};
static const char *const fact_codes[START_FACTS_MAX] = {"deliver_to", "arrives",      "sold_by",
                                                        "restaurant", "check_in",     "check_out",
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
        [START_FIELD_MERCHANT_URL] = "/merchant_url", [START_FIELD_TOTAL] = "/total",
        [START_FIELD_USER_REQUEST] = "/user_request", [START_FIELD_ADDRESS_ID] = "/address_id",
        [START_FIELD_ADDRESS] = "/address",           [START_FIELD_MAX_TOTAL] = "/max_total",
        [START_FIELD_RAIL] = "/rail",                 [START_FIELD_ORDER_TITLE] = "/order_title",
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

const struct contract_field *start_row_problem(const struct start_form *f,
                                               const struct start_row *row)
{
    char path[64];
    size_t shown = f->problems.count < CONTRACT_FIELDS_MAX ? f->problems.count
                                                           : CONTRACT_FIELDS_MAX;
    start_row_path(row, path, sizeof path);
    for (size_t i = 0; i < shown; i++)
        if (strcmp(f->problems.fields[i].path, path) == 0)
            return &f->problems.fields[i];
    return NULL;
}

int start_choice_count(const struct model *m, const struct start_row *row)
{
    switch (row->field) {
    case START_FIELD_RAIL:
        return 1 + CONTRACT_RAIL_CHOICE_COUNT;
    case START_FIELD_ADDRESS_ID:
        return 1 + (m->personal && m->personal->has_addresses ? (int)m->personal->address_count : 0);
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
        (void)str_copy(out, size, r ? r->words : "what Envoy chooses (usually a one-time card)");
    } else if (row->field == START_FIELD_ADDRESS_ID) {
        bool known = m->personal && row->choice > 0 &&
                     (size_t)row->choice <= m->personal->address_count;
        const struct contract_address *a = known ? &m->personal->addresses[row->choice - 1] : NULL;
        if (a)
            snprintf(out, size, "%s: %s", a->label ? a->label : "", a->line ? a->line : "");
        else
            (void)str_copy(out, size, m->personal ? "none" : "none (Ctrl-R reads your addresses)");
    } else if (row->field == START_FIELD_PRICE_CODE) {
        (void)str_copy(out, size, price_codes[row->choice]);
    } else if (row->field == START_FIELD_FACT_CODE) {
        (void)str_copy(out, size, fact_codes[row->choice]);
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
    return row;
}

/* Rows of a kind of group, and where the last of them ends. */
static int groups_of(const struct start_form *f, enum start_field first, size_t *end)
{
    int count = 0;
    for (size_t i = 0; i < f->row_count; i++) {
        if (f->rows[i].field == first)
            count++;
        if (f->rows[i].field >= first && f->rows[i].field < first + (first == START_FIELD_ITEM_NAME
                                                                         ? 4
                                                                         : 2))
            *end = i + 1;
    }
    return count;
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
            row->choice = count;
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
    enum start_field first = item ? START_FIELD_ITEM_NAME
                             : at->field >= START_FIELD_FACT_CODE ? START_FIELD_FACT_CODE
                                                                  : START_FIELD_PRICE_CODE;
    enum start_field last = item ? START_FIELD_ITEM_URL : (enum start_field)(first + 1);
    size_t end = 0;
    if ((!item && !paired) || (item && groups_of(f, first, &end) == 1)) {
        edit_clear(&at->edit);
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
        START_FIELD_MERCHANT_URL, START_FIELD_TOTAL,   START_FIELD_ITEM_NAME,
        START_FIELD_ITEM_QUANTITY, START_FIELD_ITEM_PRICE, START_FIELD_ITEM_URL,
        START_FIELD_USER_REQUEST, START_FIELD_ADDRESS_ID, START_FIELD_ADDRESS,
        START_FIELD_MAX_TOTAL,    START_FIELD_RAIL,    START_FIELD_ORDER_TITLE,
    };
    start_clear(f);
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++)
        (void)start_add_row(f, i, order[i], 0);
    f->state = START_WRITING;
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

static const char *written(const struct start_row *row)
{
    return edit_len(&row->edit) > 0 ? edit_text(&row->edit) : NULL;
}

static void read_item(const struct start_form *f, const struct start_row *row,
                      struct contract_start_input *in)
{
    struct contract_item *item = &in->items[row->group];
    if (in->item_count <= (size_t)row->group)
        in->item_count = (size_t)row->group + 1;
    if (row->field == START_FIELD_ITEM_NAME)
        item->name = written(row) ? written(row) : "";
    else if (row->field == START_FIELD_ITEM_PRICE)
        item->price = written(row);
    else if (row->field == START_FIELD_ITEM_URL)
        item->url = written(row);
    else if (written(row)) {
        int quantity = 0;
        for (const char *s = written(row); *s; s++)
            quantity = *s >= '0' && *s <= '9' && quantity >= 0 ? quantity * 10 + (*s - '0') : -1;
        item->quantity = quantity > 0 ? quantity : -1; /* the check refuses what is no number */
    }
    if (f->product_ids[row->group][0])
        item->product_id = f->product_ids[row->group];
}

static void read_row(const struct model *m, const struct start_row *row,
                     struct contract_start_input *in)
{
    size_t group = (size_t)row->group;
    switch (row->field) {
    case START_FIELD_MERCHANT_URL:
        in->merchant_url = written(row) ? written(row) : "";
        break;
    case START_FIELD_TOTAL:
        in->total = written(row) ? written(row) : "";
        break;
    case START_FIELD_USER_REQUEST:
        in->user_request = written(row) ? written(row) : "";
        break;
    case START_FIELD_ADDRESS:
        in->address = written(row);
        break;
    case START_FIELD_MAX_TOTAL:
        in->max_total = written(row);
        break;
    case START_FIELD_ORDER_TITLE:
        in->order_title = written(row);
        break;
    case START_FIELD_ADDRESS_ID:
        if (m->personal && row->choice > 0 && (size_t)row->choice <= m->personal->address_count)
            in->address_id = m->personal->addresses[row->choice - 1].id;
        break;
    case START_FIELD_RAIL:
        in->rail = row->choice > 0 ? row->choice - 1 : CONTRACT_ABSENT;
        break;
    case START_FIELD_PRICE_CODE:
        in->price_lines[group].code = price_codes[row->choice];
        in->price_line_count = group + 1 > in->price_line_count ? group + 1 : in->price_line_count;
        break;
    case START_FIELD_PRICE_AMOUNT:
        in->price_lines[group].value = written(row) ? written(row) : "";
        break;
    case START_FIELD_FACT_CODE:
        in->facts[group].code = fact_codes[row->choice];
        in->fact_count = group + 1 > in->fact_count ? group + 1 : in->fact_count;
        break;
    case START_FIELD_FACT_VALUE:
        in->facts[group].value = written(row) ? written(row) : "";
        break;
    default:
        read_item(&m->start, row, in);
        break;
    }
}

enum err start_encode(struct model *m, const char *key, struct buf *out)
{
    struct contract_start_input in = {.rail = CONTRACT_ABSENT, .idempotency_key = key};
    struct start_form *f = &m->start;
    for (size_t i = 0; i < f->row_count; i++)
        read_row(m, &f->rows[i], &in);
    in.retry_of = f->retry_of[0] ? f->retry_of : NULL;
    memset(&f->problems, 0, sizeof f->problems);
    return contract_encode_start(&in, out, &f->problems);
}

/* The host of a URL or bare domain, without "www.". */
static void host_of(const char *url, char *out, size_t size)
{
    const char *s = strstr(url, "://");
    s = s ? s + 3 : url;
    if (strncmp(s, "www.", 4) == 0)
        s += 4;
    size_t len = strcspn(s, "/?#:");
    snprintf(out, size, "%.*s", (int)(len < size - 1 ? len : size - 1), s);
    for (char *c = out; *c; c++)
        if (*c >= 'A' && *c <= 'Z')
            *c = (char)(*c - 'A' + 'a');
}

static bool same_thing(const struct model_purchase *p, const char *host, int64_t total_minor)
{
    char other[256];
    if (!p->amount.known || p->amount.minor != total_minor)
        return false;
    const char *url = p->snap ? p->snap->merchant_url : NULL;
    if (!url)
        return false;
    host_of(url, other, sizeof other);
    return strcmp(host, other) == 0;
}

void start_check(struct model *m)
{
    struct start_form *f = &m->start;
    struct buf scratch;
    buf_init(&scratch, CONTRACT_BODY_MAX);
    (void)!start_encode(m, f->key[0] ? f->key : "check-0000000000", &scratch);
    buf_fini(&scratch);
    f->guard[0] = '\0';
    const struct start_row *url = start_find_row(f, START_FIELD_MERCHANT_URL, 0);
    const struct start_row *total = start_find_row(f, START_FIELD_TOTAL, 0);
    int64_t minor = 0;
    char host[256];
    if (!url || !total || money_parse(edit_text(&total->edit), &minor) != ERR_OK)
        return;
    if (m->account && !m->account->has_active_purchase)
        (void)str_copy(f->guard, sizeof f->guard,
                       "Envoy could not say whether a purchase is open. Read the account again (r) "
                       "before starting another.");
    if (m->account && m->account->has_services && !m->account->service_purchase)
        (void)str_copy(f->guard, sizeof f->guard, "Purchases are not enabled for this account.");
    host_of(edit_text(&url->edit), host, sizeof host);
    for (size_t i = 0; i < m->purchase_count && !f->retry_of[0]; i++) {
        const struct model_purchase *p = &m->purchases[i];
        struct policy_facts facts;
        if (!same_thing(p, host, minor))
            continue;
        model_policy_facts(m, p, &facts);
        enum policy_reason no = policy_check(POLICY_START_SAME, &facts);
        if (no != POLICY_ALLOWED)
            snprintf(f->guard, sizeof f->guard,
                     "The same merchant and amount was started before (…%.6s): %s",
                     p->id + (strlen(p->id) > 6 ? strlen(p->id) - 6 : 0), policy_words(no));
    }
}
