/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of the simulator. It is a tool for tests and demos: when memory ends it says so and stops,
 * so nothing here returns NULL and nothing above has a path for it. Blocks end with alloc_free. */
#ifndef SIM_MEM_H
#define SIM_MEM_H

#include <stddef.h>

void *sim_mem_zero(size_t count, size_t size);
void *sim_mem_grow(void *p, size_t count, size_t size); /* new part is not zeroed */
char *sim_mem_text(const char *s);                      /* NULL for NULL */
void sim_mem_hook_json(void);                           /* cJSON allocates the same way */

#endif
