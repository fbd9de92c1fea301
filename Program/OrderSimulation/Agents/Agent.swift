package import HistoryChecking
package import OrderLifecycle

/// The next step of a simulated person.
package enum AgentStep: Sendable {
    case send(SimulatedRequest)
    case wait(until: Timestamp)
    /// Nothing is left to do after the end of the simulation.
    case finished
}

/// A simulated person as a state machine: time and responses go in, requests come out.
package protocol Agent: Sendable {
    var person: PersonID { get }
    /// The records of what the person sees, which the driver collects.
    var records: [HistoryRecord] { get set }

    /// Returns the next step.
    ///
    /// - Parameter isEnding: Whether nothing new is begun, and only waiting requests are sent.
    mutating func step(at now: Timestamp, isEnding: Bool) -> AgentStep

    mutating func receive(_ response: SimulatedResponse, to request: SimulatedRequest, at now: Timestamp)
}

extension Agent {
    /// Records a command or its response.
    mutating func record(_ kind: HistoryRecord.Kind, _ request: SimulatedRequest, at now: Timestamp, response: SimulatedResponse? = nil) {
        guard let action = request.action else { return }
        var record = HistoryRecord(kind, time: now.milliseconds, client: person.rawValue, order: request.order)
        record.key = request.key
        record.action = action
        record.fence = request.fence
        record.proofs = request.proofs.isEmpty ? nil : request.proofs
        switch response {
        case .accepted(let order, let events, let fence, _):
            record.order = order
            record.outcome = .accepted
            record.events = events
            record.currentFence = fence
        case .reported: record.outcome = .reported
        case .refused(let isFinal, _): (record.outcome, record.isFinal) = (.refused, isFinal)
        default: break
        }
        records.append(record)
    }
}
