/* SPDX-License-Identifier: Apache-2.0 */
/* answer_purchase_question: answers, feedback and the vault save. The words themselves are judged
 * and dropped; what stays is a hash and a length, to know a repeated answer from another one. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "core/str.h"
#include "sim/sim_flow.h"
#include "sim/sim_mem.h"
#include "sim_tools_private.h"

static uint64_t hash_of(const char *text)
{
    uint64_t h = 0xcbf29ce484222325U;

    for (; *text != '\0'; text++) {
        h = (h ^ (unsigned char)*text) * 0x100000001b3U;
    }
    return h;
}

static bool passes_luhn(const char *digits, size_t n)
{
    int sum = 0;

    for (size_t i = 0; i < n; i++) {
        int d = digits[n - 1 - i] - '0';

        if (i % 2 == 1) {
            d = d * 2 > 9 ? d * 2 - 9 : d * 2;
        }
        sum += d;
    }
    return sum % 10 == 0;
}

/* 13 to 19 digits, single blanks or hyphens between them, with a right check digit. The first digit
 * keeps Indian mobile numbers out. */
static bool has_card_number(const char *text)
{
    char digits[20];

    for (const char *s = text; *s != '\0'; s++) {
        size_t n = 0;
        const char *c = s;

        if (*s < '3' || *s > '6' || (s > text && isdigit((unsigned char)s[-1]))) {
            continue;
        }
        for (; *c != '\0' && n < 19; c++) {
            if (isdigit((unsigned char)*c)) {
                digits[n++] = *c;
            } else if ((*c != ' ' && *c != '-') || !isdigit((unsigned char)c[1])) {
                break;
            }
        }
        if (n >= 13 && passes_luhn(digits, n)) {
            return true;
        }
    }
    return false;
}

/* Nothing but 4 to 8 digits, or such digits after a word that names a code. */
static bool looks_like_code(const char *text)
{
    static const char *const words[] = {"otp", "cvv", "one-time code", "one time code",
                                        "verification code"};
    size_t digits = 0;
    bool is_bare = true;

    for (const char *c = text; *c != '\0'; c++) {
        digits += isdigit((unsigned char)*c) != 0;
        is_bare = is_bare && (isdigit((unsigned char)*c) || *c == ' ' || *c == '-');
    }
    if (is_bare && digits >= 4 && digits <= 8) {
        return true;
    }
    for (size_t i = 0; digits >= 3 && i < sizeof(words) / sizeof(words[0]); i++) {
        if (str_contains_nocase(text, words[i])) {
            return true;
        }
    }
    return false;
}

static struct sim_answer *find(const struct sim_world *w, const char *key)
{
    for (size_t i = 0; i < w->answer_count; i++) {
        if (strcmp(w->answers[i].key, key) == 0) {
            return &w->answers[i];
        }
    }
    return NULL;
}

static struct sim_answer *keep(struct sim_world *w, struct sim_call *call,
                               const struct sim_purchase *p, const char *question)
{
    const char *text = sim_tool_text(call->input, "answer");
    struct sim_answer *a = NULL;
    struct sim_effect *e = NULL;

    w->answers = sim_mem_grow(w->answers, w->answer_count + 1, sizeof(*w->answers));
    a = &w->answers[w->answer_count++];
    memset(a, 0, sizeof(*a));
    str_copy(a->key, sizeof(a->key), sim_tool_text(call->input, "idempotency_key"));
    str_copy(a->purchase_id, sizeof(a->purchase_id), p != NULL ? p->id : "");
    str_copy(a->question, sizeof(a->question), question);
    a->hash = hash_of(text);
    a->length = str_code_points(text);
    a->recorded_ms = w->now_ms;
    e = sim_world_effect(w, "answer_purchase_question", a->key, a->purchase_id);
    e->calls++;
    e->effects++;
    return a;
}

static void add_receipt(struct sim_call *call, const struct sim_answer *a)
{
    cJSON *receipt = NULL;

    call->reply.data = cJSON_CreateObject();
    receipt = cJSON_AddObjectToObject(call->reply.data, "receipt");
    cJSON_AddStringToObject(receipt, "feedback_id", a->feedback_id);
    sim_render_time(receipt, "recorded_at", a->recorded_ms);
}

static void replay(struct sim_world *w, struct sim_call *call, const struct sim_answer *a)
{
    sim_world_effect(w, "answer_purchase_question", a->key, a->purchase_id)->calls++;
    if (a->hash != hash_of(sim_tool_text(call->input, "answer"))) {
        sim_reply_refuse(&call->reply, "IDEMPOTENCY_CONFLICT", NULL);
        return;
    }
    call->reply.is_replayed = true;
    if (a->purchase_id[0] != '\0') {
        call->reply.purchase = sim_world_find(w, a->purchase_id, false);
    }
    if (a->feedback_id[0] != '\0') {
        add_receipt(call, a);
    }
}

