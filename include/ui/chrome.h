/* SPDX-License-Identifier: Apache-2.0 */
/* What surrounds every view: the header (mode, account, money, who is needed, connection, clock,
 * views with their counts), the key line, and the notice of a terminal that is too small. */
#ifndef UI_CHROME_H
#define UI_CHROME_H

#include "ui/view.h"

void chrome_draw_header(const struct view *v);
void chrome_draw_footer(const struct view *v);
void chrome_draw_too_small(const struct view *v);
/* Title rule of a view that uses the whole width. right is left out when there is no room. */
void chrome_draw_title(const struct view *v, const char *title, const char *right);

#endif
