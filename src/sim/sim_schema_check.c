/* SPDX-License-Identifier: Apache-2.0 */
/* A small validator for the nodes of the schema table. It finds everything that is wrong with a
 * value, names where as a JSON pointer, and never repeats the value itself, which may be a secret
 * or hostile. Knows no tool and no state. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include "core/money.h"
#include "core/str.h"
#include "sim_schema_table.h"

#define PATH_MAX_BYTES    sizeof(((struct sim_schema_field *)0)->path)
#define EXACT_INTEGER_MAX 9007199254740991.0

void sim_findings_add(struct sim_findings *found, const char *path, const char *problem,
                      const char *expected)
{
    if (found->count < found->max) {
        struct sim_schema_field *field = &found->fields[found->count];
        str_copy(field->path, sizeof field->path, path);
        str_copy(field->problem, sizeof field->problem, problem);
        str_copy(field->expected, sizeof field->expected, expected ? expected : "");
    }
    found->count++;
}

/* Appends "/name" with the escapes of RFC 6901; whatever is not plain ASCII becomes '?', because
 * the name of an unknown field is the sender's own. */
static void path_join(char out[PATH_MAX_BYTES], const char *path, const char *name)
{
    size_t len = strlen(path);
    memcpy(out, path, len);
    if (len < PATH_MAX_BYTES - 1)
        out[len++] = '/';
    for (const char *p = name; *p && len < PATH_MAX_BYTES - 2; p++) {
        if (*p == '~' || *p == '/') {
            out[len++] = '~';
            out[len++] = *p == '~' ? '0' : '1';
        } else {
            out[len++] = *p >= ' ' && *p < 0x7F ? *p : '?';
        }
    }
    out[len] = '\0';
}

static const char *kind_word(enum sim_kind kind)
{
    static const char *const words[] = {"object",  "array",  "string",
                                        "integer", "number", "boolean"};
    return words[kind];
}

/* Whole and within what a double holds exactly; NaN and infinity are neither. */
static bool is_whole(double number)
{
    return number >= -EXACT_INTEGER_MAX && number <= EXACT_INTEGER_MAX &&
           (double)(int64_t)number == number;
}

static bool is_kind(const struct sim_node *node, const cJSON *value)
{
    switch (node->kind) {
    case SIM_OBJECT:
        return cJSON_IsObject(value);
    case SIM_ARRAY:
        return cJSON_IsArray(value);
    case SIM_STRING:
        return cJSON_IsString(value);
    case SIM_BOOLEAN:
        return cJSON_IsBool(value);
    case SIM_NUMBER:
        return cJSON_IsNumber(value);
    case SIM_INTEGER:
        return cJSON_IsNumber(value) && is_whole(value->valuedouble);
    }
    return false;
}

static void describe_bounds(char *out, size_t size, const struct sim_node *node, const char *unit)
{
    if (node->has_lo && node->has_hi)
        snprintf(out, size, "%d to %d%s", node->lo, node->hi, unit);
    else if (node->has_lo)
        snprintf(out, size, "at least %d%s", node->lo, unit);
    else
        snprintf(out, size, "at most %d%s", node->hi, unit);
}

static void check_bounds(const struct sim_node *node, double amount, const char *unit,
                         const char *path, struct sim_findings *found)
{
    bool low = node->has_lo && amount < node->lo;
    bool high = node->has_hi && amount > node->hi;
    if (!low && !high)
        return;
    char expected[64];
    describe_bounds(expected, sizeof expected, node, unit);
    const char *problem =
        unit[0] ? (low ? "is too short" : "is too long") : (low ? "is too small" : "is too large");
    sim_findings_add(found, path, problem, expected);
}

static bool is_choice(const char *const *choices, const char *text)
{
    for (; *choices; choices++) {
        if (strcmp(*choices, text) == 0)
            return true;
    }
    return false;
}

/* "one of a, b, c", cut at the field's own size when the list is long. */
static void describe_choices(char *out, size_t size, const char *const *choices)
{
    size_t len = (size_t)snprintf(out, size, "one of ");
    for (size_t i = 0; choices[i] && len < size; i++)
        len += (size_t)snprintf(out + len, size - len, "%s%s", i ? ", " : "", choices[i]);
}

