/* SPDX-License-Identifier: Apache-2.0 */
/* Private to the tools: their functions and what they share. */
#ifndef SIM_TOOLS_PRIVATE_H
#define SIM_TOOLS_PRIVATE_H

#include "sim/sim_tools.h"

typedef void sim_tool_fn(struct sim_world *w, struct sim_call *call);

sim_tool_fn sim_tool_account, sim_tool_transactions, sim_tool_purchases, sim_tool_merchants;
sim_tool_fn sim_tool_products, sim_tool_start, sim_tool_status, sim_tool_answer, sim_tool_report;
sim_tool_fn sim_tool_step, sim_tool_cancel;

const char *sim_tool_text(const cJSON *input, const char *name); /* NULL when absent */
int sim_tool_number(const cJSON *input, const char *name, int otherwise);
/* The purchase that the call names; without a name the newest open one, else the newest. Refuses
 * with NOT_FOUND and returns NULL. */
struct sim_purchase *sim_tool_purchase(struct sim_world *w, struct sim_call *call);
struct sim_purchase *sim_tool_newest_open(const struct sim_world *w);

#endif
