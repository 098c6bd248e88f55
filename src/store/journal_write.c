/* SPDX-License-Identifier: Apache-2.0 */
/* Writes: intent, sent, outcome or unknown. Has no parameter for what a person answered and keeps
 * nothing made from it. Invariants: an intent is on the disk before journal_intent returns; a key
 * stands for one write for ever; a known outcome is never made unknown again. */
#include <stdio.h>
#include <string.h>

#include "core/clock.h"
#include "core/ident.h"
#include "core/str.h"
#include "journal_private.h"

#define COLUMNS                                                                                    \
    "id, account, tool, idem, purchase, question, attempt, outcome, failure, step, merchant,"      \
    " amount_minor, input IS NOT NULL, state, attempts, at_ms, sent_ms, ended_ms, code,"           \
    " http_status, request_id"
#define OPEN_STATES "('intent', 'sent', 'unknown')"

struct state_row {
    const char *wire, *words;
};
static const struct state_row states[] = {
#define X(NAME, wire, words) {wire, words},
    JOURNAL_STATE_ROWS(X)
#undef X
};

bool journal_state_is_open(enum journal_state state)
{
    return state == JOURNAL_INTENT || state == JOURNAL_SENT || state == JOURNAL_UNKNOWN;
}

const char *journal_state_words(enum journal_state state)
{
    return states[state].words;
}

static enum journal_state find_state(const char *wire)
{
    for (size_t i = 0; i < JOURNAL_STATE_COUNT; i++)
        if (strcmp(states[i].wire, wire) == 0)
            return (enum journal_state)i;
    return JOURNAL_UNKNOWN;
}

static void take_write(sqlite3_stmt *s, struct journal_write *w)
{
    char state[16];
    memset(w, 0, sizeof *w);
    w->id = sqlite3_column_int64(s, 0);
    journal_take_text(s, 1, w->account, sizeof w->account);
    int tool = journal_take_word(s, 2, CONTRACT_KIND_TOOL);
    w->tool = tool < 0 ? CONTRACT_TOOL_COUNT : (enum contract_tool)tool;
    journal_take_text(s, 3, w->key, sizeof w->key);
    journal_take_text(s, 4, w->purchase, sizeof w->purchase);
    journal_take_text(s, 5, w->question, sizeof w->question);
    journal_take_text(s, 6, w->attempt, sizeof w->attempt);
    w->outcome = journal_take_word(s, 7, CONTRACT_KIND_OUTCOME);
    w->failure = journal_take_word(s, 8, CONTRACT_KIND_FAILURE);
    w->step = journal_take_word(s, 9, CONTRACT_KIND_STEP);
    journal_take_text(s, 10, w->merchant, sizeof w->merchant);
    bool no_amount = sqlite3_column_type(s, 11) == SQLITE_NULL;
    w->amount_minor = no_amount ? -1 : sqlite3_column_int64(s, 11);
    w->input_kept = sqlite3_column_int(s, 12) != 0;
    journal_take_text(s, 13, state, sizeof state);
    w->state = find_state(state);
    w->attempts = sqlite3_column_int(s, 14);
    w->at_ms = journal_take_ms(s, 15);
    w->sent_ms = journal_take_ms(s, 16);
    w->ended_ms = journal_take_ms(s, 17);
    w->code = journal_take_word(s, 18, CONTRACT_KIND_CODE);
    w->http_status = sqlite3_column_int(s, 19);
    journal_take_text(s, 20, w->request_id, sizeof w->request_id);
}

/* Before it is sent */

static bool is_answer(enum contract_tool tool)
{
    return tool == CONTRACT_TOOL_SUBMIT_ANSWER || tool == CONTRACT_TOOL_ANSWER_PURCHASE_QUESTION;
}

static bool fits(const char *text, size_t size)
{
    return !text || (strlen(text) < size && str_is_utf8(text, strlen(text)));
}

/* NULL when the intent can be kept. A body where none belongs would be an answer's words. */
static const char *odd_about(const struct journal_intent *i)
{
    bool start = i->tool == CONTRACT_TOOL_START_PURCHASE;
    if (!contract_is_write(i->tool))
        return "This call changes nothing and has no place in the journal.";
    if (!i->account || !i->account[0] || !fits(i->account, JOURNAL_ACCOUNT_MAX))
        return "It is not known yet whose account this is, so nothing was sent.";
    if ((i->key && !ident_is_key(i->key)) || ((start || is_answer(i->tool)) && !i->key))
        return "The key of this write is no key; nothing was sent.";
    if ((i->purchase && !ident_is_purchase_ref(i->purchase)) || (!start && !i->purchase))
        return "The purchase of this write is not named well; nothing was sent.";
    if (!fits(i->question, CONTRACT_QUESTION_ID_MAX))
        return "The question of this write is not named well; nothing was sent.";
    if (i->attempt && !ident_is_uuid(i->attempt))
        return "The checkout attempt of this write is not named well; nothing was sent.";
    if (start != (i->input != NULL) || i->input_len > JOURNAL_INPUT_MAX ||
        (start && i->input_len == 0))
        return "The input of this write does not belong in the journal; nothing was sent.";
    return NULL;
}

