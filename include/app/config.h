/* SPDX-License-Identifier: Apache-2.0 */
/* What the person asked for: arguments and settings file to one struct. Pure: texts go in, the
 * struct and one sentence come out; reading files and the environment is main's. Arguments win over
 * the settings file. Invariant: no option takes a secret, and a rejected argument's value is never
 * repeated in the sentence. */
#ifndef APP_CONFIG_H
#define APP_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include "contract/enums.h"
#include "contract/reply.h"
#include "core/buf.h"
#include "core/err.h"

#define CONFIG_VERSION     "0.1.0"
#define CONFIG_API_DEFAULT "https://api.envoy.money"
#define CONFIG_VALUE_MAX   1024 /* bytes of a value, with NUL */

enum config_command {
    CONFIG_CONSOLE,
    CONFIG_DEMO,
    CONFIG_WATCH,
    CONFIG_CALL,
    CONFIG_JOURNAL,
    CONFIG_COMMAND_COUNT
};

struct config {
    enum config_command command;
    bool help, version;

    char scenario[CONFIG_VALUE_MAX]; /* demo: a name or a path; default "day" */
    bool auto_play;                  /* demo: the owner's acts are played too */
    char clock[16];                  /* demo: "real", "manual", "xN"; "" when not given */
    char seed[24];                   /* demo: digits; "" when not given */

    char purchase[CONTRACT_ID_MAX]; /* watch: "" for all that are open; journal: "" for all */
    bool json;                      /* watch, journal */
    bool all, unresolved;           /* journal: with the timelines; only open outcomes */

    enum contract_tool tool; /* call */
    const char *input;       /* call: JSON, borrowed from argv; NULL: standard input */

    char api[CONFIG_VALUE_MAX];
    char token_file[CONFIG_VALUE_MAX];    /* "" when not given, as those below */
    char token_command[CONFIG_VALUE_MAX]; /* run by /bin/sh */
    char theme[CONFIG_VALUE_MAX];
    bool theme_from_argument;
    bool read_only, plain, no_color, ascii;
    char settings[CONFIG_VALUE_MAX]; /* --config */
    char log[CONFIG_VALUE_MAX];

    unsigned given; /* private: bit set of options that stood in the arguments */
};

/* Fills *c from the arguments and the defaults. ERR_USER: *why (size bytes) says in one sentence
 * what is wrong and what helps. With --help or --version the rest is not judged. */
enum err config_parse(struct config *c, int argc, char *const *argv, char *why,
                      size_t size) WARN_UNUSED;
/* Adds what a settings file says, where no argument spoke. ERR_CONFIG: *why names the line; *c may
 * then hold a part of it. */
enum err config_merge(struct config *c, const char *text, size_t len, char *why,
                      size_t size) WARN_UNUSED;
/* Where the settings file is: --config, else in config_home (XDG_CONFIG_HOME), else below home;
 * either may be NULL. False when there is no place for it or it does not fit. */
bool config_settings_path(const struct config *c, const char *config_home, const char *home,
                          char *out, size_t size);
/* What --help prints. */
enum err config_help(struct buf *out) WARN_UNUSED;

#endif
