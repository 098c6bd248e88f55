/* SPDX-License-Identifier: Apache-2.0 */
/* Drives the client's loop as the program does: poll, run, take results. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "core/clock.h"
#include "secret/harden.h"
#include "support/netrig.h"

#define PATIENCE_MS 20000

int netrig_prepare(void **state)
{
    static const char *const outside[] = {
        "http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy",     "ALL_PROXY",
        "no_proxy",   "NO_PROXY",    "HTTP_PROXY",  "SSL_CERT_FILE", "SSL_CERT_DIR"};
    bool mlock_ok;

    (void)state;
    for (size_t i = 0; i < sizeof outside / sizeof outside[0]; i++)
        unsetenv(outside[i]);
    setenv(HARDEN_INSPECT_ENV, "1", 1);
    return secret_init(&mlock_ok) == ERR_OK ? 0 : -1;
}

void netrig_client(struct netrig *rig, const char *base, const char *ca_file)
{
    const struct envoy_http_settings settings = {
        .base_url = base, .user_agent = NETRIG_AGENT, .ca_file = ca_file};
    struct secret *token = secret_new(sizeof NETRIG_TOKEN);

    assert_int_equal(envoy_http_new(&settings, &rig->client), ERR_OK);
    assert_int_equal(secret_append(token, NETRIG_TOKEN, sizeof NETRIG_TOKEN - 1), ERR_OK);
    assert_int_equal(envoy_http_set_token(rig->client, token), ERR_OK);
    secret_free(token);
}

void netrig_start(struct netrig *rig, const struct badserver_options *options, const char *base,
                  const char *ca_file)
{
    char own[64];

    rig->server = badserver_start(options);
    snprintf(own, sizeof own, "%s://127.0.0.1:%d", options->tls ? "https" : "http",
             rig->server.port);
    netrig_client(rig, base ? base : own, ca_file);
}

void netrig_stop(struct netrig *rig)
{
    envoy_http_free(rig->client);
    badserver_stop(&rig->server);
}

uint64_t netrig_call(struct netrig *rig, enum contract_tool tool, const char *body,
                     int64_t timeout_ms)
{
    uint64_t id = 0;

    assert_int_equal(envoy_http_call(rig->client, tool, body, strlen(body), timeout_ms, &id),
                     ERR_OK);
    assert_int_not_equal(id, 0);
    return id;
}

static void turn(struct netrig *rig, int64_t end_ms)
{
    assert_true(clock_mono_ms() < end_ms);
    assert_int_equal(envoy_http_poll(rig->client, NULL, 0, 50), ERR_OK);
    envoy_http_run(rig->client);
}

struct envoy_result netrig_result(struct netrig *rig, uint64_t id)
{
    int64_t end_ms = clock_mono_ms() + PATIENCE_MS;
    struct envoy_result r;

    while (!envoy_http_next(rig->client, &r))
        turn(rig, end_ms);
    if (id != 0)
        assert_int_equal(r.id, id);
    return r;
}

struct envoy_result netrig_ask(struct netrig *rig, enum contract_tool tool, int64_t timeout_ms)
{
    return netrig_result(rig, netrig_call(rig, tool, "{}", timeout_ms));
}

void netrig_until(struct netrig *rig, atomic_uint *counter, unsigned value)
{
    int64_t end_ms = clock_mono_ms() + PATIENCE_MS;

    while (atomic_load(counter) < value)
        turn(rig, end_ms);
}
