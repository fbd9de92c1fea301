import OrderLifecycle
import OrderStorage
import Testing

@Suite("Reasons for attention")
struct AttentionReasonTests {
    private static let time = Timestamp(milliseconds: 1_800_000_000_000)

    private static func record(in state: OrderState, deadline: Timestamp?) -> OrderRecord {
        OrderRecord(
            id: 1,
            content: OrderContent(
                title: "Breakfast", price: "1", currency: "EUR", destination: .init(address: "1 Quay Street", coordinate: nil)),
            state: state, version: OrderVersion(fence: Fence(rawValue: 1), eventCount: 3), holder: PersonID(rawValue: "mina"),
            heldSince: nil, leaseEnd: nil, deadline: deadline, attempts: 0, openReports: 0, externalID: nil)
    }

    @Test(arguments: OrderState.allCases)
    func `An order is overdue from its deadline while a courier has it`(state: OrderState) {
        let deadlines: [(time: Timestamp?, isReached: Bool)] = [
            (Self.time + .milliseconds(1), false), (Self.time, true), (Self.time + .seconds(-60), true), (nil, false),
        ]
        for (deadline, isReached) in deadlines {
            let reasons = Self.record(in: state, deadline: deadline).attention(at: Self.time)

            #expect(reasons.contains(.overdue) == (isReached && state.hasHolder), "\(String(describing: deadline))")
        }
    }
}
