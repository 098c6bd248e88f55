/* SPDX-License-Identifier: Apache-2.0 */
/* Golden screens of the views that use the whole width, and of the header. What counts: unknown is
 * never zero, signs stand, the header says mode, account, who is needed and the connection. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "app/msg.h"
#include "core/alloc.h"
#include "core/str.h"
#include "support/fixture.h"
#include "support/scene.h"

#define MOST_SIZES (SCENE_USUAL | SCENE_60)

static void account(struct model *m)
{
    fixture_day(m);
    m->view = MODEL_VIEW_ACCOUNT;
}

static void account_unknown(struct model *m)
{
    struct contract_account *a;

    account(m);
    a = m->account;
    alloc_free(a->spendable.display);
    a->spendable.display = NULL;
    a->spendable.known = false;
    a->held_purchases_available = false;
    a->has_services = a->has_agent = a->has_active_purchase = false;
    a->unavailable[CONTRACT_UNAVAILABLE_SPENDABLE] = true;
    a->unavailable[CONTRACT_UNAVAILABLE_ACTIVE_PURCHASE] = true;
}

static void account_truncated(struct model *m)
{
    account(m);
    m->account->held_truncated = true;
    m->account_top = m->height_cells < 20 ? 3 : 0;
    str_copy(m->account_trouble, sizeof m->account_trouble, "no reply in time, next try in 4 s");
}

static void account_not_read(struct model *m)
{
    m->view = MODEL_VIEW_ACCOUNT;
}

static void account_personal(struct model *m)
{
    struct contract_account *a;

    account(m);
    a = alloc_zero(1, sizeof *a);
    assert_non_null(a);
    a->has_profile = a->has_addresses = true;
    fixture_text(&a->profile_name, "Asha Rao");
    fixture_text(&a->profile_mobile, "+91 90000 00000");
    a->addresses = alloc_zero(1, sizeof *a->addresses);
    assert_non_null(a->addresses);
    a->address_count = 1;
    a->addresses[0].is_default = true;
    fixture_text(&a->addresses[0].label, "Home");
    fixture_text(&a->addresses[0].name, "Asha Rao");
    fixture_text(&a->addresses[0].line, "12 Example Street, Bengaluru 560001");
    m->personal = a;
    m->personal_until_mono = m->now_mono + 48000;
}

static void transactions(struct model *m)
{
    fixture_day(m);
    fixture_lines(m, 60);
    m->view = MODEL_VIEW_TRANSACTIONS;
}

static void transactions_end(struct model *m)
{
    transactions(m);
    str_copy(m->lines.selected, sizeof m->lines.selected, m->lines.rows[59].id);
    m->lines.top = 1000;
    m->lines.loading = true;
}

static void transactions_all(struct model *m)
{
    fixture_day(m);
    fixture_lines(m, 3);
    m->lines.ended = true;
    m->view = MODEL_VIEW_TRANSACTIONS;
    str_copy(m->lines.from, sizeof m->lines.from, "2026-11-01");
}

static void transactions_none(struct model *m)
{
    fixture_day(m);
    fixture_lines(m, 0);
    m->lines.ended = true;
    m->view = MODEL_VIEW_TRANSACTIONS;
}

static void transactions_first(struct model *m)
{
    fixture_day(m);
    m->lines.loading = m->lines.started = true;
    m->view = MODEL_VIEW_TRANSACTIONS;
}

static void transactions_trouble(struct model *m)
{
    transactions(m);
    str_copy(m->lines.trouble, sizeof m->lines.trouble,
             "the list has changed since the last page, so it starts again");
    str_copy(m->filter, sizeof m->filter, "grocer");
    str_copy(m->lines.selected, sizeof m->lines.selected, m->lines.rows[2].id);
}

static void questions(struct model *m)
{
    fixture_busy(m);
    fixture_draft(model_find(m, m->selected), "Take the blue one");
    m->view = MODEL_VIEW_QUESTIONS;
}

static void questions_none(struct model *m)
{
    m->view = MODEL_VIEW_QUESTIONS;
}

static void activity(struct model *m)
{
    fixture_day(m);
    fixture_activity(m);
    m->view = MODEL_VIEW_ACTIVITY;
}

static void activity_none(struct model *m)
{
    m->view = MODEL_VIEW_ACTIVITY;
}

/* ---- header */

