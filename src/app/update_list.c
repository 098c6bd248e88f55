/* SPDX-License-Identifier: Apache-2.0 */
/* The reads that are not about one purchase: account, list of purchases, transactions. They release
 * nothing. Invariant: what could not be read is unknown, never zero and never gone. */
#include "app/internal.h"

#include <stdio.h>
#include <string.h>

#include "contract/input.h"
#include "core/alloc.h"
#include "core/clock.h"
#include "core/ident.h"
#include "core/str.h"

#define ACCOUNT_AGAIN_MS 15000 /* while it is not known whose account it is */
#define CALL_TIMEOUT_MS 30000
#define LIST_LIMIT 20
#define RETRY_LATER_MS 1000  /* when a call could not even be made */
#define ENDED_SPACING_MS 400 /* between first reads of purchases that have ended */

void list_want_account(struct model *m, int64_t delay_ms)
{
    int64_t due = m->now_mono + delay_ms;
    if (due < m->account_due_mono)
        m->account_due_mono = due;
}

void list_want_purchases(struct model *m, int64_t delay_ms)
{
    int64_t due = m->now_mono + delay_ms;
    if (due < m->list_due_mono)
        m->list_due_mono = due;
}

static bool in_flight(const struct model *m, enum model_purpose purpose)
{
    for (size_t i = 0; i < m->call_count; i++)
        if (m->calls[i].purpose == purpose)
            return true;
    return false;
}

static bool send(struct model *m, struct effects *fx, enum model_purpose purpose,
                 enum contract_tool tool, struct buf *body, bool interactive, int64_t *due)
{
    struct call_spec spec = {.purpose = purpose,
                             .tool = tool,
                             .interactive = interactive,
                             .timeout_ms = CALL_TIMEOUT_MS,
                             .body = buf_view(body)};
    int64_t when = NEVER_MONO;
    uint64_t id = call_start(m, fx, &spec, &when);
    if (due)
        *due = id ? NEVER_MONO : when;
    return id != 0;
}

static void send_account(struct model *m, struct effects *fx)
{
    struct buf body;
    struct contract_problems problems;
    unsigned sections = 1u << CONTRACT_SECTION_BALANCE | 1u << CONTRACT_SECTION_LIMITS |
                        1u << CONTRACT_SECTION_SERVICES | 1u << CONTRACT_SECTION_ACTIVE_PURCHASE |
                        1u << CONTRACT_SECTION_AGENT | 1u << CONTRACT_SECTION_HELD_PURCHASES |
                        1u << CONTRACT_SECTION_PROFILE;
    buf_init(&body, CONTRACT_BODY_MAX);
    m->account_due_mono = m->now_mono + RETRY_LATER_MS;
    if (contract_encode_account(sections, &body, &problems) == ERR_OK)
        (void)send(m, fx, MODEL_CALL_ACCOUNT, CONTRACT_TOOL_GET_ACCOUNT, &body, false,
                   &m->account_due_mono);
    buf_fini(&body);
}

bool list_read_personal(struct model *m, struct effects *fx)
{
    struct buf body;
    struct contract_problems problems;
    unsigned sections = 1u << CONTRACT_SECTION_PROFILE | 1u << CONTRACT_SECTION_ADDRESSES;
    if (in_flight(m, MODEL_CALL_PERSONAL))
        return true;
    buf_init(&body, CONTRACT_BODY_MAX);
    bool sent = contract_encode_account(sections, &body, &problems) == ERR_OK &&
                send(m, fx, MODEL_CALL_PERSONAL, CONTRACT_TOOL_GET_ACCOUNT, &body, true, NULL);
    buf_fini(&body);
    return sent;
}

static void send_list(struct model *m, struct effects *fx)
{
    struct buf body;
    struct contract_problems problems;
    buf_init(&body, CONTRACT_BODY_MAX);
    m->list_due_mono = m->now_mono + RETRY_LATER_MS;
    if (contract_encode_purchases(LIST_LIMIT, &body, &problems) == ERR_OK)
        (void)send(m, fx, MODEL_CALL_LIST, CONTRACT_TOOL_LIST_PURCHASES, &body, false,
                   &m->list_due_mono);
    buf_fini(&body);
}

