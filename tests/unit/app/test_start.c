/* SPDX-License-Identifier: Apache-2.0 */
/* The start form: its rows, what is said of them, what holds a start back, and that whatever is
 * lost on the way there is never a second one. */
#include "start_rig.h"

#define START CONTRACT_TOOL_START_PURCHASE
#define READ  CONTRACT_TOOL_GET_PURCHASE_STATUS

static struct start_form *form(void)
{
    return &rig.m->start;
}

static size_t place(enum start_field field, int group)
{
    struct start_row *row = start_find_row(form(), field, group);
    assert_non_null(row);
    return (size_t)(row - form()->rows);
}

static const char *text(enum start_field field, int group)
{
    return edit_text(&form()->rows[place(field, group)].edit);
}

static const char *problem(enum start_field field, int group)
{
    const struct contract_field *p = start_row_problem(form(), &form()->rows[place(field, group)]);
    return p ? p->problem : "";
}

static void groups_are_added_and_renumbered(void **state)
{
    (void)state;
    rig_good_form();
    rig_key("F2");
    rig_key("F2");
    rig_set(START_FIELD_ITEM_NAME, 1, "second");
    rig_set(START_FIELD_ITEM_NAME, 2, "third");
    (void)str_copy(form()->product_ids[2], sizeof form()->product_ids[2], "of-third");
    form()->focus = place(START_FIELD_ITEM_PRICE, 1);
    rig_key("F8");
    assert_string_equal(text(START_FIELD_ITEM_NAME, 1), "third");
    assert_string_equal(form()->product_ids[1], "of-third");
    assert_null(start_find_row(form(), START_FIELD_ITEM_NAME, 2));
    assert_string_equal(text(START_FIELD_ITEM_NAME, 0), "Headphones, black");
    /* the rows of an item stand together, before what follows the items */
    assert_int_equal(place(START_FIELD_ITEM_URL, 1) + 1, place(START_FIELD_USER_REQUEST, 0));
}

static void the_first_item_stays(void **state)
{
    (void)state;
    rig_good_form();
    form()->focus = place(START_FIELD_ITEM_NAME, 0);
    rig_key("F8");
    assert_string_equal(text(START_FIELD_ITEM_NAME, 0), "");
    assert_non_null(start_find_row(form(), START_FIELD_ITEM_URL, 0));
}

static void groups_have_a_limit(void **state)
{
    (void)state;
    rig_good_form();
    for (int i = 0; i < 2 * CONTRACT_ITEMS_MAX; i++) {
        rig_key("F2");
        rig_key("F3");
        rig_key("F4");
    }
    assert_non_null(start_find_row(form(), START_FIELD_ITEM_URL, CONTRACT_ITEMS_MAX - 1));
    assert_null(start_find_row(form(), START_FIELD_ITEM_NAME, CONTRACT_ITEMS_MAX));
    assert_non_null(start_find_row(form(), START_FIELD_PRICE_AMOUNT, START_PRICE_LINES_MAX - 1));
    assert_null(start_find_row(form(), START_FIELD_PRICE_CODE, START_PRICE_LINES_MAX));
    assert_non_null(start_find_row(form(), START_FIELD_FACT_VALUE, START_FACTS_MAX - 1));
    assert_null(start_find_row(form(), START_FIELD_FACT_CODE, START_FACTS_MAX));
    assert_true(form()->row_count <= START_ROWS_MAX);
    assert_true(form()->text[0] != '\0');
}

static void a_new_bill_line_has_a_code_that_is_free(void **state)
{
    (void)state;
    rig_good_form();
    rig_key("F3");
    rig_key("F3");
    rig_key("F3");
    form()->focus = place(START_FIELD_PRICE_CODE, 1);
    rig_key("F8");
    rig_key("F3");
    unsigned seen = 0;
    for (int g = 0; g < 3; g++)
        seen |= 1u << form()->rows[place(START_FIELD_PRICE_CODE, g)].choice;
    assert_int_equal(seen, 7);
}

