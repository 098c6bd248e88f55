/* SPDX-License-Identifier: Apache-2.0 */
/* Owns nothing itself: it fills a caller's struct model as update would have left it after a few
 * minutes of reading. Knows no screen. Every time is counted from FIXTURE_NOW_MS. */
#include "support/fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "core/alloc.h"
#include "core/money.h"
#include "core/str.h"

#define HOUR_S INT64_C(3600)

static void need(bool good, const char *what)
{
    if (good)
        return;
    fprintf(stderr, "fixture: %s\n", what);
    abort();
}

static void *fresh(size_t count, size_t size)
{
    void *p = alloc_zero(count, size);

    need(p != NULL, "no memory");
    return p;
}

int64_t fixture_ago(int64_t seconds)
{
    return FIXTURE_NOW_MS - seconds * 1000;
}

int64_t fixture_at(int hour, int minute, int second)
{
    int64_t of_day = ((int64_t)hour * 60 + minute) * 60 + second;

    return FIXTURE_NOW_MS - (((14 * 60) + 2) * 60 + 5 - of_day) * 1000;
}

void fixture_text(char **slot, const char *text)
{
    alloc_free(*slot);
    *slot = alloc_text(text);
    need(*slot != NULL || !text, "no memory");
}

void fixture_enum(struct contract_enum *e, int value)
{
    memset(e, 0, sizeof *e);
    e->value = value;
}

void fixture_unrecognised(struct contract_enum *e, const char *raw)
{
    e->value = CONTRACT_UNRECOGNISED;
    str_copy(e->raw, sizeof e->raw, raw);
}

void fixture_amount(struct contract_amount *a, int64_t minor)
{
    char text[MONEY_TEXT_MAX];

    money_format(text, minor, false);
    alloc_free(a->display);
    memset(a, 0, sizeof *a);
    a->known = true;
    a->minor = minor;
    a->display = alloc_text(text);
    need(a->display != NULL, "no memory");
}

void fixture_open(struct model *m, int width_cells, int height_cells)
{
    struct model_settings set = {.demo = true, .sim_control = true};

    setenv("TZ", "Asia/Kolkata", 1);
    tzset();
    str_copy(set.scenario, sizeof set.scenario, "day");
    str_copy(set.host, sizeof set.host, "127.0.0.1:40417");
    str_copy(set.theme, sizeof set.theme, "dark");
    need(model_init(m, &set) == ERR_OK, "model_init");
    m->width_cells = width_cells;
    m->height_cells = height_cells;
    m->too_small = false;
    m->now_mono = FIXTURE_MONO_MS;
    m->server_offset_ms = FIXTURE_NOW_MS - FIXTURE_MONO_MS;
    m->server_time_known = true;
    m->link = MODEL_LINK_LIVE;
    m->last_good_mono = FIXTURE_MONO_MS - 2000;
    m->link_until_mono = INT64_MAX;
    m->list_read = true;
    m->focused = true;
    for (int i = 0; i < 14; i++)
        retry_gate_sent(&m->gate, FIXTURE_MONO_MS - 50000 + i * 3000);
}

void fixture_close(struct model *m)
{
    model_fini(m);
}

/* What list_purchases and the first status reads know about it. */
static void fill_snapshot(struct contract_purchase *s, const struct model_purchase *p,
                          const char *what, int64_t amount_minor)
{
    str_copy(s->purchase_id, sizeof s->purchase_id, p->id);
    snprintf(s->idempotency_key, sizeof s->idempotency_key, "ec-start-synthetic%06u",
             (unsigned)(amount_minor % 1000000));
    s->revision = 4;
    s->state = p->state;
    s->terminal = contract_state_is_terminal(p->state.value);
    fixture_enum(&s->user_task, CONTRACT_ABSENT);
    fixture_enum(&s->reason, CONTRACT_ABSENT);
    fixture_enum(&s->rail, CONTRACT_RAIL_OTU_CARD);
    fixture_enum(&s->rail_reason, CONTRACT_REASON_RAIL_OTU_PREFERRED);
    fixture_enum(&s->checkout_by, CONTRACT_CHECKOUT_BY_AGENT);
    fixture_enum(&s->approval_state, CONTRACT_APPROVAL_APPROVED);
    fixture_enum(&s->approval_method, CONTRACT_APPROVAL_METHOD_PASSKEY);
    fixture_enum(&s->payment_kind, CONTRACT_PAYMENT_KIND_CARD);
    fixture_enum(&s->money, CONTRACT_MONEY_NOT_STARTED);
    fixture_enum(&s->agent.verification, CONTRACT_VERIFICATION_ORIGIN);
    fixture_enum(&s->question.kind, CONTRACT_ABSENT);
    fixture_enum(&s->follow_up.kind, CONTRACT_ABSENT);
    fixture_text(&s->status_text, "Envoy is preparing the payment.");
    fixture_text(&s->merchant_name, p->merchant_name);
    fixture_text(&s->merchant_url, "https://shop.example.test");
    fixture_text(&s->description, what);
    fixture_text(&s->details_missing, "");
    fixture_text(&s->agent.agent_id, "origin:https://host.example.test");
    fixture_text(&s->agent.display_name, "Kirana Console");
    fixture_amount(&s->amount, amount_minor);
    s->details_complete = true;
    s->approval_decide_by_ms = CLOCK_NONE;
    s->payment_expires_at_ms = CLOCK_NONE;
    s->question.asked_at_ms = CLOCK_NONE;
    s->receipt.completed_at_ms = CLOCK_NONE;
    s->funding.expires_at_ms = CLOCK_NONE;
    s->created_at_ms = p->created_at_ms;
    s->updated_at_ms = p->changed_at_ms;
}

