/* SPDX-License-Identifier: Apache-2.0 */
/* What the tool pages ask for in words, beyond the schemas: rules between fields and about their
 * meaning. Must not repeat the schema. Invariant: a rule is only judged when the fields that it
 * speaks of are well formed, so that one mistake is told once. Pages: start_purchase,
 * answer_purchase_question, report_checkout_result, list_transactions. */
#include <stdio.h>
#include <string.h>
#include "contract/pattern.h"
#include "contract/problem.h"
#include "core/clock.h"
#include "core/money.h"

static const char *text_of(const json_t *object, const char *name)
{
    return json_string_value(json_object_get(object, name));
}

static bool is_word_of(const char *const *words, size_t count, const char *word)
{
    for (size_t i = 0; word && i < count; i++) {
        if (strcmp(words[i], word) == 0)
            return true;
    }
    return false;
}

static void check_delivery(const json_t *in, struct contract_problems *p)
{
    const char *address = text_of(in, "address");
    if (!address)
        return;
    if (json_object_get(in, "address_id"))
        problem_add(p, "/address", "is sent beside address_id", "one of the two");
    if (pattern_has_control(address))
        problem_add(p, "/address", "is not on one line", "one line without control characters");
    if (address[0] && !pattern_has_pin_code(address))
        problem_add(p, "/address", "has no PIN code",
                    "recipient name, phone and 6-digit PIN code on one line");
}

static void check_max_total(const json_t *in, const char *text, size_t len,
                            struct contract_problems *p)
{
    int64_t total;
    int64_t most;
    if (rules_amount(in, text, len, "total", &total) &&
        rules_amount(in, text, len, "max_total", &most) && most < total)
        problem_add(p, "/max_total", "is below total", "at least the total");
}

static size_t items_with(const json_t *items, const char *name)
{
    size_t with = 0;
    for (size_t i = 0; i < json_array_size(items); i++)
        with += json_object_get(json_array_get(items, i), name) != NULL;
    return with;
}

static void check_items(const json_t *in, struct contract_problems *p)
{
    const json_t *items = json_object_get(in, "items");
    size_t count = json_array_size(items);
    size_t offers = items_with(items, "product_id");
    if (offers > 0 && offers < count)
        problem_add(p, "/items", "some items have a product_id and some have none",
                    "a product_id on every item or on none");
    for (size_t i = 0; i < count; i++) {
        int64_t price;
        const char *given = text_of(json_array_get(items, i), "price");
        char path[48];
        snprintf(path, sizeof path, "/items/%zu/price", i);
        if (given && money_parse(given, &price) == ERR_OK && price == 0)
            problem_add(p, path, "is zero", "only items that are bought: no gifts");
    }
}

static void check_rail(const json_t *in, struct contract_problems *p)
{
    if (!json_object_get(in, "rail"))
        return;
    if (json_object_get(in, "retry_of"))
        problem_add(p, "/rail", "is sent beside retry_of", "rail or retry_of");
    if (json_object_get(in, "product_id") || items_with(json_object_get(in, "items"), "product_id"))
        problem_add(p, "/rail", "is sent beside product_id", "rail or product_id");
}

static void check_retry(const json_t *in, struct contract_problems *p)
{
    const char *key = text_of(in, "idempotency_key");
    const char *retry_of = text_of(in, "retry_of");
    if (key && retry_of && strcmp(key, retry_of) == 0)
        problem_add(p, "/idempotency_key", "is the key of the purchase to retry", "a new key");
}

/* One bill line; false when it cannot be counted. */
static bool read_price_line(const json_t *line, const char *path, struct contract_problems *p,
                            int64_t *minor)
{
    static const char *const codes[] = {"item_total", "delivery", "taxes_fees", "packaging",
                                        "discount"};
    const char *code = text_of(line, "code");
    const char *amount = text_of(line, "amount");
    char inner[64];
    bool good = true;
    if (!is_word_of(codes, sizeof codes / sizeof codes[0], code)) {
        snprintf(inner, sizeof inner, "%.50s/code", path);
        problem_add(p, inner, "is not one of the values",
                    "one of item_total, delivery, taxes_fees, packaging, discount");
        good = false;
    }
    if (!amount || money_parse(amount, minor) != ERR_OK || *minor == 0) {
        snprintf(inner, sizeof inner, "%.50s/amount", path);
        problem_add(p, inner, "is not a positive amount",
                    "positive rupees with up to two decimals, such as 49.00");
        good = false;
    }
    if (good && strcmp(code, "discount") == 0)
        *minor = -*minor;
    return good;
}

