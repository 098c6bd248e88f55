/* SPDX-License-Identifier: Apache-2.0 */
/* Roles and how a theme draws them. A theme file gives each role a look for 16 colours and, where
 * it wants to, a finer one for 256; attributes alone serve a terminal without colours. Format and
 * role list: docs/themes.md. Must not know curses. Invariant: the default role has no background of
 * its own, so the terminal's is kept. */
#ifndef UI_THEME_H
#define UI_THEME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "core/err.h"
#include "ui/theme.def"

enum theme_role {
#define X(NAME, name, letter) THEME_##NAME,
    THEME_ROLE_ROWS(X)
#undef X
        THEME_ROLE_COUNT
};

enum theme_attr { /* added to a look, or to a role by a screen (canvas style) */
                  THEME_BOLD = 1u << 8,
                  THEME_FAINT = 1u << 9,
                  THEME_UNDERLINE = 1u << 10,
                  THEME_REVERSE = 1u << 11,
};
#define THEME_ATTR_MASK 0xFF00u

enum theme_depth { THEME_DEPTH_MONO, THEME_DEPTH_16, THEME_DEPTH_256, THEME_DEPTH_COUNT };

struct theme_look {
    int16_t fg, bg; /* -1: the terminal's own */
    uint16_t attrs; /* THEME_BOLD ... */
};

struct theme {
    char name[32];
    struct theme_look looks[THEME_DEPTH_COUNT][THEME_ROLE_COUNT];
};

struct theme_fault {
    int line; /* 0 when it is about the whole file */
    char reason[128];
};

/* Reads a theme file's text. On ERR_CONFIG *fault says where and why, and *out is untouched. */
enum err theme_parse(struct theme *out, const char *text, size_t len,
                     struct theme_fault *fault) WARN_UNUSED;
/* "dark", "light" or "mono"; they are part of the program. False for another name. */
bool theme_builtin(struct theme *out, const char *name);

/* Where named themes are looked for, in this order; entries may be NULL. */
struct theme_dirs {
    const char *user;   /* .../envoy-console/themes in the settings directory */
    const char *shared; /* PREFIX/share/envoy-console/themes */
};
/* By name (user's file, shared file, built-in) or, with a '/' in it, by path. When that fails, *out
 * is the built-in dark theme, the result is ERR_CONFIG and *fault says why. */
enum err theme_load(struct theme *out, const char *name, const struct theme_dirs *dirs,
                    struct theme_fault *fault) WARN_UNUSED;

/* What decides between themes when several things speak; strings may be NULL. */
struct theme_wish {
    const char *flag_theme; /* --theme */
    bool flag_no_color;     /* --no-color */
    const char *config_theme;
    const char *env_no_color;  /* NO_COLOR: counts when not empty */
    const char *env_colorfgbg; /* "15;0": a light background is told by its last number */
};
/* The name to load. --no-color wins over --theme, flags win over NO_COLOR, that over settings. */
const char *theme_choose(const struct theme_wish *wish);
/* colors as the terminal says; 0 and "mono" give THEME_DEPTH_MONO. */
enum theme_depth theme_depth(const char *theme_name, int colors);

const struct theme_look *theme_look(const struct theme *t, enum theme_depth depth,
                                    enum theme_role role);
const char *theme_role_name(enum theme_role role);
char theme_role_letter(enum theme_role role);
bool theme_role_find(const char *name, enum theme_role *out);

#endif
