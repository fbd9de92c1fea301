extension ProgressBar {
    /// Maps elements concurrently while the bar advances, and returns the outcomes in the order of the elements.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of concurrent calls.
    ///   - hasFailed: Whether an outcome is a failure.
    mutating func concurrentMap<Element: Sendable, Outcome: Sendable>(
        _ elements: [Element], limit: Int, hasFailed: (Outcome) -> Bool, work: @escaping @Sendable (Element) async throws -> Outcome
    ) async throws -> [Outcome] {
        setTotal(elements.count)
        return try await withThrowingTaskGroup(of: (Int, Outcome).self) { group in
            var outcomes = [Outcome?](repeating: nil, count: elements.count)
            for (index, element) in elements.enumerated() {
                if index >= limit, let (index, outcome) = try await group.next() {
                    outcomes[index] = outcome
                    advance(failed: hasFailed(outcome))
                }
                group.addTask { (index, try await work(element)) }
            }
            for try await (index, outcome) in group {
                outcomes[index] = outcome
                advance(failed: hasFailed(outcome))
            }
            return outcomes.compactMap { $0 }
        }
    }
}
