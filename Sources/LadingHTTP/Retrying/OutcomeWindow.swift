/// How many of the outcomes of the last while were failures, in slices of time, so that it stays small however many there are.
struct OutcomeWindow: Sendable {
    private struct Slice {
        var number: Int
        var count = 0
        var failures = 0
    }

    private static let sliceCount = 10

    private let sliceLength: Duration
    /// In order of time; at most `sliceCount`.
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

    /// All outcomes, and the failures among them, up to the last one noted.
    var totals: (count: Int, failures: Int) {
        (slices.reduce(0) { $0 + $1.count }, slices.reduce(0) { $0 + $1.failures })
    }

    private func number(at now: Duration) -> Int { Int((now / sliceLength).rounded(.down)) }
}
