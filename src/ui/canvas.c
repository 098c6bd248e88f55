/* SPDX-License-Identifier: Apache-2.0 */
/* The cells, the clip, the lines and the two dumps. Text drawing is in canvas_text.c. Must not know
 * what is drawn. Invariants: the halves of a wide character come and go together, and line cells
 * are joined anew whenever one of their neighbours changes. */
#include <string.h>
#include "contract/enums.h"
#include "core/alloc.h"
#include "core/str.h"
#include "ui/canvas.h"
#include "ui/canvas_cells.h"

_Static_assert((int)CONTRACT_GLYPH_ANSWER == (int)CANVAS_GLYPH_ANSWER &&
                   (int)CONTRACT_GLYPH_STALE == (int)CANVAS_GLYPH_STALE,
               "glyphs of the contract lists can be used as canvas glyphs");

enum { LINE_H = 1, LINE_V = 2 };
enum { NORTH = 1, EAST = 2, SOUTH = 4, WEST = 8 };

struct slot {
    struct canvas_rect area;
    int field;
};

struct canvas {
    int w, h;
    bool ascii;
    struct canvas_rect clip;
    struct canvas_cell *cells; /* w * h, owned */
    uint8_t *lines;            /* w * h, LINE_H and LINE_V; owned */
    struct canvas_cursor_at cursor;
    struct slot slots[CANVAS_SLOTS_MAX];
    int slot_count;
};

static struct canvas_cell *cell_at(const struct canvas *c, int x, int y)
{
    return &c->cells[(size_t)y * (size_t)c->w + (size_t)x];
}

static uint8_t *line_at(const struct canvas *c, int x, int y)
{
    return &c->lines[(size_t)y * (size_t)c->w + (size_t)x];
}

static void set_cell(struct canvas_cell *cell, const char *bytes, size_t len, int cells,
                     unsigned style)
{
    memcpy(cell->bytes, bytes, len);
    cell->len = (uint8_t)len;
    cell->cells = (uint8_t)cells;
    cell->style = (uint16_t)style;
}

static int clamp_side(int side)
{
    return side < 0 ? 0 : side > CANVAS_SIDE_MAX ? CANVAS_SIDE_MAX : side;
}

static enum err allocate(struct canvas *c, int w, int h)
{
    /* One cell more, so that an empty canvas has an allocation as well. */
    size_t count = (size_t)w * (size_t)h + 1;
    struct canvas_cell *cells = alloc_zero(count, sizeof(*cells));
    uint8_t *lines = alloc_zero(count, sizeof(*lines));
    if (!cells || !lines) {
        alloc_free(cells);
        alloc_free(lines);
        return ERR_MEMORY;
    }
    alloc_free(c->cells);
    alloc_free(c->lines);
    c->cells = cells;
    c->lines = lines;
    c->w = w;
    c->h = h;
    canvas_clear(c);
    return ERR_OK;
}

struct canvas *canvas_new(int width_cells, int height_cells, bool ascii)
{
    struct canvas *c = alloc_zero(1, sizeof(*c));
    if (!c)
        return NULL;
    c->ascii = ascii;
    if (allocate(c, clamp_side(width_cells), clamp_side(height_cells)) != ERR_OK) {
        alloc_free(c);
        return NULL;
    }
    return c;
}

void canvas_free(struct canvas *c)
{
    if (!c)
        return;
    alloc_free(c->cells);
    alloc_free(c->lines);
    alloc_free(c);
}

enum err canvas_resize(struct canvas *c, int width_cells, int height_cells)
{
    return allocate(c, clamp_side(width_cells), clamp_side(height_cells));
}

void canvas_clear(struct canvas *c)
{
    c->clip = canvas_bounds(c);
    c->cursor = (struct canvas_cursor_at){.placed = false};
    c->slot_count = 0;
    memset(c->lines, 0, (size_t)c->w * (size_t)c->h);
    for (int i = 0; i < c->w * c->h; i++)
        set_cell(&c->cells[i], " ", 1, 1, THEME_DEFAULT);
}

int canvas_width(const struct canvas *c)
{
    return c->w;
}

int canvas_height(const struct canvas *c)
{
    return c->h;
}

struct canvas_rect canvas_bounds(const struct canvas *c)
{
    return (struct canvas_rect){.x = 0, .y = 0, .w = c->w, .h = c->h};
}

bool canvas_is_ascii(const struct canvas *c)
{
    return c->ascii;
}

