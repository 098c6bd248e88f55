/* SPDX-License-Identifier: Apache-2.0 */
/* One transaction, one call, and a payment link as a code to scan. Invariant: references are whole,
 * and a link that does not fit as a code is shown as text. */
#include "ui/dialog.h"

#include <stdio.h>
#include <string.h>
#include "core/clock.h"
#include "core/str.h"
#include "ui/qr.h"
#include "ui/widget_text.h"

#define LABEL_CELLS 13
#define LINK_CELLS  28 /* beside the code, for what is paid and the link */

static void fact(const struct view *v, struct canvas_rect *area, const char *label,
                 const char *text)
{
    if (area->h > 0 && text && text[0])
        layout_take_rows(
            area, widget_text_draw_fact(v->c, *area, LABEL_CELLS, label, THEME_DEFAULT, text));
}

static void fact_enum(const struct view *v, struct canvas_rect *area, const char *label,
                      enum contract_kind kind, const struct contract_enum *e)
{
    char words[160];

    fact(v, area, label, contract_words(kind, e, words, sizeof words, "unknown"));
}

static void line_draw(const struct view *v, struct canvas_rect area)
{
    static const struct dialog_key keys[] = {{"Esc", "back"}};
    const struct contract_line *l = NULL;
    char text[VIEW_TEXT_MAX], zone[CLOCK_TEXT_MAX];

    dialog_draw_keys(v, &area, keys, 1);
    for (size_t i = 0; i < v->m->lines.count && !l; i++) {
        if (strcmp(v->m->lines.rows[i].id, v->m->lines.selected) == 0)
            l = &v->m->lines.rows[i];
    }
    if (!l) {
        view_take_text(v, &area, THEME_WARNING, "This line is no longer in the list.");
        return;
    }
    view_day(v, l->occurred_at_ms, text, sizeof text);
    clock_local_zone(zone, l->occurred_at_ms);
    view_add(text, sizeof text, " %s", zone);
    fact(v, &area, "When", text);
    fact(v, &area, "What", l->title);
    fact(v, &area, "By", l->subtitle);
    model_amount(v->m, &l->amount, text, sizeof text);
    fact(v, &area, "Amount", text);
    fact_enum(v, &area, "Direction", CONTRACT_KIND_DIRECTION, &l->direction);
    fact_enum(v, &area, "Kind", CONTRACT_KIND_LINE_KIND, &l->kind);
    fact_enum(v, &area, "Status", CONTRACT_KIND_LINE_STATUS, &l->status);
    if (l->card.value != CONTRACT_ABSENT)
        fact_enum(v, &area, "Card", CONTRACT_KIND_LINE_CARD, &l->card);
    fact(v, &area, "By an agent", l->by_agent ? "yes" : "no");
    fact(v, &area, "Reference", l->id);
}

static const struct model_call *selected_call(const struct model *m)
{
    for (size_t i = 0; i < m->call_count; i++) {
        if (m->calls[i].id == m->activity_selected)
            return &m->calls[i];
    }
    for (size_t i = 0; i < m->activity_count; i++) {
        if (m->activity[i].id == m->activity_selected)
            return &m->activity[i];
    }
    return NULL;
}

static void call_outcome(const struct model_call *call, char *out, size_t size)
{
    if (!call->ended_mono) {
        (void)str_copy(out, size, call->held ? "held by Envoy" : "running");
        return;
    }
    (void)str_copy(out, size,
                   call->outcome == ENVOY_REPLY ? "a reply" : envoy_outcome_words(call->outcome));
    if (call->http_status > 0)
        view_add(out, size, " · HTTP %d", call->http_status);
    if (call->code[0])
        view_add(out, size, " · %s", call->code);
}

