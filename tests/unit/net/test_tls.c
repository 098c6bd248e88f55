/* SPDX-License-Identifier: Apache-2.0 */
/* TLS, trust, proxies and name lookup. Certificates are made on the spot; a name that never
 * resolves is made by answering getaddrinfo ourselves. */
#include <netdb.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>
#include "core/clock.h"
#include "support/badserver.c"
#include "support/netrig.c"

#define ASK    CONTRACT_TOOL_LIST_PURCHASES
#define OK_ASK NETRIG_ENVELOPE("list_purchases", "UNAUTHENTICATED")
#define LONG   10000
#define SHORT  300

static const struct badserver_step answer[] = {{.body = OK_ASK}};

/* libcurl's resolver thread ends up here, because a program's own function comes before libc's. */
int getaddrinfo(const char *name, const char *service, const struct addrinfo *hints,
                struct addrinfo **result)
{
    struct sockaddr_in *address;

    while (strcmp(name, "hangs.test") == 0)
        poll(NULL, 0, 1000);
    if (strcmp(name, "proxy.test") != 0)
        return EAI_NONAME;
    *result = calloc(1, sizeof **result + sizeof *address);
    if (!*result)
        return EAI_MEMORY;
    address = (struct sockaddr_in *)(*result + 1);
    *address = (struct sockaddr_in){.sin_family = AF_INET,
                                    .sin_port = htons((uint16_t)(service ? atoi(service) : 0)),
                                    .sin_addr = {htonl(INADDR_LOOPBACK)}};
    **result = (struct addrinfo){.ai_family = AF_INET,
                                 .ai_socktype = hints ? hints->ai_socktype : SOCK_STREAM,
                                 .ai_addrlen = sizeof *address,
                                 .ai_addr = (struct sockaddr *)address};
    return 0;
}

void freeaddrinfo(struct addrinfo *list)
{
    free(list);
}

static char *cert_path(char path[32])
{
    int fd;

    memcpy(path, "/tmp/envoy-cert-XXXXXX", 23);
    fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    return path;
}

static void assert_outcome(struct envoy_result r, enum envoy_outcome outcome, const char *why)
{
    if (r.outcome != outcome || (why && !strstr(r.why, why)))
        fail_msg("%s: %s", envoy_outcome_name(r.outcome), r.why);
    if (outcome != ENVOY_REPLY)
        assert_false(r.may_have_arrived);
    envoy_result_fini(&r);
}

static void a_trusted_certificate_is_accepted(void **state)
{
    (void)state;
    char cert[32];
    const struct badserver_options options = {
        .steps = answer, .count = 1, .tls = true, .cert_file = cert_path(cert)};
    struct netrig rig;

    netrig_start(&rig, &options, NULL, cert);
    assert_outcome(netrig_ask(&rig, ASK, LONG), ENVOY_REPLY, NULL);
    assert_outcome(netrig_ask(&rig, ASK, LONG), ENVOY_REPLY, NULL);
    assert_int_equal(atomic_load(&rig.server.seen->connections), 1);
    netrig_stop(&rig);

    setenv("SSL_CERT_FILE", cert, 1);
    netrig_start(&rig, &options, NULL, NULL); /* writes a new certificate to the same file */
    unsetenv("SSL_CERT_FILE");
    assert_outcome(netrig_ask(&rig, ASK, LONG), ENVOY_REPLY, NULL);
    netrig_stop(&rig);
    unlink(cert);
}

static void an_untrusted_one_is_not(void **state)
{
    (void)state;
    char cert[32], other[32];
    const struct badserver_options options = {
        .steps = answer, .count = 1, .tls = true, .cert_file = cert_path(cert)};
    struct netrig rig;

    netrig_start(&rig, &options, NULL, NULL);
    assert_outcome(netrig_ask(&rig, ASK, LONG), ENVOY_TLS, "not trusted: self");
    assert_int_equal(atomic_load(&rig.server.seen->requests), 0);
    netrig_stop(&rig);

    netrig_start(&rig, &options, NULL, "/nonexistent/ca.pem");
    assert_outcome(netrig_ask(&rig, ASK, LONG), ENVOY_TLS, "cannot be read");
    netrig_stop(&rig);

    netrig_start(&rig, &options, NULL, cert_path(other)); /* an empty file */
    assert_outcome(netrig_ask(&rig, ASK, LONG), ENVOY_TLS, NULL);
    netrig_stop(&rig);
    unlink(cert);
    unlink(other);
}

static void the_host_must_be_the_right_one(void **state)
{
    (void)state;
    char cert[32];
    const struct badserver_options options = {.steps = answer,
                                              .count = 1,
                                              .tls = true,
                                              .cert_file = cert_path(cert),
                                              .cert_host = "other.test"};
    struct netrig rig;

    netrig_start(&rig, &options, NULL, cert);
    assert_outcome(netrig_ask(&rig, ASK, LONG), ENVOY_TLS, "for another host");
    assert_int_equal(atomic_load(&rig.server.seen->requests), 0);
    netrig_stop(&rig);
    unlink(cert);
}

