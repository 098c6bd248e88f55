/* SPDX-License-Identifier: Apache-2.0 */
/* What an earlier run left behind: writes without a known outcome, and timelines. Such a write is
 * resolved by reading its purchase, or its key when it was a start; it is never sent again by
 * itself and never under another key. */
#include <stdio.h>
#include <string.h>

#include "app/start_internal.h"
#include "core/alloc.h"
#include "core/clock.h"
#include "core/money.h"
#include "core/str.h"

static enum model_write_kind kind_of(const struct journal_write *w)
{
    switch (w->tool) {
    case CONTRACT_TOOL_REPORT_CHECKOUT_RESULT:
        return MODEL_WRITE_REPORT;
    case CONTRACT_TOOL_REPORT_CHECKOUT_STEP:
        return MODEL_WRITE_STEP;
    case CONTRACT_TOOL_CANCEL_PURCHASE:
        return MODEL_WRITE_CANCEL;
    case CONTRACT_TOOL_SUBMIT_ANSWER:
    case CONTRACT_TOOL_ANSWER_PURCHASE_QUESTION:
        if (strcmp(w->question, VAULT_QUESTION) == 0)
            return MODEL_WRITE_VAULT;
        return str_starts(w->question, "feedback") ? MODEL_WRITE_FEEDBACK : MODEL_WRITE_ANSWER;
    default:
        return MODEL_WRITE_KIND_COUNT;
    }
}

static uint64_t recover_start(struct model *m, const struct journal_write *w)
{
    struct start_form *f = &m->start;
    char amount[MONEY_TEXT_MAX];
    if (!w->key[0])
        return 0;
    if (f->state == START_SENT || f->state == START_UNKNOWN) { /* one at a time */
        m->recover_again = true;
        return 0;
    }
    start_clear(f);
    (void)str_copy(f->key, sizeof f->key, w->key);
    f->state = START_UNKNOWN;
    f->recovered = true;
    f->sent_at_ms = w->at_ms;
    f->intent = m->next_call++;
    money_format(amount, w->amount_minor >= 0 ? w->amount_minor : 0, m->set.ascii);
    snprintf(f->text, sizeof f->text,
             "An earlier run asked to start %s at %.100s and saw no reply. It is read by its key; "
             "nothing is sent again.",
             w->amount_minor >= 0 ? amount : "a purchase",
             w->merchant[0] ? w->merchant : "a merchant");
    m->start_due_mono = m->now_mono;
    model_say(m, true, "A start from before has no known outcome. It is read now.");
    return f->intent;
}

uint64_t app_recover(struct model *m, const struct journal_write *w)
{
    char at[CLOCK_TEXT_MAX];
    if (w->tool == CONTRACT_TOOL_START_PURCHASE)
        return recover_start(m, w);
    enum model_write_kind kind = kind_of(w);
    if (kind == MODEL_WRITE_KIND_COUNT || !w->purchase[0])
        return 0;
    struct model_purchase *p = model_add_purchase(m, w->purchase, w->at_ms);
    if (!p)
        return 0;
    struct model_write *own = &p->writes[kind];
    if (own->state == MODEL_WRITE_SENT)
        return 0;
    memset(own, 0, sizeof *own);
    own->state = MODEL_WRITE_UNKNOWN;
    own->outcome = w->outcome;
    own->failure = w->failure;
    own->step = w->step;
    own->sent_at_ms = w->at_ms;
    own->ended_at_ms = w->at_ms;
    own->ended_mono = m->now_mono;
    own->intent = m->next_call++;
    (void)str_copy(own->key, sizeof own->key, w->key);
    (void)str_copy(own->question, sizeof own->question, w->question);
    (void)str_copy(own->attempt_id, sizeof own->attempt_id, w->attempt);
    if (w->attempt[0] && kind == MODEL_WRITE_REPORT) {
        (void)str_copy(p->attempt_id, sizeof p->attempt_id, w->attempt);
        p->attempt_used = true;
    }
    contract_support_ref(own->support, w->request_id[0] ? w->request_id : w->purchase);
    clock_local_date_hm(at, w->at_ms);
    snprintf(own->text, sizeof own->text,
             "An earlier run sent this at %s and saw no reply. Envoy may have it; it was not sent "
             "again.",
             at);
    model_add_row(m, p, TIMELINE_WARNING, "%s", own->text);
    if (kind != MODEL_WRITE_STEP) /* a ready purchase is not read for one */
        follow_recover(m, p);
    return own->intent;
}

