/* SPDX-License-Identifier: Apache-2.0 */
/* UTF-8 text as a terminal shows it: validity, characters (grapheme clusters), cells, cutting and
 * wrapping, and making hostile text visible. Widths follow utf8proc; a cluster is never split. */
#ifndef CORE_STR_H
#define CORE_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "core/buf.h"
#include "core/err.h"

/* Decodes one code point at s (len bytes left). Returns bytes used (1..4); an invalid byte gives
 * *cp = -1 and returns 1. Returns 0 only when len is 0. */
size_t str_decode(const char *s, size_t len, int32_t *cp);
size_t str_encode(int32_t cp, char out[4]); /* bytes written, 0 when cp is no scalar value */
bool str_is_utf8(const char *s, size_t len);

/* Bytes of the grapheme cluster that starts at s; 0 at the end. */
size_t str_cluster(const char *s, size_t len);
/* Cells of that cluster (0..2). */
int str_cluster_cells(const char *s, size_t len);
/* Bytes from the start to the cluster before byte position at (for Backspace and Left). */
size_t str_cluster_before(const char *s, size_t at);

size_t str_code_points(const char *s);   /* how the contract counts characters */
int str_width_cells(const char *s);      /* cells of a whole string */
/* Bytes of the longest prefix that fits in width_cells, at a cluster boundary. */
size_t str_fit_bytes(const char *s, int width_cells);
/* Copies s into out (size bytes), cut to width_cells with a closing "…" (or "~" when ascii) if cut. */
void str_cut(char *out, size_t size, const char *s, int width_cells, bool ascii);

/* One line of wrapped text: [start, start+len) of the source, without the blank it broke at. */
struct str_line {
    size_t start;
    size_t len;
};
/* Breaks s at blanks (or inside a word that is too long) into lines of at most width_cells; '\n'
 * always breaks. Writes at most max lines, returns how many lines there are in all: 0 for "", 2 for
 * "a\n". A cluster wider than the line stands on a line of its own. */
size_t str_wrap(const char *s, int width_cells, struct str_line *lines, size_t max);

/* Makes text from outside safe to draw, once, at the door: control bytes, DEL, C1, invalid UTF-8,
 * bidi controls, zero-width and other format characters become marks such as <U+202E> or <1B>. Joiners stay
 * inside emoji and Indic clusters; a mark without a base and what goes beyond 16 code points in one
 * cluster are shown as marks too.
 * Line feeds become a mark as well unless keep_newlines. When out's limit is too small:
 * ERR_LIMIT, and out keeps what it had. */
enum err str_visible(struct buf *out, const char *s, size_t len, bool keep_newlines) WARN_UNUSED;
/* The same as a fresh string for alloc_free; NULL for NULL or without memory. */
char *str_visible_text(const char *s);
/* The same into a fixed array, always terminated; false when it was cut (before a whole mark). */
bool str_visible_copy(char *out, size_t size, const char *s);
/* True when str_visible would change something, line feeds aside. */
bool str_has_hidden(const char *s, size_t len);
/* A host as it should be shown. A label that is not plain ASCII, or is punycode already, gets "(!)"
 * in front and is written in its ASCII form (xn--...); *suspicious is then true, else false. */
enum err str_host_visible(struct buf *out, const char *host, bool *suspicious) WARN_UNUSED;

bool str_starts(const char *s, const char *prefix);
bool str_contains_nocase(const char *hay, const char *needle); /* ASCII case folding */
bool str_copy(char *out, size_t size, const char *s); /* false when it was cut (at a code point) */

#endif
