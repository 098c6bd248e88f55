/* SPDX-License-Identifier: Apache-2.0 */
/* The simulator on the network: one thread, one loop, 127.0.0.1 only. Owns sockets and requests,
 * and the ways in which a fault looks on the wire. The only user of libmicrohttpd. */
#ifndef SIM_HTTP_H
#define SIM_HTTP_H

#include <stdbool.h>
#include <stdint.h>
#include "core/err.h"
#include "sim/sim_server.h"

struct sim_http;

/* Listens on port (0: a free one). ERR_NETWORK when that fails. server is borrowed. */
enum err sim_http_new(struct sim_http **out, struct sim_server *server, uint16_t port) WARN_UNUSED;
void sim_http_free(struct sim_http *h);
uint16_t sim_http_port(const struct sim_http *h);
/* Serves until one of the given descriptors becomes readable (-1 for none): a signal descriptor, or
 * an input whose end means stop. */
enum err sim_http_serve(struct sim_http *h, int signal_fd, int stdin_fd) WARN_UNUSED;

#endif
