/* SPDX-License-Identifier: Apache-2.0 */
/* One thread a connection, in a child that ends when it is killed or its parent dies. Knows just
 * enough HTTP to read one request after another. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include "support/badserver.h"

#define REQUEST_BYTES ((size_t)256 * 1024)

struct conn {
    int fd;
    SSL *ssl; /* NULL: plain */
    const struct badserver_options *options;
    struct badserver_seen *seen;
    SSL_CTX *tls;
};

static void must(bool good, const char *what)
{
    if (!good) {
        perror(what);
        abort();
    }
}

static ssize_t conn_read(struct conn *c, void *bytes, size_t len)
{
    return c->ssl ? SSL_read(c->ssl, bytes, (int)len) : read(c->fd, bytes, len);
}

static bool conn_write(struct conn *c, const void *bytes, size_t len)
{
    const char *at = bytes;

    while (len > 0) {
        ssize_t n = c->ssl ? SSL_write(c->ssl, at, (int)len) : send(c->fd, at, len, MSG_NOSIGNAL);
        if (n <= 0)
            return false;
        at += n;
        len -= (size_t)n;
    }
    return true;
}

static void wait_ms(int ms)
{
    poll(NULL, 0, ms);
}

static void conn_reset(struct conn *c)
{
    const struct linger now = {.l_onoff = 1, .l_linger = 0};

    setsockopt(c->fd, SOL_SOCKET, SO_LINGER, &now, sizeof now);
}

/* One request with its body; 0 when the connection ended. The text is terminated. */
static size_t read_request(struct conn *c, char *text, size_t size)
{
    size_t len = 0, want = 0;

    for (;;) {
        ssize_t n = conn_read(c, text + len, want > 0 ? want - len : 1);
        if (n <= 0)
            return 0;
        len += (size_t)n;
        text[len] = '\0';
        if (want == 0 && len >= 4 && memcmp(text + len - 4, "\r\n\r\n", 4) == 0) {
            const char *length = strcasestr(text, "\r\nContent-Length:");
            want = len + (length ? strtoul(length + 17, NULL, 10) : 0);
            if (want >= size)
                return 0;
        }
        if (want > 0 && len >= want)
            return len;
        if (len + 1 >= size)
            return 0;
    }
}

static int pick_step(struct conn *c, const char *request)
{
    for (size_t i = 0; i < c->options->count; i++) {
        const struct badserver_step *step = &c->options->steps[i];
        size_t n = step->path ? strlen(step->path) : 0;
        const char *path = strchr(request, ' ');
        if (n > 0 && (!path || strncmp(path + 1, step->path, n) != 0 || path[1 + n] != ' '))
            continue;
        if (atomic_fetch_add(&c->seen->steps[i], 1) < step->times || step->times == 0)
            return (int)i;
        atomic_fetch_sub(&c->seen->steps[i], 1);
    }
    return -1;
}

static uint32_t crc_of(const unsigned char *bytes, size_t len)
{
    uint32_t crc = 0xffffffffu;

    for (size_t i = 0; i < len; i++) {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
    }
    return ~crc;
}

static void put_le(FILE *out, uint32_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        fputc((int)(value >> (8 * i) & 0xff), out);
}

static void put_gzip(FILE *out, const char *body, size_t len, bool good)
{
    static const unsigned char head[] = {0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3};
    size_t at = 0;

    fwrite(head, 1, sizeof head, out);
    do {
        size_t n = len - at < 65535 ? len - at : 65535;
        fputc(at + n == len, out);
        put_le(out, (uint32_t)n, 2);
        put_le(out, (uint32_t)(good ? ~n : n), 2);
        fwrite(body + at, 1, n, out);
        at += n;
    } while (at < len);
    put_le(out, crc_of((const unsigned char *)body, len), 4);
    put_le(out, (uint32_t)len, 4);
}

