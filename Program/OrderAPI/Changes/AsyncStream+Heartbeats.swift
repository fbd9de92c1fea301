extension AsyncStream where Element: Sendable {
    /// Returns the elements, and nil after each interval.
    func withHeartbeats(every interval: Duration) -> AsyncStream<Element?> {
        let (merged, continuation) = AsyncStream<Element?>.makeStream(bufferingPolicy: .unbounded)
        let task = Task {
            await withDiscardingTaskGroup { tasks in
                tasks.addTask {
                    while (try? await Task.sleep(for: interval)) != nil { continuation.yield(nil) }
                }
                for await element in self { continuation.yield(element) }
                tasks.cancelAll()
            }
            continuation.finish()
        }
        continuation.onTermination = { _ in task.cancel() }
        return merged
    }
}
