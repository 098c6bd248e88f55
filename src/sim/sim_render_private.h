/* SPDX-License-Identifier: Apache-2.0 */
/* Private to rendering. */
#ifndef SIM_RENDER_PRIVATE_H
#define SIM_RENDER_PRIVATE_H

#include "sim/sim_reply.h"

void sim_render_pay_url(const struct sim_world *w, const struct sim_purchase *p, char *out,
                        size_t size);
cJSON *sim_render_handout(const struct sim_world *w, const struct sim_purchase *p,
                          const struct sim_attempt *a);
/* Until when a reader waits in a held state. */
int64_t sim_render_by(const struct sim_purchase *p);

#endif
