/* SPDX-License-Identifier: Apache-2.0 */
/* The journal's side of the loop. Knows which row belongs to which of the model's calls. Invariant:
 * a call with an intent goes out only after its row is on the disk. */
#include "loop_journal.h"

#include <stdio.h>
#include <string.h>

#include "core/alloc.h"
#include "core/clock.h"
#include "core/log.h"
#include "core/str.h"

static const char *const row_kinds[] = {
    [TIMELINE_STATE] = "state",       [TIMELINE_MONEY] = "money", [TIMELINE_ROUTE] = "route",
    [TIMELINE_QUESTION] = "question", [TIMELINE_ORDER] = "order", [TIMELINE_ACCESS] = "access",
    [TIMELINE_REPLACED] = "replaced", [TIMELINE_LOCAL] = "local", [TIMELINE_WARNING] = "warning",
};
static const char no_journal[] =
    "Journal: no place for it (HOME is not set), so nothing is sent from here.";
/* How often a journal that cannot be written is tried again. Looking at a lock costs nothing;
 * another trouble may mean reading the whole file. */
#define RETRY_HELD_MS  1000
#define RETRY_OTHER_MS 15000
#define ROW_KINDS      (sizeof row_kinds / sizeof row_kinds[0])

void loop_journal_init(struct loop_journal *l, struct journal *j)
{
    memset(l, 0, sizeof *l);
    l->j = j;
    l->tried_mono = clock_mono_ms();
}

static void remember(struct loop_journal *l, uint64_t call, int64_t row)
{
    if (l->count == LOOP_JOURNAL_OPEN_MAX) /* the oldest stays unresolved on disk: safe */
        memmove(l->map, l->map + 1, --l->count * sizeof l->map[0]);
    l->map[l->count].call = call;
    l->map[l->count].row = row;
    l->count++;
}

static int64_t row_of(const struct loop_journal *l, uint64_t call)
{
    for (size_t i = 0; i < l->count; i++)
        if (l->map[i].call == call)
            return l->map[i].row;
    return 0;
}

static void forget(struct loop_journal *l, uint64_t call)
{
    for (size_t i = 0; i < l->count; i++) {
        if (l->map[i].call != call)
            continue;
        l->map[i] = l->map[--l->count];
        return;
    }
}

static const char *given(const char *text)
{
    return text[0] ? text : NULL;
}

bool loop_journal_intent(struct loop_journal *l, const struct effect *e,
                         char why[JOURNAL_WORDS_MAX])
{
    const struct effect_intent *in = &e->intent;
    bool start = e->tool == CONTRACT_TOOL_START_PURCHASE;
    if (!in->wanted)
        return true;
    if (!l->j) {
        (void)str_copy(why, JOURNAL_WORDS_MAX, no_journal);
        return false;
    }
    if (journal_status_view(l->j)->mode == JOURNAL_OFF) {
        (void)str_copy(why, JOURNAL_WORDS_MAX, journal_status_view(l->j)->words);
        return false;
    }
    if (!l->recovered) { /* what is unresolved from before comes first */
        (void)str_copy(why, JOURNAL_WORDS_MAX,
                       "the journal is not read yet; nothing was sent, try again");
        return false;
    }
    struct journal_intent intent = {
        .tool = e->tool,
        .account = in->account,
        .key = given(in->key),
        .purchase = given(in->purchase),
        .question = given(in->question),
        .attempt = given(in->attempt),
        .outcome = in->outcome,
        .failure = in->failure,
        .step = in->step,
        .at_ms = in->at_ms,
        .input = start ? buf_view(&e->body) : NULL,
        .input_len = start ? e->body.len : 0,
        .merchant = given(in->merchant),
        .amount_minor = in->amount_minor,
    };
    int64_t row = 0;
    if (journal_intent(l->j, &intent, &row, why) != ERR_OK)
        return false;
    remember(l, e->call, row);
    return true;
}

void loop_journal_sent(struct loop_journal *l, const struct effect *e)
{
    int64_t row = row_of(l, e->call);
    if (row && journal_sent(l->j, row, e->intent.at_ms) != ERR_OK)
        log_line(LOG_WARN, "journal: a sent write stays noted as about to be sent");
}

void loop_journal_outcome(struct loop_journal *l, const struct effect *e)
{
    const struct model_outcome *o = &e->outcome;
    int64_t row = row_of(l, e->call);
    enum err result;
    if (!row)
        return;
    if (o->state == JOURNAL_UNKNOWN) {
        result = journal_unknown(l->j, row, o->at_ms);
    } else {
        struct journal_outcome outcome = {
            .state = o->state,
            .purchase = given(o->purchase),
            .code = o->code,
            .http_status = o->http_status,
            .request_id = given(o->request_id),
            .at_ms = o->at_ms,
        };
        result = journal_outcome(l->j, row, &outcome);
        if (result == ERR_OK)
            forget(l, e->call);
    }
    if (result != ERR_OK)
        log_line(LOG_WARN, "journal: an outcome could not be noted (%s)", err_name(result));
}

struct recover {
    struct loop_journal *l;
    struct model *m;
    size_t other_account;
};

static bool is_known(const struct loop_journal *l, int64_t row)
{
    for (size_t i = 0; i < l->count; i++)
        if (l->map[i].row == row)
            return true;
    return false;
}

