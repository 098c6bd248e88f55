/* SPDX-License-Identifier: Apache-2.0 */
/* The model's storage: purchases, rows, drafts, dialogs, and wiping. Knows nothing of messages or
 * calls. Invariant: purchases are ordered newest first and found by id, never by position. */
#include "app/model.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "app/internal.h"
#include "app/start_internal.h"
#include "core/alloc.h"
#include "core/str.h"

enum err model_init(struct model *m, const struct model_settings *set)
{
    memset(m, 0, sizeof *m);
    m->set = *set;
    m->last_good_mono = INT64_MIN;
    m->link_until_mono = NEVER_MONO;
    m->account_due_mono = NEVER_MONO;
    m->list_due_mono = NEVER_MONO;
    m->lines.limit = 20;
    m->next_call = 1;
    m->focused = true;
    m->dirty = true;
    m->width_cells = 80;
    m->height_cells = 24;
    retry_gate_init(&m->gate);
    m->start_due_mono = NEVER_MONO;
    start_clear(&m->start);
    edit_init(&m->shop.query, 200, true);
    edit_init(&m->palette, 80, true);
    for (size_t i = 0; i < sizeof m->form.field / sizeof m->form.field[0]; i++)
        edit_init(&m->form.field[i], 200, true);
    m->activity = alloc_zero(MODEL_ACTIVITY_MAX, sizeof *m->activity);
    return m->activity ? ERR_OK : ERR_MEMORY;
}

static void offer_fini(struct contract_follow_up_call *offer)
{
    alloc_free(offer->args);
    alloc_free(offer->why);
    memset(offer, 0, sizeof *offer);
}

static void purchase_fini(struct model_purchase *p)
{
    alloc_free(p->merchant_name);
    alloc_free(p->amount.display);
    contract_purchase_free(p->snap);
    alloc_free(p->action.url);
    alloc_free(p->action.message);
    offer_fini(&p->vault_offer);
    offer_fini(&p->feedback_offer);
    offer_fini(&p->retry_offer);
    alloc_free(p->next_args);
    alloc_free(p->rows);
    handout_free(p->handout);
    model_wipe_entry(p);
    for (size_t i = 0; i < MODEL_DRAFTS_MAX; i++) {
        edit_fini(&p->drafts[i].edit);
        alloc_free(p->drafts[i].sent);
    }
}

void model_take_account(struct contract_account **slot, struct contract_account *fresh)
{
    contract_account_free(*slot);
    *slot = fresh;
}

void model_fini(struct model *m)
{
    for (size_t i = 0; i < m->purchase_count; i++)
        purchase_fini(&m->purchases[i]);
    alloc_free(m->purchases);
    contract_account_free(m->account);
    contract_account_free(m->personal);
    list_lines_clear(m);
    start_clear(&m->start);
    shop_fini(&m->shop);
    alloc_free(m->activity);
    edit_fini(&m->palette);
    for (size_t i = 0; i < sizeof m->form.field / sizeof m->form.field[0]; i++)
        edit_fini(&m->form.field[i]);
    memset(m, 0, sizeof *m);
}

void model_set_text(char **slot, const char *text)
{
    char *copy = alloc_text(text);
    if (text && !copy)
        return;
    alloc_free(*slot);
    *slot = copy;
}

void model_trim(char *text)
{
    size_t at = strlen(text);
    size_t start = at;
    int32_t cp;
    while (start > 0 && at - start < 3 && ((unsigned char)text[start - 1] & 0xC0) == 0x80)
        start--;
    if (start > 0)
        start--;
    if (at > start && str_decode(text + start, at - start, &cp) > 0 && cp < 0)
        text[start] = '\0';
}

int64_t model_now_ms(const struct model *m)
{
    if (m->server_time_known)
        return m->now_mono + m->server_offset_ms;
    return clock_wall_ms();
}

const struct model_purchase *model_find_view(const struct model *m, const char *id)
{
    for (size_t i = 0; id && id[0] && i < m->purchase_count; i++)
        if (strcmp(m->purchases[i].id, id) == 0)
            return &m->purchases[i];
    return NULL;
}

struct model_purchase *model_find(struct model *m, const char *id)
{
    for (size_t i = 0; id && id[0] && i < m->purchase_count; i++)
        if (strcmp(m->purchases[i].id, id) == 0)
            return &m->purchases[i];
    return NULL;
}

