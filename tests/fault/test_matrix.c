/* SPDX-License-Identifier: Apache-2.0 */
/* Case P4 as a matrix: what a person can change × faults of the simulator × before and after it
 * took effect × the console lives, or is killed while the simulator has the call and started again.
 * An answer meets every kind of fault, the others a lost connection so far (struct deed, only).
 * Each time: at most one effect, one row in the journal that agrees with it, a screen that never
 * said more than was known, and the truth on it in the end.
 *
 * Each deed is a test; it runs itself as several processes, each with a share of the faults. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>
#include "support/deed.h"

#define SHARES 6
#define SEED   7U

enum reach {
    REACH_WHOLE,   /* the reply arrives whole, only later */
    REACH_LOST,    /* the reply is lost or says nothing */
    REACH_REFUSED, /* the reply is a refusal */
};

static const struct fault {
    const char *kind;
    const char *more;
    enum reach reach;
} faults[] = {
    {"delay", ",\"seconds\":1", REACH_WHOLE},
    {"drip", ",\"seconds\":1", REACH_WHOLE},
    {"reset", "", REACH_LOST},
    {"blackhole", ",\"seconds\":1", REACH_LOST},
    {"status", ",\"status\":500", REACH_LOST},
    {"html504", "", REACH_LOST},
    {"truncate", "", REACH_LOST},
    {"garbage", "", REACH_LOST},
    {"ratelimit", ",\"header\":\"1\"", REACH_REFUSED},
    {"unauthenticated", "", REACH_REFUSED},
    {"unavailable", ",\"seconds\":1", REACH_LOST},
};
#define FAULTS (sizeof faults / sizeof faults[0])

struct combo {
    const struct deed *deed;
    const struct fault *fault;
    bool after, kill;
};

static void name_of(const struct combo *c, char *out, size_t size)
{
    snprintf(out, size, "%s: %s %s, console %s", c->deed->name, c->fault->kind,
             c->after ? "after" : "before", c->kill ? "killed" : "lives");
}

static void fail_combo(struct rig *r, const struct combo *c, const char *what)
{
    char text[512], name[128];
    name_of(c, name, sizeof name);
    snprintf(text, sizeof text, "%s: %s", name, what);
    rig_fail(r, text);
}

/* Watches the screen for words that may not stand there. */
struct watch {
    const char *wanted; /* regular expression */
    const char *forbidden;
    bool broken;
};

static bool look(struct pty *p, void *arg)
{
    struct watch *w = arg;
    w->broken = w->broken || (w->forbidden && term_find_regex(pty_term(p), w->forbidden));
    return w->broken || term_find_regex(pty_term(p), w->wanted);
}

static void want(struct rig *r, const struct combo *c, const char *wanted, const char *forbidden)
{
    struct watch w = {.wanted = wanted, .forbidden = forbidden};
    char what[400];
    bool found = pty_wait(r->pty, look, &w, PTY_WAIT_MS);
    snprintf(what, sizeof what, w.broken ? "says what is not known: %s" : "does not say: %s",
             w.broken ? forbidden : wanted);
    if (!found || w.broken)
        fail_combo(r, c, what);
}

struct arrival {
    struct rig *r;
    const struct combo *c;
    int before;
};

static bool arrived(struct pty *p, void *arg)
{
    const struct arrival *a = arg;
    (void)p;
    return rig_calls(a->r, a->c->deed->tool) > a->before;
}

static bool is_known(struct pty *p, void *arg)
{
    struct arrival *a = arg;
    struct deed_truth t;
    (void)p;
    deed_truth(a->r, a->c->deed, true, &t);
    return t.rows > 0 && t.open == 0;
}

static void restart(struct rig *r)
{
    struct pty_exit end;
    pty_signal(r->pty, SIGKILL);
    assert_true(pty_wait_exit(r->pty, &end, PTY_WAIT_MS));
    rig_start(r, NULL);
}

/* A reply that was lost: nothing on the screen may say that Envoy recorded it, and before it took
 * effect nothing that follows from it either. */
static const char *forbidden_of(const struct combo *c)
{
    if (c->fault->reach == REACH_WHOLE)
        return NULL;
    if (!c->after && strcmp(c->deed->name, "vault") != 0)
        return c->deed->done;
    return "Envoy recorded the (answer|feedback|vault|report|step|cancel)";
}

