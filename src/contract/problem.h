/* SPDX-License-Identifier: Apache-2.0 */
/* Collecting what is wrong with an input, in the form of error.fields. Private to the contract
 * layer. Values never appear in a problem. */
#ifndef CONTRACT_PROBLEM_H
#define CONTRACT_PROBLEM_H

#include <jansson.h>
#include "contract/input.h"

/* path is a JSON pointer. */
void problem_add(struct contract_problems *p, const char *path, const char *problem,
                 const char *expected);

/* Rules that the tool pages state in words and that span fields; run after the schema. text is the
 * input itself, for numbers as written. */
void rules_check(enum contract_tool tool, const json_t *input, const char *text, size_t len,
                 struct contract_problems *p);
/* The amount of a top-level member given as text or number; false when there is none to read. */
bool rules_amount(const json_t *input, const char *text, size_t len, const char *name,
                  int64_t *minor);

#endif
