/* SPDX-License-Identifier: Apache-2.0 */
/* What the state of the journal means for the model: what is refused, in whose words, and what is
 * said when it changes. */
#include "start_rig.h"

#define HELD  "Journal: the console with PID 4711 has it open; nothing is sent from here."
#define WRONG "Journal: /x/journal.db is damaged."

static void want_start_refused(const char *words)
{
    rig.m->news.text[0] = '\0';
    rig_key("Ctrl-N");
    assert_int_equal(model_dialog(rig.m), MODEL_DIALOG_NONE);
    assert_string_equal(rig.m->news.text, words);
    assert_false(model_may_write(rig.m));
}

static void nothing_is_started_without_it_and_its_words_say_why(void **state)
{
    (void)state;
    app_journal_state(rig.m, JOURNAL_READ_ONLY, HELD);
    assert_string_equal(rig.m->news.text, HELD);
    assert_true(rig.m->news.warning && rig.m->dirty);
    want_start_refused(HELD);
    app_journal_state(rig.m, JOURNAL_OFF, WRONG);
    want_start_refused(WRONG);
    rig.m->set.read_only = true; /* chosen: then that is the reason */
    want_start_refused(policy_words(POLICY_NO_READ_ONLY));
    assert_int_equal(rig_sent(CONTRACT_TOOL_START_PURCHASE), 0);
}

static void writing_is_possible_again_when_it_is_well(void **state)
{
    (void)state;
    app_journal_state(rig.m, JOURNAL_READ_ONLY, HELD);
    app_journal_state(rig.m, JOURNAL_READ_WRITE, "");
    assert_non_null(strstr(rig.m->news.text, "can be written again"));
    assert_false(rig.m->news.warning);
    assert_true(model_may_write(rig.m));
    rig_key("Ctrl-N");
    assert_int_equal(model_dialog(rig.m), MODEL_DIALOG_START);
}

/* A full disk is met while it is open: the next write may go through, so it is tried. */
static void a_full_disk_bars_nothing_before_the_write(void **state)
{
    (void)state;
    app_journal_state(rig.m, JOURNAL_READ_WRITE, "Journal: the disk is full.");
    assert_true(model_may_write(rig.m));
    assert_string_equal(rig.m->news.text, "Journal: the disk is full.");
    rig.m->news.text[0] = '\0';
    app_journal_state(rig.m, JOURNAL_READ_WRITE, "");
    assert_string_equal(rig.m->news.text, "");
}

static void only_the_journals_reason_has_its_words(void **state)
{
    (void)state;
    assert_string_equal(model_refusal_words(rig.m, POLICY_NO_JOURNAL),
                        policy_words(POLICY_NO_JOURNAL));
    app_journal_state(rig.m, JOURNAL_OFF, WRONG);
    assert_string_equal(model_refusal_words(rig.m, POLICY_NO_JOURNAL), WRONG);
    assert_string_equal(model_refusal_words(rig.m, POLICY_NO_STALE), policy_words(POLICY_NO_STALE));
}

static void the_account_has_a_name_only_when_its_owner_is_known(void **state)
{
    char name[32] = "", other[32] = "";
    struct contract_account a = {.profile_name = (char *)(uintptr_t) "Asha Rao",
                                 .profile_mobile = (char *)(uintptr_t) "+91 1"};
    (void)state;
    assert_false(model_account_name("host", &a, name));
    assert_string_equal(name, "");
    a.has_profile = true;
    assert_true(model_account_name("host", &a, name));
    assert_null(strstr(name, "Asha"));
    a.profile_mobile = (char *)(uintptr_t) "+91 2";
    assert_true(model_account_name("host", &a, other));
    assert_string_not_equal(name, other);
    assert_true(model_account_name("elsewhere", &a, name));
    assert_string_not_equal(name, other);
    a.unavailable[CONTRACT_UNAVAILABLE_PROFILE] = true;
    assert_false(model_account_name("host", &a, name));
}

#define TEST(fn) cmocka_unit_test_setup_teardown(fn, rig_open, rig_close)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(nothing_is_started_without_it_and_its_words_say_why),
        TEST(writing_is_possible_again_when_it_is_well),
        TEST(a_full_disk_bars_nothing_before_the_write),
        TEST(only_the_journals_reason_has_its_words),
        TEST(the_account_has_a_name_only_when_its_owner_is_known),
    };
    return cmocka_run_group_tests_name("app/journal", tests, NULL, NULL);
}
