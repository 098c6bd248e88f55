/* SPDX-License-Identifier: Apache-2.0 */
/* A ready purchase in a person's hands: the handout's life, reports, steps, cancel, vault save, and
 * every way in which one of them may be lost or refused. */
#include "app_rig.h"

static const struct model_settings plain_set = {.demo = true};

static int init(void **state)
{
    bool locked;
    (void)state;
    return secret_init(&locked) == ERR_OK ? 0 : -1;
}

static struct deal card_deal(void)
{
    struct deal d = deal_new(1, "ready");
    d.money = "debited";
    d.details_json = rig_card(RIG_ATTEMPT_A);
    return d;
}

static const struct model_write *report_of(struct rig *r, const struct deal *d)
{
    return &rig_purchase(r, d)->writes[MODEL_WRITE_REPORT];
}

/* Opens the paid or failed dialog and sends it. */
static void report(struct rig *r, const char *key)
{
    rig_key(r, key);
    rig_pass(r, 600);
    rig_key(r, "Ctrl-S");
}

static void paid_goes_out_once(void **state)
{
    (void)state;
    struct deal d = card_deal();
    struct rig *r = rig_with(&d, plain_set);
    rig_key(r, "p");
    assert_int_equal(model_dialog(&r->m), MODEL_DIALOG_PAID);
    assert_string_equal(r->m.form.purchase, d.id);
    rig_type(r, "ORDER-7");
    rig_key(r, "Tab");
    rig_type(r, "2499");
    rig_key(r, "Enter");  /* never sends */
    rig_key(r, "Ctrl-S"); /* too early */
    assert_int_equal(rig_writes(r), 0);
    rig_pass(r, 600);
    rig_key(r, "Enter");
    assert_int_equal(rig_writes(r), 0);
    for (int i = 0; i < 10; i++)
        rig_key(r, "Ctrl-S");
    assert_int_equal(rig_writes(r), 1);
    struct seen *w = rig_write(r);
    assert_non_null(strstr(w->body, "\"checkout_attempt_id\":\"" RIG_ATTEMPT_A "\""));
    assert_non_null(strstr(w->body, "\"outcome\":\"paid\""));
    assert_non_null(strstr(w->body, "\"merchant_order_ref\":\"ORDER-7\""));
    assert_non_null(strstr(w->body, "\"amount_paid\":\"2499.00\""));
    assert_null(rig_purchase(r, &d)->handout); /* wiped with the report */
    report(r, "f");
    assert_int_equal(rig_writes(r), 1);
    struct deal after = d;
    after.details_json = NULL;
    after.state = "verifying";
    after.revision = 2;
    rig_answer(r, w, deal_reply(r, "report_checkout_result", &after));
    assert_int_equal(report_of(r, &d)->state, MODEL_WRITE_DONE);
    assert_int_equal(rig_reads_open(r, d.id), 1); /* and read on */
    report(r, "p");
    report(r, "f");
    rig_key(r, "x");
    assert_int_equal(rig_writes(r), 1);
    assert_int_equal(model_dialog(&r->m), MODEL_DIALOG_NONE);
    rig_close(r);
}

static void failed_has_a_reason(void **state)
{
    (void)state;
    struct deal d = card_deal();
    struct rig *r = rig_with(&d, plain_set);
    rig_key(r, "f");
    rig_key(r, "Up");
    rig_pass(r, 600);
    rig_key(r, "Ctrl-S");
    assert_non_null(strstr(rig_write(r)->body, "\"failure_reason\":\"site_blocked\""));
    assert_int_equal(report_of(r, &d)->failure, CONTRACT_FAILURE_SITE_BLOCKED);
    rig_close(r);
}

static void bad_amount_stays_in_the_dialog(void **state)
{
    (void)state;
    struct deal d = card_deal();
    struct rig *r = rig_with(&d, plain_set);
    rig_key(r, "p");
    rig_key(r, "Tab");
    rig_type(r, "much");
    rig_pass(r, 600);
    rig_key(r, "Ctrl-S");
    assert_int_equal(rig_writes(r), 0);
    assert_non_null(strstr(r->m.form.problem, "/amount_paid"));
    assert_non_null(rig_purchase(r, &d)->handout);
    rig_close(r);
}

