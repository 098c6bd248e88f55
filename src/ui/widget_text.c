/* SPDX-License-Identifier: Apache-2.0 */
/* Scrolling text, facts with labels, dialog frames. Must not know what they say. */
#include "ui/layout.h"
#include "ui/widget_text.h"

#define MARGIN 2

int widget_text_draw(struct canvas *c, struct canvas_rect area, unsigned style, const char *text,
                     int *top)
{
    struct canvas_rect inner = area;
    inner.w -= 1; /* for the marks */
    int rows = canvas_wrapped_rows(c, text, inner.w);
    int last = rows > area.h ? rows - area.h : 0;
    if (*top > last)
        *top = last;
    if (*top < 0)
        *top = 0;
    canvas_put_wrapped(c, inner, style, text, *top);
    int right = area.x + area.w - 1;
    if (area.h > 0 && *top > 0)
        canvas_put_glyph(c, right, area.y, THEME_DIM, CANVAS_GLYPH_MORE);
    if (area.h > 0 && *top < last)
        canvas_put_glyph(c, right, area.y + area.h - 1, THEME_DIM, CANVAS_GLYPH_MORE);
    return rows;
}

int widget_text_draw_fact(struct canvas *c, struct canvas_rect area, int label_width,
                          const char *label, unsigned value_style, const char *value)
{
    if (area.h <= 0)
        return 0;
    canvas_put_cut(c, area.x, area.y, label_width, THEME_DIM, label);
    struct canvas_rect room = {area.x + label_width, area.y, area.w - label_width, area.h};
    int rows = canvas_put_wrapped(c, room, value_style, value, 0);
    rows = rows < 1 ? 1 : rows;
    return rows < area.h ? rows : area.h;
}

struct canvas_rect widget_text_dialog(struct canvas *c, struct canvas_rect area, const char *title)
{
    /* A blank column at each side keeps what lies behind from touching it. */
    canvas_fill(c, (struct canvas_rect){area.x - 1, area.y, area.w + 2, area.h}, THEME_DEFAULT);
    if (area.h < 3 || area.w < 4)
        return (struct canvas_rect){area.x, area.y, 0, 0};
    canvas_rule(c, area.x, area.y, area.w, THEME_TITLE_FOCUS, title, THEME_DIM, NULL);
    canvas_hline(c, area.x, area.y + area.h - 1, area.w);
    struct canvas_rect inner = {area.x, area.y + 1, area.w, area.h - 2};
    if (inner.h > 4) {
        inner.y++;
        inner.h -= 2;
    }
    return layout_inset(inner, MARGIN);
}
