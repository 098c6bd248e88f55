/* SPDX-License-Identifier: Apache-2.0 */
/* Everything that changes something at Envoy: answers, feedback, vault save, reports, steps,
 * cancel. Each goes out once, after flow/policy allowed it on the very snapshot it is about.
 * Invariant: a write whose reply was lost stays UNKNOWN until a read settles it, and is never sent
 * by itself. */
#include "app/internal.h"

#include <stdio.h>
#include <string.h>

#include "core/alloc.h"
#include "core/ident.h"
#include "core/jsonscan.h"
#include "core/str.h"

#define WRITE_TIMEOUT_MS 60000

bool write_in_flight(const struct model_purchase *p)
{
    for (size_t i = 0; i < MODEL_WRITE_KIND_COUNT; i++)
        if (p->writes[i].state == MODEL_WRITE_SENT)
            return true;
    return false;
}

static bool allowed(struct model *m, const struct model_purchase *p, enum policy_action action,
                    const char *question)
{
    struct policy_facts facts;
    model_policy_facts(m, p, &facts);
    if (question)
        facts.question_on_screen = question;
    enum policy_reason reason = policy_check(action, &facts);
    if (reason != POLICY_ALLOWED)
        model_say(m, true, "%s", model_refusal_words(m, reason));
    return reason == POLICY_ALLOWED;
}

static struct model_write begin(const struct model *m)
{
    struct model_write w = {.sent_at_ms = model_now_ms(m)};
    w.outcome = w.failure = w.step = CONTRACT_ABSENT;
    return w;
}

/* Sends, and then what was known of the last write of the kind gives way to *fresh. body or secret,
 * not both. */
static bool send(struct model *m, struct effects *fx, struct model_purchase *p,
                 enum model_write_kind kind, const struct model_write *fresh,
                 enum contract_tool tool, struct buf *body, struct secret *secret)
{
    struct model_write *w = &p->writes[kind];
    int64_t when = 0;
    struct effect_intent intent = {.outcome = fresh->outcome,
                                   .failure = fresh->failure,
                                   .step = fresh->step,
                                   .amount_minor = -1};
    (void)str_copy(intent.key, sizeof intent.key, fresh->key);
    (void)str_copy(intent.purchase, sizeof intent.purchase, p->id);
    (void)str_copy(intent.question, sizeof intent.question,
                   kind == MODEL_WRITE_VAULT ? VAULT_QUESTION : fresh->question);
    (void)str_copy(intent.attempt, sizeof intent.attempt, fresh->attempt_id);
    struct call_spec spec = {
        .purpose = MODEL_CALL_WRITE,
        .intent = &intent,
        .tool = tool,
        .write = kind,
        .purchase = p->id,
        .interactive = true,
        .timeout_ms = WRITE_TIMEOUT_MS,
        .body = body ? buf_view(body) : NULL,
        .secret = secret,
    };
    uint64_t call = call_start(m, fx, &spec, &when);
    if (!call) {
        int64_t left = (when - m->now_mono + 999) / 1000;
        model_say(m, true, "Nothing was sent: too many calls. Free again in %lld s.",
                  (long long)(left > 0 ? left : 1));
        return false;
    }
    *w = *fresh;
    w->call = call;
    w->intent = call;
    w->state = MODEL_WRITE_SENT;
    m->dirty = true;
    return true;
}

static void say_problem(struct model *m, const struct contract_problems *problems)
{
    const struct contract_field *f = &problems->fields[0];
    if (problems->count == 0)
        snprintf(m->form.problem, sizeof m->form.problem, "This cannot be sent.");
    else if (f->expected[0])
        snprintf(m->form.problem, sizeof m->form.problem, "%s: %s. Expected: %s", f->path,
                 f->problem, f->expected);
    else
        snprintf(m->form.problem, sizeof m->form.problem, "%s: %s", f->path, f->problem);
    m->dirty = true;
}

/* Do the args that Envoy gave belong to this question? */
static bool args_are_about(const char *args, const char *question)
{
    static const char *const path[] = {"question", NULL};
    struct jsonscan_span span;
    char text[CONTRACT_QUESTION_ID_MAX];
    size_t len = 0;
    if (!args || jsonscan_find(args, strlen(args), path, &span) != ERR_OK)
        return false;
    return jsonscan_string(args, span, text, sizeof text, &len) == ERR_OK &&
           strcmp(text, question) == 0;
}

/* Envoy's args with the words, the rating and the key added; another error than ERR_MEMORY when
 * that is no input. */
