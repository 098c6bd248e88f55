/* SPDX-License-Identifier: Apache-2.0 */
/* Keys of the dialog on top. Invariants: Enter never sends; what sends needs its own key, and not
 * within half a second of opening; Esc always leads back and sends nothing. */
#include "app/command_run.h"
#include "app/internal.h"
#include "app/start_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/str.h"

#define REVIEW_ROWS_MAX 4096 /* more than a question and 800 characters of words can take */

static bool settled(const struct model *m)
{
    return m->now_mono - m->form.opened_mono >= CONFIRM_DELAY_MS;
}

static void choose(struct model *m, const struct input_event *e, int count)
{
    if (input_event_is(e, "Down") || input_event_is(e, "j"))
        m->form.choice = m->form.choice + 1 < count ? m->form.choice + 1 : m->form.choice;
    else if (input_event_is(e, "Up") || input_event_is(e, "k"))
        m->form.choice = m->form.choice > 0 ? m->form.choice - 1 : 0;
}

static void fields(struct model *m, const struct input_event *e)
{
    if (m->form.field_count == 0)
        return;
    int last = m->form.field_count - 1;
    if (input_event_is(e, "Tab") || input_event_is(e, "Down"))
        m->form.focus = m->form.focus < last ? m->form.focus + 1 : 0;
    else if (input_event_is(e, "Shift-Tab") || input_event_is(e, "Up"))
        m->form.focus = m->form.focus > 0 ? m->form.focus - 1 : last;
    else if (edit_input(&m->form.field[m->form.focus], e))
        m->form.problem[0] = '\0';
}

static void on_review(struct model *m, const struct input_event *e, struct effects *fx)
{
    if (input_event_is(e, "Ctrl-S") && settled(m))
        write_answer(m, fx);
    else
        choose(m, e, REVIEW_ROWS_MAX);
}

static void on_cancel(struct model *m, const struct input_event *e, struct effects *fx)
{
    if (input_event_is(e, "y") && settled(m))
        write_cancel(m, fx);
    else if (input_event_is(e, "n") || input_event_is(e, "Enter"))
        model_dialog_pop(m);
}

static void on_paid(struct model *m, const struct input_event *e, struct effects *fx)
{
    if (input_event_is(e, "Ctrl-S") && settled(m))
        write_report(m, fx, CONTRACT_OUTCOME_PAID);
    else
        fields(m, e);
}

static void on_failed(struct model *m, const struct input_event *e, struct effects *fx)
{
    if (input_event_is(e, "Ctrl-S") && settled(m))
        write_report(m, fx, CONTRACT_OUTCOME_FAILED);
    else
        choose(m, e, CONTRACT_FAILURE_COUNT);
}

static void on_steps(struct model *m, const struct input_event *e, struct effects *fx)
{
    if (e->kind == INPUT_TEXT && !e->burst && e->text[0] >= '1' &&
        e->text[0] < '1' + CONTRACT_STEP_COUNT && e->text[1] == '\0') {
        m->form.choice = e->text[0] - '1';
        if (settled(m))
            write_step(m, fx, m->form.choice);
        return;
    }
    choose(m, e, CONTRACT_STEP_COUNT);
}

static void on_quit(struct model *m, const struct input_event *e, struct effects *fx)
{
    (void)fx;
    if (input_event_is(e, "y") && settled(m))
        m->quit = true;
    else if (input_event_is(e, "n") || input_event_is(e, "Enter"))
        model_dialog_pop(m);
}

static void on_filter(struct model *m, const struct input_event *e, struct effects *fx)
{
    if (input_event_is(e, "Enter")) {
        model_dialog_pop(m);
        move_by(m, fx, 0, 0); /* what keys act on is a row that is shown */
        return;
    }
    fields(m, e);
    (void)str_copy(m->filter, sizeof m->filter, edit_text(&m->form.field[0]));
}

static bool bad_date(const char *text)
{
    return text[0] && !clock_valid_date(text);
}

static void on_dates(struct model *m, const struct input_event *e, struct effects *fx)
{
    if (!input_event_is(e, "Enter")) {
        fields(m, e);
        return;
    }
    const char *from = edit_text(&m->form.field[0]), *to = edit_text(&m->form.field[1]);
    const char *size = edit_text(&m->form.field[2]);
    char *end = NULL;
    long limit = strtol(size, &end, 10);
    if (bad_date(from) || bad_date(to))
        snprintf(m->form.problem, sizeof m->form.problem,
                 "A day is written YYYY-MM-DD, for example 2026-11-30.");
    else if (from[0] && to[0] && strcmp(from, to) > 0)
        snprintf(m->form.problem, sizeof m->form.problem, "From is later than To.");
    else if (!size[0] || *end || limit < 1 || limit > 50)
        snprintf(m->form.problem, sizeof m->form.problem, "Page size is a number from 1 to 50.");
    else {
        (void)str_copy(m->lines.from, sizeof m->lines.from, from);
        (void)str_copy(m->lines.to, sizeof m->lines.to, to);
        m->lines.limit = (int)limit;
        model_dialog_pop(m);
        list_lines_start(m, fx);
    }
}

