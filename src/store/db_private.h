/* SPDX-License-Identifier: Apache-2.0 */
/* Private seams between db.c and db_file.c. */
#ifndef STORE_DB_PRIVATE_H
#define STORE_DB_PRIVATE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include "store/db.h"

/* All return the fault and write their out-parameters only on DB_FINE, unless said otherwise. */

/* Makes the directory when asked to, and gives the file's path with no link in it. */
enum db_fault db_file_resolve(const char *path, bool make_dir, char out[PATH_MAX]);
/* The file and what lies beside it: regular, ours, one name each, 0600 (set when it was more). */
enum db_fault db_file_check(const char *path, bool *there, bool *has_log);
/* Takes the lock for as long as *fd stays open. DB_HELD: *holder is the PID that has it, or 0. */
enum db_fault db_file_lock(const char *path, int *fd, long *holder);
/* A new empty file that only we can read; DB_FINE when it was made. */
enum db_fault db_file_create(const char *path);
enum db_fault db_file_put(const char *from, const char *to); /* renames; both names are durable */
enum db_fault db_file_fault(int error);                      /* what an errno means */

#endif
