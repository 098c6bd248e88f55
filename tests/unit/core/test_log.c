/* SPDX-License-Identifier: Apache-2.0 */
/* The log: levels, the ring's bound, the private file, control bytes kept out. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>
#include "core/log.h"

static char dir[] = "/tmp/envoy-log-XXXXXX";
static char path[64];

static int make_dir(void **state)
{
    (void)state;
    if (!mkdtemp(dir))
        return -1;
    snprintf(path, sizeof path, "%s/log", dir);
    return 0;
}

static int drop_dir(void **state)
{
    (void)state;
    log_close();
    unlink(path);
    return rmdir(dir);
}

static size_t read_log(char *out, size_t size)
{
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    size_t n = fread(out, 1, size - 1, f);
    out[n] = '\0';
    fclose(f);
    return n;
}

static void lines_reach_the_ring_by_level(void **state)
{
    (void)state;
    assert_int_equal(log_count(), 0);
    assert_string_equal(log_at(0), "");
    log_line(LOG_INFO, "first %d", 1);
    log_line(LOG_DEBUG, "too detailed");
    log_line(LOG_ERROR, "second");
    assert_int_equal(log_count(), 2);
    assert_non_null(strstr(log_at(0), " info first 1"));
    assert_non_null(strstr(log_at(1), " error second"));
    assert_true(log_at(0)[0] >= '0' && log_at(0)[0] <= '9');
    assert_string_equal(log_at(2), "");
}

static void the_file_is_private_and_appended_to(void **state)
{
    (void)state;
    char text[2000];
    struct stat st;
    mode_t old = umask(0);
    assert_int_equal(log_open(path, LOG_WARN), ERR_OK);
    log_line(LOG_WARN, "kept");
    log_line(LOG_INFO, "dropped");
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
    log_close();
    assert_int_equal(chmod(path, 0644), 0);
    assert_int_equal(log_open(path, LOG_DEBUG), ERR_OK);
    umask(old);
    log_line(LOG_DEBUG, "more");
    log_close();
    log_line(LOG_ERROR, "after closing");
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
    read_log(text, sizeof text);
    assert_non_null(strstr(text, " warn kept\n"));
    assert_non_null(strstr(text, " debug more\n"));
    assert_null(strstr(text, "dropped"));
    assert_null(strstr(text, "after closing"));
}

static void odd_places_are_refused(void **state)
{
    (void)state;
    char link_path[80];
    snprintf(link_path, sizeof link_path, "%s/link", dir);
    assert_int_equal(symlink(path, link_path), 0);
    assert_int_equal(log_open(link_path, LOG_INFO), ERR_STORE);
    unlink(link_path);
    assert_int_equal(mkfifo(link_path, 0600), 0);
    assert_int_equal(log_open(link_path, LOG_INFO), ERR_STORE);
    unlink(link_path);
    assert_int_equal(log_open(dir, LOG_INFO), ERR_STORE);
    assert_int_equal(log_open("/dev/null", LOG_INFO), ERR_STORE);
    assert_int_equal(log_open("/no/such/place/log", LOG_INFO), ERR_STORE);
}

static void control_bytes_are_kept_out(void **state)
{
    (void)state;
    char text[4000];
    assert_int_equal(log_open(path, LOG_INFO), ERR_OK);
    log_line(LOG_INFO, "%s", "bad \x1B]0;title\a\r\nforged line");
    const char *line = log_at(log_count() - 1);
    assert_non_null(strstr(line, "bad <1B>]0;title<07><0D><0A>forged line"));
    log_close();
    size_t n = read_log(text, sizeof text);
    for (size_t i = 0; i < n; i++)
        assert_true((unsigned char)text[i] >= 0x20 || text[i] == '\n');
}

static void long_lines_are_cut(void **state)
{
    (void)state;
    char big[5000];
    memset(big, 'x', sizeof big - 1);
    big[sizeof big - 1] = '\0';
    log_line(LOG_INFO, "%s", big);
    assert_true(strlen(log_at(log_count() - 1)) < 320);
    memset(big, '\x1B', sizeof big - 1);
    log_line(LOG_INFO, "%s", big);
    const char *line = log_at(log_count() - 1);
    assert_true(strlen(line) < 320);
    assert_string_equal(line + strlen(line) - 4, "<1B>");
}

static void the_ring_keeps_the_newest(void **state)
{
    (void)state;
    for (int i = 0; i < 1300; i++)
        log_line(LOG_INFO, "number %d.", i);
    assert_int_equal(log_count(), 512);
    assert_non_null(strstr(log_at(0), " number 788."));
    assert_non_null(strstr(log_at(511), " number 1299."));
    assert_string_equal(log_at(512), "");
}

static void the_file_stops_growing(void **state)
{
    (void)state;
    struct stat st;
    char big[300];
    memset(big, 'x', sizeof big - 1);
    big[sizeof big - 1] = '\0';
    assert_int_equal(log_open(path, LOG_INFO), ERR_OK);
    for (int i = 0; i < 20000; i++)
        log_line(LOG_INFO, "%s", big);
    assert_int_equal(stat(path, &st), 0);
    assert_in_range(st.st_size, 4000000, 4L << 20);
    log_close();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_reach_the_ring_by_level),
        cmocka_unit_test(the_file_is_private_and_appended_to),
        cmocka_unit_test(odd_places_are_refused),
        cmocka_unit_test(control_bytes_are_kept_out),
        cmocka_unit_test(long_lines_are_cut),
        cmocka_unit_test(the_ring_keeps_the_newest),
        cmocka_unit_test(the_file_stops_growing),
    };
    return cmocka_run_group_tests_name("core/log", tests, make_dir, drop_dir);
}
