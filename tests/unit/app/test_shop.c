/* SPDX-License-Identifier: Apache-2.0 */
/* The shop: what is read when, and how what is listed there becomes a start form. */
#include "start_rig.h"

#include "core/clock.h"

#define MERCHANTS CONTRACT_TOOL_LIST_GIFT_CARD_MERCHANTS
#define SEARCH    CONTRACT_TOOL_SEARCH_PRODUCTS
#define START     CONTRACT_TOOL_START_PURCHASE
#define OFFER_A   "ofr_000000000000000000000000000000a1"
#define OFFER_B   "ofr_000000000000000000000000000000b2"
#define GOOD_TAIL                                                                                  \
    ",\"next\":{\"action\":\"continue\",\"tool\":null,\"args\":null,\"instruction\":\"x\","        \
    "\"after_seconds\":null,\"by\":null},\"user_action\":null,\"follow_ups\":[],\"error\":null"
#define GOOD_HEAD            "\"ok\":true,\"replayed\":false,\"purchase\":null,\"data\":"
#define RUPEES(minor, words) "{\"minor\":" minor ",\"currency\":\"INR\",\"display\":\"₹" words "\"}"
#define PRODUCT(id, name, minor, words, quantity, until, url)                                      \
    "{\"product_id\":\"" id "\",\"name\":\"" name "\",\"brand\":null,\"image\":null,"              \
    "\"price\":" RUPEES("100", "1.00") ",\"quantity\":" quantity ",\"total\":" RUPEES(             \
        minor, words) ",\"valid_until\":\"" until "\",\"merchant_url\":\"" url "\"}"
#define LATER  "2026-12-01T09:00:00Z"
#define BEFORE "2026-12-01T08:32:04Z"
#define ELIXIR "https://elixir.cards"

static struct shop *shop(void)
{
    return &rig.m->shop;
}

static const char *text(enum start_field field, int group)
{
    struct start_row *row = start_find_row(&rig.m->start, field, group);
    return row ? edit_text(&row->edit) : "(no such row)";
}

static void open_shop(void)
{
    rig_key("4");
    assert_int_equal(rig.m->view, MODEL_VIEW_SHOP);
}

static void list_merchants(void)
{
    open_shop();
    rig_reply(rig_last(MERCHANTS),
              GOOD_HEAD "{\"merchants\":[{\"name\":\"Fresh Grocer\",\"domain\":"
                        "\"freshgrocer.example.test\",\"amounts\":[],\"amount_range\":{"
                        "\"min\":" RUPEES("10000", "100.00") ",\"max\":" RUPEES(
                            "500000",
                            "5,000.00") "},\"discount_percent\":2.5,\"redeem_at\":\"checkout\"},{"
                                        "\"name\":\"Corner Books\","
                                        "\"domain\":\"books.example.test\",\"amounts\":[" RUPEES(
                                            "50000", "500.00") "],\"amount_range\":null,\"discount_"
                                                               "percent\":null,\"redeem_at\":null}]"
                                                               "}" GOOD_TAIL);
}

/* Two products as the reply to a search for them. */
static void find_products(const char *first, const char *second)
{
    char rest[4096];
    open_shop();
    rig_key("s");
    rig_type("whey");
    rig_key("Enter");
    snprintf(rest, sizeof rest, GOOD_HEAD "{\"products\":[%s,%s]}" GOOD_TAIL, first, second);
    rig_reply(rig_last(SEARCH), rest);
    assert_int_equal(shop()->product_count, 2);
}

static const char *const isolate =
    PRODUCT(OFFER_A, "Isolate", "99800", "998.00", "2", LATER, ELIXIR);
static const char *const blend = PRODUCT(OFFER_B, "Blend", "32950", "329.50", "1", LATER, ELIXIR);

static void merchants_are_read_once_and_on_request(void **state)
{
    (void)state;
    open_shop();
    assert_int_equal(rig_sent(MERCHANTS), 1);
    assert_string_equal(rig_last(MERCHANTS)->body, "{}");
    rig_key("r");
    assert_int_equal(rig_sent(MERCHANTS), 1); /* one is on its way */
    list_merchants();
    assert_int_equal(shop()->merchant_count, 2);
    rig_key("1");
    rig_key("4");
    assert_int_equal(rig_sent(MERCHANTS), 1);
    rig_key("r");
    assert_int_equal(rig_sent(MERCHANTS), 2);
    rig_lose(rig_last(MERCHANTS), ENVOY_TIMEOUT, true);
    assert_int_equal(shop()->merchant_count, 2); /* what was read stays beside the trouble */
    assert_string_not_equal(shop()->merchants_trouble, "");
}

static void an_empty_list_is_read_and_empty(void **state)
{
    (void)state;
    open_shop();
    rig_reply(rig_last(MERCHANTS), GOOD_HEAD "{\"merchants\":[]}" GOOD_TAIL);
    assert_true(shop()->merchants_read);
    assert_int_equal(shop()->merchant_count, 0);
    rig_key("Enter");
    assert_int_equal(model_dialog(rig.m), MODEL_DIALOG_NONE);
    assert_non_null(strstr(rig.m->news.text, "Nothing is listed"));
}