const struct model_purchase *model_selected(const struct model *m)
{
    return model_find_view(m, m->selected);
}

struct model_purchase *model_add_purchase(struct model *m, const char *id, int64_t created_at_ms)
{
    struct model_purchase *found = model_find(m, id);
    if (found)
        return found;
    struct model_purchase *grown =
        alloc_zero(m->purchase_count + 1, sizeof *m->purchases);
    if (!grown)
        return NULL;
    size_t at = 0;
    while (at < m->purchase_count && m->purchases[at].created_at_ms >= created_at_ms)
        at++;
    if (at > 0)
        memcpy(grown, m->purchases, at * sizeof *grown);
    if (at < m->purchase_count)
        memcpy(grown + at + 1, m->purchases + at, (m->purchase_count - at) * sizeof *grown);
    alloc_free(m->purchases);
    m->purchases = grown;
    m->purchase_count++;
    struct model_purchase *p = &grown[at];
    memset(p, 0, sizeof *p);
    (void)str_copy(p->id, sizeof p->id, id);
    p->created_at_ms = created_at_ms;
    p->state.value = CONTRACT_ABSENT;
    p->checkout_by.value = CONTRACT_ABSENT;
    p->next_tool.value = CONTRACT_ABSENT;
    p->due_mono = NEVER_MONO;
    p->by_ms = CLOCK_NONE;
    p->hold_seconds = -1;
    p->last_good_mono = INT64_MIN;
    p->changed_at_ms = CLOCK_NONE;
    follow_begin(&p->memory);
    if (!m->selected[0])
        model_select(m, id);
    return p;
}

static bool matches(const struct model_purchase *p, const char *filter)
{
    if (!filter[0])
        return true;
    if (p->merchant_name && str_contains_nocase(p->merchant_name, filter))
        return true;
    if (p->snap && p->snap->description && str_contains_nocase(p->snap->description, filter))
        return true;
    const struct contract_row *row = contract_row(CONTRACT_KIND_STATE, p->state.value);
    if (row && str_contains_nocase(row->words, filter))
        return true;
    return str_contains_nocase(p->id, filter);
}

size_t model_visible(const struct model *m, const struct model_purchase **out, size_t max)
{
    const char *filter = m->view == MODEL_VIEW_PURCHASES ? m->filter : "";
    size_t n = 0;
    for (size_t i = 0; i < m->purchase_count; i++) {
        if (!matches(&m->purchases[i], filter))
            continue;
        if (n < max)
            out[n] = &m->purchases[i];
        n++;
    }
    return n;
}

void model_select(struct model *m, const char *id)
{
    if (strcmp(m->selected, id) == 0)
        return;
    model_mask(m);
    (void)str_copy(m->selected, sizeof m->selected, id);
    m->timeline_back = 0;
    m->editing = false;
    struct model_purchase *p = model_find(m, id);
    if (p)
        p->needs_look = false;
    m->dirty = true;
}

enum model_dialog model_dialog(const struct model *m)
{
    return m->dialog_count > 0 ? m->dialogs[m->dialog_count - 1] : MODEL_DIALOG_NONE;
}

void model_form_reset(struct model *m)
{
    for (size_t i = 0; i < sizeof m->form.field / sizeof m->form.field[0]; i++)
        edit_clear(&m->form.field[i]);
    m->form.field_count = 0;
    m->form.focus = 0;
    m->form.choice = 0;
    m->form.purchase[0] = '\0';
    m->form.question[0] = '\0';
    m->form.problem[0] = '\0';
}

void model_dialog_push(struct model *m, enum model_dialog d)
{
    if (m->dialog_count >= MODEL_DIALOG_DEPTH)
        return;
    model_mask(m);
    model_form_reset(m);
    m->dialogs[m->dialog_count++] = d;
    m->form.opened_mono = m->now_mono;
    (void)str_copy(m->form.purchase, sizeof m->form.purchase, m->selected);
    m->dirty = true;
}

void model_dialog_pop(struct model *m)
{
    if (m->dialog_count > 0)
        m->dialog_count--;
    model_form_reset(m);
    m->dirty = true;
}

