/* SPDX-License-Identifier: Apache-2.0 */
/* The Transactions view: one row a line as in the Envoy app, newest first, pages appended. Owns the
 * columns. Invariant: the amount keeps its sign and is never cut; the last row says whether more is
 * to come, is being read, could not be read, or is not there. */
#include "ui/screen.h"

#include <stdio.h>
#include <string.h>
#include "core/clock.h"
#include "core/str.h"
#include "ui/chrome.h"
#include "ui/widget_list.h"
#include "ui/widget_table.h"

#define LINES_MAX 16384 /* rows that the list can scroll over */

enum column {
    COLUMN_TIME,
    COLUMN_TITLE,
    COLUMN_BY,
    COLUMN_KIND,
    COLUMN_STATUS,
    COLUMN_CARD,
    COLUMN_AMOUNT,
    COLUMN_COUNT
};

struct lines_ctx {
    const struct view *v;
    struct widget_table table;
    const struct contract_line *rows[LINES_MAX];
    int count, selected;
};

static void set_columns(struct widget_table *t, int width)
{
    *t = (struct widget_table){.columns = {[COLUMN_TIME] = {"When", 12, 12, 0, false},
                                           [COLUMN_TITLE] = {"What", 14, 0, 0, false},
                                           [COLUMN_BY] = {"By", 12, 24, 3, false},
                                           [COLUMN_KIND] = {"Kind", 11, 11, 2, false},
                                           [COLUMN_STATUS] = {"Status", 15, 15, 1, false},
                                           [COLUMN_CARD] = {"Card", 12, 12, 4, false},
                                           [COLUMN_AMOUNT] = {"Amount", 15, 15, 0, true}},
                               .count = COLUMN_COUNT,
                               .gap = 2};
    if (width < 110)
        t->columns[COLUMN_CARD].min = t->columns[COLUMN_CARD].max = width;
    widget_table_fit(t, width);
}

/* "−₹450.00", "+₹5,000.00", and no sign where no money moved or the direction is not known. */
static void signed_amount(const struct view *v, const struct contract_line *l, char *out,
                          size_t size)
{
    char amount[160];

    view_amount_brief(v, &l->amount, amount, sizeof amount);
    snprintf(out, size, "%s%s",
             !l->amount.known                                  ? ""
             : l->direction.value == CONTRACT_DIRECTION_DEBIT  ? "−"
             : l->direction.value == CONTRACT_DIRECTION_CREDIT ? "+"
             : l->direction.value == CONTRACT_DIRECTION_NONE   ? ""
                                                               : "? ",
             amount);
}

static unsigned status_style(const struct contract_enum *status)
{
    const struct contract_row *row = contract_row(CONTRACT_KIND_LINE_STATUS, status->value);

    if (!row)
        return THEME_UNKNOWN;
    return row->glyph == CONTRACT_GLYPH_WELL ? (unsigned)THEME_DEFAULT
                                             : view_glyph_style(row->glyph);
}

static void draw_line(void *ctx, struct canvas *c, struct canvas_rect area, int index,
                      bool selected)
{
    const struct lines_ctx *lines = ctx;
    const struct contract_line *l = lines->rows[index];
    char when[CLOCK_TEXT_MAX], kind[96], status[96], card[96], amount[200];
    unsigned plain = selected ? THEME_SELECTED : THEME_DEFAULT;
    const char *cells[COLUMN_COUNT];
    unsigned styles[COLUMN_COUNT];

    view_day(lines->v, l->occurred_at_ms, when, sizeof when);
    signed_amount(lines->v, l, amount, sizeof amount);
    cells[COLUMN_TIME] = when;
    cells[COLUMN_TITLE] = l->title;
    cells[COLUMN_BY] = l->subtitle;
    cells[COLUMN_KIND] =
        contract_words(CONTRACT_KIND_LINE_KIND, &l->kind, kind, sizeof kind, "unknown");
    cells[COLUMN_STATUS] =
        contract_words(CONTRACT_KIND_LINE_STATUS, &l->status, status, sizeof status, "unknown");
    cells[COLUMN_CARD] = contract_words(CONTRACT_KIND_LINE_CARD, &l->card, card, sizeof card, "");
    cells[COLUMN_AMOUNT] = amount;
    for (int i = 0; i < COLUMN_COUNT; i++)
        styles[i] = plain;
    styles[COLUMN_BY] = styles[COLUMN_CARD] = THEME_DIM;
    styles[COLUMN_STATUS] = status_style(&l->status);
    styles[COLUMN_AMOUNT] = l->amount.disagrees ? (unsigned)THEME_WARNING : (unsigned)THEME_AMOUNT;
    widget_table_draw_row(c, area.x + 1, area.y, &lines->table, cells, styles);
}

