/* SPDX-License-Identifier: Apache-2.0 */
/* The log ring and its file. Must not be given secrets, bodies or answers. Invariants: memory is
 * fixed (a ring of short lines), the file is private and stops growing at a bound, and no byte that
 * could drive a terminal gets in. */
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "core/clock.h"
#include "core/log.h"
#include "core/str.h"

#define RING_LINES     512
#define LINE_BYTES     320
#define FILE_MAX_BYTES (4L << 20)

static char ring[RING_LINES][LINE_BYTES];
static size_t ring_next;
static size_t ring_used;
static int file = -1;
static long file_bytes;
static enum log_level threshold = LOG_INFO;

enum err log_open(const char *path, enum log_level level)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
    if (fd < 0)
        return ERR_STORE;
    struct stat st;
    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) || fchmod(fd, 0600) != 0) {
        close(fd);
        return ERR_STORE;
    }
    log_close();
    file = fd;
    file_bytes = (long)st.st_size;
    threshold = level;
    return ERR_OK;
}

void log_close(void)
{
    if (file >= 0)
        close(file);
    file = -1;
}

static void write_file(const char *line)
{
    char text[LINE_BYTES + 1];
    int n = snprintf(text, sizeof text, "%s\n", line);
    if (file < 0 || file_bytes + n > FILE_MAX_BYTES)
        return;
    /* A log that cannot be written must not disturb the program; the ring still has the line. */
    ssize_t done = write(file, text, (size_t)n);
    file_bytes += done > 0 ? (long)done : 0;
}

void log_line(enum log_level level, const char *fmt, ...)
{
    static const char *const words[] = {"error", "warn", "info", "debug"};
    if (level > threshold)
        return;
    char raw[LINE_BYTES];
    char safe[LINE_BYTES - 40];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(raw, sizeof raw, fmt, ap);
    va_end(ap);
    str_visible_copy(safe, sizeof safe, raw);
    char *line = ring[ring_next];
    snprintf(line, LINE_BYTES, "%" PRId64 " %s %s", clock_mono_ms(), words[level], safe);
    ring_next = (ring_next + 1) % RING_LINES;
    if (ring_used < RING_LINES)
        ring_used++;
    write_file(line);
}

size_t log_count(void)
{
    return ring_used;
}

const char *log_at(size_t index)
{
    if (index >= ring_used)
        return "";
    return ring[(ring_next + RING_LINES - ring_used + index) % RING_LINES];
}
