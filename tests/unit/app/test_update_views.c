/* SPDX-License-Identifier: Apache-2.0 */
/* Moving about: lists, filter, questions, transactions, export, activity, palette, and the key
 * line, whose every key must do what it says. */
#include <jansson.h>
#include "app_rig.h"

static const struct model_settings plain_set = {.demo = true};

static int init(void **state)
{
    bool locked;
    (void)state;
    return secret_init(&locked) == ERR_OK ? 0 : -1;
}

static void filter_and_questions(void **state)
{
    (void)state;
    struct rig *r = rig_open(plain_set);
    struct deal d[4] = {deal_new(1, "processing"), deal_new(2, "needs_answer"),
                        deal_new(3, "processing"), deal_new(4, "needs_answer")};
    d[0].merchant = "Corner Books";
    d[2].merchant = "Corner Shoes";
    const struct model_purchase *shown[8];
    rig_begin(r, d, 4);
    for (int i = 0; i < 4; i++)
        rig_answer_read(r, &d[i]);
    rig_pass(r, 6000);
    rig_key(r, "End");
    assert_string_equal(r->m.selected, d[3].id);
    rig_key(r, "/");
    rig_type(r, "corner");
    assert_int_equal(model_visible(&r->m, shown, 8), 2);
    rig_key(r, "Enter");
    assert_string_equal(r->m.selected, d[0].id); /* keys act on a row that is shown */
    rig_key(r, "Down");
    assert_string_equal(r->m.selected, d[2].id);
    rig_key(r, "Down"); /* at the end it stays */
    assert_string_equal(r->m.selected, d[2].id);
    rig_key(r, "Esc");
    assert_int_equal(model_visible(&r->m, shown, 8), 4);
    rig_key(r, "/");
    rig_type(r, "zzz");
    assert_int_equal(model_visible(&r->m, shown, 8), 0);
    rig_key(r, "Esc"); /* takes it back */
    assert_int_equal(model_visible(&r->m, shown, 8), 4);
    rig_key(r, "5");
    assert_int_equal(model_count_open_questions(&r->m), 2);
    rig_key(r, "Home");
    assert_string_equal(r->m.selected, d[1].id);
    rig_key(r, "Down");
    assert_string_equal(r->m.selected, d[3].id);
    rig_key(r, "Enter");
    assert_int_equal(r->m.view, MODEL_VIEW_PURCHASES);
    assert_int_equal(r->m.pane, MODEL_PANE_NEED);
    assert_false(r->m.editing); /* opening is not writing */
    rig_close(r);
}

static void selection_follows_its_purchase(void **state)
{
    (void)state;
    struct rig *r = rig_open(plain_set);
    struct deal d[30];
    for (int i = 0; i < 30; i++)
        d[i] = deal_new(i + 1, "completed");
    rig_begin(r, d + 10, 3);
    rig_key(r, "Down");
    assert_string_equal(r->m.selected, d[11].id);
    for (size_t n = 4; n < 20; n++) { /* rows come in above and below */
        r->m.list_due_mono = r->now;
        rig_pass(r, 50);
        rig_answer(r, rig_open_call(r, CONTRACT_TOOL_LIST_PURCHASES, NULL), rig_list(r, d, n));
        assert_string_equal(r->m.selected, d[11].id);
    }
    rig_close(r);
}

/* Transactions */

