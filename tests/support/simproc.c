/* SPDX-License-Identifier: Apache-2.0 */
/* Spawning envoy-sim and talking to it with libcurl on loopback. Replies are kept until the end, so
 * that tests need not free each one. */
#include "support/simproc.h"

#include <ctype.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>
#include <curl/curl.h>

#define ARGS_MAX     24
#define READY_MS     10000
#define CALL_SECONDS 60L
#define BODY_MAX     ((size_t)8 << 20)

struct text {
    char *data;
    size_t len;
};

struct simproc {
    pid_t pid;
    int out;
    cJSON *ready;
    CURL *curl;
    long status;
    struct text headers;
    char *header; /* the value that simproc_header gave last */
    struct text tried;
    cJSON **kept;
    size_t kept_count;
};

struct simproc_held {
    struct simproc *sim;
    pthread_t thread;
    char *url;
    char *body;
    struct text reply;
    long status;
    CURLcode code;
};

static int scaled(int ms)
{
    const char *scale = getenv("TEST_TIME_SCALE");
    int factor = scale ? atoi(scale) : 1;
    return factor > 1 ? ms * factor : ms;
}

static int64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void text_add(struct text *t, const char *bytes, size_t len)
{
    assert_true(t->len + len < BODY_MAX);
    t->data = realloc(t->data, t->len + len + 1);
    assert_non_null(t->data);
    memcpy(t->data + t->len, bytes, len);
    t->len += len;
    t->data[t->len] = '\0';
}

static void text_clear(struct text *t)
{
    free(t->data);
    memset(t, 0, sizeof *t);
}

static char *format_body(const char *format, va_list ap)
{
    char *body = NULL;
    char *quoted = strdup(format);
    assert_non_null(quoted);
    for (char *p = quoted; *p; p++) {
        if (*p == '\'')
            *p = '"';
    }
    /* The caller's format was checked by the compiler; only its quotes differ here. */
    _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wformat-nonliteral\"")
        assert_true(vasprintf(&body, quoted, ap) >= 0);
    _Pragma("GCC diagnostic pop") free(quoted);
    return body;
}

/* ---- the process ---- */

static void become_simulator(const char *const *args, int out)
{
    const char *build = getenv("ENVOY_BUILD");
    char program[4096];
    const char *argv[ARGS_MAX] = {program, "--port", "0"};
    size_t count = 3;

    snprintf(program, sizeof program, "%s/envoy-sim", build ? build : "build");
    for (; args && *args && count + 1 < ARGS_MAX; args++)
        argv[count++] = *args;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    dup2(out, STDOUT_FILENO);
    execv(program, (char *const *)(uintptr_t)argv);
    dprintf(STDERR_FILENO, "cannot run %s: %s\n", program, strerror(errno));
    _exit(127);
}

/* Reads the one line that says where the simulator listens. */
static cJSON *read_ready(int fd)
{
    char line[4096];
    size_t len = 0;
    int64_t end = now_ms() + scaled(READY_MS);
    while (len + 1 < sizeof line && !memchr(line, '\n', len)) {
        struct pollfd p = {.fd = fd, .events = POLLIN};
        int left = (int)(end - now_ms());
        if (left <= 0 || poll(&p, 1, left) <= 0)
            fail_msg("envoy-sim did not say in time that it is ready");
        ssize_t got = read(fd, line + len, sizeof line - 1 - len);
        if (got <= 0)
            fail_msg("envoy-sim ended before it was ready");
        len += (size_t)got;
    }
    line[len] = '\0';
    cJSON *ready = cJSON_Parse(line);
    if (!ready)
        fail_msg("the ready line is no JSON: %s", line);
    return ready;
}

struct simproc *simproc_start(const char *const *args)
{
    int ends[2];
    struct simproc *s = calloc(1, sizeof *s);
    assert_non_null(s);
    assert_int_equal(pipe(ends), 0);
    s->pid = fork();
    assert_true(s->pid >= 0);
    if (s->pid == 0) {
        close(ends[0]);
        become_simulator(args, ends[1]);
    }
    close(ends[1]);
    s->out = ends[0];
    s->ready = read_ready(s->out);
    s->curl = curl_easy_init();
    assert_non_null(s->curl);
    return s;
}

struct simproc *simproc_open(const char *scenario, bool is_auto)
{
    const char *args[] = {
        "--scenario", scenario, "--clock", "manual", "--seed", "7", is_auto ? "--auto" : NULL,
        NULL};
    return simproc_start(args);
}

static void release(struct simproc *s)
{
    close(s->out);
    curl_easy_cleanup(s->curl);
    for (size_t i = 0; i < s->kept_count; i++)
        cJSON_Delete(s->kept[i]);
    free(s->kept);
    cJSON_Delete(s->ready);
    text_clear(&s->headers);
    text_clear(&s->tried);
    free(s->header);
    free(s);
}

void simproc_kill(struct simproc *s)
{
    if (!s)
        return;
    kill(s->pid, SIGKILL);
    waitpid(s->pid, NULL, 0);
    release(s);
}

