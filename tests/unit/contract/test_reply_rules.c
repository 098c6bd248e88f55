/* SPDX-License-Identifier: Apache-2.0 */
/* The schemas of replies as a table: for each field what its absence, null and a wrong type do, and
 * the values on both sides of each bound. A field is either relied upon (the reply is refused) or
 * may be unknown. */
#include "unit/contract/fixtures.h"
#include "core/buf.h"

enum lack { REFUSED, UNKNOWN };
enum type { BOOLEAN, COUNT, TEXT, ENUM, TIME, URL, OBJECT, LIST, ANY };

struct fact {
    enum contract_tool tool; /* whose rich reply holds the field */
    const char *path;
    enum type type;
    enum lack lack;
};

#define P CONTRACT_TOOL_CANCEL_PURCHASE
#define A CONTRACT_TOOL_GET_ACCOUNT
#define L CONTRACT_TOOL_LIST_PURCHASES
#define T CONTRACT_TOOL_LIST_TRANSACTIONS
#define M CONTRACT_TOOL_GET_MERCHANTS
#define S CONTRACT_TOOL_SEARCH_PRODUCTS
#define F CONTRACT_TOOL_SUBMIT_ANSWER

static const struct fact facts[] = {
    /* envelope */
    {P, "ok", BOOLEAN, REFUSED},
    {P, "contract", ANY, UNKNOWN},
    {P, "tool", ENUM, REFUSED},
    {P, "request_id", TEXT, REFUSED},
    {P, "trace_id", TEXT, UNKNOWN},
    {P, "server_time", ANY, REFUSED},
    {P, "replayed", BOOLEAN, UNKNOWN},
    {P, "purchase", OBJECT, UNKNOWN},
    {A, "data", OBJECT, UNKNOWN},
    {P, "next", OBJECT, REFUSED},
    {P, "user_action", OBJECT, UNKNOWN},
    {P, "follow_ups", LIST, UNKNOWN},
    {P, "error", OBJECT, UNKNOWN},
    /* next, user action */
    {P, "next.action", ENUM, REFUSED},
    {P, "next.tool", ENUM, UNKNOWN},
    {P, "next.args", OBJECT, UNKNOWN},
    {P, "next.instruction", TEXT, UNKNOWN},
    {P, "next.after_seconds", COUNT, UNKNOWN},
    {P, "next.by", TIME, UNKNOWN},
    {P, "user_action.task", ENUM, UNKNOWN},
    {P, "user_action.url", URL, UNKNOWN},
    {P, "user_action.by", TIME, UNKNOWN},
    {P, "user_action.message", TEXT, UNKNOWN},
    /* purchase */
    {P, "purchase.purchase_id", TEXT, REFUSED},
    {P, "purchase.service", ANY, UNKNOWN},
    {P, "purchase.idempotency_key", TEXT, REFUSED},
    {P, "purchase.revision", COUNT, REFUSED},
    {P, "purchase.terminal", BOOLEAN, REFUSED},
    {P, "purchase.state", ENUM, REFUSED},
    {P, "purchase.user_task", ENUM, UNKNOWN},
    {P, "purchase.reason_code", ENUM, UNKNOWN},
    {P, "purchase.status_text", TEXT, UNKNOWN},
    {P, "purchase.rail", ENUM, UNKNOWN},
    {P, "purchase.rail_reason", ENUM, UNKNOWN},
    {P, "purchase.checkout_by", ENUM, UNKNOWN},
    {P, "purchase.merchant", OBJECT, UNKNOWN},
    {P, "purchase.merchant.name", TEXT, UNKNOWN},
    {P, "purchase.merchant.url", TEXT, UNKNOWN},
    {P, "purchase.amount", OBJECT, UNKNOWN},
    {P, "purchase.amount.minor", COUNT, UNKNOWN},
    {P, "purchase.amount.currency", TEXT, UNKNOWN},
    {P, "purchase.amount.display", TEXT, UNKNOWN},
    {P, "purchase.description", TEXT, UNKNOWN},
    {P, "purchase.details", OBJECT, UNKNOWN},
    {P, "purchase.details.complete", BOOLEAN, UNKNOWN},
    {P, "purchase.details.missing", LIST, UNKNOWN},
    {P, "purchase.question", OBJECT, UNKNOWN},
    {P, "purchase.question.id", TEXT, REFUSED},
    {P, "purchase.question.kind", ENUM, REFUSED},
    {P, "purchase.question.prompt", TEXT, REFUSED},
    {P, "purchase.question.asked_at", TIME, UNKNOWN},
    {P, "purchase.follow_up", OBJECT, UNKNOWN},
    {P, "purchase.follow_up.id", TEXT, REFUSED},
    {P, "purchase.follow_up.kind", ENUM, UNKNOWN},
    {P, "purchase.follow_up.prompt", TEXT, UNKNOWN},
    {P, "purchase.approval", OBJECT, UNKNOWN},
    {P, "purchase.approval.state", ENUM, UNKNOWN},
    {P, "purchase.approval.method", ENUM, UNKNOWN},
    {P, "purchase.approval.decide_by", TIME, UNKNOWN},
    {P, "purchase.payment_ready", OBJECT, UNKNOWN},
    {P, "purchase.payment_ready.available", BOOLEAN, UNKNOWN},
    {P, "purchase.payment_ready.kind", ENUM, UNKNOWN},
    {P, "purchase.payment_ready.expires_at", TIME, UNKNOWN},
    {P, "purchase.payment_ready.closed", BOOLEAN, UNKNOWN},
    {P, "purchase.money", OBJECT, UNKNOWN},
    {P, "purchase.money.status", ENUM, UNKNOWN},
    {P, "purchase.money.paid", OBJECT, UNKNOWN},
    {P, "purchase.money.merchant_order_ref", TEXT, UNKNOWN},
    {P, "purchase.receipt", OBJECT, UNKNOWN},
    {P, "purchase.receipt.merchant_order_ref", TEXT, UNKNOWN},
    {P, "purchase.receipt.paid", OBJECT, UNKNOWN},
    {P, "purchase.receipt.card", OBJECT, UNKNOWN},
    {P, "purchase.receipt.completed_at", TIME, UNKNOWN},
    {P, "purchase.chain", OBJECT, UNKNOWN},
    {P, "purchase.chain.supersedes", TEXT, UNKNOWN},
    {P, "purchase.chain.superseded_by", TEXT, UNKNOWN},
    {P, "purchase.agent", OBJECT, UNKNOWN},
    {P, "purchase.agent.agent_id", TEXT, UNKNOWN},
    {P, "purchase.agent.display_name", TEXT, UNKNOWN},
    {P, "purchase.agent.verification", ENUM, UNKNOWN},
    {P, "purchase.created_at", TIME, UNKNOWN},
    {P, "purchase.updated_at", TIME, UNKNOWN},
    {P, "purchase.funding", OBJECT, UNKNOWN},
    {P, "purchase.funding.url", URL, UNKNOWN},
    {P, "purchase.funding.amount", OBJECT, UNKNOWN},
    {P, "purchase.funding.expires_at", TIME, UNKNOWN},
    /* get_account */
    {A, "data.account", OBJECT, UNKNOWN},
    {A, "data.account.balance", OBJECT, UNKNOWN},
    {A, "data.account.held", OBJECT, UNKNOWN},
    {A, "data.account.held_purchases", OBJECT, UNKNOWN},
    {A, "data.account.held_purchases.available", BOOLEAN, UNKNOWN},
    {A, "data.account.held_purchases.items", LIST, UNKNOWN},
    {A, "data.account.held_purchases.items.0.purchase_id", TEXT, REFUSED},
    {A, "data.account.held_purchases.items.0.merchant", TEXT, UNKNOWN},
    {A, "data.account.held_purchases.items.0.amount", OBJECT, UNKNOWN},
    {A, "data.account.held_purchases.items.0.exact", BOOLEAN, UNKNOWN},
    {A, "data.account.held_purchases.items.0.state", ENUM, UNKNOWN},
    {A, "data.account.held_purchases.items.0.since", TIME, UNKNOWN},
    {A, "data.account.held_purchases.total", OBJECT, UNKNOWN},
    {A, "data.account.held_purchases.truncated", BOOLEAN, UNKNOWN},
    {A, "data.account.unavailable", LIST, UNKNOWN},
    {A, "data.account.profile", OBJECT, UNKNOWN},
    {A, "data.account.profile.name", TEXT, UNKNOWN},
    {A, "data.account.profile.mobile", TEXT, UNKNOWN},
    {A, "data.account.addresses", LIST, UNKNOWN},
    {A, "data.account.addresses.0.id", ANY, UNKNOWN},
    {A, "data.account.addresses.0.label", TEXT, UNKNOWN},
    {A, "data.account.addresses.0.is_default", BOOLEAN, UNKNOWN},
    {A, "data.account.addresses.0.line", TEXT, UNKNOWN},
    {A, "data.account.limits", LIST, UNKNOWN},
    {A, "data.account.limits.0.channel", TEXT, UNKNOWN},
    {A, "data.account.limits.0.period", ENUM, UNKNOWN},
    {A, "data.account.limits.0.amount", OBJECT, UNKNOWN},
    {A, "data.account.services", LIST, UNKNOWN},
    {A, "data.account.active_purchase", OBJECT, UNKNOWN},
    {A, "data.account.active_purchase.state", ENUM, REFUSED},
    {A, "data.account.agent", OBJECT, UNKNOWN},
    /* rows */
    {L, "data.purchases", LIST, UNKNOWN},
    {L, "data.truncated", BOOLEAN, UNKNOWN},
    {L, "data.purchases.0.purchase_id", TEXT, REFUSED},
    {L, "data.purchases.0.state", ENUM, REFUSED},
    {L, "data.purchases.0.merchant", OBJECT, UNKNOWN},
    {L, "data.purchases.0.amount", OBJECT, UNKNOWN},
    {L, "data.purchases.0.checkout_by", ENUM, UNKNOWN},
    {L, "data.purchases.0.created_at", TIME, UNKNOWN},
    {T, "data.transactions", LIST, UNKNOWN},
    {T, "data.next_cursor", TEXT, UNKNOWN},
    {T, "data.transactions.0.id", TEXT, REFUSED},
    {T, "data.transactions.0.occurred_at", TIME, UNKNOWN},
    {T, "data.transactions.0.amount", OBJECT, UNKNOWN},
    {T, "data.transactions.0.direction", ENUM, UNKNOWN},
    {T, "data.transactions.0.title", TEXT, UNKNOWN},
    {T, "data.transactions.0.by_agent", BOOLEAN, UNKNOWN},
    {T, "data.transactions.0.kind", ENUM, UNKNOWN},
    {T, "data.transactions.0.status", ENUM, UNKNOWN},
    {T, "data.transactions.0.card", ENUM, UNKNOWN},
    {M, "data.merchants", LIST, UNKNOWN},
    {M, "data.merchants.0.name", TEXT, UNKNOWN},
    {M, "data.merchants.0.domain", TEXT, UNKNOWN},
    {M, "data.merchants.0.amounts", LIST, UNKNOWN},
    {M, "data.merchants.0.amounts.0", OBJECT, UNKNOWN},
    {M, "data.merchants.1.amount_range", OBJECT, UNKNOWN},
    {M, "data.merchants.1.amount_range.min", OBJECT, UNKNOWN},
    {M, "data.merchants.1.redeem_at", ENUM, UNKNOWN},
    {S, "data.products", LIST, UNKNOWN},
    {S, "data.products.0.product_id", TEXT, REFUSED},
    {S, "data.products.0.name", TEXT, UNKNOWN},
    {S, "data.products.0.price", OBJECT, UNKNOWN},
    {S, "data.products.0.quantity", COUNT, UNKNOWN},
    {S, "data.products.0.total", OBJECT, UNKNOWN},
    {S, "data.products.0.valid_until", TIME, UNKNOWN},
    {S, "data.products.0.merchant_url", URL, UNKNOWN},
    {F, "data.receipt", OBJECT, UNKNOWN},
    {F, "data.receipt.feedback_id", TEXT, UNKNOWN},
    {F, "data.receipt.recorded_at", TIME, UNKNOWN},
};

