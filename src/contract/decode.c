/* SPDX-License-Identifier: Apache-2.0 */
/* Typed fields out of a JSON tree. Must not know which tool was called. Invariants: text meant for
 * people leaves here visible and bounded, everything else as exact bytes of a checked form; after
 * the first failure nothing more is read or allocated. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "contract/decode.h"
#include "contract/pattern.h"
#include "core/alloc.h"
#include "core/buf.h"
#include "core/money.h"
#include "core/str.h"

#define ELLIPSIS     "\xE2\x80\xA6"
#define VISIBLE_GROW 10 /* a byte becomes at most this many ("<U+10FFFF>") */

void decode_fail(struct decode *d, const char *key, enum err e, const char *problem)
{
    if (d->err != ERR_OK)
        return;
    d->err = e;
    bool joined = d->path_len > 0 && key[0] != '\0';
    snprintf(d->why, sizeof d->why, "%s%s%.40s %.57s", d->path, joined ? "." : "", key, problem);
}

static size_t append_path(struct decode *d, const char *text)
{
    size_t mark = d->path_len;
    size_t n = strlen(text);
    if (n < sizeof d->path - d->path_len) {
        memcpy(d->path + d->path_len, text, n + 1);
        d->path_len += n;
    }
    return mark;
}

size_t decode_enter(struct decode *d, const char *key)
{
    size_t mark = d->path_len;
    if (mark > 0)
        append_path(d, ".");
    append_path(d, key);
    return mark;
}

size_t decode_enter_index(struct decode *d, const char *key, size_t index)
{
    char part[24];
    size_t mark = decode_enter(d, key);
    snprintf(part, sizeof part, "[%zu]", index);
    append_path(d, part);
    return mark;
}

void decode_leave(struct decode *d, size_t mark)
{
    d->path_len = mark;
    d->path[mark] = '\0';
}

bool decode_has_key(const json_t *parent, const char *key)
{
    return json_object_get(parent, key) != NULL;
}

/* The value, or NULL for absent, null and after a failure. */
static const json_t *value_of(const struct decode *d, const json_t *parent, const char *key)
{
    const json_t *value = d->err == ERR_OK ? json_object_get(parent, key) : NULL;
    return json_is_null(value) ? NULL : value;
}

bool decode_has(const json_t *parent, const char *key)
{
    const json_t *value = json_object_get(parent, key);
    return value && !json_is_null(value);
}

static const json_t *typed(struct decode *d, const json_t *parent, const char *key, json_type type,
                           const char *problem)
{
    const json_t *value = value_of(d, parent, key);
    if (value && json_typeof(value) != type) {
        decode_fail(d, key, ERR_FORMAT, problem);
        return NULL;
    }
    return value;
}

const json_t *decode_object(struct decode *d, const json_t *parent, const char *key)
{
    return typed(d, parent, key, JSON_OBJECT, "is not an object");
}

const json_t *decode_array(struct decode *d, const json_t *parent, const char *key, size_t max)
{
    const json_t *array = typed(d, parent, key, JSON_ARRAY, "is not a list");
    if (array && json_array_size(array) > max) {
        decode_fail(d, key, ERR_LIMIT, "has too many entries");
        return NULL;
    }
    return array;
}

const json_t *decode_element(struct decode *d, const json_t *array, const char *key, size_t index)
{
    const json_t *element = json_array_get(array, index);
    if (d->err != ERR_OK)
        return NULL;
    if (!json_is_object(element)) {
        decode_fail(d, key, ERR_FORMAT, "has an entry that is not an object");
        return NULL;
    }
    return element;
}

static const json_t *string_of(struct decode *d, const json_t *parent, const char *key)
{
    return typed(d, parent, key, JSON_STRING, "is not text");
}

/* Largest n <= max at which s can be cut between code points. */
static size_t cut_at(const char *s, size_t len, size_t max)
{
    size_t n = len < max ? len : max;
    while (n > 0 && n < len && ((unsigned char)s[n] & 0xC0) == 0x80)
        n--;
    return n;
}

/* Visible text of at most max bytes in *out; what was cut off is told by a closing ellipsis. A text
 * that fits passes unchanged when it is visible already, so decoding is idempotent. */
