/* SPDX-License-Identifier: Apache-2.0 */
/* What this console set out to change at Envoy, and what came of it: one row a write, committed to
 * the disk before the first byte of the call leaves, and the timelines that were seen. By its
 * parameters it has no place for an answer's words, a code, a handout, or anything made from them.
 * Pages: api/requests (identifiers to keep), payments/recovery.
 *
 * Order for a write: journal_intent (ERR_OK, or nothing may be sent), send, journal_sent, then
 * journal_outcome or journal_unknown. A row that is INTENT, SENT or UNKNOWN is unresolved: the
 * write may have happened, and only a read (or, for a start, the same key with the same input)
 * settles it. Whatever is wrong with the file is a status with words for people, and monitoring
 * goes on. */
#ifndef STORE_JOURNAL_H
#define STORE_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "contract/enums.h"
#include "contract/reply.h"
#include "core/buf.h"
#include "core/err.h"

#define JOURNAL_ACCOUNT_MAX  129
#define JOURNAL_MERCHANT_MAX 512
#define JOURNAL_REQUEST_MAX  129
#define JOURNAL_KIND_MAX     24
#define JOURNAL_TEXT_MAX     320
#define JOURNAL_WORDS_MAX    320
#define JOURNAL_INPUT_MAX    (64 * 1024)
/* Limits of what is kept; the oldest goes first. An unresolved write is never let go. */
#define JOURNAL_ROWS_PURCHASE 400   /* timeline rows of one purchase */
#define JOURNAL_ROWS_ALL      20000 /* timeline rows in all */
#define JOURNAL_ROWS_DAYS     180
#define JOURNAL_WRITES_ALL    10000 /* writes with a known outcome */

struct journal;

enum journal_mode { JOURNAL_OFF, JOURNAL_READ_ONLY, JOURNAL_READ_WRITE };

struct journal_status {
    enum journal_mode mode;
    /* Changes with each opening; what was loaded before is then to be loaded again. */
    unsigned opened;
    long holder_pid;               /* of the console that has it; 0: nobody, or not known */
    bool can_retry;                /* journal_reopen may help */
    char words[JOURNAL_WORDS_MAX]; /* one line for people; "" when all is well */
};

struct journal_options {
    const char *path; /* journal_default_path; NULL: kept in memory for this run (demo) */
    bool make_dir;    /* make the file's directory and keep it at 0700 */
    bool read_only;   /* take no lock and write nothing (--read-only, listing) */
};

/* $XDG_STATE_HOME/envoy-console/journal.db, or below $HOME/.local/state when that is no absolute
 * path. false when neither is given or it is too long. */
bool journal_default_path(const char *xdg_state_home, const char *home, char *out, size_t size);

/* ERR_MEMORY only: any trouble with the file is in the status. */
enum err journal_open(const struct journal_options *options, struct journal **out) WARN_UNUSED;
void journal_close(struct journal *j); /* NULL allowed */
/* Borrowed; of the moment. After a failed write it says why, after the next good one no more. */
const struct journal_status *journal_status_view(struct journal *j);
/* Opens again, when the process that had it is gone or the disk was repaired. Does nothing while it
 * is open for writing without trouble, and costs no more than a look at the lock while another
 * console has it. */
void journal_reopen(struct journal *j);

/* X(NAME, stored word, words for people) */
#define JOURNAL_STATE_ROWS(X)                                                                      \
    X(INTENT, "intent", "about to be sent")                                                        \
    X(SENT, "sent", "sent, no reply")                                                              \
    X(UNKNOWN, "unknown", "outcome not known")                                                     \
    X(DONE, "done", "recorded by Envoy")                                                           \
    X(REPLAYED, "replayed", "was recorded already")                                                \
    X(REFUSED, "refused", "refused by Envoy")                                                      \
    X(NOT_SENT, "not_sent", "did not leave this computer")                                         \
    X(SETTLED, "settled", "settled by a later read")
enum journal_state {
#define X(NAME, wire, words) JOURNAL_##NAME,
    JOURNAL_STATE_ROWS(X)
#undef X
        JOURNAL_STATE_COUNT
};
bool journal_state_is_open(enum journal_state state); /* unresolved */
const char *journal_state_words(enum journal_state state);

/* Text is borrowed; NULL means none. Lengths as in the contract: a longer one is ERR_USER. */
struct journal_intent {
    enum contract_tool tool; /* one that writes */
    const char *account;     /* whose it is: opaque, never empty (case P6) */
    const char *key;         /* idempotency key; NULL for a tool without one */
    const char *purchase;
    const char *question;
    const char *attempt;        /* checkout_attempt_id */
    int outcome, failure, step; /* contract enums, CONTRACT_ABSENT when not meant */
    int64_t at_ms;
    const char *input; /* of a start: the accepted body, byte for byte; NULL for all others */
    size_t input_len;
    const char *merchant; /* of a start, for the guard against doubles; cut when too long */
    int64_t amount_minor; /* -1: none */
};

