/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments and settings by one table of options, which the help is made from as well, so that
 * nothing is listed that does not exist. Must not know files, the environment or a terminal. */
#include "app/config.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/ident.h"
#include "core/ini.h"
#include "core/str.h"

#define SEED_MAX         (UINT64_C(1) << 53) /* seeds travel as JSON numbers */
#define CLOCK_FACTOR_MAX 1000

enum {
    FOR_CONSOLE = 1u << CONFIG_CONSOLE,
    FOR_DEMO = 1u << CONFIG_DEMO,
    FOR_WATCH = 1u << CONFIG_WATCH,
    FOR_CALL = 1u << CONFIG_CALL,
    FOR_JOURNAL = 1u << CONFIG_JOURNAL,
    FOR_SERVICE = FOR_CONSOLE | FOR_WATCH | FOR_CALL,
    FOR_SCREEN = FOR_CONSOLE | FOR_DEMO,
    FOR_ALL = FOR_SERVICE | FOR_DEMO,
    FOR_ANY = FOR_ALL | FOR_JOURNAL,
};

struct option_row {
    const char *name;  /* as a setting it has no dashes in front */
    const char *value; /* what the help calls it; NULL: a switch */
    size_t offset, size;
    unsigned commands; /* where it may stand */
    bool is_setting;
    const char *help;
};

#define TEXT(member)   offsetof(struct config, member), sizeof(((struct config *)0)->member)
#define SWITCH(member) offsetof(struct config, member), 0

static const struct option_row options[] = {
    {"--api", "URL", TEXT(api), FOR_SERVICE, true,
     "the service; https, or http on this machine (" CONFIG_API_DEFAULT ")"},
    {"--token-file", "FILE", TEXT(token_file), FOR_SERVICE, true,
     "read the access token from FILE, which only you may read"},
    {"--token-command", "CMD", TEXT(token_command), FOR_SERVICE, true,
     "run CMD with /bin/sh; its first line is the access token"},
    {"--theme", "NAME", TEXT(theme), FOR_SCREEN, true, "dark, light, mono, your own, or a file"},
    {"--read-only", NULL, SWITCH(read_only), FOR_ALL, true,
     "nothing that changes anything is sent"},
    {"--plain", NULL, SWITCH(plain), FOR_ALL, true, "lines instead of a screen, as watch does"},
    {"--no-color", NULL, SWITCH(no_color), FOR_ALL, true, "no colours"},
    {"--ascii", NULL, SWITCH(ascii), FOR_ALL, true, "no characters beyond ASCII"},
    {"--config", "FILE", TEXT(settings), FOR_ANY, false,
     "settings (default: envoy-console/config.ini in XDG_CONFIG_HOME)"},
    {"--log", "FILE", TEXT(log), FOR_ANY, true, "append what happened to FILE; never a secret"},
    {"--auto", NULL, SWITCH(auto_play), FOR_DEMO, false, "demo: the owner's part is played too"},
    {"--clock", "HOW", TEXT(clock), FOR_DEMO, false,
     "demo: real, manual (stands until told), or xN (N times as fast)"},
    {"--seed", "N", TEXT(seed), FOR_DEMO, false, "demo: same seed, same purchases"},
    {"--json", NULL, SWITCH(json), FOR_WATCH | FOR_JOURNAL, false,
     "watch, journal: one JSON object a line"},
    {"--all", NULL, SWITCH(all), FOR_JOURNAL, false, "journal: the timelines too"},
    {"--unresolved", NULL, SWITCH(unresolved), FOR_JOURNAL, false,
     "journal: only what has no known outcome"},
    {"--help", NULL, SWITCH(help), FOR_ANY, false, "print this"},
    {"--version", NULL, SWITCH(version), FOR_ANY, false, "print the version"},
};
#define OPTION_COUNT (sizeof(options) / sizeof(options[0]))

static const char *const command_names[] = {
    [CONFIG_CONSOLE] = "the console", [CONFIG_DEMO] = "demo",       [CONFIG_WATCH] = "watch",
    [CONFIG_CALL] = "call",           [CONFIG_JOURNAL] = "journal",
};