static struct canvas_rect intersect(struct canvas_rect a, struct canvas_rect b)
{
    int left = a.x > b.x ? a.x : b.x;
    int top = a.y > b.y ? a.y : b.y;
    int right = a.x + a.w < b.x + b.w ? a.x + a.w : b.x + b.w;
    int bottom = a.y + a.h < b.y + b.h ? a.y + a.h : b.y + b.h;
    return (struct canvas_rect){
        .x = left,
        .y = top,
        .w = right > left ? right - left : 0,
        .h = bottom > top ? bottom - top : 0,
    };
}

static bool is_inside(struct canvas_rect r, int x, int y)
{
    return x >= r.x && x < r.x + r.w && y >= r.y && y < r.y + r.h;
}

struct canvas_rect canvas_clip(struct canvas *c, struct canvas_rect r)
{
    struct canvas_rect old = c->clip;
    c->clip = intersect(c->clip, r);
    return old;
}

void canvas_unclip(struct canvas *c, struct canvas_rect old)
{
    c->clip = old;
}

static unsigned line_joins(const struct canvas *c, int x, int y)
{
    unsigned joins = 0;
    unsigned own = *line_at(c, x, y);
    if (y > 0 && (*line_at(c, x, y - 1) & LINE_V))
        joins |= NORTH;
    if (y + 1 < c->h && (*line_at(c, x, y + 1) & LINE_V))
        joins |= SOUTH;
    if (x > 0 && (*line_at(c, x - 1, y) & LINE_H))
        joins |= WEST;
    if (x + 1 < c->w && (*line_at(c, x + 1, y) & LINE_H))
        joins |= EAST;
    /* A horizontal line only crosses vertical ones that run through the same cell, so that a title
     * rule which passes above a divider's top does not grow a stem by accident, and the reverse. */
    if (!(own & LINE_V))
        return EAST | WEST;
    if (!(joins & (NORTH | SOUTH)))
        joins |= own & LINE_H ? 0 : NORTH | SOUTH;
    return joins ? joins : EAST | WEST;
}

static void join_line(struct canvas *c, int x, int y)
{
    static const char *const box[16] = {
        "─", "│", "─", "└", "│", "│", "┌", "├", "─", "┘", "─", "┴", "┐", "┤", "┬", "┼",
    };
    if (x < 0 || y < 0 || x >= c->w || y >= c->h || *line_at(c, x, y) == 0)
        return;
    unsigned joins = line_joins(c, x, y);
    const char *text = box[joins];
    if (c->ascii)
        text = !(joins & (NORTH | SOUTH)) ? "-" : !(joins & (EAST | WEST)) ? "|" : "+";
    set_cell(cell_at(c, x, y), text, strlen(text), 1, THEME_RULE);
}

static void join_around(struct canvas *c, int x, int y)
{
    join_line(c, x, y);
    join_line(c, x - 1, y);
    join_line(c, x + 1, y);
    join_line(c, x, y - 1);
    join_line(c, x, y + 1);
}

/* Blanks the other half when the cell is a half of a wide character. */
static void part_wide(struct canvas *c, int x, int y)
{
    struct canvas_cell *cell = cell_at(c, x, y);
    if (cell->cells == 2 && x + 1 < c->w)
        set_cell(cell_at(c, x + 1, y), " ", 1, 1, cell->style);
    if (cell->cells == 0 && x > 0)
        set_cell(cell_at(c, x - 1, y), " ", 1, 1, cell->style);
}

static void clear_line(struct canvas *c, int x, int y)
{
    if (*line_at(c, x, y) == 0)
        return;
    *line_at(c, x, y) = 0;
    join_around(c, x, y);
}

/* What is drawn over a slot covers it: a reveal there would lie over something else. */
static void cover_slots(struct canvas *c, int x, int y)
{
    for (int i = 0; i < c->slot_count; i++) {
        if (is_inside(c->slots[i].area, x, y))
            c->slots[i--] = c->slots[--c->slot_count];
    }
}

void canvas_cells_set(struct canvas *c, int x, int y, unsigned style, const char *bytes, size_t len,
                      int cells)
{
    bool whole = is_inside(c->clip, x, y) && is_inside(c->clip, x + cells - 1, y);
    for (int i = 0; i < cells; i++) {
        if (!is_inside(c->clip, x + i, y))
            continue;
        cover_slots(c, x + i, y);
        part_wide(c, x + i, y);
        clear_line(c, x + i, y);
        if (!whole)
            set_cell(cell_at(c, x + i, y), " ", 1, 1, style);
        else if (i == 0)
            set_cell(cell_at(c, x, y), bytes, len, cells, style);
        else
            set_cell(cell_at(c, x + i, y), "", 0, 0, style);
    }
}

