/* SPDX-License-Identifier: Apache-2.0 */
/* Commands about the selected purchase, and whether they are allowed (flow/policy says). */
#include <stdio.h>
#include <string.h>

#include "app/command_run.h"
#include "core/alloc.h"
#include "core/str.h"

static struct model_purchase *selected(struct model *m)
{
    return model_find(m, m->selected);
}

static const char *ask(const struct model *m, enum policy_action action)
{
    const struct model_purchase *p = model_selected(m);
    struct policy_facts facts;
    if (!p)
        return "No purchase is selected.";
    model_policy_facts(m, p, &facts);
    enum policy_reason reason = policy_check(action, &facts);
    return reason == POLICY_ALLOWED ? NULL : model_refusal_words(m, reason);
}

const char *ask_answer(const struct model *m)
{
    return ask(m, POLICY_ANSWER);
}

const char *ask_feedback(const struct model *m)
{
    return ask(m, POLICY_FEEDBACK);
}

const char *ask_look(const struct model *m)
{
    return ask(m, POLICY_READ);
}

const char *ask_cancel(const struct model *m)
{
    return ask(m, POLICY_CANCEL);
}

const char *ask_show_handout(const struct model *m)
{
    const struct model_purchase *p = model_selected(m);
    return p ? follow_refused(m, p, POLICY_READ_HANDOUT) : "No purchase is selected.";
}

const char *ask_step(const struct model *m)
{
    return ask(m, POLICY_STEP);
}

const char *ask_paid(const struct model *m)
{
    return ask(m, POLICY_REPORT_PAID);
}

const char *ask_failed(const struct model *m)
{
    return ask(m, POLICY_REPORT_FAILED);
}

const char *ask_vault(const struct model *m)
{
    return ask(m, POLICY_VAULT_SAVE);
}

const char *ask_wipe(const struct model *m)
{
    const struct model_purchase *p = model_selected(m);
    return p && p->handout ? NULL : "No card or gift card is held for this purchase.";
}

const char *ask_copy(const struct model *m)
{
    if (m->view == MODEL_VIEW_ACTIVITY)
        return m->activity_count > 0 ? NULL : "No call was made yet.";
    return model_selected(m) ? NULL : "No purchase is selected.";
}

const char *ask_pay_link(const struct model *m)
{
    const struct model_purchase *p = model_selected(m);
    bool link = p && p->snap && p->snap->user_task.value == CONTRACT_TASK_PAY_LINK && p->action.url;
    return link ? NULL : "This task has no link: it is done in the Envoy app.";
}

static bool voucher(const struct model_purchase *p)
{
    return p->handout && handout_facts_view(p->handout)->kind == HANDOUT_VOUCHER;
}

static const char *ask_reveal(const struct model *m, enum handout_field card,
                              enum handout_field gift)
{
    const struct model_purchase *p = model_selected(m);
    const char *no = ask(m, POLICY_REVEAL);
    if (no)
        return no;
    enum handout_field f = voucher(p) ? gift : card;
    return p->handout && f < HANDOUT_FIELD_COUNT && handout_has(p->handout, f)
               ? NULL
               : "This card or gift card has no such field.";
}

const char *ask_reveal_number(const struct model *m)
{
    return ask_reveal(m, HANDOUT_NUMBER, HANDOUT_VOUCHER_CODE);
}

const char *ask_reveal_expiry(const struct model *m)
{
    return ask_reveal(m, HANDOUT_EXPIRY, HANDOUT_FIELD_COUNT);
}

const char *ask_reveal_cvv(const struct model *m)
{
    return ask_reveal(m, HANDOUT_CVV, HANDOUT_VOUCHER_PIN);
}

const char *ask_reveal_code(const struct model *m)
{
    return ask_reveal(m, HANDOUT_CODE, HANDOUT_FIELD_COUNT);
}

static void reveal(struct model *m, enum handout_field card, enum handout_field gift)
{
    struct model_purchase *p = selected(m);
    if (!p || !p->handout)
        return;
    (void)str_copy(p->attempt_id, sizeof p->attempt_id,
                   handout_facts_view(p->handout)->checkout_attempt_id);
    p->attempt_used = true;
    m->reveal.on = true;
    m->reveal.field = voucher(p) ? gift : card;
    m->reveal.until_mono = m->now_mono + MODEL_REVEAL_MS;
    (void)str_copy(m->reveal.purchase, sizeof m->reveal.purchase, p->id);
    m->dirty = true;
}

