/* SPDX-License-Identifier: Apache-2.0 */
/* The command "call". Must not decide what to call next: that is the caller's. Invariant: the input
 * lies in guarded memory, because an answer in it may be a code. */
#include "plain/call.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "call_note.h"
#include "contract/input.h"
#include "core/clock.h"
#include "core/jsonscan.h"
#include "core/scrub.h"
#include "flow/follow.h"

#define CHUNK            1024
#define PLAIN_TIMEOUT_MS 60000
#define WAIT_MAX_S       3600

enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_SIGN_IN = 3, EXIT_REFUSED = 4, EXIT_NOT_CONFIRMED = 5 };

static bool is_answer(enum contract_tool tool)
{
    return contract_tool_is_same(tool, CONTRACT_TOOL_ANSWER_PURCHASE_QUESTION);
}

static enum err refuse(const struct plain_call_options *o, const char *why)
{
    fprintf(o->err, "envoy-console: %s\n", why);
    return ERR_USER;
}

static enum err read_all(int fd, struct secret *body)
{
    unsigned char chunk[CHUNK];
    enum err e = ERR_OK;
    while (e == ERR_OK) {
        ssize_t n = read(fd, chunk, sizeof(chunk));
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            e = ERR_STORE;
        if (n <= 0)
            break;
        e = secret_append(body, chunk, (size_t)n);
    }
    scrub_bytes(chunk, sizeof(chunk));
    return e;
}

static enum err print_problems(const struct plain_call_options *o,
                               const struct contract_problems *problems)
{
    size_t shown = problems->count < CONTRACT_FIELDS_MAX ? problems->count : CONTRACT_FIELDS_MAX;
    fprintf(o->err, "envoy-console: the input is not right; nothing was sent.\n");
    for (size_t i = 0; i < shown; i++) {
        const struct contract_field *f = &problems->fields[i];
        fprintf(o->err, "%s: %s%s%s\n", f->path[0] ? f->path : "/", f->problem,
                f->expected[0] ? ", expected " : "", f->expected);
    }
    if (problems->count > shown)
        fprintf(o->err, "and %zu more\n", problems->count - shown);
    return ERR_USER;
}

/* A card number in an answer is stopped here too; a code may be what was asked for. */
static bool has_card_number(const char *json, size_t len)
{
    static const char *const path[] = {"answer", NULL};
    struct jsonscan_span span;
    char answer[CONTRACT_ANSWER_MAX * 4 + 1];
    size_t used = 0;
    bool found = jsonscan_find(json, len, path, &span) == ERR_OK &&
                 jsonscan_string(json, span, answer, sizeof(answer), &used) == ERR_OK &&
                 contract_answer_suspicion(answer) == CONTRACT_CARD_NUMBER;
    scrub_bytes(answer, sizeof(answer));
    return found;
}

static enum err judge(const struct plain_call_options *o, struct secret *body)
{
    struct contract_problems problems = {0};
    const char *json = (const char *)secret_open(body);
    if (!json)
        return refuse(o, "there is no memory for the input.");
    size_t len = secret_len(body);
    enum err e = contract_check_input(o->tool, json, len, &problems);
    bool stopped = e == ERR_OK && is_answer(o->tool) && has_card_number(json, len);
    secret_close(body);
    scrub_stack();
    if (e != ERR_OK)
        return print_problems(o, &problems);
    if (stopped)
        return refuse(o, "the answer looks like a card number, so it was not sent.");
    return ERR_OK;
}

enum err plain_call_read(const struct plain_call_options *o, struct secret **body)
{
    static const char none[] = "{}";
    if (o->read_only && contract_is_write(o->tool))
        return refuse(o, "--read-only: this call would change something, so it was not sent.");
    if (o->input && is_answer(o->tool))
        return refuse(o, "an answer may be secret and arguments can be seen by other programs: "
                         "give the JSON on standard input, with - in its place.");
    struct secret *fresh = secret_new(CONTRACT_BODY_MAX);
    enum err e = ERR_MEMORY;
    if (fresh && o->input)
        e = secret_append(fresh, o->input, strlen(o->input));
    else if (fresh)
        e = read_all(o->input_fd, fresh);
    if (e == ERR_OK && secret_len(fresh) == 0)
        e = secret_append(fresh, none, strlen(none));
    if (e != ERR_OK)
        refuse(o, e == ERR_LIMIT ? "the input is longer than 64 KiB; nothing was sent."
                                 : "the input cannot be read; nothing was sent.");
    else
        e = judge(o, fresh);
    if (e == ERR_OK)
        *body = fresh;
    else
        secret_free(fresh);
    return e == ERR_OK ? ERR_OK : ERR_USER;
}

