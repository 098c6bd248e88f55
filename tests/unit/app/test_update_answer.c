/* SPDX-License-Identifier: Apache-2.0 */
/* A person answers: what is sent, once, on which key, about which question; and what becomes of a
 * draft, a typed code and a lost reply. */
#include "app_rig.h"

static const struct model_settings plain_set = {.demo = true};

static int init(void **state)
{
    bool locked;
    (void)state;
    return secret_init(&locked) == ERR_OK ? 0 : -1;
}

/* A question is open, its words are written and the review is up for long enough. */
static struct rig *reviewing(struct deal *d, const char *words)
{
    struct rig *r = rig_with(d, plain_set);
    rig_key(r, "Enter");
    assert_true(r->m.editing);
    rig_type(r, words);
    rig_key(r, "Ctrl-S");
    assert_int_equal(model_dialog(&r->m), MODEL_DIALOG_REVIEW);
    rig_pass(r, 600);
    return r;
}

static const struct model_write *answer_of(struct rig *r, const struct deal *d)
{
    return &rig_purchase(r, d)->writes[MODEL_WRITE_ANSWER];
}

static const struct model_draft *draft_of(struct rig *r, const struct deal *d, const char *q)
{
    return model_draft_view(rig_purchase(r, d), q);
}

static void answer_goes_out_as_reviewed(void **state)
{
    (void)state;
    struct deal d = deal_new(1, "needs_answer");
    struct rig *r = reviewing(&d, "Take the \"blue\" one");
    rig_key(r, "Ctrl-S");
    assert_int_equal(rig_writes(r), 1);
    struct seen *w = rig_write(r);
    char body[512];
    /* Envoy's args byte for byte, then the words and the key */
    snprintf(body, sizeof body,
             "{ \"purchase\" : \"%s\",\"question\":\"q-1\", \"type\":\"answer\",\"answer\":"
             "\"Take the \\\"blue\\\" one\",\"idempotency_key\":\"%s\"}",
             d.id, answer_of(r, &d)->key);
    assert_string_equal(w->body, body);
    assert_int_equal(w->tool, CONTRACT_TOOL_SUBMIT_ANSWER); /* the name that next gave */
    assert_int_equal(answer_of(r, &d)->state, MODEL_WRITE_SENT);
    assert_int_equal(answer_of(r, &d)->call, w->call);
    assert_int_equal(model_dialog(&r->m), MODEL_DIALOG_NONE);
    d.state = "processing";
    d.revision = 2;
    rig_answer(r, w, deal_reply(r, "submit_answer", &d));
    assert_int_equal(answer_of(r, &d)->state, MODEL_WRITE_DONE);
    assert_int_equal(rig_reads_open(r, d.id), 1);
    assert_false(model_has_drafts(&r->m));
    rig_close(r);
}

/* P4: two presses, auto-repeat, a slow service: one answer. */
static void p4_two_presses_send_one(void **state)
{
    (void)state;
    struct deal d = deal_new(1, "needs_answer");
    struct rig *r = reviewing(&d, "yes");
    for (int i = 0; i < 50; i++) {
        rig_key(r, "Ctrl-S");
        rig_pass(r, 30);
        rig_key(r, "Enter");
    }
    rig_pass(r, 5000);
    rig_key(r, "Ctrl-S");
    assert_int_equal(rig_writes(r), 1);
    assert_true(rig_news_has(r, "Wait for the reply"));
    rig_close(r);
}

/* H1: not within half a second of opening, and Enter never. */
static void h1_nothing_within_half_a_second(void **state)
{
    (void)state;
    struct deal d = deal_new(1, "needs_answer");
    struct rig *r = rig_with(&d, plain_set);
    rig_key(r, "Enter");
    rig_type(r, "yes");
    rig_key(r, "Ctrl-S");
    for (int ms = 0; ms < 500; ms += 20) {
        rig_key(r, "Ctrl-S");
        r->now += 20;
    }
    rig_key(r, "Enter");
    rig_key(r, "y");
    assert_int_equal(rig_writes(r), 0);
    assert_int_equal(model_dialog(&r->m), MODEL_DIALOG_REVIEW);
    r->now += 1;
    rig_key(r, "Ctrl-S");
    assert_int_equal(rig_writes(r), 1);
    rig_close(r);
}

