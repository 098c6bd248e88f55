/* SPDX-License-Identifier: Apache-2.0 */
/* Requests over libcurl's multi interface in the caller's thread. Owns the connections and what
 * each transfer needs. Must not know what the bytes mean. Invariants: libcurl reads bearer and body
 * where they lie, in guarded memory that is open only inside http_run; every easy handle is freed
 * when its transfer ends, so that no buffer of it outlives the reply. */
#include <arpa/inet.h>
#include <curl/curl.h>
#include <errno.h>
#include <limits.h>
#include <netinet/in.h>
#include <openssl/ssl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include "core/alloc.h"
#include "core/clock.h"
#include "core/scrub.h"
#include "core/str.h"
#include "net/http.h"

#define CONNECT_TIMEOUT_MS 10000L
#define KEEPALIVE_IDLE_S   20L
#define KEEPALIVE_EVERY_S  10L
#define POOL_MAX           16L
#define HEADERS_MAX        (64 * 1024)
#define BODY_FIRST         (16 * 1024)
#define POLL_FDS_MAX       8
#define RETRY_AFTER_MAX_S  (24 * 60 * 60)

enum { NODE_TYPE, NODE_ACCEPT, NODE_EXPECT, NODE_BEARER, NODE_COUNT };

struct transfer {
    struct transfer *next;
    struct http *engine;
    CURL *easy;
    struct curl_slist
        nodes[NODE_COUNT]; /* ours, so that the bearer need not be copied to the heap */
    struct secret *bearer; /* the whole header line; NULL: none */
    struct secret *body;   /* NULL: none */
    struct secret *in;     /* reply so far; NULL: nothing yet */
    size_t header_bytes;
    bool plain; /* http: only to a loopback address */
    bool once;
    bool began;   /* connected, and about to send */
    bool sent;    /* to the last byte of the body */
    bool strayed; /* plain, and the name led to another machine */
    bool too_large;
    bool no_memory;
    struct http_reply reply;
};

struct http {
    CURLM *multi;
    char *user_agent;
    char *ca_file; /* NULL: libcurl's own */
    char *ca_dir;
    bool only_ca_file;
    size_t reply_max;
    uint64_t last_id;
    size_t running_count;
    bool wipe_due; /* something was sent since the upload buffers were wiped */
    struct transfer *running;
    struct transfer *done; /* oldest first */
};

static bool is_loopback_host(const char *host)
{
    struct in_addr v4;

    if (strcasecmp(host, "localhost") == 0 || strcmp(host, "[::1]") == 0)
        return true;
    return inet_pton(AF_INET, host, &v4) == 1 && ntohl(v4.s_addr) >> 24 == 127;
}

static bool has_part(CURLU *url, CURLUPart part)
{
    char *text = NULL;
    bool there = curl_url_get(url, part, &text, 0) == CURLUE_OK;

    curl_free(text);
    return there;
}

enum err http_check_url(const char *text, bool is_base, bool *is_loopback)
{
    char *scheme = NULL, *host = NULL, *path = NULL;
    CURLU *url = curl_url();
    enum err e = ERR_MEMORY;

    if (!url)
        return e;
    e = ERR_CONFIG;
    if (curl_url_set(url, CURLUPART_URL, text, 0) != CURLUE_OK ||
        curl_url_get(url, CURLUPART_SCHEME, &scheme, 0) != CURLUE_OK ||
        curl_url_get(url, CURLUPART_HOST, &host, 0) != CURLUE_OK ||
        curl_url_get(url, CURLUPART_PATH, &path, 0) != CURLUE_OK)
        goto out;
    if (has_part(url, CURLUPART_USER) || has_part(url, CURLUPART_PASSWORD) ||
        has_part(url, CURLUPART_QUERY) || has_part(url, CURLUPART_FRAGMENT) ||
        (is_base && strcmp(path, "/") != 0))
        goto out;
    if (strcmp(scheme, "https") != 0 && !(strcmp(scheme, "http") == 0 && is_loopback_host(host)))
        goto out;
    if (is_loopback)
        *is_loopback = is_loopback_host(host);
    e = ERR_OK;
out:
    curl_free(scheme);
    curl_free(host);
    curl_free(path);
    curl_url_cleanup(url);
    return e;
}

