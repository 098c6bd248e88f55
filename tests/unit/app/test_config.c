/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments and settings: what is understood, what is refused in which words, who wins. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include "app/config.h"

#define ARGS_MAX 12

/* Parses one line of words; parts of it stay alive as long as the test. */
static enum err parse(struct config *c, char *line, char why[300])
{
    char *argv[ARGS_MAX] = {(char *)(uintptr_t) "envoy-console"};
    char *rest = NULL;
    int argc = 1;
    why[0] = '\0';
    for (char *word = strtok_r(line, " ", &rest); word && argc < ARGS_MAX;
         word = strtok_r(NULL, " ", &rest))
        argv[argc++] = word;
    return config_parse(c, argc, argv, why, 300);
}

#define PARSE(c, text, why) parse(c, (char[]){text}, why)

static void nothing_given_is_the_console_on_the_service(void **state)
{
    struct config c;
    char why[300];
    (void)state;
    assert_int_equal(PARSE(&c, "", why), ERR_OK);
    assert_int_equal(c.command, CONFIG_CONSOLE);
    assert_string_equal(c.api, "https://api.envoy.money");
    assert_string_equal(c.token_file, "");
    assert_false(c.read_only || c.plain || c.no_color || c.json || c.auto_play);
}

static void demo_takes_a_scenario_and_its_options(void **state)
{
    struct config c;
    char why[300];
    (void)state;
    assert_int_equal(PARSE(&c, "demo", why), ERR_OK);
    assert_string_equal(c.scenario, "day");
    assert_int_equal(PARSE(&c, "demo otp --auto --clock x60 --seed=7 --read-only", why), ERR_OK);
    assert_int_equal(c.command, CONFIG_DEMO);
    assert_string_equal(c.scenario, "otp");
    assert_true(c.auto_play && c.read_only);
    assert_string_equal(c.clock, "x60");
    assert_string_equal(c.seed, "7");
    /* options may stand in front of the command */
    assert_int_equal(PARSE(&c, "--clock manual demo -- --odd-name", why), ERR_OK);
    assert_string_equal(c.scenario, "--odd-name");
}

static void journal_takes_one_purchase_and_its_own_switches(void **state)
{
    struct config c;
    char why[300];
    (void)state;
    assert_int_equal(PARSE(&c, "journal", why), ERR_OK);
    assert_int_equal(c.command, CONFIG_JOURNAL);
    assert_false(c.all || c.unresolved || c.json);
    assert_int_equal(
        PARSE(&c, "journal --json --all pur_0123456789abcdef0123456789abcdef", why), ERR_OK);
    assert_true(c.json && c.all);
    assert_string_equal(c.purchase, "pur_0123456789abcdef0123456789abcdef");
    assert_int_equal(PARSE(&c, "journal --unresolved", why), ERR_OK);
    assert_true(c.unresolved);
    assert_int_equal(PARSE(&c, "journal --unresolved --all", why), ERR_USER);
    assert_non_null(strstr(why, "one of them"));
    assert_int_equal(PARSE(&c, "journal pur_012", why), ERR_USER);
    assert_int_equal(PARSE(&c, "journal --api http://127.0.0.1:1", why), ERR_USER);
    assert_int_equal(PARSE(&c, "watch --all", why), ERR_USER);
}

static void watch_takes_one_purchase(void **state)
{
    struct config c;
    char why[300];
    (void)state;
    assert_int_equal(PARSE(&c, "watch --json", why), ERR_OK);
    assert_true(c.json);
    assert_string_equal(c.purchase, "");
    assert_int_equal(PARSE(&c, "watch pur_0123456789abcdef0123456789abcdef", why), ERR_OK);
    assert_string_equal(c.purchase, "pur_0123456789abcdef0123456789abcdef");
    assert_int_equal(PARSE(&c, "watch pur_012", why), ERR_USER);
    assert_non_null(strstr(why, "pur_012 is not a purchase id"));
}

