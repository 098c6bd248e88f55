/* SPDX-License-Identifier: Apache-2.0 */
/* Optional feedback on a finished purchase: Envoy's prompt, a rating from 1 to 5, some words.
 * Invariant: nothing is chosen beforehand, and skipping it is as good as sending it. */
#include "ui/pane.h"

#include <stdio.h>
#include "core/str.h"
#include "ui/widget_editor.h"

#define ORDER_MIN_ROWS 8

#define KEPT_ROWS 4 /* rating, words, count and a gap */

static void feedback_title(const struct view *v, const struct model_purchase *p, char *left,
                           size_t left_size, char *right, size_t right_size)
{
    (void)v;
    (void)p;
    (void)str_copy(left, left_size, "Feedback");
    (void)str_copy(right, right_size, "optional");
}

static int feedback_rows(const struct view *v, const struct model_purchase *p, int width)
{
    return p->snap ? canvas_wrapped_rows(v->c, p->snap->follow_up.prompt, width) + 8 : 1;
}

static void draw_rating(const struct view *v, struct canvas_rect area, int rating)
{
    int x = area.x + canvas_put(v->c, area.x, area.y, THEME_DEFAULT, "Rating  ");

    for (int i = 1; i <= 5; i++) {
        char text[8];

        snprintf(text, sizeof text, i == rating ? "[%d]" : " %d ", i);
        x += canvas_put(v->c, x, area.y, i == rating ? THEME_STRONG : THEME_DEFAULT, text);
    }
    if (rating == 0)
        x += canvas_put(v->c, x, area.y, THEME_DIM, "  none given");
    canvas_put(v->c, x + 2, area.y, THEME_KEY, view_key(v, "rate-up"));
}

/* The order stays readable while feedback is asked for. */
static void draw_order(const struct view *v, const struct contract_purchase *s,
                       struct canvas_rect *area)
{
    char text[VIEW_TEXT_MAX], amount[160];

    if (!s->receipt.present || area->h < ORDER_MIN_ROWS)
        return;
    model_amount(v->m, &s->receipt.paid, amount, sizeof amount);
    snprintf(text, sizeof text, "Receipt %s", amount);
    if (s->receipt.merchant_order_ref)
        view_add(text, sizeof text, " · order %s", s->receipt.merchant_order_ref);
    view_take_text(v, area, THEME_DEFAULT, text);
    layout_take_rows(area, 1);
}

/* As much as leaves room for rating and words; the review shows it whole. */
static void draw_prompt(const struct view *v, const char *prompt, struct canvas_rect *area)
{
    int rows = canvas_wrapped_rows(v->c, prompt, area->w), most = area->h - KEPT_ROWS;
    struct canvas_rect part = layout_take_rows(area, rows < most ? rows : most > 1 ? most : 1);

    view_take_text(v, &part, THEME_STRONG, prompt);
}

static void feedback_draw(const struct view *v, const struct model_purchase *p,
                          struct canvas_rect area, bool focused)
{
    const struct model_draft *draft;
    bool editing = focused && v->m->editing;
    const char *hint = editing ? "" : "No words written. Enter starts writing.";
    char count[64] = "", write[VIEW_TEXT_MAX];
    const struct model_write *w = &p->writes[MODEL_WRITE_FEEDBACK];

    if (!p->snap)
        return;
    draft = model_draft_view(p, p->snap->follow_up.id);
    if (focused)
        canvas_cursor(v->c, area.x, area.y, false);
    draw_order(v, p->snap, &area);
    draw_prompt(v, p->snap->follow_up.prompt, &area);
    layout_take_rows(&area, area.h > 4 ? 1 : 0);
    draw_rating(v, layout_take_rows(&area, 1), draft ? draft->rating : 0);
    layout_take_rows(&area, area.h > 4 ? 1 : 0);
    if (view_write_words(v, w, write, sizeof write))
        view_take_text(v, &area, w->state == MODEL_WRITE_REFUSED ? THEME_ERROR : THEME_DIM, write);
    if (area.h > 2) {
        struct canvas_rect last = {area.x, area.y + area.h - 1, area.w, 1};

        area.h--;
        if (draft)
            widget_editor_count(&draft->edit, count, sizeof count);
        canvas_put_pair(v->c, last.x, last.y, last.w, THEME_DIM,
                        last.w < 68 ? "Skipping it changes nothing."
                                    : "Skipping it changes nothing. Nothing is sent unreviewed.",
                        THEME_DIM, count);
    }
    if (draft)
        widget_editor_draw(v->c, area, &draft->edit, editing, hint);
    else
        canvas_put_cut(v->c, area.x, area.y, area.w, THEME_INPUT_MARK, hint);
}

const struct pane pane_feedback = {feedback_title, feedback_rows, feedback_draw};
