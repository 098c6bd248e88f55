/* SPDX-License-Identifier: Apache-2.0 */
/* What the journal keeps and refuses, how a write moves from intent to outcome, that keys stand for
 * one write, that rows belong to an account, that timelines are bounded, and how rows are printed.
 */
#include "rig.h"

#include "core/buf.h"

#define KEY_A "ec-answer-000000000000000000000000a1"
#define KEY_B "ec-answer-000000000000000000000000b2"

static void a_start_goes_from_intent_to_done(void **state)
{
    struct rig *r = *state;
    struct journal *j = rig_open_well(r->path);
    struct journal_intent start = rig_start();
    struct rig_writes all;
    struct buf input;
    int64_t id = rig_keep(j, &start);
    rig_list(j, true, &all);
    assert_int_equal(all.count, 1);
    assert_int_equal(all.at[0].state, JOURNAL_INTENT);
    assert_string_equal(all.at[0].key, START_KEY);
    assert_string_equal(all.at[0].merchant, "https://shop.example.test/lamp");
    assert_int_equal(all.at[0].amount_minor, 249900);
    assert_int_equal(all.at[0].sent_ms, CLOCK_NONE);
    assert_true(all.at[0].input_kept);
    buf_init(&input, JOURNAL_INPUT_MAX);
    assert_int_equal(journal_load_input(j, id, &input), ERR_OK);
    assert_string_equal(buf_view(&input), INPUT);
    assert_int_equal(journal_sent(j, id, NOON_MS + 5), ERR_OK);
    assert_int_equal(journal_sent(j, id, NOON_MS + 6), ERR_USER);
    struct journal_outcome o = {.state = JOURNAL_DONE,
                                .purchase = PURCHASE,
                                .code = CONTRACT_ABSENT,
                                .http_status = 200,
                                .request_id = "req_77.a:b-c",
                                .at_ms = NOON_MS + 700};
    assert_int_equal(journal_outcome(j, id, &o), ERR_OK);
    rig_list(j, true, &all);
    assert_int_equal(all.count, 0);
    rig_list(j, false, &all);
    assert_int_equal(all.count, 1);
    assert_int_equal(all.at[0].state, JOURNAL_DONE);
    assert_int_equal(all.at[0].sent_ms, NOON_MS + 5);
    assert_int_equal(all.at[0].ended_ms, NOON_MS + 700);
    assert_string_equal(all.at[0].purchase, PURCHASE);
    assert_string_equal(all.at[0].request_id, "req_77.a:b-c");
    /* Known: the input is not needed any more, and nothing makes it unknown again. */
    assert_int_equal(journal_load_input(j, id, &input), ERR_USER);
    assert_int_equal(journal_unknown(j, id, NOON_MS), ERR_USER);
    assert_int_equal(journal_outcome(j, id, &o), ERR_USER);
    buf_fini(&input);
    journal_close(j);
}

static void the_unresolved_stay_until_a_read_settles_them(void **state)
{
    struct rig *r = *state;
    struct journal *j = rig_open_well(r->path);
    struct journal_intent start = rig_start(), answer = rig_answer(KEY_A, "q_1"),
                          report = rig_report();
    struct rig_writes all;
    struct buf input;
    int64_t first = rig_keep(j, &start), second = rig_keep(j, &answer),
            third = rig_keep(j, &report);
    assert_int_equal(journal_sent(j, second, NOON_MS), ERR_OK);
    assert_int_equal(journal_sent(j, third, NOON_MS), ERR_OK);
    assert_int_equal(journal_unknown(j, third, NOON_MS + 9), ERR_OK);
    journal_close(j);

    j = rig_open_well(r->path);
    rig_list(j, true, &all);
    assert_int_equal(all.count, 3);
    assert_int_equal(all.at[0].state, JOURNAL_INTENT);
    assert_int_equal(all.at[1].state, JOURNAL_SENT);
    assert_string_equal(all.at[1].question, "q_1");
    assert_int_equal(all.at[1].tool, CONTRACT_TOOL_ANSWER_PURCHASE_QUESTION);
    assert_int_equal(all.at[2].state, JOURNAL_UNKNOWN);
    assert_int_equal(all.at[2].outcome, CONTRACT_OUTCOME_FAILED);
    assert_int_equal(all.at[2].failure, CONTRACT_FAILURE_OTHER);
    assert_int_equal(all.at[2].step, CONTRACT_ABSENT);
    assert_string_equal(all.at[2].attempt, ATTEMPT);
    buf_init(&input, JOURNAL_INPUT_MAX);
    assert_int_equal(journal_load_input(j, first, &input), ERR_OK);
    assert_string_equal(buf_view(&input), INPUT);
    buf_fini(&input);
    rig_end(j, third, JOURNAL_SETTLED);
    rig_end(j, first, JOURNAL_REPLAYED);
    rig_end(j, second, JOURNAL_DONE);
    rig_list(j, true, &all);
    assert_int_equal(all.count, 0);
    journal_close(j);
}

