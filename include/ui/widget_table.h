/* SPDX-License-Identifier: Apache-2.0 */
/* Columns that share a width: fixed ones get theirs, the others share the rest. Columns that hold
 * amounts are never cut; others give way in the order of their rank. */
#ifndef UI_WIDGET_TABLE_H
#define UI_WIDGET_TABLE_H

#include <stdbool.h>
#include "ui/canvas.h"

#define WIDGET_TABLE_COLUMNS 12

struct widget_table_column {
    const char *title; /* NULL: none */
    int min;           /* cells; below it the column is left out */
    int max;           /* cells; equal to min: fixed. 0: no limit */
    int rank;          /* 0 stays always; the highest is left out first */
    bool right;        /* right-aligned and never cut */
};

struct widget_table {
    struct widget_table_column columns[WIDGET_TABLE_COLUMNS];
    int count;
    int gap;                          /* blanks between columns */
    int widths[WIDGET_TABLE_COLUMNS]; /* set by widget_table_fit; 0: left out */
};

void widget_table_fit(struct widget_table *t, int width);
/* cells[i] and styles[i] for each column; NULL cells are blank. */
void widget_table_draw_row(struct canvas *c, int x, int y, const struct widget_table *t,
                           const char *const *cells, const unsigned *styles);
void widget_table_draw_titles(struct canvas *c, int x, int y, const struct widget_table *t);

#endif
