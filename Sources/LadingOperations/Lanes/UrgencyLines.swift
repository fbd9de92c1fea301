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

    /// The most urgent entry, where it stands and whose it is; that of a flight may not be live any more.
    ///
    /// - Parameter withUnseen: Whether entries count that are not visible.
    mutating func next(withUnseen: Bool) -> (OperationPriority.Urgency, FairQueue.Entry, OperationViewer)? {
        // Not a loop over the urgencies: this runs whenever a slot is free.
        if visible.live > 0, let (entry, viewer) = visible.next() { return (.visible, entry, viewer) }
        guard withUnseen else { return nil }
        if prefetch.live > 0, let (entry, viewer) = prefetch.next() { return (.prefetch, entry, viewer) }
        if background.live > 0, let (entry, viewer) = background.next() { return (.background, entry, viewer) }
        return nil
    }

    /// Takes out all operations that have no flight.
    mutating func takeOperations() -> [(OperationPriority.Urgency, FairQueue.Entry, OperationViewer)] {
        OperationPriority.Urgency.mostUrgentFirst.flatMap { urgency in self[urgency].takeOperations().map { (urgency, $0, $1) } }
    }

    /// The most urgent flight.
    mutating func takeNext(isLive: (FairQueue.Entry) -> Bool) -> FlightID? {
        for urgency in OperationPriority.Urgency.mostUrgentFirst where self[urgency].live > 0 {
            if let flight = self[urgency].popFirst(isLive: isLive) { return flight }
        }
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
