/* SPDX-License-Identifier: Apache-2.0 */
/* The record of calls: one row for each, in order of arrival, for GET /sim/calls and --log. It
 * never holds a reply, and of an answer only its length. */
#ifndef SIM_CALLS_H
#define SIM_CALLS_H

#include <stdio.h>
#include <stdint.h>
#include <cjson/cJSON.h>

#define SIM_CALLS_MAX 10000

struct sim_calls {
    cJSON *rows;
    size_t dropped;
    uint64_t count;
    FILE *log; /* NULL for none; borrowed */
};

void sim_calls_init(struct sim_calls *c, FILE *log);
void sim_calls_fini(struct sim_calls *c);
/* Records the arrival; input and request_id may be NULL. tool is a path when it is no tool. Returns
 * the number of the row. */
uint64_t sim_calls_begin(struct sim_calls *c, const char *tool, const cJSON *input,
                         const char *request_id, int64_t now_ms);
void sim_calls_held(struct sim_calls *c, uint64_t number);
/* status 0: no reply left. code and fault may be NULL. Rows that were dropped are passed over. */
void sim_calls_end(struct sim_calls *c, uint64_t number, int status, const char *code,
                   const char *fault, int64_t now_ms);

#endif
