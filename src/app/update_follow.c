/* SPDX-License-Identifier: Apache-2.0 */
/* When status reads go out and what their replies do to a purchase. What to call next is decided in
 * flow/follow; here the decision is kept, timed and carried out. Invariant: at most one read of a
 * purchase is in flight, at most five in all, and a ready purchase is read only on a key press. */
#include "app/internal.h"

#include <stdio.h>
#include <string.h>

#include "contract/input.h"
#include "core/alloc.h"
#include "core/clock.h"
#include "core/ident.h"
#include "core/str.h"

#define RECOVERY_FIRST_MS 500   /* first read after a write's reply was lost */
#define RECOVERY_CEILING_MS 4000 /* and the first ceiling of the back-off behind it */
#define RETRY_LATER_MS 1000     /* when a read could not even be made */
#define LOST_SLACK_MS 2000      /* a transfer that outlives its limit by this is given up */

static uint32_t random32(void)
{
    uint32_t r;
    ident_random(&r, sizeof r);
    return r;
}

/* A ready purchase is read once for one press; only a lost write is a reason to read it again. */
bool follow_may_repeat(const struct model_purchase *p)
{
    return p->state.value != CONTRACT_STATE_READY || write_is_unknown(p);
}

void follow_want_read(struct model *m, struct model_purchase *p, int64_t delay_ms)
{
    p->read_plain = true;
    p->follow_started = true;
    p->due_mono = m->now_mono + delay_ms;
    m->dirty = true;
}

static void copy_offer(struct contract_follow_up_call *slot, const struct contract_follow_up_call *from)
{
    alloc_free(slot->args);
    alloc_free(slot->why);
    memset(slot, 0, sizeof *slot);
    if (!from)
        return;
    *slot = *from;
    slot->args = alloc_text(from->args);
    slot->why = alloc_text(from->why);
}

static void take_offers(const struct model *m, struct model_purchase *p,
                        const struct contract_reply *reply)
{
    const struct contract_follow_up_call *vault = NULL, *feedback = NULL, *retry = NULL;
    for (size_t i = 0; i < reply->follow_up_count; i++) {
        const struct contract_follow_up_call *f = &reply->follow_ups[i];
        bool answers = f->tool.value == CONTRACT_TOOL_SUBMIT_ANSWER ||
                       f->tool.value == CONTRACT_TOOL_ANSWER_PURCHASE_QUESTION;
        if (answers && strcmp(f->question, "vault_save") == 0)
            vault = f;
        else if (answers && f->type.value == CONTRACT_ANSWER_TYPE_FEEDBACK)
            feedback = f;
        else if (f->tool.value == CONTRACT_TOOL_START_PURCHASE)
            retry = f;
    }
    if (vault && !p->vault_offer.args)
        p->offers_mono = m->now_mono;
    copy_offer(&p->vault_offer, vault);
    copy_offer(&p->feedback_offer, feedback);
    copy_offer(&p->retry_offer, retry);
}

static void take_action(struct model_purchase *p, const struct contract_user_action *a)
{
    alloc_free(p->action.url);
    alloc_free(p->action.message);
    p->action = *a;
    p->action.url = alloc_text(a->url);
    p->action.message = alloc_text(a->message);
}

/* The text closes under the person's fingers: what they still type is no command (case H1). */
static void stop_typing(struct model *m)
{
    m->editing = false;
    m->hush_until_mono = m->now_mono + HUSH_MS;
}

/* A question that is no longer open keeps its draft, marked closed; a typed code is wiped. */
static void close_questions(struct model *m, struct model_purchase *p)
{
    const struct contract_question *open = model_open_question(p);
    const char *follow_up = p->snap && p->snap->follow_up.open ? p->snap->follow_up.id : "";
    for (size_t i = 0; i < MODEL_DRAFTS_MAX; i++) {
        struct model_draft *d = &p->drafts[i];
        if (!d->question[0])
            continue;
        bool is_open = (open && strcmp(d->question, open->id) == 0) ||
                       strcmp(d->question, follow_up) == 0;
        if (d->closed || is_open)
            continue;
        d->closed = true;
        if (strcmp(m->selected, p->id) == 0 && m->editing) {
            stop_typing(m);
            if (!edit_is_empty(&d->edit))
                model_say(m, true, "That question is no longer open. Your draft is kept, not sent.");
        }
    }
    if (p->secret_question[0] && (!open || strcmp(p->secret_question, open->id) != 0)) {
        model_wipe_entry(p);
        if (strcmp(m->selected, p->id) == 0 && m->editing)
            stop_typing(m);
    }
}

