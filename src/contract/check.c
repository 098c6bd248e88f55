/* SPDX-License-Identifier: Apache-2.0 */
/* Checks the input of a tool against the rows of schema.c. Must not know who typed it. Invariants:
 * unknown fields are refused, as the service does; characters are code points; no problem repeats a
 * value. The service takes some values in a second form (a number for rupees, digits as text for a
 * quantity, one name for a list of one); so does this. Pages: the tool pages, schemas. */
#include <stdio.h>
#include <string.h>
#include "contract/json.h"
#include "contract/pattern.h"
#include "contract/problem.h"
#include "contract/schema.h"
#include "core/jsonscan.h"
#include "core/money.h"
#include "core/str.h"

void problem_add(struct contract_problems *p, const char *path, const char *problem,
                 const char *expected)
{
    if (p->count < CONTRACT_FIELDS_MAX) {
        struct contract_field *field = &p->fields[p->count];
        str_copy(field->path, sizeof field->path, path);
        str_copy(field->problem, sizeof field->problem, problem);
        str_copy(field->expected, sizeof field->expected, expected);
    }
    p->count++;
}

struct check {
    const char *text; /* the whole input */
    size_t len;
    struct contract_problems *problems;
};

static void list_values(const struct rule *r, char *out, size_t size)
{
    size_t at = (size_t)snprintf(out, size, "one of ");
    for (int i = 0; i < contract_count(r->kind) && at < size; i++)
        at +=
            (size_t)snprintf(out + at, size - at, "%s%s", i ? ", " : "", contract_wire(r->kind, i));
}

/* What the rule wants, in words. */
static const char *expectation(const struct rule *r, char *out, size_t size)
{
    if (r->expected)
        return r->expected;
    switch (r->type) {
    case RULE_COUNT:
        if (r->max == INT64_MAX)
            snprintf(out, size, "a whole number of at least %lld", (long long)r->min);
        else
            snprintf(out, size, "a whole number from %lld to %lld", (long long)r->min,
                     (long long)r->max);
        break;
    case RULE_ENUM:
    case RULE_ENUMS:
        list_values(r, out, size);
        break;
    case RULE_ROWS:
        if (r->max > 0)
            snprintf(out, size, "a list of %lld to %lld objects", (long long)r->min,
                     (long long)r->max);
        else
            snprintf(out, size, "a list of objects");
        break;
    default:
        if (r->max > 0)
            snprintf(out, size, "a text of %lld to %lld characters", (long long)r->min,
                     (long long)r->max);
        else
            snprintf(out, size, "a text");
        break;
    }
    return out;
}

static void complain(struct check *c, const struct rule *r, const char *path, const char *problem)
{
    char words[201];
    problem_add(c->problems, path, problem, expectation(r, words, sizeof words));
}

static bool has_zero_byte(const json_t *string)
{
    return strlen(json_string_value(string)) != json_string_length(string);
}

static void check_text(struct check *c, const struct rule *r, const json_t *value, const char *path)
{
    if (!json_is_string(value)) {
        complain(c, r, path, "is not a text");
        return;
    }
    const char *s = json_string_value(value);
    size_t count = str_code_points(s);
    if (has_zero_byte(value))
        complain(c, r, path, "holds a zero byte");
    else if ((int64_t)count < r->min)
        complain(c, r, path, "is empty");
    else if (r->max > 0 && (int64_t)count > r->max)
        complain(c, r, path, "is too long");
    else if (r->fits && !r->fits(s))
        complain(c, r, path, "is not well formed");
}

/* A number keeps the form in which it was written, so that no paisa is lost in a double. */
static bool rupees_in_number(const char *text, size_t len, const char *name, char out[32])
{
    const char *const path[] = {name, NULL};
    struct jsonscan_span span;
    if (jsonscan_find(text, len, path, &span) != ERR_OK || span.len >= 32)
        return false;
    memcpy(out, text + span.start, span.len);
    out[span.len] = '\0';
    return true;
}

static bool rupees_text(const json_t *value, const char *text, size_t len, const char *name,
                        char out[32])
{
    if (json_is_number(value))
        return rupees_in_number(text, len, name, out);
    return json_is_string(value) && !has_zero_byte(value) &&
           str_copy(out, 32, json_string_value(value));
}

bool rules_amount(const json_t *input, const char *text, size_t len, const char *name,
                  int64_t *minor)
{
    char amount[32];
    return rupees_text(json_object_get(input, name), text, len, name, amount) &&
           money_parse(amount, minor) == ERR_OK;
}

static void check_rupees(struct check *c, const struct rule *r, const json_t *value,
                         const char *path)
{
    char amount[32];
    int64_t minor;
    if (!json_is_string(value) && !json_is_number(value))
        complain(c, r, path, "is not an amount");
    else if (!rupees_text(value, c->text, c->len, r->name, amount))
        complain(c, r, path, "is too long");
    else if (!pattern_is_rupees(amount) && money_parse(amount, &minor) != ERR_OK)
        complain(c, r, path, "is not an amount in rupees");
}

/* "1" to "9999" as text, where the service takes that. */
static int64_t count_of(const struct rule *r, const json_t *value)
{
    if (json_is_integer(value))
        return json_integer_value(value);
    const char *s = json_string_value(value);
    if (!r->digits_as_text || !s || has_zero_byte(value) || s[0] == '\0' ||
        strspn(s, "0123456789") != strlen(s) || strlen(s) > 4)
        return -1;
    int64_t n = 0;
    for (; *s; s++)
        n = n * 10 + (*s - '0');
    return n;
}

