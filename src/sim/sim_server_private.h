/* SPDX-License-Identifier: Apache-2.0 */
/* Private to the server and its control calls. */
#ifndef SIM_SERVER_PRIVATE_H
#define SIM_SERVER_PRIVATE_H

#include "sim/sim_server.h"

/* Replaces the world; on failure nothing has changed. */
enum err sim_server_load(struct sim_server *s, const char *scenario, uint64_t seed, char *why,
                         size_t why_size) WARN_UNUSED;

#endif