static void call_draw(const struct view *v, struct canvas_rect area)
{
    static const struct dialog_key keys[] = {{"y", "copy reference"}, {"Esc", "back"}};
    const struct model_call *call = selected_call(v->m);
    const struct model_purchase *p;
    char text[VIEW_TEXT_MAX];

    dialog_draw_keys(v, &area, keys, 2);
    if (!call) {
        view_take_text(v, &area, THEME_WARNING, "This call is no longer kept.");
        return;
    }
    fact(v, &area, "Tool",
         call->purpose == MODEL_CALL_SIM ? "simulator control"
                                         : contract_wire(CONTRACT_KIND_TOOL, (int)call->tool));
    p = call->purchase[0] ? model_find_view(v->m, call->purchase) : NULL;
    if (p) {
        view_purchase_name(p, text, sizeof text);
        fact(v, &area, "Purchase", text);
    }
    view_time(v, call->started_at_ms, text, sizeof text);
    fact(v, &area, "Started", text);
    if (call->ended_mono) {
        snprintf(text, sizeof text, "%lld ms", (long long)(call->ended_mono - call->started_mono));
        fact(v, &area, "Took", text);
    }
    call_outcome(call, text, sizeof text);
    fact(v, &area, "Outcome", text);
    fact(v, &area, "Note", call->note);
    fact(v, &area, "Request", call->request_id);
    fact(v, &area, "Trace", call->trace_id);
    fact(v, &area, "Support", call->support);
    fact(v, &area, "Purchase id", call->purchase);
}

static const struct model_purchase *linked(const struct view *v)
{
    const struct model_purchase *p = dialog_purchase(v);

    p = p ? p : model_selected(v->m);
    return p && p->snap && p->snap->funding.present && p->snap->funding.url ? p : NULL;
}

static int qr_rows(const struct view *v, int width)
{
    const struct model_purchase *p = linked(v);
    int w = 0, h = 0;

    (void)width;
    if (!p || qr_measure(p->snap->funding.url, canvas_is_ascii(v->c), &w, &h) != ERR_OK)
        return 8;
    return h > 8 ? h : 8;
}

/* What is paid, the link whole, and the keys: beside the code, or alone when it has no room. */
static void draw_link(const struct view *v, const struct model_purchase *p, struct canvas_rect area,
                      bool alone)
{
    static const struct dialog_key keys[] = {{"o", "open"}, {"y", "copy link"}, {"Esc", "back"}};
    char pay[160], text[VIEW_TEXT_MAX];

    dialog_draw_keys(v, &area, keys, 3);
    view_take_text(v, &area, THEME_STRONG, view_merchant(p));
    model_amount(v->m, &p->snap->funding.amount, pay, sizeof pay);
    snprintf(text, sizeof text, "pay %s", pay);
    view_take_text(v, &area, THEME_STRONG, text);
    view_until(v, model_deadline(p), model_is_stale(v->m, p), text, sizeof text);
    view_take_text(v, &area, THEME_DEFAULT, text);
    layout_take_rows(&area, area.h > 2 ? 1 : 0);
    view_take_text(v, &area, THEME_LINK, p->snap->funding.url);
    if (alone)
        view_take_text(v, &area, THEME_WARNING, "The code itself needs a larger terminal.");
}

static void qr_dialog_draw(const struct view *v, struct canvas_rect area)
{
    const struct model_purchase *p = linked(v);
    struct canvas_rect code = area;
    int w = 0, h = 0;

    if (!p) {
        view_take_text(v, &area, THEME_WARNING, "This purchase has no payment link now.");
        return;
    }
    if (qr_measure(p->snap->funding.url, canvas_is_ascii(v->c), &w, &h) == ERR_OK &&
        w + LINK_CELLS <= area.w) {
        if (h > code.h) { /* the blank rows of the frame will do as well */
            code.y -= 1;
            code.h += 2;
        }
        code.w = w;
        if (qr_draw(v->c, code, p->snap->funding.url) == ERR_OK) {
            area.x += w + 2;
            area.w -= w + 2;
            draw_link(v, p, area, false);
            return;
        }
    }
    draw_link(v, p, area, true);
}

const struct dialog dialog_line = {"Transaction", 68, 17, NULL, line_draw};
const struct dialog dialog_call = {"Call", 72, 18, NULL, call_draw};
const struct dialog dialog_qr = {"Scan to pay", 76, 24, qr_rows, qr_dialog_draw};