static const char *lines(const struct rig *r, int first, int count, const char *cursor_json)
{
    static char out[32768];
    char head[512];
    rig_head(r, head, sizeof head, "list_transactions", NULL);
    size_t at =
        (size_t)snprintf(out, sizeof out, "%s\"purchase\":null,\"data\":{\"transactions\":[", head);
    for (int i = 0; i < count; i++)
        at += (size_t)snprintf(
            out + at, sizeof out - at,
            "%s{\"id\":\"line-%d\",\"occurred_at\":\"2026-11-30T10:00:00Z\",\"amount\":{\"minor\":%"
            "d,"
            "\"currency\":\"INR\",\"display\":\"₹%d.00\"},\"direction\":\"debit\",\"title\":%s,"
            "\"subtitle\":\"A \\\"quoted\\\", name\",\"by_agent\":true,\"kind\":%s,"
            "\"status\":\"completed\",\"card\":\"envoy\"}",
            i ? "," : "", first + i, (first + i + 1) * 100, first + i + 1,
            i % 3 == 0 ? "\"=HYPERLINK(1)\"" : "\"Corner Books\"",
            i % 5 == 4 ? "\"barter\"" : "\"purchase\"");
    snprintf(out + at, sizeof out - at, "],\"next_cursor\":%s}," RIG_CONTINUE, cursor_json);
    return out;
}

static struct seen *page(struct rig *r)
{
    return rig_open_call(r, CONTRACT_TOOL_LIST_TRANSACTIONS, NULL);
}

static void pages_by_exact_cursor_to_the_end(void **state)
{
    (void)state;
    struct rig *r = rig_open(plain_set);
    rig_begin(r, NULL, 0);
    rig_key(r, "3");
    assert_string_equal(page(r)->body, "{\"limit\":20}");
    rig_key(r, "End"); /* nothing is asked twice */
    rig_key(r, "PgDn");
    assert_int_equal(rig_calls(r), 3);
    rig_answer(r, page(r), lines(r, 0, 20, "\"c/+=\\u20b9\\\"2\\\\\""));
    assert_int_equal(r->m.lines.count, 20);
    assert_string_equal(r->m.lines.selected, "line-0");
    rig_key(r, "End");
    assert_non_null(page(r));
    json_t *sent = json_loads(page(r)->body, 0, NULL);
    assert_string_equal(json_string_value(json_object_get(sent, "cursor")), "c/+=₹\"2\\");
    json_decref(sent);
    rig_answer(r, page(r), lines(r, 20, 20, "\"c3\""));
    assert_int_equal(r->m.lines.count, 40);
    assert_string_equal(r->m.lines.selected, "line-19"); /* stays where it was */
    rig_key(r, "End");
    rig_lose(r, page(r), ENVOY_TIMEOUT, true);
    assert_string_equal(r->m.lines.trouble, envoy_outcome_words(ENVOY_TIMEOUT));
    assert_int_equal(r->m.lines.count, 40);
    rig_key(r, "End");
    assert_null(page(r)); /* not hammered: r starts again */
    rig_key(r, "r");
    rig_answer(r, page(r), lines(r, 0, 3, "null"));
    assert_true(r->m.lines.ended);
    rig_key(r, "End");
    rig_key(r, "PgDn");
    assert_null(page(r));
    rig_close(r);
}

static void dates_are_checked(void **state)
{
    (void)state;
    static const struct {
        const char *from, *to, *size, *problem;
    } rows[] = {
        {"2026-02-30", "", "20", "YYYY-MM-DD"},
        {"yesterday", "", "20", "YYYY-MM-DD"},
        {"2026-11-02", "2026-11-01", "20", "later"},
        {"", "", "0", "1 to 50"},
        {"", "", "51", "1 to 50"},
        {"", "", "7x", "1 to 50"},
        {"", "", "", "1 to 50"},
        {"2026-11-01", "2026-11-30", "50", ""},
    };
    struct rig *r = rig_open(plain_set);
    rig_begin(r, NULL, 0);
    rig_key(r, "3");
    rig_answer(r, page(r), lines(r, 0, 20, "\"c2\""));
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *text[3] = {rows[i].from, rows[i].to, rows[i].size};
        rig_key(r, "d");
        for (int k = 0; k < 3; k++) {
            rig_key(r, "Ctrl-U");
            rig_type(r, text[k]);
            rig_key(r, "Tab");
        }
        rig_key(r, "Enter");
        if (rows[i].problem[0]) {
            assert_non_null(strstr(r->m.form.problem, rows[i].problem));
            assert_int_equal(model_dialog(&r->m), MODEL_DIALOG_DATES);
            assert_null(page(r));
            rig_key(r, "Esc");
        } else {
            assert_int_equal(model_dialog(&r->m), MODEL_DIALOG_NONE);
            assert_string_equal(page(r)->body,
                                "{\"from\":\"2026-11-01\",\"to\":\"2026-11-30\",\"limit\":50}");
        }
    }
    /* another range while that page is on its way: the page is let go, the new range is read */
    rig_key(r, "d");
    rig_key(r, "Ctrl-U");
    rig_type(r, "2026-11-15");
    rig_key(r, "Enter");
    rig_answer(r, page(r), lines(r, 500, 20, "\"of-the-old-range\""));
    assert_int_equal(r->m.lines.count, 0);
    assert_non_null(page(r));
    assert_non_null(strstr(page(r)->body, "2026-11-15"));
    assert_null(strstr(page(r)->body, "cursor"));
    rig_answer(r, page(r), lines(r, 0, 2, "null"));
    assert_int_equal(r->m.lines.count, 2);
    rig_close(r);
}

