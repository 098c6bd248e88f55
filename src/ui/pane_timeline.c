/* SPDX-License-Identifier: Apache-2.0 */
/* How a purchase went: the progress track, one sentence about who acts and where the money is, the
 * rows that reads and this console added, and the live line. Invariant: the live line is always the
 * last one and is never left out for older rows; money and order are separate columns. */
#include "ui/pane.h"

#include <stdio.h>
#include <string.h>
#include "core/clock.h"
#include "core/str.h"
#include "ui/widget_track.h"

#define TIME_CELLS   8
#define STATE_CELLS  17
#define ROW_ROWS_MAX 3
#define WIDE_CELLS   64 /* from here the text has a column of its own */

static enum canvas_glyph track_glyph(const struct timeline_step *step)
{
    switch (step->mark) {
    case TIMELINE_TODO:
        return CANVAS_GLYPH_AHEAD;
    case TIMELINE_DONE:
        return CANVAS_GLYPH_WELL;
    case TIMELINE_BAD:
        return CANVAS_GLYPH_ILL;
    case TIMELINE_UNSURE:
        return CANVAS_GLYPH_UNKNOWN;
    case TIMELINE_NOW:
        break;
    }
    return step->glyph == CONTRACT_GLYPH_NONE ? CANVAS_GLYPH_MOTION
                                              : (enum canvas_glyph)step->glyph;
}

static void draw_track(const struct view *v, const struct model_purchase *p,
                       struct canvas_rect area)
{
    struct timeline_step steps[TIMELINE_STEPS_MAX];
    struct widget_track_step track[TIMELINE_STEPS_MAX];
    size_t count = timeline_track(p->snap, steps);

    for (size_t i = 0; i < count; i++)
        track[i] = (struct widget_track_step){steps[i].words, track_glyph(&steps[i])};
    widget_track_draw(v->c, area.x, area.y, area.w, track, (int)count);
}

/* Where there is one pane at a time, the row says what the list would have said. */
static void draw_state_line(const struct view *v, const struct model_purchase *p,
                            struct canvas_rect area)
{
    enum contract_glyph glyph = model_glyph(v->m, p);
    unsigned style = view_glyph_style(glyph);
    int64_t by = model_deadline(p);
    char words[VIEW_TEXT_MAX], until[VIEW_TEXT_MAX];
    const struct contract_row *state = contract_row(CONTRACT_KIND_STATE, p->state.value);
    size_t prefix, skip = 0;

    words[0] = '\0';
    if (state && p->state.value == CONTRACT_STATE_WAITING_FOR_USER)
        view_add(words, sizeof words, "%s: ", state->words);
    prefix = strlen(words);
    model_state_words(v->m, p, words + strlen(words), sizeof words - strlen(words));
    if (by != CLOCK_NONE) {
        view_until(v, by, model_is_stale(v->m, p), until, sizeof until);
        view_add(words, sizeof words, ", %s", until);
    } else if (model_is_stale(v->m, p)) {
        model_since_words(v->m, p, until, sizeof until);
        view_add(words, sizeof words, " · %s", until);
    }
    if (canvas_width_of(v->c, words + prefix) <= area.w - 2 &&
        canvas_width_of(v->c, words) > area.w - 2)
        skip = prefix; /* the deadline is wanted more */
    canvas_put_glyph(v->c, area.x, area.y, style, (enum canvas_glyph)glyph);
    canvas_put_cut(v->c, area.x + 2, area.y, area.w - 2, style, words + skip);
}

/* As many whole sentences as leave the last row blank; the first one is whole in any case. */
static void draw_summary(const struct view *v, struct canvas_rect area, const char *text)
{
    int rows = area.h > 1 ? area.h - 1 : area.h;
    char part[VIEW_TEXT_MAX];

    (void)str_copy(part, sizeof part, text);
    while (canvas_wrapped_rows(v->c, part, area.w) > rows) {
        char *last = NULL;

        for (char *at = strstr(part, ". "); at && at[2]; at = strstr(at + 1, ". "))
            last = at;
        if (!last)
            break;
        last[1] = '\0';
    }
    canvas_put_wrapped(v->c, area, THEME_DEFAULT, part, 0);
}

