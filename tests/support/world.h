/* SPDX-License-Identifier: Apache-2.0 */
/* A world of its own for a program under test: a fresh directory (HOME and all that hangs on it)
 * and an environment into which nothing of the caller's settings leaks, PATH and sanitizer options
 * aside. */
#ifndef SUPPORT_WORLD_H
#define SUPPORT_WORLD_H

#include <stdbool.h>

#define WORLD_ENV_MAX 64

struct world {
    char dir[64];
    char *env[WORLD_ENV_MAX + 1]; /* owned; NULL at the end */
};

bool world_open(struct world *w);                        /* false when there is no directory */
void world_close(struct world *w);                       /* removes the directory */
void world_set(struct world *w, const char *assignment); /* NAME=VALUE; NAME alone removes */

#endif