void app_recover_done(struct model *m, size_t other_account)
{
    m->other_account = other_account;
    if (other_account > 0)
        model_say(m, true,
                  "%zu unresolved %s to another account and %s not touched here.", other_account,
                  other_account == 1 ? "write belongs" : "writes belong",
                  other_account == 1 ? "is" : "are");
}

bool model_row_stands(const struct model_purchase *p, const struct timeline_row *row)
{
    for (size_t i = 0; i < p->row_count; i++)
        if (p->rows[i].at_ms == row->at_ms && p->rows[i].kind == row->kind &&
            strcmp(p->rows[i].text, row->text) == 0)
            return true;
    return false;
}

void app_add_history(struct model *m, struct model_purchase *p, const struct timeline_row *rows,
                     size_t count)
{
    size_t room = MODEL_ROWS_MAX > p->row_count ? MODEL_ROWS_MAX - p->row_count : 0;
    size_t first = count > room ? count - room : 0, added = 0;
    struct timeline_row *all = alloc_zero(p->row_count + count + 1, sizeof *all);
    if (!all)
        return;
    for (size_t i = first; i < count; i++)
        if (!model_row_stands(p, &rows[i]))
            all[added++] = rows[i];
    if (p->row_count > 0)
        memcpy(all + added, p->rows, p->row_count * sizeof *all);
    alloc_free(p->rows);
    p->rows = all;
    p->row_count += added;
    p->rows_saved += added;
    m->dirty = true;
}

void app_journal_state(struct model *m, enum journal_mode mode, const char *words)
{
    (void)str_copy(m->journal_words, sizeof m->journal_words, words);
    bool was_shut = m->journal_read_only || m->journal_off;
    m->journal_read_only = mode == JOURNAL_READ_ONLY;
    m->journal_off = mode == JOURNAL_OFF;
    if (words[0])
        model_say(m, true, "%s", words);
    else if (was_shut && mode == JOURNAL_READ_WRITE)
        model_say(m, false, "The journal can be written again; this console can send.");
    m->dirty = true;
}

bool model_may_write(const struct model *m)
{
    return !m->set.read_only && !m->journal_read_only && !m->journal_off;
}

const char *model_refusal_words(const struct model *m, enum policy_reason reason)
{
    return reason == POLICY_NO_JOURNAL && m->journal_words[0] ? m->journal_words
                                                              : policy_words(reason);
}

void model_note_outcome(struct model *m, uint64_t intent, enum journal_state state,
                        const struct envoy_result *r, const char *purchase)
{
    if (intent == 0 || m->outcome_count == MODEL_OUTCOMES_MAX) /* unnoted: stays unresolved, safe */
        return;
    struct model_outcome *o = &m->outcomes[m->outcome_count++];
    memset(o, 0, sizeof *o);
    o->intent = intent;
    o->state = state;
    o->code = CONTRACT_ABSENT;
    o->at_ms = model_now_ms(m);
    if (purchase)
        (void)str_copy(o->purchase, sizeof o->purchase, purchase);
    if (!r)
        return;
    o->http_status = r->http_status;
    (void)str_copy(o->request_id, sizeof o->request_id, r->request_id);
    if (r->reply && r->reply->error.present)
        o->code = r->reply->error.code.value;
}

void model_flush_outcomes(struct model *m, struct effects *fx)
{
    size_t done = 0;
    while (done < m->outcome_count) {
        struct effect *e = effects_add(fx, EFFECT_OUTCOME);
        if (!e)
            break;
        e->call = m->outcomes[done].intent;
        e->outcome = m->outcomes[done++];
    }
    m->outcome_count -= done;
    memmove(m->outcomes, m->outcomes + done, m->outcome_count * sizeof m->outcomes[0]);
}
