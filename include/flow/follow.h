/* SPDX-License-Identifier: Apache-2.0 */
/* From a reply and its next: what to call next for this purchase, when, with which arguments, and
 * when to stop and why. Pure: no clock, no I/O. The console itself calls only get_purchase_status;
 * everything else that next names waits for a person. Pages: walkthrough (Follow next), recovery
 * (Stop waiting), errors (States and next.action); contract README points 2, 5, 6. */
#ifndef FLOW_FOLLOW_H
#define FLOW_FOLLOW_H

#include <stdbool.h>
#include <stdint.h>
#include "contract/enums.h"
#include "contract/reply.h"

#define FOLLOW_UNCHANGED_MAX    4
#define FOLLOW_TIMEOUT_MIN_MS   60000
#define FOLLOW_TIMEOUT_SLACK_MS 15000
#define FOLLOW_PLAIN_DELAY_MS   5000 /* between plain reads that bring no change and name no delay \
                                      */

enum follow_stop {
    FOLLOW_GOING = 0,     /* not stopped */
    FOLLOW_READY,         /* ready: read only on an explicit key */
    FOLLOW_QUESTION,      /* a question is open: waits for a person */
    FOLLOW_PASSWORD,      /* the question is for a password: only a cancel can follow */
    FOLLOW_TERMINAL,      /* ended and money settled */
    FOLLOW_NEEDS_SUPPORT, /* ended, or told to stop, with money or outcome unknown */
    FOLLOW_TOLD,          /* next.action stop: not confirmed yet */
    FOLLOW_BY_PASSED,     /* next.by passed: not confirmed yet */
    FOLLOW_UNCHANGED,     /* four held reads unchanged: not confirmed yet */
    FOLLOW_REPLACED,      /* superseded: follow plan.replacement */
    FOLLOW_UNKNOWN_TOOL,  /* next names a tool this version does not know: update needed */
    FOLLOW_UNKNOWN_STATE, /* a state this version does not know and no read offered */
    FOLLOW_SIGN_IN,       /* UNAUTHENTICATED or next.action reconnect */
    FOLLOW_UPDATE,        /* CLIENT_UPDATE_REQUIRED */
    FOLLOW_NOT_FOUND,     /* no such purchase for this account */
    FOLLOW_REFUSED,       /* another error that says stop */
    FOLLOW_LOST,          /* transport trouble: retry rules apply (flow/retry) */
    FOLLOW_STOP_COUNT,
};

/* What the caller knows from earlier reads of the same purchase. Start with follow_begin. */
struct follow_memory {
    int64_t revision; /* of the newest good snapshot; -1 when none */
    int unchanged;    /* consecutive held reads without a change */
    int state;        /* enum contract_state of that snapshot, or CONTRACT_ABSENT / _UNRECOGNISED */
};

struct follow_plan {
    enum follow_stop stop;   /* FOLLOW_GOING: call again */
    enum contract_tool tool; /* GET_PURCHASE_STATUS whenever going */
    const char *args;        /* next.args, exact; borrowed from the reply */
    bool held;               /* the call may hold (after_revision given, wait_seconds not 0) */
    int64_t delay_ms;        /* wait this long before the call (after_seconds) */
    int64_t timeout_ms;      /* client time-out: wait_seconds + 15 s, at least 60 s */
    int64_t by_ms;           /* stop then; CLOCK_NONE when no limit was given */
    char replacement[CONTRACT_ID_MAX]; /* purchase to follow instead; "" when none */
    bool outdated; /* the reply is older than memory: keep the snapshot and plan you have */
    struct follow_memory memory; /* to be kept for the next call */
};

void follow_begin(struct follow_memory *memory);
/* A reply of any tool that concerns this purchase. was_held: the call carried after_revision and
 * could hold. A reply with an older revision than memory's changes nothing in memory (case N5).
 * now_ms: server time now. Only a held read that came back with the same revision counts as
 * unchanged; a change or a plain read resets the count. A failed or cancelled purchase whose money
 * is neither untouched nor refunded, a completed one whose money is unknown, and
 * ORDER_OUTCOME_UNKNOWN with a stop give FOLLOW_NEEDS_SUPPORT (page results). A call_tool to
 * get_purchase_status while the newest snapshot is ready gives FOLLOW_READY, never a call. A read
 * without args.purchase is not followed (it could reach a ready one), and a read of another
 * purchase than the reply's own gives FOLLOW_REPLACED, for the caller to judge by that one's own
 * state. */
void follow_reply(const struct follow_memory *memory, const struct contract_reply *reply,
                  bool was_held, int64_t now_ms, struct follow_plan *plan);
/* by may pass while a read is being held or waited for: true when it is time to stop. */
bool follow_by_passed(int64_t by_ms, int64_t now_ms);
/* May a purchase that is only known from list_purchases be read without releasing anything?
 * (open, recognised, not ready) */
bool follow_may_open(const struct contract_enum *state);
/* Sentence for people ("not confirmed yet: four reads brought no change"). Never NULL. */
const char *follow_stop_words(enum follow_stop stop);
/* True for stops after which the outcome is open ("not confirmed yet", needs support, unknown state
 * or tool): never shown as done or failed (case P2). */
bool follow_stop_is_open(enum follow_stop stop);

#endif
