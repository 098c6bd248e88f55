/* SPDX-License-Identifier: Apache-2.0 */
/* Text, glyphs and titled rules on a canvas: clusters to cells, cutting, aligning, wrapping, and
 * the ASCII twins. Invariants: what drives a terminal (control bytes, hidden characters) becomes a
 * mark, even if it was not made visible at the door; amounts at the right are whole or absent. */
#include <string.h>
#include "core/str.h"
#include "ui/canvas.h"
#include "ui/canvas_cells.h"

#define RULE_LEAD  3 /* "── " before a title and " ──" behind what stands at the right */
#define RULE_SPARE 2 /* least line between both */
#define TITLE_MIN  4

static const struct {
    const char *utf8, *ascii;
} glyphs[CANVAS_GLYPH_COUNT] = {
    [CANVAS_GLYPH_NONE] = {" ", " "},    [CANVAS_GLYPH_ANSWER] = {"?", "?"},
    [CANVAS_GLYPH_OWNER] = {"◷", "o"},   [CANVAS_GLYPH_MOTION] = {"●", "*"},
    [CANVAS_GLYPH_WELL] = {"✓", "+"},    [CANVAS_GLYPH_ILL] = {"✗", "x"},
    [CANVAS_GLYPH_UNKNOWN] = {"!", "!"}, [CANVAS_GLYPH_STALE] = {"~", "~"},
    [CANVAS_GLYPH_AHEAD] = {"○", "."},   [CANVAS_GLYPH_BAR] = {"▌", "|"},
    [CANVAS_GLYPH_DOT] = {"·", "-"},     [CANVAS_GLYPH_MASK] = {"•", "*"},
    [CANVAS_GLYPH_MORE] = {"⋮", ":"},    [CANVAS_GLYPH_HIDDEN] = {"\xEF\xBF\xBD", "?"},
};

/* Signs beyond the glyphs that our own words and people's texts use. */
static const struct {
    const char *utf8, *ascii;
} twins[] = {
    {"₹", "INR "}, {"…", "..."}, {"−", "-"},  {"–", "-"},        {"—", "-"}, {"‘", "'"},
    {"’", "'"},    {"“", "\""},  {"”", "\""}, {"×", "x"},        {"→", ">"}, {"←", "<"},
    {"↑", "^"},    {"↓", "v"},   {"▏", "|"},  {"\xC2\xA0", " "}, {"─", "-"}, {"│", "|"},
};

/* A cluster as it is drawn: one of 1 or 2 cells, or several ASCII characters of a cell each. */
struct piece {
    const char *text;
    size_t len;
    int cells;
    bool letters;
};

static struct piece letters_of(const char *ascii)
{
    size_t len = strlen(ascii);
    return (struct piece){.text = ascii, .len = len, .cells = (int)len, .letters = true};
}

static bool is_twin(const char *utf8, const char *s, size_t len)
{
    return strlen(utf8) == len && memcmp(utf8, s, len) == 0;
}

static struct piece ascii_piece(const char *s, size_t len, int cells)
{
    for (size_t i = 0; i < CANVAS_GLYPH_COUNT; i++) {
        if (is_twin(glyphs[i].utf8, s, len))
            return letters_of(glyphs[i].ascii);
    }
    for (size_t i = 0; i < sizeof(twins) / sizeof(twins[0]); i++) {
        if (is_twin(twins[i].utf8, s, len))
            return letters_of(twins[i].ascii);
    }
    return letters_of(cells == 2 ? "??" : "?");
}

/* Whole code points of a cluster that is too long for a cell. */
static size_t fit_cell(const char *s, size_t len)
{
    size_t at = 0;
    int32_t cp;
    while (at < len) {
        size_t n = str_decode(s + at, len - at, &cp);
        if (at + n > CANVAS_CELL_BYTES)
            break;
        at += n;
    }
    return at;
}

static bool is_plain(char ch)
{
    return ch >= 0x20 && ch < 0x7F;
}

