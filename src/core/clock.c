/* SPDX-License-Identifier: Apache-2.0 */
/* Clocks, date-times as text, ages and time left. Must not know the server's offset. Invariants:
 * month names are fixed English (no locale), arithmetic saturates instead of overflowing, and a
 * missing time is said to be missing, never shown as a moment. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include "core/clock.h"

#define MS_PER_S    INT64_C(1000)
#define S_PER_MIN   INT64_C(60)
#define S_PER_HOUR  INT64_C(3600)
#define S_PER_DAY   INT64_C(86400)
#define FINE_LEFT_S (10 * S_PER_MIN) /* below it, minutes and seconds are counted */

static const char *const months[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                     "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

static int64_t read_clock(clockid_t id)
{
    struct timespec ts;
    if (clock_gettime(id, &ts) != 0)
        return 0;
    return (int64_t)ts.tv_sec * MS_PER_S + ts.tv_nsec / 1000000;
}

int64_t clock_mono_ms(void)
{
#ifdef CLOCK_BOOTTIME
    return read_clock(CLOCK_BOOTTIME);
#else
    return read_clock(CLOCK_MONOTONIC);
#endif
}

int64_t clock_wall_ms(void)
{
    return read_clock(CLOCK_REALTIME);
}

static int64_t floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

/* Days since 1970-01-01 of a day in the proleptic Gregorian calendar. */
static int64_t days_of_date(int year, int month, int day)
{
    int64_t y = year - (month <= 2);
    int64_t era = floor_div(y, 400);
    int64_t of_era = y - era * 400;
    int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

static int days_in_month(int year, int month)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return month == 2 && leap ? 29 : days[month - 1];
}

/* Takes exactly n digits and, unless it is 0, the character after them; -1 when they are not there.
 */
static int take_number(const char **s, int n, char after)
{
    int value = 0;
    for (int i = 0; i < n; i++, (*s)++) {
        if (**s < '0' || **s > '9')
            return -1;
        value = value * 10 + (**s - '0');
    }
    if (after && *(*s)++ != after)
        return -1;
    return value;
}

static bool take_date(const char **s, char after, int64_t *days)
{
    int year = take_number(s, 4, '-');
    int month = year < 0 ? -1 : take_number(s, 2, '-');
    int day = month < 0 ? -1 : take_number(s, 2, after);
    if (day < 1 || month < 1 || month > 12 || day > days_in_month(year, month))
        return false;
    *days = days_of_date(year, month, day);
    return true;
}

/* Any number of digits after the point; milliseconds are kept. */
static bool take_fraction(const char **s, int64_t *ms)
{
    int64_t scale = 100;
    *ms = 0;
    if (**s != '.')
        return true;
    (*s)++;
    if (**s < '0' || **s > '9')
        return false;
    for (; **s >= '0' && **s <= '9'; (*s)++, scale /= 10)
        *ms += (**s - '0') * scale;
    return true;
}

/* "Z" or "+hh:mm" to the end of the text. */
static bool take_offset(const char *s, int64_t *offset_s)
{
    char sign = *s++;
    *offset_s = 0;
    if (sign == 'Z' || sign == 'z')
        return *s == '\0';
    if (sign != '+' && sign != '-')
        return false;
    int hours = take_number(&s, 2, ':');
    int minutes = hours < 0 ? -1 : take_number(&s, 2, 0);
    if (minutes < 0 || hours > 23 || minutes > 59 || *s != '\0')
        return false;
    *offset_s = (hours * S_PER_HOUR + minutes * S_PER_MIN) * (sign == '-' ? -1 : 1);
    return true;
}

enum err clock_parse(const char *text, int64_t *ms)
{
    int64_t days;
    int64_t fraction_ms;
    int64_t offset_s;
    /* The separator is checked here, because both cases of it are allowed. */
    if (!text || strnlen(text, 11) < 11 || (text[10] != 'T' && text[10] != 't') ||
        !take_date(&text, 0, &days))
        return ERR_FORMAT;
    text++;
    int hour = take_number(&text, 2, ':');
    int minute = hour < 0 ? -1 : take_number(&text, 2, ':');
    int second = minute < 0 ? -1 : take_number(&text, 2, 0);
    if (second < 0 || hour > 23 || minute > 59 || second > 60)
        return ERR_FORMAT;
    if (!take_fraction(&text, &fraction_ms) || !take_offset(text, &offset_s))
        return ERR_FORMAT;
    int64_t of_day = hour * S_PER_HOUR + minute * S_PER_MIN + second;
    *ms = (days * S_PER_DAY + of_day - offset_s) * MS_PER_S + fraction_ms;
    return ERR_OK;
}

static bool broken_down(int64_t ms, bool local, struct tm *tm)
{
    time_t seconds = (time_t)floor_div(ms, MS_PER_S);
    if (ms == CLOCK_NONE)
        return false;
    return local ? localtime_r(&seconds, tm) != NULL : gmtime_r(&seconds, tm) != NULL;
}

void clock_rfc3339(char out[CLOCK_TEXT_MAX], int64_t ms)
{
    struct tm tm;
    out[0] = '\0';
    if (!broken_down(ms, false, &tm))
        return;
    int n = snprintf(out, CLOCK_TEXT_MAX, "%04d-%02d-%02dT%02d:%02d:%02d", tm.tm_year + 1900,
                     tm.tm_mon + 1, tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec);
    int fraction = (int)(ms - floor_div(ms, MS_PER_S) * MS_PER_S);
    size_t at = (size_t)n;
    if (fraction > 0)
        snprintf(out + at, CLOCK_TEXT_MAX - at, ".%03dZ", fraction);
    else
        snprintf(out + at, CLOCK_TEXT_MAX - at, "Z");
}

void clock_local_hm(char out[CLOCK_TEXT_MAX], int64_t ms)
{
    struct tm tm;
    out[0] = '\0';
    if (broken_down(ms, true, &tm))
        snprintf(out, CLOCK_TEXT_MAX, "%02d:%02d", tm.tm_hour, tm.tm_min);
}

void clock_local_hms(char out[CLOCK_TEXT_MAX], int64_t ms)
{
    struct tm tm;
    out[0] = '\0';
    if (broken_down(ms, true, &tm))
        snprintf(out, CLOCK_TEXT_MAX, "%02d:%02d:%02d", tm.tm_hour, tm.tm_min, tm.tm_sec);
}

void clock_local_date(char out[CLOCK_TEXT_MAX], int64_t ms)
{
    struct tm tm;
    out[0] = '\0';
    if (broken_down(ms, true, &tm))
        snprintf(out, CLOCK_TEXT_MAX, "%d %s", tm.tm_mday, months[tm.tm_mon]);
}

void clock_local_date_hm(char out[CLOCK_TEXT_MAX], int64_t ms)
{
    struct tm tm;
    out[0] = '\0';
    if (broken_down(ms, true, &tm))
        snprintf(out, CLOCK_TEXT_MAX, "%d %s %02d:%02d", tm.tm_mday, months[tm.tm_mon], tm.tm_hour,
                 tm.tm_min);
}

void clock_local_zone(char out[CLOCK_TEXT_MAX], int64_t ms)
{
    struct tm tm;
    out[0] = '\0';
    if (!broken_down(ms, true, &tm))
        return;
    /* Zones without a name of their own are called by their offset, which reads badly alone. */
    bool bare = tm.tm_zone[0] == '+' || tm.tm_zone[0] == '-';
    snprintf(out, CLOCK_TEXT_MAX, "%s%.16s", bare ? "UTC" : "", tm.tm_zone);
}

int clock_local_year(int64_t ms)
{
    struct tm tm;
    return broken_down(ms, true, &tm) ? tm.tm_year + 1900 : 0;
}

bool clock_same_local_day(int64_t a_ms, int64_t b_ms)
{
    struct tm a;
    struct tm b;
    return broken_down(a_ms, true, &a) && broken_down(b_ms, true, &b) && a.tm_year == b.tm_year &&
           a.tm_yday == b.tm_yday;
}

bool clock_valid_date(const char *text)
{
    int64_t days;
    return text && take_date(&text, 0, &days) && *text == '\0';
}

static int64_t span_ms(int64_t from_ms, int64_t to_ms)
{
    int64_t span;
    if (__builtin_sub_overflow(to_ms, from_ms, &span))
        return to_ms > from_ms ? INT64_MAX : INT64_MIN;
    return span;
}

void clock_age(char out[CLOCK_TEXT_MAX], int64_t then_ms, int64_t now_ms)
{
    if (then_ms == CLOCK_NONE || now_ms == CLOCK_NONE) {
        snprintf(out, CLOCK_TEXT_MAX, "unknown");
        return;
    }
    int64_t age_s = span_ms(then_ms, now_ms) / MS_PER_S;
    if (age_s < 0)
        age_s = 0;
    if (age_s < S_PER_MIN)
        snprintf(out, CLOCK_TEXT_MAX, "%d s", (int)age_s);
    else if (age_s < S_PER_HOUR)
        snprintf(out, CLOCK_TEXT_MAX, "%d min", (int)(age_s / S_PER_MIN));
    else if (age_s < S_PER_DAY)
        snprintf(out, CLOCK_TEXT_MAX, "%d h", (int)(age_s / S_PER_HOUR));
    else
        clock_local_date(out, then_ms);
}

void clock_left(char out[CLOCK_TEXT_MAX], int64_t deadline_ms, int64_t now_ms)
{
    if (deadline_ms == CLOCK_NONE || now_ms == CLOCK_NONE) {
        snprintf(out, CLOCK_TEXT_MAX, "no deadline given");
        return;
    }
    int64_t left_ms = span_ms(now_ms, deadline_ms);
    if (left_ms <= 0) {
        snprintf(out, CLOCK_TEXT_MAX, "time is up");
        return;
    }
    /* Rounded up, so that "0:00" never stands while there is still time. */
    int64_t left_s = left_ms / MS_PER_S + (left_ms % MS_PER_S > 0);
    if (left_s < FINE_LEFT_S)
        snprintf(out, CLOCK_TEXT_MAX, "%d:%02d", (int)(left_s / 60), (int)(left_s % 60));
    else if (left_s < S_PER_HOUR)
        snprintf(out, CLOCK_TEXT_MAX, "%d min", (int)(left_s / S_PER_MIN));
    else if (left_s < 2 * S_PER_DAY)
        snprintf(out, CLOCK_TEXT_MAX, "%d h", (int)(left_s / S_PER_HOUR));
    else
        snprintf(out, CLOCK_TEXT_MAX, "%" PRId64 " d", left_s / S_PER_DAY);
}