/* Contract README, point 10: the id of the handout that was used. */
static void report_keeps_the_used_attempt(void **state)
{
    (void)state;
    for (int revealed = 0; revealed < 2; revealed++) {
        struct deal d = card_deal();
        struct rig *r = rig_with(&d, plain_set);
        if (revealed)
            rig_key(r, "n");
        rig_key(r, "v");
        d.details_json = rig_card(RIG_ATTEMPT_B);
        d.revision = 2;
        rig_answer_read(r, &d);
        report(r, "p");
        assert_non_null(strstr(rig_write(r)->body, revealed ? RIG_ATTEMPT_A : RIG_ATTEMPT_B));
        rig_close(r);
    }
}

/* The report is lost, the read that finds out hands out a card again: the report is repeated with
 * its own id; after a recorded report a reopened card has a new one. */
static void lost_report_is_repeated_with_its_attempt(void **state)
{
    (void)state;
    struct deal d = card_deal();
    struct rig *r = rig_with(&d, plain_set);
    report(r, "f");
    char first[512];
    (void)str_copy(first, sizeof first, rig_write(r)->body);
    rig_lose(r, rig_write(r), ENVOY_TIMEOUT, true);
    assert_int_equal(report_of(r, &d)->state, MODEL_WRITE_UNKNOWN);
    report(r, "p");
    assert_int_equal(rig_writes(r), 1); /* neither pay nor report while it is not known */
    rig_run(r, 1000);
    assert_non_null(rig_read_of(r, d.id));
    d.details_json = rig_card(RIG_ATTEMPT_B);
    rig_answer_read(r, &d); /* still ready */
    assert_int_equal(report_of(r, &d)->state, MODEL_WRITE_SETTLED);
    assert_non_null(strstr(report_of(r, &d)->text, "not recorded"));
    rig_run(r, 600000);
    assert_null(rig_read_of(r, d.id)); /* found out: ready is left alone again */
    report(r, "f");
    assert_int_equal(rig_writes(r), 2);
    assert_string_equal(rig_write(r)->body, first);
    struct deal after = d;
    after.details_json = NULL;
    after.state = "verifying";
    after.revision = 2;
    rig_answer(r, rig_write(r), deal_reply(r, "report_checkout_result", &after));
    d.revision = 3;
    d.details_json = rig_card(RIG_ATTEMPT_B);
    rig_answer_read(r, &d); /* reopened */
    report(r, "p");
    assert_int_equal(rig_writes(r), 3);
    assert_non_null(strstr(rig_write(r)->body, RIG_ATTEMPT_B));
    rig_close(r);
}

static void lost_report_that_was_recorded(void **state)
{
    (void)state;
    struct deal d = card_deal();
    struct rig *r = rig_with(&d, plain_set);
    report(r, "p");
    rig_lose(r, rig_write(r), ENVOY_RESET, true);
    rig_run(r, 1000);
    struct deal after = d;
    after.details_json = NULL;
    after.state = "verifying";
    after.revision = 2;
    rig_answer_read(r, &after);
    assert_int_equal(report_of(r, &d)->state, MODEL_WRITE_DONE);
    rig_close(r);
}

/* It ended otherwise: that is no proof of a report. */
static void lost_report_of_one_that_ended(void **state)
{
    (void)state;
    struct deal d = card_deal();
    struct rig *r = rig_with(&d, plain_set);
    report(r, "p");
    rig_lose(r, rig_write(r), ENVOY_RESET, true);
    rig_run(r, 1000);
    struct deal after = d;
    after.details_json = NULL;
    after.state = "failed";
    after.reason_json = "\"ORDER_CARD_EXPIRED_UNUSED\"";
    after.money = "refunded";
    after.revision = 2;
    rig_answer_read(r, &after);
    assert_int_equal(report_of(r, &d)->state, MODEL_WRITE_SETTLED);
    assert_false(rig_rows_have(rig_purchase(r, &d), "Envoy has a report"));
    rig_close(r);
}

