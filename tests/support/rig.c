/* SPDX-License-Identifier: Apache-2.0 */
/* See rig.h. */
#include <regex.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <cmocka.h>
#include "support/rig.h"

#define ARGS_MAX 24

void rig_fail(struct rig *r, const char *what)
{
    char *text = r->pty ? term_text(pty_term(r->pty)) : NULL;
    /* not in fail_msg, which cuts what is longer than a kilobyte */
    printf("%s\n%s", what, text ? text : "");
    free(text);
    fail();
    abort(); /* fail does not come back */
}

void rig_prepare(struct rig *r, const char *scenario)
{
    memset(r, 0, sizeof(*r));
    r->rows = 30;
    r->cols = 120;
    assert_true(world_open(&r->world));
    r->sim = simproc_open(scenario, false);
}

static void write_token(struct rig *r, char *path, size_t size)
{
    snprintf(path, size, "%s/token", r->world.dir);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fprintf(f, "%s\n", simproc_token(r->sim));
    fclose(f);
    assert_int_equal(chmod(path, 0600), 0);
}

void rig_start(struct rig *r, const char *const *args)
{
    const char *build = getenv("ENVOY_BUILD");
    char program[512], token[128];
    char *argv[ARGS_MAX] = {program, (char *)"--api", (char *)(uintptr_t)simproc_url(r->sim),
                            (char *)"--token-file", token};
    int at = 5;

    snprintf(program, sizeof(program), "%s/envoy-console", build ? build : "build");
    write_token(r, token, sizeof(token));
    for (int i = 0; args && args[i] && at + 1 < ARGS_MAX; i++)
        argv[at++] = (char *)(uintptr_t)args[i];
    struct pty_config config = {.argv = argv,
                                .env = r->world.env,
                                .rows = r->rows,
                                .cols = r->cols,
                                .ignore_hup = r->ignore_hup,
                                .stdin_pipe = r->stdin_null};
    pty_close(r->pty);
    r->pty = pty_open(&config);
}

void rig_open(struct rig *r, const char *scenario)
{
    rig_prepare(r, scenario);
    rig_start(r, NULL);
    rig_want(r, "live");
}

void rig_open_answer(struct rig *r)
{
    rig_open(r, "card");
    simproc_phone(r->sim, "latest", "approve");
    simproc_merchant(r->sim, "latest", "ask", "'kind':'text','prompt':'Blue, or stop?'");
    rig_want(r, "Blue, or stop?");
    rig_keys(r, "Enter Enter"); /* the detail, then the field in it */
    rig_want(r, "0 of 800");
    pty_type(r->pty, "blue one");
    rig_want(r, "blue one");
}

static bool has_number(struct pty *p, void *arg)
{
    static const char pattern[] = "[0-9]{4} [0-9]{4} [0-9]{4} [0-9]{4}";
    char *number = arg;
    regmatch_t hit;
    regex_t re;
    bool found = false;

    assert_int_equal(regcomp(&re, pattern, REG_EXTENDED), 0);
    for (int row = 0; row < term_rows(pty_term(p)) && !found; row++) {
        char *text = term_row_text(pty_term(p), row);
        found = regexec(&re, text, 1, &hit, 0) == 0;
        if (found)
            snprintf(number, 20, "%.19s", text + hit.rm_so);
        free(text);
    }
    regfree(&re);
    return found;
}

void rig_open_revealed(struct rig *r, char number[20])
{
    rig_open(r, "card");
    simproc_phone(r->sim, "latest", "approve");
    for (int i = 0; i < 20 && pty_wait_no_text(r->pty, "masked", 200); i++)
        simproc_advance(r->sim, 10);
    rig_want(r, "masked");
    rig_keys(r, "n");
    if (!pty_wait(r->pty, has_number, number, PTY_WAIT_MS))
        rig_fail(r, "the number was not revealed");
}

void rig_close(struct rig *r)
{
    pty_close(r->pty);
    simproc_stop(r->sim);
    world_close(&r->world);
}

void rig_want(struct rig *r, const char *text)
{
    char what[256];
    snprintf(what, sizeof(what), "not on the screen: %s", text);
    if (!pty_wait_text(r->pty, text, PTY_WAIT_MS))
        rig_fail(r, what);
}

void rig_want_gone(struct rig *r, const char *text)
{
    char what[256];
    snprintf(what, sizeof(what), "still on the screen: %s", text);
    if (!pty_wait_no_text(r->pty, text, PTY_WAIT_MS))
        rig_fail(r, what);
}

void rig_keys(struct rig *r, const char *names)
{
    char copy[512];
    char *rest = NULL;
    snprintf(copy, sizeof(copy), "%s", names);
    for (char *name = strtok_r(copy, " ", &rest); name; name = strtok_r(NULL, " ", &rest))
        if (!pty_key(r->pty, name))
            rig_fail(r, name);
}

static int count_calls(struct rig *r, bool (*counts)(const char *tool, const char *want),
                       const char *want)
{
    const cJSON *all = simproc_get(r->sim, "/sim/calls");
    const cJSON *calls = cJSON_IsArray(all) ? all : cJSON_GetObjectItemCaseSensitive(all, "calls");
    const cJSON *call;
    int count = 0;

    assert_true(cJSON_IsArray(calls));
    cJSON_ArrayForEach(call, calls)
    {
        const cJSON *tool = cJSON_GetObjectItemCaseSensitive(call, "tool");
        if (cJSON_IsString(tool) && counts(tool->valuestring, want))
            count++;
    }
    return count;
}

static bool is_tool(const char *tool, const char *want)
{
    return strcmp(want, "*") == 0 || strcmp(tool, want) == 0;
}

static bool is_write(const char *tool, const char *want)
{
    (void)want;
    return strncmp(tool, "get_", 4) != 0 && strncmp(tool, "list_", 5) != 0 &&
           strncmp(tool, "search_", 7) != 0;
}

int rig_calls(struct rig *r, const char *tool)
{
    return count_calls(r, is_tool, tool);
}

int rig_writes(struct rig *r)
{
    return count_calls(r, is_write, NULL);
}

void rig_want_restored(struct rig *r)
{
    const struct term *t = pty_term(r->pty);
    struct termios now;

    if (!pty_tty_modes(r->pty, &now) || !pty_modes_equal(&now, pty_modes_before(r->pty)))
        rig_fail(r, "the terminal's modes differ from before the start");
    if (term_in_alt_screen(t) || !term_cursor(t).visible || term_mouse_mode(t) ||
        term_bracketed_paste(t) || term_app_cursor_keys(t))
        rig_fail(r, "alternate screen, cursor, mouse, paste or keypad mode was left on");
}
