/* SPDX-License-Identifier: Apache-2.0 */
/* Guarded bytes: limits, protection, wiping, the hooks, and what secret_init does to a process.
 * What must fault is tried in a child. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>
#include "core/alloc.h"
#include "secret/harden.h"
#include "secret/secret.h"
#include "support/memscan.c"

typedef void child_fn(void);

/* Exit status of fn in a child, or minus the signal that killed it. */
static int run_child(child_fn *fn)
{
    int status;
    pid_t pid = fork();

    assert_true(pid >= 0);
    if (pid == 0) {
        signal(SIGSEGV, SIG_DFL);
        signal(SIGABRT, SIG_DFL);
        fn();
        _exit(0);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

static void check(bool good)
{
    if (!good)
        _exit(1);
}

static struct secret *secret_of(const char *text, size_t capacity)
{
    struct secret *s = secret_new(capacity);

    assert_non_null(s);
    assert_int_equal(secret_append(s, text, strlen(text)), ERR_OK);
    return s;
}

static void capacity_is_bounded(void **state)
{
    (void)state;
    struct secret *largest = secret_new(SECRET_CAPACITY_MAX);

    assert_null(secret_new(0));
    assert_null(secret_new(SECRET_CAPACITY_MAX + 1));
    assert_non_null(largest);
    assert_int_equal(secret_capacity(largest), SECRET_CAPACITY_MAX);
    assert_int_equal(secret_len(largest), 0);
    secret_free(largest);
    secret_free(NULL);
}

static void append_stops_at_the_capacity(void **state)
{
    (void)state;
    struct secret *s = secret_new(8);

    assert_int_equal(secret_append(s, "12345678", 8), ERR_OK);
    assert_int_equal(secret_append(s, "9", 1), ERR_LIMIT);
    assert_int_equal(secret_append(s, "9", 0), ERR_OK);
    assert_int_equal(secret_append(s, "9", SIZE_MAX), ERR_LIMIT);
    assert_int_equal(secret_len(s), 8);
    assert_memory_equal(secret_open(s), "12345678", 8);
    secret_close(s);
    secret_free(s);
}

static void truncate_wipes_what_is_behind(void **state)
{
    (void)state;
    struct secret *s = secret_of("abcdefgh", 8);

    secret_truncate(s, 9);
    assert_int_equal(secret_len(s), 8);
    secret_truncate(s, 3);
    assert_int_equal(secret_len(s), 3);
    assert_memory_equal(secret_open(s), "abc\0\0\0\0\0", 8);
    secret_close(s);
    secret_clear(s);
    assert_int_equal(secret_len(s), 0);
    assert_memory_equal(secret_open(s), "\0\0\0", 3);
    secret_close(s);
    secret_free(s);
}

static void copy_has_its_own_bytes(void **state)
{
    (void)state;
    struct secret *s = secret_of("abc", 8);
    struct secret *copy = secret_copy(s, 3);

    assert_null(secret_copy(s, 2));
    secret_free(s);
    assert_non_null(copy);
    assert_int_equal(secret_len(copy), 3);
    assert_memory_equal(secret_open(copy), "abc", 3);
    secret_close(copy);
    secret_free(copy);
}

static void read_when_closed(void)
{
    struct secret *s = secret_of("abc", 8);
    const volatile unsigned char *bytes = secret_open(s);

    check(bytes[0] == 'a');
    secret_close(s);
    check(bytes[0] == 'a');
}

static void read_when_new(void)
{
    struct secret *s = secret_new(8);
    const volatile unsigned char *bytes = secret_open(s);

    secret_close(s);
    check(bytes[0] == 0);
}

static void write_when_open_for_reading(void)
{
    struct secret *s = secret_of("abc", 8);
    volatile unsigned char *bytes = (unsigned char *)secret_open(s);

    bytes[0] = 'x';
}

static void write_behind_the_end(void)
{
    struct secret *s = secret_of("abc", 8);
    volatile unsigned char *bytes = secret_open_rw(s);

    bytes[8] = 'x';
}

static void damage_the_front(void)
{
    struct secret *s = secret_of("abc", 8);
    volatile unsigned char *bytes = secret_open_rw(s);

    bytes[-1] ^= 0xff;
    secret_free(s);
}

static void closed_memory_faults(void **state)
{
    (void)state;
    assert_int_equal(run_child(read_when_closed), -SIGSEGV);
    assert_int_equal(run_child(read_when_new), -SIGSEGV);
    assert_int_equal(run_child(write_when_open_for_reading), -SIGSEGV);
    assert_int_equal(run_child(write_behind_the_end), -SIGSEGV);
    assert_int_not_equal(run_child(damage_the_front), 0);
}

static void after_the_last_close(void)
{
    struct secret *s = secret_of("abc", 8);
    volatile unsigned char *outer = (unsigned char *)secret_open(s);

    secret_open_rw(s)[0] = 'x';
    secret_close(s);
    check(outer[0] == 'x');
    secret_close(s);
    secret_close(s); /* one too many changes nothing */
    check(secret_open(s) != NULL);
    secret_close(s);
    check(outer[0] == 'x');
}

static void opens_nest(void **state)
{
    (void)state;
    struct secret *s = secret_of("abc", 8);
    const unsigned char *outer = secret_open(s);
    unsigned char *inner = secret_open_rw(s);

    assert_ptr_equal(outer, inner);
    inner[0] = 'x';
    secret_close(s);
    assert_int_equal(secret_append(s, "d", 1), ERR_OK); /* opens and closes inside */
    assert_memory_equal(outer, "xbcd", 4);
    secret_close(s);
    assert_int_equal(run_child(after_the_last_close), -SIGSEGV);
    assert_non_null(secret_open(s));
    secret_free(s); /* also while open */
}

static void new_survives_a_failed_allocation(void **state)
{
    (void)state;
    alloc_fail_nth(1);
    assert_null(secret_new(8));
    alloc_fail_nth(0);
}

static void hooks_keep_the_contracts(void **state)
{
    (void)state;
    unsigned char *zeroed = secret_hook_calloc(3, 5);
    char *text = secret_hook_strdup("hello");
    char *p = secret_hook_realloc(NULL, 4);

    assert_memory_equal(zeroed, "\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 15);
    assert_string_equal(text, "hello");
    memcpy(p, "abc", 4);
    p = secret_hook_realloc(p, 5000);
    assert_string_equal(p, "abc");
    p = secret_hook_realloc(p, 2);
    assert_memory_equal(p, "ab", 2);
    secret_hook_free(p);
    secret_hook_free(text);
    secret_hook_free(zeroed);
    secret_hook_free(NULL);
}

#define HEAP_CANARY "canary-of-the-heap-7351"

/* Far from the start of the block, where the allocator keeps its own links. */
static char *block_with_canary(void *(*take)(size_t))
{
    char *p = take(400);

    assert_non_null(p);
    memset(p, '.', 400);
    memcpy(p + 200, HEAP_CANARY, sizeof HEAP_CANARY);
    return p;
}

static void hooks_leave_nothing_behind(void **state)
{
    (void)state;
    struct memscan_needle needle;
    char *p;

    memscan_set(&needle, HEAP_CANARY);
    assert_int_equal(memscan_count(&needle), 0);
    p = block_with_canary(secret_hook_malloc);
    assert_int_equal(memscan_count(&needle), 1);
    p = secret_hook_realloc(p, 100000);
    assert_int_equal(memscan_count(&needle), 1);
    secret_hook_free(p);
    assert_int_equal(memscan_count(&needle), 0);
    /* The control: libc's free leaves it, or this test would prove nothing. */
    p = block_with_canary(malloc);
    free(p);
    assert_int_equal(memscan_count(&needle), 1);
}

static void check_hardened(bool inspectable)
{
    bool mlock_ok;
    struct rlimit core;
    int before = open("/dev/null", O_RDONLY);

    if (inspectable)
        setenv(HARDEN_INSPECT_ENV, "1", 1);
    else
        setenv(HARDEN_INSPECT_ENV, "0", 1);
    check(before >= 0 && !(fcntl(before, F_GETFD) & FD_CLOEXEC));
    check(secret_init(&mlock_ok) == ERR_OK);
    check(getrlimit(RLIMIT_CORE, &core) == 0 && core.rlim_cur == 0 && core.rlim_max == 0);
    check(prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) == (inspectable ? 1 : 0));
    check(umask(0) == 077);
    check(fcntl(before, F_GETFD) & FD_CLOEXEC);
    check(!(fcntl(STDOUT_FILENO, F_GETFD) & FD_CLOEXEC));
}

static void harden_fully(void)
{
    check_hardened(false);
}

static void harden_inspectable(void)
{
    check_hardened(true);
}

static void init_hardens_the_process(void **state)
{
    (void)state;
    assert_int_equal(run_child(harden_fully), 0);
    assert_int_equal(run_child(harden_inspectable), 0);
}

static void use_without_lock_limit(void)
{
    const struct rlimit none = {0, 0};
    bool mlock_ok = true;
    struct secret *s;

    check(setrlimit(RLIMIT_MEMLOCK, &none) == 0);
    if (geteuid() == 0) /* root locks whatever the limit says */
        check(setresuid(65534, 65534, 65534) == 0);
    check(secret_init(&mlock_ok) == ERR_OK);
    check(!mlock_ok);
    s = secret_new(8);
    check(s && !secret_is_locked(s) && secret_append(s, "abc", 3) == ERR_OK);
    secret_free(s);
}

static void a_refused_lock_is_told(void **state)
{
    (void)state;
    bool mlock_ok = false;

#ifdef __SANITIZE_ADDRESS__
    skip(); /* the sanitizer makes mlock do nothing and succeed */
#endif
    assert_int_equal(run_child(use_without_lock_limit), 0);
    setenv(HARDEN_INSPECT_ENV, "1", 1);
    assert_int_equal(secret_init(&mlock_ok), ERR_OK);
    struct secret *s = secret_new(8);
    assert_int_equal(secret_is_locked(s), mlock_ok);
    secret_free(s);
}

static void random_bytes_differ(void **state)
{
    (void)state;
    unsigned char a[32] = {0}, b[32] = {0};

    secret_random(a, sizeof a);
    secret_random(b, sizeof b);
    assert_memory_not_equal(a, b, sizeof a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(capacity_is_bounded),
        cmocka_unit_test(append_stops_at_the_capacity),
        cmocka_unit_test(truncate_wipes_what_is_behind),
        cmocka_unit_test(copy_has_its_own_bytes),
        cmocka_unit_test(closed_memory_faults),
        cmocka_unit_test(opens_nest),
        cmocka_unit_test(new_survives_a_failed_allocation),
        cmocka_unit_test(hooks_keep_the_contracts),
        cmocka_unit_test(hooks_leave_nothing_behind),
        cmocka_unit_test(init_hardens_the_process),
        cmocka_unit_test(a_refused_lock_is_told),
        cmocka_unit_test(random_bytes_differ),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