/* The file's name follows the format as long as it ends like the other one. */
static void flip_format(struct model *m)
{
    static const char *const ends[] = {".csv", ".json"};
    m->form.choice = 1 - m->form.choice;
    const char *name = edit_text(&m->form.field[0]), *old = ends[1 - m->form.choice];
    size_t len = strlen(name), tail = strlen(old);
    char fresh[1024];
    if (len < tail || strcmp(name + len - tail, old) != 0)
        return;
    snprintf(fresh, sizeof fresh, "%.*s%s", (int)(len - tail), name, ends[m->form.choice]);
    (void)!edit_set(&m->form.field[0], fresh); /* without memory the name stays as it is seen */
}

static void on_export(struct model *m, const struct input_event *e, struct effects *fx)
{
    if (input_event_is(e, "Enter"))
        export_lines(m, fx);
    else if (input_event_is(e, "Up") || input_event_is(e, "Down") || input_event_is(e, "Tab"))
        flip_format(m);
    else
        fields(m, e);
}

static void on_palette(struct model *m, const struct input_event *e, struct effects *fx)
{
    const struct command *found[64];
    size_t count = command_match(m, edit_text(&m->palette), found, 64);
    int last = count > 0 ? (int)count - 1 : 0;
    if (m->palette_choice > last)
        m->palette_choice = last;
    if (input_event_is(e, "Down") || input_event_is(e, "Ctrl-N")) {
        m->palette_choice = m->palette_choice < last ? m->palette_choice + 1 : last;
    } else if (input_event_is(e, "Up") || input_event_is(e, "Ctrl-P")) {
        m->palette_choice = m->palette_choice > 0 ? m->palette_choice - 1 : 0;
    } else if (input_event_is(e, "Tab")) {
        if (count > 0 && edit_set(&m->palette, found[m->palette_choice]->name) != ERR_OK)
            edit_clear(&m->palette);
    } else if (input_event_is(e, "Enter")) {
        const struct command *c = count > 0 ? found[m->palette_choice] : NULL;
        model_dialog_pop(m);
        if (c)
            command_run(m, c, fx);
    } else if (edit_input(&m->palette, e)) {
        m->palette_choice = 0;
    }
}

static void on_help(struct model *m, const struct input_event *e, struct effects *fx)
{
    (void)fx;
    int page = m->height_cells / 2, by = 0;
    if (input_event_is(e, "Down") || input_event_is(e, "j"))
        by = 1;
    else if (input_event_is(e, "Up") || input_event_is(e, "k"))
        by = -1;
    else if (input_event_is(e, "PgDn") || input_event_is(e, "Space"))
        by = page;
    else if (input_event_is(e, "PgUp"))
        by = -page;
    else if (input_event_is(e, "?") || input_event_is(e, "q"))
        model_dialog_pop(m);
    long long top = (long long)m->help_top + by;
    m->help_top = top < 0 ? 0 : top > 200 ? 200 : (size_t)top;
}

static void on_details(struct model *m, const struct input_event *e, struct effects *fx)
{
    if (input_event_is(e, "y")) {
        const struct command *copy = command_find("copy");
        if (copy && model_dialog(m) != MODEL_DIALOG_LINE)
            command_run(m, copy, fx);
    } else if (input_event_is(e, "o") && model_dialog(m) == MODEL_DIALOG_QR) {
        const struct command *open = command_find("open-link");
        if (open)
            command_run(m, open, fx);
    } else if (input_event_is(e, "Enter") || input_event_is(e, "q")) {
        model_dialog_pop(m);
    }
}

bool dialog_input(struct model *m, const struct input_event *e, struct effects *fx)
{
    static void (*const keys[])(struct model *, const struct input_event *, struct effects *) = {
        [MODEL_DIALOG_HELP] = on_help,       [MODEL_DIALOG_PALETTE] = on_palette,
        [MODEL_DIALOG_REVIEW] = on_review,   [MODEL_DIALOG_CANCEL] = on_cancel,
        [MODEL_DIALOG_PAID] = on_paid,       [MODEL_DIALOG_FAILED] = on_failed,
        [MODEL_DIALOG_STEPS] = on_steps,     [MODEL_DIALOG_QUIT] = on_quit,
        [MODEL_DIALOG_FILTER] = on_filter,   [MODEL_DIALOG_DATES] = on_dates,
        [MODEL_DIALOG_LINE] = on_details,    [MODEL_DIALOG_EXPORT] = on_export,
        [MODEL_DIALOG_QR] = on_details,      [MODEL_DIALOG_CALL] = on_details,
    };
    enum model_dialog d = model_dialog(m);
    if (d == MODEL_DIALOG_START) { /* its fields take a burst as the text that it is */
        if (start_input(m, e, fx))
            model_dialog_pop(m);
        return true;
    }
    if (e->burst && e->kind == INPUT_TEXT)
        return true;
    if (input_event_is(e, "Ctrl-C") && d != MODEL_DIALOG_QUIT) {
        model_dialog_pop(m);
        return true;
    }
    if (input_event_is(e, "Esc")) {
        if (d == MODEL_DIALOG_FILTER)
            m->filter[0] = '\0';
        model_dialog_pop(m);
        return true;
    }
    if ((size_t)d < sizeof keys / sizeof keys[0] && keys[d])
        keys[d](m, e, fx);
    return true;
}
