/* SPDX-License-Identifier: Apache-2.0 */
/* The one-time card or voucher of a reply. Owns how it is cut out of the body and kept. Must not
 * know purchases or the network. Invariant: a secret field goes from guarded body to guarded slot
 * with no copy between, and the body is free of it before this module returns. */
#include <stddef.h>
#include <string.h>
#include "core/alloc.h"
#include "core/buf.h"
#include "core/clock.h"
#include "core/ident.h"
#include "core/jsonscan.h"
#include "core/scrub.h"
#include "core/str.h"
#include "secret/handout.h"

#define CODE_MAX     64
#define VOUCHER_MAX  128
#define NUMBER_MAX   19
#define TEXT_IN_MAX  (16 * 1024)
#define TEXT_OUT_MAX (4 * TEXT_IN_MAX) /* a control byte grows to a mark of four */

/* What lies in the guarded block; each slot has room for the NUL that unescaping adds. */
struct slots {
    char number[NUMBER_MAX + 1];
    char expiry[6];
    char cvv[5];
    char code[CODE_MAX + 1];
    char voucher_code[VOUCHER_MAX + 1];
    char voucher_pin[VOUCHER_MAX + 1];
    char month[3]; /* scratch while the expiry is put together */
    char year[5];
};

struct handout {
    struct handout_facts facts;
    struct secret *mem; /* struct slots */
    size_t len[HANDOUT_FIELD_COUNT];
};

static const struct slot {
    size_t offset;
    size_t size;
} slots[HANDOUT_FIELD_COUNT] = {
#define SLOT(member)                                                                               \
    {                                                                                              \
        offsetof(struct slots, member), sizeof(((struct slots *)0)->member)                        \
    }
    [HANDOUT_NUMBER] = SLOT(number),
    [HANDOUT_EXPIRY] = SLOT(expiry),
    [HANDOUT_CVV] = SLOT(cvv),
    [HANDOUT_CODE] = SLOT(code),
    [HANDOUT_VOUCHER_CODE] = SLOT(voucher_code),
    [HANDOUT_VOUCHER_PIN] = SLOT(voucher_pin),
#undef SLOT
};

/* One payment_details value while it is read; text is inside the open body, mem the open slots. */
struct details {
    const char *text;
    size_t len;
    struct handout *h;
    char *mem;
};

#define PATH(...) ((const char *const[]){__VA_ARGS__, NULL})

/* Null counts as absent, as everywhere in the contract. */
static bool find(const struct details *d, const char *const *path, struct jsonscan_span *span)
{
    if (jsonscan_find(d->text, d->len, path, span) != ERR_OK)
        return false;
    return !(span->len == 4 && memcmp(d->text + span->start, "null", 4) == 0);
}

static bool all_in(const char *s, size_t len, char first, char last)
{
    for (size_t i = 0; i < len; i++)
        if (s[i] < first || s[i] > last)
            return false;
    return true;
}

static bool find_object(const struct details *d, const char *const *path)
{
    struct jsonscan_span span;

    return find(d, path, &span) && d->text[span.start] == '{';
}

/* A secret string into its slot: at least min bytes, each between first and last. */
static enum err take_secret(const struct details *d, const char *const *path,
                            enum handout_field field, size_t min, char first, char last)
{
    struct jsonscan_span span;
    char *slot = d->mem + slots[field].offset;
    size_t len;

    if (!find(d, path, &span) ||
        jsonscan_string(d->text, span, slot, slots[field].size, &len) != ERR_OK)
        return ERR_FORMAT;
    if (len < min || !all_in(slot, len, first, last))
        return ERR_FORMAT;
    d->h->len[field] = len;
    return ERR_OK;
}

static enum err take_optional_secret(const struct details *d, const char *const *path,
                                     enum handout_field field, char first)
{
    struct jsonscan_span span;

    return find(d, path, &span) ? take_secret(d, path, field, 1, first, '~') : ERR_OK;
}

