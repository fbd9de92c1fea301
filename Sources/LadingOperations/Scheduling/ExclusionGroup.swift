/// A group of flights of which one runs at a time.
///
/// Excluded flights wait in one queue per lane, so that those of a paused or full lane do not block those of another.
struct ExclusionGroup: Sendable {
    private struct LaneQueue {
        let lane: LaneID
        var flights = UrgencyQueues()
    }

    /// The running flight.
    var holder: FlightID?
    /// The queues in order of arrival, for a deterministic order of equals.
    private var queues: [LaneQueue] = []

    var isIdle: Bool { holder == nil && queues.isEmpty }

    /// The lanes with waiting flights and the urgency of their most urgent one, highest urgency first.
    var waitingLanes: [(lane: LaneID, urgency: OperationPriority.Urgency)] {
        let waiting = queues.compactMap { queue in queue.flights.highestUrgency.map { (lane: queue.lane, urgency: $0) } }
        return waiting.enumerated().sorted { left, right in
            left.element.urgency == right.element.urgency ? left.offset < right.offset : left.element.urgency > right.element.urgency
        }.map(\.element)
    }

    mutating func push(_ entry: FairQueue.Entry, in lane: LaneID, with share: PriorityShare) {
        let index = queues.firstIndex { $0.lane == lane } ?? queues.endIndex
        if index == queues.endIndex { queues.append(LaneQueue(lane: lane)) }
        queues[index].flights[share.priority.urgency].push(entry, for: share.consumer)
    }

    /// Counts a removed flight of this urgency.
    mutating func markRemoved(in lane: LaneID, _ urgency: OperationPriority.Urgency) {
        guard let index = queues.firstIndex(where: { $0.lane == lane }) else { return }
        queues[index].flights[urgency].liveCount -= 1
    }

    mutating func popNext(in lane: LaneID, isLive: (FairQueue.Entry) -> Bool) -> FlightID? {
        guard let index = queues.firstIndex(where: { $0.lane == lane }) else { return nil }
        let next = queues[index].flights.popNext(isLive: isLive)
        queues[index].flights.compact(isLive: isLive)
        return next
    }

    /// Removes the queues of lanes without waiting flights.
    mutating func removeEmptyLanes() {
        queues.removeAll { $0.flights.isEmpty }
    }
}
