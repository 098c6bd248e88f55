/* SPDX-License-Identifier: Apache-2.0 */
/* Freeing half-built parts of a reply. Private to the contract layer. */
#ifndef CONTRACT_FREE_H
#define CONTRACT_FREE_H

#include "contract/reply.h"

void agent_fini(struct contract_agent *a);

#endif