static void put_body(FILE *out, const struct badserver_step *step, const char *body, size_t len)
{
    char *packed = NULL;
    size_t packed_len = 0;
    FILE *pack;

    switch (step->framing) {
    case BADSERVER_CHUNKED:
        fputs("Transfer-Encoding: chunked\r\n\r\n", out);
        for (size_t at = 0; at < len; at += 3) {
            size_t n = len - at < 3 ? len - at : 3;
            fprintf(out, "%zx\r\n", n);
            fwrite(body + at, 1, n, out);
            fputs("\r\n", out);
        }
        fputs("0\r\n\r\n", out);
        return;
    case BADSERVER_GZIP:
    case BADSERVER_GZIP_BAD:
        pack = open_memstream(&packed, &packed_len);
        put_gzip(pack, body, len, step->framing == BADSERVER_GZIP);
        fclose(pack);
        fprintf(out, "Content-Encoding: gzip\r\nContent-Length: %zu\r\n\r\n", packed_len);
        fwrite(packed, 1, packed_len, out);
        free(packed);
        return;
    case BADSERVER_UNTIL_CLOSE:
        fputs("Connection: close\r\n\r\n", out);
        break;
    case BADSERVER_RAW:
        break;
    default:
        fprintf(out, "Content-Length: %zu\r\n\r\n",
                len + (step->framing == BADSERVER_SHORT ? 10 : 0));
    }
    fwrite(body, 1, len, out);
}

static bool send_reply(struct conn *c, const struct badserver_step *step)
{
    static const char usual[] = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n";
    char *body = NULL, *all = NULL;
    size_t body_len = 0, all_len = 0;
    FILE *out = open_memstream(&body, &body_len);
    bool good = true;

    for (size_t i = 0; i < (step->repeat > 0 ? step->repeat : 1); i++)
        fputs(step->body ? step->body : "", out);
    fclose(out);
    out = open_memstream(&all, &all_len);
    if (step->framing != BADSERVER_RAW)
        fputs(step->head ? step->head : usual, out);
    put_body(out, step, body, body_len);
    fclose(out);
    for (size_t at = 0; step->act == BADSERVER_DRIP && good && at < all_len; at++) {
        wait_ms(20);
        good = conn_write(c, all + at, 1);
    }
    if (step->act != BADSERVER_DRIP)
        good = conn_write(c, all, all_len);
    free(body);
    free(all);
    return good;
}

/* True when the connection goes on. */
static bool play(struct conn *c, const struct badserver_step *step)
{
    switch (step->act) {
    case BADSERVER_HOLD:
        while (!atomic_load(&c->seen->released))
            wait_ms(2);
        return send_reply(c, step);
    case BADSERVER_SILENT:
        for (;;)
            wait_ms(1000);
    case BADSERVER_CLOSE:
        return false;
    case BADSERVER_RESET:
        conn_reset(c);
        return false;
    case BADSERVER_REPLY_CLOSE:
        send_reply(c, step);
        return false;
    default:
        return send_reply(c, step);
    }
}

static bool open_conn(struct conn *c, char *text)
{
    if (c->options->reset_on_accept) {
        conn_reset(c);
        return false;
    }
    while (c->options->silent_on_accept)
        wait_ms(1000);
    if (c->options->proxy_status) {
        char answer[64];
        if (!read_request(c, text, REQUEST_BYTES))
            return false;
        snprintf(c->seen->connect, sizeof c->seen->connect, "%s", text);
        snprintf(answer, sizeof answer, "HTTP/1.1 %d Answer\r\n\r\n", c->options->proxy_status);
        if (!conn_write(c, answer, strlen(answer)) || c->options->proxy_status != 200)
            return false;
    }
    if (c->tls) {
        c->ssl = SSL_new(c->tls);
        SSL_set_fd(c->ssl, c->fd);
        return SSL_accept(c->ssl) == 1;
    }
    return true;
}

static void *serve(void *ctx)
{
    struct conn *c = ctx;
    char *text = malloc(REQUEST_BYTES);
    bool more = text && open_conn(c, text);

    while (more && read_request(c, text, REQUEST_BYTES) > 0) {
        int step = pick_step(c, text);
        if (step >= 0 && c->options->keep_requests)
            snprintf(c->seen->request[step], BADSERVER_REQUEST_MAX, "%s", text);
        atomic_fetch_add(&c->seen->requests, 1);
        more = step >= 0 && play(c, &c->options->steps[step]);
    }
    if (c->ssl)
        SSL_free(c->ssl);
    close(c->fd);
    free(text);
    free(c);
    return NULL;
}