/* Text of the person's own, safe to be printed and not too long for a sentence. */
static const char *shown(const char *text, char out[64])
{
    char visible[256];
    (void)str_visible_copy(visible, sizeof(visible), text);
    str_cut(out, 64, visible, 40, true);
    return out;
}

static bool find_option(const char *name, size_t len, size_t *at)
{
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        if (strlen(options[i].name) == len && strncmp(options[i].name, name, len) == 0) {
            *at = i;
            return true;
        }
    }
    return false;
}

static enum err set_text(struct config *c, const struct option_row *row, const char *value,
                         char *why, size_t size)
{
    if (value[0] == '\0')
        return err_explain(ERR_USER, why, size, "%s needs a value; --help says which.", row->name);
    if (!str_copy((char *)c + row->offset, row->size, value))
        return err_explain(ERR_USER, why, size, "The value of %s is too long.", row->name);
    return ERR_OK;
}

/* What stands behind "=" is not repeated: it may be a secret that was given by mistake. */
static enum err unknown_option(const char *argument, char *why, size_t size)
{
    char name[64], safe[64];
    size_t len = strcspn(argument, "=");
    snprintf(name, sizeof(name), "%.*s", (int)(len < 40 ? len : 40), argument);
    if (strcmp(name, "--token") == 0)
        return err_explain(
            ERR_USER, why, size,
            "There is no option --token, because other programs can see arguments: use "
            "--token-file or --token-command.");
    return err_explain(ERR_USER, why, size, "There is no option %s; --help lists them.",
                       shown(name, safe));
}

/* *used is how many further arguments the option took. */
static enum err take_option(struct config *c, const char *argument, const char *following,
                            int *used, char *why, size_t size)
{
    size_t len = strcspn(argument, "=");
    size_t at = 0;

    if (!find_option(argument, len, &at))
        return unknown_option(argument, why, size);
    const struct option_row *row = &options[at];
    const char *value = argument[len] == '=' ? argument + len + 1 : NULL;
    c->given |= 1u << at;
    if (!row->value) {
        if (value)
            return err_explain(ERR_USER, why, size, "%s takes no value.", row->name);
        *(bool *)((char *)c + row->offset) = true;
        return ERR_OK;
    }
    if (!value) {
        value = following ? following : "";
        *used = following ? 1 : 0;
    }
    return set_text(c, row, value, why, size);
}

static enum err take_word(struct config *c, const char *word, int at, char *why, size_t size)
{
    char safe[64];

    if (at == 0) {
        for (size_t i = CONFIG_DEMO; i < CONFIG_COMMAND_COUNT; i++) {
            if (strcmp(word, command_names[i]) == 0) {
                c->command = (enum config_command)i;
                return ERR_OK;
            }
        }
        return err_explain(ERR_USER, why, size, "There is no command %s; --help lists them.",
                           shown(word, safe));
    }
    switch (c->command) {
    case CONFIG_DEMO:
        if (at == 1 && word[0] != '\0' && str_copy(c->scenario, sizeof(c->scenario), word))
            return ERR_OK;
        break;
    case CONFIG_WATCH:
    case CONFIG_JOURNAL:
        if (at == 1 && ident_is_purchase_ref(word) &&
            str_copy(c->purchase, sizeof(c->purchase), word))
            return ERR_OK;
        if (at == 1)
            return err_explain(ERR_USER, why, size, "%s is not a purchase id (pur_ and 32 digits).",
                               shown(word, safe));
        break;
    case CONFIG_CALL:
        if (at == 1) {
            int tool = contract_find(CONTRACT_KIND_TOOL, word);
            if (tool < 0)
                return err_explain(ERR_USER, why, size, "There is no tool %s; --help lists them.",
                                   shown(word, safe));
            c->tool = (enum contract_tool)tool;
            return ERR_OK;
        }
        if (at == 2) {
            c->input = strcmp(word, "-") == 0 ? NULL : word;
            return ERR_OK;
        }
        break;
    default:
        break;
    }
    return err_explain(ERR_USER, why, size,
                       "One argument is too much for %s; --help shows how it is called.",
                       command_names[c->command]);
}

