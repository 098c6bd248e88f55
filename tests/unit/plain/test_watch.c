/* SPDX-License-Identifier: Apache-2.0 */
/* Line mode: what is told once, in which order, and how watching ends. The model is filled by hand,
 * so that no service and no clock is needed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "core/jsonscan.h"
#include "plain/watch.h"
#include "support/fixture.c"

struct rig {
    struct model m;
    struct plain_watch *w;
    FILE *out;
    char *text;
    size_t len;
    long resting; /* what the demo's simulator says */
    bool gone;
};

static long resting(void *ctx)
{
    return ((struct rig *)ctx)->resting;
}

static bool gone(void *ctx)
{
    return ((struct rig *)ctx)->gone;
}

static void open_rig(struct rig *r, bool demo, bool json, const char *purchase)
{
    memset(r, 0, sizeof(*r));
    fixture_open(&r->m, 80, 24);
    r->out = open_memstream(&r->text, &r->len);
    assert_non_null(r->out);
    r->resting = -1;
    struct plain_watch_options o = {.line = {.out = r->out, .json = json},
                                    .purchase = purchase,
                                    .resting = demo ? resting : NULL,
                                    .service_gone = demo ? gone : NULL,
                                    .ctx = r};
    r->w = plain_watch_new(&o);
    assert_non_null(r->w);
}

static void close_rig(struct rig *r)
{
    plain_watch_free(r->w);
    fclose(r->out);
    free(r->text);
    fixture_close(&r->m);
}

static size_t count_of(const struct rig *r, const char *text)
{
    size_t n = 0;
    for (const char *at = r->text; (at = strstr(at, text)); at += strlen(text))
        n++;
    return n;
}

static void want(const struct rig *r, const char *text)
{
    if (count_of(r, text) != 1)
        fail_msg("%zu times, not once: [%s] in\n%s", count_of(r, text), text, r->text);
}

static void want_none(const struct rig *r, const char *text)
{
    if (count_of(r, text) != 0)
        fail_msg("there: [%s] in\n%s", text, r->text);
}

static void rows_are_told_once_and_in_order_of_time(void **state)
{
    struct rig r;
    (void)state;
    open_rig(&r, false, false, "");
    fixture_purchase(&r.m, "Tea Junction", "tea", 54000, CONTRACT_STATE_PROCESSING);
    fixture_purchase(&r.m, "Corner Books", "books", 89900, CONTRACT_STATE_PROCESSING);
    struct model_purchase *tea = fixture_find(&r.m, "Tea Junction");
    struct model_purchase *books = fixture_find(&r.m, "Corner Books");
    fixture_row(tea, fixture_at(14, 1, 10), TIMELINE_STATE, CONTRACT_STATE_PROCESSING,
                CONTRACT_MONEY_DEBITED, "second");
    fixture_row(books, fixture_at(14, 1, 5), TIMELINE_STATE, CONTRACT_STATE_PROCESSING,
                CONTRACT_MONEY_NOT_STARTED, "first");
    fixture_row(books, fixture_at(14, 1, 20), TIMELINE_LOCAL, CONTRACT_STATE_PROCESSING,
                CONTRACT_ABSENT, "third");
    plain_watch_show(r.w, &r.m);
    want(&r, "14:01:05  Corner Books, ₹899.00, processing: first [not charged]\n"
             "14:01:10  Tea Junction, ₹540.00, processing: second [money set aside]\n"
             "14:01:20  Corner Books, ₹899.00, processing: third\n");
    plain_watch_show(r.w, &r.m);
    want(&r, "second");
    fixture_row(tea, fixture_at(14, 1, 30), TIMELINE_STATE, CONTRACT_STATE_READY,
                CONTRACT_MONEY_DEBITED, "fourth");
    plain_watch_show(r.w, &r.m);
    want(&r, "fourth");
    want(&r, "third");
    close_rig(&r);
}

