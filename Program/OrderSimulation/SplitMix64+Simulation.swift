import SeededNumbers

extension SplitMix64 {
    mutating func isTrue(percent: Int) -> Bool { integer(in: 1...100) <= percent }

    mutating func seconds(_ range: ClosedRange<Int>) -> Duration { .seconds(integer(in: range)) }

    /// Returns a random element; nil if there is none.
    mutating func randomElement<Element>(of elements: [Element]) -> Element? {
        elements.isEmpty ? nil : element(of: elements)
    }
}
