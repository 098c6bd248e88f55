/* SPDX-License-Identifier: Apache-2.0 */
/* How one purchase moves: from its start to its end, by itself (steps and deadlines), by its owner,
 * by the merchant and by its agent. Every visible change passes sim_flow_enter or sim_flow_touch,
 * which alone raise the revision. Functions that may not fit the present state return ERR_REFUSED
 * and then have changed nothing. Pages: walkthrough, complete-checkout, recovery, gift-vouchers. */
#ifndef SIM_FLOW_H
#define SIM_FLOW_H

#include "core/err.h"
#include "sim/sim_world.h"

/* Enters a state; text NULL takes the usual sentence for state, task and phase. */
void sim_flow_enter(struct sim_world *w, struct sim_purchase *p, enum sim_state state,
                    enum sim_phase phase, const char *text);
void sim_flow_touch(struct sim_world *w, struct sim_purchase *p);
/* The first state of a purchase whose rail is chosen. */
void sim_flow_open(struct sim_world *w, struct sim_purchase *p);
void sim_flow_fail(struct sim_world *w, struct sim_purchase *p, const char *reason);

/* By itself. due says when the next of step and deadline fires (SIM_NEVER for none). */
int64_t sim_flow_due(const struct sim_purchase *p);
void sim_flow_fire(struct sim_world *w, struct sim_purchase *p);
/* Recomputes when the present phase ends; call when the script's next act changed. */
void sim_flow_plan(struct sim_world *w, struct sim_purchase *p);

/* The owner's app. */
enum err sim_flow_approve(struct sim_world *w, struct sim_purchase *p) WARN_UNUSED;
enum err sim_flow_decline(struct sim_world *w, struct sim_purchase *p) WARN_UNUSED;
enum err sim_flow_pay(struct sim_world *w, struct sim_purchase *p) WARN_UNUSED;
enum err sim_flow_enter_otp(struct sim_world *w, struct sim_purchase *p) WARN_UNUSED;
/* amount 0: what this purchase lacks. */
enum err sim_flow_add_money(struct sim_world *w, struct sim_purchase *p,
                            int64_t amount_minor) WARN_UNUSED;

/* Merchant and Envoy. */
enum err sim_flow_ask(struct sim_world *w, struct sim_purchase *p, enum sim_ask kind,
                      const char *prompt) WARN_UNUSED;
enum err sim_flow_ask_bank(struct sim_world *w, struct sim_purchase *p) WARN_UNUSED;
enum err sim_flow_advance(struct sim_world *w, struct sim_purchase *p,
                          enum sim_phase phase) WARN_UNUSED; /* FUND, PREPARE or PLACE is over */
enum err sim_flow_settle(struct sim_world *w, struct sim_purchase *p, const char *order_ref,
                         int64_t paid_minor) WARN_UNUSED;
enum err sim_flow_refund(struct sim_world *w, struct sim_purchase *p) WARN_UNUSED;
enum err sim_flow_collect(struct sim_world *w, struct sim_purchase *p,
                          const char *order_ref) WARN_UNUSED;
enum err sim_flow_break(struct sim_world *w, struct sim_purchase *p,
                        const char *reason) WARN_UNUSED;
enum err sim_flow_reopen(struct sim_world *w, struct sim_purchase *p) WARN_UNUSED;
enum err sim_flow_lose(struct sim_world *w, struct sim_purchase *p) WARN_UNUSED; /* unknown */
/* Makes a linked replacement on Envoy checkout under key; the old purchase is superseded. */
enum err sim_flow_supersede(struct sim_world *w, struct sim_purchase *old, const char *key,
                            const struct sim_plan *plan, struct sim_purchase **out) WARN_UNUSED;

/* The agent. */
void sim_flow_answer(struct sim_world *w, struct sim_purchase *p);
/* A new handout of a ready purchase, or NULL when this connection may not have one. */
const struct sim_attempt *sim_flow_hand_out(struct sim_world *w, struct sim_purchase *p);
void sim_flow_report(struct sim_world *w, struct sim_purchase *p, struct sim_attempt *attempt,
                     bool is_paid, const char *failure_reason, const char *order_ref,
                     int64_t paid_minor);
bool sim_flow_may_cancel(const struct sim_purchase *p);
enum err sim_flow_cancel(struct sim_world *w, struct sim_purchase *p, bool by_owner) WARN_UNUSED;
bool sim_flow_offers_vault(const struct sim_purchase *p);
void sim_flow_save(struct sim_world *w, struct sim_purchase *p);
/* May start_purchase name it in retry_of? */
bool sim_flow_may_retry(const struct sim_purchase *p);

#endif
