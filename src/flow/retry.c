/* SPDX-License-Identifier: Apache-2.0 */
/* Waits: after 429 and 503, after transport trouble, and for the call budget. Must not know clocks
 * or random sources. Invariants: a wait is never shorter than what the service asked for, jitter
 * only ever adds, also at a cap, and no sequence of calls opens a closed gate early. */
#include "flow/retry.h"

#define DEFAULT_LIMIT_MS  60000
#define LEAST_LIMIT_MS    1000
#define LONGEST_ASKED_MS  INT64_C(86400000)
#define BACKOFF_FLOOR_MS  250
#define BUDGET_BACKGROUND (RETRY_BUDGET_CALLS - 20)
#define ESCALATION_STEPS  16 /* more doublings than any cap here needs */

void retry_gate_init(struct retry_gate *g)
{
    *g = (struct retry_gate){.not_before_ms = INT64_MIN};
}

static int64_t at_most(int64_t value, int64_t most)
{
    return value < most ? value : most;
}

/* value and 0 to 25 % more. */
static int64_t with_jitter(int64_t value, uint32_t random)
{
    return value + value / 4 * (int64_t)random / (int64_t)UINT32_MAX;
}

/* value doubled times over, not beyond cap; a value above the cap stays. */
static int64_t doubled(int64_t value, int times, int64_t cap)
{
    int64_t grown = value;
    for (int i = 0; i < times && i < ESCALATION_STEPS && grown < cap; i++)
        grown *= 2;
    grown = at_most(grown, cap);
    return grown > value ? grown : value;
}

int64_t retry_gate_limited(struct retry_gate *g, int64_t now_ms, int64_t header_ms,
                           int64_t after_seconds, uint32_t random)
{
    int64_t asked_ms = DEFAULT_LIMIT_MS;
    if (header_ms >= 0)
        asked_ms = at_most(header_ms, LONGEST_ASKED_MS);
    else if (after_seconds >= 0)
        asked_ms = at_most(after_seconds, LONGEST_ASKED_MS / 1000) * 1000;
    if (asked_ms < LEAST_LIMIT_MS)
        asked_ms = LEAST_LIMIT_MS;
    /* Calls that were on their way when the first 429 came are the same event, not the next one. */
    bool same_event = g->limited_in_a_row > 0 && now_ms < g->not_before_ms;
    if (!same_event && g->limited_in_a_row < ESCALATION_STEPS)
        g->limited_in_a_row++;
    int64_t wait_ms =
        with_jitter(doubled(asked_ms, g->limited_in_a_row - 1, RETRY_LIMIT_CAP_MS), random);
    if (g->not_before_ms < now_ms + wait_ms)
        g->not_before_ms = now_ms + wait_ms;
    return g->not_before_ms - now_ms;
}

void retry_gate_good(struct retry_gate *g)
{
    g->limited_in_a_row = 0;
}

/* The send time of the call that was made number calls ago; 1 is the newest. */
static int64_t sent_ago(const struct retry_gate *g, int calls)
{
    int at = (g->sent_next - calls + 2 * RETRY_BUDGET_CALLS) % RETRY_BUDGET_CALLS;
    return g->sent_ms[at];
}

int retry_gate_used(const struct retry_gate *g, int64_t now_ms)
{
    int used = 0;
    while (used < g->sent_count && sent_ago(g, used + 1) > now_ms - RETRY_BUDGET_WINDOW_MS)
        used++;
    return used;
}

bool retry_gate_open(const struct retry_gate *g, int64_t now_ms, bool interactive, int64_t *when_ms)
{
    int budget = interactive ? RETRY_BUDGET_CALLS : BUDGET_BACKGROUND;
    int64_t earliest_ms = g->not_before_ms > now_ms ? g->not_before_ms : now_ms;
    if (g->sent_count >= budget) {
        int64_t room_ms = sent_ago(g, budget) + RETRY_BUDGET_WINDOW_MS;
        if (room_ms > earliest_ms)
            earliest_ms = room_ms;
    }
    if (earliest_ms == now_ms)
        return true;
    *when_ms = earliest_ms;
    return false;
}

void retry_gate_sent(struct retry_gate *g, int64_t now_ms)
{
    g->sent_ms[g->sent_next] = now_ms;
    g->sent_next = (g->sent_next + 1) % RETRY_BUDGET_CALLS;
    if (g->sent_count < RETRY_BUDGET_CALLS)
        g->sent_count++;
}

int64_t retry_backoff_next(struct retry_backoff *b, uint32_t random)
{
    int64_t first_ms = b->first_ms > 0 ? b->first_ms : RETRY_BACKOFF_FIRST_MS;
    int64_t ceiling_ms =
        doubled(at_most(first_ms, RETRY_BACKOFF_CAP_MS), b->failures, RETRY_BACKOFF_CAP_MS);
    int64_t floor_ms = at_most(BACKOFF_FLOOR_MS, ceiling_ms);
    if (b->failures < ESCALATION_STEPS)
        b->failures++;
    return floor_ms + (ceiling_ms - floor_ms) * (int64_t)random / (int64_t)UINT32_MAX;
}

void retry_backoff_good(struct retry_backoff *b)
{
    b->failures = 0;
}

int64_t retry_unavailable(struct retry_backoff *b, int64_t after_seconds, uint32_t random)
{
    int64_t backoff_ms = retry_backoff_next(b, random);
    if (after_seconds <= 0)
        return backoff_ms;
    return with_jitter(at_most(after_seconds, LONGEST_ASKED_MS / 1000) * 1000, random);
}