static void every_rule_shows_at_its_row(void **state)
{
    static const struct {
        enum start_field field;
        const char *bad;
    } rows[] = {
        {START_FIELD_MERCHANT_URL, ""},
        {START_FIELD_MERCHANT_URL, "not a url"},
        {START_FIELD_MERCHANT_URL, "ftp://shop.example.test"},
        {START_FIELD_TOTAL, ""},
        {START_FIELD_TOTAL, "12.345"},
        {START_FIELD_TOTAL, "much"},
        {START_FIELD_ITEM_NAME, ""},
        {START_FIELD_ITEM_QUANTITY, "0"},
        {START_FIELD_ITEM_QUANTITY, "100"},
        {START_FIELD_ITEM_QUANTITY, "two"},
        {START_FIELD_ITEM_PRICE, "0"},
        {START_FIELD_ITEM_URL, "page"},
        {START_FIELD_USER_REQUEST, ""},
        {START_FIELD_ADDRESS, "Asha Rao, 14 Lake View Road, Bengaluru"},
        {START_FIELD_MAX_TOTAL, "2498.99"},
        {START_FIELD_MAX_TOTAL, "x"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        start_clear(form());
        model_remove_dialogs(rig.m);
        rig_good_form();
        rig_set(rows[i].field, 0, rows[i].bad);
        if (problem(rows[i].field, 0)[0] == '\0')
            fail_msg("\"%s\" in %s is not told at its row", rows[i].bad,
                     start_field_label(rows[i].field));
        form()->focus = 0;
        rig_key("Ctrl-S");
        assert_false(form()->reviewing);
        assert_int_equal(form()->focus, place(rows[i].field, 0));
    }
    assert_int_equal(rig_sent(START), 0);
}

static void rules_between_rows_show_at_one_of_them(void **state)
{
    (void)state;
    rig_good_form();
    rig_key("F3");
    rig_set(START_FIELD_PRICE_AMOUNT, 0, "2400");
    assert_string_not_equal(problem(START_FIELD_PRICE_AMOUNT, 0), ""); /* does not add up */
    rig_set(START_FIELD_PRICE_AMOUNT, 0, "2499.00");
    assert_string_equal(problem(START_FIELD_PRICE_AMOUNT, 0), "");
    rig_key("F2");
    rig_set(START_FIELD_ITEM_NAME, 1, "Cable");
    (void)str_copy(form()->product_ids[0], sizeof form()->product_ids[0],
                   "ofr_0123456789abcdef0123456789abcdef");
    start_check(rig.m);
    assert_string_not_equal(problem(START_FIELD_ITEM_NAME, 0), ""); /* an offer on one item alone */
    form()->product_ids[0][0] = '\0';
    (void)str_copy(form()->retry_of, sizeof form()->retry_of, RIG_PURCHASE);
    form()->rows[place(START_FIELD_RAIL, 0)].choice = 1 + CONTRACT_RAIL_CHOICE_GIFT_CARD;
    start_check(rig.m);
    assert_string_not_equal(problem(START_FIELD_RAIL, 0), ""); /* not in a linked retry */
}

static void a_saved_address_stays_chosen_when_it_is_hidden_again(void **state)
{
    struct contract_account *a = alloc_zero(1, sizeof *a);
    char words[256], id[200];
    (void)state;
    assert_non_null(a);
    rig_good_form();
    a->has_addresses = true;
    a->addresses = alloc_zero(2, sizeof *a->addresses);
    a->address_count = 2;
    (void)str_copy(a->addresses[1].id, sizeof a->addresses[1].id, "addr_home");
    a->addresses[0].label = alloc_text("without an id");
    a->addresses[1].label = alloc_text("Home");
    a->addresses[1].line = alloc_text("14 Lake View Road, Bengaluru 560038");
    model_take_account(&rig.m->personal, a);
    rig.m->personal_until_mono = rig.now + MODEL_PERSONAL_MS;
    form()->focus = place(START_FIELD_ADDRESS_ID, 0);
    rig_key("Right"); /* passes the one that cannot be named to Envoy */
    start_choice_words(rig.m, &form()->rows[form()->focus], words, sizeof words);
    assert_non_null(strstr(words, "Lake View"));
    rig_pass(MODEL_PERSONAL_MS);
    assert_null(rig.m->personal);
    start_choice_words(rig.m, &form()->rows[form()->focus], words, sizeof words);
    assert_null(strstr(words, "Lake View"));
    assert_non_null(strstr(words, "Home"));
    rig_key("Right");
    rig_send();
    assert_string_equal(rig_member(rig_last(START)->body, "address_id", id), "addr_home");
}

static void a_burst_is_text_and_never_a_key(void **state)
{
    struct input_event e = {.kind = INPUT_TEXT, .text = "x", .burst = true};
    struct msg msg = {.kind = MSG_INPUT, .input = &e};
    (void)state;
    rig_good_form();
    form()->focus = place(START_FIELD_ORDER_TITLE, 0);
    rig_message(&msg);
    (void)str_copy(e.text, sizeof e.text, "\n");
    rig_message(&msg);
    assert_int_equal(form()->focus, place(START_FIELD_ORDER_TITLE, 0));
    assert_true(str_starts(text(START_FIELD_ORDER_TITLE, 0), "x"));
}

static void enter_moves_and_never_sends(void **state)
{
    (void)state;
    rig_good_form();
    for (int i = 0; i < 40; i++) {
        rig_key("Enter");
        rig.now += 1000;
    }
    assert_int_equal(form()->focus, form()->row_count - 1);
    rig_key("Ctrl-S");
    for (int i = 0; i < 40; i++) {
        rig.now += 1000;
        rig_key("Enter");
        rig_key("y");
        rig_key("Space");
    }
    assert_true(form()->reviewing);
    assert_int_equal(rig_sent(START), 0);
}

static void it_is_not_sent_within_half_a_second(void **state)
{
    (void)state;
    rig_good_form();
    rig_key("Ctrl-S");
    rig.now += CONFIRM_DELAY_MS - 1;
    rig_key("Ctrl-S");
    assert_int_equal(rig_sent(START), 0);
    /* a key held down comes every few milliseconds, for as long as it is held */
    for (int i = 0; i < 200; i++) {
        rig.now += 33;
        rig_key("Ctrl-S");
    }
    assert_int_equal(rig_sent(START), 0);
    rig.now += CONFIRM_DELAY_MS;
    rig_key("Ctrl-S");
    assert_int_equal(rig_sent(START), 1);
    for (int i = 0; i < 20; i++) {
        rig.now += 1000;
        rig_key("Ctrl-S");
    }
    assert_int_equal(rig_sent(START), 1);
}

static void what_is_sent_is_what_was_written(void **state)
{
    char out[200];
    (void)state;
    rig_good_form();
    form()->focus = place(START_FIELD_ORDER_TITLE, 0);
    rig_type("Two words");
    rig_send();
    const char *body = rig_last(START)->body;
    assert_string_equal(rig_member(body, "merchant_url", out),
                        "https://shop.example.test/headphones");
    assert_string_equal(rig_member(body, "total", out), "2499.00");
    assert_string_equal(rig_member(body, "order_title", out), "Two words");
    assert_string_equal(rig_member(body, "user_request", out), "The black ones, please");
    assert_string_equal(rig_member(body, "idempotency_key", out), form()->key);
    assert_null(strstr(body, "max_total"));
    assert_null(strstr(body, "retry_of"));
    assert_null(strstr(body, "rail"));
}

static void a_started_purchase_is_selected_and_followed(void **state)
{
    (void)state;
    rig.m->view = MODEL_VIEW_SHOP;
    rig_good_form();
    rig_send();
    rig_accept(rig_last(START));
    assert_int_equal(model_dialog(rig.m), MODEL_DIALOG_NONE);
    assert_int_equal(rig.m->view, MODEL_VIEW_PURCHASES);
    assert_string_equal(rig.m->selected, RIG_PURCHASE);
    assert_int_equal(form()->state, START_CLOSED);
    assert_int_equal(rig.m->purchases[0].state.value, CONTRACT_STATE_WAITING_FOR_USER);
    /* next.args, byte for byte */
    assert_string_equal(rig_last(READ)->body,
                        "{\"purchase\":\"" RIG_PURCHASE "\",\"after_revision\":1,"
                        "\"wait_seconds\":45}");
    assert_int_equal(rig_sent(START), 1);
}

static void a_start_that_comes_back_moves_no_one_who_is_elsewhere(void **state)
{
    (void)state;
    rig_good_form();
    rig_send();
    rig_key("Esc");
    rig_key("6");
    rig_key("?");
    rig_purchase(CONTRACT_STATE_COMPLETED, CONTRACT_MONEY_DEBITED);
    rig_accept(rig_last(START));
    assert_int_equal(model_dialog(rig.m), MODEL_DIALOG_HELP);
    assert_int_equal(rig.m->view, MODEL_VIEW_ACTIVITY);
    assert_string_not_equal(rig.m->selected, RIG_PURCHASE);
    assert_non_null(model_find(rig.m, RIG_PURCHASE));
    assert_true(rig_last(START)->intended);
    assert_int_equal(rig.noted.state, JOURNAL_DONE);
    assert_string_equal(rig.noted.purchase, RIG_PURCHASE);
}

static void one_key_for_one_input(void **state)
{
    char first[200], second[200];
    (void)state;
    rig_good_form();
    rig_send();
    rig_member(rig_last(START)->body, "idempotency_key", first);
    rig_lose(rig_last(START), ENVOY_REFUSED, false); /* did not leave */
    assert_int_equal(form()->state, START_REFUSED);
    rig_send();
    assert_int_equal(rig_sent(START), 2);
    assert_string_equal(rig.calls[rig.count - 1].body, rig.calls[0].body);
    rig_refuse(rig_last(START), "NO_RAIL", "No rail can serve this purchase.", "");
    rig_set(START_FIELD_TOTAL, 0, "2500");
    rig_send();
    rig_member(rig_last(START)->body, "idempotency_key", second);
    assert_string_not_equal(first, second);
}

static void a_refusal_is_shown_in_envoys_words_at_its_row(void **state)
{
    (void)state;
    rig_good_form();
    rig_send();
    rig_refuse(rig_last(START), "INVALID_INPUT", "Fix the supplied input.",
               "{\"path\":\"/total\",\"problem\":\"the total is ₹2,549.00 now\","
               "\"expected\":\"₹2,549.00\"}");
    assert_int_equal(form()->state, START_REFUSED);
    assert_false(form()->reviewing);
    assert_non_null(strstr(form()->text, "Fix the supplied input."));
    assert_int_equal(form()->focus, place(START_FIELD_TOTAL, 0));
    assert_string_equal(problem(START_FIELD_TOTAL, 0), "the total is ₹2,549.00 now");
    /* looking around does not make it right, and the same is not sent again by itself */
    rig_key("Down");
    rig_key("Up");
    assert_string_equal(problem(START_FIELD_TOTAL, 0), "the total is ₹2,549.00 now");
    rig_key("Ctrl-S");
    assert_false(form()->reviewing);
    /* the person says yes to the new total */
    rig_key("Ctrl-U");
    rig_type("2549");
    assert_string_equal(problem(START_FIELD_TOTAL, 0), "");
    rig_send();
    assert_int_equal(rig_sent(START), 2);
    assert_non_null(strstr(rig_last(START)->body, "\"total\":\"2549.00\""));
}

static void what_no_row_is_about_is_still_told(void **state)
{
    (void)state;
    rig_good_form();
    rig_send();
    rig_refuse(rig_last(START), "INVALID_INPUT", "Fix the supplied input.",
               "{\"path\":\"/merchant_logo\",\"problem\":\"is odd\",\"expected\":null}");
    assert_non_null(strstr(form()->text, "/merchant_logo is odd"));
}

static void a_lost_start_is_read_by_its_key(void **state)
{
    char key[200];
    (void)state;
    rig_good_form();
    rig_send();
    rig_member(rig_last(START)->body, "idempotency_key", key);
    rig_lose(rig_last(START), ENVOY_TIMEOUT, true);
    assert_int_equal(form()->state, START_UNKNOWN);
    assert_int_equal(rig.noted.state, JOURNAL_UNKNOWN);
    assert_int_equal(rig_sent(READ), 0);
    for (int i = 0; i < 30; i++)
        rig_key(i % 2 ? "Ctrl-S" : "Enter"); /* nothing that is pressed sends */
    rig_pass(500);
    assert_int_equal(rig_sent(READ), 1);
    char expected[240];
    snprintf(expected, sizeof expected, "{\"purchase\":\"%s\"}", key);
    assert_string_equal(rig_last(READ)->body, expected);
    rig_accept(rig_last(READ));
    assert_int_equal(rig.noted_call, rig_last(START)->id);
    assert_string_equal(rig.noted.purchase, RIG_PURCHASE);
    assert_int_equal(form()->state, START_CLOSED);
    assert_string_equal(rig.m->selected, RIG_PURCHASE);
    assert_int_equal(rig_sent(START), 1);
}

static void what_envoy_does_not_know_was_not_started(void **state)
{
    (void)state;
    rig_good_form();
    rig_send();
    rig_lose(rig_last(START), ENVOY_RESET, true);
    rig_pass(500);
    rig_refuse(rig_last(READ), "NOT_FOUND", "No purchase matches.", "");
    assert_int_equal(form()->state, START_REFUSED);
    assert_int_equal(rig_sent(START), 1);
    rig_send();
    assert_int_equal(rig_sent(START), 2);
    assert_string_equal(rig_last(START)->body, rig.calls[0].body); /* the same key and bytes */
}

static void an_unknown_start_is_read_for_as_long_as_it_takes(void **state)
{
    (void)state;
    rig_good_form();
    rig_send();
    rig_lose(rig_last(START), ENVOY_CUT, true);
    int64_t longest = 0;
    for (int i = 0; i < 12; i++) {
        int before = rig_sent(READ);
        int64_t since = rig.now;
        for (int k = 0; k < 700 && rig_sent(READ) == before; k++)
            rig_pass(100);
        assert_int_equal(rig_sent(READ), before + 1);
        longest = rig.now - since > longest ? rig.now - since : longest;
        if (i % 2)
            rig_lose(rig_last(READ), ENVOY_TIMEOUT, true);
        else
            rig_refuse(rig_last(READ), "UNAVAILABLE", "Not available.", "");
        assert_int_equal(form()->state, START_UNKNOWN);
    }
    assert_true(longest <= 61000);
    assert_int_equal(rig_sent(START), 1);
}

static void unavailable_and_a_used_key_lead_to_a_read(void **state)
{
    static const char *const codes[] = {"UNAVAILABLE", "IDEMPOTENCY_CONFLICT"};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        start_clear(form());
        model_remove_dialogs(rig.m);
        rig_good_form();
        rig_send();
        rig_refuse(rig_last(START), codes[i], "Cannot be said now.", "");
        assert_int_equal(form()->state, START_UNKNOWN);
        rig_pass(500);
        rig_refuse(rig_last(READ), "NOT_FOUND", "No purchase matches.", "");
    }
    assert_int_equal(rig_sent(READ), 2);
    assert_int_equal(rig_sent(START), 2);
}

