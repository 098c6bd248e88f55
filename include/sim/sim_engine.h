/* SPDX-License-Identifier: Apache-2.0 */
/* Time in the world: fires what is due, in order of time, and holds reads until their purchase
 * changes. A held read is released at the moment that ends it, also inside one long leap. */
#ifndef SIM_ENGINE_H
#define SIM_ENGINE_H

#include "sim/sim_world.h"

/* Earliest moment at which something happens; SIM_NEVER for none. */
int64_t sim_engine_due(const struct sim_world *w);
/* True when nothing more happens by itself that a client could wait for: no purchase is to start
 * and none moves. What people still do about purchases that have ended does not count. */
bool sim_engine_is_resting(const struct sim_world *w);
/* Fires everything up to until_ms; now is until_ms afterwards (never earlier than before). */
void sim_engine_run(struct sim_world *w, int64_t until_ms);
/* Puts a read on hold. owner comes back through w->release, which must be set. */
void sim_engine_hold(struct sim_world *w, struct sim_purchase *p, int64_t deadline_ms, void *owner);
/* Releases the holds whose purchase has changed. Call after every write. */
void sim_engine_settle(struct sim_world *w);
/* Takes a hold out without an answer. */
void sim_engine_drop(struct sim_world *w, const void *owner);

#endif
