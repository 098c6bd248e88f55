/* SPDX-License-Identifier: Apache-2.0 */
/* get_account: the sections that were asked for, and which of them could not be read. */
#include <stdio.h>
#include <string.h>

#include "core/money.h"
#include "sim_tools_private.h"

static bool has_word(const cJSON *list, const char *word)
{
    const cJSON *item = NULL;

    cJSON_ArrayForEach(item, list)
    {
        if (cJSON_IsString(item) && strcmp(item->valuestring, word) == 0) {
            return true;
        }
    }
    return false;
}

static void add_amount(cJSON *o, const char *name, bool is_known, int64_t minor)
{
    cJSON_AddItemToObject(o, name, is_known ? sim_render_amount(minor) : cJSON_CreateNull());
}

static void add_balance(const struct sim_world *w, cJSON *o, const cJSON *out)
{
    sim_render_text(o, "currency", has_word(out, "currency") ? NULL : "INR");
    add_amount(o, "balance", !has_word(out, "balance"), w->account.balance_minor);
    add_amount(o, "held", !has_word(out, "holds"), w->account.bank_held_minor);
    add_amount(o, "spendable", !has_word(out, "spendable"), sim_world_spendable(w));
}

static void add_position(cJSON *items, const char *id, const char *merchant, int64_t minor,
                         bool is_exact, const char *state, int64_t since_ms)
{
    cJSON *row = cJSON_CreateObject();

    cJSON_AddStringToObject(row, "purchase_id", id);
    sim_render_text(row, "merchant", merchant);
    add_amount(row, "amount", minor >= 0, minor);
    cJSON_AddBoolToObject(row, "exact", is_exact);
    cJSON_AddStringToObject(row, "state", state);
    sim_render_time(row, "since", since_ms);
    cJSON_AddItemToArray(items, row);
}

/* Positions older than this run, as the scenario lists them. */
static void add_old_positions(const struct sim_world *w, cJSON *items)
{
    const cJSON *row = NULL;
    uint64_t n = 0;

    cJSON_ArrayForEach(row, w->account.held)
    {
        const char *amount = sim_tool_text(row, "amount");
        const char *state = sim_tool_text(row, "state");
        int64_t minor = -1;
        char id[SIM_IDENT_PURCHASE_SIZE] = "pur_";

        if (amount != NULL && money_parse(amount, &minor) != ERR_OK) {
            minor = -1;
        }
        sim_ident_hex(w->seed, "position", ++n, 0, id + 4, 32);
        add_position(items, id, sim_tool_text(row, "merchant"), minor,
                     cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(row, "exact")),
                     state != NULL ? state : "unknown",
                     w->opened_ms - (int64_t)sim_tool_number(row, "hours_ago", 24) * 3600000);
    }
}

static void add_held(const struct sim_world *w, cJSON *o)
{
    cJSON *h = cJSON_AddObjectToObject(o, "held_purchases");
    bool is_known = !w->account.is_held_unavailable;
    cJSON *items = NULL;

    cJSON_AddBoolToObject(h, "available", is_known);
    sim_render_text(h, "reason", is_known ? NULL : "upstream_unavailable");
    items = cJSON_AddArrayToObject(h, "items");
    for (size_t i = w->purchase_count; is_known && i-- > 0;) {
        const struct sim_purchase *p = w->purchases[i];

        if (p->held_minor > 0) {
            add_position(items, p->id, p->merchant_name, p->held_minor,
                         p->money != SIM_MONEY_UNKNOWN,
                         p->money == SIM_MONEY_DEBITED          ? "held"
                         : p->money == SIM_MONEY_REFUND_PENDING ? "returning"
                                                                : "unknown",
                         p->funded_ms);
        }
    }
    if (is_known) {
        add_old_positions(w, items);
    }
    add_amount(h, "total", is_known, sim_world_held(w));
    if (is_known) {
        cJSON_AddBoolToObject(h, "truncated", w->account.is_held_truncated);
    } else {
        cJSON_AddNullToObject(h, "truncated");
    }
}

static void add_limits(const struct sim_world *w, cJSON *o)
{
    cJSON *list = cJSON_AddArrayToObject(o, "limits");
    const cJSON *row = NULL;

    cJSON_ArrayForEach(row, w->account.limits)
    {
        cJSON *limit = cJSON_CreateObject();
        int64_t minor = 0;
        const char *amount = sim_tool_text(row, "amount");

        if (amount == NULL || money_parse(amount, &minor) != ERR_OK) {
            minor = 0;
        }
        sim_render_text(limit, "channel", sim_tool_text(row, "channel"));
        sim_render_text(limit, "period", sim_tool_text(row, "period"));
        cJSON_AddItemToObject(limit, "amount", sim_render_amount(minor));
        cJSON_AddItemToArray(list, limit);
    }
    cJSON_AddStringToObject(o, "limits_reserved", "not_reserved");
}