/* One key, one write: the same again takes the same row; anything else is refused. */
static void a_key_stands_for_one_write(void **state)
{
    struct rig *r = *state;
    struct journal *j = rig_open_well(r->path);
    char why[JOURNAL_WORDS_MAX];
    struct journal_intent start = rig_start();
    struct rig_writes all;
    int64_t other = 0, id = rig_keep(j, &start);
    assert_int_equal(journal_unknown(j, id, NOON_MS), ERR_OK);
    assert_int_equal(rig_keep(j, &start), id);
    rig_list(j, false, &all);
    assert_int_equal(all.count, 1);
    assert_int_equal(all.at[0].attempts, 2);
    assert_int_equal(all.at[0].state, JOURNAL_INTENT);
    assert_int_equal(all.at[0].ended_ms, CLOCK_NONE);

    struct journal_intent changed = start;
    changed.input = "{\"total\":\"2500.00\"}";
    changed.input_len = strlen(changed.input);
    assert_int_equal(journal_intent(j, &changed, &other, why), ERR_REFUSED);
    assert_string_equal(why, "This key belongs to another write; nothing was sent.");
    struct journal_outcome limited = {.state = JOURNAL_REFUSED,
                                      .code = CONTRACT_CODE_RATE_LIMITED,
                                      .http_status = 429,
                                      .at_ms = NOON_MS};
    assert_int_equal(journal_outcome(j, id, &limited), ERR_OK);
    assert_int_equal(journal_intent(j, &changed, &other, why), ERR_REFUSED);
    assert_int_equal(rig_keep(j, &start), id);
    /* Refused for good: the input is gone, and merchant and amount still tell. */
    struct journal_outcome refused = {
        .state = JOURNAL_REFUSED, .code = CONTRACT_CODE_INVALID_INPUT, .at_ms = NOON_MS};
    assert_int_equal(journal_outcome(j, id, &refused), ERR_OK);
    changed.amount_minor = 250000;
    assert_int_equal(journal_intent(j, &changed, &other, why), ERR_REFUSED);
    struct journal_intent stolen = rig_answer(START_KEY, "q_1");
    assert_int_equal(journal_intent(j, &stolen, &other, why), ERR_REFUSED);
    struct journal_intent foreign = start;
    foreign.account = "127.0.0.1:8080/agent_b";
    assert_int_equal(journal_intent(j, &foreign, &other, why), ERR_REFUSED);
    assert_int_equal(rig_keep(j, &start), id);
    rig_end(j, id, JOURNAL_DONE);
    assert_int_equal(journal_intent(j, &start, &other, why), ERR_REFUSED);
    assert_string_equal(why, "This was recorded by Envoy already; it is not sent again.");
    assert_int_equal(other, 0);
    rig_list(j, false, &all);
    assert_int_equal(all.count, 1);
    assert_int_equal(all.at[0].state, JOURNAL_DONE);
    journal_close(j);
}

