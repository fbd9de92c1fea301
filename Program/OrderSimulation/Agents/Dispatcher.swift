package import HistoryChecking
package import OrderLifecycle
import SeededNumbers

/// A simulated dispatcher, who creates orders, and now and then cancels, reassigns, corrects, and accepts reports.
package struct Dispatcher: Agent {
    package let person: PersonID
    package var records: [HistoryRecord] = []
    private var random: SplitMix64
    private let couriers: [PersonID]
    private let interval: ClosedRange<Int>
    private var keyCount = 0
    private var orders: [Int] = []
    private var pending: SimulatedRequest?
    private var reports: [Int: [Int]] = [:]
    private var nextTime: Timestamp

    /// - Parameter couriers: The couriers who may be given orders.
    package init(_ person: PersonID, seed: UInt64, number: Int, couriers: [PersonID], start: Timestamp) {
        self.person = person
        self.couriers = couriers
        random = SplitMix64(seed: seed, stream: 1_000_000 + number)
        let seconds = max(20, 2_400 / max(couriers.count, 1))
        interval = seconds / 2...seconds * 3 / 2
        nextTime = start
    }

    package mutating func step(at now: Timestamp, isEnding: Bool) -> AgentStep {
        if let pending {
            record(.invoke, pending, at: now)
            return .send(pending)
        }
        guard !isEnding else { return .finished }
        guard now >= nextTime else { return .wait(until: nextTime) }
        nextTime = now + random.seconds(interval)
        let request = nextRequest(at: now)
        pending = request
        record(.invoke, request, at: now)
        return .send(request)
    }

    private mutating func nextRequest(at now: Timestamp) -> SimulatedRequest {
        if let order = reports.keys.min(), let report = reports.removeValue(forKey: order)?.first, random.isTrue(percent: 60) {
            return command(.accept(report: report), order: order, at: now)
        }
        let recent = orders.suffix(40).map(\.self)
        switch random.integer(in: 0...99) {
        case ..<6: if let order = random.randomElement(of: recent) { return command(.command(.cancel), order: order, at: now) }
        case ..<14:
            if let order = random.randomElement(of: recent), let courier = random.randomElement(of: couriers) {
                return command(.reassign(to: courier), order: order, at: now)
            }
        case ..<17:
            if let order = random.randomElement(of: recent) { return command(.correct(to: .open), order: order, at: now) }
        case ..<30: return SimulatedRequest(.attention, by: person, at: now)
        default: break
        }
        return command(.create(title: "Order \(orders.count + 1) of \(person.rawValue)"), order: 0, at: now)
    }

    private mutating func command(_ content: SimulatedRequest.Content, order: Int, at now: Timestamp) -> SimulatedRequest {
        keyCount += 1
        var request = SimulatedRequest(content, by: person, at: now)
        request.order = order
        request.key = "\(person.rawValue)-\(keyCount)"
        return request
    }

    package mutating func receive(_ response: SimulatedResponse, to request: SimulatedRequest, at now: Timestamp) {
        // The same request is sent again.
        guard response != .lost else { return }
        record(.response, request, at: now, response: response)
        pending = nil
        switch (request.content, response) {
        case (.create, .accepted(let order, _, _, _)): orders.append(order)
        case (.attention, .attention(let found)): reports = found
        default: break
        }
    }
}