void canvas_fill(struct canvas *c, struct canvas_rect r, unsigned style)
{
    r = intersect(r, c->clip);
    for (int y = r.y; y < r.y + r.h; y++) {
        for (int x = r.x; x < r.x + r.w; x++)
            canvas_cells_set(c, x, y, style, " ", 1, 1);
    }
}

void canvas_restyle(struct canvas *c, struct canvas_rect r, unsigned style)
{
    r = intersect(r, c->clip);
    for (int y = r.y; y < r.y + r.h; y++) {
        for (int x = r.x; x < r.x + r.w; x++)
            cell_at(c, x, y)->style = (uint16_t)style;
    }
}

static void add_line(struct canvas *c, int x, int y, unsigned kind)
{
    if (!is_inside(c->clip, x, y))
        return;
    cover_slots(c, x, y);
    part_wide(c, x, y);
    *line_at(c, x, y) = (uint8_t)(*line_at(c, x, y) | kind);
    join_around(c, x, y);
}

void canvas_hline(struct canvas *c, int x, int y, int width)
{
    for (int i = 0; i < width; i++)
        add_line(c, x + i, y, LINE_H);
}

void canvas_vline(struct canvas *c, int x, int y, int height)
{
    for (int i = 0; i < height; i++)
        add_line(c, x, y + i, LINE_V);
}

void canvas_cursor(struct canvas *c, int x, int y, bool insertion)
{
    if (c->w == 0 || c->h == 0)
        return;
    c->cursor = (struct canvas_cursor_at){
        .x = x < 0       ? 0
             : x >= c->w ? c->w - 1
                         : x,
        .y = y < 0       ? 0
             : y >= c->h ? c->h - 1
                         : y,
        .placed = true,
        .insertion = insertion,
    };
}

struct canvas_cursor_at canvas_cursor_view(const struct canvas *c)
{
    return c->cursor;
}

void canvas_secret_slot(struct canvas *c, struct canvas_rect area, int field)
{
    struct canvas_rect shown = intersect(area, c->clip);
    if (c->slot_count == CANVAS_SLOTS_MAX || shown.w != area.w || shown.h != area.h ||
        area.w <= 0 || area.h <= 0)
        return;
    c->slots[c->slot_count++] = (struct slot){.area = area, .field = field};
}

bool canvas_secret_find(const struct canvas *c, int field, struct canvas_rect *area)
{
    for (int i = 0; i < c->slot_count; i++) {
        if (c->slots[i].field == field) {
            *area = c->slots[i].area;
            return true;
        }
    }
    return false;
}

const struct canvas_cell *canvas_cell_view(const struct canvas *c, int x, int y)
{
    return x < 0 || y < 0 || x >= c->w || y >= c->h ? NULL : cell_at(c, x, y);
}

static bool is_blank(const struct canvas_cell *cell)
{
    return cell->len == 1 && cell->bytes[0] == ' ';
}

enum err canvas_dump_text(const struct canvas *c, struct buf *out)
{
    enum err e = ERR_OK;
    for (int y = 0; y < c->h && e == ERR_OK; y++) {
        int end = c->w;
        while (end > 0 && is_blank(cell_at(c, end - 1, y)))
            end--;
        for (int x = 0; x < end && e == ERR_OK; x++)
            e = buf_append(out, cell_at(c, x, y)->bytes, cell_at(c, x, y)->len);
        if (e == ERR_OK)
            e = buf_append_char(out, '\n');
    }
    return e;
}

enum err canvas_dump_roles(const struct canvas *c, struct buf *out)
{
    enum err e = ERR_OK;
    for (int y = 0; y < c->h && e == ERR_OK; y++) {
        int end = c->w;
        while (end > 0 && is_blank(cell_at(c, end - 1, y)) &&
               (cell_at(c, end - 1, y)->style & ~THEME_ATTR_MASK) == THEME_DEFAULT)
            end--;
        for (int x = 0; x < end && e == ERR_OK; x++) {
            unsigned role = cell_at(c, x, y)->style & ~THEME_ATTR_MASK;
            e = buf_append_char(out, theme_role_letter((enum theme_role)role));
        }
        if (e == ERR_OK)
            e = buf_append_char(out, '\n');
    }
    return e;
}