static void no_second_answer_while_the_first_is_unresolved(void **state)
{
    static const enum journal_state before[] = {JOURNAL_INTENT, JOURNAL_SENT, JOURNAL_UNKNOWN};
    struct rig *r = *state;
    struct journal *j = rig_open_well(r->path);
    char why[JOURNAL_WORDS_MAX], key[40];
    int64_t other = 0;
    for (int i = 0; i < 3; i++) {
        char question[16];
        snprintf(question, sizeof question, "q_%d", i);
        rig_key(key, i);
        struct journal_intent first = rig_answer(key, question),
                              second = rig_answer(KEY_B, question);
        second.tool = CONTRACT_TOOL_SUBMIT_ANSWER;
        int64_t id = rig_keep(j, &first);
        if (before[i] != JOURNAL_INTENT)
            assert_int_equal(journal_sent(j, id, NOON_MS), ERR_OK);
        if (before[i] == JOURNAL_UNKNOWN)
            assert_int_equal(journal_unknown(j, id, NOON_MS), ERR_OK);
        assert_int_equal(journal_intent(j, &second, &other, why), ERR_REFUSED);
        assert_non_null(strstr(why, "nothing was sent"));
        second.account = "named/otherwise";
        assert_int_equal(journal_intent(j, &second, &other, why), ERR_REFUSED);
        first.tool = CONTRACT_TOOL_SUBMIT_ANSWER; /* the other name of the same tool */
        assert_int_equal(rig_keep(j, &first), id);
        rig_end(j, id, JOURNAL_SETTLED);
    }
    struct journal_intent now = rig_answer(KEY_B, "q_0");
    (void)rig_keep(j, &now);
    journal_close(j);
}

static void what_does_not_fit_is_refused(void **state)
{
    struct rig *r = *state;
    struct journal *j = rig_open_well(r->path);
    char why[JOURNAL_WORDS_MAX], long_question[CONTRACT_QUESTION_ID_MAX + 1];
    struct rig_writes all;
    struct journal_intent odd[10];
    int64_t id = 0;
    memset(long_question, 'q', sizeof long_question - 1);
    long_question[sizeof long_question - 1] = '\0';
    for (size_t i = 0; i < 10; i++)
        odd[i] = rig_answer(KEY_A, "q_1");
    odd[0].tool = CONTRACT_TOOL_GET_PURCHASE_STATUS;
    odd[1].account = "";
    odd[2].key = "short";
    odd[3].purchase = NULL;
    odd[4].question = long_question;
    odd[5].attempt = "not-a-uuid";
    odd[6].input = "{\"answer\":\"blue\"}"; /* no body of an answer gets in, not even by mistake */
    odd[6].input_len = strlen(odd[6].input);
    odd[7].question = "\xff\xfe";
    odd[8].key = NULL;
    odd[9] = rig_start();
    odd[9].input = NULL;
    for (size_t i = 0; i < 10; i++) {
        why[0] = '\0';
        if (journal_intent(j, &odd[i], &id, why) != ERR_USER)
            fail_msg("intent %zu was not refused", i);
        assert_true(why[0] != '\0');
    }
    rig_list(j, false, &all);
    assert_int_equal(all.count, 0);
    /* A request id that could be an echo of what was sent is left out. */
    struct journal_intent good = rig_answer(KEY_A, "q_1");
    id = rig_keep(j, &good);
    struct journal_outcome o = {.state = JOURNAL_REFUSED,
                                .code = CONTRACT_UNRECOGNISED,
                                .request_id = "the answer was blue",
                                .purchase = "../../etc/passwd",
                                .at_ms = NOON_MS};
    assert_int_equal(journal_outcome(j, id, &o), ERR_OK);
    rig_list(j, false, &all);
    assert_string_equal(all.at[0].request_id, "");
    assert_string_equal(all.at[0].purchase, PURCHASE);
    assert_int_equal(all.at[0].code, CONTRACT_UNRECOGNISED);
    o.state = JOURNAL_SENT;
    assert_int_equal(journal_outcome(j, id, &o), ERR_USER);
    assert_int_equal(journal_sent(j, 99, NOON_MS), ERR_USER);
    journal_close(j);
}

