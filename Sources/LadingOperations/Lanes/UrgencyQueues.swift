/// The fair queues of the three urgencies.
struct UrgencyQueues: Sendable {
    private var visible = FairQueue()
    private var prefetch = FairQueue()
    private var background = FairQueue()

    var isEmpty: Bool { visible.liveCount + prefetch.liveCount + background.liveCount == 0 }

    /// The highest urgency with live entries; nil when all queues are empty.
    var highestUrgency: OperationPriority.Urgency? {
        OperationPriority.Urgency.descending.first { self[$0].liveCount > 0 }
    }

    /// Returns the highest-priority entry with its urgency and consumer. The entry of a flight may be stale.
    ///
    /// - Parameter includingNonvisible: Whether prefetch and background entries count.
    mutating func peek(includingNonvisible: Bool) -> (OperationPriority.Urgency, FairQueue.Entry, OperationConsumer)? {
        // Unrolled, because this runs whenever a slot is free.
        if visible.liveCount > 0, let (entry, consumer) = visible.peek() { return (.visible, entry, consumer) }
        guard includingNonvisible else { return nil }
        if prefetch.liveCount > 0, let (entry, consumer) = prefetch.peek() { return (.prefetch, entry, consumer) }
        if background.liveCount > 0, let (entry, consumer) = background.peek() { return (.background, entry, consumer) }
        return nil
    }

    /// Removes and returns all operations that have no flight.
    mutating func removeOperations() -> [(OperationPriority.Urgency, FairQueue.Entry, OperationConsumer)] {
        OperationPriority.Urgency.descending.flatMap { urgency in self[urgency].removeOperations().map { (urgency, $0, $1) } }
    }

    /// Removes and returns the highest-priority live flight.
    mutating func popNext(isLive: (FairQueue.Entry) -> Bool) -> FlightID? {
        for urgency in OperationPriority.Urgency.descending where self[urgency].liveCount > 0 {
            if let flight = self[urgency].popFirst(isLive: isLive) { return flight }
        }
        return nil
    }

    /// Whether any queue needs compaction.
    var shouldCompact: Bool { visible.shouldCompact || prefetch.shouldCompact || background.shouldCompact }

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
