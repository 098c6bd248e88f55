/* SPDX-License-Identifier: Apache-2.0 */
/* The decoder with a clock of its own: every key, torn sequences, Esc, pastes, bursts, splits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "core/alloc.h"
#include "term/input.h"

#define TRACE_MAX 4096

/* Everything that came out, as names: "a Enter [paste] +b" ('+' for a burst). */
struct rig {
    struct input *in;
    int64_t now;
    char trace[TRACE_MAX];
};

static void drain(struct rig *r)
{
    struct input_event e;
    while (input_next(r->in, &e)) {
        size_t used = strlen(r->trace);
        char name[INPUT_NAME_MAX];
        input_event_name(&e, name);
        const char *what = name;
        if (e.kind == INPUT_PASTE)
            what = e.paste;
        else if (e.kind == INPUT_FOCUS_IN)
            what = "focus";
        else if (e.kind == INPUT_FOCUS_OUT)
            what = "no-focus";
        else if (e.kind == INPUT_EOF)
            what = "eof";
        snprintf(r->trace + used, TRACE_MAX - used, "%s%s%s%s", used ? " " : "", e.burst ? "+" : "",
                 e.kind == INPUT_PASTE ? "paste:" : "", what);
        input_event_fini(&e);
    }
}

static void feed_n(struct rig *r, const char *bytes, size_t len)
{
    input_feed(r->in, bytes, len, r->now);
    input_settle(r->in, r->now);
    drain(r);
}

static void feed(struct rig *r, const char *bytes)
{
    feed_n(r, bytes, strlen(bytes));
}

static void wait_ms(struct rig *r, int ms)
{
    r->now += ms;
    input_settle(r->in, r->now);
    drain(r);
}

static void expect(struct rig *r, const char *trace)
{
    assert_string_equal(r->trace, trace);
    r->trace[0] = '\0';
}

static int set_up(void **state)
{
    struct rig *r = calloc(1, sizeof(*r));
    r->in = input_new();
    r->now = 1000000;
    *state = r;
    return r->in ? 0 : -1;
}

static int tear_down(void **state)
{
    struct rig *r = *state;
    input_free(r->in);
    free(r);
    return 0;
}

static const struct {
    const char *bytes, *name;
} keys[] = {
    {"\x1b[A", "Up"},
    {"\x1bOA", "Up"},
    {"\x1b[B", "Down"},
    {"\x1b[C", "Right"},
    {"\x1b[D", "Left"},
    {"\x1b[H", "Home"},
    {"\x1b[F", "End"},
    {"\x1b[1~", "Home"},
    {"\x1b[7~", "Home"},
    {"\x1b[4~", "End"},
    {"\x1b[3~", "Delete"},
    {"\x1b[2~", "Insert"},
    {"\x1b[5~", "PgUp"},
    {"\x1b[6~", "PgDn"},
    {"\x1b[Z", "Shift-Tab"},
    {"\x1bOP", "F1"},
    {"\x1b[11~", "F1"},
    {"\x1b[[A", "F1"},
    {"\x1b[[E", "F5"},
    {"\x1b[15~", "F5"},
    {"\x1b[24~", "F12"},
    {"\x1b[1;5C", "Ctrl-Right"},
    {"\x1b[1;2P", "Shift-F1"},
    {"\x1b[3;5~", "Ctrl-Delete"},
    {"\x1b[1;3A", "Alt-Up"},
    {"\x1bOM", "Enter"},
    {"\x1bOa", "Ctrl-Up"},
    {"\x1b[a", "Shift-Up"},
    {"\x1bx", "Alt-x"},
    {"\x1b\r", "Alt-Enter"},
    {"\x1b\x7f", "Alt-Backspace"},
    {"\x13", "Ctrl-S"},
    {"\x1a", "Ctrl-Z"},
    {"\x03", "Ctrl-C"},
    {"\x00", "Ctrl-Space"},
    {"\x7f", "Backspace"},
    {"\x08", "Backspace"},
    {"\t", "Tab"},
    {"\r", "Enter"},
    {"\n", "Enter"},
    {"\x1b[I", "focus"},
    {"\x1b[O", "no-focus"},
    {"ß", "ß"},
    {"😀", "😀"},
    {" ", "Space"},
    {"\x1b[999z", ""},
    {"\x1b[?1;2c", ""},
    {"\x1b[<0;1;1M", ""},
};

static void keys_are_known_however_they_are_split(void **state)
{
    struct rig *r = *state;
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        size_t len = keys[i].bytes[0] ? strlen(keys[i].bytes) : 1;
        feed_n(r, keys[i].bytes, len);
        expect(r, keys[i].name);
        wait_ms(r, 50);
        /* Case L5: bytes 30 ms apart are the same key. */
        for (size_t b = 0; b < len; b++) {
            feed_n(r, keys[i].bytes + b, 1);
            wait_ms(r, b + 1 < len ? 30 : 2000);
        }
        expect(r, keys[i].name);
    }
}

