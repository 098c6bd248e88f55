/* SPDX-License-Identifier: Apache-2.0 */
/* The world as a container: words, look-ups, counters and sums. No rule of the service lives here.
 */
#include "sim/sim_world.h"

#include <stdio.h>
#include <string.h>

#include "core/alloc.h"
#include "core/str.h"
#include "sim/sim_mem.h"

static const struct {
    const char *name;
    bool is_terminal;
    bool is_held;
} states[] = {
#define SIM_STATES
#define SIM_STATE(symbol, wire, is_terminal, is_held) {wire, is_terminal, is_held},
#include "sim/sim_words.def"
};

#define SIM_WORD(symbol, wire) wire,
static const char *const tasks[] = {
    NULL,
#define SIM_TASKS
#include "sim/sim_words.def"
};
#define SIM_WORD(symbol, wire) wire,
static const char *const rails[] = {
    NULL,
#define SIM_RAILS
#include "sim/sim_words.def"
};
#define SIM_WORD(symbol, wire) wire,
static const char *const moneys[] = {
#define SIM_MONEYS
#include "sim/sim_words.def"
};
#define SIM_WORD(symbol, wire) wire,
static const char *const asks[] = {
    NULL,
#define SIM_KINDS
#include "sim/sim_words.def"
};
static const struct {
    const char *name;
    int32_t seconds;
} paces[] = {
#define SIM_PACES
#define SIM_PACE(symbol, name, seconds) {name, seconds},
#include "sim/sim_words.def"
};

const char *sim_state_name(enum sim_state s)
{
    return states[s].name;
}

bool sim_state_is_terminal(enum sim_state s)
{
    return states[s].is_terminal;
}

bool sim_state_is_held(enum sim_state s)
{
    return states[s].is_held;
}

const char *sim_task_name(enum sim_task t)
{
    return tasks[t];
}

const char *sim_rail_name(enum sim_rail r)
{
    return rails[r];
}

const char *sim_money_name(enum sim_money m)
{
    return moneys[m];
}

const char *sim_ask_name(enum sim_ask k)
{
    return asks[k];
}

static size_t find_word(const char *const *words, size_t count, const char *name)
{
    for (size_t i = 1; i < count; i++) {
        if (name != NULL && strcmp(words[i], name) == 0) {
            return i;
        }
    }
    return 0;
}

enum sim_ask sim_ask_find(const char *name)
{
    return (enum sim_ask)find_word(asks, SIM_ASK_COUNT, name);
}

enum sim_rail sim_rail_find(const char *name)
{
    return (enum sim_rail)find_word(rails, SIM_RAIL_COUNT, name);
}

const char *sim_pace_name(enum sim_pace p)
{
    return paces[p].name;
}

int32_t sim_pace_default(enum sim_pace p)
{
    return paces[p].seconds;
}

void sim_world_init(struct sim_world *w, uint64_t seed, int64_t now_ms)
{
    memset(w, 0, sizeof(*w));
    w->seed = seed;
    w->now_ms = now_ms;
    w->opened_ms = now_ms;
    w->default_plan.is_ours = true;
    w->default_plan.at_ms = SIM_NEVER;
    for (int i = 0; i < SIM_PACE_COUNT; i++) {
        w->default_plan.pace_s[i] = paces[i].seconds;
    }
}

static void free_purchase(struct sim_purchase *p)
{
    cJSON_Delete(p->input);
    alloc_free(p->merchant_url);
    alloc_free(p->attempts);
    alloc_free(p);
}

