/* SPDX-License-Identifier: Apache-2.0 */
/* Decides which lines are due and when watching is over. Must not know the network or the terminal.
 * Invariant: what was written is remembered by purchase and row number, never by pointer. */
#include "plain/watch.h"

#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include "core/alloc.h"
#include "core/clock.h"
#include "core/str.h"

#define TEXT_BYTES 4096

enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_SIGN_IN = 3, EXIT_REFUSED = 4, EXIT_NOT_CONFIRMED = 5 };

struct seen { /* what was written about a purchase */
    char id[CONTRACT_ID_MAX];
    bool is_old; /* had ended before we came: not watched, in a demo its end alone is told */
    size_t rows; /* counted from its first, also those the model let go */
    char question[CONTRACT_QUESTION_ID_MAX];
    struct contract_enum task;
};

struct plain_watch {
    struct plain_watch_options opt;
    struct seen *seen;
    size_t seen_count;
    bool account_told, list_told, truncated_told;
    enum model_link link; /* as told last */
    int64_t rest_mono;    /* since when the simulator rests; INT64_MAX before */
};

struct plain_watch *plain_watch_new(const struct plain_watch_options *options)
{
    struct plain_watch *w = alloc_zero(1, sizeof(*w));
    if (!w)
        return NULL;
    w->opt = *options;
    w->link = MODEL_LINK_CONNECTING;
    w->rest_mono = INT64_MAX;
    return w;
}

void plain_watch_free(struct plain_watch *w)
{
    if (!w)
        return;
    alloc_free(w->seen);
    alloc_free(w);
}

static bool is_demo(const struct plain_watch *w)
{
    return w->opt.resting != NULL;
}

static bool is_asked_for(const struct plain_watch *w, const struct model_purchase *p)
{
    const char *ref = w->opt.purchase;
    return ref[0] == '\0' || strcmp(ref, p->id) == 0 ||
           (p->snap && strcmp(ref, p->snap->idempotency_key) == 0);
}

static struct seen *find_seen(const struct plain_watch *w, const char *id)
{
    for (size_t i = 0; i < w->seen_count; i++)
        if (strcmp(w->seen[i].id, id) == 0)
            return &w->seen[i];
    return NULL;
}

/* NULL without memory: told about the next time. */
static struct seen *meet(struct plain_watch *w, const struct model_purchase *p)
{
    struct seen *s = find_seen(w, p->id);
    if (s)
        return s;
    struct seen *grown = alloc_grow(w->seen, (w->seen_count + 1) * sizeof(*grown));
    if (!grown)
        return NULL;
    w->seen = grown;
    s = &grown[w->seen_count++];
    *s = (struct seen){.task = {.value = CONTRACT_ABSENT}};
    (void)str_copy(s->id, sizeof(s->id), p->id);
    s->is_old = w->opt.purchase[0] == '\0' && contract_state_is_terminal(p->state.value);
    return s;
}

static bool is_old(const struct plain_watch *w, const struct model_purchase *p)
{
    const struct seen *s = find_seen(w, p->id);
    return s ? s->is_old : w->opt.purchase[0] == '\0' && contract_state_is_terminal(p->state.value);
}

static bool is_watched(const struct plain_watch *w, const struct model_purchase *p)
{
    return !is_old(w, p) && is_asked_for(w, p);
}

static void note(const struct plain_watch *w, const char *kind, int64_t at_ms, const char *fmt, ...)
    PRINTF_LIKE(4, 5);
static void note(const struct plain_watch *w, const char *kind, int64_t at_ms, const char *fmt, ...)
{
    char text[TEXT_BYTES];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof(text), fmt, ap);
    va_end(ap);
    plain_line_note(&w->opt.line, kind, at_ms, text);
}

/* The connection and the account */

static void tell_account(struct plain_watch *w, const struct model *m)
{
    if (w->account_told || !m->account)
        return;
    char spendable[160], held[160];
    const struct contract_account *a = m->account;
    const char *agent = a->has_agent && a->agent.display_name ? a->agent.display_name : "unknown";
    model_amount(m, &a->spendable, spendable, sizeof(spendable));
    model_amount(m, &a->held_total, held, sizeof(held));
    note(w, "account", m->account_at_ms,
         "%s%s%sAccount of %s, agent %s: %s to spend, %s in open purchases",
         m->set.demo ? "DEMO, no real money, scenario " : "", m->set.demo ? m->set.scenario : "",
         m->set.demo ? ". " : "", m->owner[0] ? m->owner : "unknown", agent, spendable, held);
    w->account_told = true;
}