/* "MM/YY" from a month of one or two digits and a year of two or four. */
static enum err take_expiry(const struct details *d)
{
    struct slots *in = (struct slots *)d->mem;
    struct jsonscan_span month, year;
    size_t month_len, year_len;
    char tens;

    if (!find(d, PATH("card", "expiry_month"), &month) ||
        !find(d, PATH("card", "expiry_year"), &year) ||
        jsonscan_string(d->text, month, in->month, sizeof in->month, &month_len) != ERR_OK ||
        jsonscan_string(d->text, year, in->year, sizeof in->year, &year_len) != ERR_OK)
        return ERR_FORMAT;
    if (month_len == 0 || !all_in(in->month, month_len, '0', '9') ||
        (year_len != 2 && year_len != 4) || !all_in(in->year, year_len, '0', '9'))
        return ERR_FORMAT;
    tens = month_len == 2 ? in->month[0] : '0';
    in->expiry[0] = tens;
    in->expiry[1] = in->month[month_len - 1];
    in->expiry[2] = '/';
    in->expiry[3] = in->year[year_len - 2];
    in->expiry[4] = in->year[year_len - 1];
    if (tens > '1' || (tens == '1' && in->expiry[1] > '2') || (tens == '0' && in->expiry[1] == '0'))
        return ERR_FORMAT;
    scrub_bytes(in->month, sizeof in->month);
    scrub_bytes(in->year, sizeof in->year);
    d->h->len[HANDOUT_EXPIRY] = 5;
    return ERR_OK;
}

/* A text that is no secret, made visible and cut to size. */
static enum err take_text(const struct details *d, const char *const *path, char *out, size_t size)
{
    struct jsonscan_span span;
    char raw[TEXT_IN_MAX];
    size_t len;
    struct buf visible;
    enum err e;

    if (!find(d, path, &span) || jsonscan_string(d->text, span, raw, sizeof raw, &len) != ERR_OK)
        return ERR_FORMAT;
    buf_init(&visible, TEXT_OUT_MAX);
    e = str_visible(&visible, raw, len, false);
    if (e == ERR_OK)
        (void)str_copy(out, size, buf_view(&visible)); /* a cut text is still a text */
    buf_fini(&visible);
    return e;
}

static enum err take_minor(const struct details *d, const char *const *path, int64_t *minor)
{
    struct jsonscan_span span;
    int64_t value = 0;

    /* Fifteen digits are more money than there is, and cannot overflow. */
    if (!find(d, path, &span) || span.len > 15 || !all_in(d->text + span.start, span.len, '0', '9'))
        return ERR_FORMAT;
    for (size_t i = 0; i < span.len; i++)
        value = value * 10 + (d->text[span.start + i] - '0');
    *minor = value;
    return ERR_OK;
}

static enum err take_amount(const struct details *d, const char *const paths[3][4], int64_t *minor,
                            char *display, size_t size)
{
    char currency[8];
    enum err e = take_minor(d, paths[0], minor);

    if (e == ERR_OK)
        e = take_text(d, paths[1], display, size);
    if (e == ERR_OK)
        e = take_text(d, paths[2], currency, sizeof currency);
    if (e == ERR_OK && strcmp(currency, "INR") != 0)
        e = ERR_FORMAT;
    return e;
}

static enum err take_time(const struct details *d, const char *const *path, int64_t *ms)
{
    struct jsonscan_span span;
    char text[CLOCK_TEXT_MAX];
    size_t len;

    *ms = CLOCK_NONE;
    if (!find(d, path, &span))
        return ERR_OK;
    if (jsonscan_string(d->text, span, text, sizeof text, &len) != ERR_OK || strlen(text) != len)
        return ERR_FORMAT;
    return clock_parse(text, ms);
}

static enum err take_attempt(const struct details *d)
{
    char *id = d->h->facts.checkout_attempt_id;
    struct jsonscan_span span;
    size_t len;

    if (!find(d, PATH("checkout_attempt_id"), &span))
        return ERR_OK;
    if (jsonscan_string(d->text, span, id, sizeof d->h->facts.checkout_attempt_id, &len) ||
        !ident_is_uuid(id))
        return ERR_FORMAT;
    return ERR_OK;
}

