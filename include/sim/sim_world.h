/* SPDX-License-Identifier: Apache-2.0 */
/* Everything that the simulated service holds: one owner, one agent, purchases, money, history and
 * shops. A plain value owned by main; no HTTP, no rendering. Purchases are created and never
 * removed, and live at stable addresses. Times are server milliseconds, SIM_NEVER when none. */
#ifndef SIM_WORLD_H
#define SIM_WORLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cjson/cJSON.h>

#include "sim/sim_clock.h"
#include "sim/sim_ident.h"

#define SIM_NEVER     INT64_MAX
#define SIM_NAME_SIZE 254
#define SIM_KEY_SIZE  65
#define SIM_TEXT_SIZE 1201 /* 300 characters of UTF-8 */
#define SIM_OPEN_MAX  5    /* open purchases of one user */
#define SIM_WAITS_MAX 3    /* approvals that wait at once */
#define SIM_HOLDS_MAX 4    /* unchanged held reads before a stop */
#define SIM_RUPEE     100  /* paise */

enum sim_state {
#define SIM_STATES
#define SIM_STATE(symbol, wire, is_terminal, is_held) SIM_##symbol,
#include "sim/sim_words.def"
    SIM_STATE_COUNT
};

#define SIM_WORD(symbol, wire) SIM_##symbol,
enum sim_task {
    SIM_TASK_NONE,
#define SIM_TASKS
#include "sim/sim_words.def"
    SIM_TASK_COUNT
};
#define SIM_WORD(symbol, wire) SIM_##symbol,
enum sim_rail {
    SIM_RAIL_NONE,
#define SIM_RAILS
#include "sim/sim_words.def"
    SIM_RAIL_COUNT
};
#define SIM_WORD(symbol, wire) SIM_##symbol,
enum sim_money {
#define SIM_MONEYS
#include "sim/sim_words.def"
    SIM_MONEY_COUNT
};
#define SIM_WORD(symbol, wire) SIM_##symbol,
enum sim_ask {
    SIM_ASK_NONE,
#define SIM_KINDS
#include "sim/sim_words.def"
    SIM_ASK_COUNT
};
enum sim_pace {
#define SIM_PACES
#define SIM_PACE(symbol, name, seconds) SIM_PACE_##symbol,
#include "sim/sim_words.def"
    SIM_PACE_COUNT
};

enum sim_by { SIM_BY_NONE, SIM_BY_AGENT, SIM_BY_ENVOY };
enum sim_approval {
    SIM_APPROVAL_NONE,
    SIM_APPROVAL_PENDING,
    SIM_APPROVAL_APPROVED,
    SIM_APPROVAL_DENIED,
    SIM_APPROVAL_EXPIRED
};
/* What Envoy is busy with while a purchase is processing or verifying. */
enum sim_phase {
    SIM_PHASE_NONE,
    SIM_PHASE_QUOTE,   /* asks for the price of a gift card */
    SIM_PHASE_FUND,    /* approved, no money moved yet */
    SIM_PHASE_PREPARE, /* money set aside, the card is being made */
    SIM_PHASE_PLACE,   /* Envoy orders at the merchant */
    SIM_PHASE_ISSUE,   /* the gift card is being issued */
    SIM_PHASE_SAVE,    /* the card is being saved to a vault */
    SIM_PHASE_AWAIT,   /* a replacement waits until the old money is back */
    SIM_PHASE_SETTLE,  /* verifying: money evidence is awaited */
    SIM_PHASE_RETURN,  /* a refund is on its way */
};
enum sim_vault {
    SIM_VAULT_NONE,
    SIM_VAULT_SAVING,
    SIM_VAULT_ASKED,
    SIM_VAULT_SAVED,
    SIM_VAULT_FAILED
};
enum sim_vault_mode {
    SIM_VAULT_MODE_NONE,
    SIM_VAULT_MODE_SAVES,
    SIM_VAULT_MODE_ASKS_OTP,
    SIM_VAULT_MODE_APP_OTP,
    SIM_VAULT_MODE_FAILS
};
enum sim_actor { SIM_ACTOR_OWNER, SIM_ACTOR_MERCHANT, SIM_ACTOR_ENVOY, SIM_ACTOR_AGENT };
enum sim_condition { SIM_IF_ALWAYS, SIM_IF_PAID, SIM_IF_FAILED, SIM_IF_ANSWERED };
enum sim_funding { SIM_FUNDING_LINK, SIM_FUNDING_APP, SIM_FUNDING_BALANCE };

struct sim_act {
    enum sim_actor actor;
    enum sim_condition condition;
    char when[24];
    char verb[24];
    int64_t wait_ms;
    const cJSON *args; /* the whole act, owned by the scenario document */
};

