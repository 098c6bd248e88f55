/* SPDX-License-Identifier: Apache-2.0 */
/* Header, key line and the notice of a small terminal. Owns the order in which the header gives
 * things up when it has no room. Invariant: mode, account, who is needed and the connection are on
 * every screen, and an amount is there whole or not at all. */
#include "ui/chrome.h"

#include <stdio.h>
#include <string.h>
#include "app/command.h"
#include "core/clock.h"
#include "core/str.h"
#include "ui/widget_keys.h"

#define PIECES_MAX 12
#define HINTS_MAX  48

struct piece {
    char text[VIEW_TEXT_MAX];
    unsigned style;
    int gap; /* blanks before it */
};

struct pieces {
    struct piece items[PIECES_MAX];
    int count;
};

/* How much the header has given up; each level includes those before it. */
enum give_up {
    GIVE_NOTHING,
    GIVE_AGENT,
    GIVE_IN_PURCHASES,
    GIVE_NEED_WORDS,
    GIVE_CLOCK,
    GIVE_SPENDABLE,
    GIVE_LINK_WORDS,
    GIVE_MORE, /* now the connection's words are cut */
};

static void add_piece(struct pieces *list, int gap, unsigned style, const char *text)
{
    struct piece *p = &list->items[list->count];

    if (list->count == PIECES_MAX || !text[0])
        return;
    p->gap = gap;
    p->style = style;
    (void)str_copy(p->text, sizeof p->text, text);
    list->count++;
}

static int pieces_width(const struct canvas *c, const struct pieces *list)
{
    int width = 0;

    for (int i = 0; i < list->count; i++)
        width += list->items[i].gap + canvas_width_of(c, list->items[i].text);
    return width;
}

static void put_pieces(struct canvas *c, int x, int y, const struct pieces *list)
{
    for (int i = 0; i < list->count; i++) {
        x += list->items[i].gap;
        x += canvas_put(c, x, y, list->items[i].style, list->items[i].text);
    }
}

static const char *agent_name(const struct model *m)
{
    if (m->account && m->account->has_agent && m->account->agent.display_name)
        return m->account->agent.display_name;
    for (size_t i = 0; i < m->purchase_count; i++) {
        const struct contract_purchase *s = m->purchases[i].snap;

        if (s && s->agent.display_name && s->agent.display_name[0])
            return s->agent.display_name;
    }
    return "";
}

static void add_money(const struct view *v, struct pieces *left, enum give_up level)
{
    const struct contract_account *a = v->m->account;
    char amount[128], text[VIEW_TEXT_MAX];

    if (!a || level >= GIVE_SPENDABLE)
        return;
    view_amount_brief(v, &a->spendable, amount, sizeof amount);
    snprintf(text, sizeof text, a->spendable.known ? "%s to spend" : "to spend: %s", amount);
    add_piece(left, 3, THEME_STRONG, text);
    if (level >= GIVE_IN_PURCHASES || !a->has_held_purchases)
        return;
    if (a->held_purchases_available && a->held_total.known) {
        view_amount_brief(v, &a->held_total, amount, sizeof amount);
        snprintf(text, sizeof text, "%s in purchases", amount);
    } else {
        (void)str_copy(text, sizeof text, "in purchases: unknown");
    }
    add_piece(left, 1, THEME_DIM, "·");
    add_piece(left, 1, THEME_DEFAULT, text);
}

static void left_pieces(const struct view *v, struct pieces *left, enum give_up level)
{
    const struct model *m = v->m;

    left->count = 0;
    add_piece(left, 0, m->set.demo ? THEME_DEMO_BADGE : THEME_LIVE_BADGE,
              m->set.demo ? " DEMO " : " LIVE ");
    bool read_only = m->set.read_only || m->journal_read_only;
    if (read_only || m->journal_off)
        add_piece(left, 1, THEME_STRONG, read_only ? "READ-ONLY" : "NO JOURNAL");
    add_piece(left, read_only || m->journal_off ? 2 : 1, THEME_DEFAULT,
              m->owner[0] ? m->owner : "account not read yet");
    if (level < GIVE_AGENT && agent_name(m)[0]) {
        add_piece(left, 1, THEME_DIM, "·");
        add_piece(left, 1, THEME_DEFAULT, agent_name(m));
    }
    add_money(v, left, level);
}

static unsigned link_style(enum model_link link)
{
    switch (link) {
    case MODEL_LINK_LIVE:
        return THEME_DEFAULT;
    case MODEL_LINK_CONNECTING:
        return THEME_STALE;
    default:
        return THEME_WARNING;
    }
}

