/* SPDX-License-Identifier: Apache-2.0 */
/* Carries out effects. Knows which transfer belongs to which of the model's calls; decides nothing.
 */
#include "loop_effect.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/alloc.h"
#include "core/log.h"
#include "core/str.h"
#include "term/term.h"

void loop_effects_init(struct loop_effects *l, struct envoy_http *http, struct journal *journal,
                       bool on_screen)
{
    memset(l, 0, sizeof *l);
    loop_journal_init(&l->journal, journal);
    l->http = http;
    l->on_screen = on_screen;
}

void loop_effects_fini(struct loop_effects *l)
{
    for (size_t i = 0; i < l->note_count; i++)
        alloc_free(l->notes[i].text);
    memset(l, 0, sizeof *l);
}

static void note(struct loop_effects *l, uint64_t call, bool well, const char *text)
{
    if (l->note_count == LOOP_NOTES_MAX)
        return;
    l->notes[l->note_count++] =
        (struct loop_control){.call = call, .http_status = well ? 0 : 1, .text = alloc_text(text)};
}

static void remember(struct loop_effects *l, uint64_t call, uint64_t transfer)
{
    if (l->map_count == LOOP_TRANSFERS_MAX) { /* cannot be: the model bounds its calls */
        envoy_http_abort(l->http, transfer);
        note(l, call, false, "too many calls at once");
        return;
    }
    l->map[l->map_count].call = call;
    l->map[l->map_count].transfer = transfer;
    l->map_count++;
}

static bool forget(struct loop_effects *l, uint64_t transfer, uint64_t *call)
{
    for (size_t i = 0; i < l->map_count; i++) {
        if (l->map[i].transfer != transfer)
            continue;
        *call = l->map[i].call;
        l->map[i] = l->map[--l->map_count];
        return true;
    }
    return false;
}

static void start_call(struct loop_effects *l, struct effect *e)
{
    uint64_t transfer = 0;
    enum err result;
    char why[JOURNAL_WORDS_MAX];
    if (!loop_journal_intent(&l->journal, e, why)) {
        note(l, e->call, false, why);
        return;
    }
    if (e->secret)
        result = envoy_http_call_secret(l->http, e->tool, e->secret, e->timeout_ms, &transfer);
    else
        result = envoy_http_call(l->http, e->tool, buf_view(&e->body), e->body.len, e->timeout_ms,
                                 &transfer);
    if (result == ERR_OK) {
        loop_journal_sent(&l->journal, e);
        remember(l, e->call, transfer);
    } else {
        note(l, e->call, false, err_name(result));
    }
}

static void start_control(struct loop_effects *l, struct effect *e)
{
    uint64_t transfer = 0;
    if (envoy_http_control(l->http, e->path, buf_view(&e->body), &transfer) == ERR_OK)
        remember(l, e->call, transfer);
    else
        note(l, e->call, false, "the simulator could not be called");
}

static void abort_call(struct loop_effects *l, uint64_t call)
{
    for (size_t i = 0; i < l->map_count; i++)
        if (l->map[i].call == call)
            envoy_http_abort(l->http, l->map[i].transfer);
}

static void write_file(struct loop_effects *l, const struct effect *e)
{
    char text[640];
    int fd = open(e->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0) {
        snprintf(text, sizeof text, "Not written: %s (%.100s). Give another name.", strerror(errno),
                 e->path);
        note(l, 0, false, text);
        return;
    }
    size_t at = 0;
    while (at < e->body.len) {
        ssize_t n = write(fd, e->body.data + at, e->body.len - at);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            break;
        at += (size_t)n;
    }
    bool whole = at == e->body.len && fsync(fd) == 0;
    whole = close(fd) == 0 && whole;
    if (whole) {
        snprintf(text, sizeof text, "Written: %.100s", e->path);
    } else {
        snprintf(text, sizeof text, "Not written whole: %s. The part is removed.", strerror(errno));
        unlink(e->path);
    }
    note(l, 0, whole, text);
}

static void be_browser(const char *url)
{
    int null_fd = open("/dev/null", O_RDWR);
    if (null_fd >= 0) {
        dup2(null_fd, 0);
        dup2(null_fd, 1);
        dup2(null_fd, 2);
    }
    for (int fd = 3; fd < 256; fd++)
        close(fd);
    setsid();
    if (fork() != 0) /* nobody waits for the grandchild, and it is no zombie of ours */
        _exit(0);
    execlp("xdg-open", "xdg-open", url, (char *)NULL);
    _exit(127);
}

static void open_link(struct loop_effects *l, const char *url)
{
    const char *x = getenv("DISPLAY"), *wayland = getenv("WAYLAND_DISPLAY");
    if ((!x || !*x) && (!wayland || !*wayland)) {
        note(l, 0, false, "No desktop here to open a link in. y copies it, Enter shows a QR code.");
        return;
    }
    if (!str_starts(url, "https://"))
        return;
    pid_t pid = fork();
    if (pid == 0)
        be_browser(url);
    if (pid > 0)
        waitpid(pid, NULL, 0); /* ends at once */
    else
        note(l, 0, false, "The browser could not be started. y copies the link.");
}

void loop_effects_run(struct loop_effects *l, struct effects *fx)
{
    for (size_t i = 0; i < fx->count; i++) {
        struct effect *e = &fx->items[i];
        switch (e->kind) {
        case EFFECT_CALL:
            start_call(l, e);
            break;
        case EFFECT_OUTCOME:
            loop_journal_outcome(&l->journal, e);
            break;
        case EFFECT_ABORT:
            abort_call(l, e->call);
            break;
        case EFFECT_CONTROL:
            start_control(l, e);
            break;
        case EFFECT_COPY:
            if (l->on_screen && term_copy(buf_view(&e->body)) != ERR_OK)
                note(l, 0, false, "Too long to copy.");
            break;
        case EFFECT_OPEN:
            open_link(l, buf_view(&e->body));
            break;
        case EFFECT_WRITE_FILE:
            write_file(l, e);
            break;
        case EFFECT_REDRAW:
            if (l->on_screen)
                term_redraw();
            break;
        case EFFECT_SUSPEND:
            l->want_suspend = true;
            break;
        }
    }
}

bool loop_effects_next(struct loop_effects *l, struct envoy_result *out)
{
    uint64_t call;
    while (envoy_http_next(l->http, out)) {
        if (forget(l, out->id, &call)) {
            out->id = call;
            return true;
        }
        envoy_result_fini(out);
    }
    return false;
}

bool loop_effects_next_control(struct loop_effects *l, struct loop_control *out)
{
    uint64_t transfer;
    while (envoy_http_next_control(l->http, &transfer, &out->http_status, &out->text)) {
        if (forget(l, transfer, &out->call))
            return true;
        alloc_free(out->text);
    }
    return false;
}

bool loop_effects_next_note(struct loop_effects *l, struct loop_control *out)
{
    if (l->note_count == 0)
        return false;
    *out = l->notes[0];
    l->note_count--;
    memmove(l->notes, l->notes + 1, l->note_count * sizeof l->notes[0]);
    return true;
}

bool loop_effects_waiting(const struct loop_effects *l)
{
    return l->note_count > 0;
}