static void rows_belong_to_an_account(void **state)
{
    struct rig *r = *state;
    struct journal *j = rig_open_well(r->path);
    struct rig_writes all = {.count = 0};
    char key[40];
    for (int i = 0; i < 6; i++) {
        rig_key(key, i);
        struct journal_intent answer = rig_answer(key, key);
        answer.at_ms = NOON_MS + i;
        if (i % 2)
            answer.account = "127.0.0.1:8080/agent_b";
        (void)rig_keep(j, &answer);
    }
    struct journal_filter f = {.account = OWNER, .since_ms = CLOCK_NONE};
    assert_int_equal(journal_each_write(j, &f, rig_take_write, &all), ERR_OK);
    assert_int_equal(all.count, 3);
    for (size_t i = 0; i < 3; i++)
        assert_string_equal(all.at[i].account, OWNER);
    f = (struct journal_filter){.since_ms = NOON_MS + 2, .limit = 3, .unresolved = true};
    all.count = 0;
    assert_int_equal(journal_each_write(j, &f, rig_take_write, &all), ERR_OK);
    assert_int_equal(all.count, 3);
    assert_int_equal(all.at[0].at_ms, NOON_MS + 3);
    assert_int_equal(all.at[2].at_ms, NOON_MS + 5);
    f = (struct journal_filter){.purchase = "ec-answer-not-a-purchase", .since_ms = CLOCK_NONE};
    all.count = 0;
    assert_int_equal(journal_each_write(j, &f, rig_take_write, &all), ERR_OK);
    assert_int_equal(all.count, 0);
    journal_close(j);
}

static struct journal_row row_of(int n)
{
    struct journal_row row = {.at_ms = NOON_MS + n,
                              .kind = "state",
                              .state = {.value = CONTRACT_STATE_VERIFYING},
                              .money = {.value = CONTRACT_ABSENT}};
    snprintf(row.text, sizeof row.text, "change %d", n);
    return row;
}

static void timelines_come_back_after_a_restart(void **state)
{
    struct rig *r = *state;
    struct journal *j = rig_open_well(r->path);
    struct journal_row rows[3] = {row_of(1), row_of(2), row_of(3)}, found[8];
    size_t count = 0;
    rows[1].state = (struct contract_enum){.value = CONTRACT_UNRECOGNISED, .raw = "teleporting"};
    rows[1].money.value = CONTRACT_MONEY_DEBITED;
    rows[2].state.value = CONTRACT_ABSENT;
    (void)str_copy(rows[2].text, sizeof rows[2].text, "use 4111 1111 1111 1111 \x1b[2J");
    assert_int_equal(journal_add_rows(j, OWNER, PURCHASE, rows, 3), ERR_OK);
    assert_int_equal(journal_add_rows(j, OWNER, PURCHASE, rows, 2), ERR_OK); /* seen before */
    assert_int_equal(journal_add_rows(j, "other/agent", PURCHASE, rows, 1), ERR_OK);
    assert_int_equal(journal_add_rows(j, "", PURCHASE, rows, 1), ERR_USER);
    assert_int_equal(journal_add_rows(j, OWNER, "nonsense", rows, 1), ERR_USER);
    (void)str_copy(rows[0].kind, sizeof rows[0].kind, "Not A Word");
    assert_int_equal(journal_add_rows(j, OWNER, PURCHASE, rows, 1), ERR_USER);
    journal_close(j);

    j = rig_open_well(r->path);
    assert_int_equal(journal_load_rows(j, OWNER, PURCHASE, found, 8, &count), ERR_OK);
    assert_int_equal(count, 3);
    assert_string_equal(found[0].text, "change 1");
    assert_string_equal(found[0].purchase, PURCHASE);
    assert_int_equal(found[0].state.value, CONTRACT_STATE_VERIFYING);
    assert_int_equal(found[0].money.value, CONTRACT_ABSENT);
    assert_int_equal(found[1].state.value, CONTRACT_UNRECOGNISED);
    assert_string_equal(found[1].state.raw, "teleporting");
    assert_int_equal(found[1].money.value, CONTRACT_MONEY_DEBITED);
    assert_int_equal(found[2].state.value, CONTRACT_ABSENT);
    assert_string_equal(found[2].text, "(not kept: it held what looks like a card number)");
    assert_int_equal(journal_load_rows(j, OWNER, PURCHASE, found, 2, &count), ERR_OK);
    assert_int_equal(count, 2);
    assert_string_equal(found[0].text, "change 2"); /* the newest two */
    journal_close(j);
}

struct tally {
    size_t count;
    int64_t oldest;
};

