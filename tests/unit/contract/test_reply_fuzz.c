/* SPDX-License-Identifier: Apache-2.0 */
/* Mutated replies and inputs. Without arguments a bounded run from a fixed seed; with "SEED COUNT"
 * a run of one's own; with "-" one text from standard input, for a fuzzer that makes its own. */
#include <unistd.h>
#include "unit/contract/fixtures.h"
#include "core/buf.h"
#include "core/ident.h"
#include "core/str.h"

#define ROUNDS    6000
#define TEXT_MOST (256u * 1024)

static uint64_t rng;

static size_t below(size_t n)
{
    rng ^= rng << 13;
    rng ^= rng >> 7;
    rng ^= rng << 17;
    return n ? (size_t)(rng % n) : 0;
}

static void assert_sound(const struct contract_purchase *p)
{
    if (!p)
        return;
    assert_true(ident_is_purchase_id(p->purchase_id));
    assert_true(ident_is_key(p->idempotency_key));
    assert_true(p->revision >= 0);
    assert_true(!p->terminal || contract_state_is_terminal(p->state.value));
    assert_false(str_has_hidden(p->status_text, strlen(p->status_text)));
    assert_false(str_has_hidden(p->merchant_name, strlen(p->merchant_name)));
    assert_true(!p->question.open || p->question.prompt);
    assert_true(!p->amount.known || (p->amount.display && p->amount.minor >= 0));
    assert_true(p->amount.known || !p->amount.display);
}

/* Encoding and decoding what was decoded changes nothing. */
static void assert_stable(const struct contract_reply *r)
{
    struct buf first;
    struct buf second;
    buf_init(&first, 16u << 20);
    buf_init(&second, 16u << 20);
    assert_int_equal(contract_reply_encode(r, &first), ERR_OK);
    struct contract_reply *again = fx_good(r->tool, buf_view(&first));
    assert_int_equal(contract_reply_encode(again, &second), ERR_OK);
    assert_string_equal(buf_view(&first), buf_view(&second));
    contract_reply_free(again);
    buf_fini(&first);
    buf_fini(&second);
}

/* text is not terminated. */
static bool try_text(enum contract_tool tool, const char *text, size_t len)
{
    struct contract_reply *r = NULL;
    struct contract_problems problems;
    char why[200] = "";
    enum err e = contract_reply_decode(tool, text, len, &r, why);
    assert_true((e == ERR_OK) == (r != NULL));
    assert_true((e == ERR_OK) == (why[0] == '\0'));
    if (r) {
        assert_sound(r->purchase);
        assert_sound(r->account ? r->account->active_purchase : NULL);
        assert_stable(r);
    }
    enum err checked = contract_check_input(tool, text, len, &problems);
    assert_true(checked == ERR_OK ? problems.count == 0 : problems.count > 0);
    contract_reply_free(r);
    return e == ERR_OK;
}

static const struct fx_reply *any_reply(void)
{
    size_t i = below(FX_COUNT(fx_examples) + FX_COUNT(fx_rich));
    return i < FX_COUNT(fx_examples) ? &fx_examples[i] : &fx_rich[i - FX_COUNT(fx_examples)];
}

static void put(struct buf *b, const char *bytes, size_t len)
{
    assert_int_equal(buf_append(b, bytes, len), ERR_OK);
}

/* Replaces [from, to) of *b by bytes. */
static void splice(struct buf *b, size_t from, size_t to, const char *bytes, size_t len)
{
    struct buf next;
    buf_init(&next, TEXT_MOST);
    put(&next, b->data, from);
    put(&next, bytes, len);
    put(&next, b->data + to, b->len - to);
    buf_fini(b);
    *b = next;
}

/* The place just after some ':' of the text: where a value begins. */
static size_t value_place(const struct buf *b)
{
    size_t start = below(b->len);
    const char *colon = memchr(b->data + start, ':', b->len - start);
    return colon ? (size_t)(colon - b->data) + 1 : start;
}

static void mutate(struct buf *b)
{
    static const char *const words[] = {
        "null",
        "true",
        "-1",
        "0",
        "9223372036854775807",
        "9223372036854775808",
        "1e400",
        "1.5",
        "{}",
        "[]",
        "\"\"",
        "\"\\u0000\"",
        "\"\\ud800\"",
        "\"\xE2\x80\xAE\"",
        "\"\\u202e\\u001b[2J\"",
        "{\"args\":{}}",
        "[[[[[[",
        "\"" FX_ID "\"",
        "\"x\",\"purchase\":null",
        "\xff",
        "\\",
        "\"",
        ",",
        "}",
        "[{\"a\":1}]",
    };
    size_t from = below(b->len);
    size_t to = from + below(b->len - from < 40 ? b->len - from : 40);
    const char *word = words[below(FX_COUNT(words))];
    const char *other = any_reply()->text;
    size_t begin = below(strlen(other));
    char flipped = (char)(b->data[from] ^ (1 << below(8)));
    switch (below(6)) {
    case 0:
        splice(b, from, from + 1, &flipped, 1);
        break;
    case 1:
        splice(b, from, to, "", 0);
        break;
    case 2:
        splice(b, from, from, word, strlen(word));
        break;
    case 3: /* a value replaced up to the next comma: often still JSON */
        from = value_place(b);
        to = from + strcspn(b->data + from, ",}]");
        splice(b, from, to, word, strlen(word));
        break;
    case 4:
        splice(b, from, to, other + begin, below(strlen(other) - begin));
        break;
    default:
        splice(b, to, to, b->data + from, to - from);
        break;
    }
}

static size_t run(uint64_t seed, unsigned long rounds)
{
    size_t good = 0;
    rng = seed * 2 + 1;
    for (unsigned long i = 0; i < rounds; i++) {
        const struct fx_reply *from = any_reply();
        struct buf b;
        buf_init(&b, TEXT_MOST);
        put(&b, from->text, strlen(from->text));
        for (size_t n = 1 + below(4); n > 0 && b.len > 0; n--)
            mutate(&b);
        /* A copy of the exact size, so that a read beyond it is noticed. */
        char *exact = malloc(b.len ? b.len : 1);
        assert_non_null(exact);
        if (b.len > 0)
            memcpy(exact, b.data, b.len);
        good += try_text(from->tool, exact, b.len);
        free(exact);
        buf_fini(&b);
    }
    return good;
}

static void mutated_texts_are_survived(void **state)
{
    (void)state;
    size_t good = run(20261, ROUNDS);
    /* Both ways must have been taken often, or the run says little. */
    assert_true(good > ROUNDS / 20 && good < ROUNDS * 3 / 4);
}

static int try_standard_input(void)
{
    static char text[TEXT_MOST];
    size_t len = 0;
    ssize_t n;
    while (len < sizeof text && (n = read(STDIN_FILENO, text + len, sizeof text - len)) > 0)
        len += (size_t)n;
    for (int tool = 0; tool < CONTRACT_TOOL_COUNT; tool++)
        try_text((enum contract_tool)tool, text, len);
    return 0;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(mutated_texts_are_survived)};
    if (argc == 2 && strcmp(argv[1], "-") == 0)
        return try_standard_input();
    if (argc == 3) {
        printf("%zu decoded\n", run(strtoull(argv[1], NULL, 10), strtoul(argv[2], NULL, 10)));
        return 0;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
