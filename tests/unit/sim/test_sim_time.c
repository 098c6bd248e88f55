/* SPDX-License-Identifier: Apache-2.0 */
/* The clock, identifiers from the seed, and scenarios: strict reading, the past, who is left to
 * act. */
#include "sim_bench_world.h"

#include <stdlib.h>
#include <unistd.h>

#include "core/ident.h"
#include "sim/sim_scenario.h"

static void a_manual_clock_stands_until_told(void **state)
{
    struct sim_clock c;

    (void)state;
    assert_int_equal(sim_clock_parse(&c, "manual"), ERR_OK);
    assert_int_equal(sim_clock_now(&c), SIM_CLOCK_FIXED_START_MS);
    assert_int_equal(sim_clock_timeout_ms(&c, SIM_CLOCK_FIXED_START_MS + 1), -1);
    sim_clock_set(&c, SIM_CLOCK_FIXED_START_MS + 5000);
    assert_int_equal(sim_clock_now(&c), SIM_CLOCK_FIXED_START_MS + 5000);
    sim_clock_start(&c);
    assert_int_equal(sim_clock_now(&c), SIM_CLOCK_FIXED_START_MS);
}

static void a_fast_clock_shortens_waits(void **state)
{
    struct sim_clock c;
    int64_t now = 0;

    (void)state;
    assert_int_equal(sim_clock_parse(&c, "x100"), ERR_OK);
    now = sim_clock_now(&c);
    assert_in_range(sim_clock_timeout_ms(&c, now + 100000), 900, 1000);
    assert_int_equal(sim_clock_timeout_ms(&c, now), 0);
    assert_int_equal(sim_clock_timeout_ms(&c, SIM_NEVER), -1);
    sim_clock_freeze(&c, true);
    assert_int_equal(sim_clock_timeout_ms(&c, now + 100000), -1);
    now = sim_clock_now(&c);
    assert_int_equal(sim_clock_now(&c), now);
    sim_clock_freeze(&c, false);
    assert_true(sim_clock_now(&c) >= now);
}

static void other_clocks_are_refused(void **state)
{
    static const char *const bad[] = {"", "x", "x0", "x1001", "x2.5", "x-1", "fast", "Real"};
    struct sim_clock c = {.base_ms = 42};

    (void)state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        assert_int_equal(sim_clock_parse(&c, bad[i]), ERR_USER);
    }
    assert_int_equal(c.base_ms, 42);
}

static bool has_right_check_digit(const char *number)
{
    int sum = 0;

    for (size_t i = 0; i < 16; i++) {
        int d = number[15 - i] - '0';

        sum += i % 2 == 0 ? d : d * 2 > 9 ? d * 2 - 9 : d * 2;
    }
    return sum % 10 == 0;
}

static void the_seed_makes_the_ids(void **state)
{
    char a[SIM_IDENT_PURCHASE_SIZE], b[SIM_IDENT_PURCHASE_SIZE];
    char uuid[SIM_IDENT_UUID_SIZE];
    char number[17];

    (void)state;
    for (uint64_t i = 1; i < 500; i++) {
        sim_ident_purchase(9, i, a);
        sim_ident_purchase(9, i, b);
        assert_string_equal(a, b);
        assert_true(ident_is_purchase_id(a));
        sim_ident_purchase(9, i + 1, b);
        assert_string_not_equal(a, b);
        sim_ident_purchase(10, i, b);
        assert_string_not_equal(a, b);
        sim_ident_offer(9, i, b);
        assert_true(ident_is_offer_id(b));
        sim_ident_uuid(9, i, 1, uuid);
        assert_true(ident_is_uuid(uuid));
        sim_ident_card(9, i, number);
        assert_int_equal(strlen(number), 16);
        assert_memory_equal(number, "608032", 6);
        assert_true(has_right_check_digit(number));
    }
}

static enum err load(struct sim_world *w, const char *text, bool is_auto, char *why)
{
    char path[] = "/tmp/sim-scenario-XXXXXX";
    int fd = mkstemp(path);
    enum err e = ERR_OK;

    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
    sim_world_init(w, 0, SIM_CLOCK_FIXED_START_MS);
    w->is_auto = is_auto;
    e = sim_scenario_load(w, path, why, 400);
    unlink(path);
    return e;
}

