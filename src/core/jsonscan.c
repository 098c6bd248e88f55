/* SPDX-License-Identifier: Apache-2.0 */
/* A scanner over JSON text that finds values by path. Must not keep or copy what it reads.
 * Invariants: no heap, no recursion deeper than SCAN_DEPTH, the whole text is checked against the
 * grammar of RFC 8259, and a span that is reported lies inside the text. */
#include <string.h>
#include "core/jsonscan.h"
#include "core/str.h"

#define SCAN_DEPTH 64

struct scan {
    const char *text;
    size_t len;
    size_t pos;
    int depth;
    jsonscan_fn *fn; /* NULL: remember the last match instead */
    void *ctx;
    bool found;
    struct jsonscan_span last;
};

static enum err scan_value(struct scan *sc, const char *const *path);

static char peek(const struct scan *sc)
{
    return sc->pos < sc->len ? sc->text[sc->pos] : '\0';
}

static void skip_blanks(struct scan *sc)
{
    while (sc->pos < sc->len && memchr(" \t\r\n", sc->text[sc->pos], 4))
        sc->pos++;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static int hex_value(char c)
{
    if (is_digit(c))
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Four hexadecimal digits at s; -1 when they are not there. */
static int32_t hex_unit(const char *s, size_t len)
{
    int32_t unit = 0;
    if (len < 4)
        return -1;
    for (size_t i = 0; i < 4; i++) {
        int digit = hex_value(s[i]);
        if (digit < 0)
            return -1;
        unit = unit << 4 | digit;
    }
    return unit;
}

static enum err scan_string(struct scan *sc)
{
    if (peek(sc) != '"')
        return ERR_FORMAT;
    for (sc->pos++; sc->pos < sc->len; sc->pos++) {
        unsigned char c = (unsigned char)sc->text[sc->pos];
        if (c == '"') {
            sc->pos++;
            return ERR_OK;
        }
        if (c < 0x20)
            return ERR_FORMAT;
        if (c != '\\')
            continue;
        char kind = ++sc->pos < sc->len ? sc->text[sc->pos] : '\0';
        if (kind == 'u') {
            if (hex_unit(sc->text + sc->pos + 1, sc->len - sc->pos - 1) < 0)
                return ERR_FORMAT;
            sc->pos += 4;
        } else if (!memchr("\"\\/bfnrt", kind, 8)) {
            return ERR_FORMAT;
        }
    }
    return ERR_FORMAT;
}

static bool scan_digits(struct scan *sc)
{
    size_t from = sc->pos;
    while (is_digit(peek(sc)))
        sc->pos++;
    return sc->pos > from;
}

static enum err scan_number(struct scan *sc)
{
    if (peek(sc) == '-')
        sc->pos++;
    if (peek(sc) == '0')
        sc->pos++;
    else if (!scan_digits(sc))
        return ERR_FORMAT;
    if (peek(sc) == '.') {
        sc->pos++;
        if (!scan_digits(sc))
            return ERR_FORMAT;
    }
    if (peek(sc) == 'e' || peek(sc) == 'E') {
        sc->pos++;
        if (peek(sc) == '+' || peek(sc) == '-')
            sc->pos++;
        if (!scan_digits(sc))
            return ERR_FORMAT;
    }
    return ERR_OK;
}

static enum err scan_word(struct scan *sc, const char *word)
{
    size_t n = strlen(word);
    if (sc->len - sc->pos < n || memcmp(sc->text + sc->pos, word, n) != 0)
        return ERR_FORMAT;
    sc->pos += n;
    return ERR_OK;
}

/* One character of a JSON string's inside at s: its UTF-8 in out, bytes eaten in *used. 0 for half
 * a surrogate pair. The text must have passed scan_string. */
static size_t unescape_one(const char *s, size_t len, char out[4], size_t *used)
{
    static const char names[] = "\"\\/bfnrt";
    static const char values[] = "\"\\/\b\f\n\r\t";
    *used = 1;
    out[0] = s[0];
    if (s[0] != '\\')
        return 1;
    *used = 2;
    if (len < 2)
        return 0;
    const char *named = strchr(names, s[1]);
    if (s[1] != 'u') {
        out[0] = named && *named ? values[named - names] : s[1];
        return 1;
    }
    *used = 6;
    int32_t unit = hex_unit(s + 2, len - 2);
    if (unit >= 0xD800 && unit <= 0xDBFF && len >= 12 && s[6] == '\\' && s[7] == 'u') {
        int32_t low = hex_unit(s + 8, len - 8);
        if (low < 0xDC00 || low > 0xDFFF)
            return 0;
        *used = 12;
        unit = 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
    }
    return str_encode(unit, out);
}

/* Is the string with its quotes at [start, end) equal to key once its escapes are resolved? */
static bool key_equals(const struct scan *sc, size_t start, size_t end, const char *key)
{
    size_t left = strlen(key);
    for (size_t at = start + 1; at < end - 1;) {
        char piece[4];
        size_t used;
        size_t n = unescape_one(sc->text + at, end - 1 - at, piece, &used);
        if (n == 0 || n > left || memcmp(piece, key, n) != 0)
            return false;
        key += n;
        left -= n;
        at += used;
    }
    return left == 0;
}

/* What is left of the path inside the member with this key; NULL when the path goes elsewhere. */
static const char *const *descend(const struct scan *sc, const char *const *path, size_t start,
                                  size_t end)
{
    return path && *path && key_equals(sc, start, end, *path) ? path + 1 : NULL;
}

static enum err scan_member(struct scan *sc, const char *const *path)
{
    skip_blanks(sc);
    size_t start = sc->pos;
    enum err e = scan_string(sc);
    if (e != ERR_OK)
        return e;
    const char *const *rest = descend(sc, path, start, sc->pos);
    skip_blanks(sc);
    if (peek(sc) != ':')
        return ERR_FORMAT;
    sc->pos++;
    if (rest)
        sc->found = false; /* a later twin replaces an earlier one, whatever it holds */
    return scan_value(sc, rest);
}

static enum err scan_element(struct scan *sc, const char *const *path)
{
    bool into = path && *path && strcmp(*path, "[]") == 0;
    return scan_value(sc, into ? path + 1 : NULL);
}

/* The inside of an object or an array, from its opening bracket on. */
static enum err scan_container(struct scan *sc, const char *const *path, char close)
{
    if (sc->depth >= SCAN_DEPTH)
        return ERR_LIMIT;
    sc->depth++;
    sc->pos++;
    skip_blanks(sc);
    bool empty = peek(sc) == close;
    while (!empty) {
        enum err e = close == '}' ? scan_member(sc, path) : scan_element(sc, path);
        if (e != ERR_OK)
            return e;
        skip_blanks(sc);
        if (peek(sc) == close)
            break;
        if (peek(sc) != ',')
            return ERR_FORMAT;
        sc->pos++;
    }
    sc->pos++;
    sc->depth--;
    return ERR_OK;
}

static enum err scan_any(struct scan *sc, const char *const *path)
{
    switch (peek(sc)) {
    case '{':
        return scan_container(sc, path, '}');
    case '[':
        return scan_container(sc, path, ']');
    case '"':
        return scan_string(sc);
    case 't':
        return scan_word(sc, "true");
    case 'f':
        return scan_word(sc, "false");
    case 'n':
        return scan_word(sc, "null");
    default:
        return scan_number(sc);
    }
}

/* path: what is still to be matched; NULL when this value is off the path. */
static enum err scan_value(struct scan *sc, const char *const *path)
{
    skip_blanks(sc);
    size_t start = sc->pos;
    enum err e = scan_any(sc, path);
    if (e != ERR_OK || !path || *path)
        return e;
    struct jsonscan_span span = {.start = start, .len = sc->pos - start};
    if (sc->fn)
        sc->fn(sc->ctx, span);
    sc->last = span;
    sc->found = true;
    return ERR_OK;
}

static enum err scan_all(struct scan *sc, const char *const *path)
{
    enum err e = scan_value(sc, path);
    if (e != ERR_OK)
        return e;
    skip_blanks(sc);
    return sc->pos == sc->len ? ERR_OK : ERR_FORMAT;
}

enum err jsonscan_find(const char *text, size_t len, const char *const *path,
                       struct jsonscan_span *out)
{
    struct scan sc = {.text = text, .len = len};
    enum err e = scan_all(&sc, path);
    if (e != ERR_OK)
        return e;
    if (!sc.found)
        return ERR_USER;
    *out = sc.last;
    return ERR_OK;
}

enum err jsonscan_each(const char *text, size_t len, const char *const *path, jsonscan_fn *fn,
                       void *ctx)
{
    struct scan sc = {.text = text, .len = len, .fn = fn, .ctx = ctx};
    return scan_all(&sc, path);
}

enum err jsonscan_item(const char *text, struct jsonscan_span array, size_t index,
                       struct jsonscan_span *out)
{
    struct scan sc = {.text = text, .len = array.start + array.len, .pos = array.start};
    if (peek(&sc) != '[')
        return ERR_FORMAT;
    sc.pos++;
    skip_blanks(&sc);
    if (peek(&sc) == ']')
        return ERR_USER;
    for (size_t i = 0;; i++) {
        skip_blanks(&sc);
        size_t start = sc.pos;
        enum err e = scan_value(&sc, NULL);
        if (e != ERR_OK)
            return e;
        if (i == index) {
            *out = (struct jsonscan_span){.start = start, .len = sc.pos - start};
            return ERR_OK;
        }
        skip_blanks(&sc);
        if (peek(&sc) == ']')
            return ERR_USER;
        if (peek(&sc) != ',')
            return ERR_FORMAT;
        sc.pos++;
    }
}

enum err jsonscan_string(const char *text, struct jsonscan_span span, char *out, size_t size,
                         size_t *out_len)
{
    struct scan sc = {.text = text, .len = span.start + span.len, .pos = span.start};
    if (scan_string(&sc) != ERR_OK || sc.pos != sc.len)
        return ERR_FORMAT;
    if (size == 0)
        return ERR_LIMIT;
    size_t done = 0;
    for (size_t at = span.start + 1; at < sc.len - 1;) {
        char piece[4];
        size_t used;
        size_t n = unescape_one(text + at, sc.len - 1 - at, piece, &used);
        if (n == 0 || n >= size - done) {
            explicit_bzero(out, size);
            return n == 0 ? ERR_FORMAT : ERR_LIMIT;
        }
        memcpy(out + done, piece, n);
        done += n;
        at += used;
    }
    out[done] = '\0';
    *out_len = done;
    return ERR_OK;
}
