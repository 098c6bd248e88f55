/* SPDX-License-Identifier: Apache-2.0 */
/* Measures the real console on a pseudo-terminal against the real simulator, and prints numbers. It
 * judges nothing: what is fast depends on the machine. Percentiles are of single samples, taken
 * from the outside (bytes in, cells out). */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>
#include "support/rig.h"

#define SAMPLES_MAX 4000
#define PURCHASES   5
#define SCENARIO    "tests/bench/five.json"

struct samples {
    double ms[SAMPLES_MAX];
    size_t count;
};

struct options {
    int rounds;   /* starts of the console; five changes each */
    int keys;     /* key presses */
    int quiet_s;  /* how long nothing happens */
    int settle_s; /* before that */
};

static const struct {
    const char *name, *shown;
} purchases[PURCHASES] = {{"metro", "Metro Tickets"},
                          {"books", "Corner Books"},
                          {"shoes", "Shoe Barn"},
                          {"grocer", "Fresh Grocer"},
                          {"headphones", "Example Store"}};

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static void add(struct samples *s, double ms)
{
    if (s->count < SAMPLES_MAX)
        s->ms[s->count++] = ms;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void print(const char *what, struct samples *s)
{
    if (s->count == 0)
        return;
    qsort(s->ms, s->count, sizeof s->ms[0], by_size);
    printf("%-44s p50 %7.1f ms   p99 %7.1f ms   max %7.1f ms   (%zu samples)\n", what,
           s->ms[s->count / 2], s->ms[(s->count - 1) * 99 / 100], s->ms[s->count - 1], s->count);
    fflush(stdout);
}

/* What the list says below a merchant's name: its state comes first there. */
static bool state_word(struct pty *p, const char *shown, char *out, size_t size)
{
    int row = 0, col = 0;
    out[0] = '\0';
    if (!term_find(pty_term(p), shown, &row, &col))
        return false;
    size_t used = 0;
    for (int at = col; used + TERM_CELL_BYTES < size && at < col + 12; at++) {
        struct term_cell c = term_cell(pty_term(p), row + 1, at);
        used += (size_t)snprintf(out + used, size - used, "%s", c.text);
    }
    return true;
}

struct change {
    const char *shown;
    char before[128];
};

static bool has_changed(struct pty *p, void *arg)
{
    struct change *c = arg;
    char now[128];
    return state_word(p, c->shown, now, sizeof now) && strcmp(now, c->before) != 0;
}

/* Five held reads, and a list that has come to rest. */
static bool all_are_held(struct pty *p, void *arg)
{
    (void)arg;
    return term_find(pty_term(p), "5 held", NULL, NULL);
}

static void want_held(struct rig *r)
{
    if (!pty_wait(r->pty, all_are_held, NULL, PTY_WAIT_MS))
        rig_fail(r, "there are no five held reads");
}

static bool has_frame(struct pty *p, void *arg)
{
    (void)arg;
    return term_in_alt_screen(pty_term(p)) && term_find(pty_term(p), "Purchases", NULL, NULL);
}

/* One start: the first frame, then one change of each purchase until its row shows it. */
static void measure_round(struct samples *first_frame, struct samples *change)
{
    struct rig r;
    rig_prepare(&r, SCENARIO);
    double start = now_ms();
    rig_start(&r, NULL);
    if (!pty_wait(r.pty, has_frame, NULL, PTY_WAIT_MS))
        rig_fail(&r, "no first frame");
    add(first_frame, now_ms() - start);
    for (int i = 0; i < PURCHASES; i++) {
        struct change c = {.shown = purchases[i].shown};
        want_held(&r);
        (void)pty_wait_quiet(r.pty, 60, 1000);
        if (!state_word(r.pty, c.shown, c.before, sizeof c.before))
            rig_fail(&r, "a purchase is not in the list");
        double began = now_ms();
        simproc_merchant(r.sim, purchases[i].name, "place", "");
        if (!pty_wait(r.pty, has_changed, &c, PTY_WAIT_MS))
            rig_fail(&r, "a change did not come to the screen");
        add(change, now_ms() - began);
    }
    rig_close(&r);
}

/* To the transactions and back; only the list of purchases has this hint. */
static void measure_keys(struct rig *r, int presses, struct samples *keys)
{
    static const char hint[] = "g look again";
    rig_want(r, hint);
    for (int i = 0; i < presses; i++) {
        bool leave = i % 2 == 0;
        (void)pty_wait_quiet(r->pty, 20, 500);
        double began = now_ms();
        pty_key(r->pty, leave ? "3" : "1");
        if (!(leave ? pty_wait_no_text(r->pty, hint, PTY_WAIT_MS)
                    : pty_wait_text(r->pty, hint, PTY_WAIT_MS)))
            rig_fail(r, "a key did not change the view");
        add(keys, now_ms() - began);
    }
}

static long status_kb(pid_t pid, const char *name)
{
    char path[64], line[256];
    long kb = -1;
    snprintf(path, sizeof path, "/proc/%ld/status", (long)pid);
    FILE *f = fopen(path, "r");
    while (f && fgets(line, sizeof line, f))
        if (strncmp(line, name, strlen(name)) == 0 && line[strlen(name)] == ':')
            kb = strtol(line + strlen(name) + 1, NULL, 10);
    if (f)
        fclose(f);
    return kb;
}

static size_t bytes_so_far(struct rig *r)
{
    size_t len = 0;
    (void)term_bytes(pty_term(r->pty), &len);
    return len;
}

/* Nothing happens at all: five purchases are under way, on the real clock. */
static void measure_quiet(const struct options *o, struct samples *keys)
{
    static const char *const args[] = {"--scenario", SCENARIO, "--clock", "real",
                                       "--seed",     "7",      NULL};
    struct rig r;
    rig_prepare(&r, SCENARIO);
    simproc_stop(r.sim);
    r.sim = simproc_start(args);
    rig_start(&r, NULL);
    want_held(&r);
    pty_let_pass(r.pty, o->settle_s * 1000);
    size_t bytes = bytes_so_far(&r);
    long cpu = pty_cpu_ms(r.pty);
    int calls = rig_calls(&r, "*");
    double began = now_ms();
    pty_let_pass(r.pty, o->quiet_s * 1000);
    double minutes = (now_ms() - began) / 60e3;
    double used = (double)(pty_cpu_ms(r.pty) - cpu);
    printf("quiet for %.1f min, five purchases followed:\n", minutes);
    printf("  calls                                      %7.2f a minute\n",
           (rig_calls(&r, "*") - calls) / minutes);
    printf("  written to the terminal                    %7.0f bytes a minute, %.0f in ten\n",
           (double)(bytes_so_far(&r) - bytes) / minutes,
           (double)(bytes_so_far(&r) - bytes) / minutes * 10);
    printf("  processor time                             %7.1f ms a minute, %.0f ms in ten\n",
           used / minutes, used / minutes * 10);
    printf("  resident memory                            %7ld KiB, at most %ld KiB\n",
           status_kb(pty_pid(r.pty), "VmRSS"), status_kb(pty_pid(r.pty), "VmHWM"));
    measure_keys(&r, o->keys, keys);
    rig_close(&r);
}

static int number(const char *text)
{
    char *end = NULL;
    long n = strtol(text, &end, 10);
    return *end == '\0' && n >= 0 && n <= 36000 ? (int)n : -1;
}

static bool read_options(struct options *o, int argc, char **argv)
{
    for (int i = 1; i + 1 < argc; i += 2) {
        int n = number(argv[i + 1]);
        if (strcmp(argv[i], "--rounds") == 0)
            o->rounds = n;
        else if (strcmp(argv[i], "--keys") == 0)
            o->keys = n;
        else if (strcmp(argv[i], "--quiet") == 0)
            o->quiet_s = n;
        else
            return false;
        if (n < 0)
            return false;
    }
    return argc % 2 == 1;
}

static struct options options = {.rounds = 40, .keys = 200, .quiet_s = 60, .settle_s = 5};

static void measure(void **state)
{
    static struct samples first_frame, change, keys;
    (void)state;
    for (int i = 0; i < options.rounds; i++)
        measure_round(&first_frame, &change);
    print("start to first frame", &first_frame);
    print("change in the service to row, five held", &change);
    if (options.quiet_s > 0)
        measure_quiet(&options, &keys);
    print("key to screen (another view)", &keys);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(measure)};
    if (!read_options(&options, argc, argv)) {
        fprintf(stderr, "usage: %s [--rounds N] [--keys N] [--quiet SECONDS]\n", argv[0]);
        return 2;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
