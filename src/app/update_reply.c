/* SPDX-License-Identifier: Apache-2.0 */
/* A call has ended: what that says about the connection, and where its reply belongs. Invariant:
 * the header says live only after a good read, and nothing goes out during a 429 wait. */
#include "app/internal.h"
#include "app/start_internal.h"

#include <stdio.h>
#include <string.h>

#include "core/ident.h"
#include "core/str.h"

static int code_of(const struct envoy_result *r)
{
    bool error = r->outcome == ENVOY_REPLY && r->reply->error.present;
    return error ? r->reply->error.code.value : CONTRACT_ABSENT;
}

static bool is_limited(const struct envoy_result *r)
{
    return r->http_status == 429 || code_of(r) == CONTRACT_CODE_RATE_LIMITED;
}

static bool gate_is_closed(const struct model *m)
{
    return m->gate.not_before_ms > m->now_mono;
}

static void close_gate(struct model *m, const struct envoy_result *r)
{
    int64_t after = r->outcome == ENVOY_REPLY ? r->reply->next.after_seconds : -1;
    uint32_t random = ident_random32();
    int64_t wait = retry_gate_limited(&m->gate, m->now_mono, r->retry_after_ms, after, random);
    m->link = MODEL_LINK_LIMITED;
    m->link_until_mono = m->now_mono + wait;
}

/* A lost sign-in and a demanded update stand until the person acts: what was on its way then says
 * nothing new about them. */
static bool link_stands(const struct model *m, const struct model_call *call)
{
    bool by_hand = call->purpose == MODEL_CALL_LINES || call->purpose == MODEL_CALL_PERSONAL;
    return m->link == MODEL_LINK_UPDATE || (m->link == MODEL_LINK_SIGNED_OUT && !by_hand);
}

/* While the gate is closed the header counts that down, whatever late replies say. */
static void set_link(struct model *m, enum model_link link, const char *text)
{
    if (link == MODEL_LINK_LIVE)
        m->last_good_mono = m->now_mono;
    if (gate_is_closed(m))
        return;
    m->link = link;
    m->link_until_mono = NEVER_MONO;
    (void)str_copy(m->link_text, sizeof m->link_text, text);
}

static void note_link(struct model *m, const struct model_call *call, const struct envoy_result *r)
{
    m->dirty = true;
    if (r->outcome == ENVOY_ABORTED || call->purpose == MODEL_CALL_SIM)
        return;
    if (r->outcome == ENVOY_REPLY) {
        m->server_offset_ms = r->reply->server_time_ms - m->now_mono;
        m->server_time_known = true;
    }
    if (link_stands(m, call))
        return;
    int code = code_of(r);
    if (is_limited(r)) {
        close_gate(m, r);
        return;
    }
    if (r->outcome != ENVOY_REPLY && r->http_status == 401) {
        m->link = MODEL_LINK_SIGNED_OUT;
        (void)str_copy(m->link_text, sizeof m->link_text, envoy_result_words(r));
        return;
    }
    if (r->outcome != ENVOY_REPLY) {
        set_link(m, MODEL_LINK_TROUBLE, envoy_result_words(r));
        return;
    }
    retry_gate_good(&m->gate);
    if (code == CONTRACT_CODE_UNAUTHENTICATED || code == CONTRACT_CODE_CLIENT_UPDATE_REQUIRED) {
        m->link = code == CONTRACT_CODE_UNAUTHENTICATED ? MODEL_LINK_SIGNED_OUT : MODEL_LINK_UPDATE;
        (void)str_copy(m->link_text, sizeof m->link_text, r->reply->error.message);
    } else if (code == CONTRACT_CODE_UNAVAILABLE) {
        set_link(m, MODEL_LINK_TROUBLE, "Envoy is not available");
    } else {
        set_link(m, MODEL_LINK_LIVE, "");
    }
}

static void note_call(struct model_call *c, const struct envoy_result *r)
{
    c->outcome = r->outcome;
    c->http_status = r->http_status;
    (void)str_copy(c->request_id, sizeof c->request_id, r->request_id);
    contract_support_ref(c->support, r->request_id[0] ? r->request_id : c->purchase);
    if (r->outcome != ENVOY_REPLY) {
        call_note(c, "%s%s%s", envoy_result_words(r), r->why[0] ? ": " : "", r->why);
        return;
    }
    (void)str_copy(c->trace_id, sizeof c->trace_id, r->reply->trace_id);
    if (r->reply->error.present) {
        const struct contract_row *row =
            contract_row(CONTRACT_KIND_CODE, r->reply->error.code.value);
        (void)str_copy(c->code, sizeof c->code, row ? row->wire : r->reply->error.code.raw);
        call_note(c, "%s", r->reply->error.message);
    } else if (r->reply->replayed) {
        call_note(c, "already recorded");
    } else if (r->reply->purchase) {
        char words[96];
        call_note(c, "revision %lld, %s", (long long)r->reply->purchase->revision,
                  contract_words(CONTRACT_KIND_STATE, &r->reply->purchase->state, words,
                                 sizeof words, ""));
    }
}

