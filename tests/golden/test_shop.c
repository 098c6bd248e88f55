/* SPDX-License-Identifier: Apache-2.0 */
/* Golden screens of the shop and of the start form. What counts: a discount is "up to", an amount
 * is whole, a field that is not right says why, and a lost start never looks like one to send anew.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "app/start_internal.h"
#include "core/alloc.h"
#include "core/str.h"
#include "support/fixture.h"
#include "support/scene.h"

#define MOST_SIZES (SCENE_USUAL | SCENE_60)

static void merchants(struct model *m)
{
    static const int64_t amounts[] = {50000, 100000, 200000, 500000, 1000000, 2000000, 5000000};
    struct shop *s = &m->shop;
    struct contract_merchant *list;

    fixture_day(m);
    m->view = MODEL_VIEW_SHOP;
    list = alloc_zero(3, sizeof *list);
    assert_non_null(list);
    s->merchants = list;
    s->merchant_count = 3;
    s->merchants_read = true;
    s->merchant_selected = 1;
    fixture_text(&list[0].name, "Fresh Grocer");
    fixture_text(&list[0].domain, "freshgrocer.example.test");
    list[0].has_range = true;
    fixture_amount(&list[0].min, 10000);
    fixture_amount(&list[0].max, 500000);
    list[0].discount_permille = 50;
    fixture_enum(&list[0].redeem_at, CONTRACT_REDEEM_CHECKOUT);
    fixture_text(&list[1].name, "世界書店 本とコーヒー");
    fixture_text(&list[1].domain, "books.example.test");
    list[1].amounts = alloc_zero(7, sizeof *list[1].amounts);
    assert_non_null(list[1].amounts);
    list[1].amount_count = 7;
    for (size_t i = 0; i < 7; i++)
        fixture_amount(&list[1].amounts[i], amounts[i]);
    list[1].discount_permille = 25;
    fixture_enum(&list[1].redeem_at, CONTRACT_REDEEM_ACCOUNT);
    fixture_text(&list[2].name, "Metro Tickets");
    fixture_text(&list[2].domain, "metro.example.test");
    list[2].discount_permille = -1;
    fixture_unrecognised(&list[2].redeem_at, "kiosk");
}

static void merchants_trouble(struct model *m)
{
    m->view = MODEL_VIEW_SHOP;
    str_copy(m->shop.merchants_trouble, sizeof m->shop.merchants_trouble,
             "Envoy is not available. r tries again.");
}

static void no_merchants(struct model *m)
{
    fixture_day(m);
    m->view = MODEL_VIEW_SHOP;
    m->shop.merchants_read = true;
}

static void nothing_found(struct model *m)
{
    fixture_day(m);
    m->view = MODEL_VIEW_SHOP;
    m->shop.part = SHOP_PRODUCTS;
    m->shop.products_read = true;
    assert_int_equal(edit_set(&m->shop.query, "unobtainium"), ERR_OK);
}

static void products(struct model *m)
{
    struct contract_product *list = alloc_zero(2, sizeof *list);

    fixture_day(m);
    assert_non_null(list);
    m->view = MODEL_VIEW_SHOP;
    m->shop.part = SHOP_PRODUCTS;
    m->shop.products = list;
    m->shop.product_count = 2;
    m->shop.products_read = true;
    m->shop.chosen[1] = true;
    assert_int_equal(edit_set(&m->shop.query, "protein"), ERR_OK);
    for (size_t i = 0; i < 2; i++) {
        fixture_text(&list[i].name, i ? "Whey Protein Blend 500 g" : "Whey Protein Isolate 1 kg");
        fixture_text(&list[i].brand, i ? NULL : "Plain Nutrition");
        fixture_amount(&list[i].price, i ? 99900 : 249900);
        fixture_amount(&list[i].total, i ? 199800 : 249900);
        list[i].quantity = i ? 2 : 1;
        list[i].valid_until_ms = i ? fixture_ago(5) : fixture_at(14, 30, 0);
    }
}

static void searching(struct model *m)
{
    fixture_day(m);
    m->view = MODEL_VIEW_SHOP;
    m->shop.part = SHOP_PRODUCTS;
    m->shop.searching = m->editing = true;
    assert_int_equal(edit_set(&m->shop.query, "rice"), ERR_OK);
}

static void form(struct model *m)
{
    struct start_form *f = &m->start;

    merchants(m);
    start_empty(f);
    start_set(f, START_FIELD_MERCHANT_URL, 0, "https://freshgrocer.example.test");
    start_set(f, START_FIELD_TOTAL, 0, "1,200");
    start_set(f, START_FIELD_ITEM_NAME, 0, "Gift card");
    start_set(f, START_FIELD_ITEM_QUANTITY, 0, "no");
    start_set(f, START_FIELD_USER_REQUEST, 0, "Vegetables for the week");
    assert_true(start_add_group(f, START_FIELD_PRICE_CODE));
    start_check(m);
    f->focus = 3;
    m->dialogs[m->dialog_count++] = MODEL_DIALOG_START;
}

static void form_refused(struct model *m)
{
    form(m);
    m->start.state = START_REFUSED;
    str_copy(m->start.text, sizeof m->start.text,
             "Envoy refused: this total cannot be paid with a gift card of this merchant.");
    str_copy(m->start.guard, sizeof m->start.guard,
             "A purchase at the same merchant for the same amount is open already.");
}

static void review(struct model *m)
{
    form(m);
    start_set(&m->start, START_FIELD_ITEM_QUANTITY, 0, "1");
    start_set(&m->start, START_FIELD_PRICE_AMOUNT, 0, "1200");
    start_check(m);
    m->start.reviewing = true;
}

static void review_live(struct model *m)
{
    review(m);
    m->set.demo = m->set.sim_control = false;
    str_copy(m->start.retry_of, sizeof m->start.retry_of, m->purchases[4].id);
}

/* A name that can be taken for another, several items, and facts that do not fit at once. */
static void review_long(struct model *m)
{
    review(m);
    start_set(&m->start, START_FIELD_MERCHANT_URL, 0, "https://frеshgrocer.example.test/cart");
    for (int i = 1; i < 9; i++) {
        assert_true(start_add_group(&m->start, START_FIELD_ITEM_NAME));
        start_set(&m->start, START_FIELD_ITEM_NAME, i, "Basmati rice, 5 kg");
        start_set(&m->start, START_FIELD_ITEM_PRICE, i, "100");
    }
    start_set(&m->start, START_FIELD_ADDRESS, 0,
              "Asha Rao, +91 98450 00011, 14 Lake View Road, Indiranagar, Bengaluru 560038");
    start_check(m);
}

