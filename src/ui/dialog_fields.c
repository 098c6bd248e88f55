/* SPDX-License-Identifier: Apache-2.0 */
/* Small forms of the lists: filter, dates and page size, export. Fields are those of struct
 * model_form, in the order in which they stand here. */
#include "ui/dialog.h"

#include <stdio.h>
#include "core/str.h"
#include "ui/widget_editor.h"

#define LABEL_CELLS 12

static void filter_draw(const struct view *v, struct canvas_rect area)
{
    static const struct dialog_key keys[] = {{"Enter", "keep"}, {"Esc", "show all"}};

    dialog_draw_keys(v, &area, keys, 2);
    widget_editor_draw_line(v->c, layout_take_rows(&area, 1), "Contains", LABEL_CELLS,
                            &v->m->form.field[0], true);
    layout_take_rows(&area, area.h > 1 ? 1 : 0);
    view_take_text(v, &area, THEME_DIM,
                   "Shows only rows with this text in them, in the view that is open. Empty shows "
                   "all.");
}

static void dates_draw(const struct view *v, struct canvas_rect area)
{
    static const struct dialog_key keys[] = {
        {"Enter", "read"}, {"Tab", "next field"}, {"Esc", "back"}};
    static const char *const labels[] = {"From", "To", "Page size"};
    const struct model_form *form = &v->m->form;

    dialog_draw_keys(v, &area, keys, 3);
    dialog_draw_problem(v, &area);
    for (int i = 0; i < 3; i++)
        widget_editor_draw_line(v->c, layout_take_rows(&area, 1), labels[i], LABEL_CELLS,
                                &form->field[i], form->focus == i);
    layout_take_rows(&area, area.h > 2 ? 1 : 0);
    view_take_text(v, &area, THEME_DIM,
                   "Days as YYYY-MM-DD; empty means no limit. Page size 1 to 50. The list starts "
                   "again from the newest.");
}

static void export_draw(const struct view *v, struct canvas_rect area)
{
    static const struct dialog_key keys[] = {
        {"Enter", "write"}, {"Up Down", "format"}, {"Esc", "back"}};
    static const char *const formats[] = {"csv", "json"};
    const struct model_form *form = &v->m->form;
    const struct contract_line *none;
    struct canvas_rect row;
    char text[VIEW_TEXT_MAX];
    int x;

    dialog_draw_keys(v, &area, keys, 3);
    dialog_draw_problem(v, &area);
    row = layout_take_rows(&area, 1);
    x = row.x + LABEL_CELLS;
    canvas_put(v->c, row.x, row.y, THEME_DEFAULT, "Format");
    for (int i = 0; i < 2; i++) {
        snprintf(text, sizeof text, i == form->choice ? "[%s] " : " %s  ", formats[i]);
        x += canvas_put(v->c, x, row.y, i == form->choice ? THEME_STRONG : THEME_DEFAULT, text);
    }
    widget_editor_draw_line(v->c, layout_take_rows(&area, 1), "File", LABEL_CELLS, &form->field[0],
                            form->focus == 0);
    layout_take_rows(&area, area.h > 2 ? 1 : 0);
    snprintf(text, sizeof text,
             "Writes the %zu lines read so far%s. A file that exists is not touched.",
             model_lines_visible(v->m, &none, 1), v->m->filter[0] ? " that the filter shows" : "");
    view_take_text(v, &area, THEME_DIM, text);
}

const struct dialog dialog_filter = {"Filter", 60, 10, NULL, filter_draw};
const struct dialog dialog_dates = {"Dates and page size", 60, 13, NULL, dates_draw};
const struct dialog dialog_export = {"Export transactions", 64, 13, NULL, export_draw};
