/* SPDX-License-Identifier: Apache-2.0 */
/* When status reads go out, and what a read that failed does to the plan. What to call next is
 * decided in flow/follow and kept by update_snapshot. Invariant: at most one read of a purchase is in
 * flight, at most five in all, and a ready purchase is read only on a key press. */
#include "app/internal.h"

#include <string.h>

#include "contract/input.h"
#include "core/clock.h"
#include "core/ident.h"
#include "core/str.h"

#define RECOVERY_FIRST_MS 500   /* first read after a write's reply was lost */
#define RECOVERY_CEILING_MS 4000 /* and the first ceiling of the back-off behind it */
#define RETRY_LATER_MS 1000     /* when a read could not even be made */
#define LOST_SLACK_MS 2000      /* a transfer that outlives its limit by this is given up */

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
        delay = retry_unavailable(&p->backoff, r->reply->next.after_seconds, ident_random32());
    } else if (write_is_unknown(p)) {
        p->backoff.first_ms = RECOVERY_CEILING_MS;
        delay = retry_backoff_next(&p->backoff, ident_random32());
    } else {
        p->backoff.first_ms = 0;
        delay = retry_backoff_next(&p->backoff, ident_random32());
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
    return reason == POLICY_ALLOWED ? NULL : model_refusal_words(m, reason);
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