static void copy_summary(struct model_purchase *p)
{
    const struct contract_purchase *s = p->snap;
    p->state = s->state;
    p->checkout_by = s->checkout_by;
    p->created_at_ms = s->created_at_ms != CLOCK_NONE ? s->created_at_ms : p->created_at_ms;
    model_set_text(&p->merchant_name, s->merchant_name);
    char *display = alloc_text(s->amount.display);
    if (display || !s->amount.display) {
        alloc_free(p->amount.display);
        p->amount = s->amount;
        p->amount.display = display;
    }
}

static void notice_change(struct model *m, struct model_purchase *p, bool needed_before,
                          bool ended_before)
{
    if (!needed_before && model_needs_person(m, p)) {
        if (strcmp(m->selected, p->id) != 0)
            p->needs_look = true;
        m->bell = true;
        char words[96];
        model_state_words(m, p, words, sizeof words);
        model_say(m, false, "%s: %s", p->merchant_name ? p->merchant_name : "A purchase", words);
    }
    if (!ended_before && contract_state_is_terminal(p->state.value))
        list_want_account(m, ACCOUNT_AFTER_CHANGE_MS);
}

/* A report names the handout that was used (contract README, point 10): a later one takes its place
 * only when nothing was done with the earlier, or when its report was recorded. */
static void take_attempt(struct model_purchase *p, const char *attempt)
{
    const struct model_write *report = &p->writes[MODEL_WRITE_REPORT];
    bool recorded =
        (report->state == MODEL_WRITE_DONE || report->state == MODEL_WRITE_REPLAYED) &&
        strcmp(report->attempt_id, p->attempt_id) == 0;
    if (p->attempt_used && !recorded)
        return;
    if (strcmp(p->attempt_id, attempt) != 0)
        p->steps_done = 0;
    p->attempt_used = false;
    (void)str_copy(p->attempt_id, sizeof p->attempt_id, attempt);
}

static void take_handout(struct model *m, struct model_purchase *p, struct envoy_result *r)
{
    p->handout_malformed = r->handout_malformed;
    if (r->handout_malformed)
        model_add_row(m, p, TIMELINE_WARNING,
                      "Payment details came in a form this program does not know; wiped.");
    if (!r->handout)
        return;
    const struct handout_facts *facts = handout_facts_view(r->handout);
    model_mask(m);
    handout_free(p->handout);
    p->handout = r->handout;
    r->handout = NULL;
    p->handout_seen = true;
    p->handout_at_ms = model_now_ms(m);
    take_attempt(p, facts->checkout_attempt_id);
    model_add_row(m, p, TIMELINE_LOCAL,
                  facts->kind == HANDOUT_CARD
                      ? "The one-time card was received. It is masked and in guarded memory only."
                      : "The gift card was received. It is masked and in guarded memory only.");
}

static void wipe_when_over(struct model *m, struct model_purchase *p)
{
    if (!p->handout)
        return;
    if (p->state.value != CONTRACT_STATE_READY)
        model_wipe_handout(m, p, "the purchase is no longer ready");
    else if (p->snap && p->snap->payment_closed)
        model_wipe_handout(m, p, "spending access is closed");
}

