public import LadingOperations

extension BackendQueue {
    /// Pauses the network lanes while there is no network, and resumes them afterwards. Operations that have begun are not affected.
    ///
    /// Returns when no further state follows or the task is cancelled; the lanes are resumed then.
    public nonisolated(nonsending) func observe(_ connectivity: some Connectivity) async {
        defer { resume(.network) }
        for await state in connectivity.states() {
            if state == .offline { pause(.network) } else { resume(.network) }
        }
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
