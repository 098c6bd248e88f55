/* SPDX-License-Identifier: Apache-2.0 */
/* Sends a start once, with one key for as long as the form lives, and settles a lost reply by
 * reading with that key. Also the keys of the form and of its review. */
#include <stdio.h>
#include <string.h>

#include "app/start_internal.h"
#include "core/clock.h"
#include "core/ident.h"
#include "core/str.h"

#define START_TIMEOUT_MS 60000
#define STATUS_TIMEOUT_MS 60000

void start_open(struct model *m)
{
    if (m->start.state == START_CLOSED)
        start_empty(&m->start);
    start_check(m);
    model_dialog_push(m, MODEL_DIALOG_START);
}

static void settle_closed(struct model *m)
{
    model_remove_dialogs(m);
    start_clear(&m->start);
}

static void started(struct model *m, const struct contract_purchase *p, bool replayed)
{
    struct model_purchase *row = model_add_purchase(m, p->purchase_id, p->created_at_ms);
    if (!row)
        return;
    settle_closed(m);
    m->view = MODEL_VIEW_PURCHASES;
    m->filter[0] = '\0';
    model_select(m, p->purchase_id);
    m->pane = MODEL_PANE_NEED;
    model_say(m, false, replayed ? "Envoy had this start already; it is followed now."
                                 : "Started. It is followed now.");
}

/* Unknown: the key is read, and only that says whether there is a purchase. */
static void read_by_key(struct model *m, struct effects *fx)
{
    struct start_form *f = &m->start;
    struct contract_status_input in = {.purchase = f->key, .after_revision = -1, .wait_seconds = -1};
    struct contract_problems problems;
    struct buf body;
    int64_t when = 0;
    buf_init(&body, CONTRACT_BODY_MAX);
    if (contract_encode_status(&in, &body, &problems) == ERR_OK) {
        struct call_spec spec = {.purpose = MODEL_CALL_START_READ,
                                 .tool = CONTRACT_TOOL_GET_PURCHASE_STATUS,
                                 .interactive = true,
                                 .timeout_ms = STATUS_TIMEOUT_MS,
                                 .body = buf_view(&body)};
        f->call = call_start(m, fx, &spec, &when);
        m->start_due_mono = f->call ? NEVER_MONO : when;
    }
    buf_fini(&body);
}

void start_tick(struct model *m, struct effects *fx)
{
    if (m->start.state == START_UNKNOWN && m->start_due_mono <= m->now_mono && !m->start.call)
        read_by_key(m, fx);
}

void start_send(struct model *m, struct effects *fx)
{
    struct start_form *f = &m->start;
    int64_t when = 0;
    if (f->state == START_SENT || f->state == START_UNKNOWN || m->set.read_only)
        return;
    start_check(m);
    if (f->problems.count > 0 || f->guard[0]) {
        f->reviewing = false;
        return;
    }
    struct buf body;
    char key[CONTRACT_ID_MAX];
    buf_init(&body, CONTRACT_BODY_MAX);
    if (f->key[0])
        (void)str_copy(key, sizeof key, f->key);
    else
        ident_key(key, "start");
    if (start_encode(m, key, &body) != ERR_OK)
        goto out;
    bool same = f->sent.len == body.len && body.len > 0 &&
                memcmp(f->sent.data, body.data, body.len) == 0;
    if (f->key[0] && !same) { /* another input is another purchase: it needs another key */
        ident_key(key, "start");
        buf_clear(&body);
        if (start_encode(m, key, &body) != ERR_OK)
            goto out;
    }
    struct call_spec spec = {.purpose = MODEL_CALL_START,
                             .tool = CONTRACT_TOOL_START_PURCHASE,
                             .interactive = true,
                             .timeout_ms = START_TIMEOUT_MS,
                             .body = buf_view(&body)};
    f->call = call_start(m, fx, &spec, &when);
    if (!f->call) {
        (void)str_copy(f->text, sizeof f->text, "Too many calls: nothing was sent. Try again soon.");
        goto out;
    }
    (void)str_copy(f->key, sizeof f->key, key);
    buf_clear(&f->sent);
    (void)!buf_append(&f->sent, body.data, body.len);
    f->state = START_SENT;
    f->sent_at_ms = model_now_ms(m);
    (void)str_copy(f->text, sizeof f->text, "Sent once. Waiting for Envoy's reply.");
out:
    buf_fini(&body);
    m->dirty = true;
}

static void unknown(struct model *m, const char *why)
{
    struct start_form *f = &m->start;
    f->state = START_UNKNOWN;
    f->call = 0;
    snprintf(f->text, sizeof f->text,
             "The reply was lost (%s). Envoy may have started this purchase. It is read by its key; "
             "nothing is sent a second time.",
             why);
    m->start_due_mono = m->now_mono + 500;
}

static void refused(struct model *m, const char *fmt, const char *message)
{
    struct start_form *f = &m->start;
    f->state = START_REFUSED;
    f->call = 0;
    f->reviewing = false;
    snprintf(f->text, sizeof f->text, fmt, message);
}

static void refused_by_envoy(struct model *m, const struct contract_reply *reply)
{
    struct start_form *f = &m->start;
    const struct contract_error *e = &reply->error;
    bool maybe = e->code.value == CONTRACT_CODE_UNAVAILABLE;
    if (maybe) {
        unknown(m, e->message);
        return;
    }
    refused(m, "Envoy refused: %s",
            reply->user_action.present ? reply->user_action.message : e->message);
    f->problems.count = e->field_count;
    memcpy(f->problems.fields, e->fields, sizeof e->fields);
    if (e->code.value == CONTRACT_CODE_ACTIVE_PURCHASE_EXISTS)
        list_want_account(m, 0);
}

