/* SPDX-License-Identifier: Apache-2.0 */
/* When a call may go out: waits after 429 and 503, back-off with full jitter after transport
 * trouble, and the call budget. Pure: the caller gives the time and a random number. Contract
 * README point 7; page requests ("Retry after a 429"). */
#ifndef FLOW_RETRY_H
#define FLOW_RETRY_H

#include <stdbool.h>
#include <stdint.h>

#define RETRY_BUDGET_CALLS     120
#define RETRY_BUDGET_WINDOW_MS 60000
#define RETRY_LIMIT_CAP_MS     240000 /* a doubled 429 wait, before jitter */
/* Wide enough that of 200 consoles whose server restarts no second sees more than a tenth (case
 * N3). */
#define RETRY_BACKOFF_FIRST_MS 20000
#define RETRY_BACKOFF_CAP_MS   60000

/* One per token: 429 stops every call on it, manual ones included. */
struct retry_gate {
    int64_t not_before_ms; /* monotonic; INT64_MIN when open */
    int limited_in_a_row;
    int64_t sent_ms[RETRY_BUDGET_CALLS]; /* ring of send times */
    int sent_next;
    int sent_count;
};

void retry_gate_init(struct retry_gate *g);
/* header_ms: Retry-After, -1 when none; after_seconds: next.after_seconds, -1 when none. random is
 * 0..UINT32_MAX and gives 0 to 25 % more, also at the cap. Each 429 in a row doubles, up to the
 * cap; one that comes while the gate is closed answers an earlier call and does not. Returns the
 * wait in ms, which is never shorter than one that stands already, nor than 1 s. */
int64_t retry_gate_limited(struct retry_gate *g, int64_t now_ms, int64_t header_ms,
                           int64_t after_seconds, uint32_t random);
/* A reply that was not 429: the next one starts from the asked wait again. Opens nothing early. */
void retry_gate_good(struct retry_gate *g);
/* May a call go out now? Background reads leave the last 20 calls of the budget to people. On no,
 * *when_ms is the earliest time. */
bool retry_gate_open(const struct retry_gate *g, int64_t now_ms, bool interactive,
                     int64_t *when_ms);
void retry_gate_sent(struct retry_gate *g, int64_t now_ms);
int retry_gate_used(const struct retry_gate *g, int64_t now_ms); /* calls in the last minute */

/* Back-off of one reader: full jitter over a doubling ceiling; reset only by a good reply. */
struct retry_backoff {
    int failures;
    int64_t first_ms; /* the first ceiling; 0: RETRY_BACKOFF_FIRST_MS */
};
/* Delay before the next try: uniform in [0.25 s, ceiling]; the ceiling doubles up to 60 s. */
int64_t retry_backoff_next(struct retry_backoff *b, uint32_t random);
void retry_backoff_good(struct retry_backoff *b);
/* 503 with a delay: the given seconds plus 0 to 25 %; without one (or with 0) the back-off. */
int64_t retry_unavailable(struct retry_backoff *b, int64_t after_seconds, uint32_t random);

#endif
