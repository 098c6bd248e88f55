/* SPDX-License-Identifier: Apache-2.0 */
/* Every widget on one screen, at all sizes, in both character sets. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "support/gallery.h"
#include "support/golden.h"

static int set_up(void **state)
{
    static struct gallery g;
    gallery_init(&g);
    *state = &g;
    const char *draft = "Take the blue one, please: the colour does not matter to me.";
    return edit_insert(&g.edit, draft, strlen(draft)) == ERR_OK ? 0 : -1;
}

static int tear_down(void **state)
{
    gallery_fini(*state);
    return 0;
}

static void widgets_at_all_sizes(void **state)
{
    struct gallery *g = *state;
    g->selected = 3;
    golden_check_sizes("widgets", gallery_draw, g);
    golden_check("widgets", 60, 16, false, gallery_draw, g);
    golden_check("widgets", 180, 40, false, gallery_draw, g);
    golden_check("widgets", 80, 24, true, gallery_draw, g);
}

static void dialogs_lie_over_the_screen(void **state)
{
    struct gallery *g = *state;
    g->dialog = 1;
    golden_check("dialog", 80, 24, false, gallery_draw, g);
    golden_check("dialog", 80, 24, true, gallery_draw, g);
    g->dialog = 2;
    golden_check("qr", 80, 24, false, gallery_draw, g);
    golden_check("qr", 120, 40, true, gallery_draw, g);
    golden_check("qr", 80, 16, false, gallery_draw, g); /* no room: the link instead */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(widgets_at_all_sizes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(dialogs_lie_over_the_screen, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
