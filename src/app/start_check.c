/* SPDX-License-Identifier: Apache-2.0 */
/* What the form's rows make: the input of start_purchase, what is wrong with it and at which row,
 * and the guard against starting the same thing twice. Sends nothing. Invariant: what is not known
 * for certain (account, money, a purchase that was not read) keeps a start back. */
#include "app/start.h"

#include <stdio.h>
#include <string.h>

#include "app/start_internal.h"
#include "core/money.h"
#include "core/str.h"

/* Where a problem of a whole list, or of a part without a row, is told. */
static bool stands_for(const struct start_row *row, const char *path)
{
    static const char *const lists[START_FIELD_COUNT] = {
        [START_FIELD_ITEM_NAME] = "/items",
        [START_FIELD_PRICE_AMOUNT] = "/price_lines",
        [START_FIELD_FACT_VALUE] = "/facts",
    };
    const char *list = lists[row->field];
    char one[48], offer[64];
    if (!list)
        return false;
    snprintf(one, sizeof one, "%s/%d", list, row->group);
    snprintf(offer, sizeof offer, "%s/product_id", one);
    return strcmp(path, one) == 0 || (row->group == 0 && strcmp(path, list) == 0) ||
           (row->field == START_FIELD_ITEM_NAME && strcmp(path, offer) == 0);
}

static size_t described(const struct contract_problems *p)
{
    return p->count < CONTRACT_FIELDS_MAX ? p->count : CONTRACT_FIELDS_MAX;
}

const struct contract_field *start_row_problem(const struct start_form *f,
                                               const struct start_row *row)
{
    char path[64];
    start_row_path(row, path, sizeof path);
    for (size_t i = 0; i < described(&f->problems); i++) {
        const struct contract_field *field = &f->problems.fields[i];
        if (strcmp(field->path, path) == 0 || stands_for(row, field->path))
            return field;
    }
    return NULL;
}

const struct contract_field *start_homeless_problem(const struct start_form *f)
{
    for (size_t i = 0; i < described(&f->problems); i++) {
        const struct contract_field *field = &f->problems.fields[i];
        bool found = false;
        for (size_t r = 0; r < f->row_count && !found; r++) {
            char path[64];
            start_row_path(&f->rows[r], path, sizeof path);
            found = strcmp(field->path, path) == 0 || stands_for(&f->rows[r], field->path);
        }
        if (!found)
            return field;
    }
    return NULL;
}

/* The row has changed: what Envoy said of it speaks of something else now. */
void start_forget_told(struct start_form *f, const struct start_row *row)
{
    char path[64];
    size_t kept = 0;
    start_row_path(row, path, sizeof path);
    for (size_t i = 0; i < described(&f->told); i++) {
        const struct contract_field *field = &f->told.fields[i];
        if (strcmp(field->path, path) != 0 && !stands_for(row, field->path))
            f->told.fields[kept++] = *field;
    }
    f->told.count = kept;
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
        in->address_id = m->start.address_id[0] ? m->start.address_id : NULL;
        break;
    case START_FIELD_RAIL:
        in->rail = row->choice > 0 ? row->choice - 1 : CONTRACT_ABSENT;
        break;
    case START_FIELD_PRICE_CODE:
        in->price_lines[group].code = start_code(row);
        in->price_line_count = group + 1 > in->price_line_count ? group + 1 : in->price_line_count;
        break;
    case START_FIELD_PRICE_AMOUNT:
        in->price_lines[group].value = written(row) ? written(row) : "";
        break;
    case START_FIELD_FACT_CODE:
        in->facts[group].code = start_code(row);
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
void start_host(const char *url, char *out, size_t size)
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

static bool is_same(const char *url, const struct contract_amount *amount, const char *host,
                    int64_t total_minor)
{
    char other[256];
    if (!url || !amount->known || amount->minor != total_minor)
        return false;
    start_host(url, other, sizeof other);
    return strcmp(host, other) == 0;
}

/* A purchase whose merchant's address was not read yet may be the same when its amount is. */
static bool may_be_same(const struct model_purchase *p, const char *host, int64_t total_minor)
{
    if (p->snap)
        return is_same(p->snap->merchant_url, &p->snap->amount, host, total_minor);
    return p->amount.known && p->amount.minor == total_minor;
}

static void guard_account(const struct model *m, char *out, size_t size)
{
    const struct contract_account *a = m->account;
    if (!a)
        (void)str_copy(out, size,
                       "Your account has not been read yet, so it is not known whether a purchase "
                       "is open. Wait for it before starting one.");
    else if (a->has_services && !a->service_purchase)
        (void)str_copy(out, size, "Purchases are not enabled for this account.");
    else if (!a->has_active_purchase)
        (void)str_copy(out, size,
                       "Envoy could not say whether a purchase is open. Read the account again (2, "
                       "then r) before starting another.");
}

static void guard_same(const struct model *m, const char *host, int64_t total_minor, char *out,
                       size_t size)
{
    const struct start_form *f = &m->start;
    for (size_t i = 0; i < m->purchase_count; i++) {
        const struct model_purchase *p = &m->purchases[i];
        bool retried = f->retry_of[0] && strcmp(p->id, f->retry_of) == 0;
        struct policy_facts facts;
        if (!retried && !may_be_same(p, host, total_minor))
            continue;
        model_policy_facts(m, p, &facts);
        enum policy_reason no = policy_check(retried ? POLICY_RETRY_OF : POLICY_START_SAME, &facts);
        const char *tail = p->id + (strlen(p->id) > 6 ? strlen(p->id) - 6 : 0);
        if (no != POLICY_ALLOWED && retried)
            snprintf(out, size, "It cannot be retried now (%s): %s", tail, policy_words(no));
        else if (no != POLICY_ALLOWED && !p->snap)
            snprintf(out, size, "A purchase of the same amount (%s%s%s) may be the same one: %s",
                     p->merchant_name ? p->merchant_name : "", p->merchant_name ? ", " : "", tail,
                     policy_words(no));
        else if (no != POLICY_ALLOWED)
            snprintf(out, size, "The same merchant and amount was started before (%s): %s", tail,
                     policy_words(no));
    }
    const struct contract_purchase *active = m->account ? m->account->active_purchase : NULL;
    if (active && !model_find_view(m, active->purchase_id) && !active->terminal &&
        is_same(active->merchant_url, &active->amount, host, total_minor))
        (void)str_copy(out, size, "The same merchant and amount is open already at Envoy.");
}

static void add_told(struct start_form *f)
{
    for (size_t i = 0; i < described(&f->told) && f->problems.count < CONTRACT_FIELDS_MAX; i++)
        f->problems.fields[f->problems.count++] = f->told.fields[i];
}

void start_check(struct model *m)
{
    struct start_form *f = &m->start;
    struct buf scratch;
    int64_t minor = 0;
    char host[256];
    buf_init(&scratch, CONTRACT_BODY_MAX);
    (void)!start_encode(m, f->key[0] ? f->key : "check-0000000000", &scratch);
    buf_fini(&scratch);
    add_told(f);
    f->guard[0] = '\0';
    const struct start_row *url = start_find_row(f, START_FIELD_MERCHANT_URL, 0);
    const struct start_row *total = start_find_row(f, START_FIELD_TOTAL, 0);
    if (!url || !total || money_parse(edit_text(&total->edit), &minor) != ERR_OK)
        return;
    start_host(edit_text(&url->edit), host, sizeof host);
    guard_account(m, f->guard, sizeof f->guard);
    if (!f->guard[0])
        guard_same(m, host, minor, f->guard, sizeof f->guard);
}
