/* SPDX-License-Identifier: Apache-2.0 */
/* Timelines that were seen, so that they can be shown again after a restart. Bounded for a purchase
 * here, in all by journal_prune. Loses at most the last rows with the power: they are no promise,
 * and a sync for each would make every read of the service cost a disk access. */
#include <string.h>

#include "contract/input.h"
#include "core/clock.h"
#include "core/ident.h"
#include "core/str.h"
#include "journal_private.h"

#define PRUNE_AFTER 500
#define CARD_WORDS  "(not kept: it held what looks like a card number)"

static bool is_kind(const char *kind)
{
    size_t len = strlen(kind);
    return len > 0 && len < JOURNAL_KIND_MAX && strspn(kind, "abcdefghijklmnopqrstuvwxyz_") == len;
}

static enum err insert(struct journal *j, const char *account, const char *purchase,
                       const struct journal_row *row)
{
    sqlite3_stmt *s = NULL;
    char text[JOURNAL_TEXT_MAX];
    if (!is_kind(row->kind))
        return ERR_USER;
    bool card = contract_answer_suspicion(row->text) == CONTRACT_CARD_NUMBER;
    (void)str_visible_copy(text, sizeof text, card ? CARD_WORDS : row->text);
    enum err e = db_prepare(j->db,
                            "INSERT OR IGNORE INTO timeline(account, purchase, at_ms, kind, state,"
                            " money, text) VALUES(?, ?, ?, ?, ?, ?, ?)",
                            &s);
    if (e != ERR_OK)
        return e;
    journal_bind_text(s, 1, account);
    journal_bind_text(s, 2, purchase);
    (void)sqlite3_bind_int64(s, 3, row->at_ms);
    journal_bind_text(s, 4, row->kind);
    journal_bind_word(s, 5, CONTRACT_KIND_STATE, row->state.value, row->state.raw);
    journal_bind_word(s, 6, CONTRACT_KIND_MONEY, row->money.value, row->money.raw);
    (void)sqlite3_bind_text(s, 7, text, -1, SQLITE_TRANSIENT);
    return db_finish(j->db, s);
}

static enum err trim(struct journal *j, const char *account, const char *purchase)
{
    sqlite3_stmt *s = NULL;
    enum err e = db_prepare(j->db,
                            "DELETE FROM timeline WHERE account = ?1 AND purchase = ?2 AND id <="
                            " (SELECT id FROM timeline WHERE account = ?1 AND purchase = ?2"
                            "  ORDER BY id DESC LIMIT 1 OFFSET ?3)",
                            &s);
    if (e != ERR_OK)
        return e;
    journal_bind_text(s, 1, account);
    journal_bind_text(s, 2, purchase);
    (void)sqlite3_bind_int(s, 3, JOURNAL_ROWS_PURCHASE);
    return db_finish(j->db, s);
}

enum err journal_add_rows(struct journal *j, const char *account, const char *purchase,
                          const struct journal_row *rows, size_t count)
{
    if (!account || !account[0] || strlen(account) >= JOURNAL_ACCOUNT_MAX ||
        !ident_is_purchase_ref(purchase))
        return ERR_USER;
    enum err e = journal_ready(j);
    if (e == ERR_OK)
        e = db_begin(j->db, false);
    if (e == ERR_OK) {
        for (size_t i = 0; i < count && e == ERR_OK; i++)
            e = insert(j, account, purchase, &rows[i]);
        if (e == ERR_OK)
            e = trim(j, account, purchase);
        e = db_end(j->db, e);
    }
    j->added += e == ERR_OK ? count : 0;
    if (e == ERR_OK && j->added >= PRUNE_AFTER)
        e = journal_prune(j);
    return journal_note(j, e);
}

static void take_enum(sqlite3_stmt *s, int at, enum contract_kind kind, struct contract_enum *out)
{
    char raw[sizeof out->raw];
    out->raw[0] = '\0';
    out->value = journal_take_word(s, at, kind);
    if (out->value != CONTRACT_UNRECOGNISED)
        return;
    journal_take_text(s, at, raw, sizeof raw);
    (void)str_visible_copy(out->raw, sizeof out->raw, raw);
}

/* Columns: account, purchase, at_ms, kind, state, money, text. */
static void take_row(sqlite3_stmt *s, struct journal_row *row)
{
    char text[JOURNAL_TEXT_MAX];
    journal_take_text(s, 1, row->purchase, sizeof row->purchase);
    row->at_ms = sqlite3_column_int64(s, 2);
    journal_take_text(s, 3, row->kind, sizeof row->kind);
    take_enum(s, 4, CONTRACT_KIND_STATE, &row->state);
    take_enum(s, 5, CONTRACT_KIND_MONEY, &row->money);
    journal_take_text(s, 6, text, sizeof text);
    (void)str_visible_copy(row->text, sizeof row->text, text);
}

enum err journal_load_rows(struct journal *j, const char *account, const char *purchase,
                           struct journal_row *rows, size_t max, size_t *count)
{
    sqlite3_stmt *s = NULL;
    size_t n = 0;
    enum err e = db_prepare(j->db,
                            "SELECT account, purchase, at_ms, kind, state, money, text FROM"
                            " (SELECT * FROM timeline WHERE account = ? AND purchase = ?"
                            "  ORDER BY id DESC LIMIT ?) ORDER BY id",
                            &s);
    if (e != ERR_OK)
        return journal_note(j, e);
    journal_bind_text(s, 1, account);
    journal_bind_text(s, 2, purchase);
    (void)sqlite3_bind_int64(s, 3, (sqlite3_int64)max);
    int code = SQLITE_DONE;
    while (n < max && (code = sqlite3_step(s)) == SQLITE_ROW)
        take_row(s, &rows[n++]);
    sqlite3_finalize(s);
    if (code != SQLITE_ROW && code != SQLITE_DONE)
        e = db_failed(j->db, code);
    if (e == ERR_OK)
        *count = n;
    return journal_note(j, e);
}

enum err journal_each_row(struct journal *j, const char *account, const char *purchase,
                          journal_row_fn *fn, void *ctx)
{
    sqlite3_stmt *s = NULL;
    struct journal_row row;
    char owner[JOURNAL_ACCOUNT_MAX];
    enum err e =
        db_prepare(j->db,
                   "SELECT account, purchase, at_ms, kind, state, money, text FROM timeline"
                   " WHERE (?1 IS NULL OR account = ?1) AND (?2 IS NULL OR purchase = ?2)"
                   " ORDER BY id",
                   &s);
    if (e != ERR_OK)
        return journal_note(j, e);
    journal_bind_text(s, 1, account);
    journal_bind_text(s, 2, purchase);
    int code;
    while ((code = sqlite3_step(s)) == SQLITE_ROW) {
        journal_take_text(s, 0, owner, sizeof owner);
        take_row(s, &row);
        if (!fn(ctx, owner, &row))
            break;
    }
    sqlite3_finalize(s);
    if (code != SQLITE_ROW && code != SQLITE_DONE)
        e = db_failed(j->db, code);
    return journal_note(j, e);
}
