/* SPDX-License-Identifier: Apache-2.0 */
/* The sealed store (cases O4, O7): what opens, and that everything else is refused in words that
 * help; that a kill while it is replaced leaves the old one or the new one. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>
#include "secret/vault.h"

#define CANARY "tok_CANARY-7d10"

static char dir[64], path[96], why[400];
static unsigned char file[4096];

static struct secret *secret_of(const char *text)
{
    struct secret *s = secret_new(64);
    assert_non_null(s);
    assert_int_equal(secret_append(s, text, strlen(text)), ERR_OK);
    return s;
}

static enum err open_it(enum vault_key kind, const char *key, bool create, struct vault **v)
{
    struct secret *s = secret_of(key);
    why[0] = '\0';
    enum err e = vault_open(path, kind, s, create, v, why, sizeof(why));
    secret_free(s);
    if (e != ERR_OK)
        assert_true(strlen(why) > 20);
    assert_null(strstr(why, "CANARY"));
    return e;
}

#define KEY   "0123456789abcdef0123456789abcdef"
#define OTHER "0123456789abcdef0123456789abcdeg"

static struct vault *opened(void)
{
    struct vault *v = NULL;
    if (open_it(VAULT_KEY_FILE, KEY, true, &v) != ERR_OK)
        fail_msg("%s", why);
    return v;
}

static void put(struct vault *v, const char *name, const char *text)
{
    struct secret *s = secret_of(text);
    assert_int_equal(vault_put(v, name, s), ERR_OK);
    secret_free(s);
}

static void expect(struct vault *v, const char *name, const char *text)
{
    struct secret *s = NULL;
    assert_int_equal(vault_get(v, name, &s), ERR_OK);
    assert_int_equal(secret_len(s), strlen(text));
    assert_memory_equal(secret_open(s), text, strlen(text));
    secret_free(s);
}

static size_t read_all(void)
{
    int fd = open(path, O_RDONLY);
    ssize_t n = read(fd, file, sizeof(file));
    close(fd);
    assert_true(n > 0);
    return (size_t)n;
}

static void write_all(size_t len)
{
    int fd = open(path, O_WRONLY | O_TRUNC);
    assert_int_equal(write(fd, file, len), (ssize_t)len);
    close(fd);
}

static int fresh(void **state)
{
    bool locked;
    (void)state;
    if (secret_init(&locked) != ERR_OK)
        return -1;
    snprintf(dir, sizeof(dir), "/tmp/vault-XXXXXX");
    if (!mkdtemp(dir))
        return -1;
    snprintf(path, sizeof(path), "%s/vault", dir);
    umask(0); /* our modes must not depend on it */
    struct vault *v = opened();
    put(v, "default", CANARY);
    put(v, "second", "two");
    int rc = vault_save(v) == ERR_OK ? 0 : -1;
    vault_close(v);
    return rc;
}

static int gone(void **state)
{
    static const char *const names[] = {"", ".lock", ".seen", ".new", ".seen.new", ".real"};
    char name[128];
    (void)state;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        snprintf(name, sizeof(name), "%s%s", path, names[i]);
        (void)unlink(name);
    }
    return rmdir(dir);
}

static void entries_come_back_and_go(void **state)
{
    char name[VAULT_NAME_MAX];
    struct secret *none = NULL;
    struct stat st;
    (void)state;
    struct vault *v = opened();
    expect(v, "default", CANARY);
    put(v, "default", "changed");
    assert_int_equal(vault_delete(v, "second"), ERR_OK);
    assert_int_equal(vault_delete(v, "second"), ERR_USER);
    assert_int_equal(vault_get(v, "second", &none), ERR_USER);
    assert_int_equal(vault_save(v), ERR_OK);
    vault_close(v);
    v = opened();
    expect(v, "default", "changed");
    assert_true(vault_name(v, 0, name));
    assert_string_equal(name, "default");
    assert_false(vault_name(v, 1, name));
    vault_close(v);
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 07777, 0600);
}

static void a_passphrase_opens_and_another_does_not(void **state)
{
    struct vault *v = NULL;
    (void)state;
    assert_int_equal(unlink(path), 0);
    assert_int_equal(open_it(VAULT_PASSPHRASE, "right words", true, &v), ERR_OK);
    put(v, "default", CANARY);
    assert_int_equal(vault_save(v), ERR_OK);
    vault_close(v);
    assert_int_equal(open_it(VAULT_PASSPHRASE, "right word", false, &v), ERR_AUTH);
    assert_int_equal(open_it(VAULT_KEY_FILE, KEY, false, &v), ERR_AUTH);
    assert_int_equal(open_it(VAULT_PASSPHRASE, "right words", false, &v), ERR_OK);
    expect(v, "default", CANARY);
    vault_close(v);
}

