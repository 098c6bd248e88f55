/* SPDX-License-Identifier: Apache-2.0 */
/* Reads /proc/self/mem mapping by mapping into one window of its own, which is left out and wiped.
 */
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "support/memscan.h"

#define WINDOW_BYTES  ((size_t)256 * 1024)
#define MAPPING_MAX   ((uintptr_t)256 * 1024 * 1024) /* a sanitizer's shadow is larger */
#define MAPPING_COUNT 4096
#define PAGE_BYTES    ((uintptr_t)4096)

struct range {
    uintptr_t from, to;
};

void memscan_set(struct memscan_needle *needle, const char *text)
{
    needle->len = strlen(text);
    for (size_t i = 0; i < needle->len; i++)
        needle->masked[i] = (unsigned char)text[i] ^ MEMSCAN_MASK;
}

__attribute__((no_sanitize("address", "undefined"))) static size_t
count_in(const struct memscan_needle *needle, const volatile unsigned char *bytes, size_t len)
{
    size_t hits = 0;

    for (size_t i = 0; i + needle->len <= len; i++) {
        size_t n = 0;
        while (n < needle->len && (bytes[i + n] ^ MEMSCAN_MASK) == needle->masked[n])
            n++;
        hits += n == needle->len;
    }
    return hits;
}

/* Is any page of it in memory or in swap? Reading the others would only fill memory with zeros. */
static bool is_there(int pagemap, uintptr_t at, size_t len)
{
    uint64_t pages[WINDOW_BYTES / PAGE_BYTES + 1];
    uintptr_t first = at / PAGE_BYTES;
    size_t count = (at + len - 1) / PAGE_BYTES - first + 1;
    ssize_t got = pread(pagemap, pages, count * sizeof pages[0], (off_t)(first * sizeof pages[0]));

    if (got < (ssize_t)sizeof pages[0])
        return true; /* cannot tell */
    for (size_t i = 0; i < (size_t)got / sizeof pages[0]; i++)
        if (pages[i] >> 62 != 0)
            return true;
    return false;
}

static size_t scan_range(const struct memscan_needle *needle, int mem, int pagemap,
                         unsigned char *window, struct range range)
{
    size_t hits = 0;

    for (uintptr_t at = range.from; at < range.to;) {
        size_t want = range.to - at < WINDOW_BYTES ? range.to - at : WINDOW_BYTES;
        ssize_t got;
        if (!is_there(pagemap, at, want)) {
            at += want; /* a needle cannot lie partly in a page that is not there */
            continue;
        }
        got = pread(mem, window, want, (off_t)at);
        if (got <= 0)
            break;
        hits += count_in(needle, window, (size_t)got);
        if ((size_t)got < needle->len || at + (size_t)got >= range.to)
            break;
        at += (size_t)got - needle->len + 1;
    }
    return hits;
}

/* Writable now, or closed: a guarded block is one of the latter. */
static size_t list_ranges(struct range *ranges, uintptr_t own, bool closed_too)
{
    FILE *maps = fopen("/proc/self/maps", "re");
    char line[512], access[5];
    size_t count = 0;
    struct range r;

    if (!maps)
        return 0;
    while (count < MAPPING_COUNT && fgets(line, sizeof line, maps)) {
        if (sscanf(line, "%lx-%lx %4s", &r.from, &r.to, access) != 3 || r.from == own ||
            r.to - r.from > MAPPING_MAX)
            continue;
        if (access[1] == 'w' ||
            (closed_too && (strncmp(access, "---", 3) == 0 ||
                            (strncmp(access, "r--", 3) == 0 && !strchr(line, '/')))))
            ranges[count++] = r;
    }
    fclose(maps);
    return count;
}

static size_t count_all(const struct memscan_needle *needle, bool closed_too)
{
    static struct range ranges[MAPPING_COUNT];
    int mem = open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
    int pagemap = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    unsigned char *window =
        mmap(NULL, WINDOW_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    size_t hits = 0;

    if (mem < 0 || pagemap < 0 || window == MAP_FAILED)
        return (size_t)-1;
    /* Neighbouring anonymous mappings would be merged into one line with ours. */
    madvise(window, WINDOW_BYTES, MADV_DONTFORK);
    size_t count = list_ranges(ranges, (uintptr_t)window, closed_too);
    for (size_t i = 0; i < count; i++)
        hits += scan_range(needle, mem, pagemap, window, ranges[i]);
    explicit_bzero(window, WINDOW_BYTES);
    munmap(window, WINDOW_BYTES);
    close(mem);
    close(pagemap);
    return hits;
}

size_t memscan_count(const struct memscan_needle *needle)
{
    return count_all(needle, true);
}

size_t memscan_count_open(const struct memscan_needle *needle)
{
    return count_all(needle, false);
}