void pane_timeline_draw_head(const struct view *v, const struct model_purchase *p,
                             struct canvas_rect area)
{
    struct canvas_rect first = layout_take_rows(&area, 1);
    char text[VIEW_TEXT_MAX];

    if (first.h == 0)
        return;
    if (v->l.mode == LAYOUT_ONE || !p->snap)
        draw_state_line(v, p, first);
    else
        draw_track(v, p, first);
    if (!p->snap) {
        (void)str_copy(text, sizeof text,
                       p->state.value == CONTRACT_STATE_READY
                           ? "Known from the list only; it waits for you to read it."
                           : "Known from the list only, not read yet.");
        canvas_put_wrapped(v->c, area, THEME_DEFAULT, text, 0);
        return;
    }
    if (p->snap->funding.present && p->snap->user_task.value == CONTRACT_TASK_PAY_LINK) {
        char pay[128], worth[128];

        model_amount(v->m, &p->snap->funding.amount, pay, sizeof pay);
        model_amount(v->m, &p->snap->amount, worth, sizeof worth);
        snprintf(text, sizeof text, "You pay %s for a gift card worth %s.", pay, worth);
    } else {
        timeline_summary(p->snap, text, sizeof text);
    }
    draw_summary(v, area, text);
}

/* What stands in the state column of a row that is not a change of state. */
static const char *kind_words(enum timeline_kind kind)
{
    static const char *const words[] = {
        [TIMELINE_STATE] = "",
        [TIMELINE_MONEY] = "money",
        [TIMELINE_ROUTE] = "route",
        [TIMELINE_QUESTION] = "question",
        [TIMELINE_ORDER] = "order",
        [TIMELINE_ACCESS] = "card access",
        [TIMELINE_REPLACED] = "replaced",
        [TIMELINE_LOCAL] = "here",
        [TIMELINE_WARNING] = "! here",
    };

    return words[kind];
}

static void row_time(const struct view *v, int64_t at_ms, char *out, size_t size)
{
    char at[CLOCK_TEXT_MAX];

    if (clock_same_local_day(at_ms, v->now_ms))
        clock_local_hms(at, at_ms);
    else
        clock_local_date(at, at_ms);
    (void)str_copy(out, size, at);
}

/* Only the newest state has its colour: what has passed must not draw the eye. */
static unsigned row_style(const struct timeline_row *row, bool newest)
{
    if (row->kind == TIMELINE_WARNING)
        return THEME_WARNING;
    if (row->kind != TIMELINE_STATE)
        return THEME_DIM;
    if (!newest)
        return THEME_DEFAULT;
    const struct contract_row *state = contract_row(CONTRACT_KIND_STATE, row->state.value);
    return state ? view_glyph_style(state->glyph) : (unsigned)THEME_UNKNOWN;
}

struct row_words {
    char time[CLOCK_TEXT_MAX], state[128], money[64];
    const char *text;
    unsigned style;
};

static void words_of_row(const struct view *v, const struct timeline_row *row, bool newest,
                         struct row_words *out)
{
    row_time(v, row->at_ms, out->time, sizeof out->time);
    if (row->kind == TIMELINE_STATE)
        (void)str_copy(out->state, sizeof out->state,
                       contract_words(CONTRACT_KIND_STATE, &row->state, out->money,
                                      sizeof out->money, "state unknown"));
    else
        (void)str_copy(out->state, sizeof out->state, kind_words(row->kind));
    out->money[0] = '\0';
    if (row->money.value != CONTRACT_ABSENT)
        timeline_money_words(&row->money, &row->state, out->money, sizeof out->money);
    out->text = row->text;
    out->style = row_style(row, newest);
}

static bool has_money(const struct row_words *w)
{
    return w->money[0] && strcmp(w->money, w->text) != 0;
}

/* Wrapped into the rows of area, cut at the end of the last one. */
static void put_text(const struct view *v, struct canvas_rect area, unsigned style,
                     const char *text)
{
    struct str_line lines[ROW_ROWS_MAX];
    size_t count = str_wrap(text, area.w, lines, ROW_ROWS_MAX);
    int last = area.h - 1;

    for (int i = 0; i < last && (size_t)i < count && i < ROW_ROWS_MAX - 1; i++)
        canvas_put_n(v->c, area.x, area.y + i, style, text + lines[i].start, lines[i].len);
    if (last >= 0 && (size_t)last < count && last < ROW_ROWS_MAX)
        canvas_put_cut(v->c, area.x, area.y + last, area.w, style, text + lines[last].start);
}

