#ifndef CALLOCATIONFAULTS_H
#define CALLOCATIONFAULTS_H

/// Makes one memory allocation in SQLite fail: the one with the number in the environment variable `LADING_FAILED_ALLOCATION`, counted from 1.
/// Without the variable it has no effect.
///
/// Call it before SQLite is used. It also disables SQLite's own pool for small allocations
/// (https://sqlite.org/malloc.html#lookaside).
///
/// Returns 0, or the SQLite error code if the allocator is rejected.
int allocation_fault_begin(void);

#endif
