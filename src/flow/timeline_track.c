/* SPDX-License-Identifier: Apache-2.0 */
/* The progress track, the second half of flow/timeline.h. Must not know how it is drawn. Invariant:
 * a step is marked done only when the snapshot says so or its state cannot be reached without it;
 * an ending that is not certain is never marked done or bad. */
#include "flow/timeline.h"

struct track {
    struct timeline_step *steps;
    size_t count;
};

static void add(struct track *t, const char *words, enum timeline_mark mark,
                enum contract_glyph now)
{
    static const enum contract_glyph glyphs[] = {
        [TIMELINE_TODO] = CONTRACT_GLYPH_NONE,      [TIMELINE_NOW] = CONTRACT_GLYPH_MOTION,
        [TIMELINE_DONE] = CONTRACT_GLYPH_WELL,      [TIMELINE_BAD] = CONTRACT_GLYPH_ILL,
        [TIMELINE_UNSURE] = CONTRACT_GLYPH_UNKNOWN,
    };
    t->steps[t->count++] = (struct timeline_step){
        .words = words, .mark = mark, .glyph = mark == TIMELINE_NOW ? now : glyphs[mark]};
}

static bool is_approved(const struct contract_purchase *p)
{
    int money = p->money.value;
    return p->approval_state.value == CONTRACT_APPROVAL_APPROVED ||
           p->state.value == CONTRACT_STATE_READY || p->state.value == CONTRACT_STATE_VERIFYING ||
           p->state.value == CONTRACT_STATE_COMPLETED || money == CONTRACT_MONEY_DEBITED ||
           money == CONTRACT_MONEY_REFUND_PENDING || money == CONTRACT_MONEY_REFUNDED;
}

/* The owner's step while it is open: what the owner has to do. */
static const char *task_words(const struct contract_purchase *p)
{
    switch (p->user_task.value) {
    case CONTRACT_TASK_PAY_LINK:
        return "pay the link";
    case CONTRACT_TASK_ADD_MONEY:
        return "add money";
    case CONTRACT_TASK_RESOLVE_ACTIVE_PURCHASE:
        return "finish the other";
    default:
        return "approve";
    }
}

static bool asks_person(const struct contract_purchase *p)
{
    return p->state.value == CONTRACT_STATE_NEEDS_ANSWER ||
           p->state.value == CONTRACT_STATE_NEEDS_DETAILS;
}

static void add_approval(struct track *t, const struct contract_purchase *p)
{
    bool waits = p->state.value == CONTRACT_STATE_WAITING_FOR_USER;
    if (p->approval_state.value == CONTRACT_APPROVAL_DENIED)
        add(t, "declined", TIMELINE_BAD, CONTRACT_GLYPH_ILL);
    else if (p->approval_state.value == CONTRACT_APPROVAL_EXPIRED)
        add(t, "approval expired", TIMELINE_BAD, CONTRACT_GLYPH_ILL);
    else if (waits && p->user_task.value != CONTRACT_TASK_ENTER_OTP)
        add(t, task_words(p), TIMELINE_NOW, CONTRACT_GLYPH_OWNER);
    else if (is_approved(p) || p->user_task.value == CONTRACT_TASK_ENTER_OTP)
        add(t, "approved", TIMELINE_DONE, CONTRACT_GLYPH_WELL);
    else
        add(t, "approved", TIMELINE_TODO, CONTRACT_GLYPH_NONE);
}