static void absent_offer(struct contract_follow_up_call *offer)
{
    fixture_enum(&offer->tool, CONTRACT_ABSENT);
    fixture_enum(&offer->type, CONTRACT_ABSENT);
}

struct model_purchase *fixture_purchase(struct model *m, const char *merchant, const char *what,
                                        int64_t amount_minor, enum contract_state state)
{
    struct model_purchase *grown =
        alloc_grow(m->purchases, (m->purchase_count + 1) * sizeof *grown);
    struct model_purchase *p;

    need(grown != NULL, "no memory");
    m->purchases = grown;
    p = &grown[m->purchase_count++];
    memset(p, 0, sizeof *p);
    snprintf(p->id, sizeof p->id, "pur_5b1e9c7a3f2d5a8e9c0b1d2e3f4a5b%02x",
             (unsigned)(m->purchase_count & 0xff));
    fixture_enum(&p->state, (int)state);
    fixture_enum(&p->checkout_by, CONTRACT_CHECKOUT_BY_AGENT);
    fixture_enum(&p->action.task, CONTRACT_ABSENT);
    fixture_enum(&p->next_tool, CONTRACT_ABSENT);
    fixture_text(&p->merchant_name, merchant);
    fixture_amount(&p->amount, amount_minor);
    absent_offer(&p->vault_offer);
    absent_offer(&p->feedback_offer);
    absent_offer(&p->retry_offer);
    p->created_at_ms = fixture_at(14, 0, 0);
    p->changed_at_ms = fixture_ago(40);
    p->listed = true;
    p->action.by_ms = CLOCK_NONE;
    p->by_ms = CLOCK_NONE;
    p->hold_seconds = -1;
    p->due_mono = INT64_MAX;
    p->last_good_mono = FIXTURE_MONO_MS - 2000;
    p->handout_at_ms = CLOCK_NONE;
    follow_begin(&p->memory);
    p->memory.revision = 4;
    p->follow_started = true;
    p->stop = contract_state_is_terminal((int)state) ? FOLLOW_TERMINAL : FOLLOW_GOING;
    snprintf(p->request_id, sizeof p->request_id, "req_synthetic_%02u",
             (unsigned)(m->purchase_count & 0xff));
    for (int i = 0; i < MODEL_WRITE_KIND_COUNT; i++) {
        p->writes[i].outcome = CONTRACT_ABSENT;
        p->writes[i].failure = CONTRACT_ABSENT;
        p->writes[i].step = CONTRACT_ABSENT;
    }
    p->snap = fresh(1, sizeof *p->snap);
    fill_snapshot(p->snap, p, what, amount_minor);
    return p;
}

void fixture_row(struct model_purchase *p, int64_t at_ms, enum timeline_kind kind,
                 enum contract_state state, int money, const char *text)
{
    struct timeline_row *grown = alloc_grow(p->rows, (p->row_count + 1) * sizeof *grown);

    need(grown != NULL, "no memory");
    p->rows = grown;
    grown += p->row_count++;
    memset(grown, 0, sizeof *grown);
    grown->at_ms = at_ms;
    grown->kind = kind;
    fixture_enum(&grown->state, (int)state);
    fixture_enum(&grown->money, money);
    str_copy(grown->text, sizeof grown->text, text);
    p->changed_at_ms = at_ms;
    if (!p->snap)
        return;
    p->snap->updated_at_ms = at_ms;
    if (money != CONTRACT_ABSENT)
        fixture_enum(&p->snap->money, money);
    if (kind == TIMELINE_STATE)
        fixture_text(&p->snap->status_text, text);
}

