/* SPDX-License-Identifier: Apache-2.0 */
/* Canvas cells to curses cells, roles to attributes and colour pairs. */
#ifndef TERM_PAINT_H
#define TERM_PAINT_H

#include <stdbool.h>
#include "ui/canvas.h"
#include "ui/theme.h"

struct paint {
    struct theme theme;
    enum theme_depth depth;
    bool colors_started;
    bool utf8;
};

/* Uses colours from now on if depth has some and the terminal can keep its own background. */
void paint_set_theme(struct paint *p, const struct theme *theme, enum theme_depth depth);
/* Puts one cell of the canvas onto the standard window; no output yet. */
void paint_put_cell(const struct paint *p, int x, int y, const struct canvas_cell *cell);

#endif
