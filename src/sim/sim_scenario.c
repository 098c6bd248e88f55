/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a scenario: text, strict keys, owner and account, then plays its past. The document stays
 * with the world, which borrows from it. */
#include "sim/sim_scenario.h"

#include <stdio.h>
#include <string.h>

#include "core/buf.h"
#include "core/money.h"
#include "core/str.h"
#include "sim/sim_engine.h"
#include "sim/sim_history.h"
#include "sim/sim_world.h"
#include "sim_scenario_private.h"

#define FILE_MAX_BYTES (1024 * 1024)
#define HISTORY_MAX    100000
#define DAYS_DEFAULT   30

static const struct {
    const char *name;
    const char *text;
} builtin[] = {
#include "sim_scenarios.inc"
};

const char *sim_scenario_name(size_t index)
{
    return index < sizeof(builtin) / sizeof(builtin[0]) ? builtin[index].name : NULL;
}

void sim_reader_fail(struct sim_reader *r, const char *where, const char *what)
{
    if (!r->is_bad) {
        snprintf(r->why, r->why_size, "%s: %s", where, what);
    }
    r->is_bad = true;
}

static bool has_key(const char *keys, const char *key)
{
    size_t n = strlen(key);

    for (const char *at = strstr(keys, key); at != NULL; at = strstr(at + 1, key)) {
        if ((at == keys || at[-1] == ' ') && (at[n] == ' ' || at[n] == '\0')) {
            return true;
        }
    }
    return false;
}

bool sim_reader_keys(struct sim_reader *r, const cJSON *o, const char *where, const char *keys)
{
    const cJSON *item = NULL;
    char what[200];

    if (!cJSON_IsObject(o)) {
        sim_reader_fail(r, where, "is no object");
        return false;
    }
    cJSON_ArrayForEach(item, o)
    {
        if (!has_key(keys, item->string)) {
            snprintf(what, sizeof(what), "knows no \"%.100s\"", item->string);
            sim_reader_fail(r, where, what);
            return false;
        }
    }
    return true;
}

const char *sim_reader_text(struct sim_reader *r, const cJSON *o, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(o, name);

    if (item == NULL || cJSON_IsNull(item)) {
        return NULL;
    }
    if (!cJSON_IsString(item)) {
        sim_reader_fail(r, name, "is no text");
        return NULL;
    }
    return item->valuestring;
}

int64_t sim_reader_amount(struct sim_reader *r, const cJSON *o, const char *name, int64_t otherwise)
{
    const char *text = sim_reader_text(r, o, name);
    int64_t minor = otherwise;

    if (text != NULL && money_parse(text, &minor) != ERR_OK) {
        sim_reader_fail(r, name, "is no amount");
    }
    return minor;
}

double sim_reader_number(struct sim_reader *r, const cJSON *o, const char *name, double otherwise)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(o, name);

    if (item == NULL || cJSON_IsNull(item)) {
        return otherwise;
    }
    if (!cJSON_IsNumber(item)) {
        sim_reader_fail(r, name, "is no number");
        return otherwise;
    }
    return item->valuedouble;
}

bool sim_reader_bool(struct sim_reader *r, const cJSON *o, const char *name, bool otherwise)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(o, name);

    if (item == NULL) {
        return otherwise;
    }
    if (!cJSON_IsBool(item)) {
        sim_reader_fail(r, name, "is neither true nor false");
    }
    return cJSON_IsTrue(item);
}

size_t sim_reader_word(struct sim_reader *r, const cJSON *o, const char *name,
                       const char *const *words, size_t count, size_t otherwise)
{
    const char *text = sim_reader_text(r, o, name);

    if (text == NULL) {
        return otherwise;
    }
    for (size_t i = 0; i < count; i++) {
        if (words[i] != NULL && strcmp(words[i], text) == 0) {
            return i;
        }
    }
    sim_reader_fail(r, name, "is a word that is not known here");
    return otherwise;
}