static void apply_read(struct model *m, struct model_purchase *p, const struct model_call *call,
                       struct envoy_result *r)
{
    if (p->read_call == call->id) {
        p->read_call = 0;
        p->read_plain = false;
        p->read_dropped = false;
    }
    if (r->outcome == ENVOY_ABORTED) {
        if (follow_may_repeat(p))
            follow_want_read(m, p, 0);
        return;
    }
    if (is_limited(r)) { /* the same call again, when the gate opens */
        if (follow_may_repeat(p))
            p->due_mono = m->gate.not_before_ms;
        return;
    }
    if (r->outcome != ENVOY_REPLY) {
        follow_failed(m, p, r, envoy_result_words(r));
        return;
    }
    if (r->reply->ok || r->reply->purchase) {
        p->missed = 0;
        p->trouble[0] = '\0';
        p->last_good_mono = m->now_mono;
        retry_backoff_good(&p->backoff);
    }
    follow_apply(m, p, call, r);
}

/* The gate was closed by a 429: what has its own plan waits until it opens. */
static void hold_back(struct model *m)
{
    for (size_t i = 0; i < m->purchase_count; i++) {
        struct model_purchase *p = &m->purchases[i];
        if (p->due_mono != NEVER_MONO && p->due_mono < m->gate.not_before_ms)
            p->due_mono = m->gate.not_before_ms;
    }
}

static void apply_purchase(struct model *m, struct model_call *call, struct envoy_result *r)
{
    struct model_purchase *p = model_find(m, call->purchase);
    if (!p)
        return;
    if (call->purpose != MODEL_CALL_WRITE) {
        apply_read(m, p, call, r);
        return;
    }
    bool about_it = r->outcome == ENVOY_REPLY && r->reply->purchase &&
                    strcmp(r->reply->purchase->purchase_id, p->id) == 0;
    if (about_it)
        follow_apply(m, p, call, r);
    write_apply(m, p, call, r);
}

/* Nothing goes on by itself after a lost or refused sign-in. */
static void stop_all(struct model *m)
{
    for (size_t i = 0; i < m->purchase_count; i++)
        m->purchases[i].due_mono = NEVER_MONO;
    m->account_due_mono = NEVER_MONO;
    m->list_due_mono = NEVER_MONO;
    m->start_due_mono = NEVER_MONO;
}

void update_result(struct model *m, struct envoy_result *r, struct effects *fx)
{
    struct model_call *running = call_find(m, r->id);
    (void)fx;
    if (!running)
        return;
    struct model_call *call = call_end(m, running);
    note_call(call, r);
    note_link(m, call, r);
    switch (call->purpose) {
    case MODEL_CALL_ACCOUNT:
    case MODEL_CALL_PERSONAL:
        list_apply_account(m, call, r);
        break;
    case MODEL_CALL_LIST:
        list_apply_purchases(m, call, r);
        break;
    case MODEL_CALL_LINES:
        list_apply_lines(m, call, r);
        break;
    case MODEL_CALL_READ:
    case MODEL_CALL_HANDOUT:
    case MODEL_CALL_WRITE:
        apply_purchase(m, call, r);
        break;
    case MODEL_CALL_START:
        start_apply(m, r);
        break;
    case MODEL_CALL_START_READ:
        start_apply_read(m, r);
        break;
    case MODEL_CALL_MERCHANTS:
    case MODEL_CALL_PRODUCTS:
        shop_apply(m, call, r);
        break;
    case MODEL_CALL_SIM:
        break;
    }
    if (m->link == MODEL_LINK_SIGNED_OUT || m->link == MODEL_LINK_UPDATE)
        stop_all(m);
    else if (gate_is_closed(m))
        hold_back(m);
}

void update_not_sent(struct model *m, uint64_t id, const char *why)
{
    struct model_call *running = call_find(m, id);
    struct envoy_result r = {.id = id, .outcome = ENVOY_NOT_SENT, .retry_after_ms = -1};
    struct effects none;
    if (!running)
        return;
    r.tool = running->tool;
    (void)str_copy(r.why, sizeof r.why, why ? why : "");
    effects_init(&none);
    update_result(m, &r, &none);
    effects_fini(&none);
}
