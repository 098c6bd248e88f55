/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of a text that is being written: how it wraps, where the cursor is, and the moves that
 * depend on rows. Must not draw. Invariant: rows follow each other without gaps, so every cursor
 * position lies in exactly one of them. */
#include <limits.h>
#include <string.h>
#include "app/edit.h"
#include "core/str.h"

int edit_cluster_cells(const char *s, size_t len, bool *hidden)
{
    int32_t cp;
    int cells = str_cluster_cells(s, len);
    *hidden = str_decode(s, len, &cp) > 0 && (cp < 0x20 || (cp >= 0x7F && cp < 0xA0) || cells == 0);
    return *hidden ? 1 : cells;
}

static int wrap_width(const struct edit *e, int width_cells)
{
    return e->one_line || width_cells <= 0 ? INT_MAX : width_cells;
}

/* The row that starts at start. Blanks at its end may hang over the edge: they belong to it. */
static struct edit_row row_from(const struct edit *e, size_t start, int width)
{
    const char *s = edit_text(e);
    size_t len = edit_len(e);
    struct edit_row row = {.start = start, .end = start, .shown = 0};
    size_t after_blank = start; /* where the last word of the row starts */
    size_t at = start;
    int cells = 0;
    while (at < len && s[at] != '\n') {
        bool hidden;
        size_t n = str_cluster(s + at, len - at);
        int more = edit_cluster_cells(s + at, n, &hidden);
        if (s[at] != ' ' && more > width - cells && at > start) {
            row.end = after_blank > start ? after_blank : at;
            row.shown = row.end - start;
            return row;
        }
        cells = s[at] == ' ' && cells >= width ? cells : cells + more;
        at += n;
        if (s[at - 1] == ' ')
            after_blank = at;
    }
    row.shown = at - start;
    row.end = at < len ? at + 1 : at; /* with its line end */
    return row;
}

static bool ends_with_newline(const struct edit *e, struct edit_row row)
{
    return row.end > row.start && edit_text(e)[row.end - 1] == '\n';
}

size_t edit_rows(const struct edit *e, int width_cells, struct edit_row *rows, size_t max)
{
    size_t count = 0;
    size_t at = 0;
    struct edit_row row;
    do {
        row = row_from(e, at, wrap_width(e, width_cells));
        if (count < max)
            rows[count] = row;
        count++;
        at = row.end;
    } while (at < edit_len(e));
    if (ends_with_newline(e, row)) {
        if (count < max)
            rows[count] = (struct edit_row){.start = at, .end = at, .shown = 0};
        count++;
    }
    return count;
}

static bool row_holds(const struct edit *e, struct edit_row row)
{
    if (e->at < row.end)
        return e->at >= row.start;
    return row.end == edit_len(e) && !ends_with_newline(e, row);
}

/* The row of the cursor, and the one before it when before is not NULL. */
static int cursor_row(const struct edit *e, int width, struct edit_row *row,
                      struct edit_row *before)
{
    int index = 0;
    *row = row_from(e, 0, width);
    while (!row_holds(e, *row)) {
        if (before)
            *before = *row;
        *row = row_from(e, row->end, width);
        index++;
    }
    return index;
}

static int cells_between(const struct edit *e, size_t start, size_t end)
{
    int cells = 0;
    const char *s = edit_text(e);
    while (start < end) {
        bool hidden;
        size_t n = str_cluster(s + start, edit_len(e) - start);
        cells += edit_cluster_cells(s + start, n, &hidden);
        start += n;
    }
    return cells;
}

struct edit_place edit_place(const struct edit *e, int width_cells)
{
    struct edit_row row;
    int width = wrap_width(e, width_cells);
    int index = cursor_row(e, width, &row, NULL);
    return (struct edit_place){.row = index, .cells = cells_between(e, row.start, e->at)};
}

/* The last cursor position that still belongs to the row: before its line end, or before the
 * cluster that ends it where the text goes on in the next row. */
static size_t last_place(const struct edit *e, struct edit_row row)
{
    if (ends_with_newline(e, row))
        return row.end - 1;
    return row.end == edit_len(e) ? row.end : str_cluster_before(edit_text(e), row.end);
}

void edit_home(struct edit *e)
{
    struct edit_row row;
    cursor_row(e, wrap_width(e, e->width_cells), &row, NULL);
    e->at = row.start;
    e->goal_cells = -1;
}

void edit_end(struct edit *e)
{
    struct edit_row row;
    cursor_row(e, wrap_width(e, e->width_cells), &row, NULL);
    e->at = last_place(e, row);
    e->goal_cells = -1;
}

static void go_to_cells(struct edit *e, struct edit_row row, int cells)
{
    const char *s = edit_text(e);
    size_t last = last_place(e, row);
    size_t at = row.start;
    int used = 0;
    while (at < last) {
        bool hidden;
        size_t n = str_cluster(s + at, edit_len(e) - at);
        int more = edit_cluster_cells(s + at, n, &hidden);
        if (used + more > cells)
            break;
        used += more;
        at += n;
    }
    e->at = at;
    e->goal_cells = cells;
}

bool edit_up(struct edit *e)
{
    struct edit_row row;
    struct edit_row before;
    if (cursor_row(e, wrap_width(e, e->width_cells), &row, &before) == 0)
        return false;
    int cells = e->goal_cells >= 0 ? e->goal_cells : cells_between(e, row.start, e->at);
    go_to_cells(e, before, cells);
    return true;
}

bool edit_down(struct edit *e)
{
    struct edit_row row;
    int width = wrap_width(e, e->width_cells);
    cursor_row(e, width, &row, NULL);
    if (row.end == edit_len(e) && !ends_with_newline(e, row))
        return false;
    int cells = e->goal_cells >= 0 ? e->goal_cells : cells_between(e, row.start, e->at);
    go_to_cells(e, row_from(e, row.end, width), cells);
    return true;
}
