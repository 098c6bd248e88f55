/* SPDX-License-Identifier: Apache-2.0 */
/* What happened at the merchant: paid, failed and why, and the steps on the way. Invariant: the
 * dialog says which purchase and which amount it is about before anything is confirmed. */
#include "ui/dialog.h"

#include <stdio.h>
#include "ui/widget_editor.h"
#include "ui/widget_text.h"

#define FIELD_LABEL_CELLS 17

static void paid_draw(const struct view *v, struct canvas_rect area)
{
    static const struct dialog_key keys[] = {
        {"Ctrl-S", "report paid"}, {"Tab", "next field"}, {"Esc", "back"}};
    const struct model_form *form = &v->m->form;

    dialog_draw_keys(v, &area, keys, 3);
    dialog_draw_problem(v, &area);
    dialog_name_purchase(v, dialog_purchase(v), &area);
    widget_editor_draw_line(v->c, layout_take_rows(&area, 1), "Order reference", FIELD_LABEL_CELLS,
                            &form->field[0], form->focus == 0);
    widget_editor_draw_line(v->c, layout_take_rows(&area, 1), "Amount paid", FIELD_LABEL_CELLS,
                            &form->field[1], form->focus == 1);
    view_take_text(v, &area, THEME_DIM, "Both may stay empty when the merchant gave none.");
    layout_take_rows(&area, area.h > 3 ? 1 : 0);
    view_take_text(v, &area, THEME_DEFAULT,
                   "Report paid only when the merchant confirmed the payment. The first report "
                   "counts, and the card is wiped here.");
}

/* Marks at the right that rows of a list are left out. */
static void draw_more(const struct view *v, struct canvas_rect area, int top, int count)
{
    if (top > 0)
        canvas_put_glyph(v->c, area.x + area.w, area.y, THEME_DIM, CANVAS_GLYPH_MORE);
    if (top + area.h < count)
        canvas_put_glyph(v->c, area.x + area.w, area.y + area.h - 1, THEME_DIM, CANVAS_GLYPH_MORE);
}

static void failed_draw(const struct view *v, struct canvas_rect area)
{
    static const struct dialog_key keys[] = {
        {"Ctrl-S", "report failed"}, {"Up Down", "choose"}, {"Esc", "back"}};
    int choice = v->m->form.choice, top = 0;

    dialog_draw_keys(v, &area, keys, 3);
    dialog_draw_problem(v, &area);
    dialog_name_purchase(v, dialog_purchase(v), &area);
    if (area.h > CONTRACT_FAILURE_COUNT + 1)
        view_take_text(v, &area, THEME_DEFAULT,
                       "What happened? If it is not clear whether it was "
                       "paid, take the last one.");
    if (choice >= area.h)
        top = choice - area.h + 1;
    draw_more(v, area, top, CONTRACT_FAILURE_COUNT);
    for (int i = 0; i < area.h && top + i < CONTRACT_FAILURE_COUNT; i++) {
        bool chosen = top + i == choice;

        if (chosen) {
            canvas_put_glyph(v->c, area.x, area.y + i, THEME_SELECTION, CANVAS_GLYPH_BAR);
            canvas_cursor(v->c, area.x, area.y + i, false);
        }
        canvas_put_cut(v->c, area.x + 2, area.y + i, area.w - 2,
                       chosen ? THEME_SELECTED : THEME_DEFAULT,
                       contract_row(CONTRACT_KIND_FAILURE, top + i)->words);
    }
}

static void steps_draw(const struct view *v, struct canvas_rect area)
{
    static const struct dialog_key keys[] = {{"1-8", "tick"}, {"Esc", "back"}};
    const struct model_purchase *p = dialog_purchase(v);
    int choice = v->m->form.choice, top = 0;

    dialog_draw_keys(v, &area, keys, 2);
    dialog_draw_problem(v, &area);
    dialog_name_purchase(v, p, &area);
    if (area.h > CONTRACT_STEP_COUNT + 1)
        view_take_text(v, &area, THEME_DIM,
                       "A step moves no money; ticking one twice is harmless.");
    if (choice >= area.h)
        top = choice - area.h + 1;
    draw_more(v, area, top, CONTRACT_STEP_COUNT);
    for (int i = 0; i < area.h && top + i < CONTRACT_STEP_COUNT; i++) {
        int step = top + i;
        bool done = p && (p->steps_done & (1u << step));
        char text[160];

        snprintf(text, sizeof text, "%d  [%s]  %s", step + 1, done ? "✓" : " ",
                 contract_row(CONTRACT_KIND_STEP, step)->words);
        if (step == choice) {
            canvas_put_glyph(v->c, area.x, area.y + i, THEME_SELECTION, CANVAS_GLYPH_BAR);
            canvas_cursor(v->c, area.x, area.y + i, false);
        }
        canvas_put_cut(v->c, area.x + 2, area.y + i, area.w - 2,
                       step == choice ? THEME_SELECTED : THEME_DEFAULT, text);
    }
}

const struct dialog dialog_paid = {"Report: paid", 72, 16, NULL, paid_draw};
const struct dialog dialog_failed = {"Report: failed", 72, 19, NULL, failed_draw};
const struct dialog dialog_steps = {"Steps at the merchant", 64, 18, NULL, steps_draw};