void run_reveal_number(struct model *m, struct effects *fx)
{
    (void)fx;
    reveal(m, HANDOUT_NUMBER, HANDOUT_VOUCHER_CODE);
}

void run_reveal_expiry(struct model *m, struct effects *fx)
{
    (void)fx;
    reveal(m, HANDOUT_EXPIRY, HANDOUT_FIELD_COUNT);
}

void run_reveal_cvv(struct model *m, struct effects *fx)
{
    (void)fx;
    reveal(m, HANDOUT_CVV, HANDOUT_VOUCHER_PIN);
}

void run_reveal_code(struct model *m, struct effects *fx)
{
    (void)fx;
    reveal(m, HANDOUT_CODE, HANDOUT_FIELD_COUNT);
}

void run_wipe(struct model *m, struct effects *fx)
{
    struct model_purchase *p = selected(m);
    (void)fx;
    if (p)
        model_wipe_handout(m, p, "you asked for it");
    model_say(m, false, "Wiped. v asks Envoy for it again.");
}

/* The id of what would be answered in the pane: open question, or feedback; "" when neither. */
static const char *question_id(const struct model_purchase *p)
{
    const struct contract_question *q = model_open_question(p);
    if (q)
        return q->id;
    return p->snap && p->snap->follow_up.open ? p->snap->follow_up.id : "";
}

void run_write(struct model *m, struct effects *fx)
{
    struct model_purchase *p = selected(m);
    (void)fx;
    if (!p || !question_id(p)[0])
        return;
    const struct contract_question *q = model_open_question(p);
    if (q && q->kind.value == CONTRACT_QUESTION_OTP) {
        if (strcmp(p->secret_question, q->id) != 0)
            model_wipe_entry(p);
        if (!p->secret_entry)
            p->secret_entry = secret_new(CONTRACT_ANSWER_MAX * 4);
        if (!p->secret_entry) {
            model_say(m, true, "No guarded memory left for a code; nothing was typed.");
            return;
        }
        (void)str_copy(p->secret_question, sizeof p->secret_question, q->id);
    } else {
        (void)model_draft(p, question_id(p));
    }
    m->view = MODEL_VIEW_PURCHASES; /* the palette works in every view */
    m->editing = true;
    m->pane = MODEL_PANE_NEED;
}

static void rate(struct model *m, int by)
{
    struct model_purchase *p = selected(m);
    if (!p || !p->snap || !p->snap->follow_up.open)
        return;
    struct model_draft *d = model_draft(p, p->snap->follow_up.id);
    int rating = d->rating + by;
    if (rating >= 0 && rating <= 5)
        d->rating = rating;
}

void run_rate_up(struct model *m, struct effects *fx)
{
    (void)fx;
    rate(m, 1);
}

void run_rate_down(struct model *m, struct effects *fx)
{
    (void)fx;
    rate(m, -1);
}

const char *ask_review(const struct model *m)
{
    const struct model_purchase *p = model_selected(m);
    const char *no = p && model_open_question(p) ? ask_answer(m) : ask_feedback(m);
    if (no)
        return no;
    const struct contract_question *q = model_open_question(p);
    if (q && q->kind.value == CONTRACT_QUESTION_OTP)
        return p->secret_chars > 0 ? NULL : "No code was typed yet.";
    const struct model_draft *d = model_draft_view(p, question_id(p));
    if (!d || edit_is_empty(&d->edit))
        return "Nothing is written yet.";
    switch (contract_answer_suspicion(edit_text(&d->edit))) {
    case CONTRACT_CARD_NUMBER:
        return "This looks like a card number. It is not sent: take it out.";
    case CONTRACT_CODE_LIKE:
        return "This looks like a payment code. Codes are never sent in an answer: take it out.";
    case CONTRACT_CLEAN:
        break;
    }
    return NULL;
}

void run_review(struct model *m, struct effects *fx)
{
    struct model_purchase *p = selected(m);
    (void)fx;
    if (!p)
        return;
    model_dialog_push(m, MODEL_DIALOG_REVIEW);
    (void)str_copy(m->form.question, sizeof m->form.question, question_id(p));
}