static void call_takes_a_tool_and_its_input(void **state)
{
    struct config c;
    char why[300];
    char dash[] = "call get_account -";
    char text[] = "call list_purchases {\"limit\":3}";
    (void)state;
    assert_int_equal(parse(&c, dash, why), ERR_OK);
    assert_int_equal(c.tool, CONTRACT_TOOL_GET_ACCOUNT);
    assert_null(c.input);
    assert_int_equal(parse(&c, text, why), ERR_OK);
    assert_int_equal(c.tool, CONTRACT_TOOL_LIST_PURCHASES);
    assert_string_equal(c.input, "{\"limit\":3}");
    assert_int_equal(PARSE(&c, "call", why), ERR_USER);
    assert_int_equal(PARSE(&c, "call give_back_gift_card", why), ERR_USER);
}

static void every_clock_and_seed_is_judged(void **state)
{
    static const struct {
        const char *text;
        enum err want;
    } cases[] = {
        {"demo --clock real", ERR_OK},  {"demo --clock manual", ERR_OK},
        {"demo --clock x1", ERR_OK},    {"demo --clock x1000", ERR_OK},
        {"demo --clock x0", ERR_USER},  {"demo --clock x1001", ERR_USER},
        {"demo --clock x-4", ERR_USER}, {"demo --clock x", ERR_USER},
        {"demo --clock 4", ERR_USER},   {"demo --clock=", ERR_USER},
        {"demo --clock x4x", ERR_USER}, {"demo --seed 0", ERR_OK},
        {"demo --seed -1", ERR_USER},   {"demo --seed 9007199254740992", ERR_OK},
        {"demo --seed 1e3", ERR_USER},  {"demo --seed 9007199254740993", ERR_USER},
        {"demo --seed", ERR_USER},      {"demo --seed 99999999999999999999", ERR_USER},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct config c;
        char why[300], line[64];
        snprintf(line, sizeof(line), "%s", cases[i].text);
        if (parse(&c, line, why) != cases[i].want)
            fail_msg("%s: %s", cases[i].text, why);
    }
}

static void what_does_not_belong_is_refused_with_a_remedy(void **state)
{
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"--frob", "There is no option --frob; --help lists them."},
        {"-x", "There is no option -x"},
        {"frob", "There is no command frob"},
        {"demo day more", "One argument is too much"},
        {"watch --auto", "--auto has no meaning for watch"},
        {"demo --token-file t", "--token-file has no meaning for demo"},
        {"demo --api https://x.test", "--api has no meaning for demo"},
        {"call get_account --json", "--json has no meaning for call"},
        {"--read-only=yes", "--read-only takes no value"},
        {"--theme", "--theme needs a value"},
        {"--token-file a --token-command b", "give one of them, not both"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct config c;
        char why[300], line[80];
        snprintf(line, sizeof(line), "%s", cases[i].text);
        assert_int_equal(parse(&c, line, why), ERR_USER);
        if (!strstr(why, cases[i].words))
            fail_msg("%s: %s", cases[i].text, why);
        assert_int_equal(why[strlen(why) - 1] == '.' || strchr(why, ':') != NULL, 1);
    }
}

/* Case S6: a secret given by mistake is not repeated where logs and screens could keep it. */
static void S6_no_option_takes_a_token(void **state)
{
    struct config c;
    char why[300];
    (void)state;
    assert_int_equal(PARSE(&c, "--token=CANARY-7c1", why), ERR_USER);
    assert_null(strstr(why, "CANARY"));
    assert_non_null(strstr(why, "--token-file"));
    assert_int_equal(PARSE(&c, "watch --bearer=CANARY-7c1", why), ERR_USER);
    assert_null(strstr(why, "CANARY"));
    struct buf help;
    buf_init(&help, 65536);
    assert_int_equal(config_help(&help), ERR_OK);
    assert_null(strstr(buf_view(&help), "--token "));
    buf_fini(&help);
}

static void control_bytes_in_arguments_are_made_visible(void **state)
{
    struct config c;
    char why[300];
    char line[] = "\033]0;x\007";
    (void)state;
    assert_int_equal(parse(&c, line, why), ERR_USER);
    assert_null(strchr(why, '\033'));
    assert_null(strchr(why, '\007'));
}

static void help_and_version_win(void **state)
{
    struct config c;
    char why[300];
    (void)state;
    assert_int_equal(PARSE(&c, "demo --help --frob", why), ERR_OK);
    assert_true(c.help);
    assert_int_equal(PARSE(&c, "--version", why), ERR_OK);
    assert_true(c.version);
}

