/* SPDX-License-Identifier: Apache-2.0 */
/* Clocks and times: date-times with offsets, local days in several zones, ages and time left. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>
#include <cmocka.h>
#include "core/clock.h"

#define DAY_MS INT64_C(86400000)
/* Spelled out, so that no zone database is needed. */
#define INDIA    "IST-5:30"
#define NEW_YORK "EST5EDT,M3.2.0,M11.1.0"

static void zone(const char *name)
{
    setenv("TZ", name, 1);
    tzset();
}

static void date_times_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t ms;
    } rows[] = {
        {"1970-01-01T00:00:00Z", 0},
        {"1970-01-01t00:00:00z", 0},
        {"1969-12-31T23:59:59.999Z", -1},
        {"2026-09-29T12:00:00Z", INT64_C(1790683200000)},
        {"2026-09-29T12:00:00.5+05:30", INT64_C(1790663400500)},
        {"2026-09-29T06:30:00-05:30", INT64_C(1790683200000)},
        {"2026-09-29T12:00:00.123456789Z", INT64_C(1790683200123)},
        {"2026-09-29T12:00:00.1Z", INT64_C(1790683200100)},
        {"2024-02-29T00:00:00Z", INT64_C(1709164800000)},
        {"2016-12-31T23:59:60Z", INT64_C(1483228800000)},
        {"0000-01-01T00:00:00Z", INT64_C(-62167219200000)},
        {"9999-12-31T23:59:59Z", INT64_C(253402300799000)},
        {"2026-09-29T23:59:59+23:59", INT64_C(1790640059000)},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int64_t ms = 7;
        if (clock_parse(rows[i].text, &ms) != ERR_OK || ms != rows[i].ms)
            fail_msg("%s read as %lld", rows[i].text, (long long)ms);
    }
}

static void bad_date_times_are_refused(void **state)
{
    (void)state;
    static const char *const rows[] = {
        "",
        "2026",
        "2026-09-29",
        "2026-09-29T",
        "2026-09-29 12:00:00Z",
        "2026-09-29T12:00:00",
        "2026-09-29T12:00Z",
        "2026-09-29T12:00:00.Z",
        "2026-09-29T12:00:00,5Z",
        "2026-09-29T24:00:00Z",
        "2026-09-29T12:60:00Z",
        "2026-09-29T12:00:61Z",
        "2026-13-01T00:00:00Z",
        "2026-00-01T00:00:00Z",
        "2026-02-29T00:00:00Z",
        "1900-02-29T00:00:00Z",
        "2026-04-31T00:00:00Z",
        "2026-01-00T00:00:00Z",
        "2026-09-29T12:00:00+0530",
        "2026-09-29T12:00:00+05",
        "2026-09-29T12:00:00+24:00",
        "2026-09-29T12:00:00+05:60",
        "2026-09-29T12:00:00+05:30x",
        "2026-09-29T12:00:00Zx",
        " 2026-09-29T12:00:00Z",
        "2026-9-29T12:00:00Z",
        "20260-09-29T12:00:00Z",
        "-026-09-29T12:00:00Z",
        "2026-09-29T12:00:0\xD9\xA0Z",
        "now",
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int64_t ms = 7;
        if (clock_parse(rows[i], &ms) != ERR_FORMAT)
            fail_msg("taken: %s", rows[i]);
        assert_int_equal(ms, 7);
    }
    int64_t ms = 7;
    assert_int_equal(clock_parse(NULL, &ms), ERR_FORMAT);
}

static void instants_are_written_and_read_back(void **state)
{
    (void)state;
    char out[CLOCK_TEXT_MAX];
    clock_rfc3339(out, 0);
    assert_string_equal(out, "1970-01-01T00:00:00Z");
    clock_rfc3339(out, -1);
    assert_string_equal(out, "1969-12-31T23:59:59.999Z");
    clock_rfc3339(out, CLOCK_NONE);
    assert_string_equal(out, "");
    clock_rfc3339(out, INT64_MAX);
    assert_true(out[0] != '\0');
    for (int64_t ms = INT64_C(-62167219200000); ms < INT64_C(253402300799000);
         ms += INT64_C(86399999) * 41) {
        int64_t back = 0;
        clock_rfc3339(out, ms);
        assert_int_equal(clock_parse(out, &back), ERR_OK);
        assert_true(back == ms);
    }
}