/* A lost report, while a look at the handout is on its way: found out all the same. */
static void lost_report_beside_a_look(void **state)
{
    (void)state;
    struct deal d = card_deal();
    struct rig *r = rig_with(&d, plain_set);
    rig_key(r, "v");
    report(r, "f");
    struct seen *look = rig_read_of(r, d.id);
    rig_lose(r, rig_write(r), ENVOY_RESET, true);
    rig_pass(r, 100);
    rig_answer(r, look, deal_status(r, &d)); /* began before: proves nothing */
    assert_int_equal(report_of(r, &d)->state, MODEL_WRITE_UNKNOWN);
    rig_run(r, 1000);
    assert_non_null(rig_read_of(r, d.id));
    rig_answer_as(r, rig_read_of(r, d.id),
                  rig_refusal(r, "get_purchase_status", "RATE_LIMITED", NULL, RIG_RETRY("3"), true),
                  429, -1);
    rig_run(r, 5000);
    assert_non_null(rig_read_of(r, d.id)); /* this one is repeated: money depends on it */
    rig_answer_as(r, rig_read_of(r, d.id),
                  rig_refusal(r, "get_purchase_status", "NOT_ALLOWED", NULL, NULL, false), 403, -1);
    assert_int_equal(report_of(r, &d)->state, MODEL_WRITE_UNKNOWN); /* an error is no snapshot */
    rig_close(r);
}

static void steps_are_ticked_once(void **state)
{
    (void)state;
    struct deal d = card_deal();
    struct rig *r = rig_with(&d, plain_set);
    rig_key(r, "s");
    rig_key(r, "1");
    assert_int_equal(rig_writes(r), 0);
    rig_pass(r, 600);
    for (int i = 0; i < 5; i++)
        rig_key(r, "1");
    assert_int_equal(rig_writes(r), 1);
    assert_non_null(strstr(rig_write(r)->body, RIG_ATTEMPT_A));
    d.details_json = NULL;
    rig_answer(r, rig_write(r), deal_reply(r, "report_checkout_step", &d));
    assert_int_equal(rig_purchase(r, &d)->steps_done, 1);
    rig_key(r, "1");
    assert_int_equal(rig_writes(r), 1); /* an auto-repeat does not tick again */
    assert_non_null(rig_purchase(r, &d)->handout);
    assert_null(rig_read_of(r, d.id)); /* ready is not read for a step */
    rig_close(r);
}

static void lost_step_reads_nothing_and_blocks_nothing(void **state)
{
    (void)state;
    struct deal d = card_deal();
    struct rig *r = rig_with(&d, plain_set);
    rig_key(r, "s");
    rig_pass(r, 600);
    rig_key(r, "2");
    rig_lose(r, rig_write(r), ENVOY_TIMEOUT, true);
    rig_run(r, 120000);
    assert_null(rig_read_of(r, d.id));
    struct policy_facts facts;
    model_policy_facts(&r->m, rig_purchase(r, &d), &facts);
    assert_false(facts.outcome_unknown);
    assert_false(facts.write_in_flight);
    rig_key(r, "Esc");
    report(r, "p");
    assert_int_equal(rig_writes(r), 2);
    rig_close(r);
}

/* H9: two different keys, half a second, and No for all else. */
static void h9_cancel_needs_another_key(void **state)
{
    (void)state;
    static const char *const no[] = {"Enter", "n", "Esc"};
    for (size_t i = 0; i < 3; i++) {
        struct deal d = deal_new(1, "waiting_for_user");
        struct rig *r = rig_with(&d, plain_set);
        for (int k = 0; k < 40; k++) { /* auto-repeat of the first key */
            rig_key(r, "x");
            r->now += 30;
        }
        assert_int_equal(model_dialog(&r->m), MODEL_DIALOG_CANCEL);
        rig_key(r, no[i]);
        assert_int_equal(model_dialog(&r->m), MODEL_DIALOG_NONE);
        rig_key(r, "x");
        rig_key(r, "y");
        assert_int_equal(rig_writes(r), 0);
        rig_pass(r, 500);
        rig_key(r, "y");
        rig_key(r, "y");
        assert_int_equal(rig_writes(r), 1);
        assert_non_null(strstr(rig_write(r)->body, d.id));
        assert_true(rig_rows_have(rig_purchase(r, &d), "no refund"));
        rig_close(r);
    }
}

