/* SPDX-License-Identifier: Apache-2.0 */
/* The command journal: which rows it prints, where, and with which exit code. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>
#include "core/clock.h"
#include "core/str.h"
#include "plain/journal.h"
#include "store/journal.h"

#define PURCHASE "pur_0123456789abcdef0123456789abcdef"
#define OTHER    "pur_00000000000000000000000000000002"
#define KEY      "ec-start-00000000000000000000000001"
#define NOON_MS  INT64_C(1796040000000)

struct rig {
    char dir[64], path[128];
    char *out, *err;
};

static int setup(void **state)
{
    struct rig *r = calloc(1, sizeof *r);
    snprintf(r->dir, sizeof r->dir, "/tmp/envoy-list-XXXXXX");
    if (!mkdtemp(r->dir))
        return -1;
    snprintf(r->path, sizeof r->path, "%s/journal.db", r->dir);
    *state = r;
    return 0;
}

static void forget(struct rig *r)
{
    free(r->out);
    free(r->err);
    r->out = r->err = NULL;
}

static int teardown(void **state)
{
    static const char *const tails[] = {"", "-wal", "-shm", ".lock"};
    struct rig *r = *state;
    char name[160];
    for (size_t i = 0; i < sizeof tails / sizeof tails[0]; i++) {
        snprintf(name, sizeof name, "%s%s", r->path, tails[i]);
        unlink(name);
    }
    rmdir(r->dir);
    forget(r);
    free(r);
    return 0;
}

static int list(struct rig *r, struct plain_journal_options o)
{
    size_t out_size = 0, err_size = 0;
    forget(r);
    o.path = r->path;
    o.out = open_memstream(&r->out, &out_size);
    o.err = open_memstream(&r->err, &err_size);
    assert_true(o.out && o.err);
    int code = plain_journal_list(&o);
    fclose(o.out);
    fclose(o.err);
    return code;
}

static struct journal *open_writing(struct rig *r)
{
    struct journal_options o = {.path = r->path, .make_dir = true};
    struct journal *j = NULL;
    assert_int_equal(journal_open(&o, &j), ERR_OK);
    assert_int_equal(journal_status_view(j)->mode, JOURNAL_READ_WRITE);
    return j;
}

/* A start whose outcome is open, and a cancel that is done; one timeline row each. */
static void fill(struct rig *r)
{
    static const char input[] = "{\"idempotency_key\":\"" KEY "\",\"total\":\"1.00\"}";
    struct journal *j = open_writing(r);
    struct journal_intent start = {.tool = CONTRACT_TOOL_START_PURCHASE,
                                   .account = "account-1",
                                   .key = KEY,
                                   .outcome = CONTRACT_ABSENT,
                                   .failure = CONTRACT_ABSENT,
                                   .step = CONTRACT_ABSENT,
                                   .at_ms = NOON_MS,
                                   .input = input,
                                   .input_len = strlen(input),
                                   .amount_minor = 100};
    struct journal_intent cancel = {.tool = CONTRACT_TOOL_CANCEL_PURCHASE,
                                    .account = "account-1",
                                    .purchase = PURCHASE,
                                    .outcome = CONTRACT_ABSENT,
                                    .failure = CONTRACT_ABSENT,
                                    .step = CONTRACT_ABSENT,
                                    .at_ms = NOON_MS + 1000,
                                    .amount_minor = -1};
    struct journal_outcome done = {
        .state = JOURNAL_DONE, .code = CONTRACT_ABSENT, .at_ms = NOON_MS + 2000};
    struct journal_row row = {.at_ms = NOON_MS,
                              .kind = "state",
                              .state = {.value = CONTRACT_ABSENT},
                              .money = {.value = CONTRACT_ABSENT}};
    char why[JOURNAL_WORDS_MAX];
    int64_t id = 0;
    assert_int_equal(journal_intent(j, &start, &id, why), ERR_OK);
    assert_int_equal(journal_intent(j, &cancel, &id, why), ERR_OK);
    assert_int_equal(journal_outcome(j, id, &done), ERR_OK);
    (void)str_copy(row.text, sizeof row.text, "Seen here");
    assert_int_equal(journal_add_rows(j, "account-1", PURCHASE, &row, 1), ERR_OK);
    (void)str_copy(row.text, sizeof row.text, "Seen there");
    assert_int_equal(journal_add_rows(j, "account-1", OTHER, &row, 1), ERR_OK);
    journal_close(j);
}

