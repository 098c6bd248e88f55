/* SPDX-License-Identifier: Apache-2.0 */
/* Everything the console knows and everything the person has done on screen, as data. Owned by one
 * struct model; screens read it and keep only ids. Changed by app/update alone. No curses, no I/O.
 * Times named _mono are core/clock's monotonic milliseconds, all others are server time. */
#ifndef APP_MODEL_H
#define APP_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "app/edit.h"
#include "app/shop.h"
#include "app/start.h"
#include "contract/input.h"
#include "contract/reply.h"
#include "core/buf.h"
#include "flow/follow.h"
#include "flow/policy.h"
#include "flow/retry.h"
#include "flow/timeline.h"
#include "net/envoy_http.h"
#include "secret/handout.h"
#include "store/journal.h"

#define MODEL_FOLLOW_MAX 5      /* held reads at once */
#define MODEL_ROWS_MAX 400      /* timeline rows kept for a purchase */
#define MODEL_ACTIVITY_MAX 500
#define MODEL_NEWS_MS 5000
#define MODEL_REVEAL_MS 10000
#define MODEL_PERSONAL_MS 60000 /* personal details stay visible this long */
#define MODEL_LIST_REFRESH_MS 60000

/* Views, in the order of their number keys. One row adds a view: X(NAME, key, full title, short). */
#define MODEL_VIEW_ROWS(X)                                                                         \
    X(PURCHASES, '1', "Purchases", "Purch")                                                        \
    X(ACCOUNT, '2', "Account", "Acct")                                                             \
    X(TRANSACTIONS, '3', "Transactions", "Trans")                                                  \
    X(SHOP, '4', "Shop", "Shop")                                                                   \
    X(QUESTIONS, '5', "Questions", "Quest")                                                        \
    X(ACTIVITY, '6', "Activity", "Act")
enum model_view {
#define X(NAME, key, title, brief) MODEL_VIEW_##NAME,
    MODEL_VIEW_ROWS(X)
#undef X
    MODEL_VIEW_COUNT
};

enum model_pane { MODEL_PANE_LIST, MODEL_PANE_TIMELINE, MODEL_PANE_NEED, MODEL_PANE_COUNT };

/* What the pane below the timeline is for the selected purchase (model_need). */
enum model_need {
    MODEL_NEED_FACTS,    /* order facts, money, references */
    MODEL_NEED_QUESTION, /* an open question, answerable or a refused password */
    MODEL_NEED_TASK,     /* the owner must do something */
    MODEL_NEED_HANDOUT,  /* a handout is held, or ready without one (says why) */
    MODEL_NEED_FEEDBACK, /* optional feedback on a completed purchase */
    MODEL_NEED_UNKNOWN,  /* a write whose outcome is not known: what is safe, what is tried */
};

/* Dialogs lie on a stack; only the top one gets keys. */
enum model_dialog {
    MODEL_DIALOG_NONE,
    MODEL_DIALOG_HELP,
    MODEL_DIALOG_PALETTE,   /* ':' commands */
    MODEL_DIALOG_REVIEW,    /* exactly what will be sent, to whom */
    MODEL_DIALOG_CANCEL,    /* confirm with another key; default No */
    MODEL_DIALOG_PAID,      /* order reference, amount, confirm */
    MODEL_DIALOG_FAILED,    /* reason list, confirm */
    MODEL_DIALOG_STEPS,     /* one-key ticks */
    MODEL_DIALOG_QUIT,      /* a draft or an open write would be lost sight of */
    MODEL_DIALOG_FILTER,    /* '/' */
    MODEL_DIALOG_DATES,     /* transactions: from, to, page size */
    MODEL_DIALOG_LINE,      /* details of one transaction */
    MODEL_DIALOG_EXPORT,    /* format and file name */
    MODEL_DIALOG_QR,        /* payment link as a QR code */
    MODEL_DIALOG_CALL,      /* details of one call in Activity */
    MODEL_DIALOG_START,     /* the start form and its review */
};
#define MODEL_DIALOG_DEPTH 4

