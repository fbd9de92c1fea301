extension AsyncStream where Element: Sendable {
    /// Returns the elements, and nil after each interval.
    ///
    /// - Parameter limit: The maximum number of elements that wait for a slow reader; the stream ends with the first one beyond it.
    func withHeartbeats(every interval: Duration, limit: Int) -> AsyncStream<Element?> {
        let (merged, continuation) = AsyncStream<Element?>.makeStream(bufferingPolicy: .bufferingOldest(limit))
        let task = Task {
            await withDiscardingTaskGroup { tasks in
                tasks.addTask {
                    while (try? await Task.sleep(for: interval)) != nil { continuation.yield(nil) }
                }
                for await element in self {
                    if case .dropped = continuation.yield(element) { break }
                }
                tasks.cancelAll()
            }
            continuation.finish()
        }
        continuation.onTermination = { _ in task.cancel() }
        return merged
    }
}
