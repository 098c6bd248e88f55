/* SPDX-License-Identifier: Apache-2.0 */
/* See term.h. Two things stand between the bytes and libvterm 0.1: a filter that turns dim (SGR 2)
 * into font 9, and a reader of private modes, which libvterm keeps to itself. */
#include "support/term.h"

#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vterm.h>

#define BYTES_MAX   (64U << 20)
#define SEQ_MAX     256
#define DIM_FONT    9
#define CHARS_MAX   VTERM_MAX_CHARS_PER_CELL
#define TITLE_BYTES 128

enum filter_state { FILTER_TEXT, FILTER_ESC, FILTER_CSI };

struct term {
    VTerm *vt;
    VTermScreen *screen;
    int rows, cols;
    bool cursor_visible;
    bool alt_screen;
    bool app_cursor;
    bool bracketed_paste;
    int mouse;
    unsigned bells;
    char title[TITLE_BYTES];
    enum filter_state filter;
    char seq[SEQ_MAX]; /* a CSI sequence under way, without ESC [ */
    size_t seq_len;
    char *bytes;
    size_t bytes_len, bytes_cap;
};

static void *must(void *p)
{
    if (!p) {
        fputs("out of memory in a test\n", stderr);
        abort();
    }
    return p;
}

static int on_prop(VTermProp prop, VTermValue *value, void *user)
{
    struct term *t = user;
    if (prop == VTERM_PROP_CURSORVISIBLE)
        t->cursor_visible = value->boolean;
    else if (prop == VTERM_PROP_ALTSCREEN)
        t->alt_screen = value->boolean;
    else if (prop == VTERM_PROP_TITLE && value->string)
        snprintf(t->title, sizeof(t->title), "%s", value->string);
    return 1;
}

static int on_bell(void *user)
{
    struct term *t = user;
    t->bells++;
    return 1;
}

static const VTermScreenCallbacks screen_callbacks = {.settermprop = on_prop, .bell = on_bell};

struct term *term_new(int rows, int cols)
{
    struct term *t = must(calloc(1, sizeof(*t)));
    t->rows = rows;
    t->cols = cols;
    t->cursor_visible = true;
    t->vt = must(vterm_new(rows, cols));
    vterm_set_utf8(t->vt, 1);
    t->screen = must(vterm_obtain_screen(t->vt));
    vterm_screen_set_callbacks(t->screen, &screen_callbacks, t);
    vterm_screen_enable_altscreen(t->screen, 1);
    vterm_screen_reset(t->screen, 1);
    return t;
}

void term_free(struct term *t)
{
    if (!t)
        return;
    vterm_free(t->vt);
    free(t->bytes);
    free(t);
}

static void term_keep(struct term *t, const char *bytes, size_t len)
{
    if (t->bytes_len + len > BYTES_MAX) {
        fputs("a test wrote more than 64 MiB to its terminal\n", stderr);
        abort();
    }
    if (t->bytes_len + len + 1 > t->bytes_cap) {
        t->bytes_cap = (t->bytes_len + len + 1) * 2;
        t->bytes = must(realloc(t->bytes, t->bytes_cap));
    }
    memcpy(t->bytes + t->bytes_len, bytes, len);
    t->bytes_len += len;
    t->bytes[t->bytes_len] = '\0';
}

/* Private modes ("?1;1000h"): what keys and pastes must look like, and what must be off at the end.
 */
static void term_read_modes(struct term *t, const char *seq, bool on)
{
    for (const char *p = seq + 1; *p;) {
        char *end;
        long mode = strtol(p, &end, 10);
        if (mode == 1)
            t->app_cursor = on;
        else if (mode == 2004)
            t->bracketed_paste = on;
        else if (mode == 1000 || mode == 1002 || mode == 1003)
            t->mouse = on ? (int)mode : 0;
        if (end == p || *end != ';')
            break;
        p = end + 1;
    }
}

/* Rewrites the numbers of an SGR: 2 -> 19 (font 9), 22 -> 22;10. Colour arguments are passed by. */
static void term_write_sgr(struct term *t, const char *params)
{
    char out[SEQ_MAX * 3];
    size_t at = (size_t)snprintf(out, sizeof(out), "\033[");
    int skip = 0; /* arguments of 38 and 48 still to come; -1 = their kind is next */

    for (const char *p = params;;) {
        size_t n = strcspn(p, ";");
        long value = n ? strtol(p, NULL, 10) : 0;
        bool plain = skip == 0;
        if (skip == -1)
            skip = value == 5 ? 1 : value == 2 ? 3 : 0;
        else if (skip > 0)
            skip--;
        else if ((value == 38 || value == 48) && !memchr(p, ':', n))
            skip = -1;
        if (plain && value == 2)
            at += (size_t)snprintf(out + at, sizeof(out) - at, "1%d", DIM_FONT);
        else if (plain && value == 22)
            at += (size_t)snprintf(out + at, sizeof(out) - at, "22;10");
        else
            at += (size_t)snprintf(out + at, sizeof(out) - at, "%.*s", (int)n, p);
        if (p[n] != ';')
            break;
        at += (size_t)snprintf(out + at, sizeof(out) - at, ";");
        p += n + 1;
    }
    at += (size_t)snprintf(out + at, sizeof(out) - at, "m");
    vterm_input_write(t->vt, out, at);
}

