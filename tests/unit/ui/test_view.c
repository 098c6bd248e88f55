/* SPDX-License-Identifier: Apache-2.0 */
/* Words that screens share: deadlines (case D1), days, amounts that disagree (P1), and that every
 * command which a pane names is there. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>
#include "app/command.h"
#include "core/alloc.h"
#include "core/str.h"
#include "ui/dialog.h"
#include "ui/pane.h"
#include "ui/screen.h"

#define NOW    1796113925000 /* 1 Dec 2026, 14:02:05 in Asia/Kolkata */
#define MINUTE INT64_C(60000)

static struct model *m;
static struct view v;

static int open_view(void **state)
{
    struct model_settings set = {.demo = true};

    (void)state;
    setenv("TZ", "Asia/Kolkata", 1);
    tzset();
    m = alloc_zero(1, sizeof *m);
    if (!m || model_init(m, &set) != ERR_OK)
        return -1;
    v = (struct view){.m = m, .now_ms = NOW};
    return 0;
}

static int close_view(void **state)
{
    (void)state;
    model_fini(m);
    alloc_free(m);
    return 0;
}

static void a_deadline_counts_down_and_never_below_zero(void **state)
{
    static const struct {
        int64_t by;
        bool stale;
        const char *words;
    } rows[] = {
        {NOW + 18 * MINUTE, false, "until 14:20 (18 min)"},
        {NOW + 18 * MINUTE, true, "~ until 14:20 (18 min)"},
        {NOW + 105000, false, "until 14:03 (1:45)"},
        {NOW + 1, false, "until 14:02 (0:01)"},
        {NOW, false, "time is up, checking"},
        {NOW - 1, false, "time is up, checking"},
        {NOW - 500 * MINUTE, true, "time is up, checking"},
        {NOW + 19 * 60 * MINUTE, false, "until 2 Dec 09:02 (19 h)"},
        {CLOCK_NONE, false, "no deadline given"},
    };
    char out[96];

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        view_until(&v, rows[i].by, rows[i].stale, out, sizeof out);
        assert_string_equal(out, rows[i].words);
    }
}

static void a_day_of_another_year_says_its_year(void **state)
{
    char out[64];

    (void)state;
    view_day(&v, NOW - 25 * 60 * MINUTE, out, sizeof out);
    assert_string_equal(out, "30 Nov 13:02");
    view_day(&v, NOW - 5 * MINUTE, out, sizeof out);
    assert_string_equal(out, "01 Dec 13:57");
    view_day(&v, NOW - INT64_C(365) * 24 * 60 * MINUTE, out, sizeof out);
    assert_string_equal(out, "01 Dec 2025");
    view_day(&v, CLOCK_NONE, out, sizeof out);
    assert_string_equal(out, "time unknown");
    view_time(&v, NOW - 5 * MINUTE, out, sizeof out);
    assert_string_equal(out, "13:57:05");
    view_time(&v, CLOCK_NONE, out, sizeof out);
    assert_string_equal(out, "unknown");
}

static void an_amount_that_disagrees_is_marked(void **state)
{
    char display[] = "₹2,499.00";
    struct contract_amount a = {.known = true, .minor = 249901, .display = display};
    char out[96];

    (void)state;
    view_amount_brief(&v, &a, out, sizeof out);
    assert_string_equal(out, "₹2,499.01");
    a.disagrees = true;
    view_amount_brief(&v, &a, out, sizeof out);
    assert_string_equal(out, "₹2,499.00 !");
    model_amount(m, &a, out, sizeof out);
    assert_string_equal(out, "₹2,499.00 (exact: ₹2,499.01) !");
    a.known = false;
    view_amount_brief(&v, &a, out, sizeof out);
    assert_string_equal(out, "unknown");
}

static void text_that_does_not_fit_ends_at_a_character(void **state)
{
    char out[8] = "ab";

    (void)state;
    view_add(out, sizeof out, "%s", "₹₹");
    assert_string_equal(out, "ab₹");
    view_add(out, sizeof out, "%s", "cdef");
    assert_string_equal(out, "ab₹cd");
}

static void every_state_of_the_model_has_its_part(void **state)
{
    (void)state;
    for (int i = 0; i < MODEL_VIEW_COUNT; i++) {
        assert_non_null(screen_view_of((enum model_view)i)->name);
        assert_non_null(screen_view_of((enum model_view)i)->draw);
    }
    for (int i = MODEL_NEED_FACTS; i <= MODEL_NEED_UNKNOWN; i++)
        assert_non_null(pane_of((enum model_need)i));
    assert_null(dialog_of(MODEL_DIALOG_NONE));
    for (int i = MODEL_DIALOG_HELP; i <= MODEL_DIALOG_START; i++)
        assert_non_null(dialog_of((enum model_dialog)i)->draw);
}

static void commands_that_panes_name_are_there(void **state)
{
    static const char *const names[] = {
        "help",        "cancel",        "copy",          "qr",           "open-link",   "rate-up",
        "refresh",     "reveal-number", "reveal-expiry", "reveal-cvv",   "reveal-code", "steps",
        "report-paid", "report-failed", "wipe",          "show-handout", "vault-save",  "personal",
        "open-active",
    };

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        assert_non_null(command_find(names[i]));
    assert_string_equal(view_key(&v, "no-such-command"), "");
    assert_string_equal(view_key(&v, "help"), "?");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_deadline_counts_down_and_never_below_zero),
        cmocka_unit_test(a_day_of_another_year_says_its_year),
        cmocka_unit_test(an_amount_that_disagrees_is_marked),
        cmocka_unit_test(text_that_does_not_fit_ends_at_a_character),
        cmocka_unit_test(every_state_of_the_model_has_its_part),
        cmocka_unit_test(commands_that_panes_name_are_there),
    };

    return cmocka_run_group_tests(tests, open_view, close_view);
}
