/* SPDX-License-Identifier: Apache-2.0 */
/* Making text from outside safe to draw, the second half of core/str.h. Must not know where the
 * text goes. Invariants: the output holds no control byte (but a kept line feed), no invalid UTF-8,
 * no character that is invisible or changes the order of others, and no cluster longer than
 * CLUSTER_MAX code points, so that a screen cell can always hold what it is given. */
#include <stdio.h>
#include <string.h>
#include <utf8proc.h>
#include "core/alloc.h"
#include "core/str.h"

#define CLUSTER_MAX  16
#define MARK_MAX     16
#define TEXT_LIMIT   ((size_t)1 << 20)
#define ZWNJ         0x200C
#define ZWJ          0x200D
#define LABEL_MAX    63 /* code points; a longer host label is shown as text, not as punycode */
#define HOST_WARNING "(!)"

/* A walk over the text, one code point a step. */
struct visible {
    const char *s;
    size_t len;
    size_t pos;
    bool keep_newlines;
    int32_t prev;           /* the last code point that was kept; -1 at the start or after a mark */
    utf8proc_int32_t state; /* of the grapheme machine */
    int cluster;            /* code points in the cluster so far */
};

static bool is_pictographic(int32_t cp)
{
    return cp >= 0 &&
           utf8proc_get_property(cp)->boundclass == UTF8PROC_BOUNDCLASS_EXTENDED_PICTOGRAPHIC;
}

static bool is_emoji_part(int32_t cp)
{
    return is_pictographic(cp) || cp == 0xFE0F || cp == 0x20E3 || (cp >= 0x1F3FB && cp <= 0x1F3FF);
}

static bool is_virama(int32_t cp)
{
    return cp >= 0 && utf8proc_get_property(cp)->combining_class == 9;
}

/* Characters that take no room or that reorder others, beyond what the category tells. */
static bool is_invisible(int32_t cp)
{
    static const struct {
        int32_t first, last;
    } ranges[] = {
        {0x034F, 0x034F}, {0x115F, 0x1160}, {0x17B4, 0x17B5},   {0x180B, 0x180F},
        {0x2065, 0x2065}, {0x2800, 0x2800}, {0x3164, 0x3164},   {0xFE00, 0xFE0F},
        {0xFFA0, 0xFFA0}, {0xFFF0, 0xFFFB}, {0xE0000, 0xE0FFF},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        if (cp >= ranges[i].first && cp <= ranges[i].last)
            return true;
    }
    return false;
}

/* Joiners and emoji selectors are kept only where they have a visible effect. */
static bool is_joiner_in_place(const struct visible *v, int32_t cp, int32_t next)
{
    if (cp == ZWJ && is_emoji_part(v->prev) && is_pictographic(next))
        return true;
    if ((cp == ZWJ || cp == ZWNJ) && is_virama(v->prev))
        return next >= 0 && utf8proc_category(next) == UTF8PROC_CATEGORY_LO;
    if (cp == 0xFE0E || cp == 0xFE0F)
        return is_pictographic(v->prev) || (v->prev >= '0' && v->prev <= '9') || v->prev == '#' ||
               v->prev == '*';
    return false;
}

static bool is_mark_category(utf8proc_category_t cat)
{
    return cat == UTF8PROC_CATEGORY_MN || cat == UTF8PROC_CATEGORY_MC ||
           cat == UTF8PROC_CATEGORY_ME;
}

static bool must_mark(const struct visible *v, int32_t cp, int32_t next)
{
    if (cp == '\n')
        return !v->keep_newlines;
    if (is_joiner_in_place(v, cp, next))
        return false;
    utf8proc_category_t cat = utf8proc_category(cp);
    switch (cat) {
    case UTF8PROC_CATEGORY_CC:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_CN:
    case UTF8PROC_CATEGORY_CO:
    case UTF8PROC_CATEGORY_CS:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP:
        return true;
    default:
        break;
    }
    /* A combining mark without a base would attach itself to whatever is drawn before the text. */
    if (is_mark_category(cat) && (v->prev < 0 || v->prev == '\n'))
        return true;
    return is_invisible(cp);
}

/* One step. out gets the bytes to show (the character or its mark), *changed tells which. */
static size_t visible_step(struct visible *v, char out[MARK_MAX], bool *changed)
{
    int32_t cp;
    int32_t next = -1;
    size_t used = str_decode(v->s + v->pos, v->len - v->pos, &cp);
    if (v->pos + used < v->len)
        str_decode(v->s + v->pos + used, v->len - v->pos - used, &next);
    *changed = cp < 0 || must_mark(v, cp, next);
    if (!*changed) {
        bool fresh = v->prev < 0 || utf8proc_grapheme_break_stateful(v->prev, cp, &v->state);
        v->cluster = fresh ? 1 : v->cluster + 1;
        *changed = v->cluster > CLUSTER_MAX;
    }
    const char *at = v->s + v->pos;
    v->pos += used;
    if (!*changed) {
        v->prev = cp;
        memcpy(out, at, used);
        return used;
    }
    v->prev = -1;
    v->state = 0;
    int n = cp < 0 || cp < 0x80 ? snprintf(out, MARK_MAX, "<%02X>", (unsigned)(unsigned char)*at)
                                : snprintf(out, MARK_MAX, "<U+%04X>", (unsigned)cp);
    return (size_t)n;
}

enum err str_visible(struct buf *out, const char *s, size_t len, bool keep_newlines)
{
    struct visible v = {.s = s, .len = len, .keep_newlines = keep_newlines, .prev = -1};
    size_t before = out->len;
    while (v.pos < len) {
        char piece[MARK_MAX];
        bool changed;
        size_t n = visible_step(&v, piece, &changed);
        enum err e = buf_append(out, piece, n);
        if (e != ERR_OK) {
            out->len = before;
            if (out->data)
                out->data[before] = '\0';
            return e;
        }
    }
    return ERR_OK;
}