static void check_string(const struct sim_node *node, const char *text, const char *path,
                         struct sim_findings *found)
{
    if (node->choices && !is_choice(node->choices, text)) {
        char expected[201];
        describe_choices(expected, sizeof expected, node->choices);
        sim_findings_add(found, path, "is not one of the allowed values", expected);
        return;
    }
    if (!str_is_utf8(text, strlen(text))) {
        sim_findings_add(found, path, "has the wrong form", "UTF-8 text");
        return;
    }
    size_t before = found->count;
    check_bounds(node, (double)str_code_points(text), " characters", path, found);
    if (found->count > before)
        return;
    if (!sim_pattern_matches(node->pattern, text))
        sim_findings_add(found, path, "has the wrong form", sim_pattern_words(node->pattern));
    else if (!sim_format_matches(node->format, text))
        sim_findings_add(found, path, "has the wrong form", sim_format_name(node->format));
}

static void check_array(const struct sim_node *node, const cJSON *value, const char *path,
                        struct sim_findings *found)
{
    check_bounds(node, cJSON_GetArraySize(value), " entries", path, found);
    size_t index = 0;
    const cJSON *entry;
    cJSON_ArrayForEach(entry, value)
    {
        char name[24];
        char below[PATH_MAX_BYTES];
        snprintf(name, sizeof name, "%zu", index++);
        path_join(below, path, name);
        sim_node_check(node->of, entry, below, found);
        if (!(node->flags & SIM_UNIQUE))
            continue;
        for (const cJSON *other = value->child; other != entry; other = other->next) {
            if (cJSON_Compare(other, entry, true)) {
                sim_findings_add(found, below, "is given twice", "each entry once");
                break;
            }
        }
    }
}

static const struct sim_node *field_named(const struct sim_node *fields, const char *name)
{
    for (; fields->name; fields++) {
        if (strcmp(fields->name, name) == 0)
            return fields;
    }
    return NULL;
}

static void check_money(const cJSON *value, const char *path, struct sim_findings *found)
{
    const cJSON *minor = cJSON_GetObjectItemCaseSensitive(value, "minor");
    const cJSON *display = cJSON_GetObjectItemCaseSensitive(value, "display");
    if (!money_display_agrees(display->valuestring, (int64_t)minor->valuedouble))
        sim_findings_add(found, path, "display does not say what minor says", NULL);
}

static void check_object(const struct sim_node *node, const cJSON *value, const char *path,
                         struct sim_findings *found)
{
    if (node->flags & SIM_OPEN)
        return;
    size_t before = found->count;
    char below[PATH_MAX_BYTES];
    for (const struct sim_node *field = node->of; field->name; field++) {
        const cJSON *entry = cJSON_GetObjectItemCaseSensitive(value, field->name);
        path_join(below, path, field->name);
        if (entry)
            sim_node_check(field, entry, below, found);
        else if (field->flags & SIM_REQUIRED)
            sim_findings_add(found, below, "is missing", kind_word(field->kind));
    }
    const cJSON *entry;
    cJSON_ArrayForEach(entry, value)
    {
        path_join(below, path, entry->string);
        if (!field_named(node->of, entry->string))
            sim_findings_add(found, below, "is not a known field", "no such field");
        else if (cJSON_GetObjectItemCaseSensitive(value, entry->string) != entry)
            sim_findings_add(found, below, "is given twice", "each field once");
    }
    if ((node->flags & SIM_MONEY) && found->count == before)
        check_money(value, path, found);
}

void sim_node_check(const struct sim_node *node, const cJSON *value, const char *path,
                    struct sim_findings *found)
{
    if (cJSON_IsNull(value) && (node->flags & SIM_NULLABLE))
        return;
    if (!is_kind(node, value)) {
        char expected[32];
        snprintf(expected, sizeof expected, "%s%s", kind_word(node->kind),
                 node->flags & SIM_NULLABLE ? " or null" : "");
        sim_findings_add(found, path, "has the wrong type", expected);
        return;
    }
    switch (node->kind) {
    case SIM_OBJECT:
        check_object(node, value, path, found);
        break;
    case SIM_ARRAY:
        check_array(node, value, path, found);
        break;
    case SIM_STRING:
        check_string(node, value->valuestring, path, found);
        break;
    case SIM_INTEGER:
    case SIM_NUMBER:
        check_bounds(node, value->valuedouble, "", path, found);
        break;
    case SIM_BOOLEAN:
        break;
    }
}
