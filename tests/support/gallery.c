/* SPDX-License-Identifier: Apache-2.0 */
/* Draws widgets with texts that are awkward on purpose: wide, joined, marked, hidden, too long. */
#include <stdio.h>
#include "support/gallery.h"
#include "ui/layout.h"
#include "ui/qr.h"
#include "ui/widget_editor.h"
#include "ui/widget_keys.h"
#include "ui/widget_list.h"
#include "ui/widget_secret.h"
#include "ui/widget_table.h"
#include "ui/widget_text.h"
#include "ui/widget_track.h"

static const struct item {
    enum canvas_glyph glyph;
    const char *name, *amount, *words, *since;
} items[] = {
    {CANVAS_GLYPH_ANSWER, "Example Store", "₹2,499.00", "needs your answer", "12 s"},
    {CANVAS_GLYPH_MOTION, "世蓮書店オンライン", "₹899.00", "processing", "40 s"},
    {CANVAS_GLYPH_OWNER, "किराना भंडार", "₹1,200.00", "pay the link", "until 14:20"},
    {CANVAS_GLYPH_WELL,
     "☕ Cafe\xCC\x81 👨‍👩‍👧‍👦 with a name that is far too long", "₹450.00",
     "complete · charged", "1 h"},
    {CANVAS_GLYPH_ILL, "A\xE2\x80\xAE\x1b]0;x\a", "₹3,999.00", "declined · not charged", "2 h"},
    {CANVAS_GLYPH_UNKNOWN, "Tool Shed", "₹1,00,000.00", "not confirmed", "3 h"},
    {CANVAS_GLYPH_STALE, "Corner Books", "₹99.00", "not read for 2 min", "4 h"},
};
#define ITEM_COUNT ((int)(sizeof(items) / sizeof(items[0])))

void gallery_init(struct gallery *g)
{
    *g = (struct gallery){.selected = 0, .status = "ready"};
    edit_init(&g->edit, 800, false);
}

void gallery_fini(struct gallery *g)
{
    edit_fini(&g->edit);
}

static void draw_item(void *ctx, struct canvas *c, struct canvas_rect area, int index,
                      bool selected)
{
    (void)ctx;
    const struct item *item = &items[index];
    unsigned name = selected ? THEME_SELECTED : THEME_DEFAULT;
    canvas_put_glyph(c, area.x, area.y, canvas_glyph_role(item->glyph), item->glyph);
    canvas_put_pair(c, area.x + 2, area.y, area.w - 3, name, item->name, THEME_AMOUNT,
                    item->amount);
    canvas_put_pair(c, area.x + 2, area.y + 1, area.w - 3, THEME_DIM, item->words, THEME_DIM,
                    item->since);
}

static void draw_table(struct canvas *c, struct canvas_rect area)
{
    static const char *const rows[][4] = {
        {"14:00:00", "waiting for you", "Approve this purchase in the Envoy app.", "not charged"},
        {"14:00:48", "processing", "Envoy is preparing the payment.", "money set aside"},
    };
    static const unsigned styles[] = {THEME_DIM, THEME_DEFAULT, THEME_DIM, THEME_DEFAULT};
    struct widget_table t = {
        .columns = {{"when", 8, 8, 0, false},
                    {"state", 15, 18, 0, false},
                    {"words", 12, 0, 1, false},
                    {"money", 15, 15, 0, false}},
        .count = 4,
        .gap = 2,
    };
    widget_table_fit(&t, area.w);
    widget_table_draw_titles(c, area.x, area.y, &t);
    for (int i = 0; i < 2 && i + 1 < area.h; i++)
        widget_table_draw_row(c, area.x, area.y + 1 + i, &t, rows[i], styles);
}

