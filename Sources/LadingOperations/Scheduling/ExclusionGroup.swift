/// Flights of which one runs at a time.
///
/// They wait lane by lane, so that those of a lane that is paused or full keep nobody waiting in another.
struct ExclusionGroup: Sendable {
    private struct LaneQueue {
        let lane: LaneID
        var flights = UrgencyQueues()
    }

    /// The one that runs.
    var holder: FlightID?
    /// In order of arrival, so that equals are always dealt with in the same order.
    private var queues: [LaneQueue] = []

    var isIdle: Bool { holder == nil && queues.isEmpty }

    /// The lanes that flights wait in, those of the most urgent first.
    var waitingLanes: [LaneID] {
        let waiting = queues.compactMap { queue in queue.flights.highestUrgency.map { (lane: queue.lane, urgency: $0) } }
        return waiting.enumerated().sorted { left, right in
            left.element.urgency == right.element.urgency ? left.offset < right.offset : left.element.urgency > right.element.urgency
        }.map(\.element.lane)
    }

    mutating func push(_ entry: FairQueue.Entry, in lane: LaneID, with share: PriorityShare) {
        let index = queues.firstIndex { $0.lane == lane } ?? queues.endIndex
        if index == queues.endIndex { queues.append(LaneQueue(lane: lane)) }
        queues[index].flights[share.priority.urgency].push(entry, for: share.consumer)
    }

    /// A flight of this urgency no longer waits.
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

    /// Forgets the lanes that nobody waits in.
    mutating func removeEmptyLanes() {
        queues.removeAll { $0.flights.isEmpty }
    }
}
