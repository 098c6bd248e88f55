/* SPDX-License-Identifier: Apache-2.0 */
/* Synthetic replies for the tests of the contract layer: the published example of every tool in
 * short, and a reply of every tool with all that it can hold; and changing one value by its path.
 */
#ifndef TESTS_CONTRACT_FIXTURES_H
#define TESTS_CONTRACT_FIXTURES_H

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "contract/input.h"
#include "contract/reply.h"
#include "core/alloc.h"

#define FX_ID    "pur_5b1e9c7a3f2d5a8e9c0b1d2e3f4a5b6c"
#define FX_KEY   "synthetic-intent-0001"
#define FX_OFFER "ofr_0123456789abcdef0123456789abcdef"
#define FX_UUID  "0f8fad5b-d9cb-469f-a165-70867728950e"
#define FX_AMOUNT(minor, display)                                                                  \
    "{\"minor\":" minor ",\"currency\":\"INR\",\"display\":\"" display "\"}"
#define FX_2499 FX_AMOUNT("249900", "₹2,499.00")

#define FX_HEAD(ok, tool)                                                                          \
    "{\"ok\":" ok ",\"contract\":\"envoy@2026-10\",\"tool\":\"" tool                               \
    "\",\"request_id\":\"req_synthetic\",\"trace_id\":\"4bf92f3577b34da6a3ce929d0e0e4736\","       \
    "\"server_time\":\"2026-09-29T12:00:00Z\",\"replayed\":false,"

#define FX_STATUS_ARGS(revision)                                                                   \
    "{\"purchase\":\"" FX_ID "\",\"after_revision\":" revision ",\"wait_seconds\":45}"

#define FX_CONTINUE                                                                                \
    "\"next\":{\"action\":\"continue\",\"tool\":null,\"args\":null,\"instruction\":\"Carry "       \
    "on.\",\"after_seconds\":null,\"by\":null},\"user_action\":null,\"follow_ups\":[],\"error\":"  \
    "null}"

#define FX_UNAUTHENTICATED(tool)                                                                   \
    FX_HEAD("false", tool)                                                                         \
    "\"purchase\":null,\"data\":null,\"next\":{\"action\":\"reconnect\",\"tool\":null,\"args\":"   \
    "null,\"instruction\":\"Sign in again.\",\"after_seconds\":null,\"by\":null},"                 \
    "\"user_action\":null,\"follow_ups\":[],\"error\":{\"code\":\"UNAUTHENTICATED\",\"message\":"  \
    "\"Reconnect to Envoy.\",\"fields\":[],\"reason_code\":null,\"retryable\":false,"              \
    "\"retry_after_seconds\":null}}"

#define FX_PURCHASE_TAIL                                                                           \
    "\"chain\":{\"supersedes\":null,\"superseded_by\":null},\"agent\":{\"agent_id\":"              \
    "\"origin:https://host.example.test\",\"display_name\":\"Synthetic Host\",\"verification\":"   \
    "\"origin\"},\"created_at\":\"2026-09-29T12:00:00Z\",\"updated_at\":\"2026-09-29T12:20:00Z\""

#define FX_PURCHASE_HEAD(revision, terminal, state, task, words, rail, rail_reason, by)            \
    "{\"purchase_id\":\"" FX_ID "\",\"service\":\"purchase\",\"idempotency_key\":\"" FX_KEY        \
    "\",\"revision\":" revision ",\"terminal\":" terminal ",\"state\":\"" state                    \
    "\",\"user_task\":" task ",\"reason_code\":null,\"status_text\":\"" words                      \
    "\",\"rail\":\"" rail "\",\"rail_reason\":\"" rail_reason "\",\"checkout_by\":\"" by           \
    "\",\"merchant\":{\"name\":\"Example Store\",\"url\":\"https://shop.example.test\"},"          \
    "\"amount\":" FX_2499 ",\"description\":\"Headphones\",\"details\":{\"complete\":true,"        \
    "\"missing\":[]},\"question\":null,"

