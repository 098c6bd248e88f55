/* SPDX-License-Identifier: Apache-2.0 */
/* What is about to be sent, to whom, before it is: nothing leaves without this. Invariant: the
 * words are shown as they will be sent, and those that do not fit are scrolled to, never cut. */
#include "ui/dialog.h"

#include <stdio.h>
#include <string.h>
#include "core/str.h"
#include "ui/widget_text.h"

#define LABEL_CELLS 10
#define WORDS_ROWS  7 /* what a long question leaves for the words, their fate and the keys */
#define LEAST_ROWS  4 /* what a question may leave at least, so that nothing scrolls */
#define CODE_MASK   "••••••" /* always the same, whatever was typed */

static bool is_feedback(const struct view *v, const struct model_purchase *p)
{
    return p->snap && strcmp(v->m->form.question, p->snap->follow_up.id) == 0;
}

static bool is_code(const struct view *v, const struct model_purchase *p)
{
    return p->snap && p->snap->question.open &&
           strcmp(v->m->form.question, p->snap->question.id) == 0 &&
           p->snap->question.kind.value == CONTRACT_QUESTION_OTP;
}

static const char *prompt_of(const struct view *v, const struct model_purchase *p)
{
    if (is_feedback(v, p))
        return p->snap->follow_up.prompt;
    if (p->snap && p->snap->question.open && strcmp(v->m->form.question, p->snap->question.id) == 0)
        return p->snap->question.prompt;
    return NULL;
}

/* The words as they will be sent; a code's place is taken by a mask. */
static const char *words_of(const struct view *v, const struct model_purchase *p)
{
    const struct model_draft *draft = model_draft_view(p, v->m->form.question);

    if (is_code(v, p))
        return CODE_MASK;
    return draft && edit_text(&draft->edit)[0] ? edit_text(&draft->edit) : "";
}

static const char *fate_words(const struct view *v, const struct model_purchase *p)
{
    if (is_code(v, p))
        return "Sent once and wiped at once. It is never sent again, also when the reply is lost.";
    if (is_feedback(v, p))
        return "Optional. Sent once. It changes nothing about the purchase.";
    return "Sent once. It cannot be taken back. Nothing is paid by this step itself.";
}

/* The question that the words answer. One that does not fit is scrolled through before the words
 * are: what is left of *top is theirs. Returns whether it did not fit. */
static bool draw_long_prompt(const struct view *v, const char *label, const char *prompt,
                             struct canvas_rect *area, int *top)
{
    struct canvas_rect part;
    int room = area->h > WORDS_ROWS + 1 ? area->h - WORDS_ROWS : 1;
    int at = *top;

    if (canvas_wrapped_rows(v->c, prompt, area->w - LABEL_CELLS - 2) <= area->h - LEAST_ROWS)
        return false;
    part = layout_take_rows(area, room);
    canvas_put_cut(v->c, part.x, part.y, LABEL_CELLS, THEME_DIM, label);
    part.x += LABEL_CELLS;
    part.w -= LABEL_CELLS;
    widget_text_draw(v->c, part, THEME_DEFAULT, prompt, &at);
    *top -= at;
    return true;
}

/* Everything above the words: to whom, and what it answers. Returns whether it has to be scrolled.
 */
static bool draw_facts(const struct view *v, const struct model_purchase *p,
                       struct canvas_rect *area, int *top)
{
    const char *label = is_feedback(v, p) ? "About" : "Answers";
    bool is_long;
    char text[VIEW_TEXT_MAX * 2], amount[160], name[VIEW_TEXT_MAX];
    const char *prompt = prompt_of(v, p);
    const struct model_draft *draft = model_draft_view(p, v->m->form.question);

    view_purchase_name(p, name, sizeof name);
    model_amount(v->m, view_purchase_amount(p), amount, sizeof amount);
    snprintf(text, sizeof text, "Envoy, for %s · %s", name, amount);
    layout_take_rows(area,
                     widget_text_draw_fact(v->c, *area, LABEL_CELLS, "To", THEME_DEFAULT, text));
    is_long = prompt && draw_long_prompt(v, label, prompt, area, top);
    if (prompt)
        snprintf(text, sizeof text, "\"%s\"", prompt);
    else
        (void)str_copy(text, sizeof text,
                       "! a question that is no longer open. Nothing will be sent.");
    if (!is_long)
        layout_take_rows(area, widget_text_draw_fact(v->c, *area, LABEL_CELLS, label,
                                                     prompt ? THEME_DEFAULT : THEME_WARNING, text));
    if (is_feedback(v, p) && draft) {
        if (draft->rating > 0)
            snprintf(text, sizeof text, "%d of 5", draft->rating);
        else
            (void)str_copy(text, sizeof text, "none");
        layout_take_rows(
            area, widget_text_draw_fact(v->c, *area, LABEL_CELLS, "Rating", THEME_DEFAULT, text));
    }
    return is_long;
}

static int review_rows(const struct view *v, int width)
{
    const struct model_purchase *p = dialog_purchase(v);
    const char *prompt = p ? prompt_of(v, p) : NULL;

    if (!p)
        return 4;
    return 2 + canvas_wrapped_rows(v->c, prompt ? prompt : "", width - LABEL_CELLS - 3) +
           (is_feedback(v, p) ? 1 : 0) + 4 + canvas_wrapped_rows(v->c, words_of(v, p), width - 4) +
           canvas_wrapped_rows(v->c, fate_words(v, p), width) + 3;
}

static void review_draw(const struct view *v, struct canvas_rect area)
{
    const struct model_purchase *p = dialog_purchase(v);
    struct dialog_key keys[] = {{"Ctrl-S", "send"}, {"Esc", "back to editing"}, {"", "scroll"}};
    const char *fate, *words;
    int rows, top = v->m->form.choice;
    bool is_long;

    if (!p) {
        canvas_put_wrapped(v->c, area, THEME_WARNING,
                           "This purchase is no longer listed. Nothing will be sent.", 0);
        return;
    }
    words = words_of(v, p);
    fate = fate_words(v, p);
    is_long = draw_facts(v, p, &area, &top);
    layout_take_rows(&area, area.h > 8 ? 1 : 0);
    canvas_put(v->c, area.x, layout_take_rows(&area, 1).y, THEME_DIM, "Your words, exactly:");
    rows = canvas_wrapped_rows(v->c, words, area.w - 4);
    if (is_long || rows + 4 > area.h)
        keys[2].key = "Up Down";
    dialog_draw_keys(v, &area, keys, 3);
    dialog_draw_problem(v, &area);
    rows = canvas_wrapped_rows(v->c, fate, area.w);
    if (area.h > rows + 1) {
        area.h -= rows;
        canvas_put_wrapped(v->c, (struct canvas_rect){area.x, area.y + area.h, area.w, rows},
                           THEME_STRONG, fate, 0);
        area.h -= area.h > 2 ? 1 : 0;
    }
    area.x += 2;
    area.w -= 4;
    if (words[0])
        widget_text_draw(v->c, area, is_code(v, p) ? THEME_MASK : THEME_INPUT, words, &top);
    else
        canvas_put(v->c, area.x, area.y, THEME_DIM, "(no words)");
}

const struct dialog dialog_review = {"Review before sending", 76, 18, review_rows, review_draw};
