/// Time that has gone by since it was made, on a clock of any kind.
struct Stopwatch: Sendable {
    /// How much time has gone by.
    let elapsed: @Sendable () -> Duration
    /// Sleeps until this much has gone by.
    let sleep: @Sendable (Duration) async throws -> Void

    init(_ clock: some Clock<Duration>) {
        let start = clock.now
        elapsed = { start.duration(to: clock.now) }
        sleep = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
    }
}
