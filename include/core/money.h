/* SPDX-License-Identifier: Apache-2.0 */
/* Indian rupees as 64-bit paise. No floating point anywhere. */
#ifndef CORE_MONEY_H
#define CORE_MONEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "core/err.h"

#define MONEY_TEXT_MAX 48 /* bytes that money_format needs at most, with NUL */

/* 249900 -> "₹2,499.00", 10000000 -> "₹1,00,000.00"; "INR " instead of the sign when ascii. */
void money_format(char out[MONEY_TEXT_MAX], int64_t amount_minor, bool ascii);
/* "2499", "₹1,299.00", "1 299.5" is refused. Strips the sign and thousands commas as the contract
 * does (pages: start_purchase, total). ERR_FORMAT on anything else or over 20 characters. */
enum err money_parse(const char *text, int64_t *amount_minor) WARN_UNUSED;
/* Wire form of an amount: "2499.00". */
void money_wire(char out[MONEY_TEXT_MAX], int64_t amount_minor);
/* True when display, with sign, spaces and commas ignored, says the same amount as minor. */
bool money_display_agrees(const char *display, int64_t amount_minor);

#endif
