/* SPDX-License-Identifier: Apache-2.0 */
/* Private to reading scenarios: one reader that remembers the first mistake. */
#ifndef SIM_SCENARIO_PRIVATE_H
#define SIM_SCENARIO_PRIVATE_H

#include "core/err.h"
#include "sim/sim_world.h"

struct sim_reader {
    struct sim_world *world;
    char *why;
    size_t why_size;
    bool is_bad;
};

void sim_reader_fail(struct sim_reader *r, const char *where, const char *what);
/* Fails unless o is an object whose members all stand in keys (blank-separated). */
bool sim_reader_keys(struct sim_reader *r, const cJSON *o, const char *where, const char *keys);
/* NULL when absent or null; fails when it is no string. */
const char *sim_reader_text(struct sim_reader *r, const cJSON *o, const char *name);
int64_t sim_reader_amount(struct sim_reader *r, const cJSON *o, const char *name,
                          int64_t otherwise);
double sim_reader_number(struct sim_reader *r, const cJSON *o, const char *name, double otherwise);
bool sim_reader_bool(struct sim_reader *r, const cJSON *o, const char *name, bool otherwise);
/* Index of the word that stands in name; otherwise when absent; fails on another word. */
size_t sim_reader_word(struct sim_reader *r, const cJSON *o, const char *name,
                       const char *const *words, size_t count, size_t otherwise);

void sim_reader_purchases(struct sim_reader *r, const cJSON *list);
void sim_reader_shops(struct sim_reader *r, const cJSON *doc);

#endif
