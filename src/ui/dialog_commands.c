/* SPDX-License-Identifier: Apache-2.0 */
/* Help and palette: both are made from the command table, so they cannot say anything else than
 * what the keys do. A refused command is listed with its reason. */
#include "ui/dialog.h"

#include <stdio.h>
#include <string.h>
#include "app/command.h"
#include "core/str.h"
#include "ui/widget_editor.h"

#define KEY_CELLS  11
#define HELP_MAX   320
#define HELP_PARTS 6
#define MATCH_MAX  64

/* One row of help: a title, a command with the first part of its help, or a further part of it. */
struct help_row {
    const char *title;
    const struct command *command;
    struct str_line part; /* of command->help */
};

static const struct help_section {
    unsigned contexts;
    const char *title;
} sections[] = {
    {COMMAND_IN_ANY, "Everywhere"},
    {COMMAND_IN_LIST | COMMAND_IN_DETAIL | COMMAND_IN_PURCHASE, "Purchases"},
    {COMMAND_IN_QUESTION | COMMAND_IN_FEEDBACK, "Questions and feedback"},
    {COMMAND_IN_EDITOR, "While writing"},
    {COMMAND_IN_TASK, "A task of the owner"},
    {COMMAND_IN_HANDOUT | COMMAND_IN_READY, "Card or gift card"},
    {COMMAND_IN_ACCOUNT, "Account"},
    {COMMAND_IN_TRANSACTIONS, "Transactions"},
    {COMMAND_IN_SHOP, "Shop"},
    {COMMAND_IN_QUESTIONS, "Questions"},
    {COMMAND_IN_ACTIVITY, "Activity"},
    {COMMAND_IN_DIALOG, "In a dialog"},
    {COMMAND_IN_DEMO, "Demo: the owner's phone"},
};

#define SECTIONS (sizeof sections / sizeof sections[0])

/* A command is listed once, in the first section that one of its contexts belongs to. */
static size_t section_of(const struct command *c)
{
    for (size_t i = 0; i < SECTIONS; i++) {
        if (c->contexts & COMMAND_IN_DEMO)
            return SECTIONS - 1;
        if (c->contexts & sections[i].contexts)
            return i;
    }
    return SECTIONS - 1;
}

static int help_cells(const struct command *c)
{
    int name = 1 + str_width_cells(c->name) + 2;

    return c->key_text[0] || name < KEY_CELLS ? KEY_CELLS : name;
}

static int add_help(struct help_row rows[HELP_MAX], int count, const struct command *c, int width)
{
    struct str_line parts[HELP_PARTS];
    size_t found = str_wrap(c->help, width - help_cells(c), parts, HELP_PARTS);

    for (size_t i = 0; i < found && i < HELP_PARTS && count < HELP_MAX; i++)
        rows[count++] = (struct help_row){.command = c, .part = parts[i]};
    return count;
}

static int help_rows(struct help_row rows[HELP_MAX], int width)
{
    int count = 0;

    for (size_t s = 0; s < SECTIONS; s++) {
        int before = count;

        for (size_t i = 0; i < command_count() && count < HELP_MAX - 2; i++) {
            const struct command *c = command_at(i);

            if (section_of(c) != s)
                continue;
            if (count == before) {
                if (count > 0)
                    rows[count++] = (struct help_row){0};
                rows[count++] = (struct help_row){.title = sections[s].title};
            }
            count = add_help(rows, count, c, width);
        }
    }
    return count;
}

static void draw_help_row(const struct view *v, const struct help_row *row, struct canvas_rect r)
{
    const struct command *c = row->command;

    if (row->title)
        canvas_put(v->c, r.x, r.y, THEME_TITLE_FOCUS, row->title);
    if (!c)
        return;
    canvas_put_n(v->c, r.x + help_cells(c), r.y, THEME_DEFAULT, c->help + row->part.start,
                 row->part.len);
    if (row->part.start > 0)
        return;
    if (c->key_text[0]) {
        canvas_put(v->c, r.x, r.y, THEME_KEY, c->key_text);
        return;
    }
    canvas_put(v->c, r.x, r.y, THEME_KEY, ":");
    canvas_put(v->c, r.x + 1, r.y, THEME_KEY, c->name);
}

