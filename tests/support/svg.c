/* SPDX-License-Identifier: Apache-2.0 */
/* screen-svg: runs scripts and writes each "snapshot NAME" as NAME.svg, from the cells of the
 * pseudo-terminal: what a person would see, not what a program meant to draw. Every run of cells is
 * pinned to its column, so that a viewer's font cannot push the rest of the row aside; box-drawing
 * lines are paths and meet. Numbers in the file are pixels of a fixed cell.
 *
 *   screen-svg [-o DIRECTORY] FILE.script... */
#include <errno.h>
#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <curl/curl.h>
#include "support/script.h"

#define CELL_W   8.4
#define CELL_H   18.0
#define BASELINE 13.5
#define PAD      14.0

struct svg {
    const char *dir;
    unsigned written;
    unsigned failed;
};

struct paint {
    char fg[8], bg[8];
    bool has_bg;
    double opacity;
};

static const char ground[] = "#16181d"; /* the viewer's terminal: default colours of the pictures */
static const char ink[] = "#d7dae0";

/* The sixteen named colours as a calm terminal shows them; the rest as libvterm knows them. */
static const char *const named[16] = {
    "#3b4048", "#e5736f", "#8cc27a", "#dcb46a", "#74a8e0", "#b894d6", "#6cbcc0", "#c8ccd4",
    "#6b7280", "#f08f8a", "#a5d692", "#ecc985", "#94bff0", "#cfb0e8", "#8ad2d6", "#f2f4f8",
};

static void color_text(char out[8], const struct term_color *c, const char *fallback)
{
    if (c->kind == TERM_COLOR_DEFAULT)
        snprintf(out, 8, "%s", fallback);
    else if (c->kind == TERM_COLOR_INDEXED && c->index < 16)
        snprintf(out, 8, "%s", named[c->index]);
    else
        snprintf(out, 8, "#%02x%02x%02x", c->red, c->green, c->blue);
}

static struct paint paint_of(const struct term_cell *cell)
{
    struct paint p = {.opacity = cell->dim ? 0.6 : 1.0};
    color_text(p.fg, &cell->fg, ink);
    color_text(p.bg, &cell->bg, ground);
    p.has_bg = cell->bg.kind != TERM_COLOR_DEFAULT;
    if (cell->reverse) {
        char swap[8];
        memcpy(swap, p.fg, sizeof(swap));
        memcpy(p.fg, p.bg, sizeof(swap));
        memcpy(p.bg, swap, sizeof(swap));
        p.has_bg = true;
    }
    return p;
}

static bool same_style(const struct term_cell *a, const struct term_cell *b)
{
    struct paint pa = paint_of(a), pb = paint_of(b);
    return strcmp(pa.fg, pb.fg) == 0 && strcmp(pa.bg, pb.bg) == 0 && pa.has_bg == pb.has_bg &&
           a->dim == b->dim && a->bold == b->bold && a->italic == b->italic &&
           a->underline == b->underline && a->strike == b->strike;
}

static void put_escaped(FILE *f, const char *text)
{
    for (; *text; text++) {
        if (*text == '&')
            fputs("&amp;", f);
        else if (*text == '<')
            fputs("&lt;", f);
        else if (*text == '>')
            fputs("&gt;", f);
        else
            fputc(*text, f);
    }
}