/* H1: the question arrives at each key boundary of something that is typed for something else. */
static void h1_typed_ahead_at_every_boundary(void **state)
{
    (void)state;
    static const char *const keys[] = {"y",     "e", "s",     "Space", "y",
                                       "Space", "1", "Enter", "Ctrl-S"};
    size_t count = sizeof keys / sizeof keys[0];
    for (size_t at = 0; at <= count; at++) {
        struct deal d = deal_new(1, "processing");
        struct rig *r = rig_with(&d, plain_set);
        r->m.pane = MODEL_PANE_LIST;
        for (size_t i = 0; i < count; i++) {
            if (i == at) {
                d.state = "needs_answer";
                d.revision = 2;
                enum model_pane pane = r->m.pane;
                rig_answer_read(r, &d);
                assert_int_equal(r->m.pane, pane); /* the focus stays */
                assert_false(r->m.editing);
                assert_true(r->m.bell);
            }
            rig_key(r, keys[i]);
            r->now += 30;
        }
        assert_int_equal(rig_writes(r), 0);
        rig_close(r);
    }
}

/* H4: pasted and burst text is text or nothing, whatever lines it has. */
static void h4_paste_is_text_or_nothing(void **state)
{
    (void)state;
    static const char text[] = "a\nb\nq\ny\n";
    struct deal d = deal_new(1, "needs_answer");
    struct rig *r = rig_with(&d, plain_set);
    rig_paste(r, text);
    rig_burst(r, text);
    assert_false(r->m.quit || r->m.editing);
    assert_int_equal(model_dialog(&r->m), MODEL_DIALOG_NONE);
    rig_key(r, "Enter");
    rig_paste(r, text);
    assert_string_equal(edit_text(&draft_of(r, &d, "q-1")->edit), text);
    rig_burst(r, text);
    assert_string_equal(edit_text(&draft_of(r, &d, "q-1")->edit), "a\nb\nq\ny\na\nb\nq\ny\n");
    rig_key(r, "Ctrl-S");
    rig_pass(r, 600);
    rig_paste(r, "y\n"); /* in the review */
    rig_burst(r, "y\ny\n");
    rig_key(r, "Esc");
    rig_key(r, "Esc");
    rig_key(r, "x");
    rig_pass(r, 600);
    rig_paste(r, "y");
    rig_burst(r, "y\ny");
    assert_int_equal(model_dialog(&r->m), MODEL_DIALOG_CANCEL);
    assert_int_equal(rig_writes(r), 0);
    assert_false(r->m.quit);
    rig_close(r);
}

/* H2, H6: the question is replaced under the review. */
static void h2_replaced_under_review(void **state)
{
    (void)state;
    struct deal d = deal_new(1, "needs_answer");
    struct rig *r = reviewing(&d, "the blue one");
    d.revision = 2;                      /* q-2 now */
    r->m.purchases[0].due_mono = r->now; /* a look that was planned */
    rig_pass(r, 10);
    rig_answer_read(r, &d);
    assert_int_equal(model_dialog(&r->m), MODEL_DIALOG_REVIEW); /* nothing switches by itself */
    rig_pass(r, 2000);
    rig_key(r, "Ctrl-S");
    assert_int_equal(rig_writes(r), 0);
    assert_true(rig_news_has(r, "no longer the open one"));
    const struct model_draft *old = draft_of(r, &d, "q-1");
    assert_true(old->closed);
    assert_string_equal(edit_text(&old->edit), "the blue one"); /* kept for copying */
    rig_key(r, "Esc");
    rig_pass(r, 2000);
    rig_key(r, "Enter");
    assert_true(r->m.editing);
    assert_true(edit_is_empty(&draft_of(r, &d, "q-2")->edit)); /* not taken over */
    rig_key(r, "Ctrl-S");
    assert_int_equal(model_dialog(&r->m), MODEL_DIALOG_NONE);
    assert_int_equal(rig_writes(r), 0);
    rig_close(r);
}

