/* SPDX-License-Identifier: Apache-2.0 */
/* What may be done with a purchase now, and if not, why. Must not know screens, transports or
 * clocks. Invariant: an action is allowed only when every line of its rule agrees; whatever this
 * version does not recognise counts as a no (contract README, point 3). Pages: recovery, complete
 * checkout, errors. */
#include <string.h>
#include "flow/policy.h"

typedef enum policy_reason rule_fn(const struct policy_facts *f);

static int state_of(const struct policy_facts *f)
{
    return f->purchase->state.value;
}

static bool money_is_unknown(const struct policy_facts *f)
{
    int money = f->purchase->money.value;
    return money < 0 || money == CONTRACT_MONEY_UNKNOWN;
}

/* Nothing is owed either way: untouched, or wholly returned. */
static bool money_is_back(const struct policy_facts *f)
{
    int money = f->purchase->money.value;
    return (money == CONTRACT_MONEY_NOT_STARTED || money == CONTRACT_MONEY_REFUNDED) &&
           f->purchase->reason.value != CONTRACT_REASON_ORDER_OUTCOME_UNKNOWN;
}

/* Ready for the person here to pay: the agent's side checks out and nothing was reported. */
static enum policy_reason check_own_checkout(const struct policy_facts *f)
{
    if (contract_state_is_terminal(state_of(f)))
        return POLICY_NO_TERMINAL;
    if (f->purchase->checkout_by.value == CONTRACT_CHECKOUT_BY_ENVOY)
        return POLICY_NO_ENVOY_CHECKOUT;
    if (f->purchase->checkout_by.value == CONTRACT_UNRECOGNISED)
        return POLICY_NO_STATE_UNKNOWN;
    if (f->report_sent)
        return POLICY_NO_REPORTED;
    if (state_of(f) != CONTRACT_STATE_READY ||
        f->purchase->checkout_by.value != CONTRACT_CHECKOUT_BY_AGENT)
        return POLICY_NO_NOT_READY;
    return POLICY_ALLOWED;
}

/* The same, and paying would be safe. */
static enum policy_reason check_spending(const struct policy_facts *f)
{
    enum policy_reason why = check_own_checkout(f);
    if (why != POLICY_ALLOWED)
        return why;
    if (f->purchase->payment_closed)
        return POLICY_NO_CLOSED;
    return money_is_unknown(f) ? POLICY_NO_MONEY_UNKNOWN : POLICY_ALLOWED;
}

static enum policy_reason check_answer(const struct policy_facts *f)
{
    const struct contract_question *q = &f->purchase->question;
    if (contract_state_is_terminal(state_of(f)))
        return POLICY_NO_TERMINAL;
    if (!q->open)
        return POLICY_NO_QUESTION;
    if (!f->question_on_screen || strcmp(f->question_on_screen, q->id) != 0)
        return POLICY_NO_OTHER_QUESTION;
    if (q->kind.value == CONTRACT_QUESTION_PASSWORD)
        return POLICY_NO_PASSWORD;
    /* A kind that this version does not know may ask for a secret. */
    return q->kind.value < 0 ? POLICY_NO_STATE_UNKNOWN : POLICY_ALLOWED;
}

static enum policy_reason check_feedback(const struct policy_facts *f)
{
    if (!contract_state_is_terminal(state_of(f)))
        return POLICY_NO_STILL_OPEN;
    return f->feedback_offer && f->purchase->follow_up.open ? POLICY_ALLOWED : POLICY_NO_OFFER;
}

static enum policy_reason check_vault_save(const struct policy_facts *f)
{
    enum policy_reason why = check_spending(f);
    if (why != POLICY_ALLOWED)
        return why;
    return f->vault_offer ? POLICY_ALLOWED : POLICY_NO_OFFER;
}

static enum policy_reason check_cancel(const struct policy_facts *f)
{
    if (contract_state_is_terminal(state_of(f)))
        return POLICY_NO_TERMINAL;
    if (f->report_sent)
        return POLICY_NO_REPORTED;
    return state_of(f) == CONTRACT_STATE_VERIFYING ? POLICY_NO_MONEY_UNKNOWN : POLICY_ALLOWED;
}

