/* SPDX-License-Identifier: Apache-2.0 */
/* Replies as the service sends them: every published example, exact arguments, and round trips of
 * replies that hold everything. */
#include "unit/contract/fixtures.h"
#include "core/buf.h"

#define NOON_MS INT64_C(1790683200000) /* 2026-09-29T12:00:00Z */

static void every_published_example_decodes(void **state)
{
    (void)state;
    for (size_t i = 0; i < FX_COUNT(fx_examples); i++) {
        struct contract_reply *r = fx_good(fx_examples[i].tool, fx_examples[i].text);
        assert_int_equal((int)fx_examples[i].tool, (int)i);
        assert_int_equal(r->tool, fx_examples[i].tool);
        assert_false(r->contract_differs);
        assert_string_equal(r->request_id, "req_synthetic");
        assert_string_equal(r->trace_id, "4bf92f3577b34da6a3ce929d0e0e4736");
        assert_true(r->server_time_ms == NOON_MS);
        assert_true(r->ok != r->error.present);
        contract_reply_free(r);
    }
}

static void a_start_waits_for_approval(void **state)
{
    (void)state;
    struct contract_reply *r = fx_good(CONTRACT_TOOL_START_PURCHASE, fx_start);
    const struct contract_purchase *p = r->purchase;
    assert_string_equal(p->purchase_id, FX_ID);
    assert_string_equal(p->idempotency_key, FX_KEY);
    assert_true(p->revision == 1);
    assert_false(p->terminal);
    assert_int_equal(p->state.value, CONTRACT_STATE_WAITING_FOR_USER);
    assert_int_equal(p->user_task.value, CONTRACT_TASK_APPROVE);
    assert_int_equal(p->reason.value, CONTRACT_ABSENT);
    assert_int_equal(p->rail.value, CONTRACT_RAIL_OTU_CARD);
    assert_int_equal(p->rail_reason.value, CONTRACT_REASON_RAIL_OTU_PREFERRED);
    assert_int_equal(p->checkout_by.value, CONTRACT_CHECKOUT_BY_AGENT);
    assert_string_equal(p->merchant_name, "Example Store");
    assert_true(p->amount.known && !p->amount.disagrees && p->amount.minor == 249900);
    assert_string_equal(p->amount.display, "₹2,499.00");
    assert_true(p->details_complete);
    assert_false(p->question.open);
    assert_false(p->follow_up.open);
    assert_int_equal(p->approval_state.value, CONTRACT_APPROVAL_PENDING);
    assert_true(p->approval_decide_by_ms == NOON_MS + 15 * 60000);
    assert_int_equal(p->payment_kind.value, CONTRACT_PAYMENT_KIND_CARD);
    assert_true(p->payment_expires_at_ms == CLOCK_NONE);
    assert_int_equal(p->money.value, CONTRACT_MONEY_NOT_STARTED);
    assert_false(p->money_paid.known);
    assert_false(p->receipt.present);
    assert_false(p->funding.present);
    assert_int_equal(r->next.action.value, CONTRACT_ACTION_CALL_TOOL);
    assert_int_equal(r->next.tool.value, CONTRACT_TOOL_GET_PURCHASE_STATUS);
    assert_string_equal(r->next.args, FX_STATUS_ARGS("1"));
    assert_true(r->next.after_seconds == 0 && r->next.wait_seconds == 45);
    assert_true(r->next.after_revision == 1);
    assert_string_equal(r->next.purchase, FX_ID);
    assert_true(r->user_action.present && !r->user_action.url);
    assert_false(r->has_data);
    contract_reply_free(r);
}

static void a_completed_purchase_has_receipt_and_follow_up(void **state)
{
    (void)state;
    struct contract_reply *r = fx_good(CONTRACT_TOOL_GET_PURCHASE_STATUS, fx_completed);
    assert_true(r->purchase->terminal);
    assert_true(r->purchase->receipt.present);
    assert_string_equal(r->purchase->receipt.merchant_order_ref, "SYNTHETIC-ORDER-0001");
    assert_string_equal(r->purchase->receipt.card_last4, "");
    assert_true(r->purchase->follow_up.open);
    assert_int_equal(r->follow_up_count, 1);
    assert_int_equal(r->follow_ups[0].tool.value, CONTRACT_TOOL_SUBMIT_ANSWER);
    assert_string_equal(r->follow_ups[0].args, FX_FEEDBACK_ARGS);
    assert_string_equal(r->follow_ups[0].question, "feedback-" FX_ID);
    assert_int_equal(r->follow_ups[0].type.value, CONTRACT_ANSWER_TYPE_FEEDBACK);
    assert_null(r->next.args);
    contract_reply_free(r);
}