enum model_link {
    MODEL_LINK_CONNECTING, /* nothing good was read yet */
    MODEL_LINK_LIVE,       /* the last read was good */
    MODEL_LINK_TROUBLE,    /* reads fail; next try is scheduled */
    MODEL_LINK_LIMITED,    /* 429: nothing goes out before link_until_mono */
    MODEL_LINK_SIGNED_OUT, /* 401 */
    MODEL_LINK_UPDATE,     /* the service wants a newer program */
};

enum model_write_state {
    MODEL_WRITE_NONE,
    MODEL_WRITE_SENT,     /* on its way, no reply yet */
    MODEL_WRITE_DONE,     /* recorded */
    MODEL_WRITE_REPLAYED, /* was already recorded */
    MODEL_WRITE_REFUSED,  /* Envoy said no: text says why */
    MODEL_WRITE_UNKNOWN,  /* reply lost: read first, never sent again by itself */
    MODEL_WRITE_SETTLED,  /* was unknown, then a read showed what happened: text says what */
};

enum model_write_kind {
    MODEL_WRITE_ANSWER,
    MODEL_WRITE_FEEDBACK,
    MODEL_WRITE_VAULT,
    MODEL_WRITE_REPORT,
    MODEL_WRITE_STEP,
    MODEL_WRITE_CANCEL,
    MODEL_WRITE_KIND_COUNT,
};

/* One write of a purchase, the latest of its kind. Never holds an answer's text. */
struct model_write {
    enum model_write_state state;
    char key[CONTRACT_ID_MAX];           /* idempotency key, "" for tools without one */
    char question[CONTRACT_QUESTION_ID_MAX];
    char attempt_id[CONTRACT_UUID_MAX];  /* of the handout that was used */
    int outcome, failure, step;          /* contract enums, CONTRACT_ABSENT when not meant */
    int64_t sent_at_ms, ended_at_ms;
    int64_t ended_mono;                  /* only reads that began later can say that nothing came of it */
    uint64_t call;                       /* model_call.id while SENT */
    uint64_t intent;                     /* id it is known by in the journal; 0: none */
    char text[TIMELINE_TEXT_MAX];        /* what happened, for people */
    char support[16];
};

/* What came of a write, on its way to the journal. */
struct model_outcome {
    uint64_t intent; /* model_write.intent or start_form.intent */
    enum journal_state state;
    char purchase[CONTRACT_ID_MAX]; /* of a start: what it became */
    int code;                       /* enum contract_code or CONTRACT_ABSENT */
    int http_status;
    char request_id[129];
    int64_t at_ms;
};
#define MODEL_OUTCOMES_MAX 24

struct model_draft { /* one for a question; kept by question id, never stored on disk */
    char question[CONTRACT_QUESTION_ID_MAX];
    bool closed;          /* the question is no longer open: kept for copying only */
    struct edit edit;
    int rating;           /* feedback: 0 none, 1..5 */
    char *sent;           /* the words as last sent, so that a retry is byte for byte; NULL: not sent */
    char sent_key[CONTRACT_ID_MAX];
};
#define MODEL_DRAFTS_MAX 4

struct model_purchase {
    char id[CONTRACT_ID_MAX];
    /* From list_purchases or the newest snapshot, whichever is newer. */
    struct contract_enum state;
    char *merchant_name;
    struct contract_amount amount;
    struct contract_enum checkout_by;
    int64_t created_at_ms;
    bool listed;

    struct contract_purchase *snap; /* NULL until read */
    struct contract_user_action action;
    struct contract_follow_up_call vault_offer; /* args NULL when not offered */
    struct contract_follow_up_call feedback_offer;
    struct contract_follow_up_call retry_offer;
    bool retry_told;                /* the newest instruction names the linked retry */
    int64_t offers_mono;            /* when the vault offer came up */
    char *next_args;                /* exact args of the newest next; NULL when it has none */
    bool next_is_read;              /* next_args belong to a read that may be made */
    struct contract_enum next_tool;
    char request_id[129];           /* of the newest reply about it */

