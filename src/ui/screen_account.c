/* SPDX-License-Identifier: Apache-2.0 */
/* The Account view as a page of facts, scrolled as a whole. Owns the order and the words.
 * Invariant: what could not be read is called unknown; it is never zero and never unlimited. */
#include "ui/screen.h"

#include <stdio.h>
#include "core/clock.h"
#include "core/str.h"
#include "ui/chrome.h"

#define LABEL_CELLS  26
#define AMOUNT_CELLS 14
#define ITEM_INDENT  2

/* Draws row after row; rows before top are counted, not drawn. */
struct page {
    const struct view *v;
    struct canvas_rect area;
    int row, top;
};

static bool page_row(struct page *page, struct canvas_rect *r)
{
    int y = page->area.y + page->row - page->top;

    page->row++;
    if (y < page->area.y || y >= page->area.y + page->area.h)
        return false;
    *r = (struct canvas_rect){page->area.x, y, page->area.w, 1};
    return true;
}

static void blank(struct page *page)
{
    page->row++;
}

static int label_cells(const struct page *page)
{
    return page->area.w < 70 ? 24 : LABEL_CELLS;
}

/* "Balance      ₹7,499.00    all money in the account"; the note gives way, the amount does not. */
static void amount_row(struct page *page, const char *label, const struct contract_amount *a,
                       const char *note)
{
    const struct view *v = page->v;
    struct canvas_rect r;
    char text[160];
    int x, width;

    if (!page_row(page, &r))
        return;
    model_amount(v->m, a, text, sizeof text);
    width = canvas_width_of(v->c, text);
    x = r.x + label_cells(page);
    canvas_put_cut(v->c, r.x, r.y, label_cells(page) - 1, THEME_DEFAULT, label);
    if (width <= AMOUNT_CELLS)
        canvas_put(v->c, x + AMOUNT_CELLS - width, r.y, a->known ? THEME_STRONG : THEME_UNKNOWN,
                   text);
    else
        canvas_put(v->c, x, r.y, THEME_WARNING, text);
    x += (width > AMOUNT_CELLS ? width : AMOUNT_CELLS) + 4;
    canvas_put_cut(v->c, x, r.y, r.x + r.w - x, THEME_DIM,
                   a->known ? note : "not read: unknown, not zero");
}

static void text_row(struct page *page, const char *label, unsigned style, const char *text)
{
    struct canvas_rect r;
    int width = label_cells(page) - 10;

    width = width < 14 ? 14 : width;
    if (!page_row(page, &r))
        return;
    canvas_put_cut(page->v->c, r.x, r.y, width - 1, THEME_DEFAULT, label);
    canvas_put_cut(page->v->c, r.x + width, r.y, r.w - width, style, text);
}

/* Text on its own, wrapped. */
static void note(struct page *page, unsigned style, const char *text)
{
    struct str_line lines[16];
    size_t count = str_wrap(text, page->area.w, lines, 16);
    struct canvas_rect r;

    for (size_t i = 0; i < count && i < 16; i++) {
        if (page_row(page, &r))
            canvas_put_n(page->v->c, r.x, r.y, style, text + lines[i].start, lines[i].len);
    }
}

static void held_amount(const struct view *v, const struct contract_held *h, char *out, size_t size)
{
    char amount[160];

    if (!h->amount.known) {
        (void)str_copy(out, size, "amount unknown");
        return;
    }
    model_amount(v->m, &h->amount, amount, sizeof amount);
    snprintf(out, size, "%s%s", h->exact ? "" : "up to   ", amount);
}

static void since_words(const struct view *v, int64_t since_ms, char *out, size_t size)
{
    char at[CLOCK_TEXT_MAX];

    out[0] = '\0';
    if (since_ms == CLOCK_NONE)
        return;
    clock_local_hm(at, since_ms);
    if (clock_same_local_day(since_ms, v->now_ms))
        snprintf(out, size, "since %s", at);
    else if (clock_same_local_day(since_ms, v->now_ms - INT64_C(86400000)))
        snprintf(out, size, "since yesterday %s", at);
    else {
        clock_local_date_hm(at, since_ms);
        snprintf(out, size, "since %s", at);
    }
}

