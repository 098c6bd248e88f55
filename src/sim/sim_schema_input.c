/* SPDX-License-Identifier: Apache-2.0 */
/* Inputs: the lenient forms that the service accepts are brought to the strict one, then the schema
 * and the rules that stand only in the prose of the tool pages are applied. Needs no state: what
 * depends on a purchase is the engine's affair. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "core/alloc.h"
#include "core/money.h"
#include "core/str.h"
#include "sim_schema_table.h"

#define TOTAL_MAX_MINOR  INT64_C(10000000) /* one lakh rupees */
#define MARGIN_MIN_MINOR INT64_C(10000)    /* max_total may exceed total by this or by a tenth */

static const cJSON *field_of(const cJSON *object, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

static const char *text_of(const cJSON *object, const char *name)
{
    return cJSON_GetStringValue(field_of(object, name));
}

/* Puts a copy of text in the place of a field; without memory the old value stays, and the check
 * that follows refuses it. */
static void replace_text(cJSON *object, const char *name, const char *text)
{
    cJSON *fresh = cJSON_CreateString(text);
    if (fresh && !cJSON_ReplaceItemInObjectCaseSensitive(object, name, fresh))
        cJSON_Delete(fresh);
}

static void normalise_rupees(cJSON *object, const char *name)
{
    const cJSON *value = field_of(object, name);
    if (cJSON_IsNumber(value)) {
        char *printed = cJSON_PrintUnformatted(value);
        if (printed)
            replace_text(object, name, printed);
        cJSON_free(printed);
        return;
    }
    if (!cJSON_IsString(value))
        return;
    static const char sign[] = "₹";
    char *strict = alloc_text(value->valuestring);
    if (!strict)
        return;
    size_t len = 0;
    for (const char *p = value->valuestring; *p;) {
        if (str_starts(p, sign))
            p += sizeof sign - 1;
        else if (*p == ',')
            p++;
        else
            strict[len++] = *p++;
    }
    strict[len] = '\0';
    replace_text(object, name, strict);
    alloc_free(strict);
}

static void normalise_link(cJSON *object, const char *name)
{
    const char *text = text_of(object, name);
    if (!text || !sim_pattern_matches(SIM_PATTERN_WEB, text))
        return;
    const char *scheme_end = strstr(text, "://");
    const char *first_mark = text + strcspn(text, "/?#");
    bool has_scheme = scheme_end && scheme_end < first_mark;
    size_t size = strlen(text) + sizeof "https://";
    char *link = alloc_zero(1, size);
    if (!link)
        return;
    snprintf(link, size, "https://%s", has_scheme ? scheme_end + 3 : text);
    replace_text(object, name, link);
    alloc_free(link);
}

/* Pictures only decorate the approval screen: an unusable one is dropped without a word. */
static void normalise_picture(cJSON *object, const char *name)
{
    const cJSON *value = field_of(object, name);
    if (!value)
        return;
    if (cJSON_IsString(value) && sim_pattern_matches(SIM_PATTERN_WEB, value->valuestring))
        normalise_link(object, name);
    else
        cJSON_DeleteItemFromObjectCaseSensitive(object, name);
}

static void normalise_quantity(cJSON *item)
{
    const char *text = text_of(item, "quantity");
    if (!text || text[0] == '\0' || strlen(text) > 4 || strspn(text, "0123456789") != strlen(text))
        return;
    cJSON *number = cJSON_CreateNumber((double)strtol(text, NULL, 10));
    if (number && !cJSON_ReplaceItemInObjectCaseSensitive(item, "quantity", number))
        cJSON_Delete(number);
}

static void normalise_start(cJSON *input)
{
    normalise_rupees(input, "total");
    normalise_rupees(input, "max_total");
    normalise_link(input, "merchant_url");
    normalise_picture(input, "merchant_logo");
    cJSON *item;
    cJSON_ArrayForEach(item, field_of(input, "items"))
    {
        if (!cJSON_IsObject(item))
            continue;
        normalise_quantity(item);
        normalise_link(item, "url");
        normalise_picture(item, "image");
    }
}

static void normalise_include(cJSON *input)
{
    const char *one = text_of(input, "include");
    cJSON *list = one ? cJSON_CreateStringArray(&one, 1) : NULL;
    if (list && !cJSON_ReplaceItemInObjectCaseSensitive(input, "include", list))
        cJSON_Delete(list);
}

void sim_input_normalise(const struct sim_tool *tool, cJSON *input)
{
    if (strcmp(tool->name, "start_purchase") == 0)
        normalise_start(input);
    else if (strcmp(tool->name, "report_checkout_result") == 0)
        normalise_rupees(input, "amount_paid");
    else if (strcmp(tool->name, "get_account") == 0)
        normalise_include(input);
}

static void rules_of_totals(const cJSON *input, struct sim_findings *found)
{
    int64_t total;
    int64_t most;
    if (money_parse(text_of(input, "total"), &total) != ERR_OK || total > TOTAL_MAX_MINOR) {
        sim_findings_add(found, "/total", "is above what one purchase may cost",
                         "at most 100000.00");
        return;
    }
    const char *max_total = text_of(input, "max_total");
    if (!max_total)
        return;
    int64_t margin = total / 10 > MARGIN_MIN_MINOR ? total / 10 : MARGIN_MIN_MINOR;
    if (money_parse(max_total, &most) != ERR_OK || most > total + margin)
        sim_findings_add(found, "/max_total", "is too far above total",
                         "at most total plus the larger of 10 % and 100.00");
    else if (most < total)
        sim_findings_add(found, "/max_total", "is below total", "total or more");
}

static void rules_of_offers(const cJSON *input, struct sim_findings *found)
{
    const cJSON *items = field_of(input, "items");
    size_t with = 0;
    const cJSON *item;
    cJSON_ArrayForEach(item, items)
    {
        with += field_of(item, "product_id") != NULL;
    }
    if (with > 0 && with < (size_t)cJSON_GetArraySize(items)) {
        size_t index = 0;
        cJSON_ArrayForEach(item, items)
        {
            char path[64];
            snprintf(path, sizeof path, "/items/%zu/product_id", index++);
            if (!field_of(item, "product_id"))
                sim_findings_add(found, path, "is missing while other items have one",
                                 "a product_id on every item or on none");
        }
    }
    if (!field_of(input, "rail"))
        return;
    if (field_of(input, "retry_of"))
        sim_findings_add(found, "/rail", "does not go with retry_of", "either one of them");
    if (field_of(input, "product_id") || with > 0)
        sim_findings_add(found, "/rail", "does not go with product_id", "either one of them");
}

static void rules_of_start(const cJSON *input, struct sim_findings *found)
{
    rules_of_totals(input, found);
    rules_of_offers(input, found);
    if (field_of(input, "address") && field_of(input, "address_id"))
        sim_findings_add(found, "/address", "does not go with address_id", "either one of them");
}

void sim_input_rules(const struct sim_tool *tool, const cJSON *input, struct sim_findings *found)
{
    if (strcmp(tool->name, "start_purchase") == 0) {
        rules_of_start(input, found);
    } else if (strcmp(tool->name, "report_checkout_result") == 0) {
        if (strcmp(text_of(input, "outcome"), "failed") == 0 && !field_of(input, "failure_reason"))
            sim_findings_add(found, "/failure_reason", "is missing", "why the checkout failed");
    } else if (strcmp(tool->main_name, "answer_purchase_question") == 0) {
        if (strcmp(text_of(input, "type"), "feedback") != 0 && field_of(input, "rating"))
            sim_findings_add(found, "/rating", "goes only with feedback", "no rating here");
    } else if (strcmp(tool->name, "list_transactions") == 0) {
        const char *from = text_of(input, "from");
        const char *to = text_of(input, "to");
        /* Valid dates of this form sort as text. */
        if (from && to && strcmp(from, to) > 0)
            sim_findings_add(found, "/from", "is later than to", "to or an earlier day");
    }
}

size_t sim_schema_check_input(const char *name, cJSON *input,
                              struct sim_schema_field fields[SIM_SCHEMA_FIELDS_MAX])
{
    struct sim_findings found = {fields, SIM_SCHEMA_FIELDS_MAX, 0};
    const struct sim_tool *tool = sim_table_tool(name);
    if (!tool) {
        sim_findings_add(&found, "", "is for no known tool", NULL);
        return found.count;
    }
    sim_input_normalise(tool, input);
    sim_node_check(tool->input, input, "", &found);
    if (found.count == 0)
        sim_input_rules(tool, input, &found);
    return found.count < found.max ? found.count : found.max;
}
