/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes of a terminal to input events: UTF-8, key sequences, Esc, pastes, focus. Pure (bytes and a
 * clock go in, events come out), so every split of the bytes over time can be tested; term.c reads
 * the bytes. Invariant: no byte of a key sequence ever comes out as text, however late it is. */
#ifndef TERM_INPUT_H
#define TERM_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "app/input_event.h"
#include "core/err.h"

#define INPUT_BATCH_MAX 4096 /* bytes taken at one go */
#define INPUT_ESC_MS    120  /* a lone ESC is the Esc key after this */
#define INPUT_ALT_MS    40   /* a character this soon after ESC is Alt with it */
#define INPUT_LATE_MS                                                                              \
    1000 /* longest gap inside a sequence; after Esc, "[" this soon is a torn one */
#define INPUT_PASTE_IDLE_MS 3000 /* a paste that is never closed ends after this silence */

struct input; /* opaque */

struct input *input_new(void);     /* NULL without memory */
void input_free(struct input *in); /* wipes */
/* A sequence of this terminal (from terminfo) that is not known by its form. */
enum err input_add_sequence(struct input *in, const char *bytes, enum input_key key,
                            unsigned mods) WARN_UNUSED;

/* The bytes that were there at one go, at most INPUT_BATCH_MAX; len 0 when only time has passed.
 * Always call input_settle after it, then input_next until it says false. */
void input_feed(struct input *in, const void *bytes, size_t len, int64_t now_ms);
void input_settle(struct input *in, int64_t now_ms);
void input_put_size(struct input *in, int width_cells, int height_cells);
void input_put_eof(struct input *in);
/* Moves the next event out; the caller ends it with input_event_fini. */
bool input_next(struct input *in, struct input_event *out);
/* Milliseconds until input_settle has something to decide by time alone; -1 when nothing waits. */
int input_wait_ms(const struct input *in, int64_t now_ms);
/* Forgets half-read sequences (after a suspend). */
void input_reset(struct input *in);

#endif
