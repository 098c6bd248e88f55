/* SPDX-License-Identifier: Apache-2.0 */
/* How the model reads: the words and glyphs that list, live line and header show. Pure functions of
 * the model. Invariant: an unknown, stale or stopped thing never reads as live, done or failed. */
#include "app/model.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "app/internal.h"
#include "core/clock.h"
#include "core/money.h"
#include "core/str.h"

static void append(char *out, size_t size, const char *fmt, ...) PRINTF_LIKE(3, 4);
static void append(char *out, size_t size, const char *fmt, ...)
{
    size_t used = strlen(out);
    if (used + 1 >= size)
        return;
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(out + used, size - used, fmt, ap);
    va_end(ap);
}

const struct contract_question *model_open_question(const struct model_purchase *p)
{
    if (!p || !p->snap || !p->snap->question.open)
        return NULL;
    int s = p->snap->state.value;
    if (s != CONTRACT_STATE_NEEDS_ANSWER && s != CONTRACT_STATE_NEEDS_DETAILS)
        return NULL;
    return &p->snap->question;
}

bool model_is_stale(const struct model *m, const struct model_purchase *p)
{
    (void)m;
    return p->missed >= 2 && !contract_state_is_terminal(p->state.value);
}

bool model_needs_person(const struct model *m, const struct model_purchase *p)
{
    if (write_is_unknown(p) || p->stop == FOLLOW_NEEDS_SUPPORT)
        return true;
    (void)m;
    switch (p->state.value) {
    case CONTRACT_STATE_NEEDS_ANSWER:
    case CONTRACT_STATE_NEEDS_DETAILS:
    case CONTRACT_STATE_WAITING_FOR_USER:
    case CONTRACT_STATE_READY:
        return true;
    default:
        return false;
    }
}

size_t model_count_needing(const struct model *m)
{
    size_t n = 0;
    for (size_t i = 0; i < m->purchase_count; i++)
        n += model_needs_person(m, &m->purchases[i]) ? 1 : 0;
    return n;
}

size_t model_count_held(const struct model *m)
{
    size_t n = 0;
    for (size_t i = 0; i < m->call_count; i++)
        n += m->calls[i].held ? 1 : 0;
    return n;
}

size_t model_count_open_questions(const struct model *m)
{
    size_t n = 0;
    for (size_t i = 0; i < m->purchase_count; i++)
        n += model_open_question(&m->purchases[i]) ? 1 : 0;
    return n;
}

int model_calls_last_minute(const struct model *m)
{
    return retry_gate_used(&m->gate, m->now_mono);
}

enum model_need model_need(const struct model *m, const struct model_purchase *p)
{
    (void)m;
    if (write_is_unknown(p))
        return MODEL_NEED_UNKNOWN;
    if (model_open_question(p))
        return MODEL_NEED_QUESTION;
    if (p->state.value == CONTRACT_STATE_READY || p->handout)
        return MODEL_NEED_HANDOUT;
    if (p->state.value == CONTRACT_STATE_WAITING_FOR_USER && p->snap)
        return MODEL_NEED_TASK;
    if (p->snap && p->snap->follow_up.open &&
        p->writes[MODEL_WRITE_FEEDBACK].state != MODEL_WRITE_DONE &&
        p->writes[MODEL_WRITE_FEEDBACK].state != MODEL_WRITE_REPLAYED)
        return MODEL_NEED_FEEDBACK;
    return MODEL_NEED_FACTS;
}

static bool money_unknown_at_end(const struct model_purchase *p)
{
    return p->snap && p->snap->terminal &&
           (p->snap->money.value == CONTRACT_MONEY_UNKNOWN || p->snap->money.value < 0 ||
            p->snap->reason.value == CONTRACT_REASON_ORDER_OUTCOME_UNKNOWN);
}