void list_tick(struct model *m, struct effects *fx)
{
    if (m->account_due_mono <= m->now_mono && !in_flight(m, MODEL_CALL_ACCOUNT))
        send_account(m, fx);
    if (m->list_due_mono <= m->now_mono && !in_flight(m, MODEL_CALL_LIST))
        send_list(m, fx);
    if (m->lines.again && !m->lines.loading)
        list_lines_start(m, fx);
    if (m->personal && m->now_mono >= m->personal_until_mono) {
        model_take_account(&m->personal, NULL);
        m->dirty = true;
    }
}

/* What is on its way already is waited for, not planned for. */
int64_t list_wake(const struct model *m)
{
    int64_t wake = in_flight(m, MODEL_CALL_ACCOUNT) ? NEVER_MONO : m->account_due_mono;
    if (!in_flight(m, MODEL_CALL_LIST) && m->list_due_mono < wake)
        wake = m->list_due_mono;
    return wake;
}

/* A read that failed: words for its place, and when it is tried again. */
static int64_t failed(struct model *m, char *trouble, size_t size, struct retry_backoff *backoff,
                      const struct envoy_result *r)
{
    const char *words = envoy_result_words(r);
    if (r->reply)
        words = r->reply->error.present ? r->reply->error.message : "Envoy's reply has no contents";
    (void)str_copy(trouble, size, words);
    m->dirty = true;
    if (m->link == MODEL_LINK_SIGNED_OUT || m->link == MODEL_LINK_UPDATE)
        return NEVER_MONO;
    if (m->gate.not_before_ms > m->now_mono)
        return m->gate.not_before_ms;
    bool may = !r->reply || !r->reply->error.present || r->reply->error.retryable;
    if (!may)
        return NEVER_MONO;
    int64_t after = r->reply ? r->reply->next.after_seconds : -1;
    int64_t delay = after > 0 ? retry_unavailable(backoff, after, ident_random32())
                              : retry_backoff_next(backoff, ident_random32());
    return m->now_mono + delay;
}

static bool good(const struct envoy_result *r)
{
    return r->outcome == ENVOY_REPLY && r->reply && r->reply->ok && r->reply->has_data;
}

/* The agent's id is the host's and the same for everybody there, so the owner goes into the name; 32
 * bits of a hash tell nothing about whose it is. While the profile cannot be read the account is not
 * known, and nothing is sent that must be noted. */
bool model_account_name(const char *host, const struct contract_account *a, char out[32])
{
    uint32_t hash = 2166136261u; /* FNV-1a: to tell apart, not to protect */
    const char *parts[] = {host, a->has_agent ? a->agent.agent_id : "", a->profile_mobile,
                           a->profile_name};
    if (!a->has_profile || a->unavailable[CONTRACT_UNAVAILABLE_PROFILE])
        return false;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        for (const char *s = parts[i] ? parts[i] : "-"; *s; s++)
            hash = (hash ^ (unsigned char)*s) * 16777619u;
    snprintf(out, 32, "account-%08x", (unsigned)hash);
    return true;
}

void list_apply_account(struct model *m, const struct model_call *call, struct envoy_result *r)
{
    bool personal = call->purpose == MODEL_CALL_PERSONAL;
    if (!good(r) || !r->reply->account) {
        char words[200];
        int64_t due = failed(m, words, sizeof words, &m->account_backoff, r);
        if (personal) {
            model_say(m, true, "Personal details could not be read: %s", words);
            return;
        }
        (void)str_copy(m->account_trouble, sizeof m->account_trouble, words);
        m->account_due_mono = due;
        return;
    }
    struct contract_account *fresh = r->reply->account;
    r->reply->account = NULL;
    if (personal) {
        model_take_account(&m->personal, fresh);
        m->personal_until_mono = m->now_mono + MODEL_PERSONAL_MS;
        m->dirty = true;
        return;
    }
    if (fresh->has_profile && fresh->profile_name)
        (void)str_copy(m->owner, sizeof m->owner, fresh->profile_name);
    (void)model_account_name(m->set.host, fresh, m->account_id);
    if (!m->account_id[0])
        list_want_account(m, ACCOUNT_AGAIN_MS);
    scrub_profile(fresh);
    retry_backoff_good(&m->account_backoff);
    m->account_trouble[0] = '\0';
    m->account_at_ms = r->reply->server_time_ms;
    model_take_account(&m->account, fresh);
    const struct contract_purchase *active = m->account->active_purchase;
    if (active && m->list_read && !model_find(m, active->purchase_id))
        list_want_purchases(m, 0);
    m->dirty = true;
}