static bool is_number(const char *text, uint64_t max)
{
    char *end = NULL;
    if (text[0] < '0' || text[0] > '9' || strlen(text) > 19)
        return false;
    unsigned long long n = strtoull(text, &end, 10);
    return *end == '\0' && n <= max;
}

static bool is_clock(const char *text)
{
    return strcmp(text, "real") == 0 || strcmp(text, "manual") == 0 ||
           (text[0] == 'x' && text[1] != '0' && is_number(text + 1, CLOCK_FACTOR_MAX));
}

static enum err check(const struct config *c, int words, char *why, size_t size)
{
    char safe[64];

    for (size_t i = 0; i < OPTION_COUNT; i++) {
        if ((c->given & 1u << i) && !(options[i].commands & 1u << c->command))
            return err_explain(ERR_USER, why, size,
                               "%s has no meaning for %s; --help shows where it belongs.",
                               options[i].name, command_names[c->command]);
    }
    if (c->command == CONFIG_CALL && words < 2)
        return err_explain(ERR_USER, why, size,
                           "call needs the name of a tool, as in: call get_account");
    if (c->clock[0] && !is_clock(c->clock))
        return err_explain(ERR_USER, why, size,
                           "%s is no clock: real, manual, or xN with N from 1 to 1000.",
                           shown(c->clock, safe));
    if (c->seed[0] && !is_number(c->seed, SEED_MAX))
        return err_explain(ERR_USER, why, size,
                           "%s is no seed: a whole number up to 2 to the power of 53.",
                           shown(c->seed, safe));
    if (c->token_file[0] && c->token_command[0])
        return err_explain(ERR_USER, why, size,
                           "--token-file and --token-command: give one of them, not both.");
    if (c->all && c->unresolved)
        return err_explain(ERR_USER, why, size,
                           "--all and --unresolved: give one of them, not both.");
    return ERR_OK;
}

enum err config_parse(struct config *c, int argc, char *const *argv, char *why, size_t size)
{
    struct config fresh = {.command = CONFIG_CONSOLE, .scenario = "day", .api = CONFIG_API_DEFAULT};
    bool only_words = false;
    int words = 0;
    enum err e = ERR_OK;

    for (int i = 1; i < argc && e == ERR_OK; i++) {
        int used = 0;
        if (!only_words && strcmp(argv[i], "--") == 0) {
            only_words = true;
        } else if (!only_words && argv[i][0] == '-' && argv[i][1] != '\0') {
            e = take_option(&fresh, argv[i], i + 1 < argc ? argv[i + 1] : NULL, &used, why, size);
            i += used;
        } else {
            e = take_word(&fresh, argv[i], words++, why, size);
        }
        if (fresh.help || fresh.version) {
            *c = fresh;
            return ERR_OK;
        }
    }
    fresh.theme_from_argument = fresh.theme[0] != '\0';
    if (e == ERR_OK)
        e = check(&fresh, words, why, size);
    if (e == ERR_OK)
        *c = fresh;
    return e;
}

struct merge {
    struct config *c;
    char *why;
    size_t size;
    bool told; /* why says it already */
};

static bool read_switch(const char *value, bool *out)
{
    static const char *const on[] = {"yes", "true", "on", "1"};
    static const char *const off[] = {"no", "false", "off", "0"};
    for (size_t i = 0; i < 4; i++) {
        if (strcmp(value, on[i]) == 0 || strcmp(value, off[i]) == 0) {
            *out = strcmp(value, on[i]) == 0;
            return true;
        }
    }
    return false;
}

static enum err merge_problem(struct merge *g, int line, const char *key, const char *problem)
{
    char name[64];
    snprintf(g->why, g->size, "Settings, line %d: %s %s.", line, shown(key, name), problem);
    g->told = true;
    return ERR_CONFIG;
}

