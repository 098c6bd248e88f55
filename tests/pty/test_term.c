/* SPDX-License-Identifier: Apache-2.0 */
/* The terminal layer on a pseudo-terminal, through the gallery: refusing, drawing, revealing,
 * resizing, stopping, crashing, and giving the terminal back. Names of cases stand at their tests.
 */
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

#define PLAIN_CODE "4242 1234 5678 4242"
#define MASKED     "•••• •••• •••• ••••"

struct start {
    const char *term, *locale, *extra;
    int rows, cols;
    bool stdin_pipe;
};

static struct pty *start(const struct start *s)
{
    static char path[512];
    static char term[64];
    static char locale[64];
    char *env[8] = {(char *)"PATH=/usr/local/bin:/usr/bin:/bin", locale};
    int used = 2;
    const char *build = getenv("ENVOY_BUILD");
    snprintf(path, sizeof(path), "%s/tests/pty/gallery", build ? build : "build");
    snprintf(term, sizeof(term), "TERM=%s", s->term ? s->term : "xterm-256color");
    snprintf(locale, sizeof(locale), "LC_ALL=%s", s->locale ? s->locale : "C.UTF-8");
    if (!s->term || *s->term)
        env[used++] = term;
    if (s->extra)
        env[used++] = (char *)s->extra;
    char *argv[] = {path, NULL};
    struct pty_config config = {.argv = argv,
                                .env = env,
                                .rows = s->rows ? s->rows : 24,
                                .cols = s->cols ? s->cols : 80,
                                .stdin_pipe = s->stdin_pipe};
    return pty_open(&config);
}

static struct pty *start_usual(void)
{
    struct start s = {.rows = 24};
    struct pty *p = start(&s);
    assert_true(pty_wait_text(p, "Purchases", PTY_WAIT_MS));
    assert_true(pty_wait_text(p, "1 size 80x24 ", PTY_WAIT_MS));
    assert_true(pty_wait_text(p, "? help", PTY_WAIT_MS)); /* the last row is there */
    return p;
}

static void expect_restored(struct pty *p)
{
    struct termios now;
    struct term *t = pty_term(p);
    assert_true(pty_tty_modes(p, &now));
    assert_true(pty_modes_equal(&now, pty_modes_before(p)));
    assert_false(term_in_alt_screen(t));
    assert_true(term_cursor(t).visible);
    assert_false(term_bracketed_paste(t));
    assert_int_equal(term_mouse_mode(t), 0);
    char *screen = term_text(t);
    assert_null(strstr(screen, "4242"));
    free(screen);
}

static void expect_end(struct pty *p, int code, int sig)
{
    struct pty_exit end;
    assert_true(pty_wait_exit(p, &end, PTY_WAIT_MS));
    assert_int_equal(end.code, code);
    assert_int_equal(end.signal, sig);
}

/* Case L4. */
static void test_unfit_terminals_get_a_sentence(void **state)
{
    (void)state;
    static const struct {
        struct start start;
        const char *says;
    } bad[] = {
        {{.term = "dumb"}, "cannot place its cursor"},
        {{.term = "no-such-term"}, "TERM=no-such-term"},
        {{.term = ""}, "TERM is not set"},
        {{.stdin_pipe = true}, "Standard input is not a terminal"},
    };
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        struct start s = bad[i].start;
        s.cols = 200;
        struct pty *p = start(&s);
        expect_end(p, 2, 0);
        assert_true(term_find(pty_term(p), bad[i].says, NULL, NULL));
        assert_false(term_bytes_contain(pty_term(p), "\x1b", 1, 0));
        pty_close(p);
    }
}

/* Cases L1, L6: everything is as it was, and no palette was touched. */
static void test_the_terminal_is_given_back(void **state)
{
    (void)state;
    static const char *const kinds[] = {"xterm-256color", "linux", "screen-256color", "vt100"};
    static const char *const palette[] = {"\x1b]4;",  "\x1b]104", "\x1b]10;",
                                          "\x1b]11;", "\x1b]R",   "\x1b]P"};
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        struct start s = {.term = kinds[i]};
        struct pty *p = start(&s);
        assert_true(pty_wait_text(p, "Purchases", PTY_WAIT_MS));
        pty_key(p, "C-r");
        assert_true(pty_wait_text(p, PLAIN_CODE, PTY_WAIT_MS));
        pty_key(p, "C-q");
        expect_end(p, 0, 0);
        expect_restored(p);
        for (size_t k = 0; k < sizeof(palette) / sizeof(palette[0]); k++)
            assert_false(term_bytes_contain(pty_term(p), palette[k], strlen(palette[k]), 0));
        pty_close(p);
    }
}

