/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of the journal share: a directory of their own, writes to keep, a look at what is
 * kept, and bytes of whole files. Each test program includes it once. */
#ifndef STORE_RIG_H
#define STORE_RIG_H

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>
#include "core/alloc.h"
#include "core/clock.h"
#include "core/str.h"
#include "store/journal.h"

#define RIG_MAYBE __attribute__((unused)) static
#define OWNER     "127.0.0.1:8080/agent_a"
#define PURCHASE  "pur_0123456789abcdef0123456789abcdef"
#define ATTEMPT   "3f0b7c9e-52c1-4f3a-9d0e-1a2b3c4d5e6f"
#define START_KEY "ec-start-00000000000000000000000001"
#define INPUT     "{\"idempotency_key\":\"" START_KEY "\",\"total\":\"2499.00\"}"
#define NOON_MS   INT64_C(1796040000000)

struct rig {
    char dir[64];
    char path[128]; /* in a directory that is not there yet */
};

RIG_MAYBE void rig_remove(const char *dir)
{
    DIR *d = opendir(dir);
    struct dirent *e;
    while (d && (e = readdir(d))) {
        char name[512];
        struct stat st;
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
            continue;
        snprintf(name, sizeof name, "%s/%s", dir, e->d_name);
        if (lstat(name, &st) == 0 && S_ISDIR(st.st_mode))
            rig_remove(name);
        else
            unlink(name);
    }
    if (d)
        closedir(d);
    rmdir(dir);
}

RIG_MAYBE int rig_setup(void **state)
{
    struct rig *r = calloc(1, sizeof *r);
    const char *tmp = getenv("TMPDIR");
    if (!tmp || !*tmp)
        tmp =
            access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"; /* many syncs, none needed here */
    snprintf(r->dir, sizeof r->dir, "%.40s/journal-XXXXXX", tmp);
    if (!mkdtemp(r->dir))
        return -1;
    snprintf(r->path, sizeof r->path, "%s/state/envoy-console/journal.db", r->dir);
    *state = r;
    return 0;
}

RIG_MAYBE int rig_teardown(void **state)
{
    struct rig *r = *state;
    rig_remove(r->dir);
    free(r);
    return 0;
}

RIG_MAYBE struct journal *rig_open(const char *path)
{
    struct journal_options o = {.path = path, .make_dir = true};
    struct journal *j = NULL;
    assert_int_equal(journal_open(&o, &j), ERR_OK);
    assert_non_null(j);
    return j;
}

RIG_MAYBE struct journal *rig_open_well(const char *path)
{
    struct journal *j = rig_open(path);
    assert_string_equal(journal_status_view(j)->words, "");
    assert_int_equal(journal_status_view(j)->mode, JOURNAL_READ_WRITE);
    return j;
}

RIG_MAYBE struct journal_intent rig_start(void)
{
    return (struct journal_intent){.tool = CONTRACT_TOOL_START_PURCHASE,
                                   .account = OWNER,
                                   .key = START_KEY,
                                   .outcome = CONTRACT_ABSENT,
                                   .failure = CONTRACT_ABSENT,
                                   .step = CONTRACT_ABSENT,
                                   .at_ms = NOON_MS,
                                   .input = INPUT,
                                   .input_len = strlen(INPUT),
                                   .merchant = "https://shop.example.test/lamp",
                                   .amount_minor = 249900};
}

RIG_MAYBE struct journal_intent rig_answer(const char *key, const char *question)
{
    return (struct journal_intent){.tool = CONTRACT_TOOL_ANSWER_PURCHASE_QUESTION,
                                   .account = OWNER,
                                   .key = key,
                                   .purchase = PURCHASE,
                                   .question = question,
                                   .outcome = CONTRACT_ABSENT,
                                   .failure = CONTRACT_ABSENT,
                                   .step = CONTRACT_ABSENT,
                                   .at_ms = NOON_MS,
                                   .amount_minor = -1};
}

RIG_MAYBE struct journal_intent rig_report(void)
{
    return (struct journal_intent){.tool = CONTRACT_TOOL_REPORT_CHECKOUT_RESULT,
                                   .account = OWNER,
                                   .purchase = PURCHASE,
                                   .attempt = ATTEMPT,
                                   .outcome = CONTRACT_OUTCOME_FAILED,
                                   .failure = CONTRACT_FAILURE_OTHER,
                                   .step = CONTRACT_ABSENT,
                                   .at_ms = NOON_MS,
                                   .amount_minor = -1};
}

/* An answer's key that is as long as a key must be. */
RIG_MAYBE void rig_key(char out[40], int n)
{
    snprintf(out, 40, "ec-answer-%024d", n);
}

RIG_MAYBE int64_t rig_keep(struct journal *j, const struct journal_intent *i)
{
    char why[JOURNAL_WORDS_MAX] = "";
    int64_t id = 0;
    enum err e = journal_intent(j, i, &id, why);
    if (e != ERR_OK)
        print_error("not kept: %s\n", why);
    assert_int_equal(e, ERR_OK);
    return id;
}

RIG_MAYBE void rig_end(struct journal *j, int64_t id, enum journal_state state)
{
    struct journal_outcome o = {
        .state = state, .code = CONTRACT_ABSENT, .http_status = 200, .at_ms = NOON_MS + 900};
    assert_int_equal(journal_outcome(j, id, &o), ERR_OK);
}

struct rig_writes {
    struct journal_write at[64];
    size_t count;
};

RIG_MAYBE bool rig_take_write(void *ctx, const struct journal_write *w)
{
    struct rig_writes *all = ctx;
    assert_true(all->count < 64);
    all->at[all->count++] = *w;
    return true;
}

RIG_MAYBE void rig_list(struct journal *j, bool unresolved, struct rig_writes *out)
{
    struct journal_filter f = {.unresolved = unresolved, .since_ms = CLOCK_NONE};
    out->count = 0;
    assert_int_equal(journal_each_write(j, &f, rig_take_write, out), ERR_OK);
}

/* The whole file; *len 0 when it is not there. free() it. */
RIG_MAYBE char *rig_bytes(const char *path, size_t *len)
{
    FILE *f = fopen(path, "rb");
    char *bytes = malloc(1);
    size_t cap = 1;
    *len = 0;
    while (f && bytes) {
        if (*len == cap)
            bytes = realloc(bytes, cap = cap * 2 + 4096);
        size_t n = bytes ? fread(bytes + *len, 1, cap - *len, f) : 0;
        if (n == 0)
            break;
        *len += n;
    }
    if (f)
        fclose(f);
    assert_non_null(bytes);
    return bytes;
}

#endif