static void success_without_a_purchase_is_not_believed(void **state)
{
    (void)state;
    rig_good_form();
    rig_send();
    rig_reply(rig_last(START),
              "\"ok\":true,\"replayed\":false,\"purchase\":null,\"data\":null,"
              "\"next\":{\"action\":\"continue\",\"tool\":null,\"args\":null,"
              "\"instruction\":\"x\",\"after_seconds\":null,\"by\":null},\"user_action\":null,"
              "\"follow_ups\":[],\"error\":null");
    assert_int_equal(form()->state, START_UNKNOWN);
}

static void an_unknown_start_is_never_replaced(void **state)
{
    (void)state;
    rig_good_form();
    rig_send();
    rig_lose(rig_last(START), ENVOY_TIMEOUT, true);
    rig_key("Esc");
    rig_key("Ctrl-N");
    assert_int_equal(form()->state, START_UNKNOWN);
    rig_key("Esc");
    rig_purchase(CONTRACT_STATE_FAILED, CONTRACT_MONEY_NOT_STARTED);
    model_select(rig.m, rig.m->purchases[0].id);
    struct effects fx;
    effects_init(&fx);
    command_run(rig.m, command_find("retry-of"), &fx);
    effects_fini(&fx);
    assert_int_equal(form()->state, START_UNKNOWN);
    assert_string_equal(form()->retry_of, "");
}

