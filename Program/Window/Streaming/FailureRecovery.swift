import LadingHTTP

/// A monitor of unreachable servers that retries failed loads after their recovery.
struct FailureRecovery: Sendable {
    let client: BackendClient
    let sessions: WindowSessions
    /// A closure that loads the content that no page waits for.
    let prefetch: @Sendable () async -> Void

    /// Runs until its task is cancelled. Servers are probed while a page has a stream.
    func run() async {
        guard let monitor = client.reachability else { return }
        let changes = monitor.changes()
        // Runs one preload at a time, and another one for changes in the meantime.
        let (recoveries, recoveriesContinuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        await withDiscardingTaskGroup { group in
            group.addTask { await monitor.run(through: client, while: { sessions.hasReaders }) }
            group.addTask { for await _ in recoveries { await prefetch() } }
            for await change in changes where change.isReachable {
                sessions.retryFailures(of: change.host)
                recoveriesContinuation.yield()
            }
            group.cancelAll()
        }
    }
}