enum contract_glyph model_glyph(const struct model *m, const struct model_purchase *p)
{
    if (write_is_unknown(p) || p->stop == FOLLOW_NEEDS_SUPPORT || money_unknown_at_end(p))
        return CONTRACT_GLYPH_UNKNOWN;
    if (model_is_stale(m, p))
        return CONTRACT_GLYPH_STALE;
    const struct contract_row *row = contract_row(CONTRACT_KIND_STATE, p->state.value);
    if (!row)
        return CONTRACT_GLYPH_UNKNOWN;
    if (p->snap && p->state.value == CONTRACT_STATE_WAITING_FOR_USER)
        return CONTRACT_GLYPH_OWNER;
    if (follow_stop_is_open(p->stop) && p->stop != FOLLOW_GOING)
        return CONTRACT_GLYPH_UNKNOWN;
    return row->glyph;
}

static void ready_words(const struct model_purchase *p, char *out, size_t size)
{
    bool reported = p->writes[MODEL_WRITE_REPORT].state == MODEL_WRITE_SENT;
    if (reported)
        (void)str_copy(out, size, "sending your report");
    else if (p->snap && p->snap->payment_kind.value == CONTRACT_PAYMENT_KIND_GIFT_CARD)
        (void)str_copy(out, size, p->handout ? "your gift card is ready" : "gift card ready");
    else
        (void)str_copy(out, size, p->handout ? "your card is ready" : "card ready");
}

static void terminal_words(const struct model_purchase *p, char *out, size_t size)
{
    const struct contract_purchase *s = p->snap;
    const struct contract_row *state = contract_row(CONTRACT_KIND_STATE, p->state.value);
    char money[64];
    timeline_money_words(&s->money, &s->state, money, sizeof money);
    const struct contract_row *reason = contract_row(CONTRACT_KIND_REASON, s->reason.value);
    if (p->state.value == CONTRACT_STATE_FAILED && reason)
        snprintf(out, size, "%s · %s", reason->words, money);
    else
        snprintf(out, size, "%s · %s", state ? state->words : s->state.raw, money);
    if (money_unknown_at_end(p))
        append(out, size, " · needs support");
}

/* Nobody reads it now: what the owner was to do stays in sight, since it may still be to do. */
static void stopped_words(const struct model_purchase *p, char *out, size_t size)
{
    char words[128];
    if (p->state.value == CONTRACT_STATE_WAITING_FOR_USER && p->snap)
        snprintf(out, size, "%s? not confirmed yet",
                 contract_words(CONTRACT_KIND_TASK, &p->snap->user_task, words, sizeof words,
                                "waiting for you"));
    else
        (void)str_copy(out, size, "not confirmed yet");
}

void model_state_words(const struct model *m, const struct model_purchase *p, char *out, size_t size)
{
    char words[128];
    out[0] = '\0';
    if (write_is_unknown(p)) {
        (void)str_copy(out, size, "outcome not known, checking");
        return;
    }
    if (p->stop == FOLLOW_NEEDS_SUPPORT) {
        (void)str_copy(out, size, "not known: needs support");
        return;
    }
    if (p->snap && contract_state_is_terminal(p->state.value) &&
        p->snap->state.value == p->state.value) {
        terminal_words(p, out, size);
        return;
    }
    if (follow_stop_is_open(p->stop) && p->state.value != CONTRACT_UNRECOGNISED) {
        stopped_words(p, out, size);
        return;
    }
    if (p->state.value == CONTRACT_STATE_READY) {
        ready_words(p, out, size);
        return;
    }
    if (p->stop == FOLLOW_PASSWORD) {
        (void)str_copy(out, size, "asks for a password");
        return;
    }
    if (p->state.value == CONTRACT_STATE_WAITING_FOR_USER && p->snap) {
        (void)str_copy(out, size, contract_words(CONTRACT_KIND_TASK, &p->snap->user_task, words,
                                                 sizeof words, "waiting for you"));
        return;
    }
    (void)str_copy(out, size, contract_words(CONTRACT_KIND_STATE, &p->state, words, sizeof words,
                                             "state unknown"));
    (void)m;
}

static int64_t task_deadline(const struct model_purchase *p)
{
    if (!p->snap)
        return CLOCK_NONE;
    if (p->action.present && p->action.by_ms != CLOCK_NONE)
        return p->action.by_ms;
    if (p->snap->funding.present)
        return p->snap->funding.expires_at_ms;
    return p->snap->approval_decide_by_ms;
}

