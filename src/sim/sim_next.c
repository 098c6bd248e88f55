/* SPDX-License-Identifier: Apache-2.0 */
/* The rest of the envelope: next for every state and every error, the user's task, the handout, the
 * optional follow-ups. Pages: troubleshooting/errors (states and next.action), saved-card-vault. */
#include <stdio.h>
#include <string.h>

#include "core/money.h"
#include "core/str.h"
#include "sim/sim_flow.h"
#include "sim_render_private.h"

#define HOLD_SECONDS       45
#define PROCESSING_WAIT_MS (INT64_C(10) * 60 * 1000)
#define VERIFYING_WAIT_MS  (INT64_C(15) * 60 * 1000)

int64_t sim_render_by(const struct sim_purchase *p)
{
    switch (p->state) {
    case SIM_WAITING:
        return p->decide_by_ms;
    case SIM_PROCESSING:
        return p->wait_from_ms + PROCESSING_WAIT_MS;
    case SIM_VERIFYING:
        return p->wait_from_ms + VERIFYING_WAIT_MS;
    default:
        return SIM_NEVER;
    }
}

static cJSON *next_object(const char *action, const char *tool, cJSON *args,
                          const char *instruction)
{
    cJSON *n = cJSON_CreateObject();

    cJSON_AddStringToObject(n, "action", action);
    sim_render_text(n, "tool", tool);
    cJSON_AddItemToObject(n, "args", args != NULL ? args : cJSON_CreateNull());
    cJSON_AddStringToObject(n, "instruction", instruction);
    return n;
}

static cJSON *next_end(cJSON *n, int after_seconds, int64_t by_ms)
{
    if (after_seconds < 0) {
        cJSON_AddNullToObject(n, "after_seconds");
    } else {
        cJSON_AddNumberToObject(n, "after_seconds", after_seconds);
    }
    sim_render_time(n, "by", by_ms);
    return n;
}

static cJSON *purchase_args(const char *id)
{
    cJSON *args = cJSON_CreateObject();

    cJSON_AddStringToObject(args, "purchase", id);
    return args;
}

static cJSON *next_read(const char *id, const char *instruction)
{
    return next_end(next_object("call_tool", "get_purchase_status", purchase_args(id), instruction),
                    0, SIM_NEVER);
}

static cJSON *next_stop(const char *instruction)
{
    return next_end(next_object("stop", NULL, NULL, instruction), -1, SIM_NEVER);
}

static const char *held_instruction(const struct sim_purchase *p)
{
    if (p->task == SIM_TASK_PAY_LINK) {
        return "Give the user the payment link and the amount of user_action once. They pay it "
               "themselves; never open it. Then call get_purchase_status with next.args.";
    }
    if (p->state == SIM_WAITING) {
        return "Tell the user the message of user_action once; it is done in the Envoy app. Then "
               "call get_purchase_status with next.args, as they are.";
    }
    if (p->state == SIM_VERIFYING && sim_flow_may_retry(p)) {
        return "Money is not settled: never pay again here. Keep reading with next.args. If the "
               "user wants, start_purchase with retry_of lets Envoy try in its own browser.";
    }
    if (p->state == SIM_VERIFYING) {
        return "Money is not settled. Never pay again and start nothing for this. Keep reading "
               "with next.args.";
    }
    if (p->checkout_by == SIM_BY_ENVOY) {
        return "Envoy checks out itself. Do not open the merchant's payment step. Keep reading "
               "with next.args.";
    }
    return "Envoy is preparing the payment. Start nothing else. Keep reading with next.args.";
}

static cJSON *next_held(const struct sim_purchase *p, bool is_stopped)
{
    cJSON *args = NULL;

    if (is_stopped) {
        return next_stop("Stop waiting and tell the user that this is not confirmed yet; the Envoy "
                         "app shows the result. Do not pay and do not start again.");
    }
    args = purchase_args(p->id);
    cJSON_AddNumberToObject(args, "after_revision", (double)p->revision);
    cJSON_AddNumberToObject(args, "wait_seconds", HOLD_SECONDS);
    return next_end(next_object("call_tool", "get_purchase_status", args, held_instruction(p)), 0,
                    sim_render_by(p));
}