#define START                                                                                        \
    "\"start\":{\"merchant_url\":\"shop.test\",\"total\":\"₹1,499\",\"items\":[{\"name\":\"x\"}]," \
    "\"user_request\":\"x\"}"

static void mistakes_in_a_file_are_named(void **state)
{
    static const struct {
        const char *text, *word;
    } rows[] = {
        {"nothing", "JSON"},
        {"[]", "object"},
        {"{\"titel\":\"x\"}", "titel"},
        {"{\"account\":{\"balance\":\"much\"}}", "balance"},
        {"{\"account\":{\"balance\":7}}", "balance"},
        {"{\"purchases\":[{" START "}]}", "name"},
        {"{\"purchases\":[{\"name\":\"a\"}]}", "start"},
        {"{\"purchases\":[{\"name\":\"a\",\"start\":{\"total\":\"1\"}}]}", "merchant_url"},
        {"{\"purchases\":[{\"name\":\"a\"," START ",\"pace\":{\"fnud\":1}}]}", "fnud"},
        {"{\"purchases\":[{\"name\":\"a\"," START ",\"vault\":\"maybe\"}]}", "vault"},
        {"{\"purchases\":[{\"name\":\"a\"," START ",\"acts\":[{\"actor\":\"owner\"}]}]}", "do"},
        {"{\"purchases\":[{\"name\":\"a\"," START
         ",\"acts\":[{\"actor\":\"owner\",\"do\":\"dance\"}]}]}",
         "do"},
        {"{\"purchases\":[{\"name\":\"a\"," START
         ",\"acts\":[{\"actor\":\"owner\",\"do\":\"pay\",\"when\":\"noon\"}]}]}",
         "when"},
        {"{\"gift_cards\":[{\"domain\":\"a.test\"}]}", "amounts"},
        {"{\"products\":[{\"name\":\"a\"}]}", "price"},
        {"{\"merchants\":[{\"host\":\"a\",\"name\":\"a\",\"rail\":\"bus\"}]}", "rail"},
        {"{\"history\":{\"count\":-1}}", "history"},
    };
    static struct sim_world w;

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char why[400] = "";

        if (load(&w, rows[i].text, false, why) != ERR_FORMAT || strstr(why, rows[i].word) == NULL) {
            fail_msg("%s: %s", rows[i].text, why);
        }
        sim_world_fini(&w);
    }
}

#define STORY                                                                                      \
    "{\"seed\":5,\"purchases\":[{\"name\":\"old\",\"at\":-600," START ",\"acts\":["                \
    "{\"when\":\"approve\",\"seconds\":5,\"actor\":\"owner\",\"do\":\"approve\"},"                 \
    "{\"when\":\"processing\",\"seconds\":2,\"actor\":\"merchant\",\"do\":\"ask\",\"prompt\":"     \
    "\"Blue?\"},"                                                                                  \
    "{\"when\":\"needs_answer\",\"seconds\":900,\"actor\":\"agent\",\"do\":\"answer\",\"text\":"   \
    "\"yes\"},"                                                                                    \
    "{\"when\":\"ready\",\"seconds\":2,\"actor\":\"agent\",\"do\":\"report\",\"outcome\":"         \
    "\"failed\",\"failure_reason\":\"other\"},"                                                    \
    "{\"when\":\"verifying\",\"seconds\":50,\"actor\":\"merchant\",\"do\":\"reopen\",\"if\":"      \
    "\"failed\"},"                                                                                 \
    "{\"when\":\"ready\",\"seconds\":2,\"actor\":\"agent\",\"do\":\"report\"},"                    \
    "{\"when\":\"verifying\",\"seconds\":9,\"actor\":\"merchant\",\"do\":\"settle\",\"order_"      \
    "ref\":"                                                                                       \
    "\"S-1\"}]}]}"