#define FX_NOT_CHARGED                                                                             \
    "\"money\":{\"status\":\"not_started\",\"paid\":null,\"merchant_order_ref\":null},"            \
    "\"receipt\":null,"

static const char fx_start[] = FX_HEAD("true", "start_purchase") "\"purchase\":" FX_PURCHASE_HEAD(
    "1", "false", "waiting_for_user", "\"approve\"", "Approve this purchase in the Envoy app.",
    "otu_card", "RAIL_OTU_PREFERRED",
    "agent") "\"follow_up\":null,\"approval\":{\"state\":\"pending\",\"method\":\"passkey\","
             "\"decide_by\":\"2026-09-29T12:15:00Z\",\"approval_url\":null},\"payment_ready\":{"
             "\"available\":false,\"kind\":\"card\",\"expires_at\":null}," FX_NOT_CHARGED
                 FX_PURCHASE_TAIL
             "},\"data\":null,\"next\":{\"action\":\"call_tool\",\"tool\":\"get_purchase_status\","
             "\"args\":" FX_STATUS_ARGS(
                 "1") ",\"instruction\":\"Read the "
                      "status.\",\"after_seconds\":0,\"by\":\"2026-09-29T12:15:00Z\"},"
                      "\"user_action\":{\"task\":\"approve\",\"url\":null,\"by\":\"2026-09-29T12:"
                      "15:00Z\","
                      "\"message\":\"Approve this purchase in the Envoy "
                      "app.\"},\"follow_ups\":[],\"error\":null}";

#define FX_ANSWERED(tool)                                                                          \
    FX_HEAD("true", tool)                                                                          \
    "\"purchase\":" FX_PURCHASE_HEAD(                                                              \
        "2", "false", "processing", "null", "Envoy is placing this order.", "operated_checkout",   \
        "RAIL_AMOUNT_ABOVE_OTU_LIMIT",                                                             \
        "envoy") "\"follow_up\":null,\"approval\":{\"state\":null,\"method\":null,\"decide_by\":"  \
                 "null,\"approval_url\":null},\"payment_ready\":{\"available\":false,\"kind\":"    \
                 "null,\"expires_at\":null}," FX_NOT_CHARGED FX_PURCHASE_TAIL                      \
                 "},\"data\":null,\"next\":{\"action\":\"call_tool\",\"tool\":"                    \
                 "\"get_purchase_status\",\"args\":" FX_STATUS_ARGS(                               \
                     "2") ",\"instruction\":\"Read the status.\",\"after_seconds\":0,\"by\":"      \
                          "\"2026-09-29T12:02:00Z\"},\"user_action\":null,\"follow_ups\":[],"      \
                          "\"error\":null}"

/* With arguments in a form that a re-encoding would change. */
#define FX_FEEDBACK_ARGS                                                                           \
    "{ \"purchase\" : \"" FX_ID "\",\n \"question\":\"feedback-" FX_ID "\", "                      \
    "\"type\":\"feedback\"}"

static const char fx_completed[] =
    FX_HEAD("true", "get_purchase_status") "\"purchase\":" FX_PURCHASE_HEAD(
        "4", "true", "completed", "null", "This purchase is complete.", "otu_card",
        "RAIL_OTU_PREFERRED",
        "agent") "\"follow_up\":{\"id\":\"feedback-" FX_ID
                 "\",\"kind\":\"feedback\",\"prompt\":\"How did it "
                 "go?\"},\"approval\":{\"state\":\"approved\",\"method\":\"passkey\",\"decide_by\":"
                 "\"2026-09-29T12:15:00Z\",\"approval_url\":null},\"payment_ready\":{\"available\":"
                 "false,"
                 "\"kind\":\"card\",\"expires_at\":null},\"money\":{\"status\":\"debited\","
                 "\"paid\":" FX_2499 ",\"merchant_order_ref\":\"SYNTHETIC-ORDER-0001\"},"
                 "\"receipt\":{\"merchant_order_ref\":"
                 "\"SYNTHETIC-ORDER-0001\",\"paid\":" FX_2499
                 ",\"card\":null,\"completed_at\":\"2026-09-29T12:20:00Z\"}," FX_PURCHASE_TAIL
                 "},\"data\":null,\"next\":{\"action\":\"done\",\"tool\":null,\"args\":null,"
                 "\"instruction\":"
                 "\"Tell the "
                 "user.\",\"after_seconds\":null,\"by\":null},\"user_action\":null,\"follow_ups\":["
                 "{"
                 "\"tool\":\"submit_answer\",\"args\":" FX_FEEDBACK_ARGS
                 ",\"why\":\"Optional feedback.\"}],"
                 "\"error\":null}";

