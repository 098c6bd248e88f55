/* SPDX-License-Identifier: Apache-2.0 */
/* Counts copies of a byte string in this process's own writable memory. The needle is kept masked,
 * so that looking for it does not make a copy of it. */
#ifndef SUPPORT_MEMSCAN_H
#define SUPPORT_MEMSCAN_H

#include <stddef.h>

#define MEMSCAN_MASK 0x5a
#define MEMSCAN_MAX  64

struct memscan_needle {
    unsigned char masked[MEMSCAN_MAX];
    size_t len;
};

/* From text that lies in read-only memory (a string literal), byte by byte. */
void memscan_set(struct memscan_needle *needle, const char *text);
/* Hits over all writable mappings, closed ones (no access) too where the kernel lets itself read
 * them; (size_t)-1 when the memory cannot be read at all. */
size_t memscan_count(const struct memscan_needle *needle);
/* The same without closed mappings: what lies about outside guarded memory. */
size_t memscan_count_open(const struct memscan_needle *needle);

#endif