void start_apply(struct model *m, struct envoy_result *r)
{
    struct start_form *f = &m->start;
    if (f->state != START_SENT || f->call != r->id)
        return;
    contract_support_ref(f->support, r->request_id[0] ? r->request_id : f->key);
    if (r->outcome == ENVOY_REPLY && r->reply->ok && r->reply->purchase)
        started(m, r->reply->purchase, r->reply->replayed);
    else if (r->outcome == ENVOY_REPLY && !r->reply->ok)
        refused_by_envoy(m, r->reply);
    else if (r->outcome != ENVOY_REPLY && !r->may_have_arrived)
        refused(m, "It did not leave this computer (%s). Nothing was started; Ctrl-S tries again.",
                envoy_outcome_words(r->outcome));
    else
        unknown(m, envoy_outcome_words(r->outcome));
    m->dirty = true;
}

/* The read by key that settles a lost start. */
void start_apply_read(struct model *m, struct envoy_result *r)
{
    struct start_form *f = &m->start;
    if (f->state != START_UNKNOWN || f->call != r->id)
        return;
    f->call = 0;
    m->dirty = true;
    if (r->outcome == ENVOY_REPLY && r->reply->ok && r->reply->purchase) {
        started(m, r->reply->purchase, true);
        return;
    }
    if (r->outcome == ENVOY_REPLY && r->reply->error.code.value == CONTRACT_CODE_NOT_FOUND) {
        refused(m, "%s", "Read by its key: Envoy has no such purchase, so nothing was started. "
                         "Ctrl-S sends the same start again, with the same key.");
        return;
    }
    uint32_t random;
    ident_random(&random, sizeof random);
    m->start_due_mono = m->now_mono + retry_backoff_next(&m->start_backoff, random);
}

/* Keys */

static void toggle(struct model *m, struct start_row *row, int by)
{
    int count = start_choice_count(m, row);
    row->choice = (row->choice + by + count) % count;
}

static void on_form(struct model *m, const struct input_event *e, struct effects *fx)
{
    struct start_form *f = &m->start;
    struct start_row *row = &f->rows[f->focus];
    bool choice = start_field_is_choice(row->field);
    if (input_event_is(e, "Down") || input_event_is(e, "Tab") || input_event_is(e, "Enter"))
        f->focus = f->focus + 1 < f->row_count ? f->focus + 1 : f->focus;
    else if (input_event_is(e, "Up") || input_event_is(e, "Shift-Tab"))
        f->focus = f->focus > 0 ? f->focus - 1 : 0;
    else if (choice && (input_event_is(e, "Left") || input_event_is(e, "Right")))
        toggle(m, row, input_event_is(e, "Right") ? 1 : -1);
    else if (input_event_is(e, "F2"))
        (void)start_add_group(f, START_FIELD_ITEM_NAME);
    else if (input_event_is(e, "F3"))
        (void)start_add_group(f, START_FIELD_PRICE_CODE);
    else if (input_event_is(e, "F4"))
        (void)start_add_group(f, START_FIELD_FACT_CODE);
    else if (input_event_is(e, "F8"))
        start_remove_group(f);
    else if (input_event_is(e, "Ctrl-R"))
        (void)list_read_personal(m, fx);
    else if (!choice)
        (void)edit_input(&row->edit, e);
    f->text[0] = '\0';
    start_check(m);
}

static void on_ctrl_s(struct model *m, struct effects *fx)
{
    struct start_form *f = &m->start;
    if (f->reviewing) {
        if (m->now_mono - f->reviewing_since_mono >= CONFIRM_DELAY_MS)
            start_send(m, fx);
        return;
    }
    start_check(m);
    if (f->problems.count > 0 || f->guard[0]) {
        snprintf(f->text, sizeof f->text, "%s",
                 f->guard[0] ? f->guard : "Not yet: the fields with a mark are not right.");
        for (size_t i = 0; i < f->row_count; i++) {
            if (start_row_problem(f, &f->rows[i])) {
                f->focus = i;
                break;
            }
        }
        return;
    }
    f->reviewing = true;
    f->top = 0;
    f->reviewing_since_mono = m->now_mono;
}

/* A review that is longer than the screen is read row by row. */
static void scroll_review(struct start_form *f, const struct input_event *e)
{
    if (input_event_is(e, "Down") && f->top + 1 < f->row_count)
        f->top++;
    else if (input_event_is(e, "Up") && f->top > 0)
        f->top--;
}

/* True when the dialog is to be closed. */
bool start_input(struct model *m, const struct input_event *e, struct effects *fx)
{
    struct start_form *f = &m->start;
    if (input_event_is(e, "Esc")) {
        if (f->reviewing && f->state != START_SENT) {
            f->reviewing = false;
            f->top = 0;
            return false;
        }
        return true; /* what was written stays for the next time */
    }
    if (f->state == START_SENT || f->state == START_UNKNOWN)
        return false;
    if (input_event_is(e, "Ctrl-S"))
        on_ctrl_s(m, fx);
    else if (f->reviewing)
        scroll_review(f, e);
    else
        on_form(m, e, fx);
    return false;
}
