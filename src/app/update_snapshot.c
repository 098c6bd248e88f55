/* SPDX-License-Identifier: Apache-2.0 */
/* What a reply does to a purchase: snapshot, timeline, offers, handout, drafts, and the plan of what
 * to read next as flow/follow made it. Sends nothing. Invariant: an older revision changes nothing,
 * and a question that closes takes no draft with it. */
#include "app/internal.h"

#include <string.h>

#include "core/alloc.h"
#include "core/clock.h"
#include "core/str.h"

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
    /* Envoy's pages let the status authorise it in words alone; the policy asks for the rest. */
    p->retry_told = reply->next.instruction && strstr(reply->next.instruction, "retry_of");
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
        if (!first || !model_row_stands(p, &rows[i])) /* an earlier run may have seen it already */
            model_push_row(p, &rows[i]);
    struct contract_purchase *fresh = contract_reply_take_purchase(reply);
    if (count > 0)
        p->changed_at_ms = first && fresh->updated_at_ms != CLOCK_NONE ? fresh->updated_at_ms
                                                                       : rows[count - 1].at_ms;
    if (!first && p->snap->money.value != fresh->money.value)
        list_want_account(m, ACCOUNT_AFTER_CHANGE_MS); /* what is left to spend changed with it */
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
