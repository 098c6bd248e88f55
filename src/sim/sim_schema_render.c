/* SPDX-License-Identifier: Apache-2.0 */
/* Discovery: the schema table as JSON Schema, as GET /tools and GET /openapi.json serve it. Holds
 * no rule of its own. A document without memory comes out as NULL, never half. */
#include <stdio.h>
#include <string.h>
#include "sim_schema_table.h"

#define CONTRACT "envoy@2026-10"

/* cJSON's add functions take NULL items badly in chains; ok remembers a failure to the end. */
struct doc {
    bool ok;
};

static cJSON *add(struct doc *doc, cJSON *object, const char *name, cJSON *value)
{
    if (!object || !value || !cJSON_AddItemToObject(object, name, value)) {
        doc->ok = false;
        cJSON_Delete(value);
        return NULL;
    }
    return value;
}

static void push(struct doc *doc, cJSON *array, cJSON *value)
{
    if (!array || !value || !cJSON_AddItemToArray(array, value)) {
        doc->ok = false;
        cJSON_Delete(value);
    }
}

static void add_text(struct doc *doc, cJSON *object, const char *name, const char *text)
{
    add(doc, object, name, cJSON_CreateString(text));
}

static const char *kind_name(enum sim_kind kind)
{
    static const char *const names[] = {"object",  "array",  "string",
                                        "integer", "number", "boolean"};
    return names[kind];
}

static void render_type(struct doc *doc, cJSON *schema, const struct sim_node *node)
{
    if (!(node->flags & SIM_NULLABLE)) {
        add_text(doc, schema, "type", kind_name(node->kind));
        return;
    }
    cJSON *types = add(doc, schema, "type", cJSON_CreateArray());
    push(doc, types, cJSON_CreateString(kind_name(node->kind)));
    push(doc, types, cJSON_CreateString("null"));
}

static void render_bounds(struct doc *doc, cJSON *schema, const struct sim_node *node)
{
    const char *lo = "minimum";
    const char *hi = "maximum";
    if (node->kind == SIM_STRING) {
        lo = "minLength";
        hi = "maxLength";
    } else if (node->kind == SIM_ARRAY) {
        lo = "minItems";
        hi = "maxItems";
    }
    if (node->has_lo)
        add(doc, schema, lo, cJSON_CreateNumber(node->lo));
    if (node->has_hi)
        add(doc, schema, hi, cJSON_CreateNumber(node->hi));
}

static void render_choices(struct doc *doc, cJSON *schema, const struct sim_node *node)
{
    cJSON *list = add(doc, schema, "enum", cJSON_CreateArray());
    for (const char *const *word = node->choices; *word; word++)
        push(doc, list, cJSON_CreateString(*word));
    if (node->flags & SIM_NULLABLE)
        push(doc, list, cJSON_CreateNull());
}

static cJSON *render_node(struct doc *doc, const struct sim_node *node);

static void render_fields(struct doc *doc, cJSON *schema, const struct sim_node *fields)
{
    cJSON *properties = add(doc, schema, "properties", cJSON_CreateObject());
    cJSON *required = cJSON_CreateArray();
    for (const struct sim_node *field = fields; field->name; field++) {
        add(doc, properties, field->name, render_node(doc, field));
        if (field->flags & SIM_REQUIRED)
            push(doc, required, cJSON_CreateString(field->name));
    }
    add(doc, schema, "required", required);
    add(doc, schema, "additionalProperties", cJSON_CreateFalse());
}

static cJSON *render_node(struct doc *doc, const struct sim_node *node)
{
    cJSON *schema = cJSON_CreateObject();
    render_type(doc, schema, node);
    if (node->kind == SIM_ARRAY)
        add(doc, schema, "items", render_node(doc, node->of));
    if (node->flags & SIM_OPEN)
        add(doc, schema, "additionalProperties", cJSON_CreateTrue());
    else if (node->kind == SIM_OBJECT)
        render_fields(doc, schema, node->of);
    if (node->choices)
        render_choices(doc, schema, node);
    render_bounds(doc, schema, node);
    if (node->flags & SIM_UNIQUE)
        add(doc, schema, "uniqueItems", cJSON_CreateTrue());
    if (node->format != SIM_FORMAT_NONE)
        add_text(doc, schema, "format", sim_format_name(node->format));
    if (node->pattern != SIM_PATTERN_NONE)
        add_text(doc, schema, "pattern", sim_pattern_text(node->pattern));
    if (node->default_json)
        add(doc, schema, "default", cJSON_Parse(node->default_json));
    if (node->flags & SIM_SECRET)
        add(doc, schema, "x-envoy-secret", cJSON_CreateTrue());
    return schema;
}

/* The envelope with this tool's data. */
static cJSON *render_reply(struct doc *doc, const struct sim_tool *tool)
{
    struct sim_node fields[16];
    size_t count = 0;
    for (const struct sim_node *field = sim_table_envelope(); field->name; field++) {
        fields[count++] = *field;
        if (strcmp(field->name, "purchase") == 0)
            fields[count++] = *tool->data;
    }
    fields[count] = (struct sim_node){.name = NULL};
    const struct sim_node root = {.name = "", .kind = SIM_OBJECT, .of = fields};
    return render_node(doc, &root);
}

static cJSON *finish(struct doc *doc, cJSON *root)
{
    if (doc->ok)
        return root;
    cJSON_Delete(root);
    return NULL;
}

