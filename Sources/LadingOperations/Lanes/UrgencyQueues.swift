/// Flights that stand in line, one line for each urgency.
struct UrgencyQueues: Sendable {
    private var visible = FairQueue()
    private var prefetch = FairQueue()
    private var background = FairQueue()

    var isEmpty: Bool { visible.liveCount + prefetch.liveCount + background.liveCount == 0 }

    /// The urgency of the most urgent flight; nil when none stands in line.
    var highestUrgency: OperationPriority.Urgency? {
        OperationPriority.Urgency.descending.first { self[$0].liveCount > 0 }
    }

    /// The most urgent entry, where it stands and whose it is; that of a flight may not be live any more.
    ///
    /// - Parameter withUnseen: Whether entries count that are not visible.
    mutating func peek(includingNonvisible: Bool) -> (OperationPriority.Urgency, FairQueue.Entry, OperationConsumer)? {
        // Not a loop over the urgencies: this runs whenever a slot is free.
        if visible.liveCount > 0, let (entry, consumer) = visible.peek() { return (.visible, entry, consumer) }
        guard includingNonvisible else { return nil }
        if prefetch.liveCount > 0, let (entry, consumer) = prefetch.peek() { return (.prefetch, entry, consumer) }
        if background.liveCount > 0, let (entry, consumer) = background.peek() { return (.background, entry, consumer) }
        return nil
    }

    /// Takes out all operations that have no flight.
    mutating func removeOperations() -> [(OperationPriority.Urgency, FairQueue.Entry, OperationConsumer)] {
        OperationPriority.Urgency.descending.flatMap { urgency in self[urgency].removeOperations().map { (urgency, $0, $1) } }
    }

    /// The most urgent flight.
    mutating func popNext(isLive: (FairQueue.Entry) -> Bool) -> FlightID? {
        for urgency in OperationPriority.Urgency.descending where self[urgency].liveCount > 0 {
            if let flight = self[urgency].popFirst(isLive: isLive) { return flight }
        }
        return nil
    }

    /// Whether there is so much to clear out that it is worth the while.
    var needsCompaction: Bool { visible.needsCompaction || prefetch.needsCompaction || background.needsCompaction }

    mutating func compact(isLive: (FairQueue.Entry) -> Bool) {
        for urgency in OperationPriority.Urgency.descending { self[urgency].compact(isLive: isLive) }
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
    fileprivate static let descending: [Self] = [.visible, .prefetch, .background]
}