static void export_csv_and_json(void **state)
{
    (void)state;
    struct rig *r = rig_open(plain_set);
    rig_begin(r, NULL, 0);
    rig_key(r, "3");
    rig_answer(r, page(r), lines(r, 0, 12, "null"));
    rig_key(r, "e");
    rig_key(r, "Enter");
    struct seen *f = rig_last(r, EFFECT_WRITE_FILE);
    assert_non_null(f);
    assert_string_equal(f->path, "envoy-transactions.csv");
    static const char first[] =
        "occurred_at,title,subtitle,kind,status,direction,amount,id\r\n"
        "\"2026-11-30T10:00:00Z\",\"'=HYPERLINK(1)\",\"A \"\"quoted\"\", name\",\"purchase\","
        "\"completed\",\"debit\",\"1.00\",\"line-0\"\r\n";
    assert_memory_equal(f->body, first, strlen(first));
    size_t rows = 0;
    for (const char *at = f->body; (at = strstr(at, "\r\n")); at += 2)
        rows++;
    assert_int_equal(rows, 13);
    assert_non_null(strstr(f->body, "\"barter\"")); /* a kind that is not known stands as it came */
    rig_key(r, "e");
    rig_key(r, "Tab");
    rig_key(r, "Enter");
    f = rig_last(r, EFFECT_WRITE_FILE);
    assert_string_equal(f->path, "envoy-transactions.json");
    json_t *all = json_loads(f->body, 0, NULL);
    assert_int_equal(json_array_size(all), 12);
    json_t *line = json_array_get(all, 4);
    assert_string_equal(json_string_value(json_object_get(line, "kind")), "barter");
    assert_string_equal(json_string_value(json_object_get(line, "amount")), "5.00");
    assert_string_equal(json_string_value(json_object_get(line, "subtitle")), "A \"quoted\", name");
    json_decref(all);
    rig_key(r, "/");
    rig_type(r, "hyper");
    size_t calls = rig_calls(r);
    rig_key(r, "Enter");
    const struct contract_line *found;
    assert_int_equal(model_lines_visible(&r->m, &found, 1), 4);
    assert_string_equal(r->m.lines.selected, found->id);
    assert_int_equal(rig_calls(r), calls);
    rig_key(r, "e");
    rig_key(r, "Tab");
    rig_key(r, "Enter"); /* what the filter shows */
    all = json_loads(rig_last(r, EFFECT_WRITE_FILE)->body, 0, NULL);
    assert_int_equal(json_array_size(all), 4);
    json_decref(all);
    size_t before = r->count;
    rig_key(r, "e");
    rig_key(r, "Ctrl-U");
    rig_key(r, "Enter");
    assert_string_not_equal(r->m.form.problem, "");
    for (int i = 0; i < 150; i++)
        rig_type(r, "\xF0\x9F\x92\xB0"); /* more bytes than a path has room for: refused, not cut */
    rig_key(r, "Enter");
    assert_int_equal(r->count, before);
    rig_close(r);
}