/* Where the text has no column, a change shows state and money, and anything else its text. */
static void draw_row_narrow(const struct view *v, const struct timeline_row *row,
                            const struct row_words *w, struct canvas_rect r)
{
    int x = r.x + TIME_CELLS + 1;
    int room = r.w - TIME_CELLS - 1;

    if (row->kind != TIMELINE_STATE) {
        if (row->kind == TIMELINE_WARNING) {
            canvas_put(v->c, x, r.y, THEME_WARNING, "! ");
            x += 2;
            room -= 2;
        }
        put_text(v, (struct canvas_rect){x, r.y, room, r.h}, w->style,
                 w->text[0] ? w->text : w->money);
        return;
    }
    if (!w->money[0] || room < STATE_CELLS + 1 + 12) {
        canvas_put_cut(v->c, x, r.y, room, w->style, w->state);
        return;
    }
    canvas_put_cut(v->c, x, r.y, STATE_CELLS, w->style, w->state);
    canvas_put_cut(v->c, x + STATE_CELLS + 1, r.y, room - STATE_CELLS - 1, THEME_DEFAULT, w->money);
}

static void draw_row(const struct view *v, const struct timeline_row *row, bool newest,
                     struct canvas_rect r)
{
    struct row_words w;
    int x = r.x, room, money = 0;

    words_of_row(v, row, newest, &w);
    canvas_put(v->c, x, r.y, THEME_DIM, w.time);
    if (r.w < WIDE_CELLS) {
        draw_row_narrow(v, row, &w, r);
        return;
    }
    x += TIME_CELLS + 2;
    canvas_put_cut(v->c, x, r.y, STATE_CELLS, w.style, w.state);
    x += STATE_CELLS + 2;
    room = r.x + r.w - x;
    if (has_money(&w)) {
        money = canvas_width_of(v->c, w.money) + 1;
        canvas_put_right(v->c, x, r.y, room, THEME_DEFAULT, w.money);
    }
    put_text(v, (struct canvas_rect){x, r.y, room - money, r.h}, THEME_DEFAULT, w.text);
}

/* Rows that a timeline row takes: its text is wrapped, for it says what happened, but not in a
 * small terminal, where it would push out what happened before. */
static int row_height(const struct view *v, const struct timeline_row *row, int width)
{
    struct row_words w;
    int room = width - TIME_CELLS - 1, rows;

    words_of_row(v, row, false, &w);
    if (v->l.mode == LAYOUT_ONE || (width < WIDE_CELLS && row->kind == TIMELINE_STATE))
        return 1;
    if (width < WIDE_CELLS)
        room -= row->kind == TIMELINE_WARNING ? 2 : 0;
    else
        room -= 1 + STATE_CELLS + 2 + (has_money(&w) ? canvas_width_of(v->c, w.money) + 1 : 0);
    rows = canvas_wrapped_rows(v->c, w.text, room);
    return rows < 1 ? 1 : rows > ROW_ROWS_MAX ? ROW_ROWS_MAX : rows;
}

/* In a small terminal the row above says until when; the live line then has no need to. */
static void live_words(const struct view *v, const struct model_purchase *p, int width, char *out,
                       size_t size)
{
    char *last = NULL;

    model_live_words(v->m, p, out, size);
    if (v->l.mode != LAYOUT_ONE || !p->read_call || canvas_width_of(v->c, out) <= width)
        return;
    for (char *at = strstr(out, " · "); at; at = strstr(at + 1, " · "))
        last = at;
    if (last && model_deadline(p) == p->by_ms)
        *last = '\0';
}

static void draw_live(const struct view *v, const struct model_purchase *p, struct canvas_rect r)
{
    char words[VIEW_TEXT_MAX];
    int gap = r.w < WIDE_CELLS ? 1 : 2;
    unsigned style = THEME_DIM;
    struct canvas_rect area = {r.x + TIME_CELLS + gap, r.y, r.w - TIME_CELLS - gap, r.h};

    live_words(v, p, area.w, words, sizeof words);
    if (!words[0])
        return;
    if (p->trouble[0] || model_is_stale(v->m, p) || follow_stop_is_open(p->stop) ||
        p->stop == FOLLOW_NEEDS_SUPPORT)
        style = THEME_WARNING;
    else if (p->read_call)
        style = THEME_IN_MOTION;
    canvas_put(v->c, r.x, r.y, THEME_STRONG, "now");
    if (area.h > 1)
        canvas_put_wrapped(v->c, area, style, words, 0);
    else
        canvas_put_cut(v->c, area.x, area.y, area.w, style, words);
}

