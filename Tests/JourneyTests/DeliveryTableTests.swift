import Deliveries
import Foundation
import Testing

@testable import lading

@Suite struct DeliveryTableTests {
    @Test(arguments: [
        ("America/New_York", "2026-05-20 08:00"), ("Europe/Berlin", "2026-05-20 08:00 -04:00"),
        ("Asia/Kathmandu", "2026-05-20 08:00 -04:00"),
    ])
    func `A pickup is told on the clock of its server, and which that is where it is not the reader's`(zone: String, text: String) throws {
        let delivery = Delivery(id: "1", pickup: Date(timeIntervalSince1970: 1_779_278_400), pickupOffset: -4 * 3_600)

        #expect(DeliveryTable.pickup(of: delivery, in: try #require(TimeZone(identifier: zone))) == text)
    }

    @Test(arguments: [("America/New_York", "08:00"), ("Europe/Berlin", "14:00"), ("Asia/Kathmandu", "17:45")])
    func `A pickup of which only the instant is known is told on the reader's clock`(zone: String, time: String) throws {
        let delivery = Delivery(id: "1", pickup: Date(timeIntervalSince1970: 1_779_278_400))

        #expect(DeliveryTable.pickup(of: delivery, in: try #require(TimeZone(identifier: zone))) == "2026-05-20 \(time)")
    }
}
