/* SPDX-License-Identifier: Apache-2.0 */
/* Looks at an answer before it is sent: card numbers and payment codes never belong in one (page
 * answer_purchase_question). Must not keep the text: the digits that are
 * copied are wiped. Invariant: an Indian address with
 * phone and PIN code passes, however its digits are grouped. */
#include <string.h>
#include "contract/input.h"
#include "core/scrub.h"
#include "core/str.h"

#define CARD_DIGITS_MIN 13
#define CARD_DIGITS_MAX 19
#define RUN_DIGITS_MAX  96
#define GAP_MAX         3  /* separators in a row that still join two groups */
#define NEAR_BYTES      24 /* how far a telling word may be from its digits */

/* Digits that are joined by separators only, with the place where each group starts. */
struct digit_run {
    char digits[RUN_DIGITS_MAX];
    size_t count;
    bool starts_group[RUN_DIGITS_MAX];
};

static int digit_value(int32_t cp)
{
    static const int32_t zeros[] = {'0', 0x0660, 0x06F0, 0x0966, 0x09E6, 0x0AE6, 0x0BE6, 0xFF10};
    for (size_t i = 0; i < sizeof zeros / sizeof zeros[0]; i++) {
        if (cp >= zeros[i] && cp <= zeros[i] + 9)
            return (int)(cp - zeros[i]);
    }
    return -1;
}

static bool is_separator(int32_t cp)
{
    return cp == ' ' || cp == '\t' || cp == '\n' || cp == '-' || cp == '.' || cp == ',' ||
           cp == '_' || cp == '/' || cp == '*' || cp == '|' || cp == 0xA0 ||
           (cp >= 0x2000 && cp <= 0x2015) || cp == 0x202F || cp == 0x2212 || cp == 0x3000;
}

static bool passes_luhn(const char *digits, size_t count)
{
    unsigned sum = 0;
    for (size_t i = 0; i < count; i++) {
        unsigned n = (unsigned)digits[count - 1 - i];
        if (i % 2 == 1)
            n = n * 2 > 9 ? n * 2 - 9 : n * 2;
        sum += n;
    }
    return sum % 10 == 0;
}

static bool is_mobile(const char *digits)
{
    return digits[0] >= 6;
}

/* Six digits in one group, or in two of three. */
static bool is_pin_grouping(const bool *starts)
{
    return !memchr(starts + 1, true, 2) && !memchr(starts + 4, true, 2);
}

/* Does [from, from+16) fall into a PIN code of six and a mobile number of ten, in either order,
 * with a gap between the two? */
static bool is_pin_and_phone(const struct digit_run *run, size_t from)
{
    const char *d = run->digits + from;
    const bool *starts = run->starts_group + from;
    if (starts[6] && is_mobile(d + 6) && is_pin_grouping(starts))
        return true;
    return starts[10] && is_mobile(d) && is_pin_grouping(starts + 10);
}

/* Payment cards begin with 2 to 6, RuPay with 8 as well. */
static bool may_begin_card(char digit)
{
    return (digit >= 2 && digit <= 6) || digit == 8;
}

/* A card number that begins and ends with groups between from and to? */
static bool part_holds_card(const struct digit_run *run, size_t from, size_t to)
{
    for (; from + CARD_DIGITS_MIN <= to; from++) {
        if (!run->starts_group[from] || !may_begin_card(run->digits[from]))
            continue;
        for (size_t n = CARD_DIGITS_MIN; n <= CARD_DIGITS_MAX && from + n <= to; n++) {
            bool whole = from + n == run->count || run->starts_group[from + n];
            if (whole && passes_luhn(run->digits + from, n))
                return true;
        }
    }
    return false;
}

/* What is a PIN code and a phone number is neither part of a card number nor joins two parts. */
static bool run_holds_card(const struct digit_run *run)
{
    size_t begin = 0;
    for (size_t at = 0; at + 16 <= run->count; at++) {
        bool apart = at + 16 == run->count || run->starts_group[at + 16];
        if (!run->starts_group[at] || !apart || !is_pin_and_phone(run, at))
            continue;
        if (part_holds_card(run, begin, at))
            return true;
        begin = at + 16;
        at = begin - 1;
    }
    return part_holds_card(run, begin, run->count);
}