void simproc_stop(struct simproc *s)
{
    int how = 0;
    if (!s)
        return;
    const cJSON *state = simproc_get(s, "/sim/state");
    if (simproc_number(state, "schema_breaches") != 0)
        fail_msg("the simulator sent %ld replies that breach the schemas",
                 simproc_number(state, "schema_breaches"));
    kill(s->pid, SIGTERM);
    assert_int_equal(waitpid(s->pid, &how, 0), s->pid);
    if (!WIFEXITED(how) || WEXITSTATUS(how) != 0)
        fail_msg("envoy-sim ended with %s %d", WIFEXITED(how) ? "status" : "signal",
                 WIFEXITED(how) ? WEXITSTATUS(how) : WTERMSIG(how));
    release(s);
}

const char *simproc_url(const struct simproc *s)
{
    return simproc_text(s->ready, "url");
}

const char *simproc_token(const struct simproc *s)
{
    return simproc_text(s->ready, "token");
}

const cJSON *simproc_ready(const struct simproc *s)
{
    return s->ready;
}

/* ---- HTTP ---- */

static size_t take_bytes(char *bytes, size_t size, size_t count, void *to)
{
    text_add(to, bytes, size * count);
    return size * count;
}

static struct curl_slist *headers_for(const char *token)
{
    struct curl_slist *list = curl_slist_append(NULL, "Content-Type: application/json");
    char line[512];
    list = curl_slist_append(list, "Expect:");
    if (token[0]) {
        snprintf(line, sizeof line, "Authorization: Bearer %s", token);
        list = curl_slist_append(list, line);
    }
    return list;
}

static CURLcode perform(CURL *curl, const char *url, struct curl_slist *headers, const char *body,
                        struct text *reply, long *status)
{
    curl_easy_setopt(curl, CURLOPT_URL, url);
    curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take_bytes);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, reply);
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(curl, CURLOPT_PROXY, "");
    curl_easy_setopt(curl, CURLOPT_TIMEOUT, (long)scaled((int)CALL_SECONDS));
    if (body) {
        curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE, (long)strlen(body));
        curl_easy_setopt(curl, CURLOPT_POSTFIELDS, body);
    }
    CURLcode code = curl_easy_perform(curl);
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, status);
    return code;
}

static cJSON *keep(struct simproc *s, cJSON *value)
{
    if (!value)
        return NULL;
    s->kept = realloc(s->kept, (s->kept_count + 1) * sizeof(cJSON *));
    assert_non_null(s->kept);
    s->kept[s->kept_count++] = value;
    return value;
}

/* On a connection of its own where trouble is expected: libcurl repeats a call by itself when a
 * connection that was kept alive dies under it. */
static CURLcode exchange(struct simproc *s, const char *path, const char *token, const char *body,
                         struct text *reply, bool is_fresh)
{
    char url[1024];
    snprintf(url, sizeof url, "%s%s", simproc_url(s), path);
    struct curl_slist *headers = headers_for(token ? token : simproc_token(s));
    text_clear(&s->headers);
    s->status = 0;
    curl_easy_reset(s->curl);
    curl_easy_setopt(s->curl, CURLOPT_HEADERFUNCTION, take_bytes);
    curl_easy_setopt(s->curl, CURLOPT_HEADERDATA, &s->headers);
    curl_easy_setopt(s->curl, CURLOPT_FRESH_CONNECT, is_fresh ? 1L : 0L);
    CURLcode code = perform(s->curl, url, headers, body, reply, &s->status);
    curl_slist_free_all(headers);
    return code;
}

cJSON *simproc_send(struct simproc *s, const char *path, const char *token, const char *body)
{
    struct text reply = {NULL, 0};
    CURLcode code = exchange(s, path, token, body, &reply, false);
    if (code != CURLE_OK)
        fail_msg("%s: %s", path, curl_easy_strerror(code));
    cJSON *value = keep(s, reply.data ? cJSON_Parse(reply.data) : NULL);
    text_clear(&reply);
    return value;
}

int simproc_try(struct simproc *s, const char *tool, const char *body, const char **text)
{
    char path[128];
    snprintf(path, sizeof path, "/tools/%s", tool);
    text_clear(&s->tried);
    CURLcode code = exchange(s, path, NULL, body, &s->tried, true);
    *text = s->tried.data ? s->tried.data : "";
    return (int)code;
}

cJSON *simproc_get(struct simproc *s, const char *path)
{
    return simproc_send(s, path, NULL, NULL);
}

cJSON *simproc_post(struct simproc *s, const char *path, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    char *body = format_body(format, ap);
    va_end(ap);
    cJSON *value = simproc_send(s, path, NULL, body);
    free(body);
    return value;
}

cJSON *simproc_call(struct simproc *s, const char *tool, const char *format, ...)
{
    char path[128];
    va_list ap;
    va_start(ap, format);
    char *body = format_body(format, ap);
    va_end(ap);
    snprintf(path, sizeof path, "/tools/%s", tool);
    cJSON *value = simproc_send(s, path, NULL, body);
    free(body);
    if (!value)
        fail_msg("%s answered %ld without JSON", tool, s->status);
    return value;
}

