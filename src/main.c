/* SPDX-License-Identifier: Apache-2.0 */
/* envoy-console: arguments to a running loop, and its end to an exit code. Decides nothing that is
 * shown or sent. Invariants: memory is guarded before anything else happens; a terminal that cannot
 * serve is refused before anything is read, started or called. */
#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/config.h"
#include "core/buf.h"
#include "core/ident.h"
#include "core/log.h"
#include "core/str.h"
#include "launch.h"
#include "loop.h"
#include "plain/call.h"
#include "plain/journal.h"
#include "plain/watch.h"
#include "secret/secret.h"
#include "secret/token.h"
#include "store/journal.h"
#include "term/term.h"
#include "ui/theme.h"

enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2, EXIT_SIGN_IN = 3 };

#define SETTINGS_MAX (64 * 1024)
#define WHY_MAX      400
/* A demo without a terminal: fast enough to be over soon, slow enough to be read. */
#define PLAYED_CLOCK "x4"

struct program {
    struct config config;
    bool memory_locked;
    bool lines;           /* no screen */
    struct launch sim;    /* demo */
    struct secret *token; /* not for a demo */
    struct envoy_http *http;
    struct theme theme;
    bool is_mono;
    char why[WHY_MAX];
};

static int fail(const char *why, int code)
{
    fprintf(stderr, "envoy-console: %s\n", why);
    return code;
}

/* Settings */

static int read_settings(struct program *p)
{
    char path[CONFIG_VALUE_MAX];
    struct buf text;
    char chunk[4096];
    int code = EXIT_DONE;

    if (!config_settings_path(&p->config, getenv("XDG_CONFIG_HOME"), getenv("HOME"), path,
                              sizeof(path)))
        return EXIT_DONE;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (fd < 0 && errno == ENOENT && !p->config.settings[0])
        return EXIT_DONE;
    buf_init(&text, SETTINGS_MAX);
    ssize_t n = fd < 0 ? -1 : 0;
    while (fd >= 0 && (n = read(fd, chunk, sizeof(chunk))) > 0)
        if (buf_append(&text, chunk, (size_t)n) != ERR_OK) {
            n = -1;
            break;
        }
    if (n < 0) {
        fprintf(stderr, "envoy-console: the settings file %s cannot be read; check its name.\n",
                path);
        code = EXIT_USAGE;
    } else if (config_merge(&p->config, buf_view(&text), text.len, p->why, WHY_MAX) != ERR_OK) {
        code = fail(p->why, EXIT_USAGE);
    }
    buf_fini(&text);
    if (fd >= 0)
        close(fd);
    return code;
}

static int print_about(const struct config *c)
{
    struct buf text;
    if (c->version) {
        puts("envoy-console " CONFIG_VERSION " (contract " CONTRACT_REVISION ")");
        return EXIT_DONE;
    }
    buf_init(&text, SETTINGS_MAX);
    enum err e = config_help(&text);
    if (e == ERR_OK)
        fputs(buf_view(&text), stdout);
    buf_fini(&text);
    return e == ERR_OK ? EXIT_DONE : EXIT_FAILED;
}

/* What is needed to talk to the service */

static int choose_front(struct program *p)
{
    const struct config *c = &p->config;
    p->lines = c->plain || c->command == CONFIG_WATCH || c->command == CONFIG_CALL;
    if (p->lines || term_check(p->why, WHY_MAX) == ERR_OK)
        return EXIT_DONE;
    bool terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
    if (c->command != CONFIG_DEMO || terminal) /* one that cannot serve is not the same as none */
        return fail(p->why, EXIT_USAGE);
    p->lines = true; /* without a terminal a demo plays itself */
    return EXIT_DONE;
}

static const char *clock_of(const struct program *p)
{
    return p->config.clock[0] ? p->config.clock : p->lines ? PLAYED_CLOCK : "real";
}

static int clock_factor(const struct program *p)
{
    const char *clock = clock_of(p);
    return clock[0] == 'x' ? (int)strtol(clock + 1, NULL, 10) : 1;
}

static int start_demo(struct program *p)
{
    const struct config *c = &p->config;
    struct launch_options options = {.scenario = c->scenario,
                                     .clock = clock_of(p),
                                     .seed = c->seed,
                                     .is_auto = c->auto_play || p->lines,
                                     .log = c->log[0] ? c->log : NULL};
    if (launch_start(&p->sim, &options, p->why, WHY_MAX) != ERR_OK)
        return fail(p->why, EXIT_FAILED);
    return EXIT_DONE;
}

static int get_token(struct program *p)
{
    const struct config *c = &p->config;
    enum err e = ERR_OK;
    if (c->token_file[0])
        e = token_read_file(c->token_file, &p->token, p->why, WHY_MAX);
    else if (c->token_command[0])
        e = token_run_command(c->token_command, TOKEN_COMMAND_LIMIT_MS, &p->token, p->why, WHY_MAX);
    else
        return fail("There is no access token: name one with --token-file FILE or --token-command "
                    "CMD, or look around without one with: envoy-console demo",
                    EXIT_SIGN_IN);
    return e == ERR_OK ? EXIT_DONE : fail(p->why, EXIT_SIGN_IN);
}

