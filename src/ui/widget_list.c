/* SPDX-License-Identifier: Apache-2.0 */
/* Places and draws list items. Must not know what an item is. Invariant: the rows of an item are
 * drawn all or not at all. */
#include <stdio.h>
#include "ui/widget_list.h"

int widget_list_top(int top, int selected, int count, int page)
{
    if (page < 1)
        page = 1;
    if (top > count - page)
        top = count - page;
    if (top < 0)
        top = 0;
    if (selected >= 0 && selected < top)
        return selected;
    if (selected >= top + page)
        return selected - page + 1;
    return top;
}

int widget_list_draw(struct canvas *c, struct canvas_rect area, const struct widget_list *list)
{
    int page = list->item_rows > 0 ? area.h / list->item_rows : 0;
    if (page == 0 || area.w < 2)
        return list->top;
    int top = widget_list_top(list->top, list->selected, list->count, page);
    int y = area.y;
    int index = top;
    for (; index < list->count && index < top + page; index++, y += list->item_rows) {
        struct canvas_rect row = {area.x, y, area.w, list->item_rows};
        struct canvas_rect old = canvas_clip(c, row);
        bool selected = index == list->selected;
        for (int i = 0; selected && i < list->item_rows; i++)
            canvas_put_glyph(c, area.x, y + i, THEME_SELECTION, CANVAS_GLYPH_BAR);
        if (selected && list->focused)
            canvas_cursor(c, area.x, y, false);
        row.x++;
        row.w--;
        list->row(list->ctx, c, row, index, selected);
        canvas_unclip(c, old);
    }
    if (index < list->count && y < area.y + area.h) {
        char text[32];
        snprintf(text, sizeof(text), "%d more", list->count - index);
        canvas_put_cut(c, area.x + 2, y, area.w - 2, THEME_DIM, text);
    }
    return top;
}