/* The next piece of s; returns the bytes it stands for. */
static size_t next_piece(const struct canvas *c, const char *s, size_t len, struct piece *out)
{
    int32_t cp;
    if (is_plain(s[0]) && (len == 1 || is_plain(s[1]))) { /* most of all text */
        *out = (struct piece){.text = s, .len = 1, .cells = 1, .letters = false};
        return 1;
    }
    size_t n = str_cluster(s, len);
    int cells = str_cluster_cells(s, n);
    str_decode(s, n, &cp);
    if (cp < 0x20 || (cp >= 0x7F && cp < 0xA0) || cells == 0) {
        const char *mark = canvas_glyph(c, CANVAS_GLYPH_HIDDEN);
        *out = (struct piece){.text = mark, .len = strlen(mark), .cells = 1, .letters = false};
    } else if (canvas_is_ascii(c) && (cp >= 0x80 || n > 1)) {
        *out = ascii_piece(s, n, cells);
    } else {
        *out = (struct piece){.text = s, .len = fit_cell(s, n), .cells = cells, .letters = false};
    }
    return n;
}

static void draw_piece(struct canvas *c, int x, int y, unsigned style, const struct piece *p)
{
    if (!p->letters) {
        canvas_cells_set(c, x, y, style, p->text, p->len, p->cells);
        return;
    }
    for (size_t i = 0; i < p->len; i++)
        canvas_cells_set(c, x + (int)i, y, style, p->text + i, 1, 1);
}

static int width_of_n(const struct canvas *c, const char *s, size_t len)
{
    struct piece p;
    int cells = 0;
    for (size_t at = 0; at < len; cells += p.cells)
        at += next_piece(c, s + at, len - at, &p);
    return cells;
}

int canvas_width_of(const struct canvas *c, const char *text)
{
    return width_of_n(c, text, strlen(text));
}

int canvas_put_n(struct canvas *c, int x, int y, unsigned style, const char *text, size_t len)
{
    struct piece p;
    int used = 0;
    for (size_t at = 0; at < len; used += p.cells) {
        at += next_piece(c, text + at, len - at, &p);
        draw_piece(c, x + used, y, style, &p);
    }
    return used;
}

int canvas_put(struct canvas *c, int x, int y, unsigned style, const char *text)
{
    return canvas_put_n(c, x, y, style, text, strlen(text));
}

static const char *cut_mark(const struct canvas *c)
{
    return canvas_is_ascii(c) ? "~" : "…";
}

int canvas_put_cut(struct canvas *c, int x, int y, int width, unsigned style, const char *text)
{
    size_t len = strlen(text);
    if (width <= 0)
        return 0;
    if (width_of_n(c, text, len) <= width)
        return canvas_put_n(c, x, y, style, text, len);
    struct piece p;
    int used = 0;
    int shown = 0; /* without the blanks before the mark */
    size_t shown_len = 0;
    for (size_t at = 0; at < len;) {
        at += next_piece(c, text + at, len - at, &p);
        if (used + p.cells > width - 1)
            break;
        used += p.cells;
        if (p.text[0] != ' ') {
            shown = used;
            shown_len = at;
        }
    }
    canvas_put_n(c, x, y, style, text, shown_len);
    return shown + canvas_put(c, x + shown, y, style, cut_mark(c));
}

int canvas_put_right(struct canvas *c, int x, int y, int width, unsigned style, const char *text)
{
    int cells = canvas_width_of(c, text);
    if (width <= 0)
        return x;
    if (cells > width) {
        canvas_put(c, x + width - 1, y, style, cut_mark(c));
        return x + width - 1;
    }
    canvas_put(c, x + width - cells, y, style, text);
    return x + width - cells;
}

void canvas_put_pair(struct canvas *c, int x, int y, int width, unsigned left_style,
                     const char *left, unsigned right_style, const char *right)
{
    if (width <= 0)
        return;
    int room = width;
    if (*right) {
        int start = canvas_put_right(c, x, y, width, right_style, right);
        room = start - x - 1;
    }
    canvas_put_cut(c, x, y, room, left_style, left);
}

/* The text in ASCII, so that wrapping counts what is drawn. */
static enum err to_ascii(const struct canvas *c, const char *text, struct buf *out)
{
    struct piece p;
    size_t len = strlen(text);
    enum err e = ERR_OK;
    for (size_t at = 0; at < len && e == ERR_OK;) {
        if (text[at] == '\n') {
            e = buf_append_char(out, '\n');
            at++;
            continue;
        }
        at += next_piece(c, text + at, len - at, &p);
        e = buf_append(out, p.text, p.len);
    }
    return e;
}