void fixture_question(struct model_purchase *p, enum contract_question_kind kind,
                      const char *prompt, int64_t asked_at_ms)
{
    struct contract_question *q = &p->snap->question;

    q->open = true;
    snprintf(q->id, sizeof q->id, "q-%s-%d", p->id + 30, (int)kind);
    fixture_enum(&q->kind, (int)kind);
    fixture_text(&q->prompt, prompt);
    q->asked_at_ms = asked_at_ms;
    p->stop = FOLLOW_QUESTION;
    p->needs_look = true;
    fixture_enum(&p->next_tool, CONTRACT_TOOL_ANSWER_PURCHASE_QUESTION);
}

void fixture_draft(struct model_purchase *p, const char *text)
{
    struct model_draft *d = &p->drafts[0];

    str_copy(d->question, sizeof d->question,
             p->snap->question.open ? p->snap->question.id : p->snap->follow_up.id);
    edit_init(&d->edit, CONTRACT_ANSWER_MAX, false);
    need(edit_insert(&d->edit, text, strlen(text)) == ERR_OK, "draft");
}

void fixture_task(struct model_purchase *p, enum contract_task task, const char *message,
                  int64_t by_ms)
{
    fixture_enum(&p->snap->user_task, (int)task);
    fixture_enum(&p->action.task, (int)task);
    fixture_text(&p->action.message, message);
    p->action.present = true;
    p->action.by_ms = by_ms;
    p->snap->approval_decide_by_ms = by_ms;
    if (task == CONTRACT_TASK_APPROVE)
        fixture_enum(&p->snap->approval_state, CONTRACT_APPROVAL_PENDING);
}

void fixture_pay_link(struct model_purchase *p, int64_t payable_minor, int64_t by_ms)
{
    fixture_task(p, CONTRACT_TASK_PAY_LINK, "Pay for this gift card with the link below.", by_ms);
    fixture_enum(&p->snap->rail, CONTRACT_RAIL_GIFT_CARD);
    fixture_enum(&p->snap->rail_reason, CONTRACT_REASON_RAIL_GIFT_CARD_CARDLESS);
    fixture_enum(&p->snap->payment_kind, CONTRACT_PAYMENT_KIND_GIFT_CARD);
    fixture_enum(&p->snap->approval_state, CONTRACT_APPROVAL_PENDING);
    p->snap->funding.present = true;
    fixture_text(&p->snap->funding.url, "https://pay.example.test/l/7Q2K9");
    fixture_amount(&p->snap->funding.amount, payable_minor);
    p->snap->funding.expires_at_ms = by_ms;
    fixture_text(&p->action.url, p->snap->funding.url);
}

static void take_handout(struct model_purchase *p, const char *json)
{
    struct secret *body = secret_new(4096);

    need(body != NULL, "no guarded memory");
    need(secret_append(body, json, strlen(json)) == ERR_OK, "guarded body");
    need(handout_extract(body, &p->handout) == ERR_OK && p->handout, "handout");
    secret_free(body);
    p->handout_seen = true;
    p->handout_at_ms = p->changed_at_ms;
    p->stop = FOLLOW_READY;
    p->snap->payment_available = true;
    str_copy(p->attempt_id, sizeof p->attempt_id, "11111111-2222-4333-8444-555555555555");
}

static void guard_once(const struct model *m)
{
    bool locked = false;

    (void)m;
    need(secret_init(&locked) == ERR_OK, "guarded memory");
}

void fixture_card(struct model *m, struct model_purchase *p, int64_t closes_at_ms,
                  int64_t code_until_ms)
{
    char json[1024], closes[CLOCK_TEXT_MAX], code[CLOCK_TEXT_MAX];

    guard_once(m);
    clock_rfc3339(closes, closes_at_ms);
    clock_rfc3339(code, code_until_ms);
    snprintf(json, sizeof json,
             "{\"data\":{\"payment_details\":{\"kind\":\"card\",\"card\":{\"number\":"
             "\"6521550000004242\",\"expiry_month\":\"11\",\"expiry_year\":\"2029\",\"cvv\":"
             "\"737\",\"network\":\"rupay\"},\"checkout_code\":\"481516\","
             "\"checkout_code_expires_at\":\"%s\",\"amount_limit\":{\"minor\":%lld,\"currency\":"
             "\"INR\",\"display\":\"%s\"},\"checkout_attempt_id\":"
             "\"11111111-2222-4333-8444-555555555555\",\"expires_at\":\"%s\"}}}",
             code, (long long)p->amount.minor, p->amount.display, closes);
    fixture_enum(&p->snap->money, CONTRACT_MONEY_DEBITED);
    p->snap->payment_expires_at_ms = closes_at_ms;
    take_handout(p, json);
}