static void a_lone_esc_is_told_in_time(void **state)
{
    struct rig *r = *state;
    feed(r, "\x1b");
    expect(r, "");
    assert_in_range(input_wait_ms(r->in, r->now), 1, 250);
    wait_ms(r, input_wait_ms(r->in, r->now));
    expect(r, "Esc");
    assert_int_equal(input_wait_ms(r->in, r->now), -1);
    feed(r, "\x1b\x1b");
    expect(r, "Esc");
    wait_ms(r, 300);
    expect(r, "Esc");
}

/* Case L5: three bytes of an arrow at 400 ms, and at gaps that change. */
static void a_torn_arrow_never_becomes_text(void **state)
{
    struct rig *r = *state;
    static const int gaps[][2] = {{400, 400}, {400, 30},  {40, 400},
                                  {40, 900},  {900, 900}, {100, 300}};
    for (size_t i = 0; i < sizeof(gaps) / sizeof(gaps[0]); i++) {
        feed(r, "\x1b");
        wait_ms(r, gaps[i][0]);
        feed(r, "[");
        wait_ms(r, gaps[i][1]);
        feed(r, "A");
        wait_ms(r, 3000);
        assert_null(strchr(r->trace, '['));
        assert_null(strchr(r->trace, 'A'));
        r->trace[0] = '\0';
        feed(r, "a");
        expect(r, "a");
    }
}

static void a_bracket_can_still_be_typed(void **state)
{
    struct rig *r = *state;
    feed(r, "[");
    expect(r, "[");
    feed(r, "\x1b");
    wait_ms(r, 500);
    expect(r, "Esc");
    feed(r, "[");
    wait_ms(r, 1500);
    expect(r, "[");
    feed(r, "\x1b");
    wait_ms(r, 500);
    feed(r, "[");
    wait_ms(r, 20);
    feed(r, "ok");
    expect(r, "Esc [ o k");
}

static void a_bracketed_paste_is_one_event(void **state)
{
    struct rig *r = *state;
    const char *paste = "\x1b[200~a\nb\r\nq\ty\x1b[31m\r\x1b[201~z";
    feed(r, paste);
    expect(r, "paste:a\nb\nq y[31m\n z");
    for (size_t i = 0; paste[i]; i++) {
        feed_n(r, paste + i, 1);
        wait_ms(r, 60);
    }
    expect(r, "paste:a\nb\nq y[31m\n z");
}

static void paste_facts_are_told(void **state)
{
    struct rig *r = *state;
    struct input_event e;
    char *big = calloc(1, INPUT_PASTE_MAX + 100);
    memset(big, 'x', INPUT_PASTE_MAX + 99);
    input_feed(r->in, "\x1b[200~", 6, r->now);
    for (size_t at = 0; at < INPUT_PASTE_MAX + 99; at += 1000) {
        size_t left = INPUT_PASTE_MAX + 99 - at;
        input_feed(r->in, big + at, left < 1000 ? left : 1000, r->now);
    }
    input_feed(r->in, "\x1b[201~", 6, r->now);
    input_settle(r->in, r->now);
    assert_true(input_next(r->in, &e));
    assert_int_equal(e.kind, INPUT_PASTE);
    assert_int_equal(e.paste_len, INPUT_PASTE_MAX);
    assert_true(e.paste_cut);
    input_event_fini(&e);
    assert_null(e.paste);
    free(big);

    input_feed(r->in, "\x1b[200~a\x01\xFF\xC2\x9B\xE2\x82\x1b[201~", 19, r->now);
    input_settle(r->in, r->now);
    assert_true(input_next(r->in, &e));
    assert_string_equal(e.paste, "a");
    assert_int_equal(e.paste_dropped, 5);
    assert_false(e.paste_cut);
    input_event_fini(&e);
}

static void a_paste_that_never_ends_ends(void **state)
{
    struct rig *r = *state;
    feed(r, "\x1b[200~abc");
    wait_ms(r, 1000);
    expect(r, "");
    wait_ms(r, 4000);
    expect(r, "paste:abc");
    feed(r, "q");
    expect(r, "q");
}

static void a_paste_without_memory_is_swallowed(void **state)
{
    struct rig *r = *state;
    alloc_fail_nth(1);
    feed(r, "\x1b[200~q\ny\n\x1b[201~");
    alloc_fail_nth(0);
    expect(r, "");
    feed(r, "j");
    expect(r, "j");
}

