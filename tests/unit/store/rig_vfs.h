/* SPDX-License-Identifier: Apache-2.0 */
/* A layer between SQLite and its files that counts what is asked of the disk, fails or kills the
 * process at a chosen moment, and knows which files hold writes that were not synced yet. */
#ifndef STORE_RIG_VFS_H
#define STORE_RIG_VFS_H

#include <errno.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum vfs_mischief { VFS_NONE, VFS_FULL, VFS_SEALED, VFS_SYNC, VFS_BROKEN, VFS_KILL };

static struct vfs_rig {
    enum vfs_mischief mischief;
    long at;      /* the n-th change from now on; 0: none */
    bool once;    /* only that one */
    long count;   /* changes so far */
    int error;    /* what the "system" says of the last failure */
    int unsynced; /* files of the journal with writes since their last sync */
    sqlite3_vfs *real;
} vfs;

struct vfs_file {
    sqlite3_file base;
    bool is_journal; /* database or log: what must be synced */
    bool unsynced;
    sqlite3_file *real;
};

static sqlite3_file *vfs_real(sqlite3_file *f)
{
    return ((struct vfs_file *)f)->real;
}

/* One change of the disk is about to be made: SQLITE_OK or how it fails. */
static int vfs_change(bool sync)
{
    vfs.count++;
    if (vfs.mischief == VFS_NONE || vfs.at == 0 || vfs.count < vfs.at)
        return SQLITE_OK;
    if (vfs.once && vfs.count > vfs.at)
        return SQLITE_OK;
    switch (vfs.mischief) {
    case VFS_KILL:
        kill(getpid(), SIGKILL);
        return SQLITE_ABORT;
    case VFS_FULL:
        vfs.error = ENOSPC;
        return SQLITE_FULL;
    case VFS_SEALED:
        vfs.error = EROFS;
        return sync ? SQLITE_IOERR_FSYNC : SQLITE_IOERR_WRITE;
    case VFS_SYNC:
        vfs.error = EIO;
        return sync ? SQLITE_IOERR_FSYNC : SQLITE_OK;
    case VFS_BROKEN:
    case VFS_NONE:
        break;
    }
    vfs.error = EIO;
    return sync ? SQLITE_IOERR_FSYNC : SQLITE_IOERR_WRITE;
}

static void vfs_mark(sqlite3_file *f, bool unsynced)
{
    struct vfs_file *v = (struct vfs_file *)f;
    if (!v->is_journal || v->unsynced == unsynced)
        return;
    v->unsynced = unsynced;
    vfs.unsynced += unsynced ? 1 : -1;
}

static int vfs_close(sqlite3_file *f)
{
    sqlite3_file *real = vfs_real(f);
    vfs_mark(f, false);
    int code = real->pMethods ? real->pMethods->xClose(real) : SQLITE_OK;
    free(real);
    return code;
}

static int vfs_read(sqlite3_file *f, void *to, int n, sqlite3_int64 at)
{
    return vfs_real(f)->pMethods->xRead(vfs_real(f), to, n, at);
}

static int vfs_write(sqlite3_file *f, const void *from, int n, sqlite3_int64 at)
{
    int code = vfs_change(false);
    if (code != SQLITE_OK)
        return code;
    vfs_mark(f, true);
    return vfs_real(f)->pMethods->xWrite(vfs_real(f), from, n, at);
}

static int vfs_truncate(sqlite3_file *f, sqlite3_int64 size)
{
    int code = vfs_change(false);
    return code == SQLITE_OK ? vfs_real(f)->pMethods->xTruncate(vfs_real(f), size) : code;
}

static int vfs_sync(sqlite3_file *f, int flags)
{
    int code = vfs_change(true);
    if (code == SQLITE_OK)
        code = vfs_real(f)->pMethods->xSync(vfs_real(f), flags);
    if (code == SQLITE_OK)
        vfs_mark(f, false);
    return code;
}

static int vfs_size(sqlite3_file *f, sqlite3_int64 *size)
{
    return vfs_real(f)->pMethods->xFileSize(vfs_real(f), size);
}

static int vfs_lock(sqlite3_file *f, int level)
{
    return vfs_real(f)->pMethods->xLock(vfs_real(f), level);
}

