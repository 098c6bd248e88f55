/* SPDX-License-Identifier: Apache-2.0 */
/* Sockets, the loop, and sending. We listen ourselves and hand connections to libmicrohttpd, so
 * that a fault can stop listening and start again on the same port. */
#include "sim_http_private.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/alloc.h"
#include "core/clock.h"
#include "core/str.h"
#include "sim/sim_engine.h"
#include "sim/sim_mem.h"

#define BACKLOG       128
#define WRONG_SHORTER 7

static int64_t min_ms(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

void sim_http_suspend(struct sim_request *q)
{
    if (!q->is_suspended) {
        q->is_suspended = true;
        MHD_suspend_connection(q->connection);
    }
}

void sim_http_resume(struct sim_request *q)
{
    if (q->is_suspended) {
        q->is_suspended = false;
        q->http->has_resumed = true;
        MHD_resume_connection(q->connection);
    }
}

/* With linger off a close becomes a reset. */
static void make_reset(struct sim_request *q)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(q->connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    struct linger off = {1, 0};

    if (info != NULL) {
        setsockopt(info->connect_fd, SOL_SOCKET, SO_LINGER, &off, sizeof(off));
    }
}

/* As many bytes as are due by now; the rest follows evenly until the fault's seconds are over. */
static ssize_t read_drip(struct sim_request *q, char *buf, size_t max)
{
    int64_t now = clock_mono_ms();
    int64_t total_ms = (int64_t)(q->fault.seconds * 1000) + 1;
    size_t due = 0;
    size_t n = 0;

    if (q->drip_start_mono_ms == 0) {
        q->drip_start_mono_ms = now;
    }
    due = (size_t)(((int64_t)q->reply_size * (now - q->drip_start_mono_ms)) / total_ms) + 1;
    due = due < q->reply_size ? due : q->reply_size;
    if (q->sent >= due) {
        q->due_mono_ms = now + 1 + total_ms / (int64_t)q->reply_size;
        sim_http_suspend(q);
        return 0;
    }
    n = due - q->sent < max ? due - q->sent : max;
    memcpy(buf, q->reply + q->sent, n);
    q->sent += n;
    return (ssize_t)n;
}

static ssize_t read_reply(void *cls, uint64_t pos, char *buf, size_t max)
{
    struct sim_request *q = cls;
    size_t left = q->reply_size - q->sent;

    (void)pos;
    if (q->fault.kind == SIM_FAULT_TRUNCATE && q->sent >= q->reply_size / 2) {
        return MHD_CONTENT_READER_END_WITH_ERROR;
    }
    if (left == 0) {
        return MHD_CONTENT_READER_END_OF_STREAM;
    }
    if (q->fault.kind == SIM_FAULT_DRIP) {
        return read_drip(q, buf, max);
    }
    if (left > q->reply_size / 2) {
        left = q->reply_size / 2; /* the first half, for a body that ends in the middle */
    }
    if (left > max) {
        left = max;
    }
    memcpy(buf, q->reply + q->sent, left);
    q->sent += left;
    return (ssize_t)left;
}

static struct MHD_Response *make_response(struct sim_request *q)
{
    struct MHD_Response *response = NULL;
    char length[24];

    if (q->fault.kind == SIM_FAULT_DRIP || q->fault.kind == SIM_FAULT_TRUNCATE) {
        return MHD_create_response_from_callback(q->reply_size, 1024, read_reply, q, NULL);
    }
    response = MHD_create_response_from_buffer(q->reply_size, q->reply, MHD_RESPMEM_MUST_COPY);
    if (q->fault.kind == SIM_FAULT_WRONG_LENGTH && q->reply_size > WRONG_SHORTER) {
        MHD_set_response_options(response, MHD_RF_INSANITY_HEADER_CONTENT_LENGTH, MHD_RO_END);
        snprintf(length, sizeof(length), "%zu", q->reply_size - WRONG_SHORTER);
        MHD_add_response_header(response, "Content-Length", length);
    }
    return response;
}

enum MHD_Result sim_http_send(struct sim_request *q)
{
    struct MHD_Response *response = make_response(q);
    enum MHD_Result result = MHD_NO;

    if (response == NULL) {
        return MHD_NO;
    }
    MHD_add_response_header(response, "Content-Type", q->content_type);
    MHD_add_response_header(response, "Cache-Control", "no-store");
    if (q->has_call) {
        MHD_add_response_header(response, "X-Request-Id", q->call.request_id);
    }
    if (q->retry_after[0] != '\0') {
        MHD_add_response_header(response, "Retry-After", q->retry_after);
    }
    if (q->asks_to_sign_in) {
        char value[160];

        snprintf(value, sizeof(value),
                 "Bearer resource_metadata=\"http://127.0.0.1:%u/.well-known/"
                 "oauth-protected-resource/mcp\"",
                 (unsigned)sim_http_port(q->http));
        MHD_add_response_header(response, "WWW-Authenticate", value);
    }
    result = MHD_queue_response(q->connection, (unsigned)q->status, response);
    MHD_destroy_response(response);
    return result;
}

static enum MHD_Result proceed(struct sim_request *q)
{
    switch (q->stage) {
    case SIM_STAGE_READY:
        return sim_http_send(q);
    case SIM_STAGE_ABORT:
        make_reset(q);
        return MHD_NO;
    default:
        sim_http_suspend(q);
        return MHD_YES;
    }
}

static struct sim_request *request_new(struct sim_http *h, struct MHD_Connection *connection,
                                       const char *url, const char *method)
{
    struct sim_request *q = sim_mem_zero(1, sizeof(*q));

    q->http = h;
    q->connection = connection;
    q->due_mono_ms = SIM_NEVER;
    str_copy(q->path, sizeof(q->path), url);
    str_copy(q->method, sizeof(q->method), method);
    buf_init(&q->body, SIM_BODY_MAX);
    q->next = h->requests;
    if (h->requests != NULL) {
        h->requests->prev = q;
    }
    h->requests = q;
    return q;
}

static enum MHD_Result on_request(void *cls, struct MHD_Connection *connection, const char *url,
                                  const char *method, const char *version, const char *data,
                                  size_t *data_size, void **con_cls)
{
    struct sim_request *q = *con_cls;

    (void)version;
    if (q == NULL) {
        *con_cls = request_new(cls, connection, url, method);
        return MHD_YES;
    }
    if (q->stage == SIM_STAGE_READ && *data_size > 0) {
        if (!q->is_oversize && buf_append(&q->body, data, *data_size) != ERR_OK) {
            q->is_oversize = true;
        }
        *data_size = 0;
        return MHD_YES;
    }
    if (q->stage == SIM_STAGE_READ) {
        sim_request_route(q);
    } else if (q->stage == SIM_STAGE_RUN) {
        sim_server_tick(q->http->server);
        sim_request_run(q);
    }
    return proceed(q);
}

static void on_end(void *cls, struct MHD_Connection *connection, void **con_cls,
                   enum MHD_RequestTerminationCode code)
{
    struct sim_http *h = cls;
    struct sim_request *q = *con_cls;

    (void)connection;
    (void)code;
    if (q == NULL) {
        return;
    }
    sim_engine_drop(h->server->world, q);
    if (q->prev != NULL) {
        q->prev->next = q->next;
    } else {
        h->requests = q->next;
    }
    if (q->next != NULL) {
        q->next->prev = q->prev;
    }
    if (q->has_call) {
        sim_tools_end(&q->call);
    }
    buf_fini(&q->body);
    alloc_free(q->reply);
    alloc_free(q);
    *con_cls = NULL;
}

/* A reset of the world is near: what still refers to it is let go. */
static void forget(void *ctx)
{
    struct sim_http *h = ctx;

    for (struct sim_request *q = h->requests; q != NULL; q = q->next) {
        if (q->stage == SIM_STAGE_HELD || q->stage == SIM_STAGE_SLEEP) {
            sim_engine_drop(h->server->world, q);
            q->stage = SIM_STAGE_ABORT;
            q->due_mono_ms = SIM_NEVER;
            sim_http_resume(q);
        }
    }
}

static enum err start_listening(struct sim_http *h)
{
    int one = 1;
    socklen_t size = sizeof(h->address);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

    if (fd < 0) {
        return ERR_NETWORK;
    }
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
    if (bind(fd, (const struct sockaddr *)&h->address, sizeof(h->address)) != 0 ||
        listen(fd, BACKLOG) != 0 || getsockname(fd, (struct sockaddr *)&h->address, &size) != 0) {
        close(fd);
        return ERR_NETWORK;
    }
    h->listen_fd = fd;
    h->listen_again_mono_ms = SIM_NEVER;
    return ERR_OK;
}

void sim_http_refuse(struct sim_http *h, double seconds)
{
    if (h->listen_fd >= 0) {
        close(h->listen_fd);
        h->listen_fd = -1;
    }
    h->listen_again_mono_ms = clock_mono_ms() + (int64_t)(seconds * 1000);
}

enum err sim_http_new(struct sim_http **out, struct sim_server *server, uint16_t port)
{
    struct sim_http *h = sim_mem_zero(1, sizeof(*h));

    h->server = server;
    h->address.sin_family = AF_INET;
    h->address.sin_port = htons(port);
    h->address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    h->listen_fd = -1;
    server->release = sim_request_release;
    server->forget = forget;
    server->ctx = h;
    server->world->release = sim_request_release;
    server->world->release_ctx = h;
    h->daemon =
        MHD_start_daemon(MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_NO_LISTEN_SOCKET, 0,
                         NULL, NULL, on_request, h, MHD_OPTION_NOTIFY_COMPLETED, on_end, h,
                         MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)65536, MHD_OPTION_END);
    if (h->daemon == NULL || start_listening(h) != ERR_OK) {
        sim_http_free(h);
        return ERR_NETWORK;
    }
    *out = h;
    return ERR_OK;
}