static void check_price_lines(const json_t *in, const char *text, size_t len,
                              struct contract_problems *p)
{
    const json_t *lines = json_object_get(in, "price_lines");
    int64_t sum = 0;
    int64_t total;
    bool countable = json_array_size(lines) > 0;
    for (size_t i = 0; i < json_array_size(lines); i++) {
        int64_t minor = 0;
        char path[48];
        snprintf(path, sizeof path, "/price_lines/%zu", i);
        if (!json_is_object(json_array_get(lines, i)) ||
            !read_price_line(json_array_get(lines, i), path, p, &minor) ||
            __builtin_add_overflow(sum, minor, &sum))
            countable = false;
    }
    if (countable && rules_amount(in, text, len, "total", &total) && sum != total)
        problem_add(p, "/price_lines", "do not add up to total",
                    "lines that add up to total, the discount taken off");
}

static void check_facts(const json_t *in, struct contract_problems *p)
{
    static const char *const codes[] = {"deliver_to", "arrives",   "sold_by",      "restaurant",
                                        "check_in",   "check_out", "cancellation", "booked_for"};
    const json_t *facts = json_object_get(in, "facts");
    for (size_t i = 0; i < json_array_size(facts); i++) {
        const json_t *fact = json_array_get(facts, i);
        char path[48];
        snprintf(path, sizeof path, "/facts/%zu/code", i);
        if (json_is_object(fact) &&
            !is_word_of(codes, sizeof codes / sizeof codes[0], text_of(fact, "code")))
            problem_add(p, path, "is not one of the values",
                        "one of deliver_to, arrives, sold_by, restaurant, check_in, check_out, "
                        "cancellation, booked_for");
    }
}

static void check_start(const json_t *in, const char *text, size_t len, struct contract_problems *p)
{
    check_delivery(in, p);
    check_max_total(in, text, len, p);
    check_items(in, p);
    check_rail(in, p);
    check_retry(in, p);
    check_price_lines(in, text, len, p);
    check_facts(in, p);
}

static void check_answer(const json_t *in, struct contract_problems *p)
{
    const char *answer = text_of(in, "answer");
    const char *type = text_of(in, "type");
    if (answer && contract_answer_suspicion(answer) == CONTRACT_CARD_NUMBER)
        problem_add(p, "/answer", "looks like a card number", "an answer without card details");
    if (json_object_get(in, "rating") && type && strcmp(type, "feedback") != 0)
        problem_add(p, "/rating", "is only for feedback", "no rating, or the type feedback");
}

static void check_report(const json_t *in, struct contract_problems *p)
{
    const char *outcome = text_of(in, "outcome");
    if (outcome && strcmp(outcome, "failed") == 0 && !json_object_get(in, "failure_reason"))
        problem_add(p, "/failure_reason", "is missing", "a reason, because the outcome is failed");
}

static void check_dates(const json_t *in, struct contract_problems *p)
{
    const char *from = text_of(in, "from");
    const char *to = text_of(in, "to");
    /* Real dates in this form sort as text. */
    if (clock_valid_date(from) && clock_valid_date(to) && strcmp(from, to) > 0)
        problem_add(p, "/from", "is later than to", "a date that is not later than to");
}

void rules_check(enum contract_tool tool, const json_t *input, const char *text, size_t len,
                 struct contract_problems *p)
{
    switch (tool) {
    case CONTRACT_TOOL_START_PURCHASE:
        check_start(input, text, len, p);
        break;
    case CONTRACT_TOOL_ANSWER_PURCHASE_QUESTION:
    case CONTRACT_TOOL_SUBMIT_ANSWER:
        check_answer(input, p);
        break;
    case CONTRACT_TOOL_REPORT_CHECKOUT_RESULT:
        check_report(input, p);
        break;
    case CONTRACT_TOOL_LIST_TRANSACTIONS:
        check_dates(input, p);
        break;
    default:
        break;
    }
}
