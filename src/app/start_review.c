/* SPDX-License-Identifier: Apache-2.0 */
/* The review of a start in plain words: what Envoy is asked to buy, from whom, for how much and how
 * it is paid. Reads the form only. Invariant: every value that is sent and that a person can judge
 * stands in it; offer ids do not. */
#include <stdio.h>
#include <string.h>

#include "app/start_internal.h"
#include "core/money.h"
#include "core/str.h"

static const struct start_row *row_of(const struct start_form *f, enum start_field field, int group)
{
    for (size_t i = 0; i < f->row_count; i++)
        if (f->rows[i].field == field && f->rows[i].group == group)
            return &f->rows[i];
    return NULL;
}

static const char *text_of(const struct start_form *f, enum start_field field, int group)
{
    const struct start_row *row = row_of(f, field, group);
    return row ? edit_text(&row->edit) : "";
}

/* As people read it; what is no amount stays as it was written. */
static void rupees(const struct model *m, const char *text, char *out, size_t size)
{
    char exact[MONEY_TEXT_MAX];
    int64_t minor;
    if (money_parse(text, &minor) == ERR_OK)
        money_format(exact, minor, m->set.ascii);
    (void)str_copy(out, size, money_parse(text, &minor) == ERR_OK ? exact : text);
}

/* The host alone first: it says who is paid, whatever stands around it in the address. */
static void merchant(const struct start_form *f, struct start_fact *out)
{
    const char *url = text_of(f, START_FIELD_MERCHANT_URL, 0);
    char host[256];
    struct buf shown;
    start_host(url, host, sizeof host);
    buf_init(&shown, sizeof out->value);
    if (str_host_visible(&shown, host, &out->warning) == ERR_OK)
        (void)str_copy(out->value, sizeof out->value, buf_view(&shown));
    else
        (void)str_copy(out->value, sizeof out->value, host);
    buf_fini(&shown);
    size_t len = strlen(out->value);
    if (out->warning)
        (void)str_copy(out->value + len, sizeof out->value - len,
                       "  Look closely: this name can be mistaken for another.");
}

static void item(const struct model *m, const struct start_row *row, struct start_fact *out)
{
    const struct start_form *f = &m->start;
    const char *count = text_of(f, START_FIELD_ITEM_QUANTITY, row->group);
    const char *price = text_of(f, START_FIELD_ITEM_PRICE, row->group);
    char amount[64] = "";
    if (row->group > 0)
        snprintf(out->label, sizeof out->label, "Item %d", row->group + 1);
    if (price[0])
        rupees(m, price, amount, sizeof amount);
    snprintf(out->value, sizeof out->value, "%s x %s%s%s", count[0] ? count : "1",
             edit_text(&row->edit), amount[0] ? ", " : "", amount);
}

/* A chosen code and what was written for it. */
static void pair(const struct model *m, const struct start_row *row, struct start_fact *out)
{
    bool bill = row->field == START_FIELD_PRICE_CODE;
    const char *written =
        text_of(&m->start, bill ? START_FIELD_PRICE_AMOUNT : START_FIELD_FACT_VALUE, row->group);
    char code[32], value[280];
    start_choice_words(m, row, code, sizeof code);
    if (bill)
        rupees(m, written, value, sizeof value);
    else
        (void)str_copy(value, sizeof value, written);
    snprintf(out->value, sizeof out->value, "%s %s", code, value);
}

static void most(const struct model *m, const struct start_row *row, struct start_fact *out)
{
    const char *written = edit_text(&row->edit);
    char amount[64];
    rupees(m, written[0] ? written : text_of(&m->start, START_FIELD_TOTAL, 0), amount,
           sizeof amount);
    snprintf(out->value, sizeof out->value, "%s%s", amount, written[0] ? "" : ", the total");
}

/* False when this row has no fact of its own. */
static bool fact_of(const struct model *m, const struct start_row *row, struct start_fact *out)
{
    memset(out, 0, sizeof *out);
    (void)str_copy(out->label, sizeof out->label, start_field_label(row->field));
    switch (row->field) {
    case START_FIELD_ITEM_QUANTITY:
    case START_FIELD_ITEM_PRICE:
    case START_FIELD_PRICE_AMOUNT:
    case START_FIELD_FACT_VALUE:
        return false; /* told with the row that heads them */
    case START_FIELD_ITEM_NAME:
        item(m, row, out);
        return true;
    case START_FIELD_PRICE_CODE:
    case START_FIELD_FACT_CODE:
        pair(m, row, out);
        return true;
    case START_FIELD_TOTAL:
        rupees(m, edit_text(&row->edit), out->value, sizeof out->value);
        return true;
    case START_FIELD_MAX_TOTAL:
        most(m, row, out);
        return true;
    case START_FIELD_ADDRESS_ID:
        if (!m->start.address_id[0])
            return false;
        start_choice_words(m, row, out->value, sizeof out->value);
        return true;
    case START_FIELD_RAIL:
        start_choice_words(m, row, out->value, sizeof out->value);
        return true;
    default:
        (void)str_copy(out->value, sizeof out->value, edit_text(&row->edit));
        return out->value[0] != '\0';
    }
}

bool start_review_fact(const struct model *m, size_t index, struct start_fact *out)
{
    const struct start_form *f = &m->start;
    if (index == 0) {
        memset(out, 0, sizeof *out);
        (void)str_copy(out->label, sizeof out->label, "Pays to");
        merchant(f, out);
        return f->row_count > 0;
    }
    size_t at = 0;
    for (size_t i = 0; i < f->row_count; i++)
        if (fact_of(m, &f->rows[i], out) && ++at == index)
            return true;
    return false;
}
