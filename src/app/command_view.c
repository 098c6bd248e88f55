/* SPDX-License-Identifier: Apache-2.0 */
/* Commands that move about: views, panes, rows, dialogs. They send nothing but reads. */
#include <stdio.h>
#include <string.h>

#include "app/command_run.h"
#include "app/start_internal.h"
#include "core/alloc.h"
#include "core/str.h"

#define ROWS_MAX 512

static void view(struct model *m, struct effects *fx, enum model_view v)
{
    if (m->view != v) {
        model_mask(m);
        m->editing = false;
        m->filter[0] = '\0';
    }
    m->view = v;
    if (v == MODEL_VIEW_TRANSACTIONS && !m->lines.started)
        list_lines_start(m, fx);
    if (v == MODEL_VIEW_ACTIVITY && m->activity_count > 0 && !m->activity_selected)
        m->activity_selected = m->activity[m->activity_count - 1].id;
}

void run_view_purchases(struct model *m, struct effects *fx)
{
    view(m, fx, MODEL_VIEW_PURCHASES);
}

void run_view_account(struct model *m, struct effects *fx)
{
    view(m, fx, MODEL_VIEW_ACCOUNT);
}

void run_view_transactions(struct model *m, struct effects *fx)
{
    view(m, fx, MODEL_VIEW_TRANSACTIONS);
}

void run_view_questions(struct model *m, struct effects *fx)
{
    const struct model_purchase *p = model_selected(m);
    view(m, fx, MODEL_VIEW_QUESTIONS);
    if (!p || !model_open_question(p)) /* the bar stands on a row that Enter would open */
        move_by(m, fx, 0, -1);
}

void run_view_activity(struct model *m, struct effects *fx)
{
    view(m, fx, MODEL_VIEW_ACTIVITY);
}

static void pane(struct model *m, int by)
{
    model_mask(m);
    m->editing = false;
    m->pane = (enum model_pane)(((int)m->pane + by + MODEL_PANE_COUNT) % MODEL_PANE_COUNT);
}

void run_next_pane(struct model *m, struct effects *fx)
{
    (void)fx;
    pane(m, 1);
}

void run_previous_pane(struct model *m, struct effects *fx)
{
    (void)fx;
    pane(m, -1);
}

void run_open(struct model *m, struct effects *fx)
{
    (void)fx;
    if (model_selected(m))
        m->pane = MODEL_PANE_NEED;
}

void run_back(struct model *m, struct effects *fx)
{
    (void)fx;
    if (m->editing)
        m->editing = false;
    else if (m->filter[0])
        m->filter[0] = '\0';
    else if (m->view == MODEL_VIEW_PURCHASES && m->timeline_back > 0)
        m->timeline_back = 0;
    else if (m->view == MODEL_VIEW_PURCHASES)
        m->pane = MODEL_PANE_LIST;
    else
        m->view = MODEL_VIEW_PURCHASES;
}

void run_palette(struct model *m, struct effects *fx)
{
    (void)fx;
    model_dialog_push(m, MODEL_DIALOG_PALETTE);
    edit_clear(&m->palette);
    m->palette_choice = 0;
}

void run_phone_palette(struct model *m, struct effects *fx)
{
    run_palette(m, fx);
    if (edit_set(&m->palette, "phone ") != ERR_OK)
        edit_clear(&m->palette);
}

void run_help(struct model *m, struct effects *fx)
{
    (void)fx;
    model_dialog_push(m, MODEL_DIALOG_HELP);
    m->help_top = 0;
}

void run_filter(struct model *m, struct effects *fx)
{
    (void)fx;
    char before[sizeof m->filter];
    (void)str_copy(before, sizeof before, m->filter);
    model_dialog_push(m, MODEL_DIALOG_FILTER);
    m->form.field_count = 1;
    if (edit_set(&m->form.field[0], before) != ERR_OK)
        edit_clear(&m->form.field[0]);
}

void run_redraw(struct model *m, struct effects *fx)
{
    model_mask(m);
    (void)effects_add(fx, EFFECT_REDRAW);
}

void run_suspend(struct model *m, struct effects *fx)
{
    (void)m;
    (void)effects_add(fx, EFFECT_SUSPEND);
}