void scrub_profile(struct contract_account *a)
{
    alloc_free(a->profile_name);
    alloc_free(a->profile_mobile);
    alloc_free(a->profile_email);
    a->profile_name = a->profile_mobile = a->profile_email = NULL;
    a->has_profile = false;
}

/* The list says ready: whatever was planned, it is read only when asked. */
static void listed_ready(struct model *m, struct model_purchase *p,
                         const struct contract_listed *row)
{
    bool news = p->snap && p->state.value != CONTRACT_STATE_READY;
    p->state = row->state;
    p->stop = FOLLOW_READY;
    p->due_mono = NEVER_MONO;
    if (news)
        model_add_row(m, p, TIMELINE_LOCAL, "Ready, says the list. Not read until you ask.");
}

/* Of a purchase that nothing is planned for: never read, moved on since, or left when the sign-in
 * was lost. */
static bool wants_read(const struct model_purchase *p, const struct contract_listed *row)
{
    bool left = p->stop == FOLLOW_SIGN_IN || p->stop == FOLLOW_GOING;
    if (write_is_unknown(p))
        return true;
    if (!p->snap)
        return (left || p->stop == FOLLOW_READY) && (contract_state_is_terminal(row->state.value) || follow_may_open(&row->state));
    return left || row->state.value != p->state.value;
}

static void apply_row(struct model *m, const struct model_call *call,
                      const struct contract_listed *row, size_t index)
{
    bool ended = contract_state_is_terminal(row->state.value);
    struct model_purchase *p = model_add_purchase(m, row->purchase_id, row->created_at_ms);
    if (!p)
        return;
    p->listed = true;
    if (!p->snap) {
        p->state = row->state;
        p->checkout_by = row->checkout_by;
        model_set_text(&p->merchant_name, row->merchant_name);
        alloc_free(p->amount.display);
        p->amount = row->amount;
        p->amount.display = alloc_text(row->amount.display);
    }
    /* A list that was asked for before the last read may be older than that. */
    bool older = p->snap && call->started_mono <= p->last_good_mono;
    if (p->read_call || older || (p->snap && p->snap->terminal))
        return;
    if (row->state.value == CONTRACT_STATE_READY && !write_is_unknown(p))
        listed_ready(m, p, row);
    else if (p->due_mono == NEVER_MONO && wants_read(p, row))
        follow_want_read(m, p, ended ? (int64_t)(index + 1) * ENDED_SPACING_MS : 0);
}

static bool anything_open(const struct model *m)
{
    for (size_t i = 0; i < m->purchase_count; i++)
        if (!contract_state_is_terminal(m->purchases[i].state.value))
            return true;
    return false;
}

/* A minute of the service's own time. While a play runs fast more purchases may come at any time. */
static int64_t refresh_ms(const struct model *m)
{
    bool fast = m->set.clock_factor > 1;
    int64_t ms = fast || anything_open(m) ? MODEL_LIST_REFRESH_MS : LIST_IDLE_REFRESH_MS;
    return fast ? ms / m->set.clock_factor : ms;
}

void list_apply_purchases(struct model *m, const struct model_call *call, struct envoy_result *r)
{
    if (!good(r)) {
        m->list_due_mono = failed(m, m->list_trouble, sizeof m->list_trouble, &m->list_backoff, r);
        return;
    }
    retry_backoff_good(&m->list_backoff);
    m->list_trouble[0] = '\0';
    m->list_truncated = r->reply->listed_truncated;
    for (size_t i = 0; i < r->reply->listed_count; i++)
        apply_row(m, call, &r->reply->listed[i], i);
    if (!m->list_read && m->purchase_count > 0)
        model_select(m, m->purchases[0].id);
    m->list_read = true;
    if (m->start.state == START_UNKNOWN && !m->start.call && m->start_due_mono == NEVER_MONO)
        m->start_due_mono = m->now_mono; /* it was left when the sign-in was lost */
    list_want_purchases(m, refresh_ms(m));
    m->dirty = true;
}

