@testable import LadingOperations

/// A schedule of named operations whose effects are reported as text.
struct ScheduleHarness {
    var schedule: OperationSchedule
    private(set) var record = DecisionRecord<OperationSchedule>(limit: 1 << 20)
    /// The names of operations by id.
    private var operations: [String] = []
    /// The number of `release` effects per operation.
    private var releaseCounts: [OperationID: Int] = [:]
    private var waiters: [String: WaiterID] = [:]
    /// The queued operations without a waiter.
    private var queuedEntries: [String: QueuedEntry] = [:]
    /// The effects of implicit `makeWaiter` events.
    private var pendingEffects: [String] = []
    private(set) var flights: [String: FlightID] = [:]
    /// The time of the next `fireTimers`.
    var wakeTime: Duration?
    private let lane = Lane("net:test")

    init(width: Int, reserved: Int = 0, minimumWidth: Int? = nil) {
        schedule = OperationSchedule(
            configuration: LaneConfiguration(network: LaneLimits(width: width, reserved: reserved, minimumWidth: minimumWidth)))
    }

    @discardableResult
    mutating func begin(
        _ name: String, _ priority: OperationPriority?, for consumer: UInt32 = 0, key: String? = nil, after names: [String] = [],
        noOlderThan: FlightEpoch? = nil, runsOnFailure: Bool = false, in other: Lane? = nil, hasConditions: Bool = false,
        exclusionGroup: String? = nil, deadline: Duration? = nil, isPaused: Bool = false, isObserved: Bool = false,
        isQueuedDirectly: Bool = true
    ) -> [String] {
        let isPlain = key == nil && names.isEmpty && !runsOnFailure && !hasConditions && exclusionGroup == nil && !isPaused && !isObserved
        if isQueuedDirectly, isPlain, deadline == nil, let priority { return enqueue(name, priority, for: consumer, in: other ?? lane) }
        let key = key.map { JoinKey(key: OperationKey(verb: "GET", subject: $0), valueType: ObjectIdentifier(Int.self)) }
        let traits = FlightAttributes(key: key, exclusionGroup: exclusionGroup, runsOnFailure: runsOnFailure, hasConditions: hasConditions)
        let submission = FlightRequest(
            lane: laneID(of: other ?? lane), attributes: traits, noOlderThan: noOlderThan, deadline: deadline, isPaused: isPaused,
            isObserved: isObserved)
        let demand =
            priority.map { Demand.requested(PriorityShare(priority: $0, consumer: OperationConsumer(number: consumer))) }
            ?? .inherited(.minimum)
        let operationID = makeOperationID(for: name)
        if let flight = schedule.flight(joinableBy: traits, noOlderThan: noOlderThan) {
            return handle(.join(flight, submission, operationID, demand))
        }
        return handle(.begin(submission, operationID, demand, after: TinyArray(names.compactMap { waiter(of: $0) })))
    }

    private mutating func enqueue(_ name: String, _ priority: OperationPriority, for consumer: UInt32, in lane: Lane) -> [String] {
        let share = PriorityShare(priority: priority, consumer: OperationConsumer(number: consumer))
        return handle(.enqueue(makeOperationID(for: name), laneID(of: lane), share))
    }

    private mutating func makeOperationID(for name: String) -> OperationID {
        operations.append(name)
        return OperationID(index: UInt32(operations.count - 1))
    }

    /// Returns the waiter of an operation; a queued operation is converted to a waiter first.
    mutating func waiter(of name: String) -> WaiterID? {
        if let place = queuedEntries[name] { pendingEffects += handle(.makeWaiter(place)) }
        return waiters[name]
    }

    @discardableResult
    mutating func finish(_ name: String, _ status: CompletionStatus = .succeeded) -> [String] {
        guard let flight = flights[name] else { return ["\(name) is not running"] }
        return handle(.finish(flight, status))
    }

    @discardableResult
    mutating func finish(_ name: String, continuingWith next: String) -> [String] {
        guard let flight = flights[name], let waiter = waiter(of: next) else { return ["\(name) is not running"] }
        return handle(.proceed(flight, with: waiter))
    }

