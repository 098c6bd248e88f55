/* SPDX-License-Identifier: Apache-2.0 */
/* The command table and what is made from it: dispatch, key line, palette. Invariant: a key does
 * nothing that no row says, and a refused row says why. */
#include "app/command.h"

#include <string.h>

#include "app/command_run.h"
#include "core/str.h"

#define IN(x) COMMAND_IN_##x

static const struct command table[] = {
    /* Purchases: what the selected one needs, most wanted first */
    {"write", "Enter", NULL, "write", "Write the answer in the pane below the timeline.",
     IN(QUESTION), 10, COMMAND_SAFE, ask_answer, run_write},
    {"write-feedback", "Enter", NULL, "write feedback", "Write a few words about this purchase.",
     IN(FEEDBACK), 10, COMMAND_SAFE, ask_feedback, run_write},
    {"review", "Ctrl-S", NULL, "review and send", "See exactly what will be sent, then send it.",
     IN(QUESTION) | IN(FEEDBACK) | IN(EDITOR), 11, COMMAND_SENDS, ask_review, run_review},
    {"rate-up", "+ -", "+", "rating", "Rating from 1 to 5; 0 is none.", IN(FEEDBACK), 12,
     COMMAND_SAFE, ask_feedback, run_rate_up},
    {"rate-down", "", "-", "lower rating", "A lower rating.", IN(FEEDBACK), 90, COMMAND_SAFE,
     ask_feedback, run_rate_down},
    {"qr", "Enter", NULL, "QR code", "The payment link as a QR code to scan.", IN(TASK), 10,
     COMMAND_SAFE, ask_pay_link, run_qr},
    {"open-link", "o", NULL, "open link", "Hand the payment link to this computer's browser.",
     IN(TASK), 13, COMMAND_SAFE, ask_pay_link, run_open_link},
    {"reveal-number", "n", NULL, "number",
     "Show the card number or the gift card's code for ten seconds; any key hides it.", IN(HANDOUT),
     14, COMMAND_SAFE, ask_reveal_number, run_reveal_number},
    {"reveal-expiry", "e", NULL, "expiry", "Show the expiry for ten seconds.", IN(HANDOUT), 15,
     COMMAND_SAFE, ask_reveal_expiry, run_reveal_expiry},
    {"reveal-cvv", "c", NULL, "cvv", "Show the CVV or the gift card's PIN for ten seconds.",
     IN(HANDOUT), 16, COMMAND_SAFE, ask_reveal_cvv, run_reveal_cvv},
    {"reveal-code", "b", NULL, "bank code", "Show the bank code for ten seconds.", IN(HANDOUT), 17,
     COMMAND_SAFE, ask_reveal_code, run_reveal_code},
    {"report-paid", "p", NULL, "paid", "Report that the merchant confirmed the payment.",
     IN(HANDOUT) | IN(READY), 18, COMMAND_IRREVERSIBLE, ask_paid, run_paid},
    {"report-failed", "f", NULL, "failed", "Report that the checkout failed, and why.",
     IN(HANDOUT) | IN(READY), 19, COMMAND_IRREVERSIBLE, ask_failed, run_failed},
    {"steps", "s", NULL, "steps", "Tick the steps of your checkout; the owner sees them.",
     IN(HANDOUT) | IN(READY), 20, COMMAND_SENDS, ask_step, run_steps},
    {"wipe", "w", NULL, "wipe now", "Wipe the card or gift card from memory now.", IN(HANDOUT), 21,
     COMMAND_SAFE, ask_wipe, run_wipe},
    {"show-handout", "v", NULL, "ask for the card (one read)",
     "Ask Envoy for the card or gift card of a ready purchase: one press, one read.", IN(READY), 22,
     COMMAND_SENDS, ask_show_handout, run_show_handout},
    {"vault-save", "V", NULL, "save to vault",
     "Ask Envoy to save this card to the Instinct vault, as it offered.", IN(HANDOUT) | IN(READY),
     23, COMMAND_SENDS, ask_vault, run_vault},
    {"open", "Enter", NULL, "open", "Go to the selected purchase's pane.", IN(LIST), 24,
     COMMAND_SAFE, NULL, run_open},
    {"cancel", "x", NULL, "cancel purchase",
     "Ask Envoy to stop this purchase. Needs a second key and is no refund by itself.",
     IN(PURCHASE), 30, COMMAND_IRREVERSIBLE, ask_cancel, run_cancel},
    {"look-again", "g", NULL, "look again", "Read this purchase now. Releases nothing.",
     IN(PURCHASE), 31, COMMAND_SENDS, ask_look, run_look},
    {"copy", "y", NULL, "copy reference",
     "Copy the payment link, or the references for support. Never a secret.",
     IN(PURCHASE) | IN(ACTIVITY), 32, COMMAND_SAFE, ask_copy, run_copy},
    {"phone", "P", NULL, "phone", "Demo: what the account owner does in the Envoy app.", IN(DEMO),
     26, COMMAND_SAFE, NULL, run_phone_palette},
    {"next-needing", "N", NULL, "next that needs you",
     "Select the next purchase that needs a person.", IN(ANY), 40, COMMAND_SAFE, NULL,
     run_next_needing},
    {"start", "Ctrl-N", NULL, "start a purchase",
     "The form that asks Envoy to spend real money; reviewed before it is sent.", IN(ANY), 33,
     COMMAND_IRREVERSIBLE, ask_start, run_start},
    {"retry-of", "R", NULL, "let Envoy retry",
     "Ask Envoy to finish a failed card checkout itself, as a linked purchase.", IN(PURCHASE), 29,
     COMMAND_IRREVERSIBLE, ask_retry_of, run_retry_of},
    /* Other views */
    {"shop-start", "Enter", NULL, "start from this", "Fill in the start form from the selected row.",
     IN(SHOP), 10, COMMAND_SAFE, ask_shop_start, run_shop_start},
    {"shop-mark", "Space", NULL, "mark", "Mark a product, to buy several in one purchase.", IN(SHOP),
     12, COMMAND_SAFE, ask_shop_mark, run_shop_mark},
    {"shop-search", "s", NULL, "search", "Search the marketplace in your own words.", IN(SHOP), 11,
     COMMAND_SENDS, NULL, run_shop_search},
    {"shop-part", "Tab", NULL, "gift cards or marketplace", "The other half of the shop.", IN(SHOP),
     13, COMMAND_SAFE, NULL, run_shop_part},
    {"go-question", "Enter", NULL, "go to the question", "Go to the purchase that asks.", IN(QUESTIONS), 10,
     COMMAND_SAFE, NULL, run_go_question},
    {"personal", "i", NULL, "personal details",
     "Show profile and addresses on this screen for a minute.", IN(ACCOUNT), 12, COMMAND_SENDS,
     NULL, run_personal},
    {"open-active", "Enter", NULL, "open purchase", "Go to the purchase that is open now.",
     IN(ACCOUNT), 13, COMMAND_SAFE, ask_open_active, run_open_active},
    {"dates", "d", NULL, "dates", "Choose the days and the page size.", IN(TRANSACTIONS), 11,
     COMMAND_SAFE, NULL, run_dates},
    {"line-details", "Enter", NULL, "details", "Everything about this line.", IN(TRANSACTIONS), 12,
     COMMAND_SAFE, ask_lines, run_line_details},
    {"export", "e", NULL, "export", "Write the lines read so far to a CSV or JSON file.",
     IN(TRANSACTIONS), 13, COMMAND_SAFE, ask_lines, run_export_dialog},
    {"call-details", "Enter", NULL, "details", "Everything about this call.", IN(ACTIVITY), 11,
     COMMAND_SAFE, NULL, run_call_details},
    {"refresh", "r", NULL, "read again", "Read what this view shows again.",
     IN(SHOP) | IN(ACCOUNT) | IN(TRANSACTIONS) | IN(LIST) | IN(QUESTIONS), 34, COMMAND_SENDS, NULL,
     run_refresh},
    {"filter", "/", NULL, "filter", "Show only rows with some text in them.",
     IN(LIST) | IN(TRANSACTIONS) | IN(ACTIVITY), 35, COMMAND_SAFE, NULL, run_filter},
    /* Everywhere */
    {"next-pane", "Tab", NULL, "pane", "Go to the next pane.", IN(LIST) | IN(DETAIL) | IN(EDITOR),
     25, COMMAND_SAFE, NULL, run_next_pane},
    {"previous-pane", "Shift-Tab", NULL, "pane before", "Go to the pane before.",
     IN(LIST) | IN(DETAIL) | IN(EDITOR), 91, COMMAND_SAFE, NULL, run_previous_pane},
    {"up", "Up", "Up k", "up", "One row up.", IN(ANY), 92, COMMAND_SAFE, NULL, run_up},
    {"down", "Down", "Down j", "down", "One row down.", IN(ANY), 92, COMMAND_SAFE, NULL, run_down},
    {"page-up", "PgUp", NULL, "page up", "One page up.", IN(ANY), 93, COMMAND_SAFE, NULL,
     run_page_up},
    {"page-down", "PgDn", NULL, "page down", "One page down.", IN(ANY), 93, COMMAND_SAFE, NULL,
     run_page_down},
    {"first", "Home", NULL, "first row", "To the first row.", IN(ANY), 94, COMMAND_SAFE, NULL,
     run_first},
    {"last", "End", "End G", "last row", "To the last row.", IN(ANY), 94, COMMAND_SAFE, NULL,
     run_last},
    {"back", "Esc", NULL, "back", "One step back: out of the text, the pane, the filter.",
     IN(DETAIL) | IN(EDITOR) | IN(ANY), 60, COMMAND_SAFE, NULL, run_back},
    {"view-purchases", "1", NULL, "Purchases", "The purchases view.", IN(ANY), 95, COMMAND_SAFE,
     NULL, run_view_purchases},
    {"view-account", "2", NULL, "Account", "The account view.", IN(ANY), 95, COMMAND_SAFE, NULL,
     run_view_account},
    {"view-transactions", "3", NULL, "Transactions", "The transactions view.", IN(ANY), 95,
     COMMAND_SAFE, NULL, run_view_transactions},
    {"view-shop", "4", NULL, "Shop", "Gift cards, marketplace, and starting a purchase.", IN(ANY), 95,
     COMMAND_SAFE, NULL, run_view_shop},
    {"view-questions", "5", NULL, "Questions", "Every open question.", IN(ANY), 95, COMMAND_SAFE,
     NULL, run_view_questions},
    {"view-activity", "6", NULL, "Activity", "Every call that was made.", IN(ANY), 95, COMMAND_SAFE,
     NULL, run_view_activity},
    {"redraw", "Ctrl-L", NULL, "redraw", "Draw the whole screen again.", IN(ANY) | IN(EDITOR), 96,
     COMMAND_SAFE, NULL, run_redraw},
    {"suspend", "Ctrl-Z", NULL, "suspend", "Stop this program; payment details are wiped first.",
     IN(ANY) | IN(EDITOR), 97, COMMAND_SAFE, NULL, run_suspend},
    {"quit", "q", "q Ctrl-C", "quit", "End this program.", IN(ANY), 70, COMMAND_SAFE, NULL,
     run_quit},
    {"quit-now", "", "Ctrl-C", "quit", "End this program; asks when a draft would be lost.",
     IN(EDITOR), 98, COMMAND_SAFE, NULL, run_quit},
    /* The owner's phone, in a demo */
    {"phone approve", "", NULL, "phone: approve", "The owner approves the selected purchase.",
     IN(DEMO), 99, COMMAND_SAFE, NULL, run_phone_approve},
    {"phone decline", "", NULL, "phone: decline", "The owner declines it.", IN(DEMO), 99,
     COMMAND_SAFE, NULL, run_phone_decline},
    {"phone pay", "", NULL, "phone: pay", "The owner pays the link or in the app.", IN(DEMO), 99,
     COMMAND_SAFE, NULL, run_phone_pay},
    {"phone enter-otp", "", NULL, "phone: enter code", "The owner enters the bank's code.",
     IN(DEMO), 99, COMMAND_SAFE, NULL, run_phone_enter_otp},
    {"phone add-money", "", NULL, "phone: add money", "The owner adds money.", IN(DEMO), 99,
     COMMAND_SAFE, NULL, run_phone_add_money},
    {"phone cancel", "", NULL, "phone: cancel", "The owner cancels it in the app.", IN(DEMO), 99,
     COMMAND_SAFE, NULL, run_phone_cancel},
    /* Last in the key line, and always there */
    {"palette", ":", NULL, "commands", "Every command by name.", IN(ANY), 100, COMMAND_SAFE, NULL,
     run_palette},
    {"help", "?", "? F1", "help", "All keys.", IN(ANY), 101, COMMAND_SAFE, NULL, run_help},
};

