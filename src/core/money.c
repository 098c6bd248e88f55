/* SPDX-License-Identifier: Apache-2.0 */
/* Rupees as integer paise: text in, text out. Must not know what the money is for. Invariant: every
 * step is exact 64-bit integer arithmetic, and text that cannot be read for certain is refused
 * rather than guessed (a comma taken for a decimal point would be off by a factor of 100). */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "core/money.h"

#define RUPEE_SIGN     "\xE2\x82\xB9"
#define MINUS_SIGN     "\xE2\x88\x92"
#define NO_BREAK_SPACE "\xC2\xA0"
#define NARROW_SPACE   "\xE2\x80\xAF"
#define PARSE_CHARS    20

static uint64_t magnitude(int64_t amount_minor)
{
    return amount_minor < 0 ? 0 - (uint64_t)amount_minor : (uint64_t)amount_minor;
}

/* Indian grouping: three digits on the right, then pairs. */
static void group_digits(char out[MONEY_TEXT_MAX], uint64_t rupees)
{
    char digits[24];
    int n = snprintf(digits, sizeof digits, "%" PRIu64, rupees);
    size_t at = 0;
    for (int i = 0; i < n; i++) {
        int left = n - i;
        if (i > 0 && left >= 3 && (left - 3) % 2 == 0)
            out[at++] = ',';
        out[at++] = digits[i];
    }
    out[at] = '\0';
}

void money_format(char out[MONEY_TEXT_MAX], int64_t amount_minor, bool ascii)
{
    uint64_t paise = magnitude(amount_minor);
    char rupees[MONEY_TEXT_MAX];
    group_digits(rupees, paise / 100);
    snprintf(out, MONEY_TEXT_MAX, "%s%s%.32s.%02u", amount_minor < 0 ? "-" : "",
             ascii ? "INR " : RUPEE_SIGN, rupees, (unsigned)(paise % 100));
}

void money_wire(char out[MONEY_TEXT_MAX], int64_t amount_minor)
{
    uint64_t paise = magnitude(amount_minor);
    snprintf(out, MONEY_TEXT_MAX, "%s%" PRIu64 ".%02u", amount_minor < 0 ? "-" : "", paise / 100,
             (unsigned)(paise % 100));
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Adds one decimal digit; false when the value would leave int64. */
static bool push_digit(int64_t *value, char c)
{
    return !__builtin_mul_overflow(*value, (int64_t)10, value) &&
           !__builtin_add_overflow(*value, (int64_t)(c - '0'), value);
}

/* Reads "" or ".d" or ".dd" up to the end of the text and joins it to rupees. */
static bool read_paise(const char *s, int64_t rupees, int64_t *amount_minor)
{
    char pair[2] = {'0', '0'};
    if (*s == '.') {
        s++;
        if (!is_digit(*s))
            return false;
        pair[0] = *s++;
        if (is_digit(*s))
            pair[1] = *s++;
    }
    return *s == '\0' && push_digit(&rupees, pair[0]) && push_digit(&rupees, pair[1]) &&
           (*amount_minor = rupees, true);
}

/* Whole rupees with optional thousands commas. Groups are checked: "12,50" is nobody's 1250. */
static const char *read_rupees(const char *s, int64_t *rupees)
{
    int group = 0;
    bool grouped = false;
    *rupees = 0;
    for (;; s++) {
        if (is_digit(*s)) {
            if (!push_digit(rupees, *s))
                return NULL;
            group++;
            continue;
        }
        if (*s != ',')
            break;
        if (group < (grouped ? 2 : 1) || group > 3)
            return NULL;
        grouped = true;
        group = 0;
    }
    return group == 0 || (grouped && group != 3) ? NULL : s;
}

static size_t count_characters(const char *text)
{
    size_t n = 0;
    for (; *text; text++)
        n += ((unsigned char)*text & 0xC0) != 0x80;
    return n;
}

enum err money_parse(const char *text, int64_t *amount_minor)
{
    if (!text || count_characters(text) > PARSE_CHARS)
        return ERR_FORMAT;
    if (strncmp(text, RUPEE_SIGN, strlen(RUPEE_SIGN)) == 0)
        text += strlen(RUPEE_SIGN);
    int64_t rupees;
    int64_t minor;
    const char *rest = read_rupees(text, &rupees);
    if (!rest || !read_paise(rest, rupees, &minor))
        return ERR_FORMAT;
    *amount_minor = minor;
    return ERR_OK;
}

/* Copies display without currency signs, blanks and commas; false when it is too long to be one. */
static bool strip_display(const char *display, char *out, size_t size)
{
    static const char *const ignored[] = {
        RUPEE_SIGN, NO_BREAK_SPACE, NARROW_SPACE, "INR", "Rs.", "Rs", " ", ",", "+"};
    size_t at = 0;
    while (*display) {
        size_t skip = 0;
        for (size_t i = 0; i < sizeof ignored / sizeof ignored[0] && skip == 0; i++) {
            size_t n = strlen(ignored[i]);
            if (strncmp(display, ignored[i], n) == 0)
                skip = n;
        }
        if (skip == 0 && strncmp(display, MINUS_SIGN, strlen(MINUS_SIGN)) == 0) {
            skip = strlen(MINUS_SIGN);
            if (at + 1 < size)
                out[at++] = '-';
        }
        if (skip == 0) {
            if (at + 1 >= size)
                return false;
            out[at++] = *display++;
        }
        display += skip;
    }
    out[at] = '\0';
    return true;
}

bool money_display_agrees(const char *display, int64_t amount_minor)
{
    char bare[MONEY_TEXT_MAX];
    if (!display || !strip_display(display, bare, sizeof bare))
        return false;
    bool negative = bare[0] == '-';
    const char *s = negative ? bare + 1 : bare;
    int64_t rupees;
    int64_t minor;
    const char *rest = read_rupees(s, &rupees);
    if (!rest || !read_paise(rest, rupees, &minor))
        return false;
    return (negative ? -minor : minor) == amount_minor;
}
