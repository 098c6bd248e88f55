/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of a selected purchase: how it went (timeline) and what it needs now. What it needs is
 * one row of a table for each enum model_need. */
#ifndef UI_PANE_H
#define UI_PANE_H

#include "ui/view.h"

struct pane {
    /* Title at the left of its rule, facts at the right ("" for none). */
    void (*title)(const struct view *v, const struct model_purchase *p, char *left,
                  size_t left_size, char *right, size_t right_size);
    /* Rows that its contents take in so many cells. */
    int (*rows)(const struct view *v, const struct model_purchase *p, int width);
    void (*draw)(const struct view *v, const struct model_purchase *p, struct canvas_rect area,
                 bool focused);
};
const struct pane *pane_of(enum model_need need);

void pane_timeline_draw_head(const struct view *v, const struct model_purchase *p,
                             struct canvas_rect area);
void pane_timeline_draw(const struct view *v, const struct model_purchase *p,
                        struct canvas_rect area, bool focused);

extern const struct pane pane_facts, pane_question, pane_task, pane_handout, pane_feedback,
    pane_unknown;

#endif