/* As long as the service may hold the read, and a little longer. */
static int64_t limit_of(struct secret *body)
{
    static const char *const path[] = {"wait_seconds", NULL};
    struct jsonscan_span span;
    int64_t ms = PLAIN_TIMEOUT_MS;
    const char *json = (const char *)secret_open(body);
    if (!json)
        return ms;
    if (jsonscan_find(json, secret_len(body), path, &span) == ERR_OK && span.len < 6) {
        char number[8] = "";
        memcpy(number, json + span.start, span.len);
        int64_t wait = strtol(number, NULL, 10);
        if (wait > 0 && wait <= WAIT_MAX_S)
            ms = wait * 1000 + FOLLOW_TIMEOUT_SLACK_MS;
    }
    secret_close(body);
    return ms > FOLLOW_TIMEOUT_MIN_MS ? ms : FOLLOW_TIMEOUT_MIN_MS;
}

/* The masked handout */

static enum err add_masked(struct buf *b, const struct handout *h, const char *name,
                           enum handout_field field)
{
    char mask[64];
    if (!handout_has(h, field))
        return ERR_OK;
    handout_mask(h, field, false, mask, sizeof(mask));
    enum err e = buf_printf(b, "%s\"%s\":", b->data[b->len - 1] == '{' ? "" : ",", name);
    return e == ERR_OK ? contract_json_string(b, mask) : e;
}

static enum err add_text(struct buf *b, const char *name, const char *value)
{
    enum err e = buf_printf(b, "%s\"%s\":", b->data[b->len - 1] == '{' ? "" : ",", name);
    return e == ERR_OK ? contract_json_string(b, value) : e;
}

static enum err add_time(struct buf *b, const char *name, int64_t at_ms)
{
    char text[CLOCK_TEXT_MAX];
    clock_rfc3339(text, at_ms);
    return text[0] ? add_text(b, name, text) : ERR_OK;
}

static enum err add_card(struct buf *b, const struct handout *h, const struct handout_facts *f)
{
    enum err e = buf_append_str(b, "\"kind\":\"card\",\"card\":{");
    e = e == ERR_OK ? add_masked(b, h, "number", HANDOUT_NUMBER) : e;
    e = e == ERR_OK ? add_masked(b, h, "expiry", HANDOUT_EXPIRY) : e;
    e = e == ERR_OK ? add_masked(b, h, "cvv", HANDOUT_CVV) : e;
    e = e == ERR_OK ? add_text(b, "network", f->network) : e;
    e = e == ERR_OK ? buf_append_char(b, '}') : e;
    e = e == ERR_OK ? add_masked(b, h, "checkout_code", HANDOUT_CODE) : e;
    e = e == ERR_OK ? add_time(b, "checkout_code_expires_at", f->code_expires_at_ms) : e;
    e = e == ERR_OK ? add_text(b, "amount_limit", f->amount_limit_display) : e;
    return e == ERR_OK ? add_time(b, "expires_at", f->expires_at_ms) : e;
}

static enum err add_voucher(struct buf *b, const struct handout *h, const struct handout_facts *f)
{
    enum err e = buf_append_str(b, "\"kind\":\"gift_card\",\"voucher\":{");
    e = e == ERR_OK ? add_masked(b, h, "code", HANDOUT_VOUCHER_CODE) : e;
    e = e == ERR_OK ? add_masked(b, h, "pin", HANDOUT_VOUCHER_PIN) : e;
    e = e == ERR_OK ? add_text(b, "brand", f->brand) : e;
    e = e == ERR_OK ? add_text(b, "value", f->value_display) : e;
    e = e == ERR_OK ? add_time(b, "valid_until", f->valid_until_ms) : e;
    e = e == ERR_OK ? add_text(b, "redemption_url", f->redemption_url) : e;
    e = e == ERR_OK ? add_text(b, "redemption_instructions", f->redemption) : e;
    return e == ERR_OK ? buf_append_char(b, '}') : e;
}

