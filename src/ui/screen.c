/* SPDX-License-Identifier: Apache-2.0 */
/* Composes a frame. Owns the table of views and the order of drawing; knows no contents. Invariant:
 * every frame ends with the terminal's cursor placed somewhere that means something. */
#include "ui/screen.h"

#include "ui/chrome.h"
#include "ui/dialog.h"
#include "ui/layout.h"

static const struct screen_view views[MODEL_VIEW_COUNT] = {
    [MODEL_VIEW_PURCHASES] = {"purchases", true, screen_purchases_draw},
    [MODEL_VIEW_ACCOUNT] = {"account", false, screen_account_draw},
    [MODEL_VIEW_TRANSACTIONS] = {"transactions", false, screen_transactions_draw},
    [MODEL_VIEW_SHOP] = {"shop", false, screen_shop_draw},
    [MODEL_VIEW_QUESTIONS] = {"questions", false, screen_questions_draw},
    [MODEL_VIEW_ACTIVITY] = {"activity", false, screen_activity_draw},
};

const struct screen_view *screen_view_of(enum model_view view)
{
    return &views[view];
}

void screen_draw(const struct model *m, struct canvas *c, const struct theme *t)
{
    struct view v = {.m = m, .t = t, .c = c, .now_ms = model_now_ms(m)};
    const struct screen_view *view = screen_view_of(m->view);

    canvas_clear(c);
    layout_compute(&v.l, canvas_width(c), canvas_height(c), 0);
    if (v.l.mode == LAYOUT_TOO_SMALL) {
        chrome_draw_too_small(&v);
        return;
    }
    if (view->columns)
        layout_compute(&v.l, canvas_width(c), canvas_height(c), screen_purchases_pane_rows(&v));
    layout_draw_frame(&v.l, c, view->columns);
    view->draw(&v);
    chrome_draw_footer(&v);
    dialog_draw(&v);
    chrome_draw_header(&v); /* last: in a small terminal long news takes a row below it */
    if (!canvas_cursor_view(c).placed)
        canvas_cursor(c, v.l.body_rule.x, v.l.body_rule.y, false);
}