    /* Following */
    struct follow_memory memory;
    enum follow_stop stop;
    bool follow_started;            /* a first read was planned */
    bool next_held;                 /* a read with next_args may hold */
    int64_t next_wait_seconds, next_timeout_ms; /* of such a read */
    bool read_plain;                /* the planned read does not use next_args */
    bool held;                      /* the newest read may hold */
    int64_t hold_seconds;           /* -1 when it does not */
    int64_t due_mono;               /* when the next read goes out; INT64_MAX when none is planned */
    int64_t by_ms;
    int64_t timeout_ms;             /* of the newest read */
    uint64_t read_call;             /* model_call.id in flight, 0 when none */
    bool read_dropped;              /* it was asked to be aborted; its result is to come */
    int64_t read_started_mono;
    struct retry_backoff backoff;
    int missed;                     /* reads in a row without a good reply */
    int64_t last_good_mono;         /* INT64_MIN when never */
    int64_t changed_at_ms;          /* server time of the last change, for "since when" */
    char trouble[200];              /* last read's problem in words; "" when it was good */

    struct timeline_row *rows;
    size_t row_count;
    size_t rows_saved;              /* rows, dropped ones included, that the journal has seen */
    bool history_loaded;            /* the journal was asked for older rows */
    size_t rows_dropped;            /* older rows that were let go */

    struct handout *handout;        /* guarded; NULL when none is held */
    bool handout_seen;              /* one was received by this process */
    bool handout_malformed;
    int64_t handout_at_ms;
    char attempt_id[CONTRACT_UUID_MAX]; /* of the handout that is used: stays for the report */
    bool attempt_used;              /* revealed, ticked or reported: a later handout's id must not replace it */
    unsigned steps_done;            /* bit set of 1u << enum contract_step */

    struct model_write writes[MODEL_WRITE_KIND_COUNT];
    struct model_draft drafts[MODEL_DRAFTS_MAX];
    struct secret *secret_entry;    /* otp being typed; guarded; NULL when none */
    size_t secret_chars;            /* how many characters it has (the mask grows with it, up to 12) */
    char secret_question[CONTRACT_QUESTION_ID_MAX];
    bool needs_look;                /* became in need of a person and was not selected since */
};

enum model_purpose { /* why a call was made */
    MODEL_CALL_ACCOUNT,
    MODEL_CALL_PERSONAL,
    MODEL_CALL_LIST,
    MODEL_CALL_LINES,
    MODEL_CALL_READ,   /* follow, first read, or look again */
    MODEL_CALL_HANDOUT, /* show the handout again: one press, one read */
    MODEL_CALL_WRITE,
    MODEL_CALL_START,  /* start_purchase */
    MODEL_CALL_START_READ, /* by key, after its reply was lost */
    MODEL_CALL_MERCHANTS,
    MODEL_CALL_PRODUCTS,
    MODEL_CALL_SIM,    /* the simulator's control interface */
};

struct model_call { /* in flight, or ended in the activity ring */
    uint64_t id;
    enum model_purpose purpose;
    enum contract_tool tool;
    enum model_write_kind write; /* for MODEL_CALL_WRITE */
    char purchase[CONTRACT_ID_MAX];
    bool held;
    int64_t started_mono, ended_mono; /* ended: 0 while in flight */
    int64_t started_at_ms;
    enum envoy_outcome outcome;
    int http_status;
    char code[32];        /* error code, "" when none */
    char request_id[129], trace_id[129], support[16];
    char note[200];       /* what came of it, in words; waits and retries with their reasons */
};
#define MODEL_CALLS_MAX 16

struct model_lines { /* the Transactions view */
    struct contract_line *rows;
    size_t count;
    char *cursor;         /* exact; NULL at the end or before the first page */
    bool started, loading, ended;
    bool again;            /* the range changed while a page was on its way: read from the newest then */
    char from[11], to[11]; /* "" when open */
    int limit;             /* page size, 1..50 */
    char selected[129];
    size_t top;
    char trouble[360];
    int64_t read_at_ms;
    bool was_refused;      /* the range or cursor was refused: start again */
};

