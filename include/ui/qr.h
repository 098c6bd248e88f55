/* SPDX-License-Identifier: Apache-2.0 */
/* A link as a QR code in cells: two modules a cell with half blocks, or one module in two blank
 * cells told apart by their background where there is no UTF-8. Never for anything secret. */
#ifndef UI_QR_H
#define UI_QR_H

#include "core/err.h"
#include "ui/canvas.h"

#define QR_TEXT_MAX 1024 /* bytes */

/* Cells that the code of text needs, its light border included. ERR_LIMIT when text is too long. */
enum err qr_measure(const char *text, bool ascii, int *width, int *height) WARN_UNUSED;
/* Centred in area. ERR_LIMIT, with nothing drawn, when area is too small for all of it: then the
 * caller shows the link as text and says so. */
enum err qr_draw(struct canvas *c, struct canvas_rect area, const char *text) WARN_UNUSED;

#endif
