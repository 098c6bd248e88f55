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
/* Appends the input for key, or fills the problems. */
enum err start_encode(struct model *m, const char *key, struct buf *out);
void start_check(struct model *m); /* problems and guard of what stands there now */
void start_open(struct model *m);  /* with what was written before, if anything was */
void start_send(struct model *m, struct effects *fx);
void start_tick(struct model *m, struct effects *fx);
void start_apply(struct model *m, struct envoy_result *r);
void start_apply_read(struct model *m, struct envoy_result *r);
bool start_input(struct model *m, const struct input_event *e, struct effects *fx);

bool shop_input(struct model *m, const struct input_event *e, struct effects *fx);
void shop_fini(struct shop *s);
void shop_read_merchants(struct model *m, struct effects *fx);
void shop_search(struct model *m, struct effects *fx);
void shop_apply(struct model *m, const struct model_call *call, struct envoy_result *r);
void shop_move(struct model *m, int rows, int to_end);
bool shop_can_start(const struct model *m);
void shop_start(struct model *m); /* the form, filled in from what is selected or marked */

#endif
