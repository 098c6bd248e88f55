/* SPDX-License-Identifier: Apache-2.0 */
/* Replies against the simulator's schemas: one of every kind passes; each of them mutated in every
 * field, or made to contradict itself, does not. */
#include "unit/sim/schema_json.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(replies_of_every_kind_pass),
        cmocka_unit_test(a_reply_with_any_field_wrong_is_a_breach),
        cmocka_unit_test(a_reply_that_contradicts_itself_is_a_breach),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
