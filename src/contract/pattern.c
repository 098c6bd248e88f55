/* SPDX-License-Identifier: Apache-2.0 */
/* String patterns of the contract. Must not know which field it judges. Invariant: no pattern is
 * looser than the published one; where a page adds a rule in words, the function says so. */
#include <string.h>
#include "contract/pattern.h"
#include "core/str.h"

#define RUPEES_MAX 20
#define HTTPS      "https://"

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

bool pattern_is_attempt_id(const char *s)
{
    for (size_t i = 0; i < 36; i++) {
        bool dash = i == 8 || i == 13 || i == 18 || i == 23;
        bool hex = is_digit(s[i]) || (s[i] >= 'a' && s[i] <= 'f');
        if (dash ? s[i] != '-' : !hex)
            return false;
    }
    return s[36] == '\0';
}

/* What \s means in the published patterns (ECMAScript white space and line ends). */
static bool is_pattern_space(int32_t cp)
{
    return (cp >= 0x09 && cp <= 0x0D) || cp == 0x20 || cp == 0xA0 || cp == 0x1680 ||
           (cp >= 0x2000 && cp <= 0x200A) || cp == 0x2028 || cp == 0x2029 || cp == 0x202F ||
           cp == 0x205F || cp == 0x3000 || cp == 0xFEFF;
}

static bool has_space(const char *s)
{
    size_t len = strlen(s);
    for (size_t at = 0; at < len;) {
        int32_t cp;
        at += str_decode(s + at, len - at, &cp);
        if (is_pattern_space(cp))
            return true;
    }
    return false;
}

static const char *skip_scheme(const char *s)
{
    static const char *const schemes[] = {"https://", "http://"};
    for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; i++) {
        size_t n = strlen(schemes[i]);
        if (strncasecmp(s, schemes[i], n) == 0)
            return s + n;
    }
    return s;
}

bool pattern_is_web_address(const char *s)
{
    if (has_space(s))
        return false;
    s = skip_scheme(s);
    size_t host = strcspn(s, "/?#:@");
    const char *dot = host > 2 ? memchr(s + 1, '.', host - 2) : NULL;
    return dot && s[host] != ':' && s[host] != '@';
}

bool pattern_is_https(const char *s, size_t len)
{
    size_t scheme = strlen(HTTPS);
    if (len <= scheme || memcmp(s, HTTPS, scheme) != 0 || memchr(s, '\0', len))
        return false;
    for (size_t i = 0; i < len; i++) {
        if ((unsigned char)s[i] <= 0x20 || s[i] == 0x7F)
            return false;
    }
    if (strchr("/?#:@", s[scheme]))
        return false;
    return !has_space(s) && !str_has_hidden(s, len);
}

bool pattern_is_rupees(const char *s)
{
    size_t whole = strspn(s, "0123456789");
    if (whole == 0 || strlen(s) > RUPEES_MAX)
        return false;
    if (s[whole] == '\0')
        return true;
    size_t paise = strspn(s + whole + 1, "0123456789");
    return s[whole] == '.' && paise >= 1 && paise <= 2 && s[whole + 1 + paise] == '\0';
}

bool pattern_has_control(const char *s)
{
    size_t len = strlen(s);
    for (size_t at = 0; at < len;) {
        int32_t cp;
        at += str_decode(s + at, len - at, &cp);
        if (cp < 0x20 || (cp >= 0x7F && cp <= 0x9F))
            return true;
    }
    return false;
}

/* Bytes of a PIN code at s, 0 when there is none. The first digit of one is never 0. */
static size_t pin_code_at(const char *s)
{
    size_t at = 0;
    for (int digits = 0; digits < 6; digits++, at++) {
        if (digits == 3 && s[at] == ' ')
            at++;
        if (!is_digit(s[at]) || (digits == 0 && s[at] == '0'))
            return 0;
    }
    return is_digit(s[at]) ? 0 : at;
}

bool pattern_has_pin_code(const char *s)
{
    for (size_t i = 0; s[i]; i++) {
        if ((i == 0 || !is_digit(s[i - 1])) && pin_code_at(s + i) > 0)
            return true;
    }
    return false;
}
