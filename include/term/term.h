/* SPDX-License-Identifier: Apache-2.0 */
/* The one terminal of the process: the only user of curses. Opens it, copies canvases to it, writes
 * reveals over it, reads its bytes, and gives it back as it was on every way out.
 * Invariants: curses never holds a revealed byte; one doupdate a frame; no palette is changed. */
#ifndef TERM_TERM_H
#define TERM_TERM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "core/err.h"
#include "term/input.h"
#include "ui/canvas.h"
#include "ui/theme.h"

struct term_options {
    bool show_cursor; /* also where there is no insertion point (some screen readers need it) */
};

/* The locale must have been set (setlocale). On failure nothing was written to the terminal, *why
 * (size bytes) says in one sentence what is wrong and what helps, and the result is ERR_CONFIG. */
enum err term_open(const struct term_options *options, char *why, size_t size) WARN_UNUSED;
/* The check of term_open alone, with nothing changed. */
enum err term_check(char *why, size_t size) WARN_UNUSED;
void term_close(void); /* gives the terminal back; harmless when it is not open */
bool term_is_open(void);

bool term_is_utf8(void); /* the locale's character set; without it draw in ASCII */
int term_colors(void);   /* 0 when it has none */
int term_fd(void);       /* to poll for input */
/* As the kernel says now; LINES and COLUMNS in the environment do not count. */
void term_size(int *width_cells, int *height_cells);
void term_set_theme(const struct theme *theme, enum theme_depth depth);

/* Shows the canvas: only cells that changed are written. A canvas of another size than the terminal
 * is cut or padded. ERR_MEMORY without room for the copy that changes are found against. */
enum err term_draw(const struct canvas *c) WARN_UNUSED;
void term_redraw(void); /* the next term_draw writes everything */
void term_bell(void);
/* Asks the terminal to put text on its clipboard (OSC 52). Never a secret. ERR_LIMIT when too long.
 */
enum err term_copy(const char *text) WARN_UNUSED;

/* Writes bytes straight to the terminal inside area (from canvas_secret_find), in groups of group
 * bytes (0: none) with a blank between, over several rows if area has them (4 at most); the rest of
 * area stays as it is. ERR_LIMIT, with nothing written, when they do not fit; only printable ASCII
 * is written, ERR_FORMAT otherwise. The mask comes back with term_unreveal, and with a term_draw
 * that changes a cell of area. curses may move its cursor by writing the mask's cells again, so
 * whoever reveals does it once more after each term_draw, as long as canvas_secret_find still gives
 * the area. Fits handout_use: bytes are not kept. */
enum err term_reveal(struct canvas_rect area, int group, const unsigned char *bytes,
                     size_t len) WARN_UNUSED;
void term_unreveal(void); /* repaints the mask at once; harmless when nothing is revealed */
bool term_is_revealed(void);

/* Reads what is there into in, notices a new size and the end of the terminal, and settles in. */
void term_read(struct input *in, int64_t now_mono);
/* Adds this terminal's own key sequences. */
enum err term_describe_keys(struct input *in) WARN_UNUSED;

/* Before and after the process stops itself: hides a reveal and gives the terminal back; takes it
 * again and repaints all. ERR_CONFIG when the terminal is gone. */
void term_suspend(void);
enum err term_resume(void) WARN_UNUSED;

/* Gives the terminal back from inside a signal handler: only write and tcsetattr, wipes a reveal
 * from the screen. Once; later calls do nothing. */
void term_restore_async(void);
/* Installs handlers for the signals of a crash (SEGV, BUS, ILL, FPE, ABRT) that restore the
 * terminal and then raise the signal again with its default action. */
void term_catch_crashes(void);

#endif
