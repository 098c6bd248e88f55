/* SPDX-License-Identifier: Apache-2.0 */
/* The input schemas of the thirteen tools as tables. Private to the contract layer. */
#ifndef CONTRACT_SCHEMA_H
#define CONTRACT_SCHEMA_H

#include <stdbool.h>
#include <stdint.h>
#include "contract/enums.h"

enum rule_type {
    RULE_TEXT,   /* min..max characters (max 0: no bound), and fits() when it is set */
    RULE_RUPEES, /* amount in rupees */
    RULE_COUNT,  /* whole number min..max */
    RULE_ENUM,   /* a value of kind */
    RULE_ENUMS,  /* a list of different values of kind */
    RULE_ROWS,   /* a list of min..max objects with fields */
};

struct rule {
    const char *name;
    enum rule_type type;
    bool required;
    bool digits_as_text; /* a count may be text */
    int64_t min, max;
    bool (*fits)(const char *s);
    enum contract_kind kind;
    const struct rule *fields; /* of the objects in a list; ends with a NULL name */
    const char *expected;      /* NULL: made from the rule */
};

/* The fields of a tool's input; ends with a NULL name. */
const struct rule *schema_rules(enum contract_tool tool);

#endif