static void lost_cancel_is_found_out_soon(void **state)
{
    (void)state;
    for (int cancelled = 0; cancelled < 2; cancelled++) {
        struct deal d = deal_new(1, "processing");
        struct rig *r = rig_with(&d, plain_set);
        struct seen *held = rig_read_of(r, d.id);
        rig_key(r, "x");
        rig_pass(r, 600);
        rig_key(r, "y");
        rig_lose(r, rig_write(r), ENVOY_RESET, true);
        const struct model_write *w = &rig_purchase(r, &d)->writes[MODEL_WRITE_CANCEL];
        assert_int_equal(w->state, MODEL_WRITE_UNKNOWN);
        rig_run(r, 600); /* the held read is in the way: it is dropped */
        assert_int_equal(rig_last(r, EFFECT_ABORT)->call, held->call);
        assert_int_equal(rig_reads_open(r, d.id), 1);
        rig_lose(r, held, ENVOY_ABORTED, true);
        struct seen *s = rig_read_of(r, d.id);
        assert_non_null(s);
        assert_null(strstr(s->body, "wait_seconds"));
        if (cancelled) {
            d.state = "cancelled";
            d.revision = 2;
        }
        rig_answer(r, s, deal_status(r, &d));
        w = &rig_purchase(r, &d)->writes[MODEL_WRITE_CANCEL];
        assert_int_equal(w->state, MODEL_WRITE_SETTLED);
        assert_non_null(strstr(w->text, cancelled ? "ending" : "not cancelled"));
        assert_int_equal(rig_writes(r), 1);
        rig_close(r);
    }
}

/* The handout's ends: each wipes, says so, and leaves no reveal behind. */
static void handout_is_wiped(void **state)
{
    (void)state;
    static const char *const how[] = {"w",    "suspend", "close",   "report", "cancel",
                                      "left", "closed",  "expired", "access"};
    for (size_t i = 0; i < sizeof how / sizeof how[0]; i++) {
        struct deal d = card_deal();
        char card[1024];
        (void)str_copy(card, sizeof card, d.details_json);
        if (strcmp(how[i], "expired") == 0)
            memcpy(strstr(card, "\"expires_at\":null}"), "\"expires_at\":\"2026-12-01T00:05:00Z\"}",
                   strlen("\"expires_at\":\"2026-12-01T00:05:00Z\"}") + 1);
        if (strcmp(how[i], "access") == 0)
            d.access_ends_json = "\"2026-12-01T00:05:00Z\"";
        d.details_json = card;
        struct rig *r = rig_with(&d, plain_set);
        struct model_purchase *p = rig_purchase(r, &d);
        assert_non_null(p->handout);
        rig_key(r, "n");
        assert_true(r->m.reveal.on);
        if (strcmp(how[i], "w") == 0) {
            rig_key(r, "w");
        } else if (strcmp(how[i], "suspend") == 0) {
            rig_say(r, MSG_SUSPEND);
        } else if (strcmp(how[i], "close") == 0) {
            rig_say(r, MSG_CLOSE);
        } else if (strcmp(how[i], "report") == 0) {
            report(r, "f");
        } else if (strcmp(how[i], "cancel") == 0) {
            rig_key(r, "x");
            rig_pass(r, 600);
            rig_key(r, "y");
        } else if (strcmp(how[i], "left") == 0 || strcmp(how[i], "closed") == 0) {
            bool left = strcmp(how[i], "left") == 0;
            rig_key(r, "v");
            d.revision = 2;
            d.details_json = NULL;
            d.state = left ? "verifying" : "ready";
            d.closed_json = left ? NULL : "true";
            rig_answer_read(r, &d);
        } else {
            int64_t end = RIG_MONO + 300000;
            assert_int_equal(app_wake_mono(&r->m, false) <= end, true);
            rig_run(r, end - r->now - 1);
            assert_non_null(rig_purchase(r, &d)->handout);
            rig_run(r, 1);
        }
        p = rig_purchase(r, &d);
        assert_null(p->handout);
        assert_false(r->m.reveal.on);
        assert_true(rig_rows_have(p, "wiped from memory"));
        rig_close(r);
    }
}

