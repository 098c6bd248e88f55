/* SPDX-License-Identifier: Apache-2.0 */
/* Theme files to looks. Owns the role names, the words of a look and the built-in themes, which are
 * the very files of themes/. Must not know a terminal. Invariant: a theme is replaced whole or not
 * at all, and the default role never gets a background. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "core/ini.h"
#include "core/str.h"
#include "ui/theme.h"

#define FILE_MAX_BYTES 65536

#define BUILTIN(name, file)                                                                        \
    __asm__(".pushsection .rodata\n"                                                               \
            "theme_file_" #name ":\n"                                                              \
            ".incbin \"" file "\"\n"                                                               \
            "theme_file_" #name "_end:\n"                                                          \
            ".popsection\n");                                                                      \
    extern const char theme_file_##name[] __attribute__((visibility("hidden")));                   \
    extern const char theme_file_##name##_end[] __attribute__((visibility("hidden")))

BUILTIN(dark, "themes/dark.theme");
BUILTIN(light, "themes/light.theme");
BUILTIN(mono, "themes/mono.theme");

static const struct {
    const char *name, *start, *end;
} builtins[] = {
    {"dark", theme_file_dark, theme_file_dark_end},
    {"light", theme_file_light, theme_file_light_end},
    {"mono", theme_file_mono, theme_file_mono_end},
};
#define BUILTIN_COUNT (sizeof(builtins) / sizeof(builtins[0]))

static const struct {
    const char *name;
    char letter;
} roles[THEME_ROLE_COUNT] = {
#define X(NAME, name, letter) {name, letter},
    THEME_ROLE_ROWS(X)
#undef X
};

static const struct {
    const char *word;
    uint16_t attr;
} attr_words[] = {
    {"bold", THEME_BOLD},
    {"faint", THEME_FAINT},
    {"underline", THEME_UNDERLINE},
    {"reverse", THEME_REVERSE},
};

const char *theme_role_name(enum theme_role role)
{
    return roles[role].name;
}

char theme_role_letter(enum theme_role role)
{
    return roles[role].letter;
}

bool theme_role_find(const char *name, enum theme_role *out)
{
    for (int i = 0; i < THEME_ROLE_COUNT; i++) {
        if (strcmp(roles[i].name, name) == 0) {
            *out = (enum theme_role)i;
            return true;
        }
    }
    return false;
}

/* A file while it is read: what it sets, and what it starts from. */
struct draft {
    struct theme theme;
    bool has_mono[THEME_ROLE_COUNT];
    bool has_256[THEME_ROLE_COUNT];
    bool started; /* a base or a role was read */
    struct theme_fault *fault;
};

static enum err complain(struct theme_fault *fault, const char *what, const char *word)
{
    snprintf(fault->reason, sizeof(fault->reason), "%s: %.60s", what, word);
    return ERR_CONFIG;
}

/* "default", "red", "bright-red" or "color172". False when the word is no colour. */
static bool read_color(const char *word, int16_t *out)
{
    static const char *const names[] = {"black", "red",     "green", "yellow",
                                        "blue",  "magenta", "cyan",  "white"};
    if (strcmp(word, "default") == 0) {
        *out = -1;
        return true;
    }
    bool bright = str_starts(word, "bright-");
    for (int i = 0; i < 8; i++) {
        if (strcmp(names[i], bright ? word + strlen("bright-") : word) == 0) {
            *out = (int16_t)(bright ? i + 8 : i);
            return true;
        }
    }
    if (!str_starts(word, "color") || word[5] < '0' || word[5] > '9')
        return false;
    char *end;
    errno = 0;
    long n = strtol(word + 5, &end, 10);
    if (errno != 0 || *end != '\0' || n > 255)
        return false;
    *out = (int16_t)n;
    return true;
}

static bool read_attr(const char *word, uint16_t *attrs)
{
    for (size_t i = 0; i < sizeof(attr_words) / sizeof(attr_words[0]); i++) {
        if (strcmp(attr_words[i].word, word) == 0) {
            *attrs = (uint16_t)(*attrs | attr_words[i].attr);
            return true;
        }
    }
    return false;
}

