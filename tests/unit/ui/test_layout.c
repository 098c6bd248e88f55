/* SPDX-License-Identifier: Apache-2.0 */
/* Places for every size: inside, apart, steady. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "ui/layout.h"

static void is_inside(const struct layout *l, struct canvas_rect r)
{
    assert_true(r.w >= 0 && r.h >= 0);
    if (r.w == 0 || r.h == 0)
        return;
    assert_true(r.x >= 0 && r.y >= 0 && r.x + r.w <= l->width && r.y + r.h <= l->height);
}

static void are_apart(struct canvas_rect a, struct canvas_rect b)
{
    bool apart = a.w == 0 || a.h == 0 || b.w == 0 || b.h == 0 || a.x + a.w <= b.x ||
                 b.x + b.w <= a.x || a.y + a.h <= b.y || b.y + b.h <= a.y;
    assert_true(apart);
}

static void check(const struct layout *l)
{
    const struct canvas_rect parts[] = {
        l->header,    l->detail_rule, l->head,       l->timeline, l->pane_rule,   l->pane,
        l->list_rule, l->list,        l->extra_rule, l->extra,    l->footer_rule, l->footer,
    };
    int count = (int)(sizeof(parts) / sizeof(parts[0]));
    struct canvas_rect divider = {l->divider_x, l->body_rule.y, l->divider_x >= 0 ? 1 : 0,
                                  l->body.h + 1};
    struct canvas_rect extra_divider = {l->extra_divider_x, l->body_rule.y,
                                        l->extra_divider_x >= 0 ? 1 : 0, l->body.h + 1};
    for (int i = 0; i < count; i++) {
        is_inside(l, parts[i]);
        are_apart(parts[i], divider);
        are_apart(parts[i], extra_divider);
        for (int k = i + 1; k < count; k++) {
            /* With one pane at a time, list and detail share their place. */
            bool shared = l->mode == LAYOUT_ONE &&
                          ((i >= 6 && i <= 7 && k >= 1) || (k >= 6 && k <= 7 && i >= 1));
            if (!shared || k >= 10)
                are_apart(parts[i], parts[k]);
        }
    }
    are_apart(l->body, l->header);
    are_apart(l->body, l->footer_rule);
}

static void every_size_has_its_places(void **state)
{
    (void)state;
    static const int wants[] = {0, 1, 7, 100};
    for (int w = -1; w <= 300; w++) {
        for (int h = -1; h <= 100; h++) {
            struct layout base;
            layout_compute(&base, w, h, 0);
            for (size_t i = 0; i < sizeof(wants) / sizeof(wants[0]); i++) {
                struct layout l;
                layout_compute(&l, w, h, wants[i]);
                if (w < LAYOUT_MIN_WIDTH || h < LAYOUT_MIN_HEIGHT) {
                    assert_int_equal(l.mode, LAYOUT_TOO_SMALL);
                    continue;
                }
                check(&l);
                /* What the pane wants moves neither the dividers nor the list nor the head. */
                assert_int_equal(l.divider_x, base.divider_x);
                assert_int_equal(l.extra_divider_x, base.extra_divider_x);
                assert_memory_equal(&l.list, &base.list, sizeof(l.list));
                assert_memory_equal(&l.head, &base.head, sizeof(l.head));
                assert_int_equal(l.timeline.h + l.pane_rule.h + l.pane.h, base.timeline.h);
                assert_true(l.timeline.h >= 3);
                assert_true(wants[i] == 0 || l.pane.h >= 1);
                assert_true(l.pane.h <= wants[i]);
                assert_true(l.list.w >= 28 && l.detail_rule.w >= 50);
            }
        }
    }
}

static void sizes_of_the_sketches(void **state)
{
    (void)state;
    struct layout l;
    layout_compute(&l, 120, 30, 100);
    assert_int_equal(l.mode, LAYOUT_TWO);
    assert_int_equal(l.header.h, 2);
    assert_int_equal(l.divider_x, 36);
    assert_int_equal(l.footer_rule.y, 28);
    layout_compute(&l, 80, 24, 8);
    assert_int_equal(l.divider_x, 28);
    assert_int_equal(l.pane.h, 8);
    layout_compute(&l, 60, 16, 5);
    assert_int_equal(l.mode, LAYOUT_ONE);
    assert_int_equal(l.header.h, 1);
    assert_int_equal(l.pane.h, 5);
    assert_int_equal(l.divider_x, -1);
    layout_compute(&l, 160, 40, 8);
    assert_int_equal(l.mode, LAYOUT_THREE);
    assert_true(l.detail_rule.w >= 72 && l.detail_rule.w <= 84);
    assert_true(l.extra.w >= 36);
    layout_compute(&l, 59, 50, 8);
    assert_int_equal(l.mode, LAYOUT_TOO_SMALL);
    layout_compute(&l, 200, 15, 8);
    assert_int_equal(l.mode, LAYOUT_TOO_SMALL);
}

static void dialogs_stay_in_the_body(void **state)
{
    (void)state;
    for (int w = 60; w < 200; w += 7) {
        for (int h = 16; h < 60; h += 5) {
            struct layout l;
            layout_compute(&l, w, h, 0);
            struct canvas_rect d = layout_dialog(&l, 76, 20);
            is_inside(&l, d);
            assert_true(d.y >= l.body.y && d.y + d.h <= l.body.y + l.body.h);
            assert_true(d.w == (w < 76 + 16 ? w : 76));
        }
    }
}

static void pieces_of_a_rect(void **state)
{
    (void)state;
    struct canvas_rect r = {3, 4, 10, 5};
    struct canvas_rect top = layout_take_rows(&r, 2);
    assert_int_equal(top.h, 2);
    assert_int_equal(r.y, 6);
    assert_int_equal(r.h, 3);
    assert_int_equal(layout_take_rows(&r, 9).h, 3);
    assert_int_equal(r.h, 0);
    assert_int_equal(layout_take_rows(&r, -1).h, 0);
    assert_int_equal(layout_inset(top, 2).w, 6);
    assert_int_equal(layout_inset(top, 6).w, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_size_has_its_places),
        cmocka_unit_test(sizes_of_the_sketches),
        cmocka_unit_test(dialogs_stay_in_the_body),
        cmocka_unit_test(pieces_of_a_rect),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
