/* SPDX-License-Identifier: Apache-2.0 */
/* Commands of the shop and of the start form. They fill in a form; only its review sends. */
#include <string.h>

#include "app/command_run.h"
#include "app/start_internal.h"
#include "core/money.h"
#include "core/str.h"

const char *ask_start(const struct model *m)
{
    if (!model_may_write(m))
        return model_refusal_words(m, m->set.read_only ? POLICY_NO_READ_ONLY : POLICY_NO_JOURNAL);
    if (m->link == MODEL_LINK_SIGNED_OUT)
        return policy_words(POLICY_NO_SIGNED_OUT);
    return NULL;
}

const char *ask_retry_of(const struct model *m)
{
    const struct model_purchase *p = model_selected(m);
    struct policy_facts facts;
    if (!p)
        return "No purchase is selected.";
    model_policy_facts(m, p, &facts);
    enum policy_reason no = policy_check(POLICY_RETRY_OF, &facts);
    return no == POLICY_ALLOWED ? NULL : model_refusal_words(m, no);
}

const char *ask_shop_start(const struct model *m)
{
    const char *no = ask_start(m);
    if (no)
        return no;
    return shop_refuses_start(m);
}

const char *ask_shop_mark(const struct model *m)
{
    bool products = m->shop.part == SHOP_PRODUCTS && m->shop.product_count > 0;
    return products ? NULL : "Only products of a search can be marked.";
}

void run_view_shop(struct model *m, struct effects *fx)
{
    model_mask(m);
    m->editing = false;
    m->filter[0] = '\0';
    m->view = MODEL_VIEW_SHOP;
    if (!m->shop.merchants_read)
        shop_read_merchants(m, fx);
}

void run_start(struct model *m, struct effects *fx)
{
    (void)fx;
    start_open(m);
}

/* The same merchant, items, total and words, as a linked retry of the selected purchase. */
void run_retry_of(struct model *m, struct effects *fx)
{
    const struct model_purchase *p = model_selected(m);
    struct start_form *f = &m->start;
    char total[MONEY_TEXT_MAX];
    (void)fx;
    if (!p || !p->snap)
        return;
    if (f->state == START_SENT || f->state == START_UNKNOWN) {
        model_say(m, true, "Another start has no known outcome yet. It comes first.");
        start_open(m);
        return;
    }
    start_empty(f);
    (void)str_copy(f->retry_of, sizeof f->retry_of, p->id);
    start_set(f, START_FIELD_MERCHANT_URL, 0, p->snap->merchant_url);
    if (p->snap->amount.known) {
        money_wire(total, p->snap->amount.minor);
        start_set(f, START_FIELD_TOTAL, 0, total);
    }
    start_set(f, START_FIELD_ITEM_NAME, 0, p->snap->description);
    start_open(m);
    start_focus_missing(f);
    (void)str_copy(f->text, sizeof f->text,
                   "Envoy wants the same items, total and words as before. Check each of them.");
}

void run_shop_start(struct model *m, struct effects *fx)
{
    (void)fx;
    shop_start(m);
}

void run_shop_mark(struct model *m, struct effects *fx)
{
    struct shop *s = &m->shop;
    (void)fx;
    if (s->product_selected < s->product_count && s->product_selected < SHOP_CART_MAX)
        s->chosen[s->product_selected] = !s->chosen[s->product_selected];
}

void run_shop_search(struct model *m, struct effects *fx)
{
    (void)fx;
    m->shop.part = SHOP_PRODUCTS;
    m->shop.searching = true;
    m->editing = true;
}

void run_shop_part(struct model *m, struct effects *fx)
{
    (void)fx;
    m->shop.part = m->shop.part == SHOP_MERCHANTS ? SHOP_PRODUCTS : SHOP_MERCHANTS;
}

/* Keys of the search field; false when the key is not for it. */
bool shop_input(struct model *m, const struct input_event *e, struct effects *fx)
{
    if (input_event_is(e, "Enter")) {
        shop_search(m, fx);
        m->editing = m->shop.searching;
        return true;
    }
    if (input_event_is(e, "Esc")) {
        m->shop.searching = false;
        m->editing = false;
        return true;
    }
    if (input_event_is(e, "Tab")) { /* the other half has no field to write in */
        m->shop.searching = false;
        m->editing = false;
        run_shop_part(m, fx);
        return true;
    }
    return edit_input(&m->shop.query, e);
}