static const char *text_of(const struct fact *f)
{
    return fx_rich_text(f->tool);
}

static void passes(const struct fact *f, const char *value)
{
    contract_reply_free(fx_good_with(f->tool, text_of(f), f->path, value));
}

static void refuses(const struct fact *f, const char *value)
{
    fx_bad_with(f->tool, text_of(f), f->path, value, ERR_FORMAT);
}

static void absent_and_null_are_the_same(void **state)
{
    (void)state;
    for (size_t i = 0; i < FX_COUNT(facts); i++) {
        if (facts[i].lack == REFUSED) {
            refuses(&facts[i], NULL);
            refuses(&facts[i], "null");
        } else {
            passes(&facts[i], NULL);
            passes(&facts[i], "null");
        }
    }
}

static void a_wrong_type_is_refused(void **state)
{
    (void)state;
    static const char *const values[] = {"true", "7", "\"word\"", "{}", "[]", "1.5", "-1"};
    for (size_t i = 0; i < FX_COUNT(facts); i++) {
        for (size_t v = 0; v < FX_COUNT(values); v++) {
            static const unsigned right[] = {
                [BOOLEAN] = 1u << 0, [COUNT] = 1u << 1,  [TEXT] = 1u << 2, [ENUM] = 1u << 2,
                [URL] = 1u << 2,     [OBJECT] = 1u << 3, [LIST] = 1u << 4,
            };
            /* A time that is no time is unknown, of whatever type it is. */
            if (facts[i].type == ANY || facts[i].type == TIME || right[facts[i].type] & 1u << v)
                continue;
            refuses(&facts[i], values[v]);
        }
    }
}

