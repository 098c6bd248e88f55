/* SPDX-License-Identifier: Apache-2.0 */
/* The simulator's schemas: every limit on both sides, normalisation, the rules across fields,
 * replies of every kind that pass, and each of them mutated in every field, which must not pass. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "sim/sim_schema_table.h"

#define PUR  "pur_00112233445566778899aabbccddeeff"
#define PUR2 "pur_ffeeddccbbaa99887766554433221100"
#define OFR  "ofr_00112233445566778899aabbccddeeff"
#define UUID "01234567-89ab-4cde-8f01-23456789abcd"

/* ---- building blocks ---- */

static cJSON *parse(const char *text)
{
    cJSON *value = cJSON_Parse(text);
    if (!value)
        fail_msg("not JSON: %s", text);
    return value;
}

/* Lays every field of patch over target; objects are merged, anything else replaces. */
static void overlay(cJSON *target, const cJSON *patch)
{
    const cJSON *field;
    cJSON_ArrayForEach(field, patch)
    {
        cJSON *old = cJSON_GetObjectItemCaseSensitive(target, field->string);
        if (cJSON_IsObject(old) && cJSON_IsObject(field))
            overlay(old, field);
        else if (old)
            cJSON_ReplaceItemInObjectCaseSensitive(target, field->string,
                                                   cJSON_Duplicate(field, true));
        else
            cJSON_AddItemToObject(target, field->string, cJSON_Duplicate(field, true));
    }
}

static void overlay_text(cJSON *target, const char *text)
{
    cJSON *patch = parse(text);
    overlay(target, patch);
    cJSON_Delete(patch);
}

static const char base_envelope[] =
    "{\"ok\":true,\"contract\":\"envoy@2026-10\",\"tool\":\"\",\"request_id\":\"req_1\","
    "\"trace_id\":\"t1\",\"server_time\":\"2026-11-30T13:00:00Z\",\"replayed\":false,"
    "\"purchase\":null,\"data\":null,\"next\":{\"action\":\"continue\",\"tool\":null,\"args\":null,"
    "\"instruction\":\"Go on.\",\"after_seconds\":null,\"by\":null},\"user_action\":null,"
    "\"follow_ups\":[],\"error\":null}";

static const char base_purchase[] =
    "{\"purchase\":{\"purchase_id\":\"" PUR "\",\"service\":\"purchase\","
    "\"idempotency_key\":\"intent-headphones-1\",\"revision\":1,\"terminal\":false,"
    "\"state\":\"processing\",\"user_task\":null,\"reason_code\":null,"
    "\"status_text\":\"In progress.\",\"rail\":\"otu_card\",\"rail_reason\":\"RAIL_OTU_PREFERRED\","
    "\"checkout_by\":\"agent\",\"merchant\":{\"name\":\"Shop\",\"url\":\"https://"
    "shop.example.test\"},"
    "\"amount\":{\"minor\":249900,\"currency\":\"INR\",\"display\":\"₹2,499.00\"},"
    "\"description\":\"Headphones\",\"details\":{\"complete\":true,\"missing\":[]},"
    "\"question\":null,\"follow_up\":null,\"approval\":{\"state\":\"approved\","
    "\"method\":\"passkey\",\"decide_by\":\"2026-11-30T13:15:00Z\",\"approval_url\":null},"
    "\"payment_ready\":{\"available\":false,\"kind\":\"card\",\"expires_at\":null,\"closed\":false}"
    ","
    "\"money\":{\"status\":\"not_started\",\"paid\":null,\"merchant_order_ref\":null},"
    "\"receipt\":null,\"chain\":{\"supersedes\":null,\"superseded_by\":null},"
    "\"agent\":{\"agent_id\":\"origin:https://host.example.test\",\"display_name\":\"Host\","
    "\"verification\":\"origin\"},\"created_at\":\"2026-11-30T13:00:00Z\","
    "\"updated_at\":\"2026-11-30T13:00:00Z\"}}";

#define READ                                                                                       \
    "\"next\":{\"action\":\"call_tool\",\"tool\":\"get_purchase_status\",\"args\":{\"purchase\":"  \
    "\"" PUR "\",\"after_revision\":1,\"wait_seconds\":45},\"after_seconds\":0,"                   \
    "\"by\":\"2026-11-30T13:15:00Z\"}"
#define ANSWER                                                                                     \
    "\"next\":{\"action\":\"call_tool\",\"tool\":\"submit_answer\",\"args\":{\"purchase\":"        \
    "\"" PUR "\",\"question\":\"q1\",\"type\":\"answer\"}}"
#define QUESTION(kind)                                                                             \
    "\"question\":{\"id\":\"q1\",\"kind\":\"" kind "\",\"prompt\":\"Which?\","                     \
    "\"asked_at\":\"2026-11-30T13:00:00.250+05:30\"}"
#define STOP "\"next\":{\"action\":\"stop\"}"
#define PAID "{\"minor\":249900,\"currency\":\"INR\",\"display\":\"₹2,499.00\"}"
#define ERROR(code, action, more)                                                                  \
    "{\"ok\":false,\"next\":{\"action\":\"" action "\"},\"error\":{\"code\":\"" code "\","         \
    "\"message\":\"No.\",\"fields\":[],\"reason_code\":null,\"retryable\":false,"                  \
    "\"retry_after_seconds\":null}" more "}"
#define HANDOUT_CARD                                                                               \
    "\"data\":{\"payment_details\":{\"kind\":\"card\",\"card\":{\"number\":\"6000000000000007\","  \
    "\"expiry_month\":\"11\",\"expiry_year\":\"2029\",\"cvv\":\"000\",\"network\":\"rupay\"},"     \
    "\"checkout_code\":\"000000\",\"checkout_code_expires_at\":\"2026-11-30T13:02:00Z\","          \
    "\"amount_limit\":" PAID ",\"checkout_attempt_id\":\"" UUID "\","                              \
    "\"expires_at\":\"2026-11-30T13:30:00Z\"}}"
#define HANDOUT_VOUCHER                                                                            \
    "\"data\":{\"payment_details\":{\"kind\":\"gift_card\",\"amount_limit\":" PAID ","             \
    "\"voucher\":{\"brand\":\"Shop\",\"code\":\"GC-0000\",\"pin\":\"0000\",\"value\":" PAID ","    \
    "\"redemption_url\":\"https://shop.example.test/gc\",\"redemption_instructions\":\"Add it.\"," \
    "\"valid_until\":null}}}"
#define CHECKOUT                                                                                   \
    "\"next\":{\"action\":\"checkout\",\"tool\":\"report_checkout_result\",\"args\":{"             \
    "\"purchase\":"                                                                                \
    "\"" PUR "\"}}"

/* One reply: the tool, whether it carries the base purchase, and what differs. */
struct fixture {
    const char *name;
    const char *tool;
    bool has_purchase;
    const char *patch;
};

