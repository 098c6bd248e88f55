/* SPDX-License-Identifier: Apache-2.0 */
/* Case L2: when the terminal is gone the console is gone, soon and quietly, with or without the
 * signal that usually says so, and it spins on nothing meanwhile. */
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

#define GONE_MS 3000

static void hang_up_and_look(struct rig *r)
{
    struct pty_exit end;

    pty_hang_up(r->pty);
    if (!pty_wait_exit(r->pty, &end, GONE_MS))
        fail_msg("still there %d ms after its terminal went away", GONE_MS);
    double used = (double)end.usage.ru_utime.tv_sec + (double)end.usage.ru_utime.tv_usec / 1e6 +
                  (double)end.usage.ru_stime.tv_sec + (double)end.usage.ru_stime.tv_usec / 1e6;
    if (used * 1000 > pty_scaled_ms(1000))
        fail_msg("%.2f s of processor time", used);
    assert_true(end.signal == 0 || end.signal == SIGHUP);
}

static void L2_with_the_signal(void **state)
{
    struct rig r;
    (void)state;
    rig_open(&r, "day");
    hang_up_and_look(&r);
    rig_close(&r);
}

static void L2_signal_ignored(void **state)
{
    struct rig r;
    (void)state;
    rig_prepare(&r, "day");
    r.ignore_hup = true;
    rig_start(&r, NULL);
    rig_want(&r, "live");
    hang_up_and_look(&r);
    rig_close(&r);
}

static void L2_in_an_answer(void **state)
{
    struct rig r;
    (void)state;
    rig_open_answer(&r);
    hang_up_and_look(&r);
    assert_int_equal(rig_writes(&r), 0); /* the draft was not sent on the way out */
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(L2_with_the_signal),
        cmocka_unit_test(L2_signal_ignored),
        cmocka_unit_test(L2_in_an_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
