/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps the first row of each list where it is for as long as the selected one stays visible. Knows
 * the terminal's height, not the layout: an estimate that is one row off is put right when drawing,
 * which never moves the selection out of sight. */
#include <string.h>

#include "app/internal.h"

#define FRAME_ROWS     5 /* header, title rule, footer and its rule */
#define SMALL_HEIGHT   20
#define ROWS_OF_A_LIST 512

static size_t followed(size_t top, size_t at, size_t count, size_t page)
{
    if (at < top)
        top = at;
    if (at >= top + page)
        top = at - page + 1;
    if (top + page > count)
        top = count > page ? count - page : 0;
    return top;
}

static size_t page_of(const struct model *m, int item_rows, int other_rows)
{
    int rows = m->height_cells - FRAME_ROWS + (m->height_cells < SMALL_HEIGHT ? 1 : 0);
    int page = (rows - other_rows) / item_rows;

    return page > 1 ? (size_t)page : 1;
}

static void follow_purchases(struct model *m, size_t *top, bool questions)
{
    const struct model_purchase *rows[ROWS_OF_A_LIST];
    size_t all = model_visible(m, rows, ROWS_OF_A_LIST), count = 0, at = 0;
    bool found = false;

    for (size_t i = 0; i < all && i < ROWS_OF_A_LIST; i++) {
        if (questions && !model_open_question(rows[i]))
            continue;
        if (strcmp(rows[i]->id, m->selected) == 0) {
            at = count;
            found = true;
        }
        count++;
    }
    if (found)
        *top = followed(*top, at, count, page_of(m, 2, 0));
}

static void follow_lines(struct model *m)
{
    struct model_lines *l = &m->lines;
    size_t count = 0, at = 0;
    bool found = false;

    for (size_t i = 0; i < l->count; i++) {
        if (!model_line_passes(m, &l->rows[i]))
            continue;
        if (strcmp(l->rows[i].id, l->selected) == 0) {
            at = count;
            found = true;
        }
        count++;
    }
    if (found)
        l->top = followed(l->top, at, count, page_of(m, 1, 2));
}

static void follow_calls(struct model *m)
{
    const struct model_call *rows[MODEL_ACTIVITY_MAX + MODEL_CALLS_MAX];
    size_t max = sizeof rows / sizeof rows[0];
    size_t count = model_calls_visible(m, rows, max);

    for (size_t i = 0; i < count && i < max; i++) {
        if (rows[i]->id == m->activity_selected) {
            m->activity_top = followed(m->activity_top, i, count, page_of(m, 1, 1));
            return;
        }
    }
}

void scroll_follow(struct model *m)
{
    switch (m->view) {
    case MODEL_VIEW_PURCHASES:
        follow_purchases(m, &m->list_top, false);
        break;
    case MODEL_VIEW_QUESTIONS:
        follow_purchases(m, &m->questions_top, true);
        break;
    case MODEL_VIEW_TRANSACTIONS:
        follow_lines(m);
        break;
    case MODEL_VIEW_ACTIVITY:
        follow_calls(m);
        break;
    case MODEL_VIEW_ACCOUNT:
    case MODEL_VIEW_SHOP:
    case MODEL_VIEW_COUNT:
        break;
    }
}