static bool tally_row(void *ctx, const char *account, const struct journal_row *row)
{
    struct tally *t = ctx;
    assert_true(account[0] != '\0');
    if (t->count == 0 || row->at_ms < t->oldest)
        t->oldest = row->at_ms;
    t->count++;
    return true;
}

/* Per purchase and by age; never because one clock is wrong; unresolved writes never. */
static void timelines_are_bounded(void **state)
{
    struct rig *r = *state;
    struct journal *j = rig_open_well(r->path);
    struct journal_row rows[100];
    struct tally t = {0};
    struct rig_writes all;
    int64_t now = clock_wall_ms(), day = 24 * 3600 * INT64_C(1000);
    for (int i = 0; i < 9; i++) {
        for (int k = 0; k < 100; k++) {
            rows[k] = row_of(i * 100 + k);
            rows[k].at_ms = now - 1000 + i * 100 + k;
        }
        assert_int_equal(journal_add_rows(j, OWNER, PURCHASE, rows, 100), ERR_OK);
    }
    assert_int_equal(journal_each_row(j, OWNER, PURCHASE, tally_row, &t), ERR_OK);
    assert_int_equal(t.count, JOURNAL_ROWS_PURCHASE);
    assert_int_equal(t.oldest, now - 1000 + 500);

    struct journal_intent start = rig_start();
    start.at_ms = now - 4000 * day;
    (void)rig_keep(j, &start);
    for (int k = 0; k < 2; k++) {
        rows[k] = row_of(k);
        rows[k].at_ms = now - (JOURNAL_ROWS_DAYS + 1 - 2 * k) * day;
    }
    assert_int_equal(journal_add_rows(j, OWNER, "pur_ffffffffffffffffffffffffffffffff", rows, 2),
                     ERR_OK);
    rows[0].at_ms = now + 4000 * day; /* a reply from the far future */
    assert_int_equal(journal_add_rows(j, OWNER, "pur_eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee", rows, 1),
                     ERR_OK);
    journal_close(j);
    j = rig_open_well(r->path);
    t = (struct tally){0};
    assert_int_equal(journal_each_row(j, NULL, NULL, tally_row, &t), ERR_OK);
    assert_int_equal(t.count, JOURNAL_ROWS_PURCHASE + 2);
    assert_int_equal(t.oldest, now - (JOURNAL_ROWS_DAYS - 1) * day);
    rig_list(j, true, &all);
    assert_int_equal(all.count, 1);
    journal_close(j);
}

