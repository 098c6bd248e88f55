/* SPDX-License-Identifier: Apache-2.0 */
/* Shares a width among columns and draws rows. Must not know what columns mean. Invariant: the
 * widths that are given out, with their gaps, never add up to more than the width. */
#include "ui/widget_table.h"

static int used_width(const struct widget_table *t)
{
    int used = 0;
    for (int i = 0; i < t->count; i++) {
        if (t->widths[i] > 0)
            used += t->widths[i] + (used > 0 ? t->gap : 0);
    }
    return used;
}

static bool drop_column(struct widget_table *t)
{
    int drop = -1;
    for (int i = 0; i < t->count; i++) {
        if (t->widths[i] > 0 && t->columns[i].rank > 0 &&
            (drop < 0 || t->columns[i].rank >= t->columns[drop].rank))
            drop = i;
    }
    if (drop >= 0)
        t->widths[drop] = 0;
    return drop >= 0;
}

/* One cell to each column that may grow, round and round, until nothing is left. */
static void share_rest(struct widget_table *t, int rest)
{
    bool grown = true;
    while (rest > 0 && grown) {
        grown = false;
        for (int i = 0; i < t->count && rest > 0; i++) {
            const struct widget_table_column *column = &t->columns[i];
            if (t->widths[i] == 0 || (column->max > 0 && t->widths[i] >= column->max))
                continue;
            t->widths[i]++;
            rest--;
            grown = true;
        }
    }
}

void widget_table_fit(struct widget_table *t, int width)
{
    for (int i = 0; i < t->count; i++)
        t->widths[i] = t->columns[i].min;
    while (used_width(t) > width && drop_column(t))
        continue;
    int over = used_width(t) - width;
    /* Columns that must stay give way as well before anything runs over the edge; amounts last. */
    for (int amounts = 0; amounts < 2; amounts++) {
        for (int i = t->count - 1; i >= 0 && over > 0; i--) {
            if (t->columns[i].right != (amounts == 1))
                continue;
            int give = t->widths[i] < over ? t->widths[i] : over;
            t->widths[i] -= give;
            over = used_width(t) - width;
        }
    }
    share_rest(t, width - used_width(t));
}

void widget_table_draw_row(struct canvas *c, int x, int y, const struct widget_table *t,
                           const char *const *cells, const unsigned *styles)
{
    int at = x;
    for (int i = 0; i < t->count; i++) {
        int width = t->widths[i];
        if (width == 0)
            continue;
        if (at > x)
            at += t->gap;
        if (cells[i] && t->columns[i].right)
            canvas_put_right(c, at, y, width, styles[i], cells[i]);
        else if (cells[i])
            canvas_put_cut(c, at, y, width, styles[i], cells[i]);
        at += width;
    }
}

void widget_table_draw_titles(struct canvas *c, int x, int y, const struct widget_table *t)
{
    const char *titles[WIDGET_TABLE_COLUMNS];
    unsigned styles[WIDGET_TABLE_COLUMNS];
    for (int i = 0; i < t->count; i++) {
        titles[i] = t->columns[i].title;
        styles[i] = THEME_DIM;
    }
    widget_table_draw_row(c, x, y, t, titles, styles);
}