/* H1: the text closes while someone writes: the rest of the word is no command. */
static void h1_closing_text_swallows_the_word(void **state)
{
    (void)state;
    struct deal d = deal_new(1, "needs_answer");
    struct rig *r = rig_with(&d, plain_set);
    rig_key(r, "Enter");
    rig_type(r, "e");
    d.state = "processing";
    d.revision = 2;
    r->m.purchases[0].due_mono = r->now;
    rig_pass(r, 10);
    rig_answer_read(r, &d);
    assert_false(r->m.editing);
    assert_true(rig_news_has(r, "draft is kept"));
    for (int i = 0; i < 30; i++) {
        rig_type(r, i % 2 ? "x" : "y");
        rig_key(r, i % 3 ? "q" : "Enter");
        r->now += 300;
    }
    assert_int_equal(model_dialog(&r->m), MODEL_DIALOG_NONE);
    assert_int_equal(rig_writes(r), 0);
    assert_false(r->m.quit);
    r->now += 1000; /* a pause: keys count again */
    rig_key(r, "x");
    assert_int_equal(model_dialog(&r->m), MODEL_DIALOG_CANCEL);
    rig_close(r);
}

/* H6: answered elsewhere just before. */
static void h6_conflict_is_told_and_read(void **state)
{
    (void)state;
    struct deal d = deal_new(1, "needs_answer");
    struct rig *r = reviewing(&d, "the blue one");
    rig_key(r, "Ctrl-S");
    rig_answer_as(r, rig_write(r),
                  rig_refusal(r, "submit_answer", "STATE_CONFLICT", NULL, NULL, false), 409, -1);
    assert_int_equal(answer_of(r, &d)->state, MODEL_WRITE_REFUSED);
    assert_non_null(strstr(answer_of(r, &d)->text, "already answered or is closed"));
    assert_true(rig_news_has(r, "already answered"));
    assert_false(rig_rows_have(rig_purchase(r, &d), "Envoy recorded"));
    assert_non_null(rig_read_of(r, d.id));
    d.state = "processing";
    d.revision = 4;
    rig_answer_read(r, &d);
    assert_string_equal(edit_text(&draft_of(r, &d, "q-1")->edit), "the blue one");
    assert_true(draft_of(r, &d, "q-1")->closed);
    rig_run(r, 100000);
    assert_int_equal(rig_writes(r), 1); /* never sent again */
    rig_close(r);
}

static void lose_answer(struct rig *r)
{
    rig_key(r, "Ctrl-S");
    rig_lose(r, rig_write(r), ENVOY_RESET, true);
}

/* P4: the reply is lost: unknown, read soon, settled by a read that began after. */
static void p4_lost_reply_settles_as_answered(void **state)
{
    (void)state;
    struct deal d = deal_new(1, "needs_answer");
    struct rig *r = reviewing(&d, "yes");
    lose_answer(r);
    char words[200];
    assert_int_equal(answer_of(r, &d)->state, MODEL_WRITE_UNKNOWN);
    assert_int_equal(model_need(&r->m, rig_purchase(r, &d)), MODEL_NEED_UNKNOWN);
    model_state_words(&r->m, rig_purchase(r, &d), words, sizeof words);
    assert_string_equal(words, "outcome not known, checking");
    rig_key(r, "Ctrl-S");
    rig_key(r, "x");
    assert_int_equal(model_dialog(&r->m), MODEL_DIALOG_NONE); /* found out first */
    rig_run(r, 600);
    struct seen *s = rig_read_of(r, d.id);
    assert_non_null(s);
    assert_null(strstr(s->body, "wait_seconds")); /* does not hold */
    d.state = "processing";
    d.revision = 2;
    rig_answer_read(r, &d);
    assert_int_equal(answer_of(r, &d)->state, MODEL_WRITE_SETTLED);
    assert_int_equal(rig_writes(r), 1);
    rig_close(r);
}