static void take_plan(struct model *m, struct model_purchase *p, const struct contract_reply *reply,
                      const struct follow_plan *plan)
{
    alloc_free(p->next_args); /* without memory for them the next read is a plain one */
    p->next_args = alloc_text(reply->next.args);
    p->next_tool = reply->next.tool;
    p->stop = plan->stop;
    p->by_ms = plan->by_ms;
    p->next_is_read = plan->stop == FOLLOW_GOING;
    if (plan->stop == FOLLOW_GOING) {
        p->read_plain = false;
        p->next_held = plan->held;
        p->next_wait_seconds = reply->next.wait_seconds;
        p->next_timeout_ms = plan->timeout_ms;
        p->due_mono = m->now_mono + plan->delay_ms;
        return;
    }
    p->due_mono = NEVER_MONO;
    if (plan->replacement[0])
        list_want_purchases(m, 0);
    if (plan->stop == FOLLOW_TOLD || plan->stop == FOLLOW_BY_PASSED || plan->stop == FOLLOW_UNCHANGED)
        model_add_row(m, p, TIMELINE_WARNING, "Reading stopped (%s).", follow_stop_words(plan->stop));
}

static void take_snapshot(struct model *m, struct model_purchase *p, struct contract_reply *reply)
{
    struct timeline_row rows[TIMELINE_ROWS_MAX];
    size_t count = 0;
    bool first = p->snap == NULL;
    timeline_compare(p->snap, reply->purchase, reply->server_time_ms, rows, &count);
    for (size_t i = 0; i < count; i++)
        model_push_row(p, &rows[i]);
    struct contract_purchase *fresh = contract_reply_take_purchase(reply);
    if (count > 0)
        p->changed_at_ms = first && fresh->updated_at_ms != CLOCK_NONE ? fresh->updated_at_ms
                                                                       : rows[count - 1].at_ms;
    contract_purchase_free(p->snap);
    p->snap = fresh;
    p->last_good_mono = m->now_mono;
    copy_summary(p);
    take_action(p, &reply->user_action);
    take_offers(m, p, reply);
    close_questions(m, p);
}

/* What has not been found out is read for until it is, whatever the plan says. */
static void settle(struct model *m, struct model_purchase *p, const struct model_call *call)
{
    write_settle(m, p, call);
    if (write_is_unknown(p) && call->purpose != MODEL_CALL_WRITE)
        follow_recover(m, p);
}

void follow_apply(struct model *m, struct model_purchase *p, const struct model_call *call,
                  struct envoy_result *r)
{
    struct contract_reply *reply = r->reply;
    struct follow_plan plan;
    bool needed = model_needs_person(m, p), ended = contract_state_is_terminal(p->state.value);
    bool fresh = reply->purchase != NULL;
    follow_reply(&p->memory, reply, call->held, model_now_ms(m), &plan);
    if (plan.outdated) {
        if (p->due_mono == NEVER_MONO && p->stop == FOLLOW_GOING)
            p->due_mono = m->now_mono + 1000;
        return;
    }
    if (plan.stop == FOLLOW_LOST) { /* refused with "try again": the snapshot stays */
        if (call->purpose == MODEL_CALL_WRITE)
            return;
        follow_failed(m, p, r, reply->error.present ? reply->error.message : "try again later");
        return;
    }
    p->memory = plan.memory;
    (void)str_copy(p->request_id, sizeof p->request_id, reply->request_id);
    if (fresh)
        take_snapshot(m, p, reply);
    take_handout(m, p, r);
    wipe_when_over(m, p);
    take_plan(m, p, reply, &plan);
    if (fresh)
        settle(m, p, call);
    notice_change(m, p, needed, ended);
    m->dirty = true;
}

void follow_failed(struct model *m, struct model_purchase *p, const struct envoy_result *r,
                   const char *words)
{
    int64_t delay;
    p->missed++;
    (void)str_copy(p->trouble, sizeof p->trouble, words);
    if (!follow_may_repeat(p)) {
        p->due_mono = NEVER_MONO; /* a refused look at a ready purchase is not repeated by itself */
        return;
    }
    bool unavailable = r && r->reply && r->reply->error.present &&
                       r->reply->error.code.value == CONTRACT_CODE_UNAVAILABLE;
    if (unavailable) {
        delay = retry_unavailable(&p->backoff, r->reply->next.after_seconds, random32());
    } else if (write_is_unknown(p)) {
        p->backoff.first_ms = RECOVERY_CEILING_MS;
        delay = retry_backoff_next(&p->backoff, random32());
    } else {
        p->backoff.first_ms = 0;
        delay = retry_backoff_next(&p->backoff, random32());
    }
    p->due_mono = m->now_mono + delay;
    if (p->missed == 2 && !contract_state_is_terminal(p->state.value))
        model_add_row(m, p, TIMELINE_WARNING, "No fresh news: %s. What stands here may be old.", words);
    m->dirty = true;
}

