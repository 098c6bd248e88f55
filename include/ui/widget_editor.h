/* SPDX-License-Identifier: Apache-2.0 */
/* Draws what app/edit holds: wrapped text, the insertion point, the count. Keeps nothing. */
#ifndef UI_WIDGET_EDITOR_H
#define UI_WIDGET_EDITOR_H

#include <stdbool.h>
#include <stddef.h>
#include "app/edit.h"
#include "ui/canvas.h"

/* The width at which text wraps in area: a column is left for the cursor behind a full row. The
 * model's edit.width_cells is to be this, so that Up and Down move by the rows on screen. */
int widget_editor_wrap(struct canvas_rect area);
/* The text in area, scrolled so that the cursor's row is visible. focused places the terminal's
 * cursor. hint is drawn dim when the text is empty; NULL for none. Returns the rows of the text. */
int widget_editor_draw(struct canvas *c, struct canvas_rect area, const struct edit *e,
                       bool focused, const char *hint);
/* One row with a label of label_width cells before it; a long text shows the part at the cursor. */
void widget_editor_draw_line(struct canvas *c, struct canvas_rect area, const char *label,
                             int label_width, const struct edit *e, bool focused);
/* "17 of 800"; says so when the last insert was refused. */
void widget_editor_count(const struct edit *e, char *out, size_t size);

#endif
