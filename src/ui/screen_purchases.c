/* SPDX-License-Identifier: Apache-2.0 */
/* The Purchases view: the list, and beside it the selected purchase with its timeline and the pane
 * that it needs now. Owns the look of a list row. Must not keep rows: the selection is an id.
 * Invariant: amount and deadline of a row are whole; merchant and state words give way. */
#include "ui/screen.h"

#include <stdio.h>
#include <string.h>
#include "core/str.h"
#include "ui/chrome.h"
#include "ui/pane.h"
#include "ui/widget_list.h"

#define LIST_ITEM_ROWS 2
#define IN_THE_APP     " in the Envoy app"
#define LIST_INDENT    3 /* glyph and the blanks around it */

struct list_ctx {
    const struct view *v;
    const struct model_purchase *rows[VIEW_PURCHASES_MAX];
    int count, selected;
};

static void draw_amount_row(const struct view *v, const struct model_purchase *p,
                            struct canvas_rect r, bool selected)
{
    char amount[160];
    unsigned style = selected ? THEME_SELECTED : THEME_DEFAULT;

    view_amount_brief(v, &p->amount, amount, sizeof amount);
    if (!p->amount.known)
        (void)str_copy(amount, sizeof amount, "amount unknown");
    canvas_put_pair(v->c, r.x, r.y, r.w, style, view_merchant(p),
                    p->amount.disagrees ? THEME_WARNING : THEME_AMOUNT, amount);
}

/* A deadline stays whole and the words before it are cut; a mere age is left out instead. */
static void draw_state_row(const struct view *v, const struct model_purchase *p,
                           struct canvas_rect r)
{
    char words[VIEW_TEXT_MAX], since[VIEW_TEXT_MAX], brief[VIEW_TEXT_MAX];
    unsigned style = view_glyph_style(model_glyph(v->m, p));
    const char *right = since;
    int width;

    model_state_words(v->m, p, words, sizeof words);
    model_since_words(v->m, p, since, sizeof since);
    width = canvas_width_of(v->c, words) + 1;
    if (width + canvas_width_of(v->c, since) > r.w && strstr(words, IN_THE_APP)) {
        *strstr(words, IN_THE_APP) = '\0'; /* what to do says more than where */
        width = canvas_width_of(v->c, words) + 1;
    }
    if (width + canvas_width_of(v->c, since) > r.w && str_starts(since, "until ") &&
        p->state.value == CONTRACT_STATE_WAITING_FOR_USER) {
        snprintf(brief, sizeof brief, "to %s", since + strlen("until "));
        right = brief;
    } else if (width + canvas_width_of(v->c, since) > r.w && !model_is_stale(v->m, p) &&
               !str_starts(since, "time is up")) {
        canvas_put_cut(v->c, r.x, r.y, r.w, style, words);
        return;
    }
    canvas_put_pair(v->c, r.x, r.y, r.w, style, words,
                    model_is_stale(v->m, p) ? THEME_STALE : THEME_DIM, right);
}

static void draw_list_row(void *ctx, struct canvas *c, struct canvas_rect area, int index,
                          bool selected)
{
    const struct list_ctx *list = ctx;
    const struct view *v = list->v;
    const struct model_purchase *p = list->rows[index];
    enum contract_glyph glyph = model_glyph(v->m, p);
    int margin = area.w >= 32 ? 2 : 1;
    struct canvas_rect r = {area.x + LIST_INDENT, area.y, area.w - LIST_INDENT - margin, 1};

    canvas_put_glyph(c, area.x + 1, area.y, view_glyph_style(glyph), (enum canvas_glyph)glyph);
    draw_amount_row(v, p, r, selected);
    r.y++;
    draw_state_row(v, p, r);
}

static void list_title(const struct view *v, const struct list_ctx *list)
{
    const struct model *m = v->m;
    char right[160] = "", title[128] = "Purchases";

    if (m->filter[0]) {
        snprintf(title, sizeof title, "/%s", m->filter);
        snprintf(right, sizeof right, "%d of %zu", list->count, m->purchase_count);
    } else if (m->list_truncated && v->l.list_rule.w >= 36) {
        (void)str_copy(right, sizeof right, "older ones not listed");
    }
    canvas_rule(v->c, v->l.list_rule.x, v->l.list_rule.y, v->l.list_rule.w,
                m->pane == MODEL_PANE_LIST ? THEME_TITLE_FOCUS : THEME_TITLE, title, THEME_DIM,
                right[0] ? right : NULL);
}

static void draw_list_empty(const struct view *v, struct canvas_rect area)
{
    const struct model *m = v->m;
    char text[VIEW_TEXT_MAX];

    area = layout_inset(area, 2);
    if (m->purchase_count > 0)
        snprintf(text, sizeof text, "No purchase matches \"%s\". Esc shows all %zu again.",
                 m->filter, m->purchase_count);
    else if (m->list_trouble[0])
        return;
    else if (!m->list_read)
        (void)str_copy(text, sizeof text, "Reading your purchases…");
    else if (view_key(v, "start")[0])
        snprintf(text, sizeof text,
                 "No purchases yet. Start one with %s, or let an agent start one; it appears here.",
                 view_key(v, "start"));
    else
        (void)str_copy(text, sizeof text,
                       "No purchases yet. When an agent starts one, it appears here.");
    canvas_put_wrapped(v->c, area, THEME_DEFAULT, text, 0);
    canvas_cursor(v->c, area.x, area.y, false);
}

