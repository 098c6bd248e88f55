/* SPDX-License-Identifier: Apache-2.0 */
/* The contract envoy@2026-10 as the simulator knows it: schemas of the inputs and replies of all
 * thirteen tools, held as one compact table. It refuses bad inputs in the service's own form, checks
 * every reply before it leaves, and renders GET /tools and GET /openapi.json. Shares nothing with
 * the console's contract layer, so that the two cannot agree by sharing a fault. */
#ifndef SIM_SCHEMA_H
#define SIM_SCHEMA_H

#include <stdbool.h>
#include <stddef.h>
#include <cjson/cJSON.h>

#define SIM_SCHEMA_FIELDS_MAX 10

struct sim_schema_field {
    char path[129];     /* JSON pointer, cut at 128 characters */
    char problem[201];  /* what is wrong; never echoes the value */
    char expected[201]; /* "" when there is nothing to say */
};

/* Names in catalog order; index 0..12. NULL beyond the end. */
const char *sim_schema_tool_name(size_t index);
/* "answer_purchase_question" for "submit_answer", "list_gift_card_merchants" for "get_merchants",
 * else the name itself; NULL for a name that is no tool. */
const char *sim_schema_tool_main(const char *tool);
bool sim_schema_tool_read_only(const char *tool);

/* Normalises the input in place as the service does (numbers for amounts, "₹" and commas stripped,
 * numeric-string quantities, a single string for include, http or bare domains upgraded to https,
 * invalid images and logos dropped), then checks it. Returns how many wrong fields are described (0 = good,
 * at most SIM_SCHEMA_FIELDS_MAX). input must be an object. */
size_t sim_schema_check_input(const char *tool, cJSON *input,
                              struct sim_schema_field fields[SIM_SCHEMA_FIELDS_MAX]);

/* True when the whole envelope obeys the exact schema of that tool's reply (additional fields are a
 * breach too) and the state invariants hold (question only in needs_*, follow_up and receipt only
 * when completed, funding only for pay_link, user_task only in waiting_for_user, card exactly for
 * kind card, voucher exactly for gift_card, payment_details only on get_purchase_status while
 * ready, terminal agrees with state, retryable has a delay ...). Otherwise why says where. */
bool sim_schema_check_reply(const char *tool, const cJSON *envelope, char *why, size_t why_size);

/* Documents for discovery, as the service serves them. Caller deletes with cJSON_Delete. */
cJSON *sim_schema_tools_document(void);
cJSON *sim_schema_openapi_document(void);

#endif
