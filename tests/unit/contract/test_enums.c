/* SPDX-License-Identifier: Apache-2.0 */
/* The closed lists: as many values as the schemas have, each with words, found by its wire name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include "contract/enums.h"

static void lists_are_as_long_as_the_schemas_say(void **state)
{
    (void)state;
    static const struct {
        enum contract_kind kind;
        int count;
    } facts[] = {
        {CONTRACT_KIND_TOOL, 13},
        {CONTRACT_KIND_STATE, 10},
        {CONTRACT_KIND_TASK, 5},
        {CONTRACT_KIND_MONEY, 6},
        {CONTRACT_KIND_RAIL, 4},
        {CONTRACT_KIND_CHECKOUT_BY, 2},
        {CONTRACT_KIND_QUESTION, 5},
        {CONTRACT_KIND_FOLLOW_UP, 1},
        {CONTRACT_KIND_ANSWER_TYPE, 3},
        {CONTRACT_KIND_APPROVAL, 4},
        {CONTRACT_KIND_APPROVAL_METHOD, 2},
        {CONTRACT_KIND_PAYMENT_KIND, 2},
        {CONTRACT_KIND_ACTION, 9},
        {CONTRACT_KIND_CODE, 12},
        {CONTRACT_KIND_REASON, 42},
        {CONTRACT_KIND_OUTCOME, 2},
        {CONTRACT_KIND_FAILURE, 8},
        {CONTRACT_KIND_STEP, 8},
        {CONTRACT_KIND_RAIL_CHOICE, 2},
        {CONTRACT_KIND_VERIFICATION, 3},
        {CONTRACT_KIND_HELD_STATE, 3},
        {CONTRACT_KIND_SECTION, 8},
        {CONTRACT_KIND_UNAVAILABLE, 8},
        {CONTRACT_KIND_PERIOD, 2},
        {CONTRACT_KIND_SERVICE, 1},
        {CONTRACT_KIND_DIRECTION, 3},
        {CONTRACT_KIND_LINE_KIND, 12},
        {CONTRACT_KIND_LINE_STATUS, 4},
        {CONTRACT_KIND_LINE_CARD, 3},
        {CONTRACT_KIND_REDEEM, 2},
    };
    assert_int_equal(sizeof facts / sizeof facts[0], CONTRACT_KIND_COUNT);
    for (size_t i = 0; i < CONTRACT_KIND_COUNT; i++)
        assert_int_equal(contract_count(facts[i].kind), facts[i].count);
}

static void every_value_is_found_by_its_wire_name(void **state)
{
    (void)state;
    for (int kind = 0; kind < CONTRACT_KIND_COUNT; kind++) {
        for (int i = 0; i < contract_count((enum contract_kind)kind); i++) {
            const struct contract_row *row = contract_row((enum contract_kind)kind, i);
            assert_non_null(row);
            assert_true(row->words[0] != '\0');
            assert_int_equal(contract_find((enum contract_kind)kind, row->wire), i);
            assert_ptr_equal(contract_wire((enum contract_kind)kind, i), row->wire);
        }
    }
    assert_int_equal(contract_find(CONTRACT_KIND_STATE, "ready"), CONTRACT_STATE_READY);
    assert_int_equal(contract_find(CONTRACT_KIND_TOOL, "search_products"),
                     CONTRACT_TOOL_SEARCH_PRODUCTS);
}

static void values_outside_the_list_have_no_row(void **state)
{
    (void)state;
    assert_null(contract_row(CONTRACT_KIND_STATE, CONTRACT_STATE_COUNT));
    assert_null(contract_row(CONTRACT_KIND_STATE, CONTRACT_ABSENT));
    assert_null(contract_row(CONTRACT_KIND_STATE, CONTRACT_UNRECOGNISED));
    assert_null(contract_row(CONTRACT_KIND_COUNT, 0));
    assert_int_equal(contract_count(CONTRACT_KIND_COUNT), 0);
    assert_int_equal(contract_find(CONTRACT_KIND_STATE, "READY"), CONTRACT_UNRECOGNISED);
    assert_int_equal(contract_find(CONTRACT_KIND_STATE, ""), CONTRACT_UNRECOGNISED);
    assert_int_equal(contract_find(CONTRACT_KIND_STATE, NULL), CONTRACT_UNRECOGNISED);
    assert_string_equal(contract_wire(CONTRACT_KIND_STATE, CONTRACT_ABSENT), "");
}

static void words_tell_known_absent_and_unrecognised_apart(void **state)
{
    (void)state;
    char out[100];
    struct contract_enum e = {.value = CONTRACT_STATE_READY};
    assert_string_equal(contract_words(CONTRACT_KIND_STATE, &e, out, sizeof out, "-"), "ready");
    e.value = CONTRACT_ABSENT;
    assert_string_equal(contract_words(CONTRACT_KIND_STATE, &e, out, sizeof out, "none"), "none");
    e = (struct contract_enum){.value = CONTRACT_UNRECOGNISED, .raw = "resting"};
    assert_string_equal(contract_words(CONTRACT_KIND_STATE, &e, out, sizeof out, "-"),
                        "unrecognised: resting");
    e.raw[0] = '\0';
    assert_string_equal(contract_words(CONTRACT_KIND_STATE, &e, out, sizeof out, "-"),
                        "unrecognised: (empty)");
}

static void final_and_held_states_are_those_of_the_table(void **state)
{
    (void)state;
    static const bool terminal[CONTRACT_STATE_COUNT] = {[CONTRACT_STATE_COMPLETED] = true,
                                                        [CONTRACT_STATE_FAILED] = true,
                                                        [CONTRACT_STATE_CANCELLED] = true,
                                                        [CONTRACT_STATE_SUPERSEDED] = true};
    static const bool held[CONTRACT_STATE_COUNT] = {[CONTRACT_STATE_WAITING_FOR_USER] = true,
                                                    [CONTRACT_STATE_PROCESSING] = true,
                                                    [CONTRACT_STATE_VERIFYING] = true};
    for (int i = 0; i < CONTRACT_STATE_COUNT; i++) {
        assert_int_equal(contract_state_is_terminal(i), terminal[i]);
        assert_int_equal(contract_state_is_held(i), held[i]);
    }
    assert_false(contract_state_is_terminal(CONTRACT_UNRECOGNISED));
    assert_false(contract_state_is_held(CONTRACT_UNRECOGNISED));
}

static void writes_and_twin_names_are_known(void **state)
{
    (void)state;
    int writes = 0;
    for (int i = 0; i < CONTRACT_TOOL_COUNT; i++)
        writes += contract_is_write((enum contract_tool)i);
    assert_int_equal(writes, 6);
    assert_false(contract_is_write(CONTRACT_TOOL_GET_PURCHASE_STATUS));
    assert_true(
        contract_tool_is_same(CONTRACT_TOOL_SUBMIT_ANSWER, CONTRACT_TOOL_ANSWER_PURCHASE_QUESTION));
    assert_true(
        contract_tool_is_same(CONTRACT_TOOL_LIST_GIFT_CARD_MERCHANTS, CONTRACT_TOOL_GET_MERCHANTS));
    assert_false(contract_tool_is_same(CONTRACT_TOOL_SUBMIT_ANSWER, CONTRACT_TOOL_GET_MERCHANTS));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_are_as_long_as_the_schemas_say),
        cmocka_unit_test(every_value_is_found_by_its_wire_name),
        cmocka_unit_test(values_outside_the_list_have_no_row),
        cmocka_unit_test(words_tell_known_absent_and_unrecognised_apart),
        cmocka_unit_test(final_and_held_states_are_those_of_the_table),
        cmocka_unit_test(writes_and_twin_names_are_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