static void p4_lost_reply_settles_as_not_recorded(void **state)
{
    (void)state;
    struct deal d = deal_new(1, "needs_answer");
    struct rig *r = reviewing(&d, "yes");
    char first[512], key[CONTRACT_ID_MAX];
    lose_answer(r);
    (void)str_copy(first, sizeof first, rig_write(r)->body);
    (void)str_copy(key, sizeof key, answer_of(r, &d)->key);
    rig_run(r, 600);
    rig_answer_read(r, &d); /* still open */
    assert_int_equal(answer_of(r, &d)->state, MODEL_WRITE_SETTLED);
    assert_non_null(strstr(answer_of(r, &d)->text, "not recorded"));
    rig_run(r, 60000);
    assert_int_equal(rig_writes(r), 1); /* not by itself */
    rig_key(r, "Ctrl-S");
    rig_pass(r, 600);
    rig_key(r, "Ctrl-S");
    assert_int_equal(rig_writes(r), 2);
    assert_string_equal(rig_write(r)->body, first); /* same key, same bytes */
    d.state = "processing";
    d.revision = 2;
    d.replayed = true;
    rig_answer(r, rig_write(r), deal_reply(r, "submit_answer", &d));
    assert_int_equal(answer_of(r, &d)->state, MODEL_WRITE_REPLAYED);
    assert_non_null(strstr(answer_of(r, &d)->text, "recorded this answer already"));
    assert_string_equal(answer_of(r, &d)->key, key);
    rig_close(r);
}

/* A read that began before the loss and shows no change proves nothing; nor does an error. */
static void only_a_later_read_settles(void **state)
{
    (void)state;
    struct deal d = deal_new(1, "needs_answer");
    struct rig *r = reviewing(&d, "yes");
    r->m.purchases[0].due_mono = r->now;
    rig_pass(r, 10);
    struct seen *early = rig_read_of(r, d.id);
    assert_non_null(early);
    rig_pass(r, 600);
    lose_answer(r);
    rig_pass(r, 10);
    rig_answer(r, early, deal_status(r, &d));
    assert_int_equal(answer_of(r, &d)->state, MODEL_WRITE_UNKNOWN);
    rig_run(r, 600);
    assert_non_null(rig_read_of(r, d.id)); /* and it is read again */
    rig_answer_as(r, rig_read_of(r, d.id),
                  rig_refusal(r, "get_purchase_status", "UNAVAILABLE", NULL, RIG_RETRY("2"), true),
                  503, -1);
    assert_int_equal(answer_of(r, &d)->state, MODEL_WRITE_UNKNOWN);
    rig_run(r, 3000);
    rig_answer_read(r, &d);
    assert_int_equal(answer_of(r, &d)->state, MODEL_WRITE_SETTLED);
    rig_close(r);
}

static void unavailable_is_unknown(void **state)
{
    (void)state;
    struct deal d = deal_new(1, "needs_answer");
    struct rig *r = reviewing(&d, "yes");
    char next[512];
    rig_key(r, "Ctrl-S");
    snprintf(
        next, sizeof next,
        "{\"action\":\"call_tool\",\"tool\":\"get_purchase_status\",\"args\":{\"purchase\":\"%s\"},"
        "\"instruction\":\"\",\"after_seconds\":0,\"by\":null}",
        d.id);
    rig_answer_as(r, rig_write(r),
                  rig_refusal(r, "submit_answer", "UNAVAILABLE", NULL, next, false), 503, -1);
    assert_int_equal(answer_of(r, &d)->state, MODEL_WRITE_UNKNOWN);
    rig_run(r, 600);
    assert_non_null(rig_read_of(r, d.id));
    rig_close(r);
}

static void not_arrived_may_be_sent_again(void **state)
{
    (void)state;
    struct deal d = deal_new(1, "needs_answer");
    struct rig *r = reviewing(&d, "yes");
    rig_key(r, "Ctrl-S");
    rig_lose(r, rig_write(r), ENVOY_REFUSED, false);
    assert_int_equal(answer_of(r, &d)->state, MODEL_WRITE_REFUSED);
    assert_non_null(strstr(answer_of(r, &d)->text, "did not leave this computer"));
    char first[512];
    (void)str_copy(first, sizeof first, rig_write(r)->body);
    rig_key(r, "Ctrl-S");
    rig_pass(r, 600);
    rig_key(r, "Ctrl-S");
    assert_int_equal(rig_writes(r), 2);
    assert_string_equal(rig_write(r)->body, first);
    rig_close(r);
}