static void reveal_hides_on_anything(void **state)
{
    (void)state;
    static const char *const keys[] = {"Down", "Tab", "z",     "1",   "2",
                                       "?",    ":",   "Enter", "Esc", "F5"};
    struct deal d = card_deal();
    struct rig *r = rig_with(&d, plain_set);
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        rig_key(r, "1");
        rig_key(r, "c");
        assert_true(r->m.reveal.on);
        assert_int_equal(r->m.reveal.field, HANDOUT_CVV);
        assert_int_equal(r->m.reveal.until_mono, r->now + 10000);
        rig_key(r, keys[i]);
        assert_false(r->m.reveal.on);
        rig_key(r, "Esc");
        r->m.filter[0] = '\0';
    }
    rig_key(r, "1");
    for (int how = 0; how < 5; how++) {
        rig_key(r, "b");
        assert_true(r->m.reveal.on);
        struct input_event e = {.kind = how == 1 ? INPUT_FOCUS_OUT : INPUT_FOCUS_IN};
        if (how == 0)
            rig_resize(r, 90, 30);
        else if (how < 3)
            rig_event(r, &e);
        else if (how == 3)
            rig_paste(r, "x");
        else
            rig_pass(r, 9999);
        assert_int_equal(r->m.reveal.on, how == 4);
    }
    rig_pass(r, 1);
    assert_false(r->m.reveal.on);
    rig_close(r);
}

static bool contains(const void *bytes, size_t len, const char *text)
{
    return bytes && memmem(bytes, len, text, strlen(text)) != NULL;
}

/* S6: no byte of the card is in the model's plain memory. */
static void s6_model_holds_no_card(void **state)
{
    (void)state;
    struct deal d = card_deal();
    struct rig *r = rig_with(&d, plain_set);
    const struct model_purchase *p = rig_purchase(r, &d);
    rig_key(r, "n");
    assert_false(contains(&r->m, sizeof r->m, RIG_PAN));
    assert_false(contains(p, sizeof *p, RIG_PAN));
    assert_false(contains(p->rows, p->row_count * sizeof *p->rows, RIG_PAN));
    assert_false(contains(r->m.activity, MODEL_ACTIVITY_MAX * sizeof *r->m.activity, RIG_PAN));
    struct buf snapshot;
    buf_init(&snapshot, 1 << 20);
    (void)!buf_append(&snapshot, p->snap, sizeof *p->snap);
    assert_false(contains(snapshot.data, snapshot.len, RIG_PAN));
    buf_fini(&snapshot);
    rig_key(r, "y"); /* copies references, never a secret */
    struct seen *copy = rig_last(r, EFFECT_COPY);
    assert_non_null(copy);
    assert_non_null(strstr(copy->body, d.id));
    assert_null(strstr(copy->body, "4242"));
    rig_close(r);
}

static void malformed_details_are_told(void **state)
{
    (void)state;
    struct deal d = card_deal();
    d.details_json = "{\"kind\":\"card\",\"card\":{\"number\":\"12\"}}";
    struct rig *r = rig_with(&d, plain_set);
    const struct model_purchase *p = rig_purchase(r, &d);
    assert_null(p->handout);
    assert_true(p->handout_malformed);
    assert_true(rig_rows_have(p, "in a form this program does not know"));
    rig_key(r, "n");
    assert_false(r->m.reveal.on);
    rig_close(r);
}

#define VAULT                                                                                      \
    "[{\"tool\":\"answer_purchase_question\",\"args\":{ \"purchase\":"                             \
    "\"pur_00000000000000000000000000000001\", \"type\":\"answer\",\"question\":\"vault_save\","   \
    "\"answer\":\"save\"},\"why\":\"Save it.\"}]"

