/* SPDX-License-Identifier: Apache-2.0 */
/* A write whose reply was lost: what was sent, what is tried now, and what is safe meanwhile.
 * Invariant: it never reads as done, failed or sent again. */
#include "ui/pane.h"

#include <stdio.h>
#include "core/str.h"
#include "ui/widget_text.h"

static void unknown_title(const struct view *v, const struct model_purchase *p, char *left,
                          size_t left_size, char *right, size_t right_size)
{
    (void)v;
    (void)p;
    (void)right;
    (void)right_size;
    (void)str_copy(left, left_size, "! Outcome not known");
}

static const struct model_write *lost_write(const struct model_purchase *p, int *kind)
{
    for (int i = 0; i < MODEL_WRITE_KIND_COUNT; i++) {
        if (p->writes[i].state == MODEL_WRITE_UNKNOWN) {
            *kind = i;
            return &p->writes[i];
        }
    }
    return NULL;
}

static void sent_words(const struct model_write *w, int kind, char *out, size_t size)
{
    const char *failure =
        w->failure >= 0 ? contract_row(CONTRACT_KIND_FAILURE, w->failure)->words : NULL;
    const char *step = w->step >= 0 ? contract_row(CONTRACT_KIND_STEP, w->step)->words : "a step";

    switch (kind) {
    case MODEL_WRITE_ANSWER:
        (void)str_copy(out, size, "You sent an answer");
        break;
    case MODEL_WRITE_FEEDBACK:
        (void)str_copy(out, size, "You sent feedback");
        break;
    case MODEL_WRITE_VAULT:
        (void)str_copy(out, size, "You asked to save the card in the vault");
        break;
    case MODEL_WRITE_REPORT:
        if (w->outcome == CONTRACT_OUTCOME_PAID)
            (void)str_copy(out, size, "You reported \"paid\"");
        else
            snprintf(out, size, "You reported \"failed%s%s\"", failure ? ": " : "",
                     failure ? failure : "");
        break;
    case MODEL_WRITE_STEP:
        snprintf(out, size, "You ticked \"%s\"", step);
        break;
    default:
        (void)str_copy(out, size, "You asked to cancel");
        break;
    }
}

static int unknown_rows(const struct view *v, const struct model_purchase *p, int width)
{
    (void)v;
    (void)p;
    return width < 70 ? 11 : 8;
}

static void unknown_draw(const struct view *v, const struct model_purchase *p,
                         struct canvas_rect area, bool focused)
{
    char text[VIEW_TEXT_MAX], at[64];
    const struct model_write *w;
    int kind = 0;

    w = lost_write(p, &kind);
    if (!w)
        return;
    if (focused)
        canvas_cursor(v->c, area.x, area.y, false);
    sent_words(w, kind, text, sizeof text);
    view_time(v, w->sent_at_ms, at, sizeof at);
    view_add(text, sizeof text,
             " at %s. The reply was lost. Envoy may have it. Nothing was sent a second time.", at);
    view_take_text(v, &area, THEME_STRONG, text);
    layout_take_rows(&area, area.h > 6 ? 1 : 0);
    model_live_words(v->m, p, text, sizeof text);
    layout_take_rows(&area, widget_text_draw_fact(v->c, area, 9, "Now", THEME_DEFAULT,
                                                  text[0] ? text : "waiting to read it"));
    layout_take_rows(&area, widget_text_draw_fact(v->c, area, 9, "Safe", THEME_DEFAULT,
                                                  "waiting. Not safe: paying again, starting this "
                                                  "purchase again."));
    if (w->text[0])
        layout_take_rows(&area,
                         widget_text_draw_fact(v->c, area, 9, "Why", THEME_DEFAULT, w->text));
    layout_take_rows(&area, area.h > 1 ? 1 : 0);
    snprintf(text, sizeof text, "For support: %s", w->support[0] ? w->support : p->id);
    if (view_key(v, "copy")[0])
        view_add(text, sizeof text, " · %s copies it", view_key(v, "copy"));
    view_take_text(v, &area, THEME_DIM, text);
}

const struct pane pane_unknown = {unknown_title, unknown_rows, unknown_draw};
