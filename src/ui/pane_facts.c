/* SPDX-License-Identifier: Apache-2.0 */
/* Order, money and references of a purchase, the wanted ones first. Owns that order. Invariant: a
 * fact that is not known is left out or called unknown, never shown as zero. */
#include "ui/pane.h"

#include <stdio.h>
#include "core/clock.h"
#include "core/str.h"
#include "ui/widget_text.h"

#define FACTS_MAX   24
#define LABEL_CELLS 11

struct fact {
    const char *label;
    unsigned style;
    char text[VIEW_TEXT_MAX];
};

struct facts {
    struct fact items[FACTS_MAX];
    int count;
};

static void add_fact(struct facts *f, const char *label, unsigned style, const char *text)
{
    struct fact *fact = &f->items[f->count];

    if (f->count == FACTS_MAX || !text || !text[0])
        return;
    fact->label = label;
    fact->style = style;
    (void)str_copy(fact->text, sizeof fact->text, text);
    f->count++;
}

static void add_enum(struct facts *f, const char *label, enum contract_kind kind,
                     const struct contract_enum *e)
{
    char words[160];

    if (e->value != CONTRACT_ABSENT)
        add_fact(f, label, e->value == CONTRACT_UNRECOGNISED ? THEME_UNKNOWN : THEME_DEFAULT,
                 contract_words(kind, e, words, sizeof words, ""));
}

static void add_time(const struct view *v, struct facts *f, const char *label, int64_t at_ms)
{
    char text[64];

    if (at_ms == CLOCK_NONE || at_ms == 0)
        return;
    view_time(v, at_ms, text, sizeof text);
    add_fact(f, label, THEME_DEFAULT, text);
}

static void add_money(const struct view *v, struct facts *f, const struct contract_purchase *s)
{
    char amount[160], words[VIEW_TEXT_MAX];

    timeline_money_words(&s->money, &s->state, words, sizeof words);
    if (s->money_paid.known) {
        model_amount(v->m, &s->money_paid, amount, sizeof amount);
        view_add(words, sizeof words, " · %s", amount);
    }
    add_fact(f, "Money",
             s->money.value < 0 || s->money.value == CONTRACT_MONEY_UNKNOWN ? THEME_UNKNOWN
                                                                            : THEME_DEFAULT,
             words);
    if (!s->amount.disagrees)
        return; /* the title says it */
    model_amount(v->m, &s->amount, amount, sizeof amount);
    add_fact(f, "Amount", THEME_WARNING, amount);
}

static void add_receipt(const struct view *v, struct facts *f, const struct contract_purchase *s)
{
    const struct contract_receipt *r = &s->receipt;
    char amount[160], text[VIEW_TEXT_MAX], at[64];
    const char *ref =
        r->present && r->merchant_order_ref ? r->merchant_order_ref : s->money_order_ref;

    add_fact(f, "Order", THEME_DEFAULT, ref);
    if (!r->present)
        return;
    model_amount(v->m, &r->paid, amount, sizeof amount);
    view_time(v, r->completed_at_ms, at, sizeof at);
    snprintf(text, sizeof text, "%s", amount);
    if (r->card_last4[0])
        view_add(text, sizeof text, " · card ends %s", r->card_last4);
    view_add(text, sizeof text, " · completed %s", at);
    add_fact(f, "Receipt", THEME_DEFAULT, text);
}

static void add_route(struct facts *f, const struct contract_purchase *s)
{
    char by[96], rail[96], reason[160], text[VIEW_TEXT_MAX] = "";

    if (s->checkout_by.value != CONTRACT_ABSENT)
        view_add(text, sizeof text, "%s",
                 contract_words(CONTRACT_KIND_CHECKOUT_BY, &s->checkout_by, by, sizeof by, ""));
    if (s->rail.value != CONTRACT_ABSENT)
        view_add(text, sizeof text, "%s%s", text[0] ? " · " : "",
                 contract_words(CONTRACT_KIND_RAIL, &s->rail, rail, sizeof rail, ""));
    if (s->rail_reason.value != CONTRACT_ABSENT)
        view_add(text, sizeof text, "%s%s", text[0] ? " · " : "",
                 contract_words(CONTRACT_KIND_REASON, &s->rail_reason, reason, sizeof reason, ""));
    add_fact(f, "Checkout", THEME_DEFAULT, text);
}

static void add_chain(const struct view *v, struct facts *f, const char *label, const char *id)
{
    const struct model_purchase *p = id[0] ? model_find_view(v->m, id) : NULL;
    char text[VIEW_TEXT_MAX];

    if (!id[0])
        return;
    snprintf(text, sizeof text, "%s%s%s", p ? view_merchant(p) : "", p ? " · " : "", id);
    add_fact(f, label, THEME_DEFAULT, text);
}

