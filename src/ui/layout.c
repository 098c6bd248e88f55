/* SPDX-License-Identifier: Apache-2.0 */
/* The arithmetic of places. Must not draw (but for the divider) and must not know a model.
 * Invariant: columns depend on the size alone. */
#include "ui/layout.h"

#define TALL_ROWS        20 /* two header rows, a blank row below the head and more timeline from here */
#define LIST_WIDTH       28 /* at LAYOUT_TWO_WIDTH */
#define LIST_WIDTH_MAX   52
#define DETAIL_WIDTH_MAX 84 /* lines of the timeline do not get longer than this */
#define HEAD_ROWS        3
#define DIALOG_MARGIN    16
#define TIMELINE_LEAST   4

static struct canvas_rect rect(int x, int y, int w, int h)
{
    return (struct canvas_rect){.x = x, .y = y, .w = w, .h = h};
}

/* One cell more for the list for each five columns that the terminal has more. */
static int list_width(int width)
{
    int w = LIST_WIDTH + (width - LAYOUT_TWO_WIDTH) / 5;
    return w < LIST_WIDTH_MAX ? w : LIST_WIDTH_MAX;
}

static void place_columns(struct layout *l)
{
    struct canvas_rect rule = l->body_rule;
    l->divider_x = -1;
    l->extra_divider_x = -1;
    l->list_rule = rule;
    l->detail_rule = rule;
    if (l->mode == LAYOUT_ONE)
        return;
    l->list_rule.w = list_width(l->width);
    l->divider_x = l->list_rule.w;
    l->detail_rule = rect(l->divider_x + 1, rule.y, l->width - l->divider_x - 1, 1);
    if (l->mode != LAYOUT_THREE)
        return;
    int rest = l->detail_rule.w;
    /* The timeline has two thirds until its lines are as long as is good to read. */
    l->detail_rule.w = rest * 2 / 3 < DETAIL_WIDTH_MAX ? rest * 2 / 3 : DETAIL_WIDTH_MAX;
    l->extra_divider_x = l->detail_rule.x + l->detail_rule.w;
    l->extra_rule = rect(l->extra_divider_x + 1, rule.y, l->width - l->extra_divider_x - 1, 1);
}

static struct canvas_rect below(struct canvas_rect rule, const struct layout *l)
{
    return rect(rule.x, l->body.y, rule.w, rule.w > 0 ? l->body.h : 0);
}

static void place_detail(struct layout *l, int pane_rows)
{
    struct canvas_rect column = below(l->detail_rule, l);
    bool tall = l->height >= TALL_ROWS;
    l->head = layout_take_rows(&column, tall ? HEAD_ROWS : HEAD_ROWS - 1);
    int least = tall ? TIMELINE_LEAST : TIMELINE_LEAST - 1;
    l->timeline = column;
    l->pane_rule = rect(column.x, column.y, column.w, 0);
    l->pane = l->pane_rule;
    if (pane_rows <= 0)
        return;
    int room = column.h - least - 1;
    int rows = pane_rows < room ? pane_rows : room;
    l->timeline = layout_take_rows(&column, column.h - rows - 1);
    l->pane_rule = layout_take_rows(&column, 1);
    l->pane = column;
}

void layout_compute(struct layout *out, int width, int height, int pane_rows)
{
    struct layout l = {.width = width, .height = height, .divider_x = -1, .extra_divider_x = -1};
    if (width < LAYOUT_MIN_WIDTH || height < LAYOUT_MIN_HEIGHT) {
        l.mode = LAYOUT_TOO_SMALL;
        l.header = rect(0, 0, width > 0 ? width : 0, height > 0 ? height : 0);
        *out = l;
        return;
    }
    l.mode = width >= LAYOUT_THREE_WIDTH ? LAYOUT_THREE
             : width >= LAYOUT_TWO_WIDTH ? LAYOUT_TWO
                                         : LAYOUT_ONE;
    int header_rows = l.mode != LAYOUT_ONE && height >= TALL_ROWS ? 2 : 1;
    l.header = rect(0, 0, width, header_rows);
    l.body_rule = rect(0, header_rows, width, 1);
    l.body = rect(0, header_rows + 1, width, height - header_rows - 3);
    l.footer_rule = rect(0, height - 2, width, 1);
    l.footer = rect(0, height - 1, width, 1);
    place_columns(&l);
    l.list = below(l.list_rule, &l);
    l.extra = below(l.extra_rule, &l);
    place_detail(&l, pane_rows);
    *out = l;
}

void layout_draw_frame(const struct layout *l, struct canvas *c, bool columns)
{
    if (l->mode == LAYOUT_TOO_SMALL)
        return;
    int height = l->footer_rule.y - l->body_rule.y + 1;
    canvas_hline(c, l->body_rule.x, l->body_rule.y, l->body_rule.w);
    canvas_hline(c, l->footer_rule.x, l->footer_rule.y, l->footer_rule.w);
    if (columns && l->divider_x >= 0)
        canvas_vline(c, l->divider_x, l->body_rule.y, height);
    if (columns && l->extra_divider_x >= 0)
        canvas_vline(c, l->extra_divider_x, l->body_rule.y, height);
}

struct canvas_rect layout_dialog(const struct layout *l, int want_w, int want_h)
{
    struct canvas_rect room = l->body;
    /* Slivers of the screen at its sides would only confuse. */
    int w = room.w - want_w >= DIALOG_MARGIN ? want_w : room.w;
    int h = want_h < room.h ? want_h : room.h;
    w = w > 0 ? w : 0;
    h = h > 0 ? h : 0;
    return rect(room.x + (room.w - w) / 2, room.y + (room.h - h) / 2, w, h);
}

struct canvas_rect layout_inset(struct canvas_rect r, int cells)
{
    int w = r.w - 2 * cells;
    return w > 0 ? rect(r.x + cells, r.y, w, r.h) : rect(r.x, r.y, 0, r.h);
}

struct canvas_rect layout_take_rows(struct canvas_rect *r, int rows)
{
    int taken = rows < 0 ? 0 : rows < r->h ? rows : r->h;
    struct canvas_rect top = rect(r->x, r->y, r->w, taken);
    r->y += taken;
    r->h -= taken;
    return top;
}
