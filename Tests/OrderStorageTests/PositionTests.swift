import OrderLifecycle
import OrderStorage
import Testing

@Suite("Positions and versions as text")
struct PositionTests {
    @Test func `A position is read as it was written`() {
        let position = ChangePosition(epoch: "a1", number: 70)

        #expect(ChangePosition(text: position.text) == position)
        #expect(position.text == "a1-70")
    }

    @Test(arguments: ["", "a1", "-7", "a1-", "a1-x", "a1--7", "a1-07", "a1-7-8", "a1-99999999999999999999"])
    func `Another text is no position`(text: String) {
        #expect(ChangePosition(text: text) == nil)
    }

    @Test func `A version has a fence and a number of events`() {
        #expect(OrderVersion(text: "4.9") == OrderVersion(fence: Fence(rawValue: 4), eventCount: 9))
        #expect(OrderVersion(fence: .initial, eventCount: 1).text == "0.1")
        for text in ["4", "4.", ".9", "4.9.1", "-1.2", "a.b"] { #expect(OrderVersion(text: text) == nil) }
    }
}