/* Case H4: a raw paste at one go, and split over reads. */
static void a_raw_paste_is_a_burst(void **state)
{
    struct rig *r = *state;
    feed(r, "a\nb\r\nq\ny\n");
    assert_non_null(strstr(r->trace, "+a +Enter +b"));
    assert_null(strstr(r->trace, " Enter"));
    assert_null(strstr(r->trace, " q"));
    r->trace[0] = '\0';
    wait_ms(r, 500);
    const char *paste = "a\nb\r\nq\ny\n";
    for (size_t i = 0; paste[i]; i++) {
        feed_n(r, paste + i, 1);
        wait_ms(r, 3);
    }
    /* What came before it could be known for one has been told already. */
    assert_non_null(strstr(r->trace, "a Enter +b"));
    assert_non_null(strstr(r->trace, "+q +Enter +y +Enter"));
    r->trace[0] = '\0';
    wait_ms(r, 500);
    feed(r, "y\t\rz");
    expect(r, "+y +Space +Enter +z");
    wait_ms(r, 100);
    feed(r, "q");
    expect(r, "q");
}

static void quick_typing_is_no_burst(void **state)
{
    struct rig *r = *state;
    feed(r, "jjjj");
    expect(r, "j j j j");
    wait_ms(r, 100);
    feed(r, "2\r");
    expect(r, "2 Enter");
    wait_ms(r, 100);
    feed(r, "\r\r\r");
    expect(r, "Enter Enter Enter");
    wait_ms(r, 100);
    feed(r, "a");
    wait_ms(r, 30);
    feed(r, "\r");
    wait_ms(r, 30);
    feed(r, "b");
    expect(r, "a Enter b");
    wait_ms(r, 100);
    feed(r, "a\x1b[A\rb");
    expect(r, "a Up Enter b");
}

static void a_reset_forgets_the_run(void **state)
{
    struct rig *r = *state;
    feed(r, "\r");
    input_reset(r->in);
    r->trace[0] = '\0';
    feed(r, "fast");
    expect(r, "f a s t");
}

static void invalid_bytes_are_left_out(void **state)
{
    struct rig *r = *state;
    feed(r, "a\xFF\xC0\x80\xE2\x82"
            "b\xED\xA0\x80\xC2\x9B"
            "c");
    expect(r, "a b c");
    feed_n(r, "\xF0\x9F", 2);
    wait_ms(r, 40);
    feed_n(r, "\x98\x80", 2);
    expect(r, "😀");
}

static void own_sequences_come_first(void **state)
{
    struct rig *r = *state;
    assert_int_equal(input_add_sequence(r->in, "\x1b[[F", INPUT_KEY_F9, 0), ERR_OK);
    assert_int_equal(input_add_sequence(r->in, "\x1bOx", INPUT_KEY_HOME, INPUT_CTRL), ERR_OK);
    assert_int_equal(input_add_sequence(r->in, "x", INPUT_KEY_HOME, 0), ERR_FORMAT);
    feed(r, "\x1b[[F\x1bOx\x1b[A");
    expect(r, "F9 Ctrl-Home Up");
}

static void random_bytes_do_no_harm(void **state)
{
    struct rig *r = *state;
    unsigned seed = 7;
    static const char often[] = "\x1b[O200~201~\r\nA;";
    for (int round = 0; round < 3000; round++) {
        char bytes[64];
        size_t len = 0;
        for (; len < sizeof(bytes); len++) {
            seed = seed * 1103515245u + 12345u;
            unsigned pick = seed >> 16;
            bytes[len] = pick % 3 ? often[pick / 3 % (sizeof(often) - 1)] : (char)(pick / 3);
        }
        input_feed(r->in, bytes, len, r->now);
        input_settle(r->in, r->now);
        struct input_event e;
        while (input_next(r->in, &e)) {
            unsigned char first = (unsigned char)e.text[0];
            assert_true(e.kind != INPUT_TEXT || first >= 0x20 || (first == '\n' && e.burst));
            input_event_fini(&e);
        }
        r->now += seed % 200;
    }
    input_reset(r->in);
    wait_ms(r, 5000);
    r->trace[0] = '\0';
    feed(r, "ok");
    expect(r, "o k");
}

static void size_and_end_are_events(void **state)
{
    struct rig *r = *state;
    struct input_event e;
    input_put_size(r->in, 100, 30);
    input_put_eof(r->in);
    assert_true(input_next(r->in, &e));
    assert_int_equal(e.kind, INPUT_RESIZE);
    assert_int_equal(e.width_cells, 100);
    assert_int_equal(e.height_cells, 30);
    drain(r);
    expect(r, "eof");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define T(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        T(keys_are_known_however_they_are_split),
        T(a_lone_esc_is_told_in_time),
        T(a_torn_arrow_never_becomes_text),
        T(a_bracket_can_still_be_typed),
        T(a_bracketed_paste_is_one_event),
        T(paste_facts_are_told),
        T(a_paste_that_never_ends_ends),
        T(a_paste_without_memory_is_swallowed),
        T(a_raw_paste_is_a_burst),
        T(quick_typing_is_no_burst),
        T(a_reset_forgets_the_run),
        T(invalid_bytes_are_left_out),
        T(own_sequences_come_first),
        T(random_bytes_do_no_harm),
        T(size_and_end_are_events),
#undef T
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
