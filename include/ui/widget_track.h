/* SPDX-License-Identifier: Apache-2.0 */
/* The progress track of a purchase: "✓ approved ── ● ready ── ○ done". */
#ifndef UI_WIDGET_TRACK_H
#define UI_WIDGET_TRACK_H

#include "ui/canvas.h"

struct widget_track_step {
    const char *label;
    enum canvas_glyph glyph; /* WELL passed, AHEAD to come, others: where it stands */
};

/* In one row of width cells: with long links, with short ones, then without the steps to come that
 * lie farthest from where it stands (the last stays), then cut. Returns the cells used. */
int widget_track_draw(struct canvas *c, int x, int y, int width,
                      const struct widget_track_step *steps, int count);

#endif
