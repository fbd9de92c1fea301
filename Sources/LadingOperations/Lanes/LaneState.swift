/// What runs in one lane and what is ready to.
struct LaneState: Sendable {
    let limits: LaneLimits
    var running = 0
    private var visible = FairQueue()
    private var prefetch = FairQueue()
    private var background = FairQueue()

    init(limits: LaneLimits) {
        self.limits = limits
    }

    var isIdle: Bool { running == 0 && visible.live + prefetch.live + background.live == 0 }

    /// The most urgent ready flight that a free slot may be given to.
    mutating func takeNext(isLive: (FairQueue.Entry) -> Bool) -> FlightID? {
        for urgency in OperationPriority.Urgency.mostUrgentFirst where running < limits.slots(for: urgency) {
            if let flight = self[urgency].popFirst(isLive: isLive) { return flight }
        }
        return nil
    }

    mutating func tidy(isLive: (FairQueue.Entry) -> Bool) {
        for urgency in OperationPriority.Urgency.mostUrgentFirst { self[urgency].tidy(isLive: isLive) }
    }

    subscript(urgency: OperationPriority.Urgency) -> FairQueue {
        _read {
            switch urgency {
            case .visible: yield visible
            case .prefetch: yield prefetch
            case .background: yield background
            }
        }
        _modify {
            switch urgency {
            case .visible: yield &visible
            case .prefetch: yield &prefetch
            case .background: yield &background
            }
        }
    }
}

extension OperationPriority.Urgency {
    fileprivate static let mostUrgentFirst: [Self] = [.visible, .prefetch, .background]
}
