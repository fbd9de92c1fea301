import Synchronization

/// The start time, first-byte time and size of a transfer, from its progress reports.
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

    /// Returns the sample of the completed transfer; nil when no bytes were received.
    func sample(endingAt time: Duration) -> AdaptiveConcurrency.Sample? {
        firstByteTime.map { AdaptiveConcurrency.Sample(beganAt: startTime, firstByteAt: $0, endedAt: time, bytes: bytes) }
    }
}

extension AnyOperation {
    /// Whether so little remains that the operation would not be cancelled without waiters.
    package var isFinishing: Bool { queue?.isFinishing(self) ?? false }

    /// Removes and returns the sample of the completed transfer; nil when it was not measured.
    func consumeTransferSample(endingAt time: @autoclosure () -> Duration) -> AdaptiveConcurrency.Sample? {
        box.withLock { box in
            guard let timing = box.extras?.transferTiming else { return nil }
            box.updateExtras { $0.transferTiming = nil }
            return timing.sample(endingAt: time())
        }
    }
}