static void an_unknown_enum_value_is_kept(void **state)
{
    (void)state;
    for (size_t i = 0; i < FX_COUNT(facts); i++) {
        if (facts[i].type == ENUM && strcmp(facts[i].path, "tool") != 0)
            passes(&facts[i], "\"something_new\"");
    }
}

static void a_time_that_is_none_is_unknown(void **state)
{
    (void)state;
    for (size_t i = 0; i < FX_COUNT(facts); i++) {
        if (facts[i].type == TIME)
            passes(&facts[i], "\"2026-02-30T00:00:00Z\"");
    }
    fx_bad_with(P, fx_rich_text(P), "server_time", "\"yesterday\"", ERR_FORMAT);
}

struct bound {
    enum contract_tool tool;
    const char *path;
    const char *value;
    bool good;
};

#define HEX31 "0123456789abcdef0123456789abcde"
#define TEN   "abcdefghij"
#define A64   TEN TEN TEN TEN TEN TEN "abcd"
#define A128  A64 A64

static const struct bound bounds[] = {
    {P, "purchase.purchase_id", "\"pur_" HEX31 "0\"", true},
    {P, "purchase.purchase_id", "\"pur_" HEX31 "\"", false},
    {P, "purchase.purchase_id", "\"pur_" HEX31 "00\"", false},
    {P, "purchase.purchase_id", "\"pur_" HEX31 "G\"", false},
    {P, "purchase.purchase_id", "\"pur_" HEX31 "A\"", false},
    {P, "purchase.purchase_id", "\"PUR_" HEX31 "0\"", false},
    {P, "purchase.purchase_id", "\"pur_" HEX31 "0\\n\"", false},
    {P, "purchase.purchase_id", "\"pur_" HEX31 "0\\u0000\"", false},
    {P, "purchase.idempotency_key", "\"abcdefghij-_5678\"", true},
    {P, "purchase.idempotency_key", "\"abcdefghij-_567\"", false},
    {P, "purchase.idempotency_key", "\"" A64 "\"", true},
    {P, "purchase.idempotency_key", "\"" A64 "a\"", false},
    {P, "purchase.idempotency_key", "\"pur_abcdefghijklmnop\"", false},
    {P, "purchase.idempotency_key", "\"pur-abcdefghijklmnop\"", true},
    {P, "purchase.idempotency_key", "\"abcdefghij klmnopq\"", false},
    {P, "purchase.revision", "0", true},
    {P, "purchase.revision", "9223372036854775807", true},
    {P, "purchase.amount.minor", "0", true},
    {P, "purchase.amount.minor", "-1", false},
    {P, "purchase.amount.minor", "100.0", false},
    {P, "purchase.amount.minor", "1e3", false},
    {P, "purchase.question.id", "\"\"", false},
    {P, "purchase.question.id", "\"" A128 "\"", true},
    {P, "purchase.question.id", "\"" A128 "a\"", false},
    {P, "purchase.chain.supersedes", "\"pur_" HEX31 "\"", false},
    {P, "request_id", "\"\"", false},
    {P, "next.after_seconds", "0", true},
    {P, "next.after_seconds", "-1", false},
    {A, "data.account.held_purchases.items.0.purchase_id", "\"" FX_KEY "\"", false},
    {L, "data.purchases.0.purchase_id", "\"" FX_KEY "\"", false},
    {T, "data.transactions.0.id", "\"" A128 "\"", true},
    {T, "data.transactions.0.id", "\"" A128 "a\"", false},
    {T, "data.transactions.0.id", "\"\"", false},
    {T, "data.next_cursor", "\"\"", false},
    {S, "data.products.0.product_id", "\"ofr_" HEX31 "f\"", true},
    {S, "data.products.0.product_id", "\"ofr_" HEX31 "\"", false},
    {S, "data.products.0.product_id", "\"pur_" HEX31 "f\"", false},
    {S, "data.products.0.quantity", "999", true},
    {S, "data.products.0.quantity", "1000", false},
    {M, "data.merchants.1.discount_percent", "\"2.5\"", false},
};

