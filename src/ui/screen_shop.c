/* SPDX-License-Identifier: Apache-2.0 */
/* The Shop view: gift-card merchants, and products of a marketplace search. Nothing is bought here;
 * Enter fills in a start form. Invariant: a discount reads as the most it can be, an amount is
 * whole and an unknown one is called unknown. */
#include "ui/screen.h"

#include <stdio.h>
#include <string.h>
#include "core/clock.h"
#include "core/str.h"
#include "ui/chrome.h"
#include "ui/widget_editor.h"
#include "ui/widget_list.h"

#define ITEM_ROWS   2
#define INDENT      3
#define LABEL_CELLS 9

/* As many whole amounts as fit, and how many are left out. */
static void amounts_words(const struct view *v, const struct contract_merchant *m, int width,
                          char *out, size_t size)
{
    char text[160], more[64];

    out[0] = '\0';
    if (m->has_range) {
        model_amount(v->m, &m->min, text, sizeof text);
        view_add(out, size, "%s to ", text);
        model_amount(v->m, &m->max, text, sizeof text);
        view_add(out, size, "%s", text);
    }
    for (size_t i = 0; i < m->amount_count; i++) {
        model_amount(v->m, &m->amounts[i], text, sizeof text);
        snprintf(more, sizeof more, " and %zu more", m->amount_count - i);
        if (canvas_width_of(v->c, out) + canvas_width_of(v->c, text) + 2 +
                canvas_width_of(v->c, more) >
            width) {
            view_add(out, size, "%s", more);
            return;
        }
        view_add(out, size, "%s%s", out[0] ? ", " : "", text);
    }
    if (!out[0])
        (void)str_copy(out, size, "amounts unknown");
}

static void discount_words(const struct contract_merchant *m, char *out, size_t size)
{
    out[0] = '\0';
    if (m->discount_permille > 0 && m->discount_permille % 10)
        snprintf(out, size, "up to %d.%d %% off", m->discount_permille / 10,
                 m->discount_permille % 10);
    else if (m->discount_permille > 0)
        snprintf(out, size, "up to %d %% off", m->discount_permille / 10);
}

static void draw_merchant(void *ctx, struct canvas *c, struct canvas_rect area, int index,
                          bool selected)
{
    const struct view *v = ctx;
    const struct contract_merchant *m = &v->m->shop.merchants[index];
    char amounts[VIEW_TEXT_MAX], discount[64], redeem[96];
    int x = area.x + INDENT, w = area.w - INDENT - 1, used;

    canvas_put_pair(c, x, area.y, w, selected ? THEME_SELECTED : THEME_DEFAULT,
                    m->name && m->name[0] ? m->name : "unnamed merchant", THEME_DIM,
                    m->domain ? m->domain : "");
    discount_words(m, discount, sizeof discount);
    amounts_words(v, m, w - 2 - (discount[0] ? canvas_width_of(c, discount) + 2 : 0), amounts,
                  sizeof amounts);
    used = canvas_put(c, x + 2, area.y + 1, THEME_AMOUNT, amounts);
    if (discount[0])
        used += 2 + canvas_put(c, x + 4 + used, area.y + 1, THEME_DEFAULT, discount);
    canvas_put_cut(c, x + 4 + used, area.y + 1, w - 4 - used, THEME_DIM,
                   contract_words(CONTRACT_KIND_REDEEM, &m->redeem_at, redeem, sizeof redeem,
                                  "where it is redeemed is not known"));
}