static void drop_word(char *text, const char *word)
{
    char *at = strstr(text, word);

    if (at)
        memmove(at, at + strlen(word), strlen(at + strlen(word)) + 1);
}

static void right_pieces(const struct view *v, struct pieces *right, enum give_up level)
{
    const struct model *m = v->m;
    size_t needing = model_count_needing(m);
    char text[VIEW_TEXT_MAX], clock[CLOCK_TEXT_MAX], zone[CLOCK_TEXT_MAX];

    right->count = 0;
    if (needing > 0) {
        snprintf(text, sizeof text, "? %zu%s", needing,
                 level >= GIVE_NEED_WORDS ? ""
                 : needing == 1           ? " needs you"
                                          : " need you");
        add_piece(right, 2, THEME_NEEDS_YOU, text);
    } else if (m->list_read && level < GIVE_NEED_WORDS) {
        add_piece(right, 2, THEME_DIM, "nothing needs you");
    }
    model_link_words(m, text, sizeof text);
    if (level >= GIVE_LINK_WORDS)
        drop_word(text, "last read ");
    add_piece(right, 2, link_style(m->link), text);
    if (level >= GIVE_CLOCK)
        return;
    clock_local_hm(clock, v->now_ms);
    clock_local_zone(zone, v->now_ms);
    snprintf(text, sizeof text, "%s %s", clock, zone);
    add_piece(right, 2, THEME_DIM, text);
}

/* The connection's words are the only ones of the first row that may be cut. */
static void shorten_link(const struct view *v, struct pieces *right, int too_many)
{
    struct piece *link = &right->items[right->count - 1];
    int width = canvas_width_of(v->c, link->text) - too_many;
    char cut[VIEW_TEXT_MAX];

    str_cut(cut, sizeof cut, link->text, width > 1 ? width : 1, canvas_is_ascii(v->c));
    (void)str_copy(link->text, sizeof link->text, cut);
}

static bool has_news(const struct model *m)
{
    return m->news.text[0] && m->now_mono < m->news.until_mono;
}

/* Where news starts that ends at the right, in the cells behind from. */
static int news_x(const struct view *v, int from)
{
    const struct model_news *news = &v->m->news;
    int room = v->l.width - 1 - from;
    int width = canvas_width_of(v->c, news->text) + (news->warning ? 2 : 0);

    return v->l.width - 1 - (width < room ? width : room);
}

/* News stands at the right, over what is there, as wide as it needs to be; whole: nothing stays
 * beside it. */
static void put_news(const struct view *v, int y, int from, bool whole)
{
    const struct model_news *news = &v->m->news;
    int room = v->l.width - 1 - from;
    int width = canvas_width_of(v->c, news->text) + (news->warning ? 2 : 0);
    int x = news_x(v, from);
    int clear = whole ? from : x - 1;
    char text[VIEW_TEXT_MAX];

    if (whole && width > room) { /* a second row, over the title, rather than a cut sentence */
        struct canvas_rect two = {from, y, room, 2};

        canvas_fill(v->c, (struct canvas_rect){from, y, v->l.width - from, 1}, THEME_DEFAULT);
        canvas_fill(v->c, (struct canvas_rect){0, y + 1, v->l.width, 1}, THEME_DEFAULT);
        snprintf(text, sizeof text, "%s%s", news->warning ? "! " : "", news->text);
        canvas_put_wrapped(v->c, two, news->warning ? THEME_WARNING : THEME_NEWS, text, 0);
        return;
    }
    canvas_fill(v->c, (struct canvas_rect){clear, y, v->l.width - clear, 1}, THEME_DEFAULT);
    if (news->warning)
        x += canvas_put(v->c, x, y, THEME_WARNING, "! ");
    canvas_put_cut(v->c, x, y, v->l.width - 1 - x, news->warning ? THEME_WARNING : THEME_NEWS,
                   news->text);
}

static void draw_status_row(const struct view *v, int y)
{
    struct pieces left, right;
    int room = v->l.width - 1, used;

    for (int level = GIVE_NOTHING;; level++) {
        left_pieces(v, &left, (enum give_up)level);
        right_pieces(v, &right, (enum give_up)level);
        used = pieces_width(v->c, &left) + pieces_width(v->c, &right);
        if (used <= room)
            break;
        if (level == GIVE_MORE) {
            shorten_link(v, &right, used - room);
            break;
        }
    }
    put_pieces(v->c, 0, y, &left);
    put_pieces(v->c, room - pieces_width(v->c, &right), y, &right);
    if (v->l.header.h == 1 && has_news(v->m))
        put_news(v, y, 7, true);
}