static void rows_that_the_model_let_go_are_not_counted_again(void **state)
{
    struct rig r;
    (void)state;
    open_rig(&r, false, false, "");
    struct model_purchase *p =
        fixture_purchase(&r.m, "Tea Junction", "tea", 54000, CONTRACT_STATE_PROCESSING);
    for (int i = 0; i < 3; i++)
        fixture_row(p, fixture_at(14, 1, i), TIMELINE_LOCAL, CONTRACT_STATE_PROCESSING,
                    CONTRACT_ABSENT,
                    i == 0   ? "one"
                    : i == 1 ? "two"
                             : "three");
    plain_watch_show(r.w, &r.m);
    memmove(p->rows, p->rows + 2, sizeof(*p->rows));
    p->row_count = 1;
    p->rows_dropped = 2;
    fixture_row(p, fixture_at(14, 1, 9), TIMELINE_LOCAL, CONTRACT_STATE_PROCESSING, CONTRACT_ABSENT,
                "four");
    plain_watch_show(r.w, &r.m);
    want(&r, "three");
    want(&r, "four");
    /* let go before they were told: the rest is told */
    p->rows_dropped += 5;
    p->rows[0] = p->rows[1];
    str_copy(p->rows[0].text, sizeof(p->rows[0].text), "nine");
    p->row_count = 1;
    plain_watch_show(r.w, &r.m);
    want(&r, "nine");
    close_rig(&r);
}

static void what_had_ended_before_is_left_out(void **state)
{
    struct rig r;
    (void)state;
    open_rig(&r, false, false, "");
    struct model_purchase *p =
        fixture_purchase(&r.m, "Shoe Barn", "shoes", 399900, CONTRACT_STATE_FAILED);
    fixture_row(p, fixture_at(9, 0, 0), TIMELINE_STATE, CONTRACT_STATE_FAILED,
                CONTRACT_MONEY_NOT_STARTED, "declined");
    int code = -1;
    plain_watch_show(r.w, &r.m);
    assert_true(plain_watch_finished(r.w, &r.m, &code));
    assert_int_equal(plain_watch_end(r.w, &r.m, code), 0);
    want_none(&r, "Shoe Barn");
    want(&r, "No purchase is open");
    close_rig(&r);
}

static void a_question_is_told_once_with_how_to_answer(void **state)
{
    struct rig r;
    (void)state;
    open_rig(&r, false, false, "");
    struct model_purchase *p =
        fixture_purchase(&r.m, "Example Store", "x", 249900, CONTRACT_STATE_NEEDS_ANSWER);
    fixture_question(p, CONTRACT_QUESTION_TEXT, "Blue, or stop?", fixture_at(14, 1, 0));
    plain_watch_show(r.w, &r.m);
    plain_watch_show(r.w, &r.m);
    want(&r, "14:01:00  Example Store, ₹2,499.00: QUESTION: Blue, or stop?");
    want(&r, "envoy-console call answer_purchase_question -");
    str_copy(p->snap->question.id, sizeof(p->snap->question.id), "another");
    fixture_enum(&p->snap->question.kind, CONTRACT_QUESTION_PASSWORD);
    plain_watch_show(r.w, &r.m);
    assert_int_equal(count_of(&r, "QUESTION"), 2);
    want(&r, "A password is never sent");
    int code = 0; /* it waits for a person */
    assert_false(plain_watch_finished(r.w, &r.m, &code));
    close_rig(&r);
}

