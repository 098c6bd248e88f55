/* SPDX-License-Identifier: Apache-2.0 */
/* One frame of the console: header, the view that is open, its panes, the dialog on top and the
 * key line, drawn from the model alone. A view is one row of a table of named operations. */
#ifndef UI_SCREEN_H
#define UI_SCREEN_H

#include "app/model.h"
#include "ui/canvas.h"
#include "ui/theme.h"
#include "ui/view.h"

/* Clears c and draws the whole frame. Always places the terminal's cursor: at the insertion point
 * while something is typed, else at the row that has the focus. */
void screen_draw(const struct model *m, struct canvas *c, const struct theme *t);

struct screen_view {
    const char *name;
    bool columns; /* list and detail side by side */
    void (*draw)(const struct view *v);
};
const struct screen_view *screen_view_of(enum model_view view);

void screen_purchases_draw(const struct view *v);
void screen_account_draw(const struct view *v);
void screen_transactions_draw(const struct view *v);
void screen_shop_draw(const struct view *v);
void screen_questions_draw(const struct view *v);
void screen_activity_draw(const struct view *v);
/* Rows that the pane below the timeline is to get in Purchases: the same share for every need, so
 * that it stays where it is, or more when its contents take more. */
int screen_purchases_pane_rows(const struct view *v);

#endif
