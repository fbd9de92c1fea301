/// One thing that a queue decided: what became of which operation, for whom, and by which law.
public struct TracedDecision: Sendable {
    public enum Outcome: String, Sendable {
        /// It shares the flight of another.
        case joined
        /// It has a flight of its own.
        case began
        /// Its flight has a slot.
        case started
        /// Its flight was stopped.
        case interrupted
        case succeeded, failed, cancelled
        /// It ended unrun, because of what it depends on.
        case dependencyFailed
    }

    /// The name of the operation.
    public let operation: String
    public let outcome: Outcome
    public let lane: Lane
    public let priority: OperationPriority
    public let viewer: OperationViewer
    /// The name of an operation that waits for this one; nil when none does.
    public let parent: String?
    public let law: Law
}

extension BackendQueue {
    /// What the queue decided last, oldest first, as far back as its record reaches.
    public func trace() -> [TracedDecision] {
        var trace: [TracedDecision] = []
        record.replay { step in trace += step.effects.map { TracedDecision($0, step) } }
        return trace
    }
}

extension TracedDecision {
    fileprivate typealias Schedule = OperationSchedule<String>

    fileprivate init(_ effect: Schedule.Effect, _ step: DecisionRecord<Schedule>.Step) {
        switch effect {
        case .enlist(let wish, let name, let joined):
            self.init(name, joined ? .joined : .began, step.after, wish, joined ? .oneFlight : step.lawOfNewFlight)
        case .run(let flight, let name):
            // What began in this event is not known before it.
            let schedule = step.after.flights.contains(flight) ? step.after : step.before
            self.init(name, .started, schedule, schedule.flights[flight], .seenFirst)
        case .interrupt(let flight, let name):
            self.init(name, .interrupted, step.after, step.after.flights[flight], .oneFlight)
        case .settle(let wish, let name, let settlement):
            let schedule = step.before.wishes.contains(wish) ? step.before : step.after
            self.init(name, Outcome(settlement), schedule, wish, settlement.law)
        }
    }

    private init(_ name: String, _ outcome: Outcome, _ schedule: Schedule, _ wish: WishID, _ law: Law) {
        let known = schedule.wishes.contains(wish) ? schedule.wishes[wish] : nil
        let flight = known.flatMap { schedule.flights.contains($0.flight) ? schedule.flights[$0.flight] : nil }
        self.init(
            operation: name, outcome: outcome, lane: flight?.lane ?? .cpu, priority: (known?.claim ?? .leastUrgent).priority,
            viewer: (known?.claim ?? .leastUrgent).viewer, parent: known.flatMap(schedule.parent), law: law)
    }

    private init(_ name: String, _ outcome: Outcome, _ schedule: Schedule, _ flight: Schedule.Flight, _ law: Law) {
        let parent = flight.wishes.lazy.compactMap { schedule.parent(of: schedule.wishes[$0]) }.first
        self.init(
            operation: name, outcome: outcome, lane: flight.lane, priority: flight.claim.priority,
            viewer: flight.claim.viewer, parent: parent, law: law)
    }
}

extension OperationSchedule<String> {
    fileprivate func parent(of wish: Wish) -> String? {
        wish.dependents.first { flights.contains($0) }.map { flights[$0].work }
    }
}

extension DecisionRecord<OperationSchedule<String>>.Step {
    /// A flight that could have been joined but for its age was refused by its generation.
    fileprivate var lawOfNewFlight: Law {
        guard case .begin(let submission, _, _, _) = entry.event, submission.notBefore != nil, let key = submission.key,
            before.joinable[key] != nil
        else { return .oneFlight }
        return .generations
    }
}

extension TracedDecision.Outcome {
    fileprivate init(_ settlement: Settlement) {
        switch settlement {
        case .succeeded: self = .succeeded
        case .failed: self = .failed
        case .dependencyFailed: self = .dependencyFailed
        case .cancelled: self = .cancelled
        }
    }
}

extension Settlement {
    fileprivate var law: Law {
        switch self {
        case .succeeded, .cancelled: .oneFlight
        case .failed: .failedIsNotFinal
        case .dependencyFailed: .dependents
        }
    }
}

extension TracedDecision: CustomStringConvertible {
    public var description: String {
        let parent = parent.map { " for \"\($0)\"" } ?? ""
        return
            "\(operation): \(outcome.rawValue) in \(lane.name), \(priority.urgency) \(priority.distance), \(viewer)\(parent) (law \(law.rawValue))"
    }
}