static enum err copy_settings(struct http *h, const struct http_settings *settings)
{
    const char *ca_file = settings->ca_file ? settings->ca_file : getenv("SSL_CERT_FILE");
    const char *ca_dir = getenv("SSL_CERT_DIR");

    h->only_ca_file = settings->ca_file;
    h->reply_max = settings->reply_max;
    h->user_agent = alloc_text(settings->user_agent);
    h->ca_file = ca_file && *ca_file ? alloc_text(ca_file) : NULL;
    h->ca_dir = ca_dir && *ca_dir && !h->only_ca_file ? alloc_text(ca_dir) : NULL;
    if (!h->user_agent || (ca_file && *ca_file && !h->ca_file))
        return ERR_MEMORY;
    return ERR_OK;
}

enum err http_new(const struct http_settings *settings, struct http **out)
{
    struct http *h = NULL;

    /* Counted by libcurl, and undone by http_free; only the first one sets the hooks. */
    if (curl_global_init_mem(CURL_GLOBAL_DEFAULT, secret_hook_malloc, secret_hook_free,
                             secret_hook_realloc, secret_hook_strdup,
                             secret_hook_calloc) != CURLE_OK)
        return ERR_MEMORY;
    h = alloc_zero(1, sizeof *h);
    if (!h) {
        curl_global_cleanup();
        return ERR_MEMORY;
    }
    h->multi = curl_multi_init();
    if (!h->multi || copy_settings(h, settings) != ERR_OK ||
        curl_multi_setopt(h->multi, CURLMOPT_PIPELINING, CURLPIPE_NOTHING) != CURLM_OK ||
        curl_multi_setopt(h->multi, CURLMOPT_MAXCONNECTS, POOL_MAX) != CURLM_OK) {
        http_free(h);
        return ERR_MEMORY;
    }
    *out = h;
    return ERR_OK;
}

/* Everything but the reply. The easy handle is freed each time: that is what wipes its buffers; the
 * connection stays in the engine's pool. */
static void transfer_release(struct transfer *t)
{
    if (t->easy) {
        curl_multi_remove_handle(t->engine->multi, t->easy);
        curl_easy_cleanup(t->easy);
    }
    secret_free(t->bearer);
    secret_free(t->body);
    secret_free(t->in);
    t->easy = NULL;
    t->bearer = t->body = t->in = NULL;
}

static void free_list(struct transfer *list)
{
    while (list) {
        struct transfer *t = list;
        list = t->next;
        transfer_release(t);
        http_reply_fini(&t->reply);
        alloc_free(t);
    }
}

void http_free(struct http *h)
{
    if (!h)
        return;
    free_list(h->running);
    free_list(h->done);
    curl_multi_cleanup(h->multi);
    alloc_free(h->user_agent);
    alloc_free(h->ca_file);
    alloc_free(h->ca_dir);
    alloc_free(h);
    scrub_stack();
    curl_global_cleanup();
}

void http_reply_fini(struct http_reply *reply)
{
    secret_free(reply->body);
    reply->body = NULL;
}

static int on_before_request(void *ctx, char *peer, char *local, int peer_port, int local_port)
{
    struct transfer *t = ctx;
    long sent = 0;

    (void)peer;
    (void)local;
    (void)peer_port;
    (void)local_port;
    /* libcurl repeats a request by itself when a connection that it reused was closed meanwhile;
     * one that may have arrived is never sent again by us. */
    if (t->began && curl_easy_getinfo(t->easy, CURLINFO_REQUEST_SIZE, &sent) == CURLE_OK &&
        sent > 0)
        return CURL_PREREQFUNC_ABORT;
    t->began = true;
    return CURL_PREREQFUNC_OK;
}

static bool is_loopback_address(const struct sockaddr *address)
{
    const struct sockaddr_in *v4 = (const struct sockaddr_in *)(const void *)address;
    const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)(const void *)address;

    if (address->sa_family == AF_INET)
        return ntohl(v4->sin_addr.s_addr) >> 24 == 127;
    return address->sa_family == AF_INET6 && IN6_IS_ADDR_LOOPBACK(&v6->sin6_addr);
}

