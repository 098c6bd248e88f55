/* SPDX-License-Identifier: Apache-2.0 */
/* What a reply must hold beyond its schema: a purchase whose parts agree with its state, a next
 * that fits, a handout only where one may be. Every reply passes here before it leaves, so a slip
 * of the engine shows as a breach instead of teaching a client something false. */
#include <stdio.h>
#include <string.h>
#include "sim_schema_table.h"

/* One reply under judgement; the first rule that fails is kept with the rest. */
struct verdict {
    struct sim_findings *found;
    const char *path;
};

static void demand(struct verdict *v, bool holds, const char *below, const char *rule)
{
    if (holds)
        return;
    char path[160];
    snprintf(path, sizeof path, "%s%s", v->path, below);
    sim_findings_add(v->found, path, rule, NULL);
}

static const cJSON *get(const cJSON *object, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

static bool is_set(const cJSON *object, const char *name)
{
    const cJSON *value = get(object, name);
    return value && !cJSON_IsNull(value);
}

static bool is_true(const cJSON *object, const char *name)
{
    return cJSON_IsTrue(get(object, name));
}

static bool is_word(const cJSON *object, const char *name, const char *word)
{
    const char *text = cJSON_GetStringValue(get(object, name));
    return text && strcmp(text, word) == 0;
}

static bool is_among(const cJSON *object, const char *name, const char *const *words)
{
    for (; *words; words++) {
        if (is_word(object, name, *words))
            return true;
    }
    return false;
}

static bool same(const cJSON *a, const cJSON *b)
{
    return cJSON_Compare(a, b, true);
}

static bool is_question_state(const cJSON *purchase)
{
    return is_word(purchase, "state", "needs_details") ||
           is_word(purchase, "state", "needs_answer");
}

static void rules_of_state(struct verdict *v, const cJSON *p)
{
    static const char *const ends[] = {"completed", "failed", "cancelled", "superseded", NULL};
    static const char *const reserved[] = {"POLICY_ADMISSION_UNAVAILABLE", "POLICY_FRAUD_DECLINED",
                                           "POLICY_AGENT_LIMIT",           "USER_OTP_EXPIRED",
                                           "ORDER_CONNECTION_REVOKED",     NULL};
    bool completed = is_word(p, "state", "completed");
    bool ended_badly = is_word(p, "state", "failed") || is_word(p, "state", "cancelled");
    const cJSON *details = get(p, "details");
    bool nothing_missing = cJSON_GetArraySize(get(details, "missing")) == 0;

    demand(v, is_true(p, "terminal") == is_among(p, "state", ends), "/terminal",
           "does not agree with state");
    demand(v, is_set(p, "user_task") == is_word(p, "state", "waiting_for_user"), "/user_task",
           "goes with waiting_for_user, and only with it");
    demand(v, is_set(p, "question") == is_question_state(p), "/question",
           "goes with needs_details and needs_answer, and only with them");
    demand(v, completed || !is_set(p, "follow_up"), "/follow_up", "goes only with completed");
    demand(v, is_set(p, "receipt") == completed, "/receipt",
           "goes with completed, and only with it");
    demand(v, is_true(details, "complete") == nothing_missing, "/details",
           "complete does not agree with missing");
    demand(v, !is_word(p, "state", "needs_details") || !nothing_missing, "/details",
           "needs_details names what is missing");
    demand(v, !ended_badly || is_set(p, "reason_code"), "/reason_code", "is needed at this end");
    demand(v, !completed || !is_set(p, "reason_code"), "/reason_code",
           "does not go with completed");
    demand(v, !is_among(p, "reason_code", reserved), "/reason_code", "is reserved, not sent today");
    demand(v, is_set(get(p, "chain"), "superseded_by") == is_word(p, "state", "superseded"),
           "/chain/superseded_by", "goes with superseded, and only with it");
    demand(v, strcmp(get(p, "created_at")->valuestring, get(p, "updated_at")->valuestring) <= 0,
           "/updated_at", "is before created_at");
}

static void rules_of_rail(struct verdict *v, const cJSON *p)
{
    static const char *const by_envoy[] = {"operated_checkout", "elixir_marketplace", NULL};
    static const char *const reserved[] = {"RAIL_MERCHANT_REJECTS_RUPAY", "RAIL_ISSUER_UNAVAILABLE",
                                           "RAIL_OPERATED_CART_UNSUPPORTED",
                                           "RAIL_INSUFFICIENT_BALANCE", NULL};
    const cJSON *ready = get(p, "payment_ready");
    bool card = is_word(p, "rail", "otu_card");
    bool gift_card = is_word(p, "rail", "gift_card");

    demand(v, is_set(p, "rail") || !is_set(p, "checkout_by"), "/checkout_by", "needs a rail");
    demand(v, is_set(p, "rail") || !is_set(p, "rail_reason"), "/rail_reason", "needs a rail");
    demand(v, !card || is_word(p, "checkout_by", "agent"), "/checkout_by", "a card is the agent's");
    demand(v, !is_among(p, "rail", by_envoy) || is_word(p, "checkout_by", "envoy"), "/checkout_by",
           "Envoy pays on this rail");
    demand(v, !is_among(p, "rail_reason", reserved), "/rail_reason", "is reserved, not sent today");
    demand(v, !is_word(p, "state", "ready") || is_word(p, "checkout_by", "agent"), "/state",
           "ready is for the agent's checkout only");
    demand(v, is_true(ready, "available") == is_word(p, "state", "ready"),
           "/payment_ready/available", "goes with ready, and only with it");
    demand(v, !is_true(ready, "available") || is_set(ready, "kind"), "/payment_ready/kind",
           "is needed while available");
    demand(v, !is_word(ready, "kind", "card") || card, "/payment_ready/kind",
           "card is for otu_card");
    demand(v, !is_word(ready, "kind", "gift_card") || gift_card, "/payment_ready/kind",
           "gift_card is for the gift_card rail");
}

static void rules_of_money(struct verdict *v, const cJSON *p)
{
    const cJSON *money = get(p, "money");
    const cJSON *receipt = get(p, "receipt");
    const cJSON *funding = get(p, "funding");
    demand(v, (funding != NULL) == is_word(p, "user_task", "pay_link"), "/funding",
           "goes with pay_link, and only with it");
    demand(v, !is_word(money, "status", "not_started") || !is_set(money, "paid"), "/money/paid",
           "does not go with not_started");
    demand(v, !is_word(money, "status", "merchant_collects") || is_set(money, "paid"),
           "/money/paid", "is what the merchant collects");
    demand(v, !cJSON_IsObject(receipt) || same(get(receipt, "paid"), get(money, "paid")),
           "/receipt/paid", "does not agree with money");
    demand(v,
           !cJSON_IsObject(receipt) ||
               same(get(receipt, "merchant_order_ref"), get(money, "merchant_order_ref")),
           "/receipt/merchant_order_ref", "does not agree with money");
    demand(v, !is_set(get(p, "approval"), "approval_url"), "/approval/approval_url",
           "is never sent");
    demand(v, !funding || same(get(funding, "expires_at"), get(get(p, "approval"), "decide_by")),
           "/approval/decide_by", "is when the payment link ends");
}

static void rules_of_purchase(struct sim_findings *found, const cJSON *purchase, const char *path)
{
    struct verdict v = {found, path};
    rules_of_state(&v, purchase);
    rules_of_rail(&v, purchase);
    rules_of_money(&v, purchase);
}

static void rules_of_next(struct verdict *v, const cJSON *next)
{
    static const char *const with_tool[] = {"call_tool", "checkout", NULL};
    static const char *const without[] = {"continue",  "done",          "stop",
                                          "reconnect", "update_client", NULL};
    demand(v, !is_among(next, "action", with_tool) || is_set(next, "tool"), "/next/tool",
           "is needed for this action");
    demand(v, !is_among(next, "action", without) || !is_set(next, "tool"), "/next/tool",
           "does not go with this action");
    demand(v, is_set(next, "tool") == is_set(next, "args"), "/next/args",
           "goes with a tool, and only with one");
    demand(v, !is_word(next, "tool", "give_back_gift_card"), "/next/tool", "is in no catalog");
    demand(v,
           !is_word(next, "action", "checkout") || is_word(next, "tool", "report_checkout_result"),
           "/next/tool", "checkout ends in a report");
}

/* The action that the state table gives for a purchase in a reply that succeeded. */
static bool next_fits_state(const struct sim_tool *tool, const cJSON *purchase, const cJSON *next)
{
    bool reads =
        is_word(next, "action", "call_tool") && is_word(next, "tool", "get_purchase_status");
    bool stops = is_word(next, "action", "stop");
    if (is_question_state(purchase)) {
        bool answers = is_word(next, "tool", "submit_answer") ||
                       is_word(next, "tool", "answer_purchase_question");
        bool password = is_word(get(purchase, "question"), "kind", "password");
        return password ? stops : is_word(next, "action", "call_tool") && answers;
    }
    if (is_word(purchase, "state", "completed") || is_word(purchase, "state", "cancelled"))
        return is_word(next, "action", "done");
    if (is_word(purchase, "state", "failed"))
        return stops;
    if (is_word(purchase, "state", "superseded"))
        return reads && same(get(get(next, "args"), "purchase"),
                             get(get(purchase, "chain"), "superseded_by"));
    if (is_word(purchase, "state", "ready")) {
        if (strcmp(tool->name, "get_purchase_status") == 0)
            return is_word(next, "action", "checkout") || stops;
        bool step = strcmp(tool->name, "report_checkout_step") == 0;
        return reads || (step && is_word(next, "action", "continue"));
    }
    return reads || stops;
}

static void rules_of_user_action(struct verdict *v, const cJSON *envelope)
{
    const cJSON *purchase = get(envelope, "purchase");
    const cJSON *action = get(envelope, "user_action");
    bool waits = is_word(purchase, "state", "waiting_for_user");
    if (!cJSON_IsObject(action)) {
        demand(v, !waits || !is_true(envelope, "ok"), "/user_action",
               "is needed while the user acts");
        return;
    }
    bool link = is_word(action, "task", "pay_link");
    bool elsewhere = is_word(action, "task", "resolve_active_purchase");
    demand(v, is_set(action, "url") == link, "/user_action/url",
           "goes with pay_link, and only with it");
    demand(v, elsewhere || (waits && same(get(action, "task"), get(purchase, "user_task"))),
           "/user_action/task", "does not agree with the purchase");
    demand(v, !link || same(get(action, "url"), get(get(purchase, "funding"), "url")),
           "/user_action/url", "is not the funding link");
    demand(v, elsewhere == is_word(get(envelope, "error"), "code", "ACTIVE_PURCHASE_EXISTS"),
           "/user_action/task", "does not agree with the error");
}

static const char *action_of_code(const cJSON *error)
{
    static const struct {
        const char *code;
        const char *action;
    } rows[] = {
        {"INVALID_INPUT", "fix_input"},
        {"UNAUTHENTICATED", "reconnect"},
        {"NOT_ALLOWED", "stop"},
        {"SERVICE_NOT_ENABLED", "stop"},
        {"NOT_FOUND", "stop"},
        {"IDEMPOTENCY_CONFLICT", "fix_input"},
        {"ACTIVE_PURCHASE_EXISTS", "stop"},
        {"STATE_CONFLICT", "stop"},
        {"NO_RAIL", "stop"},
        {"RATE_LIMITED", "retry"},
        {"CLIENT_UPDATE_REQUIRED", "update_client"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (is_word(error, "code", rows[i].code))
            return rows[i].action;
    }
    return is_true(error, "retryable") ? "retry" : "stop"; /* UNAVAILABLE */
}

static void rules_of_failure(struct verdict *v, const cJSON *envelope)
{
    const cJSON *error = get(envelope, "error");
    const cJSON *next = get(envelope, "next");
    const char *reason = cJSON_GetStringValue(get(error, "reason_code"));
    bool reads =
        is_word(next, "action", "call_tool") && is_word(next, "tool", "get_purchase_status");
    demand(v, cJSON_IsNull(get(envelope, "data")), "/data", "does not go with an error");
    demand(v, is_true(error, "retryable") == is_set(error, "retry_after_seconds"),
           "/error/retry_after_seconds", "goes with retryable, and only with it");
    demand(v, (reason != NULL) == is_word(error, "code", "NO_RAIL"), "/error/reason_code",
           "goes with NO_RAIL, and only with it");
    demand(v, !reason || strncmp(reason, "RAIL_", 5) == 0, "/error/reason_code",
           "only rail reasons arrive here");
    demand(v,
           cJSON_GetArraySize(get(error, "fields")) == 0 || is_word(error, "code", "INVALID_INPUT"),
           "/error/fields", "goes only with INVALID_INPUT");
    demand(v, reads || is_word(next, "action", action_of_code(error)), "/next/action",
           "does not fit the error");
    demand(v,
           !is_word(next, "action", "retry") ||
               same(get(next, "after_seconds"), get(error, "retry_after_seconds")),
           "/next/after_seconds", "does not agree with the error");
}

static void rules_of_handout(struct verdict *v, const struct sim_tool *tool, const cJSON *envelope)
{
    const cJSON *purchase = get(envelope, "purchase");
    const cJSON *details = get(get(envelope, "data"), "payment_details");
    if (!details)
        return;
    bool card = is_word(details, "kind", "card");
    bool status_read = strcmp(tool->name, "get_purchase_status") == 0;
    demand(v, status_read && is_word(purchase, "state", "ready"), "/data/payment_details",
           "is released only by a status read while ready");
    demand(v, same(get(details, "kind"), get(get(purchase, "payment_ready"), "kind")),
           "/data/payment_details/kind", "does not agree with the purchase");
    demand(v, (get(details, "card") != NULL) == card, "/data/payment_details/card",
           "goes with kind card, and only with it");
    demand(v, (get(details, "voucher") != NULL) == !card, "/data/payment_details/voucher",
           "goes with kind gift_card, and only with it");
    demand(v, card || !get(details, "checkout_code"), "/data/payment_details/checkout_code",
           "goes only with a card");
    demand(v, get(details, "checkout_code") || !get(details, "checkout_code_expires_at"),
           "/data/payment_details/checkout_code_expires_at", "needs a checkout_code");
    demand(v, card || same(get(get(details, "voucher"), "value"), get(purchase, "amount")),
           "/data/payment_details/voucher/value", "is not the purchase's amount");
}

static void rules_of_payload(struct verdict *v, const struct sim_tool *tool, const cJSON *envelope)
{
    static const char *const with_data[] = {"get_account",     "list_transactions",
                                            "list_purchases",  "list_gift_card_merchants",
                                            "search_products", NULL};
    bool pays_out = false;
    for (size_t i = 0; with_data[i]; i++)
        pays_out = pays_out || strcmp(tool->main_name, with_data[i]) == 0;
    const cJSON *data = get(envelope, "data");
    demand(v, !pays_out || cJSON_IsObject(data), "/data", "is what this tool is for");
    demand(v, !pays_out || cJSON_IsNull(get(envelope, "purchase")), "/purchase",
           "does not go with this tool");
    const cJSON *merchant;
    cJSON_ArrayForEach(merchant, get(data, "merchants"))
    {
        bool listed = cJSON_GetArraySize(get(merchant, "amounts")) > 0;
        demand(v, listed != is_set(merchant, "amount_range"), "/data/merchants",
               "either amounts or a range");
    }
    const cJSON *held = get(get(data, "account"), "held_purchases");
    demand(v,
           !cJSON_IsObject(held) || is_true(held, "available") ||
               (!is_set(held, "total") && cJSON_GetArraySize(get(held, "items")) == 0),
           "/data/account/held_purchases", "unavailable is not zero");
}

void sim_reply_rules(const struct sim_tool *tool, const cJSON *envelope, struct sim_findings *found)
{
    struct verdict v = {found, ""};
    const cJSON *purchase = get(envelope, "purchase");
    const cJSON *next = get(envelope, "next");
    const cJSON *active = get(get(get(envelope, "data"), "account"), "active_purchase");
    bool ok = is_true(envelope, "ok");

    demand(&v, is_word(envelope, "tool", tool->name), "/tool", "is not the tool that was called");
    demand(&v, ok == cJSON_IsNull(get(envelope, "error")), "/error",
           "goes with ok false, and only with it");
    if (cJSON_IsObject(purchase))
        rules_of_purchase(found, purchase, "/purchase");
    if (cJSON_IsObject(active))
        rules_of_purchase(found, active, "/data/account/active_purchase");
    rules_of_next(&v, next);
    rules_of_user_action(&v, envelope);
    rules_of_handout(&v, tool, envelope);
    if (!ok) {
        if (cJSON_IsObject(get(envelope, "error")))
            rules_of_failure(&v, envelope);
        return;
    }
    rules_of_payload(&v, tool, envelope);
    demand(&v, !cJSON_IsObject(purchase) || next_fits_state(tool, purchase, next), "/next",
           "does not fit the state");
}

bool sim_schema_check_reply(const char *name, const cJSON *envelope, char *why, size_t why_size)
{
    const struct sim_tool *tool = sim_table_tool(name);
    struct sim_schema_field first;
    struct sim_findings found = {&first, 1, 0};
    if (!tool) {
        snprintf(why, why_size, "%s is no tool", name);
        return false;
    }
    /* The envelope's own fields and this tool's data as one object, in the published place. */
    struct sim_node fields[16];
    size_t count = 0;
    for (const struct sim_node *field = sim_table_envelope(); field->name; field++)
        fields[count++] = *field;
    fields[count++] = *tool->data;
    fields[count] = (struct sim_node){.name = NULL};
    const struct sim_node root = {.name = "", .kind = SIM_OBJECT, .of = fields};

    sim_node_check(&root, envelope, "", &found);
    if (found.count == 0)
        sim_reply_rules(tool, envelope, &found);
    if (found.count > 0)
        snprintf(why, why_size, "%s %s", first.path, first.problem);
    return found.count == 0;
}
