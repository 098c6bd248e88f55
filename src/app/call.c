/* SPDX-License-Identifier: Apache-2.0 */
/* Calls in flight and the activity ring. Every call passes the gate (429, budget) here, so nothing
 * can go out around it. Knows nothing of what a call means. */
#include "app/internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/str.h"

struct model_call *call_find(struct model *m, uint64_t id)
{
    for (size_t i = 0; i < m->call_count; i++)
        if (m->calls[i].id == id)
            return &m->calls[i];
    return NULL;
}

uint64_t call_start(struct model *m, struct effects *fx, const struct call_spec *spec,
                    int64_t *when_mono)
{
    struct secret *secret = spec->secret;
    bool to_envoy = spec->purpose != MODEL_CALL_SIM;
    *when_mono = m->now_mono + 1000;
    if (m->call_count >= MODEL_CALLS_MAX)
        goto refused;
    if (to_envoy && !retry_gate_open(&m->gate, m->now_mono, spec->interactive, when_mono))
        goto refused;
    struct effect *e = effects_add(fx, to_envoy ? EFFECT_CALL : EFFECT_CONTROL);
    if (!e)
        goto refused;
    if (spec->body && buf_append_str(&e->body, spec->body) != ERR_OK) {
        buf_fini(&e->body);
        fx->count--;
        goto refused;
    }
    e->call = m->next_call++;
    e->tool = spec->tool;
    e->secret = secret;
    e->timeout_ms = spec->timeout_ms;
    if (spec->intent) {
        e->intent = *spec->intent;
        e->intent.wanted = true;
        (void)str_copy(e->intent.account, sizeof e->intent.account, m->account_id);
        e->intent.at_ms = model_now_ms(m);
    }
    struct model_call *c = &m->calls[m->call_count++];
    memset(c, 0, sizeof *c);
    c->id = e->call;
    c->purpose = spec->purpose;
    c->tool = spec->tool;
    c->write = spec->write;
    c->held = spec->held;
    c->started_mono = m->now_mono;
    c->started_at_ms = model_now_ms(m);
    if (spec->purchase)
        (void)str_copy(c->purchase, sizeof c->purchase, spec->purchase);
    if (to_envoy)
        retry_gate_sent(&m->gate, m->now_mono);
    m->dirty = true;
    return c->id;
refused:
    secret_free(secret);
    return 0;
}

struct model_call *call_end(struct model *m, struct model_call *call)
{
    if (m->activity_count == MODEL_ACTIVITY_MAX) {
        memmove(m->activity, m->activity + 1, (MODEL_ACTIVITY_MAX - 1) * sizeof *m->activity);
        m->activity_count--;
    }
    struct model_call *ended = &m->activity[m->activity_count++];
    *ended = *call;
    ended->ended_mono = m->now_mono;
    size_t at = (size_t)(call - m->calls);
    m->call_count--;
    if (at < m->call_count)
        m->calls[at] = m->calls[m->call_count];
    m->dirty = true;
    return ended;
}

void call_note(struct model_call *call, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(call->note, sizeof call->note, fmt, ap);
    va_end(ap);
    model_trim(call->note);
}
