/* SPDX-License-Identifier: Apache-2.0 */
/* Cancelling a purchase and quitting: what would happen, and No as the choice that is there. */
#include "ui/dialog.h"

#include <stdio.h>
#include <string.h>
#include "core/str.h"
#include "ui/widget_text.h"

static void draw_no_yes(const struct view *v, struct canvas_rect area, const char *yes)
{
    bool chosen = v->m->form.choice == 1;
    char text[96];
    int x = area.x;

    x += canvas_put(v->c, x, area.y, chosen ? THEME_DEFAULT : THEME_STRONG,
                    chosen ? "  No " : "[ No ]");
    x += 3;
    snprintf(text, sizeof text, chosen ? "[ %s ]" : "  %s  ", yes);
    canvas_put(v->c, x, area.y, chosen ? THEME_STRONG : THEME_DEFAULT, text);
    canvas_cursor(v->c, chosen ? x : area.x, area.y, false);
}

static void cancel_draw(const struct view *v, struct canvas_rect area)
{
    static const struct dialog_key keys[] = {{"y", "yes, ask to cancel"}, {"Esc", "no, go back"}};
    const struct model_purchase *p = dialog_purchase(v);

    dialog_draw_keys(v, &area, keys, 2);
    dialog_draw_problem(v, &area);
    dialog_name_purchase(v, p, &area);
    view_take_text(v, &area, THEME_DEFAULT,
                   "Envoy is asked to cancel this purchase. A cancel is no refund, and no proof "
                   "that a card is blocked; money that has moved is settled by Envoy.");
    layout_take_rows(&area, area.h > 1 ? 1 : 0);
    draw_no_yes(v, layout_take_rows(&area, 1), "Yes (y)");
}

static void quit_draw(const struct view *v, struct canvas_rect area)
{
    static const struct dialog_key keys[] = {{"y", "yes, quit"}, {"Esc", "no, stay"}};
    const struct model *m = v->m;
    bool start_sent = m->start.state == START_SENT || m->start.state == START_UNKNOWN;
    size_t lost = start_sent ? 1 : 0;
    char text[VIEW_TEXT_MAX];

    dialog_draw_keys(v, &area, keys, 2);
    for (size_t i = 0; i < m->purchase_count; i++) {
        for (int k = 0; k < MODEL_WRITE_KIND_COUNT; k++) {
            enum model_write_state state = m->purchases[i].writes[k].state;

            lost += state == MODEL_WRITE_SENT || state == MODEL_WRITE_UNKNOWN ? 1 : 0;
        }
    }
    if (model_has_drafts(m) || (start_holds_work(&m->start) && !start_sent))
        view_take_text(v, &area, THEME_STRONG,
                       "Words you have written would be lost: they are never put on disk.");
    if (lost > 0) {
        snprintf(text, sizeof text,
                 "%zu thing%s you sent %s no outcome yet. Quitting sends nothing again and takes "
                 "nothing back.",
                 lost, lost == 1 ? "" : "s", lost == 1 ? "has" : "have");
        view_take_text(v, &area, THEME_STRONG, text);
    }
    if (area.h > 2)
        layout_take_rows(&area, 1);
    view_take_text(v, &area, THEME_DEFAULT,
                   "Purchases go on without this console; the owner can act in the Envoy app.");
    layout_take_rows(&area, area.h > 1 ? 1 : 0);
    draw_no_yes(v, layout_take_rows(&area, 1), "Yes (y)");
}

const struct dialog dialog_cancel = {"Cancel this purchase?", 72, 13, NULL, cancel_draw};
const struct dialog dialog_quit = {"Quit?", 72, 13, NULL, quit_draw};
