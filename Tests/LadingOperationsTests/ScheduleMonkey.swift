@testable import LadingOperations

/// Does anything at all to a schedule, by a seed, and notes where it breaks a law.
struct ScheduleMonkey {
    private var pad = SchedulePad(width: 3, reserved: 1)
    private var random: XorShift
    private var submitted: [String] = []
    private var running: Set<String> = []
    private var settled: [String: Int] = [:]
    private(set) var violations: [String] = []

    var record: DecisionRecord<SchedulePad.Schedule> { pad.record }

    init(seed: UInt64) {
        random = XorShift(state: seed &* 0x9E37_79B9_7F4A_7C15 | 1)
    }

    mutating func run(steps: Int) {
        for step in 0..<steps { take(step) }
        note(pad.handle(.resume(.all)))
        while let name = running.sorted().first { note(pad.finish(name), endedBy: name) }
        if !pad.schedule.isIdle { violations.append("something is left") }
        for name in submitted where settled[name] != 1 { violations.append("\(name) ended \(settled[name] ?? 0) times") }
    }

    private mutating func take(_ step: Int) {
        switch random.next() % 8 {
        case 0...2: begin(step)
        case 3: pick(from: running.sorted()).map { note(pad.finish($0, outcome()), endedBy: $0) }
        case 4: pick(from: open).map { note(pad.withdraw($0)) }
        case 5: pick(from: running.sorted()).map { note(pad.nearEnd($0)) }
        case 6: note(pad.handle(random.next() % 2 == 0 ? .pause(.all) : .resume(.all)))
        default: pick(from: open).map { note(pad.ask($0, priority())) }
        }
    }

    private mutating func begin(_ step: Int) {
        let name = "op\(step)"
        let dependencies = (0..<(random.next() % 3)).compactMap { _ in pick(from: open) }
        let key = random.next() % 2 == 0 ? "key\(random.next() % 4)" : nil
        submitted.append(name)
        note(
            pad.begin(
                name, priority(), for: UInt32(random.next() % 3), key: key, after: Array(Set(dependencies)).sorted(),
                runsAnyway: random.next() % 4 == 0))
    }

    private mutating func note(_ effects: [String], endedBy ended: String? = nil) {
        if let ended { running.remove(ended) }
        for effect in effects {
            let words = effect.split(separator: " ").map(String.init)
            switch words[0] {
            case "run":
                if !running.insert(words[1]).inserted { violations.append("\(words[1]) runs twice") }
                if running.count > 3 { violations.append("more run than the lane is wide") }
            case "settle": settled[words[1], default: 0] += 1
            case "interrupt":
                if !running.contains(words[1]) { violations.append("\(words[1]) is interrupted but does not run") }
            default: violations.append(effect)
            }
        }
    }

    /// Wishes without an end so far.
    private var open: [String] { submitted.filter { settled[$0] == nil } }

    private mutating func priority() -> OperationPriority {
        OperationPriority(.init(rawValue: UInt8(random.next() % 3)) ?? .visible, distance: Int(random.next() % 9))
    }

    private mutating func outcome() -> Settlement {
        random.next() % 3 == 0 ? .failed : .succeeded
    }

    private mutating func pick(from names: [String]) -> String? {
        names.isEmpty ? nil : names[Int(random.next() % UInt64(names.count))]
    }
}

/// A small generator of the xorshift family, the same everywhere for a seed.
struct XorShift: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
}
