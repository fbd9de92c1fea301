import OrderLifecycle
import SeededNumbers

/// The delays and losses of messages between people and the service.
package struct FaultyNetwork: Sendable {
    /// The time after which a person gives an answer up.
    static let answerTimeout = Duration.seconds(20)

    /// The course of a message.
    struct Transmission: Sendable {
        /// The times at which the request reaches the service: none if it is lost, two if it is repeated on the way.
        let arrivals: [Timestamp]
        /// The delay of the answer; nil if it is lost.
        let answerDelay: Duration?
    }

    private var random: SplitMix64
    /// The probability of each fault, in percent.
    private let percent: Int

    package init(seed: UInt64, percent: Int = 4) {
        random = SplitMix64(seed: seed, stream: 0)
        self.percent = percent
    }

    mutating func transmission(at now: Timestamp, isReliable: Bool) -> Transmission {
        let arrival = now + delay()
        guard !isReliable else { return Transmission(arrivals: [arrival], answerDelay: delay()) }
        if random.isTrue(percent: percent) { return Transmission(arrivals: [], answerDelay: nil) }
        var arrivals = [arrival]
        if random.isTrue(percent: percent) { arrivals.append(now + random.seconds(1...120)) }
        return Transmission(arrivals: arrivals, answerDelay: random.isTrue(percent: percent) ? nil : delay())
    }

    private mutating func delay() -> Duration { .milliseconds(20 + random.integer(in: 0...1_999)) }
}