static void local_texts_follow_the_zone(void **state)
{
    (void)state;
    static const struct {
        const char *zone, *at, *hm, *hms, *date, *date_hm, *name;
    } rows[] = {
        {INDIA, "2026-11-30T18:29:31Z", "23:59", "23:59:31", "30 Nov", "30 Nov 23:59", "IST"},
        {INDIA, "2026-11-30T18:30:00Z", "00:00", "00:00:00", "1 Dec", "1 Dec 00:00", "IST"},
        {"UTC", "2026-11-30T18:30:00Z", "18:30", "18:30:00", "30 Nov", "30 Nov 18:30", "UTC"},
        {NEW_YORK, "2026-03-08T06:59:59Z", "01:59", "01:59:59", "8 Mar", "8 Mar 01:59", "EST"},
        {NEW_YORK, "2026-03-08T07:00:00Z", "03:00", "03:00:00", "8 Mar", "8 Mar 03:00", "EDT"},
        {NEW_YORK, "2026-11-01T05:30:00Z", "01:30", "01:30:00", "1 Nov", "1 Nov 01:30", "EDT"},
        {NEW_YORK, "2026-11-01T06:30:00Z", "01:30", "01:30:00", "1 Nov", "1 Nov 01:30", "EST"},
        {"<+04>-4", "2026-01-01T00:00:00Z", "04:00", "04:00:00", "1 Jan", "1 Jan 04:00", "UTC+04"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int64_t ms;
        char out[CLOCK_TEXT_MAX];
        zone(rows[i].zone);
        assert_int_equal(clock_parse(rows[i].at, &ms), ERR_OK);
        clock_local_hm(out, ms);
        assert_string_equal(out, rows[i].hm);
        clock_local_hms(out, ms);
        assert_string_equal(out, rows[i].hms);
        clock_local_date(out, ms);
        assert_string_equal(out, rows[i].date);
        clock_local_date_hm(out, ms);
        assert_string_equal(out, rows[i].date_hm);
        clock_local_zone(out, ms);
        assert_string_equal(out, rows[i].name);
    }
}

static void year_is_the_local_one(void **state)
{
    (void)state;
    int64_t ms;
    assert_int_equal(clock_parse("2026-12-31T20:00:00Z", &ms), ERR_OK);
    zone("UTC");
    assert_int_equal(clock_local_year(ms), 2026);
    zone("Asia/Kolkata");
    assert_int_equal(clock_local_year(ms), 2027);
    assert_int_equal(clock_local_year(CLOCK_NONE), 0);
}

static void no_time_gives_no_text(void **state)
{
    (void)state;
    static void (*const writers[])(char *, int64_t) = {
        clock_rfc3339,    clock_local_hm,      clock_local_hms,
        clock_local_date, clock_local_date_hm, clock_local_zone,
    };
    for (size_t i = 0; i < sizeof writers / sizeof writers[0]; i++) {
        char out[CLOCK_TEXT_MAX] = "old";
        writers[i](out, CLOCK_NONE);
        assert_string_equal(out, "");
    }
}

static void days_are_compared_in_local_time(void **state)
{
    (void)state;
    int64_t before;
    int64_t after;
    assert_int_equal(clock_parse("2026-11-30T18:29:00Z", &before), ERR_OK);
    assert_int_equal(clock_parse("2026-11-30T18:31:00Z", &after), ERR_OK);
    zone(INDIA);
    assert_false(clock_same_local_day(before, after));
    assert_false(clock_same_local_day(before, before + 365 * DAY_MS));
    zone("UTC");
    assert_true(clock_same_local_day(before, after));
    assert_false(clock_same_local_day(CLOCK_NONE, after));
    assert_false(clock_same_local_day(CLOCK_NONE, CLOCK_NONE));
}

static void dates_must_be_real_days(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool valid;
    } rows[] = {
        {"2026-01-31", true},   {"2024-02-29", true},  {"2000-02-29", true},
        {"2026-02-28", true},   {"2026-02-29", false}, {"2100-02-29", false},
        {"2026-06-31", false},  {"2026-00-10", false}, {"2026-1-1", false},
        {"2026-01-1", false},   {"2026/01/01", false}, {"2026-01-01 ", false},
        {"2026-01-011", false}, {"", false},           {"abcd-ef-gh", false},
        {"+026-01-01", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (clock_valid_date(rows[i].text) != rows[i].valid)
            fail_msg("wrong for %s", rows[i].text);
    }
    assert_false(clock_valid_date(NULL));
}

static void ages_step_from_seconds_to_the_date(void **state)
{
    (void)state;
    static const struct {
        int64_t age_ms;
        const char *text;
    } rows[] = {
        {-1, "0 s"},      {-5000, "0 s"},       {0, "0 s"},         {999, "0 s"},
        {1000, "1 s"},    {59999, "59 s"},      {60000, "1 min"},   {3599999, "59 min"},
        {3600000, "1 h"}, {DAY_MS - 1, "23 h"}, {DAY_MS, "29 Nov"},
    };
    zone("UTC");
    int64_t now;
    char out[CLOCK_TEXT_MAX];
    assert_int_equal(clock_parse("2026-11-30T12:00:00Z", &now), ERR_OK);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        clock_age(out, now - rows[i].age_ms, now);
        assert_string_equal(out, rows[i].text);
    }
    clock_age(out, CLOCK_NONE, now);
    assert_string_equal(out, "unknown");
    clock_age(out, INT64_MIN + 1, INT64_MAX);
    assert_true(out[0] != '\0');
}

