/* SPDX-License-Identifier: Apache-2.0 */
/* The record of calls. Invariant: sanitise is the only way in for arguments. */
#include "sim/sim_calls.h"

#include "core/alloc.h"
#include "core/str.h"
#include "sim/sim_reply.h"

void sim_calls_init(struct sim_calls *c, FILE *log)
{
    c->rows = cJSON_CreateArray();
    c->dropped = 0;
    c->count = 0;
    c->log = log;
}

void sim_calls_fini(struct sim_calls *c)
{
    cJSON_Delete(c->rows);
    c->rows = NULL;
}

static cJSON *sanitise(const cJSON *input)
{
    cJSON *copy = NULL;
    cJSON *answer = NULL;
    double length = -1;

    if (!cJSON_IsObject(input)) {
        return cJSON_CreateNull();
    }
    copy = cJSON_Duplicate(input, true);
    /* as often as it stands there: a body may give a field twice */
    while ((answer = cJSON_DetachItemFromObjectCaseSensitive(copy, "answer")) != NULL) {
        length = cJSON_IsString(answer) ? (double)str_code_points(answer->valuestring) : 0;
        cJSON_Delete(answer);
    }
    if (length >= 0) {
        cJSON_AddNumberToObject(copy, "answer_length", length);
    }
    return copy;
}

static cJSON *find(const struct sim_calls *c, uint64_t number)
{
    cJSON *row = NULL;

    /* the newest rows stand at the end, and those are what is asked for */
    for (row = c->rows->child != NULL ? c->rows->child->prev : NULL; row != NULL; row = row->prev) {
        double n = cJSON_GetNumberValue(cJSON_GetObjectItemCaseSensitive(row, "n"));

        if (n == (double)number) {
            return row;
        }
        if (row == c->rows->child) {
            break;
        }
    }
    return NULL;
}

uint64_t sim_calls_begin(struct sim_calls *c, const char *tool, const cJSON *input,
                         const char *request_id, int64_t now_ms)
{
    cJSON *row = cJSON_CreateObject();

    c->count++;
    cJSON_AddNumberToObject(row, "n", (double)c->count);
    cJSON_AddStringToObject(row, "tool", tool);
    sim_render_time(row, "at", now_ms);
    cJSON_AddItemToObject(row, "arguments", sanitise(input));
    sim_render_text(row, "request_id", request_id);
    cJSON_AddItemToArray(c->rows, row);
    if (c->count - c->dropped > SIM_CALLS_MAX) {
        cJSON_DeleteItemFromArray(c->rows, 0);
        c->dropped++;
    }
    return c->count;
}

void sim_calls_held(struct sim_calls *c, uint64_t number)
{
    cJSON *row = find(c, number);

    if (row != NULL) {
        cJSON_AddTrueToObject(row, "held");
    }
}

void sim_calls_end(struct sim_calls *c, uint64_t number, int status, const char *code,
                   const char *fault, int64_t now_ms)
{
    cJSON *row = find(c, number);
    char *line = NULL;

    if (row == NULL) {
        return;
    }
    cJSON_AddNumberToObject(row, "status", status);
    if (code != NULL) {
        cJSON_AddStringToObject(row, "code", code);
    }
    if (fault != NULL) {
        cJSON_AddStringToObject(row, "fault", fault);
    }
    sim_render_time(row, "replied_at", now_ms);
    if (c->log != NULL) {
        line = cJSON_PrintUnformatted(row);
        fprintf(c->log, "%s\n", line);
        fflush(c->log);
        alloc_free(line);
    }
}