static void ten_thousand_lines_fit_a_file(void **state)
{
    (void)state;
    struct rig *r = rig_open(plain_set);
    rig_begin(r, NULL, 0);
    rig_key(r, "3");
    for (int i = 0; i < 200; i++) {
        char cursor[32];
        snprintf(cursor, sizeof cursor, i < 199 ? "\"c%d\"" : "null", i);
        rig_answer(r, page(r), lines(r, i * 50, 50, cursor));
        rig_pass(r, 2000); /* the call budget */
        rig_key(r, "End");
    }
    assert_int_equal(r->m.lines.count, 10000);
    rig_key(r, "e");
    rig_key(r, "Tab");
    rig_key(r, "Enter");
    assert_int_equal(model_dialog(&r->m), MODEL_DIALOG_NONE);
    json_t *all = json_loads(rig_last(r, EFFECT_WRITE_FILE)->body, 0, NULL);
    assert_int_equal(json_array_size(all), 10000);
    json_decref(all);
    rig_close(r);
}

static void activity_is_a_ring(void **state)
{
    (void)state;
    struct deal d = deal_new(1, "processing");
    struct rig *r = rig_with(&d, plain_set);
    for (int i = 0; i < 700; i++) {
        d.revision++;
        rig_answer_read(r, &d);
        rig_pass(r, 1000);
    }
    assert_int_equal(r->m.activity_count, MODEL_ACTIVITY_MAX);
    for (size_t i = 1; i < r->m.activity_count; i++)
        assert_true(r->m.activity[i].id > r->m.activity[i - 1].id);
    assert_true(rig_purchase(r, &d)->row_count <= MODEL_ROWS_MAX);
    rig_key(r, "6");
    rig_key(r, "Home");
    rig_key(r, "y"); /* the newest is on its way: nothing to copy yet, and the clipboard is left */
    assert_null(rig_last(r, EFFECT_COPY));
    rig_key(r, "End");
    rig_key(r, "Enter");
    assert_int_equal(model_dialog(&r->m), MODEL_DIALOG_CALL);
    rig_key(r, "y");
    assert_non_null(strstr(rig_last(r, EFFECT_COPY)->body, "get_purchase_status"));
    assert_non_null(strstr(rig_last(r, EFFECT_COPY)->body, "req_"));
    rig_close(r);
}

static void personal_details_go_after_a_minute(void **state)
{
    (void)state;
    struct rig *r = rig_open(plain_set);
    rig_begin(r, NULL, 0);
    assert_null(r->m.account->profile_name); /* not kept */
    assert_null(r->m.account->profile_mobile);
    assert_string_equal(r->m.owner, "Asha Rao");
    rig_key(r, "2");
    rig_key(r, "i");
    rig_key(r, "i");
    struct seen *s = rig_open_call(r, CONTRACT_TOOL_GET_ACCOUNT, NULL);
    assert_string_equal(s->body, "{\"include\":[\"profile\",\"addresses\"]}");
    rig_answer(r, s, rig_account(r));
    assert_non_null(r->m.personal);
    assert_true(app_wake_mono(&r->m, false) <= r->now + MODEL_PERSONAL_MS);
    rig_run(r, MODEL_PERSONAL_MS);
    assert_null(r->m.personal);
    rig_close(r);
}

