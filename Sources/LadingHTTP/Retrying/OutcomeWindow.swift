/// The numbers of recent outcomes and of failures among them, in slices of time, which bounds the size.
struct OutcomeWindow: Sendable {
    private struct Slice {
        var number: Int
        var count = 0
        var failures = 0
    }

    /// The number of slices of the window; the oldest expires as a whole.
    private static let sliceCount = 10

    private let sliceLength: Duration
    /// The slices in order of time; at most `sliceCount`.
    private var slices: [Slice] = []

    init(length: Duration) {
        sliceLength = length / Self.sliceCount
    }

    mutating func record(isFailure: Bool, at now: Duration) {
        let number = max(number(at: now), slices.last?.number ?? 0)
        slices.removeAll { $0.number <= number - Self.sliceCount }
        if slices.last?.number != number { slices.append(Slice(number: number)) }
        slices[slices.count - 1].count += 1
        if isFailure { slices[slices.count - 1].failures += 1 }
    }

    /// The number of outcomes and of failures among them, up to the last recorded one.
    var totals: (count: Int, failures: Int) {
        (slices.reduce(0) { $0 + $1.count }, slices.reduce(0) { $0 + $1.failures })
    }

    private func number(at now: Duration) -> Int { Int((now / sliceLength).rounded(.down)) }
}
