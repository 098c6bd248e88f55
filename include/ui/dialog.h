/* SPDX-License-Identifier: Apache-2.0 */
/* Dialogs lie over the view and are drawn from the model like everything else: one row of a table
 * for each enum model_dialog. Their fields are struct model_form. */
#ifndef UI_DIALOG_H
#define UI_DIALOG_H

#include "ui/view.h"

struct dialog {
    const char *title;
    int width, height; /* cells wanted, frame included; cut to the body */
    /* NULL, or rows wanted inside for so many cells. */
    int (*rows)(const struct view *v, int width);
    void (*draw)(const struct view *v, struct canvas_rect area); /* inside of the frame */
};
const struct dialog *dialog_of(enum model_dialog dialog); /* NULL for MODEL_DIALOG_NONE */
void dialog_draw(const struct view *v);                   /* the one on top, if any */

/* Splits the last row off area for the dialog's keys and a blank row above it, and draws them. */
struct dialog_key {
    const char *key, *label;
};
void dialog_draw_keys(const struct view *v, struct canvas_rect *area, const struct dialog_key *keys,
                      int count);
/* Draws the form's problem, when it has one, at the bottom of *area and shortens area. */
void dialog_draw_problem(const struct view *v, struct canvas_rect *area);
/* Merchant, amount and the end of the id, so that it is the right one (case H3). */
void dialog_name_purchase(const struct view *v, const struct model_purchase *p,
                          struct canvas_rect *area);
/* The purchase that the form is about; NULL when it is gone. */
const struct model_purchase *dialog_purchase(const struct view *v);

extern const struct dialog dialog_help, dialog_palette, dialog_review, dialog_cancel, dialog_paid,
    dialog_failed, dialog_steps, dialog_quit, dialog_filter, dialog_dates, dialog_line,
    dialog_export, dialog_qr, dialog_call, dialog_start;

#endif