static enum err extend(enum contract_tool tool, const char *args,
                       const struct contract_answer_input *in, struct buf *out,
                       struct contract_problems *problems)
{
    struct buf extra;
    buf_init(&extra, CONTRACT_BODY_MAX);
    enum err e = buf_append_str(&extra, "\"answer\":");
    if (e == ERR_OK)
        e = contract_json_string(&extra, in->answer);
    if (e == ERR_OK && in->rating > 0)
        e = buf_printf(&extra, ",\"rating\":%d", in->rating);
    if (e == ERR_OK)
        e = buf_printf(&extra, ",\"idempotency_key\":\"%s\"", in->idempotency_key);
    if (e == ERR_OK)
        e = contract_args_extend(args, buf_view(&extra), out);
    buf_fini(&extra);
    if (e == ERR_OK)
        e = contract_check_input(tool, out->data, out->len, problems);
    if (e != ERR_OK)
        buf_clear(out);
    return e;
}

static enum contract_tool answer_tool(const struct model_purchase *p, bool feedback)
{
    int named = feedback ? p->feedback_offer.tool.value : p->next_tool.value;
    if (named == CONTRACT_TOOL_SUBMIT_ANSWER || named == CONTRACT_TOOL_ANSWER_PURCHASE_QUESTION)
        return (enum contract_tool)named;
    return CONTRACT_TOOL_ANSWER_PURCHASE_QUESTION;
}

static int answer_type(const struct model_purchase *p, bool feedback)
{
    if (feedback)
        return CONTRACT_ANSWER_TYPE_FEEDBACK;
    return p->snap->state.value == CONTRACT_STATE_NEEDS_DETAILS ? CONTRACT_ANSWER_TYPE_DETAILS
                                                                : CONTRACT_ANSWER_TYPE_ANSWER;
}

static enum err remember_sent(struct model_draft *d, const char *text, const char *key)
{
    char *copy = alloc_text(text);
    if (!copy)
        return ERR_MEMORY;
    alloc_free(d->sent);
    d->sent = copy;
    (void)str_copy(d->sent_key, sizeof d->sent_key, key);
    return ERR_OK;
}

static void send_words(struct model *m, struct effects *fx, struct model_purchase *p,
                       struct model_draft *d, bool feedback)
{
    enum model_write_kind kind = feedback ? MODEL_WRITE_FEEDBACK : MODEL_WRITE_ANSWER;
    enum contract_tool tool = answer_tool(p, feedback);
    const char *text = edit_text(&d->edit);
    struct contract_problems problems = {0};
    struct buf body;
    char key[CONTRACT_ID_MAX];
    if (d->sent && strcmp(d->sent, text) == 0)
        (void)str_copy(key, sizeof key, d->sent_key); /* the same words again: the same key */
    else
        ident_key(key, "answer");
    struct contract_answer_input in = {
        .tool = tool,
        .type = answer_type(p, feedback),
        .purchase = p->id,
        .question = d->question,
        .idempotency_key = key,
        .answer = text,
        .rating = feedback ? d->rating : 0,
    };
    const char *args = feedback ? p->feedback_offer.args : p->next_args;
    buf_init(&body, CONTRACT_BODY_MAX);
    enum err e = ERR_USER;
    if (args_are_about(args, d->question))
        e = extend(tool, args, &in, &body, &problems);
    if (e != ERR_OK && e != ERR_MEMORY) /* a second try must have the bytes of the first */
        e = contract_encode_answer(&in, &body, &problems);
    if (e == ERR_OK) /* before it goes out, so that a retry is sure to have the same key */
        e = remember_sent(d, text, key);
    if (e != ERR_OK) {
        say_problem(m, &problems);
        buf_fini(&body);
        return;
    }
    struct model_write w = begin(m);
    (void)str_copy(w.key, sizeof w.key, key);
    (void)str_copy(w.question, sizeof w.question, d->question);
    if (send(m, fx, p, kind, &w, tool, &body, NULL)) {
        m->editing = false;
        model_dialog_pop(m);
        model_add_row(m, p, TIMELINE_LOCAL,
                      feedback ? "You confirmed the feedback." : "You confirmed the answer.");
    }
    buf_fini(&body);
}

/* Joins head, the code as a JSON string, and tail in guarded memory. Takes nothing. */
static struct secret *join_secret(const struct buf *head, struct secret *code,
                                  const struct buf *tail)
{
    static const char hex[] = "0123456789abcdef";
    struct secret *body = secret_new(head->len + tail->len + secret_len(code) * 6 + 2);
    if (!body)
        return NULL;
    enum err e = secret_append(body, head->data, head->len);
    if (e == ERR_OK)
        e = secret_append(body, "\"", 1);
    const unsigned char *bytes = secret_open(code);
    for (size_t i = 0; e == ERR_OK && i < secret_len(code); i++) {
        unsigned char c = bytes[i];
        if (c < 0x20) {
            char u[6] = {'\\', 'u', '0', '0', hex[c >> 4], hex[c & 15]};
            e = secret_append(body, u, sizeof u);
        } else if (c == '"' || c == '\\') {
            e = secret_append(body, "\\", 1);
            if (e == ERR_OK)
                e = secret_append(body, &bytes[i], 1);
        } else {
            e = secret_append(body, &bytes[i], 1);
        }
    }
    secret_close(code);
    if (e == ERR_OK)
        e = secret_append(body, "\"", 1);
    if (e == ERR_OK)
        e = secret_append(body, tail->data, tail->len);
    if (e == ERR_OK)
        return body;
    secret_free(body);
    return NULL;
}