void run_quit(struct model *m, struct effects *fx)
{
    bool open_write = start_holds_work(&m->start);
    (void)fx;
    for (size_t i = 0; i < m->purchase_count; i++)
        open_write = open_write || write_in_flight(&m->purchases[i]);
    if (!m->too_small && (model_has_drafts(m) || open_write)) {
        model_dialog_push(m, MODEL_DIALOG_QUIT);
        return;
    }
    m->quit = true;
}

void run_next_needing(struct model *m, struct effects *fx)
{
    size_t from = 0;
    for (size_t i = 0; i < m->purchase_count; i++)
        if (strcmp(m->purchases[i].id, m->selected) == 0)
            from = i + 1;
    for (size_t k = 0; k < m->purchase_count; k++) {
        const struct model_purchase *p = &m->purchases[(from + k) % m->purchase_count];
        if (!model_needs_person(m, p))
            continue;
        view(m, fx, MODEL_VIEW_PURCHASES);
        model_select(m, p->id);
        return;
    }
    model_say(m, false, "Nothing needs you now.");
}

int move_page_rows(const struct model *m)
{
    int rows = (m->height_cells - 6) / (m->view == MODEL_VIEW_PURCHASES ? 2 : 1);
    return rows > 1 ? rows : 1;
}

static size_t moved(size_t at, size_t count, int rows, int to_end)
{
    if (count == 0)
        return 0;
    if (to_end < 0)
        return 0;
    if (to_end > 0)
        return count - 1;
    long long to = (long long)at + rows;
    if (to < 0)
        return 0;
    return (size_t)to >= count ? count - 1 : (size_t)to;
}

static void move_purchases(struct model *m, int rows, int to_end, bool questions)
{
    const struct model_purchase *shown[ROWS_MAX];
    size_t count = 0, at = 0;
    size_t all = model_visible(m, shown, ROWS_MAX);
    if (all > ROWS_MAX)
        all = ROWS_MAX;
    for (size_t i = 0; i < all; i++)
        if (!questions || model_open_question(shown[i]))
            shown[count++] = shown[i];
    for (size_t i = 0; i < count; i++)
        if (strcmp(shown[i]->id, m->selected) == 0)
            at = i;
    if (count > 0)
        model_select(m, shown[moved(at, count, rows, to_end)]->id);
}

static void move_timeline(struct model *m, int rows, int to_end)
{
    const struct model_purchase *p = model_selected(m);
    size_t count = p ? p->row_count + 1 : 0;
    m->timeline_back = moved(m->timeline_back, count, -rows, -to_end);
}

static void move_lines(struct model *m, struct effects *fx, int rows, int to_end)
{
    size_t count = model_lines_visible(m, NULL, 0), at = 0;
    const struct contract_line **all = alloc_zero(count + 1, sizeof(void *));
    if (!all)
        return;
    count = model_lines_visible(m, all, count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(all[i]->id, m->lines.selected) == 0)
            at = i;
    size_t to = moved(at, count, rows, to_end);
    if (count > 0)
        (void)str_copy(m->lines.selected, sizeof m->lines.selected, all[to]->id);
    bool near_end = count == 0 || to + (size_t)move_page_rows(m) >= count;
    alloc_free((void *)all);
    if (near_end && (rows != 0 || to_end != 0))
        list_lines_more(m, fx);
}

static void move_activity(struct model *m, int rows, int to_end)
{
    const struct model_call *all[MODEL_ACTIVITY_MAX + MODEL_CALLS_MAX];
    size_t count = model_calls_visible(m, all, sizeof all / sizeof all[0]), at = 0;
    for (size_t i = 0; i < count; i++)
        if (all[i]->id == m->activity_selected)
            at = i;
    if (count > 0)
        m->activity_selected = all[moved(at, count, rows, to_end)]->id;
}

/* By no row at all: to the first row that is shown, unless the selected one is. */
void move_by(struct model *m, struct effects *fx, int rows, int to_end)
{
    model_mask(m);
    switch (m->view) {
    case MODEL_VIEW_PURCHASES:
        if (m->pane == MODEL_PANE_LIST)
            move_purchases(m, rows, to_end, false);
        else
            move_timeline(m, rows, to_end);
        break;
    case MODEL_VIEW_QUESTIONS:
        move_purchases(m, rows, to_end, true);
        break;
    case MODEL_VIEW_TRANSACTIONS:
        move_lines(m, fx, rows, to_end);
        break;
    case MODEL_VIEW_SHOP:
        shop_move(m, rows, to_end);
        break;
    case MODEL_VIEW_ACTIVITY:
        move_activity(m, rows, to_end);
        break;
    case MODEL_VIEW_ACCOUNT:
        m->account_top = moved(m->account_top, 64, rows, to_end);
        break;
    case MODEL_VIEW_COUNT:
        break;
    }
}

