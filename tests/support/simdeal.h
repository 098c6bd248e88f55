/* SPDX-License-Identifier: Apache-2.0 */
/* Steps of a purchase that many tests of the simulator take, over real HTTP. Everything asserts
 * that it works; what a test is about, it calls itself. */
#ifndef SUPPORT_SIMDEAL_H
#define SUPPORT_SIMDEAL_H

#include "support/simproc.h"

/* start_purchase of one thing at https://HOST/cart; more: further fields, "'rail':'gift_card'" or
 * "". Gives the reply, whatever it is. */
cJSON *simdeal_start(struct simproc *s, const char *key, const char *host, const char *total,
                     const char *more);
/* The same, and it must be accepted; gives the purchase id, valid until simproc_stop. */
const char *simdeal_buy(struct simproc *s, const char *key, const char *host, const char *total,
                        const char *more);
/* Reads the status without a hold. */
cJSON *simdeal_read(struct simproc *s, const char *purchase);
/* Approves, lets time pass and takes the handout: the reply that carried it. */
cJSON *simdeal_ready(struct simproc *s, const char *purchase);
/* Reports for the attempt of that reply; more: "'failure_reason':'other'" or "". Gives the reply.
 */
cJSON *simdeal_report(struct simproc *s, const cJSON *handout, const char *outcome,
                      const char *more);

/* The reply is a success with the purchase in this state, or a refusal with this code and status.
 */
void simdeal_expect_state(struct simproc *s, const cJSON *reply, const char *state);
void simdeal_expect_error(struct simproc *s, const cJSON *reply, long status, const char *code);
/* INVALID_INPUT for one field. */
void simdeal_expect_field(struct simproc *s, const cJSON *reply, const char *path);

#endif
