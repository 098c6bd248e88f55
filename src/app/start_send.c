/* SPDX-License-Identifier: Apache-2.0 */
/* Sends a start once, with one key for as long as the form lives, and settles a lost reply by
 * reading with that key. Also the keys of the form and of its review. */
#include <stdio.h>
#include <string.h>

#include "app/start_internal.h"
#include "core/clock.h"
#include "core/ident.h"
#include "core/str.h"

#define START_TIMEOUT_MS  60000
#define STATUS_TIMEOUT_MS 60000
#define READ_FIRST_MS     500  /* first read after a lost reply */
#define READ_CEILING_MS   4000 /* and the first ceiling of the back-off behind it */

void start_open(struct model *m)
{
    if (m->start.state == START_CLOSED)
        start_empty(&m->start);
    start_check(m);
    model_dialog_push(m, MODEL_DIALOG_START);
}

/* To the first field that still needs the person. */
void start_focus_missing(struct start_form *f)
{
    for (size_t i = 0; i < f->row_count; i++) {
        if (start_row_problem(f, &f->rows[i])) {
            f->focus = i;
            return;
        }
    }
}

static bool on_screen(const struct model *m)
{
    return model_dialog(m) == MODEL_DIALOG_START;
}

static void unknown(struct model *m, const char *why)
{
    struct start_form *f = &m->start;
    f->state = START_UNKNOWN;
    f->call = 0;
    f->reviewing = true;
    f->top = 0;
    snprintf(f->text, sizeof f->text,
             "The reply was lost (%.160s). Envoy may have started this purchase. It is read by its "
             "key; nothing is sent a second time.",
             why);
    m->start_backoff.failures = 0;
    m->start_backoff.first_ms = READ_CEILING_MS;
    m->start_due_mono = m->now_mono + READ_FIRST_MS;
    if (!on_screen(m))
        model_say(m, true, "A start's reply was lost. It is read by its key (Ctrl-N shows it).");
}

/* There is a purchase: it is followed by what its reply says, and shown when the person is still
 * looking at the form. Another dialog keeps the keys. */
static void started(struct model *m, struct envoy_result *r)
{
    const struct contract_purchase *p = r->reply->purchase;
    struct model_call plain = {.purpose = MODEL_CALL_START};
    bool replayed = r->reply->replayed || m->start.state == START_UNKNOWN;
    bool looking = on_screen(m);
    struct model_purchase *row = model_add_purchase(m, p->purchase_id, p->created_at_ms);
    if (!row) {
        unknown(m, "no memory for it");
        return;
    }
    row->follow_started = true;
    struct model_purchase *first = model_find(m, m->start.retry_of);
    if (first) /* it says what takes its place now, and no longer offers that retry */
        follow_want_read(m, first, 0);
    start_clear(&m->start);
    m->start_due_mono = NEVER_MONO;
    follow_apply(m, row, &plain, r);
    if (looking) {
        model_dialog_pop(m);
        m->view = MODEL_VIEW_PURCHASES;
        m->filter[0] = '\0';
        m->editing = false;
        model_select(m, row->id);
        m->pane = MODEL_PANE_NEED;
    }
    model_say(m, false,
              replayed ? "Envoy had this start already; it is followed now."
                       : "Started. It is followed now.");
}

