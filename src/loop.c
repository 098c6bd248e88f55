/* SPDX-License-Identifier: Apache-2.0 */
/* The loop: drain input, run transfers, update, carry out effects, draw once, block once. It owns
 * the self-pipe, the map from the model's call ids to transfers, and the moment of a reveal.
 * Invariant: envoy_http_poll is the only call that blocks. */
#include "loop.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/msg.h"
#include "core/alloc.h"
#include "core/clock.h"
#include "core/log.h"
#include "core/scrub.h"
#include "loop_effect.h"
#include "term/input.h"
#include "term/term.h"
#include "ui/canvas.h"
#include "ui/layout.h"
#include "ui/screen.h"
#include "ui/widget_editor.h"
#include "ui/widget_secret.h"

static const int handled[] = {SIGINT,  SIGTERM, SIGHUP,   SIGQUIT,
                              SIGTSTP, SIGCONT, SIGWINCH, SIGPIPE};
#define HANDLED (sizeof handled / sizeof handled[0])

static int signal_pipe[2] = {-1, -1};

static void on_signal(int number)
{
    int saved = errno;
    unsigned char byte = (unsigned char)number;
    (void)!write(signal_pipe[1], &byte, 1);
    errno = saved;
}

struct loop {
    struct model *m;
    struct loop_effects fx; /* transfers and what else the loop does for update */
    const struct loop_options *opt;
    struct input *in;
    struct canvas *canvas;
    struct sigaction before[HANDLED];
    bool child_ended;
    bool revealed;
    enum handout_field revealed_field;
};

static void dispatch(struct loop *l, struct msg *msg)
{
    struct effects fx;
    effects_init(&fx);
    msg->now_mono = clock_mono_ms();
    app_update(l->m, msg, &fx);
    loop_effects_run(&l->fx, &fx);
    effects_fini(&fx);
}

static void say(struct loop *l, enum msg_kind kind)
{
    struct msg msg = {.kind = kind};
    dispatch(l, &msg);
}

/* Signals */

static bool signals_open(struct loop *l)
{
    if (pipe2(signal_pipe, O_CLOEXEC | O_NONBLOCK) != 0)
        return false;
    for (size_t i = 0; i < HANDLED; i++) {
        struct sigaction a = {.sa_handler = handled[i] == SIGPIPE ? SIG_IGN : on_signal};
        sigemptyset(&a.sa_mask);
        a.sa_flags = SA_RESTART;
        sigaction(handled[i], &a, &l->before[i]);
        /* What the parent had ignored (nohup) stays ignored, but for a window size. */
        if (l->before[i].sa_handler == SIG_IGN && handled[i] != SIGWINCH && handled[i] != SIGPIPE)
            sigaction(handled[i], &l->before[i], NULL);
    }
    return true;
}

static void signals_close(struct loop *l)
{
    for (size_t i = 0; i < HANDLED; i++)
        sigaction(handled[i], &l->before[i], NULL);
    close(signal_pipe[0]);
    close(signal_pipe[1]);
    signal_pipe[0] = signal_pipe[1] = -1;
}

static void suspend(struct loop *l)
{
    say(l, MSG_SUSPEND);
    if (!l->opt->front)
        term_suspend();
    struct sigaction a = {.sa_handler = SIG_DFL}, old;
    sigemptyset(&a.sa_mask);
    sigaction(SIGTSTP, &a, &old);
    kill(getpid(), SIGTSTP); /* returns when continued */
    sigaction(SIGTSTP, &old, NULL);
    if (!l->opt->front) {
        input_reset(l->in);
        if (term_resume() != ERR_OK) {
            struct msg msg = {.kind = MSG_CLOSE, .exit_code = 128 + SIGHUP};
            dispatch(l, &msg);
            return;
        }
    }
    say(l, MSG_RESUME);
}

static void read_signals(struct loop *l)
{
    unsigned char numbers[64];
    ssize_t n = read(signal_pipe[0], numbers, sizeof numbers);
    for (ssize_t i = 0; i < n; i++) {
        if (numbers[i] == SIGTSTP)
            suspend(l);
        else if (numbers[i] == SIGCONT && !l->opt->front)
            term_redraw();
        else if (numbers[i] == SIGINT || numbers[i] == SIGTERM || numbers[i] == SIGHUP ||
                 numbers[i] == SIGQUIT) {
            struct msg msg = {.kind = MSG_CLOSE, .exit_code = 128 + numbers[i]};
            dispatch(l, &msg);
        }
    }
}