void fixture_voucher(struct model *m, struct model_purchase *p)
{
    char json[1024];

    guard_once(m);
    snprintf(json, sizeof json,
             "{\"data\":{\"payment_details\":{\"kind\":\"gift_card\",\"amount_limit\":{\"minor\":"
             "%lld,\"currency\":\"INR\",\"display\":\"%s\"},\"checkout_attempt_id\":"
             "\"11111111-2222-4333-8444-555555555555\",\"voucher\":{\"brand\":\"Fresh Grocer\","
             "\"code\":\"FG-SYNTH-0042-9913\",\"pin\":\"271828\",\"value\":{\"minor\":%lld,"
             "\"currency\":\"INR\",\"display\":\"%s\"},\"redemption_url\":"
             "\"https://redeem.example.test/fresh\",\"redemption_instructions\":"
             "\"Add it under Account, Gift cards, before you check out.\",\"valid_until\":"
             "\"2027-06-30T18:29:59Z\"}}}}",
             (long long)p->amount.minor, p->amount.display, (long long)p->amount.minor,
             p->amount.display);
    fixture_enum(&p->snap->rail, CONTRACT_RAIL_GIFT_CARD);
    fixture_enum(&p->snap->money, CONTRACT_MONEY_DEBITED);
    fixture_enum(&p->snap->payment_kind, CONTRACT_PAYMENT_KIND_GIFT_CARD);
    take_handout(p, json);
}

static struct model_call *in_flight(struct model *m, enum contract_tool tool, const char *purchase)
{
    struct model_call *call = &m->calls[m->call_count++];

    need(m->call_count <= MODEL_CALLS_MAX, "too many calls");
    memset(call, 0, sizeof *call);
    call->id = ++m->next_call;
    call->tool = tool;
    str_copy(call->purchase, sizeof call->purchase, purchase);
    return call;
}

void fixture_held(struct model *m, struct model_purchase *p, int64_t seconds, int unchanged,
                  int64_t by_ms)
{
    struct model_call *call = in_flight(m, CONTRACT_TOOL_GET_PURCHASE_STATUS, p->id);

    call->purpose = MODEL_CALL_READ;
    call->held = true;
    call->started_mono = FIXTURE_MONO_MS - seconds * 1000;
    call->started_at_ms = fixture_ago(seconds);
    p->stop = FOLLOW_GOING;
    p->held = true;
    p->hold_seconds = 45;
    p->timeout_ms = 60000;
    p->by_ms = by_ms;
    p->read_call = call->id;
    p->read_started_mono = call->started_mono;
    p->last_good_mono = call->started_mono;
    p->memory.unchanged = unchanged;
    fixture_enum(&p->next_tool, CONTRACT_TOOL_GET_PURCHASE_STATUS);
}

void fixture_write(struct model_purchase *p, enum model_write_kind kind,
                   enum model_write_state state, const char *text)
{
    struct model_write *w = &p->writes[kind];

    w->state = state;
    w->sent_at_ms = fixture_at(14, 1, 50);
    w->ended_at_ms = state == MODEL_WRITE_SENT ? 0 : fixture_at(14, 1, 52);
    str_copy(w->key, sizeof w->key, "ec-answer-synthetic0000001");
    str_copy(w->text, sizeof w->text, text);
    contract_support_ref(w->support, p->id);
    if (kind == MODEL_WRITE_ANSWER && p->snap)
        str_copy(w->question, sizeof w->question, p->snap->question.id);
}

static void hold_money(struct model *m, size_t index, const char *purchase, const char *merchant,
                       int64_t minor)
{
    struct contract_held *h = &m->account->held_items[index];

    str_copy(h->purchase_id, sizeof h->purchase_id, purchase);
    fixture_text(&h->merchant, merchant);
    fixture_enum(&h->state, CONTRACT_HELD_STATE_HELD);
    h->exact = true;
    if (minor >= 0)
        fixture_amount(&h->amount, minor);
    h->since_ms = fixture_at(14, 0, 0);
}

