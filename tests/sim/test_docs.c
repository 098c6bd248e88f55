/* SPDX-License-Identifier: Apache-2.0 */
/* docs/simulator.md says that its commands are run as tests; this is where. Every sh block runs, in
 * order and in one shell, in an empty directory; the text block below it is what it must print. */
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#define DOCUMENT   "docs/simulator.md"
#define BLOCKS_MAX 64
#define BLOCKS_MIN 10

struct block {
    char *commands;
    char *expected; /* NULL when nothing is shown */
};

static char *read_file(const char *path)
{
    char *text = NULL;
    size_t size = 0;
    FILE *f = fopen(path, "r");
    if (!f)
        return NULL;
    if (getdelim(&text, &size, '\0', f) < 0)
        text = strdup("");
    fclose(f);
    return text;
}

/* The text between a fence line and the next one; *at moves behind it. */
static char *take_fenced(const char **at)
{
    const char *start = strchr(*at, '\n') + 1;
    const char *end = strstr(start, "\n```");
    assert_non_null(end);
    *at = end + 4;
    return strndup(start, (size_t)(end + 1 - start));
}

static size_t read_blocks(const char *text, struct block *blocks)
{
    size_t count = 0;
    for (const char *at = strstr(text, "\n```"); at; at = strstr(at, "\n```")) {
        at++;
        if (strncmp(at, "```sh\n", 6) == 0) {
            assert_true(count < BLOCKS_MAX);
            blocks[count++].commands = take_fenced(&at);
        } else if (strncmp(at, "```text\n", 8) == 0) {
            assert_true(count > 0 && !blocks[count - 1].expected);
            blocks[count - 1].expected = take_fenced(&at);
        } else {
            fail_msg("a block of %s is neither sh nor text: %.20s", DOCUMENT, at);
        }
    }
    return count;
}

static void write_script(const char *path, const struct block *blocks, size_t count)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    /* The trap ends the simulator also when a block fails half-way. */
    fputs("set -u\ntrap 'kill \"$(jq -r .pid <<<\"${READY:-}\")\" 2>/dev/null' EXIT\n", f);
    for (size_t i = 0; i < count; i++)
        fprintf(f, "{\n%s} > block.%zu\n", blocks[i].commands, i);
    fclose(f);
}

static int run_script(const char *directory, const char *build)
{
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        char path[2 * PATH_MAX];
        snprintf(path, sizeof path, "%s:%s", build, getenv("PATH"));
        setenv("PATH", path, 1);
        if (chdir(directory) == 0)
            execlp("bash", "bash", "script", (char *)NULL);
        _exit(127);
    }
    int how = 0;
    assert_int_equal(waitpid(pid, &how, 0), pid);
    return WIFEXITED(how) ? WEXITSTATUS(how) : 128;
}

static void remove_directory(const char *directory)
{
    pid_t pid = fork();
    if (pid == 0) {
        execlp("rm", "rm", "-rf", directory, (char *)NULL);
        _exit(127);
    }
    waitpid(pid, NULL, 0);
}

static void the_document_does_what_it_shows(void **state)
{
    (void)state;
    struct block blocks[BLOCKS_MAX] = {{NULL, NULL}};
    char directory[] = "/tmp/envoy-docs-XXXXXX";
    char build[PATH_MAX];
    char path[PATH_MAX];
    char *text = read_file(DOCUMENT);
    assert_non_null(text);
    assert_non_null(realpath(getenv("ENVOY_BUILD") ? getenv("ENVOY_BUILD") : "build", build));
    assert_non_null(mkdtemp(directory));
    size_t count = read_blocks(text, blocks);
    assert_true(count >= BLOCKS_MIN);
    snprintf(path, sizeof path, "%s/script", directory);
    write_script(path, blocks, count);
    int code = run_script(directory, build);
    for (size_t i = 0; i < count; i++) {
        snprintf(path, sizeof path, "%s/block.%zu", directory, i);
        char *printed = read_file(path);
        const char *expected = blocks[i].expected ? blocks[i].expected : "";
        if (!printed || strcmp(printed, expected) != 0)
            fail_msg("block %zu printed\n%s\nnot\n%s\nfrom\n%s", i + 1,
                     printed ? printed : "nothing", expected, blocks[i].commands);
        free(printed);
        free(blocks[i].commands);
        free(blocks[i].expected);
    }
    assert_int_equal(code, 0);
    free(text);
    remove_directory(directory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_document_does_what_it_shows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