static const char fx_account[] = FX_HEAD(
    "true",
    "get_account") "\"purchase\":null,\"data\":{\"account\":{\"currency\":\"INR\","
                   "\"balance\":" FX_AMOUNT("500000", "₹5,000.00") ",\"held\":" FX_AMOUNT(
                       "0",
                       "₹0.00") ",\"spendable\":" FX_AMOUNT("500000",
                                                            "₹5,000.00") ",\"services\":["
                                                                         "\"purchase\"],\"active_"
                                                                         "purchase\":null,"
                                                                         "\"unavailable\":[]}}"
                                                                         "," FX_CONTINUE;

#define FX_MERCHANTS(tool)                                                                         \
    FX_HEAD("true", tool)                                                                          \
    "\"purchase\":null,\"data\":{\"merchants\":[{\"name\":\"shop.example.test\",\"domain\":"       \
    "\"shop.example.test\",\"amounts\":[" FX_AMOUNT("50000", "₹500.00") "," FX_AMOUNT(             \
        "100000", "₹1,000.00") "],\"amount_range\":null,\"discount_percent\":2.5,\"redeem_at\":"   \
                               "\"checkout\"}]}," FX_CONTINUE

static const char fx_transactions[] = FX_HEAD(
    "true",
    "list_transactions") "\"purchase\":null,\"data\":{\"transactions\":[{\"id\":"
                         "\"synthetic-line\",\"occurred_at\":"
                         "\"2026-09-29T11:00:00Z\",\"amount\":" FX_AMOUNT(
                             "10000",
                             "₹100.00") ",\"direction\":\"debit\","
                                        "\"title\":\"Example Store\",\"subtitle\":\"Example "
                                        "Agent\",\"by_agent\":true,\"kind\":"
                                        "\"purchase\",\"status\":\"completed\",\"card\":\"envoy\"}]"
                                        ",\"next_cursor\":null}," FX_CONTINUE;

static const char fx_products[] = FX_HEAD(
    "true",
    "search_products") "\"purchase\":null,\"data\":{\"products\":[{\"product_id\":"
                       "\"" FX_OFFER "\",\"name\":\"Whey Protein Isolate 1kg\","
                       "\"brand\":\"Synthetic "
                       "Nutrition\",\"image\":\"https://cdn.example.test/"
                       "whey.jpg\",\"price\":" FX_AMOUNT(
                           "49900",
                           "₹499.00") ",\"quantity\":2,\"total\":" FX_AMOUNT("99800",
                                                                             "₹998.00") ",\"valid_"
                                                                                        "until\":"
                                                                                        "\"2026-09-"
                                                                                        "29T12:30:"
                                                                                        "00Z\","
                                                                                        "\"merchant"
                                                                                        "_url\":"
                                                                                        "\"https://"
                                                                                        "elixir."
                                                                                        "cards\"}]}"
                                                                                        "," FX_CONTINUE;

