/* SPDX-License-Identifier: Apache-2.0 */
/* History and its cursors. A cursor names the last line that was given, so lines that arrive later
 * move nothing; a mark binds it to range and page size. */
#include "sim/sim_history.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/alloc.h"
#include "sim/sim_mem.h"
#include "sim/sim_reply.h"

#define PURCHASE_TIE                                                                               \
    (UINT64_C(1) << 40) /* purchases of this run sort before old lines of one time */

static const struct {
    const char *kind;
    const char *direction;
    const char *title; /* NULL: the merchant */
    const char *status;
    const char *card;
    bool by_agent;
    int weight;        /* of 100 */
    int64_t low, high; /* rupees */
} kinds[] = {
    {"purchase", "debit", NULL, "completed", "envoy", true, 62, 49, 6000},
    {"purchase", "debit", NULL, "completed", "elixir_card", false, 14, 30, 2500},
    {"load", "credit", "Added money", "completed", "unknown", false, 9, 500, 10000},
    {"refund", "credit", NULL, "completed", "envoy", true, 5, 99, 3999},
    {"decline", "none", NULL, "failed", "elixir_card", false, 4, 100, 4000},
    {"fee", "debit", "Card fee", "completed", "elixir_card", false, 2, 10, 99},
    {"card_closed", "none", "Card closed", "completed", "envoy", true, 3, 0, 0},
    {"withdraw", "debit", "Sent to bank", "completed", "unknown", false, 1, 500, 5000},
};

static const char *const titles[] = {
    "Corner Books", "Fresh Grocer", "Metro Tickets", "Shoe Barn",    "Tool Shed",  "Tea & Co",
    "Lamp Studio",  "Paper Works",  "Monsoon Wear",  "Green Pantry", "Cycle Yard", "Toy Attic",
};

#define TITLE_COUNT (sizeof(titles) / sizeof(titles[0]))
#define KIND_COUNT  (sizeof(kinds) / sizeof(kinds[0]))

static size_t pick_kind(uint64_t n)
{
    int roll = (int)(n % 100);

    for (size_t i = 0; i < KIND_COUNT; i++) {
        roll -= kinds[i].weight;
        if (roll < 0) {
            return i;
        }
    }
    return 0;
}

void sim_history_make(struct sim_world *w, size_t count, int days)
{
    int64_t span = (int64_t)days * 86400000;
    int64_t step = count > 0 ? span / (int64_t)count : 0;

    w->lines = sim_mem_zero(count, sizeof(*w->lines));
    w->line_count = count;
    for (size_t i = 0; i < count; i++) {
        struct sim_line *l = &w->lines[i];
        uint64_t n = sim_ident_number(w->seed, "line", i, 0);
        size_t kind = pick_kind(n);
        int64_t width = kinds[kind].high - kinds[kind].low + 1;

        l->ordinal = count - i;
        /* one line in each step of the span, somewhere inside it, so the order is the index */
        l->at_ms =
            w->opened_ms - (int64_t)(i + 1) * step +
            (step > 0 ? (int64_t)(sim_ident_number(w->seed, "when", i, 0) % (uint64_t)step) : 0);
        l->at_ms -= 3600000;
        l->at_ms -= l->at_ms % 1000;
        l->kind = (unsigned char)kind;
        l->title = (unsigned char)((n >> 8) % TITLE_COUNT);
        l->amount_minor = (kinds[kind].low + (int64_t)((n >> 20) % (uint64_t)width)) * SIM_RUPEE;
    }
}

struct row {
    int64_t at_ms;
    uint64_t tie;
    const struct sim_line *line;
    const struct sim_purchase *purchase;
};

static bool is_after(const struct row *a, int64_t at_ms, uint64_t tie)
{
    return a->at_ms < at_ms || (a->at_ms == at_ms && a->tie < tie);
}

/* Fully refunded purchases and those where no money moved have no line. */
static bool has_line(const struct sim_purchase *p)
{
    return p->funded_ms != SIM_NEVER &&
           (p->money == SIM_MONEY_DEBITED || p->money == SIM_MONEY_UNKNOWN ||
            p->money == SIM_MONEY_REFUND_PENDING);
}

static int compare_rows(const void *a, const void *b)
{
    const struct row *x = a;
    const struct row *y = b;

    return is_after(x, y->at_ms, y->tie) ? 1 : is_after(y, x->at_ms, x->tie) ? -1 : 0;
}

static struct row *own_rows(const struct sim_world *w, size_t *count)
{
    struct row *rows = sim_mem_zero(w->purchase_count + 1, sizeof(*rows));
    size_t n = 0;

    for (size_t i = 0; i < w->purchase_count; i++) {
        if (has_line(w->purchases[i])) {
            rows[n].at_ms = w->purchases[i]->funded_ms;
            rows[n].tie = PURCHASE_TIE + w->purchases[i]->ordinal;
            rows[n].purchase = w->purchases[i];
            n++;
        }
    }
    qsort(rows, n, sizeof(*rows), compare_rows);
    *count = n;
    return rows;
}