long simproc_status(const struct simproc *s)
{
    return s->status;
}

const char *simproc_header(struct simproc *s, const char *name)
{
    size_t len = strlen(name);
    free(s->header);
    s->header = NULL;
    for (const char *line = s->headers.data; line && *line; line = strchr(line, '\n') + 1) {
        if (strncasecmp(line, name, len) == 0 && line[len] == ':') {
            const char *value = line + len + 1 + strspn(line + len + 1, " ");
            s->header = strndup(value, strcspn(value, "\r\n"));
            break;
        }
        if (!strchr(line, '\n'))
            break;
    }
    return s->header ? s->header : "";
}

/* ---- held calls ---- */

static void *run_held(void *arg)
{
    struct simproc_held *h = arg;
    CURL *curl = curl_easy_init();
    struct curl_slist *headers = headers_for(simproc_token(h->sim));
    h->code = perform(curl, h->url, headers, h->body, &h->reply, &h->status);
    curl_slist_free_all(headers);
    curl_easy_cleanup(curl);
    return NULL;
}

static long held_count(struct simproc *s)
{
    return simproc_number(simproc_get(s, "/sim/state"), "holds");
}

struct simproc_held *simproc_begin(struct simproc *s, const char *tool, const char *format, ...)
{
    struct simproc_held *h = calloc(1, sizeof *h);
    va_list ap;
    assert_non_null(h);
    va_start(ap, format);
    h->body = format_body(format, ap);
    va_end(ap);
    h->sim = s;
    assert_true(asprintf(&h->url, "%s/tools/%s", simproc_url(s), tool) > 0);
    long before = held_count(s);
    assert_int_equal(pthread_create(&h->thread, NULL, run_held, h), 0);
    int64_t end = now_ms() + scaled(READY_MS);
    while (held_count(s) == before) {
        if (now_ms() > end)
            fail_msg("%s is not held", tool);
    }
    return h;
}

cJSON *simproc_finish(struct simproc_held *h, long *status)
{
    pthread_join(h->thread, NULL);
    if (h->code != CURLE_OK)
        fail_msg("held read: %s", curl_easy_strerror(h->code));
    if (status)
        *status = h->status;
    cJSON *value = keep(h->sim, cJSON_Parse(h->reply.data));
    if (!value)
        fail_msg("a held read answered %ld without JSON", h->status);
    free(h->url);
    free(h->body);
    text_clear(&h->reply);
    free(h);
    return value;
}

/* ---- control ---- */

static void must_work(struct simproc *s, const cJSON *reply, const char *what)
{
    if (s->status != 200) {
        char *text = reply ? cJSON_PrintUnformatted(reply) : NULL;
        fail_msg("%s answered %ld: %s", what, s->status, text ? text : "");
    }
}

void simproc_advance(struct simproc *s, long seconds)
{
    must_work(s, simproc_post(s, "/sim/clock", "{'advance_seconds':%ld}", seconds), "clock");
}

void simproc_phone(struct simproc *s, const char *purchase, const char *action)
{
    must_work(s, simproc_post(s, "/sim/phone", "{'purchase':'%s','action':'%s'}", purchase, action),
              action);
}

void simproc_merchant(struct simproc *s, const char *purchase, const char *action, const char *more)
{
    char extra[1024];
    size_t len = 0;
    for (; more[len] && len + 1 < sizeof extra; len++)
        extra[len] = more[len] == '\'' ? '"' : more[len];
    extra[len] = '\0';
    must_work(s,
              simproc_post(s, "/sim/merchant", "{'purchase':'%s','action':'%s'%s%s}", purchase,
                           action, len ? "," : "", extra),
              action);
}

/* ---- looking into JSON ---- */

const cJSON *simproc_at(const cJSON *root, const char *path)
{
    while (root && *path) {
        char name[128];
        size_t len = strcspn(path, ".");
        assert_true(len < sizeof name);
        memcpy(name, path, len);
        name[len] = '\0';
        root = cJSON_IsArray(root) && isdigit((unsigned char)name[0])
                   ? cJSON_GetArrayItem(root, atoi(name))
                   : cJSON_GetObjectItemCaseSensitive(root, name);
        path += len + (path[len] == '.');
    }
    return root;
}

static void missing(const cJSON *root, const char *path, const char *kind)
{
    char *text = cJSON_PrintUnformatted(root);
    fail_msg("no %s at %s in %.600s", kind, path, text ? text : "nothing");
}

const char *simproc_text(const cJSON *root, const char *path)
{
    const cJSON *value = simproc_at(root, path);
    if (!cJSON_IsString(value))
        missing(root, path, "text");
    return value->valuestring;
}

long simproc_number(const cJSON *root, const char *path)
{
    const cJSON *value = simproc_at(root, path);
    if (!cJSON_IsNumber(value))
        missing(root, path, "number");
    return (long)value->valuedouble;
}

bool simproc_is_null(const cJSON *root, const char *path)
{
    return cJSON_IsNull(simproc_at(root, path));
}