/* ERR_OK: committed and synced, *id names the row, the call may go out. A key that stands here
 * already is the same write once more: its row is taken again, unless tool, purchase, question or a
 * kept input differ (ERR_REFUSED). An answer to a question whose earlier answer under another key
 * is unresolved is ERR_REFUSED too. ERR_STORE: cannot be kept. ERR_USER: out of bounds. In every
 * case but ERR_OK nothing may be sent, and why says the reason in words. */
enum err journal_intent(struct journal *j, const struct journal_intent *intent, int64_t *id,
                        char why[JOURNAL_WORDS_MAX]) WARN_UNUSED;
/* The request was handed to the network. When this fails the row stays INTENT, which is read the
 * same way. */
enum err journal_sent(struct journal *j, int64_t id, int64_t at_ms) WARN_UNUSED;
enum err journal_unknown(struct journal *j, int64_t id, int64_t at_ms) WARN_UNUSED;

struct journal_outcome {
    enum journal_state state; /* DONE, REPLAYED, REFUSED, NOT_SENT or SETTLED */
    const char *purchase;     /* of a start: what it became; NULL otherwise */
    int code;                 /* enum contract_code, CONTRACT_ABSENT or CONTRACT_UNRECOGNISED */
    int http_status;          /* 0: none */
    const char *request_id;   /* for support; dropped when it has odd bytes */
    int64_t at_ms;
};
/* A known outcome stays: ERR_USER when the row has one already or is not there. The input of a
 * start is taken out with it, except for NOT_SENT and a refusal that may be repeated (RATE_LIMITED,
 * UNAVAILABLE). */
enum err journal_outcome(struct journal *j, int64_t id,
                         const struct journal_outcome *outcome) WARN_UNUSED;

struct journal_write {
    int64_t id;
    char account[JOURNAL_ACCOUNT_MAX];
    enum contract_tool tool; /* CONTRACT_TOOL_COUNT: one that this version does not know */
    char key[CONTRACT_ID_MAX];
    char purchase[CONTRACT_ID_MAX];
    char question[CONTRACT_QUESTION_ID_MAX];
    char attempt[CONTRACT_UUID_MAX];
    int outcome, failure, step;
    char merchant[JOURNAL_MERCHANT_MAX];
    int64_t amount_minor; /* -1: none */
    bool input_kept;
    enum journal_state state;
    int attempts;                     /* how often it was about to be sent */
    int64_t at_ms, sent_ms, ended_ms; /* CLOCK_NONE when not so far */
    int code;
    int http_status;
    char request_id[JOURNAL_REQUEST_MAX];
};

struct journal_filter {
    const char *account;  /* NULL: of all */
    const char *purchase; /* NULL: of all */
    bool unresolved;      /* only those */
    int64_t since_ms;     /* CLOCK_NONE: all */
    size_t limit;         /* the newest so many; 0: all */
};

/* Each row, oldest first; false from fn ends it. fn must not call into j. */
typedef bool journal_write_fn(void *ctx, const struct journal_write *w);
enum err journal_each_write(struct journal *j, const struct journal_filter *filter,
                            journal_write_fn *fn, void *ctx) WARN_UNUSED;
/* The accepted input of a start, byte for byte; ERR_USER when it is not kept (any more). */
enum err journal_load_input(struct journal *j, int64_t id, struct buf *out) WARN_UNUSED;

/* A timeline row. kind is a word of [a-z_] that the caller chooses and must not change its meaning.
 */
struct journal_row {
    char purchase[CONTRACT_ID_MAX]; /* filled when read */
    int64_t at_ms;
    char kind[JOURNAL_KIND_MAX];
    struct contract_enum state, money;
    char text[JOURNAL_TEXT_MAX]; /* visible text; must not hold words that a person sent */
};

/* Adds rows in their order, in one commit. A row that stands there already (same time, kind and
 * text) is not added again. A text that looks like a card number is replaced by words that say so.
 */
enum err journal_add_rows(struct journal *j, const char *account, const char *purchase,
                          const struct journal_row *rows, size_t count) WARN_UNUSED;
/* The newest rows of a purchase, at most max, oldest first. */
enum err journal_load_rows(struct journal *j, const char *account, const char *purchase,
                           struct journal_row *rows, size_t max, size_t *count) WARN_UNUSED;
typedef bool journal_row_fn(void *ctx, const char *account, const struct journal_row *row);
/* All rows, oldest first, of one account and purchase or (NULL) of all. */
enum err journal_each_row(struct journal *j, const char *account, const char *purchase,
                          journal_row_fn *fn, void *ctx) WARN_UNUSED;

/* One line each, without a line feed, safe to print: for `envoy-console journal`. */
enum err journal_write_text(const struct journal_write *w, struct buf *out) WARN_UNUSED;
enum err journal_write_json(const struct journal_write *w, struct buf *out) WARN_UNUSED;
enum err journal_row_text(const char *account, const struct journal_row *row,
                          struct buf *out) WARN_UNUSED;
enum err journal_row_json(const char *account, const struct journal_row *row,
                          struct buf *out) WARN_UNUSED;

#endif