static void invalid_input_names_the_field(void **state)
{
    (void)state;
    struct deal d = deal_new(1, "needs_answer");
    struct rig *r = reviewing(&d, "yes");
    rig_key(r, "Ctrl-S");
    rig_answer_as(
        r, rig_write(r),
        rig_refusal(r, "submit_answer", "INVALID_INPUT",
                    "[{\"path\":\"/answer\",\"problem\":\"too vague\",\"expected\":null}]", NULL,
                    false),
        400, -1);
    assert_int_equal(answer_of(r, &d)->state, MODEL_WRITE_REFUSED);
    assert_non_null(strstr(answer_of(r, &d)->text, "/answer: too vague"));
    assert_string_equal(edit_text(&draft_of(r, &d, "q-1")->edit), "yes");
    rig_close(r);
}

static void other_words_are_another_answer(void **state)
{
    (void)state;
    struct deal d = deal_new(1, "needs_answer");
    struct rig *r = reviewing(&d, "yes");
    char key[CONTRACT_ID_MAX];
    rig_key(r, "Ctrl-S");
    (void)str_copy(key, sizeof key, answer_of(r, &d)->key);
    rig_lose(r, rig_write(r), ENVOY_REFUSED, false);
    rig_key(r, "Enter");
    rig_type(r, "!");
    rig_key(r, "Ctrl-S");
    rig_pass(r, 600);
    rig_key(r, "Ctrl-S");
    assert_int_equal(rig_writes(r), 2);
    assert_string_not_equal(answer_of(r, &d)->key, key);
    rig_close(r);
}

static const char *const stopped_words[] = {"Card 4111 1111 1111 1111 please", "4111111111111111",
                                            "The code is 409182"};

static void suspicious_words_are_stopped(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof stopped_words / sizeof stopped_words[0]; i++) {
        struct deal d = deal_new(1, "needs_answer");
        struct rig *r = rig_with(&d, plain_set);
        assert_int_not_equal(contract_answer_suspicion(stopped_words[i]), CONTRACT_CLEAN);
        rig_key(r, "Enter");
        rig_type(r, stopped_words[i]);
        rig_key(r, "Ctrl-S");
        assert_int_equal(model_dialog(&r->m), MODEL_DIALOG_NONE);
        assert_true(rig_news_has(r, "take it out"));
        assert_int_equal(rig_writes(r), 0);
        rig_close(r);
    }
}

/* One-time codes */

#define CODE "731946"

static struct deal otp_deal(void)
{
    struct deal d = deal_new(1, "needs_answer");
    d.question_json = "{\"id\":\"q-1\",\"kind\":\"otp\",\"prompt\":\"The code?\",\"asked_at\":"
                      "\"2026-12-01T00:00:00Z\"}";
    return d;
}

static bool holds(const void *bytes, size_t len, const char *text)
{
    return memmem(bytes, len, text, strlen(text)) != NULL;
}

static bool model_holds(const struct rig *r, const char *text)
{
    if (holds(&r->m, sizeof r->m, text))
        return true;
    for (size_t i = 0; i < r->m.purchase_count; i++) {
        const struct model_purchase *p = &r->m.purchases[i];
        if (holds(p, sizeof *p, text) ||
            (p->rows && holds(p->rows, p->row_count * sizeof *p->rows, text)))
            return true;
        for (size_t k = 0; k < MODEL_DRAFTS_MAX; k++)
            if (strstr(edit_text(&p->drafts[k].edit), text) ||
                (p->drafts[k].sent && strstr(p->drafts[k].sent, text)))
                return true;
    }
    return holds(r->m.activity, r->m.activity_count * sizeof *r->m.activity, text);
}

