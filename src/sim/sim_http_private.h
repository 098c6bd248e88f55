/* SPDX-License-Identifier: Apache-2.0 */
/* Private to the network side: a request and what happens to it. A request belongs to its
 * connection; held and sleeping ones are suspended and stand in the list of the server. */
#ifndef SIM_HTTP_PRIVATE_H
#define SIM_HTTP_PRIVATE_H

#include <microhttpd.h>
#include <netinet/in.h>

#include "core/buf.h"
#include "sim/sim_http.h"
#include "sim/sim_tools.h"

#define SIM_BODY_MAX 65536

enum sim_stage {
    SIM_STAGE_READ,  /* the body arrives */
    SIM_STAGE_SLEEP, /* suspended until due_mono_ms; then the stage in after */
    SIM_STAGE_RUN,   /* to be run now */
    SIM_STAGE_HELD,  /* suspended by a held read */
    SIM_STAGE_READY, /* status and body are there */
    SIM_STAGE_ABORT, /* the connection is to be reset */
};

struct sim_http {
    struct sim_server *server;
    struct MHD_Daemon *daemon;
    int listen_fd; /* -1 while connections are refused */
    struct sockaddr_in address;
    int64_t listen_again_mono_ms; /* SIM_NEVER while listening */
    bool has_resumed;             /* a suspended connection waits for the next run of the daemon */
    struct sim_request *requests; /* all that are alive */
};

struct sim_request {
    struct sim_request *prev, *next;
    struct sim_http *http;
    struct MHD_Connection *connection;
    char method[8];
    char path[128];
    struct buf body;
    bool is_oversize;
    enum sim_stage stage;
    enum sim_stage after; /* the stage after a sleep */
    bool is_suspended;
    int64_t due_mono_ms; /* SIM_NEVER when it does not sleep */

    struct sim_call call;
    bool has_call;
    uint64_t call_number; /* 0 when it is not recorded */
    struct sim_fault fault;

    int status;
    char *reply; /* owned */
    size_t reply_size;
    const char *content_type;
    char retry_after[64]; /* "" for none */
    bool asks_to_sign_in;
    /* how the body leaves */
    size_t sent;
    int64_t drip_start_mono_ms; /* 0 before the first byte */
};

/* Decides what the complete request gets; sets the stage. */
void sim_request_route(struct sim_request *q);
/* Runs the tool of a request whose stage is RUN. */
void sim_request_run(struct sim_request *q);
/* For the engine: the hold of owner (a request) has ended. */
void sim_request_release(void *ctx, void *owner, bool is_unchanged);
/* Makes the reply the given JSON; deletes it. */
void sim_request_json(struct sim_request *q, int status, cJSON *o);

void sim_http_suspend(struct sim_request *q);
void sim_http_resume(struct sim_request *q);
void sim_http_refuse(struct sim_http *h, double seconds);
/* Queues the ready reply, in the manner of its fault. */
enum MHD_Result sim_http_send(struct sim_request *q);

#endif