static void the_same_thing_is_not_started_twice(void **state)
{
    static const struct {
        enum contract_state state;
        enum contract_money money;
        bool allowed;
    } rows[] = {
        {CONTRACT_STATE_WAITING_FOR_USER, CONTRACT_MONEY_NOT_STARTED, false},
        {CONTRACT_STATE_PROCESSING, CONTRACT_MONEY_DEBITED, false},
        {CONTRACT_STATE_READY, CONTRACT_MONEY_DEBITED, false},
        {CONTRACT_STATE_VERIFYING, CONTRACT_MONEY_UNKNOWN, false},
        {CONTRACT_STATE_FAILED, CONTRACT_MONEY_UNKNOWN, false},
        {CONTRACT_STATE_CANCELLED, CONTRACT_MONEY_DEBITED, false},
        {CONTRACT_STATE_CANCELLED, CONTRACT_MONEY_REFUND_PENDING, false},
        {CONTRACT_STATE_FAILED, CONTRACT_MONEY_NOT_STARTED, true},
        {CONTRACT_STATE_CANCELLED, CONTRACT_MONEY_REFUNDED, true},
        {CONTRACT_STATE_COMPLETED, CONTRACT_MONEY_DEBITED, true},
    };
    (void)state;
    struct model_purchase *p = rig_purchase(rows[0].state, rows[0].money);
    rig_good_form();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        p->state.value = p->snap->state.value = (int)rows[i].state;
        p->snap->terminal = contract_state_is_terminal((int)rows[i].state);
        p->snap->money.value = (int)rows[i].money;
        start_check(rig.m);
        if ((form()->guard[0] == '\0') != rows[i].allowed)
            fail_msg("row %zu: \"%s\"", i, form()->guard);
        form()->reviewing = false;
        rig_key("Ctrl-S");
        assert_int_equal(form()->reviewing, rows[i].allowed);
    }
    form()->reviewing = false;
    p->state.value = p->snap->state.value = CONTRACT_STATE_PROCESSING;
    p->snap->terminal = false;
    rig_set(START_FIELD_TOTAL, 0, "2500"); /* another amount, or another shop, is another thing */
    assert_string_equal(form()->guard, "");
    rig_set(START_FIELD_TOTAL, 0, "2499");
    rig_set(START_FIELD_MERCHANT_URL, 0, "https://other.example.test");
    assert_string_equal(form()->guard, "");
    rig_set(START_FIELD_MERCHANT_URL, 0, "http://www.shop.example.test:443/other");
    assert_string_not_equal(form()->guard, "");
}

