@testable import LadingOperations

/// A schedule of operations named by strings, whose effects read as text.
struct SchedulePad {
    typealias Schedule = OperationSchedule<String>

    var schedule: Schedule
    private(set) var wishes: [String: Schedule.WishID] = [:]
    private(set) var flights: [String: Schedule.FlightID] = [:]
    private let lane = Lane("net:test")

    init(width: Int, reserved: Int = 0) {
        schedule = Schedule(plan: LanePlan(network: LaneLimits(width: width, reserved: reserved)))
    }

    @discardableResult
    mutating func begin(
        _ name: String, _ priority: OperationPriority?, key: String? = nil, after names: [String] = [],
        notBefore: OperationMark? = nil, runsAnyway: Bool = false
    ) -> [String] {
        let submission = Schedule.Submission(
            lane: lane, key: key.map { .init(key: OperationKey(verb: "GET", subject: $0), value: ObjectIdentifier(Int.self)) },
            notBefore: notBefore, runsAnyway: runsAnyway)
        var effects: [Schedule.Effect] = []
        if let flight = schedule.flight(joinableBy: submission) {
            wishes[name] = schedule.join(flight, payload: name, asked: priority, effects: &effects)
        } else {
            let dependencies = names.compactMap { wishes[$0] }
            wishes[name] = schedule.begin(
                submission, payload: name, asked: priority, dependencies: dependencies, effects: &effects)
        }
        return describe(effects)
    }

    @discardableResult
    mutating func finish(_ name: String, _ settlement: Schedule.Settlement = .succeeded) -> [String] {
        guard let flight = flights[name] else { return ["\(name) is not running"] }
        var effects: [Schedule.Effect] = []
        schedule.finish(flight, settlement, effects: &effects)
        return describe(effects)
    }

    @discardableResult
    mutating func finish(_ name: String, continuingWith next: String) -> [String] {
        guard let flight = flights[name], let wish = wishes[next] else { return ["\(name) is not running"] }
        var effects: [Schedule.Effect] = []
        schedule.finish(flight, continuingWith: wish, effects: &effects)
        return describe(effects)
    }

    @discardableResult
    mutating func withdraw(_ name: String) -> [String] {
        guard let wish = wishes[name] else { return ["\(name) is not wished for"] }
        var effects: [Schedule.Effect] = []
        schedule.withdraw(wish, effects: &effects)
        return describe(effects)
    }

    @discardableResult
    mutating func ask(_ name: String, _ priority: OperationPriority) -> [String] {
        guard let wish = wishes[name] else { return ["\(name) is not wished for"] }
        var effects: [Schedule.Effect] = []
        schedule.ask(wish, priority, effects: &effects)
        return describe(effects)
    }

    private mutating func describe(_ effects: [Schedule.Effect]) -> [String] {
        effects.map { effect in
            switch effect {
            case .run(let flight, let name):
                flights[name] = flight
                return "run \(name)"
            case .interrupt(let name): return "interrupt \(name)"
            case .settle(let name, let settlement): return "settle \(name) \(settlement)"
            }
        }
    }
}