static void draw_detail(struct gallery *g, struct canvas *c, const struct layout *l)
{
    static const struct widget_track_step steps[] = {
        {"approved", CANVAS_GLYPH_WELL},   {"prepared", CANVAS_GLYPH_WELL},
        {"question", CANVAS_GLYPH_ANSWER}, {"ready", CANVAS_GLYPH_AHEAD},
        {"confirmed", CANVAS_GLYPH_AHEAD}, {"done", CANVAS_GLYPH_AHEAD},
    };
    char count[48];
    struct canvas_rect head = layout_inset(l->head, 2);
    canvas_rule(c, l->detail_rule.x, l->detail_rule.y, l->detail_rule.w, THEME_TITLE,
                "Headphones, black · Example Store", THEME_AMOUNT, "₹2,499.00");
    widget_track_draw(c, head.x, head.y, head.w, steps, 6);
    canvas_put_cut(c, head.x, head.y + 1, head.w, THEME_DEFAULT,
                   "You check out, with a one-time card. Nothing is charged yet.");
    draw_table(c, layout_inset(l->timeline, 2));
    canvas_rule(c, l->pane_rule.x, l->pane_rule.y, l->pane_rule.w, THEME_TITLE_FOCUS, "Question",
                THEME_DIM, "text · asked 14:01:02");
    struct canvas_rect pane = layout_inset(l->pane, 2);
    struct canvas_rect prompt = layout_take_rows(&pane, 2);
    canvas_put_wrapped(c, prompt, THEME_DEFAULT,
                       "The black model is out of stock. Take the blue one at the same price?", 0);
    canvas_put(c, pane.x, pane.y, THEME_DIM, "code");
    for (int i = 0; i < 19; i++)
        canvas_put_glyph(c, pane.x + 6 + i, pane.y, THEME_MASK,
                         i % 5 == 4 ? CANVAS_GLYPH_NONE : CANVAS_GLYPH_MASK);
    canvas_secret_slot(c, (struct canvas_rect){pane.x + 6, pane.y, 19, 1}, GALLERY_FIELD);
    widget_editor_count(&g->edit, count, sizeof(count));
    canvas_put_right(c, pane.x, pane.y, pane.w, THEME_DIM, count);
    layout_take_rows(&pane, 1);
    widget_editor_draw(c, pane, &g->edit, true, "write here");
}

static void draw_dialog(const struct gallery *g, struct canvas *c, const struct layout *l)
{
    struct canvas_rect inner;
    if (g->dialog == 1) {
        inner = widget_text_dialog(c, layout_dialog(l, 76, 10), "Review before sending");
        int rows =
            widget_text_draw_fact(c, inner, 10, "To", THEME_DEFAULT,
                                  "Envoy, for Headphones, black · Example Store · ₹2,499.00");
        inner.y += rows;
        inner.h -= rows;
        widget_text_draw_fact(c, inner, 10, "Answers", THEME_DEFAULT,
                              "\"The black model is out of stock. Take the blue one at the same "
                              "price, or stop?\"");
        canvas_cursor(c, inner.x, inner.y, false);
        return;
    }
    const char *link = "https://pay.example.test/l/7Q2K9";
    inner = widget_text_dialog(c, l->body, "Scan to pay");
    if (qr_draw(c, inner, link) != ERR_OK)
        canvas_put_wrapped(c, inner, THEME_LINK, link, 0);
    canvas_cursor(c, inner.x, inner.y, false);
}

static void draw_small(struct canvas *c, const struct layout *l)
{
    char text[96];
    snprintf(text, sizeof(text), "%d by %d is too small: %d by %d is needed.", l->width, l->height,
             LAYOUT_MIN_WIDTH, LAYOUT_MIN_HEIGHT);
    canvas_put_wrapped(c, l->header, THEME_WARNING, text, 0);
    canvas_cursor(c, 0, 0, false);
}

void gallery_draw(struct canvas *c, void *gallery)
{
    static const struct widget_key keys[] = {
        {"Tab", "pane"},          {"Enter", "write"},  {"Ctrl-S", "review and send"},
        {"x", "cancel purchase"}, {"g", "look again"}, {"y", "copy reference"},
        {":", "commands"},        {"r", "reveal"},     {"?", "help"},
    };
    struct gallery *g = gallery;
    struct layout l;
    layout_compute(&l, canvas_width(c), canvas_height(c), 7);
    if (l.mode == LAYOUT_TOO_SMALL) {
        draw_small(c, &l);
        return;
    }
    canvas_put(c, 1, 0, THEME_DEMO_BADGE, "DEMO");
    canvas_put_pair(c, 6, 0, l.width - 7, THEME_DEFAULT, "Asha Rao · Kirana Console", THEME_DIM,
                    "live, 2 s ago  14:02 IST");
    layout_draw_frame(&l, c, true);
    struct widget_list list = {.count = ITEM_COUNT,
                               .item_rows = 2,
                               .selected = g->selected,
                               .top = 0,
                               .focused = true,
                               .row = draw_item};
    canvas_rule(c, l.list_rule.x, l.list_rule.y, l.list_rule.w, THEME_TITLE_FOCUS, "Purchases",
                THEME_DIM, NULL);
    widget_list_draw(c, l.list, &list);
    if (l.mode != LAYOUT_ONE)
        draw_detail(g, c, &l);
    canvas_rule(c, l.footer_rule.x, l.footer_rule.y, l.footer_rule.w, THEME_DIM, NULL, THEME_NEWS,
                g->status);
    if (g->dialog)
        draw_dialog(g, c, &l);
    widget_keys_draw(c, l.footer, keys, (int)(sizeof(keys) / sizeof(keys[0])));
}