/* Cases L1, S3, S4: a crash with the code on screen. */
static void test_a_crash_gives_the_terminal_back(void **state)
{
    (void)state;
    static const int signals[] = {SIGSEGV, SIGABRT, SIGBUS, 0};
    static const char *const kinds[] = {"xterm-256color", "vt100"};
    for (size_t i = 0; i < 8; i++) {
        struct start s = {.term = kinds[i % 2]};
        int sig = signals[i / 2];
        int row;
        int col;
        char covered[64];
        struct pty *p = start(&s);
        assert_true(pty_wait_text(p, "Purchases", PTY_WAIT_MS));
        pty_key(p, "C-r");
        assert_true(pty_wait_text(p, PLAIN_CODE, PTY_WAIT_MS));
        assert_true(term_find(pty_term(p), "code  " PLAIN_CODE, &row, &col));
        if (sig)
            pty_signal(p, sig);
        else
            pty_key(p, "F9");
        expect_end(p, -1, sig ? sig : SIGABRT);
        expect_restored(p);
        /* Blanks over the code itself: a multiplexer keeps cleared rows in its history. */
        snprintf(covered, sizeof(covered), "\x1b[%d;%dH%19s", row + 1, col + 7, "");
        assert_true(term_bytes_contain(pty_term(p), covered, strlen(covered), 0));
        pty_close(p);
    }
}

static void test_a_reveal_is_seen_and_hidden(void **state)
{
    (void)state;
    int row;
    int col;
    struct pty *p = start_usual();
    struct term *t = pty_term(p);
    assert_true(term_find(t, MASKED, &row, &col));
    pty_key(p, "C-r");
    assert_true(pty_wait_text(p, PLAIN_CODE, PTY_WAIT_MS));
    /* Typing beside it leaves it alone, and the cursor is back in the text. */
    pty_type(p, "abc");
    assert_true(pty_wait_text(p, "abc", PTY_WAIT_MS));
    assert_true(pty_wait_text(p, PLAIN_CODE, PTY_WAIT_MS));
    assert_true(pty_wait_quiet(p, 50, PTY_WAIT_MS));
    assert_int_equal(term_cursor(t).row, row + 1);
    pty_key(p, "C-u");
    assert_true(pty_wait_text(p, MASKED, PTY_WAIT_MS));
    assert_false(term_find(t, "4242", NULL, NULL));
    /* Another frame over it, and a repaint. */
    pty_key(p, "C-r");
    assert_true(pty_wait_text(p, PLAIN_CODE, PTY_WAIT_MS));
    pty_key(p, "F2");
    assert_true(pty_wait_text(p, "Scan to pay", PTY_WAIT_MS));
    assert_true(pty_wait_no_text(p, "4242", PTY_WAIT_MS));
    pty_key(p, "C-u");
    pty_key(p, "Esc");
    assert_true(pty_wait_text(p, MASKED, PTY_WAIT_MS));
    pty_key(p, "C-q");
    expect_end(p, 0, 0);
    pty_close(p);
}

/* Case L3: stopped and continued, with the code on screen. */
static void test_stop_and_continue(void **state)
{
    (void)state;
    struct pty *p = start_usual();
    for (int i = 0; i < 5; i++) {
        pty_key(p, "C-r");
        assert_true(pty_wait_text(p, PLAIN_CODE, PTY_WAIT_MS));
        pty_key(p, "C-u");
        assert_true(pty_wait_text(p, MASKED, PTY_WAIT_MS));
        pty_key(p, "C-r");
        assert_true(pty_wait_text(p, PLAIN_CODE, PTY_WAIT_MS));
        pty_key(p, "C-z");
        assert_true(pty_wait_stop(p, PTY_WAIT_MS));
        expect_restored(p);
        pty_continue(p);
        assert_true(pty_wait_text(p, "Purchases", PTY_WAIT_MS));
        assert_true(term_in_alt_screen(pty_term(p)));
        assert_true(term_bracketed_paste(pty_term(p)));
    }
    pty_key(p, "C-q");
    expect_end(p, 0, 0);
    expect_restored(p);
    pty_close(p);
}

