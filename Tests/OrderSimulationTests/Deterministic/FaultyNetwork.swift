import OrderLifecycle
import SeededNumbers

@testable import OrderSimulation

/// The delays and losses of messages between people and the service.
struct FaultyNetwork: Sendable {
    /// The time after which a person stops waiting for a response.
    static let responseTimeout = Duration.seconds(20)

    /// The outcome of sending a message.
    struct Outcome: Sendable {
        /// The times at which the request reaches the service: none if it is lost, two if it is repeated on the way.
        let requestTimes: [Timestamp]
        /// The delay of the response; nil if it is lost.
        let responseDelay: Duration?
    }

    private var random: SplitMix64
    /// The probability of each fault, in percent.
    private let percent: Int

    init(seed: UInt64, percent: Int = 4) {
        random = SplitMix64(seed: seed, stream: 0)
        self.percent = percent
    }

    mutating func outcome(at now: Timestamp, isReliable: Bool) -> Outcome {
        let requestTime = now + delay()
        guard !isReliable else { return Outcome(requestTimes: [requestTime], responseDelay: delay()) }
        if random.isTrue(percent: percent) { return Outcome(requestTimes: [], responseDelay: nil) }
        var requestTimes = [requestTime]
        if random.isTrue(percent: percent) { requestTimes.append(now + random.seconds(1...120)) }
        return Outcome(requestTimes: requestTimes, responseDelay: random.isTrue(percent: percent) ? nil : delay())
    }

    private mutating func delay() -> Duration { .milliseconds(20 + random.integer(in: 0...1_999)) }
}
