/* SPDX-License-Identifier: Apache-2.0 */
/* Case L1: whatever ends the console, the terminal is as it was, and nothing secret is left on it.
 * The status tells the signal to whoever started it. */
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

static const int signals[] = {SIGSEGV, SIGABRT, SIGBUS, SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1};

static void end_and_look(struct rig *r, int sig)
{
    struct pty_exit end;
    char what[64];

    snprintf(what, sizeof(what), "signal %d", sig);
    pty_signal(r->pty, sig);
    if (!pty_wait_exit(r->pty, &end, PTY_WAIT_MS))
        rig_fail(r, what);
    if (end.signal != sig && end.code != 128 + sig) {
        snprintf(what, sizeof(what), "signal %d: exit %d, by signal %d", sig, end.code, end.signal);
        rig_fail(r, what);
    }
    rig_want_restored(r);
    assert_int_equal(rig_writes(r), 0);
}

static void L1_list(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
        struct rig r;
        rig_open(&r, "day");
        end_and_look(&r, signals[i]);
        rig_close(&r);
    }
}

static void L1_answer_open(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
        struct rig r;
        rig_open_answer(&r);
        end_and_look(&r, signals[i]);
        if (term_find(pty_term(r.pty), "blue one", NULL, NULL))
            rig_fail(&r, "the draft is on the normal screen");
        rig_close(&r);
    }
}

static void L1_card_revealed(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
        struct rig r;
        char number[20];
        rig_open_revealed(&r, number);
        size_t before;
        (void)term_bytes(pty_term(r.pty), &before);
        end_and_look(&r, signals[i]);
        number[14] = '\0'; /* the last group may be shown, in the mask */
        if (term_find(pty_term(r.pty), number, NULL, NULL))
            rig_fail(&r, "the card's number is on the normal screen");
        if (term_bytes_contain(pty_term(r.pty), number, 4, before))
            rig_fail(&r, "the way out wrote a part of the number");
        rig_close(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(L1_list),
        cmocka_unit_test(L1_answer_open),
        cmocka_unit_test(L1_card_revealed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