static void bounds_hold_on_both_sides(void **state)
{
    (void)state;
    for (size_t i = 0; i < FX_COUNT(bounds); i++) {
        const struct bound *b = &bounds[i];
        if (b->good)
            contract_reply_free(fx_good_with(b->tool, fx_rich_text(b->tool), b->path, b->value));
        else
            fx_bad_with(b->tool, fx_rich_text(b->tool), b->path, b->value, ERR_FORMAT);
    }
}

/* "[x,x,...]" with count elements, on the heap. */
static char *list_of(const char *element, size_t count)
{
    struct buf b;
    buf_init(&b, 1u << 20);
    assert_int_equal(buf_append_char(&b, '['), ERR_OK);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(buf_printf(&b, "%s%s", i ? "," : "", element), ERR_OK);
    assert_int_equal(buf_append_char(&b, ']'), ERR_OK);
    return buf_take(&b);
}

static void lists_are_bounded(void **state)
{
    (void)state;
    static const struct {
        enum contract_tool tool;
        const char *path;
        const char *element;
        size_t most;
    } lists[] = {
        {P, "follow_ups", "{\"tool\":\"get_account\",\"args\":{},\"why\":\"\"}", 20},
        {P, "purchase.details.missing", "\"address\"", 20},
        {L, "data.purchases", "{\"purchase_id\":\"" FX_ID "\",\"state\":\"ready\"}", 100},
        {T, "data.transactions", "{\"id\":\"l\"}", 200},
        {M, "data.merchants", "{\"name\":\"a\"}", 1000},
        {M, "data.merchants.0.amounts", "{\"minor\":1,\"currency\":\"INR\"}", 1000},
        {S, "data.products", "{\"product_id\":\"" FX_OFFER "\"}", 50},
        {A, "data.account.held_purchases.items", "{\"purchase_id\":\"" FX_ID "\"}", 200},
        {A, "data.account.addresses", "{\"id\":\"a\"}", 200},
        {A, "data.account.limits", "{\"channel\":\"UPI\"}", 50},
    };
    for (size_t i = 0; i < FX_COUNT(lists); i++) {
        const char *text = fx_rich_text(lists[i].tool);
        char *most = list_of(lists[i].element, lists[i].most);
        char *more = list_of(lists[i].element, lists[i].most + 1);
        contract_reply_free(fx_good_with(lists[i].tool, text, lists[i].path, most));
        fx_bad_with(lists[i].tool, text, lists[i].path, more, ERR_LIMIT);
        alloc_free(most);
        alloc_free(more);
    }
}