static void what_was_not_read_may_be_the_same(void **state)
{
    (void)state;
    struct model_purchase *p = rig_purchase(CONTRACT_STATE_READY, CONTRACT_MONEY_DEBITED);
    contract_purchase_free(p->snap);
    p->snap = NULL;
    rig_good_form();
    assert_string_not_equal(form()->guard, "");
    rig_set(START_FIELD_TOTAL, 0, "100");
    assert_string_equal(form()->guard, "");
}

static void what_the_account_does_not_say_holds_a_start_back(void **state)
{
    (void)state;
    rig_good_form();
    assert_string_equal(form()->guard, "");
    rig.m->account->has_active_purchase = false;
    start_check(rig.m);
    assert_string_not_equal(form()->guard, "");
    rig_key("Ctrl-S");
    assert_false(form()->reviewing);
    rig.m->account->has_active_purchase = true;
    rig.m->account->service_purchase = false;
    start_check(rig.m);
    assert_string_not_equal(form()->guard, "");
    model_take_account(&rig.m->account, NULL);
    start_check(rig.m);
    assert_string_not_equal(form()->guard, "");
}

static void what_changes_during_the_review_counts(void **state)
{
    (void)state;
    rig_good_form();
    rig_key("Ctrl-S");
    assert_true(form()->reviewing);
    rig_purchase(CONTRACT_STATE_WAITING_FOR_USER, CONTRACT_MONEY_NOT_STARTED);
    rig.now += CONFIRM_DELAY_MS;
    rig_key("Ctrl-S");
    assert_int_equal(rig_sent(START), 0);
    assert_false(form()->reviewing);
    assert_string_not_equal(form()->guard, "");
}