static void lists_keep_their_rows(void **state)
{
    (void)state;
    struct contract_reply *r = fx_good(CONTRACT_TOOL_GET_MERCHANTS, FX_MERCHANTS("get_merchants"));
    assert_true(r->has_data && r->merchant_count == 1);
    assert_int_equal(r->merchants[0].amount_count, 2);
    assert_true(r->merchants[0].amounts[1].minor == 100000);
    assert_int_equal(r->merchants[0].discount_permille, 25);
    assert_false(r->merchants[0].has_range);
    contract_reply_free(r);
    r = fx_good(CONTRACT_TOOL_SEARCH_PRODUCTS, fx_products);
    assert_true(r->product_count == 1 && r->products[0].quantity == 2);
    assert_string_equal(r->products[0].merchant_url, "https://elixir.cards");
    contract_reply_free(r);
    r = fx_good(CONTRACT_TOOL_LIST_TRANSACTIONS, fx_transactions);
    assert_true(r->line_count == 1 && r->lines[0].by_agent && !r->next_cursor);
    contract_reply_free(r);
    r = fx_good(CONTRACT_TOOL_LIST_PURCHASES, fx_rich_purchases);
    assert_true(r->listed_count == 1 && r->listed_truncated);
    assert_int_equal(r->listed[0].state.value, CONTRACT_STATE_READY);
    contract_reply_free(r);
}

static void the_account_says_what_it_carries(void **state)
{
    (void)state;
    struct contract_reply *r = fx_good(CONTRACT_TOOL_GET_ACCOUNT, fx_account);
    const struct contract_account *a = r->account;
    assert_true(a->has_balance_section && a->balance.minor == 500000 && a->held.known);
    assert_true(a->has_services && a->service_purchase);
    assert_true(a->has_active_purchase && !a->active_purchase);
    assert_false(a->has_held_purchases || a->has_agent || a->has_limits || a->has_profile ||
                 a->has_addresses);
    contract_reply_free(r);
    r = fx_good(CONTRACT_TOOL_GET_ACCOUNT, fx_rich_account);
    a = r->account;
    assert_false(a->spendable.known);
    assert_true(a->unavailable[CONTRACT_UNAVAILABLE_SPENDABLE]);
    assert_true(a->held_purchases_available && a->held_count == 2 && a->held_truncated);
    assert_null(a->held_items[1].merchant);
    assert_false(a->held_items[1].amount.known);
    assert_string_equal(a->active_purchase->question.prompt, "Which size?");
    assert_string_equal(a->active_purchase->details_missing, "address, size");
    assert_string_equal(a->addresses[0].id, "addr_1");
    assert_string_equal(a->limits[0].channel, "UPI");
    assert_string_equal(a->profile_mobile, "+91 98765 43210");
    contract_reply_free(r);
}

static void a_refusal_names_its_fields(void **state)
{
    (void)state;
    struct contract_reply *r = fx_good(CONTRACT_TOOL_START_PURCHASE, fx_refused);
    assert_false(r->ok);
    assert_int_equal(r->error.code.value, CONTRACT_CODE_INVALID_INPUT);
    assert_int_equal(r->error.field_count, 2);
    assert_string_equal(r->error.fields[0].path, "/total");
    assert_string_equal(r->error.fields[1].expected, "");
    assert_true(r->error.retryable && r->error.retry_after_seconds == 60);
    contract_reply_free(r);
}

static void encode(const struct contract_reply *r, struct buf *out)
{
    buf_init(out, 4u << 20);
    assert_int_equal(contract_reply_encode(r, out), ERR_OK);
}

