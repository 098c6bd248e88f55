/* SPDX-License-Identifier: Apache-2.0 */
/* The pictures say what the cells say: text, colours, weight, lines and wide characters of a known
 * screen are found in its SVG, and a script that fails draws nothing and fails. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>
#include "support/lineproc.h"
#include "support/pty.h"

struct drawing {
    char dir[64];
    char *svg; /* NULL when none was written */
    int status;
};

static void draw(struct drawing *d, const char *steps)
{
    const char *build = getenv("ENVOY_BUILD");
    char tool[512], script[128], picture[128], env_build[512];
    snprintf(d->dir, sizeof(d->dir), "/tmp/svg-test-XXXXXX");
    assert_non_null(mkdtemp(d->dir));
    snprintf(tool, sizeof(tool), "%s/tests/screen-svg", build ? build : "build");
    snprintf(env_build, sizeof(env_build), "ENVOY_BUILD=%s", build ? build : "build");
    snprintf(script, sizeof(script), "%s/a.script", d->dir);
    snprintf(picture, sizeof(picture), "%s/shot.svg", d->dir);
    FILE *f = fopen(script, "w");
    assert_non_null(f);
    fputs(steps, f);
    fclose(f);
    char *argv[] = {tool, (char *)"-o", d->dir, script, NULL};
    char *env[] = {env_build, (char *)"PATH=/usr/bin:/bin", NULL};
    struct lineproc *p = lineproc_start(argv, env, NULL);
    assert_true(lineproc_wait_exit(p, &d->status, 3 * PTY_WAIT_MS));
    lineproc_stop(p);
    unlink(script);
    d->svg = NULL;
    f = fopen(picture, "r");
    if (f) {
        d->svg = calloc(1, 1 << 20);
        assert_non_null(d->svg);
        assert_true(fread(d->svg, 1, (1 << 20) - 1, f) > 0);
        fclose(f);
        unlink(picture);
    }
    rmdir(d->dir);
}

static void test_a_known_screen(void **state)
{
    static const char *const wanted[] = {
        "<svg ",
        "fill=\"#e5736f\" font-weight=\"700\">Title in red</text>",
        "fill-opacity=\"0.6\">dim words</text>",
        "<rect x=\"14.0\" y=\"50.0\" width=\"25.2\" height=\"18.0\" fill=\"#d7dae0\"/>", /* the bar
                                                                                          */
        "fill=\"#16181d\">bar</text>",
        "textLength=\"16.8\" lengthAdjust=\"spacingAndGlyphs\" "
        "fill=\"#d7dae0\">\xe4\xb8\x96</text>",
        ">2,499.00</text>",
        "<path d=\"M198.8 77.0H207.2M203.0 77.0V86.0\"", /* a tee: left, right and down */
        ">typed [&lt;&amp;]</text>",
        "</svg>",
    };
    struct drawing d;
    (void)state;
    draw(&d, "size 60 12\nrun @BUILD/tests/pty/probe\nwait Title\ntype <&\nwait \"[<&]\"\nsnapshot "
             "shot\n");
    assert_int_equal(d.status, 0);
    assert_non_null(d.svg);
    for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++)
        if (!strstr(d.svg, wanted[i]))
            fail_msg("%s is not in:\n%s", wanted[i], d.svg);
    free(d.svg);
}

static void test_a_failed_script_draws_nothing(void **state)
{
    struct drawing d;
    (void)state;
    draw(&d, "run @BUILD/tests/pty/probe\nwait nothing 1\nsnapshot shot\n");
    assert_int_equal(d.status, 1);
    assert_null(d.svg);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_known_screen),
        cmocka_unit_test(test_a_failed_script_draws_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