static void an_active_purchase_of_another_agent_counts(void **state)
{
    (void)state;
    struct model_purchase *p =
        rig_purchase(CONTRACT_STATE_WAITING_FOR_USER, CONTRACT_MONEY_NOT_STARTED);
    struct contract_purchase *copy = NULL;
    assert_int_equal(contract_purchase_copy(p->snap, &copy), ERR_OK);
    (void)str_copy(copy->purchase_id, sizeof copy->purchase_id, RIG_PURCHASE);
    rig.m->account->active_purchase = copy;
    p->snap->amount.minor = 1;
    rig_good_form();
    assert_string_not_equal(form()->guard, "");
}

static void read_only_starts_nothing(void **state)
{
    (void)state;
    rig_good_form();
    rig_key("Ctrl-S");
    rig.m->set.read_only = true;
    rig.now += 1000;
    rig_key("Ctrl-S");
    assert_int_equal(rig_sent(START), 0);
    rig_key("Esc");
    rig_key("Esc");
    rig_key("Ctrl-N");
    assert_int_equal(model_dialog(rig.m), MODEL_DIALOG_NONE);
}

static void a_closed_gate_sends_nothing_and_says_so(void **state)
{
    (void)state;
    rig_good_form();
    rig.m->gate.not_before_ms = rig.now + 60000;
    rig_send();
    assert_int_equal(rig_sent(START), 0);
    assert_int_not_equal(form()->state, START_SENT);
    assert_string_not_equal(form()->text, "");
    rig.now += 60000;
    rig_key("Ctrl-S");
    assert_int_equal(rig_sent(START), 1);
}