static bool recover_one(void *ctx, const struct journal_write *w)
{
    struct recover *r = ctx;
    if (is_known(r->l, w->id)) /* of this run: the journal was only opened again */
        return true;
    if (strcmp(w->account, r->m->account_id) != 0) {
        r->other_account++;
        return true;
    }
    uint64_t call = app_recover(r->m, w);
    if (call)
        remember(r->l, call, w->id);
    return true;
}

static void recover(struct loop_journal *l, struct model *m)
{
    struct journal_filter filter = {.unresolved = true, .since_ms = CLOCK_NONE};
    struct recover r = {.l = l, .m = m};
    if (journal_each_write(l->j, &filter, recover_one, &r) != ERR_OK)
        return;
    l->recovered = true;
    app_recover_done(m, r.other_account);
}

static enum timeline_kind kind_of(const char *word)
{
    for (size_t i = 0; i < ROW_KINDS; i++)
        if (row_kinds[i] && strcmp(row_kinds[i], word) == 0)
            return (enum timeline_kind)i;
    return TIMELINE_LOCAL;
}

static bool load_rows(struct loop_journal *l, struct model *m, struct model_purchase *p)
{
    bool loaded = false;
    struct journal_row *stored = alloc_zero(JOURNAL_ROWS_PURCHASE, sizeof *stored);
    struct timeline_row *rows = alloc_zero(JOURNAL_ROWS_PURCHASE, sizeof *rows);
    size_t count = 0;
    if (stored && rows &&
        journal_load_rows(l->j, m->account_id, p->id, stored, JOURNAL_ROWS_PURCHASE, &count) ==
            ERR_OK) {
        for (size_t i = 0; i < count; i++) {
            rows[i].at_ms = stored[i].at_ms;
            rows[i].kind = kind_of(stored[i].kind);
            rows[i].state = stored[i].state;
            rows[i].money = stored[i].money;
            (void)str_copy(rows[i].text, sizeof rows[i].text, stored[i].text);
        }
        app_add_history(m, p, rows, count);
        loaded = true;
    }
    alloc_free(stored);
    alloc_free(rows);
    /* Without a journal to ask there is nothing to wait for. */
    return loaded || journal_status_view(l->j)->mode == JOURNAL_OFF;
}

static void save_rows(struct loop_journal *l, struct model *m, struct model_purchase *p)
{
    size_t end = p->rows_dropped + p->row_count;
    size_t from = p->rows_saved > p->rows_dropped ? p->rows_saved - p->rows_dropped : 0;
    size_t count = p->row_count > from ? p->row_count - from : 0;
    struct journal_row *rows = count > 0 ? alloc_zero(count, sizeof *rows) : NULL;
    if (rows) {
        for (size_t i = 0; i < count; i++) {
            const struct timeline_row *t = &p->rows[from + i];
            rows[i].at_ms = t->at_ms;
            (void)str_copy(rows[i].kind, sizeof rows[i].kind, row_kinds[t->kind]);
            rows[i].state = t->state;
            rows[i].money = t->money;
            (void)str_copy(rows[i].text, sizeof rows[i].text, t->text);
        }
        if (journal_add_rows(l->j, m->account_id, p->id, rows, count) != ERR_OK)
            log_line(LOG_DEBUG, "journal: timeline rows were not kept");
    }
    alloc_free(rows);
    p->rows_saved = end; /* rows that could not be kept are not tried for ever */
}

static void tell_state(struct loop_journal *l, struct model *m)
{
    const struct journal_status *s = journal_status_view(l->j);
    if (strcmp(l->told, s->words) == 0)
        return;
    (void)str_copy(l->told, sizeof l->told, s->words);
    app_journal_state(m, s->mode, s->words);
}

/* Opened again: what another console left there is to be taken up before anything is sent. */
static void notice_opening(struct loop_journal *l, struct model *m)
{
    unsigned opened = journal_status_view(l->j)->opened;
    if (opened == l->opened)
        return;
    l->opened = opened;
    l->recovered = false;
    for (size_t i = 0; i < m->purchase_count; i++)
        m->purchases[i].history_loaded = false;
}

void loop_journal_retry(struct loop_journal *l, struct model *m)
{
    const struct journal_status *s = l->j ? journal_status_view(l->j) : NULL;
    if (!s || !s->can_retry || s->mode == JOURNAL_READ_WRITE)
        return;
    int64_t now = clock_mono_ms();
    if (now - l->tried_mono < (s->holder_pid > 0 ? RETRY_HELD_MS : RETRY_OTHER_MS))
        return;
    l->tried_mono = now;
    journal_reopen(l->j);
    loop_journal_sync(l, m); /* before a key of this pass can send something */
}

void loop_journal_sync(struct loop_journal *l, struct model *m)
{
    if (!l->j) {
        if (!l->told[0])
            app_journal_state(m, JOURNAL_OFF, no_journal);
        (void)str_copy(l->told, sizeof l->told, no_journal);
        return;
    }
    tell_state(l, m);
    notice_opening(l, m);
    if (!m->account_id[0])
        return;
    if (m->recover_again && m->start.state != START_SENT && m->start.state != START_UNKNOWN) {
        m->recover_again = false;
        l->recovered = false;
    }
    if (!l->recovered)
        recover(l, m);
    for (size_t i = 0; i < m->purchase_count; i++) {
        struct model_purchase *p = &m->purchases[i];
        if (!p->history_loaded)
            p->history_loaded = load_rows(l, m, p);
        if (p->rows_saved < p->rows_dropped + p->row_count)
            save_rows(l, m, p);
    }
}
