/* SPDX-License-Identifier: Apache-2.0 */
/* The steps of the script language: one row and one function each. Every step that looks at the
 * screen or at the simulator waits for what it wants, and fails with what it saw instead. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "support/script_private.h"

#define LOOK_MS   50  /* between two looks at the simulator */
#define FINGER_MS 40  /* no finger is faster */
#define QUIET_MS  120 /* a screen that was not written to for so long has come to rest */

static bool need_screen(struct script *s)
{
    return s->pty ? true : script_fail(s, "no full-screen program was started");
}

static int patience_ms(int count, char **words, int at)
{
    return at < count ? atoi(words[at]) * 1000 : PTY_WAIT_MS;
}

/* ---- starting ---- */

static bool step_size(struct script *s, int count, char **words)
{
    (void)count;
    s->cols = atoi(words[0]);
    s->rows = atoi(words[1]);
    return s->cols > 0 && s->rows > 0 ? true : script_fail(s, "a size is COLUMNS ROWS");
}

static bool step_env(struct script *s, int count, char **words)
{
    (void)count;
    world_set(&s->world, words[0]);
    return true;
}

/* argv for a program of the build, or for any other when its name has a slash or own is false. */
static void make_argv(struct script *s, const char *program, int count, char **words, char **argv,
                      char *path, size_t size)
{
    if (program)
        snprintf(path, size, "%s/%s", s->options->build, program);
    int at = 0;
    if (program)
        argv[at++] = path;
    for (int i = 0; i < count; i++)
        argv[at++] = words[i];
    argv[at] = NULL;
}

static bool start_on_pty(struct script *s, const char *program, int count, char **words)
{
    char *argv[SCRIPT_WORDS_MAX + 2], path[512];
    struct pty_config config = {
        .argv = argv, .env = s->world.env, .rows = s->rows, .cols = s->cols};

    make_argv(s, program, count, words, argv, path, sizeof(path));
    pty_close(s->pty);
    s->pty = pty_open(&config);
    return true;
}

static bool step_start(struct script *s, int count, char **words)
{
    return start_on_pty(s, "envoy-console", count, words);
}

static bool step_run(struct script *s, int count, char **words)
{
    return start_on_pty(s, NULL, count, words);
}

static bool start_on_pipes(struct script *s, const char *program, int count, char **words)
{
    char *argv[SCRIPT_WORDS_MAX + 2], path[512];

    make_argv(s, program, count, words, argv, path, sizeof(path));
    lineproc_stop(s->lines);
    s->lines = lineproc_start(argv, s->world.env, NULL);
    s->lines_from = 0;
    return true;
}

static bool step_start_lines(struct script *s, int count, char **words)
{
    return start_on_pipes(s, "envoy-console", count, words);
}

static bool step_run_lines(struct script *s, int count, char **words)
{
    return start_on_pipes(s, NULL, count, words);
}

static bool write_token(struct script *s)
{
    char path[128];
    snprintf(path, sizeof(path), "%s/token", s->world.dir);
    FILE *f = fopen(path, "w");
    if (!f)
        return script_fail(s, "%s: %s", path, strerror(errno));
    fprintf(f, "%s\n", s->control.token);
    fclose(f);
    return chmod(path, 0600) == 0 ? true : script_fail(s, "%s: %s", path, strerror(errno));
}

static bool step_start_sim(struct script *s, int count, char **words)
{
    char *argv[SCRIPT_WORDS_MAX + 3], path[512];
    static char scenario[] = "--scenario";
    char *sim_words[SCRIPT_WORDS_MAX + 1];
    size_t from = 0;
    int at = 0;

    /* "startsim card --clock manual" reads well; the program wants --scenario before the name */
    if (words[0][0] != '-')
        sim_words[at++] = scenario;
    for (int i = 0; i < count; i++)
        sim_words[at++] = words[i];
    make_argv(s, "envoy-sim", at, sim_words, argv, path, sizeof(path));
    lineproc_stop(s->sim);
    s->sim = lineproc_start(argv, s->world.env, NULL);
    if (!lineproc_wait_text(s->sim, "\"url\"", &from, PTY_WAIT_MS) ||
        !control_parse_ready(lineproc_out(s->sim), &s->control))
        return script_fail(s, "the simulator did not say that it is ready: %s%s",
                           lineproc_out(s->sim), lineproc_err(s->sim));
    return write_token(s);
}

