/* SPDX-License-Identifier: Apache-2.0 */
/* Case L3: Ctrl-Z and fg, five times: one stop and one resume each, the terminal usable meanwhile,
 * a full frame at once, the draft kept, the card masked, and one held read as before. */
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

static void suspend_once(struct rig *r)
{
    struct termios now;

    rig_keys(r, "C-z");
    if (!pty_wait_stop(r->pty, PTY_WAIT_MS))
        rig_fail(r, "it did not stop");
    rig_want_restored(r);
    assert_true(pty_tty_modes(r->pty, &now));
    assert_true(now.c_lflag & ICANON);
    pty_continue(r->pty);
}

static void L3_list(void **state)
{
    struct rig r;
    (void)state;
    rig_open(&r, "day");
    for (int i = 0; i < 5; i++) {
        suspend_once(&r);
        if (!pty_wait_text(r.pty, "Purchases", 500))
            rig_fail(&r, "no full frame within half a second, without a key");
        assert_true(term_in_alt_screen(pty_term(r.pty)));
    }
    rig_want(&r, "live");
    rig_keys(&r, "q");
    assert_true(pty_wait_exit(r.pty, NULL, PTY_WAIT_MS));
    rig_close(&r);
}

static void L3_draft_is_kept(void **state)
{
    struct rig r;
    (void)state;
    rig_open_answer(&r);
    for (int i = 0; i < 5; i++) {
        suspend_once(&r);
        if (!pty_wait_text(r.pty, "blue one", 500))
            rig_fail(&r, "the draft is not on the screen");
    }
    pty_type(r.pty, " please"); /* the field still has the keys */
    rig_want(&r, "blue one please");
    assert_int_equal(rig_writes(&r), 0);
    rig_close(&r);
}

static void L3_card_is_masked_again(void **state)
{
    struct rig r;
    char number[20];
    (void)state;
    rig_open_revealed(&r, number);
    number[14] = '\0';
    rig_keys(&r, "C-z");
    if (!pty_wait_stop(r.pty, PTY_WAIT_MS))
        rig_fail(&r, "it did not stop");
    if (term_find(pty_term(r.pty), number, NULL, NULL))
        rig_fail(&r, "the number stands on the shell's screen");
    pty_continue(r.pty);
    rig_want(&r, "Purchases");
    assert_true(pty_wait_quiet(r.pty, 200, PTY_WAIT_MS));
    if (term_find(pty_term(r.pty), number, NULL, NULL))
        rig_fail(&r, "the number is shown after fg");
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(L3_list),
        cmocka_unit_test(L3_draft_is_kept),
        cmocka_unit_test(L3_card_is_masked_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
