/* SPDX-License-Identifier: Apache-2.0 */
/* How a schema is written down here: one const node a field, shared by the checks and by the
 * documents for discovery, so that what is served and what is enforced cannot drift apart. The
 * nodes hold the published rules only; rules across fields are code. Private to the simulator. */
#ifndef SIM_SCHEMA_TABLE_H
#define SIM_SCHEMA_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include "sim/sim_schema.h"

enum sim_kind { SIM_OBJECT, SIM_ARRAY, SIM_STRING, SIM_INTEGER, SIM_NUMBER, SIM_BOOLEAN };

enum sim_flag {
    SIM_REQUIRED = 1,
    SIM_NULLABLE = 2,
    SIM_UNIQUE = 4,   /* uniqueItems */
    SIM_OPEN = 8,     /* an object that takes any field */
    SIM_SECRET = 16,  /* x-envoy-secret */
    SIM_MONEY = 32,   /* minor and display must say the same */
    SIM_PURCHASE = 64 /* the purchase snapshot, with its state invariants */
};

enum sim_pattern {
    SIM_PATTERN_NONE,
    SIM_PATTERN_PURCHASE_ID,
    SIM_PATTERN_KEY,
    SIM_PATTERN_REFERENCE,
    SIM_PATTERN_UUID,
    SIM_PATTERN_OFFER,
    SIM_PATTERN_RUPEES,
    SIM_PATTERN_WEB,
    SIM_PATTERN_HTTPS,
    SIM_PATTERN_LAST4,
    SIM_PATTERN_PRINTABLE,
    SIM_PATTERN_COUNT
};

enum sim_format { SIM_FORMAT_NONE, SIM_FORMAT_DATE_TIME, SIM_FORMAT_DATE, SIM_FORMAT_URI };

struct sim_node {
    const char *name; /* NULL ends a list of fields; "" for an item or a root */
    enum sim_kind kind;
    unsigned flags;
    bool has_lo;
    bool has_hi;
    int lo; /* minimum, minLength or minItems */
    int hi;
    enum sim_pattern pattern;
    enum sim_format format;
    const char *const *choices; /* NULL-terminated; null joins them when SIM_NULLABLE */
    const struct sim_node *of;  /* fields of an object, or the one item of an array */
    const char *default_json;   /* NULL without a default */
};

struct sim_tool {
    const char *name;
    const char *main_name;
    const char *title;
    const char *purpose;
    const char *service;
    bool read_only;
    bool destructive;
    bool external;
    const struct sim_node *input; /* root objects */
    const struct sim_node *data;
};

const struct sim_tool *sim_table_tool(const char *name); /* NULL for a name that is no tool */
const struct sim_tool *sim_table_tool_at(size_t index);  /* NULL beyond the end */
/* Fields of the envelope but "data", which is each tool's own. */
const struct sim_node *sim_table_envelope(void);

const char *sim_pattern_text(enum sim_pattern pattern); /* as published; NULL for NONE */
const char *sim_pattern_words(enum sim_pattern pattern);
bool sim_pattern_matches(enum sim_pattern pattern, const char *text);
const char *sim_format_name(enum sim_format format);
bool sim_format_matches(enum sim_format format, const char *text);

/* What a check found; count goes on beyond the fields that fit. */
struct sim_findings {
    struct sim_schema_field *fields;
    size_t max;
    size_t count;
};
void sim_findings_add(struct sim_findings *found, const char *path, const char *problem,
                      const char *expected);
/* Checks one value against its node; path is the value's JSON pointer. */
void sim_node_check(const struct sim_node *node, const cJSON *value, const char *path,
                    struct sim_findings *found);

/* The rules that only prose states, for an input that passes its schema. */
void sim_input_rules(const struct sim_tool *tool, const cJSON *input, struct sim_findings *found);
void sim_input_normalise(const struct sim_tool *tool, cJSON *input);
/* The state invariants of a reply that passes its schema. */
void sim_reply_rules(const struct sim_tool *tool, const cJSON *envelope,
                     struct sim_findings *found);

#endif
