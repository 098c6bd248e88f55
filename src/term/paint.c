/* SPDX-License-Identifier: Apache-2.0 */
/* What a canvas cell becomes in curses. Must not write to the terminal itself. Invariant: a cell
 * takes the columns that the canvas gave it, whatever the C library thinks of its characters, so
 * that no row is ever out of line. */
#include <wchar.h>
#include <curses.h>
#include "core/str.h"
#include "term/paint.h"

#define JOINER      0x200D
#define REPLACEMENT 0xFFFD

static short pair_of_role(const struct theme_look *look, int role)
{
    return look->fg < 0 && look->bg < 0 ? 0 : (short)(role + 1);
}

void paint_set_theme(struct paint *p, const struct theme *theme, enum theme_depth depth)
{
    p->theme = *theme;
    p->depth = depth;
    if (depth == THEME_DEPTH_MONO)
        return;
    if (!p->colors_started) {
        if (start_color() == ERR || use_default_colors() == ERR) {
            p->depth = THEME_DEPTH_MONO;
            return;
        }
        p->colors_started = true;
    }
    for (int role = 0; role < THEME_ROLE_COUNT; role++) {
        const struct theme_look *look = theme_look(theme, depth, (enum theme_role)role);
        short pair = pair_of_role(look, role);
        if (pair > 0)
            init_pair(pair, look->fg, look->bg);
    }
}

static attr_t attrs_of(unsigned bits)
{
    attr_t attrs = A_NORMAL;
    if (bits & THEME_BOLD)
        attrs |= A_BOLD;
    if (bits & THEME_FAINT)
        attrs |= A_DIM;
    if (bits & THEME_UNDERLINE)
        attrs |= A_UNDERLINE;
    if (bits & THEME_REVERSE)
        attrs |= A_REVERSE;
    return attrs;
}

/* A curses cell in the making: a character that takes columns and the marks on it. */
struct glyph {
    wchar_t chars[CCHARW_MAX + 1];
    int count, columns;
};

static void flush_glyph(const struct glyph *g, int x, int y, attr_t attrs, short pair)
{
    cchar_t out;
    if (g->count > 0 && setcchar(&out, g->chars, attrs, pair, NULL) == OK)
        mvadd_wch(y, x, &out);
}

static void start_glyph(struct glyph *g, wchar_t ch, int columns)
{
    *g = (struct glyph){.chars = {ch}, .count = 1, .columns = columns};
}

void paint_put_cell(const struct paint *p, int x, int y, const struct canvas_cell *cell)
{
    int role = (int)(cell->style & ~THEME_ATTR_MASK);
    const struct theme_look *look = theme_look(&p->theme, p->depth, (enum theme_role)role);
    attr_t attrs = attrs_of(look->attrs | (cell->style & THEME_ATTR_MASK));
    short pair = p->depth == THEME_DEPTH_MONO ? 0 : pair_of_role(look, role);
    struct glyph g = {.count = 0};
    int used = 0; /* columns, those of g included */
    for (size_t at = 0; at < cell->len;) {
        int32_t cp;
        at += str_decode(cell->bytes + at, cell->len - at, &cp);
        int columns = cp < 0 ? -1 : wcwidth((wchar_t)cp);
        if (!p->utf8 && (cp < 0x20 || cp >= 0x7F)) {
            cp = '?';
            columns = 1;
        }
        if (columns < 0) {
            cp = REPLACEMENT;
            columns = 1;
        }
        if (cp == JOINER)
            break; /* what is joined has no room of its own: the first of a group stands for all */
        bool is_mark = columns == 0;
        if (is_mark && g.count > 0 && g.count < CCHARW_MAX && !(cp >= 0xFE00 && cp <= 0xFE0F))
            g.chars[g.count++] = (wchar_t)cp;
        if (is_mark)
            continue;
        if (used + columns > cell->cells) {
            if (used > 0)
                break;
            cp = REPLACEMENT;
            columns = 1;
        }
        flush_glyph(&g, x + used - g.columns, y, attrs, pair);
        start_glyph(&g, (wchar_t)cp, columns);
        used += columns;
    }
    flush_glyph(&g, x + used - g.columns, y, attrs, pair);
    for (; used < cell->cells; used++) {
        start_glyph(&g, L' ', 1);
        flush_glyph(&g, x + used, y, attrs, pair);
    }
}
