/* SPDX-License-Identifier: Apache-2.0 */
/* One row a field of every tool's input, in the order of the published schemas. Must not know how a
 * row is checked. Invariant: what a page says in words about more than one field is not here but in
 * rules.c. */
#include <stddef.h>
#include "contract/input.h"
#include "contract/pattern.h"
#include "contract/schema.h"
#include "core/clock.h"
#include "core/ident.h"

#define EXPECT_KEY                                                                                 \
    "16 to 64 of the letters A-Z and a-z, digits, '-' and '_', not starting with 'pur_'"
#define EXPECT_REF     "a purchase id (pur_ and 32 hexadecimal digits) or the key it was started with"
#define EXPECT_ADDRESS "a web address such as https://shop.example/item, without port or user name"
#define EXPECT_RUPEES  "rupees with up to two decimals, such as 2499.00"
#define EXPECT_OFFER   "a product id of a search (ofr_ and 32 hexadecimal digits)"
#define EXPECT_ATTEMPT "the checkout_attempt_id of the handout, unchanged"
#define EXPECT_DATE    "a date such as 2026-09-30"

static bool fits_order_ref(const char *s)
{
    return !pattern_has_control(s);
}

#define KEY(field, due)                                                                            \
    {                                                                                              \
        .name = field, .required = due, .fits = ident_is_key, .expected = EXPECT_KEY               \
    }
#define REF(field, due)                                                                            \
    {                                                                                              \
        .name = field, .required = due, .fits = ident_is_purchase_ref, .expected = EXPECT_REF      \
    }
#define ADDRESS(field, due)                                                                        \
    {                                                                                              \
        .name = field, .required = due, .fits = pattern_is_web_address, .expected = EXPECT_ADDRESS \
    }
#define OFFER(field)                                                                               \
    {                                                                                              \
        .name = field, .fits = ident_is_offer_id, .expected = EXPECT_OFFER                         \
    }
#define ATTEMPT(field)                                                                             \
    {                                                                                              \
        .name = field, .fits = pattern_is_attempt_id, .expected = EXPECT_ATTEMPT                   \
    }
#define DATE(field)                                                                                \
    {                                                                                              \
        .name = field, .fits = clock_valid_date, .expected = EXPECT_DATE                           \
    }
#define RUPEES(field, due)                                                                         \
    {                                                                                              \
        .name = field, .type = RULE_RUPEES, .required = due, .expected = EXPECT_RUPEES             \
    }
#define TEXT(field, due, least, most)                                                              \
    {                                                                                              \
        .name = field, .required = due, .min = least, .max = most                                  \
    }
#define COUNT(field, least, most)                                                                  \
    {                                                                                              \
        .name = field, .type = RULE_COUNT, .min = least, .max = most                               \
    }
#define ENUM(field, due, list)                                                                     \
    {                                                                                              \
        .name = field, .type = RULE_ENUM, .required = due, .kind = CONTRACT_KIND_##list            \
    }
#define ROWS(field, due, least, most, inner)                                                       \
    {                                                                                              \
        .name = field, .type = RULE_ROWS, .required = due, .min = least, .max = most,              \
        .fields = inner                                                                            \
    }
#define END                                                                                        \
    {                                                                                              \
        .name = NULL                                                                               \
    }

static const struct rule item_rules[] = {
    TEXT("name", true, 1, 200),
    {.name = "quantity", .type = RULE_COUNT, .digits_as_text = true, .min = 1, .max = 99},
    ADDRESS("url", false),
    ADDRESS("image", false),
    OFFER("product_id"),
    TEXT("price", false, 0, 0),
    END,
};

static const struct rule price_line_rules[] = {
    TEXT("code", false, 0, 0),
    TEXT("amount", false, 0, 0),
    END,
};

static const struct rule fact_rules[] = {
    TEXT("code", false, 0, 0),
    TEXT("value", false, 0, 0),
    END,
};