static enum err merge_key(void *ctx, const char *section, const char *key, const char *value,
                          int line)
{
    struct merge *g = ctx;
    char name[80];
    size_t at = 0;

    if (section[0] != '\0')
        return merge_problem(g, line, section, "is a section, and there are none here");
    snprintf(name, sizeof(name), "--%s", key);
    if (!find_option(name, strlen(name), &at) || !options[at].is_setting)
        return merge_problem(g, line, key, "is no setting");
    if (g->c->given & 1u << at)
        return ERR_OK;
    const struct option_row *row = &options[at];
    if (!row->value) {
        bool on = false;
        if (!read_switch(value, &on))
            return merge_problem(g, line, key, "is yes or no");
        *(bool *)((char *)g->c + row->offset) = on;
        return ERR_OK;
    }
    if (value[0] == '\0' || !str_copy((char *)g->c + row->offset, row->size, value))
        return merge_problem(g, line, key, "needs a value that is not too long");
    return ERR_OK;
}

static bool was_given(const struct config *c, const char *name)
{
    size_t at = 0;
    return find_option(name, strlen(name), &at) && (c->given & 1u << at);
}

enum err config_merge(struct config *c, const char *text, size_t len, char *why, size_t size)
{
    struct merge g = {.c = c, .why = why, .size = size};
    int bad_line = 0;

    enum err e = ini_read(text, len, merge_key, &g, &bad_line);
    if (e != ERR_OK) {
        if (!g.told)
            snprintf(why, size, "Settings, line %d: this is not \"name = value\".", bad_line);
        return ERR_CONFIG;
    }
    /* an argument for one way to the token wins over a setting for the other */
    if (was_given(c, "--token-file"))
        c->token_command[0] = '\0';
    else if (was_given(c, "--token-command"))
        c->token_file[0] = '\0';
    if (c->token_file[0] && c->token_command[0]) {
        snprintf(why, size, "Settings: give token-file or token-command, not both.");
        return ERR_CONFIG;
    }
    return ERR_OK;
}

bool config_settings_path(const struct config *c, const char *config_home, const char *home,
                          char *out, size_t size)
{
    int n = -1;
    if (c->settings[0])
        return str_copy(out, size, c->settings);
    if (config_home && config_home[0] == '/') /* a relative one is to be ignored */
        n = snprintf(out, size, "%s/envoy-console/config.ini", config_home);
    else if (home && home[0] == '/')
        n = snprintf(out, size, "%s/.config/envoy-console/config.ini", home);
    return n > 0 && (size_t)n < size;
}

static const char help_head[] =
    "usage: envoy-console [options]                     the console\n"
    "       envoy-console demo [SCENARIO] [options]     the console on a simulator: no real money\n"
    "       envoy-console watch [PURCHASE] [options]    a line for each event, until all have "
    "ended\n"
    "       envoy-console call TOOL [JSON|-] [options]  one call; the reply on standard output\n"
    "       envoy-console journal [PURCHASE] [options]  what was sent, and what came of it\n"
    "\n"
    "Follows the purchases that agents make through Envoy, and answers by hand.\n"
    "\n";

enum err config_help(struct buf *out)
{
    enum err e = buf_append_str(out, help_head);
    for (size_t i = 0; i < OPTION_COUNT && e == ERR_OK; i++) {
        char left[32];
        snprintf(left, sizeof(left), "%s%s%s", options[i].name, options[i].value ? " " : "",
                 options[i].value ? options[i].value : "");
        e = buf_printf(out, "  %-20s %s\n", left, options[i].help);
    }
    if (e == ERR_OK)
        e = buf_append_str(out, "\nTools for call:\n");
    for (int i = 0; i < CONTRACT_TOOL_COUNT && e == ERR_OK; i++)
        e = buf_printf(out, "  %s\n", contract_wire(CONTRACT_KIND_TOOL, i));
    if (e == ERR_OK)
        e = buf_append_str(out, "\nexit: 0 done, 1 failed, 2 usage or terminal, 3 sign in needed, "
                                "4 refused by Envoy, 5 not confirmed\n");
    return e;
}
