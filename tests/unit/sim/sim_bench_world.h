/* SPDX-License-Identifier: Apache-2.0 */
/* A small world for tests of the engine, made without a scenario: an owner with one address, a
 * card, two gift cards, a product. */
#ifndef SIM_BENCH_WORLD_H
#define SIM_BENCH_WORLD_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "core/alloc.h"
#include "core/str.h"
#include "sim/sim_engine.h"
#include "sim/sim_flow.h"
#include "sim/sim_mem.h"
#include "sim/sim_script.h"
#include "sim/sim_start.h"
#include "sim/sim_tools.h"

#define BENCH_BALANCE INT64_C(2000000)

static inline void bench_gift(struct sim_gift *g, const char *domain, enum sim_funding funding,
                              enum sim_by by)
{
    str_copy(g->domain, sizeof(g->domain), domain);
    str_copy(g->name, sizeof(g->name), domain);
    g->min_minor = 10000;
    g->max_minor = 500000;
    g->discount_percent = 2.5;
    g->funding = funding;
    g->checkout_by = by;
    g->has_pin = true;
    g->instructions = sim_mem_text("Use it at the payment step.");
}

static inline void bench_world(struct sim_world *w, uint64_t seed)
{
    struct sim_account *a = &w->account;

    sim_world_init(w, seed, SIM_CLOCK_FIXED_START_MS);
    w->doc = cJSON_Parse("{\"addresses\":[{\"id\":\"home\"}]}");
    a->owner = w->doc;
    a->balance_minor = BENCH_BALANCE;
    a->has_service = a->has_card = a->has_operated = a->has_gift_cards = true;
    str_copy(a->agent_id, sizeof(a->agent_id), "origin:https://agent.example.test");
    str_copy(a->agent_name, sizeof(a->agent_name), "Test Agent");
    a->agent_verification = "origin";
    w->gifts = sim_mem_zero(4, sizeof(*w->gifts));
    w->gift_count = 4;
    bench_gift(&w->gifts[0], "link.example.test", SIM_FUNDING_LINK, SIM_BY_AGENT);
    bench_gift(&w->gifts[1], "app.example.test", SIM_FUNDING_APP, SIM_BY_AGENT);
    bench_gift(&w->gifts[2], "balance.example.test", SIM_FUNDING_BALANCE, SIM_BY_AGENT);
    bench_gift(&w->gifts[3], "envoy.example.test", SIM_FUNDING_LINK, SIM_BY_ENVOY);
    w->products = sim_mem_zero(1, sizeof(*w->products));
    w->product_count = 1;
    str_copy(w->products[0].name, sizeof(w->products[0].name), "Whey 1 kg");
    w->products[0].words = sim_mem_text("protein");
    w->products[0].price_minor = 49900;
    w->products[0].fee_minor = 2000;
}

static inline cJSON *bench_json(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
static inline cJSON *bench_json(const char *fmt, ...)
{
    char text[2048];
    va_list ap;
    cJSON *o = NULL;

    va_start(ap, fmt);
    vsnprintf(text, sizeof(text), fmt, ap);
    va_end(ap);
    o = cJSON_Parse(text);
    assert_non_null(o);
    return o;
}

/* Calls a tool and checks that its reply obeys the contract. The caller ends the call. */
static inline void bench_call(struct sim_world *w, struct sim_call *call, const char *tool,
                              cJSON *input)
{
    cJSON *envelope = NULL;

    sim_tools_begin(w, call, sim_tools_name(tool), input);
    sim_tools_run(w, call);
    if (!call->is_held) {
        envelope = sim_tools_envelope(w, call);
        assert_non_null(envelope);
        cJSON_Delete(envelope);
    }
}

/* Starts a purchase; more is put before the closing brace, e.g. ",\"rail\":\"gift_card\"". Returns
 * it, or NULL with the code of the refusal in *code. */
static inline struct sim_purchase *bench_start(struct sim_world *w, const char *key,
                                               const char *host, const char *total,
                                               const char *more, const char **code)
{
    struct sim_call call;
    struct sim_purchase *p = NULL;

    bench_call(w, &call, "start_purchase",
               bench_json("{\"idempotency_key\":\"%s\",\"merchant_url\":\"https://%s/x\","
                          "\"total\":\"%s\",\"items\":[{\"name\":\"Thing\"}],"
                          "\"user_request\":\"Buy the thing.\"%s}",
                          key, host, total, more));
    if (code != NULL) {
        *code = call.reply.code;
    }
    p = call.reply.code == NULL ? call.reply.purchase : NULL;
    sim_tools_end(&call);
    return p;
}

static inline void bench_after(struct sim_world *w, int64_t seconds)
{
    sim_engine_run(w, w->now_ms + seconds * 1000);
}

#endif