struct model_reveal { /* at most one field at a time */
    bool on;
    char purchase[CONTRACT_ID_MAX];
    enum handout_field field;
    int64_t until_mono;
};

struct model_form { /* the fields of the dialog on top */
    struct edit field[4];
    int field_count;
    int focus;
    int choice;            /* selected row of a list in the dialog */
    int64_t opened_mono;   /* no confirm within 500 ms (case H1) */
    char purchase[CONTRACT_ID_MAX]; /* what it is about, fixed when it opened */
    char question[CONTRACT_QUESTION_ID_MAX];
    char problem[560];     /* what is wrong with the fields, in words */
};

struct model_news { /* transient, header's right half */
    char text[160];
    bool warning;
    int64_t until_mono;
};

struct model_settings { /* fixed at start */
    bool demo;
    bool read_only;
    bool ascii;            /* no UTF-8: box drawing and currency sign have ASCII twins */
    bool sim_control;      /* the Phone commands work: base URL is a simulator we started */
    int clock_factor;      /* how fast the simulator's clock runs beside ours; 0 or 1: alike */
    char scenario[40];
    char host[128];        /* of the API, visible */
    char theme[40];
};

struct model {
    struct model_settings set;
    int width_cells, height_cells;
    bool too_small;          /* only quit and help act (case R2) */

    /* Time */
    int64_t now_mono;        /* set at every update */
    int64_t server_offset_ms; /* server time - monotonic */
    bool server_time_known;

    /* Connection */
    enum model_link link;
    int64_t last_good_mono;  /* INT64_MIN when never */
    int64_t link_until_mono; /* next try or end of the wait; INT64_MAX when none */
    char link_text[200];     /* what is wrong, in words */
    struct retry_gate gate;
    struct retry_backoff account_backoff, list_backoff;

    /* Account */
    struct contract_account *account; /* NULL until read */
    int64_t account_at_ms;
    int64_t account_due_mono, list_due_mono; /* INT64_MAX when none is planned */
    char account_trouble[200];
    bool list_read, list_truncated;
    char list_trouble[200];
    struct contract_account *personal; /* profile and addresses while shown; NULL otherwise */
    int64_t personal_until_mono;
    char account_id[32];     /* opaque name of the account in the journal; "" until it is known */
    char journal_words[JOURNAL_WORDS_MAX]; /* what is wrong with the journal; "" when all is well */
    bool journal_read_only;  /* another console has it: nothing may be sent from here */
    bool journal_off;        /* it can be neither read nor written: nothing may be sent either */
    bool recover_again;      /* another start from before waits until this one is settled */
    size_t other_account;    /* unresolved writes of other accounts in the journal */
    char owner[80];          /* whose account, as far as known; "" */

    struct model_purchase *purchases; /* newest first; pointers are valid until the next update */
    size_t purchase_count;
    struct model_lines lines;
    struct start_form start;
    int64_t start_due_mono;  /* next read of a lost start; INT64_MAX when none */
    struct retry_backoff start_backoff;
    struct shop shop;

    struct model_call calls[MODEL_CALLS_MAX]; /* in flight */
    size_t call_count;
    struct model_call *activity; /* ring, oldest first; MODEL_ACTIVITY_MAX at most */
    size_t activity_count;
    uint64_t next_call;
    struct model_outcome outcomes[MODEL_OUTCOMES_MAX]; /* for the journal; emptied by each update */
    size_t outcome_count;