static void read_owner(struct sim_reader *r, const cJSON *doc)
{
    struct sim_account *a = &r->world->account;
    const cJSON *owner = cJSON_GetObjectItemCaseSensitive(doc, "owner");
    const cJSON *row = NULL;

    a->owner = owner;
    if (owner == NULL || !sim_reader_keys(r, owner, "owner", "name mobile email addresses")) {
        return;
    }
    cJSON_ArrayForEach(row, cJSON_GetObjectItemCaseSensitive(owner, "addresses"))
    {
        if (sim_reader_keys(r, row, "address",
                            "id label is_default name phone line1 line2 line3 city state "
                            "pin_code country") &&
            (sim_reader_text(r, row, "id") == NULL || sim_reader_text(r, row, "label") == NULL ||
             sim_reader_text(r, row, "line1") == NULL || sim_reader_text(r, row, "city") == NULL ||
             sim_reader_text(r, row, "state") == NULL ||
             sim_reader_text(r, row, "pin_code") == NULL)) {
            sim_reader_fail(r, "address", "needs id, label, line1, city, state and pin_code");
        }
    }
}

static void read_agent(struct sim_reader *r, const cJSON *doc)
{
    static const char *const levels[] = {"cimd", "origin", "unverified"};
    struct sim_account *a = &r->world->account;
    const cJSON *agent = cJSON_GetObjectItemCaseSensitive(doc, "agent");
    const char *id = NULL;
    const char *name = NULL;

    if (agent != NULL) {
        sim_reader_keys(r, agent, "agent", "id name verification");
        id = sim_reader_text(r, agent, "id");
        name = sim_reader_text(r, agent, "name");
    }
    str_copy(a->agent_id, sizeof(a->agent_id),
             id != NULL ? id : "origin:https://agent.example.test");
    str_copy(a->agent_name, sizeof(a->agent_name), name != NULL ? name : "Example Agent");
    a->agent_verification = levels[sim_reader_word(r, agent, "verification", levels, 3, 1)];
}

static void read_limits(struct sim_reader *r, const cJSON *limits)
{
    static const char *const periods[] = {"day", "transaction"};
    const cJSON *row = NULL;

    cJSON_ArrayForEach(row, limits)
    {
        if (sim_reader_keys(r, row, "limit", "channel period amount")) {
            if (sim_reader_text(r, row, "channel") == NULL ||
                sim_reader_amount(r, row, "amount", -1) < 0) {
                sim_reader_fail(r, "limit", "needs channel, period and amount");
            }
            sim_reader_word(r, row, "period", periods, 2, 0);
        }
    }
}

static void read_positions(struct sim_reader *r, const cJSON *held)
{
    static const char *const states[] = {"held", "returning", "unknown"};
    const cJSON *row = NULL;

    cJSON_ArrayForEach(row, held)
    {
        if (sim_reader_keys(r, row, "held", "merchant amount exact state hours_ago")) {
            sim_reader_word(r, row, "state", states, 3, 2);
            sim_reader_amount(r, row, "amount", -1);
        }
    }
}

static void read_account(struct sim_reader *r, const cJSON *doc)
{
    struct sim_account *a = &r->world->account;
    const cJSON *o = cJSON_GetObjectItemCaseSensitive(doc, "account");
    const cJSON *services = cJSON_GetObjectItemCaseSensitive(o, "services");

    if (o != NULL) {
        sim_reader_keys(r, o, "account",
                        "balance bank_held services card operated gift_cards limits "
                        "spending_limit unavailable held_unavailable held_truncated held");
    }
    a->balance_minor = sim_reader_amount(r, o, "balance", 1000000);
    a->bank_held_minor = sim_reader_amount(r, o, "bank_held", 0);
    a->spending_limit_minor = sim_reader_amount(r, o, "spending_limit", 0);
    a->has_service = services == NULL || cJSON_GetArraySize(services) > 0;
    a->has_card = sim_reader_bool(r, o, "card", true);
    a->has_operated = sim_reader_bool(r, o, "operated", true);
    a->has_gift_cards = sim_reader_bool(r, o, "gift_cards", true);
    a->is_held_unavailable = sim_reader_bool(r, o, "held_unavailable", false);
    a->is_held_truncated = sim_reader_bool(r, o, "held_truncated", false);
    a->limits = cJSON_GetObjectItemCaseSensitive(o, "limits");
    a->unavailable = cJSON_GetObjectItemCaseSensitive(o, "unavailable");
    a->held = cJSON_GetObjectItemCaseSensitive(o, "held");
    read_limits(r, a->limits);
    read_positions(r, a->held);
}