/* ---- looking ---- */

static bool step_wait(struct script *s, int count, char **words)
{
    if (!need_screen(s))
        return false;
    return pty_wait_text(s->pty, words[0], patience_ms(count, words, 1))
               ? true
               : script_fail(s, "not on the screen");
}

static bool step_wait_not(struct script *s, int count, char **words)
{
    if (!need_screen(s))
        return false;
    return pty_wait_no_text(s->pty, words[0], patience_ms(count, words, 1))
               ? true
               : script_fail(s, "still on the screen");
}

static bool step_wait_regex(struct script *s, int count, char **words)
{
    if (!need_screen(s))
        return false;
    return pty_wait_regex(s->pty, words[0], patience_ms(count, words, 1))
               ? true
               : script_fail(s, "no row matches");
}

static bool step_quiet(struct script *s, int count, char **words)
{
    (void)count;
    (void)words;
    if (!need_screen(s))
        return false;
    return pty_wait_quiet(s->pty, QUIET_MS, PTY_WAIT_MS) ? true
                                                         : script_fail(s, "it never stops drawing");
}

/* For what takes no key typed ahead: there, time itself is what the program wants. */
static bool step_pause(struct script *s, int count, char **words)
{
    (void)count;
    if (!need_screen(s))
        return false;
    pty_let_pass(s->pty, atoi(words[0]));
    return true;
}

/* A program that got no time yet is at rest too, with what was there before: so each text is waited
 * for, and then all are looked at once more when the screen has come to rest. */
static bool step_expect(struct script *s, int count, char **words)
{
    if (!need_screen(s))
        return false;
    for (int i = 0; i < count; i++)
        if (!pty_wait_text(s->pty, words[i], PTY_WAIT_MS))
            return script_fail(s, "not on the screen: %s", words[i]);
    if (!step_quiet(s, 0, NULL))
        return false;
    for (int i = 0; i < count; i++)
        if (!term_find(pty_term(s->pty), words[i], NULL, NULL))
            return script_fail(s, "not on the screen: %s", words[i]);
    return true;
}

static bool step_reject(struct script *s, int count, char **words)
{
    if (!step_quiet(s, 0, NULL))
        return false;
    for (int i = 0; i < count; i++)
        if (!pty_wait_no_text(s->pty, words[i], PTY_WAIT_MS))
            return script_fail(s, "on the screen: %s", words[i]);
    if (!step_quiet(s, 0, NULL))
        return false;
    for (int i = 0; i < count; i++)
        if (term_find(pty_term(s->pty), words[i], NULL, NULL))
            return script_fail(s, "on the screen: %s", words[i]);
    return true;
}

struct row_want {
    int row;
    const char *text;
};

static bool row_has(struct pty *p, void *arg)
{
    const struct row_want *want = arg;
    int row = want->row > 0 ? want->row - 1 : term_rows(pty_term(p)) + want->row;
    char *text = term_row_text(pty_term(p), row);
    bool found = strstr(text, want->text) != NULL;
    free(text);
    return found;
}

/* Rows count from 1; -1 is the last. */
static bool step_row(struct script *s, int count, char **words)
{
    struct row_want want = {.row = atoi(words[0]), .text = words[1]};
    if (!need_screen(s))
        return false;
    if (want.row == 0)
        return script_fail(s, "rows count from 1, or from -1 at the bottom");
    return pty_wait(s->pty, row_has, &want, patience_ms(count, words, 2))
               ? true
               : script_fail(s, "not in that row");
}

struct cursor_want {
    bool visible;
    const char *after; /* the cursor stands right behind this text; NULL = anywhere */
};

static bool cursor_is(struct pty *p, void *arg)
{
    const struct cursor_want *want = arg;
    struct term_cursor c = term_cursor(pty_term(p));
    int row, col;
    if (c.visible != want->visible)
        return false;
    if (!want->after)
        return true;
    if (!term_find(pty_term(p), want->after, &row, &col))
        return false;
    return c.row == row && c.col == col + (int)strlen(want->after);
}

