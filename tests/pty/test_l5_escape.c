/* SPDX-License-Identifier: Apache-2.0 */
/* Case L5: Esc acts soon, and the bytes of an arrow key are an arrow however slowly they come;
 * nothing of them is ever text, and Esc never throws a draft away. */
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

static void L5_esc_closes_soon(void **state)
{
    struct rig r;
    (void)state;
    rig_open(&r, "day");
    rig_keys(&r, "?");
    rig_want(&r, "Help");
    pty_type(r.pty, "\033"); /* not the named key, which would wait itself */
    if (!pty_wait_no_text(r.pty, "Help", 300))
        rig_fail(&r, "help is still open 300 ms after Esc");
    rig_close(&r);
}

static void send_slowly(struct rig *r, const char *bytes, int gap_ms)
{
    for (; *bytes; bytes++) {
        pty_send(r->pty, bytes, 1);
        pty_let_pass(r->pty, gap_ms);
    }
}

static void L5_slow_arrow_is_an_arrow(void **state)
{
    struct rig r;
    (void)state;
    rig_open_answer(&r);
    send_slowly(&r, "\033[D", 40);
    send_slowly(&r, "\033OD", 40);
    pty_type(r.pty, "X"); /* two characters to the left of the end */
    rig_want(&r, "blue oXne");
    rig_close(&r);
}

static void L5_torn_arrow_is_never_text(void **state)
{
    struct rig r;
    (void)state;
    rig_open_answer(&r);
    send_slowly(&r, "\033[A", 400);
    pty_let_pass(r.pty, 400);
    if (term_find(pty_term(r.pty), "one[", NULL, NULL) ||
        term_find(pty_term(r.pty), "[A", NULL, NULL))
        rig_fail(&r, "a part of the sequence became text");
    rig_want(&r, "blue one"); /* the Esc in it did not throw the draft away */
    assert_int_equal(rig_writes(&r), 0);
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(L5_esc_closes_soon),
        cmocka_unit_test(L5_slow_arrow_is_an_arrow),
        cmocka_unit_test(L5_torn_arrow_is_never_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
