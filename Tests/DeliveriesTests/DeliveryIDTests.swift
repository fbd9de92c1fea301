import Testing

@testable import Deliveries

@Suite struct DeliveryIDTests {
    @Test func `A number and its text are the same identity`() {
        #expect(DeliveryID(7) == "7")
        #expect(DeliveryID("07") != 7)
        #expect("\(DeliveryID(-7))" == "-7")
    }
}
