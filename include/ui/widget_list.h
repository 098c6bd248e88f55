/* SPDX-License-Identifier: Apache-2.0 */
/* A list whose items are one or more rows high. The caller knows which index the selected id has
 * now; this only places and draws. Invariant: the selected item is wholly visible if it fits at
 * all. */
#ifndef UI_WIDGET_LIST_H
#define UI_WIDGET_LIST_H

#include <stdbool.h>
#include "ui/canvas.h"

/* First visible item so that selected (or -1) is visible, moved as little as possible from top, and
 * no room is wasted at the end. page: items that fit. */
int widget_list_top(int top, int selected, int count, int page);

/* Draws item index into area; area leaves out the bar's column. */
typedef void widget_list_row_fn(void *ctx, struct canvas *c, struct canvas_rect area, int index,
                                bool selected);

struct widget_list {
    int count;
    int item_rows; /* rows of each item */
    int selected;  /* index, or -1 */
    int top;       /* as kept by the model; drawn with widget_list_top applied */
    bool focused;  /* the cursor is parked at the selected item */
    widget_list_row_fn *row;
    void *ctx;
};

/* Draws the visible items with the bar at the selected one. When items are left out below, the last
 * row says how many if it is free. Returns the top that was drawn. */
int widget_list_draw(struct canvas *c, struct canvas_rect area, const struct widget_list *list);

#endif