static cJSON *next_question(const struct sim_purchase *p)
{
    cJSON *args = NULL;

    if (p->question.kind == SIM_ASK_PASSWORD) {
        return next_stop("The merchant wants a password, and Envoy takes none. Tell the user. If "
                         "they agree, call cancel_purchase.");
    }
    args = purchase_args(p->id);
    cJSON_AddStringToObject(args, "question", p->question.id);
    cJSON_AddStringToObject(args, "type", p->state == SIM_NEEDS_DETAILS ? "details" : "answer");
    return next_end(next_object("call_tool", "submit_answer", args,
                                "Show the user purchase.question.prompt word for word and wait. "
                                "Send their words as answer, with a new idempotency_key."),
                    -1, SIM_NEVER);
}

static cJSON *next_ready(const struct sim_purchase *p, const struct sim_reply *r)
{
    cJSON *args = NULL;

    if (!r->is_status) {
        return next_read(p->id, "Read the purchase when you are about to pay; that reply carries "
                                "what you pay with.");
    }
    args = purchase_args(p->id);
    if (r->handout == NULL) {
        return next_end(next_object("checkout", "report_checkout_result", args,
                                    "The connection that started this purchase pays it. Report "
                                    "only what is known to have happened at the merchant."),
                        -1, SIM_NEVER);
    }
    cJSON_AddStringToObject(args, "checkout_attempt_id", r->handout->id);
    return next_end(next_object("checkout", "report_checkout_result", args,
                                p->rail == SIM_RAIL_GIFT
                                    ? "Redeem the gift card once as its instructions say, then "
                                      "report what the merchant confirmed."
                                    : "Pay once at the merchant with these details, at most "
                                      "amount_limit, then report what happened."),
                    -1, p->card_expires_ms);
}

static cJSON *next_of_purchase(const struct sim_purchase *p, const struct sim_reply *r)
{
    switch (p->state) {
    case SIM_NEEDS_DETAILS:
    case SIM_NEEDS_ANSWER:
        return next_question(p);
    case SIM_READY:
        return next_ready(p, r);
    case SIM_COMPLETED:
        return next_end(next_object("done", NULL, NULL,
                                    "The purchase is complete. Tell the user, with the order "
                                    "reference when there is one."),
                        -1, SIM_NEVER);
    case SIM_CANCELLED:
        return next_end(next_object("done", NULL, NULL,
                                    "The purchase is cancelled. Carry on with the user's task."),
                        -1, SIM_NEVER);
    case SIM_FAILED:
        return next_stop(sim_flow_may_retry(p)
                             ? "Tell the user from status_text. If they want, start_purchase with "
                               "retry_of lets Envoy try in its own browser."
                             : "Tell the user from status_text. This purchase is over.");
    case SIM_SUPERSEDED:
        return next_read(p->superseded_by,
                         "Another purchase replaces this one and needs its own approval. Read it.");
    default:
        return next_held(p, r->is_stopped);
    }
}

static const struct {
    const char *code;
    const char *action;
    const char *instruction;
} errors[] = {
    {"INVALID_INPUT", "fix_input",
     "Mend every field of error.fields, then call this tool once more."},
    {"UNAUTHENTICATED", "reconnect", "Ask the user to reconnect Envoy, then call again."},
    {"NOT_ALLOWED", "stop", "Tell the user. Do not call again; the answer stays the same."},
    {"SERVICE_NOT_ENABLED", "stop", "Tell the user that purchases are not enabled here."},
    {"NOT_FOUND", "stop", "Check the reference of this task. Do not start a new purchase."},
    {"IDEMPOTENCY_CONFLICT", "fix_input",
     "Send the first input unchanged. A new key is only for a truly new purchase or answer."},
    {"ACTIVE_PURCHASE_EXISTS", "stop", "Show the user the message of user_action and stop here."},
    {"STATE_CONFLICT", "stop", "Do not repeat this call."},
    {"NO_RAIL", "stop", "Tell the user why with error.message. Do not retry and do not split it."},
    {"CLIENT_UPDATE_REQUIRED", "update_client", "Tell the user to update this client."},
    {"RATE_LIMITED", "retry", "Wait next.after_seconds, then repeat the same call unchanged."},
    {"UNAVAILABLE", "retry",
     "Wait next.after_seconds, then repeat the same call unchanged. Pay nowhere else meanwhile."},
};

