/* SPDX-License-Identifier: Apache-2.0 */
/* The table of faults: first in, first used. */
#include "sim/sim_fault.h"

#include <string.h>

#include "core/alloc.h"
#include "core/str.h"
#include "sim/sim_mem.h"
#include "sim/sim_tools.h"

#define SECONDS_DEFAULT 1.0
#define SECONDS_MAX     86400.0

static const char *const names[] = {
    "none",    "delay",    "drip",         "reset",   "blackhole", "refuse",          "status",
    "html504", "truncate", "wrong_length", "garbage", "ratelimit", "unauthenticated", "unavailable",
};

const char *sim_fault_name(enum sim_fault_kind kind)
{
    return names[kind];
}

static enum sim_fault_kind find_kind(const cJSON *item)
{
    for (size_t i = 1; cJSON_IsString(item) && i < sizeof(names) / sizeof(names[0]); i++) {
        if (strcmp(names[i], item->valuestring) == 0) {
            return (enum sim_fault_kind)i;
        }
    }
    return SIM_FAULT_NONE;
}

static double number(const cJSON *spec, const char *name, double otherwise)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(spec, name);

    return cJSON_IsNumber(item) ? item->valuedouble : otherwise;
}

enum err sim_fault_add(struct sim_faults *f, const cJSON *spec, int64_t base_ms, const char **why)
{
    const cJSON *tool = cJSON_GetObjectItemCaseSensitive(spec, "tool");
    const cJSON *at = cJSON_GetObjectItemCaseSensitive(spec, "at");
    const cJSON *header = cJSON_GetObjectItemCaseSensitive(spec, "header");
    double at_seconds = number(spec, "at_seconds", 0);
    double count = number(spec, "count", 1);
    double status = number(spec, "status", 500);
    struct sim_fault row = {0};

    row.kind = find_kind(cJSON_GetObjectItemCaseSensitive(spec, "kind"));
    row.seconds = number(spec, "seconds", SECONDS_DEFAULT);
    if (row.kind == SIM_FAULT_NONE) {
        *why = "kind is delay, drip, reset, blackhole, refuse, status, html504, truncate, "
               "wrong_length, garbage, ratelimit, unauthenticated or unavailable";
        return ERR_USER;
    }
    if (cJSON_IsString(tool) && strcmp(tool->valuestring, "*") != 0) {
        if (sim_tools_name(tool->valuestring) == NULL) {
            *why = "tool is the name of a tool, or * for any";
            return ERR_USER;
        }
        str_copy(row.tool, sizeof(row.tool), tool->valuestring);
    }
    if (at != NULL && (!cJSON_IsString(at) || (strcmp(at->valuestring, "before") != 0 &&
                                               strcmp(at->valuestring, "after") != 0))) {
        *why = "at is before or after";
        return ERR_USER;
    }
    if (count < 1 || count > 1e6 || row.seconds < 0 || row.seconds > SECONDS_MAX || status < 200 ||
        status > 599 || at_seconds < 0 || at_seconds > 1e7) {
        *why = "count, seconds, status or at_seconds is out of bounds";
        return ERR_USER;
    }
    row.is_after = at != NULL && strcmp(at->valuestring, "after") == 0;
    row.count = (int)count;
    row.status = (int)status;
    row.at_ms = base_ms + (int64_t)(at_seconds * 1000);
    str_copy(row.header, sizeof(row.header), cJSON_IsString(header) ? header->valuestring : "");
    f->rows = sim_mem_grow(f->rows, f->count + 1, sizeof(*f->rows));
    f->rows[f->count++] = row;
    return ERR_OK;
}

/* Two names of one tool are one tool. */
static bool fits(const struct sim_fault *row, const char *tool)
{
    return row->tool[0] == '\0' ||
           strcmp(sim_schema_tool_main(row->tool), sim_schema_tool_main(tool)) == 0;
}

struct sim_fault sim_fault_take(struct sim_faults *f, const char *tool, int64_t now_ms)
{
    struct sim_fault none = {0};

    for (size_t i = 0; i < f->count; i++) {
        struct sim_fault *row = &f->rows[i];
        struct sim_fault taken = *row;

        if (row->at_ms > now_ms || !fits(row, tool)) {
            continue;
        }
        row->count--;
        if (row->count == 0) {
            memmove(row, row + 1, (f->count - i - 1) * sizeof(*row));
            f->count--;
        }
        return taken;
    }
    return none;
}

void sim_fault_clear(struct sim_faults *f)
{
    alloc_free(f->rows);
    f->rows = NULL;
    f->count = 0;
}

cJSON *sim_fault_render(const struct sim_faults *f)
{
    cJSON *list = cJSON_CreateArray();

    for (size_t i = 0; i < f->count; i++) {
        const struct sim_fault *row = &f->rows[i];
        cJSON *o = cJSON_CreateObject();

        cJSON_AddStringToObject(o, "tool", row->tool[0] != '\0' ? row->tool : "*");
        cJSON_AddStringToObject(o, "at", row->is_after ? "after" : "before");
        cJSON_AddStringToObject(o, "kind", names[row->kind]);
        cJSON_AddNumberToObject(o, "count", row->count);
        cJSON_AddNumberToObject(o, "seconds", row->seconds);
        cJSON_AddItemToArray(list, o);
    }
    return list;
}