static enum err visible_bounded(struct buf *out, const char *s, size_t len, size_t max)
{
    size_t take = cut_at(s, len, max);
    enum err e = str_visible(out, s, take, false);
    if (e != ERR_OK || (take == len && out->len <= max))
        return e;
    size_t room = max - strlen(ELLIPSIS);
    out->len = cut_at(buf_view(out), out->len, room);
    return buf_append_str(out, ELLIPSIS);
}

char *decode_string_text(struct decode *d, const json_t *string)
{
    struct buf b;
    buf_init(&b, DECODE_TEXT_MAX * VISIBLE_GROW);
    enum err e =
        visible_bounded(&b, json_string_value(string), json_string_length(string), DECODE_TEXT_MAX);
    char *text = e != ERR_OK ? NULL : b.len == 0 ? alloc_text("") : buf_take(&b);
    buf_fini(&b);
    if (!text)
        decode_fail(d, "", ERR_MEMORY, "does not fit in memory");
    return text;
}

char *decode_text(struct decode *d, const json_t *parent, const char *key)
{
    const json_t *string = string_of(d, parent, key);
    return string ? decode_string_text(d, string) : NULL;
}

char *decode_text_due(struct decode *d, const json_t *parent, const char *key)
{
    char *text = decode_text(d, parent, key);
    if (text || d->err != ERR_OK)
        return text;
    text = alloc_text("");
    if (!text)
        decode_fail(d, key, ERR_MEMORY, "does not fit in memory");
    return text;
}

static void string_into(struct decode *d, const json_t *string, char *out, size_t size)
{
    struct buf b;
    buf_init(&b, size * VISIBLE_GROW);
    enum err e =
        visible_bounded(&b, json_string_value(string), json_string_length(string), size - 1);
    if (e == ERR_OK)
        memcpy(out, buf_view(&b), b.len + 1);
    else
        decode_fail(d, "", e, "does not fit in memory");
    buf_fini(&b);
}

void decode_text_into(struct decode *d, const json_t *parent, const char *key, char *out,
                      size_t size)
{
    const json_t *string = string_of(d, parent, key);
    out[0] = '\0';
    if (string)
        string_into(d, string, out, size);
}

char *decode_exact(struct decode *d, const json_t *parent, const char *key, size_t max)
{
    const json_t *string = string_of(d, parent, key);
    if (!string)
        return NULL;
    const char *s = json_string_value(string);
    size_t len = json_string_length(string);
    if (len == 0 || len > max || memchr(s, '\0', len)) {
        decode_fail(d, key, ERR_FORMAT, "is empty, too long or holds a zero byte");
        return NULL;
    }
    char *copy = alloc_text_n(s, len);
    if (!copy)
        decode_fail(d, key, ERR_MEMORY, "does not fit in memory");
    return copy;
}

void decode_id(struct decode *d, const json_t *parent, const char *key, char *out, size_t size,
               decode_is_fn *is, bool required)
{
    const json_t *string = string_of(d, parent, key);
    out[0] = '\0';
    if (!string) {
        if (required)
            decode_fail(d, key, ERR_FORMAT, "is missing");
        return;
    }
    const char *s = json_string_value(string);
    size_t len = json_string_length(string);
    if (len >= size || strlen(s) != len || !is(s)) {
        decode_fail(d, key, ERR_FORMAT, "is not well formed");
        return;
    }
    memcpy(out, s, len + 1);
}

char *decode_url(struct decode *d, const json_t *parent, const char *key)
{
    const json_t *string = string_of(d, parent, key);
    if (!string)
        return NULL;
    const char *s = json_string_value(string);
    size_t len = json_string_length(string);
    if (len > DECODE_URL_MAX || !pattern_is_https(s, len))
        return NULL;
    char *copy = alloc_text_n(s, len);
    if (!copy)
        decode_fail(d, key, ERR_MEMORY, "does not fit in memory");
    return copy;
}

bool decode_bool(struct decode *d, const json_t *parent, const char *key, bool absent)
{
    const json_t *value = value_of(d, parent, key);
    if (!value)
        return absent;
    if (!json_is_boolean(value))
        decode_fail(d, key, ERR_FORMAT, "is not true or false");
    return json_is_true(value);
}