struct earlier {
    bool there;
    struct journal_write write;
    bool same_input; /* or none kept */
};

static enum err find_key(struct journal *j, const struct journal_intent *i, struct earlier *out)
{
    sqlite3_stmt *s = NULL;
    out->there = false;
    if (!i->key)
        return ERR_OK;
    enum err e = db_prepare(j->db, "SELECT " COLUMNS ", input FROM writes WHERE idem = ?", &s);
    if (e != ERR_OK)
        return e;
    journal_bind_text(s, 1, i->key);
    int code = sqlite3_step(s);
    if (code == SQLITE_ROW) {
        const void *input = sqlite3_column_blob(s, 21);
        size_t len = (size_t)sqlite3_column_bytes(s, 21);
        out->there = true;
        take_write(s, &out->write);
        out->same_input =
            !input || (i->input && len == i->input_len && memcmp(input, i->input, len) == 0);
    } else if (code != SQLITE_DONE) {
        e = db_failed(j->db, code);
    }
    sqlite3_finalize(s);
    return e;
}

static bool is_text(const char *kept, const char *given)
{
    return strcmp(kept, given ? given : "") == 0;
}

/* Why the same key cannot be used for this; NULL when it is the same write once more. */
static const char *conflict(const struct earlier *was, const struct journal_intent *i)
{
    const struct journal_write *w = &was->write;
    char merchant[JOURNAL_MERCHANT_MAX];
    (void)str_copy(merchant, sizeof merchant, i->merchant ? i->merchant : "");
    if (w->state == JOURNAL_DONE || w->state == JOURNAL_REPLAYED)
        return "This was recorded by Envoy already; it is not sent again.";
    bool same = w->tool != CONTRACT_TOOL_COUNT && contract_tool_is_same(w->tool, i->tool) &&
                is_text(w->account, i->account) && is_text(w->question, i->question) &&
                is_text(w->attempt, i->attempt) && was->same_input &&
                is_text(w->merchant, merchant) &&
                w->amount_minor == (i->amount_minor < 0 ? -1 : i->amount_minor);
    if (i->tool != CONTRACT_TOOL_START_PURCHASE)
        same = same && is_text(w->purchase, i->purchase);
    return same ? NULL : "This key belongs to another write; nothing was sent.";
}

/* Is there an answer to the same question under another key of which nobody knows the outcome? Of
 * any account: a purchase's id is never used twice, and who asks now may have been named otherwise.
 */
static enum err find_rival(struct journal *j, const struct journal_intent *i, bool *there)
{
    sqlite3_stmt *s = NULL;
    *there = false;
    if (!is_answer(i->tool) || !i->question || !i->question[0])
        return ERR_OK; /* a vault save names no question */
    enum err e = db_prepare(j->db,
                            "SELECT 1 FROM writes WHERE state IN " OPEN_STATES
                            " AND purchase = ? AND question = ? AND idem <> ?",
                            &s);
    if (e != ERR_OK)
        return e;
    journal_bind_text(s, 1, i->purchase);
    journal_bind_text(s, 2, i->question);
    journal_bind_text(s, 3, i->key);
    int code = sqlite3_step(s);
    sqlite3_finalize(s);
    *there = code == SQLITE_ROW;
    return code == SQLITE_ROW || code == SQLITE_DONE ? ERR_OK : db_failed(j->db, code);
}

static enum err take_again(struct journal *j, const struct journal_intent *i, int64_t id)
{
    sqlite3_stmt *s = NULL;
    enum err e = db_prepare(j->db,
                            "UPDATE writes SET state = 'intent', attempts = attempts + 1,"
                            " input = ?, sent_ms = NULL, ended_ms = NULL, code = NULL,"
                            " http_status = NULL, request_id = NULL WHERE id = ?",
                            &s);
    if (e != ERR_OK)
        return e;
    if (i->input)
        (void)sqlite3_bind_blob(s, 1, i->input, (int)i->input_len, SQLITE_STATIC);
    (void)sqlite3_bind_int64(s, 2, id);
    return db_finish(j->db, s);
}

