public import LadingOperations

extension BackendQueue {
    /// Pauses the network lanes while there is no network, and resumes them afterwards. Operations that have begun are not affected. A metered
    /// network pauses nothing.
    ///
    /// Returns when no further state follows or the task is cancelled; the lanes are resumed then.
    ///
    /// - Parameter servesStale: Whether operations of a client with a cache that are submitted meanwhile are answered with stored responses
    ///   of any age, as when the origin is unreachable; without such a response they wait. A list that was answered so counts as fetched, and
    ///   has to be refreshed when the network is back. Otherwise all wait that need the origin, and are executed then.
    public nonisolated(nonsending) func observe(_ connectivity: some Connectivity, servesStale: Bool = false) async {
        defer { setOffline(false, servesStale) }
        for await state in connectivity.states() { setOffline(state == .offline, servesStale) }
    }

    private func setOffline(_ isOffline: Bool, _ servesStale: Bool) {
        // Before the pause: a lookup in between would lead to an operation that waits.
        servesStaleResponses = isOffline && servesStale
        if isOffline { pause(.network) } else { resume(.network) }
    }

    /// Pauses all lanes while the program is in the background, and resumes them afterwards. Operations that have begun are not affected: they
    /// continue until the system suspends the program, on iOS within seconds unless the program requests more time
    /// (`ProcessInfo.performExpiringActivity(withReason:using:)`).
    ///
    /// The following operations of the same work do not start then, not even in time that the system grants or when it starts the program in the
    /// background: let the queue of such work observe an `AppActivity`, or none.
    ///
    /// Returns when no further phase follows or the task is cancelled; all lanes are resumed then.
    public nonisolated(nonsending) func observe(_ lifecycle: some AppLifecycle) async {
        defer { resume(.all) }
        for await phase in lifecycle.phases() {
            if phase == .background { pause(.all) } else { resume(.all) }
        }
    }
}