/* A purchase with every part filled in. */
#define FX_RICH_PURCHASE                                                                           \
    "{\"purchase_id\":\"" FX_ID "\",\"service\":\"purchase\",\"idempotency_key\":\"" FX_KEY        \
    "\",\"revision\":7,\"terminal\":false,\"state\":\"needs_answer\",\"user_task\":\"pay_link\","  \
    "\"reason_code\":\"ORDER_CARD_DECLINED\",\"status_text\":\"Envoy asks.\",\"rail\":"            \
    "\"gift_card\",\"rail_reason\":\"RAIL_GIFT_CARD_CARDLESS\",\"checkout_by\":\"agent\","         \
    "\"merchant\":{\"name\":\"Example "                                                            \
    "Store\",\"url\":\"https://shop.example.test\"},\"amount\":" FX_2499                           \
    ",\"description\":\"Headphones\",\"details\":{\"complete\":false,\"missing\":["                \
    "\"address\",\"size\"]},\"question\":{\"id\":\"q-1\",\"kind\":\"text\",\"prompt\":\"Which "    \
    "size?\",\"asked_at\":\"2026-09-29T12:01:00Z\"},\"follow_up\":{\"id\":\"f-1\",\"kind\":"       \
    "\"feedback\",\"prompt\":\"How was it?\"},\"approval\":{\"state\":\"approved\",\"method\":"    \
    "\"otp\",\"decide_by\":\"2026-09-29T12:15:00Z\",\"approval_url\":null},\"payment_ready\":{"    \
    "\"available\":true,\"kind\":\"gift_card\",\"expires_at\":\"2026-09-29T13:00:00Z\","           \
    "\"closed\":true},\"money\":{\"status\":\"debited\",\"paid\":" FX_2499                         \
    ",\"merchant_order_ref\":\"ORDER-1\"},\"receipt\":{\"merchant_order_ref\":\"ORDER-1\","        \
    "\"paid\":" FX_2499 ",\"card\":{\"network\":\"rupay\",\"last4\":\"4242\"},\"completed_at\":"   \
    "\"2026-09-29T12:20:00Z\"},\"chain\":{\"supersedes\":\"pur_"                                   \
    "00000000000000000000000000000001\","                                                          \
    "\"superseded_by\":\"pur_00000000000000000000000000000002\"},\"agent\":{\"agent_id\":\"a-1\"," \
    "\"display_name\":\"Host\",\"verification\":\"cimd\"},\"created_at\":\"2026-09-29T12:00:"      \
    "00Z\","                                                                                       \
    "\"updated_at\":\"2026-09-29T12:20:00.250Z\",\"funding\":{\"url\":"                            \
    "\"https://pay.example.test/l/1\",\"amount\":" FX_AMOUNT(                                      \
        "240000", "₹2,400.00") ",\"expires_at\":\"2026-09-29T12:40:00Z\"}}"

#define FX_RICH_TAIL                                                                               \
    "\"next\":{\"action\":\"call_tool\",\"tool\":\"get_purchase_status\","                         \
    "\"args\":" FX_STATUS_ARGS(                                                                    \
        "7") ",\"instruction\":\"Read.\",\"after_seconds\":5,\"by\":\"2026-09-29T12:15:00Z\"},"    \
             "\"user_action\":{\"task\":\"pay_link\",\"url\":\"https://pay.example.test/l/1\","    \
             "\"by\":\"2026-09-29T12:40:00Z\",\"message\":\"Pay the link.\"},\"follow_ups\":[{"    \
             "\"tool\":\"submit_answer\",\"args\":" FX_FEEDBACK_ARGS ",\"why\":\"Optional.\"},{"   \
             "\"tool\":\"get_account\",\"args\":{},\"why\":\"Look.\"}],\"error\":null}"

#define FX_RICH(tool, data)                                                                        \
    FX_HEAD("true", tool) "\"purchase\":" FX_RICH_PURCHASE ",\"data\":" data "," FX_RICH_TAIL