static void vault_save_sends_what_was_offered(void **state)
{
    (void)state;
    struct deal d = card_deal();
    d.follow_ups_json = VAULT;
    struct deal listed = d;
    listed.state = "processing";
    struct rig *r = rig_open(plain_set);
    rig_begin(r, &listed, 1);
    rig_answer_read(r, &d);
    rig_key(r, "V"); /* typed ahead of the offer */
    assert_int_equal(rig_writes(r), 0);
    rig_pass(r, 600);
    rig_key(r, "V");
    rig_key(r, "V");
    assert_int_equal(rig_writes(r), 1);
    const struct model_write *w = &rig_purchase(r, &d)->writes[MODEL_WRITE_VAULT];
    char body[512], key[CONTRACT_ID_MAX];
    snprintf(body, sizeof body,
             "{ \"purchase\":\"%s\", \"type\":\"answer\",\"question\":\"vault_save\","
             "\"answer\":\"save\",\"idempotency_key\":\"%s\"}",
             d.id, w->key);
    assert_string_equal(rig_write(r)->body, body);
    (void)str_copy(key, sizeof key, w->key);
    rig_lose(r, rig_write(r), ENVOY_REFUSED, false);
    rig_key(r, "V");
    assert_int_equal(rig_writes(r), 2);
    assert_string_equal(rig_write(r)->body, body); /* the same operation: the same key */
    assert_string_equal(rig_purchase(r, &d)->writes[MODEL_WRITE_VAULT].key, key);
    rig_close(r);
}

/* Read-only hides and blocks every write. */
static void read_only_sends_nothing(void **state)
{
    (void)state;
    static const char *const all[] = {"p", "f", "s",      "x",     "v", "V",
                                      "n", "c", "Ctrl-S", "Enter", "y"};
    static const char *const states[] = {"ready",      "needs_answer", "waiting_for_user",
                                         "processing", "verifying",    "completed"};
    for (size_t s = 0; s < sizeof states / sizeof states[0]; s++) {
        struct deal d = deal_new(1, states[s]);
        d.money = "debited";
        d.follow_ups_json = VAULT;
        if (s == 0)
            d.details_json = rig_card(RIG_ATTEMPT_A);
        struct deal listed = d;
        listed.state = "processing";
        struct rig *r = rig_open((struct model_settings){.demo = true, .read_only = true});
        rig_begin(r, &listed, 1);
        rig_answer_read(r, &d);
        r->m.pane = MODEL_PANE_NEED;
        rig_pass(r, 1000);
        const struct command *hints[64];
        size_t count = command_hints(&r->m, hints, 64);
        for (size_t i = 0; i < count; i++) {
            assert_int_not_equal(hints[i]->danger, COMMAND_IRREVERSIBLE);
            assert_string_not_equal(hints[i]->name, "review");
            assert_string_not_equal(hints[i]->name, "show-handout");
            assert_string_not_equal(hints[i]->name, "steps");
        }
        for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
            rig_key(r, all[i]);
            rig_pass(r, 600);
            rig_key(r, "Ctrl-S");
            rig_key(r, "y");
            assert_int_equal(model_dialog(&r->m), MODEL_DIALOG_NONE);
        }
        for (size_t i = 0; i < command_count(); i++) { /* nor does the palette */
            const struct command *c = command_at(i);
            struct effects fx;
            effects_init(&fx);
            if (c->danger == COMMAND_IRREVERSIBLE || strcmp(c->name, "vault-save") == 0)
                command_run(&r->m, c, &fx);
            assert_int_equal(fx.count, 0);
            effects_fini(&fx);
            assert_int_equal(model_dialog(&r->m), MODEL_DIALOG_NONE);
        }
        assert_int_equal(rig_writes(r), 0);
        rig_close(r);
    }
}

