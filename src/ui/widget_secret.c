/* SPDX-License-Identifier: Apache-2.0 */
/* Masks. Must never open a secret: it asks for fixed masks and counts alone. */
#include "secret/handout.h"
#include "ui/widget_secret.h"

#define MASK_TEXT_MAX 128
#define CARD_GROUP    4

void widget_secret_draw_input(struct canvas *c, struct canvas_rect area, size_t count, bool focused)
{
    if (area.w <= 0 || area.h <= 0)
        return;
    int shown = count < (size_t)area.w ? (int)count : area.w - 1;
    canvas_fill(c, area, THEME_INPUT);
    for (int i = 0; i < shown; i++)
        canvas_put_glyph(c, area.x + i, area.y, THEME_MASK, CANVAS_GLYPH_MASK);
    if (focused)
        canvas_cursor(c, area.x + shown, area.y, true);
}

int widget_secret_draw_field(struct canvas *c, int x, int y, int slot_width, int slot_rows,
                             const struct handout *h, int field)
{
    char mask[MASK_TEXT_MAX];
    handout_mask(h, (enum handout_field)field, canvas_is_ascii(c), mask, sizeof(mask));
    int used = canvas_put(c, x, y, THEME_MASK, mask);
    canvas_secret_slot(c, (struct canvas_rect){x, y, slot_width, slot_rows}, field);
    return used;
}

int widget_secret_group(int field)
{
    return field == (int)HANDOUT_NUMBER ? CARD_GROUP : 0;
}
