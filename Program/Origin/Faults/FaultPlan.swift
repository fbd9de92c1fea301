import SeededNumbers

/// The faults of responses, determined by a seed, a path, and the number of the request for that path.
///
/// A run is therefore reproducible, whatever the order of requests for different paths.
package struct FaultPlan: Hashable, Sendable {
    /// The range of delays, in milliseconds.
    private static let delays = 500...4_000
    /// The range of delays of the original service, in milliseconds.
    private static let originalDelays = 0...4_000

    /// The fraction of responses that fail, from 0 to 1.
    let rate: Double
    /// The possible faults, each equally likely.
    let faults: [Fault]
    /// Whether the deliveries have the faults of the original service and all other documents have none.
    let isOriginal: Bool
    package var seed: UInt64

    /// Creates a plan.
    ///
    /// - Parameter faults: The possible faults. Order and repetition have no effect.
    package init(rate: Double, faults: some Collection<Fault> = Fault.allCases, seed: UInt64 = 1) {
        self.init(rate: rate, faults: Array(faults), isOriginal: false, seed: seed)
    }

    private init(rate: Double, faults: [Fault], isOriginal: Bool, seed: UInt64) {
        precondition((0...1).contains(rate) && !faults.isEmpty, "The rate must be from 0 to 1, with at least one fault.")
        self.rate = rate
        self.faults = Fault.allCases.filter(faults.contains)
        self.isOriginal = isOriginal
        self.seed = seed
    }

    /// The faults of the original deliveries service.
    ///
    /// One list in nine is a server error, each is delayed by up to 4 s, and the content for an id changes with every request.
    package static let original = FaultPlan(rate: 1 / 9, faults: [.serverError], isOriginal: true, seed: 1)

    /// Returns the fault of a request, if any. The first request for a path has number 1.
    func fault(inRequest number: Int, for path: String) -> Fault? {
        var generator = generator(ofRequest: number, for: path)
        return generator.nextDouble() < rate ? generator.element(of: faults) : nil
    }

    /// Returns the delay of a response, for requests that are delayed.
    func delay(ofRequest number: Int, for path: String) -> Duration {
        var generator = generator(ofRequest: -number, for: path)
        return .milliseconds(generator.integer(in: isOriginal ? Self.originalDelays : Self.delays))
    }

    /// Returns the seed of a response's content, where every request gets other content.
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
