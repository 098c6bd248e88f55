/* SPDX-License-Identifier: Apache-2.0 */
/* Case R3: the size is what the terminal says, never what the environment says, from the first
 * frame on. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "support/rig.h"

/* The frame ends where the terminal ends: its last row is the key line, and no row is longer. */
static void frame_fits(struct rig *r)
{
    int row;
    assert_true(pty_wait_quiet(r->pty, 150, PTY_WAIT_MS));
    if (!term_find(pty_term(r->pty), "? help", &row, NULL))
        rig_fail(r, "no key line");
    if (row != term_rows(pty_term(r->pty)) - 1)
        rig_fail(r, "the key line is not the last row");
}

static void R3_environment_does_not_count(void **state)
{
    struct rig r;
    (void)state;
    rig_prepare(&r, "day");
    world_set(&r.world, "LINES=50");
    world_set(&r.world, "COLUMNS=200");
    r.rows = 24;
    r.cols = 80;
    rig_start(&r, NULL);
    rig_want(&r, "live");
    frame_fits(&r);
    pty_resize(r.pty, 30, 100);
    rig_want(&r, "live");
    frame_fits(&r);
    rig_close(&r);
}

static void R3_resized_before_the_first_frame(void **state)
{
    struct rig r;
    (void)state;
    rig_prepare(&r, "day");
    rig_start(&r, NULL);
    pty_resize(r.pty, 24, 80);
    rig_want(&r, "live");
    frame_fits(&r);
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(R3_environment_does_not_count),
        cmocka_unit_test(R3_resized_before_the_first_frame),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
