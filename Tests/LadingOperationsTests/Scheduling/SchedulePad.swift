@testable import LadingOperations

/// A schedule of operations named by strings, whose effects read as text.
struct SchedulePad {
    typealias Schedule = OperationSchedule<String>

    var schedule: Schedule
    private(set) var record = DecisionRecord<Schedule>(limit: 1 << 20)
    private(set) var wishes: [String: WishID] = [:]
    private(set) var flights: [String: FlightID] = [:]
    /// When `ring` is due.
    var wake: Duration?
    private let lane = Lane("net:test")

    init(width: Int, reserved: Int = 0) {
        schedule = Schedule(plan: LanePlan(network: LaneLimits(width: width, reserved: reserved)))
    }

    @discardableResult
    mutating func begin(
        _ name: String, _ priority: OperationPriority?, for viewer: UInt32 = 0, key: String? = nil, after names: [String] = [],
        notBefore: OperationMark? = nil, runsAnyway: Bool = false, in other: Lane? = nil, isConditional: Bool = false,
        exclusion: String? = nil, deadline: Duration? = nil, isPaused: Bool = false, isWatched: Bool = false
    ) -> [String] {
        let submission = Submission(
            lane: other ?? lane,
            key: key.map { .init(key: OperationKey(verb: "GET", subject: $0), value: ObjectIdentifier(Int.self)) },
            notBefore: notBefore, runsAnyway: runsAnyway, isConditional: isConditional, exclusion: exclusion, deadline: deadline,
            isPaused: isPaused, isWatched: isWatched)
        let demand = priority.map { Demand.asked(Claim(priority: $0, viewer: OperationViewer(number: viewer))) } ?? .expected(.leastUrgent)
        if let flight = schedule.flight(joinableBy: submission) { return handle(.join(flight, submission, name, demand)) }
        return handle(.begin(submission, name, demand, after: ShortList(names.compactMap { wishes[$0] })))
    }

    @discardableResult
    mutating func finish(_ name: String, _ settlement: Settlement = .succeeded) -> [String] {
        guard let flight = flights[name] else { return ["\(name) is not running"] }
        return handle(.finish(flight, settlement))
    }

    @discardableResult
    mutating func finish(_ name: String, continuingWith next: String) -> [String] {
        guard let flight = flights[name], let wish = wishes[next] else { return ["\(name) is not running"] }
        return handle(.proceed(flight, with: wish))
    }

    /// What a flight was to check holds.
    @discardableResult
    mutating func met(_ name: String) -> [String] {
        guard let flight = flights[name] else { return ["\(name) checks nothing"] }
        return handle(.met(flight))
    }

    @discardableResult
    mutating func rest(_ name: String, until time: Duration) -> [String] {
        guard let flight = flights[name] else { return ["\(name) is not running"] }
        return handle(.rest(flight, until: time))
    }

    @discardableResult
    mutating func hold(_ name: String, _ isHeld: Bool = true) -> [String] {
        guard let wish = wishes[name] else { return ["\(name) is not wished for"] }
        return handle(isHeld ? .hold(wish) : .free(wish))
    }

    @discardableResult
    mutating func watch(_ name: String) -> [String] {
        guard let wish = wishes[name] else { return ["\(name) is not wished for"] }
        return handle(.watch(wish))
    }

    @discardableResult
    mutating func nearEnd(_ name: String) -> [String] {
        guard let flight = flights[name] else { return ["\(name) is not running"] }
        return handle(.nearEnd(flight))
    }

    @discardableResult
    mutating func withdraw(_ name: String) -> [String] {
        guard let wish = wishes[name] else { return ["\(name) is not wished for"] }
        return handle(.withdraw(wish))
    }

    @discardableResult
    mutating func ask(_ name: String, _ priority: OperationPriority, for viewer: UInt32 = 0) -> [String] {
        guard let wish = wishes[name] else { return ["\(name) is not wished for"] }
        return handle(.ask(wish, Claim(priority: priority, viewer: OperationViewer(number: viewer))))
    }

    @discardableResult
    mutating func handle(_ event: Schedule.Event) -> [String] {
        if record.needsChapter() { record.beginChapter(with: schedule) }
        var effects: [Schedule.Effect] = []
        schedule.handle(event, effects: &effects)
        record.note(event, effects)
        return effects.compactMap { describe($0) }
    }

    /// Finishes what runs, one after the other; the names of what ran after it, in order.
    mutating func runAll(from first: String) -> [String] {
        var order: [String] = []
        var running = first
        while let next = runNext(after: running) {
            order.append(next)
            running = next
        }
        return order
    }

    mutating func runNext(after running: String) -> String? {
        finish(running).compactMap { $0.hasPrefix("run ") ? String($0.dropFirst(4)) : nil }.first
    }

    private mutating func describe(_ effect: Schedule.Effect) -> String? {
        switch effect {
        case .enlist(let wish, let name, _):
            wishes[name] = wish
            return nil
        case .run(let flight, let name):
            flights[name] = flight
            return "run \(name)"
        case .check(let flight, let name):
            flights[name] = flight
            return "check \(name)"
        case .interrupt(_, let name): return "interrupt \(name)"
        case .turn(_, let name, let phase): return "\(name) is \(phase)"
        case .settle(_, let name, let settlement, _): return "settle \(name) \(settlement)"
        case .wake(let time):
            wake = time
            return "wake at \(time)"
        }
    }
}
