/* SPDX-License-Identifier: Apache-2.0 */
/* The lint itself: a small tree that is clean stays clean, and one breach of each rule, put into a
 * copy of that tree, is found and named. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#define SPDX "/* SPDX-License-Identifier: Apache-2.0 */\n"

struct lint_case {
    const char *name;
    const char *path; /* below the tree */
    const char *text;
    const char *finds; /* what lint must say; NULL = nothing */
};

struct lint_tree {
    char dir[64];
    char *out; /* lint's words */
    int status;
};

static void lint_run(char *const argv[], const char *out_path, int *status)
{
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        int fd = open(out_path, O_CREAT | O_TRUNC | O_WRONLY, 0600);
        if (fd < 0 || dup2(fd, 1) < 0 || dup2(fd, 2) < 0)
            _exit(126);
        execvp(argv[0], argv);
        _exit(127);
    }
    assert_int_equal(waitpid(pid, status, 0), pid);
    *status = WIFEXITED(*status) ? WEXITSTATUS(*status) : -1;
}

static void lint_write(const char *dir, const char *path, const char *text)
{
    char full[512];
    snprintf(full, sizeof(full), "%s/%s", dir, path);
    for (char *slash = strchr(full + strlen(dir) + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(full, 0700);
        *slash = '/';
    }
    FILE *f = fopen(full, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static void lint_tree_make(struct lint_tree *t)
{
    memset(t, 0, sizeof(*t));
    snprintf(t->dir, sizeof(t->dir), "/tmp/lint-test-XXXXXX");
    assert_non_null(mkdtemp(t->dir));
    lint_write(t->dir, "include/core/good.h",
               SPDX "#ifndef CORE_GOOD_H\n#define CORE_GOOD_H\nint good_count(void);\n#endif\n");
    lint_write(t->dir, "src/core/good.c",
               SPDX "#include \"core/good.h\"\n/* strcpy(a, b) in words is no call */\n"
                    "static const char *const good_words[] = {\"system(1)\", \"b\"};\n"
                    "int good_count(void)\n{\n    return (int)sizeof(good_words);\n}\n");
    lint_write(t->dir, "tests/unit/core/test_good.c", SPDX "int main(void)\n{\n    return 0;\n}\n");
    lint_write(t->dir, "Makefile",
               "# SPDX-License-Identifier: Apache-2.0\n"
               "list-tests:\n\t@echo tests/unit/core/test_good.c\n");
}

static void lint_tree_check(struct lint_tree *t, const char *build)
{
    char out[128];
    char *argv[] = {(char *)"tests/lint/lint.sh", t->dir, (char *)build, NULL};
    snprintf(out, sizeof(out), "%s.out", t->dir);
    lint_run(argv, out, &t->status);
    FILE *f = fopen(out, "r");
    assert_non_null(f);
    t->out = calloc(1, 65536);
    assert_non_null(t->out);
    size_t n = fread(t->out, 1, 65535, f);
    t->out[n] = '\0';
    fclose(f);
    unlink(out);
}

static void lint_tree_drop(struct lint_tree *t)
{
    int status;
    char *argv[] = {(char *)"rm", (char *)"-rf", t->dir, NULL};
    lint_run(argv, "/dev/null", &status);
    free(t->out);
}

static void lint_expect(const char *name, const char *path, const char *text, const char *finds)
{
    struct lint_tree t;
    lint_tree_make(&t);
    if (path)
        lint_write(t.dir, path, text);
    lint_tree_check(&t, NULL);
    if (finds ? t.status != 1 || !strstr(t.out, finds) : t.status != 0)
        fail_msg("%s: exit %d, said: %s", name, t.status, t.out);
    lint_tree_drop(&t);
}

static const struct lint_case lint_cases[] = {
    {"clean", NULL, NULL, NULL},
    {"lower layer includes upper", "src/core/x.c",
     SPDX "#include \"app/model.h\"\nint x_a(void);\n", "src/core/x.c: core must not include app/"},
    {"simulator sees contract", "src/sim/x.c", SPDX "# include \"contract/reply.h\"\n",
     "src/sim/x.c: sim must not include contract/"},
    {"screen touches secret", "src/ui/pane_x.c", SPDX "#include \"secret/secret.h\"\n",
     "ui must not include secret/"},
    {"the one widget may", "src/ui/widget_secret.c", SPDX "#include \"secret/secret.h\"\n", NULL},
    {"new layer without a row", "src/extra/x.c", SPDX "int x_a(void);\n", "has no row"},
    {"past the layers", "src/core/x.c",
     SPDX "#include \"../app/model.h\"\nint x_a(void);\n", "includes by a relative path"},
    {"curses outside term", "src/ui/x.c", SPDX "#include <curses.h>\n", "may not include <curses"},
    {"curses in term", "src/term/x.c", SPDX "#include <curses.h>\n", NULL},
    {"curl beside http", "src/net/x.c", SPDX "#include <curl/curl.h>\n", "may not include <curl/"},
    {"curl in http", "src/net/http.c", SPDX "#include <curl/curl.h>\n", NULL},
    {"sqlite outside store", "src/app/x.c", SPDX "#include <sqlite3.h>\n",
     "may not include <sqlite3"},
    {"sodium outside secret", "src/net/x.c", SPDX "#include <sodium.h>\n",
     "may not include <sodium"},
    {"jansson in a public header", "include/contract/x.h",
     SPDX "#include <jansson.h>\nint x_a(void);\n", "may not include <jansson"},
    {"cjson in the client", "src/contract/x.c", SPDX "#include <cjson/cJSON.h>\n",
     "may not include <cjson"},
    {"microhttpd in the client", "src/net/x.c", SPDX "#include <microhttpd.h>\n",
     "may not include <microhttpd"},
    {"no licence line", "src/core/x.c", "int x_a(void);\n", "src/core/x.c: no line 'SPDX"},
    {"no licence line in a script", "tests/script/pictures/x.script", "size 80 24\n",
     "no line 'SPDX"},
    {"banned call", "src/core/x.c", SPDX "void x_a(char *a)\n{\n    strcpy(a, \"b\");\n}\n",
     "src/core/x.c: a banned function: strcpy(a"},
    {"banned call after a tab", "src/core/x.c", SPDX "void x_a(char *a)\n{\n\tsystem (a);\n}\n",
     "a banned function"},
    {"sleep in a test", "tests/support/x.c", SPDX "void x_a(void)\n{\n    usleep(5);\n}\n",
     "never for time"},
    {"float money", "src/contract/x.c", SPDX "double x_a(void);\n", "money is never a float"},
    {"curses key code in a screen", "src/ui/screen_x.c", SPDX "int x_a = KEY_UP;\n",
     "a curses key code outside term/"},
    {"escape byte in a screen", "src/ui/screen_x.c",
     SPDX "const char *x_a(void)\n{\n    return \"\\033[1m\";\n}\n",
     "an escape byte outside term/"},
    {"a file named util", "src/core/util.c", SPDX "int x_a(void);\n", "says nothing"},
    {"umbrella header", "include/core/all.h",
     SPDX "#ifndef CORE_ALL_H\n#define CORE_ALL_H\n#include \"core/good.h\"\n#endif\n",
     "an umbrella header"},
    {"test left out", "tests/unit/core/test_other.c", SPDX "int main(void)\n{\n    return 0;\n}\n",
     "tests/unit/core/test_other.c: is not in the run"},
    {"script left out", "tests/script/x.script", "# SPDX-License-Identifier: Apache-2.0\n",
     "tests/script/x.script: is not in the run"},
};

static void test_each_breach_is_found(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(lint_cases) / sizeof(lint_cases[0]); i++) {
        const struct lint_case *c = &lint_cases[i];
        lint_expect(c->name, c->path, c->text, c->finds);
    }
}

/* Writes a file whose only function has that many lines, after that many lines before it. */
static void lint_write_long(const char *dir, size_t before, size_t lines)
{
    static const char path[] = "src/core/x.c";
    size_t size = (before + lines) * 8 + 256;
    char *text = malloc(size);
    assert_non_null(text);
    int at = snprintf(text, size, SPDX);
    for (size_t i = 0; i < before; i++)
        at += snprintf(text + at, size - (size_t)at, "\n");
    at += snprintf(text + at, size - (size_t)at, "int x_a(int n)\n{\n");
    for (size_t i = 0; i + 4 < lines; i++)
        at += snprintf(text + at, size - (size_t)at, "n++;\n");
    snprintf(text + at, size - (size_t)at, "return n;\n}\n");
    lint_write(dir, path, text);
    free(text);
}

static void test_sizes_have_a_limit(void **state)
{
    static const struct {
        size_t before;
        size_t lines;
        const char *finds;
    } rows[] = {
        {0, 100, NULL},
        {0, 101, "src/core/x.c: x_a() has 101 lines, more than 100"},
        {889, 10, NULL},
        {890, 10, "src/core/x.c: 901 lines, more than 900"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct lint_tree t;
        lint_tree_make(&t);
        lint_write_long(t.dir, rows[i].before, rows[i].lines);
        lint_tree_check(&t, NULL);
        if (rows[i].finds ? !strstr(t.out, rows[i].finds) : t.status != 0)
            fail_msg("row %zu: exit %d, said: %s", i, t.status, t.out);
        lint_tree_drop(&t);
    }
}

/* Compiles one source of the tree as the build would, so that lint can look at its object. */
static void lint_compile(const char *dir, const char *build, const char *name)
{
    char source[256], object[256], parent[256];
    int status;
    snprintf(source, sizeof(source), "%s/src/%s.c", dir, name);
    snprintf(object, sizeof(object), "%s/obj/%s.o", build, name);
    snprintf(parent, sizeof(parent), "%s/obj/core", build);
    char *make_dir[] = {(char *)"mkdir", (char *)"-p", parent, NULL};
    lint_run(make_dir, "/dev/null", &status);
    assert_int_equal(status, 0);
    char *compile[] = {(char *)"cc", (char *)"-fPIE", (char *)"-c",      (char *)"-o", object,
                       source,       (char *)"-I",    (char *)"include", NULL};
    lint_run(compile, "/dev/null", &status);
    assert_int_equal(status, 0);
}

static void test_mutable_globals_are_found(void **state)
{
    static const struct {
        const char *text;
        const char *finds;
    } rows[] = {
        {SPDX "int x_count;\n", "src/core/x.c: x_count is a mutable global"},
        {SPDX "int x_count = 4;\n", "x_count is a mutable global"},
        {SPDX "static int x_count;\nint x_a(void)\n{\n    return x_count++;\n}\n",
         "x_count is a mutable static"},
        {SPDX "const char *const x_names[] = {\"a\", \"b\"};\n", NULL},
        {SPDX "const int x_table[3] = {1, 2, 3};\n", NULL},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct lint_tree t;
        char build[128];
        lint_tree_make(&t);
        snprintf(build, sizeof(build), "%s/build", t.dir);
        lint_write(t.dir, "src/core/x.c", rows[i].text);
        lint_compile(t.dir, build, "core/x");
        lint_tree_check(&t, build);
        if (rows[i].finds ? t.status != 1 || !strstr(t.out, rows[i].finds) : t.status != 0)
            fail_msg("row %zu: exit %d, said: %s", i, t.status, t.out);
        lint_tree_drop(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_breach_is_found),
        cmocka_unit_test(test_sizes_have_a_limit),
        cmocka_unit_test(test_mutable_globals_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