static int connect_service(struct program *p)
{
    bool demo = p->config.command == CONFIG_DEMO;
    struct envoy_http_settings settings = {.base_url = demo ? p->sim.url : p->config.api,
                                           .user_agent = "envoy-console/" CONFIG_VERSION};
    enum err e = envoy_http_new(&settings, &p->http);
    if (e == ERR_CONFIG)
        return fail("The --api address must be https://HOST, or http:// on this machine, with no "
                    "path.",
                    EXIT_USAGE);
    if (e != ERR_OK)
        return fail("The network library cannot be started.", EXIT_FAILED);
    if (envoy_http_set_token(p->http, demo ? p->sim.token : p->token) != ERR_OK)
        return fail("The access token has bytes that no token has; nothing was sent.",
                    EXIT_SIGN_IN);
    secret_free(p->token);
    p->token = NULL;
    return EXIT_DONE;
}

/* Line mode */

static long sim_resting(void *ctx)
{
    return launch_resting(ctx);
}

static bool sim_has_ended(void *ctx)
{
    return launch_has_ended(ctx);
}

static int run_lines(struct program *p, struct model *m, struct loop_options *options)
{
    bool demo = p->config.command == CONFIG_DEMO;
    struct plain_watch_options watch = {
        .line = {.out = stdout, .json = p->config.json, .ascii = m->set.ascii},
        .purchase = p->config.purchase,
        .resting = demo ? sim_resting : NULL,
        .service_gone = demo ? sim_has_ended : NULL,
        .ctx = &p->sim};
    struct plain_watch *w = plain_watch_new(&watch);
    if (!w)
        return fail("There is no memory to start.", EXIT_FAILED);
    struct loop_front front = {
        .ctx = w, .show = plain_watch_show, .finished = plain_watch_finished};
    options->front = &front;
    int code = loop_run(m, p->http, options);
    code = plain_watch_end(w, m, code);
    plain_watch_free(w);
    return code;
}

/* The screen */

static void load_theme(struct program *p)
{
    const struct config *c = &p->config;
    const char *home = getenv("XDG_CONFIG_HOME");
    const char *below = home && home[0] == '/' ? "" : "/.config";
    char user[CONFIG_VALUE_MAX] = "";
    struct theme_fault fault = {0};
    struct theme_wish wish = {.flag_theme = c->theme_from_argument ? c->theme : NULL,
                              .flag_no_color = c->no_color,
                              .config_theme = c->theme[0] ? c->theme : NULL,
                              .env_no_color = getenv("NO_COLOR"),
                              .env_colorfgbg = getenv("COLORFGBG")};
    if (below[0])
        home = getenv("HOME");
    if (home)
        snprintf(user, sizeof(user), "%s%s/envoy-console/themes", home, below);
    struct theme_dirs dirs = {.user = user[0] ? user : NULL,
                              .shared = PREFIX "/share/envoy-console/themes"};
    const char *name = theme_choose(&wish);
    p->is_mono = strcmp(name, "mono") == 0;
    if (theme_load(&p->theme, name, &dirs, &fault) != ERR_OK) {
        log_line(LOG_WARN, "theme: %s (line %d)", fault.reason, fault.line);
        fprintf(stderr, "envoy-console: theme %s: %s; the dark one is used.\n", name, fault.reason);
    }
}

static int run_screen(struct program *p, struct model *m, struct loop_options *options)
{
    options->theme = &p->theme;
    options->no_color = p->is_mono;
    term_set_theme(&p->theme, theme_depth(p->is_mono ? "mono" : p->theme.name, term_colors()));
    int code = loop_run(m, p->http, options);
    term_close();
    return code;
}

static bool is_ascii(const struct program *p)
{
    if (p->config.ascii)
        return true;
    return p->lines ? strcmp(nl_langinfo(CODESET), "UTF-8") != 0 : !term_is_utf8();
}

static void fill_settings(const struct program *p, struct model_settings *set)
{
    const struct config *c = &p->config;
    bool demo = c->command == CONFIG_DEMO;
    const char *api = demo ? p->sim.url : c->api;
    const char *host = strstr(api, "://");

    *set = (struct model_settings){.demo = demo,
                                   .read_only = c->read_only,
                                   .ascii = is_ascii(p),
                                   .sim_control = demo,
                                   .clock_factor = demo ? clock_factor(p) : 1};
    (void)str_visible_copy(set->host, sizeof(set->host), host ? host + 3 : api);
    if (demo)
        (void)str_visible_copy(set->scenario, sizeof(set->scenario), p->sim.scenario);
    (void)str_copy(set->theme, sizeof(set->theme), p->theme.name);
}

/* A demo's journal is kept in memory: its purchases end with it. Lines only look;
 * a call that writes is noted as the console's are. */