/* Which arms a line-drawing character has: left, right, up, down. 0 = it is no such character. */
static unsigned box_arms(const char *text)
{
    enum { L = 1, R = 2, U = 4, D = 8 };
    static const struct {
        const char *text;
        unsigned arms;
    } rows[] = {
        {"─", L | R},         {"━", L | R},     {"│", U | D},     {"┃", U | D},
        {"┌", R | D},         {"┐", L | D},     {"└", R | U},     {"┘", L | U},
        {"├", U | D | R},     {"┤", U | D | L}, {"┬", L | R | D}, {"┴", L | R | U},
        {"┼", L | R | U | D}, {"╭", R | D},     {"╮", L | D},     {"╰", R | U},
        {"╯", L | U},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (strcmp(rows[i].text, text) == 0)
            return rows[i].arms;
    return 0;
}

static void put_box(FILE *f, double x, double y, unsigned arms, const struct paint *p)
{
    double cx = x + CELL_W / 2, cy = y + CELL_H / 2;
    fprintf(f, "<path d=\"");
    if (arms & 3)
        fprintf(f, "M%.1f %.1fH%.1f", arms & 1 ? x : cx, cy, arms & 2 ? x + CELL_W : cx);
    if (arms & 12)
        fprintf(f, "M%.1f %.1fV%.1f", cx, arms & 4 ? y : cy, arms & 8 ? y + CELL_H : cy);
    fprintf(f, "\" stroke=\"%s\" stroke-opacity=\"%.2g\"/>\n", p->fg, p->opacity);
}

/* The blocks are filled squares of the cell, so that bars and QR codes have no seams. */
static bool put_block(FILE *f, const char *text, double x, double y, const struct paint *p)
{
    static const struct {
        const char *text;
        double x, y, w, h; /* parts of the cell */
    } rows[] = {
        {"█", 0, 0, 1, 1},    {"▀", 0, 0, 1, 0.5},   {"▄", 0, 0.5, 1, 0.5},
        {"▌", 0, 0, 0.5, 1},  {"▐", 0.5, 0, 0.5, 1}, {"▏", 0, 0, 0.125, 1},
        {"▎", 0, 0, 0.25, 1}, {"▍", 0, 0, 0.375, 1}, {"▋", 0, 0, 0.625, 1},
        {"▊", 0, 0, 0.75, 1}, {"▉", 0, 0, 0.875, 1}, {"▕", 0.875, 0, 0.125, 1},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (strcmp(rows[i].text, text) != 0)
            continue;
        fprintf(f,
                "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"%s\" "
                "shape-rendering=\"crispEdges\"/>\n",
                x + rows[i].x * CELL_W, y + rows[i].y * CELL_H, rows[i].w * CELL_W,
                rows[i].h * CELL_H, p->fg);
        return true;
    }
    return false;
}

static bool is_drawn(const char *text)
{
    return box_arms(text) || strncmp(text, "\xe2\x96\x80", 2) == 0; /* U+2580..U+25BF */
}

/* One stretch of cells of one style: [from, to). Text is one element with its length pinned. */
static void put_run(FILE *f, const struct term *t, int row, int from, int to)
{
    struct term_cell first = term_cell(t, row, from);
    struct paint p = paint_of(&first);
    double x = PAD + from * CELL_W, y = PAD + row * CELL_H;

    fprintf(f,
            "<text x=\"%.1f\" y=\"%.1f\" textLength=\"%.1f\" lengthAdjust=\"spacingAndGlyphs\" "
            "fill=\"%s\"",
            x, y + BASELINE, (to - from) * CELL_W, p.fg);
    if (p.opacity < 1)
        fprintf(f, " fill-opacity=\"%.2g\"", p.opacity);
    if (first.bold)
        fputs(" font-weight=\"700\"", f);
    if (first.italic)
        fputs(" font-style=\"italic\"", f);
    if (first.underline || first.strike)
        fprintf(f, " text-decoration=\"%s%s\"", first.underline ? "underline " : "",
                first.strike ? "line-through" : "");
    fputc('>', f);
    for (int col = from; col < to; col++) {
        struct term_cell cell = term_cell(t, row, col);
        put_escaped(f, cell.text);
    }
    fputs("</text>\n", f);
}

static bool is_blank(const struct term_cell *cell)
{
    return strcmp(cell->text, " ") == 0 && !cell->underline && !cell->strike;
}

/* A word and what stands one blank apart stay together; wider gaps, lines and wide characters part.
 */
static int run_end(const struct term *t, int row, int from)
{
    struct term_cell first = term_cell(t, row, from);
    int end = from + 1;

    if (first.width == 2)
        return from + 2;
    for (int col = from + 1; col < term_cols(t); col++) {
        struct term_cell cell = term_cell(t, row, col);
        if (!same_style(&first, &cell) || cell.width != 1 || is_drawn(cell.text) ||
            (unsigned char)cell.text[0] >= 0x80 || (unsigned char)first.text[0] >= 0x80)
            break;
        if (!is_blank(&cell))
            end = col + 1;
        else if (col - end >= 1)
            break;
    }
    return end;
}

static void put_backgrounds(FILE *f, const struct term *t, int row)
{
    for (int col = 0; col < term_cols(t);) {
        struct term_cell cell = term_cell(t, row, col);
        struct paint p = paint_of(&cell);
        int end = col + 1;
        for (; p.has_bg && end < term_cols(t); end++) {
            struct term_cell next = term_cell(t, row, end);
            struct paint q = paint_of(&next);
            if (!q.has_bg || strcmp(p.bg, q.bg) != 0)
                break;
        }
        if (p.has_bg)
            fprintf(f, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>\n",
                    PAD + col * CELL_W, PAD + row * CELL_H, (end - col) * CELL_W, CELL_H, p.bg);
        col = end;
    }
}

static void put_row(FILE *f, const struct term *t, int row)
{
    put_backgrounds(f, t, row);
    for (int col = 0; col < term_cols(t);) {
        struct term_cell cell = term_cell(t, row, col);
        struct paint p = paint_of(&cell);
        double x = PAD + col * CELL_W, y = PAD + row * CELL_H;
        unsigned arms = box_arms(cell.text);
        if (cell.width == 0 || is_blank(&cell)) {
            col++;
        } else if (arms) {
            put_box(f, x, y, arms, &p);
            col++;
        } else if (put_block(f, cell.text, x, y, &p)) {
            col++;
        } else {
            int end = run_end(t, row, col);
            put_run(f, t, row, col, end);
            col = end;
        }
    }
}

static void put_cursor(FILE *f, const struct term *t)
{
    struct term_cursor c = term_cursor(t);
    if (c.visible)
        fprintf(f, "<rect x=\"%.1f\" y=\"%.1f\" width=\"1.6\" height=\"%.1f\" fill=\"%s\"/>\n",
                PAD + c.col * CELL_W, PAD + c.row * CELL_H + 1, CELL_H - 2, ink);
}

static void put_screen(FILE *f, const struct term *t, const char *name)
{
    double width = term_cols(t) * CELL_W + 2 * PAD, height = term_rows(t) * CELL_H + 2 * PAD;

    fprintf(f,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 "
            "0 %.0f %.0f\" "
            "role=\"img\">\n<title>envoy-console: ",
            width, height, width, height);
    put_escaped(f, name);
    fprintf(f,
            "</title>\n<rect width=\"100%%\" height=\"100%%\" rx=\"8\" fill=\"%s\"/>\n"
            "<g font-family=\"'DejaVu Sans Mono','Menlo','Consolas',monospace\" font-size=\"14\" "
            "xml:space=\"preserve\" stroke-width=\"1.2\">\n",
            ground);
    for (int row = 0; row < term_rows(t); row++)
        put_row(f, t, row);
    put_cursor(f, t);
    fputs("</g>\n</svg>\n", f);
}

static void write_snapshot(void *user, const char *name, const struct term *screen)
{
    struct svg *svg = user;
    char path[512];

    snprintf(path, sizeof(path), "%s/%s.svg", svg->dir, name);
    FILE *f = fopen(path, "w");
    if (f)
        put_screen(f, screen, name);
    if (!f || fclose(f) != 0) {
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
        svg->failed++;
        return;
    }
    printf("%s\n", path);
    svg->written++;
}

int main(int argc, char **argv)
{
    struct svg svg = {.dir = "."};
    const char *build = getenv("ENVOY_BUILD");
    struct script_options options = {
        .build = build ? build : "build", .snapshot = write_snapshot, .user = &svg};
    int opt;

    while ((opt = getopt(argc, argv, "o:")) != -1) {
        if (opt != 'o')
            return 2;
        svg.dir = optarg;
    }
    setlocale(LC_CTYPE, "C.UTF-8"); /* so that a dot in an expression is one character */
    curl_global_init(CURL_GLOBAL_DEFAULT);
    for (int i = optind; i < argc; i++) {
        char *why = NULL;
        if (!script_run(argv[i], &options, &why)) {
            fprintf(stderr, "%s\n", why ? why : "out of memory");
            svg.failed++;
        }
        free(why);
    }
    curl_global_cleanup();
    if (svg.written == 0)
        fputs("no picture was written\n", stderr);
    return svg.failed || svg.written == 0 ? 1 : 0;
}