static void a_reason_names_the_place_and_no_value(void **state)
{
    (void)state;
    char why[200];
    struct contract_reply *r;
    char *text = fx_set(fx_rich_purchases, "data.purchases.0.purchase_id", "\"canary-4242\"");
    assert_int_equal(fx_decode(L, text, &r, why), ERR_FORMAT);
    assert_string_equal(why, "data.purchases[0].purchase_id is not well formed");
    alloc_free(text);
    text = fx_set(fx_rich_text(P), "purchase.amount.minor", "12.5");
    assert_int_equal(fx_decode(P, text, &r, why), ERR_FORMAT);
    assert_string_equal(why, "purchase.amount.minor is not a whole number of at least 0");
    assert_int_equal(fx_decode(P, text, &r, NULL), ERR_FORMAT);
    alloc_free(text);
    assert_int_equal(fx_decode(P, "[]", &r, why), ERR_FORMAT);
    assert_string_equal(why, "the reply is not an object");
}

static void a_reply_that_contradicts_itself_is_refused(void **state)
{
    (void)state;
    const char *refused = fx_refused;
    fx_bad_with(CONTRACT_TOOL_START_PURCHASE, refused, "error", "null", ERR_FORMAT);
    fx_bad_with(CONTRACT_TOOL_START_PURCHASE, refused, "ok", "true", ERR_FORMAT);
    fx_bad_with(CONTRACT_TOOL_START_PURCHASE, refused, "error.code", NULL, ERR_FORMAT);
    fx_bad_with(P, fx_rich_text(P), "ok", "false", ERR_FORMAT);
    fx_bad_with(P, fx_rich_text(P), "tool", "\"get_account\"", ERR_FORMAT);
    fx_bad_with(P, fx_rich_text(P), "tool", "\"give_back_gift_card\"", ERR_FORMAT);
    contract_reply_free(fx_good_with(F, fx_rich_text(F), "tool", "\"answer_purchase_question\""));
    contract_reply_free(fx_good_with(M, fx_rich_text(M), "tool", "\"list_gift_card_merchants\""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(absent_and_null_are_the_same),
        cmocka_unit_test(a_wrong_type_is_refused),
        cmocka_unit_test(an_unknown_enum_value_is_kept),
        cmocka_unit_test(a_time_that_is_none_is_unknown),
        cmocka_unit_test(bounds_hold_on_both_sides),
        cmocka_unit_test(lists_are_bounded),
        cmocka_unit_test(a_reason_names_the_place_and_no_value),
        cmocka_unit_test(a_reply_that_contradicts_itself_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