    /// Reports that the conditions of a flight are satisfied.
    @discardableResult
    mutating func conditionsSatisfied(_ name: String) -> [String] {
        guard let flight = flights[name] else { return ["\(name) checks nothing"] }
        return handle(.conditionsSatisfied(flight))
    }

    @discardableResult
    mutating func retry(_ name: String, at time: Duration) -> [String] {
        guard let flight = flights[name] else { return ["\(name) is not running"] }
        return handle(.retry(flight, at: time))
    }

    @discardableResult
    mutating func setPaused(_ name: String, _ isHeld: Bool = true) -> [String] {
        guard let waiter = waiter(of: name) else { return ["\(name) has no waiter"] }
        return handle(isHeld ? .pauseWaiter(waiter) : .resumeWaiter(waiter))
    }

    @discardableResult
    mutating func observe(_ name: String) -> [String] {
        guard let waiter = waiter(of: name) else { return ["\(name) has no waiter"] }
        return handle(.observe(waiter))
    }

    @discardableResult
    mutating func markFinishing(_ name: String) -> [String] {
        guard let flight = flights[name] else { return ["\(name) is not running"] }
        return handle(.finishing(flight))
    }

    @discardableResult
    mutating func cancel(_ name: String) -> [String] {
        guard let waiter = waiter(of: name) else { return ["\(name) has no waiter"] }
        return handle(.cancel(waiter))
    }

    @discardableResult
    mutating func prioritize(_ name: String, _ priority: OperationPriority, for consumer: UInt32 = 0) -> [String] {
        guard let waiter = waiter(of: name) else { return ["\(name) has no waiter"] }
        return handle(.prioritize(waiter, PriorityShare(priority: priority, consumer: OperationConsumer(number: consumer))))
    }

    @discardableResult
    mutating func handle(_ event: OperationSchedule.Event) -> [String] {
        if record.needsSegment() { record.beginSegment(with: schedule) }
        var effects: [OperationSchedule.Effect] = []
        record.appendEvent(event)
        schedule.handle(event, effects: &effects)
        record.appendEffects(effects)
        let pendingEffects = pendingEffects
        self.pendingEffects = []
        return pendingEffects + effects.compactMap { describe($0) }
    }

    private mutating func laneID(of lane: Lane) -> LaneID {
        if let id = schedule.laneID(of: lane) { return id }
        handle(.open(lane))
        guard let id = schedule.laneID(of: lane) else { preconditionFailure("a lane that was opened is known") }
        return id
    }

    func name(of operationID: OperationID) -> String { operations[Int(operationID.index)] }

    /// Returns the number of `release` effects of an operation.
    func releaseCount(of name: String) -> Int {
        releaseCounts.reduce(0) { self.name(of: $1.key) == name ? $0 + $1.value : $0 }
    }

    /// Finishes running flights one after another; returns the names of those that ran after the first, in order.
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
        case .enqueue(let place):
            queuedEntries[name(of: place.operationID)] = place
            return nil
        case .attach(let waiter, let operationID, _), .attachFromQueue(let waiter, let operationID):
            waiters[name(of: operationID)] = waiter
            queuedEntries[name(of: operationID)] = nil
            return nil
        case .run(let flight, let operationID):
            flights[name(of: operationID)] = flight
            return describe("run", operationID)
        case .coldStart(let flight):
            let name = flights.first { $0.value == flight }?.key
            return "\(name ?? "nothing") starts cold"
        case .check(let flight, let operationID):
            flights[name(of: operationID)] = flight
            return describe("check", operationID)
        case .interrupt(_, let operationID): return describe("interrupt", operationID)
        case .transition(_, let operationID, let phase): return "\(name(of: operationID)) is \(phase)"
        case .complete(_, let operationID, let status, _): return describe("settle", operationID) + " \(status)"
        case .release(let operationID):
            releaseCounts[operationID, default: 0] += 1
            return nil
        case .wake(let time):
            wakeTime = time
            return "wake at \(time)"
        }
    }

    private func describe(_ verb: String, _ operationID: OperationID) -> String {
        let name = name(of: operationID)
        return releaseCounts[operationID] == nil ? "\(verb) \(name)" : "\(name) was forgotten before: \(verb)"
    }
}
