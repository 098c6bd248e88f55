/* SPDX-License-Identifier: Apache-2.0 */
/* The usual steps of a purchase against envoy-sim, each asserted. */
#include "support/simdeal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#define MORE_MAX        900
#define PREPARE_SECONDS 10 /* from the approval to ready, with the usual pace */

static void show_and_fail(struct simproc *s, const cJSON *reply, const char *wanted)
{
    char *text = cJSON_PrintUnformatted(reply);
    fail_msg("wanted %s, got %ld: %.900s", wanted, simproc_status(s), text ? text : "nothing");
}

/* Single quotes become double ones, behind a comma when there is anything. */
static void further(char out[MORE_MAX], const char *more)
{
    size_t len = 0;
    if (more[0])
        out[len++] = ',';
    for (; *more && len + 1 < MORE_MAX; more++)
        out[len++] = *more == '\'' ? '"' : *more;
    out[len] = '\0';
}

cJSON *simdeal_start(struct simproc *s, const char *key, const char *host, const char *total,
                     const char *more)
{
    char extra[MORE_MAX];
    further(extra, more);
    return simproc_call(s, "start_purchase",
                        "{'idempotency_key':'%s','merchant_url':'https://%s/cart','total':'%s',"
                        "'items':[{'name':'A thing'}],'user_request':'Buy the thing.'%s}",
                        key, host, total, extra);
}

const char *simdeal_buy(struct simproc *s, const char *key, const char *host, const char *total,
                        const char *more)
{
    const cJSON *reply = simdeal_start(s, key, host, total, more);
    if (!cJSON_IsTrue(simproc_at(reply, "ok")))
        show_and_fail(s, reply, "a purchase");
    return simproc_text(reply, "purchase.purchase_id");
}

cJSON *simdeal_read(struct simproc *s, const char *purchase)
{
    return simproc_call(s, "get_purchase_status", "{'purchase':'%s'}", purchase);
}

cJSON *simdeal_ready(struct simproc *s, const char *purchase)
{
    simproc_phone(s, purchase, "approve");
    simproc_advance(s, PREPARE_SECONDS);
    cJSON *reply = simdeal_read(s, purchase);
    simdeal_expect_state(s, reply, "ready");
    assert_non_null(simproc_at(reply, "data.payment_details.checkout_attempt_id"));
    return reply;
}

cJSON *simdeal_report(struct simproc *s, const cJSON *handout, const char *outcome,
                      const char *more)
{
    char extra[MORE_MAX];
    further(extra, more);
    return simproc_call(s, "report_checkout_result",
                        "{'purchase':'%s','checkout_attempt_id':'%s','outcome':'%s'%s}",
                        simproc_text(handout, "purchase.purchase_id"),
                        simproc_text(handout, "data.payment_details.checkout_attempt_id"), outcome,
                        extra);
}

void simdeal_expect_state(struct simproc *s, const cJSON *reply, const char *state)
{
    const char *got = cJSON_GetStringValue(simproc_at(reply, "purchase.state"));
    if (simproc_status(s) != 200 || !cJSON_IsTrue(simproc_at(reply, "ok")) || !got ||
        strcmp(got, state) != 0)
        show_and_fail(s, reply, state);
}

void simdeal_expect_error(struct simproc *s, const cJSON *reply, long status, const char *code)
{
    const char *got = cJSON_GetStringValue(simproc_at(reply, "error.code"));
    if (simproc_status(s) != status || !cJSON_IsFalse(simproc_at(reply, "ok")) || !got ||
        strcmp(got, code) != 0)
        show_and_fail(s, reply, code);
}

void simdeal_expect_field(struct simproc *s, const cJSON *reply, const char *path)
{
    simdeal_expect_error(s, reply, 400, "INVALID_INPUT");
    const char *got = cJSON_GetStringValue(simproc_at(reply, "error.fields.0.path"));
    if (!got || strcmp(got, path) != 0)
        show_and_fail(s, reply, path);
}
