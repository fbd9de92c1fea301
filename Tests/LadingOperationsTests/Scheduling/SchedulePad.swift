@testable import LadingOperations

/// A schedule of operations that have names, whose effects read as text.
struct SchedulePad {
    var schedule: OperationSchedule
    private(set) var record = DecisionRecord<OperationSchedule>(limit: 1 << 20)
    /// By their tickets.
    private var operations: [String] = []
    /// Those of which nothing more is to be said, and how often that was said.
    private var forgotten: [Ticket: Int] = [:]
    private var wishes: [String: WishID] = [:]
    /// Those that stand in line without being wishes.
    private var places: [String: PlaceInLine] = [:]
    /// What came of it that somebody was called out of a line.
    private var asides: [String] = []
    private(set) var flights: [String: FlightID] = [:]
    /// When `ring` is due.
    var wake: Duration?
    private let lane = Lane("net:test")

    init(width: Int, reserved: Int = 0, narrowest: Int? = nil) {
        schedule = OperationSchedule(plan: LanePlan(network: LaneLimits(width: width, reserved: reserved, narrowest: narrowest)))
    }

    @discardableResult
    mutating func begin(
        _ name: String, _ priority: OperationPriority?, for viewer: UInt32 = 0, key: String? = nil, after names: [String] = [],
        notBefore: OperationMark? = nil, runsAnyway: Bool = false, in other: Lane? = nil, isConditional: Bool = false,
        exclusion: String? = nil, deadline: Duration? = nil, isPaused: Bool = false, isWatched: Bool = false, stands: Bool = true
    ) -> [String] {
        let isPlain = key == nil && names.isEmpty && !runsAnyway && !isConditional && exclusion == nil && !isPaused && !isWatched
        if stands, isPlain, deadline == nil, let priority { return stand(name, priority, for: viewer, in: other ?? lane) }
        let key = key.map { JoinKey(key: OperationKey(verb: "GET", subject: $0), value: ObjectIdentifier(Int.self)) }
        let traits = FlightTraits(key: key, exclusion: exclusion, runsAnyway: runsAnyway, isConditional: isConditional)
        let submission = Submission(
            lane: laneID(of: other ?? lane), traits: traits, notBefore: notBefore, deadline: deadline, isPaused: isPaused,
            isWatched: isWatched)
        let demand = priority.map { Demand.asked(Claim(priority: $0, viewer: OperationViewer(number: viewer))) } ?? .expected(.leastUrgent)
        let ticket = makeTicket(of: name)
        if let flight = schedule.flight(joinableBy: traits, notBefore: notBefore) {
            return handle(.join(flight, submission, ticket, demand))
        }
        return handle(.begin(submission, ticket, demand, after: ShortList(names.compactMap { wish(of: $0) })))
    }

    private mutating func stand(_ name: String, _ priority: OperationPriority, for viewer: UInt32, in lane: Lane) -> [String] {
        let claim = Claim(priority: priority, viewer: OperationViewer(number: viewer))
        return handle(.stand(makeTicket(of: name), laneID(of: lane), claim))
    }

    private mutating func makeTicket(of name: String) -> Ticket {
        operations.append(name)
        return Ticket(place: UInt32(operations.count - 1))
    }

    /// The wish of an operation, which is called out of the line if it stands in one.
    mutating func wish(of name: String) -> WishID? {
        if let place = places[name] { asides += handle(.call(place)) }
        return wishes[name]
    }

    @discardableResult
    mutating func finish(_ name: String, _ settlement: Settlement = .succeeded) -> [String] {
        guard let flight = flights[name] else { return ["\(name) is not running"] }
        return handle(.finish(flight, settlement))
    }

    @discardableResult
    mutating func finish(_ name: String, continuingWith next: String) -> [String] {
        guard let flight = flights[name], let wish = wish(of: next) else { return ["\(name) is not running"] }
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
        guard let wish = wish(of: name) else { return ["\(name) is not wished for"] }
        return handle(isHeld ? .hold(wish) : .free(wish))
    }

    @discardableResult
    mutating func watch(_ name: String) -> [String] {
        guard let wish = wish(of: name) else { return ["\(name) is not wished for"] }
        return handle(.watch(wish))
    }

    @discardableResult
    mutating func nearEnd(_ name: String) -> [String] {
        guard let flight = flights[name] else { return ["\(name) is not running"] }
        return handle(.nearEnd(flight))
    }

    @discardableResult
    mutating func withdraw(_ name: String) -> [String] {
        guard let wish = wish(of: name) else { return ["\(name) is not wished for"] }
        return handle(.withdraw(wish))
    }

    @discardableResult
    mutating func ask(_ name: String, _ priority: OperationPriority, for viewer: UInt32 = 0) -> [String] {
        guard let wish = wish(of: name) else { return ["\(name) is not wished for"] }
        return handle(.ask(wish, Claim(priority: priority, viewer: OperationViewer(number: viewer))))
    }

    @discardableResult
    mutating func handle(_ event: OperationSchedule.Event) -> [String] {
        if record.needsChapter() { record.beginChapter(with: schedule) }
        var effects: [OperationSchedule.Effect] = []
        record.note(event)
        schedule.handle(event, effects: &effects)
        record.note(effects)
        let asides = asides
        self.asides = []
        return asides + effects.compactMap { describe($0) }
    }

    private mutating func laneID(of lane: Lane) -> LaneID {
        if let id = schedule.laneID(of: lane) { return id }
        handle(.open(lane))
        guard let id = schedule.laneID(of: lane) else { preconditionFailure("a lane that was opened is known") }
        return id
    }

    func name(of ticket: Ticket) -> String { operations[Int(ticket.place)] }

    /// How often it was said of an operation that nothing more is to be said.
    func timesForgotten(_ name: String) -> Int {
        forgotten.reduce(0) { self.name(of: $1.key) == name ? $0 + $1.value : $0 }
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

    private mutating func describe(_ effect: OperationSchedule.Effect) -> String? {
        switch effect {
        case .stand(let place):
            places[name(of: place.ticket)] = place
            return nil
        case .enlist(let wish, let ticket, _):
            wishes[name(of: ticket)] = wish
            places[name(of: ticket)] = nil
            return nil
        case .run(let flight, let ticket):
            flights[name(of: ticket)] = flight
            return describe("run", ticket)
        case .coldStart(let flight):
            let name = flights.first { $0.value == flight }?.key
            return "\(name ?? "nothing") starts cold"
        case .check(let flight, let ticket):
            flights[name(of: ticket)] = flight
            return describe("check", ticket)
        case .interrupt(_, let ticket): return describe("interrupt", ticket)
        case .turn(_, let ticket, let phase): return "\(name(of: ticket)) is \(phase)"
        case .settle(_, let ticket, let settlement, _): return describe("settle", ticket) + " \(settlement)"
        case .forget(let ticket):
            forgotten[ticket, default: 0] += 1
            return nil
        case .wake(let time):
            wake = time
            return "wake at \(time)"
        }
    }

    private func describe(_ verb: String, _ ticket: Ticket) -> String {
        let name = name(of: ticket)
        return forgotten[ticket] == nil ? "\(verb) \(name)" : "\(name) was forgotten before: \(verb)"
    }
}