static void a_task_is_told_once_with_link_sum_and_deadline(void **state)
{
    struct rig r;
    (void)state;
    open_rig(&r, false, false, "");
    struct model_purchase *p =
        fixture_purchase(&r.m, "Fresh Grocer", "x", 120000, CONTRACT_STATE_WAITING_FOR_USER);
    fixture_pay_link(p, 114000, fixture_at(14, 20, 0));
    plain_watch_show(r.w, &r.m);
    plain_watch_show(r.w, &r.m);
    want(&r, "FOR YOU: Pay for this gift card with the link below.  To pay: ₹1,140.00 at "
             "https://pay.example.test/l/7Q2K9 (pay the link, until 14:20)");
    fixture_task(p, CONTRACT_TASK_APPROVE, "Approve it.", CLOCK_NONE);
    p->snap->funding.present = false;
    fixture_text(&p->action.url, NULL);
    plain_watch_show(r.w, &r.m);
    want(&r, "FOR YOU: Approve it.  (approve in the Envoy app, no deadline given)");
    close_rig(&r);
}

/* Case P2: what is not known is neither done nor failed, and the exit says so. */
static void P2_a_stopped_wait_is_not_confirmed(void **state)
{
    static const enum follow_stop stops[] = {FOLLOW_TOLD, FOLLOW_BY_PASSED, FOLLOW_UNCHANGED,
                                             FOLLOW_UNKNOWN_TOOL};
    (void)state;
    for (size_t i = 0; i < sizeof(stops) / sizeof(stops[0]); i++) {
        struct rig r;
        int code = -1;
        open_rig(&r, false, false, "");
        struct model_purchase *p =
            fixture_purchase(&r.m, "Example Store", "x", 249900, CONTRACT_STATE_WAITING_FOR_USER);
        plain_watch_show(r.w, &r.m);
        p->due_mono = r.m.now_mono + 500; /* still followed */
        assert_false(plain_watch_finished(r.w, &r.m, &code));
        p->due_mono = INT64_MAX;
        p->stop = stops[i];
        assert_true(plain_watch_finished(r.w, &r.m, &code));
        assert_int_equal(plain_watch_end(r.w, &r.m, code), 5);
        want(&r, "Not confirmed yet: Example Store, ₹2,499.00, waiting for you");
        want(&r, "last read at 14:02:03");
        want_none(&r, "Ended");
        close_rig(&r);
    }
}

/* Case P3: a state of a later version is shown by its name and taken for nothing. */
static void P3_an_unrecognised_state_is_not_an_end(void **state)
{
    struct rig r;
    int code = -1;
    (void)state;
    open_rig(&r, false, false, "");
    struct model_purchase *p =
        fixture_purchase(&r.m, "Example Store", "x", 249900, CONTRACT_STATE_PROCESSING);
    fixture_unrecognised(&p->state, "requires_action");
    p->snap->state = p->state;
    p->snap->terminal = false;
    p->stop = FOLLOW_UNKNOWN_STATE;
    fixture_row(p, fixture_at(14, 1, 0), TIMELINE_STATE, CONTRACT_STATE_PROCESSING, CONTRACT_ABSENT,
                "Something new.");
    p->rows[0].state = p->state;
    plain_watch_show(r.w, &r.m);
    want(&r, "Example Store, ₹2,499.00, unrecognised: requires_action: Something new.");
    assert_true(plain_watch_finished(r.w, &r.m, &code));
    assert_int_equal(plain_watch_end(r.w, &r.m, code), 5);
    want(&r, "Not confirmed yet: Example Store, ₹2,499.00, unrecognised: requires_action");
    close_rig(&r);
}

