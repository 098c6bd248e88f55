/* SPDX-License-Identifier: Apache-2.0 */
/* The command "journal". Must not know the file's form: store prints the rows, made visible. */
#include "plain/journal.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "app/msg.h"
#include "core/buf.h"
#include "core/clock.h"
#include "core/str.h"

#define LINE_MAX_BYTES (16 * 1024)

enum { EXIT_DONE = 0, EXIT_FAILED = 1 };

struct list {
    const struct plain_journal_options *o;
    struct buf line;
    size_t count;
    enum err e;
};

/* Ends the walk when the line could not be made or nobody reads it. */
static bool put_line(struct list *l, enum err e)
{
    if (e == ERR_OK && fprintf(l->o->out, "%s\n", buf_view(&l->line)) < 0)
        e = ERR_STORE;
    buf_clear(&l->line);
    l->count++;
    l->e = e;
    return e == ERR_OK;
}

/* A start is known by its key until it has become a purchase. */
static bool is_wanted(const struct list *l, const struct journal_write *w)
{
    const char *wanted = l->o->purchase;
    return !wanted || strcmp(wanted, w->purchase) == 0 || strcmp(wanted, w->key) == 0;
}

static bool put_write(void *ctx, const struct journal_write *w)
{
    struct list *l = ctx;
    if (!is_wanted(l, w))
        return true;
    return put_line(l,
                    l->o->json ? journal_write_json(w, &l->line) : journal_write_text(w, &l->line));
}

static bool put_row(void *ctx, const char *account, const struct journal_row *row)
{
    struct list *l = ctx;
    return put_line(l, l->o->json ? journal_row_json(account, row, &l->line)
                                  : journal_row_text(account, row, &l->line));
}

static int list_rows(const struct plain_journal_options *o, struct journal *j)
{
    struct list l = {.o = o};
    struct journal_filter filter = {.unresolved = o->unresolved, .since_ms = CLOCK_NONE};
    buf_init(&l.line, LINE_MAX_BYTES);
    enum err e = journal_each_write(j, &filter, put_write, &l);
    if (e == ERR_OK && l.e == ERR_OK && o->timelines)
        e = journal_each_row(j, NULL, o->purchase, put_row, &l);
    buf_fini(&l.line);
    if (e != ERR_OK) {
        const char *words = journal_status_view(j)->words;
        fprintf(o->err, "envoy-console: %s\n",
                words[0] ? words : "Journal: it cannot be read to its end.");
        return EXIT_FAILED;
    }
    if (l.e != ERR_OK || fflush(o->out) != 0) {
        fprintf(o->err, "envoy-console: the journal could not be printed to its end.\n");
        return EXIT_FAILED;
    }
    if (l.count == 0)
        fprintf(o->err, "envoy-console: %s\n",
                o->unresolved ? "Journal: nothing is unresolved."
                : o->purchase ? "Journal: nothing is written down for this purchase."
                              : "Journal: nothing is written down yet.");
    return EXIT_DONE;
}

int plain_journal_list(const struct plain_journal_options *o)
{
    struct journal_options options = {.path = o->path, .read_only = true};
    struct journal *j = NULL;
    char shown[256];
    if (access(o->path, F_OK) != 0 && errno == ENOENT) {
        (void)str_visible_copy(shown, sizeof shown, o->path);
        fprintf(o->err, "envoy-console: Journal: nothing is written down yet (no file %s).\n",
                shown);
        return EXIT_DONE;
    }
    if (journal_open(&options, &j) != ERR_OK) {
        fprintf(o->err, "envoy-console: There is no memory to read the journal.\n");
        return EXIT_FAILED;
    }
    int code = EXIT_FAILED;
    if (journal_status_view(j)->mode == JOURNAL_OFF)
        fprintf(o->err, "envoy-console: %s\n", journal_status_view(j)->words);
    else
        code = list_rows(o, j);
    journal_close(j);
    return code;
}
