/* SPDX-License-Identifier: Apache-2.0 */
/* Case R1: a thousand sizes in a row, with changes arriving and a draft being typed: no hang, the
 * draft whole, and the last frame the same as a fresh one at that size. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "support/rig.h"

static unsigned next_random(unsigned *seed)
{
    *seed = *seed * 1103515245U + 12345U;
    return *seed >> 8 & 0xffff;
}

static bool equals_a_fresh_draw(struct rig *r)
{
    assert_true(pty_wait_quiet(r->pty, 150, PTY_WAIT_MS));
    char *after = term_text(pty_term(r->pty));
    rig_keys(r, "C-l");
    assert_true(pty_wait_quiet(r->pty, 150, PTY_WAIT_MS));
    char *fresh = term_text(pty_term(r->pty));
    bool same = strcmp(after, fresh) == 0;
    free(after);
    free(fresh);
    return same;
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
    /* Clock and ages may tick between the two frames, a fragment of an older size would stay. */
    bool same = false;
    for (int tries = 0; tries < 5 && !same; tries++)
        same = equals_a_fresh_draw(&r);
    assert_true(same);
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
