/* SPDX-License-Identifier: Apache-2.0 */
/* What to read next, and when to stop reading. Must not know clocks, transports or screens.
 * Invariants: the only tool ever planned is get_purchase_status, its arguments are the reply's own
 * bytes, and a purchase whose newest snapshot is ready is never read (contract README, point 5). */
#include <string.h>
#include "flow/follow.h"

#define DELAY_MAX_S INT64_C(86400)
#define HOLD_MAX_S  INT64_C(3600)

void follow_begin(struct follow_memory *memory)
{
    *memory = (struct follow_memory){.revision = -1, .state = CONTRACT_ABSENT};
}

bool follow_by_passed(int64_t by_ms, int64_t now_ms)
{
    return by_ms != CLOCK_NONE && now_ms >= by_ms;
}

bool follow_may_open(const struct contract_enum *state)
{
    return state->value >= 0 && state->value != CONTRACT_STATE_READY &&
           !contract_state_is_terminal(state->value);
}

/* Takes the snapshot into memory; true when the reply is older than what memory holds. */
static bool remember(struct follow_memory *memory, const struct contract_reply *reply,
                     bool was_held)
{
    const struct contract_purchase *p = reply->purchase;
    if (!p)
        return false;
    if (p->revision < memory->revision)
        return true;
    bool same = p->revision == memory->revision;
    bool held_read = reply->ok && was_held && reply->tool == CONTRACT_TOOL_GET_PURCHASE_STATUS;
    if (!same || (reply->ok && !held_read))
        memory->unchanged = 0;
    else if (held_read)
        memory->unchanged++;
    memory->revision = p->revision;
    memory->state = p->state.value;
    return false;
}

static bool is_settled(const struct contract_purchase *p)
{
    int money = p->money.value;
    if (p->state.value == CONTRACT_STATE_COMPLETED)
        return money >= 0 && money != CONTRACT_MONEY_UNKNOWN;
    return money == CONTRACT_MONEY_NOT_STARTED || money == CONTRACT_MONEY_REFUNDED;
}

static bool offers_read(const struct contract_next *next)
{
    return next->action.value == CONTRACT_ACTION_CALL_TOOL &&
           next->tool.value == CONTRACT_TOOL_GET_PURCHASE_STATUS && next->args &&
           next->purchase[0] != '\0';
}

static bool names_other(const struct contract_purchase *p, const struct contract_next *next)
{
    return p && strcmp(next->purchase, p->purchase_id) != 0 &&
           strcmp(next->purchase, p->idempotency_key) != 0;
}

static bool asks_answer(const struct contract_next *next)
{
    return next->action.value == CONTRACT_ACTION_CALL_TOOL &&
           (next->tool.value == CONTRACT_TOOL_ANSWER_PURCHASE_QUESTION ||
            next->tool.value == CONTRACT_TOOL_SUBMIT_ANSWER);
}

/* Stops that the reply's code or action demand whatever the purchase looks like. */
static enum follow_stop stop_by_demand(const struct contract_reply *reply)
{
    const struct contract_next *next = &reply->next;
    int code = reply->error.present ? reply->error.code.value : CONTRACT_ABSENT;
    if (code == CONTRACT_CODE_UNAUTHENTICATED || next->action.value == CONTRACT_ACTION_RECONNECT)
        return FOLLOW_SIGN_IN;
    if (code == CONTRACT_CODE_CLIENT_UPDATE_REQUIRED ||
        next->action.value == CONTRACT_ACTION_UPDATE_CLIENT)
        return FOLLOW_UPDATE;
    if (code == CONTRACT_CODE_RATE_LIMITED || next->action.value == CONTRACT_ACTION_RETRY)
        return FOLLOW_LOST;
    if (code == CONTRACT_CODE_NOT_FOUND)
        return FOLLOW_NOT_FOUND;
    if (next->action.value == CONTRACT_ACTION_CALL_TOOL &&
        next->tool.value == CONTRACT_UNRECOGNISED)
        return FOLLOW_UNKNOWN_TOOL;
    return FOLLOW_GOING;
}

/* Stops that follow from the state alone. */
static enum follow_stop stop_by_state(const struct contract_purchase *p, int known_state)
{
    if (known_state == CONTRACT_STATE_READY)
        return FOLLOW_READY;
    if (!p)
        return FOLLOW_GOING;
    switch (p->state.value) {
    case CONTRACT_STATE_READY:
        return FOLLOW_READY;
    case CONTRACT_STATE_SUPERSEDED:
        return FOLLOW_REPLACED;
    case CONTRACT_STATE_COMPLETED:
    case CONTRACT_STATE_FAILED:
    case CONTRACT_STATE_CANCELLED:
        return is_settled(p) ? FOLLOW_TERMINAL : FOLLOW_NEEDS_SUPPORT;
    default:
        return FOLLOW_GOING;
    }
}

/* Why an open purchase is not read on although nothing above stopped it. */
static enum follow_stop stop_without_read(const struct contract_reply *reply)
{
    const struct contract_purchase *p = reply->purchase;
    if (!reply->ok)
        return FOLLOW_REFUSED;
    if (!p || p->state.value < 0)
        return FOLLOW_UNKNOWN_STATE;
    if (reply->next.action.value == CONTRACT_ACTION_STOP &&
        p->reason.value == CONTRACT_REASON_ORDER_OUTCOME_UNKNOWN)
        return FOLLOW_NEEDS_SUPPORT;
    if (p->question.open && p->question.kind.value == CONTRACT_QUESTION_PASSWORD)
        return FOLLOW_PASSWORD;
    return asks_answer(&reply->next) ? FOLLOW_QUESTION : FOLLOW_TOLD;
}