static cJSON *render_line(const struct sim_world *w, const struct sim_line *l)
{
    cJSON *o = cJSON_CreateObject();
    bool by_agent = kinds[l->kind].by_agent;
    char id[32] = "txn_";

    sim_ident_hex(w->seed, "txn", l->ordinal, 0, id + 4, 20);
    cJSON_AddStringToObject(o, "id", id);
    sim_render_time(o, "occurred_at", l->at_ms);
    cJSON_AddItemToObject(o, "amount", sim_render_amount(l->amount_minor));
    cJSON_AddStringToObject(o, "direction", kinds[l->kind].direction);
    cJSON_AddStringToObject(o, "title",
                            kinds[l->kind].title != NULL ? kinds[l->kind].title : titles[l->title]);
    sim_render_text(o, "subtitle", by_agent ? w->account.agent_name : NULL);
    cJSON_AddBoolToObject(o, "by_agent", by_agent);
    cJSON_AddStringToObject(o, "kind", kinds[l->kind].kind);
    cJSON_AddStringToObject(o, "status", kinds[l->kind].status);
    cJSON_AddStringToObject(o, "card", kinds[l->kind].card);
    return o;
}

static cJSON *render_purchase(const struct sim_world *w, const struct sim_purchase *p)
{
    cJSON *o = cJSON_CreateObject();
    char id[32] = "txn_";

    sim_ident_hex(w->seed, "txn", PURCHASE_TIE + p->ordinal, 0, id + 4, 20);
    cJSON_AddStringToObject(o, "id", id);
    sim_render_time(o, "occurred_at", p->funded_ms);
    cJSON_AddItemToObject(o, "amount",
                          sim_render_amount(p->held_minor > 0 ? p->held_minor : p->paid_minor));
    cJSON_AddStringToObject(o, "direction", "debit");
    cJSON_AddStringToObject(o, "title", p->merchant_name);
    cJSON_AddStringToObject(o, "subtitle", w->account.agent_name);
    cJSON_AddBoolToObject(o, "by_agent", true);
    cJSON_AddStringToObject(o, "kind", "purchase");
    cJSON_AddStringToObject(o, "status",
                            p->state == SIM_COMPLETED       ? "completed"
                            : p->money == SIM_MONEY_UNKNOWN ? "unknown"
                                                            : "pending");
    cJSON_AddStringToObject(o, "card", "envoy");
    return o;
}

static uint64_t mark(const struct sim_world *w, const struct sim_range *range, int64_t at_ms,
                     uint64_t tie)
{
    uint64_t where = sim_ident_number(w->seed, "cursor", (uint64_t)at_ms, tie);

    return sim_ident_number(where, "range", (uint64_t)range->from_ms ^ (uint64_t)range->limit,
                            (uint64_t)range->until_ms);
}

static bool read_cursor(const struct sim_world *w, const struct sim_range *range,
                        const char *cursor, int64_t *at_ms, uint64_t *tie)
{
    unsigned long long at = 0;
    unsigned long long t = 0;
    unsigned long long m = 0;
    int used = 0;

    if (sscanf(cursor, "cur_%16llx%16llx%16llx%n", &at, &t, &m, &used) != 3 ||
        cursor[used] != '\0' || used != 52 || m != mark(w, range, (int64_t)at, t)) {
        return false;
    }
    *at_ms = (int64_t)at;
    *tie = t;
    return true;
}

cJSON *sim_history_page(const struct sim_world *w, const struct sim_range *range,
                        const char *cursor, char next[SIM_CURSOR_SIZE])
{
    int64_t at_ms = SIM_NEVER;
    uint64_t tie = UINT64_MAX;
    size_t own_count = 0;
    size_t own = 0;
    size_t old = 0;
    int given = 0;
    struct row *rows = NULL;
    cJSON *page = NULL;

    if (cursor != NULL && !read_cursor(w, range, cursor, &at_ms, &tie)) {
        return NULL;
    }
    rows = own_rows(w, &own_count);
    page = cJSON_CreateArray();
    next[0] = '\0';
    while (own < own_count || old < w->line_count) {
        struct row r = {0};

        if (old < w->line_count) {
            r.at_ms = w->lines[old].at_ms;
            r.tie = w->lines[old].ordinal;
            r.line = &w->lines[old];
        }
        if (r.line == NULL || (own < own_count && is_after(&r, rows[own].at_ms, rows[own].tie))) {
            r = rows[own++];
        } else {
            old++;
        }
        if (!is_after(&r, at_ms, tie) || r.at_ms >= range->until_ms) {
            continue;
        }
        if (r.at_ms < range->from_ms) {
            break;
        }
        if (given == range->limit) {
            snprintf(next, SIM_CURSOR_SIZE, "cur_%016llx%016llx%016llx", (unsigned long long)at_ms,
                     (unsigned long long)tie, (unsigned long long)mark(w, range, at_ms, tie));
            break;
        }
        cJSON_AddItemToArray(page, r.purchase != NULL ? render_purchase(w, r.purchase)
                                                      : render_line(w, r.line));
        at_ms = r.at_ms;
        tie = r.tie;
        given++;
    }
    alloc_free(rows);
    return page;
}