static void held_row(struct page *page, const struct contract_held *h)
{
    const struct view *v = page->v;
    int end = label_cells(page) + AMOUNT_CELLS;
    char amount[200], state[96], since[96];
    struct canvas_rect r;
    int width, x;

    if (!page_row(page, &r))
        return;
    held_amount(v, h, amount, sizeof amount);
    since_words(v, h->since_ms, since, sizeof since);
    width = canvas_width_of(v->c, amount);
    x = width <= end - ITEM_INDENT ? r.x + end - width : r.x + ITEM_INDENT;
    canvas_put(v->c, x, r.y, h->amount.known ? THEME_AMOUNT : THEME_UNKNOWN, amount);
    if (h->state.value != CONTRACT_HELD_STATE_UNKNOWN) {
        const char *words = contract_words(CONTRACT_KIND_HELD_STATE, &h->state, state, sizeof state,
                                           "state unknown");
        int words_width = canvas_width_of(v->c, words);

        x -= words_width + 3;
        if (x > r.x + ITEM_INDENT + 8)
            canvas_put(v->c, x, r.y, THEME_DIM, words);
        else
            x += words_width + 3;
    }
    canvas_put_cut(v->c, r.x + ITEM_INDENT, r.y, x - r.x - ITEM_INDENT - 1, THEME_DEFAULT,
                   h->merchant ? h->merchant : "unnamed merchant");
    canvas_put_cut(v->c, r.x + end + 4, r.y, r.w - end - 4, THEME_DIM, since);
}

static void held_rows(struct page *page, const struct contract_account *a)
{
    static const struct contract_amount unknown = {0};
    bool known = a->has_held_purchases && a->held_purchases_available;

    if (!a->has_held_purchases) {
        amount_row(page, "Money in open purchases", &unknown, "");
        return;
    }
    amount_row(page, "Money in open purchases", known ? &a->held_total : &unknown,
               "taken for one-time cards, not yet spent");
    if (!known)
        return;
    for (size_t i = 0; i < a->held_count; i++)
        held_row(page, &a->held_items[i]);
    if (a->held_truncated)
        note(page, THEME_WARNING, "  ! Older rows are missing from this list.");
    else if (!a->held_truncated_known)
        note(page, THEME_DIM, "  Whether older rows are missing is not known.");
}

static void limit_rows(struct page *page, const struct contract_account *a)
{
    char text[VIEW_TEXT_MAX], amount[160], period[96];

    if (!a->has_limits || a->unavailable[CONTRACT_UNAVAILABLE_LIMITS]) {
        text_row(page, "Limits", THEME_UNKNOWN, "not read this time: unknown, not unlimited");
        return;
    }
    if (a->limit_count == 0)
        text_row(page, "Limits", THEME_DEFAULT, "none listed: unknown, not unlimited");
    for (size_t i = 0; i < a->limit_count; i++) {
        const struct contract_limit *l = &a->limits[i];

        model_amount(page->v->m, &l->amount, amount, sizeof amount);
        snprintf(text, sizeof text, "%s %s%s%s", amount,
                 contract_words(CONTRACT_KIND_PERIOD, &l->period, period, sizeof period, ""),
                 l->channel && l->channel[0] ? " · " : "", l->channel ? l->channel : "");
        text_row(page, i == 0 ? "Limits" : "", THEME_DEFAULT, text);
    }
}