static curl_socket_t on_open_socket(void *ctx, curlsocktype purpose, struct curl_sockaddr *address)
{
    struct transfer *t = ctx;

    (void)purpose;
    if (t->plain && !is_loopback_address(&address->addr)) {
        t->strayed = true;
        return CURL_SOCKET_BAD;
    }
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

static CURLcode on_tls_context(CURL *easy, void *context, void *ctx)
{
    (void)easy;
    (void)ctx;
    /* A live connection keeps no decrypted record. */
    SSL_CTX_set_options(context, SSL_OP_CLEANSE_PLAINTEXT);
    return CURLE_OK;
}

static size_t on_header(char *bytes, size_t size, size_t count, void *ctx)
{
    struct transfer *t = ctx;

    (void)bytes;
    t->header_bytes += size * count;
    t->too_large = t->too_large || t->header_bytes > HEADERS_MAX;
    return t->too_large ? 0 : size * count;
}

/* Room for len more bytes: by a guarded copy, so that no old block is left unwiped. */
static bool grow_in(struct transfer *t, size_t len)
{
    size_t have = t->in ? secret_capacity(t->in) : 0;
    size_t need = (t->in ? secret_len(t->in) : 0) + len;
    size_t capacity = have > 0 ? have : BODY_FIRST;
    struct secret *grown;

    if (need <= have)
        return true;
    while (capacity < need)
        capacity *= 4;
    if (capacity > t->engine->reply_max)
        capacity = t->engine->reply_max;
    grown = t->in ? secret_copy(t->in, capacity) : secret_new(capacity);
    if (!grown)
        return false;
    secret_free(t->in);
    t->in = grown;
    return true;
}

static size_t on_body(char *bytes, size_t size, size_t count, void *ctx)
{
    struct transfer *t = ctx;
    size_t len = size * count;
    size_t have = t->in ? secret_len(t->in) : 0;

    if (len > t->engine->reply_max - have) {
        t->too_large = true;
        return 0;
    }
    if (!grow_in(t, len) || secret_append(t->in, bytes, len) != ERR_OK) {
        t->no_memory = true;
        return 0;
    }
    return len;
}

/* The header line with its NUL, since libcurl reads it as a string. */
static struct secret *bearer_line(struct secret *token)
{
    static const char prefix[] = "Authorization: Bearer ";
    struct secret *line = secret_new(sizeof prefix + secret_len(token));
    const unsigned char *bytes = secret_open(token);
    enum err e = ERR_MEMORY;

    if (line && bytes)
        e = secret_append(line, prefix, sizeof prefix - 1);
    if (e == ERR_OK)
        e = secret_append(line, bytes, secret_len(token));
    if (e == ERR_OK)
        e = secret_append(line, "", 1);
    if (bytes)
        secret_close(token);
    if (e != ERR_OK) {
        secret_free(line);
        return NULL;
    }
    return line;
}

/* Where the bytes lie does not change between opens. */
static char *address_of(struct secret *s)
{
    const unsigned char *bytes = secret_open(s);

    if (bytes)
        secret_close(s);
    return (char *)bytes;
}

static bool set_headers(struct transfer *t, const char *content_type)
{
    struct curl_slist *list = NULL;

    t->nodes[NODE_BEARER].data = t->bearer ? address_of(t->bearer) : NULL;
    if (t->bearer && !t->nodes[NODE_BEARER].data)
        return false;
    /* libcurl only reads the nodes, whatever their type says. */
    t->nodes[NODE_ACCEPT].data = (char *)"Accept: application/json";
    t->nodes[NODE_EXPECT].data = (char *)"Expect:";
    t->nodes[NODE_TYPE].data = (char *)content_type;
    for (int i = NODE_COUNT - 1; i >= 0; i--) {
        if (!t->nodes[i].data)
            continue;
        t->nodes[i].next = list;
        list = &t->nodes[i];
    }
    return curl_easy_setopt(t->easy, CURLOPT_HTTPHEADER, list) == CURLE_OK;
}

#define SET(option, value) ok = ok && curl_easy_setopt(t->easy, option, value) == CURLE_OK

static bool set_transport(struct transfer *t, const char *url, int64_t timeout_ms)
{
    const struct http *h = t->engine;
    bool ok = true;

    SET(CURLOPT_URL, url);
    SET(CURLOPT_PROTOCOLS_STR, t->plain ? "http" : "https");
    SET(CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    SET(CURLOPT_FOLLOWLOCATION, 0L);
    SET(CURLOPT_NOSIGNAL, 1L);
    /* A lookup that hangs is left to its thread instead of being waited for. */
    SET(CURLOPT_QUICK_EXIT, 1L);
    SET(CURLOPT_CONNECTTIMEOUT_MS, CONNECT_TIMEOUT_MS);
    SET(CURLOPT_TIMEOUT_MS, timeout_ms > INT_MAX ? (long)INT_MAX : (long)timeout_ms);
    SET(CURLOPT_TCP_KEEPALIVE, 1L);
    SET(CURLOPT_TCP_KEEPIDLE, KEEPALIVE_IDLE_S);
    SET(CURLOPT_TCP_KEEPINTVL, KEEPALIVE_EVERY_S);
    SET(CURLOPT_USERAGENT, h->user_agent);
    SET(CURLOPT_ACCEPT_ENCODING, "gzip");
    SET(CURLOPT_UPLOAD_BUFFERSIZE, (long)SECRET_HOOK_WATCHED_BYTES);
    SET(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
    SET(CURLOPT_SSL_VERIFYPEER, 1L);
    SET(CURLOPT_SSL_VERIFYHOST, 2L);
    SET(CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
    SET(CURLOPT_SSL_CTX_FUNCTION, on_tls_context);
    if (h->ca_file)
        SET(CURLOPT_CAINFO, h->ca_file);
    if (h->ca_dir || h->only_ca_file)
        SET(CURLOPT_CAPATH, h->ca_dir);
    if (t->plain) /* the bearer stays on this machine, whatever http_proxy says */
        SET(CURLOPT_PROXY, "");
    if (t->once)
        SET(CURLOPT_FRESH_CONNECT, 1L);
    return ok;
}

static bool set_request(struct transfer *t, const char *content_type)
{
    bool ok = set_headers(t, content_type);

    if (t->body) {
        SET(CURLOPT_POST, 1L);
        SET(CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)secret_len(t->body));
        SET(CURLOPT_POSTFIELDS, address_of(t->body)); /* read in place */
    }
    SET(CURLOPT_PRIVATE, t);
    SET(CURLOPT_PREREQFUNCTION, on_before_request);
    SET(CURLOPT_PREREQDATA, t);
    SET(CURLOPT_OPENSOCKETFUNCTION, on_open_socket);
    SET(CURLOPT_OPENSOCKETDATA, t);
    SET(CURLOPT_HEADERFUNCTION, on_header);
    SET(CURLOPT_HEADERDATA, t);
    SET(CURLOPT_WRITEFUNCTION, on_body);
    SET(CURLOPT_WRITEDATA, t);
    return ok;
}

#undef SET

enum err http_start(struct http *h, const struct http_request *request, uint64_t *id)
{
    struct transfer *t;
    enum err e = http_check_url(request->url, false, NULL);

    if (e != ERR_OK)
        return e;
    t = alloc_zero(1, sizeof *t);
    if (!t)
        return ERR_MEMORY;
    t->engine = h;
    t->plain = str_starts(request->url, "http:");
    t->once = request->once;
    t->body = request->body;
    t->reply.started_mono_ms = clock_mono_ms();
    t->reply.retry_after_ms = -1;
    t->easy = curl_easy_init();
    if (request->bearer)
        t->bearer = bearer_line(request->bearer);
    if (!t->easy || (request->bearer && !t->bearer) ||
        !set_transport(t, request->url, request->timeout_ms) ||
        !set_request(t, request->content_type) ||
        curl_multi_add_handle(h->multi, t->easy) != CURLM_OK) {
        t->body = NULL; /* stays the caller's */
        transfer_release(t);
        alloc_free(t);
        return ERR_MEMORY;
    }
    t->reply.id = ++h->last_id;
    t->next = h->running;
    h->running = t;
    h->running_count++;
    *id = t->reply.id;
    return ERR_OK;
}

size_t http_running(const struct http *h)
{
    return h->running_count;
}

static bool header_text(struct transfer *t, const char *name, const char **value)
{
    struct curl_header *header;

    if (curl_easy_header(t->easy, name, 0, CURLH_HEADER, -1, &header) != CURLHE_OK)
        return false;
    *value = header->value;
    return true;
}

/* Seconds, or a date that is measured against the reply's own Date, because our clock may be wrong.
 */
static int64_t retry_after_ms(struct transfer *t)
{
    const char *value, *date;
    size_t digits;
    time_t then, now = -1;
    int64_t seconds = 0;

    if (!header_text(t, "Retry-After", &value))
        return -1;
    digits = strspn(value, "0123456789");
    if (digits > 0 && value[digits] == '\0') {
        for (size_t i = 0; i < digits && seconds < RETRY_AFTER_MAX_S; i++)
            seconds = seconds * 10 + (value[i] - '0');
    } else {
        then = curl_getdate(value, NULL);
        if (then < 0)
            return -1;
        if (header_text(t, "Date", &date))
            now = curl_getdate(date, NULL);
        seconds = then - (now >= 0 ? now : clock_wall_ms() / 1000);
    }
    if (seconds < 0)
        seconds = 0;
    return (seconds > RETRY_AFTER_MAX_S ? RETRY_AFTER_MAX_S : seconds) * 1000;
}

static void read_headers(struct transfer *t)
{
    const char *value;
    size_t type;

    t->reply.retry_after_ms = retry_after_ms(t);
    if (header_text(t, "X-Request-Id", &value) && strlen(value) < sizeof t->reply.request_id) {
        bool printable = true;
        for (const char *c = value; *c; c++)
            printable = printable && *c > ' ' && *c <= '~';
        if (printable)
            (void)str_copy(t->reply.request_id, sizeof t->reply.request_id, value);
    }
    if (header_text(t, "Content-Type", &value)) {
        type = strcspn(value, "; \t");
        t->reply.is_json = (type == 16 && strncasecmp(value, "application/json", 16) == 0) ||
                           (type > 5 && strncasecmp(value + type - 5, "+json", 5) == 0);
    }
}

struct cause {
    CURLcode code;
    enum http_error error;
    const char *why;
};

static const struct cause causes[] = {
    {CURLE_OK, HTTP_OK, ""},
    {CURLE_COULDNT_RESOLVE_HOST, HTTP_DNS, ""},
    {CURLE_COULDNT_RESOLVE_PROXY, HTTP_DNS, "the name of the proxy was not found"},
    {CURLE_PROXY, HTTP_UNREACHABLE, "the proxy refused the connection"},
    {CURLE_COULDNT_CONNECT, HTTP_UNREACHABLE, ""},
    {CURLE_GOT_NOTHING, HTTP_RESET, "the connection was closed without a reply"},
    {CURLE_ABORTED_BY_CALLBACK, HTTP_RESET, "the connection was closed without a reply"},
    {CURLE_SEND_ERROR, HTTP_RESET, ""},
    {CURLE_RECV_ERROR, HTTP_RESET, ""},
    {CURLE_PARTIAL_FILE, HTTP_CUT, ""},
    {CURLE_UNSUPPORTED_PROTOCOL, HTTP_GARBAGE, "the answer is not HTTP"},
    {CURLE_WEIRD_SERVER_REPLY, HTTP_GARBAGE, "the answer is not HTTP"},
    {CURLE_BAD_CONTENT_ENCODING, HTTP_GARBAGE, "the compression of the reply is damaged"},
    {CURLE_OUT_OF_MEMORY, HTTP_MEMORY, ""},
    {CURLE_SSL_CONNECT_ERROR, HTTP_TLS, "no TLS connection could be made"},
    {CURLE_PEER_FAILED_VERIFICATION, HTTP_TLS, "the certificate is for another host"},
    {CURLE_SSL_CACERT_BADFILE, HTTP_TLS, "the file with trusted certificates cannot be read"},
    {CURLE_SSL_CERTPROBLEM, HTTP_TLS, ""},
    {CURLE_SSL_CIPHER, HTTP_TLS, ""},
    {CURLE_SSL_ISSUER_ERROR, HTTP_TLS, ""},
    {CURLE_SSL_INVALIDCERTSTATUS, HTTP_TLS, ""},
    {CURLE_USE_SSL_FAILED, HTTP_TLS, ""},
};

static void set_cause(struct transfer *t, enum http_error error, const char *why)
{
    t->reply.error = error;
    (void)str_copy(t->reply.why, sizeof t->reply.why, why);
}

static bool has_time(struct transfer *t, CURLINFO point)
{
    curl_off_t us = 0;

    return curl_easy_getinfo(t->easy, point, &us) == CURLE_OK && us > 0;
}

static void classify_timeout(struct transfer *t)
{
    if (t->began)
        set_cause(t, HTTP_TIMEOUT, "");
    else if (!has_time(t, CURLINFO_NAMELOOKUP_TIME_T))
        set_cause(t, HTTP_DNS, "the name was not found in time");
    else if (!has_time(t, CURLINFO_CONNECT_TIME_T))
        set_cause(t, HTTP_UNREACHABLE, "no connection in time");
    else
        set_cause(t, HTTP_UNREACHABLE, "connected, but the connection was not set up in time");
}

/* What only this transfer knows better than the code. */
static void refine_cause(struct transfer *t, CURLcode code)
{
    long value = 0;

    if (code == CURLE_COULDNT_CONNECT && t->strayed) {
        set_cause(t, HTTP_UNREACHABLE, "the name leads to another machine; https is needed there");
    } else if (code == CURLE_COULDNT_CONNECT) {
        curl_easy_getinfo(t->easy, CURLINFO_OS_ERRNO, &value);
        if (value == ECONNREFUSED)
            set_cause(t, HTTP_REFUSED, "");
    } else if (code == CURLE_PEER_FAILED_VERIFICATION) {
        curl_easy_getinfo(t->easy, CURLINFO_SSL_VERIFYRESULT, &value);
        /* libcurl leaves "unspecified" there when the chain is good and only the host is not. */
        if (value != X509_V_OK && value != X509_V_ERR_UNSPECIFIED)
            snprintf(t->reply.why, sizeof t->reply.why, "the certificate is not trusted: %s",
                     X509_verify_cert_error_string(value));
    } else if (!t->began && t->reply.error == HTTP_RESET) {
        curl_easy_getinfo(t->easy, CURLINFO_HTTP_CONNECTCODE, &value);
        if (value > 0) {
            t->reply.error = HTTP_UNREACHABLE;
            snprintf(t->reply.why, sizeof t->reply.why,
                     "the proxy refused the connection (HTTP %ld)", value);
        }
    }
}

static void classify(struct transfer *t, CURLcode code)
{
    if (code == CURLE_WRITE_ERROR && t->too_large) {
        set_cause(t, HTTP_TOO_LARGE, "");
        return;
    }
    if (code == CURLE_WRITE_ERROR && t->no_memory)
        code = CURLE_OUT_OF_MEMORY;
    if (code == CURLE_OPERATION_TIMEDOUT) {
        classify_timeout(t);
        return;
    }
    set_cause(t, HTTP_RESET, "the transfer failed");
    for (size_t i = 0; i < sizeof causes / sizeof causes[0]; i++)
        if (causes[i].code == code)
            set_cause(t, causes[i].error, causes[i].why);
    refine_cause(t, code);
}

/* Takes t from the running ones, fills its reply and queues it. With HTTP_OK the code decides. */
static void finish(struct transfer *t, CURLcode code, enum http_error error)
{
    struct http *h = t->engine;
    struct transfer **at = &h->running;
    long status = 0, sent = 0;

    while (*at != t)
        at = &(*at)->next;
    *at = t->next;
    h->running_count--;
    curl_easy_getinfo(t->easy, CURLINFO_REQUEST_SIZE, &sent);
    curl_easy_getinfo(t->easy, CURLINFO_RESPONSE_CODE, &status);
    if (error != HTTP_OK)
        set_cause(t, error, "");
    else
        classify(t, code);
    t->reply.may_have_arrived = t->began && sent > 0;
    t->reply.status = t->began ? (int)status : 0;
    t->reply.ended_mono_ms = clock_mono_ms();
    if (t->began)
        read_headers(t);
    if (t->reply.error == HTTP_OK) {
        t->reply.body = t->in;
        t->in = NULL;
    }
    transfer_release(t);
    t->next = NULL;
    for (at = &h->done; *at; at = &(*at)->next)
        ;
    *at = t;
}

void http_abort(struct http *h, uint64_t id)
{
    for (struct transfer *t = h->running; t; t = t->next) {
        if (t->reply.id == id) {
            finish(t, CURLE_OK, HTTP_ABORTED);
            scrub_stack();
            return;
        }
    }
}

enum err http_poll(struct http *h, const int *extra_fds, size_t count, int64_t timeout_ms)
{
    struct curl_waitfd fds[POLL_FDS_MAX];
    int timeout = timeout_ms < 0 || timeout_ms > INT_MAX ? INT_MAX : (int)timeout_ms;

    if (count > POLL_FDS_MAX)
        return ERR_BUG;
    for (size_t i = 0; i < count; i++)
        fds[i] = (struct curl_waitfd){.fd = extra_fds[i], .events = CURL_WAIT_POLLIN};
    return curl_multi_poll(h->multi, fds, (unsigned)count, timeout, NULL) == CURLM_OK ? ERR_OK
                                                                                      : ERR_MEMORY;
}

/* Opens what libcurl is going to read. A transfer whose memory cannot be opened is given up. */
static void open_running(struct http *h)
{
    struct transfer *t, *next;

    for (t = h->running; t; t = next) {
        bool bearer = !t->bearer || secret_open(t->bearer);
        bool body = !t->body || secret_open(t->body);
        next = t->next;
        if (!bearer || !body)
            finish(t, CURLE_OUT_OF_MEMORY, HTTP_OK);
    }
}

static bool is_sent(struct transfer *t)
{
    curl_off_t uploaded = 0;
    size_t len = t->body ? secret_len(t->body) : 0;

    /* Without a body there is no telling; such requests carry no secret. */
    return len > 0 && curl_easy_getinfo(t->easy, CURLINFO_SIZE_UPLOAD_T, &uploaded) == CURLE_OK &&
           uploaded >= (curl_off_t)len;
}

/* What is sent needs no copy any more: not the body of a request that goes out once, and not the
 * buffer from which TLS sent headers and body (which must not change while anything is half sent).
 */
static void close_running(struct http *h)
{
    bool newly = false, all = true;

    for (struct transfer *t = h->running; t; t = t->next) {
        if (t->bearer)
            secret_close(t->bearer);
        if (t->body)
            secret_close(t->body);
        if (!t->sent && is_sent(t)) {
            t->sent = newly = true;
            if (t->once)
                secret_clear(t->body);
        }
        all = all && t->sent;
    }
    h->wipe_due = h->wipe_due || newly;
    if (h->wipe_due && all) {
        secret_hook_wipe_watched();
        h->wipe_due = false;
    }
}

void http_run(struct http *h)
{
    struct CURLMsg *message;
    int running, left;
    bool finished = false;

    open_running(h);
    /* Errors of the whole (no memory) show up as transfers that time out. */
    (void)curl_multi_perform(h->multi, &running);
    while ((message = curl_multi_info_read(h->multi, &left))) {
        struct transfer *t = NULL;
        if (message->msg != CURLMSG_DONE)
            continue;
        curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &t);
        finish(t, message->data.result, HTTP_OK);
        finished = true;
    }
    close_running(h);
    if (finished)
        scrub_stack();
}

bool http_next(struct http *h, struct http_reply *out)
{
    struct transfer *t = h->done;

    if (!t)
        return false;
    h->done = t->next;
    *out = t->reply;
    alloc_free(t);
    return true;
}