#define COUNT (sizeof table / sizeof table[0])
#define HINT_RANK_MAX 89 /* rows behind are for help and palette only... */
#define HINT_ALWAYS 100  /* ...but for these */

size_t command_count(void)
{
    return COUNT;
}

const struct command *command_at(size_t index)
{
    return index < COUNT ? &table[index] : NULL;
}

const struct command *command_find(const char *name)
{
    for (size_t i = 0; i < COUNT; i++)
        if (strcmp(table[i].name, name) == 0)
            return &table[i];
    return NULL;
}

static unsigned purchase_contexts(const struct model *m)
{
    const struct model_purchase *p = model_selected(m);
    unsigned c = m->pane == MODEL_PANE_LIST ? IN(LIST) : IN(DETAIL);
    if (!p)
        return c;
    c |= IN(PURCHASE);
    if (p->state.value == CONTRACT_STATE_READY)
        c |= IN(READY);
    enum model_need need = model_need(m, p);
    bool at_need = m->pane == MODEL_PANE_NEED;
    if (need == MODEL_NEED_HANDOUT)
        c |= IN(HANDOUT);
    if (at_need && need == MODEL_NEED_QUESTION)
        c |= IN(QUESTION);
    if (at_need && need == MODEL_NEED_TASK)
        c |= IN(TASK);
    if (at_need && need == MODEL_NEED_FEEDBACK)
        c |= IN(FEEDBACK);
    return c;
}

