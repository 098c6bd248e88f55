/* SPDX-License-Identifier: Apache-2.0 */
/* Case R2: in a window in which nothing can be drawn no key acts but the way out; what is needed
 * and what is there is said; the old selection and draft come back with the size. */
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

static void R2_no_key_acts_blind(void **state)
{
    struct rig r;
    (void)state;
    rig_open_answer(&r);
    pty_resize(r.pty, 5, 20);
    rig_want(&r, "60");
    rig_want(&r, "20");
    int calls = rig_writes(&r);
    rig_keys(&r, "y Enter 1 2 a x Delete C-s Enter y p f w");
    assert_true(pty_wait_quiet(r.pty, 200, PTY_WAIT_MS));
    assert_int_equal(rig_writes(&r), calls);
    pty_resize(r.pty, 30, 120);
    rig_want(&r, "Blue, or stop?"); /* the same purchase, the same pane */
    rig_want(&r, "blue one");
    assert_false(term_find(pty_term(r.pty), "blue oney", NULL, NULL));
    rig_close(&r);
}

static void R2_quit_works(void **state)
{
    struct pty_exit end;
    struct rig r;
    (void)state;
    rig_open(&r, "day");
    pty_resize(r.pty, 5, 20);
    rig_want(&r, "60");
    rig_keys(&r, "q");
    assert_true(pty_wait_exit(r.pty, &end, PTY_WAIT_MS));
    assert_int_equal(end.code, 0);
    rig_want_restored(&r);
    rig_close(&r);
}

static void R2_one_pane_at_60x16(void **state)
{
    struct rig r;
    (void)state;
    rig_open(&r, "card");
    pty_resize(r.pty, 16, 60);
    rig_want(&r, "Example Store");
    rig_want(&r, "2,499.00");
    rig_keys(&r, "Enter");
    rig_want(&r, "waiting for you");
    rig_want(&r, "until");
    rig_close(&r);
}

static void R2_80x24_is_usable(void **state)
{
    struct rig r;
    (void)state;
    rig_prepare(&r, "card");
    r.rows = 24;
    r.cols = 80;
    rig_start(&r, NULL);
    rig_want(&r, "live");
    rig_want(&r, "Example Store");
    rig_want(&r, "2,499.00");
    rig_want(&r, "waiting for you");
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(R2_no_key_acts_blind),
        cmocka_unit_test(R2_quit_works),
        cmocka_unit_test(R2_one_pane_at_60x16),
        cmocka_unit_test(R2_80x24_is_usable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
