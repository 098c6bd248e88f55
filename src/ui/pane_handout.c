/* SPDX-License-Identifier: Apache-2.0 */
/* The one-time card or gift card of a ready purchase, always masked here: a revealed field is
 * written by the terminal into a slot and never passes through this file. Invariant: no cell ever
 * depends on a secret, not even on its length. */
#include "ui/pane.h"

#include <stdio.h>
#include <string.h>
#include "core/clock.h"
#include "core/str.h"
#include "ui/widget_secret.h"

#define COMPACT_CELLS       44 /* two fields share a row from here */
#define NUMBER_SLOT         19
#define EXPIRY_SLOT         5
#define CVV_SLOT            4
#define CODE_SLOT           8
#define LABEL_CELLS         10
#define VOUCHER_LABEL_CELLS 6

static bool is_gift_card(const struct model_purchase *p)
{
    if (p->handout)
        return handout_facts_view(p->handout)->kind == HANDOUT_VOUCHER;
    return p->snap && p->snap->payment_kind.value == CONTRACT_PAYMENT_KIND_GIFT_CARD;
}

static void handout_title(const struct view *v, const struct model_purchase *p, char *left,
                          size_t left_size, char *right, size_t right_size)
{
    const struct model_reveal *reveal = &v->m->reveal;

    (void)str_copy(left, left_size, is_gift_card(p) ? "Gift card" : "One-time card");
    if (!p->handout)
        (void)str_copy(right, right_size, "not held here");
    else if (reveal->on && strcmp(reveal->purchase, p->id) == 0)
        snprintf(right, right_size, "one field shown for %lld s",
                 (long long)((reveal->until_mono - v->m->now_mono + 999) / 1000));
    else
        (void)str_copy(right, right_size, "masked");
}

/* Steps that were ticked, in words. */
static void steps_words(const struct model_purchase *p, char *out, size_t size)
{
    int done = 0;

    out[0] = '\0';
    for (int i = 0; i < CONTRACT_STEP_COUNT; i++) {
        if (!(p->steps_done & (1u << i)))
            continue;
        view_add(out, size, "%s%s", done++ ? ", " : "", contract_row(CONTRACT_KIND_STEP, i)->words);
    }
}

static void missing_words(const struct view *v, const struct model_purchase *p, char *out,
                          size_t size)
{
    const char *what = is_gift_card(p) ? "gift card" : "card";
    const char *key = view_key(v, "show-handout");

    if (p->handout_malformed)
        snprintf(out, size, "! The %s came in a form that cannot be used, and was wiped.", what);
    else if (p->handout_seen)
        snprintf(out, size, "The %s was here and has been wiped.", what);
    else
        snprintf(out, size,
                 "Ready, but the %s is not here. Only the connection that started this purchase "
                 "receives it.",
                 what);
    if (key[0])
        view_add(out, size,
                 " %s asks for it once: one press, one read. Nothing reads it by itself.", key);
}

/* A label, the mask with its slot, and the key that shows it. */
static int draw_field(const struct view *v, const struct model_purchase *p, int x, int y,
                      const char *label, int label_width, int slot, enum handout_field field,
                      const char *command)
{
    const char *key = view_key(v, command);
    int mask, key_x;

    canvas_put(v->c, x, y, THEME_DEFAULT, label);
    x += label_width;
    mask = widget_secret_draw_field(v->c, x, y, slot, 1, p->handout, field);
    /* In a long slot the key stands behind the mask; a reveal covers it for its ten seconds. */
    key_x = x + (mask > slot || slot > NUMBER_SLOT ? mask : slot) + 1;
    key_x += canvas_put(v->c, key_x, y, THEME_KEY, key);
    /* What is put into a slot closes it, so it is opened behind the key. */
    widget_secret_draw_field(v->c, x, y, slot, 1, p->handout, field);
    return key_x;
}

static void network_name(const char *network, char *out, size_t size)
{
    (void)str_copy(out, size, strcmp(network, "rupay") == 0 ? "RuPay" : network);
}

static void draw_code_row(const struct view *v, const struct model_purchase *p,
                          const struct handout_facts *f, struct canvas_rect row)
{
    char left[CLOCK_TEXT_MAX], text[96];
    int x = draw_field(v, p, row.x, row.y, "bank code", LABEL_CELLS, CODE_SLOT, HANDOUT_CODE,
                       "reveal-code") +
            2;

    if (f->code_expires_at_ms == CLOCK_NONE) {
        (void)str_copy(text, sizeof text, "");
    } else if (f->code_expires_at_ms <= v->now_ms) {
        (void)str_copy(text, sizeof text, "code has expired");
    } else {
        clock_left(left, f->code_expires_at_ms, v->now_ms);
        snprintf(text, sizeof text, "valid %s", left);
    }
    canvas_put_cut(v->c, x, row.y, row.x + row.w - x,
                   f->code_expires_at_ms <= v->now_ms ? THEME_WARNING : THEME_DEFAULT, text);
}

static void limit_words(const struct view *v, const struct handout_facts *f, char *out, size_t size)
{
    char at[CLOCK_TEXT_MAX], left[CLOCK_TEXT_MAX];

    snprintf(out, size, "limit %s", f->amount_limit_display);
    if (f->expires_at_ms == CLOCK_NONE) {
        view_add(out, size, "   no closing time given");
        return;
    }
    if (f->expires_at_ms <= v->now_ms) {
        view_add(out, size, "   time is up, checking");
        return;
    }
    clock_local_hm(at, f->expires_at_ms);
    clock_left(left, f->expires_at_ms, v->now_ms);
    view_add(out, size, "   closes %s (%s)", at, left);
}