static const char fx_rich_account[] = FX_RICH(
    "get_account",
    "{\"account\":{\"currency\":\"INR\",\"balance\":" FX_AMOUNT(
        "500000",
        "₹5,000.00") ",\"held\":" FX_AMOUNT("0",
                                            "₹0.00") ",\"spendable\":null,\"held_purchases\":{"
                                                     "\"available\":"
                                                     "true,\"reason\":null,\"items\":[{\"purchase_"
                                                     "id\":\"" FX_ID "\",\"merchant\":\"Example "
                                                     "Store\",\"amount\":" FX_2499
                                                     ",\"exact\":true,\"state\":\"held\",\"since\":"
                                                     "\"2026-09-29T10:00:00Z\"},{\"purchase_id\":"
                                                     "\"" FX_ID
                                                     "\",\"merchant\":null,\"amount\":null,"
                                                     "\"exact\":false,\"state\":\"unknown\","
                                                     "\"since\":null}],\"total\":" FX_2499
                                                     ",\"truncated\":true},\"limits_reserved\":"
                                                     "\"not_reserved\",\"unavailable\":["
                                                     "\"spendable\"],"
                                                     "\"profile\":{\"name\":\"Asha "
                                                     "Rao\",\"mobile\":\"+91 98765 "
                                                     "43210\",\"email\":null},"
                                                     "\"addresses\":[{\"id\":\"addr_1\",\"label\":"
                                                     "\"Home\",\"is_default\":true,\"name\":\"Asha "
                                                     "Rao\",\"phone\":null,\"line1\":\"12 MG "
                                                     "Road\",\"line2\":null,\"line3\":null,"
                                                     "\"city\":"
                                                     "\"Bengaluru\",\"state\":\"Karnataka\",\"pin_"
                                                     "code\":\"560001\",\"country\":\"IN\","
                                                     "\"line\":"
                                                     "\"Asha Rao, 12 MG Road, Bengaluru "
                                                     "560001\"}],\"limits\":[{\"channel\":\"UPI\","
                                                     "\"period\":"
                                                     "\"day\",\"amount\":" FX_AMOUNT(
                                                         "10000000",
                                                         "₹1,00,000.00") "}],\"services\":["
                                                                         "\"purchase\"],"
                                                                         "\"active_"
                                                                         "purchase\""
                                                                         ":" FX_RICH_PURCHASE
                                                                         ",\"agent\":{\"agent_id\":"
                                                                         "\"a-1\",\"display_name\":"
                                                                         "\"Host\","
                                                                         "\"verification\":"
                                                                         "\"unverified\"}}}");

static const char fx_rich_purchases[] =
    FX_RICH("list_purchases", "{\"purchases\":[{\"purchase_id\":\"" FX_ID
                              "\",\"state\":\"ready\",\"merchant\":{\"name\":\"Example Store\","
                              "\"url\":\"https://shop.example.test\"},\"amount\":" FX_2499
                              ",\"checkout_by\":\"agent\",\"created_at\":"
                              "\"2026-09-29T12:00:00Z\"}],\"truncated\":true}");

static const char fx_rich_transactions[] =
    FX_RICH("list_transactions",
            "{\"transactions\":[{\"id\":\"l-1\",\"occurred_at\":\"2026-09-29T11:00:00Z\","
            "\"amount\":" FX_2499 ",\"direction\":\"credit\",\"title\":\"Example Store\","
            "\"subtitle\":null,\"by_agent\":false,\"kind\":\"refund\",\"status\":\"pending\","
            "\"card\":\"elixir_card\"}],\"next_cursor\":\"cur_1\"}");

#define FX_RICH_MERCHANTS(tool)                                                                    \
    FX_RICH(tool, "{\"merchants\":[{\"name\":\"a.example.test\",\"domain\":\"a.example.test\","    \
                  "\"amounts\":[" FX_2499 "],\"amount_range\":null,\"discount_percent\":null,"     \
                  "\"redeem_at\":null},{\"name\":\"b.example.test\",\"domain\":"                   \
                  "\"b.example.test\",\"amounts\":[],\"amount_range\":{\"min\":" FX_AMOUNT(        \
                      "10000", "₹100.00") ",\"max\":" FX_2499                                      \
                                          "},\"discount_percent\":12.5,\"redeem_at\":"             \
                                          "\"account\"}]}")

static const char fx_rich_products[] = FX_RICH(
    "search_products",
    "{\"products\":[{\"product_id\":\"" FX_OFFER "\",\"name\":\"Whey\",\"brand\":null,\"image\":"
    "null,\"price\":" FX_2499 ",\"quantity\":1,\"total\":" FX_2499
    ",\"valid_until\":\"2026-09-29T12:30:00Z\",\"merchant_url\":\"https://elixir.cards\"}]}");

