public import LadingOperations

extension BackendQueue {
    /// Pauses the network lanes while there is no network, and resumes them afterwards. Operations that have begun are not affected.
    ///
    /// An operation of a client with a cache that is submitted meanwhile is answered with a stored response, even a stale one, as when the origin is
    /// unreachable; without such a response it waits. After `pause(.network)` alone it waits with a stale one, too.
    ///
    /// Returns when no further state follows or the task is cancelled; the lanes are resumed then.
    public nonisolated(nonsending) func observe(_ connectivity: some Connectivity) async {
        defer { setOffline(false) }
        for await state in connectivity.states() { setOffline(state == .offline) }
    }

    private func setOffline(_ isOffline: Bool) {
        // Before the pause: a lookup in between would lead to an operation that waits.
        self.isOffline = isOffline
        if isOffline { pause(.network) } else { resume(.network) }
    }

    /// Pauses all lanes while the program is in the background, and resumes them afterwards. Operations that have begun are not affected: they
    /// continue until the system suspends the program, on iOS within seconds unless the program requests more time
    /// (`ProcessInfo.performExpiringActivity(withReason:using:)`).
    ///
    /// Returns when no further phase follows or the task is cancelled; all lanes are resumed then.
    public nonisolated(nonsending) func observe(_ lifecycle: some AppLifecycle) async {
        defer { resume(.all) }
        for await phase in lifecycle.phases() {
            if phase == .background { pause(.all) } else { resume(.all) }
        }
    }
}