static void every_changed_byte_and_every_cut_is_refused(void **state)
{
    struct vault *v = NULL;
    (void)state;
    size_t len = read_all();
    assert_null(memmem(file, len, "CANARY", 6));
    assert_null(memmem(file, len, "default", 7));
    for (size_t i = 0; i < len; i++) {
        file[i] ^= 0x10;
        write_all(len);
        assert_int_not_equal(open_it(VAULT_KEY_FILE, KEY, false, &v), ERR_OK);
        file[i] ^= 0x10;
    }
    for (size_t cut = 0; cut < len; cut++) {
        write_all(cut);
        assert_int_equal(open_it(VAULT_KEY_FILE, KEY, false, &v), ERR_FORMAT);
    }
    write_all(len);
    assert_int_equal(open_it(VAULT_KEY_FILE, OTHER, false, &v), ERR_AUTH);
    vault_close(opened());
}

static void an_older_copy_is_refused(void **state)
{
    struct vault *v = opened();
    (void)state;
    size_t len = read_all();
    assert_int_equal(vault_save(v), ERR_OK);
    vault_close(v);
    write_all(len);
    assert_int_equal(open_it(VAULT_KEY_FILE, KEY, false, &v), ERR_FORMAT);
    assert_non_null(strstr(why, "older copy"));
}

static void loose_modes_links_and_a_second_process_are_refused(void **state)
{
    struct vault *v = NULL, *held;
    char real[128];
    (void)state;
    assert_int_equal(chmod(path, 0644), 0);
    assert_int_equal(open_it(VAULT_KEY_FILE, KEY, false, &v), ERR_CONFIG);
    assert_int_equal(chmod(path, 0600), 0);
    assert_int_equal(chmod(dir, 0755), 0);
    assert_int_equal(open_it(VAULT_KEY_FILE, KEY, false, &v), ERR_CONFIG);
    assert_int_equal(chmod(dir, 0700), 0);
    held = opened();
    pid_t child = fork();
    if (child == 0)
        _exit(open_it(VAULT_KEY_FILE, KEY, false, &v) == ERR_STORE ? 0 : 1);
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    vault_close(held);
    snprintf(real, sizeof(real), "%s.real", path);
    assert_int_equal(rename(path, real), 0);
    assert_int_equal(symlink(real, path), 0);
    assert_int_equal(open_it(VAULT_KEY_FILE, KEY, false, &v), ERR_CONFIG);
}

/* The child replaces the file over and over and is killed at some point of it. */
static void a_kill_leaves_the_old_or_the_new(void **state)
{
    (void)state;
    for (unsigned round = 0; round < 40; round++) {
        int ends[2];
        char byte;
        assert_int_equal(pipe(ends), 0);
        pid_t child = fork();
        if (child == 0) {
            struct vault *v = opened();
            for (int i = 0;; i++) {
                put(v, "default", i % 2 ? "odd" : "even");
                if (vault_save(v) != ERR_OK || write(ends[1], "x", 1) != 1)
                    _exit(1);
            }
        }
        close(ends[1]);
        for (unsigned i = 0; i <= round % 3; i++)
            assert_int_equal(read(ends[0], &byte, 1), 1);
        for (volatile unsigned spin = 0; spin < round * 7919u; spin = spin + 1)
            continue;
        kill(child, SIGKILL);
        assert_int_equal(waitpid(child, NULL, 0), child);
        close(ends[0]);
        struct vault *v = opened();
        struct secret *s = NULL;
        assert_int_equal(vault_get(v, "default", &s), ERR_OK);
        assert_true(secret_len(s) == 3 || secret_len(s) == 4);
        secret_free(s);
        expect(v, "second", "two");
        assert_int_equal(vault_save(v), ERR_OK); /* what was left behind is no obstacle */
        vault_close(v);
    }
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, fresh, gone)
    const struct CMUnitTest tests[] = {
        T(entries_come_back_and_go),
        T(a_passphrase_opens_and_another_does_not),
        T(every_changed_byte_and_every_cut_is_refused),
        T(an_older_copy_is_refused),
        T(loose_modes_links_and_a_second_process_are_refused),
        T(a_kill_leaves_the_old_or_the_new),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
