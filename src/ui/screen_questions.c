/* SPDX-License-Identifier: Apache-2.0 */
/* The Questions view: every open question of all purchases in one place. Nothing is answered here:
 * Enter goes to the purchase. Invariant: a question is listed by its purchase, never by a row. */
#include "ui/screen.h"

#include <stdio.h>
#include <string.h>
#include "core/str.h"
#include "ui/chrome.h"
#include "ui/widget_list.h"

#define ITEM_ROWS 2

struct questions_ctx {
    const struct view *v;
    const struct model_purchase *rows[VIEW_PURCHASES_MAX];
    int count, selected;
};

static void draw_question(void *ctx, struct canvas *c, struct canvas_rect area, int index,
                          bool selected)
{
    const struct questions_ctx *list = ctx;
    const struct view *v = list->v;
    const struct model_purchase *p = list->rows[index];
    const struct contract_question *q = model_open_question(p);
    const struct model_draft *draft = model_draft_view(p, q->id);
    char name[VIEW_TEXT_MAX], right[160], kind[96], at[64];
    enum contract_glyph glyph = model_glyph(v->m, p);
    int x = area.x + 3, w = area.w - 4;

    view_purchase_name(p, name, sizeof name);
    view_time(v, q->asked_at_ms, at, sizeof at);
    snprintf(right, sizeof right, "%s%s · asked %s",
             draft && !edit_is_empty(&draft->edit) ? "draft · " : "",
             contract_words(CONTRACT_KIND_QUESTION, &q->kind, kind, sizeof kind, "kind unknown"),
             at);
    canvas_put_glyph(c, area.x + 1, area.y, view_glyph_style(glyph), (enum canvas_glyph)glyph);
    canvas_put_pair(c, x, area.y, w, selected ? THEME_SELECTED : THEME_DEFAULT, name, THEME_DIM,
                    right);
    canvas_put_cut(c, x, area.y + 1, w, THEME_NEEDS_YOU, q->prompt);
}

void screen_questions_draw(const struct view *v)
{
    const struct model *m = v->m;
    struct questions_ctx ctx = {.v = v, .selected = -1};
    struct canvas_rect area = v->l.body;
    char right[96] = "";

    for (size_t i = 0; i < m->purchase_count && ctx.count < VIEW_PURCHASES_MAX; i++) {
        const struct model_purchase *p = &m->purchases[i];

        if (!model_open_question(p))
            continue;
        if (strcmp(p->id, m->selected) == 0)
            ctx.selected = ctx.count;
        ctx.rows[ctx.count++] = p;
    }
    if (ctx.count > 0)
        snprintf(right, sizeof right, "%d open · Enter goes there", ctx.count);
    chrome_draw_title(v, "Questions", right);
    if (ctx.count == 0) {
        area = layout_inset(area, 2);
        canvas_put_wrapped(v->c, area, THEME_DEFAULT,
                           "No open questions. When a merchant or Envoy asks something, it waits "
                           "here until you answer.",
                           0);
        canvas_cursor(v->c, area.x, area.y, false);
        return;
    }
    widget_list_draw(v->c, area,
                     &(struct widget_list){.count = ctx.count,
                                           .item_rows = ITEM_ROWS,
                                           .selected = ctx.selected,
                                           .top = (int)m->questions_top,
                                           .focused = true,
                                           .row = draw_question,
                                           .ctx = &ctx});
}