static void term_end_csi(struct term *t, char final)
{
    t->seq[t->seq_len] = '\0';
    if (final == 'm' && strspn(t->seq, "0123456789;:") == t->seq_len) {
        term_write_sgr(t, t->seq);
        return;
    }
    if (t->seq[0] == '?' && (final == 'h' || final == 'l'))
        term_read_modes(t, t->seq, final == 'h');
    vterm_input_write(t->vt, "\033[", 2);
    vterm_input_write(t->vt, t->seq, t->seq_len);
    vterm_input_write(t->vt, &final, 1);
}

static void term_feed_byte(struct term *t, char c)
{
    unsigned char u = (unsigned char)c;
    if (t->filter == FILTER_CSI) {
        if (u >= 0x40 && u <= 0x7e) {
            t->filter = FILTER_TEXT;
            term_end_csi(t, c);
        } else if (u < 0x20 || t->seq_len + 1 >= sizeof(t->seq)) {
            /* a broken sequence: libvterm decides what it means */
            t->filter = FILTER_TEXT;
            vterm_input_write(t->vt, "\033[", 2);
            vterm_input_write(t->vt, t->seq, t->seq_len);
            vterm_input_write(t->vt, &c, 1);
        } else {
            t->seq[t->seq_len++] = c;
        }
    } else if (t->filter == FILTER_ESC && c == '[') {
        t->filter = FILTER_CSI;
        t->seq_len = 0;
    } else if (t->filter == FILTER_ESC) {
        t->filter = c == '\033' ? FILTER_ESC : FILTER_TEXT;
        vterm_input_write(t->vt, "\033", 1);
        if (c != '\033')
            vterm_input_write(t->vt, &c, 1);
    } else if (c == '\033') {
        t->filter = FILTER_ESC;
    } else {
        vterm_input_write(t->vt, &c, 1);
    }
}

void term_feed(struct term *t, const char *bytes, size_t len)
{
    term_keep(t, bytes, len);
    for (size_t i = 0; i < len;) {
        /* plain stretches go in one piece: libvterm joins marks to letters within a piece */
        const char *esc = memchr(bytes + i, '\033', len - i);
        size_t n = esc ? (size_t)(esc - (bytes + i)) : len - i;
        if (t->filter == FILTER_TEXT && n > 0) {
            vterm_input_write(t->vt, bytes + i, n);
            i += n;
        } else {
            term_feed_byte(t, bytes[i++]);
        }
    }
}

size_t term_take_reply(struct term *t, char *out, size_t size)
{
    return vterm_output_read(t->vt, out, size);
}

void term_resize(struct term *t, int rows, int cols)
{
    t->rows = rows;
    t->cols = cols;
    vterm_set_size(t->vt, rows, cols);
}

int term_rows(const struct term *t)
{
    return t->rows;
}

int term_cols(const struct term *t)
{
    return t->cols;
}

static size_t encode_utf8(uint32_t cp, char *out)
{
    if (cp < 0x80) {
        out[0] = (char)cp;
        return 1;
    }
    if (cp < 0x800) {
        out[0] = (char)(0xc0 | cp >> 6);
        out[1] = (char)(0x80 | (cp & 0x3f));
        return 2;
    }
    if (cp < 0x10000) {
        out[0] = (char)(0xe0 | cp >> 12);
        out[1] = (char)(0x80 | (cp >> 6 & 0x3f));
        out[2] = (char)(0x80 | (cp & 0x3f));
        return 3;
    }
    out[0] = (char)(0xf0 | cp >> 18);
    out[1] = (char)(0x80 | (cp >> 12 & 0x3f));
    out[2] = (char)(0x80 | (cp >> 6 & 0x3f));
    out[3] = (char)(0x80 | (cp & 0x3f));
    return 4;
}

static struct term_color term_color_of(const struct term *t, const VTermColor *color,
                                       bool is_default)
{
    struct term_color out = {0};
    VTermColor rgb = *color;
    if (is_default)
        return out;
    out.kind = VTERM_COLOR_IS_INDEXED(color) ? TERM_COLOR_INDEXED : TERM_COLOR_RGB;
    if (out.kind == TERM_COLOR_INDEXED)
        out.index = color->indexed.idx;
    vterm_screen_convert_color_to_rgb(t->screen, &rgb);
    out.red = rgb.rgb.red;
    out.green = rgb.rgb.green;
    out.blue = rgb.rgb.blue;
    return out;
}

