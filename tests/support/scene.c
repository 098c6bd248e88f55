/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a scene at each of its sizes. A model lives for one frame only. */
#include "support/scene.h"

#include <stdio.h>
#include <stdlib.h>
#include "support/fixture.h"
#include "support/golden.h"
#include "ui/screen.h"

struct drawing {
    scene_fn *fill;
    bool ascii;
};

static void draw(struct canvas *c, void *ctx)
{
    const struct drawing *d = ctx;
    struct model *m = calloc(1, sizeof *m);
    struct theme theme;

    if (!m || !theme_builtin(&theme, "dark"))
        abort();
    fixture_open(m, canvas_width(c), canvas_height(c));
    m->set.ascii = d->ascii;
    d->fill(m);
    screen_draw(m, c, &theme);
    fixture_close(m);
    free(m);
}

void scene_check(const char *name, scene_fn *fill, unsigned sizes)
{
    static const struct {
        enum scene_size bit;
        int w, h;
        bool ascii;
        const char *suffix;
    } all[] = {
        {SCENE_80, 80, 24, false, ""},   {SCENE_120, 120, 40, false, ""},
        {SCENE_40, 40, 12, false, ""},   {SCENE_60, 60, 16, false, ""},
        {SCENE_160, 160, 45, false, ""}, {SCENE_ASCII, 80, 24, true, "_ascii"},
    };

    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        struct drawing d = {fill, all[i].ascii};
        char full[128];

        if (!(sizes & all[i].bit))
            continue;
        snprintf(full, sizeof full, "%s%s", name, all[i].suffix);
        golden_check(full, all[i].w, all[i].h, all[i].ascii, draw, &d);
    }
}