static void draw_card(const struct view *v, const struct model_purchase *p,
                      struct canvas_rect *area)
{
    const struct handout_facts *f = handout_facts_view(p->handout);
    struct canvas_rect row = layout_take_rows(area, 1);
    char network[32], text[VIEW_TEXT_MAX];
    int x;

    network_name(f->network, network, sizeof network);
    x = draw_field(v, p, row.x, row.y, network, 7, NUMBER_SLOT, HANDOUT_NUMBER, "reveal-number");
    canvas_put_cut(v->c, x + 1, row.y, row.x + row.w - x - 1, THEME_KEY_LABEL,
                   view_key(v, "reveal-number")[0] ? "shows it for 10 s" : "");
    row = layout_take_rows(area, 1);
    x = draw_field(v, p, row.x, row.y, "expiry", 7, EXPIRY_SLOT, HANDOUT_EXPIRY, "reveal-expiry") +
        4;
    if (area->w >= COMPACT_CELLS)
        draw_field(v, p, x, row.y, "cvv", 4, CVV_SLOT, HANDOUT_CVV, "reveal-cvv");
    else
        draw_field(v, p, row.x, layout_take_rows(area, 1).y, "cvv", 7, CVV_SLOT, HANDOUT_CVV,
                   "reveal-cvv");
    if (handout_has(p->handout, HANDOUT_CODE))
        draw_code_row(v, p, f, layout_take_rows(area, 1));
    limit_words(v, f, text, sizeof text);
    view_take_text(v, area, THEME_STRONG, text);
}

/* A gift card's code has no known length: its slot takes the rest of the row. */
static void draw_voucher(const struct view *v, const struct model_purchase *p,
                         struct canvas_rect *area)
{
    const struct handout_facts *f = handout_facts_view(p->handout);
    char text[VIEW_TEXT_MAX + 600], until[64];
    int slot = area->w - VOUCHER_LABEL_CELLS;

    (void)str_copy(text, sizeof text, f->brand);
    view_add(text, sizeof text, " · worth %s", f->value_display);
    if (f->valid_until_ms != CLOCK_NONE) {
        view_day(v, f->valid_until_ms, until, sizeof until);
        view_add(text, sizeof text, " · valid until %s", until);
    }
    view_take_text(v, area, THEME_STRONG, text);
    draw_field(v, p, area->x, layout_take_rows(area, 1).y, "code", VOUCHER_LABEL_CELLS, slot,
               HANDOUT_VOUCHER_CODE, "reveal-number");
    if (handout_has(p->handout, HANDOUT_VOUCHER_PIN))
        draw_field(v, p, area->x, layout_take_rows(area, 1).y, "PIN", VOUCHER_LABEL_CELLS, slot,
                   HANDOUT_VOUCHER_PIN, "reveal-cvv");
    view_take_text(v, area, THEME_DEFAULT, f->redemption);
    if (f->redemption_url[0])
        view_take_text(v, area, THEME_LINK, f->redemption_url);
}

static void draw_actions(const struct view *v, const struct model_purchase *p,
                         struct canvas_rect *area)
{
    static const struct view_key_word keys[] = {{"steps", "steps"},
                                                {"report-paid", "paid"},
                                                {"report-failed", "failed"},
                                                {"wipe", "wipe now"}};
    char text[VIEW_TEXT_MAX], ticked[VIEW_TEXT_MAX];
    const struct model_write *report = &p->writes[MODEL_WRITE_REPORT];

    layout_take_rows(area, area->h > 3 ? 1 : 0);
    view_take_keys(v, area, keys, sizeof keys / sizeof keys[0]);
    steps_words(p, ticked, sizeof ticked);
    if (ticked[0]) {
        snprintf(text, sizeof text, "✓ %s", ticked);
        view_take_text(v, area, THEME_DEFAULT, text);
    }
    /* A card that was opened again is another attempt: the report before was about the other. */
    if (strcmp(report->attempt_id, p->attempt_id) == 0 &&
        view_write_words(v, report, text, sizeof text))
        view_take_text(v, area, report->state == MODEL_WRITE_REFUSED ? THEME_ERROR : THEME_DEFAULT,
                       text);
    if (p->vault_offer.args) {
        snprintf(text, sizeof text, "Offer: %s",
                 p->vault_offer.why ? p->vault_offer.why : "save this card in the vault");
        if (view_key(v, "vault-save")[0])
            view_add(text, sizeof text, " (%s)", view_key(v, "vault-save"));
        view_take_text(v, area, THEME_DEFAULT, text);
    }
    if (p->attempt_id[0] && p->handout) {
        snprintf(text, sizeof text, "attempt %s", p->attempt_id);
        view_take_text(v, area, THEME_DIM, text);
    }
}

static int handout_rows(const struct view *v, const struct model_purchase *p, int width)
{
    char text[VIEW_TEXT_MAX];

    if (!p->handout) {
        missing_words(v, p, text, sizeof text);
        return canvas_wrapped_rows(v->c, text, width) + 2;
    }
    if (is_gift_card(p))
        return 8 + canvas_wrapped_rows(v->c, handout_facts_view(p->handout)->redemption, width);
    return width >= COMPACT_CELLS ? 9 : 10;
}

static void handout_draw(const struct view *v, const struct model_purchase *p,
                         struct canvas_rect area, bool focused)
{
    char text[VIEW_TEXT_MAX];

    if (focused)
        canvas_cursor(v->c, area.x, area.y, false);
    if (!p->handout) {
        missing_words(v, p, text, sizeof text);
        view_take_text(v, &area, p->handout_malformed ? THEME_WARNING : THEME_DEFAULT, text);
    } else if (is_gift_card(p)) {
        draw_voucher(v, p, &area);
    } else {
        draw_card(v, p, &area);
    }
    draw_actions(v, p, &area);
}

const struct pane pane_handout = {handout_title, handout_rows, handout_draw};
