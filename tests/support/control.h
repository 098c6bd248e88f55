/* SPDX-License-Identifier: Apache-2.0 */
/* The simulator's control calls, for tests: small blocking HTTP to a loopback address. Knows the
 * paths below /sim and nothing of the contract. */
#ifndef SUPPORT_CONTROL_H
#define SUPPORT_CONTROL_H

#include <stdbool.h>
#include <stddef.h>
#include <cjson/cJSON.h>

/* The line that the simulator prints when it is ready. */
struct control {
    char url[128];
    char token[256];
};

bool control_parse_ready(const char *json, struct control *out);

/* One call; body NULL = GET. Returns the reply (caller: cJSON_Delete) or NULL; why says what was
 * wrong (also any status other than 2xx). */
cJSON *control_call(const struct control *c, const char *path, const cJSON *body, char *why,
                    size_t why_size);
/* How many calls of that tool arrived so far; -1 when they cannot be read. "*" = of any tool. */
int control_count_calls(const struct control *c, const char *tool);

#endif