static enum policy_reason check_reveal(const struct policy_facts *f)
{
    enum policy_reason why = check_spending(f);
    if (why != POLICY_ALLOWED)
        return why;
    return f->handout_held ? POLICY_ALLOWED : POLICY_NO_HANDOUT;
}

static enum policy_reason check_retry_of(const struct policy_facts *f)
{
    int state = state_of(f);
    if (state == CONTRACT_STATE_SUPERSEDED || f->purchase->superseded_by[0])
        return POLICY_NO_REPLACED;
    if (state == CONTRACT_STATE_VERIFYING)
        return POLICY_NO_MONEY_UNKNOWN;
    if (!contract_state_is_terminal(state))
        return POLICY_NO_STILL_OPEN;
    if (state != CONTRACT_STATE_FAILED || !f->retry_offered)
        return POLICY_NO_OFFER;
    /* What was reported as paid, or in a way that a browser cannot mend, is not tried again. */
    if (f->report_sent && !f->report_failed_known)
        return POLICY_NO_REPORTED;
    if (f->report_failed_known && (f->report_failure == CONTRACT_FAILURE_PRICE_CHANGED ||
                                   f->report_failure == CONTRACT_FAILURE_OUT_OF_STOCK))
        return POLICY_NO_OFFER;
    return money_is_back(f) ? POLICY_ALLOWED : POLICY_NO_MONEY_UNKNOWN;
}

static enum policy_reason check_start_same(const struct policy_facts *f)
{
    int state = state_of(f);
    int money = f->purchase->money.value;
    if (state == CONTRACT_STATE_SUPERSEDED || f->purchase->superseded_by[0])
        return POLICY_NO_REPLACED;
    if (state == CONTRACT_STATE_VERIFYING)
        return POLICY_NO_MONEY_UNKNOWN;
    if (!contract_state_is_terminal(state))
        return POLICY_NO_STILL_OPEN;
    if (money_is_back(f))
        return POLICY_ALLOWED;
    bool bought = state == CONTRACT_STATE_COMPLETED &&
                  (money == CONTRACT_MONEY_DEBITED || money == CONTRACT_MONEY_MERCHANT_COLLECTS);
    return bought ? POLICY_ALLOWED : POLICY_NO_MONEY_UNKNOWN;
}

/* Reading releases a handout only while ready; then it needs a reason of its own. */
static enum policy_reason check_read(const struct policy_facts *f)
{
    if (!f->signed_in)
        return POLICY_NO_SIGNED_OUT;
    if (f->freshness == POLICY_OTHER_ACCOUNT)
        return POLICY_NO_OTHER_ACCOUNT;
    const struct contract_enum *state = f->purchase ? &f->purchase->state : f->listed_state;
    if (!state)
        return POLICY_NO_SNAPSHOT;
    bool must_find_out = !f->read_only && (f->outcome_unknown || f->report_sent);
    return state->value == CONTRACT_STATE_READY && !must_find_out ? POLICY_NO_READY_READ
                                                                  : POLICY_ALLOWED;
}

/* What every action but a plain read must pass first. */
static enum policy_reason check_common(enum policy_action action, const struct policy_facts *f)
{
    if (f->no_journal && (f->read_only || action != POLICY_REVEAL))
        return POLICY_NO_JOURNAL;
    if (f->read_only)
        return POLICY_NO_READ_ONLY;
    if (!f->signed_in)
        return POLICY_NO_SIGNED_OUT;
    if (f->freshness == POLICY_OTHER_ACCOUNT)
        return POLICY_NO_OTHER_ACCOUNT;
    if (!f->purchase)
        return POLICY_NO_SNAPSHOT;
    if (state_of(f) < 0)
        return POLICY_NO_STATE_UNKNOWN;
    /* Looking at what is held here sends nothing, so a write under way need not be waited for. */
    if (f->write_in_flight && action != POLICY_REVEAL)
        return POLICY_NO_IN_FLIGHT;
    if (f->outcome_unknown)
        return POLICY_NO_OUTCOME_UNKNOWN;
    /* A ready purchase cannot be read again first without releasing its handout once more, and an
     * ended one no longer moves. */
    bool moves = state_of(f) != CONTRACT_STATE_READY && !contract_state_is_terminal(state_of(f));
    return moves && f->freshness != POLICY_FRESH ? POLICY_NO_STALE : POLICY_ALLOWED;
}