enum err plain_call_add_handout(const char *text, const struct handout *h, struct buf *out)
{
    static const char *const path[] = {"data", NULL};
    const struct handout_facts *f = handout_facts_view(h);
    struct jsonscan_span data;
    enum err e = jsonscan_find(text, strlen(text), path, &data);
    if (e != ERR_OK)
        return e;
    size_t end = data.start + data.len;
    bool is_object = text[data.start] == '{';
    bool is_empty = !is_object || data.len <= 2;
    e = buf_append(out, text, is_object ? end - 1 : data.start);
    e = e == ERR_OK ? buf_append_str(out, is_object ? "" : "{") : e;
    e = e == ERR_OK ? buf_printf(out, "%s\"payment_details\":{", is_empty ? "" : ",") : e;
    e = e == ERR_OK ? add_text(out, "checkout_attempt_id", f->checkout_attempt_id) : e;
    e = e == ERR_OK ? buf_append_char(out, ',') : e;
    e = e == ERR_OK ? f->kind == HANDOUT_CARD ? add_card(out, h, f) : add_voucher(out, h, f) : e;
    e = e == ERR_OK ? buf_append_str(out, "}}") : e;
    return e == ERR_OK ? buf_append_str(out, text + end) : e;
}

/* The reply */

static int print_reply(const struct plain_call_options *o, struct envoy_result *r)
{
    struct buf text, whole;
    buf_init(&text, 8 * 1024 * 1024);
    buf_init(&whole, 9 * 1024 * 1024);
    enum err e = contract_reply_encode(r->reply, &text);
    if (e == ERR_OK && r->handout)
        e = plain_call_add_handout(buf_view(&text), r->handout, &whole);
    const struct buf *shown = r->handout ? &whole : &text;
    if (e == ERR_OK && (fprintf(o->out, "%s\n", buf_view(shown)) < 0 || fflush(o->out) != 0))
        e = ERR_STORE;
    if (e != ERR_OK)
        fprintf(o->err, "envoy-console: the reply came but could not be printed.\n");
    buf_fini(&text);
    buf_fini(&whole);
    return e == ERR_OK ? EXIT_DONE : EXIT_FAILED;
}

static int reply_code(const struct plain_call_options *o, const struct contract_reply *reply)
{
    if (!reply->error.present)
        return EXIT_DONE;
    fprintf(o->err, "envoy-console: %s\n", reply->error.message);
    return reply->error.code.value == CONTRACT_CODE_UNAUTHENTICATED ? EXIT_SIGN_IN : EXIT_REFUSED;
}

/* A write whose outcome is open: what may be done now, and nothing else. */
static void say_safe(const struct plain_call_options *o, const struct call_note *note)
{
    fprintf(
        o->err,
        "envoy-console: Not confirmed: it may have been done all the same. Read it with: "
        "envoy-console call get_purchase_status '{\"purchase\":\"%s\"}'\n"
        "envoy-console: %s The console reads it too when it starts, and \"envoy-console journal "
        "--unresolved\" lists it.\n",
        note->ref,
        o->tool == CONTRACT_TOOL_START_PURCHASE
            ? "Start nothing for it under another key; the same key with the same input is safe."
        : is_answer(o->tool) ? "The same answer with the same idempotency_key is safe."
                             : "Do not repeat it before that.");
}

static int report(const struct plain_call_options *o, struct envoy_result *r,
                  const struct call_note *note)
{
    bool open = note->row && note->state == JOURNAL_UNKNOWN;
    int code;
    if (r->outcome == ENVOY_REPLY) {
        int printed = print_reply(o, r);
        code = reply_code(o, r->reply);
        if (r->handout_malformed)
            fprintf(o->err, "envoy-console: payment details came in an unknown form and were "
                            "wiped.\n");
        code = code != EXIT_DONE ? code : printed;
    } else {
        fprintf(o->err, "envoy-console: %s%s%s.%s\n", envoy_result_words(r),
                r->why[0] ? ": " : "", r->why, note->row && !open ? " Nothing was changed." : "");
        code = r->http_status == 401 ? EXIT_SIGN_IN : EXIT_FAILED;
    }
    if (open)
        say_safe(o, note);
    return open ? EXIT_NOT_CONFIRMED : code;
}

