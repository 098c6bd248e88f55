/* SPDX-License-Identifier: Apache-2.0 */
/* envoy-sim as its own process on a free loopback port, and calls to it over real HTTP. Whatever
 * cannot be done fails the running cmocka test with words. simproc_stop checks that the simulator
 * saw no reply of its own breach the schemas. Knows nothing of the console. */
#ifndef SUPPORT_SIMPROC_H
#define SUPPORT_SIMPROC_H

#include <stdbool.h>
#include <stddef.h>
#include <cjson/cJSON.h>

struct simproc;

/* args: options of envoy-sim, NULL at the end; --port 0 is added. Ready when this returns. */
struct simproc *simproc_start(const char *const *args);
/* The usual one for tests: this scenario, manual clock, seed 7; is_auto plays every actor. */
struct simproc *simproc_open(const char *scenario, bool is_auto);
void simproc_stop(struct simproc *s); /* no breach allowed; NULL is allowed */
void simproc_kill(struct simproc *s); /* without asking it anything */

const char *simproc_url(const struct simproc *s);
const char *simproc_token(const struct simproc *s);
const cJSON *simproc_ready(const struct simproc *s); /* the line it printed */

/* What came back last: HTTP status, and a header of it ("" when absent; valid until the next call).
 */
long simproc_status(const struct simproc *s);
const char *simproc_header(struct simproc *s, const char *name);

/* The parsed body; NULL when it is no JSON. Valid until simproc_stop. token NULL: the right one,
 * "": none. body NULL makes it a GET. */
cJSON *simproc_send(struct simproc *s, const char *path, const char *token, const char *body);
cJSON *simproc_get(struct simproc *s, const char *path);
/* POST with a printf-like body; single quotes in the format stand for double ones. */
cJSON *simproc_post(struct simproc *s, const char *path, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* POST /tools/TOOL in the same way. */
cJSON *simproc_call(struct simproc *s, const char *tool, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A call that may go wrong on its way: gives libcurl's code (0 = all went well) and the raw body,
 * "" when there is none, valid until the next of these. */
int simproc_try(struct simproc *s, const char *tool, const char *body, const char **text);

/* A call that may be held: it runs beside the test. begin returns once the simulator counts one
 * more held read than before; finish waits for its end and gives the reply. */
struct simproc_held;
struct simproc_held *simproc_begin(struct simproc *s, const char *tool, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
cJSON *simproc_finish(struct simproc_held *h, long *status);

/* Control calls; each fails the test when the simulator refuses. */
void simproc_advance(struct simproc *s, long seconds);
void simproc_phone(struct simproc *s, const char *purchase, const char *action);
/* more: further fields as "'kind':'text','prompt':'...'", or "". */
void simproc_merchant(struct simproc *s, const char *purchase, const char *action,
                      const char *more);

/* Looks into JSON by a dotted path ("purchase.money.status", "data.transactions.0.id"); fails the
 * test when text or number is asked for and is not there. */
const cJSON *simproc_at(const cJSON *root, const char *path);
const char *simproc_text(const cJSON *root, const char *path);
long simproc_number(const cJSON *root, const char *path);
bool simproc_is_null(const cJSON *root, const char *path);

#endif