void fixture_account(struct model *m)
{
    struct contract_account *a = fresh(1, sizeof *a);

    m->account = a;
    m->account_at_ms = fixture_ago(2);
    a->has_balance_section = true;
    fixture_amount(&a->balance, 749900);
    fixture_amount(&a->held, 0);
    fixture_amount(&a->spendable, 500000);
    a->has_held_purchases = a->held_purchases_available = true;
    a->held_truncated_known = true;
    fixture_amount(&a->held_total, 249900);
    a->held_count = 3;
    a->held_items = fresh(3, sizeof *a->held_items);
    hold_money(m, 0, m->purchase_count ? m->purchases[0].id : "", "Example Store", 249900);
    hold_money(m, 1, "pur_00000000000000000000000000000077", "Tool Shed", 31000);
    a->held_items[1].exact = false;
    a->held_items[1].since_ms = fixture_at(18, 20, 0) - 24 * HOUR_S * 1000;
    fixture_enum(&a->held_items[1].state, CONTRACT_HELD_STATE_RETURNING);
    hold_money(m, 2, "pur_00000000000000000000000000000078", NULL, -1);
    fixture_enum(&a->held_items[2].state, CONTRACT_HELD_STATE_UNKNOWN);
    a->held_items[2].since_ms = CLOCK_NONE;
    a->has_services = a->service_purchase = true;
    a->has_active_purchase = true;
    if (m->purchase_count && m->purchases[0].snap)
        need(contract_purchase_copy(m->purchases[0].snap, &a->active_purchase) == ERR_OK, "copy");
    a->has_agent = true;
    fixture_text(&a->agent.agent_id, "origin:https://host.example.test");
    fixture_text(&a->agent.display_name, "Kirana Console");
    fixture_enum(&a->agent.verification, CONTRACT_VERIFICATION_ORIGIN);
    a->unavailable[CONTRACT_UNAVAILABLE_LIMITS] = true;
    str_copy(m->owner, sizeof m->owner, "Asha Rao");
}

struct line_row {
    const char *title, *subtitle;
    enum contract_line_kind kind;
    enum contract_line_status status;
    enum contract_direction direction;
    int64_t minor;
    bool by_agent;
};

static const struct line_row line_rows[] = {
    {"Metro Tickets", "Kirana Console", CONTRACT_LINE_KIND_PURCHASE, CONTRACT_LINE_STATUS_COMPLETED,
     CONTRACT_DIRECTION_DEBIT, 45000, true},
    {"Added money", NULL, CONTRACT_LINE_KIND_LOAD, CONTRACT_LINE_STATUS_COMPLETED,
     CONTRACT_DIRECTION_CREDIT, 500000, false},
    {"Fresh Grocer", "Kirana Console", CONTRACT_LINE_KIND_PURCHASE, CONTRACT_LINE_STATUS_COMPLETED,
     CONTRACT_DIRECTION_DEBIT, 120000, true},
    {"Shoe Barn", "Kirana Console", CONTRACT_LINE_KIND_REFUND, CONTRACT_LINE_STATUS_PENDING,
     CONTRACT_DIRECTION_CREDIT, 399900, true},
    {"Card closed", NULL, CONTRACT_LINE_KIND_CARD_CLOSED, CONTRACT_LINE_STATUS_COMPLETED,
     CONTRACT_DIRECTION_NONE, 0, false},
    {"世界の本屋 and International Booksellers Pvt Ltd", "Kirana Console",
     CONTRACT_LINE_KIND_PURCHASE, CONTRACT_LINE_STATUS_FAILED, CONTRACT_DIRECTION_DEBIT, 10000000,
     true},
    {"Tool Shed", "Kirana Console", CONTRACT_LINE_KIND_DECLINE, CONTRACT_LINE_STATUS_UNKNOWN,
     CONTRACT_DIRECTION_DEBIT, 31000, true},
};

