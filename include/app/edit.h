/* SPDX-License-Identifier: Apache-2.0 */
/* A text being written: pure editing, by characters as people see them (grapheme clusters), with a
 * limit in code points as the contract counts. Knows core only; a widget draws it.
 * Invariants: text is valid UTF-8 and never longer than the limit; the cursor stands between
 * clusters; a refused change changes nothing. Not for secrets: those are typed into struct secret.
 */
#ifndef APP_EDIT_H
#define APP_EDIT_H

#include <stdbool.h>
#include <stddef.h>
#include "core/buf.h"
#include "core/err.h"

struct edit {
    struct buf text; /* owned */
    size_t at;       /* cursor, in bytes */
    size_t limit;    /* code points */
    bool one_line;   /* line ends become blanks */
    int goal_cells;  /* column that Up and Down try to keep; -1 when none */
    int width_cells; /* what the rows of Up, Down, Home and End are wrapped at; 0: not wrapped */
    bool refused;    /* the last insert did not fit; cleared by the next change */
};

/* A row of the wrapped text: bytes [start, end) with the blanks and the line end it closes with;
 * drawn are [start, start + shown). The rows follow each other without gaps. */
struct edit_row {
    size_t start, end, shown;
};

struct edit_place {
    int row, cells; /* of the cursor */
};

void edit_init(struct edit *e, size_t limit, bool one_line); /* allocates nothing yet */
void edit_fini(struct edit *e);
const char *edit_text(const struct edit *e); /* "" when empty; borrowed until the next change */
size_t edit_len(const struct edit *e);       /* bytes */
size_t edit_count(const struct edit *e);     /* code points */
bool edit_is_empty(const struct edit *e);    /* nothing but blanks and line ends */
void edit_clear(struct edit *e);
/* Replaces the whole text, cursor at the end. */
enum err edit_set(struct edit *e, const char *text) WARN_UNUSED;

/* At the cursor. CR LF and CR become LF, tabs blanks; other control bytes and invalid UTF-8 are
 * left out. ERR_LIMIT when it would pass the limit: nothing is inserted then and refused is set, so
 * that what is written is never silently a part of what was pasted. */
enum err edit_insert(struct edit *e, const char *bytes, size_t len) WARN_UNUSED;
void edit_backspace(struct edit *e); /* one cluster */
void edit_delete(struct edit *e);
void edit_backspace_word(struct edit *e);
void edit_kill_to_start(struct edit *e); /* of the paragraph */
void edit_kill_to_end(struct edit *e);

void edit_left(struct edit *e);
void edit_right(struct edit *e);
void edit_word_left(struct edit *e);
void edit_word_right(struct edit *e);
void edit_home(struct edit *e); /* of the wrapped row */
void edit_end(struct edit *e);
void edit_text_start(struct edit *e);
void edit_text_end(struct edit *e);
bool edit_up(struct edit *e); /* false when it was in the first row already */
bool edit_down(struct edit *e);

/* Rows of the text wrapped at width_cells (at least 1 row, also when empty); writes at most max,
 * returns how many there are. */
size_t edit_rows(const struct edit *e, int width_cells, struct edit_row *rows, size_t max);
struct edit_place edit_place(const struct edit *e, int width_cells);
/* Cells of the cluster s as an editor draws it: one for a character that is hidden or has no width,
 * which is shown as a mark. *hidden says that a mark stands for it. */
int edit_cluster_cells(const char *s, size_t len, bool *hidden);

#endif