static void review_scrolled(struct model *m)
{
    review_long(m);
    m->start.top = 11;
}

static void sent(struct model *m)
{
    review(m);
    m->start.state = START_SENT;
    str_copy(m->start.text, sizeof m->start.text, "Sent once. Waiting for Envoy's reply.");
}

static void lost(struct model *m)
{
    review(m);
    m->start.state = START_UNKNOWN;
    str_copy(m->start.text, sizeof m->start.text,
             "The reply was lost (no reply in time). Envoy may have started this purchase. It is "
             "read by its key; nothing is sent a second time.");
    str_copy(m->start.support, sizeof m->start.support, "req_5b1e9c7a");
    m->start_due_mono = m->now_mono + 4000;
}

static void test_shop(void **state)
{
    (void)state;
    scene_check("shop_merchants", merchants, MOST_SIZES | SCENE_ASCII);
    scene_check("shop_trouble", merchants_trouble, SCENE_80);
    scene_check("shop_products", products, MOST_SIZES);
    scene_check("shop_none", no_merchants, SCENE_80);
    scene_check("shop_nothing_found", nothing_found, SCENE_80);
    scene_check("shop_searching", searching, SCENE_80);
}

static void test_start(void **state)
{
    (void)state;
    scene_check("start_form", form, MOST_SIZES);
    scene_check("start_refused", form_refused, MOST_SIZES);
    scene_check("start_review", review, MOST_SIZES);
    scene_check("start_review_live", review_live, SCENE_80);
    scene_check("start_review_long", review_long, MOST_SIZES | SCENE_160);
    scene_check("start_review_scrolled", review_scrolled, SCENE_60);
    scene_check("start_sent", sent, SCENE_80);
    scene_check("start_lost", lost, MOST_SIZES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shop),
        cmocka_unit_test(test_start),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
