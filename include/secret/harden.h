/* SPDX-License-Identifier: Apache-2.0 */
/* What the process does once so that its memory and files stay its own. */
#ifndef SECRET_HARDEN_H
#define SECRET_HARDEN_H

#include "core/err.h"

/* Test switch, documented in docs/architecture.md: with the value "1" the process stays dumpable,
 * so that a memory scan can be run without root. Everything else is hardened all the same. */
#define HARDEN_INSPECT_ENV "ENVOY_CONSOLE_ALLOW_INSPECT"

/* No core files, not dumpable (no ptrace and no /proc/PID/mem for the same user), new files
 * private, inherited descriptors closed on exec, lock limit raised as far as it may go. ERR_CONFIG
 * when the system refuses one of the first two. Before the first thread. */
enum err harden_process(void) WARN_UNUSED;

#endif
