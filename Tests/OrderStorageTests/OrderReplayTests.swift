import OrderLifecycle
import OrderStorage
import Testing

@Suite("Replay of events")
struct OrderReplayTests {
    private static let start = Timestamp(milliseconds: 1_800_000_000_000)
    private static let mina = PersonID(rawValue: "mina")

    private static func event(
        _ number: Int, _ action: OrderAction, _ state: OrderState, fence: Int, holder: PersonID? = nil
    ) -> OrderEvent {
        OrderEvent(
            number: number, action: action, state: state, fence: Fence(rawValue: fence), holder: holder, actor: holder,
            actionTime: start, acceptanceTime: start)
    }

    private static let events = [
        event(1, .create, .open, fence: 0), event(2, .claim, .claimed, fence: 1, holder: mina),
        event(3, .pickUp, .pickedUp, fence: 1, holder: mina),
    ]

    private static func record(
        state: OrderState = .pickedUp, fence: Int = 1, eventCount: Int = 3, holder: PersonID? = mina, attempts: Int = 0
    ) -> OrderRecord {
        OrderRecord(
            id: 1,
            content: OrderContent(
                title: "Breakfast", price: "1", currency: "EUR", destination: .init(address: "1 Quay Street", coordinate: nil)),
            state: state, version: OrderVersion(fence: Fence(rawValue: fence), eventCount: eventCount), holder: holder, heldSince: start,
            leaseEnd: nil, deadline: nil, attempts: attempts, openReports: 0, externalID: nil)
    }

    private static func problem(_ events: [(OrderEvent?, Int)], _ record: OrderRecord, fenceFloor: Fence = .initial) -> String? {
        var replay = OrderReplay()
        for (event, number) in events { replay.add(event, number: number) }
        return replay.problem(of: record, fenceFloor: fenceFloor)
    }

    private static func numbered(_ events: [OrderEvent]) -> [(OrderEvent?, Int)] { events.map { ($0, $0.number) } }

    @Test func `An order that its events lead to has no problem`() {
        #expect(Self.problem(Self.numbered(Self.events), Self.record()) == nil)
    }

    @Test func `In a later epoch an order has at least the first fence of this epoch`() {
        let floor = Fence(rawValue: 50)

        #expect(Self.problem(Self.numbered(Self.events), Self.record(fence: 50), fenceFloor: floor) == nil)
        #expect(Self.problem(Self.numbered(Self.events), Self.record(), fenceFloor: floor) == "the version differs from the events")
    }

    @Test func `The first difference between an order and its events is named`() {
        let events = Self.numbered(Self.events)

        #expect(Self.problem(events, Self.record(state: .arrived)) == "the state differs from the events")
        #expect(Self.problem(events, Self.record(fence: 2)) == "the version differs from the events")
        #expect(Self.problem(events, Self.record(eventCount: 2)) == "the version differs from the events")
        #expect(Self.problem(events, Self.record(holder: PersonID(rawValue: "jonas"))) == "the holder differs from the events")
        #expect(Self.problem(events, Self.record(attempts: 1)) == "the attempts differ from the events")
    }

    @Test func `The first fault of the events is named`() {
        let all = Self.numbered(Self.events)
        let leap = Self.event(3, .deliver, .delivered, fence: 1, holder: Self.mina)

        #expect(Self.problem([all[0], all[2]], Self.record()) == "event 2 is missing")
        #expect(Self.problem([all[1], all[2]], Self.record()) == "event 1 is missing")
        #expect(Self.problem([all[0], all[1]], Self.record()) == "event 3 is missing")
        #expect(Self.problem([], Self.record()) == "event 1 is missing")
        #expect(Self.problem([all[0], (nil, 2), all[2]], Self.record()) == "event 2 cannot be read")
        #expect(Self.problem([all[0], (all[2].0, 2)], Self.record()) == "event 2 cannot be read")
        #expect(Self.problem([all[0], all[1], (leap, 3)], Self.record()) == "event 3 is no permitted transition")
    }

    @Test func `A list has its first problems`() {
        var list = ProblemList()

        for number in 0..<50 { list.add("\(number)") }

        #expect(list.isFull)
        #expect(list.problems == (0..<ProblemList.limit).map(String.init))
    }
}