static bool send_read(struct model *m, struct model_purchase *p, struct effects *fx,
                      enum model_purpose purpose, bool interactive)
{
    struct buf body;
    struct contract_problems problems;
    bool plain = p->read_plain || write_is_unknown(p) || !p->next_args || !p->next_is_read;
    bool held = !plain && p->next_held;
    int64_t timeout_ms = plain ? FOLLOW_TIMEOUT_MIN_MS : p->next_timeout_ms;
    enum err e = ERR_OK;
    buf_init(&body, CONTRACT_BODY_MAX);
    if (plain) {
        struct contract_status_input in = {
            .purchase = p->id, .after_revision = -1, .wait_seconds = -1};
        e = contract_encode_status(&in, &body, &problems);
    } else {
        e = buf_append_str(&body, p->next_args);
    }
    int64_t when = m->now_mono + RETRY_LATER_MS;
    uint64_t id = 0;
    if (e == ERR_OK) {
        struct call_spec spec = {
            .purpose = purpose,
            .tool = CONTRACT_TOOL_GET_PURCHASE_STATUS,
            .purchase = p->id,
            .held = held,
            .interactive = interactive,
            .timeout_ms = timeout_ms,
            .body = buf_view(&body),
        };
        id = call_start(m, fx, &spec, &when);
    }
    buf_fini(&body);
    if (!id) {
        p->due_mono = interactive ? p->due_mono : when;
        return false;
    }
    p->held = held;
    p->hold_seconds = held ? p->next_wait_seconds : -1;
    p->timeout_ms = timeout_ms;
    p->read_call = id;
    p->read_dropped = false;
    p->read_started_mono = m->now_mono;
    p->due_mono = NEVER_MONO;
    return true;
}

static size_t reads_in_flight(const struct model *m)
{
    size_t n = 0;
    for (size_t i = 0; i < m->purchase_count; i++)
        n += m->purchases[i].read_call ? 1 : 0;
    return n;
}

/* Its result comes as aborted, and then it is read again if it may be. */
static void drop_read(struct model_purchase *p, struct effects *fx)
{
    struct effect *e = p->read_call && !p->read_dropped ? effects_add(fx, EFFECT_ABORT) : NULL;
    if (!e)
        return;
    e->call = p->read_call;
    p->read_dropped = true;
}

/* When a running read is given up: it has outlived its limit, or it holds while a lost write has to
 * be found out. */
static int64_t give_up_mono(const struct model_purchase *p)
{
    if (!p->read_call || p->read_dropped)
        return NEVER_MONO;
    int64_t late = p->read_started_mono + p->timeout_ms + LOST_SLACK_MS;
    bool in_the_way = p->held && p->read_plain && write_is_unknown(p);
    return in_the_way && p->due_mono < late ? p->due_mono : late;
}

static int64_t handout_end_ms(const struct model_purchase *p)
{
    int64_t end = handout_facts_view(p->handout)->expires_at_ms;
    int64_t access = p->snap ? p->snap->payment_expires_at_ms : CLOCK_NONE;
    if (end == CLOCK_NONE || (access != CLOCK_NONE && access < end))
        end = access;
    return end;
}

static void expire_handout(struct model *m, struct model_purchase *p)
{
    int64_t end = p->handout ? handout_end_ms(p) : CLOCK_NONE;
    if (end != CLOCK_NONE && model_now_ms(m) >= end)
        model_wipe_handout(m, p, "its spending access has closed");
}

static void stop_late(struct model *m, struct model_purchase *p)
{
    bool waits = p->due_mono <= m->now_mono && !p->read_call && !p->read_plain &&
                 !write_is_unknown(p);
    if (!waits || !follow_by_passed(p->by_ms, model_now_ms(m)))
        return;
    p->due_mono = NEVER_MONO;
    p->stop = FOLLOW_BY_PASSED;
    model_add_row(m, p, TIMELINE_WARNING, "Reading stopped (%s).",
                  follow_stop_words(FOLLOW_BY_PASSED));
}

