import Synchronization

/// When the work of an operation began and when its first bytes came, as far as it tells.
struct TransferWatch: Sendable {
    let begunAt: Duration
    private var firstAt: Duration?
    private var bytes = 0

    init(begunAt: Duration) {
        self.begunAt = begunAt
    }

    mutating func note(_ bytes: Int, at time: @autoclosure () -> Duration) {
        self.bytes = bytes
        if firstAt == nil, bytes > 0 { firstAt = time() }
    }

    /// The times of the whole; nil when nothing has come.
    func transfer(endingAt time: Duration) -> LineGauge.Transfer? {
        firstAt.map { LineGauge.Transfer(beganAt: begunAt, firstByteAt: $0, endedAt: time, bytes: bytes) }
    }
}

extension AnyOperation {
    /// Whether so little remains of it that it would not be stopped if nobody wanted it any more.
    package var isNearEnd: Bool { queue?.isNearEnd(self) ?? false }

    /// What the transfer took that its work was, now that it has ended well; nil when it was none, or is not watched.
    func takeTransfer(endingAt time: @autoclosure () -> Duration) -> LineGauge.Transfer? {
        box.withLock { box in
            guard let watch = box.extras?.transfer else { return nil }
            box.extend { $0.transfer = nil }
            return watch.transfer(endingAt: time())
        }
    }
}
