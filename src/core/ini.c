/* SPDX-License-Identifier: Apache-2.0 */
/* The reader of "[section]" and "key = value" text. Must not know any key. Invariants: the text is
 * never changed, every piece is bounded, and the number of the offending line is always told. */
#include <stdbool.h>
#include <string.h>
#include "core/ini.h"
#include "core/str.h"

#define NAME_MAX_BYTES  64
#define VALUE_MAX_BYTES 1024

struct piece {
    const char *s;
    size_t len;
};

static struct piece trim(struct piece p)
{
    while (p.len > 0 && (*p.s == ' ' || *p.s == '\t')) {
        p.s++;
        p.len--;
    }
    while (p.len > 0 && (p.s[p.len - 1] == ' ' || p.s[p.len - 1] == '\t'))
        p.len--;
    return p;
}

static enum err copy_piece(char *out, size_t size, struct piece p)
{
    if (p.len >= size)
        return ERR_LIMIT;
    memcpy(out, p.s, p.len);
    out[p.len] = '\0';
    return ERR_OK;
}

static bool is_clean(struct piece p)
{
    for (size_t i = 0; i < p.len; i++) {
        unsigned char c = (unsigned char)p.s[i];
        if ((c < 0x20 && c != '\t') || c == 0x7F)
            return false;
    }
    return str_is_utf8(p.s, p.len);
}

static enum err read_section(struct piece line, char section[NAME_MAX_BYTES])
{
    if (line.len < 2 || line.s[line.len - 1] != ']')
        return ERR_FORMAT;
    struct piece name = trim((struct piece){line.s + 1, line.len - 2});
    if (name.len == 0 || memchr(name.s, '[', name.len) || memchr(name.s, ']', name.len))
        return ERR_FORMAT;
    return copy_piece(section, NAME_MAX_BYTES, name);
}

/* A value in double quotes keeps its blanks; a quote that is not closed is a mistake. */
static enum err unquote(struct piece *value)
{
    if (value->len == 0 || value->s[0] != '"')
        return ERR_OK;
    if (value->len < 2 || value->s[value->len - 1] != '"' ||
        memchr(value->s + 1, '"', value->len - 2))
        return ERR_FORMAT;
    *value = (struct piece){value->s + 1, value->len - 2};
    return ERR_OK;
}

static enum err read_pair(struct piece line, const char *section, ini_fn *fn, void *ctx, int number)
{
    char key[NAME_MAX_BYTES];
    char value[VALUE_MAX_BYTES];
    const char *equals = memchr(line.s, '=', line.len);
    if (!equals)
        return ERR_FORMAT;
    struct piece left = trim((struct piece){line.s, (size_t)(equals - line.s)});
    struct piece right = trim((struct piece){equals + 1, line.len - (size_t)(equals - line.s) - 1});
    if (left.len == 0)
        return ERR_FORMAT;
    enum err e = unquote(&right);
    if (e == ERR_OK)
        e = copy_piece(key, sizeof key, left);
    if (e == ERR_OK)
        e = copy_piece(value, sizeof value, right);
    return e == ERR_OK ? fn(ctx, section, key, value, number) : e;
}

enum err ini_read(const char *text, size_t len, ini_fn *fn, void *ctx, int *bad_line)
{
    char section[NAME_MAX_BYTES] = "";
    size_t at = len >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    for (int number = 1; at < len; number++) {
        const char *feed = memchr(text + at, '\n', len - at);
        size_t end = feed ? (size_t)(feed - text) : len;
        struct piece line = {text + at, end - at};
        at = end + 1;
        if (line.len > 0 && line.s[line.len - 1] == '\r')
            line.len--;
        enum err e = is_clean(line) ? ERR_OK : ERR_FORMAT;
        line = trim(line);
        if (e == ERR_OK && line.len > 0 && line.s[0] != '#' && line.s[0] != ';')
            e = line.s[0] == '[' ? read_section(line, section)
                                 : read_pair(line, section, fn, ctx, number);
        if (e != ERR_OK) {
            if (bad_line)
                *bad_line = number;
            return e;
        }
    }
    return ERR_OK;
}
