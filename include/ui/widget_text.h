/* SPDX-License-Identifier: Apache-2.0 */
/* A longer text in a scrolling area, and the frame of a dialog. */
#ifndef UI_WIDGET_TEXT_H
#define UI_WIDGET_TEXT_H

#include <stdbool.h>
#include "ui/canvas.h"

/* Wrapped text from row *top on, which is held to what there is; a mark in the right column shows
 * that rows are left out above or below. Returns the rows of the whole text. */
int widget_text_draw(struct canvas *c, struct canvas_rect area, unsigned style, const char *text,
                     int *top);
/* "label      value" with the value's following rows below its first. Returns the rows used. */
int widget_text_draw_fact(struct canvas *c, struct canvas_rect area, int label_width,
                          const char *label, unsigned value_style, const char *value);
/* Clears area, draws its upper rule with title and its lower rule. Returns the room inside, with a
 * blank row and two blank columns around it as far as there is room. */
struct canvas_rect widget_text_dialog(struct canvas *c, struct canvas_rect area, const char *title);

#endif