static void add_name(X509 *cert, const char *host)
{
    struct in_addr v4;
    char value[128];
    X509_EXTENSION *names;

    snprintf(value, sizeof value, "%s:%s", inet_pton(AF_INET, host, &v4) == 1 ? "IP" : "DNS", host);
    names = X509V3_EXT_conf_nid(NULL, NULL, NID_subject_alt_name, value);
    must(names && X509_add_ext(cert, names, -1), "subjectAltName");
    X509_EXTENSION_free(names);
}

/* A self-signed certificate, good for a day, written to options->cert_file. */
static SSL_CTX *make_tls(const struct badserver_options *options)
{
    SSL_CTX *tls = SSL_CTX_new(TLS_server_method());
    EVP_PKEY *key = EVP_EC_gen("P-256");
    X509 *cert = X509_new();
    FILE *file;

    must(tls && key && cert, "certificate");
    X509_set_version(cert, 2);
    ASN1_INTEGER_set(X509_get_serialNumber(cert), (long)getpid());
    X509_gmtime_adj(X509_getm_notBefore(cert), -3600);
    X509_gmtime_adj(X509_getm_notAfter(cert), 86400);
    X509_NAME_add_entry_by_txt(X509_get_subject_name(cert), "CN", MBSTRING_ASC,
                               (const unsigned char *)"test server", -1, -1, 0);
    X509_set_issuer_name(cert, X509_get_subject_name(cert));
    X509_set_pubkey(cert, key);
    add_name(cert, options->cert_host ? options->cert_host : "127.0.0.1");
    must(X509_sign(cert, key, EVP_sha256()) > 0, "sign");
    must(SSL_CTX_use_certificate(tls, cert) == 1 && SSL_CTX_use_PrivateKey(tls, key) == 1, "use");
    file = fopen(options->cert_file, "we");
    must(file && PEM_write_X509(file, cert) == 1 && fclose(file) == 0, options->cert_file);
    X509_free(cert);
    EVP_PKEY_free(key);
    return tls;
}

static void accept_all(int listener, const struct badserver_options *options,
                       struct badserver_seen *seen, SSL_CTX *tls)
{
    for (;;) {
        pthread_t thread;
        struct conn *c = calloc(1, sizeof *c);
        int fd = accept(listener, NULL, NULL);
        must(c && fd >= 0, "accept");
        *c = (struct conn){.fd = fd, .options = options, .seen = seen, .tls = tls};
        atomic_fetch_add(&seen->connections, 1);
        must(pthread_create(&thread, NULL, serve, c) == 0, "thread");
        pthread_detach(thread);
    }
}

struct badserver badserver_start(const struct badserver_options *options)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t size = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    SSL_CTX *tls = options->tls ? make_tls(options) : NULL;
    struct badserver server = {.seen = mmap(NULL, sizeof *server.seen, PROT_READ | PROT_WRITE,
                                            MAP_SHARED | MAP_ANONYMOUS, -1, 0)};
    pid_t parent = getpid();

    must(server.seen != MAP_FAILED && options->count <= BADSERVER_STEPS_MAX, "mmap");
    must(listener >= 0 && bind(listener, (struct sockaddr *)&address, size) == 0 &&
             listen(listener, 64) == 0 &&
             getsockname(listener, (struct sockaddr *)&address, &size) == 0,
         "listen");
    server.port = ntohs(address.sin_port);
    server.pid = fork();
    must(server.pid >= 0, "fork");
    if (server.pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        signal(SIGPIPE, SIG_IGN);
        if (getppid() == parent)
            accept_all(listener, options, server.seen, tls);
        _exit(0);
    }
    close(listener);
    SSL_CTX_free(tls);
    return server;
}

void badserver_release(struct badserver *server)
{
    atomic_store(&server->seen->released, true);
}

void badserver_stop(struct badserver *server)
{
    kill(server->pid, SIGKILL);
    waitpid(server->pid, NULL, 0);
    munmap(server->seen, sizeof *server->seen);
}