static void a_merchant_fills_in_site_and_rail_and_no_amount(void **state)
{
    char out[200];
    (void)state;
    list_merchants();
    rig_key("Down");
    rig_key("Enter");
    assert_int_equal(model_dialog(rig.m), MODEL_DIALOG_START);
    assert_string_equal(text(START_FIELD_MERCHANT_URL, 0), "https://books.example.test");
    assert_string_equal(text(START_FIELD_TOTAL, 0), "");
    assert_string_equal(rig.m->start.total_hint, "gift cards of ₹500.00");
    /* the keys are where something is still to be said */
    assert_int_equal(rig.m->start.rows[rig.m->start.focus].field, START_FIELD_TOTAL);
    rig_set(START_FIELD_TOTAL, 0, "500");
    rig_set(START_FIELD_ITEM_NAME, 0, "Gift card");
    rig_set(START_FIELD_USER_REQUEST, 0, "For my sister");
    rig_send();
    assert_string_equal(rig_member(rig_last(START)->body, "rail", out), "gift_card");
    assert_string_equal(rig_member(rig_last(START)->body, "total", out), "500.00");
}

static void a_search_sends_what_was_typed_once(void **state)
{
    char out[200];
    (void)state;
    open_shop();
    rig_key("s");
    rig_key("Enter"); /* nothing to look for */
    assert_int_equal(rig_sent(SEARCH), 0);
    assert_string_not_equal(shop()->products_trouble, "");
    rig_type("4 q s"); /* text, not keys */
    rig_key("Enter");
    assert_int_equal(rig_sent(SEARCH), 1);
    assert_string_equal(rig_member(rig_last(SEARCH)->body, "query", out), "4 q s");
    assert_string_equal(shop()->products_trouble, "");
    rig_key("r");
    rig_key("s");
    rig_key("Enter");
    assert_int_equal(rig_sent(SEARCH), 1);
    rig_lose(rig_last(SEARCH), ENVOY_RESET, true);
    assert_string_not_equal(shop()->products_trouble, "");
    rig_key("Enter");
    assert_int_equal(rig_sent(SEARCH), 2);
}

static void tab_leaves_the_field_with_the_half(void **state)
{
    (void)state;
    open_shop();
    rig_key("s");
    rig_type("x");
    rig_key("Tab");
    assert_int_equal(shop()->part, SHOP_MERCHANTS);
    assert_false(rig.m->editing);
    rig_key("2"); /* a key again */
    assert_int_equal(rig.m->view, MODEL_VIEW_ACCOUNT);
    assert_string_equal(edit_text(&shop()->query), "x");
}

static void one_product_is_bought_with_its_offer(void **state)
{
    (void)state;
    find_products(isolate, blend);
    rig_key("Down");
    rig_key("Enter");
    assert_string_equal(text(START_FIELD_ITEM_NAME, 0), "Blend");
    assert_string_equal(text(START_FIELD_TOTAL, 0), "329.50");
    rig_set(START_FIELD_USER_REQUEST, 0, "The blend");
    rig_send();
    const char *body = rig_last(START)->body;
    assert_non_null(strstr(body, "\"product_id\":\"" OFFER_B "\""));
    assert_null(strstr(body, OFFER_A));
    assert_null(strstr(body, "\"rail\""));
}

static void a_cart_is_the_sum_of_its_offers(void **state)
{
    char out[200];
    (void)state;
    find_products(isolate, blend);
    rig_key("Space");
    rig_key("Down");
    rig_key("Space");
    rig_key("Enter");
    assert_string_equal(text(START_FIELD_TOTAL, 0), "1327.50");
    assert_string_equal(text(START_FIELD_ITEM_QUANTITY, 0), "2");
    assert_string_equal(text(START_FIELD_ITEM_NAME, 1), "Blend");
    rig_set(START_FIELD_USER_REQUEST, 0, "Both");
    rig_send();
    const char *body = rig_last(START)->body;
    const char *a = strstr(body, OFFER_A), *b = strstr(body, OFFER_B);
    assert_non_null(a);
    assert_non_null(b);
    assert_true(a < b);
    assert_string_equal(rig_member(body, "merchant_url", out), ELIXIR);
    assert_non_null(strstr(body, "\"quantity\":2"));
}

static void an_item_added_to_a_cart_by_hand_is_refused(void **state)
{
    (void)state;
    find_products(isolate, blend);
    rig_key("Enter");
    rig_set(START_FIELD_USER_REQUEST, 0, "And another");
    rig_key("F2");
    rig_set(START_FIELD_ITEM_NAME, 1, "Something else");
    rig_key("Ctrl-S");
    assert_false(rig.m->start.reviewing);
    assert_int_equal(rig_sent(START), 0);
    rig.m->start.focus =
        (size_t)(start_find_row(&rig.m->start, START_FIELD_ITEM_NAME, 1) - rig.m->start.rows);
    rig_key("F8");
    rig_key("Ctrl-S");
    assert_true(rig.m->start.reviewing);
}