static void code_lives_in_guarded_memory_alone(void **state)
{
    (void)state;
    struct deal d = otp_deal();
    struct rig *r = rig_with(&d, plain_set);
    rig_key(r, "Enter");
    rig_type(r, CODE "9");
    rig_key(r, "Backspace");
    assert_int_equal(rig_purchase(r, &d)->secret_chars, 6);
    assert_int_equal(secret_len(rig_purchase(r, &d)->secret_entry), 6);
    assert_false(model_holds(r, CODE));
    assert_false(model_holds(r, "731"));
    rig_key(r, "Ctrl-S");
    rig_pass(r, 600);
    rig_key(r, "Ctrl-S");
    rig_key(r, "Ctrl-S");
    assert_int_equal(rig_writes(r), 1);
    struct seen *w = rig_write(r);
    assert_true(w->secret_len > 0); /* and the rig has seen that the plain body is empty */
    assert_non_null(strstr(w->secret, "\"answer\":\"" CODE "\""));
    struct contract_problems problems;
    assert_int_equal(contract_check_input(w->tool, w->secret, w->secret_len, &problems), ERR_OK);
    assert_null(rig_purchase(r, &d)->secret_entry);
    assert_int_equal(rig_purchase(r, &d)->secret_chars, 0);
    assert_false(model_holds(r, CODE));
    /* lost: never sent again by itself, and asked anew it starts empty */
    rig_lose(r, w, ENVOY_TIMEOUT, true);
    rig_run(r, 600);
    d.revision = 2;
    d.question_json =
        "{\"id\":\"q-2\",\"kind\":\"otp\",\"prompt\":\"The code again?\",\"asked_at\":"
        "\"2026-12-01T00:00:00Z\"}";
    rig_answer_read(r, &d);
    rig_run(r, 60000);
    assert_int_equal(rig_writes(r), 1);
    rig_key(r, "Enter");
    assert_int_equal(rig_purchase(r, &d)->secret_chars, 0);
    rig_close(r);
}

static void card_number_as_a_code_is_stopped(void **state)
{
    (void)state;
    struct deal d = otp_deal();
    struct rig *r = rig_with(&d, plain_set);
    rig_key(r, "Enter");
    rig_paste(r, "6521 5500 0000 0001");
    rig_key(r, "Ctrl-S");
    rig_pass(r, 600);
    rig_key(r, "Ctrl-S");
    assert_int_equal(rig_writes(r), 0);
    assert_non_null(strstr(r->m.form.problem, "card number"));
    rig_close(r);
}

static void half_a_code_is_wiped(void **state)
{
    (void)state;
    for (int how = 0; how < 3; how++) {
        struct deal d = otp_deal();
        struct rig *r = rig_with(&d, plain_set);
        rig_key(r, "Enter");
        rig_paste(r, CODE "\n");
        assert_int_equal(rig_purchase(r, &d)->secret_chars, 6);
        assert_true(model_has_drafts(&r->m));
        if (how == 0) {
            rig_say(r, MSG_SUSPEND);
        } else if (how == 1) {
            rig_say(r, MSG_CLOSE);
        } else {
            d.revision = 2;
            d.question_json =
                "{\"id\":\"q-2\",\"kind\":\"otp\",\"prompt\":\"?\",\"asked_at\":null}";
            r->m.purchases[0].due_mono = r->now;
            rig_pass(r, 10);
            rig_answer_read(r, &d);
        }
        assert_null(rig_purchase(r, &d)->secret_entry);
        assert_false(r->m.editing);
        rig_close(r);
    }
}

static void code_paste_has_one_line(void **state)
{
    (void)state;
    struct deal d = otp_deal();
    struct rig *r = rig_with(&d, plain_set);
    rig_key(r, "Enter");
    rig_paste(r, "731\n946");
    rig_burst(r, "7\n3");
    rig_key(r, "Enter");
    assert_int_equal(rig_purchase(r, &d)->secret_chars, 0);
    rig_key(r, "Ctrl-S");
    assert_int_equal(model_dialog(&r->m), MODEL_DIALOG_NONE);
    assert_true(rig_news_has(r, "No code was typed"));
    rig_close(r);
}

static void password_is_refused(void **state)
{
    (void)state;
    struct deal d = deal_new(1, "needs_answer");
    d.question_json =
        "{\"id\":\"q-1\",\"kind\":\"password\",\"prompt\":\"Your password?\",\"asked_at\":"
        "null}";
    struct rig *r = rig_with(&d, plain_set);
    rig_key(r, "Enter");
    assert_false(r->m.editing);
    assert_true(rig_news_has(r, "Passwords are never sent"));
    rig_key(r, "Ctrl-S");
    assert_int_equal(model_dialog(&r->m), MODEL_DIALOG_NONE);
    rig_key(r, "x"); /* the offer to cancel */
    assert_int_equal(model_dialog(&r->m), MODEL_DIALOG_CANCEL);
    rig_close(r);
}

