/* SPDX-License-Identifier: Apache-2.0 */
/* start_purchase: the rules that decide whether a purchase exists and how it is paid. */
#ifndef SIM_START_H
#define SIM_START_H

#include "sim/sim_reply.h"
#include "sim/sim_world.h"

/* input has passed the schema and is borrowed. plan NULL takes the plan that fits (the one of a
 * retry, else the default). Fills the reply: the purchase, replayed or a refusal. */
void sim_start(struct sim_world *w, const cJSON *input, const struct sim_plan *plan,
               struct sim_reply *r);
/* Whole rupees of a discounted gift card, in paise. */
int64_t sim_start_payable(const struct sim_gift *gift, int64_t face_minor);
/* Lower-case host of an https URL without "www.". */
void sim_start_site(const char *url, char out[SIM_NAME_SIZE]);

#endif