enum policy_reason policy_check(enum policy_action action, const struct policy_facts *facts)
{
    static rule_fn *const rules[POLICY_ACTION_COUNT] = {
        [POLICY_ANSWER] = check_answer,
        [POLICY_FEEDBACK] = check_feedback,
        [POLICY_VAULT_SAVE] = check_vault_save,
        [POLICY_REPORT_PAID] = check_own_checkout,
        [POLICY_REPORT_FAILED] = check_own_checkout,
        [POLICY_STEP] = check_own_checkout,
        [POLICY_CANCEL] = check_cancel,
        [POLICY_READ_HANDOUT] = check_spending,
        [POLICY_REVEAL] = check_reveal,
        [POLICY_RETRY_OF] = check_retry_of,
        [POLICY_START_SAME] = check_start_same,
    };
    if (action == POLICY_READ)
        return check_read(facts);
    enum policy_reason why = check_common(action, facts);
    return why == POLICY_ALLOWED ? rules[action](facts) : why;
}

const char *policy_words(enum policy_reason reason)
{
    static const char *const words[POLICY_REASON_COUNT] = {
        [POLICY_ALLOWED] = "",
        [POLICY_NO_READ_ONLY] = "This console is read-only.",
        [POLICY_NO_JOURNAL] = "The journal cannot be written, so nothing is sent from here.",
        [POLICY_NO_SIGNED_OUT] = "Sign in first.",
        [POLICY_NO_OTHER_ACCOUNT] = "This purchase belongs to another account.",
        [POLICY_NO_SNAPSHOT] = "This purchase has not been read yet.",
        [POLICY_NO_STALE] = "What is shown may be out of date. Look again first (g).",
        [POLICY_NO_IN_FLIGHT] = "Something was just sent. Wait for the reply.",
        [POLICY_NO_OUTCOME_UNKNOWN] =
            "A reply was lost. It is found out by reading before anything else.",
        [POLICY_NO_QUESTION] = "No question is open.",
        [POLICY_NO_OTHER_QUESTION] = "The question on screen is no longer the open one.",
        [POLICY_NO_PASSWORD] = "Passwords are never sent. Cancel the purchase if it cannot go on.",
        [POLICY_NO_NOT_READY] = "This purchase is not ready to be paid.",
        [POLICY_NO_ENVOY_CHECKOUT] = "Envoy checks out. There is nothing to pay or report here.",
        [POLICY_NO_REPORTED] = "A result was reported already.",
        [POLICY_NO_HANDOUT] = "No card or voucher is held here.",
        [POLICY_NO_TERMINAL] = "This purchase has ended.",
        [POLICY_NO_MONEY_UNKNOWN] = "The money is not settled yet. Do not pay or start again.",
        [POLICY_NO_READY_READ] =
            "Reading a ready purchase hands its details out again. Ask to show them (v).",
        [POLICY_NO_OFFER] = "Envoy does not offer this.",
        [POLICY_NO_STATE_UNKNOWN] =
            "This version does not know what Envoy reports here. Update it.",
        [POLICY_NO_CLOSED] = "Spending access has closed.",
        [POLICY_NO_STILL_OPEN] = "This purchase is still open.",
        [POLICY_NO_REPLACED] = "Another purchase has taken its place.",
    };
    return reason >= 0 && reason < POLICY_REASON_COUNT ? words[reason] : "Not allowed.";
}
