/* SPDX-License-Identifier: Apache-2.0 */
/* Which of the transactions and of the calls the filter lets through. Pure functions of the model,
 * so that moving, exporting and drawing agree about the rows. */
#include "app/model.h"
#include "core/str.h"

bool model_line_passes(const struct model *m, const struct contract_line *l)
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
        if (!model_line_passes(m, &m->lines.rows[i]))
            continue;
        if (count < max)
            out[count] = &m->lines.rows[i];
        count++;
    }
    return count;
}

static bool call_passes(const struct model *m, const struct model_call *call)
{
    const struct model_purchase *p = call->purchase[0] ? model_find_view(m, call->purchase) : NULL;
    const struct contract_row *tool = contract_row(CONTRACT_KIND_TOOL, (int)call->tool);

    if (!m->filter[0])
        return true;
    return str_contains_nocase(tool ? tool->words : "", m->filter) ||
           str_contains_nocase(tool ? tool->wire : "", m->filter) ||
           str_contains_nocase(p && p->merchant_name ? p->merchant_name : "", m->filter) ||
           str_contains_nocase(call->note, m->filter) ||
           str_contains_nocase(call->code, m->filter) ||
           str_contains_nocase(call->request_id, m->filter) ||
           str_contains_nocase(call->purchase, m->filter);
}

size_t model_calls_visible(const struct model *m, const struct model_call **out, size_t max)
{
    size_t count = 0;

    for (size_t i = m->call_count + m->activity_count; i > 0; i--) {
        size_t at = i - 1;
        const struct model_call *call =
            at < m->activity_count ? &m->activity[at] : &m->calls[at - m->activity_count];

        if (!call_passes(m, call))
            continue;
        if (count < max)
            out[count] = call;
        count++;
    }
    return count;
}
