extension ProgressBar {
    /// Works on elements, at most so many at once, while a bar fills; gives what became of each, in their order.
    ///
    /// - Parameters:
    ///   - limit: How many are under way at once.
    ///   - hasFailed: Whether what became of an element is a failure.
    static func following<Element: Sendable, Outcome: Sendable>(
        _ elements: [Element], as label: String, limit: Int, hasFailed: @escaping @Sendable (Outcome) -> Bool,
        work: @escaping @Sendable (Element) async throws -> Outcome
    ) async throws -> [Outcome] {
        var bar = ProgressBar(label, total: elements.count)
        defer { bar.clear() }
        return try await withThrowingTaskGroup(of: (Int, Outcome).self) { group in
            var outcomes = [Outcome?](repeating: nil, count: elements.count)
            for (index, element) in elements.enumerated() {
                if index >= limit, let (index, outcome) = try await group.next() {
                    outcomes[index] = outcome
                    bar.advance(failed: hasFailed(outcome))
                }
                group.addTask { (index, try await work(element)) }
            }
            for try await (index, outcome) in group {
                outcomes[index] = outcome
                bar.advance(failed: hasFailed(outcome))
            }
            return outcomes.compactMap { $0 }
        }
    }
}
