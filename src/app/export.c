/* SPDX-License-Identifier: Apache-2.0 */
/* The transactions read so far as CSV or JSON. A cell never begins with a sign that a spreadsheet
 * takes for a formula. */
#include <string.h>

#include "app/internal.h"
#include "core/alloc.h"
#include "core/clock.h"
#include "core/money.h"
#include "core/str.h"

#define EXPORT_MAX (64 * 1024 * 1024)

static enum err csv_cell(struct buf *out, const char *text)
{
    enum err e = buf_append_char(out, '"');
    if (e == ERR_OK && text[0] && strchr("=+-@", text[0]))
        e = buf_append_char(out, '\'');
    for (const char *s = text; e == ERR_OK && *s; s++) {
        if (*s == '"')
            e = buf_append_char(out, '"');
        if (e == ERR_OK)
            e = buf_append_char(out, *s);
    }
    return e == ERR_OK ? buf_append_char(out, '"') : e;
}

/* The value as it came, also one that this version does not know. */
static const char *wire(enum contract_kind kind, const struct contract_enum *e)
{
    return e->value == CONTRACT_UNRECOGNISED ? e->raw : contract_wire(kind, e->value);
}

static enum err row(struct buf *out, const struct contract_line *l, bool json, bool last)
{
    char at[CLOCK_TEXT_MAX], amount[MONEY_TEXT_MAX];
    const char *values[] = {
        at,
        l->title ? l->title : "",
        l->subtitle ? l->subtitle : "",
        wire(CONTRACT_KIND_LINE_KIND, &l->kind),
        wire(CONTRACT_KIND_LINE_STATUS, &l->status),
        wire(CONTRACT_KIND_DIRECTION, &l->direction),
        amount,
        l->id,
    };
    static const char *const names[] = {"occurred_at", "title",     "subtitle", "kind",
                                        "status",      "direction", "amount",   "id"};
    enum err e = json ? buf_append_str(out, "  {") : ERR_OK;
    clock_rfc3339(at, l->occurred_at_ms);
    money_wire(amount, l->amount.known ? l->amount.minor : 0);
    if (!l->amount.known)
        amount[0] = '\0';
    for (size_t i = 0; e == ERR_OK && i < sizeof names / sizeof names[0]; i++) {
        if (i > 0)
            e = buf_append_char(out, ',');
        if (e == ERR_OK && json)
            e = buf_printf(out, "\"%s\":", names[i]);
        if (e == ERR_OK)
            e = json ? contract_json_string(out, values[i]) : csv_cell(out, values[i]);
    }
    if (e == ERR_OK)
        e = buf_append_str(out, !json ? "\r\n" : last ? "}\n" : "},\n");
    return e;
}

void export_lines(struct model *m, struct effects *fx)
{
    const char *name = edit_text(&m->form.field[0]);
    bool json = m->form.choice == 1;
    if (!name[0]) {
        (void)str_copy(m->form.problem, sizeof m->form.problem, "Give the file a name.");
        return;
    }
    if (strlen(name) >= sizeof ((struct effect *)0)->path) {
        (void)str_copy(m->form.problem, sizeof m->form.problem, "That name is too long.");
        return;
    }
    size_t count = model_lines_visible(m, NULL, 0);
    const struct contract_line **rows = alloc_zero(count + 1, sizeof(void *));
    struct effect *f = rows ? effects_add(fx, EFFECT_WRITE_FILE) : NULL;
    if (!f) {
        alloc_free((void *)rows);
        return;
    }
    count = model_lines_visible(m, rows, count);
    f->body.limit = EXPORT_MAX;
    (void)str_copy(f->path, sizeof f->path, name);
    enum err e = buf_append_str(
        &f->body, json ? "[\n" : "occurred_at,title,subtitle,kind,status,direction,amount,id\r\n");
    for (size_t i = 0; e == ERR_OK && i < count; i++)
        e = row(&f->body, rows[i], json, i + 1 == count);
    if (e == ERR_OK && json)
        e = buf_append_str(&f->body, "]\n");
    alloc_free((void *)rows);
    if (e != ERR_OK) {
        buf_fini(&f->body);
        fx->count--;
        (void)str_copy(m->form.problem, sizeof m->form.problem, "Too much for one file.");
        return;
    }
    model_dialog_pop(m);
}