#define FX_RICH_ANSWER(tool)                                                                       \
    FX_RICH(tool, "{\"receipt\":{\"feedback_id\":\"fb_1\",\"recorded_at\":"                        \
                  "\"2026-09-29T12:21:00Z\"}}")

static const char fx_refused[] = FX_HEAD(
    "false", "start_purchase") "\"purchase\":null,\"data\":null,\"next\":{\"action\":"
                               "\"fix_input\",\"tool\":\"start_purchase\",\"args\":null,"
                               "\"instruction\":\"Fix it.\","
                               "\"after_seconds\":60,\"by\":null},\"user_action\":null,\"follow_"
                               "ups\":[],\"error\":{\"code\":"
                               "\"INVALID_INPUT\",\"message\":\"A field is "
                               "wrong.\",\"fields\":[{\"path\":\"/total\","
                               "\"problem\":\"not an "
                               "amount\",\"expected\":\"rupees\"},{\"path\":\"/items\",\"problem\":"
                               "\"empty\",\"expected\":null}],\"reason_code\":\"RAIL_CARD_"
                               "UNAVAILABLE\",\"retryable\":true,"
                               "\"retry_after_seconds\":60}}";

struct fx_reply {
    enum contract_tool tool;
    const char *text;
};

/* The published example of every tool. */
static const struct fx_reply fx_examples[] = {
    {CONTRACT_TOOL_GET_ACCOUNT, fx_account},
    {CONTRACT_TOOL_LIST_TRANSACTIONS, fx_transactions},
    {CONTRACT_TOOL_LIST_PURCHASES, FX_UNAUTHENTICATED("list_purchases")},
    {CONTRACT_TOOL_START_PURCHASE, fx_start},
    {CONTRACT_TOOL_GET_PURCHASE_STATUS, fx_completed},
    {CONTRACT_TOOL_ANSWER_PURCHASE_QUESTION, FX_ANSWERED("answer_purchase_question")},
    {CONTRACT_TOOL_SUBMIT_ANSWER, FX_ANSWERED("submit_answer")},
    {CONTRACT_TOOL_REPORT_CHECKOUT_RESULT, FX_UNAUTHENTICATED("report_checkout_result")},
    {CONTRACT_TOOL_REPORT_CHECKOUT_STEP, FX_UNAUTHENTICATED("report_checkout_step")},
    {CONTRACT_TOOL_CANCEL_PURCHASE, FX_UNAUTHENTICATED("cancel_purchase")},
    {CONTRACT_TOOL_LIST_GIFT_CARD_MERCHANTS, FX_MERCHANTS("list_gift_card_merchants")},
    {CONTRACT_TOOL_GET_MERCHANTS, FX_MERCHANTS("get_merchants")},
    {CONTRACT_TOOL_SEARCH_PRODUCTS, fx_products},
};

/* A reply of every tool with all that it can hold. */
static const struct fx_reply fx_rich[] = {
    {CONTRACT_TOOL_GET_ACCOUNT, fx_rich_account},
    {CONTRACT_TOOL_LIST_TRANSACTIONS, fx_rich_transactions},
    {CONTRACT_TOOL_LIST_PURCHASES, fx_rich_purchases},
    {CONTRACT_TOOL_START_PURCHASE, FX_RICH("start_purchase", "null")},
    {CONTRACT_TOOL_GET_PURCHASE_STATUS, FX_RICH("get_purchase_status", "null")},
    {CONTRACT_TOOL_ANSWER_PURCHASE_QUESTION, FX_RICH_ANSWER("answer_purchase_question")},
    {CONTRACT_TOOL_SUBMIT_ANSWER, FX_RICH_ANSWER("submit_answer")},
    {CONTRACT_TOOL_REPORT_CHECKOUT_RESULT, FX_RICH("report_checkout_result", "null")},
    {CONTRACT_TOOL_REPORT_CHECKOUT_STEP, FX_RICH("report_checkout_step", "null")},
    {CONTRACT_TOOL_CANCEL_PURCHASE, FX_RICH("cancel_purchase", "null")},
    {CONTRACT_TOOL_LIST_GIFT_CARD_MERCHANTS, FX_RICH_MERCHANTS("list_gift_card_merchants")},
    {CONTRACT_TOOL_GET_MERCHANTS, FX_RICH_MERCHANTS("get_merchants")},
    {CONTRACT_TOOL_SEARCH_PRODUCTS, fx_rich_products},
    {CONTRACT_TOOL_START_PURCHASE, fx_refused},
};