bool decode_bool_required(struct decode *d, const json_t *parent, const char *key)
{
    if (!decode_has(parent, key))
        decode_fail(d, key, ERR_FORMAT, "is missing");
    return decode_bool(d, parent, key, false);
}

int64_t decode_count(struct decode *d, const json_t *parent, const char *key, int64_t absent)
{
    const json_t *value = value_of(d, parent, key);
    if (!value)
        return absent;
    if (!json_is_integer(value) || json_integer_value(value) < 0) {
        decode_fail(d, key, ERR_FORMAT, "is not a whole number of at least 0");
        return absent;
    }
    return (int64_t)json_integer_value(value);
}

int64_t decode_time(const json_t *parent, const char *key)
{
    const json_t *value = json_object_get(parent, key);
    int64_t ms;
    if (!json_is_string(value) || strlen(json_string_value(value)) != json_string_length(value) ||
        clock_parse(json_string_value(value), &ms) != ERR_OK)
        return CLOCK_NONE;
    return ms;
}

struct contract_enum decode_enum(struct decode *d, const json_t *parent, const char *key,
                                 enum contract_kind kind)
{
    struct contract_enum e = {.value = CONTRACT_ABSENT};
    const json_t *string = string_of(d, parent, key);
    if (!string)
        return e;
    const char *s = json_string_value(string);
    bool plain = strlen(s) == json_string_length(string);
    e.value = plain ? contract_find(kind, s) : CONTRACT_UNRECOGNISED;
    if (e.value == CONTRACT_UNRECOGNISED)
        string_into(d, string, e.raw, sizeof e.raw);
    return e;
}

struct contract_enum decode_enum_required(struct decode *d, const json_t *parent, const char *key,
                                          enum contract_kind kind)
{
    if (!decode_has(parent, key))
        decode_fail(d, key, ERR_FORMAT, "is missing");
    return decode_enum(d, parent, key, kind);
}

/* Only rupees are known amounts: paise of another currency would be shown as rupees. */
static bool is_rupees(struct decode *d, const json_t *amount)
{
    const json_t *currency = string_of(d, amount, "currency");
    return currency && strcmp(json_string_value(currency), "INR") == 0;
}

struct contract_amount decode_amount_value(struct decode *d, const json_t *amount)
{
    struct contract_amount a = {0};
    int64_t minor = decode_count(d, amount, "minor", -1);
    const json_t *display = string_of(d, amount, "display");
    if (d->err != ERR_OK || minor < 0 || !is_rupees(d, amount))
        return a;
    char own[MONEY_TEXT_MAX];
    money_format(own, minor, false);
    bool given = display && json_string_length(display) > 0;
    a.display = given ? decode_string_text(d, display) : alloc_text(own);
    if (!a.display) {
        decode_fail(d, "", ERR_MEMORY, "does not fit in memory");
        return a;
    }
    a.known = true;
    a.minor = minor;
    a.disagrees = !money_display_agrees(a.display, minor);
    return a;
}

struct contract_amount decode_amount(struct decode *d, const json_t *parent, const char *key)
{
    struct contract_amount a = {0};
    const json_t *amount = decode_object(d, parent, key);
    if (!amount)
        return a;
    size_t mark = decode_enter(d, key);
    a = decode_amount_value(d, amount);
    decode_leave(d, mark);
    return a;
}

struct contract_agent decode_agent(struct decode *d, const json_t *agent)
{
    return (struct contract_agent){
        .agent_id = decode_text_due(d, agent, "agent_id"),
        .display_name = decode_text_due(d, agent, "display_name"),
        .verification = decode_enum(d, agent, "verification", CONTRACT_KIND_VERIFICATION),
    };
}

void *decode_rows(struct decode *d, size_t count, size_t size)
{
    if (count == 0 || d->err != ERR_OK)
        return NULL;
    void *rows = alloc_zero(count, size);
    if (!rows)
        decode_fail(d, "", ERR_MEMORY, "does not fit in memory");
    return rows;
}
