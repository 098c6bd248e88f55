/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a script and runs its steps: words and quotes, the run's own values, and the report when a
 * step fails. What the steps do is in script_steps.c. */
#include "support/script.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "support/script_private.h"

#define LINE_MAX_BYTES 4096

bool script_fail(struct script *s, const char *format, ...)
{
    va_list ap;
    free(s->why);
    va_start(ap, format);
    if (vasprintf(&s->why, format, ap) < 0)
        s->why = NULL;
    va_end(ap);
    return false;
}

static void script_close(struct script *s)
{
    pty_close(s->pty);
    lineproc_stop(s->lines);
    lineproc_stop(s->sim);
    free(s->why);
    world_close(&s->world);
}

/* One word from *at, as a shell would see it: quotes anywhere, \n \t \e \" \\ inside double quotes.
 * Writes in place, so words live as long as the line. NULL at the end or at a comment. */
static char *next_word(char **at, const char **wrong)
{
    char *p = *at + strspn(*at, " \t");
    char *word = p, *out = p;
    bool quoted = false;

    if (*p == '\0' || *p == '#')
        return NULL;
    for (; *p && (quoted || (*p != ' ' && *p != '\t')); p++) {
        if (*p == '"') {
            quoted = !quoted;
        } else if (quoted && *p == '\\' && p[1]) {
            p++;
            *out++ = *p == 'n' ? '\n' : *p == 't' ? '\t' : *p == 'e' ? '\033' : *p;
        } else {
            *out++ = *p;
        }
    }
    if (quoted)
        *wrong = "a quote is not closed";
    *at = *p ? p + 1 : p;
    *out = '\0';
    return word;
}

/* Puts the run's own values in place of @URL, @TOKEN (a file's name), @BUILD and @DIR. */
static char *expand(struct script *s, const char *word)
{
    char *out = NULL;
    size_t size;
    FILE *f = open_memstream(&out, &size);

    for (const char *p = word; f && *p;) {
        if (strncmp(p, "@URL", 4) == 0) {
            fputs(s->control.url, f);
            p += 4;
        } else if (strncmp(p, "@TOKEN", 6) == 0) {
            fprintf(f, "%s/token", s->world.dir);
            p += 6;
        } else if (strncmp(p, "@BUILD", 6) == 0) {
            fputs(s->options->build, f);
            p += 6;
        } else if (strncmp(p, "@DIR", 4) == 0) {
            fputs(s->world.dir, f);
            p += 4;
        } else {
            fputc(*p++, f);
        }
    }
    if (f)
        fclose(f);
    return out;
}

static bool run_line(struct script *s, char *line)
{
    char *words[SCRIPT_WORDS_MAX + 1] = {0};
    const char *wrong = NULL;
    int count = 0;
    bool good = false;
    char *word;

    while (count < SCRIPT_WORDS_MAX && (word = next_word(&line, &wrong)))
        words[count++] = expand(s, word);
    if (count == 0 && !wrong)
        return true;
    const struct script_step *step = count ? script_step_find(words[0]) : NULL;
    if (wrong)
        script_fail(s, "%s", wrong);
    else if (!step)
        script_fail(s, "no such step: %s", words[0]);
    else if (count - 1 < step->min || (step->max >= 0 && count - 1 > step->max))
        script_fail(s, "%s takes %d to %d words, not %d", step->name, step->min, step->max,
                    count - 1);
    else
        good = step->run(s, count - 1, words + 1);
    for (int i = 0; i < count; i++)
        free(words[i]);
    return good;
}

static void print_screen(FILE *out, const struct term *t)
{
    struct term_cursor c = term_cursor(t);
    fprintf(out, "screen %dx%d, cursor %s at row %d column %d, %s screen\n", term_cols(t),
            term_rows(t), c.visible ? "shown" : "hidden", c.row + 1, c.col + 1,
            term_in_alt_screen(t) ? "alternate" : "normal");
    for (int row = 0; row < term_rows(t); row++) {
        char *text = term_row_text(t, row);
        fprintf(out, "%3d |%s\n", row + 1, text);
        free(text);
    }
}

static char *report(struct script *s, const char *path, int number, const char *line)
{
    char *out = NULL;
    size_t size;
    FILE *f = open_memstream(&out, &size);

    if (!f)
        return NULL;
    fprintf(f, "%s:%d: %s\n  %s\n", path, number, line, s->why ? s->why : "failed");
    if (s->pty)
        print_screen(f, pty_term(s->pty));
    if (s->lines)
        fprintf(f, "---- its output\n%s---- its messages\n%s", lineproc_out(s->lines),
                lineproc_err(s->lines));
    if (s->sim && *lineproc_err(s->sim))
        fprintf(f, "---- the simulator's messages\n%s", lineproc_err(s->sim));
    fclose(f);
    return out;
}

bool script_run(const char *path, const struct script_options *options, char **why)
{
    struct script s = {.options = options, .rows = 24, .cols = 80};
    char line[LINE_MAX_BYTES], shown[LINE_MAX_BYTES] = "";
    int number = 0;
    bool good = world_open(&s.world) ? true : script_fail(&s, "no directory for the run");
    FILE *f = fopen(path, "r");

    if (good && !f)
        good = script_fail(&s, "cannot be read: %s", strerror(errno));
    while (good && fgets(line, sizeof(line), f)) {
        line[strcspn(line, "\n")] = '\0';
        memcpy(shown, line, sizeof(shown));
        number++;
        good = run_line(&s, line);
    }
    if (f)
        fclose(f);
    if (!good)
        *why = report(&s, path, number, shown);
    script_close(&s);
    return good;
}
