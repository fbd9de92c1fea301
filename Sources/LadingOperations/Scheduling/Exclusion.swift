/// Flights of which one runs at a time.
///
/// They wait lane by lane, so that those of a lane that is paused or full keep nobody waiting in another.
struct Exclusion: Sendable {
    private struct Queue {
        let lane: LaneID
        var lines = UrgencyLines()
    }

    /// The one that runs.
    var holder: FlightID?
    /// In order of arrival, so that equals are always dealt with in the same order.
    private var queues: [Queue] = []

    var isIdle: Bool { holder == nil && queues.isEmpty }

    /// The lanes that flights wait in, those of the most urgent first.
    var waitingLanes: [LaneID] {
        let waiting = queues.compactMap { queue in queue.lines.mostUrgent.map { (lane: queue.lane, urgency: $0) } }
        return waiting.enumerated().sorted { left, right in
            left.element.urgency == right.element.urgency ? left.offset < right.offset : left.element.urgency > right.element.urgency
        }.map(\.element.lane)
    }

    mutating func push(_ entry: FairQueue.Entry, in lane: LaneID, as claim: Claim) {
        let index = queues.firstIndex { $0.lane == lane } ?? queues.endIndex
        if index == queues.endIndex { queues.append(Queue(lane: lane)) }
        queues[index].lines[claim.priority.urgency].push(entry, for: claim.viewer)
    }

    /// A flight of this urgency no longer waits.
    mutating func leave(_ lane: LaneID, _ urgency: OperationPriority.Urgency) {
        guard let index = queues.firstIndex(where: { $0.lane == lane }) else { return }
        queues[index].lines[urgency].live -= 1
    }

    mutating func takeNext(in lane: LaneID, isLive: (FairQueue.Entry) -> Bool) -> FlightID? {
        guard let index = queues.firstIndex(where: { $0.lane == lane }) else { return nil }
        let next = queues[index].lines.takeNext(isLive: isLive)
        queues[index].lines.tidy(isLive: isLive)
        return next
    }

    /// Forgets the lanes that nobody waits in.
    mutating func forgetEmptyLanes() {
        queues.removeAll { $0.lines.isEmpty }
    }
}
