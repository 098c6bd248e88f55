/* SPDX-License-Identifier: Apache-2.0 */
/* The gallery on a real terminal, through the terminal layer: what test_term.c drives. Keys: Up and
 * Down select; text goes into the editor; Ctrl-R reveals a canned code, Ctrl-U hides it, F1 and F2
 * open dialogs, Esc closes them, Ctrl-L repaints, Ctrl-Z stops, F9 crashes, Ctrl-Q quits. */
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "support/gallery.h"
#include "term/term.h"

#define TURN_MS 100

static const unsigned char canned_code[] = "4242123456784242";

static struct gallery gallery;
static char status[128];
static bool done;
static bool revealing;

static int64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void suspend(void)
{
    term_suspend();
    raise(SIGSTOP);
    if (term_resume() != ERR_OK)
        done = true;
}

static void on_key(const struct input_event *e)
{
    if (input_event_is(e, "Ctrl-Q"))
        done = true;
    else if (input_event_is(e, "Ctrl-R"))
        revealing = true;
    else if (input_event_is(e, "Ctrl-U"))
        revealing = false;
    else if (input_event_is(e, "Ctrl-L"))
        term_redraw();
    else if (input_event_is(e, "Ctrl-Z"))
        suspend();
    else if (input_event_is(e, "F9"))
        abort();
    else if (input_event_is(e, "F1") || input_event_is(e, "F2"))
        gallery.dialog = input_event_is(e, "F1") ? 1 : 2;
    else if (input_event_is(e, "Esc"))
        gallery.dialog = 0;
    else if (input_event_is(e, "Down") && gallery.selected < 6)
        gallery.selected++;
    else if (input_event_is(e, "Up") && gallery.selected > 0)
        gallery.selected--;
    else if (input_event_is(e, "Backspace"))
        edit_backspace(&gallery.edit);
    else if (input_event_is(e, "Left"))
        edit_left(&gallery.edit);
}

static void on_event(const struct input_event *e)
{
    static int count;
    char name[INPUT_NAME_MAX];
    input_event_name(e, name);
    count++;
    switch (e->kind) {
    case INPUT_KEY:
        on_key(e);
        break;
    case INPUT_TEXT:
        if (edit_insert(&gallery.edit, e->text, strlen(e->text)) != ERR_OK)
            snprintf(name, sizeof(name), "full");
        break;
    case INPUT_PASTE:
        snprintf(name, sizeof(name), "paste %zu", e->paste_len);
        if (edit_insert(&gallery.edit, e->paste, e->paste_len) != ERR_OK)
            snprintf(name, sizeof(name), "full");
        break;
    case INPUT_FOCUS_IN:
    case INPUT_FOCUS_OUT:
        snprintf(name, sizeof(name), e->kind == INPUT_FOCUS_IN ? "focus" : "no focus");
        revealing = false;
        break;
    case INPUT_RESIZE:
        snprintf(name, sizeof(name), "size %dx%d", e->width_cells, e->height_cells);
        break;
    case INPUT_EOF:
        done = true;
        break;
    }
    snprintf(status, sizeof(status), "%d %s%s", count, name, e->burst ? " burst" : "");
}

static void draw(struct canvas *c)
{
    struct canvas_rect slot;
    int width;
    int height;
    term_size(&width, &height);
    if (canvas_resize(c, width, height) != ERR_OK)
        abort();
    gallery.status = status;
    gallery_draw(c, &gallery);
    if (!revealing)
        term_unreveal();
    if (term_draw(c) != ERR_OK)
        abort();
    if (revealing && canvas_secret_find(c, GALLERY_FIELD, &slot) &&
        term_reveal(slot, 4, canned_code, sizeof(canned_code) - 1) != ERR_OK)
        abort();
}

static void on_size(int signal_number)
{
    (void)signal_number; /* wakes poll */
}

static void run(struct input *in, struct canvas *c)
{
    while (!done) {
        struct input_event e;
        term_read(in, now_ms());
        while (input_next(in, &e)) {
            on_event(&e);
            input_event_fini(&e);
        }
        if (done)
            return;
        draw(c);
        struct pollfd fd = {.fd = term_fd(), .events = POLLIN};
        int wait = input_wait_ms(in, now_ms());
        /* A signal that comes before poll is noticed at the next turn. */
        poll(&fd, 1, wait < 0 || wait > TURN_MS ? TURN_MS : wait);
    }
}

int main(int argc, char **argv)
{
    char why[256];
    struct theme theme;
    struct term_options options = {.show_cursor = false};
    setlocale(LC_ALL, "");
    if (term_open(&options, why, sizeof(why)) != ERR_OK) {
        fprintf(stderr, "%s\n", why);
        return 2;
    }
    term_catch_crashes();
    struct sigaction on_winch = {.sa_handler = on_size};
    sigaction(SIGWINCH, &on_winch, NULL);
    struct theme_wish wish = {.flag_theme = argc > 1 ? argv[1] : NULL,
                              .env_no_color = getenv("NO_COLOR")};
    const char *name = theme_choose(&wish);
    if (!theme_builtin(&theme, name))
        abort();
    term_set_theme(&theme, theme_depth(name, term_colors()));
    struct input *in = input_new();
    struct canvas *c = canvas_new(1, 1, !term_is_utf8());
    if (!in || !c || term_describe_keys(in) != ERR_OK)
        abort();
    gallery_init(&gallery);
    run(in, c);
    gallery_fini(&gallery);
    canvas_free(c);
    input_free(in);
    term_close();
    return 0;
}
