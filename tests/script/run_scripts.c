/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the scripts named as arguments; each is one test named after its file. */
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <curl/curl.h>
#include "support/script.h"

static void run_one(void **state)
{
    const char *path = *state;
    const char *build = getenv("ENVOY_BUILD");
    struct script_options options = {.build = build ? build : "build"};
    char *why = NULL;

    if (!script_run(path, &options, &why)) {
        printf("%s\n", why ? why : "out of memory");
        free(why);
        fail();
    }
}

int main(int argc, char **argv)
{
    size_t count = (size_t)argc - 1;
    struct CMUnitTest *tests = calloc(count ? count : 1, sizeof(*tests));

    if (!tests || count == 0) {
        fprintf(stderr, "usage: run_scripts FILE.script...\n");
        free(tests);
        return 2;
    }
    setlocale(LC_CTYPE, "C.UTF-8"); /* so that a dot in an expression is one character */
    curl_global_init(CURL_GLOBAL_DEFAULT);
    for (size_t i = 0; i < count; i++) {
        const char *slash = strrchr(argv[i + 1], '/');
        tests[i].name = slash ? slash + 1 : argv[i + 1];
        tests[i].test_func = run_one;
        tests[i].initial_state = argv[i + 1];
    }
    int failed = _cmocka_run_group_tests("scripts", tests, count, NULL, NULL);
    free(tests);
    curl_global_cleanup();
    return failed;
}
