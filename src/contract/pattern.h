/* SPDX-License-Identifier: Apache-2.0 */
/* The contract's string patterns as functions, shared by decoding and input checks. Text may hold
 * any byte; len counts them. Private to the contract layer. Page: schemas. */
#ifndef CONTRACT_PATTERN_H
#define CONTRACT_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

/* ^[0-9a-f]{8}-... in lower case only, as the input schemas want it. */
bool pattern_is_attempt_id(const char *s);
/* The merchant and image address form of inputs: optional http(s)://, a dotted host without port or
 * user part, no blank anywhere. */
bool pattern_is_web_address(const char *s);
/* An https:// address with nothing in it that is a blank, a control byte or invisible. */
bool pattern_is_https(const char *s, size_t len);
/* ^[0-9]+(?:\.[0-9]{1,2})?$, up to 20 characters. */
bool pattern_is_rupees(const char *s);
bool pattern_has_control(const char *s); /* C0, DEL or C1 */
/* Six digits of an Indian PIN code somewhere in s, standing alone, "560001" or "560 001". */
bool pattern_has_pin_code(const char *s);

#endif