/* "COLOUR [on COLOUR] [attribute ...]" */
static enum err read_look(const char *value, struct theme_look *out, struct theme_fault *fault)
{
    struct theme_look look = {.fg = -1, .bg = -1, .attrs = 0};
    char text[128];
    if (!str_copy(text, sizeof(text), value))
        return complain(fault, "too long", value);
    char *rest = NULL;
    int place = 0; /* 0: foreground, 1: "on" may follow, 2: background, 3: attributes */
    for (char *w = strtok_r(text, " \t", &rest); w; w = strtok_r(NULL, " \t", &rest)) {
        if (place == 0) {
            if (!read_color(w, &look.fg))
                return complain(fault, "not a colour", w);
            place = 1;
        } else if (place == 1 && strcmp(w, "on") == 0) {
            place = 2;
        } else if (place == 2) {
            if (!read_color(w, &look.bg))
                return complain(fault, "not a colour", w);
            place = 3;
        } else {
            if (!read_attr(w, &look.attrs))
                return complain(fault, "not an attribute", w);
            place = 3;
        }
    }
    if (place == 0 || place == 2)
        return complain(fault, "a colour is missing", value);
    *out = look;
    return ERR_OK;
}

static enum err read_theme_key(struct draft *d, const char *key, const char *value)
{
    if (strcmp(key, "name") == 0) {
        if (*value == '\0' || !str_copy(d->theme.name, sizeof(d->theme.name), value))
            return complain(d->fault, "not a usable name", value);
        return ERR_OK;
    }
    if (strcmp(key, "base") != 0)
        return complain(d->fault, "unknown key", key);
    char name[sizeof(d->theme.name)];
    memcpy(name, d->theme.name, sizeof(name));
    if (d->started)
        return complain(d->fault, "base comes once, before the roles", value);
    if (!theme_builtin(&d->theme, value))
        return complain(d->fault, "not a built-in theme", value);
    memcpy(d->theme.name, name, sizeof(name));
    d->started = true;
    return ERR_OK;
}

static enum err set_look(struct draft *d, const char *section, const char *key, const char *value)
{
    enum theme_role role;
    struct theme_look look;
    if (!theme_role_find(key, &role))
        return complain(d->fault, "unknown role", key);
    enum err e = read_look(value, &look, d->fault);
    if (e != ERR_OK)
        return e;
    if (role == THEME_DEFAULT && (look.bg >= 0 || (look.attrs & THEME_REVERSE)))
        return complain(d->fault, "the default role keeps the terminal's background", value);
    bool deep = strcmp(section, "roles-256") == 0;
    bool mono = strcmp(section, "roles-mono") == 0;
    if (mono && (look.fg >= 0 || look.bg >= 0))
        return complain(d->fault, "no colours here", value);
    if (!deep && !mono && (look.fg > 15 || look.bg > 15))
        return complain(d->fault, "more than 16 colours belong into [roles-256]", value);
    if (deep || (!mono && !d->has_256[role]))
        d->theme.looks[THEME_DEPTH_256][role] = look;
    if (!deep && !mono)
        d->theme.looks[THEME_DEPTH_16][role] = look;
    if (mono)
        d->theme.looks[THEME_DEPTH_MONO][role] = look;
    else if (!deep && !d->has_mono[role])
        /* Without colours, what had a background of its own is set off by reverse. */
        d->theme.looks[THEME_DEPTH_MONO][role] = (struct theme_look){
            .fg = -1,
            .bg = -1,
            .attrs = (uint16_t)(look.attrs | (look.bg >= 0 ? THEME_REVERSE : 0)),
        };
    d->started = true;
    d->has_256[role] = d->has_256[role] || deep;
    d->has_mono[role] = d->has_mono[role] || mono;
    return ERR_OK;
}

static enum err read_key(void *ctx, const char *section, const char *key, const char *value,
                         int line)
{
    struct draft *d = ctx;
    d->fault->line = line;
    if (strcmp(section, "theme") == 0)
        return read_theme_key(d, key, value);
    if (strcmp(section, "roles") == 0 || strcmp(section, "roles-256") == 0 ||
        strcmp(section, "roles-mono") == 0)
        return set_look(d, section, key, value);
    return complain(d->fault, "unknown section", section);
}

