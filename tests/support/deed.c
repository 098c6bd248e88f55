/* SPDX-License-Identifier: Apache-2.0 */
/* See deed.h. */
#include "support/deed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "support/lineproc.h"

#define CONFIRM_MS 600 /* a review takes no confirmation sooner than half a second */
#define LINE_MAX_  256

#define CARD "approve latest\nadvance 6\nwait ── masked ──\n"
#define LOST "was lost"

const struct deed deeds[] = {
    {.name = "start",
     .only = "reset",
     .scenario = "card",
     .tool = "start_purchase",
     .ledger = "starts",
     .prepare = "keys C-n\nwait Start a purchase\ntype https://lamps.example.test\nkeys Down\n"
                "type 900\nkeys Down\ntype Desk lamp\nkeys Down Down Down Down\n"
                "type The small lamp.\nkeys C-s\nwait start it\npause",
     .confirm = "keys C-s",
     .unknown = "reply was lost|no reply",
     .done = "Desk lamp · ₹900|Lamps|lamps.example.test +₹900|Approve ₹900.00",
     .undone = "nothing was started|Envoy refused"},
    {.name = "answer",
     .scenario = "question",
     .tool = "submit_answer",
     .ledger = "answers",
     .prepare = "approve latest\nadvance 4\nwait needs your answer\npause\nkeys Tab Tab\n"
                "wait Enter write\nkeys Enter\nwait 0 of 800\ntype Take the blue one.\n"
                "wait 18 of 800\nkeys C-s\nwait Review before sending\npause",
     .confirm = "keys C-s",
     .unknown = LOST,
     .done = "no longer open|● ordered|Envoy recorded the answer",
     .undone = "was not recorded|Refused:|Not taken"},
    {.name = "paid",
     .only = "reset",
     .scenario = "card",
     .tool = "report_checkout_result",
     .ledger = "reports",
     .prepare = CARD "keys p\nwait Report: paid\npause",
     .confirm = "keys C-s",
     .unknown = LOST,
     .done = "Envoy has a report|The payment is being confirmed|Complete\\.",
     .undone = "was not recorded|Refused:"},
    {.name = "failed",
     .only = "reset",
     .scenario = "card",
     .tool = "report_checkout_result",
     .ledger = "reports",
     .prepare = CARD "keys f\nwait Report: failed\npause",
     .confirm = "keys C-s",
     .unknown = LOST,
     .done = "Envoy has a report|The payment is being confirmed",
     .undone = "was not recorded|Refused:"},
    {.name = "cancel",
     .only = "reset",
     .scenario = "card",
     .tool = "cancel_purchase",
     .ledger = "cancels",
     .prepare =
         "approve latest\nadvance 1\nwait ● prepared\npause\nkeys x\nwait Cancel this\npause",
     .confirm = "keys y",
     .unknown = LOST,
     .done = "purchase is ending|Envoy recorded the cancel",
     .undone = "was not cancelled|Refused:"},
};
const size_t deed_count = sizeof deeds / sizeof deeds[0];

const struct deed *deed_find(const char *name)
{
    for (size_t i = 0; i < deed_count; i++)
        if (strcmp(deeds[i].name, name) == 0)
            return &deeds[i];
    return NULL;
}

void deed_reset(struct rig *r, const char *scenario, unsigned seed)
{
    pty_close(r->pty);
    r->pty = NULL;
    world_close(&r->world);
    assert_true(world_open(&r->world));
    simproc_post(r->sim, "/sim/fault", "{'clear':true}");
    simproc_post(r->sim, "/sim/reset", "{'scenario':'%s','seed':%u}", scenario, seed);
    assert_int_equal(simproc_status(r->sim), 200);
}

static void step(struct rig *r, const char *line)
{
    const char *rest = strchr(line, ' ') ? strchr(line, ' ') + 1 : "";
    if (strncmp(line, "approve ", 8) == 0)
        simproc_phone(r->sim, rest, "approve");
    else if (strncmp(line, "advance ", 8) == 0)
        simproc_advance(r->sim, atol(rest));
    else if (strncmp(line, "wait ", 5) == 0)
        rig_want(r, rest);
    else if (strncmp(line, "keys ", 5) == 0)
        rig_keys(r, rest);
    else if (strncmp(line, "type ", 5) == 0)
        pty_type(r->pty, rest);
    else if (strcmp(line, "pause") == 0)
        pty_let_pass(r->pty, CONFIRM_MS);
    else
        rig_fail(r, line);
}