static void check_count(struct check *c, const struct rule *r, const json_t *value,
                        const char *path)
{
    bool readable = json_is_integer(value) || (r->digits_as_text && json_is_string(value));
    int64_t n = readable ? count_of(r, value) : 0;
    if (!readable)
        complain(c, r, path, "is not a whole number");
    else if (n < r->min || n > r->max)
        complain(c, r, path, "is out of range");
}

static int enum_value(const struct rule *r, const json_t *value)
{
    if (!json_is_string(value) || has_zero_byte(value))
        return CONTRACT_UNRECOGNISED;
    return contract_find(r->kind, json_string_value(value));
}

static void check_enum(struct check *c, const struct rule *r, const json_t *value, const char *path)
{
    if (enum_value(r, value) < 0)
        complain(c, r, path, "is not one of the values");
}

static void check_enums(struct check *c, const struct rule *r, const json_t *value,
                        const char *path)
{
    unsigned seen = 0;
    if (!json_is_array(value)) {
        check_enum(c, r, value, path);
        return;
    }
    for (size_t i = 0; i < json_array_size(value); i++) {
        char inner[129];
        snprintf(inner, sizeof inner, "%.100s/%zu", path, i);
        int n = enum_value(r, json_array_get(value, i));
        if (n < 0)
            complain(c, r, inner, "is not one of the values");
        else if (seen & 1u << n)
            complain(c, r, inner, "is there twice");
        if (n >= 0)
            seen |= 1u << n;
    }
}

static void check_object(struct check *c, const struct rule *rules, const json_t *object,
                         const char *path);

static void check_rows(struct check *c, const struct rule *r, const json_t *value, const char *path)
{
    size_t count = json_array_size(value);
    if (!json_is_array(value)) {
        complain(c, r, path, "is not a list");
        return;
    }
    if ((int64_t)count < r->min || (r->max > 0 && (int64_t)count > r->max))
        complain(c, r, path, count == 0 ? "is empty" : "has too many entries");
    for (size_t i = 0; i < count; i++) {
        char inner[129];
        snprintf(inner, sizeof inner, "%.100s/%zu", path, i);
        if (json_is_object(json_array_get(value, i)))
            check_object(c, r->fields, json_array_get(value, i), inner);
        else
            problem_add(c->problems, inner, "is not an object", "an object");
    }
}

static void check_value(struct check *c, const struct rule *r, const json_t *value,
                        const char *path)
{
    switch (r->type) {
    case RULE_TEXT:
        check_text(c, r, value, path);
        break;
    case RULE_RUPEES:
        check_rupees(c, r, value, path);
        break;
    case RULE_COUNT:
        check_count(c, r, value, path);
        break;
    case RULE_ENUM:
        check_enum(c, r, value, path);
        break;
    case RULE_ENUMS:
        check_enums(c, r, value, path);
        break;
    case RULE_ROWS:
        check_rows(c, r, value, path);
        break;
    }
}

static bool is_declared(const struct rule *rules, const char *name)
{
    for (const struct rule *r = rules; r->name; r++) {
        if (strcmp(r->name, name) == 0)
            return true;
    }
    return false;
}

/* A JSON pointer to a name that somebody else chose: escaped, visible, cut. */
static void pointer_to(char out[129], const char *path, const char *name)
{
    char shown[80];
    size_t at = (size_t)snprintf(out, 129, "%.100s/", path);
    str_visible_copy(shown, sizeof shown, name);
    for (const char *s = shown; *s && at < 125; s++) {
        bool special = *s == '~' || *s == '/';
        if (special)
            out[at++] = '~';
        out[at++] = (char)(!special ? *s : *s == '~' ? '0' : '1');
    }
    out[at] = '\0';
}

static void check_object(struct check *c, const struct rule *rules, const json_t *object,
                         const char *path)
{
    char inner[129];
    for (const struct rule *r = rules; r->name; r++) {
        const json_t *value = json_object_get(object, r->name);
        snprintf(inner, sizeof inner, "%.100s/%s", path, r->name);
        if (value)
            check_value(c, r, value, inner);
        else if (r->required)
            complain(c, r, inner, "is missing");
    }
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)object, name, value)
    {
        if (is_declared(rules, name))
            continue;
        pointer_to(inner, path, name);
        problem_add(c->problems, inner, "is not a field of this tool", "no such field");
    }
}

enum err contract_check_input(enum contract_tool tool, const char *json, size_t len,
                              struct contract_problems *problems)
{
    char why[JSON_WHY_MAX];
    struct json_doc doc;
    *problems = (struct contract_problems){.count = 0};
    if ((unsigned)tool >= CONTRACT_TOOL_COUNT)
        return ERR_BUG;
    enum err e = json_open(json, len, CONTRACT_BODY_MAX, &doc, why);
    if (e == ERR_MEMORY)
        return e;
    if (e != ERR_OK || !json_is_object(doc.root)) {
        problem_add(problems, "", e == ERR_OK ? "is not an object" : why,
                    "one JSON object of at most 64 KB");
        json_close(&doc);
        return ERR_USER;
    }
    struct check c = {.text = json, .len = len, .problems = problems};
    check_object(&c, schema_rules(tool), doc.root, "");
    rules_check(tool, doc.root, json, len, problems);
    json_close(&doc);
    return problems->count == 0 ? ERR_OK : ERR_USER;
}