static const struct rule start_rules[] = {
    KEY("idempotency_key", true),
    ADDRESS("merchant_url", true),
    ADDRESS("merchant_logo", false),
    RUPEES("total", true),
    ROWS("items", true, 1, CONTRACT_ITEMS_MAX, item_rules),
    TEXT("user_request", true, 1, CONTRACT_USER_REQUEST_MAX),
    TEXT("address_id", false, 1, 64),
    TEXT("address", false, 1, CONTRACT_ADDRESS_MAX),
    RUPEES("max_total", false),
    OFFER("product_id"),
    ENUM("rail", false, RAIL_CHOICE),
    TEXT("order_title", false, 0, 0),
    ROWS("price_lines", false, 0, 0, price_line_rules),
    ROWS("facts", false, 0, 0, fact_rules),
    REF("retry_of", false),
    END,
};

static const struct rule answer_rules[] = {
    ENUM("type", true, ANSWER_TYPE),
    TEXT("answer", true, 1, CONTRACT_ANSWER_MAX),
    REF("purchase", false),
    TEXT("question", false, 1, 128),
    COUNT("rating", 1, 5),
    KEY("idempotency_key", true),
    END,
};

static const struct rule report_rules[] = {
    REF("purchase", true),
    ATTEMPT("checkout_attempt_id"),
    ENUM("outcome", true, OUTCOME),
    ENUM("failure_reason", false, FAILURE),
    {.name = "merchant_order_ref",
     .min = 1,
     .max = 128,
     .fits = fits_order_ref,
     .expected = "1 to 128 characters, without control characters"},
    RUPEES("amount_paid", false),
    END,
};

static const struct rule step_rules[] = {
    REF("purchase", true),
    ENUM("step", true, STEP),
    ATTEMPT("checkout_attempt_id"),
    END,
};

static const struct rule status_rules[] = {
    REF("purchase", false),
    COUNT("after_revision", 0, INT64_MAX),
    COUNT("wait_seconds", 0, 45),
    END,
};

static const struct rule cancel_rules[] = {
    REF("purchase", true),
    TEXT("reason", false, 0, 0),
    END,
};

static const struct rule account_rules[] = {
    {.name = "include", .type = RULE_ENUMS, .kind = CONTRACT_KIND_SECTION},
    END,
};

static const struct rule purchases_rules[] = {
    COUNT("limit", 1, 20),
    END,
};

static const struct rule transactions_rules[] = {
    DATE("from"), DATE("to"), COUNT("limit", 1, 50), TEXT("cursor", false, 1, 2048), END,
};

static const struct rule search_rules[] = {
    TEXT("query", true, 1, 200),
    COUNT("quantity", 1, 99),
    TEXT("address_id", false, 1, 64),
    END,
};

static const struct rule no_rules[] = {
    END,
};

static const struct rule *const tool_rules[CONTRACT_TOOL_COUNT] = {
    [CONTRACT_TOOL_GET_ACCOUNT] = account_rules,
    [CONTRACT_TOOL_LIST_TRANSACTIONS] = transactions_rules,
    [CONTRACT_TOOL_LIST_PURCHASES] = purchases_rules,
    [CONTRACT_TOOL_START_PURCHASE] = start_rules,
    [CONTRACT_TOOL_GET_PURCHASE_STATUS] = status_rules,
    [CONTRACT_TOOL_ANSWER_PURCHASE_QUESTION] = answer_rules,
    [CONTRACT_TOOL_SUBMIT_ANSWER] = answer_rules,
    [CONTRACT_TOOL_REPORT_CHECKOUT_RESULT] = report_rules,
    [CONTRACT_TOOL_REPORT_CHECKOUT_STEP] = step_rules,
    [CONTRACT_TOOL_CANCEL_PURCHASE] = cancel_rules,
    [CONTRACT_TOOL_LIST_GIFT_CARD_MERCHANTS] = no_rules,
    [CONTRACT_TOOL_GET_MERCHANTS] = no_rules,
    [CONTRACT_TOOL_SEARCH_PRODUCTS] = search_rules,
};

const struct rule *schema_rules(enum contract_tool tool)
{
    return tool_rules[tool];
}