static void read_history(struct sim_reader *r, const cJSON *doc)
{
    const cJSON *o = cJSON_GetObjectItemCaseSensitive(doc, "history");
    double count = 0;
    double days = 0;

    if (o == NULL || !sim_reader_keys(r, o, "history", "count days")) {
        return;
    }
    count = sim_reader_number(r, o, "count", 0);
    days = sim_reader_number(r, o, "days", DAYS_DEFAULT);
    if (count < 0 || count > HISTORY_MAX || days < 1 || days > 36500) {
        sim_reader_fail(r, "history", "is out of bounds");
        return;
    }
    sim_history_make(r->world, (size_t)count, (int)days);
}

static void play_past(struct sim_world *w)
{
    int64_t opened = w->opened_ms;

    for (size_t i = 0; i < w->plan_count; i++) {
        if (w->plans[i].at_ms < w->now_ms) {
            w->now_ms = w->plans[i].at_ms;
        }
    }
    w->is_past = true;
    sim_engine_run(w, opened);
    w->is_past = false;
    /* what an owner or agent was to do later is now for the person */
    for (size_t i = 0; i < w->purchase_count; i++) {
        w->purchases[i]->unchanged_holds = 0;
    }
}

static enum err read_file(const char *path, struct buf *out)
{
    FILE *f = fopen(path, "re");
    char chunk[4096];
    size_t n = 0;
    enum err e = f != NULL ? ERR_OK : ERR_USER;

    while (e == ERR_OK && (n = fread(chunk, 1, sizeof(chunk), f)) > 0) {
        e = buf_append(out, chunk, n);
    }
    if (f != NULL) {
        fclose(f);
    }
    return e;
}

static enum err find_text(const char *name_or_path, struct buf *out)
{
    for (size_t i = 0; i < sizeof(builtin) / sizeof(builtin[0]); i++) {
        if (strcmp(builtin[i].name, name_or_path) == 0) {
            return buf_append_str(out, builtin[i].text);
        }
    }
    return read_file(name_or_path, out);
}

static void read_document(struct sim_reader *r, const cJSON *doc)
{
    if (!sim_reader_keys(r, doc, "scenario",
                         "title seed owner agent account history merchants gift_cards products "
                         "faults purchases")) {
        return;
    }
    read_owner(r, doc);
    read_agent(r, doc);
    read_account(r, doc);
    read_history(r, doc);
    sim_reader_shops(r, doc);
    sim_reader_purchases(r, cJSON_GetObjectItemCaseSensitive(doc, "purchases"));
}

enum err sim_scenario_load(struct sim_world *world, const char *name_or_path, char *why,
                           size_t why_size)
{
    struct sim_reader r = {world, why, why_size, false};
    struct buf text;
    const cJSON *seed = NULL;
    enum err e = ERR_OK;

    buf_init(&text, FILE_MAX_BYTES);
    e = find_text(name_or_path, &text);
    if (e != ERR_OK) {
        snprintf(why, why_size, "there is no scenario of this name and no such file");
        goto out;
    }
    world->doc = cJSON_Parse(buf_view(&text));
    if (world->doc == NULL) {
        snprintf(why, why_size, "the file is no JSON");
        e = ERR_FORMAT;
        goto out;
    }
    str_copy(world->scenario, sizeof(world->scenario), name_or_path);
    seed = cJSON_GetObjectItemCaseSensitive(world->doc, "seed");
    if (world->seed == 0) {
        world->seed =
            cJSON_IsNumber(seed) && seed->valuedouble > 0 ? (uint64_t)seed->valuedouble : 1;
    }
    read_document(&r, world->doc);
    if (r.is_bad) {
        e = ERR_FORMAT;
        goto out;
    }
    play_past(world);
out:
    buf_fini(&text);
    return e;
}
