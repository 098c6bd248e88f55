/* SPDX-License-Identifier: Apache-2.0 */
/* Wiping of memory and of dead stack. Must not know what is wiped. Invariant: no optimiser may drop
 * the stores, which is why explicit_bzero is used and the stack function is never inlined. */
#include <string.h>
#include "core/scrub.h"

/* Far more than the deepest transfer stack, so that a parser's locals below it are covered too. */
#define SCRUB_STACK_BYTES (128 * 1024)

void scrub_bytes(void *p, size_t len)
{
    if (p && len > 0)
        explicit_bzero(p, len);
}

__attribute__((noinline)) void scrub_stack(void)
{
    char dead[SCRUB_STACK_BYTES];
    explicit_bzero(dead, sizeof dead);
}