/* R2: too small to draw is too small to act. */
static void r2_too_small_acts_on_nothing(void **state)
{
    (void)state;
    static const char *const all[] = {"y", "Enter", "1",      "2", "a", "x", "Delete", "p",
                                      "f", "s",     "Ctrl-S", "V", "v", ":", "n"};
    static const int sizes[][2] = {{20, 5}, {59, 16}, {60, 15}};
    for (size_t s = 0; s < 3; s++) {
        struct deal d = card_deal();
        struct rig *r = rig_with(&d, plain_set);
        rig_resize(r, sizes[s][0], sizes[s][1]);
        assert_true(r->m.too_small);
        size_t before = r->count;
        for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
            rig_key(r, all[i]);
            rig_pass(r, 600);
        }
        assert_int_equal(r->count, before);
        assert_int_equal(model_dialog(&r->m), MODEL_DIALOG_NONE);
        assert_false(r->m.reveal.on);
        rig_resize(r, 60, 16);
        assert_false(r->m.too_small);
        assert_string_equal(r->m.selected, d.id);
        assert_int_equal(r->m.view, MODEL_VIEW_PURCHASES);
        rig_resize(r, 20, 5);
        rig_key(r, "q");
        assert_true(r->m.quit);
        rig_close(r);
    }
}

/* H3: the list changes under the hand: the action goes to what was selected. */
static void h3_action_hits_what_was_selected(void **state)
{
    (void)state;
    struct rig *r = rig_open(plain_set);
    struct deal d[4];
    for (int i = 0; i < 4; i++)
        d[i] = deal_new(i + 1, "waiting_for_user");
    rig_begin(r, d + 2, 2);
    for (int i = 2; i < 4; i++)
        rig_answer_read(r, &d[i]);
    rig_pass(r, 1000);
    rig_key(r, "Down");
    char chosen[CONTRACT_ID_MAX];
    (void)str_copy(chosen, sizeof chosen, r->m.selected);
    rig_key(r, "x");
    assert_string_equal(r->m.form.purchase, chosen);
    rig_run(r, 61000);
    struct deal order[4] = {d[1], d[3], d[0], d[2]};
    rig_answer(r, rig_open_call(r, CONTRACT_TOOL_LIST_PURCHASES, NULL), rig_list(r, order, 4));
    assert_int_equal(r->m.purchase_count, 4);
    assert_string_equal(r->m.selected, chosen);
    rig_key(r, "y");
    assert_int_equal(rig_writes(r), 1);
    assert_non_null(strstr(rig_write(r)->body, chosen));
    rig_close(r);
}

static struct journal_write left_behind(const struct deal *d, enum contract_tool tool)
{
    struct journal_write w = {
        .tool = tool, .state = JOURNAL_UNKNOWN, .at_ms = RIG_START_MS - 60000};
    (void)str_copy(w.purchase, sizeof w.purchase, d->id);
    (void)str_copy(w.attempt, sizeof w.attempt, RIG_ATTEMPT_A);
    w.outcome = CONTRACT_OUTCOME_PAID;
    w.failure = w.step = w.code = CONTRACT_ABSENT;
    return w;
}

/* An earlier run's report without a known outcome: one read finds out, and the report is repeated
 * with the attempt of then. */
static void left_report_is_read_for(void **state)
{
    (void)state;
    struct rig *r = rig_open(plain_set);
    struct deal d = card_deal();
    struct journal_write w = left_behind(&d, CONTRACT_TOOL_REPORT_CHECKOUT_RESULT);
    rig_begin(r, &d, 1);
    assert_true(app_recover(&r->m, &w) != 0);
    char words[200];
    model_state_words(&r->m, rig_purchase(r, &d), words, sizeof words);
    assert_string_equal(words, "outcome not known, checking");
    rig_run(r, 2000);
    d.details_json = rig_card(RIG_ATTEMPT_B);
    rig_answer_read(r, &d);
    rig_run(r, 30000);
    assert_null(rig_read_of(r, d.id));
    assert_int_equal(report_of(r, &d)->state, MODEL_WRITE_SETTLED);
    assert_int_equal(rig_writes(r), 0);
    report(r, "p");
    assert_non_null(strstr(rig_write(r)->body, RIG_ATTEMPT_A));
    rig_close(r);
}

