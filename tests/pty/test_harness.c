/* SPDX-License-Identifier: Apache-2.0 */
/* The harness itself, on a small program that draws one of everything: if these fail, no other test
 * on a pseudo-terminal says anything. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "support/pty.h"
#include "support/term.h"

static char *const probe_env[] = {(char *)"TERM=xterm-256color", (char *)"LC_ALL=C.UTF-8",
                                  (char *)"PATH=/usr/local/bin:/usr/bin:/bin", NULL};

static struct pty *probe_open(const char *arg, bool ignore_hup)
{
    static char path[512];
    const char *build = getenv("ENVOY_BUILD");
    snprintf(path, sizeof(path), "%s/tests/pty/probe", build ? build : "build");
    char *argv[] = {path, (char *)arg, NULL};
    struct pty_config config = {
        .argv = argv, .env = probe_env, .rows = 24, .cols = 80, .ignore_hup = ignore_hup};
    struct pty *p = pty_open(&config);
    assert_true(pty_wait_text(p, "typed [", PTY_WAIT_MS));
    return p;
}

static void test_cells_are_read_back(void **state)
{
    (void)state;
    struct pty *p = probe_open(NULL, false);
    struct term *t = pty_term(p);
    int row, col;

    struct term_cell red = term_cell(t, 0, 0);
    assert_string_equal(red.text, "T");
    assert_true(red.bold && !red.dim && !red.reverse);
    assert_int_equal(red.fg.kind, TERM_COLOR_INDEXED);
    assert_int_equal(red.fg.index, 1);
    assert_int_equal(red.bg.kind, TERM_COLOR_DEFAULT);
    assert_true(term_cell(t, 1, 0).dim && !term_cell(t, 1, 0).bold);
    assert_true(!term_cell(t, 1, 20).dim);
    assert_true(term_cell(t, 2, 2).reverse && !term_cell(t, 2, 2).dim);
    assert_int_equal(term_cell(t, 3, 0).fg.kind, TERM_COLOR_DEFAULT);

    assert_string_equal(term_cell(t, 3, 5).text, "\xe4\xb8\x96");
    assert_int_equal(term_cell(t, 3, 5).width, 2);
    assert_int_equal(term_cell(t, 3, 6).width, 0);
    assert_true(term_find(t, "|", &row, &col));
    assert_int_equal(row, 3);
    assert_int_equal(col, 9);
    char *line = term_row_text(t, 3);
    assert_string_equal(line, "wide \xe4\xb8\x96\xe7\x95\x8c| \xe2\x82\xb9"
                              "2,499.00 \xe2\x94\x80\xe2\x94\xac");
    free(line);
    assert_true(term_find_regex(t, "^size 80x24$"));
    assert_false(term_find_regex(t, "^size 80x2$"));
    pty_close(p);
}

static void test_cursor_and_screen_state(void **state)
{
    (void)state;
    struct pty *p = probe_open(NULL, false);
    struct term_cursor c = term_cursor(pty_term(p));
    assert_true(term_in_alt_screen(pty_term(p)));
    assert_int_equal(c.row, 6);
    assert_int_equal(c.col, 7);
    assert_true(c.visible);
    pty_type(p, "q");
    struct pty_exit end;
    assert_true(pty_wait_exit(p, &end, PTY_WAIT_MS));
    assert_int_equal(end.code, 3);
    assert_int_equal(end.signal, 0);
    assert_false(term_in_alt_screen(pty_term(p)));
    assert_true(term_bytes_contain(pty_term(p), "\033[?1049l", 8, 0));
    assert_false(term_bytes_contain(pty_term(p), "\033]52;", 5, 0));
    pty_close(p);

    p = probe_open("hidden", false);
    assert_false(term_cursor(pty_term(p)).visible);
    pty_close(p);
}

static void test_keys_arrive_as_themselves(void **state)
{
    static const char *const rows[][2] = {
        {"Up", "KEY_UP"},      {"Down", "KEY_DOWN"},   {"PgUp", "KEY_PPAGE"},
        {"PgDn", "KEY_NPAGE"}, {"Home", "KEY_HOME"},   {"End", "KEY_END"},
        {"F1", "KEY_F(1)"},    {"F8", "KEY_F(8)"},     {"BTab", "KEY_BTAB"},
        {"Delete", "KEY_DC"},  {"Esc", "Esc"},         {"Enter", "Enter"},
        {"Left", "KEY_LEFT"},  {"Right", "KEY_RIGHT"}, {"Backspace", "KEY_BACKSPACE"},
    };
    (void)state;
    struct pty *p = probe_open(NULL, false);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char want[64];
        assert_true(pty_key(p, rows[i][0]));
        snprintf(want, sizeof(want), "key %s", rows[i][1]);
        if (!pty_wait_text(p, want, PTY_WAIT_MS))
            fail_msg("%s was not seen as %s", rows[i][0], rows[i][1]);
    }
    assert_false(pty_key(p, "NoSuchKey"));
    assert_false(pty_key(p, ""));
    assert_true(pty_key(p, "z"));
    pty_paste(p, "two words");
    assert_true(pty_wait_text(p, "typed [ztwo words]", PTY_WAIT_MS));
    pty_close(p);
}

static void test_resize_reaches_the_program(void **state)
{
    static const int sizes[][2] = {{30, 120}, {16, 60}, {50, 200}, {24, 80}, {8, 20}};
    (void)state;
    struct pty *p = probe_open(NULL, false);
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        char want[64];
        pty_resize(p, sizes[i][0], sizes[i][1]);
        snprintf(want, sizeof(want), "size %dx%d", sizes[i][1], sizes[i][0]);
        if (!pty_wait_text(p, want, PTY_WAIT_MS))
            fail_msg("no %s on:\n%s", want, term_text(pty_term(p)));
        assert_int_equal(term_rows(pty_term(p)), sizes[i][0]);
    }
    pty_close(p);
}

/* Any size at all, in any order: the grid must outlive it and agree with the program at the end. */
static void test_sizes_in_any_order(void **state)
{
    unsigned seed = 20;
    (void)state;
    struct pty *p = probe_open(NULL, false);
    for (int i = 0; i < 300; i++) {
        seed = seed * 1103515245U + 12345U;
        int rows = 1 + (int)(seed >> 8 & 0xffff) % 100;
        /* libvterm 0.1.4 itself crashes when a wide character crosses its right edge. */
        int cols = 40 + (int)(seed >> 3 & 0xffff) % 260;
        pty_resize(p, rows, cols);
        pty_pump(p, 0);
    }
    pty_resize(p, 24, 80);
    assert_true(pty_wait_text(p, "size 80x24", PTY_WAIT_MS));
    pty_close(p);
}