static void tell_link(struct plain_watch *w, const struct model *m)
{
    char wait[CLOCK_TEXT_MAX];
    bool was_bad = w->link == MODEL_LINK_TROUBLE || w->link == MODEL_LINK_LIMITED;
    if (m->link == w->link)
        return;
    int64_t now = model_now_ms(m);
    switch (m->link) {
    case MODEL_LINK_LIVE:
        if (was_bad)
            note(w, "link", now, "Connected again");
        break;
    case MODEL_LINK_TROUBLE:
        note(w, "link", now, "No good reply: %s. What stands above may be old; trying again",
             m->link_text);
        break;
    case MODEL_LINK_LIMITED:
        clock_left(wait, m->link_until_mono, m->now_mono);
        note(w, "link", now, "Too many calls: waiting %s", wait);
        break;
    case MODEL_LINK_SIGNED_OUT:
        note(w, "link", now, "Sign-in needed: %s", m->link_text);
        break;
    case MODEL_LINK_UPDATE:
        note(w, "link", now, "Envoy wants a newer version of this program");
        break;
    default:
        break;
    }
    w->link = m->link;
}

static void tell_list(struct plain_watch *w, const struct model *m)
{
    if (m->list_trouble[0] && !w->list_told)
        note(w, "link", model_now_ms(m), "The list of purchases could not be read: %s",
             m->list_trouble);
    w->list_told = m->list_trouble[0] != '\0';
    if (m->list_read && m->list_truncated && !w->truncated_told && !w->opt.purchase[0]) {
        note(w, "note", model_now_ms(m), "There are older purchases that are not watched");
        w->truncated_told = true;
    }
}

/* Purchases */

struct pending {
    const struct model_purchase *p;
    const struct timeline_row *row;
};

/* Rows come in order within a purchase; over all of them the time decides. */
static void insert(struct pending *list, size_t count, struct pending fresh)
{
    size_t at = count;
    while (at > 0 && list[at - 1].row->at_ms > fresh.row->at_ms && list[at - 1].p != fresh.p) {
        list[at] = list[at - 1];
        at--;
    }
    list[at] = fresh;
}

static size_t new_rows(const struct model_purchase *p, const struct seen *s)
{
    size_t total = p->rows_dropped + p->row_count;
    size_t from = s->rows > p->rows_dropped ? s->rows : p->rows_dropped;
    return total > from ? total - from : 0;
}

static void tell_row(const struct plain_watch *w, const struct model *m, const struct pending *r)
{
    struct plain_fact fact = {.kind = "event",
                              .at_ms = r->row->at_ms,
                              .state = r->row->state,
                              .money = r->row->money,
                              .text = r->row->text};
    plain_line_fact(&w->opt.line, m, r->p, &fact);
}

static void tell_rows(struct plain_watch *w, const struct model *m)
{
    size_t total = 0, count = 0;
    for (size_t i = 0; i < m->purchase_count; i++) {
        const struct model_purchase *p = &m->purchases[i];
        struct seen *s = meet(w, p);
        total += s && is_watched(w, p) ? new_rows(p, s) : 0;
    }
    struct pending *list = total > 0 ? alloc_zero(total, sizeof(*list)) : NULL;
    for (size_t i = 0; i < m->purchase_count && list; i++) {
        const struct model_purchase *p = &m->purchases[i];
        struct seen *s = find_seen(w, p->id);
        if (!s || !is_watched(w, p))
            continue;
        size_t fresh = new_rows(p, s);
        for (size_t k = p->row_count - fresh; k < p->row_count; k++, count++)
            insert(list, count, (struct pending){p, &p->rows[k]});
        s->rows = p->rows_dropped + p->row_count;
    }
    for (size_t i = 0; i < count; i++)
        tell_row(w, m, &list[i]);
    alloc_free(list);
}

static const char *wire(enum contract_kind kind, const struct contract_enum *e)
{
    return e->value >= 0 ? contract_wire(kind, e->value) : e->raw;
}

static void tell_question(const struct plain_watch *w, const struct model *m,
                          const struct model_purchase *p, struct seen *s)
{
    const struct contract_question *q = model_open_question(p);
    char text[TEXT_BYTES];
    if (!q) {
        s->question[0] = '\0';
        return;
    }
    if (strcmp(s->question, q->id) == 0)
        return;
    (void)str_copy(s->question, sizeof(s->question), q->id);
    bool refused = q->kind.value == CONTRACT_QUESTION_PASSWORD;
    snprintf(text, sizeof(text), "%s%s",
             w->opt.line.json ? "" : "QUESTION: ", q->prompt ? q->prompt : "");
    struct plain_fact fact = {
        .kind = "question",
        .at_ms = q->asked_at_ms != CLOCK_NONE ? q->asked_at_ms : model_now_ms(m),
        .state = {.value = CONTRACT_ABSENT},
        .money = {.value = CONTRACT_ABSENT},
        .text = text,
        .what = wire(CONTRACT_KIND_QUESTION, &q->kind),
        .id = q->id,
        .by_ms = CLOCK_NONE,
        .more = refused ? "(A password is never sent: cancel, or finish at the merchant.)"
                        : "(Answer in the full-screen envoy-console, or with: envoy-console call "
                          "answer_purchase_question -)"};
    plain_line_fact(&w->opt.line, m, p, &fact);
}

