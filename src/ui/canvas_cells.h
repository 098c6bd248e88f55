/* SPDX-License-Identifier: Apache-2.0 */
/* The seam between the two halves of the canvas: cells and lines here, text in canvas_text.c. */
#ifndef UI_CANVAS_CELLS_H
#define UI_CANVAS_CELLS_H

#include <stddef.h>
#include "ui/canvas.h"

/* Puts one cluster of at most CANVAS_CELL_BYTES bytes and 1 or 2 cells; inside the clip only. A
 * wide one that is cut by the clip leaves a blank. */
void canvas_cells_set(struct canvas *c, int x, int y, unsigned style, const char *bytes, size_t len,
                      int cells);

#endif
