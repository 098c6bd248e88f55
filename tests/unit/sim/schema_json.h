/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of the simulator's schemas share: synthetic identifiers and JSON put together from
 * text. Knows no schema. */
#ifndef TESTS_SCHEMA_JSON_H
#define TESTS_SCHEMA_JSON_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "sim/sim_schema_table.h"

#define PUR  "pur_00112233445566778899aabbccddeeff"
#define PUR2 "pur_ffeeddccbbaa99887766554433221100"
#define OFR  "ofr_00112233445566778899aabbccddeeff"
#define UUID "01234567-89ab-4cde-8f01-23456789abcd"

#define PAID "{\"minor\":249900,\"currency\":\"INR\",\"display\":\"₹2,499.00\"}"

static inline cJSON *parse(const char *text)
{
    cJSON *value = cJSON_Parse(text);
    if (!value)
        fail_msg("not JSON: %s", text);
    return value;
}

/* Lays every field of patch over target; objects are merged, anything else replaces. */
static inline void overlay(cJSON *target, const cJSON *patch)
{
    const cJSON *field;
    cJSON_ArrayForEach(field, patch)
    {
        cJSON *old = cJSON_GetObjectItemCaseSensitive(target, field->string);
        if (cJSON_IsObject(old) && cJSON_IsObject(field))
            overlay(old, field);
        else if (old)
            cJSON_ReplaceItemInObjectCaseSensitive(target, field->string,
                                                   cJSON_Duplicate(field, true));
        else
            cJSON_AddItemToObject(target, field->string, cJSON_Duplicate(field, true));
    }
}

static inline void overlay_text(cJSON *target, const char *text)
{
    cJSON *patch = parse(text);
    overlay(target, patch);
    cJSON_Delete(patch);
}

#endif
