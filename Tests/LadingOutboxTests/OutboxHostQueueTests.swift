import Foundation
import LadingHTTP
import LadingTesting
import Testing

@testable import LadingOutbox

/// The indices of a queue: what they find, when they are updated, and their cost.
@Suite struct OutboxHostQueueTests {
    @Test(arguments: TestSeeds.seeds(count: 20)) func `Entries are found as by a search of all of them`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var queue = OutboxHostQueue()
        var entries: [IdempotencyKey: OutboxEntry] = [:]
        for number in 1...200 {
            if Int.random(in: 0..<3, using: &random) > 0 {
                // Some positions are equal.
                let entry = OutboxScheduleHarness.entry("\(number % 5)-\(number)", position: .random(in: 0..<100, using: &random))
                entries[entry.id] = entry
                queue.insert(OutboxHostQueue.Item(entry: entry, expires: .seconds(1)))
            } else if let key = entries.keys.sorted(by: { $0.rawValue < $1.rawValue }).randomElement(using: &random) {
                entries[key] = nil
                queue.remove(key)
                #expect(queue[key] == nil, "seed \(seed)")
            }
            let positions = queue.items.map(\.entry.position)
            #expect(positions == positions.sorted() && positions.count == entries.count, "seed \(seed)")
        }
        for entry in entries.values {
            queue.change(entry.id) { $0.entry.attempts = 7 }
            #expect(queue[entry.id]?.entry.attempts == 7, "seed \(seed)")
        }
        for subject in 0..<6 {
            let expected = entries.values.filter { $0.subject == "\(subject)" }
            let found = queue.items(about: "\(subject)").map(\.entry)
            #expect(Set(found.map(\.id)) == Set(expected.map(\.id)) && found.count == expected.count, "seed \(seed)")
            #expect(found.map(\.position) == expected.map(\.position).sorted(), "seed \(seed)")
            #expect(queue.hasItems(about: "\(subject)") == !expected.isEmpty, "seed \(seed)")
        }
    }

    // MARK: Expiry

    @Test func `An entry that expires while it is sent is dropped when it waits again`() {
        var schedule = OutboxScheduleHarness(OutboxLimits(age: .seconds(100)))
        _ = schedule.open()
        _ = schedule.add("1-a", age: .seconds(90))
        _ = schedule.add("2-a", age: .seconds(95))

        #expect(schedule.advance(by: .seconds(20)) == ["settle 2-a expired"])
        #expect(schedule.failed("1-a", BackendError.unreachableHost).contains("settle 1-a expired"))
    }

    @Test func `The expiry of an entry that could not be recorded is recorded after the schedule opens again`() {
        var schedule = OutboxScheduleHarness(OutboxLimits(age: .seconds(100)))
        _ = schedule.open()
        _ = schedule.handle(.network(isConnected: false))
        _ = schedule.add("1-a", age: .seconds(90))

        #expect(schedule.advance(by: .seconds(10)) == ["settle 1-a expired"])
        #expect(schedule.handle(.closed) == [])
        #expect(schedule.open() == ["settle 1-a expired"])
    }

    @Test func `The next expiry is that of the remaining entries`() {
        var schedule = OutboxScheduleHarness(OutboxLimits(age: .seconds(100)))
        _ = schedule.open(isConnected: false)
        for (name, age) in [("1-a", 90), ("2-a", 60), ("3-a", 80)] { _ = schedule.add(name, age: .seconds(age)) }

        #expect(schedule.advance(by: .seconds(10)) == ["settle 1-a expired"])
        #expect(schedule.completed("1-a", .expired) == ["1-a expired"])
        #expect(schedule.advance(by: .seconds(10)) == ["settle 3-a expired"])
        #expect(schedule.advance(by: .seconds(10)) == [])
        #expect(schedule.advance(by: .seconds(10)) == ["settle 2-a expired"])
    }

    // MARK: Cost

    /// A search of all entries for each of them exceeds the time limit, which is a multiple of the time that this takes otherwise.
    @Test(.timeLimit(.minutes(1))) func `Adding twenty thousand entries, and a change of the network, search none of them linearly`() {
        let count = 20_000
        var schedule = OutboxSchedule(OutboxLimits(entries: count))
        var effects: [OutboxSchedule.Effect] = []
        schedule.handle(.init(kind: .opened(isConnected: false), time: .zero), effects: &effects)

        for number in 1...count {
            let entry = OutboxScheduleHarness.entry("\(number)-on", supersedes: true, position: Int64(number))
            schedule.handle(.init(kind: .added(entry, age: .zero), time: .zero), effects: &effects)
        }
        #expect(effects.count == count)
        effects = []
        schedule.handle(.init(kind: .network(isConnected: true), time: .zero), effects: &effects)

        // All wait, and the first is sent.
        #expect(effects.count == count + 2)
        #expect(schedule.latestPending(about: "\(count)")?.position == Int64(count))
    }
}
