/* SPDX-License-Identifier: Apache-2.0 */
/* Private seams of the start form. */
#ifndef APP_START_INTERNAL_H
#define APP_START_INTERNAL_H

#include "app/internal.h"

void start_clear(struct start_form *f); /* frees, and leaves it closed */
void start_empty(struct start_form *f); /* one item, nothing written */
struct start_row *start_add_row(struct start_form *f, size_t at, enum start_field field, int group);
bool start_add_group(struct start_form *f, enum start_field first);
void start_remove_group(struct start_form *f);
struct start_row *start_find_row(struct start_form *f, enum start_field field, int group);
void start_set(struct start_form *f, enum start_field field, int group, const char *text);
const char *start_code(const struct start_row *row); /* of a bill line or a fact, as sent */
void start_choose(struct model *m, struct start_row *row, int by); /* of a row that is chosen */
/* A problem that no row of the form is about, NULL when there is none. */
const struct contract_field *start_homeless_problem(const struct start_form *f);
void start_forget_told(struct start_form *f, const struct start_row *row);
/* Appends the input for key, or fills the problems. */
enum err start_encode(struct model *m, const char *key, struct buf *out);
/* The merchant's host and the total, for the journal; -1 when it is no amount. */
void start_describe(struct start_form *f, char *merchant, size_t size, int64_t *amount_minor);
void start_check(struct model *m); /* problems and guard of what stands there now */
void start_open(struct model *m);  /* with what was written before, if anything was */
void start_focus_missing(struct start_form *f);
void start_send(struct model *m, struct effects *fx);
void start_tick(struct model *m, struct effects *fx);
void start_apply(struct model *m, struct envoy_result *r);
void start_apply_read(struct model *m, struct envoy_result *r);
bool start_input(struct model *m, const struct input_event *e, struct effects *fx);

bool shop_input(struct model *m, const struct input_event *e, struct effects *fx);
void shop_fini(struct shop *s);
void shop_read_merchants(struct model *m, struct effects *fx);
void shop_search(struct model *m, struct effects *fx);
void shop_read_again(struct model *m, struct effects *fx); /* the half that is shown */
void shop_apply(struct model *m, const struct model_call *call, struct envoy_result *r);
void shop_move(struct model *m, int rows, int to_end);
/* Why no form can be made of what is selected or marked; NULL when one can. */
const char *shop_refuses_start(const struct model *m);
void shop_start(struct model *m); /* the form, filled in from what is selected or marked */

#endif
