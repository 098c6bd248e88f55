/* SPDX-License-Identifier: Apache-2.0 */
/* An open question: the prompt word for word, and the answer as it is being written. Must not know
 * the characters of a code: it gets their count. Invariant: a password is never asked for. */
#include "ui/pane.h"

#include <stdio.h>
#include <string.h>
#include "core/str.h"
#include "ui/widget_editor.h"
#include "ui/widget_secret.h"

#define EDITOR_ROWS 4
#define PROMPT_GAP  1
#define ANSWER_ROWS 3 /* what a long prompt leaves for the answer: a row of it and the footnote */

static void question_title(const struct view *v, const struct model_purchase *p, char *left,
                           size_t left_size, char *right, size_t right_size)
{
    const struct contract_question *q = model_open_question(p);
    char kind[96], at[64];

    (void)str_copy(left, left_size, "Question");
    if (!q)
        return;
    view_time(v, q->asked_at_ms, at, sizeof at);
    snprintf(right, right_size, "%s · asked %s",
             contract_words(CONTRACT_KIND_QUESTION, &q->kind, kind, sizeof kind, "kind unknown"),
             at);
}

static int question_rows(const struct view *v, const struct model_purchase *p, int width)
{
    const struct contract_question *q = model_open_question(p);

    if (q && v->m->editing && v->l.mode == LAYOUT_ONE)
        return v->l.height; /* as much as there is: what is being written matters most */
    return q ? canvas_wrapped_rows(v->c, q->prompt, width) + PROMPT_GAP + EDITOR_ROWS + 2 : 1;
}

static bool is_secret(const struct contract_question *q)
{
    return q->kind.value == CONTRACT_QUESTION_OTP;
}

/* Why nothing can be sent now, or what sending means. */
static void footnote(const struct view *v, const struct model_purchase *p,
                     const struct contract_question *q, bool brief, char *out, size_t size)
{
    struct policy_facts facts;
    enum policy_reason reason;

    model_policy_facts(v->m, p, &facts);
    reason = policy_check(POLICY_ANSWER, &facts);
    if (reason != POLICY_ALLOWED)
        (void)str_copy(out, size, model_refusal_words(v->m, reason));
    else if (is_secret(q))
        (void)str_copy(out, size,
                       brief ? "Sent once, after you review it; then wiped."
                             : "Sent once, then wiped. Never kept, never sent again.");
    else
        (void)str_copy(out, size,
                       brief ? "Sent once, after you review it."
                             : "Sent as you write it, once. Nothing is sent before you review it.");
}

static void draw_footnote(const struct view *v, const struct model_purchase *p,
                          const struct contract_question *q, const struct model_draft *draft,
                          struct canvas_rect *area)
{
    char note[VIEW_TEXT_MAX], count[64] = "", write[VIEW_TEXT_MAX];
    const struct model_write *w = &p->writes[MODEL_WRITE_ANSWER];
    struct canvas_rect last;
    int rows;

    footnote(v, p, q, false, note, sizeof note);
    if (draft && !is_secret(q))
        widget_editor_count(&draft->edit, count, sizeof count);
    else if (is_secret(q))
        snprintf(count, sizeof count, "%zu typed", p->secret_chars);
    if (canvas_width_of(v->c, note) + canvas_width_of(v->c, count) + 2 > area->w)
        footnote(v, p, q, true, note, sizeof note);
    rows = canvas_width_of(v->c, note) + canvas_width_of(v->c, count) + 2 > area->w ? 2 : 1;
    if (area->h <= rows)
        return;
    last = (struct canvas_rect){area->x, area->y + area->h - rows, area->w, rows};
    area->h -= rows + (area->h > rows + 3 ? 1 : 0);
    if (rows == 1) {
        canvas_put_pair(v->c, last.x, last.y, last.w, THEME_DIM, note, THEME_DIM, count);
    } else {
        canvas_put_wrapped(v->c, last, THEME_DIM, note, 0);
        canvas_put_right(v->c, last.x, last.y + 1, last.w, THEME_DIM, count);
    }
    /* what became of an earlier answer would be read as this one's */
    if (w->state != MODEL_WRITE_NONE && strcmp(w->question, q->id) == 0 &&
        view_write_words(v, w, write, sizeof write)) {
        rows = canvas_wrapped_rows(v->c, write, area->w);
        if (area->h > rows) {
            area->h -= rows;
            canvas_put_wrapped(v->c,
                               (struct canvas_rect){area->x, area->y + area->h, area->w, rows},
                               w->state == MODEL_WRITE_REFUSED ? THEME_ERROR : THEME_DIM, write, 0);
        }
    }
}

