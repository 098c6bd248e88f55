/* SPDX-License-Identifier: Apache-2.0 */
/* The progress track in one row. Must not know states. Invariant: where the purchase stands is
 * shown before any step that is passed or to come. */
#include <stdbool.h>
#include "ui/widget_track.h"

#define STEPS_MAX  12
#define LINK_LONG  4 /* " ── " */
#define LINK_SHORT 3 /* " ─ " */

struct fit {
    bool shown[STEPS_MAX];
    int link;
};

static int step_width(const struct canvas *c, const struct widget_track_step *step)
{
    return 2 + canvas_width_of(c, step->label);
}

static int track_width(const struct canvas *c, const struct widget_track_step *steps, int count,
                       const struct fit *fit)
{
    int width = 0;
    for (int i = 0; i < count; i++) {
        if (fit->shown[i])
            width += step_width(c, &steps[i]) + (width > 0 ? fit->link : 0);
    }
    return width;
}

static int current_step(const struct widget_track_step *steps, int count)
{
    int current = 0;
    for (int i = 0; i < count; i++) {
        if (steps[i].glyph != CANVAS_GLYPH_AHEAD)
            current = i;
    }
    return current;
}

/* Leaves out one more step: to come but not last, then passed (oldest first), then the last. */
static bool drop_one(struct fit *fit, int count, int current)
{
    for (int i = count - 2; i > current; i--) {
        if (fit->shown[i]) {
            fit->shown[i] = false;
            return true;
        }
    }
    for (int i = 0; i < count; i++) {
        if (i != current && fit->shown[i]) {
            fit->shown[i] = false;
            return true;
        }
    }
    return false;
}

static void choose(const struct canvas *c, const struct widget_track_step *steps, int count,
                   int width, struct fit *fit)
{
    *fit = (struct fit){.link = LINK_LONG};
    for (int i = 0; i < count; i++)
        fit->shown[i] = true;
    if (track_width(c, steps, count, fit) > width)
        fit->link = LINK_SHORT;
    int current = current_step(steps, count);
    while (track_width(c, steps, count, fit) > width && drop_one(fit, count, current))
        continue;
}

int widget_track_draw(struct canvas *c, int x, int y, int width,
                      const struct widget_track_step *steps, int count)
{
    struct fit fit;
    if (count > STEPS_MAX)
        count = STEPS_MAX;
    if (count <= 0 || width <= 0)
        return 0;
    choose(c, steps, count, width, &fit);
    struct canvas_rect old = canvas_clip(c, (struct canvas_rect){x, y, width, 1});
    int at = x;
    for (int i = 0; i < count; i++) {
        if (!fit.shown[i])
            continue;
        if (at > x)
            at += canvas_put(c, at, y, THEME_RULE, fit.link == LINK_LONG ? " ── " : " ─ ");
        enum theme_role role = canvas_glyph_role(steps[i].glyph);
        bool passed = steps[i].glyph == CANVAS_GLYPH_WELL && i + 1 < count;
        canvas_put_glyph(c, at, y, role, steps[i].glyph);
        at += 2;
        unsigned style = passed ? (unsigned)THEME_DEFAULT : (unsigned)role;
        at += canvas_put_cut(c, at, y, x + width - at, style, steps[i].label);
    }
    canvas_unclip(c, old);
    return at - x < width ? at - x : width;
}
