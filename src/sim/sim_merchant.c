/* SPDX-License-Identifier: Apache-2.0 */
/* What happens at the merchant and inside Envoy: one row a verb, for scripts and control calls. */
#include <string.h>

#include "core/money.h"
#include "core/str.h"
#include "sim/sim_flow.h"
#include "sim/sim_script.h"

#define PROMPT_MAX 300

typedef enum err merchant_fn(struct sim_world *w, struct sim_purchase *p, const cJSON *args,
                             const char **why);

static const char *text_of(const cJSON *args, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(args, name);

    return cJSON_IsString(item) ? item->valuestring : NULL;
}

static enum err do_ask(struct sim_world *w, struct sim_purchase *p, const cJSON *args,
                       const char **why)
{
    const char *kind = text_of(args, "kind");
    const char *prompt = text_of(args, "prompt");
    enum sim_ask ask = sim_ask_find(kind != NULL ? kind : "text");

    if (ask == SIM_ASK_NONE) {
        *why = "kind is text, otp, password, address or user_request";
        return ERR_USER;
    }
    if (prompt == NULL || prompt[0] == '\0' || str_code_points(prompt) > PROMPT_MAX) {
        *why = "prompt has 1 to 300 characters";
        return ERR_USER;
    }
    return sim_flow_ask(w, p, ask, prompt);
}

static enum err do_otp(struct sim_world *w, struct sim_purchase *p, const cJSON *args,
                       const char **why)
{
    (void)args;
    (void)why;
    return sim_flow_ask_bank(w, p);
}

static enum err do_fund(struct sim_world *w, struct sim_purchase *p, const cJSON *args,
                        const char **why)
{
    (void)args;
    (void)why;
    return sim_flow_advance(w, p, SIM_PHASE_FUND);
}

static enum err do_prepare(struct sim_world *w, struct sim_purchase *p, const cJSON *args,
                           const char **why)
{
    (void)args;
    (void)why;
    return sim_flow_advance(w, p, SIM_PHASE_PREPARE);
}

static enum err do_place(struct sim_world *w, struct sim_purchase *p, const cJSON *args,
                         const char **why)
{
    (void)args;
    (void)why;
    return sim_flow_advance(w, p, SIM_PHASE_PLACE);
}

static enum err do_settle(struct sim_world *w, struct sim_purchase *p, const cJSON *args,
                          const char **why)
{
    const char *paid = text_of(args, "paid");
    int64_t minor = 0;

    if (paid != NULL && (money_parse(paid, &minor) != ERR_OK || minor > p->limit_minor)) {
        *why = "paid is a sum of rupees within the limit";
        return ERR_USER;
    }
    return sim_flow_settle(w, p, text_of(args, "order_ref"), minor);
}

static enum err do_refund(struct sim_world *w, struct sim_purchase *p, const cJSON *args,
                          const char **why)
{
    (void)args;
    (void)why;
    return sim_flow_refund(w, p);
}

static enum err do_collects(struct sim_world *w, struct sim_purchase *p, const cJSON *args,
                            const char **why)
{
    (void)why;
    return sim_flow_collect(w, p, text_of(args, "order_ref"));
}

static enum err do_fail(struct sim_world *w, struct sim_purchase *p, const cJSON *args,
                        const char **why)
{
    const char *code = text_of(args, "reason");
    const char *reason = sim_reason_find(code != NULL ? code : "ORDER_CHECKOUT_FAILED");

    if (reason == NULL || strncmp(reason, "RAIL_", 5) == 0) {
        *why = "reason is no reason code of a purchase";
        return ERR_USER;
    }
    return sim_flow_break(w, p, reason);
}

static enum err do_block(struct sim_world *w, struct sim_purchase *p, const cJSON *args,
                         const char **why)
{
    (void)args;
    (void)why;
    return sim_flow_break(w, p, "ORDER_CHECKOUT_BLOCKED");
}

static enum err do_out_of_stock(struct sim_world *w, struct sim_purchase *p, const cJSON *args,
                                const char **why)
{
    (void)args;
    (void)why;
    return sim_flow_break(w, p, "ORDER_OUT_OF_STOCK");
}

static enum err do_reopen(struct sim_world *w, struct sim_purchase *p, const cJSON *args,
                          const char **why)
{
    (void)args;
    (void)why;
    return sim_flow_reopen(w, p);
}

static enum err do_unknown(struct sim_world *w, struct sim_purchase *p, const cJSON *args,
                           const char **why)
{
    (void)args;
    (void)why;
    return sim_flow_lose(w, p);
}

static enum err do_supersede(struct sim_world *w, struct sim_purchase *p, const cJSON *args,
                             const char **why)
{
    char key[SIM_KEY_SIZE] = "sim-again-";
    struct sim_purchase *made = NULL;

    (void)args;
    (void)why;
    sim_ident_hex(w->seed, "again", p->ordinal, 0, key + strlen(key), 24);
    return sim_flow_supersede(w, p, key, &w->default_plan, &made);
}

static const struct {
    const char *verb;
    merchant_fn *fn;
} verbs[] = {
    {"ask", do_ask},         {"otp", do_otp},
    {"fund", do_fund},       {"prepare", do_prepare},
    {"place", do_place},     {"settle", do_settle},
    {"refund", do_refund},   {"collects", do_collects},
    {"fail", do_fail},       {"block", do_block},
    {"reopen", do_reopen},   {"out_of_stock", do_out_of_stock},
    {"unknown", do_unknown}, {"supersede", do_supersede},
};

enum err sim_merchant_do(struct sim_world *w, struct sim_purchase *p, const char *verb,
                         const cJSON *args, const char **why)
{
    for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++) {
        if (strcmp(verbs[i].verb, verb) == 0) {
            enum err e = verbs[i].fn(w, p, args, why);

            if (e == ERR_REFUSED) {
                *why = "that cannot happen to this purchase in its present state";
            }
            return e;
        }
    }
    *why = "actions are ask, otp, fund, prepare, place, settle, refund, collects, fail, block, "
           "out_of_stock, reopen, unknown and supersede";
    return ERR_USER;
}