static void draw_password(const struct view *v, struct canvas_rect area)
{
    char text[VIEW_TEXT_MAX];
    const char *key = view_key(v, "cancel");

    (void)str_copy(text, sizeof text,
                   "! A password is never typed here and never sent. Envoy cannot go on without "
                   "it.");
    if (key[0])
        view_add(text, sizeof text, " %s asks Envoy to cancel this purchase.", key);
    canvas_put_wrapped(v->c, area, THEME_WARNING, text, 0);
}

/* Words that were written for a question that is no longer open stay readable (case H6). */
static void draw_kept(const struct view *v, const struct model_purchase *p,
                      struct canvas_rect *area)
{
    for (int i = 0; i < MODEL_DRAFTS_MAX; i++) {
        const struct model_draft *d = &p->drafts[i];
        char text[VIEW_TEXT_MAX];

        if (!d->closed || edit_is_empty(&d->edit) || area->h < 4)
            continue;
        snprintf(text, sizeof text,
                 "~ Kept from a question that is no longer open, not sent: \"%s\"",
                 edit_text(&d->edit));
        view_take_text(v, area, THEME_STALE, text);
        return;
    }
}

/* A prompt that is too long for the pane must not hide what is being written. The rest of it is one
 * key away, and the review shows it whole. */
static void take_prompt(const struct view *v, const struct contract_question *q, bool editing,
                        struct canvas_rect *area)
{
    int rows = canvas_wrapped_rows(v->c, q->prompt, area->w);
    int room = area->h - ANSWER_ROWS - 1;
    struct canvas_rect part;
    char text[VIEW_TEXT_MAX];

    if (rows <= room + 1 || room < 1) {
        view_take_text(v, area, THEME_STRONG, q->prompt);
        return;
    }
    part = layout_take_rows(area, room);
    canvas_put_wrapped(v->c, part, THEME_STRONG, q->prompt, 0);
    part = layout_take_rows(area, 1);
    snprintf(text, sizeof text, "%d more rows of the question: the review shows them all%s",
             rows - room, editing ? "" : " before you send");
    canvas_put_cut(v->c, part.x, part.y, part.w, THEME_WARNING, text);
}

static void question_draw(const struct view *v, const struct model_purchase *p,
                          struct canvas_rect area, bool focused)
{
    const struct contract_question *q = model_open_question(p);
    const struct model_draft *draft;
    bool editing = focused && v->m->editing;
    const char *hint = editing ? "" : "No answer written yet. Enter starts writing.";

    if (!q)
        return;
    draft = model_draft_view(p, q->id);
    if (focused)
        canvas_cursor(v->c, area.x, area.y, false);
    take_prompt(v, q, editing, &area);
    if (area.h > ANSWER_ROWS)
        layout_take_rows(&area, PROMPT_GAP);
    if (q->kind.value == CONTRACT_QUESTION_PASSWORD) {
        draw_password(v, area);
        return;
    }
    draw_kept(v, p, &area);
    draw_footnote(v, p, q, draft, &area);
    if (v->m->set.read_only || v->m->journal_read_only)
        hint = "Read-only: nothing can be written here.";
    else if (v->m->journal_off)
        hint = "No journal: nothing can be sent from here.";
    if (is_secret(q) && (editing || p->secret_chars > 0))
        widget_secret_draw_input(v->c, layout_take_rows(&area, 1), p->secret_chars, editing);
    else if (draft && !is_secret(q))
        widget_editor_draw(v->c, area, &draft->edit, editing, hint);
    else
        canvas_put_cut(v->c, area.x, area.y, area.w, THEME_INPUT_MARK, hint);
    if (editing && !draft && !is_secret(q))
        canvas_cursor(v->c, area.x, area.y, true);
}

const struct pane pane_question = {question_title, question_rows, question_draw};