/* Rows that the live line takes: it is wrapped, because it says what is safe to believe. */
static int live_rows(const struct view *v, const struct model_purchase *p, int width)
{
    char words[VIEW_TEXT_MAX];
    int gap = width < WIDE_CELLS ? 1 : 2;

    live_words(v, p, width - TIME_CELLS - gap, words, sizeof words);
    return words[0] ? canvas_wrapped_rows(v->c, words, width - TIME_CELLS - gap) : 0;
}

/* The newest row that says where the purchase and its money stand. */
static int newest_standing(const struct model_purchase *p, bool state_only)
{
    int at = (int)p->row_count - 1;

    while (at > 0 && p->rows[at].kind != TIMELINE_STATE &&
           (state_only || p->rows[at].kind != TIMELINE_MONEY))
        at--;
    return at;
}

/* The first of the rows before end that fill page; *used is what they take. */
static int first_shown(const struct view *v, const struct model_purchase *p, int width, int end,
                       int page, int *used)
{
    int first;

    *used = 0;
    for (first = end; first > 0 && *used < page; first--) {
        int rows = row_height(v, &p->rows[first - 1], width);

        if (*used > 0 && *used + rows > page)
            break;
        *used += rows < page ? rows : page;
    }
    return first;
}

/* How many of the first rows fill page: no view ends before them. */
static int filling(const struct view *v, const struct model_purchase *p, int width, int page)
{
    int count = 0, used = 0;

    while (count < (int)p->row_count) {
        used += row_height(v, &p->rows[count], width);
        if (count > 0 && used > page)
            break;
        count++;
    }
    return count;
}

/* At its end a timeline keeps the row with state and money, whatever was added behind it. */
static int draw_kept(const struct view *v, const struct model_purchase *p, struct canvas_rect area,
                     int page, int *first, int *used)
{
    int kept = newest_standing(p, false), rows;

    if (v->m->timeline_back > 0 || kept < 0 || kept >= *first)
        return 0;
    rows = row_height(v, &p->rows[kept], area.w);
    if (rows >= page)
        return 0;
    *first = first_shown(v, p, area.w, (int)p->row_count, page - rows, used);
    draw_row(v, &p->rows[kept], kept == newest_standing(p, true),
             (struct canvas_rect){area.x, area.y, area.w, rows});
    return rows;
}

void pane_timeline_draw(const struct view *v, const struct model_purchase *p,
                        struct canvas_rect area, bool focused)
{
    int live = live_rows(v, p, area.w);
    int count = (int)p->row_count, page, end, first, used, y;

    if (area.h <= 0)
        return;
    live = live > area.h ? area.h : live;
    page = area.h - live;
    end = count - (int)v->m->timeline_back;
    if (v->m->timeline_back > 0 && end < (first = filling(v, p, area.w, page)))
        end = first;
    first = first_shown(v, p, area.w, end, page, &used);
    y = draw_kept(v, p, area, page, &first, &used);
    used += y;
    for (int i = first; i < end; i++) {
        int rows = row_height(v, &p->rows[i], area.w);

        rows = y + rows > used ? used - y : rows;
        draw_row(v, &p->rows[i], i == newest_standing(p, true),
                 (struct canvas_rect){area.x, area.y + y, area.w, rows});
        y += rows;
    }
    draw_live(v, p, (struct canvas_rect){area.x, area.y + y, area.w, live});
    if (page > 0 && (first > 0 || p->rows_dropped > 0))
        canvas_put_glyph(v->c, area.x - 1, area.y, THEME_DIM, CANVAS_GLYPH_MORE);
    if (end < count)
        canvas_put_glyph(v->c, area.x - 1, area.y + y - 1, THEME_DIM, CANVAS_GLYPH_MORE);
    if (focused)
        canvas_cursor(v->c, area.x, area.y + y - (live > 0 ? 0 : 1), false);
}