static void a_linked_retry_names_what_it_retries(void **state)
{
    char out[200];
    (void)state;
    struct model_purchase *p = rig_purchase(CONTRACT_STATE_FAILED, CONTRACT_MONEY_NOT_STARTED);
    p->retry_offer.args = alloc_text("{}");
    rig_key("R");
    assert_int_equal(model_dialog(rig.m), MODEL_DIALOG_START);
    assert_string_equal(form()->retry_of, p->id);
    assert_string_equal(text(START_FIELD_ITEM_NAME, 0), "Headphones, black");
    assert_string_equal(text(START_FIELD_TOTAL, 0), "2499.00");
    rig_set(START_FIELD_USER_REQUEST, 0, "The black ones, please");
    assert_string_equal(form()->guard, "");
    p->snap->money.value = CONTRACT_MONEY_UNKNOWN;
    start_check(rig.m);
    assert_string_not_equal(form()->guard, "");
    p->snap->money.value = CONTRACT_MONEY_NOT_STARTED;
    char *offer = p->retry_offer.args; /* taken back, then offered again */
    p->retry_offer.args = NULL;
    start_check(rig.m);
    assert_string_not_equal(form()->guard, "");
    p->retry_told = true; /* in the words of its instruction alone */
    start_check(rig.m);
    assert_string_equal(form()->guard, "");
    p->retry_told = false;
    p->retry_offer.args = offer;
    rig_send();
    assert_string_equal(rig_member(rig_last(START)->body, "retry_of", out), p->id);
    rig_member(rig_last(START)->body, "idempotency_key", out);
    assert_string_not_equal(out, p->id);
}