#define FX_COUNT(array) (sizeof(array) / sizeof(array)[0])

static inline const char *fx_example_text(enum contract_tool tool)
{
    return fx_examples[tool].text;
}

static inline const char *fx_rich_text(enum contract_tool tool)
{
    return fx_rich[tool].text;
}

/* text with the value at path ("a.b.0.c") replaced by value (JSON), or taken out when it is NULL.
 * The caller frees with alloc_free. */
static inline char *fx_set(const char *text, const char *path, const char *value)
{
    json_set_alloc_funcs(alloc_pool_take, alloc_pool_drop); /* as the layer does */
    json_t *root = json_loads(text, JSON_ALLOW_NUL, NULL);
    json_t *fresh = value ? json_loads(value, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL) : NULL;
    json_t *at = root;
    char key[64];
    assert_non_null(root);
    assert_true(!value || fresh);
    for (;;) {
        size_t n = strcspn(path, ".");
        bool last = path[n] == '\0';
        snprintf(key, sizeof key, "%.*s", (int)n, path);
        size_t index = (size_t)strtoul(key, NULL, 10);
        if (last && json_is_array(at))
            assert_int_equal(
                fresh ? json_array_set_new(at, index, fresh) : json_array_remove(at, index), 0);
        else if (last && fresh)
            assert_int_equal(json_object_set_new(at, key, fresh), 0);
        else if (last)
            assert_int_equal(json_object_del(at, key), 0); /* so a path that is wrong is noticed */
        if (last)
            break;
        at = json_is_array(at) ? json_array_get(at, index) : json_object_get(at, key);
        assert_non_null(at);
        path += n + 1;
    }
    char *changed = json_dumps(root, JSON_COMPACT);
    json_decref(root);
    assert_non_null(changed);
    return changed;
}

static inline enum err fx_decode(enum contract_tool tool, const char *text,
                                 struct contract_reply **out, char why[200])
{
    *out = NULL;
    enum err e = contract_reply_decode(tool, text, strlen(text), out, why);
    assert_true((e == ERR_OK) == (*out != NULL));
    return e;
}

/* Decodes what must decode. */
static inline struct contract_reply *fx_good(enum contract_tool tool, const char *text)
{
    char why[200] = "";
    struct contract_reply *reply;
    if (fx_decode(tool, text, &reply, why) != ERR_OK)
        fail_msg("%s: %s", contract_wire(CONTRACT_KIND_TOOL, (int)tool), why);
    return reply;
}

/* The same with one value changed. */
static inline struct contract_reply *fx_good_with(enum contract_tool tool, const char *text,
                                                  const char *path, const char *value)
{
    char *changed = fx_set(text, path, value);
    struct contract_reply *reply = fx_good(tool, changed);
    alloc_free(changed);
    return reply;
}

/* Decodes what must be refused; why goes to the caller's buffer. */
static inline void fx_bad_with(enum contract_tool tool, const char *text, const char *path,
                               const char *value, enum err expected)
{
    char why[200] = "";
    struct contract_reply *reply;
    char *changed = fx_set(text, path, value);
    enum err e = fx_decode(tool, changed, &reply, why);
    alloc_free(changed);
    contract_reply_free(reply);
    if (e != expected)
        fail_msg("%s = %s gave %s", path, value ? value : "(absent)", err_name(e));
    if (why[0] == '\0')
        fail_msg("%s = %s: no reason was given", path, value ? value : "(absent)");
}

#endif
