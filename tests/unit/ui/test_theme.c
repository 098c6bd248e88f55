/* SPDX-License-Identifier: Apache-2.0 */
/* Themes: the built-in ones, files with mistakes, what wins, and the rules that all must keep. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <sys/stat.h>
#include <unistd.h>
#include "ui/theme.h"

static const char *const builtin_names[] = {"dark", "light", "mono"};

static void built_in_themes_keep_the_rules(void **state)
{
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        struct theme t;
        assert_true(theme_builtin(&t, builtin_names[i]));
        assert_string_equal(t.name, builtin_names[i]);
        for (int depth = 0; depth < THEME_DEPTH_COUNT; depth++) {
            for (int role = 0; role < THEME_ROLE_COUNT; role++) {
                const struct theme_look *look =
                    theme_look(&t, (enum theme_depth)depth, (enum theme_role)role);
                bool mono = depth == THEME_DEPTH_MONO || i == 2;
                assert_true(!mono || (look->fg == -1 && look->bg == -1));
                assert_true(depth != THEME_DEPTH_16 || (look->fg < 16 && look->bg < 16));
                /* Case U6: on a background that is not ours, no plain yellow and no white. */
                bool pale = look->fg == 3 || look->fg == 7 || look->fg == 11 || look->fg == 15 ||
                            look->fg == 231;
                assert_true(look->bg >= 0 || !pale);
            }
            assert_int_equal(t.looks[depth][THEME_DEFAULT].bg, -1);
            assert_int_equal(t.looks[depth][THEME_DEFAULT].fg, -1);
        }
        /* Light and dark modules of a QR code differ at every depth. */
        for (int depth = 0; depth < THEME_DEPTH_COUNT; depth++)
            assert_memory_not_equal(&t.looks[depth][THEME_QR_LIGHT], &t.looks[depth][THEME_QR_DARK],
                                    sizeof(struct theme_look));
    }
    struct theme t;
    assert_false(theme_builtin(&t, "none"));
}

static void role_names_come_back(void **state)
{
    (void)state;
    for (int role = 0; role < THEME_ROLE_COUNT; role++) {
        enum theme_role back;
        assert_true(theme_role_find(theme_role_name((enum theme_role)role), &back));
        assert_int_equal(back, role);
        for (int other = 0; other < role; other++)
            assert_int_not_equal(theme_role_letter((enum theme_role)role),
                                 theme_role_letter((enum theme_role)other));
    }
    enum theme_role unused;
    assert_false(theme_role_find("nothing", &unused));
}

static void looks_are_read(void **state)
{
    (void)state;
    static const char text[] = "[theme]\nname = mine\n[roles]\ndim = bright-black\n"
                               "key = black on cyan bold underline\nlink = default faint\n"
                               "[roles-256]\ndim = color250 on color17\n[roles-mono]\nlink = "
                               "default reverse\n";
    struct theme t;
    struct theme_fault fault;
    assert_int_equal(theme_parse(&t, text, strlen(text), &fault), ERR_OK);
    assert_string_equal(t.name, "mine");
    assert_int_equal(t.looks[THEME_DEPTH_16][THEME_DIM].fg, 8);
    assert_int_equal(t.looks[THEME_DEPTH_256][THEME_DIM].fg, 250);
    assert_int_equal(t.looks[THEME_DEPTH_256][THEME_DIM].bg, 17);
    assert_int_equal(t.looks[THEME_DEPTH_256][THEME_KEY].bg, 6);
    assert_int_equal(t.looks[THEME_DEPTH_16][THEME_KEY].attrs, THEME_BOLD | THEME_UNDERLINE);
    assert_int_equal(t.looks[THEME_DEPTH_MONO][THEME_KEY].attrs,
                     THEME_BOLD | THEME_UNDERLINE | THEME_REVERSE);
    assert_int_equal(t.looks[THEME_DEPTH_MONO][THEME_LINK].attrs, THEME_REVERSE);
}

static void a_base_is_built_on(void **state)
{
    (void)state;
    static const char text[] = "[theme]\nname = mine\nbase = dark\n[roles]\nkey = red\n";
    struct theme t;
    struct theme dark;
    struct theme_fault fault;
    assert_true(theme_builtin(&dark, "dark"));
    assert_int_equal(theme_parse(&t, text, strlen(text), &fault), ERR_OK);
    assert_int_equal(t.looks[THEME_DEPTH_256][THEME_KEY].fg, 1);
    assert_memory_equal(&t.looks[THEME_DEPTH_256][THEME_NEEDS_YOU],
                        &dark.looks[THEME_DEPTH_256][THEME_NEEDS_YOU], sizeof(struct theme_look));
}