void model_remove_dialogs(struct model *m)
{
    while (m->dialog_count > 0)
        model_dialog_pop(m);
}

void model_mask(struct model *m)
{
    if (m->reveal.on) {
        m->reveal.on = false;
        m->dirty = true;
    }
}

void model_wipe_entry(struct model_purchase *p)
{
    secret_free(p->secret_entry);
    p->secret_entry = NULL;
    p->secret_chars = 0;
    p->secret_question[0] = '\0';
}

void model_wipe_handout(struct model *m, struct model_purchase *p, const char *why)
{
    if (!p->handout)
        return;
    if (m->reveal.on && strcmp(m->reveal.purchase, p->id) == 0)
        model_mask(m);
    handout_free(p->handout);
    p->handout = NULL;
    model_add_row(m, p, TIMELINE_LOCAL, "Payment details wiped from memory: %s.", why);
    m->dirty = true;
}

void model_wipe_secrets(struct model *m, const char *why)
{
    model_mask(m);
    for (size_t i = 0; i < m->purchase_count; i++) {
        model_wipe_handout(m, &m->purchases[i], why);
        model_wipe_entry(&m->purchases[i]);
    }
    model_take_account(&m->personal, NULL);
}

void model_say(struct model *m, bool warning, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(m->news.text, sizeof m->news.text, fmt, ap);
    va_end(ap);
    model_trim(m->news.text);
    m->news.warning = warning;
    m->news.until_mono = m->now_mono + MODEL_NEWS_MS;
    m->dirty = true;
}

struct model_draft *model_draft(struct model_purchase *p, const char *question)
{
    struct model_draft *free_slot = NULL;
    for (size_t i = 0; i < MODEL_DRAFTS_MAX; i++) {
        struct model_draft *d = &p->drafts[i];
        if (strcmp(d->question, question) == 0 && d->question[0])
            return d;
        bool reusable = !d->question[0] || (d->closed && edit_is_empty(&d->edit));
        if (!free_slot && reusable)
            free_slot = d;
    }
    if (!free_slot) /* all hold words of closed questions: the oldest goes */
        free_slot = &p->drafts[0];
    edit_fini(&free_slot->edit);
    alloc_free(free_slot->sent);
    memset(free_slot, 0, sizeof *free_slot);
    edit_init(&free_slot->edit, CONTRACT_ANSWER_MAX, false);
    (void)str_copy(free_slot->question, sizeof free_slot->question, question);
    return free_slot;
}

const struct model_draft *model_draft_view(const struct model_purchase *p, const char *question)
{
    for (size_t i = 0; i < MODEL_DRAFTS_MAX; i++)
        if (p->drafts[i].question[0] && strcmp(p->drafts[i].question, question) == 0)
            return &p->drafts[i];
    return NULL;
}

bool model_has_drafts(const struct model *m)
{
    for (size_t i = 0; i < m->purchase_count; i++) {
        const struct model_purchase *p = &m->purchases[i];
        if (p->secret_chars > 0)
            return true;
        for (size_t k = 0; k < MODEL_DRAFTS_MAX; k++)
            if (p->drafts[k].question[0] && !p->drafts[k].closed &&
                !edit_is_empty(&p->drafts[k].edit))
                return true;
    }
    return false;
}

void model_push_row(struct model_purchase *p, const struct timeline_row *row)
{
    if (p->row_count == MODEL_ROWS_MAX) {
        memmove(p->rows, p->rows + 1, (p->row_count - 1) * sizeof *p->rows);
        p->row_count--;
        p->rows_dropped++;
    }
    struct timeline_row *rows = alloc_grow(p->rows, (p->row_count + 1) * sizeof *rows);
    if (!rows)
        return;
    p->rows = rows;
    p->rows[p->row_count++] = *row;
}

void model_add_row(struct model *m, struct model_purchase *p, enum timeline_kind kind,
                   const char *fmt, ...)
{
    struct timeline_row row = {.at_ms = model_now_ms(m), .kind = kind};
    row.state.value = CONTRACT_ABSENT;
    row.money.value = CONTRACT_ABSENT;
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(row.text, sizeof row.text, fmt, ap);
    va_end(ap);
    model_trim(row.text);
    model_push_row(p, &row);
    m->dirty = true;
}