static enum err insert(struct journal *j, const struct journal_intent *i, int64_t *id)
{
    sqlite3_stmt *s = NULL;
    char merchant[JOURNAL_MERCHANT_MAX];
    enum err e = db_prepare(j->db,
                            "INSERT INTO writes(account, tool, idem, purchase, question, attempt,"
                            " outcome, failure, step, merchant, amount_minor, input, state, at_ms)"
                            " VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'intent', ?)",
                            &s);
    if (e != ERR_OK)
        return e;
    (void)str_copy(merchant, sizeof merchant, i->merchant ? i->merchant : "");
    journal_bind_text(s, 1, i->account);
    journal_bind_text(s, 2, contract_wire(CONTRACT_KIND_TOOL, (int)i->tool));
    journal_bind_text(s, 3, i->key);
    journal_bind_text(s, 4, i->purchase);
    journal_bind_text(s, 5, i->question);
    journal_bind_text(s, 6, i->attempt);
    journal_bind_word(s, 7, CONTRACT_KIND_OUTCOME, i->outcome, NULL);
    journal_bind_word(s, 8, CONTRACT_KIND_FAILURE, i->failure, NULL);
    journal_bind_word(s, 9, CONTRACT_KIND_STEP, i->step, NULL);
    journal_bind_text(s, 10, merchant);
    if (i->amount_minor >= 0)
        (void)sqlite3_bind_int64(s, 11, i->amount_minor);
    if (i->input)
        (void)sqlite3_bind_blob(s, 12, i->input, (int)i->input_len, SQLITE_STATIC);
    (void)sqlite3_bind_int64(s, 13, i->at_ms);
    e = db_finish(j->db, s);
    if (e == ERR_OK)
        *id = sqlite3_last_insert_rowid(db_handle(j->db));
    return e;
}

static enum err keep(struct journal *j, const struct journal_intent *i, int64_t *id,
                     const char **why)
{
    struct earlier was;
    bool rival = false;
    enum err e = find_key(j, i, &was);
    if (e == ERR_OK && was.there) {
        *why = conflict(&was, i);
        *id = was.write.id;
        return *why ? ERR_REFUSED : take_again(j, i, was.write.id);
    }
    if (e == ERR_OK)
        e = find_rival(j, i, &rival);
    if (e == ERR_OK && rival) {
        *why = "An earlier answer to this question may have arrived. It is read first; nothing was "
               "sent.";
        return ERR_REFUSED;
    }
    return e == ERR_OK ? insert(j, i, id) : e;
}

enum err journal_intent(struct journal *j, const struct journal_intent *intent, int64_t *id,
                        char why[JOURNAL_WORDS_MAX])
{
    int64_t fresh = 0;
    const char *odd = odd_about(intent);
    enum err e = ERR_USER;
    if (!odd) {
        e = journal_ready(j);
        if (e == ERR_OK)
            e = db_begin(j->db, true);
        if (e == ERR_OK)
            e = db_end(j->db, keep(j, intent, &fresh, &odd));
        (void)journal_note(j, e);
    }
    if (e == ERR_OK) {
        *id = fresh;
        return e;
    }
    if (e == ERR_MEMORY)
        odd = "There is no memory to write the journal; nothing was sent.";
    (void)str_copy(why, JOURNAL_WORDS_MAX, odd ? odd : j->status.words);
    return e;
}

/* What came of it */

/* Runs an update of one row in a commit of its own; a row that does not match is ERR_USER. */
static enum err update_row(struct journal *j, sqlite3_stmt *s)
{
    enum err e = db_begin(j->db, true);
    if (e != ERR_OK) {
        sqlite3_finalize(s);
        return e;
    }
    e = db_finish(j->db, s);
    if (e == ERR_OK && sqlite3_changes(db_handle(j->db)) != 1)
        e = ERR_USER;
    return db_end(j->db, e);
}

static enum err mark(struct journal *j, const char *sql, int64_t id, int64_t at_ms)
{
    sqlite3_stmt *s = NULL;
    enum err e = journal_ready(j);
    if (e == ERR_OK)
        e = db_prepare(j->db, sql, &s);
    if (e == ERR_OK) {
        (void)sqlite3_bind_int64(s, 1, at_ms);
        (void)sqlite3_bind_int64(s, 2, id);
        e = update_row(j, s);
    }
    return journal_note(j, e);
}

enum err journal_sent(struct journal *j, int64_t id, int64_t at_ms)
{
    return mark(j,
                "UPDATE writes SET state = 'sent', sent_ms = ? WHERE id = ? AND state = 'intent'",
                id, at_ms);
}