void sim_world_fini(struct sim_world *w)
{
    for (size_t i = 0; i < w->purchase_count; i++) {
        free_purchase(w->purchases[i]);
    }
    for (size_t i = 0; i < w->plan_count; i++) {
        alloc_free(w->plans[i].acts);
        cJSON_Delete(w->plans[i].start);
    }
    for (size_t i = 0; i < w->gift_count; i++) {
        alloc_free(w->gifts[i].amounts);
        alloc_free(w->gifts[i].redemption_url);
        alloc_free(w->gifts[i].instructions);
    }
    for (size_t i = 0; i < w->product_count; i++) {
        alloc_free(w->products[i].image);
        alloc_free(w->products[i].words);
    }
    alloc_free(w->default_plan.acts);
    alloc_free(w->purchases);
    alloc_free(w->plans);
    alloc_free(w->answers);
    alloc_free(w->merchants);
    alloc_free(w->gifts);
    alloc_free(w->products);
    alloc_free(w->offers);
    alloc_free(w->lines);
    alloc_free(w->effects);
    alloc_free(w->movements);
    alloc_free(w->holds);
    cJSON_Delete(w->doc);
    memset(w, 0, sizeof(*w));
}

struct sim_purchase *sim_world_find(const struct sim_world *w, const char *ref, bool is_control)
{
    if (is_control && strcmp(ref, "latest") == 0) {
        return w->purchase_count > 0 ? w->purchases[w->purchase_count - 1] : NULL;
    }
    for (size_t i = w->purchase_count; i-- > 0;) {
        struct sim_purchase *p = w->purchases[i];

        if (strcmp(p->id, ref) == 0 || strcmp(p->key, ref) == 0 ||
            (is_control && p->plan->name[0] != '\0' && strcmp(p->plan->name, ref) == 0)) {
            return p;
        }
    }
    return NULL;
}

struct sim_purchase *sim_world_add(struct sim_world *w, const struct sim_plan *plan,
                                   const char *key)
{
    struct sim_purchase *p = sim_mem_zero(1, sizeof(*p));

    p->plan = plan;
    p->is_ours = plan->is_ours;
    p->ordinal = w->purchase_count + 1;
    sim_ident_purchase(w->seed, p->ordinal, p->id);
    str_copy(p->key, sizeof(p->key), key);
    p->created_ms = p->updated_ms = p->state_since_ms = p->wait_from_ms = w->now_ms;
    p->decide_by_ms = p->card_expires_ms = p->step_due_ms = SIM_NEVER;
    p->funded_ms = p->completed_ms = SIM_NEVER;
    w->purchases = sim_mem_grow(w->purchases, w->purchase_count + 1, sizeof(*w->purchases));
    w->purchases[w->purchase_count++] = p;
    return p;
}

struct sim_effect *sim_world_effect(struct sim_world *w, const char *tool, const char *key,
                                    const char *purchase_id)
{
    struct sim_effect *e = NULL;

    for (size_t i = 0; i < w->effect_count; i++) {
        e = &w->effects[i];
        if (strcmp(e->tool, tool) == 0 && strcmp(e->key, key) == 0) {
            return e;
        }
    }
    w->effects = sim_mem_grow(w->effects, w->effect_count + 1, sizeof(*w->effects));
    e = &w->effects[w->effect_count++];
    memset(e, 0, sizeof(*e));
    str_copy(e->tool, sizeof(e->tool), tool);
    str_copy(e->key, sizeof(e->key), key);
    str_copy(e->purchase_id, sizeof(e->purchase_id), purchase_id);
    return e;
}

void sim_world_move(struct sim_world *w, const char *kind, const struct sim_purchase *p,
                    int64_t amount_minor)
{
    struct sim_movement *m = NULL;

    w->movements = sim_mem_grow(w->movements, w->movement_count + 1, sizeof(*w->movements));
    m = &w->movements[w->movement_count++];
    memset(m, 0, sizeof(*m));
    m->at_ms = w->now_ms;
    m->kind = kind;
    m->amount_minor = amount_minor;
    if (p != NULL) {
        str_copy(m->purchase_id, sizeof(m->purchase_id), p->id);
    }
}

int64_t sim_world_held(const struct sim_world *w)
{
    int64_t sum = 0;

    for (size_t i = 0; i < w->purchase_count; i++) {
        sum += w->purchases[i]->held_minor;
    }
    return sum;
}

int64_t sim_world_spendable(const struct sim_world *w)
{
    int64_t left = w->account.balance_minor - w->account.bank_held_minor - sim_world_held(w);

    return left > 0 ? left : 0;
}