/* Case R3: the kernel's size counts, not the environment's. */
static void test_the_real_size_is_used(void **state)
{
    (void)state;
    struct start s = {.extra = "LINES=50"};
    struct pty *p = start(&s);
    struct term *t = pty_term(p);
    assert_true(pty_wait_text(p, "size 80x24", PTY_WAIT_MS));
    assert_string_equal(term_cell(t, 3, 28).text, "│");
    pty_resize(p, 30, 100);
    assert_true(pty_wait_text(p, "size 100x30", PTY_WAIT_MS));
    assert_true(pty_wait_text(p, "? help", PTY_WAIT_MS));
    assert_string_equal(term_cell(t, 28, 32).text, "┴");
    assert_string_equal(term_cell(t, 28, 99).text, "─");
    assert_string_equal(term_cell(t, 20, 28).text, " ");
    pty_resize(p, 12, 40);
    assert_true(pty_wait_text(p, "40 by 12 is too small", PTY_WAIT_MS));
    pty_resize(p, 1, 1);
    pty_resize(p, 24, 80);
    assert_true(pty_wait_text(p, "size 80x24", PTY_WAIT_MS));
    assert_true(pty_wait_text(p, "Purchases", PTY_WAIT_MS));
    pty_key(p, "C-q");
    expect_end(p, 0, 0);
    pty_close(p);
}

/* Cases R1, R3: many sizes while text comes in; the last frame is that of a fresh draw. */
static void test_a_storm_of_sizes(void **state)
{
    (void)state;
    unsigned seed = 4711;
    struct pty *p = start_usual();
    for (int i = 0; i < 300; i++) {
        seed = seed * 1103515245u + 12345u;
        /* Not narrower than the names: the emulator itself fails on a wide character that a frame
         * for a wider screen puts over its edge. */
        pty_resize(p, 2 + (int)(seed >> 16) % 99, 40 + (int)(seed >> 8) % 261);
        if (i % 3 == 0)
            pty_type(p, "x");
        pty_pump(p, 1);
    }
    pty_resize(p, 25, 99);
    assert_true(pty_wait_text(p, "100 of 800", PTY_WAIT_MS));
    assert_true(pty_wait_text(p, "? help", PTY_WAIT_MS));
    assert_true(pty_wait_quiet(p, 200, PTY_WAIT_MS));
    char *seen[23];
    for (int row = 0; row < 23; row++) /* all but the row that tells the last event, and the keys */
        seen[row] = term_row_text(pty_term(p), row);
    pty_key(p, "C-l");
    assert_true(pty_wait_text(p, " Ctrl-L ", PTY_WAIT_MS));
    assert_true(pty_wait_quiet(p, 200, PTY_WAIT_MS));
    for (int row = 0; row < 23; row++) {
        char *fresh = term_row_text(pty_term(p), row);
        assert_string_equal(seen[row], fresh);
        free(fresh);
        free(seen[row]);
    }
    pty_key(p, "C-q");
    expect_end(p, 0, 0);
    pty_close(p);
}

/* Cases U1, U3: whatever names hold, the divider is in its column, and control bytes never arrive.
 */
static void test_rows_stay_in_line(void **state)
{
    (void)state;
    struct pty *p = start_usual();
    struct term *t = pty_term(p);
    for (int row = 3; row <= 21; row++) {
        const char *cell = term_cell(t, row, 28).text;
        assert_true(strcmp(cell, "│") == 0 || strcmp(cell, "├") == 0);
    }
    for (int i = 0; i < 7; i++) {
        struct term_cell last = term_cell(t, 3 + 2 * i, 26);
        assert_string_equal(last.text, "0"); /* of ",00" in ".00": amounts end in one column */
    }
    assert_false(term_bytes_contain(t, "\x1b]0;", 4, 0));
    assert_false(term_bytes_contain(t, "\xE2\x80\xAE", 3, 0));
    assert_string_equal(term_title(t), "");
    pty_close(p);
}