/* Transactions */

void list_lines_clear(struct model *m)
{
    for (size_t i = 0; i < m->lines.count; i++) {
        alloc_free(m->lines.rows[i].amount.display);
        alloc_free(m->lines.rows[i].title);
        alloc_free(m->lines.rows[i].subtitle);
    }
    alloc_free(m->lines.rows);
    alloc_free(m->lines.cursor);
    m->lines.rows = NULL;
    m->lines.cursor = NULL;
    m->lines.count = 0;
    m->lines.top = 0;
    m->lines.ended = false;
    m->lines.selected[0] = '\0';
    m->lines.trouble[0] = '\0';
}

static void send_lines(struct model *m, struct effects *fx)
{
    struct buf body;
    struct contract_problems problems = {0};
    struct contract_transactions_input in = {
        .from = m->lines.from[0] ? m->lines.from : NULL,
        .to = m->lines.to[0] ? m->lines.to : NULL,
        .cursor = m->lines.cursor,
        .limit = m->lines.limit,
    };
    buf_init(&body, CONTRACT_BODY_MAX);
    if (contract_encode_transactions(&in, &body, &problems) != ERR_OK) {
        snprintf(m->lines.trouble, sizeof m->lines.trouble, "%s: %s", problems.fields[0].path,
                 problems.fields[0].problem);
        buf_fini(&body);
        return;
    }
    m->lines.loading =
        send(m, fx, MODEL_CALL_LINES, CONTRACT_TOOL_LIST_TRANSACTIONS, &body, true, NULL);
    buf_fini(&body);
    if (!m->lines.loading)
        (void)str_copy(m->lines.trouble, sizeof m->lines.trouble,
                       "Waiting before the next call; r tries again.");
    m->dirty = true;
}

void list_lines_start(struct model *m, struct effects *fx)
{
    m->lines.again = m->lines.loading; /* of another range than is wanted now: not waited for here */
    if (m->lines.loading)
        return;
    list_lines_clear(m);
    m->lines.started = true;
    send_lines(m, fx);
}

void list_lines_more(struct model *m, struct effects *fx)
{
    if (!m->lines.started) {
        list_lines_start(m, fx);
        return;
    }
    if (m->lines.loading || m->lines.ended || m->lines.trouble[0])
        return;
    send_lines(m, fx);
}

void list_apply_lines(struct model *m, const struct model_call *call, struct envoy_result *r)
{
    (void)call;
    m->lines.loading = false;
    m->dirty = true;
    if (m->lines.again)
        return;
    if (!good(r)) {
        bool refused = r->reply && r->reply->error.present &&
                       r->reply->error.code.value == CONTRACT_CODE_INVALID_INPUT;
        const char *words = envoy_result_words(r);
        if (r->reply)
            words = r->reply->error.present ? r->reply->error.message
                                            : "Envoy's reply has no contents";
        m->lines.was_refused = refused;
        (void)str_copy(m->lines.trouble, sizeof m->lines.trouble, words);
        return;
    }
    struct contract_reply *reply = r->reply;
    struct contract_line *rows =
        alloc_grow(m->lines.rows, (m->lines.count + reply->line_count + 1) * sizeof *rows);
    if (!rows)
        return;
    m->lines.rows = rows;
    if (reply->line_count > 0)
        memcpy(rows + m->lines.count, reply->lines, reply->line_count * sizeof *rows);
    m->lines.count += reply->line_count;
    reply->line_count = 0; /* the rows' texts are ours now */
    if (!m->lines.selected[0] && m->lines.count > 0)
        (void)str_copy(m->lines.selected, sizeof m->lines.selected, rows[0].id);
    model_set_text(&m->lines.cursor, reply->next_cursor);
    m->lines.ended = reply->next_cursor == NULL;
    m->lines.read_at_ms = reply->server_time_ms;
    m->lines.was_refused = false;
}
