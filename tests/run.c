/* SPDX-License-Identifier: Apache-2.0 */
/* The test runner: runs cmocka programs two at a time, each with a time limit and its own log, and
 * ends with one line "N passed, N failed". It trusts no program: one that crashes, hangs, runs
 * nothing or exits badly counts as a failure, and so does a run without a single test.
 *
 *   run [-j JOBS] [-t SECONDS] -o LOGDIR COMMAND...
 *
 * Each COMMAND is one argument, split at blanks; its log is named after its last word. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define WORDS_MAX 16
#define JOBS_MAX  16

struct job {
    const char *command;
    char log[512];
    pid_t pid; /* also its process group; 0 = not running */
    double started_s;
    bool timed_out;
};

struct totals {
    unsigned passed;
    unsigned failed;
    unsigned skipped;
};

struct run {
    struct job jobs[JOBS_MAX]; /* the slots of what runs now */
    int slots;
    double limit_s;
    const char *log_dir;
    struct totals totals;
};

static double run_now_s(void)
{
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

/* The log is named after the command's last word, with the directories that tell tests apart. */
static void run_log_name(char *out, size_t size, const char *dir, const char *command)
{
    const char *word = strrchr(command, ' ');
    word = word ? word + 1 : command;
    const char *tests = strstr(word, "tests/");
    if (tests)
        word = tests + strlen("tests/");
    while (*word == '/' || *word == '.')
        word++;
    int n = snprintf(out, size, "%s/", dir);
    size_t at = n > 0 ? (size_t)n : 0;
    for (; *word && at + 5 < size; word++)
        out[at++] = *word == '/' ? '.' : *word;
    memcpy(out + at, ".log", 5);
}

static void run_child(const char *command, const char *log)
{
    char copy[2048];
    char *words[WORDS_MAX + 1];
    int count = 0;
    char *rest = NULL;

    snprintf(copy, sizeof(copy), "%s", command);
    for (char *w = strtok_r(copy, " ", &rest); w && count < WORDS_MAX;
         w = strtok_r(NULL, " ", &rest))
        words[count++] = w;
    words[count] = NULL;
    int out = open(log, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0644);
    int in = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (count == 0 || out < 0 || in < 0 || dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(out, 2) < 0)
        _exit(126);
    setpgid(0, 0);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL); /* the runner's blocked SIGCHLD would be inherited */
    execvp(words[0], words);
    fprintf(stderr, "cannot run %s: %s\n", words[0], strerror(errno));
    _exit(127);
}

static bool run_start(struct run *run, struct job *job, const char *command)
{
    memset(job, 0, sizeof(*job));
    job->command = command;
    run_log_name(job->log, sizeof(job->log), run->log_dir, command);
    fflush(stdout);
    pid_t pid = fork();
    if (pid < 0) {
        printf("cannot start %s: %s\n", command, strerror(errno));
        return false;
    }
    if (pid == 0)
        run_child(command, job->log);
    setpgid(pid, pid); /* both sides, whichever comes first */
    job->pid = pid;
    job->started_s = run_now_s();
    return true;
}

/* Counts from cmocka's own lines; what was announced but has no result did not pass. */
static struct totals run_count(const char *log)
{
    struct totals t = {0};
    unsigned planned = 0;
    char line[4096];
    FILE *f = fopen(log, "r");

    while (f && fgets(line, sizeof(line), f)) {
        unsigned n;
        if (sscanf(line, "[==========] Running %u test", &n) == 1)
            planned += n;
        else if (strncmp(line, "[       OK ]", 12) == 0)
            t.passed++;
        else if (strncmp(line, "[  SKIPPED ] ", 13) == 0 && !strstr(line, "test(s)"))
            t.skipped++;
    }
    if (f)
        fclose(f);
    /* cmocka lists each skipped test a second time in its summary */
    t.skipped /= 2;
    if (planned > t.passed + t.skipped)
        t.failed = planned - t.passed - t.skipped;
    return t;
}