void fixture_lines(struct model *m, size_t count)
{
    size_t kinds = sizeof line_rows / sizeof line_rows[0];

    m->lines.rows = fresh(count ? count : 1, sizeof *m->lines.rows);
    m->lines.count = count;
    m->lines.started = true;
    m->lines.limit = 20;
    m->lines.read_at_ms = fixture_ago(2);
    for (size_t i = 0; i < count; i++) {
        const struct line_row *row = &line_rows[i % kinds];
        struct contract_line *l = &m->lines.rows[i];

        snprintf(l->id, sizeof l->id, "txn_synthetic_%04zu", i + 1);
        l->occurred_at_ms = fixture_at(13, 2, 0) - (int64_t)(24 + i * 7) * HOUR_S * 1000;
        fixture_amount(&l->amount, row->minor);
        fixture_enum(&l->direction, (int)row->direction);
        fixture_text(&l->title, row->title);
        fixture_text(&l->subtitle, row->subtitle);
        l->by_agent = row->by_agent;
        fixture_enum(&l->kind, (int)row->kind);
        fixture_enum(&l->status, (int)row->status);
        fixture_enum(&l->card, row->by_agent ? CONTRACT_LINE_CARD_ENVOY : CONTRACT_ABSENT);
    }
    if (count)
        str_copy(m->lines.selected, sizeof m->lines.selected, m->lines.rows[0].id);
}

static struct model_call *ended(struct model *m, enum contract_tool tool, enum model_purpose why,
                                const char *purchase, int64_t ago_s, int64_t took_ms)
{
    struct model_call *call;

    need(m->activity != NULL && m->activity_count < MODEL_ACTIVITY_MAX, "no room for a call");
    call = &m->activity[m->activity_count++];
    memset(call, 0, sizeof *call);
    call->id = ++m->next_call;
    call->tool = tool;
    call->purpose = why;
    str_copy(call->purchase, sizeof call->purchase, purchase);
    call->started_mono = FIXTURE_MONO_MS - ago_s * 1000;
    call->ended_mono = call->started_mono + took_ms;
    call->started_at_ms = fixture_ago(ago_s);
    call->outcome = ENVOY_REPLY;
    call->http_status = 200;
    snprintf(call->request_id, sizeof call->request_id, "req_synthetic_%04u",
             (unsigned)(call->id % 10000));
    str_copy(call->trace_id, sizeof call->trace_id, "4bf92f3577b34da6a3ce929d0e0e4736");
    if (purchase[0])
        contract_support_ref(call->support, purchase);
    return call;
}

void fixture_activity(struct model *m)
{
    const char *id = m->purchase_count ? m->purchases[0].id : "";
    struct model_call *call;

    ended(m, CONTRACT_TOOL_GET_ACCOUNT, MODEL_CALL_ACCOUNT, "", 130, 84);
    ended(m, CONTRACT_TOOL_LIST_PURCHASES, MODEL_CALL_LIST, "", 130, 91);
    call = ended(m, CONTRACT_TOOL_GET_PURCHASE_STATUS, MODEL_CALL_READ, id, 128, 45012);
    call->held = true;
    str_copy(call->note, sizeof call->note, "unchanged");
    call = ended(m, CONTRACT_TOOL_GET_PURCHASE_STATUS, MODEL_CALL_READ, id, 82, 12310);
    call->outcome = ENVOY_NOT_JSON;
    call->http_status = 504;
    call->request_id[0] = call->trace_id[0] = '\0';
    str_copy(call->note, sizeof call->note, "next try in 2 s");
    call = ended(m, CONTRACT_TOOL_LIST_TRANSACTIONS, MODEL_CALL_LINES, "", 70, 120);
    call->http_status = 429;
    str_copy(call->code, sizeof call->code, "RATE_LIMITED");
    str_copy(call->note, sizeof call->note, "waiting 7 s as asked");
    call = ended(m, CONTRACT_TOOL_GET_PURCHASE_STATUS, MODEL_CALL_READ, id, 63, 5002);
    call->held = true;
    str_copy(call->note, sizeof call->note, "changed: needs your answer");
    call = ended(m, CONTRACT_TOOL_REPORT_CHECKOUT_STEP, MODEL_CALL_WRITE, id, 20, 60000);
    call->outcome = ENVOY_TIMEOUT;
    call->http_status = 0;
    call->request_id[0] = '\0';
    str_copy(call->note, sizeof call->note, "outcome not known, reading the purchase first");
    m->activity_selected = call->id;
}

struct model_purchase *fixture_find(struct model *m, const char *merchant)
{
    for (size_t i = 0; i < m->purchase_count; i++) {
        if (strcmp(m->purchases[i].merchant_name, merchant) == 0)
            return &m->purchases[i];
    }
    need(false, merchant);
    return NULL;
}

void fixture_select(struct model *m, const char *merchant, enum model_pane pane)
{
    str_copy(m->selected, sizeof m->selected, fixture_find(m, merchant)->id);
    m->pane = pane;
    m->view = MODEL_VIEW_PURCHASES;
}
