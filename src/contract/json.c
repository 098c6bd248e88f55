/* SPDX-License-Identifier: Apache-2.0 */
/* Owns the set-up of jansson. Must not know what the JSON means. Invariants: jansson takes every
 * block from core/alloc, so that freed text is zeroed and tests can fail any allocation; no text is
 * parsed before core/jsonscan has accepted it, so both read the same grammar and depth. */
#include <stdio.h>
#include "contract/json.h"
#include "core/alloc.h"
#include "core/jsonscan.h"

static enum err json_problem(enum err e, const char *words, char why[JSON_WHY_MAX])
{
    snprintf(why, JSON_WHY_MAX, "%s", words);
    return e;
}

static const char *json_error_words(enum json_error_code code)
{
    switch (code) {
    case json_error_invalid_utf8:
        return "the text is not UTF-8";
    case json_error_numeric_overflow:
        return "a number is too large";
    case json_error_null_byte_in_key:
        return "a name holds a zero byte";
    default:
        return "not valid JSON";
    }
}

enum err json_read(const char *text, size_t len, size_t max, json_t **out, char why[JSON_WHY_MAX])
{
    static const char *const nowhere[] = {"", NULL};
    struct jsonscan_span span;
    if (len > max)
        return json_problem(ERR_LIMIT, "the text is too long", why);
    enum err e = jsonscan_find(text, len, nowhere, &span);
    if (e == ERR_LIMIT)
        return json_problem(ERR_LIMIT, "the JSON is nested too deeply", why);
    if (e == ERR_FORMAT)
        return json_problem(ERR_FORMAT, "not valid JSON", why);
    json_set_alloc_funcs(alloc_bytes, alloc_free);
    unsigned long failed_before = alloc_failures();
    json_error_t error = {0};
    json_t *root = json_loadb(text, len, JSON_ALLOW_NUL, &error);
    /* jansson reports a failed allocation as a syntax error in places. */
    if (!root && alloc_failures() != failed_before)
        return json_problem(ERR_MEMORY, "out of memory", why);
    if (!root)
        return json_problem(ERR_FORMAT, json_error_words(json_error_code(&error)), why);
    *out = root;
    return ERR_OK;
}