void deed_steps(struct rig *r, const char *steps)
{
    char line[LINE_MAX_];
    while (*steps) {
        size_t len = strcspn(steps, "\n");
        assert_true(len < sizeof line);
        memcpy(line, steps, len);
        line[len] = '\0';
        if (len > 0)
            step(r, line);
        steps += len + (steps[len] == '\n');
    }
}

static const char *text_of(const cJSON *row, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(row, name);
    return cJSON_IsString(item) ? item->valuestring : "";
}

/* Effects that the simulator counted for this journal row's key; -1: it counts none by key. */
static int effects_of(const cJSON *state, const cJSON *row)
{
    const char *key = text_of(row, "idempotency_key");
    const cJSON *e;
    int sum = 0;
    if (!key[0])
        return -1;
    cJSON_ArrayForEach(e, cJSON_GetObjectItemCaseSensitive(state, "effects"))
    {
        if (strcmp(text_of(e, "key"), key) == 0)
            sum += (int)simproc_number(e, "effects");
    }
    return sum;
}

static void judge(struct rig *r, const struct deed *d, const cJSON *row, const cJSON *state,
                  bool lies, struct deed_truth *t)
{
    const char *word = text_of(row, "state");
    bool done = strcmp(word, "done") == 0 || strcmp(word, "replayed") == 0;
    bool refused = strcmp(word, "refused") == 0 || strcmp(word, "not_sent") == 0;
    bool settled = strcmp(word, "settled") == 0;
    int effects = effects_of(state, row);
    size_t used = strlen(t->words);
    snprintf(t->words + used, sizeof t->words - used, "%s(%d) ", word, effects);
    t->rows++;
    t->done += done;
    t->refused += refused;
    t->open += !done && !refused && !settled;
    t->most = effects > t->most ? effects : t->most;
    if (done && effects == 0)
        rig_fail(r, "the journal says recorded, and Envoy has nothing");
    if (refused && effects > 0 && !lies)
        rig_fail(r, "the journal says refused, and Envoy has it");
    if (settled && effects > 0 && strcmp(d->tool, "start_purchase") == 0)
        rig_fail(r, "the journal gave up a start that Envoy has");
}

static void judge_all(struct rig *r, const struct deed *d, const char *lines, const cJSON *state,
                      bool lies, struct deed_truth *t)
{
    while (*lines) {
        size_t len = strcspn(lines, "\n");
        cJSON *row = cJSON_ParseWithLength(lines, len);
        assert_non_null(row);
        bool feedback = strncmp(text_of(row, "question"), "feedback", 8) == 0;
        if (strcmp(text_of(row, "tool"), d->tool) == 0 &&
            feedback == (strcmp(d->name, "feedback") == 0))
            judge(r, d, row, state, lies, t);
        cJSON_Delete(row);
        lines += len + (lines[len] == '\n');
    }
}

/* Without a key there is one write of the tool, so that the sums must agree. */
static void judge_sums(struct rig *r, bool lies, const struct deed_truth *t)
{
    if (t->done > 0 && t->effects == 0)
        rig_fail(r, "the journal says recorded, and the ledger has nothing");
    if (t->rows == t->refused && t->effects > 0 && !lies)
        rig_fail(r, "the ledger has what the journal does not know of");
    if (t->most > 1)
        rig_fail(r, "one key had two effects");
}

void deed_truth(struct rig *r, const struct deed *d, bool lies, struct deed_truth *out)
{
    const char *build = getenv("ENVOY_BUILD");
    char program[512], path[64];
    char *argv[] = {program, (char *)"journal", (char *)"--json", NULL};
    int code = -1;
    memset(out, 0, sizeof *out);
    snprintf(program, sizeof program, "%s/envoy-console", build ? build : "build");
    struct lineproc *list = lineproc_start(argv, r->world.env, NULL);
    if (!lineproc_wait_exit(list, &code, PTY_WAIT_MS) || code != 0) {
        printf("%s", lineproc_err(list));
        rig_fail(r, "the journal cannot be listed");
    }
    const cJSON *state = simproc_get(r->sim, "/sim/state");
    judge_all(r, d, lineproc_out(list), state, lies, out);
    lineproc_stop(list);
    snprintf(path, sizeof path, "counts.%s", d->ledger ? d->ledger : "");
    out->effects = d->ledger ? (int)simproc_number(state, path) : out->most;
    judge_sums(r, lies, out);
}