static void add_profile(const struct sim_world *w, cJSON *o)
{
    cJSON *profile = cJSON_AddObjectToObject(o, "profile");

    sim_render_text(profile, "name", sim_tool_text(w->account.owner, "name"));
    sim_render_text(profile, "mobile", sim_tool_text(w->account.owner, "mobile"));
    sim_render_text(profile, "email", sim_tool_text(w->account.owner, "email"));
}

static void add_line(cJSON *address, const cJSON *row)
{
    static const char *const parts[] = {"name", "line1", "line2",   "line3",
                                        "city", "state", "pin_code"};
    char line[1200] = "";
    size_t n = 0;

    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        const char *part = sim_tool_text(row, parts[i]);

        if (part != NULL && part[0] != '\0' && n < sizeof(line)) {
            n += (size_t)snprintf(line + n, sizeof(line) - n, "%s%s", n > 0 ? ", " : "", part);
        }
    }
    cJSON_AddStringToObject(address, "line", line);
}

static void add_addresses(const struct sim_world *w, cJSON *o)
{
    static const char *const words[] = {"name", "phone", "line1",    "line2",  "line3",
                                        "city", "state", "pin_code", "country"};
    cJSON *list = cJSON_AddArrayToObject(o, "addresses");
    const cJSON *row = NULL;

    cJSON_ArrayForEach(row, cJSON_GetObjectItemCaseSensitive(w->account.owner, "addresses"))
    {
        cJSON *address = cJSON_CreateObject();

        sim_render_text(address, "id", sim_tool_text(row, "id"));
        sim_render_text(address, "label", sim_tool_text(row, "label"));
        cJSON_AddBoolToObject(address, "is_default",
                              cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(row, "is_default")));
        for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
            sim_render_text(address, words[i], sim_tool_text(row, words[i]));
        }
        add_line(address, row);
        cJSON_AddItemToArray(list, address);
    }
}

static void add_agent(const struct sim_world *w, cJSON *o)
{
    cJSON *agent = cJSON_AddObjectToObject(o, "agent");

    cJSON_AddStringToObject(agent, "agent_id", w->account.agent_id);
    cJSON_AddStringToObject(agent, "display_name", w->account.agent_name);
    cJSON_AddStringToObject(agent, "verification", w->account.agent_verification);
}

static void add_active(const struct sim_world *w, cJSON *o)
{
    const struct sim_purchase *p = sim_tool_newest_open(w);

    cJSON_AddItemToObject(o, "active_purchase",
                          p != NULL ? sim_render_purchase(w, p) : cJSON_CreateNull());
}

/* Which of the words in unavailable belong to a section that was asked for. */
static void add_unavailable(cJSON *o, const cJSON *out, const char *section)
{
    static const char *const rows[][2] = {
        {"balance", "balance"},     {"balance", "holds"},
        {"balance", "spendable"},   {"balance", "currency"},
        {"limits", "limits"},       {"profile", "profile"},
        {"addresses", "addresses"}, {"active_purchase", "active_purchase"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (strcmp(rows[i][0], section) == 0 && has_word(out, rows[i][1])) {
            cJSON_AddItemToArray(cJSON_GetObjectItemCaseSensitive(o, "unavailable"),
                                 cJSON_CreateString(rows[i][1]));
        }
    }
}

static void add_section(const struct sim_world *w, cJSON *o, const char *section)
{
    const cJSON *out = w->account.unavailable;

    add_unavailable(o, out, section);
    if (strcmp(section, "balance") == 0) {
        add_balance(w, o, out);
    } else if (strcmp(section, "held_purchases") == 0) {
        add_held(w, o);
    } else if (strcmp(section, "services") == 0) {
        cJSON *services = cJSON_AddArrayToObject(o, "services");

        if (w->account.has_service) {
            cJSON_AddItemToArray(services, cJSON_CreateString("purchase"));
        }
    } else if (strcmp(section, "agent") == 0) {
        add_agent(w, o);
    } else if (has_word(out, section)) {
        return; /* left out: unknown, not empty */
    } else if (strcmp(section, "limits") == 0) {
        add_limits(w, o);
    } else if (strcmp(section, "profile") == 0) {
        add_profile(w, o);
    } else if (strcmp(section, "addresses") == 0) {
        add_addresses(w, o);
    } else {
        add_active(w, o);
    }
}

void sim_tool_account(struct sim_world *w, struct sim_call *call)
{
    static const char *const usual[] = {"balance", "services", "active_purchase", "held_purchases"};
    const cJSON *include = cJSON_GetObjectItemCaseSensitive(call->input, "include");
    const cJSON *word = NULL;
    cJSON *o = NULL;

    call->reply.data = cJSON_CreateObject();
    o = cJSON_AddObjectToObject(call->reply.data, "account");
    cJSON_AddArrayToObject(o, "unavailable");
    if (include == NULL) {
        for (size_t i = 0; i < sizeof(usual) / sizeof(usual[0]); i++) {
            add_section(w, o, usual[i]);
        }
    }
    cJSON_ArrayForEach(word, include)
    {
        add_section(w, o, word->valuestring);
    }
}
