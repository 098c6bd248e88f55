/* SPDX-License-Identifier: Apache-2.0 */
/* Writes lines. Must not know when a line is due. Invariant: what cannot be written whole (no
 * memory, a full disk) is left out whole; the stream's error is the caller's to look at. */
#include "plain/line.h"

#include <string.h>

#include "core/buf.h"
#include "core/clock.h"
#include "core/str.h"
#include "contract/input.h"

#define LINE_BYTES (16 * 1024)

struct twin {
    const char *from, *to;
};

/* Signs of ours and of amounts that have a twin; of the rest a mark stays. */
static const char *ascii_twin(const char *at, size_t len)
{
    static const struct twin twins[] = {
        {"\u20b9", "INR "}, {"\u00b7", "-"}, {"\u2026", "..."}, {"\u2022", "*"},  {"\u2013", "-"},
        {"\u2014", "-"},    {"\u2018", "'"}, {"\u2019", "'"},   {"\u201c", "\""}, {"\u201d", "\""}};
    for (size_t i = 0; i < sizeof(twins) / sizeof(twins[0]); i++)
        if (strlen(twins[i].from) == len && memcmp(twins[i].from, at, len) == 0)
            return twins[i].to;
    return "?";
}

static enum err append_ascii(struct buf *b, const char *text)
{
    enum err e = ERR_OK;
    size_t len = strlen(text);
    for (size_t i = 0; i < len && e == ERR_OK;) {
        int32_t cp = 0;
        size_t n = str_decode(text + i, len - i, &cp);
        e = n == 1 ? buf_append_char(b, text[i]) : buf_append_str(b, ascii_twin(text + i, n));
        i += n;
    }
    return e;
}

static void put(const struct plain_line *l, struct buf *b, enum err e)
{
    bool ascii = l->ascii && !l->json; /* JSON is UTF-8 anywhere */
    struct buf plain;
    buf_init(&plain, LINE_BYTES);
    if (e == ERR_OK && ascii)
        e = append_ascii(&plain, buf_view(b));
    if (e == ERR_OK) {
        fprintf(l->out, "%s\n", buf_view(ascii ? &plain : b));
        fflush(l->out);
    }
    buf_fini(&plain);
    buf_fini(b);
}

static enum err member(struct buf *b, const char *name, const char *value)
{
    enum err e = buf_printf(b, "%s\"%s\":", b->len > 1 ? "," : "", name);
    if (e != ERR_OK)
        return e;
    return value ? contract_json_string(b, value) : buf_append_str(b, "null");
}

static enum err member_time(struct buf *b, int64_t at_ms)
{
    char text[CLOCK_TEXT_MAX];
    clock_rfc3339(text, at_ms);
    return member(b, "at", text[0] ? text : NULL);
}

static const char *wire(enum contract_kind kind, const struct contract_enum *e)
{
    if (e->value == CONTRACT_ABSENT)
        return NULL;
    return e->value == CONTRACT_UNRECOGNISED ? e->raw : contract_wire(kind, e->value);
}

void plain_line_note(const struct plain_line *l, const char *kind, int64_t at_ms, const char *text)
{
    struct buf b;
    char at[CLOCK_TEXT_MAX];
    enum err e = ERR_OK;

    buf_init(&b, LINE_BYTES);
    if (l->json) {
        e = buf_append_char(&b, '{');
        e = e == ERR_OK ? member(&b, "type", kind) : e;
        e = e == ERR_OK ? member_time(&b, at_ms) : e;
        e = e == ERR_OK ? member(&b, "text", text) : e;
        e = e == ERR_OK ? buf_append_char(&b, '}') : e;
    } else {
        clock_local_hms(at, at_ms);
        e = buf_printf(&b, "%s%s%s", at, at[0] ? "  " : "", text);
    }
    put(l, &b, e);
}

static enum err write_json(struct buf *b, const struct model_purchase *p,
                           const struct plain_fact *fact)
{
    enum err e = buf_append_char(b, '{');
    e = e == ERR_OK ? member(b, "type", fact->kind) : e;
    e = e == ERR_OK ? member_time(b, fact->at_ms) : e;
    e = e == ERR_OK ? member(b, "purchase", p->id) : e;
    e = e == ERR_OK ? member(b, "merchant", p->merchant_name) : e;
    e = e == ERR_OK ? member(b, "amount", p->amount.known ? p->amount.display : NULL) : e;
    if (e == ERR_OK)
        e = p->amount.known ? buf_printf(b, ",\"amount_minor\":%lld", (long long)p->amount.minor)
                            : buf_append_str(b, ",\"amount_minor\":null");
    e = e == ERR_OK ? member(b, "state", wire(CONTRACT_KIND_STATE, &fact->state)) : e;
    e = e == ERR_OK ? member(b, "money", wire(CONTRACT_KIND_MONEY, &fact->money)) : e;
    e = e == ERR_OK && fact->end ? member(b, "end", fact->end) : e;
    if (e == ERR_OK && fact->what) {
        char by[CLOCK_TEXT_MAX];
        clock_rfc3339(by, fact->by_ms);
        e = member(b, "what", fact->what);
        e = e == ERR_OK ? member(b, "id", fact->id) : e;
        e = e == ERR_OK ? member(b, "url", fact->url) : e;
        e = e == ERR_OK ? member(b, "by", by[0] ? by : NULL) : e;
    }
    e = e == ERR_OK ? member(b, "text", fact->text) : e;
    return e == ERR_OK ? buf_append_char(b, '}') : e;
}

/* The time of day; of another day its date too. */
static void when(char out[CLOCK_TEXT_MAX], int64_t at_ms, int64_t now_ms)
{
    if (clock_same_local_day(at_ms, now_ms))
        clock_local_hms(out, at_ms);
    else
        clock_local_date_hm(out, at_ms);
}

static enum err write_words(struct buf *b, const struct model *m, const struct model_purchase *p,
                            const struct plain_fact *fact)
{
    char at[CLOCK_TEXT_MAX], amount[160], state[96], money[96];

    if (fact->end)
        (void)str_copy(at, sizeof(at), fact->known ? "Ended:" : "Not confirmed yet:");
    else
        when(at, fact->at_ms, model_now_ms(m));
    model_amount(m, &p->amount, amount, sizeof(amount));
    enum err e = buf_printf(b, "%s%s%s, %s", at,
                            fact->end ? " "
                            : at[0]   ? "  "
                                      : "",
                            p->merchant_name ? p->merchant_name : "unnamed merchant", amount);
    if (e == ERR_OK && fact->state.value != CONTRACT_ABSENT)
        e = buf_printf(b, ", %s",
                       contract_words(CONTRACT_KIND_STATE, &fact->state, state, sizeof(state), ""));
    if (e == ERR_OK)
        e = buf_printf(b, ": %s%s%s", fact->text, fact->more ? "  " : "",
                       fact->more ? fact->more : "");
    if (e == ERR_OK && !fact->end && fact->money.value != CONTRACT_ABSENT) {
        timeline_money_words(&fact->money, &fact->state, money, sizeof(money));
        if (!str_contains_nocase(fact->text, money))
            e = buf_printf(b, " [%s]", money);
    }
    return e;
}

void plain_line_fact(const struct plain_line *l, const struct model *m,
                     const struct model_purchase *p, const struct plain_fact *fact)
{
    struct buf b;
    buf_init(&b, LINE_BYTES);
    enum err e = l->json ? write_json(&b, p, fact) : write_words(&b, m, p, fact);
    put(l, &b, e);
}
