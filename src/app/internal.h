/* SPDX-License-Identifier: Apache-2.0 */
/* Private seams between the files of app/. */
#ifndef APP_INTERNAL_H
#define APP_INTERNAL_H

#include "app/command.h"
#include "app/model.h"
#include "app/msg.h"

#define NEVER_MONO INT64_MAX
#define VAULT_QUESTION "vault_save" /* question id of the vault offer (page saved-card-vault) */
#define CONFIRM_DELAY_MS 500 /* no confirm earlier after a dialog opened (case H1) */
#define HUSH_MS 1000         /* without a key, until keys count again (case H1) */
#define LIST_IDLE_REFRESH_MS 300000
#define ACCOUNT_AFTER_CHANGE_MS 1000
#define COUNTDOWN_SECONDS_MS 600000 /* below this, time left is shown in seconds */

/* model.c */
/* A copy of text; without memory what stood there stays. */
void model_set_text(char **slot, const char *text);
struct model_purchase *model_add_purchase(struct model *m, const char *id, int64_t created_at_ms);
/* Frees what *slot holds and puts fresh there (may be NULL). */
void model_take_account(struct contract_account **slot, struct contract_account *fresh);
void model_remove_dialogs(struct model *m);
void model_select(struct model *m, const char *id);
void model_wipe_handout(struct model *m, struct model_purchase *p, const char *why);
void model_wipe_secrets(struct model *m, const char *why);
void model_wipe_entry(struct model_purchase *p);
void model_mask(struct model *m);
void model_say(struct model *m, bool warning, const char *fmt, ...) PRINTF_LIKE(3, 4);
void model_dialog_push(struct model *m, enum model_dialog d);
void model_dialog_pop(struct model *m);
void model_form_reset(struct model *m);
struct model_draft *model_draft(struct model_purchase *p, const char *question);
void model_add_row(struct model *m, struct model_purchase *p, enum timeline_kind kind,
                   const char *fmt, ...) PRINTF_LIKE(4, 5);
/* Takes a character away that was cut at the end of a full array. */
void model_trim(char *text);
void model_push_row(struct model_purchase *p, const struct timeline_row *row);

/* call.c: calls and the activity ring */
struct call_spec {
    enum model_purpose purpose;
    enum contract_tool tool;
    enum model_write_kind write;
    const char *purchase; /* NULL: none */
    bool held;
    bool interactive;
    int64_t timeout_ms;
    const char *body;      /* JSON; NULL when secret is given */
    const struct effect_intent *intent; /* of a write: committed before it goes out; NULL: none */
    struct secret *secret; /* taken, also on failure */
};
/* 0 and *when_mono set when nothing may go out yet (or there is no room): not sent. */
uint64_t call_start(struct model *m, struct effects *fx, const struct call_spec *spec,
                    int64_t *when_mono);
struct model_call *call_find(struct model *m, uint64_t id);
/* Moves a call into the activity ring and returns the entry there. */
struct model_call *call_end(struct model *m, struct model_call *call);
void call_note(struct model_call *call, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* recover.c: r NULL when a read told it; purchase NULL unless a start became one. */
void model_note_outcome(struct model *m, uint64_t intent, enum journal_state state,
                        const struct envoy_result *r, const char *purchase);
bool model_row_stands(const struct model_purchase *p, const struct timeline_row *row);
void model_flush_outcomes(struct model *m, struct effects *fx);
bool model_may_write(const struct model *m); /* neither --read-only nor a journal that cannot be written */

/* update_reply.c */
void update_result(struct model *m, struct envoy_result *r, struct effects *fx);
void update_not_sent(struct model *m, uint64_t call, const char *why);

/* update_follow.c: when reads go out; update_snapshot.c (follow_apply): what a reply does */
/* First read after the reply of a write was lost. */
void follow_recover(struct model *m, struct model_purchase *p);
/* After a suspend: what is in flight is dropped and read again. */
void follow_restart_held(struct model *m, struct effects *fx);
void follow_tick(struct model *m, struct effects *fx);
int64_t follow_wake(const struct model *m);
/* Why a purchase may not be read by hand now; NULL when it may. */
const char *follow_refused(const struct model *m, const struct model_purchase *p,
                           enum policy_action action);
bool follow_may_repeat(const struct model_purchase *p);
void follow_apply(struct model *m, struct model_purchase *p, const struct model_call *call,
                  struct envoy_result *r);
void follow_failed(struct model *m, struct model_purchase *p, const struct envoy_result *r,
                   const char *words);
bool follow_look_again(struct model *m, struct model_purchase *p, struct effects *fx);
bool follow_show_handout(struct model *m, struct model_purchase *p, struct effects *fx);
void follow_want_read(struct model *m, struct model_purchase *p, int64_t delay_ms);

/* scroll.c: after every input, so that lists move as little as possible */
void scroll_follow(struct model *m);

/* update_list.c: account, purchase list, transactions */
void list_tick(struct model *m, struct effects *fx);
int64_t list_wake(const struct model *m);
void list_want_account(struct model *m, int64_t delay_ms);
void list_want_purchases(struct model *m, int64_t delay_ms);
void list_apply_account(struct model *m, const struct model_call *call, struct envoy_result *r);
void list_apply_purchases(struct model *m, const struct model_call *call, struct envoy_result *r);
void list_apply_lines(struct model *m, const struct model_call *call, struct envoy_result *r);
void list_lines_start(struct model *m, struct effects *fx); /* from the newest */
void list_lines_more(struct model *m, struct effects *fx);
void list_lines_clear(struct model *m);
bool list_read_personal(struct model *m, struct effects *fx);
/* Takes name, number and mail out of an account that is kept. */
void scrub_profile(struct contract_account *a);

/* update_write.c: everything that changes something at Envoy; update_settle.c: what came of it */
void write_answer(struct model *m, struct effects *fx);   /* from the review dialog */
void write_report(struct model *m, struct effects *fx, int outcome);
void write_step(struct model *m, struct effects *fx, int step);
void write_cancel(struct model *m, struct effects *fx);
void write_vault(struct model *m, struct effects *fx);
void write_apply(struct model *m, struct model_purchase *p, struct model_call *call,
                 struct envoy_result *r);
void write_settle(struct model *m, struct model_purchase *p, const struct model_call *call);
bool write_in_flight(const struct model_purchase *p);
bool write_is_unknown(const struct model_purchase *p);

/* update_input.c and dialogs */
void update_input(struct model *m, const struct input_event *e, struct effects *fx);
bool dialog_input(struct model *m, const struct input_event *e, struct effects *fx);
/* Editing keys that every text field knows. True when the event was one. */
bool edit_input(struct edit *d, const struct input_event *e);
void sim_phone(struct model *m, struct effects *fx, const char *action);
void sim_answered(struct model *m, uint64_t call, int http_status, const char *text);
void export_lines(struct model *m, struct effects *fx);
unsigned command_contexts(const struct model *m);

#endif