/* Kept only when a browser may be sent there; anything else is as good as none. */
static void take_redemption_url(const struct details *d)
{
    char *url = d->h->facts.redemption_url;
    struct jsonscan_span span;
    size_t len;

    if (!find(d, PATH("voucher", "redemption_url"), &span) ||
        jsonscan_string(d->text, span, url, sizeof d->h->facts.redemption_url, &len) != ERR_OK ||
        !str_starts(url, "https://") || !all_in(url, len, '!', '~'))
        url[0] = '\0';
}

static enum err take_card(const struct details *d)
{
    struct handout_facts *facts = &d->h->facts;
    enum err e = take_secret(d, PATH("card", "number"), HANDOUT_NUMBER, 12, '0', '9');

    facts->kind = HANDOUT_CARD;
    facts->valid_until_ms = CLOCK_NONE;
    if (e == ERR_OK)
        e = take_secret(d, PATH("card", "cvv"), HANDOUT_CVV, 3, '0', '9');
    if (e == ERR_OK)
        e = take_expiry(d);
    if (e == ERR_OK)
        e = take_text(d, PATH("card", "network"), facts->network, sizeof facts->network);
    if (e == ERR_OK)
        e = take_optional_secret(d, PATH("checkout_code"), HANDOUT_CODE, '!');
    if (e == ERR_OK)
        e = take_time(d, PATH("checkout_code_expires_at"), &facts->code_expires_at_ms);
    if (e == ERR_OK)
        memcpy(facts->last4, d->mem + slots[HANDOUT_NUMBER].offset + d->h->len[HANDOUT_NUMBER] - 4,
               4);
    return e;
}

static enum err take_voucher(const struct details *d)
{
    static const char *const value[3][4] = {{"voucher", "value", "minor", NULL},
                                            {"voucher", "value", "display", NULL},
                                            {"voucher", "value", "currency", NULL}};
    struct handout_facts *facts = &d->h->facts;
    enum err e = take_secret(d, PATH("voucher", "code"), HANDOUT_VOUCHER_CODE, 1, ' ', '~');

    facts->kind = HANDOUT_VOUCHER;
    facts->code_expires_at_ms = CLOCK_NONE;
    if (e == ERR_OK)
        e = take_optional_secret(d, PATH("voucher", "pin"), HANDOUT_VOUCHER_PIN, ' ');
    if (e == ERR_OK)
        e = take_text(d, PATH("voucher", "brand"), facts->brand, sizeof facts->brand);
    if (e == ERR_OK)
        e = take_amount(d, value, &facts->value_minor, facts->value_display,
                        sizeof facts->value_display);
    if (e == ERR_OK)
        e = take_text(d, PATH("voucher", "redemption_instructions"), facts->redemption,
                      sizeof facts->redemption);
    if (e == ERR_OK)
        e = take_time(d, PATH("voucher", "valid_until"), &facts->valid_until_ms);
    if (e == ERR_OK)
        take_redemption_url(d);
    return e;
}

static enum err take_all(const struct details *d)
{
    static const char *const limit[3][4] = {{"amount_limit", "minor", NULL},
                                            {"amount_limit", "display", NULL},
                                            {"amount_limit", "currency", NULL}};
    struct handout_facts *facts = &d->h->facts;
    bool has_card = find_object(d, PATH("card"));
    bool has_voucher = find_object(d, PATH("voucher"));
    char kind[16];
    enum err e = take_text(d, PATH("kind"), kind, sizeof kind);

    if (e == ERR_OK)
        e = take_amount(d, limit, &facts->amount_limit_minor, facts->amount_limit_display,
                        sizeof facts->amount_limit_display);
    if (e == ERR_OK)
        e = take_attempt(d);
    if (e == ERR_OK)
        e = take_time(d, PATH("expires_at"), &facts->expires_at_ms);
    if (e != ERR_OK)
        return e;
    if (strcmp(kind, "card") == 0 && has_card && !has_voucher)
        return take_card(d);
    if (strcmp(kind, "gift_card") == 0 && has_voucher && !has_card)
        return take_voucher(d);
    return ERR_FORMAT;
}