void run_up(struct model *m, struct effects *fx)
{
    move_by(m, fx, -1, 0);
}

void run_down(struct model *m, struct effects *fx)
{
    move_by(m, fx, 1, 0);
}

void run_page_up(struct model *m, struct effects *fx)
{
    move_by(m, fx, -move_page_rows(m), 0);
}

void run_page_down(struct model *m, struct effects *fx)
{
    move_by(m, fx, move_page_rows(m), 0);
}

void run_first(struct model *m, struct effects *fx)
{
    move_by(m, fx, 0, -1);
}

void run_last(struct model *m, struct effects *fx)
{
    move_by(m, fx, 0, 1);
}

void run_refresh(struct model *m, struct effects *fx)
{
    if (m->link == MODEL_LINK_SIGNED_OUT)
        m->link = MODEL_LINK_CONNECTING;
    if (m->view == MODEL_VIEW_TRANSACTIONS) {
        m->lines.trouble[0] = '\0';
        list_lines_start(m, fx);
        return;
    }
    if (m->view == MODEL_VIEW_SHOP) {
        shop_read_again(m, fx);
        return;
    }
    list_want_account(m, 0);
    list_want_purchases(m, 0);
    model_say(m, false, "Reading account and purchases again.");
}

void run_personal(struct model *m, struct effects *fx)
{
    if (m->personal) {
        model_take_account(&m->personal, NULL);
        return;
    }
    if (!list_read_personal(m, fx))
        model_say(m, true, "Waiting before the next call; nothing was sent.");
}

const char *ask_open_active(const struct model *m)
{
    return m->account && m->account->active_purchase ? NULL : "No purchase is known to be open.";
}

void run_open_active(struct model *m, struct effects *fx)
{
    const char *id = m->account->active_purchase->purchase_id;
    if (!model_find(m, id)) {
        list_want_purchases(m, 0);
        model_say(m, false, "Reading the list of purchases first.");
        return;
    }
    view(m, fx, MODEL_VIEW_PURCHASES);
    model_select(m, id);
    m->pane = MODEL_PANE_NEED;
}

const char *ask_lines(const struct model *m)
{
    return m->lines.count > 0 ? NULL : "No transaction was read yet.";
}

void run_dates(struct model *m, struct effects *fx)
{
    char size[16];
    view(m, fx, MODEL_VIEW_TRANSACTIONS);
    model_dialog_push(m, MODEL_DIALOG_DATES);
    m->form.field_count = 3;
    snprintf(size, sizeof size, "%d", m->lines.limit);
    const char *now[3] = {m->lines.from, m->lines.to, size};
    for (int i = 0; i < 3; i++)
        if (edit_set(&m->form.field[i], now[i]) != ERR_OK)
            edit_clear(&m->form.field[i]);
}

void run_line_details(struct model *m, struct effects *fx)
{
    view(m, fx, MODEL_VIEW_TRANSACTIONS);
    model_dialog_push(m, MODEL_DIALOG_LINE);
}

void run_export_dialog(struct model *m, struct effects *fx)
{
    view(m, fx, MODEL_VIEW_TRANSACTIONS);
    model_dialog_push(m, MODEL_DIALOG_EXPORT);
    m->form.field_count = 1;
    if (edit_set(&m->form.field[0], "envoy-transactions.csv") != ERR_OK)
        edit_clear(&m->form.field[0]);
}

void run_call_details(struct model *m, struct effects *fx)
{
    view(m, fx, MODEL_VIEW_ACTIVITY);
    if (m->activity_count > 0)
        model_dialog_push(m, MODEL_DIALOG_CALL);
}

void run_go_question(struct model *m, struct effects *fx)
{
    const struct model_purchase *p = model_selected(m);
    if (!p || !model_open_question(p)) {
        move_purchases(m, 0, -1, true);
        p = model_selected(m);
    }
    if (!p || !model_open_question(p)) {
        model_say(m, false, "No question is open.");
        return;
    }
    view(m, fx, MODEL_VIEW_PURCHASES);
    m->pane = MODEL_PANE_NEED;
}
