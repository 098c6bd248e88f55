/* SPDX-License-Identifier: Apache-2.0 */
/* envoy-sim: arguments, the ready line, signals. */
#include <fcntl.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "sim/sim_http.h"
#include "sim/sim_mem.h"
#include "sim/sim_scenario.h"
#include "sim/sim_server.h"

#define SIM_VERSION "0.1.0"

struct options {
    uint16_t port;
    const char *scenario;
    uint64_t seed;
    const char *clock;
    const char *log;
    bool is_auto;
    bool exits_with_stdin;
    bool tells_rest;
};

static void print_help(void)
{
    puts("usage: envoy-sim [options]\n"
         "Serves the Envoy contract envoy@2026-10 on 127.0.0.1, with made-up money.\n"
         "\n"
         "  --port N           listen on port N; 0, the default, takes a free one\n"
         "  --scenario NAME    a built-in scenario or a file (default: day)\n"
         "  --seed N           same seed, same ids; without it the scenario's own\n"
         "  --clock HOW        real, manual (stands until told) or xN (N times as fast)\n"
         "  --auto             also play what the owner and the agent do\n"
         "  --log FILE         append one JSON line for each call\n"
         "  --exit-with-stdin  stop when standard input ends\n"
         "  --tell-rest        one more JSON line when nothing more will happen by itself\n"
         "  --version, --help\n"
         "\n"
         "One JSON line with url, token, scenario and pid says when it is ready.\n"
         "Scenarios:");
    for (size_t i = 0; sim_scenario_name(i) != NULL; i++) {
        printf("  %s\n", sim_scenario_name(i));
    }
}

static bool read_number(const char *text, unsigned long long max, unsigned long long *out)
{
    char *end = NULL;
    unsigned long long n = strtoull(text, &end, 10);

    if (text[0] < '0' || text[0] > '9' || *end != '\0' || n > max) {
        fprintf(stderr, "envoy-sim: %.40s is no number that fits here\n", text);
        return false;
    }
    *out = n;
    return true;
}

/* Returns -1 to go on, else the exit code. */
static int read_options(int argc, char **argv, struct options *o)
{
    static const struct option longs[] = {
        {"port", required_argument, NULL, 'p'},
        {"scenario", required_argument, NULL, 's'},
        {"seed", required_argument, NULL, 'e'},
        {"clock", required_argument, NULL, 'c'},
        {"log", required_argument, NULL, 'l'},
        {"auto", no_argument, NULL, 'a'},
        {"exit-with-stdin", no_argument, NULL, 'x'},
        {"tell-rest", no_argument, NULL, 'r'},
        {"version", no_argument, NULL, 'v'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    unsigned long long n = 0;
    int c = 0;

    while ((c = getopt_long(argc, argv, "", longs, NULL)) != -1) {
        switch (c) {
        case 'p':
            if (!read_number(optarg, UINT16_MAX, &n)) {
                return 2;
            }
            o->port = (uint16_t)n;
            break;
        case 'e':
            /* seeds travel as JSON numbers */
            if (!read_number(optarg, UINT64_C(1) << 53, &n)) {
                return 2;
            }
            o->seed = n;
            break;
        case 's':
            o->scenario = optarg;
            break;
        case 'c':
            o->clock = optarg;
            break;
        case 'l':
            o->log = optarg;
            break;
        case 'a':
            o->is_auto = true;
            break;
        case 'x':
            o->exits_with_stdin = true;
            break;
        case 'r':
            o->tells_rest = true;
            break;
        case 'v':
            puts("envoy-sim " SIM_VERSION);
            return 0;
        case 'h':
            print_help();
            return 0;
        default:
            return 2;
        }
    }
    if (optind < argc) {
        fprintf(stderr, "envoy-sim: %.40s is not understood; see --help\n", argv[optind]);
        return 2;
    }
    return -1;
}

static void print_ready(const struct sim_server *s, const struct sim_http *h)
{
    cJSON *o = cJSON_CreateObject();
    char url[64];
    char *line = NULL;

    snprintf(url, sizeof(url), "http://127.0.0.1:%u", (unsigned)sim_http_port(h));
    cJSON_AddStringToObject(o, "url", url);
    cJSON_AddStringToObject(o, "token", s->token);
    cJSON_AddStringToObject(o, "scenario", s->world->scenario);
    cJSON_AddNumberToObject(o, "pid", getpid());
    line = cJSON_PrintUnformatted(o);
    puts(line);
    fflush(stdout);
    cJSON_free(line);
    cJSON_Delete(o);
}

static int open_signals(void)
{
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGHUP);
    sigprocmask(SIG_BLOCK, &set, NULL);
    signal(SIGPIPE, SIG_IGN);
    return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

static int run(const struct options *o, FILE *log)
{
    struct sim_server s = {.is_auto = o->is_auto, .tells_rest = o->tells_rest};
    struct sim_http *h = NULL;
    char why[400] = "";
    int signals = open_signals();
    int code = 1;

    sim_calls_init(&s.calls, log);
    if (sim_clock_parse(&s.clock, o->clock) != ERR_OK) {
        fputs("envoy-sim: the clock is real, manual or xN with N from 1 to 1000\n", stderr);
        code = 2;
        goto out;
    }
    if (sim_server_init(&s, o->scenario, o->seed, why, sizeof(why)) != ERR_OK) {
        fprintf(stderr, "envoy-sim: scenario %.100s: %s\n", o->scenario, why);
        code = 2;
        goto out;
    }
    if (signals < 0 || sim_http_new(&h, &s, o->port) != ERR_OK) {
        fprintf(stderr, "envoy-sim: cannot listen on 127.0.0.1:%u\n", (unsigned)o->port);
        goto out;
    }
    print_ready(&s, h);
    code = sim_http_serve(h, signals, o->exits_with_stdin ? STDIN_FILENO : -1) == ERR_OK ? 0 : 1;
out:
    sim_http_free(h);
    sim_server_fini(&s);
    if (signals >= 0) {
        close(signals);
    }
    return code;
}

int main(int argc, char **argv)
{
    struct options o = {.scenario = "day", .clock = "real"};
    FILE *log = NULL;
    int code = read_options(argc, argv, &o);

    if (code >= 0) {
        return code;
    }
    sim_mem_hook_json();
    if (o.log != NULL) {
        int fd = open(o.log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);

        log = fd >= 0 ? fdopen(fd, "a") : NULL;
        if (log == NULL) {
            fprintf(stderr, "envoy-sim: %.200s cannot be written\n", o.log);
            return 2;
        }
    }
    code = run(&o, log);
    if (log != NULL) {
        fclose(log);
    }
    return code;
}