static void wait_until_raw(struct pty *p)
{
    struct termios now = {.c_lflag = ICANON};
    for (int waited = 0; waited < PTY_WAIT_MS && now.c_lflag & ICANON; waited += 10) {
        pty_pump(p, 10);
        assert_true(pty_tty_modes(p, &now));
    }
    assert_false(now.c_lflag & ICANON);
}

static void test_stop_and_continue_as_a_shell_does(void **state)
{
    struct termios before, stopped;
    (void)state;
    struct pty *p = probe_open(NULL, false);
    for (int i = 0; i < 3; i++) {
        assert_true(pty_tty_modes(p, &before));
        assert_false(before.c_lflag & ICANON);
        /* A key that comes while curses takes the terminal again is flushed: press once more. */
        bool is_stopped = false;
        for (int presses = 0; presses < 5 && !is_stopped; presses++) {
            assert_true(pty_key(p, "C-z"));
            is_stopped = pty_wait_stop(p, PTY_WAIT_MS / 5);
        }
        assert_true(is_stopped);
        assert_true(pty_tty_modes(p, &stopped));
        assert_true(stopped.c_lflag & ICANON);
        assert_false(term_in_alt_screen(pty_term(p)));
        pty_continue(p);
        wait_until_raw(p); /* a key that comes earlier meets a cooked terminal, or is flushed */
        assert_true(pty_wait_quiet(p, 200, PTY_WAIT_MS));
        assert_true(pty_wait_text(p, "Title in red", PTY_WAIT_MS));
        assert_true(term_in_alt_screen(pty_term(p)));
    }
    pty_close(p);
}

static void test_ends_are_told_apart(void **state)
{
    struct pty_exit end;
    (void)state;
    struct pty *p = probe_open(NULL, false);
    pty_type(p, "!");
    assert_true(pty_wait_exit(p, &end, PTY_WAIT_MS));
    assert_int_equal(end.signal, SIGABRT);
    assert_int_equal(end.code, -1);
    pty_close(p);

    p = probe_open(NULL, false);
    pty_hang_up(p);
    assert_true(pty_wait_exit(p, &end, PTY_WAIT_MS));
    /* the signal and the end of input race, as they do under a real shell */
    assert_true(end.signal == SIGHUP || end.code == 4);
    pty_close(p);

    p = probe_open(NULL, true); /* no signal: the end of input alone tells it */
    pty_hang_up(p);
    assert_true(pty_wait_exit(p, &end, PTY_WAIT_MS));
    assert_int_equal(end.signal, 0);
    assert_int_equal(end.code, 4);
    pty_close(p);
}

static void test_a_wait_gives_up_and_pump_measures(void **state)
{
    (void)state;
    struct pty *p = probe_open(NULL, false);
    assert_false(pty_wait_text(p, "never drawn", 100));
    assert_true(pty_wait_no_text(p, "never drawn", 100));
    assert_false(pty_wait_no_text(p, "Title", 100));
    assert_true(pty_wait_quiet(p, 30, PTY_WAIT_MS));
    assert_false(pty_wait_exit(p, NULL, 50));
    assert_true(pty_cpu_ms(p) >= 0);
    assert_true(pty_pid(p) > 0);
    struct pty *q = probe_open(NULL, false); /* two at once do not hold each other */
    pty_close(p);
    pty_close(q);
}

static void test_a_program_that_is_not_there(void **state)
{
    char *argv[] = {(char *)"/no/such/program", NULL};
    struct pty_config config = {.argv = argv, .env = probe_env, .rows = 24, .cols = 80};
    struct pty_exit end;
    (void)state;
    struct pty *p = pty_open(&config);
    assert_true(pty_wait_exit(p, &end, PTY_WAIT_MS));
    assert_int_equal(end.code, 127);
    assert_true(term_find(pty_term(p), "cannot run /no/such/program", NULL, NULL));
    pty_close(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cells_are_read_back),
        cmocka_unit_test(test_cursor_and_screen_state),
        cmocka_unit_test(test_keys_arrive_as_themselves),
        cmocka_unit_test(test_resize_reaches_the_program),
        cmocka_unit_test(test_sizes_in_any_order),
        cmocka_unit_test(test_stop_and_continue_as_a_shell_does),
        cmocka_unit_test(test_ends_are_told_apart),
        cmocka_unit_test(test_a_wait_gives_up_and_pump_measures),
        cmocka_unit_test(test_a_program_that_is_not_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