static void time_left_never_goes_negative(void **state)
{
    (void)state;
    static const struct {
        int64_t left_ms;
        const char *text;
    } rows[] = {
        {INT64_C(-900000000), "time is up"},
        {-1, "time is up"},
        {0, "time is up"},
        {1, "0:01"},
        {1000, "0:01"},
        {1001, "0:02"},
        {59000, "0:59"},
        {60000, "1:00"},
        {105000, "1:45"},
        {599000, "9:59"},
        {599001, "10 min"},
        {600000, "10 min"},
        {1739000, "28 min"},
        {3599000, "59 min"},
        {3600000, "1 h"},
        {10800000, "3 h"},
        {2 * DAY_MS - 1000, "47 h"},
        {2 * DAY_MS, "2 d"},
        {30 * DAY_MS, "30 d"},
    };
    char out[CLOCK_TEXT_MAX];
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        clock_left(out, INT64_C(1790683200000) + rows[i].left_ms, INT64_C(1790683200000));
        assert_string_equal(out, rows[i].text);
    }
    clock_left(out, CLOCK_NONE, 0);
    assert_string_equal(out, "no deadline given");
    clock_left(out, INT64_MAX, INT64_MIN + 1);
    assert_string_not_equal(out, "time is up");
    clock_left(out, INT64_MIN + 1, INT64_MAX);
    assert_string_equal(out, "time is up");
}

static void clocks_run(void **state)
{
    (void)state;
    int64_t first = clock_mono_ms();
    assert_true(first > 0);
    assert_true(clock_mono_ms() >= first);
    struct timespec ts;
    assert_int_equal(clock_gettime(CLOCK_BOOTTIME, &ts), 0);
    assert_true(clock_mono_ms() >= (int64_t)ts.tv_sec * 1000);
    assert_true(clock_wall_ms() > INT64_C(1577836800000)); /* 2020 */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(date_times_are_read),
        cmocka_unit_test(bad_date_times_are_refused),
        cmocka_unit_test(instants_are_written_and_read_back),
        cmocka_unit_test(local_texts_follow_the_zone),
        cmocka_unit_test(year_is_the_local_one),
        cmocka_unit_test(no_time_gives_no_text),
        cmocka_unit_test(days_are_compared_in_local_time),
        cmocka_unit_test(dates_must_be_real_days),
        cmocka_unit_test(ages_step_from_seconds_to_the_date),
        cmocka_unit_test(time_left_never_goes_negative),
        cmocka_unit_test(clocks_run),
    };
    return cmocka_run_group_tests_name("core/clock", tests, NULL, NULL);
}
