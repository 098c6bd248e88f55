/* SPDX-License-Identifier: Apache-2.0 */
/* Hardening of the process. Owns no state. Must run before libraries start threads. Invariant: the
 * test switch leaves the process dumpable and changes nothing else. */
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include "secret/harden.h"

static void raise_lock_limit(void)
{
    struct rlimit lock;

    if (getrlimit(RLIMIT_MEMLOCK, &lock) == 0 && lock.rlim_cur < lock.rlim_max) {
        lock.rlim_cur = lock.rlim_max;
        /* A refusal shows in the trial lock of secret_init. */
        (void)setrlimit(RLIMIT_MEMLOCK, &lock);
    }
}

enum err harden_process(void)
{
    const struct rlimit no_core = {0, 0};
    const char *inspect = getenv(HARDEN_INSPECT_ENV);

    umask(077);
    if (setrlimit(RLIMIT_CORE, &no_core) != 0)
        return ERR_CONFIG;
    /* A core_pattern that is a pipe ignores the limit; this holds there too. */
    if (!(inspect && strcmp(inspect, "1") == 0) && prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0)
        return ERR_CONFIG;
    /* Kernels before 5.11 do not know this; what we open ourselves is marked one by one anyway. */
    (void)close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);
    raise_lock_limit();
    return ERR_OK;
}
