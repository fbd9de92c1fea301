import LadingHTTP

/// Finds out when servers answer again that did not, and retries what failed because of them.
struct FailureRecovery: Sendable {
    let client: BackendClient
    let sessions: WindowSessions
    /// Loads what no page waits for.
    let preload: @Sendable () async -> Void

    /// Runs until its task is cancelled; servers are probed while somebody looks at a page.
    func run() async {
        guard let monitor = client.reachability else { return }
        let changes = monitor.changes()
        // One preload at a time, and one more for what has changed meanwhile.
        let (recoveries, answer) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        await withDiscardingTaskGroup { group in
            group.addTask { await monitor.run(through: client, while: { sessions.hasReaders }) }
            group.addTask { for await _ in recoveries { await preload() } }
            for await change in changes where change.isReachable {
                sessions.retryFailures(of: change.host)
                answer.yield()
            }
            group.cancelAll()
        }
    }
}
