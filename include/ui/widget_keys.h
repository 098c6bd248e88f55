/* SPDX-License-Identifier: Apache-2.0 */
/* The key line: keys that work now, most wanted first, as many as fit whole. */
#ifndef UI_WIDGET_KEYS_H
#define UI_WIDGET_KEYS_H

#include "ui/canvas.h"

struct widget_key {
    const char *key;   /* "Ctrl-S" */
    const char *label; /* "review and send" */
};

/* keys[count - 1] is kept whatever has to go (it is where the rest is found: "? help"). Returns how
 * many were drawn. */
int widget_keys_draw(struct canvas *c, struct canvas_rect area, const struct widget_key *keys,
                     int count);

#endif