/* Input */

static void drain_input(struct loop *l)
{
    struct input_event e;
    if (l->opt->front)
        return;
    term_read(l->in, clock_mono_ms());
    while (input_next(l->in, &e)) {
        if (e.kind == INPUT_EOF) {
            struct msg close_msg = {.kind = MSG_CLOSE, .exit_code = 128 + SIGHUP};
            dispatch(l, &close_msg);
        } else {
            struct msg msg = {.kind = MSG_INPUT, .input = &e};
            dispatch(l, &msg);
        }
        input_event_fini(&e);
    }
}

static void drain_results(struct loop *l)
{
    struct envoy_result r;
    struct loop_control c;
    while (loop_effects_next(&l->fx, &r)) {
        bool held_secret = r.handout != NULL;
        struct msg msg = {.kind = MSG_RESULT, .result = &r};
        dispatch(l, &msg);
        envoy_result_fini(&r);
        if (held_secret)
            scrub_stack();
    }
    while (loop_effects_next_control(&l->fx, &c)) {
        struct msg msg = {
            .kind = MSG_CONTROL, .call = c.call, .http_status = c.http_status, .text = c.text};
        dispatch(l, &msg);
        alloc_free(c.text);
    }
    while (loop_effects_next_note(&l->fx, &c)) {
        struct msg msg = {.kind = c.call ? MSG_NOT_SENT : MSG_NOTE,
                          .call = c.call,
                          .text = c.text,
                          .exit_code = c.http_status};
        dispatch(l, &msg);
        alloc_free(c.text);
    }
}

/* Drawing */

static void fit_editors(struct model *m)
{
    struct layout lay;
    layout_compute(&lay, m->width_cells, m->height_cells, 1);
    int width = widget_editor_wrap(layout_inset(lay.pane, LAYOUT_EDIT_INDENT));
    for (size_t i = 0; i < m->purchase_count; i++)
        for (size_t k = 0; k < MODEL_DRAFTS_MAX; k++)
            m->purchases[i].drafts[k].edit.width_cells = width;
}

struct reveal_at {
    struct canvas_rect area;
    int group;
    enum err result;
};

static void write_reveal(void *ctx, const unsigned char *bytes, size_t len)
{
    struct reveal_at *at = ctx;
    at->result = term_reveal(at->area, at->group, bytes, len);
}

static void show_reveal(struct loop *l)
{
    struct model *m = l->m;
    if (!m->reveal.on) {
        if (l->revealed)
            term_unreveal();
        l->revealed = false;
        return;
    }
    if (term_is_revealed() && l->revealed_field != m->reveal.field)
        term_unreveal();
    struct model_purchase *p = model_find(m, m->reveal.purchase);
    struct reveal_at at = {.group = widget_secret_group((int)m->reveal.field), .result = ERR_USER};
    if (p && p->handout && canvas_secret_find(l->canvas, (int)m->reveal.field, &at.area) &&
        handout_use(p->handout, m->reveal.field, write_reveal, &at) != ERR_OK)
        at.result = ERR_BUG;
    l->revealed = at.result == ERR_OK;
    l->revealed_field = m->reveal.field;
    if (!l->revealed) {
        m->reveal.on = false;
        struct msg msg = {.kind = MSG_NOTE,
                          .text = "Not enough room here to show this field; enlarge the window.",
                          .exit_code = 1};
        dispatch(l, &msg);
    }
}

static void show(struct loop *l)
{
    struct model *m = l->m;
    if (!m->dirty)
        return;
    m->dirty = false;
    if (l->opt->front) {
        l->opt->front->show(l->opt->front->ctx, m);
        return;
    }
    fit_editors(m);
    if (canvas_width(l->canvas) != m->width_cells || canvas_height(l->canvas) != m->height_cells)
        (void)!canvas_resize(l->canvas, m->width_cells, m->height_cells);
    if (l->revealed && !m->reveal.on)
        show_reveal(l); /* hide before anything else is drawn */
    screen_draw(m, l->canvas, l->opt->theme);
    (void)!term_draw(l->canvas);
    show_reveal(l);
    if (m->bell) {
        term_bell();
        m->bell = false;
    }
}

