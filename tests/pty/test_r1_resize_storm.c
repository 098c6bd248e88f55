/* SPDX-License-Identifier: Apache-2.0 */
/* Case R1: a thousand sizes in a row, with changes arriving and a draft being typed: no hang, the
 * draft whole, and the last frame the same as a fresh one at that size. */
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

static unsigned next_random(unsigned *seed)
{
    *seed = *seed * 1103515245U + 12345U;
    return *seed >> 8 & 0xffff;
}

static void R1_storm_keeps_the_draft(void **state)
{
    struct rig r;
    unsigned seed = 7;
    char draft[64] = "blue one";
    (void)state;
    rig_open_answer(&r);
    for (int i = 0; i < 1000; i++) {
        pty_resize(r.pty, 1 + (int)next_random(&seed) % 100, 1 + (int)next_random(&seed) % 300);
        pty_pump(r.pty, 1);
        if (i % 50 == 0)
            simproc_advance(r.sim, 1);
    }
    pty_resize(r.pty, 30, 120);
    rig_want(&r, draft);
    pty_type(r.pty, " please");
    rig_want(&r, "blue one please");
    assert_true(pty_wait_quiet(r.pty, 150, PTY_WAIT_MS));
    char *after = term_text(pty_term(r.pty));
    size_t before;
    (void)term_bytes(pty_term(r.pty), &before);
    rig_keys(&r, "C-l");
    assert_true(pty_wait_quiet(r.pty, 150, PTY_WAIT_MS));
    char *fresh = term_text(pty_term(r.pty));
    /* the top rows carry the clock and the ages, which may tick between the two */
    const char *a = strchr(strchr(after, '\n') + 1, '\n'),
               *b = strchr(strchr(fresh, '\n') + 1, '\n');
    const char *a_now = strstr(a, "  now"), *b_now = strstr(b, "  now");
    assert_true(a_now && b_now && a_now - a == b_now - b);
    assert_memory_equal(a, b, (size_t)(a_now - a));
    assert_string_equal(strchr(a_now, '\n'), strchr(b_now, '\n'));
    free(after);
    free(fresh);
    assert_int_equal(rig_writes(&r), 0);
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(R1_storm_keeps_the_draft),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