/* Unknown: the key is read, and only that says whether there is a purchase. */
static void read_by_key(struct model *m, struct effects *fx)
{
    struct start_form *f = &m->start;
    struct contract_status_input in = {
        .purchase = f->key, .after_revision = -1, .wait_seconds = -1};
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
    if (f->state == START_SENT || f->state == START_UNKNOWN || !model_may_write(m))
        return;
    start_check(m);
    if (f->problems.count > 0 || f->guard[0]) { /* it came to be while the review was read */
        f->reviewing = false;
        m->dirty = true;
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
    bool same =
        f->sent.len == body.len && body.len > 0 && memcmp(f->sent.data, body.data, body.len) == 0;
    if (f->key[0] && !same) { /* another input is another purchase: it needs another key */
        ident_key(key, "start");
        buf_clear(&body);
        if (start_encode(m, key, &body) != ERR_OK)
            goto out;
    }
    buf_clear(&f->sent); /* key and bytes are kept before anything goes out */
    if (buf_append(&f->sent, body.data, body.len) != ERR_OK)
        goto out;
    (void)str_copy(f->key, sizeof f->key, key);
    struct effect_intent intent = {
        .outcome = CONTRACT_ABSENT, .failure = CONTRACT_ABSENT, .step = CONTRACT_ABSENT};
    start_describe(f, intent.merchant, sizeof intent.merchant, &intent.amount_minor);
    (void)str_copy(intent.key, sizeof intent.key, key);
    struct call_spec spec = {.purpose = MODEL_CALL_START,
                             .intent = &intent,
                             .tool = CONTRACT_TOOL_START_PURCHASE,
                             .interactive = true,
                             .timeout_ms = START_TIMEOUT_MS,
                             .body = buf_view(&body)};
    f->call = call_start(m, fx, &spec, &when);
    if (!f->call) {
        (void)str_copy(f->text, sizeof f->text,
                       "Too many calls: nothing was sent. Try again soon.");
        goto out;
    }
    f->intent = f->call;
    f->state = START_SENT;
    f->sent_at_ms = model_now_ms(m);
    (void)str_copy(f->text, sizeof f->text, "Sent once. Waiting for Envoy's reply.");
out:
    buf_fini(&body);
    m->dirty = true;
}

static void refused(struct model *m, const char *fmt, const char *message)
{
    struct start_form *f = &m->start;
    f->state = START_REFUSED;
    f->call = 0;
    f->reviewing = false;
    f->top = 0;
    snprintf(f->text, sizeof f->text, fmt, message);
    if (!on_screen(m))
        model_say(m, true, "A start was refused (Ctrl-N shows why).");
}

/* To the first field that is not right; what no row is about stands in the text. */
static void show_problems(struct start_form *f)
{
    const struct contract_field *lost = start_homeless_problem(f);
    size_t used = strlen(f->text);
    start_focus_missing(f);
    if (lost)
        snprintf(f->text + used, sizeof f->text - used, " (%s %s)", lost->path, lost->problem);
    model_trim(f->text);
}

static void refused_by_envoy(struct model *m, const struct contract_reply *reply)
{
    struct start_form *f = &m->start;
    const struct contract_error *e = &reply->error;
    /* Both may mean that there is such a purchase: the key says, and no new one is made up. */
    if (e->code.value == CONTRACT_CODE_UNAVAILABLE ||
        e->code.value == CONTRACT_CODE_IDEMPOTENCY_CONFLICT) {
        unknown(m, e->message);
        return;
    }
    refused(m, "Envoy refused: %.240s",
            reply->user_action.present ? reply->user_action.message : e->message);
    f->told.count = e->field_count < CONTRACT_FIELDS_MAX ? e->field_count : CONTRACT_FIELDS_MAX;
    memcpy(f->told.fields, e->fields, f->told.count * sizeof e->fields[0]);
    start_check(m);
    show_problems(f);
    if (e->code.value == CONTRACT_CODE_ACTIVE_PURCHASE_EXISTS) {
        list_want_account(m, 0);
        list_want_purchases(m, 0);
    }
}

/* For the journal; the form may be closed by now. by_read: the key was read. purchase: what it has
 * become, "" when nothing. */
static void note(struct model *m, uint64_t intent, const struct envoy_result *r, bool by_read,
                 const char *purchase)
{
    const struct contract_reply *reply = r->outcome == ENVOY_REPLY ? r->reply : NULL;
    enum journal_state state = JOURNAL_UNKNOWN;
    if (reply && reply->ok && m->start.state == START_CLOSED)
        state = reply->replayed ? JOURNAL_REPLAYED : JOURNAL_DONE;
    else if (m->start.state == START_REFUSED)
        state = by_read ? JOURNAL_SETTLED : reply ? JOURNAL_REFUSED : JOURNAL_NOT_SENT;
    model_note_outcome(m, intent, state, r, purchase[0] ? purchase : NULL);
}

/* Kept aside, because a purchase that is followed takes its snapshot out of the reply. */
static void purchase_of(const struct envoy_result *r, char out[CONTRACT_ID_MAX])
{
    bool there = r->outcome == ENVOY_REPLY && r->reply->ok && r->reply->purchase;
    (void)str_copy(out, CONTRACT_ID_MAX, there ? r->reply->purchase->purchase_id : "");
}

void start_apply(struct model *m, struct envoy_result *r)
{
    struct start_form *f = &m->start;
    char purchase[CONTRACT_ID_MAX];
    if (f->state != START_SENT || f->call != r->id)
        return;
    uint64_t intent = f->intent;
    purchase_of(r, purchase);
    contract_support_ref(f->support, r->request_id[0] ? r->request_id : f->key);
    if (purchase[0])
        started(m, r);
    else if (r->outcome == ENVOY_REPLY && r->reply->error.present)
        refused_by_envoy(m, r->reply);
    else if (r->outcome == ENVOY_REPLY)
        unknown(m, "it does not say which purchase");
    else if (!r->may_have_arrived)
        refused(m,
                "It did not leave this computer (%.160s). Nothing was started; Ctrl-S tries "
                "again.",
                r->outcome == ENVOY_NOT_SENT && r->why[0] ? r->why
                                                          : envoy_result_words(r));
    else
        unknown(m, envoy_result_words(r));
    note(m, intent, r, false, purchase);
    m->dirty = true;
}

static void read_again(struct model *m, const struct envoy_result *r)
{
    bool told =
        r->outcome == ENVOY_REPLY && r->reply->error.code.value == CONTRACT_CODE_UNAVAILABLE;
    int64_t after = told ? r->reply->next.after_seconds : -1;
    uint32_t random = ident_random32();
    m->start_due_mono = m->now_mono + (told ? retry_unavailable(&m->start_backoff, after, random)
                                            : retry_backoff_next(&m->start_backoff, random));
}

/* The read by key that settles a lost start. */
void start_apply_read(struct model *m, struct envoy_result *r)
{
    struct start_form *f = &m->start;
    if (f->state != START_UNKNOWN || f->call != r->id)
        return;
    f->call = 0;
    m->dirty = true;
    bool reply = r->outcome == ENVOY_REPLY;
    bool recovered = f->recovered;
    uint64_t intent = f->intent;
    char purchase[CONTRACT_ID_MAX];
    purchase_of(r, purchase);
    if (purchase[0]) {
        started(m, r);
    } else if (reply && r->reply->error.present &&
               r->reply->error.code.value == CONTRACT_CODE_NOT_FOUND) {
        refused(m, "%s",
                "Read by its key: Envoy has no such purchase, so nothing was started. "
                "Ctrl-S sends the same start again, with the same key.");
    } else {
        read_again(m, r);
        return;
    }
    note(m, intent, r, true, purchase);
    if (recovered && m->start.state == START_REFUSED) { /* its fields are not known any more */
        if (on_screen(m))
            model_dialog_pop(m);
        start_clear(&m->start);
        model_say(m, true, "The start from before never reached Envoy: nothing was started.");
    }
}

/* Keys */

/* What was wrong is not said of what is written now. */
static void changed(struct start_form *f, const struct start_row *row)
{
    f->text[0] = '\0';
    if (row)
        start_forget_told(f, row);
}

static bool on_groups(struct model *m, const struct input_event *e)
{
    static const struct {
        const char *key;
        enum start_field first;
    } adds[] = {{"F2", START_FIELD_ITEM_NAME},
                {"F3", START_FIELD_PRICE_CODE},
                {"F4", START_FIELD_FACT_CODE}};
    struct start_form *f = &m->start;
    bool mine = input_event_is(e, "F8");
    if (mine) {
        changed(f, &f->rows[f->focus]);
        start_remove_group(f);
    }
    for (size_t i = 0; i < sizeof adds / sizeof adds[0]; i++) {
        if (!input_event_is(e, adds[i].key))
            continue;
        mine = true;
        if (start_add_group(f, adds[i].first))
            changed(f, NULL);
        else
            (void)str_copy(f->text, sizeof f->text, "No more of these can be added.");
    }
    return mine;
}

static void move_focus(struct start_form *f, int by)
{
    long long to = (long long)f->focus + by;
    long long last = (long long)f->row_count - 1;
    f->focus = (size_t)(to < 0 ? 0 : to > last ? last : to);
}

static bool on_moves(struct start_form *f, const struct input_event *e)
{
    static const struct {
        const char *key;
        int by;
    } moves[] = {{"Down", 1},       {"Tab", 1},   {"Enter", 1}, {"Up", -1},
                 {"Shift-Tab", -1}, {"PgDn", 10}, {"PgUp", -10}};
    for (size_t i = 0; i < sizeof moves / sizeof moves[0]; i++) {
        if (input_event_is(e, moves[i].key)) {
            move_focus(f, moves[i].by);
            return true;
        }
    }
    return false;
}

static void on_value(struct model *m, const struct input_event *e)
{
    struct start_form *f = &m->start;
    struct start_row *row = &f->rows[f->focus];
    if (!start_field_is_choice(row->field)) {
        size_t before = edit_len(&row->edit);
        bool writes = e->kind != INPUT_KEY;
        if (edit_input(&row->edit, e) && (writes || before != edit_len(&row->edit)))
            changed(f, row);
        return;
    }
    bool right = input_event_is(e, "Right") || input_event_is(e, "Space");
    if (right || input_event_is(e, "Left")) {
        start_choose(m, row, right ? 1 : -1);
        changed(f, row);
    }
}

static void on_form(struct model *m, const struct input_event *e, struct effects *fx)
{
    struct start_form *f = &m->start;
    if (f->row_count == 0 || on_moves(f, e))
        return;
    if (input_event_is(e, "Ctrl-R")) {
        if (!list_read_personal(m, fx))
            (void)str_copy(f->text, sizeof f->text,
                           "Waiting before the next call; the addresses were not asked for.");
        return;
    }
    if (!on_groups(m, e))
        on_value(m, e);
    start_check(m);
}

/* A key that is held down comes again and again: each time too early, so it never confirms. */
static void on_confirm(struct model *m, struct effects *fx)
{
    struct start_form *f = &m->start;
    bool early = m->now_mono - f->reviewing_since_mono < CONFIRM_DELAY_MS;
    if (early)
        f->reviewing_since_mono = m->now_mono;
    else
        start_send(m, fx);
}

static void on_ctrl_s(struct model *m, struct effects *fx)
{
    struct start_form *f = &m->start;
    if (f->reviewing) {
        on_confirm(m, fx);
        return;
    }
    start_check(m);
    if (f->problems.count > 0) {
        (void)str_copy(f->text, sizeof f->text, "Not yet: the fields with a mark are not right.");
        show_problems(f);
        return;
    }
    if (f->guard[0])
        return; /* it is on screen */
    f->text[0] = '\0';
    f->reviewing = true;
    f->top = 0;
    f->reviewing_since_mono = m->now_mono;
}

/* A review that is longer than the screen is read fact by fact. */
static void scroll_review(struct model *m, const struct input_event *e)
{
    struct start_form *f = &m->start;
    struct start_fact fact;
    if (input_event_is(e, "Down") && start_review_fact(m, f->top + 1, &fact))
        f->top++;
    else if (input_event_is(e, "Up") && f->top > 0)
        f->top--;
}

/* True when the dialog is to be closed. */
bool start_input(struct model *m, const struct input_event *e, struct effects *fx)
{
    struct start_form *f = &m->start;
    bool under_way = f->state == START_SENT || f->state == START_UNKNOWN;
    if (input_event_is(e, "Esc") || input_event_is(e, "Ctrl-C")) {
        bool back = f->reviewing && !under_way;
        if (back)
            f->reviewing = false;
        return !back; /* what was written stays for the next time */
    }
    if (under_way)
        scroll_review(m, e);
    else if (input_event_is(e, "Ctrl-S"))
        on_ctrl_s(m, fx);
    else if (f->reviewing)
        scroll_review(m, e);
    else
        on_form(m, e, fx);
    return false;
}
