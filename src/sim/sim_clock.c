/* SPDX-License-Identifier: Apache-2.0 */
/* Server time as an affine function of the monotonic clock. */
#include "sim/sim_clock.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"

enum err sim_clock_parse(struct sim_clock *c, const char *text)
{
    struct sim_clock parsed = {0};

    if (strcmp(text, "real") == 0) {
        parsed.factor = 1;
    } else if (text[0] == 'x' && text[1] >= '1' && text[1] <= '9') {
        char *end = NULL;
        long n = strtol(text + 1, &end, 10);

        if (*end != '\0' || n > 1000) {
            return ERR_USER;
        }
        parsed.factor = n;
    } else if (strcmp(text, "manual") != 0) {
        return ERR_USER;
    }
    sim_clock_start(&parsed);
    *c = parsed;
    return ERR_OK;
}

void sim_clock_start(struct sim_clock *c)
{
    c->is_frozen = false;
    c->base_mono_ms = clock_mono_ms();
    c->base_ms = c->factor == 0 ? SIM_CLOCK_FIXED_START_MS : clock_wall_ms();
}

int64_t sim_clock_now(const struct sim_clock *c)
{
    if (c->factor == 0 || c->is_frozen) {
        return c->base_ms;
    }
    return c->base_ms + (clock_mono_ms() - c->base_mono_ms) * c->factor;
}

void sim_clock_set(struct sim_clock *c, int64_t now_ms)
{
    c->base_ms = now_ms;
    c->base_mono_ms = clock_mono_ms();
}

void sim_clock_freeze(struct sim_clock *c, bool is_frozen)
{
    sim_clock_set(c, sim_clock_now(c));
    c->is_frozen = is_frozen;
}

int sim_clock_timeout_ms(const struct sim_clock *c, int64_t due_ms)
{
    int64_t left = 0;

    if (due_ms == INT64_MAX || c->factor == 0 || c->is_frozen) {
        return -1;
    }
    left = due_ms - sim_clock_now(c);
    if (left <= 0) {
        return 0;
    }
    left = (left + c->factor - 1) / c->factor;
    return left > INT_MAX ? INT_MAX : (int)left;
}
