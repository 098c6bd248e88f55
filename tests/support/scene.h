/* SPDX-License-Identifier: Apache-2.0 */
/* A golden screen of the whole console: a fixture fills the model, the frame is drawn at several
 * sizes and compared. */
#ifndef SUPPORT_SCENE_H
#define SUPPORT_SCENE_H

#include "app/model.h"

enum scene_size {
    SCENE_80 = 1u << 0,    /* 80x24 */
    SCENE_120 = 1u << 1,   /* 120x40 */
    SCENE_40 = 1u << 2,    /* 40x12: the notice */
    SCENE_60 = 1u << 3,    /* 60x16: one pane at a time */
    SCENE_160 = 1u << 4,   /* 160x45: facts beside the timeline */
    SCENE_ASCII = 1u << 5, /* 80x24 without UTF-8 */
};
#define SCENE_USUAL (SCENE_80 | SCENE_120)

/* Fills an open fixture of the given size. */
typedef void scene_fn(struct model *m);
void scene_check(const char *name, scene_fn *fill, unsigned sizes);

#endif
