/* SPDX-License-Identifier: Apache-2.0 */
/* The table from what a purchase needs to the pane that shows it. A new need costs one row. */
#include "ui/pane.h"

const struct pane *pane_of(enum model_need need)
{
    static const struct pane *const panes[] = {
        [MODEL_NEED_FACTS] = &pane_facts,       [MODEL_NEED_QUESTION] = &pane_question,
        [MODEL_NEED_TASK] = &pane_task,         [MODEL_NEED_HANDOUT] = &pane_handout,
        [MODEL_NEED_FEEDBACK] = &pane_feedback, [MODEL_NEED_UNKNOWN] = &pane_unknown,
    };

    return panes[need];
}