void sim_http_free(struct sim_http *h)
{
    if (h == NULL) {
        return;
    }
    if (h->daemon != NULL) {
        /* libmicrohttpd does not stop while a connection is suspended, and a run may read a request
         * that came just now and suspend it */
        do {
            h->has_resumed = false;
            for (struct sim_request *q = h->requests; q != NULL; q = q->next) {
                sim_engine_drop(h->server->world, q);
                q->stage = SIM_STAGE_ABORT;
                sim_http_resume(q);
            }
            MHD_run(h->daemon);
        } while (h->has_resumed);
        MHD_stop_daemon(h->daemon);
    }
    if (h->listen_fd >= 0) {
        close(h->listen_fd);
    }
    alloc_free(h);
}

uint16_t sim_http_port(const struct sim_http *h)
{
    return ntohs(h->address.sin_port);
}

static void accept_all(struct sim_http *h)
{
    struct sockaddr_in peer;
    socklen_t size = sizeof(peer);
    int fd = -1;

    while (h->listen_fd >= 0 && (fd = accept4(h->listen_fd, (struct sockaddr *)&peer, &size,
                                              SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0) {
        if (MHD_add_connection(h->daemon, fd, (const struct sockaddr *)&peer, size) != MHD_YES) {
            fputs("envoy-sim: a connection could not be taken\n", stderr);
        }
        size = sizeof(peer);
    }
}

static void wake_sleepers(struct sim_http *h)
{
    int64_t now = clock_mono_ms();

    for (struct sim_request *q = h->requests; q != NULL; q = q->next) {
        if (q->due_mono_ms <= now) {
            q->due_mono_ms = SIM_NEVER;
            if (q->stage == SIM_STAGE_SLEEP) {
                q->stage = q->after;
            }
            sim_http_resume(q);
        }
    }
    if (h->listen_again_mono_ms <= now && start_listening(h) != ERR_OK) {
        h->listen_again_mono_ms = now + 100; /* the port is still taken */
    }
}

static int64_t next_wake(const struct sim_http *h)
{
    int64_t due = h->listen_again_mono_ms;

    for (const struct sim_request *q = h->requests; q != NULL; q = q->next) {
        due = min_ms(due, q->due_mono_ms);
    }
    return due;
}

static int timeout_ms(struct sim_http *h)
{
    struct sim_server *s = h->server;
    int64_t wake_mono_ms = next_wake(h);
    int engine = sim_clock_timeout_ms(&s->clock, sim_engine_due(s->world));
    int64_t best = engine < 0 ? SIM_NEVER : engine;
    MHD_UNSIGNED_LONG_LONG own = 0;

    if (wake_mono_ms != SIM_NEVER) {
        int64_t left = wake_mono_ms - clock_mono_ms();

        best = min_ms(best, left > 0 ? left : 0);
    }
    if (MHD_get_timeout(h->daemon, &own) == MHD_YES) {
        best = min_ms(best, own > INT32_MAX ? INT32_MAX : (int64_t)own);
    }
    return best == SIM_NEVER ? -1 : (int)min_ms(best, INT32_MAX);
}

static bool has_ended(int fd)
{
    char bytes[256];
    ssize_t n = read(fd, bytes, sizeof(bytes));

    return n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR);
}

enum err sim_http_serve(struct sim_http *h, int signal_fd, int stdin_fd)
{
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(h->daemon, MHD_DAEMON_INFO_EPOLL_FD);
    struct pollfd fds[4] = {
        {.fd = signal_fd, .events = POLLIN},
        {.fd = stdin_fd, .events = POLLIN},
        {.fd = info != NULL ? info->epoll_fd : -1, .events = POLLIN},
        {.fd = -1, .events = POLLIN},
    };

    if (info == NULL) {
        return ERR_BUG;
    }
    for (;;) {
        sim_server_tick(h->server);
        wake_sleepers(h);
        do {
            /* a connection that was resumed inside a run moves on in the next one only */
            h->has_resumed = false;
            MHD_run(h->daemon);
        } while (h->has_resumed);
        fds[3].fd = h->listen_fd;
        if (poll(fds, 4, timeout_ms(h)) < 0 && errno != EINTR) {
            return ERR_NETWORK;
        }
        if ((fds[0].revents & POLLIN) != 0) {
            return ERR_OK;
        }
        if ((fds[1].revents & (POLLIN | POLLHUP)) != 0 && has_ended(stdin_fd)) {
            return ERR_OK;
        }
        accept_all(h);
    }
}