struct term_cell term_cell(const struct term *t, int row, int col)
{
    struct term_cell out = {.text = " ", .width = 1};
    VTermScreenCell cell;
    VTermPos pos = {.row = row, .col = col};

    if (row < 0 || col < 0 || row >= t->rows || col >= t->cols ||
        !vterm_screen_get_cell(t->screen, pos, &cell))
        return out;
    if (cell.chars[0] == (uint32_t)-1) {
        out.text[0] = '\0';
        out.width = 0;
    } else if (cell.chars[0]) {
        size_t at = 0;
        for (int i = 0; i < CHARS_MAX && cell.chars[i]; i++)
            at += encode_utf8(cell.chars[i], out.text + at);
        out.text[at] = '\0';
        out.width = cell.width;
    }
    out.bold = cell.attrs.bold;
    out.dim = cell.attrs.font == DIM_FONT;
    out.italic = cell.attrs.italic;
    out.underline = cell.attrs.underline != 0;
    out.blink = cell.attrs.blink;
    out.reverse = cell.attrs.reverse;
    out.strike = cell.attrs.strike;
    out.fg = term_color_of(t, &cell.fg, VTERM_COLOR_IS_DEFAULT_FG(&cell.fg));
    out.bg = term_color_of(t, &cell.bg, VTERM_COLOR_IS_DEFAULT_BG(&cell.bg));
    return out;
}

struct term_cursor term_cursor(const struct term *t)
{
    VTermPos pos;
    vterm_state_get_cursorpos(vterm_obtain_state(t->vt), &pos);
    return (struct term_cursor){.row = pos.row, .col = pos.col, .visible = t->cursor_visible};
}

bool term_in_alt_screen(const struct term *t)
{
    return t->alt_screen;
}

bool term_app_cursor_keys(const struct term *t)
{
    return t->app_cursor;
}

bool term_bracketed_paste(const struct term *t)
{
    return t->bracketed_paste;
}

int term_mouse_mode(const struct term *t)
{
    return t->mouse;
}

const char *term_title(const struct term *t)
{
    return t->title;
}

unsigned term_bells(const struct term *t)
{
    return t->bells;
}

char *term_row_text(const struct term *t, int row)
{
    char *out = must(malloc((size_t)t->cols * TERM_CELL_BYTES + 1));
    size_t at = 0, end = 0;

    for (int col = 0; col < t->cols; col++) {
        struct term_cell cell = term_cell(t, row, col);
        size_t n = strlen(cell.text);
        memcpy(out + at, cell.text, n);
        at += n;
        if (n && strcmp(cell.text, " ") != 0)
            end = at;
    }
    out[end] = '\0';
    return out;
}

char *term_text(const struct term *t)
{
    char *out = must(malloc((size_t)t->rows * ((size_t)t->cols * TERM_CELL_BYTES + 1) + 1));
    size_t at = 0;

    for (int row = 0; row < t->rows; row++) {
        char *line = term_row_text(t, row);
        size_t n = strlen(line);
        memcpy(out + at, line, n);
        at += n;
        out[at++] = '\n';
        free(line);
    }
    out[at] = '\0';
    return out;
}

/* The cell in which the byte at this offset of the row's text lies. */
static int col_of_byte(const struct term *t, int row, size_t offset)
{
    size_t at = 0;
    for (int col = 0; col < t->cols; col++) {
        at += strlen(term_cell(t, row, col).text);
        if (at > offset)
            return col;
    }
    return t->cols;
}

bool term_find(const struct term *t, const char *text, int *row, int *col)
{
    for (int r = 0; r < t->rows; r++) {
        char *line = term_row_text(t, r);
        const char *hit = strstr(line, text);
        if (hit && row)
            *row = r;
        if (hit && col)
            *col = col_of_byte(t, r, (size_t)(hit - line));
        free(line);
        if (hit)
            return true;
    }
    return false;
}

bool term_find_regex(const struct term *t, const char *pattern)
{
    regex_t re;
    bool found = false;

    if (regcomp(&re, pattern, REG_EXTENDED | REG_NOSUB) != 0) {
        fprintf(stderr, "bad regular expression: %s\n", pattern);
        abort();
    }
    for (int r = 0; r < t->rows && !found; r++) {
        char *line = term_row_text(t, r);
        found = regexec(&re, line, 0, NULL, 0) == 0;
        free(line);
    }
    regfree(&re);
    return found;
}

const char *term_bytes(const struct term *t, size_t *len)
{
    *len = t->bytes_len;
    return t->bytes ? t->bytes : "";
}

bool term_bytes_contain(const struct term *t, const char *needle, size_t len, size_t from)
{
    return from <= t->bytes_len && t->bytes_len - from >= len && len > 0 &&
           memmem(t->bytes + from, t->bytes_len - from, needle, len) != NULL;
}