static void add_snapshot(const struct view *v, struct facts *f, const struct model_purchase *p)
{
    const struct contract_purchase *s = p->snap;
    char text[VIEW_TEXT_MAX], level[96];

    if (s->state.value == CONTRACT_UNRECOGNISED)
        add_enum(f, "State", CONTRACT_KIND_STATE, &s->state);
    add_fact(f, "Envoy says", THEME_DEFAULT, s->status_text);
    add_enum(f, "Reason", CONTRACT_KIND_REASON, &s->reason);
    add_money(v, f, s);
    add_receipt(v, f, s);
    add_route(f, s);
    add_fact(f, "What", THEME_DEFAULT, s->description);
    if (!s->details_complete && s->details_missing && s->details_missing[0])
        add_fact(f, "Missing", THEME_WARNING, s->details_missing);
    add_enum(f, "Approval", CONTRACT_KIND_APPROVAL, &s->approval_state);
    if (s->payment_closed)
        add_fact(f, "Card", THEME_DEFAULT, "spending access is closed; that proves no refund");
    else
        add_time(v, f, "Card until", s->payment_expires_at_ms);
    add_chain(v, f, "Replaces", s->supersedes);
    add_chain(v, f, "Replaced by", s->superseded_by);
    contract_support_ref(text, p->id);
    add_fact(f, "Support", THEME_DEFAULT, text);
    add_fact(f, "Shop", THEME_DEFAULT, s->merchant_url);
    if (s->agent.display_name && s->agent.display_name[0]) {
        snprintf(text, sizeof text, "%s (%s)", s->agent.display_name,
                 contract_words(CONTRACT_KIND_VERIFICATION, &s->agent.verification, level,
                                sizeof level, "not known whether checked"));
        add_fact(f, "Agent", THEME_DEFAULT, text);
    }
}

static void collect(const struct view *v, struct facts *f, const struct model_purchase *p)
{
    char text[VIEW_TEXT_MAX];

    f->count = 0;
    if (p->trouble[0]) {
        snprintf(text, sizeof text, "! %s", p->trouble);
        add_fact(f, "Last read", THEME_WARNING, text);
    }
    for (int i = 0; i < MODEL_WRITE_KIND_COUNT; i++) {
        enum model_write_state state = p->writes[i].state;

        if ((state == MODEL_WRITE_SENT || state == MODEL_WRITE_REFUSED ||
             state == MODEL_WRITE_SETTLED) &&
            view_write_words(v, &p->writes[i], text, sizeof text))
            add_fact(f, "You", state == MODEL_WRITE_REFUSED ? THEME_ERROR : THEME_DEFAULT, text);
    }
    if (p->snap)
        add_snapshot(v, f, p);
    else
        add_enum(f, "State", CONTRACT_KIND_STATE, &p->state);
    add_time(v, f, "Started", p->created_at_ms);
    add_fact(f, "Purchase", THEME_DIM, p->id);
    add_fact(f, "Request", THEME_DIM, p->request_id);
}

static void facts_title(const struct view *v, const struct model_purchase *p, char *left,
                        size_t left_size, char *right, size_t right_size)
{
    (void)v;
    (void)p;
    (void)right;
    (void)right_size;
    (void)str_copy(left, left_size, "Order and money");
}

static int fact_rows(const struct view *v, const struct fact *fact, int width)
{
    int room = width - LABEL_CELLS - 1;
    int rows = canvas_wrapped_rows(v->c, fact->text, room > 1 ? room : 1);

    return rows > 0 ? rows : 1;
}

static int facts_rows(const struct view *v, const struct model_purchase *p, int width)
{
    struct facts f;
    int rows = 0;

    collect(v, &f, p);
    for (int i = 0; i < f.count; i++)
        rows += fact_rows(v, &f.items[i], width);
    return rows;
}

static void facts_draw(const struct view *v, const struct model_purchase *p,
                       struct canvas_rect area, bool focused)
{
    struct facts f;
    int shown = 0;

    collect(v, &f, p);
    if (focused)
        canvas_cursor(v->c, area.x, area.y, false);
    for (; shown < f.count && area.h > 0; shown++)
        layout_take_rows(&area,
                         widget_text_draw_fact(v->c, area, LABEL_CELLS + 1, f.items[shown].label,
                                               f.items[shown].style, f.items[shown].text));
    if (shown < f.count)
        canvas_put_glyph(v->c, area.x - 1, area.y - 1, THEME_DIM, CANVAS_GLYPH_MORE);
}

const struct pane pane_facts = {facts_title, facts_rows, facts_draw};