static int colours_in(const struct term *t)
{
    size_t len;
    int found = 0;
    const char *b = term_bytes(t, &len);
    for (size_t i = 0; i + 2 < len; i++) {
        if (b[i] != '\x1b' || b[i + 1] != '[')
            continue;
        size_t end = i + 2;
        while (end < len && (b[end] == ';' || (b[end] >= '0' && b[end] <= '9')))
            end++;
        if (end == len || b[end] != 'm')
            continue;
        for (size_t at = i + 2; at < end;) {
            int number = atoi(b + at);
            found += (number >= 30 && number <= 49) || (number >= 90 && number <= 107);
            while (at < end && b[at] != ';')
                at++;
            at++;
        }
    }
    return found;
}

/* Case U6. */
static void test_no_color_means_none(void **state)
{
    (void)state;
    static const struct {
        const char *extra, *term;
        bool colours;
    } rows[] = {
        {"NO_COLOR=1", NULL, false},
        {"NO_COLOR=", NULL, true},
        {NULL, "vt100", false},
        {NULL, "xterm", true},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct start s = {.extra = rows[i].extra, .term = rows[i].term};
        struct pty *p = start(&s);
        assert_true(pty_wait_text(p, "Purchases", PTY_WAIT_MS));
        pty_key(p, "C-q");
        expect_end(p, 0, 0);
        assert_int_equal(colours_in(pty_term(p)) > 0, rows[i].colours);
        pty_close(p);
    }
}

static void test_the_background_is_kept(void **state)
{
    (void)state;
    struct pty *p = start_usual();
    struct term *t = pty_term(p);
    for (int row = 1; row < 24; row++) {
        for (int col = 0; col < 80; col++)
            assert_int_equal(term_cell(t, row, col).bg.kind, TERM_COLOR_DEFAULT);
    }
    assert_int_not_equal(term_cell(t, 0, 2).bg.kind, TERM_COLOR_DEFAULT); /* the badge */
    assert_int_not_equal(term_cell(t, 3, 1).fg.kind, TERM_COLOR_DEFAULT); /* a glyph */
    pty_close(p);
}

/* Case U5. */
static void test_ascii_where_signs_are_missing(void **state)
{
    (void)state;
    static const struct start rows[] = {{.locale = "C"},
                                        {.locale = "POSIX"},
                                        {.locale = "en_IN.UTF-8x"},
                                        {.term = "vt100"},
                                        {.term = "linux"}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        size_t len;
        struct pty *p = start(&rows[i]);
        assert_true(pty_wait_text(p, "-- Purchases ---------------+--", PTY_WAIT_MS));
        assert_true(pty_wait_text(p, "INR 1,00,000.00", PTY_WAIT_MS));
        const char *bytes = term_bytes(pty_term(p), &len);
        for (size_t k = 0; k < len; k++)
            assert_true((unsigned char)bytes[k] < 0x80);
        assert_false(term_bytes_contain(pty_term(p), "M-", 2, 0));
        pty_key(p, "C-q");
        expect_end(p, 0, 0);
        pty_close(p);
    }
}

/* Cases L5, L6, H4. */
static void test_keys_and_pastes(void **state)
{
    (void)state;
    struct pty *p = start_usual();
    struct term *t = pty_term(p);
    pty_key(p, "C-s");
    assert_true(pty_wait_text(p, "2 Ctrl-S", PTY_WAIT_MS));
    pty_key(p, "Down");
    assert_true(pty_wait_text(p, "3 Down", PTY_WAIT_MS));
    pty_key(p, "Esc");
    assert_true(pty_wait_text(p, "4 Esc", 300));
    pty_key(p, "F5");
    assert_true(pty_wait_text(p, "5 F5", PTY_WAIT_MS));
    pty_paste(p, "one\ntwo\rq");
    assert_true(pty_wait_text(p, "6 paste 9", PTY_WAIT_MS));
    pty_type(p, "\r");
    assert_true(pty_wait_text(p, "7 Enter", PTY_WAIT_MS));
    pty_send(p, "x\ny\n", 4);
    assert_true(pty_wait_text(p, "11 Enter burst", PTY_WAIT_MS));
    pty_send(p, "\x1b[O", 3);
    assert_true(pty_wait_text(p, "12 no focus", PTY_WAIT_MS));
    assert_true(term_cursor(t).visible);
    assert_true(term_bytes_contain(t, "\x1b[?1004h", 8, 0));
    pty_close(p);
}

