/// The time elapsed since initialization, on a clock of any type.
package struct Stopwatch: Sendable {
    /// Returns the elapsed time.
    package let elapsed: @Sendable () -> Duration
    /// Sleeps until this much time has elapsed.
    package let sleep: @Sendable (_ until: Duration) async throws -> Void

    package init(_ clock: some Clock<Duration>) {
        // The common clock is specialized: dynamic dispatch would cost more than reading it.
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