static bool step_cursor(struct script *s, int count, char **words)
{
    struct cursor_want want = {.visible = strcmp(words[0], "hidden") != 0,
                               .after = count > 1 ? words[1] : NULL};
    if (!need_screen(s))
        return false;
    if (want.visible && strcmp(words[0], "shown") != 0)
        return script_fail(s, "a cursor is shown or hidden");
    return pty_wait(s->pty, cursor_is, &want, PTY_WAIT_MS) ? true
                                                           : script_fail(s, "the cursor is not so");
}

static bool alt_is(struct pty *p, void *arg)
{
    return term_in_alt_screen(pty_term(p)) == *(bool *)arg;
}

static bool step_alt(struct script *s, int count, char **words)
{
    bool want = strcmp(words[0], "on") == 0;
    (void)count;
    if (!need_screen(s))
        return false;
    return pty_wait(s->pty, alt_is, &want, PTY_WAIT_MS)
               ? true
               : script_fail(s, "the alternate screen is %s", want ? "off" : "on");
}

static bool step_bytes(struct script *s, int count, char **words)
{
    (void)count;
    if (!need_screen(s))
        return false;
    return term_bytes_contain(pty_term(s->pty), words[0], strlen(words[0]), 0)
               ? true
               : script_fail(s, "these bytes were never written");
}

static bool step_no_bytes(struct script *s, int count, char **words)
{
    (void)count;
    if (!step_quiet(s, 0, NULL))
        return false;
    return !term_bytes_contain(pty_term(s->pty), words[0], strlen(words[0]), 0)
               ? true
               : script_fail(s, "these bytes were written");
}

static bool step_snapshot(struct script *s, int count, char **words)
{
    (void)count;
    if (!step_quiet(s, 0, NULL))
        return false;
    if (s->options->snapshot)
        s->options->snapshot(s->options->user, words[0], pty_term(s->pty));
    return true;
}

/* ---- acting ---- */

/* Enter stands apart from what is typed before and behind it, as with fingers: closer together it
 * would be taken for a line end of a paste. */
static bool step_keys(struct script *s, int count, char **words)
{
    if (!need_screen(s))
        return false;
    for (int i = 0; i < count; i++) {
        bool enter = strcmp(words[i], "Enter") == 0;
        if (enter)
            pty_let_pass(s->pty, FINGER_MS);
        if (!pty_key(s->pty, words[i]))
            return script_fail(s, "no such key: %s", words[i]);
        if (enter)
            pty_let_pass(s->pty, FINGER_MS);
    }
    return true;
}

static bool step_type(struct script *s, int count, char **words)
{
    if (!need_screen(s))
        return false;
    for (int i = 0; i < count; i++) {
        if (i > 0)
            pty_type(s->pty, " ");
        pty_type(s->pty, words[i]);
    }
    return true;
}

static bool step_paste(struct script *s, int count, char **words)
{
    (void)count;
    if (!need_screen(s))
        return false;
    pty_paste(s->pty, words[0]);
    return true;
}

static bool step_resize(struct script *s, int count, char **words)
{
    int cols = atoi(words[0]), rows = atoi(words[1]);
    (void)count;
    if (!need_screen(s))
        return false;
    if (cols < 1 || rows < 1)
        return script_fail(s, "a size is COLUMNS ROWS");
    pty_resize(s->pty, rows, cols);
    return true;
}

static bool step_quit(struct script *s, int count, char **words)
{
    (void)count;
    (void)words;
    return need_screen(s) && pty_key(s->pty, "q");
}

static bool step_signal(struct script *s, int count, char **words)
{
    static const struct {
        const char *name;
        int number;
    } rows[] = {
        {"TERM", SIGTERM}, {"INT", SIGINT}, {"HUP", SIGHUP}, {"QUIT", SIGQUIT}, {"KILL", SIGKILL}};
    (void)count;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (strcmp(rows[i].name, words[0]) != 0)
            continue;
        if (s->pty && pty_pid(s->pty) > 0)
            pty_signal(s->pty, rows[i].number);
        else if (s->lines)
            kill(lineproc_pid(s->lines), rows[i].number);
        return true;
    }
    return script_fail(s, "no such signal");
}