static void check_end(struct rig *r, const struct combo *c, int before)
{
    bool lies = c->after && c->fault->reach == REACH_REFUSED;
    bool whole = c->fault->reach == REACH_WHOLE;
    struct arrival a = {r, c, 0};
    struct deed_truth t;
    char what[400];
    if (!c->deed->is_light && !pty_wait(r->pty, is_known, &a, PTY_WAIT_MS))
        fail_combo(r, c, "the journal's row stays unresolved");
    deed_truth(r, c->deed, lies, &t);
    int effects = t.effects - before;
    bool sure = !(whole && c->kill); /* killed while it was slow, it may or may not take effect */
    snprintf(what, sizeof what, "%d effects, journal: %s", effects, t.words);
    if (t.rows != 1 || effects > 1 || (sure && effects != (c->after || whole ? 1 : 0)))
        fail_combo(r, c, what);
    /* Killed, what was said of it may be gone or not: journal and ledger agree, that is what
     * counts. */
    if (c->deed->is_light || c->kill)
        return;
    want(r, c,
         lies && !c->kill ? c->deed->undone
         : effects        ? c->deed->done
                          : c->deed->undone,
         whole ? NULL : forbidden_of(c));
}

static int effects_so_far(struct rig *r, const struct combo *c)
{
    char path[64];
    if (!c->deed->ledger)
        return 0;
    snprintf(path, sizeof path, "counts.%s", c->deed->ledger);
    return (int)simproc_number(simproc_get(r->sim, "/sim/state"), path);
}

static void run_combo(struct rig *r, const struct combo *c)
{
    struct arrival a = {r, c, 0};
    deed_reset(r, c->deed->scenario, SEED);
    rig_start(r, NULL);
    rig_want(r, "to spend"); /* whose account it is must be known before anything is sent */
    deed_steps(r, c->deed->prepare);
    int before = effects_so_far(r, c);
    a.before = rig_calls(r, c->deed->tool);
    simproc_post(r->sim, "/sim/fault", "{'tool':'%s','kind':'%s','at':'%s'%s}", c->deed->tool,
                 c->fault->kind, c->after ? "after" : "before", c->fault->more);
    assert_int_equal(simproc_status(r->sim), 200);
    deed_steps(r, c->deed->confirm);
    if (!pty_wait(r->pty, arrived, &a, PTY_WAIT_MS))
        fail_combo(r, c, "the call did not arrive");
    if (c->kill)
        restart(r);
    else if (c->fault->reach == REACH_LOST)
        want(r, c, c->deed->unknown, forbidden_of(c));
    check_end(r, c, before);
    pty_close(r->pty);
    r->pty = NULL;
}

/* In a process of its own: every SHARES-th combination of a deed. */
struct share {
    const struct deed *deed;
    unsigned number;
    const char *only; /* a fault's kind, or NULL */
};

static void share_runs(void **state)
{
    const struct share *s = *state;
    struct rig r;
    rig_prepare(&r, s->deed->scenario);
    for (unsigned i = s->number; i < FAULTS * 4; i += s->only ? 1 : SHARES) {
        struct combo c = {s->deed, &faults[i / 4], (i & 1) != 0, (i & 2) != 0};
        const char *only = s->only ? s->only : s->deed->only;
        if (!only || strcmp(only, c.fault->kind) == 0)
            run_combo(&r, &c);
    }
    rig_close(&r);
}

static int run_share(const struct deed *deed, unsigned number, const char *only)
{
    struct share s = {deed, number, only};
    const struct CMUnitTest tests[] = {cmocka_unit_test_prestate(share_runs, &s)};
    return cmocka_run_group_tests_name(deed->name, tests, NULL, NULL);
}

static pid_t start_share(const char *deed, unsigned number)
{
    char text[16];
    char *argv[] = {(char *)"test_matrix", (char *)(uintptr_t)deed, text, NULL};
    snprintf(text, sizeof text, "%u", number);
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        dup2(STDERR_FILENO, STDOUT_FILENO); /* its own counts are not this program's */
        execv("/proc/self/exe", argv);
        _exit(127);
    }
    assert_true(pid > 0);
    return pid;
}

static void deed_survives_every_fault(void **state)
{
    const struct deed *d = *state;
    pid_t shares[SHARES];
    int bad = 0;
    for (unsigned i = 0; i < SHARES; i++)
        shares[i] = start_share(d->name, i);
    for (unsigned i = 0; i < SHARES; i++) {
        int status = 0;
        assert_int_equal(waitpid(shares[i], &status, 0), shares[i]);
        bad += status != 0;
    }
    assert_int_equal(bad, 0);
}

/* Without arguments all; "DEED NUMBER" is one share, "DEED all KIND" one fault of a deed. */
int main(int argc, char **argv)
{
    struct CMUnitTest tests[16];
    if (argc > 2 && deed_find(argv[1]))
        return run_share(deed_find(argv[1]), argc > 3 ? 0 : (unsigned)atoi(argv[2]),
                         argc > 3 ? argv[3] : NULL);
    assert_true(deed_count <= sizeof tests / sizeof tests[0]);
    for (size_t i = 0; i < deed_count; i++)
        tests[i] = (struct CMUnitTest){deeds[i].name, deed_survives_every_fault, NULL, NULL,
                                       (void *)(uintptr_t)&deeds[i]};
    return _cmocka_run_group_tests("matrix", tests, deed_count, NULL, NULL);
}
