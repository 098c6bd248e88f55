/* SPDX-License-Identifier: Apache-2.0 */
/* QR codes in cells. Must not be given a secret. Invariant: a code is drawn whole, with its light
 * border, or not at all, since a part of one cannot be read. */
#include <qrencode.h>
#include <string.h>
#include "ui/qr.h"

#define BORDER 2 /* light modules around the code; scanners of screens do with two */

static QRcode *encode(const char *text)
{
    if (*text == '\0' || strlen(text) > QR_TEXT_MAX)
        return NULL;
    return QRcode_encodeString(text, 0, QR_ECLEVEL_L, QR_MODE_8, 1);
}

static void cells_of(const QRcode *code, bool ascii, int *width, int *height)
{
    int modules = code->width + 2 * BORDER;
    *width = ascii ? 2 * modules : modules;
    *height = ascii ? modules : (modules + 1) / 2;
}

static bool is_dark(const QRcode *code, int column, int row)
{
    column -= BORDER;
    row -= BORDER;
    if (column < 0 || row < 0 || column >= code->width || row >= code->width)
        return false;
    return code->data[row * code->width + column] & 1;
}

/* Upper and lower module of a cell: dark ones are the foreground of a light ground. */
static void draw_half_blocks(struct canvas *c, int x, int y, const QRcode *code, int width,
                             int height)
{
    static const char *const blocks[] = {" ", "▀", "▄", "█"};
    for (int row = 0; row < height; row++) {
        for (int column = 0; column < width; column++) {
            int upper = is_dark(code, column, 2 * row);
            int lower = is_dark(code, column, 2 * row + 1);
            canvas_put(c, x + column, y + row, THEME_QR_LIGHT, blocks[upper + 2 * lower]);
        }
    }
}

/* Without block characters: blanks on two grounds. */
static void draw_blanks(struct canvas *c, int x, int y, const QRcode *code, int width, int height)
{
    for (int row = 0; row < height; row++) {
        for (int column = 0; column < width; column++) {
            bool dark = is_dark(code, column / 2, row);
            canvas_put(c, x + column, y + row, dark ? THEME_QR_DARK : THEME_QR_LIGHT, " ");
        }
    }
}

enum err qr_measure(const char *text, bool ascii, int *width, int *height)
{
    QRcode *code = encode(text);
    if (!code)
        return ERR_LIMIT;
    cells_of(code, ascii, width, height);
    QRcode_free(code);
    return ERR_OK;
}

enum err qr_draw(struct canvas *c, struct canvas_rect area, const char *text)
{
    QRcode *code = encode(text);
    if (!code)
        return ERR_LIMIT;
    enum err e = ERR_LIMIT;
    int width;
    int height;
    cells_of(code, canvas_is_ascii(c), &width, &height);
    if (width <= area.w && height <= area.h) {
        int x = area.x + (area.w - width) / 2;
        int y = area.y + (area.h - height) / 2;
        if (canvas_is_ascii(c))
            draw_blanks(c, x, y, code, width, height);
        else
            draw_half_blocks(c, x, y, code, width, height);
        e = ERR_OK;
    }
    QRcode_free(code);
    return e;
}