/* What a scenario says about one purchase. */
struct sim_plan {
    char name[64];
    char retry_of[64]; /* "" when started at at_ms */
    char key[SIM_KEY_SIZE];
    int64_t at_ms; /* server time; SIM_NEVER once started */
    bool is_ours;
    cJSON *start; /* owned, normalised; NULL for a retry */
    int32_t pace_s[SIM_PACE_COUNT];
    enum sim_vault_mode vault_mode;
    struct sim_act *acts;
    size_t act_count;
};

struct sim_question {
    enum sim_ask kind; /* SIM_ASK_NONE when none is open */
    char id[129];
    char prompt[SIM_TEXT_SIZE];
    int64_t asked_ms;
    enum sim_state resume_state; /* where an answer leads back to */
    enum sim_phase resume_phase;
};

struct sim_attempt {
    char id[SIM_IDENT_UUID_SIZE];
    unsigned epoch; /* handouts of one opening of the card share it */
    bool is_reported;
    int64_t code_expires_ms;
};

struct sim_counts {
    unsigned starts, answers, reports, cancels, steps, handouts, feedbacks, debits, refunds;
};

struct sim_purchase {
    char id[SIM_IDENT_PURCHASE_SIZE];
    char key[SIM_KEY_SIZE];
    uint64_t ordinal;            /* 1 for the first */
    bool is_ours;                /* started by the connection that this simulator serves */
    const struct sim_plan *plan; /* never NULL */
    size_t act_next;
    cJSON *input; /* accepted, normalised */

    char merchant_name[SIM_NAME_SIZE];
    char *merchant_url;
    char site[SIM_NAME_SIZE]; /* host without www. */
    char description[SIM_TEXT_SIZE];
    int64_t total_minor;
    int64_t limit_minor;
    bool has_address;

    enum sim_state state;
    enum sim_task task;
    enum sim_phase phase;
    enum sim_rail rail;
    enum sim_by checkout_by;
    const char *rail_reason; /* static, NULL for none */
    const char *reason;      /* static, NULL for none */
    char status_text[SIM_TEXT_SIZE];
    int64_t revision;
    int64_t created_ms, updated_ms, state_since_ms;

    struct sim_question question;
    unsigned question_count, answered_count;
    bool wants_feedback;

    enum sim_approval approval;
    int64_t decide_by_ms;
    int64_t funding_minor; /* payable by link or in the app, 0 when not a gift card */
    const struct sim_gift *gift;

    int64_t card_expires_ms; /* spending access */
    bool is_closed;
    unsigned epoch;
    struct sim_attempt *attempts;
    size_t attempt_count;

    enum sim_money money;
    int64_t held_minor; /* set aside inside the account */
    int64_t paid_minor; /* 0 when nothing is known to be paid */
    int64_t funded_ms;
    char order_ref[515];
    int64_t completed_ms;

    bool has_report, is_report_paid, is_cancelling;
    bool is_cancelled_by_owner;
    char failure_reason[24];
    int64_t reported_minor;

    enum sim_vault vault;
    char vault_entry[40];
    char supersedes[SIM_IDENT_PURCHASE_SIZE];
    char superseded_by[SIM_IDENT_PURCHASE_SIZE];

    int64_t step_due_ms; /* when the present phase ends by itself */
    unsigned unchanged_holds;
    int64_t wait_from_ms; /* from here next.by is counted where no deadline exists */
    struct sim_counts counts;
};

struct sim_answer {
    char key[SIM_KEY_SIZE];
    char purchase_id[SIM_IDENT_PURCHASE_SIZE]; /* "" for feedback at large */
    char question[129];
    uint64_t hash; /* of the words; the words themselves are not kept */
    size_t length;
    char feedback_id[64]; /* "" when it was no feedback */
    int64_t recorded_ms;
};

struct sim_merchant {
    char host[SIM_NAME_SIZE];
    char name[SIM_NAME_SIZE];
    enum sim_rail rail; /* forced; SIM_RAIL_NONE leaves the choice */
    bool is_refused;
    const char *rail_reason;
};

struct sim_gift {
    char domain[SIM_NAME_SIZE];
    char name[SIM_NAME_SIZE];
    int64_t *amounts;
    size_t amount_count;
    int64_t min_minor, max_minor; /* 0 when amounts are listed */
    double discount_percent;      /* negative when not reported */
    const char *redeem_at;        /* static, NULL when not known */
    enum sim_funding funding;
    enum sim_by checkout_by;
    bool has_pin;
    int valid_days; /* 0 when not known */
    char *redemption_url;
    char *instructions;
};

struct sim_product {
    char name[SIM_TEXT_SIZE];
    char brand[SIM_NAME_SIZE];
    char *image;
    char *words;
    int64_t price_minor;
    int64_t fee_minor;
};

