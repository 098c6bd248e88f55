/* SPDX-License-Identifier: Apache-2.0 */
/* The grid of cells that screens draw on and the terminal copies. A style is a role (enum
 * theme_role), perhaps with attributes: THEME_DIM | THEME_BOLD. All coordinates are absolute cells,
 * column and row from 0; what falls outside the clip is left out.
 * Invariants: a wide character is whole or absent, nothing wraps, a line knows its neighbours (so
 * junctions are right whatever the order of drawing), and no secret is ever in a cell: a reveal is
 * written by the terminal into a slot, over the mask that the canvas keeps. */
#ifndef UI_CANVAS_H
#define UI_CANVAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "core/buf.h"
#include "core/err.h"
#include "ui/theme.h"

#define CANVAS_CELL_BYTES 32 /* of one cluster; a longer one is drawn without its last marks */
#define CANVAS_SIDE_MAX   1000
#define CANVAS_SLOTS_MAX  8
#define CANVAS_WRAP_MAX   512

struct canvas_rect {
    int x, y, w, h;
};

struct canvas_cell {
    char bytes[CANVAS_CELL_BYTES]; /* not terminated; " " when blank */
    uint8_t len;
    uint8_t cells; /* 1 or 2; 0 in the right half of a wide character */
    uint16_t style;
};

/* The first eight in the order of enum contract_glyph. */
enum canvas_glyph {
    CANVAS_GLYPH_NONE,    /* ' ' */
    CANVAS_GLYPH_ANSWER,  /* ? ? */
    CANVAS_GLYPH_OWNER,   /* ◷ o */
    CANVAS_GLYPH_MOTION,  /* ● * */
    CANVAS_GLYPH_WELL,    /* ✓ + */
    CANVAS_GLYPH_ILL,     /* ✗ x */
    CANVAS_GLYPH_UNKNOWN, /* ! ! */
    CANVAS_GLYPH_STALE,   /* ~ ~ */
    CANVAS_GLYPH_AHEAD,   /* ○ . a step that is still to come */
    CANVAS_GLYPH_BAR,     /* ▌ | at the selected row */
    CANVAS_GLYPH_DOT,     /* · - between facts */
    CANVAS_GLYPH_MASK,    /* • * */
    CANVAS_GLYPH_MORE,    /* ⋮ : rows left out */
    CANVAS_GLYPH_HIDDEN,  /* � ? a character that shows nothing by itself */
    CANVAS_GLYPH_COUNT
};

struct canvas;

/* Blank; ascii: box drawing, glyphs and signs have ASCII twins and other characters become '?'.
 * NULL without memory. Sides are held to 0..CANVAS_SIDE_MAX. */
struct canvas *canvas_new(int width_cells, int height_cells, bool ascii);
void canvas_free(struct canvas *c);
/* Blank at the new size. On failure the old canvas stays as it was. */
enum err canvas_resize(struct canvas *c, int width_cells, int height_cells) WARN_UNUSED;
void canvas_clear(struct canvas *c); /* blank cells, whole clip, no cursor, no slots */
int canvas_width(const struct canvas *c);
int canvas_height(const struct canvas *c);
struct canvas_rect canvas_bounds(const struct canvas *c);
bool canvas_is_ascii(const struct canvas *c);

/* Narrows the clip to what it has in common with r; returns the old one for canvas_unclip. */
struct canvas_rect canvas_clip(struct canvas *c, struct canvas_rect r);
void canvas_unclip(struct canvas *c, struct canvas_rect old);

void canvas_fill(struct canvas *c, struct canvas_rect r, unsigned style);    /* blanks */
void canvas_restyle(struct canvas *c, struct canvas_rect r, unsigned style); /* keeps the text */

/* Cells that text takes on this canvas (in ASCII a sign may be longer than it was). */
int canvas_width_of(const struct canvas *c, const char *text);
/* Draws what the clip lets through. Returns the cells that the text takes, drawn or not, so that
 * x += canvas_put(...) goes on behind it. Control bytes are drawn as CANVAS_GLYPH_HIDDEN. */
int canvas_put(struct canvas *c, int x, int y, unsigned style, const char *text);
int canvas_put_n(struct canvas *c, int x, int y, unsigned style, const char *text, size_t len);
/* At most width cells, cut with "…". Returns the cells used. */
int canvas_put_cut(struct canvas *c, int x, int y, int width, unsigned style, const char *text);
/* Against the right edge of [x, x + width), whole. Text that does not fit is not drawn at all but
 * for a "…", because a part of an amount is a wrong amount. Returns the column where it starts. */
int canvas_put_right(struct canvas *c, int x, int y, int width, unsigned style, const char *text);
/* Left text cut to what the whole right text leaves, with at least one blank between them. */
void canvas_put_pair(struct canvas *c, int x, int y, int width, unsigned left_style,
                     const char *left, unsigned right_style, const char *right);
/* Wrapped at blanks into r, from wrapped row top on. Returns how many rows the text has in all;
 * rows from CANVAS_WRAP_MAX on are counted but not drawn. */
int canvas_put_wrapped(struct canvas *c, struct canvas_rect r, unsigned style, const char *text,
                       int top);
/* Rows that canvas_put_wrapped would need. */
int canvas_wrapped_rows(const struct canvas *c, const char *text, int width);
int canvas_put_glyph(struct canvas *c, int x, int y, unsigned style, enum canvas_glyph glyph);
const char *canvas_glyph(const struct canvas *c, enum canvas_glyph glyph); /* static text */
/* The role in which a glyph of the four states is drawn. */
enum theme_role canvas_glyph_role(enum canvas_glyph glyph);

/* Lines of the role THEME_RULE. Where they touch, the junction is drawn. */
void canvas_hline(struct canvas *c, int x, int y, int width);
void canvas_vline(struct canvas *c, int x, int y, int height);
/* "── Title ───────── right ──" over width cells. right is whole or absent, title is cut; either
 * may be NULL. */
void canvas_rule(struct canvas *c, int x, int y, int width, unsigned title_style, const char *title,
                 unsigned right_style, const char *right);

/* Where the terminal's cursor stands: at the insertion point (insertion true, shown) or at the row
 * that has the focus (kept there for screen readers and braille lines). The last call counts. */
void canvas_cursor(struct canvas *c, int x, int y, bool insertion);
struct canvas_cursor_at {
    int x, y;
    bool placed, insertion;
};
struct canvas_cursor_at canvas_cursor_view(const struct canvas *c);

/* Says that the cells of area, where the caller has drawn a mask, are where field (an enum
 * handout_field) may be revealed. Left out when the clip does not show all of it, and gone when
 * anything is drawn there afterwards, such as a dialog. */
void canvas_secret_slot(struct canvas *c, struct canvas_rect area, int field);
bool canvas_secret_find(const struct canvas *c, int field, struct canvas_rect *area);

/* A cell as it is to be shown, lines joined; borrowed until the next change. NULL when outside. */
const struct canvas_cell *canvas_cell_view(const struct canvas *c, int x, int y);
/* Rows of text without the blanks at their ends, each closed with '\n'. */
enum err canvas_dump_text(const struct canvas *c, struct buf *out) WARN_UNUSED;
/* The same with a role letter for each cell (theme.def), attributes left out. */
enum err canvas_dump_roles(const struct canvas *c, struct buf *out) WARN_UNUSED;

#endif