static void palette_runs_by_name(void **state)
{
    (void)state;
    struct deal d = deal_new(1, "needs_answer");
    struct rig *r = rig_with(&d, plain_set);
    const struct command *found[128];
    assert_true(command_count() < 128);
    size_t count = command_match(&r->m, "", found, 128);
    bool refused = false;
    for (size_t i = 0; i < count; i++) { /* allowed ones first */
        bool no = found[i]->refused && found[i]->refused(&r->m);
        assert_true(no || !refused);
        refused = no;
        assert_false(strncmp(found[i]->name, "phone", 5) == 0); /* no simulator here */
    }
    rig_key(r, "2");
    rig_key(r, ":");
    rig_type(r, "write");
    rig_key(r, "Enter");
    assert_true(r->m.editing);
    assert_int_equal(r->m.view, MODEL_VIEW_PURCHASES); /* where the words are seen */
    rig_key(r, "Esc");
    rig_key(r, ":");
    rig_type(r, "report-paid");
    rig_key(r, "Enter");
    assert_int_equal(model_dialog(&r->m), MODEL_DIALOG_NONE);
    assert_true(r->m.news.warning);
    rig_key(r, ":");
    rig_paste(r, "quit\n"); /* a paste fills in, it does not run */
    assert_false(r->m.quit);
    rig_key(r, "Esc");
    rig_close(r);
}

static void phone_goes_to_the_simulator_only(void **state)
{
    (void)state;
    struct deal d = deal_new(1, "waiting_for_user");
    struct rig *r = rig_with(&d, (struct model_settings){.demo = true, .sim_control = true});
    size_t calls = rig_calls(r);
    rig_key(r, "P");
    rig_type(r, "appr");
    rig_key(r, "Enter");
    struct seen *s = rig_last(r, EFFECT_CONTROL);
    char body[128];
    snprintf(body, sizeof body, "{\"purchase\":\"%s\",\"action\":\"approve\"}", d.id);
    assert_non_null(s);
    assert_string_equal(s->path, "/sim/phone");
    assert_string_equal(s->body, body);
    assert_int_equal(rig_calls(r), calls);
    enum model_link link = r->m.link;
    rig_send(r, (struct msg){.kind = MSG_CONTROL,
                             .call = s->call,
                             .http_status = 409,
                             .text = "{\"why\":\"\x1b[2Jnot now\"}"});
    assert_true(rig_news_has(r, "not now"));
    assert_null(strchr(r->m.news.text, '\x1b'));
    rig_key(r, "P");
    rig_type(r, "pay");
    rig_key(r, "Enter");
    rig_send(r, (struct msg){
                    .kind = MSG_NOT_SENT, .call = rig_last(r, EFFECT_CONTROL)->call, .text = "no"});
    assert_int_equal(r->m.link, link); /* says nothing about Envoy */
    rig_close(r);
}

/* The first key that a row of the key line names. */
static bool first_key(const struct command *c, struct input_event *e)
{
    char name[INPUT_NAME_MAX] = "";
    const char *keys = c->keys ? c->keys : c->key_text;
    memcpy(name, keys, strcspn(keys, " "));
    return input_event_parse(name, e);
}

static void check_hints(struct rig *r)
{
    const struct command *hints[128];
    size_t count = command_hints(&r->m, hints, 128);
    for (size_t i = 0; i < count; i++) {
        struct input_event e;
        assert_true(first_key(hints[i], &e));
        const struct command *c = command_for_key(&r->m, &e);
        if (c != hints[i])
            fail_msg("%s says %s, which runs %s", hints[i]->name, hints[i]->key_text,
                     c ? c->name : "nothing");
        assert_true(!c->refused || !c->refused(&r->m));
        if (i > 0)
            assert_true(hints[i]->rank >= hints[i - 1]->rank);
    }
}