static void draw_list(const struct view *v)
{
    struct list_ctx ctx = {.v = v, .selected = -1};
    struct canvas_rect area = v->l.list;
    size_t shown = model_visible(v->m, ctx.rows, VIEW_PURCHASES_MAX);
    char text[VIEW_TEXT_MAX];

    ctx.count = (int)(shown < VIEW_PURCHASES_MAX ? shown : VIEW_PURCHASES_MAX);
    for (int i = 0; i < ctx.count; i++) {
        if (strcmp(ctx.rows[i]->id, v->m->selected) == 0)
            ctx.selected = i;
    }
    list_title(v, &ctx);
    if (v->m->list_trouble[0]) {
        struct canvas_rect part = layout_inset(area, 1);
        int rows;

        snprintf(text, sizeof text, "! List not read: %s", v->m->list_trouble);
        rows = canvas_wrapped_rows(v->c, text, part.w);
        part.y = area.y + area.h - rows;
        part.h = rows;
        canvas_put_wrapped(v->c, part, THEME_WARNING, text, 0);
        area.h -= rows;
    }
    if (ctx.count == 0) {
        draw_list_empty(v, area);
        return;
    }
    widget_list_draw(v->c, area,
                     &(struct widget_list){.count = ctx.count,
                                           .item_rows = LIST_ITEM_ROWS,
                                           .selected = ctx.selected,
                                           .top = (int)v->m->list_top,
                                           .focused = v->m->pane == MODEL_PANE_LIST,
                                           .row = draw_list_row,
                                           .ctx = &ctx});
}

static void draw_detail_title(const struct view *v, const struct model_purchase *p)
{
    char name[VIEW_TEXT_MAX], amount[160];
    struct canvas_rect r = v->l.detail_rule;
    const struct contract_amount *a = view_purchase_amount(p);

    model_amount(v->m, a, amount, sizeof amount);
    if (!a->known)
        (void)str_copy(amount, sizeof amount, "amount unknown");
    else if (canvas_width_of(v->c, amount) + 16 > r.w)
        view_amount_brief(v, a, amount, sizeof amount);
    view_purchase_name(p, name, sizeof name);
    if (r.w < 60)
        (void)str_copy(name, sizeof name, view_merchant(p));
    canvas_rule(v->c, r.x, r.y, r.w,
                v->m->pane == MODEL_PANE_TIMELINE ? THEME_TITLE_FOCUS : THEME_TITLE, name,
                a->disagrees ? THEME_WARNING : THEME_AMOUNT, amount);
}

/* Blanks at both sides of a pane's contents. */
static int pane_indent(const struct view *v)
{
    return v->l.mode == LAYOUT_ONE ? 1 : LAYOUT_EDIT_INDENT;
}

static void draw_pane(const struct view *v, const struct model_purchase *p, enum model_need need)
{
    const struct pane *pane = pane_of(need);
    bool focused = v->m->pane == MODEL_PANE_NEED;
    char left[VIEW_TEXT_MAX] = "", right[VIEW_TEXT_MAX] = "";
    struct canvas_rect r = v->l.pane_rule;

    if (v->l.pane.h <= 0)
        return;
    pane->title(v, p, left, sizeof left, right, sizeof right);
    canvas_rule(v->c, r.x, r.y, r.w, focused ? THEME_TITLE_FOCUS : THEME_TITLE, left, THEME_DIM,
                right[0] ? right : NULL);
    pane->draw(v, p, layout_inset(v->l.pane, pane_indent(v)), focused);
}

static void draw_extra(const struct view *v, const struct model_purchase *p)
{
    char left[VIEW_TEXT_MAX] = "", right[VIEW_TEXT_MAX] = "";
    struct canvas_rect r = v->l.extra_rule;

    pane_facts.title(v, p, left, sizeof left, right, sizeof right);
    canvas_rule(v->c, r.x, r.y, r.w, THEME_TITLE, left, THEME_DIM, right[0] ? right : NULL);
    pane_facts.draw(v, p, layout_inset(v->l.extra, pane_indent(v)), false);
}

static bool has_extra(const struct view *v)
{
    return v->l.extra.w > 0 && v->l.extra.h > 0;
}

static void draw_detail(const struct view *v)
{
    const struct model_purchase *p = model_selected(v->m);
    struct canvas_rect timeline;
    enum model_need need;

    if (!p) {
        canvas_rule(v->c, v->l.detail_rule.x, v->l.detail_rule.y, v->l.detail_rule.w, THEME_TITLE,
                    "No purchase selected", THEME_DIM, NULL);
        return;
    }
    need = model_need(v->m, p);
    draw_detail_title(v, p);
    pane_timeline_draw_head(v, p, layout_inset(v->l.head, pane_indent(v)));
    timeline = layout_inset(v->l.timeline, pane_indent(v));
    timeline.w++; /* its money column may come as near to the edge as a list's amounts do */
    pane_timeline_draw(v, p, timeline, v->m->pane == MODEL_PANE_TIMELINE);
    if (has_extra(v))
        draw_extra(v, p);
    if (!has_extra(v) || need != MODEL_NEED_FACTS)
        draw_pane(v, p, need);
}

void screen_purchases_draw(const struct view *v)
{
    bool one = v->l.mode == LAYOUT_ONE;

    if (!one || v->m->pane == MODEL_PANE_LIST || !model_selected(v->m))
        draw_list(v);
    if (!one || (v->m->pane != MODEL_PANE_LIST && model_selected(v->m)))
        draw_detail(v);
}

int screen_purchases_pane_rows(const struct view *v)
{
    const struct model_purchase *p = model_selected(v->m);
    int share = (v->l.head.h + v->l.timeline.h) * (v->l.mode == LAYOUT_ONE ? 9 : 11) / 20;
    enum model_need need;
    int rows;

    if (!p)
        return 0;
    need = model_need(v->m, p);
    if (need == MODEL_NEED_FACTS && has_extra(v))
        return 0;
    rows = pane_of(need)->rows(v, p, v->l.timeline.w - 2 * pane_indent(v));
    return rows > share ? rows : share;
}