static void active_row(struct page *page, const struct contract_account *a)
{
    const struct view *v = page->v;
    char text[VIEW_TEXT_MAX], words[160], key[160] = "";
    const struct model_purchase *p;
    struct canvas_rect r;
    int width = label_cells(page) - 10;

    if (!a->has_active_purchase) {
        text_row(page, "Open purchase", THEME_UNKNOWN,
                 a->unavailable[CONTRACT_UNAVAILABLE_ACTIVE_PURCHASE]
                     ? "could not be read: unknown. Start nothing meanwhile"
                     : "not read this time: unknown");
        return;
    }
    if (!a->active_purchase) {
        text_row(page, "Open purchase", THEME_DEFAULT, "none");
        return;
    }
    p = model_find_view(v->m, a->active_purchase->purchase_id);
    if (p)
        model_state_words(v->m, p, words, sizeof words);
    else
        contract_words(CONTRACT_KIND_STATE, &a->active_purchase->state, words, sizeof words,
                       "state unknown");
    if (view_key(v, "open-active")[0])
        snprintf(key, sizeof key, "%s opens it", view_key(v, "open-active"));
    snprintf(text, sizeof text, "%s, %s", a->active_purchase->merchant_name, words);
    if (!page_row(page, &r))
        return;
    width = width < 14 ? 14 : width;
    canvas_put(v->c, r.x, r.y, THEME_DEFAULT, "Open purchase");
    canvas_put_pair(v->c, r.x + width, r.y, r.w - width, THEME_STRONG, text, THEME_DIM, key);
    canvas_cursor(v->c, r.x, r.y, false);
}

static void agent_row(struct page *page, const struct contract_account *a)
{
    char text[VIEW_TEXT_MAX], level[96];

    if (!a->has_agent) {
        text_row(page, "Agent", THEME_UNKNOWN, "not read this time: unknown");
        return;
    }
    snprintf(text, sizeof text, "%s (%s)",
             a->agent.display_name && a->agent.display_name[0] ? a->agent.display_name
                                                               : a->agent.agent_id,
             contract_words(CONTRACT_KIND_VERIFICATION, &a->agent.verification, level, sizeof level,
                            "not known whether checked"));
    text_row(page, "Agent", THEME_DEFAULT, text);
}

static void address_row(struct page *page, const struct contract_address *address)
{
    char text[VIEW_TEXT_MAX * 2] = "";

    if (address->is_default)
        view_add(text, sizeof text, "default · ");
    if (address->name)
        view_add(text, sizeof text, "%s, ", address->name);
    view_add(text, sizeof text, "%s", address->line ? address->line : "address unknown");
    if (address->phone)
        view_add(text, sizeof text, " · %s", address->phone);
    text_row(page, address->label && address->label[0] ? address->label : "Address", THEME_DEFAULT,
             text);
}

static void personal_rows(struct page *page)
{
    const struct model *m = page->v->m;
    const struct contract_account *a = m->personal;
    char text[VIEW_TEXT_MAX];
    const char *key = view_key(page->v, "personal");

    if (!a) {
        snprintf(text, sizeof text, "Profile and addresses are hidden.%s%s%s", key[0] ? " " : "",
                 key, key[0] ? " shows them on this screen for a minute." : "");
        note(page, THEME_DIM, text);
        return;
    }
    snprintf(text, sizeof text, "Personal details, hidden again in %lld s",
             (long long)((m->personal_until_mono - m->now_mono + 999) / 1000));
    note(page, THEME_WARNING, text);
    if (!a->has_profile) {
        text_row(page, "Profile", THEME_UNKNOWN, "could not be read: unknown");
    } else {
        text_row(page, "Name", THEME_DEFAULT, a->profile_name ? a->profile_name : "unknown");
        text_row(page, "Mobile", THEME_DEFAULT, a->profile_mobile ? a->profile_mobile : "unknown");
        text_row(page, "Email", THEME_DEFAULT, a->profile_email ? a->profile_email : "unknown");
    }
    if (!a->has_addresses)
        text_row(page, "Addresses", THEME_UNKNOWN, "could not be read: unknown");
    else if (a->address_count == 0)
        text_row(page, "Addresses", THEME_DEFAULT, "none saved");
    for (size_t i = 0; a->has_addresses && i < a->address_count; i++)
        address_row(page, &a->addresses[i]);
}