enum err journal_unknown(struct journal *j, int64_t id, int64_t at_ms)
{
    return mark(j,
                "UPDATE writes SET state = 'unknown', ended_ms = ? WHERE id = ? AND state IN"
                " ('intent', 'sent')",
                id, at_ms);
}

/* Bytes of an id that a service gives for its support; anything else could be an echo. */
static bool is_request_id(const char *s)
{
    size_t len = s ? strlen(s) : 0;
    return len > 0 && len < JOURNAL_REQUEST_MAX &&
           strspn(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._:-") == len;
}

static bool may_be_repeated(const struct journal_outcome *o)
{
    return o->state == JOURNAL_NOT_SENT ||
           (o->state == JOURNAL_REFUSED &&
            (o->code == CONTRACT_CODE_RATE_LIMITED || o->code == CONTRACT_CODE_UNAVAILABLE));
}

enum err journal_outcome(struct journal *j, int64_t id, const struct journal_outcome *outcome)
{
    sqlite3_stmt *s = NULL;
    const char *purchase = outcome->purchase;
    if (journal_state_is_open(outcome->state) || outcome->state >= JOURNAL_STATE_COUNT)
        return ERR_USER;
    if (purchase && !ident_is_purchase_ref(purchase))
        purchase = NULL;
    enum err e = journal_ready(j);
    if (e == ERR_OK)
        e = db_prepare(j->db,
                       "UPDATE writes SET state = ?1, ended_ms = ?2, code = ?3, http_status = ?4,"
                       " request_id = ?5, purchase = coalesce(?6, purchase),"
                       " input = CASE WHEN ?7 THEN input ELSE NULL END"
                       " WHERE id = ?8 AND state IN " OPEN_STATES,
                       &s);
    if (e == ERR_OK) {
        journal_bind_text(s, 1, states[outcome->state].wire);
        journal_bind_ms(s, 2, outcome->at_ms);
        journal_bind_word(s, 3, CONTRACT_KIND_CODE, outcome->code, NULL);
        if (outcome->http_status > 0)
            (void)sqlite3_bind_int(s, 4, outcome->http_status);
        journal_bind_text(s, 5, is_request_id(outcome->request_id) ? outcome->request_id : NULL);
        journal_bind_text(s, 6, purchase);
        (void)sqlite3_bind_int(s, 7, may_be_repeated(outcome));
        (void)sqlite3_bind_int64(s, 8, id);
        e = update_row(j, s);
    }
    return journal_note(j, e);
}

/* Reading */

enum err journal_each_write(struct journal *j, const struct journal_filter *filter,
                            journal_write_fn *fn, void *ctx)
{
    sqlite3_stmt *s = NULL;
    struct journal_write w;
    enum err e = db_prepare(j->db,
                            "SELECT * FROM (SELECT " COLUMNS " FROM writes"
                            " WHERE (?1 IS NULL OR account = ?1) AND (?2 IS NULL OR purchase = ?2)"
                            " AND (NOT ?3 OR state IN " OPEN_STATES ")"
                            " AND (?4 IS NULL OR at_ms >= ?4)"
                            " ORDER BY id DESC LIMIT ?5) ORDER BY id",
                            &s);
    if (e != ERR_OK)
        return journal_note(j, e);
    journal_bind_text(s, 1, filter->account);
    journal_bind_text(s, 2, filter->purchase);
    (void)sqlite3_bind_int(s, 3, filter->unresolved);
    journal_bind_ms(s, 4, filter->since_ms);
    (void)sqlite3_bind_int64(s, 5, filter->limit ? (sqlite3_int64)filter->limit : -1);
    int code;
    while ((code = sqlite3_step(s)) == SQLITE_ROW) {
        take_write(s, &w);
        if (!fn(ctx, &w))
            break;
    }
    sqlite3_finalize(s);
    if (code != SQLITE_ROW && code != SQLITE_DONE)
        e = db_failed(j->db, code);
    return journal_note(j, e);
}

enum err journal_load_input(struct journal *j, int64_t id, struct buf *out)
{
    sqlite3_stmt *s = NULL;
    enum err e = db_prepare(j->db, "SELECT input FROM writes WHERE id = ?", &s);
    if (e != ERR_OK)
        return journal_note(j, e);
    (void)sqlite3_bind_int64(s, 1, id);
    int code = sqlite3_step(s);
    const void *input = code == SQLITE_ROW ? sqlite3_column_blob(s, 0) : NULL;
    if (input)
        e = buf_append(out, input, (size_t)sqlite3_column_bytes(s, 0));
    else if (code == SQLITE_ROW || code == SQLITE_DONE)
        e = ERR_USER;
    else
        e = db_failed(j->db, code);
    sqlite3_finalize(s);
    return journal_note(j, e);
}
