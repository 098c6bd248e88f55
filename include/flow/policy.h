/* SPDX-License-Identifier: Apache-2.0 */
/* What is allowed right now, and why not: one pure function over snapshot, handout, local facts and
 * mode. Screens ask it for hints, update asks it again before anything is sent. */
#ifndef FLOW_POLICY_H
#define FLOW_POLICY_H

#include <stdbool.h>
#include <stdint.h>
#include "contract/reply.h"

enum policy_action {
    POLICY_ANSWER,      /* send an answer to the open question */
    POLICY_FEEDBACK,
    POLICY_VAULT_SAVE,  /* ask for the offered vault save */
    POLICY_REPORT_PAID,
    POLICY_REPORT_FAILED,
    POLICY_STEP,
    POLICY_CANCEL,
    POLICY_READ,        /* look again: a plain status read that releases nothing */
    POLICY_READ_HANDOUT, /* show the handout again: one read of a ready purchase, for one press */
    POLICY_REVEAL,      /* show one field of the handout for ten seconds */
    POLICY_RETRY_OF,    /* start a linked replacement */
    POLICY_START_SAME,  /* start again for the same merchant and amount */
    POLICY_ACTION_COUNT,
};

/* STOPPED: waiting was given up and the outcome is open. Waiting for a person's answer, a ready
 * purchase that is not read by itself, and an ended one are FRESH. */
enum policy_freshness { POLICY_FRESH, POLICY_STALE, POLICY_STOPPED, POLICY_OTHER_ACCOUNT };

struct policy_facts {
    const struct contract_purchase *purchase; /* newest snapshot; NULL when only listed */
    const struct contract_enum *listed_state; /* from list_purchases, used without a snapshot; or NULL */
    enum policy_freshness freshness;
    bool read_only;
    bool no_journal;          /* what would be sent cannot be noted first, so nothing is */
    bool signed_in;
    bool handout_held;        /* guarded memory holds this purchase's handout */
    bool started_here;        /* this connection is believed to have started it */
    bool report_sent;         /* a report for the current attempt was sent, whatever came back */
    bool report_failed_known; /* that report said failed and was recorded */
    int report_failure;       /* enum contract_failure of it, CONTRACT_ABSENT */
    bool write_in_flight;     /* some write of this purchase has no outcome yet */
    bool outcome_unknown;     /* some write's reply was lost and is not resolved; a step does not count */
    bool vault_offer, feedback_offer;
    bool retry_offered;       /* the newest reply offered start_purchase with retry_of */
    const char *question_on_screen; /* id the person was shown; NULL when none */
};

enum policy_reason {
    POLICY_ALLOWED = 0,
    POLICY_NO_READ_ONLY,
    POLICY_NO_JOURNAL,
    POLICY_NO_SIGNED_OUT,
    POLICY_NO_OTHER_ACCOUNT,
    POLICY_NO_SNAPSHOT,        /* not read yet */
    POLICY_NO_STALE,           /* read it again first */
    POLICY_NO_IN_FLIGHT,       /* wait for the reply */
    POLICY_NO_OUTCOME_UNKNOWN, /* resolve by reading first */
    POLICY_NO_QUESTION,        /* no open question */
    POLICY_NO_OTHER_QUESTION,  /* the question on screen is no longer the open one */
    POLICY_NO_PASSWORD,        /* passwords are never sent */
    POLICY_NO_NOT_READY,
    POLICY_NO_ENVOY_CHECKOUT,  /* Envoy checks out: nothing to report */
    POLICY_NO_REPORTED,        /* reported already */
    POLICY_NO_HANDOUT,
    POLICY_NO_TERMINAL,        /* it has ended */
    POLICY_NO_MONEY_UNKNOWN,   /* money unsettled or unknown */
    POLICY_NO_READY_READ,      /* ready is not read by itself: use show again */
    POLICY_NO_OFFER,           /* not offered */
    POLICY_NO_STATE_UNKNOWN,   /* a state this version does not know */
    POLICY_NO_CLOSED,          /* spending access is closed */
    POLICY_NO_STILL_OPEN,      /* this purchase is still open */
    POLICY_NO_REPLACED,        /* another purchase has taken its place */
    POLICY_REASON_COUNT,
};

/* Money rules that hold for every input: while money is unknown or the state is verifying nothing
 * that could pay, start for the same merchant and amount, link a replacement or report twice is
 * allowed; in read-only mode nothing but a read that releases nothing is, and without a journal nothing
 * but that, a read that finds out a write's outcome, and a look at what is held here; an answer goes to the open
 * question on screen alone. A ready purchase may be read for a person only through READ_HANDOUT, or
 * through READ when a write's outcome has to be found out. */
enum policy_reason policy_check(enum policy_action action, const struct policy_facts *facts);
const char *policy_words(enum policy_reason reason); /* a sentence for people; "" when allowed */

#endif
