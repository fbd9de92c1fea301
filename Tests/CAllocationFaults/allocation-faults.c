#include "CAllocationFaults.h"

#include <sqlite3.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

static sqlite3_mem_methods usual;
static long failed_allocation;
static atomic_long count;

static bool fails(void) { return atomic_fetch_add(&count, 1) + 1 == failed_allocation; }

static void *allocate(int size) { return fails() ? NULL : usual.xMalloc(size); }

static void *reallocate(void *memory, int size) { return fails() ? NULL : usual.xRealloc(memory, size); }

int allocation_fault_begin(void) {
    const char *number = getenv("LADING_FAILED_ALLOCATION");
    if (number == NULL) return SQLITE_OK;
    failed_allocation = atol(number);
    int code = sqlite3_config(SQLITE_CONFIG_LOOKASIDE, 0, 0);
    if (code == SQLITE_OK) code = sqlite3_config(SQLITE_CONFIG_GETMALLOC, &usual);
    sqlite3_mem_methods failing = usual;
    failing.xMalloc = allocate;
    failing.xRealloc = reallocate;
    return code == SQLITE_OK ? sqlite3_config(SQLITE_CONFIG_MALLOC, &failing) : code;
}
