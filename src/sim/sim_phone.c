/* SPDX-License-Identifier: Apache-2.0 */
/* The owner's phone: one row a verb. Knows nothing of who holds it, a script or a control call. */
#include <string.h>

#include "core/money.h"
#include "sim/sim_flow.h"
#include "sim/sim_script.h"

typedef enum err phone_fn(struct sim_world *w, struct sim_purchase *p, const cJSON *args,
                          const char **why);

static enum err do_approve(struct sim_world *w, struct sim_purchase *p, const cJSON *args,
                           const char **why)
{
    (void)args;
    (void)why;
    return sim_flow_approve(w, p);
}

static enum err do_decline(struct sim_world *w, struct sim_purchase *p, const cJSON *args,
                           const char **why)
{
    (void)args;
    (void)why;
    return sim_flow_decline(w, p);
}

static enum err do_pay(struct sim_world *w, struct sim_purchase *p, const cJSON *args,
                       const char **why)
{
    (void)args;
    (void)why;
    return sim_flow_pay(w, p);
}

static enum err do_enter_otp(struct sim_world *w, struct sim_purchase *p, const cJSON *args,
                             const char **why)
{
    (void)args;
    (void)why;
    return sim_flow_enter_otp(w, p);
}

static enum err do_add_money(struct sim_world *w, struct sim_purchase *p, const cJSON *args,
                             const char **why)
{
    const cJSON *amount = cJSON_GetObjectItemCaseSensitive(args, "amount");
    int64_t minor = 0;

    if (amount != NULL &&
        (!cJSON_IsString(amount) || money_parse(amount->valuestring, &minor) != ERR_OK)) {
        *why = "amount is not a sum of rupees";
        return ERR_USER;
    }
    return sim_flow_add_money(w, p, minor);
}

static enum err do_cancel(struct sim_world *w, struct sim_purchase *p, const cJSON *args,
                          const char **why)
{
    (void)args;
    (void)why;
    return sim_flow_cancel(w, p, true);
}

static const struct {
    const char *verb;
    phone_fn *fn;
} verbs[] = {
    {"approve", do_approve},     {"decline", do_decline},     {"pay", do_pay},
    {"enter_otp", do_enter_otp}, {"add_money", do_add_money}, {"cancel", do_cancel},
};

enum err sim_phone_do(struct sim_world *w, struct sim_purchase *p, const char *verb,
                      const cJSON *args, const char **why)
{
    for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++) {
        if (strcmp(verbs[i].verb, verb) == 0) {
            enum err e = verbs[i].fn(w, p, args, why);

            if (e == ERR_REFUSED) {
                *why = "the phone shows no such task for this purchase now";
            }
            return e;
        }
    }
    *why = "the phone has approve, decline, pay, enter_otp, add_money and cancel";
    return ERR_USER;
}