static int help_wanted(const struct view *v, int width)
{
    struct help_row rows[HELP_MAX];

    (void)v;
    return help_rows(rows, width) + 4;
}

static void help_draw(const struct view *v, struct canvas_rect area)
{
    static const struct dialog_key keys[] = {{"Esc", "back"}, {"Up Down PgUp PgDn", "scroll"}};
    struct help_row rows[HELP_MAX];
    int count = help_rows(rows, area.w), top = (int)v->m->help_top;
    char text[VIEW_TEXT_MAX];

    dialog_draw_keys(v, &area, keys, 2);
    snprintf(text, sizeof text, "%s · %s · theme %s", v->m->set.demo ? "Demo" : "Live",
             v->m->set.host, v->t->name);
    view_take_text(v, &area, THEME_DIM, text);
    if (area.h > 6)
        layout_take_rows(&area, 1);
    top = top > count - area.h ? count - area.h : top;
    top = top < 0 ? 0 : top;
    for (int i = 0; i < area.h && top + i < count; i++)
        draw_help_row(v, &rows[top + i], (struct canvas_rect){area.x, area.y + i, area.w, 1});
    if (top > 0)
        canvas_put_glyph(v->c, area.x + area.w, area.y, THEME_DIM, CANVAS_GLYPH_MORE);
    if (top + area.h < count)
        canvas_put_glyph(v->c, area.x + area.w, area.y + area.h - 1, THEME_DIM, CANVAS_GLYPH_MORE);
}

static void draw_match(const struct view *v, const struct command *c, bool chosen,
                       struct canvas_rect r)
{
    const char *why = c->refused ? c->refused(v->m) : NULL;
    char text[VIEW_TEXT_MAX];
    int x = r.x + 2;

    if (chosen) {
        canvas_put_glyph(v->c, r.x, r.y, THEME_SELECTION, CANVAS_GLYPH_BAR);
    }
    canvas_put_cut(v->c, x, r.y, 18,
                   why      ? THEME_DIM
                   : chosen ? THEME_SELECTED
                            : THEME_DEFAULT,
                   c->name);
    x += 20;
    snprintf(text, sizeof text, "%s%s", why ? "not now: " : "", why ? why : c->help);
    canvas_put_pair(v->c, x, r.y, r.x + r.w - x, why ? THEME_DIM : THEME_DEFAULT, text, THEME_KEY,
                    c->key_text);
}

static void palette_draw(const struct view *v, struct canvas_rect area)
{
    static const struct dialog_key keys[] = {
        {"Enter", "do it"}, {"Up Down", "choose"}, {"Esc", "back"}};
    const struct command *found[MATCH_MAX];
    size_t count = command_match(v->m, edit_text(&v->m->palette), found, MATCH_MAX);
    int rows = count < MATCH_MAX ? (int)count : MATCH_MAX, choice = v->m->palette_choice, top = 0;
    struct canvas_rect line = layout_take_rows(&area, 1);

    layout_take_rows(&area, area.h > 4 ? 1 : 0);
    dialog_draw_keys(v, &area, keys, 3);
    if (choice >= area.h)
        top = choice - area.h + 1;
    for (int i = 0; i < area.h && top + i < rows; i++)
        draw_match(v, found[top + i], top + i == choice,
                   (struct canvas_rect){area.x, area.y + i, area.w, 1});
    if (rows == 0)
        canvas_put_cut(v->c, area.x, area.y, area.w, THEME_DIM, "No command has this in its name.");
    widget_editor_draw_line(v->c, line, ":", 1, &v->m->palette, true);
}

const struct dialog dialog_help = {"Help", 84, 24, help_wanted, help_draw};
const struct dialog dialog_palette = {"Commands", 96, 20, NULL, palette_draw};
