/* SPDX-License-Identifier: Apache-2.0 */
/* Owns the parse. Must not know what the JSON means. Invariants: no text is parsed before
 * core/jsonscan has accepted it, so both read the same grammar and depth; a parsed text lives in
 * one pool, because jansson 2.14 writes beyond its buffers after an allocation that failed, and is
 * zeroed when it is closed. */
#include <stdbool.h>
#include <stdio.h>
#include "contract/json.h"
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

struct json_run {
    const char *text;
    size_t len;
    json_t *root;
    json_error_t error;
};

static void json_parse(void *ctx)
{
    struct json_run *run = ctx;
    run->root = json_loadb(run->text, run->len, JSON_ALLOW_NUL, &run->error);
}

enum err json_open(const char *text, size_t len, size_t max, struct json_doc *doc,
                   char why[JSON_WHY_MAX])
{
    static const char *const nowhere[] = {"", NULL};
    struct jsonscan_span span;
    *doc = (struct json_doc){.root = NULL};
    if (len > max)
        return json_problem(ERR_LIMIT, "the text is too long", why);
    enum err e = jsonscan_find(text, len, nowhere, &span);
    if (e == ERR_LIMIT)
        return json_problem(ERR_LIMIT, "the JSON is nested too deeply", why);
    if (e == ERR_FORMAT)
        return json_problem(ERR_FORMAT, "not valid JSON", why);
    struct json_run run = {.text = text, .len = len};
    json_set_alloc_funcs(alloc_pool_take, alloc_pool_drop);
    bool whole = alloc_pool_run(&doc->pool, json_parse, &run);
    doc->root = run.root;
    if (whole && run.root)
        return ERR_OK;
    json_close(doc);
    if (!whole)
        return json_problem(ERR_MEMORY, "out of memory", why);
    return json_problem(ERR_FORMAT, json_error_words(json_error_code(&run.error)), why);
}

void json_close(struct json_doc *doc)
{
    alloc_pool_free(&doc->pool);
    doc->root = NULL;
}