unsigned command_contexts(const struct model *m)
{
    if (model_dialog(m) != MODEL_DIALOG_NONE)
        return IN(DIALOG);
    if (m->editing)
        return IN(EDITOR);
    unsigned c = IN(ANY);
    if (m->set.sim_control && model_selected(m))
        c |= IN(DEMO);
    switch (m->view) {
    case MODEL_VIEW_PURCHASES:
        return c | purchase_contexts(m);
    case MODEL_VIEW_ACCOUNT:
        return c | IN(ACCOUNT);
    case MODEL_VIEW_TRANSACTIONS:
        return c | IN(TRANSACTIONS);
    case MODEL_VIEW_QUESTIONS:
        return c | IN(QUESTIONS);
    case MODEL_VIEW_SHOP:
        return c | IN(SHOP);
    case MODEL_VIEW_ACTIVITY:
        return c | IN(ACTIVITY);
    case MODEL_VIEW_COUNT:
        break;
    }
    return c;
}

static bool key_matches(const struct command *c, const struct input_event *e)
{
    const char *at = c->keys ? c->keys : c->key_text;
    while (*at) {
        char name[INPUT_NAME_MAX];
        size_t len = strcspn(at, " ");
        if (len < sizeof name) {
            memcpy(name, at, len);
            name[len] = '\0';
            if (input_event_is(e, name))
                return true;
        }
        at += len;
        at += strspn(at, " ");
    }
    return false;
}