static size_t lines_of(const char *text)
{
    size_t n = 0;
    for (; *text; text++)
        n += *text == '\n';
    return n;
}

static void nothing_there_is_no_failure(void **state)
{
    struct rig *r = *state;
    assert_int_equal(list(r, (struct plain_journal_options){0}), 0);
    assert_string_equal(r->out, "");
    assert_non_null(strstr(r->err, "nothing is written down yet"));
    assert_int_equal(lines_of(r->err), 1);
    assert_int_not_equal(access(r->path, F_OK), 0); /* looking makes nothing */
    journal_close(open_writing(r));
    assert_int_equal(list(r, (struct plain_journal_options){0}), 0);
    assert_string_equal(r->err, "envoy-console: Journal: nothing is written down yet.\n");
}

static void rows_are_chosen(void **state)
{
    struct rig *r = *state;
    fill(r);
    assert_int_equal(list(r, (struct plain_journal_options){0}), 0);
    assert_int_equal(lines_of(r->out), 2);
    assert_string_equal(r->err, "");
    assert_int_equal(list(r, (struct plain_journal_options){.unresolved = true}), 0);
    assert_int_equal(lines_of(r->out), 1);
    assert_non_null(strstr(r->out, KEY));
    assert_int_equal(list(r, (struct plain_journal_options){.purchase = KEY}), 0);
    assert_int_equal(lines_of(r->out), 1);
    assert_int_equal(list(r, (struct plain_journal_options){.timelines = true}), 0);
    assert_int_equal(lines_of(r->out), 4);
    assert_int_equal(
        list(r, (struct plain_journal_options){.timelines = true, .purchase = PURCHASE}), 0);
    assert_int_equal(lines_of(r->out), 2);
    assert_non_null(strstr(r->out, "Seen here"));
    assert_null(strstr(r->out, "Seen there"));
}

static void json_is_one_object_a_line_without_the_input(void **state)
{
    struct rig *r = *state;
    fill(r);
    assert_int_equal(list(r, (struct plain_journal_options){.json = true, .timelines = true}), 0);
    assert_int_equal(lines_of(r->out), 4);
    assert_int_equal(strncmp(r->out, "{\"row\":\"write\",", 15), 0);
    assert_non_null(strstr(r->out, "\n{\"row\":\"timeline\","));
    assert_null(strstr(r->out, "total"));
}

static void it_is_read_while_a_console_holds_it(void **state)
{
    struct rig *r = *state;
    fill(r);
    struct journal *holder = open_writing(r);
    assert_int_equal(list(r, (struct plain_journal_options){0}), 0);
    assert_int_equal(lines_of(r->out), 2);
    assert_int_equal(journal_status_view(holder)->mode, JOURNAL_READ_WRITE);
    journal_close(holder);
}

static void damage_is_one_line(void **state)
{
    struct rig *r = *state;
    fill(r);
    FILE *f = fopen(r->path, "r+b");
    assert_non_null(f);
    for (int i = 0; i < 4096; i++)
        fputc(0, f);
    fclose(f);
    assert_int_equal(list(r, (struct plain_journal_options){0}), 1);
    assert_string_equal(r->out, "");
    assert_non_null(strstr(r->err, "is damaged"));
    assert_int_equal(lines_of(r->err), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(nothing_there_is_no_failure, setup, teardown),
        cmocka_unit_test_setup_teardown(rows_are_chosen, setup, teardown),
        cmocka_unit_test_setup_teardown(json_is_one_object_a_line_without_the_input, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(it_is_read_while_a_console_holds_it, setup, teardown),
        cmocka_unit_test_setup_teardown(damage_is_one_line, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
