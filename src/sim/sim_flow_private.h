/* SPDX-License-Identifier: Apache-2.0 */
/* Private to the flow: the sentence that a state says, and the parts that its files share. */
#ifndef SIM_FLOW_PRIVATE_H
#define SIM_FLOW_PRIVATE_H

#include "sim/sim_world.h"

void sim_flow_text(const struct sim_purchase *p, char *out, size_t size);
int64_t sim_flow_pace(const struct sim_world *w, const struct sim_purchase *p, enum sim_pace pace);
void sim_flow_wait(struct sim_world *w, struct sim_purchase *p, enum sim_task task,
                   enum sim_phase phase);
/* Money is back, or never moved: closes the books and lets a waiting replacement go on. */
void sim_flow_returned(struct sim_world *w, struct sim_purchase *p);
void sim_flow_complete(struct sim_world *w, struct sim_purchase *p, int64_t paid_minor);
void sim_flow_go(struct sim_world *w, struct sim_purchase *p); /* approved and covered by money */
void sim_flow_question(struct sim_world *w, struct sim_purchase *p, enum sim_ask kind,
                       const char *prompt, enum sim_state resume_state,
                       enum sim_phase resume_phase);
const char *sim_flow_report_reason(const struct sim_purchase *p);

#endif