/* The one that has waited longest, so that none is forgotten when there are more than may be read. */
static struct model_purchase *next_due(struct model *m)
{
    struct model_purchase *first = NULL;
    for (size_t i = 0; i < m->purchase_count; i++) {
        struct model_purchase *p = &m->purchases[i];
        if (p->read_call || p->due_mono > m->now_mono)
            continue;
        if (!first || p->due_mono < first->due_mono)
            first = p;
    }
    return first;
}

void follow_tick(struct model *m, struct effects *fx)
{
    for (size_t i = 0; i < m->purchase_count; i++) {
        struct model_purchase *p = &m->purchases[i];
        expire_handout(m, p);
        if (give_up_mono(p) <= m->now_mono)
            drop_read(p, fx);
        stop_late(m, p);
    }
    struct model_purchase *p;
    while (reads_in_flight(m) < MODEL_FOLLOW_MAX && (p = next_due(m)) != NULL)
        (void)send_read(m, p, fx, MODEL_CALL_READ, false);
}

int64_t follow_wake(const struct model *m)
{
    int64_t wake = NEVER_MONO;
    bool full = reads_in_flight(m) >= MODEL_FOLLOW_MAX; /* then the end of one is the next wake */
    for (size_t i = 0; i < m->purchase_count; i++) {
        const struct model_purchase *p = &m->purchases[i];
        int64_t at = p->read_call ? give_up_mono(p) : full ? NEVER_MONO : p->due_mono;
        if (at < wake)
            wake = at;
        int64_t end = p->handout ? handout_end_ms(p) : CLOCK_NONE;
        if (end != CLOCK_NONE && m->server_time_known && end - m->server_offset_ms < wake)
            wake = end - m->server_offset_ms;
    }
    return wake;
}

const char *follow_refused(const struct model *m, const struct model_purchase *p,
                           enum policy_action action)
{
    struct policy_facts facts;
    model_policy_facts(m, p, &facts);
    enum policy_reason reason = policy_check(action, &facts);
    /* What only the list calls ready can be looked at in one way: by asking for its handout. */
    if (action == POLICY_READ_HANDOUT && reason == POLICY_NO_SNAPSHOT && !facts.write_in_flight &&
        !facts.outcome_unknown && p->state.value == CONTRACT_STATE_READY)
        return NULL;
    return reason == POLICY_ALLOWED ? NULL : policy_words(reason);
}

static bool read_now(struct model *m, struct model_purchase *p, struct effects *fx,
                     enum policy_action action, enum model_purpose purpose)
{
    const char *no = follow_refused(m, p, action);
    if (no) {
        model_say(m, true, "%s", no);
        return false;
    }
    if (p->read_call && action == POLICY_READ) {
        model_say(m, false, "A read of this purchase is under way already.");
        return false;
    }
    if (p->read_call) {
        model_say(m, false, "A read of this purchase is under way; its reply comes first.");
        return false;
    }
    p->read_plain = true;
    p->follow_started = true;
    if (!send_read(m, p, fx, purpose, true)) {
        model_say(m, true, "Waiting before the next call; nothing was sent.");
        return false;
    }
    return true;
}

bool follow_look_again(struct model *m, struct model_purchase *p, struct effects *fx)
{
    return read_now(m, p, fx, POLICY_READ, MODEL_CALL_READ);
}

bool follow_show_handout(struct model *m, struct model_purchase *p, struct effects *fx)
{
    return read_now(m, p, fx, POLICY_READ_HANDOUT, MODEL_CALL_HANDOUT);
}

void follow_recover(struct model *m, struct model_purchase *p)
{
    p->backoff.failures = 0;
    follow_want_read(m, p, RECOVERY_FIRST_MS);
}

void follow_restart_held(struct model *m, struct effects *fx)
{
    for (size_t i = 0; i < m->purchase_count; i++)
        drop_read(&m->purchases[i], fx);
}