static void mistakes_have_a_line_and_a_reason(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int line;
        const char *reason;
    } bad[] = {
        {"[theme]\nname = x\n[roles]\ndim = purplish\n", 4, "not a colour: purplish"},
        {"[theme]\nname = x\n[roles]\ndim = red on\n", 4, "a colour is missing: red on"},
        {"[theme]\nname = x\n[roles]\ndim = red blink\n", 4, "not an attribute: blink"},
        {"[theme]\nname = x\n[roles]\ndmi = red\n", 4, "unknown role: dmi"},
        {"[theme]\nname = x\n[roles]\ndim = color256\n", 4, "not a colour: color256"},
        {"[theme]\nname = x\n[roles]\ndim = color200\n", 4, "more than 16 colours"},
        {"[theme]\nname = x\n[roles]\ndefault = red on blue\n", 4, "the default role keeps"},
        {"[theme]\nname = x\n[roles-mono]\ndim = red\n", 4, "no colours here"},
        {"[theme]\nname = x\n\n[rolls]\ndim = red\n", 5, "unknown section: rolls"},
        {"[theme]\nnam = x\n", 2, "unknown key: nam"},
        {"[theme]\nname = x\nbase = blue\n", 3, "not a built-in theme: blue"},
        {"[theme]\nname = x\n[roles]\ndim = red\n[theme]\nbase = dark\n", 6, "base comes once"},
        {"[theme]\nname = x\nwhat is this\n", 3, "not \"key = value\""},
        {"[roles]\ndim = red\n", 0, "[theme] name is missing"},
        {"", 0, "[theme] name is missing"},
    };
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        struct theme t = {.name = "kept"};
        struct theme_fault fault;
        assert_int_equal(theme_parse(&t, bad[i].text, strlen(bad[i].text), &fault), ERR_CONFIG);
        assert_int_equal(fault.line, bad[i].line);
        if (!strstr(fault.reason, bad[i].reason))
            fail_msg("\"%s\" instead of \"%s\"", fault.reason, bad[i].reason);
        assert_string_equal(t.name, "kept");
    }
}

static void put_file(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static void files_are_found_by_name_and_path(void **state)
{
    (void)state;
    char dir[] = "/tmp/theme-test-XXXXXX";
    char path[128];
    struct theme t;
    struct theme_fault fault;
    assert_non_null(mkdtemp(dir));
    struct theme_dirs dirs = {.user = dir, .shared = "/nonexistent"};
    snprintf(path, sizeof(path), "%s/mine.theme", dir);
    put_file(path, "[theme]\nname = mine\n[roles]\nkey = red\n");
    assert_int_equal(theme_load(&t, "mine", &dirs, &fault), ERR_OK);
    assert_string_equal(t.name, "mine");
    assert_int_equal(theme_load(&t, path, NULL, &fault), ERR_OK);
    assert_int_equal(theme_load(&t, "light", &dirs, &fault), ERR_OK);
    assert_string_equal(t.name, "light");
    put_file(path, "[theme]\nname = mine\n[roles]\nkey = rod\n");
    assert_int_equal(theme_load(&t, "mine", &dirs, &fault), ERR_CONFIG);
    assert_int_equal(fault.line, 4);
    assert_string_equal(t.name, "dark");
    assert_int_equal(theme_load(&t, "other", &dirs, &fault), ERR_CONFIG);
    assert_string_equal(fault.reason, "no theme of this name: other");
    assert_int_equal(theme_load(&t, "/nonexistent/x.theme", &dirs, &fault), ERR_CONFIG);
    assert_non_null(strstr(fault.reason, "/nonexistent/x.theme"));
    unlink(path);
    rmdir(dir);
}

/* The example of the handbook is a theme, and its table names every role. */
static void the_documentation_is_true(void **state)
{
    (void)state;
    char text[16384];
    struct theme t;
    struct theme_fault fault;
    FILE *f = fopen("docs/themes.md", "r");
    assert_non_null(f);
    size_t len = fread(text, 1, sizeof(text) - 1, f);
    fclose(f);
    assert_in_range(len, 1000, sizeof(text) - 2);
    text[len] = '\0';
    char *start = strstr(text, "```ini\n");
    assert_non_null(start);
    start += strlen("```ini\n");
    char *end = strstr(start, "```");
    assert_non_null(end);
    assert_int_equal(theme_parse(&t, start, (size_t)(end - start), &fault), ERR_OK);
    assert_string_equal(t.name, "dusk");
    for (int role = 0; role < THEME_ROLE_COUNT; role++) {
        char quoted[64];
        snprintf(quoted, sizeof(quoted), "`%s`", theme_role_name((enum theme_role)role));
        if (!strstr(end, quoted))
            fail_msg("docs/themes.md does not tell of the role %s", quoted);
    }
}

/* Case U6. */
static void flags_win_over_environment_over_settings(void **state)
{
    (void)state;
    struct theme_wish w = {.flag_theme = NULL};
    assert_string_equal(theme_choose(&w), "dark");
    w.env_colorfgbg = "0;15";
    assert_string_equal(theme_choose(&w), "light");
    w.env_colorfgbg = "15;0";
    assert_string_equal(theme_choose(&w), "dark");
    w.config_theme = "light";
    assert_string_equal(theme_choose(&w), "light");
    w.env_no_color = "";
    assert_string_equal(theme_choose(&w), "light");
    w.env_no_color = "1";
    assert_string_equal(theme_choose(&w), "mono");
    w.flag_theme = "dark";
    assert_string_equal(theme_choose(&w), "dark");
    w.flag_no_color = true;
    assert_string_equal(theme_choose(&w), "mono");
    assert_int_equal(theme_depth("mono", 256), THEME_DEPTH_MONO);
    assert_int_equal(theme_depth("dark", 256), THEME_DEPTH_256);
    assert_int_equal(theme_depth("dark", 16), THEME_DEPTH_16);
    assert_int_equal(theme_depth("dark", 8), THEME_DEPTH_16);
    assert_int_equal(theme_depth("dark", 0), THEME_DEPTH_MONO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(built_in_themes_keep_the_rules),
        cmocka_unit_test(role_names_come_back),
        cmocka_unit_test(looks_are_read),
        cmocka_unit_test(a_base_is_built_on),
        cmocka_unit_test(mistakes_have_a_line_and_a_reason),
        cmocka_unit_test(files_are_found_by_name_and_path),
        cmocka_unit_test(the_documentation_is_true),
        cmocka_unit_test(flags_win_over_environment_over_settings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