static void live_read_only(struct model *m)
{
    fixture_day(m);
    m->set.demo = m->set.sim_control = false;
    m->set.read_only = true;
    m->link = MODEL_LINK_TROUBLE;
    m->last_good_mono = m->now_mono - 75000;
    m->link_until_mono = m->now_mono + 4000;
    str_copy(m->link_text, sizeof m->link_text, "connection refused");
    m->pane = MODEL_PANE_LIST;
}

static void journal_held(struct model *m)
{
    fixture_day(m);
    m->set.demo = m->set.sim_control = false;
    app_journal_state(m, JOURNAL_READ_ONLY,
                      "Journal: the console with PID 4711 has it open; nothing is sent from here.");
}

static void journal_off(struct model *m)
{
    fixture_day(m);
    m->set.demo = m->set.sim_control = false;
    app_journal_state(m, JOURNAL_OFF,
                      "Journal: no place for it (HOME is not set), so nothing is sent from here.");
}

static void limited(struct model *m)
{
    fixture_day(m);
    m->link = MODEL_LINK_LIMITED;
    m->link_until_mono = m->now_mono + 40000;
    m->pane = MODEL_PANE_LIST;
}

static void signed_out(struct model *m)
{
    fixture_day(m);
    m->link = MODEL_LINK_SIGNED_OUT;
    m->pane = MODEL_PANE_LIST;
}

static void update_needed(struct model *m)
{
    fixture_day(m);
    m->link = MODEL_LINK_UPDATE;
    m->pane = MODEL_PANE_LIST;
}

static void news(struct model *m)
{
    fixture_day(m);
    str_copy(m->news.text, sizeof m->news.text, "Your answer was recorded.");
    m->news.until_mono = m->now_mono + 3000;
}

static void news_warning(struct model *m)
{
    fixture_day(m);
    m->news.warning = true;
    str_copy(m->news.text, sizeof m->news.text,
             "Not now: this purchase was not read for two minutes. Look again first (g).");
    m->news.until_mono = m->now_mono + 3000;
}

static void disagreeing(struct model *m)
{
    fixture_day(m);
    for (size_t i = 0; i < 2; i++) {
        struct contract_amount *a = i ? &m->account->spendable : &m->purchases[0].amount;

        fixture_amount(a, i ? 500001 : 249901);
        fixture_text(&a->display, i ? "₹5,000.00" : "₹2,499.00");
        a->disagrees = true;
    }
    m->view = MODEL_VIEW_ACCOUNT;
}

static void test_account(void **state)
{
    (void)state;
    scene_check("account", account, MOST_SIZES | SCENE_40 | SCENE_ASCII);
    scene_check("account_unknown", account_unknown, MOST_SIZES);
    scene_check("account_truncated", account_truncated, MOST_SIZES);
    scene_check("account_not_read", account_not_read, SCENE_80);
    scene_check("account_personal", account_personal, MOST_SIZES);
    scene_check("account_disagreeing", disagreeing, MOST_SIZES);
}

static void test_transactions(void **state)
{
    (void)state;
    scene_check("transactions", transactions, MOST_SIZES | SCENE_40 | SCENE_160 | SCENE_ASCII);
    scene_check("transactions_end", transactions_end, SCENE_USUAL);
    scene_check("transactions_all", transactions_all, SCENE_80);
    scene_check("transactions_none", transactions_none, SCENE_80);
    scene_check("transactions_first", transactions_first, SCENE_80);
    scene_check("transactions_trouble", transactions_trouble, MOST_SIZES);
}

static void test_questions_and_activity(void **state)
{
    (void)state;
    scene_check("questions", questions, MOST_SIZES | SCENE_40);
    scene_check("questions_none", questions_none, SCENE_80);
    scene_check("activity", activity, MOST_SIZES | SCENE_40 | SCENE_160);
    scene_check("activity_none", activity_none, SCENE_80);
}

static void test_header(void **state)
{
    (void)state;
    scene_check("header_journal_held", journal_held, SCENE_USUAL | SCENE_60);
    scene_check("header_journal_off", journal_off, SCENE_USUAL | SCENE_60);
    scene_check("header_trouble_read_only", live_read_only, MOST_SIZES | SCENE_40);
    scene_check("header_limited", limited, MOST_SIZES);
    scene_check("header_signed_out", signed_out, SCENE_80);
    scene_check("header_update", update_needed, SCENE_80);
    scene_check("header_news", news, MOST_SIZES);
    scene_check("header_news_warning", news_warning, MOST_SIZES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_account),
        cmocka_unit_test(test_transactions),
        cmocka_unit_test(test_questions_and_activity),
        cmocka_unit_test(test_header),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