static int wrap_into(struct canvas *c, struct canvas_rect r, unsigned style, const char *text,
                     int top)
{
    struct str_line lines[CANVAS_WRAP_MAX];
    size_t count = str_wrap(text, r.w, lines, CANVAS_WRAP_MAX);
    struct canvas_rect old = canvas_clip(c, r);
    for (int row = 0; row < r.h && top >= 0; row++) {
        size_t i = (size_t)(top + row);
        if (i >= count || i >= CANVAS_WRAP_MAX)
            break;
        canvas_put_n(c, r.x, r.y + row, style, text + lines[i].start, lines[i].len);
    }
    canvas_unclip(c, old);
    return (int)count;
}

int canvas_put_wrapped(struct canvas *c, struct canvas_rect r, unsigned style, const char *text,
                       int top)
{
    if (r.w <= 0)
        return 0;
    if (!canvas_is_ascii(c))
        return wrap_into(c, r, style, text, top);
    struct buf ascii;
    buf_init(&ascii, 8 * strlen(text) + 1);
    int rows = 0;
    if (to_ascii(c, text, &ascii) == ERR_OK)
        rows = wrap_into(c, r, style, buf_view(&ascii), top);
    buf_fini(&ascii);
    return rows;
}

int canvas_wrapped_rows(const struct canvas *c, const char *text, int width)
{
    if (width <= 0)
        return 0;
    if (!canvas_is_ascii(c))
        return (int)str_wrap(text, width, NULL, 0);
    struct buf ascii;
    buf_init(&ascii, 8 * strlen(text) + 1);
    int rows = 0;
    if (to_ascii(c, text, &ascii) == ERR_OK)
        rows = (int)str_wrap(buf_view(&ascii), width, NULL, 0);
    buf_fini(&ascii);
    return rows;
}

const char *canvas_glyph(const struct canvas *c, enum canvas_glyph glyph)
{
    return canvas_is_ascii(c) ? glyphs[glyph].ascii : glyphs[glyph].utf8;
}

int canvas_put_glyph(struct canvas *c, int x, int y, unsigned style, enum canvas_glyph glyph)
{
    const char *text = canvas_glyph(c, glyph);
    canvas_cells_set(c, x, y, style, text, strlen(text), 1);
    return 1;
}

enum theme_role canvas_glyph_role(enum canvas_glyph glyph)
{
    switch (glyph) {
    case CANVAS_GLYPH_ANSWER:
    case CANVAS_GLYPH_OWNER:
        return THEME_NEEDS_YOU;
    case CANVAS_GLYPH_MOTION:
        return THEME_IN_MOTION;
    case CANVAS_GLYPH_WELL:
        return THEME_ENDED_WELL;
    case CANVAS_GLYPH_ILL:
        return THEME_ENDED_BADLY;
    case CANVAS_GLYPH_UNKNOWN:
        return THEME_UNKNOWN;
    case CANVAS_GLYPH_STALE:
        return THEME_STALE;
    case CANVAS_GLYPH_AHEAD:
        return THEME_DIM;
    default:
        return THEME_DEFAULT;
    }
}

void canvas_rule(struct canvas *c, int x, int y, int width, unsigned title_style, const char *title,
                 unsigned right_style, const char *right)
{
    canvas_hline(c, x, y, width);
    int room = width - RULE_LEAD - 1; /* for the title, with its blank behind it */
    int right_cells = right && *right ? canvas_width_of(c, right) : 0;
    int title_cells = title && *title ? canvas_width_of(c, title) : 0;
    int least = title_cells < TITLE_MIN ? title_cells : TITLE_MIN;
    int right_room = right_cells + RULE_LEAD + 1 + RULE_SPARE;
    if (right_cells > 0 && room - right_room >= least) {
        int start = x + width - RULE_LEAD - right_cells;
        canvas_put(c, start - 1, y, THEME_RULE, " ");
        canvas_put(c, start, y, right_style, right);
        canvas_put(c, start + right_cells, y, THEME_RULE, " ");
        room -= right_room;
    }
    if (title_cells == 0 || room <= 0)
        return;
    canvas_put(c, x + RULE_LEAD - 1, y, THEME_RULE, " ");
    int used = canvas_put_cut(c, x + RULE_LEAD, y, room, title_style, title);
    canvas_put(c, x + RULE_LEAD + used, y, THEME_RULE, " ");
}