struct sim_offer {
    char id[SIM_IDENT_PURCHASE_SIZE];
    size_t product;
    int quantity;
    int64_t valid_until_ms;
};

/* One line of history that no purchase of this run made. */
struct sim_line {
    uint64_t ordinal;
    int64_t at_ms;
    int64_t amount_minor;
    unsigned char kind;  /* index of the kinds in sim_history.c */
    unsigned char title; /* index of the titles there */
};

struct sim_effect {
    char tool[32];
    char key[SIM_KEY_SIZE + 40]; /* idempotency key, or purchase and attempt */
    char purchase_id[SIM_IDENT_PURCHASE_SIZE];
    unsigned calls;
    unsigned effects;
};

struct sim_movement {
    int64_t at_ms;
    const char *kind; /* hold, release, debit, refund, external, load */
    char purchase_id[SIM_IDENT_PURCHASE_SIZE];
    int64_t amount_minor;
};

struct sim_address {
    const cJSON *row; /* owned by the scenario document */
    const char *id;
};

struct sim_account {
    int64_t balance_minor; /* all money, with what open purchases took */
    int64_t bank_held_minor;
    int64_t spending_limit_minor; /* 0 for none */
    bool has_service, has_card, has_operated, has_gift_cards;
    bool is_held_unavailable, is_held_truncated;
    const cJSON *limits, *unavailable, *held, *owner; /* owned by the scenario document */
    char agent_id[SIM_NAME_SIZE];
    char agent_name[SIM_NAME_SIZE];
    const char *agent_verification; /* static */
    char default_address[65];
};

/* A held read. Owned by the world while it is in the list. */
struct sim_hold {
    struct sim_purchase *purchase;
    int64_t after_revision;
    int64_t deadline_ms;
    void *owner; /* the caller's own */
};
typedef void sim_release_fn(void *ctx, void *owner, bool is_unchanged);

struct sim_world {
    uint64_t seed;
    bool is_auto;
    bool is_past; /* while the past is played, whoever acts */
    int64_t now_ms;
    int64_t opened_ms;
    char scenario[256];
    cJSON *doc;
    struct sim_plan *plans;
    size_t plan_count;
    struct sim_plan default_plan; /* for purchases that no scenario describes */
    struct sim_account account;

    struct sim_purchase **purchases;
    size_t purchase_count;
    struct sim_answer *answers;
    size_t answer_count;
    struct sim_merchant *merchants;
    size_t merchant_count;
    struct sim_gift *gifts;
    size_t gift_count;
    struct sim_product *products;
    size_t product_count;
    struct sim_offer *offers;
    size_t offer_count;
    struct sim_line *lines; /* newest first */
    size_t line_count;
    struct sim_effect *effects;
    size_t effect_count;
    struct sim_movement *movements;
    size_t movement_count;
    struct sim_hold *holds;
    size_t hold_count;
    sim_release_fn *release;
    void *release_ctx;
    uint64_t request_count;
    unsigned schema_breaches;
};

void sim_world_init(struct sim_world *w, uint64_t seed, int64_t now_ms);
void sim_world_fini(struct sim_world *w); /* the list of holds must be empty */

const char *sim_state_name(enum sim_state s);
bool sim_state_is_terminal(enum sim_state s);
bool sim_state_is_held(enum sim_state s);
const char *sim_task_name(enum sim_task t); /* NULL for none, as those below */
const char *sim_rail_name(enum sim_rail r);
const char *sim_money_name(enum sim_money m);
const char *sim_ask_name(enum sim_ask k);
enum sim_ask sim_ask_find(const char *name);   /* SIM_ASK_NONE when unknown */
enum sim_rail sim_rail_find(const char *name); /* SIM_RAIL_NONE when unknown */
const char *sim_pace_name(enum sim_pace p);
int32_t sim_pace_default(enum sim_pace p);
/* The static copy of a known reason code, NULL for an unknown one; NULL stays NULL. */
const char *sim_reason_find(const char *code);
/* What a reason says to the owner, one sentence; "" when unknown. */
const char *sim_reason_text(const char *code);

/* By purchase id, idempotency key, scenario name or "latest"; NULL when there is none. The last two
 * are for control calls only: with is_control false they are not looked at. */
struct sim_purchase *sim_world_find(const struct sim_world *w, const char *ref, bool is_control);
struct sim_purchase *sim_world_add(struct sim_world *w, const struct sim_plan *plan,
                                   const char *key);
struct sim_effect *sim_world_effect(struct sim_world *w, const char *tool, const char *key,
                                    const char *purchase_id);
void sim_world_move(struct sim_world *w, const char *kind, const struct sim_purchase *p,
                    int64_t amount_minor);
int64_t sim_world_held(const struct sim_world *w);      /* of all purchases */
int64_t sim_world_spendable(const struct sim_world *w); /* never below zero */

#endif
