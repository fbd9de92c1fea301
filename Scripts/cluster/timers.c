// Corrects timers of libfaketime 0.9.10, which applies the error of the clock to those of monotonic clocks as well, so that they expire at once or
// minutes late. This library is loaded before it.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

enum { DESCRIPTORS = 65536 };
static bool follows_wall_clock[DESCRIPTORS];

int timerfd_create(clockid_t clock, int flags) {
    int descriptor = (int)syscall(SYS_timerfd_create, clock, flags);
    if (descriptor >= 0 && descriptor < DESCRIPTORS) follows_wall_clock[descriptor] = clock == CLOCK_REALTIME;
    return descriptor;
}

int timerfd_settime(int descriptor, int flags, const struct itimerspec *value, struct itimerspec *previous) {
    if (descriptor >= 0 && descriptor < DESCRIPTORS && follows_wall_clock[descriptor]) {
        int (*next)(int, int, const struct itimerspec *, struct itimerspec *) = dlsym(RTLD_NEXT, "timerfd_settime");
        return next(descriptor, flags, value, previous);
    }
    return (int)syscall(SYS_timerfd_settime, descriptor, flags, value, previous);
}
