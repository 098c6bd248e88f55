/* SPDX-License-Identifier: Apache-2.0 */
/* Case L6: a whole session changes nothing in the user's terminal: no palette, no title it does not
 * give back, and Ctrl-S does not freeze it. */
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

#define CONFIRM_MS 600 /* a confirm takes no key that was typed ahead */

static void L6_a_session_leaves_no_trace(void **state)
{
    static const char *const never[] = {"\033]4;", "\033]10;", "\033]11;", "\033]12;",
                                        "\033]P",  "\033]R",   "\033]52;", "\033c"};
    struct pty_exit end;
    struct rig r;
    (void)state;
    rig_open_answer(&r);
    rig_keys(&r, "Esc Esc 2");
    rig_want(&r, "Balance");
    rig_keys(&r, "3 6 1 ? Esc q");
    rig_want(&r, "Quit?"); /* a draft is open */
    pty_let_pass(r.pty, CONFIRM_MS);
    rig_keys(&r, "y");
    if (!pty_wait_exit(r.pty, &end, PTY_WAIT_MS))
        rig_fail(&r, "it did not quit");
    assert_int_equal(end.code, 0);
    rig_want_restored(&r);
    for (size_t i = 0; i < sizeof(never) / sizeof(never[0]); i++)
        if (term_bytes_contain(pty_term(r.pty), never[i], strlen(never[i]), 0))
            fail_msg("wrote ESC %s", never[i] + 1);
    rig_close(&r);
}

static void L6_ctrl_s_freezes_nothing(void **state)
{
    struct rig r;
    (void)state;
    rig_open(&r, "day");
    rig_keys(&r, "C-s 2");
    rig_want(&r, "Balance");
    rig_keys(&r, "C-q 1");
    rig_want_gone(&r, "Balance");
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(L6_a_session_leaves_no_trace),
        cmocka_unit_test(L6_ctrl_s_freezes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
