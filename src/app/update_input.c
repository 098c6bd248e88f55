/* SPDX-License-Identifier: Apache-2.0 */
/* What a person does at the terminal: to the dialog on top, else to the text being written, else to
 * the command table. Invariant: a paste or a burst is text or nothing, never a command (case H4). */
#include "app/internal.h"
#include "app/start_internal.h"

#include <string.h>

#include "core/str.h"

#define SMALL_WIDTH 60
#define SMALL_HEIGHT 16

static void resized(struct model *m, const struct input_event *e)
{
    model_mask(m);
    m->width_cells = e->width_cells;
    m->height_cells = e->height_cells;
    m->too_small = e->width_cells < SMALL_WIDTH || e->height_cells < SMALL_HEIGHT;
    m->dirty = true;
}

/* Editing keys that every text field knows. True when the event was one. */
bool edit_input(struct edit *d, const struct input_event *e)
{
    static const struct {
        const char *name;
        void (*run)(struct edit *);
    } keys[] = {
        {"Left", edit_left},           {"Right", edit_right},
        {"Alt-b", edit_word_left},     {"Alt-f", edit_word_right},
        {"Ctrl-Left", edit_word_left}, {"Ctrl-Right", edit_word_right},
        {"Home", edit_home},           {"End", edit_end},
        {"Ctrl-A", edit_home},         {"Ctrl-E", edit_end},
        {"Ctrl-Home", edit_text_start}, {"Ctrl-End", edit_text_end},
        {"Backspace", edit_backspace}, {"Delete", edit_delete},
        {"Ctrl-W", edit_backspace_word}, {"Ctrl-U", edit_kill_to_start},
        {"Ctrl-K", edit_kill_to_end},
    };
    if (e->kind == INPUT_TEXT) {
        (void)!edit_insert(d, e->text, strlen(e->text));
        return true;
    }
    if (e->kind == INPUT_PASTE) {
        if (e->paste_cut)
            d->refused = true;
        else
            (void)!edit_insert(d, e->paste, e->paste_len);
        return true;
    }
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        if (input_event_is(e, keys[i].name)) {
            keys[i].run(d);
            return true;
        }
    }
    return false;
}

static void type_secret(struct model *m, struct model_purchase *p, const char *bytes, size_t len)
{
    size_t chars = 0;
    int32_t cp;
    for (size_t at = 0; at < len; chars++)
        at += str_decode(bytes + at, len - at, &cp);
    bool fits = p->secret_chars + chars <= CONTRACT_ANSWER_MAX;
    if (fits && secret_append(p->secret_entry, bytes, len) == ERR_OK)
        p->secret_chars += chars;
    else
        model_say(m, true, "That is more than a code can be; it was not taken.");
}

static void secret_backspace(struct model_purchase *p)
{
    size_t len = secret_len(p->secret_entry);
    if (len == 0)
        return;
    const unsigned char *bytes = secret_open(p->secret_entry);
    size_t at = len - 1;
    while (at > 0 && (bytes[at] & 0xC0) == 0x80)
        at--;
    secret_close(p->secret_entry);
    secret_truncate(p->secret_entry, at);
    p->secret_chars--;
}

/* A code being typed: characters, Backspace, Ctrl-U; no cursor, no history. */
static bool secret_input(struct model *m, struct model_purchase *p, const struct input_event *e)
{
    if (e->kind == INPUT_TEXT && !e->burst && e->text[0] != '\n') {
        type_secret(m, p, e->text, strlen(e->text));
    } else if (e->kind == INPUT_PASTE) {
        size_t len = e->paste_len; /* a code is one line: line ends at its end are not part of it */
        while (len > 0 && (e->paste[len - 1] == '\n' || e->paste[len - 1] == ' '))
            len--;
        if (e->paste_cut || memchr(e->paste, '\n', len))
            model_say(m, true, "That paste has several lines; a code has one. It was not taken.");
        else
            type_secret(m, p, e->paste, len);
    } else if (input_event_is(e, "Backspace")) {
        secret_backspace(p);
    } else if (input_event_is(e, "Ctrl-U")) {
        secret_clear(p->secret_entry);
        p->secret_chars = 0;
    } else {
        return false;
    }
    return true;
}

static struct model_draft *open_draft(struct model_purchase *p)
{
    const struct contract_question *q = model_open_question(p);
    if (q)
        return model_draft(p, q->id);
    if (p->snap && p->snap->follow_up.open)
        return model_draft(p, p->snap->follow_up.id);
    return NULL;
}

static bool draft_input(struct model *m, const struct input_event *e)
{
    struct model_purchase *p = model_find(m, m->selected);
    if (!p)
        return false;
    if (p->secret_entry)
        return secret_input(m, p, e);
    struct model_draft *d = open_draft(p);
    if (!d)
        return false;
    if (write_in_flight(p) || write_is_unknown(p)) {
        bool changes = e->kind == INPUT_TEXT || e->kind == INPUT_PASTE;
        if (changes)
            model_say(m, true, "Wait: what was sent before has no reply yet.");
        return changes;
    }
    if (input_event_is(e, "Enter"))
        (void)!edit_insert(&d->edit, "\n", 1);
    else if (input_event_is(e, "Up"))
        (void)edit_up(&d->edit);
    else if (input_event_is(e, "Down"))
        (void)edit_down(&d->edit);
    else if (!edit_input(&d->edit, e))
        return false;
    if (d->edit.refused)
        model_say(m, true, "That does not fit: an answer has at most %d characters.",
                  CONTRACT_ANSWER_MAX);
    return true;
}

/* True when the key was meant for a text that has just closed. It ends with a pause, or with Esc. */
static bool hushed(struct model *m, const struct input_event *e)
{
    if (m->now_mono >= m->hush_until_mono || input_event_is(e, "Ctrl-C"))
        return false;
    m->hush_until_mono = input_event_is(e, "Esc") ? m->now_mono : m->now_mono + HUSH_MS;
    return true;
}

static bool is_quit(const struct input_event *e)
{
    return input_event_is(e, "q") || input_event_is(e, "Ctrl-C");
}

void update_input(struct model *m, const struct input_event *e, struct effects *fx)
{
    m->dirty = true;
    switch (e->kind) {
    case INPUT_RESIZE:
        resized(m, e);
        return;
    case INPUT_FOCUS_OUT:
    case INPUT_FOCUS_IN:
        m->focused = e->kind == INPUT_FOCUS_IN;
        model_mask(m);
        return;
    case INPUT_EOF:
        m->quit = true;
        return;
    case INPUT_KEY:
    case INPUT_TEXT:
    case INPUT_PASTE:
        break;
    }
    model_mask(m);
    if (hushed(m, e))
        return;
    if (m->too_small) { /* nothing is drawn, so nothing acts but quit (case R2) */
        bool loses = m->editing || model_has_drafts(m);
        if (input_event_is(e, "Ctrl-C") || (!loses && is_quit(e)))
            m->quit = true;
        return;
    }
    if (model_dialog(m) != MODEL_DIALOG_NONE) {
        (void)dialog_input(m, e, fx);
        return;
    }
    if (m->editing && m->view == MODEL_VIEW_SHOP && shop_input(m, e, fx))
        return;
    if (m->editing && m->view == MODEL_VIEW_PURCHASES && draft_input(m, e))
        return;
    if (e->kind == INPUT_PASTE || e->burst)
        return;
    const struct command *c = command_for_key(m, e);
    if (c)
        command_run(m, c, fx);
}
