/* SPDX-License-Identifier: Apache-2.0 */
/* Answers that look like card numbers or payment codes, and those that only look a little so.
 * Card numbers are test numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include "contract/input.h"

static void expect(enum contract_suspicion expected, const char *const *texts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        enum contract_suspicion got = contract_answer_suspicion(texts[i]);
        if (got != expected)
            fail_msg("'%s' gave %d instead of %d", texts[i], (int)got, (int)expected);
    }
}

#define EXPECT(expected, texts) expect(expected, texts, sizeof(texts) / sizeof(texts)[0])

static void card_numbers_in_any_grouping(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "4111111111111111",
        "4111 1111 1111 1111",
        "4111-1111-1111-1111",
        "4111.1111.1111.1111",
        "4111, 1111, 1111, 1111",
        "4111 - 1111 1111 1111",
        "41111111 11111111",
        "4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1",
        "4111\xC2\xA0"
        "1111\xE2\x80\x93"
        "1111 1111",
        "4111\n1111\n1111\n1111",
        "My card is 4111 1111 1111 1111, 12/29",
        "card:4111111111111111.",
        "x4111111111111111y",
        "3782 822463 10005",
        "6011111111111117",
        "5555555555554444",
        "4222222222222",
        "4000000000000000006",
        "\xEF\xBC\x94\xEF\xBC\x91\xEF\xBC\x91\xEF\xBC\x91 1111 1111 1111",
        "\xE0\xA5\xAA\xE0\xA5\xA7\xE0\xA5\xA7\xE0\xA5\xA7 1111 1111 1111",
    };
    EXPECT(CONTRACT_CARD_NUMBER, texts);
}

static void codes_alone_and_named(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "1234",
        "12345678",
        " 123456 ",
        "123456.",
        "123 456",
        "123-456",
        "code is 123456",
        "The code is 123456",
        "123456 is the code",
        "OTP: 482913",
        "my otp 4829",
        "one-time password 482913",
        "cvv 123",
        "CVV: 4321",
        "PIN is 1234",
        "passcode=9876",
    };
    EXPECT(CONTRACT_CODE_LIKE, texts);
}

static void plain_answers_pass(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",
        "yes",
        "123",
        "123456789",
        "Size 42",
        "2 of the 1999 ones",
        "4111 1111 1111 1112",
        "4111 1111 1111",
        "Asha Rao, +91 98765 43210, 12 MG Road, Bengaluru 560001",
        "560001, 98765 43210",
        "560001 9876543210",
        "98765 43210, 560001",
        "Pin code: 560001",
        "PIN 560001",
        "postal code 560001",
        "promo code 2024",
        "use code SAVE20",
        "Order 12345 from 2026-09-29",
        "Deliver between 1000 and 1800",
        "barcode reader, model 4821",
        "encode 1234 frames",
    };
    EXPECT(CONTRACT_CLEAN, texts);
}

static void broken_text_is_survived(void **state)
{
    (void)state;
    static const char *const texts[] = {"\xff\xfe",
                                        "12\xff"
                                        "34",
                                        "\xe0\xa5"};
    EXPECT(CONTRACT_CLEAN, texts);
}

/* Every address with a phone and a PIN code passes, whatever its digits. */
static void addresses_pass_whatever_their_digits(void **state)
{
    (void)state;
    for (int i = 0; i < 2000; i++) {
        char text[80];
        snprintf(text, sizeof text, "%d, %d%05d", 110001 + i * 271, 60000 + i * 17,
                 (i * 7919) % 100000);
        if (contract_answer_suspicion(text) != CONTRACT_CLEAN)
            fail_msg("'%s' was stopped", text);
        snprintf(text, sizeof text, "%d %05d, %03d %03d", 60000 + i * 17, (i * 7919) % 100000,
                 110 + i % 700, i % 1000);
        if (contract_answer_suspicion(text) != CONTRACT_CLEAN)
            fail_msg("'%s' was stopped", text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(card_numbers_in_any_grouping),
        cmocka_unit_test(codes_alone_and_named),
        cmocka_unit_test(plain_answers_pass),
        cmocka_unit_test(broken_text_is_survived),
        cmocka_unit_test(addresses_pass_whatever_their_digits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
