/* SPDX-License-Identifier: Apache-2.0 */
/* The start form and its review. Shows what was written, which field is not right and why, and in
 * the review everything that will be sent. Invariant: it always says that real money is asked for,
 * and a start whose reply was lost never looks like one that can be sent anew. */
#include "ui/dialog.h"

#include <stdio.h>
#include <string.h>
#include "core/str.h"
#include "ui/widget_editor.h"
#include "ui/widget_list.h"
#include "ui/widget_text.h"

#define LABEL_CELLS 17

static void row_label(const struct start_row *row, char *out, size_t size)
{
    const char *label = start_field_label(row->field);
    bool heads = row->field == START_FIELD_ITEM_NAME || row->field == START_FIELD_PRICE_CODE ||
                 row->field == START_FIELD_FACT_CODE;
    bool inside = label[0] >= 'a' && label[0] <= 'z';

    if (heads && row->group > 0)
        snprintf(out, size, "%s %d", label, row->group + 1);
    else
        snprintf(out, size, "%s%s", inside ? "  " : "", label);
}

static void row_value(const struct view *v, const struct start_row *row, char *out, size_t size)
{
    if (start_field_is_choice(row->field))
        start_choice_words(v->m, row, out, size);
    else
        (void)str_copy(out, size, edit_text(&row->edit));
}

/* The row's problem; of an empty field only after a try to go on, so that a new form is calm. */
static const struct contract_field *problem_shown(const struct start_form *f,
                                                  const struct start_row *row)
{
    bool untouched = !start_field_is_choice(row->field) && edit_is_empty(&row->edit);

    return untouched && !f->text[0] ? NULL : start_row_problem(f, row);
}

static void draw_row(const struct view *v, const struct start_row *row, bool focused,
                     struct canvas_rect r)
{
    const struct start_form *f = &v->m->start;
    char label[64], value[VIEW_TEXT_MAX];
    int used;

    if (problem_shown(f, row))
        canvas_put(v->c, r.x, r.y, THEME_WARNING, "!");
    if (focused)
        canvas_put_glyph(v->c, r.x - 1, r.y, THEME_SELECTION, CANVAS_GLYPH_BAR);
    r.x += 2;
    r.w -= 2;
    row_label(row, label, sizeof label);
    if (!start_field_is_choice(row->field)) {
        widget_editor_draw_line(v->c, r, label, LABEL_CELLS, &row->edit, focused);
        return;
    }
    canvas_put_cut(v->c, r.x, r.y, LABEL_CELLS - 1, focused ? THEME_STRONG : THEME_DEFAULT, label);
    row_value(v, row, value, sizeof value);
    used = focused ? canvas_put(v->c, r.x + LABEL_CELLS, r.y, THEME_KEY, "< ") : 0;
    used += canvas_put_cut(v->c, r.x + LABEL_CELLS + used, r.y, r.w - LABEL_CELLS - used - 2,
                           THEME_INPUT, value);
    if (focused) {
        canvas_put(v->c, r.x + LABEL_CELLS + used, r.y, THEME_KEY, " >");
        canvas_cursor(v->c, r.x, r.y, false);
    }
}

static void problem_words(const struct start_row *row, const struct contract_field *problem,
                          char *out, size_t size)
{
    size_t len = strlen(problem->problem);
    bool ended = len > 0 && problem->problem[len - 1] == '.';

    snprintf(out, size, "! %s: %s", start_field_label(row->field), problem->problem);
    if (problem->expected[0])
        view_add(out, size, "%s Expected: %s", ended ? "" : ".", problem->expected);
}

/* Hint or problem of the field that has the focus, then what came of the last try. */
static void help_words(const struct start_form *f, char *out, size_t size)
{
    const struct start_row *row = &f->rows[f->focus];
    const struct contract_field *problem = problem_shown(f, row);

    char count[64];

    out[0] = '\0';
    if (problem)
        problem_words(row, problem, out, size);
    else if (start_field_is_choice(row->field))
        (void)str_copy(out, size, "Left and Right choose.");
    else if (row->field == START_FIELD_TOTAL && f->total_hint[0])
        (void)str_copy(out, size, f->total_hint);
    else
        (void)str_copy(out, size, start_field_hint(row->field));
    if (edit_count(&row->edit) * 2 > row->edit.limit || row->edit.refused) {
        widget_editor_count(&row->edit, count, sizeof count);
        view_add(out, size, " · %s", count);
    }
}

static void draw_bottom(const struct view *v, struct canvas_rect *area, unsigned style,
                        const char *text)
{
    int rows;

    if (!text[0])
        return;
    rows = canvas_wrapped_rows(v->c, text, area->w);
    rows = rows < area->h - 2 ? rows : area->h - 2;
    if (rows < 1)
        return;
    area->h -= rows;
    canvas_put_wrapped(v->c, (struct canvas_rect){area->x, area->y + area->h, area->w, rows}, style,
                       text, 0);
}