    /* On screen */
    enum model_view view;
    enum model_pane pane;
    char selected[CONTRACT_ID_MAX];  /* purchase; "" when none */
    size_t list_top;
    size_t timeline_back;    /* rows scrolled up from the live end */
    size_t account_top, activity_top, help_top, questions_top;
    uint64_t activity_selected;      /* model_call.id */
    size_t account_selected;
    char filter[80];         /* of the current view; "" when none */
    bool editing;            /* keys go into the draft (or the secret entry) of the selected purchase */
    enum model_dialog dialogs[MODEL_DIALOG_DEPTH];
    int dialog_count;
    struct model_form form;
    struct edit palette;
    int palette_choice;
    struct model_reveal reveal;
    struct model_news news;
    bool bell;               /* ring once with the next frame */
    bool focused;            /* the terminal has the focus (as far as it tells) */
    int64_t hush_until_mono; /* keys are dropped: the text they were meant for has just closed (H1) */

    bool dirty;              /* something that is drawn has changed */
    bool quit;
    int exit_code;
};

enum err model_init(struct model *m, const struct model_settings *set) WARN_UNUSED;
void model_fini(struct model *m); /* wipes every secret */

int64_t model_now_ms(const struct model *m); /* server time, or the wall clock until it is known */
struct model_purchase *model_find(struct model *m, const char *id); /* NULL when not there */
const struct model_purchase *model_find_view(const struct model *m, const char *id);
const struct model_purchase *model_selected(const struct model *m); /* NULL when none */
/* Purchases that the filter lets through, in list order; returns how many there are. */
size_t model_visible(const struct model *m, const struct model_purchase **out, size_t max);
bool model_line_passes(const struct model *m, const struct contract_line *l);
/* Transactions that the filter lets through, newest first; returns how many there are. */
size_t model_lines_visible(const struct model *m, const struct contract_line **out, size_t max);
/* Calls in flight, then ended ones, newest first each, as far as the filter lets them through. */
size_t model_calls_visible(const struct model *m, const struct model_call **out, size_t max);
enum model_need model_need(const struct model *m, const struct model_purchase *p);
enum model_dialog model_dialog(const struct model *m); /* top of the stack */

/* How a purchase's row reads: glyph, second line ("needs your answer"), since or until. */
enum contract_glyph model_glyph(const struct model *m, const struct model_purchase *p);
void model_state_words(const struct model *m, const struct model_purchase *p, char *out, size_t size);
/* "12 s", "until 14:20", "STALE 2 min": what stands at the right of the second line. */
void model_since_words(const struct model *m, const struct model_purchase *p, char *out, size_t size);
/* The live line of the timeline: "held 23 of 45 s · unchanged 1 of 4 · waiting until 14:17",
 * "not read again until you ask (v)", "not confirmed yet: ... · g looks again". */
void model_live_words(const struct model *m, const struct model_purchase *p, char *out, size_t size);
bool model_is_stale(const struct model *m, const struct model_purchase *p);
bool model_needs_person(const struct model *m, const struct model_purchase *p);
size_t model_count_needing(const struct model *m);
size_t model_count_held(const struct model *m);      /* held reads in flight */
size_t model_count_open_questions(const struct model *m);
int model_calls_last_minute(const struct model *m);
/* "live, 2 s ago", "no reply for 20 s, next try in 4 s", "waiting 40 s (too many calls)". */
void model_link_words(const struct model *m, char *out, size_t size);
const struct contract_question *model_open_question(const struct model_purchase *p); /* or NULL */
/* Why an action is refused: the policy's words, or the journal's own when that is the reason. */
const char *model_refusal_words(const struct model *m, enum policy_reason reason);
/* An opaque name that tells accounts apart in the journal; false (and out as it was) when what was
 * read does not say whose account it is. */
bool model_account_name(const char *host, const struct contract_account *a, char out[32]);
const struct model_draft *model_draft_view(const struct model_purchase *p, const char *question);
bool model_has_drafts(const struct model *m);
void model_policy_facts(const struct model *m, const struct model_purchase *p,
                        struct policy_facts *facts);
/* Deadline that the row counts down to: the task, or the end of spending access; CLOCK_NONE. */
int64_t model_deadline(const struct model_purchase *p);
void model_amount(const struct model *m, const struct contract_amount *a, char *out, size_t size);

#endif
