/* SPDX-License-Identifier: Apache-2.0 */
/* A write of the command "call" and its row in the journal. Invariants: of the body only the fields
 * that the journal has a column for are taken out, and the whole of it for a start alone; what an
 * error does not rule out is UNKNOWN. */
#include "call_note.h"

#include <string.h>

#include "app/start.h"
#include "core/clock.h"
#include "core/jsonscan.h"
#include "core/money.h"
#include "core/scrub.h"
#include "core/str.h"

#define URL_MAX   2100
#define TOTAL_MAX 32

/* "" when the member is not there or is no such text. */
static const char *take(const char *json, size_t len, const char *name, char *out, size_t size)
{
    const char *path[] = {name, NULL};
    struct jsonscan_span span;
    size_t used = 0;
    out[0] = '\0';
    if (jsonscan_find(json, len, path, &span) == ERR_OK &&
        jsonscan_string(json, span, out, size, &used) != ERR_OK)
        out[0] = '\0';
    return out[0] ? out : NULL;
}

static int take_word(const char *json, size_t len, const char *name, enum contract_kind kind)
{
    char word[64];
    return take(json, len, name, word, sizeof word) ? contract_find(kind, word) : CONTRACT_ABSENT;
}

/* An amount may be given as a number as well. */
static int64_t take_total(const char *json, size_t len)
{
    static const char *const path[] = {"total", NULL};
    struct jsonscan_span span;
    char text[TOTAL_MAX];
    int64_t minor = -1;
    if (!take(json, len, "total", text, sizeof text) &&
        jsonscan_find(json, len, path, &span) == ERR_OK && span.len < sizeof text) {
        memcpy(text, json + span.start, span.len);
        text[span.len] = '\0';
    }
    return money_parse(text, &minor) == ERR_OK ? minor : -1;
}

static void remember_ref(struct call_note *note, const struct journal_intent *i)
{
    const char *ref = i->purchase ? i->purchase : i->key;
    (void)str_copy(note->ref, sizeof note->ref, ref ? ref : "");
}

static enum err commit(const struct plain_call_options *o, const char *json, size_t len,
                       struct journal_intent *i, struct call_note *note,
                       char why[JOURNAL_WORDS_MAX])
{
    char key[CONTRACT_ID_MAX], purchase[CONTRACT_ID_MAX], attempt[CONTRACT_UUID_MAX];
    char question[CONTRACT_QUESTION_ID_MAX], url[URL_MAX], merchant[256];
    bool start = o->tool == CONTRACT_TOOL_START_PURCHASE;
    i->key = take(json, len, "idempotency_key", key, sizeof key);
    i->purchase = take(json, len, "purchase", purchase, sizeof purchase);
    i->question = take(json, len, "question", question, sizeof question);
    i->attempt = take(json, len, "checkout_attempt_id", attempt, sizeof attempt);
    i->outcome = take_word(json, len, "outcome", CONTRACT_KIND_OUTCOME);
    i->failure = take_word(json, len, "failure_reason", CONTRACT_KIND_FAILURE);
    i->step = take_word(json, len, "step", CONTRACT_KIND_STEP);
    i->amount_minor = -1;
    if (start) {
        i->input = json;
        i->input_len = len;
        i->amount_minor = take_total(json, len);
        if (take(json, len, "merchant_url", url, sizeof url)) {
            start_host(url, merchant, sizeof merchant);
            i->merchant = merchant;
        }
    }
    remember_ref(note, i);
    return journal_intent(o->journal, i, &note->row, why);
}

enum err call_note_intent(const struct plain_call_options *o, const char *account, int64_t at_ms,
                          struct secret *body, struct call_note *note, char why[JOURNAL_WORDS_MAX])
{
    struct journal_intent intent = {.tool = o->tool, .account = account, .at_ms = at_ms};
    if (!o->journal) {
        (void)str_copy(
            why, JOURNAL_WORDS_MAX,
            "Journal: no place for it (set HOME or XDG_STATE_HOME), so nothing was sent.");
        return ERR_STORE;
    }
    const char *json = (const char *)secret_open(body);
    if (!json) {
        (void)str_copy(why, JOURNAL_WORDS_MAX, "there is no memory for the input.");
        return ERR_MEMORY;
    }
    note->began_ms = at_ms;
    note->began_mono = clock_mono_ms();
    enum err e = commit(o, json, secret_len(body), &intent, note, why);
    secret_close(body);
    scrub_stack();
    return e;
}

static int64_t now_ms(const struct call_note *note)
{
    return note->began_ms + (clock_mono_ms() - note->began_mono);
}

static void complain(const struct plain_call_options *o, enum err e)
{
    if (e != ERR_OK)
        fprintf(o->err,
                "envoy-console: the journal could not be written further; it shows this "
                "call as unresolved. %s\n",
                journal_status_view(o->journal)->words);
}

void call_note_sent(const struct plain_call_options *o, const struct call_note *note)
{
    if (note->row)
        complain(o, journal_sent(o->journal, note->row, now_ms(note)));
}

/* Both codes may mean that there is such a purchase; UNAVAILABLE says so for the other writes when
 * it asks for a read or for another try. */
static bool leaves_open(enum contract_tool tool, const struct contract_reply *reply)
{
    int code = reply->error.code.value;
    bool start = tool == CONTRACT_TOOL_START_PURCHASE;
    if (code == CONTRACT_CODE_UNAVAILABLE)
        return start || reply->error.retryable ||
               reply->next.action.value == CONTRACT_ACTION_CALL_TOOL;
    return start && code == CONTRACT_CODE_IDEMPOTENCY_CONFLICT;
}

static enum journal_state state_of(const struct plain_call_options *o, const struct envoy_result *r)
{
    if (r->outcome != ENVOY_REPLY)
        return r->may_have_arrived ? JOURNAL_UNKNOWN : JOURNAL_NOT_SENT;
    if (!r->reply->ok)
        return leaves_open(o->tool, r->reply) ? JOURNAL_UNKNOWN : JOURNAL_REFUSED;
    if (o->tool == CONTRACT_TOOL_START_PURCHASE && !r->reply->purchase)
        return JOURNAL_UNKNOWN;
    return r->reply->replayed ? JOURNAL_REPLAYED : JOURNAL_DONE;
}

void call_note_outcome(const struct plain_call_options *o, struct call_note *note,
                       const struct envoy_result *r)
{
    if (!note->row)
        return;
    note->state = state_of(o, r);
    if (note->state == JOURNAL_UNKNOWN) {
        complain(o, journal_unknown(o->journal, note->row, now_ms(note)));
        return;
    }
    bool reply = r->outcome == ENVOY_REPLY;
    bool started = o->tool == CONTRACT_TOOL_START_PURCHASE && note->state != JOURNAL_REFUSED &&
                   reply && r->reply->purchase;
    struct journal_outcome outcome = {
        .state = note->state,
        .purchase = started ? r->reply->purchase->purchase_id : NULL,
        .code = reply && r->reply->error.present ? r->reply->error.code.value : CONTRACT_ABSENT,
        .http_status = r->http_status,
        .request_id = r->request_id[0] ? r->request_id : NULL,
        .at_ms = now_ms(note)};
    complain(o, journal_outcome(o->journal, note->row, &outcome));
}
