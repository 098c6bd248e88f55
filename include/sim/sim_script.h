/* SPDX-License-Identifier: Apache-2.0 */
/* The script of a purchase: its acts in order (the format is in sim_scenario.h) and the verbs that
 * the control API shares with them. */
#ifndef SIM_SCRIPT_H
#define SIM_SCRIPT_H

#include "core/err.h"
#include "sim/sim_world.h"

/* When the next act of this purchase is due, SIM_NEVER when it waits for another state. Acts that
 * are not played (owner and agent without --auto, a false "if") are passed over. */
int64_t sim_script_due(const struct sim_world *w, struct sim_purchase *p);
/* Plays the act that is due. An act that does not fit any more is passed over. */
void sim_script_play(struct sim_world *w, struct sim_purchase *p);
/* True while an act of merchant or Envoy waits for the present state. */
bool sim_script_replaces(const struct sim_world *w, struct sim_purchase *p);

/* One verb of the phone, of the merchant, of the agent. args may hold the verb's own members; may
 * be NULL. ERR_USER: no such verb or a bad member (why says which); ERR_REFUSED: not in this state.
 */
enum err sim_phone_do(struct sim_world *w, struct sim_purchase *p, const char *verb,
                      const cJSON *args, const char **why) WARN_UNUSED;
enum err sim_merchant_do(struct sim_world *w, struct sim_purchase *p, const char *verb,
                         const cJSON *args, const char **why) WARN_UNUSED;
enum err sim_agent_do(struct sim_world *w, struct sim_purchase *p, const char *verb,
                      const cJSON *args, const char **why) WARN_UNUSED;

#endif
