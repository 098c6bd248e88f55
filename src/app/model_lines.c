/* SPDX-License-Identifier: Apache-2.0 */
/* Which of the transactions read so far the filter lets through. A pure function of the model, so
 * that moving, exporting and drawing agree about the rows. */
#include "app/model.h"
#include "core/str.h"

static bool passes(const struct model *m, const struct contract_line *l)
{
    char kind[96], status[96];

    if (!m->filter[0])
        return true;
    return str_contains_nocase(l->title ? l->title : "", m->filter) ||
           str_contains_nocase(l->subtitle ? l->subtitle : "", m->filter) ||
           str_contains_nocase(l->amount.display ? l->amount.display : "", m->filter) ||
           str_contains_nocase(
               contract_words(CONTRACT_KIND_LINE_KIND, &l->kind, kind, sizeof kind, ""),
               m->filter) ||
           str_contains_nocase(
               contract_words(CONTRACT_KIND_LINE_STATUS, &l->status, status, sizeof status, ""),
               m->filter);
}

size_t model_lines_visible(const struct model *m, const struct contract_line **out, size_t max)
{
    size_t count = 0;

    for (size_t i = 0; i < m->lines.count; i++) {
        if (!passes(m, &m->lines.rows[i]))
            continue;
        if (count < max)
            out[count] = &m->lines.rows[i];
        count++;
    }
    return count;
}