static cJSON *next_of_error(const struct sim_reply *r)
{
    size_t i = 0;

    if (r->purchase != NULL) {
        return next_read(r->purchase->id, "Read this purchase first and follow what it says.");
    }
    while (strcmp(errors[i].code, r->code) != 0) {
        i++;
    }
    if (strcmp(r->code, "UNAVAILABLE") == 0 && !r->is_retryable) {
        return next_stop("Tell the user to try again later. Pay nowhere else meanwhile.");
    }
    return next_end(next_object(errors[i].action, NULL, NULL, errors[i].instruction),
                    r->is_retryable ? r->retry_after_s : -1, SIM_NEVER);
}

static cJSON *next_of(const struct sim_reply *r)
{
    if (r->code != NULL) {
        return next_of_error(r);
    }
    if (r->next_tool != NULL) {
        return next_end(next_object("call_tool", r->next_tool, cJSON_Duplicate(r->next_args, true),
                                    r->instruction != NULL
                                        ? r->instruction
                                        : "There is more. Call again with next.args unchanged."),
                        0, SIM_NEVER);
    }
    if (r->purchase != NULL) {
        return next_of_purchase(r->purchase, r);
    }
    return next_end(next_object("continue", NULL, NULL,
                                r->instruction != NULL
                                    ? r->instruction
                                    : "Nothing more is needed. Carry on with the user's task."),
                    -1, SIM_NEVER);
}

static cJSON *user_action(const struct sim_world *w, const struct sim_reply *r)
{
    const struct sim_purchase *p = r->purchase;
    const char *task = r->is_active_conflict          ? "resolve_active_purchase"
                       : r->code == NULL && p != NULL ? sim_task_name(p->task)
                                                      : NULL;
    char url[80];
    char amount[MONEY_TEXT_MAX];
    char message[SIM_TEXT_SIZE];
    cJSON *a = NULL;

    if (task == NULL) {
        return cJSON_CreateNull();
    }
    a = cJSON_CreateObject();
    cJSON_AddStringToObject(a, "task", task);
    if (r->is_active_conflict) {
        cJSON_AddNullToObject(a, "url");
        cJSON_AddNullToObject(a, "by");
        cJSON_AddStringToObject(a, "message",
                                "You already have a purchase in progress. Finish or cancel it in "
                                "the Envoy app first.");
        return a;
    }
    money_format(amount, p->task == SIM_TASK_PAY_LINK ? p->funding_minor : p->total_minor, false);
    sim_render_pay_url(w, p, url, sizeof(url));
    sim_render_text(a, "url", p->task == SIM_TASK_PAY_LINK ? url : NULL);
    sim_render_time(a, "by", p->decide_by_ms);
    snprintf(message, sizeof(message),
             p->task == SIM_TASK_PAY_LINK    ? "Pay %s for a gift card for %.150s with this link."
             : p->task == SIM_TASK_ADD_MONEY ? "Add money in the Envoy app, then the purchase of "
                                               "%s at %.150s goes on."
             : p->task == SIM_TASK_ENTER_OTP ? "Enter the code in the Envoy app for the purchase "
                                               "of %s at %.150s."
                                             : "Approve %s at %.150s in the Envoy app.",
             amount, p->merchant_name);
    cJSON_AddStringToObject(a, "message", message);
    return a;
}

