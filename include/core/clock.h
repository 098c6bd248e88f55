/* SPDX-License-Identifier: Apache-2.0 */
/* Time. Instants are milliseconds since 1970 UTC (int64). The monotonic clock counts suspend where
 * the system has such a clock. Deadlines are judged with server time: local monotonic + offset. */
#ifndef CORE_CLOCK_H
#define CORE_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "core/err.h"

#define CLOCK_NONE INT64_MIN /* no time given */
#define CLOCK_TEXT_MAX 48

int64_t clock_mono_ms(void);
int64_t clock_wall_ms(void);
/* RFC 3339 date-time with any offset and fraction, e.g. "2026-09-29T12:00:00.5+05:30". */
enum err clock_parse(const char *text, int64_t *ms) WARN_UNUSED;
/* "2026-09-29T12:00:00Z" (milliseconds only when not zero). */
void clock_rfc3339(char out[CLOCK_TEXT_MAX], int64_t ms);
/* All texts are "" for CLOCK_NONE unless said otherwise. */
/* Local time: "14:02", "14:02:31", zone "IST", date "30 Nov", date and time "30 Nov 13:02". */
void clock_local_hm(char out[CLOCK_TEXT_MAX], int64_t ms);
void clock_local_hms(char out[CLOCK_TEXT_MAX], int64_t ms);
void clock_local_date(char out[CLOCK_TEXT_MAX], int64_t ms);
void clock_local_date_hm(char out[CLOCK_TEXT_MAX], int64_t ms);
void clock_local_zone(char out[CLOCK_TEXT_MAX], int64_t ms);
int clock_local_year(int64_t ms); /* 2026; 0 for CLOCK_NONE */
bool clock_same_local_day(int64_t a_ms, int64_t b_ms);
bool clock_valid_date(const char *text); /* YYYY-MM-DD and a real day */
/* Ages in whole units: "0 s" (also for the future), "12 s", "4 min", "1 h"; from 24 h on the local
 * date ("29 Nov"); "unknown" without a time. */
void clock_age(char out[CLOCK_TEXT_MAX], int64_t then_ms, int64_t now_ms);
/* Time left: "1:45" below ten minutes (rounded up), "28 min", "3 h", from 48 h on "2 d"; "time is
 * up" at or below zero; "no deadline given" without a deadline. */
void clock_left(char out[CLOCK_TEXT_MAX], int64_t deadline_ms, int64_t now_ms);

#endif