enum err theme_parse(struct theme *out, const char *text, size_t len, struct theme_fault *fault)
{
    struct draft d = {.fault = fault};
    for (int depth = 0; depth < THEME_DEPTH_COUNT; depth++) {
        for (int role = 0; role < THEME_ROLE_COUNT; role++)
            d.theme.looks[depth][role] = (struct theme_look){.fg = -1, .bg = -1, .attrs = 0};
    }
    *fault = (struct theme_fault){.line = 0, .reason = ""};
    int bad_line = 0;
    enum err e = ini_read(text, len, read_key, &d, &bad_line);
    if (e != ERR_OK) {
        fault->line = bad_line;
        if (fault->reason[0] == '\0')
            snprintf(fault->reason, sizeof(fault->reason), "not \"key = value\" or [section]");
        return ERR_CONFIG;
    }
    if (d.theme.name[0] == '\0') {
        fault->line = 0;
        return complain(fault, "[theme] name is missing", "name");
    }
    *out = d.theme;
    return ERR_OK;
}

bool theme_builtin(struct theme *out, const char *name)
{
    for (size_t i = 0; i < BUILTIN_COUNT; i++) {
        struct theme_fault fault;
        if (strcmp(builtins[i].name, name) == 0)
            return theme_parse(out, builtins[i].start,
                               (size_t)(builtins[i].end - builtins[i].start), &fault) == ERR_OK;
    }
    return false;
}

/* ERR_STORE when there is no such file. */
static enum err read_file(struct theme *out, const char *path, struct theme_fault *fault)
{
    static const char *const too_long = "longer than 64 KiB";
    char text[FILE_MAX_BYTES];
    FILE *f = fopen(path, "re");
    if (!f) {
        *fault = (struct theme_fault){.line = 0};
        snprintf(fault->reason, sizeof(fault->reason), "%.80s: %s", path, strerror(errno));
        return ERR_STORE;
    }
    size_t len = fread(text, 1, sizeof(text), f);
    bool failed = ferror(f) != 0;
    fclose(f);
    if (failed || len == sizeof(text)) {
        *fault = (struct theme_fault){.line = 0};
        return complain(fault, failed ? "cannot be read" : too_long, path);
    }
    return theme_parse(out, text, len, fault);
}

static enum err load_named(struct theme *out, const char *name, const struct theme_dirs *dirs,
                           struct theme_fault *fault)
{
    char path[1024];
    const char *const places[] = {dirs ? dirs->user : NULL, dirs ? dirs->shared : NULL};
    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        if (!places[i])
            continue;
        int n = snprintf(path, sizeof(path), "%s/%s.theme", places[i], name);
        if (n < 0 || (size_t)n >= sizeof(path))
            continue;
        enum err e = read_file(out, path, fault);
        if (e != ERR_STORE)
            return e;
    }
    if (theme_builtin(out, name))
        return ERR_OK;
    *fault = (struct theme_fault){.line = 0};
    return complain(fault, "no theme of this name", name);
}

enum err theme_load(struct theme *out, const char *name, const struct theme_dirs *dirs,
                    struct theme_fault *fault)
{
    enum err e =
        strchr(name, '/') ? read_file(out, name, fault) : load_named(out, name, dirs, fault);
    if (e == ERR_OK)
        return ERR_OK;
    theme_builtin(out, "dark");
    return ERR_CONFIG;
}

const char *theme_choose(const struct theme_wish *wish)
{
    if (wish->flag_no_color)
        return "mono";
    if (wish->flag_theme)
        return wish->flag_theme;
    if (wish->env_no_color && *wish->env_no_color)
        return "mono";
    if (wish->config_theme)
        return wish->config_theme;
    const char *last = wish->env_colorfgbg ? strrchr(wish->env_colorfgbg, ';') : NULL;
    if (last && (strcmp(last, ";15") == 0 || strcmp(last, ";7") == 0))
        return "light";
    return "dark";
}

enum theme_depth theme_depth(const char *theme_name, int colors)
{
    if (colors < 8 || strcmp(theme_name, "mono") == 0)
        return THEME_DEPTH_MONO;
    return colors >= 256 ? THEME_DEPTH_256 : THEME_DEPTH_16;
}

const struct theme_look *theme_look(const struct theme *t, enum theme_depth depth,
                                    enum theme_role role)
{
    return &t->looks[depth][role];
}