static void feedback_with_rating(void **state)
{
    (void)state;
    struct deal d = deal_new(1, "completed");
    d.money = "debited";
    d.follow_up_json = "{\"id\":\"fb-1\",\"kind\":\"feedback\",\"prompt\":\"How did it go?\"}";
    d.follow_ups_json =
        "[{\"tool\":\"submit_answer\",\"args\":{ \"purchase\":"
        "\"pur_00000000000000000000000000000001\",  \"question\":\"fb-1\",\"type\":\"feedback\"},"
        "\"why\":\"\"}]";
    struct deal listed = d;
    listed.state = "processing";
    struct rig *r = rig_open(plain_set);
    rig_begin(r, &listed, 1);
    rig_answer_read(r, &d);
    r->m.pane = MODEL_PANE_NEED;
    rig_pass(r, 1000);
    for (int i = 0; i < 8; i++)
        rig_key(r, "+");
    rig_key(r, "-");
    rig_key(r, "Enter");
    rig_type(r, "Fine.");
    rig_key(r, "Ctrl-S");
    rig_pass(r, 600);
    rig_key(r, "Ctrl-S");
    assert_int_equal(rig_writes(r), 1);
    char body[512];
    snprintf(
        body, sizeof body,
        "{ \"purchase\":\"%s\",  \"question\":\"fb-1\",\"type\":\"feedback\",\"answer\":\"Fine.\","
        "\"rating\":4,\"idempotency_key\":\"%s\"}",
        d.id, rig_purchase(r, &d)->writes[MODEL_WRITE_FEEDBACK].key);
    assert_string_equal(rig_write(r)->body, body);
    rig_answer(r, rig_write(r), deal_reply(r, "submit_answer", &d));
    assert_int_equal(model_need(&r->m, rig_purchase(r, &d)), MODEL_NEED_FACTS);
    assert_false(model_has_drafts(&r->m)); /* what was sent is no draft any more */
    rig_close(r);
}

/* H7: the draft stays, cursor and all. */
static void h7_draft_survives(void **state)
{
    (void)state;
    struct rig *r = rig_open(plain_set);
    struct deal d[2] = {deal_new(1, "needs_answer"), deal_new(2, "needs_answer")};
    rig_begin(r, d, 2);
    rig_answer_read(r, &d[0]);
    rig_answer_read(r, &d[1]);
    rig_pass(r, 1000);
    assert_string_equal(r->m.selected, d[0].id);
    r->m.pane = MODEL_PANE_NEED;
    rig_key(r, "Enter");
    rig_type(r, "half a tho");
    rig_key(r, "Left");
    rig_key(r, "Left");
    size_t at = draft_of(r, &d[0], "q-1")->edit.at;
    assert_int_equal(at, 8);
    rig_resize(r, 20, 5);
    rig_type(r, "qqq"); /* R2: nothing is drawn, nothing acts, and nothing is lost */
    assert_false(r->m.quit);
    rig_resize(r, 100, 30);
    rig_say(r, MSG_SUSPEND);
    rig_say(r, MSG_RESUME);
    rig_key(r, "Esc");
    rig_key(r, "2");
    rig_key(r, "?");
    rig_key(r, "Esc");
    rig_key(r, "1");
    rig_key(r, "Tab");
    rig_key(r, "Down");
    assert_string_equal(r->m.selected, d[1].id);
    d[0].merchant = "Example Store Ltd"; /* the same purchase changes, the question stays */
    rig_purchase(r, &d[0])->due_mono = r->now;
    rig_pass(r, 10);
    struct deal same = d[0];
    rig_answer_read(r, &same);
    rig_key(r, "q");
    assert_int_equal(model_dialog(&r->m), MODEL_DIALOG_QUIT);
    rig_pass(r, 600);
    rig_key(r, "Enter"); /* default: No */
    assert_false(r->m.quit);
    rig_key(r, "Up");
    const struct model_draft *draft = draft_of(r, &d[0], "q-1");
    assert_string_equal(edit_text(&draft->edit), "half a tho");
    assert_int_equal(draft->edit.at, at);
    assert_false(draft->closed);
    rig_key(r, "q");
    rig_pass(r, 600);
    rig_key(r, "y");
    assert_true(r->m.quit);
    rig_close(r);
}