static void add_middle(struct track *t, const struct contract_purchase *p)
{
    int state = p->state.value;
    bool envoy = p->checkout_by.value == CONTRACT_CHECKOUT_BY_ENVOY;
    bool past = state == CONTRACT_STATE_VERIFYING || state == CONTRACT_STATE_COMPLETED;
    const char *first = envoy ? "ordered" : "prepared";
    if (asks_person(p) && is_approved(p)) {
        /* Envoy asks while it orders; the agent's payment is prepared before anything is asked. */
        if (!envoy)
            add(t, first, TIMELINE_DONE, CONTRACT_GLYPH_WELL);
        add(t, "question", TIMELINE_NOW, CONTRACT_GLYPH_ANSWER);
        if (envoy)
            add(t, first, TIMELINE_TODO, CONTRACT_GLYPH_NONE);
    } else if (state == CONTRACT_STATE_WAITING_FOR_USER &&
               p->user_task.value == CONTRACT_TASK_ENTER_OTP) {
        add(t, "enter the code", TIMELINE_NOW, CONTRACT_GLYPH_OWNER);
    } else if (state == CONTRACT_STATE_PROCESSING) {
        add(t, first, TIMELINE_NOW, CONTRACT_GLYPH_MOTION);
    } else {
        bool done = past || state == CONTRACT_STATE_READY;
        add(t, first, done ? TIMELINE_DONE : TIMELINE_TODO, CONTRACT_GLYPH_NONE);
    }
    if (!envoy)
        add(t, "ready",
            state == CONTRACT_STATE_READY ? TIMELINE_NOW
            : past                        ? TIMELINE_DONE
                                          : TIMELINE_TODO,
            CONTRACT_GLYPH_MOTION);
}

static bool end_is_certain(const struct contract_purchase *p)
{
    int money = p->money.value;
    if (p->state.value == CONTRACT_STATE_COMPLETED)
        return money >= 0 && money != CONTRACT_MONEY_UNKNOWN;
    return money == CONTRACT_MONEY_NOT_STARTED || money == CONTRACT_MONEY_REFUNDED;
}

/* A purchase that ended early: what is known of the way, then how it ended. */
static void add_early_end(struct track *t, const struct contract_purchase *p)
{
    static const char *const words[CONTRACT_STATE_COUNT] = {
        [CONTRACT_STATE_FAILED] = "failed",
        [CONTRACT_STATE_CANCELLED] = "cancelled",
        [CONTRACT_STATE_SUPERSEDED] = "replaced",
    };
    bool certain = end_is_certain(p) || p->state.value == CONTRACT_STATE_SUPERSEDED;
    bool refused = p->approval_state.value == CONTRACT_APPROVAL_DENIED ||
                   p->approval_state.value == CONTRACT_APPROVAL_EXPIRED;
    if (refused || is_approved(p))
        add_approval(t, p);
    add(t, words[p->state.value], TIMELINE_BAD, CONTRACT_GLYPH_ILL);
    if (!certain)
        add(t, "money not settled", TIMELINE_UNSURE, CONTRACT_GLYPH_UNKNOWN);
}

size_t timeline_track(const struct contract_purchase *p,
                      struct timeline_step steps[TIMELINE_STEPS_MAX])
{
    struct track t = {.steps = steps};
    int state = p->state.value;
    if (contract_state_is_terminal(state) && state != CONTRACT_STATE_COMPLETED) {
        add_early_end(&t, p);
        return t.count;
    }
    if (state < 0) {
        add_approval(&t, p);
        add(&t, "state not known here", TIMELINE_UNSURE, CONTRACT_GLYPH_UNKNOWN);
        return t.count;
    }
    if (asks_person(p) && !is_approved(p))
        add(&t, state == CONTRACT_STATE_NEEDS_DETAILS ? "details" : "question", TIMELINE_NOW,
            CONTRACT_GLYPH_ANSWER);
    add_approval(&t, p);
    add_middle(&t, p);
    bool unsure = state == CONTRACT_STATE_VERIFYING &&
                  p->reason.value == CONTRACT_REASON_ORDER_OUTCOME_UNKNOWN;
    add(&t, "confirmed",
        state == CONTRACT_STATE_COMPLETED   ? TIMELINE_DONE
        : unsure                            ? TIMELINE_UNSURE
        : state == CONTRACT_STATE_VERIFYING ? TIMELINE_NOW
                                            : TIMELINE_TODO,
        CONTRACT_GLYPH_MOTION);
    if (state != CONTRACT_STATE_COMPLETED)
        add(&t, "done", TIMELINE_TODO, CONTRACT_GLYPH_NONE);
    else if (end_is_certain(p))
        add(&t, "done", TIMELINE_DONE, CONTRACT_GLYPH_WELL);
    else
        add(&t, "money not known", TIMELINE_UNSURE, CONTRACT_GLYPH_UNKNOWN);
    return t.count;
}
