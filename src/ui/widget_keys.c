/* SPDX-License-Identifier: Apache-2.0 */
/* The key line. Must not know commands. Invariant: a key is shown with its whole label or not at
 * all, and the last one given is always shown. */
#include "ui/widget_keys.h"

#define GAP 2

static int key_width(const struct canvas *c, const struct widget_key *key)
{
    return canvas_width_of(c, key->key) + 1 + canvas_width_of(c, key->label);
}

static int draw_key(struct canvas *c, int x, int y, const struct widget_key *key)
{
    int used = canvas_put(c, x, y, THEME_KEY, key->key) + 1;
    return used + canvas_put(c, x + used, y, THEME_KEY_LABEL, key->label);
}

int widget_keys_draw(struct canvas *c, struct canvas_rect area, const struct widget_key *keys,
                     int count)
{
    if (count <= 0 || area.h <= 0)
        return 0;
    struct canvas_rect old = canvas_clip(c, area);
    int x = area.x + 1;
    int end = area.x + area.w - 1;
    int drawn = 0;
    int last = key_width(c, &keys[count - 1]);
    for (int i = 0; i < count - 1; i++) {
        /* A shorter key further on does not jump the queue: the order says what is most wanted. */
        if (x + key_width(c, &keys[i]) + GAP + last > end)
            break;
        x += draw_key(c, x, area.y, &keys[i]) + GAP;
        drawn++;
    }
    draw_key(c, x, area.y, &keys[count - 1]);
    canvas_unclip(c, old);
    return drawn + 1;
}