const struct command *command_for_key(const struct model *m, const struct input_event *event)
{
    unsigned here = command_contexts(m);
    const struct command *refused = NULL;
    for (size_t i = 0; i < COUNT; i++) {
        const struct command *c = &table[i];
        if (!(c->contexts & here) || !key_matches(c, event))
            continue;
        if (!c->refused || !c->refused(m))
            return c;
        if (!refused)
            refused = c;
    }
    return refused;
}

size_t command_hints(const struct model *m, const struct command **out, size_t max)
{
    unsigned here = command_contexts(m);
    size_t n = 0;
    for (size_t i = 0; i < COUNT; i++) {
        const struct command *c = &table[i];
        bool wanted = c->rank <= HINT_RANK_MAX || c->rank >= HINT_ALWAYS;
        if (!(c->contexts & here) || !c->key_text[0] || !wanted || n >= max)
            continue;
        if (c->refused && c->refused(m))
            continue;
        size_t at = n++;
        while (at > 0 && out[at - 1]->rank > c->rank) {
            out[at] = out[at - 1];
            at--;
        }
        out[at] = c;
    }
    return n;
}

void command_run(struct model *m, const struct command *c, struct effects *fx)
{
    const char *no = c->refused ? c->refused(m) : NULL;
    if (no) {
        model_say(m, true, "%s", no);
        return;
    }
    c->run(m, fx);
    m->dirty = true;
}

static bool here_at_all(const struct model *m, const struct command *c)
{
    bool demo_only = (c->contexts & IN(DEMO)) != 0;
    bool editor_only = (c->contexts & ~(unsigned)(IN(EDITOR) | IN(DIALOG))) == 0;
    return !editor_only && (!demo_only || m->set.sim_control);
}

size_t command_match(const struct model *m, const char *text, const struct command **out, size_t max)
{
    size_t n = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < COUNT && n < max; i++) {
            const struct command *c = &table[i];
            bool found = !text[0] || str_contains_nocase(c->name, text) ||
                         str_contains_nocase(c->label, text) || str_contains_nocase(c->help, text);
            bool allowed = !c->refused || !c->refused(m);
            if (found && here_at_all(m, c) && allowed == (pass == 0))
                out[n++] = c;
        }
    }
    return n;
}
