/* SPDX-License-Identifier: Apache-2.0 */
/* What the rows of the command table do and ask. Private to app/. */
#ifndef APP_COMMAND_RUN_H
#define APP_COMMAND_RUN_H

#include "app/internal.h"

#define COMMAND_RUNS(X)                                                                            \
    X(view_purchases) X(view_account) X(view_transactions) X(view_questions) X(view_shop) X(start) X(retry_of) X(shop_start) X(shop_mark) X(shop_search)     \
    X(shop_part) X(view_activity)      \
    X(next_pane) X(previous_pane) X(back) X(palette) X(help) X(filter) X(redraw) X(suspend)        \
    X(quit) X(next_needing) X(up) X(down) X(page_up) X(page_down) X(first) X(last) X(open)         \
    X(write) X(review) X(look) X(cancel) X(copy) X(show_handout) X(reveal_number)                  \
    X(reveal_expiry) X(reveal_cvv) X(reveal_code) X(steps) X(paid) X(failed) X(wipe) X(vault)      \
    X(qr) X(open_link) X(rate_up) X(rate_down) X(refresh) X(personal) X(open_active) X(dates)      \
    X(line_details) X(export_dialog) X(call_details) X(go_question) X(phone_palette)               \
    X(phone_approve) X(phone_decline) X(phone_pay) X(phone_enter_otp) X(phone_add_money)           \
    X(phone_cancel)

#define X(name) void run_##name(struct model *m, struct effects *fx);
COMMAND_RUNS(X)
#undef X

#define COMMAND_ASKS(X)                                                                            \
    X(answer) X(feedback) X(review) X(look) X(cancel) X(show_handout) X(reveal_number)             \
    X(reveal_expiry) X(reveal_cvv) X(reveal_code) X(step) X(paid) X(failed) X(wipe) X(vault)       \
    X(start) X(retry_of) X(shop_start) X(shop_mark) X(pay_link) X(copy) X(open_active) X(lines)
#define X(name) const char *ask_##name(const struct model *m);
COMMAND_ASKS(X)
#undef X

/* Moves the selection of the view that is open; 0 rows: to an end, by sign of page. */
void move_by(struct model *m, struct effects *fx, int rows, int to_end);
int move_page_rows(const struct model *m);

#endif