cJSON *sim_schema_tools_document(void)
{
    struct doc doc = {true};
    cJSON *root = cJSON_CreateObject();
    add_text(&doc, root, "contract", CONTRACT);
    cJSON *list = add(&doc, root, "tools", cJSON_CreateArray());
    const struct sim_tool *tool;
    for (size_t i = 0; (tool = sim_table_tool_at(i)) != NULL; i++) {
        cJSON *entry = cJSON_CreateObject();
        add_text(&doc, entry, "name", tool->name);
        add_text(&doc, entry, "title", tool->title);
        add_text(&doc, entry, "description", tool->purpose);
        add_text(&doc, entry, "service", tool->service);
        add(&doc, entry, "inputSchema", render_node(&doc, tool->input));
        add(&doc, entry, "outputSchema", render_reply(&doc, tool));
        cJSON *hints = add(&doc, entry, "annotations", cJSON_CreateObject());
        add_text(&doc, hints, "title", tool->title);
        add(&doc, hints, "readOnlyHint", cJSON_CreateBool(tool->read_only));
        add(&doc, hints, "destructiveHint", cJSON_CreateBool(tool->destructive));
        add(&doc, hints, "idempotentHint", cJSON_CreateTrue());
        add(&doc, hints, "openWorldHint", cJSON_CreateBool(tool->external));
        push(&doc, list, entry);
    }
    return finish(&doc, root);
}

static void add_body(struct doc *doc, cJSON *object, cJSON *schema)
{
    cJSON *content = add(doc, object, "content", cJSON_CreateObject());
    cJSON *json = add(doc, content, "application/json", cJSON_CreateObject());
    add(doc, json, "schema", schema);
}

static void add_response(struct doc *doc, cJSON *responses, const char *status, const char *words,
                         cJSON *schema)
{
    cJSON *response = add(doc, responses, status, cJSON_CreateObject());
    add_text(doc, response, "description", words);
    add_body(doc, response, schema);
}

static cJSON *render_ref(struct doc *doc, const char *name)
{
    char target[80];
    snprintf(target, sizeof target, "#/components/schemas/%s_reply", name);
    cJSON *ref = cJSON_CreateObject();
    add_text(doc, ref, "$ref", target);
    return ref;
}

static cJSON *render_operation(struct doc *doc, const struct sim_tool *tool)
{
    static const struct {
        const char *status;
        const char *words;
    } failures[] = {
        {"400", "INVALID_INPUT"},
        {"401", "UNAUTHENTICATED"},
        {"403", "NOT_ALLOWED or SERVICE_NOT_ENABLED"},
        {"404", "NOT_FOUND"},
        {"409", "IDEMPOTENCY_CONFLICT, ACTIVE_PURCHASE_EXISTS or STATE_CONFLICT"},
        {"413", "INVALID_INPUT: the body is over 64 KB"},
        {"422", "NO_RAIL"},
        {"426", "CLIENT_UPDATE_REQUIRED"},
        {"429", "RATE_LIMITED"},
        {"503", "UNAVAILABLE"},
    };
    cJSON *operation = cJSON_CreateObject();
    add_text(doc, operation, "operationId", tool->name);
    add_text(doc, operation, "summary", tool->title);
    add_text(doc, operation, "description", tool->purpose);
    cJSON *body = add(doc, operation, "requestBody", cJSON_CreateObject());
    add(doc, body, "required", cJSON_CreateTrue());
    add_body(doc, body, render_node(doc, tool->input));
    cJSON *responses = add(doc, operation, "responses", cJSON_CreateObject());
    add_response(doc, responses, "200", "Read ok and next.", render_ref(doc, tool->name));
    for (size_t i = 0; i < sizeof failures / sizeof failures[0]; i++)
        add_response(doc, responses, failures[i].status, failures[i].words,
                     render_ref(doc, tool->name));
    return operation;
}

cJSON *sim_schema_openapi_document(void)
{
    struct doc doc = {true};
    cJSON *root = cJSON_CreateObject();
    add_text(&doc, root, "openapi", "3.1.0");
    cJSON *info = add(&doc, root, "info", cJSON_CreateObject());
    add_text(&doc, info, "title", "Envoy tools, simulated");
    add_text(&doc, info, "version", CONTRACT);
    cJSON *paths = add(&doc, root, "paths", cJSON_CreateObject());
    cJSON *components = add(&doc, root, "components", cJSON_CreateObject());
    cJSON *schemas = add(&doc, components, "schemas", cJSON_CreateObject());
    cJSON *schemes = add(&doc, components, "securitySchemes", cJSON_CreateObject());
    cJSON *bearer = add(&doc, schemes, "bearer", cJSON_CreateObject());
    add_text(&doc, bearer, "type", "http");
    add_text(&doc, bearer, "scheme", "bearer");
    cJSON *security = add(&doc, root, "security", cJSON_CreateArray());
    cJSON *need = cJSON_CreateObject();
    add(&doc, need, "bearer", cJSON_CreateArray());
    push(&doc, security, need);
    const struct sim_tool *tool;
    for (size_t i = 0; (tool = sim_table_tool_at(i)) != NULL; i++) {
        char name[80];
        snprintf(name, sizeof name, "/tools/%s", tool->name);
        cJSON *path = add(&doc, paths, name, cJSON_CreateObject());
        add(&doc, path, "post", render_operation(&doc, tool));
        snprintf(name, sizeof name, "%s_reply", tool->name);
        add(&doc, schemas, name, render_reply(&doc, tool));
    }
    return finish(&doc, root);
}