/* H8: every printable character is text in a field. */
static void h8_every_character_is_text(void **state)
{
    (void)state;
    struct deal d = deal_new(1, "needs_answer");
    struct rig *r = rig_with(&d, plain_set);
    char all[128] = "", one[2] = "";
    rig_key(r, "Enter");
    for (char c = ' '; c <= '~'; c++) {
        one[0] = c;
        rig_type(r, one);
        all[c - ' '] = c;
    }
    assert_string_equal(edit_text(&draft_of(r, &d, "q-1")->edit), all);
    assert_true(r->m.editing);
    rig_key(r, "Ctrl-C");
    assert_int_equal(model_dialog(&r->m), MODEL_DIALOG_QUIT);
    assert_false(r->m.quit);
    rig_close(r);
}

/* H5: a day passes over a half typed answer. */
static void h5_nothing_is_answered_by_time(void **state)
{
    (void)state;
    struct deal d = deal_new(1, "needs_answer");
    struct rig *r = reviewing(&d, "yes");
    for (int hour = 0; hour < 24; hour++) {
        rig_run(r, 3600000);
        struct seen *list = rig_open_call(r, CONTRACT_TOOL_LIST_PURCHASES, NULL);
        if (list)
            rig_answer(r, list, rig_list(r, &d, 1));
    }
    assert_int_equal(rig_writes(r), 0);
    assert_int_equal(model_dialog(&r->m), MODEL_DIALOG_REVIEW);
    rig_close(r);
}

static void too_long_is_refused_whole(void **state)
{
    (void)state;
    struct deal d = deal_new(1, "needs_answer");
    struct rig *r = rig_with(&d, plain_set);
    char many[901];
    memset(many, 'a', 900);
    many[900] = '\0';
    rig_key(r, "Enter");
    rig_paste(r, many);
    assert_true(edit_is_empty(&draft_of(r, &d, "q-1")->edit));
    assert_true(rig_news_has(r, "at most 800"));
    rig_close(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answer_goes_out_as_reviewed),
        cmocka_unit_test(p4_two_presses_send_one),
        cmocka_unit_test(h1_nothing_within_half_a_second),
        cmocka_unit_test(h1_typed_ahead_at_every_boundary),
        cmocka_unit_test(h1_closing_text_swallows_the_word),
        cmocka_unit_test(h4_paste_is_text_or_nothing),
        cmocka_unit_test(h2_replaced_under_review),
        cmocka_unit_test(h6_conflict_is_told_and_read),
        cmocka_unit_test(p4_lost_reply_settles_as_answered),
        cmocka_unit_test(p4_lost_reply_settles_as_not_recorded),
        cmocka_unit_test(only_a_later_read_settles),
        cmocka_unit_test(unavailable_is_unknown),
        cmocka_unit_test(not_arrived_may_be_sent_again),
        cmocka_unit_test(invalid_input_names_the_field),
        cmocka_unit_test(other_words_are_another_answer),
        cmocka_unit_test(suspicious_words_are_stopped),
        cmocka_unit_test(code_lives_in_guarded_memory_alone),
        cmocka_unit_test(card_number_as_a_code_is_stopped),
        cmocka_unit_test(half_a_code_is_wiped),
        cmocka_unit_test(code_paste_has_one_line),
        cmocka_unit_test(password_is_refused),
        cmocka_unit_test(feedback_with_rating),
        cmocka_unit_test(h7_draft_survives),
        cmocka_unit_test(h8_every_character_is_text),
        cmocka_unit_test(h5_nothing_is_answered_by_time),
        cmocka_unit_test(too_long_is_refused_whole),
    };
    return cmocka_run_group_tests(tests, init, NULL);
}