static void tell_task(const struct plain_watch *w, const struct model *m,
                      const struct model_purchase *p, struct seen *s)
{
    char text[TEXT_BYTES], more[TEXT_BYTES], words[96], until[CLOCK_TEXT_MAX], pay[160] = "";
    const struct contract_user_action *a = &p->action;
    if (!p->snap || p->snap->state.value != CONTRACT_STATE_WAITING_FOR_USER || !a->present) {
        s->task.value = CONTRACT_ABSENT;
        return;
    }
    if (s->task.value == a->task.value && strcmp(s->task.raw, a->task.raw) == 0)
        return;
    s->task = a->task;
    clock_local_hm(until, model_deadline(p));
    if (p->snap->funding.present)
        model_amount(m, &p->snap->funding.amount, pay, sizeof(pay));
    snprintf(text, sizeof(text), "%s%s",
             w->opt.line.json ? "" : "FOR YOU: ", a->message ? a->message : "");
    snprintf(
        more, sizeof(more), "%s%s%s%s%s(%s%s%s)", pay[0] ? "To pay: " : "", pay,
        a->url   ? " at "
        : pay[0] ? " "
                 : "",
        a->url ? a->url : "", a->url ? " " : "",
        contract_words(CONTRACT_KIND_TASK, &a->task, words, sizeof(words), "see the Envoy app"),
        until[0] ? ", until " : ", no deadline given", until);
    struct plain_fact fact = {.kind = "task",
                              .at_ms = p->snap->updated_at_ms,
                              .state = {.value = CONTRACT_ABSENT},
                              .money = {.value = CONTRACT_ABSENT},
                              .text = text,
                              .what = wire(CONTRACT_KIND_TASK, &a->task),
                              .url = a->url,
                              .by_ms = model_deadline(p),
                              .more = more};
    plain_line_fact(&w->opt.line, m, p, &fact);
}

static void notice_rest(struct plain_watch *w, const struct model *m)
{
    if (!is_demo(w))
        return;
    if (w->opt.resting(w->opt.ctx) < 0)
        w->rest_mono = INT64_MAX;
    else if (w->rest_mono == INT64_MAX)
        w->rest_mono = m->now_mono;
}

void plain_watch_show(void *ctx, const struct model *m)
{
    struct plain_watch *w = ctx;
    notice_rest(w, m);
    tell_account(w, m);
    tell_link(w, m);
    tell_list(w, m);
    tell_rows(w, m);
    for (size_t i = 0; i < m->purchase_count; i++) {
        const struct model_purchase *p = &m->purchases[i];
        struct seen *s = find_seen(w, p->id);
        if (!s || !is_watched(w, p))
            continue;
        tell_task(w, m, p, s);
        tell_question(w, m, p, s);
    }
}

/* The end */

static bool is_idle(const struct model_purchase *p)
{
    return p->read_call == 0 && p->due_mono == INT64_MAX;
}

static bool has_ended(const struct model_purchase *p)
{
    return p->snap && p->snap->terminal && contract_state_is_terminal(p->state.value);
}

/* Nothing more is read of it by itself, and nothing is waited for that a person may do. */
static bool is_over(const struct model_purchase *p)
{
    return is_idle(p) && p->stop != FOLLOW_READY && p->stop != FOLLOW_QUESTION &&
           p->stop != FOLLOW_PASSWORD;
}

static bool all_over(const struct plain_watch *w, const struct model *m)
{
    for (size_t i = 0; i < m->purchase_count; i++)
        if (is_watched(w, &m->purchases[i]) && !is_over(&m->purchases[i]))
            return false;
    return true;
}

static bool all_ended(const struct model *m)
{
    for (size_t i = 0; i < m->purchase_count; i++)
        if (!has_ended(&m->purchases[i]) || !is_idle(&m->purchases[i]))
            return false;
    return true;
}

/* A list that was asked for when nothing more could happen shows all there will be. */
static bool list_since(const struct model *m, int64_t mono)
{
    for (size_t i = m->activity_count; i > 0; i--) {
        const struct model_call *c = &m->activity[i - 1];
        if (c->purpose == MODEL_CALL_LIST && c->outcome == ENVOY_REPLY && c->started_mono > mono)
            return true;
    }
    return false;
}

