/* SPDX-License-Identifier: Apache-2.0 */
/* Writes, reads and compares golden screens. What was drawn instead of the golden one is left in
 * BUILD/golden for a diff. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <cmocka.h>
#include "support/golden.h"

#define FILE_LIMIT   (1u << 20)
#define ROWS_TO_SHOW 6

static const char *row_end(const char *s)
{
    return s + strcspn(s, "\n");
}

static void render(const struct canvas *c, struct buf *out)
{
    struct canvas_cursor_at at = canvas_cursor_view(c);
    assert_int_equal(canvas_dump_text(c, out), ERR_OK);
    assert_int_equal(buf_append_str(out, "== roles\n"), ERR_OK);
    assert_int_equal(canvas_dump_roles(c, out), ERR_OK);
    if (at.placed)
        assert_int_equal(
            buf_printf(out, "== cursor %d,%d %s\n", at.x, at.y, at.insertion ? "insertion" : "row"),
            ERR_OK);
    else
        assert_int_equal(buf_append_str(out, "== no cursor\n"), ERR_OK);
}

static void write_file(const char *path, const struct buf *text)
{
    FILE *f = fopen(path, "w");
    if (!f)
        fail_msg("%s: %s", path, strerror(errno));
    size_t written = fwrite(buf_view(text), 1, text->len, f);
    assert_int_equal(fclose(f), 0);
    assert_int_equal(written, text->len);
}

static bool read_file(const char *path, struct buf *out)
{
    char chunk[4096];
    FILE *f = fopen(path, "r");
    if (!f)
        return false;
    for (size_t n; (n = fread(chunk, 1, sizeof(chunk), f)) > 0;)
        assert_int_equal(buf_append(out, chunk, n), ERR_OK);
    fclose(f);
    return true;
}

static void show_difference(const char *want, const char *got)
{
    int shown = 0;
    for (int row = 1; (*want || *got) && shown < ROWS_TO_SHOW; row++) {
        const char *want_end = row_end(want);
        const char *got_end = row_end(got);
        size_t want_len = (size_t)(want_end - want);
        size_t got_len = (size_t)(got_end - got);
        if (want_len != got_len || memcmp(want, got, want_len) != 0) {
            print_message("line %d\n  golden |%.*s|\n  drawn  |%.*s|\n", row, (int)want_len, want,
                          (int)got_len, got);
            shown++;
        }
        want = *want_end ? want_end + 1 : want_end;
        got = *got_end ? got_end + 1 : got_end;
    }
}

static void leave_drawn(const char *file, const struct buf *drawn)
{
    char path[512];
    const char *build = getenv("ENVOY_BUILD");
    if (!build)
        return;
    snprintf(path, sizeof(path), "%s/golden", build);
    if (mkdir(path, 0777) != 0 && errno != EEXIST)
        return;
    snprintf(path, sizeof(path), "%s/golden/%s", build, file);
    write_file(path, drawn);
    print_message("what was drawn: %s\n", path);
}

static void compare(const char *file, const struct buf *drawn)
{
    char path[512];
    struct buf golden;
    const char *update = getenv("GOLDEN_UPDATE");
    buf_init(&golden, FILE_LIMIT);
    snprintf(path, sizeof(path), "tests/golden/%s", file);
    if (update && strcmp(update, "1") == 0) {
        write_file(path, drawn);
        return;
    }
    bool found = read_file(path, &golden);
    bool same = found && strcmp(buf_view(&golden), buf_view(drawn)) == 0;
    if (found && !same)
        show_difference(buf_view(&golden), buf_view(drawn));
    buf_fini(&golden);
    if (same)
        return;
    leave_drawn(file, drawn);
    fail_msg("%s %s", path, found ? "differs" : "is missing; GOLDEN_UPDATE=1 writes it");
}

void golden_check(const char *name, int width, int height, bool ascii, golden_draw_fn *draw,
                  void *ctx)
{
    char file[128];
    struct buf drawn;
    struct canvas *c = canvas_new(width, height, ascii);
    assert_non_null(c);
    buf_init(&drawn, FILE_LIMIT);
    draw(c, ctx);
    render(c, &drawn);
    snprintf(file, sizeof(file), "%s.%dx%d%s.txt", name, width, height, ascii ? ".ascii" : "");
    compare(file, &drawn);
    buf_fini(&drawn);
    canvas_free(c);
}

void golden_check_sizes(const char *name, golden_draw_fn *draw, void *ctx)
{
    golden_check(name, 80, 24, false, draw, ctx);
    golden_check(name, 120, 40, false, draw, ctx);
    golden_check(name, 40, 12, false, draw, ctx);
}