/* Waiting */

static int64_t wait_ms(const struct loop *l)
{
    int64_t now = clock_mono_ms();
    int64_t wake = app_wake_mono(l->m, l->opt->front == NULL);
    int64_t wait = wake == INT64_MAX ? -1 : wake > now ? wake - now : 0;
    int input = l->opt->front ? -1 : input_wait_ms(l->in, now);
    if (input >= 0 && (wait < 0 || input < wait))
        wait = input;
    return wait;
}

static void wait_for_news(struct loop *l)
{
    int fds[3];
    size_t count = 0;
    fds[count++] = signal_pipe[0];
    if (!l->opt->front)
        fds[count++] = term_fd();
    if (l->opt->child_fd >= 0 && !l->child_ended)
        fds[count++] = l->opt->child_fd;
    if (l->m->dirty || loop_effects_waiting(&l->fx))
        return;
    (void)!envoy_http_poll(l->fx.http, fds, count, wait_ms(l));
}

/* Once: an ended descriptor stays readable, and would keep the loop awake. */
static void look_at_child(struct loop *l)
{
    struct pollfd p = {.fd = l->opt->child_fd, .events = POLLIN};
    if (l->child_ended || p.fd < 0 || poll(&p, 1, 0) <= 0)
        return;
    l->child_ended = true;
    struct msg msg = {.kind = MSG_NOTE,
                      .text = "The simulator has ended: quit, and start the demo again.",
                      .exit_code = 1};
    dispatch(l, &msg);
}

static bool done(struct loop *l)
{
    const struct loop_front *front = l->opt->front;
    int code = 0;
    if (!l->m->quit && front && front->finished && front->finished(front->ctx, l->m, &code)) {
        l->m->quit = true;
        l->m->exit_code = code;
    }
    return l->m->quit;
}

static void run(struct loop *l)
{
    say(l, MSG_START);
    while (!done(l)) {
        show(l);
        wait_for_news(l);
        loop_journal_retry(&l->fx.journal, l->m);
        read_signals(l);
        look_at_child(l);
        drain_input(l);
        envoy_http_run(l->fx.http);
        drain_results(l);
        loop_journal_sync(&l->fx.journal, l->m);
        if (app_wake_mono(l->m, l->opt->front == NULL) <= clock_mono_ms())
            say(l, MSG_TICK);
        if (l->fx.want_suspend) {
            l->fx.want_suspend = false;
            suspend(l);
        }
    }
    if (l->opt->front)
        l->opt->front->show(l->opt->front->ctx, l->m);
}

static bool screen_open(struct loop *l)
{
    if (l->opt->front)
        return true;
    l->in = input_new();
    if (!l->in || term_describe_keys(l->in) != ERR_OK)
        return false;
    int w = 0, h = 0;
    term_size(&w, &h);
    l->canvas = canvas_new(w, h, l->m->set.ascii);
    struct input_event size = {.kind = INPUT_RESIZE, .width_cells = w, .height_cells = h};
    struct msg msg = {.kind = MSG_INPUT, .input = &size};
    if (l->canvas)
        dispatch(l, &msg);
    return l->canvas != NULL;
}

int loop_run(struct model *m, struct envoy_http *http, const struct loop_options *options)
{
    struct loop l = {.m = m, .opt = options};
    int code = 1;
    loop_effects_init(&l.fx, http, options->journal, options->front == NULL);
    if (!signals_open(&l))
        return code;
    m->now_mono = clock_mono_ms();
    if (screen_open(&l)) {
        run(&l);
        code = m->exit_code;
    }
    struct msg msg = {.kind = MSG_CLOSE, .exit_code = code};
    dispatch(&l, &msg);
    if (l.revealed)
        term_unreveal();
    canvas_free(l.canvas);
    input_free(l.in);
    loop_effects_fini(&l.fx);
    signals_close(&l);
    return code;
}