char *str_visible_text(const char *s)
{
    if (!s)
        return NULL;
    struct buf out;
    buf_init(&out, TEXT_LIMIT);
    if (str_visible(&out, s, strlen(s), false) != ERR_OK) {
        buf_fini(&out);
        return NULL;
    }
    char *text = buf_take(&out);
    return text ? text : alloc_text("");
}

bool str_visible_copy(char *out, size_t size, const char *s)
{
    struct visible v = {.s = s, .len = strlen(s), .prev = -1};
    size_t at = 0;
    if (size == 0)
        return false;
    while (v.pos < v.len) {
        char piece[MARK_MAX];
        bool changed;
        size_t n = visible_step(&v, piece, &changed);
        if (n >= size - at)
            break;
        memcpy(out + at, piece, n);
        at += n;
        if (v.pos == v.len) {
            out[at] = '\0';
            return true;
        }
    }
    out[at] = '\0';
    return v.len == 0;
}

bool str_has_hidden(const char *s, size_t len)
{
    struct visible v = {.s = s, .len = len, .keep_newlines = true, .prev = -1};
    while (v.pos < len) {
        char piece[MARK_MAX];
        bool changed;
        visible_step(&v, piece, &changed);
        if (changed)
            return true;
    }
    return false;
}

/* RFC 3492, section 6.1. */
static uint32_t punycode_adapt(uint32_t delta, uint32_t points, bool first)
{
    uint32_t k = 0;
    delta = first ? delta / 700 : delta / 2;
    delta += delta / points;
    for (; delta > ((36 - 1) * 26) / 2; k += 36)
        delta /= 36 - 1;
    return k + 36 * delta / (delta + 38);
}

static size_t punycode_number(char *out, uint32_t q, uint32_t bias)
{
    static const char digits[] = "abcdefghijklmnopqrstuvwxyz0123456789";
    size_t at = 0;
    for (uint32_t k = 36;; k += 36) {
        uint32_t t = k <= bias ? 1 : k >= bias + 26 ? 26 : k - bias;
        if (q < t)
            break;
        out[at++] = digits[t + (q - t) % (36 - t)];
        q = (q - t) / (36 - t);
    }
    out[at++] = digits[q];
    return at;
}

/* RFC 3492, section 6.3; count is at most LABEL_MAX, so no value can overflow 32 bits. */
static enum err punycode_label(struct buf *out, const int32_t *cps, size_t count)
{
    enum err e = buf_append_str(out, "xn--");
    uint32_t done = 0;
    for (size_t i = 0; i < count && e == ERR_OK; i++) {
        if (cps[i] < 0x80) {
            e = buf_append_char(out, (char)cps[i]);
            done++;
        }
    }
    uint32_t basic = done;
    if (basic > 0 && e == ERR_OK)
        e = buf_append_char(out, '-');
    uint32_t delta = 0;
    uint32_t bias = 72;
    for (int32_t n = 0x80; done < count && e == ERR_OK; n++, delta++) {
        int32_t least = 0x10FFFF;
        for (size_t i = 0; i < count; i++)
            least = cps[i] >= n && cps[i] < least ? cps[i] : least;
        delta += (uint32_t)(least - n) * (done + 1);
        n = least;
        for (size_t i = 0; i < count && e == ERR_OK; i++) {
            delta += cps[i] < n;
            if (cps[i] != n)
                continue;
            char number[16];
            size_t len = punycode_number(number, delta, bias);
            e = buf_append(out, number, len);
            bias = punycode_adapt(delta, done + 1, done == basic);
            delta = 0;
            done++;
        }
    }
    return e;
}

/* Code points of a label in lower case; 0 when it is not valid UTF-8 or too long. */
static size_t label_code_points(const char *s, size_t len, int32_t cps[LABEL_MAX])
{
    size_t count = 0;
    for (size_t at = 0; at < len;) {
        int32_t cp;
        at += str_decode(s + at, len - at, &cp);
        if (cp < 0 || count == LABEL_MAX)
            return 0;
        cps[count++] = utf8proc_tolower(cp);
    }
    return count;
}

static bool is_plain_host_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (c != '\0' && strchr("-_:[]", c));
}

static enum err host_label(struct buf *out, const char *s, size_t len, bool *odd)
{
    bool ascii = true;
    bool plain = true;
    for (size_t i = 0; i < len; i++) {
        ascii = ascii && (unsigned char)s[i] < 0x80;
        plain = plain && is_plain_host_char(s[i]);
    }
    /* A label that is punycode already hides letters just as well. */
    if (plain && !(len >= 4 && strncasecmp(s, "xn--", 4) == 0))
        return buf_append(out, s, len);
    *odd = true;
    enum err e = buf_append_str(out, HOST_WARNING);
    if (e != ERR_OK)
        return e;
    int32_t cps[LABEL_MAX];
    size_t count = ascii ? 0 : label_code_points(s, len, cps);
    return count > 0 ? punycode_label(out, cps, count) : str_visible(out, s, len, false);
}

enum err str_host_visible(struct buf *out, const char *host, bool *suspicious)
{
    bool odd = false;
    enum err e = ERR_OK;
    for (const char *at = host; e == ERR_OK;) {
        size_t len = strcspn(at, ".");
        e = host_label(out, at, len, &odd);
        at += len;
        if (e != ERR_OK || *at == '\0')
            break;
        e = buf_append_char(out, *at++);
    }
    if (e == ERR_OK)
        *suspicious = odd;
    return e;
}