static void feedback(struct sim_world *w, struct sim_call *call)
{
    struct sim_purchase *p = NULL;
    struct sim_answer *a = NULL;

    if (sim_tool_text(call->input, "purchase") != NULL) {
        p = sim_tool_purchase(w, call);
        if (p == NULL) {
            return;
        }
        if (!sim_state_is_terminal(p->state)) {
            sim_reply_refuse(&call->reply, "STATE_CONFLICT",
                             "Feedback has its time when the purchase is over.");
            call->reply.purchase = p;
            return;
        }
    }
    a = keep(w, call, p, "feedback");
    snprintf(a->feedback_id, sizeof(a->feedback_id), "fb_");
    sim_ident_hex(w->seed, "feedback", w->answer_count, 0, a->feedback_id + 3, 20);
    if (p != NULL) {
        p->counts.feedbacks++;
        if (p->wants_feedback) {
            p->wants_feedback = false;
            sim_flow_touch(w, p);
        }
    }
    call->reply.purchase = p;
    add_receipt(call, a);
}

static void save(struct sim_world *w, struct sim_call *call, struct sim_purchase *p)
{
    if (strcmp(sim_tool_text(call->input, "answer"), "save") != 0) {
        sim_reply_field(&call->reply, "/answer", "The answer to this offer is save.", "save");
        return;
    }
    call->reply.purchase = p;
    if (p->vault == SIM_VAULT_SAVING || p->vault == SIM_VAULT_ASKED ||
        p->vault == SIM_VAULT_SAVED) {
        call->reply.is_replayed = true;
    } else if (sim_flow_offers_vault(p)) {
        keep(w, call, p, "vault_save");
        sim_flow_save(w, p);
    } else if (p->plan->vault_mode != SIM_VAULT_MODE_NONE && p->state != SIM_READY) {
        sim_reply_refuse(&call->reply, "STATE_CONFLICT", "The card is not ready.");
    } else {
        sim_reply_refuse(&call->reply, "NOT_ALLOWED",
                         "A vault save is not available for this purchase.");
    }
}

/* True when the words may be sent on; refuses without repeating them. */
static bool is_fit(struct sim_call *call, enum sim_ask kind)
{
    const char *text = sim_tool_text(call->input, "answer");

    if (kind == SIM_ASK_PASSWORD) {
        sim_reply_field(&call->reply, "/answer", "Envoy takes no password.",
                        "cancel the purchase if the merchant insists");
        return false;
    }
    if (has_card_number(text)) {
        sim_reply_field(&call->reply, "/answer", "This looks like card details.",
                        "words without card details or codes");
        return false;
    }
    if (kind != SIM_ASK_OTP && looks_like_code(text)) {
        sim_reply_field(&call->reply, "/answer", "This looks like a one-time code.",
                        "words without card details or codes");
        return false;
    }
    return true;
}

static struct sim_purchase *find_asking(struct sim_world *w, struct sim_call *call)
{
    struct sim_purchase *asking = NULL;
    size_t count = 0;

    if (sim_tool_text(call->input, "purchase") != NULL) {
        return sim_tool_purchase(w, call);
    }
    for (size_t i = 0; i < w->purchase_count; i++) {
        if (w->purchases[i]->question.kind != SIM_ASK_NONE) {
            asking = w->purchases[i];
            count++;
        }
    }
    if (count > 1) {
        sim_reply_field(&call->reply, "/question", "More than one question is open.",
                        asking->question.id);
        return NULL;
    }
    return asking != NULL ? asking : sim_tool_purchase(w, call);
}

void sim_tool_answer(struct sim_world *w, struct sim_call *call)
{
    const struct sim_answer *known = find(w, sim_tool_text(call->input, "idempotency_key"));
    const char *question = sim_tool_text(call->input, "question");
    struct sim_purchase *p = NULL;

    if (known != NULL) {
        replay(w, call, known);
        return;
    }
    if (strcmp(sim_tool_text(call->input, "type"), "feedback") == 0) {
        if (is_fit(call, SIM_ASK_TEXT)) {
            feedback(w, call);
        }
        return;
    }
    p = find_asking(w, call);
    if (p == NULL) {
        return;
    }
    if (question != NULL && strcmp(question, "vault_save") == 0) {
        save(w, call, p);
        return;
    }
    if (p->question.kind == SIM_ASK_NONE ||
        (question != NULL && strcmp(question, p->question.id) != 0)) {
        sim_reply_refuse(&call->reply, "STATE_CONFLICT",
                         p->question.kind == SIM_ASK_NONE ? "No question is open here."
                                                          : "Another question is open now.");
        call->reply.purchase = p;
        return;
    }
    if (!is_fit(call, p->question.kind)) {
        return;
    }
    keep(w, call, p, p->question.id);
    sim_flow_answer(w, p);
    call->reply.purchase = p;
}