/* A one-time code is never a card number; whoever pasted one meant another field. */
static bool entry_holds_card(struct secret *entry)
{
    const char *text = (const char *)secret_open(entry);
    bool found = text && contract_text_holds_card(text, secret_len(entry));

    if (text)
        secret_close(entry);
    return found;
}

static void send_code(struct model *m, struct effects *fx, struct model_purchase *p)
{
    struct buf head, tail;
    struct contract_problems problems = {0};
    char key[CONTRACT_ID_MAX];
    enum contract_tool tool = answer_tool(p, false);
    ident_key(key, "code");
    struct contract_answer_input in = {
        .tool = tool,
        .type = answer_type(p, false),
        .purchase = p->id,
        .question = p->secret_question,
        .idempotency_key = key,
    };
    if (!p->secret_entry || p->secret_chars == 0) {
        (void)str_copy(m->form.problem, sizeof m->form.problem, "The code is empty.");
        return;
    }
    if (entry_holds_card(p->secret_entry)) {
        (void)str_copy(m->form.problem, sizeof m->form.problem,
                       "This looks like a card number. It is not sent: take it out.");
        return;
    }
    buf_init(&head, CONTRACT_BODY_MAX);
    buf_init(&tail, CONTRACT_BODY_MAX);
    if (contract_answer_frame(&in, &head, &tail, &problems) != ERR_OK) {
        say_problem(m, &problems);
        goto out;
    }
    struct secret *body = join_secret(&head, p->secret_entry, &tail);
    if (!body) {
        (void)str_copy(m->form.problem, sizeof m->form.problem,
                       "No guarded memory left; nothing was sent.");
        goto out;
    }
    struct model_write w = begin(m);
    (void)str_copy(w.key, sizeof w.key, key);
    (void)str_copy(w.question, sizeof w.question, p->secret_question);
    if (send(m, fx, p, MODEL_WRITE_ANSWER, &w, tool, NULL, body)) {
        model_wipe_entry(p);
        m->editing = false;
        model_dialog_pop(m);
        model_add_row(m, p, TIMELINE_LOCAL,
                      "You confirmed the code. It goes out once and is wiped here.");
    }
out:
    buf_fini(&head);
    buf_fini(&tail);
}

void write_answer(struct model *m, struct effects *fx)
{
    struct model_purchase *p = model_find(m, m->form.purchase);
    if (!p || !p->snap)
        return;
    const struct contract_question *q = model_open_question(p);
    bool feedback = p->snap->follow_up.open && strcmp(p->snap->follow_up.id, m->form.question) == 0;
    if (!allowed(m, p, feedback ? POLICY_FEEDBACK : POLICY_ANSWER, m->form.question))
        return;
    if (!feedback && q && q->kind.value == CONTRACT_QUESTION_OTP) {
        send_code(m, fx, p);
        return;
    }
    send_words(m, fx, p, model_draft(p, m->form.question), feedback);
}

void write_report(struct model *m, struct effects *fx, int outcome)
{
    struct model_purchase *p = model_find(m, m->form.purchase);
    bool paid = outcome == CONTRACT_OUTCOME_PAID;
    struct contract_problems problems = {0};
    struct buf body;
    if (!p || !allowed(m, p, paid ? POLICY_REPORT_PAID : POLICY_REPORT_FAILED, NULL))
        return;
    const char *ref = edit_text(&m->form.field[0]);
    const char *amount = edit_text(&m->form.field[1]);
    struct contract_report_input in = {
        .purchase = p->id,
        .checkout_attempt_id = p->attempt_id[0] ? p->attempt_id : NULL,
        .outcome = outcome,
        .failure_reason = paid ? CONTRACT_ABSENT : m->form.choice,
        .merchant_order_ref = paid && ref[0] ? ref : NULL,
        .amount_paid = paid && amount[0] ? amount : NULL,
    };
    buf_init(&body, CONTRACT_BODY_MAX);
    if (contract_encode_report(&in, &body, &problems) != ERR_OK) {
        say_problem(m, &problems);
        buf_fini(&body);
        return;
    }
    struct model_write w = begin(m);
    w.outcome = outcome;
    w.failure = in.failure_reason;
    (void)str_copy(w.attempt_id, sizeof w.attempt_id, p->attempt_id);
    if (send(m, fx, p, MODEL_WRITE_REPORT, &w, CONTRACT_TOOL_REPORT_CHECKOUT_RESULT, &body, NULL)) {
        p->attempt_used = true;
        model_wipe_handout(m, p, "reported");
        const struct contract_row *why = contract_row(CONTRACT_KIND_FAILURE, w.failure);
        if (paid)
            model_add_row(m, p, TIMELINE_LOCAL, "You confirmed the report: paid.");
        else
            model_add_row(m, p, TIMELINE_LOCAL, "You confirmed the report: failed, %s.",
                          why ? why->words : "");
        model_remove_dialogs(m);
    }
    buf_fini(&body);
}

