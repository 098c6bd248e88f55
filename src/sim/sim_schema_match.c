/* SPDX-License-Identifier: Apache-2.0 */
/* The few patterns and formats that the contract uses, each as published text and as a matcher of
 * its own. Works on whole NUL-terminated strings; needs no regular-expression engine. */
#include <stdint.h>
#include <string.h>
#include "core/clock.h"
#include "core/str.h"
#include "sim_schema_table.h"

#define REGEX_KEY_BODY                                                                             \
    "(?:[A-Za-oq-z0-9_-]|p[A-Za-tv-z0-9_-]|pu[A-Za-qs-z0-9_-]|pur[A-Za-z0-9-])[A-Za-z0-9_-]*"

static bool is_lower_hex(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_prefix_and_hex(const char *text, const char *prefix)
{
    size_t len = strlen(prefix);
    if (strncmp(text, prefix, len) != 0)
        return false;
    size_t digits = 0;
    while (is_lower_hex(text[len + digits]))
        digits++;
    return digits == 32 && text[len + digits] == '\0';
}

static bool match_purchase_id(const char *text)
{
    return is_prefix_and_hex(text, "pur_");
}

static bool match_offer(const char *text)
{
    return is_prefix_and_hex(text, "ofr_");
}

/* Letters, digits, - and _, and never something that could be taken for a purchase id: a text that
 * is itself only a beginning of "pur_" does not match either. */
static bool match_key(const char *text)
{
    size_t len = strlen(text);
    if (len == 0 || strncmp(text, "pur_", len < 4 ? len : 4) == 0)
        return false;
    for (const char *p = text; *p; p++) {
        bool letter = (*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z');
        if (!letter && !is_digit(*p) && *p != '_' && *p != '-')
            return false;
    }
    return true;
}

static bool match_reference(const char *text)
{
    return match_purchase_id(text) || match_key(text);
}

static bool match_uuid(const char *text)
{
    if (strlen(text) != 36)
        return false;
    for (size_t i = 0; i < 36; i++) {
        bool dash = i == 8 || i == 13 || i == 18 || i == 23;
        if (dash ? text[i] != '-' : !is_lower_hex(text[i]))
            return false;
    }
    return true;
}

static bool match_rupees(const char *text)
{
    size_t whole = strspn(text, "0123456789");
    if (whole == 0)
        return false;
    if (text[whole] == '\0')
        return true;
    size_t decimals = strspn(text + whole + 1, "0123456789");
    return text[whole] == '.' && (decimals == 1 || decimals == 2) &&
           text[whole + 1 + decimals] == '\0';
}

/* The white space of ECMAScript's \s, which the published pattern means. */
static bool is_space(int32_t cp)
{
    return (cp >= 9 && cp <= 13) || cp == ' ' || cp == 0xA0 || cp == 0x1680 ||
           (cp >= 0x2000 && cp <= 0x200A) || cp == 0x2028 || cp == 0x2029 || cp == 0x202F ||
           cp == 0x205F || cp == 0x3000 || cp == 0xFEFF;
}

static const char *skip_scheme(const char *text)
{
    static const char http[] = "http";
    for (size_t i = 0; i < 4; i++) {
        if ((text[i] | 0x20) != http[i])
            return text;
    }
    const char *rest = text + 4;
    if (*rest == 's' || *rest == 'S')
        rest++;
    return strncmp(rest, "://", 3) == 0 ? rest + 3 : text;
}

/* A host with a dot that has something on both sides, no port and no user, then anything without
 * white space. */
static bool match_web(const char *text)
{
    const char *host = skip_scheme(text);
    size_t len = strlen(host);
    size_t dots_inside = 0;
    size_t end = strcspn(host, "/?#:@");
    if (host[end] == ':' || host[end] == '@')
        return false;
    for (size_t at = 0; at < len;) {
        int32_t cp;
        at += str_decode(host + at, len - at, &cp);
        if (cp < 0 || is_space(cp))
            return false;
    }
    for (size_t i = 1; i + 1 < end; i++)
        dots_inside += host[i] == '.';
    return dots_inside > 0;
}

static bool match_https(const char *text)
{
    return str_starts(text, "https://");
}

static bool match_last4(const char *text)
{
    return strlen(text) == 4 && strspn(text, "0123456789") == 4;
}

static bool match_printable(const char *text)
{
    size_t len = strlen(text);
    for (size_t at = 0; at < len;) {
        int32_t cp;
        at += str_decode(text + at, len - at, &cp);
        if (cp < 0x20 || (cp >= 0x7F && cp <= 0x9F))
            return false;
    }
    return len > 0;
}

static const struct {
    const char *text;
    const char *words;
    bool (*matches)(const char *text);
} patterns[SIM_PATTERN_COUNT] = {
    [SIM_PATTERN_PURCHASE_ID] = {"^pur_[a-f0-9]{32}$", "pur_ and 32 lower-case hex digits",
                                 match_purchase_id},
    [SIM_PATTERN_KEY] = {"^" REGEX_KEY_BODY "$", "letters, digits, - and _, not starting with pur_",
                         match_key},
    [SIM_PATTERN_REFERENCE] = {"^(?:pur_[a-f0-9]{32}|" REGEX_KEY_BODY ")$",
                               "a purchase id or the original idempotency_key", match_reference},
    [SIM_PATTERN_UUID] = {"^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
                          "the checkout_attempt_id of the handout, unchanged", match_uuid},
    [SIM_PATTERN_OFFER] = {"^ofr_[a-f0-9]{32}$", "a product_id of search_products, unchanged",
                           match_offer},
    [SIM_PATTERN_RUPEES] = {"^[0-9]+(?:\\.[0-9]{1,2})?$", "rupees with at most two decimals",
                            match_rupees},
    [SIM_PATTERN_WEB] = {"^(?:[Hh][Tt][Tt][Pp][Ss]?://)?[^\\s/?#:@]+\\.[^\\s/?#:@]+(?:[/?#]\\S*)?$",
                         "an https URL without port or user name", match_web},
    [SIM_PATTERN_HTTPS] = {"^https://", "an https URL", match_https},
    [SIM_PATTERN_LAST4] = {"^[0-9]{4}$", "four digits", match_last4},
    [SIM_PATTERN_PRINTABLE] = {"^[^\\x00-\\x1F\\x7F-\\x9F]+$", "text without control characters",
                               match_printable},
};

const char *sim_pattern_text(enum sim_pattern pattern)
{
    return patterns[pattern].text;
}

const char *sim_pattern_words(enum sim_pattern pattern)
{
    return patterns[pattern].words;
}

bool sim_pattern_matches(enum sim_pattern pattern, const char *text)
{
    return pattern == SIM_PATTERN_NONE || patterns[pattern].matches(text);
}

const char *sim_format_name(enum sim_format format)
{
    switch (format) {
    case SIM_FORMAT_DATE_TIME:
        return "date-time";
    case SIM_FORMAT_DATE:
        return "date";
    case SIM_FORMAT_URI:
        return "uri";
    case SIM_FORMAT_NONE:
        break;
    }
    return NULL;
}

static bool is_uri(const char *text)
{
    size_t scheme = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                 "0123456789+-.");
    if (scheme == 0 || text[scheme] != ':' || text[scheme + 1] == '\0')
        return false;
    for (const char *p = text; *p; p++) {
        if (*p <= ' ' || *p >= 0x7F || strchr("\"<>\\^`{|}", *p))
            return false;
    }
    return true;
}

bool sim_format_matches(enum sim_format format, const char *text)
{
    int64_t ms;
    switch (format) {
    case SIM_FORMAT_DATE_TIME:
        return clock_parse(text, &ms) == ERR_OK;
    case SIM_FORMAT_DATE:
        return clock_valid_date(text);
    case SIM_FORMAT_URI:
        return is_uri(text);
    case SIM_FORMAT_NONE:
        break;
    }
    return true;
}
