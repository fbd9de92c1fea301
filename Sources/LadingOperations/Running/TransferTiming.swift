import Synchronization

/// When the work of an operation began and when its first bytes came, as far as it tells.
struct TransferTiming: Sendable {
    let startTime: Duration
    private var firstByteTime: Duration?
    private var bytes = 0

    init(startTime: Duration) {
        self.startTime = startTime
    }

    mutating func record(_ bytes: Int, at time: @autoclosure () -> Duration) {
        self.bytes = bytes
        if firstByteTime == nil, bytes > 0 { firstByteTime = time() }
    }

    /// The times of the whole; nil when nothing has come.
    func sample(endingAt time: Duration) -> ConcurrencyEstimator.Sample? {
        firstByteTime.map { ConcurrencyEstimator.Sample(beganAt: startTime, firstByteAt: $0, endedAt: time, bytes: bytes) }
    }
}

extension AnyOperation {
    /// Whether so little remains of it that it would not be stopped if nobody wanted it any more.
    package var isNearlyComplete: Bool { queue?.isNearlyComplete(self) ?? false }

    /// What the transfer took that its work was, now that it has ended well; nil when it was none, or is not watched.
    func consumeTransferSample(endingAt time: @autoclosure () -> Duration) -> ConcurrencyEstimator.Sample? {
        box.withLock { box in
            guard let timing = box.extras?.transferTiming else { return nil }
            box.updateExtras { $0.transferTiming = nil }
            return timing.sample(endingAt: time())
        }
    }
}
