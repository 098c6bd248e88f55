/* SPDX-License-Identifier: Apache-2.0 */
/* Demo only: what the account owner does in the Envoy app, sent to the simulator we started. */
#include "app/internal.h"

#include <string.h>

#include "core/jsonscan.h"
#include "core/str.h"

#define SIM_TIMEOUT_MS 10000

void sim_phone(struct model *m, struct effects *fx, const char *action)
{
    struct buf body;
    int64_t when;
    if (!m->set.sim_control) {
        model_say(m, true, "The phone commands work in a demo only.");
        return;
    }
    if (!m->selected[0]) {
        model_say(m, true, "No purchase is selected.");
        return;
    }
    buf_init(&body, 512);
    if (buf_printf(&body, "{\"purchase\":\"%s\",\"action\":\"%s\"}", m->selected, action) == ERR_OK) {
        struct call_spec spec = {.purpose = MODEL_CALL_SIM,
                                 .purchase = m->selected,
                                 .interactive = true,
                                 .timeout_ms = SIM_TIMEOUT_MS,
                                 .body = buf_view(&body)};
        if (!call_start(m, fx, &spec, &when))
            model_say(m, true, "Too much is under way; nothing was sent.");
        else
            (void)str_copy(fx->items[fx->count - 1].path, sizeof fx->items[0].path, "/sim/phone");
    }
    buf_fini(&body);
}

void sim_answered(struct model *m, uint64_t id, int http_status, const char *text)
{
    struct model_call *running = call_find(m, id);
    if (!running)
        return;
    struct model_call *call = call_end(m, running);
    call->outcome = http_status ? ENVOY_REPLY : ENVOY_RESET;
    call->http_status = http_status;
    bool good = http_status >= 200 && http_status < 300;
    call_note(call, good ? "phone: done" : "phone: refused");
    if (good) {
        model_say(m, false, "Phone: done.");
        return;
    }
    static const char *const error[] = {"error", NULL};
    struct jsonscan_span span;
    char why[201];
    size_t len;
    const char *words = text ? text : "";
    if (jsonscan_find(words, strlen(words), error, &span) == ERR_OK &&
        jsonscan_string(words, span, why, sizeof why, &len) == ERR_OK)
        words = why;
    char said[101];
    (void)str_visible_copy(said, sizeof said, words);
    model_say(m, true, "Phone: not now: %s.", said);
}
