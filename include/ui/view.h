/* SPDX-License-Identifier: Apache-2.0 */
/* What every screen, pane and dialog is drawn from, and the words that several of them share. All
 * of it is borrowed for one frame: a part keeps nothing but ids, and those live in the model. */
#ifndef UI_VIEW_H
#define UI_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "app/model.h"
#include "ui/canvas.h"
#include "ui/layout.h"
#include "ui/theme.h"

#define VIEW_TEXT_MAX      512
#define VIEW_PURCHASES_MAX 512 /* rows that a list can show */

struct view {
    const struct model *m;
    const struct theme *t;
    struct canvas *c;
    struct layout l;
    int64_t now_ms; /* server time */
};

/* Appends to a terminated text; what does not fit is left out at a code point. */
void view_add(char *out, size_t size, const char *fmt, ...) PRINTF_LIKE(3, 4);
/* An amount for a narrow place: what people see, with " !" when the exact one differs. */
void view_amount_brief(const struct view *v, const struct contract_amount *a, char *out,
                       size_t size);
/* "until 14:20 (18 min)", with the date when it is another day; at zero "time is up, checking";
 * "no deadline given". A deadline of a stale purchase begins with "~ ". */
void view_until(const struct view *v, int64_t by_ms, bool stale, char *out, size_t size);
/* "30 Nov 13:02", and "30 Nov 2025" in another year; "time unknown" without a time. */
void view_day(const struct view *v, int64_t at_ms, char *out, size_t size);
/* "14:01:02" of today, else as view_day; "unknown" without a time. */
void view_time(const struct view *v, int64_t at_ms, char *out, size_t size);
/* "Headphones, black · Example Store", as far as both are known. */
void view_purchase_name(const struct model_purchase *p, char *out, size_t size);
const char *view_merchant(const struct model_purchase *p); /* never NULL */
/* The newest snapshot's amount, or the one of the list. */
const struct contract_amount *view_purchase_amount(const struct model_purchase *p);
/* Key of a command, "" when there is no such command or it is not allowed now. */
const char *view_key(const struct view *v, const char *command);
/* "p paid  f failed" in a row that is taken off *area: the commands that are allowed now, in the
 * order given. False, with nothing taken, when there are none or no room. */
struct view_key_word {
    const char *command;
    const char *label; /* NULL: the command's own */
};
bool view_take_keys(const struct view *v, struct canvas_rect *area,
                    const struct view_key_word *words, size_t count);
/* Role of words about a state. */
unsigned view_glyph_style(enum contract_glyph glyph);
/* One line of a write's fate: on its way, recorded, refused and why; false when there is none. */
bool view_write_words(const struct view *v, const struct model_write *w, char *out, size_t size);
/* Draws a wrapped text at the top of *area and moves area below it. Returns its rows. */
int view_take_text(const struct view *v, struct canvas_rect *area, unsigned style,
                   const char *text);

#endif
