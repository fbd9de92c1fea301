import LadingTesting

@testable import LadingOperations

/// Does anything at all to a schedule, by a seed, and notes where it breaks a law.
struct ScheduleMonkey {
    private static let widths: [Lane: Int] = [Lane("net:test"): 3, .cpu: 2]
    private static let openLimit = 60

    private var pad = SchedulePad(width: 3, reserved: 1)
    private var random: SeededRandom
    private var now = Duration.zero
    private var count = 0
    /// Wishes that have not ended.
    private var open: [String] = []
    private var lanes: [String: Lane] = [:]
    private var exclusions: [String: String] = [:]
    private var held: Set<String> = []
    /// Flights by the names of the wishes that began them.
    private var running: Set<String> = []
    private var checking: Set<String> = []
    private var settled: [String: Int] = [:]
    private(set) var violations: [String] = []

    var record: DecisionRecord<OperationSchedule> { pad.record }

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
    }

    mutating func run(steps: Int) {
        for _ in 0..<steps { takeStep() }
        for scope in Self.scopes { note(pad.handle(.resume(scope))) }
        held = []
        for name in open { note(pad.hold(name, false)) }
        while endOne() {}
        checkNothingIsLeft()
    }

    // MARK: Steps

    private mutating func takeStep() {
        switch random.next() % 18 {
        case 0...3: begin()
        case 4...5: pick(from: running).map { end($0, pad.finish($0, outcome())) }
        case 6: pick(from: open).map { note(pad.withdraw($0)) }
        case 7: pick(from: running).map { note(pad.nearEnd($0)) }
        case 8: pick(from: Self.scopes).map { note(pad.handle(oneIn(3) ? .pause($0) : .resume($0))) }
        case 9: pick(from: open).map { note(pad.ask($0, priority(), for: UInt32(random.next() % 3))) }
        case 10...11: pick(from: open).map { hold($0) }
        case 12...13: pick(from: checking).map { end($0, oneIn(4) ? pad.finish($0, .failed) : pad.met($0)) }
        case 14: pick(from: running).map { end($0, pad.rest($0, until: now + .milliseconds(Int(random.next() % 500)))) }
        case 15: wait()
        case 16: pick(from: open).map { note(pad.watch($0)) }
        default: oneIn(40) ? note(pad.handle(.withdrawAll)) : goOn()
        }
    }

    private mutating func begin() {
        guard open.count < Self.openLimit else { return }
        var dependencies = (0..<(random.next() % 3)).compactMap { _ in pick(from: open) }
        if oneIn(3) { dependencies.append(submit(nil)) }
        submit(priority(), after: Set(dependencies).sorted())
        for name in dependencies {
            if let wish = pad.wish(of: name), pad.schedule.wishes.contains(wish) { note(pad.handle(.letGo(wish))) }
        }
    }

    /// Submits a wish; without a priority, one that only others want.
    @discardableResult
    private mutating func submit(_ priority: OperationPriority?, after dependencies: [String] = []) -> String {
        count += 1
        let name = "op\(count)"
        // One in four is plain, and stands in line or begins a flight at once.
        let isPlain = oneIn(4)
        let key = !isPlain && oneIn(2) ? "key\(random.next() % 4)" : nil
        let exclusion = !isPlain && oneIn(3) ? "exclusion\(random.next() % 2)" : nil
        let lane = oneIn(3) ? Lane.cpu : Lane("net:test")
        let isHeld = !isPlain && oneIn(8)
        (lanes[name], exclusions[name]) = (lane, exclusion)
        open.append(name)
        if isHeld { held.insert(name) }
        note(
            pad.begin(
                name, priority, for: UInt32(random.next() % 3), key: key, after: dependencies, runsAnyway: !isPlain && oneIn(4), in: lane,
                isConditional: !isPlain && oneIn(4), exclusion: exclusion,
                deadline: !isPlain && oneIn(6) ? now + .milliseconds(Int(random.next() % 900)) : nil, isPaused: isHeld,
                isWatched: !isPlain && oneIn(5), stands: !oneIn(4)))
        return name
    }

    private mutating func hold(_ name: String) {
        let isHeld = held.remove(name) == nil
        if isHeld { held.insert(name) }
        note(pad.hold(name, isHeld))
    }

    private mutating func goOn() {
        guard let name = pick(from: running), let flight = pad.flights[name] else { return }
        note(pad.handle(.close(flight)))
        let next = oneIn(2) ? submit(nil) : pick(from: open)
        guard let next, let wish = pad.wish(of: next), pad.schedule.wishes.contains(wish) else { return }
        end(name, pad.finish(name, continuingWith: next))
    }

    /// Time goes by; the schedule hears of it when it has asked to.
    private mutating func wait() {
        now += .milliseconds(Int(random.next() % 200))
        if let wake = pad.wake, wake <= now { ring() }
    }

    private mutating func ring() {
        pad.wake = nil
        note(pad.handle(.ring(now)))
    }

    private mutating func endOne() -> Bool {
        if let name = running.sorted().first {
            end(name, pad.finish(name))
        } else if let name = checking.sorted().first {
            end(name, pad.met(name))
        } else if let wake = pad.wake {
            now = max(now, wake)
            ring()
        } else {
            return false
        }
        return true
    }

    // MARK: Laws

    private mutating func end(_ name: String, _ effects: [String]) {
        running.remove(name)
        checking.remove(name)
        note(effects)
    }

    private mutating func note(_ effects: [String]) {
        for effect in effects {
            let words = effect.split(separator: " ").map(String.init)
            switch words[0] {
            case "run": noteRun(of: words[1])
            case "check": if !checking.insert(words[1]).inserted { violations.append("\(words[1]) is checked twice") }
            case "settle":
                settled[words[1], default: 0] += 1
                open.removeAll { $0 == words[1] }
                held.remove(words[1])
            case "interrupt":
                if !running.contains(words[1]), !checking.contains(words[1]) { violations.append("needless: \(effect)") }
            case "wake": break
            default: if words[1] != "is" { violations.append(effect) }
            }
        }
        violations += pad.schedule.brokenLaws()
    }

    private mutating func noteRun(of name: String) {
        if !running.insert(name).inserted { violations.append("\(name) runs twice") }
        if checking.contains(name) { violations.append("\(name) runs unchecked") }
        for (lane, width) in Self.widths where running.count(where: { lanes[$0] == lane }) > width {
            violations.append("more run than \(lane.name) is wide")
        }
        if let exclusion = exclusions[name], running.contains(where: { $0 != name && exclusions[$0] == exclusion }) {
            violations.append("\(name) runs although another of \(exclusion) does")
        }
        guard let flight = pad.flights[name], pad.schedule.flights.contains(flight) else { return }
        let wishes = pad.schedule.flights[flight].wishes.map { pad.name(of: pad.schedule.wishes[$0].ticket) }
        if !wishes.isEmpty, wishes.allSatisfy(held.contains) { violations.append("\(name) runs although it is held") }
    }

    private mutating func checkNothingIsLeft() {
        let schedule = pad.schedule
        if !schedule.isIdle || schedule.wishes.count > 0 { violations.append("left: \(open)") }
        if !schedule.exclusions.isEmpty || !schedule.joinable.isEmpty { violations.append("left: exclusions or keys") }
        if !schedule.alarms.isEmpty { violations.append("left: alarms") }
        for id in schedule.lanes.ids where schedule.lanes[id].running != 0 || schedule.lanes[id].flightCount != 0 {
            violations.append("left: \(schedule.lanes[id])")
        }
        for index in 1...count where settled["op\(index)"] != 1 {
            violations.append("op\(index) ended \(settled["op\(index)"] ?? 0) times")
        }
        for index in 1...count where pad.timesForgotten("op\(index)") != 1 {
            violations.append("op\(index) was forgotten \(pad.timesForgotten("op\(index)")) times")
        }
    }

    // MARK: Chance

    private static let scopes: [LaneScope] = [.all, .network, .lane(.cpu)]

    private mutating func oneIn(_ count: UInt64) -> Bool { random.next() % count == 0 }

    private mutating func priority() -> OperationPriority {
        OperationPriority(.init(rawValue: UInt8(random.next() % 3)) ?? .visible, distance: Int(random.next() % 9))
    }

    private mutating func outcome() -> Settlement { oneIn(3) ? .failed : .succeeded }

    private mutating func pick<Choice>(from choices: [Choice]) -> Choice? { choices.randomElement(using: &random) }

    private mutating func pick(from names: Set<String>) -> String? { pick(from: names.sorted()) }
}
