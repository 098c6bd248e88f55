/* SPDX-License-Identifier: Apache-2.0 */
/* Private to start_purchase: a purchase that is not one yet. All pointers are borrowed. */
#ifndef SIM_START_PRIVATE_H
#define SIM_START_PRIVATE_H

#include "sim/sim_reply.h"
#include "sim/sim_world.h"

struct sim_draft {
    const cJSON *input;
    const char *key, *url, *rail, *retry_of;
    char site[SIM_NAME_SIZE];
    int64_t total_minor, limit_minor;
    bool has_address;
    size_t offer_count; /* items that name a product */
    enum sim_rail rail_kind;
    const char *rail_reason;
    enum sim_by checkout_by;
    const struct sim_gift *gift;
};

const struct sim_merchant *sim_start_merchant(const struct sim_world *w, const char *site);
/* Checks product ids, their validity and the total that they add up to. */
void sim_start_read_offers(const struct sim_world *w, struct sim_draft *d, struct sim_reply *r);
/* Fills rail_kind, rail_reason, checkout_by and gift, or refuses. */
void sim_start_choose_rail(const struct sim_world *w, struct sim_draft *d, struct sim_reply *r);

#endif
