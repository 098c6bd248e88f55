/* SPDX-License-Identifier: Apache-2.0 */
/* The Activity view: calls made, newest first, those in flight above them. Shows what support asks
 * for and never a body. Invariant: a call without an outcome reads as running, never as done. */
#include "ui/screen.h"

#include <stdio.h>
#include <string.h>
#include "core/clock.h"
#include "core/str.h"
#include "ui/chrome.h"
#include "ui/widget_list.h"
#include "ui/widget_table.h"

#define CALLS_MAX (MODEL_ACTIVITY_MAX + MODEL_CALLS_MAX)

enum column {
    COLUMN_TIME,
    COLUMN_TOOL,
    COLUMN_PURCHASE,
    COLUMN_TOOK,
    COLUMN_OUTCOME,
    COLUMN_NOTE,
    COLUMN_REQUEST,
    COLUMN_COUNT
};

struct calls_ctx {
    const struct view *v;
    struct widget_table table;
    const struct model_call *rows[CALLS_MAX];
    int count, selected;
};

static void set_columns(struct widget_table *t, int width)
{
    *t = (struct widget_table){.columns = {[COLUMN_TIME] = {"When", 8, 8, 0, false},
                                           [COLUMN_TOOL] = {"Call", 12, 20, 0, false},
                                           [COLUMN_PURCHASE] = {"Purchase", 13, 22, 3, false},
                                           [COLUMN_TOOK] = {"Took", 8, 8, 1, true},
                                           [COLUMN_OUTCOME] = {"Outcome", 16, 36, 0, false},
                                           [COLUMN_NOTE] = {"Note", 14, 0, 2, false},
                                           [COLUMN_REQUEST] = {"Request", 20, 24, 4, false}},
                               .count = COLUMN_COUNT,
                               .gap = 2};
    if (width < 130)
        t->columns[COLUMN_REQUEST].min = t->columns[COLUMN_REQUEST].max = width;
    widget_table_fit(t, width);
}

static void took_words(const struct model_call *call, int64_t now_mono, char *out, size_t size)
{
    int64_t ms = (call->ended_mono ? call->ended_mono : now_mono) - call->started_mono;

    if (!call->ended_mono)
        snprintf(out, size, "%lld s…", (long long)(ms / 1000));
    else if (ms < 1000)
        snprintf(out, size, "%lld ms", (long long)ms);
    else
        snprintf(out, size, "%lld.%lld s", (long long)(ms / 1000), (long long)(ms % 1000 / 100));
}

static unsigned outcome_words(const struct model_call *call, char *out, size_t size)
{
    int code = call->code[0] ? contract_find(CONTRACT_KIND_CODE, call->code) : CONTRACT_ABSENT;

    if (!call->ended_mono) {
        (void)str_copy(out, size, call->held ? "held" : "running");
        return THEME_IN_MOTION;
    }
    if (call->outcome != ENVOY_REPLY) {
        snprintf(out, size, "! %s", envoy_outcome_words(call->outcome));
        return THEME_WARNING;
    }
    if (code >= 0)
        snprintf(out, size, "✗ %s", contract_row(CONTRACT_KIND_CODE, code)->words);
    else if (call->code[0])
        snprintf(out, size, "✗ unrecognised: %s", call->code);
    else
        (void)str_copy(out, size, "ok");
    return call->code[0] ? THEME_ENDED_BADLY : THEME_DEFAULT;
}

static void draw_call(void *ctx, struct canvas *c, struct canvas_rect area, int index,
                      bool selected)
{
    const struct calls_ctx *calls = ctx;
    const struct view *v = calls->v;
    const struct model_call *call = calls->rows[index];
    const struct model_purchase *p =
        call->purchase[0] ? model_find_view(v->m, call->purchase) : NULL;
    const char *cells[COLUMN_COUNT];
    unsigned styles[COLUMN_COUNT];
    char when[64], took[32], outcome[160], tool[64];

    view_time(v, call->started_at_ms, when, sizeof when);
    took_words(call, v->m->now_mono, took, sizeof took);
    styles[COLUMN_OUTCOME] = outcome_words(call, outcome, sizeof outcome);
    snprintf(tool, sizeof tool, "%s%s",
             call->purpose == MODEL_CALL_SIM
                 ? "simulator"
                 : contract_row(CONTRACT_KIND_TOOL, (int)call->tool)->words,
             call->held ? ", held" : "");
    cells[COLUMN_TIME] = when;
    cells[COLUMN_TOOL] = tool;
    cells[COLUMN_PURCHASE] = p ? view_merchant(p) : call->purchase[0] ? call->purchase : "";
    cells[COLUMN_TOOK] = took;
    cells[COLUMN_OUTCOME] = outcome;
    cells[COLUMN_NOTE] = call->note;
    cells[COLUMN_REQUEST] = call->request_id;
    for (int i = 0; i < COLUMN_COUNT; i++) {
        if (i != COLUMN_OUTCOME)
            styles[i] = selected ? THEME_SELECTED : THEME_DEFAULT;
    }
    styles[COLUMN_REQUEST] = THEME_DIM;
    widget_table_draw_row(c, area.x + 1, area.y, &calls->table, cells, styles);
}

void screen_activity_draw(const struct view *v)
{
    const struct model *m = v->m;
    struct calls_ctx ctx = {.v = v, .selected = -1};
    struct canvas_rect area = v->l.body, titles;
    size_t shown = model_calls_visible(m, ctx.rows, CALLS_MAX);
    char right[192];

    ctx.count = (int)(shown < CALLS_MAX ? shown : CALLS_MAX);
    for (int i = 0; i < ctx.count; i++) {
        if (ctx.rows[i]->id == m->activity_selected)
            ctx.selected = i;
    }
    if (m->filter[0])
        snprintf(right, sizeof right, "/%s · %d of %zu", m->filter, ctx.count,
                 m->call_count + m->activity_count);
    else
        snprintf(right, sizeof right, "%zu in flight · %zu ended", m->call_count,
                 m->activity_count);
    chrome_draw_title(v, "Activity", right);
    if (ctx.count == 0) {
        canvas_put(v->c, area.x + 2, area.y, THEME_DEFAULT,
                   m->filter[0] ? "No call matches the filter. Esc shows all again."
                                : "No calls made yet.");
        canvas_cursor(v->c, area.x + 2, area.y, false);
        return;
    }
    set_columns(&ctx.table, area.w - 4);
    if (area.h > 6) {
        titles = layout_take_rows(&area, 1);
        widget_table_draw_titles(v->c, titles.x + 2, titles.y, &ctx.table);
    }
    widget_list_draw(v->c, area,
                     &(struct widget_list){.count = ctx.count,
                                           .item_rows = 1,
                                           .selected = ctx.selected,
                                           .top = (int)m->activity_top,
                                           .focused = true,
                                           .row = draw_call,
                                           .ctx = &ctx});
}