static void the_past_is_played_and_the_rest_is_left_to_the_person(void **state)
{
    static struct sim_world w;
    char why[400] = "";
    struct sim_purchase *p = NULL;

    (void)state;
    assert_int_equal(load(&w, STORY, false, why), ERR_OK);
    assert_int_equal(w.now_ms, SIM_CLOCK_FIXED_START_MS);
    assert_int_equal(w.purchase_count, 1);
    p = w.purchases[0];
    assert_int_equal(p->total_minor, 149900);
    assert_int_equal(p->created_ms, SIM_CLOCK_FIXED_START_MS - 600000);
    assert_int_equal(p->question.asked_ms, SIM_CLOCK_FIXED_START_MS - 593000);
    bench_after(&w, 3600);
    assert_int_equal(p->state, SIM_NEEDS_ANSWER); /* nobody answers for the person */
    sim_flow_answer(&w, p);
    bench_after(&w, 10);
    assert_int_equal(p->state, SIM_READY);
    sim_flow_report(&w, p, NULL, true, NULL, "MINE", 0);
    bench_after(&w, 8);
    assert_int_equal(p->state, SIM_VERIFYING); /* reopen does not fit a paid report */
    bench_after(&w, 1);
    assert_int_equal(p->state, SIM_COMPLETED);
    assert_string_equal(p->order_ref, "S-1");
    sim_world_fini(&w);
}

static void with_auto_everybody_acts(void **state)
{
    static struct sim_world w;
    char why[400] = "";
    struct sim_purchase *p = NULL;

    (void)state;
    assert_int_equal(load(&w, STORY, true, why), ERR_OK);
    p = w.purchases[0];
    bench_after(&w, 307 + 4 + 2 + 49);
    assert_int_equal(p->state, SIM_VERIFYING);
    bench_after(&w, 1);
    assert_int_equal(p->state, SIM_READY);
    bench_after(&w, 2 + 9);
    assert_int_equal(p->state, SIM_COMPLETED);
    assert_int_equal(p->counts.reports, 2);
    sim_world_fini(&w);
}

static void a_purchase_without_a_script_has_a_willing_owner_with_auto(void **state)
{
    static struct sim_world w;
    struct sim_purchase *p = NULL;

    (void)state;
    bench_world(&w, 4);
    w.is_auto = true;
    p = bench_start(&w, "auto-key-00000001", "big.example.test", "30000",
                    ",\"address_id\":\"home\"", NULL);
    bench_after(&w, 60);
    assert_int_equal(p->state, SIM_COMPLETED); /* approved, and money added */
    sim_world_fini(&w);
}

static void every_built_in_scenario_loads_the_same_twice(void **state)
{
    static struct sim_world a, b;
    size_t count = 0;

    (void)state;
    for (; sim_scenario_name(count) != NULL; count++) {
        char why[400] = "";

        sim_world_init(&a, 0, SIM_CLOCK_FIXED_START_MS);
        sim_world_init(&b, 0, SIM_CLOCK_FIXED_START_MS);
        a.is_auto = b.is_auto = true;
        assert_int_equal(sim_scenario_load(&a, sim_scenario_name(count), why, sizeof(why)), ERR_OK);
        assert_int_equal(sim_scenario_load(&b, sim_scenario_name(count), why, sizeof(why)), ERR_OK);
        bench_after(&a, 7200);
        bench_after(&b, 7200);
        assert_int_equal(a.purchase_count, b.purchase_count);
        for (size_t i = 0; i < a.purchase_count; i++) {
            cJSON *one = sim_render_purchase(&a, a.purchases[i]);
            cJSON *two = sim_render_purchase(&b, b.purchases[i]);

            assert_true(cJSON_Compare(one, two, true));
            assert_true(sim_state_is_terminal(a.purchases[i]->state));
            cJSON_Delete(one);
            cJSON_Delete(two);
        }
        sim_world_fini(&a);
        sim_world_fini(&b);
    }
    assert_true(count >= 18);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_manual_clock_stands_until_told),
        cmocka_unit_test(a_fast_clock_shortens_waits),
        cmocka_unit_test(other_clocks_are_refused),
        cmocka_unit_test(the_seed_makes_the_ids),
        cmocka_unit_test(mistakes_in_a_file_are_named),
        cmocka_unit_test(the_past_is_played_and_the_rest_is_left_to_the_person),
        cmocka_unit_test(with_auto_everybody_acts),
        cmocka_unit_test(a_purchase_without_a_script_has_a_willing_owner_with_auto),
        cmocka_unit_test(every_built_in_scenario_loads_the_same_twice),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