static const struct fixture fixtures[] = {
    {"approval", "start_purchase", true,
     "{\"purchase\":{\"state\":\"waiting_for_user\",\"user_task\":\"approve\",\"approval\":{"
     "\"state\":\"pending\"}}," READ ",\"user_action\":{\"task\":\"approve\",\"url\":null,"
     "\"by\":\"2026-11-30T13:15:00Z\",\"message\":\"Approve it in the app.\"}}"},
    {"pay link", "get_purchase_status", true,
     "{\"purchase\":{\"state\":\"waiting_for_user\",\"user_task\":\"pay_link\",\"rail\":"
     "\"gift_card\",\"rail_reason\":\"RAIL_GIFT_CARD_CARDLESS\",\"payment_ready\":{\"kind\":"
     "\"gift_card\"},\"funding\":{\"url\":\"https://pay.example.test/l/1\",\"amount\":{\"minor\":"
     "240000,\"currency\":\"INR\",\"display\":\"₹2,400.00\"},\"expires_at\":"
     "\"2026-11-30T13:15:00Z\"}}," READ ",\"user_action\":{\"task\":\"pay_link\",\"url\":"
     "\"https://pay.example.test/l/1\",\"by\":\"2026-11-30T13:15:00Z\",\"message\":\"Pay it.\"}}"},
    {"placing", "submit_answer", true,
     "{\"purchase\":{\"rail\":\"operated_checkout\",\"rail_reason\":\"RAIL_AMOUNT_ABOVE_OTU_"
     "LIMIT\","
     "\"checkout_by\":\"envoy\",\"payment_ready\":{\"kind\":null},\"approval\":{\"state\":null,"
     "\"method\":null,\"decide_by\":null}}," READ "}"},
    {"question", "get_purchase_status", true,
     "{\"purchase\":{\"state\":\"needs_answer\"," QUESTION("text") "}," ANSWER "}"},
    {"sign-in code", "get_purchase_status", true,
     "{\"purchase\":{\"state\":\"needs_answer\"," QUESTION("otp") "}," ANSWER "}"},
    {"password", "get_purchase_status", true,
     "{\"purchase\":{\"state\":\"needs_answer\"," QUESTION("password") "}," STOP "}"},
    {"details", "start_purchase", true,
     "{\"purchase\":{\"state\":\"needs_details\",\"rail\":null,\"rail_reason\":null,"
     "\"checkout_by\":null,\"payment_ready\":{\"kind\":null},\"details\":{\"complete\":false,"
     "\"missing\":[\"address\"]}," QUESTION("address") "}," ANSWER "}"},
    {"card handout", "get_purchase_status", true,
     "{\"purchase\":{\"state\":\"ready\",\"payment_ready\":{\"available\":true,\"expires_at\":"
     "\"2026-11-30T13:30:00Z\"},\"money\":{\"status\":\"debited\"}}," CHECKOUT "," HANDOUT_CARD
     ",\"follow_ups\":[{\"tool\":\"submit_answer\",\"args\":{\"question\":\"vault_save\"},"
     "\"why\":\"Optional.\"}]}"},
    {"ready elsewhere", "answer_purchase_question", true,
     "{\"purchase\":{\"state\":\"ready\",\"payment_ready\":{\"available\":true}}," READ "}"},
    {"voucher handout", "get_purchase_status", true,
     "{\"purchase\":{\"state\":\"ready\",\"rail\":\"gift_card\",\"rail_reason\":"
     "\"RAIL_GIFT_CARD_CARDLESS\",\"payment_ready\":{\"available\":true,\"kind\":\"gift_card\"},"
     "\"money\":{\"status\":\"debited\"}}," CHECKOUT "," HANDOUT_VOUCHER "}"},
    {"verifying", "report_checkout_result", true,
     "{\"purchase\":{\"state\":\"verifying\",\"reason_code\":\"ORDER_CHECKOUT_FAILED\",\"money\":{"
     "\"status\":\"unknown\"}}," READ "}"},
    {"completed", "get_purchase_status", true,
     "{\"purchase\":{\"state\":\"completed\",\"terminal\":true,\"follow_up\":{\"id\":\"f1\","
     "\"kind\":\"feedback\",\"prompt\":\"How was "
     "it?\"},\"money\":{\"status\":\"debited\",\"paid\":" PAID
     ",\"merchant_order_ref\":\"A-1\"},\"receipt\":{\"merchant_order_ref\":\"A-1\",\"paid\":" PAID
     ",\"card\":{\"network\":\"rupay\",\"last4\":\"0007\"},\"completed_at\":"
     "\"2026-11-30T13:20:00Z\"}},\"next\":{\"action\":\"done\"},\"follow_ups\":[{\"tool\":"
     "\"submit_answer\",\"args\":{\"type\":\"feedback\"},\"why\":\"Optional.\"}]}"},
    {"collected on delivery", "get_purchase_status", true,
     "{\"purchase\":{\"state\":\"completed\",\"terminal\":true,\"rail\":\"operated_checkout\","
     "\"checkout_by\":\"envoy\",\"payment_ready\":{\"kind\":null},\"money\":{\"status\":"
     "\"merchant_collects\",\"paid\":" PAID
     "},\"receipt\":{\"merchant_order_ref\":null,\"paid\":" PAID
     ",\"card\":null,\"completed_at\":\"2026-11-30T13:20:00Z\"}},"
     "\"next\":{\"action\":\"done\"}}"},
    {"failed", "get_purchase_status", true,
     "{\"purchase\":{\"state\":\"failed\",\"terminal\":true,\"reason_code\":\"USER_DECLINED\","
     "\"approval\":{\"state\":\"denied\"}}," STOP "}"},
    {"cancelled", "cancel_purchase", true,
     "{\"purchase\":{\"state\":\"cancelled\",\"terminal\":true,\"reason_code\":"
     "\"ORDER_CANCELLED_BY_AGENT\"},\"next\":{\"action\":\"done\"}}"},
    {"superseded", "get_purchase_status", true,
     "{\"purchase\":{\"state\":\"superseded\",\"terminal\":true,\"chain\":{\"superseded_by\":"
     "\"" PUR2 "\"}},\"next\":{\"action\":\"call_tool\",\"tool\":\"get_purchase_status\",\"args\":{"
     "\"purchase\":\"" PUR2 "\"}}}"},
    {"step", "report_checkout_step", true,
     "{\"purchase\":{\"state\":\"ready\",\"payment_ready\":{\"available\":true}}}"},
    {"feedback", "answer_purchase_question", true,
     "{\"purchase\":{\"state\":\"failed\",\"terminal\":true,\"reason_code\":\"POLICY_DENIED\"}"
     "," STOP
     ",\"data\":{\"receipt\":{\"feedback_id\":\"fb1\",\"recorded_at\":\"2026-11-30T13:00:00Z\"}}}"},
    {"account", "get_account", false,
     "{\"data\":{\"account\":{\"currency\":\"INR\",\"balance\":" PAID ",\"held\":null,"
     "\"spendable\":" PAID ",\"held_purchases\":{\"available\":true,\"reason\":null,\"items\":[{"
     "\"purchase_id\":\"" PUR "\",\"merchant\":\"Shop\",\"amount\":null,\"exact\":false,\"state\":"
     "\"returning\",\"since\":null}],\"total\":" PAID ",\"truncated\":true},\"limits_reserved\":"
     "\"not_reserved\",\"unavailable\":[\"holds\"],\"profile\":{\"name\":\"A\",\"mobile\":null,"
     "\"email\":null},\"addresses\":[{\"id\":\"a1\",\"label\":\"Home\",\"is_default\":true,"
     "\"name\":null,\"phone\":null,\"line1\":\"1 Road\",\"line2\":null,\"line3\":null,\"city\":"
     "\"Pune\",\"state\":\"MH\",\"pin_code\":\"411001\",\"country\":null,\"line\":\"1 Road\"}],"
     "\"limits\":[{\"channel\":\"card\",\"period\":\"day\",\"amount\":" PAID "}],\"services\":["
     "\"purchase\"],\"active_purchase\":null,\"agent\":{\"agent_id\":\"x\",\"display_name\":\"X\","
     "\"verification\":\"cimd\"}}}}"},
    {"held unreadable", "get_account", false,
     "{\"data\":{\"account\":{\"held_purchases\":{\"available\":false,\"reason\":"
     "\"upstream_unavailable\",\"items\":[],\"total\":null,\"truncated\":null}}}}"},
    {"transactions", "list_transactions", false,
     "{\"data\":{\"transactions\":[{\"id\":\"l1\",\"occurred_at\":\"2026-11-30T11:00:00Z\","
     "\"amount\":" PAID ",\"direction\":\"debit\",\"title\":\"Shop\",\"subtitle\":null,"
     "\"by_agent\":true,\"kind\":\"purchase\",\"status\":\"completed\",\"card\":\"envoy\"}],"
     "\"next_cursor\":\"c1\"},\"next\":{\"action\":\"call_tool\",\"tool\":\"list_transactions\","
     "\"args\":{\"cursor\":\"c1\"}}}"},
    {"purchases", "list_purchases", false,
     "{\"data\":{\"purchases\":[{\"purchase_id\":\"" PUR "\",\"state\":\"ready\",\"merchant\":{"
     "\"name\":\"Shop\",\"url\":\"https://shop.example.test\"},\"amount\":" PAID
     ",\"checkout_by\":null,\"created_at\":\"2026-11-30T11:00:00Z\"}],\"truncated\":false}}"},
    {"merchants", "get_merchants", false,
     "{\"data\":{\"merchants\":[{\"name\":\"shop\",\"domain\":\"shop.example.test\",\"amounts\":"
     "[" PAID
     "],\"amount_range\":null,\"discount_percent\":2.5,\"redeem_at\":\"checkout\"},{\"name\":"
     "\"b\",\"domain\":\"b.test\",\"amounts\":[],\"amount_range\":{\"min\":" PAID ",\"max\":" PAID
     "},\"discount_percent\":null,\"redeem_at\":null}]}}"},
    {"products", "search_products", false,
     "{\"data\":{\"products\":[{\"product_id\":\"" OFR "\",\"name\":\"Whey\",\"brand\":\"B\","
     "\"image\":null,\"price\":" PAID ",\"quantity\":2,\"total\":" PAID ",\"valid_until\":"
     "\"2026-11-30T13:30:00Z\",\"merchant_url\":\"https://elixir.cards\"}]}}"},
    {"bad input", "start_purchase", false,
     "{\"ok\":false,\"next\":{\"action\":\"fix_input\"},\"error\":{\"code\":\"INVALID_INPUT\","
     "\"message\":\"No.\",\"fields\":[{\"path\":\"/total\",\"problem\":\"is missing\",\"expected\":"
     "null}],\"reason_code\":null,\"retryable\":false,\"retry_after_seconds\":null}}"},
    {"signed out", "cancel_purchase", false, ERROR("UNAUTHENTICATED", "reconnect", "")},
    {"not allowed", "submit_answer", false, ERROR("NOT_ALLOWED", "stop", "")},
    {"not enabled", "start_purchase", false, ERROR("SERVICE_NOT_ENABLED", "stop", "")},
    {"not found", "get_purchase_status", false, ERROR("NOT_FOUND", "stop", "")},
    {"key conflict", "start_purchase", false, ERROR("IDEMPOTENCY_CONFLICT", "fix_input", "")},
    {"active", "start_purchase", false,
     ERROR("ACTIVE_PURCHASE_EXISTS", "stop",
           ",\"user_action\":{\"task\":\"resolve_active_purchase\",\"url\":null,\"by\":null,"
           "\"message\":\"Finish the other one.\"}")},
    {"conflict", "cancel_purchase", true,
     "{\"ok\":false,\"purchase\":{\"state\":\"verifying\",\"money\":{\"status\":\"unknown\"}}," READ
     ",\"error\":{\"code\":\"STATE_CONFLICT\",\"message\":\"No.\",\"fields\":[],\"reason_code\":"
     "null,"
     "\"retryable\":false,\"retry_after_seconds\":null}}"},
    {"no rail", "start_purchase", false,
     "{\"ok\":false,\"next\":{\"action\":\"stop\"},\"error\":{\"code\":\"NO_RAIL\",\"message\":"
     "\"No.\",\"fields\":[],\"reason_code\":\"RAIL_AMOUNT_OUTSIDE_CARD_LIMITS\",\"retryable\":"
     "false,"
     "\"retry_after_seconds\":null}}"},
    {"too many", "list_purchases", false,
     "{\"ok\":false,\"next\":{\"action\":\"retry\",\"after_seconds\":60},\"error\":{\"code\":"
     "\"RATE_LIMITED\",\"message\":\"Wait.\",\"fields\":[],\"reason_code\":null,\"retryable\":true,"
     "\"retry_after_seconds\":60}}"},
    {"unavailable", "search_products", false,
     ERROR("UNAVAILABLE", "stop", ",\"origin\":\"client\"")},
    {"too old", "get_account", false, ERROR("CLIENT_UPDATE_REQUIRED", "update_client", "")},
};

