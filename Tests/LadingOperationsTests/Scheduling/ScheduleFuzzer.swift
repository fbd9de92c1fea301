import LadingTesting

@testable import LadingOperations

/// A fuzzer that sends random events to a schedule by a seed, and records violated invariants.
struct ScheduleFuzzer {
    private static let widths: [Lane: Int] = [Lane("net:test"): 3, .cpu: 2]
    private static let waiterLimit = 60

    private var harness = ScheduleHarness(width: 3, reserved: 1)
    private var random: SeededRandom
    private var now = Duration.zero
    private var count = 0
    /// The waiters that have not completed.
    private var waiters: [String] = []
    private var lanes: [String: Lane] = [:]
    private var exclusionGroups: [String: String] = [:]
    private var paused: Set<String> = []
    /// The running flights, by the names of their leaders.
    private var running: Set<String> = []
    private var checking: Set<String> = []
    private var completionCounts: [String: Int] = [:]
    private(set) var violations: [String] = []

    var record: DecisionRecord<OperationSchedule> { harness.record }

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
    }

    mutating func run(steps: Int) {
        for _ in 0..<steps { performStep() }
        for scope in Self.scopes { verify(harness.handle(.resume(scope))) }
        paused = []
        for name in waiters { verify(harness.setPaused(name, false)) }
        while finishOne() {}
        verifyNothingIsLeft()
    }

    // MARK: Steps

    private mutating func performStep() {
        switch random.next() % 18 {
        case 0...3: begin()
        case 4...5: randomElement(of: running).map { finish($0, harness.finish($0, outcome())) }
        case 6: randomElement(of: waiters).map { verify(harness.cancel($0)) }
        case 7: randomElement(of: running).map { verify(harness.markFinishing($0)) }
        case 8: randomElement(of: Self.scopes).map { verify(harness.handle(oneIn(3) ? .pause($0) : .resume($0))) }
        case 9: randomElement(of: waiters).map { verify(harness.prioritize($0, priority(), for: UInt32(random.next() % 3))) }
        case 10...11: randomElement(of: waiters).map { togglePause($0) }
        case 12...13:
            randomElement(of: checking).map { finish($0, oneIn(4) ? harness.finish($0, .failed) : harness.conditionsSatisfied($0)) }
        case 14: randomElement(of: running).map { finish($0, harness.retry($0, at: now + .milliseconds(Int(random.next() % 500)))) }
        case 15: advanceTime()
        case 16: randomElement(of: waiters).map { verify(harness.observe($0)) }
        default: oneIn(40) ? verify(harness.handle(.cancelAll)) : continueOne()
        }
    }

    private mutating func begin() {
        guard waiters.count < Self.waiterLimit else { return }
        var dependencies = (0..<(random.next() % 3)).compactMap { _ in randomElement(of: waiters) }
        if oneIn(3) { dependencies.append(submit(nil)) }
        submit(priority(), after: Set(dependencies).sorted())
        for name in dependencies {
            if let waiter = harness.waiter(of: name), harness.schedule.waiters.contains(waiter) {
                verify(harness.handle(.releaseIfUnused(waiter)))
            }
        }
    }

    /// Submits an operation; without a priority, one that only other flights need.
    @discardableResult
    private mutating func submit(_ priority: OperationPriority?, after dependencies: [String] = []) -> String {
        count += 1
        let name = "op\(count)"
        // One in four is plain, and is queued or begins a flight at once.
        let isPlain = oneIn(4)
        let key = !isPlain && oneIn(2) ? "key\(random.next() % 4)" : nil
        let exclusionGroup = !isPlain && oneIn(3) ? "exclusion\(random.next() % 2)" : nil
        let lane = oneIn(3) ? Lane.cpu : Lane("net:test")
        let isPaused = !isPlain && oneIn(8)
        (lanes[name], exclusionGroups[name]) = (lane, exclusionGroup)
        waiters.append(name)
        if isPaused { paused.insert(name) }
        verify(
            harness.begin(
                name, priority, for: UInt32(random.next() % 3), key: key, after: dependencies, runsOnFailure: !isPlain && oneIn(4),
                in: lane,
                hasConditions: !isPlain && oneIn(4), exclusionGroup: exclusionGroup,
                deadline: !isPlain && oneIn(6) ? now + .milliseconds(Int(random.next() % 900)) : nil, isPaused: isPaused,
                isObserved: !isPlain && oneIn(5), isQueuedDirectly: !oneIn(4)))
        return name
    }

    private mutating func togglePause(_ name: String) {
        let isPaused = paused.remove(name) == nil
        if isPaused { paused.insert(name) }
        verify(harness.setPaused(name, isPaused))
    }

    private mutating func continueOne() {
        guard let name = randomElement(of: running), let flight = harness.flights[name] else { return }
        verify(harness.handle(.stopJoining(flight)))
        let next = oneIn(2) ? submit(nil) : randomElement(of: waiters)
        guard let next, let waiter = harness.waiter(of: next), harness.schedule.waiters.contains(waiter) else { return }
        finish(name, harness.finish(name, continuingWith: next))
    }

    /// Advances the time and fires due timers.
    private mutating func advanceTime() {
        now += .milliseconds(Int(random.next() % 200))
        if let wake = harness.wakeTime, wake <= now { fireTimers() }
    }

    private mutating func fireTimers() {
        harness.wakeTime = nil
        verify(harness.handle(.fireTimers(now)))
    }

    private mutating func finishOne() -> Bool {
        if let name = running.sorted().first {
            finish(name, harness.finish(name))
        } else if let name = checking.sorted().first {
            finish(name, harness.conditionsSatisfied(name))
        } else if let wake = harness.wakeTime {
            now = max(now, wake)
            fireTimers()
        } else {
            return false
        }
        return true
    }

    // MARK: Invariants

    private mutating func finish(_ name: String, _ effects: [String]) {
        running.remove(name)
        checking.remove(name)
        verify(effects)
    }

    private mutating func verify(_ effects: [String]) {
        for effect in effects {
            let words = effect.split(separator: " ").map(String.init)
            switch words[0] {
            case "run": verifyRun(of: words[1])
            case "check": if !checking.insert(words[1]).inserted { violations.append("\(words[1]) is checked twice") }
            case "settle":
                completionCounts[words[1], default: 0] += 1
                waiters.removeAll { $0 == words[1] }
                paused.remove(words[1])
            case "interrupt":
                if !running.contains(words[1]), !checking.contains(words[1]) { violations.append("needless: \(effect)") }
            case "wake": break
            default: if words[1] != "is" { violations.append(effect) }
            }
        }
        violations += harness.schedule.invariantViolations()
    }

    private mutating func verifyRun(of name: String) {
        if !running.insert(name).inserted { violations.append("\(name) runs twice") }
        if checking.contains(name) { violations.append("\(name) runs unchecked") }
        for (lane, width) in Self.widths where running.count(where: { lanes[$0] == lane }) > width {
            violations.append("more run than \(lane.name) is wide")
        }
        if let exclusion = exclusionGroups[name], running.contains(where: { $0 != name && exclusionGroups[$0] == exclusion }) {
            violations.append("\(name) runs although another of \(exclusion) does")
        }
        guard let flight = harness.flights[name], harness.schedule.flights.contains(flight) else { return }
        let waiters = harness.schedule.flights[flight].waiters.map { harness.name(of: harness.schedule.waiters[$0].operationID) }
        if !waiters.isEmpty, waiters.allSatisfy(paused.contains) { violations.append("\(name) runs although it is paused") }
    }

    private mutating func verifyNothingIsLeft() {
        let schedule = harness.schedule
        if !schedule.isIdle || schedule.waiters.count > 0 { violations.append("left: \(waiters)") }
        if !schedule.exclusionGroups.isEmpty || !schedule.joinableFlights.isEmpty { violations.append("left: exclusions or keys") }
        if !schedule.timers.isEmpty { violations.append("left: alarms") }
        for id in schedule.lanes.ids where schedule.lanes[id].running != 0 || schedule.lanes[id].flightCount != 0 {
            violations.append("left: \(schedule.lanes[id])")
        }
        for index in 1...count where completionCounts["op\(index)"] != 1 {
            violations.append("op\(index) ended \(completionCounts["op\(index)"] ?? 0) times")
        }
        for index in 1...count where harness.releaseCount(of: "op\(index)") != 1 {
            violations.append("op\(index) was forgotten \(harness.releaseCount(of: "op\(index)")) times")
        }
    }

    // MARK: Random choices

    private static let scopes: [LaneScope] = [.all, .network, .lane(.cpu)]

    private mutating func oneIn(_ count: UInt64) -> Bool { random.next() % count == 0 }

    private mutating func priority() -> OperationPriority {
        OperationPriority(.init(rawValue: UInt8(random.next() % 3)) ?? .visible, distance: Int(random.next() % 9))
    }

    private mutating func outcome() -> CompletionStatus { oneIn(3) ? .failed : .succeeded }

    private mutating func randomElement<Choice>(of choices: [Choice]) -> Choice? { choices.randomElement(using: &random) }

    private mutating func randomElement(of names: Set<String>) -> String? { randomElement(of: names.sorted()) }
}