static int vfs_unlock(sqlite3_file *f, int level)
{
    return vfs_real(f)->pMethods->xUnlock(vfs_real(f), level);
}

static int vfs_reserved(sqlite3_file *f, int *out)
{
    return vfs_real(f)->pMethods->xCheckReservedLock(vfs_real(f), out);
}

static int vfs_control(sqlite3_file *f, int op, void *arg)
{
    return vfs_real(f)->pMethods->xFileControl(vfs_real(f), op, arg);
}

static int vfs_sector(sqlite3_file *f)
{
    return vfs_real(f)->pMethods->xSectorSize(vfs_real(f));
}

static int vfs_traits(sqlite3_file *f)
{
    return vfs_real(f)->pMethods->xDeviceCharacteristics(vfs_real(f));
}

static int vfs_shm_map(sqlite3_file *f, int page, int size, int extend, void volatile **out)
{
    int code = extend ? vfs_change(false) : SQLITE_OK;
    if (code != SQLITE_OK)
        return vfs.mischief == VFS_FULL ? SQLITE_IOERR_SHMSIZE : SQLITE_IOERR_SHMMAP;
    return vfs_real(f)->pMethods->xShmMap(vfs_real(f), page, size, extend, out);
}

static int vfs_shm_lock(sqlite3_file *f, int at, int n, int flags)
{
    if (vfs.mischief == VFS_KILL)
        (void)vfs_change(false); /* a moment like any other to be killed at */
    return vfs_real(f)->pMethods->xShmLock(vfs_real(f), at, n, flags);
}

static void vfs_shm_barrier(sqlite3_file *f)
{
    vfs_real(f)->pMethods->xShmBarrier(vfs_real(f));
}

static int vfs_shm_unmap(sqlite3_file *f, int remove_it)
{
    return vfs_real(f)->pMethods->xShmUnmap(vfs_real(f), remove_it);
}

static const sqlite3_io_methods vfs_methods = {
    2,          vfs_close,   vfs_read,     vfs_write,       vfs_truncate,  vfs_sync,
    vfs_size,   vfs_lock,    vfs_unlock,   vfs_reserved,    vfs_control,   vfs_sector,
    vfs_traits, vfs_shm_map, vfs_shm_lock, vfs_shm_barrier, vfs_shm_unmap, NULL,
    NULL};

static int vfs_open(sqlite3_vfs *me, sqlite3_filename name, sqlite3_file *f, int flags, int *out)
{
    struct vfs_file *v = (struct vfs_file *)f;
    (void)me;
    memset(v, 0, sizeof *v);
    v->real = calloc(1, (size_t)vfs.real->szOsFile);
    if (!v->real)
        return SQLITE_NOMEM;
    v->is_journal = (flags & (SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_WAL)) != 0;
    int code = vfs.real->xOpen(vfs.real, name, v->real, flags, out);
    if (code == SQLITE_OK)
        v->base.pMethods = &vfs_methods;
    else
        free(v->real);
    return code;
}

static int vfs_delete(sqlite3_vfs *me, const char *name, int sync_dir)
{
    (void)me;
    int code = vfs_change(false);
    return code == SQLITE_OK ? vfs.real->xDelete(vfs.real, name, sync_dir) : SQLITE_IOERR_DELETE;
}

static int vfs_last_error(sqlite3_vfs *me, int n, char *text)
{
    (void)me;
    return vfs.error ? vfs.error : vfs.real->xGetLastError(vfs.real, n, text);
}

static void vfs_install(void)
{
    static sqlite3_vfs layer;
    vfs.real = sqlite3_vfs_find(NULL);
    layer = *vfs.real;
    layer.zName = "rig";
    layer.szOsFile = (int)sizeof(struct vfs_file);
    layer.xOpen = vfs_open;
    layer.xDelete = vfs_delete;
    layer.xGetLastError = vfs_last_error;
    sqlite3_vfs_register(&layer, 1);
}

static void vfs_arm(enum vfs_mischief mischief, long at, bool once)
{
    vfs.mischief = mischief;
    vfs.at = at;
    vfs.once = once;
    vfs.count = 0;
    vfs.error = 0;
}

#endif
