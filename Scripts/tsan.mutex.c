// Reports waits for a Mutex to the thread sanitizer. It observes an uncontended Mutex, whose code is compiled into the caller; waits happen in the
// Swift runtime, which is not instrumented, so that accesses guarded by a contended Mutex would be reported as races. This library is loaded before
// the runtime; its functions replace those of the runtime, and call them.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define SWIFT __attribute__((swiftcall))
#define MUTEX __attribute__((swift_context)) void *mutex

// Null in programs without the sanitizer, such as the one that starts the tests.
extern void __tsan_acquire(void *) __attribute__((weak));
extern void __tsan_release(void *) __attribute__((weak));

SWIFT void lock(uint32_t thread, MUTEX) __asm__(LOCK);
SWIFT bool try_lock(MUTEX) __asm__(TRY_LOCK);
SWIFT void unlock(MUTEX) __asm__(UNLOCK);

SWIFT void lock(uint32_t thread, MUTEX) {
    SWIFT void (*original)(uint32_t, MUTEX) = dlsym(RTLD_NEXT, LOCK);
    original(thread, mutex);
    if (__tsan_acquire) __tsan_acquire(mutex);
}

SWIFT bool try_lock(MUTEX) {
    SWIFT bool (*original)(MUTEX) = dlsym(RTLD_NEXT, TRY_LOCK);
    bool is_locked = original(mutex);
    if (is_locked && __tsan_acquire) __tsan_acquire(mutex);
    return is_locked;
}

SWIFT void unlock(MUTEX) {
    SWIFT void (*original)(MUTEX) = dlsym(RTLD_NEXT, UNLOCK);
    if (__tsan_release) __tsan_release(mutex);
    original(mutex);
}