static enum follow_stop decide(const struct contract_reply *reply, int64_t now_ms,
                               const struct follow_plan *plan)
{
    const struct contract_next *next = &reply->next;
    enum follow_stop stop = stop_by_demand(reply);
    /* A replacement is followed even when next asks for more than this version can do. */
    bool replaced = reply->purchase && reply->purchase->state.value == CONTRACT_STATE_SUPERSEDED;
    enum follow_stop by_state = stop_by_state(reply->purchase, plan->memory.state);
    /* A ready purchase is read once for one press, so a refused read of it is not repeated here. */
    if (stop == FOLLOW_LOST && by_state == FOLLOW_READY)
        return FOLLOW_READY;
    if (stop != FOLLOW_GOING && !(stop == FOLLOW_UNKNOWN_TOOL && replaced))
        return stop;
    stop = by_state;
    if (stop != FOLLOW_GOING)
        return stop;
    if (!offers_read(next))
        return stop_without_read(reply);
    if (names_other(reply->purchase, next))
        return FOLLOW_REPLACED;
    if (follow_by_passed(next->by_ms, now_ms))
        return FOLLOW_BY_PASSED;
    return plan->memory.unchanged >= FOLLOW_UNCHANGED_MAX ? FOLLOW_UNCHANGED : FOLLOW_GOING;
}

static void name_replacement(const struct contract_reply *reply, struct follow_plan *plan)
{
    const struct contract_purchase *p = reply->purchase;
    const char *id = p && p->superseded_by[0] ? p->superseded_by : "";
    if (!id[0] && offers_read(&reply->next) && names_other(p, &reply->next))
        id = reply->next.purchase;
    memcpy(plan->replacement, id, strnlen(id, sizeof plan->replacement - 1));
}

static int64_t clamp(int64_t value, int64_t most)
{
    return value < 0 ? 0 : value > most ? most : value;
}

static void plan_read(const struct contract_reply *reply, bool idle, struct follow_plan *plan)
{
    const struct contract_next *next = &reply->next;
    plan->tool = CONTRACT_TOOL_GET_PURCHASE_STATUS;
    plan->args = next->args;
    plan->held = next->after_revision >= 0 && next->wait_seconds != 0;
    plan->delay_ms = clamp(next->after_seconds, DELAY_MAX_S) * 1000;
    if (!plan->held && idle && plan->delay_ms < FOLLOW_PLAIN_DELAY_MS)
        plan->delay_ms = FOLLOW_PLAIN_DELAY_MS;
    int64_t patience = clamp(next->wait_seconds, HOLD_MAX_S) * 1000 + FOLLOW_TIMEOUT_SLACK_MS;
    plan->timeout_ms = patience > FOLLOW_TIMEOUT_MIN_MS ? patience : FOLLOW_TIMEOUT_MIN_MS;
}

void follow_reply(const struct follow_memory *memory, const struct contract_reply *reply,
                  bool was_held, int64_t now_ms, struct follow_plan *plan)
{
    *plan = (struct follow_plan){
        .tool = CONTRACT_TOOL_GET_PURCHASE_STATUS, .by_ms = reply->next.by_ms, .memory = *memory};
    plan->outdated = remember(&plan->memory, reply, was_held);
    plan->stop = decide(reply, now_ms, plan);
    if (plan->stop == FOLLOW_REPLACED)
        name_replacement(reply, plan);
    /* A plain read that came back as it was: without a pause the next one would spin. */
    bool idle = reply->tool == CONTRACT_TOOL_GET_PURCHASE_STATUS && !was_held &&
                plan->memory.revision == memory->revision;
    if (plan->stop == FOLLOW_GOING)
        plan_read(reply, idle, plan);
    else if (plan->stop == FOLLOW_LOST)
        plan->delay_ms = clamp(reply->next.after_seconds, DELAY_MAX_S) * 1000;
}

const char *follow_stop_words(enum follow_stop stop)
{
    static const char *const words[FOLLOW_STOP_COUNT] = {
        [FOLLOW_GOING] = "following",
        [FOLLOW_READY] = "ready: not read again until you ask",
        [FOLLOW_QUESTION] = "waiting for your answer",
        [FOLLOW_PASSWORD] = "the merchant wants a password: it can only be cancelled",
        [FOLLOW_TERMINAL] = "it has ended",
        [FOLLOW_NEEDS_SUPPORT] = "needs support: what happened to the money is not certain",
        [FOLLOW_TOLD] = "not confirmed yet: Envoy asked to stop waiting",
        [FOLLOW_BY_PASSED] = "not confirmed yet: the time to wait is over",
        [FOLLOW_UNCHANGED] = "not confirmed yet: four reads brought no change",
        [FOLLOW_REPLACED] = "replaced by another purchase",
        [FOLLOW_UNKNOWN_TOOL] = "Envoy asks for something this version cannot do: update it",
        [FOLLOW_UNKNOWN_STATE] = "Envoy reports a state this version does not know",
        [FOLLOW_SIGN_IN] = "sign in to go on",
        [FOLLOW_UPDATE] = "this version is too old: update it",
        [FOLLOW_NOT_FOUND] = "not found for this account",
        [FOLLOW_REFUSED] = "Envoy refused the read",
        [FOLLOW_LOST] = "no usable answer, trying again",
    };
    return stop >= 0 && stop < FOLLOW_STOP_COUNT ? words[stop] : "stopped";
}

bool follow_stop_is_open(enum follow_stop stop)
{
    return stop == FOLLOW_TOLD || stop == FOLLOW_BY_PASSED || stop == FOLLOW_UNCHANGED ||
           stop == FOLLOW_NEEDS_SUPPORT || stop == FOLLOW_UNKNOWN_TOOL ||
           stop == FOLLOW_UNKNOWN_STATE;
}
