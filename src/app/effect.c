/* SPDX-License-Identifier: Apache-2.0 */
/* The list of effects that one update asks for. Owns bodies and secrets until the loop takes them. */
#include <string.h>

#include "app/msg.h"

void effects_init(struct effects *fx)
{
    memset(fx, 0, sizeof *fx);
}

void effects_fini(struct effects *fx)
{
    for (size_t i = 0; i < fx->count; i++) {
        buf_fini(&fx->items[i].body);
        secret_free(fx->items[i].secret);
    }
    memset(fx, 0, sizeof *fx);
}

struct effect *effects_add(struct effects *fx, enum effect_kind kind)
{
    if (fx->count == EFFECTS_MAX)
        return NULL;
    struct effect *e = &fx->items[fx->count++];
    memset(e, 0, sizeof *e);
    e->kind = kind;
    buf_init(&e->body, ENVOY_HTTP_OUT_MAX * 16);
    return e;
}
