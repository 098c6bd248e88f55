/* SPDX-License-Identifier: Apache-2.0 */
/* What came of a write: from its reply, or, when that was lost, from reading the purchase. Sends
 * nothing. Invariant: an outcome is told only as far as a reply or a snapshot shows it; that nothing
 * came of a write is shown only by a read that began after its reply was lost. */
#include "app/internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/alloc.h"
#include "core/str.h"

static bool counts_as_unknown(enum model_write_kind kind)
{
    return kind != MODEL_WRITE_STEP && kind != MODEL_WRITE_FEEDBACK;
}

bool write_is_unknown(const struct model_purchase *p)
{
    for (size_t i = 0; i < MODEL_WRITE_KIND_COUNT; i++)
        if (p->writes[i].state == MODEL_WRITE_UNKNOWN && counts_as_unknown((enum model_write_kind)i))
            return true;
    return false;
}

static const char *const kind_words[MODEL_WRITE_KIND_COUNT] = {
    [MODEL_WRITE_ANSWER] = "answer",   [MODEL_WRITE_FEEDBACK] = "feedback",
    [MODEL_WRITE_VAULT] = "vault save", [MODEL_WRITE_REPORT] = "report",
    [MODEL_WRITE_STEP] = "step",       [MODEL_WRITE_CANCEL] = "cancel",
};

static void end(struct model *m, struct model_purchase *p, struct model_write *w,
                enum model_write_state state, bool row, const char *fmt, ...) PRINTF_LIKE(6, 7);
static void end(struct model *m, struct model_purchase *p, struct model_write *w,
                enum model_write_state state, bool row, const char *fmt, ...)
{
    va_list ap;
    w->state = state;
    w->call = 0;
    w->ended_at_ms = model_now_ms(m);
    w->ended_mono = m->now_mono;
    va_start(ap, fmt);
    vsnprintf(w->text, sizeof w->text, fmt, ap);
    va_end(ap);
    model_trim(w->text);
    bool warn = state == MODEL_WRITE_REFUSED || state == MODEL_WRITE_UNKNOWN;
    if (row)
        model_add_row(m, p, warn ? TIMELINE_WARNING : TIMELINE_LOCAL, "%s", w->text);
    m->dirty = true;
}

/* The purchase is read for what counts. A step counts for nothing, and reading a ready purchase for
 * it would hand its details out again. */
static void lost(struct model *m, struct model_purchase *p, struct model_write *w,
                 enum model_write_kind kind, const char *why)
{
    end(m, p, w, MODEL_WRITE_UNKNOWN, true,
        "The reply to your %s was lost (%s). Envoy may have it; it was not sent again.",
        kind_words[kind], why);
    if (counts_as_unknown(kind))
        follow_recover(m, p);
}

/* What Envoy has recorded need not be kept here for another try. */
static void forget_words(struct model_purchase *p, const struct model_write *w)
{
    for (size_t i = 0; i < MODEL_DRAFTS_MAX; i++) {
        struct model_draft *d = &p->drafts[i];
        if (!d->question[0] || strcmp(d->question, w->question) != 0)
            continue;
        edit_clear(&d->edit);
        alloc_free(d->sent);
        d->sent = NULL;
        d->sent_key[0] = '\0';
    }
}

static void apply_good(struct model *m, struct model_purchase *p, struct model_write *w,
                       enum model_write_kind kind, const struct contract_reply *reply)
{
    if (kind == MODEL_WRITE_STEP && w->step >= 0)
        p->steps_done |= 1u << w->step;
    if (kind == MODEL_WRITE_ANSWER || kind == MODEL_WRITE_FEEDBACK)
        forget_words(p, w);
    if (reply->replayed)
        end(m, p, w, MODEL_WRITE_REPLAYED, true, "Envoy had recorded this %s already.",
            kind_words[kind]);
    else
        end(m, p, w, MODEL_WRITE_DONE, kind != MODEL_WRITE_STEP, "Envoy recorded the %s.",
            kind_words[kind]);
    model_say(m, false, "%s", w->text);
}

static void apply_error(struct model *m, struct model_purchase *p, struct model_write *w,
                        enum model_write_kind kind, const struct contract_reply *reply)
{
    const struct contract_error *e = &reply->error;
    bool read_first = reply->next.action.value == CONTRACT_ACTION_CALL_TOOL;
    if (e->code.value == CONTRACT_CODE_UNAVAILABLE && (read_first || e->retryable)) {
        lost(m, p, w, kind, "Envoy could not say whether it was recorded");
        return;
    }
    char code[96];
    /* Envoy's sentence may repeat what was sent, so it stays on screen and out of the timeline, which
     * is kept on disk. */
    model_add_row(m, p, TIMELINE_WARNING, "The %s was refused: %s.", kind_words[kind],
                  contract_words(CONTRACT_KIND_CODE, &e->code, code, sizeof code, "no reason given"));
    if (e->field_count > 0)
        end(m, p, w, MODEL_WRITE_REFUSED, false, "Refused: %s (%s: %s)", e->message,
            e->fields[0].path, e->fields[0].problem);
    else if (e->code.value == CONTRACT_CODE_STATE_CONFLICT && kind == MODEL_WRITE_ANSWER)
        end(m, p, w, MODEL_WRITE_REFUSED, false,
            "Not taken: that question was already answered or is closed. %s", e->message);
    else
        end(m, p, w, MODEL_WRITE_REFUSED, false, "Refused: %s", e->message);
    model_say(m, true, "%s", w->text);
    bool ready = p->state.value == CONTRACT_STATE_READY;
    if (e->code.value == CONTRACT_CODE_STATE_CONFLICT && !ready && !p->read_call)
        follow_want_read(m, p, 0);
}