static cJSON *build(const struct fixture *f)
{
    cJSON *envelope = parse(base_envelope);
    if (f->has_purchase)
        overlay_text(envelope, base_purchase);
    overlay_text(envelope, f->patch);
    cJSON_ReplaceItemInObjectCaseSensitive(envelope, "tool", cJSON_CreateString(f->tool));
    return envelope;
}

/* ---- replies ---- */

static void replies_of_every_kind_pass(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof fixtures / sizeof fixtures[0]; i++) {
        char why[320] = "";
        cJSON *envelope = build(&fixtures[i]);
        if (!sim_schema_check_reply(fixtures[i].tool, envelope, why, sizeof why))
            fail_msg("%s: %s", fixtures[i].name, why);
        cJSON_Delete(envelope);
    }
}

struct mutator {
    const struct fixture *fixture;
    cJSON *root;
    size_t count;
};

static void expect_breach(struct mutator *m, const char *what, const char *field)
{
    char why[320] = "";
    m->count++;
    if (sim_schema_check_reply(m->fixture->tool, m->root, why, sizeof why))
        fail_msg("%s: passed with %s %s", m->fixture->name, field, what);
    assert_true(strlen(why) > 0);
}

static void mutate(struct mutator *m, cJSON *value, const struct sim_node *node);

/* name is a field of parent; NULL means its entry at index. Takes value. */
static void put(cJSON *parent, const char *name, int index, cJSON *value)
{
    if (name)
        cJSON_ReplaceItemInObjectCaseSensitive(parent, name, value);
    else
        cJSON_ReplaceItemInArray(parent, index, value);
}

/* Each value is wrong for every node but the free texts and numbers that may hold it. */
static void mutate_value(struct mutator *m, cJSON *parent, const char *name, int index,
                         const struct sim_node *node)
{
    static const char *const wrong[] = {"\"zzz wrong\"", "-1", "[0]", "1.5"};
    const cJSON *now =
        name ? cJSON_GetObjectItemCaseSensitive(parent, name) : cJSON_GetArrayItem(parent, index);
    cJSON *saved = cJSON_Duplicate(now, true);
    bool free_text = node->kind == SIM_STRING && !node->choices &&
                     node->pattern == SIM_PATTERN_NONE && node->format == SIM_FORMAT_NONE;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        if ((free_text && i == 0) || (node->kind == SIM_NUMBER && i == 3))
            continue;
        put(parent, name, index, parse(wrong[i]));
        expect_breach(m, wrong[i], name ? name : "entry");
    }
    put(parent, name, index, saved);
}