static void ends_give_the_exit_status(void **state)
{
    static const struct {
        enum contract_state state;
        int money;
        enum follow_stop stop;
        int code;
        const char *words;
    } cases[] = {
        {CONTRACT_STATE_COMPLETED, CONTRACT_MONEY_DEBITED, FOLLOW_TERMINAL, 0,
         "Ended: Example Store, ₹2,499.00, complete: charged\n"},
        {CONTRACT_STATE_FAILED, CONTRACT_MONEY_REFUNDED, FOLLOW_TERMINAL, 1,
         "Ended: Example Store, ₹2,499.00, failed: refunded\n"},
        {CONTRACT_STATE_CANCELLED, CONTRACT_MONEY_NOT_STARTED, FOLLOW_TERMINAL, 1,
         "Ended: Example Store, ₹2,499.00, cancelled: not charged\n"},
        {CONTRACT_STATE_SUPERSEDED, CONTRACT_MONEY_NOT_STARTED, FOLLOW_REPLACED, 0,
         "Ended: Example Store, ₹2,499.00, replaced: not charged\n"},
        {CONTRACT_STATE_FAILED, CONTRACT_MONEY_UNKNOWN, FOLLOW_NEEDS_SUPPORT, 5,
         "failed: money unknown; this needs Envoy support\n"},
        {CONTRACT_STATE_PROCESSING, CONTRACT_MONEY_DEBITED, FOLLOW_NOT_FOUND, 4,
         "Not confirmed yet: Example Store"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct rig r;
        int code = -1;
        open_rig(&r, false, false, "");
        struct model_purchase *p =
            fixture_purchase(&r.m, "Example Store", "x", 249900, CONTRACT_STATE_PROCESSING);
        plain_watch_show(r.w, &r.m);
        fixture_enum(&p->state, (int)cases[i].state);
        p->snap->state = p->state;
        p->snap->terminal = contract_state_is_terminal((int)cases[i].state);
        fixture_enum(&p->snap->money, cases[i].money);
        p->stop = cases[i].stop;
        assert_true(plain_watch_finished(r.w, &r.m, &code));
        assert_int_equal(plain_watch_end(r.w, &r.m, code), cases[i].code);
        want(&r, cases[i].words);
        close_rig(&r);
    }
}

static void sign_in_and_signals_keep_their_status(void **state)
{
    struct rig r;
    int code = -1;
    (void)state;
    open_rig(&r, false, false, "");
    fixture_purchase(&r.m, "Example Store", "x", 249900, CONTRACT_STATE_PROCESSING);
    r.m.link = MODEL_LINK_SIGNED_OUT;
    str_copy(r.m.link_text, sizeof(r.m.link_text), "Reconnect to Envoy.");
    plain_watch_show(r.w, &r.m);
    assert_true(plain_watch_finished(r.w, &r.m, &code));
    assert_int_equal(plain_watch_end(r.w, &r.m, code), 3);
    want(&r, "Sign-in needed: Reconnect to Envoy.");
    assert_int_equal(plain_watch_end(r.w, &r.m, 130), 130);
    close_rig(&r);
}

static void trouble_of_the_link_is_told_once(void **state)
{
    struct rig r;
    (void)state;
    open_rig(&r, false, false, "");
    plain_watch_show(r.w, &r.m);
    r.m.link = MODEL_LINK_TROUBLE;
    str_copy(r.m.link_text, sizeof(r.m.link_text), "connection refused");
    for (int i = 0; i < 3; i++)
        plain_watch_show(r.w, &r.m);
    want(&r, "No good reply: connection refused");
    r.m.link = MODEL_LINK_LIVE;
    for (int i = 0; i < 3; i++)
        plain_watch_show(r.w, &r.m);
    want(&r, "Connected again");
    close_rig(&r);
}

static void nothing_is_over_before_the_list_was_read(void **state)
{
    struct rig r;
    int code = -1;
    (void)state;
    open_rig(&r, false, false, "");
    r.m.list_read = false;
    r.m.list_due_mono = r.m.now_mono;
    assert_false(plain_watch_finished(r.w, &r.m, &code));
    str_copy(r.m.list_trouble, sizeof(r.m.list_trouble), "not allowed");
    r.m.list_due_mono = INT64_MAX; /* refused for good */
    r.m.call_count = 0;
    plain_watch_show(r.w, &r.m);
    assert_true(plain_watch_finished(r.w, &r.m, &code));
    assert_int_equal(plain_watch_end(r.w, &r.m, code), 4);
    want(&r, "The list of purchases could not be read: not allowed");
    close_rig(&r);
}

static void one_purchase_alone_is_watched(void **state)
{
    struct rig r;
    int code = -1;
    (void)state;
    open_rig(&r, false, false, "pur_5b1e9c7a3f2d5a8e9c0b1d2e3f4a5b02");
    fixture_purchase(&r.m, "Tea Junction", "tea", 54000, CONTRACT_STATE_PROCESSING);
    fixture_purchase(&r.m, "Corner Books", "books", 89900, CONTRACT_STATE_COMPLETED);
    fixture_find(&r.m, "Tea Junction")->due_mono = r.m.now_mono;
    fixture_row(fixture_find(&r.m, "Tea Junction"), fixture_at(14, 1, 0), TIMELINE_LOCAL,
                CONTRACT_STATE_PROCESSING, CONTRACT_ABSENT, "tea row");
    plain_watch_show(r.w, &r.m);
    assert_true(plain_watch_finished(r.w, &r.m, &code));
    assert_int_equal(plain_watch_end(r.w, &r.m, code), 0);
    want(&r, "Ended: Corner Books");
    want_none(&r, "Tea Junction");
    close_rig(&r);
}

static void a_demo_ends_when_nothing_more_can_come(void **state)
{
    struct rig r;
    int code = -1;
    (void)state;
    open_rig(&r, true, false, "");
    fixture_purchase(&r.m, "Example Store", "x", 249900, CONTRACT_STATE_COMPLETED);
    plain_watch_show(r.w, &r.m);
    assert_false(plain_watch_finished(r.w, &r.m, &code)); /* more may come */
    r.resting = 2;
    assert_false(plain_watch_finished(r.w, &r.m, &code)); /* one is not known here yet */
    r.m.activity[0] = (struct model_call){
        .purpose = MODEL_CALL_LIST, .outcome = ENVOY_REPLY, .started_mono = r.m.now_mono + 1};
    r.m.activity_count = 1;
    assert_true(plain_watch_finished(r.w, &r.m, &code)); /* nor will it be */
    r.m.activity_count = 0;
    r.resting = 1;
    assert_true(plain_watch_finished(r.w, &r.m, &code));
    assert_int_equal(plain_watch_end(r.w, &r.m, code), 0);
    want(&r, "Ended: Example Store, ₹2,499.00, complete: not charged"); /* ended before, but told */
    r.gone = true;
    assert_true(plain_watch_finished(r.w, &r.m, &code));
    assert_int_equal(code, 1);
    close_rig(&r);
}

static void lines_of_json_are_objects_without_words_for_people(void **state)
{
    static const char *const type[] = {"type", NULL};
    struct rig r;
    (void)state;
    open_rig(&r, false, true, "");
    fixture_account(&r.m);
    struct model_purchase *p =
        fixture_purchase(&r.m, "Quote \"x\" \\ Store", "x", 249900, CONTRACT_STATE_NEEDS_ANSWER);
    fixture_question(p, CONTRACT_QUESTION_TEXT, "Blue, or stop?", fixture_at(14, 1, 0));
    fixture_row(p, fixture_at(14, 1, 0), TIMELINE_STATE, CONTRACT_STATE_NEEDS_ANSWER,
                CONTRACT_MONEY_DEBITED, "A row");
    plain_watch_show(r.w, &r.m);
    plain_watch_end(r.w, &r.m, 0);
    want(&r, "\"what\":\"text\"");
    want(&r, "\"text\":\"Blue, or stop?\"");
    want(&r, "\"end\":\"not_confirmed\"");
    size_t lines = 0;
    for (char *line = r.text, *end; (end = strchr(line, '\n')); line = end + 1, lines++) {
        struct jsonscan_span span;
        assert_int_equal(jsonscan_find(line, (size_t)(end - line), type, &span), ERR_OK);
    }
    assert_int_equal(lines, 4);
    close_rig(&r);
}

static void ascii_has_no_other_byte(void **state)
{
    struct rig r;
    (void)state;
    open_rig(&r, false, false, "");
    struct plain_watch_options o = {.line = {.out = r.out, .ascii = true}, .purchase = ""};
    plain_watch_free(r.w);
    r.w = plain_watch_new(&o);
    r.m.set.ascii = true;
    struct model_purchase *p =
        fixture_purchase(&r.m, "\u4e16\u84ee Caf\u00e9", "x", 249900, CONTRACT_STATE_PROCESSING);
    fixture_row(p, fixture_at(14, 1, 0), TIMELINE_STATE, CONTRACT_STATE_PROCESSING,
                CONTRACT_MONEY_DEBITED, "Pay \u20b912.00\u2026");
    plain_watch_show(r.w, &r.m);
    want(&r, "?? Caf?, INR 2,499.00, processing: Pay INR 12.00... [money set aside]");
    for (size_t i = 0; i < r.len; i++)
        assert_true((unsigned char)r.text[i] < 0x80);
    close_rig(&r);
}

/* Case S6: a handout that is held is told of and never told. */
static void S6_no_line_holds_a_card(void **state)
{
    struct rig r;
    (void)state;
    for (int json = 0; json < 2; json++) {
        open_rig(&r, false, json == 1, "");
        struct model_purchase *p =
            fixture_purchase(&r.m, "Example Store", "x", 249900, CONTRACT_STATE_READY);
        fixture_card(&r.m, p, fixture_at(14, 30, 0), fixture_at(14, 10, 0));
        fixture_row(p, fixture_at(14, 1, 0), TIMELINE_STATE, CONTRACT_STATE_READY,
                    CONTRACT_MONEY_DEBITED, "The card is ready.");
        int code = 0;
        plain_watch_show(r.w, &r.m);
        assert_false(plain_watch_finished(r.w, &r.m, &code));
        assert_int_equal(plain_watch_end(r.w, &r.m, 0), 5);
        want_none(&r, "652155");
        want_none(&r, "737");
        want_none(&r, "481516");
        close_rig(&r);
    }
}

static void nobody_reads_is_an_end(void **state)
{
    struct rig r;
    int code = -1;
    (void)state;
    open_rig(&r, false, false, "");
    FILE *full = fopen("/dev/full", "w");
    assert_non_null(full);
    struct plain_watch_options o = {.line = {.out = full}, .purchase = ""};
    plain_watch_free(r.w);
    r.w = plain_watch_new(&o);
    fixture_account(&r.m);
    fixture_purchase(&r.m, "Example Store", "x", 249900, CONTRACT_STATE_READY);
    plain_watch_show(r.w, &r.m);
    assert_true(plain_watch_finished(r.w, &r.m, &code));
    assert_int_equal(code, 1);
    fclose(full);
    close_rig(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_told_once_and_in_order_of_time),
        cmocka_unit_test(rows_that_the_model_let_go_are_not_counted_again),
        cmocka_unit_test(what_had_ended_before_is_left_out),
        cmocka_unit_test(a_question_is_told_once_with_how_to_answer),
        cmocka_unit_test(a_task_is_told_once_with_link_sum_and_deadline),
        cmocka_unit_test(P2_a_stopped_wait_is_not_confirmed),
        cmocka_unit_test(P3_an_unrecognised_state_is_not_an_end),
        cmocka_unit_test(ends_give_the_exit_status),
        cmocka_unit_test(sign_in_and_signals_keep_their_status),
        cmocka_unit_test(trouble_of_the_link_is_told_once),
        cmocka_unit_test(nothing_is_over_before_the_list_was_read),
        cmocka_unit_test(one_purchase_alone_is_watched),
        cmocka_unit_test(a_demo_ends_when_nothing_more_can_come),
        cmocka_unit_test(lines_of_json_are_objects_without_words_for_people),
        cmocka_unit_test(ascii_has_no_other_byte),
        cmocka_unit_test(S6_no_line_holds_a_card),
        cmocka_unit_test(nobody_reads_is_an_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