/* For the journal: what the write has come to. r NULL: a read told it. */
static void note(struct model *m, const struct model_write *w, const struct envoy_result *r)
{
    static const enum journal_state states[] = {
        [MODEL_WRITE_NONE] = JOURNAL_UNKNOWN,      [MODEL_WRITE_SENT] = JOURNAL_SENT,
        [MODEL_WRITE_DONE] = JOURNAL_DONE,         [MODEL_WRITE_REPLAYED] = JOURNAL_REPLAYED,
        [MODEL_WRITE_REFUSED] = JOURNAL_REFUSED,   [MODEL_WRITE_UNKNOWN] = JOURNAL_UNKNOWN,
        [MODEL_WRITE_SETTLED] = JOURNAL_SETTLED,
    };
    bool stayed_here = w->state == MODEL_WRITE_REFUSED && r && r->outcome != ENVOY_REPLY;
    model_note_outcome(m, w->intent, stayed_here ? JOURNAL_NOT_SENT : states[w->state], r, NULL);
}

void write_apply(struct model *m, struct model_purchase *p, struct model_call *call,
                 struct envoy_result *r)
{
    struct model_write *w = &p->writes[call->write];
    if (w->state != MODEL_WRITE_SENT || w->call != call->id)
        return;
    const char *id = r->request_id[0] ? r->request_id : p->id;
    contract_support_ref(w->support, id);
    if (r->outcome == ENVOY_REPLY && r->reply->ok) {
        apply_good(m, p, w, call->write, r->reply);
    } else if (r->outcome == ENVOY_REPLY) {
        apply_error(m, p, w, call->write, r->reply);
    } else if (r->may_have_arrived) {
        lost(m, p, w, call->write, envoy_result_words(r));
    } else {
        end(m, p, w, MODEL_WRITE_REFUSED, true, "The %s did not leave this computer (%s).",
            kind_words[call->write],
            r->outcome == ENVOY_NOT_SENT && r->why[0] ? r->why : envoy_result_words(r));
        model_say(m, true, "%s", w->text);
    }
    note(m, w, r);
}

static void settle_answer(struct model *m, struct model_purchase *p, struct model_write *w,
                          bool later)
{
    const struct contract_question *q = model_open_question(p);
    bool same = q && strcmp(q->id, w->question) == 0;
    if (!same)
        end(m, p, w, MODEL_WRITE_SETTLED, true,
            "Read again: that question is no longer open. It was answered or has moved on.");
    else if (later)
        end(m, p, w, MODEL_WRITE_SETTLED, true,
            "Read again: the question is still open, so the answer was not recorded.");
}

static void settle_report(struct model *m, struct model_purchase *p, struct model_write *w,
                          bool later)
{
    char text[96];
    const char *words =
        contract_words(CONTRACT_KIND_STATE, &p->state, text, sizeof text, "unknown");
    int state = p->state.value;
    bool recorded = state == CONTRACT_STATE_VERIFYING || state == CONTRACT_STATE_COMPLETED;
    if (recorded)
        end(m, p, w, MODEL_WRITE_DONE, true, "Read again: Envoy has a report, it reads %s.", words);
    else if (state != CONTRACT_STATE_READY)
        end(m, p, w, MODEL_WRITE_SETTLED, true, "Read again: it is no longer ready, it reads %s.",
            words);
    else if (later)
        end(m, p, w, MODEL_WRITE_SETTLED, true,
            "Read again: still ready, so the report was not recorded. Do not pay again; report it "
            "again.");
}

/* Called with each new snapshot. later: the read began after the write's reply was lost, so that
 * "unchanged" is news too. */
void write_settle(struct model *m, struct model_purchase *p, const struct model_call *call)
{
    for (size_t i = 0; i < MODEL_WRITE_KIND_COUNT; i++) {
        struct model_write *w = &p->writes[i];
        if (w->state != MODEL_WRITE_UNKNOWN)
            continue;
        bool later = call->purpose != MODEL_CALL_WRITE && call->started_mono > w->ended_mono;
        bool closing = contract_state_is_terminal(p->state.value) ||
                       p->state.value == CONTRACT_STATE_VERIFYING;
        switch ((enum model_write_kind)i) {
        case MODEL_WRITE_ANSWER:
            settle_answer(m, p, w, later);
            break;
        case MODEL_WRITE_REPORT:
            settle_report(m, p, w, later);
            break;
        case MODEL_WRITE_CANCEL:
            if (closing)
                end(m, p, w, MODEL_WRITE_SETTLED, true, "Read again: the purchase is ending.");
            else if (later)
                end(m, p, w, MODEL_WRITE_SETTLED, true, "Read again: it was not cancelled.");
            break;
        case MODEL_WRITE_VAULT:
        case MODEL_WRITE_FEEDBACK:
        case MODEL_WRITE_STEP:
        case MODEL_WRITE_KIND_COUNT:
            if (later)
                end(m, p, w, MODEL_WRITE_SETTLED, i == MODEL_WRITE_VAULT,
                    "Read again after the lost reply; the purchase shows where it stands.");
            break;
        }
        if (w->state != MODEL_WRITE_UNKNOWN)
            note(m, w, NULL);
    }
}
