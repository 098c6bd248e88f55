/* SPDX-License-Identifier: Apache-2.0 */
/* Draws the dialog on top of the stack: its frame, its place, and what all of them share. Contents
 * are one row of the table each. Invariant: a dialog names what it is about by the id that was
 * fixed when it opened, not by what is selected now. */
#include "ui/dialog.h"

#include <string.h>
#include "ui/widget_keys.h"
#include "ui/widget_text.h"

#define FRAME_ROWS  4 /* rules and blank rows around the contents */
#define FRAME_CELLS 4

const struct dialog *dialog_of(enum model_dialog dialog)
{
    static const struct dialog *const dialogs[] = {
        [MODEL_DIALOG_NONE] = NULL,
        [MODEL_DIALOG_HELP] = &dialog_help,
        [MODEL_DIALOG_PALETTE] = &dialog_palette,
        [MODEL_DIALOG_REVIEW] = &dialog_review,
        [MODEL_DIALOG_CANCEL] = &dialog_cancel,
        [MODEL_DIALOG_PAID] = &dialog_paid,
        [MODEL_DIALOG_FAILED] = &dialog_failed,
        [MODEL_DIALOG_STEPS] = &dialog_steps,
        [MODEL_DIALOG_QUIT] = &dialog_quit,
        [MODEL_DIALOG_FILTER] = &dialog_filter,
        [MODEL_DIALOG_DATES] = &dialog_dates,
        [MODEL_DIALOG_LINE] = &dialog_line,
        [MODEL_DIALOG_EXPORT] = &dialog_export,
        [MODEL_DIALOG_QR] = &dialog_qr,
        [MODEL_DIALOG_CALL] = &dialog_call,
        [MODEL_DIALOG_START] = &dialog_start,
    };

    return dialogs[dialog];
}

static struct canvas_rect body_of(const struct view *v)
{
    int top = v->l.header.y + v->l.header.h;

    return (struct canvas_rect){0, top, v->l.width, v->l.footer_rule.y - top};
}

void dialog_draw(const struct view *v)
{
    const struct dialog *dialog = dialog_of(model_dialog(v->m));
    struct canvas_rect outer, inner;
    int height;

    if (!dialog)
        return;
    height = dialog->height;
    if (dialog->rows) {
        int width = dialog->width < v->l.width ? dialog->width : v->l.width;

        height = dialog->rows(v, width - FRAME_CELLS) + FRAME_ROWS;
    }
    outer = layout_dialog(&v->l, dialog->width, height);
    /* Nothing but the dialog stands in its rows, and what is around it steps back. */
    canvas_restyle(v->c, body_of(v), THEME_DIM);
    canvas_fill(v->c, (struct canvas_rect){0, outer.y, v->l.width, outer.h}, THEME_DEFAULT);
    inner = widget_text_dialog(v->c, outer, dialog->title);
    canvas_cursor(v->c, inner.x, inner.y, false);
    dialog->draw(v, inner);
}

void dialog_draw_keys(const struct view *v, struct canvas_rect *area, const struct dialog_key *keys,
                      int count)
{
    struct widget_key shown[8];
    int used = 0;

    for (int i = 0; i < count && used < 8; i++) {
        if (keys[i].key && keys[i].key[0])
            shown[used++] = (struct widget_key){keys[i].key, keys[i].label};
    }
    if (area->h < 1)
        return;
    widget_keys_draw(v->c, (struct canvas_rect){area->x - 1, area->y + area->h - 1, area->w + 1, 1},
                     shown, used);
    area->h -= area->h > 3 ? 2 : 1;
}

void dialog_draw_problem(const struct view *v, struct canvas_rect *area)
{
    const char *problem = v->m->form.problem;
    int rows;

    if (!problem[0])
        return;
    rows = canvas_wrapped_rows(v->c, problem, area->w);
    if (rows >= area->h)
        rows = area->h - 1;
    if (rows < 1)
        return;
    area->h -= rows;
    canvas_put_wrapped(v->c, (struct canvas_rect){area->x, area->y + area->h, area->w, rows},
                       THEME_ERROR, problem, 0);
    area->h -= area->h > 3 ? 1 : 0;
}

const struct model_purchase *dialog_purchase(const struct view *v)
{
    return v->m->form.purchase[0] ? model_find_view(v->m, v->m->form.purchase) : NULL;
}

void dialog_name_purchase(const struct view *v, const struct model_purchase *p,
                          struct canvas_rect *area)
{
    char text[VIEW_TEXT_MAX], amount[160];
    size_t len;

    if (!p) {
        view_take_text(v, area, THEME_WARNING, "This purchase is no longer listed.");
        return;
    }
    len = strlen(p->id);
    view_purchase_name(p, text, sizeof text);
    model_amount(v->m, view_purchase_amount(p), amount, sizeof amount);
    view_add(text, sizeof text, " · %s · …%s", amount, p->id + (len > 6 ? len - 6 : 0));
    view_take_text(v, area, THEME_STRONG, text);
    layout_take_rows(area, area->h > 8 ? 1 : 0);
}
