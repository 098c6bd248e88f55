/* SPDX-License-Identifier: Apache-2.0 */
/* From a size to the places of everything: pure arithmetic, no drawing, no model. Dividers depend
 * on the size alone, never on contents; the pane below the timeline takes its rows from the
 * timeline. Invariants: every part lies inside the screen, parts of one column do not overlap, and
 * a part without room has w or h 0 and is not to be drawn. */
#ifndef UI_LAYOUT_H
#define UI_LAYOUT_H

#include <stdbool.h>
#include "ui/canvas.h"

#define LAYOUT_MIN_WIDTH   60
#define LAYOUT_MIN_HEIGHT  16
#define LAYOUT_TWO_WIDTH   80  /* list and detail side by side from here */
#define LAYOUT_THREE_WIDTH 160 /* facts beside the timeline from here */
#define LAYOUT_EDIT_INDENT 2   /* blanks at both sides of text in a pane */

enum layout_mode {
    LAYOUT_TOO_SMALL, /* a notice; only header is set, to the whole screen */
    LAYOUT_ONE,       /* list and detail have the same place: draw the one that has the focus */
    LAYOUT_TWO,
    LAYOUT_THREE,
};

struct layout {
    enum layout_mode mode;
    int width, height;
    struct canvas_rect header;    /* 2 rows; 1 in small terminals */
    struct canvas_rect body_rule; /* views that use the whole width: title row and contents */
    struct canvas_rect body;
    struct canvas_rect list_rule; /* Purchases: the list */
    struct canvas_rect list;
    int divider_x;                  /* -1 when there is none */
    struct canvas_rect detail_rule; /* Purchases: title of the selected purchase */
    struct canvas_rect head; /* progress track, who checks out, a blank row if there is room */
    struct canvas_rect timeline;
    struct canvas_rect pane_rule; /* h 0 when no pane was asked for */
    struct canvas_rect pane;
    int extra_divider_x; /* -1 when there is none */
    struct canvas_rect extra_rule;
    struct canvas_rect extra;
    struct canvas_rect footer_rule;
    struct canvas_rect footer; /* 1 row */
};

/* pane_rows: rows that the pane wants for its contents, 0 for no pane. It gets them as far as the
 * timeline keeps its least rows, and all the rest of the column when it wants more. */
void layout_compute(struct layout *out, int width, int height, int pane_rows);
/* Divider of the frame: from its row at the title rule down to the footer rule. */
void layout_draw_frame(const struct layout *l, struct canvas *c, bool columns);
/* A dialog of want_w x want_h cells (frame rows included), centred in the body and cut to it; as
 * wide as the body when little would be left at its sides. */
struct canvas_rect layout_dialog(const struct layout *l, int want_w, int want_h);
/* r without a margin of cells at the left and right. */
struct canvas_rect layout_inset(struct canvas_rect r, int cells);
/* Splits the first rows off r (at most what it has) and moves r below them. */
struct canvas_rect layout_take_rows(struct canvas_rect *r, int rows);

#endif
