/* SPDX-License-Identifier: Apache-2.0 */
/* The one door to the model: applies a message, then lets due reads go out. Performs nothing. */
#include "app/internal.h"
#include "app/start_internal.h"

#include <string.h>

#include "core/clock.h"

static void start(struct model *m)
{
    m->account_due_mono = m->now_mono;
    m->list_due_mono = m->now_mono;
}

static void suspended(struct model *m)
{
    const struct model_purchase *p = model_selected(m);
    if (p && p->secret_entry)
        m->editing = false; /* a code is wiped; a draft is written on where it was */
    model_wipe_secrets(m, "this program was suspended");
}

static void closing(struct model *m, int exit_code)
{
    model_wipe_secrets(m, "this program ended");
    m->editing = false;
    m->quit = true;
    m->exit_code = exit_code;
}

static void expire(struct model *m)
{
    if (m->reveal.on && m->now_mono >= m->reveal.until_mono)
        model_mask(m);
    if (m->news.text[0] && m->now_mono >= m->news.until_mono) {
        m->news.text[0] = '\0';
        m->dirty = true;
    }
    if (m->link == MODEL_LINK_LIMITED && m->now_mono >= m->link_until_mono) {
        m->link = m->last_good_mono == INT64_MIN ? MODEL_LINK_CONNECTING : MODEL_LINK_LIVE;
        m->link_until_mono = NEVER_MONO;
        m->dirty = true;
    }
}

/* The header tells when the next try is: the earliest read that is planned. */
static void note_next_try(struct model *m)
{
    if (m->link != MODEL_LINK_TROUBLE)
        return;
    int64_t next = m->account_due_mono < m->list_due_mono ? m->account_due_mono : m->list_due_mono;
    for (size_t i = 0; i < m->purchase_count; i++)
        if (m->purchases[i].due_mono < next)
            next = m->purchases[i].due_mono;
    m->link_until_mono = next;
}

void app_update(struct model *m, const struct msg *msg, struct effects *fx)
{
    m->now_mono = msg->now_mono;
    switch (msg->kind) {
    case MSG_START:
        start(m);
        break;
    case MSG_INPUT:
        update_input(m, msg->input, fx);
        break;
    case MSG_RESULT:
        update_result(m, msg->result, fx);
        break;
    case MSG_CONTROL:
        sim_answered(m, msg->call, msg->http_status, msg->text);
        break;
    case MSG_NOT_SENT:
        update_not_sent(m, msg->call, msg->text);
        break;
    case MSG_TICK:
        m->dirty = true;
        break;
    case MSG_SUSPEND:
        suspended(m);
        break;
    case MSG_RESUME:
        follow_restart_held(m, fx);
        m->dirty = true;
        break;
    case MSG_NOTE:
        model_say(m, msg->exit_code != 0, "%.150s", msg->text ? msg->text : "");
        break;
    case MSG_CLOSE:
        closing(m, msg->exit_code);
        break;
    }
    expire(m);
    if (!m->quit) {
        list_tick(m, fx);
        follow_tick(m, fx);
        start_tick(m, fx);
    }
    note_next_try(m);
    model_flush_outcomes(m, fx);
    scroll_follow(m);
}

static int64_t earlier(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t read_wake(const struct model *m)
{
    int64_t wake = earlier(list_wake(m), follow_wake(m));
    if (m->start.state == START_UNKNOWN && !m->start.call)
        wake = earlier(wake, m->start_due_mono);
    return wake;
}

/* Something on screen counts in seconds: a held read, a short deadline, a reveal, a wait. */
static bool counts_seconds(const struct model *m)
{
    int64_t now = model_now_ms(m);
    if (m->reveal.on || m->link == MODEL_LINK_LIMITED || m->link == MODEL_LINK_TROUBLE)
        return true;
    if (m->link == MODEL_LINK_LIVE && m->now_mono - m->last_good_mono < 60000)
        return true;
    const struct model_purchase *p = model_selected(m);
    if (!p || m->view != MODEL_VIEW_PURCHASES)
        return false;
    if ((p->read_call && p->held) || (p->trouble[0] && p->due_mono != NEVER_MONO))
        return true;
    int64_t by = model_deadline(p);
    if (by != CLOCK_NONE && by > now && by - now < COUNTDOWN_SECONDS_MS)
        return true;
    if (!p->handout)
        return false;
    by = handout_facts_view(p->handout)->code_expires_at_ms;
    return by != CLOCK_NONE && by > now;
}

int64_t app_wake_mono(const struct model *m, bool on_screen)
{
    int64_t wake = read_wake(m);
    if (m->personal)
        wake = earlier(wake, m->personal_until_mono);
    if (m->link == MODEL_LINK_LIMITED)
        wake = earlier(wake, m->link_until_mono);
    if (!on_screen)
        return wake;
    if (m->reveal.on)
        wake = earlier(wake, m->reveal.until_mono);
    if (m->news.text[0])
        wake = earlier(wake, m->news.until_mono);
    if (counts_seconds(m))
        return earlier(wake, m->now_mono + 1000 - model_now_ms(m) % 1000);
    return earlier(wake, m->now_mono + 60000 - model_now_ms(m) % 60000); /* clock and ages */
}
