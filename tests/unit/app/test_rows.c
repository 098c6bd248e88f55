/* SPDX-License-Identifier: Apache-2.0 */
/* Which rows a filter lets through, and how lists follow the selection without needless moves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include "app/internal.h"
#include "core/alloc.h"
#include "core/str.h"

#define LINES  100
#define HEIGHT 25 /* a page of 18 lines */
#define PAGE   18

static struct model *m;

static int open_model(void **state)
{
    struct model_settings set = {.demo = true};

    (void)state;
    m = alloc_zero(1, sizeof *m);
    if (!m || model_init(m, &set) != ERR_OK)
        return -1;
    m->width_cells = 80;
    m->height_cells = HEIGHT;
    m->view = MODEL_VIEW_TRANSACTIONS;
    m->lines.rows = alloc_zero(LINES, sizeof *m->lines.rows);
    m->lines.count = LINES;
    if (!m->lines.rows)
        return -1;
    for (size_t i = 0; i < LINES; i++) {
        struct contract_line *l = &m->lines.rows[i];

        snprintf(l->id, sizeof l->id, "line-%zu", i);
        l->title = alloc_text(i % 10 == 0 ? "Fresh Grocer" : "Corner Books");
        l->kind.value = i % 2 ? CONTRACT_LINE_KIND_REFUND : CONTRACT_LINE_KIND_PURCHASE;
        l->status.value = CONTRACT_LINE_STATUS_COMPLETED;
    }
    return 0;
}

static int close_model(void **state)
{
    (void)state;
    model_fini(m);
    alloc_free(m);
    return 0;
}

static void go_to(size_t index)
{
    str_copy(m->lines.selected, sizeof m->lines.selected, m->lines.rows[index].id);
    scroll_follow(m);
}

static void a_filter_looks_at_what_is_shown(void **state)
{
    const struct contract_line *rows[LINES];

    (void)state;
    assert_int_equal(model_lines_visible(m, rows, LINES), LINES);
    str_copy(m->filter, sizeof m->filter, "GROCER");
    assert_int_equal(model_lines_visible(m, rows, LINES), 10);
    assert_string_equal(rows[1]->id, "line-10");
    str_copy(m->filter, sizeof m->filter, "refund");
    assert_int_equal(model_lines_visible(m, rows, 3), LINES / 2);
    assert_string_equal(rows[2]->id, "line-5");
    str_copy(m->filter, sizeof m->filter, "nothing has this");
    assert_int_equal(model_lines_visible(m, NULL, 0), 0);
}

static void a_list_moves_only_to_keep_the_selection_in_sight(void **state)
{
    (void)state;
    m->filter[0] = '\0';
    go_to(0);
    assert_int_equal(m->lines.top, 0);
    go_to(PAGE - 1);
    assert_int_equal(m->lines.top, 0);
    go_to(PAGE);
    assert_int_equal(m->lines.top, 1);
    go_to(3);
    assert_int_equal(m->lines.top, 1);
    go_to(0);
    assert_int_equal(m->lines.top, 0);
    go_to(LINES - 1);
    assert_int_equal(m->lines.top, LINES - PAGE);
    m->height_cells = HEIGHT + 10;
    scroll_follow(m);
    assert_int_equal(m->lines.top, LINES - PAGE - 10);
    m->height_cells = HEIGHT;
}

static void a_selection_that_is_filtered_out_moves_nothing(void **state)
{
    (void)state;
    m->filter[0] = '\0';
    go_to(57);
    size_t before = m->lines.top;
    str_copy(m->filter, sizeof m->filter, "grocer");
    scroll_follow(m);
    assert_int_equal(m->lines.top, before);
    m->filter[0] = '\0';
}

static void calls_in_flight_stand_before_ended_ones(void **state)
{
    const struct model_call *rows[8];

    (void)state;
    m->filter[0] = '\0';
    assert_non_null(m->activity);
    m->activity_count = 2;
    m->activity[0].id = 1;
    m->activity[1].id = 2;
    str_copy(m->activity[0].note, sizeof m->activity[0].note, "next try in 2 s");
    m->call_count = 1;
    m->calls[0].id = 3;
    assert_int_equal(model_calls_visible(m, rows, 8), 3);
    assert_int_equal(rows[0]->id, 3);
    assert_int_equal(rows[1]->id, 2);
    assert_int_equal(rows[2]->id, 1);
    str_copy(m->filter, sizeof m->filter, "next try");
    assert_int_equal(model_calls_visible(m, rows, 8), 1);
    assert_int_equal(rows[0]->id, 1);
    m->filter[0] = '\0';
    m->call_count = 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_filter_looks_at_what_is_shown),
        cmocka_unit_test(a_list_moves_only_to_keep_the_selection_in_sight),
        cmocka_unit_test(a_selection_that_is_filtered_out_moves_nothing),
        cmocka_unit_test(calls_in_flight_stand_before_ended_ones),
    };

    return cmocka_run_group_tests(tests, open_model, close_model);
}