static void the_review_says_everything_that_is_sent(void **state)
{
    struct start_fact fact;
    char all[8192] = "";
    (void)state;
    rig_good_form();
    rig_set(START_FIELD_MERCHANT_URL, 0, "https://xn--shp-1na.example.test/a");
    rig_set(START_FIELD_ITEM_QUANTITY, 0, "3");
    rig_set(START_FIELD_ADDRESS, 0, "Asha Rao, 98450 00011, 14 Lake View Road, Bengaluru 560038");
    rig_key("F3");
    rig_set(START_FIELD_PRICE_AMOUNT, 0, "2499");
    rig_key("F4");
    rig_set(START_FIELD_FACT_VALUE, 0, "Monday");
    (void)str_copy(form()->product_ids[0], sizeof form()->product_ids[0],
                   "ofr_0123456789abcdef0123456789abcdef");
    assert_true(start_review_fact(rig.m, 0, &fact));
    assert_true(fact.warning); /* a name that can be taken for another */
    for (size_t i = 0; start_review_fact(rig.m, i, &fact); i++)
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s=%s\n", fact.label, fact.value);
    static const char *const said[] = {"(!)",
                                       "₹2,499.00",
                                       "3 x Headphones, black",
                                       "The black",
                                       "560038",
                                       "item_total ₹2,499.00",
                                       "deliver_to Monday",
                                       "the total"};
    for (size_t i = 0; i < sizeof said / sizeof said[0]; i++)
        if (!strstr(all, said[i]))
            fail_msg("\"%s\" is not in the review:\n%s", said[i], all);
    assert_null(strstr(all, "ofr_"));
}

static void nothing_written_is_lost_by_closing(void **state)
{
    (void)state;
    rig_good_form();
    rig_key("Esc");
    assert_int_equal(model_dialog(rig.m), MODEL_DIALOG_NONE);
    rig_key("Ctrl-N");
    assert_string_equal(text(START_FIELD_ITEM_NAME, 0), "Headphones, black");
    rig_key("Esc");
    rig_key("q");
    assert_int_equal(model_dialog(rig.m), MODEL_DIALOG_QUIT);
    assert_false(rig.m->quit);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, rig_open, rig_close)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(groups_are_added_and_renumbered),
        TEST(the_first_item_stays),
        TEST(groups_have_a_limit),
        TEST(a_new_bill_line_has_a_code_that_is_free),
        TEST(every_rule_shows_at_its_row),
        TEST(rules_between_rows_show_at_one_of_them),
        TEST(a_saved_address_stays_chosen_when_it_is_hidden_again),
        TEST(a_burst_is_text_and_never_a_key),
        TEST(enter_moves_and_never_sends),
        TEST(it_is_not_sent_within_half_a_second),
        TEST(what_is_sent_is_what_was_written),
        TEST(a_started_purchase_is_selected_and_followed),
        TEST(a_start_that_comes_back_moves_no_one_who_is_elsewhere),
        TEST(one_key_for_one_input),
        TEST(a_refusal_is_shown_in_envoys_words_at_its_row),
        TEST(what_no_row_is_about_is_still_told),
        TEST(a_lost_start_is_read_by_its_key),
        TEST(what_envoy_does_not_know_was_not_started),
        TEST(an_unknown_start_is_read_for_as_long_as_it_takes),
        TEST(unavailable_and_a_used_key_lead_to_a_read),
        TEST(success_without_a_purchase_is_not_believed),
        TEST(an_unknown_start_is_never_replaced),
        TEST(the_same_thing_is_not_started_twice),
        TEST(what_was_not_read_may_be_the_same),
        TEST(what_the_account_does_not_say_holds_a_start_back),
        TEST(what_changes_during_the_review_counts),
        TEST(an_active_purchase_of_another_agent_counts),
        TEST(read_only_starts_nothing),
        TEST(a_closed_gate_sends_nothing_and_says_so),
        TEST(a_linked_retry_names_what_it_retries),
        TEST(the_review_says_everything_that_is_sent),
        TEST(nothing_written_is_lost_by_closing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
