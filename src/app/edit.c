/* SPDX-License-Identifier: Apache-2.0 */
/* Editing by clusters over one UTF-8 buffer, and its wrapping into rows. Must not know drawing or
 * keys. Invariants: the buffer is valid UTF-8 without control bytes but '\n', holds at most limit
 * code points, and the cursor is at a cluster boundary after every call. */
#include <string.h>
#include "app/edit.h"
#include "core/str.h"

#define BYTES_EACH 4 /* most bytes of a code point */

void edit_init(struct edit *e, size_t limit, bool one_line)
{
    *e = (struct edit){.limit = limit, .one_line = one_line, .goal_cells = -1};
    buf_init(&e->text, limit * BYTES_EACH + 1);
}

void edit_fini(struct edit *e)
{
    buf_fini(&e->text);
    *e = (struct edit){.limit = 0};
}

const char *edit_text(const struct edit *e)
{
    return buf_view(&e->text);
}

size_t edit_len(const struct edit *e)
{
    return e->text.len;
}

size_t edit_count(const struct edit *e)
{
    return str_code_points(edit_text(e));
}

bool edit_is_empty(const struct edit *e)
{
    return strspn(edit_text(e), " \n") == e->text.len;
}

void edit_clear(struct edit *e)
{
    buf_clear(&e->text);
    e->at = 0;
    e->goal_cells = -1;
    e->refused = false;
}

enum err edit_set(struct edit *e, const char *text)
{
    struct edit fresh;
    edit_init(&fresh, e->limit, e->one_line);
    fresh.width_cells = e->width_cells;
    enum err err = edit_insert(&fresh, text, strlen(text));
    if (err != ERR_OK) {
        edit_fini(&fresh);
        return err;
    }
    edit_fini(e);
    *e = fresh;
    return ERR_OK;
}

/* What of the bytes may stand in a text; appended to out. */
static enum err append_clean(const struct edit *e, struct buf *out, const char *s, size_t len)
{
    enum err err = ERR_OK;
    for (size_t at = 0; at < len && err == ERR_OK;) {
        int32_t cp;
        size_t n = str_decode(s + at, len - at, &cp);
        bool line_end = cp == '\n' || cp == '\r';
        if (cp == '\r' && at + 1 < len && s[at + 1] == '\n')
            n = 2;
        if (line_end)
            err = buf_append_char(out, e->one_line ? ' ' : '\n');
        else if (cp == '\t')
            err = buf_append_char(out, ' ');
        else if (cp >= 0x20 && (cp < 0x7F || cp >= 0xA0))
            err = buf_append(out, s + at, n);
        at += n;
    }
    return err;
}

/* A cursor between a character and a mark that has just joined it moves behind the mark. */
static void settle_cursor(struct edit *e)
{
    const char *s = edit_text(e);
    size_t pos = 0;
    while (pos < e->at)
        pos += str_cluster(s + pos, e->text.len - pos);
    e->at = pos;
    e->goal_cells = -1;
    e->refused = false;
}

/* Puts between in place of [start, end). */
static enum err splice(struct edit *e, size_t start, size_t end, const struct buf *between)
{
    struct buf next;
    buf_init(&next, e->text.limit);
    const char *old = edit_text(e);
    size_t old_len = e->text.len;
    enum err err = buf_append(&next, old, start);
    if (err == ERR_OK && between)
        err = buf_append(&next, buf_view(between), between->len);
    if (err == ERR_OK)
        err = buf_append(&next, old + end, old_len - end);
    if (err != ERR_OK) {
        buf_fini(&next);
        return err;
    }
    buf_fini(&e->text);
    e->text = next;
    e->at = start + (between ? between->len : 0);
    settle_cursor(e);
    return ERR_OK;
}

enum err edit_insert(struct edit *e, const char *bytes, size_t len)
{
    struct buf clean;
    buf_init(&clean, e->text.limit);
    enum err err = append_clean(e, &clean, bytes, len);
    if (err == ERR_OK && str_code_points(buf_view(&clean)) + edit_count(e) > e->limit)
        err = ERR_LIMIT;
    if (err == ERR_OK && clean.len > 0)
        err = splice(e, e->at, e->at, &clean);
    if (err == ERR_LIMIT)
        e->refused = true;
    buf_fini(&clean);
    return err;
}

/* Taking away needs less room than there was, yet a fresh buffer is made; without memory for it the
 * text stays as it is, which a person sees at once. */
static void remove_range(struct edit *e, size_t start, size_t end)
{
    if (start < end && splice(e, start, end, NULL) != ERR_OK)
        e->goal_cells = -1;
}

static size_t next_cluster(const struct edit *e, size_t at)
{
    return at + str_cluster(edit_text(e) + at, e->text.len - at);
}

static bool is_space_at(const struct edit *e, size_t at)
{
    char c = edit_text(e)[at];
    return c == ' ' || c == '\n';
}

static size_t word_start_before(const struct edit *e, size_t at)
{
    const char *s = edit_text(e);
    while (at > 0 && is_space_at(e, str_cluster_before(s, at)))
        at = str_cluster_before(s, at);
    while (at > 0 && !is_space_at(e, str_cluster_before(s, at)))
        at = str_cluster_before(s, at);
    return at;
}

static size_t paragraph_start(const struct edit *e)
{
    size_t at = e->at;
    while (at > 0 && edit_text(e)[at - 1] != '\n')
        at--;
    return at;
}

void edit_backspace(struct edit *e)
{
    remove_range(e, str_cluster_before(edit_text(e), e->at), e->at);
}

void edit_delete(struct edit *e)
{
    remove_range(e, e->at, next_cluster(e, e->at));
}

void edit_backspace_word(struct edit *e)
{
    remove_range(e, word_start_before(e, e->at), e->at);
}

void edit_kill_to_start(struct edit *e)
{
    remove_range(e, paragraph_start(e), e->at);
}

void edit_kill_to_end(struct edit *e)
{
    remove_range(e, e->at, e->at + strcspn(edit_text(e) + e->at, "\n"));
}

static void move_to(struct edit *e, size_t at)
{
    e->at = at;
    e->goal_cells = -1;
}

void edit_left(struct edit *e)
{
    move_to(e, str_cluster_before(edit_text(e), e->at));
}

void edit_right(struct edit *e)
{
    move_to(e, next_cluster(e, e->at));
}

void edit_word_left(struct edit *e)
{
    move_to(e, word_start_before(e, e->at));
}

void edit_word_right(struct edit *e)
{
    size_t at = e->at;
    while (at < e->text.len && is_space_at(e, at))
        at = next_cluster(e, at);
    while (at < e->text.len && !is_space_at(e, at))
        at = next_cluster(e, at);
    move_to(e, at);
}

void edit_text_start(struct edit *e)
{
    move_to(e, 0);
}

void edit_text_end(struct edit *e)
{
    move_to(e, e->text.len);
}