void run_look(struct model *m, struct effects *fx)
{
    struct model_purchase *p = selected(m);
    if (p)
        (void)follow_look_again(m, p, fx);
}

void run_show_handout(struct model *m, struct effects *fx)
{
    struct model_purchase *p = selected(m);
    if (p)
        (void)follow_show_handout(m, p, fx);
}

void run_cancel(struct model *m, struct effects *fx)
{
    (void)fx;
    model_dialog_push(m, MODEL_DIALOG_CANCEL);
}

void run_paid(struct model *m, struct effects *fx)
{
    (void)fx;
    model_dialog_push(m, MODEL_DIALOG_PAID);
    m->form.field_count = 2;
}

void run_failed(struct model *m, struct effects *fx)
{
    (void)fx;
    model_dialog_push(m, MODEL_DIALOG_FAILED);
    m->form.choice = CONTRACT_FAILURE_OTHER;
}

void run_steps(struct model *m, struct effects *fx)
{
    (void)fx;
    model_dialog_push(m, MODEL_DIALOG_STEPS);
}

void run_vault(struct model *m, struct effects *fx)
{
    write_vault(m, fx);
}

void run_qr(struct model *m, struct effects *fx)
{
    (void)fx;
    model_dialog_push(m, MODEL_DIALOG_QR);
}

void run_open_link(struct model *m, struct effects *fx)
{
    const struct model_purchase *p = model_selected(m);
    if (!p || !p->action.url)
        return;
    struct effect *e = effects_add(fx, EFFECT_OPEN);
    if (e && buf_append_str(&e->body, p->action.url) == ERR_OK)
        model_say(m, false, "Handed to this computer's browser. You pay there yourself.");
}

static void copy_call(const struct model *m, struct buf *out)
{
    for (size_t i = 0; i < m->activity_count; i++) {
        const struct model_call *c = &m->activity[i];
        if (c->id != m->activity_selected)
            continue;
        const struct contract_row *tool = contract_row(CONTRACT_KIND_TOOL, (int)c->tool);
        char at[CLOCK_TEXT_MAX];
        clock_rfc3339(at, c->started_at_ms);
        if (buf_printf(out, "%s %s request %s trace %s purchase %s %s", at, tool ? tool->wire : "",
                       c->request_id, c->trace_id, c->purchase, c->support) != ERR_OK)
            buf_clear(out);
    }
}

static void copy_purchase(const struct model_purchase *p, struct buf *out)
{
    char support[16];
    enum err e;
    bool link = p->snap && p->snap->user_task.value == CONTRACT_TASK_PAY_LINK && p->action.url;
    contract_support_ref(support, p->id);
    if (link)
        e = buf_append_str(out, p->action.url);
    else
        e = buf_printf(out, "%s purchase %s request %s", support, p->id, p->request_id);
    if (e != ERR_OK)
        buf_clear(out);
}

void run_copy(struct model *m, struct effects *fx)
{
    const struct model_purchase *p = model_selected(m);
    struct effect *e = effects_add(fx, EFFECT_COPY);
    if (!e)
        return;
    if (m->view == MODEL_VIEW_ACTIVITY)
        copy_call(m, &e->body);
    else if (p)
        copy_purchase(p, &e->body);
    if (e->body.len > 0) {
        model_say(m, false, "Copied, if this terminal allows it.");
        return;
    }
    buf_fini(&e->body);
    fx->count--;
    model_say(m, false, "Nothing to copy here yet.");
}


void run_phone_approve(struct model *m, struct effects *fx)
{
    sim_phone(m, fx, "approve");
}

void run_phone_decline(struct model *m, struct effects *fx)
{
    sim_phone(m, fx, "decline");
}

void run_phone_pay(struct model *m, struct effects *fx)
{
    sim_phone(m, fx, "pay");
}

void run_phone_enter_otp(struct model *m, struct effects *fx)
{
    sim_phone(m, fx, "enter_otp");
}

void run_phone_add_money(struct model *m, struct effects *fx)
{
    sim_phone(m, fx, "add_money");
}

void run_phone_cancel(struct model *m, struct effects *fx)
{
    sim_phone(m, fx, "cancel");
}
