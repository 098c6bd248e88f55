/* SPDX-License-Identifier: Apache-2.0 */
/* Allocation that ends the program instead of failing; see the header for why. */
#include "sim/sim_mem.h"

#include <cjson/cJSON.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/alloc.h"

static void *must(void *p)
{
    if (p == NULL) {
        fputs("envoy-sim: out of memory\n", stderr);
        exit(1);
    }
    return p;
}

void *sim_mem_zero(size_t count, size_t size)
{
    return must(alloc_zero(count > 0 ? count : 1, size));
}

void *sim_mem_grow(void *p, size_t count, size_t size)
{
    if (size != 0 && count > SIZE_MAX / size) {
        return must(NULL);
    }
    return must(alloc_grow(p, count * size));
}

char *sim_mem_text(const char *s)
{
    return s == NULL ? NULL : must(alloc_text(s));
}

static void *json_bytes(size_t size)
{
    return must(alloc_bytes(size > 0 ? size : 1));
}

void sim_mem_hook_json(void)
{
    cJSON_Hooks hooks = {json_bytes, alloc_free};

    cJSON_InitHooks(&hooks);
}