void write_step(struct model *m, struct effects *fx, int step)
{
    struct model_purchase *p = model_find(m, m->form.purchase);
    struct contract_problems problems = {0};
    struct buf body;
    if (!p || !allowed(m, p, POLICY_STEP, NULL))
        return;
    if (p->steps_done & (1u << step)) {
        model_say(m, false, "This step is ticked already.");
        return;
    }
    struct contract_step_input in = {
        .purchase = p->id,
        .checkout_attempt_id = p->attempt_id[0] ? p->attempt_id : NULL,
        .step = step,
    };
    buf_init(&body, CONTRACT_BODY_MAX);
    if (contract_encode_step(&in, &body, &problems) == ERR_OK) {
        struct model_write w = begin(m);
        w.step = step;
        if (send(m, fx, p, MODEL_WRITE_STEP, &w, CONTRACT_TOOL_REPORT_CHECKOUT_STEP, &body, NULL))
            p->attempt_used = true;
    } else {
        say_problem(m, &problems);
    }
    buf_fini(&body);
}

void write_cancel(struct model *m, struct effects *fx)
{
    struct model_purchase *p = model_find(m, m->form.purchase);
    struct contract_problems problems = {0};
    struct buf body;
    if (!p || !allowed(m, p, POLICY_CANCEL, NULL))
        return;
    buf_init(&body, CONTRACT_BODY_MAX);
    if (contract_encode_cancel(p->id, NULL, &body, &problems) == ERR_OK) {
        struct model_write w = begin(m);
        if (send(m, fx, p, MODEL_WRITE_CANCEL, &w, CONTRACT_TOOL_CANCEL_PURCHASE, &body, NULL)) {
            model_wipe_handout(m, p, "cancel asked for");
            model_add_row(m, p, TIMELINE_LOCAL,
                          "You confirmed the cancel. It is no refund by itself.");
            model_remove_dialogs(m);
        }
    } else {
        say_problem(m, &problems);
    }
    buf_fini(&body);
}

void write_vault(struct model *m, struct effects *fx)
{
    struct model_purchase *p = model_find(m, m->selected);
    char key[CONTRACT_ID_MAX], extra[CONTRACT_ID_MAX + 32];
    struct contract_problems problems = {0};
    struct buf body;
    if (!p || !allowed(m, p, POLICY_VAULT_SAVE, NULL))
        return;
    if (m->now_mono - p->offers_mono < CONFIRM_DELAY_MS) {
        model_say(m, true, "The offer has only just appeared; press the key again.");
        return;
    }
    const struct model_write *before = &p->writes[MODEL_WRITE_VAULT];
    /* One key for as long as nothing came of it: a second try is the same operation. */
    if (before->key[0] && before->state != MODEL_WRITE_DONE &&
        before->state != MODEL_WRITE_REPLAYED)
        (void)str_copy(key, sizeof key, before->key);
    else
        ident_key(key, "vault");
    snprintf(extra, sizeof extra, "\"idempotency_key\":\"%s\"", key);
    enum contract_tool tool = (enum contract_tool)p->vault_offer.tool.value;
    buf_init(&body, CONTRACT_BODY_MAX);
    if (contract_args_extend(p->vault_offer.args, extra, &body) == ERR_OK &&
        contract_check_input(tool, body.data, body.len, &problems) == ERR_OK) {
        struct model_write w = begin(m);
        (void)str_copy(w.key, sizeof w.key, key);
        if (send(m, fx, p, MODEL_WRITE_VAULT, &w, tool, &body, NULL))
            model_add_row(m, p, TIMELINE_LOCAL,
                          "You asked for this card to be saved to the vault.");
    } else {
        model_say(m, true, "Envoy's offer is not in a form that can be sent; nothing was sent.");
    }
    buf_fini(&body);
}