static bool demo_is_over(struct plain_watch *w, const struct model *m)
{
    notice_rest(w, m);
    if (w->rest_mono == INT64_MAX)
        return false;
    if (all_ended(m) && m->purchase_count >= (size_t)w->opt.resting(w->opt.ctx))
        return true;
    if (!list_since(m, w->rest_mono))
        return false;
    for (size_t i = 0; i < m->purchase_count; i++)
        if (!is_idle(&m->purchases[i]))
            return false;
    return true;
}

bool plain_watch_finished(void *ctx, const struct model *m, int *exit_code)
{
    struct plain_watch *w = ctx;
    if (m->link == MODEL_LINK_SIGNED_OUT || m->link == MODEL_LINK_UPDATE) {
        *exit_code = m->link == MODEL_LINK_UPDATE ? EXIT_REFUSED : EXIT_SIGN_IN;
        return true;
    }
    if (w->opt.service_gone && w->opt.service_gone(w->opt.ctx)) {
        note(w, "link", CLOCK_NONE, "The simulator has ended");
        *exit_code = EXIT_FAILED;
        return true;
    }
    if (ferror(w->opt.line.out)) { /* nobody reads any more, or nothing can be written */
        *exit_code = EXIT_FAILED;
        return true;
    }
    *exit_code = EXIT_DONE;
    if (!m->list_read) {
        /* a list that was refused is not asked for again */
        bool refused = m->list_trouble[0] && m->list_due_mono == INT64_MAX && m->call_count == 0;
        *exit_code = EXIT_REFUSED;
        return refused;
    }
    return is_demo(w) ? demo_is_over(w, m) : all_over(w, m);
}

static int end_code(const struct model_purchase *p)
{
    if (p->stop == FOLLOW_REFUSED || p->stop == FOLLOW_NOT_FOUND)
        return EXIT_REFUSED;
    if (!has_ended(p) || follow_stop_is_open(p->stop))
        return EXIT_NOT_CONFIRMED;
    return p->state.value == CONTRACT_STATE_COMPLETED || p->state.value == CONTRACT_STATE_SUPERSEDED
               ? EXIT_DONE
               : EXIT_FAILED;
}

static void tell_end(const struct plain_watch *w, const struct model *m,
                     const struct model_purchase *p, int code)
{
    static const char *const ends[] = {[EXIT_DONE] = "done",
                                       [EXIT_FAILED] = "failed",
                                       [EXIT_REFUSED] = "not_confirmed",
                                       [EXIT_NOT_CONFIRMED] = "not_confirmed"};
    char text[TEXT_BYTES], words[128], money[96], good[CLOCK_TEXT_MAX];
    bool known = has_ended(p);
    if (known) {
        const struct contract_row *reason =
            contract_row(CONTRACT_KIND_REASON, p->snap->reason.value);
        timeline_money_words(&p->snap->money, &p->snap->state, money, sizeof(money));
        snprintf(text, sizeof(text), "%s%s%s%s", reason ? reason->words : "", reason ? ", " : "",
                 money, code == EXIT_NOT_CONFIRMED ? "; this needs Envoy support" : "");
    } else {
        clock_local_hms(good, p->last_good_mono == INT64_MIN
                                  ? CLOCK_NONE
                                  : model_now_ms(m) - (m->now_mono - p->last_good_mono));
        (void)str_copy(words, sizeof(words), follow_stop_words(p->stop));
        snprintf(text, sizeof(text), "%s%s%s", words, good[0] ? ", last read at " : ", never read",
                 good);
    }
    struct plain_fact fact = {.kind = "end",
                              .at_ms = CLOCK_NONE,
                              .state = p->state,
                              .money = {.value = CONTRACT_ABSENT},
                              .text = text,
                              .end = ends[code],
                              .known = known};
    if (p->snap)
        fact.money = p->snap->money;
    plain_line_fact(&w->opt.line, m, p, &fact);
}

int plain_watch_end(struct plain_watch *w, const struct model *m, int loop_code)
{
    int worst = EXIT_DONE;
    size_t count = 0;
    bool all_known = true;
    for (size_t i = m->purchase_count; i > 0; i--) {
        const struct model_purchase *p = &m->purchases[i - 1];
        if (!is_watched(w, p) && !is_demo(w))
            continue;
        int code = end_code(p);
        count++;
        all_known = all_known && has_ended(p);
        worst = code > worst ? code : worst;
        tell_end(w, m, p, code);
    }
    if (count == 0 && m->list_read) {
        note(w, "note", CLOCK_NONE, "%s",
             w->opt.purchase[0] ? "This purchase is not among the newest of this account"
                                : "No purchase is open");
        worst = w->opt.purchase[0] ? EXIT_FAILED : EXIT_DONE;
    }
    if (loop_code > EXIT_FAILED)
        return loop_code;
    if (is_demo(w) && loop_code == EXIT_DONE)
        return all_known ? EXIT_DONE : EXIT_NOT_CONFIRMED;
    return loop_code > worst ? loop_code : worst;
}