/* Reads the run that starts at s; *used is how many bytes it took. */
static void read_run(const char *s, size_t len, struct digit_run *run, size_t *used)
{
    size_t gap = 0;
    run->count = 0;
    *used = 0;
    for (size_t at = 0; at < len && run->count < RUN_DIGITS_MAX;) {
        int32_t cp;
        at += str_decode(s + at, len - at, &cp);
        int digit = digit_value(cp);
        if (digit < 0 && (!is_separator(cp) || ++gap > GAP_MAX))
            return;
        if (digit < 0)
            continue;
        run->starts_group[run->count] = run->count == 0 || gap > 0;
        run->digits[run->count++] = (char)digit;
        gap = 0;
        *used = at;
    }
}

bool contract_text_holds_card(const char *text, size_t len)
{
    struct digit_run run;
    bool found = false;
    for (size_t at = 0; at < len && !found;) {
        size_t used;
        int32_t cp;
        read_run(text + at, len - at, &run, &used);
        found = run.count > 0 && run_holds_card(&run);
        at += used > 0 ? used : str_decode(text + at, len - at, &cp);
    }
    scrub_bytes(&run, sizeof run);
    return found;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Nothing but four to eight digits, perhaps in two groups and with blanks or a full stop around. */
static bool is_bare_code(const char *s)
{
    size_t digits = 0;
    size_t gaps = 0;
    bool after_gap = false;
    for (s += strspn(s, " \t\n"); *s && !strchr(".! \t\n", *s); s++) {
        if (!is_digit(*s) && *s != '-')
            return false;
        digits += is_digit(*s);
        gaps += *s == '-';
    }
    if (*s == ' ' && is_digit(s[1])) {
        after_gap = true;
        for (s++; is_digit(*s); s++)
            digits++;
    }
    s += strspn(s, ".! \t\n");
    return *s == '\0' && digits >= 4 && digits <= 8 && gaps + after_gap <= 1;
}

static bool starts_nocase(const char *s, size_t len, const char *word)
{
    size_t n = strlen(word);
    return len >= n && strncasecmp(s, word, n) == 0;
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Is the word that ends before s (blanks skipped) one of those that make "code" harmless? */
static bool harmless_before(const char *text, const char *s)
{
    static const char *const words[] = {"pin",   "postal",   "zip",    "area",
                                        "promo", "discount", "coupon", "product"};
    while (s > text && !is_letter(s[-1]) && !is_digit(s[-1]))
        s--;
    const char *end = s;
    while (s > text && is_letter(s[-1]))
        s--;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if ((size_t)(end - s) == strlen(words[i]) &&
            strncasecmp(s, words[i], strlen(words[i])) == 0)
            return true;
    }
    return false;
}

/* A word in [from, to) that says the digits nearby are a code. digits is how many there are. */
static bool tells_code(const char *text, const char *from, const char *to, size_t digits)
{
    static const char *const words[] = {"otp",      "one-time", "one time", "passcode",
                                        "password", "cvv",      "cvc",      "security code"};
    for (const char *s = from; s < to; s++) {
        size_t left = (size_t)(to - s);
        if (s > text && is_letter(s[-1]))
            continue;
        for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
            if (starts_nocase(s, left, words[i]))
                return true;
        }
        if (digits >= 4 && starts_nocase(s, left, "code") && !(left > 4 && is_letter(s[4])) &&
            !harmless_before(text, s))
            return true;
        /* Six digits after "PIN" are an address; four are a secret. */
        if (digits == 4 && starts_nocase(s, left, "pin") && !(left > 3 && is_letter(s[3])))
            return true;
    }
    return false;
}

static bool holds_named_code(const char *text, size_t len)
{
    for (size_t at = 0; at < len;) {
        size_t digits = strspn(text + at, "0123456789");
        bool word_before = at > 0 && (is_letter(text[at - 1]) || text[at - 1] == '.');
        if (digits >= 3 && digits <= 8 && !word_before && !is_letter(text[at + digits])) {
            size_t before = at < NEAR_BYTES ? 0 : at - NEAR_BYTES;
            size_t after = len - at - digits < NEAR_BYTES ? len : at + digits + NEAR_BYTES;
            if (tells_code(text, text + before, text + at, digits) ||
                tells_code(text, text + at + digits, text + after, digits))
                return true;
        }
        at += digits > 0 ? digits : 1;
    }
    return false;
}

enum contract_suspicion contract_answer_suspicion(const char *text)
{
    size_t len = strlen(text);
    if (contract_text_holds_card(text, len))
        return CONTRACT_CARD_NUMBER;
    if (is_bare_code(text) || holds_named_code(text, len))
        return CONTRACT_CODE_LIKE;
    return CONTRACT_CLEAN;
}