static bool step_stopped(struct script *s, int count, char **words)
{
    (void)count;
    (void)words;
    return need_screen(s) &&
           (pty_wait_stop(s->pty, PTY_WAIT_MS) ? true : script_fail(s, "it did not stop"));
}

static bool step_continue(struct script *s, int count, char **words)
{
    (void)count;
    (void)words;
    if (!need_screen(s))
        return false;
    pty_continue(s->pty);
    return true;
}

/* The program last started: full-screen when there is one, else the one on pipes. */
static bool step_exit(struct script *s, int count, char **words)
{
    int want = atoi(words[0]), code = -1;
    struct pty_exit end = {0};

    if (s->lines) {
        if (!lineproc_wait_exit(s->lines, &code, patience_ms(count, words, 1)))
            return script_fail(s, "it did not end");
    } else {
        if (!need_screen(s))
            return false;
        if (!pty_wait_exit(s->pty, &end, patience_ms(count, words, 1)))
            return script_fail(s, "it did not end");
        code = end.signal ? 128 + end.signal : end.code;
    }
    return code == want ? true : script_fail(s, "exit status %d", code);
}

static bool step_restored(struct script *s, int count, char **words)
{
    struct termios now;
    (void)count;
    (void)words;
    if (!need_screen(s))
        return false;
    if (!pty_tty_modes(s->pty, &now))
        return script_fail(s, "the terminal is gone");
    if (!pty_modes_equal(&now, pty_modes_before(s->pty)))
        return script_fail(s, "the terminal's modes differ from before the start");
    if (term_in_alt_screen(pty_term(s->pty)) || !term_cursor(pty_term(s->pty)).visible ||
        term_mouse_mode(pty_term(s->pty)) || term_bracketed_paste(pty_term(s->pty)) ||
        term_app_cursor_keys(pty_term(s->pty)))
        return script_fail(s, "alternate screen, cursor, mouse, paste or keypad mode was left on");
    return true;
}

static bool step_lines(struct script *s, int count, char **words)
{
    if (!s->lines)
        return script_fail(s, "no program was started on pipes");
    return lineproc_wait_text(s->lines, words[0], &s->lines_from, patience_ms(count, words, 1))
               ? true
               : script_fail(s, "no further line has it");
}

static bool step_no_lines(struct script *s, int count, char **words)
{
    (void)count;
    if (!s->lines)
        return script_fail(s, "no program was started on pipes");
    return !strstr(lineproc_out(s->lines), words[0]) && !strstr(lineproc_err(s->lines), words[0])
               ? true
               : script_fail(s, "its output has it");
}

static bool step_messages(struct script *s, int count, char **words)
{
    int code;
    (void)count;
    if (!s->lines)
        return script_fail(s, "no program was started on pipes");
    if (!lineproc_wait_exit(s->lines, &code, PTY_WAIT_MS))
        return script_fail(s, "it did not end");
    return strstr(lineproc_err(s->lines), words[0]) ? true : script_fail(s, "its messages lack it");
}

/* ---- the simulator ---- */

static bool read_ready_file(struct pty *unused, void *arg)
{
    struct script *s = arg;
    char path[128], text[1024];
    (void)unused;
    snprintf(path, sizeof(path), "%s/ready.json", s->world.dir);
    FILE *f = fopen(path, "r");
    if (!f)
        return false;
    size_t n = fread(text, 1, sizeof(text) - 1, f);
    fclose(f);
    text[n] = '\0';
    return control_parse_ready(text, &s->control);
}

/* A demo starts its own simulator and writes the ready line into the file that we named. */
static bool need_sim(struct script *s)
{
    if (s->control.url[0])
        return true;
    if (!s->pty)
        return script_fail(s, "no simulator was started");
    return pty_wait(s->pty, read_ready_file, s, PTY_WAIT_MS)
               ? true
               : script_fail(s, "the demo named no simulator");
}

static bool sim_post(struct script *s, const char *path, cJSON *body)
{
    char why[1024] = "";
    cJSON *reply = control_call(&s->control, path, body, why, sizeof(why));
    cJSON_Delete(body);
    cJSON_Delete(reply);
    return reply ? true : script_fail(s, "%s", why);
}