static enum err open_journal(const struct program *p, struct journal **out)
{
    char path[CONFIG_VALUE_MAX];
    bool demo = p->config.command == CONFIG_DEMO;
    bool found = journal_default_path(getenv("XDG_STATE_HOME"), getenv("HOME"), path, sizeof path);
    *out = NULL;
    if (!demo && !found) /* the loop says so, and sends nothing that must be noted */
        return ERR_OK;
    struct journal_options options = {.path = demo ? NULL : path,
                                      .make_dir = true,
                                      .read_only = p->config.read_only || (p->lines && !demo)};
    return journal_open(&options, out);
}

static int run_model(struct program *p)
{
    struct loop_options options = {.child_fd = -1};
    struct model_settings set;
    struct model m;

    if (p->config.command == CONFIG_DEMO) {
        options.sim_url = p->sim.url;
        options.child_fd = p->sim.link_fd;
    }
    if (!p->lines) {
        struct term_options screen = {.show_cursor = false};
        load_theme(p);
        term_catch_crashes();
        if (term_open(&screen, p->why, WHY_MAX) != ERR_OK)
            return fail(p->why, EXIT_USAGE);
    }
    fill_settings(p, &set);
    if (model_init(&m, &set) != ERR_OK) {
        term_close();
        return fail("There is no memory to start.", EXIT_FAILED);
    }
    struct journal *journal = NULL;
    int code = EXIT_FAILED;
    if (open_journal(p, &journal) == ERR_OK) {
        options.journal = journal;
        code = p->lines ? run_lines(p, &m, &options) : run_screen(p, &m, &options);
    } else {
        term_close();
        (void)fail("There is no memory to start.", EXIT_FAILED);
    }
    journal_close(journal);
    model_fini(&m);
    return code;
}

static int run_journal(const struct program *p)
{
    const struct config *c = &p->config;
    char path[CONFIG_VALUE_MAX];
    struct plain_journal_options list = {.path = path,
                                         .purchase = c->purchase[0] ? c->purchase : NULL,
                                         .json = c->json,
                                         .timelines = c->all,
                                         .unresolved = c->unresolved,
                                         .out = stdout,
                                         .err = stderr};
    if (!journal_default_path(getenv("XDG_STATE_HOME"), getenv("HOME"), path, sizeof path))
        return fail("Journal: no place for it; set HOME or XDG_STATE_HOME.", EXIT_FAILED);
    return plain_journal_list(&list);
}

static int run_call(struct program *p)
{
    struct model_settings set;
    struct plain_call_options call = {.tool = p->config.tool,
                                      .input = p->config.input,
                                      .input_fd = STDIN_FILENO,
                                      .read_only = p->config.read_only,
                                      .host = set.host,
                                      .out = stdout,
                                      .err = stderr};
    struct secret *body = NULL;
    struct journal *journal = NULL;
    if (plain_call_read(&call, &body) != ERR_OK)
        return EXIT_USAGE;
    fill_settings(p, &set);
    int code = get_token(p);
    if (code == EXIT_DONE)
        code = connect_service(p);
    if (code == EXIT_DONE && contract_is_write(call.tool) && open_journal(p, &journal) != ERR_OK)
        code = fail("There is no memory to start.", EXIT_FAILED);
    if (code == EXIT_DONE) {
        call.journal = journal;
        code = plain_call_send(&call, p->http, body);
    } else {
        secret_free(body);
    }
    journal_close(journal);
    return code;
}

static int run(struct program *p, int argc, char **argv)
{
    if (config_parse(&p->config, argc, argv, p->why, WHY_MAX) != ERR_OK)
        return fail(p->why, EXIT_USAGE);
    if (p->config.help || p->config.version)
        return print_about(&p->config);
    int code = read_settings(p);
    if (code != EXIT_DONE)
        return code;
    if (p->config.log[0] && log_open(p->config.log, LOG_DEBUG) != ERR_OK)
        return fail("The --log file cannot be written; name another.", EXIT_USAGE);
    if (!p->memory_locked)
        log_line(LOG_WARN, "memory cannot be locked; secrets could reach swap");
    if (p->config.command == CONFIG_CALL)
        return run_call(p);
    if (p->config.command == CONFIG_JOURNAL)
        return run_journal(p);
    code = choose_front(p);
    if (code == EXIT_DONE)
        code = p->config.command == CONFIG_DEMO ? start_demo(p) : get_token(p);
    if (code == EXIT_DONE)
        code = connect_service(p);
    return code == EXIT_DONE ? run_model(p) : code;
}

int main(int argc, char **argv)
{
    static struct program program; /* large, and zeroed */
    program.sim = (struct launch){.pid = -1, .link_fd = -1, .said_fd = -1};
    if (secret_init(&program.memory_locked) != ERR_OK)
        return fail("The system refuses to keep this program's memory private, so it does not "
                    "start.",
                    EXIT_FAILED);
    setlocale(LC_ALL, "");
    ident_set_random(secret_random);
    int code = run(&program, argc, argv);
    envoy_http_free(program.http);
    secret_free(program.token);
    launch_stop(&program.sim);
    log_close();
    return code;
}