static void title_words(const struct view *v, size_t shown, char *out, size_t size)
{
    const struct model_lines *l = &v->m->lines;

    if (l->from[0] || l->to[0])
        snprintf(out, size, "%s to %s", l->from[0] ? l->from : "the first",
                 l->to[0] ? l->to : "now");
    else
        (void)str_copy(out, size, "all dates");
    if (v->m->filter[0])
        view_add(out, size, " · /%s · %zu of %zu", v->m->filter, shown, l->count);
    else if (l->count > 0)
        view_add(out, size, " · %zu shown", shown);
    if (l->count > 0)
        view_add(out, size, l->ended ? ", all there are" : ", more");
}

/* What stands below the last line. */
static unsigned end_words(const struct view *v, size_t shown, char *out, size_t size)
{
    const struct model_lines *l = &v->m->lines;

    out[0] = '\0';
    if (l->trouble[0]) {
        snprintf(out, size, "! Not read: %s", l->trouble);
        if (view_key(v, "refresh")[0])
            view_add(out, size, ". %s reads the newest again", view_key(v, "refresh"));
        return THEME_WARNING;
    }
    if (l->loading)
        (void)str_copy(out, size,
                       l->count ? "reading the next page…" : "reading your transactions…");
    else if (l->ended && l->count == 0)
        (void)str_copy(out, size,
                       l->from[0] || l->to[0] ? "No transactions between these dates."
                                              : "No transactions yet.");
    else if (v->m->filter[0] && shown == 0)
        snprintf(out, size, "Nothing read so far matches \"%s\".", v->m->filter);
    else if (l->ended)
        (void)str_copy(out, size, "end of the list");
    else
        (void)str_copy(out, size,
                       l->started ? "more below: go down to read the next page" : "not read yet");
    return THEME_DIM;
}

void screen_transactions_draw(const struct view *v)
{
    const struct model *m = v->m;
    struct lines_ctx ctx;
    struct canvas_rect area = v->l.body, titles, end;
    size_t shown = model_lines_visible(m, ctx.rows, LINES_MAX);
    char text[VIEW_TEXT_MAX];
    unsigned style;
    int rows;

    ctx.v = v;
    ctx.count = (int)(shown < LINES_MAX ? shown : LINES_MAX);
    ctx.selected = -1;
    for (int i = 0; i < ctx.count; i++) {
        if (strcmp(ctx.rows[i]->id, m->lines.selected) == 0)
            ctx.selected = i;
    }
    title_words(v, shown, text, sizeof text);
    chrome_draw_title(v, "Transactions", text);
    set_columns(&ctx.table, area.w - 4);
    if (area.h > 6) {
        titles = layout_take_rows(&area, 1);
        widget_table_draw_titles(v->c, titles.x + 2, titles.y, &ctx.table);
    }
    style = end_words(v, shown, text, sizeof text);
    rows = canvas_wrapped_rows(v->c, text, area.w - 4);
    rows = rows < 1 ? 1 : rows;
    end = area;
    area.h -= rows;
    widget_list_draw(v->c, area,
                     &(struct widget_list){.count = ctx.count,
                                           .item_rows = 1,
                                           .selected = ctx.selected,
                                           .top = (int)m->lines.top,
                                           .focused = true,
                                           .row = draw_line,
                                           .ctx = &ctx});
    end.y += ctx.count < area.h ? ctx.count : area.h;
    end.h = rows;
    canvas_put_wrapped(v->c, layout_inset(end, 2), style, text, 0);
    if (ctx.count == 0)
        canvas_cursor(v->c, end.x + 2, end.y, false);
}