/* false: no reply can come any more. */
static bool wait_for(struct envoy_http *http, struct envoy_result *r)
{
    envoy_http_run(http);
    while (!envoy_http_next(http, r)) {
        if (envoy_http_poll(http, NULL, 0, -1) != ERR_OK)
            return false;
        envoy_http_run(http);
    }
    return true;
}

/* Whose account is it? Without that the write could not be noted under the right one. */
static int read_account(const struct plain_call_options *o, struct envoy_http *http,
                        char account[32], int64_t *at_ms)
{
    struct envoy_result r;
    struct contract_problems problems;
    struct buf body;
    uint64_t id = 0;
    int code = EXIT_FAILED;
    buf_init(&body, CONTRACT_BODY_MAX);
    enum err e = contract_encode_account(
        1u << CONTRACT_SECTION_PROFILE | 1u << CONTRACT_SECTION_AGENT, &body, &problems);
    if (e == ERR_OK)
        e = envoy_http_call(http, CONTRACT_TOOL_GET_ACCOUNT, buf_view(&body), body.len,
                            PLAIN_TIMEOUT_MS, &id);
    buf_fini(&body);
    if (e != ERR_OK || !wait_for(http, &r)) {
        fprintf(o->err, "envoy-console: the account could not be read. Nothing was changed.\n");
        return EXIT_FAILED;
    }
    if (r.outcome == ENVOY_REPLY && r.reply->ok && r.reply->account &&
        model_account_name(o->host, r.reply->account, account)) {
        *at_ms = r.reply->server_time_ms;
        code = EXIT_DONE;
    } else {
        if (r.outcome == ENVOY_REPLY && r.reply->error.present)
            code = reply_code(o, r.reply);
        else
            fprintf(o->err, "envoy-console: %s%s%s.\n", envoy_result_words(&r),
                    r.why[0] ? ": " : "", r.why);
        if (r.http_status == 401)
            code = EXIT_SIGN_IN;
        fprintf(o->err, "envoy-console: It is not known whose account this is, so the call was not "
                        "sent. Nothing was changed.\n");
    }
    envoy_result_fini(&r);
    return code;
}

static int prepare(const struct plain_call_options *o, struct envoy_http *http, struct secret *body,
                   struct call_note *note)
{
    char account[32] = "", why[JOURNAL_WORDS_MAX] = "";
    int64_t at_ms = 0;
    if (o->journal && journal_status_view(o->journal)->mode != JOURNAL_READ_WRITE) {
        fprintf(o->err, "envoy-console: %s Nothing was changed.\n",
                journal_status_view(o->journal)->words);
        return EXIT_FAILED;
    }
    int code = read_account(o, http, account, &at_ms);
    if (code != EXIT_DONE)
        return code;
    if (call_note_intent(o, account, at_ms, body, note, why) == ERR_OK)
        return EXIT_DONE;
    fprintf(o->err, "envoy-console: %s Nothing was changed.\n", why);
    return EXIT_FAILED;
}

int plain_call_send(const struct plain_call_options *o, struct envoy_http *http,
                    struct secret *body)
{
    struct envoy_result r;
    struct call_note note = {0};
    uint64_t id = 0;
    int64_t limit = limit_of(body);
    int code = contract_is_write(o->tool) ? prepare(o, http, body, &note) : EXIT_DONE;
    if (code != EXIT_DONE) {
        secret_free(body);
        return code;
    }
    enum err e = envoy_http_call_secret(http, o->tool, body, limit, &id);
    secret_free(body);
    if (e != ERR_OK) {
        r = (struct envoy_result){.outcome = ENVOY_NOT_SENT};
        call_note_outcome(o, &note, &r);
        fprintf(o->err, "envoy-console: the call could not be started; nothing was sent.\n");
        return EXIT_FAILED;
    }
    call_note_sent(o, &note);
    if (!wait_for(http, &r))
        r = (struct envoy_result){.outcome = ENVOY_RESET, .may_have_arrived = true};
    call_note_outcome(o, &note, &r);
    code = report(o, &r, &note);
    bool held_secret = r.handout != NULL;
    envoy_result_fini(&r);
    if (held_secret)
        scrub_stack();
    return code;
}
