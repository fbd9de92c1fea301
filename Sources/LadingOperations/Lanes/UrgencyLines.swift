/// Flights that stand in line, one line for each urgency.
struct UrgencyLines: Sendable {
    private var visible = FairQueue()
    private var prefetch = FairQueue()
    private var background = FairQueue()

    var isEmpty: Bool { visible.live + prefetch.live + background.live == 0 }

    /// The urgency of the most urgent flight; nil when none stands in line.
    var mostUrgent: OperationPriority.Urgency? {
        OperationPriority.Urgency.mostUrgentFirst.first { self[$0].live > 0 }
    }

    /// The most urgent flight whose urgency is admitted.
    mutating func takeNext(
        where isAdmitted: (OperationPriority.Urgency) -> Bool = { _ in true }, isLive: (FairQueue.Entry) -> Bool
    ) -> FlightID? {
        // Not a loop over the urgencies: this runs whenever a slot is free.
        if visible.live > 0, isAdmitted(.visible), let flight = visible.popFirst(isLive: isLive) { return flight }
        if prefetch.live > 0, isAdmitted(.prefetch), let flight = prefetch.popFirst(isLive: isLive) { return flight }
        if background.live > 0, isAdmitted(.background), let flight = background.popFirst(isLive: isLive) { return flight }
        return nil
    }

    /// Whether there is so much to clear out that it is worth the while.
    var needsTidying: Bool { visible.needsTidying || prefetch.needsTidying || background.needsTidying }

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