static void mutate_object(struct mutator *m, cJSON *value, const struct sim_node *node)
{
    cJSON_AddTrueToObject(value, "unexpected");
    expect_breach(m, "added", "unexpected");
    cJSON_DeleteItemFromObjectCaseSensitive(value, "unexpected");
    for (const struct sim_node *field = node->of; field->name; field++) {
        cJSON *entry = cJSON_GetObjectItemCaseSensitive(value, field->name);
        if (!entry) {
            assert_false(field->flags & SIM_REQUIRED);
            continue;
        }
        if (field->flags & SIM_REQUIRED) {
            cJSON_DetachItemViaPointer(value, entry);
            expect_breach(m, "removed", field->name);
            cJSON_AddItemToObject(value, field->name, entry);
        }
        if (!cJSON_IsNull(entry))
            mutate(m, entry, field);
        mutate_value(m, value, field->name, 0, field);
    }
}

static void mutate(struct mutator *m, cJSON *value, const struct sim_node *node)
{
    if (node->kind == SIM_OBJECT && !(node->flags & SIM_OPEN)) {
        mutate_object(m, value, node);
    } else if (node->kind == SIM_ARRAY) {
        for (int i = 0; i < cJSON_GetArraySize(value); i++) {
            mutate(m, cJSON_GetArrayItem(value, i), node->of);
            mutate_value(m, value, NULL, i, node->of);
        }
    }
}

static void a_reply_with_any_field_wrong_is_a_breach(void **state)
{
    (void)state;
    size_t total = 0;
    for (size_t i = 0; i < sizeof fixtures / sizeof fixtures[0]; i++) {
        const struct sim_tool *tool = sim_table_tool(fixtures[i].tool);
        struct mutator m = {&fixtures[i], build(&fixtures[i]), 0};
        struct sim_node fields[16];
        size_t count = 0;
        for (const struct sim_node *f = sim_table_envelope(); f->name; f++)
            fields[count++] = *f;
        fields[count++] = *tool->data;
        fields[count] = (struct sim_node){.name = NULL};
        const struct sim_node root = {.name = "", .kind = SIM_OBJECT, .of = fields};
        mutate(&m, m.root, &root);
        char why[320];
        assert_true(sim_schema_check_reply(fixtures[i].tool, m.root, why, sizeof why));
        total += m.count;
        cJSON_Delete(m.root);
    }
    assert_true(total > 5000);
}

