/* SPDX-License-Identifier: Apache-2.0 */
/* A whole session with the n-th allocation failing, for every n: no crash, no write without its
 * entry in the model, the same key for the same words, and afterwards it goes on. */
#include "app_rig.h"

static const struct model_settings plain_set = {.demo = true};

static int init(void **state)
{
    bool locked;
    (void)state;
    return secret_init(&locked) == ERR_OK ? 0 : -1;
}

/* As the network layer does it: without memory for a reply, its outcome is not known. */
static void reply(struct rig *r, struct seen *s, const char *json)
{
    struct envoy_result result = {
        .outcome = ENVOY_REPLY, .http_status = 200, .retry_after_ms = -1, .may_have_arrived = true};
    struct secret *body = secret_new(strlen(json) + 1);
    enum err e = body ? secret_append(body, json, strlen(json)) : ERR_MEMORY;
    if (e == ERR_OK) {
        result.handout_malformed = handout_extract(body, &result.handout) != ERR_OK;
        e = contract_reply_decode(s->tool, (const char *)secret_open(body), secret_len(body),
                                  &result.reply, NULL);
        secret_close(body);
    }
    secret_free(body);
    if (e != ERR_OK) {
        handout_free(result.handout);
        result.handout = NULL;
        result.outcome = ENVOY_RESET;
    }
    rig_result(r, s, &result);
}

static const char *tool_reply(struct rig *r, const struct seen *s, const struct deal *d)
{
    switch (s->tool) {
    case CONTRACT_TOOL_GET_ACCOUNT:
        return rig_account(r);
    case CONTRACT_TOOL_LIST_PURCHASES:
        return rig_list(r, d, 1);
    default:
        return deal_reply(r, contract_wire(CONTRACT_KIND_TOOL, (int)s->tool), d);
    }
}

/* Answers what is open now, but not what that brings. */
static void serve(struct rig *r, const struct deal *d)
{
    size_t count = r->count;
    for (size_t i = 0; i < count; i++)
        if (r->seen[i].kind == EFFECT_CALL && !r->seen[i].answered)
            reply(r, &r->seen[i], tool_reply(r, &r->seen[i], d));
}

static void send_what_is_written(struct rig *r)
{
    r->m.pane = MODEL_PANE_NEED;
    rig_key(r, "Ctrl-S");
    rig_pass(r, 600);
    rig_key(r, "Ctrl-S");
}

static void move_to(struct rig *r, struct deal *d, const char *state)
{
    d->state = state;
    d->revision++;
    d->details_json = strcmp(state, "ready") == 0 ? rig_card(RIG_ATTEMPT_A) : NULL;
    for (int i = 0; i < 3; i++) {
        serve(r, d);
        rig_pass(r, 21000);
    }
}

static void session(struct rig *r, struct deal *d)
{
    rig_say(r, MSG_START);
    serve(r, d);
    serve(r, d);
    rig_pass(r, 5000);
    move_to(r, d, "needs_answer");
    r->m.pane = MODEL_PANE_NEED;
    rig_key(r, "Enter");
    rig_type(r, "Blue");
    send_what_is_written(r);
    rig_key(r, "Esc");
    if (rig_writes(r) > 0) {
        struct seen *w = rig_write(r);
        if (!w->answered)
            rig_lose(r, w, ENVOY_REFUSED, false);
        char first[1024];
        (void)str_copy(first, sizeof first, w->body);
        send_what_is_written(r);
        if (rig_writes(r) > 1 && strstr(first, "\"Blue\"") &&
            strstr(rig_write(r)->body, "\"Blue\""))
            assert_string_equal(rig_write(r)->body, first);
        rig_key(r, "Esc");
    }
    move_to(r, d, "ready");
    rig_key(r, "n");
    rig_key(r, "s");
    rig_pass(r, 600);
    rig_key(r, "1");
    serve(r, d);
    rig_key(r, "Esc");
    rig_key(r, "p");
    rig_type(r, "ORDER-7");
    rig_pass(r, 600);
    rig_key(r, "Ctrl-S");
    rig_key(r, "Esc");
    move_to(r, d, "verifying");
    rig_key(r, "3");
    rig_key(r, "2");
    rig_key(r, ":");
    rig_type(r, "purch");
    rig_key(r, "Enter");
    rig_key(r, "/");
    rig_paste(r, "Ex");
    rig_key(r, "Esc");
    d->money = "debited";
    move_to(r, d, "completed");
}

static bool write_is_open(const struct model_purchase *p)
{
    for (size_t i = 0; i < MODEL_WRITE_KIND_COUNT; i++)
        if (p->writes[i].state == MODEL_WRITE_SENT || p->writes[i].state == MODEL_WRITE_UNKNOWN)
            return true;
    return false;
}

static bool was_used(void)
{
    for (int i = 0; i < 20000; i++) { /* the failure still stands: this finds it */
        void *p = alloc_bytes(1);
        if (!p)
            return false;
        alloc_free(p);
    }
    return true;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    unsigned long n = 1;
    size_t whole = 0;
    for (; n < 100000; n++) {
        struct rig *r = rig_open(plain_set);
        struct deal d = deal_new(1, "processing");
        alloc_fail_nth(n);
        session(r, &d);
        bool used = was_used();
        alloc_fail_nth(0);
        for (int i = 0; i < 6; i++) { /* with memory again it goes on by itself */
            serve(r, &d);
            rig_pass(r, 61000);
        }
        struct model_purchase *p = r->m.purchase_count > 0 ? &r->m.purchases[0] : NULL;
        assert_non_null(p);
        assert_non_null(p->snap);
        assert_int_equal(p->state.value, CONTRACT_STATE_COMPLETED);
        assert_false(write_is_open(p));
        rig_say(r, MSG_CLOSE);
        assert_null(p->handout);
        if (!used)
            whole = rig_writes(r);
        rig_close(r);
        if (!used)
            break;
    }
    assert_int_equal(whole, 4); /* the last session had all its memory: two answers, step, report */
    assert_true(n > 300);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, init, NULL);
}
