package import LadingRecords
import LadingTesting

/// Pages of a changing list for a client that pages, refreshes and jumps, determined by a seed in every process.
package struct PageGenerator: Sendable {
    /// The number of consecutive pages of one refresh.
    private static let pagesPerRefresh = 12

    private let seed: UInt64

    package init(seed: UInt64) {
        self.seed = seed
    }

    package func page(_ number: Int) -> RecordPage<ConformanceRow> {
        var random = SeededRandom(seed: seed &* 1_000_003 &+ UInt64(number))
        let (refresh, step) = number.quotientAndRemainder(dividingBy: Self.pagesPerRefresh)
        let jump = Int.random(in: 0..<8, using: &random) == 0 ? Int.random(in: 0..<200, using: &random) : 0
        let count = Int.random(in: 1...20, using: &random)
        let rows = (0..<count).map { _ in
            ConformanceRow(
                Int.random(in: 0..<500, using: &random), "page \(number) of \(seed)", weight: .random(in: 0..<1, using: &random),
                coordinates: [.random(in: -90...90, using: &random), .random(in: -180...180, using: &random)])
        }
        return RecordPage(
            rows, at: 20 * step + jump, generation: refresh + 1, next: .number(number + 1),
            isEnd: Int.random(in: 0..<30, using: &random) == 0)
    }
}
