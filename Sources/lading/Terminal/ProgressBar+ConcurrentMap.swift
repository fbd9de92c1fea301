extension ProgressBar {
    /// Fills while elements are worked on, at most so many at once; gives what became of each, in their order.
    ///
    /// - Parameters:
    ///   - limit: How many are under way at once.
    ///   - hasFailed: Whether what became of an element is a failure.
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
