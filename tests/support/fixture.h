/* SPDX-License-Identifier: Apache-2.0 */
/* Builders that fill a model with believable purchases at one fixed instant, so that screens can be
 * drawn and compared without a terminal, a network or a clock. Everything is heap data that
 * model_fini frees; pointers to purchases are valid until the next fixture_purchase. Synthetic card
 * numbers only. A builder that cannot allocate ends the test program. */
#ifndef SUPPORT_FIXTURE_H
#define SUPPORT_FIXTURE_H

#include <stdint.h>
#include "app/model.h"

/* Tue 1 Dec 2026, 14:02:05 in Asia/Kolkata, which fixture_open sets as the time zone. */
#define FIXTURE_NOW_MS  1796113925000
#define FIXTURE_MONO_MS 50000000

int64_t fixture_ago(int64_t seconds); /* server time so many seconds before now; negative: ahead */
/* Server time of today at that local time. */
int64_t fixture_at(int hour, int minute, int second);

/* An empty demo model of the given size that is live since two seconds. */
void fixture_open(struct model *m, int width_cells, int height_cells);
void fixture_close(struct model *m);

/* Adds a purchase behind the others, listed and read; checks out by the agent with a card. */
struct model_purchase *fixture_purchase(struct model *m, const char *merchant, const char *what,
                                        int64_t amount_minor, enum contract_state state);
void fixture_amount(struct contract_amount *a, int64_t minor);
void fixture_text(char **slot, const char *text); /* frees what was there */
void fixture_enum(struct contract_enum *e, int value);
void fixture_unrecognised(struct contract_enum *e, const char *raw);
/* A timeline row; money may be CONTRACT_ABSENT. The last one dates the purchase's last change. */
void fixture_row(struct model_purchase *p, int64_t at_ms, enum timeline_kind kind,
                 enum contract_state state, int money, const char *text);
void fixture_question(struct model_purchase *p, enum contract_question_kind kind,
                      const char *prompt, int64_t asked_at_ms);
void fixture_draft(struct model_purchase *p, const char *text); /* for the open question */
void fixture_task(struct model_purchase *p, enum contract_task task, const char *message,
                  int64_t by_ms);
void fixture_pay_link(struct model_purchase *p, int64_t payable_minor, int64_t by_ms);
void fixture_card(struct model *m, struct model_purchase *p, int64_t closes_at_ms,
                  int64_t code_until_ms);
void fixture_voucher(struct model *m, struct model_purchase *p);
/* A held read that started so many seconds ago, with so many unchanged ones before it. */
void fixture_held(struct model *m, struct model_purchase *p, int64_t seconds, int unchanged,
                  int64_t by_ms);
void fixture_write(struct model_purchase *p, enum model_write_kind kind,
                   enum model_write_state state, const char *text);
void fixture_account(struct model *m);
void fixture_lines(struct model *m, size_t count);
void fixture_activity(struct model *m);
void fixture_select(struct model *m, const char *merchant, enum model_pane pane);

/* Scenes made of the above. */
void fixture_day(struct model *m);  /* a question, a card, a link, one done, one declined */
void fixture_busy(struct model *m); /* twelve purchases, two questions, wide names */
struct model_purchase *fixture_find(struct model *m, const char *merchant);

#endif
