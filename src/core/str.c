/* SPDX-License-Identifier: Apache-2.0 */
/* UTF-8 as a terminal shows it: decoding, grapheme clusters, cells, cutting and wrapping. Must not
 * know where the text came from or what draws it. Invariants: a cluster is never split, every call
 * makes progress on any bytes at all, and nothing here allocates. */
#include <string.h>
#include <utf8proc.h>
#include "core/str.h"

#define VS15             0xFE0E
#define VS16             0xFE0F
#define CLUSTER_CELL_MAX 2

size_t str_decode(const char *s, size_t len, int32_t *cp)
{
    const unsigned char *u = (const unsigned char *)s;
    if (len == 0)
        return 0;
    *cp = u[0];
    if (u[0] < 0x80)
        return 1;
    size_t n = u[0] >= 0xC2 && u[0] < 0xE0 ? 2
               : (u[0] & 0xF0) == 0xE0     ? 3
               : (u[0] & 0xF8) == 0xF0     ? 4
                                           : 0;
    static const int32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    int32_t value = n > 0 ? u[0] & (0xFF >> (n + 1)) : -1;
    for (size_t i = 1; i < n && value >= 0; i++)
        value = i < len && (u[i] & 0xC0) == 0x80 ? value << 6 | (u[i] & 0x3F) : -1;
    if (n == 0 || value < least[n] || value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF)) {
        *cp = -1;
        return 1;
    }
    *cp = value;
    return n;
}

size_t str_encode(int32_t cp, char out[4])
{
    if (cp < 0 || cp > 0x10FFFF || (cp >= 0xD800 && cp <= 0xDFFF))
        return 0;
    utf8proc_uint8_t bytes[4];
    utf8proc_ssize_t n = utf8proc_encode_char(cp, bytes);
    memcpy(out, bytes, (size_t)n);
    return (size_t)n;
}

bool str_is_utf8(const char *s, size_t len)
{
    int32_t cp;
    for (size_t at = 0; at < len;) {
        at += str_decode(s + at, len - at, &cp);
        if (cp < 0)
            return false;
    }
    return true;
}

size_t str_cluster(const char *s, size_t len)
{
    int32_t prev;
    size_t at = str_decode(s, len, &prev);
    if (at == 0 || prev < 0)
        return at;
    utf8proc_int32_t state = 0;
    while (at < len) {
        int32_t cp;
        size_t n = str_decode(s + at, len - at, &cp);
        if (cp < 0 || utf8proc_grapheme_break_stateful(prev, cp, &state))
            break;
        prev = cp;
        at += n;
    }
    return at;
}

/* Spacing marks take a cell of their own in terminals and in the C library's wcwidth, although the
 * table of utf8proc gives them none; reserving it keeps the columns after them in place. */
static int code_point_cells(int32_t cp)
{
    if (cp < 0)
        return 1;
    if (utf8proc_category(cp) == UTF8PROC_CATEGORY_MC)
        return 1;
    return utf8proc_charwidth(cp);
}

static bool takes_emoji_style(int32_t cp)
{
    return utf8proc_get_property(cp)->boundclass == UTF8PROC_BOUNDCLASS_EXTENDED_PICTOGRAPHIC ||
           (cp >= '0' && cp <= '9') || cp == '#' || cp == '*';
}

int str_cluster_cells(const char *s, size_t len)
{
    int32_t base;
    size_t end = str_cluster(s, len);
    size_t at = str_decode(s, end, &base);
    if (end == 0)
        return 0;
    int cells = code_point_cells(base);
    while (at < end) {
        int32_t cp;
        at += str_decode(s + at, end - at, &cp);
        if (cp == VS16 && takes_emoji_style(base))
            return CLUSTER_CELL_MAX;
        if (cp == VS15)
            break;
        cells += code_point_cells(cp);
    }
    return cells < CLUSTER_CELL_MAX ? cells : CLUSTER_CELL_MAX;
}

size_t str_cluster_before(const char *s, size_t at)
{
    size_t len = strlen(s);
    size_t start = 0;
    if (at > len)
        at = len;
    for (size_t pos = 0; pos < at;) {
        start = pos;
        pos += str_cluster(s + pos, len - pos);
    }
    return start;
}

size_t str_code_points(const char *s)
{
    size_t len = strlen(s);
    size_t count = 0;
    int32_t cp;
    for (size_t at = 0; at < len; count++)
        at += str_decode(s + at, len - at, &cp);
    return count;
}