static void rows_print_safely(void **state)
{
    (void)state;
    struct journal_write w = {.id = 7,
                              .tool = CONTRACT_TOOL_REPORT_CHECKOUT_RESULT,
                              .outcome = CONTRACT_OUTCOME_FAILED,
                              .failure = CONTRACT_FAILURE_OTHER,
                              .step = CONTRACT_ABSENT,
                              .amount_minor = 249900,
                              .state = JOURNAL_UNKNOWN,
                              .attempts = 2,
                              .at_ms = NOON_MS,
                              .sent_ms = NOON_MS + 1500,
                              .ended_ms = CLOCK_NONE,
                              .code = CONTRACT_ABSENT};
    struct journal_row row = row_of(0);
    struct buf out;
    (void)str_copy(w.account, sizeof w.account, OWNER);
    (void)str_copy(w.purchase, sizeof w.purchase, PURCHASE);
    (void)str_copy(w.question, sizeof w.question, "q\x1b]0;x\x07\xe2\x80\xae\"\n");
    buf_init(&out, 8192);
    assert_int_equal(journal_write_text(&w, &out), ERR_OK);
    assert_null(strpbrk(buf_view(&out), "\x1b\x07\n"));
    assert_non_null(
        strstr(buf_view(&out), "report_checkout_result: outcome not known  failed other"));
    assert_non_null(strstr(buf_view(&out), "question q<1B>]0;x<07><U+202E>\""));
    assert_non_null(strstr(buf_view(&out), "sent 2 times"));
    buf_clear(&out);
    assert_int_equal(journal_write_json(&w, &out), ERR_OK);
    assert_string_equal(
        buf_view(&out),
        "{\"row\":\"write\",\"id\":7,\"state\":\"unknown\",\"account\":\"" OWNER "\","
        "\"tool\":\"report_checkout_result\",\"idempotency_key\":null,\"purchase\":\"" PURCHASE
        "\",\"question\":\"q<1B>]0;x<07><U+202E>\\\"<0A>\",\"checkout_attempt_id\":null,"
        "\"outcome\":\"failed\",\"failure_reason\":\"other\",\"step\":null,\"merchant\":null,"
        "\"code\":null,\"request_id\":null,\"words\":\"outcome not known\","
        "\"at\":\"2026-11-30T12:00:00Z\",\"sent_at\":\"2026-11-30T12:00:01.500Z\","
        "\"ended_at\":null,\"amount_minor\":249900,\"http_status\":0,\"attempts\":2,"
        "\"input_kept\":false}");
    size_t whole = out.len;
    buf_clear(&out);
    (void)str_copy(row.purchase, sizeof row.purchase, PURCHASE);
    assert_int_equal(journal_row_json(OWNER, &row, &out), ERR_OK);
    assert_string_equal(buf_view(&out),
                        "{\"row\":\"timeline\",\"at\":\"2026-11-30T12:00:00Z\",\"account\":\"" OWNER
                        "\",\"purchase\":\"" PURCHASE "\",\"kind\":\"state\",\"state\":"
                        "\"verifying\",\"money\":null,\"text\":\"change 0\"}");
    buf_clear(&out);
    assert_int_equal(journal_row_text(OWNER, &row, &out), ERR_OK);
    assert_non_null(strstr(buf_view(&out), "  " PURCHASE "  verifying  change 0  account " OWNER));
    buf_fini(&out);
    for (size_t limit = 0; limit < whole; limit += 23) { /* too small: an error, not a cut line */
        buf_init(&out, limit);
        assert_int_equal(journal_write_json(&w, &out), ERR_LIMIT);
        buf_fini(&out);
    }
}

static void memory_serves_a_demo(void **state)
{
    (void)state;
    struct journal_options o = {.path = NULL};
    struct journal_intent start = rig_start();
    struct rig_writes all;
    struct journal *j = NULL;
    assert_int_equal(journal_open(&o, &j), ERR_OK);
    assert_int_equal(journal_status_view(j)->mode, JOURNAL_READ_WRITE);
    assert_string_equal(journal_status_view(j)->words, "");
    rig_end(j, rig_keep(j, &start), JOURNAL_DONE);
    journal_reopen(j);
    rig_list(j, false, &all);
    assert_int_equal(all.count, 1);
    journal_close(j);
    journal_close(NULL);
}

static void the_place_follows_the_environment(void **state)
{
    (void)state;
    char path[128];
    assert_true(journal_default_path("/var/state", "/home/a", path, sizeof path));
    assert_string_equal(path, "/var/state/envoy-console/journal.db");
    assert_true(journal_default_path("relative", "/home/a", path, sizeof path));
    assert_string_equal(path, "/home/a/.local/state/envoy-console/journal.db");
    assert_true(journal_default_path(NULL, "/home/a", path, sizeof path));
    assert_false(journal_default_path("", NULL, path, sizeof path));
    assert_false(journal_default_path("/var/state", NULL, path, 20));
}

static void no_memory_opens_nothing(void **state)
{
    struct rig *r = *state;
    struct journal_options o = {.path = r->path, .make_dir = true};
    struct journal *j = NULL;
    for (unsigned long n = 1; n <= 2; n++) {
        alloc_fail_nth(n);
        assert_int_equal(journal_open(&o, &j), ERR_MEMORY);
        alloc_fail_nth(0);
        assert_null(j);
    }
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, rig_setup, rig_teardown)
    const struct CMUnitTest tests[] = {
        T(a_start_goes_from_intent_to_done),
        T(the_unresolved_stay_until_a_read_settles_them),
        T(a_key_stands_for_one_write),
        T(no_second_answer_while_the_first_is_unresolved),
        T(what_does_not_fit_is_refused),
        T(rows_belong_to_an_account),
        T(timelines_come_back_after_a_restart),
        T(timelines_are_bounded),
        T(rows_print_safely),
        T(memory_serves_a_demo),
        T(the_place_follows_the_environment),
        T(no_memory_opens_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