static void a_changed_total_is_asked_about_again(void **state)
{
    char first[200], second[200];
    (void)state;
    find_products(isolate, blend);
    rig_key("Enter");
    rig_set(START_FIELD_USER_REQUEST, 0, "Two of them");
    rig_send();
    rig_member(rig_last(START)->body, "idempotency_key", first);
    rig_refuse(rig_last(START), "INVALID_INPUT", "The total has changed.",
               "{\"path\":\"/total\",\"problem\":\"is ₹1,010.00 with the handling fee\","
               "\"expected\":\"1010.00\"}");
    const struct start_form *f = &rig.m->start;
    const struct contract_field *p = start_row_problem(f, &f->rows[f->focus]);
    assert_int_equal(f->rows[f->focus].field, START_FIELD_TOTAL);
    assert_non_null(p);
    assert_string_equal(p->expected, "1010.00");
    assert_string_equal(text(START_FIELD_TOTAL, 0), "998.00"); /* nothing is agreed to by itself */
    rig_key("Ctrl-U");
    rig_type("1010");
    rig_send();
    assert_int_equal(rig_sent(START), 2);
    assert_non_null(strstr(rig_last(START)->body, "\"total\":\"1010.00\""));
    assert_non_null(strstr(rig_last(START)->body, OFFER_A));
    rig_member(rig_last(START)->body, "idempotency_key", second);
    assert_string_not_equal(first, second);
}

static void refused(const char *first, const char *second, bool both, const char *words)
{
    find_products(first, second);
    rig_key("Space");
    if (both) {
        rig_key("Down");
        rig_key("Space");
    }
    rig_key("Enter");
    assert_int_equal(model_dialog(rig.m), MODEL_DIALOG_NONE);
    if (!strstr(rig.m->news.text, words))
        fail_msg("it says \"%s\"", rig.m->news.text);
}

static void an_expired_price_is_searched_again(void **state)
{
    (void)state;
    refused(PRODUCT(OFFER_A, "Old", "100", "1.00", "1", BEFORE, ELIXIR), blend, false, "expired");
}

static void an_amount_that_disagrees_is_not_added_up(void **state)
{
    (void)state;
    refused(PRODUCT(OFFER_A, "Odd", "100", "2.00", "1", LATER, ELIXIR), blend, false,
            "not known for certain");
}

static void two_shops_are_two_purchases(void **state)
{
    (void)state;
    refused(isolate, PRODUCT(OFFER_B, "Far", "100", "1.00", "1", LATER, "https://far.example.test"),
            true, "two merchants");
}

static void marks_go_with_a_new_search(void **state)
{
    (void)state;
    find_products(isolate, blend);
    rig_key("Space");
    assert_true(shop()->chosen[0]);
    rig_key("r");
    rig_reply(rig_last(SEARCH), GOOD_HEAD "{\"products\":[]}" GOOD_TAIL);
    assert_false(shop()->chosen[0]);
    assert_int_equal(shop()->product_count, 0);
    rig_key("Space"); /* nothing to mark */
    assert_false(shop()->chosen[0]);
}

static void an_unknown_start_is_not_overwritten(void **state)
{
    (void)state;
    list_merchants();
    rig_good_form();
    rig_send();
    rig_lose(rig_last(START), ENVOY_TIMEOUT, true);
    rig_key("Esc");
    rig_key("Enter");
    assert_int_equal(model_dialog(rig.m), MODEL_DIALOG_START);
    assert_int_equal(rig.m->start.state, START_UNKNOWN);
    assert_string_equal(text(START_FIELD_ITEM_NAME, 0), "Headphones, black");
}

static void read_only_looks_but_starts_nothing(void **state)
{
    (void)state;
    rig.m->set.read_only = true;
    list_merchants();
    rig_key("Enter");
    assert_int_equal(model_dialog(rig.m), MODEL_DIALOG_NONE);
    find_products(isolate, blend);
    rig_key("Enter");
    assert_int_equal(model_dialog(rig.m), MODEL_DIALOG_NONE);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, rig_open, rig_close)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(merchants_are_read_once_and_on_request),
        TEST(an_empty_list_is_read_and_empty),
        TEST(a_merchant_fills_in_site_and_rail_and_no_amount),
        TEST(a_search_sends_what_was_typed_once),
        TEST(tab_leaves_the_field_with_the_half),
        TEST(one_product_is_bought_with_its_offer),
        TEST(a_cart_is_the_sum_of_its_offers),
        TEST(an_item_added_to_a_cart_by_hand_is_refused),
        TEST(a_changed_total_is_asked_about_again),
        TEST(an_expired_price_is_searched_again),
        TEST(an_amount_that_disagrees_is_not_added_up),
        TEST(two_shops_are_two_purchases),
        TEST(marks_go_with_a_new_search),
        TEST(an_unknown_start_is_not_overwritten),
        TEST(read_only_looks_but_starts_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