/* Schema-clean replies that contradict themselves. */
static void a_reply_that_contradicts_itself_is_a_breach(void **state)
{
    (void)state;
    static const struct {
        const char *fixture;
        const char *patch;
        const char *why; /* part of the message */
    } rows[] = {
        {"approval", "{\"purchase\":{\"terminal\":true}}", "/purchase/terminal"},
        {"approval", "{\"purchase\":{\"user_task\":null}}", "user_task"},
        {"approval", "{\"user_action\":null}", "/user_action"},
        {"approval", "{\"user_action\":{\"task\":\"add_money\"}}", "/user_action/task"},
        {"approval", "{\"user_action\":{\"url\":\"https://x.example.test\"}}", "/user_action/url"},
        {"approval", "{\"next\":{\"action\":\"done\",\"tool\":null,\"args\":null}}", "/next"},
        {"approval", "{\"next\":{\"args\":null}}", "/next/args"},
        {"approval", "{\"next\":{\"tool\":\"give_back_gift_card\"}}", "/next/tool"},
        {"approval", "{\"purchase\":{\"approval\":{\"approval_url\":\"https://x.test\"}}}",
         "approval_url"},
        {"approval", "{\"purchase\":{\"amount\":{\"display\":\"₹2,499.01\"}}}", "/purchase/amount"},
        {"approval", "{\"purchase\":{\"payment_ready\":{\"available\":true}}}", "available"},
        {"approval", "{\"purchase\":{\"checkout_by\":\"envoy\"}}", "checkout_by"},
        {"approval", "{\"purchase\":{\"rail\":null}}", "checkout_by"},
        {"approval", "{\"purchase\":{\"updated_at\":\"2026-11-30T12:59:59Z\"}}", "updated_at"},
        {"approval", "{\"purchase\":{\"reason_code\":\"USER_OTP_EXPIRED\"}}", "reserved"},
        {"approval", "{\"purchase\":{\"rail_reason\":\"RAIL_INSUFFICIENT_BALANCE\"}}", "reserved"},
        {"approval", "{\"tool\":\"get_account\"}", "/tool"},
        {"pay link", "{\"purchase\":{\"user_task\":\"approve\"}}", "/purchase/funding"},
        {"pay link", "{\"user_action\":{\"url\":\"https://pay.example.test/l/2\"}}",
         "/user_action/url"},
        {"pay link", "{\"purchase\":{\"funding\":{\"expires_at\":\"2026-11-30T13:16:00Z\"}}}",
         "decide_by"},
        {"placing", "{\"purchase\":{\"checkout_by\":\"agent\"}}", "checkout_by"},
        {"placing", "{\"purchase\":{\"payment_ready\":{\"kind\":\"card\"}}}", "kind"},
        {"placing",
         "{\"user_action\":{\"task\":\"approve\",\"url\":null,\"by\":null,\"message\":"
         "\"x\"}}",
         "/user_action/task"},
        {"question", "{\"purchase\":{\"question\":null}}", "/purchase/question"},
        {"password", "{\"next\":{\"action\":\"call_tool\",\"tool\":\"submit_answer\",\"args\":{}}}",
         "/next"},
        {"details", "{\"purchase\":{\"details\":{\"complete\":true}}}", "/purchase/details"},
        {"verifying", "{\"purchase\":{\"money\":{\"status\":\"not_started\",\"paid\":" PAID "}}}",
         "/purchase/money/paid"},
        {"verifying",
         "{\"purchase\":{\"follow_up\":{\"id\":\"f\",\"kind\":\"feedback\",\"prompt\":"
         "\"?\"}}}",
         "follow_up"},
        {"card handout", "{\"data\":{\"payment_details\":{\"kind\":\"gift_card\"}}}",
         "/data/payment_details/kind"},
        {"card handout",
         "{\"purchase\":{\"state\":\"processing\",\"payment_ready\":{\"available\":"
         "false}}}",
         "/data/payment_details"},
        {"card handout", "{\"next\":{\"action\":\"continue\",\"tool\":null,\"args\":null}}",
         "/next"},
        {"voucher handout", "{\"data\":{\"payment_details\":{\"checkout_code\":\"000000\"}}}",
         "checkout_code"},
        {"voucher handout",
         "{\"data\":{\"payment_details\":{\"voucher\":{\"value\":{\"minor\":1,"
         "\"display\":\"₹0.01\"}}}}}",
         "voucher/value"},
        {"completed", "{\"purchase\":{\"receipt\":null}}", "/purchase/receipt"},
        {"completed", "{\"purchase\":{\"reason_code\":\"POLICY_DENIED\"}}", "reason_code"},
        {"completed", "{\"purchase\":{\"money\":{\"merchant_order_ref\":null}}}",
         "merchant_order_ref"},
        {"completed", "{\"purchase\":{\"money\":{\"paid\":{\"minor\":1,\"display\":\"₹0.01\"}}}}",
         "/purchase/receipt/paid"},
        {"collected on delivery", "{\"purchase\":{\"money\":{\"paid\":null}}}", "/purchase/money"},
        {"failed", "{\"purchase\":{\"reason_code\":null}}", "reason_code"},
        {"superseded", "{\"purchase\":{\"chain\":{\"superseded_by\":null}}}", "superseded_by"},
        {"superseded", "{\"next\":{\"args\":{\"purchase\":\"" PUR "\"}}}", "/next"},
        {"account", "{\"data\":null}", "/data"},
        {"held unreadable", "{\"data\":{\"account\":{\"held_purchases\":{\"total\":" PAID "}}}}",
         "held_purchases"},
        {"bad input", "{\"error\":{\"code\":\"NOT_FOUND\"},\"next\":{\"action\":\"stop\"}}",
         "/error/fields"},
        {"bad input", "{\"ok\":true}", "/error"},
        {"active", "{\"user_action\":{\"task\":\"approve\"}}", "/user_action/task"},
        {"no rail", "{\"error\":{\"reason_code\":\"POLICY_DENIED\"}}", "/error/reason_code"},
        {"no rail", "{\"error\":{\"reason_code\":null}}", "/error/reason_code"},
        {"too many", "{\"error\":{\"retry_after_seconds\":null}}", "retry_after_seconds"},
        {"too many", "{\"next\":{\"after_seconds\":59}}", "after_seconds"},
        {"signed out", "{\"next\":{\"action\":\"stop\"}}", "/next/action"},
        {"not found",
         "{\"data\":{\"payment_details\":{\"kind\":\"card\",\"amount_limit\":" PAID "}}}", "/data"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct fixture *f = fixtures;
        while (strcmp(f->name, rows[i].fixture) != 0)
            f++;
        cJSON *envelope = build(f);
        overlay_text(envelope, rows[i].patch);
        char why[320] = "";
        if (sim_schema_check_reply(f->tool, envelope, why, sizeof why))
            fail_msg("row %zu (%s) passed: %s", i, f->name, rows[i].patch);
        if (!strstr(why, rows[i].why))
            fail_msg("row %zu (%s): %s", i, f->name, why);
        cJSON_Delete(envelope);
    }
}

/* ---- limits ---- */

struct limit {
    const char *owner; /* tool, then "in" or "data"; or "envelope" */
    const char *path;  /* names through the nodes; "[]" is the entry of an array */
    int lo;            /* -1: no lower limit */
    int hi;
};

#define NO (-1)
static const struct limit limits[] = {
    {"envelope", "purchase.idempotency_key", 16, 64},
    {"envelope", "purchase.revision", 0, NO},
    {"envelope", "purchase.status_text", 1, 300},
    {"envelope", "purchase.amount.minor", 0, NO},
    {"envelope", "purchase.question.id", 1, 128},
    {"envelope", "purchase.question.prompt", 1, 300},
    {"envelope", "purchase.follow_up.id", 1, 128},
    {"envelope", "purchase.follow_up.prompt", 1, 300},
    {"envelope", "next.instruction", 1, 600},
    {"envelope", "next.after_seconds", 0, NO},
    {"envelope", "user_action.message", 1, 300},
    {"envelope", "error.fields", NO, 10},
    {"envelope", "error.fields.[].path", NO, 128},
    {"envelope", "error.fields.[].problem", NO, 200},
    {"envelope", "error.fields.[].expected", NO, 200},
    {"envelope", "error.retry_after_seconds", 0, NO},
    {"list_transactions in", "limit", 1, 50},
    {"list_transactions in", "cursor", 1, 2048},
    {"list_purchases in", "limit", 1, 20},
    {"start_purchase in", "idempotency_key", 16, 64},
    {"start_purchase in", "total", NO, 20},
    {"start_purchase in", "items", 1, 20},
    {"start_purchase in", "items.[].name", 1, 200},
    {"start_purchase in", "items.[].quantity", 1, 99},
    {"start_purchase in", "user_request", 1, 300},
    {"start_purchase in", "address_id", 1, 64},
    {"start_purchase in", "address", 1, 500},
    {"start_purchase in", "max_total", NO, 20},
    {"start_purchase in", "retry_of", 16, 64},
    {"get_purchase_status in", "purchase", 16, 64},
    {"get_purchase_status in", "after_revision", 0, NO},
    {"get_purchase_status in", "wait_seconds", 0, 45},
    {"submit_answer in", "answer", 1, 800},
    {"submit_answer in", "purchase", 16, 64},
    {"submit_answer in", "question", 1, 128},
    {"submit_answer in", "rating", 1, 5},
    {"submit_answer in", "idempotency_key", 16, 64},
    {"report_checkout_result in", "purchase", 16, 64},
    {"report_checkout_result in", "merchant_order_ref", 1, 128},
    {"report_checkout_result in", "amount_paid", NO, 20},
    {"report_checkout_step in", "purchase", 16, 64},
    {"cancel_purchase in", "purchase", 16, 64},
    {"search_products in", "query", 1, 200},
    {"search_products in", "quantity", 1, 99},
    {"search_products in", "address_id", 1, 64},
    {"list_transactions data", "transactions.[].id", 1, 128},
    {"list_transactions data", "transactions.[].title", 1, 200},
    {"list_transactions data", "transactions.[].subtitle", NO, 200},
    {"list_purchases data", "purchases", NO, 20},
    {"get_merchants data", "merchants", NO, 1000},
    {"get_merchants data", "merchants.[].name", 1, 253},
    {"get_merchants data", "merchants.[].domain", 1, 253},
    {"get_merchants data", "merchants.[].amounts", NO, 1000},
    {"get_merchants data", "merchants.[].discount_percent", 0, 100},
    {"search_products data", "products", NO, 5},
    {"search_products data", "products.[].name", 1, 200},
    {"search_products data", "products.[].brand", 1, 500},
    {"search_products data", "products.[].quantity", 1, 999},
};

static const struct sim_node *child_of(const struct sim_node *node, const char *name, size_t len)
{
    if (len == 2 && strncmp(name, "[]", 2) == 0)
        return node->of;
    for (const struct sim_node *field = node->of; field->name; field++) {
        if (strlen(field->name) == len && strncmp(field->name, name, len) == 0)
            return field;
    }
    fail_msg("no such field: %s", name);
    return NULL;
}

static const struct sim_node *node_of(const struct limit *limit)
{
    struct sim_node root = {.name = "", .kind = SIM_OBJECT, .of = sim_table_envelope()};
    const struct sim_node *node = &root;
    const char *space = strchr(limit->owner, ' ');
    if (space) {
        char name[64] = "";
        memcpy(name, limit->owner, (size_t)(space - limit->owner));
        const struct sim_tool *tool = sim_table_tool(name);
        node = strcmp(space + 1, "in") == 0 ? tool->input : tool->data;
    }
    for (const char *p = limit->path; *p;) {
        size_t len = strcspn(p, ".");
        node = child_of(node, p, len);
        p += len + (p[len] == '.');
    }
    return node;
}

/* A valid value of exactly this size; sizes below zero are numbers only. */
static cJSON *value_of_size(const struct sim_node *node, int size)
{
    if (node->kind == SIM_INTEGER || node->kind == SIM_NUMBER)
        return cJSON_CreateNumber(size);
    if (node->kind == SIM_ARRAY) {
        cJSON *list = cJSON_CreateArray();
        static const char *const samples[] = {
            "{\"name\":\"x\"}",
            "{\"path\":\"\",\"problem\":\"\",\"expected\":null}",
            "{\"purchase_id\":\"" PUR "\",\"state\":\"ready\",\"merchant\":{\"name\":\"S\",\"url\":"
            "\"https://s.test\"},\"amount\":" PAID ",\"checkout_by\":null,\"created_at\":"
            "\"2026-11-30T11:00:00Z\"}",
            "{\"name\":\"s\",\"domain\":\"s\",\"amounts\":[],\"amount_range\":null,"
            "\"discount_percent\":null,\"redeem_at\":null}",
            PAID,
            "{\"product_id\":\"" OFR
            "\",\"name\":\"W\",\"brand\":null,\"image\":null,\"price\":" PAID
            ",\"quantity\":1,\"total\":" PAID ",\"valid_until\":\"2026-11-30T13:30:00Z\","
            "\"merchant_url\":\"https://e.test\"}",
        };
        for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
            struct sim_schema_field field;
            struct sim_findings found = {&field, 1, 0};
            cJSON *entry = parse(samples[i]);
            sim_node_check(node->of, entry, "", &found);
            for (int k = 0; found.count == 0 && k < size; k++)
                cJSON_AddItemToArray(list, cJSON_Duplicate(entry, true));
            cJSON_Delete(entry);
        }
        assert_int_equal(cJSON_GetArraySize(list), size);
        return list;
    }
    /* Characters are counted, not bytes: free text is made of three-byte ones. */
    bool plain = node->pattern != SIM_PATTERN_NONE && node->pattern != SIM_PATTERN_PRINTABLE;
    const char *unit = node->pattern == SIM_PATTERN_RUPEES ? "7" : plain ? "k" : "₹";
    char *text = calloc((size_t)size + 1, 4);
    for (int i = 0; i < size; i++)
        strcat(text, unit);
    cJSON *value = cJSON_CreateString(text);
    free(text);
    return value;
}

