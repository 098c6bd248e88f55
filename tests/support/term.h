/* SPDX-License-Identifier: Apache-2.0 */
/* A terminal that tests can read back: bytes go in, a grid of cells comes out (libvterm), with the
 * cursor, the alternate screen, the modes, and every byte kept for scans. It knows no process;
 * pty.h feeds it. Rows and columns count from 0. libvterm has no dim attribute, so dim is carried
 * through it as font 9, which no program here uses. */
#ifndef SUPPORT_TERM_H
#define SUPPORT_TERM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TERM_CELL_BYTES 32

enum term_color_kind { TERM_COLOR_DEFAULT, TERM_COLOR_INDEXED, TERM_COLOR_RGB };

struct term_color {
    enum term_color_kind kind;
    uint8_t index;            /* only INDEXED */
    uint8_t red, green, blue; /* INDEXED and RGB */
};

struct term_cell {
    char text[TERM_CELL_BYTES]; /* UTF-8; " " for a blank; "" for the right half of a wide one */
    int width;                  /* cells: 0 (right half), 1 or 2 */
    bool bold, dim, italic, underline, blink, reverse, strike;
    struct term_color fg, bg;
};

struct term_cursor {
    int row, col;
    bool visible;
};

struct term;

/* Never NULL: a test without memory aborts. */
struct term *term_new(int rows, int cols);
void term_free(struct term *t);

void term_feed(struct term *t, const char *bytes, size_t len);
/* What the terminal answers to queries: at most size bytes are moved out. */
size_t term_take_reply(struct term *t, char *out, size_t size);
void term_resize(struct term *t, int rows, int cols);

int term_rows(const struct term *t);
int term_cols(const struct term *t);
struct term_cell term_cell(const struct term *t, int row, int col);
struct term_cursor term_cursor(const struct term *t);
bool term_in_alt_screen(const struct term *t);
bool term_app_cursor_keys(const struct term *t);
bool term_bracketed_paste(const struct term *t);
int term_mouse_mode(const struct term *t); /* 0, or the last of 1000, 1002, 1003 that is on */
const char *term_title(const struct term *t);
unsigned term_bells(const struct term *t);

/* One row without trailing blanks, or the whole screen with a '\n' after each row. Caller frees. */
char *term_row_text(const struct term *t, int row);
char *term_text(const struct term *t);
/* Finds text inside one row; false when it is nowhere. row and col may be NULL. col is a cell. */
bool term_find(const struct term *t, const char *text, int *row, int *col);
/* Extended regular expression, matched row by row. */
bool term_find_regex(const struct term *t, const char *pattern);

/* Every byte fed so far (bounded at 64 MiB); borrowed until the next feed. */
const char *term_bytes(const struct term *t, size_t *len);
bool term_bytes_contain(const struct term *t, const char *needle, size_t len, size_t from);

#endif
