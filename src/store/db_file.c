/* SPDX-License-Identifier: Apache-2.0 */
/* Where the file lies, who may read it, and who has it. Knows nothing of SQLite but the names of
 * the files that it puts beside a database. Invariant: nothing is followed through a symbolic link,
 * and nothing that exists is replaced. The lock is the kernel's (an open file description lock), so
 * it ends with its process however that ends; the PID in the file is only for people. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/str.h"
#include "db_private.h"

#define PID_LINE 12 /* fixed, so that a full disk does not matter when it is written again */

enum db_fault db_file_fault(int error)
{
    switch (error) {
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
        return DB_FULL;
    case EROFS:
    case EACCES:
    case EPERM:
        return DB_SEALED;
    case ENOENT:
        return DB_MISSING;
    case ELOOP:
    case ENOTDIR:
        return DB_UNSAFE;
    case ENOLCK:
    case ENODEV:
    case EOPNOTSUPP:
    case ENOSYS:
    case EINVAL:
        return DB_NO_LOCKS;
    default:
        return DB_IO;
    }
}

/* Makes what is missing of path's directories; an existing one is not touched. */
static bool make_parents(char *path)
{
    for (char *at = path + 1; *at; at++) {
        if (*at != '/')
            continue;
        *at = '\0';
        bool bad = mkdir(path, 0700) != 0 && errno != EEXIST;
        int error = errno;
        struct stat st;
        bad = bad &&
              stat(path, &st) != 0; /* a parent on a read-only system is fine when it is there */
        *at = '/';
        if (bad) {
            errno = error;
            return false;
        }
    }
    return mkdir(path, 0700) == 0 || errno == EEXIST;
}

static enum db_fault keep_private(const char *dir)
{
    struct stat st;
    enum db_fault fault = DB_FINE;
    int fd = open(dir, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return db_file_fault(errno);
    if (fstat(fd, &st) != 0)
        fault = db_file_fault(errno);
    else if (st.st_uid != geteuid())
        fault = DB_UNSAFE;
    else if ((st.st_mode & 07777) != 0700 && fchmod(fd, 0700) != 0 && errno != EROFS)
        fault = db_file_fault(errno);
    close(fd);
    return fault;
}

enum db_fault db_file_resolve(const char *path, bool make_dir, char out[PATH_MAX])
{
    char dir[PATH_MAX], real[PATH_MAX];
    if (!str_copy(dir, sizeof dir, path))
        return DB_MISSING;
    char *slash = strrchr(dir, '/');
    const char *name = slash ? path + (slash - dir) + 1 : path;
    if (!*name || (slash == dir && make_dir))
        return DB_MISSING;
    if (!slash)
        (void)str_copy(dir, sizeof dir, ".");
    else if (slash == dir)
        dir[1] = '\0';
    else
        *slash = '\0';
    if (make_dir) {
        if (!make_parents(dir))
            return db_file_fault(errno);
        enum db_fault fault = keep_private(dir);
        if (fault != DB_FINE)
            return fault;
    }
    if (!realpath(dir, real))
        return db_file_fault(errno);
    int n = snprintf(out, PATH_MAX, "%s/%s", strcmp(real, "/") == 0 ? "" : real, name);
    return n > 0 && n < PATH_MAX - 16 ? DB_FINE : DB_MISSING;
}

static enum db_fault check_one(const char *path, bool *there, off_t *size)
{
    struct stat st;
    *there = false;
    if (lstat(path, &st) != 0)
        return errno == ENOENT ? DB_FINE : db_file_fault(errno);
    if (!S_ISREG(st.st_mode) || st.st_uid != geteuid() || st.st_nlink != 1)
        return DB_UNSAFE;
    /* Not by a descriptor: closing one of ours would drop SQLite's locks on the file. */
    if ((st.st_mode & 077) != 0 && chmod(path, 0600) != 0 && errno != EROFS)
        return db_file_fault(errno);
    *there = true;
    *size = st.st_size;
    return DB_FINE;
}

enum db_fault db_file_check(const char *path, bool *there, bool *has_log)
{
    static const char *const beside[] = {"", "-wal", "-shm", "-journal", ".lock"};
    bool found[5] = {false};
    off_t size[5] = {0};
    for (size_t i = 0; i < 5; i++) {
        char name[PATH_MAX];
        snprintf(name, sizeof name, "%s%s", path, beside[i]);
        enum db_fault fault = check_one(name, &found[i], &size[i]);
        if (fault != DB_FINE)
            return fault;
    }
    *there = found[0];
    *has_log = found[1] && size[1] > 0;
    return DB_FINE;
}

static long read_pid(int fd)
{
    char text[PID_LINE + 1] = "";
    if (pread(fd, text, PID_LINE, 0) <= 0)
        return 0;
    char *end = NULL;
    long pid = strtol(text, &end, 10);
    return end != text && pid > 0 ? pid : 0;
}

static void write_pid(int fd)
{
    char text[PID_LINE + 1];
    snprintf(text, sizeof text, "%-*ld\n", PID_LINE - 1, (long)getpid());
    if (pwrite(fd, text, PID_LINE, 0) != PID_LINE)
        (void)!ftruncate(fd, 0); /* no name is better than a wrong one */
}

enum db_fault db_file_lock(const char *path, int *fd, long *holder)
{
    char name[PATH_MAX];
    snprintf(name, sizeof name, "%s.lock", path);
    int lock = open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
    if (lock < 0)
        return db_file_fault(errno);
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (fcntl(lock, F_OFD_SETLK, &whole) == 0) {
        (void)!fchmod(lock, 0600); /* whatever the umask left of it */
        write_pid(lock);
        *fd = lock;
        return DB_FINE;
    }
    enum db_fault fault = errno == EAGAIN || errno == EACCES ? DB_HELD : db_file_fault(errno);
    if (fault == DB_HELD)
        *holder = read_pid(lock);
    close(lock);
    return fault;
}

enum db_fault db_file_create(const char *path)
{
    int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0)
        return db_file_fault(errno);
    enum db_fault fault = fchmod(fd, 0600) == 0 ? DB_FINE : db_file_fault(errno);
    close(fd);
    return fault;
}

enum db_fault db_file_put(const char *from, const char *to)
{
    char dir[PATH_MAX];
    struct stat st;
    if (lstat(to, &st) == 0)
        return DB_UNSAFE;
    if (rename(from, to) != 0)
        return db_file_fault(errno);
    (void)str_copy(dir, sizeof dir, to);
    char *slash = strrchr(dir, '/');
    slash[slash == dir ? 1 : 0] = '\0';
    int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return db_file_fault(errno);
    enum db_fault fault = fsync(fd) == 0 ? DB_FINE : db_file_fault(errno);
    close(fd);
    return fault;
}