static void draw_product(void *ctx, struct canvas *c, struct canvas_rect area, int index,
                         bool selected)
{
    const struct view *v = ctx;
    const struct contract_product *p = &v->m->shop.products[index];
    bool marked = index < SHOP_CART_MAX && v->m->shop.chosen[index];
    char name[VIEW_TEXT_MAX], total[160], facts[VIEW_TEXT_MAX], price[160], until[128];
    int x = area.x + INDENT, w = area.w - INDENT - 1;

    snprintf(name, sizeof name, "[%s] ", marked ? "✓" : " ");
    view_add(name, sizeof name, "%s%s%s", p->name ? p->name : "unnamed product",
             p->brand ? " · " : "", p->brand ? p->brand : "");
    view_amount_brief(v, &p->total, total, sizeof total);
    canvas_put_pair(c, x, area.y, w, selected ? THEME_SELECTED : THEME_DEFAULT, name,
                    p->total.disagrees ? THEME_WARNING : THEME_AMOUNT,
                    p->total.known ? total : "total unknown");
    view_amount_brief(v, &p->price, price, sizeof price);
    snprintf(facts, sizeof facts, "%lld x %s", (long long)p->quantity,
             p->price.known ? price : "price unknown");
    if (p->valid_until_ms != CLOCK_NONE) {
        view_until(v, p->valid_until_ms, false, until, sizeof until);
        view_add(facts, sizeof facts, " · this price %s",
                 p->valid_until_ms > v->now_ms ? until : "has expired; search again");
    }
    canvas_put_cut(c, x + 4, area.y + 1, w - 4,
                   p->valid_until_ms != CLOCK_NONE && p->valid_until_ms <= v->now_ms ? THEME_WARNING
                                                                                     : THEME_DIM,
                   facts);
}

/* What stands where there are no rows; NULL when there are. */
static const char *empty_words(const struct shop *s)
{
    if (s->part == SHOP_MERCHANTS) {
        if (s->merchant_count > 0)
            return NULL;
        return s->merchants_loading ? "Reading the gift-card merchants…"
               : s->merchants_read
                   ? "Gift cards are not available here. Tab goes to the marketplace; Ctrl-N "
                     "starts "
                     "a purchase at any merchant."
                   : "The gift-card merchants have not been read yet. r reads them.";
    }
    if (s->searching && s->product_count == 0)
        return "Enter searches, Esc leaves the field. Searching buys nothing.";
    if (s->product_count > 0)
        return NULL;
    return s->products_loading ? "Searching…"
           : s->products_read  ? "Nothing was found. s tries other words."
                               : "s goes to the search: say what you look for. Searching buys "
                                 "nothing.";
}

static void draw_title(const struct view *v, const struct shop *s)
{
    char right[96] = "";

    if (s->part == SHOP_MERCHANTS && s->merchants_read)
        snprintf(right, sizeof right, "%zu merchants · Tab marketplace", s->merchant_count);
    else if (s->part == SHOP_PRODUCTS && s->products_loading)
        (void)str_copy(right, sizeof right, "searching…");
    else if (s->part == SHOP_PRODUCTS && s->products_read)
        snprintf(right, sizeof right, "%zu found · Tab gift cards", s->product_count);
    chrome_draw_title(v, s->part == SHOP_MERCHANTS ? "Shop: gift cards" : "Shop: marketplace",
                      right);
}

void screen_shop_draw(const struct view *v)
{
    const struct shop *s = &v->m->shop;
    bool merchants = s->part == SHOP_MERCHANTS;
    const char *trouble = merchants ? s->merchants_trouble : s->products_trouble;
    const char *empty = empty_words(s);
    struct canvas_rect area = v->l.body, row;
    char text[VIEW_TEXT_MAX];

    draw_title(v, s);
    if (trouble[0]) {
        row = layout_inset(area, 2);
        snprintf(text, sizeof text, "! %s", trouble);
        area.y += view_take_text(v, &row, THEME_WARNING, text);
        area.h = row.h;
    }
    if (!merchants) {
        row = layout_inset(layout_take_rows(&area, 1), 2);
        layout_take_rows(&area, area.h > 4 ? 1 : 0);
    }
    if (empty) {
        struct canvas_rect inside = layout_inset(area, 2);

        canvas_put_wrapped(v->c, inside, THEME_DEFAULT, empty, 0);
        canvas_cursor(v->c, inside.x, inside.y, false);
    } else {
        widget_list_draw(
            v->c, area,
            &(struct widget_list){.count = (int)(merchants ? s->merchant_count : s->product_count),
                                  .item_rows = ITEM_ROWS,
                                  .selected =
                                      (int)(merchants ? s->merchant_selected : s->product_selected),
                                  .top = merchants ? (int)s->merchant_top : 0,
                                  .focused = !s->searching,
                                  .row = merchants ? draw_merchant : draw_product,
                                  .ctx = (void *)v});
    }
    if (!merchants)
        widget_editor_draw_line(v->c, row, "Search", LABEL_CELLS, &s->query, s->searching);
}