/* A value of NAME=VALUE: JSON when it reads as a number, an object, a list, true, false or null. */
static void add_value(cJSON *body, const char *name, const char *value)
{
    const char *end = NULL;
    cJSON *parsed = cJSON_ParseWithOpts(value, &end, 1);
    if (parsed && !cJSON_IsString(parsed)) {
        cJSON_AddItemToObject(body, name, parsed);
        return;
    }
    cJSON_Delete(parsed);
    cJSON_AddStringToObject(body, name, value);
}

static bool add_pairs(struct script *s, cJSON *body, int count, char **words)
{
    for (int i = 0; i < count; i++) {
        char *eq = strchr(words[i], '=');
        if (!eq)
            return script_fail(s, "NAME=VALUE is wanted, not %s", words[i]);
        *eq = '\0';
        add_value(body, words[i], eq + 1);
        *eq = '=';
    }
    return true;
}

static bool sim_clock(struct script *s, int count, char **words)
{
    cJSON *body = cJSON_CreateObject();
    if (count == 1 && strcmp(words[0], "freeze") == 0)
        cJSON_AddTrueToObject(body, "freeze");
    else if (count == 1 && strcmp(words[0], "unfreeze") == 0)
        cJSON_AddFalseToObject(body, "freeze");
    else if (count == 2 && strcmp(words[0], "advance") == 0)
        cJSON_AddNumberToObject(body, "advance_seconds", atof(words[1]));
    else if (count == 2 && strcmp(words[0], "set") == 0)
        cJSON_AddStringToObject(body, "set", words[1]);
    else {
        cJSON_Delete(body);
        return script_fail(s, "sim clock advance SECONDS | freeze | unfreeze | set TIME");
    }
    return sim_post(s, "/sim/clock", body);
}

/* sim phone PURCHASE ACTION [NAME=VALUE...]; the same for merchant, where ask takes KIND "PROMPT".
 */
static bool sim_person(struct script *s, const char *path, int count, char **words)
{
    cJSON *body = cJSON_CreateObject();
    int at = 2;

    if (count < 2) {
        cJSON_Delete(body);
        return script_fail(s, "which purchase, and what?");
    }
    cJSON_AddStringToObject(body, "purchase", words[0]);
    cJSON_AddStringToObject(body, "action", words[1]);
    if (strcmp(words[1], "ask") == 0 && count == 4 && !strchr(words[2], '=')) {
        cJSON_AddStringToObject(body, "kind", words[2]);
        cJSON_AddStringToObject(body, "prompt", words[3]);
        at = 4;
    }
    if (!add_pairs(s, body, count - at, words + at)) {
        cJSON_Delete(body);
        return false;
    }
    return sim_post(s, path, body);
}

static bool sim_phone(struct script *s, int count, char **words)
{
    return sim_person(s, "/sim/phone", count, words);
}

static bool sim_merchant(struct script *s, int count, char **words)
{
    return sim_person(s, "/sim/merchant", count, words);
}

static bool sim_fault(struct script *s, int count, char **words)
{
    cJSON *body = cJSON_CreateObject();
    if (count > 0)
        cJSON_AddStringToObject(body, "tool", words[0]);
    if (count < 1 || !add_pairs(s, body, count - 1, words + 1)) {
        cJSON_Delete(body);
        return s->why ? false : script_fail(s, "which tool?");
    }
    return sim_post(s, "/sim/fault", body);
}

static bool sim_reset(struct script *s, int count, char **words)
{
    cJSON *body = cJSON_CreateObject();
    if (count > 0)
        cJSON_AddStringToObject(body, "scenario", words[0]);
    if (count > 1)
        cJSON_AddNumberToObject(body, "seed", atof(words[1]));
    return sim_post(s, "/sim/reset", body);
}

struct count_want {
    struct script *s;
    const char *tool, *op;
    int want, seen;
};

static bool count_holds(struct pty *unused, void *arg)
{
    struct count_want *c = arg;
    (void)unused;
    c->seen = control_count_calls(&c->s->control, c->tool);
    if (c->seen < 0)
        return false;
    return strcmp(c->op, "==") == 0   ? c->seen == c->want
           : strcmp(c->op, ">=") == 0 ? c->seen >= c->want
                                      : c->seen <= c->want;
}

