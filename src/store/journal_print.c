/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of the journal as lines for people and as JSON lines. Every text is made visible on its way
 * out, because the file is older than this run and anything may have written to it. */
#include <inttypes.h>
#include <string.h>

#include "contract/input.h"
#include "core/alloc.h"
#include "core/clock.h"
#include "core/money.h"
#include "core/str.h"
#include "journal_private.h"

static enum err put_visible(struct buf *out, const char *before, const char *text)
{
    if (!text[0])
        return ERR_OK;
    enum err e = buf_append_str(out, before);
    return e == ERR_OK ? str_visible(out, text, strlen(text), false) : e;
}

/* A further member of an object: its text, or null for none. */
static enum err json_text(struct buf *out, const char *name, const char *text)
{
    enum err e = buf_printf(out, ",\"%s\":", name);
    if (e != ERR_OK)
        return e;
    if (!text[0])
        return buf_append_str(out, "null");
    char *visible = str_visible_text(text);
    e = visible ? contract_json_string(out, visible) : ERR_MEMORY;
    alloc_free(visible);
    return e;
}

static enum err json_time(struct buf *out, const char *name, int64_t ms)
{
    char text[CLOCK_TEXT_MAX] = "";
    if (ms != CLOCK_NONE)
        clock_rfc3339(text, ms);
    return json_text(out, name, text);
}

static const char *word(enum contract_kind kind, int value)
{
    return value == CONTRACT_UNRECOGNISED ? "?" : contract_wire(kind, value);
}

static const char *enum_word(enum contract_kind kind, const struct contract_enum *e)
{
    return e->value == CONTRACT_UNRECOGNISED && e->raw[0] ? e->raw : word(kind, e->value);
}

static const char *tool_word(const struct journal_write *w)
{
    return w->tool == CONTRACT_TOOL_COUNT ? "?" : contract_wire(CONTRACT_KIND_TOOL, (int)w->tool);
}

enum err journal_write_text(const struct journal_write *w, struct buf *out)
{
    char time[CLOCK_TEXT_MAX], amount[MONEY_TEXT_MAX] = "";
    clock_local_date_hm(time, w->at_ms);
    if (w->amount_minor >= 0)
        money_format(amount, w->amount_minor, true);
    enum err e = buf_printf(out, "%s  %s: %s", time, tool_word(w), journal_state_words(w->state));
    const struct {
        const char *before, *text;
    } parts[] = {
        {", ", word(CONTRACT_KIND_CODE, w->code)},
        {"  ", word(CONTRACT_KIND_OUTCOME, w->outcome)},
        {" ", word(CONTRACT_KIND_FAILURE, w->failure)},
        {"  ", word(CONTRACT_KIND_STEP, w->step)},
        {"  ", w->merchant},
        {"  ", amount},
        {"  purchase ", w->purchase},
        {"  question ", w->question},
        {"  attempt ", w->attempt},
        {"  key ", w->key},
        {"  request ", w->request_id},
        {"  account ", w->account},
    };
    for (size_t i = 0; i < sizeof parts / sizeof parts[0] && e == ERR_OK; i++)
        e = put_visible(out, parts[i].before, parts[i].text);
    if (e == ERR_OK && w->attempts > 1)
        e = buf_printf(out, "  sent %d times", w->attempts);
    return e;
}

enum err journal_write_json(const struct journal_write *w, struct buf *out)
{
    const struct {
        const char *name, *text;
    } texts[] = {
        {"account", w->account},
        {"tool", tool_word(w)},
        {"idempotency_key", w->key},
        {"purchase", w->purchase},
        {"question", w->question},
        {"checkout_attempt_id", w->attempt},
        {"outcome", word(CONTRACT_KIND_OUTCOME, w->outcome)},
        {"failure_reason", word(CONTRACT_KIND_FAILURE, w->failure)},
        {"step", word(CONTRACT_KIND_STEP, w->step)},
        {"merchant", w->merchant},
        {"code", word(CONTRACT_KIND_CODE, w->code)},
        {"request_id", w->request_id},
        {"words", journal_state_words(w->state)},
    };
    static const char *const wires[] = {
#define X(NAME, wire, words) wire,
        JOURNAL_STATE_ROWS(X)
#undef X
    };
    enum err e = buf_printf(out, "{\"row\":\"write\",\"id\":%" PRId64 ",\"state\":\"%s\"", w->id,
                            wires[w->state]);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0] && e == ERR_OK; i++)
        e = json_text(out, texts[i].name, texts[i].text);
    if (e == ERR_OK)
        e = json_time(out, "at", w->at_ms);
    if (e == ERR_OK)
        e = json_time(out, "sent_at", w->sent_ms);
    if (e == ERR_OK)
        e = json_time(out, "ended_at", w->ended_ms);
    if (e == ERR_OK && w->amount_minor >= 0)
        e = buf_printf(out, ",\"amount_minor\":%" PRId64, w->amount_minor);
    else if (e == ERR_OK)
        e = buf_append_str(out, ",\"amount_minor\":null");
    if (e == ERR_OK)
        e = buf_printf(out, ",\"http_status\":%d,\"attempts\":%d,\"input_kept\":%s}",
                       w->http_status, w->attempts, w->input_kept ? "true" : "false");
    return e;
}

enum err journal_row_text(const char *account, const struct journal_row *row, struct buf *out)
{
    char time[CLOCK_TEXT_MAX];
    clock_local_date_hm(time, row->at_ms);
    enum err e = buf_append_str(out, time);
    if (e == ERR_OK)
        e = put_visible(out, "  ", row->purchase);
    if (e == ERR_OK)
        e = put_visible(out, "  ", enum_word(CONTRACT_KIND_STATE, &row->state));
    if (e == ERR_OK)
        e = put_visible(out, "  ", row->text);
    return e == ERR_OK ? put_visible(out, "  account ", account) : e;
}

enum err journal_row_json(const char *account, const struct journal_row *row, struct buf *out)
{
    const struct {
        const char *name, *text;
    } texts[] = {
        {"account", account},
        {"purchase", row->purchase},
        {"kind", row->kind},
        {"state", enum_word(CONTRACT_KIND_STATE, &row->state)},
        {"money", enum_word(CONTRACT_KIND_MONEY, &row->money)},
        {"text", row->text},
    };
    enum err e = buf_append_str(out, "{\"row\":\"timeline\"");
    if (e == ERR_OK)
        e = json_time(out, "at", row->at_ms);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0] && e == ERR_OK; i++)
        e = json_text(out, texts[i].name, texts[i].text);
    return e == ERR_OK ? buf_append_char(out, '}') : e;
}
