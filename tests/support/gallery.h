/* SPDX-License-Identifier: Apache-2.0 */
/* Every widget on one screen, for golden files and for the program that the terminal tests run. */
#ifndef SUPPORT_GALLERY_H
#define SUPPORT_GALLERY_H

#include "app/edit.h"
#include "ui/canvas.h"

#define GALLERY_FIELD 0 /* of the secret slot */

struct gallery {
    struct edit edit;
    int selected;
    const char *status; /* in the right of the footer rule */
    int dialog;         /* 0 none, 1 words, 2 a QR code */
};

void gallery_init(struct gallery *g);
void gallery_fini(struct gallery *g);
void gallery_draw(struct canvas *c, void *gallery);

#endif
