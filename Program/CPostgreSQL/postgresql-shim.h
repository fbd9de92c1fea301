#include <libpq-fe.h>

/// Ignores notices, which libpq prints by default.
static inline void lading_pq_ignore_notices(void *argument, const PGresult *result) {
    (void)argument;
    (void)result;
}