static cJSON *follow_ups(const struct sim_reply *r)
{
    const struct sim_purchase *p = r->purchase;
    cJSON *list = cJSON_CreateArray();
    cJSON *one = NULL;
    cJSON *args = NULL;
    char id[64];

    if (r->code != NULL || p == NULL) {
        return list;
    }
    if (r->is_status && sim_flow_offers_vault(p)) {
        one = cJSON_CreateObject();
        args = purchase_args(p->id);
        cJSON_AddStringToObject(args, "type", "answer");
        cJSON_AddStringToObject(args, "question", "vault_save");
        cJSON_AddStringToObject(args, "answer", "save");
        cJSON_AddStringToObject(one, "tool", "submit_answer");
        cJSON_AddItemToObject(one, "args", args);
        cJSON_AddStringToObject(
            one, "why",
            p->vault == SIM_VAULT_FAILED
                ? "Optional. The last save did not finish: Instinct wants the user to sign in "
                  "again. Pay with the card details, or ask for the save once more."
                : "Optional. Instead of handling the card details, ask Envoy to save this card to "
                  "the user's Instinct vault and pay from there. It may need a sign-in code.");
        cJSON_AddItemToArray(list, one);
    }
    if (p->state == SIM_COMPLETED && p->wants_feedback) {
        one = cJSON_CreateObject();
        args = purchase_args(p->id);
        snprintf(id, sizeof(id), "feedback-%s", p->id);
        cJSON_AddStringToObject(args, "question", id);
        cJSON_AddStringToObject(args, "type", "feedback");
        cJSON_AddStringToObject(one, "tool", "submit_answer");
        cJSON_AddItemToObject(one, "args", args);
        cJSON_AddStringToObject(one, "why", "Optional feedback about this purchase.");
        cJSON_AddItemToArray(list, one);
    }
    return list;
}

static cJSON *error_of(const struct sim_reply *r)
{
    cJSON *e = NULL;
    cJSON *fields = NULL;

    if (r->code == NULL) {
        return cJSON_CreateNull();
    }
    e = cJSON_CreateObject();
    cJSON_AddStringToObject(e, "code", r->code);
    cJSON_AddStringToObject(e, "message", r->message);
    fields = cJSON_AddArrayToObject(e, "fields");
    for (size_t i = 0; i < r->field_count; i++) {
        const struct sim_schema_field *f = &r->fields[i];
        cJSON *row = cJSON_CreateObject();

        cJSON_AddStringToObject(row, "path", f->path);
        cJSON_AddStringToObject(row, "problem", f->problem);
        sim_render_text(row, "expected", f->expected[0] != '\0' ? f->expected : NULL);
        cJSON_AddItemToArray(fields, row);
    }
    sim_render_text(e, "reason_code", r->reason_code);
    cJSON_AddBoolToObject(e, "retryable", r->is_retryable);
    if (r->is_retryable) {
        cJSON_AddNumberToObject(e, "retry_after_seconds", r->retry_after_s);
    } else {
        cJSON_AddNullToObject(e, "retry_after_seconds");
    }
    return e;
}

static cJSON *data_of(const struct sim_world *w, const struct sim_reply *r)
{
    cJSON *data = NULL;

    if (r->code != NULL) {
        return cJSON_CreateNull();
    }
    if (r->handout != NULL) {
        data = cJSON_CreateObject();
        cJSON_AddItemToObject(data, "payment_details",
                              sim_render_handout(w, r->purchase, r->handout));
        return data;
    }
    return r->data != NULL ? cJSON_Duplicate(r->data, true) : cJSON_CreateNull();
}

cJSON *sim_render_envelope(struct sim_world *w, const char *tool, const struct sim_reply *r,
                           const char *request_id, const char *trace_id)
{
    cJSON *o = cJSON_CreateObject();

    cJSON_AddBoolToObject(o, "ok", r->code == NULL);
    cJSON_AddStringToObject(o, "contract", "envoy@2026-10");
    cJSON_AddStringToObject(o, "tool", tool);
    cJSON_AddStringToObject(o, "request_id", request_id);
    cJSON_AddStringToObject(o, "trace_id", trace_id);
    sim_render_time(o, "server_time", w->now_ms);
    cJSON_AddBoolToObject(o, "replayed", r->is_replayed);
    cJSON_AddItemToObject(o, "purchase",
                          r->purchase != NULL ? sim_render_purchase(w, r->purchase)
                                              : cJSON_CreateNull());
    cJSON_AddItemToObject(o, "data", data_of(w, r));
    cJSON_AddItemToObject(o, "next", next_of(r));
    cJSON_AddItemToObject(o, "user_action", user_action(w, r));
    cJSON_AddItemToObject(o, "follow_ups", follow_ups(r));
    cJSON_AddItemToObject(o, "error", error_of(r));
    return o;
}