static void run_print_log(const char *log)
{
    char bytes[4096];
    size_t n;
    FILE *f = fopen(log, "r");

    while (f && (n = fread(bytes, 1, sizeof(bytes), f)) > 0)
        fwrite(bytes, 1, n, stdout);
    if (f)
        fclose(f);
}

static void run_finish(struct run *run, struct job *job, int status)
{
    bool clean = WIFEXITED(status) && WEXITSTATUS(status) == 0 && !job->timed_out;
    struct totals t = run_count(job->log);
    char how[64] = "";

    if (t.failed == 0 && (!clean || t.passed + t.skipped == 0))
        t.failed = 1;
    if (job->timed_out)
        snprintf(how, sizeof(how), ", stopped after %.0f s", run->limit_s);
    else if (WIFSIGNALED(status))
        snprintf(how, sizeof(how), ", killed by signal %d", WTERMSIG(status));
    else if (t.failed)
        snprintf(how, sizeof(how), ", exit %d", WEXITSTATUS(status));
    printf("%s %-60s %3u passed, %u failed%s (%.1f s)\n", t.failed ? "FAIL" : "  ok", job->command,
           t.passed, t.failed, how, run_now_s() - job->started_s);
    if (t.failed) {
        printf("---- %s\n", job->log);
        run_print_log(job->log);
        printf("----\n");
    }
    fflush(stdout);
    run->totals.passed += t.passed;
    run->totals.failed += t.failed;
    run->totals.skipped += t.skipped;
    kill(-job->pid, SIGKILL); /* what the program left behind in its group */
    job->pid = 0;
}

/* Waits for one program to end, or for the nearest time limit. SIGCHLD is blocked and taken here.
 */
static void run_wait(struct run *run)
{
    sigset_t chld;
    struct timespec tick = {.tv_sec = 1, .tv_nsec = 0};

    sigemptyset(&chld);
    sigaddset(&chld, SIGCHLD);
    sigtimedwait(&chld, NULL, &tick);
    for (int i = 0; i < run->slots; i++) {
        struct job *job = &run->jobs[i];
        int status;
        if (job->pid && waitpid(job->pid, &status, WNOHANG) == job->pid) {
            run_finish(run, job, status);
        } else if (job->pid && !job->timed_out && run_now_s() - job->started_s > run->limit_s) {
            job->timed_out = true;
            kill(-job->pid, SIGKILL);
        }
    }
}

static int run_all(struct run *run, char **commands, int count)
{
    int next = 0;

    for (;;) {
        bool busy = false;
        for (int i = 0; i < run->slots; i++) {
            if (!run->jobs[i].pid && next < count &&
                !run_start(run, &run->jobs[i], commands[next++]))
                run->totals.failed++;
            busy = busy || run->jobs[i].pid;
        }
        if (!busy && next >= count)
            break;
        run_wait(run);
    }
    if (run->totals.skipped)
        printf("%u skipped\n", run->totals.skipped);
    printf("%u passed, %u failed\n", run->totals.passed, run->totals.failed);
    return run->totals.failed || run->totals.passed == 0 ? 1 : 0;
}

int main(int argc, char **argv)
{
    struct run run = {.slots = 2, .limit_s = 120};
    sigset_t chld;
    int opt;

    while ((opt = getopt(argc, argv, "j:t:o:")) != -1) {
        if (opt == 'j')
            run.slots = atoi(optarg);
        else if (opt == 't')
            run.limit_s = atof(optarg);
        else if (opt == 'o')
            run.log_dir = optarg;
        else
            return 2;
    }
    if (!run.log_dir || run.slots < 1 || run.slots > JOBS_MAX || run.limit_s <= 0) {
        fprintf(stderr, "usage: run [-j JOBS] [-t SECONDS] -o LOGDIR COMMAND...\n");
        return 2;
    }
    if (mkdir(run.log_dir, 0755) != 0 && errno != EEXIST) {
        fprintf(stderr, "cannot make %s: %s\n", run.log_dir, strerror(errno));
        return 2;
    }
    sigemptyset(&chld);
    sigaddset(&chld, SIGCHLD);
    sigprocmask(SIG_BLOCK, &chld, NULL);
    return run_all(&run, argv + optind, argc - optind);
}