/* In every view and pane, for every state: what the key line says is what the key does. */
static void every_hint_works(void **state)
{
    (void)state;
    static const char *const states[] = {
        "needs_answer", "needs_details", "waiting_for_user", "processing", "ready",
        "verifying",    "completed",     "failed",           "cancelled",  "quantum",
    };
    static const char *const keys[] = {"1", "2", "3", "4", "5", "6"};
    for (size_t s = 0; s < sizeof states / sizeof states[0]; s++) {
        for (int with = 0; with < 4; with++) {
            struct deal d = deal_new(1, states[s]);
            d.money = with & 1 ? "debited" : "not_started";
            if (strcmp(states[s], "ready") == 0 && (with & 1))
                d.details_json = rig_card(RIG_ATTEMPT_A);
            if (strcmp(states[s], "waiting_for_user") == 0 && (with & 1)) {
                d.task_json = "\"pay_link\"";
                d.action_json = "{\"task\":\"pay_link\",\"url\":\"https://pay.example.test/l/1\","
                                "\"by\":null,\"message\":\"Pay.\"}";
            }
            struct deal listed = d;
            listed.state = "processing";
            struct rig *r = rig_open((struct model_settings){
                .demo = true, .sim_control = (with & 1) != 0, .read_only = (with & 2) != 0});
            rig_begin(r, &listed, 1);
            rig_answer_read(r, &d);
            rig_pass(r, 5000);
            for (size_t v = 0; v < sizeof keys / sizeof keys[0]; v++) {
                rig_key(r, keys[v]);
                for (int pane = 0; pane < MODEL_PANE_COUNT; pane++) {
                    r->m.pane = (enum model_pane)pane;
                    r->m.editing = false;
                    check_hints(r);
                }
            }
            rig_key(r, "1");
            r->m.pane = MODEL_PANE_NEED;
            rig_key(r, "Enter");
            rig_type(r, "word");
            check_hints(r);
            rig_close(r);
        }
    }
}

/* Whatever is pressed, in any order: no write but those that were reviewed, and no lost model. */
static void random_keys_break_nothing(void **state)
{
    (void)state;
    static const char *const keys[] = {
        "Enter", "Esc",  "Tab",   "Shift-Tab", "Up", "Down",   "PgUp", "PgDn",  "Home",
        "End",   "1",    "2",     "3",         "4",  "5",      "6",    "x",     "n",
        "e",     "c",    "b",     "f",         "p",  "s",      "v",    "V",     "w",
        "g",     "r",    "/",     ":",         "?",  "Ctrl-U", "d",    "i",     "N",
        "R",     "Left", "Right", "Backspace", "F2", "F3",     "F8",   "Space", "+",
    };
    uint32_t seed = 12345;
    for (int round = 0; round < 12; round++) {
        static const char *const states[] = {"needs_answer", "ready", "waiting_for_user",
                                             "completed"};
        struct deal d = deal_new(1, states[round % 4]);
        if (round % 4 == 1)
            d.details_json = rig_card(RIG_ATTEMPT_A);
        struct rig *r = rig_with(&d, (struct model_settings){.demo = true});
        for (int i = 0; i < 600 && r->count < RIG_SEEN_MAX - 64; i++) {
            seed = seed * 1664525u + 1013904223u;
            rig_key(r, keys[(seed >> 16) % (sizeof keys / sizeof keys[0])]);
            if ((seed & 0x700) == 0)
                rig_pass(r, 700);
        }
        for (size_t i = 0; i < r->count; i++) /* Ctrl-S and y were never pressed */
            if (rig_is_write(&r->seen[i]))
                assert_true(r->seen[i].tool == CONTRACT_TOOL_REPORT_CHECKOUT_STEP);
        rig_close(r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(filter_and_questions),
        cmocka_unit_test(selection_follows_its_purchase),
        cmocka_unit_test(pages_by_exact_cursor_to_the_end),
        cmocka_unit_test(dates_are_checked),
        cmocka_unit_test(export_csv_and_json),
        cmocka_unit_test(ten_thousand_lines_fit_a_file),
        cmocka_unit_test(activity_is_a_ring),
        cmocka_unit_test(personal_details_go_after_a_minute),
        cmocka_unit_test(palette_runs_by_name),
        cmocka_unit_test(phone_goes_to_the_simulator_only),
        cmocka_unit_test(every_hint_works),
        cmocka_unit_test(random_keys_break_nothing),
    };
    return cmocka_run_group_tests(tests, init, NULL);
}