struct tab {
    enum model_view view;
    char key;
    const char *title, *brief;
};

#define X(NAME, key, title, brief) {MODEL_VIEW_##NAME, key, title, brief},
static const struct tab tabs[] = {MODEL_VIEW_ROWS(X)};
#undef X

static void tab_pieces(const struct view *v, struct pieces *list, bool brief)
{
    size_t questions = model_count_open_questions(v->m);
    char text[64];

    list->count = 0;
    for (size_t i = 0; i < sizeof tabs / sizeof tabs[0]; i++) {
        bool here = tabs[i].view == v->m->view;
        unsigned style = here ? THEME_TAB_FOCUS : THEME_TAB;

        snprintf(text, sizeof text, "%c %s", tabs[i].key, brief ? tabs[i].brief : tabs[i].title);
        add_piece(list, i ? 2 : 1, style, text);
        if (tabs[i].view == MODEL_VIEW_QUESTIONS && questions > 0) {
            snprintf(text, sizeof text, "%zu", questions);
            add_piece(list, 1, THEME_NEEDS_YOU, text);
        }
    }
}

static void draw_tab_row(const struct view *v, int y)
{
    struct pieces list;
    char calls[64], short_calls[64];
    int room = v->l.width - 2, width;
    size_t held = model_count_held(v->m);
    int used = model_calls_last_minute(v->m);

    snprintf(calls, sizeof calls, "%zu held · %d of %d calls", held, used, RETRY_BUDGET_CALLS);
    snprintf(short_calls, sizeof short_calls, "%zu held · %d/%d", held, used, RETRY_BUDGET_CALLS);
    tab_pieces(v, &list, false);
    if (pieces_width(v->c, &list) + 2 + canvas_width_of(v->c, short_calls) > room)
        tab_pieces(v, &list, true);
    /* a tab is whole or not there: a digit alone beside the news would be read with it */
    while (has_news(v->m) && list.count > 0 && pieces_width(v->c, &list) >= news_x(v, 1))
        list.count--;
    put_pieces(v->c, 0, y, &list);
    width = pieces_width(v->c, &list);
    if (has_news(v->m)) {
        put_news(v, y, 1, false);
        return;
    }
    room -= width;
    if (canvas_width_of(v->c, calls) + 2 <= room)
        canvas_put_right(v->c, width, y, room + 1, THEME_DIM, calls);
    else if (canvas_width_of(v->c, short_calls) + 1 <= room)
        canvas_put_right(v->c, width, y, room + 1, THEME_DIM, short_calls);
}

void chrome_draw_header(const struct view *v)
{
    draw_status_row(v, v->l.header.y);
    if (v->l.header.h > 1)
        draw_tab_row(v, v->l.header.y + 1);
}

void chrome_draw_footer(const struct view *v)
{
    const struct command *hints[HINTS_MAX];
    struct widget_key keys[HINTS_MAX + 1];
    size_t found = command_hints(v->m, hints, HINTS_MAX);
    const struct command *help = command_find("help");
    bool has_help = false;
    int count = 0;

    for (size_t i = 0; i < found && i < HINTS_MAX; i++) {
        if (hints[i] == help)
            has_help = true;
        else if (hints[i]->key_text[0])
            keys[count++] = (struct widget_key){hints[i]->key_text, hints[i]->label};
    }
    if (has_help)
        keys[count++] = (struct widget_key){help->key_text, help->label};
    widget_keys_draw(v->c, v->l.footer, keys, count);
}

void chrome_draw_title(const struct view *v, const char *title, const char *right)
{
    struct canvas_rect r = v->l.body_rule;

    canvas_rule(v->c, r.x, r.y, r.w, THEME_TITLE_FOCUS, title, THEME_DIM,
                right && right[0] ? right : NULL);
}

void chrome_draw_too_small(const struct view *v)
{
    struct canvas_rect area = canvas_bounds(v->c);
    size_t needing = model_count_needing(v->m);
    char text[VIEW_TEXT_MAX];

    snprintf(text, sizeof text, "%s\nToo small: needs %d x %d, has %d x %d.",
             v->m->set.demo ? "DEMO" : "LIVE", LAYOUT_MIN_WIDTH, LAYOUT_MIN_HEIGHT, area.w, area.h);
    if (needing > 0)
        view_add(text, sizeof text, "\n? %zu need%s you", needing, needing == 1 ? "s" : "");
    view_add(text, sizeof text, "\nq quits. Nothing else acts; nothing is lost.");
    canvas_put_wrapped(v->c, area, THEME_DEFAULT, text, 0);
    canvas_cursor(v->c, 0, 0, false);
}
