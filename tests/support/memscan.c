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

struct range {
    uintptr_t from, to;
};

void memscan_set(struct memscan_needle *needle, const char *text)
{
    needle->len = strlen(text);
    for (size_t i = 0; i < needle->len; i++)
        needle->masked[i] = (unsigned char)text[i] ^ MEMSCAN_MASK;
}

static size_t count_in(const struct memscan_needle *needle, const volatile unsigned char *bytes,
                       size_t len)
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

static size_t scan_range(const struct memscan_needle *needle, int mem, unsigned char *window,
                         struct range range)
{
    size_t hits = 0;

    for (uintptr_t at = range.from; at < range.to;) {
        size_t want = range.to - at < WINDOW_BYTES ? range.to - at : WINDOW_BYTES;
        ssize_t got = pread(mem, window, want, (off_t)at);
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
    unsigned char *window =
        mmap(NULL, WINDOW_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    size_t hits = 0;

    if (mem < 0 || window == MAP_FAILED)
        return (size_t)-1;
    /* Neighbouring anonymous mappings would be merged into one line with ours. */
    madvise(window, WINDOW_BYTES, MADV_DONTFORK);
    size_t count = list_ranges(ranges, (uintptr_t)window, closed_too);
    for (size_t i = 0; i < count; i++)
        hits += scan_range(needle, mem, window, ranges[i]);
    explicit_bzero(window, WINDOW_BYTES);
    munmap(window, WINDOW_BYTES);
    close(mem);
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