static enum err merge(struct config *c, const char *text, char why[300])
{
    why[0] = '\0';
    return config_merge(c, text, strlen(text), why, 300);
}

static void settings_fill_what_arguments_left_open(void **state)
{
    struct config c;
    char why[300];
    (void)state;
    assert_int_equal(PARSE(&c, "--theme light", why), ERR_OK);
    assert_true(c.theme_from_argument);
    assert_int_equal(merge(&c,
                           "# mine\napi = https://api.example.test\ntheme = dark\n"
                           "token-command = \"pass show envoy\"\nread-only = yes\nplain = off\n",
                           why),
                     ERR_OK);
    assert_string_equal(c.api, "https://api.example.test");
    assert_string_equal(c.theme, "light");
    assert_string_equal(c.token_command, "pass show envoy");
    assert_true(c.read_only);
    assert_false(c.plain);
}

static void a_way_to_the_token_in_arguments_replaces_the_other_one(void **state)
{
    struct config c;
    char why[300];
    (void)state;
    assert_int_equal(PARSE(&c, "--token-file t", why), ERR_OK);
    assert_int_equal(merge(&c, "token-command = pass\n", why), ERR_OK);
    assert_string_equal(c.token_file, "t");
    assert_string_equal(c.token_command, "");
    assert_int_equal(PARSE(&c, "", why), ERR_OK);
    assert_int_equal(merge(&c, "token-command = pass\ntoken-file = t\n", why), ERR_CONFIG);
}

static void bad_settings_name_their_line(void **state)
{
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"theme = dark\nfrob = 1\n", "line 2: frob is no setting"},
        {"theme dark\n", "line 1"},
        {"read-only = perhaps\n", "line 1: read-only is yes or no"},
        {"[colours]\ntheme = dark\n", "line 2: colours is a section"},
        {"clock = x4\n", "clock is no setting"},
        {"token = CANARY-7c1\n", "token is no setting"},
        {"api =\n", "api needs a value"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct config c;
        char why[300];
        assert_int_equal(PARSE(&c, "", why), ERR_OK);
        assert_int_equal(merge(&c, cases[i].text, why), ERR_CONFIG);
        if (!strstr(why, cases[i].words) || strstr(why, "CANARY"))
            fail_msg("%s: %s", cases[i].text, why);
    }
}

static void the_settings_file_has_its_place(void **state)
{
    struct config c;
    char why[300], path[64];
    (void)state;
    assert_int_equal(PARSE(&c, "", why), ERR_OK);
    assert_true(config_settings_path(&c, "/c", "/h", path, sizeof(path)));
    assert_string_equal(path, "/c/envoy-console/config.ini");
    assert_true(config_settings_path(&c, "relative", "/h", path, sizeof(path)));
    assert_string_equal(path, "/h/.config/envoy-console/config.ini");
    assert_false(config_settings_path(&c, NULL, NULL, path, sizeof(path)));
    assert_false(config_settings_path(&c, "/c", "/h", path, 10));
    assert_int_equal(PARSE(&c, "--config mine.ini", why), ERR_OK);
    assert_true(config_settings_path(&c, "/c", "/h", path, sizeof(path)));
    assert_string_equal(path, "mine.ini");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_given_is_the_console_on_the_service),
        cmocka_unit_test(demo_takes_a_scenario_and_its_options),
        cmocka_unit_test(journal_takes_one_purchase_and_its_own_switches),
        cmocka_unit_test(watch_takes_one_purchase),
        cmocka_unit_test(call_takes_a_tool_and_its_input),
        cmocka_unit_test(every_clock_and_seed_is_judged),
        cmocka_unit_test(what_does_not_belong_is_refused_with_a_remedy),
        cmocka_unit_test(S6_no_option_takes_a_token),
        cmocka_unit_test(control_bytes_in_arguments_are_made_visible),
        cmocka_unit_test(help_and_version_win),
        cmocka_unit_test(settings_fill_what_arguments_left_open),
        cmocka_unit_test(a_way_to_the_token_in_arguments_replaces_the_other_one),
        cmocka_unit_test(bad_settings_name_their_line),
        cmocka_unit_test(the_settings_file_has_its_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
