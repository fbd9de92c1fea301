/// Which replies go wrong, and how: decided by a seed, a path, and the number of the request for that path.
///
/// Nothing else counts, so that a run can be repeated whatever the order in which requests come in.
package struct FaultPlan: Hashable, Sendable {
    /// How late a delayed reply is at the least and at the most, in milliseconds.
    private static let delays = 500...4_000
    /// The same for every reply of the original service.
    private static let originalDelays = 0...4_000

    /// The share of replies that go wrong, from 0 to 1.
    let rate: Double
    /// What may happen, each as likely as the others.
    let faults: [Fault]
    /// Whether the deliveries behave as the service did on which they are modelled, and nothing else goes wrong.
    let isOriginal: Bool
    package var seed: UInt64

    /// - Parameter faults: Neither their order nor repetition matters.
    package init(rate: Double, faults: some Collection<Fault> = Fault.allCases, seed: UInt64 = 1) {
        self.init(rate: rate, faults: Array(faults), isOriginal: false, seed: seed)
    }

    private init(rate: Double, faults: [Fault], isOriginal: Bool, seed: UInt64) {
        precondition((0...1).contains(rate) && !faults.isEmpty, "A plan says what goes wrong how often.")
        self.rate = rate
        self.faults = Fault.allCases.filter(faults.contains)
        self.isOriginal = isOriginal
        self.seed = seed
    }

    /// The deliveries as they were first published: one list in nine is a server error, each comes up to 4 s late, and with other
    /// content for the same ids every time.
    package static let original = FaultPlan(rate: 1 / 9, faults: [.serverError], isOriginal: true, seed: 1)

    /// What goes wrong with a request; the first for a path is number 1.
    func fault(inRequest number: Int, for path: String) -> Fault? {
        var generator = generator(ofRequest: number, for: path)
        return generator.nextDouble() < rate ? generator.element(of: faults) : nil
    }

    /// How late the reply to a request is, if late it is.
    func delay(ofRequest number: Int, for path: String) -> Duration {
        var generator = generator(ofRequest: -number, for: path)
        return .milliseconds(generator.integer(in: isOriginal ? Self.originalDelays : Self.delays))
    }

    /// What the content of a reply is drawn with, where every request has its own.
    func contentSeed(ofRequest number: Int, for path: String) -> UInt64 {
        var generator = generator(ofRequest: -number, for: path + "#")
        return generator.next()
    }

    private func generator(ofRequest number: Int, for path: String) -> SplitMix64 {
        let pathSeed = path.utf8.reduce(seed) { seed, byte in
            var mixer = SplitMix64(seed: seed, stream: Int(byte))
            return mixer.next()
        }
        return SplitMix64(seed: pathSeed, stream: number)
    }
}
