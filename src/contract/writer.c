/* SPDX-License-Identifier: Apache-2.0 */
/* Compact JSON into a bounded buffer. Must not know tools or fields. Invariants: what was written
 * is valid JSON up to the open brackets; text is valid UTF-8 or refused; 64-bit numbers stay exact.
 */
#include <inttypes.h>
#include <string.h>
#include "contract/input.h"
#include "contract/writer.h"
#include "core/clock.h"
#include "core/str.h"

static enum err escaped(struct buf *out, unsigned char c)
{
    switch (c) {
    case '"':
        return buf_append_str(out, "\\\"");
    case '\\':
        return buf_append_str(out, "\\\\");
    case '\n':
        return buf_append_str(out, "\\n");
    case '\t':
        return buf_append_str(out, "\\t");
    default:
        return buf_printf(out, "\\u%04x", c);
    }
}

static bool must_escape(unsigned char c)
{
    return c < 0x20 || c == '"' || c == '\\' || c == 0x7F;
}

enum err contract_json_string(struct buf *out, const char *s)
{
    size_t len = strlen(s);
    if (!str_is_utf8(s, len))
        return ERR_FORMAT;
    enum err e = buf_append_char(out, '"');
    for (size_t at = 0; at < len && e == ERR_OK;) {
        size_t plain = 0;
        while (at + plain < len && !must_escape((unsigned char)s[at + plain]))
            plain++;
        if (plain > 0)
            e = buf_append(out, s + at, plain);
        else
            e = escaped(out, (unsigned char)s[at]);
        at += plain > 0 ? plain : 1;
    }
    return e == ERR_OK ? buf_append_char(out, '"') : e;
}

static void put(struct writer *w, enum err e)
{
    if (w->err == ERR_OK)
        w->err = e;
}

/* Comma and name before a value. */
static bool lead(struct writer *w, const char *key)
{
    if (w->err == ERR_OK && w->out->len > 0 && !strchr("{[:", w->out->data[w->out->len - 1]))
        put(w, buf_append_char(w->out, ','));
    if (w->err == ERR_OK && key)
        put(w, contract_json_string(w->out, key));
    if (w->err == ERR_OK && key)
        put(w, buf_append_char(w->out, ':'));
    return w->err == ERR_OK;
}

void writer_open(struct writer *w, const char *key, char bracket)
{
    if (lead(w, key))
        put(w, buf_append_char(w->out, bracket));
}

void writer_close(struct writer *w, char bracket)
{
    if (w->err == ERR_OK)
        put(w, buf_append_char(w->out, bracket));
}

void writer_raw(struct writer *w, const char *key, const char *json)
{
    if (lead(w, key))
        put(w, buf_append_str(w->out, json));
}

void writer_null(struct writer *w, const char *key)
{
    writer_raw(w, key, "null");
}

void writer_bool(struct writer *w, const char *key, bool value)
{
    writer_raw(w, key, value ? "true" : "false");
}

void writer_int(struct writer *w, const char *key, int64_t value)
{
    if (lead(w, key))
        put(w, buf_printf(w->out, "%" PRId64, value));
}

void writer_text(struct writer *w, const char *key, const char *s)
{
    if (!s)
        writer_null(w, key);
    else if (lead(w, key))
        put(w, contract_json_string(w->out, s));
}

void writer_text_optional(struct writer *w, const char *key, const char *s)
{
    if (s)
        writer_text(w, key, s);
}

void writer_id(struct writer *w, const char *key, const char *id)
{
    writer_text(w, key, id[0] ? id : NULL);
}

void writer_count(struct writer *w, const char *key, int64_t value)
{
    if (value < 0)
        writer_null(w, key);
    else
        writer_int(w, key, value);
}

void writer_time(struct writer *w, const char *key, int64_t ms)
{
    char text[CLOCK_TEXT_MAX];
    if (ms != CLOCK_NONE)
        clock_rfc3339(text, ms);
    writer_text(w, key, ms == CLOCK_NONE ? NULL : text);
}

void writer_enum(struct writer *w, const char *key, enum contract_kind kind,
                 const struct contract_enum *e)
{
    if (e->value == CONTRACT_ABSENT)
        writer_null(w, key);
    else
        writer_text(w, key, e->value >= 0 ? contract_wire(kind, e->value) : e->raw);
}

void writer_amount(struct writer *w, const char *key, const struct contract_amount *a)
{
    if (!a->known) {
        writer_null(w, key);
        return;
    }
    writer_open(w, key, '{');
    writer_int(w, "minor", a->minor);
    writer_text(w, "currency", "INR");
    writer_text(w, "display", a->display);
    writer_close(w, '}');
}