static void assert_round_trip(enum contract_tool tool, const char *text)
{
    struct buf first;
    struct buf second;
    struct contract_reply *r = fx_good(tool, text);
    encode(r, &first);
    contract_reply_free(r);
    r = fx_good(tool, buf_view(&first));
    encode(r, &second);
    contract_reply_free(r);
    assert_string_equal(buf_view(&first), buf_view(&second));
    buf_fini(&first);
    buf_fini(&second);
}

/* Is every value of the original in the encoded text as well, at the same place? */
static void assert_covers(const json_t *original, const json_t *encoded, const char *name)
{
    static const char *const not_kept[] = {
        "currency", "reason",   "limits_reserved", "line1", "line2",  "line3",
        "city",     "pin_code", "country",         "image", "missing"};
    for (size_t i = 0; i < FX_COUNT(not_kept); i++) {
        if (strcmp(name, not_kept[i]) == 0)
            return;
    }
    if (json_is_object(original)) {
        const char *key;
        json_t *value;
        json_object_foreach((json_t *)original, key, value)
        {
            bool address_state = strcmp(key, "state") == 0 && json_object_get(original, "line1");
            if (!address_state)
                assert_covers(value, json_object_get(encoded, key), key);
        }
    } else if (json_is_array(original)) {
        assert_int_equal(json_array_size(original), json_array_size(encoded));
        for (size_t i = 0; i < json_array_size(original); i++)
            assert_covers(json_array_get(original, i), json_array_get(encoded, i), "");
    } else if (!json_equal(original, encoded)) {
        fail_msg("%s was not kept", name);
    }
}

static void rich_replies_come_back_equal(void **state)
{
    (void)state;
    for (size_t i = 0; i < FX_COUNT(fx_rich); i++) {
        struct buf out;
        assert_round_trip(fx_rich[i].tool, fx_rich[i].text);
        struct contract_reply *r = fx_good(fx_rich[i].tool, fx_rich[i].text);
        encode(r, &out);
        contract_reply_free(r);
        json_t *original = json_loads(fx_rich[i].text, 0, NULL);
        json_t *encoded = json_loads(buf_view(&out), 0, NULL);
        assert_non_null(original);
        assert_non_null(encoded);
        assert_covers(original, encoded, "");
        json_decref(original);
        json_decref(encoded);
        buf_fini(&out);
    }
    for (size_t i = 0; i < FX_COUNT(fx_examples); i++)
        assert_round_trip(fx_examples[i].tool, fx_examples[i].text);
}

static void a_purchase_can_be_taken_and_copied(void **state)
{
    (void)state;
    struct contract_reply *r =
        fx_good(CONTRACT_TOOL_CANCEL_PURCHASE, fx_rich_text(CONTRACT_TOOL_CANCEL_PURCHASE));
    struct contract_purchase *copy;
    struct contract_purchase *p = contract_reply_take_purchase(r);
    assert_null(r->purchase);
    assert_int_equal(contract_purchase_copy(p, &copy), ERR_OK);
    r->purchase = p;
    struct buf before;
    struct buf after;
    encode(r, &before);
    contract_purchase_free(contract_reply_take_purchase(r));
    r->purchase = copy;
    encode(r, &after);
    assert_string_equal(buf_view(&before), buf_view(&after));
    contract_reply_free(r);
    buf_fini(&before);
    buf_fini(&after);
    contract_purchase_free(NULL);
    contract_reply_free(NULL);
}

static void a_support_reference_is_a_piece_of_the_id(void **state)
{
    (void)state;
    char out[16];
    contract_support_ref(out, FX_ID);
    assert_string_equal(out, "pur_5b1e9c7a");
    contract_support_ref(out, "req");
    assert_string_equal(out, "req");
    contract_support_ref(out, "");
    assert_string_equal(out, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_published_example_decodes),
        cmocka_unit_test(a_start_waits_for_approval),
        cmocka_unit_test(a_completed_purchase_has_receipt_and_follow_up),
        cmocka_unit_test(lists_keep_their_rows),
        cmocka_unit_test(the_account_says_what_it_carries),
        cmocka_unit_test(a_refusal_names_its_fields),
        cmocka_unit_test(rich_replies_come_back_equal),
        cmocka_unit_test(a_purchase_can_be_taken_and_copied),
        cmocka_unit_test(a_support_reference_is_a_piece_of_the_id),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
