/* SPDX-License-Identifier: Apache-2.0 */
/* Wiping that the compiler cannot remove. */
#ifndef CORE_SCRUB_H
#define CORE_SCRUB_H

#include <stddef.h>

void scrub_bytes(void *p, size_t len);
/* Overwrites the dead stack below the caller (128 KiB). Call after a reply with a secret was handled. */
void scrub_stack(void);

#endif
