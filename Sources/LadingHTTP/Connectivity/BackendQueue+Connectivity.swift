public import LadingOperations

extension BackendQueue {
    /// Starts no work in the network lanes while there is no network, and goes on when it is back. Work that has begun is left to end by itself.
    ///
    /// Returns when there will be no other state, or the task is cancelled; the lanes are resumed then.
    public nonisolated(nonsending) func observe(_ connectivity: some Connectivity) async {
        defer { resume(.network) }
        for await state in connectivity.states() {
            if state == .offline { pause(.network) } else { resume(.network) }
        }
    }

    /// Starts no work while nobody can see the program, and goes on when somebody can. Work that has begun is finished.
    ///
    /// Returns when there will be no other phase, or the task is cancelled; all lanes are resumed then.
    public nonisolated(nonsending) func observe(_ lifecycle: some AppLifecycle) async {
        defer { resume(.all) }
        for await phase in lifecycle.phases() {
            if phase == .background { pause(.all) } else { resume(.all) }
        }
    }
}
