/* SPDX-License-Identifier: Apache-2.0 */
/* What a person sees of a secret: a mask, never a byte of it. The only part of the UI that touches
 * the secret layer, and only its masks. */
#ifndef UI_WIDGET_SECRET_H
#define UI_WIDGET_SECRET_H

#include <stdbool.h>
#include <stddef.h>
#include "ui/canvas.h"

struct handout; /* secret/handout.h */

/* A code being typed: one mask sign for each of count characters, at most area.w - 1. */
void widget_secret_draw_input(struct canvas *c, struct canvas_rect area, size_t count,
                              bool focused);
/* The fixed mask of field (an enum handout_field), with its slot for a reveal: the slot is
 * slot_width cells wide and slot_rows high (a voucher code may need more cells than its mask).
 * Returns the mask's cells.
 */
int widget_secret_draw_field(struct canvas *c, int x, int y, int slot_width, int slot_rows,
                             const struct handout *h, int field);
/* Digits a group in a reveal: 4 for a card number, 0 (none) for others. */
int widget_secret_group(int field);

#endif
