/* SPDX-License-Identifier: Apache-2.0 */
/* The form of key sequences as terminals share it (ECMA-48 with xterm's, rxvt's and Linux' habits).
 */
#ifndef TERM_INPUT_KEYS_H
#define TERM_INPUT_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include "app/input_event.h"

#define INPUT_SEQUENCE_BYTES 32

enum input_keys_what {
    INPUT_KEYS_NONE, /* complete, but nothing that is known here */
    INPUT_KEYS_KEY,
    INPUT_KEYS_PASTE,
    INPUT_KEYS_FOCUS_IN,
    INPUT_KEYS_FOCUS_OUT,
};

struct input_keys_found {
    enum input_keys_what what;
    enum input_key key;
    unsigned mods;
};

/* Sequences begin with ESC and "[" or "O". */
bool input_keys_is_complete(const char *sequence, size_t len);
struct input_keys_found input_keys_find(const char *sequence, size_t len);

#endif
