/// Time that has gone by since it was made, on a clock of any kind.
package struct Stopwatch: Sendable {
    /// How much time has gone by.
    package let elapsed: @Sendable () -> Duration
    /// Sleeps until this much has gone by.
    package let sleep: @Sendable (_ until: Duration) async throws -> Void

    package init(_ clock: some Clock<Duration>) {
        // The usual clock by its own name: asked through a protocol, it takes longer to answer than to look.
        if let clock = clock as? ContinuousClock { self.init(continuous: clock) } else { self.init(any: clock) }
    }

    private init(continuous clock: ContinuousClock) {
        let start = clock.now
        elapsed = { start.duration(to: clock.now) }
        sleep = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
    }

    private init(any clock: some Clock<Duration>) {
        let start = clock.now
        elapsed = { start.duration(to: clock.now) }
        sleep = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
    }
}