/* Walks clusters of s while they fit; *cells is what the walked part takes. */
static size_t walk_fit(const char *s, size_t len, int width_cells, int *cells)
{
    size_t at = 0;
    *cells = 0;
    while (at < len) {
        size_t n = str_cluster(s + at, len - at);
        int more = str_cluster_cells(s + at, n);
        if (more > width_cells - *cells)
            break;
        *cells += more;
        at += n;
    }
    return at;
}

int str_width_cells(const char *s)
{
    int cells;
    walk_fit(s, strlen(s), INT32_MAX, &cells);
    return cells;
}

size_t str_fit_bytes(const char *s, int width_cells)
{
    int cells;
    return width_cells < 0 ? 0 : walk_fit(s, strlen(s), width_cells, &cells);
}

/* Bytes of whole clusters at the start of s that fit in room bytes. */
static size_t whole_clusters(const char *s, size_t len, size_t room)
{
    size_t at = 0;
    while (at < len) {
        size_t n = str_cluster(s + at, len - at);
        if (n > room - at)
            break;
        at += n;
    }
    return at;
}

void str_cut(char *out, size_t size, const char *s, int width_cells, bool ascii)
{
    const char *mark = ascii ? "~" : "\xE2\x80\xA6";
    size_t mark_len = strlen(mark);
    size_t len = strlen(s);
    if (size == 0)
        return;
    size_t take = str_fit_bytes(s, width_cells);
    if (take < len || len >= size) {
        bool marked = width_cells > 0 && size > mark_len;
        take = marked ? str_fit_bytes(s, width_cells - 1) : 0;
        take = whole_clusters(s, take, marked ? size - 1 - mark_len : 0);
        while (take > 0 && s[take - 1] == ' ')
            take--;
        memcpy(out, s, take);
        memcpy(out + take, mark, marked ? mark_len : 0);
        out[take + (marked ? mark_len : 0)] = '\0';
        return;
    }
    memcpy(out, s, take + 1);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* One line of the paragraph s[0..len): its length, and in *next where the following one starts. */
static size_t wrap_line(const char *s, size_t len, int width_cells, size_t *next)
{
    int cells;
    size_t fit = walk_fit(s, len, width_cells, &cells);
    if (fit == 0 && len > 0)
        fit = str_cluster(s, len); /* wider than the line: shown alone rather than never */
    *next = fit;
    if (fit == len)
        return fit;
    size_t end = fit;
    if (!is_blank(s[fit])) {
        while (end > 0 && !is_blank(s[end - 1]))
            end--;
        if (end == 0)
            return fit;
        *next = end;
    }
    while (*next < len && is_blank(s[*next]))
        (*next)++;
    while (end > 0 && is_blank(s[end - 1]))
        end--;
    return end;
}

size_t str_wrap(const char *s, int width_cells, struct str_line *lines, size_t max)
{
    size_t count = 0;
    if (*s == '\0')
        return 0;
    if (width_cells < 1)
        width_cells = 1;
    for (size_t at = 0;;) {
        size_t end = at + strcspn(s + at, "\n");
        do {
            size_t next;
            size_t len = wrap_line(s + at, end - at, width_cells, &next);
            if (count < max)
                lines[count] = (struct str_line){.start = at, .len = len};
            count++;
            at += next;
        } while (at < end);
        if (s[end] == '\0')
            return count;
        at = end + 1;
    }
}

bool str_starts(const char *s, const char *prefix)
{
    return strncmp(s, prefix, strlen(prefix)) == 0;
}

static char ascii_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

bool str_contains_nocase(const char *hay, const char *needle)
{
    for (;; hay++) {
        size_t i = 0;
        while (needle[i] && ascii_lower(hay[i]) == ascii_lower(needle[i]))
            i++;
        if (needle[i] == '\0')
            return true;
        if (*hay == '\0')
            return false;
    }
}

bool str_copy(char *out, size_t size, const char *s)
{
    size_t len = strlen(s);
    if (size == 0)
        return false;
    size_t take = len;
    if (len >= size) {
        /* Step back to the first byte of a code point, so that no half character is left. */
        take = size - 1;
        while (take > 0 && ((unsigned char)s[take] & 0xC0) == 0x80)
            take--;
    }
    memcpy(out, s, take);
    out[take] = '\0';
    return take == len;
}