static void unavailable_row(struct page *page, const struct contract_account *a)
{
    char text[VIEW_TEXT_MAX] = "";

    for (int i = 0; i < CONTRACT_UNAVAILABLE_COUNT; i++) {
        if (a->unavailable[i])
            view_add(text, sizeof text, "%s%s", text[0] ? ", " : "",
                     contract_row(CONTRACT_KIND_UNAVAILABLE, i)->words);
    }
    if (text[0])
        text_row(page, "Not read", THEME_UNKNOWN, text);
}

/* What the journal says that concerns this account as a whole. */
static void journal_rows(struct page *page)
{
    const struct model *m = page->v->m;
    char text[VIEW_TEXT_MAX];

    if (m->journal_words[0])
        text_row(page, "Journal", THEME_WARNING, m->journal_words);
    if (m->other_account == 0)
        return;
    snprintf(text, sizeof text,
             "! %zu unresolved %s of another account in the journal; sign in there to settle %s",
             m->other_account, m->other_account == 1 ? "write is" : "writes are",
             m->other_account == 1 ? "it" : "them");
    text_row(page, "Other account", THEME_WARNING, text);
}

static void draw_account(struct page *page, const struct contract_account *a)
{
    amount_row(page, "Balance", &a->balance, "all money in the account");
    amount_row(page, "Held by the bank", &a->held, "not a part of agent purchases");
    amount_row(page, "To spend", &a->spendable, "usable now");
    blank(page);
    held_rows(page, a);
    blank(page);
    text_row(page, "Services", a->has_services ? THEME_DEFAULT : THEME_UNKNOWN,
             !a->has_services      ? "not read this time: unknown"
             : a->service_purchase ? "purchase"
                                   : "none: purchases are not enabled for this connection");
    limit_rows(page, a);
    agent_row(page, a);
    active_row(page, a);
    unavailable_row(page, a);
    journal_rows(page);
    blank(page);
    personal_rows(page);
}

static void fill_page(struct page *page)
{
    const struct model *m = page->v->m;
    char text[VIEW_TEXT_MAX];

    page->row = 0;
    if (m->account_trouble[0]) {
        snprintf(text, sizeof text, "! Account not read: %s", m->account_trouble);
        note(page, THEME_WARNING, text);
        if (m->account)
            note(page, THEME_STALE, "~ What follows is from the last good read.");
        blank(page);
    }
    if (m->account)
        draw_account(page, m->account);
    else if (!m->account_trouble[0])
        note(page, THEME_DEFAULT, "Reading the account…");
}

void screen_account_draw(const struct view *v)
{
    struct page page = {.v = v, .area = layout_inset(v->l.body, 2)};
    char right[96] = "", at[64];
    int last;

    if (v->m->account) {
        view_time(v, v->m->account_at_ms, at, sizeof at);
        snprintf(right, sizeof right, "read %s", at);
    }
    chrome_draw_title(v, "Account", right);
    page.top = INT32_MAX / 2; /* counts the rows, draws none */
    fill_page(&page);
    last = page.row - page.area.h;
    page.top = (int)v->m->account_top < last ? (int)v->m->account_top : last;
    if (page.top < 0)
        page.top = 0;
    fill_page(&page);
    if (page.top > 0)
        canvas_put_glyph(v->c, page.area.x - 1, page.area.y, THEME_DIM, CANVAS_GLYPH_MORE);
    if (page.row - page.top > page.area.h)
        canvas_put_glyph(v->c, page.area.x - 1, page.area.y + page.area.h - 1, THEME_DIM,
                         CANVAS_GLYPH_MORE);
}
