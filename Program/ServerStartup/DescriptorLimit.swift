import Foundation

/// The maximum number of file descriptors of this process, which the connections of servers share with their files.
package enum DescriptorLimit {
    #if canImport(Glibc)
        static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
        static let resource = RLIMIT_NOFILE
    #endif

    /// Raises the limit as far as the system permits: shells start programs with 1,024 or less, which one client could use up.
    package static func raise() {
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return }
        limit.rlim_cur = maximum(of: limit)
        _ = setrlimit(resource, &limit)
    }

    /// Returns the maximum that the system permits.
    static func maximum(of limit: rlimit) -> rlim_t {
        #if canImport(Darwin)
            // The system refuses more, also if the hard limit is infinite.
            max(limit.rlim_cur, min(limit.rlim_max, rlim_t(OPEN_MAX)))
        #else
            limit.rlim_max
        #endif
    }
}