int64_t model_deadline(const struct model_purchase *p)
{
    if (!p->snap || p->snap->state.value != p->state.value)
        return CLOCK_NONE;
    if (p->state.value == CONTRACT_STATE_WAITING_FOR_USER)
        return task_deadline(p);
    if (p->state.value == CONTRACT_STATE_READY)
        return p->snap->payment_expires_at_ms;
    return CLOCK_NONE;
}

void model_since_words(const struct model *m, const struct model_purchase *p, char *out, size_t size)
{
    int64_t now = model_now_ms(m);
    char t[CLOCK_TEXT_MAX];
    out[0] = '\0';
    if (model_is_stale(m, p)) {
        if (p->last_good_mono == INT64_MIN) {
            (void)str_copy(out, size, "STALE");
            return;
        }
        clock_age(t, now - (m->now_mono - p->last_good_mono), now);
        snprintf(out, size, "STALE %s", t);
        return;
    }
    int64_t by = model_deadline(p);
    if (by != CLOCK_NONE && by <= now) {
        (void)str_copy(out, size, "time is up");
        return;
    }
    if (by != CLOCK_NONE) {
        clock_local_hm(t, by);
        snprintf(out, size, "until %s", t);
        return;
    }
    int64_t since = p->changed_at_ms != CLOCK_NONE ? p->changed_at_ms : p->created_at_ms;
    if (since == CLOCK_NONE)
        return;
    clock_age(t, since, now);
    (void)str_copy(out, size, t);
}

static void held_words(const struct model *m, const struct model_purchase *p, char *out, size_t size)
{
    int64_t now = model_now_ms(m);
    int64_t held = (m->now_mono - p->read_started_mono) / 1000;
    if (held < 0)
        held = 0;
    if (p->hold_seconds > 0 && held <= p->hold_seconds)
        snprintf(out, size, "held %lld of %lld s", (long long)held, (long long)p->hold_seconds);
    else
        snprintf(out, size, "held %lld s", (long long)held);
    append(out, size, " · unchanged %d of %d", p->memory.unchanged, FOLLOW_UNCHANGED_MAX);
    if (p->by_ms != CLOCK_NONE) {
        char t[CLOCK_TEXT_MAX];
        clock_local_hm(t, p->by_ms);
        append(out, size, now < p->by_ms ? " · waiting until %s" : " · time is up at %s, checking", t);
    }
}

void model_live_words(const struct model *m, const struct model_purchase *p, char *out, size_t size)
{
    out[0] = '\0';
    if (p->read_call && p->held) {
        held_words(m, p, out, size);
        return;
    }
    if (p->read_call) {
        (void)str_copy(out, size, "reading…");
        return;
    }
    if (p->trouble[0] && p->due_mono != NEVER_MONO) {
        int64_t left = (p->due_mono - m->now_mono + 999) / 1000;
        snprintf(out, size, "%s · next try in %lld s", p->trouble, (long long)(left > 0 ? left : 0));
        return;
    }
    if (p->due_mono != NEVER_MONO) {
        int64_t left = (p->due_mono - m->now_mono + 999) / 1000;
        if (left > 1)
            snprintf(out, size, "next read in %lld s", (long long)left);
        else
            (void)str_copy(out, size, "reading…");
        return;
    }
    if (p->stop == FOLLOW_READY || p->state.value == CONTRACT_STATE_READY) {
        (void)str_copy(out, size, "not read again until you ask (v)");
        return;
    }
    if (p->stop != FOLLOW_GOING) {
        (void)str_copy(out, size, follow_stop_words(p->stop));
        if (follow_stop_is_open(p->stop) || p->stop == FOLLOW_QUESTION ||
            p->stop == FOLLOW_PASSWORD) {
            if (p->last_good_mono != INT64_MIN) {
                char t[CLOCK_TEXT_MAX];
                clock_local_hms(t, model_now_ms(m) - (m->now_mono - p->last_good_mono));
                append(out, size, " · last read %s", t);
            }
            append(out, size, " · g looks again");
        }
        return;
    }
    (void)str_copy(out, size, p->snap ? "" : "not read yet");
}