static size_t findings_at_size(const struct sim_node *node, int size)
{
    struct sim_schema_field field;
    struct sim_findings found = {&field, 1, 0};
    cJSON *value = value_of_size(node, size);
    sim_node_check(node, value, "", &found);
    cJSON_Delete(value);
    return found.count;
}

static void every_limit_holds_on_both_sides(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        const struct limit *l = &limits[i];
        const struct sim_node *node = node_of(l);
        bool number = node->kind == SIM_INTEGER || node->kind == SIM_NUMBER;
        if (l->lo != NO) {
            if (findings_at_size(node, l->lo) != 0)
                fail_msg("%s %s refuses its lower limit", l->owner, l->path);
            if ((l->lo > 0 || number) && findings_at_size(node, l->lo - 1) == 0)
                fail_msg("%s %s takes less than its lower limit", l->owner, l->path);
        }
        if (l->hi != NO) {
            if (findings_at_size(node, l->hi) != 0)
                fail_msg("%s %s refuses its upper limit", l->owner, l->path);
            if (findings_at_size(node, l->hi + 1) == 0)
                fail_msg("%s %s takes more than its upper limit", l->owner, l->path);
        }
        assert_int_equal(node->has_lo, l->lo != NO);
        assert_int_equal(node->has_hi, l->hi != NO);
    }
}

/* Counts nodes with a limit, each table of fields once however often it is used. */
static void collect_limited(const struct sim_node *node, const struct sim_node **seen,
                            size_t *count)
{
    if (node->has_lo || node->has_hi) {
        for (size_t i = 0; i < *count; i++) {
            if (seen[i] == node)
                return;
        }
        assert_true(*count < 200);
        seen[(*count)++] = node;
    }
    if (node->kind == SIM_ARRAY)
        collect_limited(node->of, seen, count);
    for (const struct sim_node *f = node->kind == SIM_OBJECT ? node->of : NULL; f && f->name; f++)
        collect_limited(f, seen, count);
}

static void no_limit_goes_untested(void **state)
{
    (void)state;
    const struct sim_node *in_tables[200];
    size_t in_tables_count = 0;
    struct sim_node root = {.name = "", .kind = SIM_OBJECT, .of = sim_table_envelope()};
    collect_limited(&root, in_tables, &in_tables_count);
    for (size_t i = 0; sim_table_tool_at(i); i++) {
        collect_limited(sim_table_tool_at(i)->input, in_tables, &in_tables_count);
        collect_limited(sim_table_tool_at(i)->data, in_tables, &in_tables_count);
    }
    for (size_t k = 0; k < in_tables_count; k++) {
        bool tested = false;
        for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++)
            tested = tested || node_of(&limits[i]) == in_tables[k];
        if (!tested)
            fail_msg("no row for the limit of %s", in_tables[k]->name);
    }
}