static void draw_form(const struct view *v, struct canvas_rect area)
{
    static const struct dialog_key keys[] = {
        {"Ctrl-S", "review"}, {"Tab", "next"},  {"F2", "item"},          {"F3", "bill line"},
        {"F4", "fact"},       {"F8", "remove"}, {"Ctrl-R", "addresses"}, {"Esc", "keep for later"}};
    const struct start_form *f = &v->m->start;
    char text[VIEW_TEXT_MAX];
    int top;

    if (f->row_count == 0)
        return;
    dialog_draw_keys(v, &area, keys, 8);
    draw_bottom(v, &area, f->state == START_REFUSED ? THEME_ERROR : THEME_WARNING, f->text);
    draw_bottom(v, &area, THEME_WARNING, f->guard);
    help_words(f, text, sizeof text);
    draw_bottom(v, &area, text[0] == '!' ? THEME_WARNING : THEME_DIM, text);
    area.h -= area.h > 6 ? 1 : 0;
    top = widget_list_top((int)f->top, (int)f->focus, (int)f->row_count, area.h);
    for (int i = 0; i < area.h && (size_t)(top + i) < f->row_count; i++)
        draw_row(v, &f->rows[top + i], (size_t)(top + i) == f->focus,
                 (struct canvas_rect){area.x, area.y + i, area.w, 1});
    if ((size_t)(top + area.h) < f->row_count)
        canvas_put_glyph(v->c, area.x + area.w, area.y + area.h - 1, THEME_DIM, CANVAS_GLYPH_MORE);
    if (top > 0)
        canvas_put_glyph(v->c, area.x + area.w, area.y, THEME_DIM, CANVAS_GLYPH_MORE);
}

static const char *money_words(const struct view *v)
{
    return v->m->set.demo
               ? "In this demo no real money moves; live, this asks Envoy to spend real money."
               : "This asks Envoy to spend real money. The owner approves it in the Envoy app.";
}

/* What is done about a lost reply, and when next. */
static void lost_words(const struct view *v, char *out, size_t size)
{
    const struct start_form *f = &v->m->start;
    int64_t seconds = (v->m->start_due_mono - v->m->now_mono + 999) / 1000;

    out[0] = '\0';
    if (f->call)
        (void)str_copy(out, size, "Now: reading it by its key.");
    else if (v->m->start_due_mono == INT64_MAX)
        (void)str_copy(out, size, "Now: it is read when the connection is back.");
    else
        view_add(out, size, "Now: read by its key, next try in %lld s.",
                 (long long)(seconds > 0 ? seconds : 0));
    view_add(out, size, " Safe: waiting. Not safe: paying another way, starting it elsewhere.");
    if (f->support[0])
        view_add(out, size, " For support: %s", f->support);
}

static void draw_state(const struct view *v, struct canvas_rect *area)
{
    const struct start_form *f = &v->m->start;
    char text[VIEW_TEXT_MAX];

    if (f->state == START_SENT) {
        view_take_text(v, area, THEME_IN_MOTION, f->text);
    } else if (f->state == START_UNKNOWN) {
        view_take_text(v, area, THEME_ERROR, "! Outcome not known");
        view_take_text(v, area, THEME_STRONG, f->text);
        lost_words(v, text, sizeof text);
        view_take_text(v, area, THEME_WARNING, text);
    } else {
        view_take_text(v, area, THEME_STRONG, money_words(v));
        draw_bottom(v, area, THEME_WARNING, f->text);
    }
}

/* The facts from the first one that is wanted, as far as they fit. True when all of them did. */
static bool draw_facts(const struct view *v, struct canvas_rect *area)
{
    struct start_fact fact;

    for (size_t i = v->m->start.top; start_review_fact(v->m, i, &fact); i++) {
        if (area->h <= 0)
            return false;
        layout_take_rows(area, widget_text_draw_fact(v->c, *area, LABEL_CELLS, fact.label,
                                                     fact.warning ? THEME_WARNING : THEME_DEFAULT,
                                                     fact.value));
    }
    return true;
}

static void draw_review(const struct view *v, struct canvas_rect area)
{
    struct dialog_key keys[] = {{"Ctrl-S", "start it"}, {"", "more"}, {"Esc", "back to the form"}};
    struct dialog_key waiting[] = {{"Esc", "close; it is followed on"}, {"", "more"}};
    const struct start_form *f = &v->m->start;
    bool under_way = f->state == START_SENT || f->state == START_UNKNOWN;
    struct canvas_rect last = {area.x, area.y + area.h - 1, area.w, 1};
    bool whole;

    area.h -= area.h > 3 ? 2 : 1; /* of the keys, which depend on whether all of it fits */
    draw_state(v, &area);
    if (f->retry_of[0])
        view_take_text(v, &area, THEME_DEFAULT,
                       "A linked retry: Envoy pays only after the first card is stopped.");
    layout_take_rows(&area, area.h > 8 ? 1 : 0);
    whole = draw_facts(v, &area);
    if (!whole)
        canvas_put_glyph(v->c, area.x + area.w, area.y - 1, THEME_WARNING, CANVAS_GLYPH_MORE);
    if (!whole || f->top > 0)
        keys[1].key = waiting[1].key = "Up Down";
    dialog_draw_keys(v, &last, under_way ? waiting : keys, under_way ? 2 : 3);
}

static int start_rows(const struct view *v, int width)
{
    (void)width;
    return (int)v->m->start.row_count + 8;
}

static void start_draw(const struct view *v, struct canvas_rect area)
{
    const struct start_form *f = &v->m->start;

    if (f->reviewing || f->state == START_SENT || f->state == START_UNKNOWN)
        draw_review(v, area);
    else
        draw_form(v, area);
}

const struct dialog dialog_start = {"Start a purchase", 100, 24, start_rows, start_draw};