/* sim calls TOOL == N: waits until so many arrived. With == it must also stay so while the program
 * comes to rest, or "exactly one" would be seen on the way to two. */
/* Beside a program on pipes: its output is taken in between the looks. */
static bool wait_on_lines(struct script *s, struct count_want *c)
{
    static const char never[] = "\001";
    for (int left = PTY_WAIT_MS; left > 0 && !count_holds(NULL, c); left -= LOOK_MS) {
        size_t from = s->lines_from;
        if (!s->lines || (!lineproc_wait_text(s->lines, never, &from, LOOK_MS) &&
                          lineproc_wait_exit(s->lines, &(int){0}, 0)))
            break;
    }
    return count_holds(NULL, c);
}

static bool sim_calls(struct script *s, int count, char **words)
{
    struct count_want c = {.s = s};
    if (count != 3 || (strcmp(words[1], "==") && strcmp(words[1], ">=") && strcmp(words[1], "<=")))
        return script_fail(s, "sim calls TOOL == N (or >= or <=)");
    c.tool = words[0];
    c.op = words[1];
    c.want = atoi(words[2]);
    if (!s->pty)
        return wait_on_lines(s, &c) ? true : script_fail(s, "it received %d", c.seen);
    if (!pty_wait(s->pty, count_holds, &c, PTY_WAIT_MS))
        return script_fail(s, "it received %d", c.seen);
    if (pty_pid(s->pty) > 0 && !step_quiet(s, 0, NULL))
        return false;
    return count_holds(s->pty, &c) ? true : script_fail(s, "it received %d", c.seen);
}

static bool step_sim(struct script *s, int count, char **words)
{
    static const struct {
        const char *name;
        bool (*run)(struct script *s, int count, char **words);
    } rows[] = {
        {"clock", sim_clock}, {"phone", sim_phone}, {"merchant", sim_merchant},
        {"fault", sim_fault}, {"reset", sim_reset}, {"calls", sim_calls},
    };
    if (!need_sim(s))
        return false;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (strcmp(rows[i].name, words[0]) == 0)
            return rows[i].run(s, count - 1, words + 1);
    return script_fail(s, "sim has clock, phone, merchant, fault, reset and calls");
}

static const struct script_step steps[] = {
    {"size", 2, 2, step_size},
    {"env", 1, 1, step_env},
    {"unset", 1, 1, step_env},
    {"start", 0, -1, step_start},
    {"run", 1, -1, step_run},
    {"startlines", 0, -1, step_start_lines},
    {"runlines", 1, -1, step_run_lines},
    {"startsim", 1, -1, step_start_sim},
    {"wait", 1, 2, step_wait},
    {"waitnot", 1, 2, step_wait_not},
    {"waitre", 1, 2, step_wait_regex},
    {"quiet", 0, 0, step_quiet},
    {"pause", 1, 1, step_pause},
    {"expect", 1, -1, step_expect},
    {"reject", 1, -1, step_reject},
    {"row", 2, 3, step_row},
    {"cursor", 1, 2, step_cursor},
    {"alt", 1, 1, step_alt},
    {"bytes", 1, 1, step_bytes},
    {"nobytes", 1, 1, step_no_bytes},
    {"snapshot", 1, 1, step_snapshot},
    {"keys", 1, -1, step_keys},
    {"type", 1, -1, step_type},
    {"paste", 1, 1, step_paste},
    {"resize", 2, 2, step_resize},
    {"quit", 0, 0, step_quit},
    {"signal", 1, 1, step_signal},
    {"stopped", 0, 0, step_stopped},
    {"continue", 0, 0, step_continue},
    {"exit", 1, 2, step_exit},
    {"restored", 0, 0, step_restored},
    {"lines", 1, 2, step_lines},
    {"nolines", 1, 1, step_no_lines},
    {"messages", 1, 1, step_messages},
    {"sim", 2, -1, step_sim},
};

const struct script_step *script_step_find(const char *name)
{
    for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++)
        if (strcmp(steps[i].name, name) == 0)
            return &steps[i];
    return NULL;
}
