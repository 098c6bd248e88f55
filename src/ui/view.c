/* SPDX-License-Identifier: Apache-2.0 */
/* The words and small steps that screens, panes and dialogs share. Owns no data and draws only what
 * it is told to. Invariant: an amount is whole, and an unknown thing is called unknown. */
#include "ui/view.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "app/command.h"
#include "core/clock.h"
#include "core/str.h"
#include "ui/widget_keys.h"

#define KEYS_MAX 8

void view_add(char *out, size_t size, const char *fmt, ...)
{
    char text[1024];
    size_t used = strlen(out);
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    (void)str_copy(out + used, size - used, text);
}

void view_amount_brief(const struct view *v, const struct contract_amount *a, char *out,
                       size_t size)
{
    if (a->known && a->disagrees)
        snprintf(out, size, "%s !", a->display);
    else
        model_amount(v->m, a, out, size);
}

void view_until(const struct view *v, int64_t by_ms, bool stale, char *out, size_t size)
{
    char at[CLOCK_TEXT_MAX], left[CLOCK_TEXT_MAX];

    out[0] = '\0';
    if (by_ms == CLOCK_NONE) {
        (void)str_copy(out, size, "no deadline given");
        return;
    }
    if (by_ms <= v->now_ms) {
        (void)str_copy(out, size, "time is up, checking");
        return;
    }
    if (clock_same_local_day(by_ms, v->now_ms))
        clock_local_hm(at, by_ms);
    else
        clock_local_date_hm(at, by_ms);
    clock_left(left, by_ms, v->now_ms);
    snprintf(out, size, "%suntil %s (%s)", stale ? "~ " : "", at, left);
}

void view_day(const struct view *v, int64_t at_ms, char *out, size_t size)
{
    char day[CLOCK_TEXT_MAX];

    if (at_ms == CLOCK_NONE) {
        (void)str_copy(out, size, "time unknown");
        return;
    }
    if (clock_local_year(at_ms) == clock_local_year(v->now_ms)) {
        clock_local_date_hm(day, at_ms);
        snprintf(out, size, "%s%s", day[1] == ' ' ? "0" : "", day);
        return;
    }
    clock_local_date(day, at_ms);
    snprintf(out, size, "%s%s %d", day[1] == ' ' ? "0" : "", day, clock_local_year(at_ms));
}

void view_time(const struct view *v, int64_t at_ms, char *out, size_t size)
{
    char at[CLOCK_TEXT_MAX];

    if (at_ms == CLOCK_NONE || at_ms == 0) {
        (void)str_copy(out, size, "unknown");
        return;
    }
    if (!clock_same_local_day(at_ms, v->now_ms)) {
        view_day(v, at_ms, out, size);
        return;
    }
    clock_local_hms(at, at_ms);
    (void)str_copy(out, size, at);
}

const char *view_merchant(const struct model_purchase *p)
{
    if (p->merchant_name && p->merchant_name[0])
        return p->merchant_name;
    if (p->snap && p->snap->merchant_name && p->snap->merchant_name[0])
        return p->snap->merchant_name;
    return "unnamed merchant";
}

void view_purchase_name(const struct model_purchase *p, char *out, size_t size)
{
    const char *what = p->snap ? p->snap->description : NULL;

    out[0] = '\0';
    if (what && what[0])
        view_add(out, size, "%s · ", what);
    view_add(out, size, "%s", view_merchant(p));
}

const struct contract_amount *view_purchase_amount(const struct model_purchase *p)
{
    return p->snap && p->snap->amount.known ? &p->snap->amount : &p->amount;
}

const char *view_key(const struct view *v, const char *command)
{
    const struct command *row = command_find(command);

    if (!row || !row->key_text || (row->refused && row->refused(v->m)))
        return "";
    return row->key_text;
}

bool view_take_keys(const struct view *v, struct canvas_rect *area,
                    const struct view_key_word *words, size_t count)
{
    struct widget_key keys[KEYS_MAX];
    int used = 0;

    for (size_t i = 0; i < count && used < KEYS_MAX; i++) {
        const struct command *row = command_find(words[i].command);
        const char *key = view_key(v, words[i].command);

        if (key[0])
            keys[used++] = (struct widget_key){key, words[i].label ? words[i].label : row->label};
    }
    if (used == 0 || area->h < 1)
        return false;
    area->x -= 1; /* the key line begins with a blank of its own */
    widget_keys_draw(v->c, (struct canvas_rect){area->x, area->y, area->w + 1, 1}, keys, used);
    area->x += 1;
    layout_take_rows(area, 1);
    return true;
}

unsigned view_glyph_style(enum contract_glyph glyph)
{
    return (unsigned)canvas_glyph_role((enum canvas_glyph)glyph);
}

bool view_write_words(const struct view *v, const struct model_write *w, char *out, size_t size)
{
    static const char *const states[] = {
        [MODEL_WRITE_SENT] = "on its way",
        [MODEL_WRITE_DONE] = "recorded",
        [MODEL_WRITE_REPLAYED] = "was already recorded",
        [MODEL_WRITE_REFUSED] = "refused",
        [MODEL_WRITE_UNKNOWN] = "outcome not known",
        [MODEL_WRITE_SETTLED] = "settled by reading",
    };
    char at[VIEW_TEXT_MAX];

    if (w->state == MODEL_WRITE_NONE)
        return false;
    view_time(v, w->sent_at_ms, at, sizeof at);
    snprintf(out, size, "Sent at %s: %s", at, states[w->state]);
    if (w->text[0])
        view_add(out, size, ". %s", w->text);
    return true;
}

int view_take_text(const struct view *v, struct canvas_rect *area, unsigned style, const char *text)
{
    int rows = canvas_wrapped_rows(v->c, text, area->w);
    struct canvas_rect part = layout_take_rows(area, rows);

    canvas_put_wrapped(v->c, part, style, text, 0);
    return rows;
}
