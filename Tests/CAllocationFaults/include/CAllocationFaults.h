#ifndef CALLOCATIONFAULTS_H
#define CALLOCATIONFAULTS_H

/// Lets one allocation of memory in SQLite fail: the one whose number, counted from 1, is in the environment variable `LADING_FAILED_ALLOCATION`.
/// Without the variable nothing happens.
///
/// To be called before SQLite is used. Small allocations, too, are made by the allocator then, where SQLite otherwise has a pool of its own for them
/// (https://sqlite.org/malloc.html#lookaside).
///
/// Returns 0, or the code of SQLite if it refuses the allocator.
int allocation_fault_begin(void);

#endif