static void patterns_hold_on_both_sides(void **state)
{
    (void)state;
    static const struct {
        enum sim_pattern pattern;
        const char *good[5];
        const char *bad[9];
    } rows[] = {
        {SIM_PATTERN_PURCHASE_ID,
         {PUR},
         {"pur_", PUR "0", "pur_00112233445566778899aabbccddeef",
          "PUR_00112233445566778899aabbccddeeff", "pur_00112233445566778899AABBCCDDEEFF",
          "pur_0011223344556677_899aabbccddeeff"}},
        {SIM_PATTERN_KEY,
         {"purchase-000000001", "a", "pu-", "purr", "PUR_x"},
         {"", "p", "pu", "pur", "pur_", "pur_x", "a b", "ä", "a/b"}},
        {SIM_PATTERN_REFERENCE, {PUR, "intent-0001"}, {"pur_xyz", "pur_", "", "a.b", PUR "_"}},
        {SIM_PATTERN_UUID,
         {UUID},
         {"", "01234567-89AB-4cde-8f01-23456789abcd", "0123456789ab-4cde-8f01-23456789abcd00",
          UUID "0", "01234567-89ab-4cde-8f01-23456789abc"}},
        {SIM_PATTERN_OFFER, {OFR}, {PUR, "ofr_", OFR "f"}},
        {SIM_PATTERN_RUPEES,
         {"0", "2499", "2499.0", "2499.00", "007"},
         {"", ".5", "5.", "5.123", "-5", "5,000", "₹5", "5.0.0", "5 "}},
        {SIM_PATTERN_WEB,
         {"shop.example.test", "HTTP://a.b", "https://a.b/c?d#e:f@g", "a.b?x", "http.a/"},
         {"", "shop", "https://shop", ".a", "a.", "a.b:80", "u@a.b", "a b.c", "ftp://a.b"}},
        {SIM_PATTERN_HTTPS, {"https://", "https://x"}, {"http://x", "HTTPS://x", " https://x", ""}},
        {SIM_PATTERN_LAST4, {"0000", "1234"}, {"", "123", "12345", "12a4", "１２３４"}},
        {SIM_PATTERN_PRINTABLE,
         {"a", "Å₹", " "},
         {"", "a\nb", "\x7F", "\x1B", "\xC2\x80", "\xC2\x9F", "\xFF"}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(rows[i].pattern, i + 1);
        for (size_t k = 0; k < 5 && rows[i].good[k]; k++) {
            if (!sim_pattern_matches(rows[i].pattern, rows[i].good[k]))
                fail_msg("%s refuses %s", sim_pattern_text(rows[i].pattern), rows[i].good[k]);
        }
        for (size_t k = 0; k < 9 && rows[i].bad[k]; k++) {
            if (sim_pattern_matches(rows[i].pattern, rows[i].bad[k]))
                fail_msg("%s takes %s", sim_pattern_text(rows[i].pattern), rows[i].bad[k]);
        }
    }
    assert_int_equal(sizeof rows / sizeof rows[0], SIM_PATTERN_COUNT - 1);
    assert_true(sim_format_matches(SIM_FORMAT_DATE, "2028-02-29"));
    assert_false(sim_format_matches(SIM_FORMAT_DATE, "2026-02-29"));
    assert_false(sim_format_matches(SIM_FORMAT_DATE, "2026-11-30T00:00:00Z"));
    assert_true(sim_format_matches(SIM_FORMAT_DATE_TIME, "2026-11-30T13:00:00Z"));
    assert_false(sim_format_matches(SIM_FORMAT_DATE_TIME, "2026-11-30"));
    assert_false(sim_format_matches(SIM_FORMAT_DATE_TIME, "2026-11-30T25:00:00Z"));
    assert_true(sim_format_matches(SIM_FORMAT_URI, "https://a.b/c?d=%20"));
    assert_false(sim_format_matches(SIM_FORMAT_URI, "https://a b"));
    assert_false(sim_format_matches(SIM_FORMAT_URI, "no-scheme"));
}

/* ---- inputs ---- */

static const char good_start[] =
    "{\"idempotency_key\":\"intent-headphones-1\",\"merchant_url\":\"https://shop.example.test\","
    "\"total\":\"2499.00\",\"items\":[{\"name\":\"Headphones\"}],\"user_request\":\"Buy them\"}";

static const struct {
    const char *tool;
    const char *input;
} good_inputs[] = {
    {"get_account", "{}"},
    {"get_account", "{\"include\":[\"profile\",\"balance\"]}"},
    {"list_transactions",
     "{\"from\":\"2026-11-01\",\"to\":\"2026-11-01\",\"limit\":10,\"cursor\":\"c\"}"},
    {"list_purchases", "{\"limit\":5}"},
    {"start_purchase", good_start},
    {"get_purchase_status", "{\"purchase\":\"" PUR "\",\"after_revision\":3,\"wait_seconds\":45}"},
    {"answer_purchase_question",
     "{\"type\":\"answer\",\"answer\":\"yes\",\"idempotency_key\":"
     "\"answer-000000001\",\"purchase\":\"" PUR "\",\"question\":\"q1\"}"},
    {"submit_answer", "{\"type\":\"feedback\",\"answer\":\"fine\",\"rating\":5,\"idempotency_key\":"
                      "\"answer-000000001\"}"},
    {"report_checkout_result",
     "{\"purchase\":\"" PUR "\",\"outcome\":\"failed\",\"failure_reason\":"
     "\"other\",\"checkout_attempt_id\":\"" UUID "\"}"},
    {"report_checkout_step", "{\"purchase\":\"" PUR "\",\"step\":\"cart_built\"}"},
    {"cancel_purchase", "{\"purchase\":\"" PUR "\",\"reason\":\"\"}"},
    {"list_gift_card_merchants", "{}"},
    {"get_merchants", "{}"},
    {"search_products", "{\"query\":\"whey\",\"quantity\":2}"},
};

static size_t check(const char *tool, cJSON *input, struct sim_schema_field *fields)
{
    return sim_schema_check_input(tool, input, fields);
}

static void good_inputs_pass_and_mutated_ones_do_not(void **state)
{
    (void)state;
    struct sim_schema_field fields[SIM_SCHEMA_FIELDS_MAX];
    for (size_t i = 0; i < sizeof good_inputs / sizeof good_inputs[0]; i++) {
        const char *tool = good_inputs[i].tool;
        cJSON *input = parse(good_inputs[i].input);
        if (check(tool, input, fields) != 0)
            fail_msg("%s: %s %s", tool, fields[0].path, fields[0].problem);
        cJSON_AddNullToObject(input, "odd/~é");
        assert_int_equal(check(tool, input, fields), 1);
        assert_string_equal(fields[0].path, "/odd~1~0??");
        cJSON_DeleteItemFromObjectCaseSensitive(input, "odd/~é");
        for (const struct sim_node *f = sim_table_tool(tool)->input->of; f->name; f++) {
            cJSON *entry = cJSON_DetachItemFromObjectCaseSensitive(input, f->name);
            char path[64];
            snprintf(path, sizeof path, "/%s", f->name);
            if (f->flags & SIM_REQUIRED) {
                assert_int_equal(check(tool, input, fields), 1);
                assert_string_equal(fields[0].path, path);
                assert_string_equal(fields[0].problem, "is missing");
            }
            cJSON_AddNullToObject(input, f->name);
            if (strcmp(f->name, "merchant_logo") != 0) {
                assert_int_not_equal(check(tool, input, fields), 0);
                assert_string_equal(fields[0].path, path);
                assert_string_equal(fields[0].problem, "has the wrong type");
            }
            cJSON_DeleteItemFromObjectCaseSensitive(input, f->name);
            if (entry)
                cJSON_AddItemToObject(input, f->name, entry);
        }
        assert_int_equal(check(tool, input, fields), 0);
        cJSON_Delete(input);
    }
}

static void lenient_forms_become_the_strict_ones(void **state)
{
    (void)state;
    static const struct {
        const char *tool;
        const char *patch;
        const char *field; /* top-level field to compare */
        const char *want;  /* as JSON; NULL: the field is gone */
    } rows[] = {
        {"start_purchase", "{\"total\":2499}", "total", "\"2499\""},
        {"start_purchase", "{\"total\":2499.5}", "total", "\"2499.5\""},
        {"start_purchase", "{\"total\":\"₹1,00,000.00\"}", "total", "\"100000.00\""},
        {"start_purchase", "{\"max_total\":\"₹2,500\"}", "max_total", "\"2500\""},
        {"start_purchase", "{\"merchant_url\":\"shop.example.test/a?u=http://x\"}", "merchant_url",
         "\"https://shop.example.test/a?u=http://x\""},
        {"start_purchase", "{\"merchant_url\":\"HTTP://shop.example.test\"}", "merchant_url",
         "\"https://shop.example.test\""},
        {"start_purchase", "{\"merchant_logo\":\"not a picture\"}", "merchant_logo", NULL},
        {"start_purchase", "{\"merchant_logo\":7}", "merchant_logo", NULL},
        {"start_purchase", "{\"merchant_logo\":\"cdn.example.test/l.png\"}", "merchant_logo",
         "\"https://cdn.example.test/l.png\""},
        {"start_purchase",
         "{\"items\":[{\"name\":\"a\",\"quantity\":\"12\",\"image\":\"??\",\"url\":"
         "\"a.test\"}]}",
         "items", "[{\"name\":\"a\",\"quantity\":12,\"url\":\"https://a.test\"}]"},
        {"report_checkout_result",
         "{\"purchase\":\"" PUR "\",\"outcome\":\"paid\",\"amount_paid\":\"₹2,499.00\"}",
         "amount_paid", "\"2499.00\""},
        {"get_account", "{\"include\":\"profile\"}", "include", "[\"profile\"]"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct sim_schema_field fields[SIM_SCHEMA_FIELDS_MAX];
        cJSON *input = parse(strcmp(rows[i].tool, "start_purchase") == 0 ? good_start : "{}");
        overlay_text(input, rows[i].patch);
        if (check(rows[i].tool, input, fields) != 0)
            fail_msg("row %zu: %s %s", i, fields[0].path, fields[0].problem);
        const cJSON *got = cJSON_GetObjectItemCaseSensitive(input, rows[i].field);
        cJSON *want = rows[i].want ? parse(rows[i].want) : NULL;
        if (want ? !cJSON_Compare(got, want, true) : got != NULL)
            fail_msg("row %zu: %s is not normalised", i, rows[i].field);
        cJSON_Delete(want);
        cJSON_Delete(input);
    }
}

static void rules_across_fields_name_the_field(void **state)
{
    (void)state;
#define REPORT "{\"purchase\":\"" PUR "\",\"outcome\":"
#define SAY    "{\"answer\":\"x\",\"idempotency_key\":\"answer-000000001\",\"rating\":3,\"type\":"
    static const struct {
        const char *tool;
        const char *patch;
        const char *path; /* NULL: passes */
    } rows[] = {
        {"start_purchase", "{\"total\":\"100000.00\"}", NULL},
        {"start_purchase", "{\"total\":\"100000.01\"}", "/total"},
        {"start_purchase", "{\"total\":\"99999999999999999999\"}", "/total"},
        {"start_purchase", "{\"total\":2499.001}", "/total"},
        {"start_purchase", "{\"total\":-1}", "/total"},
        {"start_purchase", "{\"max_total\":\"2748.90\"}", NULL},
        {"start_purchase", "{\"max_total\":\"2748.91\"}", "/max_total"},
        {"start_purchase", "{\"max_total\":\"2499.00\"}", NULL},
        {"start_purchase", "{\"max_total\":\"2498.99\"}", "/max_total"},
        {"start_purchase", "{\"total\":\"500\",\"max_total\":\"600\"}", NULL},
        {"start_purchase", "{\"total\":\"500\",\"max_total\":\"600.01\"}", "/max_total"},
        {"start_purchase", "{\"address\":\"1 Road\",\"address_id\":\"a1\"}", "/address"},
        {"start_purchase", "{\"address_id\":\"a1\"}", NULL},
        {"start_purchase",
         "{\"items\":[{\"name\":\"a\",\"product_id\":\"" OFR "\"},{\"name\":\"b\"}]}",
         "/items/1/product_id"},
        {"start_purchase", "{\"items\":[{\"name\":\"a\",\"product_id\":\"" OFR "\"}]}", NULL},
        {"start_purchase", "{\"rail\":\"gift_card\",\"retry_of\":\"" PUR "\"}", "/rail"},
        {"start_purchase", "{\"rail\":\"gift_card\",\"product_id\":\"" OFR "\"}", "/rail"},
        {"start_purchase",
         "{\"rail\":\"operated_checkout\",\"items\":[{\"name\":\"a\",\"product_id\":"
         "\"" OFR "\"}]}",
         "/rail"},
        {"start_purchase", "{\"rail\":\"otu_card\"}", "/rail"},
        {"start_purchase", "{\"items\":[{\"name\":\"a\",\"quantity\":\"x\"}]}",
         "/items/0/quantity"},
        {"start_purchase", "{\"items\":[{\"name\":\"a\",\"quantity\":1.5}]}", "/items/0/quantity"},
        {"start_purchase", "{\"items\":[3]}", "/items/0"},
        {"report_checkout_result", REPORT "\"failed\"}", "/failure_reason"},
        {"report_checkout_result", REPORT "\"paid\"}", NULL},
        {"submit_answer", SAY "\"answer\"}", "/rating"},
        {"answer_purchase_question", SAY "\"details\"}", "/rating"},
        {"answer_purchase_question", SAY "\"feedback\"}", NULL},
        {"list_transactions", "{\"from\":\"2026-11-02\",\"to\":\"2026-11-01\"}", "/from"},
        {"list_transactions", "{\"from\":\"2026-11-02\"}", NULL},
        {"list_transactions", "{\"from\":\"2026-13-02\"}", "/from"},
        {"get_account", "{\"include\":[\"profile\",\"profile\"]}", "/include/1"},
        {"get_account", "{\"include\":\"secrets\"}", "/include/0"},
        {"no_such_tool", "{}", ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct sim_schema_field fields[SIM_SCHEMA_FIELDS_MAX];
        cJSON *input = parse(strcmp(rows[i].tool, "start_purchase") == 0 ? good_start : "{}");
        overlay_text(input, rows[i].patch);
        size_t count = check(rows[i].tool, input, fields);
        if ((count == 0) != (rows[i].path == NULL))
            fail_msg("row %zu: %zu fields wrong in %s", i, count, rows[i].patch);
        if (rows[i].path)
            assert_string_equal(fields[0].path, rows[i].path);
        cJSON_Delete(input);
    }
}

static void values_are_never_echoed_and_ten_fields_are_enough(void **state)
{
    (void)state;
    struct sim_schema_field fields[SIM_SCHEMA_FIELDS_MAX];
    cJSON *input = parse("{\"type\":\"CANARY4242\",\"answer\":[\"CANARY4242\"],\"idempotency_key\":"
                         "\"CANARY 4242\",\"purchase\":\"CANARY 4242 CANARY\"}");
    size_t count = check("submit_answer", input, fields);
    assert_int_equal(count, 4);
    for (size_t i = 0; i < count; i++) {
        assert_null(strstr(fields[i].path, "CANARY"));
        assert_null(strstr(fields[i].problem, "CANARY"));
        assert_null(strstr(fields[i].expected, "CANARY"));
    }
    cJSON_Delete(input);

    input = parse("{}");
    for (int i = 0; i < 14; i++) {
        char name[200];
        snprintf(name, sizeof name, "%0150d", i);
        cJSON_AddTrueToObject(input, name);
    }
    assert_int_equal(check("get_account", input, fields), 14);
    assert_int_equal(strlen(fields[9].path), 127);
    cJSON_Delete(input);
}

/* ---- discovery ---- */

static void documents_name_every_tool_and_rule(void **state)
{
    (void)state;
    cJSON *tools = sim_schema_tools_document();
    cJSON *openapi = sim_schema_openapi_document();
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(tools, "tools");
    const cJSON *paths = cJSON_GetObjectItemCaseSensitive(openapi, "paths");
    assert_int_equal(cJSON_GetArraySize(list), 13);
    assert_int_equal(cJSON_GetArraySize(paths), 13);
    size_t read_only = 0;
    for (size_t i = 0; i < 13; i++) {
        const char *name = sim_schema_tool_name(i);
        const cJSON *tool = cJSON_GetArrayItem(list, (int)i);
        assert_string_equal(cJSON_GetObjectItem(tool, "name")->valuestring, name);
        char path[80];
        snprintf(path, sizeof path, "/tools/%s", name);
        assert_non_null(cJSON_GetObjectItemCaseSensitive(paths, path));
        read_only += sim_schema_tool_read_only(name);
    }
    assert_int_equal(read_only, 7);
    assert_null(sim_schema_tool_name(13));
    assert_string_equal(sim_schema_tool_main("submit_answer"), "answer_purchase_question");
    assert_string_equal(sim_schema_tool_main("get_merchants"), "list_gift_card_merchants");
    assert_null(sim_schema_tool_main("give_back_gift_card"));
    assert_false(sim_schema_tool_read_only("start_purchase"));

    const cJSON *start = cJSON_GetObjectItem(cJSON_GetArrayItem(list, 3), "inputSchema");
    const cJSON *total = cJSON_GetObjectItem(cJSON_GetObjectItem(start, "properties"), "total");
    char *printed = cJSON_PrintUnformatted(total);
    assert_string_equal(printed, "{\"type\":\"string\",\"maxLength\":20,\"pattern\":"
                                 "\"^[0-9]+(?:\\\\.[0-9]{1,2})?$\"}");
    cJSON_free(printed);
    assert_true(cJSON_IsFalse(cJSON_GetObjectItem(start, "additionalProperties")));
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(start, "required")), 5);
    cJSON_Delete(tools);
    cJSON_Delete(openapi);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(replies_of_every_kind_pass),
        cmocka_unit_test(a_reply_with_any_field_wrong_is_a_breach),
        cmocka_unit_test(a_reply_that_contradicts_itself_is_a_breach),
        cmocka_unit_test(every_limit_holds_on_both_sides),
        cmocka_unit_test(no_limit_goes_untested),
        cmocka_unit_test(patterns_hold_on_both_sides),
        cmocka_unit_test(good_inputs_pass_and_mutated_ones_do_not),
        cmocka_unit_test(lenient_forms_become_the_strict_ones),
        cmocka_unit_test(rules_across_fields_name_the_field),
        cmocka_unit_test(values_are_never_echoed_and_ten_fields_are_enough),
        cmocka_unit_test(documents_name_every_tool_and_rule),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
