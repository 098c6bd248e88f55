/* SPDX-License-Identifier: Apache-2.0 */
/* See world.h. */
#include "support/world.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void world_set(struct world *w, const char *assignment)
{
    size_t name = strcspn(assignment, "=");
    int i = 0;

    while (w->env[i] && !(strncmp(w->env[i], assignment, name) == 0 && w->env[i][name] == '='))
        i++;
    if (w->env[i]) { /* the last one takes the place of the one that goes */
        int last = i;
        while (w->env[last + 1])
            last++;
        free(w->env[i]);
        w->env[i] = w->env[last];
        w->env[last] = NULL;
        i = last;
    }
    if (assignment[name] == '=' && i < WORLD_ENV_MAX)
        w->env[i] = strdup(assignment);
}

static void set_path(struct world *w, const char *name, const char *below)
{
    char text[256];
    snprintf(text, sizeof(text), "%s=%s%s", name, w->dir, below);
    world_set(w, text);
}

bool world_open(struct world *w)
{
    static const char *const passed_on[] = {"PATH", "ASAN_OPTIONS", "UBSAN_OPTIONS",
                                            "LSAN_OPTIONS"};

    memset(w, 0, sizeof(*w));
    snprintf(w->dir, sizeof(w->dir), "/tmp/envoy-test-XXXXXX");
    if (!mkdtemp(w->dir))
        return false;
    for (size_t i = 0; i < sizeof(passed_on) / sizeof(passed_on[0]); i++) {
        char text[1024];
        const char *value = getenv(passed_on[i]);
        snprintf(text, sizeof(text), "%s=%s", passed_on[i], value ? value : "");
        if (value)
            world_set(w, text);
    }
    world_set(w, "TERM=xterm-256color");
    world_set(w, "LC_ALL=C.UTF-8");
    world_set(w, "TZ=Asia/Kolkata");
    set_path(w, "HOME", "");
    set_path(w, "XDG_CONFIG_HOME", "/config");
    set_path(w, "XDG_DATA_HOME", "/data");
    set_path(w, "XDG_STATE_HOME", "/state");
    set_path(w, "XDG_CACHE_HOME", "/cache");
    set_path(w, "XDG_RUNTIME_DIR", "");
    set_path(w, "ENVOY_DEMO_READY_FILE", "/ready.json");
    return true;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
    (void)st;
    (void)type;
    (void)at;
    return remove(path);
}

void world_close(struct world *w)
{
    for (int i = 0; w->env[i]; i++)
        free(w->env[i]);
    if (w->dir[0])
        nftw(w->dir, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    memset(w, 0, sizeof(*w));
}