/* A step is worth no read of a ready purchase, not at the next start either. */
static void left_step_reads_nothing(void **state)
{
    (void)state;
    struct rig *r = rig_open(plain_set);
    struct deal d = card_deal();
    struct journal_write w = left_behind(&d, CONTRACT_TOOL_REPORT_CHECKOUT_STEP);
    w.step = CONTRACT_STEP_COUNT - 1;
    rig_begin(r, &d, 1);
    assert_true(app_recover(&r->m, &w) != 0);
    rig_run(r, 30000);
    assert_null(rig_read_of(r, d.id));
    rig_close(r);
}

static void quit_asks_while_a_write_is_open(void **state)
{
    (void)state;
    struct deal d = card_deal();
    struct rig *r = rig_with(&d, plain_set);
    report(r, "p");
    rig_key(r, "q");
    assert_int_equal(model_dialog(&r->m), MODEL_DIALOG_QUIT);
    rig_key(r, "y");
    assert_false(r->m.quit);
    rig_close(r);
}

static void news_is_bounded_and_whole(void **state)
{
    (void)state;
    struct deal d = card_deal();
    struct rig *r = rig_with(&d, plain_set);
    char message[1200] = "", json[4096];
    for (size_t i = 0, at = 0; i < 300; i++)
        at += (size_t)snprintf(message + at, sizeof message - at, "%s", i % 2 ? "₹" : "é");
    report(r, "p");
    snprintf(json, sizeof json, "%s",
             rig_refusal(r, "report_checkout_result", "NOT_ALLOWED", NULL, NULL, false));
    char *at = strstr(json, "Words for NOT_ALLOWED.");
    char tail[2048];
    (void)str_copy(tail, sizeof tail, at + strlen("Words for NOT_ALLOWED."));
    snprintf(at, sizeof json - (size_t)(at - json), "%s%s", message, tail);
    rig_answer_as(r, rig_write(r), json, 403, -1);
    assert_int_equal(report_of(r, &d)->state, MODEL_WRITE_REFUSED);
    const struct model_purchase *p = rig_purchase(r, &d);
    assert_true(str_is_utf8(r->m.news.text, strlen(r->m.news.text)));
    assert_true(strlen(r->m.news.text) < sizeof r->m.news.text);
    assert_true(str_is_utf8(report_of(r, &d)->text, strlen(report_of(r, &d)->text)));
    for (size_t i = 0; i < p->row_count; i++)
        assert_true(str_is_utf8(p->rows[i].text, strlen(p->rows[i].text)));
    const char *note = r->m.activity[r->m.activity_count - 1].note;
    assert_true(str_is_utf8(note, strlen(note)));
    rig_pass(r, MODEL_NEWS_MS);
    assert_string_equal(r->m.news.text, "");
    rig_close(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paid_goes_out_once),
        cmocka_unit_test(failed_has_a_reason),
        cmocka_unit_test(bad_amount_stays_in_the_dialog),
        cmocka_unit_test(report_keeps_the_used_attempt),
        cmocka_unit_test(lost_report_is_repeated_with_its_attempt),
        cmocka_unit_test(lost_report_that_was_recorded),
        cmocka_unit_test(lost_report_of_one_that_ended),
        cmocka_unit_test(lost_report_beside_a_look),
        cmocka_unit_test(steps_are_ticked_once),
        cmocka_unit_test(lost_step_reads_nothing_and_blocks_nothing),
        cmocka_unit_test(h9_cancel_needs_another_key),
        cmocka_unit_test(lost_cancel_is_found_out_soon),
        cmocka_unit_test(handout_is_wiped),
        cmocka_unit_test(reveal_hides_on_anything),
        cmocka_unit_test(s6_model_holds_no_card),
        cmocka_unit_test(malformed_details_are_told),
        cmocka_unit_test(vault_save_sends_what_was_offered),
        cmocka_unit_test(read_only_sends_nothing),
        cmocka_unit_test(r2_too_small_acts_on_nothing),
        cmocka_unit_test(h3_action_hits_what_was_selected),
        cmocka_unit_test(left_report_is_read_for),
        cmocka_unit_test(left_step_reads_nothing),
        cmocka_unit_test(quit_asks_while_a_write_is_open),
        cmocka_unit_test(news_is_bounded_and_whole),
    };
    return cmocka_run_group_tests(tests, init, NULL);
}
