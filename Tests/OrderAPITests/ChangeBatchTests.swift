import JSONWriting
import LadingTesting
import NIOCore
import OrderLifecycle
import OrderStorage
import Testing

@testable import OrderAPI

@Suite("Batch of changes")
struct ChangeBatchTests {
    private static let couriers = ["mina", "jonas", "ada"].map { PersonID(rawValue: $0) }
    private static let people = [
        person("mina", .courier), person("jonas", .courier), person("somebody else", .courier), person("dora", .dispatcher),
    ]

    private static func person(_ name: String, _ role: Role) -> Person {
        Person(
            id: PersonID(rawValue: name), name: name, role: role, creationTime: Timestamp(milliseconds: 0), revocationTime: nil)
    }

    private static func changes(_ count: Int, _ random: inout SeededRandom) -> [OrderChange] {
        (0..<count).map { number in
            let time = Timestamp(milliseconds: 0)
            let couriers: [PersonID?] = couriers + [nil]
            let content: OrderChange.Content =
                Bool.random(using: &random)
                ? .event(
                    OrderEvent(
                        number: number, action: .claim, state: [.open, .claimed, .delivered].randomElement(using: &random)!,
                        fence: Fence(rawValue: 1), holder: couriers.randomElement(using: &random)!, actor: nil, actionTime: time,
                        acceptanceTime: time))
                : .report(
                    number: number,
                    OrderReport(
                        action: .deliver, actor: Self.couriers.randomElement(using: &random)!, fence: Fence(rawValue: 1), cause: .cancelled,
                        actionTime: time, acceptanceTime: time))
            return OrderChange(
                position: ChangePosition(epoch: "e", number: Int64(number + 1)), order: number, content: content,
                previousHolder: couriers.randomElement(using: &random)!, wasOpen: Bool.random(using: &random))
        }
    }

    /// The events for a person, each encoded by itself.
    private static func events(of changes: some Sequence<OrderChange>, for person: Person) -> String {
        changes.compactMap { change in
            ChangeDocument(change, for: person).map { document in
                var json = JSONWriter(.unicode)
                json.object { document.write(to: &$0) }
                return "event: change\nid: \(change.position.text)\ndata: \(json.text)\n\n"
            }
        }.joined()
    }

    @Test(arguments: TestSeeds.seeds(count: 100))
    func `Each person receives the permitted parts of a batch, after any other person`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let changes = Self.changes(.random(in: 1...8, using: &random), &random)
        let batch = ChangeBatch(changes)

        for _ in 1...12 {
            let person = try #require(Self.people.randomElement(using: &random))
            let position = ChangePosition(epoch: "e", number: .random(in: 0...8, using: &random))
            let expected = Self.events(of: changes.filter { position.isBefore($0.position) }, for: person)
            #expect(String(buffer: batch.events(for: person, after: position)) == expected, "LADING_SEED=\(seed)")
        }
    }
}
