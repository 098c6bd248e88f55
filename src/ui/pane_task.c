/* SPDX-License-Identifier: Apache-2.0 */
/* What the account's owner has to do: the message word for word, by when, and for a payment link
 * what is paid, what it is worth and the link in one piece. Invariant: a link is never shortened.
 */
#include "ui/pane.h"

#include <stdio.h>
#include <string.h>
#include "core/clock.h"
#include "core/str.h"

static bool is_link(const struct model_purchase *p)
{
    return p->snap && p->snap->funding.present &&
           p->snap->user_task.value == CONTRACT_TASK_PAY_LINK;
}

static void task_title(const struct view *v, const struct model_purchase *p, char *left,
                       size_t left_size, char *right, size_t right_size)
{
    int64_t by = model_deadline(p);

    (void)str_copy(left, left_size, "Your task");
    if (v->l.mode == LAYOUT_ONE && by != CLOCK_NONE)
        return; /* the row above says it */
    view_until(v, by, model_is_stale(v->m, p), right, right_size);
}

static const char *message_of(const struct model_purchase *p)
{
    if (p->action.present && p->action.message && p->action.message[0])
        return p->action.message;
    return p->snap && p->snap->status_text ? p->snap->status_text : "";
}

static void place_words(const struct view *v, const struct model_purchase *p, char *out,
                        size_t size)
{
    const struct contract_account *a = v->m->account;
    char name[VIEW_TEXT_MAX];

    if (p->snap->user_task.value == CONTRACT_TASK_RESOLVE_ACTIVE_PURCHASE) {
        const struct model_purchase *other =
            a && a->active_purchase ? model_find_view(v->m, a->active_purchase->purchase_id) : NULL;

        if (other && other != p) {
            view_purchase_name(other, name, sizeof name);
            (void)str_copy(out, size, "The other purchase is in this list: ");
            view_add(out, size, "%s", name);
        } else {
            (void)str_copy(out, size, "The other purchase is in the Envoy app.");
        }
    } else if (p->snap->user_task.value == CONTRACT_UNRECOGNISED) {
        snprintf(out, size, "unrecognised: %s. This version does not know the task.",
                 p->snap->user_task.raw);
    } else {
        (void)str_copy(out, size,
                       "This is done in the Envoy app on the owner's phone; there is no "
                       "link to open.");
    }
}

static int task_rows(const struct view *v, const struct model_purchase *p, int width)
{
    int rows = canvas_wrapped_rows(v->c, message_of(p), width);

    if (is_link(p))
        return rows + (v->l.mode == LAYOUT_ONE ? 3 : 5) +
               canvas_width_of(v->c, p->snap->funding.url) / (width > 0 ? width : 1);
    return rows + 3;
}

static void draw_link(const struct view *v, const struct model_purchase *p, struct canvas_rect area)
{
    static const struct view_key_word keys[] = {
        {"qr", NULL}, {"open-link", NULL}, {"copy", "copy link"}};
    char pay[128], worth[128], text[VIEW_TEXT_MAX];

    if (v->l.mode != LAYOUT_ONE) {
        model_amount(v->m, &p->snap->funding.amount, pay, sizeof pay);
        model_amount(v->m, &p->snap->amount, worth, sizeof worth);
        snprintf(text, sizeof text, "To pay %s · gift card worth %s", pay, worth);
        if (area.h > 3)
            layout_take_rows(&area, 1);
        view_take_text(v, &area, THEME_STRONG, text);
    }
    view_take_text(v, &area, THEME_LINK, p->snap->funding.url ? p->snap->funding.url : "no link");
    if (area.h > 1)
        layout_take_rows(&area, 1);
    view_take_keys(v, &area, keys, sizeof keys / sizeof keys[0]);
}

static void task_draw(const struct view *v, const struct model_purchase *p, struct canvas_rect area,
                      bool focused)
{
    char text[VIEW_TEXT_MAX];

    if (!p->snap)
        return;
    if (focused)
        canvas_cursor(v->c, area.x, area.y, false);
    view_take_text(v, &area, THEME_STRONG, message_of(p));
    if (is_link(p)) {
        draw_link(v, p, area);
        return;
    }
    if (area.h > 1)
        layout_take_rows(&area, 1);
    place_words(v, p, text, sizeof text);
    view_take_text(v, &area, THEME_DIM, text);
}

const struct pane pane_task = {task_title, task_rows, task_draw};
