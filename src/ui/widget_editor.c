/* SPDX-License-Identifier: Apache-2.0 */
/* Draws a text that is being written. Must not change it. Invariant: the cursor is on the cell
 * where the next character will appear. */
#include <stdio.h>
#include <string.h>
#include "core/str.h"
#include "ui/widget_editor.h"

#define ROWS_MAX 1024

int widget_editor_wrap(struct canvas_rect area)
{
    return area.w > 2 ? area.w - 1 : 1;
}

/* Cluster by cluster, as app/edit counts cells; what is left of skip cells is not drawn. */
static void draw_clusters(struct canvas *c, struct canvas_rect area, const char *s, size_t len,
                          int skip)
{
    struct canvas_rect old = canvas_clip(c, area);
    int x = area.x - skip;
    for (size_t at = 0; at < len && x < area.x + area.w;) {
        bool hidden;
        size_t n = str_cluster(s + at, len - at);
        int cells = edit_cluster_cells(s + at, n, &hidden);
        if (x < area.x) {
            /* Left of what is shown. A wide character over the edge leaves a blank. */
        } else if (hidden || (canvas_is_ascii(c) && (unsigned char)s[at] >= 0x80)) {
            /* In ASCII a sign could need more cells than the rows were counted with. */
            canvas_put_glyph(c, x, area.y, THEME_WARNING, CANVAS_GLYPH_HIDDEN);
        } else {
            struct canvas_rect cell = {x, area.y, cells, 1};
            struct canvas_rect row = canvas_clip(c, cell);
            canvas_put_n(c, x, area.y, THEME_INPUT, s + at, n);
            canvas_unclip(c, row);
        }
        x += cells;
        at += n;
    }
    canvas_unclip(c, old);
}

int widget_editor_draw(struct canvas *c, struct canvas_rect area, const struct edit *e,
                       bool focused, const char *hint)
{
    struct edit_row rows[ROWS_MAX];
    int wrap = widget_editor_wrap(area);
    size_t count = edit_rows(e, wrap, rows, ROWS_MAX);
    struct edit_place place = edit_place(e, wrap);
    if (area.w <= 0 || area.h <= 0)
        return (int)count;
    int top = place.row >= area.h ? place.row - area.h + 1 : 0;
    canvas_fill(c, area, THEME_INPUT);
    for (int i = 0; i < area.h; i++) {
        size_t index = (size_t)(top + i);
        struct canvas_rect line = {area.x, area.y + i, area.w, 1};
        if (index < count && index < ROWS_MAX)
            draw_clusters(c, line, edit_text(e) + rows[index].start, rows[index].shown, 0);
    }
    if (edit_len(e) == 0 && hint)
        canvas_put_cut(c, area.x + 1, area.y, area.w - 1, THEME_DIM, hint);
    if (focused) {
        int x = area.x + (place.cells < area.w ? place.cells : area.w - 1);
        canvas_cursor(c, x, area.y + place.row - top, true);
    }
    return (int)count;
}

void widget_editor_draw_line(struct canvas *c, struct canvas_rect area, const char *label,
                             int label_width, const struct edit *e, bool focused)
{
    canvas_put_cut(c, area.x, area.y, label_width, focused ? THEME_STRONG : THEME_DIM, label);
    struct canvas_rect field = {area.x + label_width, area.y, area.w - label_width, 1};
    if (field.w <= 0)
        return;
    int at = edit_place(e, 0).cells;
    int skip = at >= field.w ? at - field.w + 1 : 0;
    canvas_fill(c, field, THEME_INPUT);
    draw_clusters(c, field, edit_text(e), edit_len(e), skip);
    if (focused)
        canvas_cursor(c, field.x + at - skip, field.y, true);
}

void widget_editor_count(const struct edit *e, char *out, size_t size)
{
    snprintf(out, size, e->refused ? "%zu of %zu, more does not fit" : "%zu of %zu", edit_count(e),
             e->limit);
}
