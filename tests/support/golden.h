/* SPDX-License-Identifier: Apache-2.0 */
/* Golden screens: a canvas as text, role map and cursor, compared with tests/golden/NAME.WxH.txt.
 * With GOLDEN_UPDATE=1 in the environment the files are written anew instead, to be read in the
 * diff. A screen that has no file yet is a failure. Works without a terminal. */
#ifndef SUPPORT_GOLDEN_H
#define SUPPORT_GOLDEN_H

#include <stdbool.h>
#include "ui/canvas.h"

typedef void golden_draw_fn(struct canvas *c, void *ctx);

/* Draws at width x height and compares; fails the running cmocka test on a difference, after
 * printing the first rows that differ. */
void golden_check(const char *name, int width, int height, bool ascii, golden_draw_fn *draw,
                  void *ctx);
/* At 80x24, 120x40 and 40x12. */
void golden_check_sizes(const char *name, golden_draw_fn *draw, void *ctx);

#endif