void model_link_words(const struct model *m, char *out, size_t size)
{
    char t[CLOCK_TEXT_MAX];
    int64_t now = model_now_ms(m);
    int64_t left = m->link_until_mono == NEVER_MONO
                       ? -1
                       : (m->link_until_mono - m->now_mono + 999) / 1000;
    if (left < 0 && m->link_until_mono != NEVER_MONO)
        left = 0;
    bool had = m->last_good_mono != INT64_MIN;
    if (had)
        clock_age(t, now - (m->now_mono - m->last_good_mono), now);
    switch (m->link) {
    case MODEL_LINK_CONNECTING:
        (void)str_copy(out, size, "connecting…");
        return;
    case MODEL_LINK_LIVE:
        snprintf(out, size, "live, %s ago", t);
        return;
    case MODEL_LINK_LIMITED:
        snprintf(out, size, "waiting %lld s (too many calls)", (long long)(left > 0 ? left : 0));
        return;
    case MODEL_LINK_SIGNED_OUT:
        (void)str_copy(out, size, "sign in needed");
        return;
    case MODEL_LINK_UPDATE:
        (void)str_copy(out, size, "update needed");
        return;
    case MODEL_LINK_TROUBLE:
        break;
    }
    (void)str_copy(out, size, m->link_text[0] ? m->link_text : "no reply");
    if (had)
        append(out, size, ", last read %s ago", t);
    if (left >= 0)
        append(out, size, ", next try in %lld s", (long long)left);
}

void model_amount(const struct model *m, const struct contract_amount *a, char *out, size_t size)
{
    char exact[MONEY_TEXT_MAX];
    if (!a->known) {
        (void)str_copy(out, size, "unknown");
        return;
    }
    money_format(exact, a->minor, m->set.ascii);
    if (a->disagrees && a->display) {
        snprintf(out, size, "%s (exact: %s) !", a->display, exact);
        return;
    }
    (void)str_copy(out, size, exact);
}

void model_policy_facts(const struct model *m, const struct model_purchase *p,
                        struct policy_facts *f)
{
    memset(f, 0, sizeof *f);
    const struct model_write *report = &p->writes[MODEL_WRITE_REPORT];
    /* The list may know of ready before a read does: then the snapshot no longer counts. */
    bool overtaken = p->snap && p->state.value == CONTRACT_STATE_READY &&
                     p->snap->state.value != CONTRACT_STATE_READY;
    f->purchase = overtaken ? NULL : p->snap;
    f->listed_state = &p->state;
    f->freshness = model_is_stale(m, p)                                       ? POLICY_STALE
                   : follow_stop_is_open(p->stop) && p->stop != FOLLOW_GOING ? POLICY_STOPPED
                                                                             : POLICY_FRESH;
    f->read_only = m->set.read_only || m->journal_read_only;
    f->no_journal = !m->set.read_only && !model_may_write(m);
    f->signed_in = m->link != MODEL_LINK_SIGNED_OUT;
    f->handout_held = p->handout != NULL;
    f->started_here = p->handout_seen;
    bool current = p->attempt_id[0] == '\0' || strcmp(report->attempt_id, p->attempt_id) == 0;
    bool stands = report->state == MODEL_WRITE_SENT || report->state == MODEL_WRITE_DONE ||
                  report->state == MODEL_WRITE_REPLAYED || report->state == MODEL_WRITE_UNKNOWN;
    f->report_sent = current && stands;
    f->report_failed_known =
        (report->state == MODEL_WRITE_DONE || report->state == MODEL_WRITE_REPLAYED) &&
        report->outcome == CONTRACT_OUTCOME_FAILED;
    f->report_failure = f->report_failed_known ? report->failure : CONTRACT_ABSENT;
    f->write_in_flight = write_in_flight(p);
    f->outcome_unknown = write_is_unknown(p);
    f->vault_offer = p->vault_offer.args != NULL;
    f->feedback_offer = p->feedback_offer.args != NULL;
    f->retry_offered = p->retry_offer.args != NULL || p->retry_told;
    const struct contract_question *q = model_open_question(p);
    f->question_on_screen = model_dialog(m) == MODEL_DIALOG_REVIEW ? m->form.question
                            : q                                    ? q->id
                                                                   : NULL;
}
