/* SPDX-License-Identifier: Apache-2.0 */
/* Money inside the simulated account. The only code that changes balances, holds and what a
 * purchase has paid, so spendable, held_purchases and the history cannot disagree. Each call leaves
 * a row. */
#ifndef SIM_LEDGER_H
#define SIM_LEDGER_H

#include "sim/sim_world.h"

/* Sets amount aside for the purchase; its money reads debited. */
void sim_ledger_hold(struct sim_world *w, struct sim_purchase *p, int64_t amount_minor);
/* The owner paid from outside the account (a payment link, the app's payment screen). */
void sim_ledger_external(struct sim_world *w, struct sim_purchase *p, int64_t amount_minor);
/* What was set aside is spent up to paid_minor; the rest is free again. */
void sim_ledger_debit(struct sim_world *w, struct sim_purchase *p, int64_t paid_minor);
/* Everything that this purchase took or paid is back; its money reads refunded, or not_started when
 * nothing had moved. */
void sim_ledger_return(struct sim_world *w, struct sim_purchase *p);
void sim_ledger_load(struct sim_world *w, const struct sim_purchase *p, int64_t amount_minor);

#endif