static enum err handout_read(const char *text, size_t len, struct handout **out)
{
    struct details d = {.text = text, .len = len};
    enum err e = ERR_MEMORY;

    d.h = alloc_zero(1, sizeof *d.h);
    if (d.h)
        d.h->mem = secret_new(sizeof(struct slots));
    if (!d.h || !d.h->mem)
        goto out;
    d.mem = (char *)secret_open_rw(d.h->mem);
    if (!d.mem)
        goto out;
    e = take_all(&d);
    secret_close(d.h->mem);
out:
    if (e != ERR_OK)
        handout_free(d.h);
    else
        *out = d.h;
    return e;
}

struct cut {
    char *text; /* the open body */
    struct handout *h;
    enum err e; /* of the last twin */
};

static void cut_details(void *ctx, struct jsonscan_span span)
{
    struct cut *cut = ctx;
    char *value = cut->text + span.start;
    bool is_null = span.len == 4 && memcmp(value, "null", 4) == 0;

    handout_free(cut->h);
    cut->h = NULL;
    cut->e = is_null ? ERR_OK : handout_read(value, span.len, &cut->h);
    scrub_bytes(value, span.len);
    memset(value, ' ', span.len);
    /* The text stays JSON of the same length; what is too short for null is too short for a secret.
     */
    if (span.len >= 4)
        memcpy(value, "null", 4);
    else
        value[0] = '0';
}

enum err handout_extract(struct secret *body, struct handout **out)
{
    struct cut cut = {.text = (char *)secret_open_rw(body)};
    enum err e;

    if (!cut.text)
        return ERR_MEMORY;
    e = jsonscan_each(cut.text, secret_len(body), PATH("data", "payment_details"), cut_details,
                      &cut);
    secret_close(body);
    e = e != ERR_OK ? ERR_NETWORK : cut.e;
    if (e != ERR_OK)
        handout_free(cut.h);
    else
        *out = cut.h;
    return e;
}

void handout_free(struct handout *h)
{
    if (!h)
        return;
    secret_free(h->mem);
    alloc_free(h);
}

const struct handout_facts *handout_facts_view(const struct handout *h)
{
    return &h->facts;
}

bool handout_has(const struct handout *h, enum handout_field field)
{
    return h->len[field] > 0;
}

size_t handout_field_len(const struct handout *h, enum handout_field field)
{
    return h->len[field];
}

enum err handout_use(struct handout *h, enum handout_field field, handout_use_fn *use, void *ctx)
{
    const unsigned char *mem;

    if (!handout_has(h, field))
        return ERR_USER;
    mem = secret_open(h->mem);
    if (!mem)
        return ERR_MEMORY;
    use(ctx, mem + slots[field].offset, h->len[field]);
    secret_close(h->mem);
    return ERR_OK;
}

void handout_mask(const struct handout *h, enum handout_field field, bool ascii, char *out,
                  size_t size)
{
    static const char *const masks[HANDOUT_FIELD_COUNT][2] = {
        [HANDOUT_NUMBER] = {"•••• •••• •••• ", "**** **** **** "},
        [HANDOUT_EXPIRY] = {"••/••", "**/**"},
        [HANDOUT_CVV] = {"•••", "***"},
        [HANDOUT_CODE] = {"••••••", "******"},
        [HANDOUT_VOUCHER_CODE] = {"••••••••", "********"},
        [HANDOUT_VOUCHER_PIN] = {"••••••••", "********"},
    };
    bool here = handout_has(h, field);
    size_t used;

    if (size == 0)
        return;
    (void)str_copy(out, size, here ? masks[field][ascii ? 1 : 0] : "");
    used = strlen(out);
    if (here && field == HANDOUT_NUMBER)
        (void)str_copy(out + used, size - used, h->facts.last4);
}