static void no_tls_on_the_other_side(void **state)
{
    (void)state;
    static const struct badserver_options kinds[] = {
        {.steps = answer, .count = 1, .reset_on_accept = true},
        {.steps = answer, .count = 1, .silent_on_accept = true},
        {.steps = answer, .count = 1}};
    static const enum envoy_outcome outcomes_expected[] = {ENVOY_TLS, ENVOY_UNREACHABLE,
                                                           ENVOY_UNREACHABLE};
    for (size_t i = 0; i < 3; i++) {
        struct netrig rig = {.server = badserver_start(&kinds[i])};
        char base[64];
        snprintf(base, sizeof base, "https://127.0.0.1:%d", rig.server.port);
        netrig_client(&rig, base, NULL);
        assert_outcome(netrig_ask(&rig, ASK, SHORT), outcomes_expected[i], NULL);
        netrig_stop(&rig);
    }
}

static void https_goes_through_the_proxy_of_the_environment(void **state)
{
    (void)state;
    char cert[32], proxy[64];
    struct badserver_options options = {.steps = answer,
                                        .count = 1,
                                        .tls = true,
                                        .cert_file = cert_path(cert),
                                        .cert_host = "api.rig.test",
                                        .proxy_status = 200,
                                        .keep_requests = true};
    struct netrig rig = {.server = badserver_start(&options)};

    snprintf(proxy, sizeof proxy, "http://proxy.test:%d", rig.server.port);
    setenv("HTTPS_PROXY", proxy, 1);
    netrig_client(&rig, "https://api.rig.test", cert);
    assert_outcome(netrig_ask(&rig, ASK, LONG), ENVOY_REPLY, NULL);
    assert_int_equal(strncmp(rig.server.seen->connect, "CONNECT api.rig.test:443 ", 25), 0);
    assert_null(strstr(rig.server.seen->connect, "Bearer"));
    assert_non_null(strstr(rig.server.seen->request[0], "Bearer " NETRIG_TOKEN));
    envoy_http_free(rig.client);

    setenv("NO_PROXY", "rig.test", 1);
    netrig_client(&rig, "https://api.rig.test", cert);
    assert_outcome(netrig_ask(&rig, ASK, LONG), ENVOY_DNS, NULL);
    unsetenv("NO_PROXY");
    netrig_stop(&rig);

    options.proxy_status = 407;
    rig.server = badserver_start(&options);
    snprintf(proxy, sizeof proxy, "http://proxy.test:%d", rig.server.port);
    setenv("HTTPS_PROXY", proxy, 1);
    netrig_client(&rig, "https://api.rig.test", cert);
    assert_outcome(netrig_ask(&rig, ASK, LONG), ENVOY_UNREACHABLE,
                   "proxy refused the connection (HTTP 407)");
    envoy_http_free(rig.client);

    setenv("HTTPS_PROXY", "http://nowhere.test:1", 1);
    netrig_client(&rig, "https://api.rig.test", cert);
    assert_outcome(netrig_ask(&rig, ASK, LONG), ENVOY_DNS, "name of the proxy");
    unsetenv("HTTPS_PROXY");
    netrig_stop(&rig);
    unlink(cert);
}

static void plain_loopback_goes_through_no_proxy(void **state)
{
    (void)state;
    const struct badserver_options options = {.steps = answer, .count = 1};
    struct netrig rig;

    setenv("http_proxy", "http://127.0.0.1:1", 1);
    setenv("ALL_PROXY", "http://127.0.0.1:1", 1);
    netrig_start(&rig, &options, NULL, NULL);
    assert_outcome(netrig_ask(&rig, ASK, LONG), ENVOY_REPLY, NULL);
    netrig_stop(&rig);
    unsetenv("http_proxy");
    unsetenv("ALL_PROXY");
}

static void names_that_are_not_found(void **state)
{
    (void)state;
    struct netrig rig;

    netrig_client(&rig, "https://nowhere.test", NULL);
    assert_outcome(netrig_ask(&rig, ASK, LONG), ENVOY_DNS, NULL);
    envoy_http_free(rig.client);
}

/* A lookup that hangs holds up nothing: neither the loop, nor another call, nor the end. */
static void a_hanging_lookup_is_left_alone(void **state)
{
    (void)state;
    struct netrig rig;
    int64_t before = clock_mono_ms();

    netrig_client(&rig, "https://hangs.test", NULL);
    assert_outcome(netrig_ask(&rig, ASK, SHORT), ENVOY_DNS, "in time");
    uint64_t id = netrig_call(&rig, ASK, "{}", LONG);
    envoy_http_run(rig.client);
    envoy_http_abort(rig.client, id);
    assert_outcome(netrig_result(&rig, id), ENVOY_ABORTED, NULL);
    netrig_call(&rig, ASK, "{}", LONG);
    envoy_http_run(rig.client);
    envoy_http_free(rig.client);
    assert_true(clock_mono_ms() - before < LONG / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_trusted_certificate_is_accepted),
        cmocka_unit_test(an_untrusted_one_is_not),
        cmocka_unit_test(the_host_must_be_the_right_one),
        cmocka_unit_test(no_tls_on_the_other_side),
        cmocka_unit_test(https_goes_through_the_proxy_of_the_environment),
        cmocka_unit_test(plain_loopback_goes_through_no_proxy),
        cmocka_unit_test(names_that_are_not_found),
        cmocka_unit_test(a_hanging_lookup_is_left_alone),
    };
    return cmocka_run_group_tests(tests, netrig_prepare, NULL);
}