/* Case U8, U2: the cursor is where the text goes on. */
static void test_the_cursor_is_at_the_text(void **state)
{
    (void)state;
    int row;
    int col;
    struct pty *p = start_usual();
    struct term *t = pty_term(p);
    pty_type(p, "zq");
    assert_true(pty_wait_text(p, "zq", PTY_WAIT_MS));
    assert_true(term_find(t, "zq", &row, &col));
    assert_true(pty_wait_quiet(p, 50, PTY_WAIT_MS));
    assert_int_equal(term_cursor(t).row, row);
    assert_int_equal(term_cursor(t).col, col + 2);
    pty_type(p, "e\xCC\x81👨‍👩‍👧");
    assert_true(pty_wait_text(p, "zq\x65\xCC\x81👨", PTY_WAIT_MS));
    assert_true(pty_wait_quiet(p, 50, PTY_WAIT_MS));
    assert_int_equal(term_cursor(t).col, col + 5);
    pty_key(p, "Backspace");
    assert_true(pty_wait_text(p, " Backspace ", PTY_WAIT_MS));
    assert_true(pty_wait_quiet(p, 50, PTY_WAIT_MS));
    assert_int_equal(term_cursor(t).col, col + 3);
    pty_key(p, "F1");
    assert_true(pty_wait_text(p, "Review before sending", PTY_WAIT_MS));
    assert_true(pty_wait_quiet(p, 50, PTY_WAIT_MS));
    assert_false(term_cursor(t).visible);
    pty_close(p);
}

/* Case R4: a frame that changes a little writes a little, and nothing clears the screen. */
static void test_only_changes_are_written(void **state)
{
    (void)state;
    size_t before;
    size_t after;
    struct pty *p = start_usual();
    struct term *t = pty_term(p);
    assert_true(pty_wait_quiet(p, 50, PTY_WAIT_MS));
    term_bytes(t, &before);
    for (int i = 0; i < 10; i++) {
        char status[16];
        snprintf(status, sizeof(status), " %d x", i + 2);
        pty_type(p, "x");
        assert_true(pty_wait_text(p, status, PTY_WAIT_MS));
    }
    assert_true(pty_wait_quiet(p, 50, PTY_WAIT_MS));
    const char *bytes = term_bytes(t, &after);
    assert_true(after - before < 1500);
    assert_null(memmem(bytes + before, after - before, "\x1b[2J", 4));
    assert_null(memmem(bytes + before, after - before, "\x1b[J", 3));
    pty_key(p, "C-l");
    assert_true(pty_wait_text(p, "Ctrl-L", PTY_WAIT_MS));
    assert_true(pty_wait_quiet(p, 50, PTY_WAIT_MS));
    size_t repainted;
    term_bytes(t, &repainted);
    assert_true(repainted - after > 1500);
    pty_close(p);
}

/* Case L2: the terminal goes away. */
static void test_the_end_of_the_terminal_ends_it(void **state)
{
    (void)state;
    struct pty_exit end;
    struct pty *p = start_usual();
    pty_hang_up(p);
    assert_true(pty_wait_exit(p, &end, 3000));
    pty_close(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_unfit_terminals_get_a_sentence),
        cmocka_unit_test(test_the_terminal_is_given_back),
        cmocka_unit_test(test_a_crash_gives_the_terminal_back),
        cmocka_unit_test(test_a_reveal_is_seen_and_hidden),
        cmocka_unit_test(test_stop_and_continue),
        cmocka_unit_test(test_the_real_size_is_used),
        cmocka_unit_test(test_a_storm_of_sizes),
        cmocka_unit_test(test_rows_stay_in_line),
        cmocka_unit_test(test_no_color_means_none),
        cmocka_unit_test(test_the_background_is_kept),
        cmocka_unit_test(test_ascii_where_signs_are_missing),
        cmocka_unit_test(test_keys_and_pastes),
        cmocka_unit_test(test_the_cursor_is_at_the_text),
        cmocka_unit_test(test_only_changes_are_written),
        cmocka_unit_test(test_the_end_of_the_terminal_ends_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
