/* SPDX-License-Identifier: Apache-2.0 */
/* A client against a scripted server, for tests of the network: starts both, drives the one loop
 * until a condition holds, and has replies that the service could have sent. */
#ifndef SUPPORT_NETRIG_H
#define SUPPORT_NETRIG_H

#include "net/envoy_http.h"
#include "support/badserver.h"

#define NETRIG_AGENT "envoy-console/0.1 (test)"
#define NETRIG_TOKEN "tok-5d20c4.A~b_c/d+e="

/* A complete envelope of a tool: a refusal, since that is the shortest. */
#define NETRIG_ENVELOPE(tool, code)                                                                \
    "{\"ok\":false,\"contract\":\"envoy@2026-10\",\"tool\":\"" tool                                \
    "\",\"request_id\":\"req_body\",\"trace_id\":\"4bf92f3577b34da6a3ce929d0e0e4736\","            \
    "\"server_time\":\"2026-09-29T12:00:00Z\",\"replayed\":false,\"purchase\":null,"               \
    "\"data\":null,\"next\":{\"action\":\"stop\",\"tool\":null,\"args\":null,"                     \
    "\"instruction\":\"Stop here.\",\"after_seconds\":null,\"by\":null},\"user_action\":null,"     \
    "\"follow_ups\":[],\"error\":{\"code\":\"" code "\",\"message\":\"No.\",\"fields\":[],"        \
    "\"reason_code\":null,\"retryable\":false,\"retry_after_seconds\":null}}"

#define NETRIG_PAN "6070987612344242"
#define NETRIG_CARD                                                                                \
    "{\"kind\":\"card\",\"card\":{\"number\":\"" NETRIG_PAN                                        \
    "\",\"expiry_month\":\"07\",\"expiry_year\":\"2031\",\"cvv\":\"538\",\"network\":\"rupay\"},"  \
    "\"checkout_code\":\"BANKCODE-20417795\",\"amount_limit\":{\"minor\":254900,"                  \
    "\"currency\":\"INR\",\"display\":\"₹2,549.00\"}}"
/* A status read of a ready purchase with the given payment_details. */
#define NETRIG_READY(details)                                                                      \
    "{\"ok\":true,\"contract\":\"envoy@2026-10\",\"tool\":\"get_purchase_status\","                \
    "\"request_id\":\"req_ready\",\"trace_id\":\"4bf92f3577b34da6a3ce929d0e0e4736\","              \
    "\"server_time\":\"2026-09-29T12:00:00Z\",\"replayed\":false,\"purchase\":{"                   \
    "\"purchase_id\":\"pur_0123456789abcdef0123456789abcdef\",\"service\":\"purchase\","           \
    "\"idempotency_key\":\"rig-intent-00000001\",\"revision\":4,\"terminal\":false,"               \
    "\"state\":\"ready\",\"user_task\":null,\"reason_code\":null,"                                 \
    "\"status_text\":\"Ready to pay.\",\"rail\":\"otu_card\","                                     \
    "\"rail_reason\":\"RAIL_OTU_PREFERRED\",\"checkout_by\":\"agent\",\"merchant\":{"              \
    "\"name\":\"Rig Store\",\"url\":\"https://shop.rig.test\"},\"amount\":{\"minor\":249900,"      \
    "\"currency\":\"INR\",\"display\":\"₹2,499.00\"},\"description\":\"Lamp\",\"details\":{"     \
    "\"complete\":true,\"missing\":[]},\"question\":null,\"follow_up\":null,\"approval\":{"        \
    "\"state\":\"approved\",\"method\":\"passkey\",\"decide_by\":\"2026-09-29T12:15:00Z\","        \
    "\"approval_url\":null},\"payment_ready\":{\"available\":true,\"kind\":\"card\","              \
    "\"expires_at\":null},\"money\":{\"status\":\"authorized\",\"paid\":null,"                     \
    "\"merchant_order_ref\":null},\"receipt\":null,\"chain\":{\"supersedes\":null,"                \
    "\"superseded_by\":null},\"agent\":{\"agent_id\":\"origin:https://host.rig.test\","            \
    "\"display_name\":\"Rig\",\"verification\":\"origin\"},"                                       \
    "\"created_at\":\"2026-09-29T12:00:00Z\",\"updated_at\":\"2026-09-29T12:10:00Z\"},"            \
    "\"data\":{\"payment_details\":" details "},\"next\":{\"action\":\"checkout\","                \
    "\"tool\":\"report_checkout_result\",\"args\":null,\"instruction\":\"Pay once.\","             \
    "\"after_seconds\":null,\"by\":null},\"user_action\":null,\"follow_ups\":[],\"error\":null}"

struct netrig {
    struct badserver server;
    struct envoy_http *client;
};

/* Secrets ready, inspectable, no proxy or certificate variables from outside. A cmocka group setup.
 */
int netrig_prepare(void **state);
/* Starts the server, and a client with the token. base NULL: the server's own address. */
void netrig_start(struct netrig *rig, const struct badserver_options *options, const char *base,
                  const char *ca_file);
void netrig_client(struct netrig *rig, const char *base, const char *ca_file);
void netrig_stop(struct netrig *rig);
uint64_t netrig_call(struct netrig *rig, enum contract_tool tool, const char *body,
                     int64_t timeout_ms);
/* The result of id (any when 0); fails the test after 20 s. */
struct envoy_result netrig_result(struct netrig *rig, uint64_t id);
/* A call with {} and its result. */
struct envoy_result netrig_ask(struct netrig *rig, enum contract_tool tool, int64_t timeout_ms);
/* Drives the loop until *counter is at least value. */
void netrig_until(struct netrig *rig, atomic_uint *counter, unsigned value);

#endif
